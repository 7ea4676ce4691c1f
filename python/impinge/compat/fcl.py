"""The most used part of python-fcl 0.7, on impinge.

``import impinge.compat.fcl as fcl``, or ``sys.modules["fcl"] = impinge.compat.fcl`` for packages that import
it, such as trimesh. As there, `BVHModel` is a surface, all else is full. Round solids are meshes within the
true ones; their `chord_error` says how far they are off, at most. `continuousCollide`, `OcTree`, `Halfspace`,
`Plane` and `TriangleP` raise `NotImplementedError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import impinge
from impinge.compat import _primitives, _solids

Floats = NDArray[np.float64]
FAR = float(np.finfo(np.float64).max)


class Transform:
    """A rotation and a translation: from a matrix (3, 3), a quaternion w, x, y, z, and a vector (3,)."""

    def __init__(self, *parts: Any) -> None:
        self._rotation, self._translation = np.eye(3), np.zeros(3)
        for part in parts:
            if isinstance(part, Transform):
                self._rotation, self._translation = part.getRotation(), part.getTranslation()
            elif np.shape(part) == (3, 3):
                self.setRotation(part)
            elif np.shape(part) == (4,):
                self.setQuatRotation(part)
            elif np.shape(part) == (3,):
                self.setTranslation(part)
            else:
                raise ValueError(f"a part of a transform has the shape {np.shape(part)}")

    def getRotation(self) -> Floats:
        """The matrix."""
        return self._rotation.copy()

    def getTranslation(self) -> Floats:
        """The vector."""
        return self._translation.copy()

    def getQuatRotation(self) -> Floats:
        """The rotation as a quaternion w, x, y, z."""
        r = self._rotation
        # Bar-Itzhack: the eigenvector of the largest eigenvalue.
        k = np.array(
            [
                [r[0, 0] + r[1, 1] + r[2, 2], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
                [r[2, 1] - r[1, 2], r[0, 0] - r[1, 1] - r[2, 2], r[0, 1] + r[1, 0], r[0, 2] + r[2, 0]],
                [r[0, 2] - r[2, 0], r[0, 1] + r[1, 0], r[1, 1] - r[0, 0] - r[2, 2], r[1, 2] + r[2, 1]],
                [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[1, 2] + r[2, 1], r[2, 2] - r[0, 0] - r[1, 1]],
            ]
        )
        found: Floats = np.linalg.eigh(k)[1][:, -1]
        return found if found[0] >= 0 else -found

    def setRotation(self, rotation: ArrayLike) -> None:
        """Set the matrix."""
        self._rotation = np.array(rotation, dtype=float).reshape(3, 3)

    def setTranslation(self, translation: ArrayLike) -> None:
        """Set the vector."""
        self._translation = np.array(translation, dtype=float).reshape(3)

    def setQuatRotation(self, quaternion: ArrayLike) -> None:
        """Set the rotation by a quaternion w, x, y, z."""
        w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
        self._rotation = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )


class CollisionGeometry:
    """A shape in its own frame."""

    chord_error = 0.0
    """How far its mesh is inside of the true surface, at most."""
    _is_convex = True
    _model: impinge.Model | None = None

    def _make(self, mesh: tuple[ArrayLike, ArrayLike]) -> None:
        self._model = impinge.Model(impinge.Mesh(*mesh))

    def _known(self) -> impinge.Model:
        if self._model is None:
            raise ValueError("the geometry has no triangles yet: call endModel()")
        return self._model


class Box(CollisionGeometry):
    """A box about the origin."""

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = np.array([x, y, z], dtype=float)
        self._make(_primitives.box(x, y, z))


class Sphere(CollisionGeometry):
    """A ball about the origin."""

    def __init__(self, radius: float) -> None:
        self.radius = radius
        points, faces = _primitives.sphere()
        self.chord_error = radius * _primitives.ball_sag()
        self._make((points * radius, faces))


class Ellipsoid(CollisionGeometry):
    """An ellipsoid about the origin, with these half axes."""

    def __init__(self, a: float, b: float, c: float) -> None:
        self.radii = np.array([a, b, c], dtype=float)
        points, faces = _primitives.sphere()
        self.chord_error = float(self.radii.max()) * _primitives.ball_sag()
        self._make((points * self.radii, faces))


class Capsule(CollisionGeometry):
    """A cylinder along z with half balls at both ends; `lz` is the length without these."""

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self.chord_error = 2 * _primitives.sag(radius)
        self._make(_primitives.capsule(radius, lz))


class Cone(CollisionGeometry):
    """A cone along z, its point above."""

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz, self.chord_error = radius, lz, _primitives.sag(radius)
        self._make(_primitives.cone(radius, lz))


class Cylinder(CollisionGeometry):
    """A cylinder along z."""

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz, self.chord_error = radius, lz, _primitives.sag(radius)
        self._make(_primitives.cylinder(radius, lz))


class Convex(CollisionGeometry):
    """A convex solid: points, and polygons as a flat list of their lengths and corners."""

    def __init__(self, vertices: ArrayLike, num_faces: int, faces: ArrayLike) -> None:
        flat, polygons, at = np.asarray(faces, dtype=np.int64).ravel().tolist(), [], 0
        for _ in range(num_faces):
            polygons.append(flat[at + 1 : at + 1 + flat[at]])
            at += 1 + flat[at]
        if at != len(flat):
            raise ValueError(f"{num_faces} faces take {at} numbers, but there are {len(flat)}")
        self._make((vertices, _primitives.fan(polygons)))


class BVHModel(CollisionGeometry):
    """A surface of triangles."""

    _is_convex = False

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, NDArray[np.int64]]] = []

    def beginModel(self, num_vertices_: int = 0, num_tris_: int = 0) -> None:
        """Begin anew; the numbers are hints."""
        self._parts, self._model = [], None

    def addSubModel(self, verts: ArrayLike, triangles: ArrayLike) -> None:
        """Add points and index triples of their own."""
        self._parts.append((np.asarray(verts), np.asarray(triangles)))

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> None:
        """Add a triangle."""
        self._parts.append((np.array([v1, v2, v3], dtype=float), np.array([[0, 1, 2]])))

    def endModel(self) -> None:
        """Build the hierarchy."""
        starts = np.cumsum([0, *(len(points) for points, _ in self._parts)])
        faces = [part[1] + start for part, start in zip(self._parts, starts, strict=False)]
        points = [part[0] for part in self._parts]
        empty = np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
        self._make((np.concatenate(points), np.concatenate(faces)) if faces else empty)


def _missing(name: str) -> Callable[..., Any]:
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise NotImplementedError(f"fcl.{name} is not offered by impinge.compat.fcl")

    refuse.__name__ = name
    return refuse


OcTree, Halfspace, Plane, TriangleP = (
    _missing(name) for name in ("OcTree", "Halfspace", "Plane", "TriangleP")
)
continuousCollide = _missing("continuousCollide")
ContinuousCollisionRequest = _missing("ContinuousCollisionRequest")
ContinuousCollisionResult = _missing("ContinuousCollisionResult")


class CollisionObject:
    """A geometry at a transform."""

    def __init__(self, geom: CollisionGeometry, tf: Transform | None = None) -> None:
        self.geom = geom
        self._shape: _solids.Shape | None = None
        self._transform = Transform() if tf is None else Transform(tf)

    def getTransform(self) -> Transform:
        """The transform."""
        return Transform(self._transform)

    def setTransform(self, tf: Transform) -> None:
        """Set the transform."""
        self._transform, self._shape = Transform(tf), None

    def getRotation(self) -> Floats:
        """The matrix."""
        return self._transform.getRotation()

    def getTranslation(self) -> Floats:
        """The vector."""
        return self._transform.getTranslation()

    def getQuatRotation(self) -> Floats:
        """The rotation as a quaternion w, x, y, z."""
        return self._transform.getQuatRotation()

    def setRotation(self, rotation: ArrayLike) -> None:
        """Set the matrix."""
        self._transform.setRotation(rotation)
        self._shape = None

    def setTranslation(self, translation: ArrayLike) -> None:
        """Set the vector."""
        self._transform.setTranslation(translation)
        self._shape = None

    def setQuatRotation(self, quaternion: ArrayLike) -> None:
        """Set the rotation by a quaternion w, x, y, z."""
        self._transform.setQuatRotation(quaternion)
        self._shape = None

    def computeAABB(self) -> None:
        """Nothing: bounds are computed when they are wanted."""

    def _placed(self) -> _solids.Shape:
        if self._shape is None:
            pose = np.column_stack([self._transform._rotation, self._transform._translation])
            body = impinge.Body(self.geom._known(), pose, affine=True)
            self._shape = _solids.Shape(body, self.geom._is_convex)
        return self._shape


class Contact:
    """A contact of two geometries."""

    def __init__(self, o1: CollisionGeometry, o2: CollisionGeometry, contact: _solids.Contact) -> None:
        self.o1, self.o2 = o1, o2
        self.b1, self.b2 = contact.triangles
        self.normal, self.pos = contact.normal, contact.point
        self.penetration_depth = contact.depth


class CollisionRequest:
    """What of a collision is wanted."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        enable_cost: bool = False,
        **others: Any,
    ) -> None:
        if enable_cost:
            raise NotImplementedError("fcl's costs are not offered by impinge.compat.fcl")
        self.num_max_contacts, self.enable_contact, self.enable_cost = num_max_contacts, enable_contact, False


