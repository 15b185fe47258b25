"""What the records of a file are called, and which of them is the rerun of which."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sampleui.review.record import Entry, Identity


class Names:
    """The names of records, given as they are indexed."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Take the entries named so far; whoever names one adds it to them."""
        self._entries = entries
        self._by_id: dict[str, int] = {}
        self._times: dict[str, int] = {}
        self._identified: dict[str, dict[Identity, int]] = {}

    def find(self, record_id: str) -> int | None:
        """Return the index of the record of a name, None for none."""
        return self._by_id.get(record_id)

    def named(self, entry: Entry) -> tuple[Entry, int | None]:
        """Return an entry with a name of its own, and the record that it is the rerun of, whose name it takes."""
        before = None
        if entry.sample_id in self._by_id:
            before = self._before(entry)
            name = self._unique(entry.sample_id) if before is None else self._entries[before].id
            entry = dataclasses.replace(entry, id=name)
        self._by_id[entry.id] = entry.index
        return entry, before

    def _before(self, entry: Entry) -> int | None:
        """Return the record that another one is the rerun of, and take note of the later one.

        Identities are held only of samples that several records answer: in most files none does.
        """
        identity = entry.identity
        if identity is None:
            return None
        known = self._identified.setdefault(entry.sample_id, {})
        if not known:
            first = self._entries[self._by_id[entry.sample_id]]
            if first.sample_id == entry.sample_id and first.identity is not None:
                known[first.identity] = first.index
        before = known.get(identity)
        known[identity] = entry.index
        return before

    def _unique(self, sample_id: str) -> str:
        times = self._times.get(sample_id, 1) + 1
        while (name := f"{sample_id}#{times}") in self._by_id:
            times += 1
        self._times[sample_id] = times
        return name
