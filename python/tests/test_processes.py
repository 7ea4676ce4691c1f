"""Threads, other processes, and signals."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

import impinge
from conftest import at, pile, rows_of, sphere

Question = Callable[[], object]


def test_pickles_and_copies(ball: impinge.Model) -> None:
    body = impinge.Body(ball, at(1, 2, 3))
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(body, protocol))
        assert np.array_equal(again.pose, body.pose) and again.model.quality == "high"
        assert np.array_equal(again.model.mesh.vertices, ball.mesh.vertices)
        assert np.array_equal(again.model.mesh.faces, ball.mesh.faces)
    options = impinge.Model(ball.mesh, "fast", 2, True, 4)
    assert options.__reduce__() == (impinge.Model, (ball.mesh, "fast", 2, True, 4))
    mirrored = impinge.Body(ball, np.diag([1.0, 1, -1, 1]), affine=True)
    assert np.array_equal(pickle.loads(pickle.dumps(mirrored)).pose, mirrored.pose)
    two = pickle.loads(pickle.dumps([body, impinge.Body(ball)]))
    assert two[0].model is two[1].model, "models that are shared stay shared"
    for shared in (ball.mesh, ball, body):
        assert copy.copy(shared) is shared and copy.deepcopy(shared) is shared
    error = pickle.loads(pickle.dumps(impinge.Error("text", 3)))
    assert (str(error), error.vertex, error.triangle) == ("text", 3, None)


def test_many_threads_share_a_model(ball: impinge.Model) -> None:
    a = impinge.Body(ball)

    def count(shift: float) -> int:
        return len(impinge.pairs(a, impinge.Body(ball, at(shift))))

    shifts = np.linspace(0, 3, 400).tolist()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(count, shifts)) == [count(shift) for shift in shifts]


def test_other_threads_run_meanwhile() -> None:
    """The lock is released: a thread counts on while another one is in a long question."""
    counted, done = 0, threading.Event()

    def ask() -> None:
        body = impinge.Body(pile(1500))
        impinge.pairs(body, body)
        done.set()

    thread = threading.Thread(target=ask)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0)
    thread.join()
    assert counted > 100


def test_threads_can_be_set() -> None:
    assert impinge.get_threads() >= 1
    impinge.set_threads(3)
    try:
        assert impinge.get_threads() == 3
        with pytest.raises(ValueError, match="1 or more"):
            impinge.set_threads(0)
    finally:
        impinge.set_threads(None)


def test_numbers_of_threads_out_of_proportion_are_refused(ball: impinge.Model) -> None:
    body, poses = impinge.Body(ball), rows_of(np.linspace(0, 3, 100))
    for threads in (10**6, 10**30):
        with pytest.raises(ValueError, match="at most"):
            impinge.intersects_at(body, ball, poses, threads=threads)
        with pytest.raises(ValueError, match="at most"):
            impinge.set_threads(threads)
    for threads in (0, -1, -(10**30)):
        with pytest.raises(ValueError, match="1 or more"):
            impinge.pairs(body, body, threads=threads)
    with pytest.raises(TypeError):
        impinge.pairs(body, body, threads="two")  # type: ignore[arg-type]
    assert impinge.get_threads() >= 1


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted on Linux alone")
def test_pools_that_are_not_used_end(ball: impinge.Model) -> None:
    body, poses = impinge.Body(ball), rows_of(np.linspace(0, 3, 100))
    before = len(os.listdir("/proc/self/task"))
    expected = impinge.intersects_at(body, ball, poses, threads=1).tolist()
    for threads in range(2, 33):
        assert impinge.intersects_at(body, ball, poses, threads=threads).tolist() == expected
    # All of them would be 527.
    until = time.monotonic() + 60
    while (threads := len(os.listdir("/proc/self/task"))) > before + 100 and time.monotonic() < until:
        time.sleep(0.05)
    assert threads <= before + 100


CHECKS = """
import gc, sys, impinge
box, chain = impinge.Mesh.box([1, 1, 1]), impinge.Assembly()
for i in range(5):
    chain.add(box, impinge.pose([0.7 * i, 0, 0]), name=f"p{i}", file="f")

def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * 4096

def grown(count, threads):
    for _ in range(300):
        chain.check(threads=threads)
    before = resident()
    for _ in range(count):
        chain.check(threads=threads)
    return resident() - before

print(grown(9000, 1), grown(1000, 64))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="NOT TESTED: reads /proc")
def test_checks_keep_no_memory() -> None:
    """10,000 checks: a pool that each keeps takes 8 KB at one thread, and 212 KB at 64."""
    done = subprocess.run([sys.executable, "-c", CHECKS], capture_output=True, text=True, check=True)
    one, many = map(int, done.stdout.split())
    assert one < 12e6 and many < 12e6, (one, many)


