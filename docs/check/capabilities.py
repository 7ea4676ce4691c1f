"""The tables of COMPARISON.md, from docs/capabilities.toml; checks that the tests of our claims exist."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Any

from generated import grid
from pages import ROOT, Page

COMPARISON = ROOT / "COMPARISON.md"


@cache
def load() -> dict[str, Any]:
    return tomllib.loads((ROOT / "docs/capabilities.toml").read_text(encoding="utf8"))


def table(name: str) -> str:
    """A table of COMPARISON.md: `versions`, or the libraries of one list of [tables]."""
    data = load()
    if name == "versions":
        rows = [
            [f"[{one['name']}]({one['link']})", one["version"], one["licence"], one["source"]]
            for one in data["library"].values()
        ]
        return grid(
            ["library", "version", "licence", "how we looked"],
            "llll",
            [["impinge", "0.1, this tree", "MIT or Apache-2.0", ""], *rows],
        )
    keys = data["tables"][name]
    rows = []
    for claim in data["claim"].values():
        # Omit the row if one of these libraries was not examined for it.
        if all(key in claim for key in keys):
            rows.append([claim["text"], claim["impinge"], *(claim[key] for key in keys)])
    heads = ["", "impinge", *(data["library"][key]["name"] for key in keys)]
    return grid(heads, "l" * len(heads), rows)


def check() -> list[str]:
    data, wrong = load(), []
    for name, claim in data["claim"].items():
        where = f"docs/capabilities.toml: claim.{name}"
        denied = claim["impinge"].strip("*").startswith("no")
        proof = claim.get("proof", [])
        if denied and proof:
            wrong.append(f"{where}: the claim is `no`, but it names a test")
        if not denied and not proof and not claim.get("fact"):
            wrong.append(f"{where}: names no test")
        wrong += [f"{where}: {problem}" for test in proof if (problem := missing(test))]
        unknown = set(claim) - {"text", "impinge", "proof", "fact"} - set(data["library"])
        wrong += [f"{where}: [library.{key}] is missing" for key in unknown]
    for key, library in data["library"].items():
        if not all(library.get(field) for field in ("name", "version", "licence", "source", "link")):
            wrong.append(f"docs/capabilities.toml: library.{key}: has no source, version, licence or link")
    return wrong + notes(Page.read(COMPARISON))


def missing(test: str) -> str | None:
    """The problem with the name of a test, if any."""
    file, _, function = test.partition("::")
    path = ROOT / "python/tests" / file if file.endswith(".py") else ROOT / "crates" / file
    if not path.is_file():
        return f"{test}: there is no such file"
    text = path.read_text(encoding="utf8")
    pattern = (
        rf"^def {function}\(" if path.suffix == ".py" else rf"#\[test\]\n(?:\s*#\[.*\]\n)*\s*fn {function}\("
    )
    if not re.search(pattern, text, re.MULTILINE):
        return f"{test}: there is no such test"
    return None


def notes(page: Page) -> list[str]:
    """Each note that a cell refers to is on the page, and each on the page is referred to."""
    cells = " ".join(str(value) for claim in load()["claim"].values() for value in claim.values())
    used = set(re.findall(r"\[(\d+)\]", cells))
    told = set(re.findall(r"^\[(\d+)\] ", page.text, re.MULTILINE))
    return [
        f"COMPARISON.md: note [{n}] is {'missing' if n in used else 'unused'}"
        for n in sorted(used ^ told)
    ]
