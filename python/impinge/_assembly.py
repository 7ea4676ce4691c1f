"""Assemblies from files, and reports of what clashes in them."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from impinge._core import Body, Mesh, Model, _check, _read
from impinge._errors import Error
from impinge._report import PathLike, Report

if TYPE_CHECKING:
    _Rule = Literal["nonzero", "positive", "parity"]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A part of an assembly."""

    name: str
    """Its name in the file, or one made from the file's name. Instances of one object share it."""
    file: Path
    """The file that it came from."""
    mesh: Mesh
    """Its triangles, in its own frame. Instances of one mesh share it."""
    pose: NDArray[np.float64]
    """Pose of the part: shape (4, 4), always rigid."""
    baked: bool
    """Whether a transform that is not rigid was applied to a copy of its vertices."""


@dataclass(frozen=True, slots=True)
class Warning:
    """Something about a file that one should know, though it was read."""

    file: Path
    """The file."""
    place: str | None
    """Where in the file; None if it is about all of it."""
    text: str
    """The omission, or the doubt."""


RELATIONS = ("overlap", "contained", "same", "pierce", "inside-open", "meet", "touch", "all")


def _choose(name: str, value: str, choices: Sequence[str]) -> None:
    if value not in choices:
        raise Error(f"{name}: {value!r} is not one of {', '.join(map(repr, choices))}")


def check_arguments(
    *,
    report: str | Sequence[str] = (),
    fill_rule: _Rule = "nonzero",
    depth: Literal["counted", "all", "none"] = "counted",
    tolerance: float | None = None,
    clearance: float | None = None,
    what_if: Sequence[float] = (),
    chord: float | Mapping[str, float] | None = None,
    surfaces: bool = False,
    max_pairs: int | None = None,
) -> list[str]:
    """The arguments of the command for those of `Assembly.check`."""
    relations = [report] if isinstance(report, str) else list(report)
    for relation in relations:
        _choose("report", relation, RELATIONS)
    _choose("fill_rule", fill_rule, ("nonzero", "positive", "parity"))
    _choose("depth", depth, ("counted", "all", "none"))
    for name, length in {"tolerance": tolerance, "clearance": clearance}.items():
        if length is not None and not 0 <= float(length) < math.inf:
            raise Error(f"{name} must be finite and not negative, not {length}")
    if max_pairs is not None and max_pairs < 1:
        raise Error(f"max_pairs must be 1 or more, not {max_pairs}")
    options = {
        "fill-rule": None if surfaces else fill_rule,
        "depth": None if surfaces else depth,
        "tolerance": tolerance,
        "clearance": clearance,
        "max-pairs": max_pairs,
    }
    arguments = [f"--{name}={value!s}" for name, value in options.items() if value is not None]
    if isinstance(chord, Mapping):
        arguments += [f"--chord={name}={float(length)!r}" for name, length in chord.items()]
    elif chord is not None:
        arguments.append(f"--chord={chord!s}")
    if relations:
        arguments.append("--report=" + ",".join(relations))
    if what_if:
        arguments.append("--what-if=" + ",".join(str(float(length)) for length in what_if))
    if surfaces:
        arguments.append("--surfaces")
    return arguments


def file_arguments(paths: Sequence[PathLike], between: bool) -> list[str]:
    """The command's last arguments: the files, and whether the query is about pairs across two of them."""
    files = [os.fspath(path) for path in paths]
    if not between:
        return ["--", *files]
    if len(files) != 2:
        raise Error(f"between: pairs across two files need an assembly of two, not of {len(files)}")
    # A name that begins with a dash is no option.
    return ["--between", *(os.path.join(".", name) if name.startswith("-") else name for name in files)]


