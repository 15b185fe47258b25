"""Values that several samples of a YAML deck share by an anchor: which they are, and who has them.

A sample repeats a value by an alias (`*name`) or merges a table in (`<<: *name`). What is at an anchor (`&name`) is
written once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from sampleui.formats.data import DataPath, lookup
from sampleui.formats.document import SharedValue
from sampleui.formats.yaml.nodes import YamlNode
from sampleui.formats.yaml.values import MERGE, key_name, with_paths
from sampleui.text.limits import MAX_SHARERS_READ

if TYPE_CHECKING:
    from sampleui.formats.yaml.document import YamlDocument

BESIDE = -1
"""The index of what a file holds beside its samples, as the place of an anchor."""


@lru_cache(maxsize=8)
def shared_values(document: YamlDocument, index: int) -> tuple[SharedValue, ...]:
    """Return what a sample shares with others, in the order of the text.

    It is kept for the last samples: each move of a cursor asks for it.

    A name that is given to several anchors is left out, since which of them an alias means depends on where it
    stands. Of a table that is written where it is merged in (`<<: &name {...}`) each key is shared.
    """
    return tuple(_shared_values(document, index))


def _shared_values(document: YamlDocument, index: int) -> Iterator[SharedValue]:
    piece = document.piece_of(index)
    text = document.pieces[piece]
    if "*" not in text and "&" not in text:
        return
    sample = document.root(piece).items[0]
    for path, node in with_paths(sample, text, read_alone=True):
        name = node.value if node.kind == "alias" else node.anchor
        anchored = None if not name else _anchored(document, name)
        if not name or anchored is None:
            continue
        home, home_path = anchored
        users, is_written_in = sharers(document, name), MERGE in home_path
        if node.kind != "alias" and not users - {index}:
            continue
        if MERGE in path[-2:]:
            around, there = path[: path.index(MERGE)], home_path[:-1] if is_written_in else home_path
            for key in _merged_keys(document, index, around, home, home_path):
                yield SharedValue((*around, key), name, home, (*there, key), _all(users, home))
        elif not is_written_in:
            yield SharedValue(path, name, home, home_path, _all(users, home))


def _all(users: set[int], home: int) -> tuple[int, ...]:
    return tuple(sorted(users if home == BESIDE else users | {home}))


def _merged_keys(
    document: YamlDocument, index: int, around: DataPath, home: int, home_path: DataPath
) -> Iterator[str]:
    """Yield the keys that a table has of one that is merged into it, and not of its own."""
    own = _keys_at(document, index, around)
    if MERGE in home_path:
        own |= _keys_at(document, home, home_path[:-1])
        yield from (key for key in _keys_at(document, home, home_path) if key not in own)
        return
    merged = lookup(document.context if home == BESIDE else document.read(home), home_path)
    yield from (key for key in merged if key not in own) if isinstance(merged, dict) else ()


def _keys_at(document: YamlDocument, index: int, path: DataPath) -> dict[str, None]:
    """Return the keys that the table at a path of a sample has by itself, in their order."""
    text, sample = document.chunk(index), document.root(document.piece_of(index)).items[0]
    table = next(node for other, node in with_paths(sample, text) if other == path)
    return dict.fromkeys(key_name(key, text) for key in table.keys)


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
    if len(places) != 1 or MERGE in places[0][1][:-1] or (places[0][0] == BESIDE and MERGE in places[0][1]):
        return None
    return places[0]


def sharers(document: YamlDocument, name: str) -> set[int]:
    """Return the samples with an alias of a name."""
    sign = re.compile(rf"(?<![^\s,\[{{]){re.escape('*' + name)}(?![^\s,\[\]{{}}])")
    users: set[int] = set()
    for piece, text in enumerate(document.pieces[1:-1], 1):
        if f"*{name}" in text and sign.search(text):
            is_read = len(users) >= MAX_SHARERS_READ
            if is_read or any(is_alias(node, name) for node in document.root(piece).walk()):
                users |= {*document.samples_in(piece)}
    return users


def is_alias(node: YamlNode, name: str) -> bool:
    """Tell whether a node is an alias of a name."""
    return node.kind == "alias" and node.value == name
