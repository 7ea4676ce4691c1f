"""Writes a conversion as a bundle."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from impinge._assembly import Assembly
from impinge._convert.conversion import Conversion, Element
from impinge._core import Mesh
from impinge._errors import Error
from impinge._part import Value


def _clean(text: str) -> str:
    """Text without what is none: bytes of damaged files that are no UTF-8."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _clean_or_none(text: str | None) -> str | None:
    return None if text is None else _clean(text)


def _cleaned(value: Value) -> Value:
    return _clean(value) if isinstance(value, str) else value


def assembly_of(found: Conversion, shown: str, size: int, digest: bytes) -> Assembly:
    """An assembly of what was read from a file. Equal meshes are one."""
    made = Assembly()
    file = Path(shown)
    settings = found.settings
    made.add_source(
        file,
        unit=found.unit,
        up=found.up,
        bytes=size,
        digest=digest,
        offset=found.offset,
        settings=settings,
    )
    meshes: dict[tuple[bytes, bytes], Mesh] = {}
    for one in found.elements:
        _add(made, one, file, meshes)
    for omission in found.omissions:
        made.omit(
            file,
            _clean(omission.reason),
            name=_clean_or_none(omission.name),
            guid=_clean_or_none(omission.guid),
            type=_clean_or_none(omission.type),
            count=omission.count,
            failed=omission.failed,
        )
    for text in found.warnings:
        made.warn(file, _clean(text))
    return made


def _add(made: Assembly, one: Element, file: Path, meshes: dict[tuple[bytes, bytes], Mesh]) -> None:
    key = one.vertices.tobytes(), one.faces.tobytes()
    try:
        if key not in meshes:
            meshes[key] = Mesh(np.ascontiguousarray(one.vertices), np.ascontiguousarray(one.faces))
        # A pose that is not rigid is applied to a copy of the mesh.
        made.add(
            meshes[key],
            one.pose,
            affine=True,
            name=_clean(one.name),
            file=file,
            path=_clean(one.path),
            guid=_clean_or_none(one.guid),
            type=one.type,
            properties={_clean(key): _cleaned(value) for key, value in one.properties.items()},
            chord=one.chord,
            rounding=one.rounding,
        )
    except Error as error:
        name, guid = _clean(one.name), _clean_or_none(one.guid)
        made.omit(file, str(error), name=name, guid=guid, type=one.type, failed=True)
