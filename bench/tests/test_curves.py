"""Tests of the race of curves: the programs' output, ratios, bars, and the record."""

import unittest

from driver import curves
from driver.curves import Result, lesser, read_ours, read_theirs
from driver.curves_exact import Exact
from driver.scenes import Scene

OURS = (
    "#engine\timpinge\n#meet\t9 of 10\n3\t10.0\t30.0\t90\t2\t1\t40\t0\t1\n7\t20.0\t20.0\t9\t1\t1\t9\t0\t0\n"
)
THEIRS = "#engine\tCGAL\n#version\t5\n#notes\t-\n3\t600.0\t2\t1\t40\n7\tfailed\tself-intersection\n"


def result():
    one = Result(Scene("rods", None, triangles=(10, 20)), meet="9 of 10")
    one.ours, one.about["impinge"] = read_ours(OURS)
    one.theirs, one.about["cgal"] = read_theirs(THEIRS)
    return one


class Curves(unittest.TestCase):
    def test_what_programs_print(self):
        one = result()
        self.assertEqual((one.ours[3].us, one.ours[3].segments, one.ours[3].points), (30.0, 40, 1))
        self.assertEqual((one.theirs[3].us, one.theirs[3].closed), (600.0, 1))
        self.assertEqual(one.theirs[7].failed, "self-intersection")

    def test_of_two_runs_the_lesser_times(self):
        again, _ = read_ours(OURS.replace("10.0\t30.0", "12.0\t25.0"))
        both = lesser(again, read_ours(OURS)[0])
        self.assertEqual((both[3].pairs_us, both[3].us), (10.0, 25.0))
        one, two = read_theirs(THEIRS)[0], read_theirs(THEIRS.replace("600.0", "500.0"))[0]
        self.assertEqual(lesser(one, two)[3].us, 500.0)

    def test_another_answer_than_before_is_refused(self):
        with self.assertRaises(ValueError):
            lesser(read_ours(OURS)[0], read_ours(OURS.replace("\t40\t", "\t41\t"))[0])

    def test_bars(self):
        cgal, pairs = curves.bars([result()])
        self.assertEqual((cgal.found, cgal.reached), ("20.0", True))
        self.assertEqual((pairs.found, pairs.reached), ("1.73", True))
        self.assertIn("worst: 3.00, rods", pairs.detail)
        cgal, pairs = curves.bars([Result(Scene("rods", None))])
        self.assertIsNone(cgal.reached or pairs.reached)

    def test_the_record(self):
        cells = curves.tables([result()], Exact())["Frames"].rows
        same = ["rods", "3", "90", "10.0", "30.0", "2", "1", "40", "0", "1", "600.0", "2", "1", "40", "same"]
        self.assertIn(same, cells)
        failed = ["rods", "7", "9", "20.0", "20.0", "1", "1", "9", "0", "0", *"----", "self-intersection"]
        self.assertIn(failed, cells)

    def test_exact_numbers(self):
        one = Exact()
        one.take(
            "#engine\tCGAL\n#version\t5\n0\tboxes, no pose\t8\t1\t1\t0\t0\t0\tagrees\n"
            "1\tglued, one pose\t4\t0\t0\t1\t0\t1\tpoints\n2\tgrid\t1\t0\t0\t0\t1\t0\tfailed: why\n"
        )
        self.assertEqual((one.asked, one.agreed, one.crossing), (3, 1, 1))
        self.assertEqual(one.against, ["pair 1 of curves.pairs (glued, one pose): points"])
        self.assertEqual(one.silent, ["pair 2 of curves.pairs (grid): failed: why"])
        (row,) = curves.tables([result()], one)["Oracles"].rows
        self.assertEqual(row[:6], ["CGAL", "5", "3", "1", "1", "1"])


if __name__ == "__main__":
    unittest.main()
