"""The most used part of python-fcl 0.7, on impinge.

``import impinge.compat.fcl as fcl``, or ``sys.modules["fcl"] = impinge.compat.fcl`` for packages that import
it, such as trimesh. As there, `BVHModel` is a surface, all else is full. Boxes, balls and capsules are exact;
other round solids are meshes within the true ones, at most their `chord_error` off. `continuousCollide`,
`OcTree`, `Halfspace`, `Plane` and `TriangleP` raise `NotImplementedError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import impinge
from impinge._core import _apart, _candidates, _distance, _first_pairs, _Gaps, _meet, _Solid
from impinge.compat import _primitives, _solids

Floats = NDArray[np.float64]
FAR = float(np.finfo(np.float64).max)
_IDENTITY = np.eye(3, 4)


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
    """Taken, and without effect."""

    GST_LIBCCD, GST_INDEP = range(2)


class CCDMotionType:
    """Taken, and without effect."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """Taken, and without effect."""

    (
        CCDC_NAIVE,
        CCDC_CONSERVATIVE_ADVANCEMENT,
        CCDC_RAY_SHOOTING,
        CCDC_POLYNOMIAL_SOLVER,
    ) = range(4)


class Transform:
    """A rotation and a translation: from a matrix (3, 3), a quaternion w, x, y, z, and a vector (3,)."""

    __slots__ = ("_rows",)

    def __init__(self, *parts: Any) -> None:
        # Never changed once it is made: those who have it share it.
        rows = _IDENTITY.copy()
        self._rows: Floats = rows
        for part in parts:
            shape = part.shape if type(part) is np.ndarray else np.shape(part)
            if shape == (3,):
                rows[:, 3] = part
            elif shape == (3, 3):
                rows[:, :3] = part
            elif shape == (4,):
                rows[:, :3] = _turn(part)
            elif isinstance(part, Transform):
                rows[:] = part._rows
            else:
                raise ValueError(f"a part of a transform has the shape {shape}")

    def getRotation(self) -> Floats:
        """The matrix."""
        return self._rows[:, :3].copy()

    def getTranslation(self) -> Floats:
        """The vector."""
        return self._rows[:, 3].copy()

    def getQuatRotation(self) -> Floats:
        """The rotation as a quaternion w, x, y, z."""
        r = self._rows
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
        self._rows = self._rows.copy()
        self._rows[:, :3] = np.reshape(rotation, (3, 3))

    def setTranslation(self, translation: ArrayLike) -> None:
        """Set the vector."""
        self._rows = self._rows.copy()
        self._rows[:, 3] = np.reshape(translation, 3)

    def setQuatRotation(self, quaternion: ArrayLike) -> None:
        """Set the rotation by a quaternion w, x, y, z."""
        self.setRotation(_turn(quaternion))


def _turn(quaternion: ArrayLike) -> Floats:
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class CollisionGeometry:
    """A shape in its own frame. Setting its numbers replaces it where it is next used."""

    chord_error = 0.0
    """How far its mesh is inside of the true surface, at most."""
    _type = NODE_TYPE.BV_UNKNOWN
    _solid: _Solid | None = None

    def _make(self) -> _Solid:
        raise ValueError("the geometry has no triangles yet: call endModel()")

    def _known(self) -> _Solid:
        if self._solid is None:
            self._solid = self._make()
        return self._solid

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if name != "_solid":
            object.__setattr__(self, "_solid", None)

    def getNodeType(self) -> int:
        """One of `NODE_TYPE`."""
        return self._type

    def computeLocalAABB(self) -> None:
        """Nothing: bounds are computed when they are needed."""

    @property
    def aabb_center(self) -> Floats:
        """The middle of its bounds."""
        middle: Floats = self._known().bounds.mean(axis=0)
        return middle


def _full(mesh: tuple[ArrayLike, ArrayLike], **options: Any) -> _Solid:
    # Most solids are never compared with a surface, so that no hierarchy is needed.
    return _Solid(impinge.Model(impinge.Mesh(*mesh), quality="on-demand"), True, **options)


_SPHERE: list[tuple[Floats, NDArray[np.int64]]] = []
_SAG: list[float] = []


def _unit_sphere() -> tuple[Floats, NDArray[np.int64]]:
    if not _SPHERE:
        _SPHERE.append(_primitives.sphere())
    return _SPHERE[0]


def _ball_sag() -> float:
    if not _SAG:
        _SAG.append(_primitives.ball_sag())
    return _SAG[0]


class Box(CollisionGeometry):
    """A box about the origin."""

    _type = NODE_TYPE.GEOM_BOX

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = np.array([x, y, z], dtype=float)
        self._known()

    def __setattr__(self, name: str, value: Any) -> None:
        # Its numbers cannot be changed in place without notice.
        if name == "side":
            value = np.array(value, dtype=float)
            value.flags.writeable = False
        super().__setattr__(name, value)

    def _make(self) -> _Solid:
        return _full(_primitives.box(*self.side), half=tuple((0.5 * self.side).tolist()))


class Sphere(CollisionGeometry):
    """A ball about the origin."""

    _type = NODE_TYPE.GEOM_SPHERE

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self._known()

    def _make(self) -> _Solid:
        return _full(_primitives.segment(0.0), radius=float(self.radius))


class Ellipsoid(CollisionGeometry):
    """An ellipsoid about the origin, with these half axes."""

    _type = NODE_TYPE.GEOM_ELLIPSOID

    def __init__(self, a: float, b: float, c: float) -> None:
        self.radii = np.array([a, b, c], dtype=float)
        self._known()

    def _make(self) -> _Solid:
        points, faces = _unit_sphere()
        return _full((points * self.radii, faces), curved=(2, self.radii.tolist()))

    @property
    def chord_error(self) -> float:  # type: ignore[override]
        """How far its mesh is inside of the true surface, at most."""
        return float(np.max(self.radii)) * _ball_sag()


class Capsule(CollisionGeometry):
    """A cylinder along z with half balls at both ends; `lz` is the length without these."""

    _type = NODE_TYPE.GEOM_CAPSULE

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self._known()

    def _make(self) -> _Solid:
        return _full(_primitives.segment(float(self.lz)), radius=float(self.radius))


class Cone(CollisionGeometry):
    """A cone along z, its point above."""

    _type = NODE_TYPE.GEOM_CONE

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self._known()

    def _make(self) -> _Solid:
        return _full(_primitives.cone(self.radius, self.lz), curved=(1, [self.radius, self.radius, self.lz]))

    @property
    def chord_error(self) -> float:  # type: ignore[override]
        """How far its mesh is inside of the true surface, at most."""
        return _primitives.sag(self.radius)


class Cylinder(CollisionGeometry):
    """A cylinder along z."""

    _type = NODE_TYPE.GEOM_CYLINDER

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self._known()

    def _make(self) -> _Solid:
        sizes = [self.radius, self.radius, self.lz]
        return _full(_primitives.cylinder(self.radius, self.lz), curved=(0, sizes))

    @property
    def chord_error(self) -> float:  # type: ignore[override]
        """How far its mesh is inside of the true surface, at most."""
        return _primitives.sag(self.radius)


class Convex(CollisionGeometry):
    """A convex solid: points, and polygons as a flat list of their lengths and corners."""

    _type = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: ArrayLike, num_faces: int, faces: ArrayLike) -> None:
        flat, polygons, at = np.asarray(faces, dtype=np.int64).ravel().tolist(), [], 0
        for _ in range(num_faces):
            polygons.append(flat[at + 1 : at + 1 + flat[at]])
            at += 1 + flat[at]
        if at != len(flat):
            raise ValueError(f"{num_faces} faces take {at} numbers, but there are {len(flat)}")
        self.num_faces = num_faces
        self._solid = _full((vertices, _primitives.fan(polygons)))


class BVHModel(CollisionGeometry):
    """A surface of triangles."""

    _type = NODE_TYPE.BV_OBBRSS

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, NDArray[np.int64]]] = []
        self._loose: list[ArrayLike] = []

    def beginModel(self, num_vertices_: int = 0, num_tris_: int = 0) -> None:
        """Begin anew; the numbers are hints."""
        self._parts, self._loose = [], []

    def addVertex(self, x: float, y: float, z: float) -> None:
        """Add a vertex: as in FCL, of no triangle."""
        self._loose.append([x, y, z])

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
        mesh = (np.concatenate(points), np.concatenate(faces)) if faces else empty
        self._solid = _Solid(impinge.Model(impinge.Mesh(*mesh)), False)

    @property
    def num_tries_(self) -> int:
        """The number of triangles."""
        return len(self._known().body.model)


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


_MOVED = object()
"""Marks an object that moved since its solid was placed."""


class CollisionObject:
    """A geometry at a transform."""

    def __init__(self, geom: CollisionGeometry, tf: Transform | None = None) -> None:
        self.geom = geom
        self._rows: Floats = _IDENTITY if tf is None else tf._rows
        # The geometry's solid, and that at the transform.
        self._of: object = _MOVED
        self._solid: _Solid | None = None

    def getTransform(self) -> Transform:
        """The transform."""
        transform = Transform.__new__(Transform)
        transform._rows = self._rows
        return transform

    def setTransform(self, tf: Transform) -> None:
        """Set the transform."""
        self._rows, self._of = tf._rows, _MOVED

    def getRotation(self) -> Floats:
        """The matrix."""
        return self._rows[:, :3].copy()

    def getTranslation(self) -> Floats:
        """The vector."""
        return self._rows[:, 3].copy()

    def getQuatRotation(self) -> Floats:
        """The rotation as a quaternion w, x, y, z."""
        return self.getTransform().getQuatRotation()

    def setRotation(self, rotation: ArrayLike) -> None:
        """Set the matrix."""
        rows = self._rows.copy()
        rows[:, :3] = np.reshape(rotation, (3, 3))
        self._rows, self._of = rows, _MOVED

    def setTranslation(self, translation: ArrayLike) -> None:
        """Set the vector."""
        rows = self._rows.copy()
        rows[:, 3] = np.reshape(translation, 3)
        self._rows, self._of = rows, _MOVED

    def setQuatRotation(self, quaternion: ArrayLike) -> None:
        """Set the rotation by a quaternion w, x, y, z."""
        transform = self.getTransform()
        transform.setQuatRotation(quaternion)
        self._rows, self._of = transform._rows, _MOVED

    def getNodeType(self) -> int:
        """The geometry's: one of `NODE_TYPE`."""
        return self.geom.getNodeType()

    def getObjectType(self) -> int:
        """One of `OBJECT_TYPE`."""
        return OBJECT_TYPE.OT_BVH if isinstance(self.geom, BVHModel) else OBJECT_TYPE.OT_GEOM

    def isOccupied(self) -> bool:
        """True: costs are not offered."""
        return True

    def isFree(self) -> bool:
        """False: costs are not offered."""
        return False

    def isUncertain(self) -> bool:
        """False: costs are not offered."""
        return False

    def computeAABB(self) -> None:
        """Nothing: bounds are computed when they are needed."""

    def _placed(self) -> _Solid:
        if self._of is not self.geom._solid or self._solid is None:
            of = self.geom._known()
            self._solid, self._of = of.at(self._rows), of
        return self._solid


