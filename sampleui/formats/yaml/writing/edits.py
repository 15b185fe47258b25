"""Texts that may make an edit of a value inside one sample, the plainest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import DataPath, Plain, leaves, shown
from sampleui.formats.yaml import layout
from sampleui.formats.yaml.nodes import HEADER, YamlNode
from sampleui.formats.yaml.pieces import PieceFrame, tree
from sampleui.formats.yaml.values import (
    CORE_TAGS,
    NodePath,
    NodeStep,
    has_repeated,
    is_of_kind,
    lead,
    node_path,
    scalar_value,
    value_place,
)
from sampleui.formats.yaml.writing.habits import Manner
from sampleui.formats.yaml.writing.spelling import (
    LineRoom,
    behind_dash,
    behind_key,
    chomping,
    flow,
    header_comment,
    in_same_style,
    key_text,
    single_quoted,
    string,
)
from sampleui.text.position import TextEdit

_TAG = re.compile(r"(?<!\S)!(?:<[^>\s]*>|[^\s,\[\]{}]*)[ \t]*")
_NO_PLAIN_COLLECTION = frozenset(f"tag:yaml.org,2002:{name}" for name in ("set", "omap", "pairs"))


@dataclass(frozen=True)
class EditedPiece:
    """The piece of text that an edit is made in.

    Attributes:
        text: the piece.
        root: the collection that holds the sample: a list or a table of one item.
        frame: what is around the piece.
        manner: how new text is laid out here.
        used_elsewhere: tells whether another piece has an alias of a name.
        changes_all: whether a value may change for all that have an alias of it.
    """

    text: str
    root: YamlNode
    frame: PieceFrame
    manner: Manner
    used_elsewhere: Callable[[str], bool]
    changes_all: bool = False

    @property
    def sample(self) -> YamlNode:
        """The sample itself."""
        return self.root.items[0]

    def node_path(self, path: DataPath) -> NodePath:
        """Return the nodes along a path, the sample's own place in its container as the first step."""
        target = node_path(self.sample, path, self.text)
        return replace(target, steps=(NodeStep(self.root, 0), *target.steps), path=("", *target.path))

    def in_flow(self, target: NodePath) -> bool:
        """Tell whether the node that a path ends at is in brackets."""
        return self.frame.flow or any(step.parent.flow for step in target.steps)

    def with_closed_block_scalars(self) -> EditedPiece | None:
        """Return the piece with its block scalars closed off, None if none is open.

        One that ends the file without a break holds none, and must say so with a `-` once text follows it; one that
        keeps the breaks after it with a `+` must not once other blank lines follow it.
        """
        text = self.text
        for node in sorted(self.root.walk(), key=lambda node: -node.start):
            header = HEADER.match(self.text, node.start, node.end) if node.style in {"|", ">"} else None
            if header is None or "-" in header["signs"]:
                continue
            needed = chomping(node.value)
            if node.end == len(self.text) or ("+" in header["signs"] and needed != "+"):
                signs = header["signs"].strip("+") + needed
                text = text[: header.start("signs")] + signs + text[header.end("signs") :]
        root = tree(text, self.frame.before, self.frame.after) if text != self.text else None
        return replace(self, text=text, root=root) if root else None

    def untagged(self, node: YamlNode) -> EditedPiece:
        """Return the piece with the tag of a node removed, its anchor left.

        Raises:
            EditRefusedError: when it is not a text without the tag.
        """
        before, after = self.text[: node.whole], self.text[node.start :]
        kept = _TAG.sub("", self.text[node.whole : node.start], count=1)
        text = (before.rstrip(" \t") if node.empty and not kept else before) + kept + after
        try:
            root = tree(text, self.frame.before, self.frame.after)
        except FormatError as error:
            raise EditRefusedError(f"its tag {node.tag} cannot be removed: {error.message}") from None
        assert root is not None
        return replace(self, text=text, root=root)

    def attempts(self, edits: Callable[[EditedPiece], Iterator[TextEdit]]) -> Iterator[TextEdit]:
        """Return edits of the text as it stands, then those that close off its blocks as well."""
        yield from edits(self)
        if (sealed := self.with_closed_block_scalars()) is not None:
            for edit in edits(sealed):
                yield TextEdit(0, len(self.text), edit.apply(sealed.text))


