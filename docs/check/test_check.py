"""Tests of the checks: `python3 -m unittest discover -s docs/check`."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).parent))

import capabilities  # noqa: E402
import fences  # noqa: E402
import figures  # noqa: E402
import links  # noqa: E402
import pages  # noqa: E402
import paths  # noqa: E402
import records  # noqa: E402
import shell  # noqa: E402


def page(text: str, name: str = "docs/some.md") -> pages.Page:
    return pages.Page(pages.ROOT / name, text)


class Links(unittest.TestCase):
    def test_slugs_are_those_of_github(self) -> None:
        for heading, anchor in [
            ("A mesh and itself", "a-mesh-and-itself"),
            ("impinge check --clearance D", "impinge-check---clearance-d"),
            ("Points (`wide/point.rs`) [270355c to this]", "points-widepointrs-270355c-to-this"),
            ("Which clearance? --what-if", "which-clearance---what-if"),
            ("[A link](x.md), *bold*", "a-link-bold"),
        ]:
            self.assertEqual(pages.slug(heading), anchor)

    def test_equal_headings_get_numbers(self) -> None:
        self.assertEqual(page("# A\n## A\n## A\n").anchors, {"a", "a-1", "a-2"})

    def test_dead_links_are_found(self) -> None:
        text = "# Here\n[a](none.md) [b](python.md#nowhere) [c](#here) [d](#there) [e](python.md#threads-processes-ctrl-c)\n"
        wrong = links.check([page(text), pages.Page.read(pages.ROOT / "docs/python.md")])
        mine = [line for line in wrong if line.startswith("docs/some.md")]
        self.assertEqual(len(mine), 3, mine)
        self.assertIn("none.md", mine[0])

    def test_links_to_items_are_left_to_rustdoc(self) -> None:
        self.assertEqual(links.check([page("[`a`]\n\n[`a`]: Query::pairs\n")]), [])
        self.assertEqual(len(links.check([page("[`a`]\n\n[`a`]: Query:pairs\n")])), 1)

    def test_links_in_code_and_comments_do_not_count(self) -> None:
        self.assertEqual(page("`[a](b.md)` <!-- [a](b.md) -->\n```sh\n[a](b.md)\n```\n").links, [])

    def test_references_need_a_definition(self) -> None:
        self.assertEqual(
            page("[a][b] and [a][c]\n\n[c]: https://x.org\n").links, [(3, "https://x.org"), (1, "[b]")]
        )


class Paths(unittest.TestCase):
    def found(self, text: str, suffix: str = ".rs") -> list[str]:
        lines = text.splitlines()
        return [
            line.split(": ")[1] for line in paths.problems("x", lines, paths.comments(lines, suffix))
        ]

    def test_paths_from_the_root_exist(self) -> None:
        for good in ["crates/impinge/src/mesh.rs", "docs/curves.md", "bench/run", "bench/records/*", "docs/"]:
            self.assertEqual(self.found(f'let text = "see {good}."; // `{good}`, {good}'), [], good)
        for bad in ["crates/impinge/src/gone.rs", "docs/gone.md", "bench/gone", "crates/impinge-*/src/gone*"]:
            self.assertEqual(self.found(f'let text = "see {bad}";'), [bad])
            self.assertEqual(self.found(f"/// The file `{bad}`, and {bad}."), [bad, bad])
            wrong = paths.check([page(f"See `{bad}`.\n")])
            self.assertEqual(wrong, [f"docs/some.md:1: {bad}: there is no such file or folder"])

    def test_ends_of_paths_exist(self) -> None:
        self.assertEqual(self.found("//! `wide/point.rs`, `simd.rs`, cases/sca*.rs"), [])
        self.assertEqual(self.found("// `wide/gone.rs`, gone.rs"), ["wide/gone.rs", "gone.rs"])
        self.assertEqual(self.found("# see check/gone.py", ".py"), ["check/gone.py"])
        # A page's own end must be a whole name.
        self.assertEqual(self.found("// see oint.rs"), ["oint.rs"])

    def test_code_and_links_are_no_comments(self) -> None:
        self.assertEqual(self.found('read("src/gone.rs");'), [])
        self.assertEqual(self.found("// https://example.org/docs/gone.md [x](docs/gone.md) /docs/gone.md"), [])


class Figures(unittest.TestCase):
    def setUp(self) -> None:
        rows = [["mean", "912.0 (9.55)", "1497 (16.0)"]]
        self.table = records.Table(["scene", "fcl", "coal"], rows)

    def rewritten(self, text: str) -> tuple[str, list[str]]:
        """A page with its figures from a record of one table."""
        with mock.patch.object(records, "tables", lambda _: {"Means": self.table}):
            return figures.rewritten(page(text))

    @staticmethod
    def quoted(prose: str, **shown: str) -> str:
        """Prose with figures that are to be means of programs."""
        lines = "".join(f"{figure} = Means | mean | {name} x\n" for name, figure in shown.items())
        return f"{prose}\n\n<!-- from bench/some:\n{lines}-->\n"

    def test_a_quoted_figure_is_that_of_the_record(self) -> None:
        for shown in ("9.55", "9.6", "10"):
            text = self.quoted(f"Mean {shown}.", fcl=shown)
            self.assertEqual(self.rewritten(text), (text, []))

    def test_another_figure_is_found_and_rewritten(self) -> None:
        text, wrong = self.rewritten(self.quoted("Mean 9.15.", fcl="9.15"))
        self.assertEqual(len(wrong), 1)
        self.assertEqual(text, self.quoted("Mean 9.55.", fcl="9.55"))

    def test_a_new_figure_is_not_taken_for_an_old_one(self) -> None:
        for old in ("9.55", "9.15"):
            text, wrong = self.rewritten(self.quoted(f"9.15, then {old}.", fcl="9.15", coal=old))
            self.assertEqual(len(wrong), 2)
            self.assertEqual(text, self.quoted("9.55, then 16.0.", fcl="9.55", coal="16.0"))

    def test_a_figure_is_that_of_the_last_paragraph(self) -> None:
        text, _ = self.rewritten(self.quoted("At 9.15 margins.\n\nMean 9.15.", fcl="9.15"))
        self.assertEqual(text, self.quoted("At 9.15 margins.\n\nMean 9.55.", fcl="9.55"))

    def test_generated_blocks_are_no_prose(self) -> None:
        block = "<!-- figures: records-used -->\n{}<!-- end -->\n\nMean {}."
        with mock.patch.object(figures, "generate", lambda _: "9.15\n"):
            text, wrong = self.rewritten(self.quoted(block.format("9.15\n", "9.15"), fcl="9.15"))
        self.assertEqual(len(wrong), 1)
        self.assertEqual(text, self.quoted(block.format("9.15\n", "9.55"), fcl="9.55"))

    def test_a_figure_that_the_text_does_not_have(self) -> None:
        self.assertEqual(len(self.rewritten(self.quoted("Mean 19.55.", fcl="9.55"))[1]), 1)

    def test_a_block_that_differs_is_rewritten(self) -> None:
        text = "<!-- figures: many -->\n| old |\n<!-- end -->\n"
        new, wrong = figures.rewritten(page(text))
        self.assertEqual(len(wrong), 1)
        self.assertIn("200 teapots", new)
        self.assertEqual(figures.rewritten(page(new))[1], [])

    def test_an_unknown_block_is_an_error(self) -> None:
        self.assertTrue(figures.rewritten(page("<!-- figures: nothing -->\n<!-- end -->\n"))[1])


class Claims(unittest.TestCase):
    def test_tests_that_do_not_exist_are_found(self) -> None:
        self.assertIsNone(
            capabilities.missing("impinge-testkit/tests/impinge/oracle.rs::no_contact_is_missed_and_none_invented")
        )
        self.assertIsNone(capabilities.missing("test_queries.py::test_rays"))
        for test in [
            "impinge-testkit/tests/impinge/oracle.rs::no_contact",
            "impinge/none.rs::a",
            "test_queries.py::rays",
        ]:
            self.assertIsNotNone(capabilities.missing(test))


class Blocks(unittest.TestCase):
    def check(self, block: str) -> list[str]:
        return fences.check([page(block)])

    def test_blocks_need_a_language_that_something_runs(self) -> None:
        self.assertEqual(len(self.check("```\nx\n```\n")), 1)
        self.assertEqual(len(self.check("```py\nx\n```\n")), 1)
        self.assertEqual(self.check("```text\nx\n```\n"), [])

    def test_python_needs_the_test_or_a_reason(self) -> None:
        self.assertEqual(len(self.check("```python\nx\n```\n")), 1)
        self.assertEqual(self.check("<!-- not run: needs a cluster -->\n```python\nx\n```\n"), [])
        self.assertEqual(self.check("<!-- run by .ci/ray -->\n```python\nx\n```\n"), [])
        self.assertEqual(len(self.check("<!-- run by .ci/no-such -->\n```python\nx\n```\n")), 1)

    def test_rust_must_be_code_of_this_repository(self) -> None:
        self.assertEqual(
            self.check("```rust\nlet model = impinge_io::open_model(path)?; // anything\n```\n"), []
        )
        self.assertEqual(len(self.check("```rust\nlet model = impinge_io::open_modle(path)?;\n```\n")), 1)

    def test_doctests_are_included_by_a_crate(self) -> None:
        block = "```rust\nlet model = impinge_io::open_modle(path)?;\n```\n"
        for name in ["docs/coming-from.md", "crates/impinge/README.md"]:
            self.assertEqual(fences.check([page(block, name)]), [], name)
        self.assertEqual(len(fences.check([page(block, "docs/library.md")])), 1)

    def test_cargo_names_what_exists(self) -> None:
        self.assertEqual(self.check("```sh\ncargo run -p impinge --example readme  # x\n```\n"), [])
        self.assertEqual(len(self.check("```sh\ncargo run -p impinge --example none\n```\n")), 1)
        self.assertEqual(len(self.check("```sh\n.ci/none\n```\n")), 1)


class Shell(unittest.TestCase):
    def test_dots_stand_for_lines(self) -> None:
        output = ["a", "b", "c", "d"]
        for expected, same in [
            (output, True),
            (["a", "...", "d"], True),
            (["...", "c", "d"], True),
            (["a", "..."], True),
            (["a", "b", "..."], True),
            (["..."], True),
            (["a", "...", "c"], False),
            (["b", "..."], False),
            (["a", "b"], False),
            (["...", "x", "..."], False),
            (["a", "...", "c", "..."], True),
            ([], True),
        ]:
            self.assertEqual(shell.matches(expected, output), same, expected)

    def test_sessions(self) -> None:
        self.assertEqual(shell.sessions("$ a\nb\n$ c\n"), [("a", ["b"]), ("c", [])])


if __name__ == "__main__":
    unittest.main()