class CollisionResult:
    """Contacts so far."""

    def __init__(self, contacts: Iterable[Contact] | None = None) -> None:
        self.contacts = list(contacts or [])
        self.cost_sources: list[Any] = []
        self.is_collision = bool(self.contacts)


class DistanceRequest:
    """What of a distance is wanted."""

    def __init__(
        self, enable_nearest_points: bool = False, enable_signed_distance: bool = False, **others: Any
    ) -> None:
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance


class DistanceResult:
    """The least distance so far."""

    def __init__(self, min_distance_: float = FAR) -> None:
        self.min_distance = min_distance_
        self.nearest_points: list[Any] = [None, None]
        self.o1: CollisionGeometry | None = None
        self.o2: CollisionGeometry | None = None
        self.b1 = self.b2 = -1


class CollisionData:
    """A request and a result, for callbacks."""

    def __init__(
        self, request: CollisionRequest | None = None, result: CollisionResult | None = None
    ) -> None:
        self.request = CollisionRequest() if request is None else request
        self.result = CollisionResult() if result is None else result
        self.done = False


class DistanceData:
    """A request and a result, for callbacks."""

    def __init__(self, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> None:
        self.request = DistanceRequest() if request is None else request
        self.result = DistanceResult() if result is None else result
        self.done = False


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: CollisionRequest | None = None,
    result: CollisionResult | None = None,
) -> int:
    """Whether two objects collide: adds their contacts to `result`, and returns how many these are."""
    request = CollisionRequest() if request is None else request
    result = CollisionResult() if result is None else result
    a, b = o1._placed(), o2._placed()
    if not _solids.overlap(a.bounds, b.bounds):
        return 0
    found = _solids.contacts(a, b, most=request.num_max_contacts)
    result.contacts += [Contact(o1.geom, o2.geom, contact) for contact in found]
    result.is_collision = result.is_collision or bool(found)
    return len(found)


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """How far two objects are apart.

    Of those that meet -1, or, if `request` asks for signed distances and both are convex, minus the depth.
    """
    request = DistanceRequest() if request is None else request
    found = _solids.distance(o1._placed(), o2._placed())
    if found is None:
        return FAR
    value, is_deep = found.distance, o1.geom._is_convex and o2.geom._is_convex
    if value <= 0 and not (request.enable_signed_distance and is_deep):
        value = -1.0
    if result is not None and value < result.min_distance:
        result.min_distance, (result.b1, result.b2) = value, found.triangles
        result.o1, result.o2 = o1.geom, o2.geom
        if request.enable_nearest_points:
            result.nearest_points = list(found.points)
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


