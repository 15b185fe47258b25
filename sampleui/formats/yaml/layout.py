"""Where the items of a collection are in a text, with the comments that belong to them, and edits of whole items.

A comment directly above an item belongs to it, and so does one after it on its line, and so do comment lines right
below it that are indented deeper than its start. Blank lines, and comments set off by them, belong to the place:
they stay where they are when items are added, deleted and moved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sampleui.formats.yaml.nodes import YamlNode
from sampleui.text.position import TextEdit

BLANK = re.compile(r"(?:\s|#[^\n]*)*")
REST_OF_LINE = re.compile(r"[ \t]*(?:#[^\r\n]*)?")
COMMENT_BELOW = re.compile(r"\r?\n([ ]*)#[^\r\n]*")
BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")
_MIN_INDENT = 2
"""The indentation in brackets where a text does not show on which column they are: samples are one level deep."""


@dataclass(frozen=True, slots=True)
class LayoutEntry:
    """One item of a collection. Offsets into the text it is in.

    Attributes:
        start: where it starts with the comments above it, indentation included.
        mark: the dash, the key or the value that it starts with.
        end: where it ends; the break of its last line is outside.
        comma: where the comma after it ends; `end` if there is none.
        stop: where a comment after the comma ends; `comma` if there is none.
        own_line: whether it starts on a line of its own.
    """

    start: int
    mark: int
    end: int
    comma: int
    stop: int
    own_line: bool


def entries(text: str, node: YamlNode) -> tuple[LayoutEntry, ...]:
    """Return the items of a collection in its text."""
    entries: list[LayoutEntry] = []
    position, floor = (node.start + 1, node.start + 1) if node.flow else (node.start, 0)
    for index, item in enumerate(node.items):
        mark = skip(text, position)
        end = max(item.end, node.keys[index].end if node.keys else mark)
        line = text.rfind("\n", floor, mark) + 1
        own_line = (line > 0 or not floor) and not text[line:mark].strip() and not (node.flow and not mark)
        start = comments_above(text, line, floor) if own_line else mark
        if node.flow:
            comma, stop = _behind(text, end)
            entries.append(LayoutEntry(start, mark, end, comma, stop, own_line))
            position = comma
        else:
            end = _block_end(text, end, mark - line)
            entries.append(LayoutEntry(start, mark, end, end, end, own_line))
            position = end
        floor = entries[-1].stop
    return tuple(entries)


def skip(text: str, position: int) -> int:
    """Return the offset of the next character that is neither blank nor in a comment."""
    blank = BLANK.match(text, position)
    return blank.end() if blank else position


def line_start(text: str, offset: int) -> int:
    """Return where the line of an offset starts."""
    return text.rfind("\n", 0, offset) + 1


def column(text: str, offset: int) -> int:
    """Return how many characters are before an offset on its line."""
    return offset - line_start(text, offset)


def comments_above(text: str, line: int, floor: int) -> int:
    """Return where the comments directly above a line start, not before a place."""
    start = line
    while start > floor:
        above = line_start(text, start - 1)
        if above < floor or not text[above:start].lstrip().startswith("#"):
            break
        start = above
    return start


def _block_end(text: str, end: int, indent: int) -> int:
    rest = REST_OF_LINE.match(text, end)
    end = rest.end() if rest else end
    while (below := COMMENT_BELOW.match(text, end)) and len(below[1]) > indent:
        end = below.end()
    return end


def _behind(text: str, end: int) -> tuple[int, int]:
    """Return where the comma after a value ends, and where a comment behind that ends."""
    position = skip(text, end)
    comma = position + 1 if text[position : position + 1] == "," else end
    rest = REST_OF_LINE.match(text, comma)
    return comma, rest.end() if rest and "#" in rest[0] else comma


# Edits of whole items


def _body(text: str, entry: LayoutEntry, own_line: bool, margin: int) -> str:
    """Return an item as it is on a line of its own, or after other text on its line."""
    if own_line:
        return ("" if entry.own_line else " " * margin) + text[entry.start : entry.end]
    return _apart(text[entry.start : entry.end].lstrip(" \t"))


def _apart(text: str) -> str:
    """Return a text as it stands right after a bracket or comma, which a comment must not touch."""
    return " " + text if text.startswith("#") else text


def moved_entry(text: str, all_entries: Sequence[LayoutEntry], index: int, to: int, newline: str) -> TextEdit:
    """Return the edit that moves an item. Commas and what lies between the items keep their places."""
    order = [number for number in range(len(all_entries)) if number != index]
    order.insert(to, index)
    low, high = min(index, to), max(index, to)
    margin = max(column(text, entry.mark) for entry in all_entries)
    parts: list[str] = []
    for position in range(low, high + 1):
        here, item = all_entries[position], all_entries[order[position]]
        behind = text[item.comma : item.stop]
        if "#" in behind and text[here.stop : here.stop + 1] not in {"", "\r", "\n"}:
            # What follows may not end in the comment.
            behind += newline + " " * max(margin, _MIN_INDENT)
        parts += [_body(text, item, here.own_line, margin), text[here.end : here.comma], behind]
        if position < high:
            parts.append(text[here.stop : all_entries[position + 1].start])
    return TextEdit(all_entries[low].start, all_entries[high].stop, "".join(parts))


def deleted(text: str, all_entries: Sequence[LayoutEntry], index: int, *, comma: bool = False) -> TextEdit:
    """Return the edit that deletes one of several items; `comma` keeps the one before the last item in any case."""
    entry = all_entries[index]
    if index + 1 < len(all_entries):
        after = all_entries[index + 1]
        apart = _comments_apart(text[entry.stop : after.start]) if after.own_line else ""
        kept = apart + _body(text, after, entry.own_line or bool(apart), column(text, entry.mark))
        return TextEdit(entry.start, after.end, kept if entry.own_line else _apart(kept.lstrip(" \t")))
    before = all_entries[index - 1]
    gap = text[before.stop : entry.start]
    kept = gap.rstrip() if "#" in gap else ""
    closing = text[before.end : before.comma]
    if not comma and entry.comma == entry.end:
        closing = closing.removesuffix(",") if "#" in closing else ""  # a comment there is of the item that stays
    behind = closing + text[before.comma : before.stop] + kept
    if "#" in behind and "\n" in gap and text[entry.stop : entry.stop + 1] not in {"", "\r", "\n"}:
        line_end = len(gap[: gap.rindex("\n")].removesuffix("\r"))
        behind += text[before.stop + line_end : entry.mark]  # the bracket that follows may not end in the comment
    return TextEdit(before.end, entry.stop, behind)


def _comments_apart(gap: str) -> str:
    """Return what of the text between two items stays when the first goes: comments that are set off."""
    if "#" not in gap:
        return ""
    line = gap.find("\n") + 1
    blank = BLANK_LINES.match(gap, line)
    return gap[blank.end() if blank else line :]


def inserted(
    text: str, all_entries: Sequence[LayoutEntry], index: int, body: str, newline: str, *, apart: int | None = None
) -> Iterator[TextEdit]:
    """Yield edits that put a new item before an index of a block collection that has items.

    `body` has no indentation on its first line and the indentation of the place on the others. `apart` is the
    number of blank lines between items, None for as many as most of them have. The last edit adds no blank line:
    after a `|+` block one would be part of that.
    """
    near = all_entries[min(index, len(all_entries) - 1)]
    margin = " " * column(text, near.mark)
    wanted = _blank_lines(text, all_entries) if apart is None else apart
    for blank in dict.fromkeys((wanted, 0)):
        between = newline * (1 + blank)
        if index > 0:
            before = all_entries[index - 1]
            yield TextEdit(before.stop, before.stop, f"{between}{margin}{body}")
        elif near.own_line:
            yield TextEdit(near.start, near.start, f"{margin}{body}{between}")
        else:
            yield TextEdit(near.start, near.start, f"{body}{between}{margin}")


def inserted_in_brackets(
    text: str, all_entries: Sequence[LayoutEntry], index: int, body: str, newline: str
) -> TextEdit:
    """Return the edit that puts a new item before an index of a collection in brackets that has items."""
    near = next((entry for entry in all_entries if entry.own_line), None)
    margin = (
        text[line_start(text, near.mark) : near.mark]
        if near
        else " " * max(column(text, all_entries[0].mark), _MIN_INDENT)
    )
    if index == 0:
        first = all_entries[0]
        spelled = f"{margin}{body},{newline}" if first.own_line else f"{body}, "
        return TextEdit(first.start, first.start, spelled)
    before = all_entries[index - 1]
    behind = text[before.comma : before.stop]
    lines = near and (len(all_entries) == 1 or all(entry.own_line for entry in all_entries[1:]))
    between = newline + margin if lines or "#" in behind else " "
    if before.comma > before.end:
        return TextEdit(before.stop, before.stop, f"{between}{body},")
    return TextEdit(before.end, before.stop, f",{behind}{between}{body}")


def _blank_lines(text: str, all_entries: Sequence[LayoutEntry]) -> int:
    """Return how many blank lines set most items apart."""
    gaps = (text[item.stop : other.start].split("\n")[1:-1] for item, other in pairwise(all_entries))
    counted = Counter(next((number for number, line in enumerate(gap) if line.strip()), len(gap)) for gap in gaps)
    return counted.most_common(1)[0][0] if counted else 0
