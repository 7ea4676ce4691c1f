"""Fixtures of the tests: meshes that are made here, so that nothing is fetched."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge


def sphere(levels: int = 3, radius: float = 1.0) -> impinge.Mesh:
    """An octahedron, each triangle divided into four so many times, on a sphere."""
    points = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]]
    corners = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]]
    triangles = np.array(points, dtype=float)[np.array(corners)]
    for _ in range(levels):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = np.concatenate([np.stack(part, axis=1) for part in parts])
    triangles *= radius / np.linalg.norm(triangles, axis=2, keepdims=True)
    vertices, faces = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    return impinge.Mesh(vertices, faces.reshape(-1, 3))


def at(x: float, y: float = 0.0, z: float = 0.0) -> NDArray[np.float64]:
    """A translation."""
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def rows_of(shifts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Translations along x."""
    poses = np.tile(np.eye(4), (len(shifts), 1, 1))
    poses[:, 0, 3] = shifts
    return poses


def pile(count: int) -> impinge.Model:
    """A model of one triangle many times: every pair meets, so that a query takes as long as needed."""
    return impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]] * count))


@pytest.fixture(scope="session")
def ball() -> impinge.Model:
    """A sphere of 512 triangles."""
    return impinge.Model(sphere())


@pytest.fixture(scope="session")
def tetrahedron() -> impinge.Model:
    """A tetrahedron of 4 units along each axis."""
    points = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]]
    return impinge.Model(impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]))
