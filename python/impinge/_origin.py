"""Inputs of a check besides the assembly and the options. They are pickled with the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from impinge import _arguments
from impinge._baseline import Against, Baseline, against
from impinge._rules import Ruled, Rules, ruling

if TYPE_CHECKING:
    from typing import Self


@dataclass(slots=True)
class Chosen:
    """A function that chooses pairs, and the pairs that it refused. Pickles have only these."""

    choose: Callable[[int, int], object]
    refused: set[tuple[int, int]] = field(default_factory=set)

    def __call__(self, a: int, b: int) -> bool:
        is_chosen = bool(self.choose(a, b))
        if not is_chosen:
            self.refused.add((a, b))
        return is_chosen

    def pairs(self) -> NDArray[np.int64]:
        return np.array(sorted(self.refused), dtype=np.int64).reshape(-1, 2)


@dataclass(slots=True)
class Origin:
    """Rules, a baseline and a choice of pairs."""

    rules: Rules | None = None
    only: str | Sequence[str] | None = None
    ignore: str | Sequence[str] = ()
    baseline: Baseline | None = None
    worse: float = 0.1
    day: date | None = None
    """The day that decides what has expired."""
    listed: Any = None
    """The only pairs, as an array."""
    groups: Sequence[Sequence[int]] | None = None
    """The parts of the two groups, between which pairs are."""
    chosen: Chosen | None = None
    refused: NDArray[np.int64] | None = None
    """The pairs that a function refused, of a report that was pickled."""

    @classmethod
    def read(
        cls,
        rules: Rules | str | PathLike[str] | None,
        only: str | Sequence[str] | None,
        ignore: str | Sequence[str],
        baseline: Baseline | str | PathLike[str] | None,
        worse: float,
        today: date | None,
    ) -> Self:
        """The arguments of `Assembly.check`; files are read."""
        _arguments.globs("only", only)
        _arguments.globs("ignore", ignore)
        _arguments.day("today", today)
        if isinstance(worse, str) or not worse >= 0:
            raise ValueError(f"worse must be a number of 0 or more, not {_arguments.shown(worse)}")
        if not (rules is None or isinstance(rules, Rules)):
            _arguments.path("rules", rules, "Rules")
            rules = Rules.read(rules)
        if not (baseline is None or isinstance(baseline, Baseline)):
            _arguments.path("baseline", baseline, "a Baseline")
            baseline = Baseline.read(baseline)
        return cls(rules, only, ignore, baseline, worse, datetime.now(UTC) if today is None else today)

    @property
    def ruled(self) -> Ruled | None:
        return ruling(self.rules, self.only, self.ignore, self.day)

    @property
    def compared(self) -> Against | None:
        return against(self.baseline, self.worse, self.day)

    def __reduce__(self) -> tuple[Any, ...]:
        refused = self.refused if self.chosen is None else self.chosen.pairs()
        known = self.rules, self.only, self.ignore, self.baseline, self.worse, self.day
        return type(self), (*known, self.listed, self.groups, None, refused)
