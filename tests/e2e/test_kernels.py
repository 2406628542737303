"""Older kernels: what cannot be heard is said, and the way out works."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lab import JupyterServer, Lab
from playwright.sync_api import expect
from test_card import ACCEPTED, CALL, app, connected, printed

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def kernel(request: pytest.FixtureRequest, jupyter: JupyterServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Install an older ipykernel beside all that is installed here, and return the kernel's name."""
    release = request.param
    place = tmp_path_factory.mktemp("kernel")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = place / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", f"ipykernel=={release}"]
    subprocess.run([*install, "--disable-pip-version-check"], check=True)
    site = next(place.glob("lib/python*/site-packages"))
    here = [path for path in sys.path if path.endswith("site-packages")]
    (site / "zz-here.pth").write_text("\n".join([*here, str(Path(__file__).parents[2])]))
    jupyter.add_kernel(f"older-{release}", python)
    return f"older-{release}"


RELEASES = ["7.3.0", "6.31.0"]


@pytest.mark.parametrize("kernel", RELEASES, indirect=True)
def test_a_cell_that_awaits_a_question_names_the_way_out_at_once(notebook: Lab, kernel: str):
    nb = notebook([connected(), CALL, "import ipykernel; print(ipykernel.__version__)"], kernel=kernel)
    nb.run_and_wait(0)
    nb.run_and_wait(2)
    assert nb.text(2).strip() == kernel.removeprefix("older-")
    nb.run_and_wait(1)
    assert nb.error(1) is not None
    assert nb.error(1)[0] == "CannotWaitHere"
    assert "last expression" in nb.error(1)[1]
    expect(nb.cell(1).locator(".mew-panel")).to_have_count(0)


@pytest.mark.parametrize("kernel", RELEASES, indirect=True)
def test_a_call_left_as_last_expression_is_answered_and_read_in_the_next_cell(notebook: Lab, kernel: str):
    cells = [connected(), "call = server.call_tool('paint', {'wall': 'north'}); call", "print(call.result().text)"]
    nb = notebook(cells, kernel=kernel)
    nb.run_and_wait(0)
    nb.run_and_wait(1)
    app(nb).get_by_role("button", name="Blue, please").click()
    expect(nb.cell(1)).to_contain_text("accepted in the app")
    nb.run_and_wait(2)
    assert json.loads(printed(nb, 2)) == ACCEPTED
