"""Distances of two meshes: races of distance and clearance, at known distances."""

import os
import struct
import time
from dataclasses import dataclass, field

from . import build, near_exact, near_report, near_steps, page, report
from .engines import OURS, make
from .programs import printed, rows
from .record import Record
from .scenes import Scene, measure, replaced
from .shell import CACHE, Failed, call, say

SCENES = [
    "spheres-l1",
    "spheres-nested",
    "knots-l1",
    "horses",
    "tumble-saw",
    "tumble-motor",
    "held-panda",
    "random-teapot",
    "random-torus",
]
QUICK = ["spheres-nested", "knots-l1", "random-teapot"]
#: Runs of each program on a scene, all programs in turn; a frame's time is the least of its medians.
ROUNDS = 2
#: Seconds after which no query of a run begins: parry takes seconds a query. The second is for quick runs.
SECONDS = (4, 1)
#: Queries whose result is a distance: `seeded` is ours with the data of the frame before.
DISTANCES = ("distance", "seeded")
#: Tolerance of a rival's distance, relative to the scene's size.
OFF = 1e-6
#: Up to SMALL pairs of triangles, every frame's distance is checked by single pairs; above it, only frames
#: that differ, and of these at most MOST whose boxes are near enough.
SMALL, MOST = 5e7, 400_000


@dataclass
class Racer:
    """A program, and its queries."""

    name: str
    maker: object
    arguments: list
    queries: tuple
    #: Same as `Engine`'s, for `make`.
    program: object = None
    problem: str = ""
    about: dict = field(default_factory=dict)


@dataclass
class Spaced:
    """A frame: its purpose, and the ends of the distance."""

    label: str
    #: Index of the margin that it was made for, and the distance relative to it.
    margin: object
    factor: object
    lo: float
    hi: float
    #: Movement of the second mesh since the frame before, relative to the size; only for `near_steps`.
    moved: float = 0.0


@dataclass
class Spread(Scene):
    """A scene with gaps."""

    size: float = 0.0
    margins: tuple = ()
    told: list = field(default_factory=list)
    load: float = 0.0


@dataclass
class Run:
    """A program's results of one query in the frames that it reached."""

    us: list = field(default_factory=list)
    #: A distance, or whether there is a hit.
    answers: list = field(default_factory=list)
    problem: str = ""


def racers(names):
    every = [
        Racer(OURS, build.impinge, [], ("first", "within", "distance")),
        Racer("fcl-obbrss", build.fcl, ["--volume", "obbrss"], ("distance",)),
        Racer("fcl-rss", build.fcl, ["--volume", "rss"], ("distance",)),
        Racer("coal-obbrss", build.coal, ["--volume", "obbrss"], ("within", "distance")),
        Racer("coal-rss", build.coal, ["--volume", "rss"], ("distance",)),
        Racer("coal-obb", build.coal, ["--volume", "obb"], ("within",)),
        Racer("parry3d-f64", build.parry3d_f64, [], ("distance",)),
    ]
    unknown = set(names) - {racer.name for racer in every}
    if unknown:
        raise Failed(f"--near has no engine {', '.join(sorted(unknown))}")
    return [racer for racer in every if racer.name == OURS or not names or racer.name in names]


def spread(scene, text):
    """The exporter's descriptions of the frames."""
    about, lines = rows(text)
    scene.size = float(about["size"])
    margins = {}
    lines = [line for line in lines if len(line) in (7, 8)]
    for number, (frame, _, label, margin, factor, *rest) in enumerate(lines):
        if int(frame) != number:
            raise ValueError(f"frame {frame} where {number} was due")
        which = None if margin == "-" else margins.setdefault(float(margin), len(margins))
        factor = None if factor == "-" else float(factor)
        scene.told.append(Spaced(label, which, factor, *map(float, rest)))
    scene.margins = tuple(margins)
    return scene


def export(names, quick, data, kind="near"):
    """Scenes at gaps, `near`, or in small steps, `steps`."""
    folder = CACHE / (f"{kind}-quick" if quick else kind)
    scenes = []
    for name in names:
        say(f"export {name}, {kind}")
        words = ["export", name, f"--{kind}", "--out", str(folder)]
        words += ["--data", str(data)] if data else []
        build.exporter(words + (["--quick"] if quick else []))
        scene = Spread(name, folder / f"{name}.scene")
        scene.stand_in = replaced(scene.path.with_suffix(".tsv"))
        measure(scene)
        spread(scene, scene.path.with_suffix(".tsv").read_text())
        if len(scene.told) != scene.frames:
            raise Failed(f"{name}: {scene.frames} frames, but the exporter describes {len(scene.told)}")
        scenes.append(scene)
    return scenes


