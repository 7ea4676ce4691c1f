"""The child process that converts one file: ``python -P -m impinge._convert.worker JOB``.

It writes the bundle to the path in the job, and lines of JSON to its standard output: progress, then a line
with ``done``, with ``error`` (a text for the user), with ``failed`` (what a library raised), or with
``memory`` (it got no more). If it dies without one, the file crashed a library.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

from impinge._convert.bundle import assembly_of
from impinge._convert.kind import kind_of
from impinge._convert.options import Options
from impinge._errors import Error

_PR_SET_PDEATHSIG = 1


class _Channel:
    """Lines to the parent."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._last = ("", 0.0)

    def send(self, message: dict[str, Any]) -> None:
        os.write(self._file, (json.dumps(message) + "\n").encode())

    def progress(self, stage: str, done: int, total: int) -> None:
        before, when = self._last
        if stage != before and stage != "reading":
            _limit_reading(None)
        now = time.monotonic()
        if stage != before or done == total or now - when > 0.1:
            self._last = stage, now
            self.send({"progress": [stage, done, total]})


def _end_with_parent() -> None:
    """End when the parent does, however it does: nobody would wait for the bundle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        except (OSError, AttributeError):
            pass

    def wait() -> None:
        # The parent holds the other end; libraries that keep the interpreter lock delay this.
        sys.stdin.buffer.read()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _limit_reading(seconds: float | None) -> None:
    """End this process by a signal after so much processor time: a machine that is busy is no reason."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds or 0)


def _limit_memory(limit: int | None) -> None:
    """Refuse memory beyond the limit: a library then fails, where the system would end other programs."""
    if limit is None or sys.platform == "win32":
        return
    resource = importlib.import_module("resource")
    # Libraries and allocators reserve more addresses than they use, for each thread, too.
    more = (1 << 30) + (os.cpu_count() or 1) * (128 << 20)
    for name, bytes_ in (("RLIMIT_DATA", limit), ("RLIMIT_AS", limit + more)):
        kind = getattr(resource, name)
        known = [one for one in resource.getrlimit(kind) if one != resource.RLIM_INFINITY]
        least = min([bytes_, *known])
        try:
            resource.setrlimit(kind, (least, least))
        except (ValueError, OSError):
            # Not every system has both.
            continue


def _is_of_memory(error: BaseException) -> bool:
    """Whether an error is a want of memory. Libraries of C++ have their own names for it."""
    words = "bad_alloc", "OutOfMemory"
    return isinstance(error, MemoryError) or any(
        word in type(error).__name__ or word in str(error) for word in words
    )


def convert(job: dict[str, Any], channel: _Channel) -> None:
    """Convert the file of a job."""
    path, shown = Path(job["path"]), str(job["shown"])
    kind = kind_of(path)
    if kind is None:
        raise Error(f"{shown}: no format that is converted")
    reader = importlib.import_module(f"impinge._convert.{kind.reader}")
    found = reader.read(path, shown, Options.of_text(job["options"]), channel.progress)
    if not found.elements and not found.omissions:
        raise Error(f"{shown}: nothing in it has a shape")
    channel.progress("writing", 0, 1)
    made = assembly_of(found, shown, path.stat().st_size, bytes.fromhex(job["digest"]))
    made.write(job["bundle"])


def main() -> NoReturn:
    """Convert the file of the job in the first argument."""
    job = json.loads(sys.argv[1])
    # Libraries print to the standard output of the process: it becomes that of errors.
    channel = _Channel(os.dup(1))
    os.dup2(2, 1)
    _end_with_parent()
    _limit_memory(job["memory"])
    _limit_reading(job["reading"])
    try:
        convert(job, channel)
        channel.send({"done": True})
    except Exception as error:
        if _is_of_memory(error):
            channel.send({"memory": True})
        elif isinstance(error, Error):
            channel.send({"error": str(error)})
        else:
            text = " ".join(str(error).split())[:300]
            channel.send({"failed": f"{type(error).__name__}: {text}"})
    # Libraries may crash as they are unloaded. All is written.
    os._exit(0)


if __name__ == "__main__":
    main()
