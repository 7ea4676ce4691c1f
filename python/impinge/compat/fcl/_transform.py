"""Rotations and translations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
        r = self._rows
        # Bar-Itzhack: the eigenvector of the largest eigenvalue.
        k = np.array(
            [
                [r[0, 0] + r[1, 1] + r[2, 2], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
                [r[2, 1] - r[1, 2], r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]],
                [r[0, 2] - r[2, 0], r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1]],
                [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1]],
            ]
        )
        found: Floats = np.linalg.eigh(k)[1][:, -1]
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
    length = np.linalg.norm(numbers)
    if not 0 < length < np.inf:
        raise ValueError(f"a quaternion must be finite and not 0, not {numbers.tolist()}")
    w, x, y, z = numbers / length
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
