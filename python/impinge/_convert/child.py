"""Runs a conversion in a child process, with limits."""

from __future__ import annotations

import json
import os
import signal
import site
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from impinge._convert.conversion import Progress
from impinge._errors import Error

_SECONDS = 300.0
_SECONDS_PER_MEGABYTE = 120.0


def _time_limit(size: int) -> float:
    """Seconds for a file of this size. ``IMPINGE_CONVERT_SECONDS`` overrides it."""
    given = os.environ.get("IMPINGE_CONVERT_SECONDS")
    if given is not None:
        try:
            return float(given)
        except ValueError:
            raise Error(f"IMPINGE_CONVERT_SECONDS: no number of seconds: '{given}'") from None
    return _SECONDS + _SECONDS_PER_MEGABYTE * size / 1e6


def _memory_limit() -> int | None:
    """Bytes of address space: all of the machine's memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def convert(
    path: Path, shown: str, options: str, digest: str, bundle: Path, progress: Progress | None
) -> None:
    """Convert a file to a bundle. An `Error` names the file and the reason.

    Any exception of this process, as that of Ctrl-C, ends the child.
    """
    job = {
        "path": str(path.absolute()),
        "shown": shown,
        "options": options,
        "digest": digest,
        "bundle": str(bundle),
        "memory": _memory_limit(),
    }
    seconds = _time_limit(path.stat().st_size)
    stage = "start"
    last: dict[str, Any] = {}
    is_late = threading.Event()
    with _started(job) as child:

        def stop() -> None:
            is_late.set()
            child.kill()

        timer = threading.Timer(seconds, stop)
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
            child.wait()
        finally:
            timer.cancel()
            child.kill()
    if is_late.is_set():
        raise Error(
            f"{shown}: the conversion took more than {seconds:.0f} s ({stage}); "
            "IMPINGE_CONVERT_SECONDS sets the limit"
        )
    if "error" in last:
        raise Error(last["error"])
    if "done" not in last:
        raise Error(
            f"{shown}: the converter crashed ({_end(child.returncode)}, {stage}); the file may be damaged"
        )


def _started(job: dict[str, Any]) -> subprocess.Popen[bytes]:
    environment = dict(os.environ)
    package = str(Path(__file__).resolve().parents[2])
    # A package that is not installed is found where this one is. Other packages come first, as they do here.
    if package not in {os.path.realpath(folder) for folder in site.getsitepackages()}:
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, [environment.get("PYTHONPATH"), package]))
    return subprocess.Popen(
        # -P: a file of the current folder must not take the place of a module.
        [sys.executable, "-P", "-m", "impinge._convert.worker", json.dumps(job)],
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
