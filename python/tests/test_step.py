# ruff: noqa: E402
"""STEP, IGES and BREP: names, instances, the tree, units, deflection; and files that are damaged."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import impinge
from damage import damaged

pytest.importorskip("OCP", reason="NOT TESTED: needs the extra step")

from OCP.BRep import BRep_Builder
from OCP.BRepAlgoAPI import BRepAlgoAPI_Cut
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeVertex,
    BRepBuilderAPI_NurbsConvert,
)
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.BRepTools import BRepTools
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.IFSelect import IFSelect_RetDone
from OCP.IGESControl import IGESControl_Writer
from OCP.Interface import Interface_Static
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Compound, TopoDS_Face, TopoDS_Shell
from OCP.XCAFDoc import XCAFDoc_DocumentTool

FULL = bool(os.environ.get("IMPINGE_FULL"))


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for the run, so that each file is converted once, and nothing of the user's is used."""
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


def as1() -> Path:
    """The assembly of the STEP working group."""
    folder = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED: there is no folder of models at {folder} (IMPINGE_DATA sets another)")
    return folder / "step/as1-oc-214.stp"


def test_as1_has_its_tree() -> None:
    assembly = impinge.read(as1())
    bolts = [f"nut-bolt-assembly_{i}/{name}" for i in (1, 2, 3) for name in ("bolt_1", "nut_3")]
    bracket = [*bolts, "l-bracket_1"]
    expected = [
        *(f"as1/rod-assembly_1/{name}" for name in ("nut_1", "nut_2", "rod_1")),
        *(f"as1/l-bracket-assembly_1/{name}" for name in bracket),
        "as1/plate_1",
        *(f"as1/l-bracket-assembly_2/{name}" for name in bracket),
    ]
    assert [part.path for part in assembly] == expected
    assert len({id(part.mesh) for part in assembly}) == 5
    products = Counter(part.properties["product"] for part in assembly)
    assert products == {"nut": 8, "bolt": 6, "l-bracket": 2, "plate": 1, "rod": 1}
    colors = {part.properties["product"]: part.properties["color"] for part in assembly}
    assert colors["nut"] == "#ff0000" and colors["rod"] == "#ff8000" and colors["bolt"] == "#0000ff"
    assert not assembly.omissions
    source = assembly.sources[0]
    assert source.unit == "millimetre" and source.settings is not None
    assert "chord 0.01 mm (the model's diagonal / 20,000)" in source.settings
    # By the drawing: the plate is 180 x 150 x 20.
    plate = assembly["plate_1"]
    placed = plate.mesh.vertices @ plate.pose[:3, :3].T + plate.pose[:3, 3]
    np.testing.assert_allclose(np.ptp(placed, axis=0), [180, 150, 20], atol=1e-9)


def test_as1_has_its_counts() -> None:
    assembly = impinge.read(as1(), chord="0.01mm")
    assert [len(assembly[name].mesh) for name in ("nut_1", "rod_1", "plate_1")] == [316, 296, 1836]
    coverage = assembly.check(criteria=impinge.check.Criteria(report="all")).coverage
    assert coverage["parts"] == 18 and coverage["clashing"] == 32 and coverage["not_closed"] == 0
    assert coverage["triangle_pairs"] == 41156
    assert impinge.read(as1(), chord="0.05mm").check().coverage["triangle_pairs"] == 17934
    # For these triangles others state 17,989 (placed points rounded to f64) and 14,810 (f32).
    assert impinge.read(as1(), chord="0.1mm").check().coverage["triangle_pairs"] == 16792


def document() -> tuple[Any, Any]:
    made = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    return made, XCAFDoc_DocumentTool.ShapeTool_s(made.Main())


def called(label: Any, name: str) -> None:
    TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))


def written(made: Any, path: Path, unit: str = "MM") -> Path:
    Interface_Static.SetCVal_s("write.step.unit", unit)
    writer = STEPCAFControl_Writer()
    writer.Transfer(made)
    assert writer.Write(str(path)) == IFSelect_RetDone
    Interface_Static.SetCVal_s("write.step.unit", "MM")
    return path


def moved(x: float) -> Any:
    trsf = gp_Trsf()
    trsf.SetTranslation(gp_Vec(x, 0, 0))
    return TopLoc_Location(trsf)


