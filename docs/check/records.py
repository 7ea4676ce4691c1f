"""Tables of the committed records (results.tsv of a record's folder), and figures of their cells.

A figure is named by a folder, a table, the row's first cells and the column, as in
`bench/records/pairs | All pairs | horses | fcl-obb`. A cell such as `912.0 (9.04)` has two numbers: `x` behind the
column means the one in brackets.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from typing import Any

from pages import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from driver.page import text as page  # noqa: E402, F401  (the path must be there first)
from driver.record import FILE, read, results  # noqa: E402
from driver.tables import Table  # noqa: E402

tables = cache(results)


def table(folder: str, name: str) -> Any:
    found = tables(ROOT / folder)
    if name not in found:
        raise LookupError(f"{folder} has no table '{name}'; it has {', '.join(found)}")
    return found[name]


def row(of: Table, *first: str) -> dict[str, str]:
    """The row whose first cells are these."""
    found = [cells for cells in of.rows if tuple(cells[: len(first)]) == first]
    if len(found) != 1:
        raise LookupError(f"{len(found)} rows begin with {' | '.join(first)}")
    return dict(zip(of.head, found[0]))


def number(text: str) -> float:
    return float(text.partition(" of ")[0].replace(",", "").removesuffix("%"))


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
    """The text of a cell: `FOLDER | TABLE | ROW ... | COLUMN`."""
    folder, caption, *first, column = [part.strip() for part in name.split("|")]
    return cell(row(table(folder, caption), *first), column)


def about(folder: str) -> dict[str, str]:
    """The command, the date, the revision and the machine of a record."""
    return dict(table(folder, "about").rows)


def runs(folder: str) -> dict[str, str]:
    """The output of every run of a record."""
    return dict(read(ROOT / folder / FILE))
