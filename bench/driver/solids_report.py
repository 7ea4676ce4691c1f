"""Tables of relations of bodies: REPORT.md and TABLE.md."""

from dataclasses import dataclass

from . import solids_ourselves, solids_volumes
from .bars import Bar, bars_table
from .tables import big, geometric_mean, number, precise, table

OURS, DEMAND = "impinge", "impinge-on-demand"
#: Column of a pair's times: the part that is timed.
PARTS = {1: "query", 2: "whole"}
MEAN, LEAST = 20, 1
#: Rivals of the race for the common volume; the rival whose ratio has a bar, and the bar.
VOLUMES, VOLUME_BAR = ("manifold3d", "cgal-corefine", "manifold-rust", "manifold-rust-robust"), "manifold3d"
VOLUME_MEAN = 10
#: Results by which a racer reports that insides have a common point, and that they do not. `surfaces` and
#: `inclusion` of CGAL's rigid collisions are weaker: `surfaces` includes touching.
SAYS = {"volume": True, "no-volume": False}
APART = {"apart", "touch"}
#: Timed passes of a program that is too slow for more.
FEW = 1
#: Maximum number of listed differences.
LISTED = 20


@dataclass
class Found:
    """All results of a run."""

    checked: list
    volumes: object
    #: For each set, the results that `solids_ourselves` needs.
    own: dict
    racers: list
    #: Racers for the volume in common.
    of_volumes: list
    known: dict
    notes: list
    absent: dict

    @property
    def contradictions(self):
        # manifold3d rounds: it cannot contradict.
        of_cgal = [line for one in self.checked if one.title.startswith("CGAL") for line in one.against]
        return of_cgal + self.volumes.against


@dataclass
class Ratio:
    value: float
    name: str
    kind: str


def ratios(racer, ours, part, known, only=None):
    """For each pair that both have a time for: theirs over ours."""
    found = []
    for name in known if only is None else [only]:
        pairs = zip(racer.found.get(name, []), ours.found.get(name, []), known[name])
        found += [
            Ratio(their[part] / own[part], what, own[0])
            for their, own, what in pairs
            if their[part] is not None and own[part] is not None
        ]
    return found


def summary(found):
    """Geometric mean, least, its place, number of pairs that are slower with us, number of pairs."""
    if not found:
        return ["-"] * 5
    least = min(found, key=lambda one: one.value)
    slower = sum(one.value < 1 for one in found)
    mean = geometric_mean([one.value for one in found])
    return [number(mean), precise(least.value), f"{least.name} ({least.kind})", slower, big(len(found))]


HEAD = ["geometric mean", "least", "where", "slower with us", "pairs"]


def rivals(racers):
    return [racer for racer in racers if racer.name not in (OURS, DEMAND)]


def own(racers, part):
    """The denominator of a rival's ratio."""
    by_name = {racer.name: racer for racer in racers}
    if part == 1:
        return [("query", by_name[OURS])]
    return [("whole", by_name[OURS]), ("whole, on demand", by_name[DEMAND])]


def bars(racers, known, wanted=MEAN, least_wanted=LEAST):
    """`least_wanted`: None if there is no bar for each pair."""
    found = []
    for racer in rivals(racers):
        for part in PARTS:
            for title, ours in own(racers, part):
                every = ratios(racer, ours, part, known)
                mean = Bar(f"{title}, x {racer.name}, geometric mean", f">= {wanted}")
                floor = Bar(f"{title}, x {racer.name}, each pair", f">= {least_wanted}")
                if every:
                    value = geometric_mean([one.value for one in every])
                    least = min(every, key=lambda one: one.value)
                    slower = sum(one.value < 1 for one in every)
                    mean.found, mean.reached = number(value), value >= wanted
                    mean.detail = f"over {big(len(every))} pairs"
                    if least_wanted is None:
                        mean.detail += f"; least: {precise(least.value)}, {least.name}, {least.kind}"
                    floor.found = precise(least.value)
                    floor.reached = least.value >= (least_wanted or 0)
                    floor.detail = f"under it {slower} of {big(len(every))}"
                    floor.detail += f"; least: {least.name}, {least.kind}"
                else:
                    mean.detail = floor.detail = racer.problem or "not in this run"
                if racer.failed:
                    mean.detail += f"; omitted: {', '.join(racer.failed)}"
                found += [mean] if least_wanted is None else [mean, floor]
    return found


