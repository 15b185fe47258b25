"""Edits of the items of arrays and inline tables that keep the layout and the comments between them."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.toml.writing.tree import ItemSlot, TomlNode
from sampleui.text.position import TextEdit, indent_at


def as_one_edit(text: str, edits: list[TextEdit]) -> TextEdit:
    """Return edits of one text that do not overlap as one edit."""
    edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
    start, end = edits[0].start, edits[-1].end
    parts, position = [], start
    for edit in edits:
        parts += [text[position : edit.start], edit.text]
        position = edit.end
    return TextEdit(start, end, "".join(parts))


def insert_item(
    text: str, node: TomlNode, index: int, item: str, *, newline: str, indent: str
) -> Iterator[TextEdit]:
    """Yield edits that put a written item before the slot `index`, in the layout of its neighbours.

    `indent` is that of an item on a line of its own if no item is there to show it.
    """
    slots = node.slots
    if not slots:
        yield from _insert_first(text, node, item, newline, indent)
        return
    separator = _separator(text, slots, newline)
    if index < len(slots):
        yield TextEdit(slots[index].lead, slots[index].lead, f"{item},{separator}")
        return
    last = slots[-1]
    if last.comma is not None:
        yield TextEdit(last.stop, last.stop, f"{separator}{item},")
        return
    behind = TextEdit(last.stop, last.stop, f"{separator}{item}")
    yield as_one_edit(text, [TextEdit(last.end, last.end, ","), behind])


def delete_item(text: str, node: TomlNode, index: int) -> Iterator[TextEdit]:
    """Yield edits that take the item of a slot out, with its comments, and leave the others as they are.

    A comment behind it that is about the items before it on its line as well stays with these.
    """
    slots, slot = node.slots, node.slots[index]
    before = slots[index - 1] if index else None
    if before is not None and "#" in text[slot.after : slot.stop] and "\n" not in text[before.end : slot.start]:
        gone = [TextEdit(before.stop, slot.after, "")]
        if slot.comma is None and before.comma is not None:
            gone.append(TextEdit(before.comma, before.comma + 1, ""))
        yield as_one_edit(text, gone)
    if len(slots) == 1:
        inside = text[node.start + 1 : slot.lead] + text[slot.stop : node.end - 1]
        if not inside.strip():
            yield TextEdit(node.start + 1, node.end - 1, "")
        yield TextEdit(slot.lead, slot.stop, "")
        return
    if index + 1 < len(slots):
        blanks = text[slot.stop : slots[index + 1].lead]
        yield TextEdit(slot.lead, slot.stop + len(blanks) - len(blanks.lstrip()), "")
    # The last item takes its line along, except where the bracket after it would then be in a comment.
    for start in (slot.gap + len(text[slot.gap : slot.lead].rstrip()), slot.lead):
        gone = [TextEdit(start, slot.stop, "")]
        if index == len(slots) - 1 and slot.comma is None and before is not None and before.comma is not None:
            gone.append(TextEdit(before.comma, before.comma + 1, ""))
        yield as_one_edit(text, gone)


def move_item(text: str, node: TomlNode, index: int, to: int, newline: str) -> Iterator[TextEdit]:
    """Yield edits that move an item with its comments; the blanks and commas of the places stay where they are."""
    order = list(range(len(node.slots)))
    order.insert(to, order.pop(index))
    parts = []
    for position, source in enumerate(order):
        slot, item = node.slots[position], node.slots[source]
        parts += [text[slot.gap : slot.lead], text[item.lead : item.end]]
        parts += [text[slot.end : slot.comma + 1] if slot.comma is not None else "", text[item.after : item.stop]]
    yield TextEdit(node.slots[0].gap, node.slots[-1].stop, "".join(parts))
    yield _one_a_line(text, node, order, newline)


def _insert_first(text: str, node: TomlNode, item: str, newline: str, indent: str) -> Iterator[TextEdit]:
    inside = text[node.start + 1 : node.end - 1]
    if not inside.strip():
        framed = f"{newline}{indent}{item},{newline}{indent_at(text, node.start)}" if indent else item
        yield TextEdit(node.start + 1, node.end - 1, framed)
        return
    # Comments are in the empty brackets: the item takes the line below them.
    stop = node.start + 1 + len(inside.rstrip())
    yield TextEdit(stop, stop, f"{newline}{indent or indent_at(text, stop)}{item},")


def _one_a_line(text: str, node: TomlNode, order: list[int], newline: str) -> TextEdit:
    """Return the items on lines of their own, because items that share a line cannot have comments of their own."""
    outer = indent_at(text, node.start)
    lines: list[str] = []
    for source in order:
        slot, item = node.slots[len(lines)], node.slots[source]
        above = text[slot.gap : slot.lead].strip()
        comment = f"{outer}  {above}{newline}" if above else ""
        lines.append(f"{comment}{outer}  {text[item.lead : item.end]},{text[item.after : item.stop]}")
    below = text[node.slots[-1].stop : node.end - 1].strip()
    if below:
        lines.append(f"{outer}  {below}")
    body = newline.join(["", *lines, outer])
    return TextEdit(node.start + 1, node.end - 1, body)


def _separator(text: str, slots: list[ItemSlot], newline: str) -> str:
    """Return what is between two items: a line feed and an indentation, or blanks."""
    gap = text[slots[-1].gap : slots[-1].lead]
    if "#" in text[slots[-1].after : slots[-1].stop]:
        return newline + indent_at(text, slots[-1].lead)
    if "\n" in gap:
        return newline + gap.rpartition("\n")[2] if not gap.strip() else newline + indent_at(text, slots[-1].lead)
    return gap if len(slots) > 1 and not gap.strip() else " "
