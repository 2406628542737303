"""Drive a real JupyterLab for tests: server, console watch and notebook.

    JupyterServer   one `jupyter lab` process in a directory of its own
    ConsoleWatch    what the pages said that nobody expected
    Lab             opens notebooks in one browser; the `notebook` fixture is one of these
    Notebook        one notebook in one page

The page's own `window.jupyterapp` does what a test only needs done (run, save, restart). What a user would do
inside an output goes through Playwright's locators and real mouse and keyboard events.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import nbformat
import psutil
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, WebError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

START_TIMEOUT = 60.0
OPEN_TIMEOUT = 60.0
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"

SETTINGS: dict[str, dict[str, Any]] = {
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
    # Saving is always the test's decision; a popup would cover outputs and take clicks.
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False, "renameUntitledFileOnSave": False},
    "@jupyterlab/apputils-extension:notification": {
        "checkForUpdates": False,
        "doNotDisturbMode": True,
        "fetchNews": "false",
    },
    "@jupyterlab/apputils-extension:sessionDialogs": {"skipKernelRestartDialog": True},
    "@jupyterlab/apputils-extension:themes": {"theme": LIGHT, "adaptive-theme": False},
}


class JupyterServer:
    """One `jupyter lab` process of the interpreter that runs the tests."""

    def __init__(self, home: Path) -> None:
        """Write configuration, settings and kernelspec below `home`; `start` starts the process."""
        self.home = home
        self.root = home / "root"
        self.token = secrets.token_hex(16)
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None
        self.root.mkdir(parents=True)
        _write_json(home / "config" / "labconfig" / "default_setting_overrides.json", SETTINGS)
        self.add_kernel("python3", Path(sys.executable))

    @property
    def log(self) -> str:
        """What the server wrote so far."""
        return (self.home / "server.log").read_text(errors="replace")

    def start(self) -> None:
        """Start the process and wait until its REST API answers.

        Raises:
            RuntimeError: It ended or did not answer in time; the message holds its log.
        """
        options = {
            "ServerApp.ip": "127.0.0.1",
            "ServerApp.port": self.port,
            "ServerApp.port_retries": 0,
            "ServerApp.root_dir": self.root,
            "ServerApp.open_browser": False,
            "ServerApp.allow_root": True,
            "IdentityProvider.token": self.token,
            "LabApp.expose_app_in_browser": True,
            "LabApp.extension_manager": "readonly",  # the default one asks pypi.org
            "KernelManager.shutdown_wait_time": 1,  # a test may leave a kernel that does not listen
            "Application.log_level": "WARN",
        }
        command = [sys.executable, "-m", "jupyterlab", *(f"--{key}={value}" for key, value in options.items())]
        with (self.home / "server.log").open("wb") as log:
            self._process = subprocess.Popen(
                command, cwd=self.root, env=self._environment(), stdout=log, stderr=log, start_new_session=True
            )
        self._wait_until_ready(self._process)

    def _environment(self) -> dict[str, str]:
        places = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_PATH": "data",  # in a venv the venv's own kernelspec would win over JUPYTER_DATA_DIR
            "JUPYTER_RUNTIME_DIR": "runtime",
            "IPYTHONDIR": "ipython",
        }
        environment = {key: value for key, value in os.environ.items() if not key.startswith("JUPYTER")}
        return environment | {name: str(self.home / folder) for name, folder in places.items()}

    def _wait_until_ready(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + START_TIMEOUT
        while time.monotonic() < deadline and process.poll() is None:
            try:
                self.api("GET", "status")
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.05)  # the process has no way to tell us
            else:
                return
        self.stop()
        raise RuntimeError(f"jupyter lab did not start:\n{self.log}")

    def api(self, method: str, path: str, body: object = None) -> Any:
        """Call the server's REST API and return the JSON answer, None when it is empty."""
        request = urllib.request.Request(
            f"{self.url}/api/{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"token {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read() or "null")

    def add_kernel(self, name: str, python: Path) -> None:
        """Make the kernel of another interpreter known under a name."""
        kernel = [str(python), "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec = {"argv": kernel, "display_name": name, "language": "python"}
        _write_json(self.home / "data" / "kernels" / name / "kernel.json", spec)

    def start_kernel(self, path: str, kernel: str = "python3") -> None:
        """Start the kernel of a notebook; a page that opens the notebook joins it."""
        self.api("POST", "sessions", {"path": path, "name": path, "type": "notebook", "kernel": {"name": kernel}})

    def kernels(self) -> list[dict[str, Any]]:
        """Return the running kernels as the REST API describes them."""
        return self.api("GET", "kernels")

    def reset(self) -> None:
        """End every kernel and forget documents, workspaces and changed settings."""
        for session in self.api("GET", "sessions"):
            self.api("DELETE", f"sessions/{session['id']}")
        for kernel in self.kernels():
            self.api("DELETE", f"kernels/{kernel['id']}")
        shutil.rmtree(self.home / "config" / "lab", ignore_errors=True)
        for path in self.root.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def stop(self) -> list[int]:
        """End the process and all that it started; return the ids of those that had to be killed."""
        if self._process is None:
            return []
        family = _family(self._process.pid)
        if self._process.poll() is None:
            self._process.terminate()  # the server ends its kernels by itself
        stubborn = psutil.wait_procs(family, timeout=10)[1]
        for process in stubborn:
            process.kill()
        self._process.wait(timeout=10)
        self._process = None
        return [process.pid for process in stubborn]


def _family(pid: int) -> list[psutil.Process]:
    try:
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))


# JupyterLab's own noise, each with its reason. Keep this short: whatever stands here can no longer fail a test.
NOISE: tuple[tuple[str, str], ...] = ()

# What a page that joins a kernel in use causes: the answers to its questions about widgets go to all pages of that
# kernel, and messages between older pages and the kernel reach it before it knows their comms. JupyterLab reports
# each as an error. On a page alone with a fresh kernel it would be a fault, so it is allowed after a join only.
JOIN_NOISE = "^console.error: Comm not found for comm id"


class ConsoleWatch:
    """Collects what all pages of a browser context complain about: uncaught errors, rejections, console errors."""

    def __init__(self, context: BrowserContext) -> None:
        """Listen from now on until `close`."""
        self.log: list[str] = []
        self._problems: list[str] = []
        self._allowed = [re.compile(pattern) for pattern, _reason in NOISE]
        self._context = context
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)

    def close(self) -> None:
        """Stop listening."""
        self._context.remove_listener("console", self._on_console)
        self._context.remove_listener("weberror", self._on_error)

    def allow(self, pattern: str) -> None:
        """Accept complaints in which this regular expression is found, earlier ones too."""
        self._allowed.append(re.compile(pattern))

    def take(self) -> list[str]:
        """Return the complaints that are not allowed and forget them."""
        found = [text for text in self._problems if not any(rule.search(text) for rule in self._allowed)]
        self._problems.clear()
        return found

    def _on_console(self, message: ConsoleMessage) -> None:
        where = message.location
        text = f"console.{message.type}: {message.text} [{where.get('url', '')}:{where.get('lineNumber', '')}]"
        self.log.append(text)
        if message.type == "error":
            self._problems.append(text)

    def _on_error(self, error: WebError) -> None:
        text = f"uncaught: {error.error}\n{error.error.stack or ''}".rstrip()
        self.log.append(text)
        self._problems.append(text)


@dataclass
class Timings:
    """Seconds that the harness itself took, by step."""

    seconds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    @contextmanager
    def measure(self, step: str) -> Generator[None]:
        """Add the time that the body takes."""
        start = time.perf_counter()
        yield
        self.seconds.setdefault(step, []).append(time.perf_counter() - start)

    def report(self) -> list[str]:
        """Return one line for each step."""
        return [
            f"{step}: {len(taken)} x, median {sorted(taken)[len(taken) // 2]:.2f} s, longest {max(taken):.2f} s"
            for step, taken in self.seconds.items()
        ]


class Lab:
    """Opens notebooks for one test; calling it is the way to get a `Notebook`."""

    def __init__(self, server: JupyterServer, context: BrowserContext, timings: Timings) -> None:
        """Watch every page of `context` until `close`."""
        self.server = server
        self.context = context
        self.watch = ConsoleWatch(context)
        self.timings = timings

    def __call__(
        self,
        cells: list[str],
        *,
        width: int = 900,
        height: int = 800,
        metadata: dict[str, Any] | None = None,
        kernel: str = "python3",
    ) -> Notebook:
        """Write a notebook, open it in a page of its own and wait until its fresh kernel is idle."""
        name = f"nb-{secrets.token_hex(4)}.ipynb"
        document = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in cells],
            metadata={"kernelspec": {"name": kernel, "display_name": kernel}, **(metadata or {})},
        )
        nbformat.write(document, self.server.root / name)
        with self.timings.measure("open"):
            self.server.start_kernel(name, kernel)  # boots while the page loads
            notebook = self.open(name, width=width, height=height)
            notebook.wait_until_idle()
        return notebook

    def open(self, name: str, *, width: int = 900, height: int = 800) -> Notebook:
        """Open an existing notebook in a new page, which may be a second view of it, without waiting for its kernel."""
        if self.context.pages:
            self.allow_console(JOIN_NOISE)
        page = self.context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        # A workspace of its own: the default one would open the notebooks of earlier tests too, and JupyterLab
        # reloads a page which finds its workspace open in another one.
        workspace = f"lab/workspaces/{secrets.token_hex(4)}"
        page.goto(f"{self.server.url}/{workspace}/tree/{quote(name)}?token={self.server.token}", wait_until="commit")
        return Notebook(self, page, self.server.root / name)

    def allow_console(self, pattern: str) -> None:
        """Accept complaints in which this regular expression is found, for this test only."""
        self.watch.allow(pattern)

    def take_problems(self) -> list[str]:
        """Return what the pages complained about so far and forget it, so that it does not fail the test."""
        for page in self.context.pages:
            page.evaluate("0")  # its answer comes after whatever the page said before
        return self.watch.take()

    def close(self) -> None:
        """Close the pages, end the kernels and restore the settings."""
        with self.timings.measure("close"):
            self.watch.close()
            self.context.close()
            self.server.reset()


# Helpers in the page. They are evaluated there after each load and not added as an init script, which would run in
# the frames of outputs too.
_HELPERS = """
path => {
  const app = window.jupyterapp;
  const ended = new Map();
  const panel = () => [...app.shell.widgets('main')].find(w => w.context?.path === path && w.sessionContext);
  const cell = i => {
    const found = panel().content.widgets[i];
    if (!found) throw new Error(`no cell ${i}`);
    return found;
  };
  const kernel = () => panel()?.sessionContext.session?.kernel;
  const lab = {
    present: () => Boolean(panel()),
    attached: () => Boolean(panel()?.context.isReady && kernel()?.connectionStatus === 'connected'),
    idle: () => lab.attached() && panel().sessionContext.isReady && kernel().status === 'idle',
    working: () => kernel()?.status === 'busy',
    run(i) {
      const { id } = cell(i).model;
      const done = () => ended.set(id, true);
      ended.set(id, false);
      panel().content.deselectAll();
      panel().content.activeCellIndex = i;
      app.commands.execute('notebook:run-cell').then(done, done);
    },
    running: i => ended.get(cell(i).model.id) === false || cell(i).model.executionState === 'running',
    ended: i => !lab.running(i),
    outputs: i => cell(i).model.outputs.toJSON(),
    busy: () => panel().content.widgets.some((w, i) => w.model.type === 'code' && lab.running(i)),
    addCell(source) {
      const { sharedModel } = panel().content.model;
      const at = sharedModel.cells.length;
      sharedModel.insertCell(at, { cell_type: 'code', source });
      return at;
    },
    async execute(code) {
      const future = kernel().requestExecute({ code, store_history: false, allow_stdin: false, stop_on_error: false });
      let text = '';
      future.onIOPub = ({ content }) => { text += content.text ?? content.data?.['text/plain'] ?? ''; };
      const { content } = await future.done;
      return { text, error: content.status === 'ok' ? null : `${content.ename}: ${content.evalue}` };
    },
    restart: () => panel().sessionContext.restartKernel(),
    count: () => panel().content.widgets.length,
    dirty: () => panel().context.model.dirty,
    save: () => panel().context.save(),
    open: () => app.commands.execute('docmanager:open', { path }),
    theme: name => app.commands.execute('apputils:change-theme', { theme: name }),
    themed: name => document.body.dataset.jpThemeName === name,
  };
  window.lab = lab;
}
"""

