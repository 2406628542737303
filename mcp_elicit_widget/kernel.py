"""What kind of kernel this is, and how to wait in it. The only file that touches ipykernel's insides.

Measured: ipykernel 7.4 hands comm messages over while a cell awaits; earlier ones do not, or only in a
subshell thread after a start-up race. An awaiting cell sees the interrupt button only when its loop wakes.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

TICK_SECONDS = 0.2
FIRST_KERNEL_THAT_HEARS = (7, 4)


@dataclass(frozen=True)
class Kernel:
    """What the code that runs now can expect of its surroundings.

    Attributes:
        loop: The kernel's main loop, on which widgets live; None outside ipykernel.
        silent_because: Why no person can be asked here, or "" when one can.
        hears_while_awaiting: Whether a click arrives while a cell awaits.
    """

    loop: asyncio.AbstractEventLoop | None
    silent_because: str
    hears_while_awaiting: bool

    def call(self, context: Context, function: Callable[..., object], *arguments: object) -> None:
        """Run a function soon on the kernel's main thread, in a context that was captured in a cell."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(lambda: context.run(function, *arguments))


def current(*, interactive: bool | None) -> Kernel:
    """Describe the kernel for the cell that runs now.

    Args:
        interactive: False says that no person is to be asked, True that one can be although the front end does
            not say so; None looks.
    """
    kernel = _ipykernel()
    if kernel is None:
        return Kernel(None, "this is plain Python, without a notebook front end", hears_while_awaiting=False)
    from ipykernel._version import version_info

    hears = tuple(version_info[:2]) >= FIRST_KERNEL_THAT_HEARS
    why = ""
    if interactive is False:
        why = "interactive=False was asked for"
    elif interactive is None and not getattr(kernel, "_allow_stdin", False):
        why = "the notebook is executed without a person at a front end (nbconvert, papermill, CI)"
    return Kernel(kernel.io_loop.asyncio_loop, why, hears_while_awaiting=hears)


async def wait(work: Future[T], check: Callable[[], None] = lambda: None) -> None:
    """Await the end of work that runs on another loop, so that the interrupt button keeps working.

    Never cancels the work and never raises its error: the caller reads the future.

    Args:
        work: The thread-safe future of that work.
        check: Called at every tick; what it raises ends the wait.
    """
    here = asyncio.wrap_future(work)
    here.add_done_callback(_look_away)
    while not work.done():
        check()
        # Interrupt only marks the task as cancelled; without a wake-up the cell would notice it much later.
        await asyncio.wait({here}, timeout=TICK_SECONDS)


def _look_away(done: asyncio.Future[Any]) -> None:
    # The error is read from the thread-safe future; asyncio would report this copy as never retrieved.
    if not done.cancelled():
        done.exception()


def _ipykernel() -> Any:  # noqa: ANN401 - ipykernel has no types for this
    if "IPython" not in sys.modules:
        return None
    from IPython.core.getipython import get_ipython

    return getattr(get_ipython(), "kernel", None)