def test_names_instances_and_chords(tmp_path: Path) -> None:
    made, tool = document()
    box = tool.AddShape(BRepPrimAPI_MakeBox(10, 20, 30).Shape(), False)
    pin = tool.AddShape(BRepPrimAPI_MakeCylinder(5, 40).Shape(), False)
    called(box, "box")
    called(pin, "pin")
    whole = tool.NewShape()
    called(whole, "a/b")
    for x in (0.0, 100.0):
        called(tool.AddComponent(whole, box, moved(x)), "twin")
    called(tool.AddComponent(whole, pin, moved(5.0)), "pin 1")
    tool.UpdateAssemblies()
    assembly = impinge.read(written(made, tmp_path / "made.step"), chord=0.1)
    assert [part.path for part in assembly] == ["a∕b/twin", "a∕b/twin#2", "a∕b/pin 1"]
    first, second, third = assembly
    assert first.mesh is second.mesh and second.pose[0, 3] == 100
    assert first.chord == 0, "plane faces are exact"
    assert third.chord == 0.1
    corners = third.mesh.vertices[third.mesh.faces]
    middles = (corners + np.roll(corners, 1, axis=1)) / 2
    side = middles[np.ptp(corners[:, :, 2], axis=1) > 0]
    sag = 5 - np.linalg.norm(side[..., :2], axis=-1)
    assert 0 < sag.max() <= 0.1
    assert [one.relation for one in assembly.check()] == ["overlap"]


def two_boxes(path: Path, *replaced: tuple[str, str]) -> impinge.Assembly:
    """Two boxes that overlap, as other programs than Open CASCADE write them: patterns and new texts."""
    made, tool = document()
    whole = tool.NewShape()
    called(whole, "boxes")
    for name, x in (("plate", 0.0), ("wall", 8.0)):
        box = tool.AddShape(BRepPrimAPI_MakeBox(10, 10, 10).Shape(), False)
        called(box, name)
        called(tool.AddComponent(whole, box, moved(x)), name)
    tool.UpdateAssemblies()
    text = written(made, path).read_text()
    for pattern, new in replaced:
        text, count = re.subn(pattern, new, text)
        assert count
    path.write_text(text)
    return impinge.read(path)


def test_texts_that_are_not_stated_lose_no_shape(tmp_path: Path) -> None:
    # Autodesk leaves out the names of transformations; the second file has no names of entities at all.
    autodesk = (r"(ITEM_DEFINED_TRANSFORMATION)\('[^']*','[^']*',", r"\1($,$,")
    for name, replaced in (("autodesk", autodesk), ("blank", (r"\(''", "($"))):
        assembly = two_boxes(tmp_path / f"{name}.step", replaced)
        assert [part.path for part in assembly] == ["boxes/plate", "boxes/wall"]
        assert not assembly.omissions and not assembly.warnings
        assert [part.pose[0, 3] for part in assembly] == [0, 8]
        assert [one.relation for one in assembly.check()] == ["overlap"]


def test_exponents_of_units_lose_no_shape(tmp_path: Path) -> None:
    # Creo leaves them out in units that it converts from; the first context alone has it here.
    radian = r"(?s)^(.*?)\( NAMED_UNIT\(\*\) PLANE_ANGLE_UNIT\(\) SI_UNIT\(\$,\.RADIAN\.\) \);"
    degree = (
        r"\1(CONVERSION_BASED_UNIT('DEGREE',#9001)NAMED_UNIT(*)PLANE_ANGLE_UNIT());"
        "#9001=PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(1.745329251994E-2),#9000);"
        "#9000=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));"
    )
    assembly = two_boxes(tmp_path / "creo.step", (radian, degree))
    assert len(assembly) == 2 and not assembly.omissions


def test_damaged_entities_count_if_a_shape_depends_on_them(tmp_path: Path) -> None:
    end = r"ENDSEC;\s*END-ISO"
    style = "#9001=CONTEXT_DEPENDENT_OVER_RIDING_STYLED_ITEM('',(),#4,#4,(#4));\nENDSEC;\nEND-ISO"
    assembly = two_boxes(tmp_path / "style.step", (end, style))
    assert len(assembly) == 2 and not assembly.omissions
    assembly = two_boxes(tmp_path / "plane.step", (r"= ?PLANE\('',#\d+\)", "=PLANE('',$)"))
    assert assembly.omissions[0].failed and assembly.omissions[0].reason.startswith("12 damaged entities: ")


