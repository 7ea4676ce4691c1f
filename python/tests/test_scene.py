"""Scenes: an update returns the results of single queries."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import impinge
from conftest import at, pile


def test_an_update_says_what_single_questions_say(ball: impinge.Model) -> None:
    rng = np.random.default_rng(7)
    for threads in (1, 2):
        scene = impinge.Scene(threads=threads)
        poses = np.tile(np.eye(4), (20, 1, 1))
        poses[:, :3, 3] = rng.uniform(-3, 3, (20, 3))
        ids = [scene.add(ball, pose, name=f"body {i}") for i, pose in enumerate(poses)]
        assert ids == scene.bodies == list(range(20)) and len(scene) == 20
        before: set[tuple[int, int]] = set()
        for _ in range(4):
            contacts = scene.update("triangles")
            bodies = [impinge.Body(ball, pose) for pose in poses]
            expected = {
                (i, j) for i in range(20) for j in range(i) if impinge.intersects(bodies[j], bodies[i])
            }
            expected = {(j, i) for i, j in expected}
            found = {(int(c["a"]), int(c["b"])) for c in contacts}
            assert found == expected and len(expected) > 5
            assert {(int(c["a"]), int(c["b"])) for c in contacts if c["began"]} == expected - before
            assert {(int(a), int(b)) for a, b in scene.ended} == before - expected
            for contact in contacts:
                a, b = int(contact["a"]), int(contact["b"])
                pairs = impinge.pairs(bodies[a], bodies[b])
                assert np.array_equal(scene.triangle_pairs(a, b), pairs)
                assert contact["count"] == len(pairs) and contact["witness"].tolist() == pairs[0].tolist()
                assert sorted(scene.triangle_pairs(b, a)[:, ::-1].tolist()) == pairs.tolist()
            assert scene.stats.meet == len(contacts) and scene.stats.bodies == 20
            before = expected
            poses[:10, :3, 3] += rng.uniform(-1, 1, (10, 3))
            scene.set_poses(np.arange(10), poses[:10])
        assert np.array_equal(scene.pose(3), poses[3])


def test_filters_names_and_removal(ball: impinge.Model) -> None:
    scene = impinge.Scene()
    a, b, c = (scene.add(ball, name=name) for name in "abc")
    assert len(scene.update()) == 3
    scene.allow(a, b)
    assert scene.update()[["a", "b"]].tolist() == [(a, c), (b, c)] and scene.ended.tolist() == [[a, b]]
    scene.allow(a, b, False)
    scene.set_filter(a, group=1, mask=2)
    scene.set_filter(b, group=1, mask=2)
    assert scene.update()[["a", "b"]].tolist() == [(a, c), (b, c)]
    scene.remove(c)
    assert len(scene.update()) == 0 and scene.ended.tolist() == [[a, c], [b, c]]
    assert scene.name(a) == "a" and scene.bodies == [a, b]
    d = scene.add(ball, at(9), group=1, mask=1)
    assert d == 3 and scene.name(d) is None and "3 bodies" in repr(scene)
    for gone in (c, 17, -1):
        with pytest.raises(KeyError, match=f"no body {gone}"):
            scene.set_pose(gone, np.eye(4))
        with pytest.raises(KeyError):
            scene.name(gone)
    with pytest.raises(KeyError):
        scene.set_poses([a, c], np.tile(at(5), (2, 1, 1)))
    assert np.array_equal(scene.pose(a), np.eye(4)), "all or nothing"
    with pytest.raises(ValueError, match="2 bodies, but 1 poses"):
        scene.set_poses([a, b], np.eye(4)[None])
    with pytest.raises(KeyError, match="did not meet"):
        scene.triangle_pairs(a, d)
    with pytest.raises(ValueError, match="detail must be one of bodies, counts"):
        scene.update("all")  # type: ignore[arg-type]


def test_margins(ball: impinge.Model) -> None:
    scene = impinge.Scene()
    a, b, c = (scene.add(ball, at(x)) for x in (0, 2.25, 4.75))
    scene.set_margin(0.25)
    assert len(scene.update()) == 0
    [near] = scene.near
    assert (near["a"], near["b"], near["began"]) == (a, b, True) and near["lo"] <= 0.25 <= near["hi"]
    assert near["points"].shape == (2, 3) and near["points"][0].tolist() == [1, 0, 0]
    scene.set_body_margin(c, 0.5)
    scene.update()
    assert scene.near[["a", "b"]].tolist() == [(a, b), (b, c)]
    scene.set_pair_margin(a, b, 0.125)
    scene.update()
    assert scene.near[["a", "b"]].tolist() == [(b, c)] and scene.near_ended.tolist() == [[a, b]]
    with pytest.raises(impinge.Error, match="margin"):
        scene.set_margin(-1)


def test_nearest_bodies(ball: impinge.Model, tetrahedron: impinge.Model) -> None:
    rng = np.random.default_rng(11)
    points = rng.uniform(-6, 6, (60, 3))
    for threads in (1, 2):
        scene = impinge.Scene(threads=threads)
        assert (scene.nearest_bodies(points).bodies == -1).all()
        poses = [at(*rng.uniform(-4, 4, 3)) for _ in range(12)]
        models = [ball, tetrahedron] * 6
        ids = [scene.add(model, pose) for model, pose in zip(models, poses, strict=True)]
        scene.remove(ids[0])
        found = scene.nearest_bodies(points, exact=True)
        each = [
            impinge.closest_points(impinge.Body(models[i], poses[i]), points, exact=True) for i in ids[1:]
        ]
        hi = np.array([of.hi for of in each])
        nearest = hi.argmin(axis=0)
        assert len(found) == 60 and np.array_equal(found.bodies, nearest + 1) and len(set(nearest)) > 3
        assert np.array_equal(found.hi, hi.min(axis=0)) and (found.lo <= found.hi).all()
        assert found.triangles.tolist() == [int(each[n].triangles[i]) for i, n in enumerate(nearest)]
        assert found.points.tolist() == [each[n].points[i].tolist() for i, n in enumerate(nearest)]
        within = scene.nearest_bodies(points, above=1.0)
        far = found.lo > 1.0
        assert 0 < far.sum() < 60 and np.array_equal(within.bodies == -1, far)
        assert np.isnan(within.hi[far]).all() and (within.triangles[far] == -1).all()
    with pytest.raises(impinge.Error, match="finite"):
        scene.nearest_bodies([[0, 0, np.inf]])
    with pytest.raises(impinge.Error, match="above must be"):
        scene.nearest_bodies([[0, 0, 0]], above=-1)


def test_pairs_are_sorted_by_numbers(ball: impinge.Model) -> None:
    """A body may have the place of one that was removed, by which the scene itself sorts."""
    scene = impinge.Scene()
    scene.set_margin(1)
    first, b = scene.add(ball), scene.add(ball, at(3.5))
    scene.remove(first)
    small = at(3.5)
    small[:3, :3] *= 0.25
    c = scene.add(ball, small, affine=True)
    d = scene.add(ball, at(6))
    contacts = scene.update("relations")
    assert [(one["a"], one["b"], one["kind"]) for one in contacts] == [(b, c, "contains")]
    pairs = [(near["a"], near["b"]) for near in scene.near]
    assert pairs == [(b, d)]
    scene.set_pose(c, at(5), affine=False)
    scene.update("triangles")
    for contact in scene.contacts:
        assert contact["a"] < contact["b"]
        pairs = scene.triangle_pairs(contact["a"], contact["b"]).tolist()
        assert contact["witness"].tolist() in pairs
    scene.set_pose(c, at(50))
    scene.update()
    assert [tuple(pair) for pair in scene.ended.tolist()] == [(b, c), (c, d)]


def test_threads_that_share_a_scene_do_not_wait_for_themselves(ball: impinge.Model) -> None:
    """A thread of the pool that waits for others is given other questions about the same scene."""
    scene = impinge.Scene(threads=4)
    for i in range(60):
        scene.add(ball, at(0.3 * i))
    points = np.random.default_rng(3).uniform(-5, 20, (300, 3))
    expected = scene.nearest_bodies(points).bodies.tolist()
    answers: list[bool] = []

    def ask(k: int) -> None:
        for _ in range(8):
            if k % 2 == 0:
                answers.append(len(scene.update("counts")) > 0)
            else:
                answers.append(scene.nearest_bodies(points).bodies.tolist() == expected)

    threads = [threading.Thread(target=ask, args=(k,), daemon=True) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert len(answers) == 32 and all(answers)


def test_numbers_are_not_rounded(ball: impinge.Model) -> None:
    scene = impinge.Scene()
    body = scene.add(ball)
    with pytest.raises(TypeError):
        scene.deform_some(body, [1.7], [[0, 0, 0]])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        scene.set_poses([0.9], [at(1)])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="1 or more"):
        impinge.closest_points(impinge.Body(ball), [[0, 0, 0]], threads=0)


def test_relations(tetrahedron: impinge.Model) -> None:
    scene = impinge.Scene()
    a = scene.add(tetrahedron)
    small = at(0.5, 0.5, 0.5)
    small[:3, :3] *= 0.25
    b = scene.add(tetrahedron, small, affine=True)
    assert len(scene.update()) == 0
    [contact] = scene.update("relations")
    assert (contact["a"], contact["b"], contact["kind"], contact["touching"]) == (a, b, "contains", False)
    assert contact["witness"].tolist() == [-1, -1] and contact["count"] == 0
    scene.set_pose(b, at(0.5))
    assert scene.update("relations")["kind"].tolist() == ["overlap"]
    scene.update("counts")
    with pytest.raises(RuntimeError, match="detail='triangles'"):
        scene.triangle_pairs(a, b)


def test_deforming(ball: impinge.Model) -> None:
    scene = impinge.Scene()
    a, b = scene.add(ball), scene.add(ball, at(3))
    assert len(scene.update()) == 0
    assert scene.deform(a, ball.mesh.vertices * 2.5) in ("refitted", "rebuilt")
    assert scene.deform(a, ball.mesh.vertices * 2.5, rebuild=0) == "rebuilt"
    assert len(scene.update()) == 1
    assert np.array_equal(scene.model(a).mesh.vertices, ball.mesh.vertices * 2.5)
    assert np.array_equal(scene.model(b).mesh.vertices, ball.mesh.vertices), "others keep their shape"
    scene.set_model(a, ball)
    assert len(scene.update()) == 0
    far = int(np.argmax(ball.mesh.vertices[:, 0]))
    scene.deform_some(a, [far], [[2.5, 0, 0]])
    assert len(scene.update()) == 1
    with pytest.raises(impinge.Error):
        scene.deform(a, ball.mesh.vertices[:5])


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="os.kill ends the process there")
def test_an_interrupt_ends_an_update_and_the_next_goes_on() -> None:
    scene = impinge.Scene(threads=1)
    for count in (12_000, 12_001):
        scene.add(pile(count))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        scene.update("counts")
    assert time.perf_counter() - began < 0.5 and len(scene.contacts) == 0
    assert len(scene.update("bodies")) == 1


def test_a_model_of_a_scene_is_the_one_that_was_added(ball: impinge.Model) -> None:
    fast = impinge.Model(ball.mesh, "fast", compact=True)
    scene = impinge.Scene()
    a, b = scene.add(fast), scene.add(ball)
    assert scene.model(a) is fast and scene.model(a).mesh is fast.mesh
    scene.set_model(b, fast)
    assert scene.model(b) is fast
    scene.deform(a, fast.mesh.vertices + 1)
    deformed = scene.model(a)
    assert deformed.quality == "fast" and deformed.__reduce__()[1][1:] == ("fast", None, True, 8)
    assert np.array_equal(deformed.mesh.vertices, fast.mesh.vertices + 1) and scene.model(b) is fast


def test_numbers_of_removed_bodies_are_dropped_once_no_list_has_them(ball: impinge.Model) -> None:
    scene = impinge.Scene(threads=1)
    a, b, c = scene.add(ball), scene.add(ball, at(0.5)), scene.add(ball, at(9))
    assert len(scene.update()) == 1
    scene.remove(b)
    scene.remove(scene.add(ball))
    assert scene.bodies == [a, c]
    assert len(scene.update()) == 0 and scene.ended.tolist() == [[a, b]]
    scene.update()
    assert scene.ended.tolist() == [] and scene.add(ball) == c + 2
    with pytest.raises(KeyError, match=f"no body {b}"):
        scene.pose(b)
