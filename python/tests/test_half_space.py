"""Half-spaces and shapes."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest

import impinge
from conftest import at

FLOOR = impinge.HalfSpace([0, 0, 1], 0)


def test_a_ball_on_the_floor() -> None:
    ball = impinge.Shape.sphere(1.0)
    touching, higher = ball.at(at(0, 0, 1)), ball.at(at(0, 0, math.nextafter(1.0, 2.0)))
    assert impinge.intersects(touching, FLOOR) and not impinge.intersects(higher, FLOOR)
    assert impinge.first_contact(touching, FLOOR) == (0, 0)
    assert impinge.pairs(touching, FLOOR).tolist() == [[0, 0]]
    assert impinge.within(higher, FLOOR, 1e-9) and impinge.first_within(higher, FLOOR, 1e-9) == (0, 0)
    gap = impinge.distance(ball.at(at(5, 0, 4)), FLOOR, exact=True)
    assert gap is not None and (gap.lo, gap.hi) == (3.0, 3.0)
    assert gap.points.tolist() == [[5, 0, 3], [5, 0, 0]]
    assert impinge.distance(ball.at(at(5, 0, 4)), FLOOR, above=2.9) is None


def test_heights_are_those_of_fractions() -> None:
    rng = np.random.default_rng(5)
    for _ in range(200):
        normal, offset = rng.integers(-4, 5, 3).astype(float), float(rng.integers(-30, 5))
        if not normal.any():
            continue
        mesh = impinge.Mesh(rng.normal(size=(9, 3)), rng.integers(0, 9, (7, 3)))
        body = impinge.Body(impinge.Model(mesh), at(*rng.normal(size=3)))
        heights = []
        for v in mesh.vertices[np.unique(mesh.faces)]:
            x = [Fraction(a) + Fraction(b) for a, b in zip(v, body.pose[:3, 3], strict=True)]
            heights.append(sum(Fraction(n) * c for n, c in zip(normal, x, strict=True)) - Fraction(offset))
        least, square = min(heights), sum(Fraction(n) ** 2 for n in normal)
        half_space = impinge.HalfSpace(normal, offset)
        assert impinge.intersects(body, half_space) == (least <= 0)
        gap = impinge.distance(body, half_space, exact=True)
        assert gap is not None and gap.hi - gap.lo <= math.ulp(gap.hi)
        if least > 0:
            assert Fraction(gap.lo) ** 2 * square <= least**2 <= Fraction(gap.hi) ** 2 * square


def test_batches_take_a_half_space_first() -> None:
    box = impinge.Model(impinge.Mesh.box([2, 2, 2]))
    poses = np.array([at(0, 0, z) for z in (0, 1, 1.5, 4)])
    assert impinge.intersects_at(FLOOR, box, poses).tolist() == [True, True, False, False]
    assert impinge.within_at(FLOOR, box, poses, 0.5).tolist() == [True, True, True, False]
    assert impinge.distance_at(FLOOR, box, poses, exact=True).hi.tolist() == [0, 0, 0.5, 3]
    assert [len(pairs) for pairs in impinge.pairs_at(FLOOR, box, poses)] == [10, 10, 0, 0]
    first = impinge.first_contact_at(FLOOR, box, poses)
    assert first[:2, 0].tolist() == [0, 0] and first[2:].tolist() == [[-1, -1]] * 2
    with pytest.raises(TypeError, match="a HalfSpace is the second argument of intersects"):
        impinge.intersects(FLOOR, impinge.Body(box))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Body is needed, not a HalfSpace"):
        impinge.relation(impinge.Body(box), FLOOR)  # type: ignore[arg-type]


def test_scenes_have_half_spaces_and_radii() -> None:
    scene = impinge.Scene()
    floor = scene.add_half_space(FLOOR, name="floor")
    ball = scene.add(impinge.Shape.sphere(1), at(0, 0, 3), name="ball")
    box = scene.add(impinge.Model(impinge.Mesh.box([2, 2, 2])), at(0, 0, 0.5))
    assert scene.name(floor) == "floor" and scene.half_space(floor) == FLOOR and scene.half_space(box) is None
    assert (scene.radius(ball), scene.radius(box)) == (1.0, 0.0)
    contacts = scene.update("counts")
    assert contacts[["a", "b"]].tolist() == [(floor, box)]
    # All triangles but the two of the top have a corner below the floor.
    assert contacts["count"].tolist() == [10]
    scene.set_radius(ball, 1.5)
    assert scene.update()[["a", "b"]].tolist() == [(floor, box), (ball, box)]
    scene.set_half_space(floor, impinge.HalfSpace([0, 0, 1], -9))
    scene.set_margin(2.0)
    assert scene.update()[["a", "b"]].tolist() == [(ball, box)]
    assert scene.near["hi"].tolist() == []
    scene.set_margin(9.0)
    scene.update()
    assert scene.near[["a", "b"]].tolist() == [(floor, box)] or scene.near["lo"].tolist() == [8.5]
    found = scene.nearest_bodies([[0, 0, 9]], exact=True)
    assert (found.bodies[0], found.hi[0]) == (ball, 4.5)
    with pytest.raises(impinge.Error, match="is a half-space, which has no mesh, pose or radius"):
        scene.set_pose(floor, np.eye(4))
    for query in (scene.contacts_at, scene.distance_at):
        with pytest.raises(impinge.Error, match=r"body 0 is a half-space, which Scene\.\w+_at does not take"):
            query(np.array([[np.eye(4)] * 3]))
    with pytest.raises(impinge.Error, match=r"which Scene\.rays does not take"):
        scene.rays([[0, 0, 9]], [[0, 0, -1]])


def test_radii_count_in_configurations() -> None:
    scene = impinge.Scene()
    scene.add(impinge.Shape.sphere(1))
    scene.add(impinge.Shape.capsule(0.5, 2))
    poses = [impinge.pose([[0, 0, 0], [x, 0, 0]]) for x in (1, 1.5, 1.75)]
    assert [len(pairs) for pairs in scene.contacts_at(poses)] == [1, 1, 0]
    assert np.allclose(scene.distance_at(poses).hi, [0, 0, 0.25], rtol=0, atol=1e-12)
    with pytest.raises(impinge.Error, match="does not take bodies with a radius"):
        scene.rays([[0, 0, 9]], [[0, 0, -1]])


def test_shapes() -> None:
    box = impinge.Shape.rounded_box([2, 2, 2], 0.25)
    assert box.radius == 0.25 and len(box.model.mesh) == 12
    far = impinge.Shape.sphere(0.5).at(at(3, 0, 0))
    gap = impinge.distance(box.at(), far, exact=True)
    assert gap is not None and (gap.lo, gap.hi) == (1.25, 1.25)
    model = impinge.Model(impinge.Mesh.box([1, 1, 1]))
    assert impinge.Shape.padded(model, 1).model is model
    assert np.array_equal(impinge.Shape.padded(model.mesh, 1).model.mesh.faces, model.mesh.faces)
    copy = pickle.loads(pickle.dumps(box))
    assert copy.radius == 0.25 and np.array_equal(copy.model.mesh.vertices, box.model.mesh.vertices)
    assert "0.25" in repr(box)
    for wrong in (lambda: impinge.Shape.sphere(-1), lambda: impinge.Shape.capsule(1, -1)):
        with pytest.raises(impinge.Error):
            wrong()
    with pytest.raises(TypeError, match="model must be a Model or a Mesh, not a int"):
        impinge.Shape.padded(1, 1)  # type: ignore[arg-type]


def test_a_half_space_is_kept_and_refused() -> None:
    copy = pickle.loads(pickle.dumps(FLOOR))
    assert copy == FLOOR and hash(copy) == hash(FLOOR) and repr(FLOOR) == "HalfSpace([0, 0, 1], 0)"
    assert impinge.HalfSpace([0, 0, 1], 2) != FLOOR and FLOOR.normal == (0, 0, 1) and FLOOR.offset == 0
    for normal, offset in (([0, 0, 0], 1), ([0, 0, math.nan], 1), ([0, 0, 1], math.inf)):
        with pytest.raises(impinge.Error, match="half-space"):
            impinge.HalfSpace(normal, offset)
