"""Assemblies in memory: put together, edited, copied, and checked as the command checks files."""

from __future__ import annotations

import copy
import json
import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge
from conftest import at
from impinge import _core

TETRAHEDRON = impinge.Mesh(
    [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
)


def command(*arguments: str | Path, status: set[int] | None = None) -> None:
    """The command, in this process."""
    done = _core._command(["impinge", *map(str, arguments)])
    assert done in (status or {0, 1}), (done, arguments)


def row(count: int, step: float = 1.5) -> impinge.Assembly:
    """Tetrahedra, each overlapping the next if they are less than 2 apart."""
    assembly = impinge.Assembly()
    for i in range(count):
        assembly.add(TETRAHEDRON, at(step * i), name=f"part {i}")
    return assembly


def rebuilt(assembly: impinge.Assembly) -> impinge.Assembly:
    """The same parts, put together from arrays."""
    new = impinge.Assembly()
    for part in assembly:
        mesh = impinge.Mesh(part.mesh.vertices.copy(), part.mesh.faces.copy())
        new.add(mesh, part.pose, name=part.name, file=part.file)
    return new


# Files.


def test_in_memory_is_as_from_the_file(tmp_path: Path) -> None:
    gearbox = tmp_path / "gearbox.glb"
    command("demo", "gearbox", "-o", gearbox)
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, []),
        ({"clearance": 1e-4, "tolerance": 1e-9}, ["--clearance", "1e-4", "--tolerance", "1e-9"]),
        ({"surfaces": True}, ["--surfaces"]),
        ({"chord": 1e-6, "depth": "all"}, ["--chord", "1e-6", "--depth", "all"]),
    ]
    for options, words in cases:
        assembly = impinge.read(gearbox)
        command("check", gearbox, *words, "-o", tmp_path / "command.json")
        expected = (tmp_path / "command.json").read_bytes()
        for one in (assembly, pickle.loads(pickle.dumps(assembly)), copy.copy(assembly), rebuilt(assembly)):
            # The files' own unit, which parts from memory have not.
            geometry = {name: options[name] for name in ("surfaces", "chord") if name in options}
            report = one.check(
                clearance=options.get("clearance"),
                tolerance=options.get("tolerance"),
                geometry=impinge.check.Geometry(unit="m", **geometry),
                measure=impinge.check.Measure(depth=options.get("depth", "counted")),
            )
            report.write(tmp_path / "here.json")
            assert (tmp_path / "here.json").read_bytes() == expected
            assert report.assembly is not None and len(report.assembly) == len(assembly)


def data() -> Path:
    """The folder of models beside the checkout."""
    folder = Path(os.environ.get("IMPINGE_DATA", Path(__file__).parents[3] / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"NOT TESTED: there is no folder of models at {folder} (IMPINGE_DATA sets another)")
    if os.environ.get("CI") and not os.access(folder, os.R_OK | os.X_OK):
        pytest.fail(f"{folder} cannot be read, and CI must not skip")
    return folder


def test_every_small_file_is_as_for_the_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    read = 0
    endings = {".stl", ".obj", ".ply", ".off", ".gltf", ".glb", ".3mf", ".dae"}
    for path in sorted(data().rglob("*")):
        if path.suffix.lower() not in endings or not path.is_file() or path.stat().st_size > 400_000:
            continue
        try:
            assembly = impinge.read(path)
        except (impinge.Error, OSError):
            command("check", path, "--clearance", "0.01", "-o", tmp_path / "a.json", status={2})
            continue
        if len(assembly) > 400:
            continue
        files = [path]
        if len(assembly) == 1:
            # There is no pair to check, which is an error of the command: so the file is there twice.
            command("check", path, "-o", tmp_path / "a.json", status={2})
            files = [path, path]
            assembly = impinge.read(*files)
        command("check", *files, "--clearance", "0.01", "-o", tmp_path / "a.json")
        assembly.check(clearance=0.01).write(tmp_path / "b.json")
        expected = (tmp_path / "a.json").read_bytes()
        assert (tmp_path / "b.json").read_bytes() == expected, path
        said = json.loads(expected)
        assert ("unit" in said) == (path.suffix.lower() in {".gltf", ".glb", ".3mf", ".dae"})
        again = rebuilt(assembly).check(clearance=0.01, geometry=impinge.check.Geometry(unit=said.get("unit")))
        if not assembly.warnings:
            assert again._native.json() == expected, path
        assert {**again.data, "warnings": said["warnings"]} == said, path
        read += 1
    assert read > 50, "hardly any of the models could be read"


def test_files_in_different_units_are_warned_of(tmp_path: Path) -> None:
    for name, scale in (("metres", 1.0), ("millimetres", 1000.0)):
        vertices = (TETRAHEDRON.vertices + 1) * scale
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (TETRAHEDRON.faces + 1).tolist()]
        (tmp_path / f"{name}.obj").write_text("\n".join(lines))
    both = [tmp_path / "metres.obj", tmp_path / "millimetres.obj"]
    [warning] = impinge.read(*both).warnings
    assert "another unit" in warning.text and warning.file == both[0] and warning.place is None
    command("check", *both, "-o", tmp_path / "a.json")
    impinge.read(*both).check().write(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


# Edits.


def turns() -> list[NDArray[np.float64]]:
    """The rotations of a cube: their numbers are exact."""
    found = []
    for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)):
        for signs in np.ndindex(2, 2, 2):
            matrix = np.zeros((3, 3))
            matrix[range(3), order] = 1 - 2 * np.array(signs)
            if np.linalg.det(matrix) > 0:
                found.append(matrix)
    return found


