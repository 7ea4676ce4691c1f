"""Records in a report: parts, clashes, and near pairs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from impinge._core import Mesh, _CheckedPart, _Clash, _NearPair, _Report
from impinge._part import Omission
from impinge._part_list import PartList
from impinge._summaries import IgnoreSummary, TestSummary, summaries

T = TypeVar("T")


class Listed:
    """A record in a report."""

    __slots__ = ()
    # A field of the subclasses.
    _report: ReportLists

    def __init__(self, report: ReportLists, index: int) -> None:
        self._report = report  # type: ignore[misc]  # A slot of the subclasses.

    @property
    def index(self) -> int:
        """Its index in the list: the class of the extension has it."""
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._report, self.index)


class _Record(Listed, Mapping[str, Any]):
    """As a mapping it is the object of the report's JSON."""

    __slots__ = ()
    _list = ""

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


class CheckedPart(_CheckedPart, _Record):
    """A part as a report lists it.

    ``part["solid"]`` and so on are as in the report's JSON.
    """

    __slots__ = ("_report",)
    _list = "parts"

    @property
    def label(self) -> str:
        """Its name in tables, with its file, type, storey, GUID or path if several parts have that name."""
        return self._report._label(self.index)

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


class _Pair(_Record):
    """A record of two parts."""

    __slots__ = ()
    # A field of the subclasses: the indices of both parts.
    _parts: tuple[int, int]

    @property
    def a(self) -> CheckedPart:
        """The part with the smaller index."""
        return self._report._part(self._parts[0])

    @property
    def b(self) -> CheckedPart:
        """The other part."""
        return self._report._part(self._parts[1])


class Clash(_Clash, _Pair):
    """Two parts that meet, or where one is inside the other.

    ``clash["relation"]`` and so on are as in the report's JSON, where ``a`` and ``b`` are indices of parts.
    """

    __slots__ = ("_report",)
    _list = "clashes"

    @property
    def touching(self) -> bool:
        """Whether their surfaces meet."""
        return self.triangle_pairs > 0

    def __repr__(self) -> str:
        relation = "meets" if self.relation is None else str(self.relation)
        return f"Clash({self.a.name!r} {relation} {self.b.name!r})"


class NearPair(_NearPair, _Pair):
    """Two parts that are near each other without meeting. All of them count.

    ``near["distance"]`` and so on are as in the report's JSON, where ``a`` and ``b`` are indices of parts.
    """

    __slots__ = ("_report",)
    _list = "near"

    def __repr__(self) -> str:
        return f"NearPair({self.a.name!r}, {self.b.name!r}, distance={self.distance})"


class Records(Sequence[T], Generic[T]):
    """Some of what a report lists. Each object is made at its first use.

    Of clashes, near pairs and parts, it equals a list of the same objects of the report's JSON.
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


class ReportLists:
    """The lists of a report, and its JSON object."""

    __slots__ = ("_data", "_labels", "_native", "_parts", "ignores", "tests")

    ignores: tuple[IgnoreSummary, ...]
    tests: tuple[TestSummary, ...]
    _native: _Report
    # A field of the subclass: the parts that were checked.
    _assembly: PartList | None
    _data: dict[str, Any] | None
    _labels: list[str] | None
    _parts: list[CheckedPart | None]

    def __init__(self, native: _Report) -> None:
        self._native = native
        self._data = None
        self._labels = None
        self._parts = [None] * native.parts
        self.tests, self.ignores = summaries(native)

    def _label(self, i: int) -> str:
        if self._labels is None:
            self._labels = self._native.labels()
        return self._labels[i]

    @property
    def data(self) -> dict[str, Any]:
        """All of it, as ``impinge check --format json`` writes it."""
        if self._data is None:
            self._data = json.loads(self._native.json())
        return self._data

    def _part(self, i: int) -> CheckedPart:
        part = self._parts[i]
        if part is None:
            part = self._parts[i] = CheckedPart(self, i)
        return part

    @property
    def clashes(self) -> Records[Clash]:
        """Each pair of parts that meet, or where one is in the other; pairs that only touch, too.

        A clash has its parts `a` and `b`, its `relation`, a `point`, a `volume` and so on. They are in the
        order of the parts' indices; `ranked` has the gravest first.
        """
        return Records(partial(Clash, self), range(self._native.clashes))

    @property
    def near(self) -> Records[NearPair]:
        """Each pair that is near without meeting, if a clearance was given."""
        return Records(partial(NearPair, self), range(self._native.near))

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
        return Records(partial(Clash, self), self._native.ranked())

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Omissions and doubts of the readers."""
        return [{"file": f, "place": place, "text": text} for f, place, text in self._native.warnings()]

    @property
    def omissions(self) -> tuple[Omission, ...]:
        """Parts of the files that the assembly has not. Those that ``failed`` were not examined."""
        return tuple(Omission(*omission) for omission in self._native.omissions())

    @property
    def not_examined(self) -> NDArray[np.uint32]:
        """Pairs of parts that were left alone as the time was up: shape (K, 2)."""
        return self._native.not_examined()
