"""Cost of calls from Python, beside the same queries in Rust and beside other packages.

Usage: ``python python/bench.py`` in an environment with impinge, trimesh, scipy, python-fcl and coal. Prints
tables of Markdown. Times are the least of several runs; on a shared machine ratios mean more than times.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import coal
import fcl
import numpy as np
import trimesh
from numpy.typing import NDArray

import impinge
from impinge._core import _batch_seconds_alone, _seconds_alone

RUNS = 7


def least(act: Callable[[], object], runs: int = RUNS) -> float:
    """Seconds of the fastest of some runs."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        act()
        times.append(time.perf_counter() - began)
    return min(times)


def poses_near(count: int, distance: float) -> NDArray[np.float64]:
    """Random rotations, at a distance in random directions."""
    rng = np.random.default_rng(1)
    poses = np.array([trimesh.transformations.random_rotation_matrix(rng.random(3)) for _ in range(count)])
    directions = rng.normal(size=(count, 3))
    poses[:, :3, 3] = distance * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return poses


def fcl_object(mesh: trimesh.Trimesh) -> fcl.CollisionObject:
    """A mesh for python-fcl."""
    bvh = fcl.BVHModel()
    bvh.beginModel(len(mesh.vertices), len(mesh.faces))
    bvh.addSubModel(mesh.vertices, mesh.faces)
    bvh.endModel()
    return fcl.CollisionObject(bvh)


def coal_model(mesh: trimesh.Trimesh) -> coal.BVHModelOBBRSS:
    """A mesh for Coal."""
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in np.asarray(mesh.vertices):
        points.append(point)
    for i, j, k in mesh.faces.tolist():
        triangles.append(coal.Triangle(i, j, k))
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(mesh.faces), len(mesh.vertices))
    model.addSubModel(points, triangles)
    model.endModel()
    return model


def one_call(a: impinge.Body, near: impinge.Body, far: impinge.Body) -> None:
    """Measure a single query beside Rust."""
    calls = 20_000
    print("\n| one `intersects(a, b)`, us | in Rust | from Python | more |\n|---|---:|---:|---:|")
    for name, b in (("they meet", near), ("boxes apart", far)):
        rust = min(_seconds_alone(a, b, calls) for _ in range(RUNS)) * 1e6

        def ask(b: impinge.Body = b) -> None:
            intersects = impinge.intersects
            for _ in range(calls):
                intersects(a, b)

        def nothing(b: impinge.Body = b) -> None:
            same = isinstance
            for _ in range(calls):
                same(a, impinge.Body)

        python = least(ask) / calls * 1e6
        print(f"| {name} | {rust:.3f} | {python:.3f} | {python - rust:.3f} |")
        print(f"| of this, a call of a builtin function | | {least(nothing) / calls * 1e6:.3f} | |")


def batches(a: impinge.Body, model: impinge.Model, poses: NDArray[np.float64]) -> None:
    """Measure a batch beside Rust, and the gain of a second thread."""
    print("\n| batch of poses, us a pose | in Rust | from Python | ratio |\n|---|---:|---:|---:|")
    python = {}
    for threads in (1, 2):
        alone, ours = [], []
        for _ in range(RUNS):
            alone.append(_batch_seconds_alone(a, model, poses, threads))
            ours.append(least(lambda n=threads: impinge.intersects_at(a, model, poses, threads=n), 1))
        python[threads] = min(ours)
        scale = 1e6 / len(poses)
        name = f"{threads} thread" + "s" * (threads > 1)
        ratio = min(ours) / min(alone)
        print(f"| {name} | {min(alone) * scale:.3f} | {min(ours) * scale:.3f} | {ratio:.3f} |")
    print(f"\nTwo threads of a batch: {python[1] / python[2]:.2f} times as fast as one.")


