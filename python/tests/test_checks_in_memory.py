"""Arguments of checks: chosen pairs, progress, time limits, caches."""

from __future__ import annotations

import time
import warnings as python_warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import impinge
from impinge.check import Criteria, Geometry, Limits, Measure, Run
from conftest import at, pile, sphere
from test_assembly_in_memory import TETRAHEDRON, row


def pairs_of(report: impinge.check.Report) -> set[tuple[int, int]]:
    return {(clash.a.index, clash.b.index) for clash in report}


def test_pairs_can_be_chosen() -> None:
    assembly = row(6)
    everything = {(i, i + 1) for i in range(5)}
    assert pairs_of(assembly.check()) == everything
    asked: set[tuple[int, int]] = set()

    def odd(a: int, b: int) -> bool:
        asked.add((a, b))
        return a % 2 == 1

    assert pairs_of(assembly.check(limits=Limits(pairs=odd))) == {(1, 2), (3, 4)} and asked >= everything
    assert all(a < b for a, b in asked)
    for pairs in ([(2, 1), (1, 2), (0, 5)], np.array([[1, 2]], dtype=np.uint8)):
        assert pairs_of(assembly.check(limits=Limits(pairs=pairs))) == {(1, 2)}
    assert pairs_of(assembly.check(limits=Limits(pairs=[]))) == set()
    assert pairs_of(assembly.check(between=([1, "part 3"], ["part *"]))) == everything - {(4, 5)}
    assert pairs_of(assembly.check(between=("part 0", 1))) == {(0, 1)}
    with pytest.raises(IndexError, match="row 1 names part 6"):
        assembly.check(limits=Limits(pairs=[(0, 1), (0, 6)]))
    with pytest.raises(KeyError, match="no part is called 'pipe"):
        assembly.check(between=("pipe*", 1))
    with pytest.raises(ValueError, match="give one of them"):
        assembly.check(between=(0, 1), limits=Limits(pairs=[(0, 1)]))
    with pytest.raises(impinge.Error, match="two, not of 1"):
        assembly.check(between=True)

    def fail(a: int, b: int) -> bool:
        raise RuntimeError("no choice")

    with pytest.raises(RuntimeError, match="no choice"):
        assembly.check(limits=Limits(pairs=fail))


def test_progress_is_told_stage_by_stage() -> None:
    told: list[tuple[str, int, int]] = []
    report = row(200).check(clearance=0.1, run=Run(progress=lambda *stage: told.append(stage)))
    assert len(report.findings) == 199
    stages = list(dict.fromkeys(name for name, _, _ in told))
    assert "testing part pairs" in stages and len(stages) >= 4
    for stage in stages:
        of_stage = [(done, total) for name, done, total in told if name == stage]
        assert all(0 <= done <= total for done, total in of_stage)
        assert of_stage[-1][0] == of_stage[-1][1], stage
    assert ("testing part pairs", 199, 199) in told


def test_an_error_of_the_callback_ends_the_check() -> None:
    assembly = impinge.Assembly()
    for count in (20_000, 20_001):
        assembly.add(pile(count), name=str(count))
    called: list[float] = []

    def fail(stage: str, done: int, total: int) -> None:
        called.append(time.perf_counter())
        raise LookupError(stage)

    with pytest.raises(LookupError):
        assembly.check(run=Run(progress=fail))
    assert len(called) == 1 and time.perf_counter() - called[0] < 0.2


def test_progress_can_be_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from impinge import _progress

    monkeypatch.setattr(_progress, "shown", _progress.Line)
    assert len(row(50).check(run=Run(progress=True)).findings) == 49
    shown = capsys.readouterr().err
    assert "testing part pairs: 49 of 49" in shown and shown.endswith(" \r")
    pytest.importorskip("tqdm")
    monkeypatch.undo()
    assert isinstance(_progress.shown(), _progress.Bars)
    assert len(row(50).check(run=Run(progress=True)).findings) == 49
    assert "testing part pairs" in capsys.readouterr().err


def test_a_time_limit_leaves_pairs_that_are_named() -> None:
    assembly = row(5)
    report = assembly.check(limits=Limits(time_limit=0))
    left = sorted(map(tuple, report.not_examined.tolist()))
    assert left == [(i, i + 1) for i in range(4)] and len(report.findings) == 0
    assert report.coverage["not_examined"] == 4 == len(report.columns()["a"])
    assert report.columns()["relation"] == ["not_examined"] * 4 and report.columns()["counts"] == [None] * 4
    assert len(assembly.check(limits=Limits(time_limit=100)).not_examined) == 0
    # A pair that takes very long is left, too.
    assembly.add(pile(20_000), at(50), name="pile")
    assembly.add(pile(20_001), at(50), name="other pile")
    began = time.perf_counter()
    report = assembly.check(limits=Limits(time_limit=0.3))
    assert time.perf_counter() - began < 5 and [5, 6] in report.not_examined.tolist()
    for wrong in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="time_limit must be"):
            assembly.check(limits=Limits(time_limit=wrong))


