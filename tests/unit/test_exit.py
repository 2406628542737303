"""The end of a process: connections close, children go, nothing hangs."""

import subprocess
import sys

import psutil

HELD = """
import asyncio, sys
from mcp import StdioServerParameters
from mcp_elicit_widget import connect
import psutil
CHILD = 'from mcp.server.mcpserver import MCPServer; MCPServer("held", log_level="WARNING").run()'

async def main():
    global server
    server = await connect(StdioServerParameters(command=sys.executable, args=["-c", CHILD]))
    print([process.pid for process in psutil.Process().children()], flush=True)
    {end}

asyncio.run(main())
"""


def ended(end):
    done = subprocess.run(
        [sys.executable, "-c", HELD.format(end=end)], capture_output=True, text=True, timeout=60, check=False
    )
    children = eval(done.stdout.splitlines()[0])
    assert len(children) == 1
    return done, [pid for pid in children if psutil.pid_exists(pid)]


def test_a_process_that_ends_without_close_leaves_no_child_and_says_nothing():
    done, left = ended("pass")
    assert (done.returncode, done.stderr, left) == (0, "", [])


def test_a_process_that_fails_leaves_no_child():
    done, left = ended("raise SystemExit(7)")
    assert (done.returncode, left) == (7, [])


def test_a_fork_gets_a_loop_of_its_own():
    code = """
import os, warnings
warnings.simplefilter("ignore")
from mcp_elicit_widget import loop

async def pid():
    return os.getpid()

first = loop.submit(pid()).result(5)
child = os.fork()
if child == 0:
    os._exit(0 if loop.submit(pid()).result(5) == os.getpid() != first else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.strip() == "0", done.stderr
