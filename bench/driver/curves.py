"""Intersection curves of two meshes: a race with CGAL's surface_intersection, and with our own all pairs."""

import os
import time
from dataclasses import dataclass, field

from . import build, curves_exact, page, report
from .bars import Bar, bars_table
from .programs import printed, rows
from .record import Record
from .scenes import Scene, collect
from .shell import Failed, call, say
from .tables import ORACLES, big, geometric_mean, number, table

SCENES = [
    "horses",
    "spheres-l1",
    "random-teapot",
    "random-torus",
    "tumble-saw",
    "tumble-motor",
    "held-panda",
]
QUICK = ["random-torus", "tumble-motor"]
#: Number of frames of a scene, among those in which the meshes meet; and in a quick run.
FRAMES = (8, 2)
#: Seconds of a run of CGAL, after which no query begins.
SECONDS = (20, 5)
#: Runs of each program on a scene, in turn; the lesser of a frame's medians counts.
ROUNDS = 2
#: CGAL over ours, at least; ours over our own all pairs, at most.
CGAL_LEAST, PAIRS_MOST = 10, 2


@dataclass
class Ours:
    """A frame by impinge."""

    pairs_us: float
    us: float
    pairs: int
    lines: int
    closed: int
    segments: int
    patches: int
    points: int


@dataclass
class Theirs:
    """A frame by CGAL."""

    us: float = 0.0
    lines: int = 0
    closed: int = 0
    segments: int = 0
    failed: str = ""


@dataclass
class Result:
    scene: Scene
    #: By the frame's number.
    ours: dict = field(default_factory=dict)
    theirs: dict = field(default_factory=dict)
    meet: str = ""
    about: dict = field(default_factory=dict)
    problem: str = ""
    load: float = 0.0


def read_ours(text):
    """{frame: Ours}, and the program's description."""
    about, lines = rows(text)
    found = {}
    for frame, pairs_us, us, *counts in lines:
        found[int(frame)] = Ours(float(pairs_us), float(us), *map(int, counts))
    return found, about


def read_theirs(text):
    about, lines = rows(text)
    found = {}
    for words in lines:
        if words[1] == "failed":
            found[int(words[0])] = Theirs(failed=words[2])
        else:
            frame, us, *counts = words
            found[int(frame)] = Theirs(float(us), *map(int, counts))
    return found, about


def lesser(before, now):
    """The lesser times of each frame in two runs; the counts must be equal."""
    for frame, one in before.items():
        other = now.setdefault(frame, one)
        kept = dict(vars(other))
        for key, value in vars(one).items():
            if key.endswith("us"):
                kept[key] = min(value, kept[key])
            elif value != kept[key]:
                raise ValueError(f"frame {frame}: {key} differs from the run before")
        now[frame] = type(one)(**kept)
    return now


def race(programs, scene, asked):
    ours, cgal = programs
    result = Result(scene, load=os.getloadavg()[0])
    for _ in range(1 if asked.quick else ROUNDS):
        text = printed([ours, scene.path, FRAMES[asked.quick], asked.repeat], asked.core, asked.limit)
        found, about = read_ours(text)
        result.ours = lesser(result.ours, found)
        result.meet, result.about["impinge"] = about["meet"], about
        if cgal is None or result.problem or not found:
            continue
        frames = ",".join(map(str, found))
        words = [cgal, scene.path, frames, asked.repeat, SECONDS[asked.quick]]
        try:
            theirs, about = read_theirs(printed(words, asked.core, asked.limit))
            result.theirs = lesser(result.theirs, theirs)
            result.about["cgal"] = about
        except (Failed, ValueError) as why:
            result.problem = str(why)
    say(f"{scene.name}: meshes meet in {result.meet} frames; {summary(result)}")
    return result


def over_cgal(result):
    """CGAL's times over ours, for the frames that it completed."""
    both = [(result.theirs[k], one) for k, one in result.ours.items() if k in result.theirs]
    return [theirs.us / ours.us for theirs, ours in both if not theirs.failed]


def over_pairs(result):
    return [one.us / one.pairs_us for one in result.ours.values()]


def summary(result):
    cgal, pairs = (number(geometric_mean(of(result))) for of in (over_cgal, over_pairs))
    return f"cgal {cgal}, pairs {pairs}"


def bars(results):
    cgal = Bar("lines, x CGAL's surface_intersection, geometric mean", f">= {CGAL_LEAST}")
    pairs = Bar("lines, x our own all pairs, geometric mean", f"<= {PAIRS_MOST}")
    for bar, ratios, reached, worst in (
        (cgal, over_cgal, lambda x: x >= CGAL_LEAST, min),
        (pairs, over_pairs, lambda x: x <= PAIRS_MOST, max),
    ):
        made = [(ratio, one.scene.name) for one in results for ratio in ratios(one)]
        bar.detail = "not in this run"
        if made:
            mean = geometric_mean([ratio for ratio, _ in made])
            bar.found, bar.reached = number(mean), reached(mean)
            value, name = worst(made)
            bar.detail = f"of {len(made)} frames; worst: {number(value)}, {name}"
    return [cgal, pairs]


