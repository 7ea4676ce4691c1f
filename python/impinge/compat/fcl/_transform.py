"""Rotations and translations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._core import _rotations, _units

Floats = NDArray[np.float64]
IDENTITY: Floats = np.eye(3, 4)


class Transform:
    """A rotation and a translation: from a matrix (3, 3), a quaternion w, x, y, z, and a vector (3,)."""

    __slots__ = ("_rows",)

    def __init__(self, *parts: Any) -> None:
        # Objects share this array, so it is replaced and never changed in place.
        rows = IDENTITY.copy()
        self._rows: Floats = rows
        for part in parts:
            shape = part.shape if type(part) is np.ndarray else np.shape(part)
            if shape == (3,):
                rows[:, 3] = part
            elif shape == (3, 3):
                rows[:, :3] = part
            elif shape == (4,):
                rows[:, :3] = rotation_of(part)
            elif isinstance(part, Transform):
                rows[:] = part._rows
            else:
                raise ValueError(f"a part of a transform has the shape {shape}")

    def getRotation(self) -> Floats:
        """Return the matrix."""
        return self._rows[:, :3].copy()

    def getTranslation(self) -> Floats:
        """Return the vector."""
        return self._rows[:, 3].copy()

    def getQuatRotation(self) -> Floats:
        """Return the rotation as a quaternion w, x, y, z."""
        (a, b, c), (d, e, f), (g, h, i) = self._rows[:, :3].tolist()
        # Four times each number of the quaternion, times that number. The largest row is the most accurate.
        rows = np.array(
            [
                [1 + a + e + i, h - f, c - g, d - b],
                [h - f, 1 + a - e - i, b + d, c + g],
                [c - g, b + d, 1 - a + e - i, f + h],
                [d - b, c + g, f + h, 1 - a - e + i],
            ]
        )
        found = _units(rows[[int(rows.diagonal().argmax())]])[0]
        return found if found[0] >= 0 else -found

    def setRotation(self, rotation: ArrayLike) -> None:
        """Set the matrix."""
        self._rows = self._rows.copy()
        self._rows[:, :3] = np.reshape(rotation, (3, 3))

    def setTranslation(self, translation: ArrayLike) -> None:
        """Set the vector."""
        self._rows = self._rows.copy()
        self._rows[:, 3] = np.reshape(translation, 3)

    def setQuatRotation(self, quaternion: ArrayLike) -> None:
        """Set the rotation by a quaternion w, x, y, z."""
        self.setRotation(rotation_of(quaternion))


def rotation_of(quaternion: ArrayLike) -> Floats:
    """The matrix of a quaternion w, x, y, z of any length but 0."""
    numbers = np.asarray(quaternion, dtype=float)
    if not numbers.any() or not np.isfinite(numbers).all():
        raise ValueError(f"a quaternion must be finite and not 0, not {numbers.tolist()}")
    return _rotations(np.roll(numbers, -1).reshape(1, 4))[0]