class Assembly(Sequence[Part]):
    """Parts from one file or several: what `read` returns. A sequence of `Part`.

    Attributes
    ----------
    parts : tuple of Part
        In the order of the files.
    paths : tuple of pathlib.Path
        The files.
    warnings : tuple of Warning
        What the files hold that is not in `parts`, or is there with a doubt.
    """

    __slots__ = ("_models", "_options", "parts", "paths", "warnings")

    parts: tuple[Part, ...]
    paths: tuple[Path, ...]
    warnings: tuple[Warning, ...]
    _options: list[str]
    _models: dict[int, Model]

    def __init__(
        self, paths: Sequence[Path], parts: Sequence[Part], warnings: Sequence[Warning], options: list[str]
    ) -> None:
        self.paths = tuple(paths)
        self.parts = tuple(parts)
        self.warnings = tuple(warnings)
        self._options = options
        self._models = {}

    def __getstate__(self) -> dict[str, Any]:
        # Models are built again: they are keyed by the addresses of meshes, which differ in a copy.
        return {name: getattr(self, name) for name in self.__slots__ if name != "_models"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self._models = {}

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, i: Any) -> Any:
        return self.parts[self.index_of(i) if isinstance(i, str) else i]

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __repr__(self) -> str:
        files = ", ".join(path.name for path in self.paths)
        return f"Assembly({files}: {len(self)} parts, {sum(len(part.mesh) for part in self)} triangles)"

    def model(self, part: int | str) -> Model:
        """The model of a part, by its index or its name: built at the first call, and kept.

        Parts that share a mesh share the model.
        """
        mesh = self.parts[self.index_of(part)].mesh
        # Meshes live as long as the assembly does.
        if id(mesh) not in self._models:
            self._models[id(mesh)] = Model(mesh)
        return self._models[id(mesh)]

    def body(self, part: int | str) -> Body:
        """A part, by its index or its name, where the file has it."""
        i = self.index_of(part)
        return Body(self.model(i), self.parts[i].pose)

    def index_of(self, part: int | str) -> int:
        """The index of a part by its name, which must be that of one part alone."""
        if not isinstance(part, str):
            return operator.index(part)
        found = [i for i, one in enumerate(self.parts) if one.name == part]
        if len(found) != 1:
            raise KeyError(f"{len(found)} parts are called {part!r}")
        return found[0]

    def check(
        self,
        *,
        report: str | Sequence[str] = (),
        fill_rule: _Rule = "nonzero",
        depth: Literal["counted", "all", "none"] = "counted",
        tolerance: float | None = None,
        clearance: float | None = None,
        what_if: Sequence[float] = (),
        chord: float | Mapping[str, float] | None = None,
        surfaces: bool = False,
        max_pairs: int | None = None,
        between: bool = False,
        cache: PathLike | None = None,
        threads: int | None = None,
    ) -> Report:
        """Find every pair of parts that clash: what the command `impinge check` does, in the same code.

        The files are read again. ``impinge check --help`` has more about each argument.

        Parameters
        ----------
        report : str or sequence of str, optional
            What counts: "overlap", "contained", "same", "pierce", "inside-open", "meet", "touch", "all".
            Everything but touch, if nothing is said.
        fill_rule : {"nonzero", "positive", "parity"}, optional
            Which points are inside of a part whose edges close.
        depth : {"counted", "all", "none"}, optional
            Of which clashes to find how deep they are.
        tolerance : float, optional
            Parts that a translation of at most this length takes out of each other do not count.
        clearance : float, optional
            Find pairs that are at most this far apart without meeting, too.
        what_if : sequence of float, optional
            How many pairs would be near, and how many findings there would be, at each of these clearances.
        chord : float or mapping of str to float, optional
            How far triangles are from the true surface, at most: is a finding definite, or possible? A
            mapping has names of parts, in which ``*`` stands for any characters; the last that fits counts,
            and parts without one are exact.
        surfaces : bool, optional
            Only find which triangles meet: take no part for a solid.
        max_pairs : int, optional
            Most pairs of parts that are tested.
        between : bool, optional
            Only pairs of a part of the first file and a part of the second: `read` was given two files.
        cache : path, optional
            Keep what is decided in this file, and decide only what it does not tell. The result is the same.
        threads : int, optional
            Threads to work with; None is as many as there are cores.

        Returns
        -------
        Report
        """
        arguments = check_arguments(
            report=report,
            fill_rule=fill_rule,
            depth=depth,
            tolerance=tolerance,
            clearance=clearance,
            what_if=what_if,
            chord=chord,
            surfaces=surfaces,
            max_pairs=max_pairs,
        )
        if cache is not None:
            arguments.append(f"--cache={os.fspath(cache)}")
        if threads is not None:
            if threads < 1:
                raise ValueError("threads must be 1 or more, or None for all cores")
            arguments.append(f"--threads={threads}")
        return Report(_check([*self._options, *arguments, *file_arguments(self.paths, between)]))


def read(
    path: PathLike,
    *more: PathLike,
    max_parts: int | None = None,
    max_points: int | None = None,
    max_triangles: int | None = None,
    max_bytes: int | None = None,
    outside_folder: bool = False,
) -> Assembly:
    """Read parts from files: STL, OBJ, PLY, OFF, glTF, GLB, 3MF.

    Parameters
    ----------
    path, *more : str or path
        The files; their parts are one assembly.
    max_parts, max_points, max_triangles, max_bytes : int, optional
        Limits of what is made of a file, so that a small one cannot take all memory: no limit is below what
        the file's own size bears out.
    outside_folder : bool, optional
        Whether a file may name others outside of its own folder.

    Returns
    -------
    Assembly

    Raises
    ------
    FileNotFoundError, OSError
        A file cannot be read.
    Error
        What is wrong with a file, and where.

    Examples
    --------
    >>> import impinge, pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "part.off"
    >>> _ = path.write_text("OFF\\n3 1 0\\n0 0 0\\n1 0 0\\n0 1 0\\n3 0 1 2\\n")
    >>> assembly = impinge.read(path)
    >>> assembly[0].name, len(assembly[0].mesh)
    ('part', 1)
    >>> report = assembly.check()
    >>> report.findings, report.coverage["parts"]
    (0, 1)
    """
    if isinstance(path, list | tuple):
        raise TypeError("impinge.read takes each file as an argument of its own: impinge.read(*paths)")
    paths = [Path(one) for one in (path, *more)]
    limits = {
        "max-parts": max_parts,
        "max-points": max_points,
        "max-triangles": max_triangles,
        "max-bytes": max_bytes,
    }
    options = [f"--{name}={value}" for name, value in limits.items() if value is not None]
    if outside_folder:
        options.append("--outside-folder")
    parts, warnings = _read(paths, max_parts, max_points, max_triangles, max_bytes, outside_folder)
    made = [Part(name, Path(file), mesh, pose, baked) for name, file, mesh, pose, baked in parts]
    return Assembly(
        paths, made, [Warning(Path(file), place, text) for file, place, text in warnings], options
    )
