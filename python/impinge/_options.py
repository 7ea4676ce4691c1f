"""The options of a check that a plan has, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from impinge import _arguments
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
    relations = _arguments.globs("report", report)
    for relation in relations:
        _choose("report", relation, RELATIONS)
    _choose("fill_rule", fill_rule, ("nonzero", "positive", "parity"))
    _choose("depth", depth, ("counted", "all", "none"))
    for name, one in (("tolerance", tolerance), ("clearance", clearance)):
        if one is not None:
            _arguments.length(name, one)
    near, shallow = (
        _arguments.lengths(name, some)
        for name, some in (("what_if", what_if), ("what_if_tolerance", what_if_tolerance))
    )
    for name, is_set in (("rounding", rounding), ("surfaces", surfaces), ("contacts", contacts)):
        _arguments.flag(name, is_set)
    _arguments.count("max_pairs", max_pairs, 1)
    if shallow and (surfaces or depth == "none"):
        why = "surfaces=True finds none" if surfaces else "depth='none' leaves them out"
        raise Error(f"what_if_tolerance: it needs depths, and {why}")
    if surfaces and (relations or tolerance is not None or chord is not None or rounding):
        raise Error(
            "surfaces: parts have no relations then; report, tolerance, chord and rounding have no meaning"
        )
    chords: list[tuple[str | None, float]] = []
    if isinstance(chord, Mapping):
        chords = [(name, _arguments.length(f"chord of {name!r}", one)) for name, one in chord.items()]
    elif chord is not None:
        chords = [(None, _arguments.length("chord", chord))]
    return _Check(
        relations,
        fill_rule,
        depth,
        tolerance,
        clearance,
        near,
        shallow,
        chords,
        rounding,
        surfaces,
        contacts,
        max_pairs,
        unit,
    )
