"""How much patience a connection has."""

from __future__ import annotations

from dataclasses import dataclass

MAX_PAGES = 100
"""Pages of a list that are fetched: a cursor that never ends must not keep a call from ending."""


@dataclass(frozen=True)
class Limits:
    """The limits that `connect` was given.

    Attributes:
        max_rounds: How often one call may ask.
        app_timeout: Seconds until an app that does not finish its handshake is replaced by the form.
        view_timeout: Seconds for which a question may be without any view.
    """

    max_rounds: int
    app_timeout: float
    view_timeout: float
