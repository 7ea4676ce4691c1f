"""Contacts and distances of placed solids: each number is computed when it is read."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from impinge._core import _deep, _first_pairs, _held, _meet, _pair_contacts, _Solid

Floats = NDArray[np.float64]
_Deep = tuple[Floats, float, Floats, Floats, tuple[int, int] | None]


class One:
    """The one contact of two solids: both full, one round, or a surface inside of a full one."""

    __slots__ = ("_found", "_solids")

    def __init__(self, a: _Solid, b: _Solid) -> None:
        self._solids = a, b
        self._found: _Deep | None = None

    def _all(self) -> _Deep:
        if self._found is None:
            a, b = self._solids
            is_deep = (a.is_full and b.is_full) or a.is_round or b.is_round
            self._found = _deep(a, b) if is_deep else _held(a, b)
        return self._found

    def triangles(self, k: int) -> tuple[int, int]:
        """A face of each."""
        normal, faces = self._all()[0], self._all()[4]
        return faces_along(self._solids, normal) if faces is None else faces

    def normal(self, k: int) -> Floats:
        """The direction from the first to the second in which they part."""
        return self._all()[0]

    def depth(self, k: int) -> float:
        """How far they have to move to part."""
        return self._all()[1]

    def point(self, k: int) -> Floats:
        """A point of both."""
        return self._all()[2]


class Many:
    """Contacts of two surfaces: one for each pair of triangles that meet."""

    __slots__ = ("_found", "_pairs", "_solids")

    def __init__(self, a: _Solid, b: _Solid, pairs: NDArray[np.uint32]) -> None:
        self._solids, self._pairs = (a, b), pairs
        self._found: tuple[Floats, Floats, Floats] | None = None

    def _all(self) -> tuple[Floats, Floats, Floats]:
        if self._found is None:
            self._found = _pair_contacts(*self._solids, self._pairs)
        return self._found

    def triangles(self, k: int) -> tuple[int, int]:
        """A face of each."""
        first, second = self._pairs[k].tolist()
        return first, second

    def normal(self, k: int) -> Floats:
        """The direction from the first to the second in which the two triangles part."""
        normal: Floats = self._all()[1][k]
        return normal

    def depth(self, k: int) -> float:
        """How far the triangles have to move along it to part."""
        return float(self._all()[2][k])

    def point(self, k: int) -> Floats:
        """A point of both."""
        point: Floats = self._all()[0][k]
        return point


Contacts = One | Many


def faces_along(solids: tuple[_Solid, _Solid], normal: Floats) -> tuple[int, int]:
    """The faces of two solids that look towards each other the most."""
    return solids[0].face_along(normal), solids[1].face_along(-normal)


def contacts(
    a: _Solid, b: _Solid, most: int | None = None, known: bool = False
) -> tuple[Contacts | None, int]:
    """The contacts of two solids, and how many there are; `known` if it is known that they meet."""
    if (a.is_full and b.is_full) or a.is_round or b.is_round:
        return (One(a, b), 1) if known or _meet(a, b) else (None, 0)
    pairs = _first_pairs(a, b, most)
    if len(pairs):
        return Many(a, b, pairs), len(pairs)
    return (One(a, b), 1) if known or _meet(a, b) else (None, 0)