USAGE = r"(?s)NEXT_ASSEMBLY_USAGE_OCCURRENCE\('[^']*','[^']*','[^']*'"


@pytest.mark.parametrize("usage", ["'NAUO1',' ',' '", "'7',$,$", "'NAUO1','NAUO1','NAUO1'", "'7','SOLID',''"])
def test_a_name_that_is_not_stated_is_that_of_the_product(tmp_path: Path, usage: str) -> None:
    blank = (USAGE, f"NEXT_ASSEMBLY_USAGE_OCCURRENCE({usage}")
    assembly = two_boxes(tmp_path / "solidworks.step", blank)
    assert [part.path for part in assembly] == ["boxes/plate", "boxes/wall"]
    # If the product has no name either, that of the parent counts.
    nameless = (r"(?s)PRODUCT\('(?:plate|wall)','(?:plate|wall)'", "PRODUCT('SOLID',''")
    assembly = two_boxes(tmp_path / "nameless.step", blank, nameless)
    assert [part.path for part in assembly] == ["boxes/boxes", "boxes/boxes#2"]
    assert not assembly.omissions


def test_a_stated_name_counts(tmp_path: Path) -> None:
    # As some programs write them: an id, and a name or a description.
    for i, usage in enumerate(("'3','bolt',' '", "'3',' ','bolt'", "'NAUO3','bolt',$")):
        stated = (USAGE, f"NEXT_ASSEMBLY_USAGE_OCCURRENCE({usage}")
        assembly = two_boxes(tmp_path / f"{i}.step", stated)
        assert [part.path for part in assembly] == ["boxes/bolt", "boxes/bolt#2"]
        assert [part.properties["product"] for part in assembly] == ["plate", "wall"]


def test_bodies_of_one_product_have_its_name(tmp_path: Path) -> None:
    # Pro/ENGINEER has lines beside the solid of a part. Open CASCADE makes an assembly of both.
    from impinge._convert.step_tree import Tree

    def paths(*shapes: Any) -> list[str]:
        made, tool = document()
        whole, part = tool.NewShape(), tool.NewShape()
        called(whole, "whole")
        called(part, "part")
        for shape in shapes:
            called(tool.AddComponent(part, tool.AddShape(shape, False), moved(0.0)), "=>[0:1:1:9]")
        for _ in range(2):
            called(tool.AddComponent(whole, part, moved(0.0)), "bolt")
        tool.UpdateAssemblies()
        return [one.path for one in Tree(made, "file").instances()]

    box = BRepPrimAPI_MakeBox(1, 1, 1).Shape
    line = BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 0), gp_Pnt(1, 0, 0)).Shape()
    assert paths(box()) == paths(line, box()) == paths(box(), line) == ["whole/bolt", "whole/bolt#2"]
    assert paths(line) == ["whole/bolt", "whole/bolt#2"], "it is listed as left out"
    several = [f"whole/{bolt}/{body}" for bolt in ("bolt", "bolt#2") for body in ("bolt", "bolt#2")]
    assert paths(line, box(), box()) == several


def test_no_two_paths_are_equal(tmp_path: Path) -> None:
    from impinge._convert.step_tree import Tree

    made, tool = document()
    whole = tool.NewShape()
    called(whole, "whole")
    box = tool.AddShape(BRepPrimAPI_MakeBox(1, 1, 1).Shape(), False)
    for name in ("a", "a#2", "a", "a", "a#2"):
        called(tool.AddComponent(whole, box, moved(0.0)), name)
    tool.UpdateAssemblies()
    names = [one.name for one in Tree(made, "file").instances()]
    assert names == ["a", "a#2", "a#3", "a#4", "a#2#2"]


@pytest.mark.parametrize(
    ("unit", "name", "scale"), [("INCH", "inch", 25.4), ("M", "metre", 1000), ("MM", "millimetre", 1)]
)
def test_coordinates_are_in_the_unit_of_the_file(tmp_path: Path, unit: str, name: str, scale: float) -> None:
    made, tool = document()
    tool.AddShape(BRepPrimAPI_MakeBox(254, 508, 762).Shape(), False)
    assembly = impinge.read(written(made, tmp_path / "box.step", unit), chord="1mm")
    assert assembly.sources[0].unit == name
    size = np.ptp(assembly[0].mesh.vertices, axis=0)
    np.testing.assert_allclose(size, np.array([254, 508, 762]) / scale, rtol=1e-12)
    assert f"chord {1 / scale:.15g} " in (assembly.sources[0].settings or "")


