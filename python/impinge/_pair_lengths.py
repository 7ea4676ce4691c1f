"""Lengths of pairs of parts: one for all, one for each, or by names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._arguments import shown
from impinge._choice import Which, indices
from impinge._lengths import Coordinates, Length

PairLengths = Length | ArrayLike | Mapping[tuple[Which, Which], Length]
"""A length, an array of lengths, or a length for each of some pairs."""


def pair_lengths(
    name: str, given: PairLengths, pairs: NDArray[np.int64], names: Sequence[str], unit: Coordinates
) -> NDArray[np.float64]:
    """The length of each of the `pairs` as a number; `name` begins the text of an error."""
    if isinstance(given, Mapping):
        matrix = np.zeros((len(names), len(names)))
        for pair, length in given.items():
            if isinstance(pair, str | int) or len(pair) != 2:
                raise ValueError(f"{name} must have pairs as keys, such as ('a', 'b'), not {shown(pair)}")
            a, b = (indices(which, list(names)) for which in pair)
            number = unit.length(name, length)
            matrix[np.ix_(a, b)] = number
            matrix[np.ix_(b, a)] = number
        return np.asarray(matrix[pairs[:, 0], pairs[:, 1]])
    if isinstance(given, str) or np.ndim(given) == 0:
        return np.full(len(pairs), unit.length(name, given))
    array = np.asarray(given)
    flat = [unit.length(name, length) for length in array.ravel().tolist()]
    numbers = np.array(flat, dtype=np.float64).reshape(array.shape)
    count = len(names)
    if array.shape == (count, count):
        if not np.array_equal(numbers, numbers.T):
            a, b = np.argwhere(numbers != numbers.T)[0].tolist()
            raise ValueError(f"{name} must be symmetric, but of {names[a]!r} and {names[b]!r} it is not")
        return np.asarray(numbers[pairs[:, 0], pairs[:, 1]])
    if array.shape not in ((1,), (len(pairs),)):
        wanted = f"({len(pairs)},), one for each pair, or ({count}, {count}), for the parts"
        raise ValueError(f"{name} must be a length or an array of the shape {wanted}, not {array.shape}")
    return np.broadcast_to(numbers, (len(pairs),)).copy()