def test_options_that_contradict_each_other() -> None:
    assembly = row(2)
    surfaces = Geometry(surfaces=True)
    for options in (
        {"tolerance": 1.0, "geometry": surfaces},
        {"geometry": Geometry(surfaces=True, chord=1.0)},
        {"criteria": Criteria(report="duplicate"), "geometry": surfaces},
    ):
        with pytest.raises(impinge.Error, match="surfaces"):
            assembly.check(**options)  # type: ignore[arg-type]
    with pytest.raises(impinge.Error, match="tolerance"):
        assembly.check(tolerance=1.0, measure=Measure(depth="none"))


def test_a_damaged_cache_is_a_warning(tmp_path: Path) -> None:
    assembly, cache = row(20), tmp_path / "row.cache"
    expected = assembly.check(run=Run(cache=cache)).data
    whole = cache.read_bytes()
    cache.write_bytes(whole[: len(whole) // 2])
    with pytest.warns(UserWarning, match="damaged"):
        assert assembly.check(run=Run(cache=cache)).data == expected
    with python_warnings.catch_warnings():
        python_warnings.simplefilter("error")
        assert assembly.check(run=Run(cache=cache)).data == expected


def test_chosen_pairs_and_a_cache(tmp_path: Path) -> None:
    """The result is the same, whichever pairs earlier runs have put into the cache."""
    assembly, cache = row(12), tmp_path / "row.cache"
    for pairs in (lambda a, b: a % 3 == 0, [(0, 1), (4, 5)], None, lambda a, b: b > 6):
        expected = assembly.check(clearance=0.6, limits=Limits(pairs=pairs))
        assert (
            assembly.check(clearance=0.6, limits=Limits(pairs=pairs), run=Run(cache=cache)).data
            == expected.data
        )
        assembly.set_pose(4, at(6.25))
        expected = assembly.check(clearance=0.6, limits=Limits(pairs=pairs))
        assert (
            assembly.check(clearance=0.6, limits=Limits(pairs=pairs), run=Run(cache=cache)).data
            == expected.data
        )
        assembly.set_pose(4, at(6))

    def fail(a: int, b: int) -> bool:
        raise RuntimeError("no choice")

    before = cache.read_bytes()
    with pytest.raises(RuntimeError, match="no choice"):
        assembly.check(clearance=0.6, limits=Limits(pairs=fail), run=Run(cache=cache))
    assert cache.read_bytes() == before


def test_parts_without_triangles_and_no_parts() -> None:
    assert len(impinge.Assembly().check().findings) == 0 and repr(impinge.Assembly()).startswith(
        "Assembly(empty"
    )
    assembly = impinge.Assembly()
    assembly.add((np.zeros((0, 3)), np.zeros((0, 3), dtype=int)), name="nothing")
    assembly.add(TETRAHEDRON, name="something")
    assert len(assembly.check(clearance=1.0).findings) == 0


def test_other_threads_run_during_a_check() -> None:
    import threading

    assembly, mesh = impinge.Assembly(), sphere(3)
    for i in range(120):
        assembly.add(mesh, at(i / 1000), name=str(i))
    counted, over = [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    found: list[Any] = []
    threading.Thread(target=lambda: found.append(assembly.check())).start()
    while not found:
        time.sleep(0.001)
    over.set()
    thread.join()
    assert len(found[0].findings) == 120 * 119 // 2 and counted[0] > 100


def test_what_parts_state_is_their_chord() -> None:
    def assembly(*chords: float | None) -> impinge.Assembly:
        made = impinge.Assembly()
        for i, chord in enumerate(chords):
            made.add(TETRAHEDRON, at(3.0 * i), name=f"part {i}", chord=chord)
        return made

    def found(report: impinge.check.Report) -> list[Any]:
        parts = [report.parts[i].chord for i in range(2)]
        near = [(near.a.index, near.b.index, near.certainty) for near in report.near]
        return [near, parts, report.coverage.get("chord")]

    stated = assembly(1.5, None).check(criteria=Criteria(count="possible"))
    assert stated.near and stated.parts[0].chord == 1.5
    assert found(stated) == found(assembly(None, None).check(geometry=Geometry(chord={"part 0": 1.5})))
    # A given name goes before it; the tolerance of all parts does not.
    assert found(assembly(1.5, None).check(geometry=Geometry(chord={"part 0": 0.5})))[1] == [0.5, 0.0]
    assert found(assembly(1.5, None).check(geometry=Geometry(chord=0.25)))[1] == [1.5, 0.25]
    assert found(assembly(1.5, None).check(geometry=Geometry(surfaces=True))) == [[], [None, None], None]
