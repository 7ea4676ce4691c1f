"""One question about many poses, in slices."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import impinge
from impinge._core import Body, Model
from impinge._batches import Gaps, PairLists
from impinge.distributed import _ray

#: Poses of a slice, at most.
SLICE = 65_536
#: Slices for each core, at least, so that all end at about the same time.
SLICES = 8

_bodies = _ray.Kept(4)


def _answer(
    key: str,
    bodies: list[Any],
    question: str,
    poses: NDArray[Any],
    rest: tuple[Any, ...],
    options: dict[str, Any],
) -> Any:
    """A worker's part: the question for some poses, by one thread, as Ray counts with one core."""
    ray = _ray.module()
    # References in a list are not followed by Ray: they are fetched only if they are not at hand.
    a, model_b = _bodies.get(key, lambda: tuple(ray.get(bodies)))
    return getattr(impinge, question)(a, model_b, poses, *rest, **options, threads=1)


def check_shape(poses: ArrayLike) -> NDArray[Any]:
    """The poses as an array that can be cut into slices. Workers report errors in single poses."""
    array = np.asarray(poses)
    if array.ndim != 3 or array.shape[1:] not in ((4, 4), (3, 4)):
        raise ValueError(f"poses must have the shape (P, 4, 4) or (P, 3, 4), not {array.shape}")
    return array


