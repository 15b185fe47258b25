"""Where the samples of a YAML file are, and how it is split into pieces there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sampleui.formats.collector import collector_off
from sampleui.formats.referring import path_of
from sampleui.formats.yaml.nodes import layout
from sampleui.formats.yaml.nodes.compose import compose, fault
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.nodes.scalars import NULL
from sampleui.formats.yaml.nodes.values import is_merge
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, position_at

BOM = "\ufeff"
CONTAINERS = ("evalcases", "tests", "cases", "samples")
"""The keys under which samples may stand, the first that holds any wins."""

BOUNDARY = re.compile(r"(?:^|(?<=[\r\x85\u2028\u2029]))(?:(?:---|\.\.\.)(?=\s|\Z)|%(?:YAML|TAG)[ \t])", re.M)
"""Where a document ends: at a mark of documents, or, as libyaml reads it, at the directives of the next one."""


def split(text: str, under: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """Return the pieces of a file: the head, a chunk for each sample, the tail.

    Args:
        text: the file.
        under: the keys that samples are looked for under; none for the root by name; None for the usual places.

    Raises:
        FormatError: when the text is not YAML, with its line and column.
    """
    bom = BOM if text.startswith(BOM) else ""
    text = text[len(bom) :]
    with collector_off():
        starts = _starts(compose(text, deep_enough(under)), text, under)
    for at in [0, *starts] if BOM in text else []:
        if text.startswith(BOM, at):  # libyaml takes it for the mark of a file, and would not count it
            raise fault("there is a byte order mark inside the file", bom + text, len(bom) + at)
    chunks = [text[start:end] for start, end in pairwise(starts)]
    return bom + text[: starts[0]], *chunks, text[starts[-1] :]


def _starts(root: Node | None, text: str, under: tuple[str, ...] | None) -> list[int]:
    """Return where each sample starts and the last one ends; without samples, where the first would be."""
    found = _container(root, text) if under is None else held_at(root, text, under)
    if found is None:
        return [_vacancy(root, text)]
    return cuts(text, found, found is root) if found.items else [found.start + 1]


def no_deck(text: str) -> Iterator[tuple[Finding, Position]]:
    """Yield `samples-missing` for the text of a file without samples that is a value, or a list of values."""
    root = compose(text.removeprefix(BOM), 2)
    nothing = root is None or root.kind in ("table", "alias") or is_null(root)
    if root is None or nothing or (root.kind == "list" and not root.items):
        return
    what = "A sample must be a table" if root.items else "A deck is a table or a list of samples"
    place = position_at(text, (root.items[0] if root.items else root).start + text.startswith(BOM))
    yield Finding("samples-missing", Severity.ERROR, what), place


def cuts(text: str, node: Node, from_the_top: bool = False) -> list[int]:
    """Return where each item of a container starts, and where the last one ends.

    The last one takes the blank lines after it: they are part of its value if it ends in a `|+` block.
    """
    found = layout.entries(text, node)
    starts = [entry.start for entry in found]
    if from_the_top and not starts[0]:  # a comment that opens the file is about the file
        starts[0] = layout.line_start(text, found[0].mark)
    end = found[-1].stop
    blank = None if node.flow else layout.BLANK_LINES.match(text, end)
    return [*starts, blank.end() if blank else end]


def _container(root: Node | None, text: str) -> Node | None:
    """Return the list or table that holds the samples, an empty list in brackets included."""
    if root is None or root.kind == "scalar":
        return None
    if root.kind == "list":
        return root if _holds_samples(root, text) else None
    tables = {key.value: item for key, item in zip(root.keys, root.items, strict=True) if key.kind == "scalar"}
    named = [tables[name] for name in CONTAINERS if name in tables]
    return next((node for node in named if _holds_samples(node, text)), None)


def deep_enough(under: tuple[str, ...] | None) -> int:
    """Return how many levels of nodes show where samples are that are looked for under some keys."""
    return max(2, len(under or ()) + 1)


def held_at(root: Node | None, text: str, under: tuple[str, ...]) -> Node | None:
    """Return the list or table of samples under some keys, each in a table of lines of its own; None if none is."""
    for key in under:
        if root is None or root.kind != "table" or root.flow:
            return None
        tables = {
            name.value: item for name, item in zip(root.keys, root.items, strict=True) if name.kind == "scalar"
        }
        root = tables.get(key)
    return root if root is not None and _holds_samples(root, text) else None


def _holds_samples(node: Node, text: str) -> bool:
    if node.kind == "list":
        return not node.items or any(
            item.kind in {"table", "alias"} or (item.kind == "scalar" and path_of(item.value))
            for item in node.items
        )
    if node.kind == "table" and not node.flow and node.items:
        return all(
            item.kind == "table" and not is_merge(key) for key, item in zip(node.keys, node.items, strict=True)
        )
    return False


def _vacancy(root: Node | None, text: str) -> int:
    """Return where the first sample of a file that has none would be."""
    if root is not None and root.kind == "table" and not root.flow:
        for key, item in zip(root.keys, root.items, strict=True):
            if key.value in CONTAINERS and is_null(item):
                rest = layout.REST_OF_LINE.match(text, item.end)
                line = text.find("\n", rest.end() if rest else item.end)
                return line + 1 if line >= 0 else len(text)
    if root is None:
        return len(text)
    boundary = BOUNDARY.search(text, root.end)
    return boundary.start() if boundary else len(text)


def is_null(node: Node) -> bool:
    """Tell whether a node is a plain scalar that stands for nothing."""
    return node.kind == "scalar" and not node.style and node.value in NULL
