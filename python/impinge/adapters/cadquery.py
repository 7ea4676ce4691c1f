"""Assemblies and shapes of CadQuery."""

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
    """An `Assembly` of a ``cadquery.Assembly``, or of workplanes and shapes, to be checked.

    A part for each object of the assembly, named as CadQuery names it; `Part.path` has the names above it.
    Curved faces become triangles, which are at most `chord` from them: `Assembly.check` then says which
    findings are definite, and which only possible. Plane faces are exact. A shape that cannot be meshed is an
    omission, which the report has as not examined.

    Parameters
    ----------
    *shapes : cadquery.Assembly, cadquery.Workplane or cadquery.Shape
    chord : length, optional
        How far triangles may be from the true surface.
    unit : str, optional
        The unit of the coordinates.

    Returns
    -------
    Assembly
    """
    cq = need("cadquery", "cadquery")
    found = Shapes("cadquery", chord, unit)
    for number, shape in enumerate(shapes):
        if isinstance(shape, cq.Assembly):
            _add(found, shape, np.eye(4), "")
        else:
            _add_object(found, shape, np.eye(4), f"shape {number}", f"shape {number}")
    return found.assembly


def _add(found: Shapes, assembly: Any, pose: NDArray[np.float64], above: str) -> None:
    pose = _product(pose, matrix(assembly.loc.wrapped.Transformation()))
    path = f"{above}/{assembly.name}" if above else str(assembly.name)
    if assembly.obj is not None:
        _add_object(found, assembly.obj, pose, str(assembly.name), path)
    for child in assembly.children:
        _add(found, child, pose, path)


def _add_object(found: Shapes, thing: Any, pose: NDArray[np.float64], name: str, path: str) -> None:
    cq = need("cadquery", "cadquery")
    shapes = thing.vals() if isinstance(thing, cq.Workplane) else [thing]
    solids = [shape for shape in shapes if isinstance(shape, cq.Shape)]
    if len(solids) < len(shapes) or not solids:
        raise TypeError(
            f"{name}: an object is a Workplane with shapes, or a Shape, not a {type(thing).__name__}"
        )
    for number, shape in enumerate(solids):
        of_many = name if len(solids) == 1 else f"{name} {number}"
        found.add(shape.wrapped, pose, of_many, path)
