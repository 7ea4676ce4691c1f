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

from impinge._convert import limits, step_externals
from impinge._convert.conversion import Progress
from impinge._convert.kind import kind_of
from impinge._errors import Error

_NEAR = 0.75
"""A process that crashes with so much of its memory in use did so since it got no more."""
_TOO_LONG = f"the file may be damaged; {limits.SECONDS} sets the limit"


def convert(
    path: Path, shown: str, options: str, digest: str, bundle: Path, progress: Progress | None
) -> None:
    """Convert a file to a bundle. An `Error` names the file and the reason.

    Any exception of this process, as that of Ctrl-C, ends the child.
    """
    size = step_externals.size(path, shown)
    seconds, reading, memory = limits.seconds(size), limits.seconds_of_reading(size), limits.memory(size)
    job = {
        "path": str(path.absolute()),
        "shown": shown,
        "options": options,
        "digest": digest,
        "bundle": str(bundle),
        "memory": memory,
        "reading": reading,
    }
    stage = "start"
    last: dict[str, Any] = {}
    is_late = threading.Event()
    with _started(job) as child:

        def stop() -> None:
            is_late.set()
            child.kill()

        timer = threading.Timer(min(seconds or math.inf, threading.TIMEOUT_MAX), stop)
        timer.daemon = True
        timer.start()
        try:
            assert child.stdout is not None
            for line in child.stdout:
                last = json.loads(line)
                if "progress" in last:
                    stage = last["progress"][0]
                    if progress is not None:
                        progress(f"{Path(shown).name}: {stage}", *last["progress"][1:])
            most = _ended(child)
        finally:
            timer.cancel()
            child.kill()
    if is_late.is_set():
        raise Error(f"{shown}: the conversion took more than {seconds:.3g} s ({stage}): {_TOO_LONG}")
    if reading is not None and _end(child.returncode) == "SIGPROF":
        raise Error(f"{shown}: reading took more than {reading:.3g} s of processor time: {_TOO_LONG}")
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
