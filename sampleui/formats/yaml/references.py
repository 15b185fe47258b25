"""Items of a list of samples that name files with samples: `- file://cases/*.yaml` among a suite's tests."""

from __future__ import annotations

import re
from abc import abstractmethod
from functools import cached_property
from typing import Self

from sampleui.errors import FormatError
from sampleui.formats.document import Document
from sampleui.formats.yaml.nodes import Node

_NAME = r"(?:file://[^\n\"']+|[^\s\"'{\[&!|>#][^\n\"']*\.(?:ya?ml|jsonl))"
_BEFORE = r"(?:[ \t]*(?:\#[^\n]*)?\r?\n)*+[ \t]*(?:-[ \t]+)?"
_BEHIND = r"[ \t]*,?(?:\s*(?:\#[^\n]*)?)*+"
_ITEM = re.compile(rf"{_BEFORE}([\"']?){_NAME}\1{_BEHIND}")
_TARGET = re.compile(_NAME)


def is_reference(node: Node) -> bool:
    """Tell whether an item of a list of samples names a file and is not a sample."""
    return node.kind == "scalar" and _TARGET.fullmatch(node.value) is not None


def may_be_reference(piece: str) -> bool:
    """Tell whether a piece of a file may be such an item; nearly always false, and found at its first line."""
    return _ITEM.fullmatch(piece) is not None


class Referring(Document):
    """A document among whose pieces some name a file with samples instead of being one."""

    @abstractmethod
    def root(self, piece: int) -> Node:
        """Return the collection that a piece is when it is read by itself: one item and what is around it."""

    @cached_property
    def _referring(self) -> tuple[int, ...]:
        """The pieces that name a file with samples instead of being one."""
        found = (at for at in range(1, len(self.pieces) - 1) if may_be_reference(self.pieces[at]))
        return tuple(at for at in found if self._names_a_file(at))

    def _names_a_file(self, piece: int) -> bool:
        try:
            return is_reference(self.root(piece).items[0])
        except FormatError:
            return False

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.pieces) - 2 - len(self._referring)

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample."""
        piece = index + 1
        for other in self._referring:
            piece += other <= piece
        return piece

    def samples_in(self, piece: int) -> range:
        """Return the index of the sample that a piece holds, none if it names a file."""
        if not 0 < piece < len(self.pieces) - 1 or piece in self._referring:
            return range(0)
        index = piece - 1 - sum(other < piece for other in self._referring)
        return range(index, index + 1)

    def spliced(self, start: int, end: int, added: tuple[str, ...]) -> Self:
        """Return the same with pieces replaced; that none of them names a file is known of most at once."""
        changed = super().spliced(start, end, added)
        if not self._referring and not any(map(may_be_reference, added)):
            changed.__dict__["_referring"] = ()
        return changed
