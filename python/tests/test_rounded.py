"""Bodies with radii: spheres, capsules and padded meshes."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import impinge
from conftest import at


def sphere(center: list[float], radius: float) -> impinge.Rounded:
    return impinge.Body(impinge.Model.points([[0, 0, 0]]), at(*center)).rounded(radius)


def test_spheres_meet_at_the_exact_sum_of_their_radii() -> None:
    # 2-3-6: exactly 7 apart.
    a, b = sphere([0, 0, 0], 3.0), sphere([2, 3, 6], 4.0)
    assert impinge.intersects(a, b) and impinge.first_contact(a, b) == (0, 0)
    assert impinge.pairs(a, b).tolist() == [[0, 0]]
    assert not impinge.intersects(a, sphere([2, 3, 6], math.nextafter(4.0, 0.0)))
    # float64 rounds the sum of both to 7.
    assert not impinge.intersects(sphere([0, 0, 0], math.nextafter(7.0, 0.0)), sphere([2, 3, 6], 2.0**-53))
    assert impinge.intersects_each([(a, b), (a, b.body)]).tolist() == [True, False]


def test_a_capsule_and_a_mesh() -> None:
    model = impinge.Model(impinge.Mesh.box([2, 2, 2]))
    box = impinge.Body(model)
    segment = impinge.Model.segment([-3, 0, 0], [3, 0, 0])
    capsule = impinge.Body(segment, at(0, 0, 1.5)).rounded(0.25)
    assert not impinge.intersects(capsule, box)
    assert impinge.within(capsule, box, 0.25) and impinge.first_within(capsule, box, 0.25) is not None
    # Two triangles of the top, and two of sides whose corners are as near.
    assert len(impinge.pairs_within(capsule, box, 0.25)) == 4
    gap = impinge.distance(capsule, box, exact=True)
    assert gap is not None and (gap.lo, gap.hi) == (0.25, 0.25)
    assert gap.points[:, 2].tolist() == [1.25, 1.0]
    assert impinge.distance(capsule, box, above=0.2) is None
    poses = np.array([at(0, 0, 0), at(0, 0, 0.25)])
    assert impinge.intersects_at(capsule, model, poses).tolist() == [False, True]
    assert impinge.first_contact_at(capsule, model, poses).min(axis=1).tolist() == [-1, 0]
    assert impinge.within_at(capsule, model, poses, 0.25).all()
    assert [len(pairs) for pairs in impinge.pairs_at(capsule, model, poses)] == [0, 4]
    assert impinge.distance_at(capsule, model, poses, exact=True).hi.tolist() == [0.25, 0.0]
    # A padded mesh.
    assert impinge.intersects(capsule, box.rounded(0.25))
    assert not impinge.intersects(capsule, box.rounded(0.24))


def test_points_of_a_sphere() -> None:
    ball = sphere([1, 0, 0], 2.0)
    points = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [math.nextafter(3.0, 4.0), 0.0, 0.0]]
    names = [impinge.results.Location(place).name for place in impinge.locate(ball, points)]
    assert names == ["INSIDE", "ON_SURFACE", "OUTSIDE"]
    assert impinge.contains(ball, points).tolist() == [True, True, False]
    near = impinge.closest_point(ball, [5, 0, 0], exact=True)
    assert near is not None and (near.lo, near.hi, near.point.tolist()) == (2.0, 2.0, [3.0, 0.0, 0.0])
    many = impinge.closest_points(ball, [[5, 0, 0], [1, 1, 0]], exact=True)
    assert many.hi.tolist() == [2.0, 0.0]


def test_a_radius_is_kept_and_refused() -> None:
    ball = sphere([1, 2, 3], 0.5)
    copy = pickle.loads(pickle.dumps(ball))
    assert copy.radius == 0.5 and np.array_equal(copy.body.pose, ball.body.pose)
    assert ball == impinge.Rounded(ball.body, 0.5) and hash(ball) == hash(impinge.Rounded(ball.body, 0.5))
    assert ball != ball.body.rounded(0.25) and ball.radius == 0.5
    assert repr(ball).endswith("at (1, 2, 3)).rounded(0.5)")
    for radius in (-1.0, math.nan, math.inf):
        with pytest.raises(impinge.Error, match="a radius is a number from 0 to"):
            ball.body.rounded(radius)
    with pytest.raises(TypeError, match="a Body is needed, not a Rounded: its body has no radius"):
        impinge.relation(ball, ball.body)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Body is needed, not a str"):
        impinge.intersects(ball, "ball")  # type: ignore[arg-type]
