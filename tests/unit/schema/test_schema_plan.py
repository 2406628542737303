"""From any schema that servers send to the fields of a form."""

import json
import time

import pytest
from schema_helpers import an_object, field_of, untouched

from mcp_elicit_widget.schema import UNSET, Option, collect, drafts_from, form_plan, initial, validate

SIZES = {"type": "string", "enum": ["s", "m"]}


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "maxLength": 500}, "long_text"),
        ({"type": "string", "default": "one\ntwo"}, "long_text"),
        ({"type": "string", "format": "email", "maxLength": 300}, "text"),
        ({"type": "string", "format": "uri"}, "text"),
        ({"type": "string", "format": "date"}, "date"),
        ({"type": "string", "format": "date-time"}, "date-time"),
        ({"type": "number"}, "number"),
        ({"type": "integer"}, "integer"),
        ({"type": ["integer", "number"]}, "number"),
        ({"type": "boolean"}, "boolean"),
        (SIZES, "choice"),
        ({"enum": [1, 2]}, "choice"),
        ({"oneOf": [{"const": "s", "title": "Small"}]}, "choice"),
        ({"anyOf": [{"const": "s"}, {"const": "m"}, {"type": "null"}]}, "choice"),
        ({"type": "array", "items": SIZES}, "choices"),
        ({"items": {"anyOf": [{"const": "s", "title": "Small"}]}}, "choices"),
        ({"type": "array", "items": {"const": "s"}}, "choices"),
        ({"const": "s", "default": "s"}, "fixed"),
        ({"const": "s"}, "choice"),
        ({"minLength": 1}, "text"),
        ({"minimum": 1}, "number"),
        ({"type": "object", "properties": {}}, "json"),
        ({"properties": {"a": {}}}, "json"),
        ({"type": "array", "items": {"type": "object"}}, "json"),
        ({"type": "array", "items": {"type": "string"}}, "json"),
        ({"type": "array", "items": {"enum": [1, 2]}}, "json"),
        ({"type": "array", "prefixItems": [SIZES], "items": SIZES}, "json"),
        ({"type": ["string", "integer"]}, "json"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "json"),
        ({"enum": ["a", {"b": 1}]}, "json"),
        ({}, "json"),
        (True, "json"),
    ],
)
def test_a_field_is_asked_for_in_the_kind_of_its_schema(schema, kind):
    assert field_of(schema).kind == kind


def test_a_required_constant_is_fixed_and_sent():
    schema = an_object("x", x={"const": "agreed", "title": "Terms"})
    [field] = form_plan(schema).fields
    assert (field.kind, field.options) == ("fixed", (Option("agreed", "agreed"),))
    assert untouched(schema).content == {"x": "agreed"}


def test_labels_helps_and_titles_are_the_servers_plain_texts():
    plan = form_plan(
        an_object(x={"title": "<b>Name</b>", "description": "Your\nname"}) | {"title": "T", "description": "D"}
    )
    assert (plan.title, plan.description) == ("T", "D")
    assert (plan.fields[0].label, plan.fields[0].help) == ("<b>Name</b>", "Your\nname")
    assert field_of({"type": "string"}).label == "x"


@pytest.mark.parametrize(
    ("schema", "hint"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 5}, "1 to 5"),
        ({"type": "number", "minimum": 0}, "at least 0"),
        ({"type": "number", "maximum": 2.0}, "at most 2"),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, "more than 0, less than 1"),
        ({"type": "integer", "multipleOf": 5}, "a multiple of 5"),
        ({"type": "string", "minLength": 3}, "at least 3 characters"),
        ({"type": "string", "minLength": 0, "maxLength": 1}, "at most 1 character"),
        ({"type": "string", "minLength": 4, "maxLength": 4}, "exactly 4 characters"),
        ({"type": "string", "format": "email"}, "an email address, like name@example.org"),
        ({"type": "string", "pattern": "^[A-Z]+$"}, "of the form ^[A-Z]+$"),
        ({"type": "array", "items": SIZES, "minItems": 1, "maxItems": 2}, "1 to 2 choices"),
        ({"type": "array", "items": {"type": "string"}}, 'JSON, like ["one", "two"]'),
        ({"type": "string", "enum": ["a"], "default": "b"}, "the suggested value is not among the options"),
        ({"type": "boolean", "default": "yes"}, "the suggested value is not among the options"),
        ({"type": "string"}, ""),
    ],
)
def test_limits_are_said_in_a_few_words(schema, hint):
    assert field_of(schema).hint == hint


