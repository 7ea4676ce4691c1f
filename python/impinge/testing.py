"""Assertions for tests, of pytest or any other runner."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from impinge._assembly import Assembly
from impinge._choice import Which, indices
from impinge._findings import Finding, volume_text
from impinge._read import read
from impinge._report import Report
from impinge._results import RelationKind

Allowed = Iterable[Which | tuple[Which, Which]]

_VERBS = {
    RelationKind.OVERLAP: "overlaps",
    RelationKind.INSIDE: "is inside of",
    RelationKind.CONTAINS: "holds",
    RelationKind.DUPLICATE: "is the same as",
    RelationKind.PIERCE: "pierces, or is pierced by,",
    RelationKind.SURFACE_INSIDE: "is inside of, or holds,",
    RelationKind.MEET: "meets",
    RelationKind.TOUCH: "touches",
    "near": "is too near to",
}


class InterferenceError(AssertionError):
    """Parts that interfere, and must not; or parts that could not be examined.

    Attributes
    ----------
    report : Report
        The report of the check, with the findings that are allowed.
    """

    report: Report

    def __init__(self, text: str, report: Report) -> None:
        super().__init__(text)
        self.report = report


def assert_no_interference(assembly: Any, *, allow: Allowed = (), limit: int = 10, **options: Any) -> Report:
    """Assert that no two parts of an assembly interfere.

    Touching is no interference. What could not be examined is a failure, too.

    Parameters
    ----------
    assembly : Assembly, path, or trimesh.Scene
        The parts, or a file that `impinge.read` reads.
    allow : sequence of str, int, or pairs of these, optional
        Pairs of parts that may interfere, by index or by name, in which ``*`` stands for any characters; one
        alone allows all pairs of that part. A name that no part has is a `KeyError`.
    limit : int, optional
        How many findings the text of a failure lists, the gravest first.
    **options
        Further arguments of `Assembly.check`, such as ``clearance=``, ``tolerance=`` and ``rules=``.

    Returns
    -------
    Report

    Raises
    ------
    InterferenceError
        Its text names the worst clashes; its ``report`` has all.

    Examples
    --------
    >>> import impinge
    >>> from impinge.testing import assert_no_interference
    >>> box = impinge.Mesh.box([2, 2, 2])
    >>> assembly = impinge.Assembly.from_meshes({"plate": box, "bolt": box})
    >>> assembly.set_pose("bolt", impinge.pose([1.5, 0, 0]))
    >>> assert_no_interference(assembly)
    Traceback (most recent call last):
        ...
    impinge.testing.InterferenceError: 1 interference among 2 parts
      plate overlaps bolt: volume 2, depth 0.5, separating distance 0.5, at (0.6667, 0.8333, -1)
    >>> assert_no_interference(assembly, allow=[("plate", "bolt")]).is_clean
    False
    """
    __tracebackhide__ = True
    if isinstance(assembly, str | os.PathLike):
        assembly = read(assembly)
    elif not isinstance(assembly, Assembly):
        assembly = Assembly.from_trimesh(assembly)
    may = _allowed(allow, [part.name for part in assembly])
    report: Report = assembly.check(**options)
    ranked = report.ranked_findings()
    # With a baseline, findings that it has do not count.
    counted = [one for one in ranked if one.status in (None, "new", "reopened")]
    bad = [one for one in counted if not _is_allowed(one, may)]
    left = _not_examined(report)
    if not bad and not left:
        return report
    count = f"{len(bad)} interference{'s' if len(bad) != 1 else ''} among {len(assembly)} parts"
    lines = [count, *(f"  {_line(one)}" for one in bad[:limit])]
    if len(bad) > limit:
        lines.append(f"  and {len(bad) - limit} more")
    if len(counted) > len(bad):
        lines.append(f"  {len(counted) - len(bad)} allowed")
    raise InterferenceError("\n".join([*lines, *(f"  {line}" for line in left)]), report)


def _allowed(allow: Allowed, names: list[str]) -> list[tuple[set[int], set[int]]]:
    everything = set(range(len(names)))
    pairs = [one if isinstance(one, tuple) else (one, None) for one in allow]
    return [(set(indices(a, names)), everything if b is None else set(indices(b, names))) for a, b in pairs]


def _is_allowed(finding: Finding, may: list[tuple[set[int], set[int]]]) -> bool:
    first = finding.a.index
    second = first if finding.b is None else finding.b.index
    return any(first in a and second in b or second in a and first in b for a, b in may)


def _not_examined(report: Report) -> list[str]:
    """Lines about what the check has not examined."""
    lines = [
        f"not examined: {one.name or f'{one.count} parts'} of {one.file}, {one.reason}"
        for one in report.omissions
        if one.failed
    ]
    pairs = len(report.not_examined)
    return lines + ([f"not examined: {pairs} pairs of parts, as the time was up"] if pairs else [])


def _line(finding: Finding) -> str:
    """A finding as a line of text."""
    known = []
    if finding.volume is not None:
        known.append(f"volume {volume_text(finding.volume_at_least, finding.volume)}")
    if finding.depth is not None:
        known.append(f"depth {finding.depth:.4g}")
    if finding.separating_distance is not None:
        known.append(f"separating distance {finding.separating_distance:.4g}")
    if finding.distance is not None:
        known.append(f"{finding.distance:.4g} apart")
    if finding.clash is not None and finding.clash.certainty is not None:
        known.append(str(finding.clash.certainty))
    if finding.point is not None:
        known.append("at ({})".format(", ".join(f"{x:.4g}" for x in finding.point)))
    if finding.b is None:
        what = f"{finding.a.label}: {finding.kind.replace('_', ' ')}"
    else:
        what = f"{finding.a.label} {_VERBS.get(finding.kind, finding.kind)} {finding.b.label}"
    return f"{what}: {', '.join(known)}" if known else what
