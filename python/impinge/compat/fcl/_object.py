"""Geometries at transforms."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from impinge._core import _Solid
from impinge.compat.fcl._geometry import BVHModel, CollisionGeometry
from impinge.compat.fcl._half_spaces import PlacedFlat, _Flat
from impinge.compat.fcl._numbers import OBJECT_TYPE
from impinge.compat.fcl._transform import IDENTITY, Floats, Transform

_MOVED = object()
"""Marks an object that moved since its solid was placed."""


class CollisionObject:
    """A geometry at a transform."""

    def __init__(self, geom: CollisionGeometry, tf: Transform | None = None) -> None:
        self.geom = geom
        self._rows: Floats = IDENTITY if tf is None else tf._rows
        # The geometry's solid, and that at the transform.
        self._of: object = _MOVED
        self._solid: _Solid | None = None

    def getTransform(self) -> Transform:
        """The transform."""
        transform = Transform.__new__(Transform)
        transform._rows = self._rows
        return transform

    def setTransform(self, tf: Transform) -> None:
        """Set the transform."""
        self._rows, self._of = tf._rows, _MOVED

    def getRotation(self) -> Floats:
        """The matrix."""
        return self._rows[:, :3].copy()

    def getTranslation(self) -> Floats:
        """The vector."""
        return self._rows[:, 3].copy()

    def getQuatRotation(self) -> Floats:
        """The rotation as a quaternion w, x, y, z."""
        return self.getTransform().getQuatRotation()

    def setRotation(self, rotation: ArrayLike) -> None:
        """Set the matrix."""
        rows = self._rows.copy()
        rows[:, :3] = np.reshape(rotation, (3, 3))
        self._rows, self._of = rows, _MOVED

    def setTranslation(self, translation: ArrayLike) -> None:
        """Set the vector."""
        rows = self._rows.copy()
        rows[:, 3] = np.reshape(translation, 3)
        self._rows, self._of = rows, _MOVED

    def setQuatRotation(self, quaternion: ArrayLike) -> None:
        """Set the rotation by a quaternion w, x, y, z."""
        transform = self.getTransform()
        transform.setQuatRotation(quaternion)
        self._rows, self._of = transform._rows, _MOVED

    def getNodeType(self) -> int:
        """The geometry's: one of `NODE_TYPE`."""
        return self.geom.getNodeType()

    def getObjectType(self) -> int:
        """One of `OBJECT_TYPE`."""
        return OBJECT_TYPE.OT_BVH if isinstance(self.geom, BVHModel) else OBJECT_TYPE.OT_GEOM

    def isOccupied(self) -> bool:
        """True: costs are not offered."""
        return True

    def isFree(self) -> bool:
        """False: costs are not offered."""
        return False

    def isUncertain(self) -> bool:
        """False: costs are not offered."""
        return False

    def computeAABB(self) -> None:
        """Nothing: bounds are computed when they are needed."""

    def _placed(self) -> _Solid:
        """The solid at the transform. A half-space or a plane is a `PlacedFlat`, which few places take."""
        if isinstance(self.geom, _Flat):
            return PlacedFlat(self.geom, self._rows)  # type: ignore[return-value]
        if self._of is not self.geom._solid or self._solid is None:
            of = self.geom._known()
            self._solid, self._of = of.at(self._rows), of
        return self._solid

    def _placed_inside(self) -> _Solid:
        """What is certainly inside of the true shape, at the transform; all of a half-space or a plane."""
        return self._placed() if isinstance(self.geom, _Flat) else self.geom._inside().at(self._rows)
