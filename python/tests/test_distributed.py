"""Queries by Ray: the results of one machine, whoever dies. `.ci/ray` runs these tests; else they skip."""

from __future__ import annotations

import doctest
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge
import impinge.distributed
from impinge.distributed import _ray
from conftest import at, rows_of
from test_docs import ROOT, blocks, write_stl

if "RAY_TESTS" not in os.environ:
    pytest.skip("Ray's tests are asked for by RAY_TESTS=1: .ci/ray", allow_module_level=True)

import ray
from ray.cluster_utils import Cluster


@pytest.fixture(scope="module", autouse=True)
def two_nodes() -> Iterator[None]:
    """Two nodes on this machine, of one core each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, logging_level="error", log_to_driver=False)
    yield
    ray.shutdown()
    cluster.shutdown()


def turned(count: int, distance: float) -> NDArray[np.float64]:
    """Rotations about z at a distance."""
    angles = np.linspace(0, 7, count)
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, 0, 0] = poses[:, 1, 1] = np.cos(angles)
    poses[:, 1, 0] = np.sin(angles)
    poses[:, 0, 1] = -poses[:, 1, 0]
    poses[:, 0, 3] = distance
    return poses


def same(one: object, other: object) -> bool:
    """Whether two objects of any type are equal to the bit."""
    if isinstance(one, np.ndarray):
        assert isinstance(other, np.ndarray) and one.dtype == other.dtype
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    names = [name for name in dir(one) if not name.startswith("_")]
    return all(same(getattr(one, name), getattr(other, name)) for name in names)


@pytest.mark.parametrize("count", [0, 1, 2, 1000])
@pytest.mark.parametrize(
    ("question", "rest", "options"),
    [
        ("intersects_at", (), {}),
        ("first_contact_at", (), {}),
        ("pairs_at", (), {}),
        ("within_at", (0.01,), {}),
        ("distance_at", (), {"above": 0.02}),
    ],
)
def test_answers_are_those_of_one_machine(
    ball: impinge.Model, question: str, rest: tuple[float], options: dict[str, float], count: int
) -> None:
    a, poses = impinge.Body(ball), turned(count, 1.995)
    poses[::3, 0, 3] += 0.02
    here = getattr(impinge, question)(a, ball, poses, *rest, **options)
    for length in (None, 7):
        there = getattr(impinge.distributed, question)(a, ball, poses, *rest, **options, slice=length)
        assert same(here, there)


def test_any_array_of_poses_is_taken(ball: impinge.Model) -> None:
    a, poses = impinge.Body(ball), turned(20, 1.0).astype(np.float32)
    poses[:, :3, :3] = np.eye(3)
    for some in (poses, np.asfortranarray(poses), poses[::-1], poses[:, :3], poses.tolist()):
        expected = impinge.intersects_at(a, ball, some)
        assert np.array_equal(expected, impinge.distributed.intersects_at(a, ball, some, slice=3))


def test_errors_name_the_row_of_all_poses(ball: impinge.Model) -> None:
    a, poses = impinge.Body(ball), rows_of(np.zeros(100))
    poses[77, 0, 0] = 3
    with pytest.raises(impinge.Error, match="^pose 77 is not a rigid motion"):
        impinge.distributed.intersects_at(a, ball, poses, slice=10)
    assert impinge.distributed.intersects_at(a, ball, poses, affine=True).all()
    with pytest.raises(ValueError, match="the shape"):
        impinge.distributed.intersects_at(a, ball, np.eye(4))
    with pytest.raises(ValueError, match="slice must be positive"):
        impinge.distributed.intersects_at(a, ball, poses, slice=0)
    with pytest.raises(impinge.Error):
        impinge.distributed.within_at(a, ball, poses[:5], -1.0)
    cell = np.tile(np.eye(4), (5, 2, 1, 1))
    cell[3, 1, 0, 0] = 2
    with pytest.raises(impinge.Error, match="^set 3: "):
        impinge.distributed.scene_contacts_at([ball, ball], cell, slice=2)


def test_a_scene_at_many_poses(ball: impinge.Model, tetrahedron: impinge.Model) -> None:
    rng = np.random.default_rng(3)
    models = [ball, tetrahedron, ball, ball]
    poses = np.tile(np.eye(4), (60, 4, 1, 1))
    poses[:, :, :3, 3] = rng.uniform(0, 5, size=(60, 4, 3))
    found = impinge.distributed.scene_contacts_at(models, poses, allowed=[(0, 2)], slice=7)
    assert len(found) == 60
    for some, contacts in zip(poses, found, strict=True):
        bodies = [impinge.Body(model, pose) for model, pose in zip(models, some, strict=True)]
        expected = [
            [i, j]
            for i in range(4)
            for j in range(i + 1, 4)
            if (i, j) != (0, 2) and impinge.intersects(bodies[i], bodies[j])
        ]
        assert contacts.tolist() == expected
    assert len(impinge.distributed.scene_contacts_at(models, poses[:0])) == 0


def tetrahedra(path: Path, count: int, apart: float) -> Path:
    """A row of them, as parts of an OBJ file."""
    lines = []
    for i in range(count):
        lines.append(f"o part_{i}")
        lines += [f"v {x + i * apart} {y} {z}" for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))]
        n = 4 * i
        lines += [f"f {n + a} {n + b} {n + c}" for a, b, c in ((1, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4))]
    path.write_text("\n".join(lines))
    return path


def test_a_check_in_tasks_has_the_same_bytes(tmp_path: Path, killer: list[int]) -> None:
    files = [tetrahedra(tmp_path / "a.obj", 40, 0.9), tetrahedra(tmp_path / "b.obj", 40, 1.05)]
    for k, options in enumerate(
        [
            {},
            {"clearance": 0.1, "what_if": impinge.check.WhatIf(clearances=[0.01, 0.2])},
            {"geometry": impinge.check.Geometry(surfaces=True)},
        ]
    ):
        here, there = tmp_path / "here.json", tmp_path / "there.json"
        impinge.read(*files).check(**options).write(here)
        report = impinge.distributed.check(files, tasks=[1, 7, 200][k], **options)
        report.write(there)
        assert here.read_bytes() == there.read_bytes() and len(report.findings) > 30
        in_memory = impinge.distributed.check(impinge.read(*files), tasks=3, between=k == 1, **options)
        in_memory.write(there)
        impinge.read(*files).check(between=k == 1, **options).write(here)
        assert here.read_bytes() == there.read_bytes()


def test_the_lattice_in_tasks_while_workers_die(tmp_path: Path, killer: list[int]) -> None:
    command = [sys.executable, "-m", "impinge"]
    plan, here, there = tmp_path / "plan", tmp_path / "here.json", tmp_path / "there.json"
    subprocess.run([*command, "plan", "--demo", "lattice", "--tasks", "40", "-o", plan], check=True)
    found = subprocess.run([*command, "check", "--demo", "lattice", "-o", here], check=False)
    assert found.returncode == 1
    impinge.distributed.resume(plan).write(there)
    assert here.read_bytes() == there.read_bytes() and killer


def test_a_plan_is_gone_on_with(tmp_path: Path) -> None:
    path, plan = tetrahedra(tmp_path / "a.obj", 30, 0.9), tmp_path / "plan"
    report = impinge.distributed.check(path, plan=plan, tasks=5)
    assert sorted(one.name for one in (plan / "results").iterdir()) == list("01234")
    for one in (plan / "results").iterdir():
        one.unlink()
    (plan / "results").rmdir()
    again = impinge.distributed.resume(plan)
    assert again.data == report.data == impinge.read(path).check().data
    with pytest.raises(impinge.Error, match="not empty"):
        impinge.distributed.check(path, plan=plan)
    (plan / "results" / "3").write_bytes(b"nonsense")
    with pytest.raises(impinge.Error, match="results/3"):
        impinge.distributed.resume(plan)
    with pytest.raises(impinge.Error, match="no plan in it"):
        impinge.distributed.resume(tmp_path)
    with pytest.raises(FileNotFoundError, match="absent.obj"):
        impinge.distributed.check(tmp_path / "absent.obj")
    with pytest.raises(ValueError, match="one of them"):
        impinge.distributed.check(path, tasks=3, memory=1 << 20)


def workers() -> list[int]:
    """Processes that run Ray's tasks."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            name = path.read_bytes()
        except OSError:
            continue
        if re.match(rb"ray::(_answer|_do|IDLE)", name):
            found.append(int(path.parent.name))
    return found


