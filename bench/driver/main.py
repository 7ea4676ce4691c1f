"""The command: arguments, order of the steps, exit status."""

import argparse
import io
import os
import sys
from pathlib import Path

from . import (
    assemblies,
    build,
    curves,
    many,
    matrices,
    motion,
    near,
    page,
    points,
    proxies,
    report,
    scenes as scenes_,
    shapes,
    solids,
)
from .engines import EXTRA, KNOWN, OURS, make, parse
from .race import QUERIES, race
from .record import Record
from .shell import BENCH, ROOT, Failed, call, say
from .tables import number as figure, title
from .verdict import judge

#: Size of the sweep before a query with cold caches, in second-level caches: replacement does not strictly
#: evict the oldest line.
SWEEPS = 4


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="bench/run",
        description="Races other libraries against impinge on the same scenes. Status: "
        "0 done, 1 the oracle contradicts impinge, 2 the run could not be completed.",
    )
    parser.add_argument("--quick", action="store_true", help="few short scenes, few repeats: minutes")
    parser.add_argument(
        "--engines",
        metavar="a,b",
        help=f"engines: {', '.join(KNOWN)}; on request also {', '.join(EXTRA)}; NAME:option=value passes "
        "the runner an option, as in impinge:volume=obb",
    )
    parser.add_argument(
        "--scenes",
        metavar="x,y",
        help="names from the exporter's list, or paths of .scene files; with --assemblies, of .obj files; with "
        "--proxies, robots or sources",
    )
    parser.add_argument(
        "--data", metavar="DIR", type=Path, help="models for the exporter (../shared/data if it exists)"
    )
    parser.add_argument("--query", choices=[*QUERIES, "both"], default="both")
    parser.add_argument(
        "--cold",
        action="store_true",
        help="repeat each run with caches swept before every query, and add a table of these times "
        "beside the warm ones",
    )
    parser.add_argument(
        "--many",
        action="store_true",
        help="instead of two meshes: 200 bodies that all move, and 100,000 boxes",
    )
    parser.add_argument(
        "--assemblies",
        action="store_true",
        help="instead of two meshes: every clash of whole files, reading included, by `impinge check`",
    )
    parser.add_argument(
        "--solids",
        action="store_true",
        help="instead of triangles that meet: relations of solids, against exact oracles, and a race",
    )
    parser.add_argument(
        "--near",
        action="store_true",
        help="instead of triangles that meet: distances of two meshes, also from frame to frame, and "
        "clearance within a margin",
    )
    parser.add_argument(
        "--points",
        action="store_true",
        help="instead of triangles that meet: nearest points, rays, and points inside",
    )
    parser.add_argument(
        "--curves",
        action="store_true",
        help="besides triangles that meet: their intersection curves, against CGAL's and all pairs",
    )
    parser.add_argument(
        "--shapes",
        action="store_true",
        help="instead of triangles that meet: spheres, capsules and convex hulls",
    )
    parser.add_argument(
        "--motion",
        action="store_true",
        help="instead of triangles that meet: sweeps of bodies in motion, and moving points",
    )
    parser.add_argument(
        "--proxies",
        action="store_true",
        help="instead of a race: collision models of robots, which of them cover their links",
    )
    parser.add_argument(
        "--matrices",
        action="store_true",
        help="instead of a race: pairs of links that robots' SRDF files disable though they collide",
    )
    parser.add_argument(
        "--sources",
        metavar="DIR",
        type=Path,
        help="with --proxies or --matrices: folder with clones of GitHub; without it, the commands to fill it "
        "are printed",
    )
    parser.add_argument(
        "--tables", action="store_true", help="only write TABLES.md from the results of all records"
    )
    parser.add_argument(
        "--core", metavar="N", type=int, help="core of the engines (default: the last one allowed)"
    )
    parser.add_argument(
        "--repeat",
        metavar="N",
        type=int,
        help="timed passes over a scene's frames (5; quick: 3); with --many, runs (3; quick: 1); with "
        "--assemblies, runs (9; quick: 3); with --solids, timed passes over the pairs (5; quick: 3)",
    )
    parser.add_argument(
        "--limit",
        metavar="S",
        type=int,
        help="limit of a run in seconds (300; quick: 30; with --solids 1200; quick: 120; with "
        "--motion 60)",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        help="folder of the record (bench/records/pairs; with --many, bench/records/many, and so on)",
    )
    asked = parser.parse_args(words)
    if asked.many and (asked.scenes or asked.cold):
        parser.error("--many has its own scenes and no cold caches")
    if asked.assemblies and (asked.many or asked.cold or asked.query != "both"):
        parser.error("--assemblies has its own query and no cold caches")
    if asked.solids and (asked.many or asked.assemblies or asked.cold or asked.scenes or asked.engines):
        parser.error("--solids has its own pairs and engines and no cold caches")
    if asked.near and (asked.many or asked.assemblies or asked.solids or asked.cold or asked.query != "both"):
        parser.error("--near has its own queries and no cold caches")
    if asked.points and (
        asked.many
        or asked.assemblies
        or asked.solids
        or asked.near
        or asked.cold
        or asked.engines
        or asked.query != "both"
    ):
        parser.error("--points has its own queries and engines and no cold caches")
    if asked.curves and (
        asked.many
        or asked.assemblies
        or asked.solids
        or asked.near
        or asked.points
        or asked.cold
        or asked.engines
        or asked.query != "both"
    ):
        parser.error("--curves has its own queries and engines and no cold caches")
    others = ("many", "assemblies", "solids", "near", "points", "curves")
    if asked.shapes and (
        any(getattr(asked, mode) for mode in others) or asked.cold or asked.engines or asked.query != "both"
    ):
        parser.error("--shapes has its own queries and engines and no cold caches")
    others = (*others, "shapes")
    if asked.proxies and (any(getattr(asked, mode) for mode in (*others, "motion", "cold")) or asked.engines):
        parser.error("--proxies is no race, and has its own models")
    if asked.matrices and any(getattr(asked, mode) for mode in (*others, "motion", "cold", "proxies", "engines")):
        parser.error("--matrices is no race, and has its own robots")
    if asked.sources and not (asked.proxies or asked.matrices):
        parser.error("--sources belongs to --proxies and --matrices")
    if asked.motion and (
        any(getattr(asked, mode) for mode in others) or asked.cold or asked.engines or asked.query != "both"
    ):
        parser.error("--motion has its own queries and engines and no cold caches")
    if asked.repeat is None:
        long, quick = (3, 1) if asked.many else (9, 3) if asked.assemblies else (5, 3)
        asked.repeat = quick if asked.quick else long
    if asked.limit is None:
        quick, long = (120, 1200) if asked.solids else (30, 60) if asked.motion else (30, 300)
        asked.limit = quick if asked.quick else long
    if asked.repeat < 1 or asked.limit < 1:
        parser.error("--repeat and --limit must be at least 1")
    allowed = os.sched_getaffinity(0)
    asked.core = asked.core if asked.core is not None else max(allowed)
    if asked.core not in allowed:
        parser.error(f"--core {asked.core}: must be one of {', '.join(map(str, sorted(allowed)))}")
    if asked.data is None and (ROOT / "../shared/data").is_dir():
        asked.data = (ROOT / "../shared/data").resolve()
    elif asked.data is not None and not asked.data.is_dir():
        parser.error(f"--data {asked.data}: no such folder")
    modes = [mode for mode in (*others, "motion", "proxies", "matrices") if getattr(asked, mode)]
    asked.out = asked.out or BENCH / "records" / ("-".join(modes) or "pairs")
    return asked


