"""Parts in memory as a sequence: what an assembly holds."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import overload

from impinge._choice import index, no_one
from impinge._core import Body, Model, _Assembly
from impinge._part import FileWarning, Omission, Part, Source


class PartList(Sequence[Part]):
    """The parts of an assembly, its sources, and what the files hold besides."""

    __slots__ = ("_models", "_native", "_parts")

    _native: _Assembly
    # Made when they are first asked for.
    _parts: list[Part | None]
    _models: dict[int, Model]

    def _take(self, native: _Assembly) -> None:
        self._native = native
        self._parts = [None] * len(native)
        self._models = {}

    def _forget(self) -> None:
        """Drop models of meshes that no part has, if they are many."""
        if len(self._models) > len(self):
            used = {id(part.mesh) for part in self}
            self._models = {key: model for key, model in self._models.items() if key in used}

    @property
    def parts(self) -> tuple[Part, ...]:
        """In the order of the sources."""
        return tuple(self)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The files, with their units, or other origins."""
        return tuple(Source(*source) for source in self._native.sources())

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files."""
        return tuple(source.file for source in self.sources if source.file != Path("memory"))

    @property
    def warnings(self) -> tuple[FileWarning, ...]:
        """Warnings about contents of the files that are missing from `parts`, or may be wrong there."""
        return tuple(FileWarning(*warning) for warning in self._native.warnings())

    @property
    def omissions(self) -> tuple[Omission, ...]:
        """Parts of the files that are not in `parts`, and why."""
        return tuple(Omission(*omission) for omission in self._native.omissions())

    def __len__(self) -> int:
        return len(self._parts)

    def _part(self, i: int) -> Part:
        part = self._parts[i]
        if part is None:
            part = self._parts[i] = Part(*self._native.part(i))
            part.pose.flags.writeable = False
        return part

    @overload
    def __getitem__(self, i: int | str) -> Part: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Part, ...]: ...
    def __getitem__(self, i: int | str | slice) -> Part | tuple[Part, ...]:
        if isinstance(i, slice):
            return tuple(self._part(k) for k in range(len(self))[i])
        return self._part(self.index_of(i))

    def __iter__(self) -> Iterator[Part]:
        return (self._part(i) for i in range(len(self)))

    def __repr__(self) -> str:
        files = ", ".join(dict.fromkeys(source.file.name for source in self.sources)) or "empty"
        return f"Assembly({files}: {len(self)} parts, {self._native.triangles()} triangles)"

    def model(self, part: int | str) -> Model:
        """The model of `part`, an index or a name: built at the first call, and kept.

        Parts that share a mesh share the model.
        """
        mesh = self._part(self.index_of(part)).mesh
        # A model keeps its mesh, so that no other one has its identity.
        if id(mesh) not in self._models:
            self._models[id(mesh)] = Model(mesh)
        return self._models[id(mesh)]

    def body(self, part: int | str) -> Body:
        """The body of `part`, an index or a name, where the assembly has it."""
        i = self.index_of(part)
        return Body(self.model(i), self._part(i).pose)

    def index_of(self, part: int | str) -> int:
        """The index of `part`, an index or a name, which must be that of one part alone."""
        if not isinstance(part, str):
            return index(operator.index(part), len(self))
        found = self._native.find(part)
        if len(found) != 1:
            raise KeyError(no_one(part, len(found)))
        return found[0]
