"""Small files with the names that commands on the pages use, generated or from the built-in assembly."""

from __future__ import annotations

import json
import math
import struct
import subprocess
import zipfile
from pathlib import Path

Mesh = tuple[list[tuple[float, float, float]], list[tuple[int, int, int]]]


def write(folder: Path, program: Path) -> None:
    gearbox = folder / "engine.glb"
    subprocess.run([program, "demo", "gearbox", "-o", gearbox], check=True, capture_output=True)
    for name in ("hall.glb", "lattice.glb"):
        (folder / name).write_bytes(gearbox.read_bytes())
    (folder / "moved.glb").write_bytes(moved(gearbox.read_bytes()))
    obj(folder / "house.obj", {"wall": box((0, 0, 0), (4, 1, 3)), "slab": box((0, 0, -1), (4, 4, 0))})
    obj(folder / "pipes.obj", {"pipe_1": box((1, -1, 1), (2, 2, 2)), "pipe_2": box((5, 0, 0), (6, 1, 1))})
    obj(folder / "plant.obj", {"pipe_1": cylinder(0.0, 24), "pipe_flange": cylinder(1.9, 24)})
    obj(
        folder / "pins.obj",
        {"pin": cylinder(0.0, 24), "shaft": cylinder(1.9, 24), "rod": cylinder(3.905, 24)},
    )
    stl(folder / "a.stl", box((0, 0, 0), (4, 4, 4)))
    stl(folder / "b.stl", box((1, 1, 1), (5, 5, 5)))
    ply(folder / "part.ply", box((0, 0, 0), (1, 1, 1)))
    npy(folder / "motion.npy", [0.5 * step for step in range(10)])
    (folder / "points.txt").write_text("1 1 1\n9 9 9\n")
    clashes(folder, [("wall", "pipe_1"), ("wall", "pipe_2")])


def clashes(folder: Path, pairs: list[tuple[str, str]]) -> None:
    """A clash list of ifcclash, and the same as BCF."""
    each = {f"{a}-{b}": {"a_global_id": a, "b_global_id": b, "type": "pierce"} for a, b in pairs}
    (folder / "clashes.json").write_text(json.dumps([{"name": "all", "clashes": each}]))
    with zipfile.ZipFile(folder / "clashes.bcf", "w") as package:
        for i, pair in enumerate(pairs):
            package.writestr(f"{i}/markup.bcf", f"<Markup><Topic Guid='{i}'><Title>{i}</Title></Topic></Markup>")
            selected = "".join(f"<Component IfcGuid='{name}'/>" for name in pair)
            view = f"<VisualizationInfo><Components><Selection>{selected}</Selection></Components></VisualizationInfo>"
            package.writestr(f"{i}/viewpoint.bcfv", view)


def box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Mesh:
    points = [((low, high)[i & 1][0], (low, high)[i >> 1 & 1][1], (low, high)[i >> 2][2]) for i in range(8)]
    faces = [
        (0, 2, 3),
        (0, 3, 1),
        (4, 5, 7),
        (4, 7, 6),
        (0, 1, 5),
        (0, 5, 4),
        (2, 6, 7),
        (2, 7, 3),
        (0, 4, 6),
        (0, 6, 2),
        (1, 3, 7),
        (1, 7, 5),
    ]
    return points, faces


def cylinder(x: float, sides: int) -> Mesh:
    """Radius 1, axis along z at x, from z = -1 to 1."""
    points = [
        (x + math.cos(2 * math.pi * i / sides), math.sin(2 * math.pi * i / sides), z)
        for z in (-1.0, 1.0)
        for i in range(sides)
    ]
    points += [(x, 0.0, -1.0), (x, 0.0, 1.0)]
    faces = []
    for i in range(sides):
        j = (i + 1) % sides
        faces += [
            (i, j, sides + j),
            (i, sides + j, sides + i),
            (2 * sides, j, i),
            (2 * sides + 1, sides + i, sides + j),
        ]
    return points, faces


def obj(path: Path, parts: dict[str, Mesh]) -> None:
    lines, before = [], 1
    for name, (points, faces) in parts.items():
        lines.append(f"o {name}")
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in points]
        lines += ["f " + " ".join(str(before + corner) for corner in face) for face in faces]
        before += len(points)
    path.write_text("\n".join(lines) + "\n")


def stl(path: Path, mesh: Mesh) -> None:
    points, faces = mesh
    facets = [
        struct.pack("<12fH", 0, 0, 0, *(x for corner in face for x in points[corner]), 0) for face in faces
    ]
    path.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + b"".join(facets))


def ply(path: Path, mesh: Mesh) -> None:
    points, faces = mesh
    head = (
        f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty double x\nproperty double y\n"
        f"property double z\nelement face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = ["{} {} {}".format(*point) for point in points] + ["3 {} {} {}".format(*face) for face in faces]
    path.write_text(head + "\n".join(rows) + "\n")


def npy(path: Path, along_x: list[float]) -> None:
    """Poses that shift along x, an array of (len, 3, 4)."""
    numbers = [value for x in along_x for value in (1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0)]
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(along_x)}, 3, 4), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(
        b"\x93NUMPY\x01\x00"
        + struct.pack("<H", len(head))
        + head.encode()
        + struct.pack(f"<{len(numbers)}d", *numbers)
    )


def moved(glb: bytes) -> bytes:
    """A GLB file in which the node `bolt_01` is moved by a tenth of its unit."""
    length = struct.unpack_from("<I", glb, 12)[0]
    document = json.loads(glb[20 : 20 + length])
    node = next(node for node in document["nodes"] if node.get("name") == "bolt_01")
    if "matrix" in node:
        node["matrix"][14] += 1e-4
    else:
        node["translation"] = [a + b for a, b in zip(node.get("translation", [0, 0, 0]), (0, 0, 1e-4))]
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    rest = glb[20 + length :]
    return glb[:8] + struct.pack("<II4s", 20 + len(text) + len(rest), len(text), b"JSON") + text + rest
