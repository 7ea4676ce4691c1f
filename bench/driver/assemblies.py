"""Race of whole assemblies: every clash of a file, measured over the whole process, reading included."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from . import build, page, posed, report
from .bars import Bar, bars_table
from .engines import OURS, make
from .process_time import spent
from .programs import complaint, median, rows
from .record import Record
from .shell import CACHE, Failed, say
from .tables import big, geometric_mean, number, table

#: Files of the race, in the folder of models.
FILES = [
    "ifc_schependomlaan_contractors.obj",
    "ifc_schependomlaan_root.obj",
    "asm_ReciprocatingSaw.obj",
    "asm_as1_oc_214.obj",
    "brep_Axis_of_bearing.obj",
    "robot_panda_collision.obj",
    "robot_ur5_robot.obj",
    "asm_voron_SKR_E3_V3_Din_Mount.obj",
    "brep_Motor_c.obj",
    *posed.NAMES,
]
QUICK = ["ifc_schependomlaan_root.obj", "asm_as1_oc_214.obj", "brep_Motor_c.obj", posed.CUBES]

#: The same command with its ordinary options: relations, volumes and depths, a table of 100 rows.
DEFAULT = "impinge-default"

#: Name, builder and method of each program. Ours is the first.
PROGRAMS = [
    (OURS, build.command, ""),
    (DEFAULT, build.command, ""),
    ("cgal-parts", build.assembly_cgal, "parts"),
    ("cgal-all", build.assembly_cgal, "all"),
    ("fcl-obb", build.assembly_fcl, "obb"),
    ("parry3d-f64", build.assembly_parry, ""),
]
#: For each file the fastest of a library's methods is the rival.
RIVALS = {"CGAL": ["cgal-parts", "cgal-all"], "FCL": ["fcl-obb"], "parry": ["parry3d-f64"]}
#: Programs whose counts must equal ours, as both are exact.
EXACT = RIVALS["CGAL"]

WHOLE, REST = "whole process", "without reading"
#: Rival and part of the time -> minimum geometric mean, minimum on each file (if any).
BARS = {
    ("CGAL", WHOLE): (4, 3),
    ("CGAL", REST): (6, None),
    ("FCL", REST): (8, 4),
    ("parry", REST): (8, 4),
}
#: CGAL's time over that of the ordinary check, by medians of the whole process: geometric mean.
DEFAULT_BAR = 1


@dataclass
class Program:
    """Same as `Engine`'s, for `make`."""

    name: str
    maker: object
    method: str = ""
    program: object = None
    problem: str = ""

    def words(self, path):
        if self.name == OURS:
            # The cheapest ordinary output: a table of one row.
            return [self.program, "check", "--surfaces", "--threads", "1", "--limit", "1", path]
        if self.name == DEFAULT:
            return [self.program, "check", "--threads", "1", path]
        return [self.program, path, *(["--method", self.method] if self.method else [])]


@dataclass
class Runs:
    """A program on a file: milliseconds and result of each run."""

    name: str
    problem: str = ""
    about: dict = field(default_factory=dict)
    whole: list = field(default_factory=list)
    #: By the program's own clock; for ours, by the clock of a program that only reads.
    reading: list = field(default_factory=list)
    #: Clashing pairs of parts, pairs of triangles.
    found: object = None

    def add(self, text, whole):
        """Adds a rival's run: its output, and the process's times."""
        about, found, reading = parse(text)
        if self.found not in (None, found):
            raise ValueError("a result that differs from the run before")
        self.about, self.found = about, found
        self.whole.append(whole)
        self.reading.append(reading)

    def time(self, part, of=min):
        """Time of the whole process, or of the rest without reading: the least of all runs, or `of` them."""
        return of(self.whole) - (of(self.reading) if part == REST else 0)

    @property
    def done(self):
        return not self.problem and bool(self.whole)


def parse(text):
    """Parses a runner's output: its description, its counts, milliseconds of reading."""
    about, lines = rows(text)
    if len(lines) != 1 or len(lines[0]) != 4:
        raise ValueError("not one line of four numbers")
    clashing, pairs, reading, _ = lines[0]
    return about, (int(clashing), int(pairs)), float(reading)


