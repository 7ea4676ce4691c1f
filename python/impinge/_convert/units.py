"""Units of length: their symbols, their names and their lengths."""

from __future__ import annotations

from fractions import Fraction

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
    "foot": "ft",
    "feet": "ft",
}


def symbol(text: str) -> str | None:
    """The symbol of a unit with this name or symbol, in any case; None if it is unknown."""
    text = text.strip().lower()
    text = _NAMES.get(text, text)
    return text if text in METRES else None
