"""The module with python-fcl's interface, on bodies with known results."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import impinge
from impinge.compat import _solids, fcl
from impinge.compat.fcl import _primitives, _query


def placed(geometry: fcl.CollisionGeometry, *at: float) -> fcl.CollisionObject:
    return fcl.CollisionObject(geometry, fcl.Transform(np.array(at or (0.0, 0.0, 0.0))))


def surface(geometry: fcl.CollisionGeometry) -> fcl.BVHModel:
    """The triangles of the geometry, not full."""
    is_ball = isinstance(geometry, fcl.Sphere)
    solid = _primitives.curved("ellipsoid", (1, 1, 1), 0.01, "inscribed") if is_ball else geometry._known()
    mesh, model = solid.body.model.mesh, fcl.BVHModel()
    model.beginModel(len(mesh.vertices), len(mesh.faces))
    model.addSubModel(mesh.vertices, mesh.faces)
    model.endModel()
    return model


def test_transforms() -> None:
    half = np.sqrt(0.5)
    by_quaternion = fcl.Transform(np.array([half, 0, 0, half]), np.array([1.0, 2, 3]))
    assert np.allclose(by_quaternion.getRotation(), [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert by_quaternion.getTranslation().tolist() == [1, 2, 3]
    rng = np.random.default_rng(2)
    for quaternion in rng.normal(size=(50, 4)):
        quaternion /= np.linalg.norm(quaternion) * np.sign(quaternion[0])
        again = fcl.Transform(fcl.Transform(quaternion).getRotation()).getQuatRotation()
        assert np.allclose(again, quaternion)
    with pytest.raises(ValueError, match="shape"):
        fcl.Transform(np.eye(4))


@pytest.mark.parametrize(
    ("geometry", "volume", "extent"),
    [
        (fcl.Box(1, 2, 3), 6, [0.5, 1, 1.5]),
        (fcl.Ellipsoid(1, 2, 3), 4 / 3 * np.pi * 6, [1, 2, 3]),
        (fcl.Cylinder(2, 3), np.pi * 12, [2, 2, 1.5]),
        (fcl.Cone(2, 3), np.pi * 4, [2, 2, 1.5]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_primitives(geometry: fcl.CollisionGeometry, volume: float, extent: list[float]) -> None:
    """Both meshes are closed: one around the true solid and one inside of it, by no more than the chord."""
    chord = geometry.chord_error
    largest = max(extent) if isinstance(geometry, fcl.Ellipsoid) else extent[0]
    assert chord == (0 if isinstance(geometry, fcl.Box) else 1e-3 * largest)
    for solid, sign in ((geometry._known(), 1), (geometry._inside(), -1)):
        model = solid.body.model
        assert model.status is impinge.results.Closedness.CLOSED and not impinge.self_intersects(model)
        lo, hi = model.winding_volume or (0.0, 0.0)
        off = sign * (np.array([lo, hi]) / volume - 1)
        assert (off > -1e-12).all() and (off < 0.01).all()
        reach = sign * (np.abs(model.mesh.vertices).max(axis=0) - extent)
        assert (reach >= 0).all() and (reach <= chord + 1e-12).all()


@pytest.mark.parametrize("radii", [(2, 2, 2), (0.5, 1, 2)])
def test_the_chord_error_is_a_bound_and_can_be_set(radii: tuple[float, float, float]) -> None:
    ball = fcl.Ellipsoid(*radii)
    points = np.random.default_rng(1).normal(size=(5_000, 3))
    points *= 1 / np.linalg.norm(points, axis=1, keepdims=True)
    for chord in (0.002, 0.02):
        ball.chord_error = chord
        assert ball.chord_error == chord
        for solid in (ball._known(), ball._inside()):
            far = impinge.closest_points(solid.body, points * ball.radii).hi.max()
            assert 0.3 * chord < far <= chord
    for wrong in (0, -1, np.inf, np.nan):
        with pytest.raises(ValueError, match="Ellipsoid.chord_error must be finite and positive"):
            ball.chord_error = wrong


def test_collisions_within_the_chord_error_are_uncertain() -> None:
    can, ball = placed(fcl.Cylinder(1, 2)), fcl.Sphere(1)
    angle = np.pi / 7
    for gap, certain in ((-0.01, True), (0.0, None), (0.01, False)):
        away = placed(ball, (2 + gap) * np.cos(angle), (2 + gap) * np.sin(angle), 0)
        assert fcl.certainly_collide(can, away) is certain is fcl.certainly_collide(away, can)
        assert fcl.collide(can, away) == (certain is not False)
        wall = placed(fcl.Halfspace([-np.cos(angle), -np.sin(angle), 0], -1 - gap))
        assert fcl.certainly_collide(can, wall) is certain
    # Exact shapes are certain.
    assert fcl.certainly_collide(placed(ball), placed(ball, 2, 0, 0)) is True
    assert fcl.certainly_collide(placed(ball), placed(ball, np.nextafter(2, 3), 0, 0)) is False


@pytest.mark.parametrize("geometry", [fcl.Sphere(2), fcl.Capsule(1, 3)], ids=["Sphere", "Capsule"])
def test_round_primitives_are_exact(geometry: fcl.CollisionGeometry) -> None:
    assert geometry.chord_error == 0
    reach = (2, 2, 2) if isinstance(geometry, fcl.Sphere) else (1, 1, 2.5)
    assert np.allclose(geometry._known().bounds, [[-x for x in reach], reach])
    tip = fcl.Sphere(0.25)
    for axis, extent in enumerate(reach):
        at = np.zeros(3)
        for gap, meets in ((-1e-9, True), (0.0, True), (1e-9, False)):
            at[axis] = extent + 0.25 + gap
            assert fcl.collide(placed(geometry), placed(tip, *at)) == meets, (axis, gap)


def test_collide() -> None:
    box = fcl.Box(1, 1, 1)
    request, result = fcl.CollisionRequest(num_max_contacts=10, enable_contact=True), fcl.CollisionResult()
    assert fcl.collide(placed(box), placed(box, 0.75, 0, 0), request, result) == 1 and result.is_collision
    [contact] = result.contacts
    assert np.isclose(contact.penetration_depth, 0.25) and np.allclose(contact.normal, [1, 0, 0])
    assert contact.o1 is box and contact.o2 is box and np.isclose(contact.pos[0], 0.375)
    assert fcl.collide(placed(box), placed(box, 3, 0, 0)) == 0
    # Full, and not.
    large, small = fcl.Box(4, 4, 4), fcl.Box(1, 1, 1)
    assert fcl.collide(placed(large), placed(surface(small))) == 1
    assert fcl.collide(placed(surface(large)), placed(small)) == 0
    several = fcl.CollisionResult()
    assert fcl.collide(placed(surface(small)), placed(surface(small)), request, several) == 10
    turned = placed(box)
    turned.setTranslation([1.2, 0, 0])
    assert fcl.collide(placed(box), turned) == 0
    turned.setQuatRotation([np.cos(np.pi / 8), 0, 0, np.sin(np.pi / 8)])
    assert fcl.collide(placed(box), turned) == 1


def test_distance() -> None:
    ball, signed = fcl.Sphere(1), fcl.DistanceRequest(enable_nearest_points=True, enable_signed_distance=True)
    result = fcl.DistanceResult()
    assert fcl.distance(placed(ball), placed(ball, 5, 0, 0), signed, result) == 3 == result.min_distance
    assert np.allclose(result.nearest_points, [[1, 0, 0], [4, 0, 0]]) and result.o1 is ball
    assert fcl.distance(placed(ball), placed(ball, 1.5, 0, 0)) == -1
    assert fcl.distance(placed(ball), placed(ball, 1.5, 0, 0), signed) == -0.5
    meeting = placed(surface(ball)), placed(ball, 1.5, 0, 0)
    assert fcl.distance(*meeting, signed) == -1


def test_managers() -> None:
    box, manager = fcl.Box(1, 1, 1), fcl.DynamicAABBTreeCollisionManager()
    objects = [placed(box, 0.75 * i, 0, 0) for i in range(5)]
    manager.registerObjects(objects)
    manager.setup()
    assert manager.size() == 5 and manager.getObjects() == objects and not manager.empty()
    met: list[tuple[int, int]] = []

    def note(a: fcl.CollisionObject, b: fcl.CollisionObject, data: fcl.CollisionData) -> bool:
        if fcl.collide(a, b):
            met.append((objects.index(a), objects.index(b)))
        return False

    manager.collide(fcl.CollisionData(), note)
    assert sorted(met) == [(0, 1), (1, 2), (2, 3), (3, 4)]
    data = fcl.CollisionData()
    manager.collide(data, fcl.defaultCollisionCallback)
    assert data.result.is_collision and data.done and len(data.result.contacts) == 1
    probe, other = placed(box, 0, 3, 0), fcl.DynamicAABBTreeCollisionManager()
    other.registerObject(probe)
    for target in (probe, other):
        distance = fcl.DistanceData()
        manager.distance(target, distance, fcl.defaultDistanceCallback)
        assert distance.result.min_distance == 2
    manager.unregisterObject(objects[2])
    distance = fcl.DistanceData(fcl.DistanceRequest(enable_signed_distance=True))
    manager.distance(distance, fcl.defaultDistanceCallback)
    assert np.isclose(distance.result.min_distance, -0.25)
    manager.clear()
    assert manager.empty()


def test_what_is_not_offered_says_so() -> None:
    for thing in (fcl.OcTree, fcl.TriangleP):
        with pytest.raises(NotImplementedError, match=thing.__name__):
            thing()
    with pytest.raises(ValueError, match="endModel"):
        fcl.collide(placed(fcl.BVHModel()), placed(fcl.Box(1, 1, 1)))
    with pytest.raises(ValueError, match="2 faces take 8 numbers, but there are 9"):
        fcl.Convex(np.eye(3), 2, [3, 0, 1, 2, 3, 0, 2, 1, 7])


def test_the_first_contact_of_objects_in_motion() -> None:
    """The case of python-fcl's own tests (issue 38), where FCL finds nothing, and a thin plate."""
    box, cone = placed(fcl.Box(1, 2, 3)), placed(fcl.Cone(1, 4), 0, 0, -2)
    result = fcl.ContinuousCollisionResult()
    end = fcl.Transform()
    # The cone's tip is at the origin, inside of the box.
    request = fcl.ContinuousCollisionRequest()
    assert fcl.continuousCollide(box, end, cone, end, request, result) == 0 and result.is_collide
    plate = placed(fcl.Box(10, 10, 0.001))
    ball, through = placed(fcl.Sphere(0.5), 0, 0, -300), fcl.Transform(np.array([0.0, 0, 700]))
    time = fcl.continuousCollide(plate, end, ball, through, request, result)
    assert result.is_collide and result.time_of_contact == time
    assert 0 <= time - (300 - 0.5005) / 1000 < 2e-9
    beside = fcl.Transform(np.array([0.0, 0, -1]))
    assert fcl.continuousCollide(plate, end, ball, beside, None, result) == 1 and not result.is_collide
    assert fcl.continuousCollide(plate, end, ball, beside) == 1
    with pytest.raises(NotImplementedError, match="half-spaces"):
        fcl.continuousCollide(placed(fcl.Halfspace(np.array([0.0, 0, 1]), 0)), end, ball, end)


