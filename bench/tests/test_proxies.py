"""Tests of the league table of collision models: the record, and how links are counted."""

import unittest
from pathlib import Path

from driver.proxies import COLUMNS, Checked, lines, millimetres, read_lines, summary
from driver.proxies_models import CLONES, WHEELS, Model, models, tags
from driver.record import FILE, read, results
from driver.shell import BENCH

RECORD = BENCH / "records/proxies"


def link(name, verdict, uncovered, excess, shapes=1):
    return {
        "link": name,
        "verdict": verdict,
        "uncovered": [uncovered, uncovered],
        "excess": None if excess is None else [excess, excess],
        "shapes": shapes,
        "proxy_volume": [2.0, 2.0],
        "part_volume": [1.0, 1.0],
    }


class Counts(unittest.TestCase):
    def setUp(self):
        links = [
            link("base", "no", 0.1, 0.01),
            link("arm", "no", 0.002, 0.03),
            link("hand", "yes", 0.0, 0.02),
            link("flush", "nearly", 1e-9, None),
            link("camera", "no", None, None, shapes=0),
        ]
        self.found = Checked({"links": links}, [], 0.0)

    def test_links_without_shapes_do_not_count(self):
        counts = [self.found.count(verdict) for verdict in ("yes", "nearly", "no")]
        self.assertEqual((counts, self.found.excess(), self.found.volume()), ([1, 1, 2], "20.0", "2.00 of 4"))

    def test_the_worst_link_and_the_worst_but_the_base(self):
        self.assertEqual(self.found.worst()["link"], "base")
        self.assertEqual(self.found.worst({"base"})["link"], "arm")
        self.assertIsNone(self.found.worst({"base", "arm"}))

    def test_the_record_has_what_the_check_found(self):
        back = read_lines(lines(self.found))
        self.assertEqual([one["link"] for one in back.links], [one["link"] for one in self.found.links])
        self.assertEqual((back.excess(), back.worst()), (self.found.excess(), back.links[0]))

    def test_a_buffer_is_added_to_the_radii(self):
        with self.subTest("scratch"):
            import tempfile

            with tempfile.TemporaryDirectory() as made:
                source, scratch = Path(made) / "a.yml", Path(made) / "b"
                scratch.mkdir()
                source.write_text('a:\n- center: [0.5, 0, 1]\n  radius: 0.25\n- "radius": 1e-1\n')
                model = Model("r", "m", "s", source, source, buffer=0.5)
                text = model.spheres(scratch).read_text()
        self.assertEqual(text, 'a:\n- center: [0.5, 0, 1]\n  radius: 0.75\n- "radius": 0.6\n')


class Committed(unittest.TestCase):
    """The table of models is that of the links in the runs."""

    def test_counts_worst_and_excess_are_those_of_the_links(self):
        tables, runs = results(RECORD), read(RECORD / FILE)
        self.assertEqual(tables["Models"].head, COLUMNS)
        for cells in tables["Models"].rows:
            one = dict(zip(COLUMNS, cells))
            found = read_lines(runs[".".join(cells[: COLUMNS.index("links")])])
            worst = found.worst()
            self.assertEqual(
                [one[name] for name in ("links", "covered", "nearly", "undecided", "no shape", "excess mm")],
                [
                    str(len(found.links)),
                    *(str(found.count(verdict)) for verdict in ("yes", "nearly", "undecided")),
                    str(len(found.links) - len(found.shaped)),
                    found.excess(),
                ],
                one,
            )
            self.assertEqual(
                (one["worst mm"], one["worst link"]),
                (millimetres(worst["uncovered"][1]), worst["link"]) if worst else ("0", "-"),
            )
        self.assertEqual(str(summary(tables["Models"].rows)), str(tables["Summary"]))

    def test_sources_are_pinned_and_there(self):
        versions = {name: version for name, version, _ in results(RECORD)["Engines"].rows}
        pinned = {name: version for name, (version, _) in WHEELS.items()}
        pinned |= {name: commit for name, (_, commit) in CLONES.items()}
        self.assertEqual(versions, pinned)
        folders = {name: Path("/") / name for name in pinned}
        known = {(model.robot, model.name, model.source, model.geometry) for model in models(folders)}
        listed = results(RECORD)
        rows = [tuple(cells[:4]) for name in ("Models", "Failed") for cells in listed[name].rows]
        self.assertEqual((len(rows), set(rows)), (len(known), known))


class Files(unittest.TestCase):
    def test_prefixes_without_a_declaration_are_removed(self):
        import tempfile

        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
            file.write('<robot><a:b c:d="1"/><mesh filename="package://x/y.stl"/></robot>')
            file.flush()
            text = tags(Path(file.name))
        self.assertEqual(text, '<robot><b d="1"/><mesh filename="package://x/y.stl"/></robot>')


if __name__ == "__main__":
    unittest.main()
