"""Properties of an element of IFC: property sets, quantities, materials, layers."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator, Mapping
from typing import Any

from impinge._part import Value

_LONGEST = 1000
"""Characters of a value. What follows is cut off."""


def _value(value: Any) -> Value | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, list | tuple):
        if len(value) == 1:
            return _value(value[0])
        return ", ".join(str(one) for one in value)[:_LONGEST]
    return None if value is None else str(value)[:_LONGEST]


def _flat(prefix: str, values: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    for name, value in values.items():
        if name == "id":
            continue
        if isinstance(value, Mapping):
            # A complex property has properties; a complex quantity has them under one more name.
            inner = value.get("properties", value.get("quantities"))
            yield from _flat(f"{prefix}{name}.", inner if isinstance(inner, Mapping) else {})
        elif (plain := _value(value)) is not None:
            yield f"{prefix}{name}", plain


class Properties:
    """Reads the properties of elements of a file."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._util = importlib.import_module("ifcopenshell.util.element")

    def of(self, element: Any) -> Iterator[tuple[str, Value]]:
        """All of them, as ``Pset_WallCommon.IsExternal``, and ``material`` and ``layer``."""
        for name, values in self._util.get_psets(element).items():
            # Sets without a name exist.
            yield from _flat(f"{name}." if name not in (None, "", "None") else "", values)
        for key in ("Tag", "ObjectType", "PredefinedType"):
            value = getattr(element, key, None)
            if isinstance(value, str) and value:
                yield key, value[:_LONGEST]
        kind = self._util.get_type(element)
        if kind is not None and kind.Name:
            yield "type_name", str(kind.Name)
        materials = self._names(self._util.get_materials(element))
        if materials:
            yield "material", materials
        layers = self._names(self._util.get_layers(self._model, element))
        if layers:
            yield "layer", layers

    @staticmethod
    def _names(entities: Any) -> str:
        names = [str(getattr(one, "Name", None) or "").strip() for one in entities]
        return ", ".join(dict.fromkeys(name for name in names if name))[:_LONGEST]
