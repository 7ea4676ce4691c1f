"""The assembly tree of a document of Open CASCADE."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._part import Value

_DEEPEST = 200
_MOST = 1_000_000
"""Instances: a few products that use each other ten times a level would be more than memory holds."""


_MADE = re.compile(
    r"(?:COMPOUND|COMPSOLID|SOLID|SHELL|FACE|WIRE|EDGE|VERTEX|SHAPE|ASSEMBLY|NAUO\d+"
    r"|Open CASCADE STEP translator [\d.]+ [\d.]+)(?::\d+)?|=>\[.*"
)
"""Names that Open CASCADE and other writers make of shapes and occurrences that have none."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A shape at a place."""

    path: str
    """Names of the instances, from the root, joined by ``/``. No two instances of a file have the same."""
    name: str
    """The last of them."""
    product: str
    """Key of its product in the document: instances of one product have equal ones."""
    shape: Any
    """In the frame of the product."""
    pose: NDArray[np.float64]
    """(4, 4)"""
    properties: dict[str, Value]


def name_of(label: Any) -> str:
    """The name of a label; empty if it has none."""
    name = importlib.import_module("OCP.TDataStd").TDataStd_Name
    # FindAttribute crashes if the label has no such attribute.
    if not label.IsAttribute(name.GetID_s()):
        return ""
    found = name()
    label.FindAttribute(name.GetID_s(), found)
    return str(found.Get().ToExtString()).strip()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk is: the assembly whose components are next."""

    path: str
    name: str
    """The name of the assembly, without a number."""
    product: str
    """The name of its product."""
    location: Any
    properties: dict[str, Value]
    depth: int


@dataclass(slots=True)
class _Component:
    """A label of an assembly, or a root."""

    label: Any
    product: Any
    """The label of its product: the same one if it refers to no other."""
    name: str
    """Empty if the file states none."""
    is_assembly: bool
    shape: Any = None
    """None of an assembly, and where it is missing."""


def _matrix(location: Any) -> NDArray[np.float64]:
    trsf = location.Transformation()
    pose = np.eye(4)
    for row in range(3):
        for column in range(4):
            pose[row, column] = trsf.Value(row + 1, column + 1)
    return pose


class Tree:
    """Walks a document."""

    def __init__(self, document: Any, stem: str, ids: Set[str] = frozenset()) -> None:
        """`ids` are of occurrences that have no name. Open CASCADE makes them names."""
        xcaf = importlib.import_module("OCP.XCAFDoc")
        tools = xcaf.XCAFDoc_DocumentTool
        main = document.Main()
        self._shapes = tools.ShapeTool_s(main)
        self._colors = tools.ColorTool_s(main)
        self._layers = tools.LayerTool_s(main)
        self._kinds = (xcaf.XCAFDoc_ColorSurf, xcaf.XCAFDoc_ColorGen)
        self._labels = importlib.import_module("OCP.collections").Sequence_TDF_Label
        self._label = importlib.import_module("OCP.TDF").TDF_Label
        self._location = importlib.import_module("OCP.TopLoc").TopLoc_Location
        self._entry = importlib.import_module("OCP.TCollection").TCollection_AsciiString
        self._tool = importlib.import_module("OCP.TDF").TDF_Tool
        self._color = importlib.import_module("OCP.Quantity").Quantity_Color
        self._stem = stem
        self._ids = ids
        self._count = 0
        self.cut: list[str] = []
        """Paths of what was not walked: too deep, or too many."""

    def instances(self) -> Iterator[Instance]:
        """All of them, in the order of the file."""
        roots = self._labels()
        self._shapes.GetFreeShapes(roots)
        yield from self._children(list(roots), _Place("", self._stem, "", self._location(), {}, 0))

    def _children(self, labels: list[Any], above: _Place) -> Iterator[Instance]:
        numbers: dict[str, int] = {}
        used: set[str] = set()
        components = self._components(labels)
        for one in components:
            name = (one.name or above.name).replace("/", "∕")
            product_name = self._stated(one.product) or above.product
            # Two siblings of one name: the path is the key of a part, in this delivery and in the next.
            own = name
            while own in used:
                numbers[name] = numbers.get(name, 1) + 1
                own = f"{name}#{numbers[name]}"
            used.add(own)
            here = f"{above.path}/{own}" if above.path else own
            if above.path and len(components) == 1 and not one.name and not one.is_assembly:
                # The only body of a product: Open CASCADE makes an assembly of it and of its lines.
                own, here = above.path.rpartition("/")[2], above.path
            location = above.location.Multiplied(self._shapes.GetLocation_s(one.label))
            found = above.properties | self._described(one.label, one.product)
            if above.depth >= _DEEPEST or self._count >= _MOST:
                self.cut.append(here)
                return
            if one.is_assembly:
                below = self._labels()
                self._shapes.GetComponents_s(one.product, below)
                place = _Place(here, name, product_name, location, found, above.depth + 1)
                yield from self._children(list(below), place)
                continue
            if product_name and product_name != name:
                found["product"] = product_name
            self._count += 1
            shape = one.shape
            if shape is None:
                self.cut.append(here)
                continue
            # A root has its own placement in its shape.
            if one.product is one.label:
                location = above.location.Multiplied(shape.Location())
                shape = shape.Located(self._location())
            yield Instance(here, own, self._key(one.product), shape, _matrix(location), found)

    def _components(self, labels: list[Any]) -> list[_Component]:
        """The products of labels.

        Lines without a name come last, so that they take no name of a body. Beside a body without a name,
        which is of the same product, they are left out.
        """
        found, lines = list[_Component](), list[_Component]()
        has_body = False
        for label in labels:
            referred = self._label()
            product = referred if self._shapes.GetReferredShape_s(label, referred) else label
            one = _Component(label, product, self._name(label, product), self._shapes.IsAssembly_s(product))
            if not one.is_assembly:
                shape = self._shapes.GetShape_s(product)
                one.shape = None if shape is None or shape.IsNull() else shape
            if not one.name and one.shape is not None:
                if not _has_surface(one.shape):
                    lines.append(one)
                    continue
                has_body = True
            found.append(one)
        return found if has_body else found + lines

    def _name(self, label: Any, product: Any) -> str:
        """The name of an occurrence, else that of its product; empty if the file states neither."""
        if product is not label and name_of(label) not in self._ids:
            return self._stated(label) or self._stated(product)
        return self._stated(product)

    def _stated(self, label: Any) -> str:
        """The name that the file states for a label; empty if it states none."""
        name = name_of(label)
        return "" if _MADE.fullmatch(name) else name

    def _key(self, label: Any) -> str:
        entry = self._entry()
        self._tool.Entry_s(label, entry)
        return str(entry.ToCString())

    def _described(self, label: Any, product: Any) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for one in (product, label):
            color = self._color()
            if any(self._colors.GetColor_s(one, kind, color) for kind in self._kinds):
                found["color"] = _hex(color)
            names = self._labels()
            if self._layers.GetLayers(one, names):
                found["layer"] = ", ".join(name_of(name) for name in names)
        return found


def _has_surface(shape: Any) -> bool:
    face = importlib.import_module("OCP.TopAbs").TopAbs_FACE
    return bool(importlib.import_module("OCP.TopExp").TopExp_Explorer(shape, face).More())


def _hex(color: Any) -> str:
    """As of the web: sRGB, two digits each."""
    linear = np.clip([color.Red(), color.Green(), color.Blue()], 0, 1)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(one) * 255):02x}" for one in srgb)
