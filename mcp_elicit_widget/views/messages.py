"""The contract between kernel and browser: every custom message, both ways.

Its twin is `js/src/messages.ts`; `tests/unit/test_contract.py` compares the two.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class FieldMark(TypedDict):
    """One drawn field of the native form, found in the panel by its CSS class."""

    css: str
    required: bool
    invalid: bool


class Show(TypedDict):
    """To the browser: what the head of a panel shows."""

    kind: Literal["show"]
    state: Literal["working", "app", "form", "sent", "withdrawn"]
    server: str
    tool: str
    message: str
    note: str
    progress: str
    reach: str
    fields: list[FieldMark]
    shield: list[str]


class Start(TypedDict):
    """To the browser: start the app in the view named; the HTML comes as the one buffer."""

    kind: Literal["start"]
    view: str
    instance: int
    params: object
    outerPolicy: str
    innerPolicy: str
    granted: object
    context: object
    hostVersion: str
    title: str
    handshakeSeconds: float


class Stop(TypedDict):
    """To the browser: cancel the open request in the app and take the app down."""

    kind: Literal["stop"]
    reason: str


class Focus(TypedDict):
    """To the browser: move the focus to the first control of a field."""

    kind: Literal["focus"]
    css: str


class Ready(TypedDict):
    """From the browser: a view was drawn and wants to know what to show."""

    kind: Literal["ready"]
    view: str


class Gone(TypedDict):
    """From the browser: a view was removed, or its page is going away."""

    kind: Literal["gone"]
    view: str


class Answer(TypedDict):
    """From the browser: the app's result, unchecked."""

    kind: Literal["answer"]
    view: str
    instance: int
    result: object


class Failed(TypedDict):
    """From the browser: the app cannot be used."""

    kind: Literal["failed"]
    view: str
    instance: int
    reason: Literal["no_handshake", "refused", "no_capability", "error_reply", "teardown", "navigated", "broken"]
    detail: str


class Key(TypedDict):
    """From the browser: a key that means something to the form."""

    kind: Literal["key"]
    view: str
    key: Literal["escape", "enter"]


ToBrowser = Show | Start | Stop | Focus
ToKernel = Ready | Gone | Answer | Failed | Key
