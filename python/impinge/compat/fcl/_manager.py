"""Many objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from impinge._core import _candidates, _Gaps, _Solid
from impinge.compat.fcl._half_spaces import _Flat
from impinge.compat.fcl._object import CollisionObject

_Objects = list[CollisionObject]


class DynamicAABBTreeCollisionManager:
    """Many objects. Bounds are those at the time of the question: `setup` and `update` have nothing to do."""

    # Settings of FCL's tree, accepted without effect.
    max_tree_nonbalanced_level = tree_incremental_balance_pass = 10
    tree_topdown_balance_threshold = 2
    tree_topdown_level = tree_init_level = 0
    octree_as_geometry_collide, octree_as_geometry_distance = True, False

    def __init__(self) -> None:
        # In the order in which they were added.
        self._objects: dict[CollisionObject, None] = {}

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Add objects."""
        for obj in other_objs:
            self.registerObject(obj)

    def registerObject(self, obj: CollisionObject) -> None:
        """Add an object."""
        self._objects[obj] = None

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Remove an object."""
        self._objects.pop(obj, None)

    def setup(self) -> None:
        """Nothing."""

    def update(self, arg: Any = None) -> None:
        """Nothing."""

    def getObjects(self) -> list[CollisionObject]:
        """All objects."""
        return list(self._objects)

    def clear(self) -> None:
        """Remove all objects."""
        self._objects.clear()

    def empty(self) -> bool:
        """Whether there is none."""
        return not self._objects

    def size(self) -> int:
        """Number of objects."""
        return len(self._objects)

    def collide(self, *arguments: Any) -> None:
        """``collide([other], data, callback)``: calls back for pairs whose bounds meet, until it is true."""
        mine, theirs, data, callback = self._of(*arguments)
        for one, other in _flat_pairs(mine, theirs):
            if callback(one, other, data):
                return
        mine, theirs = _bounded(mine), None if theirs is None else _bounded(theirs)
        others = mine if theirs is None else theirs
        pairs = _candidates(_placed(mine), None if theirs is None else _placed(theirs))
        for i, j in pairs:
            if callback(mine[i], others[j], data):
                return

    def distance(self, *arguments: Any) -> None:
        """``distance([other], data, callback)``: calls back for pairs, the nearest bounds first.

        It ends where the callback returns true, or a distance that the bounds of all others exceed.
        """
        mine, theirs, data, callback = self._of(*arguments)
        least = np.inf
        for one, other in _flat_pairs(mine, theirs):
            done, least = callback(one, other, data)
            if done:
                return
        mine, theirs = _bounded(mine), None if theirs is None else _bounded(theirs)
        others = mine if theirs is None else theirs
        for i, j, apart in _Gaps(_placed(mine), None if theirs is None else _placed(theirs)):
            if apart > least:
                return
            done, least = callback(mine[i], others[j], data)
            if done:
                return

    def _of(self, *arguments: Any) -> tuple[_Objects, _Objects | None, Any, Callable[..., Any]]:
        """Arguments of `collide` and `distance`: this manager's objects, others if any, data, callback."""
        if len(arguments) not in (2, 3) or not callable(arguments[-1]):
            raise TypeError("the arguments are: an object or a manager if any, data, and a callback")
        *other, data, callback = arguments
        if not other or other[0] is None:
            return self.getObjects(), None, data, callback
        theirs = [other[0]] if isinstance(other[0], CollisionObject) else other[0].getObjects()
        return self.getObjects(), theirs, data, callback


def _placed(objects: list[CollisionObject]) -> list[_Solid]:
    return [obj._placed() for obj in objects]


def _is_flat(obj: CollisionObject) -> bool:
    return isinstance(obj.geom, _Flat)


def _bounded(objects: _Objects) -> _Objects:
    return [obj for obj in objects if not _is_flat(obj)]


def _flat_pairs(mine: _Objects, theirs: _Objects | None) -> Iterator[tuple[CollisionObject, CollisionObject]]:
    """The pairs of a half-space or a plane and another object, which have no bounds to compare."""
    others = mine if theirs is None else theirs
    for i, one in enumerate(mine):
        for other in others[i + 1 :] if theirs is None else others:
            if _is_flat(one) != _is_flat(other):
                yield one, other
