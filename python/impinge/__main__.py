"""The command `impinge`: the one of the Rust crate impinge-cli, run in this process.

Files of formats that programs in Python read, such as IFC and STEP, are converted first.
"""

from __future__ import annotations

import signal
import sys

from impinge._convert import command
from impinge._core import _command
from impinge._errors import Error


def main() -> None:
    """Run the command with the arguments of this process, and exit with its status."""
    try:
        arguments = command.converted(sys.argv[1:])
    except (Error, OSError) as error:
        print(f"impinge: error: {command.shown(error)}", file=sys.stderr)
        sys.exit(2)
    # As the program in Rust does, it ends at once; a result file is written whole or not at all.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    status = _command(["impinge", *arguments])
    if command.wants_help(arguments):
        print(command.HELP, end="", flush=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
