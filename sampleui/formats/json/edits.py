"""Edits of one JSON value's text. Every function returns the one replacement that makes the edit.

`start` is the offset of the value in the text. Paths lead into the value and exist; the document checks that first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, shown
from sampleui.formats.json.spans import Container, Member, container_at, decode, walk
from sampleui.formats.json.spelling import PLAIN, Style, gaps_of, new_gaps, spelled, style_of
from sampleui.text.edit import TextEdit
from sampleui.text.position import Span

Among = Callable[[Sequence[str]], int]
"""Where a new key goes among the others of its table."""


def set_value(
    text: str, start: int, path: DataPath, value: Plain, default: Style, *, among: Among = len
) -> TextEdit:
    """Replace the value at a path, or add the key that ends it to its object."""
    style = _style(text, start, default)
    if not path:
        return TextEdit(start, *_respelled(text, Span(start, decode(text, start)[1]), value, None, style))
    place = _place(text, start, path)
    member = place.container.member(path[-1])
    if not member:
        at = among([str(member.key) for member in place.container.members])
        return _inserted(text, place, at, value, style, key=str(path[-1]))
    indent = gaps_of(text, place.container, style).indent
    return TextEdit(member.span.start, *_respelled(text, member.span, value, indent, style))


def insert_item(text: str, start: int, path: DataPath, value: Plain, default: Style) -> TextEdit:
    """Insert an item before the index that ends a path, with the layout of its neighbours."""
    index = path[-1]
    assert isinstance(index, int)
    return _inserted(text, _place(text, start, path), index, value, _style(text, start, default))


def delete_member(text: str, start: int, path: DataPath) -> TextEdit:
    """Take out the member at a path, and one comma."""
    container = _place(text, start, path).container
    member = container.member(path[-1])
    assert member is not None
    members, at = container.members, container.members.index(member)
    if len(members) == 1:
        return TextEdit(container.span.start + 1, container.span.end - 1, "")
    if at == len(members) - 1:
        return TextEdit(members[at - 1].end, member.end, "")
    return TextEdit(member.start, members[at + 1].start, "")


def rename_member(text: str, start: int, path: DataPath, name: str, default: Style) -> TextEdit:
    """Write another key for the member at a path."""
    member = _place(text, start, path).container.member(path[-1])
    assert member is not None
    return TextEdit(*_bounds(member.key_span), spelled(name, "", None, _style(text, start, default)))


def move_item(text: str, start: int, path: DataPath, to: int) -> TextEdit:
    """Move an item among the places of its list. The whitespace between the places stays where it is."""
    members = _place(text, start, path).container.members
    index = path[-1]
    assert isinstance(index, int)
    low, high = min(index, to), max(index, to)
    bodies = [text[member.start : member.end] for member in members[low : high + 1]]
    bodies.insert(to - low, bodies.pop(index - low))
    gaps = [text[members[number].end : members[number + 1].start] for number in range(low, high)]
    moved = "".join(body + gap for body, gap in zip(bodies, [*gaps, ""], strict=True))
    return TextEdit(members[low].start, members[high].end, moved)


@dataclass(frozen=True, slots=True)
class _Place:
    """The container an edit acts on, and the indentation of its line; None if it shares a line with others."""

    container: Container
    indent: str | None


def _place(text: str, start: int, path: DataPath) -> _Place:
    """Return where the step that ends a path is taken.

    Raises:
        EditRefusedError: when a key on the way is given more than once.
    """
    at, indent = start, None
    for depth, (container, member) in enumerate(walk(text, start, path[:-1])):
        _refuse_doubled(container, path[: depth + 1])
        at, indent = member.span.start, gaps_of(text, container, PLAIN).indent
    place = _Place(container_at(text, at), indent)
    _refuse_doubled(place.container, path)
    return place


def _refuse_doubled(container: Container, path: DataPath) -> None:
    if container.doubled(path[-1]):
        raise EditRefusedError(f"the key {shown(path)} is given more than once")


def _style(text: str, start: int, default: Style) -> Style:
    return style_of(text[start : decode(text, start)[1]], default)


def _bounds(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _respelled(text: str, span: Span, value: Plain, indent: str | None, style: Style) -> tuple[int, str]:
    return span.end, spelled(value, text[span.start : span.end], indent, style)


def _inserted(
    text: str, place: _Place, index: int, value: Plain, style: Style, *, key: str | None = None
) -> TextEdit:
    members, span = place.container.members, place.container.span
    gaps = gaps_of(text, place.container, style) if members else new_gaps(style, place.indent)
    body = spelled(value, _nearest(text, members, index, value), gaps.indent, style)
    if key is not None:
        body = spelled(key, "", None, style) + gaps.colon + body
    if not members:
        return TextEdit(span.start + 1, span.end - 1, gaps.opening + body + gaps.closing)
    if index == 0:
        return TextEdit(members[0].start, members[0].start, f"{body},{gaps.between}")
    end = members[index - 1].end
    return TextEdit(end, end, f",{gaps.between}{body}")


def _nearest(text: str, members: tuple[Member, ...], index: int, value: Plain) -> str:
    """Return the text of the neighbour to lay a value out by, the one before first; empty if none is alike."""
    opener = "{" if isinstance(value, dict) else "[" if isinstance(value, list) else None
    if opener is None:
        return ""
    near = (*members[max(index - 1, 0) : index + 1], *members)
    chosen = next((member for member in near if text.startswith(opener, member.span.start)), None)
    return text[chosen.span.start : chosen.span.end] if chosen else ""
