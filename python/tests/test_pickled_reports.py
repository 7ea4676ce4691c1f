"""Reports that were pickled: everything that they give is what the first one gave."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge.check import Criteria, Geometry, Limits, Measure, WhatIf
from impinge import _core

DAY = date(2026, 11, 26)

RULES = """version = 1
names = { pattern = "{name}" }
[sets]
left = { name = "part [0-3]" }
[[test]]
name = "all"
a = "*"
b = "*"
tolerance = 0.01
clearance = 0.3
[[test]]
name = "lost"
find = "lost-contact"
a = "*"
b = "*"
[[test]]
name = "loose"
find = "floating"
a = "*"
[[test]]
name = "way"
find = "min-gap"
a = { name = "part 0" }
b = "*"
poses = "way"
clearance = 0.5
[[ignore]]
a = { name = "part 1" }
b = { name = "part 2" }
reason = "designed"
[[ignore]]
a = { name = "part 3" }
b = "*"
max_depth = 0.3
reason = "a seat"
"""


def row(count: int = 8) -> impinge.Assembly:
    """Boxes in a row: they overlap, touch, are near, and one lies apart; and one inside another."""
    box, assembly = impinge.Mesh.box([1, 1, 1]), impinge.Assembly()
    for i, x in enumerate([0, 0.75, 1.75, 2.5, 3.75, 9, 9, 0.5][:count]):
        mesh = impinge.Mesh.box([0.25, 0.25, 0.25]) if i == 6 else box
        assembly.add(mesh, impinge.pose([x, 0.1 * i, 0]), name=f"part {i}", chord=0.001 if i == 2 else None)
    assembly.add(([[0, 0, 0], [3, 0, 0], [0, 3, 0.5]], [[0, 1, 2]]), name="sheet")
    assembly.omit("memory", "no mesh", name="lost", failed=True)
    assembly.warn("memory", "a doubt")
    return assembly


def every_second(a: int, b: int) -> bool:
    return (a + b) % 2 == 1


def checks() -> dict[str, tuple[impinge.Assembly, dict[str, Any]]]:
    baseline = impinge.Baseline().updated(
        row(5).check(baseline=impinge.Baseline(), criteria=Criteria(today=DAY)), today=DAY
    )
    rules = impinge.Rules(RULES).with_poses("way", impinge.pose([[x, 0, 0] for x in (0, 2, 4)]))
    ruled = {"rules": rules, "criteria": Criteria(today=DAY)}
    before = row()
    before.set_pose(4, impinge.pose([3.5, 0.4, 0]))
    contacts = impinge.Baseline().updated(
        before.check(baseline=impinge.Baseline(), **ruled, measure=Measure(contacts=True)), today=DAY
    )
    return {
        "plain": (row(), {}),
        "lengths": (
            row(),
            {
                "clearance": 0.3,
                "tolerance": 0.05,
                "what_if": WhatIf(clearances=[0.1, 1]),
                "measure": Measure(depth="all"),
            },
        ),
        "tolerances": (
            row(),
            {"what_if": WhatIf(tolerances=[0.01, 0.3]), "measure": Measure(contacts=True, floating=True)},
        ),
        "surfaces": (row(), {"geometry": Geometry(surfaces=True), "clearance": 0.2}),
        "rounding": (row(), {"geometry": Geometry(rounding=True, chord={"part 1": 0.01}, unit="mm")}),
        "late": (row(), {"limits": Limits(time_limit=0), "clearance": 0.2}),
        "listed": (row(), {"limits": Limits(pairs=[[0, 1], [2, 1], [4, 5]]), "clearance": 1}),
        "function": (row(), {"limits": Limits(pairs=every_second), "clearance": 1}),
        "lambda": (row(), {"limits": Limits(pairs=lambda a, b: b == a + 1), **ruled}),
        "groups": (row(), {"between": (["part 0", "part 3"], ["part*"])}),
        "globs": (row(), {"only": "part*", "ignore": ["part 1,part 2"], "criteria": Criteria(today=DAY)}),
        "rules": (row(), ruled),
        "baseline": (row(), {"baseline": baseline, "criteria": Criteria(today=DAY)}),
        "lost": (row(), {"baseline": contacts, "measure": Measure(contacts=True), **ruled}),
        "none": (impinge.Assembly(), {"clearance": 1}),
    }


CHECKS = checks()


def contents(report: impinge.check.Report) -> dict[str, Any]:
    """All that a report gives, without its objects."""
    floating = report.floating
    graph = report.contact_graph()
    pairs = [(a, b) for b in range(len(report.parts)) for a in range(b)]
    fields = (
        "kind",
        "test",
        "severity",
        "volume",
        "depth",
        "separating_distance",
        "distance",
        "point",
        "status",
        "id",
        "fragile",
    )
    findings = [
        ([getattr(one, name) for name in fields], [part.index for part in one.parts])
        for one in report.findings
    ]
    groups = report.groups()
    return {
        "data": report.data,
        "text": (str(report), repr(report), report.to_markdown(0)),
        "tests": (report.tests, report.ignores),
        "clean": report.is_clean,
        "findings": findings,
        "ranked": [[one.index for one in report.ranked()], [one.index for one in report.ranked_findings()]],
        "overlaps": report.filter(relation="overlap", name="part *").indices.tolist(),
        "what if": (report.what_if, report.what_if_tolerance),
        "omissions": report.omissions,
        "graph": (graph.edges(), graph.components),
        "floating": None
        if floating is None
        else [([p.index for p in one.parts], one.gap) for one in floating],
        "explained": [report.explain(a, b) for a, b in pairs],
        "groups": (
            repr(groups),
            [(repr(one), one.placements, [f.index for f in one.findings]) for one in groups.groups],
        ),
        "parts": [(p.name, p.file, p.status, p.chord, p.path, p.properties) for p in report.parts],
        "columns": {name: np.asarray(column).tolist() for name, column in report.columns().items()},
    }


def files(report: impinge.check.Report, folder: Path) -> dict[str, bytes]:
    """The report in every format that has a place for it, and its pictures."""
    folder.mkdir()
    for ending in _core._Report.extensions():
        if not (ending in ("csv", "xlsx", "glb") and (report.what_if or report.what_if_tolerance)):
            report.write(folder / f"report.{ending}")
    if report.assembly is not None:
        report.images(folder / "pictures", size=(96, 64), threads=1)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", CHECKS)
def test_a_pickled_report_gives_what_the_first_one_gives(name: str, tmp_path: Path) -> None:
    assembly, arguments = CHECKS[name]
    report = assembly.check(**arguments)
    first, first_files = contents(report), files(report, tmp_path / "first")
    again = pickle.loads(pickle.dumps(report))
    assert again is not report and type(again) is impinge.check.Report
    second = contents(again)
    for key, value in first.items():
        assert repr(second[key]) == repr(value), key
    written = files(again, tmp_path / "second")
    assert written.keys() == first_files.keys() and len(written) >= 8
    for path, content in first_files.items():
        assert written[path] == content, path
    for one, other in zip(report.arrays().values(), again.arrays().values(), strict=True):
        assert one.tobytes() == other.tobytes() and one.dtype == other.dtype
    # And once more, from the copy.
    assert pickle.dumps(pickle.loads(pickle.dumps(again))) == pickle.dumps(again)
    if "baseline" in arguments:
        known = arguments["baseline"]
        assert known.updated(again, today=DAY).text == known.updated(report, today=DAY).text


def test_the_checks_find_something_of_each_kind() -> None:
    kinds = set()
    for assembly, arguments in CHECKS.values():
        kinds |= {finding.kind for finding in assembly.check(**arguments).findings}
    assert {"overlap", "contains", "near", "floating", "lost_contact", "min_gap", "pierce", "meet"} <= kinds


def test_a_function_of_pairs_is_replaced_by_what_it_returned() -> None:
    report = row().check(limits=Limits(pairs=lambda a, b: b == a + 1))
    again = pickle.loads(pickle.dumps(report))
    assert again._origin.chosen is None and len(again._origin.refused) > 0
    assert again.data == report.data


def test_edits_after_the_check_change_no_pickle() -> None:
    assembly, pairs = row(), np.array([[0, 1]])
    report = assembly.check(limits=Limits(pairs=pairs))
    pairs[0] = 4, 5
    assembly.set_pose(0, impinge.pose([99, 0, 0]))
    again = pickle.loads(pickle.dumps(report))
    assert again.data == report.data and len(again.findings) == 1
    assert again.assembly is not None and again.assembly[0].pose[0, 3] == 0


def test_findings_and_clashes_keep_their_report() -> None:
    report = row().check(clearance=0.3)
    finding, clash, near = pickle.loads(pickle.dumps((report.findings[0], report.clashes[0], report.near[0])))
    assert finding._report is clash._report is near._report
    assert (finding.kind, clash.point, near.distance) == (
        report.findings[0].kind,
        report.clashes[0].point,
        report.near[0].distance,
    )
    assert copy.deepcopy(report).data == report.data


def of_process(seed: int) -> impinge.check.Report:
    assembly = row()
    assembly.set_pose(0, impinge.pose([0.01 * seed, 0, 0]))
    return assembly.check(clearance=0.3, limits=Limits(pairs=lambda a, b: a < 6))


def clashes_of(report: impinge.check.Report) -> tuple[int, str]:
    return len(report.clashes), str(report)


def test_reports_travel_between_processes() -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        # A pool waits for ever for what it cannot unpickle.
        reports = pool.map_async(of_process, range(3)).get(timeout=300)
        assert [one.data for one in reports] == [of_process(seed).data for seed in range(3)]
        sent = pool.map_async(clashes_of, reports).get(timeout=300)
        assert sent == [clashes_of(one) for one in reports]


def test_ray_takes_reports() -> None:
    cloudpickle = pytest.importorskip("cloudpickle", reason="Ray pickles with cloudpickle")
    report = row().check(rules=impinge.Rules("version = 1"), limits=Limits(pairs=lambda a, b: a < 6))
    assert pickle.loads(cloudpickle.dumps(report)).data == report.data


def test_a_report_of_a_plan(tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    assert _core._command(["impinge", "plan", "--demo", "gearbox", "-o", str(plan)]) == 0
    assert _core._command(["impinge", "work", "--all", str(plan)]) == 0
    report = impinge.check.Report(_core._merge(plan))
    first, first_files = contents(report), files(report, tmp_path / "first")
    again = pickle.loads(pickle.dumps(report))
    assert again.assembly is None and repr(contents(again)) == repr(first)
    assert files(again, tmp_path / "second") == first_files and len(first["findings"]) > 0


def test_a_damaged_pickle_is_one_error() -> None:
    state = _core._report_bytes(row().check()._native)
    native = row()._native
    assert _core._report_of(state, native, None, None, None, None, None).findings > 0
    for wrong, message in (
        (state[:-1], "a saved report: its content does not match its digest"),
        (b"", "a saved report: it ends early"),
    ):
        with pytest.raises(impinge.Error, match=message):
            _core._report_of(wrong, native, None, None, None, None, None)
    with pytest.raises(impinge.Error, match="a saved report: its parts are others"):
        _core._report_of(state, impinge.Assembly()._native, None, None, None, None, None)
