"""Assemblies: parts from files, from other libraries, or from a program."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from impinge import _arguments, _progress, _scene_parts
from impinge._baseline import Baseline
from impinge._choice import Which, indices
from impinge._core import Mesh, _Assembly
from impinge._editable_parts import EditableParts
from impinge._errors import Error, short_traceback
from impinge._lengths import Coordinates, Length
from impinge._notebook import of_assembly
from impinge._options import options
from impinge._origin import Chosen, Origin
from impinge._part import Part, PathLike, mesh_of
from impinge._report import Report
from impinge._rules import Rules, refuse
from impinge._settings import Criteria, Geometry, Limits, Measure, Run, WhatIf, moved, refuse_others


class Assembly(EditableParts):
    """Parts at poses, in memory: what `read` returns, or what a program puts together. A sequence of `Part`.

    Indices of parts are those of this sequence. Meshes are never copied: parts share them, and so do copies,
    subsets and reports.

    Attributes
    ----------
    parts : tuple of Part
        In the order of the sources.
    sources : tuple of Source
        The files, with their units, or other origins.
    paths : tuple of pathlib.Path
        The files.
    warnings : tuple of FileWarning
        What the files hold that is not in `parts`, or is there with a doubt.
    omissions : tuple of Omission
        Parts of the files that are not in `parts`, and why.

    Examples
    --------
    >>> import impinge
    >>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    >>> mesh = impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    >>> assembly = impinge.Assembly()
    >>> for i in range(3):
    ...     _ = assembly.add(mesh, [[1, 0, 0, 1.5 * i], [0, 1, 0, 0], [0, 0, 1, 0]], name=f"part {i}")
    >>> assembly
    Assembly(memory: 3 parts, 12 triangles)
    >>> for clash in assembly.check():
    ...     print(clash.a.name, clash.relation, clash.b.name)
    part 0 overlap part 1
    part 1 overlap part 2
    >>> assembly.set_pose("part 1", [[1, 0, 0, 9], [0, 1, 0, 0], [0, 0, 1, 0]])
    >>> len(assembly.check().findings)
    0
    """

    __slots__ = ()

    def __init__(self) -> None:
        self._take(_Assembly())

    @classmethod
    def _of(cls, native: _Assembly) -> Self:
        new = cls.__new__(cls)
        new._take(native)
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        # Models are built again.
        return _unpickled, (type(self), self._native)

    def __copy__(self) -> Self:
        return self.copy()

    @classmethod
    def from_meshes(cls, meshes: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Self:
        """Make an assembly of meshes by their names.

        Parameters
        ----------
        meshes : dict of str to mesh, or iterable of (str, mesh)
            Meshes as of `add`. One object under several names is one mesh.

        Returns
        -------
        Assembly

        Examples
        --------
        >>> import impinge
        >>> triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
        >>> [part.name for part in impinge.Assembly.from_meshes({"a": triangle, "b": triangle})]
        ['a', 'b']
        """
        new = cls()
        # The list keeps the objects, and so their identities.
        items = list(meshes.items() if isinstance(meshes, Mapping) else meshes)
        made: dict[int, Mesh] = {}
        for name, mesh in items:
            if id(mesh) not in made:
                made[id(mesh)] = mesh_of(mesh)
            new.add(made[id(mesh)], name=name)
        return new

    @classmethod
    def from_trimesh(cls, scene: Any, *, file: PathLike | None = None) -> Self:
        """Make an assembly of a ``trimesh.Scene``, or of one mesh of trimesh.

        A part for each node of the graph that has a mesh, under the node's name. Nodes of one geometry share
        its mesh. A transform that is not rigid is applied to a copy (`Part.baked`), as the readers do.
        Geometry without faces becomes a warning.

        Parameters
        ----------
        scene : trimesh.Scene or trimesh.Trimesh
        file : path, optional
            The file of the parts.

        Returns
        -------
        Assembly
        """
        new = cls()
        _scene_parts.add(new, scene, file)
        return new

    def write(self, path: PathLike) -> None:
        """Write the assembly as a bundle, ``*.impinge``, from which `read` returns the same assembly.

        Coordinates, poses and all other numbers come back to the last bit. Meshes of equal content are stored
        once. Equal assemblies become equal bytes.

        Parameters
        ----------
        path : path
            The file; its name ends in ``.impinge``. It appears, or is replaced, when it is complete; on any
            error it stays unchanged.

        Raises
        ------
        OSError
            The file cannot be written.
        ValueError
            The name does not end in ``.impinge``.

        Examples
        --------
        >>> import impinge, pathlib, tempfile
        >>> triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
        >>> assembly = impinge.Assembly.from_meshes({"a": triangle})
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "assembly.impinge"
        >>> assembly.write(path)
        >>> impinge.read(path)
        Assembly(memory: 1 parts, 1 triangles)
        """
        path = Path(path)
        if path.suffix.lower() != ".impinge":
            raise ValueError(
                f"{path}: an assembly is written as a bundle, to a file whose name ends in .impinge"
            )
        self._native.write(path)

    def copy(self) -> Self:
        """A copy that can be edited apart. Meshes are shared."""
        new = self._of(self._native.copy())
        new._parts, new._models = list(self._parts), dict(self._models)
        return new

    def subset(self, which: slice | Which | Iterable[Which] | Callable[[Part], object]) -> Self:
        """Some of the parts, in their order, as an assembly of their own. Meshes are shared.

        Parameters
        ----------
        which : function, or slice, int, str, or sequence of int and str
            A function of a part that returns whether it is among them; or indices; or names, in which ``*``
            stands for any characters.

        Returns
        -------
        Assembly

        Examples
        --------
        >>> import impinge
        >>> triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
        >>> assembly = impinge.Assembly.from_meshes((name, triangle) for name in ("wall", "pipe 1", "pipe 2"))
        >>> [part.name for part in assembly.subset("pipe*")]
        ['pipe 1', 'pipe 2']
        >>> [part.name for part in assembly.subset(lambda part: part.name != "pipe 1")]
        ['wall', 'pipe 2']
        """
        if isinstance(which, slice):
            kept = sorted(range(len(self))[which])
        elif callable(which):
            kept = [i for i, part in enumerate(self) if which(part)]
        else:
            kept = indices(which, self._native.names())
        new = self._of(self._native.subset(kept))
        new._parts, new._models = [self._parts[i] for i in kept], dict(self._models)
        new._forget()
        return new

    def _repr_html_(self) -> str:
        return of_assembly(self)

    @short_traceback
    @moved
    def check(
        self,
        *,
        clearance: Length | None = None,
        tolerance: Length | None = None,
        rules: Rules | PathLike | None = None,
        baseline: Baseline | PathLike | None = None,
        between: bool | tuple[Which | Iterable[Which], Which | Iterable[Which]] = False,
        only: str | Sequence[str] | None = None,
        ignore: str | Sequence[str] = (),
        threads: int | None = None,
        measure: Measure = Measure(),
        geometry: Geometry = Geometry(),
        criteria: Criteria = Criteria(),
        limits: Limits = Limits(),
        what_if: WhatIf = WhatIf(),
        run: Run = Run(),
    ) -> Report:
        """Find every pair of parts that clash: what the command `impinge check` does, in the same code.

        Works on the parts in memory, which edits during the call do not change. Other threads of Python run
        meanwhile, and Ctrl-C ends the call. ``help(impinge)`` explains lengths, and ``impinge check --help``
        has more about each argument.

        Parameters
        ----------
        clearance : length, optional
            Also find pairs that are at most this far apart without meeting.
        tolerance : length, optional
            Clashes that are no deeper, or that a translation of at most this length undoes, do not count.
        rules : Rules or path, optional
            Tests and ignore rules: which pairs to test, and what of them counts. If they have tests, these
            state `clearance`, `tolerance` and ``criteria.report``.
        baseline : Baseline or path, optional
            The findings of earlier deliveries: each finding then has a status, and `Report.is_clean` is about
            those that are new, reopened or worse.
        between : bool, or pair of parts or lists of parts, optional
            Only pairs of a part of the first group and a part of the second. A group has indices, and names,
            in which ``*`` stands for any characters. True is about the two files, or sources, of the
            assembly.
        only : str or sequence of str, optional
            Only pairs of two parts whose names both fit one of these globs.
        ignore : str or sequence of str, optional
            Each is ``"GLOB"``, which ignores pairs with a part of such a name, or ``"GLOB,GLOB"``, which
            ignores pairs of two such parts. These rules come before those of `rules`.
        threads : int, optional
            Threads to work with; None is the number of `set_threads`, or as many as there are cores.
        measure : Measure, optional
            What is measured: depths, contacts, and parts that touch nothing.
        geometry : Geometry, optional
            How meshes stand for the true parts: chord errors, insides, surfaces, the unit.
        criteria : Criteria, optional
            What counts as a finding: relations, what is worse, the day.
        limits : Limits, optional
            Limits of the work: pairs, their number, the time.
        what_if : WhatIf, optional
            Other clearances and tolerances, for which findings are counted.
        run : Run, optional
            The cache and the display of progress.

        Returns
        -------
        Report

        Raises
        ------
        Error
            Arguments that contradict each other, wrong rules, a length whose unit cannot be converted, too
            many pairs, or a cache that cannot be used.

        Examples
        --------
        >>> import impinge
        >>> box = impinge.Mesh.box([1, 1, 1])
        >>> assembly = impinge.Assembly()
        >>> assembly.add_source("stack.step", unit="mm")
        >>> for i in range(3):
        ...     _ = assembly.add(box, impinge.pose([0, 0, 1.5 * i]), name=f"box {i}", file="stack.step")
        >>> report = assembly.check(clearance="1mm", measure=impinge.check.Measure(floating=True))
        >>> [finding.kind for finding in report.findings], len(report.floating)
        (['near', 'near'], 0)
        """
        refuse_others(
            measure=measure, geometry=geometry, criteria=criteria, limits=limits, what_if=what_if, run=run
        )
        check = options(
            Coordinates.of(self._native, geometry.unit, 'geometry=impinge.check.Geometry(unit="mm")'),
            clearance=clearance,
            tolerance=tolerance,
            measure=measure,
            geometry=geometry,
            criteria=criteria,
            limits=limits,
            what_if=what_if,
        )
        origin = Origin.read(rules, only, ignore, baseline, criteria.worse, criteria.today)
        heard = _arguments.listener("progress", run.progress)
        ruled = origin.ruled
        if ruled is not None:
            stated = {"tolerance": tolerance is not None, "clearance": clearance is not None}
            refuse(ruled, geometry.surfaces, {"report": bool(criteria.report), **stated})
        compared = origin.compared
        pairs, time_limit = limits.pairs, limits.time_limit
        if pairs is not None and between is not False:
            raise ValueError("pairs and between: give one of them")
        if time_limit is not None and not time_limit >= 0:
            raise ValueError(f"time_limit must be a number of seconds, not {time_limit}")
        # Edits during or after the call do not change this copy.
        kept = self.copy()
        if between is True:
            two_sources(kept)
        elif between is not False:
            names = kept._native.names()
            first, second = _two_groups(between)
            origin.groups = [indices(first, names), indices(second, names)]
        if callable(pairs):
            origin.chosen = Chosen(pairs)
        elif pairs is not None:
            listed = np.array(pairs)
            origin.listed = np.empty((0, 2), dtype=np.int64) if listed.shape == (0,) else listed
        shown = _progress.shown() if run.progress is True else None
        hears = shown if heard is None else heard
        try:
            done = check.run(
                kept._native,
                between is True,
                origin.listed,
                origin.groups,
                origin.chosen,
                measure.floating,
                ruled,
                compared,
                None if run.cache is None else Path(run.cache),
                threads,
                None if time_limit == math.inf else time_limit,
                hears,
            )
        finally:
            if shown is not None:
                shown.close()
        return Report(done, kept, origin)


def _two_groups(between: Any) -> tuple[Any, Any]:
    if not isinstance(between, Sequence) or isinstance(between, str) or len(between) != 2:
        given = _arguments.shown(between)
        raise ValueError(f"between must be True or a pair: two parts, or two lists of parts, not {given}")
    return between[0], between[1]


def _unpickled(kind: type[Assembly], native: _Assembly) -> Assembly:
    return kind._of(native)


def two_sources(assembly: Assembly) -> None:
    """Refuse an assembly that has not two files."""
    count = len(assembly.sources)
    if count != 2:
        raise Error(f"between: pairs across two files need an assembly of two, not of {count}")
