"""Assemblies whose parts have poses of their own, as in STEP, IFC and glTF, and the same solids with their poses
applied, as OBJ, which the rivals read."""

import base64
import json
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

from .shell import CACHE, ROOT, Failed, call, say

FOLDER = CACHE / "posed"
VENV = CACHE / "venv-converters"
#: Cubes along an edge of the lattice of touching cubes.
EDGE = 6

#: Files of the folder of models, by the name in the race.
CONVERTED = {
    "posed_as1-oc-214": "step/as1-oc-214.stp",
    "posed_GEELEN-Dakvloer": "ifc/GEELEN-Dakvloer.ifc",
    "posed_XELLA-Begane_grond": "ifc/XELLA-Begane grond.ifc",
}
CUBES = f"posed_cubes-{EDGE**3}"
NAMES = [CUBES, *CONVERTED]

#: Writes the placed points of a bundle's parts, rounded, as OBJ. Run by the converters' Python.
BAKE = """
import sys, impinge, numpy
base = 1
with open(sys.argv[2], "w") as out:
    for number, part in enumerate(impinge.read(sys.argv[1]).parts):
        points = numpy.asarray(part.mesh.vertices) @ part.pose[:3, :3].T + part.pose[:3, 3]
        print(f"o p{number}", file=out)
        for point in points.tolist():
            print("v", *map(repr, point), file=out)
        for face in numpy.asarray(part.mesh.faces).tolist():
            print("f", *(corner + base for corner in face), file=out)
        base += len(points)
"""


@dataclass
class Posed:
    """The file with poses, and the file without."""

    posed: Path
    baked: Path
    #: Whether applying the poses rounded nothing, so that exact programs find the same.
    is_exact: bool


def make(name, data):
    """Makes both files of a name of `NAMES`, unless they are there; `data` is the folder of models."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    if name == CUBES:
        made = Posed(FOLDER / f"{name}.gltf", FOLDER / f"{name}.obj", is_exact=True)
        write_cubes(made)
        return made
    source = data and data / CONVERTED[name]
    if not source or not source.is_file():
        raise Failed(f"no {CONVERTED[name]} in the folder of models")
    made = Posed(FOLDER / f"{name}.impinge", FOLDER / f"{name}.obj", is_exact=False)
    if not made.posed.is_file():
        call([converters(), "-P", "-m", "impinge", "convert", source, "-o", made.posed], f"converting {source.name}")
    if not made.baked.is_file():
        call([converters(), "-P", "-c", BAKE, made.posed, made.baked], f"applying the poses of {name}")
    return made


def converters():
    """A Python that has this package and what it reads STEP and IFC with."""
    python = VENV / "bin" / "python"
    if not (VENV / "done").is_file():
        say("  pip install of this package, to read STEP and IFC")
        call([sys.executable, "-m", "venv", VENV], "making a venv")
        call(
            [python, "-m", "pip", "install", f"{ROOT}[step,ifc]"],
            "pip install of this package",
            log=CACHE / "log" / "converters-pip.txt",
        )
        (VENV / "done").touch()
    return python


def write_cubes(made):
    """Unit cubes that touch each other, each at a translation of its own: a mesh in glTF, all points in OBJ."""
    points = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    squares = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in squares for face in ((a, b, c), (a, c, d))]
    places = [(x, y, z) for x in range(EDGE) for y in range(EDGE) for z in range(EDGE)]
    content = b"".join(struct.pack("<3f", *point) for point in points)
    content += b"".join(struct.pack("<3H", *face) for face in faces)
    nodes = [{"mesh": 0, "name": f"p{i}", "translation": place} for i, place in enumerate(places)]
    gltf = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0] * 3, "max": [1] * 3},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": 72},
        ],
        "buffers": [
            {
                "byteLength": len(content),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(content).decode(),
            }
        ],
    }
    made.posed.write_text(json.dumps(gltf))
    lines = []
    for i, place in enumerate(places):
        lines.append(f"o p{i}")
        lines += ["v {} {} {}".format(*(x + t for x, t in zip(point, place))) for point in points]
        lines += ["f {} {} {}".format(*(8 * i + corner + 1 for corner in face)) for face in faces]
    made.baked.write_text("\n".join(lines) + "\n")
