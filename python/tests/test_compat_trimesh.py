"""The collision manager with trimesh's interface, on bodies with known results."""

from __future__ import annotations

import inspect
from itertools import combinations

import numpy as np
import pytest

import impinge
import impinge.compat.trimesh as ours
from conftest import at
from test_docs import run_examples

trimesh = pytest.importorskip("trimesh", reason="the drop-in is for those who have trimesh")


def box(size: float = 1.0) -> trimesh.Trimesh:
    return trimesh.creation.box(extents=[size] * 3)


def test_the_interface_is_that_of_trimesh() -> None:
    for name in ("CollisionManager", "ContactData", "DistanceData"):
        theirs, mine = getattr(trimesh.collision, name), getattr(ours, name)
        for member, value in vars(theirs).items():
            if member.startswith("_"):
                continue
            assert hasattr(mine, member), f"{name}.{member}"
            if inspect.isfunction(value):
                wanted = inspect.signature(value).parameters.values()
                given = inspect.signature(getattr(mine, member)).parameters.values()
                assert [(p.name, p.default) for p in given] == [(p.name, p.default) for p in wanted]
    assert run_examples("CollisionManager", ours.CollisionManager) >= 5


def test_one_against_many() -> None:
    manager = ours.CollisionManager()
    body = manager.add_object("near", box())
    manager.add_object("far", box(), at(7))
    assert isinstance(body, impinge.Body)
    assert manager.in_collision_single(box(), at(0.75)) is True
    assert manager.in_collision_single(box(), at(3)) is False
    hit, names, data = manager.in_collision_single(box(), at(7.5), return_names=True, return_data=True)
    assert (hit, names) == (True, {"far"}) and len(data) == 1
    [contact] = data
    assert contact.names == {"far", "__external"} and np.isclose(contact.depth, 0.5)
    assert np.allclose(contact.normal, [1, 0, 0]), "from the first, in the manager, to the second"
    assert np.isclose(contact.point[0], 7.25) and (np.abs(contact.point[1:]) <= 0.5).all()
    assert 0 <= contact.index("far") < 12 and 0 <= contact.index("__external") < 12
    assert manager.in_collision_single(box(), at(3), return_names=True) == (False, set())
    assert manager.in_collision_single(box(), at(3), return_data=True) == (False, [])


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_equal_bodies_have_the_contact_of_fcl(angle: float) -> None:
    """trimesh's own test expects it: of six ways out the one along -x, and the middle of a side."""
    corners = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.5, -0.5)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in quads for face in ((a, c, b), (a, d, c))]
    cube = trimesh.Trimesh(corners, faces, process=False)
    assert cube.is_volume and cube.is_convex
    manager, place = ours.CollisionManager(), impinge.pose([5, 0, 0], axis=[1, 2, 3], angle=angle)
    manager.add_object("cube", cube, place)
    _, [contact] = manager.in_collision_single(cube, place, return_data=True)
    assert np.isclose(contact.depth, 1)
    distance, data = manager.min_distance_single(cube, place, return_data=True)
    between = data.point("__external") - data.point("cube")
    assert np.isclose(distance, -1) and np.allclose(between, -contact.normal)
    if angle == 0:
        assert np.allclose(contact.normal, [-1, 0, 0]) and np.allclose(contact.point, [5, -0.5, 0.5])


def test_convex_bodies_are_full_and_others_are_not() -> None:
    manager = ours.CollisionManager()
    manager.add_object("large", box(4))
    hit, data = manager.in_collision_single(box(), return_data=True)
    assert hit is True and len(data) == 1 and np.isclose(data[0].depth, 2.5)
    # A box with a box-shaped hole is not convex: an object in the hole touches nothing.
    shell = trimesh.util.concatenate([box(4), box(3)])
    assert not shell.is_convex
    hollow = ours.CollisionManager()
    hollow.add_object("shell", shell)
    assert hollow.in_collision_single(box()) is False and np.isclose(hollow.min_distance_single(box()), 1.0)
    hit, data = hollow.in_collision_single(box(), at(1.5), return_data=True)
    assert hit is True and len(data) == len(impinge.pairs(*bodies(shell, box(), at(1.5))))
    assert all(np.isclose(np.linalg.norm(c.normal), 1) and 0 <= c.depth < 5 for c in data)
    assert hollow.min_distance_single(box(), at(1.5)) == 0.0
    # But a surface inside of a convex body is in it.
    solid = ours.CollisionManager()
    solid.add_object("solid", box(9))
    hit, data = solid.in_collision_single(shell, return_data=True)
    assert hit is True and len(data) == 1 and np.isclose(data[0].depth, 3.0)


