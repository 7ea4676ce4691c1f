"""Units of length, and lengths: numbers in the unit of the coordinates, or texts with a unit of their own."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Self

from impinge._arguments import shown
from impinge._errors import Error

if TYPE_CHECKING:
    from impinge._core import _Assembly

Length = float | str
"""A number in the unit of the coordinates, or a text with a unit, such as "5mm"."""

METRES = {
    "um": Fraction(1, 1_000_000),
    "mm": Fraction(1, 1000),
    "cm": Fraction(1, 100),
    "m": Fraction(1),
    "in": Fraction(254, 10_000),
    "ft": Fraction(3048, 10_000),
}
"""The length of each unit, by its symbol."""

_NAMES = {
    "micrometre": "um",
    "micrometer": "um",
    "micron": "um",
    "millimetre": "mm",
    "millimeter": "mm",
    "centimetre": "cm",
    "centimeter": "cm",
    "metre": "m",
    "meter": "m",
    "inch": "in",
    "inches": "in",
    "foot": "ft",
    "feet": "ft",
}

_LENGTH = re.compile(r"([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\s*(\w*)")


def _exact_symbol(text: str) -> str | None:
    # Unicode has two letters that look like this: the micro sign and the Greek mu.
    text = text.replace("\u00b5m", "um").replace("\u03bcm", "um")
    return text if text in METRES else _NAMES.get(text.lower(), _NAMES.get(text.lower().removesuffix("s")))


def symbol(text: str) -> str | None:
    """The symbol of a unit that a file names, in any case; None if it is unknown."""
    return _exact_symbol(text.strip()) or _exact_symbol(text.strip().lower())


def known_unit(unit: str) -> str:
    """The symbol of the unit that the argument `unit` states."""
    if not isinstance(unit, str):
        raise TypeError(f"unit must be a name or a symbol, such as 'mm', not {shown(unit)}")
    found = symbol(unit)
    if found is None:
        raise Error(f"unit: {unit!r} is not a unit of length; known are um, mm, cm, m, in and ft")
    return found


def parsed(name: str, text: str) -> tuple[Fraction, str | None]:
    """The number and the unit of a length that is a text; `name` begins the text of an error."""
    found = _LENGTH.fullmatch(text.strip())
    # A symbol has one spelling, as in the command: Mm is a megametre.
    unit = _exact_symbol(found[2]) if found else None
    if found is None or (found[2] and unit is None):
        raise Error(f"{name} {text!r}: a length is a number, or one with um, mm, cm, m, in or ft, as '0.1mm'")
    return Fraction(found[1]), unit


def converted(length: Fraction, unit: str | None, to: str) -> float:
    """A length in another unit, rounded once. Without a unit it is in that one."""
    try:
        return float(length if unit is None else length * METRES[unit] / METRES[to])
    except OverflowError:
        return math.inf


_STATE = 'Assembly.add_source(file, unit="mm")'


@dataclass(frozen=True, slots=True)
class Coordinates:
    """The unit of coordinates, in which lengths become numbers."""

    unit: str | None = None
    """Its symbol; None if it is unknown."""
    why: str = "the unit of the coordinates is unknown; give a number in that unit"
    """Why it is unknown, and what to do."""

    @classmethod
    def of(cls, assembly: _Assembly, stated: str | None = None, state: str = _STATE) -> Self:
        """The unit that all sources of an assembly state, or else that of the caller.

        `state` is the argument that states it, for errors.
        """
        sources = assembly.sources()
        files: dict[str | None, str] = {}
        for file, _, unit, *_ in sources:
            files.setdefault(unit, str(file))
        if sum(source[4] for source in sources) < len(assembly):
            files.setdefault(None, "memory")
        return cls._of(files, stated, state)

    @classmethod
    def of_part(cls, assembly: _Assembly, part: int | None, file: Path | None = None) -> Self:
        """The unit that the source of a part states; None is the part that is added next, from this file."""
        sources = assembly.sources()
        if part is None:
            sources = [source for source in sources[-1:] if source[0] == (file or Path("memory"))]
        else:
            ends = accumulate(source[4] for source in sources)
            sources = [source for source, end in zip(sources, ends, strict=True) if part < end][:1]
        return cls._of({source[2]: str(source[0]) for source in sources}, None, _STATE)

    @classmethod
    def _of(cls, files: dict[str | None, str], stated: str | None, state: str) -> Self:
        if len(files) == 1 and None not in files:
            stated = str(*files)
        if stated is not None:
            return cls(known_unit(stated))
        reason = " and ".join(f"{file} is in {unit or 'an unknown unit'}" for unit, file in files.items())
        return cls(None, f"{reason or 'the unit is unknown'}; state it by {state}, or give a number")

    def length(self, name: str, value: object) -> float:
        """A length as a number: finite and not negative. `name` begins the text of an error."""
        if isinstance(value, str):
            number, unit = parsed(name, value)
            if unit is not None and self.unit is None:
                raise Error(f"{name} {value!r}: {self.why}")
            found = converted(number, unit, self.unit or "m")
        else:
            wrong = f"{name} must be a length, such as 5 or '5mm', not {shown(value)}"
            if isinstance(value, bool | bytes):
                raise TypeError(wrong)
            try:
                found = float(value)  # type: ignore[arg-type]
            except TypeError:
                raise TypeError(wrong) from None
        if not 0 <= found < math.inf:
            raise Error(f"{name} must be finite and not negative, not {value}")
        return found

    def lengths(self, name: str, values: object) -> list[float]:
        """Several lengths as numbers."""
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise TypeError(f"{name} must be a list of lengths, such as [1, '5mm'], not {shown(values)}")
        return [self.length(name, value) for value in values]
