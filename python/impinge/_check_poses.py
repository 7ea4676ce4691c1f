"""An assembly at many poses of its parts: a mechanism in many positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._arguments import shown
from impinge._batches import KINDS
from impinge._choice import Which, indices
from impinge._core import Body, Model, _gaps_in, _relations_in, _sweeps_in, within
from impinge._errors import short_traceback
from impinge._lengths import Coordinates, Length
from impinge._pair_lengths import PairLengths, pair_lengths
from impinge._results import Interval, RelationKind, _Result

if TYPE_CHECKING:
    from impinge._assembly import Assembly

PAIRS_AT_A_TIME = 1 << 22
"""Pairs that are decided in one call: each needs some bytes."""

Allowed = Iterable[tuple[Which, Which]]


@dataclass(frozen=True, slots=True, eq=False)
class PoseCheck(_Result):
    """Which parts clash at which poses: see `check_poses`."""

    count: int
    """The number of poses. All were examined."""
    names: tuple[str, ...]
    """The names of the parts."""
    pairs: NDArray[np.int64]
    """The pairs of parts that were examined, by index: shape (K, 2)."""
    clashes: NDArray[np.void]
    """Clashes, sorted by pose: a structured array with the fields ``pose``, ``a``, ``b`` and ``kind``.
    The kind is ``apart`` of parts that are nearer than their clearance."""
    min_gap: NDArray[np.void] | None
    """For each of `pairs` its least distance: a structured array with the fields ``a``, ``b``, ``pose``, where
    it is least, and ``lo`` and ``hi``, between which it lies. NaN, and pose -1, if it is more than ``above``
    everywhere. None if it was not asked for."""
    near: NDArray[np.void]
    """Pairs that do not clash and are at most their margin apart, sorted by pose: a structured array with
    the fields ``pose``, ``a`` and ``b``."""
    between: NDArray[np.void] | None
    """Motions to the next pose that are not proved clear, of pairs that do not clash where they begin, sorted
    by that pose: a structured array with the fields ``pose``, ``a``, ``b``, ``kind``, ``free_until`` and
    ``meets_at``. The kind is ``contact``; ``touch`` if the parts touch at one of the poses, so that nothing is
    proved from there on; or ``near`` if they come too near for a proof. The last two are parts of the motion,
    from 0 to 1: before the one there is no contact, and at the other there is one, if it is no NaN. None if
    motions were not asked for."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing clashes at any pose, and all motions that were asked for are proved clear."""
        return len(self.clashes) == 0 and (self.between is None or len(self.between) == 0)

    @property
    def bad(self) -> NDArray[np.bool_]:
        """Whether something clashes, for each pose: shape (P,)."""
        bad = np.zeros(self.count, dtype=np.bool_)
        bad[self.clashes["pose"]] = True
        return bad

    @property
    def first_bad(self) -> int | None:
        """The first pose at which something clashes; None if there is none."""
        return int(self.clashes["pose"][0]) if len(self.clashes) else None

    @property
    def bad_pairs(self) -> list[tuple[str, str]]:
        """The names of all pairs that clash at some pose, or are in `between`, each once, in the order of the
        parts."""
        rows = [self.clashes] if self.between is None else [self.clashes, self.between]
        found = np.unique(np.concatenate([np.stack([r["a"], r["b"]], axis=1) for r in rows]), axis=0)
        return [(self.names[a], self.names[b]) for a, b in found.tolist()]

    def at(self, pose: int) -> list[tuple[str, str, RelationKind]]:
        """Clashes at the pose of index `pose`: names of two parts, and their relation."""
        rows = self.clashes[self.clashes["pose"] == pose]
        return [(self.names[a], self.names[b], RelationKind(kind)) for _, a, b, kind in rows.tolist()]

    def gap(self, a: str, b: str) -> Interval:
        """Bounds of the least distance of two parts, whose names are `a` and `b`."""
        if self.min_gap is None:
            raise ValueError("the distances were not asked for: check_poses(..., min_gap=True)")
        for row in self.min_gap:
            if {self.names[row["a"]], self.names[row["b"]]} == {a, b}:
                return float(row["lo"]), float(row["hi"])
        raise KeyError(f"the parts {a!r} and {b!r} are no pair that was examined")


