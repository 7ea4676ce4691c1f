"""Shapes in their own frames."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

import impinge
from impinge._core import _Solid
from impinge.compat.fcl import _primitives
from impinge.compat.fcl._numbers import NODE_TYPE

Floats = NDArray[np.float64]


class CollisionGeometry:
    """A shape in its own frame. Setting one of its sizes replaces the shape where it is next used."""

    _type = NODE_TYPE.BV_UNKNOWN
    _sizes: dict[str, tuple[int, ...]] = {}
    """The attributes that determine the shape, and the shapes of these arrays."""
    _solid: _Solid | None = None

    @property
    def chord_error(self) -> float:
        """Largest distance of the mesh from the true surface: 0, as the shape is exact."""
        return 0.0

    def _make(self) -> _Solid:
        raise ValueError("the geometry has no triangles yet: call endModel()")

    def _known(self) -> _Solid:
        if self._solid is None:
            self._solid = self._make()
        return self._solid

    def _inside(self) -> _Solid:
        """A solid that is certainly inside of the true shape."""
        return self._known()

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._sizes:
            value = _checked(f"{type(self).__name__}.{name}", value, self._sizes[name])
            object.__setattr__(self, "_solid", None)
        object.__setattr__(self, name, value)

    def getNodeType(self) -> int:
        """Return one of `NODE_TYPE`."""
        return self._type

    def computeLocalAABB(self) -> None:
        """Do nothing: bounds are computed when they are needed."""

    @property
    def aabb_center(self) -> Floats:
        """The middle of its bounds."""
        middle: Floats = self._known().bounds.mean(axis=0)
        return middle


def _checked(name: str, value: Any, shape: tuple[int, ...]) -> float | Floats:
    """Lengths, read-only: a change in place would not replace the shape."""
    lengths = np.array(value, dtype=float)
    if lengths.shape != shape:
        raise ValueError(f"{name} has the shape {lengths.shape}, not {shape}")
    if not ((lengths >= 0) & (lengths < np.inf)).all():
        raise ValueError(f"{name} must be finite and not negative, not {lengths.tolist()}")
    lengths.flags.writeable = False
    return lengths if shape else float(lengths)


class Box(CollisionGeometry):
    """A box about the origin."""

    _type = NODE_TYPE.GEOM_BOX
    _sizes = {"side": (3,)}
    side: Floats

    def __init__(self, x: float, y: float, z: float) -> None:
        self.side = np.array([x, y, z], dtype=float)
        self._known()

    def _make(self) -> _Solid:
        x, y, z = self.side.tolist()
        return _primitives.full(_primitives.box((x, y, z)))


class Sphere(CollisionGeometry):
    """A ball about the origin."""

    _type = NODE_TYPE.GEOM_SPHERE
    _sizes = {"radius": ()}
    radius: float

    def __init__(self, radius: float) -> None:
        self.radius = radius
        self._known()

    def _make(self) -> _Solid:
        return _Solid(impinge.Model.points([[0, 0, 0]]), True, self.radius)


class _Curved(CollisionGeometry):
    """A shape that is a mesh around it, and another one inside of it where that is certain to collide."""

    _kind: Literal["cylinder", "cone", "ellipsoid"]
    _chord: float | None = None

    def _radii(self) -> tuple[float, float, float]:
        raise NotImplementedError

    @property
    def chord_error(self) -> float:
        """Largest distance of the mesh, which is around the shape, from the true surface. It can be set."""
        return _primitives.CHORD * self._largest() if self._chord is None else self._chord

    @chord_error.setter
    def chord_error(self, chord_error: float) -> None:
        if not 0 < chord_error < np.inf:
            name = type(self).__name__
            raise ValueError(f"{name}.chord_error must be finite and positive, not {chord_error}")
        self._chord, self._solid = float(chord_error), None
        self._known()

    def _largest(self) -> float:
        x, y, _ = self._radii()
        return max(x, y)

    def _make(self) -> _Solid:
        return _primitives.curved(self._kind, self._radii(), self.chord_error, "circumscribed")

    def _inside(self) -> _Solid:
        return _primitives.curved(self._kind, self._radii(), self.chord_error, "inscribed")


class Ellipsoid(_Curved):
    """An ellipsoid about the origin, with these half axes."""

    _type = NODE_TYPE.GEOM_ELLIPSOID
    _kind = "ellipsoid"
    _sizes = {"radii": (3,)}
    radii: Floats

    def __init__(self, a: float, b: float, c: float) -> None:
        self.radii = np.array([a, b, c], dtype=float)
        self._known()

    def _radii(self) -> tuple[float, float, float]:
        x, y, z = self.radii.tolist()
        return x, y, z

    def _largest(self) -> float:
        return max(self._radii())


class _Turned(CollisionGeometry):
    """A shape about the z axis."""

    _sizes = {"radius": (), "lz": ()}
    radius: float
    lz: float

    def __init__(self, radius: float, lz: float) -> None:
        self.radius, self.lz = radius, lz
        self._known()


class Capsule(_Turned):
    """A cylinder along z with half balls at both ends; `lz` is the length without these."""

    _type = NODE_TYPE.GEOM_CAPSULE

    def _make(self) -> _Solid:
        ends = [0, 0, -0.5 * self.lz], [0, 0, 0.5 * self.lz]
        return _Solid(impinge.Model.segment(*ends), True, self.radius)


class _Round(_Curved, _Turned):
    """A curved shape about the z axis."""

    def _radii(self) -> tuple[float, float, float]:
        return self.radius, self.radius, self.lz


class Cone(_Round):
    """A cone along z, its point above."""

    _type = NODE_TYPE.GEOM_CONE
    _kind = "cone"


class Cylinder(_Round):
    """A cylinder along z."""

    _type = NODE_TYPE.GEOM_CYLINDER
    _kind = "cylinder"


class Convex(CollisionGeometry):
    """A convex solid: points, and polygons as a flat list of their lengths and corners."""

    _type = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: ArrayLike, num_faces: int, faces: ArrayLike) -> None:
        flat, polygons, at = np.asarray(faces, dtype=np.int64).ravel().tolist(), [], 0
        for number in range(num_faces):
            corners = flat[at] if at < len(flat) else 0
            polygon = flat[at + 1 : at + 1 + corners]
            if at < len(flat) and corners < 3:
                raise ValueError(f"face {number} has {corners} corners; it needs 3 or more")
            polygons.append(polygon)
            at += 1 + corners
        if at != len(flat):
            raise ValueError(f"{num_faces} faces take {at} numbers, but there are {len(flat)}")
        self.num_faces = num_faces
        self._solid = _primitives.full(impinge.Mesh(vertices, _primitives.fan(polygons)))


class BVHModel(CollisionGeometry):
    """A surface of triangles."""

    _type = NODE_TYPE.BV_OBBRSS

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, NDArray[np.integer[Any]]]] = []

    def beginModel(self, num_vertices_: int = 0, num_tris_: int = 0) -> None:
        """Begin a new model; the numbers are hints."""
        self._parts, self._solid = [], None

    def addVertex(self, x: float, y: float, z: float) -> None:
        """Add a vertex: as in FCL, of no triangle, and so without effect."""

    def addSubModel(self, verts: ArrayLike, triangles: ArrayLike) -> None:
        """Add points and index triples of their own; both are copied."""
        points, faces = np.array(verts), np.array(triangles)
        if faces.size == 0:
            return
        # An index that is not an integer is refused where the mesh is made.
        if faces.dtype.kind in "iu":
            wrong = faces[(faces < 0) | (faces >= len(points))]
            if len(wrong):
                raise IndexError(
                    f"a triangle has the vertex {wrong[0]}, but its sub-model has {len(points)} vertices"
                )
            # Several parts may have several dtypes.
            faces = faces.astype(np.int64)
        self._parts.append((points, faces))

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> None:
        """Add a triangle."""
        self._parts.append((np.array([v1, v2, v3], dtype=float), np.array([[0, 1, 2]])))

    def endModel(self) -> bool:
        """Build the hierarchy. Returns True, as in python-fcl."""
        starts = np.cumsum([0, *(len(points) for points, _ in self._parts)])
        faces = [part[1] + start for part, start in zip(self._parts, starts, strict=False)]
        points = [part[0] for part in self._parts]
        empty = np.empty((0, 3)), np.empty((0, 3), dtype=np.int64)
        mesh = (np.concatenate(points), np.concatenate(faces)) if faces else empty
        self._solid = _Solid(impinge.Model(impinge.Mesh(*mesh)), False)
        return True

    def buildState(self) -> int:
        """0 of an empty model, 1 of one with parts, 2 once its hierarchy is built."""
        return 2 if self._solid is not None else min(len(self._parts), 1)

    @property
    def num_tries_(self) -> int:
        """The number of triangles."""
        return len(self._known().body.model)
