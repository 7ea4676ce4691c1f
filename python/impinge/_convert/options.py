"""Options of a conversion."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Self

from impinge._errors import Error
from impinge._lengths import Length, converted, known_unit, parsed


def _parsed(text: str) -> tuple[Fraction, str | None]:
    length, unit = parsed("chord", text)
    if not 1e-300 < length < 1e300:
        raise Error(f"chord {text!r}: the deflection must be finite and more than 0")
    return length, unit


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a conversion. The cache has a bundle for each combination."""

    chord: str | None = None
    """The deflection for the mesher, as a length; None lets the reader choose."""
    spaces: bool = False
    """Whether spaces and openings of IFC are parts."""
    unit: str | None = None
    """The unit of the coordinates, a key of `METRES`; None is that of the file."""

    @classmethod
    def checked(cls, chord: Length | None = None, spaces: bool = False, unit: str | None = None) -> Self:
        """These options. An `Error` states what is wrong with the length or the unit."""
        unit = None if unit is None else known_unit(unit)
        text = None if chord is None else str(chord).strip()
        if text is not None:
            _parsed(text)
        return cls(text, bool(spaces), unit)

    def chord_in(self, unit: str) -> float | None:
        """The deflection in a unit, rounded once. A length without a unit is in the file's."""
        if self.chord is None:
            return None
        return converted(*_parsed(self.chord), unit)

    def text(self) -> str:
        """The options as JSON, in one spelling."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """The inverse of `text`."""
        return cls(**json.loads(text))