def questions(racer, scene):
    """Key and words of each query: `within` once per margin."""
    made = []
    for query in racer.queries:
        if query == "within":
            made += [
                (f"within {k}", ["--query", "within", "--margin", repr(margin)])
                for k, margin in enumerate(scene.margins)
            ]
        elif query == "seeded":
            made.append((query, ["--query", "distance", "--seed", "yes"]))
        else:
            made.append((query, ["--query", query]))
    return made


def read(run, text, key, frames):
    """Adds a run's output to `run`: the lesser times, and equal results. Returns the program's
    description."""
    about, lines = rows(text)
    us, answers = [], []
    for number, words in enumerate(lines):
        if int(words[0]) != number:
            raise ValueError(f"frame {words[0]} where {number} was due")
        us.append(float(words[1]))
        bits = struct.pack("<Q", int(words[4], 16))
        answers.append(struct.unpack("<d", bits)[0] if key in DISTANCES else words[2] == "1")
    if not us or len(us) > frames:
        raise ValueError(f"{len(us)} frames of {frames}")
    if any(a != b for a, b in zip(answers, run.answers)):
        raise ValueError("a result that differs from the run before")
    longer = max(us, run.us, key=len)
    run.us = [min(a, b) for a, b in zip(us, run.us)] + longer[min(len(us), len(run.us)) :]
    run.answers = max(answers, run.answers, key=len)
    return about


def race(racing, scene, asked, rounds):
    """Every racer's every query; {(name, key): Run}."""
    found, start = {}, time.monotonic()
    scene.load = os.getloadavg()[0]
    for _ in range(rounds):
        for racer in racing:
            for key, words in questions(racer, scene):
                run = found.setdefault((racer.name, key), Run(problem=racer.problem))
                if run.problem:
                    continue
                command = [racer.program, scene.path, *words, *racer.arguments, "--repeat", asked.repeat]
                command += ["--seconds", SECONDS[asked.quick]]
                try:
                    text = printed(command, asked.core, asked.limit)
                    about = read(run, text, key, scene.frames)
                    racer.about = racer.about or about
                except Failed as why:
                    run.problem = str(why)
                except (ValueError, IndexError) as why:
                    run.problem = f"failed: its output does not keep the contract: {why}"
                if run.problem:
                    say(f"  {racer.name}, {key}: {run.problem}")
                    if racer.name == OURS:
                        raise Failed(f"impinge on {scene.name}, {key}: {run.problem}")
    say(f"race {scene.name}: {time.monotonic() - start:.0f} s")
    return found


@dataclass
class Judged:
    """A racer's results of one query on one scene, beside ours."""

    name: str
    scene: str
    key: str
    asked: int
    #: Frames on which it differs; those of them that no oracle could check; the largest difference by the
    #: size.
    differing: list
    unsettled: int = 0
    most: float = 0.0


def own_faults(scene, found):
    """Lines for our own results that differ from the exporter's distances."""
    faults = []
    for k, told in enumerate(scene.told):
        for key, run in ((key, run) for (name, key), run in found.items() if name == OURS):
            if k >= len(run.answers):
                continue
            answer = run.answers[k]
            if key in DISTANCES:
                wrong = answer != told.hi
            else:
                margin = scene.margins[int(key.split()[1])] if key != "first" else 0.0
                wrong = told.lo > margin if answer else told.hi <= margin
            if wrong:
                faults.append(
                    f"{scene.name}, frame {k}, {key}: {answer!r}, but the distance is {told.lo!r} to "
                    f"{told.hi!r}"
                )
    return faults


def compare(scene, found):
    """Every rival's results beside ours."""
    judged = []
    for (name, key), run in found.items():
        if name == OURS or run.problem:
            continue
        pairs = list(zip(run.answers, found[OURS, key].answers))
        one = Judged(name, scene.name, key, len(pairs), [])
        for k, (theirs, ours) in enumerate(pairs):
            off = abs(theirs - ours) / scene.size if key == "distance" else float(theirs != ours)
            # A NaN also differs.
            if not off <= (OFF if key == "distance" else 0):
                one.differing.append(k)
            one.most = max(one.most, off) if off == off else float("inf")
        judged.append(one)
    return judged


