"""The first contact of objects in motion."""

from __future__ import annotations

from impinge._core import _first_meeting, _Solid
from impinge.compat.fcl._numbers import CCDMotionType, CCDSolverType, GJKSolverType
from impinge.compat.fcl._object import CollisionObject
from impinge.compat.fcl._transform import Transform


class ContinuousCollisionRequest:
    """Options, accepted without effect: each motion is decided for all of its moments."""

    def __init__(
        self,
        num_max_iterations: int = 10,
        toc_err: float = 0.0001,
        ccd_motion_type: int = CCDMotionType.CCDM_TRANS,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
        ccd_solver_type: int = CCDSolverType.CCDC_NAIVE,
    ) -> None:
        self.num_max_iterations, self.toc_err = num_max_iterations, toc_err
        self.ccd_motion_type, self.gjk_solver_type = ccd_motion_type, gjk_solver_type
        self.ccd_solver_type = ccd_solver_type


class ContinuousCollisionResult:
    """Whether objects collide in motion, and when first: 1 if they do not."""

    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        self.is_collide, self.time_of_contact = is_collide, time_of_contact


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """Return the first time, from 0 to 1, at which two objects collide that move to these transforms; else 1.

    Each object's origin moves straight, and the object turns evenly about an axis. The time is proved to be
    within 1e-9 of the first contact, as in `impinge.sweep`; for cylinders, cones and ellipsoids that of the
    meshes around them. FCL samples the motion by default.
    """
    a, b = o1._placed(), o2._placed()
    if type(a) is not _Solid or type(b) is not _Solid:
        raise NotImplementedError("fcl.continuousCollide of half-spaces and planes: use impinge.sweep")
    ends = [o.geom._known().at(tf._rows) for o, tf in ((o1, tf1_end), (o2, tf2_end))]
    found = _first_meeting(a, b, ends)
    if result is not None:
        result.is_collide, result.time_of_contact = found is not None, 1.0 if found is None else found
    return 1.0 if found is None else found
