"""Both halves of the capability, the choice, and the ui:// rule."""

import pytest

from mcp_elicit_widget.negotiation import (
    APP_MIME_TYPE,
    EXTENSION,
    choose,
    client_settings,
    is_app_uri,
    server_offers,
)

HINT = {"_meta": {"ui": {"resourceUri": "ui://a/b"}}}


def test_with_a_front_end_the_mime_type_and_the_nested_setting_are_claimed_together():
    assert client_settings(front_end=True) == {EXTENSION: {"mimeTypes": [APP_MIME_TYPE], "elicitation": {}}}


def test_without_a_front_end_nothing_is_claimed():
    assert client_settings(front_end=False) == {}


@pytest.mark.parametrize(
    ("extensions", "offered"),
    [
        ({EXTENSION: {"elicitation": {}}}, True),
        ({EXTENSION: {"elicitation": {"later": 1}, "more": 2}}, True),
        ({EXTENSION: {"mimeTypes": [APP_MIME_TYPE]}}, False),
        ({EXTENSION: {}}, False),
        ({EXTENSION: {"elicitation": True}}, False),
        ({EXTENSION: {"elicitation": None}}, False),
        ({EXTENSION: None}, False),
        ({}, False),
        (None, False),
        ([], False),
    ],
)
def test_the_servers_half_is_the_nested_object_and_nothing_less(extensions, offered):
    assert server_offers(extensions) is offered


@pytest.mark.parametrize(("client", "server"), [(False, False), (True, False), (False, True)])
def test_an_app_that_was_not_negotiated_is_not_used_and_the_reader_learns_it(client, server):
    choice = choose(HINT, client=client, server=server)
    assert choice.uri is None
    assert choice.remarkable


def test_a_negotiated_app_is_used():
    choice = choose(HINT, client=True, server=True)
    assert choice.uri == "ui://a/b"


def test_unknown_members_beside_the_address_are_ignored():
    params = {"_meta": {"ui": {"resourceUri": "ui://a/b", "later": 1}, "progressToken": 3}}
    assert choose(params, client=True, server=True).uri == "ui://a/b"


@pytest.mark.parametrize(
    "meta", [None, "x", [], {"ui": "x"}, {"ui": None}, {"ui": []}, {"ui": {}}, {"ui/resourceUri": "ui://a/b"}]
)
def test_metadata_that_names_no_app_leads_to_a_plain_form_without_a_remark(meta):
    choice = choose({"_meta": meta}, client=True, server=True)
    assert (choice.uri, choice.remarkable) == (None, False)


@pytest.mark.parametrize("uri", ["ui://a", "ui://a/", "ui://a/b?c#d", "ui://A.b-c/ü"])
def test_an_absolute_ui_address_with_an_authority_is_an_app(uri):
    assert is_app_uri(uri)


@pytest.mark.parametrize(
    "uri",
    ["", "ui:", "ui:a", "ui:/a", "ui://", "ui:///a", "ui://?a", "ui://#a", "UI://a/b", " ui://a", "ui://a b", "ui://a\n",
     "ui://a/\x00", "http://a/b", "https://a/ui://b", "file:///a", "javascript:alert(1)", "data:text/html,x",
     None, 3, b"ui://a", ["ui://a"]],
)  # fmt: skip
def test_anything_else_is_none(uri):
    assert not is_app_uri(uri)
    choice = choose({"_meta": {"ui": {"resourceUri": uri}}}, client=True, server=True)
    assert (choice.uri, choice.remarkable) == (None, True)
