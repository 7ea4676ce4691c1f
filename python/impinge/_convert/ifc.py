"""Reader of IFC: the geometry iterator of ifcopenshell, on all cores, in f64."""

from __future__ import annotations

import importlib
import math
import os
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._convert import ifc_earth, zipped
from impinge._convert.conversion import Conversion, Element, Omission, Progress
from impinge._convert.ifc_body import Body, Shape, body_of
from impinge._convert.ifc_file import opened
from impinge._convert.ifc_log import Log
from impinge._convert.ifc_place import Places, guid_of, label
from impinge._convert.ifc_properties import Properties
from impinge._convert.ifc_shape import Shapes
from impinge._convert.options import Options
from impinge._errors import Error
from impinge._part import Value

CHORD = 0.001
"""The deflection that ifcopenshell uses if none is given, in metres."""
ANGLE = 0.5
"""Its largest angle between neighbouring pieces of a curve, in radians."""
_ENTITY = re.compile(r"#\d+=?|\([^)]*\)+")
"""Numbers of entities, and their attributes, in a text of ifcopenshell."""
LEFT_OUT = ("IfcSpace", "IfcSpatialZone", "IfcOpeningElement", "IfcVoidingFeature", "IfcVirtualElement")
"""Classes of what is empty or imaginary: parts only if the options state so."""


def read(path: Path, shown: str, options: Options, progress: Progress) -> Conversion:
    """Convert a file. Errors name it as `shown`."""
    if path.suffix.lower() == ".ifczip":
        with tempfile.TemporaryDirectory(prefix="impinge-") as folder:
            return _read(zipped.unpacked(path, shown, Path(folder)), shown, options, progress)
    return _read(path, shown, options, progress)


def _read(path: Path, shown: str, options: Options, progress: Progress) -> Conversion:
    if options.unit not in (None, "m"):
        raise Error(f"{shown}: IFC is read in metres, and not converted to {options.unit}")
    progress("reading", 0, 1)
    model, lost = opened(path, shown)
    version = importlib.import_module("ifcopenshell").version
    chord = options.chord_in("m") or CHORD
    settings = f"ifcopenshell {version}, chord {chord:.15g} m, angle {ANGLE} rad"
    if options.spaces:
        settings += ", with spaces and openings"
    into = Conversion("m", "z", settings, omissions=lost)
    if not _has_unit(model):
        into.warn("the file states no unit of length; metres are assumed")
    ifc_earth.add(model, into)
    _Elements(model, shown, into, options, chord).add(progress)
    return into


def _has_unit(model: Any) -> bool:
    unit = importlib.import_module("ifcopenshell.util.unit")
    try:
        return unit.get_project_unit(model, "LENGTHUNIT") is not None
    except (RuntimeError, AttributeError, TypeError, IndexError):
        return False


def _precision(model: Any) -> float | None:
    """Within this length, points of the file are the same, in metres; None if it states none."""
    try:
        factor = float(importlib.import_module("ifcopenshell.util.unit").calculate_unit_scale(model))
        contexts = model.by_type("IfcGeometricRepresentationContext", include_subtypes=False)
        stated = [float(one.Precision) * factor for one in contexts if one.Precision is not None]
    except (RuntimeError, AttributeError, TypeError, ValueError, IndexError):
        return None
    stated = [one for one in stated if 0 < one < math.inf]
    return max(stated, default=None)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