class DynamicAABBTreeCollisionManager:
    """Many objects. Bounds are those at the time of the question: `setup` and `update` have nothing to do."""

    def __init__(self) -> None:
        self._objects: dict[int, CollisionObject] = {}

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Add objects."""
        for obj in other_objs:
            self.registerObject(obj)

    def registerObject(self, obj: CollisionObject) -> None:
        """Add an object."""
        self._objects[id(obj)] = obj

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Remove an object."""
        self._objects.pop(id(obj), None)

    def setup(self) -> None:
        """Nothing."""

    def update(self, arg: Any = None) -> None:
        """Nothing."""

    def getObjects(self) -> list[CollisionObject]:
        """All objects."""
        return list(self._objects.values())

    def clear(self) -> None:
        """Remove all objects."""
        self._objects.clear()

    def empty(self) -> bool:
        """Whether there is none."""
        return not self._objects

    def size(self) -> int:
        """How many there are."""
        return len(self._objects)

    def _pairs(self, other: Any) -> Iterator[tuple[CollisionObject, CollisionObject, float]]:
        """Pairs of objects, and how far apart their bounds are: within, with another object, or manager."""
        mine = self.getObjects()
        if isinstance(other, CollisionObject):
            theirs = [other]
        else:
            theirs = mine if other is None else other.getObjects()
        bounds = np.array([obj._placed().bounds for obj in mine]).reshape(-1, 2, 3)
        for j, b in enumerate(theirs):
            count = j if other is None else len(mine)
            if count:
                apart = _solids.all_apart(bounds[:count], b._placed().bounds)
                yield from zip(mine[:count], [b] * count, apart.tolist(), strict=True)

    def collide(self, *arguments: Any) -> None:
        """``collide([other], data, callback)``: calls back for pairs whose bounds meet, until it is true."""
        *other, data, callback = arguments
        for a, b, apart in self._pairs(other[0] if other else None):
            if apart == 0 and callback(a, b, data):
                return

    def distance(self, *arguments: Any) -> None:
        """``distance([other], data, callback)``: calls back for pairs, the nearest bounds first.

        It ends where the callback returns true, or a distance that the bounds of all others exceed.
        """
        *other, data, callback = arguments
        least = np.inf
        for a, b, apart in sorted(self._pairs(other[0] if other else None), key=lambda pair: pair[2]):
            if apart > least:
                return
            done, least = callback(a, b, data)
            if done:
                return
