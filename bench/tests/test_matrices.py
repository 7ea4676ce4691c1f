"""Tests of the league table of collision matrices: how pairs are counted, and the record."""

import unittest
from pathlib import Path

from driver.matrices import COLUMNS, MATRICES, SAMPLES, lines, row
from driver.proxies_models import CLONES, WHEELS, Model
from driver.record import FILE, read, results
from driver.shell import BENCH

RECORD = BENCH / "records/matrices"


def pair(reason, use, sample=None, wrong=False):
    configuration = None if sample is None else {"shoulder": 0.1, "elbow": -2.0}
    return {
        "links": ["base", "hand"],
        "reason": reason,
        "use": use,
        "sample": sample,
        "wrong": wrong,
        "configuration": configuration,
    }


class Matrices(unittest.TestCase):
    def setUp(self):
        self.found = {
            "pairs": [
                pair("Never", "moving", 17, wrong=True),
                pair("Never", "moving"),
                pair(None, "moving", 5, wrong=True),
                pair("Default", "moving", 0),
                pair("Adjacent", "joined"),
                pair("Never", "no shape"),
                pair("Never", "unknown"),
            ]
        }

    def test_pairs_are_counted_once(self):
        model = Model("arm", "collision", "here", Path("arm.urdf"))
        cells = dict(zip(COLUMNS, row(model, self.found, 0.25), strict=True))
        counts = [cells[name] for name in ("disabled", "without effect", "unknown links", "meant", "never", "wrong")]
        self.assertEqual(counts, ["7", "2", "1", "1", "3", "2"])
        self.assertEqual(cells["first sample"], "5")

    def test_each_wrong_pair_has_its_configuration(self):
        text = lines(self.found).splitlines()
        self.assertEqual(text[1], "base\thand\tNever\t17\tshoulder=0.1 elbow=-2.0")
        self.assertEqual(len(text), 3)

    def test_the_record_has_all_robots_and_their_wrong_pairs(self):
        tables = results(RECORD)
        rows = [dict(zip(COLUMNS, cells)) for cells in tables["Matrices"].rows]
        known = {(source, robot) for source, of in MATRICES.items() for robot in of}
        self.assertEqual({(one["source"], one["robot"]) for one in rows}, known)
        self.assertEqual(tables["Failed"].rows, [])
        self.assertIn(f" {SAMPLES} random configurations", dict(tables["about"].rows)["method"])
        runs = read(RECORD / FILE)
        for one in rows:
            parts = [one[name] for name in ("without effect", "unknown links", "meant", "never")]
            self.assertEqual(int(one["disabled"]), sum(map(int, parts)), one)
            found = runs.get(f"{one['robot']}.{one['source']}", "").splitlines()[1:]
            self.assertEqual(len(found), int(one["wrong"]), one)
        self.assertTrue({cells[0] for cells in tables["Engines"].rows} <= {*WHEELS, *CLONES})


if __name__ == "__main__":
    unittest.main()
