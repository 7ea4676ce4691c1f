"""A picture of two bodies."""

from __future__ import annotations

from impinge._assembly import Assembly
from impinge._core import Body, distance
from impinge._findings import Finding
from impinge._notebook import show
from impinge._report import Report
from impinge._settings import Criteria


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
        """The relation of the bodies, or the distance between them."""
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
    assembly = Assembly()
    for body, name in (a, "a"), (b, "b"):
        assembly.add(body.model.mesh, body.pose, name=name, affine=not body.is_rigid)
    gap = distance(a, b)
    if gap is None:
        raise ValueError("a body without triangles cannot be shown")
    return View(assembly.check(clearance=gap.hi, criteria=Criteria(report="all")))
