"""A real Streamable HTTP server in a process of its own, and what the host sends it."""

import json
import re
import socket
import subprocess
import sys
import threading
import time

import pytest

from mcp_elicit_widget import ConnectError, ConnectionClosed, ServerError, connect

SERVER = """
import json, sys
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import CallToolResult, ElicitResult, InputRequiredResult, TextContent
from mcp_elicit_widget.server import ElicitationApps, ask, form, restore
SCHEMA = {"type": "object", "properties": {"colour": {"$ref": "#/$defs/C"}}, "required": ["colour"],
          "$defs": {"C": {"type": "string", "enum": ["blue", "red"]}}}
seen = []
apps = ElicitationApps()
apps.add_html_resource("ui://paint/app", "<p>hi</p>")
mcp = MCPServer("paint", extensions=[apps], middleware=[restore], log_level="WARNING")

@mcp.tool()
async def paint(wall: str, ctx: Context) -> CallToolResult | InputRequiredResult:
    answer = (ctx.input_responses or {}).get("colour")
    headers = dict(ctx.request_context.request.headers)
    seen.append({key: value for key, value in headers.items() if key.startswith(("mcp-", "x-"))})
    if not isinstance(answer, ElicitResult):
        return ask({"colour": form("Which?", SCHEMA, app="ui://paint/app")}, "r1")
    text = json.dumps({"answer": answer.model_dump(exclude_none=True), "seen": seen})
    return CallToolResult(content=[TextContent(type="text", text=text)])

mcp.run(transport="streamable-http", port=int(sys.argv[1]))
"""


@pytest.fixture
def server():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", SERVER, str(port)], stderr=subprocess.DEVNULL)
    _wait_for_port(port)
    yield process, f"http://127.0.0.1:{port}/mcp"
    process.kill()
    process.wait()


def _wait_for_port(port):
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            return socket.create_connection(("127.0.0.1", port), 0.2).close()
        except OSError:
            time.sleep(0.05)  # the process has no way to tell us
    raise TimeoutError("the server did not open its port")


def test_an_http_server_asks_and_its_question_arrives_whole(run, server):
    asked = []

    def answers(question):
        asked.append(question.params)
        return {"colour": "blue"}

    async def story():
        async with connect(server[1], answers=answers, headers={"X-Key": "k3y"}) as paint:
            assert paint.name == server[1]
            assert "k3y" not in repr(paint)
            return json.loads((await paint.call_tool("paint", {"wall": "north"})).text)

    told = run(story())
    assert told["answer"] == {"action": "accept", "content": {"colour": "blue"}}
    # What mcp 2.3 drops on the way out is put back by the server's middleware.
    assert asked[0]["_meta"] == {"ui": {"resourceUri": "ui://paint/app"}}
    assert asked[0]["requestedSchema"]["$defs"] == {"C": {"type": "string", "enum": ["blue", "red"]}}
    first, second = told["seen"]
    assert first == second
    assert first["mcp-protocol-version"] == "2026-07-28"
    assert (first["mcp-method"], first["mcp-name"], first["x-key"]) == ("tools/call", "paint", "k3y")


def test_an_answer_that_does_not_fit_a_referenced_schema_is_not_sent(run, server):
    async def story():
        async with connect(server[1], answers={"colour": "green"}) as paint:
            await paint.call_tool("paint", {"wall": "north"})

    with pytest.raises(Exception, match="was not sent: colour"):
        run(story())


def test_a_server_that_goes_away_is_a_named_error_and_other_connections_live(run, server):
    async def story():
        async with connect(server[1]) as paint:
            server[0].kill()
            server[0].wait()
            with pytest.raises((ConnectionClosed, ServerError), match=re.escape(server[1])):
                await paint.call_tool("paint", {"wall": "north"})

    run(story())


def test_an_address_that_speaks_no_mcp_is_a_named_error(run):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]

        def serve():
            while True:
                try:
                    one, _ = listener.accept()
                except OSError:
                    return
                with one:
                    one.recv(65536)
                    one.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")

        threading.Thread(target=serve, daemon=True).start()

        async def story():
            await connect(f"http://127.0.0.1:{port}/?token=s3cret")

        with pytest.raises(ConnectError) as caught:
            run(story())
        listener.shutdown(socket.SHUT_RDWR)
    assert "s3cret" not in str(caught.value)
