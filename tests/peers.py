"""Peers for tests: a server that is nothing but a script of JSON-RPC frames, and a recorder around any transport."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

UI = "io.modelcontextprotocol/ui"
MODERN = "2026-07-28"

OFFERS_APPS = {"tools": {}, "resources": {}, "extensions": {UI: {"elicitation": {}}}}
COLOUR = {"type": "object", "properties": {"colour": {"type": "string"}}, "required": ["colour"]}


class Error(Exception):
    """Raised by a script to answer with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message, **({"data": data} if data is not None else {})}


Script = Callable[[dict[str, Any]], Awaitable[dict[str, Any] | None]]


@dataclass
class RawServer:
    """A transport whose other end answers each request by `script`, or by the methods below.

    `frames` holds everything sent by the host, as JSON objects.
    """

    script: Script
    capabilities: dict[str, Any] = field(default_factory=lambda: dict(OFFERS_APPS))
    legacy: bool = False
    frames: list[dict[str, Any]] = field(default_factory=list)
    _news: threading.Condition = field(default_factory=threading.Condition)
    _push: Any = None

    def sent(self, method: str) -> list[dict[str, Any]]:
        """Return the frames of one method."""
        return [frame for frame in self.frames if frame.get("method") == method]

    async def seen(self, wanted: Callable[[dict[str, Any]], object], seconds: float = 10) -> dict[str, Any]:
        """Wait, from any loop, until a frame that is wanted has come from the host, and return it."""

        def wait() -> dict[str, Any]:
            with self._news:
                found = self._news.wait_for(lambda: [frame for frame in self.frames if wanted(frame)], seconds)
            assert found, "no such frame came"
            return found[0]

        return await asyncio.to_thread(wait)

    async def push(self, frame: dict[str, Any]) -> None:
        """Send a frame to the host, unasked."""
        await self._push.send(SessionMessage(jsonrpc_message_adapter.validate_python(frame)))

    async def end(self) -> None:
        """End the connection from the server's side."""
        await self._push.aclose()

    async def _handshake(self, frame: dict[str, Any]) -> dict[str, Any] | None:
        match frame["method"]:
            case "server/discover" if self.legacy:
                raise Error(-32601, "Method not found")
            case "server/discover":
                return {
                    "resultType": "complete",
                    "supportedVersions": [MODERN],
                    "capabilities": self.capabilities,
                    "ttlMs": 0,
                    "cacheScope": "private",
                }
            case "initialize":
                return {
                    "protocolVersion": "2025-11-25",
                    "capabilities": self.capabilities,
                    "serverInfo": {"name": "raw", "version": "1"},
                }
            case _:
                return None

    async def _respond(self, frame: dict[str, Any]) -> None:
        try:
            result = await self._handshake(frame)
            if result is None:
                result = await self.script(frame)
        except Error as error:
            await self.push({"jsonrpc": "2.0", "id": frame["id"], "error": error.error})
            return
        if result is not None:
            await self.push({"jsonrpc": "2.0", "id": frame["id"], "result": json.loads(json.dumps(result))})

    @asynccontextmanager
    async def _run(self):
        to_host, host_reads = anyio.create_memory_object_stream[Any](100)
        host_writes, to_server = anyio.create_memory_object_stream[Any](100)
        self._push = to_host

        async def serve() -> None:
            async for item in to_server:
                frame = json.loads(item.message.model_dump_json(by_alias=True, exclude_unset=True))
                with self._news:
                    self.frames.append(frame)
                    self._news.notify_all()
                if "method" in frame and "id" in frame:
                    group.start_soon(self._respond, frame)

        async with to_host, host_reads, host_writes, to_server, anyio.create_task_group() as group:
            group.start_soon(serve)
            yield host_reads, host_writes
            group.cancel_scope.cancel()

    async def __aenter__(self):
        self._context = self._run()
        return await self._context.__aenter__()

    async def __aexit__(self, *error: object):
        return await self._context.__aexit__(*error)


def question(message: str = "Which colour?", schema: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return an `elicitation/create` request for `inputRequests`."""
    params = {"message": message, "requestedSchema": COLOUR if schema is None else schema, **more}
    return {"method": "elicitation/create", "params": params}


def asks(requests: dict[str, Any], state: str | None = None) -> dict[str, Any]:
    """Return an `input_required` result."""
    return {
        "resultType": "input_required",
        "inputRequests": requests,
        **({"requestState": state} if state is not None else {}),
    }


def says(text: str) -> dict[str, Any]:
    """Return a complete tool result."""
    return {"resultType": "complete", "content": [{"type": "text", "text": text}]}


def once(requests: dict[str, Any], state: str | None = "s1", end: str = "done") -> Script:
    """Script a tool that asks once and then says `end`."""

    async def script(frame: dict[str, Any]) -> dict[str, Any]:
        return says(end) if "inputResponses" in frame["params"] else asks(requests, state)

    return script
