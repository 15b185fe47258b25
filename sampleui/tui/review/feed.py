"""Reading results while they are reviewed: the index and the search run outside the thread that draws.

A run that goes on is followed: its new records are taken in, and a new run beside it is offered.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeAlias, TypeVar

from textual.worker import Worker, WorkerError, get_current_worker

from sampleui.errors import ResultsError, SampleUIError, SaveError
from sampleui.garbage import collector_off
from sampleui.review.filters import Filters, of_items
from sampleui.review.log.verdict_migration import carry_over, sameness
from sampleui.review.record import Entry
from sampleui.review.results.dialect import ResultDialect
from sampleui.review.results.file import IndexProgress, Results, open_results
from sampleui.review.results.run_paths import run_name, runs_around, runs_from
from sampleui.sample.model import Sample
from sampleui.text.confined import is_folder, size_and_time, size_of
from sampleui.text.limits import MAX_EARLIER_RECORDS, MAX_FOLLOWED_BYTES, MAX_READ_AT_ONCE_BYTES
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import TYPING
from sampleui.tui.review.decks import reworded
from sampleui.tui.review.draws import draw_of, take_draw
from sampleui.tui.review.session import ReviewSession, decks_to_join, other_run
from sampleui.tui.review.session_verdicts import samples_of
from sampleui.tui.screens.base import in_background
from sampleui.tui.textual_internals import COMMANDS, tell
from sampleui.workspace.record_search import matching, search_terms, unknown_in

_SLOW = 20_000
"""Records from which on figures take more than a second."""

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

_Found: TypeAlias = Callable[[Filters, tuple[str, ...]], None]
"""Hears what was searched for and found, as filters, and which of the fields that are named nothing has."""

_PROGRESS_INTERVAL_S = 0.1
"""Seconds between two looks at how far it is."""

_BATCH = 16
_BREATH = 0.0003
"""Rows read, and seconds of rest between them: else Python lets the thread that draws wait for 5 ms at a time."""

INDEX, SEARCH, ANSWERS, EXPECTATIONS = "index", "search", "answers", "expectations"
"""What is done in the background of a review."""


def begin(screen: ReviewScreen) -> None:
    """Show the records that are there, say what is to be known of them, and read on."""
    review, results = screen.review, screen.review.results
    review.take_in()
    screen.show_all()
    guessed = () if results.guess is None else (results.guess.name,)
    if unknown := screen.told_of_settings(results.base_dir, *guessed):
        screen.warn("; ".join(filter(None, (unknown, review.hint))))
    elif review.hint:
        (screen.warn if review.deck_hint else screen.say)(review.hint)
    index(screen)
    if results.complete:  # what is typed is about the record to begin with, known when all is settled
        screen.run_worker(done(screen, INDEX), group=COMMANDS)


def follow(screen: ReviewScreen, scorer: str | None = None) -> None:
    """Read the results again, as of a run that goes on, and stay at the record; marks stay too.

    Args:
        screen: the screen.
        scorer: the scorer that decides what passed from now on; None for the one before.

    Raises:
        ResultsError: when they can no longer be read.
    """
    screen.review.reload(scorer)
    screen.show_all()
    index(screen)


def read_again(screen: ReviewScreen, scorer: str | None = None) -> None:
    """Read the results again and stay at the record, another scorer deciding what passed if one is named."""
    follow(screen, scorer)
    screen.go(screen.review.state.marking())
    screen.say(f"{scorer} decides what passed" if scorer else "reading the results again")
    screen.run_worker(done(screen, INDEX), group=COMMANDS)


async def look_for_decks(screen: ReviewScreen) -> None:
    """Look again for the decks that were run: some tools name them only once a run has ended."""
    review = screen.review
    try:
        decks, hint = await in_background(decks_to_join, review, screen.settings)
    except SampleUIError:
        return  # it was told when the review began
    if decks and review is screen.review:
        review.join(decks, hint)
        screen.show_all()
        index(screen)
        await done(screen, INDEX)


def open_run(screen: ReviewScreen, path: Path, record_id: str = "", baseline: Path | None = None) -> None:
    """Review another run instead of this one, from a record on, against a baseline, where these are given."""
    stop_search(screen)
    options = screen.review.options if baseline is None else screen.review.options._replace(baseline=baseline)
    screen.review = other_run(path, options, screen.settings, record_id)
    screen.search_input.shut()
    begin(screen)


def index(screen: ReviewScreen) -> None:
    """Index the results, and then the baseline; the screen is told how far that is."""
    _begin(screen, INDEX, _index)


def compare(screen: ReviewScreen) -> None:
    """Look which samples expect something else than when they were run, and which records have the same answer."""
    _begin(screen, EXPECTATIONS, _compare_expectations)
    _begin(screen, ANSWERS, _compare_answers)


def search(screen: ReviewScreen, words: str, found: _Found) -> None:
    """Look for a text in all records and their samples; another search ends this one."""
    _begin(screen, SEARCH, partial(_search, words=words, told=found))


def _begin(screen: ReviewScreen, what: str, work: Callable[[ReviewScreen], None]) -> None:
    screen.run_worker(partial(work, screen), thread=True, group=what, exclusive=True)


def stop_search(screen: ReviewScreen) -> None:
    """End a search."""
    screen.workers.cancel_group(screen, SEARCH)


def at_work(screen: ReviewScreen, *what: str) -> list[Worker[None]]:
    """Return what of some work goes on."""
    workers = screen.workers
    return [item for item in workers if item.node is screen and item.group in what and not item.is_finished]


def is_reading(screen: ReviewScreen) -> bool:
    """Tell whether the results are still read or searched."""
    return bool(at_work(screen, INDEX, SEARCH))


async def done(screen: ReviewScreen, what: str) -> None:
    """Wait until the results are indexed, searched or compared: what is typed is about what comes of it."""
    while running := at_work(screen, what):
        with contextlib.suppress(WorkerError):  # another one takes its place, or it has said why
            await running[0].wait()


async def figures(
    screen: ReviewScreen, work: Callable[_Arguments, _Result], *args: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Return figures that take seconds of work, unless they are dropped before."""
    screen.figuring += 1
    if len(screen.review.results) >= _SLOW:
        screen.say("the figures are being worked out; Escape drops them")
    try:
        return await in_background(work, *args, **named)
    finally:
        screen.figuring -= 1


