"""Triangles of the faces of a shape of Open CASCADE, with their places on surfaces and edges."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._convert.step_surface import Array, Surface, from_segments

_SHARES = np.array([0.25, 0.5, 0.75])
"""Where a piece of a curve is compared with its chord."""

Key = tuple[int, float, float]
"""An edge of the shape and two parameters on it."""


def explored(shape: Any, kind: str, cast: str) -> list[Any]:
    """The parts of a kind, such as `TopAbs_FACE` and `Face`, with their placement in a shape."""
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


@dataclass(slots=True)
class Segment:
    """A piece of an edge of a face, from one point of its triangles to the next."""

    key: Key
    at: Any
    """The edge in the parameters of the face."""
    first: int
    """The point at the first parameter."""


@dataclass(slots=True)
class Facets:
    """The triangles of a face."""

    surface: Surface | None
    """None of a face that has triangles alone."""
    is_reversed: bool
    points: Array
    """(N, 3)"""
    uv: Array
    """(N, 2)"""
    errors: Array
    """(N,) Distances of the points from the surface at their parameters."""
    triangles: NDArray[np.int64]
    """(M, 3)"""
    deflection: float
    """The distance that Open CASCADE states."""
    segments: dict[tuple[int, int], Segment] = field(default_factory=dict)
    """The sides of triangles that lie on edges, by their points, the lower one first."""


class Edge:
    """An edge of a shape."""

    def __init__(self, edge: Any, parameters: list[float]) -> None:
        self.edge = edge
        self.parameters = parameters
        """The parameters of the points on it: triangles of all its faces have them."""
        adaptor = importlib.import_module("OCP.BRepAdaptor").BRepAdaptor_Curve(edge)
        self._value = adaptor.Value
        self.is_straight = str(adaptor.GetType()).endswith("_Line")

    def point(self, parameter: float) -> Array:
        return np.array(self._value(parameter).Coord())

    def sag(self, start: float, end: float, ends: Array) -> float:
        """The largest distance measured of a piece from the segment between two points."""
        if self.is_straight:
            return 0.0
        at = np.array([self._value(start + (end - start) * share).Coord() for share in _SHARES])
        return float(from_segments(at, ends[:1].repeat(3, 0), ends[1:].repeat(3, 0)).max())


class Shape:
    """The faces and edges of shapes that have been meshed."""

    def __init__(self, shapes: Iterable[Any]) -> None:
        self.faces: list[Facets] = []
        self.edges: list[Edge] = []
        self._numbers: dict[int, list[int]] = {}
        self.failed = 0
        """Faces without triangles."""
        self.is_flat = True
        """Whether all faces are plane and all edges straight."""
        for shape in shapes:
            for face in explored(shape, "TopAbs_FACE", "Face"):
                self._add(face)

    def _add(self, face: Any) -> None:
        tool = importlib.import_module("OCP.BRep").BRep_Tool
        location = importlib.import_module("OCP.TopLoc").TopLoc_Location()
        found = tool.Triangulation_s(face, location)
        if found is None or not found.NbTriangles():
            self.failed += 1
            return
        points = _nodes(found, location)
        corners = [found.Triangle(i).Get() for i in range(1, found.NbTriangles() + 1)]
        surface, uv, errors = None, np.zeros((len(points), 2)), np.zeros(len(points))
        if found.HasUVNodes():
            surface = Surface(face)
            uv = np.array([found.UVNode(i + 1).Coord() for i in range(len(points))])
            errors = np.linalg.norm(surface.points(uv) - points, axis=1)
        one = Facets(
            surface=surface,
            is_reversed=face.Orientation() == importlib.import_module("OCP.TopAbs").TopAbs_REVERSED,
            points=points,
            uv=uv,
            errors=errors,
            triangles=np.array(corners, np.int64) - 1,
            deflection=float(found.Deflection()),
        )
        self.faces.append(one)
        self.is_flat = self.is_flat and surface is not None and surface.is_plane
        for edge in explored(face, "TopAbs_EDGE", "Edge"):
            if not tool.Degenerated_s(edge):
                self._add_edge(one, face, edge, tool.PolygonOnTriangulation_s(edge, found, location))

    def _add_edge(self, one: Facets, face: Any, edge: Any, polygon: Any) -> None:
        if polygon is None or not polygon.HasParameters():
            self.is_flat = self.is_flat and str(_curve(edge).GetType()).endswith("_Line")
            return
        nodes = [polygon.Node(i) - 1 for i in range(1, polygon.NbNodes() + 1)]
        number = self._number(edge, polygon)
        parameters = self.edges[number].parameters
        self.is_flat = self.is_flat and self.edges[number].is_straight
        # Other points on an edge than those of another face: the two cannot be refined together.
        if len(parameters) != len(nodes):
            return
        at = importlib.import_module("OCP.BRepAdaptor").BRepAdaptor_Curve2d(edge, face)
        for i in range(len(nodes) - 1):
            a, b = nodes[i], nodes[i + 1]
            key = (number, parameters[i], parameters[i + 1])
            one.segments[min(a, b), max(a, b)] = Segment(key, at, a)

    def _number(self, edge: Any, polygon: Any) -> int:
        same = self._numbers.setdefault(hash(edge), [])
        for number in same:
            if self.edges[number].edge.IsSame(edge):
                return number
        same.append(len(self.edges))
        self.edges.append(Edge(edge, [polygon.Parameter(i) for i in range(1, polygon.NbNodes() + 1)]))
        return same[-1]

    def joined(self) -> tuple[Array, NDArray[np.uint32]]:
        """The points and triangles of all faces. Faces share their points on edges: equal points are one, in
        the order of their first occurrence.

        Triangles that have two corners in one point are kept: they are points of the surface.
        """
        if not self.faces:
            return np.zeros((0, 3)), np.zeros((0, 3), np.uint32)
        starts = np.cumsum([0] + [len(one.points) for one in self.faces[:-1]])
        triangles = np.concatenate(
            [
                (one.triangles[:, ::-1] if one.is_reversed else one.triangles) + start
                for one, start in zip(self.faces, starts, strict=True)
            ]
        )
        # -0 and 0 are one coordinate.
        points = np.concatenate([one.points for one in self.faces]) + 0.0
        rows = np.ascontiguousarray(points).view([("", np.float64)] * 3).ravel()
        _, first, to = np.unique(rows, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return points[first[order]], rank[to.ravel()][triangles].astype(np.uint32)


def _curve(edge: Any) -> Any:
    return importlib.import_module("OCP.BRepAdaptor").BRepAdaptor_Curve(edge)


def _nodes(found: Any, location: Any) -> Array:
    placed = None if location.IsIdentity() else location.Transformation()
    nodes = np.empty((found.NbNodes(), 3))
    for i in range(found.NbNodes()):
        point = found.Node(i + 1)
        nodes[i] = (point if placed is None else point.Transformed(placed)).Coord()
    return nodes
