"""Ray: its import, and many tasks with few under way at a time."""

from __future__ import annotations

import importlib
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

#: How often a task is done again whose worker died.
RETRIES = 10


def module() -> Any:
    """Ray, which has no types that are checked here, and may not be installed."""
    return importlib.import_module("ray")


def connect() -> Any:
    """The module `ray`, connected to a cluster, or to one that is started here."""
    try:
        ray = module()
    except ImportError as why:
        install = 'pip install ".[ray]" in a checkout of impinge'
        raise ImportError(f"impinge.distributed needs Ray: {install}") from why
    if not ray.is_initialized():
        ray.init(include_dashboard=False, logging_level="error", log_to_driver=False)
    return ray


def cores(ray: Any) -> int:
    """Number of one-core tasks that the cluster runs at a time."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class Progress:
    """A line on stderr, if it is a terminal: the number of tasks that are done, and the remaining time."""

    def __init__(self, name: str, total: int, wanted: bool | None) -> None:
        self.name, self.total, self.done = name, total, 0
        self.is_shown = sys.stderr.isatty() if wanted is None else wanted
        self.began = time.monotonic()
        self.shown = 0.0

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        now = time.monotonic()
        if self.is_shown and (now - self.shown > 0.2 or self.done == self.total):
            self.shown = now
            left = (now - self.began) / self.done * (self.total - self.done)
            line = f"{self.name}: {self.done:,} of {self.total:,}, {left:.0f} s left"
            print(f"\r{line:<79}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Takes the line away."""
        if self.is_shown and self.done:
            print(f"\r{'':<79}\r", end="", file=sys.stderr, flush=True)


def each(
    ray: Any,
    count: int,
    submit: Callable[[int], Any],
    *,
    progress: Progress,
    in_flight: int | None = None,
) -> Iterator[tuple[int, Any]]:
    """The number and the result of each task, as they are done: `submit` begins one.

    Twice as many as there are cores are under way at a time, so that none waits for the next. If one fails,
    or the caller is interrupted, the others are given up.
    """
    under_way: dict[Any, int] = {}
    begun = 0
    try:
        while begun < count or under_way:
            # A cluster may grow or shrink.
            most = in_flight or 2 * cores(ray)
            while begun < count and len(under_way) < most:
                under_way[submit(begun)] = begun
                begun += 1
            # Within a second Ctrl-C is seen, and nodes that have come.
            ready, _ = ray.wait(list(under_way), num_returns=1, timeout=1.0)
            for task in ready:
                # Dropped here, so that Ray need not keep its result.
                number = under_way.pop(task)
                try:
                    result = ray.get(task)
                except ray.exceptions.RayTaskError as why:
                    # The worker's error, without Ray's account of its place.
                    raise why.cause from None
                progress.step()
                yield number, result
    finally:
        for task in under_way:
            ray.cancel(task, force=True)
        progress.close()


class Kept:
    """Cache of a worker between tasks: the last few models of its queries, built."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.things: OrderedDict[Any, Any] = OrderedDict()

    def get(self, key: Any, make: Callable[[], T]) -> T:
        """The thing of that key."""
        if key in self.things:
            self.things.move_to_end(key)
        else:
            while len(self.things) >= self.most:
                self.things.popitem(last=False)
            self.things[key] = make()
        thing: T = self.things[key]
        return thing
