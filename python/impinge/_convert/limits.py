"""Limits of the process that converts a file: time, and memory.

Both grow with the size of the file: a small damaged file takes neither an hour nor all of the machine.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

from impinge._errors import Error

SECONDS = "IMPINGE_CONVERT_SECONDS"
MEMORY = "IMPINGE_CONVERT_MEMORY"
_SECONDS = 300.0
_SECONDS_PER_MEGABYTE = 120.0
_READING = 0.4
"""Processor time for reading, before meshing, as a part of the time. Libraries need seconds a megabyte."""
_MEMORY = 4 << 30
_MEMORY_PER_BYTE = 200
_MEMORY_PER_CORE = 64 << 20
"""Stacks and buffers that libraries reserve for each thread."""
_SHARE = 0.75
"""The largest part of the machine's memory."""
_LEAST = 512 << 20
"""What Python takes with the libraries, before it reads a file."""
_GROUPS = Path("/sys/fs/cgroup")
_SIZE = re.compile(r"([0-9]+)([KMGT]?)", re.IGNORECASE)


def seconds(size: int) -> float | None:
    """Seconds for a file of this size; None if there is no limit."""
    given = os.environ.get(SECONDS, "").strip()
    if not given:
        return _SECONDS + _SECONDS_PER_MEGABYTE * size / 1e6
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not number > 0:
        raise Error(f"{SECONDS}: '{given}' is no number of seconds above 0; 'inf' sets no limit")
    return number if number < math.inf else None


def seconds_of_reading(size: int) -> float | None:
    """Seconds of processor time until the file is read; None if only the whole conversion has a limit."""
    whole = seconds(size)
    return None if whole is None or os.environ.get(SECONDS, "").strip() else _READING * whole


def memory(size: int) -> int | None:
    """Bytes of memory for a file of this size; None if there is no limit."""
    given = os.environ.get(MEMORY, "").strip()
    if given:
        return _stated(given)
    usual = _MEMORY + _MEMORY_PER_BYTE * size + _MEMORY_PER_CORE * (os.cpu_count() or 1)
    machine = _machine()
    return usual if machine is None else min(usual, max(int(_SHARE * machine), _LEAST))


def _stated(given: str) -> int | None:
    if given.lower() == "inf":
        return None
    found = _SIZE.fullmatch(given)
    if found is None:
        raise Error(f"{MEMORY}: '{given}' is no number of bytes, such as 16G; 'inf' sets no limit")
    number = int(found[1]) << (10 * " KMGT".index(found[2].upper() or " "))
    if not _LEAST <= number < 1 << 62:
        raise Error(f"{MEMORY}: '{given}' is less than {_LEAST >> 20}M, or more than any machine has")
    return number


def _machine() -> int | None:
    """Bytes of memory of the machine, or of the control group of this process if that has less."""
    found = []
    try:
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError, OSError):
        pass
    try:
        groups = Path("/proc/self/cgroup").read_text(encoding="utf8").splitlines()
    except (OSError, ValueError):
        groups = []
    for line in groups:
        # HIERARCHY:CONTROLLERS:PATH; version 2 names no controllers.
        _, controllers, path = (line.split(":", 2) + ["", ""])[:3]
        if controllers in ("", "memory"):
            found += _of_group(controllers, path)
    return min((one for one in found if one > 0), default=None)


def _of_group(controller: str, path: str) -> list[int]:
    """The limits of a control group and of those above. In a container the path may be that of the host."""
    root = _GROUPS / controller
    name = "memory.limit_in_bytes" if controller else "memory.max"
    here = root / path.strip("/")
    found = []
    for folder in dict.fromkeys([here, *here.parents, root]):
        if folder == root or root in folder.parents:
            try:
                found.append(int((folder / name).read_text(encoding="ascii")))
            except (OSError, ValueError):
                # No limit is 'max'.
                continue
    return found
