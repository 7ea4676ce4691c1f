"""Bodies in motion: races of sweeps with parry and FCL, and of moving points with ipctk. Geometry and exact
numbers check the results."""

import math
import os
import struct
import subprocess
import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from . import build, motion_points, motion_report, page, report
from .programs import complaint, rows
from .record import Record
from .shapes_exact import place, squared
from .shell import CACHE, Failed, call, say

QUICK = ["spheres-contact", "plate", "boxes-contact"]
#: Runs of each program, all programs in turn: the least counts. None after one beyond LONG microseconds.
ROUNDS, LONG = 2, 1e5
#: Seconds between looks at the processor time of a program, which counts for the limit.
SECONDS = 0.5
#: Rounding of a closed form.
SLACK = 1e-12
OURS = "impinge"


@dataclass
class Racer:
    """A program and one of its ways to decide."""

    name: str
    maker: object
    way: str = ""
    program: object = None
    problem: str = ""


def racers():
    made = [
        Racer(OURS, build.motion_impinge),
        Racer("impinge-steps", build.motion_impinge, "steps"),
        Racer("parry3d-f64", build.motion_parry),
        Racer("fcl", build.motion_fcl),
    ]
    for racer in made:
        try:
            racer.program = racer.maker()
        except Failed as why:
            if racer.name.startswith(OURS):
                raise
            racer.problem = str(why)
            say(f"  {racer.name}: NOT BUILT: {why}")
    return made


@dataclass
class Run:
    """One program on one scene."""

    verdict: str = ""
    lo: float = math.nan
    hi: float = math.nan
    us: float = math.nan
    about: dict = field(default_factory=dict)
    problem: str = ""


@dataclass
class Scene:
    """Two meshes, one at rest and one that moves: the exporter's description, and the results of the programs."""

    name: str
    path: object
    group: str
    #: Vertices and triangles of both meshes.
    counts: tuple
    #: `clear`, or bounds of the time of contact, by geometry; None if it does not tell.
    truth: object
    found: dict = field(default_factory=dict)
    #: A line for each contradiction.
    wrong: list = field(default_factory=list)


def export(asked):
    tool, folder, made = build.motion_scenes(), CACHE / "motion", []
    folder.mkdir(parents=True, exist_ok=True)
    wanted = asked.scenes.split(",") if asked.scenes else QUICK if asked.quick else None
    for line in call([tool, folder], "motion-scenes").splitlines():
        file, group, *counts, truth = line.split("\t")
        name = file.removesuffix(".motion")
        if wanted is None or name in wanted:
            known = {"-": None, "clear": "clear"}
            bounds = known[truth] if truth in known else tuple(map(float, truth.split()))
            made.append(Scene(name, folder / file, group, tuple(map(int, counts)), bounds))
    if not made:
        raise Failed(f"no scene of {', '.join(wanted)}")
    return made


def read(text):
    """A run's result."""
    about, lines = rows(text)
    ((verdict, lo, hi, us),) = lines
    if verdict not in ("contact", "clear", "undecided"):
        raise ValueError(f"there is no verdict {verdict}")
    return Run(verdict, float(lo), float(hi), float(us), about)


