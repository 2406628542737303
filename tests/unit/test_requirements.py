"""The ledger of requirements and the list of breaks: complete, and every test that they name is there."""

import ast
import functools
import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SIZES = {
    "NEG": 19, "RES": 18, "SBX": 25, "BRG": 35, "ELI": 20, "VAL": 16, "FBK": 11, "MRT": 18, "LEG": 9, "URL": 7,
    "SEC": 14, "ERR": 13, "A11Y": 9,
}  # fmt: skip
LEVELS = {"MUST": 105, "SHOULD": 43, "common practice": 32, "MUST NOT": 16, "MAY": 14, "SHOULD NOT": 4}
STANDINGS = {"tests", "not_applicable", "open"}
FEWEST_MUTANTS = 30

ROWS = tomllib.loads((ROOT / "tests" / "requirements.toml").read_text(encoding="utf-8"))
MUTANTS = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text(encoding="utf-8"))["mutant"]


@functools.cache
def source(path):
    return (ROOT / path).read_text(encoding="utf-8")


@functools.cache
def functions(path):
    return {node.name for node in ast.parse(source(path)).body if isinstance(node, ast.FunctionDef)}


def is_there(test):
    """Tell whether a named test exists: a function of a Python module, or a title in a TypeScript file."""
    path, _, name = test.partition("::")
    if not (ROOT / path).is_file():
        return False
    if path.endswith(".py"):
        return name.startswith("test_") and name in functions(path)
    return path.endswith(".test.ts") and json.dumps(name, ensure_ascii=False) in source(path)


def groups(identifiers):
    return {identifier.partition("-")[0] for identifier in identifiers}


def test_every_requirement_has_its_row():
    assert list(ROWS) == [f"{group}-{number:02}" for group, size in SIZES.items() for number in range(1, size + 1)]
    assert Counter(row["level"] for row in ROWS.values()) == LEVELS


@pytest.mark.parametrize("identifier", ROWS)
def test_a_row_says_where_the_package_stands(identifier):
    row = ROWS[identifier]
    assert len(STANDINGS & row.keys()) == 1
    assert row.keys() <= STANDINGS | {"level", "text"}
    assert row["text"].strip()
    assert "\n" not in row["text"]
    assert row.get("open", True) is True
    assert row.get("not_applicable", "x").strip()
    assert row.get("tests", True)


@pytest.mark.parametrize("identifier", [identifier for identifier, row in ROWS.items() if "tests" in row])
def test_the_tests_of_a_row_are_there(identifier):
    tests = ROWS[identifier]["tests"]
    assert [test for test in tests if not is_there(test)] == []
    assert len(set(tests)) == len(tests)


def test_a_test_that_is_not_there_would_be_noticed():
    assert is_there("tests/unit/test_requirements.py::test_every_requirement_has_its_row")
    assert not is_there("tests/unit/test_requirements.py::test_nothing")
    assert not is_there("tests/unit/test_requirements.py::is_there")
    assert not is_there("tests/unit/test_nothing.py::test_nothing")
    assert is_there("js/tests/unit/peer.test.ts::requests are numbered from 1")
    assert not is_there("js/tests/unit/peer.test.ts::requests are numbered")


def test_there_are_enough_breaks_and_no_two_are_the_same():
    assert len(MUTANTS) >= FEWEST_MUTANTS
    assert len({(mutant["file"], mutant["old"], mutant["new"]) for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: re.sub(r"\W+", "-", mutant["why"]))
def test_a_break_can_be_made_and_its_tests_are_there(mutant):
    assert mutant.keys() == {"file", "old", "new", "tests", "shows", "why"}
    assert mutant["file"].startswith(("mcp_elicit_widget/", "js/src/"))
    assert source(mutant["file"]).count(mutant["old"]) == 1
    assert mutant["new"] != mutant["old"]
    assert "\n" not in mutant["old"] + mutant["new"] + mutant["why"]
    assert mutant["tests"]
    assert [test for test in mutant["tests"] if not is_there(test)] == []
    assert mutant["shows"]
    assert [shown for shown in mutant["shows"] if "tests" not in ROWS[shown]] == []


def test_every_group_that_has_tests_has_a_break():
    tested = groups(identifier for identifier, row in ROWS.items() if "tests" in row)
    assert groups(shown for mutant in MUTANTS for shown in mutant["shows"]) >= tested
