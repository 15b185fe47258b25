"""A sample as it was run, beside what its deck has today: its fields, what it expects, and its digests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain
from sampleui.formats.timestamps import Moment
from sampleui.integrations.index import integration, keeper
from sampleui.review.log.verdict_migration import RunSamples, values_digest
from sampleui.review.record import Entry, Record
from sampleui.review.samples.expectation import (
    Expectation,
    criteria_in,
    expectation,
    found_at,
    kept_before,
    said_at,
)
from sampleui.review.verdict import sample_digest
from sampleui.runs.decks import FoundDecks
from sampleui.runs.regrading import judge_of
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed, dialect_of
from sampleui.sample.variables import with_variables


class RunField(NamedTuple):
    """A field of a sample, written out to be read: as it was run and as the deck has it; None if it is not."""

    name: str
    run: str | None
    today: str | None

    @property
    def differs(self) -> bool:
        """Whether it has changed since."""
        return self.run != self.today


class AsRun(NamedTuple):
    """The sample as it was run.

    Attributes:
        path: the file that the run keeps.
        fields: its fields and those of the deck's sample, in order; without a deck's sample none differs.
        compared: whether there is a sample of today to compare with.
        expectations: the names of the fields that say what was expected.
    """

    path: Path
    fields: tuple[RunField, ...]
    compared: bool
    expectations: frozenset[str] = frozenset()

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the fields that have changed since."""
        return tuple(field.name for field in self.fields if field.differs)

    @property
    def expects_otherwise(self) -> bool:
        """Whether what is expected has changed since."""
        return not self.expectations.isdisjoint(self.changed)


def as_run(record: Record, base_dir: Path, sample: Sample | None) -> AsRun | None:
    """Return the sample of a record as it was run, None if the run keeps no copy that can be read.

    Args:
        record: the record.
        base_dir: the folder of the run.
        sample: the deck's sample of today, None if no deck has it.
    """
    return integration(keeper(record.data)).run_files().sample_as_run(record, base_dir, sample)


def expects_otherwise(record: Record, base_dir: Path, sample: Sample) -> bool:
    """Tell whether a sample is known to expect something else now.

    That is: than the copy that the run keeps of it, or else than its record says it was judged by, or was expected.
    """
    run_sample = as_run(record, base_dir, sample)
    if run_sample is not None:
        return run_sample.expects_otherwise
    judged_otherwise = judge_of(record, sample).expects_otherwise(record, sample)
    if judged_otherwise is not None:
        return judged_otherwise
    wanted = expectation(sample)
    ran = record.any_of or record.wanted or (() if record.expected is None else (record.expected,))
    if wanted is None or not ran or criteria_in(sample):
        return False
    if record.any_of or wanted.any_of or wanted.all_of:
        return not _same_answers(wanted.any_of or wanted.all_of or (wanted.text,), ran)
    sample = as_followed(sample)
    if isinstance(found_at(sample.data, wanted.path), Moment):  # readers differ in what it is
        return False
    return not any(same_value(spelling, other) for spelling in _spellings(sample, wanted) for other in ran)


def same_value(value: str, other: str) -> bool:
    """Tell whether two texts are of one value: equal but for white space, or the same JSON, all numbers as doubles.

    A runner writes what it read in its own way: JSON compactly, `1.0` as `1`, `True` as `true`.
    """
    return value.split() == other.split() or _value(value) == _value(other)


def _same_answers(some: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether all answers of each are among the others."""
    return all(
        any(same_value(value, other) for other in right)
        for left, right in ((some, others), (others, some))
        for value in left
    )


def _spellings(sample: Sample, wanted: Expectation) -> Iterator[str]:
    """Yield how a run may have written what a sample expects: filled in or not, with or without its type."""
    variables = sample.data.get("vars")
    filled = with_variables(wanted.text, variables if isinstance(variables, dict) else None)
    written = said_at(sample.data, wanted.path)
    kind = kept_before(sample.data, wanted.path, dialect_of(sample).expected.types) or ""
    whole = found_at(sample.data, wanted.path[:-1]) if wanted.path and wanted.path[-1] == 0 else None
    for text in (wanted.text, str(filled), written, json.dumps(whole, default=str)):
        yield text
        yield text.removeprefix(kind)


_WORDS: dict[str, Plain] = {"true": True, "false": False, "none": None, "null": None}


def _value(text: str) -> tuple[str, Plain]:
    """Return the value that a text is as JSON or as Python writes it, with its kind: true is not 1."""
    word = text.strip()
    if word.lower() in _WORDS:
        return "word", _WORDS[word.lower()]
    try:
        value: Plain = json.loads(word, parse_int=float)
    except (ValueError, RecursionError):
        return "text", word
    return type(value).__name__, value


def run_samples(base_dir: Path, digest: Callable[[Entry], str | None], decks: Iterable[Path] = ()) -> RunSamples:
    """Return what is known of the samples of records.

    Args:
        base_dir: the folder of the run.
        digest: returns the digest of a record's sample as its deck has it now.
        decks: the decks that were found.
    """

    def values(record: Record) -> str:
        run_sample = as_run(record, base_dir, None)
        return values_digest(
            record, None if run_sample is None else [(field.name, field.run) for field in run_sample.fields]
        )

    return RunSamples(values, digest, tuple(decks))


def samples_in(base_dir: Path, decks: FoundDecks) -> RunSamples:
    """Return what is known of the samples of records whose decks were found."""

    def digest(entry: Entry) -> str | None:
        sample = decks.sample(entry)
        return None if sample is None else sample_digest(sample.data)

    return run_samples(base_dir, digest, (deck.path for deck in decks.decks))
