"""What each record of a file is called, and which records are reruns of which."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from sampleui.review.record import Entry, Identity, hashed
from sampleui.values import pattern

_NUMBERS = pattern(r"(?: \(\d+\)|#\d+)+\Z")


def stem_of(name: str) -> str:
    """Return a name without the numbers that `Names` appends: what names depend on are others of the same stem."""
    return _NUMBERS.sub("", name) if name[-1:].isdigit() or name[-1:] == ")" else name


def digest_of_copy(digest: str, times: int) -> str:
    """Return the digest of a record whose row is there for the N-th time, and no rerun."""
    return hashed(f"{digest}#{times}".encode())


class Names:
    """The names of records, given as they are indexed."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Take the entries named so far; whoever names one adds it to them."""
        self._entries = entries
        self._by_id: dict[str, int] = {}
        self._times: dict[str, int] = {}
        self._identified: dict[str, dict[Identity, int]] = {}
        self._tries: dict[Identity, int] = {}
        self._about: dict[tuple[str, tuple[str, ...]], str] = {}
        self._meant: dict[str, int] = {}
        self._digests: dict[str, dict[str, int]] = {}

    def find(self, record_id: str) -> int | None:
        """Return the index of the record of a name, None if there is none."""
        return self._by_id.get(record_id)

    def named(self, entry: Entry, *, repeats: bool = False) -> tuple[Entry, int | None]:
        """Return an entry with a name of its own, and the record that it is the rerun of, whose name it takes.

        Args:
            entry: the entry.
            repeats: whether what has the identity of an earlier record is another try, which gets the next number.
        """
        entry = self._apart(entry)
        before = None
        if entry.sample_id in self._by_id:
            before = self._before(entry)
            if repeats and before is not None:
                entry, before = self._another_try(entry), None
            name = self._unique(entry.sample_id) if before is None else self._entries[before].id
            digest = self._digest(entry) if before is None else entry.digest
            entry = dataclasses.replace(entry, id=name, digest=digest)
        self._by_id[entry.id] = entry.index
        return entry, before

    def _apart(self, entry: Entry) -> Entry:
        """Return an entry called by another name where one with its name is about other values of a sample."""
        if not entry.matters:
            return entry
        key = entry.sample_id, entry.matters
        if key not in self._about:
            times = self._meant[entry.sample_id] = self._meant.get(entry.sample_id, 0) + 1
            self._about[key] = entry.sample_id if times == 1 else f"{entry.sample_id} ({times})"
        name = self._about[key]
        return entry if name == entry.sample_id else dataclasses.replace(entry, id=name, sample_id=name)

    def _another_try(self, entry: Entry) -> Entry:
        """Return an entry with the number of an attempt that does not exist yet."""
        identity = entry.identity
        assert identity is not None
        times = self._tries.get(identity, entry.attempt or 1)
        while True:
            times += 1
            again = dataclasses.replace(entry, attempt=times)
            if self._before(again) is None:
                break
        self._tries[identity] = times
        return again

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
            if first.identity is not None:
                known[first.identity] = first.index
        before = known.get(identity)
        known[identity] = entry.index
        return before

    def _digest(self, entry: Entry) -> str:
        """Return a digest of its own for an entry whose row is that of an earlier record once more.

        Two tries may be the same row: what is decided about one of them is not decided about the other. Digests are
        held only of samples that several records answer.
        """
        first = self._entries[self._by_id[entry.sample_id]]
        known = self._digests.setdefault(entry.sample_id, {first.digest: 1})
        times = known[entry.digest] = known.get(entry.digest, 0) + 1
        if times == 1:
            return entry.digest
        return digest_of_copy(entry.digest, times)

    def _unique(self, sample_id: str) -> str:
        times = self._times.get(sample_id, 1) + 1
        while (name := f"{sample_id}#{times}") in self._by_id:
            times += 1
        self._times[sample_id] = times
        return name
