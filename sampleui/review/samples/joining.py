"""Which deck's sample a record answers, if several decks were run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import NamedTuple, Protocol

from sampleui.formats.data import Table

EVAL_ENDS = (".eval.yaml", ".eval.yml", ".yaml", ".yml")


class Answering(Protocol):
    """What answers a sample: its id, and the suite and the deck that the record names, None if it names none."""

    @property
    def sample_id(self) -> str:
        """The id of the sample."""

    @property
    def suite(self) -> str | None:
        """The name of the suite."""

    @property
    def source(self) -> str | None:
        """The path of the deck."""

    @property
    def matters(self) -> tuple[str, ...]:
        """What stands for the values of the sample that the record repeats."""

    @property
    def position(self) -> int | None:
        """The number of the sample, from 0, where the record gives one."""


class Finder(Protocol):
    """The samples of a deck."""

    def find(self, record: Answering) -> int | None:
        """Return which sample a record answers, None if there is none."""


class Candidate(NamedTuple):
    """A deck that may have been run: its path, its samples, and what its suite is called in results."""

    path: Path
    samples: Finder
    suite: str = ""


def suite_of(path: Path, around: Table) -> str:
    """Return what AgentV calls the suite of a deck: its `name`, or else the name of its file."""
    named = around.get("name")
    if isinstance(named, str) and named.strip():
        return named.strip()
    return next((path.name.removesuffix(end) for end in EVAL_ENDS if path.name.endswith(end)), path.stem)


class Joiner:
    """Finds the deck of a record by the suite and the deck it names and the id of its sample."""

    def __init__(self, decks: Sequence[Candidate]) -> None:
        self._decks = decks
        self._meant: dict[tuple[str | None, str | None], tuple[int, ...]] = {}

    def deck_of(self, record: Answering) -> int | None:
        """Return which deck has the sample of a record, None when none has."""
        key = record.suite, record.source
        meant = self._meant.get(key)
        if meant is None:
            meant = self._meant[key] = tuple(self._likest(*key))
        return next((at for at in meant if self._decks[at].samples.find(record) is not None), None)

    def _likest(self, suite: str | None, source: str | None) -> Iterator[int]:
        """Yield the decks that may be meant: of the suite, and with a path that ends most like the source.

        The suite comes first: if two suites have a test of one id, AgentV 4.42 names the deck of the last one as
        the source of both. Where neither fits any deck, all are meant.
        """
        likeness = [
            (bool(suite) and deck.suite == suite, 0 if source is None else _shared(deck.path, PurePath(source)))
            for deck in self._decks
        ]
        yield from (at for at, parts in enumerate(likeness) if parts == max(likeness))


def _shared(path: PurePath, other: PurePath) -> int:
    """Return how many parts two paths share at their ends."""
    count = 0
    for one, two in zip(reversed(path.parts), reversed(other.parts), strict=False):
        if one != two:
            break
        count += 1
    return count


class Joined(NamedTuple):
    """Which sample each record answers, by index; what answers nothing and what nothing answers."""

    sample_of: tuple[int | None, ...]
    records_without_sample: tuple[int, ...]
    samples_without_record: tuple[int, ...]
    duplicate_samples: tuple[int, ...]


def join(record_samples: Sequence[str], sample_ids: Sequence[str]) -> Joined:
    """Join records with samples by id.

    Several records may answer one sample. Of samples that share an id the first one counts; the others are listed
    as duplicates, since there is no telling which of them a record answers.
    """
    first: dict[str, int] = {}
    duplicates = tuple(at for at, sample in enumerate(sample_ids) if first.setdefault(sample, at) != at)
    sample_of = tuple(first.get(sample) for sample in record_samples)
    answered = set(sample_of)
    return Joined(
        sample_of=sample_of,
        records_without_sample=tuple(at for at, sample in enumerate(sample_of) if sample is None),
        samples_without_record=tuple(at for at in first.values() if at not in answered),
        duplicate_samples=duplicates,
    )
