"""Results of queries of many poses, points or rays: arrays with an entry for each.

A batch is a sequence: an index makes the result of the single query, a slice, a mask or an array of indices a
smaller batch, and iteration goes through single results.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Generic, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from impinge._core import _lengths, _units
from impinge._results import (
    Closedness,
    ClosestPoint,
    Depth,
    FillRule,
    Floats,
    DistanceBounds,
    Penetration,
    RayHit,
    Relation,
    RelationKind,
    _Result,
)

One = TypeVar("One", covariant=True)
Rows = slice | NDArray[Any] | list[Any]

KINDS = np.array([str(kind) for kind in RelationKind])
"""Kinds by the numbers that the module has for them."""


class _Batch(_Result, Generic[One]):
    """Arrays with a row for each question."""

    __slots__ = ()

    def __len__(self) -> int:
        first: NDArray[Any] = getattr(self, fields(self)[0].name)  # type: ignore[arg-type]
        return len(first)

    def _one(self, i: int) -> One:
        raise NotImplementedError

    @overload
    def __getitem__(self, i: int) -> One: ...
    @overload
    def __getitem__(self, i: Rows) -> Self: ...
    def __getitem__(self, i: int | Rows) -> One | Self:
        if isinstance(i, slice | np.ndarray | list):
            return type(self)(*(_part(getattr(self, field.name), i) for field in fields(self)))  # type: ignore[arg-type]
        i, n = operator.index(i), len(self)
        if not -n <= i < n:
            raise IndexError(f"entry {i} of {n}")
        return self._one(i % n)

    def __iter__(self) -> Iterator[One]:
        return (self._one(i) for i in range(len(self)))


def _part(field: Any, rows: Any) -> Any:
    # A field that is not an array holds for all rows.
    return field[rows] if isinstance(field, np.ndarray) else field


def _middles(lo: Floats, hi: Floats) -> Floats:
    return np.asarray(np.where(lo == hi, lo, lo + (hi - lo) / 2))


@dataclass(frozen=True, slots=True, eq=False)
class Gaps(_Batch[DistanceBounds | None]):
    """Many distances: see `distance_at`. Where there is none, numbers are NaN, triangles -1."""

    lo: Floats
    """The distances are not less: shape (P,)."""
    hi: Floats
    """And not more: shape (P,)."""
    triangles: NDArray[np.int64]
    """A triangle of each body: shape (P, 2)."""
    points: Floats
    """The nearest points: shape (P, 2, 3)."""

    @property
    def distance(self) -> Floats:
        """The middles of the intervals: shape (P,)."""
        return _middles(self.lo, self.hi)

    @property
    def normal(self) -> Floats:
        """Unit vectors from the first body's nearest point to the second's: shape (P, 3); NaN if they meet."""
        normals = _units(self.points[:, 1] - self.points[:, 0])
        normals[self.hi == 0] = np.nan
        return normals

    def _one(self, i: int) -> DistanceBounds | None:
        if self.triangles[i, 0] < 0:
            return None
        first, second = (int(t) for t in self.triangles[i])
        return DistanceBounds(float(self.lo[i]), float(self.hi[i]), (first, second), self.points[i])


@dataclass(frozen=True, slots=True, eq=False)
class ClosestPoints(_Batch[ClosestPoint | None]):
    """Nearest points of a surface: see `closest_points`. Where there is none, numbers are NaN, triangles -1."""

    lo: Floats
    """The distances are not less: shape (P,)."""
    hi: Floats
    """And not more: shape (P,)."""
    triangles: NDArray[np.int64]
    """The triangles: shape (P,)."""
    points: Floats
    """The nearest points: shape (P, 3)."""

    @property
    def distance(self) -> Floats:
        """The middles of the intervals: shape (P,)."""
        return _middles(self.lo, self.hi)

    def _one(self, i: int) -> ClosestPoint | None:
        if self.triangles[i] < 0:
            return None
        return ClosestPoint(float(self.lo[i]), float(self.hi[i]), int(self.triangles[i]), self.points[i])


@dataclass(frozen=True, slots=True, eq=False)
class NearestBodies(_Batch[tuple[int, ClosestPoint] | None]):
    """See `Scene.nearest_bodies`. Where there is none, numbers are NaN, bodies and triangles -1.

    An entry is the body, and its nearest point.
    """

    bodies: NDArray[np.int64]
    """The nearest bodies: shape (P,)."""
    lo: Floats
    """The distances are not less: shape (P,)."""
    hi: Floats
    """And not more: shape (P,)."""
    triangles: NDArray[np.int64]
    """The triangles of these bodies: shape (P,)."""
    points: Floats
    """The nearest points: shape (P, 3)."""

    @property
    def distance(self) -> Floats:
        """The middles of the intervals: shape (P,)."""
        return _middles(self.lo, self.hi)

    def _one(self, i: int) -> tuple[int, ClosestPoint] | None:
        if self.bodies[i] < 0:
            return None
        lo, hi, triangle = float(self.lo[i]), float(self.hi[i]), int(self.triangles[i])
        return int(self.bodies[i]), ClosestPoint(lo, hi, triangle, self.points[i])


@dataclass(frozen=True, slots=True, eq=False)
class SceneGaps(_Batch[tuple[float, float]]):
    """Nearest bodies of a scene in many configurations: see `Scene.distance_at`. An entry is an interval.

    Where there is none, numbers are NaN, bodies -1.
    """

    lo: Floats
    """The distances are not less: shape (P,)."""
    hi: Floats
    """And not more: shape (P,)."""
    bodies: NDArray[np.int64]
    """The two bodies, the smaller number first: shape (P, 2)."""

    @property
    def distance(self) -> Floats:
        """The middles of the intervals: shape (P,)."""
        return _middles(self.lo, self.hi)

    def _one(self, i: int) -> tuple[float, float]:
        return float(self.lo[i]), float(self.hi[i])


@dataclass(frozen=True, slots=True, eq=False)
class SignedDistances(_Batch[tuple[float, float]]):
    """Distances of points to a solid, negative inside: see `signed_distance`. An entry is an interval."""

    lo: Floats
    """The signed distances are not less: shape (P,)."""
    hi: Floats
    """And not more: shape (P,)."""
    triangles: NDArray[np.int64]
    """The nearest triangles: shape (P,)."""
    points: Floats
    """The nearest points of the surface: shape (P, 3)."""

    @property
    def distance(self) -> Floats:
        """The middles of the intervals: shape (P,)."""
        return _middles(self.lo, self.hi)

    def _one(self, i: int) -> tuple[float, float]:
        return float(self.lo[i]), float(self.hi[i])


@dataclass(frozen=True, slots=True, eq=False)
class RayHits(_Batch[RayHit | None]):
    """First hits of many rays: see `ray_first_each`. Where there is none, numbers are NaN, triangles -1."""

    triangles: NDArray[np.int64]
    """The triangles: shape (R,)."""
    enter: Floats
    """Intervals that hold the least t: shape (R, 2)."""
    leave: Floats
    """Intervals that hold the greatest t: shape (R, 2)."""
    crossing: NDArray[np.int8]
    """1 if the ray leaves through the triangle's front, -1 if it enters, 0 if it touches: shape (R,)."""
    point: Floats
    """Where rays meet the triangles first, rounded: shape (R, 3)."""
    normal: Floats
    """The unit normals of the triangles in the world, rounded: shape (R, 3)."""

    @property
    def t(self) -> Floats:
        """The middles of `enter`: shape (R,)."""
        return _middles(self.enter[:, 0], self.enter[:, 1])

    def replaced(self, which: NDArray[np.bool_], other: RayHits) -> RayHits:
        """These hits, with those of `other`, of the same rays, where the mask `which` is true."""
        new = []
        for field in fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            new.append(np.where(which.reshape(-1, *(1,) * (mine.ndim - 1)), theirs, mine))
        return RayHits(*new)

    def _one(self, i: int) -> RayHit | None:
        if self.triangles[i] < 0:
            return None
        enter, leave = ((float(lo), float(hi)) for lo, hi in (self.enter[i], self.leave[i]))
        crossing = int(self.crossing[i])
        return RayHit(int(self.triangles[i]), enter, leave, crossing, self.point[i], self.normal[i])


