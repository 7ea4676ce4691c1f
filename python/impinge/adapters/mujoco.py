"""Geoms of a MuJoCo model, at the poses of its data.

MuJoCo collides the convex hull of each mesh; here meshes keep their triangles.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._assembly import Assembly
from impinge._core import Mesh, Model
from impinge.adapters import _bodies
from impinge.adapters._bodies import Bodies
from impinge.adapters._need import need


class Geoms(Bodies):
    """The geoms of a ``mujoco.MjModel``, and the pairs of them that MuJoCo would test.

    These are pairs of different bodies, not parent and child (but for the world's), whose contype and
    conaffinity fit, and that no exclude names; and those of explicit pairs. Planes are boxes below them: ten
    times as wide as the model, if they have no size. Height fields, SDFs and flexes are `omitted`.

    Parameters
    ----------
    model : mujoco.MjModel
    """

    def __init__(self, model: Any) -> None:
        need("mujoco", "mujoco")
        self.omitted = {}
        made = [(i, _shape(model, i)) for i in range(model.ngeom)]
        for i, shape in made:
            if isinstance(shape, str):
                self.omitted[_name(model, i)] = shape
        kept = [(i, shape) for i, shape in made if not isinstance(shape, str)]
        if model.nflex:
            self.omitted["flexes"] = f"{model.nflex} flexes have no rigid shape"
        self.geoms = np.array([i for i, _ in kept], dtype=np.int64)
        self.names = tuple(_name(model, i) for i, _ in kept)
        # Geoms of one mesh share its model.
        models: dict[object, Model] = {}
        keys = [int(model.geom_dataid[i]) if _is_mesh(model, i) else ("geom", int(i)) for i, _ in kept]
        for key, (_, shape) in zip(keys, kept, strict=True):
            if key not in models:
                models[key] = Model(shape[0])
        self.models = tuple(models[key] for key in keys)
        self.chord = np.array([shape[1] for _, shape in kept])
        self.pairs = _pairs(model, self.geoms)

    def poses(self, data: Any) -> NDArray[np.float64]:
        """The poses of the geoms in `data`, a ``mujoco.MjData``, after ``mj_kinematics``: shape (N, 4, 4)."""
        poses = np.tile(np.eye(4), (len(self.geoms), 1, 1))
        poses[:, :3, :3] = data.geom_xmat[self.geoms].reshape(-1, 3, 3)
        poses[:, :3, 3] = data.geom_xpos[self.geoms]
        return poses

    def contacts(self, data: Any) -> list[tuple[str, str]]:
        """The names of geoms that meet in `data`, a ``mujoco.MjData``."""
        return self.names_of(self.meets(self.poses(data)[None])[0])


def assembly(model: Any, data: Any) -> Assembly:
    """The geoms of `model` where `data` has them, as an `Assembly`.

    It has a part for each geom, named after it. `Part.path` names the body.
    """
    geoms = Geoms(model)
    new = Assembly()
    new.add_source("mujoco", unit="m", up="z")
    for k, (i, pose) in enumerate(zip(geoms.geoms, geoms.poses(data), strict=True)):
        path = f"{model.body(model.geom_bodyid[i]).name or 'world'}/{geoms.names[k]}"
        chord = float(geoms.chord[k])
        new.add(geoms.models[k], pose, name=geoms.names[k], file="mujoco", path=path, chord=chord or None)
    for name, why in geoms.omitted.items():
        new.omit("mujoco", why, name=name, failed=True)
    return new


def _name(model: Any, geom: int) -> str:
    return model.geom(geom).name or f"geom {geom}"


def _is_mesh(model: Any, geom: int) -> bool:
    return bool(model.geom_type[geom] == need("mujoco", "mujoco").mjtGeom.mjGEOM_MESH)


def _shape(model: Any, geom: int) -> tuple[Mesh, float] | str:
    """A mesh of a geom and how far it is from the true shape; or why there is none."""
    kind = need("mujoco", "mujoco").mjtGeom(int(model.geom_type[geom])).name.removeprefix("mjGEOM_")
    a, b, c = (float(x) for x in model.geom_size[geom])
    if kind == "BOX":
        return Mesh.box([2 * a, 2 * b, 2 * c]), 0.0
    if kind == "SPHERE":
        return _bodies.ellipsoid((a, a, a))
    if kind == "ELLIPSOID":
        return _bodies.ellipsoid((a, b, c))
    if kind == "CYLINDER":
        return _bodies.cylinder(a, 2 * b)
    if kind == "CAPSULE":
        return _bodies.capsule(a, 2 * b)
    if kind == "PLANE":
        wide = 10.0 * float(model.stat.extent)
        box = Mesh.box([2 * (a or wide), 2 * (b or wide), wide])
        return Mesh(box.vertices - [0.0, 0.0, wide / 2], box.faces), 0.0
    if kind == "MESH":
        mesh = int(model.geom_dataid[geom])
        first, face = int(model.mesh_vertadr[mesh]), int(model.mesh_faceadr[mesh])
        vertices = model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])]
        return Mesh(vertices, model.mesh_face[face : face + int(model.mesh_facenum[mesh])]), 0.0
    return f"a geom of the type {kind.lower()} has no triangles"


def _pairs(model: Any, geoms: NDArray[np.int64]) -> NDArray[np.int64]:
    """Pairs of places among the geoms that MuJoCo tests."""
    body = model.geom_bodyid[geoms]
    # Bodies that are welded together count as one.
    weld, kind, fits = model.body_weldid[body], model.geom_contype[geoms], model.geom_conaffinity[geoms]
    parent = model.body_weldid[model.body_parentid[weld]]
    tested = ((kind[:, None] & fits[None]) | (fits[:, None] & kind[None])) != 0
    tested &= weld[:, None] != weld[None]
    related = (parent[:, None] == weld[None]) & (weld[None] != 0) & (weld[:, None] != 0)
    tested &= ~(related | related.T)
    for signature in model.exclude_signature.ravel().tolist():
        first, second = body == signature >> 16, body == signature & 0xFFFF
        tested &= ~(first[:, None] & second[None] | second[:, None] & first[None])
    for first, second in zip(model.pair_geom1.ravel(), model.pair_geom2.ravel(), strict=True):
        tested |= (geoms[:, None] == first) & (geoms[None] == second)
        tested |= (geoms[:, None] == second) & (geoms[None] == first)
    return np.argwhere(np.triu(tested, 1))