def test_old_exclusive_limits_are_said_in_a_few_words_too():
    schema = an_object(x={"type": "number", "minimum": 0, "exclusiveMinimum": True, "maximum": 1})
    plan = form_plan(schema | {"$schema": "http://json-schema.org/draft-04/schema#"})
    assert plan.fields[0].hint == "more than 0 and at most 1"


@pytest.mark.parametrize("name", ["password", "db_passwd", "apiKey", "API key", "accessToken", "token", "clientSecret"])
def test_a_field_that_sounds_like_a_secret_is_marked(name):
    assert form_plan(an_object(**{name: {"type": "string"}})).fields[0].secret
    assert field_of({"type": "string", "title": name}).secret


def test_other_fields_are_no_secrets():
    plan = form_plan(
        an_object(tokenizer={"type": "string"}, token_count={"type": "integer"}, passenger={"type": "string"})
    )
    assert [field.secret for field in plan.fields] == [False, False, False]
    assert field_of({"type": "string", "format": "password"}).secret


@pytest.mark.parametrize(
    ("schema", "blank_ok"),
    [
        ({"type": "string"}, True),
        ({"type": "string", "minLength": 1}, False),
        ({"type": "integer"}, False),
        ({"type": "string", "format": "email"}, False),
        ({"type": "string", "pattern": "^a*$"}, True),
    ],
)
def test_whether_a_blank_is_allowed_is_told(schema, blank_ok):
    assert field_of(schema).blank_ok is blank_ok


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/Size", "default": "m", "title": "How big"},
        {"allOf": [{"$ref": "#/$defs/Size"}], "default": "m", "title": "How big"},
        {"anyOf": [{"$ref": "#/$defs/Size"}, {"type": "null"}], "default": "m", "title": "How big"},
        {"$ref": "#/$defs/a~1b%25~0", "default": "m", "title": "How big"},
    ],
)
@pytest.mark.parametrize(
    "dialect", ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema"]
)
def test_local_references_are_put_in_their_place_and_keep_what_stands_beside_them(schema, dialect):
    defs = {"Size": {**SIZES, "title": "Size"}, "a/b%~": {"$ref": "#/$defs/Size"}}
    whole = an_object("x", x=schema, defs=defs) | {"$schema": dialect}
    [field] = form_plan(whole).fields
    assert (field.kind, field.label, field.default) == ("choice", "How big", "m")
    assert untouched(whole).content == {"x": "m"}
    assert [error.rule for error in validate(whole, {"x": "xl"})] == ["enum"]


def test_references_in_items_and_in_definitions_and_at_the_root_are_followed():
    many = {
        "$ref": "#/definitions/Form",
        "definitions": {
            "Form": {"type": "object", "properties": {"p": {"type": "array", "items": {"$ref": "#/definitions/P"}}}},
            "P": {"type": "string", "enum": ["low", "high"]},
        },
    }
    plan = form_plan(many)
    assert plan.problem is None
    assert plan.fields[0].kind == "choices"
    assert collect(plan, {"p": (1, 0, 1)}).content == {"p": ["low", "high"]}


def test_parts_of_a_root_that_all_hold_are_drawn_together():
    plan = form_plan({"allOf": [an_object("a", a={"type": "string"}), an_object("b", b={"type": "integer"})]})
    assert [(field.name, field.required) for field in plan.fields] == [("a", True), ("b", True)]


