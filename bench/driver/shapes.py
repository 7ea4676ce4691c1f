"""Spheres, capsules and convex hulls: races with Coal, FCL and parry, and checks of the results with exact
numbers."""

import os
import struct
import time
from dataclasses import dataclass, field

from . import build, page, report, shapes_exact, shapes_report
from .programs import printed, rows
from .record import Record
from .scenes import collect
from .shell import CACHE, Failed, call, say

#: Scenes whose first mesh meets spheres and capsules, and those whose parts give hulls.
MESHES = ["held-panda", "horses", "knots-l1", "random-teapot", "tumble-motor"]
HULLS = ["held-panda", "held-ur5"]
QUICK = ["held-panda"]
#: Frames of a pair, and in a quick run; their seed; and frames that the exact oracle checks.
COUNT, SEED, EXACT = (400, 100), 5, (10, 5)
#: Runs of each program, all programs in turn: the least counts.
ROUNDS = 2
OURS = "impinge"
QUERIES = shapes_report.QUERIES


@dataclass
class Racer:
    """A program and one of its ways to query; `hulls` if it takes part only where two hulls meet."""

    name: str
    maker: object
    way: str = ""
    hulls: bool = False
    program: object = None
    problem: str = ""


def racers():
    made = [
        Racer(OURS, build.shapes_impinge),
        Racer("impinge-cached", build.shapes_impinge, "cached", hulls=True),
        Racer("impinge-batch", build.shapes_impinge, "batch"),
        Racer("coal", build.shapes_coal),
        Racer("coal-warm", build.shapes_coal, "warm", hulls=True),
        Racer("fcl", build.shapes_fcl),
        Racer("fcl-warm", build.shapes_fcl, "warm", hulls=True),
        Racer("parry3d-f64", build.shapes_parry),
    ]
    known = {}
    for racer in made:
        if racer.maker not in known:
            try:
                known[racer.maker] = racer.maker(), ""
            except Failed as why:
                if racer.name == OURS:
                    raise
                known[racer.maker] = None, str(why)
                say(f"  {racer.name}: NOT BUILT: {why}")
        racer.program, racer.problem = known[racer.maker]
    return made


@dataclass
class Run:
    """One program on one pair: for each query nanoseconds a frame and results, or None."""

    ns: dict = field(default_factory=dict)
    bounds: dict = field(default_factory=dict)
    about: dict = field(default_factory=dict)
    problem: str = ""


@dataclass
class Pair:
    """Two shapes: the exporter's description, results of the programs, and those of the oracle."""

    name: str
    path: object
    group: str
    #: Vertices and triangles of both shapes.
    counts: tuple
    size: float
    found: dict = field(default_factory=dict)
    #: Frames that the oracle checked, and a line for each contradiction.
    checked: int = 0
    wrong: list = field(default_factory=list)


def export(names, what, asked):
    """The pairs of scenes."""
    tool, folder, pairs = build.shapes_pairs(), CACHE / ("shapes-quick" if asked.quick else "shapes"), []
    folder.mkdir(parents=True, exist_ok=True)
    for scene in collect(names, asked.quick, asked.data):
        if scene.problem:
            raise Failed(f"{scene.name}: {scene.problem}")
        words = [tool, what, scene.path, scene.name, folder, COUNT[asked.quick], SEED]
        for line in call(words, "shapes-pairs").splitlines():
            file, group, *counts, size = line.split("\t")
            name = file.removesuffix(".shapes")
            pairs.append(Pair(name, folder / file, group, tuple(map(int, counts)), float(size)))
    return pairs


def once(racer, pair, asked):
    """One run of a program."""
    one, out = Run(), pair.path.with_suffix(f".{racer.name}")
    words = [racer.program, pair.path, asked.repeat, out, *([racer.way] if racer.way else [])]
    text = printed(words, asked.core, asked.limit)
    one.about, lines = rows(text)
    numbers = struct.iter_unpack("<dd", out.read_bytes())
    for name, ns in lines:
        if ns != "-":
            one.ns[name] = float(ns)
            one.bounds[name] = [next(numbers) for _ in range(COUNT[asked.quick])]
    if next(numbers, None) is not None:
        raise ValueError("more results than queries")
    return one, text


def race(racing, pair, asked, record):
    """Every program on a pair, all in turn."""
    for turn in range(1 if asked.quick else ROUNDS):
        for racer in racing:
            if racer.hulls and not pair.group.startswith("hulls"):
                continue
            known = pair.found.setdefault(racer.name, Run(problem=racer.problem))
            if known.problem:
                continue
            try:
                one, text = once(racer, pair, asked)
            except (Failed, ValueError, StopIteration) as why:
                if racer.program is not None and racer.name.startswith(OURS):
                    raise Failed(f"{racer.name} on {pair.name}: {why}") from None
                known.problem = str(why)
                say(f"  {racer.name} on {pair.name}: {why}")
                continue
            record.add(f"{pair.name}.{racer.name}.{turn}", text)
            one.ns = {query: min(ns, known.ns.get(query, ns)) for query, ns in one.ns.items()}
            pair.found[racer.name] = one


def check(pair, asked):
    """Compares our results with the oracle's, and our ways with each other."""
    ours = pair.found[OURS]
    frames = range(0, COUNT[asked.quick], COUNT[asked.quick] // EXACT[asked.quick] - 1)
    pair.checked = len(frames)
    pair.wrong = shapes_exact.check(shapes_exact.File(pair.path), frames, ours.bounds)
    for name, run in pair.found.items():
        if name.startswith(OURS) and run.bounds != ours.bounds:
            pair.wrong.append(f"{name} has other results than {OURS}")


def run(asked):
    call(["taskset", "--version"], "taskset")
    racing = racers()
    wanted = asked.scenes.split(",") if asked.scenes else None
    pairs = export(wanted or (QUICK if asked.quick else HULLS), "hulls", asked)
    pairs += export(wanted or (QUICK if asked.quick else MESHES), "meshes", asked)
    described = report.machine(asked.core)
    record, start = Record(asked.out), time.monotonic()
    for number, pair in enumerate(pairs, 1):
        race(racing, pair, asked, record)
        check(pair, asked)
        ours = ", ".join(f"{q} {pair.found[OURS].ns[q]:.0f} ns" for q in QUERIES)
        say(f"[{number}/{len(pairs)}] {pair.name}: {ours}")
    rounds = 1 if asked.quick else ROUNDS
    how = (
        f"{COUNT[asked.quick]} frames a pair; nanoseconds of processor time a frame, median of "
        f"{asked.repeat} passes after an untimed one, and the least of {rounds} runs, all programs in turn, "
        f"on one core. It took {time.monotonic() - start:.0f} s; load at the end: {os.getloadavg()[0]:.1f}."
    )
    found = shapes_report.tables(pairs, [racer.name for racer in racing])
    record.close({"command": asked.command, "method": how, **described}, found)
    page.show(found, "Bars", "Ratios", "Results", "Oracles")
    say(f"The record is in {asked.out}.")
    bugs = [f"{pair.name}: {line}" for pair in pairs for line in pair.wrong]
    for bug in bugs:
        say(f"CONTRADICTION: {bug}")
    return 1 if bugs else 0
