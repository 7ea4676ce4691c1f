"""Tests of the race of points and rays: tables of results."""

import unittest

from driver.points import Asked, Of, Racer, tables
from driver.scenes import Scene

NAMES = ["closest, near", "closest, far", "inside, near"]


class Points(unittest.TestCase):
    def test_tables(self):
        ours = Of(ns=[100.0, 200.0, 50.0], about={"version": "1", "notes": "exact"})
        parry = Of(ns=[200.0, 1600.0, None], about={"version": "2"})
        cgal = Of(problem="failed: no mesh")
        found = {"impinge": ours, "parry3d-f64": parry, "cgal": cgal}
        exact = [["0", NAMES[0], "20", "20", "-"]]
        one = Asked(
            Scene("rods", None, triangles=(10, 20)), NAMES, found, exact, {"parry3d-f64": [3, 0, None]}, 1.0
        )
        made = tables([one], [Racer(name, None) for name in found])
        self.assertEqual(made["Times"].rows[0], ["rods", NAMES[0], "100.0", "200.0 (2.00)", "-"])
        self.assertEqual(made["Ranges"].row("closest")["parry3d-f64"], "4.00 (2.00 to 8.00)")
        self.assertEqual(made["Ranges"].row("inside")["cgal"], "-")
        self.assertEqual(
            made["Bars"].rows[0],
            ["closest, times parry3d-f64", "3", "4.00", f"2.00 (rods: {NAMES[0]})", "yes"],
        )
        self.assertEqual(made["Oracles"].rows, [["rods", NAMES[0], "20", "20", "parry3d-f64: 3"]])
        self.assertEqual(made["Scenes"].rows, [["rods", "10", "1.00", "cgal: failed: no mesh"]])
        self.assertEqual(made["Engines"].row("cgal")["version"], "-")


if __name__ == "__main__":
    unittest.main()
