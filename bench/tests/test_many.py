"""Tests of the races of many bodies: tables of runs."""

import unittest

from driver.many import Entry, engines_table, read

HEAD = "#engine\tX\n#version\t1\n#flags\t-\n#notes\t-\n"


def entry(name, *runs):
    made = Entry(name, None, "")
    for run in runs:
        read(
            made,
            HEAD
            + "".join(
                f"{frame}\t{ns}\t{pairs}\t{triangles}\t{digest}\n"
                for frame, ns, pairs, triangles, digest in run
            ),
        )
    return made


class Many(unittest.TestCase):
    def test_medians_and_ratios_over_shared_frames(self):
        ours = entry(
            "ours",
            [(2, 1_000_000, 5, 0, "a"), (3, 3_000_000, 5, 0, "b")],
            [(2, 9_000_000, 5, 0, "a"), (3, 3_000_000, 5, 0, "b")],
            [(2, 2_000_000, 5, 0, "a"), (3, 3_000_000, 5, 0, "b")],
        )
        few = entry("few", [(3, 12_000_000, 6, 0, "c")])
        self.assertEqual(ours.time(2), 2_000_000)
        ours_row, few_row = engines_table([ours, few], False).rows
        self.assertEqual(ours_row[:7], ["ours", "2.50", "3.00", "1.00", "5.00", "0", "2"])
        self.assertEqual(few_row[:7], ["few", "12.0", "12.0", "4.00", "6.00", "1", "1"])

    def test_an_answer_that_changes_from_run_to_run_is_refused(self):
        with self.assertRaises(ValueError):
            entry("x", [(0, 1, 5, 0, "a")], [(0, 1, 5, 0, "b")])

    def test_what_failed_is_a_row(self):
        failed = Entry("failed", None, "", problem="not built: why")
        of = engines_table([entry("ours", [(0, 1, 1, 1, "a")]), failed], True)
        self.assertEqual(of.row("failed")["note"], "not built: why")
        self.assertEqual({len(row) for row in of.rows}, {len(of.head)})


if __name__ == "__main__":
    unittest.main()
