"""Runs the commands of the pages: blocks of `sh` and `console` (see fences.py).

Each page has its own folder with small files of the names that pages use (samples.py). `check`, `judge`,
`merge`, `pair` and `sweep` may exit with 1, which means findings; every other command must exit with 0. A
line `...` of a `console` block matches any lines. Standard error comes first.
"""

from __future__ import annotations

import difflib
import tempfile
import time
from pathlib import Path

import fences
import samples
import terminal
from pages import Fence, Page


def run(pages: list[Page], program: Path, write: bool) -> list[str]:
    wrong: list[str] = []
    program = program.resolve()
    for page in pages:
        blocks = [
            fence for fence in page.fences if fence.language in ("sh", "console") and not fences.exempt(fence)
        ]
        runs = [
            fence
            for fence in blocks
            if fence.language == "console"
            or any(not fences.is_step(command) for command in fences.commands(fence))
        ]
        if page.name.startswith(fences.HISTORY) or not runs:
            continue
        begin, count = time.monotonic(), 0
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            samples.write(folder, program)
            for fence in runs:
                new, ran = block(page, fence, folder, program, wrong)
                count += ran
                if write and new != fence.text:
                    page.path.write_text(page.path.read_text().replace(fence.text, new, 1))
                    print(f"written: {page.name}:{fence.line}")
        print(f"{page.name}: {count} commands, {time.monotonic() - begin:.1f} s", flush=True)
    return wrong


def block(page: Page, fence: Fence, folder: Path, program: Path, wrong: list[str]) -> tuple[str, int]:
    """The block with the current output of its commands, and the number of commands."""
    if fence.language == "sh":
        ran = 0
        for command in fences.commands(fence):
            if not fences.is_step(command):
                execute(f"{page.name}:{fence.line}", command, folder, program, wrong)
                ran += 1
        return fence.text, ran
    text, ran = "", 0
    for command, expected in sessions(fence.text):
        where = f"{page.name}:{fence.line}: $ {command}"
        output = execute(f"{page.name}:{fence.line}", command, folder, program, wrong)
        ran += 1
        if not matches(expected, output):
            wrong.append(
                f"{where}\n    prints other output:\n" + "\n".join(f"    {line}" for line in output)
            )
            expected = renewed(expected, output)
        text += "".join(f"{line}\n" for line in [f"$ {command}", *expected])
    return text, ran


def execute(where: str, command: str, folder: Path, program: Path, wrong: list[str]) -> list[str]:
    status, output, errors = terminal.run(command, folder, program)
    findings = any(f"impinge {name}" in command for name in ("check", "judge", "merge", "pair", "sweep"))
    if status > (1 if findings else 0) or "error:" in errors:
        wrong.append(f"{where}: `{command}` ends with {status}\n    " + (errors or output)[-600:])
    return [line.rstrip() for line in (errors + output).rstrip().splitlines()]


def sessions(text: str) -> list[tuple[str, list[str]]]:
    """Commands behind `$ `, each with the lines below it."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line.rstrip())
    return found


def matches(expected: list[str], output: list[str]) -> bool:
    """True if the output has the expected lines; `...` matches any number of lines."""
    if not expected:
        return True
    chunks: list[list[str]] = [[]]
    for line in expected:
        if line == "...":
            chunks.append([])
        else:
            chunks[-1].append(line)
    at = 0
    for i, chunk in enumerate(chunks):
        last = i == len(chunks) - 1
        if last and len(chunks) > 1:
            return at + len(chunk) <= len(output) and output[len(output) - len(chunk) :] == chunk
        starts = [at] if i == 0 else range(at, len(output) - len(chunk) + 1)
        place = next((start for start in starts if output[start : start + len(chunk)] == chunk), None)
        if place is None or last and len(output) != len(chunk):
            return False
        at = place + len(chunk)
    return True


def renewed(expected: list[str], output: list[str]) -> list[str]:
    """The whole output, or for a block with `...` the most similar line of the output for each line."""
    if "..." not in expected:
        return output
    new, rest = [], list(output)
    for line in expected:
        like = [] if line in ("...", "") else difflib.get_close_matches(line, rest, 1, 0.6)
        if line in rest or not like:
            new.append(line)
        else:
            new.append(like[0])
        if new[-1] in rest and new[-1] not in ("", "..."):
            rest = rest[rest.index(new[-1]) + 1 :]
    return new
