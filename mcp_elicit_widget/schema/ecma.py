r"""Character sets and Unicode properties of ECMA-262 patterns, written for the `regex` package.

`regex` gives `\d`, `\w` and `\s` other meanings and knows property names that ECMA-262 does not have, so sets are
spelled out and names are looked up here.
"""

from __future__ import annotations

import re

Ranges = tuple[tuple[int, int], ...]

LAST_CODE_POINT = 0x10FFFF

# ECMA-262, CharacterClassEscape without the i flag; \s is WhiteSpace and LineTerminator.
DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip

_CATEGORIES = frozenset(
    """
    L Letter LC Cased_Letter Lu Uppercase_Letter Ll Lowercase_Letter Lt Titlecase_Letter Lm Modifier_Letter
    Lo Other_Letter M Mark Combining_Mark Mn Nonspacing_Mark Mc Spacing_Mark Me Enclosing_Mark N Number
    Nd Decimal_Number digit Nl Letter_Number No Other_Number P Punctuation punct Pc Connector_Punctuation
    Pd Dash_Punctuation Ps Open_Punctuation Pe Close_Punctuation Pi Initial_Punctuation Pf Final_Punctuation
    Po Other_Punctuation S Symbol Sm Math_Symbol Sc Currency_Symbol Sk Modifier_Symbol So Other_Symbol Z Separator
    Zs Space_Separator Zl Line_Separator Zp Paragraph_Separator C Other Cc Control cntrl Cf Format Cs Surrogate
    Co Private_Use Cn Unassigned
    """.split()  # noqa: SIM905 - a table is read more easily than a hundred strings
)
_WHOLE = frozenset({"ASCII", "Any", "Assigned"})
_BINARY = frozenset(
    """
    ASCII_Hex_Digit AHex Alphabetic Alpha Cased Dash Diacritic Dia Emoji Emoji_Component EComp Emoji_Modifier EMod
    Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Hex_Digit Hex ID_Continue IDC
    ID_Start IDS Ideographic Ideo Lowercase Lower Math Uppercase Upper White_Space space
    """.split()  # noqa: SIM905 - a table is read more easily than a hundred strings
)
_PROPERTY = re.compile(r"([A-Za-z_]+)(?:=([A-Za-z0-9_]+))?")


def char(code: int) -> str:
    """Write one code point so that it means itself anywhere in a `regex` pattern."""
    text = chr(code)
    if text.isascii() and text.isalnum():
        return text
    # Everything else as a number: `regex` gives some pairs of signs in a set a meaning ("&&", "--", "||", "~~", "[[").
    return f"\\U{code:08X}"


def members(ranges: Ranges) -> str:
    """Write ranges as the inside of a `regex` set."""
    return "".join(char(low) if low == high else f"{char(low)}-{char(high)}" for low, high in ranges)


def complement(ranges: Ranges) -> Ranges:
    """Return all code points that are not in these ascending ranges."""
    starts = [0, *(high + 1 for _, high in ranges)]
    ends = [*(low - 1 for low, _ in ranges), LAST_CODE_POINT]
    return tuple((low, high) for low, high in zip(starts, ends, strict=True) if low <= high)


def property_members(text: str, *, negated: bool) -> str | None:
    r"""Write what stands between the braces of `\p{}` as the inside of a `regex` set.

    Args:
        text: A category, `Script=`, `sc=`, `scx=`, `General_Category=` or a binary property, spelled as in ECMA-262.
        negated: Whether it was `\P{}`.

    Returns:
        None when ECMA-262 has no such property, or it is one that we do not vouch for.
    """
    found = _PROPERTY.fullmatch(text)
    if found is None:
        return None
    name, value = found.groups()
    sign = "P" if negated else "p"
    if value is None:
        if name in _CATEGORIES:
            return f"\\{sign}{{gc={name}}}"
        if name in _WHOLE:
            return f"\\{sign}{{{name}}}"
        return f"\\{sign}{{{name}=Yes}}" if name in _BINARY else None
    if name in {"General_Category", "gc"}:
        return f"\\{sign}{{gc={value}}}" if value in _CATEGORIES else None
    # Which scripts there are is left to `regex`, which refuses those that it does not know.
    short = {"Script": "sc", "sc": "sc", "Script_Extensions": "scx", "scx": "scx"}.get(name)
    return f"\\{sign}{{{short}={value}}}" if short and value[:1].isupper() else None


# What ECMA-262 escapes and signs mean: single code points, insides of sets, and whole items.
CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}
SETS = {
    "d": members(DIGITS), "D": members(complement(DIGITS)), "w": members(WORD), "W": members(complement(WORD)),
    "s": members(SPACE), "S": members(complement(SPACE)),
}  # fmt: skip
EVERYTHING = f"[{members(complement(()))}]"
NOTHING = "(?!)"
DOT = f"[^{members(((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)))}]"
_IN_WORD = f"[{members(WORD)}]"
BOUNDARY = f"(?:(?<={_IN_WORD})(?!{_IN_WORD})|(?<!{_IN_WORD})(?={_IN_WORD}))"
NO_BOUNDARY = f"(?:(?<={_IN_WORD})(?={_IN_WORD})|(?<!{_IN_WORD})(?!{_IN_WORD}))"
