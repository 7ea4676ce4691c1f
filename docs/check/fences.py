"""Checks that a test runs each block of code on the pages, or that the block has a reason for none.

| language  | what holds |
|-----------|------------|
| `sh`      | lines of `impinge` are run (shell.py); others are steps of CI, see STEPS |
| `console` | commands behind `$ ` are run, and print what follows (shell.py) |
| `python`  | run by python/tests/test_docs.py |
| `rust`    | lines of an example, a test or the source of this repository, or a doctest: a crate's README, and pages |
|           | that the test kit includes |
| `c`, `cpp` | lines of an example of `impinge-c` |
| `cmake`   | lines of `.ci/c` |
| others    | `text`, `json`, `toml`, `make`, `yaml`: not run |

A comment `<!-- not run: REASON -->` above a block of `sh`, `console` or `python` exempts it. So does
`<!-- run by PROGRAM -->` above a block of `python` or `js`, if there is that program; `js` needs it.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

from pages import ROOT, Fence, Page, tracked

DATA = {"text", "json", "toml", "make", "yaml", "csv"}
# Pages that programs write. Those of the first list have the words of past work.
HISTORY = ("papers/records/", "bench/TABLES.md")
GENERATED = ("papers/docs/build-quality.md", "docs/solids-rivals.md", "docs/public-cases.md")

# Programs that the shell test does not run, and the place where they run.
STEPS = {
    "cmake": "`.ci/c` installs the C library",
    "cargo": "checked for packages, examples and features that exist; CI builds and runs them",
    "pip": "`.ci/python` installs the package in a new environment",
    "python": "needs the package: python/tests",
    "python3": "needs the package: python/tests",
    "maturin": "`.ci/python` makes a wheel",
    "git": "needs the network",
    "g++": "needs CGAL and a C++ compiler",
    "./curves_cgal": "needs CGAL",
    ".ci/": "a step of CI",
    "bench/": "races other libraries, which have to be installed",
}


def check(pages: list[Page]) -> list[str]:
    wrong = []
    for page in pages:
        if page.name.startswith(HISTORY):
            continue
        for fence in page.fences:
            where = f"{page.name}:{fence.line}"
            language = fence.language.split(",")[0]
            if not language:
                wrong.append(f"{where}: the block has no language (`text` if it is not code)")
            elif language == "rust":
                if not is_doctest(page) and not is_source(fence):
                    wrong.append(f"{where}: these lines are in no example, test or source of this repository")
            elif language in ("c", "cpp"):
                if not is_lines_of(fence, *tracked(f"crates/impinge-c/examples/*.{language}")):
                    wrong.append(f"{where}: these lines are in no example of impinge-c")
            elif language == "cmake":
                if not is_lines_of(fence, ROOT / ".ci/c"):
                    wrong.append(f"{where}: these lines are not in .ci/c")
            elif language in ("sh", "console"):
                wrong += [f"{where}: {problem}" for problem in static(fence)]
            elif language == "js":
                if not run_elsewhere(fence):
                    wrong.append(f"{where}: no program is named that runs this block")
            elif language != "python" and language not in DATA:
                wrong.append(f"{where}: nothing runs blocks of `{language}`")
            elsewhere = run_elsewhere(fence)
            if language == "python" and page.name not in python_pages() and not (elsewhere or exempt(fence)):
                wrong.append(f"{where}: python/tests/test_docs.py does not run this page")
    return wrong


@cache
def python_pages() -> set[str]:
    """The pages whose blocks python/tests/test_docs.py runs."""
    text = (ROOT / "python/tests/test_docs.py").read_text(encoding="utf8")
    return set(re.findall(r'"([\w/-]+\.md)"', text))


def exempt(fence: Fence) -> bool:
    return any(re.match(r"not run: \S", mark) for mark in fence.marks)


def run_elsewhere(fence: Fence) -> bool:
    """Whether a program of this repository is named that runs the block."""
    named = (re.match(r"run by (\S+)$", mark) for mark in fence.marks)
    return any(found and (ROOT / found[1]).is_file() for found in named)


def commands(fence: Fence) -> list[str]:
    """Lines of a `sh` block, continued lines joined, without comments and blank lines."""
    text = re.sub(r"\\\n\s*", "", fence.text)
    return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]


def program(command: str) -> str:
    words = command.split()
    while words and re.fullmatch(r"\w+=\S*", words[0]):
        words.pop(0)
    return words[0] if words else ""


def is_step(command: str) -> bool:
    name = program(command)
    return any(name == step or step.endswith("/") and name.startswith(step) for step in STEPS)


def static(fence: Fence) -> list[str]:
    """Errors that are visible in commands without running them."""
    wrong: list[str] = []
    if fence.language == "console" or exempt(fence):
        return wrong
    for command in commands(fence):
        if not is_step(command):
            continue
        command = re.sub(r"\s#.*", "", command)
        words = command.split()
        if program(command).startswith((".ci/", "bench/")) and not (ROOT / program(command)).exists():
            wrong.append(f"`{command}`: there is no such program")
        for option, value in zip(words, words[1:]):
            if option in ("-p", "--package") and value not in packages():
                wrong.append(f"`{command}`: there is no package {value}")
            if option == "--example" and not any(ROOT.glob(f"*/*/examples/{value}.rs")):
                wrong.append(f"`{command}`: there is no example {value}")
            if option in ("--path", "--manifest-path") and not (ROOT / value).exists():
                wrong.append(f"`{command}`: there is no {value}")
        if program(command) == "bench/run":
            known = "".join(path.read_text() for path in tracked("bench/driver/*.py", "bench/run"))
            for option in re.findall(r"--[a-z-]+", command):
                if f'"{option}"' not in known and option != "--help":
                    wrong.append(f"`{command}`: bench/run has no {option}")
    return wrong


@cache
def packages() -> set[str]:
    manifests = [path.read_text() for path in tracked("crates/*/Cargo.toml", "papers/*/Cargo.toml")]
    return {name for text in manifests for name in re.findall(r'^name = "([^"]+)"', text, re.MULTILINE)}


def is_doctest(page: Page) -> bool:
    """True if the crate beside the page, or the test kit, runs it as a doctest."""
    for crate in (page.path.parent, ROOT / "crates/impinge-testkit"):
        library = crate / "src/lib.rs"
        included = f'include_str!("{os.path.relpath(page.path, library.parent)}")'
        if library.is_file() and included in library.read_text(encoding="utf8"):
            return True
    return False


@cache
def sources() -> list[str]:
    """Rust files, each line without its indent and its trailing comment."""
    return ["\n".join(plain(path.read_text(encoding="utf8"))) for path in tracked("crates/*.rs", "papers/*.rs")]


def plain(text: str) -> list[str]:
    lines = [re.sub(r"\s+// .*", "", line).strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("//")]


def is_source(fence: Fence) -> bool:
    """True if a file has these lines one after the other. A page may omit blank lines."""
    return is_part(fence, sources())


def is_lines_of(fence: Fence, *paths: Path) -> bool:
    return is_part(fence, ["\n".join(plain(path.read_text(encoding="utf8"))) for path in paths])


def is_part(fence: Fence, texts: list[str]) -> bool:
    wanted = "\n".join(plain(fence.text))
    return any(f"\n{wanted}\n" in f"\n{text}\n" for text in texts)
