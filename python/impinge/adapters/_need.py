"""Packages that adapters need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def need(module: str, package: str) -> Any:
    """A module of another package, or an error of one line that names what to install."""
    try:
        return import_module(module)
    except ImportError as why:
        raise ImportError(f"{module} is needed: pip install {package}") from why
