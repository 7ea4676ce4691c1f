"""Checks that files and folders exist which code, comments and pages name by their path.

| where | what |
|---|---|
| code, its comments and strings, and pages | `crates/x/src/y.rs`, `docs/z.md`, `bench/w`: from the root, or from the folder `papers` in it |
| comments and pages | `wide/point.rs`, `simd.rs`: the end of the path of some file |

`*` stands for any part of a name.
"""

from __future__ import annotations

import re
from functools import cache

from pages import ROOT, Page, tracked

FROM_ROOT = re.compile(r"(?<![\w./~-])((?:crates|papers|docs|bench|fuzz|python|\.ci|\.github)/[\w.*-][\w./*-]*)(?![\w${<*])")
# Except for Rust, only names with a folder are checked: others may be of files that a user has.
ENDING = re.compile(r"(?<![\w./~$*-])((?:[\w*-]+/)*[\w*-]+\.rs|(?:[\w*-]+/)+[\w*-]+\.(?:py|pyi|md|h|cpp))\b(?![(-])")
SLASHES = re.compile(r"(?<![:\"])//+!?(.*)")
HASH = re.compile(r"(?:^|\s)#(.*)")
CODE = ("*.rs", "*.h", "*.cpp", "*.py", "*.pyi", "*.toml", "*.yml", ".ci/*", "bench/run")
# Files that tools make, and files of other repositories.
ELSEWHERE = {
    "bench/.cache",
    "fuzz/artifacts",
    "tests/test_collision.py",
    "tests/test_fcl.py",
    "tests/test_precision.py",
}


def check(pages: list[Page]) -> list[str]:
    wrong = []
    for page in pages:
        wrong += problems(page.name, page.prose, page.prose)
    for path in tracked(*CODE):
        # The tests of this check have names of files that do not exist.
        if path.parent.name != "check":
            lines = path.read_text(encoding="utf8", errors="replace").splitlines()
            wrong += problems(path.relative_to(ROOT).as_posix(), lines, comments(lines, path.suffix))
    return wrong


def comments(lines: list[str], suffix: str) -> list[str]:
    """The comment of each line, or an empty string."""
    mark = SLASHES if suffix in (".rs", ".h", ".cpp") else HASH
    return [found[1] if (found := mark.search(line)) else "" for line in lines]


def problems(where: str, lines: list[str], prose: list[str]) -> list[str]:
    """Messages about missing files that `lines`, or their comments in `prose`, name."""
    wrong = []
    top = where.split("/")[0]
    for i, (line, text) in enumerate(zip(lines, prose), 1):
        for name in FROM_ROOT.findall(without_links(line)):
            name = name.rstrip("./")
            if name not in ELSEWHERE and not exists(name) and not (top == "papers" and exists(f"papers/{name}")):
                wrong.append(f"{where}:{i}: {name}: there is no such file or folder")
        for name in ENDING.findall(FROM_ROOT.sub(" ", without_links(text))):
            if name not in ELSEWHERE and not is_ending(name):
                wrong.append(f"{where}:{i}: {name}: there is no file whose path ends so")
    return wrong


def without_links(line: str) -> str:
    """links.py checks the targets of links."""
    return re.sub(r"https?://\S+|\]\([^)]*\)", " ", line)


def exists(name: str) -> bool:
    return any(ROOT.glob(name)) if "*" in name else (ROOT / name).exists()


@cache
def is_ending(name: str) -> bool:
    pattern = re.compile("/" + re.escape(name).replace(r"\*", "[^/]*") + "$", re.MULTILINE)
    return bool(pattern.search(every_path()))


@cache
def every_path() -> str:
    return "\n".join(f"/{path.relative_to(ROOT).as_posix()}" for path in tracked())
