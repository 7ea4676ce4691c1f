"""Runs other programs, and explains failures."""

import os
import subprocess
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
CACHE = BENCH / ".cache"


class Failed(Exception):
    """A failure: one line with the operation and the reason."""


def say(text):
    print(text, flush=True)


def call(command, what, *, cwd=None, env=None, limit=1800, log=None):
    """Runs a command; returns its output, or raises Failed with the most informative line of the output."""
    command = [str(word) for word in command]
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            timeout=limit,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except FileNotFoundError:
        raise Failed(f"{what}: there is no {command[0]}") from None
    except subprocess.TimeoutExpired:
        raise Failed(f"{what}: still not done after {limit} s") from None
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stdout)
    if done.returncode:
        lines = [line.strip() for line in done.stdout.splitlines() if line.strip()]
        telling = [line for line in lines if "error" in line.lower()] or lines or ["no output"]
        raise Failed(
            f"{what}: status {done.returncode}: {telling[0][:200]}" + (f" (all of it: {log})" if log else "")
        )
    return done.stdout


def first_line(command):
    """The first line of a command's output, or the reason for its absence: for the description of a
    machine."""
    try:
        return (call(command, command[0], limit=60).splitlines() or ["(prints nothing)"])[0]
    except Failed as why:
        return f"({why})"
