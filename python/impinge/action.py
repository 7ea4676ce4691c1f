"""The step of the GitHub Action (`action.yml`): ``python -I -m impinge.action``.

Runs ``impinge check`` with the action's inputs, from the environment. The Markdown report goes to the job's
summary (``GITHUB_STEP_SUMMARY``), reports in files to a folder, and the exit status is that of the command: 0
without findings, 1 with findings, 2 if files cannot be read.

The checked-out repository is not trusted: none of its modules is imported (``-I``), no file name becomes an
option (``--``), and no name in the log becomes a command of the workflow (``stop-commands``).
"""

from __future__ import annotations

import glob
import os
import secrets
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

MOST_BYTES = 1_000_000
"""GitHub takes a summary of at most 1 MiB a step."""


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Run the command with the inputs in `environment`, and return its exit status."""
    try:
        given = shlex.split(environment.get("IMPINGE_ARGUMENTS", ""))
    except ValueError as error:
        print(f"::error title=impinge::arguments: {error}", flush=True)
        return 2
    files = _files(environment.get("IMPINGE_FILES", ""))
    if "--" in given:
        at = given.index("--")
        files += given[at + 1 :]
        del given[at:]
    folder = Path(environment.get("IMPINGE_OUTPUT") or "impinge-report")
    folder.mkdir(parents=True, exist_ok=True)
    names = [folder / f"report.{ending}" for ending in ("md", "json", "xml", "html")]
    for name in names:
        # A report of an earlier run would look like this one's.
        name.unlink(missing_ok=True)
    outputs = [argument for name in names for argument in ("-o", str(name))]
    # Files may have any names, and the log has names of parts: until the word the runner reads no command.
    word = secrets.token_hex(16)
    print(f"::stop-commands::{word}")
    print("impinge check", _shown([*given, "--", *files]), flush=True)
    # Errors go the same way as the rest, so that none comes after the word.
    command = [sys.executable, "-I", "-m", "impinge", "check", *outputs, *given, "--", *files]
    status = subprocess.run(command, check=False, stderr=subprocess.STDOUT).returncode
    print(f"\n::{word}::", flush=True)
    markdown = names[0]
    summary = environment.get("GITHUB_STEP_SUMMARY")
    if summary:
        with open(summary, "a", encoding="utf-8") as out:
            out.write(_summary(markdown, status, folder))
    if status == 1:
        print("::error title=impinge::parts interfere; the job's summary lists them", flush=True)
    elif status:
        print(f"::error title=impinge::impinge check failed with exit status {status}", flush=True)
    return status


def _files(patterns: str) -> list[str]:
    """The files of patterns, one a line; a pattern that fits no file stays, so that the command names it."""
    found: list[str] = []
    for line in filter(None, map(str.strip, patterns.splitlines())):
        found += sorted(glob.glob(line, recursive=True)) or [line]
    # A file of that name is not the standard input.
    return [os.path.join(".", name) if name == "-" else name for name in found]


def _shown(words: list[str]) -> str:
    """Words of a command as one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shlex.join(words))


def _summary(markdown: Path, status: int, folder: Path) -> str:
    if not markdown.is_file():
        return f"## impinge\n\nThe check did not run: exit status {status}. The log has the error.\n"
    text = markdown.read_text(encoding="utf-8")
    if len(text.encode()) > MOST_BYTES:
        text = f"The report is too long for a summary: see `report.md` in `{folder}`.\n"
    return text if text.endswith("\n") else text + "\n"


if __name__ == "__main__":
    sys.exit(main())
