"""BCF and Navisworks: files that follow the schemas, that another program reads and edits, and that come back."""

from __future__ import annotations

import datetime
import io
import os
import subprocess
import sys
import uuid
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from conftest import at

bcfxml = pytest.importorskip("bcf.bcfxml", reason="NOT TESTED: needs bcf-client")
xmlschema = pytest.importorskip("xmlschema", reason="NOT TESTED: needs xmlschema")

VERSIONS = ("2.1", "3.0")
# Names that a format must pass on as text. The second is in Hebrew, with marks that turn its direction.
NAMES = (
    '<script>alert("1")</script> & \'x\' ]]>',
    "\u202e\u05e7\u05d9\u05e8\u202c \u0645",
    "n" * 1000,
    "bell \x07 and \x1b[31m, \ufffe",
)


def data() -> Path:
    """The folder of models beside the checkout."""
    folder = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED: there is no folder of models at {folder} (IMPINGE_DATA sets another)")
    return folder


def run(status: int, *words: str | Path) -> str:
    done = subprocess.run([sys.executable, "-m", "impinge", *map(str, words)], capture_output=True, text=True)
    assert done.returncode == status, done.stderr or done.stdout
    return done.stdout


def cube(size: float = 1.0) -> impinge.Mesh:
    corners = [[x, y, z] for x in (0, size) for y in (0, size) for z in (0, size)]
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return impinge.Mesh(corners, [[f[0], *f[i : i + 2]] for f in faces for i in (1, 2)])


def model(folder: Path, unit: str = "mm", up: str = "z") -> Path:
    """Pairs of cubes of 1000 units that overlap by 100, far from each other."""
    assembly = impinge.Assembly()
    assembly.add_source("house.ifc", unit=unit, up=up)
    for i, name in enumerate(NAMES):
        for k in (0, 1):
            guid = impinge_guid(2 * i + k) if i % 2 == 0 else None
            pose = at(10_000.0 * i + 900 * k, 50.0 * k * (i + 1), 30.0 * k)
            assembly.add(cube(1000.0 + 10 * i), pose, name=f"{name}{k}", guid=guid, file="house.ifc")
    path = folder / "house.impinge"
    assembly.write(path)
    return path


def impinge_guid(i: int) -> str:
    return f"{i:022d}"


def schemas(version: str) -> dict[str, Any]:
    folder = data() / "bcf" / f"xsd-{version}"
    names = {"bcf.version": "version", "markup.bcf": "markup", "viewpoint.bcfv": "visinfo"}
    if version == "3.0":
        names["extensions.xml"] = "extensions"
    return {name: xmlschema.XMLSchema(folder / f"{schema}.xsd") for name, schema in names.items()}


def validate(path: Path, version: str) -> int:
    """Validates every file of a package; returns the number of topics."""
    known = schemas(version)
    topics = 0
    with zipfile.ZipFile(path) as package:
        assert package.testzip() is None
        for entry in package.namelist():
            name = entry.rsplit("/")[-1]
            if name == "snapshot.png":
                assert package.read(entry).startswith(b"\x89PNG")
                continue
            known[name].validate(io.BytesIO(package.read(entry)))
            topics += name == "markup.bcf"
        assert "bcf.version" in package.namelist()
        assert ("extensions.xml" in package.namelist()) == (version == "3.0")
    return topics


def comments(topic: Any) -> list[Any]:
    found = topic.comments
    return list(getattr(found, "comment", found) or [])


@pytest.mark.parametrize("version", VERSIONS)
def test_files_follow_the_schemas_and_are_read(tmp_path: Path, version: str) -> None:
    house = model(tmp_path)
    path = tmp_path / "a.bcf"
    run(1, "check", house, "--ungrouped", "-o", path, "--bcf-version", version)
    assert validate(path, version) == len(NAMES)
    again = tmp_path / "b.bcf"
    run(1, "check", house, "--ungrouped", "-o", again, "--bcf-version", version)
    assert again.read_bytes() == path.read_bytes()
    with bcfxml.load(path) as package:
        assert package.version.version_id == version
        topics = list(package.topics.values())
        for topic in topics:
            name = next(i for i, name in enumerate(NAMES) if shown(name) in topic.topic.title)
            assert topic.topic.title == f"{shown(NAMES[name])}0, {shown(NAMES[name])}1: overlap"
            assert topic.topic.topic_type == "Clash" and topic.topic.topic_status == "Open"
            assert topic.topic.creation_author == "impinge"
            (view,) = topic.viewpoints.values()
            assert view.snapshot is not None and view.snapshot.startswith(b"\x89PNG")
            selected = view.visualization_info.components.selection.component
            colors = view.visualization_info.components.coloring.color
            assert [color.color for color in colors] == ["2978EB", "F58C1A"]
            if name % 2 == 0:
                assert view.get_selected_guids() == [impinge_guid(2 * name), impinge_guid(2 * name + 1)]
            else:
                ids = [component.authoring_tool_id for component in selected]
                assert ids == [clean(f"{NAMES[name]}{k}") for k in (0, 1)]
                assert {component.originating_system for component in selected} == {"house.ifc"}
            # The camera is in metres, and the contact is in the middle of its picture.
            camera = view.visualization_info.perspective_camera
            position, direction, up = (
                np.array([vector.x, vector.y, vector.z])
                for vector in (camera.camera_view_point, camera.camera_direction, camera.camera_up_vector)
            )
            low = np.array([10.0 * name + 0.9, 0.05 * (name + 1), 0.03])
            high = np.array([10.0 * name + 1.0 + 0.01 * name, 1.0 + 0.01 * name, 1.0 + 0.01 * name])
            along = [(t * direction + position) for t in np.linspace(0, 20, 20_001)]
            assert any(np.all(p >= low - 1e-3) and np.all(p <= high + 1e-3) for p in along)
            assert abs(np.linalg.norm(direction) - 1) < 1e-9 and abs(direction @ up) < 1e-9
            assert up[2] >= 0 and (camera.field_of_view == 45 or version == "3.0")
            (own,) = comments(topic)
            assert own.viewpoint.guid == view.guid


