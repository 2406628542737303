"""The server that is measured: an echo, and a question. Run it as `desk_server.py stdio` or `desk_server.py PORT`."""

from __future__ import annotations

import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
)

SCHEMA = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}

server = MCPServer("desk", log_level="ERROR")


@server.tool()
def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool()
async def paint(ctx: Context) -> CallToolResult | InputRequiredResult:
    """Ask for a colour."""
    answer = (ctx.input_responses or {}).get("colour")
    if not isinstance(answer, ElicitResult):
        params = ElicitRequestFormParams(message="Which colour?", requested_schema=SCHEMA)
        return InputRequiredResult(input_requests={"colour": ElicitRequest(params=params)}, request_state="s")
    return CallToolResult(content=[TextContent(type="text", text=str(answer.content))])


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run()
    else:
        server.run(transport="streamable-http", port=int(sys.argv[1]))
