"""Where a call's questions are shown: the hop between the private loop and the kernel's main thread.

Widgets live on the main thread, in the context of the cell that looks at the call; the call itself runs on the
private loop. Nothing is displayed before somebody looks (design 3.3), and there is one card a call.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextvars import Context
from typing import TYPE_CHECKING, Any

from . import loop
from .elicitation import Said
from .errors import CannotWaitHere, NobodyCanAnswer, ViewLost
from .kernel import Kernel
from .limits import Limits
from .output import show_text
from .script import Question

if TYPE_CHECKING:
    from .resource import AppResource
    from .schema import FormPlan
    from .views.card import Card
    from .views.panel import PanelView

READY_SECONDS = 10.0

Heard = Said | int | Exception
"""What comes from the main thread: something said, the number of live views, or why a view could not be drawn."""

_heard = threading.Event()
"""Set once any card of this kernel said `ready`: from then on a missing view is a lost one, not a missing front end."""


class Stage:
    """One call's place in the notebook.

    Attributes:
        asking: How many questions are open or want to be shown; the call counts them.
    """

    def __init__(self, kernel: Kernel, *, server: str, label: str, stop: Callable[[], None], limits: Limits) -> None:
        """Prepare the place; nothing is shown.

        Args:
            kernel: The kernel as it was when the call was made.
            server: The server as its cards name it.
            label: The tool, prompt or resource.
            stop: Ends the call; may be used from any thread.
            limits: How long to wait for apps and views.
        """
        self.asking = 0
        self._kernel = kernel
        self._server = server
        self._label = label
        self._stop = stop
        self._limits = limits
        self._context: Context | None = None
        self._looked = asyncio.Event()
        self._card: Card | None = None
        self._finished = False

    @property
    def silent_because(self) -> str:
        """Why no person can be asked here; empty when one can."""
        return self._kernel.silent_because

    @property
    def looked_at(self) -> bool:
        """Whether a cell awaits or shows the call."""
        return self._context is not None

    def look(self, context: Context, *, show: bool) -> None:
        """Note that a cell looks at the call.

        Args:
            context: The context of that cell; what is displayed in it lands under the cell.
            show: Whether to show the card at once, or only when there is something to ask.
        """
        if self.silent_because or self._finished:
            return
        if self._card is not None:
            self._kernel.call(context, _point_to_card, self._server, self._label)
            return
        # A card under a cell that awaits on a deaf kernel would take no click, so there is none.
        self._context = context if show or self._kernel.hears_while_awaiting else None
        loop.get().call_soon_threadsafe(self._looked.set)
        if show:
            self._kernel.call(context, self._ensure_card)

    async def open_panel(self, question: Question) -> StagePanel:
        """Open a panel for a question, once somebody looks.

        Raises:
            CannotWaitHere: A cell awaits, and this kernel hears no click meanwhile.
            NobodyCanAnswer: No front end drew the card.
        """
        await self._looked.wait()
        if self._context is None:
            raise self._cannot_wait()
        panel = StagePanel(question, self._limits)
        await panel.open(self._on_main, lambda tell: self._ensure_card().open(question, tell))
        return panel

    def check_hearing(self) -> None:
        """End a wait for an answer that can never arrive.

        Raises:
            CannotWaitHere: A question is in the card, and this kernel hears no click while a cell awaits.
        """
        if self.asking and self._card is not None and not self._kernel.hears_while_awaiting:
            raise self._cannot_wait()

    def _cannot_wait(self) -> CannotWaitHere:
        """Make the error that names the way out."""
        return CannotWaitHere(
            f"{self._server} asks something for {self._label}, but this kernel cannot hear the answer while a cell "
            "awaits (ipykernel before 7.4). Make the call the last expression of its cell, answer in its card, and "
            "read `call.result()` in the next cell."
        )

    def progress(self, text: str) -> None:
        """Show a line of progress, if somebody looks."""
        if self._context is not None and not self.silent_because:
            self._on_main(lambda: self._ensure_card().progress(text))

    def finish(self, record: Callable[[], Mapping[str, Any]]) -> None:
        """Replace the card, if there is one, by a plain record of what happened."""
        # The way back to the call ends here, so that both go as soon as nobody refers to them.
        self._stop = _nothing
        self._on_main(lambda: self._finish(record))

    def _on_main(self, work: Callable[[], object]) -> None:
        if self._context is not None:
            self._kernel.call(self._context, work)

    def _ensure_card(self) -> Card:
        from .views.card import Card

        if self._card is None:
            main = self._kernel.loop
            if main is None:
                message = "a card needs a kernel"
                raise RuntimeError(message)
            self._card = Card(self._server, self._label, stop=self._stop, main=main)
            self._card.display()
        return self._card

    def _finish(self, record: Callable[[], Mapping[str, Any]]) -> None:
        if not self._finished:
            self._finished = True
            if self._card is not None:
                self._card.close(record())
                self._card = None


class StagePanel:
    """The private loop's end of one panel: what the person or the app says arrives in a queue."""

    def __init__(self, question: Question, limits: Limits) -> None:
        """Prepare; `open` has it drawn."""
        self._question = question
        self._limits = limits
        self._said: asyncio.Queue[Heard] = asyncio.Queue()
        self._views = 0
        self._view: PanelView | None = None
        self._on_main: Callable[[Callable[[], object]], None] = lambda _: None
        self._tell: Callable[[Heard], object] = lambda _: None

    async def open(
        self, on_main: Callable[[Callable[[], object]], None], make: Callable[[Callable[[Heard], object]], PanelView]
    ) -> None:
        """Have the panel drawn and wait for the first sign of a front end in this kernel."""
        self._on_main = on_main
        home = asyncio.get_running_loop()
        self._tell = lambda heard: home.call_soon_threadsafe(self._said.put_nowait, heard)

        def build() -> None:
            self._view = make(self._tell)
            if not _heard.is_set():
                self._view.when_undrawn(READY_SECONDS, lambda: self._tell(self._undrawn()))

        self._do(build)
        while not (self._views or _heard.is_set()):
            await self._hear()
        _heard.set()

    async def ask_app(self, app: AppResource) -> Said:
        """Draw the app and return the first thing that was said."""
        self._do(lambda: self._shown.show_app(app, self._limits.app_timeout))
        return await self._next()

    async def ask_form(self, plan: FormPlan, note: str, drafts: Mapping[str, Any]) -> Said:
        """Draw the form and return what was pressed."""
        self._do(lambda: self._shown.show_form(plan, note, drafts))
        return await self._next()

    def withdraw(self) -> None:
        """Take the question away; it needs no answer any more."""
        self._do(lambda: self._shown.withdraw())  # noqa: PLW0108 - the panel is there only by then

    @property
    def _shown(self) -> PanelView:
        if self._view is None:
            message = "the panel is not open"
            raise RuntimeError(message)
        return self._view

    def _do(self, work: Callable[[], object]) -> None:
        def run() -> None:
            # A view that cannot be drawn must not leave the call waiting for an answer.
            try:
                work()
            except Exception as error:  # noqa: BLE001
                self._tell(error)

        self._on_main(run)

    def _undrawn(self) -> NobodyCanAnswer:
        return NobodyCanAnswer(
            f"{self._question.server} asks {self._question.key!r} for {self._question.tool}, but no front end drew "
            f"the card within {READY_SECONDS:g} s. Nothing was sent. JupyterLab needs anywidget and ipywidgets "
            "installed where it runs; elsewhere pass answers=."
        )

    async def _next(self) -> Said:
        while True:
            limit = None if self._views else self._limits.view_timeout
            try:
                async with asyncio.timeout(limit):
                    said = await self._hear()
            except TimeoutError:
                message = (
                    f"the card of {self._question.key!r} ({self._question.server}, {self._question.tool}) was in no "
                    f"open notebook for {limit:g} s. Nothing was sent; call again to be asked again."
                )
                raise ViewLost(message) from None
            if said is not None:
                return said

    async def _hear(self) -> Said | None:
        heard = await self._said.get()
        if isinstance(heard, Exception):
            raise heard
        if isinstance(heard, int):
            self._views = heard
            return None
        return heard


def _nothing() -> None:
    """Stand for the way to stop a call that has ended."""


def _point_to_card(server: str, label: str) -> None:
    show_text(f"The card of {label} on {server} is in the output where it was shown first.")
