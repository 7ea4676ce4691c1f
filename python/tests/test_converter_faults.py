"""Files that converters once lost parts of, or crashed on: `shared/faults` beside the checkout."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import impinge

CRASHED = (
    r"crashed \(\S+, \w+\): the file may be damaged; export it again, or open and save it in another program$"
)
FAILED = (
    r"failed \(.+, (reading|writing)\): the file may be damaged; export it again, or open and save it"
)


def faults(name: str) -> Path:
    """The folder of a fault, beside that of the models."""
    data = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    folder = data.parent / "faults" / name
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED: there is no folder {folder} (IMPINGE_DATA sets another)")
    return folder


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "impinge", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True)


def test_an_open_shell_beside_a_brep() -> None:
    pytest.importorskip("ifcopenshell", reason="NOT TESTED: needs the extra ifc")
    path = faults("ifc_open_shell_item_lost") / "open_shell.ifc"
    assembly = impinge.read(path)
    assert {part.name: len(part.mesh) for part in assembly} == {
        "frame with an open shell": 14,
        "beam through it": 12,
    }
    assert not assembly.omissions
    (finding,) = assembly.check()
    assert finding.b is not None and {finding.a.name, finding.b.name} == {part.name for part in assembly}
    assert command("check", "--strict", path).returncode == 1


@pytest.mark.parametrize(
    ("name", "library", "why"),
    [
        (
            "brep_truncated/cut.brep",
            "OCP",
            r"cut off or damaged: its section TShapes states 48 entries, and has 24",
        ),
        ("converter_crashes/brep_X_flip_1_78.brep", "OCP", FAILED),
        ("converter_crashes/step_crash11_self_1_36.step", "OCP", "cadquery-ocp-novtk " + CRASHED),
        ("converter_crashes/ifc_crash11_ref_2_43.ifc", "ifcopenshell", "ifcopenshell " + CRASHED),
        ("converter_crashes/ifc_crash8_word_2_231.ifc", "ifcopenshell", "ifcopenshell " + CRASHED),
        ("converter_crashes/h5m_X_h5_2_206.h5m", "h5py", FAILED),
    ],
)
def test_errors_name_the_file_the_reason_and_a_way_out(name: str, library: str, why: str) -> None:
    pytest.importorskip(library, reason="NOT TESTED: needs the extras ifc, step and h5m")
    path = faults(name.split("/")[0]) / name.split("/")[1]
    with pytest.raises(impinge.Error) as error:
        impinge.read(path)
    text = str(error.value)
    assert text.startswith(f"{path}: ") and "\n" not in text
    assert re.search(why, text), text


def test_a_brep_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("OCP", reason="NOT TESTED: needs the extra step")
    monkeypatch.setenv("IMPINGE_CONVERT_SECONDS", "6")
    path = faults("brep_truncated") / "number.brep"
    with pytest.raises(impinge.Error, match="took more than 6 s .*; IMPINGE_CONVERT_SECONDS sets the limit"):
        impinge.read(path)


def test_seconds_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("h5py", reason="NOT TESTED: needs the extra h5m")
    monkeypatch.setenv("IMPINGE_CONVERT_SECONDS", "inf")
    done = command("info", faults("convert_seconds_inf") / "a.h5m")
    assert done.returncode == 0 and "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["deleted.iges", "number.iges"])
def test_an_iges_that_lost_faces(name: str) -> None:
    pytest.importorskip("OCP", reason="NOT TESTED: needs the extra step")
    folder = faults("iges_lost_faces")
    assert not [one for one in impinge.read(folder / "good.iges").omissions if one.failed]
    reasons = [one.reason for one in impinge.read(folder / name).omissions if one.failed]
    assert any(
        "6 of 10 faces and solids of the file could not be read: D67 (type 144)" in one for one in reasons
    )
    assert command("check", "--strict", folder / name).returncode == 2
