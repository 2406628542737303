"""The app of a question: read from the server that asks, and checked (RES)."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from .errors import HostError
from .policy import Policy, make_policy
from .shapes import is_object, member

Read = Callable[[str], Awaitable[Mapping[str, Any]]]
Listed = Callable[[], Awaitable[Sequence[object]]]

MAX_HTML_BYTES = 5 * 1024 * 1024
READ_SECONDS = 30.0
LIST_SECONDS = 5.0


class UnusableApp(Exception):
    """The app cannot be used; the text says why, for people."""


@dataclass(frozen=True, repr=False)
class AppResource:
    """An app that may be drawn.

    Attributes:
        uri: Its address, exactly as the server named it.
        html: Its HTML as UTF-8.
        policy: What it may reach.
    """

    uri: str
    html: bytes
    policy: Policy

    def __repr__(self) -> str:
        """Name the app without its HTML."""
        return f"<AppResource {self.uri} ({len(self.html)} bytes)>"


async def load_app(uri: str, read: Read, listed: Listed) -> AppResource:
    """Read an app from the server that asks, and check it.

    Its metadata stands with the content; only when there is none, the server's list of resources is asked, in which
    the app need not be (RES-06, RES-07).

    Args:
        uri: The address, sent as it is (RES-03).
        read: Reads a resource of the same server and returns the raw result.
        listed: Returns the raw entries of the same server's `resources/list`.

    Raises:
        UnusableApp: The server has no such app or does not send it (RES-08, RES-09), sends several (RES-17), or what
            it sends has another media type (RES-04), is not UTF-8 or not base64 (RES-05), or is over 5 MB (RES-15).
    """
    item = _pick(uri, await _read(uri, read))
    _check_media_type(item.get("mimeType"))
    html = _html(item)
    if len(html) > MAX_HTML_BYTES:
        message = f"the app is larger than {MAX_HTML_BYTES // 1024 // 1024} MB"
        raise UnusableApp(message)
    ui = member(item.get("_meta"), "ui")
    if not is_object(ui):
        ui = await _listed_ui(uri, listed)
    return AppResource(uri, html, make_policy(ui))


async def _read(uri: str, read: Read) -> Mapping[str, Any]:
    try:
        async with asyncio.timeout(READ_SECONDS):
            result = await read(uri)
    except TimeoutError:
        message = f"the server did not send the app within {READ_SECONDS:g} s"
        raise UnusableApp(message) from None
    except HostError as error:
        code = getattr(error, "code", None)
        message = "the app could not be read" + (f" (error {code})" if code is not None else "")
        raise UnusableApp(message) from None
    if result.get("resultType", "complete") != "complete":
        message = "the server asks something before it sends the app"
        raise UnusableApp(message)
    return result


async def _listed_ui(uri: str, listed: Listed) -> object:
    # A server without a list, or with a slow one, has said nothing about its app: nothing is granted.
    try:
        async with asyncio.timeout(LIST_SECONDS):
            entries = await listed()
    except (TimeoutError, HostError):
        return None
    entry = next((entry for entry in entries if member(entry, "uri") == uri), None)
    return member(member(entry, "_meta"), "ui")


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
