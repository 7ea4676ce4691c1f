"""Errors of typical mistakes: the argument, what was given, and what to do. None speaks of the command."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge.check import Criteria, Geometry, Limits, Measure, Run, WhatIf

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
    (lambda: impinge.read(Path(__file__).parent), "the folder has no file that is read"),
    (lambda: impinge.read(__file__, max_parts=-1), "^max_parts must be 0 or more, not -1"),
    (lambda: impinge.read(__file__, max_bytes="1GB"), "^max_bytes must be a whole number or None, not '1GB'"),
    (lambda: impinge.read(__file__), "unsupported format"),
    (
        check(tolerance="5mm"),
        "^tolerance '5mm': memory is in an unknown unit; state it by geometry=impinge.check.G",
    ),
    (
        check(clearance="5 parsec"),
        "^clearance '5 parsec': a length is a number, or one with um, mm, cm, m, in or",
    ),
    (
        check(clearance="-5mm", geometry=Geometry(unit="m")),
        "^clearance must be finite and not negative, not -5mm",
    ),
    (check(clearance=[1]), r"^clearance must be a length, such as 5 or '5mm', not \[1\]"),
    (
        check(what_if=WhatIf(clearances=["1mm"])),
        "^what_if.clearances '1mm': memory is in an unknown unit; state it by geometry=",
    ),
    (
        check(geometry=Geometry(chord={"a": "1mm"})),
        "^chord of 'a' '1mm': memory is in an unknown unit; state it by geometry=",
    ),
    (
        lambda: TWO.replace("a", chord="1mm"),
        r"^chord '1mm': memory is in an unknown unit; state it by Assembly\.add_s",
    ),
    (
        lambda: TWO.check().groups(near="1mm"),
        "^near '1mm': the unit of the coordinates is unknown; give a number",
    ),
    (check(clearance=NAN), "^clearance must be finite and not negative, not nan"),
    (check(geometry=Geometry(chord=-1)), "^chord must be finite and not negative, not -1"),
    (check(geometry=Geometry(chord={"a": NAN})), "^chord of 'a' must be finite and not negative, not nan"),
    (check(geometry=Geometry(chord={"zz": 1})), "^chord: no part is named 'zz'"),
    (
        check(what_if=WhatIf(clearances=0.1)),
        r"^what_if.clearances must be a list of lengths, such as \[1, '5mm'\], not 0.1",
    ),
    (check(what_if=WhatIf(tolerances="ab")), "^what_if.tolerances must be a list of lengths"),
    (
        check(what_if=WhatIf(tolerances=[1]), measure=Measure(depth="none")),
        "^what_if.tolerances: it needs depths, and depth='none'",
    ),
    (
        check(what_if=WhatIf(tolerances=[1]), geometry=Geometry(surfaces=True)),
        "^what_if.tolerances: it needs depths, and surfaces=True",
    ),
    (check(chord=1), r"^chord: write geometry=impinge\.check\.Geometry\(chord=\.\.\.\)$"),
    (
        check(what_if_tolerance=[1]),
        r"^what_if_tolerance: write what_if=impinge\.check\.WhatIf\(tolerances=\.\.\.\)$",
    ),
    (
        check(what_if=[1]),
        r"^what_if must be an impinge\.check\.WhatIf, such as impinge\.check\.WhatIf\(clearances=.*, not \[1\]",
    ),
    (check(geometry=5, clearance="1mm"), r"^geometry must be an impinge\.check\.Geometry, such as"),
    (check(geometry=Geometry(unit=5)), "^unit must be a name or a symbol, such as 'mm', not 5"),
    (check(run="cache"), r"^run must be an impinge\.check\.Run, such as impinge\.check\.Run\(cache=\.\.\.\), not"),
    (check(clearence=1), "unexpected keyword argument 'clearence'"),
    (check(geometry=Geometry(rounding=2)), "^rounding must be True or False, not 2"),
    (check(geometry=Geometry(surfaces="no")), "^surfaces must be True or False, not 'no'"),
    (check(measure=Measure(floating=1)), "^floating must be True or False, not 1"),
    (check(limits=Limits(max_pairs=0)), "^max_pairs must be 1 or more, not 0"),
    (check(limits=Limits(max_pairs=1.5)), "^max_pairs must be a whole number or None, not 1.5"),
    (check(criteria=Criteria(report=5)), "^report must be a pattern"),
    (check(criteria=Criteria(report="clash")), "^report: 'clash' is not one of 'overlap'"),
    (check(only=5), r"^only must be a pattern such as 'pipe\*', or a list of these, not 5"),
    (check(ignore=[5]), r"^ignore must be a pattern such as 'pipe\*'"),
    (check(ignore="a,b,c"), "^ignore a,b,c: write GLOB, or GLOB,GLOB for pairs"),
    (check(only="zz*"), "^only, between: no pair of parts has such names"),
    (check(rules=5), "^rules must be a path or Rules, not 5"),
    (check(baseline=5), "^baseline must be a path or a Baseline, not 5"),
    (check(criteria=Criteria(worse=-1)), "^worse must be a number of 0 or more, not -1"),
    (check(criteria=Criteria(today="2026-11-26")), "^today must be a datetime.date, not '2026-11-26'"),
    (check(run=Run(progress=5)), "^progress must be True, False or a function, not 5"),
    (check(geometry=Geometry(unit="foo")), "^unit: .foo. is not a unit of length; known are"),
    (check(between=("a", "b", "c")), "^between must be True or a pair: two parts, or two lists of parts"),
    (check(between=("a", "zz")), "no part is called 'zz'"),
    (check(limits=Limits(pairs=[[0, 9]])), "^pairs: row 0 names part 9, but there are 2 parts"),
    (check(threads=-1), "^threads must be 1 or more"),
    (check(rules=impinge.Rules(RULES + 'tolerance = "5mm"')), r'unknown; state it: unit = "m" in the rules'),
    (check(rules=impinge.Rules('version = 1\n[sets]\ns = { size = "<2cm" }')), 'unit = "m" in the rules'),
    (
        check(rules=impinge.Rules(RULES), geometry=Geometry(surfaces=True)),
        "^surfaces: rules are about relations of solids",
    ),
    (lambda: TWO["zz"], "no part is called 'zz'"),
    (lambda: TWO.set_pose("a", np.full((4, 4), NAN)), "NaN"),
    (lambda: TWO.set_pose("a", np.eye(2)), "must have the shape"),
    (lambda: TWO.set_pose("a", np.diag([2.0, 2, 2, 1])), "affine=True"),
    (lambda: TWO.check().filter(name=5), r"a name must be a str, such as 'pipe\*', not a int"),  # type: ignore[arg-type]
    (lambda: TWO.check().write("report.foo"), r"^report.foo: a report is written as .txt"),
    (
        lambda: TWO.check(what_if=WhatIf(clearances=[1])).write("r.csv"),
        "^what_if: CSV has no place for counts",
    ),
    (
        poses([BOX], {"a": WAY}),
        "^assembly must be an Assembly, not a list|^assembly must be an Assembly, not \\[",
    ),
    (poses(TWO, {"zz": WAY}), "no part is called 'zz'"),
    (poses(TWO, {"a": WAY}, above="1mm"), "^above '1mm': memory is in an unknown unit; state it by Assembly"),
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
