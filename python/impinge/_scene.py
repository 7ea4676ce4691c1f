"""Many bodies that move."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._core import (
    Body,
    HalfSpace,
    Mesh,
    Model,
    Shape,
    _gaps_in,
    _meet_in,
    _Scene,
    ray_first_each,
)
from impinge._errors import Error
from impinge._batches import NearestBodies, PairLists, RayHits, SceneGaps
from impinge._results import _Result

if TYPE_CHECKING:
    _Detail = Literal["bodies", "counts", "triangles", "relations"]

ALL_GROUPS = 0xFFFF_FFFF

CONTACT = np.dtype(
    [
        ("a", np.int64),
        ("b", np.int64),
        ("began", np.bool_),
        ("witness", np.int64, 2),
        ("count", np.int64),
        ("kind", "U14"),
        ("touching", np.bool_),
    ]
)

NEAR = np.dtype(
    [
        ("a", np.int64),
        ("b", np.int64),
        ("began", np.bool_),
        ("lo", np.float64),
        ("hi", np.float64),
        ("triangles", np.uint32, 2),
        ("points", np.float64, (2, 3)),
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class SceneStats(_Result):
    """The work of an update: see `Scene.stats`."""

    bodies: int
    """Bodies in the scene."""
    changed: int
    """Bodies that were added, removed, moved or reshaped since the update before."""
    near: int
    """Pairs of bodies whose boxes meet and that are neither filtered out nor allowed."""
    decided: int
    """Pairs of bodies whose triangles were tested."""
    meet: int
    """Pairs of bodies that meet."""


class Scene:
    """Many bodies, and which of them meet.

    Add, move or change bodies, then call `update`: `contacts` has the pairs that meet, `ended` those that no
    longer do. Only pairs that may have changed are decided again; answers are those of a new scene. Bodies
    are known by numbers that `add` gives, never twice.

    Parameters
    ----------
    threads : int or None, optional
        How many threads an update uses; None is `set_threads`' number at the time of the update.
    fill_rule : {"nonzero", "positive", "even_odd"}, optional
        Which points are inside of solids, for ``update("relations")``.
    enclosure : {"rotated", "cubic", "exact"}, optional
        Which box is put around a body. Answers are the same.

    Examples
    --------
    >>> import impinge
    >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
    >>> scene = impinge.Scene()
    >>> table = scene.add(model, name="table")
    >>> arm = scene.add(model, [[1, 0, 0, 3], [0, 1, 0, 0], [0, 0, 1, 0]], name="arm")
    >>> len(scene.update())
    0
    >>> scene.set_pose(arm, [[1, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> for contact in scene.update("counts"):
    ...     print(scene.name(contact["a"]), scene.name(contact["b"]), contact["began"], contact["count"])
    table arm True 1
    """

    __slots__ = ("_allowed", "_filters", "_models", "_names", "_scene", "_threads")

    def __init__(
        self,
        *,
        threads: int | None = None,
        fill_rule: Literal["nonzero", "positive", "even_odd"] = "nonzero",
        enclosure: str = "rotated",
    ) -> None:
        self._scene = _Scene(threads, fill_rule, enclosure)
        self._threads = threads
        self._names: dict[int, str | None] = {}
        # Which pairs are tested, for queries of many configurations.
        self._filters: dict[int, tuple[int, int]] = {}
        self._allowed: set[frozenset[int]] = set()
        # The objects that bodies were given, so that `model` returns them.
        self._models: dict[int, Model] = {}

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Scene({len(self)} bodies)"

    @property
    def bodies(self) -> list[int]:
        """The numbers of all bodies, sorted."""
        return self._scene.bodies()

    def add(
        self,
        model: Model | Shape,
        pose: ArrayLike | None = None,
        *,
        name: str | None = None,
        group: int = ALL_GROUPS,
        mask: int = ALL_GROUPS,
        affine: bool = False,
    ) -> int:
        """Add a body, and return its number.

        Parameters
        ----------
        model : Model or Shape
            Its mesh, shared with all bodies that have it. A shape has a radius, too.
        pose : array_like, shape (4, 4) or (3, 4), optional
            Where it stands.
        name : str, optional
            What `name` returns for it.
        group, mask : int, optional
            32 bits each: two bodies are tested if each is in a group that the other's mask has.
        affine : bool, optional
            Whether the pose may scale, shear or mirror.
        """
        shape = (model.model, model.radius) if isinstance(model, Shape) else (model, 0.0)
        body = self._scene.add(shape[0], pose, affine, (group, mask), shape[1])
        self._names[body], self._models[body] = name, shape[0]
        self._filters[body] = group, mask
        return body

    def add_half_space(
        self,
        half_space: HalfSpace,
        *,
        name: str | None = None,
        group: int = ALL_GROUPS,
        mask: int = ALL_GROUPS,
    ) -> int:
        """Add a half-space, a floor or a wall, and return its number. Half-spaces do not meet each other.

        Parameters
        ----------
        half_space : HalfSpace
            It meets the bodies that have a point in it, or come as near as their radius.
        name : str, optional
            What `name` returns for it.
        group, mask : int, optional
            As in `add`.

        Examples
        --------
        >>> import impinge
        >>> scene = impinge.Scene()
        >>> floor = scene.add_half_space(impinge.HalfSpace([0, 0, 1], 0))
        >>> ball = scene.add(impinge.Shape.sphere(1), impinge.pose([0, 0, 1]))
        >>> scene.update()[["a", "b"]].tolist()  # it lies on the floor
        [(0, 1)]
        """
        body = self._scene.add_half_space(half_space, (group, mask))
        self._names[body], self._filters[body] = name, (group, mask)
        return body

    def half_space(self, body: int) -> HalfSpace | None:
        """The half-space that `body` is, or None."""
        return self._scene.half_space(body)

    def set_half_space(self, body: int, half_space: HalfSpace) -> None:
        """Replace the half-space `body` by `half_space`."""
        self._scene.set_half_space(body, half_space)

    def radius(self, body: int) -> float:
        """The radius of `body`."""
        return self._scene.radius(body)

    def set_radius(self, body: int, radius: float) -> None:
        """Set the `radius` of `body`, as of a `Rounded` one. Radii add up, and margins count from there."""
        self._scene.set_radius(body, radius)

    def remove(self, body: int) -> None:
        """Remove the body of number `body`. The number is never given again."""
        self._scene.remove(body)
        del self._names[body], self._filters[body]
        self._models.pop(body, None)
        self._allowed = {pair for pair in self._allowed if body not in pair}

    def name(self, body: int) -> str | None:
        """The name with which `body` was added."""
        try:
            return self._names[operator.index(body)]
        except KeyError:
            raise KeyError(f"the scene has no body {body}") from None

    def model(self, body: int) -> Model:
        """The present model of `body`."""
        return self._scene.model(body, self._models.get(operator.index(body)))

    def pose(self, body: int) -> NDArray[np.float64]:
        """The pose of `body`, of shape (4, 4)."""
        return self._scene.pose(body)

    def set_model(self, body: int, model: Model) -> None:
        """Replace the model of `body` by `model`."""
        self._scene.set_model(body, model)
        self._models[operator.index(body)] = model

    def set_pose(self, body: int, pose: ArrayLike, *, affine: bool = False) -> None:
        """Move `body` to `pose`, which may scale, shear or mirror if `affine` is true."""
        self._scene.set_pose(body, pose, affine)

    def set_poses(
        self, bodies: Sequence[int] | NDArray[Any], poses: ArrayLike, *, affine: bool = False
    ) -> None:
        """Move many bodies: all of them, or none if something is refused.

        Parameters
        ----------
        bodies : sequence of int
            Numbers of bodies.
        poses : array_like, shape (P, 4, 4) or (P, 3, 4)
            One for each.
        affine : bool, optional
            Whether poses may scale, shear or mirror.
        """
        self._scene.set_poses([operator.index(body) for body in bodies], poses, affine)

    def deform(
        self, body: int, vertices: ArrayLike, *, rebuild: float = 2.0
    ) -> Literal["refitted", "rebuilt"]:
        """Move all vertices of a body's mesh; bodies that share its model keep theirs.

        Parameters
        ----------
        body : int
            Its number.
        vertices : array_like, shape (N, 3)
            All vertices.
        rebuild : float, optional
            When the hierarchy is built anew: see `Model.deformed`.

        Returns
        -------
        {"refitted", "rebuilt"}
            What became of the hierarchy.
        """
        done = self._scene.deform(body, vertices, rebuild)
        self._models.pop(operator.index(body), None)
        return done

    def deform_some(self, body: int, indices: Sequence[int] | NDArray[Any], vertices: ArrayLike) -> None:
        """Move the vertices of numbers `indices` of the mesh of `body` to `vertices`."""
        self._scene.deform_some(body, [operator.index(index) for index in indices], vertices)
        self._models.pop(operator.index(body), None)

    def set_filter(self, body: int, *, group: int = ALL_GROUPS, mask: int = ALL_GROUPS) -> None:
        """Set `group` and `mask` of `body`, which select the bodies that it is tested against: see `add`."""
        self._scene.set_filter(body, group, mask)
        self._filters[operator.index(body)] = group, mask

    def allow(self, a: int, b: int, allowed: bool = True) -> None:
        """Allow the bodies `a` and `b` to meet: they are not tested. `allowed` = False forbids it again."""
        self._scene.set_allowed(a, b, allowed)
        pair = frozenset((operator.index(a), operator.index(b)))
        (self._allowed.add if allowed else self._allowed.discard)(pair)

    def set_margin(self, margin: float) -> None:
        """Set the `margin` of all bodies: `near` lists pairs that are nearer. It is 0 at first."""
        self._scene.set_margin(margin)

    def set_body_margin(self, body: int, margin: float | None) -> None:
        """Set the `margin` of `body`; None is the margin of all bodies."""
        self._scene.set_body_margin(body, margin)

    def set_pair_margin(self, a: int, b: int, margin: float | None) -> None:
        """Set the `margin` of the pair `a` and `b`; None leaves it to the margins of the two bodies."""
        self._scene.set_pair_margin(a, b, margin)

    def update(self, detail: _Detail = "bodies") -> NDArray[Any]:
        """Decide which bodies meet now, and return `contacts`.

        Ctrl-C ends a long update; the next one goes on where it ended.

        Parameters
        ----------
        detail : {"bodies", "counts", "triangles", "relations"}, optional
            What is found out: only that they meet; how many pairs of triangles do; all of these pairs; and
            what bodies are to each other as solids, by which one inside another is a contact.
        """
        self._scene.update(detail)
        return self.contacts

    @property
    def contacts(self) -> NDArray[Any]:
        """The pairs of bodies that met at the last update, sorted: a structured array.

        Its fields: the bodies ``a`` and ``b``; ``began``, whether they did not meet at the update before;
        ``witness``, a pair of triangles that meet, or -1 twice; ``count``, how many pairs do, or -1 if that
        was not asked; ``kind``, their relation, or "" if that was not asked; ``touching``,
        whether their surfaces meet.
        """
        rows = [(a, b, *rest) for (a, b), *rest in self._scene.contacts()]
        return np.array(rows, dtype=CONTACT)

    @property
    def ended(self) -> NDArray[np.int64]:
        """The pairs that met at the update before the last but not at the last: shape (K, 2)."""
        return self._scene.ended()

    @property
    def near(self) -> NDArray[Any]:
        """The pairs that did not meet and were no further apart than their margin: a structured array.

        Its fields: ``a``, ``b``, ``began``, the distance as an interval ``lo`` to ``hi``, ``triangles`` and
        ``points`` that are as near as that.
        """
        rows = [(a, b, *rest) for (a, b), *rest in self._scene.near()]
        return np.array(rows, dtype=NEAR)

    @property
    def near_ended(self) -> NDArray[np.int64]:
        """The pairs that were near at the update before the last and are not at the last: shape (K, 2)."""
        return self._scene.near_ended()

    def nearest_bodies(
        self, points: ArrayLike, *, above: float | None = None, exact: bool = False
    ) -> NearestBodies:
        """Find the body whose surface is nearest to each of many points.

        Bodies count as they now are, with their radii, whether there was an update or not; half-spaces and
        filters do not count. If several
        bodies are as near, or their intervals overlap, it is one of them, and the same for the same calls.

        Parameters
        ----------
        points : array_like, shape (P, 3)
            Points of the world.
        above : float or None, optional
            Only if the distance is not more than this.
        exact : bool, optional
            Whether intervals are to be two neighbours in float64, or one number.

        Examples
        --------
        >>> import impinge
        >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
        >>> scene = impinge.Scene()
        >>> ids = scene.add(model), scene.add(model, [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 5]])
        >>> found = scene.nearest_bodies([[0.5, 0.5, 4], [0.5, 0.5, -1], [0, 0, 99]], above=10, exact=True)
        >>> found.bodies, found.hi
        (array([ 1,  0, -1]), array([ 1.,  1., nan]))
        """
        return NearestBodies(*self._scene.nearest_bodies(points, above, exact))

    def _tested(self) -> NDArray[np.int64]:
        """The pairs of bodies that updates test, by their places among `bodies`: shape (K, 2)."""
        bodies = self.bodies
        groups, masks = np.array([self._filters[body] for body in bodies], dtype=np.int64).reshape(-1, 2).T
        tested: NDArray[np.bool_] = (groups[:, None] & masks[None]) != 0
        tested &= tested.T
        places = {body: i for i, body in enumerate(bodies)}
        for a, b in (tuple(pair) for pair in self._allowed if len(pair) == 2):
            tested[places[a], places[b]] = tested[places[b], places[a]] = False
        return np.argwhere(np.triu(tested, 1))

    def _shapes(self, query: str) -> tuple[list[Model], list[float]]:
        """The models and radii of all bodies, none of which may be a half-space."""
        for body in self.bodies:
            if self.half_space(body) is not None:
                text = f"body {body} is a half-space, which Scene.{query} does not take; Scene.update does"
                raise Error(text)
        return [self.model(body) for body in self.bodies], [self.radius(body) for body in self.bodies]

    def contacts_at(self, poses: ArrayLike, *, affine: bool = False) -> PairLists:
        """Which bodies meet in each of many configurations: a robot and its cell, at many joint positions.

        The scene stays as it is. Pairs that filters exclude, or that are allowed, are not tested. Every other
        pair is, in each configuration, on all cores: for some hundred bodies. `update` is for thousands.
        Radii count. A scene with half-spaces is an error.

        Parameters
        ----------
        poses : array_like, shape (P, N, 4, 4) or (P, N, 3, 4)
            For each configuration a pose for each body, in the order of `bodies`.
        affine : bool, optional
            Whether poses may scale, shear or mirror.

        Returns
        -------
        PairLists
            A list for each configuration: the numbers of bodies that meet, the smaller first, sorted.

        Examples
        --------
        >>> import impinge
        >>> box, scene = impinge.Model(impinge.Mesh.box([2, 2, 2])), impinge.Scene()
        >>> bodies = [scene.add(box) for _ in range(3)]
        >>> poses = [impinge.pose([[0, 0, 0], [x, 0, 0], [x + 5, 0, 0]]) for x in (1, 2, 3)]
        >>> [pairs.tolist() for pairs in scene.contacts_at(poses)]
        [[[0, 1]], [[0, 1]], []]
        """
        bodies, pairs = np.array(self.bodies, dtype=np.uint32), self._tested()
        models, radii = self._shapes("contacts_at")
        meet = _meet_in(models, poses, pairs, affine, self._threads, radii)
        at, which = np.nonzero(meet)
        starts = np.concatenate([[0], np.cumsum(np.bincount(at, minlength=len(meet)))]).astype(np.int64)
        return PairLists(bodies[pairs[which]].reshape(-1, 2), starts)

    def distance_at(self, poses: ArrayLike, *, above: float | None = None, affine: bool = False) -> SceneGaps:
        """The two bodies that are nearest to each other, in each of many configurations, and their distance.

        Arguments, pairs and cost are as of `contacts_at`; bodies count as surfaces.

        Parameters
        ----------
        poses : array_like, shape (P, N, 4, 4) or (P, N, 3, 4)
            For each configuration a pose for each body, in the order of `bodies`.
        above : float or None, optional
            Only distances that are not more than this: it is much faster.
        affine : bool, optional
            Whether poses may scale, shear or mirror.

        Returns
        -------
        SceneGaps
            If several pairs are as near, or their intervals overlap, it is one of them.

        Examples
        --------
        >>> import impinge
        >>> box, scene = impinge.Model(impinge.Mesh.box([2, 2, 2])), impinge.Scene()
        >>> bodies = [scene.add(box) for _ in range(3)]
        >>> found = scene.distance_at([impinge.pose([[0, 0, 0], [x, 0, 0], [x + 3, 0, 0]]) for x in (2, 6)])
        >>> found.distance, found.bodies.tolist()
        (array([0., 1.]), [[0, 1], [1, 2]])
        """
        bodies, pairs = np.array(self.bodies, dtype=np.int64), self._tested()
        models, radii = self._shapes("distance_at")
        lo, hi = _gaps_in(models, poses, pairs, affine, above, False, self._threads, radii)
        if len(pairs) == 0:
            none = np.full(len(lo), np.nan)
            return SceneGaps(none, none, np.full((len(lo), 2), -1))
        beyond = np.isnan(hi)
        at = np.where(beyond, np.inf, hi).argmin(axis=1)
        rows = np.arange(len(hi))
        none_near = np.asarray(beyond.all(axis=1))
        found = np.where(none_near[:, None], -1, bodies[pairs[at]])
        least = np.where(beyond, np.inf, lo).min(axis=1)
        return SceneGaps(np.where(none_near, np.nan, least), hi[rows, at], found)

    def rays(
        self, origins: ArrayLike, directions: ArrayLike, t_max: ArrayLike | None = None
    ) -> tuple[NDArray[np.int64], RayHits]:
        """The body that each of many rays meets first, and where.

        Bodies count as they now are, and filters do not apply. It asks each body about all rays. If the ray
        enters several bodies at once, or intervals overlap, it is one of them. A body with a radius or a
        half-space is an error.

        Parameters
        ----------
        origins, directions : array_like, shape (R, 3)
            The rays.
        t_max : float or array_like of shape (R,), optional
            How far they go.

        Returns
        -------
        tuple of (numpy.ndarray of int64, shape (R,), RayHits)
            The bodies, -1 where a ray meets none, and the hits.

        Examples
        --------
        >>> import impinge
        >>> box, scene = impinge.Model(impinge.Mesh.box([2, 2, 2])), impinge.Scene()
        >>> bodies = [scene.add(box, impinge.pose([0, 0, z])) for z in (0, 5)]
        >>> found, hits = scene.rays([[0.5, 0.25, 9], [0.5, 0.25, 3], [9, 9, 9]], [[0, 0, -1]] * 3)
        >>> found, hits.t
        (array([ 1,  0, -1]), array([ 3.,  2., nan]))
        """
        count = len(np.asarray(origins))
        _, radii = self._shapes("rays")
        if any(radii):
            raise Error("Scene.rays does not take bodies with a radius")
        found, first = np.full(count, -1), None
        for number in self.bodies:
            body = Body(self.model(number), self.pose(number), affine=True)
            hits = ray_first_each(body, origins, directions, t_max, threads=self._threads)
            nearer = np.asarray(hits.triangles >= 0)
            if first is None:
                first = hits
            else:
                with np.errstate(invalid="ignore"):
                    is_first = (found < 0) | (hits.enter[:, 1] < first.enter[:, 1])
                nearer &= is_first
                first = first.replaced(nearer, hits)
            found[nearer] = number
        if first is None:
            body = Body(Model(Mesh(np.zeros((0, 3)), [])))
            first = ray_first_each(body, origins, directions, t_max, threads=self._threads)
        return found, first

    @property
    def stats(self) -> SceneStats:
        """The work of the last update."""
        return SceneStats(*self._scene.stats())

    def triangle_pairs(self, a: int, b: int) -> NDArray[np.uint32]:
        """The pairs of triangles of `a` and `b` that met at the last update: shape (K, 2), sorted.

        The last update must have computed ``"triangles"`` or ``"relations"``.
        """
        return self._scene.triangle_pairs(a, b)
