"""The assembly tree of a document of Open CASCADE."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._part import Value

_DEEPEST = 200
_MOST = 1_000_000
"""Instances: a few products that use each other ten times a level would be more than memory holds."""


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
    # Of a label without it, FindAttribute crashes.
    if not label.IsAttribute(name.GetID_s()):
        return ""
    found = name()
    label.FindAttribute(name.GetID_s(), found)
    text = str(found.Get().ToExtString()).strip()
    # Open CASCADE makes such names of labels where the file has none.
    return "" if text.startswith("=>[") else text


def _matrix(location: Any) -> NDArray[np.float64]:
    trsf = location.Transformation()
    pose = np.eye(4)
    for row in range(3):
        for column in range(4):
            pose[row, column] = trsf.Value(row + 1, column + 1)
    return pose


class Tree:
    """Walks a document."""

    def __init__(self, document: Any, stem: str) -> None:
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
        self._count = 0
        self.cut: list[str] = []
        """Paths of what was not walked: too deep, or too many."""

    def instances(self) -> Iterator[Instance]:
        """All of them, in the order of the file."""
        roots = self._labels()
        self._shapes.GetFreeShapes(roots)
        yield from self._children(list(roots), "", self._location(), {}, 0)

    def _children(
        self, labels: list[Any], path: str, above: Any, properties: dict[str, Value], depth: int
    ) -> Iterator[Instance]:
        used: dict[str, int] = {}
        for label in labels:
            referred = self._label()
            product = referred if self._shapes.GetReferredShape_s(label, referred) else label
            product_name = name_of(product)
            name = (name_of(label) or product_name or self._stem).replace("/", "∕")
            used[name] = used.get(name, 0) + 1
            # Two siblings of one name: the path is the key of a part, in this delivery and in the next.
            own = name if used[name] == 1 else f"{name}#{used[name]}"
            here = f"{path}/{own}" if path else own
            location = above.Multiplied(self._shapes.GetLocation_s(label))
            found = properties | self._described(label, product)
            if product_name and product_name != name:
                found["product"] = product_name
            if depth >= _DEEPEST or self._count >= _MOST:
                self.cut.append(here)
                return
            if self._shapes.IsAssembly_s(product):
                found.pop("product", None)
                components = self._labels()
                self._shapes.GetComponents_s(product, components)
                yield from self._children(list(components), here, location, found, depth + 1)
                continue
            self._count += 1
            shape = self._shapes.GetShape_s(product)
            if shape is None or shape.IsNull():
                self.cut.append(here)
                continue
            # A root has its own placement in its shape.
            if product is label:
                shape = shape.Located(self._location())
                location = above.Multiplied(self._shapes.GetShape_s(product).Location())
            yield Instance(here, own, self._key(product), shape, _matrix(location), found)

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


def _hex(color: Any) -> str:
    """As of the web: sRGB, two digits each."""
    linear = np.clip([color.Red(), color.Green(), color.Blue()], 0, 1)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(float(one) * 255):02x}" for one in srgb)