def per_set(racers, known, part):
    lines = []
    for title, ours in own(racers, part):
        for racer in rivals(racers):
            for name in known:
                if name in racer.failed or racer.problem:
                    why = racer.problem or racer.failed[name]
                    lines.append([racer.name, title, name, *["-"] * 5, why])
                    continue
                failed = sum(their[1] is None for their in racer.found.get(name, []))
                note = f"fails on {failed}" if failed else ""
                told = summary(ratios(racer, ours, part, known, name))
                lines.append([racer.name, title, name, *told, note])
    return table(["rival", "of", "pairs", *HEAD, "note"], lines)


def per_kind(racers, known, part):
    """By relation, over all sets."""
    lines = []
    for title, ours in own(racers, part)[:1]:
        for racer in rivals(racers):
            every = ratios(racer, ours, part, known)
            for kind in sorted({one.kind for one in every}):
                lines.append([racer.name, kind, *summary([one for one in every if one.kind == kind])])
    return table(["rival", "relation", *HEAD], lines)


def times(racers, known):
    """Mean microseconds a pair, over the pairs that a program completes."""
    lines = []
    for name in known:
        for racer in racers:
            rows = [row for row in racer.found.get(name, []) if row[1] is not None]
            means = [number(sum(row[part] for row in rows) / len(rows)) if rows else "-" for part in PARTS]
            lines.append([name, racer.name, *means, len(rows), racer.problem or racer.failed.get(name, "")])
    return table(["pairs", "program", "query us", "whole us", "pairs timed", "note"], lines)


def answers(racers, known):
    """Number of pairs on which a racer disagrees about the existence of a common volume."""
    ours = next(racer for racer in racers if racer.name == OURS)
    lines = []
    for racer in rivals(racers):
        if racer.name == "cgal-rigid":
            continue
        invented = missed = asked = failed = 0
        for name in known:
            for their, mine in zip(racer.found.get(name, []), ours.found.get(name, [])):
                says = SAYS.get(their[0])
                if says is None:
                    failed += 1
                    continue
                asked += 1
                invented += says and mine[0] in APART
                missed += not says and mine[0] not in APART
        lines.append([racer.name, big(asked), invented, missed, failed])
    return table(["rival", "pairs", "volume where we say none", "none where we say some", "no answer"], lines)


def rigid(racers, known):
    """Results of CGAL's rigid collisions for each relation."""
    racer = next((racer for racer in racers if racer.name == "cgal-rigid"), None)
    ours = next(racer for racer in racers if racer.name == OURS)
    counts = {}
    for name in known:
        for their, mine in zip(racer.found.get(name, []) if racer else [], ours.found.get(name, [])):
            counts[mine[0], their[0]] = counts.get((mine[0], their[0]), 0) + 1
    said = sorted({their for _, their in counts})
    lines = [
        [kind, *[counts.get((kind, their), 0) for their in said]] for kind in sorted({k for k, _ in counts})
    ]
    return table(["relation", *said], lines) if lines else "Not in this run."


def oracle_table(checked):
    lines = []
    for one in checked:
        version = one.about.get("version", "-")
        lines.append([one.title, version, big(one.asked), big(one.agreed), len(one.against), len(one.silent)])
    return table(["asked", "version", "pairs or points", "agree", "differ", "no answer"], lines)


def oracle(one):
    """Counts of all results, and every difference."""
    counted = [[mine, their, big(count)] for (mine, their), count in sorted(one.counts.items())]
    parts = [f"### {one.title}", one.note, table(["impinge", one.title, "how often"], counted)]
    for title, lines in (("Differences", one.against), ("No answer", one.silent)):
        if lines:
            more = f"\n* and {len(lines) - LISTED} more" if len(lines) > LISTED else ""
            parts += [f"{title}:", "\n".join(f"* {line}" for line in lines[:LISTED]) + more]
    return "\n\n".join(parts)


