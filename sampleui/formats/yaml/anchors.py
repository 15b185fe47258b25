"""The nodes of each piece of a YAML deck, and what the anchors of one piece mean in the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.referring import Referring
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.nodes.values import Reading
from sampleui.formats.yaml.pieces import Frame, frame_of, tree
from sampleui.formats.yaml.splitting import BOM, BOUNDARY


@dataclass(frozen=True, repr=False)
class Anchoring(Referring):
    """A YAML deck whose pieces are read each by itself, but for the anchors before it.

    Attributes:
        looked_under: the keys that samples were looked for under, for a table of the user's; None for the usual.
    """

    looked_under: tuple[str, ...] | None = None

    @property
    def frame(self) -> Frame:
        """What is around the samples."""
        return frame_of(self.pieces[0], self.looked_under)

    def root(self, piece: int) -> Node:
        """Return the collection that a piece is when it is read by itself: one sample and what is around it."""
        frame = self.frame
        found = tree(self.pieces[piece], frame.before, frame.after)
        if found is None or found.kind == "scalar" or len(found.items) != 1:
            raise FormatError("this is not one sample", line=1, column=1)
        return found

    def referred_to(self, piece: int) -> bool:
        """Tell whether a piece may have an anchor, and so a value that is repeated in pieces below it."""
        return "&" in self.pieces[piece]

    @property
    def _head(self) -> Node | None:
        head = self.pieces[0].removeprefix(BOM)
        return tree(head, "", self.frame.head_after)

    @property
    def _tail_end(self) -> int:
        """Where the first document ends in the tail."""
        boundary = BOUNDARY.search(self.pieces[-1])
        return boundary.start() if boundary else len(self.pieces[-1])

    @property
    def _tail(self) -> Node | None:
        return tree(self.pieces[-1][: self._tail_end], self.frame.tail_before, "")

    def _piece_tree(self, piece: int) -> Node | None:
        if piece == 0:
            return self._head
        return self._tail if piece == len(self.pieces) - 1 else self.root(piece)

    def _reader(self, piece: int) -> Reading:
        def elsewhere(name: str) -> Plain:
            return self._anchored(name, piece)

        return Reading(self.pieces[piece].removeprefix(BOM), elsewhere)

    def _anchored(self, name: str, piece: int) -> Plain:
        """Return the value of the last anchor of a name before a piece."""
        for at in range(piece - 1, -1, -1):
            if f"&{name}" not in self.pieces[at]:
                continue
            root = self._piece_tree(at)
            if root is not None and any(node.anchor == name for node in root.walk()):
                reading = self._reader(at)
                reading.value(root)
                return reading.named[name]
        raise FormatError(f"the alias *{name} has no anchor before it", line=1, column=1)

    def _used_elsewhere(self, piece: int) -> Callable[[str], bool]:
        def used(name: str) -> bool:
            for at, text in enumerate(self.pieces):
                if at != piece and f"*{name}" in text:
                    root = self._piece_tree(at)
                    if root and any(node.kind == "alias" and node.value == name for node in root.walk()):
                        return True
            return False

        return used
