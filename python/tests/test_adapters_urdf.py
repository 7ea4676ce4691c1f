"""`impinge.Robot` against pinocchio, Coal and yourdfpy, and in OMPL; `.ci/adapters` installs these."""

from __future__ import annotations

import itertools
import math
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_docs import ROOT, blocks
from test_robot import ARM, FINGER

import impinge

pinocchio = pytest.importorskip("pinocchio")
base = pytest.importorskip("ompl.base")
geometric = pytest.importorskip("ompl.geometric")
yourdfpy = pytest.importorskip("yourdfpy")

from impinge.adapters import ompl as of_ompl  # noqa: E402
from impinge.adapters import pinocchio as of_pinocchio  # noqa: E402

try:
    ROBOTS = Path(
        str(distribution("example-robot-data").locate_file("cmeel.prefix/share/example-robot-data/robots"))
    )
except PackageNotFoundError:
    pytest.skip("example-robot-data is not installed", allow_module_level=True)
URDFS = {
    "panda": "panda_description/urdf/panda.urdf",
    "ur5": "ur_description/urdf/ur5_robot.urdf",
    "kinova": "kinova_description/robots/kinova.urdf",
    "talos": "talos_data/robots/talos_reduced.urdf",
}


def model_of(name: str) -> tuple[Any, impinge.Robot]:
    """Pinocchio's model, with joints that follow others as such, and ours."""
    path = ROBOTS / URDFS[name]
    return pinocchio.buildModelFromUrdf(str(path), mimic=True), impinge.Robot.load(path)


@pytest.mark.parametrize("name", URDFS)
def test_poses_are_those_of_pinocchio_and_yourdfpy(name: str) -> None:
    """All links at random configurations; names and limits."""
    model, ours = model_of(name)
    data, rng = model.createData(), np.random.default_rng(8)
    lower, upper = np.clip(ours.lower_limits, -3, 3), np.clip(ours.upper_limits, -3, 3)
    theirs = yourdfpy.URDF.load(str(ROBOTS / URDFS[name]), load_meshes=False, build_scene_graph=True)
    assert tuple(theirs.actuated_joint_names) == ours.actuated_joint_names
    assert tuple(theirs.link_map) == ours.link_names and theirs.base_link == ours.base_link
    assert tuple(theirs.joint_map) == ours.joint_names
    for joint, low, high in zip(theirs.actuated_joints, ours.lower_limits, ours.upper_limits, strict=True):
        if joint.type != "continuous":
            assert (joint.limit.lower, joint.limit.upper) == (low, high)
    for q in rng.uniform(lower, upper, (20, ours.num_dofs)):
        poses = ours.link_poses(q)
        pins = pinocchio.neutral(model)
        for joint, position in zip(ours.actuated_joint_names, q, strict=True):
            of = model.joints[model.getJointId(joint)]
            pins[of.idx_q : of.idx_q + of.nq] = (
                position if of.nq == 1 else (math.cos(position), math.sin(position))
            )
        assert np.abs(of_pinocchio.positions(model, ours, pins) - q).max() < 1e-14
        pinocchio.framesForwardKinematics(model, data, pins)
        theirs.update_cfg(q)
        for link, pose in zip(ours.link_names, poses, strict=True):
            placed = data.oMf[model.getFrameId(link, pinocchio.BODY)].homogeneous
            assert np.abs(placed - pose).max() < 1e-12, link
            # yourdfpy rounds an axis that is not a unit vector less well.
            assert np.abs(theirs.get_transform(link) - pose).max() < 1e-6, link


def test_poses_of_all_robots_are_those_of_pinocchio() -> None:
    """All URDFs of example-robot-data but those that pinocchio refuses: joints follow some that come later."""
    refused, rng = [], np.random.default_rng(8)
    for path in sorted(ROBOTS.rglob("*.urdf")):
        try:
            model = pinocchio.buildModelFromUrdf(str(path), mimic=True)
        except (RuntimeError, ValueError):
            refused.append(path.name)
            continue
        ours, data = impinge.Robot.load(path), model.createData()
        lower, upper = np.clip(ours.lower_limits, -3, 3), np.clip(ours.upper_limits, -3, 3)
        for q in rng.uniform(lower, upper, (5, ours.num_dofs)):
            pins = pinocchio.neutral(model)
            for joint, position in zip(ours.actuated_joint_names, q, strict=True):
                of = model.joints[model.getJointId(joint)]
                pins[of.idx_q : of.idx_q + of.nq] = (
                    position if of.nq == 1 else (math.cos(position), math.sin(position))
                )
            pinocchio.framesForwardKinematics(model, data, pins)
            for link, pose in zip(ours.link_names, ours.link_poses(q), strict=True):
                placed = data.oMf[model.getFrameId(link, pinocchio.BODY)].homogeneous
                assert np.abs(placed - pose).max() < 1e-12, (path.name, link)
    assert refused == [
        "alex_psyonic_hands.urdf",
        "romeo.urdf",
        "talos_full_v2.urdf",
        "talos_full_v2_box.urdf",
        "ur3.urdf",  # A link to a file that is not in the package.
    ]


