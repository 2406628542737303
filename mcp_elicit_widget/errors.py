"""Everything this library raises on purpose.

HostError
├── NotConnected        a connection was used before `await connect(...)`
├── ConnectError        the server could not be reached or is not an MCP server
├── ConnectionClosed    the connection was closed or lost
├── ServerError         the server answered with a JSON-RPC error
├── ProtocolError       the server sent something that the protocol does not allow
├── StillWaiting        `call.result()` before the call has ended
├── Unanswered          a question of the server got no answer, and none was sent
│   ├── NobodyCanAnswer     no front end is there to ask, and no scripted answer either
│   ├── CannotWaitHere      this kernel cannot hear a click while a cell awaits
│   ├── ViewLost            the card was gone for too long
│   └── BadScriptedAnswer   a scripted answer is missing or does not fit the question
└── TooManyRounds       the server asked again and again

A tool's own error (`isError`) is a result, not an exception. No message holds an answer, a header or an
environment value.
"""

from __future__ import annotations

from collections.abc import Sequence


class HostError(Exception):
    """Base of all errors raised on purpose by this library."""


class NotConnected(HostError, AttributeError):
    """The object that `connect` returns was used without `await` or `async with`."""


class ConnectError(HostError):
    """The server could not be reached, did not start, or does not speak MCP."""


class ConnectionClosed(HostError):
    """The connection was closed by `close()`, by its server or by the network."""


class ServerError(HostError):
    """The server answered a request with a JSON-RPC error.

    Attributes:
        code: The JSON-RPC error code, for example -32602.
        data: The error's `data` member as the server sent it, or None.
    """

    def __init__(self, message: str, *, code: int, data: object = None) -> None:
        """Keep the code and the data beside the message."""
        super().__init__(message)
        self.code = code
        self.data = data


class ProtocolError(HostError):
    """The server sent something that the protocol does not allow."""


class StillWaiting(HostError):
    """`call.result()` was asked before the call has ended."""


class Unanswered(HostError):
    """A question of the server got no answer; nothing was sent in its place."""


class NobodyCanAnswer(Unanswered):
    """No front end can show the question, and no scripted answer was given."""


class CannotWaitHere(Unanswered):
    """This kernel does not deliver a click while a cell awaits (ipykernel before 7.4)."""


class ViewLost(Unanswered):
    """The card that showed the question was gone for longer than the limit."""


class BadScriptedAnswer(Unanswered):
    """A scripted answer is missing for this question, or does not fit its schema."""


class TooManyRounds(HostError):
    """The server kept asking beyond the limit (MRT-08).

    Attributes:
        rounds: What was asked in each round, as in `Call.rounds`.
    """

    def __init__(self, message: str, *, rounds: Sequence[object] = ()) -> None:
        """Keep the round log beside the message."""
        super().__init__(message)
        self.rounds = tuple(rounds)
