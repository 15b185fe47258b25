"""Values that several samples of a YAML deck share by an anchor: where they are, and edits of one or of all.

A sample repeats a value by an alias (`*name`) or merges a table in (`<<: *name`). What is at an anchor (`&name`) is
written once, so that an edit there changes every sample that refers to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, lookup, same
from sampleui.formats.document import SharedValue, Splice
from sampleui.formats.operations import Operation
from sampleui.formats.whole_file import edited, smallest_splice
from sampleui.formats.yaml.nodes import YamlNode
from sampleui.formats.yaml.values import MERGE, key_name, value_place, with_paths
from sampleui.formats.yaml.writing.edits import adding, replacing
from sampleui.formats.yaml.writing.spelling import flow
from sampleui.text.position import TextEdit

if TYPE_CHECKING:
    from sampleui.formats.yaml.document import YamlDocument

BESIDE = -1
"""The index of what a file holds beside its samples, as the place of an anchor."""


def shared_values(document: YamlDocument, index: int) -> Iterator[SharedValue]:
    """Yield what a sample shares with others, in the order of the text.

    A name that is given to several anchors is left out, since which of them an alias means depends on where it
    stands; so is an anchor of a table that is itself merged into another.
    """
    piece = document.piece_of(index)
    text = document.pieces[piece]
    if "*" not in text and "&" not in text:
        return
    sample = document.root(piece).items[0]
    for path, node in with_paths(sample, text):
        name = node.value if node.kind == "alias" else node.anchor
        anchored = None if not name else _anchored(document, name)
        if not name or anchored is None:
            continue
        home, home_path = anchored
        users = _users(document, name)
        if node.kind != "alias":
            if users - {index}:
                yield SharedValue(path, name, home, home_path, tuple(sorted(users | {index})))
        elif MERGE in path[-2:]:
            around = path[: path.index(MERGE)]
            for key in _merged_keys(document, index, around, home, home_path):
                yield SharedValue((*around, key), name, home, (*home_path, key), _all(users, home))
        else:
            yield SharedValue(path, name, home, home_path, _all(users, home))


def _all(users: set[int], home: int) -> tuple[int, ...]:
    return tuple(sorted(users if home == BESIDE else users | {home}))


def _merged_keys(
    document: YamlDocument, index: int, around: DataPath, home: int, home_path: DataPath
) -> Iterator[str]:
    """Yield the keys that a table has of one that is merged into it, and not of its own."""
    table = next(
        node for path, node in with_paths(document.root(document.piece_of(index)).items[0], document.chunk(index))
        if path == around
    )  # fmt: skip
    own = {key_name(key, document.chunk(index)) for key in table.keys}
    merged = lookup(document.context if home == BESIDE else document.read(home), home_path)
    yield from (key for key in merged if key not in own) if isinstance(merged, dict) else ()


def _anchored(document: YamlDocument, name: str) -> tuple[int, DataPath] | None:
    """Return where the one anchor of a name is: a sample or BESIDE, and the path; None for none or several."""
    places: list[tuple[int, DataPath]] = []
    for piece, text in enumerate(document.pieces):
        root = document.trees.of(piece) if f"&{name}" in text else None
        if root is None:
            continue
        samples = document.samples_in(piece) if 0 < piece < len(document.pieces) - 1 else ()
        top = root.items[0] if samples else root
        home = samples[0] if samples else BESIDE
        places += [(home, path) for path, node in with_paths(top, text) if node.anchor == name]
    return places[0] if len(places) == 1 and MERGE not in places[0][1] else None


def _users(document: YamlDocument, name: str) -> set[int]:
    """Return the samples with an alias of a name."""
    users: set[int] = set()
    for piece, text in enumerate(document.pieces[1:-1], 1):
        if f"*{name}" in text and any(_is_alias(node, name) for node in document.root(piece).walk()):
            users |= {*document.samples_in(piece)}
    return users


def _is_alias(node: YamlNode, name: str) -> bool:
    return node.kind == "alias" and node.value == name


def edit_of_all(document: YamlDocument, shared: SharedValue, operation: Operation) -> Splice:
    """Return the splice that makes an operation on a shared value where it is written.

    Raises:
        PathError: when the path does not exist there.
        EditRefusedError: when no text for the edit was found.
    """
    moved = replace(operation, path=(*shared.home_path, *operation.path[len(shared.path) :]))
    beside = shared.home == BESIDE
    splice = edited(document, moved, of_all=True) if beside else document.changing_all().edit(shared.home, moved)
    after = document.apply(splice)
    for index in range(len(document)):
        reading = after.reading(index)
        if reading is None or not (index in shared.users or same(reading, document.reading(index))):
            raise EditRefusedError(f"{document.name(index) or f'sample {index + 1}'} would read as something else")
    return splice


def own_copy(document: YamlDocument, index: int, path: DataPath) -> Splice:
    """Return the splice by which a sample shares nothing at a path, above or below it, and no value changes.

    An alias becomes the value; what is merged in becomes a key of its own; an anchor moves to the next sample that
    has an alias of it.

    Raises:
        EditRefusedError: when no text for it was found.
    """
    changed = document
    for shared in [*shared_values(document, index)]:
        if not (shared.path[: len(path)] == path or path[: len(shared.path)] == shared.path):
            continue
        if (shared.home, shared.home_path) == (index, shared.path):
            changed = _without_anchor(changed, index, shared)
        elif path:
            changed = _with_value(changed, index, shared.path)
    whole = range(len(document))
    if any(not same(changed.reading(number), document.reading(number)) for number in whole):
        raise EditRefusedError("another sample would read differently")
    return smallest_splice(document, changed)


def _with_value(document: YamlDocument, index: int, path: DataPath) -> YamlDocument:
    """Return the document with an alias, or what is merged in, written as the value that it stands for."""
    here, value = document.edited(index), lookup(document.read(index), path)
    target = here.node_path(path)
    if target.merged:
        texts = adding(replace(here, changes_all=True), path, value, lambda names: names.index(MERGE) + 1)
    else:
        texts = replacing(here, target, value)
    return document.apply(document._proved(index, texts, document.read(index), "write the shared value here"))


def _without_anchor(document: YamlDocument, index: int, shared: SharedValue) -> YamlDocument:
    """Return the document with an anchor moved from a sample to the next one that has an alias of it."""
    for path, node in [*with_paths(document.root(document.piece_of(index)).items[0], document.chunk(index))]:
        if _is_alias(node, shared.name):
            document = _with_value(document, index, path)
    heir = min(user for user in _users(document, shared.name) if user != index)
    value = lookup(document.read(index), shared.path)
    number, name = document.piece_of(index), f"&{shared.name}"
    anchored = [node for node in document.root(number).walk() if node.anchor == shared.name]
    freed = without_anchors(document.pieces[number], anchored)
    for edit in _anchoring(document, heir, shared.name, value):
        piece = document.piece_of(heir)
        pieces = {number: freed, piece: edit.apply(document.pieces[piece])}
        low, high = sorted(pieces)
        added = tuple(pieces.get(item, document.pieces[item]) for item in range(low, high + 1))
        after = document.apply(Splice(low, document.pieces[low : high + 1], added))
        alike = (same(after.reading(item), document.reading(item)) for item in range(len(document)))
        if len(after) == len(document) and name in after.pieces[piece] and all(alike):
            return after
    raise EditRefusedError(f"the anchor {name} cannot be moved to {document.name(heir) or f'sample {heir + 1}'}")


def _anchoring(document: YamlDocument, index: int, name: str, value: Plain) -> Iterator[TextEdit]:
    """Yield edits that write a value with an anchor in place of the first alias of its name in a sample."""
    here = document.edited(index)
    path = next(path for path, node in with_paths(here.sample, here.text) if _is_alias(node, name))
    target = here.node_path(path)
    step = target.steps[-1]
    for edit in replacing(here, target, value):
        is_behind_key = edit.start == value_place(here.text, step) < step.node.start
        yield edit._replace(text=f" &{name}{edit.text}" if is_behind_key else f"&{name} {edit.text}")
    spelled = flow(value, here.manner.quoted, here.manner.habits)
    yield TextEdit(step.node.start, step.node.end, f"&{name} {spelled}")


def without_anchors(text: str, nodes: Iterable[YamlNode], start: int = 0) -> str:
    """Return a text without the anchors of nodes, whose places are counted from `start` before it."""
    anchors = {node.whole - start: f"&{node.anchor}" for node in nodes if node.anchor}
    for offset in sorted(anchors, reverse=True):
        place = text.index(anchors[offset], offset)
        before, behind = text[:place], text[place + len(anchors[offset]) :]
        text = before.rstrip(" ") + behind if behind[:1] in "\r\n" else before + behind.lstrip(" ")
    return text
