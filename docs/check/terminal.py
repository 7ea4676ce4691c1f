"""Runs a command as in a terminal of 80 columns, and returns its output."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import tempfile
import termios
from pathlib import Path

COLUMNS = 80


def run(command: str, folder: Path, program: Path, limit: float = 120.0) -> tuple[int, str, str]:
    """Exit status, standard output, standard error."""
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }
    environment.pop("CI", None)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdout=slave,
            stderr=errors,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(slave)
        output = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # The other end was closed.
                break
            if not part:
                break
            output += part
        os.close(master)
        try:
            status = process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            status = 124
        errors.seek(0)
        return status, output.decode().replace("\r\n", "\n"), errors.read().decode()
