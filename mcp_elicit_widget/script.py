"""Scripted answers (`answers=`): used where no person can be asked, and nowhere else (design 3.12)."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .errors import BadScriptedAnswer
from .shapes import is_object


@dataclass(frozen=True, repr=False)
class Reply:
    """What a script says to one question: the action, and the content of an accept."""

    action: str
    content: Mapping[str, Any] | None = None

    def __repr__(self) -> str:
        """Name the action without the content."""
        return f"<Reply {self.action}>"


@dataclass(frozen=True)
class Question:
    """One question of a server.

    Attributes:
        server: The server as its cards name it.
        tool: The tool, prompt or resource whose call led to the question.
        key: The question's key in its round, or its JSON-RPC id in older eras.
        round: The number of the round, from 1.
        params: The params of `elicitation/create`, exactly as the server sent them.
    """

    server: str
    tool: str
    key: str
    round: int
    params: Mapping[str, Any] = field(repr=False)

    @property
    def message(self) -> str:
        """The server's words."""
        message = self.params.get("message")
        return message if isinstance(message, str) else ""

    @property
    def schema(self) -> Mapping[str, Any]:
        """The JSON Schema that an accepted answer must fit."""
        schema = self.params.get("requestedSchema")
        return schema if is_object(schema) else {}

    def accept(self, content: Mapping[str, Any]) -> Reply:
        """Answer with this content; the same as returning the mapping itself."""
        return Reply("accept", content)

    def decline(self) -> Reply:
        """Answer that the person says no."""
        return Reply("decline")

    def cancel(self) -> Reply:
        """Answer that the person left without saying yes or no."""
        return Reply("cancel")


Said = Mapping[str, Any] | Reply | None
Answers = Mapping[str, Any] | Callable[[Question], Said | Awaitable[Said]] | None


class Script:
    """Scripted answers in the order of need; a mapping answers one question and no second one."""

    def __init__(self, answers: Answers) -> None:
        """Take a mapping for one question, a callable for any, or None for no script.

        Raises:
            TypeError: The answers are none of these.
        """
        if answers is not None and not callable(answers) and not is_object(answers):
            message = "answers= takes a mapping for the one question asked, or a callable that gets the question"
            raise TypeError(message)
        self._answers = answers
        self._used = False

    def __bool__(self) -> bool:
        """Tell whether there is a script at all."""
        return self._answers is not None

    async def reply(self, question: Question) -> Reply:
        """Return the script's reply to this question.

        Raises:
            BadScriptedAnswer: The script does not name this question.
        """
        answers = self._answers
        if not callable(answers):
            if self._used or answers is None:
                raise BadScriptedAnswer(_missing(question, "its one answer was given before"))
            self._used = True
            return Reply("accept", answers)
        said = answers(question)
        if inspect.isawaitable(said):
            said = await said
        if isinstance(said, Reply):
            return said
        if is_object(said):
            return Reply("accept", said)
        raise BadScriptedAnswer(_missing(question, "it returned none"))


def _missing(question: Question, why: str) -> str:
    return (
        f"the scripted answers have none for the question {question.key!r} that {question.server} asked in round "
        f"{question.round} of {question.tool}: {why}. Nothing was sent; add an answer for it to answers=."
    )
