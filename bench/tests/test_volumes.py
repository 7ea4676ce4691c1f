"""Tests of common volumes beside exact ones, and of queries beside plain ones."""

import math
import unittest

from driver.solids_ourselves import QUESTIONS, bars as own_bars, own_table, ratios
from driver.solids_volumes import (
    Checks,
    Interval,
    agreement,
    bars,
    compare,
    exact,
    holds,
    intervals,
    rival_of,
    rival_table,
    width_table,
    widths_of,
)

KNOWN = ["p", "q", "r", "s"]


def interval(lo, hi, embedded=True):
    return Interval((lo, hi), embedded, 1.0, 1000.0)


class Checked(unittest.TestCase):
    def test_lines(self):
        lines = [["0", "1.0", "2.0", "1", "3.0", "4.0", "9"], ["1", "none", "-", "0", "3.0", "4.0", "9"]]
        own = intervals(lines)
        self.assertEqual(own, [Interval((1.0, 2.0), True, 3.0, 4.0), Interval(None, False, 3.0, 4.0)])
        lines = [["0", "-", "-"], ["1", "failed: why", "-"], ["2", "0.5", "0.75"]]
        self.assertEqual(exact(lines), [None, "failed: why", (0.5, 0.75)])

    def test_both_roundings_must_be_held(self):
        self.assertTrue(holds((1.0, 1.0), (1.0, 1.0)))
        third = 1 / 3
        rounded = (math.nextafter(third, 0), third)
        self.assertTrue(holds(rounded, rounded))
        self.assertFalse(holds((third, 1.0), rounded))
        self.assertFalse(holds((0.0, rounded[0]), rounded))

    def compared(self):
        ours = [interval(0.0, 0.0), interval(1.0, 2.0), interval(1.0, 1.0), Interval(None, True, 1.0, 1.0)]
        nef = [(0.0, 0.0), (3.0, 3.0), "failed: why", (1.0, 1.0)]
        corefine = [(5.0, 5.0), None, (1.0, 1.0), None]
        return ours, compare("house", KNOWN, ours, {"Nef": ("5", nef), "corefinement": ("5", corefine)})

    def test_what_contradicts_and_what_is_refuted(self):
        _, (truth, (nef, corefine)) = self.compared()
        self.assertEqual((nef.asked, nef.held, len(nef.silent), len(nef.none)), (2, 1, 1, 1))
        self.assertIn("house, pair 1 (q): impinge has 1.0 to 2.0, Nef 3.0", nef.against[0])
        # Nef polyhedra agree with us on the first pair, and have no result for the third.
        self.assertEqual((corefine.held, len(corefine.against), len(corefine.refuted)), (1, 0, 1))
        self.assertEqual(truth, [(0.0, 0.0), (3.0, 3.0), (1.0, 1.0), None])
        # Without another oracle to refute it, it contradicts.
        _, (alone,) = compare("house", ["p"], [interval(0.0, 0.0)], {"corefinement": ("5", [(5.0, 5.0)])})
        self.assertEqual((len(alone.against), len(alone.refuted)), (1, 0))

    def test_widths(self):
        one, wide = interval(1.0, 1.0 + 2**-31), interval(0.0, 1e-11)
        self.assertEqual(one.share(0.0, 0.0), math.inf)
        self.assertEqual(interval(0.0, 0.0).share(0.0, 0.0), 0.0)
        self.assertAlmostEqual(wide.share(0.0, 1.0), 10)
        self.assertAlmostEqual(one.share(1.0, 1.0), 2**-31 / 1.001e-9)
        other = interval(0.0, 9.0, embedded=False)
        widths = widths_of("house", KNOWN, [one, wide, other], [(1.0, 1.0), (0.0, 0.0), (1.0, 1.0)])
        self.assertEqual([of[4] for of in widths.of], ["p", "q"])
        hold, narrow = bars(Checks(widths=[widths]))
        self.assertIsNone(hold.reached)
        self.assertEqual((narrow.found, narrow.reached), ("10.0", False))
        self.assertEqual(width_table(Checks(widths=[widths])).rows[0][4:7], ["0", "1", "0"])

    def test_a_rival_that_rounds(self):
        truth = [(2.0, 2.0), (0.0, 0.0), (1.0, 1.0), (1.0, 1.0)]
        lines = [["0", "2.5"], ["1", "0.1"], ["2", "0.0"], ["3", "failed: why"]]
        one = rival_of("house", KNOWN, truth, lines)
        self.assertEqual((one.of, one.invented, one.missed, one.failed), ([(0.25, 2.0, 2.5, "p")], 1, 1, 1))
        self.assertEqual(rival_table(Checks(rivals=[one])).rows[0][4], "p: 2.5 for 2")

    def test_agreement(self):
        ours, (truth, checked) = self.compared()
        checks = Checks(checked, [widths_of("house", KNOWN, ours, truth)], [], ["saw: over the limit"])
        nef, corefine = agreement(checks).rows
        self.assertEqual(nef[6:], ["1", "0", "1", "1"])
        self.assertEqual(corefine[6:], ["0", "1", "0", "0"])
        self.assertFalse(bars(checks)[0].reached)


class Ourselves(unittest.TestCase):
    FOUND = {
        "house": [
            ["p", "0", "overlap", "1", "2.0", "3.0", "9.0", "9.0"],
            ["q", "1", "touch", "1", "9.0", "9.0", "4.0", "6.0"],
            ["r", "2", "apart", "0", "1.0", "9.0", "1.0", "9.0"],
        ],
        "saw": [["s", "0", "overlap", "1", "2.0", "2.0", "9.0", "9.0"]],
    }

    def test_ratios_of_the_relation_that_is_asked_about(self):
        crossing, touching = QUESTIONS
        self.assertEqual(ratios(crossing, self.FOUND["house"]), [(1.5, 3.0, 2.0, "p")])
        self.assertEqual(ratios(touching, self.FOUND["house"]), [(1.5, 6.0, 4.0, "q")])

    def test_bars(self):
        crossing, touching = own_bars(self.FOUND)
        self.assertEqual((crossing.found, crossing.reached), ("1.22", True))
        self.assertIn("over it 1 of 2 pairs; most: 1.50, p", crossing.detail)
        self.assertEqual((touching.found, touching.reached), ("1.50", True))
        self.assertIsNone(own_bars({})[0].reached)
        # Two queries of two sets, less the one without such pairs, and a sum each.
        self.assertEqual(len(own_table(self.FOUND).rows), 3 + 2)


if __name__ == "__main__":
    unittest.main()
