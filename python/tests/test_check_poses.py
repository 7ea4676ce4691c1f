"""Tests of `check_poses`: many poses of some parts against the others."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import at

import impinge


def test_check_poses_against_checks_of_an_assembly() -> None:
    """A mechanism: a frame, a slider in it, a door that swings, and a part that is inside of another."""
    box = impinge.Mesh.box
    assembly = impinge.Assembly.from_meshes(
        {
            "frame": box([6, 1, 1]),
            "slider": box([1, 1, 1]),
            "door": box([2, 0.2, 1]),
            "core": box([0.5, 0.5, 0.5]),
        }
    )
    assembly.set_pose("slider", at(0, 2))
    assembly.set_pose("door", at(0, 5))
    assembly.set_pose("core", at(0, 9))
    steps = np.linspace(3, 0, 13)
    moves = {
        "slider": impinge.pose([[0, y, 0] for y in steps]),
        "door": impinge.pose([[2, 3, 0]] * 13, axis=[0, 0, 1], angle=np.linspace(0, 3, 13)),
        "core": impinge.pose([[0, y, 0] for y in steps]),
    }
    found = impinge.check_poses(assembly, moves, min_gap=True)
    wanted, least = [], {}
    for i in range(13):
        moved = assembly.copy()
        for name, poses in moves.items():
            moved.set_pose(name, poses[i])
        report = moved.check(clearance=100.0)
        wanted += [(i, c.a.index, c.b.index, str(c.relation)) for c in report if c.counts]
        apart = {(n.a.index, n.b.index): n.distance for n in report.near}
        for pair in map(tuple, found.pairs.tolist()):
            lo, hi = apart.get(pair, (0.0, 0.0))
            least[pair] = min(least.get(pair, (np.inf, np.inf)), (lo, hi))
    assert found.clashes.tolist() == wanted and {row[3] for row in wanted} >= {"overlap", "contains"}
    assert found.first_bad == wanted[0][0] and found.bad.sum() == len({row[0] for row in wanted})
    assert found.min_gap is not None
    for row in found.min_gap:
        lo, hi = least[row["a"], row["b"]]
        assert row["lo"] <= hi and lo <= row["hi"]
    assert found.gap("frame", "door")[0] > 0
    allowed = impinge.check_poses(assembly, moves, allow=[("frame", "*"), ("slider", "core"), ("door", "*")])
    assert allowed.is_clean and allowed.first_bad is None and len(allowed.pairs) == 0
    touching = impinge.check_poses(assembly, {"slider": impinge.pose([[0, 1, 0]])}, touch=True)
    assert touching.at(0) == [("frame", "slider", impinge.results.RelationKind.TOUCH)]
    everything = impinge.check_poses(assembly, np.tile(np.eye(4), (2, 4, 1, 1)))
    assert len(everything.pairs) == 6 and everything.bad.all()
    with pytest.raises(ValueError, match="as many poses of each part"):
        impinge.check_poses(assembly, {"slider": moves["slider"], "door": moves["door"][:3]})
    with pytest.raises(KeyError, match="no part is called 'lid'"):
        impinge.check_poses(assembly, {"lid": moves["door"]})
    with pytest.raises(ValueError, match="for the 4 parts"):
        impinge.check_poses(assembly, np.zeros((2, 3, 4, 4)))


def test_check_poses_with_lengths_of_pairs() -> None:
    """A slider between two boxes: every limit of every pair against distances by arithmetic."""
    box = impinge.Mesh.box
    assembly = impinge.Assembly.from_meshes({name: box([2, 2, 2]) for name in ("left", "right", "slider")})
    assembly.set_pose("left", at(-4, 0))
    assembly.set_pose("right", at(5, 0))
    steps = [k / 8 for k in range(-16, 25)]
    moves = {"slider": impinge.pose([[x, 0, 0] for x in steps])}
    pairs = [(0, 2), (1, 2)]
    gap = {(0, 2): lambda x: x + 2, (1, 2): lambda x: 3 - x}

    def expected(limits: dict[tuple[int, int], float], touch: bool = False) -> list[tuple[int, int, int]]:
        return [
            (i, *pair)
            for i, x in enumerate(steps)
            for pair in pairs
            if gap[pair](x) < 0 or (limits[pair] > 0 or touch) and gap[pair](x) <= limits[pair]
        ]

    def rows(found: np.ndarray) -> list[tuple[int, int, int]]:
        return [(pose, a, b) for pose, a, b, *_ in found.tolist()]

    matrix = np.array([[0, 0, 0.25], [0, 0, 0.5], [0.25, 0.5, 0]])
    for given, left, right in [
        (0.5, 0.5, 0.5),
        ([0.5], 0.5, 0.5),
        ([0.25, 0.5], 0.25, 0.5),
        (matrix, 0.25, 0.5),
        ({("left", "*"): 0.25, ("slider", "right"): 0.5}, 0.25, 0.5),
        ({("slider", "r*"): 1.125}, 0.0, 1.125),
        (0, 0.0, 0.0),
    ]:
        limits = {(0, 2): left, (1, 2): right}
        found = impinge.check_poses(assembly, moves, clearance=given)
        assert found.pairs.tolist() == [list(pair) for pair in pairs]
        assert rows(found.clashes) == expected(limits) and len(found.near) == 0
        # A distance of exactly the limit counts, and the kind is that of the relation.
        kinds = {row[3] for row in found.clashes.tolist() if gap[row[1], row[2]](steps[row[0]]) > 0}
        assert kinds == ({"apart"} if left or right else set())
        near = impinge.check_poses(assembly, moves, margin=given)
        assert rows(near.clashes) == expected({pair: 0 for pair in pairs})
        assert rows(near.near) == [row for row in expected(limits) if row not in rows(near.clashes)]
    both = impinge.check_poses(assembly, moves, clearance=0.25, margin=1.0)
    wide = expected(dict.fromkeys(pairs, 1.0))
    assert sorted(rows(both.clashes) + rows(both.near)) == wide and len(both.near)
    for wrong, error, text in [
        ([1, 2, 3], ValueError, r"clearance must be .*shape \(2,\), one for each.*\(3, 3\).*not \(3,\)"),
        (np.arange(9).reshape(3, 3), ValueError, "symmetric, but of 'left' and 'right' it is not"),
        (-1, impinge.Error, "clearance must be finite and not negative, not -1"),
        ([0.5, float("nan")], impinge.Error, "clearance must be finite and not negative"),
        ("5mm", impinge.Error, "5mm"),
        ({("left", "lid"): 1}, KeyError, "lid"),
        ({"left": 1}, ValueError, "must have pairs as keys"),
    ]:
        with pytest.raises(error, match=text):
            impinge.check_poses(assembly, moves, clearance=wrong)
