"""The app of a question: read from the server that asks, checked, and given a policy (RES, SBX-08, SBX-09)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from .shapes import is_object, member

MAX_HTML_BYTES = 5 * 1024 * 1024
DOMAIN_LISTS = ("connectDomains", "resourceDomains", "frameDomains", "baseUriDomains")

OUTER_POLICY = "frame-src 'none'"
INNER_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; "
    "media-src data: blob:; connect-src 'none'; frame-src 'none'; worker-src blob:; object-src 'none'; "
    "form-action 'none'; base-uri about:"
)


class UnusableApp(Exception):
    """The app cannot be used; the text says why, for people."""


@dataclass(frozen=True, repr=False)
class AppResource:
    """An app that may be drawn: its address, its HTML as UTF-8, and the policy of its two frames."""

    uri: str
    html: bytes
    outer_policy: str = OUTER_POLICY
    inner_policy: str = INNER_POLICY

    def __repr__(self) -> str:
        """Name the app without its HTML."""
        return f"<AppResource {self.uri} ({len(self.html)} bytes)>"


def check_app(uri: str, result: Mapping[str, Any]) -> AppResource:
    """Turn the raw result of `resources/read` into an app, or say why it is none.

    Args:
        uri: The address that was read.
        result: The raw result of the read.

    Raises:
        UnusableApp: No single content item (RES-17), another media type (RES-04), not UTF-8 or not base64
            (RES-05), over 5 MB (RES-15), or external domains, which are not granted yet.
    """
    item = _pick(uri, result)
    _check_media_type(item.get("mimeType"))
    html = _html(item)
    if len(html) > MAX_HTML_BYTES:
        message = f"the app is larger than {MAX_HTML_BYTES // 1024 // 1024} MB"
        raise UnusableApp(message)
    _refuse_domains(item)
    return AppResource(uri, html)


def _pick(uri: str, result: Mapping[str, Any]) -> Mapping[str, Any]:
    contents = result.get("contents")
    items = [item for item in cast("list[object]", contents) if is_object(item)] if isinstance(contents, list) else []
    if len(items) != 1:
        items = [item for item in items if item.get("uri") == uri]
    if len(items) != 1:
        message = "the server has no such app" if not items else "the server sent several apps for one address"
        raise UnusableApp(message)
    return items[0]


def _check_media_type(value: object) -> None:
    text = value if isinstance(value, str) else ""
    essence, *parameters = (part.strip() for part in text.split(";"))
    profile = [
        content.strip().strip('"')
        for name, _, content in (parameter.partition("=") for parameter in parameters)
        if name.strip().lower() == "profile"
    ]
    if essence.lower() != "text/html" or [name.lower() for name in profile] != ["mcp-app"]:
        shown = re.sub(r"[^\w/;=+. -]", "?", text)[:60]
        message = f"the app has the media type {shown or '(none)'}, not text/html;profile=mcp-app"
        raise UnusableApp(message)


def _html(item: Mapping[str, Any]) -> bytes:
    text, blob = item.get("text"), item.get("blob")
    try:
        match text, blob:
            case str(), None:
                return text.encode()
            case None, str():
                data = base64.b64decode(blob, validate=True)
                data.decode()
                return data
            case _:
                message = "the app has neither text nor blob, or both"
    except UnicodeError:
        message = "the app is not valid UTF-8"
    except binascii.Error:
        message = "the app is not valid base64"
    raise UnusableApp(message)


def _refuse_domains(item: Mapping[str, Any]) -> None:
    csp = member(member(item.get("_meta"), "ui"), "csp")
    wanted = [name for name in DOMAIN_LISTS if member(csp, name)]
    if wanted:
        message = f"the app wants to reach other addresses ({', '.join(wanted)}), which is not granted yet"
        raise UnusableApp(message)
