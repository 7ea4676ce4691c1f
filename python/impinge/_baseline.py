"""Baselines: the findings of earlier deliveries, with what people decided about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Self

from impinge._core import _Baseline, _BaselineFile, _updated
from impinge._errors import Error
from impinge._records import ReportLists

# A field has the name of the type.
_Day = date


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's decision about a finding."""

    status: str
    """"approved" or "reviewed"."""
    reason: str
    by: str
    date: _Day
    until: _Day | None
    """The last day on which it holds."""


@dataclass(frozen=True, slots=True)
class KnownFinding:
    """A finding of a baseline."""

    id: str
    """16 hexadecimal digits; it stays as long as both parts do."""
    status: str
    """"new", "reopened", "active", "reviewed", "approved" or "resolved"."""
    test: str
    names: tuple[str, ...]
    """The names of its parts."""
    relation: str
    volume: float | None
    depth: float | None
    distance: float | None
    since: date
    """The day since which it has its status, apart from decisions."""
    decision: Decision | None
    group: str | None
    """An id that all findings of its group share: they have the same two shapes and the same relation. None if
    the baseline has no groups, as before its first update."""


def _day(today: date | None) -> tuple[int, int, int]:
    day = datetime.now(UTC) if today is None else today
    return day.year, day.month, day.day


