"""Common volumes: impinge's intervals against CGAL's exact volumes, and manifold3d's beside them."""

import math
from dataclasses import dataclass, field

from .bars import Bar
from .programs import median
from .shell import Failed, say
from .tables import big, precise, table

#: Maximum width of an interval: this part of the volume, and this part of the volume of a box, the common
#: part of the boxes of both bodies.
OF_VOLUME, OF_BOX = 1e-9, 1e-12
#: Relative difference from which manifold3d's volumes are counted.
FAR = 1e-9
NEF, COREFINE = "CGAL's Nef polyhedra", "CGAL's corefinement"


@dataclass
class Interval:
    """impinge's result for a pair. `ends`: None if there is none."""

    ends: object
    embedded: bool
    in_common: float
    smaller: float

    @property
    def width(self):
        return self.ends[1] - self.ends[0]

    def share(self, volume, box):
        """The width, relative to its maximum."""
        wanted = OF_VOLUME * volume + OF_BOX * box
        return 0.0 if self.width == 0 else self.width / wanted if wanted > 0 else math.inf


@dataclass
class Volumes:
    """One oracle on one set of pairs."""

    name: str
    oracle: str
    version: str = "-"
    asked: int = 0
    held: int = 0
    positive: int = 0
    #: Lines: the oracle disagrees; it disagrees, but the other oracle agrees with us; it has no result; we
    #: have none.
    against: list = field(default_factory=list)
    refuted: list = field(default_factory=list)
    silent: list = field(default_factory=list)
    none: list = field(default_factory=list)


@dataclass
class Widths:
    """For one set, the intervals of pairs of embedded two-manifolds whose exact volume is available."""

    name: str
    #: (share with the box in common, share with the smaller body's box, width over the volume, volume, pair)
    of: list = field(default_factory=list)


@dataclass
class Rival:
    """manifold3d's volumes on one set: (relative difference, exact volume, its volume, pair)."""

    name: str
    of: list = field(default_factory=list)
    #: Number of volumes that it invents, and that it misses.
    invented: int = 0
    missed: int = 0
    failed: int = 0


@dataclass
class Checks:
    checked: list = field(default_factory=list)
    widths: list = field(default_factory=list)
    rivals: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    @property
    def against(self):
        return [line for one in self.checked for line in one.against]


def intervals(lines):
    return [
        Interval(
            None if row[1] == "none" else (float(row[1]), float(row[2])),
            row[3] == "1",
            float(row[4]),
            float(row[5]),
        )
        for row in lines
    ]


def exact(lines):
    """By pair the volume rounded down and up, or the reason for its absence; None if it was not computed."""
    return [
        None if row[1] == "-" else row[1] if row[1].startswith("failed") else (float(row[1]), float(row[2]))
        for row in lines
    ]


def holds(ends, volume):
    """True if the interval contains a volume that is rounded down and up to doubles."""
    return ends[0] <= volume[0] and volume[1] <= ends[1]


def compare(name, known, ours, oracles):
    """`oracles`: name -> (version, volumes), the most reliable first; a contradiction is a difference on
    which no oracle before it agrees with us. Returns the volumes used as the truth, and a `Volumes` of each
    oracle."""
    truth, found = [None] * len(ours), []
    for oracle, (version, volumes) in oracles.items():
        one = Volumes(name, oracle, version)
        for index, (own, volume) in enumerate(zip(ours, volumes, strict=True)):
            what = f"{name}, pair {index} ({known[index]})"
            if volume is None:
                continue
            if isinstance(volume, str):
                one.silent.append(f"{what}: {volume}")
                continue
            if own.ends is None:
                one.none.append(f"{what}: {oracle} {volume[0]!r}")
                continue
            one.asked += 1
            one.positive += volume[0] > 0
            words = f"{what}: impinge has {own.ends[0]!r} to {own.ends[1]!r}, {oracle} {volume[0]!r}"
            if holds(own.ends, volume):
                one.held += 1
            elif truth[index] is not None and holds(own.ends, truth[index]):
                one.refuted.append(words)
                continue
            else:
                one.against.append(words)
            truth[index] = truth[index] or volume
        found.append(one)
    return truth, found


def widths_of(name, known, ours, truth):
    one = Widths(name)
    for index, (own, volume) in enumerate(zip(ours, truth, strict=True)):
        if own.ends is not None and own.embedded and volume is not None:
            shares = (own.share(volume[0], box) for box in (own.in_common, own.smaller))
            relative = own.width / volume[0] if volume[0] > 0 else math.nan
            one.of.append((*shares, relative, volume[0], known[index]))
    return one


def rival_of(name, known, truth, lines):
    """`lines`: manifold3d's common volume of each pair."""
    one = Rival(name)
    for index, (volume, row) in enumerate(zip(truth, lines, strict=True)):
        if volume is None or row[1] == "-":
            continue
        if row[1].startswith("failed"):
            one.failed += 1
            continue
        their = float(row[1])
        one.invented += volume[0] <= 0 < their
        one.missed += their <= 0 < volume[0]
        if volume[0] > 0 < their:
            one.of.append((abs(their - volume[0]) / volume[0], volume[0], their, known[index]))
    return one


