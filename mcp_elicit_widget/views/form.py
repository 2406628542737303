"""The native form: a form plan drawn with ipywidgets (design 3.9).

Fields are questions not yet answered: nothing is preselected but a default. Widgets that know numbers, dates and
yes/no invent values, so text boxes and choices stand for all of them; the plan reads what was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets

from ..schema import Collected, Field, FieldError, FormPlan, collect, initial
from .messages import FieldMark
from .text import as_html, plain

OPEN_OPTIONS = 5
OPEN_BOXES = 20
NO_ANSWER = "– no answer –"
CHOOSE = "– choose –"
YES_NO = ("Yes", "No")


@dataclass(frozen=True)
class Control:
    """The drawn part of one field, and how to read what was put in."""

    widget: widgets.Widget
    draft: Callable[[], Any]


class Form:
    """The fields of one question.

    Attributes:
        box: The drawn fields, one below the other.
    """

    def __init__(self, plan: FormPlan, drafts: Mapping[str, Any]) -> None:
        """Draw the plan.

        Args:
            plan: What to draw.
            drafts: What to put into some fields, by name, instead of their defaults.
        """
        self._plan = plan
        self._rows = [
            Row(field, drafts.get(field.name, initial(field)), number) for number, field in enumerate(plan.fields)
        ]
        self._problem = widgets.HTML()
        self.box = widgets.VBox([self._problem, *(row.box for row in self._rows)])
        self.box.add_class("mew-form")
        self._show_summary(plan.problem or "")

    @property
    def usable(self) -> bool:
        """Whether an answer can be accepted at all."""
        return not self._plan.problem

    def collect(self) -> Collected:
        """Read all fields; the errors say what is missing or does not fit."""
        return collect(self._plan, {row.field.name: row.control.draft() for row in self._rows})

    def show(self, errors: tuple[FieldError, ...]) -> str:
        """Show errors beside their fields and the rest above them; returns the CSS class of the first bad field."""
        of_field = {error.field: error.message for error in reversed(errors) if error.field is not None}
        for row in self._rows:
            row.show(of_field.get(row.field.name, ""))
        names = {row.field.name for row in self._rows}
        self._show_summary("; ".join(error.message for error in errors if error.field not in names))
        return next((row.css for row in self._rows if row.invalid), "")

    def marks(self) -> list[FieldMark]:
        """Describe the fields for the browser, which gives them their accessible names."""
        return [{"css": row.css, "required": row.field.required, "invalid": row.invalid} for row in self._rows]

    def drafts_in(self) -> list[str]:
        """Return the ids of all widgets: none of their state may be saved into the notebook."""
        return [widget.model_id for widget in tree(self.box)]

    def _show_summary(self, text: str) -> None:
        self._problem.value = as_html(f"⚠ {text}", "mew-error") if text else ""


class Row:
    """One field: label, help, control and its error.

    Attributes:
        css: The class by which the browser finds the field.
        invalid: Whether an error is shown.
    """

    def __init__(self, field: Field, draft: Any, number: int) -> None:  # noqa: ANN401 - see schema.Draft
        """Draw the field with a draft in it."""
        self.field = field
        self.css = f"mew-field-{number}"
        self.invalid = False
        self.control = _control(field, draft)
        mark = " *" if field.required else " (optional)"
        parts: list[widgets.Widget] = [_line(field.label + mark, "mew-label")]
        help_text = " ".join(text for text in (field.help, f"({field.hint})" if field.hint else "") if text)
        if help_text:
            parts.append(_line(help_text, "mew-help"))
        self._error = widgets.HTML()
        self._error.add_class("mew-error")
        self.box = widgets.VBox([*parts, self.control.widget, self._error])
        self.box.add_class("mew-field")
        self.box.add_class(self.css)

    def show(self, error: str) -> None:
        """Show an error beside the field, or none."""
        self.invalid = bool(error)
        self._error.value = as_html(f"⚠ {error}") if error else ""


def tree(root: widgets.Widget) -> Iterator[widgets.Widget]:
    """Yield a widget and all that it is made of, layouts and styles included."""
    yield root
    for child in getattr(root, "children", ()):
        yield from tree(child)
    for name in ("layout", "style"):
        part = getattr(root, name, None)
        if isinstance(part, widgets.Widget):
            yield part


def _line(text: str, css: str) -> widgets.HTML:
    line = widgets.HTML(as_html(text))
    line.add_class(css)
    return line


def _control(field: Field, draft: Any) -> Control:  # noqa: ANN401 - see schema.Draft
    match field.kind:
        case "boolean":
            return _one_of(YES_NO, {True: 0, False: 1}.get(draft), _BOOLEANS.__getitem__, optional=not field.required)
        case "choice":
            return _one_of(_labels(field), draft, lambda index: index, optional=not field.required)
        case "choices":
            return _some_of(_labels(field), draft)
        case "fixed":
            return Control(_line(plain(field.options[0].label if field.options else str(field.default)), ""), str)
        case "long_text" | "json":
            area = widgets.Textarea(value=draft or "", continuous_update=False, rows=4)
            return Control(area, lambda: area.value)
        case _:
            text = widgets.Text(value=draft or "", continuous_update=False)
            return Control(text, lambda: text.value)


_BOOLEANS: Mapping[int, bool] = {0: True, 1: False}


def _labels(field: Field) -> tuple[str, ...]:
    """Return one distinct label an option: the browser tells options apart by label."""
    labels = [plain(option.label) for option in field.options]
    if len(set(labels)) < len(labels):
        labels = [f"{label} ({number})" for number, label in enumerate(labels, 1)]
    return tuple(labels)


def _one_of(labels: tuple[str, ...], index: int | None, read: Callable[[int], Any], *, optional: bool) -> Control:
    widget: Any
    if len(labels) <= OPEN_OPTIONS:
        none = (NO_ANSWER,) if optional else ()
        first = 0 if optional else None
        widget = widgets.RadioButtons(options=[*none, *labels], index=first if index is None else index + len(none))
    else:
        none = (NO_ANSWER if optional else CHOOSE,)
        widget = widgets.Dropdown(options=[*none, *labels], index=0 if index is None else index + 1)

    def draft() -> Any:  # noqa: ANN401 - see schema.Draft
        chosen: int | None = widget.index
        return None if chosen is None or chosen < len(none) else read(chosen - len(none))

    return Control(widget, draft)


def _some_of(labels: tuple[str, ...], draft: Any) -> Control:  # noqa: ANN401 - see schema.Draft
    """Draw a multiple choice; it is untouched, and not "none of them", until it is changed."""
    chosen: set[int] = set(draft or ())
    touched = draft is not None
    widget: widgets.Widget

    def touch(_: object) -> None:
        nonlocal touched
        touched = True

    if len(labels) <= OPEN_BOXES:
        boxes = [widgets.Checkbox(number in chosen, description=label) for number, label in enumerate(labels)]
        for box in boxes:
            box.indent = False
            box.observe(touch, "value")
        widget = widgets.VBox(boxes)

        def picked() -> tuple[int, ...]:
            return tuple(number for number, box in enumerate(boxes) if box.value)
    else:
        several: Any = widgets.SelectMultiple(options=labels, index=tuple(sorted(chosen)), rows=8)
        several.observe(touch, "index")
        widget = several

        def picked() -> tuple[int, ...]:
            return several.index

    return Control(widget, lambda: picked() if touched else None)
