"""A robot of pinocchio: its geometry at many configurations, on all cores; positions for `impinge.Robot`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge import _robot
from impinge._core import Mesh, Model
from impinge.adapters import _bodies
from impinge.adapters._bodies import Bodies
from impinge.adapters._need import need


class Robot(Bodies):
    """The geometry objects of a ``pinocchio.GeometryModel``, and its collision pairs.

    Read an SRDF first (``pinocchio.removeCollisionPairs``). Spheres, cylinders and capsules become meshes
    inside of them: `chord` says how close.

    Parameters
    ----------
    model : pinocchio.Model
    geometry : pinocchio.GeometryModel
        The collision geometry.
    """

    def __init__(self, model: Any, geometry: Any) -> None:
        need("pinocchio", "pin")
        self.model, self.geometry = model, geometry
        objects, self.omitted = list(geometry.geometryObjects), {}
        places, shapes = [], []
        # Objects of one shape share its model.
        made: dict[tuple[bytes, bytes], Model] = {}
        for i, one in enumerate(objects):
            shape = _shape(one.geometry)
            if isinstance(shape, str):
                self.omitted[one.name] = shape
                continue
            places.append(i)
            key = shape[0].vertices.tobytes(), shape[0].faces.tobytes()
            if key not in made:
                made[key] = Model(shape[0])
            shapes.append((one.name, made[key], shape[1]))
        self.names = tuple(name for name, _, _ in shapes)
        self.models = tuple(model for _, model, _ in shapes)
        self.chord = np.array([chord for _, _, chord in shapes])
        self._places = np.array(places, dtype=np.int64)
        place = {i: k for k, i in enumerate(places)}
        pairs = [(place[p.first], place[p.second]) for p in geometry.collisionPairs if _both(p, place)]
        self.pairs = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        self._datas = model.createData(), geometry.createData()

    def poses(self, configurations: ArrayLike) -> NDArray[np.float64]:
        """The poses of all objects: shape (P, N, 4, 4), for `configurations` of shape (P, nq)."""
        pin = need("pinocchio", "pin")
        q = np.asarray(configurations, dtype=np.float64)
        if q.ndim != 2 or q.shape[1] != self.model.nq:
            raise ValueError(f"configurations must have the shape (P, {self.model.nq}), not {q.shape}")
        data, geometry = self._datas
        placements = [geometry.oMg[place] for place in self._places.tolist()]
        memory = [part for one in placements for part in (one.rotation, one.translation)]
        if not all(map(_is_view, placements)):
            return self._copied_poses(q)
        numbers = bytearray()
        for one in q:
            pin.updateGeometryPlacements(self.model, data, self.geometry, geometry, one)
            for part in memory:
                numbers += part.tobytes()
        rows = np.frombuffer(numbers, dtype=np.float64).reshape(len(q), len(placements), 12)
        poses = np.zeros((len(q), len(placements), 4, 4))
        poses[..., :3, :3] = rows[..., :9].reshape(len(q), len(placements), 3, 3)
        poses[..., :3, 3], poses[..., 3, 3] = rows[..., 9:], 1.0
        return poses

    def _copied_poses(self, q: NDArray[np.float64]) -> NDArray[np.float64]:
        """The same where placements are not views of pinocchio's memory."""
        pin = need("pinocchio", "pin")
        poses = np.empty((len(q), len(self._places), 4, 4))
        data, geometry = self._datas
        for i, one in enumerate(q):
            pin.updateGeometryPlacements(self.model, data, self.geometry, geometry, one)
            for k, place in enumerate(self._places.tolist()):
                poses[i, k] = geometry.oMg[place].homogeneous
        return poses

    def in_collision(self, configurations: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """Whether any collision pair meets, for `configurations` of shape (P, nq): shape (P,).

        `threads` share the work.
        """
        return self.any_meets(self.poses(configurations), threads=threads)

    def colliding_pairs(self, configuration: ArrayLike) -> list[tuple[str, str]]:
        """The names of the pairs that meet in one `configuration`, of shape (nq,)."""
        return self.names_of(self.meets(self.poses(np.asarray(configuration)[None]))[0])

    def distance(
        self, configurations: ArrayLike, *, above: float | None = None, threads: int | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bounds of the least distance of all pairs, for `configurations` of shape (P, nq): two arrays (P,).

        NaN where it is more than `above`. `threads` share the work.
        """
        lo, hi = self.gaps(self.poses(configurations), above=above, threads=threads)
        least = [np.where(np.isnan(bound), np.inf, bound).min(axis=1, initial=np.inf) for bound in (lo, hi)]
        first, second = (np.where(np.isinf(bound), np.nan, bound) for bound in least)
        return first, second


def positions(model: Any, robot: _robot.Robot, configurations: ArrayLike) -> NDArray[np.float64]:
    """Configurations of pinocchio as those of a `Robot`, which has the joints in the order of the file.

    A continuous joint has the cosine and the sine of its angle in pinocchio, and here the angle, from -pi to
    pi, rounded.

    Parameters
    ----------
    model : pinocchio.Model
        The model of the same URDF.
    robot : Robot
        The robot.
    configurations : array_like, shape (nq,) or (P, nq)
        Configurations of pinocchio.

    Returns
    -------
    numpy.ndarray, shape (robot.num_dofs,) or (P, robot.num_dofs)

    Raises
    ------
    KeyError
        The model lacks a joint of the robot.
    """
    q = np.asarray(configurations, dtype=np.float64)
    if q.ndim not in (1, 2) or q.shape[-1] != model.nq:
        wanted = f"({model.nq},) or (P, {model.nq})"
        raise ValueError(f"configurations must have the shape {wanted}, not {q.shape}")
    columns = []
    for name in robot.actuated_joint_names:
        if not model.existJointName(name):
            raise KeyError(f"the model has no joint {name!r}")
        joint = model.joints[model.getJointId(name)]
        at = joint.idx_q
        columns.append(q[..., at] if joint.nq == 1 else np.arctan2(q[..., at + 1], q[..., at]))
    return np.stack(columns, axis=-1) if columns else np.empty((*q.shape[:-1], 0))


def _is_view(placement: Any) -> bool:
    """Whether arrays of a placement follow its changes, so that they are made once, not for each configuration."""
    parts = [(placement.rotation, placement.rotation), (placement.translation, placement.translation)]
    return all(np.shares_memory(one, other) for one, other in parts)


def _both(pair: Any, places: dict[int, int]) -> bool:
    return pair.first in places and pair.second in places


def _shape(shape: Any) -> tuple[Mesh, float] | str:
    """A mesh of a shape of Coal and how far it is from the true one; or why there is none."""
    kind = type(shape).__name__
    if kind == "Box":
        return Mesh.box(2 * np.asarray(shape.halfSide).ravel()), 0.0
    if kind == "Sphere":
        return _bodies.ellipsoid((float(shape.radius),) * 3)
    if kind == "Ellipsoid":
        return _bodies.ellipsoid([float(x) for x in np.asarray(shape.radii).ravel()])
    if kind == "Cylinder":
        return _bodies.cylinder(float(shape.radius), 2 * float(shape.halfLength))
    if kind == "Capsule":
        return _bodies.capsule(float(shape.radius), 2 * float(shape.halfLength))
    if hasattr(shape, "tri_indices") or kind.startswith("Convex"):
        count = shape.num_tris if hasattr(shape, "num_tris") else shape.num_polygons
        get = shape.tri_indices if hasattr(shape, "tri_indices") else shape.polygons
        points = shape.vertices() if hasattr(shape, "tri_indices") else shape.points()
        return Mesh(np.array(points), np.array([[get(i)[k] for k in range(3)] for i in range(count)])), 0.0
    return f"a shape of the kind {kind} has no triangles"
