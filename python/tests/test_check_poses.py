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


def test_motions_between_poses() -> None:
    """A slider that jumps over a thin plate, one that lands on it, and one that starts on it."""
    box = impinge.Mesh.box
    assembly = impinge.Assembly.from_meshes({"plate": box([10, 10, 2**-10]), "slider": box([1, 1, 1])})
    # The slider's top is on the plate's underside, exactly.
    touching = 0.5 + 2**-11
    heights = [3.0, -3.0, -touching, -3.0, -4.0]
    moves = {"slider": impinge.pose([[0, 0, z] for z in heights])}
    found = impinge.check_poses(assembly, moves)
    assert found.is_clean and found.between is None
    found = impinge.check_poses(assembly, moves, between=True)
    assert found.between is not None and not found.is_clean and found.first_bad is None
    assert found.between[["pose", "kind"]].tolist() == [(0, "contact"), (1, "touch"), (2, "touch")]
    exact = (3 - touching) / 6
    first = found.between[0]
    assert first["free_until"] <= exact <= first["meets_at"] < first["free_until"] + 1e-8
    assert found.bad_pairs == [("plate", "slider")]
    # With a clearance the pose on the plate clashes, and motions to it are too near.
    found = impinge.check_poses(assembly, moves, between=True, clearance=2.4)
    assert found.between is not None and found.clashes["pose"].tolist() == [2]
    assert found.between[["pose", "kind"]].tolist() == [(0, "contact"), (1, "contact")]
    clear = impinge.check_poses(assembly, moves, between=True, allow=[("*", "slider")])
    assert clear.is_clean and clear.between is not None and len(clear.between) == 0
    # One call for many poses, and several for few at a time, agree.
    many = {"slider": impinge.pose([[0, 0, z] for z in np.tile([3.0, -3.0], 50)])}
    once = impinge.check_poses(assembly, many, between=True)
    before, impinge._check_poses.PAIRS_AT_A_TIME = impinge._check_poses.PAIRS_AT_A_TIME, 7
    try:
        parts = impinge.check_poses(assembly, many, between=True)
    finally:
        impinge._check_poses.PAIRS_AT_A_TIME = before
    assert once.between is not None and len(once.between) == 99
    assert (once.between == parts.between).all()
    turned = np.eye(4)
    turned[0, 0] = 2
    with pytest.raises(ValueError, match="rigid"):
        impinge.check_poses(assembly, {"slider": [np.eye(4), turned]}, between=True)


def test_parts_that_start_in_contact() -> None:
    """A cube that is lifted from its support: its first moments may be left out."""
    floor = impinge.Body(impinge.Model(impinge.Mesh.box([9, 9, 1])))
    cube, start = impinge.Model(impinge.Mesh.box([1, 1, 1])), np.eye(4)
    start[2, 3] = 1
    path = impinge.Path.translation(start, [0, 0, 5])
    assert impinge.sweep(floor, cube, path).meets_at == 0
    assert impinge.sweep(floor, cube, path, after=1e-6).kind == "clear"
    gap = impinge.least_gap(floor, cube, path, after=0.5)
    assert gap is not None and gap[0] <= 2.5 <= gap[1] and gap[2] == 0.5
    with pytest.raises(ValueError, match="begins from 0"):
        impinge.sweep(floor, cube, path, after=1)
    # A body carried by a motion about the origin.
    half = impinge.pose([[0, 0, 0], [0, 0, 0]], axis=[0, 0, 1], angle=[0, 3.0])
    carried = impinge.Path.carried(half, impinge.pose([2, 0, 0]))
    assert np.allclose(carried.at(0.5)[:2, 3], [2 * np.cos(1.5), 2 * np.sin(1.5)])