def two_threads(ask: dict[str, Callable[[NDArray[np.float64]], object]], poses: NDArray[np.float64]) -> None:
    """Time single calls from two threads of Python: they gain only if calls release the interpreter lock."""
    halves = np.array_split(poses, 2)
    print("\n| two threads of Python, single calls | times one thread |\n|---|---:|")
    for name, run in ask.items():
        one = least(lambda run=run: run(poses), 3)
        with ThreadPoolExecutor(2) as threads:
            two = least(lambda run=run, threads=threads: list(threads.map(run, halves)), 3)
        print(f"| {name} | {one / two:.2f} |")


def rivals(mesh: trimesh.Trimesh, poses: NDArray[np.float64]) -> None:
    """Do they meet: one call of each package for each pose, and our batch."""
    model = impinge.Model(impinge.Mesh(mesh.vertices, mesh.faces))
    a = impinge.Body(model)

    def single(some: NDArray[np.float64]) -> list[bool]:
        return [impinge.intersects(a, impinge.Body(model, pose)) for pose in some]

    def by_fcl(some: NDArray[np.float64]) -> list[bool]:
        one, other, request = fcl_object(mesh), fcl_object(mesh), fcl.CollisionRequest()
        found = []
        for pose in some:
            other.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
            found.append(fcl.collide(one, other, request, fcl.CollisionResult()) > 0)
        return found

    shape, identity, request = coal_model(mesh), coal.Transform3s(), coal.CollisionRequest()

    def by_coal(some: NDArray[np.float64]) -> list[bool]:
        found = []
        for pose in some:
            place, result = coal.Transform3s(pose[:3, :3], pose[:3, 3]), coal.CollisionResult()
            coal.collide(shape, identity, shape, place, request, result)
            found.append(result.isCollision())
        return found

    def by_trimesh(some: NDArray[np.float64]) -> list[bool]:
        manager = trimesh.collision.CollisionManager()
        manager.add_object("a", mesh)
        manager.add_object("b", mesh)
        found = []
        for pose in some:
            manager.set_transform("b", pose)
            found.append(manager.in_collision_internal())
        return found

    asked: dict[str, Callable[[NDArray[np.float64]], object]] = {
        "impinge, batch on two threads": lambda some: impinge.intersects_at(a, model, some, threads=2),
        "impinge, batch on one thread": lambda some: impinge.intersects_at(a, model, some, threads=1),
        "impinge, one call a pose": single,
        f"python-fcl {version('python-fcl')}, one call a pose": by_fcl,
        f"coal {version('coal')}, one call a pose": by_coal,
        f"trimesh {trimesh.__version__}'s manager on python-fcl": by_trimesh,
    }
    expected = np.asarray(impinge.intersects_at(a, model, poses))
    base = least(lambda: asked["impinge, batch on one thread"](poses), 3)
    print(
        f"\n| {len(mesh.faces):,} triangles each, {len(poses):,} poses | us a pose | times | not our answer |"
    )
    print("|---|---:|---:|---:|")
    for name, ask in asked.items():
        differ = int((np.asarray(ask(poses)) != expected).sum())
        seconds = least(lambda ask=ask: ask(poses), 3)
        print(f"| {name} | {seconds / len(poses) * 1e6:.2f} | {seconds / base:.1f} | {differ} |")
    singles = [
        "impinge, one call a pose",
        *(name for name in asked if name.startswith(("python-fcl", "coal"))),
    ]
    two_threads({name: asked[name] for name in singles}, poses)


def main() -> None:
    """All tables."""
    ball = trimesh.creation.icosphere(subdivisions=4)
    model = impinge.Model(impinge.Mesh(ball.vertices, ball.faces))
    a = impinge.Body(model)
    poses = poses_near(400_000, 1.9988)
    meet = impinge.intersects_at(a, model, poses)
    print(f"Spheres of {len(model):,} triangles, nearly touching: {meet.mean():.0%} of the poses meet.")
    far = np.eye(4)
    far[0, 3] = 9
    one_call(a, impinge.Body(model, poses[int(np.argmax(meet))]), impinge.Body(model, far))
    batches(a, model, poses)
    knot = trimesh.creation.torus(1, 0.3, major_sections=96, minor_sections=48)
    rivals(knot, poses_near(20_000, 1.6))


if __name__ == "__main__":
    main()
