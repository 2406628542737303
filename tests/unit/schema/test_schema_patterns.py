"""Patterns mean what ECMA-262 says in Unicode mode, or cannot be checked."""

import json
import random
import shutil
import subprocess
import time

import pytest
from schema_helpers import an_object, rules_for

from mcp_elicit_widget.schema import validate
from mcp_elicit_widget.schema.faults import CannotCheckError
from mcp_elicit_widget.schema.patterns import LONGEST_INPUT, matches
from mcp_elicit_widget.schema.translate import LONGEST_PATTERN

ACCEPTED = [
    (r"^\d$", "5"),
    (r"^\D$", "٣"),
    (r"^\w$", "_"),
    (r"^\W$", "é"),
    (r"^\s$", "\ufeff"),
    (r"^\s$", "\u2029"),
    (r"^\S$", "\u200b"),
    (r"^.$", "😀"),
    (r"^.$", "\x85"),
    (r"^\p{L}+$", "Жук"),
    (r"^\p{Lu}$", "É"),
    (r"^\P{L}$", "1"),
    (r"^\p{Script=Greek}+$", "αβ"),
    (r"^\p{sc=Han}$", "漢"),
    (r"^\p{scx=Hira}$", "ー"),
    (r"^\p{Emoji}$", "😀"),
    (r"^\p{General_Category=Decimal_Number}$", "٣"),
    (r"^\p{Any}$", "\n"),
    (r"^[\p{L}\d]+$", "é1"),
    (r"^\u{1F600}$", "😀"),
    (r"^\ud83d\ude00$", "😀"),
    (r"^\u0041\x42\cJ\0$", "AB\n\x00"),
    (r"^[^]$", "\n"),
    (r"^[^\W]$", "a"),
    (r"^[\S]$", "a"),
    (r"^(?<y>\d{4})-\k<y>$", "2024-2024"),
    (r"^(a)?\1b$", "b"),
    (r"^(a|b)\1$", "bb"),
    (r"a|", "zzz"),
    (r"b", "abc"),
    (r"^[[a]$", "["),
    (r"^[a&&b]+$", "&"),
    (r"^[a||b]+$", "|"),
    (r"^[!--]$", ","),
    (r"^[~~]$", "~"),
    (r"^[\b]$", "\x08"),
    (r"^[[:alpha:]+$", "::p"),
    (r"^a{,5}$", "a{,5}"),
    (r"^a{e<=1}$", "a{e<=1}"),
    (r"^{$", "{"),
    (r"^a{2}$", "aa"),
    (r"^a{2,}?$", "aaa"),
    (r"^a+?$", "aaa"),
    (r"^a??$", ""),
    (r"(?<=a)b", "ab"),
    (r"(?<!a)b", "cb"),
    (r"^a(?!b)", "ac"),
    (r"^(?=.*\d)(?=.*[a-z]).{4,}$", "abc1"),
    (r"^https?:\/\/", "https://x"),
    (r"^[\w.\-]+$", "a-b.c"),
    (r"^[\w-.]+$", "a-.b"),
    (r"\bcat\b", "a cat!"),
    (r"\bé", "aé"),
    (r"^\@\-\"$", '@-"'),
    (r"^#(?:[0-9a-f]{3}){1,2}$", "#abcdef"),
    (r"", ""),
    (r"^ a #b$", " a #b"),
    ("^\n$", "\n"),
    (r"^[]|a$", "a"),
    (r"^a\b", "aé"),
    (r"^[A-z]$", "^"),
]

REFUSED = [
    (r"^[0-9]{3}$", "123\n"),
    (r"^\d+$", "٣"),
    (r"^\w+$", "é"),
    (r"^.$", "\n"),
    (r"^.$", "\r"),
    (r"^.$", "\u2028"),
    (r"^a$", "b\na"),
    (r"[]", "a"),
    (r"^\s$", "\x1c"),
    (r"^\s$", "\x85"),
    (r"^\p{Lu}$", "é"),
    (r"^[^\w]$", "a"),
    (r"^\W$", "a"),
    (r"^(a)?\1b$", "ab"),
    (r"^[a&&b]$", "c"),
    (r"^a{,5}$", "aaa"),
    (r"^a{e<=1}$", "b"),
    (r"^[^\D]$", "٣"),
    (r"^(?<y>\d)\k<y>$", "12"),
    (r"^\B", "a"),
    (r"^A$", "a"),
    (r"^[[a]]$", "a"),
]

