"""The records of a review, each read when the reviewer comes to it, and the decks that have their samples."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.review.baseline import (
    Compared,
    Trend,
    by_sample,
    compare,
    compared_with,
    record_comparison_words,
)
from sampleui.review.filters import Filters, QueueItem
from sampleui.review.log.store import Log
from sampleui.review.people import found_by_all, with_findings
from sampleui.review.queue import LikeErrors, Order, Queue, ReviewOptions, ReviewProgress, items_of
from sampleui.review.record import CaseKey, Entry, Record
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import latest_of, runs_around, runs_from
from sampleui.review.verdict import Decision, RecordView, passes_by
from sampleui.text.confined import size_of
from sampleui.text.limits import MAX_READ_AT_ONCE_BYTES
from sampleui.text.visible import one_line
from sampleui.text.wording import apart
from sampleui.tui.commands import key_named
from sampleui.tui.review.comments import Comments
from sampleui.tui.review.expectations import Expectations
from sampleui.tui.review.joined import DecksOfRun, QueueRow, Unmatched
from sampleui.tui.review.proposals import Proposals
from sampleui.tui.review.same_answers import SameAnswers

if TYPE_CHECKING:  # what the first record does without
    from sampleui.review.attempts import Attempts
    from sampleui.sample.model import Sample
    from sampleui.settings.views import Views
    from sampleui.tui.review.counterparts import Counterparts
    from sampleui.tui.review.decks import ReviewDeck
    from sampleui.tui.review.draws import Draws
    from sampleui.tui.review.session_figures import FigureReader
    from sampleui.tui.review.session_verdicts import Verdicts


DIFFERS = "differs from the baseline"
"""The name of the filter for records that are other than those of the baseline."""


class RecordReader:
    """Reads records; the one at hand is read once."""

    def __init__(self, results: Results, baseline: Results | None) -> None:
        self._results = results
        self._baseline = baseline
        self._record_read: Record | None = None

    def record(self, index: int) -> Record:
        """Return a record.

        Raises:
            ResultsError: when it cannot be read.
        """
        if self._record_read is None or self._record_read.index != index:
            self._record_read = self._results.record(index)
        return self._record_read

    def before(self, entry: Entry | None) -> Record | None:
        """Return a record of the baseline. Raises as `record` does."""
        return None if entry is None or self._baseline is None else self._baseline.record(entry.index)


class ReviewSession:
    """The state of the review screen.

    Attributes:
        results: what is reviewed; indexed by someone else while the review goes on.
        log: where decisions go.
        runs_path: the path whose runs may be opened from here.
        runs: the indexes of those, the latest first.
        decks: the decks that were run; none when they are not known.
        baseline: an earlier run, indexed by someone else too.
        note: what is to be said of the scorer that was asked for; empty for nothing.
        reader: reads its records.
        queue: the records taken in so far.
        fully_indexed: whether everything is indexed, and the decisions of earlier runs are known.
        missing: what has no record, known once everything is indexed.
        attempts: by index of a record, how the attempts at its sample came out, if there are several.
        cases: the records of samples that several answer.
        several_targets: whether there is more than one.
        targets: them, in the order they occur.
        compared: by index of a record, how it fares against the baseline.
        same_answers: which records have the same answer.
        comments: what the reviewer writes about records.
        proposals: what programs propose.
        expectations: which samples expect something else now than when they were run.
        unjoined: the records whose sample the deck does not have.
        sought: the text that was searched for last; empty for none.
        views: how records are shown, by the names of what reads them.
    """

    def __init__(
        self,
        results: Results,
        log: Log,
        options: ReviewOptions,
        decks: Sequence[ReviewDeck] = (),
        baseline: Results | None = None,
    ) -> None:
        self.results = results
        self.log = log
        self.options = options
        self.runs_path = options.runs_path or options.results
        self.runs = runs_from(self.runs_path, results.path)
        self.decks = DecksOfRun(decks)
        self.baseline = baseline
        self.note = ""
        order = options.order if results.grades or options.order is not Order.SCORE else Order.FILE
        self.queue = Queue(filters=Filters(failed=not options.everything and results.grades), order=order)
        self._place: QueueRow | None = None
        self.fully_indexed = False
        self.missing: tuple[Unmatched, ...] = ()
        self.unjoined: frozenset[int] = frozenset()
        self.compared: dict[int, Compared] = {}
        self.attempts: dict[int, Attempts] = {}
        self.cases: dict[CaseKey, tuple[int, ...]] = {}
        self.several_targets = False
        self.targets: tuple[str | None, ...] = ()
        self._shown_targets: dict[int, dict[str, str]] = {}
        self.sought = ""
        self.views: Views = {}
        self._place_kept = options.record_id
        self._begun_at: QueueRow | None = None
        self.revised = 0
        self._sought_from: tuple[QueueRow | None, QueueRow | None] | None = None
        self.reader = RecordReader(results, baseline)
        self.same_answers = SameAnswers(self)
        self.expectations = Expectations(self)
        self.comments = Comments(self)
        self.proposals = Proposals(self)

    @cached_property
    def verdicts(self) -> Verdicts:
        """What the reviewer decides; loaded when that may be."""
        from sampleui.tui.review.session_verdicts import Verdicts

        return Verdicts(self)

    @cached_property
    def figures(self) -> FigureReader:
        """What is counted of the run; loaded when it is first asked for."""
        from sampleui.tui.review.session_figures import FigureReader

        return FigureReader(self)

    @cached_property
    def counterparts(self) -> Counterparts:
        """The answers that others are shown beside; loaded with the first answer that is made of files."""
        from sampleui.tui.review.counterparts import Counterparts

        return Counterparts(self)

    @cached_property
    def draws(self) -> Draws:
        """The random samples; loaded with the first one."""
        from sampleui.tui.review.draws import Draws

        return Draws(self)

    @property
    def hint(self) -> str:
        """What is worth saying when the review begins; empty for nothing."""
        several = len(self.runs) > 1 and self.options.runs_path is None and latest_of(self.runs_path)
        runs = (
            f"the latest of {len(self.runs):,} runs; {key_named('review.runs', 'O')} opens another"
            if several
            else ""
        )
        guessed = self.results.guess.remark if self.results.guess is not None else ""
        return "; ".join(item for item in (guessed, self.note, self.options.hint, runs) if item)

    def join(self, decks: Sequence[ReviewDeck], hint: str) -> None:
        """Note the decks that were run, whose samples may show that decisions are stale.

        `hint` is what to say about them; empty for nothing.
        """
        self.decks = DecksOfRun(decks)
        self.options = self.options._replace(decks=tuple(deck.deck.path for deck in decks), hint=hint)
        self.queue = replace(self.queue, items=())
        self.take_in()

    # What is in the queue

    def take_in(self) -> bool:
        """Put the records that were indexed since into the queue; tell whether there were any."""
        if self.results.revised != self.revised:
            self.revised = self.results.revised
            self.queue = replace(self.queue, items=())
        entries = self.results.entries[len(self.queue.items) :]
        if entries:
            items = items_of(entries, self.decision, self.decks.digest, self.options.fail_under, self.view)
            self.queue = self.queue.with_items(items, frozenset(self.results.superseded))
        self._go_to_kept()
        if self._place is None:
            self.begin()
        return bool(entries)

    def begin(self) -> None:
        """Go to the first record in the filter that is not decided, or to the first where all are."""
        first = self.queue.next_unreviewed(None)
        self.current = self._begun_at = next(iter(self.queue.visible), None) if first is None else first

    def _go_to_kept(self) -> None:
        """Go to the record that is to be gone to once it is read; if the filter leaves it out, all are shown."""
        kept = self.results.find(self._place_kept) if self._place_kept else None
        if kept is not None and kept.index < len(self.queue.items):
            if self._place_kept == self.options.record_id and kept.index not in self.queue.visible:
                self.queue = self.queue.shown(Filters())
            self.current, self._place_kept = kept.index, ""

    def reload(self, scorer: str | None = None) -> None:
        """Begin to read the results again; when that is settled, the same record is current.

        Args:
            scorer: the scorer that decides from now on; None for the one before.

        Raises:
            ResultsError: when they can no longer be read.
        """
        results = open_results(
            self.results.path, first=self.options.dialects, scorer=scorer or self.results.scorer, asked=True
        )
        next(results.index(), None)
        self.log.refresh()
        if scorer is not None and self.baseline is not None:
            self.baseline = open_results(self.baseline.path, first=self.options.dialects, scorer=scorer, asked=True)
        self.runs = runs_from(self.runs_path, results.path)
        self.same_answers, self.expectations = SameAnswers(self), Expectations(self)
        self._place_kept = self.item.entry.id if isinstance(self.current, int) else ""
        self.results, self.current, self.reader = results, None, RecordReader(results, self.baseline)
        self.queue = replace(self.queue, items=(), hidden=frozenset(), ranks={}).shown()
        self.fully_indexed = False
        self.take_in()

    def finish_index(self, compared: Sequence[Compared] = (), *, rejoin: bool = False) -> None:
        """Note that everything is indexed: find what has no partner, and show what differs from the baseline.

        Args:
            compared: how the records fare against the baseline.
            rejoin: whether the samples of the deck became known only now, so that verdicts may be stale.
        """
        from sampleui.review.attempts import attempts_of, cases_of, ranks_by_stability  # with its statistics

        self.fully_indexed = True
        if rejoin:
            self.queue = replace(self.queue, items=())
        self.take_in()
        begun = self._begun_at
        if isinstance(begun, int) and self._place == begun and self.queue.items[begun].verdict is not None:
            self.begin()  # what was decided on an earlier run is known only now
        self.attempts = attempts_of(self.results.counted, self.options.fail_under)
        if self.attempts:
            self.queue = self.queue.ranked(Order.UNSTABLE, ranks_by_stability(self.attempts))
        self.cases = cases_of(self.results.counted)
        self.targets = tuple(dict.fromkeys(entry.target for entry in self.results.entries))
        self.several_targets = len(self.targets) > 1
        self._shown_targets.clear()
        missing: list[Unmatched] = []
        if self.decks:
            entries = self.results.entries
            self.unjoined = frozenset(
                index for index, entry in enumerate(entries) if self.decks.sample_index(entry) is None
            )
            missing += self.decks.not_run(entries, self.results.source.chosen)
        self.compared = {item.new.index: item for item in compared if item.new is not None}
        missing += (Unmatched(item.id, old=item.old) for item in compared if item.new is None)
        missing += (Unmatched(orphan.record_id, verdict=orphan) for orphan in self.log.orphans)
        self.missing = tuple(missing)
        self.proposals.know()
        if self.queue.filters == Filters(failed=True) and not self.results.grades:
            self.narrow(Filters())
            self.begin()
        if compared:
            self.narrow(Filters() if self._awaits_people else Filters(only=self.differing, named=DIFFERS))

    @property
    def _awaits_people(self) -> bool:
        """Whether nobody graded the run, and the reviewer has not decided all of it."""
        return not self.results.grades and any(item.verdict is None for item in self.queue.items)

    def comparison(self) -> tuple[Compared, ...]:
        """Compare with the baseline, what people found of records that nobody graded too; nothing without one.

        Of this run that is what the reviewer found, of the baseline what stands in its log.

        Raises:
            ResultsError: when that log cannot be read.
        """
        if self.baseline is None:
            return ()
        from sampleui.review.log.verdict_migration import judged_log
        from sampleui.runs.sample_as_run import run_samples

        under = self.options.fail_under
        samples = run_samples(self.baseline.base_dir, self.decks.digest)
        passes_before = found_by_all(judged_log(self.baseline, samples))
        before = [*with_findings(self.baseline.counted, passes_before, under)]
        return compare([*with_findings(self.results.counted, self._passes, under)], before, under)

    @property
    def differing(self) -> frozenset[int]:
        """The records that are other than those of the baseline, by index."""
        return frozenset(index for index, item in self.compared.items() if item.differs)

    @property
    def comparison_words(self) -> str:
        """How many records fare which way against the baseline, in words; empty without one."""
        gone = [Compared(Trend.ONLY_OLD, None, item.old, None) for item in self.missing if item.old is not None]
        return record_comparison_words((*self.compared.values(), *gone)) if self.compared or gone else ""

    def _passes(self, digest: str) -> bool | None:
        """Return whether a record that nobody graded passed, as the reviewer found; None where that is not said."""
        decision = None if self.log.disputed(digest) else self.decision(digest)
        return None if decision is None else passes_by(decision.verdict)

    def _compare_again(self, about: Set[str]) -> None:
        """Compare records about which something was decided with their counterparts, if nobody graded them."""
        for item in self.queue.items if self.compared else ():
            if item.entry.digest in about and (known := self.compared.get(item.entry.index)) is not None:
                (entry,) = with_findings((item.entry,), self._passes, self.options.fail_under)
                self.compared[entry.index] = compared_with(entry, known.old, self.options.fail_under)
        if self.attempts:
            several = by_sample([*self.compared.values()], self.options.fail_under)
            self.compared = dict(zip(self.compared, several, strict=True))

    @property
    def has_others(self) -> bool:
        """Whether other runs lie beside this one."""
        return len(runs_around(self.results.path)) > 1

    @property
    def small_beside(self) -> bool:
        """Whether the runs beside this one are read in a moment."""
        return sum(size_of(path) for path in runs_around(self.results.path)) <= MAX_READ_AT_ONCE_BYTES

    @property
    def unfound(self) -> str:
        """The id of the record that was asked for and is not among those read so far; empty if none is lacking."""
        return self._place_kept if self._place_kept == self.options.record_id else ""

    def narrow(self, filters: Filters) -> None:
        """Show the records that pass other filters, and stay at the current one if it is among them.

        While a search is typed, that is the one at which it began, unless one has gone elsewhere since. What is
        found at the first letters depends on how quickly the others follow.
        """
        begun, left_at = self._sought_from or (self.current, self.current)
        stays = begun if self.current == left_at else self.current
        self.queue = self.queue.shown(filters)
        stays_visible = isinstance(stays, int) and stays in self.queue.visible
        self.current = stays if stays_visible else self._first
        if self._sought_from is not None:
            self._sought_from = stays, self.current

    def begin_search(self) -> None:
        """Note where one is as a search begins to be typed."""
        self._sought_from = self.current, self.current

    def end_search(self) -> None:
        """Stay where a search led to."""
        self._sought_from = None

    @property
    def spots(self) -> tuple[QueueRow, ...]:
        """What the list of the queue shows: the visible records, then, if nothing is sought, what has none.

        Errors that are one row are there once. The current record is among them even where the filter leaves it
        out, as after a step back to it: what is shown, and judged next, is where the cursor is.
        """
        place = self._place
        rows = self.queue.rows_with(place) if isinstance(place, int) else self.queue.rows
        return (*rows, *self._others)

    @property
    def _others(self) -> tuple[Unmatched, ...]:
        """What the list of the queue shows that has no record."""
        filters = self.queue.filters
        sought = filters._replace(failed=False, unreviewed=False) != Filters()
        shown = (item for item in self.missing if not sought or (item.old and filters.only is not None))
        return (*self.proposals.edits_elsewhere, *shown)

    def target_words(self, target: str | None, width: int) -> str:
        """Return how a target is shown in a width, so that no two look alike; empty for none."""
        if width not in self._shown_targets:
            self._shown_targets[width] = apart((one_line(name, 200) for name in self.targets if name), width)
        name = one_line(target or "", 200)
        return self._shown_targets[width].get(name, name)

    @property
    def progress(self) -> ReviewProgress:
        """How much of the queue is decided."""
        return self.queue.progress._replace(fully_indexed=self.fully_indexed)

    # The current place

    @property
    def current(self) -> QueueRow | None:
        """The current place, a row of the list; None in an empty queue."""
        place = self._place
        if isinstance(place, int):
            return self.queue.row_of(place)
        if place is not None and place in self._others:
            return place
        return self._first

    @current.setter
    def current(self, place: QueueRow | None) -> None:
        self._place = place

    @property
    def _first(self) -> QueueRow | None:
        """The first row of the list; None in an empty queue."""
        rows: tuple[QueueRow, ...] = (*self.queue.visible[:1], *self._others)
        return next(iter(rows), None)

    @property
    def group(self) -> LikeErrors | None:
        """The records in the filter of one sample with the same error, if the current one is one of several."""
        return self.queue.groups.get(self._place) if isinstance(self._place, int) else None

    @property
    def folded(self) -> tuple[int, ...]:
        """The records that the row of the current one stands for; none if it stands for itself alone."""
        group = self.group
        return () if group is None or self.queue.is_open(group) else group.members

    @property
    def is_outside(self) -> bool:
        """Whether the filter leaves the current record out."""
        return isinstance(self._place, int) and not self.queue.shows(self._place)

    def step(self, by: int) -> bool:
        """Go to the record of the next or previous row in the filter; tell whether there is one."""
        current = self.current
        return self._go(self.queue.step(current if isinstance(current, int) else None, by))

    def next_unreviewed(self) -> bool:
        """Go to the next open record in the filter, in another row first; tell whether there is one."""
        current = self.current if isinstance(self.current, int) else None
        index = self.queue.next_unreviewed(current, self.folded)
        return self._go(self.queue.next_unreviewed(current) if index is None else index)

    def _go(self, index: int | None) -> bool:
        if index is None:
            return False
        self.current = index
        return True

    @property
    def item(self) -> QueueItem:
        """The current record's place in the queue.

        Raises:
            EditRefusedError: if there is no record here.
        """
        if not isinstance(self.current, int):
            raise EditRefusedError("there is no record here to decide")
        return self.queue.items[self.current]

    @property
    def sample(self) -> Sample | None:
        """The sample that the current place is about, None if the deck has none."""
        if self.deck is None or self.current is None:
            return None
        if isinstance(self.current, int):
            return self.decks.sample(self.item.entry)
        return self.deck.sample(self.current.id)

    @property
    def deck(self) -> ReviewDeck | None:
        """The deck that the current place is about; of a record that no deck has, the only or the first one."""
        if not self.decks:
            return None
        deck_index = self.current.deck if isinstance(self.current, Unmatched) else None
        if isinstance(self.current, int):
            deck_index = self.decks.sample_index(self.queue.items[self.current].entry)
        return self.decks[deck_index or 0]

    # Deciding

    def revise(self, about: Set[str]) -> None:
        """Show in the queue what the log says now about records, by their digests."""
        self.queue = self.queue.revised(
            lambda entry: entry.digest in about, self.decision, self.decks.digest, self.view
        )
        self._compare_again(about)

    def decision(self, digest: str) -> Decision | None:
        """Return the decision that counts for a record in this review: a ruling, or else one's own."""
        return self.log.current(digest, self.options.reviewer)

    def view(self, digest: str) -> RecordView:
        """Return what others say of a record."""
        return self.log.view(digest, self.options.reviewer)

    def own_decision(self, digest: str) -> Decision | None:
        """Return one's own decision about a record, None if there is none that stands."""
        return self.log.own_decision(digest, self.options.reviewer)
