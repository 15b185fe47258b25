"""The items of a JSON list, one at a time while it is read: 100,000 summaries are never in memory together."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator

from sampleui.formats.data import Plain
from sampleui.text.limits import MAX_LIST_ITEM

_GAP = re.compile(r"[ \t\r\n]*")
_decoded = json.JSONDecoder().raw_decode


class ListError(ValueError):
    """A list that cannot be read on, with what is wrong and at which item, counted from 1."""


def items_of(pieces: Iterable[bytes]) -> Iterator[Plain]:
    """Yield the items of a JSON list in UTF-8 that comes in pieces.

    Raises:
        ListError: when it is no such list, or ends before its end.
    """
    texts = _texts(pieces)
    text, position, item = next(texts, ""), 0, 0
    while True:
        text, position = _at_something(text, position, texts)
        sign = text[position : position + 1]
        if sign == ("," if item else "["):
            text, position = _at_something(text, position + 1, texts)
            if not item and text.startswith("]", position):
                return
        elif sign == "]" and item:
            return
        else:
            raise ListError(f"not a JSON list at item {item + 1}" if sign else f"cut off after item {item}")
        item += 1
        text, position, value = _item(text, position, texts, item)
        yield value


def _item(text: str, position: int, texts: Iterator[str], item: int) -> tuple[str, int, Plain]:
    """Return the item at a place, with as much text as it takes to see where it ends."""
    while True:
        try:
            value, end = _decoded(text, position)
            if end < len(text):
                return text, end, value
        except json.JSONDecodeError as error:
            message = f"not JSON at item {item}: {error.msg}"
        except (ValueError, RecursionError) as error:
            raise ListError(f"item {item} cannot be read: {error}") from error
        else:
            message = f"cut off after item {item}"
        text, position = text[position:], 0
        if len(text) > MAX_LIST_ITEM:
            raise ListError(message)
        more = _more(texts, len(text))
        if not more:
            raise ListError(message)
        text += more


def _more(texts: Iterator[str], wanted: int) -> str:
    """Return as much as there is already, or more: reading an item again for every piece would take for ever."""
    parts: list[str] = []
    size = 0
    for text in texts:
        parts.append(text)
        size += len(text)
        if size >= wanted:
            break
    return "".join(parts)


def _at_something(text: str, position: int, texts: Iterator[str]) -> tuple[str, int]:
    while True:
        gap = _GAP.match(text, position)
        position = gap.end() if gap else position
        if position < len(text):
            return text, position
        text, position = next(texts, ""), 0
        if not text:
            return "", 0


def _texts(pieces: Iterable[bytes]) -> Iterator[str]:
    try:
        yield from codecs.iterdecode(pieces, "utf-8")
    except UnicodeDecodeError as error:
        raise ListError("not UTF-8") from error