def test_other_threads_run_while_a_large_input_is_read(ball: impinge.Model) -> None:
    """The last pose is refused: so the whole call is reading."""
    poses = np.tile(np.eye(4), (1_500_000, 1, 1))
    poses[-1, 0, 0] = np.nan
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    while not counted[0]:
        time.sleep(0.01)
    # A call that held the interpreter throughout would leave room for a count or two at its ends, each time. On a
    # busy machine the other thread may miss one short call, so it is given several.
    during = 0
    for _ in range(50):
        before = counted[0]
        with pytest.raises(impinge.Error, match="pose 1499999"):
            impinge.intersects_at(impinge.Body(ball), ball, poses)
        during = max(during, counted[0] - before)
        if during >= 4:
            break
    done.set()
    thread.join()
    assert during >= 4


def test_bodies_hash_by_their_poses(ball: impinge.Model) -> None:
    bodies = [impinge.Body(ball, at(x)) for x in range(1000)]
    assert len({hash(body) for body in bodies}) > 990
    again = [impinge.Body(ball, at(x)) for x in range(1000)]
    assert set(bodies) == set(again) and hash(bodies[7]) == hash(again[7])
    zero, minus_zero = impinge.Body(ball, at(0.0)), impinge.Body(ball, at(-0.0))
    assert zero == minus_zero and hash(zero) == hash(minus_zero)


def test_lists_of_pairs_can_be_limited() -> None:
    body = impinge.Body(pile(30))
    assert np.array_equal(impinge.pairs(body, body, most_pairs=900), impinge.pairs(body, body))
    for most in (0, 1, 899):
        with pytest.raises(impinge.Error, match=f"more than {most} pairs"):
            impinge.pairs(body, body, most_pairs=most)
    apart = impinge.Body(pile(30), at(5))
    assert len(impinge.pairs(body, apart, most_pairs=0)) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux alone")
@pytest.mark.parametrize("call", ["pairs(a, a)", "pairs(a, a, threads=2)", "pairs(a, a, most_pairs=10**9)"])
def test_a_list_that_memory_does_not_hold_is_a_memory_error(call: str) -> None:
    """The interpreter lives on, and its next query works."""
    code = f"""
import resource, sys, threading, numpy, impinge
model = impinge.Model(impinge.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]] * 12000))
a = impinge.Body(model)
impinge.pairs_at(a, model, numpy.tile(numpy.eye(4), (40, 1, 1)) + 9e9 * numpy.eye(4, k=3), threads=2)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 400_000_000,) * 2)
def ask():
    try:
        impinge.{call}
    except MemoryError as error:
        print("MemoryError:", error)
ask()
thread = threading.Thread(target=ask)
thread.start()
thread.join()
far = impinge.Body(model, 9 * numpy.eye(4, k=3) + numpy.eye(4))
print(impinge.intersects(a, a), len(impinge.pairs(a, far)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["MemoryError"] * 2 and lines[2] == "True 0"
    assert "panicked" not in done.stderr


def update_for_long() -> impinge.Scene:
    """A scene that another thread updates, for longer than any test waits."""
    scene = impinge.Scene(threads=1)
    for count in (40_000, 40_001):
        scene.add(pile(count))
    threading.Thread(target=lambda: scene.update("counts"), daemon=True).start()
    time.sleep(0.5)
    return scene


def long_wait_for_a_scene() -> Question:
    scene = update_for_long()
    return lambda: scene.bodies


def long_wait_to_update() -> Question:
    scene = update_for_long()
    return scene.update


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_scene_that_was_in_use_at_a_fork_is_refused_in_the_child() -> None:
    """It must not wait for a thread that is not there. In a process of its own, as one thread goes on."""
    code = """
import os, signal, sys, test_processes as t
import impinge
scene, idle = t.update_for_long(), impinge.Scene(threads=1)
idle.add(t.pile(3))
child = os.fork()
if child == 0:
    status = 1
    try:
        signal.alarm(60)
        idle.update()
        for use in (lambda: scene.bodies, scene.update, lambda: scene.nearest_bodies([[0, 0, 0]])):
            try:
                use()
            except RuntimeError as error:
                status = 0 if "forked" in str(error) else 3
            else:
                status = 4
    finally:
        os._exit(status)
print(os.waitpid(child, 0)[1], flush=True)
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=os.path.dirname(__file__),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout.split() == ["0"], done.stderr


def questions(model: impinge.Model) -> list[object]:
    """Questions of all sorts: short, by several threads, and on a helper thread."""
    a = impinge.Body(model)
    poses = rows_of(np.linspace(-3, 3, 200))
    return [
        impinge.intersects(a, impinge.Body(model, at(0.5))),
        impinge.intersects_at(a, model, poses, threads=2).tolist(),
        impinge.intersects_at(a, model, poses, threads=1).tolist(),
        len(impinge.pairs(a, a, threads=2)),
        impinge.relation(a, impinge.Body(model, at(0.5))).kind,
    ]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_after_a_fork_everything_still_works(ball: impinge.Model) -> None:
    """Pools, watchdog and helpers have no threads in a child; it must not wait for them."""
    expected = questions(ball)
    for _ in range(5):
        child = os.fork()
        if child == 0:
            # No handler of the test runner's may run here.
            status = 1
            try:
                signal.alarm(20)
                status = 0 if questions(ball) == expected else 2
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        assert questions(ball) == expected


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_worker_processes(ball: impinge.Model, method: str) -> None:
    questions(ball)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as workers:
        assert list(workers.map(questions, [ball] * 4)) == [questions(ball)] * 4


