"""What goes over the wire, against a server that is a script of raw frames (NEG, MRT, VAL-13)."""

import asyncio
import json

import pytest
from peers import COLOUR, MODERN, UI, Error, RawServer, asks, once, question, says

from mcp_elicit_widget import NobodyCanAnswer, ProtocolError, ServerError, TooManyRounds, connect
from mcp_elicit_widget.errors import BadScriptedAnswer

META = "io.modelcontextprotocol/"
BLUE = {"colour": "blue"}


def calls(raw):
    frames = [frame for frame in raw.frames if frame.get("method") == "tools/call"]
    for frame in frames:
        # The SDK asks for progress with the request's own id, so this one member follows the id.
        frame["params"].get("_meta", {}).pop("progressToken", None)
    return frames


async def call(raw, answers=BLUE, tool="paint", arguments=None, **options):
    async with connect(raw, answers=answers, name="raw", **options) as server:
        return await server.call_tool(tool, {"wall": "north"} if arguments is None else arguments)


def test_the_retry_is_the_original_request_with_the_answer_the_state_and_a_new_id(run):
    raw = RawServer(once({"colour": question()}, state="  st\u00e4te\u2028 {}  "))
    result = run(call(raw, arguments={"wall": "north", "n": None, "deep": {"f": 1.0, "t": True}}))
    first, second = calls(raw)
    assert result.text == "done"
    assert first["id"] != second["id"]
    assert second["params"]["inputResponses"] == {"colour": {"action": "accept", "content": {"colour": "blue"}}}
    assert second["params"]["requestState"] == "  st\u00e4te\u2028 {}  "
    added = {"inputResponses", "requestState"}
    assert {key: value for key, value in second["params"].items() if key not in added} == first["params"]
    assert first["params"]["arguments"] == {"wall": "north", "n": None, "deep": {"f": 1.0, "t": True}}


def test_without_a_state_none_is_sent(run):
    raw = RawServer(once({"colour": question()}, state=None))
    run(call(raw))
    assert "requestState" not in calls(raw)[1]["params"]


def test_every_request_carries_version_client_and_the_same_capabilities(run):
    raw = RawServer(once({"colour": question()}))
    run(call(raw))
    metas = [frame["params"]["_meta"] for frame in raw.frames]
    assert len(metas) == 3
    assert all(meta[f"{META}protocolVersion"] == MODERN for meta in metas)
    assert all(meta[f"{META}clientInfo"]["name"] == "mcp-elicit-widget" for meta in metas)
    # Without a front end there is no app to draw, and URL mode is not claimed before it is offered.
    assert all(meta[f"{META}clientCapabilities"] == {"elicitation": {"form": {}}} for meta in metas)


def test_with_a_front_end_the_app_capability_is_claimed_on_every_request(run):
    from mcp_elicit_widget import loop
    from mcp_elicit_widget.owner import Owner
    from mcp_elicit_widget.target import resolve

    raw = RawServer(once({}))

    async def story():
        owner = Owner(resolve(raw, headers=None, env=None), name="raw", front_end=True, mode="auto")
        await owner.start(5)
        await owner.request("resources/read", {"uri": "ui://a/b"})
        await owner.close()

    async def script(_):
        return {"contents": []}

    async def elsewhere():
        await asyncio.wrap_future(loop.submit(story()))

    raw.script = script
    run(elsewhere())
    for frame in raw.frames:
        assert frame["params"]["_meta"][f"{META}clientCapabilities"] == {
            "elicitation": {"form": {}},
            "extensions": {UI: {"mimeTypes": ["text/html;profile=mcp-app"], "elicitation": {}}},
        }


def test_a_legacy_handshake_carries_the_same_capabilities_and_later_calls_none(run):
    async def script(_):
        return {"content": [{"type": "text", "text": "old"}]}

    raw = RawServer(script, legacy=True)
    assert run(call(raw)).text == "old"
    assert raw.sent("initialize")[0]["params"]["capabilities"] == {"elicitation": {"form": {}}}
    assert not calls(raw)[0]["params"].get("_meta")


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_decline_and_cancel_are_carried_through_as_bare_actions(run, action):
    raw = RawServer(once({"colour": question()}))
    run(call(raw, answers=lambda asked: getattr(asked, action)()))
    assert calls(raw)[1]["params"]["inputResponses"] == {"colour": {"action": action}}


