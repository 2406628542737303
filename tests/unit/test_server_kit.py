"""What a server's author gets from mcp_elicit_widget.server, on real SDK servers (NEG, RES-01, MRT, SEP-3118)."""

import asyncio
import json
import socket
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp.server import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.message import SessionMessage
from mcp_types import (
    CallToolResult,
    ClientCapabilities,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    ElicitResult,
    InputRequiredResult,
    TextContent,
    jsonrpc_message_adapter,
)
from peers import MODERN, UI

from mcp_elicit_widget import ServerError, connect, loop
from mcp_elicit_widget.owner import Owner
from mcp_elicit_widget.server import (
    ElicitationApps,
    app_of,
    ask,
    elicit,
    elicit_all,
    form,
    restore,
    restoring,
    sdk_keeps,
    supports_app_elicitation,
    with_app,
)
from mcp_elicit_widget.target import resolve

APP = "ui://paint/app"
NESTED = {"elicitation": {}}
DRAWS = {"elicitation": {"form": {}}, "extensions": {UI: {"mimeTypes": ["text/html;profile=mcp-app"], **NESTED}}}
PLAIN = {"elicitation": {"form": {}}}
SCHEMA = {
    "type": "object",
    "title": "Paint",
    "properties": {"colour": {"$ref": "#/$defs/C", "default": None}},
    "required": ["colour"],
    "additionalProperties": False,
    "x-order": ["colour"],
    "$defs": {"C": {"type": "string", "enum": ["blue", "red"]}},
}
NAME = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
BLUE = {"action": "accept", "content": {"colour": "blue"}}


def say(answer):
    return f"{answer.action} {json.dumps(answer.content)}"


async def paint(wall: str) -> str:
    answer = await elicit("colour", f"Which colour for {wall}?", SCHEMA, app=APP)
    return f"{wall}: {say(answer)}"


async def in_turn(wall: str) -> str:
    first = await elicit("colour", "Which?", SCHEMA, app=APP)
    second = await elicit("name", f"Who paints {first.content['colour']}?", NAME)
    return f"{say(first)}, {say(second)}"


async def at_once(wall: str) -> str:
    answers = await elicit_all({"colour": form("Which?", SCHEMA, app=APP), "name": form("Who?", NAME)})
    return f"{say(answers['colour'])}, {say(answers['name'])}"


async def until_blue(wall: str) -> str:
    tries = 1
    while (await elicit("colour", f"Blue, please ({tries})", SCHEMA)).content != {"colour": "blue"}:
        tries += 1
    return f"{tries} tries"


TOOLS = [paint, in_turn, at_once, until_blue]


def mcpserver(*tools, middleware=(restore,), extensions=None):
    extensions = [ElicitationApps()] if extensions is None else extensions
    server = MCPServer("paint", extensions=extensions, middleware=middleware, log_level="WARNING")
    for tool in tools or TOOLS:
        server.add_tool(tool)
    return server


def low_level(*tools, middleware=(restore,)):
    named = {tool.__name__: tool for tool in tools or TOOLS}

    async def call(_, params):
        text = await named[params.name](**params.arguments)
        return text if not isinstance(text, str) else CallToolResult(content=[TextContent(type="text", text=text)])

    server = Server("low", on_call_tool=call)
    server.extensions[UI] = dict(NESTED)
    server.middleware.extend(middleware)
    return server


def fastmcp(*tools, middleware=(restore,)):
    fast = pytest.importorskip("fastmcp")
    from fastmcp.server.extensions import ServerExtension

    class Announces(ServerExtension):
        identifier = UI

        def settings(self):
            return dict(NESTED)

    server = fast.FastMCP("fast")
    for tool in tools or TOOLS:
        server.tool(tool)
    server.add_extension(Announces())
    # fastmcp 4 offers no other way to the SDK's middleware.
    server._mcp_server.middleware.extend(middleware)
    return server._mcp_server


