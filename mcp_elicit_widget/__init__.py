"""A Jupyter notebook as an MCP host: call tools, and answer the server's questions under the running cell."""

from importlib.metadata import version

from .connection import connect
from .errors import (
    BadScriptedAnswer,
    CannotWaitHere,
    ConnectError,
    ConnectionClosed,
    HostError,
    NobodyCanAnswer,
    NotConnected,
    ProtocolError,
    ServerError,
    StillWaiting,
    TooManyRounds,
    Unanswered,
    ViewLost,
)

__version__ = version("mcp-elicit-widget")

__all__ = [
    "BadScriptedAnswer",
    "CannotWaitHere",
    "ConnectError",
    "ConnectionClosed",
    "HostError",
    "NobodyCanAnswer",
    "NotConnected",
    "ProtocolError",
    "ServerError",
    "StillWaiting",
    "TooManyRounds",
    "Unanswered",
    "ViewLost",
    "connect",
]
