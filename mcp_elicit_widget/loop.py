"""The private event loop on which all MCP traffic runs.

The only file that starts a thread. One daemon thread a process carries one loop; a forked child gets its own, as
threads do not survive a fork.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

EXIT_SECONDS = 8.0
"""How long kernel exit waits for connections to close; a stdio child may need 2 s + 2 s + 2 s to be stopped."""

STDERR_LINES = 200
STDERR_LINE_BYTES = 2000

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_pid = 0
_closers: set[Callable[[], Coroutine[Any, Any, None]]] = set()


def get() -> asyncio.AbstractEventLoop:
    """Return the running private loop, started on first use and again after a fork."""
    global _loop, _pid
    with _lock:
        if _loop is None or _pid != os.getpid():
            _closers.clear()
            _loop, _pid = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=_serve, args=(_loop,), name="mcp-elicit-widget", daemon=True).start()
        return _loop


def submit(work: Coroutine[Any, Any, T]) -> Future[T]:
    """Run a coroutine on the private loop and return its thread-safe future."""
    return asyncio.run_coroutine_threadsafe(work, get())


def at_exit(close: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Have `close` run on the private loop when the process ends; returns the call that takes it back."""
    _closers.add(close)
    return lambda: _closers.discard(close)


class Tail:
    """The last lines that a child process wrote to its stderr.

    `file` is the write end to hand to the child; `lines` holds at most 200 lines of at most 2,000 bytes. The
    reader thread ends when the last holder of the write end closes it.
    """

    def __init__(self) -> None:
        """Open the pipe and start reading it."""
        self.lines: deque[str] = deque(maxlen=STDERR_LINES)
        read, write = os.pipe()
        self.file = os.fdopen(write, "w")
        threading.Thread(target=self._read, args=(read,), name="mcp-server-stderr", daemon=True).start()

    def _read(self, descriptor: int) -> None:
        with os.fdopen(descriptor, "rb") as stream:
            while line := stream.readline(STDERR_LINE_BYTES):
                self.lines.append(line.decode(errors="replace").rstrip("\r\n"))


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    loop.run_forever()


@atexit.register
def _close_all() -> None:
    if _loop is None or _pid != os.getpid():
        return

    async def close() -> None:
        await asyncio.gather(*(closer() for closer in list(_closers)), return_exceptions=True)

    with suppress(Exception):  # the process ends: a connection that does not close must not keep it
        asyncio.run_coroutine_threadsafe(close(), _loop).result(EXIT_SECONDS)
