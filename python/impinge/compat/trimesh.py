"""The collision manager of trimesh 5.2, on impinge instead of python-fcl.

``from impinge.compat.trimesh import CollisionManager, scene_to_collision``: the same names, arguments and
returns. As there, meshes that are convex are full, others are surfaces. Three things differ: triangles meet
exactly, touching included; all contacts are there, at any number; and transforms count in float64.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import impinge
from impinge._core import _candidates, _meeting, _nearest, _Solid
from impinge.compat import _solids

if TYPE_CHECKING:
    _Pair = tuple[Any, Any]
    _Apart = tuple[float, tuple[int, int] | None, NDArray[np.float64], NDArray[np.float64]]
    _Found = tuple[tuple[_Solid, _Solid], _Apart]

EXTERNAL = "__external"

# The last meshes that no object has any more are kept, up to so many faces, some 10 MB.
IDLE_FACES = 100_000


class ContactData:
    """A contact of two objects. Its numbers are computed when they are read."""

    __slots__ = ("_found", "_k", "_numbers", "_pair")

    def __init__(self, names: _Pair, found: _solids.Contacts, k: int) -> None:
        self._pair, self._found, self._k = names, found, k
        self._numbers: _solids.Numbers | None = None

    def _all(self) -> _solids.Numbers:
        if self._numbers is None:
            self._numbers = self._found.numbers(self._k)
        return self._numbers

    @property
    def names(self) -> set[Any]:
        """The names of both objects."""
        return set(self._pair)

    @property
    def normal(self) -> NDArray[np.float64]:
        """The unit normal, from the first object to the second."""
        return self._all()[0]

    @property
    def point(self) -> NDArray[np.float64]:
        """A point of both objects, but for roundings."""
        return self._all()[2]

    @property
    def depth(self) -> float:
        """The penetration depth at this contact."""
        return self._all()[1]

    def index(self, name: Any) -> int:
        """The face of the object of that name."""
        face: int = _of(self._pair, name, self._found.triangles(self._k))
        return face


class DistanceData:
    """The distance of two objects."""

    __slots__ = ("_found", "_pair", "_solids")

    def __init__(self, names: _Pair, found: _Found) -> None:
        self._pair = names
        self._solids, self._found = found

    @property
    def names(self) -> set[Any]:
        """The names of both objects."""
        return set(self._pair)

    @property
    def distance(self) -> float:
        """The distance between the objects; negative if they meet."""
        return self._found[0]

    def index(self, name: Any) -> int:
        """The nearest face of the object of that name."""
        _, faces, normal, _ = self._found
        face: int = _of(self._pair, name, faces or _solids.faces_along(self._solids, normal))
        return face

    def point(self, name: Any) -> NDArray[np.float64]:
        """The nearest point of the object of that name."""
        point: NDArray[np.float64] = _of(self._pair, name, self._found[3])
        return point


def _of(pair: _Pair, name: Any, both: Any) -> Any:
    return dict(zip(pair, both, strict=True))[name]


class _Meshes:
    """Solids of meshes by their content, so that many objects of one mesh share it."""

    __slots__ = ("_idle", "_idle_faces", "_used")

    def __init__(self) -> None:
        # With the number of objects that have it.
        self._used: dict[Hashable, tuple[_Solid, int]] = {}
        # The last used one last.
        self._idle: OrderedDict[Hashable, _Solid] = OrderedDict()
        self._idle_faces = 0

    def __len__(self) -> int:
        return len(self._used) + len(self._idle)

    def find(self, mesh: Any) -> tuple[Hashable, _Solid]:
        """The solid of a mesh, and its key; None is the key of what is not kept."""
        # The hash of other classes may not depend on the content.
        key = hash(mesh) if hasattr(type(mesh), "identifier_hash") else None
        solid = self._used[key][0] if key in self._used else self._idle.get(key)
        if solid is not None and _is_of(mesh, solid.body.model):
            if key in self._idle:
                self._idle.move_to_end(key)
            return key, solid
        model = impinge.Model(impinge.Mesh(mesh.vertices, mesh.faces), quality="on-demand")
        new = _Solid(model, bool(getattr(mesh, "is_convex", False)))
        if key is None or solid is not None:
            # Another content with the same hash is kept under it already.
            return None, new
        self._rest(key, new)
        return key, new

    def hold(self, key: Hashable, solid: _Solid) -> None:
        """An object has it now."""
        if key is not None:
            self._used[key] = solid, self._used[key][1] + 1 if key in self._used else 1
            if self._idle.pop(key, None) is not None:
                self._idle_faces -= len(solid.body.model)

    def release(self, key: Hashable) -> None:
        """An object has it no more."""
        if key is not None:
            solid, count = self._used.pop(key)
            if count > 1:
                self._used[key] = solid, count - 1
            else:
                self._rest(key, solid)

    def _rest(self, key: Hashable, solid: _Solid) -> None:
        # Its key is new here: `find` looks for it first, and `release` has taken it from those in use.
        self._idle[key] = solid
        self._idle_faces += len(solid.body.model)
        while self._idle_faces > IDLE_FACES and len(self._idle) > 1:
            self._idle_faces -= len(self._idle.popitem(last=False)[1].body.model)


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
        self._solids: dict[Any, _Solid] = {}
        self._keys: dict[Any, Hashable] = {}
        self._models = _Meshes()

    def add_object(self, name: Any, mesh: Any, transform: ArrayLike | None = None) -> impinge.Body:
        """Add a mesh under a name, or replace the one that has it."""
        if transform is not None and np.shape(transform) != (4, 4):
            raise ValueError("transform must be (4,4)!")
        key, solid = self._models.find(mesh)
        placed = solid.at(transform)
        self._models.hold(key, solid)
        # One that is replaced goes behind the others.
        if name in self._solids:
            self.remove_object(name)
        self._solids[name], self._keys[name] = placed, key
        return placed.body

    def remove_object(self, name: Any) -> None:
        """Remove the object of that name."""
        self._known(name)
        del self._solids[name]
        self._models.release(self._keys.pop(name))

    def set_transform(self, name: Any, transform: ArrayLike) -> None:
        """Move the object of that name."""
        self._solids[name] = self._known(name).at(transform)

    def in_collision_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Whether a mesh collides with any object; the set of their names, and the contacts."""
        single = {EXTERNAL: self._models.find(mesh)[1].at(transform)}
        collides, names, data = _collisions(self._solids, single, return_names, return_data)
        return _answer(collides, (return_names, {name for name, _ in names}), (return_data, data))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide; the set of pairs of their names, sorted, and the contacts."""
        collides, names, data = _collisions(self._solids, None, return_names, return_data)
        pairs = {tuple(sorted(pair)) for pair in names}
        return _answer(collides, (return_names, pairs), (return_data, data))

    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any object collides with one of another manager; pairs (mine, theirs), and the contacts."""
        collides, names, data = _collisions(self._solids, other_manager._solids, return_names, return_data)
        return _answer(collides, (return_names, names), (return_data, data))

    def min_distance_single(
        self,
        mesh: Any,
        transform: ArrayLike | None = None,
        return_name: bool = False,
        return_data: bool = False,
    ) -> Any:
        """The least distance of a mesh to any object; the object's name, and where."""
        single = {EXTERNAL: self._models.find(mesh)[1].at(transform)}
        names, found = _least(self._solids, single)
        name = None if names is None else names[0]
        return _distances(names, found, (return_name, name), return_data)

    def min_distance_internal(
        self, name: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of two objects, or of the one of that name to others; their names, and where."""
        if name is None:
            names, found = _least(self._solids, None)
        else:
            known = {name: self._known(name)}
            others = {other: solid for other, solid in self._solids.items() if other != name}
            names, found = _least(known, others)
        both = None if names is None else tuple(sorted(names))
        return _distances(names, found, (return_names, both), return_data)

    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of an object to one of another manager; names (mine, theirs), and where."""
        names, found = _least(self._solids, other_manager._solids)
        return _distances(names, found, (return_names, names), return_data)

    def _known(self, name: Any) -> _Solid:
        if name not in self._solids:
            raise ValueError(f"{name} not in collision manager!")
        return self._solids[name]


def _is_of(mesh: Any, model: impinge.Model) -> bool:
    """Whether a model is of that mesh."""
    known = model.mesh
    return np.array_equal(known.vertices, mesh.vertices) and np.array_equal(known.faces, mesh.faces)


def _collisions(
    mine: dict[Any, _Solid], theirs: dict[Any, _Solid] | None, all_names: bool, all_data: bool
) -> tuple[bool, set[_Pair], list[ContactData]]:
    """Which pairs collide: all of them, if names or data are wanted, else one."""
    solids, others = list(mine.values()), None if theirs is None else list(theirs.values())
    names = list(mine)
    other_names = names if theirs is None else list(theirs)
    data: list[ContactData] = []
    if not all_data:
        pairs = _meeting(solids, others, not all_names)
        return bool(pairs), {(names[i], other_names[j]) for i, j in pairs}, data
    colliding: set[_Pair] = set()
    other_solids = solids if others is None else others
    for i, j in _candidates(solids, others):
        found, count = _solids.contacts(solids[i], other_solids[j])
        if found is not None:
            pair = names[i], other_names[j]
            colliding.add(pair)
            data += [ContactData(pair, found, k) for k in range(count)]
    return bool(colliding), colliding, data


def _least(mine: dict[Any, _Solid], theirs: dict[Any, _Solid] | None) -> tuple[_Pair | None, _Found | None]:
    """The nearest pair, or the one with the deepest penetration."""
    solids, others = list(mine.values()), None if theirs is None else list(theirs.values())
    found = _nearest(solids, others)
    if found is None:
        return None, None
    (i, j), apart = found
    names = list(mine)[i], list(mine if theirs is None else theirs)[j]
    return names, ((solids[i], (solids if others is None else others)[j]), apart)


def _answer(value: float, *more: tuple[bool, Any]) -> Any:
    """The value alone, or a tuple with the other requested values."""
    wanted = [thing for is_wanted, thing in more if is_wanted]
    return (value, *wanted) if wanted else value


def _distances(names: _Pair | None, found: _Found | None, named: tuple[bool, Any], data: bool) -> Any:
    if found is None or names is None:
        # Nothing to compare with is infinitely far.
        return _answer(np.inf, (named[0], None), (data, None))
    return _answer(found[1][0], named, (data, DistanceData(names, found)))


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[str, impinge.Body]]:
    """A manager with all geometry of a `trimesh.Scene`, and the bodies by the names of their nodes."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects
