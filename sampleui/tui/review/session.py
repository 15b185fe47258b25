"""The records of a review, each read when the reviewer comes to it, and the decks that have their samples."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sampleui.errors import EditRefusedError, ResultsError
from sampleui.review.baseline import DIFFERING, compare, comparison_words
from sampleui.review.filters import Filters, QueueItem
from sampleui.review.log.store import Log, differ
from sampleui.review.log.waiting_comments import Waiting
from sampleui.review.queue import (
    ErrorKey,
    LikeErrors,
    Order,
    Progress,
    Queue,
    ReviewOptions,
    items_of,
    like_errors,
)
from sampleui.review.record import Case, Entry, Record
from sampleui.review.results.file import AT_ONCE, Results, open_results
from sampleui.review.results.run_paths import latest_of, runs_around, runs_beside
from sampleui.review.verdict import Decision, Kind, RecordView, Verdict, now
from sampleui.text.confined import size_of
from sampleui.text.visible import one_line
from sampleui.text.wording import apart, counted
from sampleui.tui.commands import key_named
from sampleui.tui.review.expectations import Expectations
from sampleui.tui.review.same_answers import SameAnswers

if TYPE_CHECKING:  # what the first record does without
    from sampleui.review.attempts import Attempts
    from sampleui.review.baseline import Compared
    from sampleui.review.log.verdict_migration import Samples
    from sampleui.review.samples.lookup import Joiner
    from sampleui.sample.model import Sample
    from sampleui.tui.review.decks import ReviewDeck
    from sampleui.tui.review.draws import Draws
    from sampleui.tui.review.figures import RunFigures
    from sampleui.workspace.proposed_edits import ProposedEdit


class Missing(NamedTuple):
    """What this run has no record of: a sample, a record of the baseline, or what a verdict or an edit is about.

    Attributes:
        edit: the edit that a program proposes for it.
    """

    id: str
    deck: int | None = None
    verdict: Decision | None = None
    old: Entry | None = None
    edit: ProposedEdit | None = None


Spot: TypeAlias = int | Missing
"""A place in the queue: the index of a record, or what has none."""


class Decks(tuple["ReviewDeck", ...]):
    """The decks that were run, in the order they were named; none when they are not known."""

    @cached_property
    def _joiner(self) -> Joiner:
        from sampleui.review.samples.lookup import Candidate, Joiner, suite_of

        return Joiner(
            [Candidate(item.deck.path, item, suite_of(item.deck.path, item.deck.around)) for item in self]
        )

    def place(self, entry: Entry) -> int | None:
        """Return which deck has the sample of a record."""
        return self._joiner.deck_of(entry) if self else None

    def name_of(self, entry: Entry) -> str | None:
        """Return what the sample of a record is called in its deck, None if no deck has it."""
        return self._answered(entry)[1]

    def _answered(self, entry: Entry) -> tuple[ReviewDeck | None, str | None]:
        """Return the deck that has the sample of a record, and what the sample is called there."""
        place = self.place(entry)
        return (None, None) if place is None else (self[place], self[place].name_of(entry))

    def digest(self, entry: Entry) -> str | None:
        """Return what stands for the values of a record's sample, None if no deck has it."""
        deck, name = self._answered(entry)
        return None if deck is None or name is None else deck.digest(name)

    def sample(self, entry: Entry) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""
        deck, name = self._answered(entry)
        return None if deck is None or name is None else deck.sample(name)

    def holding(self, words: str, entries: Sequence[Entry]) -> frozenset[int]:
        """Return the records whose sample holds a text."""
        names = [deck.holding(words) for deck in self]
        places = ((entry, self.place(entry)) for entry in entries)
        return frozenset(
            item.index
            for item, deck_index in places
            if deck_index is not None and self[deck_index].name_of(item) in names[deck_index]
        )

    def not_run(self, entries: Sequence[Entry], chosen: frozenset[str] | None) -> Iterator[Missing]:
        """Yield the samples without a record of the decks that have any.

        Args:
            entries: the records.
            chosen: the ids of the samples that were to run, numbers for those without an id; None for all.
        """
        answered: dict[int, set[str]] = {}
        for entry in entries:
            deck_index = self.place(entry)
            name = None if deck_index is None else self[deck_index].name_of(entry)
            if deck_index is not None and name is not None:
                answered.setdefault(deck_index, set()).add(name)
        for deck_index, names in sorted(answered.items() or ([(0, set())] if len(self) == 1 else [])):
            lacking = (name for name in self[deck_index].names if name not in names)
            yield from (
                Missing(name, deck=deck_index)
                for name in lacking
                if chosen is None or {name, name.removeprefix("#")} & chosen  # `#N` is the N-th, or its id
            )


