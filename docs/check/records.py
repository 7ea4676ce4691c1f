"""Tables of the committed records (bench/record*), and figures of their cells.

A figure is named by a file, the words before its table (a heading, or the line above), the row's first cells
and the column, as in `bench/record/TABLE.md | All pairs | horses | fcl-obb`. A cell such as `912.0 (9.04)` has
two numbers: `x` behind the column means the one in brackets.
"""

from __future__ import annotations

import re
from functools import cache

from pages import ROOT


class Table:
    def __init__(self, caption: str, head: list[str], rows: list[list[str]], source: list[str]) -> None:
        self.caption, self.head, self.rows, self.source = caption, head, rows, source

    def row(self, *first: str) -> dict[str, str]:
        """The row whose first cells are these."""
        found = [row for row in self.rows if tuple(row[: len(first)]) == first]
        if len(found) != 1:
            raise LookupError(
                f"{len(found)} rows begin with {' | '.join(first)} in the table '{self.caption}'"
            )
        return dict(zip(self.head, found[0]))


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


@cache
def tables(name: str) -> list[Table]:
    found: list[Table] = []
    lines = (ROOT / name).read_text(encoding="utf8").splitlines()
    above = heading = ""
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("|") and i + 1 < len(lines) and re.fullmatch(r"\|[ :|-]+\|", lines[i + 1].strip()):
            end = i
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            rows = [cells(row) for row in lines[i + 2 : end]]
            found.append(Table(f"{heading}\n{above}", cells(line), rows, lines[i:end]))
            i = end
            continue
        if line.startswith("#"):
            heading = above = line.lstrip("# ")
        elif line.strip():
            above = line
        i += 1
    return found


def table(name: str, caption: str, row: str | None = None) -> Table:
    """The first table whose heading, or the line above it, begins so (and that has that row)."""
    for one in tables(name):
        starts = any(part.startswith(caption) for part in one.caption.split("\n"))
        if starts and (row is None or any(cell[0] == row for cell in one.rows)):
            return one
    raise LookupError(f"{name} has no table '{caption}'" + (f" with the row {row}" if row else ""))


def number(text: str) -> float:
    return float(text.partition(" of ")[0].replace(" ", "").replace(",", "").removesuffix("%"))


def cell(row: dict[str, str], column: str) -> str:
    """A cell's text: for `9 (3)` the first number, or the one in brackets for a column with ` x`."""
    bracket = column.endswith(" x")
    text = row[column.removesuffix(" x") if bracket else column]
    if bracket:
        inside = re.search(r"\(([^)]*)\)", text)
        if not inside:
            raise LookupError(f"'{text}' has no number in brackets")
        return inside.group(1)
    return text.partition(" (")[0] if "(" in text and not text.startswith("(") else text


def figure(name: str) -> str:
    """The text of a cell: `FILE | TABLE | ROW ... | COLUMN`."""
    file, caption, *row, column = [part.strip() for part in name.split("|")]
    return cell(table(file, caption, row[0]).row(*row), column)


def machine(name: str) -> dict[str, str]:
    """`date`, `revision` and the like, from the list of the machine at a record's end."""
    text = (ROOT / name).read_text(encoding="utf8")
    return dict(re.findall(r"^(date|revision|Model name): *(.*)$", text, flags=re.MULTILINE))
