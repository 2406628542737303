"""The keywords of JSON Schema that `jsonschema` does not judge as safely or as exactly as is needed here.

Its `pattern` is Python's `re` without a time limit, its `multipleOf` counts in binary fractions and overflows, its
formats depend on what is installed, and long option lists are compared one by one (VAL-06, VAL-07, VAL-14).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from fractions import Fraction
from typing import Any

import jsonschema
from jsonschema import ValidationError, validators

from .faults import CannotCheckError
from .formats import FORMATS
from .inline import Options
from .patterns import matches

# Keywords looked at in one judgement: about a second. The largest honest schemas need some ten thousand.
MOST_STEPS = 50_000

Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError]]

DIALECTS: Mapping[str, Any] = {
    "http://json-schema.org/draft-04/schema": jsonschema.Draft4Validator,
    "http://json-schema.org/draft-06/schema": jsonschema.Draft6Validator,
    "http://json-schema.org/draft-07/schema": jsonschema.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema.Draft202012Validator,
}
OLD_DIALECTS = (jsonschema.Draft4Validator, jsonschema.Draft6Validator, jsonschema.Draft7Validator)

steps_left: ContextVar[list[int]] = ContextVar("steps_left")


class TooCostlyError(Exception):
    """Judging takes more steps than any honest schema needs."""


def dialect_of(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401 - jsonschema's classes have no useful type
    """Return the validator class of the declared dialect; 2020-12 when none or an unknown one is declared (VAL-05)."""
    declared = schema.get("$schema")
    name = declared.rstrip("#") if isinstance(declared, str) else ""
    known: Any = DIALECTS.get(name) or DIALECTS.get(name.replace("http://", "https://"))
    return known or jsonschema.Draft202012Validator


@functools.cache
def judge_class(dialect: Any) -> Any:  # noqa: ANN401 - jsonschema's classes have no useful type
    """Return the validator class of a dialect with our keywords in it and all keywords counted."""
    theirs: dict[str, Keyword] = dict(dialect.VALIDATORS)
    ours = {**theirs, **{name: keyword for name, keyword in _OURS.items() if name in theirs}}
    for name in ("enum", "oneOf", "anyOf"):
        ours[name] = _looked_up(theirs[name])
    counted = {name: _counted(keyword) for name, keyword in ours.items()}
    # Draft 4 says that 1.0 is no integer; what is meant by "never coerce" is the same in all dialects (VAL-06).
    types = dialect.TYPE_CHECKER.redefine("integer", _is_integer)
    extend: Any = validators.extend  # pyright: ignore[reportUnknownVariableType] - has no types
    return extend(dialect, counted, type_checker=types)


def _is_integer(_: object, value: object) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())


def _counted(keyword: Keyword) -> Keyword:
    def counted(validator: Any, value: Any, instance: Any, schema: Any) -> Any:  # noqa: ANN401 - jsonschema
        left = steps_left.get()
        left[0] -= 1
        if left[0] < 0:
            raise TooCostlyError
        return keyword(validator, value, instance, schema)

    return counted


def _looked_up(keyword: Keyword) -> Keyword:
    def looked_up(validator: Any, value: Any, instance: Any, schema: Any) -> Any:  # noqa: ANN401 - jsonschema
        if isinstance(value, Options) and isinstance(instance, str):
            return iter(() if instance in value.texts else (ValidationError(""),))
        return keyword(validator, value, instance, schema)

    return looked_up


def _pattern(validator: Any, pattern: str, instance: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if validator.is_type(instance, "string") and not matches(pattern, instance):
        yield ValidationError("")


def _format(_: Any, name: str, instance: Any, __: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    check = FORMATS.get(name)
    if check is not None and isinstance(instance, str) and not check(instance):
        yield ValidationError("")


def _multiple_of(validator: Any, divisor: Any, instance: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    # As written in decimal: 0.07 is seven times 0.01, though not in binary.
    if validator.is_type(instance, "number") and (Fraction(str(instance)) / Fraction(str(divisor))).denominator != 1:
        yield ValidationError("")


def _unique_items(validator: Any, wanted: Any, instance: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    # Lists hold texts only when they come here.
    if wanted and validator.is_type(instance, "array") and len(set(instance)) < len(instance):
        yield ValidationError("")


def _required(validator: Any, names: Any, instance: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if validator.is_type(instance, "object"):
        yield from (ValidationError("", path=[name]) for name in names if name not in instance)


def _dependent_required(validator: Any, needs: Any, instance: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if validator.is_type(instance, "object"):
        needed = (name for given, names in needs.items() if given in instance for name in names)
        yield from (ValidationError("", path=[name]) for name in needed if name not in instance)


def _properties(validator: Any, properties: Any, instance: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if not validator.is_type(instance, "object"):
        return
    for name, schema in properties.items():
        if name in instance:
            try:
                yield from validator.descend(instance[name], schema, path=name, schema_path=name)
            except CannotCheckError as error:
                error.field = name
                raise


def _pattern_properties(validator: Any, patterns: Any, instance: Any, _: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if validator.is_type(instance, "object"):
        for pattern, schema in patterns.items():
            for name, value in instance.items():
                if matches(pattern, name):
                    yield from validator.descend(value, schema, path=name, schema_path=pattern)


def _additional(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ANN401
    if not validator.is_type(instance, "object"):
        return
    declared, patterns = schema.get("properties", ()), tuple(schema.get("patternProperties", ()))
    for name, value in instance.items():
        if name in declared or any(matches(pattern, name) for pattern in patterns):
            continue
        if allowed is False:
            yield ValidationError("", path=[name])
        else:
            yield from validator.descend(value, allowed, path=name)


_OURS: Mapping[str, Keyword] = {
    "additionalProperties": _additional,
    "dependentRequired": _dependent_required,
    "format": _format,
    "multipleOf": _multiple_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "properties": _properties,
    "required": _required,
    "uniqueItems": _unique_items,
}
