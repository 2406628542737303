"""Whatever a server or an app sends: nothing raises, nothing leaks, the form and the judge agree."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from schema_helpers import an_object

from mcp_elicit_widget.schema import collect, drafts_from, extras, form_plan, initial, normalise, validate

NAMES = st.sampled_from(["a", "b", "x", "", "class", "__proto__", "日本語", "$ref", "type", "enum", "default", "a.b"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
TYPES = ["string", "number", "integer", "boolean", "array", "object", "null", "strin"]
KEYWORDS = {
    "type": st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), max_size=3, unique=True),
    "title": st.text(max_size=5),
    "default": JSON,
    "const": JSON,
    "enum": st.lists(JSON, max_size=4),
    "enumNames": st.lists(st.text(max_size=3), max_size=4),
    "minLength": st.integers(-1, 3),
    "maxLength": st.integers(0, 400),
    "minimum": st.floats(-5, 5) | st.integers(-5, 5),
    "maximum": st.integers(),
    "exclusiveMinimum": st.booleans() | st.integers(),
    "multipleOf": st.sampled_from([0.01, 0.5, 3, 0]),
    "minItems": st.integers(0, 2),
    "uniqueItems": st.booleans(),
    "format": st.sampled_from(["email", "uri", "date", "date-time", "password", "phone"]),
    "pattern": st.sampled_from(["^a+$", r"\d", "(?i)a", "[", "^(a|a)*$"]),
    "$ref": st.sampled_from(["#", "#/$defs/A", "#/$defs/B", "#/$defs/Z", "http://127.0.0.1:9/x", "#/properties/x"]),
    "$schema": st.sampled_from(
        ["http://json-schema.org/draft-04/schema#", "http://json-schema.org/draft-07/schema#", "?"]
    ),
    "required": st.lists(NAMES, max_size=2),
    "additionalProperties": st.booleans(),
    "x-any": JSON,
}
PLAIN = st.fixed_dictionaries({}, optional=KEYWORDS)


def _with_inner(inner):
    several = st.lists(inner, max_size=3)
    more = {
        "items": inner,
        "anyOf": several,
        "oneOf": several,
        "allOf": several,
        "not": inner,
        "if": inner,
        "then": inner,
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "prefixItems": several,
        "contains": inner,
    }
    return st.builds(lambda one, two: {**one, **two}, PLAIN, st.fixed_dictionaries({}, optional=more))


FIELDS = st.recursive(PLAIN | st.booleans(), _with_inner, max_leaves=5)
USUAL = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")}, optional={k: KEYWORDS[k] for k in ("default", "maxLength", "format")}
    ),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["number", "integer"])}, optional={"default": JSON, "minimum": st.integers(-3, 3)}
    ),
    st.fixed_dictionaries({"type": st.just("boolean")}, optional={"default": JSON}),
    st.fixed_dictionaries({"enum": st.lists(st.text(max_size=3) | st.none(), max_size=4)}, optional={"default": JSON}),
    st.fixed_dictionaries(
        {"type": st.just("array"), "items": st.just({"enum": ["a", "b", "c"]})}, optional={"default": JSON}
    ),
)
SCHEMAS = st.one_of(
    JSON,
    FIELDS,
    st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(NAMES, FIELDS | USUAL, max_size=4)},
        optional={
            "required": st.lists(NAMES, max_size=2),
            "$defs": st.fixed_dictionaries({"A": FIELDS, "B": FIELDS}),
            "additionalProperties": FIELDS,
            "patternProperties": st.dictionaries(KEYWORDS["pattern"], FIELDS, max_size=2),
            "propertyNames": FIELDS,
            "unevaluatedProperties": st.booleans(),
            "$schema": KEYWORDS["$schema"],
        },
    ),
)
DRAFTS = st.one_of(
    st.sampled_from(["", "a", "1", "2.5", "nan", "2024-01-01", '["a"]', "null", "{}", " "]),
    st.text(max_size=6),
    st.booleans(),
    st.none(),
    st.integers(-1, 4),
    st.lists(st.integers(-1, 4), max_size=3).map(tuple),
)


@settings(max_examples=150, deadline=None)
@given(SCHEMAS, JSON)
def test_nothing_raises_on_any_schema_and_any_answer(schema, content):
    plan = form_plan(schema)
    errors = validate(schema, content)
    assert plan.problem is None or collect(plan, {}).errors
    for field in plan.fields:
        initial(field)
    drafts_from(plan, content)
    if isinstance(content, dict):
        extras(schema, content)
        if not errors:
            assert validate(schema, normalise(schema, content)) == []


@settings(max_examples=150, deadline=None)
@given(SCHEMAS, st.dictionaries(NAMES, DRAFTS, max_size=4))
def test_what_the_form_gives_without_errors_the_judge_accepts(schema, drafts):
    plan = form_plan(schema)
    collected = collect(plan, drafts)
    if not collected.errors:
        assert validate(schema, collected.content) == []
        again = collect(plan, drafts_from(plan, collected.content))
        assert collected.content.items() >= {k: v for k, v in again.content.items() if k in collected.content}.items()


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(NAMES, USUAL, max_size=4), st.data())
def test_an_accepted_answer_can_be_put_into_the_form_and_comes_out_the_same(properties, data):
    schema = an_object(**properties)
    values = st.sampled_from(["a", "b", "a@b.co", 1, 2.5, True, ["a", "c"], "2024-01-01"])
    content = data.draw(st.dictionaries(st.sampled_from([*properties, "zzz"]), values, max_size=4))
    plan = form_plan(schema)
    if plan.problem is None and not validate(schema, content):
        again = collect(plan, drafts_from(plan, content)).content
        assert {name: again[name] for name in content if name != "zzz"} == {
            k: v for k, v in content.items() if k != "zzz"
        }


SECRET = "s3cr3t-of-a-person"
VALUES = st.sampled_from(
    [SECRET, [SECRET], {"a": SECRET}, [SECRET, SECRET], 735419.25, 735419, [[SECRET]], SECRET * 400]
)


@settings(max_examples=120, deadline=None)
@given(SCHEMAS, st.dictionaries(NAMES, VALUES, max_size=3))
def test_no_error_holds_a_submitted_value(schema, content):
    texts = repr(validate(schema, content)) + repr(collect(form_plan(schema), {k: str(v) for k, v in content.items()}))
    assert SECRET not in texts
    assert "735419" not in texts


@settings(max_examples=100, deadline=None)
@given(SCHEMAS, st.dictionaries(NAMES, JSON, min_size=2, max_size=4))
def test_the_order_of_keys_does_not_change_the_verdict(schema, content):
    def turned(value):
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert validate(schema, content) == validate(schema, turned(content))
    if isinstance(schema, dict) and len(json.dumps(schema)) < 10_000:
        assert bool(validate(schema, content)) == bool(validate(turned(schema), content))
