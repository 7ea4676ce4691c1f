"""Many bodies at many sets of poses, in slices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from impinge._core import Model
from impinge._errors import Error
from impinge._batches import PairLists
from impinge._scene import Scene
from impinge.distributed import _ray
from impinge.distributed._poses import joined, slices

_scenes = _ray.Kept(2)


def _scene(models: Sequence[Model], allowed: NDArray[np.int64]) -> Scene:
    scene = Scene(threads=1)
    for model in models:
        scene.add(model)
    for a, b in allowed.tolist():
        scene.allow(a, b)
    return scene


def _contacts(scene: Scene, poses: NDArray[np.float64], first: int, affine: bool) -> PairLists:
    """Which bodies meet, for each set of poses; `first` is the number of the first one."""
    found, starts = [], [0]
    bodies = scene.bodies
    for number, some in enumerate(poses, first):
        try:
            scene.set_poses(bodies, some, affine=affine)
        except Error as why:
            raise Error(f"set {number}: {why}") from None
        contacts = scene.update()
        found.append(np.stack([contacts["a"], contacts["b"]], axis=1).astype(np.uint32))
        starts.append(starts[-1] + len(contacts))
    return PairLists(np.concatenate(found), np.array(starts, dtype=np.int64))


def _answer(
    key: str,
    models: list[Any],
    of_body: list[int],
    allowed: NDArray[np.int64],
    poses: NDArray[np.float64],
    first: int,
    affine: bool,
) -> PairLists:
    """A worker's part."""
    ray = _ray.module()

    def make() -> Scene:
        distinct = ray.get(models)
        return _scene([distinct[i] for i in of_body], allowed)

    return _contacts(_scenes.get(key, make), poses, first, affine)


def scene_contacts_at(
    models: Sequence[Model],
    poses: ArrayLike,
    *,
    allowed: ArrayLike = (),
    affine: bool = False,
    slice: int | None = None,
    progress: bool | None = None,
) -> PairLists:
    """Which of many bodies meet, for many sets of poses: a robot and its cell in many configurations.

    Parameters
    ----------
    models : sequence of Model, length N
        The model of each body; a model that several bodies have travels once.
    poses : array_like, shape (P, N, 4, 4) or (P, N, 3, 4)
        For each set a pose for each body.
    allowed : array_like of int, shape (K, 2), optional
        Pairs of bodies that may meet: they are not tested.
    affine : bool, optional
        Whether poses may scale, shear or mirror.
    slice : int, optional
        Sets of poses of a task: as many as leave eight tasks for each core, at most 65,536.
    progress : bool, optional
        Whether a line on stderr says what is left; by default if that is a terminal.

    Returns
    -------
    PairLists
        A list for each set: the numbers of bodies that meet, the smaller first, sorted.

    Examples
    --------
    >>> import impinge.distributed, numpy as np
    >>> model = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    >>> poses = np.tile(np.eye(4), (2, 3, 1, 1))
    >>> poses[0, :, 0, 3] = 0, 5, 5.5
    >>> poses[1, :, 0, 3] = 0, 5, 10
    >>> [found.tolist() for found in impinge.distributed.scene_contacts_at([model] * 3, poses)]
    [[[1, 2]], []]
    """
    array = np.asarray(poses, dtype=np.float64)
    count = len(models)
    if array.ndim != 4 or array.shape[1] != count or array.shape[2:] not in ((4, 4), (3, 4)):
        wanted = f"(P, {count}, 4, 4) or (P, {count}, 3, 4)"
        raise ValueError(f"poses must have the shape {wanted}, not {array.shape}")
    pairs = np.asarray(allowed, dtype=np.int64).reshape(-1, 2)
    # Errors in them are raised before anything is sent.
    _scene(models, pairs)
    if len(array) == 0:
        return PairLists(np.empty((0, 2), dtype=np.uint32), np.zeros(1, dtype=np.int64))
    ray = _ray.connect()
    parts = slices(ray, len(array), slice)
    numbers: dict[int, int] = {}
    of_body = [numbers.setdefault(id(model), len(numbers)) for model in models]
    distinct = {id(model): model for model in models}
    sent = [ray.put(distinct[which]) for which in numbers]
    # A key that no other call has.
    key = ray.put(None).hex()
    task = ray.remote(_answer).options(num_cpus=1, max_retries=_ray.RETRIES)

    def submit(i: int) -> Any:
        return task.remote(key, sent, of_body, pairs, array[parts[i]], parts[i].start, affine)

    answers: list[Any] = [None] * len(parts)
    shown = _ray.Progress("slices of poses", len(parts), progress)
    for i, answer in _ray.each(ray, len(parts), submit, progress=shown):
        answers[i] = answer
    return joined(answers)
