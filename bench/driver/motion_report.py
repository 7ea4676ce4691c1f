"""Tables of the race of motions."""

from . import motion_points
from .tables import ORACLES, big, geometric_mean, number, table

OURS = "impinge"
#: A contact later or earlier than the first one by more than this is another one.
OFF = 1e-3
#: Goals: parry's time over ours on each scene, and ipctk's mean over ours.
PARRY, IPCTK = 1000, 3
#: Libraries that cannot race.
ABSENT = [
    ["coal", "-", "no continuous query"],
    [
        "dart",
        "-",
        "dartpy 6.20.0, the newest on PyPI, casts rays only; the convex cast is in no release (pull request "
        "2700, whose own number is 0.49 us a cast, to 1e-4)",
    ],
]


def meets(scene):
    """Whether there is a contact: by geometry, else by our proof."""
    if scene.truth is not None:
        return scene.truth != "clear"
    return scene.found[OURS].verdict == "contact"


def judge(scene, name):
    """`right`, or what is wrong with a result; empty if there is none."""
    run, ours = scene.found[name], scene.found[OURS]
    if run.problem:
        return ""
    if run.verdict == "undecided":
        return "undecided"
    if run.verdict == "clear":
        return "missed" if meets(scene) else "right"
    if not meets(scene):
        return "invented"
    lo, hi = (ours.lo, ours.hi) if ours.verdict == "contact" else scene.truth
    return "late" if run.lo > hi + OFF else "early" if run.hi < lo - OFF else "right"


def verdict(scene, name):
    run, word = scene.found[name], judge(scene, name)
    if run.problem:
        return "-"
    told = f"{run.hi:.10f}" if run.verdict == "contact" else run.verdict
    return told if word in ("right", "undecided") else f"{told}: {word}"


def ratio(scene, name):
    return scene.found[name].us / scene.found[OURS].us


def time_of(scene, name):
    """Microseconds, and the ratio to ours."""
    run = scene.found[name]
    if run.problem:
        return "-"
    return number(run.us) + ("" if name == OURS else f" ({number(ratio(scene, name))})")


def least_bar(scenes, name, group, wanted):
    """A row: the least ratio over the scenes that a rival finishes."""
    of = [scene for scene in scenes if scene.group == group and name in scene.found]
    done = sorted((ratio(scene, name), scene.name) for scene in of if not scene.found[name].problem)
    what = f"{group}, {name} over {OURS}, each scene"
    if not done:
        return [what, f">= {wanted}" if wanted else "-", "-", "not measured" if wanted else "-", ""]
    (least, where), mean = done[0], geometric_mean([x for x, _ in done])
    under = ", ".join(scene for x, scene in done if wanted and x < wanted)
    how = f"least on {where}; geometric mean {number(mean)}; finished {len(done)} of {len(of)}"
    return [
        what,
        f">= {wanted}" if wanted else "-",
        number(least),
        ("no" if under else "yes") if wanted else "-",
        how + (f"; under it: {under}" if under else ""),
    ]


def bars_table(scenes, points):
    made = [
        least_bar(scenes, "parry3d-f64", "meshes", PARRY),
        least_bar(scenes, "fcl", "meshes", None),
        least_bar(scenes, "impinge-steps", "meshes", None),
        least_bar(scenes, "parry3d-f64", "convex", None),
        least_bar(scenes, "fcl", "convex", None),
    ]
    wrong = [f"{s.name} ({judge(s, OURS)})" for s in scenes if judge(s, OURS) != "right"]
    made.append(
        ["scenes that we miss, invent or leave undecided", "0", str(len(wrong)), "no" if wrong else "yes"]
        + [", ".join(wrong)]
    )
    made.append(["DART's convex cast, octahedra and boxes", "-", "-", "not measured", "see Engines"])
    if points.problem or OURS not in points.found:
        made.append(["moving points", "-", "-", "not measured", points.problem])
        return table(["bar", "wanted", "found", "reached", "how"], made)
    hits, false, _ = counts(points, OURS)
    all_of = sum(points.truth)
    made.append(
        [
            "moving points, our hits",
            str(all_of),
            str(hits),
            "yes" if hits == all_of else "no",
            f"false {false}",
        ]
    )
    for name, run in points.found.items():
        if name != OURS:
            made.append(mean_bar(points, name, run))
    return table(["bar", "wanted", "found", "reached", "how"], made)


