"""Tests of the records: one file with the output of every run, and the committed tables against it."""

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

from driver import many, race
from driver.record import FILE, LARGE, PACKED, Record, read
from driver.shell import BENCH, Failed
from driver.tables import big, geometric_mean, number, precise


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
        (self.folder / "REPORT.md").write_text("old")
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
        record.close()
        self.assertEqual([path.name for path in self.folder.iterdir()], [FILE])
        record.add("b", "12345\t67890\n" * (LARGE // 10))
        runs = read(self.folder / FILE)
        record.close()
        self.assertEqual([path.name for path in self.folder.iterdir()], [FILE + PACKED])
        self.assertLess((self.folder / (FILE + PACKED)).stat().st_size, LARGE // 100)
        self.assertEqual(read(self.folder / FILE), runs)
        self.assertEqual(list(runs), ["a", "b"])
        Record(self.folder)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_damaged_file_is_named_with_its_line(self):
        self.folder.mkdir()
        for text, line in [("1\t2\n", 1), ("#run\ta\n1\n#run\ta\n", 3)]:
            (self.folder / FILE).write_text(text)
            with self.assertRaisesRegex(Failed, f"{FILE}:{line}: "):
                read(self.folder / FILE)


def tables(path):
    """The tables of a report below each heading: rows of cells, the head first."""
    found, heading = {}, ""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|") and not set(line) <= set("|-: "):
            found.setdefault(heading, []).append([cell.strip() for cell in line.split("|")[1:-1]])
    return found


def results(folder):
    """The result of every run of two meshes, by scene, engine and query (with caches: warm or cold)."""
    found = {}
    for name, text in read(BENCH / folder / FILE).items():
        scene, engine, *query = name.split(".")
        frames = sum(not line.startswith("#") for line in text.splitlines())
        one = race.Result(SimpleNamespace(name=scene, frames=frames), None, query[0])
        race.read(one, text)
        found[scene, engine, ".".join(query)] = one
    return found


class Committed(unittest.TestCase):
    """The tables of the reports, from which README and docs take their figures, against the raw runs."""

    def test_times_counts_and_costs_of_two_meshes(self):
        for folder in ("record", "cold"):
            runs, seen = results(folder), 0
            report = tables(BENCH / folder / "REPORT.md")
            for query, heading in (("pairs", "All pairs"), ("first", "First contact")):
                head = report[heading][0]
                for row in report[heading][1:]:
                    cells = dict(zip(head, row))
                    run = runs.get((cells["scene"], cells.get("engine"), query))
                    if len(row) != len(head):
                        # The table of means, and that of cold caches.
                        continue
                    if run is None:
                        self.assertEqual(row[2], "-", row)
                        continue
                    own = runs[cells["scene"], "impinge", query]
                    count = cells["pairs" if query == "pairs" else "hits"]
                    self.assertEqual(
                        [cells["us a frame"], cells["x ours"], count, cells["build ms"], cells["bytes"]],
                        [
                            number(run.mean),
                            number(run.mean / own.mean),
                            str(run.count),
                            run.about["build_ms"],
                            big(run.about["bytes"]),
                        ],
                        (folder, query, row),
                    )
                    seen += 1
            self.assertEqual(seen, sum(not name[2].endswith(".cold") for name in runs), folder)

    def test_times_of_the_short_tables(self):
        for folder in ("record", "cold"):
            runs, query, seen = results(folder), "", 0
            head = []
            for line in (BENCH / folder / "TABLE.md").read_text().splitlines():
                if line[:1].isalpha() and "microseconds" in line:
                    query, head = "pairs" if line.startswith("All pairs") else "first", []
                if not line.startswith("|") or set(line) <= set("|-: "):
                    continue
                cells = [cell.strip() for cell in line.split("|")[1:-1]]
                head = head or cells
                for engine, cell in list(zip(head, cells))[1:]:
                    run, own = (runs.get((cells[0], name, query)) for name in (engine, "impinge"))
                    if run is not None and cells is not head:
                        ratio = "" if engine == "impinge" else f" ({number(run.mean / own.mean)})"
                        self.assertEqual(cell, number(run.mean) + ratio, (folder, line))
                        seen += 1
            self.assertGreater(seen, 30, folder)

    def test_cold_times(self):
        runs, seen = results("cold"), 0
        for heading, rows in tables(BENCH / "cold" / "REPORT.md").items():
            query = {"All pairs": "pairs", "First contact": "first"}.get(heading)
            for row in rows:
                run = runs.get((row[0], row[1], f"{query}.cold"))
                if run and len(row) == 8:
                    self.assertEqual(row[3], number(run.mean), row)
                    seen += 1
        self.assertEqual(seen, sum(name[2].endswith(".cold") for name in runs))

    def test_tables_of_many_bodies(self):
        runs = read(BENCH / "record-many" / FILE)
        report = tables(BENCH / "record-many" / "REPORT.md")
        used = 0
        for (kind, query), heading in many.TITLES.items():
            entries = many.entries(kind, [])
            for entry in entries:
                begin = f"{kind}.{entry.name}.{query}."
                turns = [text for name, text in runs.items() if name.startswith(begin)]
                used += len(turns)
                for text in turns:
                    many.read(entry, text)
            made = many.engines_table(entries, query == "pairs").splitlines()
            rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in made if "---" not in line]
            self.assertEqual(report[heading], rows, heading)
        self.assertEqual(used, len(runs))

    def test_distances(self):
        runs = read(BENCH / "record-near" / FILE)
        (head, *rows), seen = tables(BENCH / "record-near" / "TABLE.md")[""], 0
        ratios = {engine: [] for engine in head[2:]}
        for row in rows:
            if row[0] not in runs or len(row) != len(head) or seen == 9:
                continue
            names, *lines = [line.split("\t") for line in runs[row[0]].splitlines()]
            times = {}
            for engine in head[1:]:
                column = [line[names.index(f"{engine}, distance: us")] for line in lines]
                times[engine] = [float(us) for us in column if us != "-"]
            own = times["impinge"]
            self.assertEqual(row[1], number(sum(own) / len(own)))
            for engine, cell in zip(head[2:], row[2:]):
                mine = [a / b for a, b in zip(times[engine], own)]
                ratios[engine] += mine
                mean = sum(times[engine]) / len(times[engine])
                self.assertEqual(cell, f"{number(mean)} ({number(geometric_mean(mine))})", row)
            seen += 1
        self.assertEqual(seen, 9)
        means = next(row for row in rows if row[0] == "geometric mean")
        self.assertEqual(means[2:], [f"({number(geometric_mean(ratios[engine]))})" for engine in head[2:]])

    def test_relations_of_solids(self):
        found = {}
        for name, text in read(BENCH / "record-solids" / FILE).items():
            if name.startswith("race."):
                _, pairs, engine = name.split(".")
                lines = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
                found.setdefault(engine, {})[pairs] = [line[2:4] for line in lines]
        seen = 0
        for row in tables(BENCH / "record-solids" / "TABLE.md")[""]:
            if row[0] not in found or len(row) != 11 or seen == 4:
                continue
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
                cells.append(f"{slower} of {big(len(ratios))}")
            self.assertEqual(row[1:10], cells, row[0])
            seen += 1
        self.assertEqual(seen, 4)


if __name__ == "__main__":
    unittest.main()
