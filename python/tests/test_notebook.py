"""The example notebook, run from top to bottom: what it shows."""

from pathlib import Path

import nbclient
import nbformat

NOTEBOOK = Path(__file__).parents[2] / "docs" / "clashes.ipynb"


def test_the_notebook_runs_and_shows_everything():
    book = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.outputs for cell in book.cells if cell.cell_type == "code"), "stored without outputs"
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3").execute()
    outputs = [out for cell in book.cells if cell.cell_type == "code" for out in cell.outputs]
    shown = [kind for out in outputs for kind in out.get("data", {})]
    # An assembly and a report; a finding, a pair and a plot.
    assert shown.count("text/html") == 2
    assert shown.count("image/png") == 3