def test_a_stated_unit_converts(tmp_path: Path) -> None:
    made, tool = document()
    tool.AddShape(BRepPrimAPI_MakeBox(254, 508, 762).Shape(), False)
    assembly = impinge.read(written(made, tmp_path / "box.step"), unit="m", chord="1mm")
    assert assembly.sources[0].unit == "metre"
    np.testing.assert_allclose(np.ptp(assembly[0].mesh.vertices, axis=0), [0.254, 0.508, 0.762], rtol=1e-12)
    assert "chord 0.001 m" in (assembly.sources[0].settings or "")
    (tmp_path / "house.ifc").write_bytes(b"")
    with pytest.raises(impinge.Error, match="in metres"):
        impinge.read(tmp_path / "house.ifc", unit="mm")


def cut() -> Any:
    """A cone with a hole through its side."""
    hole = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, -9), gp_Dir(0, 0.1, 1)), 3, 20).Shape()
    return BRepAlgoAPI_Cut(BRepPrimAPI_MakeCone(6, 2, 8).Shape(), hole).Shape()


CURVED: dict[str, Callable[[], Any]] = {
    "cylinder": lambda: BRepPrimAPI_MakeCylinder(7, 3).Shape(),
    "cone": lambda: BRepPrimAPI_MakeCone(5, 0, 8).Shape(),
    "sphere": lambda: BRepPrimAPI_MakeSphere(4).Shape(),
    "torus": lambda: BRepPrimAPI_MakeTorus(7, 2).Shape(),
    "splines": lambda: BRepBuilderAPI_NurbsConvert(BRepPrimAPI_MakeTorus(7, 2).Shape(), True).Shape(),
    "cut": cut,
}
"""Solids with each kind of surface."""


