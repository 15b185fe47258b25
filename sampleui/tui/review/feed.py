"""Reading results while they are reviewed: the index and the search run outside the thread that draws."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from textual.worker import Worker, WorkerError, get_current_worker

from sampleui.errors import ResultsError, SampleUIError, SaveError
from sampleui.garbage import collector_off
from sampleui.review.filters import of_items
from sampleui.review.log.verdict_migration import carry_over, sameness
from sampleui.review.record import Entry
from sampleui.review.results.file import IndexProgress
from sampleui.text.confined import size_of
from sampleui.text.limits import MAX_READ_AT_ONCE_BYTES
from sampleui.tui.review.comments import commented
from sampleui.tui.review.counterparts import earlier_run
from sampleui.tui.review.decks import reworded
from sampleui.tui.review.draws import draw_of
from sampleui.tui.review.session_verdicts import samples_of
from sampleui.tui.screens.base import in_background
from sampleui.tui.textual_internals import COMMANDS, is_there
from sampleui.workspace.record_search import matching, search_terms, unknown_in

_SLOW = 20_000
"""Records from which on figures take more than a second."""

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

if TYPE_CHECKING:
    from sampleui.sample.model import Sample
    from sampleui.tui.review.decks import ReviewDeck
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.review.session import ReviewSession

_PROGRESS_INTERVAL_S = 0.1
"""Seconds between two looks at how far it is."""

_BATCH = 16
_BREATH = 0.0003
"""Rows read, and seconds of rest between them: else Python lets the thread that draws wait for 5 ms at a time."""


class Feed:
    """The background work of a review screen, which is told of what comes of it in the thread that draws."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._figuring = 0

    def index(self) -> None:
        """Index the results, and then the baseline; the screen is told how far that is."""
        self._screen.run_worker(self._index, thread=True, group="index", exclusive=True)

    def compare_answers(self) -> None:
        """Look which records have the same answer."""
        self._screen.run_worker(self._compare_answers, thread=True, group="answers", exclusive=True)

    def compare_expectations(self) -> None:
        """Look which samples expect something else than when they were run."""
        self._screen.run_worker(self._compare_expectations, thread=True, group="expectations", exclusive=True)

    def search(self, words: str) -> None:
        """Look for a text in all records and their samples; another search ends this one."""
        self._screen.run_worker(lambda: self._search(words), thread=True, group="search", exclusive=True)

    def stop_search(self) -> None:
        """End a search."""
        self._screen.workers.cancel_group(self._screen, "search")

    @property
    def reading(self) -> bool:
        """Whether it is still being read or searched."""
        return bool(self._running("index", "search"))

    @property
    def comparing(self) -> bool:
        """Whether answers are still being compared."""
        return bool(self._running("answers"))

    @property
    def expecting(self) -> bool:
        """Whether expectations are still being compared."""
        return bool(self._running("expectations"))

    @property
    def figuring(self) -> bool:
        """Whether figures are being worked out."""
        return self._figuring > 0

    async def figures(
        self, work: Callable[_Arguments, _Result], *args: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Result:
        """Return figures that take seconds of work, unless they are dropped before."""
        self._figuring += 1
        if len(self._screen.review.results) >= _SLOW:
            self._screen.say("the figures are being worked out; Escape drops them")
        try:
            return await in_background(work, *args, **named)
        finally:
            self._figuring -= 1

    def drop_figures(self) -> None:
        """Cancel figures that are being worked out."""
        self._screen.workers.cancel_group(self._screen, COMMANDS)
        self._screen.say("the figures were dropped")

    async def done(self, group: str) -> None:
        """Wait until the results are indexed, searched or compared: what is typed is about what comes of it."""
        while running := self._running(group):
            with contextlib.suppress(WorkerError):  # another one takes its place, or it has said why
                await running[0].wait()

    def _tell(self, hear: Callable[_Arguments, None], *args: _Arguments.args, **named: _Arguments.kwargs) -> None:
        """Call in the thread that draws, unless the screen has gone meanwhile."""

        def call() -> None:
            if is_there(self._screen):
                hear(*args, **named)

        self._screen.app.call_from_thread(call)

    def _running(self, *groups: str) -> list[Worker[None]]:
        workers = self._screen.workers
        return [
            worker
            for worker in workers
            if worker.node is self._screen and worker.group in groups and not worker.is_finished
        ]

    @collector_off()
    def _index(self) -> None:
        screen, review = self._screen, self._screen.review
        worker, call = get_current_worker(), self._tell
        try:
            late = [deck for deck in review.decks if not deck.ready]
            for deck in late:
                deck.prepare()
            unread = [*_read_proposals(review.decks)]
            for results, did in ((review.results, "read"), (review.baseline, "of the baseline read")):
                if results is not None and not self._follow((step, did) for step in results.index(_BATCH)):
                    return
            carried = carry_over(review.results, review.log, samples_of(review))
            compared = review.comparison()
            if not worker.is_cancelled:
                call(self._screen.finish_reading, compared, bool(late) or carried)
                for refused in unread:
                    call(screen.complain, refused)
                gc.freeze()  # a look of the collector at all that is there would hold up keys, and find nothing
            design = review.state.draw.design if review.state.draw is not None else review.options.sample
            if design is not None and not worker.is_cancelled:
                call(self._screen.narrowing.take_draw, draw_of(review, design))
            if review.results.baselines and not worker.is_cancelled:
                review.earlier, left_out = earlier_run(review.results, review.options.dialects)
                if review.earlier is not None:
                    call(screen.show_record)
                elif left_out:
                    call(screen.warn, left_out)
        except SampleUIError as error:
            call(screen.complain, error)

    def _follow(self, steps: Iterable[tuple[IndexProgress, str]]) -> bool:
        """Take the steps of some work, show now and then how far it is, and tell whether that came to its end."""
        worker, shown_at = get_current_worker(), 0.0
        for progress, did in steps:
            if worker.is_cancelled:
                return False
            time.sleep(_BREATH)
            if time.monotonic() - shown_at > _PROGRESS_INTERVAL_S:
                self._tell(self._screen.show_progress, progress, did)
                shown_at = time.monotonic()
        return not worker.is_cancelled

    def _compare_answers(self) -> None:
        screen, review = self._screen, self._screen.review
        worker = get_current_worker()
        groups: dict[str, list[int]] = {}
        try:
            for entry in _unhurried(_to_compare(review)):
                if answer := sameness(review.results.record(entry.index)):
                    groups.setdefault(answer, []).append(entry.index)
        except ResultsError:
            return  # the file changed: whatever is shown of it says so
        if not worker.is_cancelled:
            self._tell(screen.know_answers, [group for group in groups.values() if len(group) > 1])

    def _compare_expectations(self) -> None:
        review, worker = self._screen.review, get_current_worker()
        indexes = reworded(review.results, review.decks, _unhurried(review.results.counted))
        if not worker.is_cancelled:
            self._tell(review.know_reworded, indexes)

    def _search(self, words: str) -> None:
        screen, review = self._screen, self._screen.review
        terms = search_terms(words)
        found: Set[int] = frozenset()
        size = len(review.results.entries)

        def terms_matched() -> Iterator[tuple[IndexProgress, str]]:
            nonlocal found
            whole = size * sum(not of_items(term) for term in terms)
            for looked, found in matching(terms, review.results, _Commented(review), _BATCH):
                yield IndexProgress(min(looked, whole), max(whole, 1), len(found)), "searched"

        def words_found() -> Iterator[tuple[IndexProgress, str]]:
            nonlocal found
            indexes: set[int] = set()
            for number, some in enumerate(review.results.search(words, _BATCH), 1):
                indexes.update(some)
                yield (
                    IndexProgress(min(number * _BATCH, size), size, len(indexes)),
                    f"searched, {len(indexes):,} found",
                )
            found = indexes | _Commented(review).holding(words, review.results.entries)

        try:
            if self._follow(terms_matched() if terms else words_found()):
                unknown = unknown_in(terms, review.results, review.decks) if terms else ()
                self._tell(screen.narrowing.show_found, words, frozenset(found), terms, unknown)
        except ResultsError as error:
            self._tell(screen.complain, error)


def _to_compare(review: ReviewSession) -> Sequence[Entry]:
    """Return the records whose answers are compared: of a run that takes long to read, those of one sample."""
    counted = review.results.counted
    if size_of(review.results.path) <= MAX_READ_AT_ONCE_BYTES:
        return counted
    several = {index for indexes in review.cases.values() for index in indexes}
    return [entry for entry in counted if entry.index in several]


class _Commented:
    """The decks of a review as a search asks them: what was said of a record is searched like its sample."""

    def __init__(self, review: ReviewSession) -> None:
        self._review = review

    def sample(self, entry: Entry) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""
        return self._review.decks.sample(entry)

    def holding(self, words: str, entries: Sequence[Entry]) -> frozenset[int]:
        """Return the records by index whose sample, or a comment on which, holds a text."""
        return self._review.decks.holding(words, entries) | commented(self._review, words)


def _read_proposals(decks: Iterable[ReviewDeck]) -> Iterator[SaveError]:
    """Read which edits of decks are proposed; yield why that cannot be read, which is no reason not to review."""
    for deck in decks:
        try:
            deck.read_proposals()
        except SaveError as error:
            yield error


def _unhurried(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries, with a rest after every few, until the work that they are for is cancelled."""
    worker = get_current_worker()
    for position, entry in enumerate(entries):
        if position % _BATCH == 0:
            time.sleep(_BREATH)
            if worker.is_cancelled:
                return
        yield entry