def long_pairs() -> Question:
    body = impinge.Body(pile(20_000))
    return lambda: impinge.pairs(body, body)


def long_pairs_of_two_threads() -> Question:
    body = impinge.Body(pile(20_000))
    return lambda: impinge.pairs(body, body, threads=2)


def long_batch() -> Question:
    model = pile(3000)
    return lambda: impinge.pairs_at(impinge.Body(model), model, rows_of(np.zeros(1000)))


def long_curves() -> Question:
    a, b = (impinge.Body(pile(count)) for count in (20_000, 20_001))
    return lambda: impinge.curves(a, b)


def long_points() -> Question:
    body = impinge.Body(impinge.Model(sphere(7)))
    points = np.random.default_rng(1).normal(size=(3_000_000, 3))
    # So near the surface that each one takes a ray.
    points *= 0.9999 / np.linalg.norm(points, axis=1, keepdims=True)
    return lambda: impinge.contains(body, points, threads=1)


def long_build() -> Question:
    mesh = sphere(9)
    return lambda: impinge.Model(mesh, threads=1)


def long_check() -> Question:
    assembly = impinge.Assembly()
    for count in (20_000, 20_001):
        assembly.add(pile(count).mesh, name=str(count))
    return assembly.check


def long_check_of_many() -> Question:
    """Each pair of its parts is short; there are many."""
    assembly, mesh = impinge.Assembly(), sphere(3)
    for i in range(700):
        assembly.add(mesh, at(i / 1000), name=str(i))
    return lambda: assembly.check(run=impinge.check.Run(progress=lambda *_: None))


LONG: list[Callable[[], Question]] = [
    long_check,
    long_check_of_many,
    long_pairs,
    long_pairs_of_two_threads,
    long_batch,
    long_curves,
    long_points,
    long_build,
    long_wait_for_a_scene,
    long_wait_to_update,
]


def interrupted_after(prepare: Callable[[], Question], wait: float) -> tuple[float, bool]:
    """Seconds that a call ran on after the interrupt, and whether the interrupt ended it."""
    # A shell starts jobs in the background with this signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    question = prepare()
    sent: list[float] = []

    def interrupt() -> None:
        time.sleep(wait)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        question()
    except KeyboardInterrupt:
        ended = time.perf_counter()
        thread.join()
        return ended - sent[0], True
    thread.join()
    return 0.0, False


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
@pytest.mark.parametrize("question", LONG, ids=lambda question: question.__name__)
def test_an_interrupt_ends_a_long_call(question: Callable[[], Question]) -> None:
    """Within 0.2 s of the signal; in a process of its own, where what goes on disturbs no other test."""
    code = (
        f"import test_processes as t; print(*t.interrupted_after(t.{question.__name__}, 0.5))\n"
        "import impinge; print(impinge.get_threads() >= 1)\nimport os, sys; sys.stdout.flush(); os._exit(0)"
    )
    folder = os.path.dirname(__file__)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    seconds, was_interrupted, alive = done.stdout.split()
    assert was_interrupted == "True", "the question ended before the signal: make it longer"
    assert alive == "True" and float(seconds) < 0.2


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted on Linux alone")
@pytest.mark.parametrize("question", [long_check, long_check_of_many], ids=lambda question: question.__name__)
def test_an_interrupted_check_ends_in_the_background(question: Callable[[], Question]) -> None:
    """Its threads end, long before the work would have."""
    code = f"""
import os, time, test_processes as t
def threads():
    return len(os.listdir("/proc/self/task"))
# Threads that are kept for later calls are there before.
t.{question.__name__}(), t.impinge.Assembly().check()
before = threads()
print(t.interrupted_after(t.{question.__name__}, 0.5)[1])
ended = time.monotonic()
while threads() > before and time.monotonic() < ended + 30:
    time.sleep(0.01)
print(time.monotonic() - ended)
"""
    folder = os.path.dirname(__file__)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    was_interrupted, seconds = done.stdout.split()
    assert was_interrupted == "True" and float(seconds) < 3


@pytest.mark.skipif(sys.platform == "win32", reason="os.kill ends the process there")
def test_a_handler_that_does_not_raise_lets_the_call_go_on(ball: impinge.Model) -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        thread = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        thread.start()
        model = pile(1000)
        lists = impinge.pairs_at(impinge.Body(model), model, rows_of(np.zeros(20)), threads=1)
        thread.join()
        long = len(lists.pairs)
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [signal.SIGINT] and long == 20 * 1000**2


def test_a_question_that_is_moved_to_a_helper_answers_the_same() -> None:
    """The query takes longer than the watchdog allows, and runs again."""
    count = 1500
    body = impinge.Body(pile(count))
    pairs = impinge.pairs(body, body)
    expected: NDArray[np.uint32] = np.indices((count, count), dtype=np.uint32).reshape(2, -1).T
    assert np.array_equal(pairs, expected)
