"""TABLE.md: one table per query, short enough for a README; and cold caches beside warm ones."""

from .bars import papers
from .tables import geometric_mean, number, table, title


def columns(engines):
    """For each program the first configuration that races: our default, and a library's first."""
    first = {}
    for engine in engines:
        first.setdefault(engine.maker, engine)
    return list(first.values())


def cell(result, own):
    """Microseconds, and the ratio to ours."""
    if result is None or result.problem:
        return "-"
    if result is own or own.problem:
        return number(result.mean)
    return f"{number(result.mean)} ({number(result.mean / own.mean)})"


def compact(results, ours, engines, scenes, query):
    """Scenes by engines."""
    ours_first, *others = columns(engines)
    at = {(r.scene.name, r.engine.name): r for r in results if r.query == query}
    best = papers(results, ours, query)
    head = ["scene", ours_first.name, *(["our best paper volume"] if best else []), *(e.name for e in others)]
    rows, ratios = [], [[] for _ in head[2:]]
    for scene in scenes:
        own = ours[scene.name, query]
        theirs = [*([best.get(scene.name)] if best else []), *(at[scene.name, e.name] for e in others)]
        rows.append([scene.name, cell(own, own), *(cell(r, own) for r in theirs)])
        for r, to in zip(theirs, ratios):
            if r and not r.problem and not own.problem:
                to.append(r.mean / own.mean)
    rows.append(["geometric mean", "", *(f"({number(geometric_mean(of))})" for of in ratios)])
    return table(head, rows)


def document(results, ours, engines, scenes, queries, how, described):
    """TABLE.md."""
    about = [line.split(":", 1) for line in described.splitlines() if ":" in line]
    told = {key.strip(): value.strip() for key, value in about}
    parts = []
    for query in queries:
        parts += [
            f"{title(query)}, microseconds a frame, and in brackets the ratio to ours (above 1: slower "
            f"than ours):",
            compact(results, ours, engines, scenes, query),
        ]
    parts.append(
        f"{how} {told.get('Model name', 'Unknown processor')}, {told.get('date', '')}, revision "
        f"{told.get('revision', '')}. `-`: no number; "
        "REPORT.md has the reason, the other configurations, and the errors of each library."
    )
    replaced = [s.name for s in scenes if s.stand_in]
    if replaced:
        parts.append(f"Missing models are replaced by generated ones: {', '.join(replaced)}.")
    return "\n\n".join(parts) + "\n"


def cold_table(results, ours, query):
    """Scene by scene: warm, cold, and the ratios to ours of both."""
    rows = []
    for r in results:
        if r.query != query or not r.cold:
            continue
        own = ours[r.scene.name, query]
        if r.cold.problem:
            rows.append([r.scene.name, r.engine.name, number(r.mean), "-", "-", "-", "-", r.cold.problem])
            continue
        known = not own.problem and not own.cold.problem
        rows.append(
            [
                r.scene.name,
                r.engine.name,
                number(r.mean),
                number(r.cold.mean),
                number(r.cold.mean / r.mean),
                number(r.mean / own.mean) if known else "-",
                number(r.cold.mean / own.cold.mean) if known else "-",
                "",
            ]
        )
    return table(
        ["scene", "engine", "us warm", "us cold", "cold / warm", "x ours warm", "x ours cold", "note"], rows
    )


def cold_means(results, ours, engines, query):
    """Geometric means over the scenes that both have warm and cold."""
    rows = []
    for engine in engines:
        both = [
            (r, ours[r.scene.name, query])
            for r in results
            if r.engine is engine and r.query == query and r.cold
        ]
        done = [(r, own) for r, own in both if not (r.cold.problem or own.problem or own.cold.problem)]
        if not done:
            rows.append([engine.name, *["-"] * 5, f"0 of {len(both)}"])
            continue
        least, scene = min((r.cold.mean / own.cold.mean, r.scene.name) for r, own in done)
        rows.append(
            [
                engine.name,
                number(geometric_mean([r.cold.mean / r.mean for r, _ in done])),
                number(geometric_mean([r.mean / own.mean for r, own in done])),
                number(geometric_mean([r.cold.mean / own.cold.mean for r, own in done])),
                number(least),
                scene,
                f"{len(done)} of {len(both)}",
            ]
        )
    return table(["engine", "cold / warm", "x ours warm", "x ours cold", "least cold", "on", "scenes"], rows)


def cold_section(results, ours, engines, queries, sweep):
    """The section of REPORT.md; empty if only warm caches were requested."""
    if not sweep:
        return []
    parts = [
        "## Cold caches",
        f"The same runs with a buffer of {sweep / 2**20:.3g} MiB read before each timed query, for all "
        f"engines alike: it evicts "
        "L1 and L2, and most of the TLB where pages are small. The shared L3 is too large to be swept, "
        "so cold means from L3, not from memory; "
        "code and branch predictors stay warm.",
    ]
    for query in queries:
        parts += [
            f"### {title(query)}",
            cold_means(results, ours, engines, query),
            cold_table(results, ours, query),
        ]
    return parts
