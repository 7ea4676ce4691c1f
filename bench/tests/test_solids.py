"""Tests of the races of solids: results, ratios and bars of runs."""

import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "solids"))

import layout  # noqa: E402  (the path must be there first)
from driver.programs import rows  # noqa: E402
from driver.solids import Checked, Racer, by_relation, by_volumes  # noqa: E402
from driver.solids_report import (  # noqa: E402
    DEMAND,
    OURS,
    Found,
    answers,
    bars,
    tables,
    volume_bars,
)
from driver.solids_volumes import Checks, Volumes  # noqa: E402


def racer(name, *found, **about):
    made = Racer(name, None, **about)
    made.found = {"house": list(found)} if found else {}
    made.about = {"engine": name, "version": "1", "flags": "-"}
    return made


def raced():
    return [
        racer(OURS, ("touch", 1.0, 10.0), ("overlap", 2.0, 20.0), ("a-in-b", 1.0, 10.0)),
        racer(DEMAND, ("touch", 1.0, 5.0), ("overlap", 2.0, 10.0), ("a-in-b", 1.0, 5.0)),
        racer("manifold3d", ("volume", 40.0, 40.0), ("volume", 20.0, 10.0), ("volume", 40.0, 40.0)),
        racer("cgal-corefine", ("no-volume", 50.0, 60.0), ("failed: x", None, None), ("volume", 0.5, 60.0)),
        racer("cgal-rigid", problem="not built: no compiler"),
    ]


def of_volumes():
    return [
        racer(OURS, ("0.0 0.0", 2.0, 20.0), ("1.0 1.1", 2.0, 20.0), ("none", 1.0, 1.0)),
        racer(DEMAND, ("0.0 0.0", 2.0, 10.0), ("1.0 1.1", 2.0, 10.0), ("none", 1.0, 1.0)),
    ]


KNOWN = {"house": ["p", "q", "r"]}


def found(checked, volumes):
    own = {"house": [["p", "0", "overlap", "1", "1.0", "1.2", "3.0", "4.0"]]}
    raced_volumes = by_relation(of_volumes(), raced())
    return Found(checked, volumes, own, raced(), raced_volumes, KNOWN, {"nef": "no"})


class Solids(unittest.TestCase):
    def test_volumes_into_relations(self):
        for volumes, kind in [
            ((0, 1, 2), "apart or touch"),
            ((1e-7, 1, 2), "apart or touch"),
            ((0.5, 1, 2), "overlap"),
            ((1, 1, 2), "a-in-b"),
            ((1, 2, 1), "b-in-a"),
            ((1, 1, 1 + 1e-9), "same"),
        ]:
            self.assertEqual(by_volumes(*volumes), kind)

    def test_output_into_rows(self):
        about, lines = rows("#engine\tX\n0\ttouch\t1\n\n1\tapart\t0\n")
        self.assertEqual((about, lines[1]), ({"engine": "X"}, ["1", "apart", "0"]))

    def test_a_difference_is_counted(self):
        one = Checked("CGAL", {})
        one.take("pair 0", "touch", "touch", True)
        one.take("pair 1", "touch", "overlap", False)
        self.assertEqual((one.asked, one.agreed, len(one.against)), (2, 1, 1))
        self.assertEqual(one.against, ["pair 1: impinge has touch, CGAL overlap"])
        made = tables(found([one], Checks()))
        self.assertEqual(made["Oracles"].rows, [["CGAL", "-", "2", "1", "1", "0", ""]])
        self.assertEqual(made["Results compared"].rows[0], ["CGAL", "touch", "overlap", "1"])

    def test_bars_over_pairs_that_both_manage(self):
        found = {bar.what: bar for bar in bars(raced(), KNOWN)}
        self.assertEqual(found["query, x manifold3d, geometric mean"].found, "25.2")
        self.assertTrue(found["query, x manifold3d, each pair"].reached)
        self.assertFalse(found["whole, x manifold3d, each pair"].reached)
        self.assertTrue(found["whole, on demand, x manifold3d, each pair"].reached)
        self.assertIn("under it 1 of 2; least: r, a-in-b", found["query, x cgal-corefine, each pair"].detail)
        self.assertIsNone(found["query, x cgal-rigid, each pair"].reached)
        self.assertIn("no compiler", found["query, x cgal-rigid, geometric mean"].detail)

    def test_tables_say_what_failed_and_what_is_answered_otherwise(self):
        made = tables(found([], Checks()))
        self.assertEqual(made["Relation"].row("cgal-rigid")["note"], "not built: no compiler")
        self.assertEqual(made["Relation"].row("manifold3d")["query: rival faster"], "0 of 3")
        self.assertEqual(made["Engines"].row("nef")["note"], "no")
        self.assertEqual(answers(raced(), KNOWN).rows[0], ["manifold3d", "3", "1", "0", "0"])
        self.assertEqual(made["Answers"].row("cgal-corefine")["no answer"], "1")

    def test_an_interval_without_its_volume_is_a_contradiction(self):
        one = Volumes("house", "CGAL", against=["house, pair 1: disagrees"])
        self.assertEqual(found([], Checks([one])).contradictions, one.against)

    def test_the_race_of_volumes(self):
        made = by_relation(of_volumes(), raced())
        self.assertEqual([one.name for one in made], [OURS, DEMAND, "manifold3d", "cgal-corefine"])
        rows = made[0].found["house"]
        self.assertEqual(rows[:2], [("touch", 2.0, 20.0), ("overlap", 2.0, 20.0)])
        self.assertEqual(rows[2][1:], (None, None))
        query, whole, demand = volume_bars(found([], Checks()))
        # The pair without a result of ours enters no ratio: only 40 / 2 and 20 / 2 do.
        self.assertEqual((query.found, query.reached), ("14.1", True))
        self.assertEqual((whole.found, whole.reached), ("1.00", False))
        self.assertIn("over 2 pairs; least: 0.50, q, overlap", whole.detail)
        self.assertEqual(demand.found, "2.00")

    def test_names_of_pairs(self):
        mesh = struct.pack("<II", 1, 1) + bytes(24 + 12)
        body = struct.pack("<I", 1) + mesh + struct.pack("<I", 0) + bytes(96)
        pieces = struct.pack("<I", 0) + mesh + struct.pack("<II", 1, 1) + mesh + bytes(96)
        data = b"IMPPAIRS" + struct.pack("<II", 1, 2)
        data += struct.pack("<I", 1) + b"p" + body + body + struct.pack("<I", 1) + b"q" + body + pieces
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            self.assertEqual(layout.names(file.name), [("p", True), ("q", False)])


if __name__ == "__main__":
    unittest.main()
