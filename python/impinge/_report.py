"""Reports of what clashes in an assembly."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from impinge._choice import Which, indices, matcher
from impinge._core import Mesh, _Report
from impinge._results import Certainty, Closedness, FillRule, RelationKind

if TYPE_CHECKING:
    from impinge._assembly import Assembly

PathLike = str | os.PathLike[str]
Point = tuple[float, float, float]
T = TypeVar("T", bound="_Record")

ROWS = 100
"""Rows of a printed report, as of the command's; `Report.write` writes all."""

# The columns of the CSV file, in the same order.
_COLUMNS = (
    *("a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"),
    *("relation", "touching", "overlap_volume_lo", "overlap_volume_hi", "depth_at_least"),
    *("separating_translation_x", "separating_translation_y", "separating_translation_z", "shallow"),
    "separating_translation_length",
    *("distance_lo", "distance_hi", "b_x", "b_y", "b_z", "certainty", "counts"),
)


_CLASH = np.dtype(
    [
        ("a", "u4"),
        ("b", "u4"),
        ("counts", "?"),
        ("relation", "U11"),
        ("touching", "?"),
        ("certainty", "U8"),
        ("triangle_pairs", "u8"),
        ("point", "f8", 3),
        ("overlap_volume", "f8", 2),
        ("depth_at_least", "f8"),
        ("separating_translation", "f8", 3),
        ("separating_translation_length", "f8"),
        ("shallow", "i1"),
    ]
)
_NEAR = np.dtype(
    [("a", "u4"), ("b", "u4"), ("distance", "f8", 2), ("points", "f8", (2, 3)), ("certainty", "U8")]
)
_SURE = np.array(["possible", "definite"])


def _named(codes: NDArray[np.uint8], names: NDArray[np.str_]) -> NDArray[np.str_]:
    """Names of codes; 255 is the empty one."""
    return np.append(names, "")[np.minimum(codes, len(names))]


class _Record(Mapping[str, Any]):
    """What a report lists. As a mapping it is the object of the report's JSON."""

    __slots__ = ()
    _list = ""

    # Fields of the subclasses.
    _report: Report
    index: int

    @property
    def data(self) -> dict[str, Any]:
        """The object of the report's JSON. The first use makes that of the whole report."""
        found: dict[str, Any] = self._report.data[self._list][self.index]
        return found

    def __getitem__(self, name: str) -> Any:
        return self.data[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True, eq=False)
class CheckedPart(_Record):
    """A part as a report lists it.

    ``part["solid"]`` and so on are as in the report's JSON.
    """

    _list = "parts"

    _report: Report
    index: int
    """Its index in the assembly."""
    name: str
    """Its name."""
    file: Path
    """The file that it came from; ``memory`` if it came from none."""
    triangles: int
    """How many triangles it has."""
    status: Closedness | None
    """Whether its mesh bounds a solid; None if the check was about surfaces alone."""
    fill_rule: FillRule | None
    """Which points are inside of it; None of a surface."""
    open_edges: int
    """How many edges do not close."""
    holes: int
    """How many holes, or borders, they make up."""
    open_at: Point | None
    """The middle of an edge of the widest hole, where the part is; rounded."""
    hole_width: float | None
    """The longest side of the box around that hole, in the mesh's own frame."""
    chord: float | None
    """Its chord tolerance in the check, if that had any."""
    path: str | None
    """Names in the file's hierarchy, as of `Part`; None if the report came from a plan."""
    guid: str | None
    """The identifier that the input gives."""
    type: str | None
    """The type that the input gives."""
    properties: dict[str, str | float | bool]
    """Further data of the input."""

    @property
    def mesh(self) -> Mesh | None:
        """Its triangles, in its own frame; None if the report came from a plan."""
        assembly = self._report._assembly
        return None if assembly is None else assembly[self.index].mesh

    @property
    def pose(self) -> NDArray[np.float64] | None:
        """Where it was; None if the report came from a plan."""
        assembly = self._report._assembly
        return None if assembly is None else assembly[self.index].pose

    def __repr__(self) -> str:
        return f"CheckedPart({self.index}, {self.name!r})"


