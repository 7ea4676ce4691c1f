"""Queries of many poses, points, rays and pairs against single calls, and against numpy."""

from __future__ import annotations

import os
import pickle
import platform
import re
import subprocess
import sys
import timeit
from pathlib import Path

import numpy as np
import pytest
from conftest import at, sphere
from numpy.typing import NDArray

import impinge
from impinge import _core

RNG = np.random.default_rng(40)


def random_poses(count: int, spread: float) -> NDArray[np.float64]:
    """Random rotations and translations."""
    return impinge.pose(
        RNG.uniform(-spread, spread, (count, 3)), quaternion=RNG.normal(size=(count, 4)), order="wxyz"
    )


@pytest.fixture(scope="module")
def box() -> impinge.Model:
    return impinge.Model(impinge.Mesh.box([2, 1, 3]))


@pytest.mark.parametrize("rows", [3, 4])
def test_many_poses_are_read_by_several_threads(box: impinge.Model, rows: int) -> None:
    # More than one thread reads at a time (1 << 16), and more than one reads alone (1 << 14).
    poses = np.ascontiguousarray(random_poses(150_000, 3.0)[:, :rows])
    a = impinge.Body(box)
    meet = impinge.intersects_at(a, box, poses, threads=1)
    assert 0 < meet.sum() < len(meet)
    assert np.array_equal(impinge.intersects_at(a, box, poses, threads=3), meet)
    assert np.array_equal(impinge.intersects_at(a, box, poses[::-1], threads=2), meet[::-1])
    # If several poses are refused, the error names the first, wherever it is.
    for first in (0, 16_384, 65_535, 65_536, 149_998):
        wrong = poses.copy()
        wrong[[first, 149_999], 0, 1] = 7.0
        for threads in (1, 2, 5):
            with pytest.raises(impinge.Error, match=f"pose {first} is not a rigid motion"):
                impinge.intersects_at(a, box, wrong, threads=threads)
    # The same for many bodies.
    wrong = np.resize(poses, (20_000, 5, rows, 4))
    wrong[16_384, 3, 1, 3] = np.nan
    with pytest.raises(impinge.Error, match=r"poses\[16384, 3\]"):
        _core._meet_in([box] * 5, wrong, np.array([[0, 1]]), False, 2)


@pytest.mark.parametrize("threads", [1, 2])
def test_solids_at_many_poses_are_those_of_single_calls(
    ball: impinge.Model, box: impinge.Model, threads: int
) -> None:
    a, big = impinge.Body(box, at(0.25)), impinge.Body(impinge.Model(sphere(2, 4.0)))
    for body in (a, big):
        poses = random_poses(200, 3.0)
        bodies = [impinge.Body(ball, pose) for pose in poses]
        relations = impinge.relation_at(body, ball, poses, threads=threads)
        assert list(relations) == [impinge.relation(body, b) for b in bodies]
        assert len(set(relations.kind)) >= 2
        found = impinge.penetration_at(body, ball, poses, threads=threads)
        single = [impinge.penetration(body, b) for b in bodies]
        assert list(found) == single
        meet = relations.overlaps
        # The direction leads out: moved so far, the insides do not meet any more.
        for i in np.flatnonzero(meet)[:20]:
            shift = at(*(found.direction[i] * found.length[i] * (1 + 1e-9)))
            assert impinge.overlaps(body, bodies[i])
            assert not impinge.overlaps(body, impinge.Body(ball, shift @ poses[i]))
        assert np.isnan(found.direction[~meet]).all()
        contained = impinge.contains_at(body, ball, poses, threads=threads)
        # Independent of relations: all vertices are inside, and the surfaces do not cross.
        vertices = [impinge.locate(body, ball.mesh.vertices @ p[:3, :3].T + p[:3, 3]) for p in poses]
        inside = [bool((places == impinge.results.Location.INSIDE).all()) for places in vertices]
        assert (contained == inside).all()
    assert contained.any() and not contained.all()


