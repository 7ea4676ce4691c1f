"""Distances of small meshes against CGAL's exact numbers."""

from dataclasses import dataclass, field

from . import build
from .programs import printed, rows
from .shell import CACHE, Failed, call, say
from .tables import big

#: Number of pairs, and in a quick run; and their seed.
COUNT, SEED = (2000, 200), 7


@dataclass
class Exact:
    """Results of the oracle."""

    asked: int = 0
    agreed: int = 0
    #: Pairs that meet, and pairs with a triangle that is a segment or a point.
    meeting: int = 0
    degenerate: int = 0
    #: Number of pairs on which the oracle failed.
    silent: int = 0
    against: list = field(default_factory=list)
    about: dict = field(default_factory=dict)
    problem: str = ""

    def take(self, text):
        self.about, lines = rows(text)
        for number, words in enumerate(lines):
            if int(words[0]) != number:
                raise ValueError(f"pair {words[0]} where {number} was due")
            self.asked += 1
            self.agreed += words[4] == "agrees"
            self.meeting += words[2] == "1"
            self.degenerate += words[3] != "0"
            if words[4].startswith("failed"):
                self.silent += 1
            elif words[4] != "agrees":
                self.against.append(f"pair {number} of near.pairs: {words[4]}")

    def bugs(self):
        return list(self.against)

    def row(self):
        """The row of `tables.ORACLES`."""
        note = f"{self.meeting} meet, {self.degenerate} have triangles that are segments or points"
        return oracle_row(self, self.silent, self.problem or note)


def oracle_row(exact, silent, note):
    oracle, version = (exact.about.get(key, "-") for key in ("engine", "version"))
    return [oracle, version, big(exact.asked), big(exact.agreed), len(exact.against), silent, note]


def check(asked):
    """Runs the oracle; any contradiction is our bug."""
    found = Exact()
    ask(found, "near", (build.near_pairs, build.near_exact), "tsv", (COUNT[asked.quick], SEED), asked)
    say(f"exact distances: {found.agreed} of {found.asked} pairs agree")
    return found


def ask(found, name, makers, ending, of, asked):
    """Pairs that one program makes, with our results in a file that ends so, and an oracle's results for
    them."""
    try:
        pairs, oracle = (make() for make in makers)
    except Failed as why:
        found.problem = str(why)
        say(f"  NOT BUILT: {why}")
        return
    out = CACHE / name / name
    out.parent.mkdir(parents=True, exist_ok=True)
    call([pairs, out, *of], f"{name}-pairs")
    text = printed([oracle, f"{out}.pairs", f"{out}.{ending}"], asked.core, max(asked.limit, 300))
    found.take(text)
    asked.record.add("exact", text)
