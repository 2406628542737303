"""What `connect` can be pointed at, how it is named, and the transport that leads there (design 3.13)."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from .loop import Tail

if TYPE_CHECKING:
    from mcp import StdioServerParameters
    from mcp.server import Server

Streams = tuple[Any, Any]
Opened = AbstractAsyncContextManager[Streams]

CONNECT_SECONDS = 30.0
LARGEST_EVENT_BYTES = 16 * 1024 * 1024
"""One SSE event carries a whole app; the SDK's own limit of 1 MiB is below the 5 MB that an app may have."""

SHUTDOWN_GRACE_SECONDS = 2.0
SHORTEST_SECRET = 3

_ADDRESS = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, repr=False)
class Target:
    """A place to connect to.

    Attributes:
        name: What people see: no userinfo, no query, no arguments, no environment.
        open: Opens a new transport; called once a connection.
        stderr: The tail of a child's stderr, for a stdio server only.
        secrets: Texts that no error may show, and what stands in their place.
    """

    name: str
    open: Callable[[], Opened]
    stderr: Tail | None = None
    secrets: Mapping[str, str] = field(default_factory=dict[str, str])

    def redact(self, text: str) -> str:
        """Return the text without what only the user and the server may know."""
        for secret, shown in self.secrets.items():
            text = text.replace(secret, shown)
        return text


def resolve(target: object, *, headers: Mapping[str, str] | None, env: Mapping[str, str] | None) -> Target:
    """Turn what the user passed to `connect` into a target.

    Args:
        target: An `MCPServer` or low-level `Server`, a Streamable HTTP URL, `StdioServerParameters`, a command
            line, or any SDK `Transport`.
        headers: HTTP headers for a URL.
        env: Environment variables for a child process, added to the few that the SDK passes on.

    Raises:
        TypeError: The target is none of these, or `headers`/`env` do not go with it.
        ValueError: The URL or the command line is malformed.
    """
    from mcp import StdioServerParameters
    from mcp.server import Server
    from mcp.server.mcpserver import MCPServer

    if isinstance(target, str) and _ADDRESS.match(target):
        _refuse(env, "env", "a child process", target="a URL")
        return _url(target, headers)
    _refuse(headers, "headers", "a URL", target="this target")
    if isinstance(target, str):
        command, *arguments = _command_line(target)
        target = StdioServerParameters(command=command, args=arguments)
    if isinstance(target, StdioServerParameters):
        return _child(target, env)
    _refuse(env, "env", "a child process", target="this target")
    if isinstance(target, MCPServer | Server):
        # MCPServer has no public way to run on given streams in mcp 2.3; its low-level server has.
        given = cast("Any", target)
        server = getattr(given, "_lowlevel_server", given)
        return Target(str(server.name), lambda: _in_process(server))
    if hasattr(target, "__aenter__") and hasattr(target, "__aexit__"):
        transport: Any = target
        return Target(type(target).__name__, lambda: transport)
    message = (
        f"connect() cannot use a {type(target).__name__}: pass a server object, a URL, a command line, "
        "StdioServerParameters or a Transport"
    )
    raise TypeError(message)


def _refuse(value: object, name: str, goes_with: str, *, target: str) -> None:
    if value is not None:
        message = f"{name}= goes with {goes_with}, not with {target}"
        raise TypeError(message)


def _url(url: str, headers: Mapping[str, str] | None) -> Target:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        message = "connect() takes http:// and https:// addresses (Streamable HTTP)"
        raise ValueError(message)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    name = f"{parts.scheme}://{host}{port}{parts.path}"
    return Target(name, lambda: _http(url, dict(headers or {})), secrets={url: name, **_hidden(headers)})


def _hidden(values: Mapping[str, str] | None) -> dict[str, str]:
    # A very short value would blot out ordinary words and hides nothing worth hiding.
    return {value: "…" for value in (values or {}).values() if len(value) > SHORTEST_SECRET}


@asynccontextmanager
async def _http(url: str, headers: dict[str, str]) -> AsyncGenerator[Streams, None]:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    # read=None: on older eras the answer of a call waits for the person, who may think for an hour.
    timeout = httpx2.Timeout(CONNECT_SECONDS, read=None)
    async with (
        httpx2.AsyncClient(headers=headers, timeout=timeout) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=LARGEST_EVENT_BYTES) as streams,
    ):
        yield streams


def _command_line(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        message = f"this command line cannot be split into words: {error}"
        raise ValueError(message) from None
    if not words:
        message = "connect() got an empty command line"
        raise ValueError(message)
    # The interpreter of this kernel has the packages that the notebook's reader installed.
    if words[0] in ("python", "python3"):
        words[0] = sys.executable
    elif words[0].endswith(".py"):
        words.insert(0, sys.executable)
    return words


def _child(parameters: StdioServerParameters, env: Mapping[str, str] | None) -> Target:
    from mcp import stdio_client

    if env is not None:
        parameters = parameters.model_copy(update={"env": {**(parameters.env or {}), **env}})
    script = next((word for word in parameters.args if not word.startswith("-")), "")
    words = [PurePath(parameters.command).name, PurePath(script).name if script.endswith((".py", ".js")) else ""]
    if parameters.command == sys.executable:
        words[0] = "python"
    tail = Tail()

    @asynccontextmanager
    async def start() -> AsyncGenerator[Streams, None]:
        # Ours is closed once the child has its copy, so that the reader of the tail ends with the child.
        with tail.file:
            async with stdio_client(parameters, errlog=tail.file) as streams:
                tail.file.close()
                yield streams

    return Target(" ".join(word for word in words if word), start, tail, _hidden(parameters.env))


@asynccontextmanager
async def _in_process(server: Server[Any]) -> AsyncGenerator[Streams, None]:
    """Run a server object over memory streams, so that it passes the same wrapper as every other server."""
    import anyio
    from mcp.shared.memory import create_client_server_memory_streams

    ended = anyio.Event()

    async def run(read: Any, write: Any) -> None:  # noqa: ANN401 - the SDK's streams have no public type
        try:
            await server.run(read, write, server.create_initialization_options())
        finally:
            ended.set()
            await write.aclose()

    async with create_client_server_memory_streams() as (client, host), anyio.create_task_group() as group:
        group.start_soon(run, *host)
        try:
            yield client
        finally:
            await client[1].aclose()
            with anyio.move_on_after(SHUTDOWN_GRACE_SECONDS, shield=True):
                await ended.wait()
            group.cancel_scope.cancel()
