"""The exchange of the proposal for app-rendered elicitation, frame by frame, answered by the app and by the form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lab import Lab
from playwright.sync_api import expect
from test_card import app, button, frames, printed

HERE = Path(__file__).parent
UI = "io.modelcontextprotocol/ui"
META = "io.modelcontextprotocol/"

SERVER = f"""
import json, sys
sys.path[:0] = [{str(HERE)!r}]
from desk import *
from mcp_elicit_widget import connect

SCHEMA = {{
    "type": "object",
    "properties": {{
        "manager": {{
            "type": "string",
            "title": "Account manager",
            "oneOf": [{{"const": "ada", "title": "Ada L."}}, {{"const": "alan", "title": "Alan T."}}],
        }},
        "confirmed": {{"type": "boolean", "title": "Confirm assignment", "default": False}},
    }},
    "required": ["manager", "confirmed"],
}}
PARAMS = {{
    "mode": "form",
    "message": "Review the portfolio and confirm an account manager.",
    "requestedSchema": SCHEMA,
    "_meta": {{"ui": {{"resourceUri": "ui://portfolio/assign-manager"}}}},
}}
HTML = APP.replace("Blue, please", "Assign Ada").replace(
    "{{ colour: \\"blue\\", coats: 2 }}", "{{ manager: \\"ada\\", confirmed: true }}"
)

async def script(frame):
    params = frame["params"]
    if frame["method"] == "resources/read":
        return {{"contents": [{{"uri": params["uri"], "mimeType": MIME, "text": HTML, "_meta": {{"ui": {{}}}}}}]}}
    if "inputResponses" not in params:
        asked = {{"method": "elicitation/create", "params": PARAMS}}
        return asks({{"manager-assignment": asked}}, "assign-account-manager:v1")
    return {{**says("Ada L. now manages P-7."), "structuredContent": {{"manager": "ada"}}}}

raw = RawServer(script)
server = await connect(raw, name="portfolio")
"""
CALL = 'print((await server.call_tool("assign_account_manager", {"portfolio": "P-7"})).text)'

CAPABILITIES = {
    "elicitation": {"form": {}},
    "extensions": {UI: {"mimeTypes": ["text/html;profile=mcp-app"], "elicitation": {}}},
}
ASSIGN = {"name": "assign_account_manager", "arguments": {"portfolio": "P-7"}}
EXPECTED: list[tuple[str, dict[str, Any]]] = [
    ("server/discover", {}),
    ("tools/call", ASSIGN),
    ("resources/read", {"uri": "ui://portfolio/assign-manager"}),
    (
        "tools/call",
        {
            **ASSIGN,
            "inputResponses": {
                "manager-assignment": {"action": "accept", "content": {"manager": "ada", "confirmed": True}}
            },
            "requestState": "assign-account-manager:v1",
        },
    ),
]


@pytest.mark.parametrize("way", ["app", "form"])
def test_the_exchange_of_the_proposal_is_kept_frame_by_frame(notebook: Lab, way: str):
    nb = notebook([SERVER, CALL])
    nb.run_and_wait(0)
    assert nb.error(0) is None, nb.error(0)
    nb.run(1)
    if way == "app":
        app(nb).get_by_role("button", name="Assign Ada").click()
    else:
        button(nb, "Use the form instead").click()
        nb.cell(1).get_by_label("Ada L.").check()
        nb.cell(1).get_by_label("Yes", exact=True).check()
        button(nb, "Accept").click()
    nb.wait(1)
    assert printed(nb) == "Ada L. now manages P-7.\n"
    expect(nb.cell(1)).to_contain_text(f"portfolio asked (manager-assignment): accepted in the {way}")
    sent = frames(nb)
    assert len({json.dumps(frame["id"]) for frame in sent}) == len(EXPECTED)
    for frame, (method, expected) in zip(sent, EXPECTED, strict=True):
        params = dict(frame["params"])
        meta = params.pop("_meta")
        assert (frame["jsonrpc"], frame["method"], params) == ("2.0", method, expected)
        assert meta[f"{META}protocolVersion"] == "2026-07-28"
        assert meta[f"{META}clientCapabilities"] == CAPABILITIES
        assert meta[f"{META}clientInfo"]["name"] == "mcp-elicit-widget"
