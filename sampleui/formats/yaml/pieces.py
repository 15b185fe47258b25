"""What is around the pieces of a YAML file, and how each piece is read by itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.yaml.nodes.compose import compose_piece
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.nodes.values import Reading
from sampleui.formats.yaml.splitting import BOM, CONTAINERS, cuts, is_null, split

BARE = "\0"
"""What is assumed to be before a piece that is the whole file, one sample: it is read as a list of that sample."""

TAG_LINES = re.compile(r"^%TAG[^\r\n]*", re.M)


@dataclass(frozen=True, slots=True)
class Frame:
    """What is around the pieces of a file, as its head shows.

    Attributes:
        container: the keys that lead to the samples; none when the file itself is the list.
        vacant: whether the head ends in the container, so that samples may follow.
        flow: whether the samples are in brackets.
        before, after: what a chunk needs around it to be read by itself.
        head_after: what the head needs after it.
        tail_before: what the tail needs in front of it.
        least: how far lines in the brackets that hold the samples are indented at least.
        column: how far the key that holds the samples is indented.
        under: the keys that samples were looked for under, for a table of the user's; None for the usual.
    """

    container: tuple[str, ...]
    vacant: bool
    flow: bool = False
    before: str = ""
    after: str = ""
    head_after: str = ""
    tail_before: str = ""
    least: int = 0
    column: int = 0
    under: tuple[str, ...] | None = None

    def split(self, text: str) -> tuple[str, ...]:
        """Return the pieces of another text of this file. Raises as `split` does."""
        return split(text, self.under)

    def around(self, root: Node) -> Node:
        """Return the table in a head that has the samples under its last key."""
        for _ in self.container[1:]:
            root = root.items[-1]
        return root


@lru_cache(maxsize=64)
def frame_of(head: str, under: tuple[str, ...] | None = None) -> Frame:
    """Return what the head of a file says of the pieces after it; `under` is as in `Frame`."""
    text = head.removeprefix(BOM)
    tags = "".join(line + "\n" for line in TAG_LINES.findall(text)) if "%TAG" in text else ""
    tags += "---\n" if tags else ""
    for closing, opening in (("", ""), ("\n]", "["), ("\n]}", "{_: [")):
        try:
            root = compose_piece(text + closing)
        except FormatError:
            continue
        inner, above = _around(root, text, under or ())
        key = inner.keys[-1].value if inner is not None and inner.kind == "table" and inner.keys else ""
        container = (under or (key,)) if inner and key else ()
        margin = _margin(text, inner)
        if not closing:
            known = (key,) == under[-1:] if under is not None else key in CONTAINERS
            vacant = root is None or (inner is not None and known and is_null(inner.items[-1]))
            before = tags + above + (" " * margin + "_:\n" if above else "")
            return Frame(container if vacant else (), vacant, False, tags, "", "", before, 0, margin, under)
        if key and opening == "[" and inner is not None:
            start, opening, least = " " * margin + "- [", above + " " * margin + "_: [", margin + 1
        else:
            start, least = "[", 0
        return Frame(container, True, True, tags + start, "\n]", closing, tags + opening, least, margin, under)
    return Frame((), False, under=under)


def _margin(text: str, node: Node | None) -> int:
    return 0 if node is None else node.start - max(text.rfind(sign, 0, node.start) for sign in "\r\n") - 1


def _around(root: Node | None, text: str, under: tuple[str, ...]) -> tuple[Node | None, str]:
    """Return the table at the end of a head that has the samples, and text that opens the tables around it."""
    above = ""
    for key in under[:-1]:
        if root is None or root.kind != "table" or not root.keys or root.keys[-1].value != key:
            return None, ""
        above += " " * _margin(text, root) + "_:\n"
        root = root.items[-1]
    return root, above


@lru_cache(maxsize=512)
def tree(text: str, before: str, after: str) -> Node | None:
    """Return the nodes of a piece of a file. Offsets are those of the piece; errors are placed in it.

    Raises:
        FormatError: when the piece is not YAML.
    """
    if not before and not after:
        return compose_piece(text)
    if before == BARE:
        found = compose_piece(text)
        return found and Node("list", found.whole, found.start, found.end, items=(found,))
    root = compose_piece(before + text + after)
    if root is not None and before.endswith("- ["):
        root = root.items[0]
    return _shifted(root, len(before))


@lru_cache(maxsize=1024)
def alone(text: str, before: str, after: str) -> Plain:
    """Return the value of a sample whose text holds no alias."""

    def missing(name: str) -> Plain:
        raise FormatError(f"the alias *{name} has no anchor", line=1, column=1)

    root = tree(text, before, after)
    return Reading(text, missing).value(root.items[0]) if root is not None else None


def _shifted(node: Node | None, by: int) -> Node | None:
    return node and _shift(node, by)


def _shift(node: Node, by: int) -> Node:
    return Node(
        node.kind,
        node.whole - by,
        node.start - by,
        node.end - by,
        node.style,
        node.value,
        node.anchor,
        node.tag,
        tuple(_shift(key, by) for key in node.keys),
        tuple(_shift(item, by) for item in node.items),
    )


def rejoined(text: str, frame: Frame, last: bool) -> tuple[str, ...]:
    """Return the chunks that a stretch of samples falls into, then what belongs to the tail if it is the last.

    Raises:
        FormatError: when the stretch is not YAML.
    """
    root = tree(text, frame.before, frame.after)
    if root is None or not root.items:
        return (text, "")
    _, *starts, end = cuts(text, root)
    end = end if last else len(text)
    return (*(text[one:other] for one, other in pairwise([0, *starts, end])), text[end:])
