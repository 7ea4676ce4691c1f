"""Robots: `impinge.Robot`."""

from __future__ import annotations

import copy
import math
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge
from conftest import at

# An arm in the plane z = 0, of two links, with a gripper whose second finger moves twice as far as the first.
ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"><collision><origin xyz="0.5 0 0" rpy="0 1.5707963267948966 0"/>
    <geometry><capsule radius="0.05" length="0.8"/></geometry></collision></link>
  <link name="lower"><collision><origin xyz="0.4 0 0"/>
    <geometry><box size="0.6 0.06 0.06"/></geometry></collision></link>
  <link name="left"><collision><geometry>
    <mesh filename="meshes/finger.obj" scale="0.001 0.001 0.001"/></geometry></collision></link>
  <link name="right"><collision><geometry><sphere radius="0.02"/></geometry></collision></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>
    <axis xyz="0 0 2"/><limit lower="-3" upper="3.1"/></joint>
  <joint name="grip" type="prismatic"><parent link="lower"/><child link="left"/><origin xyz="0.8 0.03 0"/>
    <axis xyz="0 1 0"/><limit lower="0.01" upper="0.1"/></joint>
  <joint name="grip2" type="prismatic"><parent link="lower"/><child link="right"/><origin xyz="0.8 -0.03 0"/>
    <axis xyz="0 -1 0"/><mimic joint="grip" multiplier="2"/></joint>
</robot>"""
SRDF = """<robot name="arm">
  <disable_collisions link1="upper" link2="left" reason="Never"/>
  <disable_collisions link1="upper" link2="right" reason="Default: 1 of 10 samples"/>
  <disable_collisions link1="upper" link2="tail" reason="Never"/>
