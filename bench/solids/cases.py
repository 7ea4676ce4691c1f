#!/usr/bin/env python3
"""Results of other libraries on typical pairs of solids of designs: writes docs/solids-rivals.md.

`bench/solids/cases.py [OUT]` builds impinge, installs the others from PyPI into bench/.cache, and runs all.
"""

import json
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
from driver import build  # noqa: E402  (the path must be there first)
from driver.shell import CACHE, ROOT, Failed, call  # noqa: E402
from driver.solids import PYPI, python  # noqa: E402
from driver.tables import table  # noqa: E402

PACKAGES = [wanted.split("==")[0] for wanted in PYPI]


def mesh(lo, hi):
    """A box: corners, and triangles that face outwards."""
    points = [[(lo, hi)[i >> k & 1][k] for k in range(3)] for i in range(8)]
    quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
    return points, [t for a, b, c, d in quads for t in ([a, b, c], [a, c, d])]


def joined(*parts):
    points, triangles = [], []
    for more, faces in parts:
        triangles += [[corner + len(points) for corner in face] for face in faces]
        points += more
    return points, triangles


def turned(part):
    return part[0], [face[::-1] for face in part[1]]


def frame():
    """A ring of square section: a slab of 4 x 4 x 1 with a hole of 2 x 2 through it."""
    square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    hole = [(1, 1), (3, 1), (3, 3), (1, 3)]
    points = [[*p, z] for z in (0, 1) for p in square + hole]
    faces = []
    for k in range(4):
        n = (k + 1) % 4
        for a, b, c, d in (
            (k, n, n + 8, k + 8),  # outside
            (k + 4, k + 12, n + 12, n + 4),  # the hole
            (k + 8, n + 8, n + 12, k + 12),  # above
            (k, k + 4, n + 4, n),  # below
        ):
            faces += [[a, b, c], [a, c, d]]
    return [[float(x) for x in p] for p in points], faces


def site():
    """A rotation by 30 degrees, in f64, at coordinates of a country's grid."""
    c, s = 0.75**0.5, 0.5
    return ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)), (512345.125, 4123456.25, 87.5)


WALL = mesh((0.0, 0.0, 0.0), (4.0, 0.2, 3.0))
SHELL = joined(mesh((0.0,) * 3, (4.0,) * 3), turned(mesh((1.0,) * 3, (3.0,) * 3)))
#: Description, the two bodies, their relation, and whether surfaces meet.
CASES = [
    ("two walls of one axis, 50 mm into each other", WALL, mesh((3.95, 0, 0), (7.95, 0.2, 3)), "overlap", 1),
    ("the same, one 3 mm aside", WALL, mesh((3.95, 0.003, 0), (7.95, 0.203, 3)), "overlap", 1),
    ("two walls at a corner, the same thickness", WALL, mesh((3.8, 0, 0), (4, 4, 3)), "overlap", 1),
    ("duplicates", WALL, WALL, "same", 1),
    ("A strictly inside B, B convex", mesh((1,) * 3, (2,) * 3), mesh((0,) * 3, (4,) * 3), "a-in-b", 0),
    ("A strictly inside B, B not convex", mesh((0.25,) * 3, (0.75,) * 3), frame(), "a-in-b", 0),
    ("A rests on B's inner floor", mesh((1, 1, 0), (2, 2, 2)), mesh((0,) * 3, (4,) * 3), "a-in-b", 1),
    ("A in a cavity of B", mesh((1.5,) * 3, (2.5,) * 3), SHELL, "apart", 0),
    ("A fills a cavity of B", mesh((1,) * 3, (3,) * 3), SHELL, "touch", 1),
    ("A fills the hole of a frame B", mesh((1, 1, 0), (3, 3, 1)), frame(), "touch", 1),
    ("a side of a frame, as another part", mesh((0, 0, 0), (4, 1, 1)), frame(), "a-in-b", 1),
    ("faces abut", WALL, mesh((4, 0, 0), (8, 0.2, 3)), "touch", 1),
    ("faces abut, turned, at a site's coordinates", WALL, mesh((4, 0, 0), (8, 0.2, 3)), "touch", 1),
    ("edge on edge", mesh((0,) * 3, (1,) * 3), mesh((1, 1, 0), (2, 2, 1)), "touch", 1),
    ("a gap of 1e-7 m", WALL, mesh((4 + 1e-7, 0, 0), (8, 0.2, 3)), "apart", 0),
    ("1e-7 m into each other", WALL, mesh((4 - 1e-7, 0, 0), (8, 0.2, 3)), "overlap", 1),
    ("a bar through a wall", WALL, mesh((1, -1, 1), (1.1, 1, 1.1)), "overlap", 1),
    ("a bar 50 mm beside a wall", WALL, mesh((1, 0.25, 1), (1.1, 1, 1.1)), "apart", 0),
]
#: Pairs whose solids are farther apart than the clearance.
FAR = {"A in a cavity of B"}
#: Within the tolerance of a query: neither result is wrong.
WITHIN = {("IfcOpenShell intersection", "1e-7 m into each other")}


def wanted(kind, name):
    """The correct result for each kind of query."""
    return {"insides": kind not in ("apart", "touch"), "points": kind != "apart", "near": name not in FAR}


def write(path):
    """Writes the file of pairs; runs in the virtual environment, which has numpy."""
    import numpy

    import pairs

    out = []
    for name, a, b, _, _ in CASES:
        bodies = []
        for points, triangles in (a, b):
            body = pairs.Body(numpy.array(points, dtype=float), numpy.array(triangles))
            if "site" in name:
                body.rows, body.translation = map(numpy.array, site())
            bodies.append(body)
        out.append((name, *bodies))
    pairs.write(path, out)


