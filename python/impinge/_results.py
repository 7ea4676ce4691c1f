"""Results of queries: small immutable classes, with numpy arrays where there are many numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import IntEnum, StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._core import _units

Floats = NDArray[np.float64]
Interval = tuple[float, float]


class RelationKind(StrEnum):
    """Relation of two bodies as sets of points.

    Examples
    --------
    >>> import impinge
    >>> overlap = impinge.results.RelationKind("overlap")
    >>> overlap is impinge.results.RelationKind.OVERLAP, overlap == "overlap"
    (True, True)
    """

    APART = "apart"
    """They have no point in common."""
    TOUCH = "touch"
    """Their surfaces meet, and no inside has a point of the other body."""
    OVERLAP = "overlap"
    """Their insides have points in common, and each has points outside of the other."""
    INSIDE = "inside"
    """The first is a part of the second, and smaller."""
    CONTAINS = "contains"
    """The second is a part of the first, and smaller."""
    DUPLICATE = "duplicate"
    """They are the same set of points, whatever their triangles."""
    PIERCE = "pierce"
    """One is a surface, and has points both inside and outside of the other, a solid."""
    SURFACE_INSIDE = "surface_inside"
    """One is a surface, and has points inside of the other, a solid, and none outside."""
    MEET = "meet"
    """Both are surfaces, and meet."""


CONTAINMENT = (RelationKind.INSIDE, RelationKind.CONTAINS)
"""Names of one relation, in one order of the parts and in the other; filters take both for one."""


class Closedness(StrEnum):
    """Whether a mesh bounds a solid."""

    CLOSED = "closed"
    """It does: every edge balances."""
    CLOSED_BY_EVEN_ODD = "closed_by_even_odd"
    """It does by the even-odd rule alone: triangles do not agree about which side is the front."""
    OPEN = "open"
    """Some edges do not balance: it is a surface."""
    NO_INTERIOR = "no_interior"
    """Nothing is left once equal triangles of opposite orientation cancel."""

    @property
    def is_closed(self) -> bool:
        """Whether there is an inside."""
        return self in (Closedness.CLOSED, Closedness.CLOSED_BY_EVEN_ODD)


class FillRule(StrEnum):
    """Which points are inside of a solid, by how often its mesh winds round them."""

    NONZERO = "nonzero"
    """Not 0 times: shells that overlap stay full, cavities are empty."""
    POSITIVE = "positive"
    """A positive number of times: what faces inwards is nothing."""
    EVEN_ODD = "even_odd"
    """An odd number of times: shells that overlap leave a hole where they do."""


class Certainty(StrEnum):
    """Certainty about two curved bodies whose triangles only approximate them."""

    CLEAR = "clear"
    """The true bodies are certainly farther apart."""
    POSSIBLE = "possible"
    """The triangles do not tell."""
    DEFINITE = "definite"
    """The true bodies are certainly that near, or their insides overlap."""


class Location(IntEnum):
    """Where a point lies."""

    OUTSIDE = 0
    """Outside."""
    INSIDE = 1
    """Inside of a solid, on no triangle of it."""
    ON_SURFACE = 2
    """On a triangle."""
    UNDEFINED = 3
    """On no triangle of a mesh that bounds no solid."""


def middle(lo: float, hi: float) -> float:
    """The middle of an interval: a number of it, without overflow."""
    return lo if lo == hi else lo + (hi - lo) / 2


class _Result:
    """Results are equal if all of their fields are, arrays and NaN included."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(_same(getattr(self, name), getattr(other, name)) for name in _names(self))

    __hash__ = None  # type: ignore[assignment]


def _names(result: Any) -> list[str]:
    return [field.name for field in fields(result)]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        if one is None or other is None:
            return one is other
        floats = one.dtype.kind == "f" and other.dtype.kind == "f"
        return bool(np.array_equal(one, other, equal_nan=floats))
    return bool(one == other)


@dataclass(frozen=True, slots=True, eq=False)
class Relation(_Result):
    """Relation of two bodies: see `relation`."""

    kind: RelationKind
    """The kind of relation."""
    touching: bool
    """Whether their surfaces meet."""
    witness: tuple[int, int] | None
    """A pair of triangles that meet, if there is one."""
    status: tuple[Closedness, Closedness]
    """Whether they are solids."""
    rules: tuple[FillRule, FillRule]
    """Which points are inside of them."""

    @property
    def overlaps(self) -> bool:
        """Whether their insides have a point in common; of a surface, whether it is inside of the other."""
        return self.kind not in (RelationKind.APART, RelationKind.TOUCH, RelationKind.MEET)


@dataclass(frozen=True, slots=True, eq=False)
class Depth(_Result):
    """A corner of one body that is inside of the other: see `Penetration`."""

    length: float
    """Lower bound of the distance from the corner to the border of the other body's inside.

    Walls and sheets within the inside do not count.
    """
    body: int
    """The body that has the corner: 0 for the first, 1 for the second."""
    vertex: int
    """Its number among that mesh's vertices."""


