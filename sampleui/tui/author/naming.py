"""Free ids for the new samples of a deck."""

from __future__ import annotations

import re
from itertools import count

from sampleui.formats.data import Table
from sampleui.text.wording import first_words
from sampleui.workspace.deck import Deck

_NEW = "sample"


class Naming:
    """Gives new samples ids of their own, in a deck whose samples have ids.

    In a deck whose samples are named by their keys the id is the name, wherever the dialect has ids otherwise.

    Attributes:
        key: the key of the ids, empty if the samples have none.
    """

    def __init__(self, deck: Deck) -> None:
        self._taken = {name for sample in deck.samples if (name := deck.own_id(sample)) is not None}
        paths = deck.kind.id_paths
        named = bool(self._taken) or not len(deck.samples)
        self._usual = str(paths[0][0]) if named and paths and len(paths[0]) == 1 else ""
        keyed = any(source.document.keyed for source in deck.files.sources)
        self.key = "id" if keyed else self._usual

    def with_free_id(self, data: Table, stem: str) -> Table:
        """Return the data of a new sample under a free id like `stem`, which is taken from then on."""
        if not self.key:
            return data
        base = re.sub(r"-\d+$", "", stem).removeprefix("#")
        return self._with_id(data, self._numbered(base))

    def with_id_of_words(self, data: Table, text: str = "") -> Table:
        """Return the data of a new sample under a free id of the first words of its text; `sample` without any."""
        return self._with_id(data, self.of_words(text)) if self.key else data

    def of_words(self, text: str, own: str = "") -> str:
        """Return a free id of the first words of a text, `sample` if it has none; `own` is free too."""
        name = first_words(text) or _NEW
        return name if name == own or name not in self._taken else self._numbered(name)

    def _numbered(self, base: str) -> str:
        return next(name for number in count(2) if (name := f"{base}-{number}") not in self._taken)

    def _with_id(self, data: Table, name: str) -> Table:
        self._taken.add(name)
        return {**data, self.key: name} if self.key in data else {self.key: name, **data}

    def with_own_id(self, data: Table) -> Table:
        """Return the data of a sample from elsewhere under its own id where that is free, or else under another."""
        if self.key != self._usual in data and self.key not in data:
            data = {self.key if key == self._usual else key: value for key, value in data.items()}
        own = data.get(self.key)
        if isinstance(own, str) and own and own not in self._taken:
            self._taken.add(own)
            return data
        return self.with_free_id(data, own) if isinstance(own, str) and own else self.with_id_of_words(data)
