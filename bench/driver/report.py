"""Tables of the races of two meshes, and the description of the machine."""

import os
import subprocess
from datetime import datetime, timezone

from . import bars
from .shell import ROOT, call, first_line
from .tables import big, geometric_mean, number, table, title


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


def times_table(results, ours, engines, scenes, query):
    """Scenes by programs: microseconds a frame, and in brackets the ratio to ours."""
    ours_first, *others = columns(engines)
    at = {(r.scene.name, r.engine.name): r for r in results if r.query == query}
    best = bars.papers(results, ours, query)
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


def means_table(results, ours, engines, query):
    """Geometric means of the ratios; sums where there are any."""
    rows = []
    for engine in engines:
        mine = [r for r in results if r.engine is engine and r.query == query]
        done = [r for r in mine if not r.problem and not ours[r.scene.name, query].problem]
        ratios = [r.mean / ours[r.scene.name, query].mean for r in done]
        if not ratios:
            rows.append([engine.name, "-", "-", "-", f"0 of {len(mine)}", "-", "-", "-"])
            continue
        rows.append(
            [
                engine.name,
                number(geometric_mean(ratios)),
                number(min(ratios)),
                number(max(ratios)),
                f"{len(done)} of {len(mine)}",
                big(sum(r.missed for r in done)),
                big(sum(r.invented for r in done)),
                sum(r.unsettled for r in done),
            ]
        )
    return table(
        [
            "engine",
            "x ours, geometric mean",
            "least",
            "most",
            "scenes",
            "missed",
            "invented",
            "frames unsettled",
        ],
        rows,
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


def engines_table(results, engines):
    rows = []
    for engine in engines:
        about = next((r.about for r in results if r.engine is engine and r.about), None)
        if about:
            rows.append([engine.name, about["engine"], about["version"], about["flags"], about["notes"]])
        else:
            rows.append(
                [
                    engine.name,
                    "-",
                    "-",
                    "-",
                    engine.problem and f"not built: {engine.problem}" or "no run succeeded",
                ]
            )
    return table(["name", "engine", "version", "built with", "notes"], rows)


def differences_table(results):
    """Runs without a number, and those on which the oracle decided against an engine, or could not decide."""
    rows = [
        [r.scene.name, r.query, r.engine.name, r.missed, r.invented, r.unsettled, r.problem]
        for r in results
        if r.problem or r.missed or r.invented or r.unsettled
    ]
    return table(["scene", "query", "engine", "missed", "invented", "frames unsettled", "note"], rows)


def scenes_table(scenes):
    return table(
        ["scene", "triangles", "frames", "what", "stand-in"],
        [
            [
                s.name,
                " and ".join(map(big, s.triangles)),
                s.frames,
                s.problem or s.about or s.path,
                s.stand_in,
            ]
            for s in scenes
        ],
    )


def machine(core):
    """The environment that the numbers depend on: key -> value."""

    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain")
    found = {
        "date": f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC",
        "revision": (git("rev-parse", "HEAD") or "unknown")
        + (" with uncommitted changes" if changed else ""),
        "core": f"{core}; load when it began: {' '.join(f'{x:.2f}' for x in os.getloadavg())}",
    }
    for name, words in {
        "g++": ["g++", "--version"],
        "rustc": ["rustc", "--version"],
        "python": ["python3", "--version"],
        "kernel": ["uname", "-srvm"],
        "C library": ["ldd", "--version"],
    }.items():
        found[name] = first_line(words)
    for line in call(["lscpu"], "lscpu").splitlines():
        key, _, value = line.partition(":")
        if not key.startswith("Vulnerability"):
            found[key.strip()] = value.strip()
    return found


def tables(results, ours, engines, scenes, queries, sweep):
    """The results of a race by name."""
    found = {
        "Bars": bars.bars_table(bars.bars(results, ours, engines)),
        "Costs": bars.costs_table(results, engines),
    }
    for query in queries:
        found[title(query)] = times_table(results, ours, engines, scenes, query)
        found[f"{title(query)}, means"] = means_table(results, ours, engines, query)
        if sweep:
            found[f"{title(query)}, cold"] = cold_means(results, ours, engines, query)
    found["Differences"] = differences_table(results)
    found["Engines"] = engines_table(results, engines)
    found["Scenes"] = scenes_table(scenes)
    return found
