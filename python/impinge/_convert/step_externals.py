"""Files that a STEP file names for the shapes of its parts. Open CASCADE reads them from its folder."""

from __future__ import annotations

import hashlib
import mmap
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from impinge._convert.kind import STEP, kind_of
from impinge._errors import Error

_NAMES = (
    re.compile(rb"DOCUMENT(?:_FILE)?\s*\(\s*'([^']*(?:''[^']*)*)'"),
    re.compile(rb"APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT\s*\(\s*'([^']*(?:''[^']*)*)'"),
)
_CODED = re.compile(r"\\X2\\((?:[0-9A-F]{4})+)\\X0\\|\\X\\([0-9A-F]{2})")
"""Characters that are no ASCII, as Part 21 writes them."""
_LONGEST = 1000
_MOST = 10_000


def externals(path: Path, shown: str) -> list[Path]:
    """The files that a file names, and those that these name. They need not be there.

    An `Error` refuses what Open CASCADE crashes on, or waits for: files that name each other, and devices.
    """
    if kind_of(path) is not STEP:
        return []
    found: dict[Path, None] = {}
    # Each file with its names that are still to be followed: the files that led to it are below it.
    stack = [(path, iter(_named(path, path.parent)))]
    open_files = {os.path.realpath(path)}
    while stack:
        here, names = stack[-1]
        one = next(names, None)
        if one is None:
            stack.pop()
            open_files.discard(os.path.realpath(here))
            continue
        real = os.path.realpath(one)
        # Open CASCADE skips a file that names itself.
        if real in open_files and real != os.path.realpath(here):
            raise Error(f"{shown}: the files {here.name} and {one.name} name each other for shapes of parts")
        if one in found or real in open_files:
            continue
        if len(found) == _MOST:
            raise Error(f"{shown}: it names more than {_MOST:,} files for shapes of parts")
        found[one] = None
        if _is_file(one, shown):
            stack.append((one, iter(_named(one, path.parent))))
            open_files.add(real)
    return list(found)


def size(path: Path, shown: str) -> int:
    """The bytes of a file and of those that it names."""
    return path.stat().st_size + sum(one.stat().st_size for one in externals(path, shown) if one.is_file())


def digest(path: Path, shown: str, own: str) -> str:
    """A digest of a file and of those that it names. `own` is that of the file alone."""
    others = externals(path, shown)
    if not others:
        return own
    facts = [own]
    for one in others:
        facts.append(str(one))
        try:
            with one.open("rb") as file:
                facts.append(hashlib.file_digest(file, "sha256").hexdigest())
        except OSError:
            # It may be there next time.
            facts.append("none")
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _is_file(path: Path, shown: str) -> bool:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise Error(f"{shown}: {path.name}, which it names for the shape of a part, is no regular file")
    return stat.S_ISREG(mode)


def _named(path: Path, root: Path) -> list[Path]:
    """The files that one names: beside it, or in the folder `root`."""
    found: dict[Path, None] = {}
    for name in _texts(path):
        for folder in (path.parent, root):
            found[folder / name] = None
    return list(found)


def _texts(path: Path) -> Iterator[str]:
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
            if b"ISO-10303-21" not in text[:1000].upper():
                return
            raw = [one[1] for pattern in _NAMES for one in pattern.finditer(text)]
    except (OSError, ValueError):
        # It is empty, or cannot be read: that is an error when it is converted.
        return
    for one in dict.fromkeys(raw):
        plain = os.fsdecode(one.replace(b"''", b"'")).strip()
        # Open CASCADE takes both separators.
        name = _CODED.sub(_character, plain).replace("\\\\", "\\").replace("\\", "/")
        if name and len(name) <= _LONGEST and "\0" not in name:
            yield name


def _character(found: re.Match[str]) -> str:
    return bytes.fromhex(found[1] or f"00{found[2]}").decode("utf-16-be", "replace")