def drop_figures(screen: ReviewScreen) -> None:
    """Cancel figures that are being worked out."""
    screen.workers.cancel_group(screen, COMMANDS)
    screen.say("the figures were dropped")


@collector_off()
def _index(screen: ReviewScreen) -> None:
    review, worker = screen.review, get_current_worker()
    try:
        late = [deck for deck in review.decks if not deck.ready]
        for deck in late:
            deck.prepare()
        unread: list[SaveError] = []
        for deck in review.decks:
            try:
                deck.read_proposals()
            except SaveError as refused:  # no reason not to review
                unread.append(refused)
        for results, did in ((review.results, "read"), (review.baseline, "of the baseline read")):
            if results is not None and not _follow(screen, ((step, did) for step in results.index(_BATCH))):
                return
        carried = carry_over(review.results, review.log, samples_of(review))
        compared = review.comparison()
        if not worker.is_cancelled:
            tell(screen, screen.finish_reading, compared, bool(late) or carried)
            tell(screen, compare, screen)
            for problem in unread:
                tell(screen, screen.complain, problem)
            gc.freeze()  # a look of the collector at all that is there would hold up keys, and find nothing
        design = review.state.draw.design if review.state.draw is not None else review.options.sample
        if design is not None and not worker.is_cancelled:
            tell(screen, take_draw, screen, draw_of(review, design))
        if review.results.baselines and not worker.is_cancelled:
            review.earlier, left_out = earlier_run(review.results, review.options.dialects)
            if review.earlier is not None:
                tell(screen, screen.show_record)
            elif left_out:
                tell(screen, screen.warn, left_out)
    except SampleUIError as error:
        tell(screen, screen.complain, error)


