"""Reader of DAGMC: nuclear models in HDF5 files of MOAB, whose volumes must touch and not overlap."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._convert.conversion import Conversion, Element, Omission, Progress
from impinge._convert.kind import DAGMC, need
from impinge._convert.options import Options
from impinge._errors import Error
from impinge._part import Value

_RANGES = 8
"""The flag of a set whose contents are pairs of a first handle and a count."""
_Handles = NDArray[np.int64]


def read(path: Path, shown: str, options: Options, progress: Progress) -> Conversion:
    """Convert a file. Errors name it as `shown`."""
    version = need(DAGMC, shown)
    if options.unit not in (None, "cm"):
        raise Error(f"{shown}: DAGMC is read in centimetres, and not converted to {options.unit}")
    progress("reading", 0, 1)
    library = importlib.import_module("h5py")
    into = Conversion("cm", None, f"h5py {version}; the triangles are the model")
    into.warn("DAGMC states no unit; centimetres are assumed, as transport codes do")
    try:
        with library.File(path, "r") as file:
            _Model(file["tstt"]).add(into)
    except (OSError, KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
        text = " ".join(str(error).split())[:200]
        raise Error(f"{shown}: no DAGMC file that can be read: {text}") from None
    return into


class _Model:
    def __init__(self, root: Any) -> None:
        self._root = root
        self._points: NDArray[np.float64] = np.asarray(root["nodes/coordinates"][()], np.float64)
        self._first_point = int(root["nodes/coordinates"].attrs["start_id"])
        triangles = root["elements/Tri3/connectivity"]
        self._triangles: _Handles = triangles[()].astype(np.int64)
        self._first_triangle = int(triangles.attrs["start_id"])
        self._list: _Handles = root["sets/list"][()].astype(np.int64)
        self._first_set = int(root["sets/list"].attrs["start_id"])
        self._contents = self._flat("sets/contents")
        self._children = self._flat("sets/children")
        self._categories = self._tag("CATEGORY")
        self._ids = self._tag("GLOBAL_ID")
        self._senses = self._tag("GEOM_SENSE_2")

    def _flat(self, name: str) -> _Handles:
        found: _Handles = (
            self._root[name][()].astype(np.int64) if name in self._root else np.zeros(0, np.int64)
        )
        return found

    def _tag(self, name: str) -> dict[int, Any]:
        """The values of a tag on sets, by handle: those of few sets, or of all."""
        found: dict[int, Any] = {}
        if f"sets/tags/{name}" in self._root:
            values = self._root[f"sets/tags/{name}"][()]
            found.update((self._first_set + i, value) for i, value in enumerate(values))
        if f"tags/{name}/id_list" in self._root:
            handles = self._root[f"tags/{name}/id_list"][()]
            values = self._root[f"tags/{name}/values"][()]
            found.update((int(handle), value) for handle, value in zip(handles, values, strict=True))
        return found

    def _text(self, value: Any) -> str:
        return bytes(value).split(b"\0")[0].decode("utf-8", "replace").strip()

    def _is(self, handle: int, category: str) -> bool:
        return handle in self._categories and self._text(self._categories[handle]) == category

    def _part(self, handle: int, column: int, flat: _Handles) -> _Handles:
        row = handle - self._first_set
        begin = int(self._list[row - 1, column]) + 1 if row else 0
        return flat[begin : int(self._list[row, column]) + 1]

    def _in(self, handle: int) -> Iterator[tuple[int, int]]:
        """First handle and count of what a set contains."""
        found = self._part(handle, 0, self._contents)
        if self._list[handle - self._first_set, 3] & _RANGES:
            yield from ((int(first), int(count)) for first, count in found.reshape(-1, 2))
        else:
            yield from ((int(one), 1) for one in found)

    def _faces(self, surface: int) -> _Handles:
        """The triangles of a surface, as rows of handles of points."""
        found = []
        for first, count in self._in(surface):
            begin = max(first - self._first_triangle, 0)
            end = min(first + count - self._first_triangle, len(self._triangles))
            if begin < end:
                found.append(self._triangles[begin:end])
        return np.concatenate(found) if found else np.zeros((0, 3), np.int64)

    def _groups(self) -> dict[int, list[str]]:
        """The names of the groups of each volume."""
        found: dict[int, list[str]] = {}
        for handle, name in self._tag("NAME").items():
            if self._is(handle, "Group"):
                for first, count in self._in(handle):
                    for volume in range(first, min(first + count, first + len(self._list))):
                        found.setdefault(volume, []).append(self._text(name))
        return found

    def add(self, into: Conversion) -> None:
        """Make a part of each volume."""
        groups = self._groups()
        handles = range(self._first_set, self._first_set + len(self._list))
        for handle in [one for one in handles if self._is(one, "Volume")]:
            name = f"volume {int(self._ids[handle])}"
            faces = [
                self._oriented(int(surface), handle) for surface in self._part(handle, 1, self._children)
            ]
            reason = next((one for one in faces if isinstance(one, str)), None)
            rows = [one for one in faces if not isinstance(one, str)]
            corners = np.concatenate(rows) if rows else np.zeros((0, 3), np.int64)
            if reason is not None or not len(corners):
                reason = reason or "it has no triangles"
                into.omissions.append(Omission(reason, "Volume", name, failed=True))
                continue
            used, places = np.unique(corners - self._first_point, return_inverse=True)
            if used[0] < 0:
                raise IndexError("a triangle has no such point")
            vertices = self._points[used]
            properties: dict[str, Value] = {}
            materials = [one[4:] for one in groups.get(handle, []) if one.lower().startswith("mat:")]
            others = [one for one in groups.get(handle, []) if not one.lower().startswith("mat:")]
            if materials:
                properties["material"] = ", ".join(materials)
            if others:
                properties["group"] = ", ".join(others)
            triangles = places.reshape(-1, 3).astype(np.uint32)
            into.elements.append(
                Element(name, name, vertices, triangles, np.eye(4), 0.0, None, "Volume", properties)
            )

    def _oriented(self, surface: int, volume: int) -> _Handles | str:
        """The triangles of a surface, with the volume behind them; or why they are unknown."""
        if surface not in self._senses:
            return f"surface {surface} states no volume on either side (GEOM_SENSE_2)"
        forward, reverse = (int(one) for one in self._senses[surface])
        faces = self._faces(surface)
        if forward == volume and reverse == volume:
            return np.concatenate([faces, faces[:, ::-1]])
        if forward == volume:
            return faces
        if reverse == volume:
            return faces[:, ::-1]
        return f"surface {surface} is of other volumes (GEOM_SENSE_2)"
