"""Tests of the races of distance and clearance: a run's output, wrong results, and bars."""

import struct
import unittest

from driver import near
from driver.near import Racer, Run, Spaced, Spread, compare, own_faults, read, settle, spread
from driver.near_exact import Exact
from driver.near_report import Found, bars, tables, taken
from driver.shell import Failed

#: Size 2: frames at half and at 1.1 times a margin, and far.
TOLD = [
    Spaced("1 %, 0.5 times", 0, 0.5, 0.01, 0.01),
    Spaced("1 %, 1.1 times", 0, 1.1, 0.022, 0.022),
    Spaced("10 %, 0.5 times", 1, 0.5, 0.1, 0.1),
    Spaced("far", None, None, 2.0, 2.0),
]
HEAD = "#engine\tX\n#version\t1\n#flags\t-\n#notes\t-\n"


def scene():
    made = Spread("rods", None, triangles=(10, 10), frames=len(TOLD))
    made.size, made.margins, made.told = 2.0, (0.02, 0.2), TOLD
    return made


def bits(x):
    return f"{struct.unpack('<Q', struct.pack('<d', x))[0]:016x}"


def output(*rows):
    lines = ([k, us, hit, 0, digest] for k, (us, hit, digest) in rows)
    return HEAD + "".join("\t".join(map(str, line)) + "\n" for line in lines)


def ours(us=1.0, first=1.0):
    distances, hits = [told.hi for told in TOLD], [[True, False, False, False], [True, True, True, False]]
    return {
        ("impinge", "first"): Run([first] * 4, [False] * 4),
        ("impinge", "within 0"): Run([us] * 4, hits[0]),
        ("impinge", "within 1"): Run([us] * 4, hits[1]),
        ("impinge", "distance"): Run([us] * 4, distances),
    }


def found(runs):
    racing = [
        Racer("impinge", None, [], ("first", "within", "distance")),
        Racer("coal-obb", None, [], ("within",)),
        Racer("fcl-rss", None, [], ("distance",)),
    ]
    of = scene()
    return Found([of], racing, {of.name: runs}, compare(of, runs), [], 4, Exact(problem="not built"))


def judged(runs):
    return {bar.what: bar for bar in bars(found(runs))}


