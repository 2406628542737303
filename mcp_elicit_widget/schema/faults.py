"""What is wrong with an answer, said so that a person can act on it and without the answer itself (VAL-15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .json_types import is_list

# A longer one helps nobody who fills in a form.
LONGEST_SHOWN_PATTERN = 60
EXACT_FLOATS = 2**53

FORMAT_NAMES = {
    "email": "an email address, like name@example.org",
    "uri": "a full address with its scheme, like https://example.org/",
    "date": "a date like 2026-01-31",
    "date-time": "a date and time with a zone, like 2026-01-31T09:30:00Z or 2026-01-31T09:30:00+02:00",
}
TYPE_NAMES = {
    "string": "a text", "integer": "a whole number", "number": "a number", "boolean": "yes or no (true or false)",
    "array": "a list of texts", "object": "an object", "null": "empty",
}  # fmt: skip
NOT_FLAT = "MCP answers are flat: a value is a text, a number, true or false, or a list of texts"


class UnusableSchemaError(Exception):
    """A schema that no answer can be judged by; the text says why."""


class CannotCheckError(Exception):
    """A value cannot be checked, so it cannot be accepted; the text says why and holds no value.

    Attributes:
        field: The property whose value it is, once known.
    """

    field: str | None = None


@dataclass(frozen=True)
class FieldError:
    """One thing that is wrong with an answer.

    Attributes:
        field: The name of the property, or None when it is about the answer as a whole.
        rule: The keyword that is not met ("minLength", "required", ...), or "flat", "finite", "size", "schema".
        message: A sentence for a person. Never holds a submitted value.
    """

    field: str | None
    rule: str
    message: str


def sentence(rule: str, value: Any, schema: Any) -> str:  # noqa: ANN401 - JSON Schema
    """Say in a sentence what a keyword of a schema asks for.

    Args:
        rule: The keyword.
        value: What the schema says at that keyword.
        schema: The schema around it; two keywords of old dialects need their neighbour.
    """
    match rule:
        case "type":
            wanted = value if is_list(value) else [value]
            return f"must be {' or '.join(TYPE_NAMES.get(str(name), 'another type') for name in wanted)}"
        case "format":
            return f"must be {FORMAT_NAMES.get(str(value), 'of another form')}"
        case "minimum" | "maximum" if isinstance(schema, Mapping) and schema.get(_EXCLUSIVE[rule]) is True:
            return sentence(_EXCLUSIVE[rule], value, None)
        case _ if rule in _WITH_LIMIT:
            return _WITH_LIMIT[rule].format(_short(value))
        case _ if rule in _COUNTED:
            start, unit = _COUNTED[rule]
            return f"{start} {_short(value)} {unit}{'' if value == 1 else 's'}"
        case _:
            return _PLAIN.get(rule, "does not fit what is asked for")


_EXCLUSIVE = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_WITH_LIMIT = {
    "minimum": "must be {} or more", "maximum": "must be {} or less", "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}", "multipleOf": "must be a multiple of {}",
}  # fmt: skip
_COUNTED = {
    "minLength": ("must have at least", "character"), "maxLength": ("must have at most", "character"),
    "minItems": ("choose at least", "value"), "maxItems": ("choose at most", "value"),
    "minProperties": ("answer at least", "field"), "maxProperties": ("answer at most", "field"),
}  # fmt: skip
_PLAIN = {
    "required": "an answer is needed",
    "dependencies": "an answer is missing that another answer needs",
    "dependentRequired": "an answer is needed because of another answer",
    "enum": "must be one of the offered options",
    "oneOf": "must be one of the offered options",
    "anyOf": "must be one of the offered options",
    "const": "must be the given value",
    "pattern": "must have the form that is asked for",
    "uniqueItems": "no value may be chosen twice",
    "additionalProperties": "is not asked for, and nothing else is allowed",
    "unevaluatedProperties": "holds values that are not asked for, and nothing else is allowed",
    "propertyNames": "a name is used that is not allowed",
    "contains": "does not hold the values that are needed",
    "not": "is not allowed",
}


def hint(schema: Mapping[str, Any]) -> str:
    """Say the limits of one field in a few words, before anything is typed.

    Args:
        schema: The schema of the field, flattened.
    """
    parts = [
        _span(schema, "minLength", "maxLength", " characters"),
        _span(schema, "minimum", "maximum", ""),
        _span(schema, "minItems", "maxItems", " choices"),
    ]
    if _is_number(schema.get("exclusiveMinimum")):
        parts.append(f"more than {schema['exclusiveMinimum']}")
    if _is_number(schema.get("exclusiveMaximum")):
        parts.append(f"less than {schema['exclusiveMaximum']}")
    if "multipleOf" in schema:
        parts.append(f"a multiple of {schema['multipleOf']}")
    if (name := schema.get("format")) in FORMAT_NAMES:
        parts.append(FORMAT_NAMES[name])
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and len(pattern) <= LONGEST_SHOWN_PATTERN:
        parts.append(f"of the form {pattern}")
    return ", ".join(part for part in parts if part)


def _span(schema: Mapping[str, Any], low: str, high: str, unit: str) -> str:
    least, most = _short(schema.get(low)), _short(schema.get(high))
    # Dialects before Draft 6 mark a limit as exclusive beside it.
    below, above = schema.get("exclusiveMaximum") is True, schema.get("exclusiveMinimum") is True
    if not unit and (below or above):
        texts = [f"{'more than' if above else 'at least'} {least}"] if least is not None else []
        return " and ".join([*texts, *([f"{'less than' if below else 'at most'} {most}"] if most is not None else [])])
    if unit and least == 0:
        least = None
    one = unit.rstrip("s")
    match least, most:
        case None, None:
            return ""
        case _, None:
            return f"at least {least}{one if least == 1 else unit}"
        case None, _:
            return f"at most {most}{one if most == 1 else unit}"
        case _ if least == most:
            return f"exactly {least}{one if least == 1 else unit}"
        case _:
            return f"{least} to {most}{unit}"


def _short(value: Any) -> Any:  # noqa: ANN401 - JSON Schema
    """Write 2.0 as 2: both are allowed, one is read more easily."""
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < EXACT_FLOATS else value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
