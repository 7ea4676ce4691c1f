"""Results of queries about robots."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from impinge._part import PathLike
from impinge._results import Floats, _Result, middle

NamePair = tuple[str, str]

if TYPE_CHECKING:
    _AcmKind = Literal["adjacent", "rigid", "always", "default", "sometimes", "unseen", "never"]
    _DisabledUse = Literal["moving", "joined", "no shape", "unknown"]


@dataclass(frozen=True, slots=True, eq=False)
class RobotDistance(_Result):
    """The least distance of the pairs that are checked: see `Robot.distance`."""

    lo: float
    """The distance is not less,"""
    hi: float
    """and not more; 0 exactly if the parts are in collision."""
    pair: NamePair
    """Names of the parts that are so near."""
    points: Floats
    """Nearest points on both, in the frame of the base link, rounded: shape (2, 3)."""
    gradient: Floats | None
    """Change of the distance per radian or metre of each joint, rounded: shape (nq,). None if the parts are
    in collision. Where several points or pairs are equally near, the distance has a kink; this is then the
    slope for `points`, one of several."""
    error: float
    """Bound of what the rounding of the poses changes in the distance."""

    @property
    def distance(self) -> float:
        """The middle of the interval."""
        return middle(self.lo, self.hi)


@dataclass(frozen=True, slots=True, eq=False)
class RobotDistances(_Result):
    """The results of `Robot.distance` for many configurations. NaN and None if no pair is checked."""

    lo: Floats
    """The distances are not less: shape (P,),"""
    hi: Floats
    """and not more; 0 exactly if parts are in collision."""
    pairs: list[NamePair | None]
    """Names of the parts that are so near."""
    points: Floats
    """Nearest points on both, in the frame of the base link, rounded: shape (P, 2, 3)."""
    gradient: Floats
    """Change of the distance per radian or metre of each joint: shape (P, nq); NaN in collisions."""
    error: Floats
    """Bounds of what the rounding of the poses changes in the distances."""

    def __len__(self) -> int:
        return len(self.lo)


@dataclass(frozen=True, slots=True, eq=False)
class RobotSweep(_Result):
    """The result of `Robot.sweep` for an edge: a proof, or a contact."""

    kind: Literal["clear", "contact", "near"]
    """``"clear"``: there is no collision at any time. ``"contact"``: there is one, and none before
    `free_until`. ``"near"``: from `free_until` to `until` neither is proved."""
    free_until: float
    """No time before this has a collision; 1 if clear."""
    meets_at: float | None
    """A time at which there is a collision, if one was found."""
    pair: NamePair | None
    """Names of the parts that meet, or come near."""
    until: float | None
    """For ``"near"``: the end of what is undecided for this pair."""
    why: Literal["grazing", "budget"] | None
    """For ``"near"``: ``"grazing"``, if the parts come within the tolerance, or ``"budget"``."""


@dataclass(frozen=True, slots=True, eq=False)
class RobotSweeps(_Result):
    """The results of `Robot.sweep` for many edges, one of each array for each edge."""

    clear: NDArray[np.bool_]
    """Whether there is no collision at any time: shape (P,)."""
    contact: NDArray[np.bool_]
    """Whether there is a collision, and none before `free_until`. An edge that is neither clear nor has a
    contact is undecided."""
    free_until: Floats
    """No time before this has a collision; 1 if clear."""
    meets_at: Floats
    """A time at which there is a collision; NaN where none was found."""
    pairs: list[NamePair | None]
    """Names of the parts that meet, or come near; None where all is clear."""

    def __len__(self) -> int:
        return len(self.clear)


@dataclass(frozen=True, slots=True, eq=False)
class AcmPair(_Result):
    """The relation of a pair of links over all configurations: an entry of `Acm`."""

    pair: NamePair
    """Names of the links."""
    kind: _AcmKind
    """``"adjacent"``: a joint connects them, or joints and links without shapes do. ``"rigid"``: only fixed
    joints are between them. ``"always"``: they collide in all samples. ``"default"``: they collide where all
    positions are 0. ``"sometimes"``: they collide in some configurations. ``"unseen"``: in no sample.
    ``"never"``: proved to collide in no configuration within the limits."""
    hits: int
    """Number of samples in which they collide."""
    cells: int | None
    """For ``"never"``: the number of cells of the proof."""
    example: Floats | None
    """A configuration in which they collide, if one was found: shape (nq,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Acm(_Result):
    """Relations of all pairs of links, an *allowed collision matrix*: see `Robot.acm`."""

    pairs: list[AcmPair]
    """All pairs of links that have shapes."""
    samples: int
    """Number of samples."""
    srdf: str
    """Text of an SRDF that disables the pairs that need no check, all but ``"sometimes"``, with reasons."""

    def save(self, path: PathLike) -> None:
        """Write `srdf` to the file `path`."""
        Path(path).write_text(self.srdf, encoding="utf-8")


@dataclass(frozen=True, slots=True, eq=False)
class DisabledPair(_Result):
    """A pair of links that an SRDF disables: see `Robot.lint`."""

    pair: NamePair
    """Names of the links."""
    reason: str | None
    """The reason that the file states, such as ``Never``."""
    use: _DisabledUse
    """``"moving"``: the links move against each other, so that the entry has an effect. ``"joined"``: they
    are not checked in any case. ``"no shape"``: a link has no collision geometry. ``"unknown"``: the robot
    lacks one."""
    example: Floats | None
    """A configuration in which they collide, if one was found: shape (nq,)."""
    wrong: bool
    """Whether the links collide, and the reason does not expect it, as ``Default``, ``Always``, ``Adjacent``
    and ``User`` do."""


def pair_of(names: tuple[str, ...], parts: NDArray[np.int64]) -> NamePair | None:
    """Names of a pair of parts; None of -1."""
    a, b = parts.tolist()
    return None if a < 0 else (names[a], names[b])


def pairs_of(names: tuple[str, ...], parts: NDArray[np.int64]) -> list[NamePair | None]:
    return [None if a < 0 else (names[a], names[b]) for a, b in parts.tolist()]
