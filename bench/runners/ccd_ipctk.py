"""ipctk in the race of moving points: `ccd_ipctk.py FILE PASSES ENGINE`, as
runners/impinge/src/bin/ccd-impinge.rs.

The third number of a line is the time of a call whose points are far apart at all times: what the call from
Python takes, at most.
"""

from __future__ import annotations

import importlib.metadata
import statistics
import struct
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ipctk
import numpy as np

#: Nanoseconds of all passes, after which no pass begins.
MOST = 2_000_000_000
#: A query: its method, and the points.
Query = tuple[Callable[..., tuple[bool, float]], list[Any]]


def read(path: Path) -> tuple[list[tuple[bool, bool]], np.ndarray]:
    """(Whether of edges, whether they meet) of each query, and its eight points."""
    data = path.read_bytes()
    magic, version, count = struct.unpack_from("<8sII", data)
    if (magic, version) != (b"IMPMOVES", 1):
        raise ValueError(f"{path}: not a file of moving points of version 1")
    rows = np.frombuffer(data, dtype=[("head", "<u4", 2), ("points", "<f8", (8, 3))], offset=16, count=count)
    return [(bool(edges), bool(meets)) for edges, meets in rows["head"]], rows["points"]


def timed(queries: Sequence[Query], passes: int, results: list[bool], each: list[int]) -> float:
    """Nanoseconds of processor time a query, the median of passes after an untimed one. Passes that take more
    than two seconds are fewer; then the first one counts, too. `each` gets nanoseconds by the clock."""
    spans: list[int] = []
    while len(spans) <= passes and sum(spans) < MOST:
        start = time.process_time_ns()
        for k, (decide, points) in enumerate(queries):
            begin = time.perf_counter_ns()
            results[k] = decide(*points)[0]
            each[k] = time.perf_counter_ns() - begin
        spans.append(time.process_time_ns() - start)
    return statistics.median(spans[1:] if len(spans) > passes else spans) / max(1, len(queries))


def main(file: str, passes: int, name: str) -> None:
    # Its warnings of contacts at first would be in the output, and in the time.
    ipctk.set_logger_level(ipctk.LoggerLevel.off)
    heads, points = read(Path(file))
    ccd = {"tight-inclusion": ipctk.TightInclusionCCD, "additive": ipctk.AdditiveCCD}[name]()
    ways = (ccd.point_triangle_ccd, ccd.edge_edge_ccd)
    ns, results, each = [], [False] * len(heads), []
    for wanted in (True, False):
        at = [k for k, (_, meets) in enumerate(heads) if meets == wanted]
        found, clocks = [False] * len(at), [0] * len(at)
        asked = [(ways[heads[k][0]], list(points[k].copy())) for k in at]
        ns.append(timed(asked, passes, found, clocks))
        each += clocks
        for k, result in zip(at, found):
            results[k] = result
    far = [np.array(p, dtype=float) for p in ((9e3, 0, 0), (0, 0, 0), (1, 0, 0), (0, 1, 0))]
    calls: list[Query] = [(ways[0], far + far)] * len(heads)
    call = timed(calls, passes, [False] * len(heads), [0] * len(heads))
    bits = "".join("01"[result] for result in results)
    print(f"#version\t{importlib.metadata.version('ipctk')}")
    print(f"{name}\t{ns[0]:.1f}\t{ns[1]:.1f}\t{call:.1f}\t{statistics.median(each):.1f}\t{bits}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
