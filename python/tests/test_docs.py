"""Docstrings, and the Python blocks of the pages, run (docs/check names the pages)."""

from __future__ import annotations

import builtins
import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
import impinge.ccd
from impinge import _core

ROOT = Path(__file__).parents[2]
PUBLIC = [
    (name, getattr(module, name))
    for module in (impinge, impinge.ccd, impinge.check, impinge.results)
    for name in module.__all__
    if not inspect.ismodule(getattr(module, name))
]


def run_examples(name: str, thing: object) -> int:
    """Run the examples of a docstring, and return their number."""
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(thing, name, module=False, globs={}):
        test.globs.update(__name__="__main__")
        runner.run(test)
    assert runner.failures == 0, name
    return runner.tries


@pytest.mark.parametrize(("name", "thing"), PUBLIC, ids=[name for name, _ in PUBLIC])
def test_every_docstring_is_there_and_runs(name: str, thing: object) -> None:
    text = inspect.getdoc(thing) or ""
    assert len(text) > 10, name
    tries = run_examples(name, thing)
    if inspect.isroutine(thing) or thing in (impinge.Mesh, impinge.Model, impinge.Body, impinge.Error):
        assert tries >= 2, f"{name} has no example"
        assert "Parameters\n----------" in text or name in ("Error", "get_threads")
    bases = inspect.getmro(thing) if inspect.isclass(thing) else ()
    own = [base for base in bases if base.__module__.startswith("impinge")]
    for attribute, value in (item for base in own for item in vars(base).items()):
        if not attribute.startswith("_") and callable(value):
            assert inspect.getdoc(value), f"{name}.{attribute}"
    for base in own:
        # A method may be that of a class that is not public.
        run_examples(f"{name} as {base.__name__}", base)


def routines() -> Iterator[tuple[str, Any]]:
    """Functions of all public modules, and classes and their methods, each with a name."""
    modules = ["impinge", "impinge.ccd", "impinge.check", "impinge.results", "impinge.testing", "impinge.pytest_plugin", "impinge.distributed"]
    modules += [f"impinge.adapters.{one}" for one in ("build123d", "cadquery", "mujoco", "ompl", "pinocchio", "trimesh")]
    for place in modules:
        module = importlib.import_module(place)
        for name, thing in vars(module).items():
            if name.startswith("_") or not getattr(thing, "__module__", "").startswith("impinge"):
                continue
            if inspect.isroutine(thing):
                yield f"{place}.{name}", thing
            elif inspect.isclass(thing):
                yield f"{place}.{name}", thing
                for key, value in vars(thing).items():
                    value = getattr(value, "__func__", value)
                    if not key.startswith("_") and inspect.isroutine(value):
                        yield f"{place}.{name}.{key}", value


def section(text: str, name: str) -> str:
    """The lines under a heading of a docstring."""
    found = re.search(rf"^{name}\n-+\n(.*?)(?=^\S[^\n]*\n-{{3,}}$|\Z)", text, flags=re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def test_types_in_docstrings_exist() -> None:
    """Words with inner capitals in backquotes and types of results are public, or of a library that is named."""
    known = {name for name, _ in PUBLIC} | set(dir(builtins)) | {"DataFrame", "Table", "FrameType"}
    known |= {name for place in ("impinge.testing", "impinge.compat") for name in vars(importlib.import_module(place))}
    wrong = set()
    for name, thing in routines():
        text = inspect.getdoc(thing) or ""
        heads = re.findall(r"^[^\s].*$", section(text, "Returns") + section(text, "Raises"), flags=re.MULTILINE)
        words = re.findall(r"(?<![.\w`])`([A-Z]\w*)", text)
        words += re.findall(r"(?<![.\w])[A-Z][a-z]\w*", "\n".join(heads))
        wrong |= {f"{name}: {word}" for word in words if word not in known}
    assert not wrong


def test_the_package_has_examples() -> None:
    assert run_examples("impinge", impinge) >= 6


def test_the_overview_names_every_question() -> None:
    routines = {name for name in impinge.__all__ if inspect.isroutine(getattr(impinge, name))}
    helpers = {"get_threads", "set_threads", "nearest_rigid"}
    missing = [name for name in routines - helpers if f"`{name}`" not in (impinge.__doc__ or "")]
    assert not missing


def test_everything_of_the_module_is_public_or_private_by_name() -> None:
    hidden = {name for name in vars(_core) if not name.startswith("_")} - {name for name, _ in PUBLIC}
    assert not hidden


def blocks(path: Path, mark: str = "") -> list[str]:
    """Blocks with such a comment above them, such as `<!-- run by .ci/ray -->`, or without any."""
    pattern = r"^(?:<!-- (not run: [^>]*|run by [^>]*) -->\n)?```python\n(.*?)^```"
    found = re.findall(pattern, path.read_text(), flags=re.MULTILINE | re.DOTALL)
    return [block for seen, block in found if seen == mark]


@pytest.mark.parametrize("name", ["README.md", "docs/python.md", "docs/coming-from.md", "docs/files.md", "docs/cookbook.md", "docs/motion.md"])
def test_blocks_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each block unchanged, one after the other, in a folder with the files that they name."""
    found = blocks(ROOT / name)
    assert found, f"{name} has no block of Python"
    monkeypatch.chdir(tmp_path)
    write_stl(tmp_path / "robot.stl", scale=1.0)
    write_stl(tmp_path / "table.stl", scale=2.0)
    scope: dict[str, object] = {"__name__": "__main__"}
    for i, block in enumerate(found):
        exec(compile(block, f"{name}, block {i}", "exec"), scope)


def write_stl(path: Path, scale: float) -> None:
    """A sphere, as a binary STL."""
    from conftest import sphere

    mesh = sphere(3, scale)
    facets = np.zeros(len(mesh), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("skip", "<u2")])
    facets["corners"] = mesh.vertices[mesh.faces]
    path.write_bytes(bytes(80) + np.uint32(len(mesh)).tobytes() + facets.tobytes())
