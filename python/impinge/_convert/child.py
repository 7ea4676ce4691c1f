"""Runs a conversion in a child process, with limits."""

from __future__ import annotations

import json
import math
import os
import signal
import site
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from impinge._convert import limits
from impinge._convert.conversion import Progress
from impinge._convert.kind import kind_of
from impinge._errors import Error

_NEAR = 0.75
"""A process that crashes with so much of its memory in use did so since it got no more."""

_BEFORE_MESHES = ("start", "reading")
"""Stages that take a time in proportion to the size of the file."""


class _Timer:
    """Ends a process when the time is up."""

    def __init__(self, child: subprocess.Popen[bytes], seconds: float | None) -> None:
        self.seconds = math.inf if seconds is None else seconds
        self.is_late = False
        self._child = child
        self._timer = threading.Timer(min(self.seconds, threading.TIMEOUT_MAX), self._stop)
        self._timer.daemon = True
        self._timer.start()

    def _stop(self) -> None:
        self.is_late = True
        self._child.kill()

    def cancel(self) -> None:
        """Let the process go on."""
        self._timer.cancel()


def convert(
    path: Path, shown: str, options: str, digest: str, bundle: Path, progress: Progress | None
) -> None:
    """Convert a file to a bundle. An `Error` names the file and the reason.

    Any exception of this process, as that of Ctrl-C, ends the child.
    """
    size = path.stat().st_size
    seconds, memory = limits.seconds(size), limits.memory(size)
    job = {
        "path": str(path.absolute()),
        "shown": shown,
        "options": options,
        "digest": digest,
        "bundle": str(bundle),
        "memory": memory,
    }
    stage = "start"
    last: dict[str, Any] = {}
    with _started(job) as child:
        whole = _Timer(child, seconds)
        reading = _Timer(child, limits.seconds_of_reading(size))
        try:
            assert child.stdout is not None
            for line in child.stdout:
                last = json.loads(line)
                if "progress" in last:
                    stage = last["progress"][0]
                    if stage not in _BEFORE_MESHES:
                        reading.cancel()
                    if progress is not None:
                        progress(f"{Path(shown).name}: {stage}", *last["progress"][1:])
            most = _ended(child)
        finally:
            whole.cancel()
            reading.cancel()
            child.kill()
    late = next((one for one in (reading, whole) if one.is_late), None)
    if late is not None:
        raise Error(
            f"{shown}: the conversion took more than {late.seconds:.3g} s ({stage}): the file may be "
            f"damaged; {limits.SECONDS} sets the limit"
        )
    if "error" in last:
        raise Error(last["error"])
    if "done" not in last:
        is_short = "memory" in last or (memory is not None and most > _NEAR * memory)
        why = (
            _short(memory, stage) if is_short else _crashed(path, last.get("failed"), child.returncode, stage)
        )
        raise Error(f"{shown}: {why}")


def _short(memory: int | None, stage: str) -> str:
    if memory is None:
        return f"the conversion needs more memory than there is ({stage}): the file may be damaged"
    return (
        f"the conversion needs more than {memory / (1 << 30):.1f} GiB of memory ({stage}): the file may be "
        f"damaged; {limits.MEMORY}, such as 64G, sets the limit"
    )


def _crashed(path: Path, failed: str | None, code: int, stage: str) -> str:
    kind = kind_of(path)
    library = kind.library if kind is not None else "the converter"
    how = f"failed ({failed}, {stage})" if failed is not None else f"crashed ({_end(code)}, {stage})"
    return (
        f"{library} {how}: the file may be damaged; export it again, or open and save it in another program"
    )


def _ended(child: subprocess.Popen[bytes]) -> int:
    """Wait for the end of a process. Returns the most bytes of memory that it had at a time; 0 if unknown."""
    if hasattr(os, "wait4"):
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except ChildProcessError:
            # The timer saw the end first.
            pass
        else:
            child.returncode = os.waitstatus_to_exitcode(status)
            return int(usage.ru_maxrss) * (1 if sys.platform == "darwin" else 1024)
    child.wait()
    return 0


def _started(job: dict[str, Any]) -> subprocess.Popen[bytes]:
    environment = dict(os.environ)
    package = str(Path(__file__).resolve().parents[2])
    # A package that is not installed is found where this one is. Other packages come first, as they do here.
    if package not in {os.path.realpath(folder) for folder in site.getsitepackages()}:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [environment.get("PYTHONPATH"), package]))
    # A file of the current folder must not take the place of a module: -P, or -I as this process has it.
    safe = "-I" if sys.flags.isolated else "-P"
    return subprocess.Popen(
        [sys.executable, safe, "-m", "impinge._convert.worker", json.dumps(job)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if os.environ.get("IMPINGE_CONVERT_LOG") else subprocess.DEVNULL,
        env=environment,
    )


def _end(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
