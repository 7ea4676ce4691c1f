"""Tables of relations of bodies."""

from dataclasses import dataclass

from . import solids_ourselves, solids_volumes
from .bars import Bar, bars_table
from .tables import ORACLES, big, geometric_mean, number, precise, table

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


def oracle_table(checked):
    lines = []
    for one in checked:
        counts = [big(one.asked), big(one.agreed), len(one.against), len(one.silent)]
        lines.append([one.title, one.about.get("version", "-"), *counts, one.note])
    return table(ORACLES, lines)


def counts_table(checked):
    """A table with the count of each combination of our result and the oracle's."""
    lines = [
        [one.title, mine, their, big(count)]
        for one in checked
        for (mine, their), count in sorted(one.counts.items())
    ]
    return table(["oracle", "impinge", "its result", "count"], lines)


def volume_bars(found):
    racers = [racer for racer in found.of_volumes if racer.name in (OURS, DEMAND, VOLUME_BAR)]
    return bars(racers, found.known, VOLUME_MEAN, None)


def lines_of(racers, known):
    """A row per rival: times over ours, and in how many pairs the rival is faster."""
    lines = []
    for racer in rivals(racers):
        if racer.problem:
            lines.append([racer.name, *["-"] * 9, racer.problem])
            continue
        line = [racer.name]
        for part in PARTS:
            for _, mine in own(racers, part):
                mean, least, _, slower, count = summary(ratios(racer, mine, part, known))
                line += [mean, least, f"{big(slower)} of {count}"]
        note = f"omitted: {', '.join(racer.failed)}" if racer.failed else ""
        lines.append([*line, note])
    head = ["rival"]
    for title in ("query", "whole", "whole, on demand"):
        head += [f"{title}: mean", f"{title}: least", f"{title}: rival faster"]
    return table([*head, "note"], lines)


def tables(found):
    """The results of a race by name."""
    racers, known = found.racers, found.known
    own_bars = [*volume_bars(found), *solids_volumes.bars(found.volumes), *solids_ourselves.bars(found.own)]
    engines = [
        [racer.name, *[racer.about.get(key, "-") for key in ("engine", "version", "flags")], racer.problem]
        for racer in racers
    ]
    engines += [[name, "-", "-", "-", why] for name, why in found.absent.items()]
    return {
        "Oracles": oracle_table(found.checked),
        "Results compared": counts_table(found.checked),
        "Intervals of volumes": solids_volumes.agreement(found.volumes),
        "Widths of intervals": solids_volumes.width_table(found.volumes),
        "Volumes of manifold3d": solids_volumes.rival_table(found.volumes),
        "Relation": lines_of(racers, known),
        "Volume": lines_of(found.of_volumes, known),
        "Answers": answers(racers, known),
        "Against ourselves": solids_ourselves.own_table(found.own),
        "Bars": bars_table(bars(racers, known)),
        "Bars of volumes": bars_table(own_bars),
        "Engines": table(["name", "engine", "version", "built with", "note"], engines),
        "Scenes": table(["pairs", "count"], [[name, big(len(names))] for name, names in known.items()]),
    }
