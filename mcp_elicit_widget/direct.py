"""Direct questions of older eras (`elicitation/create` sent by the server), and the calls they belong to (LEG).

Such a question does not say which call led to it. Where the transport keeps the sender's context, the call is known;
otherwise it is, when only one is open. Else the question is shown with one call and names all that it may belong to.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol

from .errors import ProtocolError

if TYPE_CHECKING:
    from mcp.client import ClientRequestContext
    from mcp_types import ElicitResult, ErrorData

Raw = Mapping[str, Any]


class CallEnded(Exception):
    """The call that showed a question has ended before the answer; never leaves the library."""


class Taker(Protocol):
    """A call that can show a direct question."""

    @property
    def label(self) -> str:
        """The tool, prompt or resource."""
        ...

    @property
    def looked_at(self) -> bool:
        """Whether a cell awaits or shows the call."""
        ...

    async def take(self, params: Raw, label: str) -> Raw:
        """Ask, and return the `ElicitResult`; raises `CallEnded` when the call ends first."""
        ...


sending: ContextVar[Taker | None] = ContextVar("mcp_elicit_widget_sending", default=None)
"""The call whose request is sent in this context."""


class DirectQuestions:
    """The direct questions of one connection.

    Attributes:
        raw: The raw params of each open question by JSON-RPC id; the wire keeps them.
        takers: The calls that are open, oldest first.
    """

    def __init__(self, raw: Mapping[str | int, Raw]) -> None:
        """Start without any open call."""
        self.raw = raw
        self.takers: list[Taker] = []

    async def ask(self, context: ClientRequestContext, params: object) -> ElicitResult | ErrorData:  # noqa: ARG002
        """Answer one question; the SDK's elicitation callback.

        A cancelled callback means that the server has withdrawn its question: nothing is sent (LEG-03).
        """
        from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, ElicitResult, ErrorData

        raw = self.raw.get(context.request_id, {})
        known = sending.get()
        while self.takers:
            taker = known if known in self.takers else self._likely()
            label = taker.label if taker is known else " or ".join(dict.fromkeys(one.label for one in self.takers))
            try:
                return ElicitResult.model_validate(await taker.take(raw, label))
            except CallEnded:
                # It may belong to another call, which is still open.
                known = None
            except ProtocolError:
                return ErrorData(code=INVALID_PARAMS, message="This host offers form elicitation only")
            except Exception:  # noqa: BLE001 - the SDK would send the text of whatever is raised (ERR-10)
                # The call reports the error itself; its text is for the reader of the notebook, not for the server.
                break
        return ErrorData(code=INTERNAL_ERROR, message="The host got no answer")

    def _likely(self) -> Taker:
        return next((taker for taker in reversed(self.takers) if taker.looked_at), self.takers[-1])
