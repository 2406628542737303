"""A panel: one question on the page, drawn on the kernel's main thread.

Its head is the one anywidget: it shows who asks and what, and carries the server's app in a sandboxed frame. Fields
and buttons are plain ipywidgets, so the host's Decline, Cancel and Stop call work whatever the app does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets as widgets

from ..elicitation import AppFailed, AppSaid, FormWanted, Pressed, Said
from .form import Form, tree
from .messages import Focus, Show, Start, Stop
from .text import plain

if TYPE_CHECKING:
    from ..resource import AppResource
    from ..schema import FormPlan

STATIC = Path(__file__).parent.parent / "static"
GRACE_SECONDS = 1.0

REASONS = {
    "no_handshake": "it did not start within {seconds:g} s",
    "refused": "it introduced itself wrongly ({detail})",
    "no_capability": "it does not say that it can answer questions",
    "error_reply": "it answered with an error ({detail})",
    "teardown": "it asked to be closed",
    "navigated": "it tried to leave its page",
    "broken": "it broke while starting ({detail})",
}

Tell = Callable[[Said | int], object]


class Head(anywidget.AnyWidget):
    """The drawn head of a panel. Its state holds nothing of the question: all comes in messages."""

    _esm = STATIC / "card.js"
    _css = STATIC / "card.css"


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
        self._drawn = False
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

    def when_undrawn(self, seconds: float, report: Callable[[], object]) -> None:
        """Report once if no view of the panel has come after so many seconds.

        A kernel that was busy meanwhile hears of a view only after its timers, hence a second look.
        """

        def look(then: Callable[[], object]) -> None:
            if not self._drawn:
                then()

        def again() -> None:
            self._main.call_later(GRACE_SECONDS, look, report)

        self._main.call_later(seconds, look, again)

    def show_app(self, app: AppResource, seconds: float) -> None:
        """Draw the app in the latest view, and again in any view that comes."""
        self._app, self._app_timeout, self._state = app, seconds, "app"
        # The head makes room for the frame before the buttons are there, so that they do not move under a click.
        self.show()
        self._buttons.children = [self._decline, self._cancel, self._switch, self._stop]
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
            "reach": plain(self._app.policy.reach) if self._app else "",
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
            close_tree(widget)
        close_tree(self.box)

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
                self._drawn = True
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
            "outerPolicy": self._app.policy.outer,
            "innerPolicy": self._app.policy.inner,
            "granted": self._app.policy.granted,
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

    def withdraw(self) -> None:
        """Take the question away, as it needs no answer any more."""
        if self._state in ("app", "form"):
            self._state = "withdrawn"
            self._put_away("the question was withdrawn")

    def _answer(self, said: Said) -> None:
        """Take the question away, as it was answered."""
        self._say(said)
        self._put_away("the question was answered")

    def _put_away(self, reason: str) -> None:
        self.end_app(reason)
        self._buttons.children = [self._stop]
        self.box.children = [self._head, self._buttons]
        if self._form is not None:
            close_tree(self._form.box)
            self._form = None
        self.show()

    def _say(self, said: Said) -> None:
        # The first thing said ends what is shown: a second click or a late answer finds no open question.
        self._state = "sent"
        self._tell(said)


def close_tree(root: widgets.Widget) -> None:
    """Close a widget and all that it is made of."""
    for widget in list(tree(root)):
        widget.close()
