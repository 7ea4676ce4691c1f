"""The chart of speed on the README, from the records."""

from __future__ import annotations

import math
from html import escape

from records import figure, number

RACE, NEAR, MANY, SOLIDS, CURVES = (
    "bench/records/pairs",
    "bench/records/near",
    "bench/records/many",
    "bench/records/solids",
    "bench/records/curves",
)
COLOURS = {
    "FCL": "#4c78a8",
    "Coal": "#59a14f",
    "parry3d": "#f2a14b",
    "CGAL": "#8a8a8a",
    "Manifold": "#b279a2",
}

# Each measurement, and the cells of the rivals' times over ours.
GROUPS: list[tuple[str, str, dict[str, str]]] = [
    (
        "All pairs of triangles",
        "43 scenes",
        {
            "FCL": f"{RACE} | All pairs | geometric mean | fcl-obb x",
            "Coal": f"{RACE} | All pairs | geometric mean | coal-obb x",
            "parry3d": f"{RACE} | All pairs | geometric mean | parry3d-f64 x",
        },
    ),
    (
        "First contact",
        "43 scenes",
        {
            "FCL": f"{RACE} | First contact | geometric mean | fcl-obb x",
            "Coal": f"{RACE} | First contact | geometric mean | coal-obb x",
            "parry3d": f"{RACE} | First contact | geometric mean | parry3d-f64 x",
        },
    ),
    (
        "Distance",
        "9 scenes",
        {
            "FCL": f"{NEAR} | Distance | geometric mean | fcl-obbrss x",
            "Coal": f"{NEAR} | Distance | geometric mean | coal-obbrss x",
            "parry3d": f"{NEAR} | Distance | geometric mean | parry3d-f64 x",
        },
    ),
    ("Clearance", "9 scenes", {"Coal": f"{NEAR} | Within a margin | geometric mean | coal-obb x"}),
    (
        "200 moving bodies",
        "all pairs",
        {
            "FCL": f"{MANY} | 200 bodies, all pairs of triangles | fcl-obb | x ours",
            "parry3d": f"{MANY} | 200 bodies, all pairs of triangles | parry3d-f64 | x ours",
        },
    ),
    (
        "Relation of solids",
        "1,023 pairs",
        {
            "Manifold": f"{SOLIDS} | Relation | manifold3d | query: mean",
            "CGAL": f"{SOLIDS} | Relation | cgal-corefine | query: mean",
        },
    ),
    (
        "Intersection curves",
        "7 scenes",
        {
            "CGAL": f"{CURVES} | Bars | lines, x CGAL's surface_intersection, geometric mean | found"
        },
    ),
]

WIDTH, LEFT, RIGHT, TOP, BAR, GAP = 760, 190, 90, 66, 15, 13
MOST = 1000.0


def speed() -> str:
    at, rows = TOP, []

    def x(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log(value) / math.log(MOST)

    for title, scenes, rivals in GROUPS:
        middle = at + BAR * len(rivals) / 2
        rows.append(f'<text class="h" x="{LEFT - 12}" y="{middle - 1:.1f}">{escape(title)}</text>')
        rows.append(f'<text class="n" x="{LEFT - 12}" y="{middle + 13:.1f}">{scenes}</text>')
        for name, source in rivals.items():
            shown = figure(source)
            end = x(number(shown))
            rows.append(
                f'<rect x="{LEFT}" y="{at + 1}" width="{end - LEFT:.1f}" height="{BAR - 2}" '
                f'fill="{COLOURS[name]}"/>'
            )
            rows.append(f'<text class="v" x="{end + 5:.1f}" y="{at + 12}">{name} {shown}</text>')
            at += BAR
        at += max(GAP, 2 * BAR + 6 - BAR * len(rivals))
    height = at + 14
    lines = []
    for value in (1, 10, 100, 1000):
        lines.append(f'<line x1="{x(value):.1f}" y1="{TOP - 6}" x2="{x(value):.1f}" y2="{height - 16}"/>')
        lines.append(f'<text x="{x(value):.1f}" y="{TOP - 12}" class="c">{value}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" '
            'font-size="13">',
            "<title>Time of other libraries, as a multiple of the time of impinge</title>",
            "<style>text{fill:#222}.h{text-anchor:end;font-weight:bold}.n{text-anchor:end;font-size:11px;fill:#555}"
            ".v{font-size:11px}.c{text-anchor:middle;font-size:11px;fill:#555}.t{font-weight:bold}"
            "line{stroke:#ddd}</style>",
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            '<text class="t" x="20" y="22">Time of other libraries, times that of impinge</text>',
            '<text x="20" y="39" font-size="11px">Geometric means on one thread, logarithmic scale; 1 is as fast as '
            "impinge, longer is slower. Sources: docs/speed.md</text>",
            *lines,
            *rows,
            "</svg>",
            "",
        ]
    )


CHARTS = {"docs/speed.svg": speed}
