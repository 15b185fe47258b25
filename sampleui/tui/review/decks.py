"""A deck beside a review: the samples that records answer, and edits of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from sampleui.deck import edit
from sampleui.deck.diff import diff
from sampleui.deck.history import Focus
from sampleui.deck.merging import changes_to
from sampleui.deck.model import DeckFiles
from sampleui.deck.save import is_stale
from sampleui.errors import EditRefusedError, ResultsError, SaveError
from sampleui.formats.data import DataPath, shown, texts_in
from sampleui.formats.operations import Set
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.review.samples.expectation import (
    Setting,
    expectation,
    expects,
    found_at,
    overlong,
    places_behind,
    taking,
)
from sampleui.review.samples.lookup import Answering, SampleIndex
from sampleui.review.verdict import sample_digest
from sampleui.runs.decks import index_of
from sampleui.runs.sample_as_run import expects_otherwise
from sampleui.sample.model import Sample
from sampleui.sample.parse import ValuePlace, written_at
from sampleui.text.confined import size_of
from sampleui.text.limits import MAX_REWORDING_BYTES, MAX_SAMPLES_AT_ONCE
from sampleui.tui.author.session import Edit, Session, as_edit
from sampleui.tui.review.joined import DecksOfRun
from sampleui.workspace.deck import Deck
from sampleui.workspace.proposed_edits import ProposedEdit, proposed_edits


class ReviewDeck:
    """An open deck whose samples records are joined with. One history of edits for the whole review.

    Attributes:
        session: the deck as it is edited.
        changed: the names of the samples that were changed in this review.
        proposals: the edits that programs proposed and nobody has answered, as they were read last.
    """

    def __init__(self, deck: Deck) -> None:
        self.session = Session(deck)
        self.changed: set[str] = set()
        self.proposals: tuple[ProposedEdit, ...] = ()
        self._index: SampleIndex | None = None
        if len(deck.samples) <= MAX_SAMPLES_AT_ONCE:
            self.prepare()

    @property
    def deck(self) -> Deck:
        """The deck, edits included."""
        return self.session.deck

    def prepare(self) -> None:
        """Look through the samples for their ids. Until that is done no sample is found."""
        self._index = index_of(self.deck.samples)

    @property
    def ready(self) -> bool:
        """Whether its samples can be found."""
        return len(self.names) == len(self.deck.samples)

    @property
    def names(self) -> Sequence[str]:
        """What all samples are called, in the order of the deck: their id, or `#N` where an earlier one has it."""
        return self._index.names if self._index is not None else ()

    def find(self, record: Answering) -> int | None:
        """Return which sample a record answers, None if there is none."""
        return self._index.find(record) if self._index is not None else None

    def name_of(self, record: Answering) -> str | None:
        """Return the name of the sample that a record answers, None if there is none."""
        index = self.find(record)
        return None if index is None else self.names[index]

    def sample(self, name: str) -> Sample | None:
        """Return the sample of a name, None if there is none."""
        index = self._index.with_id(name) if self._index is not None else None
        if index is None or index >= len(self.deck.samples):
            return None
        sample = self.deck.samples[index]
        return sample if name in (sample.id, f"#{index + 1}") else None

    def holding(self, words: str) -> frozenset[str]:
        """Return the names of the samples with a text that holds some words, upper and lower case alike."""
        wanted = words.casefold()
        names = self.names
        samples = (self.deck.samples[index] for index in self.deck.search(words))
        holding_words = (
            sample.index for sample in samples if any(wanted in text.casefold() for text in texts_in(sample.data))
        )
        return frozenset(names[index] for index in holding_words if index < len(names))

    def digest(self, name: str) -> str | None:
        """Return the digest of the values of a sample as the deck has it now."""
        sample = self.sample(name)
        return sample_digest(sample.data) if sample is not None else None

    def reread(self) -> bool:
        """Read the deck again if its files changed on disk; tell whether they did. Unsaved edits are kept.

        Raises:
            SaveError: when a file cannot be read.
            DeckError: when it is no longer a deck.
        """
        if self.session.unsaved or not any(is_stale(source) for source in self.deck.files.sources):
            return False
        self.reload()
        return True

    def reload(self) -> None:
        """Read the deck again and drop what was not saved.

        Raises:
            DeckError: when it is no longer a deck.
        """
        self.take_over(Session(self.deck.read_again()))

    def take_over(self, session: Session) -> None:
        """Take over a deck as another screen has left it."""
        self.session = session
        if not self.ready:
            self.prepare()

    def focus(self, sample: Sample, assertion: DataPath | None = None) -> Focus:
        """Return the place of an assertion, or of what a sample expects; of the sample if it says neither."""
        expected = expectation(sample)
        return self._focus_and_path(sample, assertion or (expected.path if expected else ()))[0]

    def diff_of_taking(self, sample: Sample, actual: str) -> str:
        """Return what taking an actual answer as the expected one would change on disk, as `diff -u` writes it.

        Raises:
            EditError: when the deck cannot be changed so.
        """
        deck = self.deck
        for setting in self._settings(sample, actual):
            _, index, path = self._focus_and_path(sample, setting.path)
            deck = deck.apply(edit.apply(deck.files, index, Set(path, setting.value)))
        return diff(deck.files)

    def overlong(self, sample: Sample, actual: str) -> str:
        """Say where taking an answer would make all of it what an answer only has to hold; else nothing.

        Raises:
            EditError: when it cannot be taken.
        """
        return overlong(sample, self._settings(sample, actual))

    def shared(self, sample: Sample, actual: str) -> str:
        """Return which samples taking an answer would edit; nothing if that one alone.

        Raises:
            EditError: when it cannot be taken.
        """
        remarks = (self._shared(sample, item.path) for item in self._settings(sample, actual))
        return next(filter(None, remarks), "")

    def _shared(self, sample: Sample, path: DataPath) -> str:
        _, index, path_written = self._focus_and_path(sample, path)
        if index >= 0:
            return ""
        several = (item for item in self.deck.samples if self._suite(item) == edit.context_index(index))
        count = sum(ValuePlace(True, path_written) in places_behind(item) for item in several)
        return (
            f"{count:,} samples have what stands at {shown(path_written)}: all are edited by this"
            if count > 1
            else ""
        )

    def _focus_and_path(self, sample: Sample, path: DataPath) -> tuple[Focus, int, DataPath]:
        """Return the place of a value for an author, and the index and the path that an edit of it has.

        Raises:
            EditRefusedError: when it is behind a reference that leads out of the file.
        """
        path_written = written_at(sample, path)
        if path_written is None:
            raise EditRefusedError(f"{shown(path)} is behind a reference that is not followed")
        if not path_written.file_level:
            return Focus(sample.index, path_written.path), sample.index, path_written.path
        here = next(
            path[:depth] for depth in range(len(path), -1, -1) if found_at(sample.data, path[:depth]) is not None
        )
        return Focus(sample.index, here), edit.context_index(self._suite(sample)), path_written.path

    def _suite(self, sample: Sample) -> int:
        """Return the file that holds what is beside a sample."""
        source, _ = self.deck.files.locate(sample.index)
        named = self.deck.files.sources[source].suite
        return source if named is None else named

    def take(self, sample: Sample, actual: str) -> tuple[str, ...]:
        """Make an actual answer the expected one and save the deck. On an error nothing is changed.

        Returns what could not be kept of the file that was replaced, in words.

        Raises:
            EditError: when the deck cannot be changed so.
            SaveError: when it was not written.
        """
        placed = [(*self._focus_and_path(sample, item.path), item.value) for item in self._settings(sample, actual)]
        edits = [partial(edit.apply, index=index, operation=Set(path, value)) for _, index, path, value in placed]
        here = placed[0][0]
        lost = self._saved("take the actual answer as expected", *edits, at=here)
        self.changed.add(self.names[sample.index])
        return lost

    def read_proposals(self) -> None:
        """Read which edits are proposed.

        Raises:
            SaveError: when that cannot be read.
        """
        self.proposals = tuple(item for item in proposed_edits(self.deck.path) if item.answer is None)

    def make(self, proposed: ProposedEdit) -> tuple[str, ...]:
        """Make a proposed edit and save the deck. On an error nothing is changed.

        Returns what could not be kept of the file that was replaced, in words.

        Raises:
            EditError: when it cannot be made of the deck as it is now.
            SaveError: when it was not written.
        """
        changes = changes_to(self.deck.files, proposed.made_of(self.deck).files)
        lost = self._saved(f"take the edit of {proposed.agent}", *map(as_edit, changes))
        self.prepare()
        return lost

    def holds(self, files: DeckFiles) -> bool:
        """Tell whether the deck holds what its files held at an earlier time, and the disk does too."""
        sources = self.deck.files.sources
        texts = [(source.path, source.document.text) for source in sources]
        same = texts == [(source.path, source.document.text) for source in files.sources]
        return same and not self.session.unsaved and not any(map(is_stale, sources))

    def diff_of_going_back(self, files: DeckFiles) -> str:
        """Return what going back to an earlier state of the files would change on disk, as `diff -u` writes it."""
        now = self.deck.files
        for change in changes_to(now, files):
            now = now.apply(change)
        return diff(now)

    def go_back(self, files: DeckFiles) -> None:
        """Make the deck what its files held earlier, in one step, and save it. On an error nothing is changed.

        Raises:
            SaveError: when it was not written.
        """
        self._saved("take back a fix", *map(as_edit, changes_to(self.deck.files, files)))
        self.prepare()

    def _saved(self, title: str, *edits: Edit, at: Focus | None = None) -> tuple[str, ...]:
        """Make edits as one step and save the deck; where it is not written, nothing is changed."""
        self.session.perform(title, *edits, before=at, after=at)
        try:
            return self.session.save()
        except SaveError:
            self.session.undo()
            raise

    def _settings(self, sample: Sample, actual: str) -> Sequence[Setting]:
        if not actual:
            raise EditRefusedError("the record has no answer to take")
        settings = taking(sample, actual)
        if not settings:
            raise EditRefusedError("nothing in the sample is compared with the answer as a text: fix it with e")
        if expects(sample, actual, settings):
            raise EditRefusedError("the sample expects this answer already")
        return settings


def reworded(results: Results, decks: DecksOfRun, entries: Iterable[Entry]) -> frozenset[int]:
    """Return the entries whose sample expects something else now: than the copy that the run keeps of it, else
    than the record says was expected. Nothing of files so large that looking through them would take long.
    """
    if not decks or size_of(results.path) > MAX_REWORDING_BYTES:
        return frozenset()
    samples = ((entry.index, decks.sample(entry)) for entry in entries)
    return frozenset(
        index for index, sample in samples if sample is not None and _otherwise(results, index, sample)
    )


def _otherwise(results: Results, index: int, sample: Sample) -> bool:
    try:
        record = results.record(index)
    except ResultsError:
        return False
    return expects_otherwise(record, results.base_dir, sample)
