"""Points and rays against one mesh: races with parry and CGAL, and checks of the results with exact
numbers."""

import os
import struct
import time
from dataclasses import dataclass, field

from . import build, report
from .programs import printed, rows
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
    return table(["mesh", "question", OURS, *rivals], made)


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
            reached = "reached" if mean >= least else "MISSED"
            told = f"{number(worst)} ({where})"
            made.append([f"{what}, times {rival}", least, number(mean), told, reached])
    return table(["bar", "at least", "geometric mean", "least", ""], made)


def truth_table(results):
    made = []
    for one in results:
        for line in one.exact:
            k = int(line[0])
            others = [
                f"{name}: {counts[k]}" for name, counts in one.differing.items() if counts[k] is not None
            ]
            made.append([one.scene.name, line[1], line[2], line[3], ", ".join(others)])
    return table(["mesh", "question", "asked exactly", "ours right", "rivals off by more than 1e-6"], made)


def written(results, racing, asked, seconds):
    """The record."""
    abouts = [
        [racer.name, one.about.get("version", ""), one.about.get("notes", "")]
        for racer in racing
        if (one := results[0].found[racer.name])
    ]
    meshes = [[one.scene.name, big(one.scene.triangles[0])] for one in results]
    how = (
        f"{COUNT[asked.quick]:,} queries a set; nanoseconds of processor time a query, least of "
        f"{asked.repeat} passes after an untimed one, and of {1 if asked.quick else ROUNDS} runs, all "
        f"programs in turn, on one core. In brackets the ratio to ours. It took {seconds:.0f} s; load when "
        f"the runs began: {', '.join(f'{one.load:.2f}' for one in results)}."
    )
    problems = [
        f"* {name} on {one.scene.name}: {run.problem}"
        for one in results
        for name, run in one.found.items()
        if run.problem
    ]
    parts = [
        "# Points and rays",
        how,
        bars_table(results),
        "## Times",
        times_table(results, racing),
        "## Answers",
        "Ours over CGAL's exact kernel: whether the interval contains a distance, by squares; whether the "
        "interval of t contains that of the first hit; whether a point is inside. The last column counts "
        "the rivals' results that are off.",
        truth_table(results),
        "## Meshes and programs",
        table(["mesh of scene", "triangles"], meshes),
        table(["program", "version", "notes"], abouts),
        *(["\n".join(problems)] if problems else []),
        report.machine(asked.core),
    ]
    return "\n\n".join(parts) + "\n"


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
    start = time.monotonic()
    results = [ask(racing, scene, tools, asked) for scene in collect(names, asked.quick, asked.data)]
    asked.out.mkdir(parents=True, exist_ok=True)
    text = written(results, racing, asked, time.monotonic() - start)
    (asked.out / "REPORT.md").write_text(text)
    say(f"\n{bars_table(results)}\n\n{times_table(results, racing)}\n\n{truth_table(results)}")
    say(f"\nThe record is in {asked.out}.")
    bugs = [(one.scene.name, line) for one in results for line in one.exact if line[2] != line[3]]
    for name, line in bugs:
        say(f"CONTRADICTION: {name}, {line[1]}: question {line[4]} of {name}.questions")
    return 1 if bugs else 0
