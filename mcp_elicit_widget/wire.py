"""The Transport wrapper that every connection runs through.

The SDK checks whole results before it hands them over and rejects what the protocol allows or what a host must be
able to explain: a missing `resultType`, a question without `properties`, an unknown kind of request next to a good
one. So the raw result of a captured request is kept here, and the SDK gets an empty one that always passes.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from .shapes import is_object, member

if TYPE_CHECKING:
    from mcp.shared.message import SessionMessage

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

_PASSES: dict[str, dict[str, object]] = {
    "tools/call": {"content": []},
    "prompts/get": {"messages": []},
    "resources/read": {"contents": []},
    "resources/list": {"resources": []},
}
_COMPLETE: dict[str, object] = {"resultType": "complete"}
_NOT_CACHED: dict[str, object] = {"ttlMs": 0, "cacheScope": "private"}


@dataclass(repr=False)
class Capture:
    """The raw result of one request, once it has arrived."""

    result: Mapping[str, Any] | None = None


@dataclass(repr=False)
class _Open:
    """A request that waits for its response."""

    method: str
    modern: bool
    capture: Capture | None = None


_capturing: ContextVar[Capture | None] = ContextVar("mcp_elicit_widget_capture", default=None)


@contextmanager
def capture() -> Generator[Capture]:
    """Keep the raw result of the request that is sent inside this block."""
    slot = Capture()
    token = _capturing.set(slot)
    try:
        yield slot
    finally:
        _capturing.reset(token)


@dataclass(repr=False)
class Wire:
    """Wraps a transport; what passes in either direction is seen and, where the protocol is tolerant, completed.

    Attributes:
        transport: The transport to wrap.
        on_end: Called once when the server's side has ended, on the private loop.
        questions: The raw params of each direct `elicitation/create` that is open, by JSON-RPC id.
    """

    transport: AbstractAsyncContextManager[tuple[Any, Any]]
    on_end: Callable[[], None]
    questions: dict[str | int, Mapping[str, Any]] = field(default_factory=dict[str | int, Mapping[str, Any]])
    _open: dict[str | int, _Open] = field(default_factory=dict[str | int, _Open])

    async def __aenter__(self) -> tuple[_Reader, _Writer]:
        """Open the transport and return its wrapped streams."""
        read, write = await self.transport.__aenter__()
        return _Reader(read, self), _Writer(write, self)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Close the transport."""
        return await self.transport.__aexit__(kind, error, trace)

    def outgoing(self, item: SessionMessage) -> SessionMessage:
        """See a frame on its way to the server and return the frame to send."""
        from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

        message = item.message
        if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
            self.questions.pop(message.id, None)
        if not isinstance(message, JSONRPCRequest):
            return item
        params = message.params or {}
        modern = PROTOCOL_VERSION in (params.get("_meta") or {})
        slot = _capturing.get() if message.method in _PASSES else None
        self._open[message.id] = _Open(message.method, modern, slot)
        declared = _only_forms(message.method, params)
        if declared is params:
            return item
        return _with(item, params=declared)

    def incoming(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        """See a frame that came from the server and return the frame to hand on."""
        from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

        if isinstance(item, Exception):
            return item
        message = item.message
        if isinstance(message, JSONRPCRequest) and message.method == "elicitation/create":
            self.questions[message.id] = message.params or {}
        elif isinstance(message, JSONRPCError) and message.id is not None:
            self._open.pop(message.id, None)
        elif isinstance(message, JSONRPCResponse):
            return self._response(item, message.id, message.result)
        return item

    def _response(self, item: SessionMessage, number: str | int, result: dict[str, Any]) -> SessionMessage:
        request = self._open.pop(number, None)
        if request is None:
            return item
        if request.capture is not None:
            request.capture.result = result
            return _with(item, result={**_PASSES[request.method], **_COMPLETE, **_NOT_CACHED})
        # Absent members have a meaning of their own on this wire (NEG-17, RES-11); the SDK wants them spelled out.
        if request.modern and not (_COMPLETE.keys() | _NOT_CACHED.keys()) <= result.keys():
            return _with(item, result={**_COMPLETE, **_NOT_CACHED, **result})
        return item


def _only_forms(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Declare form mode alone: the SDK always adds `url`, which this host does not offer yet (NEG-14, URL-07)."""
    if method == "initialize":
        holder, key = params, "capabilities"
    else:
        holder, key = params.get("_meta"), CLIENT_CAPABILITIES
    capabilities = member(holder, key)
    if not is_object(holder) or not is_object(capabilities) or "elicitation" not in capabilities:
        return params
    # The SDK stamps one shared object on every request, so a copy is changed.
    changed: dict[str, Any] = {**holder, key: {**capabilities, "elicitation": {"form": {}}}}
    return changed if holder is params else {**params, "_meta": changed}


def _with(item: SessionMessage, **members: object) -> SessionMessage:
    from mcp.shared.message import SessionMessage

    return SessionMessage(item.message.model_copy(update=members), item.metadata)


class _Stream:
    """The parts that both wrapped streams share."""

    def __init__(self, inner: Any, wire: Wire) -> None:  # noqa: ANN401 - the SDK's stream protocols are private
        self._inner = inner
        self._wire = wire

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return await self._inner.__aexit__(kind, error, trace)


class _Reader(_Stream):
    """What comes from the server."""

    @property
    def last_context(self) -> object:
        """The sender's context of the last frame, where the inner stream keeps it."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        return self._wire.incoming(await self._inner.receive())

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return self._wire.incoming(await self._inner.__anext__())
        except StopAsyncIteration:
            self._wire.on_end()
            raise


class _Writer(_Stream):
    """What goes to the server."""

    async def send(self, item: SessionMessage) -> None:
        await self._inner.send(self._wire.outgoing(item))
