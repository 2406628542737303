"""Connections, apps of the SDK and progress in a live kernel."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from lab import Lab
from playwright.sync_api import expect
from test_card import ACCEPTED, CALL, answer, app, button, connected, fill_form, frames, opened, printed

ROOT = Path(__file__).parents[2]

CHILD = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("child", log_level="WARNING")

@server.tool()
def add(a: int, b: int) -> int:
    return a + b

server.run()
"""

SDK_APP = """
import {{ {make} }} from "./tests/support/sdk_apps.ts";
const app = {make}(async (params) => new Promise((resolve) => {{
  const button = document.createElement("button");
  button.textContent = params.message;
  button.onclick = () => resolve({{ action: "accept", content: {{ colour: "blue", coats: params.later + 1 }} }});
  document.body.append(button);
}}), {{ elicitation: {{}} }}, {{ autoResize: true }});
await app.connect();
"""


@pytest.fixture(scope="module")
def sdk_apps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Bundle one app for each SDK, as its author would."""
    place = tmp_path_factory.mktemp("apps")
    made = {}
    for make in ("newApp", "oldApp"):
        bundled = place / f"{make}.js"
        command = ["node_modules/.bin/esbuild", "--bundle", "--format=esm", "--loader=ts", f"--outfile={bundled}"]
        source = SDK_APP.format(make=make)
        subprocess.run(command, input=source, cwd=ROOT / "js", text=True, check=True, capture_output=True)
        script = bundled.read_text().replace("</script", "<\\/script")
        made[make] = place / f"{make}.html"
        made[make].write_text(f'<!doctype html><body></body><script type="module">{script}</script>')
    return made


@pytest.mark.parametrize("make", ["newApp", "oldApp"])
def test_an_app_of_the_sdk_is_answered_by_a_click(notebook: Lab, sdk_apps: dict[str, Path], make: str):
    cell = connected().replace("BEHAVIOURS['good']", f"open({str(sdk_apps[make])!r}).read()")
    nb = notebook([cell, CALL])
    nb.run_and_wait(0)
    nb.run(1)
    app(nb).get_by_role("button", name="Which colour for the north wall?").click()
    assert answer(nb) == ACCEPTED


def test_running_the_connecting_cell_five_times_leaves_one_child(notebook: Lab):
    script = f"""
import psutil, sys
from mcp import StdioServerParameters
from mcp_elicit_widget import connect
server = await connect(StdioServerParameters(command=sys.executable, args=["-c", {CHILD!r}]))
print((await server.call_tool("add", {{"a": 1, "b": 2}})).text)
"""
    wait = """
import asyncio
async with asyncio.timeout(20):
    while len(kids := [kid for kid in psutil.Process().children(recursive=True) if kid.status() != "zombie"]) != 1:
        await asyncio.sleep(0.05)
print(len(kids), (await server.call_tool("add", {"a": 2, "b": 2})).text)
"""
    nb = notebook([script, wait])
    for _ in range(5):
        nb.run_and_wait(0)
        assert nb.text(0) == "3\n"
    nb.run_and_wait(1)
    assert nb.text(1) == "1 4\n"


def test_a_kernel_that_restarts_while_a_question_is_open_leaves_no_child(notebook: Lab):
    nb = opened(notebook)
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    notebook.allow_console("Comm not found")
    nb.restart_kernel()
    nb.run_and_wait(0)
    assert nb.error(0) is None


def test_progress_is_shown_while_a_call_runs(notebook: Lab):
    script = """
