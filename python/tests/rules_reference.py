"""Which parts are in which sets of a rules file: the definition, as short as it gets."""

from __future__ import annotations

import re
import tomllib
from typing import Any

NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"
TEXTS = ("file", "path", "name", "type", "guid", "material", "layer")


class Measured(float):
    """A number that is measured: a text about it is always a range."""


def fits(glob: str, text: str) -> bool:
    if not glob or glob[0] == "*":
        return not text if not glob else any(fits(glob[1:], text[i:]) for i in range(len(text) + 1))
    if not text or glob[0] == "\\":
        return bool(text) and glob[1] == text[0] and fits(glob[2:], text[1:])
    if glob[0] != "[":
        return glob[0] in ("?", text[0]) and fits(glob[1:], text[1:])
    at, is_in, is_first = 1 + (glob[1] == "!"), False, True
    while glob[at] != "]" or is_first:
        size = 3 if glob[at + 1] == "-" and glob[at + 2] != "]" else 1
        is_in, is_first = is_in or glob[at] <= text[0] <= glob[at + size - 1], False
        at += size
    return is_in != (glob[1] == "!") and fits(glob[at + 1 :], text[1:])


def in_range(want: str, have: float) -> bool | None:
    """None if `want` is no range."""
    if two := re.fullmatch(NUMBER + r"\.\." + NUMBER, want):
        return float(two[1]) <= have <= float(two[2])
    if one := re.fullmatch("([<>]=?|)" + NUMBER, want):
        x = float(one[2])
        return {"<": have < x, "<=": have <= x, ">": have > x, ">=": have >= x, "": have == x}[one[1]]
    return None


def get(key: str, part: dict[str, Any], pattern: str) -> Any:
    """A field: from the name, the part's own, a property, a property in other letters."""
    texts = re.split(r"\{(\w+)\}", pattern)
    fields = ["(.*)" if field == texts[-2] else "(.*?)" for field in texts[1::2]]
    whole = "".join(re.escape(text) + field for text, field in zip(texts[::2], [*fields, ""], strict=True))
    found = re.fullmatch(whole, part["name"], re.DOTALL)
    in_name = (
        {field: text for field, text in zip(texts[1::2], found.groups(), strict=True) if text}
        if found
        else {}
    )
    own = part["properties"]
    folded = {k.lower(): v for k, v in reversed(own.items())}
    each = (in_name.get(key), part.get(key), own.get(key), folded.get(key.lower()))
    return next((value for value in each if value is not None), None)


def holds(condition: Any, part: dict[str, Any], rules: dict[str, Any]) -> bool:
    if isinstance(condition, list):
        return any(holds(one, part, rules) for one in condition)
    table = condition if isinstance(condition, dict) else {"name": condition}
    return all(keyed(key, want, part, rules) for key, want in table.items())


def keyed(key: str, want: Any, part: dict[str, Any], rules: dict[str, Any]) -> bool:
    each = want if isinstance(want, list) else [want]
    if key == "set":
        return any(holds(rules["sets"][name], part, rules) for name in each)
    if key in ("any", "all", "not"):
        return (all if key == "all" else any)(holds(one, part, rules) for one in each) != (key == "not")
    have = get(key, part, rules.get("names", {}).get("pattern", "{name}"))
    return have is not None and any(is_value(key, one, have) for one in each)


def is_value(key: str, want: Any, have: Any) -> bool:
    text = str(have).lower() if isinstance(have, bool) else have if isinstance(have, str) else f"{have:.15g}"
    if isinstance(want, bool):
        return text == str(want).lower()
    is_range = isinstance(want, float | int) or isinstance(have, Measured) or want[0] in "<>" or ".." in want
    number = re.fullmatch(NUMBER, text)
    is_in = in_range(str(want), float(number[1]) if number else 0.0)
    if key not in TEXTS and is_range and is_in is not None:
        return bool(number) and is_in
    return fits(want, re.split(r"[/\\]", text)[-1] if key == "file" and "/" not in want else text)


def sets(text: str, parts: list[dict[str, Any]]) -> dict[str, list[int]]:
    rules = tomllib.loads(text)
    return {k: [i for i, part in enumerate(parts) if holds(v, part, rules)] for k, v in rules["sets"].items()}
