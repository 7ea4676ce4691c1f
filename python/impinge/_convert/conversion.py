"""The result of reading a file: elements, omissions and warnings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from impinge._part import Value

Progress = Callable[[str, int, int], object]
"""Called with the name of a stage, the work that is done, and that of the whole stage."""


@dataclass(slots=True)
class Element:
    """A part to be."""

    name: str
    path: str
    """Names from the root of the hierarchy, joined by ``/``."""
    vertices: NDArray[np.float64]
    """(N, 3), in the frame of the mesh. Elements of one mesh share the array."""
    faces: NDArray[np.uint32]
    """(M, 3)"""
    pose: NDArray[np.float64]
    """(4, 4)"""
    chord: float
    """Largest distance of the triangles from the true surface, stated or measured; 0 for plane faces."""
    guid: str | None = None
    type: str | None = None
    properties: dict[str, Value] = field(default_factory=dict)
    rounding: float | None = None
    """Bound on the rounding of its points that the file states, in the unit."""


@dataclass(slots=True)
class Omission:
    """Something of a file that is no part."""

    reason: str
    type: str | None = None
    name: str | None = None
    guid: str | None = None
    count: int = 1
    failed: bool = False
    """Whether it has a shape that could not be read or meshed: then the result of a check is incomplete."""


@dataclass(slots=True)
class Conversion:
    """A file, converted."""

    unit: str
    """The unit of the coordinates: a key of `_lengths.METRES`."""
    up: str | None
    """The axis that points up; None if the format states none."""
    settings: str
    """The settings that the shapes depend on, for people."""
    offset: tuple[float, float, float] | None = None
    """Offset that the file adds to coordinates to get a place on Earth, in the unit."""
    elements: list[Element] = field(default_factory=list)
    omissions: list[Omission] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def warn(self, text: str) -> None:
        """Add a warning, if it is new. A file cannot make them more than a few hundred."""
        if text not in self.warnings and len(self.warnings) < 200:
            self.warnings.append(text)
