"""connect() and Connection, against real SDK servers and real child processes."""

import asyncio
import gc
import inspect
import sys
from pathlib import Path

import psutil
import pytest
from mcp import StdioServerParameters
from mcp.server import Server
from mcp.server.mcpserver import MCPServer
from peers import RawServer, says

from mcp_elicit_widget import ConnectError, ConnectionClosed, NotConnected, ServerError, connect
from mcp_elicit_widget.connection import OPTIONS

ECHO = """
import sys
from mcp.server.mcpserver import MCPServer
mcp = MCPServer("echo", log_level="WARNING")

@mcp.tool()
def echo(text: str) -> str:
    return text

@mcp.tool()
def die() -> str:
    import os
    print("the disk is full", file=sys.stderr, flush=True)
    os._exit(3)

@mcp.tool()
def secret() -> str:
    import os
    return os.environ.get("TOKEN", "none")

mcp.run()
"""


def echo_server():
    server = MCPServer("echo", log_level="WARNING")

    @server.tool()
    def echo(text: str) -> str:
        """Say it again.

        More words.
        """
        return text

    @server.prompt()
    def greet(name: str) -> str:
        return f"Say hello to {name}"

    @server.resource("note://one", description="A note")
    def note() -> str:
        return "remember"

    return server


def child(env=None):
    return StdioServerParameters(command=sys.executable, args=["-c", ECHO], env=env)


def children():
    return [process for process in psutil.Process().children(recursive=True) if process.status() != "zombie"]


def test_before_it_is_awaited_the_object_says_so():
    pending = connect(echo_server())
    assert "await connect" in repr(pending)
    with pytest.raises(NotConnected, match=r"call_tool.*await connect"):
        pending.call_tool("echo", {})
    assert not hasattr(pending, "_repr_html_")


def test_an_unknown_keyword_raises_and_suggests_the_right_spelling():
    with pytest.raises(TypeError, match=r"'anwsers'.*Did you mean 'answers'"):
        connect(echo_server(), anwsers={})
    with pytest.raises(TypeError, match="It takes name, answers"):
        connect(echo_server(), zzz=1)


def test_the_keywords_that_the_error_lists_are_those_of_the_signature():
    names = [
        parameter.name
        for parameter in inspect.signature(connect).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    ]
    assert tuple(names) == OPTIONS


@pytest.mark.parametrize("target", [5, None, object(), b"python x.py"])
def test_a_target_that_is_none_is_refused_by_its_type(target):
    with pytest.raises(TypeError, match=type(target).__name__):
        connect(target)


@pytest.mark.parametrize("target", ["", "   ", "python 'x", "ftp://a/b", "ws://a/b", "http://"])
def test_a_malformed_address_or_command_is_refused(target):
    with pytest.raises(ValueError, match=r"connect|command line"):
        connect(target)


def test_headers_and_env_go_only_where_they_mean_something():
    with pytest.raises(TypeError, match="headers= goes with a URL"):
        connect(echo_server(), headers={"a": "b"})
    with pytest.raises(TypeError, match="env= goes with a child process"):
        connect("http://127.0.0.1:1/mcp", env={"a": "b"})


@pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
def test_an_in_process_server_is_called_in_every_era(run, mode):
    async def story():
        async with connect(echo_server(), mode=mode) as server:
            assert (await server.call_tool("echo", {"text": "hi"})).text == "hi"

    run(story())


def test_a_low_level_server_is_a_target(run):
    async def story():
        async with connect(Server("low")) as server:
            assert server.name == "low"

    run(story())


def test_one_can_look_around(run):
    async def story():
        async with connect(echo_server()) as server:
            assert "connected" in repr(server)
            tools = await server.list_tools()
            assert [tool.name for tool in tools] == ["echo"]
            assert repr(tools) == "1 tools on echo\n  echo - Say it again."
            assert repr(await server.list_prompts()).endswith("greet")
            assert "note://one - A note" in repr(await server.list_resources())
            assert repr(await server.call_tool("echo", {"text": "hi"})) == "hi"
            assert repr(await server.get_prompt("greet", {"name": "Bo"})) == "user: Say hello to Bo"
            assert (await server.read_resource("note://one")).text == "remember"
        assert repr(server) == "<echo: closed>"

    run(story())


def test_a_stdio_server_is_called_and_its_child_is_gone_after_close(run):
    async def story():
        server = await connect(child())
        assert (await server.call_tool("echo", {"text": "hi"})).text == "hi"
        assert len(children()) == 1
        await server.close()
        await server.close()
        assert children() == []
        assert server.closed

    run(story())


def test_connecting_five_times_over_leaves_one_child(run):
    async def story():
        server = None
        started = set()
        for _ in range(5):
            server = await connect(child())
            await server.call_tool("echo", {"text": "hi"})
            new = set(children()) - started
            assert len(new) == 1
            newest = next(iter(new)).pid
            started |= new
        gc.collect()
        assert len(started) == 5
        last = {process for process in started if process.pid == newest}
        _, alive = await asyncio.to_thread(psutil.wait_procs, started - last, 10)
        assert alive == []
        assert (await server.call_tool("echo", {"text": "still here"})).text == "still here"
        await server.close()
        assert children() == []

    run(story())


def test_several_connections_live_side_by_side_and_are_closed_from_other_tasks(run):
    async def story():
        first, second, third = [await connect(target) for target in (echo_server(), child(), echo_server())]
        texts = await asyncio.gather(
            *(server.call_tool("echo", {"text": str(n)}) for n, server in enumerate((first, second, third)))
        )
        assert [result.text for result in texts] == ["0", "1", "2"]
        await asyncio.create_task(first.close())
        with pytest.raises(ConnectionClosed, match="echo is closed"):
            await first.call_tool("echo", {"text": "x"})
        assert (await third.call_tool("echo", {"text": "y"})).text == "y"
        await asyncio.gather(asyncio.create_task(second.close()), asyncio.create_task(third.close()))

    run(story())


