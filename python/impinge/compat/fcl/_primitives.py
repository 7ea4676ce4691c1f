"""Meshes of primitives."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

import impinge
from impinge._core import _Solid

Faces = NDArray[np.int64]

if TYPE_CHECKING:
    _Side = Literal["inscribed", "circumscribed"]
    _Kind = Literal["cylinder", "cone", "ellipsoid"]

CHORD = 1e-3
"""The default chord error, as a part of the largest radius."""


def full(mesh: impinge.Mesh) -> _Solid:
    """A full solid. Most are never compared with a surface, so no hierarchy is built yet."""
    return _Solid(impinge.Model(mesh, quality="on-demand"), True)


def box(sides: tuple[float, float, float]) -> impinge.Mesh:
    """A box about the origin: a polygon, a segment or a point if sides are 0."""
    return impinge.Mesh.hull(list(product(*((-0.5 * side, 0.5 * side) for side in sides))))


def fan(polygons: list[list[int]]) -> Faces:
    """Convex polygons as triangles."""
    triangles = [[p[0], p[k], p[k + 1]] for p in polygons for k in range(1, len(p) - 1)]
    return np.array(triangles, dtype=np.int64).reshape(-1, 3)


def curved(kind: _Kind, sizes: tuple[float, float, float], chord: float, side: _Side) -> _Solid:
    """A mesh inside of a curved solid or around it, no farther than the chord error from it.

    The sizes are the radii along x and y, and the height or the radius along z. If one is 0, the mesh of
    another shape is pressed flat: it remains inside of the true one or around it.
    """
    return _KEPT(kind, sizes, chord, side)


def _curved(kind: _Kind, sizes: tuple[float, float, float], chord: float, side: _Side) -> _Solid:
    largest = max(sizes) or 1.0
    x, y, z = (size or largest for size in sizes)
    if kind == "ellipsoid":
        mesh = impinge.Mesh.ellipsoid([x, y, z], chord=chord or CHORD * largest, side=side)
    else:
        make = impinge.Mesh.cylinder if kind == "cylinder" else impinge.Mesh.cone
        mesh = make(x, z, chord=chord or CHORD * x, side=side)
    if 0.0 in sizes:
        mesh = impinge.Mesh.hull(mesh.vertices * (np.array(sizes) > 0))
    return full(mesh)


_KEPT: Callable[..., _Solid] = functools.lru_cache(maxsize=64)(_curved)