_NEAR = np.dtype([("pose", np.int64), ("a", np.int64), ("b", np.int64)])
_CLASH = np.dtype([*_NEAR.descr, ("kind", KINDS.dtype)])
_MOTION_KINDS = np.array(["clear", "contact", "near", "touch"])
_MOTION = np.dtype(
    [*_NEAR.descr, ("kind", _MOTION_KINDS.dtype), ("free_until", np.float64), ("meets_at", np.float64)]
)
_GAP = np.dtype(
    [("a", np.int64), ("b", np.int64), ("pose", np.int64), ("lo", np.float64), ("hi", np.float64)]
)


@short_traceback
def check_poses(
    assembly: Assembly,
    poses: ArrayLike | Mapping[str | int, ArrayLike],
    *,
    allow: Allowed = (),
    touch: bool = False,
    clearance: PairLengths = 0.0,
    margin: PairLengths = 0.0,
    min_gap: bool = False,
    above: Length | None = None,
    between: bool = False,
    fill_rule: str = "nonzero",
    threads: int | None = None,
) -> PoseCheck:
    """Find which parts of an assembly clash at each of many poses, such as a grid of a mechanism's joints.

    Exact at each of the poses; with `between` also proved for the motions from each pose to the next.

    Parameters
    ----------
    assembly : Assembly
        The parts.
    poses : mapping, or array_like of shape (P, N, 4, 4) or (P, N, 3, 4)
        For parts that move, by their names or indices, the poses of shape (P, 4, 4) or (P, 3, 4): others stay
        where the assembly has them, and are not tested against each other. Or a pose for each of the N parts.
    allow : sequence of (str or int, str or int), optional
        Pairs that may clash: indices, or names, in which ``*`` stands for any characters.
    touch : bool, optional
        Whether parts that only touch clash.
    clearance : length, array_like or mapping, optional
        Parts that are no further apart than this clash, too. A length for all pairs; an array of one for
        each of `PoseCheck.pairs`, or of shape (N, N); or a mapping such as ``{("arm", "cable*"): "5mm"}``,
        where a later entry counts and other pairs have none. 0 is no clearance. Exact.
    margin : length, array_like or mapping, optional
        The same for `PoseCheck.near`, which lists pairs that are near and do not clash.
    min_gap : bool, optional
        Whether the least distance of each pair is computed: `PoseCheck.min_gap`. It takes longer.
    above : length, optional
        Only distances of at most this: it is much faster.
    between : bool, optional
        Whether motions between poses are examined, too: `PoseCheck.between`. All parts move at once, each by
        `Path.between` from one of its poses to the next, which must be rigid. It takes some hundred times as
        long as a pose.
    fill_rule : {"nonzero", "positive", "even_odd"}, optional
        Which points are inside of a solid.
    threads : int or None, optional
        How many threads share the poses; None is `set_threads`' number.

    Returns
    -------
    PoseCheck

    Examples
    --------
    >>> import impinge, numpy as np
    >>> box = impinge.Mesh.box([2, 2, 2])
    >>> assembly = impinge.Assembly.from_meshes({"frame": box, "slider": box})
    >>> found = impinge.check_poses(assembly, {"slider": impinge.pose([[x, 0, 0] for x in (4, 3, 2, 1, 0)])})
    >>> found.first_bad, found.at(3), found.bad_pairs
    (3, [('frame', 'slider', <RelationKind.OVERLAP: 'overlap'>)], [('frame', 'slider')])

    Both ends are clear, and the motion between them is not:

    >>> through = {"slider": impinge.pose([[4, 0, 0], [-4, 0, 0]])}
    >>> found = impinge.check_poses(assembly, through, between=True)
    >>> found.first_bad, found.between[["pose", "kind"]].tolist(), found.between["meets_at"].round(6).tolist()
    (None, [(0, 'contact')], [0.25])
    """
    if not hasattr(assembly, "_native"):
        raise TypeError(f"assembly must be an Assembly, not {shown(assembly)}: impinge.Assembly.from_meshes")
    names = tuple(assembly._native.names())
    unit = Coordinates.of(assembly._native)
    most = None if above is None else unit.length("above", above)
    array, moves = _poses_of(assembly, poses)
    pairs = _pairs(names, moves, allow)
    limits = [
        pair_lengths(name, given, pairs, names, unit)
        for name, given in (("clearance", clearance), ("margin", margin))
    ]
    models = [assembly.model(i) for i in range(len(names))]
    quiet = [RelationKind.APART] if touch else [RelationKind.APART, RelationKind.TOUCH]
    clashes: list[NDArray[np.void]] = [np.empty(0, dtype=_CLASH)]
    near: list[NDArray[np.void]] = [np.empty(0, dtype=_NEAR)]
    motions: list[NDArray[np.void]] = [np.empty(0, dtype=_MOTION)]
    least = np.full(len(pairs), np.inf), np.full(len(pairs), np.inf), np.full(len(pairs), -1)
    before: _Ends | None = None
    for part in _slices(len(array), len(pairs)):
        codes = _relations_in(models, array[part], pairs, False, fill_rule, threads)
        clash = ~np.isin(KINDS[codes], quiet)
        too_near, is_near = (_within(models, array[part], pairs, limit, threads) for limit in limits)
        clash |= too_near
        clashes.append(_rows(_CLASH, clash, pairs, part.start))
        clashes[-1]["kind"] = KINDS[codes[clash]]
        near.append(_rows(_NEAR, is_near & ~clash, pairs, part.start))
        if between:
            ends = _Ends(array[part], clash, KINDS[codes] == RelationKind.TOUCH, part.start)
            if before is not None:
                ends = before.joined(ends)
            motions.append(_motions(models, ends, pairs, limits[0], threads))
            before = ends.last()
        if min_gap and len(pairs):
            _lessen(least, _gaps_in(models, array[part], pairs, False, most, True, threads), part.start)
    gaps = None
    if min_gap:
        gaps = np.empty(len(pairs), dtype=_GAP)
        gaps["a"], gaps["b"] = pairs.T
        gaps["lo"], gaps["hi"], gaps["pose"] = (np.where(least[2] < 0, np.nan, least[0]), *least[1:])
        gaps["hi"][least[2] < 0] = np.nan
    moved = np.concatenate(motions) if between else None
    return PoseCheck(len(array), names, pairs, np.concatenate(clashes), gaps, np.concatenate(near), moved)


