"""Checks that DEPENDENCIES.md has a line for each crate of a manifest."""

from __future__ import annotations

import re
import tomllib

from pages import ROOT, tracked


def check() -> list[str]:
    wrong = []
    sections = re.split(r"^## ", (ROOT / "DEPENDENCIES.md").read_text(encoding="utf8"), flags=re.MULTILINE)
    for path in tracked("crates/*/Cargo.toml", "fuzz/Cargo.toml", "bench/Cargo.toml"):
        folder = path.parent.name
        text = next((one for one in sections if re.match(rf"{folder}\b(?!-)", one)), None)
        named = tomllib.loads(path.read_text(encoding="utf8")).get("dependencies", {})
        for name in named:
            if not name.startswith("impinge") and f"`{name}`" not in (text or ""):
                wrong.append(f"DEPENDENCIES.md: no line for `{name}` of {path.parent.relative_to(ROOT)}")
    return wrong
