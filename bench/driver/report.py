"""Tables and the record."""

import os
import subprocess
from datetime import datetime, timezone

from . import bars, compact
from .shell import ROOT, call, first_line
from .tables import big, geometric_mean, number, table, title
from .verdict import LISTED


def results_table(results, ours, query):
    rows = []
    for result in results:
        if result.query != query:
            continue
        own = ours.get((result.scene.name, query))
        if result.problem:
            rows.append(
                [
                    result.scene.name,
                    result.engine.name,
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    "-",
                    result.problem,
                ]
            )
            continue
        known = own and not own.problem
        ratio = number(result.mean / own.mean) if known else "-"
        difference = (
            f"{result.count - own.count:+d}" if known and result is not own else "" if result is own else "-"
        )
        unsettled = f"{result.unsettled} frames unsettled" if result.unsettled else ""
        rows.append(
            [
                result.scene.name,
                result.engine.name,
                number(result.mean),
                ratio,
                result.count,
                difference,
                result.missed or "",
                result.invented or "",
                result.about["build_ms"],
                big(result.about["bytes"]),
                unsettled,
            ]
        )
    what = "pairs" if query == "pairs" else "hits"
    return table(
        [
            "scene",
            "engine",
            "us a frame",
            "x ours",
            what,
            "- ours",
            "missed",
            "invented",
            "build ms",
            "bytes",
            "note",
        ],
        rows,
    )


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
                sum(r.missed for r in done),
                sum(r.invented for r in done),
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
    """The environment that the numbers depend on."""

    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain")
    lines = [
        f"date: {datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC",
        f"revision: {git('rev-parse', 'HEAD') or 'unknown'}"
        + (" with uncommitted changes" if changed else ""),
        f"core: {core}; load when it began: {' '.join(f'{x:.2f}' for x in os.getloadavg())}",
    ]
    lines += [
        f"{name}: {first_line(words)}"
        for name, words in {
            "g++": ["g++", "--version"],
            "rustc": ["rustc", "--version"],
            "python": ["python3", "--version"],
            "kernel": ["uname", "-srvm"],
            "C library": ["ldd", "--version"],
        }.items()
    ]
    return "\n".join(lines) + "\n\n" + call(["lscpu"], "lscpu")


def report(results, ours, engines, scenes, queries, bugs, how, described, sweep):
    """REPORT.md."""
    parts = [
        "# impinge and other libraries, on the same scenes",
        "Written by `bench/run`; `bench/README.md` describes the "
        "method, our bias and the caveats. `x ours` is their time over ours: above 1 they are slower.",
        how,
    ]
    if bugs:
        parts += [
            "## OUR BUGS",
            "The exact oracle contradicts impinge:",
            "\n".join(f"* {bug}" for bug in bugs),
        ]
    parts += bars.section(results, ours, engines, scenes)
    for query in queries:
        parts += [
            f"## {title(query)}",
            results_table(results, ours, query),
            "Over all scenes:",
            means_table(results, ours, engines, query),
        ]
    parts += compact.cold_section(results, ours, engines, queries, sweep)
    parts += [
        "## What is counted",
        "`missed` and `invented` are pairs (of first contact: frames) on which the exact oracle decided "
        "against the engine; "
        f"`differences.tsv` lists up to {LISTED} of an engine, a scene and a query. Unsettled are frames "
        f"that the oracle could not check.",
        "## Engines",
        engines_table(results, engines),
        "## Scenes",
        scenes_table(scenes),
        "## Machine",
        f"```\n{described.strip()}\n```",
    ]
    return "\n\n".join(parts) + "\n"
