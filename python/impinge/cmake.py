"""Prints the folder of impinge's C and C++ library: ``cmake -DCMAKE_PREFIX_PATH=$(python -m impinge.cmake)``.

The package `impinge-c` has it: ``pip install ./crates/impinge-c`` in a checkout of impinge.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

__all__ = ["prefix"]


def prefix() -> Path:
    """Return the folder of the library, with `include` and `lib/cmake`.

    Raises
    ------
    ImportError
        If the package `impinge-c` is not installed.
    """
    spec = importlib.util.find_spec("impinge_c")
    if spec is None or spec.origin is None:
        install = "pip install ./crates/impinge-c in a checkout of impinge"
        raise ImportError(f"impinge.cmake needs the C library: {install}")
    return Path(spec.origin).parent


def _main() -> None:
    try:
        print(prefix())
    except ImportError as error:
        sys.exit(f"impinge.cmake: error: {error}")


if __name__ == "__main__":
    _main()
