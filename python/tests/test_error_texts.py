"""Errors of typical mistakes: the argument, what was given, and what to do. None speaks of the command."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge

NAN = float("nan")
RULES = 'version = 1\n[[test]]\nname = "t"\na = "*"\nb = "*"\n'

BOX = impinge.Mesh.box([1, 1, 1])
TWO = impinge.Assembly.from_meshes({"a": BOX, "b": BOX})
WAY = impinge.pose([[0, 0, 0], [1, 0, 0]])


def check(**arguments: Any) -> Callable[[], object]:
    return lambda: TWO.check(**arguments)


def poses(*arguments: Any, **more: Any) -> Callable[[], object]:
    return lambda: impinge.check_poses(*arguments, **more)


MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: impinge.read(5), r"^path must be a path, not 5"),  # type: ignore[arg-type]
    (lambda: impinge.read("none.stl"), r"^none\.stl: there is no such file"),
    (lambda: impinge.read(Path(__file__).parent), "is a folder; give its files"),
    (lambda: impinge.read(__file__, max_parts=-1), "^max_parts must be 0 or more, not -1"),
    (lambda: impinge.read(__file__, max_bytes="1GB"), "^max_bytes must be a whole number or None, not '1GB'"),
    (lambda: impinge.read(__file__), "unsupported format"),
    (check(tolerance="5mm"), "^tolerance must be a number, in the unit of the coordinates, not '5mm'"),
    (check(clearance=NAN), "^clearance must be finite and not negative, not nan"),
    (check(chord=-1), "^chord must be finite and not negative, not -1"),
    (check(chord={"a": NAN}), "^chord of 'a' must be finite and not negative, not nan"),
    (check(chord={"zz": 1}), "^chord: no part is named 'zz'"),
    (check(what_if=0.1), r"^what_if must be a sequence of numbers, such as \[1, 5\], not 0.1"),
    (check(what_if_tolerance="ab"), "^what_if_tolerance must be a sequence of numbers"),
    (check(what_if_tolerance=[1], depth="none"), "^what_if_tolerance: it needs depths, and depth='none'"),
    (check(what_if_tolerance=[1], surfaces=True), "^what_if_tolerance: it needs depths, and surfaces=True"),
    (check(rounding=2), "^rounding must be True or False, not 2"),
    (check(surfaces="no"), "^surfaces must be True or False, not 'no'"),
    (check(floating=1), "^floating must be True or False, not 1"),
    (check(max_pairs=0), "^max_pairs must be 1 or more, not 0"),
    (check(max_pairs=1.5), "^max_pairs must be a whole number or None, not 1.5"),
    (check(report=5), "^report must be a pattern"),
    (check(report="clash"), "^report: 'clash' is not one of 'overlap'"),
    (check(only=5), r"^only must be a pattern such as 'pipe\*', or a list of these, not 5"),
    (check(ignore=[5]), r"^ignore must be a pattern such as 'pipe\*'"),
    (check(ignore="a,b,c"), "^ignore a,b,c: write GLOB, or GLOB,GLOB for pairs"),
    (check(only="zz*"), "^only, between: no pair of parts has such names"),
    (check(rules=5), "^rules must be a path or Rules, not 5"),
    (check(baseline=5), "^baseline must be a path or a Baseline, not 5"),
    (check(worse=-1), "^worse must be a number of 0 or more, not -1"),
    (check(today="2026-11-26"), "^today must be a datetime.date, not '2026-11-26'"),
    (check(progress=5), "^progress must be True, False or a function, not 5"),
    (check(unit="foo"), "^unit: .foo. is not a unit of length; known are"),
    (check(between=("a", "b", "c")), "^between must be True or a pair: two parts, or two lists of parts"),
    (check(between=("a", "zz")), "no part is called 'zz'"),
    (check(pairs=[[0, 9]]), "^pairs: row 0 names part 9, but there are 2 parts"),
    (check(threads=-1), "^threads must be 1 or more"),
    (check(rules=impinge.Rules(RULES + 'tolerance = "5mm"')), r'unknown; state it: unit = "m" in the rules'),
    (check(rules=impinge.Rules('version = 1\n[sets]\ns = { size = "<2cm" }')), 'unit = "m" in the rules'),
    (check(rules=impinge.Rules(RULES), surfaces=True), "^surfaces: rules are about relations of solids"),
    (lambda: TWO["zz"], "no part is called 'zz'"),
    (lambda: TWO.set_pose("a", np.full((4, 4), NAN)), "NaN"),
    (lambda: TWO.set_pose("a", np.eye(2)), "must have the shape"),
    (lambda: TWO.set_pose("a", np.diag([2.0, 2, 2, 1])), "affine=True"),
    (lambda: TWO.check().filter(name=5), r"a name must be a str, such as 'pipe\*', not a int"),  # type: ignore[arg-type]
    (lambda: TWO.check().write("report.foo"), r"^report.foo: a report is written as .txt"),
    (lambda: TWO.check(what_if=[1]).write("r.csv"), "^what_if: CSV has no place for counts"),
    (poses([BOX], {"a": WAY}), "^assembly must be an Assembly, not a list|^assembly must be an Assembly, not \\["),
    (poses(TWO, {"zz": WAY}), "no part is called 'zz'"),
    (poses(TWO, {"a": np.eye(3)}), r"the poses of 'a' must have the shape \(P, 4, 4\)"),
    (poses(TWO, {"a": np.full((1, 4, 4), NAN)}), "NaN"),
    (poses(TWO, {"a": WAY, "b": WAY[:1]}), "there must be as many poses of each part that moves"),
    (poses(TWO, {"a": WAY}, allow="ab"), r"^allow must be a list of pairs, such as \[\('a', 'b'\)\]"),
    (poses(TWO, {"a": WAY}, allow=[("a", "zz")]), "no part is called 'zz'"),
]


@pytest.mark.parametrize(("mistake", "text"), MISTAKES, ids=[text[:40] for _, text in MISTAKES])
def test_a_mistake_is_named_in_words_of_python(mistake: Callable[[], object], text: str) -> None:
    with pytest.raises((ValueError, TypeError, OSError, LookupError)) as found:
        mistake()
    message = str(found.value.args[0] if isinstance(found.value, KeyError) else found.value)
    assert re.search(text, message), message
    assert "--" not in message and "`impinge" not in message, message


def test_no_error_of_the_package_speaks_of_options() -> None:
    """No text that the package raises has an option of the command. The command's own module may."""
    folder, raised = Path(impinge.__file__).parent, 0
    for path in folder.rglob("*.py"):
        if path.relative_to(folder).as_posix() in ("_convert/command.py", "pytest_plugin.py", "__main__.py"):
            continue
        for error in re.findall(r"raise \w+\((?:[^()]|\([^()]*\))*\)", path.read_text()):
            raised += 1
            assert "--" not in error, f"{path}: {error}"
    assert raised > 80
