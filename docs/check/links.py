"""Checks that every relative link has a file, every `#name` a heading, and that pages named in code exist."""

from __future__ import annotations

import re
from urllib.parse import unquote

from pages import ROOT, Page, tracked

# Links of crates' READMEs into the repository, as registries show them.
OURS = re.compile(r"https://github\.com/impinge/impinge/(?:blob|tree)/main/(.*)")


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
            elif re.match(r"[a-z][a-z0-9+.-]*:", target):
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
    return wrong + named_by_code() + named_as_text(pages)


def named_by_code() -> list[str]:
    """Comments, errors and `--help` name pages: `docs/x.md`."""
    wrong = []
    for path in tracked("*.rs", "*.py", "*.pyi", "*.toml", ".ci/*", "*.yml"):
        if path.parent.name == "check":
            continue
        for i, line in enumerate(path.read_text(encoding="utf8", errors="replace").splitlines(), 1):
            for name in re.findall(r"(?<![\w./-])((?:docs|bench)/[\w./-]+\.(?:md|svg))", line):
                if not (ROOT / name).exists():
                    wrong.append(f"{path.relative_to(ROOT)}:{i}: {name}: there is no such page")
    return wrong


def named_as_text(pages: list[Page]) -> list[str]:
    """A page that names a source file by its path from the root, in a code span."""
    wrong = []
    for page in pages:
        if "/record" in page.name or page.name in ("CHANGELOG.md", "docs/notebook.md"):
            continue
        for i, line in enumerate(page.prose, 1):
            for name in re.findall(r"`((?:crates|python|docs|bench|fuzz|\.ci)/[\w./-]+\.\w+)`", line):
                if not (ROOT / name).exists():
                    wrong.append(f"{page.name}:{i}: `{name}`: there is no such file")
    return wrong