def bodies(a: trimesh.Trimesh, b: trimesh.Trimesh, pose: np.ndarray) -> list[impinge.Body]:
    models = [impinge.Model(impinge.Mesh(mesh.vertices, mesh.faces)) for mesh in (a, b)]
    return [impinge.Body(models[0]), impinge.Body(models[1], pose)]


def test_internal() -> None:
    manager = ours.CollisionManager()
    for i, name in enumerate("dcba"):
        manager.add_object(name, box(), at(0.75 * i))
    hit, names = manager.in_collision_internal(return_names=True)
    assert hit is True and names == {("a", "b"), ("b", "c"), ("c", "d")}
    hit, data = manager.in_collision_internal(return_data=True)
    assert len(data) == 3 and all(np.isclose(contact.depth, 0.25) for contact in data)
    manager.set_transform("b", at(20))
    assert manager.in_collision_internal(return_names=True)[1] == {("c", "d")}
    manager.remove_object("c")
    assert manager.in_collision_internal() is False
    manager.add_object("a", box(40))
    assert manager.in_collision_internal(return_names=True)[1] == {("a", "b"), ("a", "d")}
    for act in (manager.remove_object, lambda name: manager.set_transform(name, np.eye(4))):
        with pytest.raises(ValueError, match="c not in collision manager"):
            act("c")
    with pytest.raises(ValueError):
        manager.add_object("e", box(), np.eye(3))


def test_other() -> None:
    mine, theirs = ours.CollisionManager(), ours.CollisionManager()
    mine.add_object("z", box())
    theirs.add_object("a", box(), at(0.5))
    theirs.add_object("b", box(), at(4))
    hit, names, data = mine.in_collision_other(theirs, return_names=True, return_data=True)
    assert (hit, names) == (True, {("z", "a")}) and data[0].names == {"z", "a"}
    assert ours.CollisionManager().in_collision_other(theirs) is False
    theirs.remove_object("a")
    distance, names, data = mine.min_distance_other(theirs, return_names=True, return_data=True)
    assert distance == 3.0 and names == ("z", "b") and data.distance == distance
    assert data.point("z")[0] == 0.5 and data.point("b")[0] == 3.5 and 0 <= data.index("b") < 12


def test_distances() -> None:
    manager = ours.CollisionManager()
    assert manager.min_distance_internal(return_names=True) == (np.inf, None)
    for name, x in (("a", 0), ("b", 3), ("c", 3.5)):
        manager.add_object(name, box(), at(x))
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert np.isclose(distance, -0.5) and names == ("b", "c") and data.names == {"b", "c"}
    assert np.isclose(np.linalg.norm(data.point("b") - data.point("c")), 0.5)
    assert manager.min_distance_internal("a", return_names=True) == (2.0, ("a", "b"))
    with pytest.raises(ValueError, match="d not in collision manager"):
        manager.min_distance_internal("d")
    assert manager.min_distance_single(box(), at(-4), return_name=True) == (3.0, "a")


