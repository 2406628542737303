"""Questions under a running cell, in a real JupyterLab with a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from lab import Lab, Notebook
from playwright.sync_api import FrameLocator, Locator, expect

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

PREPARE = f"""
import sys
sys.path[:0] = [{str(HERE)!r}]
from desk import *
from mcp_elicit_widget import connect
raw = desk(BEHAVIOURS[{{behaviour!r}}], {{desk}})
"""
CALL = "print((await server.call_tool('paint', {'wall': 'north'})).text)"
ACCEPTED = {"action": "accept", "content": {"coats": 2, "colour": "blue"}}


def prepared(behaviour: str = "good", desk: str = "") -> str:
    """Return a cell that makes the server `raw`."""
    return PREPARE.format(behaviour=behaviour, desk=desk)


def connected(behaviour: str = "good", desk: str = "", options: str = "") -> str:
    """Return a cell that makes the server and connects to it."""
    return prepared(behaviour, desk) + f'server = await connect(raw, name="desk", {options})\n'


def opened(notebook: Lab, *cells: str, behaviour: str = "good", desk: str = "", options: str = "") -> Notebook:
    """Open a notebook, run the connecting cell, and start the next one."""
    nb = notebook([connected(behaviour, desk, options), *(cells or (CALL,))])
    nb.run_and_wait(0)
    assert nb.error(0) is None, nb.error(0)
    nb.run(1)
    return nb


def app(nb: Notebook, cell: int = 1, nth: int = 0) -> FrameLocator:
    return nb.cell(cell).locator("iframe").nth(nth).content_frame.frame_locator("iframe")


def button(nb: Notebook, name: str, cell: int = 1) -> Locator:
    return nb.cell(cell).get_by_role("button", name=name, exact=True)


def answer(nb: Notebook, cell: int = 1) -> dict:
    """Wait for the cell and return what the server was answered."""
    nb.wait(cell)
    assert nb.error(cell) is None, nb.error(cell)
    return json.loads(printed(nb, cell))


def printed(nb: Notebook, cell: int = 1) -> str:
    """Return what a cell printed, without its card."""
    streams = [
        output["text"]
        for output in nb.outputs(cell)
        if output["output_type"] == "stream" and output["name"] == "stdout"
    ]
    return "".join(text if isinstance(text, str) else "".join(text) for text in streams)


def frames(nb: Notebook) -> list[dict]:
    return json.loads(eval(nb.execute("import json; json.dumps(raw.frames)")))


def fill_form(nb: Notebook, colour: str = "blue", cell: int = 1) -> None:
    nb.cell(cell).get_by_label(colour, exact=True).check()
    button(nb, "Accept", cell).click()


def expect_form(nb: Notebook, reason: str, cell: int = 1) -> None:
    expect(button(nb, "Accept", cell)).to_be_visible()
    expect(nb.cell(cell).get_by_role("status")).to_contain_text(re.compile(reason))
    expect(nb.cell(cell).locator("iframe")).to_have_count(0)


def test_a_click_in_the_app_answers_the_call(notebook: Lab):
    nb = opened(notebook)
    expect(nb.cell(1).get_by_role("group", name=re.compile("desk"))).to_contain_text("Which colour for the north wall?")
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    app(nb).get_by_role("button", name="Blue, please").click()
    assert answer(nb) == ACCEPTED
    expect(nb.cell(1)).to_contain_text("desk asked (pick): accepted in the app")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    expect(nb.cell(1).locator(".mew-panel")).to_have_count(0)


def test_the_keyboard_alone_answers_in_the_app(notebook: Lab):
    nb = opened(notebook)
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    app(nb).get_by_role("button", name="Blue, please").focus()
    nb.page.keyboard.press("Enter")
    assert answer(nb) == ACCEPTED


@pytest.mark.parametrize(("name", "action"), [("No paint", "decline"), ("Not now", "cancel")])
def test_what_the_app_declines_or_cancels_is_final(notebook: Lab, name: str, action: str):
    nb = opened(notebook)
    app(nb).get_by_role("button", name=name).click()
    assert answer(nb) == {"action": action}
    assert not any(frame["method"] == "resources/read" for frame in frames(nb)[3:])


@pytest.mark.parametrize(("name", "action"), [("Decline", "decline"), ("Cancel", "cancel")])
def test_the_hosts_buttons_answer_while_the_app_is_silent(notebook: Lab, name: str, action: str):
    nb = opened(notebook, behaviour="silent")
    button(nb, name).click()
    assert answer(nb) == {"action": action}


def test_the_hosts_decline_works_while_the_app_never_returns(notebook: Lab):
    nb = opened(notebook, behaviour="frozen")
    expect(nb.cell(1).locator("iframe")).to_be_visible()
    button(nb, "Decline").click()
    assert answer(nb) == {"action": "decline"}


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("silent", r"did not start within 1 s"),
        ("unable", r"does not say that it can answer"),
        ("nameless", r"introduced itself wrongly"),
        ("refusing", r"answered with an error .*no <b>way</b>"),
        ("late", r"does not fit what was asked"),
        ("navigating", r"tried to leave its page"),
    ],
)
def test_an_app_that_fails_is_replaced_by_the_form_with_the_reason(notebook: Lab, behaviour: str, reason: str):
    if behaviour == "navigating":
        notebook.allow_console(r"frame-src|Content Security Policy|127\.0\.0\.1:1")
    nb = opened(notebook, behaviour=behaviour, options="app_timeout=1")
    expect_form(nb, reason)
    fill_form(nb)
    assert answer(nb) == ACCEPTED
    expect(nb.cell(1)).to_contain_text("accepted in the form")
    sent = [frame for frame in frames(nb) if frame["method"] == "tools/call"]
    assert len(sent) == 2
    assert "decline" not in json.dumps(sent)


@pytest.mark.parametrize(
    ("desk", "reason"),
    [
        ("uri='ui:picker'", r"not a ui:// address"),
        ("uri='ui://desk/other'", r"could not be read \(error -32602\)"),
        ("mime='text/html'", r"media type text/html"),
        ("capabilities={'tools': {}}", r"did not announce"),
    ],
)
def test_an_app_that_may_not_be_used_is_replaced_by_the_form_with_the_reason(notebook: Lab, desk: str, reason: str):
    nb = opened(notebook, desk=desk)
    expect_form(nb, reason)
    fill_form(nb)
    assert answer(nb) == ACCEPTED


def test_an_app_of_twelve_megabytes_is_replaced_by_the_form(notebook: Lab):
    cell = connected().replace("BEHAVIOURS['good']", "APP + ' ' * 12_000_000")
    nb = notebook([cell, CALL])
    nb.run_and_wait(0)
    nb.run(1)
    expect_form(nb, r"larger than 5 MB")
    fill_form(nb)
    assert answer(nb) == ACCEPTED


def test_an_invalid_answer_of_the_app_is_never_sent_and_what_fits_is_kept(notebook: Lab):
    nb = opened(notebook)
    app(nb).get_by_role("button", name="Green, please").click()
    expect_form(nb, r"does not fit what was asked \(colour")
    expect(nb.cell(1).get_by_label("Coats")).to_have_value("3")
    expect(nb.cell(1).get_by_role("radio", checked=True)).to_have_count(0)
    fill_form(nb)
    assert answer(nb) == {"action": "accept", "content": {"coats": 3, "colour": "blue"}}
    assert "green" not in json.dumps(frames(nb))


def test_the_reader_can_ask_for_the_form_instead(notebook: Lab):
    nb = opened(notebook)
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    button(nb, "Use the form instead").click()
    expect(button(nb, "Accept")).to_be_visible()
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    fill_form(nb)
    assert answer(nb) == ACCEPTED


def test_the_form_shows_what_is_wrong_beside_the_field_and_sends_nothing(notebook: Lab):
    nb = opened(notebook, desk="uri=None")
    nb.cell(1).get_by_label("Coats").fill("9")
    button(nb, "Accept").click()
    expect(nb.cell(1).locator(".mew-field-0 .mew-error")).to_contain_text("⚠")
    expect(nb.cell(1).locator(".mew-field-1 .mew-error")).to_contain_text("5")
    expect(nb.cell(1).get_by_label("Coats")).to_have_attribute("aria-invalid", "true")
    assert nb.is_running(1)
    nb.cell(1).get_by_label("Coats").fill("4")
    fill_form(nb, "red")
    assert answer(nb) == {"action": "accept", "content": {"coats": 4, "colour": "red"}}


def test_escape_in_the_form_cancels(notebook: Lab):
    nb = opened(notebook, desk="uri=None")
    nb.cell(1).get_by_label("Coats").press("Escape")
    assert answer(nb) == {"action": "cancel"}


def test_a_double_click_on_accept_sends_one_answer(notebook: Lab):
    nb = opened(notebook, desk="uri=None")
    nb.cell(1).get_by_label("blue", exact=True).check()
    button(nb, "Accept").dblclick()
    assert answer(nb) == ACCEPTED
    assert len([frame for frame in frames(nb) if frame["method"] == "tools/call"]) == 2


def test_two_calls_that_wait_together_are_asked_and_answered_apart(notebook: Lab):
    cell = (
        "import asyncio\n"
        "both = await asyncio.gather(*(server.call_tool('paint', {'wall': wall}) for wall in ('north', 'south')))\n"
        "print(json.dumps([json.loads(one.text) for one in both]))"
    )
    nb = opened(notebook, cell)
    expect(nb.cell(1).locator("iframe")).to_have_count(2)
    app(nb, nth=1).get_by_role("button", name="No paint").click()
    expect(nb.cell(1).locator("iframe")).to_have_count(1)
    app(nb).get_by_role("button", name="Blue, please").click()
    nb.wait(1)
    assert sorted(json.loads(printed(nb)), key=str) == sorted([ACCEPTED, {"action": "decline"}], key=str)


def test_a_call_left_as_last_expression_is_a_live_card_and_its_result_is_read_later(notebook: Lab):
    nb = opened(
        notebook,
        "call = server.call_tool('paint', {'wall': 'north'}); call",
        "call.result()",
        "print(call.result().text)",
    )
    nb.wait(1)
    app(nb).locator("#asked").filter(has_text="Which colour").wait_for()
    nb.run_and_wait(2)
    assert nb.error(2) is not None
    assert nb.error(2)[0] == "StillWaiting"
    app(nb).get_by_role("button", name="Blue, please").click()
    expect(nb.cell(1)).to_contain_text("accepted in the app")
    nb.run_and_wait(3)
    assert json.loads(printed(nb, 3)) == ACCEPTED


def test_a_second_look_points_to_the_first_card(notebook: Lab):
    nb = opened(notebook, "call = server.call_tool('paint', {'wall': 'north'}); call", "call")
    nb.wait(1)
    app(nb).locator("#asked").filter(has_text="Which colour").wait_for()
    nb.run_and_wait(2)
    expect(nb.cell(2)).to_contain_text("where it was shown first")
    expect(nb.cell(2).locator("iframe")).to_have_count(0)
    button(nb, "Decline").click()
    expect(nb.cell(1)).to_contain_text("declined")


def test_a_question_that_nobody_looks_at_waits_and_can_be_shown_later(notebook: Lab):
    nb = opened(notebook, "call = server.call_tool('paint', {'wall': 'north'})", "call", "call.result().text")
    nb.wait(1)
    assert nb.outputs(1) == []
    nb.run_and_wait(2)
    app(nb, 2).get_by_role("button", name="Blue, please").click()
    expect(nb.cell(2)).to_contain_text("accepted in the app")
    nb.run_and_wait(3)
    assert "blue" in nb.text(3)


def test_the_stop_button_of_jupyter_ends_the_question_and_the_next_call_works(notebook: Lab):
    nb = opened(notebook, CALL, CALL)
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    nb.interrupt()
    nb.wait(1, timeout=10)
    assert nb.error(1)[0] == "CancelledError"
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    expect(nb.cell(1)).to_contain_text("paint on desk: stopped")
    nb.run(2)
    app(nb, 2).get_by_role("button", name="Blue, please").click()
    assert answer(nb, 2) == ACCEPTED
    assert len([frame for frame in frames(nb) if frame["method"] == "tools/call"]) == 3


def test_stop_call_ends_the_call_and_sends_nothing_more(notebook: Lab):
    nb = opened(notebook)
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    button(nb, "Stop call").click()
    nb.wait(1)
    assert nb.error(1)[0] == "CancelledError"
    assert len([frame for frame in frames(nb) if frame["method"] == "tools/call"]) == 1


def test_a_server_that_ends_while_it_asks_closes_the_card(notebook: Lab):
    nb = opened(notebook, "call = server.call_tool('paint', {'wall': 'north'}); call", "call.result()")
    nb.wait(1)
    app(nb).locator("#asked").filter(has_text="Which colour").wait_for()
    nb.execute(
        "import asyncio, mcp_elicit_widget.loop as l; asyncio.run_coroutine_threadsafe(raw.end(), l.get()).result(5)"
    )
    expect(nb.cell(1)).to_contain_text("failed: ConnectionClosed")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    nb.run_and_wait(2)
    assert nb.error(2)[0] == "ConnectionClosed"
    assert "the server ended the connection" in nb.error(2)[1]


def test_the_wire_of_an_app_answer_and_of_a_form_answer_differ_in_nothing(notebook: Lab):
    recorded = []
    for way in ("app", "form"):
        nb = opened(notebook)
        if way == "app":
            app(nb).get_by_role("button", name="Blue, please").click()
        else:
            button(nb, "Use the form instead").click()
            fill_form(nb)
        assert answer(nb) == ACCEPTED
        recorded.append(frames(nb))
    assert recorded[0] == recorded[1]
    capabilities = [frame["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] for frame in recorded[0]]
    assert all(one == capabilities[0] for one in capabilities)
    assert capabilities[0]["extensions"]["io.modelcontextprotocol/ui"]["elicitation"] == {}
    assert [frame["method"] for frame in recorded[0]] == [
        "server/discover",
        "tools/call",
        "resources/read",
        "tools/call",
    ]


def test_neither_app_nor_answer_is_saved_mid_question_or_after(notebook: Lab):
    nb = opened(
        notebook,
        desk="message='Which colour?', schema=WORD",
    )
    expect(app(nb).locator("#asked")).to_have_text("Which colour?")
    middle = saved_without_sources(nb)
    assert nb.saved_widgets(), "the control: widget state is saved at all"
    button(nb, "Use the form instead").click()
    nb.cell(1).get_by_label("Magic word").fill("abracadabra")
    nb.cell(1).get_by_label("Magic word").blur()
    typed = saved_without_sources(nb)
    button(nb, "Accept").click()
    assert answer(nb)["content"] == {"word": "abracadabra"}
    expect(nb.cell(1)).to_contain_text("accepted in the form")
    after = saved_without_sources(nb)
    for text in (middle, typed, after):
        assert "abracadabra" not in text
        assert "No paint" not in text
        assert "Magic word" not in text
    assert "accepted in the form" in after


def saved_without_sources(nb: Notebook) -> str:
    """Save and return what is on disk, but for what the cells themselves say and print."""
    nb.save()
    document = nb.saved()
    for cell in document["cells"]:
        del cell["source"]
        cell["outputs"] = [output for output in cell["outputs"] if output["output_type"] != "stream"]
    return json.dumps(document)


def test_many_questions_leave_no_complaint_of_the_kernel_in_any_output(notebook: Lab):
    nb = notebook([connected(), *[CALL] * 6])
    nb.run_and_wait(0)
    # JupyterLab opens and ends a subshell by itself when it joins a kernel; what that leaves is not ours.
    collect = "import gc; gc.collect()"
    nb.execute(collect)
    for cell in range(1, 7):
        nb.run(cell)
        button(nb, "Decline", cell).click()
        nb.wait(cell)
        nb.execute(collect)
    errors = [output for cell in range(1, 7) for output in nb.outputs(cell) if output.get("name") == "stderr"]
    assert errors == []


def test_nothing_of_a_call_stays_in_the_kernel(notebook: Lab):
    nb = opened(notebook, CALL, CALL)
    button(nb, "Decline").click()
    nb.wait(1)
    count = "import ipywidgets; from ipywidgets.widgets import widget; print(len(widget._instances))"
    nb.page.wait_for_function("() => !document.querySelector('.mew-panel')")
    before = nb.execute(count)
    nb.run(2)
    button(nb, "Decline", 2).click()
    nb.wait(2)
    nb.page.wait_for_function("() => !document.querySelector('.mew-panel')")
    assert nb.execute(count) == before
