"""Files, reports, and the command."""

from __future__ import annotations

import copy
import csv
import gc
import json
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import impinge
from impinge.check import Criteria, Geometry, Limits, Measure, Run, WhatIf


@pytest.fixture(scope="module")
def gearbox(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built-in assembly with its faults, as a file."""
    path = tmp_path_factory.mktemp("gearbox") / "gearbox.glb"
    run("demo", "gearbox", "-o", str(path))
    return path


def run(*arguments: str, status: int = 0) -> str:
    command = [sys.executable, "-m", "impinge", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout


def test_the_command() -> None:
    assert "gearbox" in run("demo", "--help")
    assert "Usage" in run("check", "--help")
    assert "findings" in run("check", "--format", "json", status=1)
    run("no-such-command", status=2)


def test_a_report_says_what_the_command_says(gearbox: Path, tmp_path: Path) -> None:
    assembly = impinge.read(gearbox)
    assert len(assembly) == len(assembly.parts) > 100 and "gearbox.glb" in repr(assembly)
    assert assembly.warnings == () and assembly.paths == (gearbox,)
    report = assembly.check(clearance=1e-4, tolerance=1e-9, what_if=WhatIf(clearances=[1e-4, 2e-4]))
    options = ["--clearance", "0.0001", "--what-if", "0.0001,0.0002", "--tolerance", "1e-9"]
    said = json.loads(run("check", str(gearbox), *options, "--format", "json", status=1))
    assert report.data == said
    assert len(report.findings) == said["coverage"]["findings"] == report.what_if[0]["findings"] > 0
    assert report.clashes == said["clashes"] and report.parts == said["parts"]
    assert report.coverage == said["coverage"] and report.warnings == said["warnings"]
    assert {clash["relation"] for clash in report.clashes} >= {"overlap", "touch", "duplicate"}
    for name in ("out.json", "out.txt"):
        report.write(tmp_path / name)
    assert json.loads((tmp_path / "out.json").read_text()) == said
    # Counts have no rows: the error leaves the old file as it was.
    (tmp_path / "out.csv").write_text("before")
    with pytest.raises(ValueError, match="what_if"):
        report.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "before"
    assembly.check(clearance=1e-4, tolerance=1e-9).write(tmp_path / "out.csv")
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(("out", ".out"))) == [
        "out.csv",
        "out.json",
        "out.txt",
    ]
    rows = list(csv.DictReader((tmp_path / "out.csv").open(newline="")))
    assert len(rows) == len(report.clashes) + len(report.near)
    text = (tmp_path / "out.txt").read_text()
    assert len(rows) > 100 > len(report.clashes)
    # A row for each group.
    assert "365" in text and len(text.splitlines()) > len(report.groups().groups) > 10
    endings = r"\.dot, \.bcf, \.navisworks\.xml, \.glb or \.xlsx"
    with pytest.raises(ValueError, match=rf"as \.txt, \.json, \.html, \.csv, \.md, \.xml, {endings}"):
        report.write(tmp_path / "out.ods")


def test_a_folder_is_an_assembly(tmp_path: Path) -> None:
    """Every mesh file in it is read, in the order of paths; a warning counts the others."""
    (tmp_path / "sub").mkdir()
    for name in ("b.off", "sub/a.off"):
        (tmp_path / name).write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    (tmp_path / "notes.txt").write_text("")
    assembly = impinge.read(tmp_path)
    assert [part.name for part in assembly] == ["b", "a"]
    assert any("notes.txt" in warning.text for warning in assembly.warnings)


def test_pictures_are_those_of_the_command(gearbox: Path, tmp_path: Path) -> None:
    report = impinge.read(gearbox).check()
    folder, other = tmp_path / "pictures", tmp_path / "other"
    groups = report.groups().groups
    assert report.images(folder) == len(groups) > 5
    run("check", str(gearbox), "--images", str(other), status=1)
    files = sorted(folder.iterdir())
    assert [path.name for path in files] == sorted(path.name for path in other.iterdir())
    assert len(files) == len(groups)
    for path in files:
        assert path.read_bytes() == (other / path.name).read_bytes()
    # Width and height are bytes 16 to 24 of a PNG file.
    assert files[0].read_bytes()[16:24] == bytes([0, 0, 3, 192, 0, 0, 2, 128])
    assert report.images(folder, size=(64, 48), threads=1) == len(groups)
    assert files[0].read_bytes()[16:24] == bytes([0, 0, 0, 64, 0, 0, 0, 48])
    for wrong in ((0, 5), (5, 5000)):
        with pytest.raises(ValueError, match="size"):
            report.images(folder, size=wrong)
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"notes\.txt"):
        report.images(folder)
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_cache_does_not_change_a_report(gearbox: Path, tmp_path: Path) -> None:
    assembly, cache = impinge.read(gearbox), tmp_path / "gearbox.cache"
    plain = assembly.check(clearance=1e-4)
    for _ in range(2):
        assert assembly.check(clearance=1e-4, run=Run(cache=cache)).data == plain.data
    # Pairs in the cache are not decided again.
    before = cache.read_bytes()
    assert before.startswith(b"impcache") and len(before) > 100 * len(assembly)
    cache.write_text("mine")
    with pytest.raises(impinge.Error, match="it is no cache"):
        assembly.check(run=Run(cache=cache))


def test_bodies_of_an_assembly_are_what_was_checked(gearbox: Path) -> None:
    assembly = impinge.read(gearbox)
    report = assembly.check(geometry=Geometry(surfaces=True))
    clash = report.clashes[0]
    a, b = assembly.body(clash["a"]), assembly.body(clash["b"])
    assert len(impinge.pairs(a, b)) == clash["triangle_pairs"]
    shared = [i for i, part in enumerate(assembly) if part.mesh is assembly[clash["a"]].mesh]
    assert all(assembly.model(i) is a.model for i in shared)
    name = next(part.name for part in assembly if [p.name for p in assembly].count(part.name) == 1)
    assert assembly[assembly.index_of(name)].name == name
    with pytest.raises(KeyError, match="no part is called"):
        assembly.body("nothing")


def test_options_reach_the_command(gearbox: Path) -> None:
    assembly = impinge.read(gearbox)
    only = assembly.check(
        threads=2,
        criteria=Criteria(report=["duplicate"]),
        measure=Measure(depth="none"),
        geometry=Geometry(fill_rule="even_odd"),
    )
    assert len(only.findings) == only.coverage["relations"]["duplicate"] > 0
    curved = assembly.check(geometry=Geometry(chord=1e-6))
    assert curved.coverage["chord"]["definite"] + curved.coverage["chord"]["possible"] == len(curved.findings)
    each = assembly.check(geometry=Geometry(chord={"*": 1e-6, "gear_1": 2e-6}))
    chords = {part["name"]: part["chord"] for part in each.data["parts"]}
    assert chords.pop("gear_1") == 2e-6 and set(chords.values()) == {1e-6}
    with pytest.raises(impinge.Error, match="no part is named 'gear_x'"):
        assembly.check(geometry=Geometry(chord={"gear_x": 1.0}))
    with pytest.raises(impinge.Error, match="max_pairs"):
        assembly.check(limits=Limits(max_pairs=3))
    with pytest.raises(impinge.Error, match="tolerance must be finite"):
        assembly.check(tolerance=-1.0)


def test_what_check_does_not_take_is_named(gearbox: Path) -> None:
    assembly = impinge.read(gearbox)
    with pytest.raises(impinge.Error, match=r"report: 'foo' is not one of 'overlap', .*'all'"):
        assembly.check(criteria=Criteria(report=["foo"]))
    only = assembly.check(criteria=Criteria(report="duplicate"), measure=Measure(depth="none"))
    assert (
        only.data == assembly.check(criteria=Criteria(report=["duplicate"]), measure=Measure(depth="none")).data
        and len(only.findings) > 0
    )
    with pytest.raises(ValueError, match="1 or more"):
        assembly.check(threads=0)
    with pytest.raises(impinge.Error, match="depth: 'deep' is not one of"):
        assembly.check(measure=Measure(depth="deep"))  # type: ignore[arg-type]
    with pytest.raises(impinge.Error, match="clearance must be finite"):
        assembly.check(clearance=float("nan"))
    with pytest.raises(TypeError, match=r"read\(\*paths\)"):
        impinge.read([gearbox])  # type: ignore[arg-type]


def two_files(folder: Path) -> list[Path]:
    """Two solids in each of two files; the first file's overlap each other and one of the second's."""
    paths = []
    for name, starts in (("a", (0.0, 1.0)), ("b", (1.5, 4.5))):
        text = ""
        for k, x in enumerate(starts):
            points = ((0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2))
            text += f"o {name}{k}\n" + "".join(f"v {x + i} {j} {l}\n" for i, j, l in points)
            faces = ((1, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4))
            text += "".join("f " + " ".join(str(4 * k + i) for i in face) + "\n" for face in faces)
        paths.append(folder / f"{name}.obj")
        paths[-1].write_text(text)
    return paths


def test_pairs_across_two_files(tmp_path: Path) -> None:
    a, b = two_files(tmp_path)
    both = impinge.read(a, b)
    everything, across = both.check(), both.check(between=True)
    assert across.data == json.loads(run("check", "--between", str(a), str(b), "--format", "json", status=1))
    assert {(clash["a"], clash["b"]) for clash in across.clashes} == {(0, 2), (1, 2)}
    assert {(clash["a"], clash["b"]) for clash in everything.clashes} == {(0, 1), (0, 2), (1, 2)}
    for paths in ([a], [a, b, a]):
        with pytest.raises(impinge.Error, match=f"two, not of {len(paths)}"):
            impinge.read(*paths).check(between=True)


def test_a_file_whose_name_begins_with_a_dash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = two_files(tmp_path)
    a.rename(tmp_path / "-a.obj")
    monkeypatch.chdir(tmp_path)
    assembly = impinge.read("-a.obj", b.name)
    assert (len(assembly.check(between=True).findings), len(assembly.check().findings)) == (2, 3)


def test_columns_are_those_of_the_csv_file(gearbox: Path, tmp_path: Path) -> None:
    assembly = impinge.read(gearbox)
    reports = {
        "plain": assembly.check(),
        "all": assembly.check(
            clearance=1e-4, tolerance=1e-9, geometry=Geometry(chord=1e-6), measure=Measure(depth="all")
        ),
        "surfaces": assembly.check(geometry=Geometry(surfaces=True)),
    }
    keys = None
    for name, report in reports.items():
        path = tmp_path / f"{name}.csv"
        report.write(path)
        columns, rows = report.columns(), list(csv.DictReader(path.open(newline="")))
        keys = keys or list(columns)
        assert list(columns) == keys and {len(column) for column in columns.values()} == {len(rows)}
        of_findings = {"test", "severity", "finding", "group", "status"}
        assert rows and of_findings <= set(rows[0]) <= set(keys) | of_findings
        for heading in set(rows[0]) - of_findings:
            for cell, row in zip(columns[heading], rows, strict=True):
                text = row[heading]
                if text == "":
                    assert cell is None or np.isnan(cell), (name, heading)
                elif isinstance(cell, np.float64):
                    assert cell == float(text), (name, heading)
                else:
                    assert text == (str(cell).lower() if isinstance(cell, bool) else str(cell)), (
                        name,
                        heading,
                    )
        for heading in set(keys) - set(rows[0]) - {"relation"}:
            assert all(cell is None or cell is False or np.isnan(cell) for cell in columns[heading])
    headings = csv.DictReader((tmp_path / "all.csv").open()).fieldnames or []
    assert list(reports["all"].columns()) == [name for name in headings if name not in of_findings]
    numbers = reports["all"].columns()
    assert numbers["a"].dtype == np.int64 and numbers["x"].dtype == np.float64
    assert np.isfinite(numbers["overlap_volume_hi"]).any() and np.isfinite(numbers["distance_lo"]).any()
    # A table without rows has the same columns, of the same types.
    sheet = tmp_path / "sheet.off"
    sheet.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    none = impinge.read(sheet).check().columns()
    assert list(none) == keys and none["x"].shape == (0,) and none["x"].dtype == np.float64


def test_parts_by_name(gearbox: Path) -> None:
    assembly = impinge.read(gearbox)
    name = next(part.name for part in assembly if [p.name for p in assembly].count(part.name) == 1)
    assert assembly[name] is assembly[assembly.index_of(name)]
    with pytest.raises(KeyError, match="no part is called 'nothing'"):
        _ = assembly["nothing"]


def test_a_printed_report_has_as_many_rows_as_the_commands(gearbox: Path, tmp_path: Path) -> None:
    report = impinge.read(gearbox).check(clearance=1e-4)
    assert len(report.near) > 100
    printed = str(report)
    assert printed == run("check", str(gearbox), "--clearance", "1e-4", status=1)
    # Boxes of different sizes: each finding is a group, and only a file has a row for each.
    row = impinge.Assembly()
    for i in range(130):
        corners = np.array([[i >> k & 1 for k in range(3)] for i in range(8)]) * (1.0, 1.0, 1.0 + i)
        quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
        faces = [face for a, b, c, d in quads for face in ([a, b, c], [a, c, d])]
        row.add((corners, faces), [[1, 0, 0, 0.9 * i], [0, 1, 0, 0], [0, 0, 1, 0]], name=f"box {i}")
    report = row.check()
    assert len(report.groups().groups) == 129
    report.write(tmp_path / "all.txt")
    missing = 129 - 100
    whole = (tmp_path / "all.txt").read_text()
    assert len(whole.splitlines()) >= len(str(report).splitlines()) + missing - 2


def test_a_pickled_assembly_gives_its_own_models(tmp_path: Path) -> None:
    for n in range(40):
        text = f"OFF\n3 1 0\n0 0 0\n{n + 1} 0 0\n0 {n + 1} 0\n3 0 1 2\n"
        (tmp_path / f"p{n}.off").write_text(text)
    assembly = impinge.read(*[tmp_path / f"p{n}.off" for n in range(40)])
    for _ in range(4):
        for i, part in enumerate(assembly):
            assert assembly.model(i).mesh is part.mesh and part.mesh.vertices.max() == i + 1
        assert assembly.model(3) is assembly.model(3)
        blob = pickle.dumps(assembly)
        del assembly, part
        gc.collect()
        assembly = pickle.loads(blob)
    assert [part.name for part in assembly] == [f"p{n}" for n in range(40)]
    assert len(copy.deepcopy(assembly).check().findings) == len(assembly.check().findings)


def test_what_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent.stl"):
        impinge.read(tmp_path / "absent.stl")
    broken = tmp_path / "broken.off"
    broken.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n")
    with pytest.raises(impinge.Error, match=r"broken\.off.*7"):
        impinge.read(broken)
    whole = tmp_path / "whole.off"
    whole.write_text("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    with pytest.raises(impinge.Error, match="max_parts must be 0 or more, not -1"):
        impinge.read(whole, max_parts=-1)
    assert len(impinge.read(whole, max_points=1)) == 1, "what the file's own size bears out"
    two = impinge.read(whole, whole)
    assert len(two) == 2 and np.array_equal(two[1].pose, np.eye(4)) and two[0].file == whole
    assert not two[0].baked and len(two.check().findings) == 1, "the same part twice"
