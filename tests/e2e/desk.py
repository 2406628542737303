"""A server for the tests in JupyterLab: it asks one question, by an app with a chosen behaviour."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from peers import OFFERS_APPS, Error, RawServer, asks, question, says

URI = "ui://desk/picker"
MIME = "text/html;profile=mcp-app"
SCHEMA = {
    "type": "object",
    "properties": {
        "colour": {"type": "string", "title": "Colour", "enum": ["blue", "red"]},
        "coats": {"type": "integer", "title": "Coats", "minimum": 1, "maximum": 5, "default": 2},
    },
    "required": ["colour", "coats"],
}

WORD = {
    "type": "object",
    "properties": {"word": {"type": "string", "title": "Magic word"}},
    "required": ["word"],
}

# What the app does: each behaviour replaces one line of this hand-written app.
APP = """<!doctype html><html><head><title>picker</title></head><body style="margin: 0">
<p id="asked">waiting</p>
<button id="yes">Blue, please</button> <button id="no">No paint</button> <button id="leave">Not now</button>
<button id="wrong">Green, please</button>
<script>
let open = null, seen = null;
const post = (m) => parent.postMessage({ jsonrpc: "2.0", ...m }, "*");
const answer = (result) => { post({ id: open, result }); };
yes.onclick = () => answer({ action: "accept", content: { colour: "blue", coats: 2 } });
no.onclick = () => answer({ action: "decline", content: { colour: "blue" } });
leave.onclick = () => answer({ action: "cancel" });
wrong.onclick = () => answer({ action: "accept", content: { colour: "green", coats: 3 } });
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data.id === 1 && data.result) post({ method: "ui/notifications/initialized" });
  else if (data.method === "elicitation/create") { /*ASKED*/ open = data.id; asked.textContent = data.params.message; }
  else if (data.method === "ui/resource-teardown") post({ id: data.id, result: {} });
});
/*START*/ post({ id: 1, method: "ui/initialize", params: {
  appInfo: { name: "picker", version: "1" }, appCapabilities: { elicitation: {} }, protocolVersion: "2026-01-26" } });
</script></body></html>"""

BEHAVIOURS = {
    "good": APP,
    "silent": APP.replace("/*START*/ post", "/*START*/ void"),
    "unable": APP.replace("appCapabilities: { elicitation: {} }", "appCapabilities: {}"),
    "nameless": APP.replace('appInfo: { name: "picker", version: "1" }, ', ""),
    "refusing": APP.replace(
        "/*ASKED*/", 'return post({ id: data.id, error: { code: -32603, message: "no <b>way</b>" } });'
    ),
    "frozen": APP.replace("/*ASKED*/", "setTimeout(() => { for (;;); }, 50);"),
    "late": APP.replace(
        "/*ASKED*/",
        "open = data.id; answer({ action: 'maybe' }); return answer({ action: 'decline' });",
    ),
    "navigating": APP.replace("/*ASKED*/", 'location = "http://127.0.0.1:1/?stolen";'),
}


def desk(
    html: str = APP,
    *,
    uri: Any = URI,
    mime: str = MIME,
    capabilities: dict[str, Any] | None = None,
    schema: dict[str, Any] | None = None,
    message: str = "Which colour for the north wall?",
    meta: dict[str, Any] | None = None,
) -> RawServer:
    """Return a server whose tool asks for a colour and says what it was answered."""

    async def script(frame: dict[str, Any]) -> dict[str, Any]:
        params = frame["params"]
        if frame["method"] == "resources/read":
            if params["uri"] != URI:
                raise Error(-32602, "no such resource")
            return {"contents": [{"uri": URI, "mimeType": mime, "text": html, "_meta": meta or {"ui": {}}}]}
        if "inputResponses" in params:
            return says(json.dumps(params["inputResponses"]["pick"], sort_keys=True))
        asked = question(message, schema or SCHEMA, _meta={"ui": {"resourceUri": uri}}, later=1)
        return asks({"pick": asked}, "state-1")

    return RawServer(script, capabilities=OFFERS_APPS if capabilities is None else capabilities)