def check(tools, asked, files, nef, once, names_of):
    """`files`: name -> file of pairs; `nef`: those that are also checked with Nef polyhedra."""
    all_of = Checks()
    if not tools.get("volume"):
        all_of.notes.append(f"{COREFINE}: {tools['why'].get('volume', 'not in this run')}")
    for name, path in files.items():
        known = [pair[0] for pair in names_of(path)]
        ours = intervals(once([tools["impinge"], "volumes", path], asked, f"volumes.{name}.impinge")[1])
        programs = {}
        if tools.get("nef") and name in nef:
            programs[NEF] = ([tools["nef"], "volume", path], "nef")
        if tools.get("volume"):
            programs[COREFINE] = ([tools["volume"], path], "corefine")
        oracles = {}
        for oracle, (words, log) in programs.items():
            try:
                about, lines = once(words, asked, f"volumes.{name}.{log}")
                oracles[oracle] = (about.get("version", "-"), exact(lines))
            except Failed as why:
                all_of.notes.append(f"{name}, {oracle}: {why}")
        truth, found = compare(name, known, ours, oracles)
        all_of.checked += found
        all_of.widths.append(widths_of(name, known, ours, truth))
        for one in found:
            say(f"volumes, {name}: {one.held} of {one.asked} intervals contain the volume of {one.oracle}")
        if tools.get("python"):
            try:
                words = [*tools["manifold3d"], "volumes", path]
                _, lines = once(words, asked, f"volumes.{name}.manifold3d")
                all_of.rivals.append(rival_of(name, known, truth, lines))
            except Failed as why:
                all_of.notes.append(f"{name}, manifold3d: {why}")
    return all_of


def agreement(checks):
    lines = [
        [
            one.name,
            one.oracle,
            one.version,
            big(one.asked),
            big(one.positive),
            big(one.held),
            len(one.against),
            len(one.refuted),
            len(one.silent),
            len(one.none),
        ]
        for one in checks.checked
    ]
    head = ["pairs", "oracle", "version", "asked", "of them positive", "held", "not held"]
    return table([*head, "refuted by Nef polyhedra", "no oracle result", "no impinge result"], lines)


def width_table(checks):
    lines = []
    for one in checks.widths:
        if not one.of:
            lines.append([one.name, 0, *["-"] * 6])
            continue
        widest = max(one.of, key=lambda of: of[0])
        relative = [of[2] for of in one.of if of[2] == of[2]]
        lines.append(
            [
                one.name,
                big(len(one.of)),
                f"{median(relative):.1e}" if relative else "-",
                f"{max(relative):.1e}" if relative else "-",
                sum(of[0] > 1 and of[3] > 0 for of in one.of),
                sum(of[0] > 1 and of[3] <= 0 for of in one.of),
                sum(of[1] > 1 for of in one.of),
                precise(widest[0]) if widest[0] < math.inf else "the box is flat",
                f"{widest[4]}, volume {widest[3]:.2g}",
            ]
        )
    head = ["pairs", "intervals", "width over volume: median", "greatest", "too wide, of a positive volume"]
    head += ["too wide, of none", "too wide by the smaller box", "widest, of the bar", "where"]
    return table(head, lines)


def rival_table(checks):
    lines = []
    for one in checks.rivals:
        line = [one.name, big(len(one.of))]
        if one.of:
            worst = max(one.of)
            line += [f"{median([of[0] for of in one.of]):.1e}", f"{worst[0]:.1e}"]
            line += [f"{worst[3]}: {worst[2]:.4g} for {worst[1]:.4g}", sum(of[0] > FAR for of in one.of)]
        else:
            line += ["-"] * 4
        lines.append([*line, one.missed, one.invented, one.failed])
    head = ["pairs", "volumes compared", "relative difference: median", "greatest", "where"]
    head.append(f"over {FAR:.0e}")
    return table([*head, "none where there is some", "some where there is none", "no answer"], lines)


def bars(checks):
    """Bars: intervals contain the volume, and are narrow."""
    asked, held = (sum(getattr(one, of) for one in checks.checked) for of in ("asked", "held"))
    refuted = sum(len(one.refuted) for one in checks.checked)
    hold = Bar("volume in common, the interval holds it", "each")
    narrow = Bar("width, of 1e-9 of the volume and 1e-12 of the box in common", "<= 1")
    if asked:
        hold.found, hold.reached = f"{big(held)} of {big(asked)}", not checks.against
        hold.detail = f"{refuted} volumes of corefinement are refuted by Nef polyhedra"
    every = [(of, one.name) for one in checks.widths for of in one.of]
    if every:
        (share, _, _, volume, where), name = max(every, key=lambda one: one[0][0])
        wide = sum(of[0] > 1 for of, _ in every)
        narrow.found = precise(share) if share < math.inf else "infinite"
        narrow.reached = wide == 0
        narrow.detail = f"over it {wide} of {big(len(every))}; most: {name}, {where}"
        if share == math.inf:
            narrow.detail += ", whose boxes have a flat box in common"
    return [hold, narrow]
