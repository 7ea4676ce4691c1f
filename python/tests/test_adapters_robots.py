"""The adapters of MuJoCo, pinocchio and OMPL against these packages; `.ci/adapters` installs them.

Where verdicts differ, exact arithmetic decides: `fractions` on the corners of boxes, by separating axes.
"""

from __future__ import annotations

import itertools
import math
import re
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_docs import ROOT, blocks

import impinge

mujoco = pytest.importorskip("mujoco")
pinocchio = pytest.importorskip("pinocchio")
coal = pytest.importorskip("coal")
base = pytest.importorskip("ompl.base")
geometric = pytest.importorskip("ompl.geometric")

from impinge.adapters import mujoco as of_mujoco  # noqa: E402
from impinge.adapters import ompl as of_ompl  # noqa: E402
from impinge.adapters import pinocchio as of_pinocchio  # noqa: E402


def exact_points(mesh: impinge.Mesh, pose: NDArray[np.float64]) -> list[list[Fraction]]:
    """The placed points, in rational numbers."""
    rows = [[Fraction(x) for x in row] for row in pose.tolist()]
    return [
        [sum((rows[i][k] * Fraction(p[k]) for k in range(3)), rows[i][3]) for i in range(3)]
        for p in mesh.vertices.tolist()
    ]


def convexes_meet(a: impinge.Body, b: impinge.Body) -> bool:
    """Whether two convex bodies have a point in common: separating axes, in rational numbers.

    The normals of all faces and the products of all edges: no code of the library's is used.
    """
    points = [exact_points(body.model.mesh, body.pose) for body in (a, b)]

    def minus(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
        return [x - y for x, y in zip(p, q, strict=True)]

    def cross(p: list[Fraction], q: list[Fraction]) -> list[Fraction]:
        return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]

    def separates(axis: list[Fraction]) -> bool:
        first, second = (
            [sum(x * y for x, y in zip(axis, point, strict=True)) for point in some] for some in points
        )
        return max(first) < min(second) or max(second) < min(first)

    faces = [body.model.mesh.faces.tolist() for body in (a, b)]
    edges = [
        [minus(some[face[i]], some[face[i - 1]]) for face in of for i in range(3)]
        for some, of in zip(points, faces, strict=True)
    ]
    axes = [
        cross(minus(some[v], some[u]), minus(some[w], some[u]))
        for some, of in zip(points, faces, strict=True)
        for u, v, w in of
    ]
    axes += [cross(e, f) for e, f in itertools.product(*edges)]
    return not any(separates(axis) for axis in axes if any(axis))


MACHINE = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="0 0 1"/>
  <body name="crate"><freejoint/><geom name="crate" type="box" size="0.3 0.2 0.4"/></body>
  <body name="wedge"><freejoint/><geom name="wedge" type="mesh" mesh="wedge"/></body>
  <body name="arm"><joint type="hinge" axis="0 0 1"/><geom name="upper" type="box" size="0.5 0.1 0.1"/>
    <body name="hand" pos="0.5 0 0"><joint type="hinge" axis="0 1 0"/>
      <geom name="hand" type="box" size="0.2 0.2 0.05"/></body></body>
