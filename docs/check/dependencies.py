"""Checks that DEPENDENCIES.md has a line for each crate of a manifest."""

from __future__ import annotations

import re
import tomllib

from pages import ROOT, tracked


def check() -> list[str]:
    wrong = []
    sections = re.split(r"^## ", (ROOT / "DEPENDENCIES.md").read_text(encoding="utf8"), flags=re.MULTILINE)
    for path in tracked("crates/*/Cargo.toml", "papers/*/Cargo.toml", "fuzz/Cargo.toml", "bench/Cargo.toml"):
        manifest = tomllib.loads(path.read_text(encoding="utf8"))
        # The headings of fuzz and bench are their folders.
        title = manifest["package"]["name"] if path.parent.parent != ROOT else path.parent.name
        text = next((one for one in sections if re.match(rf"{title}\b(?!-)", one)), None)
        named = manifest.get("dependencies", {})
        for name in named:
            if not name.startswith("impinge") and f"`{name}`" not in (text or ""):
                wrong.append(f"DEPENDENCIES.md: no line for `{name}` of {path.parent.relative_to(ROOT)}")
    return wrong