def test_a_geometry_whose_numbers_are_set_is_made_anew() -> None:
    box, ball = fcl.Box(1, 1, 1), fcl.Sphere(0.1)
    one, two = placed(box), placed(ball, 1.5, 0, 0)
    assert fcl.collide(one, two) == 0
    box.side = np.array([4.0, 4, 4])
    assert fcl.collide(one, two) == 1
    with pytest.raises(ValueError, match="read-only"):
        box.side[0] = 1.0
    ball.radius, box.side = 2.0, [1.0, 1, 1]
    assert fcl.collide(one, two) == 1 and ball.radius == 2.0


def test_names_and_arguments_of_python_fcl() -> None:
    request = fcl.CollisionRequest(10, True, 1, False, True, fcl.GJKSolverType.GST_INDEP)
    assert (request.num_max_contacts, request.enable_contact, request.num_max_cost_sources) == (10, True, 1)
    assert not request.enable_cost and request.gjk_solver_type == 1
    assert fcl.DistanceRequest(True, True, fcl.GJKSolverType.GST_LIBCCD).enable_signed_distance
    with pytest.raises(NotImplementedError, match="costs"):
        fcl.CollisionRequest(1, False, 1, True)
    assert fcl.CollisionResult().is_collision is False
    contact = fcl.Contact()
    assert contact.b1 == 0 and contact.penetration_depth == 0 and contact.pos.tolist() == [0, 0, 0]
    assert fcl.CostSource().total_cost == 0
    box, empty = fcl.Box(1, 1, 1), fcl.BVHModel()
    assert (box.getNodeType(), fcl.NODE_TYPE.GEOM_BOX) == (9, 9)
    assert placed(box).getObjectType() == fcl.OBJECT_TYPE.OT_GEOM
    empty.beginModel(3, 1)
    empty.addVertex(0, 0, 0)
    empty.endModel()
    assert empty.num_tries_ == 0 and fcl.collide(placed(empty), placed(box)) == 0
    none = fcl.CollisionRequest(num_max_contacts=0)
    assert fcl.collide(placed(box), placed(box), none) == 0


