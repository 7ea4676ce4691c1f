"""The cache of converted files. No extra is needed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge._convert import cache, child

FILE = b"no more than a name: the conversion is that of the test"
OLD = 3 * 24 * 3600
"""Seconds of age at which a bundle is not in use."""


@pytest.fixture(autouse=True)
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that IMPINGE_CACHE names."""
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def conversions(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were converted, each to a bundle of one triangle."""
    made: list[str] = []

    def convert(path: Path, shown: str, options: str, digest: str, bundle: Path, progress: object) -> None:
        made.append(shown)
        mesh = impinge.Mesh(np.eye(3), [[0, 1, 2]])
        impinge.Assembly.from_meshes({f"part of {path.name}": mesh}).write(bundle)

    monkeypatch.setattr(child, "convert", convert)
    monkeypatch.setattr(cache, "need", lambda kind, shown: "1")
    return made


def aged(path: Path, content: bytes = bytes(1000), seconds: float = OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    when = path.stat().st_mtime - seconds
    os.utime(path, (when, when))
    return path


def entry(name: str, key: str = "0") -> str:
    return f"{name}-{key * 64}-{key * 32}.impinge"


def test_an_entry_is_made_once(tmp_path: Path, given: Path, conversions: list[str]) -> None:
    path = tmp_path / "house [1].ifc"
    path.write_bytes(FILE)
    for _ in range(2):
        assert [part.name for part in impinge.read(path)] == ["part of house [1].ifc"]
    assert conversions == [str(path)]
    (made,) = given.rglob("*.impinge")
    assert made.parent == given / "impinge-converted" and cache._ENTRY.fullmatch(made.name)


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "other"])
def test_a_damaged_entry_is_made_again(
    tmp_path: Path, given: Path, conversions: list[str], damage: str
) -> None:
    path = tmp_path / "house.ifc"
    path.write_bytes(FILE)
    whole = next(iter(impinge.read(path)))
    (made,) = given.rglob("*.impinge")
    content = made.read_bytes()
    damaged = {
        "cut": content[:500],
        "flip": content[:-9] + bytes([content[-9] ^ 1]) + content[-8:],
        "empty": b"",
        "other": b"PK and so on",
    }
    made.write_bytes(damaged[damage])
    again = next(iter(impinge.read(path)))
    assert len(conversions) == 2 and again.name == whole.name
    assert made.read_bytes() == content and list(given.rglob("*.impinge")) == [made]
    impinge.read(path)
    assert len(conversions) == 2


def test_a_folder_in_place_of_an_entry_is_no_entry(
    tmp_path: Path, given: Path, conversions: list[str]
) -> None:
    path = tmp_path / "house.ifc"
    path.write_bytes(FILE)
    impinge.read(path)
    (made,) = given.rglob("*.impinge")
    made.unlink()
    made.mkdir()
    with pytest.raises((impinge.Error, OSError), match="house.ifc"):
        impinge.read(path)
    assert made.is_dir()


def test_bundles_of_the_user_stay(
    given: Path, tmp_path: Path, conversions: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [
        aged(given / "site.impinge"),
        aged(given / entry("house.ifc")),
        aged(given / "impinge-converted" / "site.impinge"),
        aged(given / "impinge-converted" / "unfinished-house.impinge"),
        aged(given / "impinge-converted" / "plan" / entry("house.ifc")),
    ]
    monkeypatch.setattr(cache, "MOST_BYTES", 0)
    (tmp_path / "house.ifc").write_bytes(FILE)
    impinge.read(tmp_path / "house.ifc")
    assert all(path.is_file() for path in own)


def test_the_cache_removes_what_is_oldest(given: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cache.folder()
    for i, age in enumerate((90, 60, 30, 0)):
        aged(folder / entry("house.ifc", str(i)), seconds=age * 24 * 3600)
    # The first version of the cache had no digests in names.
    aged(folder / f"x.ifc-{'a' * 64}.impinge", seconds=100 * 24 * 3600)
    aged(folder / "unfinished-abc_1234.impinge", b"", seconds=100 * 24 * 3600)
    monkeypatch.setattr(cache, "MOST_BYTES", 2500)
    cache._make_room(folder)
    assert sorted(path.name for path in folder.iterdir()) == [entry("house.ifc", i) for i in "23"]
    monkeypatch.setattr(cache, "MOST_BYTES", 0)
    cache._make_room(folder)
    assert [path.name for path in folder.iterdir()] == [entry("house.ifc", "3")], "what was used today stays"


def test_names_of_unfinished_files_are_those_that_are_removed(given: Path) -> None:
    import tempfile

    for _ in range(100):
        handle, name = tempfile.mkstemp(prefix="unfinished-", suffix=".impinge", dir=given.parent)
        os.close(handle)
        assert cache._UNFINISHED.fullmatch(Path(name).name)


def test_a_cache_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, conversions: list[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "file" / "cache"))
    (tmp_path / "house.ifc").write_bytes(FILE)
    with pytest.raises(impinge.Error, match="cannot be written: Not a directory; IMPINGE_CACHE"):
        impinge.read(tmp_path / "house.ifc")


def test_a_bundle_has_the_name_of_its_file() -> None:
    assert cache._start("models/house 1.ifc") == "house 1.ifc"
    long = "ü" * 200 + ".ifc"
    assert long.startswith(cache._start(long)) and len(os.fsencode(cache._start(long))) == 120
    assert len(os.fsencode(entry(cache._start(long)))) <= 255
