"""Findings, rules and groups of a report: against its JSON, against the command, and against Python."""

from __future__ import annotations

import datetime
import gc
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge.check import Criteria, Geometry, Limits, Measure, WhatIf
from impinge import _core

DAY = datetime.date(2027, 1, 1)
RULES = """version = 1
[sets]
gears = ["gear_*", "pump_pinion"]
housing = "*housing*"
[[test]]
name = "all"
a = "*"
tolerance = 0.0005
[[test]]
name = "gears"
a = "gears"
b = "*"
report = ["overlap", "inside", "duplicate", "touch"]
clearance = 0.002
severity = "critical"
[[test]]
name = "loose"
a = "*"
find = "floating"
severity = "low"
[[ignore]]
reason = "bolts are screwed in"
a = { name = "*bolt*" }
b = "housing"
[[ignore]]
reason = "gears mesh"
a = { set = "gears" }
b = { set = "gears" }
max_volume = 1e-6
until = 2026-12-31
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gearbox") / "gearbox.glb"
    assert _core._command(["impinge", "demo", "gearbox", "-o", str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def gearbox(path: Path) -> impinge.Assembly:
    return impinge.read(path)


def box(x: float = 1.0, y: float = 1.0, z: float = 1.0) -> impinge.Mesh:
    corners = np.array([[i >> k & 1 for k in range(3)] for i in range(8)]) * (x, y, z)
    quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    return impinge.Mesh(corners, [face for a, b, c, d in quads for face in ([a, b, c], [a, c, d])])


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


@pytest.fixture(scope="module")
def reports(gearbox: impinge.Assembly, tmp_path_factory: pytest.TempPathFactory) -> dict[str, impinge.check.Report]:
    rules = tmp_path_factory.mktemp("rules") / "rules.toml"
    rules.write_text(RULES)
    return {
        "plain": gearbox.check(),
        "near": gearbox.check(clearance=1e-3, measure=Measure(depth="all")),
        "surfaces": gearbox.check(clearance=1e-4, geometry=Geometry(surfaces=True)),
        "rules": gearbox.check(rules=rules, criteria=Criteria(today=DAY)),
        "quick": gearbox.check(ignore=["*gear*", "*bolt*,*housing*"]),
        "none": impinge.Assembly().check(),
    }


def test_findings_are_those_of_the_json(reports: dict[str, impinge.check.Report]) -> None:
    kinds, seen = set(), 0
    for name, report in reports.items():
        said = report.data["findings"]
        assert len(report.findings) == len(said) == report.coverage.get("findings", len(said))
        for i, (finding, one) in enumerate(zip(report.findings, said, strict=True)):
            test = report.data["tests"][one["test"]]
            assert (finding.index, finding.kind) == (i, one["kind"])
            assert (finding.test, finding.severity) == (test["name"], test["severity"])
            assert [part.index for part in finding.parts] == one["parts"]
            assert finding.a.index == one["parts"][0]
            assert (None if finding.b is None else finding.b.index) == dict(enumerate(one["parts"])).get(1)
            clash = next((c for c in report.data["clashes"] if [c["a"], c["b"]] == one["parts"]), None)
            near = next((n for n in report.data.get("near", []) if [n["a"], n["b"]] == one["parts"]), None)
            if finding.clash is not None:
                assert clash is not None and dict(finding.clash) == clash and finding.near is None
                assert finding.volume == (clash.get("overlap_volume") or [None, None])[1]
                by, deep = finding.clash.separating_distance, finding.clash.interference_depth
                assert finding.separating_distance == by and finding.distance is None
                assert finding.depth == (None if deep is None else deep[1])
                assert finding.point == tuple(clash["point"])
            elif finding.near is not None:
                assert near is not None and dict(finding.near) == near and finding.kind == "near"
                assert finding.distance == near["distance"][1] and finding.point == tuple(near["points"][0])
            else:
                assert finding.kind == "floating" and finding.floating is not None
                assert finding.a in finding.floating.parts and finding.b is None
            kinds.add(finding.kind)
            seen += 1
        assert repr(report).startswith(f"Report({len(said)} findings"), name
    assert {"overlap", "near", "meet"} <= kinds and seen > 40
    assert [finding.kind for finding in loose().findings] == ["floating"]


def loose() -> impinge.check.Report:
    assembly = impinge.Assembly.from_meshes({"a": box(), "b": box(), "c": box()})
    assembly.set_pose("b", at(1.0))
    assembly.set_pose("c", at(3.0))
    rules = impinge.Rules('version = 1\n[[test]]\nname = "loose"\nfind = "floating"\na = "*"')
    return assembly.check(rules=rules)


def test_a_part_that_floats_is_a_finding_of_one_part() -> None:
    [finding] = loose().findings
    assert (finding.a.name, finding.b, finding.clash, finding.near) == ("c", None, None, None)
    assert finding.distance == 1.0 and finding.floating is not None and finding.floating.gap == (1.0, 1.0)
    frame = loose().findings.to_pandas()
    assert frame["b"].isna().all() and frame["name_b"].isna().all() and frame["name_a"].tolist() == ["c"]
    assert len(loose().findings.filter(part="*")) == 1 and len(loose().findings.filter(part="a")) == 0


def test_findings_are_a_sequence_of_equal_objects(reports: dict[str, impinge.check.Report]) -> None:
    report = reports["rules"]
    findings = report.findings
    some = findings[2:5]
    assert isinstance(some, impinge.check.Findings) and some.indices.tolist() == [2, 3, 4]
    assert findings[-1] == findings[len(findings) - 1] != findings[0] and findings[0] in findings
    assert len({findings[0], report.findings[0], findings[1]}) == 2
    assert findings[0] != reports["plain"].findings[0] and findings[0] != 0
    with pytest.raises(IndexError):
        findings[len(findings)]
    with pytest.raises((AttributeError, TypeError)):
        findings[0].kind = "touch"  # type: ignore[misc]


def test_the_gravest_findings_come_first(reports: dict[str, impinge.check.Report]) -> None:
    grave = {name: i for i, name in enumerate(["critical", "high", "medium", "low"])}
    for report in reports.values():
        ranked = report.ranked_findings()
        assert sorted(ranked.indices.tolist()) == list(range(len(report.findings)))
        severities = [grave[finding.severity] for finding in ranked]
        assert severities == sorted(severities)
    # Without a volume in common, the size is that of a cube over the translation.
    found = reports["near"].ranked_findings()
    ways = [None if one.clash is None else one.clash.separating_translation for one in found]
    cubes = [0.0 if by is None else float(np.linalg.norm(by)) ** 3 for by in ways]
    sizes = [cube if one.volume is None else one.volume for one, cube in zip(found, cubes, strict=True)]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[5] > 0.0
    assert len({finding.severity for finding in reports["rules"].findings}) > 1


def test_filters_select_findings(reports: dict[str, impinge.check.Report]) -> None:
    report = reports["rules"]
    all_of_them = list(report.findings)
    for kind in {finding.kind for finding in all_of_them}:
        assert list(report.findings.filter(kind=kind)) == [one for one in all_of_them if one.kind == kind]
    for name in ("all", "gears", ["all", "gears"]):
        found = report.findings.filter(test=name)
        assert list(found) == [one for one in all_of_them if one.test in name and one.test != "loose"]
    critical = report.ranked_findings().filter(severity="critical", part="*gear*")
    assert [one.index for one in critical] == [
        one.index
        for one in report.ranked_findings()
        if one.severity == "critical" and any("gear" in part.name for part in one.parts)
    ]
    assert 0 < len(critical) < len(all_of_them)
    for wrong in ({"kind": "ovrlap"}, {"test": "none"}, {"severity": "grave"}):
        with pytest.raises(ValueError, match="is not one of"):
            report.findings.filter(**wrong)  # type: ignore[arg-type]


def test_a_table_has_a_row_for_each_finding(reports: dict[str, impinge.check.Report]) -> None:
    for report in reports.values():
        for findings in (report.findings, report.ranked_findings()[:7]):
            frame = findings.to_pandas()
            assert list(frame.index) == findings.indices.tolist()
            for row, finding in zip(frame.to_dict("records"), findings, strict=True):
                for name in ("test", "severity", "kind"):
                    assert row[name] == getattr(finding, name)
                assert row["a"] == finding.a.index and row["name_a"] == finding.a.name
                if finding.b is not None:
                    assert row["b"] == finding.b.index and row["name_b"] == finding.b.name
                for name in ("volume", "depth", "separating_distance", "distance"):
                    number = getattr(finding, name)
                    assert np.isnan(row[name]) if number is None else row[name] == number
                assert (row["x"], row["y"], row["z"]) == finding.point


def test_summaries_are_those_of_the_json(reports: dict[str, impinge.check.Report]) -> None:
    for report in reports.values():
        for one, said in zip(report.tests, report.data["tests"], strict=True):
            assert {name: getattr(one, name) for name in said} | {"report": list(one.report)} == said
            assert one.asked == one.boxes_apart + one.ignored + one.not_examined + one.tested
            assert one.findings == len(report.findings.filter(test=one.name))
        for rule, said in zip(report.ignores, report.data.get("ignores", []), strict=True):
            assert {name: getattr(rule, name) for name in said} == said
    assert [rule.is_expired for rule in reports["rules"].ignores] == [False, True]
    assert reports["rules"].ignores[1].until == "2026-12-31" and reports["rules"].ignores[0].pairs > 0


def command(*arguments: object) -> Any:
    run = [sys.executable, "-m", "impinge", "check", "--format", "json", *map(str, arguments)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def test_rules_give_what_the_command_gives(path: Path, gearbox: impinge.Assembly, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES.replace("until = 2026-12-31", "until = 9999-12-31"))
    ours = gearbox.check(rules=rules)
    assert ours.data == command(path, "--rules", rules) and ours.findings and ours.ignores[0].pairs
    # As an object, the same but for the name of the file.
    same = gearbox.check(
        rules=impinge.Rules.read(rules), criteria=Criteria(today=datetime.datetime(2027, 1, 1))
    )
    assert same.data == ours.data
    quick = gearbox.check(rules=rules, only="*gear*,*shaft*", ignore=["*key*", "*gear*,*shaft*"])
    said = command(path, "--rules", rules, "--only", "*gear*,*shaft*", "--ignore", "*key*", "--ignore",
                   "*gear*,*shaft*")  # fmt: skip
    assert quick.data == said and len(quick.findings) < len(ours.findings)
    assert gearbox.check(only=["*gear*", "*shaft*"]).data == command(path, "--only", "*gear*,*shaft*")
    tolerances = gearbox.check(what_if=WhatIf(tolerances=[1e-3, 1e-5]))
    assert tolerances.data == command(path, "--what-if-tolerance", "0.001,0.00001")
    assert tolerances.what_if_tolerance == tolerances.data["what_if_tolerance"]
    with pytest.raises(ValueError, match="CSV has no place for counts"):
        tolerances.write(tmp_path / "a.csv")


def test_expired_rules_do_not_apply(gearbox: impinge.Assembly) -> None:
    rules = impinge.Rules(RULES)
    before, after = (
        gearbox.check(rules=rules, criteria=Criteria(today=day)) for day in (datetime.date(2026, 12, 31), DAY)
    )
    assert [report.ignores[1].is_expired for report in (before, after)] == [False, True]
    assert before.ignores[1].findings > 0 == after.ignores[1].findings
    assert len(before.findings) < len(after.findings)


def test_explanations_name_the_rule(gearbox: impinge.Assembly) -> None:
    assembly = impinge.Assembly()
    names = {"pipe": 0.0, "wall": 0.5, "slab": 0.99, "post": 5.0, "sill": 6.0, "beam": 6.995}
    for name, x in names.items():
        assembly.add(box(), at(x), name=name)
    text = """version = 1