def ours(path):
    text = call([build.solids_impinge(), "relation", path], "solids-impinge")
    return [line.split("\t")[1:3] for line in text.splitlines() if line[:1] != "#"]


def answers(name, path, interpreter):
    """A rival's results, and its version; after a crash the results before it."""
    done = subprocess.run(
        [interpreter, HERE / "rivals.py", name, path],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    version = lines[0]["version"] if lines else "-"
    found = lines[1:]
    if len(found) < len(CASES):
        last = (done.stderr.strip().splitlines() or ["no message"])[-1][:100]
        found += [{"failed": f"status {done.returncode}: {last}"}] * (len(CASES) - len(found))
    return version, found


def cell(answer, right):
    if "failed" in answer:
        return f"failed: {answer['failed']}"
    words = ("hit" if answer["hit"] else "no hit") + (f", {answer['detail']}" if answer["detail"] else "")
    return words if answer["hit"] == right else f"**{words}**"


HEAD = """# Other libraries on the same pairs of solids

Written by `bench/solids/cases.py`, which installs the libraries from PyPI and runs all of them again. Wrong
results are **bold**. What counts as correct depends on the library:

* FCL, Coal, PyVista and trimesh: a hit is correct if the two solids have a common point.
* manifold3d and IfcOpenShell's `clash_intersection_many` and `clash_collision_many`: if their insides have a
  common point; with `allow_touching=True`, if the solids have.
* `clash_clearance_many`: if the solids meet or are nearer than 0.1 m.

FCL, Coal and PyVista document that they compare surfaces: by design they find no solid inside another, which
is not the query of this page. Numbers are the libraries' own: their depths are those of two triangles.
trimesh uses the convex hull of a convex mesh, so it finds containment only there. Coal has its default
`break_distance` of 1e-3, and 0 in a second column. IfcOpenShell's intersection has its default tolerance of
2 mm; results within it do not count as wrong. PyVista, IfcOpenShell and manifold3d accept no poses, so case
13 is rounded for them, as it is inside FCL and Coal.
"""


def main(out):
    path = CACHE / "solids" / "cases.pairs"
    path.parent.mkdir(parents=True, exist_ok=True)
    interpreter, missing = python(PACKAGES)
    call([interpreter, __file__, "--write", path], "writing the cases")
    own = ours(path)
    said = json.loads(call([interpreter, __file__, "--known"], "the rivals' names"))
    wrong = []
    numbered = [str(i + 1) for i in range(len(CASES))]
    listed = [
        [number, name, kind + (", touching" if touching and kind != "touch" else "")]
        for number, (name, _, _, kind, touching) in zip(numbered, CASES)
    ]
    for row, (kind, touching), (name, _, _, truth, meets) in zip(listed, own, CASES):
        told = kind + (", touching" if touching == "1" and kind != "touch" else "")
        right = (kind, touching) == (truth, str(meets))
        row.append(told if right else f"**{told}**")
        if not right:
            wrong.append(f"impinge reports {told} for {name}, which is {truth}")
    columns, counted = [], []
    for name, (package, asks) in said.items():
        if package in missing:
            columns.append((name, [f"not installed: {missing[package]}"[:60]] * len(CASES)))
            counted.append([name, "-", "-", missing[package][:90]])
            continue
        version, found = answers(name, path, interpreter)
        rights = [wanted(kind, what)[asks] for what, _, _, kind, _ in CASES]
        for i, (what, *_) in enumerate(CASES):
            if (name, what) in WITHIN and "hit" in found[i]:
                rights[i] = found[i]["hit"]
        cells = [cell(answer, right) for answer, right in zip(found, rights)]
        bad = sum(one.startswith(("**", "failed")) for one in cells)
        columns.append((name, cells))
        counted.append([name, version, f"{bad} of {len(CASES)}", ""])
    head = ["", "case", "truth", "impinge"]
    parts = [HEAD.strip(), f"Python {platform.python_version()}, {platform.system()} {platform.machine()}."]
    counted.insert(0, ["impinge", "this tree", f"{len(wrong)} of {len(CASES)}", ""])
    parts += ["## Wrong results", str(table(["library", "version", "wrong", "note"], counted))]
    parts += ["## impinge", str(table(head, listed))]
    groups = [columns[:3], columns[3:5] + columns[9:], columns[5:9]]
    for group in groups:
        title = ", ".join(name for name, _ in group)
        rows = [[number, *[cells[i] for _, cells in group]] for i, number in enumerate(numbered)]
        rows = [[row[0], CASES[i][0], *row[1:]] for i, row in enumerate(rows)]
        parts += [f"## {title}", str(table(["", "case", *[name for name, _ in group]], rows))]
    out.write_text("\n\n".join(parts) + "\n")
    print(f"written to {out}")
    for line in wrong:
        print(f"WRONG: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    if words[:1] == ["--write"]:
        write(words[1])
    elif words[:1] == ["--known"]:
        from rivals import KNOWN

        print(json.dumps({name: (package, asks) for name, (package, _, asks) in KNOWN.items()}))
    else:
        try:
            sys.exit(main(Path(words[0]) if words else ROOT / "docs" / "solids-rivals.md"))
        except Failed as failure:
            sys.exit(f"bench/solids/cases.py: {failure}")
