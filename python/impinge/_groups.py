"""Groups of findings: what a person can look through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from impinge._core import _Groups, _labels
from impinge._findings import Findings
from impinge._records import CheckedPart, Records, ReportLists

By = str | Sequence[str] | Callable[[CheckedPart], object]
"""A field of parts, a label for each part, or a function of a part that returns its label."""

NO_LABEL = "(none)"
"""The label of a part that has none."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Findings of one group. `len` is the number of findings."""

    kind: str
    """The kind of the gravest finding, as of `Finding`."""
    test: str
    """The name of the test of the gravest finding."""
    severity: str
    """The severity of that test."""
    labels: tuple[str, str] | None
    """The labels of both parts in the order of the alphabet; None if parts have no labels."""
    findings: Findings
    """The findings, the gravest first."""
    placements: int
    """Number of different relative placements of the two shapes; without shapes, the number of findings."""
    volume: float | None
    """The largest upper bound of a volume in common."""
    volume_at_least: float | None
    """The largest lower bound of a volume in common."""
    depth: float | None
    """The largest upper bound of an interference depth."""
    separating_distance: float | None
    """The longest separating distance; None if a finding has none."""
    distance: float | None
    """The least upper bound of a distance."""

    def __len__(self) -> int:
        return len(self.findings)

    def __repr__(self) -> str:
        named = "" if self.labels is None else f" of {self.labels[0]!r} and {self.labels[1]!r}"
        return f"Group({self.kind}{named}, {len(self)} findings, {self.test!r}, {self.severity})"


@dataclass(frozen=True, slots=True, eq=False)
class Connected:
    """Parts that findings connect."""

    parts: Records[CheckedPart]
    """The parts."""
    pairs: NDArray[np.uint32]
    """Indices of both parts of each finding between them, shape (K, 2); twice the same of one part."""

    def __repr__(self) -> str:
        return f"Connected({len(self.parts)} parts, {len(self.pairs)} findings)"


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """A part that explains findings."""

    part: CheckedPart
    """The part."""
    count: int
    """Number of its findings that no part before it has."""


class Groups:
    """Findings of a report in groups. Each object is made at its first use.

    Examples
    --------
    >>> import impinge
    >>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    >>> mesh = impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> assembly = impinge.Assembly()
    >>> for i, kind in enumerate(["Pipe", "Duct", "Duct"]):
    ...     pose = [[1, 0, 0, 1.5 * i], [0, 1, 0, 0], [0, 0, 1, 0]]
    ...     _ = assembly.add(mesh, pose, name=f"part {i}", type=kind)
    >>> report = assembly.check()
    >>> report.groups().groups
    [Group(overlap, 2 findings, 'check', medium)]
    >>> [(group.labels, len(group)) for group in report.groups("type").groups]
    [(('Duct', 'Pipe'), 1), (('Duct', 'Duct'), 1)]
    >>> [(one.part.name, one.count) for one in report.groups().explained]
    [('part 1', 2)]
    """

    __slots__ = ("_counts", "_native", "_report")

    _counts: tuple[int, int, int]
    _native: _Groups
    _report: ReportLists

    def __init__(self, report: ReportLists, by: By | None, near: float | None) -> None:
        if by is not None and near is not None:
            raise ValueError("by and near: give one of them")
        labels = None if by is None else _labels_of(report, by)
        self._report = report
        self._native = _Groups(report._native, labels, near)
        self._counts = self._native.counts()

    @property
    def groups(self) -> Records[Group]:
        """Every finding in one group, the group with the gravest finding first."""
        return Records(self._group, range(self._counts[0]))

    @property
    def connected(self) -> Records[Connected]:
        """Sets of parts that findings connect; the most findings first."""
        return Records(self._connected, range(self._counts[1]))

    @property
    def explained(self) -> Records[Explained]:
        """Parts that explain findings: each has more of those that are left than any other part."""
        return Records(self._explained, range(self._counts[2]))

    def _group(self, i: int) -> Group:
        test, kind, labels, findings, (placements, numbers) = self._native.group(i)
        asked = self._report.tests[test]
        return Group(
            kind, asked.name, asked.severity, labels, Findings(self._report, findings), placements, *numbers
        )

    def _connected(self, i: int) -> Connected:
        parts, pairs = self._native.connected(i)
        return Connected(Records(self._report._part, parts), pairs)

    def _explained(self, i: int) -> Explained:
        part, count = self._native.explained(i)
        return Explained(self._report._part(part), count)

    def __repr__(self) -> str:
        return f"Groups({self._report._native.findings} findings in {self._counts[0]} groups)"


def _labels_of(report: ReportLists, by: By) -> list[str]:
    """The label of each part."""
    given: list[object]
    if isinstance(by, str):
        given = list(_labels(report._native, by))
    elif callable(by):
        given = [by(part) for part in report.parts]
    else:
        given = list(by)
    return [NO_LABEL if label is None else str(label) for label in given]
