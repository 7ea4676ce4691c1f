"""Bundles: assemblies that are written, and read again."""

from __future__ import annotations

import copy
import hashlib
import json
import math
import os
import pickle
import zipfile
from dataclasses import FrozenInstanceError
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import impinge
from impinge.check import Omission

CORNERS = [[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)]
FACES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip


def cube(side: float = 1.0) -> tuple[list[list[float]], list[list[int]]]:
    return [[side * c for c in corner] for corner in CORNERS], FACES


def house() -> impinge.Assembly:
    assembly = impinge.Assembly()
    digest = hashlib.sha256(b"house").digest()
    offset = (2683000.25, -0.0, 5e-324)
    assembly.add_source(
        "house.ifc", unit="m", up="z", bytes=5, digest=digest, offset=offset, settings="chord 0.1 mm"
    )
    mesh = impinge.Mesh(*cube())
    turn = [[0, -1, 0, 0.1], [1, 0, 0, -1e17], [0, 0, 1, 1 / 3]]
    given: dict[str, str | float | bool] = {"Pset_WallCommon.IsExternal": True, "Width": 0.1, "Mark": "ß", "Count": 3, "Area": math.inf}
    assembly.add(
        mesh, turn, name="wall", file="house.ifc", path="House/Storey/wall", guid="1h", type="IfcWall",
        properties=given, chord=1e-4, rounding=2e-7,
    )  # fmt: skip
    assembly.add(mesh, name="slab", file="house.ifc")
    assembly.add(cube(2.0), name="pipe", file="plant.step")
    assembly.omit("house.ifc", "spaces are no parts", type="IfcSpace", count=12)
    assembly.omit("house.ifc", "it has no boundary", name="Slab 3", guid="g", type="IfcSlab", failed=True)
    assembly.warn("house.ifc", "it has no shape", place="#217")
    assembly.warn("plant.step", "one")
    return assembly


def facts(assembly: impinge.Assembly) -> list[object]:
    parts = []
    for part in assembly:
        mesh = part.mesh.vertices.tobytes(), part.mesh.faces.tobytes()
        about = part.name, part.file, part.path, part.guid, part.type, part.baked, part.chord, part.rounding
        parts.append((about, part.pose.tobytes(), repr(part.properties), mesh))
    return [parts, repr(assembly.sources), assembly.warnings, assembly.omissions]


def test_a_bundle_has_all_of_an_assembly(tmp_path: Path) -> None:
    assembly, path = house(), tmp_path / "house.impinge"
    assembly.write(path)
    again = impinge.read(path)
    assert facts(again) == facts(assembly)
    assert again[0].mesh is again[1].mesh
    # Equal assemblies become equal bytes.
    again.write(tmp_path / "again.impinge")
    assert (tmp_path / "again.impinge").read_bytes() == path.read_bytes()


def test_sources_and_omissions_go_with_copies() -> None:
    assembly = house()
    for other in (assembly.copy(), copy.deepcopy(assembly), pickle.loads(pickle.dumps(assembly))):
        assert facts(other) == facts(assembly)
    some = assembly.subset("wall")
    assert (some.omissions, some.warnings) == (assembly.omissions, assembly.warnings)
    assert [source.parts for source in some.sources] == [1, 0]
    assert some.sources[0].digest == assembly.sources[0].digest
    some.extend(assembly)
    assert len(some.omissions) == 4
    source = assembly.sources[0]
    assert (source.unit, source.up, source.bytes, source.settings) == ("metre", "z", 5, "chord 0.1 mm")
    assert repr(source.offset) == "(2683000.25, -0.0, 5e-324)"
    spaces, slab = assembly.omissions
    assert spaces == Omission(Path("house.ifc"), "spaces are no parts", None, None, "IfcSpace", 12, False)
    assert (slab.name, slab.guid, slab.type, slab.count, slab.failed) == ("Slab 3", "g", "IfcSlab", 1, True)
    with pytest.raises(FrozenInstanceError):
        slab.count = 2  # type: ignore[misc]


def test_parts_follow_the_source_that_was_started() -> None:
    assembly = impinge.Assembly()
    assembly.add_source("a.stp", unit="mm")
    assembly.add_source("b.stp")
    for name, file in (("one", "b.stp"), ("two", "b.stp"), ("three", "c.stp")):
        assembly.add(cube(), name=name, file=file)
    assert [(str(s.file), s.unit, s.parts) for s in assembly.sources] == [
        ("a.stp", "millimetre", 0),
        ("b.stp", None, 2),
        ("c.stp", None, 1),
    ]


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    assembly = house()
    before = facts(assembly)
    for wrong, kind in (
        (lambda: assembly.add_source("a", unit="parsec"), ValueError),
        (lambda: assembly.add_source("a", up="w"), ValueError),
        (lambda: assembly.add_source("a", digest=b"short"), ValueError),
        (lambda: assembly.add_source("a", offset=(1, 2)), ValueError),
        (lambda: assembly.add_source("a", offset=(1, 2, math.nan)), impinge.Error),
        (lambda: assembly.omit("a", "b", count=0), ValueError),
        (lambda: assembly.add(cube(), name="a", rounding=-1.0), impinge.Error),
        (lambda: assembly.replace("wall", chord=math.inf), impinge.Error),
        (lambda: assembly.write(tmp_path / "a.glb"), ValueError),
        (lambda: assembly.write(tmp_path / "none" / "a.impinge"), FileNotFoundError),
    ):
        with pytest.raises(kind):
            wrong()
    assert facts(assembly) == before
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_replaced_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.impinge"
    house().write(path)
    old = path.read_bytes()
    with pytest.raises(impinge.Error, match="file of its source"):
        # Its source has another name than the part: no bundle can say that.
        broken = house()
        broken._native = type(broken._native)([broken._native.part(0)], [], [], [])
        broken._parts = [None]
        broken.write(path)
    assert path.read_bytes() == old and os.listdir(tmp_path) == ["a.impinge"]


