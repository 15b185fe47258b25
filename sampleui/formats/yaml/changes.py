"""Texts that may make an edit of a value inside one sample, the plainest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, shown
from sampleui.formats.yaml import layout
from sampleui.formats.yaml.nodes import Node
from sampleui.formats.yaml.restyle import HEADER, restyled
from sampleui.formats.yaml.scalars import CORE_TAGS
from sampleui.formats.yaml.spelling import Manner, behind_dash, behind_key, flow, key_text, string
from sampleui.formats.yaml.values import Step, Way, key_name, repeated, way_to
from sampleui.text.edit import TextEdit
from sampleui.text.position import Span


@dataclass(frozen=True)
class Place:
    """The piece of text that an edit is made in.

    Attributes:
        text: the piece.
        root: the collection that holds the sample: a list or a table of one item.
        flow: whether the piece stands in brackets.
        manner: how new text is laid out here.
        used_elsewhere: tells whether another piece has an alias of a name.
    """

    text: str
    root: Node
    flow: bool
    manner: Manner
    used_elsewhere: Callable[[str], bool]

    @property
    def sample(self) -> Node:
        """The sample itself."""
        return self.root.items[0]

    def way(self, path: DataPath) -> Way:
        """Return the way to a path, the sample's own place in its container as the first step."""
        way = way_to(self.sample, path, self.text)
        return replace(way, steps=(Step(self.root, 0), *way.steps), path=("", *way.path))

    def in_flow(self, way: Way) -> bool:
        """Tell whether the end of a way stands in brackets."""
        return self.flow or any(step.parent.flow for step in way.steps)


def manner_of(text: str, root: Node, newline: str) -> Manner:
    """Return how a piece of text is laid out."""
    step = dash = None
    quoted = False
    for node in root.walk():
        if node.kind != "table":
            continue
        quoted = quoted or (node.flow and bool(node.keys) and node.keys[0].style == '"')
        for item in node.items:
            if node.flow or item.flow or not item.items or item.start <= node.start:
                continue
            inset = layout.column(text, item.start) - layout.column(text, node.start)
            if item.kind == "table" and step is None:
                step = inset
            elif item.kind == "list" and dash is None:
                dash = inset
    step = step or dash or 2
    return Manner(newline, step, step if dash is None else dash, quoted)


# Where values stand


def lead(text: str, step: Step) -> int:
    """Return where the place of a value begins: behind its colon, its dash, or at itself inside brackets.

    Raises:
        EditRefusedError: when a key has no colon.
    """
    if step.key is not None:
        colon = layout.skip(text, step.key.end)
        if text[colon : colon + 1] != ":":
            raise EditRefusedError(f"the key {key_name(step.key, text)!r} has no place for a value")
        return colon + 1
    if step.parent.flow:
        return step.node.whole
    return layout.entries(text, step.parent)[step.index].mark + 1


def value_span(text: str, step: Step) -> Span:
    """Return where a value stands. One on lines of its own begins behind its key; nothing at all stands there too."""
    node = step.node
    if node.kind == "alias":
        return Span(node.start, node.end)
    begin = _place(text, step)
    below = "\n" in text[begin : node.start]
    return Span(begin if below or node.empty else node.start, node.end)


def _place(text: str, step: Step) -> int:
    """Return where the text of a value may begin: behind its colon or dash and its anchor and tag."""
    node = step.node
    if node.whole < node.start or (node.empty and (node.anchor or node.tag)):
        return node.whole + len(text[node.whole : node.start].rstrip())
    return lead(text, step)


# Refusals


def guard(place: Place, way: Way, path: DataPath, replaced: bool) -> None:
    """Refuse an edit at the end of a way that text elsewhere depends on, or whose value stands elsewhere.

    Raises:
        EditRefusedError: with the reason.
    """
    names = path if way.complete else path[: len(way.steps) - 1]
    end = way.steps[-1].node
    if way.merged:
        raise EditRefusedError(f"cannot edit {shown(path)}: it is merged in with <<")
    if end.kind == "alias":
        raise EditRefusedError(f"cannot edit {shown(path)}: {shown(names)} is an alias of *{end.value}")
    for depth, step in enumerate(way.steps[1:]):
        name = way.path[depth + 1]
        if isinstance(name, str) and repeated(step.parent, name, place.text):
            raise EditRefusedError(f"cannot edit {shown(path)}: the key {name!r} is given more than once")
    if replaced and end.tag and end.tag not in CORE_TAGS:
        raise EditRefusedError(f"cannot edit {shown(path)}: it has the tag {end.tag}")
    named = [step.node for step in way.steps] + (list(end.walk()) if replaced else [])
    refuse_if_used(place, named, f"cannot edit {shown(path)}")


