"""The options of a check that a plan has, too."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from impinge._core import _Check
from impinge._errors import Error

if TYPE_CHECKING:
    _Rule = Literal["nonzero", "positive", "parity"]
    _Depths = Literal["counted", "all", "none"]

RELATIONS = ("overlap", "contained", "same", "pierce", "inside-open", "meet", "touch", "all")


def _choose(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise Error(f"{name}: {value!r} is not one of {', '.join(map(repr, choices))}")


def options(
    *,
    report: str | Sequence[str] = (),
    fill_rule: _Rule = "nonzero",
    depth: _Depths = "counted",
    tolerance: float | None = None,
    clearance: float | None = None,
    what_if: Sequence[float] = (),
    what_if_tolerance: Sequence[float] = (),
    chord: float | Mapping[str, float] | None = None,
    rounding: bool = False,
    surfaces: bool = False,
    contacts: bool = False,
    max_pairs: int | None = None,
    unit: str | None = None,
) -> _Check:
    """The options of `Assembly.check` that a plan has, too."""
    relations = [report] if isinstance(report, str) else list(report)
    for relation in relations:
        _choose("report", relation, RELATIONS)
    _choose("fill_rule", fill_rule, ("nonzero", "positive", "parity"))
    _choose("depth", depth, ("counted", "all", "none"))
    stated = {"tolerance": [tolerance], "clearance": [clearance]}
    for name, lengths in (stated | {"what_if": what_if, "what_if_tolerance": what_if_tolerance}).items():
        for length in lengths:
            if length is not None and not 0 <= float(length) < math.inf:
                raise Error(f"{name} must be finite and not negative, not {length}")
    if max_pairs is not None and max_pairs < 1:
        raise Error(f"max_pairs must be 1 or more, not {max_pairs}")
    if surfaces and (relations or tolerance is not None or chord is not None or rounding):
        raise Error(
            "surfaces: parts have no relations then; report, tolerance, chord and rounding have no meaning"
        )
    chords: list[tuple[str | None, float]] = []
    if isinstance(chord, Mapping):
        chords = [(name, float(length)) for name, length in chord.items()]
    elif chord is not None:
        chords = [(None, float(chord))]
    return _Check(
        relations,
        fill_rule,
        depth,
        tolerance,
        clearance,
        [float(length) for length in what_if],
        [float(length) for length in what_if_tolerance],
        chords,
        rounding,
        surfaces,
        contacts,
        max_pairs,
        unit,
    )
