"""The collision manager of trimesh 5.2, on impinge instead of python-fcl.

``from impinge.compat.trimesh import CollisionManager, scene_to_collision``: the same names, arguments and
returns. As there, meshes that are convex are full, others are surfaces. What differs: triangles meet exactly,
touching included; no contact is left out, whatever their number; and transforms count in float64.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import impinge
from impinge.compat import _solids
from impinge.compat._solids import Contact, Distance, Shape

if TYPE_CHECKING:
    _Pair = tuple[Any, Any]

EXTERNAL = "__external"


class ContactData:
    """A contact of two objects."""

    def __init__(self, names: _Pair, contact: Contact) -> None:
        self.names = set(names)
        self._contact = contact
        self._faces: dict[Any, int] = dict(zip(names, contact.triangles, strict=True))

    @property
    def normal(self) -> NDArray[np.float64]:
        """The unit normal, from the first object to the second."""
        return self._contact.normal

    @property
    def point(self) -> NDArray[np.float64]:
        """A point that both objects have."""
        return self._contact.point

    @property
    def depth(self) -> float:
        """How far they are in each other there."""
        return self._contact.depth

    def index(self, name: Any) -> int:
        """The face of the object of that name."""
        return self._faces[name]


class DistanceData:
    """The distance of two objects."""

    def __init__(self, names: _Pair, distance: Distance) -> None:
        self.names = set(names)
        self._distance = distance
        self._faces: dict[Any, int] = dict(zip(names, distance.triangles, strict=True))
        self._points: dict[Any, NDArray[np.float64]] = dict(zip(names, distance.points, strict=True))

    @property
    def distance(self) -> float:
        """How far apart they are; negative if they meet."""
        return self._distance.distance

    def index(self, name: Any) -> int:
        """The nearest face of the object of that name."""
        return self._faces[name]

    def point(self, name: Any) -> NDArray[np.float64]:
        """The nearest point of the object of that name."""
        return self._points[name]


class CollisionManager:
    """Named meshes, and which of them collide: the interface of `trimesh.collision.CollisionManager`.

    Examples
    --------
    >>> import trimesh
    >>> from impinge.compat.trimesh import CollisionManager
    >>> manager = CollisionManager()
    >>> _ = manager.add_object("box", trimesh.creation.box())
    >>> ball = trimesh.creation.icosphere(radius=0.5).apply_translation([2, 0, 0])
    >>> manager.in_collision_single(ball), round(manager.min_distance_single(ball), 12)
    (False, 1.0)
    """

    def __init__(self) -> None:
        self._shapes: dict[Any, Shape] = {}
        self._bounds: dict[Any, NDArray[np.float64]] = {}
        # By the content of meshes, so that many objects of one mesh share its model.
        self._models: dict[Hashable, tuple[impinge.Model, bool]] = {}

    def add_object(self, name: Any, mesh: Any, transform: ArrayLike | None = None) -> impinge.Body:
        """Add a mesh under a name, or replace the one that has it."""
        if transform is not None and np.shape(transform) != (4, 4):
            raise ValueError("transform must be (4,4)!")
        # One that is replaced goes behind the others.
        self._shapes.pop(name, None)
        self._put(name, self._shape(mesh, transform))
        return self._shapes[name].body

    def remove_object(self, name: Any) -> None:
        """Remove the object of that name."""
        self._known(name)
        del self._shapes[name], self._bounds[name]

    def set_transform(self, name: Any, transform: ArrayLike) -> None:
        """Move the object of that name."""
        shape = self._known(name)
        self._put(name, Shape(impinge.Body(shape.body.model, transform, affine=True), shape.is_convex))

    def in_collision_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Whether a mesh collides with any object; the set of their names, and the contacts."""
        single = self._shape(mesh, transform)
        pairs = (((name, EXTERNAL), (shape, single)) for name, shape in self._near(single))
        collides, names, data = _collisions(pairs, return_names, return_data)
        return _answer(collides, (return_names, {name for name, _ in names}), (return_data, data))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide; the set of pairs of their names, sorted, and the contacts."""
        collides, names, data = _collisions(self._internal(), return_names, return_data)
        pairs = {tuple(sorted(pair)) for pair in names}
        return _answer(collides, (return_names, pairs), (return_data, data))

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any object collides with one of another manager; pairs (mine, theirs), and the contacts."""
        pairs = (
            ((name, other), (shape, theirs))
            for other, theirs in other_manager._shapes.items()
            for name, shape in self._near(theirs)
        )
        collides, names, data = _collisions(pairs, return_names, return_data)
        return _answer(collides, (return_names, names), (return_data, data))

    def min_distance_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """The least distance of a mesh to any object; the object's name, and where."""
        single = self._shape(mesh, transform)
        pairs = [((name, EXTERNAL), (shape, single)) for name, shape in self._shapes.items()]
        names, found = _nearest(pairs)
        name = None if names is None else names[0]
        return _distances(names, found, (return_name, name), return_data)

    def min_distance_internal(
        self, name: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of two objects, or of the one of that name to others; their names, and where."""
        items = list(self._shapes.items())
        if name is not None:
            known = self._known(name)
            pairs = [((name, other), (known, shape)) for other, shape in items if other != name]
        else:
            pairs = [((a, b), (one, two)) for i, (b, two) in enumerate(items) for a, one in items[:i]]
        names, found = _nearest(pairs)
        both = None if names is None else tuple(sorted(names))
        return _distances(names, found, (return_names, both), return_data)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of an object to one of another manager; names (mine, theirs), and where."""
        theirs = other_manager._shapes.items()
        pairs = [((a, b), (one, two)) for a, one in self._shapes.items() for b, two in theirs]
        names, found = _nearest(pairs)
        return _distances(names, found, (return_names, names), return_data)

    def _known(self, name: Any) -> Shape:
        if name not in self._shapes:
            raise ValueError(f"{name} not in collision manager!")
        return self._shapes[name]

    def _put(self, name: Any, shape: Shape) -> None:
        self._shapes[name], self._bounds[name] = shape, shape.bounds

    def _shape(self, mesh: Any, transform: ArrayLike | None) -> Shape:
        # Of other classes a hash may say nothing of the content.
        content = hash(mesh) if hasattr(type(mesh), "identifier_hash") else None
        model, is_convex = self._models.get(content, (None, False))
        if model is None or not _is_of(mesh, model):
            model = impinge.Model(impinge.Mesh(mesh.vertices, mesh.faces), quality="on-demand")
            is_convex = bool(getattr(mesh, "is_convex", False))
            if content is not None:
                self._models[content] = model, is_convex
        return Shape(impinge.Body(model, transform, affine=True), is_convex)

    def _near(self, shape: Shape) -> Iterator[tuple[Any, Shape]]:
        """Objects whose bounds meet those of a shape."""
        if self._shapes:
            names, bounds = list(self._shapes), np.array([self._bounds[name] for name in self._shapes])
            least, most = shape.bounds
            overlap = (bounds[:, 0] <= most).all(axis=1) & (least <= bounds[:, 1]).all(axis=1)
            yield from ((names[i], self._shapes[names[i]]) for i in np.flatnonzero(overlap))

    def _internal(self) -> Iterator[tuple[_Pair, tuple[Shape, Shape]]]:
        """Pairs of objects whose bounds meet."""
        names = list(self._shapes)
        bounds = np.array([self._bounds[name] for name in names]).reshape(-1, 2, 3)
        for j in range(1, len(names)):
            least, most = bounds[:j, 0], bounds[:j, 1]
            overlap = (least <= bounds[j, 1]).all(axis=1) & (bounds[j, 0] <= most).all(axis=1)
            for i in np.flatnonzero(overlap):
                yield (names[i], names[j]), (self._shapes[names[i]], self._shapes[names[j]])


def _is_of(mesh: Any, model: impinge.Model) -> bool:
    """Whether a model is of that mesh."""
    known = model.mesh
    return np.array_equal(known.vertices, mesh.vertices) and np.array_equal(known.faces, mesh.faces)


def _collisions(
    pairs: Iterable[tuple[_Pair, tuple[Shape, Shape]]], all_names: bool, all_data: bool
) -> tuple[bool, set[_Pair], list[ContactData]]:
    """Which pairs collide: all of them, if names or data are wanted, else one."""
    names: set[_Pair] = set()
    data: list[ContactData] = []
    for pair, (a, b) in pairs:
        if all_data:
            found = [ContactData(pair, contact) for contact in _solids.contacts(a, b)]
            data += found
            collide = bool(found)
        else:
            collide = _solids.meet(a, b)
        if collide:
            names.add(pair)
            if not (all_names or all_data):
                break
    return bool(names), names, data


def _nearest(pairs: list[tuple[_Pair, tuple[Shape, Shape]]]) -> tuple[_Pair | None, Distance | None]:
    """The pair that is nearest, or deepest in each other; of equal ones the first."""
    lower = [_solids.apart(a.bounds, b.bounds) for _, (a, b) in pairs]
    names, best = None, None
    for i in np.argsort(lower, kind="stable"):
        if best is not None and lower[i] > best.distance:
            break
        pair, (a, b) = pairs[i]
        found = _solids.distance(a, b, np.inf if best is None else best.distance)
        if found is not None and (best is None or found.distance < best.distance):
            names, best = pair, found
    return names, best


def _answer(value: float, *more: tuple[bool, Any]) -> Any:
    """The value alone, or a tuple with what is wanted besides."""
    wanted = [thing for is_wanted, thing in more if is_wanted]
    return (value, *wanted) if wanted else value


def _distances(names: _Pair | None, found: Distance | None, named: tuple[bool, Any], data: bool) -> Any:
    if found is None or names is None:
        # Nothing to compare with is infinitely far.
        return _answer(np.inf, (named[0], None), (data, None))
    return _answer(found.distance, named, (data, DistanceData(names, found)))


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[str, impinge.Body]]:
    """A manager with all geometry of a `trimesh.Scene`, and the bodies by the names of their nodes."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects
