"""Relations of two bodies: impinge against exact oracles, and a race of relations."""

import sys
import time
from dataclasses import dataclass, field, replace

from . import build, fetch, page, report, solids_ourselves, solids_report, solids_volumes
from .programs import printed, rows
from .record import Record
from .shell import BENCH, CACHE, Failed, call, say

OURS, DEMAND = "impinge", "impinge-on-demand"
#: Seed of the pairs, and of the points.
SEED = 2
COUNTS = {"pairs": (5000, 200), "points": (1_000_000, 20_000), "real": (400, 40)}
#: Rivals from PyPI, for all of `--solids` and of solids/cases.py.
PYPI = [
    "manifold3d==3.5.4",
    "numpy",
    "scipy",
    "python-fcl==0.7.0.11",
    f"coal=={fetch.COAL}",
    "trimesh==5.2.0",
    "rtree",
    "pyvista==0.49.1",
    "ifcopenshell==0.9.0.post1",
]
VENV = CACHE / "venv-solids"
#: Sets of real parts that are also checked with Nef polyhedra: those of few triangles.
NEF = ("house", "contractors")
#: Sets whose exact volumes take corefinement too long.
LARGE = ("spheres-5120", "spheres-20480")
#: Share of the volume up to which a common volume counts as none, and from one minus which it counts as all.
LITTLE = 1e-6


@dataclass
class Racer:
    """A program in the race."""

    name: str
    words: object
    #: Reason that it does not race.
    problem: str = ""
    #: Name of its record, if not its own name.
    log: str = ""
    #: For each set of pairs: its description, and (result, query, whole) of each pair.
    about: dict = field(default_factory=dict)
    found: dict = field(default_factory=dict)
    #: Reason of failure for each set that it did not complete.
    failed: dict = field(default_factory=dict)


def python(names=("manifold3d", "numpy")):
    """A virtual environment with the rivals of PyPI; a missing one is named."""
    made = VENV / "bin" / "python"
    if not made.exists():
        call([sys.executable, "-m", "venv", VENV], "making a venv")
    missing = {}
    for wanted in PYPI:
        name = wanted.split("==")[0]
        if name not in names:
            continue
        try:
            call([made, "-m", "pip", "install", "-q", wanted], f"pip install {wanted}")
        except Failed as why:
            missing[name] = str(why)
            say(f"  NOT INSTALLED: {why}")
    return made, missing


def once(words, asked, name=None):
    """A program's description, and its lines; recorded if the run has a name."""
    text = printed(words, asked.core, asked.limit)
    if name:
        asked.record.add(name, text)
    return rows(text)


def names_of_pairs(path):
    """The names, and whether both bodies equal their meshes, without pieces."""
    sys.path.insert(0, str(BENCH / "solids"))
    import layout

    return layout.names(path)


@dataclass
class Checked:
    """An oracle's results beside ours."""

    title: str
    about: dict
    asked: int = 0
    agreed: int = 0
    #: (ours, theirs) -> count.
    counts: dict = field(default_factory=dict)
    #: Contradictions, and pairs without a result of the oracle: a line each.
    against: list = field(default_factory=list)
    silent: list = field(default_factory=list)
    note: str = ""

    def take(self, what, ours, theirs, agrees):
        self.asked += 1
        self.agreed += agrees
        self.counts[ours, theirs] = self.counts.get((ours, theirs), 0) + 1
        if not agrees:
            self.against.append(f"{what}: impinge has {ours}, {self.title} {theirs}")


def check_nef(tools, asked, path, ours, what_of, log):
    """Comparison with Nef polyhedra; their relation by pair."""
    known, exact = names_of_pairs(path), {}
    about, theirs = once([tools["nef"], "relation", path], asked, log)
    one = Checked(f"CGAL's Nef polyhedra, {what_of}", about)
    one.note = (
        "Exact numbers, poses applied in them. The contact of surfaces is compared if neither body has "
        "walls inside, and the bodies do not overlap."
    )
    for own, their in zip(ours, theirs, strict=True):
        name, plain = known[int(own[0])]
        if their[1].startswith("failed"):
            one.silent.append(f"pair {own[0]} ({name}), {own[1]} to impinge: {their[1]}")
            continue
        exact[own[0]] = their[1]
        surfaces = plain and their[2] != "-"
        words = [f"{row[1]}, touching" if surfaces and row[2] == "1" else row[1] for row in (own, their)]
        one.take(f"pair {own[0]} ({name})", *words, words[0] == words[1])
    say(f"relations, {what_of}: {one.agreed} of {one.asked} agree with CGAL's Nef polyhedra")
    return one, exact


def check_real(tools, asked, files, checked):
    """Comparison for parts of real files."""
    for name, path in files.items():
        if tools.get("nef") and name in NEF:
            _, ours = once([tools["impinge"], "relation", path], asked)
            one, _ = check_nef(tools, asked, path, ours, name, f"relations.{name}.nef")
            checked.append(one)


