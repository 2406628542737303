"""What stays in a notebook when a call has ended: who asked, how it was answered, how it ended. No values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

_ACTIONS = {
    "accept": "accepted",
    "decline": "declined",
    "cancel": "cancelled",
    "no answer": "not answered",
    "withdrawn": "withdrawn",
}
_SHOWN = {"app": "in the app", "form": "in the form", "script": "by a scripted answer", "nobody": "by nobody"}


@dataclass(frozen=True)
class Asked:
    """One question of a call.

    Attributes:
        round: The number of the round, from 1.
        key: The question's key in that round.
        server: Who asked.
        shown: "app", "form", "script" or "nobody".
        why: Why it was drawn like this, or why nobody was asked.
        action: "accept", "decline", "cancel", "no answer", or "withdrawn" when the question was closed from outside.
    """

    round: int
    key: str
    server: str
    shown: str
    why: str
    action: str


@dataclass(frozen=True)
class Record:
    """The record of one call."""

    server: str
    label: str
    rounds: Sequence[Asked]

    def bundle(self, ending: str) -> Mapping[str, Any]:
        """Return the record for display, as HTML and as plain text.

        Args:
            ending: How the call ended, in a few words.
        """
        asked = [f"{self.server} asked ({one.key}): {_ACTIONS[one.action]} {_SHOWN[one.shown]}" for one in self.rounds]
        lines = [f"{self.label} on {self.server}: {ending}", *asked]
        html = "<br>".join(escape(line) for line in lines)
        return {
            "text/plain": "\n".join(lines),
            "text/html": f'<div style="color: var(--jp-ui-font-color2, #666); font-size: 0.9em">{html}</div>',
        }
