"""Fixtures of the unit tests."""

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

DEADLINE_SECONDS = 30


@pytest.fixture
def run():
    """Run a coroutine to its end, but not for ever."""

    def to_the_end(work):
        async def bounded():
            async with asyncio.timeout(DEADLINE_SECONDS):
                return await work

        return asyncio.run(bounded())

    return to_the_end
