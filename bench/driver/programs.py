"""Runs runners on one core, and parses their output."""

import subprocess

from .shell import Failed


def printed(words, core, limit):
    """A program's output, pinned to a core; Failed if it takes longer than `limit` seconds, or fails."""
    try:
        done = subprocess.run(
            [str(word) for word in ["taskset", "-c", core, *words]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"over the limit of {limit} s") from None
    except OSError as why:
        raise Failed(f"failed: {why}") from None
    if done.returncode:
        raise Failed(f"failed: status {done.returncode}: {complaint(done.stderr)}")
    return done.stdout


def complaint(text):
    """The last line of a program's error output."""
    return (text.strip().splitlines() or ["no message"])[-1][:200]


def rows(text):
    """A program's description, lines `#key<TAB>value`, and the words of its other lines."""
    about, lines = {}, []
    for line in text.splitlines():
        if line.startswith("#"):
            key, tab, value = line[1:].partition("\t")
            if not tab:
                raise ValueError(f"no value of #{key}")
            about[key] = value
        elif line:
            lines.append(line.split("\t"))
    return about, lines


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) / 2
