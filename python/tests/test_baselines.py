"""Baselines in files, which several processes change at once."""

from __future__ import annotations

import pickle
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import impinge

BY = {"by": "me", "reason": "known"}


def row(count: int) -> impinge.Assembly:
    """Boxes in a row: neighbours overlap."""
    assembly = impinge.Assembly()
    for i in range(count):
        assembly.add(impinge.Mesh.box([1, 1, 1]), impinge.pose([0.75 * i, 0, 0]), name=f"part {i}")
    return assembly


def first(path: Path, count: int = 4) -> impinge.Baseline:
    report = row(count).check(baseline=impinge.Baseline())
    return impinge.Baseline.edit(path, lambda known: known.updated(report))


def approved(path: Path) -> set[str]:
    return {one.id for one in impinge.Baseline.read(path).findings if one.status == "approved"}


DECIDE = """
import sys, impinge
_, path, id = sys.argv
impinge.Baseline.edit(path, lambda known: known.approve([id], reason="known", by="me"))
"""


def test_processes_that_decide_at_once_lose_no_decision(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    ids = [one.id for one in first(path, 21).findings]
    assert len(ids) == 20
    running = [subprocess.Popen([sys.executable, "-c", DECIDE, str(path), one]) for one in ids]
    assert [one.wait() for one in running] == [0] * 20
    assert approved(path) == set(ids)
    assert [one.name for one in tmp_path.iterdir()] == ["b.jsonl"]


def test_a_file_that_has_changed_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    ids = [one.id for one in first(path).findings]
    known = impinge.Baseline.read(path)
    one, other = (known.approve([some], **BY) for some in ids[:2])
    one.write(path)
    text = path.read_bytes()
    for stale in (other, impinge.Baseline(), pickle.loads(pickle.dumps(known)), impinge.Baseline.parse(known.text)):
        with pytest.raises(impinge.Error, match=r"b\.jsonl: its contents are not what this baseline was made of"):
            stale.write(path)
    assert path.read_bytes() == text
    # The file has what `one` wrote. Writing it again changes nothing.
    one.write(path)
    both = one.approve(ids[1:2], **BY)
    both.write(path)
    both.write(path)
    assert approved(path) == set(ids[:2])
    copy = tmp_path / "copy.jsonl"
    other.write(copy)
    assert approved(copy) == {ids[1]}


def test_a_check_is_taken_into_a_baseline_with_newer_decisions(tmp_path: Path) -> None:
    path, day = tmp_path / "b.jsonl", date(2027, 1, 1)
    first(path, 5)
    known = impinge.Baseline.read(path)
    report = row(4).check(baseline=known)
    open_ids = [one.id for one in known.findings]
    impinge.Baseline.edit(path, lambda now: now.approve(open_ids[:1], **BY).prune())
    later = impinge.Baseline.edit(path, lambda now: now.updated(report, today=day))
    assert approved(path) == {open_ids[0]}
    # As if the check had begun after the decision.
    late = row(4).check(baseline=known.approve(open_ids[:1], **BY))
    assert later.text == known.approve(open_ids[:1], **BY).updated(late, today=day).text
    # Another baseline is compared again.
    assert {one.status for one in impinge.Baseline().updated(report).findings} == {"new"}


def test_a_group_is_approved_as_a_whole(tmp_path: Path) -> None:
    assembly = row(3)
    for i in range(2):
        assembly.add(impinge.Mesh.box([0.5, 0.5, 2]), impinge.pose([0.75 * i, 0, 0]), name=f"pin {i}", file="pins")
    known = impinge.Baseline().updated(assembly.check(baseline=impinge.Baseline()))
    groups = {}
    for finding in known.findings:
        groups.setdefault(finding.group, []).append(finding)
    # Boxes with boxes, and pins with boxes.
    assert {len(some) for some in groups.values()} == {2, len(known.findings) - 2}
    assert all(name in {one.id for one in some} for name, some in groups.items())
    pins = next(some for some in groups.values() if len(some) == len(known.findings) - 2)
    later = known.approve([one.id for one in pins], **BY)
    report = assembly.check(baseline=later)
    assert [one.status for one in report.findings].count("approved") == len(pins)
    # A baseline of format version 1 has no groups.
    old = impinge.Baseline.parse('{"impinge_baseline":1}\n')
    assert old.text == '{"impinge_baseline":3,"groups":false}\n'


def test_an_edit_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "b.jsonl"
    first(path)
    text = path.read_bytes()
    with pytest.raises(impinge.Error, match="no finding"):
        impinge.Baseline.edit(path, lambda known: known.approve(["zzz"], **BY))
    assert path.read_bytes() == text
    impinge.Baseline.edit(path, lambda known: known)
    assert path.read_bytes() == text
    (tmp_path / "bad.jsonl").write_text("no baseline")
    with pytest.raises(impinge.Error, match="bad.jsonl:1: not a baseline"):
        impinge.Baseline.edit(tmp_path / "bad.jsonl", lambda known: known)
    with pytest.raises(FileNotFoundError):
        impinge.Baseline.read(tmp_path / "none.jsonl")
    with pytest.raises(OSError, match="nowhere"):
        impinge.Baseline().write(tmp_path / "nowhere" / "b.jsonl")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["b.jsonl", "bad.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such devices")
def test_a_device_is_no_baseline() -> None:
    with pytest.raises(impinge.Error, match="/dev/zero: it is a device"):
        impinge.Baseline.read("/dev/zero")
    with pytest.raises(impinge.Error, match="it is a device"):
        row(2).check(baseline="/dev/zero")