def clean(text: str) -> str:
    """A text as XML can hold it."""
    return "".join("\ufffd" if c in "\x07\x1b\ufffe" else c for c in text)


def shown(text: str) -> str:
    """A title: characters that turn the direction of others are escapes."""
    return clean(text).replace("\u202e", r"\u{202e}").replace("\u202c", r"\u{202c}")


@pytest.mark.parametrize("up", ("x", "y", "z"))
def test_z_is_up(tmp_path: Path, up: str) -> None:
    path = tmp_path / "a.bcf"
    run(1, "check", model(tmp_path, "m", up), "-o", path)
    turn = {"x": [1, 2, 0], "y": [0, 2, 1], "z": [0, 1, 2]}[up]
    sign = np.array([1.0, -1.0, 1.0]) if up == "y" else np.ones(3)
    with bcfxml.load(path) as package:
        far = [
            np.array([eye.x, eye.y, eye.z])
            for topic in package.topics.values()
            for view in topic.viewpoints.values()
            for eye in [view.visualization_info.perspective_camera.camera_view_point]
        ]
    # Pairs are 10,000 m apart along x of the model.
    middle = sorted((sign * p)[turn.index(0)] for p in far)
    assert [round(x / 10_000) for x in middle] == [0, 1, 2, 3]


@pytest.mark.parametrize("version", VERSIONS)
def test_statuses_and_comments_come_back(tmp_path: Path, version: str) -> None:
    house, baseline = model(tmp_path), tmp_path / "b.jsonl"
    first, edited, second = (tmp_path / f"{name}.bcf" for name in ("first", "edited", "second"))
    of_version = ("--bcf-version", version)
    run(1, "check", house, "--baseline", baseline, "--update-baseline", "-o", first, *of_version)
    with bcfxml.load(first) as package:
        guids = sorted(package.topics)
        words = ("Closed", "Offen", "MULTICOM", "in progress")
        for guid, word in zip(guids, words, strict=True):
            package.topics[guid].topic.topic_status = word
        add_comment(package.topics[guids[0]], version, "sleeve <is> planned & ordered")
        package.save(edited)
    text = run(0, "import-bcf", edited, "--baseline", baseline)
    assert "4 of 4 topics of the baseline, 2 findings decided, 0 reopened, 1 new comment" in text
    assert "'MULTICOM'" in text and f"BCF {version}" in text
    again = run(0, "import-bcf", edited, "--baseline", baseline)
    assert "0 findings decided, 0 reopened, 0 new comments" in again and "is unchanged" in again
    lines = baseline.read_text()
    assert '"reason":"sleeve <is> planned & ordered"' in lines and '"by":"Ann"' in lines
    assert '"status":"Offen"' in lines and '"status":"MULTICOM"' in lines

    table = run(0, "check", house, "--baseline", baseline, "-o", second, *of_version)
    assert "1 approved" in table and "1 reviewed" in table, table
    assert validate(second, version) == 4
    with bcfxml.load(second) as package:
        assert sorted(package.topics) == guids
        assert [package.topics[guid].topic.topic_status for guid in guids] == list(words)
        said = [comment.comment for comment in comments(package.topics[guids[0]])]
        assert said[1:] == ["sleeve <is> planned & ordered"]
        # Edit again: the decision is withdrawn.
        package.topics[guids[0]].topic.topic_status = "ReOpened"
        package.save(edited)
    assert "0 findings decided, 1 reopened" in run(0, "import-bcf", edited, "--baseline", baseline)
    assert "approved" not in run(0, "baseline", "list", baseline, "--status", "approved")

    # A resolved finding is a topic with the status Resolved.
    moved = impinge.Assembly()
    moved.add_source("house.ifc", unit="mm", up="z")
    for i, name in enumerate(NAMES):
        for k in (0, 1):
            guid = impinge_guid(2 * i + k) if i % 2 == 0 else None
            pose = at(10_000.0 * i + 5000 * k)
            moved.add(cube(1000.0 + 10 * i), pose, name=f"{name}{k}", guid=guid, file="house.ifc")
    moved.write(house)
    run(0, "check", house, "--baseline", baseline, "--update-baseline", "-o", second, *of_version)
    assert validate(second, version) == 4
    with bcfxml.load(second) as package:
        assert sorted(package.topics) == guids
        assert {topic.topic.topic_status for topic in package.topics.values()} == {"Resolved"}