def test_positions_of_pinocchio() -> None:
    model, ours = model_of("kinova")
    q = np.array(
        [pinocchio.randomConfiguration(model, -np.ones(model.nq), np.ones(model.nq)) for _ in range(5)]
    )
    assert of_pinocchio.positions(model, ours, q).shape == (5, ours.num_dofs)
    assert (of_pinocchio.positions(model, ours, q[2]) == of_pinocchio.positions(model, ours, q)[2]).all()
    with pytest.raises(ValueError, match="configurations must have the shape"):
        of_pinocchio.positions(model, ours, q[:, :3])
    with pytest.raises(KeyError, match="the model has no joint 'panda_joint1'"):
        of_pinocchio.positions(model, model_of("panda")[1], q)


def test_collisions_of_panda_are_those_of_coal() -> None:
    """Each pair that the SRDF leaves, at 500 configurations."""
    model, _ = model_of("panda")
    urdf, srdf = (str(ROBOTS / f"panda_description/{kind}/panda.{kind}") for kind in ("urdf", "srdf"))
    ours = impinge.Robot.load(urdf, srdf)
    share = str(ROBOTS.parent.parent)
    geometry = pinocchio.buildGeomFromUrdf(model, urdf, pinocchio.COLLISION, package_dirs=[share])
    data = model.createData()
    links = [model.frames[one.parentFrame].name for one in geometry.geometryObjects]
    for a, b in itertools.combinations(range(len(links)), 2):
        pair = (links[a], links[b])
        if pair in ours.checked_pairs or pair[::-1] in ours.checked_pairs:
            geometry.addCollisionPair(pinocchio.CollisionPair(a, b))
    theirs = geometry.createData()
    assert len(geometry.collisionPairs) >= len(ours.checked_pairs) > 10
    q = np.random.default_rng(9).uniform(ours.lower_limits, ours.upper_limits, (500, ours.num_dofs))
    found, gaps, hits, inside = ours.colliding_pairs(q), ours.distance(q), 0, 0

    def corners(one: int) -> NDArray[np.float64]:
        """The corners of a box or a mesh, placed."""
        shape, at = geometry.geometryObjects[one].geometry, theirs.oMg[one]
        is_box = hasattr(shape, "halfSide")
        points = list(itertools.product(*((-x, x) for x in shape.halfSide))) if is_box else shape.vertices()
        return np.array(points) @ at.rotation.T + at.translation

    def is_inside(inner: str, outer: str) -> bool:
        """Whether all corners of a shape of a link are behind all faces of a mesh, which are convex here."""
        for one, other in itertools.product(
            *([i for i, name in enumerate(links) if name == link] for link in (inner, outer))
        ):
            shape = geometry.geometryObjects[other].geometry
            if not hasattr(shape, "tri_indices"):
                continue
            faces = np.array([[shape.tri_indices(i)[k] for k in range(3)] for i in range(shape.num_tris)])
            a, b, c = (corners(other)[faces[:, k]] for k in range(3))
            behind = np.einsum("pij,ij->pi", corners(one)[:, None] - a, np.cross(b - a, c - a)) < 0
            if behind.all():
                return True
        return False

    for row, ours_here in enumerate(found):
        pins = pinocchio.neutral(model)
        for joint, position in zip(ours.actuated_joint_names, q[row], strict=True):
            pins[model.joints[model.getJointId(joint)].idx_q] = position
        pinocchio.computeCollisions(model, data, geometry, theirs, pins, False)
        pinocchio.computeDistances(model, data, geometry, theirs, pins)
        their_pairs = {
            tuple(sorted((links[pair.first], links[pair.second])))
            for pair, result in zip(geometry.collisionPairs, theirs.collisionResults, strict=True)
            if result.isCollision()
        }
        hits += len(their_pairs)
        own_pairs = {tuple(sorted(pair)) for pair in ours_here}
        assert their_pairs <= own_pairs, row
        # Coal's meshes are surfaces, which do not meet what is inside of them.
        for pair in own_pairs - their_pairs:
            assert is_inside(*pair) or is_inside(*pair[::-1]), (row, pair)
            inside += 1
        least = min(result.min_distance for result in theirs.distanceResults)
        if not own_pairs:
            assert gaps.lo[row] - 1e-6 <= least <= gaps.hi[row] + 1e-6
    assert hits > 10 and inside < 5
    print(f"{hits} pairs collide, {inside} of ours inside")


