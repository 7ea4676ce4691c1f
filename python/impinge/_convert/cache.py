"""Bundles of converted files, in the user's cache folder.

The name of a bundle begins with that of its file, since the command reads files in the order of their names.
The key follows: a hash of the SHA-256 of the file and of those that it names, its path, the options, and the
versions of the converter and of this package. The digest of the bundle is last: an entry that is damaged is
removed and made again. A bundle is written under another name and renamed, so that it is there as a whole or
not at all, also with several processes. ``IMPINGE_CACHE`` names the folder with that of the cache, which can
always be deleted.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
import time
from pathlib import Path

from impinge._convert import child, step_externals
from impinge._convert.conversion import Progress
from impinge._convert.kind import Kind, kind_of, need
from impinge._convert.options import Options
from impinge._core import __version__
from impinge._errors import Error

VERSION = 4
"""Changes with what the readers make of a file."""
MOST_BYTES = 8 << 30
"""The oldest bundles are removed if all take more."""
_IN_USE = 24 * 3600
"""Seconds in which a bundle that was asked for is not removed."""
_ABANDONED = 7 * 24 * 3600
"""Seconds after which an unfinished file is that of a process that was ended."""


_ENTRY = re.compile(r".*-[0-9a-f]{64}(?:-[0-9a-f]{32})?\.impinge", re.DOTALL)
"""Names of bundles. The first version of the cache had no digest in them."""
_UNFINISHED = re.compile(r"unfinished-[a-z0-9_]{8}\.impinge")


def folder() -> Path:
    """The folder of the bundles. It is the cache's own: `IMPINGE_CACHE` may be one of the user's."""
    given = os.environ.get("IMPINGE_CACHE")
    if given:
        return Path(given) / "impinge-converted"
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
        return Path(base) / "impinge" / "converted"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "impinge" / "converted"
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "impinge" / "converted"


def bundle_of(path: str | os.PathLike[str], options: Options, progress: Progress | None = None) -> Path:
    """The path of a bundle of a file, which is converted unless the cache has it.

    Raises
    ------
    FileNotFoundError, OSError
        The file cannot be read, or the cache cannot be written.
    Error
        The library is missing, or the file cannot be converted: one line.
    """
    shown = os.fspath(path)
    kind = kind_of(shown)
    if kind is None:
        raise Error(f"{shown}: no format that is converted")
    version = need(kind, shown)
    with open(shown, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    content = step_externals.digest(Path(shown), shown, digest)
    start = f"{_start(shown)}-{_key(shown, content, kind, version, options)}"
    cache = folder()
    found = _kept(cache, start)
    if found is not None:
        _touch(found)
        return found
    try:
        cache.mkdir(parents=True, exist_ok=True)
        _make_room(cache)
        handle, name = tempfile.mkstemp(prefix="unfinished-", suffix=".impinge", dir=cache)
    except OSError as error:
        hint = "IMPINGE_CACHE names another folder"
        raise Error(f"{cache}: the cache cannot be written: {error.strerror}; {hint}") from None
    os.close(handle)
    unfinished = Path(name)
    try:
        child.convert(Path(shown), shown, options.text(), digest, unfinished, progress)
        target = cache / f"{start}-{_digest(unfinished)}.impinge"
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target


def _kept(cache: Path, start: str) -> Path | None:
    """The bundle of a key. Those whose content is not that of their digest are removed."""
    try:
        with os.scandir(cache) as entries:
            names = sorted(one.name for one in entries if one.name.startswith(start))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Error(f"{cache}: the cache cannot be read: {error.strerror}") from None
    for name in names:
        path = cache / name
        if not _ENTRY.fullmatch(name):
            continue
        try:
            if name == f"{start}-{_digest(path)}.impinge":
                return path
            path.unlink()
        except OSError:
            # Another process removed it, or it cannot be read: it is made again.
            continue
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]


def _start(shown: str) -> str:
    """The name of a file, or its start: a file system allows some 255 bytes in all."""
    name = os.path.basename(shown)
    while len(os.fsencode(name)) > 120:
        name = name[:-1]
    return name


def _key(shown: str, digest: str, kind: Kind, version: str, options: Options) -> str:
    # The name is in the bundle: reports have it.
    facts = [str(VERSION), __version__, shown, digest, kind.name, kind.library, version, options.text()]
    return hashlib.sha256("\0".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


def _touch(path: Path) -> None:
    try:
        os.utime(path)
    except OSError:
        # Another user's, or a read-only folder.
        pass


def _make_room(cache: Path) -> None:
    """Remove the bundles that were asked for longest ago, until the rest is small enough.

    Only names that the cache gives are removed: a user may keep other files there.
    """
    now = time.time()
    found: list[tuple[float, int, Path]] = []
    for path in cache.glob("*.impinge"):
        try:
            facts = path.stat()
            if _UNFINISHED.fullmatch(path.name):
                if now - facts.st_mtime > _ABANDONED:
                    path.unlink()
            elif _ENTRY.fullmatch(path.name):
                found.append((facts.st_mtime, facts.st_size, path))
        except OSError:
            continue
    total = sum(size for _, size, _ in found)
    for when, size, path in sorted(found):
        if total <= MOST_BYTES or now - when < _IN_USE:
            return
        try:
            path.unlink()
            total -= size
        except OSError:
            continue
