"""Each keyword of the restricted form schema: one value that it accepts and one that it refuses."""

import math

import pytest
from schema_helpers import an_object, rules_for

from mcp_elicit_widget.schema import FieldError, extras, normalise, validate

TITLED = [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]

KEYWORDS = [
    ({"type": "string"}, "a", 1, "type"),
    ({"type": "string", "minLength": 2}, "ab", "a", "minLength"),
    ({"type": "string", "maxLength": 2}, "ab", "abc", "maxLength"),
    ({"type": "string", "format": "email"}, "ann@example.org", "@", "format"),
    ({"type": "string", "format": "uri"}, "https://x.example", "not a uri", "format"),
    ({"type": "string", "format": "date"}, "2028-02-29", "2027-02-29", "format"),
    ({"type": "string", "format": "date-time"}, "2027-01-01T10:00:00Z", "2027-01-01T10:00:00", "format"),
    ({"type": "string", "pattern": "^[A-Z]{2}$"}, "DE", "DE\n", "pattern"),
    ({"type": "string", "enum": ["r", "g"]}, "g", "b", "enum"),
    ({"type": "string", "oneOf": TITLED}, "g", "Green", "oneOf"),
    ({"type": "string", "anyOf": TITLED}, "r", "b", "anyOf"),
    ({"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]}, "r", "Red", "enum"),
    ({"const": "yes"}, "yes", "no", "const"),
    ({"type": "number"}, 1.5, "1.5", "type"),
    ({"type": "number", "minimum": 1}, 1, 0.5, "minimum"),
    ({"type": "number", "maximum": 1}, 1, 1.5, "maximum"),
    ({"type": "number", "exclusiveMinimum": 1}, 1.1, 1, "exclusiveMinimum"),
    ({"type": "number", "exclusiveMaximum": 1}, 0.9, 1, "exclusiveMaximum"),
    ({"type": "number", "multipleOf": 0.01}, 0.07, 0.075, "multipleOf"),
    ({"type": "integer"}, 7, 7.5, "type"),
    ({"type": "integer", "minimum": 1, "maximum": 5}, 5, 6, "maximum"),
    ({"type": "boolean"}, False, 0, "type"),
    ({"type": "array", "items": {"type": "string", "enum": ["r", "g"]}}, ["g"], ["b"], "enum"),
    ({"type": "array", "items": {"anyOf": TITLED}}, ["r", "g"], ["b"], "anyOf"),
    ({"type": "array", "items": {"oneOf": TITLED}}, [], ["b"], "oneOf"),
    ({"type": "array", "items": {"type": "string"}, "minItems": 1}, ["a"], [], "minItems"),
    ({"type": "array", "items": {"type": "string"}, "maxItems": 1}, ["a"], ["a", "b"], "maxItems"),
    ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, ["a", "b"], ["a", "a"], "uniqueItems"),
    ({"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]}, "ab", "a", "minLength"),
    ({"type": ["integer", "null"]}, 3, "3", "type"),
    ({"type": "string", "not": {"const": "a"}}, "b", "a", "not"),
    ({"if": {"minLength": 3}, "then": {"pattern": "^x"}, "type": "string"}, "ab", "abc", "pattern"),
]


@pytest.mark.parametrize(("schema", "good", "bad", "rule"), KEYWORDS)
def test_a_keyword_accepts_what_fits_and_names_itself_where_not(schema, good, bad, rule):
    assert rules_for(schema, good) == []
    assert rules_for(schema, bad) == [rule]


@pytest.mark.parametrize(
    ("kind", "value", "fits"),
    [
        ("integer", 1.0, True),
        ("integer", 2**60, True),
        ("integer", True, False),
        ("integer", "1", False),
        ("number", True, False),
        ("number", 1, True),
        ("number", "1", False),
        ("string", 1, False),
        ("boolean", 1, False),
        ("boolean", "true", False),
        ("boolean", True, True),
    ],
)
@pytest.mark.parametrize(
    "dialect", [None, "http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#"]
)
def test_nothing_is_coerced_in_any_dialect(kind, value, fits, dialect):
    schema = an_object("x", x={"type": kind}) | ({"$schema": dialect} if dialect else {})
    assert (validate(schema, {"x": value}) == []) is fits


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused_before_the_schema(value):
    assert rules_for({"type": "number", "minimum": 0, "maximum": 5}, value) == ["finite"]
    assert rules_for({}, value) == ["finite"]


@pytest.mark.parametrize("value", [None, {}, {"a": 1}, [1], ["a", None], [["a"]], (), b"a", object()])
def test_a_value_that_is_not_flat_is_refused_whatever_the_schema_says(value):
    assert rules_for({}, value) == ["flat"]


def test_a_nested_value_that_the_schema_asks_for_is_said_to_be_unsendable():
    [error] = validate(an_object(x={"type": "object"}), {"x": {"a": 1}})
    assert error.rule == "flat"
    assert "cannot be sent" in error.message


@pytest.mark.parametrize("content", [None, [], "a", 1, {1: "a"}, ["x"]])
def test_an_answer_that_is_no_object_with_names_is_refused(content):
    [error] = validate(an_object(x={}), content)
    assert (error.field, error.rule) == (None, "type")


def test_all_that_is_missing_or_wrong_is_said_at_once_in_the_order_of_the_schema():
    schema = an_object("a", "b", "c", a={"type": "string"}, b={"type": "integer"}, c={"type": "number"})
    errors = validate(schema, {"c": math.nan, "b": "1"})
    assert [(error.field, error.rule) for error in errors] == [("a", "required"), ("b", "type"), ("c", "finite")]


def test_a_blank_answer_satisfies_required():
    assert validate(an_object("x", x={"type": "string"}), {"x": ""}) == []


def test_lengths_are_counted_in_code_points():
    assert rules_for({"type": "string", "maxLength": 1}, "😀") == []
    assert rules_for({"type": "string", "minLength": 2}, "😀") == ["minLength"]


def test_additional_keys_are_accepted_where_the_schema_allows_them_and_are_listed():
    schema = an_object(x={"type": "string"})
    assert validate(schema, {"x": "a", "y": "b"}) == []
    assert extras(schema, {"x": "a", "y": "b", "z": 1}) == ["y", "z"]


def test_additional_keys_are_refused_where_the_schema_forbids_them():
    schema = an_object(x={"type": "string"}) | {"additionalProperties": False}
    assert validate(schema, {"x": "a"}) == []
    assert [(error.field, error.rule) for error in validate(schema, {"x": "a", "y": "b"})] == [
        ("y", "additionalProperties")
    ]


def test_additional_keys_are_judged_where_the_schema_describes_them():
    schema = an_object() | {"additionalProperties": {"type": "integer"}, "patternProperties": {"^n_": {"minimum": 5}}}
    assert validate(schema, {"a": 1, "n_a": 6}) == []
    assert [error.field for error in validate(schema, {"a": "1", "n_a": 4})] == ["a", "n_a"]


@pytest.mark.parametrize(
    ("more", "good", "bad", "rule"),
    [
        ({"minProperties": 1}, {"a": "1"}, {}, "minProperties"),
        ({"maxProperties": 1}, {}, {"a": "1", "b": "1"}, "maxProperties"),
        ({"propertyNames": {"maxLength": 1}}, {"a": "1"}, {"zz": "1"}, "propertyNames"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": "1", "b": "1"}, {"a": "1"}, "dependentRequired"),
        ({"unevaluatedProperties": False}, {"a": "1"}, {"zz": "1"}, "unevaluatedProperties"),
        ({"allOf": [{"required": ["a"]}]}, {"a": "1"}, {"b": "1"}, "required"),
        ({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"a": "1"}, {"a": "1", "b": "1"}, "oneOf"),
    ],
)
def test_rules_about_the_answer_as_a_whole_are_kept(more, good, bad, rule):
    schema = an_object(a={"type": "string"}, b={"type": "string"}) | more
    assert validate(schema, good) == []
    assert [error.rule for error in validate(schema, bad)] == [rule]


@pytest.mark.parametrize(
    ("schema", "value", "normal"),
    [
        ({"type": "integer"}, 3.0, 3),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 3.0, 3),
        ({"type": "number"}, 3.0, 3.0),
        ({"type": ["integer", "number"]}, 3.0, 3.0),
        ({}, 3.0, 3.0),
        ({"type": "string"}, "3.0", "3.0"),
    ],
)
def test_a_whole_float_leaves_as_an_integer_only_where_an_integer_is_asked_for(schema, value, normal):
    result = normalise(an_object(x=schema), {"x": value, "other": 2.0})
    assert result == {"x": normal, "other": 2.0}
    assert type(result["x"]) is type(normal)


@pytest.mark.parametrize(
    ("divisor", "value", "fits"),
    [
        (0.01, 0.07, True),
        (0.01, 19.99, True),
        (0.5, 10**400, True),
        (3, 10**400, False),
        (1e-300, 1e300, True),
        (0.1, 0.35, False),
        (2, -4, True),
        (2.5, 0, True),
    ],
)
def test_multiples_are_counted_in_decimals_without_overflow(divisor, value, fits):
    assert (rules_for({"type": "number", "multipleOf": divisor}, value) == []) is fits


def test_an_error_tells_its_field_rule_and_sentence_and_nothing_else():
    [error] = validate(an_object(x={"type": "string", "maxLength": 3}), {"x": "s3cr3t"})
    assert error == FieldError("x", "maxLength", "must have at most 3 characters")
    assert "s3cr3t" not in repr(error)


def test_old_exclusive_limits_are_said_as_such():
    schema = an_object(x={"type": "number", "minimum": 1, "exclusiveMinimum": True})
    [error] = validate(schema | {"$schema": "http://json-schema.org/draft-04/schema#"}, {"x": 1})
    assert error.message == "must be more than 1"
