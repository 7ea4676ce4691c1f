"""Tests of the records: their two files, and the committed results against the output of every run."""

import math
import tempfile
import unittest
from pathlib import Path
from statistics import median
from types import SimpleNamespace
from unittest import mock

from driver import many, motion, motion_points, motion_report, race
from driver.record import FILE, LARGE, PACKED, RESULTS, Record, read, results, write_results
from driver.shell import BENCH, Failed
from driver.tables import big, geometric_mean, number, precise, table


class One(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name) / "record"

    def test_runs_come_back_in_their_order(self):
        record = Record(self.folder)
        record.add("b.first", "#engine\tX\n0\t1.5\n")
        record.add("a", "")
        record.add("c", "1\t2\n\n3\t4")
        runs = read(self.folder / FILE)
        self.assertEqual(list(runs), ["b.first", "a", "c"])
        self.assertEqual(list(runs.values()), ["#engine\tX\n0\t1.5\n", "", "1\t2\n\n3\t4\n"])

    def test_a_new_record_has_nothing_of_the_last(self):
        Record(self.folder).add("a", "1\n")
        write_results(self.folder, {}, {})
        (self.folder / "notes.txt").write_text("mine")
        Record(self.folder)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["notes.txt"])

    def test_a_run_cannot_hide_another(self):
        record = Record(self.folder)
        record.add("a", "1\n")
        for name, text in [("a", "2\n"), ("b", "1\n#run\tc\n"), ("", "1\n"), ("d\te", "1\n")]:
            with self.assertRaisesRegex(Failed, FILE):
                record.add(name, text)
        self.assertEqual(read(self.folder / FILE), {"a": "1\n"})

    def test_a_race_records_warm_and_cold_runs(self):
        head = "".join(f"#{key}\t1\n" for key in ("engine", "version", "flags", "notes", "build_ms", "bytes"))
        engine = SimpleNamespace(name="x:volume=obb", program="runner", arguments=[], problem="")
        scene = SimpleNamespace(name="rods", path="rods.scene", frames=1, problem="")
        record = Record(self.folder)
        outputs = [f"{head}0\t2.5\t1\t7\tab\n", f"{head}0\t5.0\t1\t7\tab\n"]
        with mock.patch.object(race, "printed", side_effect=outputs):
            result = race.race(engine, scene, "pairs", 3, 0, 10, record, sweep=64)
        self.assertEqual((result.mean, result.problem), (2.5, ""))
        self.assertEqual((result.cold.mean, result.cold.problem), (5.0, ""))
        names = ["rods.x_volume-obb.pairs", "rods.x_volume-obb.pairs.cold"]
        self.assertEqual(read(self.folder / FILE), dict(zip(names, outputs)))

    def test_a_large_file_is_compressed(self):
        record = Record(self.folder)
        record.add("a", "1\n" * 10)
        record.close({}, {})
        self.assertEqual({path.name for path in self.folder.iterdir()}, {FILE, RESULTS})
        record.add("b", "12345\t67890\n" * (LARGE // 10))
        runs = read(self.folder / FILE)
        record.close({}, {})
        self.assertEqual({path.name for path in self.folder.iterdir()}, {FILE + PACKED, RESULTS})
        self.assertLess((self.folder / (FILE + PACKED)).stat().st_size, LARGE // 10)
        self.assertEqual(read(self.folder / FILE), runs)
        self.assertEqual(list(runs), ["a", "b"])
        Record(self.folder)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_results_come_back(self):
        rows = [["rods", 1.5, ""], ["knots", "-", "failed:\tover\nthe limit"]]
        times = table(["scene", "us", "note"], rows)
        self.folder.mkdir()
        write_results(self.folder, {"date": "today"}, {"Times": times, "None": table(["a"], [])})
        found = results(self.folder)
        self.assertEqual(list(found), ["about", "Times", "None"])
        self.assertEqual(found["about"].rows, [["date", "today"]])
        self.assertEqual(found["Times"].row("rods"), {"scene": "rods", "us": "1.5", "note": ""})
        self.assertEqual(found["Times"].rows[1], ["knots", "-", "failed: over the limit"])
        self.assertEqual(found["None"].rows, [])

    def test_a_damaged_file_is_named_with_its_line(self):
        self.folder.mkdir()
        for text, line in [("1\t2\n", 1), ("#run\ta\n1\n#run\ta\n", 3)]:
            (self.folder / FILE).write_text(text)
            with self.assertRaisesRegex(Failed, f"{FILE}:{line}: "):
                read(self.folder / FILE)


def raced(folder):
    """The result of every run of two meshes, by scene, engine and query (with caches: warm or cold)."""
    found = {}
    for name, text in read(BENCH / folder / FILE).items():
        if name == "differences":
            continue
        scene, engine, *query = name.split(".")
        frames = sum(not line.startswith("#") for line in text.splitlines())
        one = race.Result(SimpleNamespace(name=scene, frames=frames), None, query[0])
        race.read(one, text)
        found[scene, engine, ".".join(query)] = one
    return found


class Committed(unittest.TestCase):
    """The results, from which README and docs take their figures, against the raw runs."""

    def test_times_and_means_of_two_meshes(self):
        for folder in ("records/pairs", "records/cold"):
            runs, made, seen = raced(folder), results(BENCH / folder), 0
            for query, title in (("pairs", "All pairs"), ("first", "First contact")):
                for cells in made[title].rows:
                    for engine, cell in zip(made[title].head[1:], cells[1:]):
                        run, own = (runs.get((cells[0], name, query)) for name in (engine, "impinge"))
                        if run is not None:
                            ratio = "" if engine == "impinge" else f" ({number(run.mean / own.mean)})"
                            self.assertEqual(cell, number(run.mean) + ratio, (folder, cells))
                            seen += 1
                for engine, mean, least, most, scenes, *_ in made[f"{title}, means"].rows:
                    ratios = [
                        run.mean / runs[scene, "impinge", query].mean
                        for (scene, name, of), run in runs.items()
                        if (name, of) == (engine, query)
                    ]
                    numbers = [number(of(ratios)) for of in (geometric_mean, min, max)]
                    self.assertEqual([mean, least, most], numbers, (folder, engine))
                    self.assertEqual(int(scenes.split(" of ")[0]), len(ratios))
            self.assertGreater(seen, 30, folder)

    def test_costs_of_two_meshes(self):
        for folder in ("records/pairs", "records/cold"):
            runs, made = raced(folder), results(BENCH / folder)
            sizes = {
                row[0]: sum(int(count.replace(",", "")) for count in row[1].split(" and "))
                for row in made["Scenes"].rows
            }
            for engine in (row[0] for row in made["Costs"].rows):
                ms, heap = {}, {}
                for (scene, name, query), run in runs.items():
                    if name == engine and not query.endswith(".cold"):
                        ms[scene] = min(ms.get(scene, math.inf), float(run.about["build_ms"]))
                        heap.setdefault(scene, int(run.about["bytes"]))
                triangles = sum(sizes[scene] for scene in ms)
                row = made["Costs"].row(engine)
                self.assertEqual(row["Mtri/s"], number(triangles / sum(ms.values()) / 1e3), (folder, engine))
                self.assertEqual(row["bytes a triangle"], number(sum(heap.values()) / triangles))

    def test_differences_of_two_meshes(self):
        for folder in ("records/pairs", "records/cold"):
            made = results(BENCH / folder)
            for query, title in (("pairs", "All pairs"), ("first", "First contact")):
                for row in made[f"{title}, means"].rows:
                    own = [d for d in made["Differences"].rows if d[1:3] == [query, row[0]]]
                    self.assertEqual(row[5:7], [big(sum(int(d[k]) for d in own)) for k in (3, 4)])

    def test_cold_times(self):
        runs, made = raced("records/cold"), results(BENCH / "records/cold")
        for query, title in (("pairs", "All pairs"), ("first", "First contact")):
            for row in made[f"{title}, cold"].rows:
                scenes = [scene for scene, name, of in runs if (name, of) == (row[0], f"{query}.cold")]
                warm, cold = (
                    {s: runs[s, row[0], f"{query}{of}"].mean for s in scenes} for of in ("", ".cold")
                )
                own, own_cold = (
                    {s: runs[s, "impinge", f"{query}{of}"].mean for s in scenes} for of in ("", ".cold")
                )
                sides = ((cold, warm), (warm, own), (cold, own_cold))
                ratios = [[a[s] / b[s] for s in scenes] for a, b in sides]
                self.assertEqual(row[1:4], [number(geometric_mean(of)) for of in ratios])
                self.assertEqual(row[4], number(min(ratios[2])))

    def test_tables_of_many_bodies(self):
        runs, used = read(BENCH / "records/many" / FILE), 0
        made = results(BENCH / "records/many")
        for (kind, query), title in many.TITLES.items():
            entries = many.entries(kind, [])
            for entry in entries:
                begin = f"{kind}.{entry.name}.{query}."
                turns = [text for name, text in runs.items() if name.startswith(begin)]
                used += len(turns)
                for text in turns:
                    many.read(entry, text)
            self.assertEqual(made[title], many.engines_table(entries, query == "pairs"), title)
        self.assertEqual(used, len(runs))

    def test_tables_of_motions(self):
        folder = BENCH / "records/motion"
        runs, made, scenes = read(folder / FILE), results(folder), []
        for name, group, *counts, truth, note in made["Scenes"].rows:
            counts = tuple(int(count.replace(",", "")) for count in counts)
            known = {"-": None, "clear": "clear"}
            bounds = known[truth] if truth in known else tuple(map(float, truth.split(" to ")))
            scene = motion.Scene(name, None, group, counts, bounds)
            for engine in made["Times"].head[1:]:
                turns = [motion.read(t) for run, t in runs.items() if run.startswith(f"{name}.{engine}.")]
                scene.found[engine] = turns[-1] if turns else motion.Run(problem="not finished")
                scene.found[engine].us = min((turn.us for turn in turns), default=math.nan)
                self.assertEqual(not turns, f"{engine}: " in note, (name, engine))
            scenes.append(scene)
        points = motion_points.Points(truth=[x == "1" for x in runs["moving-points.impinge.0"].split()[-1]])
        for name, text in runs.items():
            if name.startswith("moving-points."):
                motion_points.read(points, text)
        again = motion_report.tables(scenes, made["Times"].head[1:], points)
        for name in ("Bars", "Times", "Verdicts", "Results", "Moving points"):
            self.assertEqual(made[name], again[name], name)

    def test_distances(self):
        runs = read(BENCH / "records/near" / FILE)
        made = results(BENCH / "records/near")["Distance"]
        ratios = {engine: [] for engine in made.head[2:]}
        self.assertEqual(len(made.rows), 10)
        for row in made.rows[:-1]:
            names, *lines = [line.split("\t") for line in runs[row[0]].splitlines()]
            times = {}
            for engine in made.head[1:]:
                column = [line[names.index(f"{engine}, distance: us")] for line in lines]
                times[engine] = [float(us) for us in column if us != "-"]
            own = times["impinge"]
            self.assertEqual(row[1], number(sum(own) / len(own)))
            for engine, cell in zip(made.head[2:], row[2:]):
                mine = [a / b for a, b in zip(times[engine], own)]
                ratios[engine] += mine
                mean = sum(times[engine]) / len(times[engine])
                self.assertEqual(cell, f"{number(mean)} ({number(geometric_mean(mine))})", row)
        means = [f"({number(geometric_mean(ratios[engine]))})" for engine in made.head[2:]]
        self.assertEqual(made.rows[-1], ["geometric mean", "", *means])

    def test_relations_of_solids(self):
        found = {}
        for name, text in read(BENCH / "records/solids" / FILE).items():
            if name.startswith("race."):
                _, pairs, engine = name.split(".")
                lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
                found.setdefault(engine, {})[pairs] = [line[2:4] for line in lines]
        rows = results(BENCH / "records/solids")["Relation"].rows
        self.assertEqual(len(rows), 5)
        for row in rows:
            cells = []
            for part, ours in ((0, "impinge"), (1, "impinge"), (1, "impinge-on-demand")):
                ratios = [
                    float(their[part]) / float(own[part])
                    for pairs, lines in found[row[0]].items()
                    for their, own in zip(lines, found[ours][pairs])
                    if "-" not in (their[part], own[part])
                ]
                slower = sum(ratio < 1 for ratio in ratios)
                cells += [number(geometric_mean(ratios)), precise(min(ratios))]
                cells.append(f"{big(slower)} of {big(len(ratios))}")
            self.assertEqual(row[1:10], cells, row[0])

    def test_times_of_assemblies(self):
        lines = read(BENCH / "records/assemblies" / FILE)["times"].splitlines()[1:]
        runs = {}
        for file, program, _, whole, reading, *_ in (line.split("\t") for line in lines):
            runs.setdefault((file, program), []).append((float(whole), float(reading)))
        rows = results(BENCH / "records/assemblies")["Times"].rows
        self.assertEqual([tuple(row[:2]) for row in rows], list(runs))
        for row in rows:
            whole, reading = (list(of) for of in zip(*runs[row[0], row[1]]))
            numbers = [min(whole), median(whole), min(reading), min(whole) - min(reading)]
            self.assertEqual(row[2:6], [number(of) for of in numbers], row[:2])


if __name__ == "__main__":
    unittest.main()
