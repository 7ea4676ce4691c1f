"""IFC: parts as a script of ifcopenshell has them, to the last bit; and files that are damaged or hostile."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import impinge
from damage import damaged
from ifc_house import House, house

ifcopenshell = pytest.importorskip("ifcopenshell", reason="NOT TESTED: needs the extra ifc")

FULL = bool(os.environ.get("IMPINGE_FULL"))
QUICK = (
    "bcf/MEP.ifc",
    "bcf/Architectural.ifc",
    "ifc/YTONG-Kavel 01.ifc",
    "ifc/ROOT-lateien_en_geveldragers.ifczip",
    "ifc/ROOT-staal.ifczip",
)


def data() -> Path:
    """The folder of models beside the checkout."""
    folder = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED: there is no folder of models at {folder} (IMPINGE_DATA sets another)")
    return folder


def models() -> list[Path]:
    folder = data()
    if FULL:
        return sorted([*folder.glob("ifc/*.ifc*"), *folder.glob("bcf/*.ifc")])
    return [folder / name for name in QUICK]


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for the run, so that each file is converted once, and nothing of the user's is used."""
    folder = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("IMPINGE_CACHE", str(folder))
    return folder


def reference(path: Path) -> dict[str, tuple[Any, Any, Any, str]]:
    """Results of ifcopenshell by GUID, with one thread: points, triangles, matrix by columns, class."""
    import ifcopenshell.geom

    with tempfile.TemporaryDirectory() as folder:
        if path.suffix == ".ifczip":
            with zipfile.ZipFile(path) as archive:
                path = Path(archive.extract(archive.namelist()[0], folder))
        model = ifcopenshell.open(path)
        left_out = ["IfcSpace", "IfcOpeningElement"]
        found = {}
        iterator = ifcopenshell.geom.iterator(ifcopenshell.geom.settings(), model, 1, exclude=left_out)
        for shape in iterator:
            points = [shape.geometry.verts[i : i + 3] for i in range(0, len(shape.geometry.verts), 3)]
            corners = [shape.geometry.faces[i : i + 3] for i in range(0, len(shape.geometry.faces), 3)]
            found[shape.guid] = points, corners, shape.transformation.matrix, shape.type
    return found


def test_parts_are_those_of_a_script_of_ifcopenshell() -> None:
    for path in models():
        expected = reference(path)
        assembly = impinge.read(path)
        assert sorted(part.guid or "" for part in assembly) == sorted(expected), path
        boxes = []
        for part in assembly:
            points, corners, matrix, kind = expected[part.guid or ""]
            assert part.type == kind and not part.baked
            assert part.mesh.vertices.tobytes() == np.array(points).tobytes(), (path, part)
            assert part.mesh.faces.tolist() == [list(one) for one in corners]
            assert part.pose.T.ravel().tolist() == list(matrix)
            placed = part.mesh.vertices @ part.pose[:3, :3].T + part.pose[:3, 3]
            m = np.reshape(matrix, (4, 4)).T
            script = [[sum(m[r, c] * p[c] for c in range(3)) + m[r, 3] for r in range(3)] for p in points]
            np.testing.assert_allclose(placed.min(0), np.min(script, axis=0), rtol=1e-14, atol=1e-12)
            np.testing.assert_allclose(placed.max(0), np.max(script, axis=0), rtol=1e-14, atol=1e-12)
            boxes.append(placed)
        assert boxes and assembly.sources[0].unit == "metre"


def test_nothing_with_a_representation_is_lost_in_silence() -> None:
    for path in [one for one in models() if one.suffix == ".ifc"]:
        model = ifcopenshell.open(path)
        everything = Counter(one.is_a() for one in model.by_type("IfcProduct") if one.Representation)
        assembly = impinge.read(path)
        accounted = Counter(part.type for part in assembly)
        for omission in assembly.omissions:
            if "no representation" not in omission.reason:
                accounted[omission.type] += omission.count
        assert accounted == everything, path