def limited(words, asked):
    """A program's output; Failed if it takes more than the limit of processor time. Not by `prlimit`, which
    makes the clock of the process as coarse as the kernel's ticks."""
    child = subprocess.Popen(
        [str(word) for word in ["taskset", "-c", asked.core, *words]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    while True:
        try:
            text, told = child.communicate(timeout=SECONDS)
            break
        except subprocess.TimeoutExpired:
            if consumed(child.pid) > asked.limit:
                child.kill()
                child.communicate()
                raise Failed(f"over the limit of {asked.limit} s") from None
    if child.returncode:
        raise Failed(f"failed: status {child.returncode}: {complaint(told)}")
    return text


def consumed(pid):
    """Seconds of processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def race(racing, scene, asked, record):
    """Every program on a scene, all in turn."""
    for turn in range(1 if asked.quick else ROUNDS):
        for racer in racing:
            known = scene.found.setdefault(racer.name, Run(problem=racer.problem))
            if known.problem or known.us > LONG:
                continue
            words = [racer.program, scene.path, asked.repeat, *([racer.way] if racer.way else [])]
            try:
                text = limited(words, asked)
                one = read(text)
            except (Failed, ValueError) as why:
                if racer.name.startswith(OURS):
                    raise Failed(f"{racer.name} on {scene.name}: {why}") from None
                known.problem = str(why)
                say(f"  {racer.name} on {scene.name}: {why}")
                continue
            record.add(f"{scene.name}.{racer.name}.{turn}", text)
            one.us = min(one.us, known.us) if known.verdict else one.us
            scene.found[racer.name] = one


class File:
    """The meshes of a scene's file."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        magic, version, length = struct.unpack_from("<8sII", self.bytes)
        if (magic, version) != (b"IMPMOTIO", 1):
            raise ValueError(f"{path}: not a file of a motion of version 1")
        at, self.meshes = 16 + length + 4, []
        for _ in range(2):
            points, triangles = struct.unpack_from("<II", self.bytes, at)
            self.meshes.append((at + 8, at + 8 + 24 * points))
            at += 8 + 24 * points + 12 * triangles

    def corners(self, which, triangle):
        points, faces = self.meshes[which]
        face = struct.unpack_from("<3I", self.bytes, faces + 12 * triangle)
        return [struct.unpack_from("<3d", self.bytes, points + 24 * i) for i in face]


def check(scene):
    """Compares our sweep with geometry, and its contact with rational numbers."""
    ours = scene.found[OURS]
    if ours.verdict == "undecided":
        return
    if scene.truth == "clear" and ours.verdict != "clear":
        scene.wrong.append("a contact, but geometry proves that there is none")
    if isinstance(scene.truth, tuple):
        lo, hi = scene.truth
        # Not `>`: NaN, without a contact, is wrong, too.
        if not (ours.lo <= hi + SLACK and lo - SLACK <= ours.hi):
            scene.wrong.append(
                f"contact from {ours.lo!r} to {ours.hi!r}, but from {lo!r} to {hi!r} by geometry"
            )
    if ours.verdict == "contact":
        file = File(scene.path)
        pose = [Fraction(float(x)) for x in ours.about["pose"].split()]
        triangles = [
            [tuple(map(Fraction, corner)) for corner in file.corners(which, int(i))]
            for which, i in enumerate(ours.about["pair"].split())
        ]
        if squared(triangles[0], [place(pose, corner) for corner in triangles[1]]) != 0:
            scene.wrong.append("its two triangles do not meet at its pose")


def run(asked):
    call(["taskset", "--version"], "taskset")
    racing, scenes = racers(), export(asked)
    points = motion_points.queries(asked)
    described = report.machine(asked.core)
    record, start = Record(asked.out), time.monotonic()
    for number, scene in enumerate(scenes, 1):
        race(racing, scene, asked, record)
        check(scene)
        told = ", ".join(
            f"{name} {motion_report.verdict(scene, name)} {motion_report.time_of(scene, name)}"
            for name in scene.found
        )
        say(f"[{number}/{len(scenes)}] {scene.name}: {told}")
    motion_points.race(points, asked, record)
    how = (
        f"microseconds of processor time, median of {asked.repeat} passes after an untimed one, of fewer if "
        f"they take over 2 s, and the least of {1 if asked.quick else ROUNDS} runs, all programs in turn, on "
        f"one core, at most {asked.limit} s of it a run. Moving points: one query after the other, median of "
        f"{asked.repeat} passes, the least of {motion_points.ROUNDS} runs in turn. It took "
        f"{time.monotonic() - start:.0f} s; load at the end: {os.getloadavg()[0]:.1f}."
    )
    found = motion_report.tables(scenes, [racer.name for racer in racing], points)
    record.close({"command": asked.command, "method": how, **described}, found)
    page.show(found, "Bars", "Times", "Verdicts", "Results", "Moving points", "Oracles")
    say(f"The record is in {asked.out}.")
    bugs = [f"{scene.name}: {line}" for scene in scenes for line in scene.wrong] + points.wrong
    for bug in bugs:
        say(f"CONTRADICTION: {bug}")
    return 1 if bugs else 0
