"""Kinds of files that are converted, and what each needs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import PurePath

from impinge._errors import Error


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of files."""

    name: str
    """As in messages, such as ``IFC``."""
    endings: tuple[str, ...]
    """Endings of its file names, in lower case."""
    extra: str
    """The extra of this package that installs the library."""
    library: str
    """The distribution whose version decides the result."""
    module: str
    """The module that must be installed."""
    reader: str
    """The module of this package that reads such files."""


IFC = Kind("IFC", (".ifc", ".ifczip"), "ifc", "ifcopenshell", "ifcopenshell", "ifc")
STEP = Kind("STEP", (".step", ".stp"), "step", "cadquery-ocp-novtk", "OCP", "step")
IGES = Kind("IGES", (".iges", ".igs"), "step", "cadquery-ocp-novtk", "OCP", "step")
BREP = Kind("BREP", (".brep", ".brp"), "step", "cadquery-ocp-novtk", "OCP", "step")
DAGMC = Kind("DAGMC", (".h5m",), "h5m", "h5py", "h5py", "h5m")

KINDS = (IFC, STEP, IGES, BREP, DAGMC)


def kind_of(path: str | os.PathLike[str]) -> Kind | None:
    """The kind of a file by the ending of its name; None for those that this package reads by itself."""
    ending = PurePath(path).suffix.lower()
    return next((kind for kind in KINDS if ending in kind.endings), None)


def need(kind: Kind, path: str | os.PathLike[str]) -> str:
    """The version of the library that reads such files. An `Error` states what to install."""
    try:
        if util.find_spec(kind.module) is not None:
            return metadata.version(kind.library)
    except metadata.PackageNotFoundError:
        # Installed by other means, such as conda: the name of the distribution differs.
        return "unknown"
    install = f'pip install ".[{kind.extra}]" in a checkout of impinge'
    raise Error(f"{os.fspath(path)}: {kind.name} needs {kind.library}: {install}")