BUILDERS = pytest.mark.parametrize("build", [mcpserver, low_level, fastmcp])
ERAS = pytest.mark.parametrize("legacy", [False, True], ids=["modern", "legacy"])
CLIENTS = pytest.mark.parametrize(("claimed", "app"), [(DRAWS, APP), (PLAIN, None)], ids=["draws", "plain"])


class RawClient:
    """A client that is nothing but frames; `answer(params)` answers a question of either era."""

    def __init__(self, write, claimed, answer, *, legacy):
        self.write, self.claimed, self.answer, self.legacy = write, claimed, answer, legacy
        self.questions, self.results, self.keys = [], [], []
        self.waiting = {}
        self.hello = None

    async def listen(self, read):
        async for item in read:
            frame = json.loads(item.message.model_dump_json(by_alias=True, exclude_unset=True))
            if frame.get("method") == "elicitation/create":
                self.questions.append(frame["params"])
                await self.send({"id": frame["id"], "result": self.answer(frame["params"])})
            elif "id" in frame and "method" not in frame:
                self.waiting.pop(frame["id"]).set_result(frame)

    async def send(self, frame):
        message = jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **frame})
        await self.write.send(SessionMessage(message))

    async def request(self, method, params, claimed=None):
        number = len(self.results) + len(self.waiting) + 1
        self.waiting[number] = future = asyncio.get_running_loop().create_future()
        if not self.legacy:
            declared = self.claimed if claimed is None else claimed
            info = {"protocolVersion": MODERN, "clientInfo": {"name": "raw", "version": "1"}}
            meta = {**info, "clientCapabilities": declared}
            params = {**params, "_meta": {f"io.modelcontextprotocol/{key}": value for key, value in meta.items()}}
        await self.send({"id": number, "method": method, "params": params})
        frame = await future
        self.results.append(frame)
        return frame

    async def greet(self):
        if not self.legacy:
            self.hello = (await self.request("server/discover", {}))["result"]
            return
        info = {"name": "raw", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": self.claimed, "clientInfo": info}
        self.hello = (await self.request("initialize", params))["result"]
        await self.send({"method": "notifications/initialized"})

    async def call(self, tool, wall="north", *, claimed=None):
        first = params = {"name": tool, "arguments": {"wall": wall}}
        while True:
            frame = await self.request("tools/call", params, claimed)
            if "error" in frame:
                return frame["error"]
            result = frame["result"]
            if result.get("resultType") != "input_required":
                return result["content"][0]["text"]
            asked = {key: request["params"] for key, request in result["inputRequests"].items()}
            self.questions.extend(asked.values())
            self.keys.append(list(asked))
            params = {**first, "inputResponses": {key: self.answer(one) for key, one in asked.items()}}
            if "requestState" in result:
                params["requestState"] = result["requestState"]


@asynccontextmanager
async def raw(server, claimed=DRAWS, *, answer=lambda _: BLUE, legacy=False):
    async with resolve(server, headers=None, env=None).open() as (read, write), asyncio.TaskGroup() as group:
        client = RawClient(write, claimed, answer, legacy=legacy)
        listening = group.create_task(client.listen(read))
        await client.greet()
        yield client
        listening.cancel()


def by_schema(params):
    """Answer either of the two questions used here."""
    return {"action": "accept", "content": {"name": "Ada"}} if params["requestedSchema"] == NAME else BLUE


@BUILDERS
@ERAS
@CLIENTS
def test_a_question_arrives_whole_and_names_its_app_only_to_a_client_that_draws_apps(run, build, legacy, claimed, app):
    async def story():
        async with raw(build(), claimed, legacy=legacy) as client:
            assert await client.call("paint") == 'north: accept {"colour": "blue"}'
            return client.questions

    expected = {"mode": "form", "message": "Which colour for north?", "requestedSchema": SCHEMA}
    assert run(story()) == [expected if app is None else {**expected, "_meta": {"ui": {"resourceUri": app}}}]


@BUILDERS
@ERAS
def test_the_server_announces_app_rendered_questions(run, build, legacy):
    async def story():
        async with raw(build(), legacy=legacy) as client:
            return client.hello["capabilities"]["extensions"]

    assert run(story())[UI] == NESTED


@BUILDERS
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_notebook_host_gets_its_answer_through(run, build, mode):
    async def story():
        async with connect(build(), answers={"colour": "red"}, mode=mode) as server:
            return (await server.call_tool("paint", {"wall": "north"})).text

    assert run(story()) == 'north: accept {"colour": "red"}'


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_host_with_a_front_end_sees_that_the_server_offers_apps(run, mode):
    async def story():
        owner = Owner(resolve(mcpserver(), headers=None, env=None), name="paint", front_end=True, mode=mode)
        await owner.start(10)
        try:
            return owner.server_offers_apps
        finally:
            await owner.close()

    async def elsewhere():
        return await asyncio.wrap_future(loop.submit(story()))

    assert run(elsewhere()) is True


@BUILDERS
@ERAS
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_decline_and_cancel_reach_the_tool(run, build, legacy, action):
    async def story():
        async with raw(build(), legacy=legacy, answer=lambda _: {"action": action}) as client:
            return await client.call("paint")

    assert run(story()) == f"north: {action} null"


@BUILDERS
@ERAS
def test_two_questions_in_turn_are_two_rounds_and_the_second_knows_the_first_answer(run, build, legacy):
    async def story():
        async with raw(build(), legacy=legacy, answer=by_schema) as client:
            return await client.call("in_turn"), [asked["message"] for asked in client.questions], client.keys

    text, asked, keys = run(story())
    assert text == 'accept {"colour": "blue"}, accept {"name": "Ada"}'
    assert asked == ["Which?", "Who paints blue?"]
    assert keys == ([] if legacy else [["colour"], ["name"]])


@BUILDERS
@ERAS
def test_two_questions_at_once_are_one_round(run, build, legacy):
    async def story():
        async with raw(build(), legacy=legacy, answer=by_schema) as client:
            return await client.call("at_once"), [asked["message"] for asked in client.questions], client.keys

    text, asked, keys = run(story())
    assert text == 'accept {"colour": "blue"}, accept {"name": "Ada"}'
    assert asked == ["Which?", "Who?"]
    assert keys == ([] if legacy else [["colour", "name"]])


@BUILDERS
@ERAS
def test_a_question_asked_again_in_a_loop_is_a_new_question(run, build, legacy):
    def answer(params):
        return {"action": "accept", "content": {"colour": "blue" if "(3)" in params["message"] else "red"}}

    async def story():
        async with raw(build(), legacy=legacy, answer=answer) as client:
            return await client.call("until_blue"), client.keys

    text, keys = run(story())
    assert text == "3 tries"
    assert keys == ([] if legacy else [["colour"], ["colour#2"], ["colour#3"]])


@BUILDERS
@ERAS
def test_twenty_parallel_calls_keep_their_questions_apart(run, build, legacy):
    async def story():
        def answer(params):
            return {"action": "accept", "content": {"colour": params["message"]}}

        async with raw(build(), legacy=legacy, answer=answer) as client:
            walls = [f"wall {number}" for number in range(20)]
            return dict(zip(walls, await asyncio.gather(*(client.call("paint", wall) for wall in walls)), strict=True))

    for wall, text in run(story()).items():
        assert text == f'{wall}: accept {{"colour": "Which colour for {wall}?"}}'


def test_the_capabilities_of_the_request_decide_and_not_those_of_an_earlier_one(run):
    async def story():
        async with raw(mcpserver(), DRAWS) as client:
            await client.call("paint")
            await client.call("paint", claimed=PLAIN)
            await client.call("paint")
            return ["_meta" in asked for asked in client.questions]

    assert run(story()) == [True, False, True]


@ERAS
def test_a_client_that_takes_no_forms_is_not_asked(run, legacy):
    async def story():
        async with raw(mcpserver(), {"elicitation": {"url": {}}}, legacy=legacy) as client:
            return await client.call("paint"), client.questions

    error, questions = run(story())
    assert questions == []
    assert error["code"] == -32021
    assert error["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}


@pytest.mark.parametrize(
    ("claimed", "expected"),
    [
        (DRAWS, True),
        ({**DRAWS, "elicitation": {}}, True),
        ({**DRAWS, "elicitation": {"form": {}, "url": {}}}, True),
        ({**DRAWS, "elicitation": {"url": {}}}, False),
        ({"extensions": DRAWS["extensions"]}, False),
        (PLAIN, False),
        ({**PLAIN, "extensions": {}}, False),
        ({**PLAIN, "extensions": {UI: {}}}, False),
        ({**PLAIN, "extensions": {UI: {"mimeTypes": ["text/html;profile=mcp-app"]}}}, False),
        ({**PLAIN, "extensions": {UI: {"mimeTypes": ["text/html"], **NESTED}}}, False),
        ({**PLAIN, "extensions": {UI: {"mimeTypes": "text/html;profile=mcp-app", **NESTED}}}, False),
        ({**PLAIN, "extensions": {UI: {"mimeTypes": [], **NESTED}}}, False),
        ({**PLAIN, "extensions": {UI: NESTED}}, False),
        ({**PLAIN, "extensions": {UI: {"mimeTypes": ["text/html;profile=mcp-app"], "elicitation": True}}}, False),
        ({**PLAIN, "extensions": {UI: {"mimeTypes": ["text/html;profile=mcp-app"], "elicitation": None}}}, False),
        ({**PLAIN, "extensions": {f"{UI}-elicitation": DRAWS["extensions"][UI]}}, False),
    ],
)
def test_all_three_declarations_are_needed_for_an_app(claimed, expected):
    assert supports_app_elicitation(ClientCapabilities.model_validate(claimed)) is expected


def test_without_capabilities_there_is_no_app():
    assert supports_app_elicitation(None) is False


@ERAS
@CLIENTS
def test_a_context_knows_where_its_era_keeps_the_capabilities(run, legacy, claimed, app):
    async def look(wall: str, ctx: Context) -> str:
        return f"{supports_app_elicitation(ctx)} {supports_app_elicitation(ctx.request_context)}"

    async def story():
        async with raw(mcpserver(look), claimed, legacy=legacy) as client:
            return await client.call("look")

    assert run(story()) == f"{app is not None} {app is not None}"


BAD = ["ui:foo", "ui:/x", "ui://", "ui:///x", "UI://a", "Ui://a", "https://a/b", "//a", "", " ui://a", "ui://a b", None]


@pytest.mark.parametrize("uri", BAD)
def test_an_address_that_is_no_absolute_ui_address_is_refused_on_the_way_out_and_in(uri):
    params = ElicitRequestFormParams(message="m", requested_schema=NAME)
    with pytest.raises(ValueError, match="absolute ui:// address"):
        with_app(params, uri)
    hinted = ElicitRequestFormParams(message="m", requested_schema=NAME, _meta={"ui": {"resourceUri": uri}})
    with pytest.raises(ValueError, match="absolute ui:// address"):
        app_of(hinted)


@pytest.mark.parametrize("uri", ["ui://a", "ui://a/b.html", "ui://shop/picker?x=1"])
def test_an_absolute_ui_address_is_attached_and_read_and_the_rest_is_kept_and_unchanged(uri):
    meta = {"trace": 1, "ui": {"later": True}}
    params = ElicitRequestFormParams(message="m", requested_schema=NAME, _meta=meta)
    named = with_app(params, uri)
    assert named.meta == {"trace": 1, "ui": {"later": True, "resourceUri": uri}}
    assert app_of(named) == uri
    assert params.meta == {"trace": 1, "ui": {"later": True}} == meta
    assert app_of(params) is None


def test_a_question_without_app_has_none():
    assert app_of(ElicitRequestFormParams(message="m", requested_schema=NAME)) is None
    assert form("m", NAME).params.meta is None


def test_url_mode_and_modes_that_nobody_knows_carry_no_app():
    url = ElicitRequestURLParams(message="m", url="https://a", elicitation_id="1", _meta={"ui": {"resourceUri": APP}})
    later = ElicitRequestFormParams.model_construct(mode="later", message="m", meta=url.meta)
    for params in (url, later):
        with pytest.raises(ValueError, match="form mode"):
            with_app(params, APP)
        with pytest.raises(ValueError, match="form mode"):
            app_of(params)


def test_other_meta_of_a_question_survives_with_and_without_the_app(run):
    async def tool(wall: str) -> str:
        question = form("Which?", SCHEMA)
        question = question.model_copy(update={"params": question.params.model_copy(update={"meta": {"trace": "t"}})})
        named = question.model_copy(update={"params": with_app(question.params, APP)})
        return say((await elicit_all({"colour": named}))["colour"])

    async def story(claimed, legacy):
        async with raw(mcpserver(tool), claimed, legacy=legacy) as client:
            await client.call("tool")
            return client.questions[0]["_meta"]

    for legacy in (False, True):
        assert run(story(DRAWS, legacy)) == {"trace": "t", "ui": {"resourceUri": APP}}
        assert run(story(PLAIN, legacy)) == {"trace": "t"}


async def by_hand(wall: str, ctx: Context) -> CallToolResult | InputRequiredResult:
    answer = (ctx.input_responses or {}).get("colour")
    if not isinstance(answer, ElicitResult):
        return ask({"colour": form("Which?", SCHEMA, app=APP)}, "mine")
    return CallToolResult(content=[TextContent(type="text", text=f"{say(answer)} {ctx.request_state}")])


def test_who_handles_rounds_by_hand_has_whole_questions_too(run):
    async def story():
        async with raw(mcpserver(by_hand)) as client:
            return await client.call("by_hand"), client.questions

    text, questions = run(story())
    assert text == 'accept {"colour": "blue"} mine'
    assert questions[0]["_meta"] == {"ui": {"resourceUri": APP}}
    assert questions[0]["requestedSchema"] == SCHEMA


def test_a_link_that_is_asked_by_hand_goes_out_as_it_is(run):
    async def link(wall: str, ctx: Context) -> CallToolResult | InputRequiredResult:
        if ctx.input_responses:
            return CallToolResult(content=[TextContent(type="text", text="seen")])
        params = ElicitRequestURLParams(message="m", url="https://a.example/", elicitation_id="1", _meta={"trace": 1})
        return ask({"link": ElicitRequest(params=params)})

    async def story():
        async with raw(mcpserver(link), answer=lambda _: {"action": "accept"}) as client:
            return await client.call("link"), client.questions[0]

    text, question = run(story())
    assert text == "seen"
    assert (question["mode"], question["url"], question["_meta"]) == ("url", "https://a.example/", {"trace": 1})


def test_control_without_restore_the_sdk_still_drops_what_it_is_said_to_drop(run):
    async def story(legacy):
        async with raw(mcpserver(by_hand, middleware=()), legacy=legacy) as client:
            if legacy:
                return client.hello["capabilities"]
            await client.call("by_hand")
            return client.questions[0]

    question, capabilities = run(story(False)), run(story(True))
    schema = question["requestedSchema"]
    kept = {
        "_meta of a question": "_meta" in question,
        **{f"{name} of a schema": name in schema for name in ("$defs", "additionalProperties", "title")},
        "x-more of a schema": "x-order" in schema,
        "extensions in a legacy handshake": "extensions" in capabilities,
    }
    # When this fails, the SDK has mended something: `restore` may shrink.
    assert not any(kept.values()), kept
    assert sdk_keeps() == kept


def test_control_apps_of_the_sdk_alone_announce_no_elicitation():
    from mcp.server.apps import Apps

    assert Apps().settings() == {}
    assert ElicitationApps().settings() == {"elicitation": {}}


def test_what_the_sdk_keeps_is_left_as_it_is(run):
    async def inner(ctx, call_next):
        result = await call_next(ctx)
        if ctx.method == "initialize":
            return {**result, "capabilities": {**result["capabilities"], "extensions": {UI: {"elicitation": {"x": 1}}}}}
        for request in result.get("inputRequests", {}).values():
            request["params"].update(message="Changed", _meta={"kept": True})
        return result

    async def story(legacy):
        async with raw(mcpserver(by_hand, middleware=(restore, inner)), legacy=legacy) as client:
            if not legacy:
                await client.call("by_hand")
            return client.hello, client.questions

    assert run(story(True))[0]["capabilities"]["extensions"] == {UI: {"elicitation": {"x": 1}}}
    question = run(story(False))[1][0]
    assert (question["message"], question["_meta"]) == ("Changed", {"kept": True})
    assert question["requestedSchema"] == SCHEMA


def test_restore_changes_no_object_that_others_hold(run):
    inside = {}

    async def inner(ctx, call_next):
        result = await call_next(ctx)
        inside[ctx.method] = (result, json.dumps(result))
        return result

    async def story(legacy):
        async with raw(mcpserver(by_hand, middleware=(restore, inner)), legacy=legacy) as client:
            if not legacy:
                await client.call("by_hand")

    run(story(True))
    run(story(False))
    assert {"initialize", "tools/call"} <= inside.keys()
    for held, before in inside.values():
        assert json.dumps(held) == before


def test_a_server_with_more_extensions_restores_them_all(run):
    every = {UI: NESTED, "com.example/more": {"deep": {"a": [1]}}}

    async def story():
        async with raw(mcpserver(middleware=(restoring(every),)), legacy=True) as client:
            return client.hello["capabilities"]["extensions"]

    assert run(story()) == every


async def states(server):
    async with raw(server, answer=by_schema) as client:
        await client.call("in_turn")
        return [frame["result"].get("requestState") for frame in client.results[1:]]


@pytest.mark.parametrize("build", [mcpserver, fastmcp])
def test_answers_of_earlier_rounds_travel_sealed_on_mcpserver_and_fastmcp(run, build):
    assert [state and state[:3] for state in run(states(build()))] == [None, "v1.", None]


def test_on_a_low_level_server_nothing_is_sealed_by_itself_as_the_help_says(run):
    assert json.loads(run(states(low_level()))[1]) == {"answers": {"colour": BLUE}}


@BUILDERS
@ERAS
def test_asking_is_no_warning_in_the_servers_log(run, build, legacy, caplog):
    async def story():
        async with raw(build(), legacy=legacy, answer=by_schema) as client:
            return await client.call("in_turn")

    assert "Ada" in run(story())
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []
    assert "Ada" not in caplog.text


@pytest.fixture
def shop():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    script = Path(__file__).parent / "servers" / "shop.py"
    process = subprocess.Popen([sys.executable, script, str(port)], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            break
        except OSError:
            time.sleep(0.05)  # the process has no way to tell us
    yield f"http://127.0.0.1:{port}/mcp"
    process.kill()
    process.wait()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_a_tool_asks_twice_and_its_questions_arrive_whole(run, shop, mode):
    asked = []

    def answers(question):
        asked.append(question.params)
        return {"colour": "blue" if len(asked) == 1 else "red"}

    async def story():
        async with connect(shop, answers=answers, mode=mode) as server:
            return json.loads((await server.call_tool("paint", {"wall": "north"})).text)

    assert run(story()) == [{"colour": "blue"}, {"colour": "red"}]
    assert [params["message"] for params in asked] == ["Which colour for north?", "And over blue?"]
    assert all("$defs" in params["requestedSchema"] and "_meta" not in params for params in asked)


def test_a_low_level_server_can_seal_with_the_sdks_boundary(run):
    boundary = RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="low")

    async def story():
        async with raw(low_level(middleware=(boundary, restore)), answer=by_schema) as client:
            return await client.call("in_turn"), client.results[2]["result"]["requestState"][:3]

    assert run(story()) == ('accept {"colour": "blue"}, accept {"name": "Ada"}', "v1.")


@pytest.mark.parametrize("state", ["", "mine", "[]", '{"answers": 3}', '{"answers": {"colour": {"action": "later"}}}'])
def test_a_state_of_somebody_else_is_no_answer(run, state):
    async def story():
        async with raw(low_level()) as client:
            params = {"name": "paint", "arguments": {"wall": "north"}, "requestState": state}
            return (await client.request("tools/call", params))["result"]

    assert run(story())["resultType"] == "input_required"


def test_a_tool_that_swallows_every_exception_still_asks(run):
    async def careless(wall: str) -> str:
        try:
            return say(await elicit("colour", "Which?", SCHEMA))
        except Exception:  # noqa: BLE001 - that is what it does
            return "something went wrong"

    async def story():
        async with raw(mcpserver(careless)) as client:
            return await client.call("careless")

    assert run(story()) == 'accept {"colour": "blue"}'


@ERAS
def test_a_failure_of_the_tool_after_its_answer_stays_a_failure(run, legacy):
    async def broken(wall: str) -> str:
        await elicit("colour", "Which?", SCHEMA)
        raise RuntimeError("s3cret")

    async def story():
        async with raw(mcpserver(broken), legacy=legacy) as client:
            return await client.call("broken"), client.results[-1]["result"]["isError"]

    assert run(story()) == ("Error executing tool broken", True)


def test_prompts_and_resource_templates_ask_too(run):
    server = mcpserver()

    @server.prompt()
    async def letter() -> str:
        return say(await elicit("colour", "Which?", SCHEMA))

    @server.resource("a://{name}")
    async def note(name: str) -> str:
        return say(await elicit("colour", "Which?", SCHEMA))

    async def story(mode):
        async with connect(server, answers=lambda _: {"colour": "red"}, mode=mode) as host:
            return repr(await host.get_prompt("letter")), (await host.read_resource("a://b")).text

    for mode in ("auto", "legacy"):
        prompt, text = run(story(mode))
        assert prompt == 'user: accept {"colour": "red"}'
        assert text == 'accept {"colour": "red"}'


def test_without_restore_the_author_is_told_at_once():
    with pytest.raises(RuntimeError, match="`restore` among its middleware"):
        asyncio.run(elicit("colour", "Which?", SCHEMA))


def test_a_bad_address_fails_the_call_and_nothing_is_asked(run):
    async def tool(wall: str) -> str:
        return say(await elicit("colour", "Which?", SCHEMA, app="ui:/x"))

    async def story():
        async with raw(mcpserver(tool)) as client:
            return await client.call("tool"), client.questions

    assert run(story()) == ("Error executing tool tool", [])


def test_an_error_in_the_place_of_an_answer_reaches_the_host_as_an_error(run):
    async def story():
        async with raw(mcpserver()) as client:
            bad = {"name": "paint", "arguments": {"wall": "n"}, "inputResponses": {"colour": {"action": "later"}}}
            return (await client.request("tools/call", bad))["error"]["code"]

    assert run(story()) == -32602


def test_a_host_where_nobody_can_answer_leaves_no_answer_behind(run):
    async def story():
        async with connect(mcpserver(), mode="auto") as server:
            with pytest.raises(Exception, match="nobody can answer") as caught:
                await server.call_tool("paint", {"wall": "north"})
            return caught.value

    assert not isinstance(run(story()), ServerError)
