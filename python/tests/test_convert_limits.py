"""Limits of the process that converts a file, and errors of files that end it. No extra is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import impinge
from impinge._convert import cache, limits

HEADER = b"ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));ENDSEC;DATA;ENDSEC;END-ISO-10303-21;"
GIB = 1 << 30


@pytest.fixture
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """The error of a conversion whose library is this code. The folder of the file is cut off."""
    library = tmp_path / "site" / "ifcopenshell"
    library.mkdir(parents=True)
    path = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "need", lambda kind, shown: "1")
    file = tmp_path / "house.ifc"
    file.write_bytes(HEADER)

    def run(code: str) -> str:
        (library / "__init__.py").write_text(code)
        with pytest.raises(impinge.Error) as error:
            impinge.read(file)
        assert not list((tmp_path / "cache").rglob("*.impinge"))
        text = str(error.value)
        assert text.startswith(f"{file}: ") and "\n" not in text
        return text.removeprefix(f"{file}: ")

    return run


def test_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IMPINGE_CONVERT_SECONDS", raising=False)
    assert limits.seconds(0) == 300 and limits.seconds(10_000_000) == 1500
    assert limits.seconds_of_reading(0) == 120 and limits.seconds_of_reading(10_000_000) == 600
    for text, expected in (("", 300), (" ", 300), ("7", 7), ("0.5", 0.5), ("1e300", 1e300), ("inf", None)):
        monkeypatch.setenv("IMPINGE_CONVERT_SECONDS", text)
        assert limits.seconds(0) == expected
        assert limits.seconds_of_reading(0) == (None if text.strip() else 120)
    for text in ("0", "-1", "-inf", "nan", "five", "1e-999"):
        monkeypatch.setenv("IMPINGE_CONVERT_SECONDS", text)
        with pytest.raises(
            impinge.Error, match=f"^IMPINGE_CONVERT_SECONDS: '{text}' is no number of seconds"
        ):
            limits.seconds(0)


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("IMPINGE_CONVERT_MEMORY", raising=False)
    machine = limits._machine()
    small, large = limits.memory(0), limits.memory(1 << 50)
    assert small is not None and large is not None and 0 < small <= large
    if machine is not None:
        assert large <= max(machine * 3 // 4, 512 << 20)
    monkeypatch.setattr(limits, "_machine", lambda: 1000 * GIB)
    small = limits.memory(0)
    assert small is not None and 4 * GIB <= small < 40 * GIB
    assert limits.memory(100_000_000) == small + 20_000_000_000
    monkeypatch.setattr(limits, "_machine", lambda: 2 * GIB)
    assert limits.memory(0) == 2 * GIB * 3 // 4, "below that of the machine"
    for text, expected in (("inf", None), ("16G", 16 * GIB), ("700m", 700 << 20), ("1000000000", 10**9)):
        monkeypatch.setenv("IMPINGE_CONVERT_MEMORY", text)
        assert limits.memory(0) == expected
    for text in ("0", "-1", "nan", "1.5G", "16GB", "1K", "9" * 40):
        monkeypatch.setenv("IMPINGE_CONVERT_MEMORY", text)
        with pytest.raises(impinge.Error, match=f"^IMPINGE_CONVERT_MEMORY: '{text}' is"):
            limits.memory(0)


def test_the_memory_of_a_control_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    (tmp_path / "a" / "memory.max").write_text("2000\n")
    (tmp_path / "memory.limit_in_bytes").write_text("3000\n")
    monkeypatch.setattr(limits, "_GROUPS", tmp_path)
    assert limits._of_group("", "/a/b") == [2000]
    assert limits._of_group("", "/elsewhere") == []
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "memory.limit_in_bytes").write_text("3000\n")
    assert limits._of_group("memory", "/a") == [3000]


def test_wrong_variables_are_errors_before_a_process_starts(
    result: Callable[[str], str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("IMPINGE_CONVERT_SECONDS", "IMPINGE_CONVERT_MEMORY"):
        with monkeypatch.context() as patch:
            patch.setenv(name, "many")
            with pytest.raises(impinge.Error, match=f"^{name}: 'many'"):
                impinge.read(tmp_path / "house.ifc")


def test_a_child_that_crashes_is_an_error(result: Callable[[str], str]) -> None:
    damaged = "the file may be damaged; export it again, or open and save it in another program"
    assert result("import os; os.abort()") == f"ifcopenshell crashed (SIGABRT, reading): {damaged}"
    assert result("import os; os._exit(3)") == f"ifcopenshell crashed (exit status 3, reading): {damaged}"
    assert result("raise KeyError('x')") == f"ifcopenshell failed (KeyError: 'x', reading): {damaged}"


def test_a_child_without_end_is_an_error(
    result: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMPINGE_CONVERT_SECONDS", "0.5")
    assert result("while True: pass").startswith("the conversion took more than 0.5 s (")
    # Reading has a limit of its own, of processor time: a file of some bytes does not take minutes.
    monkeypatch.delenv("IMPINGE_CONVERT_SECONDS")
    monkeypatch.setattr(limits, "_READING", 0.01)
    if sys.platform != "win32":
        expected = (
            "reading took more than 3 s of processor time: the file may be damaged; IMPINGE_CONVERT_SECONDS"
        )
        assert result("while True: pass").startswith(expected)
    monkeypatch.setenv("IMPINGE_CONVERT_SECONDS", "inf")
    assert "SIGABRT" in result("import os; os.abort()")


def test_a_want_of_memory_is_an_error(result: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPINGE_CONVERT_MEMORY", "1G")
    expected = (
        "the conversion needs more than 1.0 GiB of memory (reading): the file may be damaged; "
        "IMPINGE_CONVERT_MEMORY, such as 64G, sets the limit"
    )
    assert result("raise MemoryError") == expected
    assert result("raise RuntimeError('std::bad_alloc')") == expected
    assert (
        result("class Standard_OutOfMemory(Exception): pass\nraise Standard_OutOfMemory('malloc')")
        == expected
    )
    if sys.platform == "linux":
        # The limit is real, for one large block and for many small ones.
        assert result("b = bytearray(3 << 30)") == expected
        assert result("kept = []\nwhile True: kept.append(bytes(1 << 20))") == expected
        many = "kept = []\ntry:\n    while True: kept.append(bytearray(b'x' * (1 << 20)))\n"
        # A library that does not get more and crashes.
        assert result(f"{many}except MemoryError:\n    import os; os.abort()") == expected
    monkeypatch.setenv("IMPINGE_CONVERT_MEMORY", "inf")
    assert result("raise MemoryError").startswith("the conversion needs more memory than there is (reading)")
