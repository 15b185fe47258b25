"""The nodes of a YAML text with their exact places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

HEADER = re.compile(r"[|>](?P<signs>[-+0-9]*)(?P<rest>[^\r\n]*)(?:\r?\n)?")
"""The line that a block scalar begins with."""

Kind: TypeAlias = Literal["scalar", "list", "table", "alias"]


@dataclass(frozen=True, slots=True)
class Node:
    """One value in a text. Offsets count code points; a line break that ends a block is outside of it.

    Attributes:
        kind: what it is.
        whole: where it starts, its anchor and tag included.
        start: where it starts after them.
        end: where it ends.
        style: the quote or indicator of a scalar, empty for a plain one; `[` for a flow collection.
        value: the text of a scalar, the name of an alias.
        anchor: the name it is given, if any.
        tag: its tag in full, if any.
        keys: the keys of a table, in the order of `items`.
        items: the values of a list or of a table.
    """

    kind: Kind
    whole: int
    start: int
    end: int
    style: str = ""
    value: str = ""
    anchor: str | None = None
    tag: str | None = None
    keys: tuple[Node, ...] = ()
    items: tuple[Node, ...] = ()

    @property
    def flow(self) -> bool:
        """Whether it is a collection in brackets."""
        return self.style == "["

    @property
    def empty(self) -> bool:
        """Whether nothing is written where a value could be."""
        return self.kind == "scalar" and self.start == self.end

    def walk(self) -> Iterator[Node]:
        """Return the node and all inside it, in the order of the text."""
        yield self
        for index, item in enumerate(self.items):
            if self.keys:
                yield from self.keys[index].walk()
            yield from item.walk()
