"""ECMA-262 patterns in Unicode mode, which is how JSON Schema means them, written for the `regex` package."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .ecma import (
    BOUNDARY,
    CONTROLS,
    DOT,
    EVERYTHING,
    LAST_CODE_POINT,
    NO_BOUNDARY,
    NOTHING,
    SETS,
    char,
    property_members,
)
from .faults import CannotCheckError

# The longest in common use (RFC 5322 addresses, IPv6) have under 1000 characters; compiling has no time limit.
LONGEST_PATTERN = 2_000
DEEPEST_GROUPS = 50
# `regex` writes least counts out while compiling, which has no time limit: `(a{9999}){9999}` never ends. In atoms.
MOST_ATOMS = 10_000
HIGHEST_COUNT = 10_000

_COUNT = re.compile(r"\{([0-9]{1,9})(?:(,)([0-9]{1,9})?)?\}")
_HEX2 = re.compile(r"[0-9A-Fa-f]{2}")
_HEX4 = re.compile(r"[0-9A-Fa-f]{4}")
_LOW_SURROGATE = re.compile(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")
_BRACED_HEX = re.compile(r"\{([0-9A-Fa-f]{1,8})\}")
_PROPERTY = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"<([^<>]+)>")
_NUMBER = re.compile(r"[1-9][0-9]*")

_PLACES = {"|": "|", "^": r"\A", "$": r"\Z"}
_SYNTAX = r"^$\.*+?()[]{}|/"
_OPENINGS = ("(?:", "(?=", "(?!", "(?<=", "(?<!")


def translate(pattern: str) -> str:
    """Write an ECMA-262 pattern (Unicode mode) in the language of the `regex` package.

    Escaped signs and single braces that only mean themselves are allowed as outside Unicode mode, because schemas
    hold them, unless the pattern also says what only Unicode mode knows.

    Raises:
        CannotCheckError: It is no such pattern, or has no faithful translation.
    """
    if len(pattern) > LONGEST_PATTERN:
        raise CannotCheckError("the pattern is too long to be checked")
    return _Translation(pattern).run()


@dataclass
class _Group:
    opening: str
    parent: _Group | None
    depth: int = 0
    closed: bool = False
    repeated: bool = False
    atoms: int = 0


@dataclass
class _Translation:
    """One pattern on its way; `last` is what a quantifier would repeat: an atom, a group just closed, or nothing."""

    source: str
    at: int = 0
    out: list[str] = field(default_factory=list[str])
    group: _Group | None = None
    captures: list[_Group] = field(default_factory=list[_Group])
    names: dict[str, int] = field(default_factory=dict[str, int])
    referred: list[_Group] = field(default_factory=list[_Group])
    last: _Group | bool = False
    modern: bool = False
    lenient: bool = False
    atoms: int = 0

    def run(self) -> str:
        while self.at < len(self.source):
            self._item()
        if self.group is not None:
            raise self._unfit()
        if self.lenient and self.modern:
            # Neither mode of ECMA-262 has both: outside Unicode mode `\p` is a "p".
            raise self._unfit()
        for group in self.referred:
            self._check_reference(group)
        return "".join(self.out)

    def _item(self) -> None:
        sign = self.source[self.at]
        self.at += 1
        match sign:
            case "(":
                self._open()
            case ")":
                self._close()
            case _ if sign in _PLACES:
                self._put(_PLACES[sign])
            case "*" | "+" | "?":
                self._repeat(sign, copies=2 if sign == "+" else 1, loops=sign != "?")
            case "{" if counted := _COUNT.match(self.source, self.at - 1):
                self._count(counted)
            case ".":
                self._put(DOT, last=True)
            case "[":
                self._put(self._set(), last=True)
            case "\\":
                self._escape()
            case _:
                self.lenient |= sign in "{}]"
                self._put(char(ord(sign)), last=True)

    def _put(self, text: str, *, last: _Group | bool = False) -> None:
        self.out.append(text)
        self.last = last
        if last is True:
            self._weigh(1)

    def _weigh(self, atoms: int) -> None:
        if self.group is not None:
            self.group.atoms += atoms
        else:
            self.atoms += atoms
        if atoms > MOST_ATOMS or self.atoms > MOST_ATOMS:
            raise self._unfit()

    def _unfit(self) -> CannotCheckError:
        return CannotCheckError("the pattern cannot be checked here")

    def _take(self, expected: re.Pattern[str]) -> re.Match[str]:
        found = expected.match(self.source, self.at)
        if found is None:
            raise self._unfit()
        self.at = found.end()
        return found

    def _open(self) -> None:
        rest = self.source[self.at - 1 : self.at + 3]
        opening = next((text for text in _OPENINGS if rest.startswith(text)), "(")
        depth = self.group.depth + 1 if self.group else 1
        if depth > DEEPEST_GROUPS:
            raise self._unfit()
        self.group = _Group(opening, self.group, depth)
        self.at += len(opening) - 1
        if opening == "(":
            self.captures.append(self.group)
            if rest.startswith("(?<"):
                self.at += 1
                self._name()
            elif rest.startswith("(?"):
                # Inline flags, atomic groups, comments and what else `regex` knows.
                raise self._unfit()
        self._put(opening)

    def _name(self) -> None:
        name = self._take(_NAME)[1]
        if name in self.names or not name.replace("$", "_").isidentifier():
            raise self._unfit()
        self.names[name] = len(self.captures)

    def _close(self) -> None:
        group = self.group
        if group is None:
            raise self._unfit()
        group.closed = True
        self.group = group.parent
        # An assertion matches nothing that could be repeated.
        self._weigh(group.atoms)
        self._put(")", last=group if group.opening in {"(", "(?:"} else False)

    def _count(self, counted: re.Match[str]) -> None:
        low, comma, high = int(counted[1]), counted[2], counted[3]
        most = int(high) if high else low
        if most > HIGHEST_COUNT or low > most:
            raise self._unfit()
        self.at = counted.end()
        endless = bool(comma) and not high
        # As `regex` writes it out: the least count, then a loop for the rest.
        copies = low + 1 if low and (endless or most > low) else max(low, 1)
        self._repeat(counted[0], copies=copies, loops=most > 1 or endless)

    def _repeat(self, quantifier: str, *, copies: int, loops: bool) -> None:
        if not self.last:
            raise self._unfit()
        self._weigh((self.last.atoms if isinstance(self.last, _Group) else 1) * (copies - 1))
        if loops and isinstance(self.last, _Group):
            self.last.repeated = True
        lazy = self.source.startswith("?", self.at)
        self.at += lazy
        self._put(quantifier + "?" * lazy)

    def _escape(self) -> None:
        sign = self.source[self.at : self.at + 1]
        if sign in {"b", "B"}:
            self.at += 1
            self._put(BOUNDARY if sign == "b" else NO_BOUNDARY)
        elif sign == "k":
            self.at += 1
            self._refer(self.names.get(self._take(_NAME)[1], 0))
        elif number := _NUMBER.match(self.source, self.at):
            self.at = number.end()
            self._refer(int(number[0]) if len(number[0]) <= len(str(LONGEST_PATTERN)) else 0)
        else:
            atom = self._atom_escape(in_set=False)
            self._put(char(atom) if isinstance(atom, int) else f"[{atom}]", last=True)

    def _refer(self, number: int) -> None:
        """Write a reference back; ECMA-262 lets one to a group that took no part match nothing, `regex` refuses."""
        if not 1 <= number <= len(self.captures) or not self.captures[number - 1].closed:
            raise self._unfit()
        self.referred.append(self.captures[number - 1])
        where = self.group
        while where is not None:
            # Inside a lookbehind ECMA-262 matches backwards, and a reference may come before its group.
            if where.opening.startswith("(?<"):
                raise self._unfit()
            where = where.parent
        self._put(rf"(?:(?({number})\g<{number}>|))", last=True)

    def _check_reference(self, group: _Group) -> None:
        """Refuse a reference whose group may be forgotten: ECMA-262 does so at each turn of a loop, `regex` not."""
        around = group.parent
        while around is not None:
            if around.repeated or around.opening in {"(?!", "(?<!", "(?<="}:
                raise self._unfit()
            around = around.parent

    def _set(self) -> str:
        negated = self.source.startswith("^", self.at)
        self.at += negated
        parts: list[str] = []
        while not self.source.startswith("]", self.at):
            parts.append(self._range())
        self.at += 1
        if not parts:
            return EVERYTHING if negated else NOTHING
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _range(self) -> str:
        low = self._set_atom()
        if not self.source.startswith("-", self.at) or self.source.startswith("-]", self.at):
            return char(low) if isinstance(low, int) else low
        self.at += 1
        high = self._set_atom()
        if isinstance(low, int) and isinstance(high, int):
            if low > high:
                raise self._unfit()
            return f"{char(low)}-{char(high)}"
        # As in [\w-.]: no range can start or end with a set, so the dash means itself.
        self.lenient = True
        return "".join(char(part) if isinstance(part, int) else part for part in (low, ord("-"), high))

    def _set_atom(self) -> int | str:
        sign = self.source[self.at : self.at + 1]
        if not sign:
            raise self._unfit()
        self.at += 1
        return self._atom_escape(in_set=True) if sign == "\\" else ord(sign)

    def _atom_escape(self, *, in_set: bool) -> int | str:
        """Read what follows a backslash: one code point, or the inside of a set."""
        sign = self.source[self.at : self.at + 1]
        self.at += 1
        if sign in SETS:
            return SETS[sign]
        if sign not in {"p", "P"}:
            return self._code_escape(sign, in_set=in_set)
        self.modern = True
        inside = property_members(self._take(_PROPERTY)[1], negated=sign == "P")
        if inside is None:
            raise self._unfit()
        return inside

    def _code_escape(self, sign: str, *, in_set: bool) -> int:
        if sign in CONTROLS:
            return CONTROLS[sign]
        if sign in {"u", "x"}:
            return self._unicode() if sign == "u" else int(self._take(_HEX2)[0], 16)
        match sign:
            case "c" if (letter := self.source[self.at : self.at + 1]).isascii() and letter.isalpha():
                self.at += 1
                return ord(letter) % 32
            case "0" if not self.source[self.at : self.at + 1].isdecimal():
                return 0
            case "b" if in_set:
                return 0x08
            case _ if sign and sign.isascii() and not sign.isalnum():
                self.lenient |= sign not in _SYNTAX and not (in_set and sign == "-")
                return ord(sign)
            case _:
                raise self._unfit()

    def _unicode(self) -> int:
        if self.source.startswith("{", self.at):
            self.modern = True
            code = int(self._take(_BRACED_HEX)[1], 16)
            if code > LAST_CODE_POINT:
                raise self._unfit()
            return code
        code = int(self._take(_HEX4)[0], 16)
        low = _LOW_SURROGATE.match(self.source, self.at)
        if low is not None and 0xD800 <= code < 0xDC00:  # noqa: PLR2004 - the high surrogates of UTF-16
            self.at = low.end()
            return 0x10000 + ((code - 0xD800) << 10) + (int(low[1], 16) - 0xDC00)
        return code
