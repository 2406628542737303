"""One question of a server: who draws it, and the one answer that comes of it.

`resolve` tries the app, then the form; every answer is judged here before it leaves, whoever gave it. A failure of
the app never becomes an answer (FBK-01, FBK-02), and an invalid one is never sent (VAL-01, VAL-02).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from .errors import BadScriptedAnswer, HostError, NobodyCanAnswer, ProtocolError
from .negotiation import Choice
from .resource import AppResource, Listed, Read, UnusableApp, load_app
from .schema import FieldError, FormPlan, drafts_from, form_plan, normalise, validate
from .script import Question, Script
from .shapes import is_object, member

logger = logging.getLogger(__name__)

ACTIONS = ("accept", "decline", "cancel")


@dataclass(frozen=True, repr=False)
class AppSaid:
    """The app's result, unchecked."""

    result: object


@dataclass(frozen=True)
class AppFailed:
    """The app cannot be used; the reason is for people."""

    reason: str


@dataclass(frozen=True)
class FormWanted:
    """The person asked for the form instead of the app."""


@dataclass(frozen=True, repr=False)
class Pressed:
    """The person pressed Accept, Decline or Cancel outside the app; Accept comes with the form's content."""

    action: str
    content: Mapping[str, Any] | None = None


Said = AppSaid | AppFailed | FormWanted | Pressed


class Panel(Protocol):
    """Where one question is drawn; the views implement it."""

    async def ask_app(self, app: AppResource) -> Said:
        """Draw the app and return the first thing that was said."""
        ...

    async def ask_form(self, plan: FormPlan, note: str, drafts: Mapping[str, Any]) -> Said:
        """Take the app down if there is one, draw the form, and return what was pressed."""
        ...

    def withdraw(self) -> None:
        """Take the question away; it needs no answer any more."""
        ...


class Place(Protocol):
    """Where panels can be opened, or why none can."""

    @property
    def silent_because(self) -> str:
        """Why no person can be asked here; empty when one can."""
        ...

    async def open_panel(self, question: Question) -> Panel:
        """Open a panel, once somebody looks at the call."""
        ...


@dataclass(frozen=True)
class Outcome:
    """The answer to one question, and who gave it.

    Attributes:
        result: The `ElicitResult` for the wire.
        shown: "app", "form" or "script".
        why: Why this one and not the app.
    """

    result: Mapping[str, Any] = field(repr=False)
    shown: str
    why: str

    @property
    def action(self) -> str:
        """Which of accept, decline and cancel it is."""
        return self.result["action"]


