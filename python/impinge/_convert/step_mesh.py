"""Triangles of a shape of Open CASCADE."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ANGLE = 0.5
"""Largest angle between neighbouring pieces of a curve, in radians."""


@dataclass(frozen=True, slots=True)
class Triangles:
    """A mesh of a shape, and what is wrong with it."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.uint32]
    chord: float
    """0 if all faces are plane and all edges straight."""
    failed_faces: int
    """Faces that have no triangles."""
    open_edges: int
    """Edges that have not as many triangles one way as the other."""
    is_solid: bool
    """Whether the shape consists of solids."""


def faces_of(shape: Any) -> list[Any]:
    """The faces of a shape, with their placement in it."""
    return _explored(shape, "TopAbs_FACE", "Face")


def solids_of(shape: Any) -> list[Any]:
    """The solids of a shape."""
    return _explored(shape, "TopAbs_SOLID", "Solid")


def _explored(shape: Any, kind: str, cast: str) -> list[Any]:
    top_abs = importlib.import_module("OCP.TopAbs")
    explorer = importlib.import_module("OCP.TopExp").TopExp_Explorer(shape, getattr(top_abs, kind))
    casts = importlib.import_module("OCP.TopoDS").TopoDS
    # Version 8 has them as functions of a class, earlier ones with an ending.
    to = getattr(casts, cast, None) or getattr(casts, cast + "_s")
    found = []
    while explorer.More():
        found.append(to(explorer.Current()))
        explorer.Next()
    return found


def mesh(shape: Any, chord: float) -> Triangles:
    """Mesh a shape. No triangle is farther than `chord` from its face, in the unit of the coordinates."""
    importlib.import_module("OCP.BRepMesh").BRepMesh_IncrementalMesh(shape, chord, False, ANGLE, True)
    tool = importlib.import_module("OCP.BRep").BRep_Tool
    location_type = importlib.import_module("OCP.TopLoc").TopLoc_Location
    reversed_face = importlib.import_module("OCP.TopAbs").TopAbs_REVERSED
    points: list[NDArray[np.float64]] = []
    triangles: list[NDArray[np.int64]] = []
    failed = count = 0
    is_flat = True
    reached = chord
    faces = faces_of(shape)
    for face in faces:
        location = location_type()
        found = tool.Triangulation_s(face, location)
        if found is None or not found.NbTriangles():
            failed += 1
            continue
        is_flat = is_flat and _is_flat(face)
        reached = max(reached, float(found.Deflection()))
        nodes = _nodes(found, location)
        corners = np.array([found.Triangle(i).Get() for i in range(1, found.NbTriangles() + 1)], np.int64)
        if face.Orientation() == reversed_face:
            corners = corners[:, ::-1]
        points.append(nodes)
        triangles.append(corners + (count - 1))
        count += len(nodes)
    if not points:
        empty = np.zeros((0, 3))
        return Triangles(empty, empty.astype(np.uint32), chord, failed, 0, False)
    vertices, joined = _joined(np.concatenate(points), np.concatenate(triangles))
    is_solid = len(faces) == sum(len(faces_of(solid)) for solid in solids_of(shape))
    return Triangles(vertices, joined, 0.0 if is_flat else reached, failed, _open_edges(joined), is_solid)


def _nodes(found: Any, location: Any) -> NDArray[np.float64]:
    placed = None if location.IsIdentity() else location.Transformation()
    nodes = np.empty((found.NbNodes(), 3))
    for i in range(found.NbNodes()):
        point = found.Node(i + 1)
        if placed is not None:
            point = point.Transformed(placed)
        nodes[i] = point.X(), point.Y(), point.Z()
    return nodes


def _joined(
    points: NDArray[np.float64], triangles: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """Make equal points one, in the order of their first occurrence. Faces share their points on edges.

    Triangles that have two corners in one point are kept: they are points of the surface.
    """
    # -0 and 0 are one coordinate.
    points = points + 0.0
    rows = np.ascontiguousarray(points).view([("", np.float64)] * 3).ravel()
    _, first, to = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return points[first[order]], rank[to.ravel()][triangles].astype(np.uint32)


def _open_edges(faces: NDArray[np.uint32]) -> int:
    a = faces.astype(np.int64)
    edges = np.concatenate([a[:, [0, 1]], a[:, [1, 2]], a[:, [2, 0]]])
    edges = edges[edges[:, 0] != edges[:, 1]]
    way = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    edges.sort(axis=1)
    key = edges[:, 0] * (int(a.max(initial=0)) + 1) + edges[:, 1]
    _, which = np.unique(key, return_inverse=True)
    return int(np.count_nonzero(np.bincount(which.ravel(), weights=way)))


def _is_flat(face: Any) -> bool:
    """Whether a face is plane and its edges are straight: then its triangles are exact."""
    adaptor = importlib.import_module("OCP.BRepAdaptor")
    kinds = importlib.import_module("OCP.GeomAbs")
    if adaptor.BRepAdaptor_Surface(face).GetType() != kinds.GeomAbs_Plane:
        return False
    return all(
        adaptor.BRepAdaptor_Curve(edge).GetType() == kinds.GeomAbs_Line
        for edge in _explored(face, "TopAbs_EDGE", "Edge")
    )
