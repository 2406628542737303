"""The card of a call: one panel a question, and in the end a plain record."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from .. import output
from .panel import PanelView, Tell, close_tree
from .text import plain

if TYPE_CHECKING:
    from ..script import Question

TEARDOWN_SECONDS = 0.4

_kept: list[widgets.Widget] = []
"""One widget that stays. JupyterLab gives all widgets of a kernel one subshell and deletes it with the last of them;
ipykernel then reports, in the output of whatever cell runs, that a pending task was destroyed."""


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
        close_tree(self._box)
        if self._handle:
            output.replace(self._handle, record)
