"""The lists of a report as arrays and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._core import _Report

# The columns of the CSV file, in the same order; its last ones are about findings.
_COLUMNS = (
    *("a", "b", "name_a", "name_b", "triangle_pairs", "x", "y", "z"),
    *("relation", "touching", "overlap_volume_lo", "overlap_volume_hi"),
    *("interference_depth_lo", "interference_depth_hi", "depth_at_least"),
    *("separating_translation_x", "separating_translation_y", "separating_translation_z", "shallow"),
    "separating_distance",
    *("distance_lo", "distance_hi", "b_x", "b_y", "b_z", "certainty", "counts"),
)


_CLASH = np.dtype(
    [
        ("a", "u4"),
        ("b", "u4"),
        ("counts", "?"),
        ("relation", "U14"),
        ("touching", "?"),
        ("certainty", "U8"),
        ("triangle_pairs", "u8"),
        ("point", "f8", 3),
        ("overlap_volume", "f8", 2),
        ("interference_depth", "f8", 2),
        ("depth_at_least", "f8"),
        ("separating_translation", "f8", 3),
        ("separating_distance", "f8"),
        ("shallow", "i1"),
    ]
)
_NEAR = np.dtype(
    [("a", "u4"), ("b", "u4"), ("distance", "f8", 2), ("points", "f8", (2, 3)), ("certainty", "U8")]
)
_SURE = np.array(["possible", "definite"])


def _named(codes: NDArray[np.uint8], names: NDArray[np.str_]) -> NDArray[np.str_]:
    """Names of codes; 255 is the empty one."""
    return np.append(names, "")[np.minimum(codes, len(names))]


def clash_table(native: _Report) -> NDArray[np.void]:
    """`Report.clash_array`."""
    columns = native.clash_columns()
    table = np.empty(native.clashes, dtype=_CLASH)
    table["a"], table["b"] = columns["parts"].T
    table["touching"] = columns["triangle_pairs"] > 0
    table["relation"] = _named(columns["relation"], np.array(_Report.relations()))
    table["certainty"] = _named(columns["certainty"], _SURE)
    for name in set(columns) - {"parts", "relation", "certainty"}:
        table[name] = columns[name]
    table.flags.writeable = False
    return table


def near_table(native: _Report) -> NDArray[np.void]:
    """`Report.near_array`."""
    columns = native.near_columns()
    table = np.empty(native.near, dtype=_NEAR)
    table["a"], table["b"] = columns["parts"].T
    table["distance"], table["points"] = columns["distance"], columns["points"]
    table["certainty"] = _named(columns["certainty"], _SURE)
    return table


def columns(native: _Report, arrays: dict[Any, NDArray[Any]]) -> dict[str, Any]:
    """`Report.columns`, of `Report.arrays`."""
    clashes, near, left = arrays["clashes"], arrays["near"], arrays["not_examined"]
    rows = len(clashes), len(near), len(left)
    names = native.names()
    none: list[list[None]] = [[None] * count for count in rows]
    found: dict[str, Any] = {}

    def numbers(name: str, of_clashes: Any, of_near: Any) -> None:
        parts = (of_clashes, of_near, None)
        whole = [
            np.full(n, np.nan) if part is None else part for n, part in zip(rows, parts, strict=True)
        ]
        found[name] = np.concatenate(whole)

    for k, side in enumerate("ab"):
        found[side] = np.concatenate([clashes[side], near[side], left[:, k]]).astype(np.int64)
        found[f"name_{side}"] = [names[i] for i in found[side].tolist()]
    found["triangle_pairs"] = clashes["triangle_pairs"].tolist() + [0] * rows[1] + none[2]
    for k, axis in enumerate("xyz"):
        numbers(axis, clashes["point"][:, k], near["points"][:, 0, k])
        numbers(f"separating_translation_{axis}", clashes["separating_translation"][:, k], None)
        numbers(f"b_{axis}", None, near["points"][:, 1, k])
    for k, bound in enumerate(("lo", "hi")):
        for name in ("overlap_volume", "interference_depth"):
            numbers(f"{name}_{bound}", clashes[name][:, k], None)
        numbers(f"distance_{bound}", None, near["distance"][:, k])
    for name in ("depth_at_least", "separating_distance"):
        numbers(name, clashes[name], None)
    relations: list[str | None] = [text or None for text in clashes["relation"].tolist()]
    found["relation"] = relations + ["near"] * rows[1] + ["not_examined"] * rows[2]
    is_touching = clashes["touching"].tolist() if any(relations) else none[0]
    found["touching"] = is_touching + [False] * rows[1] + none[2]
    known = {1: True, 0: False}
    found["shallow"] = [known.get(one) for one in clashes["shallow"].tolist()] + none[1] + none[2]
    sure = clashes["certainty"].tolist() + near["certainty"].tolist()
    found["certainty"] = [text or None for text in sure] + none[2]
    found["counts"] = clashes["counts"].tolist() + [True] * rows[1] + none[2]
    return {name: found[name] for name in _COLUMNS}