[[test]]
name = "t"
a = { name = "*" }
b = "*"
tolerance = 0.006
[[test]]
name = "u"
a = { name = "[!psw]*" }
[[ignore]]
reason = "designed"
a = { name = "pipe" }
b = { name = "wall" }
[[ignore]]
reason = "small"
a = { name = "pipe" }
b = { name = "slab" }
max_volume = 0.1
"""
    report = assembly.check(rules=impinge.Rules(text))
    expected = {
        ("pipe", "wall"): ("removed", None, "designed", 10),
        ("pipe", "slab"): ("ignored", "overlap", "small", 14),
        ("wall", "slab"): ("finding", "overlap", None, None),
        ("post", "sill"): ("not_reported", "touch", None, None),
        ("beam", "sill"): ("shallow", "overlap", None, None),
        ("pipe", "beam"): ("apart", None, None, None),
    }
    for (a, b), (decision, kind, reason, line) in expected.items():
        for pair in ((a, b), (b, a), (assembly.index_of(a), b)):
            first, second = report.explain(*pair)
            assert (first.test, first.decision, first.kind) == ("t", decision, kind), pair
            assert (first.reason, first.line) == (reason, line)
            assert (second.test, second.decision, second.rule) == ("u", "not_asked", None)
    assert first.rule is None and report.explain(0, 1)[0].rule == report.ignores[0]
    # A pair that the check did not cover is not reported as apart.
    part = assembly.check(rules=impinge.Rules(text), limits=Limits(pairs=[[0, 1]]))
    assert [part.explain(*pair)[0].decision for pair in ((0, 1), (1, 2))] == ["removed", "not_asked"]
    late = assembly.check(rules=impinge.Rules(text), limits=Limits(time_limit=0))
    assert late.explain("wall", "slab")[0].decision == "not_examined"
    [only] = assembly.check().explain(0, 1)
    assert (only.test, only.decision, only.rule) == ("check", "finding", None)
    with pytest.raises(impinge.Error, match="both are part 0"):
        report.explain(0, "pipe")
    with pytest.raises(IndexError):
        report.explain(0, 6)
    with pytest.raises(KeyError, match="no part is called 'none'"):
        report.explain(0, "none")


def test_contradictions_are_one_error(gearbox: impinge.Assembly, tmp_path: Path) -> None:
    rules = impinge.Rules(RULES)
    for wrong, text in (
        ({"rules": rules, "tolerance": 1.0}, "tolerance: the tests of the rules state it"),
        ({"rules": rules, "clearance": 1.0}, "clearance: the tests"),
        ({"rules": rules, "criteria": Criteria(report="touch")}, "report: the tests"),
        ({"only": "*", "geometry": Geometry(surfaces=True)}, "surfaces: rules are about"),
        ({"only": ""}, "^only : a glob is empty"),
        ({"ignore": "a,b,c"}, "^ignore a,b,c: write GLOB"),
        (
            {"what_if": WhatIf(tolerances=[-1.0])},
            "what_if.tolerances must be finite and not negative, not -1",
        ),
    ):
        with pytest.raises(impinge.Error, match=text):
            gearbox.check(**wrong)  # type: ignore[arg-type]
    # Without tests, the arguments state them.
    assert len(gearbox.check(only="*gear*", clearance=1e-3, criteria=Criteria(report="touch")).findings) >= 0
    with pytest.raises(FileNotFoundError):
        gearbox.check(rules=tmp_path / "none.toml")


def test_a_plan_refuses_rules(gearbox: impinge.Assembly) -> None:
    distributed = pytest.importorskip("impinge.distributed")
    refused: dict[str, dict[str, Any]] = {
        "rules": {"rules": impinge.Rules(RULES)},
        "only": {"only": "a"},
        "ignore": {"ignore": ["a"]},
        "criteria.today": {"criteria": Criteria(today=DAY)},
        "limits.pairs": {"limits": Limits(pairs=[[0, 1]])},
        "measure.floating": {"measure": Measure(floating=True)},
    }
    for name, arguments in refused.items():
        with pytest.raises(impinge.Error, match=f"^{name}: a plan does not take it yet"):
            distributed.check(gearbox, **arguments)
    with pytest.raises(TypeError, match=r"^chord: write geometry=impinge\.check\.Geometry\(chord=\.\.\.\)$"):
        distributed.check(gearbox, chord=1)


def grid() -> impinge.Assembly:
    """Two rows of boxes of three sizes: neighbours of a row overlap, the rows are 5 apart."""
    r = np.random.default_rng(3)
    meshes = [box(), box(1.0, 2.0), box(1.0, 1.0, 3.0)]
    assembly = impinge.Assembly()
    for row in range(2):
        for i in range(20):
            kind = int(r.integers(3))
            pose = at(i * 0.9 + (0.02 if i % 2 else 0.0), 5.0 * row)
            assembly.add(meshes[kind], pose, name=f"{'abc'[kind]} {row} {i}", type=f"T{kind}")
    return assembly


def partition(groups: Any) -> set[frozenset[int]]:
    return {frozenset(group.findings.indices.tolist()) for group in groups}


def parted(findings: impinge.check.Findings, key: Any) -> set[frozenset[int]]:
    found = defaultdict(set)
    for finding in findings:
        found[key(finding)].add(finding.index)
    return {frozenset(one) for one in found.values()}


def test_groups_are_those_of_a_loop_in_python() -> None:
    assembly = grid()
    report = assembly.check()
    findings = report.findings
    assert len(findings) == 38
    sizes = [part.name[0] for part in assembly]

    def shapes(finding: impinge.check.Finding) -> Any:
        return tuple(sorted(sizes[part.index] for part in finding.parts))

    groups = report.groups().groups
    assert partition(groups) == parted(findings, shapes) and 3 < len(groups) < 10
    for group in groups:
        assert len(group) == len(group.findings) and group.labels is None
        assert (group.test, group.severity, group.kind) == ("check", "medium", "overlap")
        assert group.volume == max(finding.volume or 0.0 for finding in group.findings)
        depths = [finding.depth for finding in group.findings if finding.depth]
        assert group.depth == max(depths, default=None)
        lengths = [finding.separating_distance for finding in group.findings]
        assert group.separating_distance == (None if None in lengths else max(lengths))
        assert group.distance is None and 1 <= group.placements <= len(group)
        ranks = report.ranked_findings().indices.tolist()
        places = [ranks.index(i) for i in group.findings.indices]
        assert places == sorted(places)
    firsts = [ranks.index(group.findings[0].index) for group in groups]
    assert firsts == sorted(firsts)
    said = report.data["groups"]["groups"]
    assert [group.findings.indices.tolist() for group in groups] == [one["findings"] for one in said]

    def labels(finding: impinge.check.Finding) -> Any:
        return tuple(sorted(str(part.type) for part in finding.parts))

    by_field = report.groups(by="type")
    assert partition(by_field.groups) == parted(findings, labels)
    for group in by_field.groups:
        assert group.labels == labels(group.findings[0]) and group.placements == len(group)
    for by in (lambda part: part.type, [part.type for part in assembly]):
        again = report.groups(by).groups
        assert [group.findings.indices.tolist() for group in again] == [
            group.findings.indices.tolist() for group in by_field.groups
        ]
    # Neighbours in a row are nearer than 2, rows are not.
    near = report.groups(near=2.0).groups
    assert partition(near) == parted(findings, lambda finding: finding.a.name.split()[1]) and len(near) == 2


def test_connected_parts_and_parts_that_explain() -> None:
    report = grid().check()
    groups = report.groups()
    assert [[part.index for part in one.parts] for one in groups.connected] == [
        list(range(20)),
        list(range(20, 40)),
    ]
    pairs = [[part.index for part in finding.parts] for finding in report.findings]
    assert sorted(pair for one in groups.connected for pair in one.pairs.tolist()) == sorted(pairs)
    left = [set(pair) for pair in pairs]
    for one in groups.explained:
        counts = {part: sum(part in pair for pair in left) for part in range(40)}
        assert one.count == counts[one.part.index] == max(counts.values())
        left = [pair for pair in left if one.part.index not in pair]
    assert not left
    said = report.data["groups"]
    assert [one["part"] for one in said["explained"]] == [one.part.index for one in groups.explained]


def test_groups_refuse_what_they_cannot_do(gearbox: impinge.Assembly, tmp_path: Path) -> None:
    report = gearbox.check()
    for wrong, text in (
        ({"by": "Colour"}, "no part has"),
        ({"by": ["a"]}, "a label for each of"),
        ({"near": 0.0}, "near must be finite and more than 0"),
        ({"near": float("nan")}, "near must be"),
        ({"by": "type", "near": 1.0}, "give one of them"),
    ):
        with pytest.raises(ValueError, match=text):
            report.groups(**wrong)  # type: ignore[arg-type]
    [group] = report.groups(lambda part: None).groups[:1]
    assert group.labels == ("(none)", "(none)") and len(group) == len(report.findings)
    # The fields of the rules' names, too.
    rules = impinge.Rules('version = 1\n[names]\npattern = "{kind}_{rest}"')
    named = gearbox.check(rules=rules).groups("kind").groups
    assert {label for group in named for label in group.labels or ()} <= {
        part.name.split("_")[0] if "_" in part.name else "(none)" for part in gearbox
    } and len(named) > 1


def test_markdown_is_that_of_a_file(reports: dict[str, impinge.check.Report], tmp_path: Path) -> None:
    for report in reports.values():
        report.write(tmp_path / "report.md")
        assert report.to_markdown() == (tmp_path / "report.md").read_text()
    report = reports["near"]
    lines = [len(report.to_markdown(limit).splitlines()) for limit in (1, 5, 0)]
    assert lines[0] < lines[1] < lines[2] and len(report.groups().groups) > 5
    with pytest.raises(ValueError, match="limit must not be negative, not -1"):
        report.to_markdown(-1)


def test_many_findings_make_no_objects() -> None:
    triangle = impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    assembly = impinge.Assembly()
    for i in range(300):
        assembly.add(triangle, name=f"p{i}")
    report = assembly.check(geometry=Geometry(surfaces=True))
    assert len(report.findings) == 300 * 299 // 2
    gc.collect()
    before = len(gc.get_objects())
    kept = [report.findings, report.findings.filter(part="p1*"), report.ranked_findings()]
    kept += [group.findings for group in report.groups(near=1.0).groups]
    assert len(gc.get_objects()) - before < 1000
    # 111 parts are called p1 and more.
    assert [len(findings) for findings in kept] == [44850, 111 * 189 + 111 * 110 // 2, 44850, 44850]