@pytest.fixture
def killer() -> Iterator[list[int]]:
    """Kills a worker every so often, as memory that ran out would: not more often than a task is retried."""
    killed: list[int] = []
    over = threading.Event()

    def act() -> None:
        rng = np.random.default_rng(1)
        # A worker takes a second or so to start, and on a busy machine so long that each may be killed.
        while not over.wait(2.0) and len(killed) < _ray.RETRIES - 2:
            some = workers()
            if some:
                one = some[int(rng.integers(len(some)))]
                os.kill(one, signal.SIGKILL)
                killed.append(one)

    thread = threading.Thread(target=act)
    thread.start()
    yield killed
    over.set()
    thread.join()


def test_workers_that_die_are_replaced(ball: impinge.Model, killer: list[int]) -> None:
    a, poses = impinge.Body(ball), turned(60_000, 1.995)
    expected = impinge.intersects_at(a, ball, poses)
    began = time.monotonic()
    while len(killer) < 3 and time.monotonic() < began + 60:
        assert np.array_equal(expected, impinge.distributed.intersects_at(a, ball, poses, slice=2000))
    assert len(killer) >= 3


def test_progress_is_a_line_that_goes_away(ball: impinge.Model, capsys: pytest.CaptureFixture[str]) -> None:
    a = impinge.Body(ball, at(0.0))
    impinge.distributed.intersects_at(a, ball, turned(20, 1.0), slice=2, progress=True)
    shown = capsys.readouterr().err
    assert "slices of poses: 10 of 10, 0 s left" in shown and shown.endswith(" \r")
    impinge.distributed.intersects_at(a, ball, turned(20, 1.0), slice=2)
    assert capsys.readouterr().err == ""


