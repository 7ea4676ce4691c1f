"""IGES and BREP that are cut off or damaged: no part is lost without a word, and reading ends."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

import impinge

pytest.importorskip("OCP", reason="NOT TESTED: needs the extra step")

FULL = bool(os.environ.get("IMPINGE_FULL"))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))


def boxes() -> list[Any]:
    """A cuboid, and one with a hole."""
    from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
    from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
    from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt

    hole = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(32, 2, -1), gp_Dir(0, 0, 1)), 1.0, 9.0).Shape()
    block = BRepPrimAPI_MakeBox(gp_Pnt(30, 0, 0), 4.0, 4.0, 4.0).Shape()
    return [BRepPrimAPI_MakeBox(2.0, 3.0, 4.0).Shape(), BRepAlgoAPI_Cut(block, hole).Shape()]


def iges(path: Path, solids: bool) -> Path:
    from OCP.IGESControl import IGESControl_Controller, IGESControl_Writer

    IGESControl_Controller.Init_s()
    writer = IGESControl_Writer("MM", int(solids))
    for shape in boxes():
        writer.AddShape(shape)
    writer.ComputeModel()
    assert writer.Write(str(path))
    return path


def brep(path: Path) -> Path:
    from OCP.BRepTools import BRepTools

    assert BRepTools.Write_s(boxes()[1], str(path))
    return path


def failed(assembly: impinge.Assembly) -> list[str]:
    return [one.reason for one in assembly.omissions if one.failed]


def without_entity(text: bytes, kind: int) -> bytes:
    """The file with blanks in place of the parameters of its first entity of a type."""
    lines = text.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line[72:73] == b"P" and line.startswith(b"%d," % kind))
    lines[at] = (b"%d;" % kind).ljust(64) + lines[at][64:]
    return b"".join(lines)


@pytest.mark.parametrize(("solids", "kind", "face"), [(False, 144, 144), (False, 108, 144), (True, 190, 510)])
def test_faces_of_iges_that_are_lost_have_failed(tmp_path: Path, solids: bool, kind: int, face: int) -> None:
    whole = iges(tmp_path / "whole.igs", solids)
    good = impinge.read(whole)
    assert len(good) == 2 and not good.omissions
    path = tmp_path / "damaged.igs"
    path.write_bytes(without_entity(whole.read_bytes(), kind))
    reasons = failed(impinge.read(path))
    assert any(
        "1 of 13 faces and solids of the file could not be read: D" in one and f"(type {face})" in one
        for one in reasons
    ), reasons


def test_lines_of_iges_that_are_missing_have_failed(tmp_path: Path) -> None:
    text = iges(tmp_path / "whole.igs", False).read_bytes()
    lines = text.splitlines(keepends=True)
    parameters = [i for i, line in enumerate(lines) if line[72:73] == b"P"]
    path = tmp_path / "cut.igs"
    path.write_bytes(b"".join(line for i, line in enumerate(lines) if i != parameters[-1]))
    assert any("lines in its section P, and has" in one for one in failed(impinge.read(path)))


def triangles(assembly: impinge.Assembly) -> int:
    return sum(len(part.mesh) for part in assembly.parts)


def test_damaged_iges_loses_nothing_without_a_word(tmp_path: Path) -> None:
    whole = iges(tmp_path / "whole.igs", False)
    text, good = whole.read_bytes(), impinge.read(whole)
    outcomes = set()
    for case in range(20 if FULL else 3):
        rng = random.Random(case)
        at = rng.randrange(len(text) // 2, len(text))
        path = tmp_path / f"{case}.igs"
        path.write_bytes(text[:at] + text[at + rng.randrange(81, 400) :])
        try:
            assembly = impinge.read(path)
        except impinge.Error as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            outcomes.add("error")
            continue
        assert failed(assembly) or triangles(assembly) == triangles(good), case
        outcomes.add("parts")
    assert "parts" in outcomes


def test_a_brep_that_is_cut_off_is_an_error_at_once(tmp_path: Path) -> None:
    whole = brep(tmp_path / "whole.brep")
    assert [len(part.mesh) > 12 for part in impinge.read(whole)] == [True]
    text = whole.read_bytes()
    path = tmp_path / "cut.brep"
    for share in (0.3, 0.95):
        path.write_bytes(text[: int(len(text) * share)])
        with pytest.raises(impinge.Error, match="cut off or damaged: .*; export it again"):
            impinge.read(path)
    path.write_bytes(text.replace(b"\nCurves ", b"\nCurves 99999999", 1))
    with pytest.raises(impinge.Error, match="its section Curves states 99999999"):
        impinge.read(path)
    path.write_bytes(b"solid of another format")
    with pytest.raises(impinge.Error, match="no BREP file: it does not begin with 'CASCADE Topology'"):
        impinge.read(path)