@dataclass(frozen=True, repr=False)
class Elicitation:
    """A question bound to the server that asked it (ELI-01): its app is read there and nowhere else.

    Attributes:
        question: What was asked.
        choice: App or form.
        read: Reads a resource of the same server.
        listed: Lists the resources of the same server.
        place: Where it can be shown.
        script: Scripted answers, for when it cannot be shown.
    """

    question: Question
    choice: Choice
    read: Read
    listed: Listed
    place: Place
    script: Script

    async def resolve(self) -> Outcome:
        """Ask, and return the one valid answer.

        Raises:
            Unanswered: Nobody could be asked, or the view was lost.
            ProtocolError: The question is of a mode that was not negotiated, or has no schema.
        """
        self._check_question()
        if self.place.silent_because:
            outcome = await self._scripted()
        else:
            outcome = await self._ask()
        logger.info(
            "%s asked %r for %s: %s by %s",
            self.question.server, self.question.key, self.question.tool, outcome.action, outcome.shown,
        )  # fmt: skip
        return outcome

    def _check_question(self) -> None:
        where = f"{self.question.server} asked {self.question.key!r} for {self.question.tool}"
        mode = self.question.params.get("mode", "form")
        if mode != "form":
            message = f"{where} in the mode {str(mode)[:20]!r}; this host offers forms only"
            raise ProtocolError(message)
        if not is_object(self.question.params.get("requestedSchema")):
            message = f"{where} without a requestedSchema, so there is nothing to answer"
            raise ProtocolError(message)

    async def _scripted(self) -> Outcome:
        if not self.script:
            message = (
                f"{self.question.server} asks {self.question.key!r} for {self.question.tool}, and nobody can answer: "
                f"{self.place.silent_because}. Nothing was sent. Open the notebook in JupyterLab, or pass answers= to "
                "connect() or to the call."
            )
            raise NobodyCanAnswer(message)
        reply = await self.script.reply(self.question)
        try:
            result = self._judge({"action": reply.action, "content": reply.content})
        except InvalidAnswer as error:
            message = (
                f"the scripted answer to {self.question.key!r} ({self.question.server}, {self.question.tool}) was not "
                f"sent: {error}"
            )
            raise BadScriptedAnswer(message) from None
        return Outcome(result, "script", self.place.silent_because)

    async def _ask(self) -> Outcome:
        panel = await self.place.open_panel(self.question)
        try:
            return await self._ask_in(panel)
        except asyncio.CancelledError:
            # Withdrawn by the server, or its call has ended: no answer is sent, and none can be given any more.
            panel.withdraw()
            raise

    async def _ask_in(self, panel: Panel) -> Outcome:
        plan = form_plan(self.question.schema)
        note = f"{self.choice.reason[0].upper()}{self.choice.reason[1:]}." if self.choice.remarkable else ""
        drafts: Mapping[str, Any] = {}
        why = self.choice.reason
        if self.choice.uri is not None and not plan.problem:
            answer = await self._ask_app(panel, self.choice.uri)
            if isinstance(answer, Outcome):
                return answer
            why, drafts = answer.reason, answer.drafts(plan)
            note = answer.note(self.question.server)
        said = await panel.ask_form(plan, note, drafts)
        if not isinstance(said, Pressed):
            message = f"the form of {self.question.key!r} was answered by something else"
            raise HostError(message)
        # The form judges by the same rules; this is the line that no answer passes unjudged.
        return Outcome(self._judge({"action": said.action, "content": said.content}), "form", why)

    async def _ask_app(self, panel: Panel, uri: str) -> Outcome | _Fallback:
        try:
            app = await load_app(uri, self.read, self.listed)
        except UnusableApp as error:
            return _Fallback(str(error))
        said = await panel.ask_app(app)
        match said:
            case Pressed():
                return Outcome(self._judge({"action": said.action}), "app", self.choice.reason)
            case FormWanted():
                return _Fallback("you chose the form", chosen=True)
            case AppFailed():
                return _Fallback(said.reason)
            case AppSaid():
                try:
                    return Outcome(self._judge(said.result), "app", self.choice.reason)
                except InvalidAnswer as error:
                    return _Fallback(f"the app's answer does not fit what was asked ({error})", rejected=said.result)

    def _judge(self, result: object) -> dict[str, Any]:
        """Return the answer for the wire: action, and content only with accept (VAL-03, VAL-13)."""
        action = member(result, "action")
        if action not in ACTIONS:
            message = "its action is none of accept, decline and cancel"
            raise InvalidAnswer(message)
        if action != "accept":
            return {"action": action}
        content = member(result, "content")
        errors = validate(self.question.schema, content)
        if errors or not is_object(content):
            raise InvalidAnswer("; ".join(_sentence(error) for error in errors) or "its content is no object")
        return {"action": action, "content": normalise(self.question.schema, dict(content))}


class InvalidAnswer(Exception):
    """An answer that must not be sent; the text names fields and rules, never a value."""


@dataclass(frozen=True, repr=False)
class _Fallback:
    """Why the form takes over from the app, and what of a rejected answer can be kept."""

    reason: str
    rejected: object = None
    chosen: bool = False

    def note(self, server: str) -> str:
        if self.chosen:
            return ""
        kept = " Fields that fit were kept; please check them." if self.rejected is not None else ""
        return f"The app of {server} cannot be used here: {self.reason}. This is the built-in form.{kept}"

    def drafts(self, plan: FormPlan) -> Mapping[str, Any]:
        content = member(self.rejected, "content")
        return drafts_from(plan, content) if is_object(content) else {}


def _sentence(error: FieldError) -> str:
    return f"{error.field}: {error.message}" if error.field else error.message
