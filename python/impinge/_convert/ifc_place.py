"""Where an element of IFC is in the hierarchy: its path, storey, whole, and host."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_DEEPEST = 200
"""Levels of a hierarchy. Damaged files have circles."""


def label(element: Any) -> str:
    """The name of an element; of one without a name its class."""
    return _stated(element, "Name").strip() or str(element.is_a())


def guid_of(element: Any) -> str:
    """The GlobalId of an element; empty if it is damaged."""
    return _stated(element, "GlobalId")


def _stated(element: Any, attribute: str) -> str:
    # An attribute of a damaged file has another type.
    try:
        return str(getattr(element, attribute, None) or "")
    except RuntimeError:
        return ""


def whole_of(element: Any) -> Any | None:
    """The whole that the element is a part of: an aggregate, a nest, or the storey that contains it."""
    for relation in getattr(element, "Decomposes", None) or ():
        if getattr(relation, "RelatingObject", None) is not None:
            return relation.RelatingObject
    for relation in getattr(element, "Nests", None) or ():
        if getattr(relation, "RelatingObject", None) is not None:
            return relation.RelatingObject
    for relation in getattr(element, "ContainedInStructure", None) or ():
        if relation.RelatingStructure is not None:
            return relation.RelatingStructure
    return None


def _filled(element: Any) -> Any | None:
    """The element whose opening this one fills, or is."""
    for fills in getattr(element, "FillsVoids", None) or ():
        for voids in getattr(fills.RelatingOpeningElement, "VoidsElements", None) or ():
            return voids.RelatingBuildingElement
    for voids in getattr(element, "VoidsElements", None) or ():
        return voids.RelatingBuildingElement
    return None


class Places:
    """The hierarchy of a file."""

    def __init__(self) -> None:
        self._chains: dict[int, list[Any]] = {}
        self.circle: str | None = None
        """An element that contains itself, if a chain has one."""

    def chain(self, element: Any) -> list[Any]:
        """The containers of an element, from the root down, and then the element itself."""
        known = self._chains.get(element.id())
        if known is not None:
            return known
        chain, seen = [element], {element.id()}
        while len(chain) < _DEEPEST:
            up = whole_of(chain[0]) or _filled(chain[0])
            if up is None:
                break
            if up.id() in seen:
                self.circle = self.circle or f"{up.is_a()} {up.GlobalId} '{label(up)}'"
                break
            seen.add(up.id())
            chain.insert(0, up)
        self._chains[element.id()] = chain
        return chain

    def path(self, element: Any) -> str:
        """Names from the project to the element, joined by ``/``."""
        return "/".join(label(one).replace("/", "∕") for one in self.chain(element))

    def properties(self, element: Any) -> Iterator[tuple[str, str]]:
        """The storey, the aggregate that it belongs to, and the host whose opening it fills."""
        chain = self.chain(element)
        for up in reversed(chain):
            if up.is_a("IfcBuildingStorey"):
                yield "storey", label(up)
                break
        if len(chain) > 1 and not _is_spatial(chain[-2]) and whole_of(element) is not None:
            yield "aggregate", chain[-2].GlobalId
        # The frame and the glass of a window fill what the window fills.
        for up in reversed(chain):
            host = None if _is_spatial(up) else _filled(up)
            if host is not None:
                yield "host", host.GlobalId
                break


def _is_spatial(element: Any) -> bool:
    names = ("IfcProject", "IfcSpatialStructureElement", "IfcSpatialElement", "IfcProjectLibrary")
    return any(_is(element, name) for name in names)


def _is(element: Any, name: str) -> bool:
    # A schema without the class: an error for old schemas of ifcopenshell.
    try:
        return bool(element.is_a(name))
    except RuntimeError:
        return False
