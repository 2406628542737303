"""For people who write servers with the Python SDK: questions that name the app that draws them, in both eras.

    apps = ElicitationApps()
    apps.add_html_resource("ui://shop/colour", html)
    server = MCPServer("shop", extensions=[apps], middleware=[restore])

    @server.tool()
    async def paint(wall: str) -> str:
        answer = await elicit("colour", f"Which colour for {wall}?", SCHEMA, app="ui://shop/colour")
        return f"{wall}: {answer.content['colour']}" if answer.action == "accept" else f"{wall}: {answer.action}"

mcp 2.3 needs help for that. `Apps` does not announce the capability (`ElicitationApps` does). On 2026-07-28 the SDK
drops `_meta` and the top-level members of the schema that it does not know from questions inside `input_required`;
on older eras it drops `capabilities.extensions` from the handshake (`restore` puts both back). `sdk_keeps` tells when
that is no longer needed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.apps import EXTENSION_ID, Apps
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import methods
from mcp_types.version import is_version_at_least
from pydantic import ValidationError

from .negotiation import APP_MIME_TYPE, is_app_uri
from .shapes import is_object, member

if TYPE_CHECKING:
    from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
    from mcp.server.mcpserver import Context

Json = dict[str, Any]
Settings = Mapping[str, Mapping[str, Any]]

_MODERN = "2026-07-28"
_LEGACY = "2025-11-25"
_SETTINGS: Settings = {EXTENSION_ID: {"elicitation": {}}}


class ElicitationApps(Apps):
    """The MCP Apps extension that also announces app-rendered elicitation (NEG-07); use it together with `restore`."""

    def settings(self) -> Json:
        """Return the nested setting."""
        return {"elicitation": {}}


# ---------------------------------------------------------------- questions and their apps


def form(message: str, schema: Mapping[str, Any], *, app: str | None = None) -> types.ElicitRequest:
    """Make a question with a form, and perhaps an app that draws it.

    Args:
        message: What the person reads.
        schema: The JSON Schema of the answer; complete by itself, as every host may draw it natively (FBK-01).
        app: The `ui://` address of the app, or None.

    Returns:
        The question, for `elicit_all` (which takes the app off where the client cannot draw it) or `ask`.

    Raises:
        ValueError: The app's address is not an absolute `ui://` address with an authority (RES-01).
    """
    params = types.ElicitRequestFormParams(message=message, requested_schema=dict(schema))
    return types.ElicitRequest(params=params if app is None else with_app(params, app))


def with_app(params: types.ElicitRequestParams, uri: str) -> types.ElicitRequestFormParams:
    """Name the app that draws a question, in `_meta.ui.resourceUri`.

    Args:
        params: The params of an `elicitation/create`; they are not changed. Other members of `_meta` are kept.
        uri: The app's address.

    Returns:
        New params.

    Raises:
        ValueError: The mode is not form (URL mode has a trust boundary of its own, SEP-3118), or the address is not
            an absolute `ui://` address with an authority (RES-01).
    """
    if not isinstance(params, types.ElicitRequestFormParams) or params.mode not in (None, "form"):
        raise ValueError(f"only questions in form mode can name an app, not mode {params.mode!r}")
    meta: Json = {**(params.meta or {})}
    ui = meta.get("ui")
    meta["ui"] = {**(ui if is_object(ui) else {}), "resourceUri": _checked(uri)}
    return params.model_copy(update={"meta": meta})


def app_of(params: types.ElicitRequestParams) -> str | None:
    """Return the address of the app that a question names, or None when it names none.

    Raises:
        ValueError: It names one in another mode than form, or by an address that is none (RES-01).
    """
    ui = member(params.meta, "ui")
    if not is_object(ui) or "resourceUri" not in ui:
        return None
    if params.mode not in (None, "form"):
        raise ValueError(f"only questions in form mode can name an app, not mode {params.mode!r}")
    return _checked(ui["resourceUri"])


def _checked(uri: object) -> str:
    if not isinstance(uri, str) or not is_app_uri(uri):
        raise ValueError("an app has an absolute ui:// address with an authority, such as ui://shop/colour")
    return uri


def supports_app_elicitation(
    asked: Context[Any, Any] | ServerRequestContext[Any, Any] | types.ClientCapabilities | None,
) -> bool:
    """Tell whether the client can draw a question by an app (NEG-01, NEG-02, NEG-09).

    Args:
        asked: The context of the request (fastmcp's works too), or the client's capabilities. On 2026-07-28 they
            are those of this request, on older eras those of the session; the context knows which.

    Returns:
        True only if the client declares all three: questions in form mode (`elicitation: {}` counts), the MIME type
        `text/html;profile=mcp-app`, and the nested `elicitation` object.
    """
    if asked is None or isinstance(asked, types.ClientCapabilities):
        capabilities = asked
    else:
        capabilities = asked.session.client_capabilities
    settings = member(capabilities.extensions, EXTENSION_ID) if capabilities is not None else None
    kinds = member(settings, "mimeTypes")
    nested = is_object(member(settings, "elicitation"))
    return _takes_forms(capabilities) and isinstance(kinds, list) and APP_MIME_TYPE in kinds and nested


def _takes_forms(capabilities: types.ClientCapabilities | None) -> bool:
    core = capabilities.elicitation if capabilities is not None else None
    return core is not None and (core.form is not None or core.url is None)


# ---------------------------------------------------------------- asking


class _Unanswered(MCPError):
    """Ends this round of a tool. `restore` turns it into `input_required`, so that no client sees it.

    MCPServer lets an `MCPError` out of a tool; fastmcp does so for this code alone, and it hides and logs others.
    """

    def __init__(self) -> None:
        super().__init__(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "input required")


@dataclass
class _Round:
    """One request as `restore` saw it, and what became of its questions."""

    request: ServerRequestContext[Any, Any]
    times: Counter[str] = field(default_factory=Counter[str])
    given: dict[str, types.ElicitResult] = field(default_factory=dict[str, types.ElicitResult])
    unanswered: dict[str, Json] = field(default_factory=dict[str, Json])
    returned: dict[str, Json] = field(default_factory=dict[str, Json])

    def answer(self, key: str) -> types.ElicitResult | None:
        """Return the answer that came with this request: from an earlier round by the state, or from this one."""
        params = self.request.params or {}
        raw = member(_earlier(params.get("requestState")), key) or member(params.get("inputResponses"), key)
        try:
            return types.ElicitResult.model_validate(raw, by_name=False)
        except ValidationError:
            return None  # none yet, or none of a question: it is asked (again)

    def result(self) -> Json:
        """Return the `input_required` result; it asks what is unanswered and carries what was answered."""
        questions = {key: {"method": "elicitation/create", "params": params} for key, params in self.unanswered.items()}
        result: Json = {"resultType": "input_required", "inputRequests": questions}
        if self.given:
            given = {key: answer.model_dump(mode="json", exclude_none=True) for key, answer in self.given.items()}
            result["requestState"] = json.dumps({"answers": given})
        return result


_round: ContextVar[_Round | None] = ContextVar("mcp_elicit_widget_round", default=None)


def _earlier(state: object) -> object:
    try:
        return member(json.loads(state), "answers") if isinstance(state, str) else None
    except ValueError:
        return None  # the state of somebody else


async def elicit(key: str, message: str, schema: Mapping[str, Any], *, app: str | None = None) -> types.ElicitResult:
    """Ask the person one question from a tool, prompt or resource template, in both eras.

    On older eras the question is sent at once and the answer awaited. On 2026-07-28 the handler is left here by an
    exception, the client is asked, and **the handler runs again from its beginning** when it comes back; then this
    returns the answer. So ask before anything is done that must not be done twice, ask in the same order each time,
    and let the exception through. Answers of earlier rounds travel in the request's state. `MCPServer` and fastmcp
    seal it; for a low-level `Server` put the SDK's `RequestStateBoundary` before `restore`. Either way an answer is
    the client's word: the host checks it against the schema, and a server should check it again.

    Args:
        key: What the question is called on the wire. Asked again under the same key, as in a loop, it is a new
            question, called `key#2` and so on.
        message: What the person reads.
        schema: The JSON Schema of the answer, complete by itself.
        app: The address of the app that draws it. It is named only if the client `supports_app_elicitation`.

    Returns:
        The answer; its `action` is "accept", "decline" or "cancel".

    Raises:
        ValueError: The app's address is not an absolute `ui://` address with an authority.
        RuntimeError: The server runs without `restore`, or no request is being answered here.
        MCPError: The client takes no questions in form mode (-32021), or (older eras) answered with an error.
    """
    return (await elicit_all({key: form(message, schema, app=app)}))[key]


async def elicit_all(questions: Mapping[str, types.ElicitRequest]) -> dict[str, types.ElicitResult]:
    """Ask several questions at once (2026-07-28) or one after the other (older eras); otherwise like `elicit`.

    Args:
        questions: Questions from `form`, by key.

    Returns:
        The answers, by key.

    Raises:
        RuntimeError: As for `elicit`; so is MCPError.
    """
    this = _round.get()
    if this is None:
        raise RuntimeError("elicit() works inside a request, on a server that has `restore` among its middleware")
    request = this.request
    if not _takes_forms(request.session.client_capabilities):
        needed: Json = {"requiredCapabilities": {"elicitation": {"form": {}}}}
        message = "this needs a client that takes questions in form mode"
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, message, needed)
    drawn = supports_app_elicitation(request)
    asked = {key: question if drawn else _without_app(question) for key, question in questions.items()}
    if not is_version_at_least(request.protocol_version, _MODERN):
        # ctx.elicit() of mcp 2.3 has no place for `_meta`.
        here = ServerMessageMetadata(related_request_id=request.request_id)
        send = request.session.send_request
        return {key: await send(question, types.ElicitResult, metadata=here) for key, question in asked.items()}
    answers: dict[str, types.ElicitResult] = {}
    missing: dict[str, Json] = {}
    for key, question in asked.items():
        this.times[key] += 1
        name = key if this.times[key] == 1 else f"{key}#{this.times[key]}"
        answer = this.answer(name)
        if answer is None:
            missing[name] = _json(question)
        else:
            answers[key] = this.given[name] = answer
    if missing:
        this.unanswered.update(missing)
        raise _Unanswered
    return answers


def ask(questions: Mapping[str, types.ElicitRequest], state: str | None = None) -> types.InputRequiredResult:
    """Make the result by which a tool asks on 2026-07-28, for those who handle rounds and state themselves.

    Args:
        questions: The questions by key; the answers come back under the same keys. Apps are not taken off.
        state: What the server wants to see again, or None.

    Returns:
        What the tool returns. With `restore`, its questions reach the client whole.
    """
    this = _round.get()
    if this is not None:
        this.returned.update({key: _json(question) for key, question in questions.items()})
    return types.InputRequiredResult(input_requests=dict(questions), request_state=state)


def _json(question: types.ElicitRequest) -> Json:
    dumped: Json = question.params.model_dump(by_alias=True, mode="json", exclude_none=True)
    return dumped


def _without_app(question: types.ElicitRequest) -> types.ElicitRequest:
    ui = member(question.params.meta, "ui")
    if not is_object(ui):
        return question
    rest: Any = {key: value for key, value in (question.params.meta or {}).items() if key != "ui"}
    return question.model_copy(update={"params": question.params.model_copy(update={"meta": rest or None})})


# ---------------------------------------------------------------- what mcp 2.3 drops


def restoring(extensions: Settings) -> ServerMiddleware[Any]:
    """Make a `restore` for a server that has more extensions than MCP Apps.

    Args:
        extensions: All settings that the handshake of an older era announces, by extension.
    """

    async def restore(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        this = _Round(ctx)
        token = _round.set(this)
        try:
            result = await call_next(ctx)
        except Exception:
            if not this.unanswered:
                raise
            result = None
        finally:
            _round.reset(token)
        if this.unanswered:
            # Also when the handler or its framework caught the exception and made something else of it.
            return this.result()
        if not is_object(result):
            return result
        if ctx.method == "initialize":
            kept: Json = result.get("capabilities") or {}
            return {**result, "capabilities": {**kept, "extensions": {**extensions, **(kept.get("extensions") or {})}}}
        requests: Json = result.get("inputRequests") or {}
        if not this.returned.keys() & requests.keys():
            return {**result}
        return {**result, "inputRequests": {key: _whole(one, this.returned.get(key)) for key, one in requests.items()}}

    return restore


restore = restoring(_SETTINGS)
"""Middleware that `elicit` needs, and that puts back what the SDK drops on the way out.

`MCPServer(middleware=[restore])`, `low_level_server.middleware.append(restore)`. Use it on servers that announce
app-rendered elicitation. What the SDK keeps stays as the SDK sends it.
"""


def _whole(sent: Json, full: Json | None) -> Json:
    if full is None or sent.get("method") != "elicitation/create":
        return sent
    params: Json = {**full, **(sent.get("params") or {})}
    if "requestedSchema" in full:
        params["requestedSchema"] = {**full["requestedSchema"], **params["requestedSchema"]}
    return {**sent, "params": params}


def sdk_keeps() -> dict[str, bool]:
    """Tell for each fault that `restore` mends whether the installed SDK has mended it itself; nothing is sent.

    Returns:
        What the SDK may drop, and whether it keeps it. When all are True, only `elicit` still needs `restore`.
    """
    added: Json = {"$defs": {}, "additionalProperties": False, "title": "", "x-more": 1}
    schema: Json = {"type": "object", "properties": {}, **added}
    params: Json = {"mode": "form", "message": "", "requestedSchema": schema, "_meta": {"ui": {}}}
    requests = {"k": {"method": "elicitation/create", "params": params}}
    asking = {"resultType": "input_required", "inputRequests": requests}
    asked = methods.serialize_server_result("tools/call", _MODERN, asking)["inputRequests"]["k"]["params"]
    hello: Json = {"protocolVersion": _LEGACY, "serverInfo": {"name": "", "version": ""}}
    hello["capabilities"] = {"extensions": _SETTINGS}
    greeted = methods.serialize_server_result("initialize", _LEGACY, hello)
    return {
        "_meta of a question": "_meta" in asked,
        **{f"{name} of a schema": name in asked["requestedSchema"] for name in added},
        "extensions in a legacy handshake": "extensions" in greeted["capabilities"],
    }
