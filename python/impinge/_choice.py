"""Parts that a caller chooses by index, by name, or by a function."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence

Which = int | str
"""A part by its index, or all parts of a name, in which ``*`` stands for any characters."""


def matcher(pattern: str) -> Callable[[str], bool]:
    """Whether a name fits a pattern, in which ``*`` stands for any characters."""
    if not isinstance(pattern, str):
        raise TypeError(f"a name must be a str, such as 'pipe*', not a {type(pattern).__name__}")
    whole = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
    return lambda name: whole.fullmatch(name) is not None


def index(part: int, count: int) -> int:
    """An index that is not negative; one from the end is negative, as of a list."""
    i = operator.index(part)
    if not -count <= i < count:
        raise IndexError(f"there is no part {i}: there are {count}")
    return i % count


def one_index(part: int | str, names: Sequence[str]) -> int:
    """The index of a part by its index, or by a name, which must be that of one part alone."""
    if not isinstance(part, str):
        return index(part, len(names))
    found = [i for i, name in enumerate(names) if name == part]
    if len(found) != 1:
        raise KeyError(no_one(part, len(found)))
    return found[0]


def no_one(part: str, count: int) -> str:
    """The error of a name that is not that of one part."""
    if count == 0:
        return f"no part is called {part!r}"
    return f"{count} parts are called {part!r}; give the index of one"


def indices(which: Which | Iterable[Which], names: Sequence[str]) -> list[int]:
    """The indices of parts, ascending, each once. A name must be that of a part."""
    some = [which] if isinstance(which, int | str) else list(which)
    found: set[int] = set()
    for one in some:
        if isinstance(one, str):
            fits = matcher(one)
            named = [i for i, name in enumerate(names) if fits(name)]
            if not named:
                raise KeyError(f"no part is called {one!r}")
            found.update(named)
        else:
            found.add(index(one, len(names)))
    return sorted(found)
