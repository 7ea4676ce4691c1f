"""Points and rays against one mesh: races with parry and CGAL, and checks of the results with exact
numbers."""

import os
import struct
import time
from dataclasses import dataclass, field

from . import build, page, report
from .programs import printed, rows
from .record import Record
from .scenes import Scene, collect
from .shell import CACHE, Failed, call, say
from .tables import big, geometric_mean, number, table

#: Meshes: the first one of each of these scenes.
SCENES = ["spheres-l1", "knots-l1", "horses", "held-panda", "random-teapot", "random-torus"]
QUICK = ["spheres-nested", "random-torus"]
#: Queries of a set, and in a quick run; their seed; and the number of queries checked with exact numbers.
COUNT, SEED, EXACT = (20_000, 2_000), 11, (2_000, 200)
#: Runs of each program, all programs in turn: the least counts.
ROUNDS = 2
#: Tolerance of a rival's result, relative to ours.
OFF = 1e-6
OURS = "impinge"
#: Goals: closest points and rays over parry's time, inside over CGAL's.
BARS = {"closest": ("parry3d-f64", 3), "first hit": ("parry3d-f64", 3), "inside": ("cgal", 3)}


@dataclass
class Racer:
    name: str
    maker: object
    program: object = None
    problem: str = ""


@dataclass
class Of:
    """One program on one mesh: for each set nanoseconds a query, or None, and results."""

    ns: list = field(default_factory=list)
    answers: list = field(default_factory=list)
    about: dict = field(default_factory=dict)
    problem: str = ""


@dataclass
class Asked:
    """A mesh: names of the sets, results of the programs, and exact results for ours."""

    scene: Scene
    names: list
    found: dict
    exact: list
    differing: dict
    load: float


def racers():
    made = [
        Racer(OURS, build.points_impinge),
        Racer("parry3d-f64", build.points_parry),
        Racer("cgal", build.points_cgal),
    ]
    for racer in made:
        try:
            racer.program = racer.maker()
        except Failed as why:
            if racer.name == OURS:
                raise
            racer.problem = str(why)
            say(f"  {racer.name}: NOT BUILT: {why}")
    return made


def once(racer, path, passes, asked):
    """One run of a program."""
    one = Of()
    out = path.with_suffix(f".{racer.name}")
    text = printed([racer.program, path, passes, out], asked.core, asked.limit)
    one.about, lines = rows(text)
    numbers = iter(struct.iter_unpack("<dd", out.read_bytes()))
    count = COUNT[asked.quick]
    for words in lines:
        known = words[2] != "-"
        one.ns.append(float(words[2]) if known else None)
        one.answers.append([next(numbers) for _ in range(count)] if known else None)
    if next(numbers, None) is not None:
        raise ValueError("results of a set that the file does not have")
    return one, [words[1] for words in lines]


def race(racing, path, asked):
    found, names = {}, []
    for _ in range(1 if asked.quick else ROUNDS):
        for racer in racing:
            known = found.setdefault(racer.name, Of(problem=racer.problem))
            if known.problem:
                continue
            try:
                one, names = once(racer, path, asked.repeat, asked)
            except (Failed, ValueError, IndexError, StopIteration) as why:
                if racer.name == OURS:
                    raise Failed(f"impinge on {path.name}: {why}") from None
                known.problem = str(why)
                say(f"  {racer.name} on {path.name}: {why}")
                continue
            if known.ns:
                one.ns = [old if new is None else min(old, new) for old, new in zip(known.ns, one.ns)]
            found[racer.name] = one
    return found, names


def differ(ours, theirs):
    """Number of a rival's results that are not within OFF of ours."""
    count = 0
    for (lo, hi), (x, _) in zip(ours, theirs):
        # Infinity means no hit.
        slack = OFF * max(abs(hi), 1e-3) if hi < float("inf") else 0
        count += not (lo - slack <= x <= hi + slack)
    return count


def ask(racing, scene, tools, asked):
    """One mesh."""
    questions, exact = tools
    path = CACHE / "points" / f"{scene.name}.questions"
    path.parent.mkdir(parents=True, exist_ok=True)
    call([questions, scene.path, path, COUNT[asked.quick], SEED], "points-questions")
    load = os.getloadavg()[0]
    found, names = race(racing, path, asked)
    ours, lines = found[OURS], []
    if exact:
        text = printed(
            [exact, path, path.with_suffix(f".{OURS}"), EXACT[asked.quick]], asked.core, max(asked.limit, 600)
        )
        lines = rows(text)[1]
    differing = {
        name: [differ(a, b) if b else None for a, b in zip(ours.answers, one.answers)]
        for name, one in found.items()
        if name != OURS and not one.problem
    }
    say(f"{scene.name}: " + ", ".join(f"{n} {number(x)}" for n, x in zip(names, ours.ns)))
    return Asked(scene, names, found, lines, differing, load)


