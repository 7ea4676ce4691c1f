"""Round solids as meshes: their corners are on the true surface, so that they lie in it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Faces = NDArray[np.int64]

# Sides of what is round about an axis, and how often an octahedron is divided to make a sphere.
SIDES = 64
LEVELS = 4


def box(x: float, y: float, z: float) -> tuple[Floats, Faces]:
    """A box about the origin, with these sides."""
    corners = np.array([[i, j, k] for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)])
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners * [x, y, z], fan(quads)


def fan(polygons: list[list[int]]) -> Faces:
    """Convex polygons as triangles."""
    triangles = [[p[0], p[k], p[k + 1]] for p in polygons for k in range(1, len(p) - 1)]
    return np.array(triangles, dtype=np.int64).reshape(-1, 3)


def turned(profile: list[tuple[float, float]]) -> tuple[Floats, Faces]:
    """What a line of points (radius, height), from below to above, makes as it turns about the z axis."""
    angles = 2 * np.pi * np.arange(SIDES) / SIDES
    points: list[list[float]] = []
    rings: list[list[int]] = []
    for radius, height in profile:
        count = len(points)
        if radius == 0:
            points.append([0, 0, height])
            rings.append([count] * SIDES)
        else:
            points += [[radius * math.cos(angle), radius * math.sin(angle), height] for angle in angles]
            rings.append(list(range(count, count + SIDES)))
    faces = []
    for low, high in zip(rings, rings[1:], strict=False):
        for i in range(SIDES):
            j = (i + 1) % SIDES
            faces += [[low[i], low[j], high[j]], [low[i], high[j], high[i]]]
    return np.array(points), np.array([face for face in faces if len(set(face)) == 3])


def cylinder(radius: float, height: float) -> tuple[Floats, Faces]:
    """A cylinder along z about the origin."""
    return turned([(0, -height / 2), (radius, -height / 2), (radius, height / 2), (0, height / 2)])


def cone(radius: float, height: float) -> tuple[Floats, Faces]:
    """A cone along z about the origin, its point above."""
    return turned([(0, -height / 2), (radius, -height / 2), (0, height / 2)])


def capsule(radius: float, height: float) -> tuple[Floats, Faces]:
    """A cylinder along z about the origin, with half balls at both ends."""
    angles = np.linspace(0, np.pi / 2, SIDES // 4 + 1)[:-1]
    above = [(radius * math.cos(a), height / 2 + radius * math.sin(a)) for a in angles]
    above.append((0, height / 2 + radius))
    return turned([(r, -z) for r, z in reversed(above)] + above)


def sphere() -> tuple[Floats, Faces]:
    """An octahedron divided again and again, on the unit sphere."""
    points = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], dtype=float)
    corners = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]]
    triangles = points[np.array(corners)]
    for _ in range(LEVELS):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        parts = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = np.concatenate([np.stack(part, axis=1) for part in parts])
    vertices, faces = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    return vertices / np.linalg.norm(vertices, axis=1, keepdims=True), faces.reshape(-1, 3)


def ball_sag() -> float:
    """How far the faces of `sphere` are inside of the unit sphere, at most."""
    points, faces = sphere()
    corners = points[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return float(1 - np.einsum("ij,ij->i", normals, corners[:, 0]).min())


def sag(radius: float) -> float:
    """How far the sides of what is round about an axis are inside of the true surface, at most."""
    return radius * (1 - math.cos(math.pi / SIDES))
