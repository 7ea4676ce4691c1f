"""Kinds of geometries and solvers, as the numbers that python-fcl gives them."""

from __future__ import annotations


class OBJECT_TYPE:
    """Kinds of geometry, as numbers."""

    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class NODE_TYPE:
    """Geometries and bounding volumes, as numbers."""

    (
        BV_UNKNOWN,
        BV_AABB,
        BV_OBB,
        BV_RSS,
        BV_kIOS,
        BV_OBBRSS,
        BV_KDOP16,
        BV_KDOP18,
        BV_KDOP24,
        GEOM_BOX,
        GEOM_SPHERE,
        GEOM_ELLIPSOID,
        GEOM_CAPSULE,
        GEOM_CONE,
        GEOM_CYLINDER,
        GEOM_CONVEX,
        GEOM_PLANE,
        GEOM_HALFSPACE,
        GEOM_TRIANGLE,
        GEOM_OCTREE,
        NODE_COUNT,
    ) = range(21)


class GJKSolverType:
    """Accepted without effect."""

    GST_LIBCCD, GST_INDEP = range(2)


class CCDMotionType:
    """Accepted without effect."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """Accepted without effect."""

    (
        CCDC_NAIVE,
        CCDC_CONSERVATIVE_ADVANCEMENT,
        CCDC_RAY_SHOOTING,
        CCDC_POLYNOMIAL_SOLVER,
    ) = range(4)
