"""Files of IFC that tests make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ifcopenshell = pytest.importorskip("ifcopenshell", reason="NOT TESTED: needs the extra ifc")


class House:
    """A file of IFC4 in millimetres: a wall with an opening and a door, an assembly, a space."""

    def __init__(self, schema: str = "IFC4") -> None:
        self.file = ifcopenshell.file(schema=schema)
        make = self.make
        length = make("IfcSIUnit", UnitType="LENGTHUNIT", Prefix="MILLI", Name="METRE")
        units = make("IfcUnitAssignment", Units=[length])
        self.origin = self.place(0, 0, 0)
        self.context = make(
            "IfcGeometricRepresentationContext",
            ContextType="Model",
            CoordinateSpaceDimension=3,
            Precision=1e-5,
            WorldCoordinateSystem=self.origin,
        )
        self.project = self.root(
            "IfcProject", "P", RepresentationContexts=[self.context], UnitsInContext=units
        )
        self.storey = self.root("IfcBuildingStorey", "EG")
        self.join("IfcRelAggregates", RelatingObject=self.project, RelatedObjects=[self.storey])

    def make(self, kind: str, *value: Any, **values: Any) -> Any:
        return self.file.create_entity(kind, *value, **values)

    def root(self, kind: str, name: str | None, **values: Any) -> Any:
        return self.make(kind, GlobalId=ifcopenshell.guid.new(), Name=name, **values)

    def join(self, kind: str, **values: Any) -> Any:
        return self.root(kind, None, **values)

    def place(self, *at: float) -> Any:
        point = self.make("IfcCartesianPoint", Coordinates=[float(one) for one in at])
        return self.make("IfcAxis2Placement3D", Location=point)

    def box(self, at: tuple[float, ...], size: tuple[float, ...]) -> Any:
        profile = self.make("IfcRectangleProfileDef", ProfileType="AREA", XDim=size[0], YDim=size[1])
        up = self.make("IfcDirection", DirectionRatios=[0.0, 0.0, 1.0])
        where = self.place(*at)
        return self.make(
            "IfcExtrudedAreaSolid", SweptArea=profile, Position=where, ExtrudedDirection=up, Depth=size[2]
        )

    def shape(self, *items: Any, kind: str = "SweptSolid") -> Any:
        body = self.make(
            "IfcShapeRepresentation",
            ContextOfItems=self.context,
            RepresentationIdentifier="Body",
            RepresentationType=kind,
            Items=list(items),
        )
        return self.make("IfcProductDefinitionShape", Representations=[body])

    def element(self, kind: str, name: str | None, *items: Any) -> Any:
        local = self.make("IfcLocalPlacement", RelativePlacement=self.place(0, 0, 0))
        shape = self.shape(*items) if items else None
        return self.root(kind, name, ObjectPlacement=local, Representation=shape)

    def contain(self, *elements: Any) -> None:
        relation = "IfcRelContainedInSpatialStructure"
        self.join(relation, RelatingStructure=self.storey, RelatedElements=list(elements))

    def write(self, path: Path) -> Path:
        self.file.write(str(path))
        return path


def house(path: Path) -> Path:
    made = House()
    make = made.make
    wall = made.element("IfcWall", "wall/1", made.box((0, 0, 0), (4000.0, 200.0, 2500.0)))
    hole = made.element("IfcOpeningElement", "hole", made.box((0, 0, 0), (900.0, 300.0, 2000.0)))
    door = made.element("IfcDoor", "door", made.box((0, 0, 0), (1000.0, 50.0, 2050.0)))
    made.join("IfcRelVoidsElement", RelatingBuildingElement=wall, RelatedOpeningElement=hole)
    made.join("IfcRelFillsElement", RelatingOpeningElement=hole, RelatedBuildingElement=door)
    whole = made.element("IfcElementAssembly", "frame")
    beams = [
        made.element("IfcBeam", f"beam {i}", made.box((6000, 0, 100 * i), (50.0, 50.0, 150.0)))
        for i in (0, 1)
    ]
    made.join("IfcRelAggregates", RelatingObject=whole, RelatedObjects=beams)
    space = made.element("IfcSpace", "room", made.box((0, 3000, 0), (500.0, 500.0, 500.0)))
    circle = make("IfcCircleProfileDef", ProfileType="AREA", Radius=100.0)
    up = make("IfcDirection", DirectionRatios=[0.0, 0.0, 1.0])
    at = made.place(0, 9000, 0)
    pipe = make("IfcExtrudedAreaSolid", SweptArea=circle, Position=at, ExtrudedDirection=up, Depth=500.0)
    column = made.element("IfcColumn", None, pipe)
    made.contain(wall, door, whole, column)
    made.join("IfcRelAggregates", RelatingObject=made.storey, RelatedObjects=[space])
    external = make("IfcPropertySingleValue", Name="IsExternal", NominalValue=make("IfcBoolean", True))
    rating = make("IfcPropertySingleValue", Name="FireRating", NominalValue=make("IfcLabel", "F90"))
    common = made.root("IfcPropertySet", "Pset_WallCommon", HasProperties=[external, rating])
    made.join("IfcRelDefinesByProperties", RelatedObjects=[wall], RelatingPropertyDefinition=common)
    volume = make("IfcQuantityVolume", Name="NetVolume", VolumeValue=1.64)
    quantities = made.root("IfcElementQuantity", "Qto_WallBaseQuantities", Quantities=[volume])
    made.join("IfcRelDefinesByProperties", RelatedObjects=[wall], RelatingPropertyDefinition=quantities)
    brick = make("IfcMaterial", Name="brick")
    made.join("IfcRelAssociatesMaterial", RelatedObjects=[wall], RelatingMaterial=brick)
    body = wall.Representation.Representations[0]
    make("IfcPresentationLayerAssignment", Name="A-WALL", AssignedItems=[body])
    system = make("IfcProjectedCRS", Name="EPSG:28992")
    make(
        "IfcMapConversion",
        SourceCRS=made.context,
        TargetCRS=system,
        Eastings=187000000.0,
        Northings=428000000.0,
        OrthogonalHeight=9000.0,
        XAxisAbscissa=0.0,
        XAxisOrdinate=1.0,
    )
    return made.write(path)