def test_an_absent_result_type_is_complete(run):
    async def script(_):
        return {"content": [{"type": "text", "text": "fine"}]}

    assert run(call(RawServer(script))).text == "fine"


@pytest.mark.parametrize("kind", ["later", "", None, 3])
def test_an_unknown_result_type_is_an_error_that_names_server_and_tool(run, kind):
    async def script(_):
        return {"resultType": kind, "content": []}

    with pytest.raises(ProtocolError, match="paint on raw: resultType"):
        run(call(RawServer(script)))


def test_a_result_that_is_none_is_an_error_that_names_server_and_tool(run):
    async def script(_):
        return {"content": "words"}

    with pytest.raises(ProtocolError, match=r"paint on raw.*'content'"):
        run(call(RawServer(script)))


def test_a_question_without_properties_is_still_asked(run):
    raw = RawServer(once({"sure": question(schema={"type": "object"})}))
    assert run(call(raw, answers={})).text == "done"
    assert calls(raw)[1]["params"]["inputResponses"] == {"sure": {"action": "accept", "content": {}}}


def test_an_unknown_kind_of_request_fails_the_call_by_name_and_nothing_is_sent(run):
    raw = RawServer(once({"colour": question(), "x": {"method": "sampling/createMessage", "params": {}}}))
    with pytest.raises(ProtocolError, match=r"paint on raw.*sampling/createMessage.*'x'"):
        run(call(raw))
    assert len(calls(raw)) == 1


@pytest.mark.parametrize("mode", ["url", "later", 3])
def test_a_question_in_another_mode_is_refused_by_name_and_nothing_is_sent(run, mode):
    raw = RawServer(once({"colour": question(mode=mode)}))
    with pytest.raises(ProtocolError, match="raw asked 'colour' for paint in the mode"):
        run(call(raw))
    assert len(calls(raw)) == 1


def test_an_absent_mode_means_form_and_the_question_is_handed_on_as_received(run):
    seen = []
    raw = RawServer(once({"colour": question(later={"keep": [1, None]})}))

    def answers(asked):
        seen.append(asked.params)
        return BLUE

    run(call(raw, answers=answers))
    assert seen == [{"message": "Which colour?", "requestedSchema": COLOUR, "later": {"keep": [1, None]}}]


def test_two_questions_of_one_round_are_answered_in_one_retry_in_the_servers_order(run):
    raw = RawServer(once({"b": question(), "a": question(schema={"type": "object", "properties": {}})}))
    run(call(raw, answers=lambda asked: BLUE if asked.key == "b" else asked.decline()))
    sent = calls(raw)
    assert len(sent) == 2
    assert json.dumps(sent[1]["params"]["inputResponses"]) == json.dumps(
        {"b": {"action": "accept", "content": {"colour": "blue"}}, "a": {"action": "decline"}}
    )


def test_parallel_calls_keep_their_answers_and_states_apart(run):
    async def script(frame):
        params = frame["params"]
        wall = params["arguments"]["wall"]
        if "inputResponses" not in params:
            return asks({"colour": question(f"Colour of {wall}?")}, f"state of {wall}")
        return says(f"{wall}: {params['inputResponses']['colour']['content']['colour']}, {params['requestState']}")

    async def story():
        raw = RawServer(script)
        async with connect(raw, answers=lambda asked: {"colour": asked.message}) as server:
            walls = [f"wall {number}" for number in range(20)]
            results = await asyncio.gather(*(server.call_tool("paint", {"wall": wall}) for wall in walls))
            for wall, result in zip(walls, results, strict=True):
                assert result.text == f"{wall}: Colour of {wall}?, state of {wall}"

    run(story())


def test_prompts_and_resources_ask_too(run):
    async def script(frame):
        if "inputResponses" not in frame["params"]:
            return asks({"colour": question()}, "s")
        if frame["method"] == "prompts/get":
            return {"messages": [{"role": "user", "content": {"type": "text", "text": "paint"}}]}
        return {"contents": [{"uri": "a://b", "text": "painted"}]}

    async def story():
        async with connect(RawServer(script), answers=lambda _: BLUE) as server:
            assert repr(await server.get_prompt("p")) == "user: paint"
            assert (await server.read_resource("a://b")).text == "painted"

    run(story())