# Refusals


def guard(edited: EditedPiece, target: NodePath, path: DataPath, replaced: bool) -> None:
    """Refuse an edit of a node that text elsewhere depends on, or whose value is elsewhere.

    Raises:
        EditRefusedError: with the reason.
    """
    names = target.path[1 : len(target.steps)]
    end = target.steps[-1].node
    if target.merged and not edited.changes_all:
        raise EditRefusedError(f"cannot edit {shown(path)}: it is merged in with <<")
    if end.kind == "alias":
        raise EditRefusedError(f"cannot edit {shown(path)}: {shown(names)} is an alias of *{end.value}")
    for depth, step in enumerate(target.steps[1:]):
        name = target.path[depth + 1]
        if isinstance(name, str) and has_repeated(step.parent, name, edited.text):
            raise EditRefusedError(f"cannot edit {shown(path)}: the key {name!r} is given more than once")
    if replaced and end.tag and end.tag not in CORE_TAGS:
        raise EditRefusedError(f"cannot edit {shown(path)}: it has the tag {end.tag}")
    for step in target.steps:
        if step.node.tag in _NO_PLAIN_COLLECTION:
            raise EditRefusedError(f"cannot edit {shown(path)}: it is inside a value with the tag {step.node.tag}")
    around = [] if edited.changes_all else [step.node for step in target.steps]
    inside = [node for node in end.walk() if node is not end] if replaced else []
    named = around + inside
    refuse_if_used(edited, named, f"cannot edit {shown(path)}")


def refuse_if_used(edited: EditedPiece, named: list[YamlNode], deed: str) -> None:
    """Refuse an operation when an anchor on one of the nodes has an alias outside of that node.

    Raises:
        EditRefusedError: with the anchor's name.
    """
    for node in named:
        if not node.anchor:
            continue
        aliases = (other for other in edited.root.walk() if other.kind == "alias" and other.value == node.anchor)
        near = any(not node.start <= other.start < node.end for other in aliases)
        if near or edited.used_elsewhere(node.anchor):
            raise EditRefusedError(f"{deed}: its anchor &{node.anchor} is used elsewhere")


Among = Callable[[Sequence[str]], int]
"""Where a new key goes among the others of its table."""


def adding(edited: EditedPiece, path: DataPath, value: Plain, among: Among) -> Iterator[TextEdit]:
    """Return the edits that may give a table the key that ends the path: in its place, else behind all others."""
    target = edited.node_path(path[:-1])
    guard(edited, target, path, replaced=False)
    count, keys = len(target.steps[-1].node.items), target.steps[-1].node.keys
    unknown = next((key.value for key in keys if key.kind == "alias" and key.aliased is None), None)
    if unknown is not None:
        raise EditRefusedError(f"cannot add {shown(path)}: the key *{unknown} beside it may be that key")
    names = [key.value for key in keys]
    for fromkey in dict.fromkeys((among(names), count)):
        yield from _with_key(edited, target, fromkey, str(path[-1]), value)


def setting(edited: EditedPiece, path: DataPath, value: Plain) -> Iterator[TextEdit]:
    """Return the edits that may replace the value at a path. A tag goes with the kind of value that it is for."""
    target = edited.node_path(path)
    guard(edited, target, path, replaced=True)
    end = target.steps[-1].node
    if end.tag is None or is_of_kind(end.tag, value):
        yield from replacing(edited, target, value)
        return
    bare = edited.untagged(end)
    for edit in replacing(bare, bare.node_path(path), value):
        yield TextEdit(0, len(edited.text), edit.apply(bare.text))


def inserting(edited: EditedPiece, path: DataPath, value: Plain) -> Iterator[TextEdit]:
    """Return the edits that may put an item into a list."""
    target = edited.node_path(path[:-1])
    guard(edited, target, path, replaced=False)
    node, index = target.steps[-1].node, path[-1]
    assert isinstance(index, int)
    if not node.items:
        yield from _beside_comments(edited, target, flow(value, edited.manner.quoted, edited.manner.habits))
        yield from replacing(edited, target, [value])
        return
    yield from item_edits(edited, node, index, value, in_flow=edited.in_flow(target) or node.flow)


