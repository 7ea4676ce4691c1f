"""Tables of the race of shapes."""

from .tables import big, geometric_mean, number, table

QUERIES = ["first contact", "distance", "within"]
OURS = "impinge"
#: Tolerance of a rival's distance, relative to the pair's size.
OFF = 1e-6
#: Goals: pairs, the rival, ours, and the least geometric mean.
BARS = [
    ("spheres and capsules against meshes", "coal", OURS, 3),
    ("spheres and capsules against meshes", "fcl", OURS, None),
    ("spheres and capsules against meshes", "parry3d-f64", OURS, None),
    ("hulls", "coal", OURS, 1),
    ("hulls, small steps", "coal-warm", "impinge-cached", 1),
    ("hulls and spheres or capsules", "coal", OURS, None),
]


def family(group):
    """The bars' name of a group of pairs."""
    if group.startswith("hulls"):
        return group
    return (
        "hulls and spheres or capsules" if group.endswith("hull") else "spheres and capsules against meshes"
    )


def ratios(pairs, rival, ours, queries):
    """(Rival's time over ours, pair, query)."""
    made = []
    for pair in pairs:
        over, under = (pair.found[name] for name in (rival, ours))
        if not over.problem and not under.problem:
            made += [(over.ns[q] / under.ns[q], pair.name, q) for q in queries if q in over.ns]
    return made


def bars_table(pairs):
    made = []
    for what, rival, ours, least in BARS:
        of = [pair for pair in pairs if family(pair.group) == what and rival in pair.found]
        for queries in [QUERIES, *([query] for query in QUERIES)]:
            some = ratios(of, rival, ours, queries)
            if not some:
                continue
            mean, (worst, name, query) = geometric_mean([ratio for ratio, _, _ in some]), min(some)
            made.append(
                [
                    f"{what}, {'all queries' if queries == QUERIES else queries[0]}, {rival} over {ours}",
                    "-" if least is None else f">= {least}",
                    number(mean),
                    "-" if least is None else "yes" if mean >= least else "no",
                    f"{number(worst)} ({name}: {query})",
                ]
            )
    return table(["bar", "wanted", "found", "reached", "least"], made)


def ratios_table(pairs, names):
    """Groups and queries by programs: geometric means of nanoseconds, and of ratios to ours."""
    made = []
    for group in dict.fromkeys(pair.group for pair in pairs):
        of = [pair for pair in pairs if pair.group == group]
        for query in QUERIES:
            row = [group, query, number(geometric_mean([pair.found[OURS].ns[query] for pair in of]))]
            for name in names[1:]:
                some = [pair for pair in of if name in pair.found and query in pair.found[name].ns]
                if some:
                    ns = geometric_mean([pair.found[name].ns[query] for pair in some])
                    mean = geometric_mean([ratio for ratio, _, _ in ratios(some, name, OURS, [query])])
                    row.append(f"{number(ns)} ({number(mean)})")
                else:
                    row.append("-")
            made.append(row)
    return table(["pairs", "query", f"{OURS}, ns", *names[1:]], made)


def times_table(pairs, names):
    """Every pair: nanoseconds a frame."""
    made = []
    for pair in pairs:
        for query in QUERIES:
            runs = [pair.found.get(name) for name in names]
            row = [number(run.ns[query]) if run and query in run.ns else "-" for run in runs]
            made.append([pair.name, query, *row])
    return table(["pair", "query", *names], made)


def results_table(pairs, names):
    """Rivals' results beside ours: what they miss and invent, and distances that are off."""
    made = []
    for name in names:
        if name.startswith(OURS):
            continue
        for what in dict.fromkeys(family(pair.group) for pair in pairs):
            count = dict.fromkeys(
                ["frames", "missed", "invented", "far", "near missed", "near invented", "off"], 0
            )
            most = 0.0
            for pair in pairs:
                run, ours = pair.found.get(name), pair.found[OURS].bounds
                if family(pair.group) != what or not run or run.problem:
                    continue
                gaps = ours["distance"]
                count["frames"] += len(gaps)
                for (theirs, _), (own, _), (lo, _) in zip(
                    run.bounds["first contact"], ours["first contact"], gaps
                ):
                    count["missed"] += theirs < own
                    count["invented"] += theirs > own
                    count["far"] += theirs > own and lo > OFF * pair.size
                for (theirs, _), (own, _) in zip(run.bounds.get("within", []), ours["within"]):
                    count["near missed"] += theirs < own
                    count["near invented"] += theirs > own
                for (theirs, _), (lo, hi) in zip(run.bounds["distance"], gaps):
                    off = max(lo - theirs, theirs - hi, 0.0) / pair.size
                    # A NaN also differs.
                    count["off"] += not off <= OFF
                    most = max(most, off)
            if count["frames"]:
                made.append([name, what, *count.values(), f"{most:.1e}"])
    head = ["engine", "pairs", "frames", "contacts missed", "invented", f"beyond {OFF:.0e} of the size"]
    return table([*head, "margins missed", "invented", f"distances off by {OFF:.0e}", "most"], made)


def oracles_table(pairs):
    """Our results beside the exact oracle's."""
    checked, wrong = sum(pair.checked for pair in pairs), sum(len(pair.wrong) for pair in pairs)
    row = [
        "rational numbers, all triangles",
        "Python",
        big(checked),
        big(checked - wrong),
        big(wrong),
        "0",
        "",
    ]
    return table(["oracle", "version", "compared", "agree", "differ", "no result", "note"], [row])


def tables(pairs, names):
    """The results of a race by name."""
    abouts = {}
    for pair in pairs:
        for name, run in pair.found.items():
            abouts[name] = abouts.get(name) or run.about
    engines = [
        [name, *(abouts.get(name, {}).get(key, "-") for key in ("version", "notes"))] for name in names
    ]
    shapes = []
    for pair in pairs:
        problems = [f"{name}: {run.problem}" for name, run in pair.found.items() if run.problem]
        shapes.append(
            [pair.name, pair.group, *map(big, pair.counts), f"{pair.size:.3g}", "; ".join(problems)]
        )
    head = ["pair", "group", "vertices", "triangles", "of the second", "its triangles", "size", "note"]
    return {
        "Bars": bars_table(pairs),
        "Ratios": ratios_table(pairs, names),
        "Times": times_table(pairs, names),
        "Results": results_table(pairs, names),
        "Oracles": oracles_table(pairs),
        "Engines": table(["name", "version", "notes"], engines),
        "Pairs": table(head, shapes),
    }