def test_no_poses_and_open_meshes(ball: impinge.Model) -> None:
    none = np.zeros((0, 4, 4))
    sheet = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    relations = impinge.relation_at(impinge.Body(sheet), ball, none)
    assert len(relations) == 0 and relations.status == (impinge.results.Closedness.OPEN, impinge.results.Closedness.CLOSED)
    assert len(impinge.penetration_at(impinge.Body(ball), ball, none)) == 0
    assert impinge.contains_at(impinge.Body(impinge.Model(sphere(2, 4.0))), sheet, [np.eye(4)]).tolist() == [
        True
    ]
    for poses in ([np.eye(4)], none):
        with pytest.raises(impinge.Error, match="bounds no solid"):
            impinge.contains_at(impinge.Body(sheet), ball, poses)
    found = impinge.penetration_at(impinge.Body(sheet), ball, [np.eye(4)])
    assert np.isnan(found.overlap_volume).all() and found[0].overlap_volume is None
    with pytest.raises(impinge.Error, match="pose 1"):
        impinge.relation_at(impinge.Body(ball), ball, [np.eye(4), np.diag([2.0, 1, 1, 1])])
    with pytest.raises(ValueError, match="fill_rule must be"):
        impinge.relation_at(impinge.Body(ball), ball, none, fill_rule="odd")


def test_pairs_of_bodies(ball: impinge.Model, box: impinge.Model) -> None:
    poses = random_poses(100, 2.0)
    pairs = [
        (impinge.Body(ball, p), impinge.Body(box, q)) for p, q in zip(poses[:50], poses[50:], strict=True)
    ]
    assert impinge.intersects_each(pairs).tolist() == [impinge.intersects(a, b) for a, b in pairs]
    assert impinge.intersects_each([]).shape == (0,)
    with pytest.raises(TypeError, match="row 1 must be a pair of two bodies"):
        impinge.intersects_each([pairs[0], ball])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="a Body is needed, not a Model"):
        impinge.intersects_each([(pairs[0][0], ball)])  # type: ignore[list-item]


def test_all_hits_of_many_rays(ball: impinge.Model) -> None:
    body = impinge.Body(ball, random_poses(1, 0.5)[0])
    origins, directions = RNG.uniform(-2, 2, (300, 3)), RNG.normal(size=(300, 3))
    lists = impinge.ray_all_each(body, origins, directions)
    single = [impinge.ray_all(body, o, d) for o, d in zip(origins, directions, strict=True)]
    assert [list(hits) for hits in lists] == single
    assert lists.counts.tolist() == [len(hits) for hits in single]
    assert lists.hits.point.shape == (lists.starts[-1], 3)
    first = impinge.ray_first_each(body, origins, directions)
    assert np.array_equal(impinge.ray_meets_each(body, origins, directions), first.triangles >= 0)
    # Independent of the library: the points are on the rays and, but for rounding, in the triangles' planes.
    hit = first.triangles >= 0
    assert np.allclose(first.point[hit], origins[hit] + first.t[hit, None] * directions[hit], atol=1e-12)
    corners = ball.mesh.vertices[ball.mesh.faces] @ body.pose[:3, :3].T + body.pose[:3, 3]
    a, b, c = np.moveaxis(corners[first.triangles[hit]], 1, 0)
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    assert np.allclose(first.normal[hit], normals, atol=1e-12)
    assert np.abs(((first.point[hit] - a) * normals).sum(axis=1)).max() < 1e-12
    one = impinge.ray_first(body, origins[hit][0], directions[hit][0])
    assert one is not None and one == first[np.flatnonzero(hit)[0]]
    assert (one.enter[0] <= one.t <= one.enter[1]) and one == lists[np.flatnonzero(hit)[0]][0]
    none = np.zeros((0, 3))
    assert len(impinge.ray_all_each(body, none, none)) == 0


def test_signed_distances(box: impinge.Model) -> None:
    body = impinge.Body(box, random_poses(1, 1.0)[0])
    points = RNG.uniform(-4, 4, (500, 3))
    found = impinge.signed_distance(body, points)
    # The formula for a box.
    local = np.abs((points - body.pose[:3, 3]) @ body.pose[:3, :3]) - np.array([1.0, 0.5, 1.5])
    wanted = np.linalg.norm(np.maximum(local, 0), axis=1) + np.minimum(local.max(axis=1), 0)
    assert np.allclose(found.distance, wanted, atol=1e-12) and (found.lo <= found.hi).all()
    assert (found.distance < 0).any() and (found.distance > 0).any()
    sheet = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    with pytest.raises(impinge.Error, match="bounds no solid"):
        impinge.signed_distance(impinge.Body(sheet), points)