def refuse_if_used(place: Place, named: list[Node], deed: str) -> None:
    """Refuse a deed when an anchor on one of the nodes has an alias outside of that node.

    Raises:
        EditRefusedError: with the anchor's name.
    """
    for node in named:
        if not node.anchor:
            continue
        aliases = (other for other in place.root.walk() if other.kind == "alias" and other.value == node.anchor)
        near = any(not node.start <= other.start < node.end for other in aliases)
        if near or place.used_elsewhere(node.anchor):
            raise EditRefusedError(f"{deed}: its anchor &{node.anchor} is used elsewhere")


# Edits


def setting(place: Place, path: DataPath, value: Plain) -> Iterator[TextEdit]:
    """Return the edits that may set the value at a path, the last key of which may be missing."""
    if path and isinstance(path[-1], str):
        holder = place.way(path[:-1])
        table = holder.steps[-1].node
        if holder.complete and table.kind == "table":
            own = [key_name(key, place.text) for key in table.keys]
            merged = path[-1] not in own and _is_merged(place, path)
            if path[-1] not in own and not merged:
                guard(place, holder, path, replaced=False)
                yield from _with_key(place, holder, path[-1], value)
                return
    way = place.way(path)
    guard(place, way, path, replaced=True)
    yield from _replacing(place, way, value)


def _is_merged(place: Place, path: DataPath) -> bool:
    """Tell whether a key that a table does not spell out may come from a merge."""
    return any(key.value == "<<" and not key.style for key in place.way(path[:-1]).steps[-1].node.keys)


def inserting(place: Place, path: DataPath, value: Plain) -> Iterator[TextEdit]:
    """Return the edits that may put an item into a list."""
    way = place.way(path[:-1])
    guard(place, way, path, replaced=False)
    node, index = way.steps[-1].node, path[-1]
    assert isinstance(index, int)
    if not node.items:
        yield from _replacing(place, way, [value])
        return
    yield from item_edits(place, node, index, value, place.in_flow(way) or node.flow)


def item_edits(
    place: Place, node: Node, index: int, value: Plain, in_flow: bool, apart: int = 0
) -> Iterator[TextEdit]:
    """Return the edits that may put an item into a list that has items, in the manner of its neighbours.

    `apart` is the number of blank lines between items where the text has no two of them to tell by.
    """
    found = layout.entries(place.text, node)
    manner = place.manner
    near = min(max(index - 1, 0), len(found) - 1)
    if in_flow:
        yield layout.inserted(place.text, found, index, flow(value, manner.quoted), manner.newline, True)
        return
    dash = layout.column(place.text, found[near].mark)
    gap = place.text[found[near].mark + 1 : node.items[near].whole]
    gap = gap if gap and not gap.strip(" ") else " "
    bodies = [
        "-" + gap + behind_dash(value, dash, dash + 1 + len(gap), replace(manner, blocks=blocks))
        for blocks in (True, False)
    ]
    if node.items[near].flow and isinstance(value, dict | list):
        bodies.insert(0, "-" + gap + flow(value, manner.quoted))
    for body in bodies:
        yield layout.inserted(place.text, found, index, body, manner.newline, False, apart)


def deleting(place: Place, path: DataPath) -> Iterator[TextEdit]:
    """Return the edits that may delete a key or an item. The last one of a collection leaves empty brackets."""
    way = place.way(path)
    guard(place, way, path, replaced=True)
    step = way.steps[-1]
    if len(step.parent.items) == 1:
        holder = replace(way, steps=way.steps[:-1], path=way.path[:-1])
        yield from _replacing(place, holder, {} if step.parent.kind == "table" else [])
        return
    yield from ended(place, layout.deleted(place.text, layout.entries(place.text, step.parent), step.index))


def moving(place: Place, path: DataPath, to: int) -> Iterator[TextEdit]:
    """Return the edits that may move an item of a list."""
    way = place.way(path)
    holder = replace(way, steps=way.steps[:-1], path=way.path[:-1])
    guard(place, holder, path, replaced=False)
    step = way.steps[-1]
    yield from ended(place, layout.moved(place.text, layout.entries(place.text, step.parent), step.index, to))


