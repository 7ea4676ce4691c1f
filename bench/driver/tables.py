"""Markdown tables and the numbers in them."""

import math


def table(head, rows):
    """Markdown that is legible as it is."""
    rows = [list(map(str, row)) for row in rows]
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    numeric = [all(row[k][:1] in "0123456789-+.x" or not row[k] for row in rows) for k in range(len(head))]

    def line(row):
        return (
            "| " + " | ".join(c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric)) + " |"
        )

    rule = "|" + "|".join("-" * (w + 1) + (":" if n else "-") for w, n in zip(widths, numeric)) + "|"
    return "\n".join([line(head), rule, *map(line, rows)])


def number(x):
    return "-" if x != x else f"{x:.0f}" if x >= 1000 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def precise(x):
    return number(x) if x >= 0.1 else f"{x:.2g}"


def big(x):
    return f"{int(x):,}".replace(",", " ")


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def title(query):
    return "All pairs" if query == "pairs" else "First contact"