def mean(values):
    values = list(values)
    return number(sum(values) / len(values)) if values else "-"


def times_table(results):
    lines = []
    for one in results:
        ours = one.ours.values()
        theirs = [t.us for t in one.theirs.values() if not t.failed]
        lines.append(
            [
                one.scene.name,
                len(one.ours),
                mean(o.pairs for o in ours),
                mean(o.pairs_us for o in ours),
                f"{mean(o.us for o in ours)} ({number(geometric_mean(over_pairs(one)))})",
                f"{mean(theirs)} ({number(geometric_mean(over_cgal(one)))})" if theirs else "-",
            ]
        )
    every = [ratio for one in results for ratio in over_pairs(one)]
    cgal = [ratio for one in results for ratio in over_cgal(one)]
    means = [f"({number(geometric_mean(ratios))})" for ratios in (every, cgal)]
    lines.append(["geometric mean", "", "", "", *means])
    head = ["scene", "frames", "pairs", "all pairs, us", "lines, us (x all pairs)", "cgal, us (x lines)"]
    return table(head, lines)


def same(ours, theirs):
    return (ours.lines, ours.closed, ours.segments) == (theirs.lines, theirs.closed, theirs.segments)


def frames_table(results):
    """Frame by frame: the counts of both, and whether they agree."""
    lines = []
    for one in results:
        for k, ours in one.ours.items():
            theirs = one.theirs.get(k)
            cells = ["-"] * 5
            if theirs and theirs.failed:
                cells[4] = theirs.failed
            elif theirs:
                told = [theirs.lines, theirs.closed, theirs.segments]
                cells = [number(theirs.us), *told, "same" if same(ours, theirs) else "differs"]
            counts = [ours.lines, ours.closed, ours.segments, ours.patches, ours.points]
            times = [number(ours.pairs_us), number(ours.us)]
            lines.append([one.scene.name, k, ours.pairs, *times, *counts, *cells])
    head = ["scene", "frame", "pairs", "pairs, us", "lines, us", "lines", "closed", "segments", "patches"]
    theirs = [f"cgal, {of}" for of in ("us", "lines", "closed", "segments")]
    return table([*head, "points", *theirs, "note"], lines)


def note(one):
    """What CGAL's times of a scene miss, and what its program did to the meshes."""
    late = f"{len(one.theirs)} of {len(one.ours)} frames in time"
    told = one.problem or (late if one.theirs and len(one.theirs) < len(one.ours) else "")
    return "; ".join(f"cgal: {words}" for words in (told, one.about.get("cgal", {}).get("notes")) if words)


def tables(results, exact):
    """The results of a race by name."""
    versions = {name: about.get("version", "-") for one in results for name, about in one.about.items()}
    scenes = []
    for one in results:
        triangles = " and ".join(map(big, one.scene.triangles))
        scenes.append([one.scene.name, triangles, one.meet, f"{one.load:.2f}", note(one)])
    return {
        "Bars": bars_table(bars(results)),
        "Times": times_table(results),
        "Oracles": table(ORACLES, [exact.row()]),
        "Frames": frames_table(results),
        "Engines": table(["name", "version"], versions.items()),
        "Scenes": table(["scene", "triangles", "frames that meet", "load", "note"], scenes),
    }


def run(asked):
    call(["taskset", "--version"], "taskset")
    ours = build.curves_impinge()
    try:
        cgal = build.curves_race()
    except Failed as why:
        say(f"  NOT BUILT: {why}")
        cgal = None
    names = asked.scenes.split(",") if asked.scenes else QUICK if asked.quick else SCENES
    scenes = collect(names, asked.quick, asked.data)
    # Before files of the record are removed, which git would report as a change.
    described = report.machine(asked.core)
    asked.record = Record(asked.out)
    exact = curves_exact.check(asked)
    start = time.monotonic()
    results = [race((ours, cgal), scene, asked) for scene in scenes]
    how = (
        f"{FRAMES[asked.quick]} frames of a scene, evenly sampled among those in which the meshes meet; a "
        f"frame's time is the median of {asked.repeat} passes after an untimed one, and of "
        f"{1 if asked.quick else ROUNDS} runs of each program in turn the lesser. One core, one run at a "
        f"time. After {SECONDS[asked.quick]} s no further query of CGAL begins. It took "
        f"{time.monotonic() - start:.0f} s; load when it ended: {os.getloadavg()[0]:.2f}."
    )
    found = tables(results, exact)
    asked.record.close({"command": asked.command, "method": how, **described}, found)
    page.show(found, "Bars", "Times", "Oracles")
    say(f"The record is in {asked.out}.")
    for bug in exact.against:
        say(f"CONTRADICTION: {bug}")
    return 1 if exact.against else 0