UNCHECKABLE = [
    r"(?i)a",
    r"(?i:a)",
    r"(?s-i:a)",
    r"(?>a)",
    r"a++",
    r"a*+",
    r"a{2}+",
    r"(?#x)",
    r"\Aa",
    r"a\Z",
    r"a\z",
    r"\G",
    r"\h",
    r"\R",
    r"\X",
    r"\K",
    r"\Q",
    r"(?P<n>a)",
    r"(?P=n)",
    r"(?|a|b)",
    r"(?R)",
    r"(?1)",
    r"(?(1)a|b)",
    r"\L<words>",
    r"(?<n>a)(?<n>b)",
    r"(?<1>a)",
    r"(?<n)",
    r"(",
    r")",
    r"(a",
    r"a)",
    r"[",
    r"[a",
    r"[b-a]",
    r"*",
    r"+a",
    r"|*",
    r"^*",
    r"(?=a)*",
    r"(?<=a)+",
    r"{2}",
    r"a{2,1}",
    r"a{99999}",
    r"a**",
    "\\",
    r"[\]",
    r"\1",
    r"(a)\2",
    r"\1(a)",
    r"(a\1)",
    r"(?:(a)|b)*\1",
    r"(?!(a))\1",
    r"(?<=\1(a))",
    r"\k<n>",
    r"\k",
    r"\u12",
    r"\u{110000}",
    r"\u{}",
    r"\x1",
    r"\c1",
    r"\01",
    r"\p{Greek}",
    r"\p{IsGreek}",
    r"\p{l}",
    r"\pL",
    r"\p{Script=Elvish}",
    r"\p{}",
    r"\p{sc=greek}",
    r"\p{L}\@",
    r"\N{DASH}",
    r"[\B]",
    r"\8",
    "(" * 60 + ")" * 60,
]


@pytest.mark.parametrize(("pattern", "text"), ACCEPTED)
def test_a_text_fits_its_pattern(pattern, text):
    assert matches(pattern, text)


@pytest.mark.parametrize(("pattern", "text"), REFUSED)
def test_a_text_does_not_fit_its_pattern(pattern, text):
    assert not matches(pattern, text)


@pytest.mark.parametrize("pattern", UNCHECKABLE)
def test_what_is_no_ecma_pattern_or_has_no_faithful_translation_cannot_be_checked(pattern):
    with pytest.raises(CannotCheckError):
        matches(pattern, "a")
    assert rules_for({"type": "string", "pattern": pattern}, "a") == ["pattern"]


@pytest.mark.parametrize(
    "around",
    [
        lambda bad: {"not": bad},
        lambda bad: {"anyOf": [bad, {"type": "string"}]},
        lambda bad: {"if": bad, "then": False},
        lambda bad: {"oneOf": [bad, {"minLength": 0}]},
    ],
)
def test_a_pattern_that_cannot_be_checked_is_no_accept_wherever_it_stands(around):
    [error] = validate(an_object(x=around({"pattern": "(?i)a"})), {"x": "a"})
    assert (error.field, error.rule) == ("x", "pattern")
    assert "cannot be checked" in error.message


def test_a_pattern_that_cannot_be_checked_spoils_no_answer_without_its_field():
    assert validate(an_object(x={"type": "string", "pattern": "(?i)a"}), {"y": "a"}) == []


def test_a_pattern_that_backtracks_for_ever_is_given_up_within_a_second():
    begin = time.monotonic()
    assert rules_for({"type": "string", "pattern": "^(a|a)*$"}, "a" * 40 + "!") == ["pattern"]
    assert rules_for({"type": "string", "pattern": r"^(\w+\s?)*$"}, "ab" * 40 + "!") == ["pattern"]
    assert time.monotonic() - begin < 2


def test_patterns_of_names_are_bounded_in_time_too():
    schema = an_object() | {"patternProperties": {"^(a|a)*$": False}, "additionalProperties": False}
    [error] = validate(schema, {"a" * 40 + "!": "x"})
    assert error.rule == "pattern"


def test_a_pattern_or_a_text_beyond_measure_cannot_be_checked():
    with pytest.raises(CannotCheckError):
        matches("a" * (LONGEST_PATTERN + 1), "a")
    with pytest.raises(CannotCheckError):
        matches("a", "a" * (LONGEST_INPUT + 1))
    assert matches("a" * LONGEST_PATTERN, "a" * LONGEST_INPUT)