TURNS = turns()
Model = list[tuple[str, NDArray[np.float64], NDArray[np.uint32], NDArray[np.float64]]]


def random_mesh(rng: np.random.Generator) -> impinge.Mesh:
    """A box, a tetrahedron or some triangles, with coordinates in eighths."""
    kind = rng.integers(4)
    if kind == 0:
        low, high = np.sort(rng.integers(-16, 17, (2, 3)), axis=0) / 8
        high += 0.125
        points = np.array(
            [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
        )
        quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
        return impinge.Mesh(points, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    points = rng.integers(-12, 13, (4, 3)) / 8
    faces = TETRAHEDRON.faces
    return impinge.Mesh(points, faces if kind < 3 else faces[: rng.integers(1, 4)])


def random_pose(rng: np.random.Generator) -> NDArray[np.float64]:
    pose = np.eye(4)
    pose[:3, :3] = TURNS[rng.integers(len(TURNS))]
    pose[:3, 3] = rng.integers(-16, 17, 3) / 8
    return pose


def edited(rng: np.random.Generator) -> tuple[impinge.Assembly, Model]:
    """An assembly after some edits, and the same by lists alone."""
    assembly, model, names = impinge.Assembly(), [], iter(range(10_000))
    for _ in range(rng.integers(2, 14)):
        what = rng.integers(8) if model else 0
        i = int(rng.integers(len(model))) if model else 0
        mesh, pose, name = random_mesh(rng), random_pose(rng), f"part {next(names)}"
        if what <= 2:
            assert assembly.add(mesh, pose, name=name) == len(model)
            model.append((name, mesh.vertices, mesh.faces, pose))
        elif what == 3:
            assembly.set_pose(i if rng.integers(2) else model[i][0], pose)
            model[i] = (*model[i][:3], pose)
        elif what == 4 and len(model) > 2:
            assembly.remove(i)
            del model[i]
        elif what == 5:
            assembly.replace(i, mesh=mesh, name=name)
            model[i] = (name, mesh.vertices, mesh.faces, model[i][3])
        elif what == 6:
            # Instances of one mesh.
            other = assembly.copy()
            assert assembly.add(other[i].mesh, pose, name=name) == len(model)
            model.append((name, *model[i][1:3], pose))
        elif what == 7:
            more = impinge.Assembly.from_meshes({name: mesh})
            assembly.extend(more)
            assembly = assembly.subset(lambda part: True)
            model.append((name, mesh.vertices, mesh.faces, np.eye(4)))
    return assembly, model


def write_obj(model: Model, path: Path) -> None:
    lines, first = [], 1
    for name, vertices, faces, pose in model:
        lines.append(f"o {name}")
        placed = vertices @ pose[:3, :3].T + pose[:3, 3]
        lines += [f"v {x!r} {y!r} {z!r}" for x, y, z in placed.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (faces.astype(int) + first).tolist()]
        first += len(vertices)
    path.write_text("\n".join(lines) + "\n")


EXACT = ("a", "b", "counts", "relation", "touching", "triangle_pairs")


def test_edited_assemblies_are_as_their_files_for_the_command(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    found = near = 0
    for _ in range(3_000 if os.environ.get("IMPINGE_FULL") else 300):
        assembly, model = edited(rng)
        assert [part.name for part in assembly] == [one[0] for one in model]
        for part, (_, vertices, faces, pose) in zip(assembly, model, strict=True):
            assert np.array_equal(part.mesh.vertices, vertices) and np.array_equal(part.mesh.faces, faces)
            assert np.array_equal(part.pose, pose)
        if len(model) < 2:
            # There is no pair to check: an error of the command.
            continue
        write_obj(model, tmp_path / "a.obj")
        command("check", tmp_path / "a.obj", "--clearance", "0.3", "-o", tmp_path / "a.json")
        report = assembly.check(clearance=0.3)
        from_file = impinge.read(tmp_path / "a.obj").check(clearance=0.3)
        # To write a file is to wait for the disk.
        assert from_file._native.json() == (tmp_path / "a.json").read_bytes()
        here, there = report.data, from_file.data
        for one, other in zip(here["clashes"], there["clashes"], strict=True):
            assert [one[key] for key in EXACT] == [other[key] for key in EXACT]
        for one, other in zip(here["near"], there["near"], strict=True):
            assert (one["a"], one["b"]) == (other["a"], other["b"])
            assert max(one["distance"][0], other["distance"][0]) <= min(
                one["distance"][1], other["distance"][1]
            )
        assert here["coverage"] == there["coverage"]
        found, near = found + len(report.findings), near + len(report.near)
    assert found > 300 and near > 20, "the assemblies are no test"


def test_sources_follow_edits(tmp_path: Path) -> None:
    assembly = impinge.Assembly()
    for name, file in (("a", "x.obj"), ("b", "x.obj"), ("c", None), ("d", "y.obj")):
        assembly.add(TETRAHEDRON, name=name, file=file)
    assert [(str(s.file), s.parts, s.unit) for s in assembly.sources] == [
        ("x.obj", 2, None),
        ("memory", 1, None),
        ("y.obj", 1, None),
    ]
    assert assembly.paths == (Path("x.obj"), Path("y.obj"))
    assembly.remove("a")
    assert [s.parts for s in assembly.sources] == [1, 1, 1]
    assert [s.parts for s in assembly.subset(["d", "b"]).sources] == [1, 0, 1]
    assert [part.name for part in assembly.subset(slice(None, None, -2))] == ["b", "d"]
    assert [part.name for part in assembly.subset(-1)] == ["d"]
    assert [part.name for part in assembly[1:]] == ["c", "d"]
    both = impinge.Assembly.from_meshes({"left": TETRAHEDRON})
    both.extend(both.copy())
    assert len(both) == 2 and both[0].mesh is both[1].mesh
    assert len(both.check(between=True).findings) == 1
    path = tmp_path / "part.glb"
    command("demo", "gearbox", "-o", path)
    [source] = impinge.read(path).sources
    assert (source.file, source.format, source.unit, source.up) == (path, "gltf", "metre", "y")
    assert source.parts == len(impinge.read(path))


def test_parts_have_what_their_input_says() -> None:
    assembly = impinge.Assembly()
    properties: dict[str, str | float | bool] = {
        "Material": "steel",
        "Mass": 2.5,
        "LoadBearing": True,
        "n": 3,
    }
    i = assembly.add(
        TETRAHEDRON,
        name="wall",
        path="house/wall",
        guid="1hOS",
        type="IfcWall",
        properties=properties,
        chord=0.5,
    )
    assembly.add(TETRAHEDRON, name="door")
    part = assembly[i]
    assert (part.name, part.path, part.guid, part.type, part.chord) == (
        "wall",
        "house/wall",
        "1hOS",
        "IfcWall",
        0.5,
    )
    assert part.properties == properties and list(part.properties) == list(properties)
    assert part.file == Path("memory") and not part.baked and part.mesh is TETRAHEDRON
    door = assembly["door"]
    assert (door.path, door.guid, door.type, door.properties, door.chord) == ("door", None, None, {}, None)
    again = pickle.loads(pickle.dumps(assembly))[0]
    for name in ("name", "path", "guid", "type", "chord", "properties", "file", "baked"):
        assert getattr(again, name) == getattr(part, name)
    [clash] = assembly.check()
    assert (clash.a.guid, clash.a.type, clash.a.path, clash.a.properties) == (
        "1hOS",
        "IfcWall",
        "house/wall",
        properties,
    )
    assembly.replace("wall", name="gate", guid=None)
    assert (assembly[0].name, assembly[0].path, assembly[0].guid, assembly[0].type) == (
        "gate",
        "house/gate",
        None,
        "IfcWall",
    )
    assert clash.a.name == "wall", "a report is of what was checked"
    with pytest.raises(ValueError, match="read-only"):
        part.pose[0, 3] = 1
    with pytest.raises(TypeError, match="property 'x'"):
        assembly.add(TETRAHEDRON, name="x", properties={"x": [1]})  # type: ignore[dict-item]
    with pytest.raises(impinge.Error, match="chord must be finite"):
        assembly.add(TETRAHEDRON, name="x", chord=-1)
    assert len(assembly) == 2


def test_meshes_of_any_kind_are_taken() -> None:
    model = impinge.Model(TETRAHEDRON)
    assembly = impinge.Assembly()
    assembly.add(TETRAHEDRON, name="mesh")
    assembly.add(model, name="model")
    assembly.add((TETRAHEDRON.vertices, TETRAHEDRON.faces), name="arrays")
    assert assembly[0].mesh is assembly[1].mesh is TETRAHEDRON and assembly.model(1) is model
    assert assembly[2].mesh is not TETRAHEDRON and assembly.check().coverage["relations"]["duplicate"] == 3
    with pytest.raises(TypeError, match="not a int"):
        assembly.add(7, name="number")
    with pytest.raises(impinge.Error, match="not a rigid motion.*affine=True"):
        assembly.add(TETRAHEDRON, np.diag([2.0, 2, 2, 1]), name="large")
    assembly.add(TETRAHEDRON, np.diag([2.0, 2, -2, 1]), name="large", affine=True)
    large = assembly["large"]
    assert large.baked and np.array_equal(large.pose, np.eye(4)) and large.mesh.vertices.min() == -4
    assembly.set_pose("model", np.diag([3.0, 1, 1, 1]), affine=True)
    assert assembly[1].baked and assembly[1].mesh.vertices.max() == 6 and TETRAHEDRON.vertices.max() == 2
    assembly.set_pose("mesh", at(5))
    assert assembly[0].mesh is TETRAHEDRON and assembly.body("mesh").pose[0, 3] == 5
    with pytest.raises(IndexError, match="there is no part 9"):
        assembly.set_pose(9, at(1))
    with pytest.raises(KeyError, match="no part is called 'x"):
        assembly.subset("x*")


def test_a_scene_of_trimesh() -> None:
    trimesh = pytest.importorskip("trimesh")
    pytest.importorskip("networkx")
    box, ball = trimesh.creation.box(), trimesh.creation.icosphere(subdivisions=1)
    scene = trimesh.Scene()
    scene.add_geometry(box, node_name="left", geom_name="box")
    scene.graph.update("right", geometry="box", matrix=at(0.5))
    scene.add_geometry(ball, node_name="arm", geom_name="ball", transform=at(9), parent_node_name="right")
    for node in ("big", "big too"):
        scene.graph.update(node, geometry="ball", matrix=np.diag([3.0, 3, 3, 1]))
    scene.add_geometry(trimesh.PointCloud([[0, 0, 0]]), node_name="cloud", geom_name="cloud")
    scene.units = "mm"
    assembly = impinge.Assembly.from_trimesh(scene, file="scene.glb")
    by_name = {part.name: part for part in assembly}
    assert set(by_name) == {"left", "right", "arm", "big", "big too"}
    assert by_name["arm"].path == "right/arm" and by_name["left"].path == "left"
    assert by_name["left"].mesh is by_name["right"].mesh and by_name["right"].pose[0, 3] == 0.5
    assert by_name["arm"].pose[0, 3] == 9.5 and not by_name["arm"].baked
    assert by_name["big"].baked and by_name["big"].mesh is by_name["big too"].mesh
    assert by_name["big"].mesh.vertices.max() == pytest.approx(3) and by_name["big too"].baked
    [warning] = assembly.warnings
    assert "cloud" in (warning.place or "") and "no triangle" in warning.text
    assert [(str(s.file), s.unit, s.parts) for s in assembly.sources] == [("scene.glb", "millimetre", 5)]
    report = assembly.check()
    relations = {(clash.a.name, clash.b.name): str(clash.relation) for clash in report}
    assert relations["left", "right"] == "overlap" and relations["big", "big too"] == "duplicate"
    assert relations["left", "big"] == "inside"
    dumped = impinge.Assembly.from_meshes(
        {name: mesh for name, mesh in scene.geometry.items() if name != "cloud"}
    )
    assert [part.name for part in dumped] == ["box", "ball"]
    assert impinge.Assembly.from_trimesh(box)[0].mesh.vertices.shape == (8, 3)


def test_copies_are_edited_apart() -> None:
    assembly = row(3)
    report = assembly.check()
    for one in (copy.copy(assembly), copy.deepcopy(assembly), pickle.loads(pickle.dumps(assembly))):
        one.remove(0)
        one.set_pose(0, at(50))
        assert len(one) == 2 and len(assembly) == 3 and assembly[1].pose[0, 3] == 1.5
        assert one[0].mesh is one[1].mesh
    assembly.set_pose(1, at(50))
    kept = report.assembly
    assert kept is not None and kept[1].pose[0, 3] == 1.5 and kept is report.assembly
    kept.remove(0)
    clash = report.clashes[0]
    assert clash.a.mesh is TETRAHEDRON and clash.b.pose is not None and clash.b.pose[0, 3] == 1.5
    assert (len(report.findings), len(assembly.check().findings)) == (2, 0)


def test_meshes_that_no_part_has_are_freed() -> None:
    assembly = row(2)
    for _ in range(50):
        assembly.replace(0, mesh=(TETRAHEDRON.vertices, TETRAHEDRON.faces))
        assembly.model(0)
        assert assembly[0].mesh is assembly.model(0).mesh
    assert len(assembly._models) <= 3
    assert assembly[1].mesh is TETRAHEDRON
