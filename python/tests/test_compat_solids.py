"""Decisions and measures of `impinge.compat`, against references that share no code with it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge
from conftest import sphere
from impinge.compat import fcl

Floats = NDArray[np.float64]
BOTH = fcl.CollisionRequest(num_max_contacts=1, enable_contact=True)


def turned(rng: np.random.Generator, shift: float) -> fcl.Transform:
    quaternion = rng.normal(size=4)
    return fcl.Transform(quaternion / np.linalg.norm(quaternion), rng.uniform(-shift, shift, 3))


def contact(one: fcl.CollisionObject, two: fcl.CollisionObject) -> fcl.Contact:
    result = fcl.CollisionResult()
    assert fcl.collide(one, two, BOTH, result) == 1
    return result.contacts[0]


def outside_of_box(obj: fcl.CollisionObject, point: Floats) -> float:
    local = obj.getRotation().T @ (point - obj.getTranslation())
    return float(np.linalg.norm(np.maximum(np.abs(local) - obj.geom.side / 2, 0)))


def outside_of_capsule(obj: fcl.CollisionObject, point: Floats) -> float:
    local = obj.getRotation().T @ (point - obj.getTranslation())
    half = getattr(obj.geom, "lz", 0.0) / 2
    local[2] -= np.clip(local[2], -half, half)
    return max(float(np.linalg.norm(local)) - obj.geom.radius, 0.0)


def outside(obj: fcl.CollisionObject, point: Floats) -> float:
    return (outside_of_box if isinstance(obj.geom, fcl.Box) else outside_of_capsule)(obj, point)


def test_boxes_meet_as_relations_say() -> None:
    """Separating axes against the exact relation of two solids, which has no code for boxes."""
    rng, seen = np.random.default_rng(11), [0, 0]
    for _ in range(400):
        boxes = [fcl.Box(*rng.uniform(0.1, 2, 3)) for _ in range(2)]
        objects = [fcl.CollisionObject(box, turned(rng, 0.9)) for box in boxes]
        relation = impinge.relation(*(obj._placed().body for obj in objects))
        meets = relation.kind is not impinge.results.RelationKind.APART
        assert bool(fcl.collide(*objects)) == meets
        seen[meets] += 1
    assert min(seen) > 40
    # Faces, edges and corners that just touch, and that just do not.
    one = fcl.CollisionObject(fcl.Box(1, 1, 1))
    for signs in product((-1, 0, 1), repeat=3):
        at = np.array(signs, dtype=float)
        assert fcl.collide(one, fcl.CollisionObject(fcl.Box(1, 1, 1), fcl.Transform(at))) == 1
        if any(signs):
            away = np.nextafter(at, 2 * at)
            assert fcl.collide(one, fcl.CollisionObject(fcl.Box(1, 1, 1), fcl.Transform(away))) == 0


def test_balls_and_boxes_meet_as_fractions_say() -> None:
    rng, seen = np.random.default_rng(12), [0, 0]
    for _ in range(500):
        # Small integers, so that many just touch.
        centre, side, radius = rng.integers(-6, 7, 3), rng.integers(1, 9, 3), int(rng.integers(1, 6))
        other, other_radius = rng.integers(-6, 7, 3), int(rng.integers(1, 6))
        gaps = [
            max(abs(Fraction(int(c))) - Fraction(int(s), 2), 0) for c, s in zip(centre, side, strict=True)
        ]
        meets = sum(gap * gap for gap in gaps) <= radius * radius
        ball = fcl.CollisionObject(fcl.Sphere(radius), fcl.Transform(centre.astype(float)))
        box = fcl.CollisionObject(fcl.Box(*side.astype(float)))
        assert bool(fcl.collide(ball, box)) == meets == bool(fcl.collide(box, ball))
        seen[meets] += 1
        square = sum(int(c - o) ** 2 for c, o in zip(centre, other, strict=True))
        second = fcl.CollisionObject(fcl.Sphere(other_radius), fcl.Transform(other.astype(float)))
        assert bool(fcl.collide(ball, second)) == (square <= (radius + other_radius) ** 2)
    assert min(seen) > 50


def shapes(rng: np.random.Generator) -> list[fcl.CollisionGeometry]:
    a, b, c = rng.uniform(0.2, 1.5, 3)
    return [fcl.Box(a, b, c), fcl.Sphere(a / 2), fcl.Capsule(b / 3, c)]


def test_contacts_of_full_bodies_lie_in_both_and_part_them() -> None:
    rng, found = np.random.default_rng(13), 0
    for _ in range(60):
        for geometry, other in product(shapes(rng), shapes(rng)):
            one = fcl.CollisionObject(geometry, turned(rng, 0.5))
            two = fcl.CollisionObject(other, turned(rng, 0.5))
            if not fcl.collide(one, two):
                assert fcl.distance(one, two) > 0
                continue
            found += 1
            seen = contact(one, two)
            depth, normal = seen.penetration_depth, seen.normal
            assert np.isclose(np.linalg.norm(normal), 1) and depth >= 0
            for obj in (one, two):
                assert outside(obj, seen.pos) < 1e-9, (type(geometry), type(other))
            # Moved by the depth they are apart; a little less in any direction leaves them together.
            rows = two.getTransform()
            two.setTranslation(rows.getTranslation() + normal * (depth + 1e-9))
            assert fcl.collide(one, two) == 0, (type(geometry), type(other), depth)
            for direction in (normal, *rng.normal(size=(8, 3))):
                shift = direction / np.linalg.norm(direction) * (0.999 * depth - 1e-9)
                two.setTranslation(rows.getTranslation() + shift)
                assert fcl.collide(one, two) == 1, (type(geometry), type(other), depth)
            two.setTransform(rows)
            signed = fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
            result = fcl.DistanceResult()
            assert np.isclose(fcl.distance(one, two, signed, result), -depth, atol=1e-9)
            first, second = result.nearest_points
            assert np.isclose(np.linalg.norm(first - second), depth, atol=1e-7)
            assert outside(one, first) < 1e-7 and outside(two, second) < 1e-7
    assert found > 200


@pytest.mark.parametrize(
    ("one", "two", "shift", "depth", "normal"),
    [
        (fcl.Box(1, 1, 1), fcl.Box(1, 1, 1), [0, 1, 0], 0, [0, 1, 0]),
        (fcl.Box(1, 1, 1), fcl.Box(3, 3, 1), [0.5, 0.25, -1], 0, [0, 0, -1]),
        # An edge of each, and a corner on a face.
        (fcl.Box(1, 1, 1), fcl.Box(1, 1, 1), [1, 1, 0.5], 0, None),
        (fcl.Box(1, 1, 1), fcl.Box(1, 1, 1), [1, 1, 1], 0, None),
        (fcl.Box(1, 1, 1), fcl.Box(1, 1, 1), [0, 0, 0], 1, [-1, 0, 0]),
        (fcl.Box(1, 2, 3), fcl.Box(1, 1, 0), [0.75, 0, 0], 0.25, [1, 0, 0]),
        (fcl.Box(1, 2, 0), fcl.Box(2, 1, 0), [0, 0, 0], 0, [0, 0, -1]),
        (fcl.Box(0, 0, 0), fcl.Box(0, 0, 0), [0, 0, 0], 0, None),
        (fcl.Sphere(1), fcl.Sphere(2), [0, 0, 0], 3, None),
        (fcl.Sphere(1), fcl.Box(4, 6, 6), [1, 0, 0], 2, [1, 0, 0]),
        # The centre on a face, and on an edge.
        (fcl.Sphere(1), fcl.Box(4, 6, 6), [2, 0, 0], 1, [1, 0, 0]),
        (fcl.Box(4, 6, 6), fcl.Sphere(1), [2, 3, 0], 1, None),
        (fcl.Capsule(1, 2), fcl.Capsule(0.5, 4), [0, 0, 1], 1.5, None),
        (fcl.Capsule(1, 2), fcl.Box(9, 8, 9), [0, 1, 0], 4, [0, 1, 0]),
        (fcl.Box(9, 8, 9), fcl.Capsule(1, 2), [0, 0.5, 4.5], 2, [0, 0, 1]),
        (fcl.Cylinder(0, 2), fcl.Box(1, 1, 1), [0.25, 0, 0], 0.25, [1, 0, 0]),
        (fcl.Cylinder(3, 2), fcl.Cylinder(1, 2), [0, 0, 1.5], 0.5, [0, 0, 1]),
        (fcl.Cylinder(3, 2), fcl.Cone(1, 2), [0, 0, 2], 0, [0, 0, 1]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, fcl.CollisionGeometry) else None,
)
def test_depths_of_cores_that_touch_or_are_no_solids(
    one: fcl.CollisionGeometry,
    two: fcl.CollisionGeometry,
    shift: list[float],
    depth: float,
    normal: list[float] | None,
) -> None:
    first, second = fcl.CollisionObject(one), fcl.CollisionObject(two, fcl.Transform(np.array(shift)))
    found = contact(first, second)
    assert np.isclose(found.penetration_depth, depth) and np.isclose(np.linalg.norm(found.normal), 1)
    assert normal is None or np.allclose(found.normal, normal)
    second.setTranslation(shift + found.normal * (found.penetration_depth + 1e-9))
    assert fcl.collide(first, second) == 0
    # The opposite way out is as long for the objects in the other order.
    second.setTranslation(np.array(shift))
    back = contact(second, first)
    assert np.isclose(back.penetration_depth, depth)


def test_depths_of_cores_in_one_line_or_plane() -> None:
    """Placed anywhere, such cores are flat but for roundings."""
    rng = np.random.default_rng(16)
    pairs = [
        (fcl.Capsule(0.5, 2), fcl.Capsule(0.25, 3), [0, 0, 1], 0.75),
        (fcl.Capsule(0.5, 2), fcl.Sphere(0.25), [0, 0, 0.5], 0.75),
        (fcl.Capsule(0.5, 2), fcl.Box(0, 2, 3), [0, 0.5, 0], 0.5),
        (fcl.Box(0, 2, 3), fcl.Box(0, 1, 1), [0, 0.5, 0.25], 0),
        (fcl.Box(0, 0, 3), fcl.Box(0, 0, 1), [0, 0, 0.25], 0),
        (fcl.Box(2, 2, 2), fcl.Sphere(0.5), [1, 0.25, 0.5], 0.5),
    ]
    for _ in range(50):
        place = turned(rng, 9)
        for geometry, other, shift, depth in pairs:
            moved = place.getTranslation() + place.getRotation() @ np.array(shift)
            one = fcl.CollisionObject(geometry, place)
            two = fcl.CollisionObject(other, fcl.Transform(place.getRotation(), moved))
            if depth > 0:
                for first, second in ((one, two), (two, one)):
                    assert abs(contact(first, second).penetration_depth - depth) < 1e-12
            elif fcl.collide(one, two):
                assert contact(one, two).penetration_depth < 1e-12


def test_distances_of_round_bodies() -> None:
    rng = np.random.default_rng(14)
    for _ in range(100):
        geometries = [fcl.Sphere(0.3), fcl.Capsule(0.2, 1.0)]
        one, two = (fcl.CollisionObject(g, turned(rng, 3)) for g in geometries)
        half = two.getRotation()[:, 2] * 0.5
        ends = two.getTranslation() - half, two.getTranslation() + half
        along = np.clip((one.getTranslation() - ends[0]) @ (2 * half), 0, 1)
        gap = np.linalg.norm(ends[0] + along * 2 * half - one.getTranslation()) - 0.5
        assert bool(fcl.collide(one, two)) == (gap <= 0)
        if gap > 0:
            result = fcl.DistanceResult()
            found = fcl.distance(one, two, fcl.DistanceRequest(enable_nearest_points=True), result)
            assert np.isclose(found, gap)
            first, second = result.nearest_points
            assert np.isclose(np.linalg.norm(first - second), gap)
            assert outside(one, first) < 1e-9 and outside(two, second) < 1e-9


def test_a_ball_against_a_surface() -> None:
    """It holds what is inside of it; its one contact is the nearest."""
    sheet = fcl.BVHModel()
    sheet.beginModel(3, 1)
    sheet.addTriangle([-9, -9, 0], [9, -9, 0], [0, 9, 0])
    sheet.endModel()
    ball = fcl.Sphere(1)
    floor = fcl.CollisionObject(sheet)
    for height, depth in ((0.75, 0.25), (0.0, 1.0), (-0.5, 0.5)):
        above = fcl.CollisionObject(ball, fcl.Transform(np.array([0, 0, height])))
        seen = contact(floor, above)
        assert np.isclose(seen.penetration_depth, depth) and np.isclose(abs(seen.normal[2]), 1)
        assert outside(above, seen.pos) < 1e-12
    assert fcl.collide(floor, fcl.CollisionObject(ball, fcl.Transform(np.array([0, 0, 1.0])))) == 1
    assert fcl.collide(floor, fcl.CollisionObject(ball, fcl.Transform(np.array([0, 0, 1 + 1e-12])))) == 0
    speck = fcl.BVHModel()
    speck.addTriangle([0, 0, 0.1], [0.1, 0, 0.1], [0, 0.1, 0.1])
    speck.endModel()
    assert fcl.collide(fcl.CollisionObject(speck), fcl.CollisionObject(ball)) == 1
    cube = fcl.Box(4, 4, 4)
    assert fcl.collide(fcl.CollisionObject(speck), fcl.CollisionObject(cube)) == 1


def test_depths_agree_with_python_fcl() -> None:
    theirs = pytest.importorskip("fcl")
    rng, compared = np.random.default_rng(15), 0
    for _ in range(40):
        numbers = rng.uniform(0.3, 1.5, 3)
        makers = [
            lambda f, n=numbers: f.Box(*n),
            lambda f, n=numbers: f.Sphere(n[0]),
            lambda f, n=numbers: f.Capsule(n[0], n[1]),
        ]
        for make, other in product(makers, makers):
            place, both = turned(rng, 0.4), []
            for f in (fcl, theirs):
                transform = f.Transform(place.getRotation(), place.getTranslation())
                objects = f.CollisionObject(make(f)), f.CollisionObject(other(f), transform)
                both.append((f.collide(*objects), f.distance(*objects, f.DistanceRequest(False, True))))
            (met, depth), (their_met, their_depth) = both
            if abs(depth) > 1e-5:
                assert bool(met) == bool(their_met) == (depth < 0)
            # FCL stops at 1e-6, and at times with a shift that is not the shortest: never with a shorter one.
            assert depth >= their_depth - 1e-4
            compared += abs(depth - their_depth) < 1e-4
    assert compared > 0.8 * 360


def support(geometry: fcl.CollisionGeometry, obj: fcl.CollisionObject, direction: Floats) -> float:
    """The support of a curved or convex object in a unit direction, by formulas of this file alone."""
    local = obj.getRotation().T @ direction
    reach = float(obj.getTranslation() @ direction)
    across, half = float(np.hypot(local[0], local[1])), getattr(geometry, "lz", 0.0) / 2
    match geometry:
        case fcl.Cylinder():
            return reach + geometry.radius * across + half * abs(local[2])
        case fcl.Cone():
            return reach + max(half * local[2], geometry.radius * across - half * local[2])
        case fcl.Ellipsoid():
            return reach + float(np.linalg.norm(geometry.radii * local))
        case fcl.Box():
            return reach + float(geometry.side @ np.abs(local)) / 2
        case fcl.Sphere() | fcl.Capsule():
            return reach + geometry.radius + half * abs(local[2])
    vertices = geometry._known().body.model.mesh.vertices
    return reach + float((vertices @ local).max())


def ball_of_points(levels: int, radius: float) -> fcl.Convex:
    mesh = sphere(levels, radius)
    return fcl.Convex(mesh.vertices, len(mesh.faces), np.insert(mesh.faces.astype(int), 0, 3, axis=1).ravel())


def test_distances_of_curved_bodies_are_proved() -> None:
    """They are no more than the true ones, and less by no more than the chord errors.

    The plane between the nearest points has one body on each side.
    """
    rng, seen = np.random.default_rng(21), 0
    for _ in range(60):
        a, b, c = rng.uniform(0.2, 1.0, 3)
        curved = [fcl.Cylinder(a, b), fcl.Cone(a, c), fcl.Ellipsoid(a, b, c)]
        # The ball has 2,048 faces: too many to compare corner by corner where nothing is curved.
        others = [*curved, fcl.Box(a, b, c), fcl.Sphere(a), fcl.Capsule(b, c), ball_of_points(4, c)]
        for geometry, other in product(curved, others):
            one = fcl.CollisionObject(geometry)
            two = fcl.CollisionObject(other, turned(rng, 3))
            result = fcl.DistanceResult()
            distance = fcl.distance(one, two, fcl.DistanceRequest(enable_nearest_points=True), result)
            assert bool(fcl.collide(one, two)) == (distance == -1)
            if distance <= 0:
                continue
            first, second = result.nearest_points
            normal = (second - first) / distance
            assert np.isclose(np.linalg.norm(second - first), distance, rtol=1e-9)
            gap = -support(other, two, -normal) - support(geometry, one, normal)
            chords = geometry.chord_error + other.chord_error
            assert -1e-9 < gap - distance < chords + 1e-9, (type(geometry), type(other), gap, distance)
            seen += 1
    assert seen > 500


def test_depths_of_curved_bodies_are_least_and_part_them() -> None:
    """No direction of many parts two bodies by less, but for the chord, and a shift by the depth does."""
    rng, seen = np.random.default_rng(22), 0
    directions = rng.normal(size=(400, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    for _ in range(12):
        a, b, c = rng.uniform(0.3, 1.0, 3)
        made = [fcl.Cylinder(a, b), fcl.Cone(a, c), fcl.Ellipsoid(a, b, c), fcl.Box(a, b, c)]
        made += [fcl.Sphere(a), fcl.Capsule(b, c), ball_of_points(2, c)]
        for geometry, other in product(made, made):
            one = fcl.CollisionObject(geometry, turned(rng, 0.1))
            two = fcl.CollisionObject(other, turned(rng, 0.4))
            if not fcl.collide(one, two):
                continue
            found = contact(one, two)
            along = [found.normal, *directions]
            parting = [support(geometry, one, d) + support(other, two, -d) for d in along]
            assert parting[0] <= found.penetration_depth + 1e-9, "it parts them"
            chords = geometry.chord_error + other.chord_error
            assert found.penetration_depth <= min(parting) + chords + 1e-9, (type(geometry), type(other))
            # The point is in both meshes: no plane has it outside by more than the chord error.
            for geom, obj in ((geometry, one), (other, two)):
                outside = max(float(found.pos @ d) - support(geom, obj, d) for d in directions)
                assert outside < geom.chord_error + 1e-9, (type(geometry), type(other), outside)
            seen += 1
    assert seen > 400
