"""Direct questions of older eras in JupyterLab (LEG)."""

from __future__ import annotations

import json

import pytest
from lab import Lab, Notebook
from playwright.sync_api import expect
from test_card import ACCEPTED, answer, app, button, expect_form, fill_form, frames, prepared, printed

OLDER = """
async def ask(number, **params):
    asked = question("Which colour for the north wall?", SCHEMA, _meta={"ui": {"resourceUri": URI}}, later=1, **params)
    await raw.push({"jsonrpc": "2.0", "id": number, **asked})
    return await raw.seen(lambda frame: frame.get("id") == number and "method" not in frame, 60)

read = raw.script
async def older(frame):
    if frame["method"] == "resources/read":
        return await read(frame)
    told = await ask(0)
    return {"content": [{"type": "text", "text": json.dumps(told.get("result"), sort_keys=True)}]}

raw.legacy, raw.script = True, older
server = await connect(raw, name="desk", mode="legacy")
"""
CALL = "print((await server.call_tool('paint', {'wall': 'north'})).text)"


def opened(notebook: Lab, *cells: str) -> Notebook:
    nb = notebook([prepared() + OLDER, *cells])
    nb.run_and_wait(0)
    assert nb.error(0) is None, nb.error(0)
    nb.run(1)
    return nb


def test_a_direct_question_with_id_0_is_drawn_by_the_app_under_its_cell(notebook: Lab):
    nb = opened(notebook, CALL)
    app(nb).get_by_role("button", name="Blue, please").click()
    assert answer(nb) == ACCEPTED
    expect(nb.cell(1)).to_contain_text("accepted in the app")
    capabilities = next(frame for frame in frames(nb) if frame["method"] == "initialize")["params"]["capabilities"]
    assert capabilities["extensions"]["io.modelcontextprotocol/ui"]["elicitation"] == {}
    assert capabilities["elicitation"] == {"form": {}}


def test_a_direct_question_is_answered_in_the_form(notebook: Lab):
    nb = opened(notebook, CALL)
    app(nb).get_by_role("button", name="Green, please").click()
    expect_form(nb, "does not fit")
    fill_form(nb)
    assert answer(nb) == {"action": "accept", "content": {"coats": 3, "colour": "blue"}}


def test_a_question_that_the_server_withdraws_closes_and_is_not_answered(notebook: Lab):
    script = """
async def withdrawing(frame):
    if frame["method"] == "resources/read":
        return await read(frame)
    asking = asyncio.ensure_future(ask(0))
    await asyncio.to_thread(gate.wait, 30)
    await raw.push({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 0}})
    asking.cancel()
    await asyncio.to_thread(gone.wait, 30)
    return {"content": [{"type": "text", "text": "on my own"}]}
import asyncio, threading
gate, gone = threading.Event(), threading.Event()
raw.script = withdrawing
call = server.call_tool("paint")
call
"""
    nb = opened(notebook, script, "gone.set(); print((await call).text)")
    nb.wait(1)
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    nb.execute("gate.set()")
    expect(nb.cell(1)).to_contain_text("The question was withdrawn.")
    expect(nb.cell(1).locator("iframe")).to_have_count(0)
    expect(button(nb, "Decline")).to_have_count(0)
    nb.run_and_wait(2)
    assert printed(nb, 2) == "on my own\n"
    assert not [frame for frame in frames(nb) if frame.get("id") == 0 and "method" not in frame]
    expect(nb.cell(1)).to_contain_text("withdrawn")


def test_stopping_the_call_cancels_it_and_leaves_no_question_open(notebook: Lab):
    nb = opened(notebook, CALL)
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    button(nb, "Stop call").click()
    nb.wait(1)
    assert nb.error(1) is not None
    assert nb.error(1)[0] == "CancelledError"
    nb.execute("await raw.seen(lambda frame: frame.get('method') == 'notifications/cancelled') and None")
    nb.execute("await raw.seen(lambda frame: frame.get('id') == 0 and 'error' in frame) and None")
    assert not [frame for frame in frames(nb) if frame.get("id") == 0 and "result" in frame]


def test_with_two_open_calls_the_question_names_both_and_is_answered_once(notebook: Lab):
    script = """
import asyncio
async def two(frame):
    if frame["method"] == "resources/read":
        return await read(frame)
    if frame["params"]["name"] == "wait":
        told = await raw.seen(lambda sent: sent.get("id") == 7 and "method" not in sent, 60)
        return {"content": [{"type": "text", "text": "waited"}]}
    told = await ask(7)
    return {"content": [{"type": "text", "text": json.dumps(told["result"], sort_keys=True)}]}
raw.script = two
both = await asyncio.gather(server.call_tool("wait"), server.call_tool("paint"))
print(json.dumps([one.text for one in both]))
"""
    nb = opened(notebook, script)
    app(nb).get_by_role("button", name="Blue, please").click()
    nb.wait(1)
    assert nb.error(1) is None, nb.error(1)
    assert json.loads(printed(nb)) == ["waited", json.dumps(ACCEPTED, sort_keys=True)]


@pytest.mark.parametrize("mode", ["url", "other"])
def test_a_mode_that_was_not_declared_is_answered_with_invalid_params(notebook: Lab, mode: str):
    script = f"""
async def moded(frame):
    told = await ask(0, mode={mode!r}, url="https://a.example", elicitationId="1")
    return {{"content": [{{"type": "text", "text": json.dumps(told["error"]["code"])}}]}}
raw.script = moded
print((await server.call_tool("paint")).text)
"""
    nb = opened(notebook, script)
    nb.wait(1)
    assert nb.error(1) is None, nb.error(1)
    assert printed(nb) == "-32602\n"