@dataclass(frozen=True, slots=True, eq=False)
class Relations(_Batch[Relation]):
    """Relations of two models at many poses: see `relation_at`."""

    code: NDArray[np.uint8]
    """The kinds of relations, by their places in `RelationKind`: shape (P,)."""
    touching: NDArray[np.bool_]
    """Whether their surfaces meet: shape (P,)."""
    witness: NDArray[np.int64]
    """A pair of triangles that meet, or -1 twice: shape (P, 2)."""
    status: tuple[Closedness, Closedness]
    """Whether they are solids."""
    rules: tuple[FillRule, FillRule]
    """Which points are inside of them."""

    @property
    def kind(self) -> NDArray[np.str_]:
        """The kinds of relations, by their names: shape (P,)."""
        return KINDS[self.code]

    @property
    def overlaps(self) -> NDArray[np.bool_]:
        """Whether their insides have a point in common: shape (P,). See `Relation.overlaps`."""
        return ~np.isin(self.kind, [RelationKind.APART, RelationKind.TOUCH, RelationKind.MEET])

    def _one(self, i: int) -> Relation:
        first, second = (int(t) for t in self.witness[i])
        kind = RelationKind(str(self.kind[i]))
        witness = None if first < 0 else (first, second)
        return Relation(kind, bool(self.touching[i]), witness, self.status, self.rules)


