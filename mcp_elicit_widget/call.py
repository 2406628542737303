"""Call: one request to a server as the notebook sees it, with every question that it leads to."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Coroutine, Generator, Mapping
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from . import loop, negotiation
from .direct import CallEnded, sending
from .elicitation import Elicitation, Outcome
from .errors import HostError, ProtocolError, StillWaiting, TooManyRounds, Unanswered
from .kernel import wait
from .limits import Limits
from .output import show_text
from .record import Asked, Record
from .results import read
from .rounds import run_rounds
from .script import Question, Script
from .shapes import is_object, member
from .stage import Stage

if TYPE_CHECKING:
    from .connection import Connection
    from .kernel import Kernel
    from .owner import Owner

R = TypeVar("R")
Raw = Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    """What is sent, and what comes back.

    Attributes:
        method: The JSON-RPC method.
        label: The tool, prompt or resource, as cards name it.
        params: The params of every round.
        form: The type of the result.
    """

    method: str
    label: str
    params: Raw
    form: Any


class Call(Generic[R]):
    """A request that was sent; `await` it, or leave it as the last expression of a cell.

    `await call` shows a card under the cell only when the server asks something or reports progress, and returns
    the result. As the last expression of a cell the call is a live card and the kernel stays free;
    `call.result()` reads the result later. There is one card a call. A question that nobody looks at waits.

    Attributes:
        rounds: Who was asked what so far, by app or form and why, and which action came of it; no values.
    """

    def __init__(
        self,
        connection: Connection,
        owner: Owner,
        request: Request,
        *,
        kernel: Kernel,
        script: Script,
        limits: Limits,
    ) -> None:
        """Send the request at once; `Connection` makes calls.

        Args:
            connection: Kept, so that it stays open as long as the call is of interest.
            owner: The connection's owner, which sends.
            request: What is sent.
            kernel: The kernel as it is for the cell that calls.
            script: Scripted answers.
            limits: The limits of the connection.
        """
        self._connection = connection
        self._owner = owner
        self._request = request
        self._script = script
        self._kernel = kernel
        self._limits = limits
        self._awaiters = 0
        self._retrieved = False
        self._unanswered: BaseException | None = None
        self._taken: set[asyncio.Task[Outcome]] = set()
        self.rounds: list[Asked] = []
        self._stage = Stage(kernel, server=connection.name, label=request.label, stop=self.cancel, limits=limits)
        self._outcome: Future[R] = Future()
        self._started = False
        self._work = loop.submit(self._drive())

    def __await__(self) -> Generator[Any, None, R]:
        """Wait for the result; a card appears under this cell when the server asks something."""
        return self.wait().__await__()

    async def wait(self) -> R:
        """Wait for the result, as a coroutine for `create_task` and `TaskGroup`.

        Returns:
            The result; a tool's own error (`is_error`) is a result too.

        Raises:
            asyncio.CancelledError: The call was stopped, or the last one who waited was cancelled.
            HostError: See `errors` for the ways in which a call can end.
        """
        self._stage.look(copy_context(), show=False)
        self._awaiters += 1
        try:
            await wait(self._outcome, self._stage.check_hearing)
        except asyncio.CancelledError:
            if self._awaiters == 1:
                self.cancel()
            raise
        finally:
            self._awaiters -= 1
        try:
            return self.result()
        finally:
            # As in asyncio: the traceback of a failure must not lead back to the call and keep its server running.
            del self

    def result(self) -> R:
        """Return the result without waiting.

        Raises:
            StillWaiting: The call has not ended.
            asyncio.CancelledError: The call was stopped.
            HostError: The call failed.
        """
        if not self._outcome.done():
            raise StillWaiting(f"{self._where} has not ended. {self._hint()}")
        self._retrieved = True
        if self._outcome.cancelled():
            message = f"{self._where} was stopped"
            raise asyncio.CancelledError(message)
        outcome = self._outcome
        del self  # see `wait`
        return outcome.result()

    def done(self) -> bool:
        """Tell whether the call has ended."""
        return self._outcome.done()

    def cancel(self) -> None:
        """Stop the call: nothing more is sent, and an open question closes. Safe from any thread."""
        loop.get().call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        self._work.cancel()
        if not self._started:
            # A task that is cancelled before its first step runs no line of `_drive`.
            self._outcome.cancel()

    def __repr__(self) -> str:
        """Say where the call stands and what can be done."""
        if not self._outcome.done():
            return f"<{self._where}: {self._hint()}>"
        if self._outcome.cancelled():
            return f"<{self._where}: stopped>"
        error = self._outcome.exception()
        end = f"failed with {type(error).__name__}" if error is not None else "finished"
        return f"<{self._where}: {end}; `.result()` gives it>"

    def _ipython_display_(self) -> None:
        """Be a live card, as the last expression of a cell."""
        if self._outcome.done() or self._kernel.silent_because:
            show_text(repr(self))
        else:
            self._stage.look(copy_context(), show=True)

    def __del__(self) -> None:
        """Warn when a failure was never looked at."""
        outcome: Future[R] | None = getattr(self, "_outcome", None)
        if outcome is None or not outcome.done() or outcome.cancelled():
            return
        if self._retrieved or self._stage.looked_at or self._owner.closed_on_purpose:
            return
        if (error := outcome.exception()) is not None:
            message = f"{self._where} failed and nobody looked: {type(error).__name__}: {error}"
            warnings.warn(message, RuntimeWarning, stacklevel=1)

    @property
    def label(self) -> str:
        """The tool, prompt or resource."""
        return self._request.label

    @property
    def looked_at(self) -> bool:
        """Whether a cell awaits or shows the call."""
        return self._stage.looked_at

    @property
    def _where(self) -> str:
        return f"{self._request.label} on {self._connection.name}"

    def _hint(self) -> str:
        if not self._stage.asking:
            return "it is running; `await` it for the result."
        if self._stage.looked_at:
            return "it waits for an answer in its card."
        return "the server asks something; `await` the call or make it the last expression of a cell to see the card."

    async def _drive(self) -> None:
        self._started = True
        record = Record(self._connection.name, self._request.label, self.rounds)
        try:
            value = await self._fetch()
        except asyncio.CancelledError:
            self._end(record, "stopped")
            self._outcome.cancel()
            raise
        except BaseException as error:  # noqa: BLE001 - whatever ends a call is for the one who awaits it
            self._end(record, f"failed: {type(error).__name__}")
            self._outcome.set_exception(_bare(error))
        else:
            self._end(record, "the tool reports an error" if getattr(value, "is_error", False) else "finished")
            self._outcome.set_result(value)

    async def _fetch(self) -> R:
        direct = self._owner.direct
        direct.takers.append(self)
        try:
            raw = await self._owner.run(self._rounds())
        finally:
            direct.takers.remove(self)
            for question in self._taken:
                question.cancel()
        if self._unanswered is not None:
            raise self._unanswered
        return read(self._request.form, raw, server=self._connection.name, label=self._request.label)

    def _end(self, record: Record, ending: str) -> None:
        self._stage.finish(lambda: record.bundle(ending))

    async def _rounds(self) -> Raw:
        try:
            return await run_rounds(self._send, self._answer, pause=asyncio.sleep, max_rounds=self._limits.max_rounds)
        except TooManyRounds:
            keys = ", ".join(dict.fromkeys(asked.key for asked in self.rounds))
            message = (
                f"{self._where} asked for input more than {self._limits.max_rounds} times "
                f"(it asked {keys or 'nothing'}). The server probably does not use the answers; max_rounds= on "
                "connect() allows more."
            )
            raise TooManyRounds(message, rounds=self.rounds) from None
        except ProtocolError as error:
            raise ProtocolError(f"{self._where}: {error}") from None

    async def _send(self, added: Raw) -> Raw:
        token = sending.set(self)
        try:
            return await self._owner.request(self._request.method, {**self._request.params, **added}, self._progress)
        finally:
            sending.reset(token)

    async def _progress(self, progress: float, total: float | None, message: str | None) -> None:
        amount = f"{progress:g} of {total:g}" if total else f"{progress:g}"
        self._stage.progress(f"{amount} {message or ''}".strip())

    async def _answer(self, number: int, requests: Raw) -> Raw:
        """Ask everything of one round at once and collect the answers under their keys (MRT-02)."""
        for key, request in requests.items():
            method = member(request, "method")
            if method != "elicitation/create" or not is_object(member(request, "params")):
                message = f"the server asks {str(method)[:60]!r} under {key!r}, which this host cannot do"
                raise ProtocolError(message)
        outcomes = await _all(
            [self._ask(number, key, request["params"], self.label) for key, request in requests.items()]
        )
        return {key: outcome.result for key, outcome in zip(requests, outcomes, strict=True)}

    async def take(self, params: Raw, label: str) -> Raw:
        """Answer a direct `elicitation/create` of an older era, as `direct.Taker`.

        Args:
            params: The params, exactly as the server sent them.
            label: What led to the question, or all that may have.

        Raises:
            CallEnded: This call ended first.
            HostError: The question stays unanswered.
        """
        work = asyncio.create_task(self._ask(len(self.rounds) + 1, "elicitation", params, label))
        self._taken.add(work)
        try:
            await asyncio.wait({work})
        finally:
            # When this is cancelled, the server has withdrawn its question.
            work.cancel()
            self._taken.discard(work)
        if work.cancelled():
            raise CallEnded
        error = work.exception()
        if error is not None and not isinstance(error, ProtocolError):
            self._unanswered = error
        return work.result().result

    async def _ask(self, number: int, key: str, params: Raw, label: str) -> Outcome:
        question = Question(self._connection.name, label, key, number, params)
        choice = negotiation.choose(params, client=self._owner.front_end, server=self._owner.server_offers_apps)
        self._stage.asking += 1
        action = "no answer"
        shown, why = "app" if choice.uri else "form", choice.reason
        try:
            asked = Elicitation(question, choice, self._read, self._listed, self._stage, self._script)
            outcome = await asked.resolve()
            action, shown, why = outcome.action, outcome.shown, outcome.why
        except Unanswered as error:
            shown, why = "nobody", type(error).__name__
            raise
        except asyncio.CancelledError:
            action = "withdrawn"
            raise
        finally:
            self._stage.asking -= 1
            self.rounds.append(Asked(number, key, self._connection.name, shown, why, action))
        return outcome

    async def _read(self, uri: str) -> Raw:
        return await self._owner.request("resources/read", {"uri": uri})

    async def _listed(self) -> list[object]:
        return await self._owner.list_raw("resources")


async def _all(work: list[Coroutine[Any, Any, Outcome]]) -> list[Outcome]:
    """Run the questions of a round side by side; the first failure closes the others and is raised as it is."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _bare(error: BaseException) -> BaseException:
    # A traceback holds frames, which hold the call and its connection: a failed call would keep its server running.
    if isinstance(error, HostError):
        error.__context__ = None
        return error.with_traceback(None)
    return error
