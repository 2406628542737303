"""The card of a call: one panel a question, drawn on the kernel's main thread.

A panel's head is the one anywidget: it shows who asks and what, and carries the server's app in a sandboxed frame.
Fields and buttons are plain ipywidgets, so the host's Decline, Cancel and Stop call work whatever the app does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets as widgets

from .. import output
from ..elicitation import AppFailed, AppSaid, FormWanted, Pressed, Said
from .form import Form, tree
from .messages import Focus, Show, Start, Stop
from .text import plain

if TYPE_CHECKING:
    from ..resource import AppResource
    from ..schema import FormPlan
    from ..script import Question

TEARDOWN_SECONDS = 0.4
STATIC = Path(__file__).parent.parent / "static"

REASONS = {
    "no_handshake": "it did not start within {seconds:g} s",
    "refused": "it introduced itself wrongly ({detail})",
    "no_capability": "it does not say that it can answer questions",
    "error_reply": "it answered with an error ({detail})",
    "teardown": "it asked to be closed",
    "navigated": "it tried to leave its page",
    "broken": "it broke while starting ({detail})",
}

_kept: list[widgets.Widget] = []
"""One widget that stays. JupyterLab gives all widgets of a kernel one subshell and deletes it with the last of them;
ipykernel then reports, in the output of whatever cell runs, that a pending task was destroyed."""

Tell = Callable[[Said | int], object]


class Head(anywidget.AnyWidget):
    """The drawn head of a panel. Its state holds nothing of the question: all comes in messages."""

    _esm = STATIC / "card.js"
    _css = STATIC / "card.css"


class Card:
    """One call's card; every method runs on the kernel's main thread, in the context of the cell that shows it."""

    def __init__(self, server: str, label: str, *, stop: Callable[[], None], main: asyncio.AbstractEventLoop) -> None:
        """Make the card with a panel that says that the call runs.

        Args:
            server: The server as people see it.
            label: The tool, prompt or resource.
            stop: Ends the call.
            main: The kernel's main loop.
        """
        self._server = server
        self._label = label
        self._stop = stop
        self._main = main
        self._running = PanelView(server, label, "", tell=lambda _: None, stop=stop, main=main)
        self._panels: list[PanelView] = []
        if not _kept:
            _kept.append(widgets.Layout())
        self._box = widgets.VBox([self._running.box])
        self._handle = ""

    def display(self) -> None:
        """Show the card in the cell whose context this runs in."""
        bundle = {
            # The widget's own text form would spell out every field.
            "text/plain": f"{self._label} on {self._server}",
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self._box.model_id,
            },
        }
        self._handle = output.show(bundle)

    def open(self, question: Question, tell: Tell) -> PanelView:
        """Add a panel for a question; panels of an earlier round go."""
        for panel in [panel for panel in self._panels if panel.round < question.round]:
            self._panels.remove(panel)
            panel.close()
        panel = PanelView(question.server, question.tool, question.message, tell=tell, stop=self._stop, main=self._main)
        panel.params, panel.round = question.params, question.round
        self._panels.append(panel)
        self._box.children = [panel.box for panel in self._panels]
        return panel

    def progress(self, text: str) -> None:
        """Show a line of progress in the panel that says that the call runs."""
        self._running.progress = plain(text)
        self._running.show()

    def close(self, record: Mapping[str, Any]) -> None:
        """Replace the card by a record, once its apps had the time to close."""
        panels = [self._running, *self._panels]
        for panel in panels:
            panel.end_app("the call has ended")
        # The frame goes with the output, so an app that was told to close gets its moment first (BRG-31).
        rest = max(panel.app_ended for panel in panels) + TEARDOWN_SECONDS - self._main.time()
        self._main.call_later(max(rest, 0.0), self._replace, record)

    def _replace(self, record: Mapping[str, Any]) -> None:
        for panel in [self._running, *self._panels]:
            panel.close()
        _close(self._box)
        if self._handle:
            output.replace(self._handle, record)


class PanelView:
    """One question, or the call that runs: head, form and buttons.

    Attributes:
        box: The drawn panel.
        params: The params of the question, exactly as received.
        round: The round of the question.
        progress: The line of progress of a running call.
        app_ended: When the app was last told to close, in seconds of the main loop's clock.
    """

    def __init__(
        self,
        server: str,
        tool: str,
        message: str,
        *,
        tell: Tell,
        stop: Callable[[], None],
        main: asyncio.AbstractEventLoop,
    ) -> None:
        """Draw the panel of a running call; `show_app` and `show_form` make it ask."""
        self.params: object = None
        self.round = 0
        self.progress = ""
        self.app_ended = float("-inf")
        self._server, self._tool, self._message = server, tool, message
        self._tell, self._main = tell, main
        self._state: Any = "working"
        self._note = ""
        self._form: Form | None = None
        self._app: AppResource | None = None
        self._app_timeout = 0.0
        self._instance = 0
        self._views: list[str] = []
        self._head = Head()
        self._head.on_msg(self._on_message)
        self._accept = self._button("Accept", "mew-accept", self._accepted)
        self._decline = self._button("Decline", "mew-decline", lambda: self._press("decline"))
        self._cancel = self._button("Cancel", "mew-cancel", lambda: self._press("cancel"))
        self._switch = self._button("Use the form instead", "mew-link", self._want_form)
        self._stop = self._button("Stop call", "mew-stop", stop)
        self._buttons = widgets.HBox([self._stop])
        self._buttons.add_class("mew-buttons")
        self.box = widgets.VBox([self._head, self._buttons])
        self.box.add_class("mew-panel")

    def show_app(self, app: AppResource, seconds: float) -> None:
        """Draw the app in the latest view, and again in any view that comes."""
        self._app, self._app_timeout, self._state = app, seconds, "app"
        self._buttons.children = [self._decline, self._cancel, self._switch, self._stop]
        self.show()
        if self._views:
            self._start(self._views[-1])

    def show_form(self, plan: FormPlan, note: str, drafts: Mapping[str, Any]) -> None:
        """Take the app down and draw the form."""
        self.end_app("the form took over")
        self._form = Form(plan, drafts)
        self._note, self._state = plain(note), "form"
        ways_out = [self._decline, self._cancel, self._stop]
        self._buttons.children = [self._accept, *ways_out] if self._form.usable else ways_out
        self.box.children = [self._head, self._form.box, self._buttons]
        self.show()

    def show(self) -> None:
        """Send the browser what the head shows now."""
        form = self._form if self._state == "form" else None
        message: Show = {
            "kind": "show",
            "state": self._state,
            "server": plain(self._server),
            "tool": plain(self._tool),
            "message": plain(self._message),
            "note": self._note,
            "progress": self.progress,
            "fields": form.marks() if form else [],
            "shield": form.drafts_in() if form else [],
        }
        self._head.send(message)

    def end_app(self, reason: str) -> None:
        """Take the app down, if one runs."""
        if self._app is not None:
            self._app, self.app_ended = None, self._main.time()
            message: Stop = {"kind": "stop", "reason": reason}
            self._head.send(message)

    def close(self) -> None:
        """Let all widgets go."""
        hidden = (self._accept, self._decline, self._cancel, self._switch, self._stop)
        for widget in hidden:
            _close(widget)
        _close(self.box)

    def _button(self, label: str, css: str, press: Callable[[], object]) -> widgets.Button:
        button = widgets.Button(description=label)
        button.add_class(css)
        # A handler may run in another thread (ipykernel 7.0 to 7.3), so it only hands over.
        button.on_click(lambda _: self._main.call_soon_threadsafe(press))  # pyright: ignore[reportUnknownLambdaType]
        return button

    def _on_message(self, _: object, content: Mapping[str, Any], __: object) -> None:
        self._main.call_soon_threadsafe(self._receive, content)

    def _receive(self, content: Mapping[str, Any]) -> None:
        view = str(content.get("view"))
        match content.get("kind"):
            case "ready":
                self._views = [*(known for known in self._views if known != view), view]
                self._tell(len(self._views))
                self.show()
                if self._state == "app":
                    self._start(view)
            case "gone":
                self._views = [known for known in self._views if known != view]
                self._tell(len(self._views))
            case "answer" if self._is_current(content):
                self._answer(AppSaid(content.get("result")))
            case "failed" if self._is_current(content):
                self._say(AppFailed(self._reason(content)))
            case "key" if self._state in ("app", "form"):
                press = {"escape": lambda: self._press("cancel"), "enter": self._accepted}
                press.get(str(content.get("key")), lambda: None)()
            case _:
                pass

    def _is_current(self, content: Mapping[str, Any]) -> bool:
        """Only the latest instance may answer, and only while the app is shown (ELI-14, ELI-15)."""
        return self._state == "app" and content.get("instance") == self._instance

    def _reason(self, content: Mapping[str, Any]) -> str:
        reason = REASONS.get(str(content.get("reason")), "it does not work")
        return reason.format(seconds=self._app_timeout, detail=plain(str(content.get("detail")))[:200])

    def _start(self, view: str) -> None:
        if self._app is None:
            return
        self._instance += 1
        message: Start = {
            "kind": "start",
            "view": view,
            "instance": self._instance,
            "params": self.params,
            "outerPolicy": self._app.outer_policy,
            "innerPolicy": self._app.inner_policy,
            "context": {},
            "hostVersion": version("mcp-elicit-widget"),
            "title": f"App of {self._server} for {self._tool}",
            "handshakeSeconds": self._app_timeout,
        }
        self._head.send(message, [self._app.html])

    def _want_form(self) -> None:
        if self._state == "app":
            self._say(FormWanted())

    def _press(self, action: str) -> None:
        if self._state in ("app", "form"):
            self._answer(Pressed(action))

    def _accepted(self) -> None:
        if self._state != "form" or self._form is None or not self._form.usable:
            return
        collected = self._form.collect()
        first = self._form.show(collected.errors)
        if collected.errors:
            self.show()
            focus: Focus = {"kind": "focus", "css": first}
            self._head.send(focus)
        else:
            self._answer(Pressed("accept", collected.content))

    def _answer(self, said: Said) -> None:
        """Take the question away, as it was answered."""
        self._say(said)
        self.end_app("the question was answered")
        self._buttons.children = [self._stop]
        self.box.children = [self._head, self._buttons]
        if self._form is not None:
            _close(self._form.box)
            self._form = None
        self.show()

    def _say(self, said: Said) -> None:
        # The first thing said ends what is shown: a second click or a late answer finds no open question.
        self._state = "sent"
        self._tell(said)


def _close(root: widgets.Widget) -> None:
    for widget in list(tree(root)):
        widget.close()
