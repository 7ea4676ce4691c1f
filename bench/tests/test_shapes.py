"""Tests of the race of shapes: tables of results, and the exact oracle."""

import unittest
from fractions import Fraction

from driver.shapes import Pair, Run
from driver.shapes_exact import squared
from driver.shapes_report import tables

QUERIES = ["first contact", "distance", "within"]


def run(ns, first, distance, within):
    bounds = dict(zip(QUERIES, ([(x, x) for x in of] for of in (first, distance, within))))
    return Run(ns=dict(zip(QUERIES, ns)), bounds=bounds, about={"version": "1", "notes": "-"})


class Shapes(unittest.TestCase):
    def test_tables(self):
        ours = run([100.0, 200.0, 50.0], [1.0, 0.0], [0.0, 0.5], [1.0, 0.0])
        coal = run([400.0, 200.0, 100.0], [0.0, 1.0], [0.0, 0.25], [1.0, 1.0])
        failed = Run(problem="failed: no mesh")
        pair = Pair("rods", None, "small sphere", (1, 1, 8, 12), 1.0, checked=2)
        pair.found = {"impinge": ours, "coal": coal, "fcl": failed}
        made = tables([pair], list(pair.found))
        what = "spheres and capsules against meshes"
        self.assertEqual(
            made["Bars"].row(f"{what}, all queries, coal over impinge"),
            {
                "bar": f"{what}, all queries, coal over impinge",
                "wanted": ">= 3",
                "found": "2.00",
                "reached": "no",
                "least": "1.00 (rods: distance)",
            },
        )
        self.assertEqual(
            made["Ratios"].rows[0], ["small sphere", "first contact", "100.0", "400.0 (4.00)", "-"]
        )
        self.assertEqual(made["Results"].rows, [["coal", what, "2", "1", "1", "1", "0", "1", "1", "2.5e-01"]])
        self.assertEqual(made["Oracles"].rows[0][2:5], ["2", "2", "0"])
        self.assertEqual(made["Pairs"].rows[0][-1], "fcl: failed: no mesh")

    def test_exact_distances(self):
        def of(*corners):
            return tuple(tuple(map(Fraction, corner)) for corner in corners)

        triangle = of((0, 0, 0), (4, 0, 0), (0, 4, 0))
        for other, wanted in [
            (of((1, 1, 3)), 9),
            (of((5, 0, 0)), 1),
            (of((3, 3, 1)), 3),
            (of((1, 1, -1), (1, 1, 1)), 0),
            (of((5, 0, 0), (5, 0, 9)), 1),
            (of((1, 1, 2), (1, 1, 5)), 4),
            (of((-1, -1, 1), (5, -1, 1), (-1, 5, 1)), 1),
            (of((1, 1, -1), (1, 1, 1), (9, 9, 0)), 0),
            (of((1, 1, 0), (1, 1, 0), (1, 1, 0)), 0),
        ]:
            self.assertEqual(squared(triangle, other), wanted, other)
            self.assertEqual(squared(other, triangle), wanted, other)
        self.assertEqual(squared(of((0, 0, 0), (2, 0, 0)), of((1, -1, 1), (1, 1, 1))), 1)


if __name__ == "__main__":
    unittest.main()
