"""What notebooks show of reports, assemblies and pairs of bodies."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Iterable
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from impinge._findings import volume_text

if TYPE_CHECKING:
    from impinge._assembly import Assembly
    from impinge._core import Body
    from impinge._findings import Finding
    from impinge._report import Report

GROUPS = 20
"""Rows of the table of groups."""
PARTS = 20
"""Rows of the table of parts."""
MESHES = 4 << 20
"""Bytes of a page from which on it leaves meshes out."""
PAGE = 8 << 20
"""A longer page is not embedded: notebooks keep it in their file."""


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else escape(str(value))


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    def line(tag: str, cells: Iterable[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{_cell(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<table><thead>{line('th', heads)}</thead><tbody>{body}</tbody></table>"


def of_report(report: Report) -> str:
    """A table of groups, and the page in a frame that has no access to the notebook."""
    groups = report.groups().groups
    rows = []
    for group in groups[:GROUPS]:
        first = group.findings[0]
        names = [part.name for part in first.parts] + [""]
        sizes = volume_text(first.volume_at_least, first.volume), first.depth, first.distance
        rows.append([*names[:2], first.kind, first.test, len(group), *sizes])
    heads = ("part", "other part", "relation", "test", "times", "volume", "depth", "gap")
    text = f"<p><b>{escape(repr(report))}</b></p>"
    if rows:
        text += _table(heads, rows)
    if len(groups) > GROUPS:
        text += f"<p>The gravest {GROUPS} of {len(groups)} groups.</p>"
    if len(report.not_examined) or any(one.failed for one in report.omissions):
        failed = sum(one.failed for one in report.omissions)
        text += f"<p>Not examined: {len(report.not_examined)} pairs, {failed} parts.</p>"
    page = report._native.html(MESHES)
    if len(page) > PAGE:
        what = "see <code>report.write('report.html')</code>."
        return text + f"<p>The page has {len(page) >> 20} MiB: {what}</p>"
    # In a frame of its own origin the page can run its script, and reach nothing else.
    return (
        f'{text}<iframe title="impinge report" sandbox="allow-scripts" style="width:100%;height:600px;'
        f'border:1px solid #888" srcdoc="{escape(page)}"></iframe>'
    )


def of_assembly(assembly: Assembly) -> str:
    """Files with their units, and the first parts."""
    sources = [(one.file, one.unit or "not known", one.parts) for one in assembly.sources]
    text = f"<p><b>{escape(repr(assembly))}</b></p>"
    if sources:
        text += _table(("file", "unit", "parts"), sources)
    parts = [
        (i, part.name, part.type, len(part.mesh.faces))
        for i, part in zip(range(PARTS), assembly, strict=False)
    ]
    if parts:
        text += _table(("", "part", "type", "triangles"), parts)
    if len(assembly) > PARTS:
        text += f"<p>The first {PARTS} of {len(assembly)} parts.</p>"
    return text


def _is_notebook() -> bool:
    ipython: Any = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def show(shown: Any, file: str) -> None:
    """Display something in the notebook; elsewhere write the page of its report, and open a browser."""
    if _is_notebook():
        import_module("IPython.display").display(shown)
        return
    report = shown if hasattr(shown, "write") else shown.report
    path = Path(tempfile.mkdtemp(prefix="impinge-")) / file
    report.write(path)
    webbrowser.open(path.as_uri())


def show_picture(shown: Any) -> None:
    """Display a body, a model or a mesh in the notebook; elsewhere write its picture, and open a browser."""
    if _is_notebook():
        import_module("IPython.display").display(shown)
        return
    picture = shown.picture()
    if picture is None:
        raise ValueError(f"{shown!r} has no triangles, and so no picture")
    path = Path(tempfile.mkdtemp(prefix="impinge-")) / "picture.png"
    path.write_bytes(picture)
    webbrowser.open(path.as_uri())


class View:
    """Two bodies with the curves in which they meet, as a notebook shows them: see `view`.

    Attributes
    ----------
    report : Report
        The check of the two bodies, with one finding: how they meet, or how far apart they are.
    """

    __slots__ = ("report",)

    def __init__(self, report: Report) -> None:
        self.report = report

    @property
    def finding(self) -> Finding:
        """How the bodies meet, or how far apart they are."""
        found: Finding = self.report.findings[0]
        return found

    def _repr_png_(self) -> bytes | None:
        return self.finding._repr_png_()

    def __repr__(self) -> str:
        finding = self.finding
        size = "" if finding.distance is None else f", {finding.distance:.6g} apart"
        return f"View({finding.kind}{size})"

    def show(self) -> None:
        """Display it in a notebook; elsewhere open the page of its report in a browser."""
        show(self, "view.html")


def view(a: Body, b: Body) -> View:
    """Show two bodies in a notebook: the first blue, the second orange, and the curves in which they meet.

    Parameters
    ----------
    a, b : Body
        Bodies with triangles.

    Returns
    -------
    View
        A notebook displays it as a picture; ``show()`` also works elsewhere.

    Examples
    --------
    >>> import impinge
    >>> points = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
    >>> model = impinge.Model(impinge.Mesh(points, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]))
    >>> impinge.view(impinge.Body(model), impinge.Body(model, [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]))
    View(overlap)
    >>> impinge.view(impinge.Body(model), impinge.Body(model, [[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]]))
    View(near, 3 apart)
    """
    from impinge._assembly import Assembly
    from impinge._core import distance
    from impinge._settings import Criteria

    assembly = Assembly()
    for body, name in (a, "a"), (b, "b"):
        assembly.add(body.model.mesh, body.pose, name=name, affine=not body.is_rigid)
    gap = distance(a, b)
    if gap is None:
        raise ValueError("a body without triangles cannot be shown")
    return View(assembly.check(clearance=gap.hi, criteria=Criteria(report="all")))