def ended(place: Place, edit: TextEdit) -> Iterator[TextEdit]:
    """Return an edit, then the same with a final break for a block that ends the file and needs one."""
    yield edit
    if edit.end == len(place.text):
        yield replace(edit, text=edit.text + place.manner.newline)


def _with_key(place: Place, way: Way, key: str, value: Plain) -> Iterator[TextEdit]:
    node, manner = way.steps[-1].node, place.manner
    if not node.items:
        yield from _replacing(place, way, {key: value})
        return
    found = layout.entries(place.text, node)
    if place.in_flow(way) or node.flow:
        body = key_text(key, True, manner.quoted) + ": " + flow(value, manner.quoted)
        yield layout.inserted(place.text, found, len(found), body, manner.newline, True)
        return
    column = layout.column(place.text, node.start)
    for blocks in (True, False):
        body = key_text(key) + ":" + behind_key(value, column, replace(manner, blocks=blocks))
        yield from ended(place, layout.inserted(place.text, found, len(found), body, manner.newline, False))


def _replacing(place: Place, way: Way, value: Plain) -> Iterator[TextEdit]:
    step = way.steps[-1]
    node = step.node
    in_flow = place.in_flow(way)
    bracketed = in_flow or (node.flow and bool(node.items))
    if isinstance(value, dict | list) and value:
        if bracketed:
            yield _in_place(place, step, flow(value, place.manner.quoted))
        if not in_flow:
            for blocks in (True, False):
                yield _as_block(place, step, value, replace(place.manner, blocks=blocks))
            yield _in_place(place, step, flow(value, place.manner.quoted))
        return
    if isinstance(value, str):
        for spelled in _strings(place, step, value, in_flow):
            yield _in_place(place, step, spelled)
        return
    comment = _header_comment(place.text, node)
    yield _in_place(place, step, flow(value) + comment)


def _strings(place: Place, step: Step, value: str, in_flow: bool) -> Iterator[str]:
    node, manner = step.node, place.manner
    parent = layout.column(place.text, step.parent.start if step.key else lead(place.text, step) - 1)
    inner = parent + (manner.step if step.key else 2)
    if node.kind == "scalar" and (node.style or (isinstance(node.value, str) and not node.empty)):
        yield from restyled(place.text, node, value, parent, inner, in_flow, manner)
        return
    if in_flow:
        yield flow(value, manner.quoted)
        return
    for blocks in (True, False):
        spelled = string(value, parent, inner, replace(manner, blocks=blocks))
        yield spelled
        if "\n" in spelled:
            yield spelled + manner.newline


def _header_comment(text: str, node: Node) -> str:
    header = HEADER.match(text, node.start, node.end) if node.style in {"|", ">"} else None
    return header["rest"].rstrip() if header else ""


def _in_place(place: Place, step: Step, spelled: str) -> TextEdit:
    """Return the edit that writes a value that starts on the line of its key or dash."""
    text, node = place.text, step.node
    begin = _place(text, step)
    if node.empty:
        return TextEdit(begin, begin, " " + spelled)
    if "\n" not in text[begin : node.start]:
        return TextEdit(node.start, node.end, spelled)
    return TextEdit(begin, node.end, _before_break(" " + spelled, _comment_at(text, begin)))


def _as_block(place: Place, step: Step, value: Plain, manner: Manner) -> TextEdit:
    """Return the edit that writes a collection that is not empty on lines of its own."""
    text, node = place.text, step.node
    begin = _place(text, step)
    if step.key is None:
        dash = lead(text, step) - 1
        column = layout.column(text, dash)
        inner = (
            layout.column(text, node.start)
            if not node.empty and "\n" not in text[dash : node.start]
            else column + 2
        )
        return _in_place(place, step, behind_dash(value, column, inner, manner))
    comment = _comment_at(text, begin) if "\n" in text[begin : node.start] else _header_comment(text, node)
    spelled = behind_key(value, layout.column(text, step.parent.start), manner)
    return TextEdit(begin, node.end, _before_break(spelled, comment))


def _comment_at(text: str, offset: int) -> str:
    rest = layout.REST_OF_LINE.match(text, offset)
    return rest[0].rstrip() if rest and "#" in rest[0] else ""


def _before_break(spelled: str, comment: str) -> str:
    """Return a spelling with a comment at the end of its first line."""
    at = spelled.find("\r\n") if "\r\n" in spelled else spelled.find("\n")
    return spelled + comment if at < 0 else spelled[:at] + comment + spelled[at:]
