"""Cell outputs: shown in the cell whose context this runs in, and replaced wherever they stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def show(bundle: Mapping[str, Any]) -> str:
    """Show a MIME bundle and return the id by which it can be replaced ("" outside IPython)."""
    handle = _ipython().display(dict(bundle), raw=True, display_id=True)
    return handle.display_id if handle is not None else ""


def show_text(text: str) -> None:
    """Show plain text."""
    show({"text/plain": text})


def replace(handle: str, bundle: Mapping[str, Any]) -> None:
    """Put a MIME bundle in the place of one that was shown."""
    _ipython().update_display(dict(bundle), raw=True, display_id=handle)


def _ipython() -> Any:  # noqa: ANN401 - IPython's display functions have no complete types
    from IPython import display

    return display
