"""The shipped quickstart, unmodified, answered in the browser as a reader would."""

from __future__ import annotations

import shutil
from pathlib import Path

from lab import JupyterServer, Lab
from playwright.sync_api import expect

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
APP_CELL, FORM_CELL, NO_CELL, AGAIN_CELL, CLOSE_CELL = 5, 7, 9, 11, 12


def test_the_quickstart_is_answered_live(notebook: Lab, jupyter: JupyterServer):
    for source in NOTEBOOKS.iterdir():
        if source.is_file():
            shutil.copy(source, jupyter.root)
    jupyter.start_kernel("01-quickstart.ipynb")
    nb = notebook.open("01-quickstart.ipynb", height=1200)
    nb.wait_until_idle()
    for cell in (2, 3):
        nb.run_and_wait(cell)
        assert nb.error(cell) is None
    nb.run(APP_CELL)
    inner = nb.cell(APP_CELL).locator("iframe").content_frame.frame_locator("iframe")
    inner.get_by_label("Mei Lindqvist").check()
    inner.get_by_role("button", name="Assign").click()
    nb.wait(APP_CELL)
    assert "Mei Lindqvist now looks after P-7. The client still has to be told." in nb.text(APP_CELL)

    nb.run(FORM_CELL)
    form = nb.cell(FORM_CELL)
    form.get_by_label("Day of the review").fill("2027-05-04")
    form.get_by_label("office", exact=True).check()
    form.get_by_role("button", name="Accept").click()
    nb.wait(FORM_CELL)
    assert "Review of P-7 on 2027-05-04, 45 minutes, office." in nb.text(FORM_CELL)

    nb.run(NO_CELL)
    nb.cell(NO_CELL).get_by_role("button", name="Decline").click()
    nb.wait(NO_CELL)
    assert "P-7 stays open." in nb.text(NO_CELL)

    nb.run(AGAIN_CELL)
    nb.cell(AGAIN_CELL).get_by_role("button", name="Cancel").click()
    nb.wait(AGAIN_CELL)
    expect(nb.cell(AGAIN_CELL)).to_contain_text("cancelled in the form")
    nb.run_and_wait(CLOSE_CELL)
    assert nb.error(CLOSE_CELL) is None
