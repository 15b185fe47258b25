"""Which deck's sample a record answers, if several decks were run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePath
from typing import NamedTuple, Protocol, TypeAlias

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.record import Entry, Record, join_key
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation

EVAL_ENDS = (".eval.yaml", ".eval.yml", ".yaml", ".yml")


Answering: TypeAlias = Entry | Record
"""What answers a sample."""


class Lookup(Protocol):
    """The samples of a deck by what records repeat of them."""

    def find(self, record: Answering) -> int | None:
        """Return which sample a record answers, None if there is none."""


class Candidate(NamedTuple):
    """A deck that may have been run: its path, its samples, and what its suite is called in results."""

    path: Path
    samples: Lookup
    suite: str = ""


def suite_of(path: Path, around: Table) -> str:
    """Return what results call the suite of a deck: its `name`, or else the name of its file."""
    named = around.get("name")
    if isinstance(named, str) and named.strip():
        return named.strip()
    return next((path.name.removesuffix(end) for end in EVAL_ENDS if path.name.endswith(end)), path.stem)


class Joiner:
    """Finds the deck of a record by the suite and the deck it names and the id of its sample."""

    def __init__(self, decks: Sequence[Candidate]) -> None:
        self._decks = decks
        self._meant: dict[tuple[str | None, str | None], tuple[int, ...]] = {}

    def place_of(self, record: Answering) -> tuple[int, int] | None:
        """Return which deck has the sample of a record, and which of its samples that is; None when none has it."""
        key = record.suite, record.source
        meant = self._meant.get(key)
        if meant is None:
            meant = self._meant[key] = tuple(self._likest(*key))
        found = ((deck, self._decks[deck].samples.find(record)) for deck in meant)
        return next(((deck, index) for deck, index in found if index is not None), None)

    def deck_of(self, record: Answering) -> int | None:
        """Return which deck has the sample of a record, None when none has."""
        place = self.place_of(record)
        return None if place is None else place[0]

    def lacks(self, record: Answering) -> bool:
        """Tell whether the deck of a record is here and does not have its sample, or no longer.

        A record that names neither suite nor deck may be of any.
        """
        named = [
            (bool(record.suite) and deck.suite == record.suite)
            or (record.source is not None and _shared(deck.path, PurePath(record.source)) > 0)
            for deck in self._decks
        ]
        is_here = any(named) if record.suite or record.source else bool(self._decks)
        return is_here and self.deck_of(record) is None

    def _likest(self, suite: str | None, source: str | None) -> Iterator[int]:
        """Yield the decks that may be meant: of the suite, and with a path that ends most like the source.

        The suite comes first: if two suites have a test of one id, a runner may name the deck of the last one as
        the source of both. Where neither fits any deck, all are meant.
        """
        likeness = [
            (bool(suite) and deck.suite == suite, 0 if source is None else _shared(deck.path, PurePath(source)))
            for deck in self._decks
        ]
        yield from (deck for deck, parts in enumerate(likeness) if parts == max(likeness))


def _shared(path: PurePath, other: PurePath) -> int:
    """Return how many parts two paths share at their ends."""
    count = 0
    for part, two in zip(reversed(path.parts), reversed(other.parts), strict=False):
        if part != two:
            break
        count += 1
    return count


class SampleIndex:
    """Which sample a record answers.

    Attributes:
        names: what each sample is called: its id, or `#N` where an earlier one has the same.
    """

    def __init__(self, samples: Sequence[Sample], lookup: Lookup) -> None:
        self._samples = samples
        self._lookup = lookup
        self._by_id: dict[str, list[int]] = {}
        self.names: list[str] = []
        for index, sample in enumerate(samples):
            self._by_id.setdefault(sample.id, []).append(index)
            first = len(self._by_id[sample.id]) == 1
            self.names.append(sample.id if first else f"#{index + 1}")
        self._at = {name: index for index, name in reversed([*enumerate(self.names)])}

    def with_id(self, name: str) -> int | None:
        """Return the sample of that name, None if there is none."""
        return self._at.get(name)

    def find(self, record: Answering) -> int | None:
        """Return which sample a record answers, None if there is none.

        An id identifies it. Of samples that share an id, the one counts that has the values which the record
        repeats, and none if it repeats what none of them has. These values alone decide if no sample has the id,
        or if the record's id is only a number, which comes last.
        """
        counted = record.position is not None and record.sample_id == str(record.position)
        if counted and (index := self._lookup.find(record)) is not None:
            return index
        same = self._by_id.get(record.sample_id, [])
        if len(same) == 1:
            return same[0]
        if (index := self._lookup.find(record)) is not None:
            return index
        if same:
            return None if record.join_keys else same[0]
        name, numbered, _ = record.sample_id.rpartition(" (")
        if not numbered:
            return self._by_number(record.position)
        named = self._by_id.get(name, [])
        return named[0] if len(named) == 1 else None

    def repeats(self, record: Answering) -> bool:
        """Tell whether a record repeats the values of a sample."""
        return self._lookup.find(record) is not None

    def _by_number(self, position: int | None) -> int | None:
        """Return the sample of a number, if it has no id that says otherwise."""
        if position is None or not 0 <= position < len(self.names):
            return None
        return position if self.names[position] == f"#{position + 1}" else None

    @cached_property
    def ids(self) -> Sequence[str]:
        """The ids of all samples, in the order of the deck."""
        return [sample.id for sample in self._samples]


class ByValues:
    """The samples of a deck by the values at the paths that rows repeat.

    Args:
        samples: the samples.
        values_of: yields the values that a record of a sample may repeat from a path.
    """

    def __init__(
        self, samples: Sequence[Sample], values_of: Callable[[Sample, DataPath], Iterable[Plain]] | None = None
    ) -> None:
        self._samples = samples
        self._values_of = values_of or values_at
        self._by_path: dict[str, dict[str, list[int]]] = {}

    def find(self, record: Answering) -> int | None:
        """Return the first sample that has a value which a record repeats, None if there is none."""
        matching = map(self.holding, record.join_keys)
        return next((samples[0] for samples in matching if samples), None)

    def holding(self, key: str) -> Sequence[int]:
        """Return the samples that have a value at a path, by the join key of the two."""
        written_path = key.partition(":")[0]
        if written_path not in self._by_path:
            path = tuple(written_path.split(".")) if written_path else ()
            by_key = self._by_path[written_path] = {}
            for index, sample in enumerate(self._samples):
                for other in dict.fromkeys(join_key(path, value) for value in self._values_of(sample, path)):
                    by_key.setdefault(other, []).append(index)
        return self._by_path[written_path].get(key, ())


def values_at(sample: Sample, path: DataPath) -> Iterator[Plain]:
    """Yield the values that a record of a sample may repeat from a path; of a text also its only turn."""
    value = value_at(sample.data, path)
    if value is not None:
        yield value
    turns = conversation(sample) if path else []
    if len(turns) == 1 and isinstance(turns[0], dict):
        yield turns[0].get("content")
    if turns:
        yield turns
