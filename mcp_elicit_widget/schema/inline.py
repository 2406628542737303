"""A schema that somebody else wrote, made safe to judge by: local references put in their place, sizes bounded.

After this there are no references left, so nothing can be fetched, nothing can refer to itself, and the form and the
judge read the same thing (VAL-05, VAL-14).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from .faults import UnusableSchemaError
from .json_types import is_dict, is_list

Schema = dict[str, Any] | bool

# 5000 options or 300 fields pass with room; a person answers neither more than that.
MOST_NODES = 10_000
DEEPEST_SCHEMA = 30
LONGEST_REFERENCE_CHAIN = 10

_ONE = frozenset(
    {"additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then",
     "unevaluatedItems", "unevaluatedProperties"}
)  # fmt: skip
_SEVERAL = frozenset({"allOf", "anyOf", "oneOf", "prefixItems", "items"})
_NAMED = frozenset({"dependencies", "dependentSchemas", "patternProperties", "properties"})
# Read here, or only meaningful to references; `$schema` inside would also switch `jsonschema` to its own validators.
_DROPPED = frozenset(
    {"$anchor", "$comment", "$defs", "$dynamicAnchor", "$id", "$recursiveAnchor", "$ref", "$schema", "$vocabulary",
     "contentSchema", "definitions", "id"}
)  # fmt: skip
_TEXTS = frozenset({"description", "title"})
ANNOTATIONS = frozenset(
    {"default", "deprecated", "description", "enumNames", "examples", "readOnly", "title", "writeOnly"}
)


class Options(list[Any]):
    """The values of an `enum`, or the branches of a `oneOf`/`anyOf` of texts, with quick look-up.

    Attributes:
        texts: The values that are texts.
    """

    def __init__(self, items: list[Any], texts: frozenset[str]) -> None:
        """Keep the texts beside the items."""
        super().__init__(items)
        self.texts = texts


@dataclass(frozen=True)
class _Place:
    """Where the walk is: references followed so far, depth, and whether references have another base address here."""

    followed: tuple[str, ...] = ()
    depth: int = 0
    rebased: bool = False


def inline(root: Mapping[str, Any], *, old: bool) -> dict[str, Any]:
    """Return the schema with its local references put in their place.

    Args:
        root: The schema as JSON objects, lists and scalars.
        old: Whether its dialect is Draft 7 or older, where a reference hides its siblings; annotations are kept.

    Raises:
        UnusableSchemaError: A reference leads outside, nowhere or in a circle, or the whole becomes too large.
    """
    whole = _Inliner(root, old=old).schema(root, _Place())
    if isinstance(whole, bool):
        raise UnusableSchemaError("the schema describes no object")
    return whole


class _Inliner:
    def __init__(self, root: Mapping[str, Any], *, old: bool) -> None:
        self._root = root
        self._old = old
        self._left = MOST_NODES

    def schema(self, node: Any, place: _Place) -> Schema:  # noqa: ANN401 - JSON
        """Return one schema without references."""
        if isinstance(node, bool):
            return node
        self._left -= 1
        if self._left < 0 or place.depth > DEEPEST_SCHEMA:
            raise UnusableSchemaError("the schema is too large or too deep")
        place = replace(place, depth=place.depth + 1, rebased=place.rebased or _rebases(node, place))
        if "$dynamicRef" in node or "$recursiveRef" in node:
            raise UnusableSchemaError("the schema uses dynamic references, which are not supported")
        own = {key: self._keyword(key, value, place) for key, value in node.items() if _is_kept(key, value)}
        return self._referred(node["$ref"], own, place) if "$ref" in node else own

    def _keyword(self, key: str, value: Any, place: _Place) -> Any:  # noqa: ANN401 - JSON
        if key == "enum" and is_list(value):
            return Options(value, frozenset(item for item in value if isinstance(item, str)))
        if key in _SEVERAL and is_list(value):
            branches = [self.schema(item, place) if _is_schema(item) else item for item in value]
            texts = _option_texts(branches) if key in {"oneOf", "anyOf"} else None
            return branches if texts is None else Options(branches, texts)
        if key in _ONE and _is_schema(value):
            return self.schema(value, place)
        if key in _NAMED and is_dict(value):
            return {name: self.schema(item, place) if _is_schema(item) else item for name, item in value.items()}
        return value

    def _referred(self, reference: Any, own: dict[str, Any], place: _Place) -> Schema:  # noqa: ANN401 - JSON
        if not isinstance(reference, str) or not reference.startswith("#") or place.rebased:
            raise UnusableSchemaError("the schema refers to something outside itself, which is never fetched")
        if reference in place.followed or len(place.followed) >= LONGEST_REFERENCE_CHAIN:
            raise UnusableSchemaError("the schema refers to itself, which is not supported")
        target = self.schema(
            _resolve(self._root, reference), replace(place, followed=(*place.followed, reference), rebased=False)
        )
        if self._old:
            own = {key: value for key, value in own.items() if key in ANNOTATIONS}
        if is_dict(target) and own.keys() <= ANNOTATIONS:
            return {**target, **own}
        if self._old:
            return own if target is True else target
        parts: Any = own.get("allOf")
        return {**own, "allOf": [target, *(parts if is_list(parts) else [])]}


def _is_schema(value: object) -> bool:
    return isinstance(value, dict | bool)


def _is_kept(key: str, value: object) -> bool:
    # Serialisers write null for a title that is not there, and an empty list of required names, which Draft 4 forbids;
    # neither says anything, so neither is a reason to refuse the question.
    says_nothing = (key in _TEXTS and not isinstance(value, str)) or (key == "required" and value == [])
    return key not in _DROPPED and not says_nothing


def _rebases(node: Mapping[str, Any], place: _Place) -> bool:
    own = node.get("$id", "#")
    return place.depth > 0 and isinstance(own, str) and not own.startswith("#")


def _resolve(root: Mapping[str, Any], reference: str) -> Any:  # noqa: ANN401 - JSON
    found: Any = root
    path = unquote(reference[1:])
    if path and not path.startswith("/"):
        raise UnusableSchemaError("the schema refers to a part of itself by a name, which is not supported")
    for step in path.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if is_dict(found) and key in found:
            found = found[key]
        elif is_list(found) and key.isdecimal() and key.isascii() and len(key) < 6 and int(key) < len(found):  # noqa: PLR2004 - digits
            found = found[int(key)]
        else:
            found = None
    if not _is_schema(found):
        raise UnusableSchemaError("the schema refers to a part of itself that is not there")
    return found


def _option_texts(branches: list[Any]) -> frozenset[str] | None:
    """Return the texts of branches that are all distinct constants of type text, else None."""
    texts: set[str] = set()
    for branch in branches:
        if not is_dict(branch) or branch.keys() - {"const", "title", "description", "type"}:
            return None
        value: object = branch.get("const")
        if not isinstance(value, str) or branch.get("type", "string") != "string" or value in texts:
            return None
        texts.add(value)
    return frozenset(texts) if texts else None
