"""Scene files: exported by the testkit, or given by path."""

import struct
from dataclasses import dataclass
from pathlib import Path

from .build import exporter
from .shell import CACHE, Failed, say

#: Short scenes of every kind: the default of --quick.
QUICK = [
    "spheres-l1",
    "spheres-nested",
    "knots-l1",
    "random-teapot",
    "random-torus",
    "rods",
    "tumble-motor",
    "held-as1",
    "asm-as1",
]


@dataclass
class Scene:
    name: str
    path: Path
    about: str = ""
    triangles: tuple = ()
    frames: int = 0
    #: Reason that there is none.
    problem: str = ""
    #: Replacement of a missing model.
    stand_in: str = ""


def catalogue():
    """Scenes of two meshes: name -> description."""
    rows = [line.split("\t") for line in exporter(["list"]).splitlines() if "\t" in line]
    return {row[0]: row[-1] for row in rows if "many-bodies" not in row[1:-1]}


def collect(names, quick, data):
    """The requested scenes; one that is not available keeps the reason."""
    paths = [Path(name) for name in names if name.endswith(".scene")]
    scenes = [Scene(path.stem, path) for path in paths]
    wanted = [name for name in names if not name.endswith(".scene")]
    if wanted or not names:
        known = catalogue()
        unknown = [name for name in wanted if name not in known]
        if unknown:
            raise Failed(f"there is no scene {', '.join(unknown)}; the scenes are {', '.join(known)}")
        wanted = wanted or ([name for name in QUICK if name in known] if quick else list(known))
        folder = CACHE / ("scenes-quick" if quick else "scenes")
        for name in wanted:
            scene = Scene(name, folder / f"{name}.scene", known[name])
            say(f"export {name}")
            # Exported each time: the generator may have changed, and an old file would not show it.
            scene.path.unlink(missing_ok=True)
            try:
                exporter(
                    [
                        "export",
                        name,
                        "--out",
                        str(folder),
                        *(["--data", str(data)] if data else []),
                        *(["--quick"] if quick else []),
                    ]
                )
                if not scene.path.exists():
                    raise Failed(f"the exporter wrote no {scene.path.name}")
                scene.stand_in = replaced(scene.path.with_suffix(".tsv"))
            except Failed as why:
                scene.problem = str(why)
                say(f"  NOT EXPORTED: {why}")
            scenes.append(scene)
    for scene in scenes:
        if not scene.problem:
            measure(scene)
    return scenes


def replaced(path):
    """The exporter's note on models that it had to replace."""
    for line in path.read_text().splitlines():
        key, _, value = line.partition("\t")
        if key == "#stand_in":
            return "" if value == "-" else value
    raise Failed(f"{path}: has no line #stand_in")


def measure(scene):
    """Reads the sizes from the file."""
    try:
        with open(scene.path, "rb") as file:
            if file.read(12) != b"IMPSCENE" + struct.pack("<I", 1):
                raise Failed(f"{scene.path}: not a scene file of version 1")
            sizes = []
            for _ in range(2):
                points, triangles = struct.unpack("<II", file.read(8))
                file.seek(points * 24 + triangles * 12, 1)
                sizes.append(triangles)
            (scene.frames,) = struct.unpack("<I", file.read(4))
            scene.triangles = tuple(sizes)
    except (OSError, struct.error) as why:
        raise Failed(f"{scene.path}: cannot be read: {why}") from None
