"""Times impinge's Python package beside trueform, MeshLib and Manifold, and compares their results.

    pip install trueform meshlib manifold3d numpy     # licences: to run, not to ship
    pip install .                                     # or `maturin develop --release`
    python bench/rivals.py [--data FOLDER] [--record FOLDER]

One process on one core, which is set before any library starts threads. Each library has its models and trees
before the clock starts, and moves the second mesh by its own transformation. A number is the median of five
rounds over all poses, in microseconds of processor time a pose; in brackets it is times impinge's.

What is compared: whether meshes meet, the pairs of triangles, and the number of points of the intersection
curves that libraries give. The second mesh turns and moves so that it meets the first in about half of the
poses. Where a rival differs from impinge, the table says how often; impinge's own pairs are compared with its
brute force on the smallest scene. Rivals that are not installed are named and left out.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Before a library starts its threads.
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import numpy as np  # noqa: E402

import impinge  # noqa: E402
from driver.page import show  # noqa: E402
from driver.record import write_results  # noqa: E402
from driver.report import machine  # noqa: E402
from driver.tables import Table, geometric_mean, number, table  # noqa: E402

#: Two files, and how far the second mesh goes, in radii of the first one's box. The first is the smallest.
SCENES = {
    "fandisks": ("m_fandisk.ply", "m_fandisk.ply", 1.2),
    "teapots": ("m_teapot.ply", "m_teapot.ply", 1.0),
    "horse, rocker arm": ("m_horse.ply", "m_rocker_arm.ply", 0.8),
    "bunnies": ("m_stanford_bunny_35947.ply", "m_stanford_bunny_35947.ply", 1.2),
    "armadillo, dragon": ("m_armadillo_igl.ply", "m_stanford_dragon_res2.ply", 0.8),
}
POSES = 20
ROUNDS = 5

Pose = np.ndarray
#: What a library does at a pose: "meets", "pairs", "curves" or "solids", whichever it has.
Does = dict[str, Callable[[Pose], Any]]


class Shape:
    """A mesh of unit radius about the origin, in numbers that float32 holds."""

    def __init__(self, path: Path) -> None:
        mesh = impinge.read(path)[0].mesh
        points = np.array(mesh.vertices)
        low, high = points.min(axis=0), points.max(axis=0)
        points = (points - (low + high) / 2) / np.linalg.norm(high - low) * 2
        self.points = np.ascontiguousarray(points.astype(np.float32).astype(np.float64))
        self.faces = np.ascontiguousarray(mesh.faces.astype(np.int32))


def ours(a: Shape, b: Shape) -> Does:
    """impinge: pairs are closed triangles that meet, over the real numbers at this pose."""
    models = [impinge.Model(impinge.Mesh(shape.points, shape.faces)) for shape in (a, b)]
    first = impinge.Body(models[0])

    def at(pose: Pose) -> impinge.Body:
        return impinge.Body(models[1], pose, affine=True)

    closed = all(model.status is impinge.Status.CLOSED for model in models)
    does: Does = {
        "meets": lambda pose: impinge.intersects(first, at(pose)),
        "pairs": lambda pose: impinge.pairs(first, at(pose)),
        "curves": lambda pose: len(impinge.curves(first, at(pose)).nodes),
    }
    if closed:
        does["solids"] = lambda pose: impinge.overlaps(first, at(pose))
    return does


def trueform(a: Shape, b: Shape) -> Does:
    """trueform, in f64."""
    import trueform as tf

    first, second = (tf.Mesh(shape.faces, shape.points) for shape in (a, b))
    for mesh in (first, second):
        mesh.build_tree()

    def at(pose: Pose) -> Any:
        second.transformation = pose
        return second

    return {
        "meets": lambda pose: bool(tf.intersects(first, at(pose))),
        "pairs": lambda pose: tf.gather_intersecting_ids(first, at(pose)),
        "curves": lambda pose: len(tf.intersection_curves(first, at(pose))[1]),
    }


def meshlib(a: Shape, b: Shape) -> Does:
    """MeshLib, in f32; it leaves out pairs that only touch."""
    import meshlib.mrmeshnumpy as numbers
    import meshlib.mrmeshpy as mr

    first, second = (numbers.meshFromFacesVerts(shape.faces, shape.points) for shape in (a, b))
    parts = mr.MeshPart(first), mr.MeshPart(second)

    def at(pose: Pose) -> Any:
        moved = mr.AffineXf3f()
        moved.A.x, moved.A.y, moved.A.z = (mr.Vector3f(*map(float, row[:3])) for row in pose[:3])
        moved.b = mr.Vector3f(*map(float, pose[:3, 3]))
        return moved

    return {
        "meets": lambda pose: len(mr.findCollidingTriangles(*parts, at(pose), True)) > 0,
        "pairs": lambda pose: mr.findCollidingTriangles(*parts, at(pose)),
        "curves": lambda pose: sum(map(len, mr.findIntersectionContours(first, second, at(pose)))),
    }


def manifold3d(a: Shape, b: Shape) -> Does:
    """Manifold: whether the intersection of two solids has a volume. Of closed manifold meshes alone."""
    import manifold3d as m

    solids = [m.Manifold(m.Mesh64(shape.points, shape.faces.astype(np.uint64))) for shape in (a, b)]
    if any(solid.status() != m.Error.NoError for solid in solids):
        return {}
    return {"solids": lambda pose: not (solids[0] ^ solids[1].transform(pose[:3])).is_empty()}


RIVALS = {"trueform": trueform, "meshlib": meshlib, "manifold3d": manifold3d}


def poses(reach: float) -> list[Pose]:
    """Rotations and shifts of a fixed seed, in numbers that float32 holds."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(POSES):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        pose = np.eye(4)
        pose[:3, :3] = turn * np.sign(np.linalg.det(turn))
        shift = rng.normal(size=3)
        pose[:3, 3] = shift / np.linalg.norm(shift) * rng.uniform(0.3, 1) * reach
        found.append(pose.astype(np.float32).astype(np.float64))
    return found