def slices(ray: Any, count: int, most: int | None) -> list[slice]:
    """Slices of poses."""
    if most is not None and most < 1:
        raise ValueError(f"slice must be positive, not {most}")
    length = most or max(1, min(SLICE, -(-count // (SLICES * _ray.cores(ray)))))
    return [slice(first, min(first + length, count)) for first in range(0, count, length)]


def _ask(
    question: str,
    a: Body,
    model_b: Model,
    poses: ArrayLike,
    *rest: Any,
    slice: int | None,
    progress: bool | None,
    **options: Any,
) -> list[Any]:
    """Results for each slice, in their order; at least for one, so that they can be put together."""
    array = check_shape(poses)
    if not isinstance(a, Body) or not isinstance(model_b, Model) or len(array) == 0:
        # Nothing to share out; and errors are the same as without Ray.
        return [getattr(impinge, question)(a, model_b, array, *rest, **options)]
    ray = _ray.connect()
    parts = slices(ray, len(array), slice)
    bodies = [ray.put(a), ray.put(model_b)]
    key = bodies[0].hex() + bodies[1].hex()
    task = ray.remote(_answer).options(num_cpus=1, max_retries=_ray.RETRIES)

    def submit(i: int) -> Any:
        return task.remote(key, bodies, question, array[parts[i]], rest, options)

    answers: list[Any] = [None] * len(parts)
    shown = _ray.Progress("slices of poses", len(parts), progress)
    try:
        for i, answer in _ray.each(ray, len(parts), submit, progress=shown):
            answers[i] = answer
    except (impinge.Error, TypeError, ValueError):
        # A worker names the row of its slice. A question that costs nothing names that of all poses.
        point = Model(impinge.Mesh([[0, 0, 0]], np.empty((0, 3), dtype=np.uint32)))
        impinge.intersects_at(Body(point), point, array, affine=options.get("affine", False))
        raise
    return answers


def intersects_at(
    a: Body,
    model_b: Model,
    poses: ArrayLike,
    *,
    affine: bool = False,
    slice: int | None = None,
    progress: bool | None = None,
) -> NDArray[np.bool_]:
    """Whether two bodies meet, for many poses of the second, on all cores of a cluster.

    Parameters
    ----------
    a : Body
    model_b : Model
        The model of the second body.
    poses : array_like, shape (P, 4, 4) or (P, 3, 4)
        Its poses. Arrays of type float64 that lie row by row are sent as they are.
    affine : bool, optional
        Whether poses may scale, shear or mirror.
    slice : int, optional
        Poses of a task: as many as leave eight tasks for each core, at most 65,536.
    progress : bool, optional
        Whether a line on stderr says what is left; by default if that is a terminal.

    Returns
    -------
    ndarray of bool, shape (P,)
        What `impinge.intersects_at` returns.

    Examples
    --------
    >>> import impinge.distributed, numpy as np
    >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> poses = np.tile(np.eye(4), (3, 1, 1))
    >>> poses[:, 0, 3] = 0, 1, 2
    >>> impinge.distributed.intersects_at(impinge.Body(model), model, poses)
    array([ True,  True, False])
    """
    found = _ask("intersects_at", a, model_b, poses, affine=affine, slice=slice, progress=progress)
    return np.concatenate(found)


def first_contact_at(
    a: Body,
    model_b: Model,
    poses: ArrayLike,
    *,
    affine: bool = False,
    slice: int | None = None,
    progress: bool | None = None,
) -> NDArray[np.int64]:
    """A pair of triangles that meet, for many poses: see `intersects_at` and `impinge.first_contact_at`.

    Parameters
    ----------
    a, model_b, poses, affine, slice, progress
        As of `intersects_at`.

    Returns
    -------
    ndarray of int64, shape (P, 2)
        -1 twice where none meet.

    Examples
    --------
    >>> import impinge.distributed
    >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> poses = [[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]]]
    >>> impinge.distributed.first_contact_at(impinge.Body(model), model, poses)
    array([[-1, -1]])
    """
    found = _ask("first_contact_at", a, model_b, poses, affine=affine, slice=slice, progress=progress)
    return np.concatenate(found)


def within_at(
    a: Body,
    model_b: Model,
    poses: ArrayLike,
    margin: float,
    *,
    affine: bool = False,
    slice: int | None = None,
    progress: bool | None = None,
) -> NDArray[np.bool_]:
    """Whether two bodies are at most `margin` apart, for many poses: see `impinge.within_at`.

    Parameters
    ----------
    a, model_b, poses, affine, slice, progress
        As of `intersects_at`.
    margin : float
        How far apart, at most.

    Returns
    -------
    ndarray of bool, shape (P,)

    Examples
    --------
    >>> import impinge.distributed
    >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> poses = [[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]]]
    >>> impinge.distributed.within_at(impinge.Body(model), model, poses, 4.0)
    array([ True])
    """
    found = _ask("within_at", a, model_b, poses, margin, affine=affine, slice=slice, progress=progress)
    return np.concatenate(found)


def distance_at(
    a: Body,
    model_b: Model,
    poses: ArrayLike,
    *,
    above: float | None = None,
    exact: bool = False,
    rel: float = 0.0,
    solids: bool = False,
    affine: bool = False,
    slice: int | None = None,
    progress: bool | None = None,
) -> Gaps:
    """Distances between two bodies at many poses: see `impinge.distance_at`.

    Parameters
    ----------
    a, model_b, poses, affine, slice, progress
        As of `intersects_at`.
    above, exact, rel, solids
        As of `impinge.distance_at`.

    Returns
    -------
    Gaps

    Examples
    --------
    >>> import impinge.distributed
    >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> poses = [[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]]]
    >>> impinge.distributed.distance_at(impinge.Body(model), model, poses).hi
    array([4.])
    """
    wanted = {"above": above, "exact": exact, "rel": rel, "solids": solids, "affine": affine}
    found = _ask("distance_at", a, model_b, poses, slice=slice, progress=progress, **wanted)
    columns = ([getattr(gaps, field.name) for gaps in found] for field in fields(Gaps))
    return Gaps(*(np.concatenate(column) for column in columns))


def pairs_at(
    a: Body,
    model_b: Model,
    poses: ArrayLike,
    *,
    affine: bool = False,
    slice: int | None = None,
    progress: bool | None = None,
) -> PairLists:
    """All pairs of triangles that meet, for many poses: see `impinge.pairs_at`.

    Parameters
    ----------
    a, model_b, poses, affine, slice, progress
        As of `intersects_at`.

    Returns
    -------
    PairLists

    Examples
    --------
    >>> import impinge.distributed
    >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> poses = [[[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0]] for x in (0.5, 5)]
    >>> impinge.distributed.pairs_at(impinge.Body(model), model, poses).starts
    array([0, 1, 1])
    """
    found = _ask("pairs_at", a, model_b, poses, affine=affine, slice=slice, progress=progress)
    return joined(found)


def joined(lists: list[PairLists]) -> PairLists:
    """One list behind the other."""
    firsts = np.cumsum([0, *(len(some.pairs) for some in lists)], dtype=np.int64)
    starts = [some.starts[:-1] + first for some, first in zip(lists, firsts, strict=False)]
    return PairLists(np.concatenate([some.pairs for some in lists]), np.concatenate([*starts, firsts[-1:]]))
