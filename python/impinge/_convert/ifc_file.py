"""Opens files of IFC, and finds what ifcopenshell left out."""

from __future__ import annotations

import importlib
import mmap
import re
from pathlib import Path
from typing import Any

from impinge._convert import part21
from impinge._convert.conversion import Omission
from impinge._convert.ifc_log import Log
from impinge._convert.kind import IFC
from impinge._errors import Error

_ENTITY = re.compile(rb"(?:^|;)(?:\s|/\*[^*]*\*/)*#[0-9]+\s*=")


def opened(path: Path, shown: str) -> tuple[Any, list[Omission]]:
    """The model, and what of the text could not be read: ifcopenshell goes on without it."""
    schema = part21.checked(path, shown, IFC)
    library = importlib.import_module("ifcopenshell")
    try:
        model = library.open(str(path))
        log = Log()
    except Exception as error:
        why = next(iter(Log().texts), "") or " ".join(str(error).split())[:300]
        raise Error(f"{shown}: ifcopenshell cannot read it (schema {schema[:60]}): {why}") from None
    lost: list[Omission] = []
    if log.texts:
        first = "; ".join(list(log.texts)[:2])[:200]
        count = sum(log.texts.values())
        lost.append(Omission(f"{count} entities are damaged: {first}", failed=True))
    missing = _entities(path) - len(model.entity_names())
    if missing > 0:
        lost.append(Omission(f"{missing} entities of the file were not read", failed=True))
    return model, lost


def _entities(path: Path) -> int:
    """Number of entities in the text."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        return sum(1 for _ in _ENTITY.finditer(text))
