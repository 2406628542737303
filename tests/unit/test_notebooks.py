"""The shipped notebooks run through without a person."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def execute(notebook):
    client = NotebookClient(
        notebook, timeout=60, resources={"metadata": {"path": str(NOTEBOOKS)}}, kernel_name="python3"
    )
    client.execute()
    return notebook


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_without_a_person(path):
    done = execute(nbformat.read(path, as_version=4))
    texts = "\n".join(
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for cell in done.cells
        for output in cell.get("outputs", [])
    )
    assert "Ada Okafor now looks after P-7. The client knows." in texts
    assert "Review of P-7 on 2027-03-01, 45 minutes, video." in texts
    assert "P-7 stays open." in texts
    assert "shown='script'" in texts


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_is_shipped_without_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    assert "widgets" not in notebook.metadata


def test_without_answers_the_notebook_fails_by_name_and_declines_nothing():
    notebook = nbformat.read(NOTEBOOKS / "01-quickstart.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = cell.source.replace("answers=scripted", "")
    with pytest.raises(CellExecutionError, match=r"NobodyCanAnswer.*'manager-assignment' for assign_account_manager"):
        execute(notebook)
