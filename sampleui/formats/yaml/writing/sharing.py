"""Texts that may change a value which samples share, for all of them or for one."""

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
from sampleui.formats.yaml.shared import BESIDE, is_alias, shared_values, sharers
from sampleui.formats.yaml.values import MERGE, value_place, with_paths
from sampleui.formats.yaml.writing.edits import adding, replacing
from sampleui.formats.yaml.writing.spelling import flow
from sampleui.text.position import TextEdit

if TYPE_CHECKING:
    from sampleui.formats.yaml.document import YamlDocument


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
    changed, moved = document, set[str]()
    for shared in shared_values(document, index):
        if not (shared.path[: len(path)] == path or path[: len(shared.path)] == shared.path):
            continue
        is_home = (shared.home, shared.home_path) == (index, shared.path)
        if is_home and not (path and _is_merged(document, index, shared.path)):
            changed = changed if shared.name in moved else _without_anchor(changed, index, shared)
            moved.add(shared.name)
        elif path:
            changed = _with_value(changed, index, shared.path)
    whole = range(len(document))
    if any(not same(changed.reading(number), document.reading(number)) for number in whole):
        raise EditRefusedError("another sample would read differently")
    return smallest_splice(document, changed)


def _is_merged(document: YamlDocument, index: int, path: DataPath) -> bool:
    """Tell whether a table that is written where it is merged in has a value."""
    return MERGE in document.edited(index).node_path(path).path


def _with_value(document: YamlDocument, index: int, path: DataPath) -> YamlDocument:
    """Return the document with an alias, or what is merged in, written as the value that it stands for."""
    here, value = document.edited(index), lookup(document.read(index), path)
    target = here.node_path(path)
    if target.merged or _is_merged(document, index, path):
        texts = adding(replace(here, changes_all=True), path, value, lambda names: names.index(MERGE) + 1)
    else:
        texts = replacing(here, target, value)
    return document.apply(document._proved(index, texts, document.read(index), "write the shared value here"))


def _without_anchor(document: YamlDocument, index: int, shared: SharedValue) -> YamlDocument:
    """Return the document with an anchor moved from a sample to the next one that has an alias of it."""
    for path, node in [*with_paths(document.root(document.piece_of(index)).items[0], document.chunk(index))]:
        if is_alias(node, shared.name):
            document = _with_value(document, index, path)
    heir = min((user for user in sharers(document, shared.name) if user != index), default=None)
    if heir is None:
        raise EditRefusedError(f"no alias of &{shared.name} is read in another sample, to which it could move")
    value = lookup(document.read(index), shared.path)
    if _is_merged(document, index, shared.path):
        merged = (item.path for item in shared_values(document, index) if item.name == shared.name)
        value = {str(path[-1]): lookup(document.read(index), path) for path in merged}
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
    path = next(path for path, node in with_paths(here.sample, here.text) if is_alias(node, name))
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
