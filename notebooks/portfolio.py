"""The server of the quickstart: a small account desk that runs inside the notebook's own kernel.

Three tools, three kinds of question: one drawn by the server's own app, one drawn by the host's form, and one that
invites a no.
"""

from __future__ import annotations

from pathlib import Path

from mcp.server.mcpserver import MCPServer

from mcp_elicit_widget.server import ElicitationApps, elicit, restore

MANAGERS = {"ada": "Ada Okafor", "alan": "Alan Tesch", "mei": "Mei Lindqvist"}
ASSIGN_APP = "ui://portfolio/assign-manager"

apps = ElicitationApps()
apps.add_html_resource(ASSIGN_APP, (Path(__file__).parent / "assign-manager.html").read_text(encoding="utf-8"))
server = MCPServer("portfolio", extensions=[apps], middleware=[restore], log_level="WARNING")


@server.tool(structured_output=False)
async def assign_account_manager(portfolio: str) -> str:
    """Give a portfolio a new account manager; you choose whom."""
    schema = {
        "type": "object",
        "properties": {
            "manager": {
                "type": "string",
                "title": "Account manager",
                "oneOf": [{"const": key, "title": name} for key, name in MANAGERS.items()],
            },
            "confirmed": {"type": "boolean", "title": "I have told the client", "default": False},
        },
        "required": ["manager", "confirmed"],
    }
    message = f"Who should look after portfolio {portfolio}?"
    answer = await elicit("manager-assignment", message, schema, app=ASSIGN_APP)
    if answer.action != "accept" or answer.content is None:
        return f"Nobody new for {portfolio}: the question was answered with {answer.action}."
    told = "The client knows." if answer.content["confirmed"] else "The client still has to be told."
    return f"{MANAGERS[str(answer.content['manager'])]} now looks after {portfolio}. {told}"


@server.tool(structured_output=False)
async def schedule_review(portfolio: str) -> str:
    """Plan the yearly review of a portfolio."""
    schema = {
        "type": "object",
        "properties": {
            "day": {"type": "string", "format": "date", "title": "Day of the review"},
            "minutes": {
                "type": "integer",
                "title": "Length in minutes",
                "minimum": 15,
                "maximum": 120,
                "default": 45,
            },
            "place": {
                "type": "string",
                "title": "Where",
                "enum": ["office", "client", "video"],
                "default": "video",
            },
            "topics": {
                "type": "array",
                "title": "Topics",
                "items": {"type": "string", "enum": ["risk", "fees", "goals"]},
                "minItems": 1,
                "default": ["goals"],
            },
            "invite": {
                "type": "string",
                "format": "email",
                "title": "Also invite",
                "description": "An e-mail address",
            },
        },
        "required": ["day", "minutes", "place", "topics"],
    }
    answer = await elicit("review", f"When shall we review {portfolio}?", schema)
    if answer.action != "accept" or answer.content is None:
        return f"No review of {portfolio} was planned."
    plan = answer.content
    return f"Review of {portfolio} on {plan['day']}, {plan['minutes']} minutes, {plan['place']}."


@server.tool(structured_output=False)
async def close_portfolio(portfolio: str) -> str:
    """Close a portfolio for good, if you really want to."""
    message = f"Close {portfolio} for good? This cannot be undone."
    answer = await elicit("sure", message, {"type": "object", "properties": {}})
    return f"{portfolio} is closed." if answer.action == "accept" else f"{portfolio} stays open."
