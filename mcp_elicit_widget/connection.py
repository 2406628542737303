"""connect() and Connection: one server, as the notebook sees it."""

from __future__ import annotations

import asyncio
import difflib
import weakref
from collections.abc import Callable, Coroutine, Generator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from . import kernel, loop
from .errors import NotConnected
from .limits import Limits
from .script import Answers, Script

if TYPE_CHECKING:
    from .call import Call
    from .owner import Owner
    from .results import Listing, Prompt, Resource, ToolResult

OPTIONS = (
    "name",
    "answers",
    "interactive",
    "headers",
    "env",
    "mode",
    "max_rounds",
    "connect_timeout",
    "app_timeout",
    "view_timeout",
)


def connect(  # noqa: PLR0913 - one keyword a choice of the user; none of them is needed to start
    target: object,
    *,
    name: str | None = None,
    answers: Answers = None,
    interactive: bool | None = None,
    headers: Mapping[str, str] | None = None,
    env: Mapping[str, str] | None = None,
    mode: str = "auto",
    max_rounds: int = 10,
    connect_timeout: float = 60.0,
    app_timeout: float = 15.0,
    view_timeout: float = 1800.0,
    **unknown: object,
) -> Connecting:
    """Connect to an MCP server, by `await` or by `async with`.

    Args:
        target: A server object (`MCPServer` or low-level `Server`), the URL of a Streamable HTTP server, a
            command line such as "python server.py", `StdioServerParameters`, or any SDK `Transport`.
        name: What the server is called on its cards; otherwise its address without userinfo and query, or its
            program and script without arguments. What the server says of itself is not used (SEC-04).
        answers: Answers for when no person can be asked: a mapping, which accepts one question with this
            content, or a callable that gets each `Question` and returns such a mapping,
            `question.decline()` or `question.cancel()`.
        interactive: False never asks a person; True asks one even if the front end seems to have none.
        headers: HTTP headers for a URL, for example an authorisation. They are in no repr, log or error.
        env: Environment variables for a child process, likewise kept to itself.
        mode: "auto" finds the era of the server; "legacy" or a version such as "2026-07-28" fixes it.
        max_rounds: How often one call may ask before it fails with `TooManyRounds`.
        connect_timeout: Seconds until a server that does not answer at all is given up.
        app_timeout: Seconds until an app that does not finish its handshake is replaced by the form.
        view_timeout: Seconds for which a question may be without any view before it fails with `ViewLost`.
            Nothing limits the time that a person thinks in front of a view.
        **unknown: Raises `TypeError` and suggests the right spelling.

    Raises:
        TypeError: A keyword is unknown, or the target is nothing that can be connected to.
        ValueError: The URL or the command line is malformed.
    """
    for word in unknown:
        near = difflib.get_close_matches(word, OPTIONS, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else f" It takes {', '.join(OPTIONS)}."
        message = f"connect() got an unknown keyword {word!r}.{hint}"
        raise TypeError(message)
    from .target import resolve

    place = resolve(target, headers=headers, env=env)
    here = kernel.current(interactive=interactive)
    script = Script(answers)
    limits = Limits(max_rounds, app_timeout, view_timeout)

    async def open_() -> Connection:
        from .owner import Owner

        async def start() -> Owner:
            owner = Owner(place, name=name or place.name, front_end=not here.silent_because, mode=mode)
            await owner.start(connect_timeout)
            return owner

        work = loop.submit(start())
        try:
            await kernel.wait(work)
        except asyncio.CancelledError:
            work.cancel()
            raise
        return Connection(work.result(), script=script, interactive=interactive, limits=limits)

    return Connecting(open_)


class Connecting:
    """What `connect(...)` returns: nothing is sent before it is awaited or entered."""

    def __init__(self, open_: Callable[[], Coroutine[Any, Any, Connection]]) -> None:
        """Keep the way to open the connection."""
        self._open = open_
        self._connection: Connection | None = None

    def __await__(self) -> Generator[Any, None, Connection]:
        """Open the connection and return it."""
        return self._open().__await__()

    async def __aenter__(self) -> Connection:
        """Open the connection for the length of the block."""
        connection = self._connection = await self._open()
        return connection

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection, whatever happened in the block."""
        if self._connection is not None:
            await self._connection.close()

    def __repr__(self) -> str:
        """Say what is missing."""
        return "<not connected yet: write `server = await connect(...)`>"

    def __getattr__(self, attribute: str) -> object:
        """Explain that the connection is not open, instead of a bare AttributeError."""
        # IPython and inspect ask every object for names like these; for them a plain answer is right.
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        message = f"not connected yet, so there is no {attribute!r}: write `server = await connect(...)` first"
        raise NotConnected(message)


class Connection:
    """A connection to one MCP server.

    `call_tool`, `get_prompt` and `read_resource` send at once and return a `Call`; the lists are awaited. Close it
    with `await connection.close()`; it also closes when nothing refers to it any more and when the kernel ends.

    Attributes:
        name: The server as its cards name it.
    """

    def __init__(self, owner: Owner, *, script: Script, interactive: bool | None, limits: Limits) -> None:
        """Wrap an owner that is connected; `connect` does this."""
        self.name = owner.name
        self._owner = owner
        self._script = script
        self._interactive = interactive
        self._limits = limits
        self._stop = weakref.finalize(self, owner.stop_soon)

    def call_tool(
        self, name: str, arguments: Mapping[str, Any] | None = None, *, answers: Answers = None
    ) -> Call[ToolResult]:
        """Call a tool; the request is sent at once.

        Args:
            name: The tool's name.
            arguments: Its arguments.
            answers: Scripted answers for this call, before those of the connection.

        Returns:
            The `Call`: await it, leave it as the last expression of a cell, or read `call.result()` later.

        Raises:
            TypeError: The arguments are not a mapping with text keys.
        """
        from .results import ToolResult

        params: dict[str, Any] = {"name": name, "arguments": _mapping("arguments", arguments)}
        return self._send("tools/call", name, params, ToolResult, answers)

    def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None, *, answers: Answers = None
    ) -> Call[Prompt]:
        """Get a prompt; see `call_tool` for what comes back."""
        from .results import Prompt

        params: dict[str, Any] = {"name": name, "arguments": _mapping("arguments", arguments)}
        return self._send("prompts/get", name, params, Prompt, answers)

    def read_resource(self, uri: str, *, answers: Answers = None) -> Call[Resource]:
        """Read a resource; see `call_tool` for what comes back."""
        from .results import Resource

        return self._send("resources/read", uri, {"uri": uri}, Resource, answers)

    async def list_tools(self) -> Listing:
        """Return the server's tools."""
        return await self._list("tools")

    async def list_prompts(self) -> Listing:
        """Return the server's prompts."""
        return await self._list("prompts")

    async def list_resources(self) -> Listing:
        """Return the server's resources."""
        return await self._list("resources")

    async def close(self) -> None:
        """Close the connection; open calls end with `ConnectionClosed`. Closing twice is fine."""
        await kernel.wait(loop.submit(self._owner.close()))
        self._stop.detach()

    @property
    def closed(self) -> bool:
        """Whether the connection can no longer be used."""
        return not self._owner.open

    @property
    def stderr(self) -> list[str]:
        """The last lines (200 at most) that a stdio server wrote to its stderr."""
        return self._owner.stderr

    def __repr__(self) -> str:
        """Name the server, its era and what can be done next."""
        if self.closed:
            return f"<{self.name}: closed>"
        return (
            f"<{self.name}: connected, protocol {self._owner.session.protocol_version}. "
            "Look around with `await ….list_tools()`>"
        )

    def _send(self, method: str, label: str, params: dict[str, Any], form: Any, answers: Answers) -> Call[Any]:  # noqa: ANN401 - one row for each kind of call
        from .call import Call, Request

        here = kernel.current(interactive=self._interactive)
        script = self._script if answers is None else Script(answers)
        request = Request(method, label, params, form)
        return Call(self, self._owner, request, kernel=here, script=script, limits=self._limits)

    async def _list(self, what: str) -> Listing:
        from .results import Listing, list_all

        work = loop.submit(self._owner.run(list_all(self._owner, what)))
        try:
            await kernel.wait(work)
        except asyncio.CancelledError:
            work.cancel()
            raise
        return Listing(work.result(), server=self.name, what=what)


def _mapping(what: str, value: Mapping[str, Any] | None) -> dict[str, Any]:
    if value is None:
        return {}
    if not _has_text_keys(value):
        message = f"{what} must be a mapping with text keys, such as {{'city': 'Lima'}}; got {type(value).__name__}"
        raise TypeError(message)
    return dict(value)


def _has_text_keys(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(key, str) for key in cast("Mapping[object, object]", value))
