"""The shape of one field, whichever way its schema says it (requirements, Appendix A; facts/forms.md).

Servers write an optional text as `anyOf: [T, null]`, an enum as a reference inside `allOf`, a choice without a type.
This brings them to one form for drawing. The judge keeps reading the schema as it was sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .inline import ANNOTATIONS, Schema
from .json_types import is_dict, is_list

# Layers of anyOf and allOf around one field; code generators write two or three.
MOST_LAYERS = 20

_STRING_KEYWORDS = frozenset({"maxLength", "minLength", "pattern", "format"})
_NUMBER_KEYWORDS = frozenset({"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"})


@dataclass(frozen=True)
class Option:
    """One thing to choose.

    Attributes:
        value: What is sent: a text, a number, True or False.
        label: What is shown.
    """

    value: Any
    label: str


def flattened(schema: Schema) -> dict[str, Any]:
    """Return a schema without the layers that only say "or null" or "all of this one".

    Args:
        schema: A schema without references.
    """
    node: dict[str, Any] = schema if is_dict(schema) else {}
    for _ in range(MOST_LAYERS):
        inner = _unwrapped(node)
        if inner is node:
            break
        node = inner
    return node


def type_of(node: Mapping[str, Any]) -> str:
    """Return the one type of a flattened schema, as declared or as its other keywords tell; "" when there is none."""
    declared = node.get("type")
    if declared is not None:
        return declared if isinstance(declared, str) else ""
    if "properties" in node:
        return "object"
    if "items" in node:
        return "array"
    if not _STRING_KEYWORDS.isdisjoint(node):
        return "string"
    return "number" if not _NUMBER_KEYWORDS.isdisjoint(node) else ""


def options_of(node: Mapping[str, Any]) -> tuple[Option, ...] | None:
    """Return what there is to choose in a flattened schema, or None when it is no choice among flat values.

    Titles come from `oneOf`/`anyOf` branches, or from `enumNames` where there are as many as values (B08, B09).
    """
    for key in ("oneOf", "anyOf"):
        if is_list(node.get(key)):
            groups = [_branch_options(branch) for branch in node[key] if not _is_null(branch)]
            if all(group is not None for group in groups):
                return tuple(option for group in groups for option in group or ())
    if not is_list(node.get("enum")):
        return None
    values: list[Any] = node["enum"]
    names = node.get("enumNames")
    fitting = is_list(names) and len(names) == len(values) and all(isinstance(name, str) for name in names)
    labels: list[Any] = names if is_list(names) and fitting else [None] * len(values)
    if not all(_is_flat(value) for value in values):
        return None
    return tuple(
        Option(value, label or as_label(value))
        for value, label in zip(values, labels, strict=True)
        if value is not None
    )


def as_label(value: object) -> str:
    """Return the text by which a value is shown."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _branch_options(branch: object) -> tuple[Option, ...] | None:
    if not is_dict(branch):
        return None
    if "const" in branch and "enum" not in branch:
        value: object = branch["const"]
        title: object = branch.get("title")
        label = title if isinstance(title, str) and title else as_label(value)
        return (Option(value, label),) if _is_flat(value) else None
    return options_of(branch) if "enum" in branch and "const" not in branch else None


def _is_flat(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)


def _is_null(branch: object) -> bool:
    return is_dict(branch) and (
        branch.get("type") == "null" or branch.get("enum") == [None] or branch.get("const", "") is None
    )


def _unwrapped(node: dict[str, Any]) -> dict[str, Any]:
    """Take one layer off, or return the very same node."""
    return next((inner for inner in _layers(node) if inner is not None), node)


def _layers(node: dict[str, Any]) -> Iterator[dict[str, Any] | None]:
    parts: object = node.get("allOf")
    if is_list(parts) and parts:
        yield _merged([*parts, _without(node, "allOf")])
    for key in ("anyOf", "oneOf"):
        branches: object = node.get(key)
        if is_list(branches):
            yield _without_null(node, key, branches)
    kinds: object = node.get("type")
    if is_list(kinds):
        left = sorted({str(kind) for kind in kinds} - {"null"})
        left = ["number"] if left == ["integer", "number"] else left
        if len(left) == 1:
            yield {**node, "type": left[0]}


def _without_null(node: dict[str, Any], key: str, branches: list[Any]) -> dict[str, Any] | None:
    left = [branch for branch in branches if not _is_null(branch)]
    if len(left) == 1 and is_dict(left[0]) and "const" not in left[0]:
        return _merged([left[0], _without(node, key)])
    return None


def _without(node: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in node.items() if name != key}


def _merged(parts: list[Any]) -> dict[str, Any] | None:
    """Merge schemas that all hold, the later one's annotations first; None when two of them say the same keyword."""
    merged: dict[str, Any] = {}
    for part in parts:
        if not is_dict(part):
            return None
        for key, value in part.items():
            if key not in merged or key in ANNOTATIONS or merged[key] == value:
                merged[key] = value
            elif key == "properties" and is_dict(value):
                merged[key] = {**merged[key], **value}
            elif key == "required" and is_list(value):
                merged[key] = [*merged[key], *value]
            elif key == "type" and {str(merged[key]), str(value)} == {"integer", "number"}:
                merged[key] = "integer"
            else:
                return None
    return merged
