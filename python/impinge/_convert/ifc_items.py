"""Items of a representation of IFC, and whether they have triangles.

ifcopenshell states an id of each triangle. It is that of the item for most classes, and that of a constituent
for others: of a shell of a surface model, of an element of a geometric set, of the root of a CSG tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_NO_SURFACE = (
    "IfcCurve",
    "IfcPoint",
    "IfcVector",
    "IfcDirection",
    "IfcPlacement",
    "IfcTextLiteral",
    "IfcAnnotationFillArea",
    "IfcPlanarExtent",
    "IfcLightSource",
    "IfcBoundingBox",
    "IfcGeometricCurveSet",
    # Topology of analyses, and pieces of alignments.
    "IfcVertex",
    "IfcEdge",
    "IfcLoop",
    "IfcPath",
    "IfcSegment",
)
"""Items of a representation that bound no part."""
_PIECES = {
    "IfcShellBasedSurfaceModel": "SbsmBoundary",
    "IfcFaceBasedSurfaceModel": "FbsmFaces",
    "IfcGeometricSet": "Elements",
}
"""The attribute with the pieces of an item that consists of several."""
_DEEPEST = 3
"""Levels of pieces. Files have one; damaged ones have circles."""


@dataclass(frozen=True, slots=True)
class Piece:
    """An item, or a constituent whose triangles have an id of their own."""

    entity: Any
    ids: frozenset[int]
    """Its own id, and those of the items that contain it."""

    def __str__(self) -> str:
        return f"#{self.entity.id()} {self.entity.is_a()}"


def items(representations: Iterable[Any] | None, seen: set[int] | None = None) -> Iterator[Any]:
    """All items of representations. Those of a mapped representation are there once, in place of its maps."""
    seen = set() if seen is None else seen
    for representation in representations or ():
        for item in representation.Items or ():
            if not item.is_a("IfcMappedItem"):
                yield item
                continue
            mapped = item.MappingSource.MappedRepresentation
            if mapped.id() not in seen:
                seen.add(mapped.id())
                yield from items([mapped], seen)


def has_surface(item: Any, depth: int = 0) -> bool:
    """Whether an item has an area, so that it should have triangles."""
    if item.is_a() == "IfcGeometricSet" and depth < _DEEPEST:
        return any(has_surface(one, depth + 1) for one in item.Elements or ())
    return not any(item.is_a(name) for name in _NO_SURFACE)


def pieces(item: Any, above: frozenset[int] = frozenset()) -> Iterator[Piece]:
    """The pieces of an item that should have triangles. `above` has the ids of what contains it."""
    ids = above | {item.id()}
    attribute = next((name for kind, name in _PIECES.items() if item.is_a(kind)), None)
    inner = getattr(item, attribute, None) if attribute is not None else None
    if not inner or len(above) > _DEEPEST:
        yield Piece(item, ids)
        return
    for one in inner:
        if has_surface(one):
            yield from pieces(one, ids)


def lost(model: Any, expected: list[Piece], meshed: frozenset[int]) -> list[Piece]:
    """The pieces without triangles, of those of one representation. `meshed` has the ids of triangles."""
    missing = [piece for piece in expected if not piece.ids & meshed]
    # An id that another piece has is no evidence: an operand of a Boolean result may be an item, too.
    others = meshed - {piece.entity.id() for piece in expected}
    if not others:
        return missing
    return [piece for piece in missing if others.isdisjoint(one.id() for one in model.traverse(piece.entity))]
