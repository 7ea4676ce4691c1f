"""Lines, patches and points of small meshes against CGAL's exact numbers."""

from dataclasses import dataclass, field

from . import build
from .near_exact import ask, oracle_row
from .programs import rows
from .shell import say

#: Number of pairs, and in a quick run; and their seed.
COUNT, SEED = (2000, 200), 11
#: The oracle's counts of a pair, in the order of its columns.
COUNTED = ("nodes", "lines", "closed", "patches", "points")


@dataclass
class Exact:
    """Results of the oracle."""

    asked: int = 0
    agreed: int = 0
    #: Pairs in which a mesh meets itself at the intersection: their patches are not compared.
    crossing: int = 0
    #: Number of pairs that have lines, patches, points.
    have: dict = field(default_factory=dict)
    #: Pairs on which the oracle failed.
    silent: list = field(default_factory=list)
    against: list = field(default_factory=list)
    about: dict = field(default_factory=dict)
    problem: str = ""

    def take(self, text):
        self.about, lines = rows(text)
        for number, words in enumerate(lines):
            if int(words[0]) != number:
                raise ValueError(f"pair {words[0]} where {number} was due")
            counts = dict(zip(COUNTED, map(int, words[2:7]), strict=True))
            for what, count in counts.items():
                self.have[what] = self.have.get(what, 0) + (count > 0)
            self.asked += 1
            self.crossing += words[7] == "1"
            self.agreed += words[8] == "agrees"
            told = f"pair {number} of curves.pairs ({words[1]}): {words[8]}"
            if words[8].startswith("failed"):
                self.silent.append(told)
            elif words[8] != "agrees":
                self.against.append(told)

    def row(self):
        """The row of `tables.ORACLES`."""
        have = ", ".join(f"{self.have.get(what, 0)} have {what}" for what in ("lines", "patches", "points"))
        note = f"{have}; in {self.crossing} a mesh meets itself: kinds and patches are not compared there"
        return oracle_row(self, len(self.silent), self.problem or note)


def check(asked):
    """Runs the oracle; any contradiction is our bug."""
    found = Exact()
    ask(found, "curves", (build.curves_pairs, build.curves_exact), "txt", (COUNT[asked.quick], SEED), asked)
    say(f"exact lines: {found.agreed} of {found.asked} pairs agree")
    return found
