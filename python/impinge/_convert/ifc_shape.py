"""Which elements of IFC have a shape, and whether it is curved."""

from __future__ import annotations

from typing import Any

from impinge._convert.ifc_items import has_surface, items
from impinge._convert.ifc_place import whole_of

_DEEPEST = 200
"""Levels of a hierarchy."""
_FLAT = frozenset("""
    IfcShapeRepresentation IfcTopologyRepresentation IfcRepresentationMap IfcMappedItem
    IfcGeometricRepresentationContext IfcGeometricRepresentationSubContext
    IfcCartesianPoint IfcCartesianPointList2D IfcCartesianPointList3D IfcDirection IfcVector IfcLine IfcPlane
    IfcAxis1Placement IfcAxis2Placement2D IfcAxis2Placement3D
    IfcCartesianTransformationOperator2D IfcCartesianTransformationOperator3D
    IfcCartesianTransformationOperator2DnonUniform IfcCartesianTransformationOperator3DnonUniform
    IfcPolyline IfcCompositeCurve IfcCompositeCurveSegment IfcTrimmedCurve IfcPolyLoop IfcVertexPoint
    IfcArbitraryClosedProfileDef IfcArbitraryProfileDefWithVoids IfcRectangleProfileDef
    IfcTrapeziumProfileDef IfcCompositeProfileDef IfcDerivedProfileDef IfcMirroredProfileDef
    IfcRectangleHollowProfileDef IfcIShapeProfileDef IfcAsymmetricIShapeProfileDef IfcLShapeProfileDef
    IfcUShapeProfileDef IfcTShapeProfileDef IfcCShapeProfileDef IfcZShapeProfileDef
    IfcExtrudedAreaSolid IfcFacetedBrep IfcFacetedBrepWithVoids IfcClosedShell IfcOpenShell
    IfcConnectedFaceSet IfcFace IfcFaceBound IfcFaceOuterBound IfcFaceBasedSurfaceModel
    IfcShellBasedSurfaceModel IfcBooleanResult IfcBooleanClippingResult IfcHalfSpaceSolid
    IfcPolygonalBoundedHalfSpace IfcBoxedHalfSpace IfcBoundingBox IfcBlock IfcRectangularPyramid
    IfcCsgSolid IfcTriangulatedFaceSet IfcTriangulatedIrregularNetwork IfcPolygonalFaceSet
    IfcIndexedPolygonalFace IfcIndexedPolygonalFaceWithVoids IfcCurveBoundedPlane
    IfcGeometricSet IfcSectionedSpine
    """.split())
"""Classes that have plane faces and straight edges only, if their attributes do."""


class Shapes:
    """Facts of the representations of a file."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._flat: dict[int, bool] = {}

    @staticmethod
    def kinds(element: Any) -> tuple[bool, str]:
        """Whether an element has any surface, and what its representations are, as text."""
        representations = element.Representation.Representations or ()
        names = sorted(
            {str(one.RepresentationType or one.RepresentationIdentifier) for one in representations}
        )
        return any(map(has_surface, items(representations))), ", ".join(names)

    def is_flat(self, element: Any) -> bool:
        """Whether all faces are plane, so that triangles are exact. False if in doubt."""
        shapes = [element.Representation]
        above, levels = element, 0
        # ifcopenshell cuts the openings of a whole out of its parts, too.
        while above is not None:
            if levels == _DEEPEST:
                return False
            for voids in getattr(above, "HasOpenings", None) or ():
                shapes.append(voids.RelatedOpeningElement.Representation)
            above, levels = whole_of(above), levels + 1
        for projects in getattr(element, "HasProjections", None) or ():
            shapes.append(projects.RelatedFeatureElement.Representation)
        return all(self._is_flat(shape) for shape in shapes if shape is not None)

    def _is_flat(self, shape: Any) -> bool:
        return all(self._item_is_flat(item) for item in items(shape.Representations) if has_surface(item))

    def _item_is_flat(self, item: Any) -> bool:
        known = self._flat.get(item.id())
        if known is None:
            known = self._flat[item.id()] = all(map(_is_straight, self._model.traverse(item)))
        return known


def _is_straight(entity: Any) -> bool:
    name = entity.is_a()
    if name == "IfcIndexedPolyCurve":
        return all(segment.is_a() == "IfcLineIndex" for segment in entity.Segments or ())
    if name not in _FLAT:
        return not entity.id()
    if name.endswith("ShapeProfileDef") or name == "IfcRectangleHollowProfileDef":
        info = entity.get_info(recursive=False)
        return not any(value for key, value in info.items() if "Radius" in key)
    return True