def test_a_mesh_without_interior_holds_nothing(ball: impinge.Model) -> None:
    flat = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    closed = impinge.Mesh([*flat, [1, 1, 0]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    for mesh, status in (
        (closed, impinge.results.Closedness.NO_INTERIOR),
        (impinge.Mesh(flat, [[0, 1, 2]]), impinge.results.Closedness.OPEN),
    ):
        body = impinge.Body(impinge.Model(mesh))
        assert body.model.status is status
        # Off it and on it, the same.
        for points in ([[9, 9, 9]], [[1, 1, 1]], [[1, 1, 0]], np.zeros((0, 3))):
            for ask in (impinge.contains, impinge.signed_distance):
                with pytest.raises(impinge.Error, match="bounds no solid"):
                    ask(body, points)
        with pytest.raises(impinge.Error, match="bounds no solid"):
            impinge.contains_at(body, ball, [np.eye(4)])
        places = impinge.locate(body, [[9, 9, 9], [1, 1, 1], [1, 1, 0]]).tolist()
        on, undefined = impinge.results.Location.ON_SURFACE, impinge.results.Location.UNDEFINED
        assert places == [undefined, undefined, on]


def test_batches_are_sequences(ball: impinge.Model) -> None:
    a, poses = impinge.Body(ball), random_poses(40, 3.0)
    points, ways = RNG.uniform(-3, 3, (40, 3)), RNG.normal(size=(40, 3))
    batches = [
        impinge.distance_at(a, ball, poses, above=2.0),
        impinge.relation_at(a, ball, poses),
        impinge.penetration_at(a, ball, poses),
        impinge.closest_points(a, points),
        impinge.signed_distance(a, points),
        impinge.ray_first_each(a, points, ways),
        impinge.ray_all_each(a, points, ways),
        impinge.pairs_at(a, ball, poses),
    ]
    mask = RNG.random(40) < 0.5
    for batch in batches:
        entries = list(batch)
        assert len(entries) == len(batch) == 40
        same = impinge._results._same
        for chosen in (slice(3, 30, 4), slice(None, None, -1), mask, [5, 1, -1], np.array([2, 2])):
            part = batch[chosen]
            numbers = np.arange(40)[chosen]
            assert type(part) is type(batch) and len(part) == len(numbers)
            assert all(same(one, entries[k]) for one, k in zip(part, numbers, strict=True))
        assert pickle.loads(pickle.dumps(batch)) == batch
        for wrong in (40, -41):
            with pytest.raises(IndexError, match="of 40"):
                batch[wrong]
    gaps = batches[0]
    assert isinstance(gaps, impinge.results.Gaps)
    for gap, distance, normal in zip(gaps, gaps.distance, gaps.normal, strict=True):
        if gap is None:
            assert np.isnan(distance)
        elif gap.normal is None:
            assert gap.distance == distance == 0 and np.isnan(normal).all()
        else:
            assert gap.lo <= gap.distance == distance <= gap.hi and (gap.normal == normal).all()


BITS = """
import hashlib, sys
import numpy as np, impinge
from impinge.adapters import _bodies
from impinge.compat import fcl
from impinge._core import _product
rng = np.random.default_rng(1)
axes, angles, four = rng.normal(size=(99, 3)), rng.normal(size=99), rng.normal(size=(99, 4))
poses = impinge.pose(3 * axes, axis=axes, angle=angles)
turned = impinge.pose(axes, quaternion=four, order="wxyz")
vectors = impinge.pose(rotation_vector=axes)
one = impinge.pose(rotation_vector=axes[0])
box, a = impinge.Model(impinge.Mesh.box([2, 1, 3])), impinge.Body(impinge.Model(impinge.Mesh.box([2, 2, 2])))
gaps, deep = impinge.distance_at(a, box, poses), impinge.penetration_at(a, box, turned)
single = np.array([np.nan if gap is None or gap.normal is None else gap.normal[0] for gap in gaps])
numbers = [poses, turned, vectors, one, gaps.normal, single, deep.direction, deep.length]
shapes = fcl.Box(1, 2, 3), fcl.Cylinder(2, 3), fcl.Cone(2, 0), fcl.Ellipsoid(1, 2, 3)
numbers += [shape._known().body.model.mesh.vertices for shape in shapes]
numbers += [_product(poses[0], turned[0]), _bodies.capsule(1, 2)[1]]
print(hashlib.sha256(b"".join(np.asarray(x).tobytes() for x in numbers)).hexdigest())
"""


def test_numbers_do_not_depend_on_the_processor() -> None:
    """numpy and its BLAS without the vector instructions of this processor: no bit of a result differs."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    features = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    if platform.machine() == "x86_64":
        assert features, "this processor has nothing that numpy could leave out"
    old = {**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(features), "OPENBLAS_CORETYPE": "Prescott"}
    seen = {
        subprocess.run(
            [sys.executable, "-c", BITS], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for environment in (dict(os.environ), old)
    }
    assert len(seen) == 1


def test_no_number_comes_from_arithmetic_that_depends_on_the_processor() -> None:
    """Norms, products of matrices and functions of numpy: `impinge._core` has them for results."""
    depends = re.compile(
        r"np\.(linalg|einsum|dot|matmul|inner|vdot|tensordot|sin|cos|tan|arc\w+|exp|log\w*|hypot)\b"
        r"|\.dot\(| @ \w"
    )
    # Open CASCADE computes the triangles; a deflection is a share of a size, in steps of 1, 2 and 5.
    # Pinocchio has cosines and sines of angles, which are positions of a robot: an input, not a result.
    known = {f"_convert/{name}.py" for name in ("step", "step_facets", "step_surface", "step_refine")}
    known.add("adapters/pinocchio.py")
    folder = Path(impinge.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        for line in path.read_text().splitlines():
            is_example = line.lstrip().startswith((">>>", "..."))
            if depends.search(line) and not is_example:
                assert path.relative_to(folder).as_posix() in known, f"{path}: {line}"


def test_poses_from_all_forms() -> None:
    from scipy.spatial.transform import Rotation

    count = 50
    rotations = Rotation.from_quat(RNG.normal(size=(count, 4)))
    shifts = RNG.normal(size=(count, 3))
    wanted = np.tile(np.eye(4), (count, 1, 1))
    wanted[:, :3, :3], wanted[:, :3, 3] = rotations.as_matrix(), shifts
    xyzw, vectors = rotations.as_quat() * 3.5, rotations.as_rotvec()
    angles = np.linalg.norm(vectors, axis=1)
    for form in (
        {"rotation": rotations.as_matrix()},
        {"quaternion": xyzw, "order": "xyzw"},
        {"quaternion": np.roll(xyzw, 1, axis=1), "order": "wxyz"},
        {"rotation_vector": vectors},
        {"axis": vectors * 1e200, "angle": angles},
    ):
        assert np.allclose(impinge.pose(shifts, **form), wanted, atol=1e-14)
        one = {name: value if isinstance(value, str) else value[7] for name, value in form.items()}
        assert np.allclose(impinge.pose(shifts[7], **one), wanted[7], atol=1e-14)
        assert np.allclose(impinge.pose(shifts, **one)[:, :3, :3], wanted[7, :3, :3], atol=1e-14)
    assert (impinge.pose(rotation_vector=[0, 0, 0]) == np.eye(4)).all()
    assert impinge.pose(axis=[0, 0, 1], angle=[0.0, 1.0]).shape == (2, 4, 4)
    body = impinge.Body(impinge.Model(sphere(1)), rotations.as_matrix()[0])
    assert (body.pose[:3, :3] == rotations.as_matrix()[0]).all() and (body.pose[:3, 3] == 0).all()
    for arguments, message in (
        ({"quaternion": [1, 0, 0, 0]}, "order"),
        ({"quaternion": [1, 0, 0, 0], "order": "wzyx"}, "order must be one of"),
        ({"quaternion": [0, 0, 0, 0], "order": "wxyz"}, "quaternion must not be 0"),
        ({"axis": [1, 0, 0]}, "axis and angle"),
        ({"axis": [1, 0, 0], "angle": 1, "rotation": np.eye(3)}, "give one form"),
        ({"translation": [1, 2]}, r"translation must have the shape \(3,\) or \(P, 3\), not \(2,\)"),
        ({"translation": [1, 2, np.nan]}, "translation must be finite"),
        ({"translation": np.zeros((2, 3)), "rotation": np.tile(np.eye(3), (3, 1, 1))}, "as many rotations"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            impinge.pose(**arguments)


def test_nearest_rigid_of_many() -> None:
    poses = random_poses(30, 5.0)
    rough = poses.astype(np.float32).astype(np.float64)
    many = impinge.nearest_rigid(rough)
    assert (many == [impinge.nearest_rigid(pose) for pose in rough]).all() and np.allclose(
        many, poses, atol=1e-6
    )
    with pytest.raises(impinge.Error, match="pose 1 mirrors"):
        impinge.nearest_rigid([np.eye(4), np.diag([1.0, 1, -1, 1])])


def test_shapes_are_closed_and_have_the_volume() -> None:
    shapes = {
        "box": (impinge.Mesh.box([2, 3, 4]), 24.0, 0.0),
        "sphere": (impinge.Mesh.sphere(2, 64, 128), 4 / 3 * np.pi * 8, 2e-3),
        "prism": (impinge.Mesh.prism(2, 3, 256), np.pi * 4 * 3, 2e-3),
        "cylinder": (impinge.Mesh.cylinder(2, 3, chord=1e-4), np.pi * 4 * 3, 2e-3),
        "cone": (impinge.Mesh.cone(2, 3, chord=1e-4), np.pi * 4, 2e-3),
        "ellipsoid": (impinge.Mesh.ellipsoid([2, 3, 1], chord=1e-3), 4 / 3 * np.pi * 6, 2e-3),
        "capsule": (impinge.Mesh.capsule(2, 3, 32, 128), np.pi * 4 * 3 + 4 / 3 * np.pi * 8, 2e-3),
    }
    for name, (mesh, volume, relative) in shapes.items():
        model = impinge.Model(mesh)
        assert model.status.is_closed, name
        lo, hi = model.winding_volume or (0.0, 0.0)
        assert volume * (1 - relative) <= hi and lo <= volume * (1 + 1e-12), name
    with pytest.raises(impinge.Error, match="radius"):
        impinge.Mesh.capsule(-1, 2)


def test_curved_shapes_have_the_true_one_on_the_side_that_is_named() -> None:
    import typing

    for chord in (None, 0.05):
        for make, volume in (
            (lambda side, chord=chord: impinge.Mesh.cylinder(2, 3, chord=chord, side=side), np.pi * 4 * 3),
            (lambda side, chord=chord: impinge.Mesh.cone(2, 3, chord=chord, side=side), np.pi * 4),
            (
                lambda side, chord=chord: impinge.Mesh.ellipsoid([2, 3, 1], chord=chord, side=side),
                4 / 3 * np.pi * 6,
            ),
        ):
            inner, outer = (impinge.Model(make(side)) for side in ("inscribed", "circumscribed"))
            assert impinge.relation(impinge.Body(inner), impinge.Body(outer)).kind.name == "INSIDE"
            assert (inner.winding_volume or (0, 0))[1] < volume < (outer.winding_volume or (0, 0))[0]
    # The defaults of the docstrings.
    assert len(impinge.Mesh.cylinder(7, 1)) == 4 * 72
    assert len(impinge.Mesh.ellipsoid([7, 1, 2])) == 9800
    with pytest.raises(ValueError, match="side must be 'inscribed' or 'circumscribed', not \"outside\""):
        impinge.Mesh.cone(1, 1, side=typing.cast(typing.Any, "outside"))
    for chord in (0, -1, np.nan, np.inf):
        with pytest.raises(impinge.Error, match="chord"):
            impinge.Mesh.cylinder(1, 1, chord=chord)
    with pytest.raises(impinge.Error, match="the chord is 1e-8, but at least 2.22e-7 is needed"):
        impinge.Mesh.ellipsoid([1, 2, 3], chord=1e-8)
    with pytest.raises(impinge.Error, match="not from 2.-900 to 2.900"):
        impinge.Mesh.ellipsoid([1, 2, 1e300])


def test_meshes_of_trimesh() -> None:
    import trimesh

    mesh = impinge.Mesh.capsule(0.5, 2.0)
    there = mesh.to_trimesh()
    assert isinstance(there, trimesh.Trimesh) and there.is_watertight
    back = impinge.Mesh.from_trimesh(there)
    assert (back.vertices == mesh.vertices).all() and (back.faces == mesh.faces).all()
    with pytest.raises(TypeError, match="mesh must be a trimesh.Trimesh, .* not a list"):
        impinge.Mesh.from_trimesh([1, 2])


def test_a_scene_in_many_configurations(ball: impinge.Model, box: impinge.Model) -> None:
    scene = impinge.Scene()
    for i in range(6):
        scene.add([ball, box][i % 2], group=1 << (i % 3), mask=0b011 if i == 4 else 0b111)
    scene.remove(1)
    scene.allow(2, 3)
    count = len(scene)
    poses = random_poses(40 * count, 3.0).reshape(40, count, 4, 4)
    found, nearest = scene.contacts_at(poses), scene.distance_at(poses)
    limited = scene.distance_at(poses, above=0.5)
    total = 0
    for i, some in enumerate(poses):
        scene.set_poses(scene.bodies, some)
        contacts = scene.update()
        assert found[i].tolist() == np.stack([contacts["a"], contacts["b"]], axis=1).tolist()
        total += len(contacts)
        scene.set_margin(100.0)
        scene.update()
        near = scene.near
        lo = 0.0 if len(contacts) else near["lo"].min()
        hi = 0.0 if len(contacts) else near["hi"].min()
        assert nearest.lo[i] <= hi and lo <= nearest.hi[i]
        assert np.isnan(limited.hi[i]) == (lo > 0.5)
        scene.set_margin(0.0)
    assert 0 < total
    origins, ways = RNG.uniform(-5, 5, (100, 3)), RNG.normal(size=(100, 3))
    bodies, hits = scene.rays(origins, ways)
    for k in range(100):
        each = {
            b: impinge.ray_first(impinge.Body(scene.model(b), scene.pose(b)), origins[k], ways[k])
            for b in scene.bodies
        }
        met = {b: hit for b, hit in each.items() if hit is not None}
        if not met:
            assert bodies[k] == -1 and hits[k] is None
        else:
            assert met[int(bodies[k])] == hits[k] and hits.t[k] == min(hit.t for hit in met.values())
    empty, nothing = impinge.Scene().rays(origins, ways)
    assert (empty == -1).all() and len(nothing) == 100


def test_single_calls_start_no_thread(ball: impinge.Model) -> None:
    """A call that started a thread, or counted cores, took as long as 20 to 100 calls of `intersects`."""
    big = impinge.Body(impinge.Model(sphere(6)))
    a, b = impinge.Body(ball), impinge.Body(ball, at(1.9, 0.1))
    origin, way, point = np.array([0.1, 0.2, 5.0]), np.array([0.0, 0, -1]), np.array([[0.1, 0.2, 0.3]])
    pair = impinge.pairs(a, b)[:1]
    for _ in range(3):
        impinge.locate(big, np.tile(point, (len(big.model), 1)))

    def least(call: object) -> float:
        return min(timeit.repeat(call, number=200, repeat=7))  # type: ignore[arg-type]

    def is_quick(call: object) -> bool:
        return least(call) < 6 * least(lambda: impinge.intersects(a, b)) + 2e-4

    for name, call in {
        "ray_first": lambda: impinge.ray_first(a, origin, way),
        "locate": lambda: impinge.locate(a, point),
        "contains": lambda: impinge.contains(a, point),
        "locate in a large mesh": lambda: impinge.locate(big, point),
        "contact_points": lambda: impinge.contact_points(a, b, pair),
        "contact_normals": lambda: impinge.contact_normals(a, b, pair),
    }.items():
        # A busy machine slows one of both.
        assert any(is_quick(call) for _ in range(4)), name


def test_errors_name_the_argument_and_the_remedy(ball: impinge.Model) -> None:
    assembly = impinge.Assembly.from_meshes({"a": ball.mesh})
    for call, message in (
        (lambda: impinge.Body(ball.mesh), "model must be a Model, not a Mesh: impinge.Model"),
        (lambda: impinge.Body(7), "model must be a Model, not a int$"),
        (lambda: impinge.Mesh.sphere(1, rings=-1), "rings, segments and sides must be from 1 to .*, not -1"),
        (lambda: impinge.Mesh.box([1, 2]), r"sides must have the shape \(3,\), not \(2,\)"),
        (
            lambda: assembly.check(geometry=impinge.check.Geometry(unit="parsec")),
            "unit: .parsec. is not a unit of length; known are",
        ),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            call()  # type: ignore[no-untyped-call]
