"""Which parts are in which sets of a rules file: the definition, as short as it gets."""

from __future__ import annotations

import re
import tomllib
from typing import Any

NUMBER = r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*"


def fits(glob: str, text: str) -> bool:
    if not glob:
        return not text
    if glob[0] == "*":
        return any(fits(glob[1:], text[i:]) for i in range(len(text) + 1))
    if not text:
        return False
    if glob[0] == "\\":
        return glob[1] == text[0] and fits(glob[2:], text[1:])
    if glob[0] != "[":
        return glob[0] in ("?", text[0]) and fits(glob[1:], text[1:])
    at, ranges = 1 + (glob[1] == "!"), list[tuple[str, str]]()
    while glob[at] != "]" or not ranges:
        size = 3 if glob[at + 1] == "-" and glob[at + 2] != "]" else 1
        ranges.append((glob[at], glob[at + size - 1]))
        at += size
    is_in = any(low <= text[0] <= high for low, high in ranges)
    return is_in != (glob[1] == "!") and fits(glob[at + 1 :], text[1:])


def in_range(want: str, have: float) -> bool | None:
    """None if `want` is no range."""
    if two := re.fullmatch(NUMBER + r"\.\." + NUMBER, want):
        return float(two[1]) <= have <= float(two[2])
    one = re.fullmatch("([<>]=?|)" + NUMBER, want)
    x = float(one[2]) if one else 0.0
    return one and {"<": have < x, "<=": have <= x, ">": have > x, ">=": have >= x, "": have == x}[one[1]]


def get(part: dict[str, Any], pattern: str | None, key: str) -> Any:
    """A field: from the name, the part's own, a property, a property in other letters."""
    if pattern:
        *names, _ = names_of = re.findall(r"\{(\w+)\}", pattern)
        places = [f"({'.*' if name == names_of[-1] else '.*?'})" for name in names_of]
        texts = [re.escape(text) for text in re.split(r"\{\w+\}", pattern)]
        found = re.fullmatch("".join(a + b for a, b in zip(texts, [*places, ""])), part["name"], re.DOTALL)
        if found and key in names_of and found[1 + names_of.index(key)]:
            return found[1 + names_of.index(key)]
    own, folded = part["properties"], {k.lower(): v for k, v in reversed(part["properties"].items())}
    return next((v for v in (part.get(key), own.get(key), folded.get(key.lower())) if v is not None), None)


def holds(condition: Any, part: dict[str, Any], rules: dict[str, Any]) -> bool:
    if isinstance(condition, str):
        return holds({"name": condition}, part, rules)
    if isinstance(condition, list):
        return any(holds(one, part, rules) for one in condition)
    return all(keyed(key, want, part, rules) for key, want in condition.items())


def keyed(key: str, want: Any, part: dict[str, Any], rules: dict[str, Any]) -> bool:
    each = want if isinstance(want, list) else [want]
    if key == "set":
        return any(holds(rules["sets"][name], part, rules) for name in each)
    if key in ("any", "not"):
        return holds(each, part, rules) != (key == "not")
    if key == "all":
        return all(holds(one, part, rules) for one in each)
    have = get(part, rules.get("names", {}).get("pattern"), key)
    return have is not None and any(is_value(key, one, have) for one in each)


def is_value(key: str, want: Any, have: Any) -> bool:
    text = str(have).lower() if isinstance(have, bool) else have if isinstance(have, str) else f"{have:.15g}"
    number = re.fullmatch(NUMBER, text)
    if isinstance(want, bool):
        return text == str(want).lower() and not isinstance(have, float)
    is_text = key in ("file", "path", "name", "type", "guid", "material", "layer")
    is_range = isinstance(want, float | int) or isinstance(have, Measured) or want[0] in "<>" or ".." in want
    ranged = None if is_text or not is_range else in_range(str(want), float(number[1]) if number else 0.0)
    if ranged is not None:
        return bool(number) and ranged
    return fits(want, re.split(r"[/\\]", text)[-1] if key == "file" and "/" not in want else text)


class Measured(float):
    """A number that is measured: a text about it is always a range."""


def sets(text: str, parts: list[dict[str, Any]]) -> dict[str, list[int]]:
    rules = tomllib.loads(text)
    each = rules.get("sets", {}).items()
    return {name: [i for i, part in enumerate(parts) if holds(one, part, rules)] for name, one in each}
