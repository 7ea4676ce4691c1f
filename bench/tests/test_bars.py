"""Tests of the bars on synthetic runs: reached, not reached, and not measured."""

import unittest

from driver import build
from driver.bars import bars
from driver.engines import Engine
from driver.race import Frame, Result
from driver.report import times_table
from driver.scenes import Scene

US = Engine("impinge", build.impinge)
PAPER = Engine("impinge-obb", build.impinge)
FCL = Engine("fcl-obb", build.fcl)
SCENES = [
    Scene(name, None, triangles=(1000, 1000), frames=2)
    for name in ("rods", "tumble-saw", "held-axis", "spheres-nested")
]


def run(engine, scene, query, times, kind="wide", held=80_000, counted=None):
    about = {"engine": f"impinge {kind} leaf=4", "build_ms": "0.5", "bytes": str(held)} | (
        {"counted": str(counted)} if counted else {}
    )
    return Result(scene, engine, query, about=about, frames=[Frame(us, True, 1, "0") for us in times])


def judged(fcl=(100.0, 100.0), change=lambda results: None):
    """All bars by name: ours takes 5 us a frame, FCL the given time, our oriented boxes 16."""
    results = []
    for query in ("pairs", "first"):
        for scene in SCENES:
            results += [
                run(US, scene, query, (5.0, 5.0)),
                run(PAPER, scene, query, (16.0, 16.0), "obb"),
                run(FCL, scene, query, fcl),
            ]
    change(results)
    ours = {(r.scene.name, r.query): r for r in results if r.engine is US}
    return {bar.what: bar for bar in bars(results, ours, [US, PAPER, FCL])}, results, ours


def result(results, engine, scene, query):
    return next(r for r in results if r.engine is engine and r.scene.name == scene and r.query == query)


class Bars(unittest.TestCase):
    def test_a_run_that_reaches_what_it_measures(self):
        found, results, ours = judged()
        self.assertEqual(
            {bar.reached for what, bar in found.items() if "coal" not in what and "parry" not in what}, {True}
        )
        self.assertEqual(
            {bar.reached for what, bar in found.items() if "coal" in what or "parry" in what}, {None}
        )
        self.assertEqual(found["all pairs, x fcl-obb, geometric mean"].found, "20.0")
        self.assertEqual(found["all pairs, x our best paper volume, each scene"].found, "3.20")
        self.assertEqual(found["bytes a triangle, all in, each scene"].found, "40.0")
        self.assertEqual(found["build, Mtri/s over all scenes"].found, "4.00")
        self.assertIn("100.0 (20.0)", str(times_table(results, ours, [US, PAPER, FCL], SCENES, "pairs")))

    def test_one_slow_scene_is_named(self):
        def slow(results):
            result(results, US, "held-axis", "pairs").frames = [Frame(50.0, True, 1, "0")] * 2

        found, _, _ = judged(change=slow)
        for what in (
            "all pairs, x fcl-obb, each scene",
            "all pairs, x fcl-obb on CAD soups, each scene",
            "all pairs, x our best paper volume, each scene",
        ):
            self.assertFalse(found[what].reached)
            self.assertIn("held-axis", found[what].detail)
        self.assertTrue(found["all pairs, x fcl-obb on spheres-nested, each scene"].reached)
        self.assertTrue(found["first contact, x fcl-obb, each scene"].reached)

    def test_one_slow_frame_counts_unless_it_is_cheap_for_fcl(self):
        frames = "all pairs, x FCL OBB, each frame over 20 us"

        def slow(results):
            result(results, US, "rods", "pairs").frames[1] = Frame(30.0, True, 1, "0")

        found, _, _ = judged(fcl=(400.0, 21.0), change=slow)
        self.assertEqual((found[frames].reached, found[frames].found), (False, "0.70"))
        self.assertIn("rods, frame 1", found[frames].detail)
        found, _, _ = judged(fcl=(400.0, 19.0), change=slow)
        self.assertTrue(found[frames].reached)

    def test_failed_runs_are_told(self):
        def theirs(results):
            result(results, FCL, "rods", "pairs").problem = "over the limit"

        bar = judged(change=theirs)[0]["all pairs, x fcl-obb, each scene"]
        self.assertTrue(bar.reached)
        self.assertIn("rods", bar.detail)

        def mine(results):
            result(results, US, "rods", "pairs").problem = "over the limit"

        bar = judged(change=mine)[0]["all pairs, x fcl-obb, each scene"]
        self.assertEqual((bar.reached, bar.found), (False, "-"))
        self.assertIn("rods", bar.detail)

    def test_the_larger_count_of_bytes_is_judged(self):
        def more(results):
            result(results, US, "rods", "pairs").about["counted"] = "100000"

        bar = judged(change=more)[0]["bytes a triangle, all in, each scene"]
        self.assertEqual((bar.reached, bar.found, bar.detail), (False, "50.0", "most: rods"))

    def test_our_own_kind_is_no_rival(self):
        def same(results):
            for r in results:
                if r.engine is PAPER:
                    r.about["engine"] = "impinge wide leaf=1"

        self.assertIsNone(judged(change=same)[0]["all pairs, x our best paper volume, each scene"].reached)


if __name__ == "__main__":
    unittest.main()
