"""The mesh of an element of IFC: of its representations, the one of its body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._convert.ifc_items import Piece, has_surface, items, lost, pieces

_ORDER = ("body", "body-fallback", "facetation", "tessellation", "surface")
"""Identifiers of representations, from the best. Others, such as 'Clearance', come last."""
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Shape:
    """The mesh of a representation of an element."""

    representation: int
    """Its id, or that of the representation that it maps as a whole."""
    vertices: NDArray[np.float64]
    faces: NDArray[np.uint32]
    items: frozenset[int]
    """The ids that ifcopenshell states of its triangles."""
    pose: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Body:
    """The mesh of an element, and the pieces that it lost."""

    shape: Shape
    expected: int
    """The number of pieces that should have triangles; 0 if it is unknown."""
    lost: list[Piece]
    """The pieces without triangles."""
    others: list[str]
    """Identifiers of further representations with a mesh: other views of the element."""


def body_of(model: Any, element: Any, shapes: list[Shape]) -> Body | None:
    """The body of an element, of all that was meshed of it; None if it has one, and no mesh is of it."""
    # Threads finish in any order.
    shapes = sorted(shapes, key=lambda one: (one.representation, one.pose.tobytes()))
    expected, missing, others = 0, list[Piece](), list[str]()
    chosen: list[Shape] = []
    for group in _groups(element, shapes):
        rest = [one for one in shapes if not any(one is other for other in chosen)]
        # A clearance does not stand for a body that could not be meshed.
        if chosen or (missing and _rank(group[0]) == len(_ORDER)):
            others += [_identifier(one) for one in group if any(_is_of(shape, one) for shape in rest)]
            continue
        for representation in group:
            own = [one for one in rest if _is_of(one, representation)]
            # Without rounding, two meshes are joined only in one frame.
            here = [one for one in own if np.array_equal(one.pose, (chosen or own)[0].pose)]
            parts = _pieces(representation)
            expected += len(parts)
            meshed = frozenset[int]().union(*(one.items for one in here))
            missing += parts if len(here) < len(own) else lost(model, parts, meshed)
            chosen += here
    return Body(_joined(chosen), expected, missing, others) if chosen else None


def _identifier(representation: Any) -> str:
    return str(representation.RepresentationIdentifier or representation.RepresentationType or "").strip()


def _rank(representation: Any) -> int:
    name = _identifier(representation).lower()
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


def _groups(element: Any, shapes: list[Shape]) -> list[list[Any]]:
    """The representations with a surface, from the best. Those of one name and one context are one shape."""
    found: dict[tuple[int, bool, str, int], list[Any]] = {}
    for one in element.Representation.Representations or ():
        if not _pieces(one) and not any(_is_of(shape, one) for shape in shapes):
            continue
        context = one.ContextOfItems
        is_sketch = getattr(context, "TargetView", None) not in (None, "MODEL_VIEW")
        key = _rank(one), is_sketch, _identifier(one).lower(), 0 if context is None else context.id()
        found.setdefault(key, []).append(one)
    return [found[key] for key in sorted(found, key=lambda key: key[:2])]


def _pieces(representation: Any) -> list[Piece]:
    return [piece for item in items([representation]) if has_surface(item) for piece in pieces(item)]


def _is_of(shape: Shape, representation: Any) -> bool:
    """Whether a shape is of a representation. Of one that is a map, it may have the id of what is mapped."""
    for _ in range(_DEEPEST):
        if representation.id() == shape.representation:
            return True
        inside: tuple[Any, ...] = representation.Items or ()
        if len(inside) != 1 or not inside[0].is_a("IfcMappedItem"):
            return False
        representation = inside[0].MappingSource.MappedRepresentation
    return False


def _joined(shapes: list[Shape]) -> Shape:
    first = shapes[0]
    if len(shapes) == 1:
        return first
    counts = np.cumsum([0, *(len(one.vertices) for one in shapes)])
    faces = [one.faces + np.uint32(at) for one, at in zip(shapes, counts, strict=False)]
    vertices = np.concatenate([one.vertices for one in shapes])
    ids = frozenset[int]().union(*(one.items for one in shapes))
    return Shape(first.representation, vertices, np.concatenate(faces), ids, first.pose)
