"""The only judge of answers, whoever gave them: the form, an app or a script (VAL-01 to VAL-16)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .compiled import Compiled, compile_schema
from .faults import NOT_FLAT, FieldError
from .json_types import is_dict, is_list
from .shape import flattened, type_of

# A form has tens of fields; an app may add some. The rest bounds what one judgement costs (VAL-14).
MOST_VALUES = 2_000
MOST_ITEMS = 20_000
MOST_CHARACTERS = 2_000_000
MOST_BITS = 4_096


def validate(schema: object, content: object) -> list[FieldError]:
    """Say what keeps an answer from being accepted; an empty list means that it may be sent.

    Nothing is coerced and nothing is fetched. Never raises: what cannot be judged is an error.

    Args:
        schema: The `requestedSchema` as the server sent it.
        content: The `content` of an `accept`.

    Returns:
        The errors in the order of the schema's properties. No message holds a submitted value (VAL-15).
    """
    return judged(compile_schema(schema), content)


def judged(compiled: Compiled, content: object) -> list[FieldError]:
    """Judge content: first what MCP allows, then what the schema allows."""
    if compiled.problem:
        return compiled.faults({})
    if not is_dict(content) or not _are_texts(list(content)):
        return [FieldError(None, "type", "the answer must be an object with named values")]
    if is_too_large(content):
        return [FieldError(None, "size", "the answer is too large to be checked")]
    unfit = [fault for name, value in content.items() for fault in value_faults(name, value, compiled)]
    if not unfit:
        return compiled.faults(content)
    # What else is wrong is said at once; but what the unfit values do to the whole is no news.
    names = {fault.field for fault in unfit}
    rest = {name: value for name, value in content.items() if name not in names}
    others = [fault for fault in compiled.faults(rest) if fault.field is not None and fault.field not in names]
    return compiled.ordered([*unfit, *others])


def value_faults(name: str, value: object, compiled: Compiled) -> Iterator[FieldError]:
    """Yield what makes a value no MCP answer at all (VAL-03): it is nested, null, not finite or beyond measure."""
    match value:
        case bool() | str():
            return
        case int():
            if value.bit_length() > MOST_BITS:
                yield FieldError(name, "size", "the number is too large to be checked")
        case float():
            if not math.isfinite(value):
                yield FieldError(name, "finite", "must be a finite number")
        case _ if is_list(value) and _are_texts(value):
            return
        case _:
            asked = type_of(flattened(compiled.properties.get(name, True)))
            blame = "; the schema asks for something that cannot be sent" if asked in {"object", "null"} else ""
            yield FieldError(name, "flat", f"{NOT_FLAT}{blame}")


def normalise(schema: object, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return content in which 1.0 stands as 1 where an integer is asked for (VAL-06); nothing else changes.

    Args:
        schema: The schema by which the content was accepted.
        content: Content without errors.
    """
    properties = compile_schema(schema).properties
    return {
        name: int(value)
        if isinstance(value, float)
        and value.is_integer()
        and type_of(flattened(properties.get(name, True))) == "integer"
        else value
        for name, value in content.items()
    }


def extras(schema: object, content: Mapping[str, Any]) -> list[str]:
    """Return the names in the content that the schema does not declare, for a trace (VAL-10)."""
    properties = compile_schema(schema).properties
    return [name for name in content if name not in properties]


def _are_texts(items: Iterable[object]) -> bool:
    return all(isinstance(item, str) for item in items)


def is_too_large(content: Mapping[str, Any]) -> bool:
    """Tell whether judging this content would cost more than an honest answer does (VAL-14)."""
    if len(content) > MOST_VALUES:
        return True
    items, characters = 0, sum(len(name) for name in content)
    for value in content.values():
        texts: list[Any] = value if is_list(value) else [value]
        items += len(texts)
        if items > MOST_ITEMS:
            return True
        characters += sum(len(text) for text in texts if isinstance(text, str))
    return characters > MOST_CHARACTERS
