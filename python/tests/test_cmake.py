"""`python -m impinge.cmake` with and without the package of the C library; release/check compiles with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from impinge import cmake


def test_without_the_package_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"needs the C library: pip install \./crates/impinge-c in a checkout"):
        cmake.prefix()


def test_the_folder_of_the_package_is_printed(tmp_path: Path) -> None:
    (tmp_path / "impinge_c").mkdir()
    (tmp_path / "impinge_c/__init__.py").touch()
    start = f"import sys, runpy; sys.path.insert(0, {str(tmp_path)!r}); "
    start += "runpy.run_module('impinge.cmake', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", start], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path / 'impinge_c'}\n", "")
