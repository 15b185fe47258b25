"""The records of a review, each read when the reviewer comes to it, and the decks that have their samples.

Results, their baseline and their log are opened first, then the decks that were run.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path
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
from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.people import found_by_all, with_findings
from sampleui.review.queue import Order, Queue, ReviewOptions, ReviewProgress, items_of
from sampleui.review.record import CaseKey, Entry, Record
from sampleui.review.results.evaluations import same_evaluation_words
from sampleui.review.results.file import Results, Scored, open_results, scored_results
from sampleui.review.results.run_paths import latest_of, runs_around, runs_from
from sampleui.review.verdict import Decision, RecordView, passes_by
from sampleui.settings.options import Settings
from sampleui.text.confined import size_of
from sampleui.text.limits import RESULTS_READ_AT_ONCE
from sampleui.text.visible import one_line
from sampleui.text.wording import apart, counted
from sampleui.tui.commands import key_named
from sampleui.tui.review.joined import DecksOfRun, QueueRow, Unmatched
from sampleui.tui.review.state import ReviewState

if TYPE_CHECKING:  # what the first record does without
    from sampleui.review.attempts import Attempts
    from sampleui.review.reports.figures import SeriesFigures
    from sampleui.sample.model import Sample
    from sampleui.settings.views import Views
    from sampleui.tui.review.decks import ReviewDeck
    from sampleui.workspace.proposed_edits import ProposedEdit


DIFFERS = "differs from the baseline"
"""The name of the filter for records that are other than those of the baseline."""


class ReviewSession:
    """The state of the review screen.

    Attributes:
        results: what is reviewed; indexed by someone else while the review goes on.
        log: where decisions go.
        runs_path: the path whose runs may be opened from here.
        runs: the indexes of those, the latest first.
        decks: the decks that were run; none when they are not known.
        deck_hint: what to say about them, such as how to pass one; empty for nothing.
        baseline: an earlier run, indexed by someone else too.
        earlier: the run before, where answers made of files may be shown beside those of it.
        note: what is to be said of the scorer that was asked for; empty for nothing.
        state: what it is about now.
        fully_indexed: whether everything is indexed, and the decisions of earlier runs are known.
        attempts: by index of a record, how the attempts at its sample came out, if there are several.
        cases: the records of samples that several answer.
        targets: who answered, in the order they occur, once that is known.
        compared: by index of a record, how it fares against the baseline.
        unjoined: the records whose sample the deck does not have.
        views: how records are shown, by the names of what reads them.
        series: the runs beside some results over time, once they were asked for.
    """

    def __init__(
        self,
        results: Results,
        log: Log,
        options: ReviewOptions,
        baseline: Results | None = None,
    ) -> None:
        self.results = results
        self.log = log
        self.options = options
        self.runs_path = options.runs_path or options.results
        self.runs = runs_from(self.runs_path, results.path)
        self.decks, self.deck_hint = DecksOfRun(), ""
        self.baseline = baseline
        self.earlier: Results | None = None
        self.note = ""
        order = options.order if results.grades or options.order is not Order.SCORE else Order.FILE
        filters = Filters(failed=not options.everything and results.grades)
        self.state = ReviewState(Queue(filters=filters, order=order))
        self.fully_indexed = False
        self.unjoined: frozenset[int] = frozenset()
        self.compared: dict[int, Compared] = {}
        self.attempts: dict[int, Attempts] = {}
        self.cases: dict[CaseKey, tuple[int, ...]] = {}
        self.targets: tuple[str | None, ...] = ()
        self._shown_targets: dict[int, dict[str, str]] = {}
        self.views: Views = {}
        self.series: tuple[Results, SeriesFigures] | None = None
        self._place_kept = options.record_id
        self._revised = 0
        self._lines_known, _ = log.read_since(0)
        self._record_read: Record | None = None

    @property
    def queue(self) -> Queue:
        """The records taken in so far."""
        return self.state.queue

    @property
    def current(self) -> QueueRow | None:
        """The current row of the queue; None in an empty one."""
        return self.state.current

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
        return "; ".join(item for item in (guessed, self.note, self.deck_hint, runs) if item)

    def join(self, decks: Sequence[ReviewDeck], hint: str) -> None:
        """Note the decks that were run, whose samples may show that decisions are stale.

        `hint` is what to say about them; empty for nothing.
        """
        self.decks, self.deck_hint = DecksOfRun(decks), hint
        self.take_in(anew=True)

    # What is in the queue

    def take_in(self, *, anew: bool = False) -> None:
        """Put the records that were indexed since into the queue; all of them if it is to be made anew."""
        if anew or self.results.revised != self._revised:
            self._revised = self.results.revised
            self._list(replace(self.queue, items=()))
        entries = self.results.entries[len(self.queue.items) :]
        if entries:
            items = items_of(entries, self.decision, self.decks.digest, self.options.fail_under, self.view)
            self._list(self.queue.with_items(items, frozenset(self.results.superseded)))
        self._go_to_kept()
        if self.state.place is None:
            self.state = self.state.begun()

    def _list(self, queue: Queue) -> None:
        self.state = replace(self.state, queue=queue)

    def _go_to_kept(self) -> None:
        """Go to the record that is to be gone to once it is read; if the filter leaves it out, all are shown."""
        kept = self.results.find(self._place_kept) if self._place_kept else None
        if kept is not None and kept.index < len(self.queue.items):
            if self._place_kept == self.options.record_id and kept.index not in self.queue.visible:
                self._list(self.queue.shown(Filters()))
            self.state, self._place_kept = self.state.at(kept.index), ""

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
        self._lines_known, _ = self.log.read_since(0)
        if scorer is not None and self.baseline is not None:
            self.baseline = open_results(self.baseline.path, first=self.options.dialects, scorer=scorer, asked=True)
        self.runs = runs_from(self.runs_path, results.path)
        self._place_kept = self.item.entry.id if isinstance(self.current, int) else ""
        self.results, self._record_read = results, None
        queue = replace(self.queue, items=(), hidden=frozenset(), ranks={}).shown()
        none: frozenset[int] = frozenset()
        self.state = replace(self.state, queue=queue, place=None, alike={}, reworded=none, edited=none)
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
        self.take_in(anew=rejoin)
        begun = self.state.begun_at
        if isinstance(begun, int) and self.state.place == begun and self.queue.items[begun].verdict is not None:
            self.state = self.state.begun()  # what was decided on an earlier run is known only now
        self.attempts = attempts_of(self.results.counted, self.options.fail_under)
        if self.attempts:
            self._list(self.queue.ranked(Order.UNSTABLE, ranks_by_stability(self.attempts)))
        self.cases = cases_of(self.results.counted)
        self.targets = tuple(dict.fromkeys(entry.target for entry in self.results.entries))
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
        self.state = replace(self.state, missing=tuple(missing))
        self.know_edits()
        if self.queue.filters == Filters(failed=True) and not self.results.grades:
            self.state = self.state.narrowed(Filters()).begun()
        if compared:
            differing = Filters(only=self.differing, named=DIFFERS)
            undecided = any(item.verdict is None for item in self.queue.items)
            self.state = self.state.narrowed(Filters() if undecided and not self.results.grades else differing)

    def know_edits(self) -> None:
        """Note the edits that programs propose for samples, as the decks have read them last."""
        decks = self.decks
        proposed = [(index, item) for index, deck in enumerate(decks) for item in deck.proposals]
        by_sample: dict[tuple[int, str], list[ProposedEdit]] = {}
        for index, item in proposed:
            for sample in item.samples:
                by_sample.setdefault((index, sample), []).append(item)
        edits: dict[int, list[ProposedEdit]] = {}
        for entry in self.results.counted if by_sample else ():
            if (place := decks.place_of(entry)) is not None and place in by_sample:
                edits[entry.index] = by_sample[place]
        placed = {item.id for items in edits.values() for item in items}
        elsewhere = tuple(
            Unmatched(", ".join(item.samples) or "beside the samples", deck=index, edit=item)
            for index, item in proposed
            if item.id not in placed
        )
        self.state = replace(self.state, edits=edits, edits_elsewhere=elsewhere)

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
        gone = [
            Compared(Trend.ONLY_OLD, None, item.old, None) for item in self.state.missing if item.old is not None
        ]
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
    def lacks_asked(self) -> bool:
        """Whether the record that was asked for is not among those read so far."""
        return self._place_kept != "" and self._place_kept == self.options.record_id

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

    # Records

    def record(self, index: int) -> Record:
        """Return a record; the one at hand is read once.

        Raises:
            ResultsError: when it cannot be read.
        """
        if self._record_read is None or self._record_read.index != index:
            self._record_read = self.results.record(index)
        return self._record_read

    def before(self, entry: Entry | None) -> Record | None:
        """Return a record of the baseline. Raises as `record` does."""
        return None if entry is None or self.baseline is None else self.baseline.record(entry.index)

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

    def revise(self, about: Set[str] = frozenset()) -> None:
        """Show in the queue what the log says now about records, by their digests, and what else is new in it."""
        self._lines_known, new = self.log.read_since(self._lines_known)
        about = about | new
        asked = (self.decision, self.decks.digest, self.view)
        self._list(self.queue.revised(lambda entry: entry.digest in about, *asked))
        self._compare_again(about)

    def know_reworded(self, indexes: frozenset[int]) -> None:
        """Note the records whose sample expects something else now, as a look through all of them found.

        Of samples that were changed in this review since, what was found then holds.
        """
        edited = self.state.edited
        self.state = replace(self.state, reworded=(indexes - edited) | (self.state.reworded & edited))

    def note_edit(self, deck: ReviewDeck, name: str) -> None:
        """Note that a sample of a deck was changed, which may make decisions stale."""
        from sampleui.tui.review.decks import reworded  # a review begins without its decks

        changed, digest = self.decks.index(deck), deck.digest(name)

        def of(entry: Entry) -> bool:
            return self.decks.place_of(entry) == (changed, name)

        its = [entry for entry in self.results.counted if of(entry)]
        for item in its:
            self.log.resampled(item.digest, digest)
        self._list(self.queue.revised(of, self.decision, lambda _: digest, self.view))
        indexes = {entry.index for entry in its}
        now = (self.state.reworded - indexes) | reworded(self.results, self.decks, its)
        self.state = replace(self.state, edited=self.state.edited | indexes, reworded=now)

    def decision(self, digest: str) -> Decision | None:
        """Return the decision that counts for a record in this review: a ruling, or else one's own."""
        return self.log.current(digest, self.options.reviewer)

    def view(self, digest: str) -> RecordView:
        """Return what others say of a record."""
        return self.log.view(digest, self.options.reviewer)

    def own_decision(self, digest: str) -> Decision | None:
        """Return one's own decision about a record, None if there is none that stands."""
        return self.log.own_decision(digest, self.options.reviewer)