def settle(verdict, scene, judged, asked, small=True):
    """Checks frames by single pairs of triangles, if `small` all frames of small scenes. Returns the checked
    frames, and contradictions to us."""
    frames = {k for one in judged for k in one.differing}
    if small and scene.triangles[0] * scene.triangles[1] <= SMALL:
        frames |= set(range(scene.frames))
    if not frames:
        return [], []
    margins, asks = (",".join(map(repr, some)) for some in (scene.margins or (0.0,), sorted(frames)))
    try:
        text = printed([verdict, scene.path, MOST, margins, asks], asked.core, max(asked.limit, 300))
        lines = rows(text)[1]
    except Failed as why:
        say(f"  near-verdict on {scene.name}: {why}")
        lines = [[str(k), *"-----", f"unsettled: {why}"] for k in sorted(frames)]
    words = {int(line[0]): line[6] for line in lines}
    for one in judged:
        one.unsettled = sum(words[k].startswith("unsettled") for k in one.differing)
    bugs = [
        f"{scene.name}, frame {line[0]}: {line[1]} to {line[2]} by impinge, {line[3]} to {line[4]} by "
        f"{line[5]} pairs of triangles each alone"
        for line in lines
        if line[6] == "contradicts"
    ]
    return lines, bugs


def table_of(scene, found):
    """A scene's record: each frame, and time and result of every query."""
    keys = list(found)
    names = [f"{name}, {key}" for name, key in keys]
    head = ["#frame", "label", "lo", "hi", *(x for name in names for x in (f"{name}: us", "answer"))]
    lines = ["\t".join(head)]
    for k, told in enumerate(scene.told):
        row = [k, told.label, repr(told.lo), repr(told.hi)]
        for key in keys:
            run = found[key]
            if k >= len(run.us):
                row += ["-", "-"]
            else:
                answer = run.answers[k]
                row += [f"{run.us[k]:.3f}", repr(answer) if key[1] in DISTANCES else int(answer)]
        lines.append("\t".join(map(str, row)))
    return "\n".join(lines) + "\n"


def race_all(racing, scenes, asked, verdict, kind="near"):
    """All scenes, and the record of each."""
    made = near_report.Found(scenes, racing, {}, [], [], 0, None)
    of = "" if kind == "near" else f".{kind}"
    for scene in scenes:
        found = made.results[scene.name] = race(racing, scene, asked, 1 if asked.quick else ROUNDS)
        asked.record.add(f"{scene.name}{of}", table_of(scene, found))
        theirs = compare(scene, found)
        lines, wrong = settle(verdict, scene, theirs, asked, small=kind == "near")
        made.bugs += [*own_faults(scene, found), *wrong]
        made.judged += theirs
        made.checked += sum(line[6] == "agrees" for line in lines)
        if lines:
            head = "#frame\tlo\thi\tlo_alone\thi_alone\tpairs\tverdict\n"
            text = head + "".join("\t".join(line) + "\n" for line in lines)
            asked.record.add(f"{scene.name}{of}.verdict", text)
        for one in theirs:
            if one.differing:
                say(f"  {one.name}, {one.key}: {len(one.differing)} of {one.asked} frames differ")
    return made


def run(asked):
    call(["taskset", "--version"], "taskset")
    racing = racers(asked.engines.split(",") if asked.engines else [])
    names = asked.scenes.split(",") if asked.scenes else QUICK if asked.quick else SCENES
    make(racing)
    verdict = build.near_verdict()
    scenes = export(names, asked.quick, asked.data)
    steps = export(names, asked.quick, asked.data, "steps")
    described = report.machine(asked.core)
    asked.record = Record(asked.out)

    exact = near_exact.check(asked)
    start = time.monotonic()
    made = race_all(racing, scenes, asked, verdict)
    made.steps = race_all(near_steps.racers(racing), steps, asked, verdict, "steps")
    made.exact = exact
    made.bugs = [*exact.bugs(), *made.bugs, *made.steps.bugs]
    how = (
        f"{1 if asked.quick else ROUNDS} runs of each program on a scene, all programs in turn, each of up "
        f"to {asked.repeat} timed "
        f"passes over the frames after an untimed one; a frame's time is the median of a run, and the "
        f"lesser of the runs counts. One core, one run at a time. {SECONDS[asked.quick]} s a run: frames "
        f"that a program does not reach in that time are omitted from its ratios; frames that it does not reach "
        f"twice have their first time.{' Quick: few scenes and frames.' if asked.quick else ''} It took "
        f"{time.monotonic() - start:.0f} s; load when it ended: {os.getloadavg()[0]:.2f}."
    )
    found = near_report.tables(made)
    asked.record.close({"command": asked.command, "method": how, **described}, found)
    page.show(found, "Bars", "Distance", "Small steps", "Within a margin", "Oracles")
    say(f"The record is in {asked.out}.")
    for bug in made.bugs:
        say(f"CONTRADICTION: {bug}")
    return 1 if made.bugs else 0
