"""The command ``python -m impinge.demo NAME``."""

from __future__ import annotations

import argparse
import sys

from impinge.demo import _public_cases


def main(arguments: list[str] | None = None) -> int:
    """Run a demonstration, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m impinge.demo", description="Demonstrations.")
    demos = parser.add_subparsers(dest="demo", required=True, metavar="NAME")
    cases = demos.add_parser(
        "public-cases", help="public reports against other libraries, and what impinge returns for them"
    )
    cases.add_argument("--page", action="store_true", help="write docs/public-cases.md to standard output")
    asked = parser.parse_args(arguments)
    return _public_cases.run(page=asked.page)


if __name__ == "__main__":
    sys.exit(main())
