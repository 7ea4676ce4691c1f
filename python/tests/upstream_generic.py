"""Replaces trimesh's `tests/generic.py` and its models, which its source distribution lacks."""

from __future__ import annotations

import logging
import unittest
from typing import Any

import numpy as np
import trimesh

__all__ = ["get_mesh", "log", "np", "random", "trimesh", "unittest"]

log = logging.getLogger("trimesh")
random = np.random.default_rng(0).random


def get_mesh(name: str) -> Any:
    """A model of that name: the unit cube with the same numbering, or a scene of solids that collide."""
    if name == "unit_cube.STL":
        return _unit_cube()
    if name == "cycloidal.3DXML":
        return _gear_and_shaft()
    raise KeyError(f"no stand-in for {name}")


def _unit_cube() -> trimesh.Trimesh:
    """Vertices in the order of the STL file's triangles, which the reported contact depends on."""
    corners = ["--+", "-++", "---", "-+-", "+-+", "+--", "+++", "++-"]
    vertices = [[0.5 if sign == "+" else -0.5 for sign in corner] for corner in corners]
    quads = [(0, 1, 2, 3), (4, 0, 5, 2), (6, 4, 7, 5), (1, 6, 3, 7), (4, 6, 0, 1), (7, 5, 3, 2)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (c, b, d))]
    return trimesh.Trimesh(vertices, faces, process=False)


def _gear_and_shaft() -> trimesh.Scene:
    """A ring, which is not convex, three times on a shaft that is wider than its hole."""
    scene = trimesh.Scene()
    ring = trimesh.creation.annulus(r_min=0.9, r_max=2, height=0.5)
    for k in range(3):
        place = trimesh.transformations.translation_matrix([0, 0, k])
        scene.add_geometry(ring, node_name=f"ring {k}", geom_name="ring", transform=place)
    scene.add_geometry(trimesh.creation.cylinder(radius=1, height=5), node_name="shaft")
    return scene
