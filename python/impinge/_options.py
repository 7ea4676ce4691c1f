"""The options of a check that a plan has, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from impinge import _arguments
from impinge._core import _Check
from impinge._errors import Error
from impinge._lengths import Coordinates, Length
from impinge._settings import Criteria, Geometry, Limits, Measure, WhatIf

RELATIONS = ("overlap", "inside", "duplicate", "pierce", "surface-inside", "meet", "touch", "all")


def _choose(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise Error(f"{name}: {value!r} is not one of {', '.join(map(repr, choices))}")


def options(
    coordinates: Coordinates,
    *,
    clearance: Length | None = None,
    tolerance: Length | None = None,
    measure: Measure = Measure(),
    geometry: Geometry = Geometry(),
    criteria: Criteria = Criteria(),
    limits: Limits = Limits(),
    what_if: WhatIf = WhatIf(),
) -> _Check:
    """The options of `Assembly.check` that a plan has, too."""
    relations = _arguments.globs("report", criteria.report)
    for relation in relations:
        _choose("report", relation, RELATIONS)
    _choose("fill_rule", geometry.fill_rule, ("nonzero", "positive", "even_odd"))
    _choose("depth", measure.depth, ("counted", "all", "none"))
    if criteria.count is not None:
        _choose("count", criteria.count, ("definite", "possible"))
    shift = None if tolerance is None else coordinates.length("tolerance", tolerance)
    distance = None if clearance is None else coordinates.length("clearance", clearance)
    near = coordinates.lengths("what_if.clearances", what_if.clearances)
    shallow = coordinates.lengths("what_if.tolerances", what_if.tolerances)
    for group, name in (
        (geometry, "rounding"),
        (geometry, "surfaces"),
        (measure, "contacts"),
        (measure, "floating"),
    ):
        _arguments.flag(name, getattr(group, name))
    _arguments.count("max_pairs", limits.max_pairs, 1)
    surfaces, chord = geometry.surfaces, geometry.chord
    if shallow and (surfaces or measure.depth == "none"):
        why = "surfaces=True finds none" if surfaces else "depth='none' leaves them out"
        raise Error(f"what_if.tolerances: it needs depths, and {why}")
    if surfaces and (relations or tolerance is not None or chord is not None or geometry.rounding):
        raise Error(
            "surfaces: parts have no relations then; report, tolerance, chord and rounding have no meaning"
        )
    chords: list[tuple[str | None, float]] = []
    if isinstance(chord, Mapping):
        chords = [(name, coordinates.length(f"chord of {name!r}", one)) for name, one in chord.items()]
    elif chord is not None:
        chords = [(None, coordinates.length("chord", chord))]
    return _Check(
        relations,
        geometry.fill_rule,
        measure.depth,
        shift,
        distance,
        near,
        shallow,
        chords,
        criteria.count,
        geometry.rounding,
        surfaces,
        measure.contacts,
        limits.max_pairs,
        geometry.unit,
    )
