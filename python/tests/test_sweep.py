"""Bodies in motion: `Path`, `sweep`, `sweep_at` and `impinge.ccd`."""

from __future__ import annotations

import math

import impinge
import impinge.ccd
import numpy as np
import pytest
from numpy.typing import NDArray

Pose = NDArray[np.float64]


def at(x: float, y: float = 0.0, z: float = 0.0) -> Pose:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


BOX = impinge.Model(impinge.Mesh.box([2, 2, 2]))


def test_kinds_of_results() -> None:
    body = impinge.Body(BOX)
    clear = impinge.sweep(body, BOX, impinge.Path.translation(at(-5, 3), [10, 0, 0]))
    assert (clear.kind, clear.free_until, clear.meets_at, clear.pair) == ("clear", 1.0, None, None)
    assert clear.pose is None and clear.until is None and clear.why is None and repr(clear) == "Sweep('clear')"
    # The gap of 3 is closed after 0.3 of the way.
    contact = impinge.sweep(body, BOX, impinge.Path.translation(at(-5), [10, 0, 0]))
    assert contact.kind == "contact" and contact.meets_at is not None and contact.pose is not None
    assert contact.free_until <= 0.3 <= contact.meets_at <= contact.free_until + 1e-9
    assert contact.pair is not None
    assert impinge.intersects(body, impinge.Body(BOX, contact.pose))
    start = impinge.sweep(body, BOX, impinge.Path.translation(at(1), [10, 0, 0]))
    assert (start.kind, start.free_until, start.meets_at) == ("contact", 0.0, 0.0)
    # The corners pass each other at a distance of some 1e-12.
    turned = impinge.pose(axis=[0, 0, 1], angle=math.pi / 4, translation=[-5, 1 + math.sqrt(2) + 1e-12, 0])
    grazing = impinge.sweep(body, BOX, impinge.Path.translation(turned, [10, 0, 0]))
    assert grazing.kind in ("near", "clear")


def test_shapes_margins_and_two_paths() -> None:
    ball = impinge.Shape.sphere(1)
    other = ball.at(None)
    path = impinge.Path.translation(at(-5, 2.5), [10, 0, 0])
    assert impinge.sweep(other, ball, path).kind == "clear"
    assert impinge.sweep(other, ball, path, margin=0.4).kind == "clear"
    assert impinge.sweep(other, ball, path, margin=0.6).kind == "contact"
    # Both move alike: nothing changes.
    both = impinge.sweep(other, ball, path, path_a=impinge.Path.translation(at(0), [10, 0, 0]), margin=0.6)
    assert both.kind == "clear"
    # A pose of the second body is not used, nor that of the first if it moves.
    far = ball.at(at(100))
    assert impinge.sweep(far, far, path, path_a=impinge.Path.translation(at(0), [0, 0, 0]), margin=0.6).kind == "contact"


def test_half_spaces_and_the_least_gap() -> None:
    floor = impinge.HalfSpace([0, 0, 1], 0)
    falls = impinge.sweep(floor, BOX, impinge.Path.translation(at(0, 0, 3), [0, 0, -4]))
    assert falls.kind == "contact" and falls.meets_at is not None
    assert falls.free_until <= 0.5 <= falls.meets_at <= falls.free_until + 1e-9
    assert impinge.sweep(floor, impinge.Shape.sphere(1), impinge.Path.translation(at(0, 0, 3), [0, 0, -1.9])).kind == "clear"
    with pytest.raises(TypeError, match="a HalfSpace does not move"):
        path = impinge.Path.translation(at(0), [1, 0, 0])
        impinge.sweep(floor, BOX, path, path_a=path)
    gap = impinge.least_gap(impinge.Body(BOX), BOX, impinge.Path.translation(at(-5, 2.5), [10, 0, 0]))
    assert gap is not None and gap[0] <= 0.5 <= gap[1] < gap[0] + 1e-6 and 0.3 <= gap[2] <= 0.7
    assert impinge.least_gap(impinge.Body(BOX), BOX, impinge.Path.translation(at(-5), [10, 0, 0]))[:2] == (0, 0)  # type: ignore[index]


