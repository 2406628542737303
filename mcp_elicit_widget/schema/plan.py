"""From a schema to the fields of a form (design 3.9): questions not yet answered, never values made up."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from .compiled import Compiled, compile_schema
from .faults import NOT_FLAT, CannotCheckError, hint
from .inline import Schema
from .json_types import is_dict, is_list
from .patterns import compiled
from .shape import Option, as_label, flattened, options_of, type_of

Kind = Literal[
    "text", "long_text", "number", "integer", "boolean", "choice", "choices", "date", "date-time", "fixed", "json"
]

# Above this a single line hides most of what was typed.
LONG_TEXT_CHARACTERS = 200

_SECRET = re.compile(
    r"passw(?:or)?d|passphrase|passcode|(?<![a-z])pwd(?![a-z])|secret|credential|tokens?(?![a-z])|api[\W_]?key"
    r"|(?:access|private)[\W_]?key"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Unset(enum.Enum):
    """The type of `UNSET`."""

    UNSET = "unset"

    def __repr__(self) -> str:
        """Show the name by which it is imported."""
        return self.name


UNSET: Final = Unset.UNSET


@dataclass(frozen=True)
class Field:
    """One question of a form. All texts are the server's: plain, unescaped, not to be trusted.

    Attributes:
        name: The property's name, an opaque text.
        kind: How it is asked; "json" is a text box read as JSON.
        label: The title, else the name.
        help: The description, or "".
        hint: The limits in a few words, or "".
        required: Whether an answer is needed.
        default: The suggested JSON value, fitting or not, or UNSET.
        options: What there is to choose; the one value of a "fixed" field.
        secret: Whether it seems to ask for a password, key or token.
        blank_ok: Whether the schema allows "".
    """

    name: str
    kind: Kind
    label: str
    help: str
    hint: str
    required: bool
    default: Any
    options: tuple[Option, ...]
    secret: bool
    blank_ok: bool


@dataclass(frozen=True)
class FormPlan:
    """The fields of a form.

    Attributes:
        fields: In the order of the schema's properties. Empty means: a confirmation.
        problem: Why nothing can be accepted, or None.
        title: The schema's title, or "".
        description: The schema's description, or "".
        compiled: The schema, ready to judge by.
    """

    fields: tuple[Field, ...]
    problem: str | None
    title: str
    description: str
    compiled: Compiled = field(repr=False, compare=False)


def form_plan(schema: object) -> FormPlan:
    """Turn a schema into the plan of a form. Never raises: a schema that cannot be used says so in `problem`.

    Args:
        schema: The `requestedSchema` as the server sent it, whatever it is.
    """
    ready = compile_schema(schema)
    flat = flattened(ready.schema)
    drawn = {name: one for name, one in ready.properties.items() if one is not False}
    fields = tuple(_field(name, one, ready) for name, one in drawn.items())
    problem = ready.problem or _why_unanswerable(ready)
    return FormPlan(fields, problem or None, _text(flat, "title"), _text(flat, "description"), ready)


def _field(name: str, schema: Schema, ready: Compiled) -> Field:
    flat = flattened(schema)
    required = name in ready.required
    default = flat.get("default")
    kind, options = _kind(flat, required=required)
    title = _text(flat, "title")
    asks_text = kind in {"text", "long_text"}
    return Field(
        name=name,
        kind=kind,
        label=title or name,
        help=_text(flat, "description"),
        hint=_hint(kind, flat, options),
        required=required,
        # A null stands for "none" (B06); it could not be sent either.
        default=UNSET if default is None else default,
        options=options,
        secret=asks_text and (flat.get("format") == "password" or _sounds_secret(name) or _sounds_secret(title)),
        blank_ok=ready.allows(name, ""),
    )


def _kind(flat: Mapping[str, Any], *, required: bool) -> tuple[Kind, tuple[Option, ...]]:
    const = flat.get("const")
    if isinstance(const, str | int | float):
        only = (Option(const, as_label(const)),)
        # An optional constant that nobody suggests is a question: send it or not.
        return ("fixed", only) if required or same(flat.get("default"), const) else ("choice", only)
    asked = type_of(flat)
    if asked == "array":
        offered = _item_options(flat)
        return ("json", ()) if offered is None else ("choices", offered)
    choices = options_of(flat)
    if choices is not None:
        return "choice", choices
    match asked:
        case "string":
            return _text_kind(flat), ()
        case "number" | "integer" | "boolean":
            return asked, ()
        case _:
            return "json", ()


def _text_kind(flat: Mapping[str, Any]) -> Kind:
    match flat.get("format"):
        case "date" | "date-time" as name:
            return name
        case "email" | "uri":
            return "text"
        case _:
            default = flat.get("default")
            # A single line would lose the line breaks.
            has_lines = isinstance(default, str) and "\n" in default
            return "long_text" if has_lines or flat.get("maxLength", 0) > LONG_TEXT_CHARACTERS else "text"


def _item_options(flat: Mapping[str, Any]) -> tuple[Option, ...] | None:
    items = flat.get("items")
    if not is_dict(items) or "prefixItems" in flat:
        return None
    item = flattened(items)
    const: object = item.get("const")
    offered = (Option(const, as_label(const)),) if isinstance(const, str) else options_of(item)
    # Lists hold texts only (VAL-03).
    return offered if offered and all(isinstance(option.value, str) for option in offered) else None


def _hint(kind: Kind, flat: Mapping[str, Any], options: tuple[Option, ...]) -> str:
    parts = [hint(flat)]
    default = flat.get("default")
    if kind == "json":
        is_list = type_of(flat) == "array"
        parts.append('JSON, like ["one", "two"]' if is_list else 'JSON: texts in "double quotes"')
    elif default is not None and (
        (kind in {"choice", "choices"} and positions(options, default, several=kind == "choices") is None)
        or (kind == "boolean" and not isinstance(default, bool))
    ):
        parts.append("the suggested value is not among the options")
    return ", ".join(part for part in parts if part)


def positions(options: tuple[Option, ...], value: object, *, several: bool) -> tuple[int, ...] | None:
    """Return where a value, or each of a list of values, stands among the options; None when one does not.

    Args:
        options: The options of a field.
        value: A JSON value.
        several: Whether the value is a list of values.
    """
    if several and not is_list(value):
        return None
    wanted: list[Any] = value if several and is_list(value) else [value]
    # Looked up by type too: to Python, 1 is True.
    places = {_identity(option.value): number for number, option in reversed(list(enumerate(options)))}
    try:
        return tuple(sorted({places[_identity(one)] for one in wanted}))
    except (KeyError, TypeError):
        return None


def same(one: object, other: object) -> bool:
    """Tell whether two flat JSON values are the same; True is not 1."""
    return one == other and isinstance(one, bool) is isinstance(other, bool)


def _identity(value: Any) -> tuple[bool, Any]:  # noqa: ANN401 - JSON
    return isinstance(value, bool), value


def _why_unanswerable(ready: Compiled) -> str:
    """Say why no form can be accepted though the schema compiles: a required field that cannot be answered."""
    for name in sorted(ready.required):
        if name not in ready.properties:
            # A mistake of the server (VAL-09): there is nothing by which to ask.
            return f"the schema requires {name!r} without saying what it is"
        reason = _why_no_answer(ready.properties[name])
        if reason:
            return f"the required field {name!r} cannot be answered: {reason}"
    return ""


def _why_no_answer(schema: Schema) -> str:
    if schema is False:
        return "the schema forbids it"
    flat = flattened(schema)
    kind, options = _kind(flat, required=True)
    asked = type_of(flat)
    if asked in {"object", "null"}:
        return NOT_FLAT
    items: Any = flat.get("items")
    if asked == "array" and kind == "json" and flat.get("minItems", 0) and is_dict(items):
        return NOT_FLAT if type_of(flattened(items)) not in {"string", ""} else ""
    if kind == "choice" and not options:
        return "it offers no options"
    try:
        compiled(flat.get("pattern", "") if kind in {"text", "long_text", "date", "date-time"} else "")
    except CannotCheckError as error:
        return str(error)
    return ""


def _sounds_secret(text: str) -> bool:
    return _SECRET.search(_HUMP.sub(" ", text).lower()) is not None


def _text(schema: Mapping[str, Any], key: str) -> str:
    value = schema.get(key)
    return value if isinstance(value, str) else ""
