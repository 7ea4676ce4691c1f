"""Shapes and assemblies of build123d."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._assembly import Assembly
from impinge._core import _product
from impinge._lengths import Length
from impinge.adapters._need import need
from impinge.adapters._ocp import Shapes, matrix


def assembly(*shapes: Any, chord: Length = 0.1, unit: str = "mm") -> Assembly:
    """An `Assembly` of shapes of build123d, to be checked.

    A part for each shape without children, named after its label; `Part.path` has the labels above it. Their
    curved faces become triangles, which are at most `chord` from them: `Assembly.check` then says which
    findings are definite, and which only possible. Plane faces are exact. A shape that cannot be meshed is an
    omission, which the report has as not examined.

    Parameters
    ----------
    *shapes : build123d.Shape
        Compounds with children, parts or solids.
    chord : length, optional
        How far triangles may be from the true surface.
    unit : str, optional
        The unit of the coordinates.

    Returns
    -------
    Assembly
    """
    b123d = need("build123d", "build123d")
    found = Shapes("build123d", chord, unit)
    for number, shape in enumerate(shapes):
        if not isinstance(shape, b123d.Shape):
            raise TypeError(f"shapes are those of build123d, not a {type(shape).__name__}")
        _add(found, shape, np.eye(4), "", f"shape {number}")
    return found.assembly


def _add(found: Shapes, shape: Any, pose: NDArray[np.float64], above: str, default: str) -> None:
    name = str(shape.label or default)
    path = f"{above}/{name}" if above else name
    if not shape.children:
        found.add(shape.wrapped, pose, name, path)
        return
    # A child's location is relative to its parent's.
    pose = _product(pose, matrix(shape.wrapped.Location().Transformation()))
    for number, child in enumerate(shape.children):
        _add(found, child, pose, path, f"{name} {number}")