def test_too_many_rounds_end_with_the_log_of_all_rounds(run):
    async def script(_):
        return asks({"again": question()}, "s")

    raw = RawServer(script)
    with pytest.raises(TooManyRounds, match=r"paint on raw.*more than 2 times.*again") as caught:
        run(call(raw, answers=lambda _: BLUE, max_rounds=2))
    assert [(asked.round, asked.key, asked.action) for asked in caught.value.rounds] == [
        (1, "again", "accept"),
        (2, "again", "accept"),
    ]
    assert len(calls(raw)) == 3


def test_where_nobody_can_be_asked_the_call_fails_by_name_and_sends_no_answer(run):
    raw = RawServer(once({"colour": question()}))
    with pytest.raises(NobodyCanAnswer, match=r"raw asks 'colour' for paint, and nobody can answer.*answers="):
        run(call(raw, answers=None))
    assert len(calls(raw)) == 1
    assert "decline" not in json.dumps(raw.frames)


def test_a_mapping_answers_one_question_and_never_a_second_one(run):
    async def script(frame):
        return asks({"first" if "inputResponses" not in frame["params"] else "second": question()}, "s")

    raw = RawServer(script)
    with pytest.raises(BadScriptedAnswer, match=r"'second'.*round 2 of paint.*given before"):
        run(call(raw))
    assert len(calls(raw)) == 2


@pytest.mark.parametrize("answer", [{"colour": 3}, {}, {"colour": None}, {"colour": {"deep": 1}}])
def test_a_scripted_answer_that_does_not_fit_is_never_sent(run, answer):
    raw = RawServer(once({"colour": question()}))
    with pytest.raises(BadScriptedAnswer, match=r"'colour' \(raw, paint\) was not sent: colour"):
        run(call(raw, answers=answer))
    assert len(calls(raw)) == 1


def test_the_answers_of_a_call_go_before_those_of_the_connection(run):
    async def story():
        raw = RawServer(once({"colour": question()}))
        async with connect(raw, answers={"colour": "red"}) as server:
            await server.call_tool("paint", answers=BLUE)
            await server.call_tool("paint")
        return [frame["params"]["inputResponses"]["colour"]["content"]["colour"] for frame in calls(raw)[1::2]]

    assert run(story()) == ["blue", "red"]


def test_a_script_may_be_a_coroutine_function(run):
    async def answers(asked):
        await asyncio.sleep(0)
        return asked.accept(BLUE)

    assert run(call(RawServer(once({"colour": question()})), answers=answers)).text == "done"


def test_an_error_of_the_server_keeps_its_code_and_data(run):
    async def script(_):
        raise Error(-32021, "Missing required client capability", {"requiredCapabilities": {"sampling": {}}})

    with pytest.raises(ServerError, match=r"raw answered tools/call with error -32021") as caught:
        run(call(RawServer(script)))
    assert caught.value.code == -32021
    assert caught.value.data == {"requiredCapabilities": {"sampling": {}}}


def test_a_direct_question_of_an_older_era_reaches_the_one_open_call(run):
    raw = None

    async def script(frame):
        await raw.push(
            {"jsonrpc": "2.0", "id": 0, "method": "elicitation/create", "params": question(later=1)["params"]}
        )
        answered = await raw.seen(lambda sent: sent.get("id") == 0 and "result" in sent)
        return says(json.dumps(answered["result"]))

    raw = RawServer(script, legacy=True)
    seen = []

    def answers(asked):
        seen.append(asked.params)
        return BLUE

    assert run(call(raw, answers=answers)).text == json.dumps({"action": "accept", "content": {"colour": "blue"}})
    assert seen[0]["later"] == 1


def test_no_answer_is_in_a_log_a_repr_or_the_round_log(run, caplog):
    caplog.set_level(1)
    raw = RawServer(once({"colour": question()}, state="st4te"))

    async def story():
        async with connect(raw, answers={"colour": "s3cret"}) as server:
            made = server.call_tool("paint")
            await made
            return repr(made) + repr(made.rounds) + repr(server) + repr(made._stage.__dict__)

    shown = run(story()) + caplog.text
    assert "paint" in caplog.text
    assert "s3cret" not in shown
    assert "st4te" not in shown
