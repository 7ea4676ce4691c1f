"""Surfaces of faces of Open CASCADE: points of many parameters at once, and distances from them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_STEPS = 4
"""Of Gauss and Newton, from a point of the surface to that which is nearest."""
_TINY = 1e-300


class Surface:
    """The surface of a face. Open CASCADE evaluates all but planes, cylinders, cones, spheres and tori."""

    def __init__(self, face: Any) -> None:
        self._surface = importlib.import_module("OCP.BRepAdaptor").BRepAdaptor_Surface(face)
        kind = str(self._surface.GetType()).rpartition("_")[2]
        self.is_plane = kind == "Plane"
        self._radii: tuple[float, ...] | None = None
        match kind:
            case "Plane":
                shape, self._radii = self._surface.Plane(), ()
            case "Cylinder":
                shape = self._surface.Cylinder()
                self._radii = (shape.Radius(),)
            case "Cone":
                shape = self._surface.Cone()
                self._radii = (shape.RefRadius(), shape.SemiAngle())
            case "Sphere":
                shape = self._surface.Sphere()
                self._radii = (shape.Radius(),)
            case "Torus":
                shape = self._surface.Torus()
                self._radii = (shape.MajorRadius(), shape.MinorRadius())
            case _:
                return
        self._kind = kind
        frame = shape.Position()
        axes = (frame.XDirection(), frame.YDirection(), frame.Direction())
        self._origin = np.array(frame.Location().Coord())
        self._axes = np.array([axis.Coord() for axis in axes])

    def points(self, uv: Array) -> Array:
        """The points with parameters (N, 2)."""
        if self._radii is None:
            value = self._surface.Value
            return np.array([value(u, v).Coord() for u, v in uv.tolist()]).reshape(-1, 3)
        u, v = uv.T
        radius, height = self._profile(v)
        x, y = (u, v) if self.is_plane else (radius * np.cos(u), radius * np.sin(u))
        return np.stack([x, y, height], axis=1) @ self._axes + self._origin

    def _profile(self, v: Array) -> tuple[Array, Array]:
        """Distances from the axis, and heights along it."""
        match self._kind, self._radii:
            case "Cylinder", (radius,):
                return np.full_like(v, radius), v
            case "Cone", (radius, angle):
                return radius + v * np.sin(angle), v * np.cos(angle)
            case "Sphere", (radius,):
                return radius * np.cos(v), radius * np.sin(v)
            case "Torus", (major, minor):
                return major + minor * np.cos(v), minor * np.sin(v)
        return np.zeros_like(v), np.zeros_like(v)

    def distances(self, points: Array, uv: Array) -> Array:
        """Distances of points from the surface, which is near them at the parameters `uv`; none is too small
        by more than rounding.
        """
        if self._radii is None:
            rows = zip(points.tolist(), uv.tolist(), strict=True)
            return np.array([self._distance(np.array(p), u, v) for p, (u, v) in rows])
        x, y, z = ((points - self._origin) @ self._axes.T).T
        across = np.hypot(x, y)
        match self._kind, self._radii:
            case "Cylinder", (radius,):
                return np.abs(across - radius)
            case "Cone", (radius, angle):
                return np.abs((across - radius) * np.cos(angle) - z * np.sin(angle))
            case "Sphere", (radius,):
                return np.abs(np.hypot(across, z) - radius)
            case "Torus", (major, minor):
                return np.abs(np.hypot(across - major, z) - minor)
        return np.abs(z)

    def _distance(self, point: Array, u: float, v: float) -> float:
        gp = importlib.import_module("OCP.gp")
        at, along_u, along_v = gp.gp_Pnt(), gp.gp_Vec(), gp.gp_Vec()
        best = float("inf")
        for _ in range(_STEPS):
            self._surface.D1(u, v, at, along_u, along_v)
            way = point - at.Coord()
            length = float(np.linalg.norm(way))
            if not length < best:
                break
            best = length
            slopes = np.array([along_u.Coord(), along_v.Coord()])
            square = slopes @ slopes.T
            determinant = square[0, 0] * square[1, 1] - square[0, 1] * square[1, 0]
            if not determinant > _TINY:
                break
            right = slopes @ way
            u += float(square[1, 1] * right[0] - square[0, 1] * right[1]) / determinant
            v += float(square[0, 0] * right[1] - square[1, 0] * right[0]) / determinant
            # Beyond the face it is another surface.
            u = min(max(u, self._surface.FirstUParameter()), self._surface.LastUParameter())
            v = min(max(v, self._surface.FirstVParameter()), self._surface.LastVParameter())
        return best


def from_segments(points: Array, a: Array, b: Array) -> Array:
    """Distances of points from segments."""
    way = b - a
    square = np.einsum("ij,ij->i", way, way)
    share = np.einsum("ij,ij->i", points - a, way) / np.where(square > 0, square, 1)
    return np.linalg.norm(points - (a + np.clip(share, 0, 1)[:, None] * way), axis=1)


def from_triangles(points: Array, corners: Array) -> Array:
    """Distances of points (N, 3) from triangles (N, 3, 3)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    sides = (from_segments(points, a, b), from_segments(points, b, c), from_segments(points, c, a))
    near = np.minimum.reduce(sides)
    normal = np.cross(b - a, c - a)
    square = np.einsum("ij,ij->i", normal, normal)
    inside = square > 0
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("ij,ij->i", np.cross(q - p, points - p), normal) >= 0
    height = np.abs(np.einsum("ij,ij->i", points - a, normal)) / np.sqrt(np.where(square > 0, square, 1))
    return np.where(inside, np.minimum(near, height), near)
