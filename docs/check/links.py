"""Checks that every relative link has a file, and every `#name` a heading."""

from __future__ import annotations

import re
from urllib.parse import unquote

from pages import ROOT, Page

# Links of crates' READMEs into the repository, as registries show them.
OURS = re.compile(r"https://github\.com/impinge/impinge/(?:blob|tree)/main/(.*)")
# Links to Rust items, in pages that a doc comment includes: rustdoc checks them.
ITEM = re.compile(r"\w+(::\w+)+")


def check(pages: list[Page]) -> list[str]:
    by_path = {page.path: page for page in pages}
    wrong = []
    for page in pages:
        for line, target in page.links:
            where = f"{page.name}:{line}: {target}"
            if target.startswith("["):
                wrong.append(f"{where}: the reference has no definition")
                continue
            if inside := OURS.fullmatch(target):
                target, base = inside.group(1), ROOT
            elif re.match(r"[a-z][a-z0-9+.-]*:", target) or ITEM.fullmatch(target):
                continue
            else:
                base = page.path.parent
            path, _, anchor = unquote(target).partition("#")
            file = (base / path).resolve() if path else page.path
            if not path:
                if anchor not in page.anchors:
                    wrong.append(f"{where}: this page has no heading of that name")
            elif not file.exists():
                wrong.append(f"{where}: there is no such file")
            elif not file.is_relative_to(ROOT):
                wrong.append(f"{where}: the link leaves the repository")
            elif anchor and file.suffix == ".md" and file in by_path and anchor not in by_path[file].anchors:
                wrong.append(f"{where}: {file.relative_to(ROOT)} has no heading of that name")
    return wrong
