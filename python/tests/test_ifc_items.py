"""IFC: items of several classes in one element, items without a mesh, and several shapes of one element."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from ifc_house import House

Point = tuple[float, float, float]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))


def face(made: House, points: list[Point]) -> Any:
    corners = [made.make("IfcCartesianPoint", Coordinates=list(map(float, point))) for point in points]
    loop = made.make("IfcPolyLoop", Polygon=corners)
    bound = made.make("IfcFaceOuterBound", Bound=loop, Orientation=True)
    return made.make("IfcFace", Bounds=[bound])


def cube(made: House, low: Point, size: float = 100.0) -> list[Any]:
    sides = ("0132", "4576", "0451", "2376", "0264", "1573")
    outward = (True, False, False, True, False, True)
    corners = [tuple(low[axis] + size * (i >> 2 - axis & 1) for axis in range(3)) for i in range(8)]
    found = []
    for side, is_outward in zip(sides, outward, strict=True):
        points = [corners[int(i)] for i in side]
        found.append(face(made, points if is_outward else points[::-1]))
    return found


def sheet(made: House, at: float = 0.0) -> Any:
    return made.make("IfcOpenShell", CfsFaces=[face(made, [(at, 0, 0), (at + 50, 0, 0), (at + 50, 50, 0)])])


def nothing(made: House) -> Any:
    """A shell whose only face is a point."""
    return made.make("IfcOpenShell", CfsFaces=[face(made, [(0, 0, 0)] * 3)])


def model(made: House, *shells: Any) -> Any:
    return made.make("IfcShellBasedSurfaceModel", SbsmBoundary=list(shells))


def brep(made: House, low: Point, size: float = 100.0) -> Any:
    shell = made.make("IfcClosedShell", CfsFaces=cube(made, low, size))
    return made.make("IfcFacetedBrep", Outer=shell)


def read(made: House, path: Path, **items: list[Any]) -> impinge.Assembly:
    """The assembly of a file of one element for each name, with these items."""
    for name, of in items.items():
        made.contain(made.element("IfcBuildingElementProxy", name, *of))
    return impinge.read(made.write(path / "items.ifc"))


def triangles(assembly: impinge.Assembly) -> dict[str, int]:
    return {part.name: len(part.mesh) for part in assembly}


def failed(assembly: impinge.Assembly) -> dict[str, str]:
    return {one.name or "": one.reason for one in assembly.omissions if one.failed}


def test_a_frame_of_a_brep_and_an_open_shell_is_a_part(tmp_path: Path) -> None:
    made = House()
    closed = made.make("IfcClosedShell", CfsFaces=cube(made, (50, 50, 50)))
    frame = [brep(made, (0, 0, 0)), model(made, sheet(made, 200))]
    assembly = read(made, tmp_path, frame=frame, beam=[model(made, closed)])
    assert triangles(assembly) == {"frame": 13, "beam": 12}
    assert not assembly.omissions and not assembly.warnings
    (finding,) = assembly.check()
    assert {finding.a.name, finding.b and finding.b.name} == {"frame", "beam"}


def test_items_whose_triangles_have_the_id_of_a_constituent(tmp_path: Path) -> None:
    made = House()
    make = made.make
    sets = [
        make("IfcConnectedFaceSet", CfsFaces=[face(made, [(0, 0, z), (9, 0, z), (9, 9, z)])]) for z in (0, 9)
    ]
    block = make("IfcBlock", Position=made.place(0, 0, 0), XLength=9.0, YLength=9.0, ZLength=9.0)
    other = make("IfcBlock", Position=made.place(30, 0, 0), XLength=9.0, YLength=9.0, ZLength=9.0)
    points = [
        make("IfcCartesianPoint", Coordinates=list(point)) for point in ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))
    ]
    outline = make("IfcPolyline", Points=[*points, points[0]])
    plane = make("IfcPlane", Position=made.place(0, 0, 0))
    flat = make("IfcCurveBoundedPlane", BasisSurface=plane, OuterBoundary=outline, InnerBoundaries=[])
    half = make("IfcHalfSpaceSolid", BaseSurface=plane, AgreementFlag=True)
    operand = made.box((0, 0, -50), (100.0, 100.0, 100.0))
    clipped = make(
        "IfcBooleanClippingResult", Operator="DIFFERENCE", FirstOperand=operand, SecondOperand=half
    )
    shared = sheet(made)
    inner = make(
        "IfcShapeRepresentation",
        ContextOfItems=made.context,
        RepresentationIdentifier="Body",
        RepresentationType="SurfaceModel",
        Items=[model(made, sheet(made)), made.box((0, 0, 0), (9.0, 9.0, 9.0))],
    )
    source = make("IfcRepresentationMap", MappingOrigin=made.origin, MappedRepresentation=inner)

    def mapped(x: float) -> Any:
        origin = make("IfcCartesianPoint", Coordinates=[x, 0.0, 0.0])
        target = make("IfcCartesianTransformationOperator3D", LocalOrigin=origin)
        return make("IfcMappedItem", MappingSource=source, MappingTarget=target)

    assembly = read(
        made,
        tmp_path,
        faces=[make("IfcFaceBasedSurfaceModel", FbsmFaces=sets)],
        shells=[model(made, sheet(made), make("IfcClosedShell", CfsFaces=cube(made, (0, 0, 9))))],
        two=[model(made, sheet(made)), model(made, sheet(made, 60))],
        shared=[model(made, shared), model(made, shared)],
        csg=[make("IfcCsgSolid", TreeRootExpression=block), other],
        union=[
            make(
                "IfcCsgSolid",
                TreeRootExpression=make(
                    "IfcBooleanResult", Operator="UNION", FirstOperand=block, SecondOperand=other
                ),
            ),
            sheet(made),
        ],
        set=[make("IfcGeometricSet", Elements=[flat, outline]), made.box((0, 0, 0), (9.0, 9.0, 9.0))],
        clipped=[clipped, model(made, sheet(made))],
        map=[mapped(0)],
        maps=[mapped(0), mapped(500), made.box((0, 0, 0), (9.0, 9.0, 9.0))],
    )
    expected = {
        "faces": 2,
        "shells": 13,
        "two": 2,
        "shared": 2,
        "csg": 24,
        "union": 25,
        "set": 13,
        "clipped": 13,
        "map": 13,
        "maps": 38,
    }
    assert triangles(assembly) == expected and not assembly.omissions


def test_an_element_that_lost_an_item_is_a_part_and_has_failed(tmp_path: Path) -> None:
    made = House()
    assembly = read(
        made,
        tmp_path,
        all_models=[model(made, sheet(made, 1000)), model(made, nothing(made))],
        one_model=[model(made, sheet(made, 2000), nothing(made))],
        brep=[brep(made, (0, 0, 0)), model(made, nothing(made))],
        whole=[brep(made, (500, 0, 0))],
        none=[model(made, nothing(made))],
    )
    assert triangles(assembly) == {"all_models": 1, "one_model": 1, "brep": 12, "whole": 12}
    reasons = failed(assembly)
    assert set(reasons) == {"all_models", "one_model", "brep", "none"}
    for name in ("all_models", "one_model", "brep"):
        assert "1 of 2 items of its shape could not be meshed: #" in reasons[name]
        assert "IfcOpenShell" in reasons[name]
        assert any(f"'{name}': the part is incomplete: 1 of 2 items" in one.text for one in assembly.warnings)
    assert all(one.guid and one.type == "IfcBuildingElementProxy" for one in assembly.omissions)
    # The parts are checked, and the check is incomplete.
    report = assembly.check()
    assert len(report.findings) == 0 and sum(one.failed for one in report.omissions) == 4


def represented(made: House, name: str, *shapes: tuple[str, Any, list[Any]]) -> Any:
    element = made.element("IfcBuildingElementProxy", name, made.box((0, 0, 0), (9.0, 9.0, 9.0)))
    element.Representation = made.make(
        "IfcProductDefinitionShape",
        Representations=[
            made.make(
                "IfcShapeRepresentation",
                ContextOfItems=context,
                RepresentationIdentifier=identifier,
                RepresentationType="SweptSolid",
                Items=items,
            )
            for identifier, context, items in shapes
        ],
    )
    made.contain(element)
    return element


def test_of_several_shapes_the_body_is_the_part(tmp_path: Path) -> None:
    made = House()

    def context(name: str) -> Any:
        return made.make(
            "IfcGeometricRepresentationSubContext",
            ContextIdentifier=name,
            ContextType="Model",
            ParentContext=made.context,
            TargetView="MODEL_VIEW",
        )

    def box(x: float) -> list[Any]:
        return [made.box((x, 0, 0), (10.0, 10.0, 10.0))]

    clearance, body = context("Clearance"), context("Body")
    represented(
        made,
        "door",
        ("Clearance", clearance, box(100)),
        ("Body", body, box(0)),
        ("Clearance", clearance, box(50)),
    )
    represented(made, "twice", ("Body", body, box(0)), ("Body", body, box(300)))
    represented(made, "half", ("Body", body, box(0)), ("Body", body, [model(made, nothing(made))]))
    represented(made, "rest", ("Body", body, [model(made, nothing(made))]), ("Clearance", clearance, box(0)))
    assembly = impinge.read(made.write(tmp_path / "shapes.ifc"))
    parts = {part.name: part for part in assembly}
    assert triangles(assembly) == {"door": 12, "twice": 24, "half": 12}
    assert parts["door"].mesh.vertices[:, 0].max() == 0.005
    assert np.ptp(parts["twice"].mesh.vertices[:, 0]) == pytest.approx(0.31)
    assert set(failed(assembly)) == {"half", "rest"}
    texts = [one.text for one in assembly.warnings]
    assert "1 element has one more shape, 'Clearance', which is no part" in texts


def test_a_second_body_with_another_placement_has_failed(tmp_path: Path) -> None:
    made = House()

    def mapped(x: float) -> Any:
        inner = made.shape(made.box((0, 0, 0), (10.0, 10.0, 10.0))).Representations[0]
        source = made.make("IfcRepresentationMap", MappingOrigin=made.origin, MappedRepresentation=inner)
        origin = made.make("IfcCartesianPoint", Coordinates=[x, 0.0, 0.0])
        target = made.make("IfcCartesianTransformationOperator3D", LocalOrigin=origin)
        return made.make("IfcMappedItem", MappingSource=source, MappingTarget=target)

    represented(made, "two", ("Body", made.context, [mapped(0)]), ("Body", made.context, [mapped(700)]))
    assembly = impinge.read(made.write(tmp_path / "placed.ifc"))
    assert len(assembly) == 1
    # Both are there, or the second is listed.
    assert triangles(assembly) == {"two": 24} or "1 of 2 items" in failed(assembly)["two"]


def test_a_part_with_the_round_hole_of_its_whole_is_curved(tmp_path: Path) -> None:
    made = House()
    wall, part, other = (
        made.element(kind, name, made.box((0, 0, 0), (1000.0, 1000.0, 200.0)))
        for kind, name in (("IfcWall", "wall"), ("IfcBuildingElementPart", "part"), ("IfcWall", "other"))
    )
    circle = made.make("IfcCircleProfileDef", ProfileType="AREA", Radius=100.0)
    up = made.make("IfcDirection", DirectionRatios=[0.0, 0.0, 1.0])
    at = made.place(0, 0, -50)
    round_ = made.make(
        "IfcExtrudedAreaSolid", SweptArea=circle, Position=at, ExtrudedDirection=up, Depth=300.0
    )
    hole = made.element("IfcOpeningElement", "hole", round_)
    made.join("IfcRelVoidsElement", RelatingBuildingElement=wall, RelatedOpeningElement=hole)
    made.join("IfcRelAggregates", RelatingObject=wall, RelatedObjects=[part])
    made.contain(wall, other)
    assembly = impinge.read(made.write(tmp_path / "hole.ifc"))
    assert {part.name: part.chord for part in assembly} == {"wall": 0.001, "part": 0.001, "other": 0}
    assert triangles(assembly)["part"] > 12


def test_edges_vertices_and_segments_are_no_failures(tmp_path: Path) -> None:
    made = House("IFC4X3_ADD2")
    make = made.make
    points = [make("IfcCartesianPoint", Coordinates=[x, 0.0, 0.0]) for x in (0.0, 500.0)]
    ends = [make("IfcVertexPoint", VertexGeometry=point) for point in points]
    edge = make("IfcEdge", EdgeStart=ends[0], EdgeEnd=ends[1])
    direction = make("IfcDirection", DirectionRatios=[1.0, 0.0])
    at = make("IfcCartesianPoint", Coordinates=[0.0, 0.0])
    line = make("IfcLine", Pnt=at, Dir=make("IfcVector", Orientation=direction, Magnitude=1.0))
    segment = make(
        "IfcCurveSegment",
        Transition="CONTINUOUS",
        Placement=make("IfcAxis2Placement2D", Location=at),
        SegmentStart=make("IfcLengthMeasure", 0.0),
        SegmentLength=make("IfcLengthMeasure", 500.0),
        ParentCurve=line,
    )
    for kind, item in (
        ("IfcStructuralPointConnection", ends[0]),
        ("IfcStructuralCurveMember", edge),
        ("IfcAlignmentSegment", segment),
    ):
        made.contain(made.element(kind, kind, item))
    assembly = read(made, tmp_path, beam=[made.box((0, 0, 0), (9.0, 9.0, 9.0))])
    assert triangles(assembly) == {"beam": 12}
    assert not failed(assembly)
    counts = {one.type: one.count for one in assembly.omissions}
    assert counts == {
        "IfcStructuralPointConnection": 1,
        "IfcStructuralCurveMember": 1,
        "IfcAlignmentSegment": 1,
    }
