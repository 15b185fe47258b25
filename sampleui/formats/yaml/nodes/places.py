"""Where the text of a value begins and ends."""

from __future__ import annotations

import re

from sampleui.errors import EditRefusedError
from sampleui.formats.yaml.nodes import layout
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.nodes.values import Step, key_name
from sampleui.text.position import Span

HEADER = re.compile(r"[|>](?P<signs>[-+0-9]*)(?P<rest>[^\r\n]*)(?:\r?\n)?")
"""The line that a block scalar begins with."""


def lead(text: str, step: Step) -> int:
    """Return where the place of a value begins: after its colon, its dash, or at itself inside brackets.

    Raises:
        EditRefusedError: when a key has no colon.
    """
    if step.key is not None:
        if not _has_colon(text, step.key):
            raise EditRefusedError(f"the key {key_name(step.key, text)!r} has no place for a value")
        return layout.skip(text, step.key.end) + 1
    if step.parent.flow:
        return step.node.whole
    return layout.entries(text, step.parent)[step.index].mark + 1


def _has_colon(text: str, key: Node) -> bool:
    """Tell whether a colon is behind a key: one in brackets, or after a `?`, may do without."""
    return text.startswith(":", layout.skip(text, key.end))


def value_span(text: str, step: Step) -> Span:
    """Return where a value is. One on lines of its own begins after its key, and so does an empty one."""
    node = step.node
    if node.kind == "alias" or (step.key is not None and not _has_colon(text, step.key)):
        return Span(node.start, node.end)
    begin = value_place(text, step)
    below = "\n" in text[begin : node.start]
    return Span(begin if below or node.empty else node.start, node.end)


def value_place(text: str, step: Step) -> int:
    """Return where the text of a value may begin: after its colon or dash and its anchor and tag."""
    node = step.node
    if node.whole < node.start or (node.empty and (node.anchor or node.tag)):
        return node.whole + len(text[node.whole : node.start].rstrip())
    return lead(text, step)


def lacks_break(text: str, node: Node) -> bool:
    """Tell whether a node is a block that its text ends in the middle of a line, though it would hold the break."""
    header = HEADER.match(text, node.start, node.end) if node.style in {"|", ">"} else None
    return header is not None and "-" not in header["signs"] and bool(node.value) and not node.value.endswith("\n")