def test_what_a_building_states() -> None:
    assembly = impinge.read(data() / "bcf/Architectural.ifc")
    assert len(assembly) == 75
    assert Counter(part.properties.get("storey") for part in assembly) == {"3.Nadzemní podlaží": 75}
    wall = next(part for part in assembly if part.guid == "1J2zGqZCbEJAvftZ8BCkkX")
    assert wall.type == "IfcWallStandardCase"
    assert wall.path == "Allplan QS/Rodinný dům/3.Nadzemní podlaží/IfcWallStandardCase"
    assert wall.properties["WallQuantities.GrossVolume"] == 2.904
    assert sum("host" in part.properties for part in assembly) == 2
    left_out = {one.type: one.count for one in assembly.omissions}
    assert left_out["IfcOpeningElement"] == 3 and left_out["IfcSpace"] == 2
    with_spaces = impinge.read(data() / "bcf/Architectural.ifc", spaces=True)
    assert len(with_spaces) == 80


def test_the_rules_of_the_chapter_find_what_they_are_about(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs/ifc-step.md").read_text(encoding="utf8")
    (tmp_path / "rules.toml").write_text(page.split("```toml\n")[1].split("```")[0], encoding="utf8")
    names = ["ROOT-lateien_en_geveldragers.ifczip", "ROOT-staal.ifczip", "YTONG-Kavel 01.ifc"]
    report = impinge.read(*(data() / "ifc" / name for name in names)).check(rules=tmp_path / "rules.toml")
    tests = {one.name: one for one in report.tests}
    assert tests["steel x walls"].asked
    for one in report.findings:
        assert one.b is not None and one.a.guid and one.b.guid and one.a.file != one.b.file


# -- files made here


def by_name(assembly: impinge.Assembly) -> dict[str, impinge.check.Part]:
    return {part.name: part for part in assembly}


def test_a_house(tmp_path: Path) -> None:
    assembly = impinge.read(house(tmp_path / "house.ifc"))
    parts = by_name(assembly)
    assert sorted(parts) == ["IfcColumn", "beam 0", "beam 1", "door", "wall/1"]
    wall, door = parts["wall/1"], parts["door"]
    assert wall.path == "P/EG/wall∕1" and parts["beam 1"].path == "P/EG/frame/beam 1"
    expected = {
        "storey": "EG",
        "Pset_WallCommon.IsExternal": True,
        "Pset_WallCommon.FireRating": "F90",
        "Qto_WallBaseQuantities.NetVolume": 1.64,
        "material": "brick",
        "layer": "A-WALL",
    }
    assert expected.items() <= wall.properties.items()
    assert door.properties["host"] == wall.guid
    assert parts["beam 0"].properties["aggregate"] == parts["beam 1"].properties["aggregate"]
    assert {one.type: one.count for one in assembly.omissions} == {
        "IfcOpeningElement": 1,
        "IfcSpace": 1,
        "IfcElementAssembly": 1,
    }
    assert not any(one.failed for one in assembly.omissions)
    # Plane faces are exact; the column is within the deflection.
    assert [parts[name].chord for name in ("wall/1", "door", "IfcColumn")] == [0, 0, 0.001]
    radii = np.linalg.norm(parts["IfcColumn"].mesh.vertices[:, :2] - [0, 9], axis=1)
    assert np.allclose(radii[radii > 1e-9], 0.1)
    source = assembly.sources[0]
    assert source.offset == (187000, 428000, 9) and source.unit == "metre" and source.up == "z"
    assert any("EPSG:28992" in one.text and "turn by 90°" in one.text for one in assembly.warnings)


def test_the_deflection_is_that_of_the_user(tmp_path: Path) -> None:
    path = house(tmp_path / "house.ifc")
    fine = by_name(impinge.read(path, chord="0.05mm"))["IfcColumn"]
    assert fine.chord == 0.00005
    coarse = by_name(impinge.read(path))["IfcColumn"]
    assert len(fine.mesh) > len(coarse.mesh)
    for part in (fine, coarse):
        corners = part.mesh.vertices[part.mesh.faces] - [0, 9, 0]
        middles = (corners + np.roll(corners, 1, axis=1)) / 2
        on_side = np.ptp(corners[:, :, 2], axis=1) > 0
        sag = 0.1 - np.linalg.norm(middles[on_side][:, :, :2], axis=2)
        assert 0 < sag.max() <= (part.chord or 0)


def test_rules_take_what_the_file_states(tmp_path: Path) -> None:
    assembly = impinge.read(house(tmp_path / "house.ifc"))
    rules = tmp_path / "rules.toml"
    rules.write_text(
        "version = 1\n[sets]\n"
        'facade = { type = "IfcWall*", storey = "EG", "Pset_WallCommon.IsExternal" = true }\n'
        '[[test]]\nname = "facade"\na = "facade"\nb = "*"\n'
        '[[ignore]]\nreason = "doors are in walls"\nbetween = "host-opening"\n'
    )
    plain = assembly.check()
    names = {frozenset((one.a.name, one.b.name)) for one in plain}
    assert frozenset(("wall/1", "door")) in names and frozenset(("beam 0", "beam 1")) in names
    assert not list(assembly.check(rules=rules).findings)


def test_an_element_that_cannot_be_meshed_has_failed(tmp_path: Path) -> None:
    made = House()
    point = made.make("IfcCartesianPoint", Coordinates=[0.0, 0.0])
    line = made.make("IfcPolyline", Points=[point, point, point])
    nothing = made.make("IfcArbitraryClosedProfileDef", ProfileType="AREA", OuterCurve=line)
    up = made.make("IfcDirection", DirectionRatios=[0.0, 0.0, 1.0])
    solid = made.make(
        "IfcExtrudedAreaSolid", SweptArea=nothing, Position=made.origin, ExtrudedDirection=up, Depth=500.0
    )
    bad = made.element("IfcWall", "bad", solid)
    half = made.element("IfcWall", "half", made.box((0, 0, 0), (100.0, 100.0, 100.0)), solid)
    good = made.element("IfcWall", "good", made.box((500, 0, 0), (100.0, 100.0, 100.0)))
    made.contain(bad, half, good)
    assembly = impinge.read(made.write(tmp_path / "bad.ifc"))
    assert {part.name: len(part.mesh) for part in assembly} == {"half": 12, "good": 12}
    failed = {one.name: one for one in assembly.omissions if one.failed}
    assert set(failed) == {"bad", "half"}
    assert failed["bad"].guid == bad.GlobalId and failed["bad"].type == "IfcWall"
    assert "1 of 2 items of its shape could not be meshed: #" in failed["half"].reason


def test_a_missing_unit_is_a_warning(tmp_path: Path) -> None:
    made = House()
    made.contain(made.element("IfcWall", "wall", made.box((0, 0, 0), (4.0, 2.0, 1.0))))
    made.project.UnitsInContext = None
    assembly = impinge.read(made.write(tmp_path / "none.ifc"))
    assert np.ptp(assembly[0].mesh.vertices, axis=0).tolist() == [4, 2, 1]
    assert "no unit of length" in assembly.warnings[0].text


def test_a_circle_in_the_hierarchy_is_refused(tmp_path: Path) -> None:
    made = House()
    wall = made.element("IfcWall", "wall", made.box((0, 0, 0), (100.0, 100.0, 100.0)))
    frame = made.element("IfcElementAssembly", "frame")
    made.join("IfcRelAggregates", RelatingObject=frame, RelatedObjects=[wall])
    made.join("IfcRelAggregates", RelatingObject=wall, RelatedObjects=[frame])
    path = made.write(tmp_path / "circle.ifc")
    with pytest.raises(impinge.Error, match="contains itself"):
        impinge.read(path)


# -- files that are wrong


def test_damaged_files_give_parts_or_a_reason(tmp_path: Path) -> None:
    original = (data() / "bcf/MEP.ifc").read_bytes()
    outcomes = Counter[str]()
    for name, content in damaged(original, 70 if FULL else 14):
        path = tmp_path / f"{name}.ifc"
        path.write_bytes(content)
        try:
            assembly = impinge.read(path)
        except impinge.Error as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            outcomes["error"] += 1
            continue
        # Fewer parts than those of the undamaged file come with a failure.
        assert len(assembly) == 8 or any(one.failed for one in assembly.omissions), name
        outcomes["parts"] += 1
    assert outcomes["error"] and outcomes["parts"]


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("empty.ifc", b"", "the file is empty"),
        ("noise.ifc", b"\0\1\2" * 99, "no IFC file"),
        ("cut.ifc", b"ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\n", "the file is cut off"),
        (
            "step.ifc",
            b"ISO-10303-21;HEADER;FILE_SCHEMA(('CONFIG_CONTROL_DESIGN'));END-ISO-10303-21;",
            "is STEP",
        ),
        ("house.stp", b"ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));END-ISO-10303-21;", "ends? with .ifc"),
        ("none.ifc", b"ISO-10303-21;END-ISO-10303-21;", "no FILE_SCHEMA"),
        (
            "old.ifc",
            b"ISO-10303-21;HEADER;FILE_SCHEMA(('IFC9'));ENDSEC;DATA;ENDSEC;END-ISO-10303-21;",
            "IFC9",
        ),
        ("no.ifczip", b"PK\3\4 and so on", "no readable zip"),
    ],
)
def test_other_files_have_a_reason(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(content)
    if name.endswith(".stp"):
        pytest.importorskip("OCP")
    with pytest.raises(impinge.Error, match=why):
        impinge.read(tmp_path / name)


def test_hostile_archives(tmp_path: Path) -> None:
    def packed(name: str, *entries: tuple[str, bytes]) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry, content in entries:
                archive.writestr(entry, content)
        return tmp_path / name

    text = house(tmp_path / "house.ifc").read_bytes()
    assert len(impinge.read(packed("good.ifczip", ("a/../../../house.ifc", text), ("b.png", b"")))) == 5
    with pytest.raises(impinge.Error, match="one .ifc file, not 2"):
        impinge.read(packed("two.ifczip", ("a.ifc", text), ("b.ifc", text)))
    with pytest.raises(impinge.Error, match="one .ifc file, not 0"):
        impinge.read(packed("none.ifczip", ("a.txt", text)))
    with pytest.raises(impinge.Error, match="bytes when unpacked"):
        impinge.read(packed("bomb.ifczip", ("a.ifc", bytes(300 << 20))))
    whole = packed("whole.ifczip", ("a.ifc", text)).read_bytes()
    (tmp_path / "altered.ifczip").write_bytes(whole[:300] + b"xxxx" + whole[304:])
    with pytest.raises(impinge.Error, match="no readable zip"):
        impinge.read(tmp_path / "altered.ifczip")


def test_the_command_converts(tmp_path: Path) -> None:
    house(tmp_path / "house.ifc")

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "impinge", *arguments]
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)

    done = command("check", "house.ifc", "--ungrouped")
    assert done.returncode == 1, done.stderr
    assert "beam 0" in done.stdout and "house.ifc" in done.stdout
    assert command("info", "house.ifc", "--spaces").returncode == 0
    assert command("check", "missing.ifc").stderr.startswith("impinge: error: missing.ifc:")
    assert command("check", "house.ifc", "--chord", "1mm", "--chord", "2mm").returncode == 2


def test_errors_that_are_alike_are_one_warning() -> None:
    from impinge._convert import ifc

    loops = [f"Failed to convert: #{i}=IfcPolyLoop((#{i + 1},#{i + 2},#{i + 1}))" for i in range(7, 27)]
    texts = {**dict.fromkeys(loops, 2), "Failed to convert: #3=IfcFace((#2))": 1}
    found: list[str] = []
    reader = SimpleNamespace(_into=SimpleNamespace(warn=found.append))
    ifc._Elements._logged(reader, SimpleNamespace(texts=texts, of_element={}))  # type: ignore[arg-type]
    assert found == [
        f"ifcopenshell: {loops[0]} (and 39 more like this)",
        "ifcopenshell: Failed to convert: #3=IfcFace((#2))",
    ]
