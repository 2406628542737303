"""What an app may reach: the policy of its two frames, made from what its resource declares (SBX-08 to SBX-13).

Declared domains are a server's text on its way into a policy, so each is taken apart and only a plain origin is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeGuard, cast

from .shapes import is_object, member

# scheme://host[:port], the host with at most one leading "*." and then two labels or more
_ORIGIN = re.compile(
    r"(?P<scheme>https|wss|http|ws)://(?P<host>(?:\*\.(?=[^.]+\.[^.]))?[a-z0-9-]+(?:\.[a-z0-9-]+)*)(?::[0-9]{1,5})?/?",
    re.IGNORECASE,
)
_HERE = ("localhost", "127.0.0.1")
_WEB = ("https", "http")
_ANY = ("https", "http", "wss", "ws")
_SECURE = ("https", "wss")

# Each list of domains, and the schemes that mean something in it.
_LISTS = {
    "connectDomains": _ANY,
    "resourceDomains": _WEB,
    "frameDomains": _WEB,
    "baseUriDomains": _WEB,
}
MAX_DOMAINS = 50
SHOWN_REFUSED = 80


@dataclass(frozen=True)
class Policy:
    """The policy of an app.

    Attributes:
        outer: The policy text of the relaying frame.
        inner: The policy text of the app's own frame.
        granted: What was granted, by list; goes to the app as `hostCapabilities.sandbox.csp` (SBX-19).
        refused: The declared entries that were not used, made safe to show.
    """

    outer: str
    inner: str
    granted: Mapping[str, list[str]] = field(default_factory=dict[str, list[str]])
    refused: tuple[str, ...] = ()

    @property
    def reach(self) -> str:
        """What people should know about where the app can reach, or ""."""
        names = sorted({origin.partition("://")[2] for origins in self.granted.values() for origin in origins})
        parts = [f"This app may reach {', '.join(names)}."] if names else []
        if self.refused:
            parts.append(f"Not granted: {', '.join(self.refused)}.")
        return " ".join(parts)


def make_policy(ui: object) -> Policy:
    """Make the policy of an app from the `_meta.ui` of its resource; without one nothing can be reached (SBX-09)."""
    csp, refused = member(ui, "csp"), list[str]()
    granted: dict[str, list[str]] = {}
    for name, schemes in _LISTS.items():
        declared = member(csp, name)
        if not isinstance(declared, list):
            continue
        entries = cast("list[object]", declared)
        good = list(dict.fromkeys(entry.rstrip("/") for entry in entries[:MAX_DOMAINS] if _is_origin(entry, schemes)))
        refused += [_shown(entry) for entry in entries if not _is_origin(entry, schemes)]
        if len(entries) > MAX_DOMAINS:
            refused.append(f"{len(entries) - MAX_DOMAINS} more of {name}")
        if good:
            granted[name] = good
    # The browser asks for camera and the like by origin, which a sandboxed frame has not; so none can be granted.
    permissions = member(ui, "permissions")
    refused += [f"permission {_shown(name)}" for name in permissions] if is_object(permissions) else []
    return Policy(_outer(granted), _inner(granted), granted, tuple(dict.fromkeys(refused)))


def _is_origin(entry: object, schemes: tuple[str, ...]) -> TypeGuard[str]:
    found = _ORIGIN.fullmatch(entry) if isinstance(entry, str) else None
    if found is None or found["scheme"].lower() not in schemes:
        return False
    # Unencrypted only within this machine, where a server under development has its files.
    return found["scheme"].lower() in _SECURE or found["host"].lower() in _HERE


def _shown(entry: object) -> str:
    return re.sub(r"[^\w.:/*-]", "?", str(entry))[:SHOWN_REFUSED]


def _outer(granted: Mapping[str, list[str]]) -> str:
    return " ".join(["frame-src", *(granted.get("frameDomains") or ["'none'"])])


def _inner(granted: Mapping[str, list[str]]) -> str:
    def rule(name: str, *sources: str, domains: str = "") -> str:
        return " ".join([name, *(source for source in sources if source), *granted.get(domains, ())])

    def only(name: str, domains: str) -> str:
        return rule(name, "" if granted.get(domains) else "'none'", domains=domains)

    resources = "resourceDomains"
    return "; ".join(
        [
            "default-src 'none'",
            rule("script-src", "'unsafe-inline'", domains=resources),
            rule("style-src", "'unsafe-inline'", domains=resources),
            rule("img-src", "data:", "blob:", domains=resources),
            rule("font-src", "data:", domains=resources),
            rule("media-src", "data:", "blob:", domains=resources),
            only("connect-src", "connectDomains"),
            only("frame-src", "frameDomains"),
            "worker-src blob:",
            "object-src 'none'",
            "form-action 'none'",
            rule("base-uri", "about:", domains="baseUriDomains"),
        ]
    )
