"""Reports as other programs read them: GLB by trimesh, workbooks by openpyxl, and what notebooks show."""

import html.parser
import io
import json
import struct
import zipfile

import numpy as np
import openpyxl
import pytest
import trimesh
from openpyxl.utils.escape import unescape

import impinge

NAMES = (
    *("<script>alert(1)</script>", "=1+1", "\"'\x07_x0041_\r\n\t\\", "مرحبا \u202ex"),
    *("é" * 1000, "😀" * 20000),
)


def check(names=NAMES, **options):
    """Boxes in a row: neighbours overlap; the fourth and the fifth are near."""
    assembly = impinge.Assembly()
    assembly.add_source("row.test", unit="mm", up="z")
    box = impinge.Mesh.from_trimesh(trimesh.creation.box())
    gap = 0
    for i, name in enumerate(names):
        gap += 0.3 if i == 4 else 0
        pose = np.eye(4)
        pose[0, 3] = 0.9 * i + gap
        assembly.add(box, pose, name=name, type="Box", guid=f"g{i}", file="row.test")
    return assembly.check(clearance=0.5, **options)


def test_glb_in_trimesh(tmp_path):
    report = check()
    report.write(tmp_path / "r.glb")
    report.write(tmp_path / "again.glb")
    data = (tmp_path / "r.glb").read_bytes()
    assert data == (tmp_path / "again.glb").read_bytes()
    scene = trimesh.load_scene(tmp_path / "r.glb")
    boxes = [one for one in scene.geometry.values() if isinstance(one, trimesh.Trimesh)]
    # One mesh in two colours.
    assert len(boxes) == 2
    assert all(one.extents == pytest.approx([1, 1, 1]) for one in boxes)
    found = set()
    for node in scene.graph.nodes_geometry:
        matrix, geometry = scene.graph[node]
        if isinstance(scene.geometry[geometry], trimesh.Trimesh):
            at = trimesh.transform_points([scene.geometry[geometry].centroid], matrix)[0]
            found.add(tuple(np.round(at * 1000, 5).tolist()))
    # In metres, with Y up.
    wanted = {(round(part.pose[0, 3], 5), 0.0, 0.0) for part in report.assembly}
    assert found == wanted
    paths = [one for one in scene.geometry.values() if isinstance(one, trimesh.path.Path3D)]
    assert paths
    length = struct.unpack("<I", data[12:16])[0]
    document = json.loads(data[20 : 20 + length])
    nodes = [node for node in document["nodes"] if "finding" in node.get("extras", {})]
    assert {node["extras"]["finding"] for node in nodes} == set(range(len(report.findings)))
    for node in nodes:
        finding = report.findings[node["extras"]["finding"]]
        assert node["extras"]["relation"] == finding.kind
        assert sorted(node["extras"]["names"]) == sorted(part.name for part in finding.parts)
        assert set(node["extras"]["guids"]) == {part.guid for part in finding.parts}


def sheets(path):
    book = openpyxl.load_workbook(path)
    tables = {}
    for sheet in book:
        assert sheet.freeze_panes == "A2"
        rows = list(sheet.iter_rows())
        heads = [cell.value for cell in rows[0]]
        assert sheet.auto_filter.ref == sheet.dimensions or len(rows) == 1, sheet.title
        for row in rows:
            assert all(cell.data_type != "f" for cell in row)
        tables[sheet.title] = [
            {
                head: unescape(cell.value) if isinstance(cell.value, str) else cell.value
                for head, cell in zip(heads, row, strict=True)
            }
            for row in rows[1:]
        ]
    return book, tables


def shown(name):
    """As a cell has it: cut at 32,767 units of UTF-16."""
    if len(name.encode("utf-16-le")) // 2 <= 32767:
        return name
    return None