def item_edits(
    edited: EditedPiece, node: YamlNode, index: int, value: Plain, *, in_flow: bool, apart: int | None = None
) -> Iterator[TextEdit]:
    """Return the edits that may put an item into a list that has items, in the manner of its neighbours.

    `apart` is the number of blank lines between items, None for as many as most of them have.
    """
    entries = layout.entries(edited.text, node)
    manner = edited.manner
    near = min(max(index - 1, 0), len(entries) - 1)
    if in_flow:
        spelled = flow(value, manner.quoted, manner.habits)
        yield layout.inserted_in_brackets(edited.text, entries, index, spelled, manner.newline)
        return
    dash = layout.column(edited.text, entries[near].mark)
    gap = edited.text[entries[near].mark + 1 : node.items[near].whole]
    gap = gap if gap and not gap.strip(" ") else " "
    bodies = [
        "-" + gap + behind_dash(value, dash, dash + 1 + len(gap), replace(manner, blocks=blocks))
        for blocks in (True, False)
    ]
    beside_blocks = _has_lines(value) and any(map(_holds_block, node.items))
    if node.items[near].flow and isinstance(value, dict | list) and not beside_blocks:
        bodies.insert(0, "-" + gap + flow(value, manner.quoted, manner.habits))
    for body in bodies:
        yield from layout.inserted(edited.text, entries, index, body, manner.newline, apart=apart)


def deleting(edited: EditedPiece, path: DataPath) -> Iterator[TextEdit]:
    """Return the edits that may delete a key or an item. The last one of a collection leaves empty brackets."""
    target = edited.node_path(path)
    guard(edited, target, path, replaced=True)
    step = target.steps[-1]
    if len(step.parent.items) == 1:
        holder = replace(target, steps=target.steps[:-1])
        yield from replacing(edited, holder, {} if step.parent.kind == "table" else [])
        return
    entries = layout.entries(edited.text, step.parent)
    yield from ended(edited, layout.deleted(edited.text, entries, step.index))
    # npm's `yaml` asks for the comma before some comments.
    yield layout.deleted(edited.text, entries, step.index, comma=True)


def moving(edited: EditedPiece, path: DataPath, to: int) -> Iterator[TextEdit]:
    """Return the edits that may move an item of a list."""
    guard(edited, edited.node_path(path[:-1]), path, replaced=False)
    step = edited.node_path(path).steps[-1]
    entries = layout.entries(edited.text, step.parent)
    yield from ended(edited, layout.moved_entry(edited.text, entries, step.index, to, edited.manner.newline))


def renaming(edited: EditedPiece, path: DataPath, name: str) -> Iterator[TextEdit]:
    """Return the edits that may rename a key, in the quotes it has; for the empty path the name of the sample."""
    target = edited.node_path(path)
    guard(edited, target, path, replaced=False)
    step = target.steps[-1]
    assert step.key is not None
    quoted = step.key.style == '"'
    if step.key.style == "'" and (single := single_quoted(name)) is not None:
        yield TextEdit(step.key.start, step.key.end, single)
    # An empty key may stand right after its `?` or its tag.
    glued = step.key.empty and edited.text[step.key.start - 1 : step.key.start] not in {"", *" \t\n{,"}
    named = key_text(name, step.parent.flow, quoted)
    yield TextEdit(step.key.start, step.key.end, f" {named}" if glued else named)


def ended(edited: EditedPiece, edit: TextEdit) -> Iterator[TextEdit]:
    """Return an edit, then the same with a final break for a block that ends the file, or a comment in brackets."""
    yield edit
    if edit.end == len(edited.text):
        yield edit._replace(text=edit.text + edited.manner.newline + " " * edited.frame.least)