@dataclass(frozen=True, slots=True, eq=False)
class Clash(_Record):
    """Two parts that meet, or where one is inside the other.

    ``clash["relation"]`` and so on are as in the report's JSON, where ``a`` and ``b`` are indices of parts.
    """

    _list = "clashes"

    _report: Report
    index: int
    """Its index in `Report.clashes`."""
    a: CheckedPart
    """The part with the smaller index."""
    b: CheckedPart
    """The other part."""
    counts: bool
    """Whether it is a finding."""
    relation: RelationKind | None
    """The relation of `a` to `b`; None if the check was about surfaces alone."""
    certainty: Certainty | None
    """Whether the true parts clash for certain, if the check has chord tolerances."""
    triangle_pairs: int
    """How many pairs of their triangles meet."""
    point: Point
    """A point of both, rounded: where they meet, or in the one that is inside the other."""
    volume: tuple[float, float] | None
    """Lower and upper bound of the volume that both have in common, if it was computed."""
    depth_at_least: float | None
    """A corner of one of them lies so deep inside of the other."""
    separating_translation: Point | None
    """A translation of `b` after which no point is inside of both."""
    separating_translation_length: float | None
    """The length of that translation, rounded up."""
    shallow: bool | None
    """Whether that length is at most the check's tolerance; None without one."""
    depth_not_computed: bool
    """Whether the depth was wanted, but more triangle pairs meet than are listed."""

    @property
    def touching(self) -> bool:
        """Whether their surfaces meet."""
        return self.triangle_pairs > 0

    def __repr__(self) -> str:
        relation = "meets" if self.relation is None else str(self.relation)
        return f"Clash({self.a.name!r} {relation} {self.b.name!r})"


@dataclass(frozen=True, slots=True, eq=False)
class NearPair(_Record):
    """Two parts that are near each other without meeting. All of them count.

    ``near["distance"]`` and so on are as in the report's JSON, where ``a`` and ``b`` are indices of parts.
    """

    _list = "near"

    _report: Report
    index: int
    """Its index in `Report.near`."""
    a: CheckedPart
    """The part with the smaller index."""
    b: CheckedPart
    """The other part."""
    distance: tuple[float, float]
    """Lower and upper bound of the distance."""
    points: tuple[Point, Point]
    """The nearest points, on `a` and on `b`; rounded."""
    certainty: Certainty | None
    """Whether the true parts are so near for certain, if the check has chord tolerances."""

    def __repr__(self) -> str:
        return f"NearPair({self.a.name!r}, {self.b.name!r}, distance={self.distance})"


class Records(Sequence[T], Generic[T]):
    """Some of what a report lists. Each object is made at its first use.

    It equals a list of the same objects of the report's JSON.
    """

    __slots__ = ("_make", "_which")

    _make: Callable[[int], T]
    _which: Sequence[int] | NDArray[np.int64]

    def __init__(self, make: Callable[[int], T], which: Sequence[int] | NDArray[np.int64]) -> None:
        self._make, self._which = make, which

    @property
    def indices(self) -> NDArray[np.int64]:
        """The indices of these rows in the array of all rows."""
        return np.asarray(self._which, dtype=np.int64)

    def __len__(self) -> int:
        return len(self._which)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return Records(self._make, self._which[i])
        return self._make(int(self._which[i]))

    def __iter__(self) -> Iterator[T]:
        return (self._make(int(i)) for i in self._which)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Records | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:5]))
        return f"[{shown}{', ...' if len(self) > 5 else ''}]"


