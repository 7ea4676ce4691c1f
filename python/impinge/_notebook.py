"""Views of reports and assemblies in notebooks."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Iterable
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from impinge._findings import volume_text
from impinge._groups import Groups
from impinge._part_list import PartList
from impinge._records import ReportLists

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


def of_report(report: ReportLists) -> str:
    """A table of groups, and the page in a frame that has no access to the notebook."""
    groups = Groups(report, None, None).groups
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


def of_assembly(assembly: PartList) -> str:
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