@dataclass
class File:
    """One file, and every program on it."""

    path: Path
    #: What we read where parts have poses of their own; the rivals read `path`, with the poses applied.
    posed: Path | None = None
    #: Whether `path` has the same solids to the last bit, so that exact programs agree.
    is_exact: bool = True
    #: Reason for not racing the file.
    problem: str = ""
    runs: dict = field(default_factory=dict)

    @property
    def name(self):
        return self.path.stem

    @property
    def own(self):
        """The file that we read."""
        return self.posed or self.path

    @property
    def ours(self):
        return self.runs[OURS]

    def best(self, rival, part):
        """Name of the fastest of a library's methods, or None."""
        done = [name for name in RIVALS[rival] if name in self.runs and self.runs[name].done]
        return min(done, key=lambda name: self.runs[name].time(part), default=None)

    def ratio(self, rival, part, of=min):
        best = self.best(rival, part)
        if best is None or not self.ours.done:
            return None
        return self.runs[best].time(part, of) / self.ours.time(part, of)

    def contradictions(self):
        """Exact rivals whose counts differ from ours, although they skipped nothing."""
        for name in EXACT if self.is_exact else []:
            runs = self.runs.get(name)
            if runs and runs.done and self.ours.done and runs.found != self.ours.found:
                if runs.about.get("left_out") == "0":
                    yield f"{self.name}: {name} finds {told(runs.found)}, we {told(self.ours.found)}"


def told(found):
    return f"{big(found[0])} clashes, {big(found[1])} pairs of triangles"


def once(program, path, asked):
    """One run: its output, and its milliseconds."""
    # For ours, status 1 means that there are clashes.
    return measured(program.words(path), asked, (0, 1) if program.name in (OURS, DEFAULT) else (0,))


def measured(words, asked, statuses):
    """Output and milliseconds of a command; Failed if its status is none of these."""
    with open(CACHE / "assembly.out", "w+") as out:
        whole, status, told = spent(words, asked.core, asked.limit, out)
        if status not in statuses:
            raise Failed(f"failed: status {status}: {complaint(told)}")
        out.seek(0)
        return out.read(), whole


def answer(program, path, asked):
    """Our counts, from an untimed run with JSON output."""
    words = [program.program, "check", "--surfaces", "--threads", "1", "--format", "json", path]
    told = json.loads(measured(words, asked, (0, 1))[0])
    triangles = sum(part["triangles"] for part in told["parts"])
    about = {
        "engine": "impinge check --threads 1 --limit 1",
        "version": told["impinge"],
        "flags": f"--release {build.RUSTFLAGS}",
        "notes": "the command that users have; it names every part and prints a table of one row",
        "parts": str(told["coverage"]["parts"]),
        "triangles": str(triangles),
        "left_out": "0",
    }
    return about, (told["coverage"]["clashing"], told["coverage"]["triangle_pairs"])


def turn(file, programs, reading, asked, timed):
    """Runs every program once on a file; any failure becomes the program's problem."""
    for program in programs:
        runs = file.runs.setdefault(program.name, Runs(program.name, program.problem))
        if runs.problem:
            continue
        try:
            if program.name == OURS:
                if not timed:
                    runs.about, runs.found = answer(program, file.own, asked)
                _, whole = once(program, file.own, asked)
                text, _ = once(reading, file.own, asked)
                if timed:
                    runs.whole.append(whole)
                    runs.reading.append(parse(text)[2])
            elif program.name == DEFAULT:
                # It comes after ours, with the same reader; its table has no counts to compare.
                _, whole = once(program, file.own, asked)
                runs.about, runs.found = file.ours.about, file.ours.found
                if timed:
                    runs.whole.append(whole)
                    runs.reading.append(file.ours.reading[-1])
            else:
                text, whole = once(program, file.path, asked)
                if timed:
                    runs.add(text, whole)
        except (Failed, ValueError, KeyError) as why:
            known = isinstance(why, Failed)
            runs.problem = str(why) if known else f"failed: its output does not keep the contract: {why}"
            say(f"{file.name} {program.name}: {runs.problem}")


def same_assembly(file):
    """Disqualifies a rival that read another assembly than ours."""
    for runs in file.runs.values():
        if runs.done and file.ours.about:
            for key in ("parts", "triangles"):
                if runs.about.get(key) != file.ours.about[key]:
                    runs.problem = f"reads {runs.about.get(key)} {key}, impinge {file.ours.about[key]}"


