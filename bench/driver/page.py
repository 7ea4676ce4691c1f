"""TABLES.md: a screen for each record, from its results.tsv."""

from dataclasses import dataclass

from .record import RESULTS, results
from .shell import BENCH, Failed, say
from .tables import Table

PAGE = BENCH / "TABLES.md"
HEAD = """# Records

Every record of this folder, a screen each: the machine, the command, and the tables that matter. All numbers
are in `results.tsv` of the record's folder, the output of every run in its `runs.tsv` or `runs.tsv.xz`.
[README.md](README.md) describes the races, our bias and the caveats. `bench/run --tables` writes this page.

A ratio is a rival's time over ours: above 1 the rival is slower. Beside a time it is in brackets. A bar is a
goal. `-` is no number. `least` and `most` are the range over scenes, files or pairs.
"""


@dataclass
class Shown:
    """A table of the page: its caption, the columns that are shown (all if empty), and the rows."""

    name: str
    caption: str
    columns: tuple = ()
    wanted: object = lambda row: True

    def text(self, tables):
        if self.name not in tables:
            raise Failed(f"{RESULTS} has no table {self.name}")
        of = tables[self.name]
        at = [of.head.index(column) for column in self.columns or of.head]
        rows = [[row[k] for k in at] for row in of.rows if self.wanted(row)]
        return f"{self.caption}\n\n{Table([of.head[k] for k in at], rows)}"


def others(row):
    """Rows of rivals."""
    return not row[0].startswith("impinge")


def means(row):
    return row[0] == "geometric mean"


