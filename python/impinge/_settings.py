"""Settings of a check in groups: what is measured, how meshes are meant, what counts, how much is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import wraps
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from numpy.typing import ArrayLike

from impinge._arguments import shown
from impinge._lengths import Length
from impinge._progress import Progress

if TYPE_CHECKING:
    _Depths = Literal["counted", "all", "none"]
    _Counts = Literal["definite", "possible"]
    _FillRules = Literal["nonzero", "positive", "even_odd"]

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """What `Assembly.check` measures and finds besides clashes.

    Parameters
    ----------
    depth : {"counted", "all", "none"}, optional
        Clashes to measure: overlap volume, depth and separating translation.
    contacts : bool, optional
        Measure what parts that touch have in common: `Report.contact_graph`.
    floating : bool, optional
        Find parts and groups that touch nothing else, and their nearest parts: `Report.floating`. With a
        clearance, parts that are near are attached, too.
    """

    depth: _Depths = "counted"
    contacts: bool = False
    floating: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """Options of `Assembly.check` that relate the meshes to the true parts.

    Parameters
    ----------
    chord : length or mapping of str to length, optional
        Largest distance of the triangles from the true surface. Each finding is then definite or possible. A
        mapping has names of parts, in which ``*`` stands for any characters; the last that fits counts, and
        parts without one are exact. What a part states (``chord`` of `Assembly.add`) counts for it unless the
        mapping names it.
    rounding : bool, optional
        Add to the chord of each part what its file's float32 numbers have rounded (`Part.rounding`). Parts
        that nominally touch then clash possibly, not definitely.
    fill_rule : {"nonzero", "positive", "even_odd"}, optional
        Points that are inside of a part whose edges close.
    surfaces : bool, optional
        Compare surfaces only: report parts whose triangles meet, and take none for a solid.
    unit : str, optional
        The unit of parts whose source states none, such as "mm". Sources that state different units are an
        error without it; with it, all coordinates are taken to be in this unit.
    """

    chord: Length | Mapping[str, Length] | None = None
    rounding: bool = False
    fill_rule: _FillRules = "nonzero"
    surfaces: bool = False
    unit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """Criteria of `Assembly.check` for findings.

    Parameters
    ----------
    report : str or sequence of str, optional
        Relations that count: "overlap", "inside", "duplicate", "pierce", "surface-inside", "meet", "touch", "all".
        By default all except touch.
    count : {"definite", "possible"}, optional
        Certainty that a finding needs, with chord errors. By default "definite" where parts state theirs,
        else "possible".
    worse : float, optional
        Growth from which a finding of the baseline is worse: 0.1 is a tenth of its depth or volume.
    today : datetime.date, optional
        The day that decides which ignore rules and decisions have expired; by default today in UTC.
    """

    report: str | Sequence[str] = ()
    count: _Counts | None = None
    worse: float = 0.1
    today: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the work of `Assembly.check`.

    Parameters
    ----------
    pairs : function, or array_like of shape (K, 2), optional
        Only these pairs of indices; or only pairs for which the function returns true. It is called with two
        indices, the smaller first, for pairs whose boxes are near enough, from another thread.
    max_pairs : int, optional
        Largest number of pairs to test; more are an error.
    time_limit : float, optional
        Stop after so many seconds. `Report.not_examined` has the pairs that are left.
    """

    pairs: Callable[[int, int], object] | ArrayLike | None = None
    max_pairs: int | None = None
    time_limit: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """Other lengths for which `Assembly.check` counts findings in the same run.

    Parameters
    ----------
    clearances : sequence of length, optional
        Clearances: how many pairs would be near, and how many findings there would be (`Report.what_if`).
    tolerances : sequence of length, optional
        Tolerances: how many findings each would leave (`Report.what_if_tolerance`).
    """

    clearances: Sequence[Length] = ()
    tolerances: Sequence[Length] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How `Assembly.check` runs. The result does not depend on it.

    Parameters
    ----------
    cache : path, optional
        Reuse results stored in this file for pairs that did not change; create it if it is missing.
    progress : bool or function, optional
        True shows bars of tqdm if that is installed, else a line on stderr. A function is called from this
        thread, some 40 times a second, with the name of a stage, the work that is done, and that of the whole
        stage; its error ends the check.
    """

    cache: str | PathLike[str] | None = None
    progress: bool | Progress | None = None


GROUPS: dict[str, type[Any]] = {
    "measure": Measure,
    "geometry": Geometry,
    "criteria": Criteria,
    "limits": Limits,
    "what_if": WhatIf,
    "run": Run,
}

_PLACES = {field.name: (group, kind) for group, kind in GROUPS.items() for field in fields(kind)}


def moved(check: Callable[P, T]) -> Callable[P, T]:
    """A function whose errors tell which group has a field that is given as an argument of its own."""
    own: dict[str, object] = getattr(check, "__kwdefaults__", None) or {}

    @wraps(check)
    def checked(*arguments: P.args, **options: P.kwargs) -> T:
        for name in options.keys() - own.keys():
            field = "tolerances" if name == "what_if_tolerance" else name
            if field in _PLACES:
                group, kind = _PLACES[field]
                raise TypeError(f"{name}: write {group}=impinge.check.{kind.__name__}({field}=...)")
        return check(*arguments, **options)

    return checked


def refuse_others(**groups: object) -> None:
    """Refuse arguments that are no groups."""
    for name, given in groups.items():
        kind = GROUPS[name]
        if not isinstance(given, kind):
            example = f"impinge.check.{kind.__name__}({fields(kind)[0].name}=...)"
            raise TypeError(
                f"{name} must be an impinge.check.{kind.__name__}, such as {example}, not {shown(given)}"
            )
