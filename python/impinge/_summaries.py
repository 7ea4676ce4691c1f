"""A report's summaries of its tests, of its ignore rules, and of why a pair is a finding or none."""

from __future__ import annotations

import json
from dataclasses import dataclass

from impinge._core import _explain, _Report, _summaries
from impinge._errors import Error


@dataclass(frozen=True, slots=True)
class TestSummary:
    """A test of a check, and the numbers of its pairs. A check without rules has one, for all of its pairs.

    ``asked`` is ``boxes_apart + ignored + not_examined + tested``; a pair that several tests ask counts in
    each.
    """

    # Not a test of pytest, in whose files it may be imported.
    __test__ = False

    name: str
    """Its name; "check" in a check without rules."""
    severity: str
    """The severity of its findings: "low", "medium", "high" or "critical"."""
    report: tuple[str, ...]
    """The relations that it reports."""
    asked: int
    """Pairs of parts that it applies to."""
    boxes_apart: int
    """Pairs among these whose boxes do not meet, or are further apart than the clearance."""
    ignored: int
    """Pairs that an ignore rule removed before their triangles were tested, or that the choice of pairs
    leaves out though their boxes are near."""
    not_examined: int
    """Pairs for which there was no time."""
    tested: int
    """Pairs whose triangles were tested."""
    shallow: int
    """Pairs among these that the test would report, but for its tolerance."""
    ignored_findings: int
    """Pairs among these that the test would report, but for an ignore rule with bounds."""
    findings: int
    """Its findings."""
    tolerance: float | None = None
    """A clash is shallow, and no finding, if a translation of at most this length is found that undoes it."""
    clearance: float | None = None
    """Pairs that are at most this far apart without meeting are findings."""
    count: str | None = None
    """Certainty that its findings need, with chord errors: "definite" or "possible"."""
    possible: int = 0
    """Pairs among these that would be findings if possible ones counted."""
    within_rounding: int = 0
    """Pairs among these that would be findings, but the parts touch within the rounding of their coordinates."""


@dataclass(frozen=True, slots=True)
class IgnoreSummary:
    """An ignore rule, and how often it applied."""

    reason: str
    """Why it is there."""
    line: int
    """Its line in the file; 0 if it comes from no file."""
    is_expired: bool
    """Whether its last day has passed."""
    pairs: int
    """Pairs that it removed before their triangles were tested; a pair counts for each test."""
    findings: int
    """Findings that it left out by what was measured."""
    until: str | None = None
    """The last day on which it applies, such as "2027-03-01"; None if there is none."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The decision of a test on two parts."""

    test: str
    """The name of the test."""
    decision: str
    """One of these:

    * "not_asked": the parts are not in its sets, or the check was not about them.
    * "removed": an ignore rule removed the pair before its triangles were tested.
    * "not_examined": there was no time for the pair.
    * "apart": the parts do not meet, none is inside the other, and they are not within the clearance.
    * "not_reported": the test does not report this relation.
    * "within_rounding": the parts touch within the rounding of their coordinates.
    * "shallow": a shift by the tolerance of the test undoes it.
    * "possible": it may not hold of the true parts, and only definite findings count.
    * "ignored": an ignore rule left the finding out by what was measured.
    * "finding": it is a finding.
    """
    kind: str | None
    """Kind of the result, as in `Finding`; None if there is none, or the pair was not tested."""
    rule: IgnoreSummary | None
    """The ignore rule that decided."""

    @property
    def reason(self) -> str | None:
        """The reason of the ignore rule that decided."""
        return None if self.rule is None else self.rule.reason

    @property
    def line(self) -> int | None:
        """The line of the ignore rule that decided; 0 if it comes from no file."""
        return None if self.rule is None else self.rule.line


Summaries = tuple[tuple[TestSummary, ...], tuple[IgnoreSummary, ...]]


def summaries(native: _Report) -> Summaries:
    """The tests and the ignore rules of a report."""
    tests, ignores = map(json.loads, _summaries(native))
    return (
        tuple(TestSummary(**{**test, "report": tuple(test["report"])}) for test in tests),
        tuple(IgnoreSummary(**ignore) for ignore in ignores),
    )


def explain(native: _Report, summaries: Summaries, a: int, b: int) -> tuple[Explanation, ...]:
    """The decision of each test on two parts."""
    if a == b:
        raise Error(f"both are part {a}; give two parts")
    tests, ignores = summaries
    return tuple(
        Explanation(tests[test].name, decision, kind, None if rule is None else ignores[rule])
        for test, kind, decision, rule in _explain(native, a, b)
    )
