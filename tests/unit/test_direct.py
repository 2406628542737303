"""Which call a direct question of an older era belongs to."""

import asyncio
from types import SimpleNamespace

import pytest

from mcp_elicit_widget.direct import CallEnded, DirectQuestions, sending
from mcp_elicit_widget.errors import NobodyCanAnswer, ProtocolError

ACCEPT = {"action": "accept", "content": {"x": 1}}


class Taker:
    """Stands for a call: keeps what it was asked and does what it is told."""

    def __init__(self, label, outcome=ACCEPT, looked_at=False):
        self.label, self.outcome, self.looked_at = label, outcome, looked_at
        self.asked = []

    async def take(self, params, label):
        self.asked.append((params, label))
        if isinstance(self.outcome, type):
            raise self.outcome("why")
        return self.outcome


def ask(*takers, context=None, number=0):
    direct = DirectQuestions({0: {"message": "zero"}, 7: {"message": "seven"}})
    direct.takers = list(takers)

    async def story():
        sending.set(context)
        return await direct.ask(SimpleNamespace(request_id=number), None)

    return asyncio.run(story())


@pytest.mark.parametrize(("number", "message"), [(0, "zero"), (7, "seven")])
def test_the_one_open_call_gets_the_raw_params_whatever_the_id(number, message):
    only = Taker("paint")
    assert ask(only, number=number).model_dump(exclude_none=True) == ACCEPT
    assert only.asked == [({"message": message}, "paint")]


def test_the_call_of_the_senders_context_gets_it_among_many():
    calls = [Taker("a", looked_at=True), Taker("b"), Taker("c", looked_at=True)]
    ask(*calls, context=calls[1])
    assert [len(call.asked) for call in calls] == [0, 1, 0]
    assert calls[1].asked[0][1] == "b"


def test_without_a_context_the_latest_call_that_is_looked_at_shows_it_and_all_are_named():
    calls = [Taker("a", looked_at=True), Taker("b", looked_at=True), Taker("c"), Taker("a")]
    ask(*calls)
    assert [len(call.asked) for call in calls] == [0, 1, 0, 0]
    assert calls[1].asked[0][1] == "a or b or c"


def test_a_context_whose_call_has_ended_counts_for_nothing():
    only = Taker("paint")
    ask(only, context=Taker("gone"))
    assert only.asked[0][1] == "paint"


def test_when_the_call_that_shows_it_ends_another_one_takes_over():
    class Ending(Taker):
        async def take(self, params, label):
            self.asked.append(label)
            others.remove(self)
            raise CallEnded

    direct = DirectQuestions({0: {}})
    first, second = Taker("a"), Ending("b", looked_at=True)
    others = direct.takers
    others += [first, second]
    answer = asyncio.run(direct.ask(SimpleNamespace(request_id=0), None))
    assert answer.action == "accept"
    assert (second.asked, first.asked) == (["a or b"], [({}, "a")])


@pytest.mark.parametrize(
    ("outcome", "code"), [(ProtocolError, -32602), (NobodyCanAnswer, -32603), (ValueError, -32603)]
)
def test_a_question_that_stays_unanswered_is_an_error_without_any_text_of_ours(outcome, code):
    error = ask(Taker("paint", outcome))
    assert error.code == code
    assert "why" not in error.message


def test_a_question_without_any_open_call_is_an_error():
    assert ask().code == -32603
