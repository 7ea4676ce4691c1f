"""Cost of relations relative to the plain queries for triangles that meet: impinge against itself."""

from dataclasses import dataclass

from .bars import Bar
from .shell import say
from .tables import big, geometric_mean, number, precise, table


@dataclass
class Question:
    """For pairs of one relation: one query's time over another's. Columns are of the runner's lines."""

    what: str
    kind: str
    time: int
    over: int
    most: float


QUESTIONS = [
    Question("`interiors_meet` over `intersects`, pairs that overlap", "overlap", 4, 3, 1.3),
    Question("`relation` over `pairs`, pairs that touch", "touch", 6, 5, 1.6),
]


def ask(tools, asked, files, once, names_of):
    """For each set, lines of the runner with the pairs' names in front."""
    found = {}
    for name, path in files.items():
        _, lines = once([tools["impinge"], "ourselves", path, asked.repeat], asked, f"ourselves.{name}")
        found[name] = [[pair[0], *row] for pair, row in zip(names_of(path), lines, strict=True)]
        say(f"ourselves, {name}: {len(lines)} pairs")
    return found


def ratios(question, rows):
    """(ratio, its two times, pair), for the query's relation; each line has the pair's name in front."""
    of = [row for row in rows if row[2] == question.kind]
    times = [(float(row[question.time + 1]), float(row[question.over + 1]), row[0]) for row in of]
    return [(time / over, time, over, name) for time, over, name in times]


def line(found):
    if not found:
        return ["-"] * 6
    worst = max(found)
    means = [number(sum(one[k] for one in found) / len(found)) for k in (1, 2)]
    mean = precise(geometric_mean([one[0] for one in found]))
    return [mean, precise(worst[0]), worst[3], *means, big(len(found))]


def bars(found):
    made = []
    for question in QUESTIONS:
        bar = Bar(f"{question.what}, geometric mean", f"<= {question.most}")
        every = [one for rows in found.values() for one in ratios(question, rows)]
        if every:
            mean = geometric_mean([one[0] for one in every])
            bar.found, bar.reached = precise(mean), mean <= question.most
            over = sum(one[0] > question.most for one in every)
            bar.detail = f"over it {big(over)} of {big(len(every))} pairs; most: {precise(max(every)[0])}, "
            bar.detail += max(every)[3]
        made.append(bar)
    return made


def own_table(found):
    """Rows by query and set; then over all sets."""
    lines = []
    for question in QUESTIONS:
        every = {name: ratios(question, rows) for name, rows in found.items()}
        lines += [[question.what, name, *line(of)] for name, of in every.items() if of]
        lines.append([question.what, "all", *line([one for of in every.values() for one in of])])
    head = ["times", "pairs", "geometric mean", "greatest", "where", "us", "us, the plain query", "count"]
    return table(head, lines)
