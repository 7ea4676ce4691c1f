"""Text files of ISO 10303-21, as IFC and STEP are: which schema, and whether the file is whole."""

from __future__ import annotations

import re
from pathlib import Path

from impinge._convert.kind import IFC, STEP, Kind
from impinge._errors import Error

_SCHEMA = re.compile(rb"FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'", re.IGNORECASE)
_BYTES = 1 << 16


def checked(path: Path, shown: str, kind: Kind) -> str:
    """The schema of a file of this kind. An `Error` names the file and what is wrong.

    The readers take what is there of a file that was cut off, without a word. So its end is checked first.
    """
    with path.open("rb") as file:
        start = file.read(_BYTES)
        size = file.seek(0, 2)
        file.seek(max(0, size - _BYTES))
        end = file.read()
    if not size:
        raise Error(f"{shown}: the file is empty")
    if b"ISO-10303-21" not in start[:1000].upper():
        raise Error(f"{shown}: no {kind.name} file: it does not begin with ISO-10303-21")
    if b"END-ISO-10303-21" not in end.upper():
        raise Error(f"{shown}: the file is cut off: it has no END-ISO-10303-21 at its end")
    found = _SCHEMA.search(start)
    if found is None:
        raise Error(f"{shown}: no FILE_SCHEMA in the first {_BYTES:,} bytes")
    schema = found[1].decode("latin-1").strip().upper()
    is_ifc = schema.startswith("IFC")
    if is_ifc != (kind is IFC):
        other = IFC if is_ifc else STEP
        raise Error(
            f"{shown}: the content is {other.name} (schema '{schema[:60]}'), not {kind.name}; "
            f"rename the file to end with {other.endings[0]}"
        )
    return schema
