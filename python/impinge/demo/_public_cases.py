"""Public reports against other libraries: what these returned, what is right, and what impinge returns.

The inputs are made here from numbers of the reports: sizes of boxes, points and poses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import impinge
from impinge import Body, Mesh, Model

Answer = tuple[str, bool]
"""A result in at most 10 characters, and whether it is right."""


@dataclass(frozen=True)
class Case:
    """A report, as two bodies and the right result."""

    name: str
    report: str
    """The library and the number of the report, in at most 19 characters."""
    link: str
    theirs: str
    """What the library returned, in at most 12 characters."""
    story: str
    """The same as a sentence, for the page."""
    right: str
    """The right result, in at most 10 characters."""
    meshes: Callable[[], tuple[Mesh, Mesh]]
    poses: tuple[str, str]
    """12 numbers each, row by row; as they are, rigid or not."""
    check: Callable[[Body, Body], Answer]

    def bodies(self) -> tuple[Body, Body]:
        """The two bodies."""
        a, b = self.meshes()
        return body(a, self.poses[0]), body(b, self.poses[1])

    def ours(self) -> Answer:
        """What impinge returns, and whether it is right."""
        return self.check(*self.bodies())


def body(mesh: Mesh, pose: str) -> Body:
    """A mesh at a pose of 12 numbers."""
    numbers = [float(word) for word in pose.split()]
    rows = [numbers[0:4], numbers[4:8], numbers[8:12], [0.0, 0.0, 0.0, 1.0]]
    return Body(Model(mesh), rows, affine=True)


def _at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> str:
    """A translation."""
    return f"1 0 0 {x!r} 0 1 0 {y!r} 0 0 1 {z!r}"


def _boxes(a: list[float], b: list[float]) -> Callable[[], tuple[Mesh, Mesh]]:
    return lambda: (Mesh.box(a), Mesh.box(b))


def _box_from(sides: list[float]) -> Mesh:
    """A box with a corner at the origin."""
    mesh = Mesh.box(sides)
    return Mesh(mesh.vertices + [0.5 * side for side in sides], mesh.faces)


def _point() -> Mesh:
    return Mesh([[0.0, 0.0, 0.0]] * 3, [[0, 1, 2]])


_L = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]]


def _l_prism() -> Mesh:
    """A prism over an L, of volume 3."""
    points = [[x, y, z] for z in (0, 1) for x, y in _L]
    ends = [[0, i + 1, i] for i in range(1, 5)] + [[6, 6 + i, 7 + i] for i in range(1, 5)]
    sides = [[i, (i + 1) % 6, 6 + (i + 1) % 6] for i in range(6)]
    sides += [[i, 6 + (i + 1) % 6, 6 + i] for i in range(6)]
    return Mesh(points, ends + sides)


_MINIMIZED = [
    [-0.0611590669, -0.13801524, -0.158372656],
    [0.0620514415, 0.135089189, -0.159879193],
    [-0.105518319, -0.100999095, -0.188289702],
    [-0.107238553, -0.102976903, 0.1569262],
    [-0.0851279497, -0.122304708, 0.156887323],
    [-0.0590926372, -0.104567274, -0.242715642],
]


def _minimized() -> tuple[Mesh, Mesh]:
    mesh = Mesh.hull(_MINIMIZED)
    return mesh, mesh


def _two_triangles() -> tuple[Mesh, Mesh]:
    a = [[0.0080606, 0.175, 0.0080606], [0.0146, 0.175, 0.0], [0.0154, 0.175, 0.0154]]
    b = [[0.0146, 0.175, 0.0], [0.024625, 0.16399, 0.0], [0.0099918, 0.16476, 0.0]]
    return Mesh(a, [[0, 1, 2]]), Mesh(b, [[0, 1, 2]])


def _kind(a: Body, b: Body) -> str:
    return impinge.relation(a, b).kind.name.lower()


def _is_kind(right: str) -> Callable[[Body, Body], Answer]:
    def check(a: Body, b: Body) -> Answer:
        kind = _kind(a, b)
        return kind, kind == right

    return check


def _length(x: float) -> str:
    """Six digits."""
    return f"{x:.5e}".replace("e-0", "e-") if x < 1e-3 else f"{x:.6g}"


def _separation(right: float) -> Callable[[Body, Body], Answer]:
    """The bodies overlap, and the least translation that parts them has this length, to 7 digits."""

    def check(a: Body, b: Body) -> Answer:
        if _kind(a, b) != "overlap":
            return _kind(a, b), False
        bounds = impinge.penetration(a, b).separating_distance
        if bounds is None:
            return "unknown", False
        lo, hi = bounds
        is_right = lo * (1 - 1e-6) <= right <= hi * (1 + 1e-6) and hi - lo <= 1e-6 * right
        return _length(hi), is_right

    return check


def _apart_by(right: float) -> Callable[[Body, Body], Answer]:
    def check(a: Body, b: Body) -> Answer:
        found = impinge.distance(a, b)
        if found is None or _kind(a, b) != "apart":
            return _kind(a, b), False
        is_right = found.lo - 1e-15 <= right <= found.hi + 1e-15 and found.hi - found.lo < 1e-12
        return f"apart {found.hi:.6g}", is_right

    return check


def _common_volume(kind: str, right: float) -> Callable[[Body, Body], Answer]:
    def check(a: Body, b: Body) -> Answer:
        volume = impinge.penetration(a, b).overlap_volume
        if volume is None:
            return "unknown", False
        lo, hi = volume
        text = kind if right == 0.0 else f"volume {0.5 * (lo + hi):.6g}"
        return text, _kind(a, b) == kind and lo <= right <= hi and hi - lo < 1e-12

    return check


def _one_point(a: Body, b: Body) -> Answer:
    found = impinge.curves(a, b)
    nodes = found.nodes.tolist()
    is_right = nodes == [[0.0146, 0.175, 0.0]] and not found.lines and not found.patches
    count = len(nodes)
    return f"{count} point{'' if count == 1 else 's'}", is_right


def _contained_whatever_the_margin(a: Body, b: Body) -> Answer:
    try:
        impinge.within(a, b, math.nan)
    except (impinge.Error, ValueError):
        kind = _kind(a, b)
        return kind, kind == "contains"
    return "NaN taken", False


RAYS = [(0.1, 0.1), (0.0, 0.0), (0.5, 0.5), (0.5000000000000001, 0.5)]
"""x and y of rays down from z = 2: along a diagonal, an edge and a corner, and one past it by a last bit."""


def _rays(a: Body, b: Body) -> Answer:
    del b
    hits = [impinge.ray_meets(a, [x, y, 2.0], [0.0, 0.0, -1.0]) for x, y in RAYS]
    return f"{sum(hits)} of {len(hits)} hit", hits == [True, True, True, False]


def _uncovered(a: Body, b: Body) -> Answer:
    """How far the link reaches beyond a ball of radius 0.2 about its middle."""
    found = impinge.farthest_distance(a, b, rel=1e-9)
    if found is None:
        return "unknown", False
    right = math.sqrt(0.2**2 + 0.03**2 + 0.025**2)
    is_right = found.lo - 1e-15 <= right <= found.hi + 1e-15
    return f"{1000 * (found.hi - 0.2):.3g} mm", is_right


_WARP = "https://github.com/google-deepmind/mujoco_warp"
_WARP_TESTS = f"{_WARP}/blob/f76464fa/mujoco_warp/_src/collision_gjk_test.py"
_CUBE = [0.05, 0.05, 0.05]
_UNIT = [1.0, 1.0, 1.0]
_PROBE = [0.2, 0.2, 0.2]

CASES = [
    Case(
        "mjw1527",
        "mujoco_warp #1527",
        f"{_WARP}/issues/1527",
        "apart",
        "A small positive distance, and so no constraint between two convex meshes that overlap.",
        "0.00313126",
        _minimized,
        (
            "-0.4112294337502336 -0.9115180028568637 0.005028248730602621 -0.141666584 "
            "0.9115196556334584 -0.4112462245006949 -0.0029086470712787094 0.0 "
            "0.004719132475738175 0.0033872262632570565 0.9999831281011284 0.0",
            "-0.4112294337502336 -0.9115180028568637 0.005028248730602621 0.141666584 "
            "0.9115196556334584 -0.4112462245006949 -0.0029086470712787094 0.0 "
            "0.004719132475738175 0.0033872262632570565 0.9999831281011284 0.0",
        ),
        _separation(0.00313125978569),
    ),
    Case(
        "early",
        "mujoco_warp",
        _WARP_TESTS,
        "own test",
        "A case of its test suite, of GJK and EPA in single precision.",
        "0.00396448",
        _boxes(_CUBE, _CUBE),
        (
            "1.0 6.837434091e-11 8.0494955146e-10 0.07524700462818146 "
            "-6.837435479e-11 1.0 2.552030764491e-08 -0.13524700701236725 "
            "-8.0494955146e-10 -2.552030764491e-08 1.0 0.12491077929735184",
            "1.0 6.837435479e-11 -1.8000903546e-10 0.07524700462818146 "
            "-6.837434091e-11 1.0 4.174798817758e-08 -0.13524700701236725 "
            "1.8000903546e-10 -4.174798817758e-08 1.0 0.17094630002975464",
        ),
        _separation(0.00396447969791),
    ),
    Case(
        "early2",
        "mujoco_warp",
        _WARP_TESTS,
        "own test",
        "A case of its test suite, of GJK and EPA in single precision.",
        "2.51576e-6",
        _boxes(_CUBE, _CUBE),
        (
            "0.9999955892562866 0.00258362153545022 0.0014836868504062295 0.07122065126895905 "
            "-0.002581970766186714 0.9999960660934448 -0.0011133920634165406 -0.19126638770103455 "
            "-0.0014865576522424817 0.0011095561785623431 0.9999983310699463 0.2912926971912384",
            "0.9982772469520569 0.024939479306340218 0.05311207473278046 0.07183132320642471 "
            "0.006050745025277138 0.8565954566001892 -0.515953540802002 -0.13260576128959656 "
            "-0.058363161981105804 0.5153859853744507 0.8549686074256897 0.3098715841770172",
        ),
        _separation(2.515764e-6),
    ),
    Case(
        "horizon",
        "mujoco_warp",
        _WARP_TESTS,
        "1.15788e-4",
        "A case of its test suite, for a horizon of 13 edges. It expects 1.1578822e-4, to six decimals.",
        "1.15794e-4",
        _boxes(_CUBE, _CUBE),
        (
            "0.996357858181 0.085266821086407 -0.000942531623878 0.065118454396725 "
            "-0.085266284644604 0.996358215808868 0.000591202871874 -0.125125020742416 "
            "0.000989508931525 -0.000508683384396 0.999999582767487 0.1249635592103",
            "0.996556758880615 -0.082913912832737 -0.000453041866422 0.065104484558105 "
            "0.082915119826794 0.996536433696747 0.006357696373016 -0.124979749321938 "
            "-7.566876593e-05 -0.006373368669301 0.999979794025421 0.174992129206657",
        ),
        _separation(1.15794106e-4),
    ),
    Case(
        "diagonal",
        "mujoco_warp",
        _WARP_TESTS,
        "1.57789e-5",
        "A case of its test suite, for a diagonal edge that EPA takes for a face. It expects 1.5778852e-5.",
        "1.57789e-5",
        _boxes([1.0, 1.0, 0.2], _CUBE),
        (
            _at(),
            "1.0 4.8563e-11 -1.35524601e-07 0.135535001754761 "
            "-4.8577e-11 1.0 -1.03374248e-07 -0.195535004138947 "
            "1.35524601e-07 1.03374248e-07 1.0 0.124984227120876",
        ),
        _separation(1.577885e-5),
    ),
    Case(
        "max2",
        "mujoco_warp",
        _WARP_TESTS,
        "own test",
        "A case of its test suite, of GJK and EPA in single precision.",
        "4.93697e-5",
        _boxes([1.0, 1.0, 0.2], _CUBE),
        (
            _at(),
            "0.9999999404 0.0004342802 -0.0001755831 0.088566646 "
            "-0.0004346797 0.9999973178 -0.0022819033 0.0911745951 "
            "0.0001745916 0.0022819792 0.999997437 0.1250119805",
        ),
        _separation(4.9369695e-5),
    ),
    Case(
        "mjw1526",
        "mujoco_warp #1526",
        f"{_WARP}/issues/1526",
        "no contact",
        "No contact of two stacked boxes that overlap, until one of them has fallen three times as deep.",
        "2.50560e-4",
        _boxes([0.4, 0.4, 0.4], [0.2, 0.2, 0.2]),
        (_at(z=0.19972974), _at(z=0.49947918)),
        _separation(2.5056e-4),
    ),
    Case(
        "tmb762_apart",
        "three-mesh-bvh #762",
        "https://github.com/gkjohnson/three-mesh-bvh/issues/762",
        "intersects",
        "A triangle without an area intersects every mesh, near or far.",
        "apart 1.5",
        lambda: (Mesh.box(_UNIT), _point()),
        (_at(), _at(x=2.0)),
        _apart_by(1.5),
    ),
    Case(
        "tmb762_on",
        "three-mesh-bvh #762",
        "https://github.com/gkjohnson/three-mesh-bvh/issues/762",
        "intersects",
        "The same triangle on the surface.",
        "touch",
        lambda: (Mesh.box(_UNIT), _point()),
        (_at(), _at(x=0.5)),
        _is_kind("touch"),
    ),
    Case(
        "cgal9256",
        "CGAL #9256",
        "https://github.com/CGAL/cgal/issues/9256",
        "other point",
        "The point (0.0154, 0, 0.0154), with inexact constructions. The surfaces meet in (0.0146, 0.175, 0).",
        "1 point",
        _two_triangles,
        (_at(), _at()),
        _one_point,
    ),
    Case(
        "isaac6765_true",
        "IsaacLab #6765",
        "https://github.com/isaac-sim/IsaacLab/issues/6765",
        "contains",
        "An L of volume 3 collides as its hull, of volume 3.5, without a warning.",
        "apart 0.2",
        lambda: (_l_prism(), Mesh.box(_PROBE)),
        (_at(), _at(1.3, 1.3, 0.5)),
        _apart_by(0.2),
    ),
    Case(
        "isaac6765_hull",
        "IsaacLab #6765",
        "https://github.com/isaac-sim/IsaacLab/issues/6765",
        "contains",
        "The same with the hull.",
        "contains",
        lambda: (Mesh.hull(_l_prism().vertices), Mesh.box(_PROBE)),
        (_at(), _at(1.3, 1.3, 0.5)),
        _is_kind("contains"),
    ),
    Case(
        "fossil18",
        "FOSSIL #18",
        "https://github.com/szaghi/FOSSIL/issues/18",
        "wrong volume",
        "A wrong volume of two cubes that are moved along an axis, so that faces coincide.",
        "volume 0.5",
        _boxes(_UNIT, _UNIT),
        (_at(), _at(x=0.5)),
        _common_volume("overlap", 0.5),
    ),
    Case(
        "vcad6",
        "vcad #6",
        "https://github.com/ecto/vcad/issues/6",
        "area 2800",
        "A union with the common face of both boxes inside: an area of 2,800 in place of 2,600.",
        "touch",
        lambda: (_box_from([10.0, 10.0, 25.0]), _box_from([10.0, 10.0, 35.0])),
        (_at(), _at(z=25.0)),
        _common_volume("touch", 0.0),
    ),
    Case(
        "ifclite4284",
        "ifc-lite #4284",
        "https://github.com/LTplus-AG/ifc-lite/pull/4284",
        "clean",
        "No clash of a box within a box, if the tolerance is NaN. Here NaN is an error.",
        "contains",
        _boxes([10.0, 10.0, 10.0], _PROBE),
        (_at(), _at(1.0, 1.0, 1.0)),
        _contained_whatever_the_margin,
    ),
    Case(
        "orca10669",
        "OrcaSlicer #10669",
        "https://github.com/OrcaSlicer/OrcaSlicer/issues/10669",
        "bad print",
        "The same letter twice in one place, sliced without a warning, gave a bad print.",
        "duplicate",
        _boxes([20.0, 20.0, 20.0], [20.0, 20.0, 20.0]),
        (_at(z=10.0), _at(z=10.0)),
        _is_kind("duplicate"),
    ),
    Case(
        "fcl508",
        "fcl #508",
        "https://github.com/flexible-collision-library/fcl/issues/508",
        "3.16228",
        "A distance of 3.16228 between unit boxes that are 3 apart.",
        "apart 3",
        _boxes(_UNIT, _UNIT),
        (_at(y=4.0), _at()),
        _apart_by(3.0),
    ),
    Case(
        "parry444",
        "parry #444",
        "https://github.com/dimforge/parry/issues/444",
        "holes",
        "Rays pass between the triangles of a closed mesh. Here three of four hit, and the fourth is beside.",
        "3 of 4 hit",
        _boxes(_UNIT, _UNIT),
        (_at(), _at()),
        _rays,
    ),
    Case(
        "skrobot895",
        "scikit-robot #895",
        "https://github.com/iory/scikit-robot/pull/895",
        "covers it",
        "A ball of radius 0.2 as the fit of a link of 40 x 6 x 5 cm, whose corners are outside.",
        "3.78 mm",
        lambda: (Mesh.box([0.4, 0.06, 0.05]), _point()),
        (_at(), _at()),
        _uncovered,
    ),
]

_WIDTHS = (14, 19, 12, 10, 10, 0)
_HEAD = ("case", "report", "theirs", "right", "ours", "")


def table() -> tuple[list[str], int]:
    """The table's lines, of at most 80 columns, and the number of wrong results."""
    rows, wrong = [_HEAD], 0
    for case in CASES:
        text, is_right = case.ours()
        wrong += not is_right
        rows.append((case.name, case.report, case.theirs, case.right, text, "right" if is_right else "WRONG"))
    line = "  ".join
    return [line(f"{cell:{n}}" for cell, n in zip(row, _WIDTHS, strict=True)).rstrip() for row in rows], wrong