def _follow(screen: ReviewScreen, steps: Iterable[tuple[IndexProgress, str]]) -> bool:
    """Take the steps of some work, show now and then how far it is, and tell whether that came to its end."""
    worker, shown_at = get_current_worker(), 0.0
    for progress, did in steps:
        if worker.is_cancelled:
            return False
        time.sleep(_BREATH)
        if time.monotonic() - shown_at > _PROGRESS_INTERVAL_S:
            tell(screen, screen.show_progress, progress, did)
            shown_at = time.monotonic()
    return not worker.is_cancelled


def _compare_answers(screen: ReviewScreen) -> None:
    review, worker = screen.review, get_current_worker()
    groups: dict[str, list[int]] = {}
    compared = review.results.counted
    if size_of(review.results.path) > MAX_READ_AT_ONCE_BYTES:  # which takes long to read
        several = {index for indexes in review.cases.values() for index in indexes}
        compared = [entry for entry in compared if entry.index in several]
    try:
        for entry in _unhurried(compared):
            if answer := sameness(review.results.record(entry.index)):
                groups.setdefault(answer, []).append(entry.index)
    except ResultsError:
        return  # the file changed: whatever is shown of it says so
    if not worker.is_cancelled:
        tell(screen, screen.know_answers, [group for group in groups.values() if len(group) > 1])


def _compare_expectations(screen: ReviewScreen) -> None:
    review, worker = screen.review, get_current_worker()
    indexes = reworded(review.results, review.decks, _unhurried(review.results.counted))
    if not worker.is_cancelled:
        tell(screen, review.know_reworded, indexes)


def _search(screen: ReviewScreen, *, words: str, told: _Found) -> None:
    review = screen.review
    terms = search_terms(words)
    found: Set[int] = frozenset()
    whole = len(review.results.entries) * (sum(not of_items(term) for term in terms) if terms else 1)

    def steps() -> Iterator[tuple[IndexProgress, str]]:
        nonlocal found
        for looked, found in matching(words, review.results, _Commented(review), _BATCH):
            did = "searched" if terms else f"searched, {len(found):,} found"
            yield IndexProgress(min(looked, whole), max(whole, 1), len(found)), did

    try:
        if _follow(screen, steps()):
            unknown = unknown_in(terms, review.results, review.decks) if terms else ()
            tell(screen, told, Filters(text=words, found=frozenset(found), terms=terms), unknown)
    except ResultsError as error:
        tell(screen, screen.complain, error)


class _Commented:
    """The decks of a review as a search asks them: what was said of a record is searched like its sample."""

    def __init__(self, review: ReviewSession) -> None:
        self._review = review

    def sample(self, entry: Entry) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""
        return self._review.decks.sample(entry)

    def holding(self, words: str, entries: Sequence[Entry]) -> frozenset[int]:
        """Return the records by index whose sample, or a comment on which, holds a text."""
        wanted = words.casefold()
        commented = (
            item.entry.index
            for item in self._review.queue.items
            if any(wanted in text.casefold() for text in item.view.comments)
        )
        return self._review.decks.holding(words, entries).union(commented)


