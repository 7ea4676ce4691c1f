"""Contacts of placed solids: their numbers are computed when they are read."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from impinge._core import _held, _meet, _overlap, _pairs_of, _Solid

Floats = NDArray[np.float64]
Numbers = tuple[Floats, float, Floats]
"""Numbers of a contact: the normal, from the first solid to the second; the shift along it that parts them;
and a point of both."""


class Contacts(Protocol):
    """Contacts of two solids, by their index."""

    def numbers(self, k: int, /) -> Numbers:
        """Normal, depth and point."""

    def triangles(self, k: int, /) -> tuple[int, int]:
        """A face of each."""


class Held:
    """The one contact of a full solid and a surface inside of it that touches nothing of it."""

    __slots__ = ("_found", "_solids")

    def __init__(self, a: _Solid, b: _Solid) -> None:
        self._solids = a, b
        self._found: tuple[Numbers, tuple[int, int]] | None = None

    def _all(self) -> tuple[Numbers, tuple[int, int]]:
        if self._found is None:
            self._found = _held(*self._solids)
        return self._found

    def numbers(self, k: int) -> Numbers:
        """The numbers of the surface's corner that is deepest inside."""
        return self._all()[0]

    def triangles(self, k: int) -> tuple[int, int]:
        """The face nearest to that corner, and one of the surface."""
        return self._all()[1]


class First:
    """One contact of two solids that meet, one of them a surface: the first that is found."""

    __slots__ = ("_found", "_solids")

    def __init__(self, a: _Solid, b: _Solid) -> None:
        self._solids = a, b
        self._found: Contacts | None = None

    def _all(self) -> Contacts:
        if self._found is None:
            a, b = self._solids
            found = _overlap(a, b) if a.is_round or b.is_round else None
            if found is None:
                pairs = _pairs_of(a, b, 1)
                self._found = pairs if len(pairs) else Held(a, b)
            else:
                self._found = found
        return self._found

    def numbers(self, k: int) -> Numbers:
        """Its normal, depth and point."""
        return self._all().numbers(0)

    def triangles(self, k: int) -> tuple[int, int]:
        """A face of each."""
        return self._all().triangles(0)


def faces_along(solids: tuple[_Solid, _Solid], normal: Floats) -> tuple[int, int]:
    """The faces of two solids that look towards each other the most."""
    return solids[0].face_along(normal), solids[1].face_along(-normal)


def contacts(a: _Solid, b: _Solid, most: int | None = None) -> tuple[Contacts | None, int]:
    """The contacts of two solids, and how many there are."""
    if (a.is_full and b.is_full) or a.is_round or b.is_round:
        found = _overlap(a, b)
        return found, 0 if found is None else 1
    pairs = _pairs_of(a, b, most)
    if len(pairs):
        return pairs, len(pairs)
    return (Held(a, b), 1) if _meet(a, b) else (None, 0)
