"""Messages as rows, wherever they are shown as a whole. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from sampleui.formats.data import Plain, Table
from sampleui.sample.media import Places, label_of, medium_of
from sampleui.sample.parse import json_text
from sampleui.sample.tool_calls import call_line
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.drawing.cards import glyph, role_style
from sampleui.tui.drawing.code import readable_rows
from sampleui.tui.drawing.rows import Row, fitted, row_text, text_rows

_BAR = "│ "
_ROLE = len("▲ assistant")
_LEAST = 4
"""Rows of a part of a message, its name and how much is left out among them."""

_SIGNS: Mapping[bool | None, Row] = {None: (), True: (("added", "✓ "),), False: (("warning", "≠ "),)}
"""Whether a sample has a message as it is sent; None where that is not to be shown."""


def message_rows(
    listed: list[Table],
    width: int,
    as_written: Sequence[bool] = (),
    *,
    room: int | None = None,
    briefly: bool = False,
    places: Places = (),
) -> list[Row]:
    """Return messages as a model is sent them: a role's name above each, its bar at the left.

    `as_written` says of each whether the sample has it so, where that is to be shown. If they need more rows than
    there is `room` for, such messages are a line of their first words each, the first of them first; the rows that
    are left go to the last of those again, to one in part. Each tool call is one line if they are to be told
    `briefly`. Pictures whose paths are of files in `places` are drawn.
    """
    signs: list[bool | None] = [*as_written[: len(listed)]]
    signs += [None] * (len(listed) - len(signs))
    whole = [_message(item, width, sign, places, briefly=briefly) for item, sign in zip(listed, signs, strict=True)]
    needed, folded = sum(len(rows) + 1 for rows in whole) - 1, set[int]()
    for index, sign in enumerate(signs):
        if room is None or needed <= room:
            break
        if sign:
            folded.add(index)
            needed -= len(whole[index]) - (0 if index - 1 in folded else 1)
    if room is not None:
        _give_back(folded, whole, room - needed)
    rows: list[Row] = []
    for index, (item, rows_of) in enumerate(zip(listed, whole, strict=True)):
        rows += [(("text", ""),)] if index and not {index - 1, index} <= folded else []
        rows += [_outline(item, width)] if index in folded else rows_of
    return rows


def _give_back(folded: set[int], whole: list[list[Row]], free: int) -> None:
    """Take messages out of those that are folded, the last ones first, as far as rows are free for them.

    Args:
        folded: the indexes of the messages that are a line each.
        whole: the rows of each message; of one that has room for a part only, that part from then on.
        free: how many rows there are.
    """
    for index in sorted(folded, reverse=True):
        more = len(whole[index]) - 1 + _gaps(index, folded)
        if more <= free:
            folded.remove(index)
            free -= more
    last = max(folded, default=0)
    most = free + 1 - _gaps(last, folded)
    if folded and most >= _LEAST:
        folded.remove(last)
        left = len(whole[last]) - most + 1
        whole[last] = [*whole[last][: most - 1], (("muted", f"{_BAR}⋯ {counted(left, 'more row')}"),)]


def _gaps(index: int, folded: set[int]) -> int:
    """Return how many empty rows come around a message that is no longer folded."""
    return len({index - 1, index + 1} & folded)


def _message(message: Table, width: int, same: bool | None, places: Places, *, briefly: bool) -> list[Row]:
    role, calls = str(message.get("role", "")), message.get("tool_calls")
    style, room = role_style(role), width - len(_BAR)
    name = message.get("name") or message.get("tool_call_id") or ""
    named = (f"{style}-bold", f"{glyph(role)} {one_line(role, 40)}")
    content = message.get("content")
    body = [*_content(content, room), *_pictures(content, room, places)]
    if briefly and isinstance(calls, list):
        body += [row for call in calls for row in text_rows(f"→ {call_line(call)}", "accent", room)]
    elif calls is not None:
        body += text_rows(json_text(calls), "muted", room)
    return [(*_SIGNS[same], named, ("muted", f"  {one_line(str(name))}")), *(((style, _BAR), *row) for row in body)]


def _outline(message: Table, width: int) -> Row:
    """Return a message on one line: its role, and its first words or what it calls."""
    role, calls = str(message.get("role", "")), message.get("tool_calls")
    named = fitted(f"{glyph(role)} {one_line(role, 40)}", width // 2).ljust(_ROLE)
    words = [row_text(row) for row in _content(message.get("content"), 4 * width)[:4]]
    words += [f"→ {call_line(call)}" for call in calls] if isinstance(calls, list) else []
    sign = _SIGNS[True]
    room = max(width - cell_len(row_text(sign)) - cell_len(named) - 2, 1)
    return (*sign, (role_style(role), named), ("muted", f"  {fitted(' '.join(words), room)}"))


def _content(content: Plain, width: int) -> list[Row]:
    if isinstance(content, str):
        return readable_rows(content, width)
    if isinstance(content, list):
        return [row for segment in content for row in _segment(segment, width)]
    return []


def _pictures(content: Plain, width: int, places: Places) -> list[Row]:
    if not isinstance(content, list):
        return []
    from sampleui.tui.drawing.pictures import picture_rows  # few messages have any

    return picture_rows(content, width, places=places)


def _segment(segment: Plain, width: int) -> list[Row]:
    if isinstance(segment, dict) and isinstance(text := segment.get("text"), str):
        return readable_rows(text, width)
    if medium_of(segment) is not None:
        return text_rows(label_of(segment), "accent", width)
    return text_rows(json.dumps(segment, ensure_ascii=False, default=str), "accent", width)
