"""Tests of the races of whole assemblies: ratios and bars of runs."""

import os
import sys
import unittest
from pathlib import Path

from driver.assemblies import (
    File,
    Program,
    REST,
    Runs,
    WHOLE,
    bars,
    parse,
    per_file,
    programs_table,
    record,
    same_assembly,
    spent,
    tables,
)
from driver.shell import Failed

HEAD = "#engine\tX\n#version\t1\n#flags\t-\n#notes\t-\n#parts\t2\n#triangles\t24\n"


def runs(name, *times, found=(1, 8), left_out=0):
    """`times`: for each run, milliseconds of the whole and of reading."""
    made = Runs(name)
    for whole, reading in times:
        made.add(f"{HEAD}#left_out\t{left_out}\n{found[0]}\t{found[1]}\t{reading}\t0.5\n", whole)
    return made


def file(*of):
    return File(Path("some/a.obj"), runs={one.name: one for one in of})


class Assemblies(unittest.TestCase):
    def test_a_runners_output(self):
        about, found, reading = parse(HEAD + "3\t40\t1.250\t9.5\n")
        self.assertEqual((about["parts"], found, reading), ("2", (3, 40), 1.25))
        for broken in ["", HEAD, "1\t2\t3\n", "1\t2\t3\t4\n1\t2\t3\t4\n", "a\t2\t3\t4\n"]:
            with self.assertRaises(ValueError):
                parse(broken)

    def test_an_answer_that_changes_from_run_to_run_is_refused(self):
        made = runs("x", (1, 0))
        with self.assertRaises(ValueError):
            made.add("1\t9\t0\t0\n", 1)

    def test_the_least_counts_and_the_quickest_method_is_the_rival(self):
        raced = file(
            runs("impinge", (12, 2), (10, 4), (11, 3)),
            runs("cgal-parts", (50, 10), (40, 20), (45, 15)),
            runs("cgal-all", (44, 2)),
        )
        self.assertEqual(raced.ours.time(WHOLE), 10)
        self.assertEqual(raced.ours.time(REST), 8)
        self.assertEqual((raced.best("CGAL", WHOLE), raced.best("CGAL", REST)), ("cgal-parts", "cgal-parts"))
        self.assertEqual((raced.ratio("CGAL", WHOLE), raced.ratio("CGAL", REST)), (4, 3.75))
        self.assertIsNone(raced.ratio("FCL", REST))

    def test_bars(self):
        good = file(runs("impinge", (10, 2)), runs("cgal-all", (80, 5)))
        bad = file(runs("impinge", (10, 2)), runs("cgal-all", (20, 5)))
        ordinary, mean, least, rest, *others = bars([good, bad])
        self.assertEqual((ordinary.reached, ordinary.detail), (None, "not in this run"))
        self.assertEqual((mean.found, mean.reached), ("4.00", True))
        self.assertEqual((least.found, least.reached), ("2.00", False))
        self.assertIn("a 2.00", least.detail)
        self.assertEqual(rest.reached, False)
        self.assertEqual([bar.reached for bar in others], [None] * 4)
        self.assertIn("2.00 under", str(per_file([good, bad])))

    def test_the_ordinary_check_is_compared_by_medians(self):
        raced = file(
            runs("impinge", (1, 0)),
            runs("impinge-default", (10, 2), (30, 2), (20, 2)),
            runs("cgal-parts", (5, 1), (25, 1), (31, 1)),
        )
        bar = bars([raced])[0]
        self.assertEqual((bar.found, bar.reached), ("1.25", True))

    def test_what_we_do_not_manage_is_not_reached(self):
        failed = file(Runs("impinge", problem="over the limit"), runs("cgal-all", (80, 5)))
        self.assertEqual([bar.reached for bar in bars([failed])], [None] + [False] * 7)
        self.assertIn("over the limit", str(programs_table(failed)))

    def test_counts_that_differ_are_told_and_only_an_exact_rival_contradicts(self):
        raced = file(
            runs("impinge", (10, 2)),
            runs("cgal-parts", (10, 2), found=(1, 7), left_out=1),
            runs("cgal-all", (10, 2), found=(1, 7)),
            runs("fcl-obb", (10, 2), found=(2, 9)),
        )
        self.assertEqual(len(list(raced.contradictions())), 1)
        self.assertIn("7 -1", str(programs_table(raced)))
        self.assertIn("9 +1", str(programs_table(raced)))
        self.assertEqual(len(record([raced]).splitlines()), 5)
        gone = File(Path("some/b.obj"), problem="no such file")
        made = tables([raced, gone], [Program(name, None) for name in raced.runs])
        self.assertEqual([row[:2] for row in made["Times"].rows], [["a", name] for name in raced.runs])
        self.assertEqual(made["Scenes"].rows, [["a", "2", "24", ""], ["b", "-", "-", "no such file"]])

    def test_another_assembly_is_refused(self):
        raced = file(runs("impinge", (10, 2)), runs("cgal-all", (10, 2)))
        raced.runs["cgal-all"].about["parts"] = "3"
        same_assembly(raced)
        self.assertIn("reads 3 parts, impinge 2", raced.runs["cgal-all"].problem)

    def test_processor_time_of_a_process_and_its_status(self):
        core = max(os.sched_getaffinity(0))
        before = os.sched_getaffinity(0)
        busy = "import sys\nfor _ in range(300000): pass\nsys.stderr.write('why')\nsys.exit(2)"
        with open(os.devnull, "w") as out:
            whole, status, complaint = spent([sys.executable, "-c", busy], core, 60, out)
            self.assertGreater(whole, 1)
            self.assertEqual((status, complaint), (2, "why"))
            with self.assertRaises(Failed):
                spent(["sleep", "60"], core, 0.05, out)
        self.assertEqual(os.sched_getaffinity(0), before)


if __name__ == "__main__":
    unittest.main()
