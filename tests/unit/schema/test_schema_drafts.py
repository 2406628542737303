"""What a person leaves in the fields becomes an answer, or an error beside the field."""

import pytest
from schema_helpers import an_object, field_of, typed, untouched

from mcp_elicit_widget.schema import collect, form_plan, initial, validate

DAYS = {"type": "string", "enum": ["mon", "tue", "wed"]}
SOME_DAYS = {"type": "array", "items": DAYS}


def outcome(schema, draft, *, required=False):
    """Return the value that is sent, "omitted", or the rule of the one error."""
    collected = typed(schema, required=required, draft=draft)
    if collected.errors:
        [error] = collected.errors
        return f"error {error.rule}"
    return collected.content.get("x", "omitted")


def test_an_untouched_form_says_exactly_its_defaults_falsy_ones_too():
    schema = an_object(
        "city",
        "count",
        "ok",
        "note",
        "days",
        "ratio",
        city={"type": "string", "default": "Oslo"},
        count={"type": "integer", "default": 0},
        ok={"type": "boolean", "default": False},
        note={"type": "string", "default": ""},
        days={**SOME_DAYS, "default": []},
        ratio={"type": "number", "default": 0.25},
        day={**DAYS, "default": "tue"},
        more={**SOME_DAYS, "default": ["wed", "mon"]},
    )
    collected = untouched(schema)
    assert collected.errors == ()
    assert collected.content == {
        "city": "Oslo",
        "count": 0,
        "ok": False,
        "note": "",
        "days": [],
        "ratio": 0.25,
        "day": "tue",
        "more": ["mon", "wed"],
    }


def test_untouched_optional_fields_are_left_out():
    kinds = [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}, DAYS, SOME_DAYS, {"format": "date"}, {}]
    schema = an_object(**{f"f{number}": kind for number, kind in enumerate(kinds)})
    assert (untouched(schema).content, untouched(schema).errors) == ({}, ())


def test_a_blank_optional_text_is_left_out_and_nothing_is_carried_over():
    plan = form_plan(an_object("first", first={"type": "string"}, nick={"type": "string", "minLength": 2}))
    collected = collect(plan, {"first": "Bo", "nick": ""})
    assert (collected.content, collected.errors) == ({"first": "Bo"}, ())


