"""Ids for new samples of a deck that are not taken yet."""

from __future__ import annotations

import re
from itertools import count

from sampleui.formats.data import Table
from sampleui.workspace.deck import Deck


class Naming:
    """Gives new samples ids of their own, in a deck whose samples have ids.

    In a deck whose samples are named by their keys the id is the name, wherever the dialect has ids otherwise.
    """

    def __init__(self, deck: Deck) -> None:
        self._taken = {name for sample in deck.samples if (name := deck.own_id(sample)) is not None}
        paths = deck.kind.id_paths
        named = bool(self._taken) or not len(deck.samples)
        self._usual = str(paths[0][0]) if named and paths and len(paths[0]) == 1 else ""
        keyed = any(source.document.keyed for source in deck.files.sources)
        self._key = "id" if keyed else self._usual

    def named(self, data: Table, stem: str) -> Table:
        """Return the data of a new sample under a free id like `stem`, which is taken from then on."""
        if not self._key:
            return data
        base = re.sub(r"-\d+$", "", stem).removeprefix("#")
        numbered = next(name for number in count(2) if (name := f"{base}-{number}") not in self._taken)
        name = base if base not in self._taken and base == "sample" else numbered
        self._taken.add(name)
        return {**data, self._key: name} if self._key in data else {self._key: name, **data}

    def kept(self, data: Table) -> Table:
        """Return the data of a sample from elsewhere under its own id where that is free, or else under another."""
        if self._key != self._usual in data and self._key not in data:
            data = {self._key if key == self._usual else key: value for key, value in data.items()}
        own = data.get(self._key)
        if isinstance(own, str) and own and own not in self._taken:
            self._taken.add(own)
            return data
        return self.named(data, own if isinstance(own, str) and own else "sample")