def page_text() -> tuple[str, int]:
    """The page `docs/public-cases.md`, and the number of wrong results."""
    rows, wrong = [], 0
    for case in CASES:
        text, is_right = case.ours()
        wrong += not is_right
        ours = text if is_right else f"**{text}**"
        cells = (f"[{case.report}]({case.link})", case.name, case.story, case.right, ours)
        rows.append(f"| {' | '.join(cells)} |")
    lines = [
        "# Public cases",
        "",
        "Inputs of public bug reports, what the other library returned, and what impinge returns. This",
        "command computes the last column again, and its exit status is 1 if a result is wrong:",
        "",
        "```sh",
        "python -m impinge.demo public-cases",
        "```",
        "",
        "The numbers in *right* are known from formulas or from exact arithmetic. A length is that of the",
        "least translation that parts both bodies. A wrong result of ours is bold.",
        "",
        "| report | case | what the library returned | right | impinge |",
        "|---|---|---|---|---|",
        *rows,
        "",
        "`python -m impinge.demo public-cases --page` writes this page.",
    ]
    return "\n".join(lines) + "\n", wrong


def run(*, page: bool = False) -> int:
    """Print the table, or the page. Returns the exit status: 1 if a result is wrong."""
    if page:
        text, wrong = page_text()
        print(text, end="")
    else:
        lines, wrong = table()
        print("\n".join(lines))
        print(f"{len(CASES)} cases, {wrong} wrong")
    return 1 if wrong else 0
