"""Fixtures of the tests in a real JupyterLab: one server and one browser for all, a fresh page and kernel for each.

The browser is /usr/bin/chromium or the environment's CHROMIUM. A test that fails leaves a picture and the console's
text in `artifacts/`, or where the environment's E2E_ARTIFACTS says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from lab import JupyterServer, Lab, Timings
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Error as PlaywrightError

HERE = Path(__file__).parent
ARTIFACTS = Path(os.environ.get("E2E_ARTIFACTS", HERE / "artifacts"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# The browser asks for nothing outside of the tests, neither updates nor experiments.
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

_failed = pytest.StashKey[bool]()
_timings = pytest.StashKey[Timings]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_timings] = Timings()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # Playwright's event loop counts as running in this thread until the session ends, and tests with a loop of
    # their own could not start one: they come first.
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[_failed] = report.failed or item.stash.get(_failed, False)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in config.stash[_timings].report():
        terminalreporter.write_line(f"e2e {line}")


@pytest.fixture(scope="session")
def timings(request: pytest.FixtureRequest) -> Timings:
    return request.config.stash[_timings]


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory: pytest.TempPathFactory, timings: Timings) -> Iterator[JupyterServer]:
    server = JupyterServer(tmp_path_factory.mktemp("jupyter") / "home")
    with timings.measure("server start"):
        server.start()
    yield server
    with timings.measure("server stop"):
        killed = server.stop()
    assert not killed, f"jupyter lab left processes: {killed}"


@pytest.fixture(scope="session")
def browser(timings: Timings) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        with timings.measure("browser start"):
            browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def notebook(
    request: pytest.FixtureRequest, jupyter: JupyterServer, browser: Browser, timings: Timings
) -> Iterator[Lab]:
    """Open notebooks: `notebook(["print(1)"])`. Whatever their pages complain about fails the test."""
    lab = Lab(jupyter, browser.new_context(), timings)
    try:
        yield lab
        problems = lab.take_problems()
        if problems or request.node.stash[_failed]:
            _keep(request.node.nodeid, lab)
    finally:
        lab.close()
    if problems:
        pytest.fail("the page complained:\n" + "\n".join(problems), pytrace=False)


def _keep(nodeid: str, lab: Lab) -> None:
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w.-]+", "-", nodeid.rpartition("/")[2])
    (ARTIFACTS / f"{name}.log").write_text("\n".join(lab.watch.log))
    for number, page in enumerate(lab.context.pages):
        with suppress(PlaywrightError):  # a frozen page has no picture, and the test's own failure matters more
            page.screenshot(timeout=10_000, path=ARTIFACTS / f"{name}-{number}.png")
