"""Checks the pages: links, paths, figures, claims, lines, and which test runs each block of code.

python3 docs/check                     # links, paths, figures, claims, blocks, lines: three seconds
python3 docs/check --write             # writes generated figures, tables and charts
python3 docs/check shell PROGRAM       # runs the commands of the pages with this `impinge`
python3 docs/check shell PROGRAM --write   # and updates their output where lines are similar
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import capabilities  # noqa: E402
import dependencies  # noqa: E402
import fences  # noqa: E402
import figures  # noqa: E402
import links  # noqa: E402
import pages  # noqa: E402
import paths  # noqa: E402
import shell  # noqa: E402
import widths  # noqa: E402


def main(arguments: list[str]) -> int:
    write = "--write" in arguments
    rest = [argument for argument in arguments if argument not in ("--write", "--check")]
    found = pages.all_pages()
    if rest[:1] == ["shell"] and len(rest) == 2:
        wrong = shell.run(found, Path(rest[1]), write)
    elif rest:
        print(__doc__, file=sys.stderr)
        return 2
    else:
        wrong = figures.check(found, write)
        found = pages.all_pages() if write else found
        wrong += (
            links.check(found)
            + paths.check(found)
            + capabilities.check()
            + dependencies.check()
            + fences.check(found)
            + widths.check(found)
        )
    for problem in wrong:
        print(problem)
    print(f"{len(found)} pages, {figures.words(found):,} words outside generated tables, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