def families(tools, asked):
    """A file of pairs of all families."""
    path = CACHE / "solids" / "families.pairs"
    call([tools["pairs"], "families", path, COUNTS["pairs"][asked.quick], SEED], "solids-pairs")
    return path


def check_relations(tools, asked, checked):
    """Comparison with Nef polyhedra, and with volumes of manifold3d; the file of pairs."""
    path = families(tools, asked)
    known = names_of_pairs(path)
    _, ours = once([tools["impinge"], "relation", path], asked, "relations.impinge")
    say(f"relations: impinge has answered {len(ours)} pairs")
    exact = {}
    if tools.get("nef"):
        one, exact = check_nef(tools, asked, path, ours, "families", "relations.nef")
        checked.append(one)
    if tools.get("python"):
        about, theirs = once([*tools["manifold3d"], "volumes", path], asked, "relations.manifold3d")
        one = Checked("manifold3d, families", about)
        one.note = (
            f"Volumes in floating point, of pairs of embedded two-manifolds: up to {LITTLE} of the smaller "
            "in common is none, all but that is all. Bodies at poses, and contacts, are rounded; "
            "so this is no oracle, and its differences are listed separately."
        )
        confirmed = 0
        for own, their in zip(ours, theirs, strict=True):
            if their[1] == "-":
                continue
            what = f"pair {own[0]} ({known[int(own[0])][0]})"
            if their[1].startswith("failed"):
                one.silent.append(f"{what}: {their[1]}")
                continue
            kind = by_volumes(*map(float, their[1:4]))
            mine = "apart or touch" if own[1] in ("apart", "touch") else own[1]
            one.take(what, mine, kind, mine == kind)
            if mine != kind:
                confirmed += exact.get(own[0]) == own[1]
        one.note += (
            f" Of {len(one.against)} that differ, CGAL's Nef polyhedra agree with impinge in {confirmed}."
        )
        checked.append(one)
        say(f"relations: {one.agreed} of {one.asked} agree with manifold3d")
    return path


def by_volumes(common, a, b):
    """The relation that volumes imply, up to `LITTLE`."""
    least = min(a, b)
    if common <= LITTLE * least:
        return "apart or touch"
    in_a, in_b = common >= (1 - LITTLE) * b, common >= (1 - LITTLE) * a
    return "same" if in_a and in_b else "b-in-a" if in_a else "a-in-b" if in_b else "overlap"


def check_points(tools, asked, checked):
    """Point location, against `Side_of_triangle_mesh`."""
    if not tools.get("side"):
        return
    path = CACHE / "solids" / "all.points"
    count = COUNTS["points"][asked.quick]
    data = [asked.data] if asked.data else []
    call([tools["pairs"], "points", path, count, SEED, *data], "solids-pairs")
    # Letters of a million points are not recorded, only the count of each.
    _, ours = once([tools["impinge"], "locate", path], asked)
    about, theirs = once([tools["side"], path], asked)
    one = Checked("CGAL's Side_of_triangle_mesh", about)
    one.note = "Exact predicates, points and meshes as given. i inside, o outside, s on the surface."
    lines = ["#set\tpoints\timpinge_us\tcgal_us"]
    for (name, mine, us), (_, their, their_us) in zip(ours, theirs, strict=True):
        for index, (a, b) in enumerate(zip(mine, their, strict=True)):
            one.take(f"{name}, point {index}", a, b, a == b)
        lines.append(f"{name}\t{len(mine)}\t{us}\t{their_us}")
    asked.record.add("points", "\n".join(lines) + "\n")
    checked.append(one)
    say(f"points: {one.agreed} of {one.asked} agree with CGAL's Side_of_triangle_mesh")


def sets(tools, asked):
    """Files of pairs for the race."""
    folder, made, notes = CACHE / "solids", {}, []
    count = COUNTS["real"][asked.quick]
    for name, file in (
        ("house", "ifc_schependomlaan_root.obj"),
        ("contractors", "ifc_schependomlaan_contractors.obj"),
        ("saw", "asm_ReciprocatingSaw.obj"),
    ):
        if asked.data is None or not (asked.data / file).is_file():
            notes.append(f"{name}: NOT RACED: no {file} in the folder of models (--data)")
            continue
        made[name] = folder / f"{name}.pairs"
        told = call([tools["pairs"], "real", made[name], count, asked.data / file], "solids-pairs").strip()
        notes.append(f"{name}: {told.rpartition('/')[2]} of closed two-manifolds whose boxes meet")
    for level in range(1, 4 if asked.quick else 6):
        name = f"spheres-{20 * 4**level}"
        made[name] = folder / f"{name}.pairs"
        call([tools["pairs"], "spheres", made[name], level, level], "solids-pairs")
    return made, notes


def of_ours(tools, question, passes, log=""):
    """Both of ours, with a tree of the default quality and one on demand."""
    return [
        Racer(
            name,
            lambda path, quality=quality: [tools["impinge"], "race", question, path, passes, quality],
            log=log and name.replace(OURS, log),
        )
        for name, quality in ((OURS, "high"), (DEMAND, "on-demand"))
    ]


