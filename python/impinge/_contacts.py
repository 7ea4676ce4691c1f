"""Contacts between parts, and floating parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from impinge._core import _contact_graph, _floating
from impinge._records import CheckedPart, ReportLists

_Interval = tuple[float, float]
_Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Contact:
    """Two parts that have a point in common."""

    a: CheckedPart
    """The part with the smaller index."""
    b: CheckedPart
    """The other part."""
    counts: bool
    """Whether it is a finding."""
    relation: str | None
    """Relation of a to b; None if the check compared surfaces only."""
    dimension: str | None
    """Kind of their intersection: "point", "line", "area" or "volume"; None if it was not measured."""
    length: _Interval | None
    """Bounds of the length of all lines, where surfaces meet and insides do not."""
    area: _Interval | None
    """Bounds of the area of all patches, where surfaces meet and insides do not."""
    point: _Point
    """A point of both, rounded."""


class ContactGraph:
    """The parts of a report, and an edge between each two that have a point in common.

    Attributes
    ----------
    contacts : tuple of Contact
        The edges, in the order of the parts' indices.
    components : tuple of tuple of int
        Indices of parts that are connected, each component in the order of its first part.

    Examples
    --------
    >>> import impinge
    >>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    >>> mesh = impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> assembly = impinge.Assembly.from_meshes({"a": mesh, "b": mesh, "c": mesh})
    >>> assembly.set_pose("b", [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> assembly.set_pose("c", [[1, 0, 0, 9], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> graph = assembly.check(measure=impinge.check.Measure(contacts=True)).contact_graph()
    >>> [(contact.a.name, contact.b.name, contact.dimension) for contact in graph]
    [('a', 'b', 'point')]
    >>> graph.components
    ((0, 1), (2,))
    """

    __slots__ = ("_names", "components", "contacts")

    contacts: tuple[Contact, ...]
    components: tuple[tuple[int, ...], ...]

    def __init__(self, report: ReportLists) -> None:
        edges, components = _contact_graph(report._native)
        parts = report.parts
        contacts = []
        for a, b, counts, relation, dimension, sizes, point in edges:
            length, area = (None, None) if sizes is None else sizes
            contacts.append(
                Contact(parts[a], parts[b], counts, relation, dimension, length, area, point)
            )
        self.contacts = tuple(contacts)
        self.components = tuple(tuple(component) for component in components)
        self._names = [part.name for part in parts]

    def __len__(self) -> int:
        return len(self.contacts)

    def __iter__(self) -> Iterator[Contact]:
        return iter(self.contacts)

    def edges(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The edges as ``networkx.Graph.add_edges_from`` takes them: two indices and the data of a contact."""
        names = ("counts", "relation", "dimension", "length", "area", "point")
        return [
            (contact.a.index, contact.b.index, {name: getattr(contact, name) for name in names})
            for contact in self.contacts
        ]

    def to_networkx(self) -> Any:
        """A ``networkx.Graph`` of the indices of parts, whose nodes have a ``name``. It needs networkx."""
        try:
            # By its name: it has no types of its own.
            networkx: Any = import_module("networkx")
        except ImportError as why:
            raise ImportError("ContactGraph.to_networkx needs networkx: pip install networkx") from why
        graph = networkx.Graph()
        graph.add_nodes_from((i, {"name": name}) for i, name in enumerate(self._names))
        graph.add_edges_from(self.edges())
        return graph

    def __repr__(self) -> str:
        return f"ContactGraph({len(self)} contacts, {len(self.components)} components)"


@dataclass(frozen=True, slots=True)
class Floating:
    """A part, or a group of parts that hold each other, that touches nothing else."""

    parts: tuple[CheckedPart, ...]
    """Its parts."""
    nearest: tuple[CheckedPart, CheckedPart] | None
    """Its part that is nearest to another one, and that one; None if there is no other."""
    gap: _Interval | None
    """Bounds of their distance: equal, or neighbouring numbers."""
    points: tuple[_Point, _Point] | None
    """The nearest points of both, rounded."""


def floating(report: ReportLists) -> list[Floating] | None:
    """Groups that float, if the check looked for them."""
    found = _floating(report._native)
    if found is None:
        return None
    parts = report.parts
    groups = []
    for members, nearest in found:
        own = tuple(parts[i] for i in members)
        if nearest is None:
            groups.append(Floating(own, None, None, None))
        else:
            part, other, gap, points = nearest
            groups.append(Floating(own, (parts[part], parts[other]), gap, points))
    return groups