def farthest(mesh: Any, shape: Any) -> float:
    """The largest distance of places of triangles from a shape, by Open CASCADE."""
    from impinge._convert.step_mesh import faces_of

    compound, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(compound)
    for face in faces_of(shape):
        builder.Add(compound, face)
    corners = mesh.vertices[mesh.faces]
    corners = corners[:: max(1, len(corners) // (100 if FULL else 10))]
    places = np.concatenate(
        [corners.mean(axis=1), *((corners[:, i] + corners[:, i - 1]) / 2 for i in range(3))]
    )
    vertices = (BRepBuilderAPI_MakeVertex(gp_Pnt(*place)).Vertex() for place in places.tolist())
    return max(BRepExtrema_DistShapeShape(one, compound).Value() for one in vertices)


@pytest.mark.parametrize("name", CURVED)
def test_triangles_are_within_the_chord_of_the_surface(name: str) -> None:
    # Against the exact distance to the surface, of Open CASCADE's own.
    from impinge._convert import step_mesh

    for chord in (1.0, 0.1, 0.02):
        shape = CURVED[name]()
        found = step_mesh.mesh(shape, chord)
        assert found.failed_faces == found.open_edges == 0 and found.is_solid
        assert found.chord == chord and found.measured * (1 + step_mesh.MARGIN) <= chord
        assert farthest(found, shape) <= chord


@pytest.mark.parametrize("name", CURVED)
def test_coarse_triangles_are_divided(name: str) -> None:
    # As if Open CASCADE had missed the deflection by far.
    from impinge._convert.step_facets import Shape
    from impinge._convert.step_mesh import open_edges
    from impinge._convert.step_refine import refine

    shape = CURVED[name]()
    BRepMesh_IncrementalMesh(shape, 1.0, False, 1.5, False)
    found = Shape([shape])
    before = len(found.joined()[1])
    coarse = refine(Shape([shape]), 10.0)
    measured = refine(found, 0.02)
    vertices, faces = found.joined()
    assert coarse > 0.1 and measured <= 0.02 and len(faces) > before
    assert open_edges(faces) == 0
    assert farthest(SimpleNamespace(vertices=vertices, faces=faces), shape) <= 0.02
    corners = vertices[faces]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, properties)
    assert math.isclose(volume, properties.Mass(), rel_tol=0.03)


def test_a_distance_that_remains_is_measured_and_stated(tmp_path: Path) -> None:
    from impinge._convert import step
    from impinge._convert.conversion import Conversion
    from impinge._convert.step_facets import Shape
    from impinge._convert.step_refine import refine
    from impinge._convert.step_tree import Instance

    # Triangles of another sphere: their points are 0.25 from the surface, and stay there.
    shape, other = BRepPrimAPI_MakeSphere(4).Shape(), BRepPrimAPI_MakeSphere(4.25).Shape()
    for one in (shape, other):
        BRepMesh_IncrementalMesh(one, 0.05, False, 0.5, False)
    found, wrong = Shape([shape]), Shape([other])
    found.faces[0].points = wrong.faces[0].points
    found.faces[0].uv = wrong.faces[0].uv
    found.faces[0].triangles = wrong.faces[0].triangles
    found.faces[0].errors = np.full(len(wrong.faces[0].points), 0.25)
    found.faces[0].segments = {}
    assert 0.25 <= refine(found, 0.05) <= 0.3
    # A part that misses its chord is named.
    into = Conversion("mm", None, "")
    missed = step.Triangles(np.eye(3), np.array([[0, 1, 2]], np.uint32), 0.9, 0.8, 0, 3, False)
    step_meshed, step._meshed = step._meshed, lambda *_: missed
    try:
        step._add([Instance("a/b", "b", "1", shape, np.eye(4), {})], 0.1, into, lambda *_: None)
    finally:
        step._meshed = step_meshed
    assert into.elements[0].chord == 0.9
    text = (
        "a/b: its triangles are up to 0.8 mm from its surface, as measured, not 0.1; its chord error is 0.9"
    )
    assert into.warnings == [text]


def test_a_face_without_triangles_is_left_out_of_its_part() -> None:
    from impinge._convert import step
    from impinge._convert.conversion import Conversion
    from impinge._convert.step_mesh import faces_of
    from impinge._convert.step_tree import Instance

    def converted(*faces: Any) -> Conversion:
        builder, shell = BRep_Builder(), TopoDS_Shell()
        builder.MakeShell(shell)
        for face in faces:
            builder.Add(shell, face)
        into = Conversion("mm", None, "")
        step._add([Instance("a/b", "b", "1", shell, np.eye(4), {})], 0.1, into, lambda *_: None)
        return into

    bad = TopoDS_Face()
    BRep_Builder().MakeFace(bad)
    some = converted(*faces_of(BRepPrimAPI_MakeBox(1, 1, 1).Shape()), bad)
    assert [(one.path, len(one.faces)) for one in some.elements] == [("a/b", 12)]
    (omission,) = some.omissions
    assert omission.failed and omission.name == "a/b"
    assert omission.reason == "Open CASCADE could not mesh 1 of its faces; the part is without them"
    assert [text for text in some.warnings if "could not mesh 1 of its faces" in text]
    none = converted(bad)
    assert not none.elements and none.omissions[0].failed


def fault(name: str) -> Path:
    """A file that was read wrongly once."""
    path = as1().parents[2] / "faults" / name
    if not path.is_file():
        pytest.skip(f"NOT TESTED: there is no file {path}")
    return path


def test_a_cone_that_open_cascade_cannot_mesh_is_divided() -> None:
    assembly = impinge.read(fault("step_face_unmeshed/one_cone_face.step"), chord=0.005)
    assert [part.path for part in assembly] == ["one_cone_face"]
    assert not assembly.omissions and not assembly.warnings
    points = assembly[0].mesh.vertices
    # By the file: around (17.2, 21.949) the radius is 2.55 at the lower end, and grows as the height.
    radii = np.linalg.norm(points[:, :2] - [17.199999999999, 21.949273997994], axis=1)
    np.testing.assert_allclose(radii, 2.75 + points[:, 2] - 52.882873802094, atol=1e-9)
    np.testing.assert_allclose([radii.min(), radii.max()], [2.55, 2.95], atol=1e-9)
    corners = points[assembly[0].mesh.faces]
    area = (
        np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
        / 2
    )
    assert math.isclose(area, math.pi * (2.55 + 2.95) * 0.4 * math.sqrt(2), rel_tol=2e-3)


def test_forms_of_a_shape_that_cannot_be_meshed() -> None:
    from impinge._convert.step_mesh import faces_of, solids_of
    from impinge._convert.step_repair import repaired

    pin = BRepPrimAPI_MakeCylinder(5, 40).Shape()
    tried: list[int] = []

    def meshed(shape: Any) -> tuple[int, int]:
        tried.append(len(faces_of(shape)))
        # As if Open CASCADE could mesh no cylinder that is closed.
        return int(len(faces_of(shape)) == 3), 0

    (form,) = repaired(pin, meshed)
    assert tried == [3, 4] and len(solids_of(form)) == 1
    compound, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(compound)
    for shape in (
        pin,
        BRepPrimAPI_MakeBox(1, 1, 1).Shape(),
        faces_of(BRepPrimAPI_MakeBox(2, 2, 2).Shape())[0],
    ):
        builder.Add(compound, shape)
    found = [len(faces_of(piece)) for piece in repaired(compound, meshed)]
    assert found == [4, 6, 1], "solid by solid, then the faces that are in none"
    # Where nothing helps, the form with the fewest defects counts: here the one with the most faces.
    (form,) = repaired(pin, lambda shape: (9 - len(faces_of(shape)), 0))
    assert len(faces_of(form)) == max(6, len(faces_of(form)))


def test_shapes_that_are_too_large_have_failed(tmp_path: Path) -> None:
    made, tool = document()
    tool.AddShape(BRepPrimAPI_MakeCylinder(1e7, 1).Shape(), False)
    tool.AddShape(BRepPrimAPI_MakeBox(1, 1, 1).Shape(), False)
    assembly = impinge.read(written(made, tmp_path / "large.step"), chord=0.001)
    assert len(assembly) == 1
    (failed,) = assembly.omissions
    assert failed.failed and "too large" in failed.reason


def test_brep_and_iges(tmp_path: Path) -> None:
    compound, builder = TopoDS_Compound(), BRep_Builder()
    builder.MakeCompound(compound)
    builder.Add(compound, BRepPrimAPI_MakeBox(1, 2, 3).Shape())
    builder.Add(compound, BRepPrimAPI_MakeBox(gp_Pnt(0.5, 0, 0), 1, 2, 3).Shape())
    assert BRepTools.Write_s(compound, str(tmp_path / "two.brep"))
    assembly = impinge.read(tmp_path / "two.brep")
    assert [part.name for part in assembly] == ["two#1", "two#2"]
    assert [one.relation for one in assembly.check()] == ["overlap"]
    writer = IGESControl_Writer("IN", 1)
    writer.AddShape(BRepPrimAPI_MakeBox(25.4, 25.4, 25.4).Shape())
    writer.ComputeModel()
    assert writer.Write(str(tmp_path / "box.igs"))
    assembly = impinge.read(tmp_path / "box.igs")
    assert assembly.sources[0].unit == "inch"
    points = np.concatenate([part.mesh.vertices for part in assembly])
    np.testing.assert_allclose(np.ptp(points, axis=0), [1, 1, 1], rtol=1e-9)
    (tmp_path / "no.brep").write_bytes(b"no shape")
    (tmp_path / "no.iges").write_bytes(b"no shape")
    for name in ("no.brep", "no.iges"):
        with pytest.raises(impinge.Error, match=name):
            impinge.read(tmp_path / name)


def test_a_mirrored_instance_is_baked(tmp_path: Path) -> None:
    from impinge._convert.bundle import assembly_of
    from impinge._convert.conversion import Conversion, Element

    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    faces = np.array([[0, 1, 2]], np.uint32)
    mirror = np.diag([-1.0, 1, 1, 1])
    found = Conversion("mm", None, "", elements=[Element("a", "a", points, faces, mirror, 0.0)])
    (part,) = assembly_of(found, "a.stp", 1, bytes(32))
    assert part.baked and part.mesh.vertices[:, 0].min() == -1
    assert math.isclose(np.linalg.det(part.pose), 1)


def test_damaged_files_give_parts_or_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Some damages keep Open CASCADE busy for ever.
    monkeypatch.setenv("IMPINGE_CONVERT_SECONDS", "40" if FULL else "15")
    original = as1().read_bytes()
    outcomes = Counter[str]()
    for name, content in damaged(original, 35 if FULL else 14):
        path = tmp_path / f"{name}.stp"
        path.write_bytes(content)
        try:
            assembly = impinge.read(path)
        except impinge.Error as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error)
            outcomes["crash" if "crashed" in str(error) else "error"] += 1
            continue
        assert len(assembly) == 18 or any(one.failed for one in assembly.omissions), name
        outcomes["parts"] += 1
    assert outcomes["error"] and outcomes["parts"]
    assert not list(Path(os.environ["IMPINGE_CACHE"]).glob("unfinished*"))
