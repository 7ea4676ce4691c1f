"""Shapes of Open CASCADE in memory, as build123d and CadQuery have them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from impinge._assembly import Assembly
from impinge._convert import step_mesh
from impinge._core import Mesh, _product
from impinge._lengths import Coordinates, Length, known_unit
from impinge.adapters._need import need


class Shapes:
    """Adds shapes to an assembly. Shapes that share their geometry share a mesh.

    Parameters
    ----------
    origin : str
        The name of the source.
    chord : length
        How far triangles may be from the true surface.
    unit : str
        The unit of the coordinates.
    """

    def __init__(self, origin: str, chord: Length, unit: str) -> None:
        chord = Coordinates(known_unit(unit)).length("chord", chord)
        if chord == 0:
            raise ValueError("chord must be more than 0")
        self.assembly, self.origin, self.chord = Assembly(), origin, chord
        self.assembly.add_source(origin, unit=unit, up="z", settings=f"chord {chord} {unit}")
        # The shapes are kept, and so their identities.
        self._made: list[tuple[Any, Mesh, float]] = []

    def add(self, shape: Any, pose: NDArray[np.float64], name: str, path: str) -> None:
        """Add a shape (``TopoDS_Shape``) at a pose that comes on top of its own location."""
        topology = need("OCP.TopLoc", "cadquery-ocp")
        pose = _product(pose, matrix(shape.Location().Transformation()))
        bare = shape.Located(topology.TopLoc_Location())
        for known, mesh, chord in self._made:
            if known.IsSame(bare):
                break
        else:
            found = step_mesh.mesh(bare, self.chord)
            if found.failed_faces or len(found.faces) == 0:
                why = (
                    f"{found.failed_faces} faces have no triangles"
                    if found.failed_faces
                    else "it has no face"
                )
                self.assembly.omit(self.origin, why, name=name, failed=True)
                return
            mesh, chord = Mesh(found.vertices, found.faces), found.chord
            self._made.append((bare, mesh, chord))
        self.assembly.add(mesh, pose, name=name, file=self.origin, path=path, chord=chord or None)


def matrix(transformation: Any) -> NDArray[np.float64]:
    """The matrix of a ``gp_Trsf``."""
    rows = np.eye(4)
    for i in range(3):
        rows[i] = [transformation.Value(i + 1, k + 1) for k in range(4)]
    return rows