def test_depths_of_turned_boxes_are_least() -> None:
    """No shift shorter than the depth parts them, and the depth does: by random directions."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        turn = trimesh.transformations.random_rotation_matrix(rng.random(3))
        turn[:3, 3] = rng.uniform(-0.5, 0.5, 3)
        manager = ours.CollisionManager()
        manager.add_object("a", box())
        _, [contact] = manager.in_collision_single(box(), turn, return_data=True)
        away = turn + (at(*contact.normal) - np.eye(4)) * (contact.depth + 1e-9)
        assert manager.in_collision_single(box(), away) is False
        for direction in rng.normal(size=(50, 3)):
            shift = direction / np.linalg.norm(direction) * contact.depth * 0.999
            assert manager.in_collision_single(box(), turn + at(*shift) - np.eye(4)) is True


def test_spheres_as_their_radii_say() -> None:
    rng = np.random.default_rng(5)
    radii, centres = rng.uniform(0.2, 1, 60), rng.uniform(-4, 4, (60, 3))
    scene = trimesh.Scene()
    for i, (radius, centre) in enumerate(zip(radii, centres, strict=True)):
        ball = trimesh.creation.icosphere(subdivisions=3, radius=radius)
        scene.add_geometry(ball, node_name=f"{i:02}", transform=at(*centre))
    manager, objects = ours.scene_to_collision(scene)
    assert set(objects) == {f"{i:02}" for i in range(60)}
    _, names = manager.in_collision_internal(return_names=True)
    certain = 0
    for i, j in combinations(range(60), 2):
        apart = np.linalg.norm(centres[i] - centres[j]) - radii[i] - radii[j]
        # Facets are within 1 % of the sphere.
        if abs(apart) > 0.01 * (radii[i] + radii[j]):
            assert ((f"{i:02}", f"{j:02}") in names) == (apart < 0)
            certain += 1
    assert certain > 1700 and len(names) > 20


def test_models_of_meshes_that_no_object_has_are_dropped() -> None:
    manager, base = ours.CollisionManager(), trimesh.creation.icosphere(4)
    manager.add_object("held", base)
    for k in range(60):
        scaled = trimesh.Trimesh(base.vertices * (1 + k * 1e-3), base.faces, process=False)
        assert manager.in_collision_single(scaled) is True
        manager.add_object("gone", scaled)
        manager.remove_object("gone")
    most = ours.IDLE_FACES // len(base.faces) + 1
    assert 1 < len(manager._models) <= most < 30
    # One that is used again and again is not built each time, and one in use is never dropped.
    key, solid = manager._models.find(base)
    assert manager._models.find(base.copy())[1] is solid and manager._models._used[key][0] is solid
    manager.add_object("again", base.copy(), at(9))
    manager.remove_object("held")
    assert manager._models.find(base)[1] is solid and manager.in_collision_internal() is False


def test_contact_points_lie_in_both_bars() -> None:
    manager = ours.CollisionManager()
    manager.add_object("a", trimesh.creation.box((4, 0.5, 0.5)))
    _, [contact] = manager.in_collision_single(
        trimesh.creation.box((0.5, 4, 0.5)), at(0, 0, 0.4), return_data=True
    )
    assert np.isclose(contact.depth, 0.1) and np.allclose(np.abs(contact.normal), [0, 0, 1])
    assert (np.abs(contact.point) <= [2, 0.25, 0.25]).all()
    assert (np.abs(contact.point - [0, 0, 0.4]) <= [0.25, 2, 0.25]).all()


def test_names_alone_need_no_contacts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("computed too early")

    class Refusing:
        """An overlap whose numbers nobody may read yet."""

        numbers = triangles = refuse

        def __init__(self, count: int) -> None:
            self.count = count

        def __len__(self) -> int:
            return self.count

    overlap, pairs_of = ours._solids._overlap, ours._solids._pairs_of
    monkeypatch.setattr(ours._solids, "_overlap", lambda a, b: overlap(a, b) and Refusing(1))
    monkeypatch.setattr(ours._solids, "_pairs_of", lambda a, b, most: Refusing(len(pairs_of(a, b, most))))
    torus = trimesh.creation.torus(1, 0.4, major_sections=12, minor_sections=8)
    manager = ours.CollisionManager()
    for i in range(4):
        manager.add_object(f"t{i}", torus, at(0.5 * i))
        manager.add_object(f"b{i}", box(), at(0.5 * i))
    hit, names, data = manager.in_collision_internal(return_names=True, return_data=True)
    assert hit is True and ("b0", "b1") in names and ("t0", "t1") in names and len(data) > len(names)
    for contact in data[:3]:
        with pytest.raises(AssertionError, match="too early"):
            _ = contact.depth


def test_a_mesh_that_changes_is_a_new_one() -> None:
    manager, mesh = ours.CollisionManager(), box()
    manager.add_object("a", mesh)
    mesh.apply_scale(3)
    manager.add_object("b", mesh, at(10))
    assert np.isclose(manager.min_distance_internal(), 8)
