"""Rules: which parts belong to which sets, which pairs are tested, and what is designed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from os import PathLike
from pathlib import Path
from typing import Any, Self

from numpy.typing import ArrayLike

from impinge._core import _pose_list, _Rules, _rules_text
from impinge._errors import Error
from impinge._part_list import PartList


class Rules:
    """Rules in TOML: sets of parts, tests of pairs of sets, and findings that are designed.

    ``impinge rules example`` prints a file with everything.

    Parameters
    ----------
    text : str
        The rules.
    file : str, optional
        The name that errors and warnings have.

    Attributes
    ----------
    file : str
        The name of the file.
    text : str
        The rules as they were given.
    tests : tuple of str
        The names of the tests.

    Raises
    ------
    Error
        ``FILE:LINE:COLUMN: what``, if the text is no valid file of rules.

    Examples
    --------
    >>> import impinge
    >>> triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]
    >>> assembly = impinge.Assembly.from_meshes({"IPE 200": triangle, "wall": triangle})
    >>> rules = impinge.Rules('version = 1\\nsets = { steel = "IPE*", tall = { length_y = ">0.5" } }')
    >>> rules.sets(assembly)
    {'steel': [0], 'tall': [0, 1]}
    """

    __slots__ = ("_native", "_poses", "file", "tests", "text")

    _poses: dict[str, ArrayLike]
    file: str
    tests: tuple[str, ...]
    text: str

    def __init__(self, text: str, file: str = "rules") -> None:
        self._native = _Rules(text, file)
        self._poses = {}
        self.text = text
        self.file = file
        self.tests = tuple(self._native.tests())

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Self:
        """Read a file of rules, and the lists of poses that its tests name.

        These lie inside the folder of the file.

        Parameters
        ----------
        path : path

        Returns
        -------
        Rules

        Raises
        ------
        Error
            If it is no valid file of rules.
        OSError
            If it cannot be read.
        """
        path = Path(path)
        rules = cls(_rules_text(path), str(path))
        for name in rules._native.missing_poses():
            rules = rules.with_poses(name, _pose_list(path, name))
        return rules

    def with_poses(self, name: str, poses: ArrayLike) -> Self:
        """These rules with a list of poses, for tests with ``find = "min-gap"`` that name it.

        Parameters
        ----------
        name : str
            Name of the list in the tests: ``poses = "arm.npy"``.
        poses : array_like, shape (P, 4, 4) or (P, 3, 4)
            Rigid motions of the test's parts `a`, applied where they are.

        Returns
        -------
        Rules

        Raises
        ------
        Error
            If a pose is not rigid.

        Examples
        --------
        >>> import impinge, numpy as np
        >>> rules = impinge.Rules(
        ...     'version = 1\\n[[test]]\\nname = "arm"\\nfind = "min-gap"\\na = { name = "arm*" }\\n'
        ...     'b = "*"\\nposes = "way"\\nclearance = 0.5'
        ... )
        >>> box = impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        ...                    [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
        >>> assembly = impinge.Assembly.from_meshes({"arm": box, "wall": box})
        >>> way = np.tile(np.eye(4), (3, 1, 1))
        >>> way[:, 0, 3] = [3, 1.25, 2]
        >>> report = assembly.check(rules=rules.with_poses("way", way))
        >>> [(finding.kind, finding.distance) for finding in report.findings]
        [('min_gap', 0.25)]
        """
        new = type(self)(self.text, self.file)
        new._poses = {**self._poses, name: poses}
        for known, given in new._poses.items():
            new._native = new._native.with_poses(known, given)
        return new

    def sets(self, assembly: PartList, *, unit: str | None = None) -> dict[str, list[int]]:
        """Find the parts of each named set.

        Parameters
        ----------
        assembly : Assembly
        unit : str, optional
            The unit of files that state none. Without it, that is the unit of the rules.

        Returns
        -------
        dict of str to list of int
            Indices of parts, which ascend, in the order of the file's sets.

        Raises
        ------
        Error
            If a condition has a length with a unit, and the unit of the coordinates is unknown.
        """
        return dict(self._native.sets(assembly._native, unit)[0])

    def warnings(self, assembly: PartList, *, unit: str | None = None) -> list[str]:
        """Find sets without a part, tests without a pair, and keys that no part has.

        Parameters
        ----------
        assembly : Assembly
        unit : str, optional
            As of `sets`.

        Returns
        -------
        list of str
            A line of text for each, with the line of the file.
        """
        return self._native.sets(assembly._native, unit)[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return _with_poses, (type(self), self.text, self.file, self._poses)

    def __repr__(self) -> str:
        return f"Rules({self.file!r}, {len(self.tests)} tests)"


def _with_poses(cls: type[Rules], text: str, file: str, poses: dict[str, ArrayLike]) -> Rules:
    rules = cls(text, file)
    for name, one in poses.items():
        rules = rules.with_poses(name, one)
    return rules


Ruled = tuple[_Rules, tuple[int, int, int]]
"""Rules, and the year, month and day on which they apply."""


def ruling(
    rules: Rules | str | PathLike[str] | None,
    only: str | Sequence[str] | None,
    ignore: str | Sequence[str],
    today: date | None,
) -> Ruled | None:
    """The rules of the arguments of `Assembly.check`; None if there are none."""
    given = rules if isinstance(rules, Rules) or rules is None else Rules.read(rules)
    native = None if given is None else given._native
    if only is not None or ignore:
        globs = only if only is None or isinstance(only, str) else ",".join(only)
        quick = _Rules.quick(globs, [ignore] if isinstance(ignore, str) else list(ignore))
        native = quick if native is None else quick.and_(native)
    if native is None:
        return None
    day = datetime.now(UTC) if today is None else today
    return native, (day.year, day.month, day.day)


def refuse(ruled: Ruled, surfaces: bool, stated: dict[str, bool]) -> None:
    """Refuse arguments that contradict the rules. `stated` has those that tests state, if any is given."""
    if surfaces:
        raise Error("surfaces: rules are about relations of solids")
    for name, is_stated in stated.items():
        if is_stated and ruled[0].tests():
            raise Error(f"{name}: the tests of the rules state it")