def collect(asked):
    """The requested files; a missing one is reported by name."""
    names = asked.scenes.split(",") if asked.scenes else QUICK if asked.quick else FILES
    files = []
    for name in names:
        if name in posed.NAMES:
            files.append(with_poses(name, asked))
            continue
        path = Path(name)
        if name in FILES and asked.data is not None:
            path = asked.data / name
        elif path.suffix.lower() != ".obj":
            raise Failed(f"--scenes {name}: --assemblies takes OBJ files")
        # An absolute path cannot be mistaken for an option.
        file = File(path.absolute())
        if not path.is_file():
            file.problem = (
                "no such file" if asked.data or name not in FILES else "no folder of models: --data"
            )
            say(f"NOT RACED: {file.name}: {file.problem}")
        files.append(file)
    if all(file.problem for file in files):
        raise Failed("none of the files exists; --data sets the folder of models")
    return files


def with_poses(name, asked):
    """An assembly whose parts have poses of their own."""
    try:
        made = posed.make(name, asked.data)
    except Failed as why:
        say(f"NOT RACED: {name}: {why}")
        return File(Path(name), problem=str(why))
    return File(made.baked.absolute(), made.posed.absolute(), made.is_exact)


def programs_table(file):
    """One row per program: milliseconds, and counts with their differences from ours."""
    lines = []
    for name, runs in file.runs.items():
        if not runs.done:
            lines.append([file.name, name, *["-"] * 9, runs.problem])
            continue
        ratios = ["-", "-"]
        if file.ours.done:
            ratios = [number(runs.time(part) / file.ours.time(part)) for part in (WHOLE, REST)]
        differs = ["-", "-"]
        if file.ours.done:
            differs = [
                f"{theirs - own:+d}" if theirs != own else ""
                for theirs, own in zip(runs.found, file.ours.found)
            ]
        left_out = runs.about.get("left_out", "-")
        lines.append(
            [
                file.name,
                name,
                number(runs.time(WHOLE)),
                number(runs.time(WHOLE, median)),
                number(min(runs.reading)),
                number(runs.time(REST)),
                *ratios,
                f"{big(runs.found[0])} {differs[0]}".strip(),
                f"{big(runs.found[1])} {differs[1]}".strip(),
                left_out,
                "",
            ]
        )
    head = [
        "file",
        "program",
        "whole ms",
        "median",
        "reading",
        "rest",
        "x ours, whole",
        "x ours, rest",
        "clashes",
        "triangle pairs",
        "left out",
        "note",
    ]
    return table(head, lines)


def per_file(files):
    """For each file the ratios of the bars, with a mark on those under their bar."""
    head, lines = ["file", "CGAL's quickest"], []
    head += [
        f"x {rival}, {part}" + (f" (>= {least})" if least else "")
        for (rival, part), (_, least) in BARS.items()
    ]
    for file in files:
        if file.problem:
            lines.append([file.name, "-", *["-"] * len(BARS)])
            continue
        line = [file.name, file.best("CGAL", WHOLE) or "-"]
        for (rival, part), (_, least) in BARS.items():
            ratio = file.ratio(rival, part)
            under = ratio is not None and least and ratio < least
            line.append("-" if ratio is None else number(ratio) + (" under" if under else ""))
        lines.append(line)
    return table(head, lines)


def default_bar(raced):
    """The ordinary check, which finds relations, volumes and depths, against CGAL's pairs of triangles."""
    bar = Bar("ordinary check, whole process, x CGAL, geometric mean", f">= {DEFAULT_BAR}")
    ratios = {}
    for file in raced:
        ours, best = file.runs.get(DEFAULT), file.best("CGAL", WHOLE)
        if best and ours and ours.done:
            ratios[file.name] = file.runs[best].time(WHOLE, median) / ours.time(WHOLE, median)
    if not ratios:
        bar.detail = "not in this run"
        return bar
    value = geometric_mean(list(ratios.values()))
    bar.found, bar.reached = number(value), value >= DEFAULT_BAR
    least_first = sorted(ratios.items(), key=lambda row: row[1])
    listed = ", ".join(f"{name} {number(ratio)}" for name, ratio in least_first)
    bar.detail = f"by medians, over {len(ratios)} files: {listed}"
    return bar


