"""Round solids as meshes: their corners are on the true surface, so that they lie in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from impinge._core import _circle, _units

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
    """The surface of a line of points (radius, height), from below to above, turned about the z axis."""
    circle = np.column_stack([_circle(SIDES), np.zeros(SIDES)])
    points: list[Floats] = []
    rings: list[Faces] = []
    count = 0
    for radius, height in profile:
        sides = 1 if radius == 0 else SIDES
        points.append(circle[:sides] * radius + [0, 0, height])
        rings.append(np.arange(count, count + sides).repeat(SIDES // sides))
        count += sides
    faces = []
    for low, high in zip(rings, rings[1:], strict=False):
        next_low, next_high = np.roll(low, -1), np.roll(high, -1)
        faces += [np.column_stack([low, next_low, next_high]), np.column_stack([low, next_high, high])]
    all_faces = np.concatenate(faces)
    a, b, c = all_faces.T
    return np.concatenate(points), all_faces[(a != b) & (b != c) & (c != a)]


def cylinder(radius: float, height: float) -> tuple[Floats, Faces]:
    """A cylinder along z about the origin, or its axis if it is no thicker."""
    if radius == 0:
        return segment(height)
    return turned([(0, -height / 2), (radius, -height / 2), (radius, height / 2), (0, height / 2)])


def cone(radius: float, height: float) -> tuple[Floats, Faces]:
    """A cone along z about the origin, its point above, or its axis if it is no thicker."""
    if radius == 0:
        return segment(height)
    return turned([(0, -height / 2), (radius, -height / 2), (0, height / 2)])


def segment(height: float) -> tuple[Floats, Faces]:
    """A segment along z about the origin, or the origin: one triangle that is no more than that."""
    if height == 0:
        return np.zeros((1, 3)), np.array([[0, 0, 0]])
    return np.array([[0, 0, -height / 2], [0, 0, height / 2]]), np.array([[0, 1, 1]])


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
    return _units(vertices), faces.reshape(-1, 3)


def ball_sag() -> float:
    """Largest distance of the faces of `sphere`, which are inside, from the unit sphere."""
    points, faces = sphere()
    corners = points[faces]
    normals = _units(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    x, y, z = (normals * corners[:, 0]).T
    return float(1 - (x + y + z).min())


def sag(radius: float) -> float:
    """Largest distance of the sides of a turned mesh, which are inside, from the true surface."""
    return radius * (1 - float(_circle(2 * SIDES)[1, 0]))
