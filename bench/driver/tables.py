"""Tables and the numbers in them."""

import math
from dataclasses import dataclass

#: Columns of tables of oracles.
ORACLES = ["oracle", "version", "compared", "agree", "differ", "no result", "note"]


@dataclass
class Table:
    """Columns with names; every cell is text."""

    head: list
    rows: list

    def __str__(self):
        """Markdown that is legible as it is."""
        head, rows = self.head, self.rows
        widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
        numeric = [
            all(row[k][:1] in "0123456789-+.x" or not row[k] for row in rows) for k in range(len(head))
        ]

        def line(row):
            cells = (c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric))
            return f"| {' | '.join(cells)} |"

        rule = "|".join("-" * (w + 1) + (":" if n else "-") for w, n in zip(widths, numeric))
        return "\n".join([line(head), f"|{rule}|", *map(line, rows)])

    def row(self, first):
        """The cells of the row that begins so, by column."""
        return next(dict(zip(self.head, row)) for row in self.rows if row[0] == first)


def table(head, rows):
    return Table(list(head), [list(map(str, row)) for row in rows])


def number(x):
    return "-" if x != x else f"{x:.0f}" if x >= 1000 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def precise(x):
    return number(x) if x >= 0.1 else f"{x:.2g}"


def big(x):
    return f"{int(x):,}"


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def title(query):
    return "All pairs" if query == "pairs" else "First contact"