RACE = ("engine", "x ours, geometric mean", "least", "most", "scenes", "missed", "invented")
#: Bars that the tables of means do not show.
REST = ("soups", "spheres-nested", "FCL OBB", "paper volume", "bytes", "build")
BAR = ("bar", "wanted", "found", "reached")
NEAR = [
    Shown("Distance", "Distance, microseconds a frame:"),
    Shown(
        "Small steps",
        "Distance in small steps, from the last frame's data; rivals have none:",
        ("step", "without a seed", "fcl-obbrss", "fcl-rss", "coal-obbrss", "coal-rss", "parry3d-f64"),
        means,
    ),
    Shown(
        "Bars",
        "Clearance within a margin, and the least of distance:",
        BAR,
        lambda row: row[0].startswith("within") or "each" in row[0],
    ),
]
MANY = ("engine", "ms a frame", "worst frame", "x ours", "pairs a frame", "frames that differ")
SOLIDS = (
    "rival",
    *(f"{of}: {what}" for of in ("query", "whole") for what in ("mean", "least", "rival faster")),
)
#: Folder, title, and tables of each record.
RECORDS = {
    "records/pairs": (
        "All pairs and first contact",
        [
            Shown("All pairs, means", "All pairs, over all scenes:", RACE, others),
            Shown("First contact, means", "First contact, over all scenes:", RACE, others),
            Shown("Costs", "Trees, over all scenes:"),
            Shown("Bars", "Other goals:", BAR, lambda row: any(word in row[0] for word in REST)),
        ],
    ),
    "records/cold": (
        "Cold caches",
        [
            Shown("All pairs, cold", "All pairs, over all scenes:"),
            Shown("First contact, cold", "First contact, over all scenes:"),
            Shown("First contact", "First contact, warm, microseconds a frame:"),
        ],
    ),
    "records/near": ("Distance and clearance, Zen 5", NEAR),
    "records/near-zen1": ("Distance and clearance, Zen 1", NEAR),
    "records/many": (
        "Many bodies",
        [
            Shown(name, f"{name}:", MANY)
            for name in (
                "200 bodies, which meet",
                "200 bodies, all pairs of triangles",
                "100,000 boxes, which meet",
            )
        ],
    ),
    "records/assemblies": (
        "Whole assemblies",
        [
            Shown("Ratios", "Ratios, file by file:"),
            Shown("Bars", "Over all files:", BAR),
            Shown(
                "Times",
                "impinge, milliseconds of processor time, and the results:",
                ("file", "whole ms", "median", "reading", "clashes", "triangle pairs"),
                lambda row: row[1] == "impinge",
            ),
        ],
    ),
    "records/solids": (
        "Solids",
        [
            Shown("Oracles", "Oracles:", ("oracle", "version", "compared", "agree", "differ", "no result")),
            Shown("Relation", "Relations, ratios over all pairs of parts:", SOLIDS),
            Shown("Volume", "Volumes in common, ratios over all pairs of parts:", SOLIDS),
            Shown("Bars of volumes", "Goals of volumes, and against our own plain queries:", BAR),
        ],
    ),
    "records/curves": (
        "Intersection curves",
        [
            Shown("Times", "Times, microseconds a frame:"),
            Shown("Bars", "Goals:", BAR),
            Shown("Oracles", "Oracle:", ("oracle", "version", "compared", "agree", "differ", "no result")),
        ],
    ),
    "records/points": (
        "Points and rays",
        [
            Shown("Ranges", "Ratios by query, mean and range over meshes and sets:"),
            Shown("Bars", "Goals:"),
            Shown(
                "Times",
                "Two of the meshes, nanoseconds a query:",
                wanted=lambda row: row[0] in ("horses", "held-panda"),
            ),
        ],
    ),
    "records/shapes": (
        "Spheres, capsules and hulls",
        [
            Shown("Bars", "Goals, and other means:", BAR),
            Shown("Ratios", "Nanoseconds a frame by kind of pair, geometric means:"),
            Shown("Results", "Results of rivals beside ours:"),
            Shown("Oracles", "Oracle:", ("oracle", "version", "compared", "agree", "differ", "no result")),
        ],
    ),
    "records/motion": (
        "Motion",
        [
            Shown("Times", "Sweeps, microseconds:"),
            Shown("Verdicts", "First contacts:"),
            Shown("Results", "By engine:"),
            Shown("Moving points", "Moving points:"),
            Shown("Bars", "Goals:", BAR),
            Shown("Oracles", "Oracles:", ("oracle", "version", "compared", "agree", "differ", "no result")),
        ],
    ),
    "records/proxies": (
        "Collision models of robots",
        [Shown("Summary", "Links of robots and their collision models ([docs/proxies.md](../docs/proxies.md)):")],
    ),
    "records/matrices": (
        "Collision matrices of robots",
        [Shown("Matrices", "Pairs of links that SRDF files disable ([docs/robots.md](../docs/robots.md)):")],
    ),
    "records/planning": (
        "Planned paths",
        [Shown("Paths", "Paths of OMPL whose motions are sampled at a step, and whether they are free between:")],
    ),
    "records/robots": (
        "Collisions of robots",
        [
            Shown("Time", "Microseconds of a configuration, against Coal on the same pairs:"),
            Shown("Pairs in collision", "Of 1,000 configurations, by both, and why by one alone:"),
        ],
    ),
    "records/js": (
        "WebAssembly",
        [
            Shown("Means", "three-mesh-bvh in Node, over all scenes:"),
            Shown("Times", "Microseconds a query:"),
            Shown("Results", "Results of three-mesh-bvh beside ours:"),
        ],
    ),
    "records/rivals": (
        "trueform, MeshLib and Manifold, from Python",
        [
            Shown("Means", "Ratios over all scenes, geometric mean and least:"),
            Shown("Times", "Microseconds a pose; results compared with ours:"),
        ],
    ),
}


def section(folder, title, shown):
    tables = results(BENCH / folder)
    about = dict(tables["about"].rows)
    model = [f"{key} {about[key]}" for key in ("CPU family", "Model") if key in about]
    machine = about["Model name"] + (f" ({', '.join(model)})" if model else "")
    # A library's configurations share a version: the first names it.
    versions = {}
    for row in tables["Engines"].rows:
        version = dict(zip(tables["Engines"].head, row))["version"]
        if not version.startswith(("this tree", "-")):
            versions.setdefault((row[0].split("-")[0], version), row[0])
    facts = [
        f"* {about['date']}, revision {about['revision'][:10]}, {machine}",
        f"* Versions: {', '.join(f'{name} {version}' for (_, version), name in versions.items())}",
        f"* Run again: `{about['command']}`",
    ]
    return "\n\n".join([f"## {title}", "\n".join(facts), *(one.text(tables) for one in shown)])


def text():
    parts = [section(folder, *of) for folder, of in RECORDS.items()]
    return f"{HEAD}\n" + "\n\n".join(parts) + "\n"


def write():
    PAGE.write_text(text())
    say(f"written: {PAGE}")
    return 0


def show(tables, *names):
    """Prints tables at the end of a race."""
    for name in names:
        if name in tables:
            say(f"\n{name}\n\n{tables[name]}\n")