def test_a_null_beside_a_type_is_not_drawn_and_its_default_is_none():
    for schema in ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"type": ["string", "null"]}):
        field = field_of(schema | {"default": None, "title": "Note"})
        assert (field.kind, field.label, field.default, initial(field)) == ("text", "Note", UNSET, "")


def test_a_null_among_options_is_not_offered_and_names_stay_beside_their_values():
    field = field_of({"enum": ["a", None, "b"], "enumNames": ["A", "none", "B"]})
    assert field.options == (Option("a", "A"), Option("b", "B"))


def test_names_of_options_that_do_not_match_in_number_are_ignored():
    assert [option.label for option in field_of({"enum": ["a", "b"], "enumNames": ["A"]}).options] == ["a", "b"]


def test_options_keep_the_type_of_their_value():
    field = field_of({"enum": [1, True, "1", 0, False], "default": True})
    assert initial(field) == 1
    assert [option.label for option in field.options] == ["1", "true", "1", "0", "false"]


def test_property_names_are_opaque():
    names = ["class", "a.b", "日本語", "__proto__", "", "$ref", "properties", "a/b~c", "$schema"]
    schema = an_object(*names, **{name: {"type": "string", "minLength": 1} for name in names})
    plan = form_plan(schema)
    assert [field.name for field in plan.fields] == names
    content = {name: f"value {number}" for number, name in enumerate(names)}
    collected = collect(plan, content)
    assert (collected.content, collected.errors) == (content, ())


def test_a_schema_without_fields_is_a_confirmation():
    for schema in ({"type": "object", "properties": {}}, {"type": "object"}):
        plan = form_plan(schema)
        assert (plan.fields, plan.problem) == ((), None)
        assert collect(plan, {}).content == {}
        assert validate(schema, {}) == []


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (None, "no object"),
        ([], "no object"),
        ({}, "no object with fields"),
        ({"type": "string"}, "no object with fields"),
        ({"type": "object", "properties": []}, "does not compile (at $.properties)"),
        (an_object(x={"type": "strin"}), "does not compile (at $.properties.x.type)"),
        (an_object(x={"type": "string", "minLength": "3"}), "does not compile"),
        (an_object(x=1), "does not compile"),
        (an_object(x={"$ref": "https://example.org/x.json"}), "outside itself"),
        (an_object(x={"$ref": "other.json#/a"}), "outside itself"),
        (an_object(x={"$ref": 1}), "outside itself"),
        (an_object(x={"$id": "https://e.org/", "items": {"$ref": "#/x"}}), "outside itself"),
        (an_object(x={"$ref": "#/$defs/None"}), "not there"),
        (an_object(x={"$ref": "#/required"}), "not there"),
        (an_object(x={"$ref": "#anchor"}), "by a name"),
        (an_object(x={"$ref": "#"}), "refers to itself"),
        (an_object(x={"$ref": "#/properties/x"}), "refers to itself"),
        (an_object(x={"$dynamicRef": "#x"}), "dynamic references"),
        (an_object(x={"default": float("nan")}), "no JSON"),
        (an_object(x={"default": {1, 2}}), "no JSON"),
        (an_object(x={"description": "a" * 1_000_001}), "too large"),
        ({"type": "object", "properties": {f"f{n}": {} for n in range(10_001)}}, "too large"),
        (
            {"type": "object", "patternProperties": {"a": {}}, "unevaluatedProperties": False, "properties": {}},
            "not supported",
        ),
        (an_object("zzz", x={}), "requires 'zzz'"),
        (an_object("x", x=False), "forbids"),
        (an_object("x", x={"type": "object"}), "flat"),
        (an_object("x", x={"type": "null"}), "flat"),
        (an_object("x", x={"type": "array", "items": {"type": "integer"}, "minItems": 1}), "flat"),
        (an_object("x", x={"type": "string", "enum": []}), "no options"),
        (an_object("x", x={"type": "string", "pattern": "(?i)a"}), "cannot be checked"),
    ],
)
def test_a_schema_that_cannot_be_used_says_why_and_accepts_nothing(schema, reason):
    plan = form_plan(schema)
    assert reason in plan.problem
    [error] = collect(plan, {}).errors
    assert (error.field, error.rule, error.message) == (None, "schema", plan.problem)
    assert validate(schema, {}) != []


