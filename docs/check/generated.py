"""Generated tables of pages, one function a block: see figures.py."""

from __future__ import annotations

import re

from records import cell, figure, machine, table

RECORDS = {
    "bench/record/REPORT.md": "all pairs and first contact, 43 scenes",
    "bench/record-near/REPORT.md": "distance and clearance, Zen 4",
    "bench/record-near-zen1/REPORT.md": "distance and clearance, Zen 1",
    "bench/record-many/REPORT.md": "scenes of many bodies, broad phases",
    "bench/record-assemblies/REPORT.md": "`impinge check --surfaces` on whole files",
    "bench/record-solids/REPORT.md": "relations and volumes of solids",
    "bench/record-curves/REPORT.md": "intersection curves",
    "bench/record-points/REPORT.md": "nearest points, rays, point location",
    "bench/cold/REPORT.md": "nine scenes with cold caches",
}


def grid(head: list[str], align: str, rows: list[list[str]]) -> str:
    """A Markdown table; `align` has l or r for each column."""
    lines = [f"| {' | '.join(row)} |" for row in [head, *rows]]
    lines.insert(1, "|" + "|".join("---" if side == "l" else "---:" for side in align) + "|")
    return "\n".join(lines) + "\n"


def records_used() -> str:
    rows = []
    for name, what in RECORDS.items():
        made = machine(name)
        commit = made["revision"].split()[0]
        processor = made.get("Model name", "?").replace("(R)", "").replace(" Processor", "")
        rows.append(
            [
                f"[{what}](../{name})",
                made["date"].split()[0],
                f"`{commit[:7]}`",
                processor,
            ]
        )
    return grid(["record", "date", "revision", "processor"], "llll", rows)


SCENES = {
    "spheres-l1": "two spheres pass through each other, 20,480 triangles each",
    "spheres-nested": "a sphere inside one 3 % larger, 20,480",
    "knots-l3": "two knots 0.001 apart along a curve, 11,000",
    "horses": "two horses slowly part, 96,966",
    "hands": "dragons (a stand-in for the paper's hands), 202,520",
    "tumble-motor": "a motor, CAD, 20,228",
    "tumble-saw": "a reciprocating saw, CAD, 198,470",
    "held-ur5": "a UR5 robot, CAD, 95,694, not used for tuning",
    "rods": "thin rods in all directions, 9,996",
    "asm-saw": "the saw's assembly as designed: faces coincide",
    "asm-house-moved": "a house's assembly, both halves moved: faces coincide",
    "geometric mean": "geometric mean of all 43 scenes",
}


def race(caption: str) -> str:
    rivals = {"fcl-obb": "FCL 0.7, OBB", "coal-obb": "Coal 3, OBB", "parry3d-f64": "parry3d-f64"}
    source = table("bench/record/TABLE.md", caption)
    rows = []
    for scene, what in SCENES.items():
        row = source.row(scene)
        name = f"`{scene}`: {what}" if " " not in scene else what
        rows.append(
            [
                name,
                row["impinge"],
                *(row[rival].strip("()") if " " in scene else row[rival] for rival in rivals),
            ]
        )
    return grid(["scene", "impinge", *rivals.values()], "lrrrr", rows)


def all_pairs() -> str:
    return race("All pairs")


def first_contact() -> str:
    return race("First contact")


NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def _word(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _faster_parry() -> tuple[list[str], int]:
    """Scenes whose first contact parry finds faster than impinge, and the number of all scenes."""
    source = table("bench/record/TABLE.md", "First contact")
    rows = [dict(zip(source.head, row)) for row in source.rows]
    scenes = {row["scene"]: row for row in rows if " " not in row["scene"]}
    measured = {name: row for name, row in scenes.items() if "(" in row["parry3d-f64"]}
    faster = [name for name, row in measured.items() if float(cell(row, "parry3d-f64 x")) < 1]
    if not all(name.startswith("asm-") for name in faster):
        raise LookupError(f"parry is faster on a scene whose parts do not touch: {', '.join(faster)}")
    return faster, len(scenes)


def parry_on_the_readme() -> str:
    """README: where another library is faster."""
    faster, scenes = _faster_parry()
    costs = table("bench/record/REPORT.md", "What trees cost")
    ours, theirs = (float(costs.row(name)["Mtri/s"]) for name in ("impinge", "parry3d-f64"))
    builds = ", and it builds trees faster" if theirs > ours else ""
    return (
        f"parry3d is faster at first contact in {_word(len(faster))} of the {scenes} scenes, where parts touch"
        f"{builds}.\n"
    )


def parry_at_first_contact() -> str:
    """speed.md: the same, with an example."""
    faster, _ = _faster_parry()
    example = "asm-house-moved" if "asm-house-moved" in faster else faster[0]
    return (
        f"parry is faster than impinge in {_word(len(faster))} assembly scenes whose parts touch, such as "
        f"`{example}`.\n"
    )


def race_summary() -> str:
    """COMPARISON.md: the rivals' time over ours."""
    report = "bench/record/REPORT.md"
    rivals = ["fcl-obb", "coal-obb", "parry3d-f64"]
    costs = table(report, "What trees cost")
    rows: list[list[str]] = []
    for title in ["All pairs", "First contact"]:
        means = table(report, title, "fcl-obb")
        ratios = [means.row(rival) for rival in rivals]
        rows.append(
            [
                f"{title.lower()}, geometric mean",
                *(f"{row['x ours, geometric mean']} ({row['scenes']} scenes)" for row in ratios),
            ]
        )
        rows.append([f"{title.lower()}, least scene", *(row["least"].split()[0] for row in ratios)])
        if title == "All pairs":
            wrong = [
                [
                    "pairs missed; invented, all scenes",
                    *(f"{spaced(row['missed'])}; {spaced(row['invented'])}" for row in ratios),
                ]
            ]
    ours = costs.row("impinge")
    rows.append(
        [
            f"build, million triangles a second (ours {ours['Mtri/s']})",
            *(costs.row(rival)["Mtri/s"] for rival in rivals),
        ]
    )
    rows.append(
        [
            f"tree, bytes a triangle (ours {ours['bytes a triangle']})",
            *(costs.row(rival)["bytes a triangle"] for rival in rivals),
        ]
    )
    return grid(
        ["rival's time over ours", "FCL 0.7.0, OBB", "Coal 3.0.3, OBB", "parry3d-f64 0.31.1"],
        "lrrr",
        rows + wrong,
    )


def spaced(text: str) -> str:
    return f"{int(text.replace(' ', '')):,}" if text else "0"


def distance() -> str:
    rivals = {"fcl-obbrss": "FCL 0.7, OBBRSS", "coal-obbrss": "Coal 3, OBBRSS", "parry3d-f64": "parry3d-f64"}
    source = table("bench/record-near/TABLE.md", "Distance, microseconds")
    rows = []
    for row in source.rows:
        named = dict(zip(source.head, row))
        mean = row[0] == "geometric mean"
        rows.append(
            [
                row[0] if mean else f"`{row[0]}`",
                named["impinge"],
                *(named[rival].strip("()") if mean else named[rival] for rival in rivals),
            ]
        )
    return grid(["scene", "impinge", *rivals.values()], "lrrrr", rows)


def many() -> str:
    file = "bench/record-many/REPORT.md"
    rows = []
    for title, caption in [
        ("which bodies meet", "200 bodies that all move, which"),
        ("all pairs of triangles", "200 bodies that all move, all pairs"),
    ]:
        race = table(file, caption)
        rows.append(
            [
                f"200 teapots that all move, {title}",
                race.row("impinge")["ms a frame"],
                *(
                    f"{race.row(rival)['ms a frame']} ({race.row(rival)['x ours']})"
                    for rival in ["fcl-obb", "parry3d-f64"]
                ),
            ]
        )
    boxes = table(file, "Boxes alone")
    rows.append(
        [
            "100,000 boxes that all move, which meet",
            boxes.row("impinge-tree")["ms a frame"],
            *(
                f"{boxes.row(rival)['ms a frame']} ({boxes.row(rival)['x ours']})"
                for rival in ["fcl-tree", "parry3d-f64"]
            ),
        ]
    )
    return grid(["milliseconds a frame", "impinge", "FCL 0.7", "parry3d-f64"], "lrrr", rows)


def solids() -> str:
    file = "bench/record-solids/TABLE.md"
    names = {
        "manifold3d": "Manifold 3.5.4 (`manifold3d`)",
        "cgal-corefine": "CGAL 5.5.1, corefinement",
        "cgal-rigid": "CGAL 5.5.1, rigid collision",
        "manifold-rust": "manifold-rust",
    }
    rows = []
    for rival, name in names.items():
        # The headings of the counts are equal, so that cells are taken by their place.
        relation = next(row for row in table(file, "Times of rivals").rows if row[0] == rival)
        volume = next((row for row in table(file, "The same of the volume").rows if row[0] == rival), None)
        faster, pairs = relation[3].split(" of ")
        rows.append(
            [
                name,
                relation[1],
                f"{spaced(faster)} of {spaced(pairs)}",
                relation[7],
                volume[1] if volume else "-",
            ]
        )
    return grid(
        [
            "rival's time over ours",
            "relation",
            "pairs where the rival is faster",
            "relation, models built each time",
            "volume",
        ],
        "lrrrr",
        rows,
    )


def assemblies() -> str:
    file = "bench/record-assemblies/REPORT.md"
    source = table(file, "Bars", "ifc_schependomlaan_contractors")
    columns = source.head[2:]
    rows = [[f"`{row[0]}`", *(value.removesuffix(" under") for value in row[2:])] for row in source.rows]
    bars = [
        "whole process, x CGAL",
        "without reading, x CGAL",
        "without reading, x FCL",
        "without reading, x parry",
    ]
    rows.append(
        ["geometric mean", *(figure(f"{file} | Bars | {bar}, geometric mean | found") for bar in bars)]
    )
    head = ["file", *(name.removeprefix("x ").split(" (")[0] for name in columns)]
    return grid(head, "lrrrr", rows)


def assembly_times() -> str:
    file = "bench/record-assemblies/REPORT.md"
    rows = []
    for name in [row[0] for row in table(file, "Bars", "ifc_schependomlaan_contractors").rows]:
        times = table(file, name)
        ours, cgal = times.row("impinge"), times.row("cgal-parts")
        size = re.sub(r"(?<=\d)[ ]?(?=\d{3}\b)", ",", times.caption.split("\n")[1])
        rows.append(
            [f"`{name}`: {size}", ours["whole ms"], ours["reading"], cgal["whole ms"], cgal["x ours, whole"]]
        )
    return grid(
        [
            "milliseconds of processor time, one thread",
            "whole process",
            "of it reading",
            "CGAL, sorted boxes",
            "times ours",
        ],
        "lrrrr",
        rows,
    )


def points() -> str:
    """Times of parry and CGAL over ours, by question."""
    source = table("bench/record-points/REPORT.md", "Times")
    rows = []
    for question in ["closest", "first hit", "inside"]:
        shown = []
        for rival in ["parry3d-f64", "cgal"]:
            ratios = [
                float(cell(dict(zip(source.head, row)), f"{rival} x"))
                for row in source.rows
                if row[1].startswith(question) and "(" in dict(zip(source.head, row))[rival]
            ]
            shown.append(f"{mean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else "-")
        rows.append([{"closest": "closest point", "inside": "inside or not"}.get(question, question), *shown])
    return grid(["rival's time over ours: mean (range)", "parry3d-f64 0.31", "CGAL 5.5.1"], "lrr", rows)


def mean(values: list[float]) -> float:
    product = 1.0
    for value in values:
        product *= value
    return float(product ** (1.0 / len(values)))