def test_paths() -> None:
    half = impinge.Path.screw(np.eye(4), [1, 0, 0], [0, 0, 2], math.pi, advance=4)
    assert np.allclose(half.at(1)[:3, 3], [2, 0, 4], atol=1e-14) and half.legs == 1
    end = impinge.pose(axis=[1, 2, 3], angle=2.0, translation=[1, 2, 3])
    between = impinge.Path.between(np.eye(4), end)
    assert np.allclose(between.at(1), end, atol=1e-14) and 0 < between.end_error(1) < 1e-12
    assert np.allclose(between.at(0.5)[:3, 3], [0.5, 1, 1.5])
    straight = impinge.Path.between(np.eye(4), end, reference=[1, 0, 0])
    middle = straight.at(0.5)
    moved = [sum(row[k] * x for k, x in enumerate((1, 0, 0, 1))) for row in middle[:3]]
    ends = [[sum(row[k] * x for k, x in enumerate((1, 0, 0, 1))) for row in p[:3]] for p in (np.eye(4), end)]
    assert np.allclose(moved, np.mean(ends, axis=0))
    path = impinge.Path.piecewise(np.array([at(0), at(1), at(3)]))
    assert path.legs == 2 and path.at(0.75)[0, 3] == 2.0
    assert repr(path) == "Path([0.0, 0.0, 0.0] to [3.0, 0.0, 0.0], 2 legs)"


def test_many_motions() -> None:
    body = impinge.Body(BOX)
    poses = np.array([at(-8 + 2 * k, 0.5) for k in range(9)])
    sweeps = impinge.sweep_at(body, BOX, poses[:-1], poses[1:], threads=2)
    assert len(sweeps) == 8 and repr(sweeps) == "Sweeps(8 motions)"
    assert sweeps.clear.tolist() == [True] * 2 + [False] * 4 + [True] * 2
    assert sweeps.contact.tolist() == (~sweeps.clear).tolist()
    assert sweeps.free_until.tolist()[3:] == [0, 0, 0, 1, 1] and math.isnan(sweeps.meets_at[0])
    assert (sweeps.pairs[sweeps.clear] == -1).all() and (sweeps.pairs[~sweeps.clear] >= 0).all()
    for k in range(8):
        one = impinge.sweep(body, BOX, impinge.Path.between(poses[k], poses[k + 1]))
        assert one.free_until == sweeps.free_until[k]
    verdicts = impinge.sweep_at(body, BOX, poses[:-1], poses[1:], verdict_only=True)
    assert np.array_equal(verdicts.clear, sweeps.clear)


def test_wrong_arguments() -> None:
    body, path = impinge.Body(BOX), impinge.Path.translation(at(0), [1, 0, 0])
    with pytest.raises(TypeError, match="must be a Model, a Shape or a Rounded, not a Body"):
        impinge.sweep(body, body, path)  # type: ignore[arg-type]
    with pytest.raises(impinge.Error, match="margin"):
        impinge.sweep(body, BOX, path, margin=-1)
    with pytest.raises(impinge.Error, match="the resolution is 0"):
        impinge.sweep(body, BOX, path, resolution=0)
    with pytest.raises(impinge.Error, match="at least 2"):
        impinge.Path.piecewise([at(0)])
    with pytest.raises(impinge.Error, match="axis"):
        impinge.Path.screw(at(0), [0, 0, 0], [0, 0, 0], 1)
    with pytest.raises(impinge.Error, match="2\\^20 radians"):
        impinge.Path.screw(at(0), [0, 0, 0], [0, 0, 1], 2e6)
    with pytest.raises(ValueError, match="1 starts, but 2 ends"):
        impinge.sweep_at(body, BOX, [at(0)], [at(0), at(1)])
    stretched = np.diag([2.0, 1, 1, 1])
    with pytest.raises(impinge.Error, match="not a rigid motion"):
        impinge.Path.between(np.eye(4), stretched)


def test_moving_vertices() -> None:
    triangle = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    start = np.array([[[0.2, 0.2, 1], *triangle], [[0.7, 0.7, 1], *triangle]])
    end = start.copy()
    end[:, 0, 2] = -1
    times = impinge.ccd.point_triangle(start, end)
    assert times.hits.tolist() == [True, False]
    assert times.free_until[0] == times.meets_at[0] == 0.5 and math.isnan(times.meets_at[1])
    edges = np.array([[[0, 0, 0], [1, 0, 0], [0.5, -1, 1], [0.5, 1, 1]]], dtype=float)
    after = edges.copy()
    after[:, 2:, 2] = -2
    times = impinge.ccd.edge_edge(edges, after)
    assert times.hits.all() and times.free_until[0] == 1 / 3 and times.meets_at[0] == math.nextafter(1 / 3, 1)
    with pytest.raises(ValueError, match="shape"):
        impinge.ccd.edge_edge(edges[0], after)
    after[0, 0, 0] = math.nan
    with pytest.raises((impinge.Error, ValueError), match="row 0|finite"):
        impinge.ccd.edge_edge(edges, after)
