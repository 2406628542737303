"""The multi-round-trip loop, without any transport (MRT)."""

import asyncio

import pytest

from mcp_elicit_widget.errors import ProtocolError, TooManyRounds
from mcp_elicit_widget.rounds import run_rounds


class Peer:
    """Returns the given results one after the other and keeps what was sent."""

    def __init__(self, *results):
        self.results = list(results)
        self.sent = []
        self.asked = []
        self.pauses = []

    async def send(self, added):
        self.sent.append(dict(added))
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]

    async def answer(self, number, requests):
        self.asked.append((number, list(requests)))
        return {key: f"answer to {key} in {number}" for key in requests}

    async def pause(self, seconds):
        self.pauses.append(seconds)

    def run(self, max_rounds=10):
        return asyncio.run(run_rounds(self.send, self.answer, pause=self.pause, max_rounds=max_rounds))


DONE = {"resultType": "complete", "content": []}


def asks(*keys, **more):
    return {"resultType": "input_required", "inputRequests": {key: {} for key in keys}, **more}


def test_a_complete_result_ends_the_loop_at_once():
    peer = Peer(DONE)
    assert peer.run() is DONE
    assert peer.sent == [{}]


def test_an_absent_result_type_means_complete():
    result = {"content": [1]}
    assert Peer(result).run() is result


def test_every_key_is_answered_and_the_state_goes_back_untouched():
    state = "  ünï\u0000 {not: json} " + "x" * 100_000
    peer = Peer(asks("b", "a", requestState=state), DONE)
    peer.run()
    assert peer.sent[1] == {
        "inputResponses": {"b": "answer to b in 1", "a": "answer to a in 1"},
        "requestState": state,
    }
    assert list(peer.sent[1]["inputResponses"]) == ["b", "a"]


def test_an_empty_state_is_sent_and_an_absent_one_is_not():
    peer = Peer(asks("a", requestState=""), asks("a"), DONE)
    peer.run()
    assert peer.sent[1]["requestState"] == ""
    assert "requestState" not in peer.sent[2]


def test_only_the_answers_of_the_current_round_are_sent():
    peer = Peer(asks("a", requestState="1"), asks("b", requestState="2"), DONE)
    peer.run()
    assert peer.sent[2] == {"inputResponses": {"b": "answer to b in 2"}, "requestState": "2"}


def test_a_round_with_nothing_but_state_waits_longer_each_time():
    waiting = {"resultType": "input_required", "requestState": "s"}
    peer = Peer(waiting, waiting, waiting, DONE)
    peer.run()
    assert peer.sent[1:] == [{"requestState": "s"}] * 3
    assert peer.pauses == sorted(set(peer.pauses))
    assert peer.asked == []


def test_a_server_that_never_stops_asking_is_stopped_after_the_limit():
    peer = Peer(asks("a"))
    with pytest.raises(TooManyRounds, match="more than 3 times"):
        peer.run(max_rounds=3)
    assert len(peer.asked) == 3
    assert len(peer.sent) == 4


@pytest.mark.parametrize(
    "result",
    [
        {"resultType": "later"},
        {"resultType": 7},
        {"resultType": "input_required"},
        {"resultType": "input_required", "inputRequests": {}},
        {"resultType": "input_required", "inputRequests": ["a"]},
    ],
)
def test_a_result_that_the_protocol_does_not_know_is_an_error(result):
    with pytest.raises(ProtocolError):
        Peer(result).run()
