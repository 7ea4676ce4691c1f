"""Compares figures of pages with the committed records.

A block between `<!-- figures: NAME -->` and `<!-- end -->` is generated: by the function NAME of generated.py, or,
if NAME is `table FOLDER | NAME`, as a copy of that table. Prose that quotes figures is followed by

    <!-- from bench/records/pairs:
    9.55 = All pairs | geometric mean | fcl-obb x
    2.8 = 1 / First contact | asm-house | parry3d-f64 x
    -->

The text left of `=` must occur in the prose above, after the last heading or comment of this kind, and must
be the cell's number, rounded to the digits that are shown. Of several places it is that in the last paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Container

import capabilities
import chart
import generated
import records
from fences import GENERATED, HISTORY
from pages import ROOT, Page

BLOCK = re.compile(r"(^<!-- figures: ([^>]+?) -->\n)(.*?)(^<!-- end -->)", re.DOTALL | re.MULTILINE)
QUOTE = re.compile(r"^<!-- from (\S+):\n(.*?)-->", re.DOTALL | re.MULTILINE)


def words(found: list[Page]) -> int:
    """Words that readers meet: those of pages outside generated blocks, comments, generated pages and tests."""
    written = (page for page in found if not page.name.startswith((*HISTORY, *GENERATED, "docs/check/")))
    texts = (re.sub(r"<!--.*?-->", "", BLOCK.sub("", page.text), flags=re.DOTALL) for page in written)
    return sum(len(text.split()) for text in texts)


def generate(name: str) -> str:
    if name.startswith("table "):
        folder, caption = (part.strip() for part in name.removeprefix("table ").split("|"))
        return f"{records.table(folder, caption)}\n"
    if name.startswith("claims "):
        return capabilities.table(name.removeprefix("claims "))
    function = getattr(generated, name.replace("-", "_"), None)
    if function is None or name.startswith("_"):
        raise LookupError(f"generated.py has no `{name}`")
    return str(function())


def rewritten(page: Page) -> tuple[str, list[str]]:
    """The page with its figures from the records, and the differences and errors."""
    wrong: list[str] = []
    name = page.name
    if len(re.findall(r"^<!-- figures:", page.text, re.MULTILINE)) != len(BLOCK.findall(page.text)):
        wrong.append(f"{name}: a block of figures has no end")

    def block(match: re.Match[str]) -> str:
        try:
            new = generate(match.group(2))
        except (LookupError, OSError, ValueError) as error:
            wrong.append(f"{name}: figures: {match.group(2)}: {error}")
            return match.group()
        if new != match.group(3):
            line = page.text.count("\n", 0, match.start()) + 1
            wrong.append(f"{name}:{line}: the figures `{match.group(2)}` differ from the record")
        return match.group(1) + new + match.group(4)

    text = BLOCK.sub(block, page.text)
    out, at = [], 0
    for match in QUOTE.finditer(text):
        headings = [found.end() for found in re.finditer(r"^#.*$", text[at : match.start()], re.MULTILINE)]
        begin = at + (headings[-1] if headings else 0)
        prose, lines = text[begin : match.start()], []
        changes: dict[tuple[int, int], str] = {}
        for line in match.group(2).splitlines():
            shown, equals, source = line.partition(" = ")
            if not equals:
                wrong.append(f"{name}: not `FIGURE = TABLE | ROW | COLUMN`: {line}")
                lines.append(line)
                continue
            try:
                place = find(prose, shown.strip(), changes)
                new = recorded(shown.strip(), source.strip(), match.group(1))
            except (LookupError, OSError, ValueError) as error:
                wrong.append(f"{name}: {line}: {error}")
                lines.append(line)
                continue
            if new != shown.strip():
                wrong.append(f"{name}: {shown} = {source}: the record has {new}")
            changes[place] = new
            lines.append(f"{new} = {source}")
        # From the end: earlier places stay where they are, and a later line cannot replace a new figure.
        for (start, end), new in sorted(changes.items(), reverse=True):
            prose = prose[:start] + new + prose[end:]
        out += [text[at:begin], prose, f"<!-- from {match.group(1)}:\n", "\n".join(lines), "\n-->"]
        at = match.end()
    return "".join(out) + text[at:], wrong


def find(prose: str, shown: str, taken: Container[tuple[int, int]]) -> tuple[int, int]:
    """The place of a figure in prose: of those that no other line names, the first of the last paragraph.

    Generated blocks are no prose.
    """
    blocks = [match.span() for match in BLOCK.finditer(prose)]
    found = [match.span() for match in re.finditer(rf"(?<![\d.,]){re.escape(shown)}(?![\d]|[.,]\d)", prose)]
    found = [place for place in found if not any(start <= place[0] < end for start, end in blocks)]
    if not found:
        raise LookupError(f"the text above does not have {shown}")
    found.sort(key=lambda place: (-prose.count("\n\n", 0, place[0]), place[0]))
    return next((place for place in found if place not in taken), found[0])


def recorded(shown: str, source: str, folder: str) -> str:
    """The figure as shown if the record agrees, or the record's."""
    inverse = source.startswith("1 / ")
    text = records.figure(f"{folder} | {source.removeprefix('1 / ')}")
    value = 1.0 / records.number(text) if inverse else records.number(text)
    digits = len(shown.partition(".")[2])
    if abs(value - records.number(shown)) <= 0.5001 * 10.0**-digits:
        return shown
    return f"{value:,.{digits}f}" if inverse or abs(value) >= 1000 else text


def check(pages: list[Page], write: bool) -> list[str]:
    wrong = []
    for page in pages:
        text, differences = rewritten(page)
        if write and text != page.text:
            page.path.write_text(text, encoding="utf8")
            print(f"written: {page.name}")
            # The remaining difference is not settled by a record.
            differences = rewritten(Page(page.path, text))[1]
        wrong += differences
    for path, made in {"bench/TABLES.md": records.page, **chart.CHARTS}.items():
        new, file = made(), ROOT / path
        if not file.exists() or file.read_text(encoding="utf8") != new:
            if write:
                file.write_text(new, encoding="utf8")
                print(f"written: {path}")
            else:
                wrong.append(f"{path} differs from the records")
    return wrong + dirty_records()


def dirty_records() -> list[str]:
    """Records that were made from a tree with uncommitted changes."""
    wrong = []
    for name in generated.RECORDS:
        if records.about(name)["revision"].endswith("with uncommitted changes"):
            wrong.append(f"{name}: made from a tree with uncommitted changes: repeat it from a clean tree")
    return wrong