def test_a_server_that_dies_in_a_call_leaves_its_last_words_in_the_error(run):
    async def story():
        async with connect(child(), name="echo") as server:
            with pytest.raises(ConnectionClosed) as caught:
                await server.call_tool("die")
            assert "echo" in str(caught.value)
            assert "the disk is full" in str(caught.value)
            assert server.stderr[-1] == "the disk is full"
            assert server.closed

    run(story())


def test_a_missing_command_is_a_named_error(run):
    async def story():
        with pytest.raises(ConnectError, match=r"no-such-command-anywhere.*not found"):
            await connect("no-such-command-anywhere --flag")

    run(story())


def test_a_dead_url_is_a_named_error_without_its_secrets(run):
    async def story():
        with pytest.raises(ConnectError) as caught:
            await connect("http://user:pass@127.0.0.1:9/mcp?token=s3cret", headers={"Authorization": "Bearer t0ken"})
        text = str(caught.value)
        assert "http://127.0.0.1:9/mcp" in text
        assert not any(secret in text for secret in ("pass", "s3cret", "t0ken"))

    run(story())


def test_a_program_that_is_no_server_is_given_up(run):
    async def story():
        with pytest.raises(ConnectError, match=r"did not answer within 0\.5 s"):
            await connect(
                StdioServerParameters(command=sys.executable, args=["-c", "import sys; sys.stdin.read()"]),
                connect_timeout=0.5,
            )
        assert children() == []

    run(story())


def test_a_program_that_prints_and_leaves_shows_what_it_said(run):
    async def story():
        code = "import sys; print('boom: missing API key', file=sys.stderr); sys.exit(2)"
        with pytest.raises(ConnectError, match="boom: missing API key"):
            await connect(StdioServerParameters(command=sys.executable, args=["-c", code]))

    run(story())


def test_env_reaches_the_child_and_no_repr(run):
    async def story():
        async with connect(child(env={"OTHER": "1"}), env={"TOKEN": "s3cret"}) as server:
            assert (await server.call_tool("secret")).text == "s3cret"
            assert "s3cret" not in repr(server) + repr(server._owner.__dict__)

    run(story())


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("python server.py --token abc", "python server.py"),
        ("server.py", "python server.py"),
        ("/opt/tools/serve --key abc", "serve"),
        ("npx -y @scope/thing", "npx"),
        ("https://u:p@example.com:8443/mcp?key=abc#f", "https://example.com:8443/mcp"),
        ("http://[::1]:9/mcp", "http://[::1]:9/mcp"),
    ],
)
def test_a_server_is_named_without_arguments_userinfo_and_query(target, name):
    from mcp_elicit_widget.target import resolve

    assert resolve(target, headers=None, env=None).name == name


def test_python_in_a_command_is_the_interpreter_of_this_kernel(run):
    async def story():
        async with connect("python -c 'import sys; sys.stderr.write(sys.executable)'", connect_timeout=5):
            pass

    with pytest.raises(ConnectError, match=Path(sys.executable).name):
        run(story())


def test_the_name_of_the_user_wins_over_what_the_server_says_of_itself(run):
    async def story():
        async with connect(MCPServer("Your Bank", log_level="WARNING"), name="my test") as server:
            assert server.name == "my test"

    run(story())


def test_an_unknown_tool_and_bad_arguments_leave_the_connection_usable(run):
    async def story():
        async with connect(echo_server()) as server:
            assert (await server.call_tool("nope")).is_error
            with pytest.raises(TypeError, match="arguments must be a mapping"):
                server.call_tool("echo", ["x"])
            with pytest.raises(TypeError, match="arguments must be a mapping"):
                server.call_tool("echo", {1: "x"})
            with pytest.raises(ServerError) as caught:
                await server.read_resource("note://missing")
            assert caught.value.code == -32602
            assert (await server.call_tool("echo", {"text": "ok"})).text == "ok"

    run(story())


def test_a_call_that_is_cancelled_while_the_server_works_tells_the_server(run):
    async def story():
        started = asyncio.Event()
        home = asyncio.get_running_loop()

        async def never(_):
            home.call_soon_threadsafe(started.set)
            await asyncio.Event().wait()

        raw = RawServer(never)
        async with connect(raw) as server:
            call = server.call_tool("slow")
            waiting = asyncio.create_task(call.wait())
            await started.wait()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await raw.seen(lambda frame: frame["method"] == "notifications/cancelled")
            assert call.done()
            assert "stopped" in repr(call)

    run(story())


def test_absent_members_of_a_list_mean_what_the_protocol_says(run):
    async def script(frame):
        if frame["method"] == "tools/list":
            return {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]}
        return says("x")

    async def story():
        async with connect(RawServer(script)) as server:
            assert [tool.name for tool in await server.list_tools()] == ["a"]

    run(story())


def test_a_lost_connection_ends_a_call_that_waits(run):
    async def story():
        async def never(_):
            await asyncio.Event().wait()

        raw = RawServer(never)
        async with connect(raw, name="raw") as server:
            call = server.call_tool("slow")
            asyncio.run_coroutine_threadsafe(raw.end(), __import__("mcp_elicit_widget.loop").loop.get())
            with pytest.raises(ConnectionClosed, match="raw is closed: the server ended the connection"):
                await call

    run(story())
