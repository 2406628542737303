"""Both halves of the app-rendered elicitation capability, and the choice between app and form (NEG, RES-01)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .shapes import is_object, member

EXTENSION = "io.modelcontextprotocol/ui"
APP_MIME_TYPE = "text/html;profile=mcp-app"

_APP_URI = re.compile(r"ui://[^\s/?#\x00-\x1f\x7f]+[^\s\x00-\x1f\x7f]*")


def client_settings(*, front_end: bool) -> dict[str, dict[str, Any]]:
    """Return the extensions that the client advertises.

    Without a front end no app can be drawn, so nothing is claimed (NEG-01, NEG-02, NEG-11).
    """
    return {EXTENSION: {"mimeTypes": [APP_MIME_TYPE], "elicitation": {}}} if front_end else {}


def server_offers(extensions: object) -> bool:
    """Tell whether the server's `capabilities.extensions` hold the nested setting (NEG-07, NEG-08, NEG-10)."""
    return is_object(member(member(extensions, EXTENSION), "elicitation"))


@dataclass(frozen=True)
class Choice:
    """Who draws a question: the app at `uri`, or the form when `uri` is None; `reason` says why, for people.

    `remarkable` marks a reason that the reader of the form should see: the server named an app that is not used.
    """

    uri: str | None
    reason: str
    remarkable: bool = False


def choose(params: Mapping[str, Any], *, client: bool, server: bool) -> Choice:
    """Choose app or form for the params of an `elicitation/create` (NEG-09, RES-01, RES-14, FBK-04)."""
    ui = member(params.get("_meta"), "ui")
    if not is_object(ui) or "resourceUri" not in ui:
        return Choice(None, "the server named no app")
    uri = ui["resourceUri"]
    if not is_app_uri(uri):
        return Choice(None, "the server named an app whose address is not a ui:// address", remarkable=True)
    if not client:
        return Choice(None, "no front end was there at connect, so no app was negotiated", remarkable=True)
    if not server:
        return Choice(None, "the server named an app but did not announce app-rendered questions", remarkable=True)
    return Choice(uri, "the server named its app")


def is_app_uri(uri: object) -> bool:
    """Tell whether this is an absolute `ui://` address with an authority, and nothing else (RES-01)."""
    return isinstance(uri, str) and _APP_URI.fullmatch(uri) is not None
