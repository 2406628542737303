"""Formats are really checked, whatever is installed beside this package."""

import pytest
from schema_helpers import rules_for

from mcp_elicit_widget.schema.formats import is_date, is_date_time, is_email, is_uri


@pytest.mark.parametrize(
    "text",
    [
        "a@b.co",
        "first.last+tag@sub.example.org",
        "o'neil@example.org",
        '"a b"@example.org',
        "x@[127.0.0.1]",
        "x@[IPv6:2001:db8::1]",
        "root@localhost",
    ],
)
def test_addresses_are_emails(text):
    assert is_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "a",
        "a@",
        "@b.co",
        "a b@c.de",
        "a@b..co",
        ".a@b.co",
        "a.@b.co",
        "a@-b.co",
        "a@b.co\n",
        "Ann <a@b.co>",
        "a@b.co,c@d.ef",
        "ü@b.co",
        "x@[300.0.0.1]",
        "x@[IPv6:zz]",
        "a" * 65 + "@b.co",
        "a@" + "b." * 130 + "co",
    ],
)
def test_other_texts_are_no_emails(text):
    assert not is_email(text)


@pytest.mark.parametrize(
    "text",
    [
        "https://x.y",
        "http://u:p@h:80/a?b=c#d",
        "mailto:a@b.co",
        "urn:isbn:1",
        "ftp://h/",
        "http://[::1]:8/",
        "tel:+49",
        "file:///etc",
        "a:",
        "data:,x%20y",
    ],
)
def test_absolute_addresses_are_uris(text):
    assert is_uri(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a uri",
        "/a/b",
        "//h/a",
        "x.y",
        "http://",
        "https:",
        "http://h h",
        "http://h/%zz",
        "1a:b",
        "http://[::1",
        "http://[1]/",
        "http://h:x/",
        "https://h/ü",
        "https://h/\n",
        "http://a@b@c/",
    ],
)
def test_other_texts_are_no_uris(text):
    assert not is_uri(text)


@pytest.mark.parametrize("text", ["2024-02-29", "0000-01-01", "9999-12-31", "2000-02-29"])
def test_days_that_exist_are_dates(text):
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2023-02-29",
        "1900-02-29",
        "2024-13-01",
        "2024-00-10",
        "2024-04-31",
        "2024-1-1",
        "20240101",
        "2024-01-01Z",
        "٢٠٢٤-01-01",
        "2024-01-01\n",
        "31.12.2024",
    ],
)
def test_other_texts_are_no_dates(text):
    assert not is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-01T10:00:00Z",
        "2024-01-01t10:00:00z",
        "2024-01-01T10:00:00.123456789+05:30",
        "2016-12-31T23:59:60Z",
        "2017-01-01T00:59:60+01:00",
        "2024-01-01T00:00:00-00:00",
    ],
)
def test_moments_with_a_zone_are_date_times(text):
    assert is_date_time(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2024-01-01",
        "2024-01-01T10:00:00",
        "2024-01-01 10:00:00Z",
        "2024-01-01T24:00:00Z",
        "2024-01-01T10:60:00Z",
        "2024-01-01T10:00:61Z",
        "2024-01-01T10:00:60Z",
        "2024-01-01T10:00Z",
        "2024-02-30T10:00:00Z",
        "2024-01-01T10:00:00+24:00",
        "2024-01-01T10:00:00+01:60",
        "2024-01-01T10:00:00+01",
        "2024-01-01T10:00:00.Z",
    ],
)
def test_other_texts_are_no_date_times(text):
    assert not is_date_time(text)


@pytest.mark.parametrize("name", ["phone", "uuid", "regex", "password", "idn-email"])
def test_formats_beyond_the_four_are_annotations(name):
    assert rules_for({"type": "string", "format": name}, "(") == []


def test_a_format_says_nothing_about_values_that_are_no_texts():
    assert rules_for({"format": "email"}, 1) == []
