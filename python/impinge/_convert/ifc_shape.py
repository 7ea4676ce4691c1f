"""Which elements of IFC have a shape, and whether it is curved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_NO_SURFACE = (
    "IfcCurve",
    "IfcPoint",
    "IfcVector",
    "IfcDirection",
    "IfcPlacement",
    "IfcTextLiteral",
    "IfcAnnotationFillArea",
    "IfcPlanarExtent",
    "IfcLightSource",
    "IfcBoundingBox",
    "IfcGeometricCurveSet",
)
"""Items of a representation that bound no part."""

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


def _items(representations: Any, depth: int = 0) -> Iterator[Any]:
    for representation in representations or ():
        for item in representation.Items or ():
            if item.is_a("IfcMappedItem") and depth < 20:
                yield from _items([item.MappingSource.MappedRepresentation], depth + 1)
            else:
                yield item


def _has_surface(item: Any, depth: int = 0) -> bool:
    if item.is_a() == "IfcGeometricSet" and depth < 20:
        return any(_has_surface(one, depth + 1) for one in item.Elements or ())
    return not any(item.is_a(name) for name in _NO_SURFACE)


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
        return any(map(_has_surface, _items(representations))), ", ".join(names)

    @staticmethod
    def lost_items(element: Any, meshed: frozenset[int]) -> int:
        """How many items of the representations that were meshed in part have no triangles."""
        lost = 0
        for representation in element.Representation.Representations or ():
            ids = {item.id() for item in _items([representation]) if _has_surface(item)}
            if ids & meshed:
                lost += len(ids - meshed)
        return lost

    def is_flat(self, element: Any) -> bool:
        """Whether all faces are plane, so that triangles are exact. False if in doubt."""
        shapes = [element.Representation]
        for voids in getattr(element, "HasOpenings", None) or ():
            shapes.append(voids.RelatedOpeningElement.Representation)
        for projects in getattr(element, "HasProjections", None) or ():
            shapes.append(projects.RelatedFeatureElement.Representation)
        return all(self._is_flat(shape) for shape in shapes if shape is not None)

    def _is_flat(self, shape: Any) -> bool:
        items = [item for item in _items(shape.Representations) if _has_surface(item)]
        return all(self._item_is_flat(item) for item in items)

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
