"""Lengths with a unit: the same numbers as the command's, wherever the check takes a length."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import impinge
from impinge.check import Geometry, WhatIf
from impinge._lengths import Coordinates, symbol

BOX = impinge.Mesh.box([1, 1, 1])


def row(unit: str | None = "m", file: str = "row.off") -> impinge.Assembly:
    """Three boxes: the second one is 4 mm from the first, and 5 mm deep in the third."""
    assembly = impinge.Assembly()
    assembly.add_source(file, unit=unit)
    for i, x in enumerate((0, 1.004, 1.999)):
        assembly.add(BOX, impinge.pose([x, 0, 0]), name=f"box {i}", file=file)
    return assembly


def kinds(report: impinge.check.Report) -> list[str]:
    return sorted(finding.kind for finding in report.findings)


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        ("5mm", "m", 0.005),
        ("7um", "m", 7e-6),
        ("3 \u00b5m", "mm", 0.003),
        ("3\u03bcm", "mm", 0.003),
        ("0.2 in", "mm", 5.08),
        ("0.7 inches", "cm", 1.778),
        ("7 Feet", "m", 2.1336),
        ("+2.5E-1 m", "mm", 250.0),
        (".5m", "cm", 50.0),
        ("5.m", "m", 5.0),
        ("0.017mm", "m", 0.000017),
        ("127mm", "in", 5.0),
        ("5", "ft", 5.0),
        ("0mm", "ft", 0.0),
    ],
)
def test_a_length_is_the_nearest_number(text: str, unit: str, number: float) -> None:
    assert Coordinates(unit).length("clearance", text) == number


@pytest.mark.parametrize(
    "text", ["", "mm", "5Mm", "5 mm mm", "1e", "0x5mm", "nan", "inf", "1e305m", "1e999", "-1mm"]
)
def test_other_texts_are_no_lengths(text: str) -> None:
    with pytest.raises(impinge.Error, match="^clearance"):
        Coordinates("um").length("clearance", text)


def test_files_name_units_in_any_case() -> None:
    assert [symbol(name) for name in ("MILLIMETRE", " MM", "Inches", "feet", "parsec")] == [
        "mm",
        "mm",
        "in",
        "ft",
        None,
    ]


@pytest.mark.parametrize(
    ("with_unit", "number", "found"),
    [
        ({"clearance": "4.5mm"}, {"clearance": 0.0045}, ["near", "overlap"]),
        ({"clearance": "3mm"}, {"clearance": 0.003}, ["overlap"]),
        ({"tolerance": "6mm"}, {"tolerance": 0.006}, []),
        (
            {"what_if": WhatIf(clearances=["1mm", 0.005])},
            {"what_if": WhatIf(clearances=[0.001, 0.005])},
            ["overlap"],
        ),
        (
            {"what_if": WhatIf(tolerances=["0.1cm"])},
            {"what_if": WhatIf(tolerances=[0.001])},
            ["overlap"],
        ),
        (
            {"geometry": Geometry(chord="3mm")},
            {"geometry": Geometry(chord=0.003)},
            ["near", "overlap"],
        ),
        (
            {"geometry": Geometry(chord={"*0": "1mm"})},
            {"geometry": Geometry(chord={"*0": 0.001})},
            ["overlap"],
        ),
    ],
)
def test_a_check_takes_both(with_unit: dict[str, Any], number: dict[str, Any], found: list[str]) -> None:
    report = row().check(**with_unit)
    assert kinds(report) == found and report.data == row().check(**number).data


def test_the_unit_is_that_of_all_files_or_else_the_callers() -> None:
    unknown = row(None)
    assert kinds(unknown.check(clearance="4.5mm", geometry=Geometry(unit="m"))) == ["near", "overlap"]
    with pytest.raises(
        impinge.Error, match=r"^clearance '4\.5mm': row\.off is in an unknown unit; state it by geometry="
    ):
        unknown.check(clearance="4.5mm")
    unknown.extend(row("mm", "other.off"))
    with pytest.raises(
        impinge.Error, match="row.off is in an unknown unit and other.off is in millimetre; state"
    ):
        unknown.check(clearance="4.5mm")
    with pytest.raises(impinge.Error, match="^unit: .parsec. is not a unit of length"):
        unknown.check(clearance=1, geometry=Geometry(unit="parsec"))
    with pytest.raises(impinge.Error, match="^clearance '1mm': the unit is unknown; state it by geometry="):
        impinge.Assembly().check(clearance="1mm")


def test_parts_groups_and_poses_take_both() -> None:
    assembly = row()
    assembly.add(BOX, name="curved", file="row.off", chord="2mm", rounding="1um")
    assert (assembly["curved"].chord, assembly["curved"].rounding) == (0.002, 1e-6)
    assembly.replace("curved", chord="3mm")
    assert assembly["curved"].chord == 0.003
    with pytest.raises(
        impinge.Error, match="^chord '2mm': the unit is unknown; state it by Assembly.add_source"
    ):
        assembly.add(BOX, name="other", chord="2mm")
    report = row().check()
    assert len(report.groups(near="1mm").groups) == len(report.groups(near=0.001).groups) == 1
    way: dict[str | int, Any] = {"box 1": impinge.pose([[1.004, 0, 0]])}
    wide, near = (impinge.check_poses(row(), way, min_gap=True, above=most) for most in ("1mm", "5mm"))
    assert wide.min_gap is not None and near.min_gap is not None
    assert list(wide.min_gap["pose"]) == [-1, 0] and list(near.min_gap["pose"]) == [0, 0]


def test_the_command_finds_the_same(tmp_path: Path) -> None:
    row().write(tmp_path / "row.impinge")
    command = [sys.executable, "-m", "impinge", "check", "row.impinge", "-o", "command.json"]
    options = ["--clearance", "4.5mm", "--tolerance", "0.2in", "--what-if", "1mm,5mm"]
    subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, check=False)
    read = impinge.read(tmp_path / "row.impinge")
    report = read.check(
        clearance="4.5mm", tolerance="0.2in", what_if=WhatIf(clearances=["1mm", "5mm"])
    )
    theirs = json.loads((tmp_path / "command.json").read_text())
    ours = json.loads(json.dumps(report.data))
    for name in ("clashes", "near", "what_if", "tests", "findings", "unit"):
        assert ours[name] == theirs[name], name
