"""The most used part of python-fcl 0.7, on impinge.

``import impinge.compat.fcl as fcl``, or ``sys.modules["fcl"] = impinge.compat.fcl`` for packages that import
it, such as trimesh. As there, `BVHModel` is a surface, all else is full. Boxes, balls, capsules, `Convex`,
half-spaces and planes are exact. A cylinder, cone or ellipsoid is a mesh around the true one, at most its
`chord_error` off, which can be set. Objects that do not collide are certainly apart; `certainly_collide`
tests meshes inside of the true ones, too.
`continuousCollide` is proved for every moment. `OcTree` and `TriangleP` raise `NotImplementedError`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from impinge.compat.fcl._geometry import (
    Box,
    BVHModel,
    Capsule,
    CollisionGeometry,
    Cone,
    Convex,
    Cylinder,
    Ellipsoid,
    Sphere,
)
from impinge.compat.fcl._half_spaces import Halfspace, Plane
from impinge.compat.fcl._manager import DynamicAABBTreeCollisionManager
from impinge.compat.fcl._motion import (
    ContinuousCollisionRequest,
    ContinuousCollisionResult,
    continuousCollide,
)
from impinge.compat.fcl._numbers import (
    NODE_TYPE,
    OBJECT_TYPE,
    CCDMotionType,
    CCDSolverType,
    GJKSolverType,
)
from impinge.compat.fcl._object import CollisionObject
from impinge.compat.fcl._query import (
    certainly_collide,
    collide,
    defaultCollisionCallback,
    defaultDistanceCallback,
    distance,
)
from impinge.compat.fcl._transform import Transform
from impinge.compat.fcl.collision_data import (
    CollisionData,
    CollisionRequest,
    CollisionResult,
    Contact,
    CostSource,
    DistanceData,
    DistanceRequest,
    DistanceResult,
)

__all__ = [
    "NODE_TYPE",
    "OBJECT_TYPE",
    "BVHModel",
    "Box",
    "CCDMotionType",
    "CCDSolverType",
    "Capsule",
    "CollisionData",
    "CollisionGeometry",
    "CollisionObject",
    "CollisionRequest",
    "CollisionResult",
    "Cone",
    "Contact",
    "ContinuousCollisionRequest",
    "ContinuousCollisionResult",
    "Convex",
    "CostSource",
    "Cylinder",
    "DistanceData",
    "DistanceRequest",
    "DistanceResult",
    "DynamicAABBTreeCollisionManager",
    "Ellipsoid",
    "GJKSolverType",
    "Halfspace",
    "OcTree",
    "Plane",
    "Sphere",
    "Transform",
    "TriangleP",
    "certainly_collide",
    "collide",
    "continuousCollide",
    "defaultCollisionCallback",
    "defaultDistanceCallback",
    "distance",
]


def _missing(name: str) -> Callable[..., Any]:
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise NotImplementedError(f"fcl.{name} is not offered by impinge.compat.fcl")

    refuse.__name__ = name
    return refuse


OcTree, TriangleP = _missing("OcTree"), _missing("TriangleP")
