"""For people who write servers: let an elicitation name the app that draws it.

Servers of the Python SDK (mcp 2.3) need help for that: `Apps` does not announce the capability, and on 2026-07-28 the
SDK drops `_meta` and top-level schema members such as `$defs` from questions inside `input_required`; on older eras it
drops `capabilities.extensions` from the handshake. `ElicitationApps` announces, `restore` puts back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any

import mcp_types as types
from mcp.server.apps import EXTENSION_ID, Apps

from .negotiation import APP_MIME_TYPE, is_app_uri
from .shapes import is_object, member

_asked: ContextVar[dict[str, dict[str, Any]] | None] = ContextVar("mcp_elicit_widget_asked", default=None)


class ElicitationApps(Apps):
    """The MCP Apps extension that also announces app-rendered elicitation (NEG-07).

    Use it together with `restore`:

        apps = ElicitationApps()
        apps.add_html_resource("ui://portfolio/assign", html)
        server = MCPServer("portfolio", extensions=[apps], middleware=[restore])
    """

    def settings(self) -> dict[str, Any]:
        """Return the nested setting."""
        return {"elicitation": {}}


async def restore(context: Any, call_next: Callable[[Any], Awaitable[Any]]) -> Any:  # noqa: ANN401 - the SDK's shape
    """Middleware that puts back what the SDK drops on the way out; see the module."""
    box: dict[str, dict[str, Any]] = {}
    token = _asked.set(box)
    try:
        result: Any = await call_next(context)
    finally:
        _asked.reset(token)
    if is_object(result):
        _mend(context.method, result, box)
    return result


def _mend(method: str, result: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    if method == "initialize":
        extensions: dict[str, Any] = result["capabilities"].setdefault("extensions", {})
        extensions.setdefault(EXTENSION_ID, {"elicitation": {}})
    requests: dict[str, dict[str, Any]] = result.get("inputRequests") or {}
    for key, request in requests.items():
        if key in asked:
            request["params"] = asked[key]


def form(message: str, schema: Mapping[str, Any], *, app: str | None = None) -> types.ElicitRequest:
    """Make a question with a form, and perhaps an app that draws it.

    Args:
        message: What the person reads.
        schema: The JSON Schema of the answer; complete by itself, as every host may draw it natively.
        app: The `ui://` address of the app, or None; pass it only if `draws_apps` says so.

    Raises:
        ValueError: The app's address is not an absolute `ui://` address.
    """
    if app is not None and not is_app_uri(app):
        raise ValueError("an app has an absolute ui:// address with an authority, such as ui://shop/picker")
    meta: Any = {"ui": {"resourceUri": app}} if app is not None else None
    params = types.ElicitRequestFormParams(message=message, requested_schema=dict(schema), _meta=meta)
    return types.ElicitRequest(params=params)


def ask(questions: Mapping[str, types.ElicitRequest], state: str | None = None) -> types.InputRequiredResult:
    """Return questions from a tool; the host calls it again with the answers (2026-07-28).

    Args:
        questions: The questions by key; the answers come back under the same keys.
        state: What the server wants to see again, or None.
    """
    box = _asked.get()
    if box is not None:
        for key, request in questions.items():
            box[key] = request.params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return types.InputRequiredResult(input_requests=dict(questions), request_state=state)


def draws_apps(capabilities: types.ClientCapabilities | None) -> bool:
    """Tell whether the client can draw an elicitation by an app: form mode, the MIME type and the nested setting."""
    if capabilities is None or capabilities.elicitation is None:
        return False
    settings = member(capabilities.extensions, EXTENSION_ID)
    kinds = member(settings, "mimeTypes")
    return isinstance(kinds, list) and APP_MIME_TYPE in kinds and is_object(member(settings, "elicitation"))
