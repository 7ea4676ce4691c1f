"""Races of many bodies: bodies that all move, and boxes only."""

from dataclasses import dataclass, field

from . import build, page, report
from .engines import make
from .programs import median, printed, rows
from .race import QUERIES
from .record import Record
from .shell import CACHE, Failed, call, say
from .tables import number, table

#: Number of untimed frames at the start.
WARM = {"bodies": 20, "boxes": 2}
#: Number of timed frames; FEW for engines that take seconds a frame, and run only once.
FRAMES, QUICK, FEW = {"bodies": 480, "boxes": 40}, 20, 2


@dataclass
class Entry:
    """An engine in one race."""

    name: str
    maker: object
    method: str
    slow: bool = False
    #: Same as `Engine`'s, for `make`.
    program: object = None
    problem: str = ""
    about: dict = field(default_factory=dict)
    #: For each frame: the times of the runs, and (pairs, pairs of triangles, digest).
    times: dict = field(default_factory=dict)
    found: dict = field(default_factory=dict)

    def time(self, frame):
        """Nanoseconds: the median of the runs."""
        return median(self.times[frame])


#: Ours is the first of each race.
RACES = {
    "bodies": [
        ("impinge", build.many_impinge, "auto:rotated"),
        ("impinge-cubic", build.many_impinge, "auto:cubic"),
        ("fcl-obb", build.many_fcl, "obb"),
        ("fcl-obbrss", build.many_fcl, "obbrss"),
        ("parry3d-f64", build.many_parry, "refit"),
        ("parry3d-f64-changes", build.many_parry, "changes"),
    ],
    "boxes": [
        ("impinge-tree", build.many_impinge, "dynamic-tree"),
        ("impinge-grid", build.many_impinge, "grid"),
        ("impinge-brute-force", build.many_impinge, "brute-force", True),
        ("fcl-tree", build.many_fcl, "tree"),
        ("fcl-tree-insert", build.many_fcl, "tree-insert"),
        ("fcl-tree-array", build.many_fcl, "tree-array"),
        ("fcl-ssap", build.many_fcl, "ssap", True),
        ("fcl-interval", build.many_fcl, "interval", True),
        ("parry3d-f64", build.many_parry, "refit"),
        ("parry3d-f64-changes", build.many_parry, "changes"),
        ("parry3d-f64-rebuild", build.many_parry, "rebuild"),
        ("cgal-boxes", build.many_cgal, ""),
    ],
}
TITLES = {
    ("bodies", "first"): "200 bodies, which meet",
    ("bodies", "pairs"): "200 bodies, all pairs of triangles",
    ("boxes", "first"): "100,000 boxes, which meet",
}


def entries(race, names):
    every = [Entry(*row) for row in RACES[race]]
    return [e for i, e in enumerate(every) if i == 0 or not names or e.name in names]


def read(entry, text):
    """Adds a run's output to the entry."""
    about, lines = rows(text)
    entry.about.update(about)
    for words in lines:
        frame, found = int(words[0]), (int(words[2]), int(words[3]), words[4])
        entry.times.setdefault(frame, []).append(int(words[1]))
        if entry.found.setdefault(frame, found) != found:
            raise ValueError(f"frame {frame}: a result that differs from the run before")
    if not entry.times:
        raise ValueError("no frames")


def once(entry, path, race, query, asked, record, number_of_run):
    """Runs an entry once more; any failure becomes its problem."""
    frames = FEW if entry.slow else QUICK if asked.quick else FRAMES[race]
    words = [
        entry.program,
        path,
        "--method",
        entry.method,
        "--query",
        query,
        "--warm",
        WARM[race],
        "--frames",
        frames,
    ]
    try:
        text = printed(words, asked.core, asked.limit)
    except Failed as why:
        entry.problem = str(why)
        return
    record.add(f"{race}.{entry.name}.{query}.{number_of_run}", text)
    try:
        read(entry, text)
    except (ValueError, IndexError) as why:
        entry.problem = f"failed: its output does not keep the contract: {why}"


def engines_table(found, triangles):
    """One row per entry; ratios and differences are over the frames that it shares with ours."""
    ours, lines = found[0], []
    for entry in found:
        frames = sorted(entry.times)
        shared = [f for f in frames if f in ours.times]
        if entry.problem or not frames:
            lines.append([entry.name, *["-"] * (7 if triangles else 6), entry.problem])
            continue
        mean = sum(map(entry.time, frames)) / len(frames)
        known = shared and not ours.problem
        ratio = number(sum(map(entry.time, shared)) / sum(map(ours.time, shared))) if known else "-"
        pairs = sum(entry.found[f][0] for f in frames) / len(frames)
        of_triangles = [number(sum(entry.found[f][1] for f in frames) / len(frames))] if triangles else []
        differ = sum(entry.found[f] != ours.found[f] for f in shared) if known else "-"
        lines.append(
            [
                entry.name,
                number(mean / 1e6),
                number(max(map(entry.time, frames)) / 1e6),
                ratio,
                number(pairs),
                *of_triangles,
                differ,
                len(frames),
                entry.problem,
            ]
        )
    head = [
        "engine",
        "ms a frame",
        "worst frame",
        "x ours",
        "pairs a frame",
        *(["of triangles"] if triangles else []),
        "frames that differ",
        "frames",
        "note",
    ]
    return table(head, lines)


def export(quick):
    folder = CACHE / ("many-quick" if quick else "many")
    say("export the scenes of many")
    build.exporter([str(folder), *(["--quick"] if quick else [])], "many")
    return {"bodies": folder / "teapots-200.bodies", "boxes": folder / "boxes.boxes"}


def run(asked):
    call(["taskset", "--version"], "taskset")
    names = asked.engines.split(",") if asked.engines else []
    unknown = set(names) - {row[0] for race in RACES.values() for row in race}
    if unknown:
        raise Failed(f"--many has no engine {', '.join(sorted(unknown))}")
    races = [("bodies", query) for query in reversed(QUERIES) if asked.query in (query, "both")] + [
        ("boxes", "first")
    ]
    races = {(race, query): entries(race, names) for race, query in races}
    every = [entry for found in races.values() for entry in found]
    make(every)
    paths = export(asked.quick)
    # Before files of the record are removed, which git would report as a change.
    described = report.machine(asked.core)
    record, made = Record(asked.out), {}
    how = (
        f"{asked.repeat} runs of each engine in turn, on one core; a frame's time is the median of the runs, "
        f"in processor time of the process. Engines that take seconds a frame have {FEW} frames and one run."
        + (" Quick: few frames, 10,000 boxes." if asked.quick else "")
    )
    for (race, query), found in races.items():
        for turn in range(asked.repeat):
            for entry in found:
                if not entry.problem and not (entry.slow and turn):
                    once(entry, paths[race], race, query, asked, record, turn)
                    say(f"{race} {query} run {turn + 1} {entry.name}: {entry.problem or 'done'}")
        made[TITLES[race, query]] = engines_table(found, query == "pairs")
    listed = [
        [
            e.name,
            race,
            e.about.get("engine", "-"),
            e.about.get("version", "-"),
            e.about.get("flags", "-"),
            e.about.get("notes", "-"),
        ]
        for (race, query), found in races.items()
        for e in found
        if race == "boxes" or query == list(races)[0][1]
    ]
    page.show(made, *made)
    made["Engines"] = table(["name", "race", "engine", "version", "built with", "notes"], listed)
    record.close({"command": asked.command, "method": how, **described}, made)
    say(f"The record is in {asked.out}.")
    return 0
