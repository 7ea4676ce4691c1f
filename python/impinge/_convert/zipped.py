"""The file in an ``.ifczip``."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from impinge._errors import Error

_SMALL = 256 << 20
"""A file of this size is unpacked from any archive."""
_RATIO = 100
"""Text of IFC is packed to a tenth. An archive may state ten times as much."""
_CHUNK = 1 << 20


def unpacked(path: Path, shown: str, folder: Path) -> Path:
    """Unpack the one IFC file of an archive into a folder. An `Error` states what is wrong.

    Names in the archive are not used for files. The size is limited by that of the archive.
    """
    limit = max(_SMALL, _RATIO * path.stat().st_size)
    target = folder / "model.ifc"
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [one for one in archive.infolist() if not one.is_dir()]
            found = [one for one in entries if one.filename.lower().endswith(".ifc")]
            if len(found) != 1:
                raise Error(f"{shown}: an .ifczip has one .ifc file, not {len(found)} of {len(entries)}")
            if found[0].flag_bits & 1:
                raise Error(f"{shown}: the archive has a password")
            with archive.open(found[0]) as source, target.open("wb") as out:
                size = 0
                while chunk := source.read(_CHUNK):
                    size += len(chunk)
                    if size > limit:
                        raise Error(f"{shown}: more than {limit:,} bytes when unpacked")
                    out.write(chunk)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise Error(f"{shown}: no readable zip archive: {error}") from None
    return target