def written(found, asked, described):
    """REPORT.md."""
    checked, racers, known, notes = found.checked, found.racers, found.known, found.notes
    contradictions = found.contradictions
    parts = [
        "# What two bodies are to each other: impinge, oracles and other libraries",
        "Written by `bench/run --solids`; `bench/README.md` describes the method, our bias and the caveats."
        + (" Quick: few pairs." if asked.quick else ""),
    ]
    if contradictions:
        parts += ["## CONTRADICTIONS", "\n".join(f"* {line}" for line in contradictions)]
    gone = [f"* {name}: {why}" for name, why in found.absent.items()]
    parts += ["## Oracles", oracle_table(checked), *map(oracle, checked)]
    parts += solids_volumes.section(found.volumes)
    if gone:
        parts += ["## Not had", "\n".join(gone)]
    parts += [
        "## The race",
        f"{asked.repeat} timed passes over the pairs of a set, after an untimed one (for "
        f"`manifold-rust-robust`, which takes long, {FEW}); a pair's time is "
        "the median, in processor time of the process, one core, one program at a time. `query`: models (of "
        "impinge with their solids, of manifold3d their sorted meshes, of CGAL's rigid collisions their "
        "trees) exist already. `whole`: from arrays of points and triangles to the result; for ours with a "
        "tree of the default quality, and, `on demand`, with one only if it pays. A ratio is their time "
        "over ours: above 1 they are slower.",
        "The queries differ: ours returns one of six relations; `manifold3d`, "
        "`manifold-rust` and `cgal-corefine` construct the common body and test whether its volume is "
        "positive; `cgal-rigid` ends at the first two triangles that meet, so it does not distinguish "
        "touching from overlapping, and its query is timed right after the same query. `manifold3d` is called from "
        "Python, which takes about a microsecond.",
        "\n".join(f"* {note}" for note in notes),
        bars_table(bars(racers, known)),
        "## Ratios, query",
        per_set(racers, known, 1),
        "## Ratios, whole",
        per_set(racers, known, 2),
        "## Ratios, query, by relation",
        per_kind(racers, known, 1),
        "## Times",
        times(racers, known),
        "## Answers in the race",
        "No oracle: other libraries than CGAL's corefinement decide ties by policy, or round.",
        answers(racers, known),
        "Results of `cgal-rigid` by our relation:",
        rigid(racers, known),
        *volume_race(found),
        "## Against ourselves",
        "Queries of impinge against plain ones for the same pair, with existing models and solids, the query "
        "warm, each query repeated until 40 us have passed; the median of "
        f"{asked.repeat} such times. Whether the insides of two overlapping solids have a common point, "
        "over whether any triangles meet, which ends at the first contact; and the relation of two touching "
        "solids, over all pairs of triangles that meet.",
        bars_table(solids_ourselves.bars(found.own)),
        solids_ourselves.own_table(found.own),
    ]
    listed = [
        [racer.name, *[racer.about.get(key, "-") for key in ("engine", "version", "flags")], racer.problem]
        for racer in racers
    ]
    parts += [
        "## Programs",
        table(["name", "engine", "version", "built with", "note"], listed),
        "## Machine",
        f"```\n{described.strip()}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def volume_bars(found):
    racers = [racer for racer in found.of_volumes if racer.name in (OURS, DEMAND, VOLUME_BAR)]
    return bars(racers, found.known, VOLUME_MEAN, None)


def volume_race(found):
    racers, known = found.of_volumes, found.known
    none = sum(row[1] is None for rows in racers[0].found.values() for row in rows)
    return [
        "## The race for the volume in common",
        "Ours is `Query::penetration` with the volume only: an interval that contains it. The "
        "others are those of the race above, with the same times: they construct the common body, and "
        f"compute its volume. For {none} pairs ours gives no interval, and they enter no ratio.",
        bars_table(volume_bars(found)),
        "### Ratios, query",
        per_set(racers, known, 1),
        "### Ratios, whole",
        per_set(racers, known, 2),
        "### Ratios, query, by relation",
        per_kind(racers, known, 1),
        "### Times",
        times(racers, known),
    ]


def lines_of(racers, known):
    """A row per rival, for TABLE.md."""
    lines = []
    for racer in rivals(racers):
        if racer.problem:
            lines.append([racer.name, *["-"] * 9, racer.problem])
            continue
        line = [racer.name]
        for part in PARTS:
            for _, mine in own(racers, part):
                mean, least, _, slower, count = summary(ratios(racer, mine, part, known))
                line += [mean, least, f"{slower} of {count}"]
        note = f"omitted: {', '.join(racer.failed)}" if racer.failed else ""
        lines.append([*line, note])
    head = ["rival"]
    for title in ("query", "whole", "whole, on demand"):
        head += [f"{title}: mean", "least", "slower with us"]
    return table([*head, "note"], lines)


def compact(found, asked):
    """TABLE.md."""
    known = found.known
    counts = ", ".join(f"{name}: {len(names)}" for name, names in known.items())
    own_bars = [*volume_bars(found), *solids_volumes.bars(found.volumes), *solids_ourselves.bars(found.own)]
    return "\n\n".join(
        [
            "Written by `bench/run --solids`" + (" --quick." if asked.quick else "."),
            oracle_table(found.checked),
            "Intervals of the volume in common, and CGAL's exact volumes:",
            solids_volumes.agreement(found.volumes),
            "Times of rivals over ours, processor time, one core: geometric mean, least, and in how many "
            f"pairs they are faster. {counts}.",
            lines_of(found.racers, known),
            "The same of the volume in common:",
            lines_of(found.of_volumes, known),
            "Bars of volumes, and against ourselves:",
            bars_table(own_bars),
        ]
    ) + "\n"
