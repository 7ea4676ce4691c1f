"""Changes of an assembly: adding, replacing, moving and removing parts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import EllipsisType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from impinge._core import Mesh, Model
from impinge._errors import Error
from impinge._lengths import Coordinates, Length
from impinge._part import PathLike, Value, mesh_of, properties_of
from impinge._part_list import PartList

# An argument of `add_source` has the name of the type.
_Bytes = bytes


class EditableParts(PartList):
    """Parts that can be added, replaced, moved and removed."""

    __slots__ = ()

    def _add(
        self,
        mesh: Mesh,
        pose: ArrayLike | None,
        affine_and_baked: tuple[bool, bool],
        name: str,
        file: PathLike | None = None,
        path: str | None = None,
        guid: str | None = None,
        type: str | None = None,
        properties: Mapping[str, Value] | None = None,
        chord: Length | None = None,
        rounding: Length | None = None,
    ) -> int:
        affine, baked = affine_and_baked
        file = None if file is None else Path(file)
        given = properties_of(properties)
        bounds = self._bounds(None, file, chord, rounding)
        i = self._native.add(mesh, pose, affine, baked, name, file, path, guid, type, given, *bounds)
        self._parts.append(None)
        return i

    def add(
        self,
        mesh: Any,
        pose: ArrayLike | None = None,
        *,
        name: str,
        file: PathLike | None = None,
        path: str | None = None,
        guid: str | None = None,
        type: str | None = None,
        properties: Mapping[str, Value] | None = None,
        chord: Length | None = None,
        rounding: Length | None = None,
        affine: bool = False,
    ) -> int:
        """Add a part.

        Parameters
        ----------
        mesh : Mesh, Model, trimesh.Trimesh, or a pair (vertices, faces)
            A `Mesh` is shared, not copied: one mesh can be that of many parts.
        pose : array_like, shape (4, 4) or (3, 4), optional
            Where the part is: a rigid motion. None is the identity.
        name : str
            Several parts may have it.
        file : path, optional
            The file that it came from. Parts that follow each other from one file have one source.
        path : str, optional
            Names from the root of a hierarchy, joined by ``/``; the name by default.
        guid, type : str, optional
            Identifier and type that the input gives.
        properties : dict of str to str, float or bool, optional
            Further data.
        chord : length, optional
            How far the triangles are from the true surface, at most, as the input states it. `check` uses it
            as a tolerance of this part.
        rounding : length, optional
            Largest distance by which the number format of the input has moved a point: sqrt(3) 2^-24 times the
            largest absolute coordinate, where it stores float32. `check` adds it to `chord` if its argument
            `rounding` is true.
        affine : bool, optional
            Whether the pose may scale, shear or mirror. It is then applied to a copy of the mesh.

        Returns
        -------
        int
            Its index.
        """
        flags = affine, False
        made = mesh_of(mesh)
        i = self._add(made, pose, flags, name, file, path, guid, type, properties, chord, rounding)
        if isinstance(mesh, Model):
            self._models[id(made)] = mesh
        return i

    def add_source(
        self,
        file: PathLike,
        *,
        unit: str | None = None,
        up: str | None = None,
        bytes: int | None = None,
        digest: _Bytes | None = None,
        offset: Sequence[float] | None = None,
        settings: str | None = None,
    ) -> None:
        """Start a source: parts of this file that `add` adds next belong to it.

        Parameters
        ----------
        file : path
            The file, or a name of another origin. It is not opened.
        unit : str, optional
            The unit of the coordinates, such as "mm"; None if it is unknown.
        up : str, optional
            The axis whose positive direction is up, "x", "y" or "z".
        bytes : int, optional
            Number of bytes of the file.
        digest : bytes, optional
            SHA-256 digest of the file.
        offset : sequence of three floats, optional
            Offset of the coordinates from those of a map: a point of the map is the point plus the offset. It
            is kept and shown, and never applied.
        settings : str, optional
            Settings of the converter, as one line of text, such as "chord 0.1 mm".

        Examples
        --------
        >>> import impinge
        >>> triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
        >>> assembly = impinge.Assembly()
        >>> assembly.add_source("house.ifc", unit="m", up="z", offset=(2683000.0, 1248000.0, 400.0))
        >>> assembly.add(triangle, name="wall", file="house.ifc", type="IfcWall")
        0
        >>> assembly.sources[0].unit, assembly.sources[0].parts
        ('metre', 1)
        """
        place = None
        if offset is not None:
            x, y, z = (float(number) for number in offset)
            if not all(map(math.isfinite, (x, y, z))):
                raise Error(f"offset must be three finite numbers, not {(x, y, z)}")
            place = x, y, z
        self._native.begin_source((Path(file), None, unit, up, 0, bytes, digest, place, settings))

    def omit(
        self,
        file: PathLike,
        reason: str,
        *,
        name: str | None = None,
        guid: str | None = None,
        type: str | None = None,
        count: int = 1,
        failed: bool = False,
    ) -> None:
        """Record a part of a file, or parts alike, that the assembly has not.

        Parameters
        ----------
        file : path
            The file that has it.
        reason : str
            Why the assembly has it not.
        name, guid, type : str, optional
            Its name, identifier and type.
        count : int, optional
            Number of parts.
        failed : bool, optional
            Whether no mesh could be made of it. `check` then lists it as not examined. By default it was left
            out on purpose, such as the spaces of a building.
        """
        if count < 1:
            raise ValueError(f"count must be at least 1, not {count}")
        self._native.omit((Path(file), reason, name, guid, type, count, failed))

    def warn(self, file: PathLike, text: str, *, place: str | None = None) -> None:
        """Add a warning about a file: content of it that is not in the assembly, or is there with a doubt.

        Parameters
        ----------
        file : path
        text : str
        place : str, optional
            Place in the file, such as "line 7".
        """
        self._native.warn(Path(file), place, text)

    def set_pose(self, part: int | str, pose: ArrayLike, *, affine: bool = False) -> None:
        """Move a part, given by its index or its name.

        Parameters
        ----------
        part : int or str
        pose : array_like, shape (4, 4) or (3, 4)
            A rigid motion, which replaces the pose it has.
        affine : bool, optional
            Whether the pose may scale, shear or mirror. It is then applied to a copy of the mesh.
        """
        i = self.index_of(part)
        self._native.set_pose(i, pose, affine)
        self._parts[i] = None

    def replace(
        self,
        part: int | str,
        *,
        mesh: Any = ...,
        pose: ArrayLike | None | EllipsisType = ...,
        name: str | EllipsisType = ...,
        path: str | EllipsisType = ...,
        guid: str | None | EllipsisType = ...,
        type: str | None | EllipsisType = ...,
        properties: Mapping[str, Value] | None | EllipsisType = ...,
        chord: Length | None | EllipsisType = ...,
        rounding: Length | None | EllipsisType = ...,
        affine: bool = False,
    ) -> None:
        """Put another part into the place of one, given by its index or its name.

        Parameters
        ----------
        part : int or str
        mesh, pose, name, path, guid, type, properties, chord, rounding, affine
            As of `add`. What is not given stays, but a new mesh has a new rounding. A new name also replaces
            the last one of the path.
        """
        i = self.index_of(part)
        old = self[i]
        new_name = old.name if isinstance(name, EllipsisType) else name
        if not isinstance(path, EllipsisType):
            new_path = path
        elif old.path == old.name or old.path.endswith("/" + old.name):
            new_path = old.path[: len(old.path) - len(old.name)] + new_name
        else:
            new_path = old.path
        matrix: Any = pose
        if isinstance(pose, EllipsisType):
            matrix = old.pose
        elif pose is None:
            matrix = np.eye(4)
        if isinstance(rounding, EllipsisType):
            rounding = old.rounding if isinstance(mesh, EllipsisType) else None
        chord = old.chord if isinstance(chord, EllipsisType) else chord
        changed = (
            new_name,
            old.file,
            old.mesh if isinstance(mesh, EllipsisType) else mesh_of(mesh),
            matrix,
            old.baked if isinstance(mesh, EllipsisType) else False,
            new_path,
            old.guid if isinstance(guid, EllipsisType) else guid,
            old.type if isinstance(type, EllipsisType) else type,
            old.properties if isinstance(properties, EllipsisType) else properties_of(properties),
            *self._bounds(i, None, chord, rounding),
        )
        self._native.set_part(i, changed, affine)
        self._parts[i] = None
        self._forget()

    def remove(self, part: int | str) -> None:
        """Remove `part`, given by its index or its name. The indices of later parts become less by one.

        Cost: linear in the number of parts. `subset` removes many at once.
        """
        i = self.index_of(part)
        self._native = self._native.subset([k for k in range(len(self)) if k != i])
        del self._parts[i]
        self._forget()

    def extend(self, other: PartList) -> None:
        """Add the parts, sources, warnings and omissions of the assembly `other`, which keeps them."""
        self._native.extend(other._native)
        self._parts += other._parts

    def _bounds(
        self, part: int | None, file: Path | None, chord: Length | None, rounding: Length | None
    ) -> list[float | None]:
        given = ("chord", chord), ("rounding", rounding)
        is_text = any(isinstance(bound, str) for _, bound in given)
        coordinates = Coordinates.of_part(self._native, part, file) if is_text else Coordinates()
        return [None if bound is None else coordinates.length(name, bound) for name, bound in given]