class Report:
    """Result of `Assembly.check`. Iteration goes through its clashes.

    Attributes
    ----------
    data : dict
        All of it, as ``impinge check --format json`` writes it; made when it is first asked for.
    findings : int
        How many findings count; the command's exit status is 1 if there are any.
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
    """

    __slots__ = ("_assembly", "_copy", "_data", "_native", "_parts", "_table", "findings")

    findings: int
    _native: _Report
    # The parts that were checked, and a copy that others may edit.
    _assembly: Assembly | None
    _copy: Assembly | None
    _data: dict[str, Any] | None
    _parts: list[CheckedPart | None]
    _table: NDArray[np.void] | None

    def __init__(self, native: _Report, assembly: Assembly | None = None) -> None:
        self._native = native
        self._assembly = assembly
        self._copy = None
        self._data = None
        self._parts = [None] * native.parts
        self._table = None
        self.findings = native.findings

    @property
    def data(self) -> dict[str, Any]:
        """All of it, as ``impinge check --format json`` writes it."""
        if self._data is None:
            self._data = json.loads(self._native.json())
        return self._data

    @property
    def assembly(self) -> Assembly | None:
        """The parts that were checked, as they were; None if the report came from a plan."""
        if self._copy is None and self._assembly is not None:
            self._copy = self._assembly.copy()
        return self._copy

    def _part(self, i: int) -> CheckedPart:
        part = self._parts[i]
        if part is None:
            name, file, triangles, solid, rule, chord, known = self._native.part(i)
            status, edges, holes, at, width = (None, 0, 0, None, None) if solid is None else solid
            part = self._parts[i] = CheckedPart(
                self,
                i,
                name,
                Path(file),
                triangles,
                None if status is None else Closedness(status),
                None if rule is None else FillRule(rule),
                edges,
                holes,
                at,
                width,
                chord,
                *((None, None, None, {}) if known is None else known),
            )
        return part

    def _clash(self, i: int) -> Clash:
        (a, b, counts, relation, certainty, pairs, point), depth = self._native.clash(i)
        return Clash(
            self,
            i,
            self._part(a),
            self._part(b),
            counts,
            None if relation is None else RelationKind(relation),
            None if certainty is None else Certainty(certainty),
            pairs,
            point,
            *depth,
        )

    def _near(self, i: int) -> NearPair:
        a, b, distance, points, certainty = self._native.near_pair(i)
        sure = None if certainty is None else Certainty(certainty)
        return NearPair(self, i, self._part(a), self._part(b), distance, points, sure)

    @property
    def clashes(self) -> Records[Clash]:
        """Each pair of parts that meet, or where one is in the other; pairs that only touch, too.

        A clash has its parts `a` and `b`, its `relation`, a `point`, a `volume` and so on. They are in the
        order of the parts' indices; `ranked` has the gravest first.
        """
        return Records(self._clash, range(self._native.clashes))

    @property
    def near(self) -> Records[NearPair]:
        """Each pair that is near without meeting, if a clearance was given."""
        return Records(self._near, range(self._native.near))

    @property
    def parts(self) -> Records[CheckedPart]:
        """The parts, and whether they are solids."""
        return Records(self._part, range(self._native.parts))

    def __iter__(self) -> Iterator[Clash]:
        return iter(self.clashes)

    def ranked(self) -> Records[Clash]:
        """All clashes, the gravest first.

        Clashes that count come first, by the largest volume in common; clashes without a volume follow by
        relation, and by the most pairs of triangles.
        """
        return Records(self._clash, self._native.ranked())

    def filter(
        self,
        *,
        relation: str | Sequence[str] | None = None,
        counts: bool | None = None,
        min_volume: float | None = None,
        between: tuple[Which | Iterable[Which], Which | Iterable[Which]] | None = None,
        name: str | None = None,
    ) -> Records[Clash]:
        """Those clashes for which all of this is true.

        Parameters
        ----------
        relation : str or sequence of str, optional
            It is one of these: members of `RelationKind`, or "contained" for both ways.
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
                kinds += ["a_in_b", "b_in_a"] if kind == "contained" else [RelationKind(kind.replace("-", "_"))]
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
        return Records(self._clash, np.flatnonzero(keep))

    @property
    def coverage(self) -> dict[str, Any]:
        """Numbers of examined pairs and of results: they always add up."""
        found: dict[str, Any] = json.loads(self._native.coverage())
        return found

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Omissions and doubts of the readers."""
        return [{"file": f, "place": place, "text": text} for f, place, text in self._native.warnings()]

    @property
    def what_if(self) -> list[dict[str, Any]]:
        """For each clearance of the query the number of near pairs, and the number of findings."""
        names = ("clearance", "near", "findings")
        return [dict(zip(names, count, strict=True)) for count in self._native.what_if()]

    @property
    def not_examined(self) -> NDArray[np.uint32]:
        """Pairs of parts that were left alone as the time was up: shape (K, 2)."""
        return self._native.not_examined()

    @property
    def clash_array(self) -> NDArray[np.void]:
        """The clashes as a structured array, read-only, a row each, in the order of `clashes`.

        Fields: ``a`` and ``b`` (indices of parts), ``counts``, ``relation``, ``touching``, ``certainty``,
        ``triangle_pairs``, ``point`` (3), ``overlap_volume`` (2: bounds), ``depth_at_least``,
        ``separating_translation`` (3), ``separating_translation_length``, ``shallow`` (1 or 0; -1 where it is
        not known). Other numbers that are not known are NaN, texts are empty.
        """
        if self._table is None:
            columns = self._native.clash_columns()
            table = np.empty(self._native.clashes, dtype=_CLASH)
            table["a"], table["b"] = columns["parts"].T
            table["touching"] = columns["triangle_pairs"] > 0
            table["relation"] = _named(columns["relation"], np.array(_Report.relations()))
            table["certainty"] = _named(columns["certainty"], _SURE)
            for name in set(columns) - {"parts", "relation", "certainty"}:
                table[name] = columns[name]
            table.flags.writeable = False
            self._table = table
        return self._table

    @property
    def near_array(self) -> NDArray[np.void]:
        """The near pairs as a structured array, a row each, in the order of `near`.

        Fields: ``a`` and ``b`` (indices of parts), ``distance`` (2: bounds), ``points`` (2 x 3: of each part),
        ``certainty``, which may be empty.
        """
        columns = self._native.near_columns()
        table = np.empty(self._native.near, dtype=_NEAR)
        table["a"], table["b"] = columns["parts"].T
        table["distance"], table["points"] = columns["distance"], columns["points"]
        table["certainty"] = _named(columns["certainty"], _SURE)
        return table

    def arrays(self) -> dict[Literal["clashes", "near", "not_examined"], NDArray[Any]]:
        """Arrays of all that is listed: `clash_array`, `near_array` and `not_examined`, by their names."""
        return {"clashes": self.clash_array, "near": self.near_array, "not_examined": self.not_examined}

    def columns(self) -> dict[str, Any]:
        """The rows of the CSV file as columns, for pandas, polars or numpy.

        A row for each clash, then for each pair that is near, then for each that was not examined. Names are
        those of the files. The columns are the same for every report. `to_pandas` makes a table of them.

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
        clashes, near, left = self.clash_array, self.near_array, self.not_examined
        rows = len(clashes), len(near), len(left)
        names = self._native.names()
        none: list[list[None]] = [[None] * count for count in rows]
        columns: dict[str, Any] = {}

        def numbers(name: str, of_clashes: Any, of_near: Any) -> None:
            parts = (of_clashes, of_near, None)
            whole = [np.full(n, np.nan) if part is None else part for n, part in zip(rows, parts, strict=True)]
            columns[name] = np.concatenate(whole)

        for k, side in enumerate("ab"):
            columns[side] = np.concatenate([clashes[side], near[side], left[:, k]]).astype(np.int64)
            columns[f"name_{side}"] = [names[i] for i in columns[side].tolist()]
        columns["triangle_pairs"] = clashes["triangle_pairs"].tolist() + [0] * rows[1] + none[2]
        for k, axis in enumerate("xyz"):
            numbers(axis, clashes["point"][:, k], near["points"][:, 0, k])
            numbers(f"separating_translation_{axis}", clashes["separating_translation"][:, k], None)
            numbers(f"b_{axis}", None, near["points"][:, 1, k])
        for k, bound in enumerate(("lo", "hi")):
            numbers(f"overlap_volume_{bound}", clashes["overlap_volume"][:, k], None)
            numbers(f"distance_{bound}", None, near["distance"][:, k])
        for name in ("depth_at_least", "separating_translation_length"):
            numbers(name, clashes[name], None)
        relations: list[str | None] = [text or None for text in clashes["relation"].tolist()]
        columns["relation"] = relations + ["near"] * rows[1] + ["not_examined"] * rows[2]
        is_touching = clashes["touching"].tolist() if any(relations) else none[0]
        columns["touching"] = is_touching + [False] * rows[1] + none[2]
        known = {1: True, 0: False}
        columns["shallow"] = [known.get(one) for one in clashes["shallow"].tolist()] + none[1] + none[2]
        sure = clashes["certainty"].tolist() + near["certainty"].tolist()
        columns["certainty"] = [text or None for text in sure] + none[2]
        columns["counts"] = clashes["counts"].tolist() + [True] * rows[1] + [False] * rows[2]
        return {name: columns[name] for name in _COLUMNS}

    def to_pandas(self) -> Any:
        """The rows of the CSV file, as a ``pandas.DataFrame``. It needs pandas."""
        try:
            import pandas
        except ImportError as why:
            raise ImportError("Report.to_pandas needs pandas: pip install pandas") from why
        return pandas.DataFrame(self.columns())

    def __repr__(self) -> str:
        return f"Report({self.findings} findings, {self._native.clashes} clashes)"

    def __str__(self) -> str:
        return self._native.table(ROWS)

    def write(self, path: PathLike) -> None:
        """Write the report as JSON, CSV or text, by the name's ending: .json, .csv, .txt.

        A file of that name is replaced once all is written. Counts of findings (``what_if``) are no CSV.
        """
        self._native.write(Path(path))
