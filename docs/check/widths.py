"""Checks that lines of pages have at most 110 columns, except tables and links."""

from __future__ import annotations

from fences import GENERATED, HISTORY
from pages import Page

COLUMNS = 110


def check(pages: list[Page]) -> list[str]:
    return [
        f"{page.name}:{i}: {len(line)} columns"
        for page in pages
        if not page.name.startswith(HISTORY + GENERATED)
        for i, line in enumerate(page.text.splitlines(), 1)
        if len(line) > COLUMNS and not line.lstrip().startswith(("|", "[", "!["))
    ]