def _unhurried(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield entries, with a rest after every few, until the work that they are for is cancelled."""
    worker = get_current_worker()
    for position, entry in enumerate(entries):
        if position % _BATCH == 0:
            time.sleep(_BREATH)
            if worker.is_cancelled:
                return
        yield entry


def earlier_run(results: Results, dialects: Sequence[ResultDialect]) -> tuple[Results | None, str]:
    """Read the run before one, where it is small; return it, or why it is not read. Raises ResultsError."""
    path = results.path.absolute()
    runs = [run.absolute() for run in runs_around(path)]
    before = runs[: runs.index(path)] if results.baselines and path in runs else []
    if not before:
        return None, ""
    earlier = open_results(before[-1], first=dialects, asked=True)
    if earlier.source.whole and earlier.source.size <= MAX_EARLIER_RECORDS:
        return earlier.indexed(), ""
    return None, "" if not earlier.source.whole else (
        f"{one_line(before[-1].name)} has {counted(earlier.source.size, 'record')} and is not read, to be "
        f"shown beside: at most {MAX_EARLIER_RECORDS:,} of the run before are"
    )


# A run that goes on


POLL_S = 1.0
"""Seconds between two looks."""

RUNS_EVERY = 5
"""Looks after which the folder is looked at for new runs."""


@dataclass
class RunWatch:
    """The run under a review screen, as it was seen last.

    Attributes:
        path: where it is.
        known: its bytes and time of change; None if it is gone.
        looks: how often it was looked at.
        looking: whether it is looked at now.
    """

    path: Path
    known: tuple[int, int] | None
    looks: int = 0
    looking: bool = False


def watch(screen: ReviewScreen) -> None:
    """Follow the run, and the folder of its runs, from now on."""
    results = screen.review.results
    screen.run_watch = RunWatch(results.path, _bytes_and_time(results))
    screen.set_interval(POLL_S, lambda: screen.run_worker(look(screen, screen.run_watch), group="watch"))


async def look(screen: ReviewScreen, watched: RunWatch) -> None:
    """Look once, and take in what is new; nothing is done while a text is typed or something is read."""
    if watched.looking or not _may_act(screen):
        return
    watched.looking = True
    review = screen.review
    watched.looks += 1
    try:
        file, runs = await asyncio.to_thread(_bytes_and_time, review.results), review.runs
        if watched.looks % RUNS_EVERY == 1:
            runs = await asyncio.to_thread(runs_from, review.runs_path, review.results.path)
        if not _may_act(screen):
            return
        results = screen.review.results
        if results.path != watched.path:
            watched.path, watched.known = results.path, _bytes_and_time(results)
        elif file is None and watched.known is not None:
            watched.known = None
            screen.warn("the run is no longer on disk; what was read of it stays")
        elif file is not None and file != watched.known:
            await _take_in(screen, watched, file)
        new = [run for run in runs if run not in review.runs]
        review.runs = runs
        if new and review is screen.review:
            name = one_line(run_name(new[0], review.runs_path), 40)
            screen.say(f"a new run: {name}; {screen.key_of('review.runs')} opens it")
            screen.show_keys()
    finally:
        watched.looking = False


def _may_act(screen: ReviewScreen) -> bool:
    return screen.is_active and screen.scope not in TYPING and not (screen.figuring or is_reading(screen))


async def _take_in(screen: ReviewScreen, watched: RunWatch, file: tuple[int, int]) -> None:
    """Read the run again, at the same record or still at the end, and say what came."""
    review, before = screen.review, watched.known
    watched.known = file
    if file[0] > MAX_FOLLOWED_BYTES:
        screen.say(f"the run has changed on disk; {screen.key_of('review.reload')} reads it again")
        return
    count = len(review.results.counted)
    contents = {entry.digest for entry in review.results.entries}
    visible = review.queue.visible
    at_end = len(visible) > 1 and review.current == visible[-1]
    try:
        follow(screen)
    except ResultsError:
        watched.known = before  # it is being written: the next look finds it whole
        return
    await done(screen, INDEX)
    if not review.decks:
        await look_for_decks(screen)
    if at_end and review.queue.visible:
        screen.go(review.state.at(review.queue.visible[-1]))
    more = len(review.results.counted) - count
    if not contents <= {entry.digest for entry in review.results.entries}:
        screen.warn("the run was written anew, or some of its records were, and is read again")
    elif more > 0 and not review.results.skipped:
        screen.say(f"{counted(more, 'more record')} of a run that goes on; {review.results.ended}".rstrip("; "))


def _bytes_and_time(results: Results) -> tuple[int, int] | None:
    """Return the bytes and the time of change of a run; of a folder the sum of its files, and the latest of all."""
    if not is_folder(results.path):
        return size_and_time(results.path)
    files = results.source.files
    found = [*filter(None, map(size_and_time, files))]
    folders = [*filter(None, map(size_and_time, {results.path, *(file.parent for file in files)}))]
    return (sum(size for size, _ in found), max(time for _, time in (*found, *folders))) if folders else None
