"""Cost of the drop-ins beside the originals: microseconds of processor time a call, the median of five runs.

Usage, with python-fcl, trimesh and scipy installed: ``python python/bench_compat.py [--all]``. The last lines
name what is slower than the original, and the geometric mean of all ratios. ``--all`` adds distances, and
contacts that are read, of primitives: these are not part of the mean.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from importlib.metadata import version
from collections.abc import Callable
from itertools import combinations
from typing import Any

import fcl
import numpy as np
import trimesh
from trimesh.collision import CollisionManager as Theirs

import impinge.compat.fcl
from impinge.compat.trimesh import CollisionManager as Ours

COUNT = 200
Rows = list[tuple[str, float, float]]


def median(call: Callable[[], object], calls: int, runs: int = 5) -> float:
    """Microseconds of processor time a call."""
    call()
    times = []
    for _ in range(runs):
        began = time.process_time_ns()
        for _ in range(calls):
            call()
        times.append(time.process_time_ns() - began)
    return statistics.median(times) / 1e3 / calls


def add(rows: Rows, name: str, make: Callable[[Any], Callable[[], object]], calls: int, of: Any) -> None:
    """Measure what `make` returns for the original and for the drop-in."""
    theirs, ours = (median(make(one), calls) for one in of)
    rows.append((name, theirs, ours))
    print(f"{name:42} {theirs:12.1f} {ours:12.1f} {theirs / ours:9.2f}", flush=True)


def primitives(f: Any) -> dict[str, Any]:
    """The shapes of the example that was reported as slow, and more."""
    return {
        "box": f.Box(1, 1, 1),
        "sphere": f.Sphere(0.5),
        "cylinder": f.Cylinder(0.4, 1),
        "capsule": f.Capsule(0.3, 1),
        "cone": f.Cone(0.4, 1),
        "ellipsoid": f.Ellipsoid(0.3, 0.4, 0.5),
    }


def bvh(f: Any, mesh: trimesh.Trimesh) -> Any:
    model = f.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model


def torus() -> trimesh.Trimesh:
    """A torus with as many faces as the teapot of the report, and not convex either."""
    return trimesh.creation.torus(0.35, 0.14, major_sections=80, minor_sections=40)


def poses(frames: int) -> list[list[np.ndarray]]:
    rng = np.random.default_rng(1)
    found = []
    for _ in range(frames):
        turns = [trimesh.transformations.random_rotation_matrix(rng.random(3)) for _ in range(COUNT)]
        for turn in turns:
            turn[:3, 3] = rng.uniform(-3, 3, 3)
        found.append(turns)
    return found


def of_primitives(rows: Rows, extra: Rows, both: tuple[Any, Any], with_extra: bool) -> None:
    turn = trimesh.transformations.random_rotation_matrix(np.array([0.1, 0.5, 0.7]))[:3, :3]
    shapes = {f: primitives(f) for f in both}

    def objects(f: Any, one: str, two: str, x: float) -> tuple[Any, Any]:
        place = f.Transform(turn, np.array([x, 0.1, 0.05]))
        return f.CollisionObject(shapes[f][one]), f.CollisionObject(shapes[f][two], place)

    def colliding(one: str, two: str, x: float) -> Callable[[Any], Callable[[], object]]:
        def make(f: Any) -> Callable[[], object]:
            a, b = objects(f, one, two, x)
            return lambda: f.collide(a, b)

        return make

    def apart(one: str, two: str) -> Callable[[Any], Callable[[], object]]:
        def make(f: Any) -> Callable[[], object]:
            a, b = objects(f, one, two, 3.0)
            return lambda: f.distance(a, b)

        return make

    def reading(one: str, two: str) -> Callable[[Any], Callable[[], object]]:
        def make(f: Any) -> Callable[[], object]:
            a, b = objects(f, one, two, 0.4)
            request = f.CollisionRequest(num_max_contacts=10, enable_contact=True)

            def read() -> None:
                result = f.CollisionResult()
                f.collide(a, b, request, result)
                for contact in result.contacts:
                    _ = contact.penetration_depth, contact.pos, contact.normal

            return read

        return make

    for one, two in combinations(shapes[fcl], 2):
        for x, what in ((0.4, "that meet"), (3.0, "apart")):
            add(rows, f"collide: {one}, {two} {what}", colliding(one, two, x), 300, both)
        if with_extra:
            add(extra, f"distance: {one}, {two}", apart(one, two), 300, both)
            add(extra, f"contact read: {one}, {two}", reading(one, two), 100, both)


def of_meshes(rows: Rows, both: tuple[Any, Any]) -> None:
    ball = trimesh.creation.icosphere(3)

    def pair(f: Any, x: float) -> tuple[Any, Any]:
        model = bvh(f, ball)
        return f.CollisionObject(model), f.CollisionObject(model, f.Transform(np.array([x, 0.1, 0])))

    def collide(f: Any) -> Callable[[], object]:
        a, b = pair(f, 0.5)
        return lambda: f.collide(a, b)

    def contacts(f: Any) -> Callable[[], object]:
        a, b = pair(f, 0.5)
        request = f.CollisionRequest(1000, True)

        def read() -> None:
            result = f.CollisionResult()
            f.collide(a, b, request, result)
            for contact in result.contacts:
                _ = contact.penetration_depth, contact.pos, contact.normal

        return read

    def distance(f: Any) -> Callable[[], object]:
        a, b = pair(f, 2.5)
        return lambda: f.distance(a, b)

    add(rows, "BVH of 1,280 faces: build", lambda f: lambda: bvh(f, ball), 5, both)
    add(rows, "BVH of 1,280 faces: collide", collide, 50, both)
    add(rows, "BVH of 1,280 faces: contacts read", contacts, 10, both)
    add(rows, "BVH of 1,280 faces: distance", distance, 20, both)


def of_managers(rows: Rows, both: tuple[Any, Any]) -> None:
    mesh, frames = torus(), poses(3)

    def moving(f: Any, act: Callable[[Any], Callable[[Any], object]]) -> Callable[[], object]:
        model, manager, turn = bvh(f, mesh), f.DynamicAABBTreeCollisionManager(), [0]
        objects = [f.CollisionObject(model) for _ in range(COUNT)]
        manager.registerObjects(objects)
        manager.setup()
        acting = act(f)

        def frame() -> object:
            turn[0] += 1
            for one, pose in zip(objects, frames[turn[0] % 3], strict=True):
                one.setTransform(f.Transform(pose[:3, :3], pose[:3, 3]))
            manager.update()
            return acting(manager)

        return frame

    def each(f: Any) -> Callable[[Any], object]:
        def callback(a: Any, b: Any, data: list[int]) -> bool:
            data.append(f.collide(a, b))
            return False

        return lambda manager: manager.collide([], callback)

    def least(f: Any) -> Callable[[Any], object]:
        return lambda manager: manager.distance(f.DistanceData(), f.defaultDistanceCallback)

    name = f"fcl manager, {COUNT} meshes of {len(mesh.faces):,} faces, a frame"
    add(rows, f"{name}: collide", lambda f: moving(f, each), 3, both)
    add(rows, f"{name}: distance", lambda f: moving(f, least), 3, both)

    def frame(ask: Callable[[Any], object]) -> Callable[[Any], Callable[[], object]]:
        def make(kind: Any) -> Callable[[], object]:
            manager, turn = kind(), [0]
            for i in range(COUNT):
                manager.add_object(str(i), mesh)

            def run() -> object:
                turn[0] += 1
                for i, pose in enumerate(frames[turn[0] % 3]):
                    manager.set_transform(str(i), pose)
                return ask(manager)

            return run

        return make

    managers = (Theirs, Ours)
    for what, ask in {
        "any": lambda m: m.in_collision_internal(),
        "names": lambda m: m.in_collision_internal(return_names=True),
        "contacts": lambda m: m.in_collision_internal(return_data=True),
        "set_transform": lambda m: None,
        "one mesh against all": lambda m: m.in_collision_single(mesh, frames[0][0], return_names=True),
        "least distance": lambda m: m.min_distance_internal(),
    }.items():
        add(rows, f"trimesh manager, a frame: {what}", frame(ask), 2, managers)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--all", action="store_true")
    with_extra = options.parse_args().all
    rows: Rows = []
    extra: Rows = []
    both = (fcl, impinge.compat.fcl)
    names = ("python-fcl", "trimesh", "numpy", "impinge")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    print(f"{time.strftime('%Y-%m-%d')}, {machine}")
    print(", ".join(f"{name} {version(name)}" for name in names))
    print(f"{'us a call':42} {'original':>12} {'drop-in':>12} {'times':>9}")
    of_primitives(rows, extra, both, with_extra)
    of_meshes(rows, both)
    of_managers(rows, both)
    for name, group in (("", rows), ("of --all ", extra)):
        if group:
            ratios = np.array([theirs / ours for _, theirs, ours in group])
            slower = [row[0] for row, ratio in zip(group, ratios, strict=True) if ratio < 1]
            print(f"{name}{len(slower)} of {len(group)} slower: {', '.join(slower) or 'none'}")
            print(f"{name}geometric mean {np.exp(np.log(ratios).mean()):.1f} times as fast")


if __name__ == "__main__":
    main()
