"""One value of an event as rows: as indented JSON, as Markdown, or raw; folded if it is large."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from sampleui.formats.data import Plain, json_or_text
from sampleui.text.visible import visible_lines
from sampleui.trace.preview import preview, shown_size, to_json
from sampleui.tui.drawing.rows import Row
from sampleui.tui.limits import MAX_COUNTED_SIZE, MAX_UNFOLDED_JSON, MAX_WRAPPED_TEXT
from sampleui.tui.trace.text import body, json_line

if TYPE_CHECKING:
    from rich.segment import Segment
    from rich.theme import Theme

_FOLDED_TEXT, _FOLDED_ITEMS, _FOLDED_DEPTH = 160, 8, 3


class Mode(StrEnum):
    """How values are shown."""

    PRETTY = "pretty"
    MARKDOWN = "markdown"
    RAW = "raw"

    def next(self) -> Mode:
        """Return the one after it, around the end."""
        modes = list(Mode)
        return modes[(modes.index(self) + 1) % len(modes)]


def value_rows(value: Plain, width: int, mode: Mode, folded: bool) -> Sequence[Row]:
    """Return a value as rows. A text that is JSON is shown as what it says, except when raw."""
    if mode is Mode.RAW:
        return body(value if isinstance(value, str) else to_json(value), width)
    told = _spoken_value(value)
    if isinstance(told, str):
        if folded and len(told) > _FOLDED_TEXT:
            return body(_short(told), width)
        as_markdown = mode is Mode.MARKDOWN and len(told) <= MAX_WRAPPED_TEXT
        return markdown_rows(told, width) if as_markdown else body(told, width)
    if folded:
        return body("\n".join(_folded(told, 0)), width, json_line)
    text = "\n".join(pretty(told)) if size_within(told, MAX_UNFOLDED_JSON) is not None else to_json(told, indent=2)
    return body(text, width, json_line)


def size_within(value: Plain, limit: int) -> int | None:
    """Return how many characters a value has, None for more than a limit. The limit bounds the work too.

    A text is counted as it is, other data as compact JSON.
    """
    if isinstance(value, str):
        return len(value) if len(value) <= limit else None
    total = 0
    try:
        for chunk in json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value):
            total += len(chunk)
            if total > limit:
                return None
    except RecursionError:
        return None
    return total


def size_words(value: Plain) -> str:
    """Return the size of a value in few characters: `4.2k`, and `20.0k+` for data that would take long to count."""
    size = len(value) if isinstance(value, str) else size_within(value, MAX_COUNTED_SIZE)
    return shown_size(size) if size is not None else f"{shown_size(MAX_COUNTED_SIZE)}+"


def pretty(value: Plain) -> Iterator[str]:
    """Yield a value as lines of indented JSON; a text of many lines is below its key as it is."""
    try:
        yield from list(_lines(value))
    except RecursionError:
        yield to_json(value)


def markdown_rows(text: str, width: int) -> list[Row]:
    """Return Markdown as rows."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.segment import Segment

    console = Console(width=max(width, 8), theme=_markdown_theme(), color_system=None, legacy_windows=False)
    rendered = console.render(Markdown(visible_lines(text), hyperlinks=False, code_theme="bw"))
    lines = Segment.split_and_crop_lines(rendered, max(width, 8), pad=False, include_new_lines=False)
    return [tuple((_paint_name(piece), piece.text) for piece in line) for line in lines]


def _markdown_theme() -> Theme:
    from rich.style import Style
    from rich.theme import Theme

    names = {"h1": "accent-bold", "h2": "accent-bold", "strong": "text-bold", "code": "role-tool", "link": "accent"}
    names |= {f"h{level}": "title-bold" for level in range(3, 8)}
    names |= {"em": "title", "block_quote": "muted", "hr": "edge", "item.bullet": "accent", "link_url": "muted"}
    names |= {"item.number": "accent", "h1.border": "edge", "code_block": "role-tool"}
    return Theme({f"markdown.{name}": Style(meta={"paint": paint}) for name, paint in names.items()})


def _paint_name(piece: Segment) -> str:
    return str(piece.style.meta.get("paint", "text")) if piece.style is not None else "text"


def _spoken_value(value: Plain) -> Plain:
    if isinstance(value, str) and value[:1] in ("{", "[") and len(value) <= MAX_UNFOLDED_JSON:
        return json_or_text(value)
    return value


def _lines(value: Plain) -> Iterator[str]:
    if isinstance(value, dict) and value:
        yield "{"
        for index, (key, item) in enumerate(value.items(), 1):
            yield from _entry(f"{json.dumps(key, ensure_ascii=False)}: ", item, index < len(value))
        yield "}"
    elif isinstance(value, list) and value:
        yield "["
        for index, item in enumerate(value, 1):
            yield from _entry("", item, index < len(value))
        yield "]"
    else:
        yield to_json(value)


def _entry(key: str, value: Plain, more: bool) -> Iterator[str]:
    if isinstance(value, str) and "\n" in value.strip():
        yield f"  {key}⏎"
        yield from (f"  │ {line}" for line in value.removesuffix("\n").split("\n"))
        return
    first, *rest = _lines(value)
    lines = [f"  {key}{first}", *(f"  {line}" for line in rest)]
    yield from lines[:-1]
    yield lines[-1] + "," * more


def _folded(value: Plain, depth: int) -> Iterator[str]:
    if not isinstance(value, dict | list) or not value:
        yield json.dumps(_short(value), ensure_ascii=False) if isinstance(value, str) else to_json(value)
        return
    if depth == _FOLDED_DEPTH:
        noun = "keys" if isinstance(value, dict) else "items"
        yield f"{preview(value, 80)}  ({len(value):,} {noun})"
        return
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    yield "{" if isinstance(value, dict) else "["
    for key, item in islice(pairs, _FOLDED_ITEMS):
        first, *rest = _folded(item, depth + 1)
        yield "  " + (first if key is None else f"{json.dumps(key, ensure_ascii=False)}: {first}")
        yield from (f"  {line}" for line in rest)
    if len(value) > _FOLDED_ITEMS:
        yield f"  … {len(value) - _FOLDED_ITEMS:,} more"
    yield "}" if isinstance(value, dict) else "]"


def _short(text: str) -> str:
    if len(text) <= _FOLDED_TEXT:
        return text
    return f"{text[:_FOLDED_TEXT]}… {len(text) - _FOLDED_TEXT:,} more characters"
