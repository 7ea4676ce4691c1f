"""Docstrings and signatures name the same parameters: `help` documents exactly those that a call takes."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import impinge
from impinge import _core

_SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}$|\Z)", re.DOTALL | re.MULTILINE)

# Other packages document the names of `compat`, and pytest those of its plugins.
_OTHERS = ("impinge.compat.", "impinge.pytest_plugin")


def _modules() -> Iterator[Any]:
    """The package, the extension, and the public modules below."""
    yield from (impinge, _core)
    for found in pkgutil.walk_packages(impinge.__path__, "impinge."):
        if "._" not in found.name and not found.name.startswith(_OTHERS):
            yield importlib.import_module(found.name)


def _functions_of(name: str, one: Any) -> Iterator[tuple[str, Callable[..., Any], bool]]:
    """A function, or a class with its public methods; true of methods whose first parameter is bound."""
    yield name, one, False
    if not inspect.isclass(one):
        return
    for base in one.__mro__:
        if base.__module__.startswith("impinge"):
            for inner, method in vars(base).items():
                plain = getattr(method, "__func__", method)
                if not inner.startswith("_") and inspect.isroutine(plain):
                    yield f"{name}.{inner}", plain, not isinstance(method, staticmethod)


def _public() -> dict[str, tuple[Callable[..., Any], bool]]:
    found: dict[int, tuple[str, Callable[..., Any], bool]] = {}
    for module in _modules():
        for name, one in vars(module).items():
            home = getattr(one, "__module__", None) or ""
            lists_others = module in (_core, impinge.check, impinge.results)
            is_own = home.startswith("impinge" if lists_others else module.__name__)
            if is_own and callable(one) and not name.startswith("_"):
                for function in _functions_of(f"{module.__name__}.{name}", one):
                    found.setdefault(id(function[1]), function)
    return {name: (function, is_bound) for name, function, is_bound in found.values()}


PUBLIC = _public()


def parameters(function: Callable[..., Any], is_bound: bool) -> list[str]:
    """The parameters of a signature, with their asterisks."""
    stars: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    all_of = inspect.signature(function).parameters.values()
    return [stars.get(one.kind, "") + one.name for one in all_of][int(is_bound) :]


def documented(text: str) -> list[str] | None:
    """The names of the section "Parameters"; None without one."""
    section = _SECTION.search(text)
    if section is None:
        return None
    heads = re.findall(r"^(\S.*)$", section[1], re.MULTILINE)
    return [name.strip() for head in heads for name in head.partition(" : ")[0].split(",")]


def difference(function: Callable[..., Any], is_bound: bool) -> str | None:
    """The names that only a docstring or only a signature has; None if they agree.

    A docstring without a section names each parameter in backticks. A class needs no section: most are
    results, which callers do not make.
    """
    text = inspect.getdoc(function) or ""
    names = documented(text)
    if names is None and inspect.isclass(function):
        return None
    takes = parameters(function, is_bound)
    if names is None:
        missing = [name for name in takes if f"`{name.lstrip('*')}`" not in text]
        return f"no text about {missing}" if missing else None
    return None if sorted(names) == sorted(takes) else f"documented {names}, but it takes {takes}"


def test_docstrings_name_the_parameters_of_their_signatures() -> None:
    found = {name: difference(*function) for name, function in PUBLIC.items()}
    assert {name: text for name, text in found.items() if text is not None} == {}


def test_all_kinds_are_compared_and_differences_found() -> None:
    assert {
        "impinge.relation",
        "impinge.Model",
        "impinge.Model.load",
        "impinge.Assembly.check",
        "impinge.Assembly.add",
        "impinge.distributed.check",
        "impinge.testing.assert_no_interference",
        "impinge.adapters.trimesh.scene",
    } <= PUBLIC.keys()
    assert len(PUBLIC) > 200

    def wrong(a: int, *, inside: bool = True) -> None:
        """Parameters
        ----------
        a, outside : int
        """

    def silent(a: int) -> None:
        """What `b` is."""

    assert difference(wrong, False) == "documented ['a', 'outside'], but it takes ['a', 'inside']"
    assert difference(silent, False) == "no text about ['a']"


@pytest.mark.parametrize("name", ["CheckedPart", "Clash", "Finding", "NearPair"])
def test_attributes_of_records_have_docstrings(name: str) -> None:
    found: dict[str, Any] = {}
    for base in reversed(getattr(impinge.check, name).__mro__):
        if base.__module__.startswith("impinge"):
            found |= {key: one for key, one in vars(base).items() if inspect.isdatadescriptor(one)}
    public = {key: one for key, one in found.items() if not key.startswith("_")}
    assert len(public) >= 5 and [key for key, one in public.items() if not inspect.getdoc(one)] == []
