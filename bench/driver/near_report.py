"""Tables and bars of `--near`. Ratios are a rival's time over ours, of a frame's medians, unless
stated otherwise; their means are geometric, over frames."""

from dataclasses import dataclass

from . import near_steps
from .bars import Bar, bars_table
from .engines import OURS
from .tables import ORACLES, big, geometric_mean, number, precise, table

#: `within` over our own `intersects`: maximum of the geometric mean, and of each scene.
WITHIN_MOST = (2, 3)
#: Coal's margin, and distances, over ours: minimum of the geometric mean, and of each scene at each distance.
MARGIN_LEAST, DISTANCE_LEAST = (10, 1), (10, 3)


@dataclass
class Found:
    """A whole run: {scene's name: {(racer's name, key): Run}}, and the comparison of the results."""

    scenes: list
    racers: list
    results: dict
    judged: list
    bugs: list
    checked: int
    exact: object
    #: The same for scenes in small steps.
    steps: object = None


@dataclass
class Ratio:
    """Ratio of one frame."""

    value: float
    scene: str
    label: str
    frame: int


def taken(scene, key, beyond=False):
    """Frames that a query compares: for margins those at its own distances, nearly touching, and far;
    `beyond`: those farther apart than the margin."""
    if key == "distance":
        return range(len(scene.told))
    k = int(key.split()[1])
    return [
        i
        for i, told in enumerate(scene.told)
        if told.margin in (None, k) and (not beyond or told.lo > scene.margins[k])
    ]


def margins(found):
    return range(max((len(scene.margins) for scene in found.scenes), default=0))


def ratios(found, over, under, keys, beyond=False):
    """Ratios of all frames that both have: `over` and `under` are functions of the key that name a run."""
    made = []
    for scene in found.scenes:
        runs = found.results[scene.name]
        for key in keys:
            a, b = runs.get(over(key)), runs.get(under(key))
            if not a or not b or a.problem or b.problem:
                continue
            for i in taken(scene, key, beyond):
                if i < min(len(a.us), len(b.us)):
                    label = scene.told[i].label
                    label = label if key == "distance" else f"{label}, {margin_name(scene, key)}"
                    made.append(Ratio(a.us[i] / b.us[i], scene.name, label, i))
    return made


def margin_name(scene, key):
    return f"margin {100 * scene.margins[int(key.split()[1])] / scene.size:g} %"


def grouped(made, name):
    """Geometric means of ratios grouped by `name`, least first."""
    by = {}
    for ratio in made:
        by.setdefault(name(ratio), []).append(ratio.value)
    return sorted((geometric_mean(values), key) for key, values in by.items())


def of_rival(found, name, query):
    keys = [f"within {k}" for k in margins(found)] if query == "within" else ["distance"]
    return ratios(found, lambda key: (name, key), lambda key: (OURS, key), keys)


def missing(found, name, query):
    """Note of a bar on scenes without a number of a rival."""
    problems, late = [], []
    for scene in found.scenes:
        for (racer, key), run in found.results[scene.name].items():
            if racer == name and key.startswith(query):
                problems += [f"{scene.name} ({run.problem})"] if run.problem else []
                late += [f"{scene.name} {len(run.us)}"] if 0 < len(run.us) < scene.frames else []
    words = f"; no number on {', '.join(problems)}" if problems else ""
    return words + (f"; frames in time: {', '.join(late)}" if late else "")


def own_bars(found):
    """Times within a margin, over those of whether they meet."""
    keys = [f"within {k}" for k in margins(found)]
    made = ratios(found, lambda key: (OURS, key), lambda key: (OURS, "first"), keys, beyond=True)
    what, (mean_most, most) = "within, x our own intersects, frames farther than the margin", WITHIN_MOST
    mean = Bar(f"{what}, geometric mean", f"<= {mean_most}", detail="not in this run")
    worst = Bar(f"{what}, each scene", f"<= {most}", detail="not in this run")
    if made:
        value = geometric_mean([ratio.value for ratio in made])
        mean.found, mean.reached, mean.detail = number(value), value <= mean_most, f"of {len(made)} frames"
        scenes = grouped(made, lambda ratio: ratio.scene)
        over = [f"{name} {number(v)}" for v, name in reversed(scenes) if v > most]
        one = max(made, key=lambda ratio: ratio.value)
        worst.found, worst.reached = number(scenes[-1][0]), not over
        worst.detail = (
            f"over it {len(over)} of {len(scenes)} scenes: {', '.join(over[:6])}" if over else scenes[-1][1]
        ) + f"; worst frame: {number(one.value)}, {one.scene}, {one.label}"
    return [mean, worst]


def rival_bars(found, racer, query):
    made = of_rival(found, racer.name, query)
    title = "within, x security_margin of" if query == "within" else "distance, x"
    least_mean, least = MARGIN_LEAST if query == "within" else DISTANCE_LEAST
    mean = Bar(f"{title} {racer.name}, geometric mean", f">= {least_mean}", detail="not in this run")
    worst = Bar(f"{title} {racer.name}, each scene at each distance", f">= {least}", detail="not in this run")
    told = missing(found, racer.name, query)
    if not made:
        mean.detail = worst.detail = "not in this run" + told
        return [mean, worst]
    value = geometric_mean([ratio.value for ratio in made])
    mean.found, mean.reached = number(value), value >= least_mean
    mean.detail = f"of {len(made)} frames{told}"
    cells = grouped(made, lambda ratio: (ratio.scene, ratio.label))
    under = [cell for cell in cells if cell[0] < least]
    one = min(made, key=lambda ratio: ratio.value)
    named = ", ".join(f"{scene} {label} {number(v)}" for v, (scene, label) in (under or cells)[:3])
    worst.found, worst.reached = number(cells[0][0]), not under
    worst.detail = (
        f"under it {len(under)} of {len(cells)}: {named}" if under else f"least: {named}"
    ) + f"; worst frame: {number(one.value)}, {one.scene}, {one.label}"
    return [mean, worst]


