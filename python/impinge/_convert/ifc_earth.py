"""Where on Earth a file of IFC is."""

from __future__ import annotations

import importlib
import math
from typing import Any

from impinge._convert.conversion import Conversion


def add(model: Any, into: Conversion) -> None:
    """Set the offset of a file that states one, and warn of a turn. Coordinates stay as they are."""
    geolocation = importlib.import_module("ifcopenshell.util.geolocation")
    try:
        found = geolocation.get_helmert_transformation_parameters(model)
        if found is None:
            return
        scale = _map_unit(model)
        east, north, height = (float(number) * scale for number in (found.e, found.n, found.h))
        turn = math.degrees(math.atan2(float(found.xao), float(found.xaa)))
        stretch = float(found.scale)
    except (RuntimeError, AttributeError, TypeError, ValueError, IndexError, KeyError) as error:
        into.warn(f"the place on Earth cannot be read: {error}")
        return
    if not all(map(math.isfinite, (east, north, height, turn, stretch))):
        into.warn("the place on Earth is no finite number")
        return
    into.offset = (east, north, height)
    if turn or stretch != 1:
        into.warn(
            f"the map {_name(model)}is reached by a turn by {turn:.9g}° and a scale of {stretch:.9g}, then "
            "by the offset; coordinates are those of the file"
        )


def _name(model: Any) -> str:
    systems = [] if model.schema == "IFC2X3" else model.by_type("IfcCoordinateReferenceSystem")
    return f"{systems[0].Name} " if systems and systems[0].Name else ""


def _map_unit(model: Any) -> float:
    """Metres of the unit of a map: that of the reference system, else that of the project."""
    unit = importlib.import_module("ifcopenshell.util.unit")
    if model.schema != "IFC2X3":
        for system in model.by_type("IfcProjectedCRS"):
            stated = getattr(system, "MapUnit", None)
            if stated is not None:
                return float(unit.convert(1.0, getattr(stated, "Prefix", None), stated.Name, None, "METRE"))
    return float(unit.calculate_unit_scale(model))