def open_review(options: ReviewOptions, settings: Settings, opened: Scored | None = None) -> ReviewSession:
    """Open what a review needs; large results are read while it goes on.

    Its decks are not: `decks_to_join` looks for them.

    Args:
        options: what is asked for.
        settings: the settings.
        opened: its results, if they are open.

    Raises:
        ResultsError: when the results, the baseline or the log cannot be read.
    """
    scored = opened or scored_results(options.results, settings, options.dialects)
    results, older = _indexed(scored.results), options.baseline
    baseline = None
    if older is not None:  # by the same scorer: another one of the older run would make a difference of its own
        baseline = _indexed(open_results(older, first=options.dialects, scorer=results.decider, asked=True))
    log = open_log(log_path(results.path))
    review = ReviewSession(results, log, options, baseline)
    same = same_evaluation_words(baseline, results) if baseline is not None else ""
    lost = f"{counted(log.unreadable, 'line')} of {log.path.name} cannot be read" if log.unreadable else ""
    review.note = "; ".join(filter(None, (lost, scored.note, same)))
    return review


def decks_to_join(review: ReviewSession, settings: Settings) -> tuple[Sequence[ReviewDeck], str]:
    """Return the decks that were run and what to say about them, empty for nothing; the review stays as it is.

    Raises:
        DeckError: when a deck that was asked for cannot be read.
    """
    from sampleui.runs.decks import decks_of_run
    from sampleui.tui.review.decks import ReviewDeck

    ran = decks_of_run(review.results, review.options.decks, settings)
    return tuple(map(ReviewDeck, ran.decks)), ran.hint


def other_run(index: Path, options: ReviewOptions, settings: Settings, record_id: str = "") -> ReviewSession:
    """Return the review of another run, with the decks that it ran, from a record on or from the first open one.

    Raises:
        ResultsError: when its results or its log cannot be read.
        DeckError: when a deck that was asked for cannot be read.
    """
    runs_path = options.runs_path or options.results
    itself = options.baseline is not None and options.baseline.absolute() == index.absolute()
    baseline = None if itself else options.baseline
    other = options._replace(
        results=index, runs_path=runs_path, baseline=baseline, sample=None, record_id=record_id
    )
    review = open_review(other, settings)
    review.join(*decks_to_join(review, settings))
    return review


def _indexed(results: Results) -> Results:
    if size_of(results.path) <= RESULTS_READ_AT_ONCE:
        return results.indexed()
    next(results.index(), None)
    return results