class Near(unittest.TestCase):
    def test_the_lesser_time_counts_and_frames_may_be_left_out(self):
        run = Run()
        read(run, output((0, (5.0, 0, bits(0.25))), (1, (7.0, 1, bits(0.0)))), "distance", 3)
        again = output((0, (6.0, 0, bits(0.25))), (1, (3.0, 1, bits(0.0))), (2, (1.0, 0, bits(4.0))))
        read(run, again, "distance", 3)
        self.assertEqual((run.us, run.answers), ([5.0, 3.0, 1.0], [0.25, 0.0, 4.0]))
        run = Run()
        read(run, output((0, (5.0, 1, "1"))), "within 0", 3)
        self.assertEqual(run.answers, [True])

    def test_what_breaks_the_contract_is_refused(self):
        for text in (HEAD, output((1, (5.0, 0, "0"))), output(*((k, (1.0, 0, "0")) for k in range(4)))):
            with self.assertRaises(ValueError):
                read(Run(), text, "first", 3)
        run = Run()
        read(run, output((0, (5.0, 0, "0"))), "first", 3)
        with self.assertRaises(ValueError):
            read(run, output((0, (5.0, 1, "1"))), "first", 3)

    def test_the_exporters_lines(self):
        lines = ["#size\t2.0", "group\t-\t0\t9", "0\t7\tnear\t-\t-\t2e-06\t2.1e-06"]
        lines += ["1\t7\t1 %, 2 times\t0.02\t2.0\t0.04\t0.04", "2\t8\t10 %, 2 times\t0.2\t2.0\t0.4\t0.4"]
        made = spread(Spread("x", None), "\n".join(lines))
        self.assertEqual((made.size, made.margins), (2.0, (0.02, 0.2)))
        self.assertEqual([told.margin for told in made.told], [None, 0, 1])
        self.assertEqual(made.told[0].hi, 2.1e-06)

    def test_a_margin_is_asked_about_at_its_own_distances(self):
        self.assertEqual(list(taken(scene(), "within 0")), [0, 1, 3])
        self.assertEqual(list(taken(scene(), "within 0", beyond=True)), [1, 3])
        self.assertEqual(list(taken(scene(), "within 1", beyond=True)), [3])
        self.assertEqual(len(taken(scene(), "distance")), 4)

    def test_our_own_faults_are_found(self):
        self.assertEqual(own_faults(scene(), ours()), [])
        for key, frame, answer in (
            ("distance", 1, 0.0220001),
            ("within 0", 0, False),
            ("within 1", 3, True),
            ("first", 2, True),
        ):
            runs = ours()
            runs["impinge", key].answers[frame] = answer
            faults = own_faults(scene(), runs)
            self.assertEqual(len(faults), 1)
            self.assertIn(f"frame {frame}, {key}", faults[0])

    def test_rivals_are_compared(self):
        runs = ours()
        runs["fcl-rss", "distance"] = Run([1.0] * 4, [0.01, 0.022 + 1e-6, 0.1 + 3e-6, float("nan")])
        runs["coal-obb", "within 0"] = Run([1.0] * 2, [True, True])
        one, two = compare(scene(), runs)
        self.assertEqual((one.differing, one.asked), ([2, 3], 4))
        self.assertEqual((two.differing, two.asked), ([1], 2))
        rows = tables(found(runs))["Differences"].rows
        self.assertIn(["fcl-rss", "distance", "4", "2", "inf", "0", "rods 2"], rows)
        self.assertIn(["coal-obb", "within", "2", "1", "", "0", "rods 1"], rows)

    def test_pairs_alone_contradict(self):
        runs, asked = ours(), type("Asked", (), {"core": 0, "limit": 1})
        runs["fcl-rss", "distance"] = Run([1.0] * 4, [0.01, 0.022, 0.1, 0.0])
        theirs = compare(scene(), runs)

        def settled(printed):
            keep, near.printed = near.printed, printed
            try:
                return settle("program", scene(), theirs, asked)
            finally:
                near.printed = keep

        def contradicts(words, core, limit):
            self.assertEqual(words[-1], "0,1,2,3")
            return "".join(f"{k}\t0\t0\t-\t-\t9\tagrees\n" for k in range(3)) + (
                "3\t2.0\t2.0\t1.0\t1.5\t7\tcontradicts\n"
            )

        told, bugs = settled(contradicts)
        self.assertEqual((len(told), len(bugs), theirs[0].unsettled), (4, 1, 0))
        self.assertIn("rods, frame 3", bugs[0])

        def fails(words, core, limit):
            raise Failed("over the limit")

        told, bugs = settled(fails)
        self.assertEqual((len(told), bugs, theirs[0].unsettled), (4, [], 1))

    def test_the_oracle_contradicts(self):
        one = Exact()
        one.take(HEAD + "0\t4\t0\t0\tagrees\n1\t0\t1\t3\twithin 3ff is 0\n2\t-1\t0\t0\tfailed: why\n")
        self.assertEqual((one.asked, one.agreed, one.meeting, one.degenerate, one.silent), (3, 1, 1, 1, 1))
        self.assertEqual(one.bugs(), ["pair 1 of near.pairs: within 3ff is 0"])
        self.assertEqual(one.row()[:6], ["X", "1", "3", "1", 1, 1])
        with self.assertRaises(ValueError):
            Exact().take(HEAD + "1\t4\t0\t0\tagrees\n")

    def test_bars(self):
        runs = ours(us=1.5)
        runs["coal-obb", "within 0"] = Run([30.0] * 4, [True, False, False, False])
        runs["coal-obb", "within 1"] = Run([30.0] * 4, [True, True, True, False])
        runs["fcl-rss", "distance"] = Run([30.0, 30.0, 3.0], [0.01, 0.022, 0.1])
        made = judged(runs)
        own = "within, x our own intersects, frames farther than the margin, "
        self.assertEqual({made[own + what].found for what in ("geometric mean", "each scene")}, {"1.50"})
        self.assertTrue(made[own + "geometric mean"].reached)
        self.assertEqual(made["within, x security_margin of coal-obb, geometric mean"].found, "20.0")
        slow = made["distance, x fcl-rss, each scene at each distance"]
        self.assertEqual((slow.reached, slow.found), (False, "2.00"))
        self.assertIn("rods 10 %, 0.5 times", slow.detail)
        self.assertIn("frames in time: rods 3", made["distance, x fcl-rss, geometric mean"].detail)
        made = judged(ours(us=4.0))
        self.assertFalse(made[own + "geometric mean"].reached or made[own + "each scene"].reached)
        self.assertIsNone(made["distance, x fcl-rss, geometric mean"].reached)

    def test_what_failed_is_named(self):
        runs = ours()
        runs["fcl-rss", "distance"] = Run(problem="over the limit")
        bar = judged(runs)["distance, x fcl-rss, geometric mean"]
        self.assertIsNone(bar.reached)
        self.assertIn("rods (over the limit)", bar.detail)
        self.assertEqual(tables(found(runs))["Distance"].rows[0][2:], ["-"])


if __name__ == "__main__":
    unittest.main()
