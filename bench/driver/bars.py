"""The goals of impinge's tree, and whether this run reaches them. Ratios are a rival's time over ours."""

from dataclasses import dataclass

from . import build
from .engines import OURS
from .tables import geometric_mean, number, table

#: Rival -> minimum of the geometric mean over all scenes and minimum of each scene, for all pairs.
PAIRS = {"fcl-obb": (12, 6), "coal-obb": (20, 9), "parry3d-f64": (25, 7)}
FIRST = {"fcl-obb": (5, 1)}
#: CAD soups, besides those excluded from all tuning.
CAD, HELD, CAD_LEAST = {"tumble-saw", "tumble-motor", "motor-mixed", "saw-mixed"}, "held-", 10
NESTED, NESTED_LEAST = "spheres-nested", 15
#: A frame that costs FCL more than this many microseconds must not cost us more than it costs FCL.
FRAME_US = 20
PAPER_LEAST = 3
BYTES_MOST = 48
BUILD_LEAST = 2


@dataclass
class Bar:
    what: str
    wanted: str
    found: str = "-"
    #: None if the run has no data for it.
    reached: object = None
    detail: str = ""


@dataclass
class Ratios:
    """A rival's times over ours, scene by scene."""

    of: list  # (ratio, scene's name), least first
    left_out: list  # scenes without a number of the rival
    ours_failed: list

    @property
    def mean(self):
        return geometric_mean([ratio for ratio, _ in self.of])


def compare(rivals, ours, query):
    """`rivals`: results of the rival, one a scene."""
    found = Ratios([], [], [])
    for rival in rivals:
        own = ours[rival.scene.name, query]
        if own.problem:
            found.ours_failed.append(rival.scene.name)
        elif rival.problem:
            found.left_out.append(rival.scene.name)
        else:
            found.of.append((rival.mean / own.mean, rival.scene.name))
    found.of.sort()
    return found


def of_engine(results, name, query, wanted=lambda scene: True):
    return [r for r in results if r.engine.name == name and r.query == query and wanted(r.scene.name)]


def papers(results, ours, query):
    """Scene by scene the fastest of our own other kinds of tree: the papers' volumes."""
    best = {}
    for result in results:
        own = ours[result.scene.name, query] if result.query == query else None
        if (
            not own
            or own.problem
            or result is own
            or result.problem
            or result.engine.maker is not build.impinge
        ):
            continue
        if kind(result) != kind(own) and (
            result.scene.name not in best or result.mean < best[result.scene.name].mean
        ):
            best[result.scene.name] = result
    return best


def kind(result):
    """The bounding volume of one of our trees: `impinge KIND option=value ...`."""
    return result.about["engine"].split()[1]


def judged(bar, found, least, value, detail):
    """Fills a bar from ratios. If impinge fails on a scene, the bar is not reached; if the rival fails, the
    scene is named."""
    if found.ours_failed:
        bar.reached, bar.detail = False, f"no number of ours on {', '.join(found.ours_failed)}"
    elif found.of:
        bar.found, bar.reached, bar.detail = number(value), value >= least, detail
        if found.left_out:
            bar.detail += f"; omitted, no number of theirs: {', '.join(found.left_out)}"
    else:
        bar.detail = "not in this run"
    return bar


def scenes_under(found, least):
    """The worst scenes, and the number of scenes under the bar."""
    under = [one for one in found.of if one[0] < least]
    worst = ", ".join(f"{name} {number(ratio)}" for ratio, name in (under or found.of)[:6])
    return (
        f"{len(under)} of {len(found.of)} scenes under it: {worst}"
        if under
        else f"least: {worst.split(',')[0]}; {len(found.of)} scenes"
    )


def mean_and_least(found, what, mean, least):
    ratio = judged(
        Bar(f"{what}, geometric mean", f">= {mean}"), found, mean, found.mean, f"{len(found.of)} scenes"
    )
    return [ratio, least_of(found, what, least)]


def least_of(found, what, least):
    value = found.of[0][0] if found.of else float("nan")
    return judged(Bar(f"{what}, each scene", f">= {least}"), found, least, value, scenes_under(found, least))


def frames(results, ours):
    """The worst frame among those that cost FCL enough to be measured."""
    bar = Bar(f"all pairs, x FCL OBB, each frame over {FRAME_US} us", ">= 1")
    counted = []
    for theirs in of_engine(results, "fcl-obb", "pairs"):
        own = ours[theirs.scene.name, "pairs"]
        if not own.problem and not theirs.problem:
            counted += [
                (t.us / o.us if o.us else float("inf"), theirs.scene.name, k, t.us, o.us)
                for k, (t, o) in enumerate(zip(theirs.frames, own.frames))
                if t.us > FRAME_US
            ]
    if not counted:
        bar.detail = "not in this run"
        return bar
    ratio, scene, k, theirs_us, own_us = min(counted)
    slower = sum(one[0] < 1 for one in counted)
    bar.found, bar.reached = number(ratio), slower == 0
    bar.detail = (
        f"{slower} of {len(counted)} such frames are slower; worst: {scene}, frame {k}: {number(own_us)} us, "
        f"FCL {number(theirs_us)} us"
    )
    return bar