class Contact:
    """A contact of two geometries."""

    o1: CollisionGeometry | None
    o2: CollisionGeometry | None
    b1: int
    b2: int
    normal: Floats
    pos: Floats
    penetration_depth: float

    def __init__(self) -> None:
        self.o1 = self.o2 = None
        self.b1 = self.b2 = 0
        self.normal, self.pos, self.penetration_depth = np.zeros(3), np.zeros(3), 0.0


class _Found(Contact):
    """A contact whose numbers are computed when they are read."""

    __slots__ = ("_found", "_k")

    def __init__(self, o1: CollisionGeometry, o2: CollisionGeometry, found: _solids.Contacts, k: int) -> None:
        self.o1, self.o2, self._found, self._k = o1, o2, found, k

    @property
    def b1(self) -> int:  # type: ignore[override]
        return self._found.triangles(self._k)[0]

    @property
    def b2(self) -> int:  # type: ignore[override]
        return self._found.triangles(self._k)[1]

    @property
    def normal(self) -> Floats:  # type: ignore[override]
        return self._found.normal(self._k)

    @property
    def pos(self) -> Floats:  # type: ignore[override]
        return self._found.point(self._k)

    @property
    def penetration_depth(self) -> float:  # type: ignore[override]
        return self._found.depth(self._k)

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("o1", "o2", "b1", "b2", "normal", "pos", "penetration_depth")
        return Contact, (), {name: getattr(self, name) for name in names}


