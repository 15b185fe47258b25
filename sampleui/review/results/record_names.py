"""What each record of a file is called, and which records are reruns of which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sampleui.review.record import Entry, Identity, hashed

_NUMBERS_BACKWARDS = re.compile(r"(?:\)\d+\( |\d+#|)*+")


def stem_of(name: str) -> str:
    """Return a name without the numbers that `RecordNames` appends to names of the same stem."""
    if not (name[-1:].isdigit() or name[-1:] == ")"):
        return name
    numbers = _NUMBERS_BACKWARDS.match(name[::-1])
    return name[: len(name) - numbers.end()] if numbers else name


def digest_of_copy(digest: str, times: int) -> str:
    """Return the digest of a record whose row is there for the N-th time, and no rerun."""
    return hashed(f"{digest}#{times}".encode())


class RecordNames:
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

    def named(self, entry: Entry, digest: str, *, repeats: bool = False) -> tuple[Entry, str, str, int | None]:
        """Return the next entry, not placed yet, its name, the digest of its content, which no other has.

        Then the record that it is the rerun of, whose name it takes; None if it is none.

        Args:
            entry: the entry.
            digest: of the content of its row.
            repeats: whether what has the identity of an earlier record is another try, which gets the next number.
        """
        entry = self._apart(entry)
        name, before = entry.sample_id, None
        if name in self._by_id:
            before = self._before(entry)
            if repeats and before is not None:
                entry, before = self._another_try(entry), None
            if before is None:
                name, digest = self._unique(name), self._digest(name, digest)
            else:
                name = self._entries[before].id
        self._by_id[name] = len(self._entries)
        return entry, name, digest, before

    def _apart(self, entry: Entry) -> Entry:
        """Return an entry under another name if an earlier one of its name is about other values of a sample."""
        if not entry.join_keys:
            return entry
        key = entry.sample_id, entry.join_keys
        if key not in self._about:
            times = self._meant[entry.sample_id] = self._meant.get(entry.sample_id, 0) + 1
            self._about[key] = entry.sample_id if times == 1 else f"{entry.sample_id} ({times})"
        name = self._about[key]
        return entry if name == entry.sample_id else replace(entry, sample_id=name)

    def _another_try(self, entry: Entry) -> Entry:
        """Return an entry with the number of an attempt that does not exist yet."""
        identity = entry.identity
        assert identity is not None
        times = self._tries.get(identity, entry.attempt or 1)
        while True:
            times += 1
            again = replace(entry, attempt=times)
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
        known[identity] = len(self._entries)
        return before

    def _digest(self, sample_id: str, digest: str) -> str:
        """Return a digest that is unique even if the row is a copy of an earlier record's.

        Two tries may be the same row: what is decided about one of them is not decided about the other. Digests are
        held only of samples that several records answer.
        """
        known = self._digests.get(sample_id)
        if known is None:
            known = self._digests[sample_id] = {self._entries[self._by_id[sample_id]].digest: 1}
        times = known[digest] = known.get(digest, 0) + 1
        return digest if times == 1 else digest_of_copy(digest, times)

    def _unique(self, sample_id: str) -> str:
        times = self._times.get(sample_id, 1) + 1
        while (name := f"{sample_id}#{times}") in self._by_id:
            times += 1
        self._times[sample_id] = times
        return name