def _with_key(edited: EditedPiece, target: NodePath, index: int, key: str, value: Plain) -> Iterator[TextEdit]:
    node, manner = target.steps[-1].node, edited.manner
    if not node.items:
        named = f"{key_text(key, True, manner.quoted)}: {flow(value, manner.quoted, manner.habits, key)}"
        yield from _beside_comments(edited, target, named)
        yield from replacing(edited, target, {key: value})
        return
    entries = layout.entries(edited.text, node)
    if edited.in_flow(target) or node.flow:
        body = key_text(key, True, manner.quoted) + ": " + flow(value, manner.quoted, manner.habits, key)
        yield layout.inserted_in_brackets(edited.text, entries, index, body, manner.newline)
        return
    column = layout.column(edited.text, node.start)
    for blocks in (True, False):
        body = key_text(key) + ":" + behind_key(value, column, replace(manner, blocks=blocks), key)
        for edit in layout.inserted(edited.text, entries, index, body, manner.newline):
            yield from ended(edited, edit)


def _beside_comments(edited: EditedPiece, target: NodePath, first: str) -> Iterator[TextEdit]:
    """Return the edit that puts the first entry into empty brackets with comments in them or on lines above."""
    text, step = edited.text, target.steps[-1]
    node = step.node
    close = node.end - 1
    if "#" in text[node.start : close]:
        blanks = text[text.rfind("\n", node.start, close) + 1 : close]
        yield TextEdit(close, close, first + edited.manner.newline + blanks)
    elif "#" in text[value_place(text, step) : node.start].partition("\n")[2]:
        yield TextEdit(node.start + 1, close, first)


def replacing(edited: EditedPiece, target: NodePath, value: Plain) -> Iterator[TextEdit]:
    """Return the edits that may write a value in place of the node that a path ends at, whatever refers to it."""
    step = target.steps[-1]
    node = step.node
    in_flow = edited.in_flow(target)
    bracketed = in_flow or (node.flow and bool(node.items)) or _is_short(node)
    if isinstance(value, dict | list) and value:
        if bracketed:
            yield _in_place(edited, step, flow(value, edited.manner.quoted, edited.manner.habits))
        if not in_flow:
            for blocks in (True, False):
                yield _as_block(edited, step, value, replace(edited.manner, blocks=blocks))
            yield _in_place(edited, step, flow(value, edited.manner.quoted, edited.manner.habits))
        return
    if isinstance(value, str):
        yield from _out_of_braces(edited, target, value)
        for spelled in _strings(edited, step, value, in_flow):
            yield _in_place(edited, step, spelled)
        return
    comment = header_comment(edited.text, node)
    yield _in_place(edited, step, flow(value) + comment)
    if not in_flow:  # a list may stand as deep as its key, below a comment; brackets may not
        yield _in_place(edited, step, " " * edited.manner.step + flow(value) + comment)


def _out_of_braces(edited: EditedPiece, target: NodePath, value: str) -> Iterator[TextEdit]:
    """Yield the edit that takes an item out of its braces for a text of several lines, as an item beside it is."""
    if "\n" not in value or len(target.steps) < 3:
        return
    around, item, text = target.steps[-2].parent, target.steps[-2], target.steps[-1]
    in_list = around.kind == "list" and not around.flow and not edited.frame.flow
    table = item.node
    if not (in_list and table.kind == "table" and table.flow and any(map(_holds_block, around.items))):
        return
    bare = all(node.kind == "scalar" and not node.anchor and not node.tag for node in (*table.keys, *table.items))
    if bare and "#" not in edited.text[table.start : table.end]:
        written: dict[str, Plain] = {
            key.value: scalar_value(node.value, not node.style, node.tag)
            for key, node in zip(table.keys, table.items, strict=True)
        }
        edit = _as_block(edited, item, {**written, table.keys[text.index].value: value}, edited.manner)
        comment = _comment_at(edited.text, table.end)
        yield TextEdit(edit.start, edit.end + len(comment), _before_break(edit.text, comment))


def _holds_block(node: YamlNode) -> bool:
    """Tell whether a text in a value is written as a block."""
    return any(inner.style in ("|", ">") for inner in node.walk())


def _has_lines(value: Plain) -> bool:
    """Tell whether a text in a value has several lines."""
    return any(isinstance(item, str) and "\n" in item for _, item in leaves(value))


def _is_short(node: YamlNode) -> bool:
    """Tell whether a value is a number or the like, which a table in brackets replaces on its line."""
    return (
        node.kind == "scalar"
        and not node.empty
        and not isinstance(scalar_value(node.value, not node.style, node.tag), str)
    )