class Reader:
    """Reads records; the one at hand is read once."""

    def __init__(self, results: Results, baseline: Results | None) -> None:
        self._results = results
        self._baseline = baseline
        self._held: Record | None = None

    def record(self, index: int) -> Record:
        """Return a record.

        Raises:
            ResultsError: when it cannot be read.
        """
        if self._held is None or self._held.index != index:
            self._held = self._results.record(index)
        return self._held

    def before(self, entry: Entry | None) -> Record | None:
        """Return a record of the baseline. Raises as `record` does."""
        return None if entry is None or self._baseline is None else self._baseline.record(entry.index)


class Drafted(NamedTuple):
    """A comment that was written without a verdict: on which record, in place of what, and when."""

    place: int
    digest: str
    before: str
    time: str


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
        current: the current place; None in an empty queue.
        settled: whether everything is indexed, and the decisions of earlier runs are known.
        missing: what has no record, known once everything is indexed.
        edits: by index of a record, the edits that programs propose for its sample; likewise.
        attempts: by index of a record, how the attempts at its sample came out, if there are several.
        cases: the records of samples that several answer.
        several_targets: whether there is more than one.
        targets: them, in the order they occur.
        compared: by index of a record, how it fares against the baseline.
        comparison_words: how many do so, in words; empty without a baseline.
        same_answers: which records have the same answer.
        expectations: which samples expect something else now than when they were run.
        unjoined: the records whose sample the deck does not have.
        drafts: by digest of a record, a comment that waits for the verdict.
        drafted: the comments written so in this session, the last one last.
        waiting: where such comments are kept.
        sought: the text that was searched for last; empty for none.
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
        self.runs = runs_beside(self.runs_path)
        self.decks = Decks(decks)
        self.baseline = baseline
        self.note = ""
        order = options.order if results.grades or options.order is not Order.SCORE else Order.FILE
        self.queue = Queue(filters=Filters(failed=not options.everything and results.grades), order=order)
        self.current: Spot | None = None
        self.settled = False
        self.missing: tuple[Missing, ...] = ()
        self.edits: dict[int, list[ProposedEdit]] = {}
        self._edits_elsewhere: tuple[Missing, ...] = ()
        self.unjoined: frozenset[int] = frozenset()
        self.compared: dict[int, Compared] = {}
        self.comparison_words = ""
        self.attempts: dict[int, Attempts] = {}
        self.cases: dict[Case, tuple[int, ...]] = {}
        self.several_targets = False
        self.targets: tuple[str | None, ...] = ()
        self._shown_targets: dict[int, dict[str, str]] = {}
        self.drafts: dict[str, str] = {}
        self.drafted: list[Drafted] = []
        self.waiting = Waiting(results.path, options.reviewer)
        self.sought = ""
        self._progress: tuple[Queue, bool, Progress] | None = None
        self._place_kept = options.record_id
        self._begun_at: Spot | None = None
        self._groups: tuple[Sequence[int], Order, Mapping[int, LikeErrors]] | None = None
        self._folded: tuple[Mapping[int, LikeErrors], frozenset[int]] | None = None
        self._open_groups: frozenset[ErrorKey] = frozenset()
        self._revised = 0
        self._sought_from: tuple[Spot | None, Spot | None] | None = None
        self.reader = Reader(results, baseline)
        self.same_answers = SameAnswers(self)
        self.expectations = Expectations(self)

    @cached_property
    def figures(self) -> RunFigures:
        """What is counted of the run; loaded when it is first asked for."""
        from sampleui.tui.review.figures import RunFigures

        return RunFigures(self)

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
        """Take note of the decks that were run, whose samples may show that decisions are stale.

        `hint` is what to say about them; empty for nothing.
        """
        self.decks = Decks(decks)
        self.options = self.options._replace(decks=tuple(deck.deck.path for deck in decks), hint=hint)
        self.queue = self.queue._replace(items=())
        self.take_in()

    # What is in the queue

    def take_in(self) -> bool:
        """Put the records that were indexed since into the queue; tell whether there were any."""
        if self.results.revised != self._revised:
            self._revised = self.results.revised
            self.queue = self.queue._replace(items=())
        entries = self.results.entries[len(self.queue.items) :]
        if entries:
            items = items_of(entries, self.decision, self.decks.digest, self.options.fail_under, self.view)
            self.queue = self.queue.with_items(items, frozenset(self.results.superseded))
        self._go_to_kept()
        if self.current is None:
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
        results = open_results(self.results.path, first=self.options.dialects, scorer=scorer or self.results.scorer)
        next(results.index(), None)
        self.log.refresh()
        if scorer is not None and self.baseline is not None:
            self.baseline = open_results(self.baseline.path, first=self.options.dialects, scorer=scorer)
        self.runs = runs_beside(self.runs_path)
        self.same_answers, self.expectations = SameAnswers(self), Expectations(self)
        self._place_kept = self.item.entry.id if isinstance(self.current, int) else ""
        self.results, self.current, self.reader = results, None, Reader(results, self.baseline)
        self.queue = self.queue._replace(items=(), hidden=frozenset(), ranks={}).shown()
        self.settled = False
        self.take_in()

    def settle(self, compared: Sequence[Compared] = (), *, rejoin: bool = False) -> None:
        """Take note that everything is indexed: find what has no partner, and show what differs from the baseline.

        Args:
            compared: how the records fare against the baseline.
            rejoin: whether the samples of the deck became known only now, so that verdicts may be stale.
        """
        from sampleui.review.attempts import attempts_of, cases_of, ranks_by_stability  # with its statistics

        self.settled = True
        if rejoin:
            self.queue = self.queue._replace(items=())
        self.take_in()
        begun = self._begun_at
        if isinstance(begun, int) and self.current == begun and self.queue.items[begun].verdict is not None:
            self.begin()  # what was decided on an earlier run is known only now
        self.attempts = attempts_of(self.results.counted, self.options.fail_under)
        if self.attempts:
            self.queue = self.queue.ranked(Order.UNSTABLE, ranks_by_stability(self.attempts))
        self.cases = cases_of(self.results.counted)
        self.targets = tuple(dict.fromkeys(entry.target for entry in self.results.entries))
        self.several_targets = len(self.targets) > 1
        self._shown_targets.clear()
        missing: list[Missing] = []
        if self.decks:
            entries = self.results.entries
            self.unjoined = frozenset(
                index for index, entry in enumerate(entries) if self.decks.place(entry) is None
            )
            missing += self.decks.not_run(entries, self.results.source.chosen)
        self.compared = {item.new.index: item for item in compared if item.new is not None}
        missing += (Missing(item.id, old=item.old) for item in compared if item.new is None)
        missing += (Missing(orphan.record_id, verdict=orphan) for orphan in self.log.orphans)
        self.missing = tuple(missing)
        self.know_edits()
        if compared:
            differing = frozenset(index for index, item in self.compared.items() if item.trend in DIFFERING)
            self.comparison_words = comparison_words(compared)
            self.narrow(Filters(only=differing))

    def know_edits(self) -> None:
        """Take note of the edits that programs propose, as the decks have read them last."""
        waiting = [(index, item) for index, deck in enumerate(self.decks) for item in deck.proposals]
        by_sample: dict[tuple[int, str], list[ProposedEdit]] = {}
        for index, item in waiting:
            for sample in item.samples:
                by_sample.setdefault((index, sample), []).append(item)
        self.edits = {}
        for entry in self.results.counted if by_sample else ():
            place, name = self.decks.place(entry), self.decks.name_of(entry)
            if place is not None and name is not None and (place, name) in by_sample:
                self.edits[entry.index] = by_sample[place, name]
        placed = {item.id for items in self.edits.values() for item in items}
        self._edits_elsewhere = tuple(
            Missing(", ".join(item.samples) or "beside the samples", deck=index, edit=item)
            for index, item in waiting
            if item.id not in placed
        )

    @property
    def edits_here(self) -> Sequence[ProposedEdit]:
        """The edits that are proposed for the sample of the current place."""
        if isinstance(self.current, int):
            return self.edits.get(self.current, [])
        return [] if self.current is None or self.current.edit is None else [self.current.edit]

    def comparison(self) -> tuple[Compared, ...]:
        """Compare with the baseline; nothing without one."""
        if self.baseline is None:
            return ()
        return compare(self.results.counted, self.baseline.counted, self.options.fail_under)

    @property
    def has_others(self) -> bool:
        """Whether other runs lie beside this one."""
        return len(runs_around(self.results.path)) > 1

    @property
    def small_beside(self) -> bool:
        """Whether the runs beside this one are read in a moment."""
        return sum(size_of(path) for path in runs_around(self.results.path)) <= AT_ONCE

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
        self.current = stays if stays_visible else next(iter(self.queue.visible), next(iter(self.spots), None))
        if self._sought_from is not None:
            self._sought_from = stays, self.current

    def begin_search(self) -> None:
        """Take note of where one is as a search begins to be typed."""
        self._sought_from = self.current, self.current

    def end_search(self) -> None:
        """Stay where a search led to."""
        self._sought_from = None

    @property
    def spots(self) -> tuple[Spot, ...]:
        """What the list of the queue shows: the visible records, then, if nothing is sought, what has none.

        Of errors that are one row, it shows the first.
        """
        filters = self.queue.filters
        sought = filters._replace(failed=False, unreviewed=False) != Filters()
        shown = tuple(item for item in self.missing if not sought or (item.old and filters.only is not None))
        folded = self._folded_in
        rows = [index for index in self.queue.visible if index not in folded] if folded else self.queue.visible
        return (*rows, *self._edits_elsewhere, *shown)

    # Errors that are one row

    def group(self, index: int) -> LikeErrors | None:
        """Return the records in the filter of one sample with the same error, if a record is one of several."""
        return self._like_errors.get(index)

    def is_open(self, group: LikeErrors) -> bool:
        """Tell whether each of a group has a row of its own."""
        return group.key in self._open_groups

    @property
    def folded(self) -> tuple[int, ...]:
        """The records that the row of the current one stands for; none if it stands for itself alone."""
        group = self.group(self.current) if isinstance(self.current, int) else None
        return () if group is None or self.is_open(group) else group.members

    @property
    def row_spot(self) -> Spot | None:
        """The place in the list whose row shows the current one."""
        return self.folded[0] if self.folded else self.current

    def turn_group(self) -> LikeErrors | None:
        """Give each of the group of the current record a row, or all of them one; None if it is in no group."""
        group = self.group(self.current) if isinstance(self.current, int) else None
        if group is not None:
            self._open_groups ^= {group.key}
            self._folded = None
        return group

    @property
    def _like_errors(self) -> Mapping[int, LikeErrors]:
        visible, order = self.queue.visible, self.queue.order
        if self._groups is None or self._groups[0] is not visible or self._groups[1] is not order:
            groups = like_errors(self.queue.items, visible, by_target=order is Order.TARGET)
            self._groups = (visible, order, groups)
        return self._groups[2]

    @property
    def _folded_in(self) -> frozenset[int]:
        """The records that have no row, since that of another one stands for them."""
        groups = self._like_errors
        if self._folded is None or self._folded[0] is not groups:
            folded = (index for index, group in groups.items() if not self.is_open(group))
            self._folded = groups, frozenset(index for index in folded if index != groups[index].members[0])
        return self._folded[1]

    def target_words(self, target: str | None, width: int) -> str:
        """Return how a target is shown in a width, so that no two look alike; empty for none."""
        if width not in self._shown_targets:
            self._shown_targets[width] = apart((one_line(name, 200) for name in self.targets if name), width)
        name = one_line(target or "", 200)
        return self._shown_targets[width].get(name, name)

    @property
    def progress(self) -> Progress:
        """How much of the queue is decided."""
        counted = self._progress
        if counted is None or counted[0] is not self.queue or counted[1] != self.settled:
            progress = self.queue.progress()._replace(settled=self.settled)
            self._progress = counted = (self.queue, self.settled, progress)
        return counted[2]

    # The current place

    def step(self, by: int) -> bool:
        """Go to the record of the next or previous row in the filter; tell whether there is one."""
        row = self.row_spot
        index = self.queue.step(row if isinstance(row, int) else None, by)
        while index is not None and index in self._folded_in:
            index = self.queue.step(index, 1 if by > 0 else -1)
        return self._go(index)

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
        deck_index = self.current.deck if isinstance(self.current, Missing) else None
        if isinstance(self.current, int):
            deck_index = self.decks.place(self.queue.items[self.current].entry)
        return self.decks[deck_index or 0]

    # Deciding

    @property
    def samples(self) -> Samples:
        """What is known of the samples of the records."""
        from sampleui.runs.sample_as_run import samples_of

        return samples_of(self.results.base_dir, self.decks.digest)

    def decide(self, verdict: Verdict) -> Decision:
        """Record a verdict about the current record, with the comment written for it or for the one before.

        Raises:
            EditRefusedError: if there is no record here.
            ResultsError: when the log cannot be written.
        """
        entry = self.item.entry
        return self._append(entry, verdict, self.commented(entry.index), self.tags(entry.index))

    async def decide_all(
        self, verdict: Verdict, indexes: Sequence[int], step: str | None = None
    ) -> tuple[Decision, ...]:
        """Record a verdict about several records, which one step of undo takes back, each with its own comment.

        Many take a while to be read, which is done outside the thread that draws.

        Args:
            verdict: what is decided.
            indexes: the records.
            step: the id of a decision that they are one step with; None for the first of them.

        Raises:
            ResultsError: when a record cannot be read, or the log cannot be written; then none is decided.
        """

        def decisions() -> list[Decision]:
            made: list[Decision] = []
            for index in indexes:
                comment, first = self.commented(index), made[0].id if made else None
                decision = self._decision_about(self.results.record(index), verdict, comment, self.tags(index))
                made.append(replace(decision, step=step or first))
            return made

        made = self.log.append_all(await asyncio.to_thread(decisions))
        for decision in made:
            with contextlib.suppress(ResultsError):  # they are recorded: at worst a comment is offered again
                self.draft(decision.record, "")
        self._revise({decision.record for decision in made})
        return made

    def own_verdict(self, index: int) -> Verdict | None:
        """Return the verdict that the reviewer gave a record, None if there is none."""
        mine = self._own_decision(self.queue.items[index].entry.digest)
        return mine.verdict if mine is not None else None

    async def decide_alike(self, index: int, others: Sequence[int]) -> tuple[Decision, ...]:
        """Give other records one's verdict on a record; one step of undo takes all of these back.

        Raises:
            ResultsError: as `decide_all` does.
        """
        mine = self._own_decision(self.queue.items[index].entry.digest)
        assert mine is not None and mine.verdict is not None, "what the command needs"
        return await self.decide_all(mine.verdict, others, mine.step or mine.id)

    def adjudicate(self, verdict: Verdict) -> Decision:
        """Settle what reviewers disagree on about the current record.

        Raises:
            EditRefusedError: when they do not disagree, or there is no record here.
            ResultsError: when the log cannot be written.
        """
        entry = self.item.entry
        if not self.disagreement:
            raise EditRefusedError(f"reviewers do not disagree about {entry.id}")
        before = self.log.own(entry.digest, self.options.reviewer, settles=True)
        comment = self.drafts.get(entry.digest, before.comment if before is not None else "")
        return self._append(entry, verdict, comment, before.tags if before else (), kind=Kind.ADJUDICATE)

    @property
    def disagreement(self) -> tuple[Decision, ...]:
        """What reviewers said about the current record, where they disagree, whether that is settled or not."""
        if not isinstance(self.current, int):
            return ()
        decisions = self.log.by_reviewer(self.item.entry.digest)
        return tuple(decisions.values()) if differ(decisions.values()) else ()

    def proposals(self, index: int) -> tuple[Decision, ...]:
        """Return what programs proposed about a record that waits for the reviewer."""
        return self.log.open_proposals(self.queue.items[index].entry.digest, self.options.reviewer)

    async def take_proposals(self, indexes: Sequence[int]) -> tuple[Decision, ...]:
        """Take what programs proposed about records as the reviewer's own, as one step of undo.

        Of several programs' verdicts on a record it is the last one, with its comment and kinds of failure; a
        comment that is proposed alone goes with the verdict that the reviewer has given.

        Raises:
            ResultsError: when a record cannot be read, or the log cannot be written; then none is taken.
        """

        def decisions() -> list[Decision]:
            made: list[Decision] = []
            for index, item in ((at, item) for at in indexes for item in self.takeable(at)):
                verdict = item.verdict or self.own_verdict(index)
                assert verdict is not None, "what can be taken has one"
                comment, tags = item.comment or self.commented(index), item.tags or self.tags(index)
                decision = self._decision_about(self.results.record(index), verdict, comment, tags)
                step = made[0].id if made else None
                made.append(replace(decision, proposal=item.id, proposed_by=item.reviewer, step=step))
            return made

        made = self.log.append_all(await asyncio.to_thread(decisions))
        self._revise({decision.record for decision in made})
        return made

    def refuse_proposals(self, indexes: Sequence[int]) -> tuple[Decision, ...]:
        """Refuse what programs proposed about records, as one step of undo.

        Raises:
            ResultsError: when the log cannot be written; then none is refused.
        """
        made: list[Decision] = []
        for item in (item for index in indexes for item in self.proposals(index)):
            refusal = Decision(
                reviewer=self.options.reviewer,
                record=item.record,
                record_id=item.record_id,
                sample=item.sample,
                kind=Kind.REFUSE,
                proposal=item.id,
                proposed_by=item.reviewer,
                step=made[0].id if made else None,
            )
            made.append(refusal)
        refused = self.log.append_all(made)
        self._revise({decision.record for decision in refused})
        return refused

    def refusals(self, digest: str) -> tuple[Decision, ...]:
        """Return the refusals of proposals that one may see: one's own; once one has decided, all."""
        decided = self._own_decision(digest) is not None
        mine = self.options.reviewer
        return tuple(item for item in self.log.refusals(digest) if decided or item.reviewer == mine)

    def takeable(self, index: int) -> tuple[Decision, ...]:
        """Return what of the proposals about a record can be taken: the last verdict, or else a comment on one."""
        waiting = sorted(self.proposals(index), key=lambda item: (item.time, item.id))
        verdicts = [item for item in waiting if item.verdict is not None]
        alone = waiting[-1:] if self.own_verdict(index) is not None else []
        return tuple(verdicts[-1:] or alone)

    def tag(self, tags: tuple[str, ...], index: int) -> Decision:
        """Tag one's verdict on a record, or one's ruling, with kinds of failure.

        Raises:
            EditRefusedError: when one has given none.
            ResultsError: when the log cannot be written.
        """
        mine, entry = self.said(index), self.queue.items[index].entry
        if mine is None or mine.verdict is None:
            raise EditRefusedError(f"{entry.id} has no verdict of yours yet; kinds of failure go with one")
        return self._append(entry, mine.verdict, mine.comment, tags, mine.kind)

    def said(self, index: int) -> Decision | None:
        """Return the reviewer's verdict on a record, or ruling, whichever is the later; None if there is none."""
        digest, reviewer = self.queue.items[index].entry.digest, self.options.reviewer
        own = (self.log.own(digest, reviewer, settles=settles) for settles in (False, True))
        return max((item for item in own if item is not None), key=lambda item: item.time, default=None)

    def tags(self, index: int) -> tuple[str, ...]:
        """Return the kinds of failure that the reviewer tagged a record with."""
        mine = self.said(index)
        return mine.tags if mine is not None else ()

    def comment(self, text: str, index: int) -> Decision | None:
        """Write a comment on a record: recorded with the verdict if there is one, else kept for the one to come.

        Raises:
            ResultsError: when the log cannot be written, or the comment is kept for this session only.
        """
        entry, mine = self.queue.items[index].entry, self.said(index)
        if mine is not None and mine.verdict is not None:
            return self._append(entry, mine.verdict, text, mine.tags, mine.kind)
        self.drafted.append(Drafted(index, entry.digest, self.drafts.get(entry.digest, ""), now()))
        self.draft(entry.digest, text)
        return None

    def draft_of(self, index: int) -> str:
        """Return the comment that waits for a verdict on a record; empty if none does."""
        return self.drafts.get(self.queue.items[index].entry.digest, "")

    def commented(self, index: int) -> str:
        """Return what the reviewer wrote about a record: what waits for the verdict, or else what goes with it."""
        decision = self.said(index)
        return self.draft_of(index) or (decision.comment if decision is not None else "")

    def with_comment(self, words: str) -> frozenset[int]:
        """Return the records on which a comment that the reviewer may see holds a text."""
        wanted = words.casefold()
        return frozenset(
            item.entry.index
            for item in self.queue.items
            if any(wanted in text.casefold() for text in (*item.comments, self.drafts.get(item.entry.digest, "")))
        )

    def draft(self, digest: str, text: str) -> None:
        """Let a comment wait for the verdict on its record, even if the session dies; empty for none.

        Raises:
            ResultsError: when it is kept for this session only.
        """
        before = self.drafts.pop(digest, "")
        if text:
            self.drafts[digest] = text
        if text or before:
            self.waiting.keep(digest, text)

    def drop_drafts(self) -> None:
        """Give up all comments that wait.

        Raises:
            ResultsError: when they cannot be removed.
        """
        for digest in tuple(self.drafts):
            self.draft(digest, "")

    @property
    def last_draft(self) -> Drafted | None:
        """The comment written last that still waits for its verdict."""
        waiting = (item for item in reversed(self.drafted) if item.digest in self.drafts)
        return next(waiting, None)

    def undraft(self) -> str:
        """Take back the comment written last without a verdict, go to its record, and say what was done.

        Raises:
            ResultsError: when it is taken back for this session only.
        """
        drafted = self.last_draft
        assert drafted is not None
        self.drafted.remove(drafted)
        if drafted.place < len(self.queue.items):
            self.current = drafted.place
        self.draft(drafted.digest, drafted.before)
        return "took back the comment that waits for a verdict"

    def last_decision(self) -> Decision | None:
        """Return one's last decision that stands, wherever it was given.

        Raises:
            ResultsError: when the log cannot be read.
        """
        self.log.refresh()
        return self.log.last(self.options.reviewer)

    def undo(self) -> tuple[Decision, ...]:
        """Take back one's last decision, or those that were made as one, and go to the first record of these.

        Raises:
            ResultsError: when the log cannot be written.
        """
        undone = self.log.undo(self.options.reviewer)
        about = {decision.record for decision in undone}
        self._revise(about)
        for item in undone:
            if item.comment and item.proposal is None and self.decision(item.record) is None:
                with contextlib.suppress(ResultsError):  # the log has it too
                    self.draft(item.record, item.comment)
        for item in undone[:1]:
            entry = self.results.find(item.record_id)
            if entry is not None and entry.digest == item.record and entry.index < len(self.queue.items):
                self.current = entry.index
        return undone

    def told_undo(self, undone: Sequence[Decision]) -> str:
        """Say what was taken back, and which earlier decision of one's own counts again."""
        if undone[0].kind is Kind.REFUSE:
            return f"took back the refusal of {counted(len(undone), 'proposal')}, {undone[0].record_id}"
        verdicts = {item.verdict for item in undone}
        if len(undone) > 1:
            what = undone[0].verdict if len(verdicts) == 1 else "the verdicts"
            return f"took back {what} of {len(undone):,} records"
        (item,) = undone
        settles = item.kind is Kind.ADJUDICATE
        standing = self.log.own(item.record, self.options.reviewer, settles=settles)
        if standing is None:
            return f"took back {item.verdict} of {item.record_id}"
        if standing.verdict is not item.verdict:
            return f"took back {item.verdict} of {item.record_id}, which is {standing.verdict} again"
        what = "the comment on" if standing.comment != item.comment else "a change to"
        return f"took back {what} {item.record_id}, which stays {standing.verdict}"

    def _revise(self, about: Set[str]) -> None:
        """Show in the queue what the log says now about records, by their digests."""
        self.queue = self.queue.revised(
            lambda entry: entry.digest in about, self.decision, self.decks.digest, self.view
        )

    def _append(
        self, entry: Entry, verdict: Verdict, comment: str, tags: tuple[str, ...] = (), kind: Kind = Kind.DECIDE
    ) -> Decision:
        record = self.reader.record(entry.index)
        decision = self.log.append(replace(self._decision_about(record, verdict, comment, tags), kind=kind))
        with contextlib.suppress(ResultsError):  # the verdict is recorded: at worst its comment is offered again
            self.draft(entry.digest, "")
        self._revise({entry.digest})
        return decision

    def _decision_about(self, record: Record, verdict: Verdict, comment: str, tags: tuple[str, ...]) -> Decision:
        """Return a decision about a record that is not recorded yet."""
        from sampleui.review.session import decision_about

        values, noted = self.samples.values(record), self.decks.digest(record)
        decision = decision_about(
            record, verdict, self.options.reviewer, values, comment=comment, sample_hash=noted
        )
        return replace(decision, tags=tags)

    def decision(self, digest: str) -> Decision | None:
        """Return the decision that counts for a record in this review: a ruling, or else one's own."""
        return self.log.current(digest, self.options.reviewer)

    def view(self, digest: str) -> RecordView:
        """Return what others say of a record."""
        return self.log.view(digest, self.options.reviewer)

    def _own_decision(self, digest: str) -> Decision | None:
        return self.log.own(digest, self.options.reviewer)
