"""Errors that ifcopenshell writes to its log instead of raising them."""

from __future__ import annotations

import importlib
import re

_ENTRY = re.compile(r"^\[(\w+)\] (?:\[\w+\] )?\[\d[^\]]*\] (?:\{([^}]*)\} )?(.*)$")
_LONGEST = 300


class Log:
    """The errors in the log: texts, and those of each element."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        """Each text with the number of its occurrences."""
        self.of_element: dict[str, list[str]] = {}
        """By GUID."""
        text = importlib.import_module("ifcopenshell").get_log()
        entry: tuple[str, list[str]] | None = None
        for line in text.splitlines():
            found = _ENTRY.match(line)
            if found is None:
                # An entry goes on in lines that have the entity.
                if entry is not None and len(entry[1]) < 3:
                    entry[1].append(line.strip())
                continue
            self._add(entry)
            entry = (found[2] or "", [found[3].strip()]) if found[1].lower() == "error" else None
        self._add(entry)

    def _add(self, entry: tuple[str, list[str]] | None) -> None:
        if entry is None:
            return
        guid, lines = entry
        text = " ".join(line for line in lines if line)[:_LONGEST]
        self.texts[text] = self.texts.get(text, 0) + 1
        if guid:
            self.of_element.setdefault(guid, []).append(text)
