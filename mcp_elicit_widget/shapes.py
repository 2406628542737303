"""Reading JSON that somebody else wrote: the shape is asked for, never assumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Tell whether this is a JSON object."""
    return isinstance(value, Mapping)


def member(value: object, name: str) -> Any:  # noqa: ANN401 - JSON
    """Return a member of a JSON object, or None when this is none or has none such."""
    return value.get(name) if is_object(value) else None