def race(tools, asked, files):
    """Every racer on every set; and those of volumes."""
    passes, few = asked.repeat, solids_report.FEW
    made = of_ours(tools, "relation", passes)
    volumes = of_ours(tools, "volume", passes, "impinge-volume")
    wanted = [
        ("manifold3d", "python", lambda path: [*tools["manifold3d"], "race", path, passes]),
        ("cgal-corefine", "race", lambda path: [tools["race"], path, "corefine", passes]),
        ("cgal-rigid", "race", lambda path: [tools["race"], path, "rigid", passes]),
        ("manifold-rust", "manifold-rust", lambda path: [tools["manifold-rust"], path, "exact", passes]),
        (
            "manifold-rust-robust",
            "manifold-rust",
            lambda path: [tools["manifold-rust"], path, "robust", few],
        ),
    ]
    made += [Racer(name, words, problem=tools["why"].get(tool, "")) for name, tool, words in wanted]
    for name, path in files.items():
        for racer in [*made, *volumes]:
            if racer.problem:
                continue
            start, called = time.monotonic(), racer.log or racer.name
            try:
                about, lines = once(racer.words(path), asked, f"race.{name}.{called}")
                racer.about = racer.about or about
                racer.found[name] = [
                    (row[1], None, None) if row[2] == "-" else (row[1], float(row[2]), float(row[3]))
                    for row in lines
                ]
                say(f"race {name} {called}: {len(lines)} pairs, {time.monotonic() - start:.0f} s")
            except Failed as why:
                if racer.name == OURS:
                    raise
                racer.failed[name] = str(why)
                say(f"race {name} {called}: {why}")
    known = {name: [pair[0] for pair in names_of_pairs(path)] for name, path in files.items()}
    return made, by_relation(volumes, made), known


def by_relation(volumes, racers):
    """The racers of volumes: for ours, relations as results, and no times without a volume; and the others
    that compute a volume."""
    kinds = next(racer for racer in racers if racer.name == OURS).found
    made = []
    for racer in volumes:
        found = {
            name: [
                (f"no volume, {kind[0]}", None, None) if row[0] == "none" else (kind[0], *row[1:])
                for row, kind in zip(rows, kinds[name], strict=True)
            ]
            for name, rows in racer.found.items()
        }
        made.append(replace(racer, found=found))
    return made + [racer for racer in racers if racer.name in solids_report.VOLUMES]


def make():
    """Programs, and the reason for each that could not be built."""
    tools = {"why": {}}
    for name, maker in (
        ("pairs", build.solids_pairs),
        ("impinge", build.solids_impinge),
        ("nef", build.solids_nef),
        ("volume", build.solids_volume),
        ("side", build.solids_side),
        ("race", build.solids_race),
        ("manifold-rust", build.manifold_rust),
    ):
        say(f"build {name}")
        try:
            tools[name] = maker()
        except Failed as why:
            if name in ("pairs", "impinge"):
                raise
            tools["why"][name] = str(why)
            say(f"  NOT BUILT: {why}")
    found, missing = python()
    if missing:
        tools["why"]["python"] = "; ".join(missing.values())
    else:
        tools["python"] = found
        tools["manifold3d"] = [found, BENCH / "solids" / "manifold.py"]
    return tools


def run(asked):
    call(["taskset", "--version"], "taskset")
    (CACHE / "solids").mkdir(parents=True, exist_ok=True)
    tools = make()
    # Before files of the record are removed, which git would report as a change.
    described = report.machine(asked.core)
    asked.record = Record(asked.out)
    checked = []
    files, notes = sets(tools, asked)
    every = {"families": check_relations(tools, asked, checked)}
    check_real(tools, asked, files, checked)
    check_points(tools, asked, checked)
    every.update({name: path for name, path in files.items() if name not in LARGE})
    volumes = solids_volumes.check(tools, asked, every, ("families", *NEF), once, names_of_pairs)
    own = solids_ourselves.ask(tools, asked, files, once, names_of_pairs)
    racers, of_volumes, known = race(tools, asked, files)
    found = solids_report.Found(checked, volumes, own, racers, of_volumes, known, tools["why"])
    made = solids_report.tables(found)
    how = (
        f"{asked.repeat} timed passes over the pairs of a set, after an untimed one (manifold-rust-robust: "
        f"{solids_report.FEW}); a pair's time is the median, in processor time, one core, one program at a "
        f"time. `query`: models exist already. `whole`: from arrays of points and triangles to the result; "
        f"`on demand`: ours with a tree only if it pays. {'; '.join(notes + volumes.notes)}."
        + (" Quick: few pairs." if asked.quick else "")
    )
    asked.record.close({"command": asked.command, "method": how, **described}, made)
    page.show(made, "Oracles", "Intervals of volumes", "Relation", "Volume", "Bars of volumes")
    say(f"The record is in {asked.out}.")
    bugs = found.contradictions
    for bug in bugs:
        say(f"CONTRADICTION: {bug}")
    return 1 if bugs else 0