@dataclass(frozen=True, slots=True, eq=False)
class Penetrations(_Batch[Penetration]):
    """Penetration of two bodies at many poses: see `penetration_at`. NaN stands for unknown values."""

    overlap_volume: Floats
    """Numbers between which the volumes in common lie: shape (P, 2)."""
    interference_depth: Floats
    """Numbers between which the interference depths lie: shape (P, 2)."""
    depth_at_least: Floats
    """Lengths below which no translation parts the bodies: shape (P,). NaN if no corner is inside."""
    corner: NDArray[np.int64]
    """The corners behind `depth_at_least`: body (0 or 1) and vertex; -1 twice if none. Shape (P, 2)."""
    separating_translation: Floats
    """Translations of the second body that are proved to part both: shape (P, 3). Zero if they are apart."""
    separating_distance: Floats
    """Numbers between which the lengths of the shortest such translations lie: shape (P, 2)."""

    @property
    def volume(self) -> Floats:
        """The middles of `overlap_volume`: shape (P,)."""
        return _middles(self.overlap_volume[:, 0], self.overlap_volume[:, 1])

    @property
    def direction(self) -> Floats:
        """Unit vectors along `separating_translation`: shape (P, 3); NaN where that is 0 or unknown."""
        return _units(self.separating_translation)

    @property
    def length(self) -> Floats:
        """Lengths of `separating_translation`: no less than the penetration depth. Shape (P,)."""
        return _lengths(self.separating_translation, up=True)

    def _one(self, i: int) -> Penetration:
        lo, hi = (float(x) for x in self.overlap_volume[i])
        least, most = (float(x) for x in self.interference_depth[i])
        body, vertex = (int(k) for k in self.corner[i])
        by = self.separating_translation[i]
        shortest, found = (float(x) for x in self.separating_distance[i])
        return Penetration(
            None if np.isnan(lo) else (lo, hi),
            None if np.isnan(least) else (least, most),
            None if body < 0 else Depth(float(self.depth_at_least[i]), body, vertex),
            None if np.isnan(by[0]) else by,
            None if np.isnan(found) else (shortest, found),
        )


class _Lists(_Result, Generic[One]):
    """Lists of many questions, one behind the other, and where they start."""

    __slots__ = ()

    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """Lengths of the lists: shape (P,)."""
        return np.diff(self.starts)

    def _rows(self, i: int) -> slice:
        i, n = operator.index(i), len(self)
        if not -n <= i < n:
            raise IndexError(f"list {i} of {n}")
        i %= n
        return slice(int(self.starts[i]), int(self.starts[i + 1]))

    def _chosen(self, which: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The rows of some of the lists, and where each of these begins."""
        numbers = np.arange(len(self))[which]
        counts = self.counts[numbers]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        rows = np.repeat(self.starts[numbers] - starts[:-1], counts) + np.arange(starts[-1])
        return rows.astype(np.int64), starts


@dataclass(frozen=True, slots=True, eq=False)
class PairLists(_Lists[NDArray[np.uint32]]):
    """Pairs of triangles of many questions, one list behind the other: see `pairs_at`."""

    pairs: NDArray[np.uint32]
    """The pairs of all lists: shape (K, 2)."""
    starts: NDArray[np.int64]
    """Where each list begins in `pairs`, and at last where the last one ends: shape (P + 1,)."""

    @overload
    def __getitem__(self, i: int) -> NDArray[np.uint32]: ...
    @overload
    def __getitem__(self, i: Rows) -> PairLists: ...
    def __getitem__(self, i: int | Rows) -> NDArray[np.uint32] | PairLists:
        if isinstance(i, slice | np.ndarray | list):
            rows, starts = self._chosen(i)
            return PairLists(self.pairs[rows], starts)
        return self.pairs[self._rows(i)]

    def __iter__(self) -> Iterator[NDArray[np.uint32]]:
        return (self.pairs[self._rows(i)] for i in range(len(self)))


@dataclass(frozen=True, slots=True, eq=False)
class RayHitLists(_Lists[RayHits]):
    """All hits of many rays, one list behind the other: see `ray_all_each`."""

    hits: RayHits
    """The hits of all rays."""
    starts: NDArray[np.int64]
    """Where the list of each ray begins in `hits`, and at last where the last one ends: shape (R + 1,)."""

    @overload
    def __getitem__(self, i: int) -> RayHits: ...
    @overload
    def __getitem__(self, i: Rows) -> RayHitLists: ...
    def __getitem__(self, i: int | Rows) -> RayHits | RayHitLists:
        if isinstance(i, slice | np.ndarray | list):
            rows, starts = self._chosen(i)
            return RayHitLists(self.hits[rows], starts)
        return self.hits[self._rows(i)]

    def __iter__(self) -> Iterator[RayHits]:
        return (self.hits[self._rows(i)] for i in range(len(self)))
