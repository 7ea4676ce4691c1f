"""Named bodies, and which pairs of them are tested: what robots and simulators have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._core import Mesh, Model, _circle, _first_in, _gaps_in, _meet_in


class Bodies:
    """Bodies of another package. Poses have the shape (P, N, 4, 4): a pose of each body, many times.

    Bodies count as surfaces, as in other packages' meshes: one that is inside of another without touching it
    does not meet it.

    Attributes
    ----------
    names : tuple of str
        The names of the bodies.
    models : tuple of Model
        Their shapes.
    pairs : numpy.ndarray of int64, shape (K, 2)
        The pairs that are tested.
    chord : numpy.ndarray, shape (N,)
        How far the triangles are from the true surface, at most: 0 of boxes and meshes.
    omitted : dict of str to str
        Bodies that have no model here, and why. They are not tested.
    """

    names: tuple[str, ...]
    models: tuple[Model, ...]
    pairs: NDArray[np.int64]
    chord: NDArray[np.float64]
    omitted: dict[str, str]

    def __repr__(self) -> str:
        left = f", {len(self.omitted)} omitted" if self.omitted else ""
        return f"{type(self).__name__}({len(self.names)} bodies, {len(self.pairs)} pairs{left})"

    def meets(self, poses: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """Whether each pair meets at each of the `poses`: shape (P, K). Exact. `threads` share the work."""
        return _meet_in(self.models, poses, self.pairs, False, threads)

    def any_meets(self, poses: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """Whether any pair meets at each of the `poses`: shape (P,). It ends at the first one.

        `threads` share the work.
        """
        return np.asarray(_first_in(self.models, poses, self.pairs, False, threads) >= 0)

    def gaps(
        self, poses: ArrayLike, *, above: float | None = None, threads: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds of the distance of each pair at each of the `poses`: two arrays of shape (P, K).

        NaN where it is more than `above`. `threads` share the work.
        """
        return _gaps_in(self.models, poses, self.pairs, False, above, False, threads)

    def names_of(self, rows: NDArray[np.bool_]) -> list[tuple[str, str]]:
        """The names of the pairs where `rows`, a row of `meets`, is true."""
        return [(self.names[a], self.names[b]) for a, b in self.pairs[rows].tolist()]


RINGS, SEGMENTS = 16, 32


def ellipsoid(axes: Sequence[float]) -> tuple[Mesh, float]:
    """An inscribed ellipsoid of `SEGMENTS`, and how far it is from the true one, at most."""
    chord = 0.01 * max(axes)
    return Mesh.ellipsoid(axes, chord=chord), chord


def cylinder(radius: float, height: float) -> tuple[Mesh, float]:
    """An inscribed cylinder around z, of `SEGMENTS` sides."""
    chord = 0.005 * radius
    return Mesh.cylinder(radius, height, chord=chord), chord


def capsule(radius: float, height: float) -> tuple[Mesh, float]:
    """An inscribed capsule around z; the height is between the middles of its ends."""
    return Mesh.capsule(radius, height, RINGS // 2, SEGMENTS), _sagitta(radius)


def _sagitta(radius: float) -> float:
    return radius * (2 - _cosine(2 * RINGS) - _cosine(SEGMENTS))


def _cosine(parts: int) -> float:
    """The cosine of half a turn over a number of parts."""
    return float(_circle(2 * parts)[1, 0])
