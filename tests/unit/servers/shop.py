"""A Streamable HTTP server whose tools ask by elicit(); its port is the first argument."""

import json
import sys

from mcp.server.mcpserver import MCPServer

from mcp_elicit_widget.server import ElicitationApps, elicit, restore

SCHEMA = {
    "type": "object",
    "properties": {"colour": {"$ref": "#/$defs/C"}},
    "required": ["colour"],
    "$defs": {"C": {"type": "string", "enum": ["blue", "red"]}},
}

apps = ElicitationApps()
apps.add_html_resource("ui://shop/colour", "<p>hi</p>")
server = MCPServer("shop", extensions=[apps], middleware=[restore], log_level="WARNING")


@server.tool(structured_output=False)
async def paint(wall: str) -> str:
    """Ask for two coats."""
    first = await elicit("colour", f"Which colour for {wall}?", SCHEMA, app="ui://shop/colour")
    second = await elicit("colour", f"And over {first.content['colour']}?", SCHEMA, app="ui://shop/colour")
    return json.dumps([first.content, second.content])


if __name__ == "__main__":
    server.run(transport="streamable-http", port=int(sys.argv[1]))
