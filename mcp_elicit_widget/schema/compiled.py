"""A schema made ready to judge by, once for each text of it."""

from __future__ import annotations

import functools
import json
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..shapes import is_object
from .faults import CannotCheckError, FieldError, UnusableSchemaError, sentence
from .inline import Options, Schema, inline
from .json_types import is_dict, is_list
from .keywords import MOST_STEPS, OLD_DIALECTS, TooCostlyError, dialect_of, judge_class, steps_left
from .shape import flattened

# Characters of JSON. 5000 options with titles and descriptions take half of it.
LONGEST_SCHEMA = 1_000_000
# A person reads a few; a list with a thousand wrong values says the same thing a thousand times.
MOST_ERRORS = 200

_UNCHECKABLE = "cannot be checked against its schema, so it is not accepted"


@dataclass(frozen=True, repr=False)
class Compiled:
    """A schema ready to judge by.

    Attributes:
        schema: The schema without references, or {} when it is unusable.
        problem: Why nothing can be accepted, or "".
        properties: The schemas of the declared properties, in their order.
        required: The names that must be answered.
    """

    schema: dict[str, Any]
    problem: str
    properties: Mapping[str, Schema]
    required: frozenset[str]
    _judge: Any

    def faults(self, content: Mapping[str, Any]) -> list[FieldError]:
        """Judge flat content, in the order in which the properties are declared.

        Never raises: what cannot be judged is an error.
        """
        if self.problem:
            return [FieldError(None, "schema", self.problem)]
        found: list[FieldError] = []
        with _metered():
            try:
                for error in self._judge.iter_errors(content):
                    found.extend(_told(error))
                    if len(found) >= MOST_ERRORS:
                        break
            except CannotCheckError as error:
                found.append(FieldError(error.field, "pattern", str(error)))
            except TooCostlyError:
                found.append(FieldError(None, "schema", "takes too long to check, so it is not accepted"))
            except Exception:  # noqa: BLE001 - whatever a library raises over a hostile schema, it is no accept
                found.append(FieldError(None, "schema", _UNCHECKABLE))
        return self.ordered(dict.fromkeys(found))

    def ordered(self, faults: Iterable[FieldError]) -> list[FieldError]:
        """Sort errors: declared properties first, in their order, then other names, then the answer as a whole."""
        places = {name: number for number, name in enumerate(self.properties)}
        last = len(places)

        def place(fault: FieldError) -> tuple[int, str, str, str]:
            if fault.field is None:
                return (last + 1, "", fault.rule, fault.message)
            return (places.get(fault.field, last), fault.field, fault.rule, fault.message)

        return sorted(faults, key=place)

    def allows(self, name: str, value: object) -> bool:
        """Tell whether a flat value is good for a declared property, looked at alone."""
        schema = self.properties.get(name, False)
        with _metered():
            try:
                return schema is True or (schema is not False and self._judge.evolve(schema=schema).is_valid(value))
            except Exception:  # noqa: BLE001 - as above
                return False


def compile_schema(schema: object) -> Compiled:
    """Make a schema ready to judge by; one that cannot be used says so in `problem`. Never raises."""
    if not is_object(schema):
        return _unusable("the schema is no object")
    try:
        # Also a copy that nobody changes afterwards, and the key of the cache.
        text = json.dumps(schema, allow_nan=False, default=_as_plain)
    except (TypeError, ValueError, RecursionError):
        return _unusable("the schema is no JSON, or is too deep")
    if len(text) > LONGEST_SCHEMA:
        return _unusable("the schema is too large")
    return _compiled(text)


@functools.lru_cache(maxsize=32)
def _compiled(text: str) -> Compiled:
    try:
        root: dict[str, Any] = json.loads(text)
        dialect = dialect_of(root)
        schema = inline(root, old=dialect in OLD_DIALECTS)
        flat = flattened(schema)
        _check_object(flat)
        # Formats and patterns are judged by ours; theirs would try patterns with Python's `re`.
        dialect.check_schema(_thinned(schema), format_checker=None)
        _check_patterns_of_names(text)
        # The empty registry of `judge_class` is never asked: no references are left.
        judge = judge_class(dialect)(schema)
    except UnusableSchemaError as error:
        return _unusable(str(error))
    except Exception as error:  # noqa: BLE001 - a schema is anything that a server sent
        keyword = str(getattr(error, "json_path", "")) or "$"
        return _unusable(f"the schema does not compile (at {keyword[:200]})")
    return Compiled(schema, "", flat.get("properties", {}), frozenset(flat.get("required", ())), judge)


def _check_object(flat: Mapping[str, Any]) -> None:
    implied = "object" if "properties" in flat or "required" in flat else ""
    if flat.get("type", implied) != "object":
        raise UnusableSchemaError("the schema describes no object with fields")


def _check_patterns_of_names(text: str) -> None:
    # Only there would `jsonschema` still match patterns with Python's `re`.
    if '"unevaluatedProperties"' in text and '"patternProperties"' in text:
        raise UnusableSchemaError(
            "the schema uses unevaluatedProperties with patternProperties, which is not supported"
        )


def _unusable(problem: str) -> Compiled:
    return Compiled({}, problem, {}, frozenset(), None)


def _as_plain(value: object) -> dict[str, Any]:
    if not is_object(value):
        raise TypeError
    return dict(value)


def _thinned(node: Any) -> Any:  # noqa: ANN401 - JSON Schema
    """Leave out all but one of many like branches, which were looked at already: the metaschema takes a second."""
    if is_dict(node):
        return {key: _thinned(value) for key, value in node.items()}
    if isinstance(node, Options) and node and is_dict(node[0]):
        return node[:1]
    return [_thinned(item) for item in node] if is_list(node) else node


@contextmanager
def _metered() -> Generator[None]:
    token = steps_left.set([MOST_STEPS])
    try:
        yield
    finally:
        steps_left.reset(token)


def _told(error: Any) -> Iterator[FieldError]:  # noqa: ANN401 - jsonschema
    """Turn an error of `jsonschema` into ours; its own message holds the value."""
    for leaf in _leaves(error):
        path = list(leaf.absolute_path)
        if not path and "propertyNames" in leaf.absolute_schema_path:
            rule, message = "propertyNames", sentence("propertyNames", None, None)
        else:
            rule = str(leaf.validator or "not")
            message = sentence(rule, leaf.validator_value, leaf.schema)
        inside = "one of the values " if len(path) > 1 else ""
        yield FieldError(str(path[0]) if path else None, rule, inside + message)


def _leaves(error: Any) -> Iterable[Any]:  # noqa: ANN401 - jsonschema
    """Look inside "T or null": what is wrong is that it is not T."""
    branches: dict[object, list[Any]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    real = [inner for inner in branches.values() if not any(_wants_null(one) for one in inner)]
    if len(real) != 1 or len(branches) == 1:
        return [error]
    return [leaf for inner in real[0] for leaf in _leaves(inner)]


def _wants_null(error: Any) -> bool:  # noqa: ANN401 - jsonschema
    return error.validator == "type" and error.validator_value == "null"
