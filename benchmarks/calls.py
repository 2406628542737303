"""How much a call through this library costs beside the SDK's own client.

Both clients run interleaved against the same server in one process; what counts is the ratio of their medians.
"""

from __future__ import annotations

import asyncio
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from desk_server import server
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from mcp_elicit_widget import connect

SAMPLES = 200
WARM_UP = 10
HERE = Path(__file__).parent
BLUE = {"colour": "blue"}

Measured = Callable[[], Awaitable[object]]


async def answer(_context: object, _params: object) -> ElicitResult:
    """Answer at once, as the SDK's callback."""
    return ElicitResult(action="accept", content=BLUE)


async def sample(work: Measured) -> float:
    """Return how many milliseconds one call takes."""
    start = time.perf_counter()
    await work()
    return (time.perf_counter() - start) * 1000


async def compare(name: str, target: object) -> None:
    """Measure echo and question over one transport and print a row for each."""
    async with AsyncExitStack() as stack:
        plain = await stack.enter_async_context(Client(target, elicitation_callback=answer))
        ours = await stack.enter_async_context(connect(target, answers=lambda _: BLUE))
        pairs: dict[str, tuple[Measured, Measured]] = {
            "echo": (
                lambda: plain.call_tool("echo", {"text": "hi"}),
                lambda: ours.call_tool("echo", {"text": "hi"}).wait(),
            ),
            "question": (lambda: plain.call_tool("paint", {}), lambda: ours.call_tool("paint").wait()),
        }
        for what, (theirs, own) in pairs.items():
            times: tuple[list[float], list[float]] = ([], [])
            for turn in range(SAMPLES + WARM_UP):
                for kept, work in zip(times, (theirs, own), strict=True):
                    taken = await sample(work)
                    if turn >= WARM_UP:
                        kept.append(taken)
            medians = [statistics.median(kept) for kept in times]
            print(
                f"| {name} | {what} | {medians[0]:.2f} | {medians[1]:.2f} | {medians[1] / medians[0]:.2f} "
                f"| {min(times[0]):.2f} | {min(times[1]):.2f} | {SAMPLES} |"
            )


async def main() -> None:
    """Measure all three transports."""
    print("| transport | call | SDK median ms | ours median ms | ratio | SDK min | ours min | n |")
    print("|---|---|---|---|---|---|---|---|")
    await compare("in-process", server)
    script = str(HERE / "desk_server.py")
    await compare("stdio", StdioServerParameters(command=sys.executable, args=[script, "stdio"]))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, script, str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:  # noqa: ASYNC220 - nothing is measured yet
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 0.2).close()
                break
            except OSError:
                await asyncio.sleep(0.05)
        await compare("HTTP", f"http://127.0.0.1:{port}/mcp")
        process.terminate()


if __name__ == "__main__":
    asyncio.run(main())
