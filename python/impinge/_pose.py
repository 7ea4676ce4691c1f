"""Poses from rotations as other libraries have them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._core import _lengths, _rotations, _turns

_ORDERS = ("wxyz", "xyzw")


def pose(
    translation: ArrayLike | None = None,
    *,
    rotation: ArrayLike | None = None,
    quaternion: ArrayLike | None = None,
    order: str | None = None,
    axis: ArrayLike | None = None,
    angle: ArrayLike | None = None,
    rotation_vector: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """A pose, or many, from a translation and a rotation in one of four forms.

    Arguments with one more dimension are many; those without are the same for all of them.

    Parameters
    ----------
    translation : array_like, shape (3,) or (P, 3), optional
        Where the model's origin is.
    rotation : array_like, shape (3, 3) or (P, 3, 3), optional
        A matrix, taken as it is.
    quaternion : array_like, shape (4,) or (P, 4), optional
        Of any length but 0; then `order` is needed.
    order : {"wxyz", "xyzw"}, optional
        The order of its numbers: "wxyz" in MuJoCo, Blender and trimesh, "xyzw" in SciPy, ROS and pinocchio.
    axis : array_like, shape (3,) or (P, 3), optional
        The axis of a right-handed rotation, of any length but 0; then `angle` is needed.
    angle : array_like, shape () or (P,), optional
        In radians.
    rotation_vector : array_like, shape (3,) or (P, 3), optional
        An axis whose length is the angle in radians; 0 is no rotation.

    Returns
    -------
    numpy.ndarray
        Shape (4, 4), or (P, 4, 4). It is rounded; queries take its numbers as exact.

    Examples
    --------
    >>> import impinge, math
    >>> impinge.pose([1, 2, 3])[:3, 3]
    array([1., 2., 3.])
    >>> turned = impinge.pose(axis=[0, 0, 1], angle=math.pi / 2)
    >>> (turned[:3, :3] @ [1, 0, 0]).round(12)
    array([0., 1., 0.])
    >>> impinge.pose([[0, 0, 0], [0, 0, 1]], quaternion=[1, 0, 0, 0], order="wxyz").shape
    (2, 4, 4)
    """
    forms = {"rotation": rotation, "quaternion": quaternion, "axis": axis, "rotation_vector": rotation_vector}
    given = [name for name, value in forms.items() if value is not None]
    if len(given) > 1:
        raise TypeError(f"{' and '.join(given)}: give one form of the rotation")
    if (axis is None) != (angle is None):
        raise TypeError("axis and angle: give both of them, or none")
    if (quaternion is None) != (order is None):
        raise TypeError(f"quaternion and order: give both of them, order as one of {', '.join(_ORDERS)}")
    turn = np.eye(3)
    if rotation is not None:
        turn = _array("rotation", rotation, (3, 3))
    elif quaternion is not None:
        if order not in _ORDERS:
            raise ValueError(f"order must be one of {', '.join(_ORDERS)}, not {order!r}")
        numbers = _array("quaternion", quaternion, (4,))
        numbers = _directed("quaternion", numbers)
        turn = _of_quaternion(numbers if order == "xyzw" else np.roll(numbers, -1, axis=-1))
    elif axis is not None and angle is not None:
        turn = _of_axis(_directed("axis", _array("axis", axis, (3,))), _array("angle", angle, ()))
    elif rotation_vector is not None:
        vector = _array("rotation_vector", rotation_vector, (3,))
        angles = _lengths(vector.reshape(-1, 3), up=False).reshape(vector.shape[:-1])
        still = angles == 0
        turn = _of_axis(np.where(still[..., None], [1.0, 0.0, 0.0], vector), angles)
    shift = np.zeros(3) if translation is None else _array("translation", translation, (3,))
    counts = {len(one) for one, single in ((turn, 2), (shift, 1)) if one.ndim > single}
    if len(counts) > 1:
        raise ValueError(f"there must be as many rotations as translations, not {len(turn)} and {len(shift)}")
    poses = np.zeros((*((counts.pop(),) if counts else ()), 4, 4))
    poses[..., :3, :3], poses[..., :3, 3], poses[..., 3, 3] = turn, shift, 1.0
    return poses


def _array(name: str, value: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape and array.shape[1:] != shape or array.ndim > len(shape) + 1:
        many = ", ".join(map(str, ("P", *shape)))
        many = f"({many},)" if not shape else f"({many})"
        raise ValueError(f"{name} must have the shape {shape} or {many}, not {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def _directed(name: str, vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return `vector`, one or several; raise an error if one is 0."""
    if not vector.any(axis=-1).all():
        raise ValueError(f"{name} must not be 0: it has no direction")
    return vector


def _of_quaternion(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    return _rotations(numbers.reshape(-1, 4)).reshape(*numbers.shape[:-1], 3, 3)


def _of_axis(axis: NDArray[np.float64], angle: NDArray[np.float64]) -> NDArray[np.float64]:
    axis, angle = np.broadcast_arrays(axis, angle[..., None])
    return _turns(axis.reshape(-1, 3), angle[..., 0].ravel()).reshape(*axis.shape[:-1], 3, 3)