@dataclass
class Cost:
    """An engine's trees of both meshes of a scene."""

    scene: str
    triangles: int
    ms: float
    bytes: int
    #: Bytes by the engine's own count, if it has one.
    counted: object


def costs(results, engine):
    """Scene by scene; the fastest of several builds, as noise only adds time."""
    found = {}
    for r in results:
        if r.engine is not engine or r.problem:
            continue
        counted = int(r.about["counted"]) if "counted" in r.about else None
        new = Cost(
            r.scene.name, sum(r.scene.triangles), float(r.about["build_ms"]), int(r.about["bytes"]), counted
        )
        old = found.setdefault(r.scene.name, new)
        old.ms = min(old.ms, new.ms)
    return list(found.values())


def speed(cost):
    """Million triangles a second."""
    return cost.triangles / cost.ms / 1e3 if cost.ms else float("inf")


def size(cost):
    """Bytes a triangle, by the larger count."""
    return max(cost.bytes, cost.counted or 0) / cost.triangles


def sums(of):
    return Cost(
        "",
        sum(c.triangles for c in of),
        sum(c.ms for c in of),
        sum(c.bytes for c in of),
        sum(c.counted for c in of) if all(c.counted is not None for c in of) else None,
    )


def cost_bars(results, engine):
    bytes_, built = (
        Bar("bytes a triangle, all in, each scene", f"<= {BYTES_MOST}"),
        Bar("build, Mtri/s over all scenes", f">= {BUILD_LEAST}"),
    )
    of = costs(results, engine)
    if not of:
        bytes_.detail = built.detail = "not in this run"
        return [bytes_, built]
    largest, slowest, all_of = max(of, key=size), min(of, key=speed), sums(of)
    bytes_.found, bytes_.reached, bytes_.detail = (
        number(size(largest)),
        size(largest) <= BYTES_MOST,
        f"most: {largest.scene}",
    )
    built.found, built.reached = number(speed(all_of)), speed(all_of) >= BUILD_LEAST
    under = sum(speed(c) < BUILD_LEAST for c in of)
    built.detail = f"{under} of {len(of)} scenes under it; least: {slowest.scene} {number(speed(slowest))}"
    return [bytes_, built]


def bars(results, ours, engines):
    """All bars, in order."""
    found = []
    for name, (mean, least) in PAIRS.items():
        found += mean_and_least(
            compare(of_engine(results, name, "pairs"), ours, "pairs"), f"all pairs, x {name}", mean, least
        )
    cad = compare(
        of_engine(results, "fcl-obb", "pairs", lambda s: s in CAD or s.startswith(HELD)), ours, "pairs"
    )
    found.append(least_of(cad, "all pairs, x fcl-obb on CAD soups", CAD_LEAST))
    nested = compare(of_engine(results, "fcl-obb", "pairs", lambda s: s == NESTED), ours, "pairs")
    found.append(least_of(nested, f"all pairs, x fcl-obb on {NESTED}", NESTED_LEAST))
    found.append(frames(results, ours))
    for name, (mean, least) in FIRST.items():
        found += mean_and_least(
            compare(of_engine(results, name, "first"), ours, "first"), f"first contact, x {name}", mean, least
        )
    best = papers(results, ours, "pairs")
    found.append(
        least_of(compare(best.values(), ours, "pairs"), "all pairs, x our best paper volume", PAPER_LEAST)
    )
    return found + cost_bars(results, next(e for e in engines if e.name == OURS))


def bars_table(found):
    words = {True: "yes", False: "no", None: "not measured"}
    return table(
        ["bar", "wanted", "found", "reached", "how"],
        [[b.what, b.wanted, b.found, words[b.reached], b.detail] for b in found],
    )


def costs_table(results, engines):
    rows = []
    for engine in engines:
        of = costs(results, engine)
        if not of:
            continue
        slowest, largest, all_of = min(of, key=speed), max(of, key=lambda c: c.bytes / c.triangles), sums(of)
        own = number(all_of.counted / all_of.triangles) if all_of.counted is not None else ""
        rows.append(
            [
                engine.name,
                number(speed(all_of)),
                f"{number(speed(slowest))} {slowest.scene}",
                number(all_of.bytes / all_of.triangles),
                f"{number(largest.bytes / largest.triangles)} {largest.scene}",
                own,
            ]
        )
    return table(["engine", "Mtri/s", "least", "bytes a triangle", "most", "by its own count"], rows)
