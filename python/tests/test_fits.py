"""The rules of docs/fits.md, on parts as engineers model them, and its pictures.

`IMPINGE_WRITE_PICTURES=1` writes the pictures anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "fits.md"
FOLDER = ROOT / "docs" / "fits"
SIZE = 360, 240
MM = impinge.check.Geometry(unit="mm")


def turned(outside: Any, heights: Any, bore: float = 0.0) -> impinge.Mesh:
    """Rings of radii, of the shape (heights, sides), above each other: solid, or about a round hole."""
    outside, heights = np.asarray(outside, float), np.asarray(heights, float)
    layers, sides = outside.shape
    angles = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = [
        np.column_stack([radii[:, None] * ring, np.full(sides, z)])
        for radii, z in zip(outside, heights, strict=True)
    ]
    ends = [np.column_stack([bore * ring, np.full(sides, z)]) for z in heights[[0, -1]]]
    if not bore:
        ends = [end[:1] for end in ends]
    k, after = np.arange(sides), np.roll(np.arange(sides), -1)

    def quads(low: Any, high: Any) -> Any:
        return np.concatenate(
            [
                np.stack([low[k], low[after], high[after]], axis=1),
                np.stack([low[k], high[after], high[k]], axis=1),
            ]
        )

    row = k[None, :] + sides * np.arange(layers)[:, None]
    faces = [quads(row[i], row[i + 1]) for i in range(layers - 1)]
    lower, upper = layers * sides, layers * sides + len(ends[0])
    if bore:
        inner = [lower + k, upper + k]
        faces += [quads(row[-1], inner[1]), quads(inner[1], inner[0]), quads(inner[0], row[0])]
    else:
        faces += [np.stack([row[0][after], row[0][k], np.full(sides, lower)], axis=1)]
        faces += [np.stack([row[-1][k], row[-1][after], np.full(sides, upper)], axis=1)]
    return impinge.Mesh(np.concatenate([*points, *ends]), np.concatenate(faces))


def round_bar(radius: float, low: float, high: float, bore: float = 0.0) -> impinge.Mesh:
    return turned(np.full((2, 64), radius), [low, high], bore)


def thread(core: float, height: float, pitch: float, length: float) -> impinge.Mesh:
    """A screw with a triangular thread."""
    sides, steps = 48, 12
    heights = np.linspace(0, length, round(length / pitch * steps) + 1)
    phase = (heights[:, None] / pitch - np.arange(sides)[None, :] / sides) % 1
    return turned(core + height * (1 - np.abs(2 * phase - 1)), heights)


def gear(teeth: int, module: float, width: float, bore: float) -> impinge.Mesh:
    """Teeth of a cosine."""
    angles = 2 * np.pi * np.arange(16 * teeth) / (16 * teeth)
    radii = module * (teeth / 2 + np.cos(teeth * angles))
    return turned([radii, radii], [0, width], bore)


def press_fit(excess: float) -> impinge.Assembly:
    bush, pin = round_bar(12, 0, 20, bore=5.0), round_bar(5.0 + excess, -4, 30)
    return impinge.Assembly.from_meshes({"bush": bush, "pin": pin})


def bolted(hole: float) -> impinge.Assembly:
    """A bolt of M10 through two plates; the second hole may be missing."""
    disk = round_bar(25, 0, 8, bore=4.6) if hole else round_bar(25, 0, 8)
    bolt = turned([np.full(64, r) for r in (8.0, 8.0, 5.0, 5.0)], [-6, 0, 0.0, 30])
    assembly = impinge.Assembly.from_meshes(
        {"bolt": bolt, "plate 1": round_bar(25, 0, 8, bore=4.6), "plate 2": disk}
    )
    assembly.set_pose("plate 2", impinge.pose([0, 0, 8]))
    return assembly


def screwed(core: float) -> impinge.Assembly:
    """A screw with a modelled thread in a nut with a plain hole."""
    assembly = impinge.Assembly.from_meshes(
        {"screw": thread(core, 0.9, 1.5, 18), "nut": round_bar(8, 0, 8, bore=4.2)}
    )
    assembly.set_pose("nut", impinge.pose([0, 0, 5]))
    return assembly


def geared(distance: float) -> impinge.Assembly:
    """Two gears of 20 teeth; half a tooth further, their teeth are between each other."""
    wheel = gear(20, 1.0, 6, 4.0)
    assembly = impinge.Assembly.from_meshes({"gear 1": wheel, "gear 2": wheel})
    turn = np.eye(4)
    c, s = np.cos(np.pi / 20), np.sin(np.pi / 20)
    turn[:2, :2] = [[c, -s], [s, c]]
    turn[0, 3] = distance
    assembly.set_pose("gear 2", turn)
    return assembly


CASES: list[tuple[Any, tuple[float, float], tuple[float, float]]] = [
    # As it should be, with its greatest depth, and with a mistake.
    (press_fit, (0.02, 0.02), (0.1, 0.1)),
    (bolted, (1.0, 0.4), (0.0, 5.0)),
    (screwed, (4.2, 0.9), (4.9, 1.6)),
    (geared, (20.0, 0.04), (19.5, 0.5)),
]


def test_a_line_of_rules_is_enough_for_a_fit() -> None:
    text = (ROOT / "docs" / "rules" / "fits.toml").read_text()
    page = PAGE.read_text()
    assert text[text.index("version") :] in page
    rules = impinge.Rules(text)
    cells = re.findall(r"^\| !.*?\| (.*?) \| (.*?) \|$", page, re.MULTILINE)
    for number, ((make, *both), texts) in enumerate(zip(CASES, cells, strict=True)):
        for is_wrong, ((value, depth), cell) in enumerate(zip(both, texts, strict=True)):
            found = make(value).check(geometry=MM)
            # The depth that the page states, to its digits.
            deepest = max(finding.depth or 0.0 for finding in found.findings)
            assert deepest == pytest.approx(depth, rel=0.05) and str(f"{depth:g}") in cell, cell
            report = make(value).check(rules=rules, geometry=MM)
            assert len(report.findings) == is_wrong, cell
            assert report.ignores[number].findings == len(found.findings) - is_wrong


def test_pictures_are_what_the_checks_draw() -> None:
    FOLDER.mkdir(exist_ok=True)
    for number, (make, (value, _), _) in enumerate(CASES, 1):
        picture, path = make(value).check().ranked_findings()[0].picture(*SIZE), FOLDER / f"{number}.png"
        assert picture is not None and len(picture) < 40_000
        if os.environ.get("IMPINGE_WRITE_PICTURES"):
            path.write_bytes(picture)
        assert path.read_bytes() == picture, f"docs/fits/{number}.png is not what the check draws"