@dataclass(frozen=True, slots=True)
class _Ends:
    """Poses between which parts move: whether each pair clashes or touches there."""

    poses: NDArray[np.float64]
    clash: NDArray[np.bool_]
    touch: NDArray[np.bool_]
    first: int

    def last(self) -> _Ends:
        return _Ends(self.poses[-1:], self.clash[-1:], self.touch[-1:], self.first + len(self.poses) - 1)

    def joined(self, after: _Ends) -> _Ends:
        poses = np.concatenate([self.poses, after.poses])
        clash = np.concatenate([self.clash, after.clash])
        touch = np.concatenate([self.touch, after.touch])
        return _Ends(poses, clash, touch, self.first)


AT_THE_END = 1 - 1e-6
"""A contact after this part of a motion to a pose where the parts touch is that of this pose."""


def _motions(
    models: Sequence[Model],
    ends: _Ends,
    pairs: NDArray[np.int64],
    margins: NDArray[np.float64],
    threads: int | None,
) -> NDArray[np.void]:
    """The motions between these poses that are not clear, of pairs that do not clash where they begin."""
    kinds, free_until, meets_at = _sweeps_in(models, ends.poses, pairs, margins.tolist(), threads)
    touch = ends.touch[:-1] & (free_until == 0) | ends.touch[1:] & (free_until > AT_THE_END)
    kinds[(kinds != 0) & touch] = 3
    found = (kinds != 0) & ~ends.clash[:-1]
    rows = _rows(_MOTION, found, pairs, ends.first)
    rows["kind"], rows["free_until"] = _MOTION_KINDS[kinds[found]], free_until[found]
    rows["meets_at"] = meets_at[found]
    return rows


def _rows(
    kind: np.dtype[np.void], found: NDArray[np.bool_], pairs: NDArray[np.int64], first: int
) -> NDArray[np.void]:
    """The pose and the parts of each pair that was found, from the pose `first` on."""
    at, which = np.nonzero(found)
    rows = np.empty(len(at), dtype=kind)
    rows["pose"], rows["a"], rows["b"] = at + first, pairs[which, 0], pairs[which, 1]
    return rows


