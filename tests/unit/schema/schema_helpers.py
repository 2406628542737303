"""What the tests of the schema room share."""

from mcp_elicit_widget.schema import collect, form_plan, validate


def an_object(*required, defs=None, **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return schema | ({"$defs": defs} if defs else {})


def field_of(schema, *, required=False, **more):
    """Return the drawn field of a form with this one property."""
    plan = form_plan(an_object(*(["x"] if required else []), x=schema, **more))
    assert plan.problem is None
    return plan.fields[0]


def rules_for(schema, value):
    """Return the rules that a value of one property breaks."""
    return [error.rule for error in validate(an_object(x=schema), {"x": value})]


def untouched(schema):
    """Return what the form says when nothing is touched."""
    return collect(form_plan(schema), {})


def typed(schema, *, required=False, draft):
    """Return what the form says of one property with a draft in it."""
    return collect(form_plan(an_object(*(["x"] if required else []), x=schema)), {"x": draft})
