"""The step of the GitHub Action (`action.yml`): ``python -m impinge.action``.

Runs ``impinge check`` with the action's inputs, from the environment. The Markdown report goes to the job's
summary (``GITHUB_STEP_SUMMARY``), reports in files to a folder, and the exit status is that of the command: 0
without findings, 1 with findings, 2 if files cannot be read.
"""

from __future__ import annotations

import glob
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

MOST_BYTES = 1_000_000
"""GitHub takes a summary of at most 1 MiB a step."""


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Run the command, and return its exit status."""
    files = _files(environment.get("IMPINGE_FILES", ""))
    folder = Path(environment.get("IMPINGE_OUTPUT") or "impinge-report")
    folder.mkdir(parents=True, exist_ok=True)
    names = [folder / f"report.{ending}" for ending in ("md", "json", "xml", "html")]
    for name in names:
        # A report of an earlier run would look like this one's.
        name.unlink(missing_ok=True)
    outputs = [argument for name in names for argument in ("-o", str(name))]
    given = shlex.split(environment.get("IMPINGE_ARGUMENTS", ""))
    # The first output is the table, for the log.
    command = [sys.executable, "-m", "impinge", "check", *files, *given]
    print("impinge check", shlex.join([*files, *given]), flush=True)
    status = subprocess.run([*command, *outputs], check=False).returncode
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
    return found


def _summary(markdown: Path, status: int, folder: Path) -> str:
    if not markdown.is_file():
        return f"## impinge\n\nThe check did not run: exit status {status}. The log has the error.\n"
    text = markdown.read_text(encoding="utf-8")
    if len(text.encode()) > MOST_BYTES:
        text = f"The report is too long for a summary: see `report.md` in `{folder}`.\n"
    return text if text.endswith("\n") else text + "\n"


if __name__ == "__main__":
    sys.exit(main())