@pytest.mark.parametrize(
    ("schema", "draft", "required", "expected"),
    [
        ({"type": "string"}, "", False, "omitted"),
        ({"type": "string"}, "", True, ""),
        ({"type": "string", "minLength": 1}, "", True, "error required"),
        ({"type": "string", "default": ""}, "", False, ""),
        ({"type": "string", "format": "email", "default": ""}, "", False, "omitted"),
        ({"type": "string", "default": "a"}, "", False, "omitted"),
        ({"type": "string"}, " a ", False, " a "),
        ({"type": "string", "maxLength": 2}, "abc", False, "error maxLength"),
        ({"type": "string", "maxLength": 900}, "a\nb", False, "a\nb"),
        ({"type": "string", "format": "email"}, "@", False, "error format"),
        ({"type": "string", "format": "date"}, " 2028-02-29 ", False, "2028-02-29"),
        ({"type": "string", "format": "date"}, " ", True, "error required"),
        ({"type": "string", "format": "date-time"}, "2028-02-29T10:00:00", False, "error format"),
        ({"type": "string", "format": "date-time"}, "2028-02-29T10:00:00+01:00", False, "2028-02-29T10:00:00+01:00"),
        ({"type": "boolean"}, None, False, "omitted"),
        ({"type": "boolean"}, None, True, "error required"),
        ({"type": "boolean"}, False, True, False),
        (DAYS, None, False, "omitted"),
        (DAYS, None, True, "error required"),
        (DAYS, 0, True, "mon"),
        (DAYS, 3, True, "error enum"),
        (DAYS, -1, True, "error enum"),
        (DAYS, True, True, "error enum"),
        (SOME_DAYS, None, False, "omitted"),
        (SOME_DAYS, (), False, "omitted"),
        (SOME_DAYS, None, True, []),
        (SOME_DAYS, (), True, []),
        (SOME_DAYS | {"minItems": 1}, None, True, "error required"),
        (SOME_DAYS | {"minItems": 1}, (), True, "error minItems"),
        (SOME_DAYS | {"default": ["mon"]}, (), False, []),
        (SOME_DAYS | {"default": ["mon"], "minItems": 1}, (), False, "omitted"),
        (SOME_DAYS | {"maxItems": 2}, (0, 1, 2), False, "error maxItems"),
        (SOME_DAYS, (2, 0, 2), False, ["mon", "wed"]),
        (SOME_DAYS, (0, 9), False, "error enum"),
        ({}, "", True, "error required"),
        ({}, '"a"', True, "a"),
        ({}, "1.5", True, 1.5),
        ({}, '["a", "b"]', True, ["a", "b"]),
        ({}, "a", True, "error json"),
        ({}, "[" * 100_000, True, "error json"),
        ({}, "NaN", True, "error json"),
        ({}, "1e999", True, "error finite"),
        ({}, "null", True, "error flat"),
        ({}, '{"a": 1}', True, "error flat"),
        ({"type": "array", "items": {"type": "string"}}, "[1]", False, "error flat"),
        ({"type": ["string", "integer"]}, "3", False, 3),
        ({"const": "a"}, None, True, "a"),
        ({"const": "a"}, 0, False, "a"),
    ],
)
def test_a_draft_becomes_a_value_is_left_out_or_is_an_error(schema, draft, required, expected):
    got = outcome(schema, draft, required=required)
    assert (got, type(got)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30", 30),
        (" 7 ", 7),
        ("-4", -4),
        ("+4", 4),
        ("3.0", 3),
        ("3e2", 300),
        ("1200e-2", 12),
        ("9007199254740993", 2**53 + 1),
        ("0", 0),
        ("3.", 3),
        ("3.5", "error type"),
        ("1e-1", "error type"),
        ("1,000", "error type"),
        ("1_000", "error type"),
        ("٣", "error type"),
        ("three", "error type"),
        ("0x10", "error type"),
        ("--1", "error type"),
        ("1 2", "error type"),
        ("nan", "error finite"),
        ("-inf", "error finite"),
        ("1e999999999", "error finite"),
        ("9" * 2000, "error size"),
        ("0e999999999", 0),
        ("", "omitted"),
    ],
)
def test_whole_numbers_are_read_exactly_and_the_same_in_every_country(text, expected):
    got = outcome({"type": "integer"}, text)
    assert (got, type(got)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0.25", 0.25),
        ("3", 3),
        ("3.0", 3.0),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-1.5E-2", -0.015),
        ("1,5", "error type"),
        ("1e999", "error finite"),
        ("1e400", "error finite"),
        ("nan", "error finite"),
        ("Infinity", "error finite"),
        ("9007199254740993", 2**53 + 1),
        ("1.5.1", "error type"),
        (" ", "omitted"),
    ],
)
def test_numbers_are_read_the_same_in_every_country(text, expected):
    got = outcome({"type": "number"}, text)
    assert (got, type(got)) == (expected, type(expected))


def test_a_number_that_is_not_finite_is_said_to_be_so():
    [error] = typed({"type": "number"}, draft="1e999").errors
    assert "a finite number" in error.message


def test_a_default_out_of_range_is_shown_with_an_error_and_never_changed():
    schema = an_object(
        n={"type": "integer", "minimum": 0, "default": 500}, m={"type": "integer", "maximum": 10, "default": 50}
    )
    plan = form_plan(schema)
    assert [initial(field) for field in plan.fields] == ["500", "50"]
    [error] = collect(plan, {}).errors
    assert (error.field, error.rule) == ("m", "maximum")
    assert collect(plan, {"m": "9"}).content == {"n": 500, "m": 9}


