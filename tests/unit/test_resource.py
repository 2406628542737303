"""What may be drawn as an app, and with which policy (RES, SBX-09)."""

import base64

import pytest

from mcp_elicit_widget.resource import INNER_POLICY, MAX_HTML_BYTES, OUTER_POLICY, UnusableApp, check_app

URI = "ui://a/b"
MIME = "text/html;profile=mcp-app"


def item(**members):
    return {"uri": URI, "mimeType": MIME, "text": "<p>hi</p>", **members}


def one(**members):
    content = {key: value for key, value in item(**members).items() if value is not None}
    return {"contents": [content]}


def test_text_and_blob_give_the_same_utf_8():
    html = "<p>你好, café 👋</p>"
    text = check_app(URI, one(text=html))
    blob = check_app(URI, one(text=None, blob=base64.b64encode(html.encode()).decode()))
    assert text.html == blob.html == html.encode()


def test_the_default_policy_lets_nothing_out():
    app = check_app(URI, one())
    assert (app.outer_policy, app.inner_policy) == (OUTER_POLICY, INNER_POLICY)
    rules = dict(rule.strip().split(" ", 1) for rule in INNER_POLICY.split(";"))
    assert rules["default-src"] == rules["connect-src"] == rules["frame-src"] == rules["form-action"] == "'none'"
    assert rules["object-src"] == "'none'"
    assert "allow-same-origin" not in INNER_POLICY + OUTER_POLICY
    assert not any(word in INNER_POLICY for word in ("http", "*", "unsafe-eval"))


@pytest.mark.parametrize(
    "mime",
    [MIME, "Text/HTML; profile=mcp-app", 'text/html ;Profile="mcp-app"', "text/html;charset=utf-8;profile=mcp-app"],
)
def test_the_media_type_is_compared_as_a_media_type(mime):
    assert check_app(URI, one(mimeType=mime)).html


@pytest.mark.parametrize(
    "mime",
    [
        None,
        "",
        "text/html",
        "text/html+mcp",
        "text/html;profile=other",
        "text/plain;profile=mcp-app",
        "text/html;profile=mcp-app;profile=x",
        3,
    ],
)
def test_another_media_type_is_refused_by_name(mime):
    with pytest.raises(UnusableApp, match="media type"):
        check_app(URI, one(mimeType=mime))


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"text": None}, "neither"),
        ({"blob": "aGk="}, "both"),
        ({"text": 5}, "neither"),
        ({"text": None, "blob": "//79"}, "UTF-8"),
        ({"text": "\ud800"}, "UTF-8"),
        ({"text": None, "blob": "not base64!"}, "base64"),
        ({"text": "x" * (MAX_HTML_BYTES + 1)}, "larger than 5 MB"),
        ({"_meta": {"ui": {"csp": {"connectDomains": ["https://a.example"]}}}}, "connectDomains"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(members, reason):
    with pytest.raises(UnusableApp, match=reason):
        check_app(URI, one(**members))


def test_exactly_five_megabytes_are_drawn():
    assert len(check_app(URI, one(text="x" * MAX_HTML_BYTES)).html) == MAX_HTML_BYTES


def test_empty_domain_lists_ask_for_nothing():
    csp = {"connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": []}
    assert check_app(URI, one(_meta={"ui": {"csp": csp}})).inner_policy == INNER_POLICY


@pytest.mark.parametrize("contents", [None, [], {}, "x", [None], [3]])
def test_a_result_without_content_is_no_app(contents):
    with pytest.raises(UnusableApp, match="no such app"):
        check_app(URI, {"contents": contents})


def test_of_several_items_the_one_with_the_address_is_taken():
    other = item(uri="ui://a/other", text="<p>other</p>")
    assert check_app(URI, {"contents": [other, item()]}).html == b"<p>hi</p>"
    with pytest.raises(UnusableApp, match="several"):
        check_app(URI, {"contents": [item(), item()]})


def test_the_html_is_in_no_repr():
    assert "hi" not in repr(check_app(URI, one()))
