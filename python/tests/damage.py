"""Damaged copies of text files of ISO 10303-21."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

_END = b"\nENDSEC;\nEND-ISO-10303-21;\n"


def damaged(data: bytes, cases: int) -> Iterator[tuple[str, bytes]]:
    """Yield `cases` damaged copies, each with a name. They are the same in each run."""
    ways = (_cut, _cut_and_closed, _bytes, _references, _numbers, _lines, _noise)
    for case in range(cases):
        way = ways[case % len(ways)]
        yield f"{way.__name__[1:]}-{case}", way(data, random.Random(case))


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) - 20)]


def _cut_and_closed(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) // 2, len(data))] + _END


def _bytes(data: bytes, rng: random.Random) -> bytes:
    new = bytearray(data)
    for _ in range(rng.choice([1, 5, 50])):
        new[rng.randrange(len(new))] = rng.randrange(256)
    return bytes(new)


def _references(data: bytes, rng: random.Random) -> bytes:
    names = re.findall(rb"#\d+", data)
    return _spliced(data, rb"#\d+", rng, names)


def _numbers(data: bytes, rng: random.Random) -> bytes:
    return _spliced(
        data, rb"-?\d+\.\d*(E[+-]?\d+)?", rng, [b"0.", b"-1.", b"1.E300", b"1.E999", b"123456789."]
    )


def _spliced(data: bytes, pattern: bytes, rng: random.Random, by: list[bytes]) -> bytes:
    places = [one.span() for one in re.finditer(pattern, data)]
    for start, end in sorted(rng.sample(places, min(10, len(places))), reverse=True):
        data = data[:start] + rng.choice(by) + data[end:]
    return data


def _lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    for _ in range(5):
        lines.pop(rng.randrange(len(lines) // 3, len(lines) - 3))
    return b"\n".join(lines)


def _noise(data: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(3000))