class CostSource:
    """Never made: costs are not offered."""

    def __init__(self) -> None:
        self.aabb_min, self.aabb_max = np.zeros(3), np.zeros(3)
        self.cost_density = self.total_cost = 0.0


class CollisionRequest:
    """What of a collision is wanted."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        if enable_cost:
            raise NotImplementedError("fcl's costs are not offered by impinge.compat.fcl")
        self.num_max_contacts, self.enable_contact = num_max_contacts, enable_contact
        self.num_max_cost_sources, self.enable_cost = num_max_cost_sources, enable_cost
        self.use_approximate_cost, self.gjk_solver_type = use_approximate_cost, gjk_solver_type


class CollisionResult:
    """Contacts so far."""

    def __init__(self, is_collision: bool = False) -> None:
        self.contacts: list[Contact] = []
        self.cost_sources: list[CostSource] = []
        # As in python-fcl, whatever the argument says.
        self.is_collision = False


class DistanceRequest:
    """What of a distance is wanted."""

    def __init__(
        self,
        enable_nearest_points: bool = False,
        enable_signed_distance: bool = False,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance
        self.gjk_solver_type = gjk_solver_type


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
    # `_placed`, without its call where nothing has changed.
    a = (o1._of is o1.geom._solid and o1._solid) or o1._placed()
    b = (o2._of is o2.geom._solid and o2._solid) or o2._placed()
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
    if most == 1 and not enable or a.is_full and b.is_full:
        count = 1 if _meet(a, b) else 0
        found: _solids.Contacts | None = _LazyContacts(a, b) if count else None
    else:
        found, count = _solids.contacts(a, b, most)
    if result is not None and found is not None:
        geom1, geom2 = o1.geom, o2.geom
        result.contacts += [_Found(geom1, geom2, found, k) for k in range(count)]
        result.is_collision = True
    return count


class _LazyContacts(_solids.One):
    """One contact of solids that meet: the first that is found."""

    __slots__ = ()

    def _all(self) -> _solids._Deep:
        a, b = self._solids
        if self._found is None and not (a.is_full and b.is_full or a.is_round or b.is_round):
            pairs = _first_pairs(a, b, 1)
            if len(pairs):
                many = _solids.Many(a, b, pairs)
                point = many.point(0)
                self._found = many.normal(0), many.depth(0), point, np.array([point] * 2), many.triangles(0)
        return super()._all()


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: DistanceRequest | None = None,
    result: DistanceResult | None = None,
) -> float:
    """How far two objects are apart.

    Of those that meet -1, or, if `request` asks for signed distances and both are full, minus the depth.
    """
    a, b = o1._placed(), o2._placed()
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
        result.min_distance, (result.b1, result.b2) = value, faces or (-1, -1)
        result.o1, result.o2 = o1.geom, o2.geom
        if request is not None and request.enable_nearest_points:
            result.nearest_points = list(points)
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

    def collide(self, *arguments: Any) -> None:
        """``collide([other], data, callback)``: calls back for pairs whose bounds meet, until it is true."""
        *other, data, callback = arguments
        mine, theirs = self._lists(other[0] if other else None)
        others = mine if theirs is None else theirs
        pairs = _candidates(_placed(mine), None if theirs is None else _placed(theirs))
        for i, j in pairs:
            if callback(mine[i], others[j], data):
                return

    def distance(self, *arguments: Any) -> None:
        """``distance([other], data, callback)``: calls back for pairs, the nearest bounds first.

        It ends where the callback returns true, or a distance that the bounds of all others exceed.
        """
        *other, data, callback = arguments
        mine, theirs = self._lists(other[0] if other else None)
        others = mine if theirs is None else theirs
        least = np.inf
        for i, j, apart in _Gaps(_placed(mine), None if theirs is None else _placed(theirs)):
            if apart > least:
                return
            done, least = callback(mine[i], others[j], data)
            if done:
                return

    def _lists(self, other: Any) -> tuple[list[CollisionObject], list[CollisionObject] | None]:
        if other is None:
            return self.getObjects(), None
        return self.getObjects(), [other] if isinstance(other, CollisionObject) else other.getObjects()


def _placed(objects: list[CollisionObject]) -> list[_Solid]:
    return [obj._placed() for obj in objects]
