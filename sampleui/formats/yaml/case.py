"""A YAML file that is one sample as a whole: `case.yaml` in a folder of cases."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Self

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import Table
from sampleui.formats.document import Splice
from sampleui.formats.yaml.document import YamlDocument
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.pieces import tree
from sampleui.formats.yaml.splitting import BOM
from sampleui.formats.yaml.strict import strict

_ONE = "the file is one sample as a whole; put another one into a file of its own"


class CaseDocument(YamlDocument):
    """A table that is a sample. Its values are edited as in any deck; it holds no other sample."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take a text as one piece. Raises FormatError with line and column when it is not a YAML table."""
        bom = BOM if text.startswith(BOM) else ""
        document = cls((bom, text[len(bom) :], ""))
        document.root(1)
        return document

    def __len__(self) -> int:
        """Return 1."""
        return 1

    @property
    def keyed(self) -> bool:
        """Nothing names the sample inside the file."""
        return False

    @cached_property
    def _value(self) -> Table:
        value = self._reader(1).value(self.root(1).items[0])
        assert isinstance(value, dict)
        return value

    def read(self, index: int) -> Table:
        """Return the sample's value. Raises FormatError when an alias has no anchor."""
        return self._value

    @property
    def anonymous(self) -> bool:
        """Whether the sample has no id."""
        return self._value.get("id") is None

    def root(self, piece: int) -> Node:
        """Return the table as the only item of a list around it."""
        found = tree(self.pieces[piece], "", "")
        if found is None or found.kind != "table":
            raise FormatError("a case must be a mapping", line=1, column=1)
        return Node("list", found.whole, found.start, found.end, items=(found,))

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether stricter readers would read what an edit brings in; there is nothing around it to change."""
        return strict(self.pieces, after.pieces, splice, self.frame)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise EditRefusedError(_ONE)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        raise EditRefusedError("the file is one sample as a whole; delete the file")

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        raise EditRefusedError(_ONE)
