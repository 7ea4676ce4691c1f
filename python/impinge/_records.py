"""What a report lists: parts, clashes, and pairs that are near."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from impinge._core import Mesh, _CheckedPart, _Clash, _NearPair

if TYPE_CHECKING:
    from impinge._report import Report

T = TypeVar("T")


class Listed:
    """What a report lists."""

    __slots__ = ()
    # A field of the subclasses.
    _report: Report

    def __init__(self, report: Report, index: int) -> None:
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
