"""What two bodies are to each other: runs into answers, ratios and bars."""

import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "solids"))

import layout  # noqa: E402  (the path must be there first)
from driver.solids import Checked, Racer, by_volumes, rows  # noqa: E402
from driver.solids_report import (  # noqa: E402
    DEMAND,
    OURS,
    answers,
    bars,
    compact,
    oracle,
    per_set,
    written,
)


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


KNOWN = {"house": ["p", "q", "r"]}


class Asked:
    repeat, quick = 3, False


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

    def test_a_difference_is_listed(self):
        one = Checked("CGAL", {})
        one.take("pair 0", "touch", "touch", True)
        one.take("pair 1", "touch", "overlap", False)
        self.assertEqual((one.asked, one.agreed, len(one.against)), (2, 1, 1))
        self.assertIn("pair 1: impinge says touch, CGAL overlap", oracle(one))

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
        text = per_set(raced(), KNOWN, 1)
        self.assertIn("fails on 1", text)
        self.assertIn("not built: no compiler", text)
        line = next(line for line in answers(raced(), KNOWN).splitlines() if "manifold3d" in line)
        self.assertEqual([cell.strip() for cell in line.split("|")[1:-1]], ["manifold3d", "3", "1", "0", "0"])

    def test_documents(self):
        one = Checked("CGAL", {"version": "5"})
        one.take("pair 1", "touch", "overlap", False)
        text = written([one], raced(), KNOWN, ["house: 3 of 9"], {"nef": "no"}, Asked(), "a machine")
        for words in ("CONTRADICTIONS", "house: 3 of 9", "nef: no", "a machine"):
            self.assertIn(words, text)
        self.assertIn("0 of 3", compact([one], raced(), Asked()))

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
