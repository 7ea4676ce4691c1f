"""Checks of arguments: errors name the argument, what was given, and what to give instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from os import PathLike
from typing import Any

from impinge._errors import Error


def shown(value: object) -> str:
    """A value as errors show it: a short one as it is, else its class."""
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else f"a {type(value).__name__}"


def flag(name: str, value: object) -> bool:
    """True or False; numpy's, too."""
    if type(value).__name__ not in ("bool", "bool_"):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)


def count(name: str, value: Any, least: int = 0) -> None:
    """A number of things, or None."""
    if value is None:
        return
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number or None, not {shown(value)}")
    if not least <= value < 2**63:
        raise Error(f"{name} must be {least} or more, not {value}")


def globs(name: str, value: str | Sequence[str] | None) -> list[str]:
    """Patterns of names: one, or several."""
    if value is None:
        return []
    some = [value] if isinstance(value, str) else value
    if not isinstance(some, Sequence) or not all(isinstance(one, str) for one in some):
        raise TypeError(f"{name} must be a pattern such as 'pipe*', or a list of these, not {shown(value)}")
    return list(some)


def path(name: str, value: object, instead: str = "") -> None:
    """A path, or `instead`."""
    if not isinstance(value, str | PathLike):
        other = f" or {instead}" if instead else ""
        raise TypeError(f"{name} must be a path{other}, not {shown(value)}")


def day(name: str, value: object) -> None:
    """A day, or None."""
    if value is not None and not isinstance(value, date):
        raise TypeError(f"{name} must be a datetime.date, not {shown(value)}")


def listener(name: str, value: Any) -> Callable[[str, int, int], object] | None:
    """Return the function that receives progress; None if the value is True, False or None."""
    if value is None or isinstance(value, bool):
        return None
    if not callable(value):
        raise TypeError(f"{name} must be True, False or a function, not {shown(value)}")
    found: Callable[[str, int, int], object] = value
    return found