def test_a_rounding_belongs_to_its_mesh() -> None:
    assembly = house()
    assembly.set_pose("wall", np.diag([2.0, 1.0, 1.0, 1.0]), affine=True)
    assert (assembly["wall"].rounding, assembly["wall"].chord) == (None, 1e-4)
    assembly.replace("wall", rounding=1e-3)
    assembly.replace("wall", name="Wall")
    assert assembly["Wall"].rounding == 1e-3
    assembly.replace("Wall", mesh=cube())
    assert assembly["Wall"].rounding is None


def test_f32_files_state_their_rounding(tmp_path: Path) -> None:
    corners = np.array([[0.1, 0, 0], [1, 0, 0], [0, 1000.3, 0]], dtype="<f4")
    record = np.zeros(12, dtype="<f4")
    record[3:] = corners.reshape(-1)
    content = bytes(80) + (1).to_bytes(4, "little") + record.tobytes() + bytes(2)
    (tmp_path / "a.stl").write_bytes(content)
    part = impinge.read(tmp_path / "a.stl")[0]
    expected = math.sqrt(3) * 2.0**-24 * float(np.abs(corners).max())
    assert part.rounding is not None and math.isclose(part.rounding, expected, rel_tol=1e-12)
    assert part.rounding >= expected
    (tmp_path / "a.obj").write_text("v 0.1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert impinge.read(tmp_path / "a.obj")[0].rounding is None


def test_numpy_reads_a_bundle(tmp_path: Path) -> None:
    assembly, path = house(), tmp_path / "house.impinge"
    assembly.write(path)
    with zipfile.ZipFile(path) as bundle:
        assert bundle.testzip() is None and bundle.namelist()[0] == "assembly.json"
        assert all(info.date_time == (1980, 1, 1, 0, 0, 0) for info in bundle.infolist())
        document = json.loads(bundle.read("assembly.json"))
        for part, entry in zip(assembly, document["parts"], strict=True):
            name = "meshes/" + document["meshes"][entry["mesh"]]["hash"]
            points = np.frombuffer(bundle.read(name + ".f64")).reshape(-1, 3)
            triangles = np.frombuffer(bundle.read(name + ".u32"), np.uint32).reshape(-1, 3)
            assert np.array_equal(points, part.mesh.vertices)
            assert np.array_equal(triangles, part.mesh.faces)
            assert np.array_equal(np.reshape(entry["pose"], (3, 4)), part.pose[:3])


def test_reports_say_what_was_not_examined(tmp_path: Path) -> None:
    assembly = house()
    report = assembly.check()
    assert report.omissions == assembly.omissions
    assert (report.coverage["parts_not_examined"], report.coverage["parts_left_out"]) == (1, 12)
    text = " ".join(str(report).split())
    assert "Not examined 1 parts, in whole or in part" in text and "Left out 12 on purpose: 12 IfcSpace" in text
    path = tmp_path / "house.impinge"
    assembly.write(path)
    assert impinge.read(path).check().data == report.data
    assert report.data["omissions"][1]["kind"] == "failed"
    schema = Path(__file__).parents[2] / "crates/impinge-report/schema/report.schema.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text())).validate(report.data)
    whole = impinge.Assembly.from_meshes({"a": cube(), "b": cube()}).check()
    assert "parts_not_examined" not in whole.coverage and whole.omissions == ()


def test_rounding_makes_nominal_contact_possible() -> None:
    assembly = impinge.Assembly()
    up = float(np.nextafter(np.float32(0.7), np.float32(1)))
    for name, (low, high) in {"left": (0.0, up), "right": (float(np.float32(0.7)), 1.5)}.items():
        points = [[low if x == 0 else high, y, z] for x, y, z in CORNERS]
        assembly.add((points, FACES), name=name, rounding=3**0.5 * 2.0**-24 * 1.5)
    (clash,) = assembly.check()
    assert (str(clash.relation), clash.certainty) == ("overlap", None)
    everything = impinge.check.Criteria(count="possible")
    (clash,) = assembly.check(geometry=impinge.check.Geometry(rounding=True), criteria=everything)
    assert str(clash.certainty) == "possible"
    with pytest.raises(impinge.Error, match="rounding"):
        assembly.check(geometry=impinge.check.Geometry(rounding=True, surfaces=True))


def test_units_that_differ_need_a_statement() -> None:
    assembly = impinge.Assembly()
    for file, unit in (("a.ifc", "m"), ("b.step", "mm")):
        assembly.add_source(file, unit=unit)
        assembly.add(cube(), name=file, file=file)
    with pytest.raises(impinge.Error, match="a.ifc is in m, and b.step in mm, but"):
        assembly.check()
    assert assembly.check(geometry=impinge.check.Geometry(unit="mm")).data["unit"] == "mm"
