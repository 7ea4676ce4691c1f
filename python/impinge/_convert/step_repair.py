"""Shapes with faces that Open CASCADE cannot mesh, in other forms that it can.

Faces that are closed, such as whole cones, are divided; their surfaces stay as they are. If that does not
help, surfaces become splines.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator
from typing import Any

from impinge._convert.step_facets import explored

Defects = tuple[int, int]
"""Faces without triangles, and open edges."""


def repaired(shape: Any, meshed: Callable[[Any], Defects]) -> list[Any]:
    """The pieces of a shape in the form that has the fewest defects: meshed solids, and all faces in none."""
    return [_best(piece, meshed) for piece in pieces(shape)]


def pieces(shape: Any) -> list[Any]:
    """The solids of a shape, and a compound of the faces that are in none."""
    solids = explored(shape, "TopAbs_SOLID", "Solid")
    inside = importlib.import_module("OCP.collections").Map_TopoDS_Shape_TopTools_ShapeMapHasher()
    for solid in solids:
        for face in explored(solid, "TopAbs_FACE", "Face"):
            inside.Add(face)
    loose = [face for face in explored(shape, "TopAbs_FACE", "Face") if not inside.Contains(face)]
    if loose:
        compound = importlib.import_module("OCP.TopoDS").TopoDS_Compound()
        builder = importlib.import_module("OCP.BRep").BRep_Builder()
        builder.MakeCompound(compound)
        for face in loose:
            builder.Add(compound, face)
        solids.append(compound)
    return solids


def _best(piece: Any, meshed: Callable[[Any], Defects]) -> Any:
    is_solid = bool(explored(piece, "TopAbs_SOLID", "Solid"))
    best, fewest = piece, None
    for form in _forms(piece):
        defects = meshed(form)
        # Faces that are in no solid have borders.
        if not is_solid:
            defects = defects[0], 0
        if fewest is None or defects < fewest:
            best, fewest = form, defects
        if fewest == (0, 0):
            break
    return best


def _forms(piece: Any) -> Iterator[Any]:
    """The piece, then the other forms of it that Open CASCADE can make."""
    upgrade = importlib.import_module("OCP.ShapeUpgrade")
    builder = importlib.import_module("OCP.BRepBuilderAPI")

    def divided(tool: Any) -> Any:
        tool.Perform()
        return tool.Result()

    def closed() -> Any:
        return divided(upgrade.ShapeUpgrade_ShapeDivideClosed(copy()))

    def copy() -> Any:
        # Without the triangles: a form shares faces with its origin.
        return builder.BRepBuilderAPI_Copy(piece, True, False).Shape()

    yield piece
    surface = importlib.import_module("OCP.BRep").BRep_Tool.Surface_s
    if any(surface(face) is None for face in explored(piece, "TopAbs_FACE", "Face")):
        # It would crash Open CASCADE.
        return
    for form in (
        closed,
        lambda: divided(upgrade.ShapeUpgrade_ShapeDivideAngle(math.pi / 2, copy())),
        lambda: builder.BRepBuilderAPI_NurbsConvert(copy(), True).Shape(),
        lambda: builder.BRepBuilderAPI_NurbsConvert(closed(), True).Shape(),
    ):
        try:
            made = form()
        except Exception:
            continue
        if made is not None and not made.IsNull():
            yield made
