"""A server that is not ours, in another language: its thirteen fields, over stdio and HTTP."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lab import Lab
from playwright.sync_api import expect
from test_card import button, printed

SERVER = Path(__file__).parents[2] / "js/node_modules/@modelcontextprotocol/server-everything/dist/index.js"

CONNECT = """
from mcp import StdioServerParameters
from mcp_elicit_widget import connect
server = await connect({target}, name="everything")
"""
CALL = "print((await server.call_tool('trigger-elicitation-request')).text)"

DEFAULTS = {
    "firstLine": "It was a dark and stormy night.",
    "integer": 42,
    "number": 3.14,
    "untitledSingleSelectEnum": "Monica",
    "untitledMultipleSelectEnum": ["Guitar"],
    "titledSingleSelectEnum": "hero-1",
    "titledMultipleSelectEnum": ["fish-1"],
    "legacyTitledEnum": "pet-1",
}


@pytest.fixture(params=["stdio", "HTTP"])
def target(request: pytest.FixtureRequest) -> Iterator[str]:
    if request.param == "stdio":
        yield f"StdioServerParameters(command='node', args=[{str(SERVER)!r}, 'stdio'])"
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {"PORT": str(port), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    command = ["node", str(SERVER), "streamableHttp"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                time.sleep(0.05)  # the process has no way to tell us
        yield repr(f"http://127.0.0.1:{port}/mcp")
        process.kill()


def test_its_thirteen_fields_are_answered_in_the_browser(notebook: Lab, target: str):
    nb = notebook([CONNECT.format(target=target), CALL], height=2400)
    nb.run_and_wait(0)
    assert nb.error(0) is None, nb.error(0)
    nb.run(1)
    card = nb.cell(1)
    expect(card.locator(".mew-field")).to_have_count(13)
    card.locator(".mew-field-0 input").fill("Ada")
    card.locator(".mew-field-1").get_by_label("Yes").check()
    card.locator(".mew-field-5 input").fill("1990-02-29")
    button(nb, "Accept").click()
    expect(card.locator(".mew-field-5 .mew-error")).to_contain_text("⚠")
    card.locator(".mew-field-5 input").fill("1992-02-29")
    card.get_by_label("Trout").check()
    card.get_by_label("Fish", exact=True).check()
    button(nb, "Accept").click()
    nb.wait(1)
    assert nb.error(1) is None, nb.error(1)
    told = json.loads(printed(nb).partition("Raw result: ")[2])
    chosen = {"name": "Ada", "check": True, "birthdate": "1992-02-29"}
    changed = {"titledMultipleSelectEnum": ["fish-1", "fish-3"], "legacyTitledEnum": "pet-4"}
    assert told == {"action": "accept", "content": {**DEFAULTS, **chosen, **changed}}