def add_comment(topic: Any, version: str, text: str) -> None:
    from xsdata.models.datatype import XmlDateTime

    if version == "2.1":
        import bcf.v2.model as module
    else:
        import bcf.v3.model as module
    now = XmlDateTime.from_datetime(datetime.datetime.now(datetime.timezone.utc))
    comment = module.Comment(date=now, author="Ann", comment=text, guid=str(uuid.uuid4()))
    if version == "2.1":
        topic.markup.comment.append(comment)
    else:
        topic.topic.comments.comment.append(comment)


def test_topics_of_people_are_named(tmp_path: Path) -> None:
    files = sorted((data() / "bcf" / "made-by-people").iterdir())
    baseline = tmp_path / "b.jsonl"
    run(1, "check", model(tmp_path), "--baseline", baseline, "--update-baseline")
    text = run(0, "import-bcf", *files, "--baseline", baseline, "--limit", "0")
    assert text.count("BCF 1.0: 0 of ") == len(files) == 18
    topics = 0
    for file in files:
        with zipfile.ZipFile(file) as package:
            for name in package.namelist():
                if name.endswith("markup.bcf"):
                    topics += 1
                    guid = ElementTree.fromstring(package.read(name)).find("Topic").attrib["Guid"]  # type: ignore[union-attr]
                    assert guid.lower() in text
    assert topics == 67
    assert f"{baseline} is unchanged" in text


def test_topics_name_elements_of_the_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ifcopenshell = pytest.importorskip("ifcopenshell", reason="NOT TESTED: needs the extra ifc")
    monkeypatch.setenv("IMPINGE_CACHE", str(tmp_path / "cache"))
    files = [data() / "bcf" / name for name in ("Architectural.ifc", "MEP.ifc")]
    path = tmp_path / "a.bcf"
    # No element of one overlaps one of the other: near pairs make the topics.
    run(1, "check", "--between", *files, "--clearance", "0.5m", "-o", path)
    guids = [{element.GlobalId for element in ifcopenshell.open(file).by_type("IfcElement")} for file in files]
    assert validate(path, "2.1") > 30
    with bcfxml.load(path) as package:
        for topic in package.topics.values():
            (view,) = topic.viewpoints.values()
            selected = view.get_selected_guids()
            assert len(selected) == 2
            sides = [{i for i in (0, 1) if guid in guids[i]} for guid in selected]
            assert sides[0] | sides[1] == {0, 1} and sides[0] and sides[1], selected
            names = {file.filename for file in topic.header.file}
            assert names == {"Architectural.ifc", "MEP.ifc"}


def test_navisworks(tmp_path: Path) -> None:
    house, path, clashes = model(tmp_path), tmp_path / "a.navisworks.xml", tmp_path / "a.json"
    run(1, "check", house, "-o", path, "-o", clashes)
    root = ElementTree.parse(path).getroot()
    assert root.tag == "exchange" and root.attrib["units"] == "mm"
    (test,) = root.findall("batchtest/clashtests/clashtest")
    assert test.attrib["name"] == "check" and test.attrib["test_type"] == "hard"
    results = test.findall("clashresults/clashresult")
    summary = test.find("summary")
    assert summary is not None and summary.attrib["total"] == summary.attrib["new"] == str(len(results)) == "4"
    seen = set()
    for result in results:
        uuid.UUID(result.attrib["guid"])
        assert result.attrib["status"] == "new" and result.findtext("resultstatus") == "New"
        point = result.find("clashpoint/pos3f")
        assert point is not None
        i = round(float(point.attrib["x"]) / 10_000)
        assert abs(float(result.attrib["distance"]) + 100 + 10 * i) < 1e-6
        names = [
            tag.findtext("value")
            for item in result.findall("clashobjects/clashobject")
            for tag in item.findall("smarttags/smarttag")
            if tag.findtext("name") == "Item Name"
        ]
        assert names == [clean(f"{NAMES[i]}{k}") for k in (0, 1)]
        seen.add(i)
    assert seen == {0, 1, 2, 3}
    # The program's own reader finds each again, but for a name with characters that XML cannot hold.
    judged = run(1, "judge", path, house)
    assert "4   of Navisworks: 3 overlap, 1 unknown" in judged
