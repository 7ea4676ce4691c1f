"""Half-spaces and planes, and what they collide with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import impinge
from impinge._core import _lengths, _Solid, _units
from impinge.compat.fcl._geometry import CollisionGeometry
from impinge.compat.fcl._numbers import NODE_TYPE

Floats = NDArray[np.float64]


class _Flat(CollisionGeometry):
    """The plane n.x = d, or one side of it. `n` may have any length but 0."""

    def __init__(self, n: ArrayLike, d: float) -> None:
        self.n, self.d = np.array(n, dtype=float), float(d)
        impinge.HalfSpace(self.n, self.d)  # refuses what is none

    def _make(self) -> _Solid:
        raise ValueError(f"a {type(self).__name__} has no bounds")


class Halfspace(_Flat):
    """All points with n.x <= d."""

    _type = NODE_TYPE.GEOM_HALFSPACE


class Plane(_Flat):
    """All points with n.x = d."""

    _type = NODE_TYPE.GEOM_PLANE


class PlacedFlat:
    """A half-space or a plane at a transform, which is applied in float64."""

    __slots__ = ("_sides", "is_full")

    def __init__(self, flat: _Flat, rows: Floats) -> None:
        normal = _along(rows[:, :3], flat.n)
        offset = flat.d + float(_along(rows[:, 3], normal))
        self._sides = [impinge.HalfSpace(normal, offset)]
        if isinstance(flat, Plane):
            self._sides.append(impinge.HalfSpace(-normal, -offset))
        self.is_full = True

    def contact(self, solid: _Solid) -> FlatContact | None:
        """The contact with a solid, if they meet."""
        body = solid.body.rounded(solid.radius)
        if not all(impinge.intersects(body, side) for side in self._sides):
            return None
        planes = [[*side.normal, side.offset] for side in self._sides]
        # The parts of a surface may lie on either side of a plane.
        if len(planes) > 1 and not solid.is_full and len(impinge.triangles_in(solid.body, planes)) == 0:
            return None
        return min((FlatContact(solid, side) for side in self._sides), key=lambda contact: contact.depth)

    def gap(self, solid: _Solid) -> tuple[float, Floats] | None:
        """The distance of a solid that it does not meet, and a point of the solid and of the plane."""
        body = solid.body.rounded(solid.radius)
        gaps = [impinge.distance(body, side) for side in self._sides]
        found = [gap for gap in gaps if gap is not None]
        farthest = max(found, key=lambda gap: gap.hi, default=None)
        return None if farthest is None else (farthest.hi, farthest.points)


class FlatContact:
    """The contact of a solid and a half-space: at the solid's lowest point."""

    __slots__ = ("_face", "_normal", "_point", "depth", "is_first")

    def __init__(self, solid: _Solid, side: impinge.HalfSpace) -> None:
        mesh, pose = solid.body.model.mesh, solid.body.pose
        normal = np.array([side.normal])
        length, up = float(_lengths(normal, up=False)[0]), _units(normal)[0]
        given = mesh.vertices[mesh.faces.reshape(-1)]
        corners = np.stack([_along(given, row[:3]) + row[3] for row in pose[:3]], axis=1)
        heights = _along(corners, up)
        lowest = int(heights.argmin())
        self.depth = float(side.offset / length + solid.radius - heights[lowest])
        self._normal, self._face = -up, lowest // 3
        self._point = corners[lowest] + up * (0.5 * self.depth - solid.radius)
        self.is_first = True
        """True if the solid is the first object."""

    def numbers(self, k: int) -> tuple[Floats, float, Floats]:
        """Normal, from the first object to the second, depth and point."""
        return (self._normal if self.is_first else -self._normal), self.depth, self._point

    def triangles(self, k: int) -> tuple[int, int]:
        """A face of each."""
        return (self._face, 0) if self.is_first else (0, self._face)


def _along(vectors: Floats, n: Floats) -> Floats:
    """The scalar products with `n`, with the same bits on every processor."""
    products: Floats = vectors[..., 0] * n[0] + vectors[..., 1] * n[1] + vectors[..., 2] * n[2]
    return products


def contact(a: Any, b: Any) -> FlatContact | None:
    """The contact of two placed geometries, one of which is a half-space or a plane."""
    if isinstance(a, PlacedFlat) and isinstance(b, PlacedFlat):
        raise NotImplementedError("impinge.compat.fcl does not collide half-spaces with each other")
    flat, solid = (a, b) if isinstance(a, PlacedFlat) else (b, a)
    found: FlatContact | None = flat.contact(solid)
    if found is not None:
        found.is_first = solid is a
    return found


def apart(a: Any, b: Any, signed: bool) -> tuple[float, tuple[Floats, Floats]] | None:
    """The distance of two placed geometries, one of which is flat, and points that attain it.

    If they meet it is -1, or minus the depth if `signed`.
    """
    met = contact(a, b)
    if met is not None:
        _, depth, point = met.numbers(0)
        return (-depth if signed else -1.0), (point, point)
    flat, solid = (a, b) if isinstance(a, PlacedFlat) else (b, a)
    found = flat.gap(solid)
    if found is None:
        return None
    distance, (p, q) = found
    return distance, ((p, q) if solid is a else (q, p))