def test_an_optional_field_that_cannot_be_answered_spoils_no_form():
    plan = form_plan(an_object(x={"type": "object"}, y={"type": "string", "pattern": "(?i)a"}, z=False))
    assert plan.problem is None
    assert [field.name for field in plan.fields] == ["x", "y"]
    assert collect(plan, {}).content == {}
    assert [error.rule for error in collect(plan, {"x": '{"a": 1}', "y": "a"}).errors] == ["flat", "pattern"]


def test_deep_and_growing_schemas_are_given_up_quickly():
    deep = {"type": "string"}
    for _ in range(5000):
        deep = {"allOf": [deep]}
    growing = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 9} for n in range(9)} | {"d9": {"type": "string"}}
    circle = []
    circle.append(circle)
    begin = time.monotonic()
    for schema in (
        an_object("x", x=deep),
        an_object("x", x={"$ref": "#/$defs/d0"}, defs=growing),
        an_object("x", x={"default": circle}),
    ):
        assert form_plan(schema).problem
        assert validate(schema, {"x": "a"}) != []
    assert time.monotonic() - begin < 3


def test_an_answer_that_costs_too_many_steps_is_given_up():
    branches = [{"minLength": n, "maxLength": n} for n in range(1, 5000)]
    schema = an_object(x={"type": "array", "items": {"type": "string", "anyOf": branches}})
    begin = time.monotonic()
    error = validate(schema, {"x": ["a" * 6000] * 300})[-1]
    assert (error.field, error.rule, "too long" in error.message) == (None, "schema", True)
    assert time.monotonic() - begin < 10


@pytest.mark.parametrize(
    "content",
    [{f"k{n}": 1 for n in range(3000)}, {"x": ["a"] * 30_000}, {"x": "a" * 3_000_000}, {"x": 10**5000}],
)
def test_an_answer_beyond_measure_is_refused(content):
    [error] = validate({"type": "object"}, content)
    assert error.rule == "size"


def test_thousands_of_options_and_hundreds_of_fields_are_quick():
    titled = [{"const": f"opt{n}", "title": f"Option {n}", "description": "d"} for n in range(5000)]
    begin = time.monotonic()
    for schema in ({"enum": [f"opt{n}" for n in range(5000)]}, {"oneOf": titled}, {"anyOf": titled}):
        plan = form_plan(an_object("x", x=schema))
        assert collect(plan, {"x": 4999}).content == {"x": "opt4999"}
        assert [error.rule for error in collect(plan, {}).errors] == ["required"]
    several = an_object(x={"type": "array", "items": {"anyOf": titled}, "uniqueItems": True})
    assert len(collect(form_plan(several), {"x": tuple(range(5000))}).content["x"]) == 5000
    fields = {f"f{n}": {"type": "string", "title": "T", "default": "a", "maxLength": 9} for n in range(300)}
    assert len(untouched(an_object(*fields, **fields)).content) == 300
    assert time.monotonic() - begin < 6


def test_a_remote_reference_is_never_fetched(monkeypatch):
    import socket

    monkeypatch.setattr(socket, "socket", None)
    for where in ({"$ref": "http://127.0.0.1:9/x.json"}, {"$schema": "http://127.0.0.1:9/s", "type": "string"}):
        schema = an_object("x", x=where)
        form_plan(schema)
        [error] = validate(schema, {"x": 1})
        assert error.rule in {"schema", "type"}