def sweep_bytes(core):
    """Bytes to read before a query with cold caches: several times the core's own second-level cache."""
    for path in sorted(Path(f"/sys/devices/system/cpu/cpu{core}/cache").glob("index*")):
        if (path / "level").read_text().strip() == "2":
            size = (path / "size").read_text().strip()
            unit = {"K": 2**10, "M": 2**20}.get(size[-1:])
            if unit and size[:-1].isdigit():
                return SWEEPS * int(size[:-1]) * unit
    raise Failed(f"--cold: /sys has no size of the second-level cache of core {core}")


def main(words):
    asked = arguments(words)
    asked.command = " ".join(["bench/run", *words])
    try:
        if asked.tables:
            return page.write()
        if asked.assemblies:
            return assemblies.run(asked)
        if asked.solids:
            return solids.run(asked)
        if asked.near:
            return near.run(asked)
        if asked.points:
            return points.run(asked)
        if asked.curves:
            return curves.run(asked)
        if asked.shapes:
            return shapes.run(asked)
        if asked.motion:
            return motion.run(asked)
        if asked.proxies:
            return proxies.run(asked)
        if asked.matrices:
            return matrices.run(asked)
        return many.run(asked) if asked.many else run(asked)
    except Failed as why:
        print(f"bench/run: {why}", file=sys.stderr)
        return 2


