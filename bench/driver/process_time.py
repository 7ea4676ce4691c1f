"""The processor time of a process."""

import os
import signal
import subprocess
import threading

from .shell import Failed


def spent(words, core, limit, out):
    """Runs a command on a core; returns its process's processor time in milliseconds, and its status. The
    driver itself moves to the core for the start, so that the time includes no `taskset`."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {core})
        child = subprocess.Popen(
            [str(word) for word in words],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    finally:
        os.sched_setaffinity(0, before)
    late = threading.Event()

    def stop():
        late.set()
        # Not `child.kill`, which would wait for the process and so consume its resource usage.
        os.kill(child.pid, signal.SIGKILL)

    timer = threading.Timer(limit, stop)
    timer.start()
    try:
        with child.stderr:
            told = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
    finally:
        timer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    if late.is_set():
        raise Failed(f"over the limit of {limit} s")
    return (usage.ru_utime + usage.ru_stime) * 1e3, child.returncode, told
