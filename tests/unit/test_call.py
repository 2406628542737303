"""A Call and those who look at it, without a front end (the front end's side is in tests/e2e)."""

import asyncio
import gc
import threading
import warnings

import pytest
from peers import RawServer, once, question, says

from mcp_elicit_widget import CannotWaitHere, ConnectionClosed, StillWaiting, connect, kernel
from mcp_elicit_widget import call as call_module
from mcp_elicit_widget.kernel import Kernel

BLUE = {"colour": "blue"}


def waits_for(gate):
    """Script a tool that answers once the gate is open."""

    async def script(_):
        await asyncio.to_thread(gate.wait, 20)
        return says("done")

    return script


def test_the_request_is_sent_before_anybody_waits(run):
    async def story():
        raw = RawServer(once({}))
        async with connect(raw) as server:
            call = server.call_tool("paint")
            await raw.seen(lambda frame: frame["method"] == "tools/call")
            call.cancel()

    run(story())


def test_a_result_is_there_or_still_waiting_and_never_blocks(run):
    async def story():
        gate = threading.Event()
        async with connect(RawServer(waits_for(gate))) as server:
            call = server.call_tool("paint")
            with pytest.raises(StillWaiting, match="paint on RawServer has not ended"):
                call.result()
            assert not call.done()
            gate.set()
            assert await call is call.result()
            assert call.done()
            assert call.result().text == "done"

    run(story())


def test_several_may_wait_and_cancelling_one_does_not_cancel_the_call(run):
    async def story():
        gate = threading.Event()
        async with connect(RawServer(waits_for(gate))) as server:
            call = server.call_tool("paint")
            first, second = (asyncio.create_task(call.wait()) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            assert not call.done()
            gate.set()
            assert (await second).text == "done"

    run(story())


def test_cancelling_the_last_one_who_waits_cancels_the_call(run):
    async def story():
        raw = RawServer(waits_for(threading.Event()))
        async with connect(raw) as server:
            call = server.call_tool("paint")
            await raw.seen(lambda frame: frame["method"] == "tools/call")
            waiting = asyncio.create_task(call.wait())
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await raw.seen(lambda frame: frame["method"] == "notifications/cancelled")
            with pytest.raises(asyncio.CancelledError, match="was stopped"):
                await call
            with pytest.raises(asyncio.CancelledError):
                call.result()

    run(story())


def test_a_call_that_is_cancelled_at_once_ends(run):
    async def story():
        async with connect(RawServer(waits_for(threading.Event()))) as server:
            call = server.call_tool("paint")
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call

    run(story())


def test_a_call_can_be_awaited_from_another_loop_in_another_thread(run):
    async def story():
        async with connect(RawServer(once({"colour": question()})), answers=lambda _: BLUE) as server:
            call = server.call_tool("paint")
            elsewhere = await asyncio.to_thread(asyncio.run, call.wait())
            assert elsewhere.text == (await call).text == "done"

    run(story())


def test_calls_run_in_a_task_group(run):
    async def script(frame):
        return says(frame["params"]["name"])

    async def story():
        async with connect(RawServer(script)) as server, asyncio.TaskGroup() as group:
            tasks = [group.create_task(server.call_tool(name).wait()) for name in ("a", "b")]
        assert [task.result().text for task in tasks] == ["a", "b"]

    run(story())


def test_closing_the_connection_ends_its_calls_by_name(run):
    async def story():
        server = await connect(RawServer(waits_for(threading.Event())), name="raw")
        call = server.call_tool("paint")
        waiting = asyncio.create_task(call.wait())
        await asyncio.sleep(0)
        await server.close()
        with pytest.raises(ConnectionClosed, match="the connection to raw is closed: it was closed"):
            await waiting

    run(story())


def test_a_failure_that_nobody_looked_at_warns_and_one_that_was_read_does_not(run):
    async def story(read):
        async with connect(RawServer(once({"colour": question()})), name="raw") as server:
            call = server.call_tool("paint")
            await kernel.wait(call._work)
            if read:
                with pytest.raises(Exception, match="nobody can answer"):
                    call.result()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                del call
                gc.collect()
            return [str(one.message) for one in caught]

    assert [text for text in run(story(read=False)) if "paint on raw failed and nobody looked: NobodyCanAnswer" in text]
    assert run(story(read=True)) == []


def test_a_failed_call_does_not_keep_its_connection(run):
    async def story():
        server = await connect(RawServer(once({"colour": question()})))
        with pytest.raises(Exception, match="nobody can answer"):
            await server.call_tool("paint")
        owner = server._owner
        gc.disable()
        try:
            del server
            async with asyncio.timeout(5):
                await asyncio.wrap_future(kernel_future(owner))
        finally:
            gc.enable()
        assert not owner.open

    run(story())


def kernel_future(owner):
    from mcp_elicit_widget import loop

    async def ended():
        await asyncio.shield(owner._ended)

    return loop.submit(ended())


def test_a_cell_that_awaits_on_a_deaf_kernel_learns_the_way_out_and_nothing_is_sent(run, monkeypatch):
    async def story():
        deaf = Kernel(asyncio.get_running_loop(), "", hears_while_awaiting=False)
        monkeypatch.setattr(kernel, "current", lambda *, interactive: deaf)
        raw = RawServer(once({"colour": question()}))
        async with connect(raw, name="raw") as server:
            with pytest.raises(CannotWaitHere, match=r"raw asks something for paint.*last expression.*call\.result"):
                await server.call_tool("paint")
            assert len(raw.sent("tools/call")) == 1

    run(story())


def test_a_call_that_asks_nothing_is_awaited_on_a_deaf_kernel_too(run, monkeypatch):
    async def script(_):
        return says("done")

    async def story():
        deaf = Kernel(asyncio.get_running_loop(), "", hears_while_awaiting=False)
        monkeypatch.setattr(kernel, "current", lambda *, interactive: deaf)
        async with connect(RawServer(script)) as server:
            assert (await server.call_tool("paint")).text == "done"

    run(story())


def announcing(opened):
    """Return the Elicitation class with a flag that is set once a question wants to be shown."""

    class Announced(call_module.Elicitation):
        async def resolve(self):
            opened.set()
            return await super().resolve()

    return Announced


def test_a_question_that_nobody_looks_at_says_how_to_see_it(run, monkeypatch):
    async def story():
        live = Kernel(asyncio.get_running_loop(), "", hears_while_awaiting=True)
        monkeypatch.setattr(kernel, "current", lambda *, interactive: live)
        raw = RawServer(once({"colour": question()}))
        opened = threading.Event()
        monkeypatch.setattr("mcp_elicit_widget.call.Elicitation", announcing(opened))
        async with connect(raw, name="raw") as server:
            call = server.call_tool("paint")
            await asyncio.to_thread(opened.wait, 10)
            assert "make it the last expression of a cell to see the card" in repr(call)
            with pytest.raises(StillWaiting, match="to see the card"):
                call.result()
            call.cancel()

    run(story())
