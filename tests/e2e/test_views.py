"""Second looks at an open question: reload, hide, move, clear, re-run, other views, restart (design 3.4 to 3.6)."""

from __future__ import annotations

import json

from lab import Lab, Notebook
from playwright.sync_api import expect
from test_card import ACCEPTED, CALL, answer, app, button, connected, frames, opened, printed

ASKED = "Which colour for the north wall?"


DISPLAYED = "call = server.call_tool('paint', {'wall': 'north'}); call"
RESULT = "print(call.result().text)"


def asked(nb: Notebook, cell: int = 1) -> None:
    expect(app(nb, cell).locator("#asked")).to_have_text(ASKED, timeout=20_000)


def calls(nb: Notebook) -> list[dict]:
    return [frame for frame in frames(nb) if frame["method"] == "tools/call"]


def test_after_a_reload_of_a_saved_notebook_the_card_of_a_displayed_call_is_there_and_can_be_answered(notebook: Lab):
    nb = opened(notebook, DISPLAYED, RESULT)
    nb.wait(1)
    asked(nb)
    nb.save()
    nb.reload()
    asked(nb)
    app(nb).get_by_role("button", name="Blue, please").click()
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    nb.run_and_wait(2)
    assert json.loads(printed(nb, 2)) == ACCEPTED
    assert len(calls(nb)) == 2


def test_after_a_reload_of_an_unsaved_notebook_the_call_ends_by_name(notebook: Lab):
    nb = opened(
        notebook,
        "try:\n    await server.call_tool('paint')\nexcept Exception as error:\n    end = repr(error)",
        options="view_timeout=2",
    )
    asked(nb)
    nb.reload()
    nb.wait_until_idle()
    assert "ViewLost" in nb.execute("print(end)")
    assert len(calls(nb)) == 1


def test_hiding_and_showing_the_output_starts_the_app_anew_and_it_can_be_answered(notebook: Lab):
    nb = opened(notebook)
    asked(nb)
    nb.page.evaluate("jupyterapp.commands.execute('notebook:hide-cell-outputs')")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    nb.page.evaluate("jupyterapp.commands.execute('notebook:show-cell-outputs')")
    asked(nb)
    app(nb).get_by_role("button", name="Blue, please").click()
    assert answer(nb) == ACCEPTED
    assert len(calls(nb)) == 2


def test_a_moved_cell_keeps_its_question(notebook: Lab):
    nb = opened(notebook)
    asked(nb)
    nb.page.evaluate("jupyterapp.commands.execute('notebook:move-cell-up')")
    asked(nb, 0)
    app(nb, 0).get_by_role("button", name="Blue, please").click()
    assert answer(nb, 0) == ACCEPTED


def test_a_second_view_takes_the_app_over_and_only_one_answers(notebook: Lab):
    nb = opened(notebook)
    asked(nb)
    nb.page.evaluate("jupyterapp.commands.execute('notebook:create-output-view')")
    second = nb.page.locator(".jp-LinkedOutputView")
    inner = second.locator("iframe").content_frame.frame_locator("iframe")
    expect(inner.locator("#asked")).to_have_text(ASKED)
    expect(nb.cell(1)).to_contain_text("open in another view")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    inner.get_by_role("button", name="Blue, please").click()
    assert answer(nb) == ACCEPTED
    assert len(calls(nb)) == 2


def test_a_second_page_takes_the_app_over_and_the_first_says_so(notebook: Lab):
    nb = opened(notebook, DISPLAYED, RESULT)
    nb.wait(1)
    asked(nb)
    nb.save()
    other = notebook.open(nb.path.name)
    asked(other)
    expect(nb.cell(1)).to_contain_text("open in another view")
    app(other).get_by_role("button", name="Blue, please").click()
    expect(nb.cell(1)).to_contain_text("accepted in the app")
    nb.run_and_wait(2)
    assert json.loads(printed(nb, 2)) == ACCEPTED
    assert len(calls(nb)) == 2


def test_a_cleared_card_of_a_displayed_call_can_be_shown_again_by_a_new_call(notebook: Lab):
    nb = opened(notebook, DISPLAYED, RESULT)
    nb.wait(1)
    asked(nb)
    nb.run_and_wait(1)
    asked(nb)
    app(nb).get_by_role("button", name="Blue, please").click()
    expect(nb.cell(1)).to_contain_text("accepted in the app")
    nb.run_and_wait(2)
    assert json.loads(printed(nb, 2)) == ACCEPTED


def test_after_a_restart_the_old_card_says_that_its_kernel_is_gone(notebook: Lab):
    nb = notebook([connected(), CALL])
    nb.run_and_wait(0)
    nb.run(1)
    asked(nb)
    nb.restart_kernel()
    expect(nb.cell(1)).to_contain_text("The kernel that asked is gone.")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)


def test_after_a_shutdown_the_old_card_says_that_its_kernel_is_gone(notebook: Lab):
    nb = opened(notebook)
    asked(nb)
    nb.page.evaluate("jupyterapp.commands.execute('kernelmenu:shutdown')")
    expect(nb.cell(1)).to_contain_text("The kernel that asked is gone.")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)


def test_a_finished_question_restarts_nothing_after_a_reload(notebook: Lab):
    nb = opened(notebook)
    button(nb, "Decline").click()
    assert answer(nb) == {"action": "decline"}
    expect(nb.cell(1)).to_contain_text("declined")
    nb.save()
    nb.reload()
    expect(nb.cell(1)).to_contain_text("desk asked (pick): declined")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    assert len(calls(nb)) == 2
