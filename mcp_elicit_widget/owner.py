"""The owner task of a connection: it enters and leaves the SDK client, and everything else asks it.

Entering and leaving a client in different tasks breaks its cancel scopes; cells are different tasks. The owner
holds no reference to its Connection: when the last one is gone, the owner is told to stop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from . import loop, negotiation
from .direct import DirectQuestions
from .errors import ConnectError, ConnectionClosed, HostError, ServerError
from .limits import MAX_PAGES
from .wire import Wire, capture

if TYPE_CHECKING:
    from mcp import Client, ClientSession

    from .target import Target

T = TypeVar("T")
Raw = Mapping[str, Any]


class Progress(Protocol):
    """What is called when the server reports progress."""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None:
        """Take one report."""


STDERR_IN_ERRORS = 12
CLOSED = "it was closed"


class Owner:
    """One server's client, on the private loop. Every method but `stop_soon` runs there.

    Attributes:
        name: The server as people see it.
        front_end: Whether app-rendered questions were claimed at connect.
        direct: The direct questions of an older era, and the calls that can take them.
    """

    def __init__(self, target: Target, *, name: str, front_end: bool, mode: str) -> None:
        """Prepare the connection; `start` opens it."""
        self.name = name
        self.front_end = front_end
        self.direct = DirectQuestions({})
        self._target = target
        self._mode = mode
        self._stop = asyncio.Event()
        self._ready: asyncio.Future[None] = loop.get().create_future()
        self._ended: asyncio.Future[str] = loop.get().create_future()
        self._task: asyncio.Task[None] | None = None
        self._client: Client | None = None
        self._why = "the connection was lost"

    async def start(self, seconds: float) -> None:
        """Open the connection and negotiate.

        Args:
            seconds: How long that may take.

        Raises:
            ConnectError: The server cannot be reached, did not start or is no MCP server.
        """
        self._task = asyncio.create_task(self._own(), name=f"mcp-elicit-widget {self.name}")
        forget = loop.at_exit(self.close)
        self._ended.add_done_callback(lambda _: forget())
        try:
            async with asyncio.timeout(seconds):
                await asyncio.shield(self._ready)
        except TimeoutError:
            await self._abandon()
            message = f"{self.name} did not answer within {seconds:g} s. Is it an MCP server?{self._tail()}"
            raise ConnectError(message) from None
        except asyncio.CancelledError:
            await self._abandon()
            raise

    async def close(self) -> None:
        """Close the connection and wait until its child and tasks are gone; closing twice is fine."""
        if not self._stop.is_set():
            self._why = CLOSED
            self._stop.set()
        if self._task is not None:
            await asyncio.wait({self._task})

    def stop_soon(self) -> None:
        """Have the connection close; may be called from any thread, also while the interpreter ends."""
        with suppress(RuntimeError):  # the private loop is already gone
            loop.get().call_soon_threadsafe(self._stop.set)

    @property
    def closed_on_purpose(self) -> bool:
        """Whether `close` ended the connection, and not its server or the network."""
        return self._why == CLOSED

    @property
    def open(self) -> bool:
        """Whether requests can be sent."""
        return self._client is not None and not self._stop.is_set()

    @property
    def session(self) -> ClientSession:
        """The SDK's session.

        Raises:
            ConnectionClosed: The connection is closed.
        """
        if self._client is None:
            raise self._closed()
        return self._client.session

    @property
    def stderr(self) -> list[str]:
        """The last lines that the server's process wrote to its stderr."""
        return list(self._target.stderr.lines) if self._target.stderr else []

    @property
    def server_offers_apps(self) -> bool:
        """Whether the server announced app-rendered questions."""
        capabilities = self.session.server_capabilities
        return negotiation.server_offers(capabilities.extensions if capabilities else None)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work that ends with the connection at the latest.

        Raises:
            ConnectionClosed: The connection ended first; the work was cancelled.
        """
        task = asyncio.create_task(work)
        try:
            await asyncio.wait({task, self._ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})
        if task.cancelled():
            raise self._closed()
        return task.result()

    async def request(self, method: str, params: Raw, progress: Progress | None = None) -> Raw:
        """Send one request and return its raw result, unchecked.

        Raises:
            ServerError: The server answered with an error.
            ConnectionClosed: The connection ended before the answer came.
        """
        from mcp_types import Request, Result

        # A plain request and result type: the SDK's own would check and drop members of either.
        request = Request[Any, Any](method=method, params=dict(params))
        with capture() as slot:
            result = await self.told(method, self.session.send_request(request, Result, progress_callback=progress))
        return slot.result if slot.result is not None else result.model_dump(by_alias=True)

    async def list_raw(self, what: str) -> list[object]:
        """Return the raw entries of every page of one of the server's lists, unchecked.

        Raises:
            ServerError: The server has no such list.
            ConnectionClosed: The connection ended.
        """
        entries: list[object] = []
        params: dict[str, Any] = {}
        for _ in range(MAX_PAGES):
            page = await self.request(f"{what}/list", params)
            found = page.get(what)
            entries += cast("list[object]", found) if isinstance(found, list) else []
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str):
                break
            params = {"cursor": cursor}
        return entries

    async def told(self, method: str, work: Awaitable[T]) -> T:
        """Await a request of the SDK's session; its errors become this library's.

        Raises:
            ServerError: The server answered with an error.
            ConnectionClosed: The connection ended before the answer came.
        """
        from mcp.shared.exceptions import MCPError

        try:
            return await work
        except MCPError as error:
            raise self._explain(method, error) from None

    async def _own(self) -> None:
        try:
            await self._enter()
        except BaseException as error:  # noqa: BLE001 - whatever ends a connection is told to those who use it
            self._why = self._reason(error)
        finally:
            self._client = None
            if not self._ended.done():
                self._ended.set_result(self._why)
            if not self._ready.done():
                message = f"cannot connect to {self.name}: {self._why}.{self._tail()}"
                self._ready.set_exception(ConnectError(message))

    async def _enter(self) -> None:
        from mcp import Client
        from mcp.client import advertise
        from mcp_types import Implementation

        from . import __version__

        wire = Wire(self._target.open(), self._lost)
        self.direct.raw = wire.questions
        extensions = negotiation.client_settings(front_end=self.front_end)
        transport: Any = wire  # the SDK's stream protocols are private, so ours only look like them
        client = Client(
            transport,
            mode=self._mode,
            client_info=Implementation(name="mcp-elicit-widget", version=__version__),
            elicitation_callback=self.direct.ask,
            extensions=[advertise(name, settings) for name, settings in extensions.items()],
            cache=None,
        )
        async with client:
            self._client = client
            self._ready.set_result(None)
            await self._stop.wait()
            # From here on new requests are refused and open ones end, before the transport goes.
            self._client = None
            self._ended.set_result(self._why)

    def _lost(self) -> None:
        if not self._stop.is_set():
            self._why = "the server ended the connection"
            self._stop.set()

    async def _abandon(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})
        if self._ready.done() and not self._ready.cancelled():
            self._ready.exception()

    def _closed(self) -> ConnectionClosed:
        message = f"the connection to {self.name} is closed: {self._why}.{self._tail()} Connect again to go on."
        return ConnectionClosed(message)

    def _explain(self, method: str, error: Any) -> HostError:  # noqa: ANN401 - MCPError, imported lazily
        from mcp_types import CONNECTION_CLOSED

        # A server may use this code for errors of its own; the SDK's text tells the two apart.
        if error.code == CONNECTION_CLOSED and (not self.open or error.message == "Connection closed"):
            self._lost()
            return self._closed()
        message = f"{self.name} answered {method} with error {error.code}: {error.message}"
        return ServerError(message, code=error.code, data=error.data)

    def _tail(self) -> str:
        lines = [self._target.redact(line) for line in self.stderr[-STDERR_IN_ERRORS:]]
        return "\n".join(["\nThe last lines of its stderr:", *(f"  {line}" for line in lines), ""]) if lines else ""

    def _reason(self, error: BaseException) -> str:
        while isinstance(error, BaseExceptionGroup):
            error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
        if isinstance(error, FileNotFoundError):
            return "the command was not found"
        if isinstance(error, asyncio.CancelledError):
            return "it was stopped"
        if str(error) == "Connection closed":
            return "the server ended before it answered"
        text = self._target.redact(str(error))
        return f"{type(error).__name__}: {text}" if text else type(error).__name__
