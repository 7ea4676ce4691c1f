"""The progress of a long call, for a terminal."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

Progress = Callable[[str, int, int], object]
"""Called with the name of a stage, the work that is done, and that of the whole stage."""


class Bars:
    """A bar of tqdm for each stage."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm = tqdm
        self._stage = ""
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self._bar is None or stage != self._stage:
            self.close()
            self._stage, self._bar = stage, self._tqdm(total=total, desc=stage, leave=False)
        self._bar.update(done - self._bar.n)
        if done == total:
            self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._bar = None


class Line:
    """A line on stderr."""

    def __init__(self) -> None:
        self._shown: tuple[str, float] = ("", 0.0)

    def __call__(self, stage: str, done: int, total: int) -> None:
        before, when = self._shown
        now = time.monotonic()
        if stage != before or done == total or now - when > 0.2:
            self._shown = stage, now
            print(f"\r{f'{stage}: {done:,} of {total:,}':<79}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Take the line away."""
        if self._shown[0]:
            print(f"\r{'':<79}", end="\r", file=sys.stderr, flush=True)
        self._shown = "", 0.0


def shown() -> Bars | Line:
    """Bars of tqdm if it is installed, else a line on stderr."""
    try:
        return Bars(importlib.import_module("tqdm.auto").tqdm)
    except ImportError:
        return Line()
