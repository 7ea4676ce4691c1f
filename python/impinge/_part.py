"""Parts of assemblies, their sources, and warnings of the readers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._core import Mesh, Model

PathLike = str | os.PathLike[str]

# A field of `Source` has the name of the type.
_Bytes = bytes

Value = str | float | bool
"""A value of a property."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of an assembly. It does not change: `Assembly.replace` puts another one into its place."""

    name: str
    """Its name in the file, or one made from the file's name. Instances of one object share it."""
    file: Path
    """The file that it came from; ``memory`` if it came from none."""
    mesh: Mesh
    """Its triangles, in its own frame. Instances of one mesh share it."""
    pose: NDArray[np.float64]
    """Pose of the part: shape (4, 4), always rigid, read-only."""
    baked: bool
    """Whether a transform that is not rigid was applied to a copy of its vertices."""
    path: str
    """Names in the file's hierarchy, from the root to the part's own, joined by ``/``."""
    guid: str | None
    """The identifier that the input gives, such as the GlobalId of IFC."""
    type: str | None
    """The type that the input gives, such as ``IfcWall``."""
    properties: dict[str, Value]
    """Further data of the input."""
    chord: float | None
    """Largest distance of the triangles from the true surface, if the input states it."""
    rounding: float | None
    """Largest distance by which the number format of the input moved a point: sqrt(3) 2^-24 times the largest
    absolute coordinate, where it stores float32. `chord` does not contain it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or another origin of parts, and the meaning of its coordinates. These are never changed."""

    file: Path
    """The file; ``memory`` if there is none."""
    format: str | None
    """Its format, such as ``gltf``; None if no reader of this package made the parts."""
    unit: str | None
    """The unit of the coordinates, such as ``millimetre``; None if it is unknown."""
    up: str | None
    """The axis whose positive direction is up, "x", "y" or "z"; None if it is unknown."""
    parts: int
    """Number of its parts. They follow those of the sources before it."""
    bytes: int | None
    """Number of bytes of the file, if a program has recorded it."""
    digest: _Bytes | None
    """SHA-256 digest of the file, if a program has recorded it."""
    offset: tuple[float, float, float] | None
    """Offset of the coordinates from those of a map: a point of the map is the point plus the offset. It is
    never applied."""
    settings: str | None
    """Settings of the converter that made the parts, as one line of text."""


@dataclass(frozen=True, slots=True)
class Omission:
    """A part of a file, or parts alike, that the assembly has not."""

    file: Path
    """The file that has it."""
    reason: str
    """Why the assembly has it not."""
    name: str | None
    """Its name, if it has one and is a single part."""
    guid: str | None
    """The identifier that the input gives."""
    type: str | None
    """The type that the input gives, such as ``IfcSpace``."""
    count: int
    """Number of parts."""
    failed: bool
    """Whether no mesh could be made of it, so that a check has not examined it. Otherwise it was left out on
    purpose."""


@dataclass(frozen=True, slots=True)
class FileWarning:
    """Something about a file that one should know, though it was read."""

    file: Path
    """The file."""
    place: str | None
    """Where in the file; None if it is about all of it."""
    text: str
    """The omission, or the doubt."""


def mesh_of(mesh: Any) -> Mesh:
    """A mesh of this package, from one of another's, or from arrays."""
    if isinstance(mesh, Mesh):
        return mesh
    if isinstance(mesh, Model):
        return mesh.mesh
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return Mesh(mesh.vertices, mesh.faces)
    if isinstance(mesh, tuple | list) and len(mesh) == 2:
        return Mesh(mesh[0], mesh[1])
    kinds = "a Mesh, a Model, a trimesh.Trimesh or a pair (vertices, faces)"
    raise TypeError(f"a mesh is {kinds}, not a {type(mesh).__name__}")


def properties_of(properties: Mapping[str, Value] | None) -> dict[str, Value]:
    return {} if properties is None else dict(properties)
