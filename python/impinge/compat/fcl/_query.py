"""Collisions and distances of two objects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from impinge._core import _add_contacts, _apart, _distance, _meet, _overlap, _Solid
from impinge.compat import _solids
from impinge.compat.fcl import _half_spaces
from impinge.compat.fcl._object import CollisionObject
from impinge.compat.fcl.collision_data import (
    FAR,
    CollisionData,
    CollisionRequest,
    CollisionResult,
    DistanceData,
    DistanceRequest,
    DistanceResult,
)

Floats = NDArray[np.float64]


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """Whether two objects collide: adds their contacts to `result`, and returns how many these are."""
    # `_placed`, without its call where nothing has changed.
    a = (o1._of is o1.geom._solid and o1._solid) or o1._placed()
    b = (o2._of is o2.geom._solid and o2._solid) or o2._placed()
    if type(a) is not _Solid or type(b) is not _Solid:
        return _collide_flat(o1, o2, request, result)
    if request is None:
        if result is None:
            return 1 if _meet(a, b) else 0
        most, enable = 1, False
    else:
        most, enable = request.num_max_contacts, request.enable_contact
        if most <= 0:
            return 0
    if result is None and most == 1:
        return 1 if _meet(a, b) else 0
    found: _solids.Contacts | None
    if a.is_full and b.is_full:
        found = _overlap(a, b)
        if found is None:
            return 0
        count = 1
    elif most == 1 and not enable:
        if not _meet(a, b):
            return 0
        found, count = _solids.First(a, b), 1
    else:
        found, count = _solids.contacts(a, b, most)
        if found is None:
            return 0
    if result is not None:
        _add_contacts(result.contacts, o1.geom, o2.geom, found, count)
        result.is_collision = True
    return count


def certainly_collide(o1: CollisionObject, o2: CollisionObject) -> bool | None:
    """Whether the true shapes of two objects collide; None if their chord errors leave it open.

    Meshes around cylinders, cones and ellipsoids are apart only if the true ones are. Meshes inside of them
    meet only if the true ones do. All other shapes are decided exactly.
    """
    if collide(o1, o2) == 0:
        return False
    a, b = o1._placed_inside(), o2._placed_inside()
    if type(a) is _Solid and type(b) is _Solid:
        return _meet(a, b) or None
    return _half_spaces.contact(a, b) is not None or None


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """Distance between two objects; of the meshes around cylinders, cones and ellipsoids.

    Objects that meet have distance -1. If `request` enables signed distances and both are full, it is minus
    the depth.
    """
    a, b = o1._placed(), o2._placed()
    if type(a) is not _Solid or type(b) is not _Solid:
        return _distance_of_flat(o1, o2, request, result)
    if request is None and result is None:
        alone = _distance(a, b)
        return (alone or -1.0) if alone < np.inf else FAR
    signed = request is not None and request.enable_signed_distance and a.is_full and b.is_full
    found = _apart(a, b, signed)
    if found is None:
        return FAR
    value, faces, _, points = found
    if value <= 0 and not signed:
        value = -1.0
    if result is not None and value < result.min_distance:
        # As in FCL, of two full objects there are no faces.
        are_full = a.is_full and b.is_full
        result.min_distance, (result.b1, result.b2) = value, (-1, -1) if are_full else faces or (-1, -1)
        _note(o1, o2, request, result, points)
    return value


def _note(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None,
    result: DistanceResult,
    points: Sequence[Floats] | Floats,
) -> None:
    result.o1, result.o2 = o1.geom, o2.geom
    # Never those of another pair.
    wanted = request is not None and request.enable_nearest_points
    result.nearest_points = list(points) if wanted else [None, None]


def _collide_flat(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None,
    result: CollisionResult | None,
) -> int:
    """`collide` where an object is a half-space or a plane: one contact, at the other's lowest point."""
    if request is not None and request.num_max_contacts <= 0:
        return 0
    found = _half_spaces.contact(o1._placed(), o2._placed())
    if found is None:
        return 0
    if result is not None:
        _add_contacts(result.contacts, o1.geom, o2.geom, found, 1)
        result.is_collision = True
    return 1


def _distance_of_flat(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None,
    result: DistanceResult | None,
) -> float:
    """`distance` where an object is a half-space or a plane."""
    signed = request is not None and request.enable_signed_distance
    found = _half_spaces.apart(o1._placed(), o2._placed(), signed)
    if found is None:
        return FAR
    value, points = found
    if result is not None and value < result.min_distance:
        result.min_distance, (result.b1, result.b2) = value, (-1, -1)
        _note(o1, o2, request, result, points)
    return value


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Collides two objects; true once there are as many contacts as wanted."""
    if not cdata.done:
        collide(o1, o2, cdata.request, cdata.result)
        cdata.done = len(cdata.result.contacts) >= cdata.request.num_max_contacts
    return cdata.done


def defaultDistanceCallback(
    o1: CollisionObject, o2: CollisionObject, ddata: DistanceData
) -> tuple[bool, float]:
    """Compares two objects; true once two are found that meet."""
    if not ddata.done:
        distance(o1, o2, ddata.request, ddata.result)
        ddata.done = ddata.result.min_distance <= 0
    return ddata.done, ddata.result.min_distance