</worldbody>
<asset><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<contact><exclude body1="crate" body2="hand"/></contact></mujoco>"""


def test_mujoco_at_1000_poses() -> None:
    """Geoms that meet, and the pairs that are tested, against `mj_collision`."""
    model = mujoco.MjModel.from_xml_string(MACHINE)
    data, geoms = mujoco.MjData(model), of_mujoco.Geoms(model)
    assert geoms.omitted == {} and geoms.names == ("floor", "crate", "wedge", "upper", "hand")
    named = {tuple(sorted((geoms.names[a], geoms.names[b]))) for a, b in geoms.pairs}
    # Not the floor and the arm's first link, which the world has; not parent and child; not the excluded.
    rng, poses, theirs = np.random.default_rng(1), [], []
    for _ in range(1000):
        data.qpos[:] = rng.normal(size=model.nq) * 0.7
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_collision(model, data)
        touched = {tuple(sorted(map(int, contact.geom))): float(contact.dist) for contact in data.contact}
        theirs.append({pair: min(dist, touched.get(pair, 0.0)) for pair, dist in touched.items()})
        poses.append(geoms.poses(data))
    found = geoms.meets(poses)
    seen = {tuple(sorted((geoms.names[a], geoms.names[b]))) for some in theirs for a, b in some}
    assert seen <= named
    agree = differ = inside = 0
    for i, k in itertools.product(range(1000), range(len(geoms.pairs))):
        a, b = (int(x) for x in geoms.pairs[k])
        contact = theirs[i].get((a, b))
        bodies = [impinge.Body(geoms.models[x], poses[i][x], affine=True) for x in (a, b)]
        # MuJoCo takes geoms for solids.
        ours = bool(found[i, k]) or impinge.overlaps(*bodies)
        inside += ours and not found[i, k]
        if ours == (contact is not None and contact <= 0):
            agree += 1
        else:
            # Theirs is a number near 0, or wrong: rational numbers have the last word.
            differ += 1
            assert ours == convexes_meet(*bodies), (geoms.names[a], geoms.names[b], contact)
    assert agree + differ == 1000 * len(geoms.pairs) and differ < 20
    assert 500 < found.sum() < found.size and inside >= 0


def test_mujoco_scene_as_an_assembly() -> None:
    """Five lines check a scene; what has no triangles is listed as not examined."""
    text = MACHINE.replace(
        "</worldbody>",
        '<geom name="hill" type="hfield" hfield="hill" pos="0 0 -9"/><body pos="3 0 1"><freejoint/>'
        '<geom name="ball" type="sphere" size="0.5"/></body><body pos="3 0 1.4"><freejoint/>'
        '<geom name="pill" type="capsule" size="0.2 0.4"/></body><body pos="3 3 1"><freejoint/>'
        '<geom name="can" type="cylinder" size="0.2 0.4"/><geom name="egg" type="ellipsoid" size="0.1 0.2 0.3"/>'
        "</body></worldbody>",
    ).replace("<asset>", '<asset><hfield name="hill" nrow="4" ncol="4" size="1 1 1 0.1"/>')
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    report = of_mujoco.assembly(model, data).check()
    [pill] = [clash for clash in report.ranked() if {clash.a.name, clash.b.name} == {"ball", "pill"}]
    assert pill.relation == "overlap" and pill.certainty is not None
    assert [(one.name, one.failed) for one in report.omissions] == [("hill", True)]
    assert report.assembly is not None and report.assembly["hand"].path == "hand/hand"
    # The inscribed meshes are no farther than `chord` from the formulas of the shapes.
    geoms = of_mujoco.Geoms(model)
    for name, surface in {
        "ball": lambda p: np.linalg.norm(p, axis=1) - 0.5,
        "can": lambda p: np.maximum(np.hypot(p[:, 0], p[:, 1]) - 0.2, np.abs(p[:, 2]) - 0.4),
        "pill": lambda p: np.linalg.norm(p - np.clip(p, [0, 0, -0.4], [0, 0, 0.4]), axis=1) - 0.2,
    }.items():
        k = geoms.names.index(name)
        mesh = geoms.models[k].mesh
        corners = mesh.vertices[mesh.faces]
        weights = np.random.default_rng(2).dirichlet([1, 1, 1], 20)
        depth = surface(np.einsum("wk,fkx->fwx", weights, corners).reshape(-1, 3))
        assert -geoms.chord[k] <= depth.min() and depth.max() < 1e-12, name


def test_mujoco_3383_distances_that_are_certified() -> None:
    """`mj_geomDistance` of meshes: a number; ours is an interval that holds the distance."""
    rng = np.random.default_rng(3383)
    vertices = " ".join(f"{x:.6f}" for x in rng.normal(size=(40, 3)).ravel() * 0.3)
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="m" vertex="{vertices}"/></asset><worldbody>'
        '<body><freejoint/><geom name="a" type="mesh" mesh="m"/></body>'
        '<body><freejoint/><geom name="b" type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )
    data, geoms = mujoco.MjData(model), of_mujoco.Geoms(model)
    poses, theirs = [], []
    for _ in range(1000):
        data.qpos[:] = rng.normal(size=model.nq)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_kinematics(model, data)
        poses.append(geoms.poses(data))
        theirs.append(mujoco.mj_geomDistance(model, data, 0, 1, 100.0, np.zeros(6)))
    lo, hi = (bound[:, 0] for bound in geoms.gaps(poses))
    apart, their = lo > 0, np.array(theirs)
    wrong = apart & (np.abs(their - hi) > 1e-6)
    # Each of theirs that is off is decided by rational numbers: the bodies are apart by more than a millionth.
    for i in np.flatnonzero(wrong)[:10]:
        bodies = [
            impinge.Body(model_, pose, affine=True)
            for model_, pose in zip(geoms.models, poses[i], strict=True)
        ]
        assert not convexes_meet(*bodies)
    print(f"{apart.sum()} of 1000 apart; mj_geomDistance is off by more than 1e-6 at {wrong.sum()}")
    assert apart.sum() > 300 and (their[~apart] <= 1e-9).all()


def robot() -> tuple[Any, Any]:
    """A chain of six links: boxes, and meshes of Coal."""
    model, geometry = pinocchio.Model(), pinocchio.GeometryModel()
    rng, parent = np.random.default_rng(6), 0
    for k in range(6):
        place = pinocchio.SE3(np.eye(3), np.array([0.4 if k else 0.0, 0.0, 0.0]))
        joint = [pinocchio.JointModelRZ(), pinocchio.JointModelRY()][k % 2]
        parent = model.addJoint(parent, joint, place, f"joint {k}")
        shape: Any = coal.Box(0.35, 0.12, 0.1)
        if k % 2:
            mesh = impinge.Mesh.sphere(0.15, 12, 16)
            points = mesh.vertices * [1.5, 1, 1] + rng.normal(size=mesh.vertices.shape) * 0.004
            shape = coal.BVHModelOBBRSS()
            shape.beginModel(len(mesh), len(points))
            shape.addVertices(points)
            shape.addTriangles(mesh.faces.astype(np.int64))
            shape.endModel()
        at = pinocchio.SE3(np.eye(3), np.array([0.2, 0.0, 0.0]))
        geometry.addGeometryObject(pinocchio.GeometryObject(f"link {k}", parent, at, shape))
    geometry.addAllCollisionPairs()
    for k in range(5):
        geometry.removeCollisionPair(pinocchio.CollisionPair(k, k + 1))
    return model, geometry


def test_pinocchio_at_1000_configurations() -> None:
    """Colliding pairs and distances against pinocchio with Coal."""
    model, geometry = robot()
    ours, data, theirs = of_pinocchio.Robot(model, geometry), model.createData(), geometry.createData()
    assert ours.omitted == {} and len(ours.pairs) == 10
    q = np.random.default_rng(4).uniform(-2.5, 2.5, (1000, model.nq))
    poses = ours.poses(q)
    meets = ours.meets(poses)
    lo, hi = ours.gaps(poses)
    differ = 0
    for i, one in enumerate(q):
        pinocchio.computeCollisions(model, data, geometry, theirs, one, False)
        pinocchio.computeDistances(model, data, geometry, theirs, one)
        for k, (a, b) in enumerate(ours.pairs.tolist()):
            collides = theirs.collisionResults[k].isCollision()
            if collides != meets[i, k]:
                differ += 1
                bodies = [impinge.Body(ours.models[x], poses[i, x]) for x in (a, b)]
                # All pairs of triangles, without a tree. A box is a solid in Coal, and a surface here.
                assert bool(len(impinge._core._brute_force_pairs(*bodies))) == meets[i, k]
            elif not collides:
                distance = theirs.distanceResults[k].min_distance
                assert lo[i, k] - 1e-5 <= distance <= hi[i, k] + 1e-5
    assert differ < 10 and 100 < meets.sum()
    assert np.array_equal(poses, ours._copied_poses(q))
    assert (ours.in_collision(q) == meets.any(axis=1)).all()
    least = ours.distance(q)
    assert (least[0] == lo.min(axis=1)).all() and (least[1] == hi.min(axis=1)).all()
    first = int(np.flatnonzero(meets.any(axis=1))[0])
    assert ours.colliding_pairs(q[first]) == ours.names_of(meets[first])
    with pytest.raises(ValueError, match=r"configurations must have the shape \(P, 6\)"):
        ours.in_collision(q[:, :3])


def test_pinocchio_is_faster_than_a_loop() -> None:
    """One thread, the same pairs: the collision tests, without the kinematics that both need."""
    model, geometry = robot()
    ours, data, theirs = of_pinocchio.Robot(model, geometry), model.createData(), geometry.createData()
    q = np.random.default_rng(5).uniform(-2.5, 2.5, (500, model.nq))
    poses = ours.poses(q)
    ratios = []
    for _ in range(5):
        start = time.process_time()
        ours.meets(poses, threads=1)
        middle = time.process_time()
        for one in q:
            pinocchio.updateGeometryPlacements(model, data, geometry, theirs, one)
            pinocchio.computeCollisions(geometry, theirs, False)
        end = time.process_time()
        ratios.append((end - middle) / max(middle - start, 1e-9))
    print("pinocchio's loop takes", [round(ratio, 1) for ratio in ratios], "times as long")
    # The bar for a release build is 5: docs/notebook.md, "Python and robots", has 6.7.
    # This build may be a debug one.
    assert max(ratios) > 1


def test_ompl_plans_as_with_coal() -> None:
    """The same problem with our checks and with Coal's: the same verdicts on states; the plan is free."""
    model, geometry = robot()
    ours = of_pinocchio.Robot(model, geometry)
    data, theirs = model.createData(), geometry.createData()

    def coals(q: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.array(
            [pinocchio.computeCollisions(model, data, geometry, theirs, one, True) for one in q],
            dtype=np.bool_,
        )

    q = np.random.default_rng(7).uniform(-2.5, 2.5, (500, 6))
    assert (ours.in_collision(q) != coals(q)).sum() < 10
    free = q[~ours.in_collision(q)]
    for in_collision in (ours.in_collision, coals):
        space, bounds = base.RealVectorStateSpace(6), base.RealVectorBounds(6)
        bounds.setLow(-2.5)
        bounds.setHigh(2.5)
        space.setBounds(bounds)
        setup = geometric.SimpleSetup(space)

        def numbers(state: Any) -> list[float]:
            return [state[k] for k in range(6)]

        of_ompl.set_validity(setup, in_collision, numbers, resolution=0.1)
        start, goal = space.allocState(), space.allocState()
        for k in range(6):
            start[k], goal[k] = free[0][k], free[1][k]
        setup.setStartAndGoalStates(start, goal)
        begun = time.perf_counter()
        assert setup.solve(20.0)
        path = setup.getSolutionPath()
        path.interpolate(200)
        states = np.array([numbers(state) for state in path.getStates()])
        print(f"a plan in {time.perf_counter() - begun:.2f} s, {len(states)} states")
        assert math.isclose(np.abs(states[0] - free[0]).max(), 0.0, abs_tol=1e-12)
    with pytest.raises(ValueError, match="resolution must be more than 0"):
        of_ompl.set_validity(setup, ours.in_collision, numbers, resolution=0.0)


def test_a_package_that_is_missing_is_named() -> None:
    from impinge.adapters._need import need

    with pytest.raises(ImportError, match="^no_such_module is needed: pip install some-package$"):
        need("no_such_module", "some-package")


def test_the_page_of_adapters_runs() -> None:
    scope: dict[str, object] = {"__name__": "__main__"}
    for name in ["mujoco", "pinocchio"]:
        found = blocks(ROOT / "docs" / "adapters.md", "run by .ci/adapters")
        [block] = [
            block for block in found if re.search(rf"from impinge\.adapters(\.| import ){name}\b", block)
        ]
        exec(compile(block, f"docs/adapters.md, {name}", "exec"), scope)