def mean_bar(points, name, run):
    """A row: an engine's mean time, without that of a call from Python, over ours."""
    own = points.found[OURS]
    over, whole = motion_points.ratio(points, name), points.mean(run) / points.mean(own)
    return [
        f"moving points, mean time, {name} over {OURS}",
        f">= {IPCTK}",
        number(over),
        "yes" if over >= IPCTK else "no",
        f"{number(whole)} with the call from Python; medians {number(run.median_ns)} and "
        f"{number(own.median_ns)} ns",
    ]


def results_table(scenes, names):
    """By engine: what is right, and what is missed."""
    made = []
    for name in names:
        for group in dict.fromkeys(scene.group for scene in scenes):
            words = [judge(scene, name) for scene in scenes if scene.group == group]
            some = [scene for scene in scenes if scene.group == group and judge(scene, name)]
            contacts = sum(meets(scene) for scene in some)
            kinds = ["right", "missed", "late", "early", "invented", "undecided", ""]
            counted = [str(words.count(kind)) for kind in kinds]
            made.append([f"{name}, {group}", str(len(words)), str(contacts), *counted])
    head = ["engine, scenes", "number", "contacts among the finished", "right", "missed", "late", "early"]
    return table([*head, "invented", "undecided", "not finished"], made)


def counts(points, name):
    """Hits, false hits, and missed ones."""
    pairs = list(zip(points.truth, points.found[name].results))
    return pairs.count((True, "1")), pairs.count((False, "1")), pairs.count((True, "0"))


def points_table(points):
    made = []
    for name, run in points.found.items():
        mean = number(points.mean(run))
        row = [name, run.version, big(len(points.truth)), *map(str, counts(points, name)), mean]
        ns = [number(x) for x in (run.median_ns, run.meets_ns, run.others_ns, run.call_ns)]
        made.append([*row, *ns, number(motion_points.ratio(points, name))])
    head = ["engine", "version", "queries", "hits", "false hits", "missed", "ns a query", "median", "of hits"]
    return table([*head, "of others", "of a call", "mean, less the call, over ours"], made)


def oracles_table(scenes, points):
    by_geometry = [scene for scene in scenes if scene.truth is not None]
    contacts = [scene for scene in scenes if scene.found[OURS].verdict == "contact"]
    made = []
    for what, where, of, like in (
        ("closed forms of first contact", "", by_geometry, "geometry"),
        ("rational numbers, the two triangles that meet", "Python", contacts, "triangles"),
    ):
        wrong = sum(like in line for scene in of for line in scene.wrong)
        made.append([what, where, big(len(of)), big(len(of) - wrong), big(wrong), "0", ""])
    if OURS in points.found:
        wrong = len(points.wrong)
        some = len(points.truth)
        made.append(["moving points, the set's own", "", big(some), big(some - wrong), big(wrong), "0", ""])
    return table(ORACLES, made)


def engines_table(scenes, names, points):
    made = []
    for name in names:
        about = next((s.found[name].about for s in scenes if s.found[name].about), {})
        made.append([name, about.get("version", "-"), about.get("notes", "-")])
    notes = {
        "tight-inclusion": "ipctk.TightInclusionCCD with its defaults, a call from Python for each query",
        "additive": "ipctk.AdditiveCCD with its defaults, a call from Python for each query",
    }
    made += [
        [f"ipctk-{name}", points.found[name].version, note]
        for name, note in notes.items()
        if name in points.found
    ]
    return table(["name", "version", "notes"], made + ABSENT)


def scenes_table(scenes):
    made = []
    for scene in scenes:
        truth = {None: "-", "clear": "clear"}.get(scene.truth) or " to ".join(
            f"{t:.10f}" for t in scene.truth
        )
        problems = [f"{name}: {run.problem}" for name, run in scene.found.items() if run.problem]
        made.append([scene.name, scene.group, *map(big, scene.counts), truth, "; ".join(problems)])
    head = ["scene", "group", "vertices", "triangles", "of the moving one", "its triangles"]
    return table([*head, "contact, by geometry", "note"], made)


def tables(scenes, names, points):
    """The results of a race by name."""
    times = [[s.name, *(time_of(s, name) for name in names)] for s in scenes]
    verdicts = [
        [s.name, "contact" if meets(s) else "clear", *(verdict(s, name) for name in names)] for s in scenes
    ]
    made = {
        "Bars": bars_table(scenes, points),
        "Times": table(["scene", *names], times),
        "Verdicts": table(["scene", "truth", *names], verdicts),
        "Results": results_table(scenes, names),
        "Moving points": points_table(points),
        "Oracles": oracles_table(scenes, points),
        "Engines": engines_table(scenes, names, points),
        "Scenes": scenes_table(scenes),
    }
    return {name: one for name, one in made.items() if one.rows}