@pytest.mark.parametrize(
    "dialect",
    [
        "http://json-schema.org/draft-04/schema#",
        "http://json-schema.org/draft-06/schema#",
        "http://json-schema.org/draft-07/schema#",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
        "https://example.org/unknown",
        7,
    ],
)
def test_each_dialect_is_honoured_and_an_unknown_one_is_taken_for_the_newest(dialect):
    schema = an_object("x", x={"$ref": "#/definitions/n"}) | {"definitions": {"n": {"type": "integer", "minimum": 2}}}
    whole = schema | {"$schema": dialect}
    assert validate(whole, {"x": 2.0}) == []
    assert [error.rule for error in validate(whole, {"x": 1})] == ["minimum"]


def test_dialects_differ_where_they_do():
    def errors(dialect):
        beside = an_object(x={"$ref": "#/definitions/t", "maxLength": 1}) | {"definitions": {"t": {"type": "string"}}}
        return validate(beside | {"$schema": dialect}, {"x": "ab"})

    assert errors("http://json-schema.org/draft-07/schema#") == []
    assert [error.rule for error in errors("https://json-schema.org/draft/2020-12/schema")] == ["maxLength"]


def test_a_dialect_declared_inside_does_not_switch_the_judge():
    schema = an_object(x={"$schema": "http://json-schema.org/draft-07/schema#", "type": "string", "format": "email"})
    assert [error.rule for error in validate(schema, {"x": "@"})] == ["format"]


def test_unknown_keywords_and_empty_titles_are_no_reason_to_refuse():
    schema = an_object(x={"type": "string", "x-order": 1, "title": None, "description": None, "enumNames": 3})
    assert form_plan(schema | {"title": None}).fields[0].label == "x"
    assert validate(schema, {"x": "a"}) == []


def test_a_schema_changed_afterwards_is_read_anew_and_the_plan_stays():
    schema = an_object("x", x={"type": "string"})
    plan = form_plan(schema)
    schema["properties"]["x"]["type"] = "integer"
    assert collect(plan, {"x": "a"}).errors == ()
    assert [error.rule for error in validate(schema, {"x": "a"})] == ["type"]


def test_drafts_are_made_of_the_values_that_are_good_by_themselves():
    schema = an_object(
        "a",
        a={"type": "string", "minLength": 2},
        b={"type": "integer"},
        c={"type": "boolean"},
        d=SIZES,
        e={"type": "array", "items": SIZES},
        f={"type": "array", "items": {"type": "string"}},
        g={"const": 1, "default": 1},
        h={"type": "number"},
        i={"format": "email"},
    )
    plan = form_plan(schema)
    good = {
        "a": "ab",
        "b": 3.0,
        "c": False,
        "d": "m",
        "e": ["m", "s"],
        "f": ["z"],
        "g": 1,
        "h": 0.5,
        "i": 1,
        "other": "q",
    }
    drafts = drafts_from(plan, good)
    assert drafts == {"a": "ab", "b": "3", "c": False, "d": 1, "e": (0, 1), "f": '["z"]', "h": "0.5"}
    assert collect(plan, drafts).content == {
        "a": "ab",
        "b": 3,
        "c": False,
        "d": "m",
        "e": ["s", "m"],
        "f": ["z"],
        "g": 1,
        "h": 0.5,
    }
    bad = {"a": "a", "b": "3", "c": 1, "d": "xl", "e": ["xl"], "f": [1], "h": float("inf")}
    assert drafts_from(plan, bad) == {}
    for content in (None, [], "a", {"a": None}, {1: 2}):
        assert drafts_from(plan, content) == {}


def test_no_part_of_an_answer_stands_in_a_repr():
    plan = form_plan(an_object(x={"type": "string", "maxLength": 3}))
    collected = collect(plan, {"x": "s3cr3t"})
    assert "s3cr3t" not in repr((collected, plan, collected.errors))
    assert json.dumps(collected.content) == '{"x": "s3cr3t"}'