@pytest.mark.parametrize(
    ("schema", "shown", "rule"),
    [
        ({"type": "string", "default": 5}, "5", "type"),
        ({"type": "integer", "default": "5"}, "5", "type"),
        ({"type": "integer", "default": True}, "true", "type"),
        ({"type": "integer", "default": 2.5}, "2.5", "type"),
        ({"type": "string", "format": "date", "default": "today"}, "today", "format"),
        ({"type": "string", "format": "date", "default": {"a": 1}}, '{"a": 1}', "type"),
        ({"default": {"a": 1}}, '{"a": 1}', "flat"),
    ],
)
def test_a_default_of_another_type_is_shown_with_an_error_and_never_coerced(schema, shown, rule):
    assert initial(field_of(schema)) == shown
    [error] = untouched(an_object(x=schema)).errors
    assert (error.field, error.rule) == ("x", rule)


@pytest.mark.parametrize(
    "schema",
    [
        DAYS | {"default": "sun"},
        SOME_DAYS | {"default": ["mon", "sun"]},
        SOME_DAYS | {"default": "mon"},
        {"type": "boolean", "default": "no"},
        DAYS | {"default": ["mon"]},
    ],
)
def test_a_default_that_is_not_offered_chooses_nothing(schema):
    assert initial(field_of(schema)) is None
    assert untouched(an_object(x=schema)).content == {}


def test_picked_options_leave_in_the_order_of_the_schema_and_too_many_are_an_error():
    perm = {
        "type": "array",
        "minItems": 1,
        "maxItems": 2,
        "default": ["w"],
        "items": {
            "anyOf": [{"const": "r", "title": "Read"}, {"const": "w", "title": "Write"}, {"const": "x", "title": "Run"}]
        },
    }
    plan = form_plan(an_object("perm", perm=perm))
    assert [option.label for option in plan.fields[0].options] == ["Read", "Write", "Run"]
    assert collect(plan, {}).content == {"perm": ["w"]}
    assert collect(plan, {"perm": (2, 0)}).content == {"perm": ["r", "x"]}
    assert [error.rule for error in collect(plan, {"perm": (0, 1, 2)}).errors] == ["maxItems"]


def test_a_titled_choice_without_a_type_sends_its_constant():
    schema = an_object("p", p={"oneOf": [{"const": "low", "title": "Low one"}, {"const": "high", "title": "High one"}]})
    plan = form_plan(schema)
    assert collect(plan, {"p": 0}).content == {"p": "low"}
    assert [error.field for error in collect(plan, {}).errors] == ["p"]


def test_a_required_yes_or_no_is_never_answered_by_itself():
    schema = an_object("approved", approved={"type": "boolean"})
    assert [(error.field, error.rule) for error in untouched(schema).errors] == [("approved", "required")]
    assert validate(schema, {}) != []


def test_what_cannot_be_read_and_what_does_not_fit_are_said_together_in_order():
    schema = an_object(
        "a", "b", "c", a={"type": "string", "minLength": 1}, b={"type": "integer"}, c={"type": "integer", "minimum": 5}
    )
    collected = collect(form_plan(schema), {"a": "", "b": "x", "c": "1"})
    assert [(error.field, error.rule) for error in collected.errors] == [
        ("a", "required"),
        ("b", "type"),
        ("c", "minimum"),
    ]


def test_rules_about_the_whole_answer_keep_the_form_from_being_sent():
    plan = form_plan(an_object(a={"type": "string"}, b={"type": "string"}) | {"minProperties": 1})
    assert [(error.field, error.rule) for error in collect(plan, {}).errors] == [(None, "minProperties")]
    assert collect(plan, {"b": "x"}).errors == ()


def test_drafts_of_another_kind_count_as_nothing():
    plan = form_plan(an_object(a={"type": "string"}, b={"type": "boolean"}, c=SOME_DAYS))
    collected = collect(plan, {"a": None, "b": "yes", "c": "mon", "zzz": "?"})
    assert [(error.field, error.rule) for error in collected.errors] == [("c", "enum")]
