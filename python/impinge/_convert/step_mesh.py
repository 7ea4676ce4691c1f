"""Triangles of a shape of Open CASCADE."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._convert.step_facets import Shape, explored
from impinge._convert.step_refine import refine
from impinge._convert.step_repair import repaired

ANGLE = 0.5
"""Largest angle between neighbouring pieces of a curve, in radians."""
MARGIN = 1 / 8
"""The share to add to a measured distance, since the largest may lie between the places of measurement."""
EXACT = 1e-3
"""Flat faces are exact if their points are nearer to them than this share of the deflection."""


@dataclass(frozen=True, slots=True)
class Triangles:
    """A mesh of a shape, and what is wrong with it."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.uint32]
    chord: float
    """The deflection, if what was measured and a margin is less; else that. 0 if all faces are plane and all
    edges straight.
    """
    measured: float
    """The largest distance measured of the triangles from the surface."""
    failed_faces: int
    """Faces that have no triangles."""
    open_edges: int
    """Edges that have not as many triangles one way as the other."""
    is_solid: bool
    """Whether the shape consists of solids."""


def faces_of(shape: Any) -> list[Any]:
    """The faces of a shape, with their placement in it."""
    return explored(shape, "TopAbs_FACE", "Face")


def solids_of(shape: Any) -> list[Any]:
    """The solids of a shape."""
    return explored(shape, "TopAbs_SOLID", "Solid")


def mesh(shape: Any, chord: float) -> Triangles:
    """Mesh a shape with a deflection, in the unit of the coordinates."""
    is_solid = len(faces_of(shape)) == sum(len(faces_of(solid)) for solid in solids_of(shape))
    _mesh(shape, chord)
    found = Shape([shape])
    if found.failed or is_solid and open_edges(found.joined()[1]):
        found = Shape(repaired(shape, lambda piece: _meshed(piece, chord)))
    measured = refine(found, chord / (1 + MARGIN))
    vertices, faces = found.joined()
    reached = 0.0 if found.is_flat and measured <= EXACT * chord else max(chord, measured * (1 + MARGIN))
    return Triangles(vertices, faces, reached, measured, found.failed, open_edges(faces), is_solid)


def _mesh(shape: Any, chord: float) -> None:
    importlib.import_module("OCP.BRepMesh").BRepMesh_IncrementalMesh(shape, chord, False, ANGLE, True)


def _meshed(shape: Any, chord: float) -> tuple[int, int]:
    """Mesh a shape: faces without triangles, and open edges."""
    _mesh(shape, chord)
    found = Shape([shape])
    return found.failed, open_edges(found.joined()[1])


def open_edges(faces: NDArray[np.uint32]) -> int:
    """Edges that have not as many triangles one way as the other."""
    a = faces.astype(np.int64)
    edges = np.concatenate([a[:, [0, 1]], a[:, [1, 2]], a[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    way = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    edges.sort(axis=1)
    key = edges[:, 0] * (int(a.max(initial=0)) + 1) + edges[:, 1]
    _, which = np.unique(key, return_inverse=True)
    return int(np.count_nonzero(np.bincount(which.ravel(), weights=way)))
