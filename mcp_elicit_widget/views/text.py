"""Text of a server on its way to a person: always plain, whatever it holds (SEC-08)."""

from __future__ import annotations

import re
from html import escape

# Controls, and the characters that turn the direction of text around.
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """Return the text with controls and bidirectional overrides made visible as U+FFFD."""
    return _UNSAFE.sub("\ufffd", text)


def as_html(text: str, css: str = "") -> str:
    """Return the text as HTML that shows it literally, out of reach of maths typesetting."""
    return f'<span class="mathjax_ignore tex2jax_ignore {css}">{escape(plain(text))}</span>'
