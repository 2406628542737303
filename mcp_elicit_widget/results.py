"""Results that read well in a notebook; they are the SDK's own types with a plain repr."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types as types
from pydantic import BaseModel, ValidationError

from .errors import ProtocolError
from .limits import MAX_PAGES

if TYPE_CHECKING:
    from .owner import Owner

M = TypeVar("M", bound=BaseModel)

LINE = 100


class ToolResult(types.CallToolResult):
    """What a tool returned: `text`, `content`, `structured_content` and `is_error`."""

    @property
    def text(self) -> str:
        """The text blocks, one below the other."""
        return "\n".join(block.text for block in self.content if isinstance(block, types.TextContent))

    def __repr__(self) -> str:
        """Show the text and name what is not text."""
        head = "the tool reports an error: " if self.is_error else ""
        lines = [head + self.text, *_others(self.content)]
        if not self.content and self.structured_content is not None:
            lines.append(str(self.structured_content))
        return "\n".join(line for line in lines if line) or "(an empty result)"

    __str__ = __repr__


class Prompt(types.GetPromptResult):
    """A prompt: `messages` and perhaps a `description`."""

    def __repr__(self) -> str:
        """Show who says what."""
        return "\n".join(f"{message.role}: {_say(message.content)}" for message in self.messages) or "(empty prompt)"

    __str__ = __repr__


class Resource(types.ReadResourceResult):
    """A resource: `contents`, and `text` for those of them that are text."""

    @property
    def text(self) -> str:
        """The text contents, one below the other."""
        return "\n".join(item.text for item in self.contents if isinstance(item, types.TextResourceContents))

    def __repr__(self) -> str:
        """Show the text and name what is not text."""
        others = [f"({item.mime_type or 'binary'} data)" for item in self.contents if not hasattr(item, "text")]
        return "\n".join(part for part in [self.text, *others] if part) or "(an empty resource)"

    __str__ = __repr__


class Listing(list[Any]):
    """A list of tools, prompts or resources that prints one line for each."""

    def __init__(self, items: Iterable[Any], *, server: str, what: str) -> None:
        """Keep the items and what they are."""
        super().__init__(items)
        self._title = f"{len(self)} {what} on {server}"

    def __repr__(self) -> str:
        """Show the name and the first line of the description of each."""
        return "\n".join([self._title, *(f"  {_line(item)}" for item in self)])


def read(form: type[M], raw: Mapping[str, Any], *, server: str, label: str) -> M:
    """Turn a raw result into its type.

    Raises:
        ProtocolError: The result has not the shape that the protocol demands.
    """
    try:
        return form.model_validate(raw, by_name=False)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        message = f"the result of {label} on {server} has not the shape that the protocol demands (at {where!r})"
        raise ProtocolError(message) from None


async def list_all(owner: Owner, what: str) -> list[Any]:
    """Fetch every page of one of the three lists."""
    session = owner.session
    fetch: Any = {
        "tools": session.list_tools,
        "prompts": session.list_prompts,
        "resources": session.list_resources,
    }[what]
    items: list[Any] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await owner.told(f"{what}/list", fetch(params=types.PaginatedRequestParams(cursor=cursor)))
        items += getattr(page, what)
        cursor = page.next_cursor
        if not cursor:
            break
    return items


def _line(item: Any) -> str:  # noqa: ANN401 - tools, prompts and resources share no base
    name = str(getattr(item, "uri", None) or item.name)
    words = (item.description or item.title or "").strip().splitlines()
    text = f"{name} - {words[0]}" if words else name
    return text if len(text) <= LINE else text[: LINE - 1] + "…"


def _say(content: Any) -> str:  # noqa: ANN401 - one of several block types
    return content.text if isinstance(content, types.TextContent) else f"({content.type})"


def _others(content: Iterable[Any]) -> list[str]:
    return [f"({block.type} block)" for block in content if not isinstance(block, types.TextContent)]
