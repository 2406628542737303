"""Telling JSON objects and lists from the rest, in a way that type checkers follow."""

from __future__ import annotations

from typing import Any, TypeGuard


def is_dict(value: object) -> TypeGuard[dict[str, Any]]:
    """Tell whether this is a JSON object that has been read from a text."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Tell whether this is a JSON array."""
    return isinstance(value, list)
