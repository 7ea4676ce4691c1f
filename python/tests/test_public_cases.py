"""Public reports against other libraries: the command, its page, and the inputs of `shared/public`."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge
from impinge.demo._public_cases import CASES, RAYS, Case, body, page_text, table

ROOT = Path(__file__).parents[2]
ALL = [pytest.param(case, id=f"{case.name}, {case.report}") for case in CASES]


def shared() -> Path:
    """The folder of the reports' inputs, beside that of the models."""
    data = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    folder = data.parent / "public"
    if not folder.is_dir():
        reason = f"NOT TESTED: there is no folder {folder} (IMPINGE_DATA sets another)"
        if os.environ.get("CI", "") not in ("", "0", "false"):
            pytest.fail(reason)
        pytest.skip(reason)
    return folder


def obj(path: Path) -> impinge.Mesh:
    """The mesh of an OBJ file of points and triangles."""
    lines = [line.split() for line in path.read_text().splitlines()]
    points = [[float(word) for word in words] for key, *words in lines if key == "v"]
    faces = [[int(word) - 1 for word in words] for key, *words in lines if key == "f"]
    return impinge.Mesh(points, faces)


def corners(mesh: impinge.Mesh) -> NDArray[np.float64]:
    return np.unique(mesh.vertices + 0.0, axis=0)


@pytest.mark.parametrize("case", ALL)
def test_it_is_right(case: Case) -> None:
    text, is_right = case.ours()
    assert is_right, text
    assert text == case.right


@pytest.mark.parametrize("case", ALL)
def test_the_inputs_of_the_report_have_the_same_result(case: Case) -> None:
    folder = shared()
    given = {one["name"]: one for one in json.loads((folder / "cases.json").read_text())}
    if case.name == "parry444":
        mesh = obj(folder / "unit.obj")
        rays = [[float(word) for word in line.split()] for line in (folder / "rays444.txt").open()]
        assert rays == [[x, y, 2.0, 0.0, 0.0, -1.0] for x, y in RAYS]
        files, poses = (mesh, mesh), case.poses
    elif case.name == "skrobot895":
        files, poses = (obj(folder / "skrobot895_link.obj"), case.meshes()[1]), case.poses
    else:
        one = given[case.name]
        files, poses = (obj(folder / one["a"]), obj(folder / one["b"])), (one["pose_a"], one["pose_b"])
    for mine, theirs in zip(case.meshes(), files, strict=True):
        assert np.array_equal(corners(mine), corners(theirs))
        relation = impinge.relation(impinge.Body(impinge.Model(mine)), impinge.Body(impinge.Model(theirs)))
        assert relation.kind.name in ("DUPLICATE", "MEET")
    for mine, theirs in zip(case.bodies(), poses, strict=True):
        assert np.array_equal(mine.pose, body(case.meshes()[0], theirs).pose)
    a, b = (body(mesh, pose) for mesh, pose in zip(files, poses, strict=True))
    text, is_right = case.check(a, b)
    assert is_right, text
    assert text == case.right


def test_all_cases_of_the_folder_are_there() -> None:
    names = [one["name"] for one in json.loads((shared() / "cases.json").read_text())]
    assert [case.name for case in CASES] == [*names, "parry444", "skrobot895"]


@pytest.mark.parametrize("case", [case for case in CASES if case.name not in ("tmb762_on", "isaac6765_hull")])
def test_another_result_is_wrong(case: Case) -> None:
    """The check can fail: a body that is moved by a tenth of its size has another result."""
    a, b = case.bodies()
    moved = np.array(b.pose)
    size = np.ptp(np.concatenate([a.model.mesh.vertices, b.model.mesh.vertices]), axis=0).max()
    moved[:3, 3] += 0.1 * size * np.array([0.3, 0.5, 0.7])
    if case.name in ("ifclite4284", "parry444"):
        moved[0, 3] += 5.0
    other = impinge.Body(b.model, moved, affine=True)
    assert not case.check(other if case.name == "parry444" else a, other)[1]


def test_the_command_prints_a_table() -> None:
    lines, wrong = table()
    assert wrong == 0
    assert all(len(line) <= 80 for line in lines)
    assert len(lines) == len(CASES) + 1
    words = [sys.executable, "-m", "impinge.demo", "public-cases"]
    found = subprocess.run(words, capture_output=True, text=True)
    assert found.returncode == (1 if wrong else 0), found.stderr
    assert found.stdout.splitlines() == [*lines, f"{len(CASES)} cases, {wrong} wrong"]


def test_a_wrong_result_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = dataclasses.replace(CASES[-1], check=lambda a, b: ("something", False))
    monkeypatch.setattr("impinge.demo._public_cases.CASES", [wrong])
    lines, count = table()
    assert count == 1
    assert lines[1].split()[-2:] == ["something", "WRONG"]
    assert "| **something** |" in page_text()[0]


def test_the_page_is_what_the_command_writes() -> None:
    """`python -m impinge.demo public-cases --page > docs/public-cases.md` writes it anew."""
    assert (ROOT / "docs" / "public-cases.md").read_text() == page_text()[0]