def test_examples_run() -> None:
    runner = doctest.DocTestRunner()
    for name in impinge.distributed.__all__:
        for test in doctest.DocTestFinder().find(getattr(impinge.distributed, name), name):
            runner.run(test)
    assert runner.failures == 0 and runner.tries > 15


def test_blocks_of_the_pages_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of docs/python.md after its first block, which makes their inputs."""
    monkeypatch.chdir(tmp_path)
    write_stl(tmp_path / "robot.stl", scale=1.0)
    write_stl(tmp_path / "table.stl", scale=2.0)
    for name, x in (("house", 0), ("pipes", 1)):
        points = "".join(f"v {x + i} {j} {k}\n" for i, j, k in ((0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)))
        (tmp_path / f"{name}.obj").write_text(points + "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    page = ROOT / "docs" / "python.md"
    [ours] = blocks(page, "run by .ci/ray")
    scope: dict[str, object] = {"__name__": "__main__"}
    exec(compile(blocks(page)[0], str(page), "exec"), scope)
    exec(compile(ours, str(page), "exec"), scope)
    alone = impinge.intersects_at(scope["table"], scope["robot"], scope["poses"])  # type: ignore[arg-type]
    assert np.array_equal(scope["meet"], alone)  # type: ignore[arg-type]
    report = scope["report"]
    assert isinstance(report, impinge.check.Report) and len(report.findings) == 1
    assert report.data == impinge.read("house.obj", "pipes.obj").check().data


def test_the_block_about_a_plan_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder of its own, and with the smaller of the built-in assemblies under the name of the other."""
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "impinge", "demo", "gearbox", "-o", "lattice.glb"]
    subprocess.run(command, check=True, capture_output=True)
    [block] = blocks(ROOT / "docs" / "many-machines.md", "run by .ci/ray")
    assert block.count("/shared/plan") == 2
    scope: dict[str, object] = {}
    exec(block.replace("/shared/plan", str(tmp_path / "plan")), scope)
    report = scope["report"]
    assert isinstance(report, impinge.check.Report)
    assert report.data == impinge.read("lattice.glb").check().data