def test_large_nested_counts_are_compiled_or_refused_quickly():
    begin = time.monotonic()
    assert rules_for({"type": "string", "pattern": "^(((a{9999}){9999}){9999}){9999}$"}, "a") == ["pattern"]
    assert time.monotonic() - begin < 2


ATOMS = [
    "a",
    "b",
    "-",
    "_",
    ".",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    r"\b",
    r"\B",
    "^",
    "$",
    r"\n",
    r"\u0041",
    r"\u{61}",
    r"\x62",
    r"\cJ",
    r"\0",
    r"\/",
    r"\-",
    r"\.",
    "é",
    "😀",
    r"\p{L}",
    r"\P{Lu}",
    r"\p{sc=Greek}",
    "\u03b1",
    "{",
    " ",
    "&&",
    "||",
    "#",
    "(?#x)",
    r"\A",
    r"\Z",
    "(?i)",
    "1",
    "\n",
    "[[",
    r"\1",
    "}",
    "]",
    r"\@",
]
MEMBERS = [
    "a",
    "b",
    "-",
    r"\d",
    r"\D",
    r"\w",
    r"\W",
    r"\s",
    r"\S",
    "[",
    "^",
    "&&",
    "||",
    "--",
    "~~",
    r"\]",
    r"\\",
    r"\-",
    r"\b",
    "é",
    "😀",
    r"\p{L}",
    r"\P{L}",
    "a-c",
    "A-z",
    r"\n",
    "0-9",
    ".",
    "$",
    r"\u{1F600}",
    "(",
    "{",
    "[:alpha:",
    "#",
    " ",
]
QUANTIFIERS = ["", "", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{,2}", "{1", "*?", "+?", "++", "{e<=1}", "{2}?"]
OPENINGS = ["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?>", "(?P<m>", "(?|"]
SIGNS = [*"ab-_.zA19 \n\t&~|#[]{}^$\\:éαß", "😀", "\u2028", "\u00a0", "\ufeff", "\u0663", "\x00"]
NODE = """
const pairs = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const answer = ([pattern, text]) => {
  for (const flag of ['u', '']) { try { return [flag, new RegExp(pattern, flag).test(text)]; } catch {} }
  return ['none', null];
};
process.stdout.write(JSON.stringify(pairs.map(answer)));
"""


def _some_pattern(dice, depth=0):
    parts = []
    for _ in range(dice.randint(1, 4)):
        roll = dice.random()
        if roll < 0.2 and depth < 3:
            parts.append(dice.choice(OPENINGS) + _some_pattern(dice, depth + 1) + ")")
        elif roll < 0.4:
            parts.append("[" + dice.choice(["", "^"]) + "".join(dice.choices(MEMBERS, k=dice.randint(0, 4))) + "]")
        else:
            parts.append("|" if roll < 0.47 else dice.choice(ATOMS))
        parts.append(dice.choice(QUANTIFIERS))
    return "".join(parts)


def _judged(pattern, text):
    try:
        return matches(pattern, text)
    except CannotCheckError:
        return None


@pytest.mark.skipif(shutil.which("node") is None, reason="compares with the patterns of Node")
def test_patterns_mean_what_a_real_ecma_engine_says_or_cannot_be_checked():
    dice = random.Random(20261201)
    fixed = [(pattern, text) for pattern, text in ACCEPTED + REFUSED]
    some = [_some_pattern(dice) for _ in range(2500)]
    pairs = fixed + [(one, "".join(dice.choices(SIGNS, k=dice.randint(0, 6)))) for one in some for _ in range(2)]
    done = subprocess.run(
        [shutil.which("node"), "-e", NODE], input=json.dumps(pairs), capture_output=True, text=True, check=True
    )
    checked = 0
    for (pattern, text), (flag, theirs) in zip(pairs, json.loads(done.stdout), strict=True):
        ours = _judged(pattern, text)
        if flag == "none":
            assert ours is None, pattern
        elif ours is not None and (flag == "u" or (pattern + text).isascii()):
            # Outside Unicode mode they count UTF-16 units, we code points.
            assert ours is theirs, (pattern, text)
            checked += 1
        elif flag == "u" and ours is None:
            assert r"\1" in pattern, pattern
    assert checked > 1000
