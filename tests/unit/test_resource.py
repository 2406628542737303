"""What may be drawn as an app, and with which policy (RES, SBX-09)."""

import asyncio
import base64

import pytest

from mcp_elicit_widget.errors import ServerError
from mcp_elicit_widget.policy import make_policy
from mcp_elicit_widget.resource import MAX_HTML_BYTES, UnusableApp, load_app

URI = "ui://a/b"
MIME = "text/html;profile=mcp-app"


CLOSED = make_policy(None)


def check_app(uri, result, listed=()):
    """Load an app from a server that answers like this."""
    asked = []

    async def read(wanted):
        asked.append(wanted)
        return result

    async def entries():
        asked.append("list")
        if isinstance(listed, Exception):
            raise listed
        return list(listed)

    app = asyncio.run(load_app(uri, read, entries))
    check_app.asked = asked
    return app


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
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(members, reason):
    with pytest.raises(UnusableApp, match=reason):
        check_app(URI, one(**members))


def test_exactly_five_megabytes_are_drawn():
    assert len(check_app(URI, one(text="x" * MAX_HTML_BYTES)).html) == MAX_HTML_BYTES


def policy_of(result, listed=()):
    return check_app(URI, result, listed).policy


DOMAINS = {"csp": {"connectDomains": ["https://a.example"]}}
OPEN = make_policy(DOMAINS)


def test_the_metadata_of_the_content_counts_and_the_list_is_not_asked():
    assert policy_of(one(_meta={"ui": DOMAINS}), [item(_meta={"ui": {}})]) == OPEN
    assert check_app.asked == [URI]


def test_empty_metadata_of_the_content_counts_too():
    assert policy_of(one(_meta={"ui": {}}), [item(_meta={"ui": DOMAINS})]) == CLOSED
    assert check_app.asked == [URI]


def test_without_metadata_the_entry_of_the_list_counts():
    entries = [item(uri="ui://a/other", _meta={"ui": {}}), item(_meta={"ui": DOMAINS})]
    assert policy_of(one(), entries) == OPEN
    assert check_app.asked == [URI, "list"]


@pytest.mark.parametrize("listed", [[], [None, 3, "x"], [item()], [item(_meta=None)], ServerError("x", code=-32601)])
def test_an_app_that_is_not_listed_or_has_no_metadata_is_drawn_and_reaches_nothing(listed):
    assert policy_of(one(), listed) == CLOSED


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
