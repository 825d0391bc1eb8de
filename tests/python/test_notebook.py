"""examples/quickstart.ipynb runs from top to bottom."""

from pathlib import Path

import nbclient
import nbformat
import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples/quickstart.ipynb"


# ZeroMQ looks for a loop that it does not need here.
@pytest.mark.filterwarnings("ignore")
def test_notebook():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120).execute()
    last = notebook.cells[-1].outputs[-1]["data"]["text/plain"]
    ours, theirs = last.strip("()").split(", ")
    assert ours == theirs
    shown = [
        output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", ())
    ]
    assert any("16,384 vertices" in data.get("text/html", "") for data in shown)
