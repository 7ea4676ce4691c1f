"""The race of moving points: ipctk's Tight-Inclusion and additive CCD, and impinge's exact test, on public
queries whose results are known by rational numbers."""

import struct
from dataclasses import dataclass, field
from fractions import Fraction

from . import build
from .fetch import ipctk, sample_queries
from .programs import printed, rows
from .shell import BENCH, CACHE, Failed, say

OURS = "impinge"
IPCTK = ("tight-inclusion", "additive")
#: Queries of a quick run: one of so many.
EVERY = 10
#: Runs of each program, in turn: the least counts. None after one beyond LONG nanoseconds a query.
ROUNDS, LONG = 3, 1e6
#: The limit by the clock, in limits of a sweep.
CLOCK = 30


@dataclass
class Run:
    """One engine on all queries: nanoseconds a query of those that meet and of the others, of a call, and
    the median of all queries."""

    meets_ns: float
    others_ns: float
    call_ns: float
    median_ns: float
    results: str
    version: str


@dataclass
class Points:
    """The queries: their file, and the truth of each."""

    path: object = None
    truth: list = field(default_factory=list)
    found: dict = field(default_factory=dict)
    problem: str = ""
    wrong: list = field(default_factory=list)

    def mean(self, run):
        """Nanoseconds a query."""
        meets = sum(self.truth)
        return (meets * run.meets_ns + (len(self.truth) - meets) * run.others_ns) / len(self.truth)


def number(over, under):
    """A rational number, which is an f64 number in all of the public queries."""
    exact = Fraction(int(over), int(under))
    if Fraction(float(exact)) != exact:
        raise Failed(f"{over} / {under} is no f64 number")
    return float(exact)


def parse(text, edges):
    """(Whether of edges, whether they meet, 24 coordinates) of each query in a file of the public set."""
    lines, made = [line.split(",") for line in text.split()], []
    for k in range(0, len(lines), 8):
        eight = lines[k : k + 8]
        of = [number(*row[j : j + 2]) for row in eight for j in (0, 2, 4)]
        made.append((edges, eight[0][6] == "1", of))
    return made


def write(path, queries):
    parts = [struct.pack("<8sII", b"IMPMOVES", 1, len(queries))]
    parts += [struct.pack("<II24d", edges, meets, *of) for edges, meets, of in queries]
    path.write_bytes(b"".join(parts))


def queries(asked):
    """The public queries in one file."""
    try:
        folder = sample_queries()
    except Failed as why:
        say(f"  moving points: OMITTED: {why}")
        return Points(problem=str(why))
    made = []
    for file in sorted(folder.glob("*/*/*.csv")):
        made += parse(file.read_text(), file.parent.name == "edge-edge")
    if asked.quick:
        made = made[::EVERY]
    path = CACHE / ("moving-points-quick" if asked.quick else "moving-points")
    write(path, made)
    return Points(path, [meets for _, meets, _ in made])


def read(points, text):
    """An engine's results in a program's output; the least times of several runs count."""
    about, ((name, *ns, results),) = rows(text)
    ns = list(map(float, ns))
    if len(results) != len(points.truth):
        raise ValueError(f"{name}: {len(results)} results of {len(points.truth)} queries")
    known = points.found.get(name)
    if known is not None:
        if known.results != results:
            raise ValueError(f"{name}: other results than before")
        before = (known.meets_ns, known.others_ns, known.call_ns, known.median_ns)
        ns = list(map(min, ns, before))
    points.found[name] = Run(*ns, results, about["version"])


def race(points, asked, record):
    if points.problem:
        return
    script = BENCH / "runners" / "ccd_ipctk.py"
    racing = {OURS: [build.ccd_impinge()]}
    try:
        racing.update({name: [ipctk(), script] for name in IPCTK})
    except Failed as why:
        points.problem = str(why)
        say(f"  ipctk: {why}")
    for turn in range(1 if asked.quick else ROUNDS):
        for name, (program, *words) in racing.items():
            known = points.found.get(name)
            if known is not None and points.mean(known) > LONG:
                continue
            words = [program, *words, points.path, asked.repeat, *([name] if name != OURS else [])]
            try:
                text = printed(words, asked.core, CLOCK * asked.limit)
                read(points, text)
            except (Failed, ValueError) as why:
                if name == OURS:
                    raise Failed(f"{name}: {why}") from None
                points.problem = f"{name}: {why}"
                say(f"  {points.problem}")
                continue
            record.add(f"moving-points.{name}.{turn}", text)
            say(f"moving points: {name} {points.mean(points.found[name]):.0f} ns")
    own = points.found[OURS].results
    for k, (meets, found) in enumerate(zip(points.truth, own)):
        if meets != (found == "1"):
            points.wrong.append(f"moving points, query {k}: {found}, but {int(meets)} by exact numbers")


def ratio(points, name):
    """An engine's mean, less that of a call, over ours."""
    run = points.found[name]
    return (points.mean(run) - run.call_ns) / points.mean(points.found[OURS])