def _strings(edited: EditedPiece, step: NodeStep, value: str, in_flow: bool) -> Iterator[str]:
    node, manner = step.node, edited.manner
    parent = layout.column(edited.text, step.parent.start if step.key else lead(edited.text, step) - 1)
    inner = parent + (manner.step if step.key else 2)
    is_text = node.kind == "scalar" and (node.style or (isinstance(node.value, str) and not node.empty))
    key = step.key.value if step.key else ""
    is_line = is_text and "\n" not in node.value and node.style not in ("|", ">")
    grows = is_line and "\n" in value and key in manner.habits.folds
    if not is_text or _is_blank(node) or (grows and not in_flow):
        for spelled in _anew(value, LineRoom(parent, inner, in_flow, manner), key):
            yield spelled
            if "\n" in spelled and node.end == len(edited.text):
                yield spelled + manner.newline
    if is_text:
        yield from in_same_style(edited.text, node, value, LineRoom(parent, inner, in_flow, manner))


def _anew(value: str, room: LineRoom, key: str) -> Iterator[str]:
    """Yield spellings of a string under a key as those of the other texts are."""
    if room.flow:
        yield flow(value, room.manner.quoted, room.manner.habits, key)
        return
    for blocks in (True, False):
        yield string(value, room.parent, room.inner, replace(room.manner, blocks=blocks), key)


def _is_blank(node: YamlNode) -> bool:
    """Tell whether a value is an empty text, which had no choice but to be quoted."""
    return node.style in ("'", '"') and not node.value


def _in_place(edited: EditedPiece, step: NodeStep, spelled: str) -> TextEdit:
    """Return the edit that writes a value that starts on the line of its key or dash."""
    text, node = edited.text, step.node
    begin = value_place(text, step)
    if node.empty:
        return TextEdit(begin, begin, " " + spelled)
    between = text[begin : node.start]
    in_brackets = step.parent.flow and "#" in between  # where a comma follows the value on its line
    if "\n" not in between or in_brackets or _comments_above(text, begin, node):
        return TextEdit(node.start, node.end, spelled)
    return TextEdit(begin, node.end, _before_break(" " + spelled, _comment_at(text, begin)))


def _as_block(edited: EditedPiece, step: NodeStep, value: Plain, manner: Manner) -> TextEdit:
    """Return the edit that writes a collection that is not empty on lines of its own."""
    text, node = edited.text, step.node
    begin = value_place(text, step)
    if step.key is None:
        dash = lead(text, step) - 1
        column = layout.column(text, dash)
        on_line = not node.empty and "\n" not in text[dash : node.start]
        inner = layout.column(text, node.start) if on_line else column + 2
        spelled = behind_dash(value, column, inner, manner)
        return _in_place(edited, step, _before_break(spelled, header_comment(text, node)))
    comment = _comment_at(text, begin) if "\n" in text[begin : node.start] else header_comment(text, node)
    if above := _comments_above(text, begin, node):
        spelled = behind_key(value, layout.column(text, step.parent.start), manner)
        header = header_comment(text, node).lstrip()
        line = text[text.rfind("\n", 0, node.start) : node.start] + header if header else ""
        return TextEdit(begin, node.end, above + line + spelled)
    spelled = behind_key(value, layout.column(text, step.parent.start), manner)
    return TextEdit(begin, node.end, _before_break(spelled, comment))


def _comments_above(text: str, begin: int, node: YamlNode) -> str:
    """Return what is between a key and its value where lines of comments are; nothing if there are none."""
    between = text[begin : node.start].rstrip()
    return between if "#" in between.partition("\n")[2] else ""


def _comment_at(text: str, offset: int) -> str:
    rest = layout.REST_OF_LINE.match(text, offset)
    return rest[0].rstrip() if rest and "#" in rest[0] else ""


def _before_break(spelled: str, comment: str) -> str:
    """Return a spelling with a comment at the end of its first line."""
    line_end = spelled.find("\r\n") if "\r\n" in spelled else spelled.find("\n")
    return spelled + comment if line_end < 0 else spelled[:line_end] + comment + spelled[line_end:]