def test_workbook_in_openpyxl(tmp_path):
    report = check()
    report.write(tmp_path / "r.xlsx")
    report.write(tmp_path / "again.xlsx")
    assert (tmp_path / "r.xlsx").read_bytes() == (tmp_path / "again.xlsx").read_bytes()
    assert zipfile.ZipFile(tmp_path / "r.xlsx").testzip() is None
    book, tables = sheets(tmp_path / "r.xlsx")
    data = report.data
    names = "Groups, Findings, Clashes, Near, Matrix, Types, Coverage, Not examined"
    assert ", ".join(tables) == names
    assert len(tables["Clashes"]) == len(data["clashes"])
    guids = [part["guid"] for part in data["parts"]]
    labels = {part.index: part.label for clash in report for part in (clash.a, clash.b)}
    pairs = {frozenset((guids[clash["a"]], guids[clash["b"]])): clash for clash in data["clashes"]}
    for row in tables["Clashes"]:
        clash = pairs.pop(frozenset((row["guid A"], row["guid B"])))
        sides = "ab" if row["guid A"] == guids[clash["a"]] else "ba"
        for side, at in zip(sides, "AB", strict=True):
            part = data["parts"][clash[side]]
            wanted = shown(labels[clash[side]])
            if wanted is None:
                assert row[f"part {at}"].endswith("... [cut: 40000 characters]")
            else:
                assert row[f"part {at}"] == wanted
            assert (row[f"file {at}"], row[f"guid {at}"]) == (part["file"], part["guid"])
            assert row[f"type {at}"] == part["type"]
        assert [row[f"{axis} (mm)"] for axis in "xyz"] == clash["point"]
        assert [row["volume at least (mm³)"], row["volume at most (mm³)"]] == clash["overlap_volume"]
        translation = [row[f"separating translation {axis} (mm)"] for axis in "xyz"]
        assert translation == clash["separating_translation"]
        deep = [row[f"interference depth at {end} (mm)"] for end in ("least", "most")]
        assert deep == (clash["interference_depth"] or [None, None])
        assert (row["relation"], row["counts"]) == (clash["relation"], clash["counts"])
        assert row["triangle pairs"] == clash["triangle_pairs"]
    assert not pairs and {row["id"] for row in tables["Clashes"]} < {row["id"] for row in tables["Findings"]}
    by_distance = sorted(data["near"], key=lambda near: near["distance"][1])
    for row, near in zip(tables["Near"], by_distance, strict=True):
        assert [row["gap at least (mm)"], row["gap at most (mm)"]] == near["distance"]
        assert [row[f"{axis} B (mm)"] for axis in "xyz"] == near["points"][1]
    assert len(tables["Findings"]) == len(data["findings"])
    groups = data["groups"]["groups"]
    assert [row["findings"] for row in tables["Groups"]] == [len(group["findings"]) for group in groups]
    assert [row["volume at most (mm³)"] for row in tables["Groups"]] == [group["volume"] for group in groups]
    [test] = tables["Matrix"]
    assert (test["pairs"], test["findings"]) == (data["tests"][0]["asked"], data["tests"][0]["findings"])
    assert test["overlap"] + test["near"] == test["findings"]
    coverage = {row["name"]: row["value"] for row in tables["Coverage"] if row["section"] == "coverage"}
    assert coverage["part_pairs"] == data["coverage"]["part_pairs"]
    assert tables["Not examined"] == []
    # A picture for each group, in its row.
    pictures = book["Groups"]._images
    assert [image.anchor._from.row for image in pictures] == list(range(1, len(groups) + 1))
    assert all(image._data().startswith(b"\x89PNG") for image in pictures)


def test_workbook_of_what_was_not_examined(tmp_path):
    report = check(NAMES[:3], limits=impinge.check.Limits(time_limit=0))
    report.write(tmp_path / "r.xlsx")
    _, tables = sheets(tmp_path / "r.xlsx")
    assert len(tables["Not examined"]) == len(report.not_examined) == 2
    assert {row["reason"] for row in tables["Not examined"]} == {"the time was up"}


class Text(html.parser.HTMLParser):
    """Tags, attributes of frames, and text."""

    def __init__(self):
        super().__init__()
        self.tags, self.frames, self.text = [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "iframe":
            self.frames.append(dict(attributes))

    def handle_data(self, data):
        self.text.append(data)


def parsed(shown):
    text = Text()
    text.feed(shown)
    return text


def test_notebooks_show_reports():
    report = check(NAMES[:2])
    text = parsed(report._repr_html_())
    assert "script" not in text.tags
    assert set(NAMES[:2]) <= set(text.text)
    [frame] = text.frames
    assert frame["sandbox"] == "allow-scripts"
    assert frame["srcdoc"].startswith("<!")
    assert "=1+1" in frame["srcdoc"]
    partial = check(NAMES[:3], limits=impinge.check.Limits(time_limit=0))
    assert "Not examined: 2 pairs" in partial._repr_html_()


def test_notebooks_show_assemblies():
    text = parsed(check().assembly._repr_html_())
    assert "script" not in text.tags
    assert {NAMES[0], "row.test", "millimetre", "12"} <= set(text.text)


def test_pictures_of_findings_and_pairs():
    report = check()
    png = report.findings[0].picture(64, 48)
    assert png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == (64, 48)
    with pytest.raises(ValueError, match="width must be from 1 to 4096, not 0"):
        report.findings[0].picture(0, 48)
    box = impinge.Model(impinge.Mesh(*_box()))
    pose = np.eye(4)
    for x, text in ((0.5, "View(overlap)"), (1, "View(touch)"), (3, "View(near, 2 apart)")):
        pose[0, 3] = x
        view = impinge.view(impinge.Body(box), impinge.Body(box, pose))
        assert repr(view) == text
        assert view._repr_png_().startswith(b"\x89PNG")


def _box():
    box = trimesh.creation.box()
    return box.vertices, box.faces


def test_workbook_without_findings(tmp_path):
    box = trimesh.creation.box()
    assembly = impinge.Assembly.from_meshes({"a": box, "b": box})
    assembly.set_pose("b", trimesh.transformations.translation_matrix([5, 0, 0]))
    assembly.check().write(tmp_path / "r.xlsx")
    _, tables = sheets(tmp_path / "r.xlsx")
    assert tables["Groups"] == tables["Clashes"] == []
    assert io.BytesIO((tmp_path / "r.xlsx").read_bytes()).read(2) == b"PK"


def test_a_report_does_not_replace_its_model(tmp_path):
    model = tmp_path / "model.glb"
    check().write(model)
    before = model.read_bytes()
    report = impinge.read(model).check()
    (tmp_path / "link.glb").hardlink_to(model)
    for name in ("model.glb", "link.glb"):
        with pytest.raises(impinge.Error, match="it would replace the input"):
            report.write(tmp_path / name)
        assert model.read_bytes() == before
    report.write(tmp_path / "other.glb")
    report.write(tmp_path / "other.glb")
