"""What touches what, what floats, and the schema of the JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import impinge


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
    report = assembly.check(contacts=True, floating=True)
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
    graph = assembly.check(contacts=True).contact_graph().to_networkx()
    assert sorted(map(sorted, networkx.connected_components(graph))) == [[0, 1, 2], [3, 4]]
    assert graph.nodes[4]["name"] == "e" and graph.edges[0, 1]["area"] == (1.0, 1.0)


def test_graphs_in_files(assembly: impinge.Assembly, tmp_path: Path) -> None:
    report = assembly.check(contacts=True)
    report.write(tmp_path / "graph.dot")
    assert '0 -- 1 [label="touch, area 1.000"' in (tmp_path / "graph.dot").read_text()
    report.write(tmp_path / "graph.graphml")
    import networkx
    graph = networkx.read_graphml(tmp_path / "graph.graphml")
    assert graph.edges["p1", "p2"]["dimension"] == "line" and graph.nodes["p3"]["floats"]


QUESTIONS = [
    [],
    ["--surfaces", "--contacts"],
    ["--clearance", "0.5", "--what-if", "1,2", "--contacts", "--floating"],
    ["--chord", "0.01", "--tolerance", "0.1", "--depth", "all"],
    ["--time-limit", "0"],
]


@pytest.mark.parametrize("options", QUESTIONS, ids=" ".join)
def test_json_is_as_its_schema_says(options: list[str]) -> None:
    import jsonschema
    root = Path(__file__).parents[2]
    schema = json.loads((root / "crates/impinge-report/schema/report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    command = [sys.executable, "-m", "impinge", "check", "--format", "json", *options]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    assert [error.message for error in validator.iter_errors(report)] == []
    # The schema takes nothing else.
    for change in (
        lambda r: r.pop("coverage"),
        lambda r: r.update(other=1),
        lambda r: r["parts"][0].update(index=-1),
        lambda r: r["coverage"].update(other=1),
    ):
        wrong = json.loads(json.dumps(report))
        change(wrong)
        assert not validator.is_valid(wrong)
