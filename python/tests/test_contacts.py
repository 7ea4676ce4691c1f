"""Contacts, floating parts, and other programs that read our JSON, JUnit XML and Markdown."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge.check import Measure


def cube(side: float = 1.0) -> impinge.Mesh:
    corners = np.array([[i >> k & 1 for k in range(3)] for i in range(8)]) * side
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    return impinge.Mesh(corners, [t for a, b, c, d in faces for t in ([a, b, c], [a, c, d])])


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


@pytest.fixture
def assembly() -> impinge.Assembly:
    """A row of cubes: two that share a face, one that shares an edge with these, one apart, one in it."""
    all_parts = impinge.Assembly()
    mesh = cube()
    for name, pose in {"a": at(0), "b": at(1), "c": at(2, 1), "d": at(9), "e": at(9.5)}.items():
        all_parts.add(mesh, pose, name=name)
    return all_parts


def test_the_contact_graph_has_exact_dimensions(assembly: impinge.Assembly) -> None:
    report = assembly.check(measure=Measure(contacts=True, floating=True))
    graph = report.contact_graph()
    found = {contact.a.name + contact.b.name: contact for contact in graph}
    assert {pair: contact.dimension for pair, contact in found.items()} == {
        "ab": "area",
        "bc": "line",
        "de": "volume",
    }
    assert found["ab"].area == (1.0, 1.0) and found["bc"].length == (1.0, 1.0)
    assert found["de"].area is None and found["de"].counts and not found["ab"].counts
    assert graph.components == ((0, 1, 2), (3, 4)) and len(graph) == 3
    assert [(a, b) for a, b, _ in graph.edges()] == [(0, 1), (1, 2), (3, 4)]
    assert graph.edges()[0][2]["dimension"] == "area"
    assert report.floating is not None
    [group] = report.floating
    assert [part.name for part in group.parts] == ["d", "e"]
    assert group.nearest is not None and [part.name for part in group.nearest] == ["d", "c"]
    assert group.gap == (6.0, 6.0)
    assert assembly.check().floating is None


def test_a_graph_for_networkx(assembly: impinge.Assembly) -> None:
    import networkx
    graph = assembly.check(measure=Measure(contacts=True)).contact_graph().to_networkx()
    assert sorted(map(sorted, networkx.connected_components(graph))) == [[0, 1, 2], [3, 4]]
    assert graph.nodes[4]["name"] == "e" and graph.edges[0, 1]["area"] == (1.0, 1.0)


def test_a_graph_for_graphviz(assembly: impinge.Assembly, tmp_path: Path) -> None:
    report = assembly.check(measure=Measure(contacts=True))
    report.write(tmp_path / "graph.dot")
    assert '0 -- 1 [label="touch, area 1.000"' in (tmp_path / "graph.dot").read_text()


QUESTIONS = [
    [],
    ["--surfaces", "--contacts"],
    ["--clearance", "0.5", "--what-if", "1,2", "--contacts", "--floating"],
    ["--chord", "0.01", "--tolerance", "0.1", "--depth", "all"],
    ["--time-limit", "0"],
    ["--self", "--near", "5", "--what-if-tolerance", "0.001,0.1"],
    ["--group-by", "^[a-z]+", "--ignore", "gear*,pump*", "--only", "*"],
    ["--rules", "RULES"],
    ["--baseline", "BASELINE", "--update-baseline"],
]

RULES = """
version = 1
[[test]]
name = "<all> & more | `all`"
a = "*"
severity = "high"
tolerance = 0.01
[[test]]
name = "near"
a = "*"
report = ["duplicate"]
clearance = 0.5
[[test]]
name = "floating"
a = "*"
find = "floating"
[[ignore]]
reason = "designed"
a = { name = "gear*" }
max_depth = 0.1
until = 2020-01-01
"""


def of_command(options: list[str], folder: Path, form: str) -> str:
    """The output of the command; RULES and BASELINE are replaced by files."""
    files = {"RULES": folder / "rules.toml", "BASELINE": folder / "baseline.jsonl"}
    files["RULES"].write_text(RULES)
    options = [str(files.get(option, option)) for option in options]
    command = [sys.executable, "-m", "impinge", "check", "--format", form, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return done.stdout


@pytest.mark.parametrize("options", QUESTIONS, ids=" ".join)
def test_json_is_as_its_schema_says(options: list[str], tmp_path: Path) -> None:
    import jsonschema
    root = Path(__file__).parents[2]
    schema = json.loads((root / "crates/impinge-report/schema/report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    report = json.loads(of_command(options, tmp_path, "json"))
    assert [error.message for error in validator.iter_errors(report)] == []
    # The schema takes nothing else.
    for change in (
        lambda r: r.pop("findings"),
        lambda r: r["tests"][0].update(severity="grave"),
        lambda r: r["groups"].update(patterns=[]),
        lambda r: r["findings"].append({"test": 0, "kind": "overlaps", "parts": [0, 1]}),
        lambda r: r["findings"].append({"test": 0, "kind": "overlap", "parts": []}),
        lambda r: r.pop("coverage"),
        lambda r: r.update(other=1),
        lambda r: r["parts"][0].update(index=-1),
        lambda r: r["coverage"].update(other=1),
    ):
        wrong = json.loads(json.dumps(report))
        change(wrong)
        assert not validator.is_valid(wrong)


# JUnit XML has no place for counts.
CASES = [options for options in [*QUESTIONS, ["--ungrouped"], ["--self"]] if "--what-if" not in " ".join(options)]


@pytest.mark.parametrize("options", CASES, ids=" ".join)
def test_junit_is_what_junitparser_reads(options: list[str], tmp_path: Path) -> None:
    import junitparser
    xml = junitparser.JUnitXml.fromstring(of_command(options, tmp_path, "junit").encode())
    numbers = (xml.tests, xml.failures, xml.errors, xml.skipped)
    stated = [(suite.tests, suite.failures, suite.errors, suite.skipped) for suite in xml]
    # The parser counts again.
    xml.update_statistics()
    assert numbers == (xml.tests, xml.failures, xml.errors, xml.skipped)
    assert stated == [(suite.tests, suite.failures, suite.errors, suite.skipped) for suite in xml]
    report = json.loads(of_command(options, tmp_path, "json"))
    assert [suite.name for suite in xml] == [test["name"] for test in report["tests"]]
    of_tests = [sum(group["test"] == i for group in report["groups"]["groups"]) for i in range(len(stated))]
    if "--ungrouped" in options:
        of_tests = [test["findings"] for test in report["tests"]]
    if "--baseline" not in options:
        assert [failures for _, failures, _, _ in stated] == of_tests
    for suite in xml:
        names = [case.name for case in suite]
        assert names and len(set(names)) == len(names)
    if "--time-limit" in options:
        assert numbers == (1, 0, 1, 0)


def test_hostile_names_are_text(tmp_path: Path) -> None:
    import junitparser
    from markdown_it import MarkdownIt
    names = ["a|b `x`", "<img src=x>``", "@all #1 *b* _c_ https://x.y", "]]>&amp;", "\\|", "=1\x01\x7f\ufffe"]
    assembly = impinge.Assembly()
    for i, name in enumerate(names):
        assembly.add(cube(1 + i / 100), at(0.01 * i), name=name)
    report = assembly.check()
    for ending in ("xml", "md"):
        report.write(tmp_path / f"a.{ending}")
    # Control characters, and what XML cannot hold, are replaced.
    shown = [name.translate({1: "\ufffd", 0x7F: "\ufffd"}) for name in names]
    cases = [case.name for suite in junitparser.JUnitXml.fromfile(str(tmp_path / "a.xml")) for case in suite]
    pairs = {frozenset(case.rsplit(":", 1)[0].split(", ")) for case in cases}
    in_xml = [name.replace("\ufffe", "\ufffd") for name in shown]
    assert pairs <= {frozenset({a, b}) for a in in_xml for b in in_xml}
    assert len(pairs) == len(cases) == 15
    tokens = MarkdownIt("commonmark").enable("table").parse((tmp_path / "a.md").read_text())
    kinds = [token.type for token in tokens]
    rows: list[list[str]] = []
    # The first table is the summary, the second that of the groups.
    first, last = (kinds.index(kind, kinds.index("tbody_close") + 1) for kind in ("tbody_open", "tbody_close"))
    for token in tokens[first:last]:
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            children = token.children or []
            assert {child.type for child in children} <= {"text", "code_inline"}
            rows[-1].append("".join(child.content for child in children))
    assert len(rows) == 15 and {len(row) for row in rows} == {6}
    assert {name for row in rows for name in row[:2]} == set(shown)
