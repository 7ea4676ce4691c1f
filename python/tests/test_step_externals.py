# ruff: noqa: E402
"""STEP files that name other files for the shapes of their parts: damage, cycles, and the cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import impinge

pytest.importorskip("OCP", reason="NOT TESTED: needs the extra step")

from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_AsIs
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFDoc import XCAFDoc_DocumentTool


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for the run, so that nothing of the user's is used."""
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def written(folder: Path, size: float = 2, name: str = "whole") -> Path:
    """An assembly of two boxes, each in a file of its own beside it."""
    text = TCollection_ExtendedString
    made = TDocStd_Document(text("XmlXCAF"))
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(made.Main())
    whole = shapes.NewShape()
    TDataStd_Name.Set_s(whole, text(name))
    for part, shape in (("one", BRepPrimAPI_MakeBox(1, 1, 1)), ("two", BRepPrimAPI_MakeBox(size, 1, 1))):
        label = shapes.AddShape(shape.Shape(), False)
        TDataStd_Name.Set_s(label, text(part))
        shapes.AddComponent(whole, label, TopLoc_Location())
    shapes.UpdateAssemblies()
    writer = STEPCAFControl_Writer()
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert writer.Transfer(made, STEPControl_AsIs, "of_")
        writer.Write(f"{name}.stp")
    finally:
        os.chdir(before)
    assert {"of_one.stp", "of_two.stp"} <= set(os.listdir(folder))
    return folder / f"{name}.stp"


def facts(path: Path) -> tuple[list[float], list[str]]:
    """The widths of the parts, and the reasons of what failed."""
    found = impinge.read(path)
    widths = [float(one.mesh.vertices[:, 0].max()) for one in found.parts]
    return widths, [f"{one.name}: {one.reason}" for one in found.omissions if one.failed]


def test_a_changed_external_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert facts(path) == ([1, 2], [])
    (tmp_path / "more").mkdir()
    written(tmp_path / "more", 3)
    os.replace(tmp_path / "more/of_two.stp", tmp_path / "of_two.stp")
    assert facts(path) == ([1, 3], [])
    (tmp_path / "of_two.stp").unlink()
    assert facts(path) == ([1], ["of_two.stp: the file that has the shape of a part cannot be read"])
    written(tmp_path, 4)
    assert facts(path) == ([1, 4], [])


def test_a_damaged_external_file_is_no_clean_result(tmp_path: Path) -> None:
    path = written(tmp_path)
    two = tmp_path / "of_two.stp"
    text = two.read_text()
    two.write_text(text[: len(text) // 2])
    assert facts(path)[1] == ["of_two.stp: the file is cut off: it has no END-ISO-10303-21 at its end"]
    two.write_text("solid\nendsolid\n")
    assert facts(path) == ([1], ["of_two.stp: no STEP file: it does not begin with ISO-10303-21"])
    face = text.index("ADVANCED_FACE(")
    two.write_text(text[:face] + "ADVANCED_FAKE(" + text[face + len("ADVANCED_FACE(") :])
    failed = facts(path)[1]
    assert len(failed) == 1 and failed[0].startswith("of_two.stp: 1 "), failed


def test_files_that_name_each_other_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    own = path.read_text()
    path.write_text(own.replace("of_two.stp", "whole.stp"))
    assert facts(path) == (
        [1],
        ["None: 1 entities of shapes that cannot be read: the file names itself for the shape of a part"],
    )
    (tmp_path / "other.stp").write_text(own.replace("of_two.stp", "whole.stp"))
    path.write_text(own.replace("of_two.stp", "other.stp"))
    with pytest.raises(impinge.Error, match="whole.stp: the files other.stp and whole.stp name each other"):
        impinge.read(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="NOT TESTED: no FIFO on this system")
def test_an_external_file_that_is_none_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path)
    (tmp_path / "of_two.stp").unlink()
    os.mkfifo(tmp_path / "of_two.stp")
    with pytest.raises(impinge.Error, match="of_two.stp.* is no regular file"):
        impinge.read(path)


@pytest.mark.parametrize("name", ["other/of_two.stp", "other\\\\of_two.stp", "\\X2\\00FC\\X0\\.stp"])
def test_names_as_files_have_them(tmp_path: Path, name: str) -> None:
    path = written(tmp_path)
    path.write_text(path.read_text().replace("of_two.stp", name))
    (tmp_path / "other").mkdir()
    there = tmp_path / ("ü.stp" if "X2" in name else "other/of_two.stp")
    os.replace(tmp_path / "of_two.stp", there)
    assert facts(path) == ([1, 2], [])
    there.unlink()
    # The cache has noticed.
    assert facts(path)[0] == [1]
