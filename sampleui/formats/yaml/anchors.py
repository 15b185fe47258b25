"""The nodes of each piece of a YAML deck, and what the anchors of one piece mean in the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.nodes.values import Reading
from sampleui.formats.yaml.pieces import BOM, BOUNDARY, Frame, tree


class PieceTrees(NamedTuple):
    """The pieces of a YAML deck as trees of nodes: each is read by itself, but for the anchors before it."""

    pieces: tuple[str, ...]
    frame: Frame

    def root(self, piece: int) -> Node:
        """Return the collection that a piece is when it is read by itself: one sample and what is around it."""
        frame = self.frame
        root = tree(self.pieces[piece], frame.before, frame.after)
        if root is None or root.kind == "scalar" or len(root.items) != 1:
            raise FormatError("this is not one sample", line=1, column=1)
        return root

    @property
    def head(self) -> Node | None:
        """The nodes above the samples."""
        return tree(self.pieces[0].removeprefix(BOM), "", self.frame.head_after)

    @property
    def tail_end(self) -> int:
        """Where the first document ends in the tail."""
        boundary = BOUNDARY.search(self.pieces[-1])
        return boundary.start() if boundary else len(self.pieces[-1])

    @property
    def tail(self) -> Node | None:
        """The nodes below the samples."""
        return tree(self.pieces[-1][: self.tail_end], self.frame.tail_before, "")

    def of(self, piece: int) -> Node | None:
        """Return the nodes of any piece."""
        if piece == 0:
            return self.head
        return self.tail if piece == len(self.pieces) - 1 else self.root(piece)

    def reading(self, piece: int) -> Reading:
        """Return what reads the values of a piece."""
        return Reading(self.pieces[piece].removeprefix(BOM), lambda name: self._anchored(name, piece))

    def _anchored(self, name: str, piece: int) -> Plain:
        """Return the value of the last anchor of a name before a piece."""
        for before in range(piece - 1, -1, -1):
            if f"&{name}" not in self.pieces[before]:
                continue
            root = self.of(before)
            if root is not None and any(node.anchor == name for node in root.walk()):
                reading = self.reading(before)
                reading.value(root)
                return reading.named[name]
        raise FormatError(f"the alias *{name} has no anchor before it", line=1, column=1)

    def used_elsewhere(self, piece: int) -> Callable[[str], bool]:
        """Return what tells whether a piece other than this one has an alias of a name."""

        def used(name: str) -> bool:
            for other, text in enumerate(self.pieces):
                if other != piece and f"*{name}" in text:
                    root = self.of(other)
                    if root and any(node.kind == "alias" and node.value == name for node in root.walk()):
                        return True
            return False

        return used