class _Elements:
    def __init__(self, model: Any, shown: str, into: Conversion, options: Options, chord: float) -> None:
        self._model = model
        self._shown = shown
        self._into = into
        self._chord = chord
        self._precision = _precision(model)
        self._places = Places()
        self._properties = Properties(model)
        self._shapes = Shapes(model)
        self._others: Counter[str] = Counter()
        """Numbers of elements with one more representation that has a mesh, by its identifier."""
        left_out = () if options.spaces else LEFT_OUT
        self._left_out = [name for name in left_out if self._exists(name)]

    def _exists(self, name: str) -> bool:
        try:
            self._model.by_type(name)
        except RuntimeError:
            return False
        return True

    def add(self, progress: Progress) -> None:
        products = {one.id(): one for one in self._model.by_type("IfcProduct")}
        excluded = {one.id() for name in self._left_out for one in self._model.by_type(name)}
        excluded &= {key for key, one in products.items() if one.Representation is not None}
        for name, count in sorted(Counter(products[key].is_a() for key in excluded).items()):
            reason = "parts do not include spaces and openings (the option `spaces` adds them)"
            self._into.omissions.append(Omission(reason, name, count=count))
        expected = {
            key: one
            for key, one in products.items()
            if one.Representation is not None and key not in excluded
        }
        self._without(products)
        self._refuse_circles(expected)
        found = self._iterate(expected, progress)
        log = Log()
        # The order of the file: threads finish in any.
        for i, key in enumerate(sorted(found)):
            if i % 50 == 0:
                progress("properties", i, len(found))
            product = products.get(key)
            if product is not None:
                self._element(product, found[key], log)
        self._missing({key: one for key, one in expected.items() if key not in found}, log)
        for name, count in sorted(self._others.items()):
            some = "element has" if count == 1 else "elements have"
            self._into.warn(f"{count:,} {some} one more shape, '{name}', which is no part")
        self._logged(log)

    def _refuse_circles(self, expected: dict[int, Any]) -> None:
        """Refuse an element that contains itself: the iterator would not end."""
        for product in expected.values():
            try:
                self._places.chain(product)
            except (RuntimeError, AttributeError, TypeError):
                # Properties are read again later, with a warning.
                continue
            if self._places.circle is not None:
                raise Error(f"{self._shown}: {self._places.circle} contains itself")

    def _without(self, products: dict[int, Any]) -> None:
        """Count what has no representation. Storeys, buildings and the like never have one."""
        counts: Counter[str] = Counter()
        for one in products.values():
            if (
                one.Representation is None
                and one.is_a("IfcElement")
                and not any(map(one.is_a, self._left_out))
            ):
                counts[one.is_a()] += 1
        for name, count in sorted(counts.items()):
            self._into.omissions.append(Omission("it has no representation", name, count=count))

    def _iterate(self, expected: dict[int, Any], progress: Progress) -> dict[int, list[Shape]]:
        """Mesh all elements, by their ids."""
        geom = importlib.import_module("ifcopenshell.geom")
        settings = geom.settings()
        settings.set("use-world-coords", False)
        settings.set("mesher-linear-deflection", self._chord)
        settings.set("mesher-angular-deflection", ANGLE)
        threads = os.cpu_count() or 1
        if self._left_out:
            iterator = geom.iterator(settings, self._model, threads, exclude=self._left_out)
        else:
            iterator = geom.iterator(settings, self._model, threads)
        found: dict[int, list[Shape]] = {}
        progress("meshes", 0, len(expected))
        if not iterator.initialize():
            return found
        meshes: dict[str, tuple[NDArray[np.float64], NDArray[np.uint32], frozenset[int]]] = {}
        while True:
            shape = iterator.get()
            geometry = shape.geometry
            if geometry.id not in meshes:
                # `..._buffer` are the bytes; the attributes without it are tuples of Python's numbers.
                vertices = np.frombuffer(geometry.verts_buffer, np.float64).reshape(-1, 3)
                faces = np.frombuffer(geometry.faces_buffer, np.int32).reshape(-1, 3)
                items = frozenset(np.frombuffer(geometry.item_ids_buffer, np.int32).tolist())
                meshes[geometry.id] = (vertices, faces.astype(np.uint32), items)
            # The id begins with that of the representation; those of openings and materials follow.
            representation = int(geometry.id.split("-")[0])
            pose = np.frombuffer(shape.transformation_buffer, np.float64).reshape(4, 4).T
            found.setdefault(shape.id, []).append(Shape(representation, *meshes[geometry.id], pose))
            progress("meshes", len(found), len(expected))
            if not iterator.next():
                return found

    def _element(self, product: Any, shapes: list[Shape], log: Log) -> None:
        name, guid, kind = label(product), guid_of(product), product.is_a()
        shapes = [one for one in shapes if len(one.faces)]
        if not shapes:
            self._missing({product.id(): product}, log)
            return
        try:
            body = body_of(self._model, product, shapes)
        except (RuntimeError, AttributeError, TypeError) as error:
            body = Body(shapes[0], 0, [], [])
            self._fail(product, f"whether all of it was meshed cannot be read: {_line(error)}")
        if body is None:
            self._missing({product.id(): product}, log)
            return
        shape = body.shape
        if not (np.isfinite(shape.vertices).all() and np.isfinite(shape.pose).all()):
            self._fail(product, "a coordinate is not finite")
            return
        if body.lost:
            some = ", ".join(map(str, body.lost[:3])) + (", ..." if len(body.lost) > 3 else "")
            reason = f"{len(body.lost)} of {body.expected} items of its shape could not be meshed: {some}"
            self._fail(product, reason + self._because(guid, log))
            self._into.warn(f"{kind} {guid} '{name}': the part is incomplete: {reason}")
        self._others.update(set(body.others))
        for text in log.of_element.get(guid, ()):
            self._into.warn(f"{kind} {guid} '{name}': {text}")
        try:
            chord = 0.0 if self._shapes.is_flat(product) else self._chord
        except (RuntimeError, AttributeError, TypeError):
            chord = self._chord
        path, properties = self._described(product, kind, guid)
        self._into.elements.append(
            Element(
                name,
                path or name,
                shape.vertices,
                shape.faces,
                shape.pose,
                chord,
                guid or None,
                kind,
                properties,
                self._precision,
            )
        )

    def _described(self, product: Any, kind: str, guid: str) -> tuple[str, dict[str, Value]]:
        """The path and the properties. What is damaged there leaves the shape as it is."""
        path = ""
        properties: dict[str, Value] = {}
        try:
            path = self._places.path(product)
            properties.update(self._places.properties(product))
            properties.update(self._properties.of(product))
        except Exception as error:
            self._into.warn(f"{kind} {guid}: its properties cannot be read in full: {_line(error)}")
        return path, properties

    def _missing(self, missing: dict[int, Any], log: Log) -> None:
        """List the elements that the iterator dropped: with a surface as failed, others as counts."""
        counts: Counter[tuple[str, str]] = Counter()
        for product in missing.values():
            try:
                has_surface, kinds = self._shapes.kinds(product)
            except (RuntimeError, AttributeError, TypeError) as error:
                has_surface, kinds = True, _line(error)
            if has_surface:
                because = self._because(guid_of(product), log)
                self._fail(product, f"its shape ({kinds}) could not be meshed{because}")
            else:
                counts[(product.is_a(), kinds or "nothing")] += 1
        for (name, kinds), count in sorted(counts.items()):
            reason = f"its representation has no surface ({kinds})"
            self._into.omissions.append(Omission(reason, name, count=count))

    @staticmethod
    def _because(guid: str, log: Log) -> str:
        texts = log.of_element.get(guid)
        return f": {texts[0]}" if texts else ""

    def _fail(self, product: Any, reason: str) -> None:
        omission = Omission(reason, product.is_a(), label(product), guid_of(product) or None, failed=True)
        self._into.omissions.append(omission)

    def _logged(self, log: Log) -> None:
        """Warn of the errors in the log that no element has."""
        of_elements = {text for texts in log.of_element.values() for text in texts}
        others = {text: count for text, count in log.texts.items() if text not in of_elements}
        # A model that repeats a shape repeats its errors, each with other numbers of entities.
        alike: dict[str, list[str]] = {}
        for text, count in others.items():
            alike.setdefault(_ENTITY.sub("", text), []).extend([text] * count)
        for texts in list(alike.values())[:20]:
            more = f" (and {len(texts) - 1:,} more like this)" if len(texts) > 1 else ""
            self._into.warn(f"ifcopenshell: {texts[0]}{more}")
        if len(alike) > 20:
            self._into.warn(f"ifcopenshell: {len(alike) - 20} more kinds of errors")