def straight(dimensions: int, limit: float = 3.0) -> Any:
    """A setup of a planner in a box."""
    space, bounds = base.RealVectorStateSpace(dimensions), base.RealVectorBounds(dimensions)
    bounds.setLow(-limit)
    bounds.setHigh(limit)
    space.setBounds(bounds)
    return geometric.SimpleSetup(space)


def test_certified_motions_of_ompl(tmp_path: Path) -> None:
    """Motions across a foil that samples jump over; the path of a planner is proved."""
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "finger.obj").write_text(FINGER)
    (tmp_path / "arm.urdf").write_text(ARM)
    arm = impinge.Robot.load(tmp_path / "arm.urdf")
    arm.add_obstacle("foil", impinge.Mesh.box([0.8, 1e-6, 1]), impinge.pose([1.5, 0, 0]))
    setup = straight(2)
    motions = of_ompl.set_certified(setup, arm, joints=["elbow", "shoulder"], others=[0, 0, 0.05])
    information = setup.getSpaceInformation()
    first, last = (setup.getStateSpace().allocState() for _ in range(2))
    (first[0], first[1]), (last[0], last[1]) = (0.0, -0.6), (0.0, 0.6)
    assert motions.configuration(last).tolist() == [0.6, 0, 0.05]
    assert information.isValid(first) and information.isValid(last)
    assert not information.checkMotion(first, last) and not motions.checkMotion(first, last)
    edge = motions.sweep(first, last)
    assert edge.kind == "contact" and edge.pair[1] == "foil" and 0 < edge.free_until < 0.5
    middle = setup.getStateSpace().allocState()
    middle[0], middle[1] = 0.0, -0.6 + 0.99 * edge.free_until * 1.2
    assert information.checkMotion(first, middle) and not information.checkMotion(middle, last)
    setup.setStartAndGoalStates(first, last)
    assert setup.solve(30.0)
    q = np.array([motions.configuration(state) for state in setup.getSolutionPath().getStates()])
    assert len(q) > 2 and arm.sweep(q[:-1], q[1:]).clear.all()
    between = np.concatenate(
        [a + np.linspace(0, 1, 500)[:, None] * (b - a) for a, b in itertools.pairwise(q)]
    )
    assert not arm.in_collision(between).any()
    # The planner sees what the robot is now.
    arm.remove_obstacle("foil")
    assert information.checkMotion(first, last)
    first[0] = 3.5
    assert not information.isValid(first)
    for wrong, kind, words in [
        ({}, ValueError, "the state space has 2 dimensions, but there are 3 joints"),
        ({"joints": ["elbow", "grip2"]}, KeyError, "no joint 'grip2'"),
        ({"joints": ["elbow", "elbow"]}, ValueError, "names a joint twice"),
        ({"joints": ["elbow", "grip"], "others": [0, 0]}, ValueError, r"others must have the shape \(3,\)"),
        ({"joints": ["elbow", "grip"], "margin": -1}, ValueError, "-1"),
    ]:
        with pytest.raises(kind, match=words):
            of_ompl.set_certified(setup, arm, **wrong)
    with pytest.raises(TypeError, match="must be a RealVectorStateSpace, where motions are straight"):
        of_ompl.set_certified(geometric.SimpleSetup(base.SO2StateSpace()), arm, joints=["elbow"])


def test_the_page_of_robots_runs() -> None:
    """Samples lead a planner through a sheet; certified motions go around it, which the page asserts."""
    found = blocks(ROOT / "docs" / "robots.md", "run by .ci/adapters")
    assert len(found) == 2
    scope: dict[str, object] = {"__name__": "__main__"}
    for i, block in enumerate(found):
        exec(compile(block, f"docs/robots.md, block {i}", "exec"), scope)