def microseconds(act: Callable[[Pose], Any], all_poses: list[Pose]) -> float:
    """Processor time a pose: the median of some rounds, after one that is not timed."""
    rounds = []
    for _ in range(ROUNDS + 1):
        began = time.process_time_ns()
        for pose in all_poses:
            act(pose)
        rounds.append((time.process_time_ns() - began) / 1e3 / len(all_poses))
    return statistics.median(rounds[1:])


def pair_set(pairs: Any) -> set[tuple[int, int]]:
    """Pairs of triangles, from an array or from MeshLib's list."""
    if isinstance(pairs, np.ndarray):
        return set(map(tuple, pairs.tolist()))
    return {(int(pair.aFace), int(pair.bFace)) for pair in pairs}


def compared(query: str, mine: Callable[[Pose], Any], other: Callable[[Pose], Any], at: list[Pose]) -> str:
    """Differences between a rival's results and impinge's."""
    if query == "pairs":
        missed = invented = 0
        for pose in at:
            own, theirs = pair_set(mine(pose)), pair_set(other(pose))
            missed, invented = missed + len(own - theirs), invented + len(theirs - own)
        return f"{missed} missed, {invented} invented" if missed or invented else "same"
    results = [(mine(pose), other(pose)) for pose in at]
    if query == "curves":
        # Libraries count points of curves differently: only whether there are any is compared.
        results = [(bool(own), bool(theirs)) for own, theirs in results]
    wrong = sum(own != theirs for own, theirs in results)
    return f"{wrong} of {len(at)} differ" if wrong else "same"


def version(name: str) -> str:
    """The version that is installed, or why there is none."""
    try:
        importlib.import_module(name)
        return importlib.metadata.version(name)
    except ImportError as error:
        return f"not installed: {error}"


def measure(data: Path) -> dict[str, Table]:
    """The tables of the record."""
    versions = {name: version(name) for name in RIVALS}
    there = [name for name in RIVALS if not versions[name].startswith("not")]
    times, scenes = [], []
    ratios: dict[tuple[str, str], list[float]] = {}
    for scene, (one, two, reach) in SCENES.items():
        a, b, at = Shape(data / one), Shape(data / two), poses(reach)
        own = ours(a, b)
        others = {name: RIVALS[name](a, b) for name in there}
        meeting = sum(own["meets"](pose) for pose in at)
        scenes.append([scene, f"{len(a.faces):,} and {len(b.faces):,}", f"{meeting} of {len(at)}"])
        if scene == next(iter(SCENES)):
            models = [impinge.Model(impinge.Mesh(shape.points, shape.faces)) for shape in (a, b)]
            bodies = impinge.Body(models[0]), impinge.Body(models[1], at[0], affine=True)
            reference = impinge._core._brute_force_pairs(*bodies)
            assert pair_set(own["pairs"](at[0])) == pair_set(reference), "impinge differs from itself"
        for query, mine in own.items():
            took, cells = microseconds(mine, at), []
            for name in there:
                act = others[name].get(query)
                if act is None:
                    cells.append("-")
                    continue
                ratio = microseconds(act, at) / took
                ratios.setdefault((query, name), []).append(ratio)
                cells.append(f"{took * ratio:,.0f} ({number(ratio)}); {compared(query, mine, act, at)}")
            times.append([scene, query, f"{took:,.1f}", *cells])
            print(" | ".join(times[-1]), file=sys.stderr, flush=True)
    means = []
    for query in ("meets", "pairs", "curves", "solids"):
        row = [query]
        for name in there:
            found = ratios.get((query, name))
            row += [number(geometric_mean(found)), number(min(found))] if found else ["-", "-"]
        means.append(row)
    return {
        "Means": table(["query", *(x for name in there for x in (name, f"{name}, least"))], means),
        "Times": table(["scene", "query", "impinge", *there], times),
        "Engines": table(["name", "version"], [("impinge", impinge.__version__), *versions.items()]),
        "Scenes": table(["scene", "triangles", "poses that meet"], scenes),
    }


def main() -> None:
    """Print the tables, and write the record if asked."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    shared = Path(__file__).resolve().parents[2] / "shared" / "data"
    options.add_argument("--data", type=Path, default=shared, help="folder of the meshes [default: %(default)s]")
    options.add_argument("--record", type=Path, help="folder to write results.tsv into")
    chosen = options.parse_args()
    if not chosen.data.is_dir():
        options.error(f"{chosen.data}: there are no meshes; --data names their folder")
    described = machine(min(os.sched_getaffinity(0)))
    tables = measure(chosen.data)
    show(tables, "Means", "Times")
    if chosen.record is not None:
        chosen.record.mkdir(parents=True, exist_ok=True)
        command = f"python bench/rivals.py --record {chosen.record}"
        method = f"Median of {ROUNDS} rounds over {POSES} poses, microseconds of processor time a pose."
        write_results(chosen.record, {"command": command, "method": method, **described}, tables)


if __name__ == "__main__":
    main()
