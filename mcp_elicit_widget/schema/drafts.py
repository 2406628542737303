"""What stands in the fields of a form, and how it becomes an answer.

A draft is what a person left in a field: the text of a text box ("" when blank), True/False/None, the index of the
chosen option or None, the indexes of several or None while untouched. A fixed field has none.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn

from ..shapes import is_object
from .faults import FieldError
from .plan import UNSET, Field, FormPlan, positions
from .shape import as_label
from .validate import is_too_large, judged, value_faults

Draft = str | bool | int | tuple[int, ...] | None

# Digits and exponents beyond this are no number that anybody means; converting them would take long.
LONGEST_NUMBER = 1_000
LARGEST_EXPONENT = 1_000
LONGEST_JSON = 1_000_000

# The same in every country: no group separators, a point, ASCII digits.
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf(?:inity)?|∞)", re.IGNORECASE)
_TEXTS = frozenset({"text", "long_text", "date", "date-time"})
_NUMBERS = frozenset({"number", "integer"})


@dataclass(frozen=True)
class Collected:
    """What a form says.

    Attributes:
        content: The answer; it may be sent only when there are no errors.
        errors: What keeps it from being sent.
    """

    content: dict[str, Any] = field(repr=False)
    errors: tuple[FieldError, ...]


class _UnreadableError(Exception):
    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def initial(field: Field) -> Draft:
    """Return the draft of an untouched field: its default, fitting or not, or nothing."""
    default = field.default
    match field.kind:
        case "boolean":
            return default if isinstance(default, bool) else None
        case "choice" | "choices":
            return None if default is UNSET else _draft_of(field, default)
        case "fixed":
            return None
        case _ if default is UNSET:
            return ""
        case "json":
            return _json_text(default)
        case _:
            return default if isinstance(default, str) else _json_text(default)


def collect(plan: FormPlan, drafts: Mapping[str, Draft]) -> Collected:
    """Read the drafts of a form, and judge the answer as `validate` does.

    Args:
        plan: The form.
        drafts: By name; a field that is missing here is untouched.

    Returns:
        Content that `validate` accepts, or errors in the order of the fields.
    """
    if plan.problem:
        return Collected({}, (FieldError(None, "schema", plan.problem),))
    content: dict[str, Any] = {}
    unread: list[FieldError] = []
    for one in plan.fields:
        try:
            value = _read(plan, one, drafts.get(one.name, initial(one)))
        except _UnreadableError as error:
            unread.append(FieldError(one.name, error.rule, str(error)))
        else:
            if value is not UNSET:
                content[one.name] = value
    faults = judged(plan.compiled, content)
    if unread:
        # A field that could not be read is missing in the content; that it is, and what follows, is no news.
        names = {fault.field for fault in unread} | {None}
        faults = plan.compiled.ordered([*unread, *(fault for fault in faults if fault.field not in names)])
    return Collected(content, tuple(faults))


def drafts_from(plan: FormPlan, content: object) -> dict[str, Draft]:
    """Return drafts for the fields whose values are good by themselves, to go on from an answer that is not.

    Args:
        plan: The form.
        content: The content of an answer, for example of an app; anything else gives no drafts.
    """
    if not is_object(content):
        return {}
    drafts: dict[str, Draft] = {}
    for one in plan.fields:
        if one.kind == "fixed" or one.name not in content:
            continue
        value = content[one.name]
        if is_too_large({one.name: value}) or next(value_faults(one.name, value, plan.compiled), None) is not None:
            continue
        draft = _draft_of(one, value) if plan.compiled.allows(one.name, value) else None
        if draft is not None:
            drafts[one.name] = draft
    return drafts


def _draft_of(field: Field, value: Any) -> Draft:  # noqa: ANN401 - JSON
    """Return the draft that is read as this value, or None when there is none."""
    match field.kind:
        case "boolean":
            return value if isinstance(value, bool) else None
        case "choice":
            found = positions(field.options, value, several=False)
            return found[0] if found else None
        case "choices":
            return positions(field.options, value, several=True)
        case "json":
            return _json_text(value)
        case "number" | "integer":
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            whole = field.kind == "integer" and isinstance(value, float) and value.is_integer()
            return str(int(value) if whole else value) if is_number else None
        case _:
            return value if isinstance(value, str) else None


def _read(plan: FormPlan, field: Field, draft: Draft) -> Any:  # noqa: ANN401 - JSON
    """Return the JSON value of a draft, or UNSET to leave the field out."""
    if field.kind == "fixed":
        return field.options[0].value
    if field.kind == "boolean":
        return draft if isinstance(draft, bool) else UNSET
    if field.kind == "choice":
        return UNSET if draft is None else _chosen(field, (draft,))[0]
    if field.kind == "choices":
        return _read_choices(plan, field, draft)
    return _read_text(field, draft if isinstance(draft, str) else "")


def _read_choices(plan: FormPlan, field: Field, draft: Draft) -> list[Any] | Any:  # noqa: ANN401 - UNSET
    if draft is None:
        # Nothing ticked is an answer only where one is needed.
        return [] if field.required and plan.compiled.allows(field.name, []) else UNSET
    picked = _chosen(field, draft if isinstance(draft, tuple) else (draft,))
    if picked or field.required:
        return picked
    # Emptied by hand: said as [] where a default would speak otherwise, and left out where [] is not allowed.
    return [] if field.default is not UNSET and plan.compiled.allows(field.name, []) else UNSET


def _chosen(field: Field, indexes: tuple[Any, ...]) -> list[Any]:
    last = len(field.options) - 1
    if not all(isinstance(index, int) and not isinstance(index, bool) and 0 <= index <= last for index in indexes):
        raise _UnreadableError("enum", "must be one of the offered options")
    return [field.options[index].value for index in sorted(set(indexes))]


def _read_text(field: Field, text: str) -> Any:  # noqa: ANN401 - JSON
    if _is_misfit(field) and text == initial(field):
        wanted = "a text" if field.kind in _TEXTS else "a number"
        raise _UnreadableError("type", f"the suggested value does not fit: must be {wanted}")
    if field.kind in {"text", "long_text"}:
        is_meant = text or (field.blank_ok and (field.required or field.default == ""))
        return text if is_meant else UNSET
    text = text.strip()
    if not text:
        return UNSET
    match field.kind:
        case "number":
            return _number(text)
        case "integer":
            return _integer(text)
        case "json":
            return _json(text)
        case _:
            return text


def _is_misfit(field: Field) -> bool:
    default = field.default
    if default is UNSET or field.kind not in _TEXTS | _NUMBERS:
        return False
    if field.kind in _TEXTS:
        return not isinstance(default, str)
    return isinstance(default, bool) or not isinstance(default, int | float)


def _decimal(text: str, wanted: str) -> Decimal:
    if _NOT_FINITE.fullmatch(text):
        raise _UnreadableError("finite", "must be a finite number")
    if len(text) > LONGEST_NUMBER:
        raise _UnreadableError("size", "the number is too long to be read")
    if not _NUMBER.fullmatch(text):
        raise _UnreadableError("type", f"must be {wanted}")
    number = Decimal(text)
    if number and abs(number.adjusted()) > LARGEST_EXPONENT:
        raise _UnreadableError("finite", "must be a finite number that is not too large or too small")
    return number


def _integer(text: str) -> int:
    # Exactly, beyond 2**53 too; "3.0" and "3e2" are whole numbers, "3.5" is none.
    numerator, denominator = _decimal(text, "a whole number, like 3").as_integer_ratio()
    if denominator != 1:
        raise _UnreadableError("type", "must be a whole number, like 3")
    return numerator


def _number(text: str) -> int | float:
    number = _decimal(text, "a number with a point, like 1.5")
    if text.lstrip("+-").isdecimal():
        return int(number)
    value = float(number)
    if not math.isfinite(value):
        raise _UnreadableError("finite", "must be a finite number")
    return value


def _json(text: str) -> Any:  # noqa: ANN401 - JSON
    try:
        if len(text) <= LONGEST_JSON:
            return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        pass
    raise _UnreadableError("json", 'must be JSON: texts in "double quotes", lists in [brackets]')


def _refuse(_: str) -> NoReturn:
    raise ValueError


def _json_text(value: object) -> str:
    return as_label(value) if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