class Baseline:
    """The findings of earlier deliveries, as ``impinge.baseline.jsonl`` holds them in git.

    `Assembly.check` compares a delivery with it; `updated` takes the delivery in. A baseline does not change: its
    methods return another one.

    Examples
    --------
    >>> import impinge
    >>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    >>> mesh = impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> assembly = impinge.Assembly.from_meshes({"a": mesh, "b": mesh})
    >>> baseline = impinge.Baseline()
    >>> report = assembly.check(baseline=baseline)
    >>> report.findings[0].status, report.is_clean
    ('new', False)
    >>> baseline = baseline.updated(report)
    >>> baseline = baseline.approve([report.findings[0].id], reason="twins", by="me")
    >>> report = assembly.check(baseline=baseline)
    >>> report.findings[0].status, report.is_clean
    ('approved', True)
    """

    __slots__ = ("_native",)

    _native: _Baseline

    def __init__(self) -> None:
        self._native = _Baseline()

    @classmethod
    def _of(cls, native: _Baseline) -> Self:
        baseline = cls.__new__(cls)
        baseline._native = native
        return baseline

    @classmethod
    def parse(cls, text: str, file: str = "baseline") -> Self:
        """Read the `text` of a baseline; errors call it `file`.

        Raises
        ------
        Error
            ``FILE:LINE: what``, if the text is no valid baseline.
        """
        return cls._of(_Baseline.parse(file, text))

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Self:
        """Read the baseline in the file `path`.

        Raises
        ------
        Error
            If it is no valid baseline.
        OSError
            If it cannot be read.
        """
        return cls._of(_Baseline.read(Path(path)))

    @property
    def text(self) -> str:
        """The contents of its file."""
        return self._native.text()

    def write(self, path: str | PathLike[str]) -> None:
        """Write it to the file `path`, which is replaced once all is written.

        Raises
        ------
        Error
            If the file is there, and its contents are not what this baseline was made of: another process may
            have decided meanwhile. `edit` changes a file in one step.
        OSError
            If it cannot be written.
        """
        self._native.write(Path(path))

    @classmethod
    def edit(cls, path: str | PathLike[str], change: Callable[[Self], Self]) -> Self:
        """Change a file in one step: no decision of another process is lost.

        Parameters
        ----------
        path : path
            The file. It need not exist.
        change : callable
            It takes the baseline of the file, and returns the next one. Other processes wait meanwhile, so a
            check belongs before the call.

        Returns
        -------
        Baseline
            The next one.

        Examples
        --------
        >>> import impinge, pathlib, tempfile
        >>> box = impinge.Mesh.box([1, 1, 1])
        >>> assembly = impinge.Assembly.from_meshes({"a": box, "b": box})
        >>> report = assembly.check(baseline=impinge.Baseline())
        >>> path = pathlib.Path(tempfile.mkdtemp(), "impinge.baseline.jsonl")
        >>> baseline = impinge.Baseline.edit(path, lambda known: known.updated(report))
        >>> [finding.status for finding in impinge.Baseline.read(path).findings]
        ['new']
        """
        file = _BaselineFile(Path(path))
        try:
            known = file.baseline()
            changed = change(cls() if known is None else cls._of(known))
            file.write(changed._native)
        finally:
            file.close()
        return changed

    @property
    def findings(self) -> tuple[KnownFinding, ...]:
        """All findings, sorted by id."""
        return tuple(map(_known, self._native.findings()))

    def updated(self, report: ReportLists, *, today: date | None = None) -> Baseline:
        """The baseline after a check: new findings are added, and each has its status.

        The check of `report` was compared with this baseline, or with an earlier state of it. `today` is the
        day that the baseline records: that of UTC, if none is given.
        """
        next_one = _updated(report._native, self._native, _day(today))
        if next_one is None:
            raise Error("updated: the report was not compared with a baseline: check(baseline=...)")
        return Baseline._of(next_one)

    def _decide(
        self,
        is_approved: bool,
        ids: Iterable[str],
        reason: str,
        by: str,
        today: date | None,
        until: date | None,
    ) -> Self:
        last = None if until is None else (until.year, until.month, until.day)
        native = self._native.decide(list(ids), is_approved, (reason, by), _day(today), last)
        return type(self)._of(native)

    def approve(
        self,
        ids: Iterable[str],
        *,
        reason: str,
        by: str,
        today: date | None = None,
        until: date | None = None,
    ) -> Self:
        """Accept findings.

        They count again if they become worse, or come back after they were resolved.

        Parameters
        ----------
        ids : iterable of str
            The ids of findings, or the first digits of these.
        reason, by : str
            Why, and who decides. The baseline records both.
        today : datetime.date, optional
            The day of the decision: that of UTC, if none is given.
        until : datetime.date, optional
            The last day of the decision; the findings count again after it.
        """
        return self._decide(True, ids, reason, by, today, until)

    def review(
        self,
        ids: Iterable[str],
        *,
        reason: str,
        by: str,
        today: date | None = None,
        until: date | None = None,
    ) -> Self:
        """Mark findings as looked at. They count no more either.

        Parameters
        ----------
        ids, reason, by, today, until
            As of `approve`.
        """
        return self._decide(False, ids, reason, by, today, until)

    def prune(self) -> Self:
        """Without resolved findings, and parts that no finding needs."""
        return type(self)._of(self._native.prune())

    def __len__(self) -> int:
        return len(self._native.findings())

    def __repr__(self) -> str:
        return f"Baseline({len(self)} findings)"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).parse, (self.text,)


def _known(known: tuple[Any, ...]) -> KnownFinding:
    key, status, test, names, relation, (volume, depth, distance), since, decided, group = known
    decision = None
    if decided is not None:
        verdict, reason, by, day, until = decided
        decision = Decision(verdict, reason, by, date(*day), None if until is None else date(*until))
    return KnownFinding(
        key, status, test, tuple(names), relation, volume, depth, distance, date(*since), decision, group
    )


Against = tuple[_Baseline, float, tuple[int, int, int]]
"""A baseline, the relative growth of what is worse, and the day."""


def against(
    baseline: Baseline | str | PathLike[str] | None, worse: float, today: date | None
) -> Against | None:
    """The baseline of the arguments of `Assembly.check`."""
    if baseline is None:
        return None
    given = baseline if isinstance(baseline, Baseline) else Baseline.read(baseline)
    if not worse >= 0:
        raise ValueError(f"worse must not be negative: {worse}")
    return given._native, worse, _day(today)
