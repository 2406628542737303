"""The policy of an app, from hostile text to a closed frame (SBX-08 to SBX-13)."""

import pytest

from mcp_elicit_widget.policy import MAX_DOMAINS, make_policy


def rules(text):
    return {name: sources for name, _, sources in (rule.strip().partition(" ") for rule in text.split(";"))}


@pytest.mark.parametrize(
    "ui", [None, {}, "x", [], {"csp": None}, {"csp": {}}, {"csp": []}, {"csp": {"connectDomains": "https://a.b"}}]
)
def test_without_domains_nothing_can_be_reached(ui):
    policy = make_policy(ui)
    inner = rules(policy.inner)
    assert policy.outer == "frame-src 'none'"
    for name in ("default-src", "connect-src", "frame-src", "form-action", "object-src"):
        assert inner[name] == "'none'"
    assert inner["script-src"] == inner["style-src"] == "'unsafe-inline'"
    assert inner["base-uri"] == "about:"
    assert not any(word in policy.inner for word in ("http", "*", "unsafe-eval", "'self'"))
    assert (policy.granted, policy.refused, policy.reach) == ({}, (), "")


def test_each_list_opens_its_own_directives_and_no_other():
    csp = {
        "connectDomains": ["https://api.example", "wss://live.example:8443"],
        "resourceDomains": ["https://cdn.example/", "https://*.static.example"],
        "frameDomains": ["https://maps.example"],
        "baseUriDomains": ["https://base.example"],
    }
    policy = make_policy({"csp": csp})
    inner = rules(policy.inner)
    assert inner["connect-src"] == "https://api.example wss://live.example:8443"
    resources = "https://cdn.example https://*.static.example"
    assert inner["script-src"] == inner["style-src"] == f"'unsafe-inline' {resources}"
    assert inner["img-src"] == inner["media-src"] == f"data: blob: {resources}"
    assert inner["font-src"] == f"data: {resources}"
    assert inner["frame-src"] == "https://maps.example"
    assert inner["base-uri"] == "about: https://base.example"
    assert inner["default-src"] == inner["form-action"] == inner["object-src"] == "'none'"
    assert policy.outer == "frame-src https://maps.example"
    assert policy.granted["resourceDomains"] == ["https://cdn.example", "https://*.static.example"]
    assert policy.refused == ()


@pytest.mark.parametrize(
    "entry",
    [
        "",
        " ",
        "*",
        "https:",
        "https://",
        "https://*",
        "https://*.com",
        "http://a.example",
        "ws://a.example",
        "a.example",
        "data:",
        "blob:",
        "'self'",
        "'unsafe-eval'",
        "https://a.example; script-src *",
        "https://a.example\nscript-src *",
        "https://a.example script-src",
        "https://a.example,https://b.example",
        'https://a.example"',
        "https://a.example'",
        "https://a.example/path",
        "https://a.example/?q",
        "https://a.example#f",
        "https://user@a.example",
        "https://a..example",
        "https://a.*.example",
        "https://*a.example",
        "ftp://a.example",
        "javascript:alert(1)",
        "https://[::1]",
        "HTTPS://",
        "https://a.example:999999",
        "https://\u0430.example",
        "https://a.example\u2028",
        "about:",
        "file:///etc",
        None,
        3,
        [],
        {},
    ],
)
@pytest.mark.parametrize("name", ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"])
def test_an_entry_that_is_no_plain_origin_is_refused_and_reported(name, entry):
    policy = make_policy({"csp": {name: [entry, "https://good.example"]}})
    closed = make_policy({"csp": {name: ["https://good.example"]}})
    assert (policy.outer, policy.inner, policy.granted) == (closed.outer, closed.inner, closed.granted)
    assert len(policy.refused) == 1
    assert "Not granted:" in policy.reach
    assert not any(character in policy.refused[0] for character in "\n;'\" <>")


@pytest.mark.parametrize("entry", ["http://localhost:3000", "http://127.0.0.1:8000", "ws://localhost:1"])
def test_a_server_under_development_may_use_its_own_machine(entry):
    assert make_policy({"csp": {"connectDomains": [entry]}}).granted == {"connectDomains": [entry]}


def test_a_websocket_is_no_source_of_scripts():
    assert make_policy({"csp": {"resourceDomains": ["wss://a.example"]}}).granted == {}


def test_the_same_domain_twice_stands_once_and_very_many_are_cut():
    many = [f"https://a{number}.example" for number in range(MAX_DOMAINS + 5)]
    policy = make_policy({"csp": {"connectDomains": ["https://a0.example", *many]}})
    assert policy.granted["connectDomains"] == many[: MAX_DOMAINS - 1]
    assert policy.refused == ("6 more of connectDomains",)


def test_permissions_are_never_granted_to_a_sandboxed_frame_and_are_reported():
    policy = make_policy({"permissions": {"camera": {}, "geolocation": {}}})
    assert policy.refused == ("permission camera", "permission geolocation")
    assert policy.inner == make_policy(None).inner


@pytest.mark.parametrize("permissions", ["camera", 3, ["camera"]])
def test_malformed_permissions_are_no_error(permissions):
    assert make_policy({"permissions": permissions}).inner == make_policy(None).inner


def test_people_read_where_the_app_may_reach():
    csp = {"connectDomains": ["https://api.example"], "resourceDomains": ["https://cdn.example", "nonsense here"]}
    assert make_policy({"csp": csp}).reach == "This app may reach api.example, cdn.example. Not granted: nonsense?here."
