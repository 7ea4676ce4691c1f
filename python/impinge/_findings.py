"""Findings: what is wrong, according to the tests of a check."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from functools import partial
from importlib import import_module
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from impinge._choice import matcher
from impinge._contacts import Floating, floating
from impinge._core import _Finding, _finding_keys, _finding_numbers, _ranked_findings
from impinge._records import CheckedPart, Clash, Listed, NearPair, Records, ReportLists
from impinge._results import CONTAINMENT, RelationKind

KINDS = (*map(str, RelationKind), "near", "self", "floating", "lost_contact", "min_gap")
"""Kinds of findings: relations of two parts, and the others."""

COLUMNS = (
    *("test", "severity", "kind", "a", "b", "name_a", "name_b"),
    *("volume", "volume_at_least", "depth", "separating_distance", "distance", "x", "y", "z"),
)
"""Columns of `Findings.to_pandas`."""

MEASURED = "volume", "volume_at_least", "depth", "separating_distance", "distance"

SEVERITIES = ("low", "medium", "high", "critical")
"""Severities of tests, the least first."""


class Finding(_Finding, Listed):
    """One thing that is wrong between two parts, or with one part, according to a test.

    Findings of one report are equal if they have the same `index`.
    """

    __slots__ = ("_report",)

    @property
    def parts(self) -> tuple[CheckedPart, ...]:
        """Two parts, the smaller index first; or one part."""
        return tuple(map(self._report._part, self._parts))

    @property
    def a(self) -> CheckedPart:
        """The first part."""
        return self.parts[0]

    @property
    def b(self) -> CheckedPart | None:
        """The second part; None of a finding about one part."""
        return self.parts[1] if len(self.parts) > 1 else None

    @property
    def clash(self) -> Clash | None:
        """The clash with all that was measured; None of a finding of another kind."""
        is_clash = self.kind not in ("near", "self", "floating", "lost_contact", "min_gap")
        return Clash(self._report, self._record) if is_clash else None

    @property
    def near(self) -> NearPair | None:
        """The pair that is near; None of a finding of another kind."""
        return NearPair(self._report, self._record) if self.kind == "near" else None

    @property
    def floating(self) -> Floating | None:
        """The group that floats; None of a finding of another kind."""
        groups = floating(self._report) if self.kind == "floating" else None
        return None if groups is None else groups[self._record]

    def picture(self, width: int = 960, height: int = 640) -> bytes | None:
        """Draw it as a PNG file: the first part blue, the second orange, contact curves white.

        Parameters
        ----------
        width, height : int, optional
            Pixels, from 1 to 4096.

        Returns
        -------
        bytes or None
            None if the report came from a plan, and has no meshes.
        """
        for name, side in ("width", width), ("height", height):
            if not 1 <= side <= 4096:
                raise ValueError(f"{name} must be from 1 to 4096, not {side}")
        return self._report._native.picture(self.index, width, height)

    def _repr_png_(self) -> bytes | None:
        return self.picture(720, 480)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Finding):
            return NotImplemented
        return self._report is other._report and self.index == other.index

    def __hash__(self) -> int:
        return hash((id(self._report), self.index))

    def __repr__(self) -> str:
        names = ", ".join(repr(part.name) for part in self.parts)
        return f"Finding({self.index}, {self.kind} of {names}, {self.test!r}, {self.severity})"


class Findings(Records[Finding]):
    """Some findings of a report. Each object is made at its first use.

    Examples
    --------
    >>> import impinge
    >>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    >>> mesh = impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> assembly = impinge.Assembly.from_meshes({"pipe": mesh, "duct": mesh, "wall": mesh})
    >>> assembly.set_pose("duct", [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> assembly.set_pose("wall", [[1, 0, 0, 9], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> report = assembly.check()
    >>> report.findings
    [Finding(0, overlap of 'pipe', 'duct', 'check', medium)]
    >>> len(report.findings.filter(part="wall"))
    0
    """

    __slots__ = ("_report",)

    _report: ReportLists

    def __init__(self, report: ReportLists, which: Sequence[int] | NDArray[np.int64]) -> None:
        super().__init__(partial(Finding, report), which)
        self._report = report

    def _some(self, which: Any) -> Self:
        return type(self)(self._report, which)

    def filter(
        self,
        *,
        kind: str | Sequence[str] | None = None,
        test: str | Sequence[str] | None = None,
        severity: str | Sequence[str] | None = None,
        part: str | None = None,
    ) -> Self:
        """Select the findings that meet all given conditions, in the same order.

        Parameters
        ----------
        kind : str or sequence of str, optional
            It is one of these: members of `RelationKind`, "near", "self", "floating",
            "lost_contact", "min_gap". "inside" and "contains" both stand for both.
        test : str or sequence of str, optional
            It is of one of these tests.
        severity : str or sequence of str, optional
            Its test has one of these severities.
        part : str, optional
            One of its parts has this name, in which ``*`` stands for any characters.

        Returns
        -------
        sequence of Finding
            ``.indices`` are the places in `Report.findings`.

        Examples
        --------
        >>> import impinge
        >>> triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
        >>> report = impinge.Assembly.from_meshes((name, triangle) for name in "aab").check()
        >>> len(report.findings), len(report.findings.filter(kind="meet", part="b"))
        (3, 2)
        """
        columns, names = _finding_keys(self._report._native)
        tests = self._report.tests
        keep = np.ones(len(columns["test"]), dtype=np.bool_)
        if kind is not None:
            wanted: set[str] = set()
            for one in _listed("kind", kind, KINDS, dashes=True):
                wanted.update(CONTAINMENT if one in CONTAINMENT else (one,))
            keep &= np.isin(columns["kind"], [i for i, name in enumerate(names) if name in wanted])
        if test is not None:
            named = _listed("test", test, [one.name for one in tests])
            keep &= np.isin(columns["test"], [i for i, one in enumerate(tests) if one.name in named])
        if severity is not None:
            grave = _listed("severity", severity, SEVERITIES)
            keep &= np.isin(columns["test"], [i for i, one in enumerate(tests) if one.severity in grave])
        if part is not None:
            of_parts = self._report._native.names()
            # One more: index -1, of a part that is not there.
            fits = np.append(np.fromiter(map(matcher(part), of_parts), np.bool_, len(of_parts)), False)
            keep &= fits[columns["parts"]].any(axis=1)
        indices = self.indices
        return self._some(indices[keep[indices]])

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each finding. It needs pandas.

        The index is that of `Report.findings`. Columns: ``test``, ``severity``, ``kind``, ``a`` and ``b``
        (indices of parts; of one part ``b`` is missing), ``name_a``, ``name_b``, ``volume``,
        ``volume_at_least``, ``depth``, ``separating_distance``, ``distance``, ``x``, ``y``, ``z``. Numbers that
        were not computed are NaN.
        """
        try:
            # By its name: it has no types of its own.
            pandas: Any = import_module("pandas")
        except ImportError as why:
            raise ImportError("Findings.to_pandas needs pandas: pip install pandas") from why
        native, rows = self._report._native, self.indices
        keys, kinds = _finding_keys(native)
        numbers = _finding_numbers(native)
        tests = self._report.tests
        of_test = keys["test"][rows]
        columns: dict[str, Any] = {
            "test": pandas.Categorical.from_codes(of_test, [test.name for test in tests]),
            "severity": np.array([test.severity for test in tests], dtype=object)[of_test],
            "kind": np.array(kinds, dtype=object)[keys["kind"][rows]],
        }
        # One more: index -1, of a part that is not there.
        names = np.array([*native.names(), None], dtype=object)
        for k, side in enumerate("ab"):
            part = keys["parts"][rows, k]
            columns[side] = pandas.array(part, dtype="Int64")
            columns[side][part < 0] = pandas.NA
            columns[f"name_{side}"] = names[part]
        columns |= {name: numbers[name][rows] for name in MEASURED}
        columns |= {axis: numbers["point"][rows, k] for k, axis in enumerate("xyz")}
        return pandas.DataFrame({name: columns[name] for name in COLUMNS}, index=rows)

    def __getitem__(self, i: Any) -> Any:
        return self._some(self._which[i]) if isinstance(i, slice) else super().__getitem__(i)


def _listed(
    what: str, given: str | Sequence[str], known: Sequence[str], *, dashes: bool = False
) -> list[str]:
    """One name or several; an unknown one is an error."""
    some = [given] if isinstance(given, str) else list(given)
    if dashes:
        some = [one.replace("-", "_") for one in some]
    for one in some:
        if one not in known:
            raise ValueError(f"{what}: {one!r} is not one of {', '.join(map(repr, known))}")
    return some


def volume_text(least: float | None, most: float | None) -> str | None:
    """One number of four digits, or two, rounded outwards, where they are more than a hundredth apart."""
    if least is None or most is None or most - least <= most / 100:
        return None if most is None else f"{most:.4g}"
    # The last bits do not count.
    bounds = (ROUND_FLOOR, least * (1 + 1e-9)), (ROUND_CEILING, most * (1 - 1e-9))
    return "–".join(f"{float(Context(4, rounding).create_decimal_from_float(x)):.4g}" for rounding, x in bounds)


def ranked(report: ReportLists) -> Findings:
    """All findings, the gravest first."""
    return Findings(report, _ranked_findings(report._native))
