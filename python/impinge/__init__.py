"""Exact interference detection for triangle meshes and assemblies.

A `Mesh` is a list of triangles; a `Model` is a mesh with a hierarchy, built once; a `Body` is a model at a
pose. Queries are functions of bodies.

==================================================  ==================================================
two bodies                                          `intersects`, `first_contact`, `pairs`
where triangles meet                                `contact_points`, `contact_normals`
as solids: apart, touching, overlapping, inside     `relation`, `overlaps`
how far in each other                               `penetration`
how far apart, or whether within a margin           `distance`, `within`, `first_within`, `pairs_within`
how deep a surface is in a solid, or deviates       `farthest_distance`
lines and patches where surfaces meet               `curves`
curved bodies, approximated by triangles            `certainty`
a body at many poses                                `intersects_at`, `first_contact_at`, `pairs_at`,
                                                    `distance_at`, `within_at`, `relation_at`, `contains_at`,
                                                    `penetration_at`
many pairs of bodies                                `intersects_each`
bodies in motion, between poses, too                `Path`, `sweep`, `sweep_at`, `least_gap`
whether simple shapes cover a part                  `coverage`, `coverage_each`
robots: collisions, distances, certified edges      `Robot`
vertices in motion                                  `impinge.ccd`
a body and points                                   `contains`, `locate`, `closest_point`, `closest_points`,
                                                    `signed_distance`
a body and rays                                     `ray_first`, `ray_meets`, `ray_all`, `ray_first_each`,
                                                    `ray_meets_each`, `ray_all_each`
a body and a convex region                          `triangles_in`
a mesh and itself                                   `self_intersects`, `self_pairs`
many bodies that move                               `Scene`
assemblies, and every clash in them                 `read`, `Assembly.check`
an assembly at many poses                           `check_poses`
poses from quaternions, axes and angles             `pose`
settings and reports of checks                      `impinge.check`
classes of results                                  `impinge.results`
which parts and clashes matter                      `Rules`
what earlier deliveries had                         `Baseline`
a picture of two bodies in a notebook               `view`
==================================================  ==================================================

Results are those of the real numbers, for coordinates and poses as they are in float64: no pair that meets is
missed and none is invented. They do not depend on threads or machines.

A *length* is a number in the unit of the coordinates, or a text with a unit, such as ``"0.2 mm"``. Units are
um, mm, cm, m, in and ft. A text is converted exactly and rounded once. It needs the unit of the
coordinates, which files state, or ``check.Geometry(unit="mm")`` of a check; else it is an error.

Every query releases the interpreter lock while it runs, and Ctrl-C ends it. Batches use all cores
unless told otherwise (`threads=`, `set_threads`).

Examples
--------
>>> import impinge
>>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
>>> mesh = impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
>>> model = impinge.Model(mesh)
>>> a = impinge.Body(model)
>>> b = impinge.Body(model, [[1, 0, 0, 0.25], [0, 1, 0, 0], [0, 0, 1, 0]])
>>> impinge.intersects(a, b), len(impinge.pairs(a, b))
(True, 9)
"""

from __future__ import annotations

import os as _os

from impinge import check, results
from impinge._assembly import Assembly
from impinge._baseline import Baseline
from impinge._check_poses import check_poses
from impinge._core import (
    Body,
    HalfSpace,
    Mesh,
    Model,
    Path,
    Rounded,
    Shape,
    _after_fork,
    certainty,
    closest_point,
    closest_points,
    contact_normals,
    contact_points,
    contains,
    contains_at,
    coverage,
    coverage_each,
    curves,
    distance,
    distance_at,
    farthest_distance,
    first_contact,
    first_contact_at,
    first_within,
    get_threads,
    intersects,
    intersects_at,
    intersects_each,
    least_gap,
    locate,
    nearest_rigid,
    overlaps,
    pairs,
    pairs_at,
    pairs_within,
    penetration,
    penetration_at,
    ray_all,
    ray_all_each,
    ray_first,
    ray_first_each,
    ray_meets,
    ray_meets_each,
    relation,
    relation_at,
    self_intersects,
    self_pairs,
    set_threads,
    sweep,
    sweep_at,
    triangles_in,
    within,
    within_at,
)
from impinge._errors import Error, FaceIndexError
from impinge._points import signed_distance
from impinge._pose import pose
from impinge._read import read
from impinge._robot import Robot
from impinge._rules import Rules
from impinge._scene import Scene
from impinge._view import view
from impinge._core import __version__ as __version__

__all__ = [
    "Assembly",
    "Baseline",
    "Body",
    "Error",
    "FaceIndexError",
    "HalfSpace",
    "Mesh",
    "Model",
    "Path",
    "Robot",
    "Rounded",
    "Rules",
    "Scene",
    "Shape",
    "certainty",
    "check",
    "check_poses",
    "closest_point",
    "closest_points",
    "contact_normals",
    "contact_points",
    "contains",
    "contains_at",
    "coverage",
    "coverage_each",
    "curves",
    "distance",
    "distance_at",
    "farthest_distance",
    "first_contact",
    "first_contact_at",
    "first_within",
    "get_threads",
    "intersects",
    "intersects_at",
    "intersects_each",
    "least_gap",
    "locate",
    "nearest_rigid",
    "overlaps",
    "pairs",
    "pairs_at",
    "pairs_within",
    "penetration",
    "penetration_at",
    "pose",
    "ray_all",
    "ray_all_each",
    "ray_first",
    "ray_first_each",
    "ray_meets",
    "ray_meets_each",
    "read",
    "relation",
    "relation_at",
    "results",
    "self_intersects",
    "self_pairs",
    "set_threads",
    "signed_distance",
    "sweep",
    "sweep_at",
    "triangles_in",
    "view",
    "within",
    "within_at",
]

if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_after_fork)