def run(asked):
    call(["taskset", "--version"], "taskset")
    sweep = sweep_bytes(asked.core) if asked.cold else 0
    engines = parse(asked.engines.split(",") if asked.engines else list(KNOWN))
    queries = QUERIES if asked.query == "both" else (asked.query,)
    scenes = scenes_.collect(asked.scenes.split(",") if asked.scenes else [], asked.quick, asked.data)
    make(engines)
    oracle = build.verdict()
    # Before files of the record are removed, which git would report as a change.
    described = report.machine(asked.core)
    record = Record(asked.out)

    results, ours, bugs, number = [], {}, [], 0
    total = len(queries) * len(scenes) * len(engines)
    details = io.StringIO()
    details.write("#scene\tquery\tengine\tframe\ta\tb\tverdict\n")
    for query in queries:
        for scene in scenes:
            for engine in engines:
                number += 1
                result = race(engine, scene, query, asked.repeat, asked.core, asked.limit, record, sweep)
                results.append(result)
                if engine.name == OURS:
                    ours[scene.name, query] = result
                words = result.problem
                if not result.problem:
                    words = f"{figure(result.mean)} us"
                    if result.cold:
                        words += f", cold {result.cold.problem or figure(result.cold.mean)}"
                    own = ours[scene.name, query]
                    if result is not own and not own.problem:
                        words += f", x {figure(result.mean / own.mean)}"
                        try:
                            found = judge(own, result, oracle, asked.core, max(asked.limit, 300), details)
                        except Failed as why:
                            result.unsettled, found = len(result.differing), []
                            say(f"  UNSETTLED: {why}")
                        for bug in found:
                            say(f"  OUR BUG: {bug}")
                        bugs += found
                        if result.differing:
                            words += (
                                f"; {len(result.differing)} frames differ: missed {result.missed}, "
                                f"invented {result.invented}"
                                f" by {engine.name}"
                                + (f", {result.unsettled} frames unsettled" if result.unsettled else "")
                            )
                say(f"[{number}/{total}] {query} {scene.name} {engine.name}: {words}")
    how = (
        f"{asked.repeat} timed passes over the frames after an untimed one; a frame's time is their "
        f"median; one core, one run at a "
        f"time, at most {asked.limit} s a run.{' Quick: few and short scenes.' if asked.quick else ''}"
    )
    if sweep:
        how += f" Cold: a buffer of {sweep / 2**20:.3g} MiB is read before each timed query."
    record.add("differences", details.getvalue())
    found = report.tables(results, ours, engines, scenes, queries, sweep)
    record.close({"command": asked.command, "method": how, **described}, found)
    for query in queries:
        page.show(found, title(query), f"{title(query)}, means")
    page.show(found, "Bars")
    say(f"The record is in {asked.out}.")
    if bugs:
        say(
            f"\nOUR BUGS: the exact oracle contradicts impinge {len(bugs)} times:\n"
            + "\n".join(f"  {bug}" for bug in bugs)
        )
    return 1 if bugs else 0
