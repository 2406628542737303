"""Patterns of a schema, run by the `regex` package with a time limit (design 3.10, VAL-14).

Patterns come from the server and run in our kernel. One that cannot be translated, does not compile or takes too long
"cannot be checked": the value is then refused, never accepted.
"""

from __future__ import annotations

import functools

import regex

from .faults import CannotCheckError
from .translate import translate

TIMEOUT_SECONDS = 0.5
# `regex` does not look at the time while it searches for a plain text: the longest pattern in the longest text takes
# about as long as the time limit. More than 20 pages under a pattern is no form.
LONGEST_INPUT = 20_000


def matches(pattern: str, text: str) -> bool:
    """Tell whether an ECMA-262 pattern is found anywhere in a text.

    Raises:
        CannotCheckError: The pattern cannot be translated or takes too long, or the text is too long.
    """
    if len(text) > LONGEST_INPUT:
        raise CannotCheckError("the text is too long for its pattern to be checked")
    try:
        # Other threads may run: a search can take the whole of its time.
        return compiled(pattern).search(text, timeout=TIMEOUT_SECONDS, concurrent=True) is not None
    except TimeoutError:
        raise CannotCheckError("the pattern takes too long to check") from None


@functools.lru_cache(maxsize=256)
def compiled(pattern: str) -> regex.Pattern[str]:
    """Compile an ECMA-262 pattern.

    Raises:
        CannotCheckError: It cannot be translated, or does not compile.
    """
    try:
        return regex.compile(translate(pattern), regex.VERSION0)
    except (regex.error, RecursionError, OverflowError, MemoryError, ValueError, IndexError, KeyError):
        # The compiler of `regex` has been seen to fail in all of these ways.
        raise CannotCheckError("the pattern cannot be checked here") from None