def test_contacts_are_computed_when_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query only finds which objects meet; a contact computes its numbers when they are read."""
    box, ball = fcl.Box(1, 1, 1), surface(fcl.Sphere(1))
    request, result = fcl.CollisionRequest(100, True), fcl.CollisionResult()

    def refuse(*arguments: object) -> None:
        raise AssertionError("computed too early")

    class Refusing:
        """An overlap whose numbers nobody may read yet."""

        numbers = triangles = refuse

        def __init__(self, count: int) -> None:
            self.count = count

        def __len__(self) -> int:
            return self.count

    overlap, pairs_of = _query._overlap, _solids._pairs_of
    monkeypatch.setattr(_query, "_overlap", lambda a, b: overlap(a, b) and Refusing(1))
    monkeypatch.setattr(_solids, "_pairs_of", lambda a, b, most: Refusing(len(pairs_of(a, b, most))))
    assert fcl.collide(placed(box), placed(box, 0.5, 0, 0), request, result) == 1
    assert fcl.collide(placed(ball), placed(ball, 0.5, 0, 0), request, result) == 100
    deep, pair = result.contacts[0], result.contacts[1]
    for contact in (deep, pair):
        with pytest.raises(AssertionError, match="too early"):
            _ = contact.penetration_depth
    monkeypatch.undo()
    fcl.collide(placed(box), placed(box, 0.5, 0, 0), request, result)
    fcl.collide(placed(ball), placed(ball, 0.5, 0, 0), request, result)
    deep, pair = result.contacts[-101:-99]
    assert np.isclose(deep.penetration_depth, 0.5) and 0 <= deep.b1 < 12
    again = pickle.loads(pickle.dumps(pair))
    assert again.pos.tolist() == pair.pos.tolist() and again.b2 == pair.b2


def test_half_spaces_and_planes() -> None:
    floor, ball = placed(fcl.Halfspace([0, 0, 2], 1)), placed(fcl.Sphere(1.0), 5, 0, 1)
    request = fcl.CollisionRequest(10, True)
    for objects, sign in (((ball, floor), -1), ((floor, ball), 1)):
        result = fcl.CollisionResult()
        assert fcl.collide(*objects) == 1 and fcl.collide(*objects, request, result) == 1
        (contact,) = result.contacts
        assert contact.o1 is objects[0].geom and np.allclose(contact.normal, [0, 0, sign])
        # The floor is at 0.5, and the ball's lowest point at 0.
        assert np.isclose(contact.penetration_depth, 0.5) and np.allclose(contact.pos, [5, 0, 0.25])
    ball.setTranslation([5, 0, 3.5])
    distances = fcl.DistanceResult()
    assert fcl.collide(ball, floor) == 0
    assert np.isclose(fcl.distance(floor, ball, fcl.DistanceRequest(True), distances), 2)
    assert np.allclose(distances.nearest_points, [[5, 0, 0.5], [5, 0, 2.5]])
    # The transform turns the half-space: x >= 7 in the world.
    floor.setRotation([[0, 0, -1], [0, 1, 0], [1, 0, 0]])
    floor.setTranslation([7.5, 0, 0])
    assert np.isclose(fcl.distance(ball, floor), 1)
    ball.setTranslation([9, 0, 0])
    assert fcl.distance(ball, floor) == -1
    assert np.isclose(fcl.distance(ball, floor, fcl.DistanceRequest(True, True)), -3)


def test_planes_have_two_sides() -> None:
    wall, box = placed(fcl.Plane([1, 0, 0], 0)), fcl.Box(2, 2, 2)
    for x, meets in ((-1.5, 0), (-1.0, 1), (0.25, 1), (1.0, 1), (1.5, 0)):
        assert fcl.collide(placed(box, x, 0, 0), wall) == meets
        assert fcl.collide(wall, placed(surface(box), x, 0, 0)) == meets
    assert np.isclose(fcl.distance(wall, placed(box, -1.5, 0, 0)), 0.5)
    # A surface in two parts, one on either side.
    parts = fcl.BVHModel()
    parts.beginModel(6, 2)
    corners = [[-1, 0, 0], [-1, 1, 0], [-1, 0, 1], [1, 0, 0], [1, 1, 0], [1, 0, 1]]
    parts.addSubModel(corners, [[0, 1, 2], [3, 4, 5]])
    parts.endModel()
    assert fcl.collide(placed(parts), wall) == 0
    with pytest.raises(NotImplementedError, match="with each other"):
        fcl.collide(wall, placed(fcl.Halfspace([0, 0, 1], 0)))
    for wrong in (fcl.Plane, fcl.Halfspace):
        with pytest.raises(impinge.Error, match="normal is 0"):
            wrong([0, 0, 0], 1)


def test_managers_take_half_spaces() -> None:
    manager = fcl.DynamicAABBTreeCollisionManager()
    floor = placed(fcl.Halfspace([0, 0, 1], 0))
    balls = [placed(fcl.Sphere(1.0), 0, 0, z) for z in (0.5, 1.5, 9.0)]
    manager.registerObjects([*balls, floor])
    data = fcl.CollisionData(fcl.CollisionRequest(10, True))
    manager.collide(data, fcl.defaultCollisionCallback)
    assert len(data.result.contacts) == 2
    data = fcl.DistanceData()
    manager.distance(floor, data, fcl.defaultDistanceCallback)
    assert data.result.min_distance == -1
    alone = fcl.DynamicAABBTreeCollisionManager()
    alone.registerObject(balls[2])
    data = fcl.DistanceData()
    alone.distance(floor, data, fcl.defaultDistanceCallback)
    assert np.isclose(data.result.min_distance, 8)
