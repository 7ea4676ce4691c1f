"""Tests of the race of motions: verdicts, tables, and files of moving points."""

import struct
import tempfile
import unittest
from pathlib import Path

from driver import motion, motion_points
from driver.motion import Run, Scene, check
from driver.motion_report import judge, tables
from driver.shell import Failed


def contact(lo, hi=None, us=1.0, **about):
    return Run("contact", lo, lo if hi is None else hi, us, {"version": "1", "notes": "-", **about})


def clear(us=1.0):
    return Run("clear", us=us, about={"version": "1", "notes": "-"})


def scene(truth, ours, **found):
    one = Scene("rods", None, "meshes", (8, 12, 8, 12), truth)
    one.found = {"impinge": ours, **found}
    return one


def write(path, first, second):
    """A scene's file of two triangles at the identity, which rest."""
    parts = [struct.pack("<8sII4sI", b"IMPMOTIO", 1, 4, b"rods", 0)]
    for corners in (first, second):
        parts.append(struct.pack("<II9d3I", 3, 1, *sum(corners, ()), 0, 1, 2))
    path.write_bytes(b"".join(parts))


class Motion(unittest.TestCase):
    def test_verdicts(self):
        ours = contact(0.25, 0.25 + 1e-9)
        for run, word in [
            (clear(), "missed"),
            (contact(0.25), "right"),
            (contact(0.2505), "right"),
            (contact(0.26), "late"),
            (contact(0.24), "early"),
            (Run("undecided", 0.1, 0.2, 1.0), "undecided"),
            (Run(problem="over the limit of 60 s"), ""),
        ]:
            for truth in (None, (0.2, 0.3)):
                self.assertEqual(judge(scene(truth, ours, fcl=run), "fcl"), word)
        for run, word in [(clear(), "right"), (contact(0.5), "invented")]:
            self.assertEqual(judge(scene("clear", clear(), fcl=run), "fcl"), word)
        # Geometry, not we, decides whether there is a contact.
        self.assertEqual(judge(scene((0.2, 0.3), clear()), "impinge"), "missed")
        self.assertEqual(judge(scene("clear", contact(0.2)), "impinge"), "invented")

    def test_a_contact_against_geometry_and_rational_numbers(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rods.motion"
            flat = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
            write(path, flat, [(0.25, 0.25, 1.0), (1.0, 1.0, 2.0), (0.0, 1.0, 2.0)])
            for down, hi, lines in [
                (-1.0, 0.3, []),
                (-1.0 + 2**-52, 0.3, ["its two triangles do not meet at its pose"]),
                (-1.0, 0.2, ["contact from 0.25 to 0.25, but from 0.2 to 0.2 by geometry"]),
            ]:
                pose = f"1.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0 1.0 0.0 0.0 {down!r}"
                one = scene((0.2, hi), contact(0.25, pair="0 0", pose=pose))
                one.path = path
                check(one)
                self.assertEqual(one.wrong, lines)
        for truth, ours, wrong in [("clear", clear(), 0), ((0.2, 0.3), clear(), 1), (None, clear(), 0)]:
            one = scene(truth, ours)
            check(one)
            self.assertEqual(len(one.wrong), wrong)

    def test_tables(self):
        failed = Run(problem="over the limit of 60 s")
        scenes = [
            scene(
                (0.2, 0.3), contact(0.25, us=10.0), **{"parry3d-f64": contact(0.25, us=2e4), "fcl": clear()}
            ),
            scene("clear", clear(us=10.0), **{"parry3d-f64": failed, "fcl": clear(us=50.0)}),
        ]
        points = motion_points.Points(truth=[True, False, False])
        points.found = {
            "impinge": motion_points.Run(30.0, 30.0, 0.0, 20.0, "100", "1"),
            "additive": motion_points.Run(100.0, 100.0, 40.0, 90.0, "110", "2"),
        }
        made = tables(scenes, ["impinge", "parry3d-f64", "fcl"], points)
        bar = made["Bars"].row("meshes, parry3d-f64 over impinge, each scene")
        self.assertEqual((bar["found"], bar["reached"]), ("2000", "yes"))
        self.assertEqual(bar["how"], "least on rods; geometric mean 2000; finished 1 of 2")
        bar = made["Bars"].row("moving points, mean time, additive over impinge")
        self.assertEqual((bar["found"], bar["reached"]), ("2.00", "no"))
        self.assertEqual(made["Bars"].row("moving points, our hits")["reached"], "yes")
        self.assertEqual(made["Times"].rows[0], ["rods", "10.0", "20000 (2000)", "1.00 (0.10)"])
        self.assertEqual(made["Verdicts"].rows[0][2:], ["0.2500000000", "0.2500000000", "clear: missed"])
        self.assertEqual(made["Results"].rows[1], ["parry3d-f64, meshes", *"2 1 1 0 0 0 0 0 1".split()])
        self.assertEqual(made["Results"].rows[2], ["fcl, meshes", *"2 1 1 1 0 0 0 0 0".split()])
        self.assertEqual(made["Moving points"].rows[1][2:6], ["3", "1", "1", "0"])
        self.assertEqual(made["Scenes"].rows[1][-1], "parry3d-f64: over the limit of 60 s")

    def test_a_run_is_read(self):
        run = motion.read("#version\t1\n#status\tFailed\ncontact\t0.25\t0.5\t7.5\n")
        self.assertEqual((run.verdict, run.lo, run.hi, run.us), ("contact", 0.25, 0.5, 7.5))
        self.assertEqual(run.about["status"], "Failed")
        with self.assertRaises(ValueError):
            motion.read("maybe\t0\t0\t1\n")

    def test_the_least_of_several_runs(self):
        points = motion_points.Points(truth=[True, False])
        for ns in ("4.0\t2.0\t0.0\t3.0", "3.0\t5.0\t0.0\t1.0"):
            motion_points.read(points, f"#version\t1\nimpinge\t{ns}\t10\n")
        run = points.found["impinge"]
        self.assertEqual((run.meets_ns, run.others_ns, run.call_ns, run.median_ns), (3.0, 2.0, 0.0, 1.0))
        self.assertEqual(points.mean(run), 2.5)
        for results in ("11", "1"):
            with self.assertRaises(ValueError):
                motion_points.read(points, f"#version\t1\nimpinge\t1\t1\t0\t1\t{results}\n")

    def test_moving_points(self):
        text = "".join(f"{k},2,-3,4,1,1,1\n" for k in range(16))
        (edges, meets, first), (_, _, second) = motion_points.parse(text, True)
        self.assertEqual((edges, meets, len(first)), (True, True, 24))
        self.assertEqual(first[:6], [0.0, -0.75, 1.0, 0.5, -0.75, 1.0])
        self.assertEqual(second[0], 4.0)
        with self.assertRaises(Failed):
            motion_points.number("1", "3")


if __name__ == "__main__":
    unittest.main()
