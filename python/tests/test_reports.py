"""Reports as objects, arrays and tables, each against the report's JSON."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge import _core


@pytest.fixture(scope="module")
def gearbox(tmp_path_factory: pytest.TempPathFactory) -> impinge.Assembly:
    path = tmp_path_factory.mktemp("gearbox") / "gearbox.glb"
    assert _core._command(["impinge", "demo", "gearbox", "-o", str(path)]) == 0
    return impinge.read(path)


@pytest.fixture(scope="module")
def reports(gearbox: impinge.Assembly) -> dict[str, impinge.check.Report]:
    return {
        "plain": gearbox.check(),
        "all": gearbox.check(
            clearance=1e-4,
            tolerance=1e-9,
            geometry=impinge.check.Geometry(chord=1e-6),
            measure=impinge.check.Measure(depth="all"),
        ),
        "surfaces": gearbox.check(clearance=1e-4, geometry=impinge.check.Geometry(surfaces=True)),
        "late": gearbox.check(clearance=1e-4, limits=impinge.check.Limits(time_limit=0)),
        "none": impinge.Assembly().check(clearance=1.0, what_if=impinge.check.WhatIf(clearances=[1.0])),
    }


def known(number: Any) -> Any:
    """NaN as None."""
    return None if np.any(np.isnan(number)) else np.asarray(number).tolist()


def test_arrays_are_the_json(reports: dict[str, impinge.check.Report]) -> None:
    rows = 0
    for report in reports.values():
        table, data = report.clash_array, report.data
        assert len(table) == len(data["clashes"]) and not table.flags.writeable
        for row, said in zip(table, data["clashes"], strict=True):
            for name in ("a", "b", "counts", "triangle_pairs"):
                assert row[name] == said[name]
            assert row["point"].tolist() == said["point"]
            assert row["relation"] == said.get("relation", "") and row["certainty"] == said.get(
                "certainty", ""
            )
            assert row["touching"] == said.get("touching", True)
            for name in ("overlap_volume", "interference_depth", "depth_at_least", "separating_translation"):
                assert known(row[name]) == said.get(name)
            assert {1: True, 0: False, -1: None}[int(row["shallow"])] == said.get("shallow")
            by, length = said.get("separating_translation"), said.get("separating_distance")
            assert known(row["separating_distance"]) == length
            assert length is None or length == pytest.approx(np.linalg.norm(by), rel=1e-12)
        for row, said in zip(report.near_array, data.get("near", []), strict=True):
            assert (row["a"], row["b"]) == (said["a"], said["b"]) and row["distance"].tolist() == said[
                "distance"
            ]
            assert row["points"].tolist() == said["points"] and row["certainty"] == said.get("certainty", "")
        assert report.not_examined.tolist() == data.get("not_examined", [])
        assert report.arrays()["clashes"] is report.clash_array and set(report.arrays()) == {
            "clashes",
            "near",
            "not_examined",
        }
        rows += len(table) + len(report.near_array) + len(report.not_examined)
    assert rows > 600


def test_objects_are_the_json(reports: dict[str, impinge.check.Report]) -> None:
    for report in reports.values():
        data = report.data
        for clash, said in zip(report, data["clashes"], strict=True):
            assert (clash.a.index, clash.b.index, clash.counts) == (said["a"], said["b"], said["counts"])
            assert clash.relation == said.get("relation") and clash.certainty == said.get("certainty")
            assert list(clash.point) == said["point"] and clash.triangle_pairs == said["triangle_pairs"]
            volume, by = said.get("overlap_volume"), said.get("separating_translation")
            assert clash.volume == (None if volume is None else tuple(volume))
            assert clash.separating_translation == (None if by is None else tuple(by))
            assert clash.separating_distance == said.get("separating_distance")
            deep = said.get("interference_depth")
            assert clash.interference_depth == (None if deep is None else tuple(deep))
            assert clash.depth_at_least == said.get("depth_at_least") and clash.shallow == said.get("shallow")
            assert clash.touching == said.get("touching", True) and not clash.depth_not_computed
            assert clash == said and clash["a"] == said["a"] and clash.get("missing") is None
        for near, said in zip(report.near, data.get("near", []), strict=True):
            assert (near.a.index, near.b.index, list(near.distance)) == (
                said["a"],
                said["b"],
                said["distance"],
            )
            assert [list(p) for p in near.points] == said["points"] and near.certainty == said.get(
                "certainty"
            )
            assert near == said
        for part, said in zip(report.parts, data["parts"], strict=True):
            assert (part.index, part.name, str(part.file), part.triangles) == tuple(
                said[key] for key in ("index", "name", "file", "triangles")
            )
            solid = said.get(
                "solid", {"status": None, "rule": None, "edges": 0, "holes": 0, "at": None, "width": None}
            )
            assert (part.status, part.fill_rule) == (solid["status"], solid["rule"])
            assert (part.open_edges, part.holes, part.hole_width) == (
                solid["edges"],
                solid["holes"],
                solid["width"],
            )
            assert part.open_at == (None if solid["at"] is None else tuple(solid["at"]))
            assert part.chord == said.get("chord") and part == said
        assert report.coverage == data["coverage"] and report.warnings == data["warnings"]
        assert report.what_if == data.get("what_if", [])
        assert (
            report.clashes == data["clashes"] and report.clashes != data["clashes"][1:] or not data["clashes"]
        )
    assert "Clash('" in repr(reports["plain"].clashes) and "NearPair('" in repr(reports["all"].near[0])


def test_parts_lead_to_the_assembly(gearbox: impinge.Assembly, reports: dict[str, impinge.check.Report]) -> None:
    report = reports["plain"]
    clash = report.clashes[0]
    assert clash.a.mesh is gearbox[clash.a.index].mesh
    assert np.array_equal(clash.b.pose, gearbox[clash.b.index].pose)  # type: ignore[arg-type]
    assert report.assembly is not gearbox and report.assembly is not None
    assert clash.a is report.parts[clash.a.index] and repr(clash.a).startswith("CheckedPart(")


def test_ranked_has_the_gravest_first(reports: dict[str, impinge.check.Report]) -> None:
    report = reports["plain"]
    ranked = report.ranked()
    assert sorted(clash.index for clash in ranked) == list(range(len(report.clashes)))
    assert [clash.counts for clash in ranked] == sorted((clash.counts for clash in ranked), reverse=True)
    # Without a volume in common, the size is that of a cube over the translation.
    sizes = [
        clash.volume[1] if clash.volume else np.linalg.norm(clash.separating_translation or 0.0) ** 3
        for clash in ranked
        if clash.counts
    ]
    assert sizes == sorted(sizes, reverse=True) and len(sizes) == len(report.findings) > 5
    # The table of the command has them in this order.
    text, place = str(report), 0
    for clash in ranked[: len(report.findings)]:
        place = min(
            text.find(f"\n{name}", place)
            for name in (clash.a.name, clash.b.name)
            if f"\n{name}" in text[place:]
        )
        assert place >= 0
    assert list(ranked[:3]) == list(ranked)[:3] and ranked[-1].index == ranked.indices[-1]


def test_filters_are_those_of_a_loop(reports: dict[str, impinge.check.Report]) -> None:
    for report in reports.values():
        clashes = list(report)

        def same(found: Any, expected: list[impinge.check.Clash]) -> int:
            assert [clash.index for clash in found] == [clash.index for clash in expected]
            return len(expected)

        if report.coverage.get("relations"):
            same(report.filter(relation="touch"), [c for c in clashes if c.relation == "touch"])
            same(
                report.filter(relation="inside"),
                [c for c in clashes if c.relation in ("inside", "contains")],
            )
            same(
                report.filter(relation=["overlap", impinge.results.RelationKind.DUPLICATE, "surface-inside"]),
                [c for c in clashes if c.relation in ("overlap", "duplicate", "surface_inside")],
            )
        same(report.filter(), clashes)
        same(report.filter(counts=True), [c for c in clashes if c.counts])
        same(report.filter(counts=False), [c for c in clashes if not c.counts])
        same(report.filter(min_volume=1e-9), [c for c in clashes if c.volume and c.volume[1] >= 1e-9])
        gears = [c for c in clashes if any(p.name.startswith("gear") for p in (c.a, c.b))]
        same(report.filter(name="gear*"), gears)
        if len(report.parts):
            same(report.filter(between=("gear*", "*"), counts=True), [c for c in gears if c.counts])
            two = [c for c in gears if any(p.name.startswith("bolt") for p in (c.a, c.b))]
            same(report.filter(between=("gear*", ["bolt*"])), two)
    with pytest.raises(ValueError, match="'overlaps' is not a valid"):
        reports["plain"].filter(relation="overlaps")


def test_pandas_has_the_rows_of_the_csv(reports: dict[str, impinge.check.Report], tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    report = reports["all"]
    report.write(tmp_path / "a.csv")
    frame, read = report.to_pandas(), pandas.read_csv(tmp_path / "a.csv")
    assert [*frame.columns, "test", "severity", "finding", "group", "status"] == list(read.columns)
    assert len(frame) == len(read) > 100
    assert frame["counts"].sum() == len(report.findings)
    lengths = "interference_depth_lo", "separating_distance", "distance_lo"
    for name in ("a", "b", "x", "overlap_volume_hi", *lengths):
        assert np.array_equal(frame[name].to_numpy(float), read[name].to_numpy(float), equal_nan=True)
    assert frame["relation"].tolist() == read["relation"].tolist()


def test_without_pandas_the_error_says_so(
    reports: dict[str, impinge.check.Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        reports["plain"].to_pandas()


def test_every_format_is_written(reports: dict[str, impinge.check.Report], tmp_path: Path) -> None:
    report = reports["plain"]
    for ending in _core._Report.extensions():
        path = tmp_path / f"out.{ending}"
        report.write(path)
        assert path.stat().st_size > 100
        path.chmod(0o600)
        report.write(str(path))
        assert path.stat().st_mode & 0o777 == 0o600
    report.write(tmp_path / "upper.JSON")
    assert (tmp_path / "upper.JSON").read_bytes() == (tmp_path / "out.json").read_bytes()
    with pytest.raises(FileNotFoundError, match="absent"):
        report.write(tmp_path / "absent" / "out.json")
    with pytest.raises(ValueError, match="what_if"):
        reports["none"].write(tmp_path / "out.csv")


def test_no_json_is_made_unless_asked(gearbox: impinge.Assembly) -> None:
    report = gearbox.check(clearance=1e-4)
    for clash in report.ranked():
        assert clash.a.name and clash.point
    assert report.filter(counts=True) and report.columns() and report.coverage and report.near[0].distance
    assert str(report) and repr(report) and report.what_if == []
    assert report._data is None
    assert report.data is report.data and report._data is not None


def test_a_plan_gives_the_same_report(gearbox: impinge.Assembly, tmp_path: Path) -> None:
    from impinge._lengths import Coordinates
    from impinge._options import options

    expected = gearbox.check(clearance=1e-4)
    expected.write(tmp_path / "a.json")
    for k, parts in enumerate((gearbox._native, list(gearbox.paths))):
        plan = tmp_path / f"plan{k}"
        tasks = _core._plan(options(Coordinates(), clearance=1e-4), parts, plan, 3, None, False)
        assert tasks == 3 and all(_core._work(plan, task, 1)[2] for task in range(tasks))
        report = impinge.check.Report(_core._merge(plan))
        report.write(tmp_path / "b.json")
        assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
        clash = report.clashes[0]
        assert report.assembly is None and clash.a.mesh is None and clash.a.guid is None
        assert clash == expected.clashes[0] and clash.a.name == expected.clashes[0].a.name