@dataclass(frozen=True, slots=True, eq=False)
class Penetration(_Result):
    """Penetration of two bodies, as volume, depth and translation: see `penetration`."""

    overlap_volume: Interval | None
    """Two numbers between which the volume lies of what is inside of both; None if it is not known."""
    interference_depth: Interval | None
    """Two numbers between which the interference depth lies: how deep the surface of either body reaches into
    the other. None if it is not known."""
    depth_at_least: Depth | None
    """A corner of one body inside of the other; None if there is none, or it is not known."""
    separating_translation: Floats | None
    """A translation of the second body that is proved to part both, of shape (3,)."""
    separating_distance: Interval | None
    """Bounds of the length of the shortest such translation: nearly equal for convex bodies. None if it is not
    known."""

    @property
    def volume(self) -> float | None:
        """The middle of `overlap_volume`."""
        return None if self.overlap_volume is None else middle(*self.overlap_volume)

    @property
    def direction(self) -> Floats | None:
        """The unit vector along `separating_translation`; None if that is zero, or not known."""
        by = self.separating_translation
        return None if by is None or not by.any() else _units(by[None])[0]


@dataclass(frozen=True, slots=True, eq=False)
class DistanceBounds(_Result):
    """A distance of two bodies' surfaces: see `distance`."""

    lo: float
    """The distance is not less,"""
    hi: float
    """and not more; 0 exactly if they meet."""
    triangles: tuple[int, int]
    """A triangle of each, which are as near as that."""
    points: Floats
    """The nearest points, rounded: of the first body and of the second, of shape (2, 3)."""

    @property
    def distance(self) -> float:
        """The middle of the interval."""
        return middle(self.lo, self.hi)

    @property
    def normal(self) -> Floats | None:
        """The unit vector from the first body's nearest point to the second's, rounded; None if they meet."""
        if self.hi == 0:
            return None
        return _units(self.points[1:] - self.points[:1])[0]


@dataclass(frozen=True, slots=True, eq=False)
class ClosestPoint(_Result):
    """The point of a surface that is nearest to a point: see `closest_point`."""

    lo: float
    """The distance is not less,"""
    hi: float
    """and not more; 0 exactly if the point is on the surface."""
    triangle: int
    """The triangle that it is of."""
    point: Floats
    """The nearest point, rounded, of shape (3,)."""

    @property
    def distance(self) -> float:
        """The middle of the interval."""
        return middle(self.lo, self.hi)


@dataclass(frozen=True, slots=True, eq=False)
class RayHit(_Result):
    """A triangle that a ray meets, and where: see `ray_first`."""

    triangle: int
    """The triangle."""
    enter: Interval
    """An interval that holds the least t at which the ray meets it."""
    leave: Interval
    """An interval that holds the greatest t: equal to `enter`, unless the ray runs within the triangle."""
    crossing: int
    """1 if the ray leaves through the triangle's front, -1 if it enters, 0 if it touches."""
    point: Floats
    """Where the ray meets it first, rounded: shape (3,)."""
    normal: Floats
    """The unit normal of the triangle in the world, rounded: shape (3,). NaN of a degenerate one."""

    @property
    def t(self) -> float:
        """The middle of `enter`, in lengths of the ray's direction."""
        return middle(*self.enter)


Feature = tuple[str, list[int]]


@dataclass(frozen=True, slots=True, eq=False)
class Line(_Result):
    """A line along which two surfaces meet: see `Curves`."""

    nodes: NDArray[np.uint32]
    """Numbers of nodes, in the order of the line. A closed one names its first node once."""
    closed: bool
    """Whether the last node is joined to the first."""
    kind: str
    """"crossing" of the insides of triangles, "edge" along edges, or "mixed"."""
    length: Interval
    """Two numbers between which its length lies."""
    bounds: Floats
    """The least and the greatest coordinates of its nodes: shape (2, 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch(_Result):
    """A plane part of both surfaces: see `Curves`."""

    pairs: NDArray[np.uint32]
    """The pairs of triangles whose common polygons make it up: shape (K, 2)."""
    normal: Floats
    """The unit normal of its first pair's triangle of the first body: shape (3,)."""
    area: Interval
    """Two numbers between which its area lies."""
    border: list[Line]
    """Its border: the outer one and those of holes, in no special order."""


@dataclass(frozen=True, slots=True, eq=False)
class Curves(_Result):
    """Where the surfaces of two bodies meet: see `curves`."""

    nodes: Floats
    """The points in which lines begin, end and bend, sorted: shape (N, 3)."""
    features: list[tuple[Feature, Feature]]
    """For each node its feature of either mesh: ("vertex", [v]), ("edge", [v, w]), ("triangle", [t])."""
    lines: list[Line]
    """Where surfaces cross, or touch along edges."""
    patches: list[Patch]
    """Where faces coincide."""
    points: NDArray[np.uint32]
    """The nodes at which surfaces meet in this point alone."""
    length: Interval
    """Two numbers between which the length of all lines lies."""
    area: Interval
    """Two numbers between which the area of all patches lies."""
    self_crossing: bool
    """Whether triangles that meet the other body meet their own mesh: lines may then cross between nodes."""


@dataclass(frozen=True, slots=True, eq=False)
class Boundary(_Result):
    """Where a surface is open: see `Model.boundaries`."""

    edges: int
    """Number of these edges."""
    edge: Floats
    """The ends of one of them: shape (2, 3)."""
    bounds: Floats
    """The least and the greatest coordinates of all ends: shape (2, 3)."""
    width: float
    """The longest side of the box around it."""


@dataclass(frozen=True, slots=True, eq=False)
class TreeStats(_Result):
    """Cost of a hierarchy: see `Model.stats`."""

    nodes: int
    """Inner nodes."""
    leaves: int
    """Leaves."""
    depth: int
    """Most links from the root to a leaf."""
    bytes: int
    """Memory, without the mesh."""