</robot>"""
# A cube with sides of 40, in millimetres that the scale turns into metres.
FINGER = "".join(f"v {x} {y} {z}\n" for x in (-20, 20) for y in (-20, 20) for z in (-20, 20)) + "\n".join(
    f"f {a} {b} {c} {d}"
    for a, b, c, d in [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "finger.obj").write_text(FINGER)
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "arm.srdf").write_text(SRDF)
    return tmp_path / "arm.urdf", tmp_path / "arm.srdf"


@pytest.fixture
def arm(files: tuple[Path, Path]) -> impinge.Robot:
    return impinge.Robot.load(files[0])


def samples(robot: impinge.Robot, count: int, seed: int = 1) -> NDArray[np.float64]:
    lower, upper = (limits.clip(-math.pi, math.pi) for limits in (robot.lower_limits, robot.upper_limits))
    return np.random.default_rng(seed).uniform(lower, upper, (count, robot.num_dofs))


def test_names_and_limits(arm: impinge.Robot) -> None:
    assert (arm.name, arm.base_link, arm.num_dofs) == ("arm", "base", 3)
    assert arm.link_names == ("base", "upper", "lower", "left", "right")
    assert arm.joint_names == ("shoulder", "elbow", "grip", "grip2")
    assert arm.actuated_joint_names == ("shoulder", "elbow", "grip")
    assert arm.lower_limits.tolist() == [-np.inf, -3, 0.01] and arm.upper_limits.tolist() == [
        np.inf,
        3.1,
        0.1,
    ]
    assert arm.configuration({"elbow": 1.5}).tolist() == [0, 1.5, 0.01]
    with pytest.raises(KeyError, match="no joint 'grip2' that moves and follows no other"):
        arm.configuration({"grip2": 0.1})
    assert repr(arm) == "Robot('arm', 5 links, 3 joints that move, 0 attached, 0 obstacles)"
    with pytest.raises(TypeError, match="load"):
        impinge.Robot()


def test_poses(arm: impinge.Robot) -> None:
    """Closed forms, and one of a batch."""
    q = samples(arm, 50)
    poses = arm.link_poses(q)
    assert poses.shape == (50, 5, 4, 4)
    total = q[:, 0] + q[:, 1]
    elbow = np.stack([np.cos(q[:, 0]), np.sin(q[:, 0])], axis=1)
    forward, side = (
        np.stack(pair, axis=1) for pair in [(np.cos(total), np.sin(total)), (-np.sin(total), np.cos(total))]
    )
    left = elbow + 0.8 * forward + side * (0.03 + q[:, 2:])
    right = elbow + 0.8 * forward - side * (0.03 + 2 * q[:, 2:])
    for link, place in [(2, elbow), (3, left), (4, right)]:
        assert np.abs(poses[:, link, :2, 3] - place).max() < 1e-14
    assert (poses[:, :, 3] == [0, 0, 0, 1]).all() and (poses[:, 0] == np.eye(4)).all()
    assert arm.link_poses(q[7]).shape == (5, 4, 4) and (arm.link_poses(q[7]) == poses[7]).all()


def test_collisions_are_those_of_bodies(arm: impinge.Robot) -> None:
    """Each pair by the queries of bodies, at the poses of the links."""
    arm.add_obstacle("post", impinge.Mesh.box([0.1, 0.1, 1]), at(1.2, 0.6))
    arm.add_obstacle("ball", impinge.Shape.sphere(0.2), at(-1.2, 0.6))
    shapes = {
        "upper": (
            impinge.Shape.capsule(0.05, 0.8),
            impinge.pose([[0.5, 0, 0]], axis=[0, 1, 0], angle=[math.pi / 2])[0],
        ),
        "lower": (impinge.Shape.padded(impinge.Mesh.box([0.6, 0.06, 0.06]), 0), at(0.4)),
        "left": (impinge.Shape.padded(impinge.Mesh.box([0.04, 0.04, 0.04]), 0), np.eye(4)),
        "right": (impinge.Shape.sphere(0.02), np.eye(4)),
        "post": (impinge.Shape.padded(impinge.Mesh.box([0.1, 0.1, 1]), 0), at(1.2, 0.6)),
        "ball": (impinge.Shape.sphere(0.2), at(-1.2, 0.6)),
    }
    q = samples(arm, 400)
    poses, found, distances = arm.link_poses(q), arm.colliding_pairs(q), arm.distance(q)
    pairs = arm.checked_pairs
    assert ("left", "right") in pairs and ("upper", "lower") not in pairs and ("post", "ball") not in pairs
    hits = 0
    for k in range(len(q)):
        bodies = {}
        for name, (shape, own) in shapes.items():
            place = poses[k, arm.link_names.index(name)] if name in arm.link_names else np.eye(4)
            bodies[name] = shape.at(place @ own)
        gaps = {pair: impinge.distance(bodies[pair[0]], bodies[pair[1]]) for pair in pairs}
        # Products of poses here are rounded otherwise; an inside that is not touched has no gap here.
        least = {pair: gap.hi for pair, gap in gaps.items() if gap is not None}
        assert {pair for pair, gap in least.items() if gap == 0} <= set(found[k])
        assert all(least[pair] < 1e-12 or "ball" in pair or "post" in pair for pair in found[k])
        hits += bool(found[k])
        if not found[k]:
            assert (
                abs(distances.lo[k] - min(least.values())) < 1e-12
                and least[distances.pairs[k]] < min(least.values()) + 1e-12
            )
        else:
            assert distances.lo[k] == distances.hi[k] == 0 and np.isnan(distances.gradient[k]).all()
    assert 20 < hits < 300
    assert (arm.in_collision(q) == [bool(pairs) for pairs in found]).all()


def test_one_configuration_is_one_row(arm: impinge.Robot) -> None:
    arm.add_obstacle("post", impinge.Mesh.box([0.1, 0.1, 1]), at(1.2, 0.6))
    q = samples(arm, 60)
    many = [arm.in_collision(q), arm.within(q, 0.05), arm.colliding_pairs(q, 0.05), arm.certainty(q)]
    distances, sweeps = arm.distance(q), arm.sweep(q[:-1], q[1:])
    assert (
        many[0].dtype == many[1].dtype == np.bool_
        and (many[0] <= many[1]).all()
        and (many[0] < many[1]).any()
    )
    for k, row in enumerate(q.tolist()):
        one = [
            arm.in_collision(row),
            arm.within(row, 0.05),
            arm.colliding_pairs(row, 0.05),
            arm.certainty(row),
        ]
        assert one == [many[0][k], many[1][k], many[2][k], many[3][k]]
        gap = arm.distance(row)
        assert (gap.lo, gap.hi, gap.pair, gap.error) == (
            distances.lo[k],
            distances.hi[k],
            distances.pairs[k],
            distances.error[k],
        )
        assert (
            (gap.points == distances.points[k]).all()
            and gap.lo <= gap.distance <= gap.hi
            and gap.error < 1e-12
        )
        slopes = np.full(3, np.nan) if gap.gradient is None else gap.gradient
        assert np.array_equal(slopes, distances.gradient[k], equal_nan=True)
    for k in range(59):
        edge = arm.sweep(q[k], q[k + 1])
        assert (edge.kind == "clear", edge.kind == "contact") == (sweeps.clear[k], sweeps.contact[k])
        assert edge.free_until == sweeps.free_until[k] and edge.pair == sweeps.pairs[k]
    assert 0 < sweeps.clear.sum() < 59 and len(sweeps) == 59 and len(distances) == 60
    assert {one.value for one in many[3]} >= {"clear", "definite"}
    for threads in (1, 2):
        assert (arm.in_collision(q, threads=threads) == many[0]).all()
        assert (arm.sweep(q[:-1], q[1:], threads=threads).free_until == sweeps.free_until).all()
    # One start, many ends.
    assert (arm.sweep(q[3], q).free_until == [arm.sweep(q[3], end).free_until for end in q]).all()
    none = np.empty((0, 3))
    assert (
        arm.in_collision(none).shape == (0,)
        and arm.colliding_pairs(none) == []
        and len(arm.distance(none)) == 0
    )
    assert (
        arm.link_poses(none).shape == (0, 5, 4, 4)
        and len(arm.sweep(none, none)) == 0
        and arm.certainty(none) == []
    )


def test_gradients_are_those_of_differences(arm: impinge.Robot) -> None:
    arm.add_obstacle("post", impinge.Shape.capsule(0.05, 1), at(1.3, 0.7))
    arm.add_obstacle("ball", impinge.Shape.sphere(0.2), at(-1.3, 0.6, 0.4))
    q, step = samples(arm, 300), 1e-6
    found = arm.distance(q)
    slopes = np.empty_like(q)
    kinks = np.zeros(q.shape, dtype=bool)
    for joint in range(3):
        moved = np.zeros(3)
        moved[joint] = step
        upper, lower = (arm.distance(q + by).lo for by in (moved, -moved))
        slopes[:, joint] = (upper - lower) / (2 * step)
        kinks[:, joint] = np.abs(upper - 2 * found.lo + lower) > 1e-3 * step
    free = found.lo > 1e-3
    close = np.isclose(found.gradient, slopes, rtol=1e-5, atol=1e-5)
    assert free.sum() > 200 and (close | kinks)[free].all() and close[free].mean() > 0.95
    # The fingers: the distance of a cube and a sphere, 0.06 + 3 grip - 0.04, if nothing else is nearer.
    fingers = np.array([pair == ("left", "right") for pair in found.pairs])
    assert fingers.any() and np.allclose(found.gradient[fingers], [0, 0, 3])


def test_sweeps_find_what_samples_miss(arm: impinge.Robot) -> None:
    arm.add_obstacle("foil", impinge.Mesh.box([2, 1e-6, 1]), at(2.75))
    q0, q1 = arm.configuration({"shoulder": -0.5}), arm.configuration({"shoulder": 0.5})
    between = q0 + np.linspace(0, 1, 6)[:, None] * (q1 - q0)
    assert not arm.in_collision(between).any()
    edge = arm.sweep(q0, q1)
    assert edge.kind == "contact" and edge.pair is not None and edge.pair[1] == "foil" and edge.why is None
    assert 0 < edge.free_until <= edge.meets_at < 0.5 and edge.meets_at - edge.free_until < 1e-8
    assert arm.in_collision(q0 + edge.meets_at * (q1 - q0)) and not arm.in_collision(
        q0 + (edge.free_until - 1e-9) * (q1 - q0)
    )
    assert arm.sweep(q0, q1, verdict_only=True).kind == "contact"
    assert arm.sweep(q0, [-0.3, 0, 0.01]).kind == "clear"
    near = arm.distance([-0.3, 0, 0.01]).lo
    assert arm.sweep(q0, [-0.3, 0, 0.01], margin=1.01 * near).kind == "contact"
    start = arm.sweep([-0.03, 0, 0.01], [1, 0, 0.01])
    assert (start.kind, start.free_until, start.meets_at) == ("contact", 0, 0)
    assert arm.sweep([-0.03, 0, 0.01], [1, 0, 0.01], after=0.9).kind == "clear"
    clear = arm.sweep(q0, q0)
    assert (clear.kind, clear.free_until, clear.meets_at, clear.pair, clear.until) == (
        "clear",
        1,
        None,
        None,
        None,
    )


def test_obstacles_and_attached_bodies(arm: impinge.Robot) -> None:
    q = arm.configuration({})
    box = impinge.Mesh.box([0.1, 0.1, 0.1])
    arm.add_obstacle("box", (box.vertices, box.faces), at(5))
    model = impinge.Model(box)
    arm.attach("tool", "lower", model, at(1.2), touching=["left", "right"])
    assert arm.obstacles == ("box",) and arm.attached == {"tool": "lower"} and not arm.in_collision(q)
    assert ("lower", "tool") in arm.allowed_pairs and arm.allowed_pairs[("left", "tool")] == "User"
    before = arm.copy()
    arm.set_obstacle_pose("box", at(2.25))
    assert arm.colliding_pairs(q) == [("tool", "box")] or arm.colliding_pairs(q) == [("box", "tool")]
    # A copy has its own places; queries of `copy` and `deepcopy` agree with it.
    assert not before.in_collision(q) and not copy.deepcopy(before).in_collision(q)
    arm.allow("box", "tool")
    assert not arm.in_collision(q)
    arm.allow("box", "tool", False)
    assert arm.in_collision(q)
    arm.detach("tool")
    assert not arm.in_collision(q) and arm.attached == {} and ("left", "tool") not in arm.allowed_pairs
    # A name is free again.
    arm.attach("tool", "lower", impinge.Shape.sphere(0.1), at(1.2), touching=["left", "right"])
    assert arm.in_collision(q) and arm.distance(q).pair == ("box", "tool")
    arm.remove_obstacle("box")
    assert not arm.in_collision(q) and arm.obstacles == ()
    # A part that is inside of a closed mesh is in collision.
    arm.add_obstacle("hall", impinge.Mesh.box([20, 20, 20]))
    assert arm.in_collision(q) and arm.distance(q).hi == 0


def test_padding(arm: impinge.Robot) -> None:
    arm.add_obstacle("wall", impinge.Mesh.box([1, 9, 1]), at(2.36))
    q = arm.configuration({})
    gap = arm.distance(q)
    assert gap.pair[1] == "wall" and abs(gap.lo - 0.04) < 1e-12
    arm.set_padding(0.01, gap.pair[0])
    assert arm.padding(gap.pair[0]) == 0.01 and abs(arm.distance(q).lo - 0.03) < 1e-12
    arm.set_padding(0.02)
    # Both fingers are padded, and now nearer to each other than to the wall.
    gap = arm.distance(q)
    assert arm.padding("upper") == 0.02 and arm.padding("wall") == 0
    assert gap.pair == ("left", "right") and abs(gap.lo - 0.01) < 1e-12
    with pytest.raises(impinge.Error, match="padding -1 is not a length"):
        arm.set_padding(-1)


def test_margins_of_pairs(arm: impinge.Robot) -> None:
    arm.add_obstacle("wall", impinge.Mesh.box([1, 9, 1]), at(2.36))
    q = arm.configuration({})
    name, _ = arm.distance(q).pair
    assert not arm.in_collision(q) and arm.sweep(q, q).kind == "clear"
    arm.set_margin(name, "wall", 0.05)
    assert arm.colliding_pairs(q) == [(name, "wall")] and arm.sweep(q, q).kind == "contact"
    arm.set_margin("wall", name, 0.03)
    assert not arm.in_collision(q) and arm.sweep(q, q).kind == "clear"
    with pytest.raises(impinge.Error, match="margin NaN is not a length"):
        arm.set_margin(name, "wall", float("nan"))
    with pytest.raises(KeyError, match="nothing"):
        arm.set_margin("nothing", "wall", 0.1)


def test_allowed_pairs_matrix_and_lint(files: tuple[Path, Path], tmp_path: Path) -> None:
    arm = impinge.Robot.load(*files)
    assert arm.allowed_pairs == {
        ("upper", "lower"): "Adjacent",
        ("upper", "left"): "Never",
        ("upper", "right"): "Default: 1 of 10 samples",
        ("lower", "left"): "Adjacent",
        ("lower", "right"): "Adjacent",
    }
    assert arm.checked_pairs == [("left", "right")] and arm.unknown_pairs == [("upper", "tail")]
    found = arm.lint(2000)
    assert [(one.pair, one.use, one.wrong) for one in found] == [
        (("upper", "left"), "moving", True),
        (("upper", "right"), "moving", False),
        (("upper", "tail"), "unknown", False),
    ]
    bare = impinge.Robot.load(files[0])
    for one in found[:2]:
        assert one.example is not None and one.pair in bare.colliding_pairs(one.example)
    assert all(
        np.array_equal(a.example, b.example)
        for a, b in zip(found[:2], arm.lint(2000, threads=1), strict=False)
    )
    with pytest.raises(impinge.Error, match="loaded without an SRDF"):
        bare.lint()
    matrix = bare.acm(2000, prove=True)
    kinds = {one.pair: one.kind for one in matrix.pairs}
    assert kinds[("upper", "lower")] == "adjacent" and kinds[("upper", "left")] == "sometimes"
    assert kinds[("left", "right")] == "never" and matrix.samples == 2000
    for pair in matrix.pairs:
        assert (pair.cells is not None) == (pair.kind == "never")
        if pair.kind == "sometimes":
            assert pair.hits > 0 and pair.pair in bare.colliding_pairs(pair.example)
    matrix.save(tmp_path / "own.srdf")
    own = impinge.Robot.load(files[0], tmp_path / "own.srdf")
    assert ("left", "right") not in own.checked_pairs and ("upper", "left") in own.checked_pairs
    assert not any(one.wrong for one in own.lint(1000))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers of signals")
def test_an_interrupt_ends_a_long_search(arm: impinge.Robot) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            arm.acm(10**12)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - start < 20
    # The thread that worked ends, too.
    used = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - used < 0.25


def test_packages(files: tuple[Path, Path], tmp_path: Path) -> None:
    text = ARM.replace("meshes/finger.obj", "package://arm_description/finger.obj")
    package = tmp_path / "elsewhere" / "arm_description"
    package.mkdir(parents=True)
    (package / "finger.obj").write_text(FINGER)
    urdf = tmp_path / "package.urdf"
    urdf.write_text(text)
    with pytest.raises(
        impinge.Error, match=r"package\.urdf:\d+:\d+: the mesh 'package://arm_description/finger\.obj' is not"
    ):
        impinge.Robot.load(urdf)
    for path in (package, str(package.parent), [tmp_path, package.parent]):
        assert impinge.Robot.load(urdf, package_path=path).num_dofs == 3


def test_files_that_are_refused(files: tuple[Path, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.urdf"
    with pytest.raises(FileNotFoundError, match=r"broken\.urdf: cannot read this file"):
        impinge.Robot.load(broken)
    with pytest.raises(FileNotFoundError, match=r"none\.srdf: cannot read this file"):
        impinge.Robot.load(files[0], tmp_path / "none.srdf")
    for text, words in [
        (ARM.replace("</robot>", ""), r"broken\.urdf:\d+:\d+: "),
        (
            ARM.replace('type="revolute"', 'type="planar"'),
            r"broken\.urdf:12:\d+: the joint 'elbow' is planar",
        ),
        (ARM.replace('radius="0.05"', 'radius="-1"'), r"broken\.urdf:4:\d+: "),
        (
            ARM.replace("finger.obj", "thumb.obj"),
            r"broken\.urdf:7:\d+: the mesh 'meshes/thumb\.obj' is not found",
        ),
    ]:
        broken.write_text(text)
        with pytest.raises(impinge.Error, match=words):
            impinge.Robot.load(broken)
    (tmp_path / "meshes" / "finger.obj").write_text("v 0 0\nf 1 2 3\n")
    with pytest.raises(impinge.Error, match=r"finger\.obj: line 1: a vertex needs"):
        impinge.Robot.load(files[0])
    with pytest.raises(TypeError, match="urdf must be a path"):
        impinge.Robot.load(ARM.encode())  # type: ignore[arg-type]


def test_arguments_that_are_refused(arm: impinge.Robot) -> None:
    q = arm.configuration({})
    for wrong, words in [
        ([0.0, 0.0], r"q must have the shape \(3,\) or \(P, 3\), not \(2,\)"),
        (np.zeros((4, 5)), r"q must have the shape \(3,\) or \(P, 3\), not \(4, 5\)"),
        (np.zeros((2, 2, 3)), r"not \(2, 2, 3\)"),
        ([0.0, np.nan, 0.0], "q: the position of 'elbow' is NaN; it must be finite"),
        ([q, [0, 0, np.inf]], "q, row 1: the position of 'grip' is inf; it must be finite"),
    ]:
        for query in (arm.in_collision, arm.distance, arm.colliding_pairs, arm.link_poses, arm.certainty):
            with pytest.raises(ValueError, match=words):
                query(wrong)
    with pytest.raises(ValueError, match="q1, row 1: the position of 'shoulder' is NaN"):
        arm.sweep(q, [q, [np.nan, 0, 0]])
    with pytest.raises(ValueError, match="4 rows of q0, but 3 of q1"):
        arm.sweep(np.zeros((4, 3)), np.zeros((3, 3)))
    with pytest.raises(TypeError, match="q must be real numbers"):
        arm.in_collision(["a", "b", "c"])
    for call in (arm.within, arm.colliding_pairs):
        with pytest.raises(impinge.Error, match="-0.1"):
            call(q, -0.1)
    box = impinge.Mesh.box([1, 1, 1])
    arm.add_obstacle("box", box, at(9))
    for act, kind, words in [
        (lambda: arm.add_obstacle("box", box), impinge.Error, "already has a part 'box'"),
        (lambda: arm.attach("upper", "lower", box), impinge.Error, "already has a part 'upper'"),
        (lambda: arm.add_obstacle("bad", box, np.diag([2, 1, 1, 1])), impinge.Error, "not a rigid motion"),
        (lambda: arm.add_obstacle("bad", "box.stl"), TypeError, "a shape is a Mesh, a Model, a Shape"),
        (lambda: arm.attach("bad", "box", box), KeyError, "'box' is no link"),
        (
            lambda: arm.attach("bad", "lower", box, touching=["none"]),
            KeyError,
            "no link, body or obstacle 'none'",
        ),
        (lambda: arm.attach("bad", "lower", box, touching="left"), TypeError, "touching must be a list"),
        (lambda: arm.remove_obstacle("upper"), KeyError, "'upper' is no obstacle"),
        (lambda: arm.set_obstacle_pose("none", at(1)), KeyError, "no link, body or obstacle 'none'"),
        (lambda: arm.detach("box"), KeyError, "'box' is no attached body"),
        (lambda: arm.allow("upper", "upper"), ValueError, "are one part"),
        (lambda: arm.in_collision(q, threads=0), ValueError, "threads must be 1 or more"),
        (lambda: arm.acm(0), impinge.Error, "samples must be 1 or more"),
    ]:
        with pytest.raises(kind, match=words):
            act()
    # What was refused has changed nothing.
    assert arm.obstacles == ("box",) and arm.attached == {} and not arm.in_collision(q)
