"""The command `impinge`: the one of the Rust crate impinge-cli, run in this process."""

from __future__ import annotations

import signal
import sys

from impinge._core import _command


def main() -> None:
    """Run the command with the arguments of this process, and exit with its status."""
    # As the program in Rust does, it ends at once; a result file is written whole or not at all.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(_command(["impinge", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