def rivals(found, query):
    return [r for r in found.racers if r.name != OURS and query in r.queries]


def bars(found):
    made = own_bars(found)
    for query in ("within", "distance"):
        for racer in rivals(found, query):
            made += rival_bars(found, racer, query)
    return made + (near_steps.bars(found.steps) if found.steps else [])


def cell(run, frames, own):
    """Mean microseconds, and the geometric mean of the frames' ratios, over the frames that both have."""
    if not run or run.problem:
        return "-"
    shared = [i for i in frames if i < len(run.us)]
    if not shared:
        return "-"
    mean = number(sum(run.us[i] for i in shared) / len(shared))
    if run is own:
        return mean
    return f"{mean} ({number(geometric_mean([run.us[i] / own.us[i] for i in shared if i < len(own.us)]))})"


def distance_table(found):
    """Scenes by programs: microseconds."""
    others, lines = rivals(found, "distance"), []
    for scene in found.scenes:
        runs, every = found.results[scene.name], range(scene.frames)
        own = runs[OURS, "distance"]
        cells = [cell(runs.get((r.name, "distance")), every, own) for r in others]
        lines.append([scene.name, cell(own, every, own), *cells])
    means = [geometric_mean([x.value for x in of_rival(found, r.name, "distance")]) for r in others]
    lines.append(["geometric mean", "", *(f"({number(m)})" for m in means)])
    return table(["scene", OURS, *(r.name for r in others)], lines)


def within_table(found):
    """The table of margins, with our own `intersects`, the denominator of `within`."""
    others, lines = rivals(found, "within"), []
    for scene in found.scenes:
        runs = found.results[scene.name]
        first = runs[OURS, "first"]
        for k in range(len(scene.margins)):
            key = f"within {k}"
            own, frames = runs[OURS, key], taken(scene, key)
            cells = [cell(runs.get((r.name, key)), frames, own) for r in others]
            # A hit needs less work than a miss, and `intersects` has no hits here.
            over = geometric_mean([own.us[i] / first.us[i] for i in taken(scene, key, beyond=True)])
            within = f"{cell(own, frames, own)} ({number(over)})"
            margin = margin_name(scene, key).removeprefix("margin ")
            lines.append([scene.name, margin, cell(first, frames, first), within, *cells])
    means = [geometric_mean([x.value for x in of_rival(found, r.name, "within")]) for r in others]
    lines.append(["geometric mean", "", "", "", *(f"({number(m)})" for m in means)])
    head = ["scene", "margin", "intersects", "within (x intersects)"]
    return table([*head, *(r.name for r in others)], lines)


def answers_table(found):
    """Number of rivals' differences."""
    lines = []
    for racer in found.racers:
        for query in racer.queries:
            mine = [j for j in found.judged if j.name == racer.name and j.key.startswith(query)]
            if not mine:
                continue
            where = ", ".join(f"{j.scene} {len(j.differing)}" for j in mine if j.differing)
            lines.append(
                [
                    racer.name,
                    query,
                    sum(j.asked for j in mine),
                    sum(len(j.differing) for j in mine),
                    precise(max(j.most for j in mine)) if query == "distance" else "",
                    sum(j.unsettled for j in mine),
                    where,
                ]
            )
    head = ["engine", "query", "frames", "differ", "most, of the size", "of these unsettled", "where"]
    return table(head, lines)


def oracles_table(found):
    """Results that oracles confirm."""
    differ = len(found.bugs) - len(found.exact.bugs())
    single = ["pairs of triangles, each alone", "-", found.checked + differ, found.checked, differ, 0]
    note = "every frame of small scenes, and those on which a rival differs"
    return table(ORACLES, [found.exact.row(), [*single, note]])


def engines_table(found):
    lines = []
    for racer in found.racers:
        about = [racer.about.get(key, "-") for key in ("engine", "version", "flags", "notes")]
        lines.append([racer.name, *about[:3], racer.problem and f"not built: {racer.problem}" or about[3]])
    return table(["name", "engine", "version", "built with", "notes"], lines)


def scenes_table(found):
    return table(
        ["scene", "triangles", "frames", "size", "load", "stand-in"],
        [
            [
                s.name,
                " and ".join(map(big, s.triangles)),
                s.frames,
                number(s.size),
                f"{s.load:.2f}",
                s.stand_in,
            ]
            for s in found.scenes
        ],
    )


def tables(found):
    """The results of a race by name."""
    return {
        "Bars": bars_table(bars(found)),
        "Distance": distance_table(found),
        **({"Small steps": near_steps.times_table(found.steps)} if found.steps else {}),
        "Within a margin": within_table(found),
        "Oracles": oracles_table(found),
        "Differences": answers_table(found),
        "Engines": engines_table(found),
        "Scenes": scenes_table(found),
    }
