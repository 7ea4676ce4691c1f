"""Poses through Ray beside one call here: ``python python/bench_ray.py [POSES]``.

With the extras ray and trimesh. Two spheres of 20,480 triangles, nearly touching, by as many threads here as
Ray has cores; runs in turn.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import trimesh

import impinge
import impinge.distributed
from impinge.distributed import _ray

RUNS = 2


def poses_near(count: int, distance: float) -> np.ndarray:
    """Random rotations, at a distance in random directions: shape (count, 3, 4)."""
    rng = np.random.default_rng(1)
    poses = np.empty((count, 3, 4))
    quaternions = rng.normal(size=(count, 4))
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    poses[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], axis=1)
    poses[:, 1, :3] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], axis=1)
    poses[:, 2, :3] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1)
    directions = rng.normal(size=(count, 3))
    poses[:, :, 3] = distance * directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return poses


def main() -> None:
    """A line a run."""
    count = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000
    ball = trimesh.creation.icosphere(subdivisions=5)
    model = impinge.Model(impinge.Mesh(ball.vertices, ball.faces))
    a, poses = impinge.Body(model), poses_near(count, 1.9995)
    threads = _ray.cores(_ray.connect())
    # Workers are started, and have the model.
    impinge.distributed.intersects_at(a, model, poses[:1000])
    for _ in range(RUNS):
        began = time.monotonic()
        here = impinge.intersects_at(a, model, poses, threads=threads)
        between = time.monotonic()
        there = impinge.distributed.intersects_at(a, model, poses)
        ended = time.monotonic()
        assert np.array_equal(here, there)
        own, through = between - began, ended - between
        rate = own / through
        print(f"{count:,} poses: here {own:.1f} s, through Ray {through:.1f} s, {rate:.2f} of the rate")


if __name__ == "__main__":
    main()