def _within(
    models: Sequence[Model],
    poses: NDArray[np.float64],
    pairs: NDArray[np.int64],
    limits: NDArray[np.float64],
    threads: int | None,
) -> NDArray[np.bool_]:
    """Whether each pair is no further apart than its limit at each pose. A limit of 0 is none."""
    found = np.zeros((len(poses), len(pairs)), dtype=np.bool_)
    which = np.flatnonzero(limits > 0)
    if len(which) == 0 or len(poses) == 0:
        return found
    limits = limits[which]
    lo, hi = _gaps_in(models, poses, pairs[which], False, limits.max(), True, threads)
    # NaN is farther than the largest limit.
    near = hi <= limits
    for at, k in np.argwhere((lo <= limits) & ~near).tolist():
        # The interval contains the limit: exact arithmetic decides.
        a, b = (Body(models[part], poses[at, part]) for part in pairs[which[k]].tolist())
        near[at, k] = within(a, b, limits[k])
    found[:, which] = near
    return found


def _lessen(
    least: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]],
    gaps: tuple[NDArray[np.float64], NDArray[np.float64]],
    first: int,
) -> None:
    """Take the smaller ends of intervals, and the poses of the smaller upper ends."""
    lo, hi = (np.where(np.isnan(bound), np.inf, bound) for bound in gaps)
    at = hi.argmin(axis=0)
    smallest = hi[at, np.arange(hi.shape[1])]
    smaller = smallest < least[1]
    least[2][smaller] = at[smaller] + first
    np.minimum(least[1], smallest, out=least[1])
    np.minimum(least[0], lo.min(axis=0), out=least[0])


def _slices(count: int, pairs: int) -> Iterator[slice]:
    step = max(1, PAIRS_AT_A_TIME // max(1, pairs))
    return (slice(first, min(count, first + step)) for first in range(0, count, step))


def _poses_of(
    assembly: Assembly, poses: ArrayLike | Mapping[str | int, ArrayLike]
) -> tuple[NDArray[np.float64], Sequence[int]]:
    """A pose for each part and set, and the parts that move."""
    count = len(assembly)
    if not isinstance(poses, Mapping):
        array = np.asarray(poses, dtype=np.float64)
        if array.ndim != 4 or array.shape[1] != count or array.shape[2:] not in ((4, 4), (3, 4)):
            wanted = f"(P, {count}, 4, 4) or (P, {count}, 3, 4), for the {count} parts"
            raise ValueError(f"poses must have the shape {wanted}, not {array.shape}")
        return array, range(count)
    given = {assembly.index_of(part): np.asarray(some, dtype=np.float64) for part, some in poses.items()}
    if not given:
        raise ValueError("poses names no part that moves")
    for part, some in given.items():
        if some.ndim != 3 or some.shape[1:] not in ((4, 4), (3, 4)):
            name = assembly[part].name
            raise ValueError(
                f"the poses of {name!r} must have the shape (P, 4, 4) or (P, 3, 4), not {some.shape}"
            )
    sizes = {len(some) for some in given.values()}
    if len(sizes) > 1:
        counts = ", ".join(f"{len(some)} of {assembly[part].name!r}" for part, some in given.items())
        raise ValueError(f"there must be as many poses of each part that moves, not {counts}")
    still = np.array([part.pose for part in assembly])
    array = np.tile(still, (sizes.pop(), 1, 1, 1))
    for part, some in given.items():
        array[:, part, : some.shape[1]] = some
    return array, sorted(given)


def _pairs(names: Sequence[str], moves: Sequence[int], allow: Allowed) -> NDArray[np.int64]:
    """Pairs with a part that moves, but for those that are allowed."""
    tested = np.zeros((len(names), len(names)), dtype=np.bool_)
    tested[list(moves)] = True
    tested |= tested.T
    for pair in allow:
        if isinstance(pair, str | int) or len(pair) != 2:
            raise ValueError(f"allow must be a list of pairs, such as [('a', 'b')], not of {shown(pair)}")
        first, second = pair
        a, b = indices(first, list(names)), indices(second, list(names))
        tested[np.ix_(a, b)] = False
        tested[np.ix_(b, a)] = False
    return np.argwhere(np.triu(tested, 1))
