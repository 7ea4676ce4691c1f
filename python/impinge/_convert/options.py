"""Options of a conversion."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Self

from impinge._convert.units import METRES, symbol
from impinge._errors import Error

_LENGTH = re.compile(r"\s*([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?|[0-9]+\.)\s*([a-zA-Z]*)\s*")


def _parsed(text: str) -> tuple[Fraction, str | None]:
    found = _LENGTH.fullmatch(text)
    unit = symbol(found[2]) if found else None
    if found is None or (found[2] and unit is None):
        raise Error(
            f"chord '{text}': a length is a number, or one with um, mm, cm, m, in or ft, such as 0.1mm"
        )
    length = Fraction(found[1])
    if not 1e-300 < length < 1e300:
        raise Error(f"chord '{text}': the deflection must be finite and more than 0")
    return length, unit


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may choose. The cache has a bundle for each choice."""

    chord: str | None = None
    """The deflection for the mesher, as a length; None lets the reader choose."""
    spaces: bool = False
    """Whether spaces and openings of IFC are parts."""
    unit: str | None = None
    """The unit of the coordinates, a key of `units.METRES`; None is that of the file."""

    @classmethod
    def checked(cls, chord: str | float | None = None, spaces: bool = False, unit: str | None = None) -> Self:
        """These options. An `Error` states what is wrong with the length or the unit."""
        if unit is not None:
            stated, unit = unit, symbol(unit)
            if unit is None:
                raise Error(f"unit '{stated}': known are um, mm, cm, m, in and ft")
        text = None if chord is None else str(chord).strip()
        if text is not None:
            _parsed(text)
        return cls(text, bool(spaces), unit)

    def chord_in(self, unit: str) -> float | None:
        """The deflection in a unit, rounded once. A length without a unit is in the file's."""
        if self.chord is None:
            return None
        length, stated = _parsed(self.chord)
        return float(length if stated is None else length * METRES[stated] / METRES[unit])

    def text(self) -> str:
        """The options as JSON, in one spelling."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def of_text(cls, text: str) -> Self:
        """The inverse of `text`."""
        return cls(**json.loads(text))
