"""`impinge judge` on lists that ifcclash wrote for walls with computed relations."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ifcopenshell = pytest.importorskip("ifcopenshell", reason="NOT TESTED: needs the extra ifc")

GUIDS = {
    "one": "0jHbwu5$PDkh84GR5QtlM7",
    "two": "3LSD1Q8PT3K8QGYtBuVwpb",
    "crosses": "3dKjoL3dfFRg9wq3K_oOsv",
    "touches": "101KeiJq5AXRuoH9kFAOyG",
    "far": "1MkFFIl01B0RzmvOpRV0h6",
}
RECORDED = """[{"name": "walls", "a": [{"file": "a.ifc"}], "b": [{"file": "b.ifc"}], "mode": "clearance",
"clearance": 0.05, "check_all": true, "clashes": {
    "0jHbwu5$PDkh84GR5QtlM7-3dKjoL3dfFRg9wq3K_oOsv": {
        "a_global_id": "0jHbwu5$PDkh84GR5QtlM7", "b_global_id": "3dKjoL3dfFRg9wq3K_oOsv",
        "a_ifc_class": "IfcWall", "b_ifc_class": "IfcWall", "a_name": "one", "b_name": "crosses",
        "type": "clearance", "p1": [5.0, 0.1, 3.0], "p2": [5.0, 0.1, 3.0], "distance": 0.0},
    "3LSD1Q8PT3K8QGYtBuVwpb-101KeiJq5AXRuoH9kFAOyG": {
        "a_global_id": "3LSD1Q8PT3K8QGYtBuVwpb", "b_global_id": "101KeiJq5AXRuoH9kFAOyG",
        "a_ifc_class": "IfcWall", "b_ifc_class": "IfcWall", "a_name": "two", "b_name": "touches",
        "type": "clearance", "p1": [10.0, 0.2, 0.0], "p2": [10.0, 0.2, 0.0], "distance": 0.0}}}]"""
"""Output of ifcclash for these walls: both pairs have distance 0, and the list has no other difference."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))


def house(path: Path, walls: dict[str, tuple[float, float, float]]) -> str:
    """Walls along x, 0.2 m thick and 3 m high: x and y of a corner, and the length."""
    import ifcopenshell.api

    model = ifcopenshell.file(schema="IFC4")
    run = ifcopenshell.api.run
    project = run("root.create_entity", model, ifc_class="IfcProject", name="house")
    run("unit.assign_unit", model, length={"is_metric": True, "raw": "METERS"})
    whole = run("context.add_context", model, context_type="Model")
    body = run(
        "context.add_context",
        model,
        context_type="Model",
        context_identifier="Body",
        target_view="MODEL_VIEW",
        parent=whole,
    )
    storey = run("root.create_entity", model, ifc_class="IfcBuildingStorey", name="ground")
    run("aggregate.assign_object", model, products=[storey], relating_object=project)
    for name, (x, y, length) in walls.items():
        wall = run("root.create_entity", model, ifc_class="IfcWall", name=name)
        wall.GlobalId = GUIDS[name]
        place = np.eye(4)
        place[:2, 3] = x, y
        run("geometry.edit_object_placement", model, product=wall, matrix=place, is_si=True)
        size: dict[str, Any] = {"length": length, "height": 3.0, "thickness": 0.2}
        shape = run("geometry.add_wall_representation", model, context=body, **size)
        run("geometry.assign_representation", model, product=wall, representation=shape)
        run("spatial.assign_container", model, products=[wall], relating_structure=storey)
    model.write(str(path))
    return str(path)


def models(folder: Path) -> list[str]:
    """Two walls; of those of another trade one overlaps the first, one touches the second, one is far off."""
    return [
        house(folder / "a.ifc", {"one": (0, 0, 5), "two": (10, 0, 5)}),
        house(folder / "b.ifc", {"crosses": (2, 0.1, 3), "touches": (10, 0.2, 5), "far": (30, 0, 1)}),
    ]


def judged(folder: Path, text: str, files: list[str]) -> Any:
    """The judgement of a list, and the exit status."""
    path = folder / "clashes.json"
    path.write_text(text)
    words = [sys.executable, "-m", "impinge", "judge", str(path), *files, "--format", "json"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout), done.returncode


def test_an_overlap_and_a_contact_of_one_list_are_told_apart(tmp_path: Path) -> None:
    files = models(tmp_path)
    found, status = judged(tmp_path, RECORDED, files)
    assert found["list"] == "ifcclash" and status == 1
    assert [(one["test"], one["verdict"]) for one in found["entries"]] == [
        ("walls", "overlap"),
        ("walls", "touch"),
    ]
    pair = found["entries"][0]["pairs"][0]
    assert {part["guid"] for part in pair["parts"]} == {GUIDS["one"], GUIDS["crosses"]}
    # 3 m long, 3 m high, and half of its thickness.
    assert pair["volume"] == pytest.approx(0.9, rel=1e-9)
    assert found["missing"] == []
    # The overlap alone is the list that `impinge check` agrees with.
    sets = json.loads(RECORDED)
    sets[0]["clashes"].pop(f"{GUIDS['two']}-{GUIDS['touches']}")
    assert judged(tmp_path, json.dumps(sets), files)[1] == 0
    sets[0]["clashes"] = {}
    found, status = judged(tmp_path, json.dumps(sets), files)
    assert [{part["name"] for part in one["parts"]} for one in found["missing"]] == [{"one", "crosses"}]


@pytest.mark.parametrize(
    ("mode", "options", "expected"),
    [
        ("collision", {"allow_touching": False}, ["overlap"]),
        ("clearance", {"clearance": 0.05, "check_all": True}, ["overlap", "touch"]),
    ],
)
def test_what_ifcclash_writes_today(tmp_path: Path, mode: str, options: Any, expected: list[str]) -> None:
    clash = pytest.importorskip("ifcclash.ifcclash", reason="NOT TESTED: needs ifcclash")
    files = models(tmp_path)
    settings = clash.ClashSettings()
    settings.output, settings.logger = str(tmp_path / "out.json"), logging.getLogger("ifcclash")
    clasher = clash.Clasher(settings)
    sources = [[{"file": file}] for file in files]
    clasher.clash_sets = [{"name": "walls", "a": sources[0], "b": sources[1], "mode": mode, **options}]
    clasher.clash()
    clasher.export()
    found, _ = judged(tmp_path, Path(settings.output).read_text(), files)
    assert sorted(one["verdict"] for one in found["entries"]) == expected
    assert {one["word"] for one in found["entries"]} == {mode}
