"""Markdown pages of the repository: their headings, links, fenced blocks and marked blocks."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Fence:
    """A fenced block: its language, the line of its first fence (from 1), and its lines."""

    language: str
    line: int
    text: str
    marks: list[str] = field(default_factory=list)  # HTML comments right above it


@dataclass
class Page:
    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> Page:
        return cls(path, path.read_text(encoding="utf8"))

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def prose(self) -> list[str]:
        """The page's lines, fenced blocks blanked, so that line numbers stay."""
        lines, fence = [], None
        for line in self.text.splitlines():
            mark = re.match(r" *(```+|~~~+)", line)
            if fence is None and mark:
                fence = mark.group(1)
                lines.append("")
            elif fence is not None:
                if mark and line.strip() == fence:
                    fence = None
                lines.append("")
            else:
                lines.append(line)
        return lines

    @cached_property
    def fences(self) -> list[Fence]:
        found: list[Fence] = []
        lines, indent = self.text.splitlines(), ""
        open_at: int | None = None
        marks: list[str] = []
        for i, line in enumerate(lines):
            mark = re.match(r"( *)```+ *([\w,+-]*)", line)
            if open_at is None and mark:
                open_at, indent = i, mark.group(1)
                above = i - 1
                marks = []
                while above >= 0 and re.fullmatch(r" *<!--.*--> *", lines[above]):
                    marks.insert(0, lines[above].strip()[4:-3].strip())
                    above -= 1
                found.append(Fence(mark.group(2), i + 1, "", marks))
            elif open_at is not None and re.fullmatch(r" *```+ *", line):
                body = [row.removeprefix(indent) for row in lines[open_at + 1 : i]]
                found[-1].text = "\n".join(body) + "\n" if body else ""
                open_at = None
        if open_at is not None:
            raise ValueError(f"{self.name}:{open_at + 1}: the fenced block has no end")
        return found

    @cached_property
    def anchors(self) -> set[str]:
        """The names that a link may have after `#`, by GitHub's rule."""
        names: set[str] = set()
        for line in self.prose:
            names.update(re.findall(r"<a (?:name|id)=\"([^\"]+)\"", line))
            if heading := re.match(r"#{1,6} +(.*?) *#*$", line):
                base = slug(heading.group(1))
                name, count = base, 0
                while name in names:
                    count += 1
                    name = f"{base}-{count}"
                names.add(name)
        return names

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """Line and target of each link and image."""
        found = []
        # A code span or a comment is no link. Spans may run over the end of a line.
        text = "\n".join(self.prose)
        text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|<!--.*?-->", blank, text, flags=re.DOTALL)
        for link in re.finditer(
            r"\]\(\s*<?([^\s)>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)"
            r"|<(?:img|a)\s[^>]*?(?:src|href)=\"([^\"]+)\"",
            text,
            flags=re.MULTILINE,
        ):
            target = next(group for group in link.groups() if group)
            found.append((text.count("\n", 0, link.start()) + 1, target))
        defined = {name.lower() for name in re.findall(r"^\[([^\]]+)\]:", text, flags=re.MULTILINE)}
        for use in re.finditer(r"\[[^\[\]]+\]\[([^\[\]]+)\]", text):
            if " ".join(use.group(1).lower().split()) not in defined:
                found.append((text.count("\n", 0, use.start()) + 1, f"[{use.group(1)}]"))
        return found


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def slug(heading: str) -> str:
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"<[^>]+>", "", text).replace("*", "").lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def tracked(*patterns: str) -> list[Path]:
    """Files that git tracks, or would: not those that .gitignore names."""
    listed = subprocess.run(
        [
            "git",
            "-C",
            str(ROOT),
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
            "--",
            *patterns,
        ],
        capture_output=True,
        check=True,
    ).stdout.decode()
    return [path for name in sorted(set(listed.split("\0"))) if name and (path := ROOT / name).is_file()]


def all_pages() -> list[Page]:
    return [Page.read(path) for path in tracked("*.md")]
