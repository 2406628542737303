"""The loop of a multi-round-trip request (2026-07-28), with its I/O passed in.

A server that needs a person ends the request with `input_required`; the host collects the answers and sends the
original request again with them (MRT-01 to MRT-11). Nothing here knows of widgets, kernels or transports.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from .errors import ProtocolError, TooManyRounds
from .shapes import is_object

Raw = Mapping[str, Any]
Send = Callable[[Raw], Awaitable[Raw]]
Answer = Callable[[int, Raw], Awaitable[Raw]]

FIRST_PAUSE_SECONDS = 0.05
LONGEST_PAUSE_SECONDS = 2.0


async def run_rounds(
    send: Send, answer: Answer, *, pause: Callable[[float], Awaitable[object]], max_rounds: int
) -> Raw:
    """Drive one request until its result is complete, and return that raw result.

    Args:
        send: Sends the original request with these members added to its params (none in the first round) and
            returns the raw result.
        answer: Gets the number of the round (from 1) and the server's `inputRequests`; returns
            `inputResponses` with the same keys.
        pause: Sleeps so many seconds before a round in which the server asked nothing (MRT-07).
        max_rounds: How often the server may ask.

    Raises:
        TooManyRounds: The server still wants input after `max_rounds` rounds (MRT-08).
        ProtocolError: `resultType` is unknown, or `input_required` asks for nothing and keeps no state.
    """
    added: dict[str, Any] = {}
    wait = FIRST_PAUSE_SECONDS
    for number in range(1, max_rounds + 2):
        result = await send(added)
        # An absent resultType means complete (NEG-17).
        kind = result.get("resultType", "complete")
        if kind == "complete":
            return result
        if kind != "input_required":
            message = f"resultType {str(kind)[:40]!r} is unknown"
            raise ProtocolError(message)
        if number > max_rounds:
            break
        # Only this round's answers and the latest state go out (MRT-09); the state is passed on untouched (MRT-05).
        added = {name: result[name] for name in ("requestState",) if name in result}
        requests = _requests(result)
        if requests:
            added["inputResponses"] = await answer(number, requests)
        elif not added:
            message = "input_required without inputRequests and requestState asks for nothing"
            raise ProtocolError(message)
        else:
            await pause(wait)
            wait = min(wait * 2, LONGEST_PAUSE_SECONDS)
    message = f"the server asked for input more than {max_rounds} times"
    raise TooManyRounds(message)


def _requests(result: Raw) -> Raw:
    requests: object = result.get("inputRequests") or {}
    if not is_object(requests):
        message = "inputRequests is not an object"
        raise ProtocolError(message)
    return requests
