"""Measures how far the triangles of a shape are from its surfaces, and divides those that are too far.

The distance is measured at 13 places of each triangle and at 3 of each piece of an edge, both ways: of the
surface from the triangles, and of the triangles from the surface. Sides on an edge are divided at a point of
its curve, in all faces of the edge, so that a closed mesh stays closed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from impinge._convert.step_facets import Facets, Key, Segment, Shape
from impinge._convert.step_surface import Array, Surface, from_triangles

ROUNDS = 16
"""A round halves the sides of triangles."""
GROWTH = 4
"""Triangles may become so many times as many, and `MOST` more."""
MOST = 50_000

_SIDE = np.array([0.25, 0.5, 0.75])
_INNER = np.array([[2, 1, 1], [1, 2, 1], [1, 1, 2], [4 / 3, 4 / 3, 4 / 3]]) / 4


@dataclass(slots=True)
class _Measure:
    """Distances of the triangles of a face from its surface."""

    pairs: NDArray[np.int64]
    """(S, 2) The points of the sides, the lower one first."""
    sides: NDArray[np.int64]
    """(M, 3) Rows of `pairs`: of corners 0 and 1, 1 and 2, 2 and 0."""
    of_sides: Array
    """(S,) The largest distances on the sides."""
    of_insides: Array
    """(M,) The largest distances inside the triangles."""
    segments: dict[int, Segment] = field(default_factory=dict)
    """The rows of sides that lie on edges."""

    def largest(self) -> float:
        return float(max(self.of_sides.max(initial=0), self.of_insides.max(initial=0)))


def refine(shape: Shape, target: float) -> float:
    """Divide triangles that are farther than `target`, and return the largest distance that remains."""
    refinement = _Refinement(shape, target)
    for _ in range(ROUNDS):
        if not refinement.divide():
            break
    measured = [one.largest() for one in refinement.measures]
    return max([*measured, *(float(one.errors.max(initial=0)) for one in shape.faces)], default=0.0)


class _Refinement:
    def __init__(self, shape: Shape, target: float) -> None:
        self._shape = shape
        self._target = target
        self._sags: dict[Key, float] = {}
        self._locked: set[Key] = set()
        """Sides on edges that are not divided, as a triangle would turn over."""
        self._most = GROWTH * sum(len(one.triangles) for one in shape.faces) + MOST
        self.measures = [self._measured(one) for one in shape.faces]

    def _measured(self, one: Facets) -> _Measure:
        both = np.sort(one.triangles[:, [[0, 1], [1, 2], [2, 0]]], axis=2).reshape(-1, 2)
        count = len(one.points)
        keys, first, to = np.unique(both[:, 0] * count + both[:, 1], return_index=True, return_inverse=True)
        pairs, sides = both[first], to.reshape(-1, 3)
        insides = np.zeros(len(sides))
        if one.surface is None:
            found = _Measure(pairs, sides, np.full(len(pairs), one.deflection), insides)
        elif one.surface.is_plane:
            found = _Measure(pairs, sides, one.errors[pairs].max(axis=1), insides)
        else:
            found = _sampled(one, one.surface, pairs, sides, self._target)
        for pair, segment in one.segments.items():
            if segment.key not in self._sags:
                number, start, end = segment.key
                self._sags[segment.key] = self._shape.edges[number].sag(start, end, one.points[list(pair)])
            row = int(np.searchsorted(keys, pair[0] * count + pair[1]))
            if row < len(keys) and keys[row] == pair[0] * count + pair[1]:
                found.of_sides[row] = max(found.of_sides[row], self._sags[segment.key])
                found.segments[row] = segment
        return found

    def divide(self) -> bool:
        """Divide the triangles that are too far, once. False if that is not possible."""
        faces = list(zip(self._shape.faces, self.measures, strict=True))
        while True:
            marks = [self._marked(face, found) for face, found in faces]
            if not any(one.any() for one in marks):
                return False
            self._spread(marks)
            pieces = [
                _divided(self._shape, face, found, marked) if marked.any() else None
                for (face, found), marked in zip(faces, marks, strict=True)
            ]
            turned = {key for one in pieces if one is not None for key in one.turned}
            if turned <= self._locked:
                break
            self._locked |= turned
        counts = (len((new or face).triangles) for (face, _), new in zip(faces, pieces, strict=True))
        if sum(counts) > self._most:
            return False
        for i, new in enumerate(pieces):
            if new is not None:
                new.store(self._shape.faces[i])
                self.measures[i] = self._measured(self._shape.faces[i])
        return True

    def _marked(self, one: Facets, found: _Measure) -> NDArray[np.bool_]:
        """The sides to divide."""
        if one.surface is None:
            return np.zeros(len(found.pairs), np.bool_)
        lengths = np.linalg.norm(one.points[found.pairs[:, 0]] - one.points[found.pairs[:, 1]], axis=1)
        can = np.bincount(found.sides.ravel(), minlength=len(found.pairs)) == 2
        for row, segment in found.segments.items():
            can[row] = segment.key not in self._locked
        can &= lengths > self._target
        # No division moves the points of edges onto a surface.
        marked = can & (found.of_sides > self._target + one.errors[found.pairs].max(axis=1))
        far = found.of_insides > self._target + one.errors[one.triangles].max(axis=1)
        far &= ~marked[found.sides].any(axis=1)
        sides = found.sides[far & (found.of_insides > 2 * self._target)]
        marked[sides[can[sides]]] = True
        candidates = np.where(can, lengths, 0)[found.sides[far]]
        longest = found.sides[far, candidates.argmax(axis=1)]
        marked[longest[can[longest]]] = True
        return marked

    def _spread(self, marks: list[NDArray[np.bool_]]) -> None:
        """Mark the sides on an edge in all its faces."""
        keys = {
            found.segments[int(row)].key
            for found, marked in zip(self.measures, marks, strict=True)
            for row in np.flatnonzero(marked)
            if int(row) in found.segments
        }
        for found, marked in zip(self.measures, marks, strict=True):
            for row, segment in found.segments.items():
                if segment.key in keys:
                    marked[row] = True


def _sampled(
    one: Facets, surface: Surface, pairs: NDArray[np.int64], sides: NDArray[np.int64], target: float
) -> _Measure:
    """Compare triangles with a surface, at places that they share with it by its parameters."""
    a, b = pairs[:, 0], pairs[:, 1]
    shares = _SIDE[None, :, None]
    uv = one.uv[a][:, None] * (1 - shares) + one.uv[b][:, None] * shares
    points = one.points[a][:, None] * (1 - shares) + one.points[b][:, None] * shares
    corners = one.points[one.triangles]
    of_sides, at = _apart(surface, uv, points, target)
    # A point of the surface may be nearer to another place of the triangles at this side.
    far = of_sides.distance > target
    near = np.full(far.shape, np.inf)
    for side in range(3):
        triangles, samples = np.nonzero(far[sides[:, side]])
        rows = sides[triangles, side]
        np.minimum.at(near, (rows, samples), from_triangles(at[rows, samples], corners[triangles]))
    largest = np.where(far, np.maximum(near, of_sides.from_surface), of_sides.distance).max(axis=1)
    uv = np.einsum("kc,tcd->tkd", _INNER, one.uv[one.triangles])
    points = np.einsum("kc,tcd->tkd", _INNER, corners)
    of_insides, at = _apart(surface, uv, points, target)
    far = of_insides.distance > target
    triangles, samples = np.nonzero(far)
    inner = of_insides.distance
    near = from_triangles(at[triangles, samples], corners[triangles])
    inner[far] = np.maximum(near, of_insides.from_surface[far])
    return _Measure(pairs, sides, largest, inner.max(axis=1))


@dataclass(slots=True)
class _Apart:
    """Places of triangles and of a surface."""

    distance: Array
    """The distance of the two places: a bound of both distances."""
    from_surface: Array
    """Where that is larger than the target, how far the place of the triangle is from the surface."""


def _apart(surface: Surface, uv: Array, points: Array, target: float) -> tuple[_Apart, Array]:
    at = surface.points(uv.reshape(-1, 2)).reshape(points.shape)
    distance = np.linalg.norm(at - points, axis=2)
    far = distance > target
    from_surface = np.zeros_like(distance)
    from_surface[far] = np.minimum(surface.distances(points[far], uv[far]), distance[far])
    return _Apart(distance, from_surface), at


@dataclass(slots=True)
class _Division:
    """The points and triangles of a face after a division."""

    points: Array
    uv: Array
    errors: Array
    triangles: NDArray[np.int64]
    segments: dict[tuple[int, int], Segment]
    turned: set[Key]
    """Sides on edges of triangles that turn over in the parameters."""

    def store(self, one: Facets) -> None:
        one.points, one.uv, one.errors = self.points, self.uv, self.errors
        one.triangles, one.segments = self.triangles, self.segments


def _divided(shape: Shape, one: Facets, found: _Measure, marked: NDArray[np.bool_]) -> _Division:
    assert one.surface is not None
    rows = np.flatnonzero(marked)
    ends = found.pairs[rows]
    uv = one.uv[ends].mean(axis=1)
    points = one.surface.points(uv)
    segments = dict(one.segments)
    middles = np.full(len(found.pairs), -1)
    middles[rows] = len(one.points) + np.arange(len(rows))
    for i, row in enumerate(rows.tolist()):
        segment = found.segments.get(row)
        if segment is None:
            continue
        number, start, end = segment.key
        middle = (start + end) / 2
        points[i] = shape.edges[number].point(middle)
        exact = np.array(segment.at.Value(middle).Coord())
        # A seam has two curves in the parameters, a period apart: this may be the other one.
        if np.linalg.norm(exact - uv[i]) <= np.linalg.norm(one.uv[ends[i, 1]] - one.uv[ends[i, 0]]) / 2:
            uv[i] = exact
        a, b = found.pairs[row].tolist()
        first, last = (a, b) if segment.first == a else (b, a)
        del segments[a, b]
        new = int(middles[row])
        segments[first, new] = Segment((number, start, middle), segment.at, first)
        segments[last, new] = Segment((number, middle, end), segment.at, new)
    errors = np.linalg.norm(one.surface.points(uv) - points, axis=1)
    division = _Division(
        points=np.concatenate([one.points, points]),
        uv=np.concatenate([one.uv, uv]),
        errors=np.concatenate([one.errors, errors]),
        triangles=one.triangles,
        segments=segments,
        turned=set(),
    )
    division.triangles, parents = _split(one.triangles, middles[found.sides], division.points)
    before, after = _areas(one.uv[one.triangles])[parents], _areas(division.uv[division.triangles])
    for triangle in np.unique(parents[after * np.sign(before) < -1e-9 * np.abs(before)]).tolist():
        for row in found.sides[triangle].tolist():
            if marked[row] and row in found.segments:
                division.turned.add(found.segments[row].key)
    return division


def _areas(uv: Array) -> Array:
    a, b = uv[:, 1] - uv[:, 0], uv[:, 2] - uv[:, 0]
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _split(
    triangles: NDArray[np.int64], middles: NDArray[np.int64], points: Array
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Triangles in place of those with points on their sides (-1 for none), and the rows of these."""
    counts = (middles >= 0).sum(axis=1)
    new, parents = [triangles[counts == 0]], [np.flatnonzero(counts == 0)]

    def add(rows: NDArray[np.int64], *corners: NDArray[np.int64]) -> None:
        new.append(np.stack(corners, axis=1))
        parents.append(rows)

    def turned(rows: NDArray[np.int64], first: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """Corners and middles, from a corner on."""
        order = (first[:, None] + np.arange(3)) % 3
        corners = np.take_along_axis(triangles[rows], order, axis=1)
        return (*corners.T, *np.take_along_axis(middles[rows], order, axis=1).T)

    rows = np.flatnonzero(counts == 1)
    a, b, c, m, _, _ = turned(rows, (middles[rows] >= 0).argmax(axis=1))
    add(rows, a, m, c)
    add(rows, m, b, c)
    rows = np.flatnonzero(counts == 2)
    # From the corner after the side that stays whole.
    a, b, c, m, n, _ = turned(rows, ((middles[rows] < 0).argmax(axis=1) + 1) % 3)
    add(rows, m, b, n)
    one, other = np.linalg.norm(points[a] - points[n], axis=1), np.linalg.norm(points[m] - points[c], axis=1)
    is_one = one <= other
    add(rows[is_one], a[is_one], m[is_one], n[is_one])
    add(rows[is_one], a[is_one], n[is_one], c[is_one])
    is_other = ~is_one
    add(rows[is_other], a[is_other], m[is_other], c[is_other])
    add(rows[is_other], m[is_other], n[is_other], c[is_other])
    rows = np.flatnonzero(counts == 3)
    a, b, c, m, n, o = turned(rows, np.zeros(len(rows), np.int64))
    for corners in ((a, m, o), (m, b, n), (o, n, c), (m, n, o)):
        add(rows, *corners)
    return np.concatenate(new), np.concatenate(parents)
