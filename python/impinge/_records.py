"""What a report lists: parts, clashes, and pairs that are near."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from impinge._core import Mesh
from impinge._results import Certainty, Closedness, FillRule, RelationKind

if TYPE_CHECKING:
    from impinge._report import Report

Point = tuple[float, float, float]
T = TypeVar("T")


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
    interference_depth: tuple[float, float] | None
    """Lower and upper bound of how deep the surface of either part reaches into the other. None if it is not
    known, and of parts that have more than half of one in common."""
    depth_at_least: float | None
    """A corner of one of them lies so deep inside of the other."""
    separating_translation: Point | None
    """A translation of `b` after which no point is inside of both."""
    separating_distance: float | None
    """The length of that translation, rounded up; None if it is not less than the least side of both parts."""
    shallow: bool | None
    """Whether the interference depth or that translation is within the check's tolerance; None without one."""
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