import asyncio, threading
gate = threading.Event()
async def slow(frame):
    token = frame["params"]["_meta"]["progressToken"]
    params = {"progressToken": token, "progress": 3, "total": 10, "message": "<b>mixing</b>"}
    await raw.push({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
    await asyncio.to_thread(gate.wait, 20)
    return says("mixed")
raw.script = slow
call = server.call_tool("mix")
call
"""
    nb = notebook([connected(), script, "gate.set(); print((await call).text)"])
    nb.run_and_wait(0)
    nb.run_and_wait(1)
    expect(nb.cell(1)).to_contain_text("3 of 10 <b>mixing</b>")
    expect(button(nb, "Stop call")).to_be_visible()
    nb.run_and_wait(2)
    assert printed(nb, 2) == "mixed\n"
    expect(nb.cell(1)).to_contain_text("mix on desk: finished")


def test_a_call_that_asks_nothing_shows_nothing(notebook: Lab):
    script = """
async def quick(frame):
    return says("quick")
raw.script = quick
print((await server.call_tool("quick")).text)
"""
    nb = notebook([connected(), script])
    nb.run_and_wait(0)
    nb.run_and_wait(1)
    assert [output["output_type"] for output in nb.outputs(1)] == ["stream"]


def test_two_rounds_are_asked_one_after_the_other(notebook: Lab):
    script = """
async def twice(frame):
    given = frame["params"].get("inputResponses", {})
    if "second" in given:
        return says(json.dumps(given))
    key = "second" if "first" in given else "first"
    return asks({key: question(f"The {key} colour?", SCHEMA)}, key)
raw.script = twice
print((await server.call_tool("paint")).text)
"""
    nb = notebook([connected(), script])
    nb.run_and_wait(0)
    nb.run(1)
    for key in ("first", "second"):
        expect(nb.cell(1)).to_contain_text(f"The {key} colour?")
        fill_form(nb)
    assert answer(nb) == {"second": ACCEPTED}
    sent = [frame["params"] for frame in frames(nb) if frame["method"] == "tools/call"]
    assert [list(params.get("inputResponses", {})) for params in sent] == [[], ["first"], ["second"]]


def test_two_questions_of_one_round_stand_below_each_other_and_go_in_one_retry(notebook: Lab):
    script = """
async def both(frame):
    given = frame["params"].get("inputResponses")
    if given:
        return says(json.dumps(given))
    sure = question("Sure?", {"type": "object", "properties": {}})
    return asks({"b": question("Colour of B?", SCHEMA), "a": sure}, "s")
raw.script = both
print((await server.call_tool("paint")).text)
"""
    nb = notebook([connected(), script])
    nb.run_and_wait(0)
    nb.run(1)
    panels = nb.cell(1).locator(".mew-panel")
    expect(panels).to_have_count(2)
    panels.nth(1).get_by_role("button", name="Decline").click()
    assert nb.is_running(1)
    panels.nth(0).get_by_label("blue", exact=True).check()
    panels.nth(0).get_by_role("button", name="Accept").click()
    assert answer(nb) == {"b": ACCEPTED, "a": {"action": "decline"}}
    assert len([frame for frame in frames(nb) if frame["method"] == "tools/call"]) == 2


def test_what_a_server_writes_is_shown_as_text(notebook: Lab):
    schema = {
        "type": "object",
        "properties": {
            "x": {"type": "string", "title": "<img src=x> $a$", "description": "<b>bold</b>", "enum": ["<i>1</i>", "2"]}
        },
    }
    nb = opened(notebook, desk=f"uri=None, message='<script>1</script>\\nsecond line', schema={schema!r}")
    card = nb.cell(1)
    for text in ("<script>1</script>", "second line", "<img src=x> $a$", "<b>bold</b>", "<i>1</i>"):
        expect(card).to_contain_text(text)
    expect(card.locator("img, b, i, .MathJax, mjx-container")).to_have_count(0)
    button(nb, "Cancel").click()
    assert answer(nb) == {"action": "cancel"}


def test_a_kernel_that_is_busy_while_the_card_is_drawn_is_not_taken_for_one_without_front_end(notebook: Lab):
    script = """
from IPython.display import display
import time
call = server.call_tool("paint")
display(call)
time.sleep(14)
"""
    nb = notebook([connected(), script, "print((await call).text)"])
    nb.run_and_wait(0)
    nb.run_and_wait(1, timeout=40)
    app(nb).get_by_role("button", name="Blue, please").click()
    nb.run_and_wait(2)
    assert json.loads(printed(nb, 2)) == ACCEPTED


def test_a_question_whose_view_is_gone_for_too_long_fails_by_name(notebook: Lab):
    nb = opened(notebook, options="view_timeout=1")
    expect(app(nb).locator("#asked")).to_have_text("Which colour for the north wall?")
    nb.page.evaluate("jupyterapp.commands.execute('notebook:clear-cell-output')")
    nb.wait(1)
    assert nb.error(1) is not None
    assert nb.error(1)[0] == "ViewLost"
    assert "desk, paint" in nb.error(1)[1]
    assert len([frame for frame in frames(nb) if frame["method"] == "tools/call"]) == 1


def test_where_no_front_end_draws_the_card_the_call_fails_by_name(tmp_path: Path):
    """A client that could answer but draws nothing, such as a console."""
    code = f"""
import asyncio, sys
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(kernel_name="python3", extra_arguments=["--log-level=ERROR"])
source = {connected() + "await server.call_tool('paint', {'wall': 'north'})"!r}
reply = client.execute_interactive(source, allow_stdin=True, timeout=60, output_hook=lambda _: None)
print(reply["content"]["ename"], reply["content"]["evalue"])
client.stop_channels()
manager.shutdown_kernel(now=True)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert done.stdout.startswith("NobodyCanAnswer"), done.stdout + done.stderr
    assert "no front end drew the card within 10 s" in done.stdout
    assert "decline" not in done.stdout


class Hits:
    """A server that notes what reaches it and lets any page read its answer."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        noted = self.paths

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                noted.append(self.path)
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()
                self.wfile.write(b"ok")

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def hits() -> Iterator[tuple[Hits, Hits]]:
    both = Hits(), Hits()
    yield both
    for one in both:
        one.server.shutdown()
        one.server.server_close()


def test_an_app_reaches_what_was_declared_and_nothing_else_and_the_reader_is_told(
    notebook: Lab, hits: tuple[Hits, Hits]
):
    declared, other = hits
    notebook.allow_console(r"Content Security Policy|Refused to connect")
    reach = f"""
const reach = async (url) => {{ try {{ return (await fetch(url)).ok }} catch {{ return false }} }};
(async () => {{
  const told = [await reach("{declared.origin}/declared"), await reach("{other.origin}/other")];
  document.body.append(document.createTextNode("reached " + told.join(" ")));
}})();
"""
    meta = {"ui": {"csp": {"connectDomains": [declared.origin, "*"]}}}
    cell = connected().replace("BEHAVIOURS['good']", f"APP.replace('/*START*/', {reach!r})")
    nb = notebook([cell.replace("raw = desk(", f"raw = desk(meta={meta!r}, html="), CALL])
    nb.run_and_wait(0)
    assert nb.error(0) is None, nb.error(0)
    nb.run(1)
    expect(app(nb).locator("body")).to_contain_text("reached true false")
    expect(nb.cell(1)).to_contain_text(f"This app may reach {declared.origin.removeprefix('http://')}. Not granted: *.")
    assert declared.paths == ["/declared"]
    assert other.paths == []
    button(nb, "Decline").click()
    assert answer(nb) == {"action": "decline"}


def test_two_servers_with_the_same_address_draw_their_own_app_and_answers_do_not_cross(notebook: Lab):
    script = """
import asyncio
other_raw = desk(APP.replace("Blue, please", "Blue from the other"), message="The other asks")
other = await connect(other_raw, name="other desk")
mine, theirs = await asyncio.gather(server.call_tool("paint"), other.call_tool("paint"))
print(json.dumps([json.loads(mine.text), json.loads(theirs.text)]))
"""
    nb = opened(notebook, script)
    cards = nb.cell(1).locator(".mew-panel")
    expect(cards).to_have_count(2)
    other = cards.filter(has_text="other desk asks")
    inner = other.locator("iframe").content_frame.frame_locator("iframe")
    expect(inner.locator("#asked")).to_have_text("The other asks")
    inner.get_by_role("button", name="Blue from the other").click()
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Which colour for the north wall?")
    button(nb, "Decline").click()
    nb.wait(1)
    assert json.loads(printed(nb)) == [{"action": "decline"}, ACCEPTED]
