"""Reports of what clashes in an assembly."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from impinge._core import _Checked

PathLike = str | os.PathLike[str]

ROWS = 100
"""Rows of a printed report, as of the command's; `Report.write` writes all."""


# The columns of the CSV file, in the same order.
_COLUMNS = (
    *("a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"),
    *("relation", "touching", "overlap_volume_lo", "overlap_volume_hi", "depth_at_least"),
    *("separating_translation_x", "separating_translation_y", "separating_translation_z", "shallow"),
    *("distance_lo", "distance_hi", "b_x", "b_y", "b_z", "certainty"),
)
_NUMBERS = frozenset(_COLUMNS) - {
    *("a", "b", "name_a", "name_b", "triangle_pairs", "relation", "touching", "shallow", "certainty")
}


def _clash_row(clash: dict[str, Any]) -> dict[str, Any]:
    row = {name: clash.get(name) for name in ("a", "b", "triangle_pairs", "relation", "touching", "shallow")}
    row["depth_at_least"], row["certainty"] = clash.get("depth_at_least"), clash.get("certainty")
    row |= zip("xyz", clash["point"], strict=True)
    if clash.get("overlap_volume") is not None:
        row["overlap_volume_lo"], row["overlap_volume_hi"] = clash["overlap_volume"]
    if clash.get("separating_translation") is not None:
        names = (f"separating_translation_{axis}" for axis in "xyz")
        row |= zip(names, clash["separating_translation"], strict=True)
    return row


def _near_row(near: dict[str, Any]) -> dict[str, Any]:
    first, second = near["points"]
    row = {"a": near["a"], "b": near["b"], "triangle_pairs": 0, "relation": "near", "touching": False}
    row["certainty"] = near.get("certainty")
    row["distance_lo"], row["distance_hi"] = near["distance"]
    row |= zip("xyz", first, strict=True)
    row |= zip(("b_x", "b_y", "b_z"), second, strict=True)
    return row


class Report:
    """Result of `Assembly.check`: everything in the command's JSON.

    Attributes
    ----------
    data : dict
        All of it, as ``impinge check --format json`` writes it.
    findings : int
        How many findings count; the command's exit status is 1 if there are any.
    """

    __slots__ = ("_checked", "data", "findings")

    data: dict[str, Any]
    findings: int

    def __init__(self, checked: _Checked) -> None:
        self._checked = checked
        self.findings = checked.findings
        self.data = json.loads(checked.json())

    @property
    def clashes(self) -> list[dict[str, Any]]:
        """Each pair of parts that meet, or where one is in the other; pairs that only touch, too.

        A clash has its parts ``a`` and ``b`` (indices of `parts`), its ``relation``, a ``point`` and so on.
        """
        return list(self.data["clashes"])

    @property
    def near(self) -> list[dict[str, Any]]:
        """Each pair that is near without meeting, if a clearance was given."""
        return list(self.data.get("near", []))

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts, and whether they are solids."""
        return list(self.data["parts"])

    @property
    def coverage(self) -> dict[str, Any]:
        """Numbers of examined pairs and of results: they always add up."""
        return dict(self.data["coverage"])

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Omissions and doubts of the readers."""
        return list(self.data["warnings"])

    @property
    def what_if(self) -> list[dict[str, Any]]:
        """For each clearance of the query the number of near pairs, and the number of findings."""
        return list(self.data.get("what_if", []))

    def columns(self) -> dict[str, Any]:
        """The rows of the CSV file as columns, for pandas, polars or numpy.

        ``pd.DataFrame(report.columns())`` makes a table of them.

        A row for each clash, then for each pair that is near, then for each that was not examined. Names are
        those of the files. The columns are the same for every report.

        Returns
        -------
        dict of str to array or list
            Indices and numbers are arrays, in which NaN is a number that is not known; others are lists, in
            which None is. ``overlap_volume_lo`` and ``_hi``, and ``distance_lo`` and ``_hi``, are bounds.

        Examples
        --------
        >>> import impinge, pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "part.off"
        >>> _ = path.write_text("OFF\\n3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n")
        >>> columns = impinge.read(path, path).check().columns()
        >>> columns["name_a"], columns["relation"], columns["x"].shape
        (['part'], ['meet'], (1,))
        """
        rows = [_clash_row(clash) for clash in self.data["clashes"]]
        rows += [_near_row(near) for near in self.data.get("near", [])]
        rows += [{"a": a, "b": b, "relation": "not_examined"} for a, b in self.data.get("not_examined", [])]
        names = [part["name"] for part in self.data["parts"]]
        for row in rows:
            row["name_a"], row["name_b"] = names[row["a"]], names[row["b"]]
        columns: dict[str, Any] = {}
        for name in _COLUMNS:
            cells = [row.get(name) for row in rows]
            if name in ("a", "b"):
                columns[name] = np.array(cells, dtype=np.int64)
            elif name in _NUMBERS:
                columns[name] = np.array(cells, dtype=np.float64)
            else:
                columns[name] = cells
        return columns

    def __repr__(self) -> str:
        return f"Report({self.findings} findings, {len(self.data['clashes'])} clashes)"

    def __str__(self) -> str:
        return self._checked.table(ROWS)

    def write(self, path: PathLike) -> None:
        """Write the report as JSON, CSV or text, by the name's ending: .json, .csv, .txt.

        A file of that name is replaced once all is written. Counts of findings (``what_if``) are no CSV.
        """
        path = Path(path)
        texts = {".json": self._checked.json, ".csv": self._checked.csv, ".txt": self._checked.table}
        if path.suffix.lower() not in texts:
            raise ValueError(f"{path}: a report is written as .json, .csv or .txt")
        text = texts[path.suffix.lower()]()
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8", newline="")
            return
        path = path.resolve()
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as folder:
            new = Path(folder, path.name)
            new.write_text(text, encoding="utf-8", newline="")
            if path.exists():
                new.chmod(path.stat().st_mode)
            new.replace(path)