def times_table(results, racing):
    rivals = [racer.name for racer in racing if racer.name != OURS]
    made = []
    for one in results:
        for k, name in enumerate(one.names):
            ours = one.found[OURS].ns[k]
            row = [one.scene.name, name, number(ours)]
            for rival in rivals:
                theirs = one.found[rival]
                ns = None if theirs.problem else theirs.ns[k]
                row.append("-" if ns is None else f"{number(ns)} ({number(ns / ours)})")
            made.append(row)
    return table(["mesh", "query", OURS, *rivals], made)


def bars_table(results):
    made = []
    for what, (rival, least) in BARS.items():
        ratios = [
            (one.found[rival].ns[k] / one.found[OURS].ns[k], f"{one.scene.name}: {name}")
            for one in results
            if not one.found[rival].problem
            for k, name in enumerate(one.names)
            if name.startswith(what) and one.found[rival].ns[k]
        ]
        if ratios:
            mean, (worst, where) = geometric_mean([ratio for ratio, _ in ratios]), min(ratios)
            reached = "yes" if mean >= least else "no"
            told = f"{number(worst)} ({where})"
            made.append([f"{what}, times {rival}", least, number(mean), told, reached])
    return table(["bar", "at least", "geometric mean", "least", "reached"], made)


def truth_table(results):
    made = []
    for one in results:
        for line in one.exact:
            k = int(line[0])
            others = [
                f"{name}: {counts[k]}" for name, counts in one.differing.items() if counts[k] is not None
            ]
            made.append([one.scene.name, line[1], line[2], line[3], ", ".join(others)])
    return table(["mesh", "query", "compared", "ours right", "rivals off by more than 1e-6"], made)


def ranges_table(of):
    """By kind of query, from `times_table`: rivals' times over ours, geometric mean and range."""
    made = []
    for what in BARS:
        row = [what]
        for name in of.head[3:]:
            cells = [dict(zip(of.head, line))[name] for line in of.rows if line[1].startswith(what)]
            ratios = [float(cell.partition("(")[2].removesuffix(")")) for cell in cells if "(" in cell]
            mean, ends = geometric_mean(ratios), [number(end(ratios)) for end in (min, max) if ratios]
            row.append(f"{number(mean)} ({' to '.join(ends)})" if ratios else "-")
        made.append(row)
    return table(["query", *of.head[3:]], made)


def tables(results, racing):
    """The results of a race by name."""
    times = times_table(results, racing)
    abouts = {racer.name: results[0].found[racer.name].about for racer in racing}
    engines = [[name, *(of.get(key, "-") for key in ("version", "notes"))] for name, of in abouts.items()]
    scenes = []
    for one in results:
        problems = [f"{name}: {run.problem}" for name, run in one.found.items() if run.problem]
        scenes.append([one.scene.name, big(one.scene.triangles[0]), f"{one.load:.2f}", "; ".join(problems)])
    return {
        "Bars": bars_table(results),
        "Ranges": ranges_table(times),
        "Times": times,
        "Oracles": truth_table(results),
        "Engines": table(["name", "version", "notes"], engines),
        "Scenes": table(["scene", "triangles", "load", "note"], scenes),
    }


def run(asked):
    call(["taskset", "--version"], "taskset")
    racing = racers()
    try:
        exact = build.points_exact()
    except Failed as why:
        say(f"  NOT BUILT: {why}")
        exact = None
    tools = (build.points_questions(), exact)
    names = asked.scenes.split(",") if asked.scenes else QUICK if asked.quick else SCENES
    described = report.machine(asked.core)
    start = time.monotonic()
    results = [ask(racing, scene, tools, asked) for scene in collect(names, asked.quick, asked.data)]
    how = (
        f"{COUNT[asked.quick]:,} queries a set; nanoseconds of processor time a query, least of "
        f"{asked.repeat} passes after an untimed one, and of {1 if asked.quick else ROUNDS} runs, all "
        f"programs in turn, on one core. It took {time.monotonic() - start:.0f} s."
    )
    found = tables(results, racing)
    Record(asked.out).close({"command": asked.command, "method": how, **described}, found)
    page.show(found, "Bars", "Times", "Oracles")
    say(f"The record is in {asked.out}.")
    bugs = [(one.scene.name, line) for one in results for line in one.exact if line[2] != line[3]]
    for name, line in bugs:
        say(f"CONTRADICTION: {name}, {line[1]}: question {line[4]} of {name}.questions")
    return 1 if bugs else 0
