"""Distances from frame to frame: two meshes that stay near each other and move little, where ours may start
from the data of the frame before. The tables and bars of `--near` for these scenes."""

from dataclasses import replace

from .bars import Bar
from .engines import OURS
from .programs import median
from .tables import geometric_mean, number, table

#: The exporter's label of frames that are not near the one before: they enter no ratio.
START = "start"
#: A rival's distance over ours from the last frame's seed: minimum of the geometric mean.
LEAST = 20


def racers(racing):
    """Racers that have a distance, and ours with and without the last frame's data."""
    mine = [racer for racer in racing if "distance" in racer.queries]
    return [replace(r, queries=("distance", "seeded") if r.name == OURS else ("distance",)) for r in mine]


def taken(scene, label=None):
    """Frames that are near the one before, of one step size or of all."""
    return [k for k, told in enumerate(scene.told) if told.label != START and label in (None, told.label)]


def ratios(found, name, label=None):
    """A program's times over our seeded ones, as (ratio, scene); for ours the times without a seed."""
    made = []
    for scene in found.scenes:
        runs = found.results[scene.name]
        over, under = runs.get((name, "distance")), runs.get((OURS, "seeded"))
        if not over or not under or over.problem or under.problem:
            continue
        both = min(len(over.us), len(under.us))
        made += [(over.us[k] / under.us[k], scene.name) for k in taken(scene, label) if k < both]
    return made


def names(found):
    return [racer.name for racer in found.racers if racer.name != OURS]


def bars(found):
    """One bar per rival."""
    made = []
    for name in names(found):
        bar = Bar(f"distance from the last frame's seed, x {name}, geometric mean", f">= {LEAST}")
        some = ratios(found, name)
        bar.detail = "not in this run"
        if some:
            mean = geometric_mean([ratio for ratio, _ in some])
            bar.found, bar.reached = number(mean), mean >= LEAST
            scenes = {scene for _, scene in some}
            means = sorted((geometric_mean([r for r, at in some if at == one]), one) for one in scenes)
            worst = ", ".join(f"{one} {number(value)}" for value, one in means[:3])
            bar.detail = f"of {len(some)} frames; least: {worst}"
        made.append(bar)
    return made


def cell(run, own, frames):
    """Mean microseconds of the frames that both have, and the ratio to ours."""
    if not run or run.problem:
        return "-"
    frames = [k for k in frames if k < min(len(run.us), len(own.us))]
    if not frames:
        return "-"
    mean = number(sum(run.us[k] for k in frames) / len(frames))
    return f"{mean} ({number(geometric_mean([run.us[k] / own.us[k] for k in frames]))})"


def labels(found):
    return list(dict.fromkeys(told.label for s in found.scenes for told in s.told if told.label != START))


def times_table(found):
    """Scenes by step sizes."""
    lines = []
    for scene in found.scenes:
        runs = found.results[scene.name]
        own = runs[OURS, "seeded"]
        for label in labels(found):
            frames = taken(scene, label)
            if not frames:
                continue
            moved = median([scene.told[k].moved for k in frames])
            seeded = number(sum(own.us[k] for k in frames) / len(frames))
            others = [cell(runs.get((name, "distance")), own, frames) for name in [OURS, *names(found)]]
            lines.append([scene.name, label, f"{100 * moved:.2f} %", seeded, *others])
    for label in [*labels(found), None]:
        means = [geometric_mean([r for r, _ in ratios(found, n, label)]) for n in [OURS, *names(found)]]
        lines.append(["geometric mean", label or "all", "", "", *(f"({number(mean)})" for mean in means)])
    return table(["scene", "step", "moved", "seeded", "without a seed", *names(found)], lines)