def bars(files):
    """The goals of the command, and whether this run reaches them."""
    raced = [file for file in files if not file.problem]
    found = [default_bar(raced)]
    for (rival, part), (mean, least) in BARS.items():
        ratios = sorted(
            (file.ratio(rival, part), file.name) for file in raced if file.ratio(rival, part) is not None
        )
        medians = [file.ratio(rival, part, median) for file in raced if file.ratio(rival, part) is not None]
        ours_failed = [file.name for file in raced if not file.ours.done]
        missing = [file.name for file in raced if file.ours.done and file.ratio(rival, part) is None]
        bar = Bar(f"{part}, x {rival}, geometric mean", f">= {mean}")
        floor = Bar(f"{part}, x {rival}, each file", f">= {least}")
        if ratios:
            value = geometric_mean([ratio for ratio, _ in ratios])
            bar.found, bar.reached = number(value), value >= mean
            bar.detail = f"over {len(ratios)} files; by medians {number(geometric_mean(medians))}"
            floor.found, floor.reached = number(ratios[0][0]), least is None or ratios[0][0] >= least
            under = [f"{name} {number(ratio)}" for ratio, name in ratios if least and ratio < least]
            floor.detail = f"under it {len(under)} of {len(ratios)} files"
            floor.detail += f": {', '.join(under)}" if under else f"; least: {ratios[0][1]}"
        else:
            bar.detail = floor.detail = "not in this run"
        for one in (bar, floor):
            if missing and ratios:
                one.detail += f"; omitted, no number of theirs: {', '.join(missing)}"
            if ours_failed:
                one.reached, one.detail = False, f"no number of ours on {', '.join(ours_failed)}"
        found += [bar] if least is None else [bar, floor]
    return found


def tables(files, programs):
    """The results of a race by name."""
    raced = [file for file in files if not file.problem]
    times = [programs_table(file) for file in raced]
    listed = []
    for program in programs:
        about = next((f.runs[program.name].about for f in raced if f.runs[program.name].about), {})
        words = [about.get(key, "-") for key in ("engine", "version", "flags", "notes")]
        listed.append([program.name, *words])
    sizes = []
    for file in files:
        about = {} if file.problem else file.ours.about
        counts = [big(about[key]) if key in about else "-" for key in ("parts", "triangles")]
        sizes.append([file.name, *counts, file.problem])
    return {
        "Bars": bars_table(bars(files)),
        "Ratios": per_file(files),
        "Times": table(times[0].head, [row for one in times for row in one.rows]),
        "Engines": table(["name", "engine", "version", "built with", "notes"], listed),
        "Scenes": table(["file", "parts", "triangles", "note"], sizes),
    }


def record(files):
    """All runs, in milliseconds."""
    lines = ["#file\tprogram\trun\twhole_ms\treading_ms\tclashing\ttriangle_pairs\tleft_out"]
    for file in files:
        for name, runs in file.runs.items():
            for number_of_run, (whole, reading) in enumerate(zip(runs.whole, runs.reading)):
                words = [file.name, name, number_of_run, f"{whole:.3f}", f"{reading:.3f}", *runs.found]
                lines.append("\t".join(map(str, [*words, runs.about.get("left_out", "-")])))
    return "\n".join(lines) + "\n"


def run(asked):
    names = asked.engines.split(",") if asked.engines else []
    unknown = set(names) - {row[0] for row in PROGRAMS}
    if unknown:
        raise Failed(f"no program of --assemblies is called {', '.join(sorted(unknown))}")
    files = collect(asked)
    wanted = [row for row in PROGRAMS if row[0] == OURS or not names or row[0] in names]
    programs = [Program(*row) for row in wanted]
    reading = Program("reading", build.assembly_reading)
    make([*programs, reading])
    for needed in (programs[0], reading):
        if needed.problem:
            raise Failed(needed.problem)
    described = report.machine(asked.core)
    raced = [file for file in files if not file.problem]
    for number_of_run in range(asked.repeat + 1):
        for file in raced:
            turn(file, programs, reading, asked, timed=number_of_run > 0)
        say(f"run {number_of_run} of {asked.repeat}" if number_of_run else "one run to warm up: done")
    for file in raced:
        same_assembly(file)
    how = (
        f"{asked.repeat} runs of each program on each file, all programs in turn, after one that is not "
        f"timed; one thread, on one core; processor time, user and system. `whole` is the process from start "
        f"to end: the least of all runs, with the median beside it. `reading` is a clock in the program, for "
        f"ours that of a program that only reads. `rest` is whole less reading."
    )
    made, found = Record(asked.out), tables(files, programs)
    made.add("times", record(raced))
    made.close({"command": asked.command, "method": how, **described}, found)
    page.show(found, "Bars", "Ratios", "Times")
    contradictions = [one for file in raced for one in file.contradictions()]
    for one in contradictions:
        say(f"CONTRADICTION: {one}")
    say(f"The record is in {asked.out}.")
    return 1 if contradictions else 0