Output = dict[str, Any]


class Notebook:
    """One notebook in one page of JupyterLab. Cells are counted from 0."""

    def __init__(self, lab: Lab, page: Page, path: Path) -> None:
        """Wait until the page shows the notebook and has joined its kernel."""
        self.page = page
        self.path = path
        self.allow_console: Callable[[str], None] = lab.allow_console
        self.take_problems: Callable[[], list[str]] = lab.take_problems
        self._lab = lab
        self._wait_until_attached()

    # -- cells ---------------------------------------------------------------------------------------------------

    def run(self, i: int) -> None:
        """Start a cell without waiting for it."""
        self.page.evaluate("i => lab.run(i)", i)

    def wait(self, i: int, timeout: float = 30) -> list[Output]:
        """Wait until a cell has ended and return its outputs.

        Raises:
            TimeoutError: It has not; the message says what it shows.
        """
        try:
            self._until("i => lab.ended(i)", i, timeout)
        except PlaywrightTimeout:
            raise TimeoutError(f"cell {i} did not end in {timeout:g} s; it shows {self.text(i)!r}") from None
        return self.outputs(i)

    def run_and_wait(self, i: int, timeout: float = 30) -> list[Output]:
        """Run a cell, wait until it has ended and return its outputs."""
        self.run(i)
        return self.wait(i, timeout)

    def run_all_and_wait(self, timeout: float = 60) -> None:
        """Run every cell in order, also after one that failed."""
        for i in range(self.page.evaluate("lab.count()")):
            self.run_and_wait(i, timeout)

    def outputs(self, i: int) -> list[Output]:
        """Return the outputs that a cell has now, as nbformat describes them."""
        return self.page.evaluate("i => lab.outputs(i)", i)

    def text(self, i: int) -> str:
        """Return the text of a cell's outputs: streams, text/plain and errors."""
        return "".join(_text(output) for output in self.outputs(i))

    def error(self, i: int) -> tuple[str, str] | None:
        """Return the name and message of the exception that ended a cell, None without one."""
        errors = [output for output in self.outputs(i) if output["output_type"] == "error"]
        return (errors[0]["ename"], errors[0]["evalue"]) if errors else None

    def is_running(self, i: int) -> bool:
        """Tell whether a cell was started, here or by the user, and has not ended."""
        return self.page.evaluate("i => lab.running(i)", i)

    def cell(self, i: int) -> Locator:
        """Return the locator of a cell's output area."""
        return self._panel.locator(".jp-Notebook .jp-Cell").nth(i).locator(".jp-Cell-outputArea")

    def add_cell(self, source: str) -> int:
        """Append a code cell and return its number."""
        return self.page.evaluate("source => lab.addCell(source)", source)

    # -- kernel --------------------------------------------------------------------------------------------------

    def execute(self, source: str) -> str:
        """Run code in the kernel without a cell and return its text.

        Raises:
            RuntimeError: A cell is running, behind which this would wait, or the code raised.
        """
        if self.page.evaluate("lab.busy()"):
            raise RuntimeError("a cell is running; execute would wait until it ends")
        answer = self.page.evaluate("source => lab.execute(source)", source)
        if answer["error"]:
            raise RuntimeError(answer["error"])
        return answer["text"]

    def wait_until_idle(self, timeout: float = OPEN_TIMEOUT) -> None:
        """Wait until the kernel has nothing to do."""
        self._until("() => lab.idle()", None, timeout)

    def wait_until_busy(self, timeout: float = 30) -> None:
        """Wait until the kernel works on something; an interrupt before that would find nothing to end."""
        self._until("() => lab.working()", None, timeout)

    def interrupt(self) -> None:
        """Press the toolbar's stop button."""
        self._panel.locator("[data-jp-item-name=interrupt]").get_by_role("button").click()

    def restart_kernel(self) -> None:
        """Restart the kernel and wait until the new one is idle."""
        self.page.evaluate("lab.restart()")
        self.wait_until_idle()

    # -- frames --------------------------------------------------------------------------------------------------
    # Every locator call in a frame, a mere wait_for too, evaluates there as a user gesture: the frame's
    # navigator.userActivation says that a person acted. These do without.

    def frame_text(self, frame: Locator) -> str:
        """Return the text in a sandboxed frame and the frames in it, without a gesture.

        `frame` is the iframe element in the notebook's own page.
        """
        handle = frame.element_handle()
        content = handle.content_frame()
        if content is None:
            raise ValueError("the locator is no frame")
        session = self.page.context.new_cdp_session(content)
        try:
            return _dom_text(session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"])
        finally:
            session.detach()

    def wait_for_frame_text(self, frame: Locator, text: str, timeout: float = 30) -> None:
        """Wait until a sandboxed frame shows a text, without a gesture; it is looked at in each frame of the page."""
        deadline = time.monotonic() + timeout
        frame.wait_for()
        while text not in (seen := self.frame_text(frame)):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the frame does not show {text!r} but {seen!r}")
            self.page.evaluate("() => new Promise(requestAnimationFrame)")

    def click_at(self, frame: Locator, x: float, y: float) -> None:
        """Click with the real mouse at a point of a frame, counted from its upper left corner."""
        frame.scroll_into_view_if_needed()
        box = frame.bounding_box()
        if box is None:
            raise ValueError("the frame is not visible")
        self.page.mouse.click(box["x"] + x, box["y"] + y)

    # -- document and page ---------------------------------------------------------------------------------------

    def save(self) -> None:
        """Save the notebook, with the state of its widgets."""
        self.page.evaluate("lab.save()")

    def saved(self) -> dict[str, Any]:
        """Return the notebook as it is on disk."""
        return json.loads(self.path.read_text())

    def saved_widgets(self) -> dict[str, dict[str, Any]]:
        """Return the widget models that are on disk, by their id; traits with default values are left out."""
        widgets = self.saved()["metadata"].get("widgets", {})
        return widgets.get("application/vnd.jupyter.widget-state+json", {}).get("state", {})

    def reload(self) -> None:
        """Reload the page and wait until the notebook is back; a cell of its kernel may still be running."""
        self.allow_console(JOIN_NOISE)
        with self._lab.timings.measure("reload"):
            self.page.reload(wait_until="commit")
            self._wait_until_attached()

    def close_tab(self) -> None:
        """Close the notebook's tab without saving; its kernel goes on."""
        unsaved = self.page.evaluate("lab.dirty()")
        self.page.locator(".lm-DockPanel-tabBar .lm-mod-current .lm-TabBar-tabCloseIcon").click()
        if unsaved:
            self.page.get_by_role("dialog").get_by_role("button", name="Discard").click()
        self._until("() => !lab.present()", None, 30)

    def open_tab(self) -> None:
        """Open the notebook again after `close_tab`."""
        self.page.evaluate("lab.open()")
        self._until("() => lab.attached()", None, OPEN_TIMEOUT)

    def set_theme(self, name: str) -> None:
        """Switch JupyterLab to "light" or "dark", without a reload."""
        theme = {"light": LIGHT, "dark": DARK}[name]
        self.page.evaluate("name => lab.theme(name)", theme)
        self._until("name => lab.themed(name)", theme, 30)

    def screenshot(self, path: Path) -> None:
        """Save a picture of the page."""
        self.page.screenshot(path=path)

    @property
    def _panel(self) -> Locator:
        return self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")

    def _wait_until_attached(self) -> None:
        self._until("() => window.jupyterapp?.shell", None, OPEN_TIMEOUT)
        self.page.evaluate(_HELPERS, self.path.name)
        self._until("() => lab.attached()", None, OPEN_TIMEOUT)

    def _until(self, condition: str, argument: object, timeout: float) -> None:
        self.page.wait_for_function(condition, arg=argument, timeout=timeout * 1000)


def _text(output: Output) -> str:
    if output["output_type"] == "error":
        return f"{output['ename']}: {output['evalue']}\n"
    text = output.get("text") or output.get("data", {}).get("text/plain", "")
    return text if isinstance(text, str) else "".join(text)


def _dom_text(node: dict[str, Any]) -> str:
    if node["nodeName"] in {"SCRIPT", "STYLE"}:
        return ""
    inner = [*node.get("children", ()), *node.get("shadowRoots", ())]
    if "contentDocument" in node:
        inner.append(node["contentDocument"])
    own = node["nodeValue"] if node["nodeName"] == "#text" else ""
    return own + "".join(_dom_text(child) for child in inner)
