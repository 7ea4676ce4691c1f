"""Tests of distances from frame to frame: frames that count, ratios, bars, and the exporter's lines."""

import struct
import unittest

from driver import near_steps
from driver.near import Racer, Run, Spread, own_faults, questions, read, spread
from driver.near_report import Found

LINES = [
    "#size\t2.0",
    "0\t7\tstart\t-\t-\t0.02\t0.02\t0.0",
    "1\t7\t0.1 degrees\t-\t-\t0.0201\t0.0201\t0.001",
    "2\t7\t0.1 degrees\t-\t-\t0.0199\t0.0199\t0.003",
    "3\t9\tstart\t-\t-\t0.02\t0.02\t0.0",
    "4\t9\t1 degree\t-\t-\t0.02\t0.02\t0.01",
]


def scene():
    made = spread(Spread("rods", None, triangles=(10, 10), frames=5), "\n".join(LINES))
    return made


def found(rival):
    of = scene()
    answers = [told.hi for told in of.told]
    racing = [
        Racer("impinge", None, [], ("first", "within", "distance")),
        Racer("fcl-rss", None, [], ("distance",)),
        Racer("coal-obb", None, [], ("within",)),
    ]
    runs = {
        ("impinge", "distance"): Run([9.0, 2.0, 2.0, 9.0, 4.0], answers),
        ("impinge", "seeded"): Run([9.0, 1.0, 1.0, 9.0, 1.0], answers),
        ("fcl-rss", "distance"): rival,
    }
    return Found([of], near_steps.racers(racing), {of.name: runs}, [], [], 0, None)


class Steps(unittest.TestCase):
    def test_the_exporters_lines(self):
        made = scene()
        self.assertEqual([told.moved for told in made.told], [0.0, 0.001, 0.003, 0.0, 0.01])
        self.assertEqual((made.told[2].lo, made.margins), (0.0199, ()))

    def test_only_frames_near_the_one_before_count(self):
        self.assertEqual(near_steps.taken(scene()), [1, 2, 4])
        self.assertEqual(near_steps.taken(scene(), "1 degree"), [4])

    def test_who_is_asked_what(self):
        racing = found(Run()).racers
        self.assertEqual([racer.name for racer in racing], ["impinge", "fcl-rss"])
        asked = dict(questions(racing[0], scene()))
        self.assertEqual(asked["seeded"], ["--query", "distance", "--seed", "yes"])
        self.assertEqual([key for key, _ in questions(racing[1], scene())], ["distance"])

    def test_seeded_answers_are_distances_and_checked(self):
        run = Run()
        bits = struct.unpack("<Q", struct.pack("<d", 0.25))[0]
        read(run, f"#engine\tX\n0\t5.0\t0\t0\t{bits:016x}\n", "seeded", 3)
        self.assertEqual(run.answers, [0.25])
        wrong = {("impinge", "seeded"): Run([1.0] * 5, [0.02, 0.0201, 0.02, 0.02, 0.02])}
        self.assertEqual(len(own_faults(scene(), wrong)), 1)

    def test_bars(self):
        (bar,) = near_steps.bars(found(Run([1.0, 30.0, 30.0, 1.0, 30.0], [0.02] * 5)))
        self.assertEqual((bar.reached, bar.found), (True, "30.0"))
        (bar,) = near_steps.bars(found(Run([1.0, 5.0, 21.0], [0.02] * 3)))
        self.assertEqual((bar.reached, bar.found), (False, "10.2"))
        self.assertIn("of 2 frames", bar.detail)
        (bar,) = near_steps.bars(found(Run(problem="over the limit")))
        self.assertIsNone(bar.reached)

    def test_tables(self):
        cells = near_steps.times_table(found(Run([1.0, 20.0, 20.0], [0.02] * 3))).rows
        self.assertIn(["rods", "0.1 degrees", "0.20 %", "1.00", "2.00 (2.00)", "20.0 (20.0)"], cells)
        self.assertIn(["rods", "1 degree", "1.00 %", "1.00", "4.00 (4.00)", "-"], cells)
        self.assertEqual(cells[-1], ["geometric mean", "all", "", "", "(2.52)", "(20.0)"])


if __name__ == "__main__":
    unittest.main()
