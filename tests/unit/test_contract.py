"""The messages between kernel and browser: both sides name the same members with the same types."""

import re
import types
import typing
from pathlib import Path

import pytest

from mcp_elicit_widget.views import messages

SOURCE = (Path(__file__).parents[2] / "js" / "src" / "messages.ts").read_text(encoding="utf-8")
INTERFACES = {
    name: dict(re.findall(r"^  (\w+): (.+);$", body, re.MULTILINE))
    for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", SOURCE, re.MULTILINE | re.DOTALL)
}
UNIONS = {
    name: re.findall(r"\w+", members)
    for name, members in re.findall(r"^export type (\w+) = ([\w |]+);$", SOURCE, re.MULTILINE)
}


def in_typescript(annotation):
    """Name a Python type as messages.ts would."""
    plain = {str: "string", bool: "boolean", int: "number", float: "number", object: "unknown"}
    if annotation in plain:
        return plain[annotation]
    if typing.get_origin(annotation) is typing.Literal:
        return " | ".join(f'"{value}"' for value in typing.get_args(annotation))
    if typing.get_origin(annotation) is list:
        return f"{in_typescript(typing.get_args(annotation)[0])}[]"
    return annotation.__name__


def python_messages():
    return {name: value for name, value in vars(messages).items() if typing.is_typeddict(value)}


def test_both_sides_know_the_same_messages():
    assert set(INTERFACES) == set(python_messages())
    assert len(INTERFACES) == 10


@pytest.mark.parametrize("name", sorted(INTERFACES))
def test_both_sides_give_a_message_the_same_members(name):
    members = typing.get_type_hints(python_messages()[name])
    assert {key: in_typescript(annotation) for key, annotation in members.items()} == INTERFACES[name]


@pytest.mark.parametrize("name", ["ToBrowser", "ToKernel"])
def test_both_sides_send_the_same_messages_the_same_way(name):
    union = getattr(messages, name)
    assert isinstance(union, types.UnionType)
    assert [member.__name__ for member in typing.get_args(union)] == UNIONS[name]
