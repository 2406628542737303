"""The four formats of the restricted form schema, really checked (VAL-07).

`jsonschema` checks uri and date-time only when extra packages happen to be installed, and calls "@" an email address.
A judge must not depend on that, so these checks are our own. Every other format is an annotation.
"""

from __future__ import annotations

import calendar
import ipaddress
import re

MONTHS = 12
HOURS = 24
MINUTES = 60
# RFC 5321, 4.5.3.1: octets of a local part, and of an address in a path without its brackets.
LONGEST_LOCAL_PART = 64
LONGEST_ADDRESS = 254

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL = rf'{_ATOM}(?:\.{_ATOM})*|"(?:[ !#-\[\]-~]|\\[ -~])*"'
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = re.compile(rf"(?P<local>{_LOCAL})@(?:{_LABEL}(?:\.{_LABEL})*|\[(?P<literal>[^\[\]]*)\])")

_PCHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
_USER = r"(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*"
_HOST = r"(?:\[(?P<ipv6>[0-9A-Fa-f:.]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)"
_URI = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):"
    rf"(?://(?P<authority>(?:{_USER}@)?{_HOST}(?::[0-9]*)?)(?:/{_PCHAR}*)*|/(?:{_PCHAR}+(?:/{_PCHAR}*)*)?"
    rf"|{_PCHAR}+(?:/{_PCHAR}*)*|)"
    rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?"
)
_HOST_SCHEMES = frozenset({"ftp", "http", "https", "ws", "wss"})

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(
    r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]+)?(?:[Zz]|(?P<sign>[+-])(?P<hours>[0-9]{2}):(?P<minutes>[0-9]{2}))"
)


def is_email(text: str) -> bool:
    """Tell whether this is one address as in RFC 5321, without a name beside it."""
    found = _EMAIL.fullmatch(text) if len(text) <= LONGEST_ADDRESS else None
    if found is None or len(found["local"]) > LONGEST_LOCAL_PART:
        return False
    literal = found["literal"]
    if literal is None:
        return True
    if literal.startswith("IPv6:"):
        return _is_address(literal.removeprefix("IPv6:"), ipaddress.IPv6Address)
    return _is_address(literal, ipaddress.IPv4Address)


def is_uri(text: str) -> bool:
    """Tell whether this is an absolute URI as in RFC 3986: with a scheme, ASCII only, no spaces."""
    found = _URI.fullmatch(text)
    if found is None:
        return False
    if found["ipv6"] is not None and not _is_address(found["ipv6"], ipaddress.IPv6Address):
        return False
    # RFC 9110, 4.2.1: these schemes mean nothing without a host, though RFC 3986 lets it be empty.
    return bool(found["authority"]) or found["scheme"].lower() not in _HOST_SCHEMES


def is_date(text: str) -> bool:
    """Tell whether this is a full-date as in RFC 3339, and a day that exists."""
    found = _DATE.fullmatch(text)
    if found is None:
        return False
    year, month, day = (int(part) for part in found.groups())
    return 1 <= month <= MONTHS and 1 <= day <= _days(year, month)


def is_date_time(text: str) -> bool:
    """Tell whether this is a date-time as in RFC 3339: with a zone offset, and leap seconds only where they occur."""
    date, middle, time = text[:10], text[10:11], text[11:]
    found = _TIME.fullmatch(time)
    if found is None or middle not in ("T", "t") or not is_date(date):
        return False
    hour, minute, second = (int(part) for part in found.groups()[:3])
    ahead, apart = int(found["hours"] or 0), int(found["minutes"] or 0)
    if max(hour, ahead) >= HOURS or max(minute, apart) >= MINUTES:
        return False
    if second < MINUTES:
        return True
    offset = (ahead * MINUTES + apart) * (-1 if found["sign"] == "-" else 1)
    last_minute = HOURS * MINUTES - 1
    return second == MINUTES and (hour * MINUTES + minute - offset) % (HOURS * MINUTES) == last_minute


FORMATS = {"email": is_email, "uri": is_uri, "date": is_date, "date-time": is_date_time}


def _days(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def _is_address(text: str, kind: type[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True
