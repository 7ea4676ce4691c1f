"""Reports of what clashes in an assembly."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from impinge._choice import Which, indices, matcher, one_index
from impinge._contacts import ContactGraph, Floating, floating
from impinge._core import _Report, _report_bytes, _report_of
from impinge._findings import Findings, ranked
from impinge._groups import By, Groups
from impinge._lengths import Coordinates, Length, symbol
from impinge._notebook import of_report, show
from impinge._origin import Origin
from impinge._part import PathLike
from impinge._records import Clash, Records, ReportLists
from impinge._report_tables import clash_table, columns, near_table
from impinge._results import CONTAINMENT, RelationKind
from impinge._summaries import Explanation, explain

if TYPE_CHECKING:
    from impinge._assembly import Assembly

MARKDOWN_ROWS = 20
"""Rows of each table of `Report.to_markdown`, as of the command's."""

ROWS = 100
"""Rows of a printed report, as of the command's; `Report.write` writes all."""


class Report(ReportLists):
    """Result of `Assembly.check`. Iteration goes through its clashes.

    Attributes
    ----------
    data : dict
        All of it, as ``impinge check --format json`` writes it; made when it is first asked for.
    findings : sequence of Finding
        What is wrong; the command's exit status is 1 if there is any.
    tests : tuple of TestSummary
        The tests, and the numbers of their pairs.
    ignores : tuple of IgnoreSummary
        The ignore rules, and how often each applied.
    assembly : Assembly or None
        The parts that were checked; None if the report came from a plan.

    Examples
    --------
    >>> import impinge
    >>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    >>> mesh = impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> assembly = impinge.Assembly.from_meshes({"a": mesh, "b": mesh})
    >>> assembly.set_pose("b", [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> report = assembly.check()
    >>> for clash in report.ranked():
    ...     lo, hi = clash.volume
    ...     print(clash.a.name, clash.b.name, clash.relation, round(hi, 9))
    a b overlap 0.166666667
    >>> report.clash_array["counts"]
    array([ True])
    >>> [(finding.kind, finding.a.name, finding.b.name) for finding in report.findings]
    [('overlap', 'a', 'b')]
    """

    __slots__ = ("_assembly", "_copy", "_origin", "_table")

    # The parts that were checked, and a copy that others may edit.
    _assembly: Assembly | None
    _copy: Assembly | None
    _origin: Origin
    _table: NDArray[np.void] | None

    def __init__(
        self, native: _Report, assembly: Assembly | None = None, origin: Origin | None = None
    ) -> None:
        super().__init__(native)
        self._assembly = assembly
        self._origin = Origin() if origin is None else origin
        self._copy = None
        self._table = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (_report_bytes(self._native), self._assembly, self._origin)

    @property
    def is_clean(self) -> bool:
        """Whether there is no finding; with a baseline, none that is new, reopened or worse.

        It is about the pairs that were examined: see `coverage`, `not_examined` and `omissions`.
        """
        return self._native.is_clean

    @property
    def assembly(self) -> Assembly | None:
        """The parts that were checked, as they were; None if the report came from a plan."""
        if self._copy is None and self._assembly is not None:
            self._copy = self._assembly.copy()
        return self._copy

    @property
    def findings(self) -> Findings:
        """The findings, sorted by test and parts. A pair has a finding for each test that reports it.

        `Findings.filter` and `Findings.to_pandas` select and tabulate them.
        """
        return Findings(self, range(self._native.findings))

    def ranked_findings(self) -> Findings:
        """The findings, the gravest first: by severity, then by size."""
        return ranked(self)

    def filter(
        self,
        *,
        relation: str | Sequence[str] | None = None,
        counts: bool | None = None,
        min_volume: float | None = None,
        between: tuple[Which | Iterable[Which], Which | Iterable[Which]] | None = None,
        name: str | None = None,
    ) -> Records[Clash]:
        """Select the clashes that meet all given conditions.

        Parameters
        ----------
        relation : str or sequence of str, optional
            It is one of these: members of `RelationKind`. "inside" and "contains" both stand for both.
        counts : bool, optional
            Whether it is a finding.
        min_volume : float, optional
            The volume in common may be so large. It was computed.
        between : pair of parts or lists of parts, optional
            One part is of the first group, the other of the second, as in `Assembly.check`.
        name : str, optional
            One part has this name, in which ``*`` stands for any characters.

        Returns
        -------
        sequence of Clash
            ``.indices`` are the rows of `clash_array`.
        """
        table = self.clash_array
        keep = np.ones(len(table), dtype=np.bool_)
        if relation is not None:
            kinds: list[str] = []
            for kind in [relation] if isinstance(relation, str) else relation:
                one = RelationKind(kind.replace("-", "_"))
                kinds += CONTAINMENT if one in CONTAINMENT else (one,)
            keep &= np.isin(table["relation"], kinds)
        if counts is not None:
            keep &= table["counts"] == counts
        if min_volume is not None:
            # A volume that is not known is NaN.
            keep &= table["overlap_volume"][:, 1] >= min_volume
        if between is not None or name is not None:
            names = self._native.names()
        if between is not None:
            first, second = np.zeros((2, len(names)), dtype=np.bool_)
            first[indices(between[0], names)] = True
            second[indices(between[1], names)] = True
            a, b = table["a"], table["b"]
            keep &= (first[a] & second[b]) | (first[b] & second[a])
        if name is not None:
            fits = np.fromiter(map(matcher(name), names), dtype=np.bool_, count=len(names))
            keep &= fits[table["a"]] | fits[table["b"]]
        return Records(partial(Clash, self), np.flatnonzero(keep))

    @property
    def coverage(self) -> dict[str, Any]:
        """Numbers of examined pairs and of results: they always add up."""
        found: dict[str, Any] = json.loads(self._native.coverage())
        return found

    @property
    def what_if(self) -> list[dict[str, Any]]:
        """For each clearance of the query the number of near pairs, and the number of findings."""
        names = ("clearance", "near", "findings")
        return [dict(zip(names, count, strict=True)) for count in self._native.what_if()]

    @property
    def what_if_tolerance(self) -> list[dict[str, Any]]:
        """For each tolerance of the query the findings that it makes shallow, and the other findings."""
        names = ("tolerance", "shallow", "findings")
        return [dict(zip(names, count, strict=True)) for count in self._native.what_if_tolerance()]

    def contact_graph(self) -> ContactGraph:
        """The contacts of all parts, as a graph. A check with ``contacts=True`` measures each contact."""
        return ContactGraph(self)

    @property
    def floating(self) -> list[Floating] | None:
        """Parts and groups that touch nothing else, of a check with ``floating=True``; else None."""
        return floating(self)

    def groups(self, by: By | None = None, *, near: Length | None = None) -> Groups:
        """Put the findings in groups, and find the parts that explain most of them.

        Parameters
        ----------
        by : str, function, or sequence of str, optional
            The label of parts: findings of one test between parts of the same two labels are one group. A
            field of parts, such as "file", "type", or one that the rules find in names; or a function of a
            `CheckedPart`; or a label for each part. None groups findings of the same two shapes with the same
            relation.
        near : length, optional
            Group findings that are at most this far from the next one of their group instead.

        Returns
        -------
        Groups
        """
        unit = str(self.data.get("unit") or "") if isinstance(near, str) else ""
        coordinates = Coordinates(symbol(unit))
        return Groups(self, by, None if near is None else coordinates.length("near", near))

    def explain(self, a: int | str, b: int | str) -> tuple[Explanation, ...]:
        """Explain why two parts are a finding of each test, or are none.

        Parameters
        ----------
        a, b : int or str
            Two parts by index, or by a name that no other part has.

        Returns
        -------
        tuple of Explanation
            One for each test of the rules; without rules one, of the test of all pairs.
        """
        names = self._native.names()
        return explain(self._native, (self.tests, self.ignores), one_index(a, names), one_index(b, names))

    @property
    def clash_array(self) -> NDArray[np.void]:
        """The clashes as a structured array, read-only, a row each, in the order of `clashes`.

        Fields: ``a`` and ``b`` (indices of parts), ``counts``, ``relation``, ``touching``, ``certainty``,
        ``triangle_pairs``, ``point`` (3), ``overlap_volume`` (2: bounds), ``interference_depth``
        (2), ``depth_at_least``, ``separating_translation`` (3), ``separating_distance``, ``shallow`` (1 or 0;
        -1 where it is not known). Other numbers that are not known are NaN, texts are empty.
        """
        if self._table is None:
            self._table = clash_table(self._native)
        return self._table

    @property
    def near_array(self) -> NDArray[np.void]:
        """The near pairs as a structured array, a row each, in the order of `near`.

        Fields: ``a`` and ``b`` (indices of parts), ``distance`` (2: bounds), ``points`` (2 x 3: on each
        part), ``certainty``, which may be empty.
        """
        return near_table(self._native)

    def arrays(self) -> dict[Literal["clashes", "near", "not_examined"], NDArray[Any]]:
        """Arrays of all that is listed: `clash_array`, `near_array` and `not_examined`, by their names."""
        return {"clashes": self.clash_array, "near": self.near_array, "not_examined": self.not_examined}

    def columns(self) -> dict[str, Any]:
        """All clashes and near pairs as columns, for pandas, polars or numpy.

        A row for each clash, then for each pair that is near, then for each that was not examined. Names are
        those of the CSV file. That has more columns, and more rows of a pair that several tests report:
        `Findings.to_pandas` has these. The columns are the same for every report.

        Returns
        -------
        dict of str to array or list
            Indices and numbers are arrays, in which NaN is a number that is not known; others are lists, in
            which None is. ``overlap_volume_lo`` and ``_hi``, and ``distance_lo`` and ``_hi``, are bounds.

        Examples
        --------
        >>> import impinge, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "part.off"
        >>> _ = path.write_text("OFF\\n3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n")
        >>> columns = impinge.read(path, path).check().columns()
        >>> columns["name_a"], columns["relation"], columns["x"].shape
        (['part'], ['meet'], (1,))
        """
        return columns(self._native, self.arrays())

    def to_pandas(self) -> Any:
        """The `columns`, as a ``pandas.DataFrame``. It needs pandas."""
        try:
            # By its name: it has no types of its own.
            pandas: Any = import_module("pandas")
        except ImportError as why:
            raise ImportError("Report.to_pandas needs pandas: pip install pandas") from why
        return pandas.DataFrame(self.columns())

    def __repr__(self) -> str:
        return f"Report({self._native.findings} findings, {self._native.clashes} clashes)"

    def __str__(self) -> str:
        return self._native.table(ROWS)

    def _repr_html_(self) -> str:
        return of_report(self)

    def show(self) -> None:
        """Display the report in a notebook; elsewhere open its page in a browser."""
        show(self, "report.html")

    def to_markdown(self, limit: int = MARKDOWN_ROWS) -> str:
        """Markdown for merge requests: the findings in groups, the gravest first.

        Parameters
        ----------
        limit : int, optional
            Rows of each table; 0 is all. GitHub takes comments of at most 65,536 characters.

        Returns
        -------
        str
        """
        if limit < 0:
            raise ValueError(f"limit must not be negative, not {limit}")
        return self._native.markdown(limit or sys.maxsize)

    def write(self, path: PathLike) -> None:
        """Write the report to `path`, by its ending: .html, .json, .csv, .txt, .md (Markdown), .xml (JUnit),
        .bcf, .navisworks.xml.

        A workbook with pictures is .xlsx; .glb has the clashing parts and contact curves for 3D programs. Its
        contact graph: .dot. A file of that name is replaced once all is written, unless it is
        one of the models. Counts of findings (``what_if``) are no CSV.
        """
        self._native.write(Path(path))

    def images(
        self, folder: PathLike, *, size: tuple[int, int] = (960, 640), threads: int = 0
    ) -> int:
        """Write a PNG picture of the gravest finding of each group into a folder.

        The first part is blue, the second one orange; white lines show where they meet. The bytes are the same
        on every machine. The folder is new, empty, or has the pictures of an earlier run, which are replaced; it
        appears whole or not at all. ``007-9c3f53bfaaa71e9b.png`` is the seventh group, and the rest is the id in
        the links of the HTML page.

        Parameters
        ----------
        folder : path
        size : (int, int), optional
            Width and height in pixels, from 1 to 4096 each.
        threads : int, optional
            0 is one for each core.

        Returns
        -------
        int
            How many pictures there are.
        """
        width, height = size
        if not (1 <= width <= 4096 and 1 <= height <= 4096):
            raise ValueError(f"size must be from 1 to 4096 each, not {size}")
        if not 0 <= threads <= 1024:
            raise ValueError(f"threads must be from 0 to 1024, not {threads}")
        return self._native.images(Path(folder), (width, height), threads)


def _unpickled(state: bytes, assembly: Assembly | None, origin: Origin) -> Report:
    native = _report_of(
        state,
        None if assembly is None else assembly._native,
        origin.listed,
        origin.groups,
        origin.refused,
        origin.ruled,
        origin.compared,
    )
    return Report(native, assembly, origin)
