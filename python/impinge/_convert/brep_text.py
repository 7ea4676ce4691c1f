"""Checks that a text file of BREP is whole. In one that is cut off, Open CASCADE reads on without end."""

from __future__ import annotations

import re
from pathlib import Path

from impinge._errors import Error

_SECTION = re.compile(
    rb"^(Locations|Curve2ds|Curves|Polygon3D|PolygonOnTriangulations|Surfaces|Triangulations|TShapes)"
    rb" +([0-9]+)\s",
    re.MULTILINE,
)


def check(path: Path, shown: str) -> None:
    """An `Error` names the file, and what of it is missing."""
    text = path.read_bytes()
    if b"CASCADE Topology" not in text[:200] and b"DBRep_DrawableShape" not in text[:200]:
        raise Error(f"{shown}: no BREP file: it does not begin with 'CASCADE Topology'")
    for section in _SECTION.finditer(text):
        name, count = section[1].decode(), int(section[2])
        has = len(text)
        if name == "TShapes":
            # The list of what a shape consists of ends with an asterisk, also if it is empty.
            has = text.count(b"*", section.end())
        if has < count:
            raise Error(
                f"{shown}: the file is cut off or damaged: its section {name} states {count} entries, and "
                f"has {has} at most; export it again"
            )
        if name == "TShapes":
            return
    raise Error(f"{shown}: the file is cut off or damaged: it has no section TShapes; export it again")
