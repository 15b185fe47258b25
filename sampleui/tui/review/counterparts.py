"""Which other answer an answer made of files is shown beside: another target's, or the previous run's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.record import Entry, Record
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import runs_around
from sampleui.text.limits import MAX_EARLIER_RECORDS
from sampleui.text.visible import one_line
from sampleui.text.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sampleui.review.results.dialect import ResultDialect
    from sampleui.tui.review.session import ReviewSession
    from sampleui.tui.review.state import ReviewState

ALONE = ""
"""What is chosen where an answer is shown beside no other."""


class Beside(NamedTuple):
    """Another answer, beside which one made of files is shown.

    Attributes:
        name: whose it is; empty where the answer is shown alone.
        record: None where it is shown alone, or where the other cannot be read.
        following: the name of the next one to be shown beside; empty for none.
    """

    name: str
    record: Record | None
    following: str


class _Counterpart(NamedTuple):
    """Another answer to the same sample: whose it is, whether of the run before, and how it is read."""

    name: str
    earlier: bool
    read: Callable[[], Record]


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


def beside(review: ReviewSession, entry: Entry) -> Beside | None:
    """Return the answer that one is shown beside; None where there is no other."""
    others = [*_others(review, entry)]
    if not others:
        return None
    index = _index(others, review.state.beside)
    names = (*(other.name for other in others), ALONE)
    following = names[(index + 1) % len(names)]
    if index == len(others):
        return Beside(ALONE, None, following)
    try:
        return Beside(others[index].name, others[index].read(), following)
    except ResultsError:
        return Beside(others[index].name, None, following)


def next_beside(review: ReviewSession, entry: Entry) -> ReviewState:
    """Return the state with the next answer shown beside one, and after the last one none."""
    others = [*_others(review, entry)]
    index = (_index(others, review.state.beside) + 1) % (len(others) + 1)
    chosen = (others[index].name, others[index].earlier) if index < len(others) else (ALONE, False)
    return replace(review.state, beside=chosen)


def _index(others: Sequence[_Counterpart], chosen: tuple[str, bool] | None) -> int:
    """Return the index of the chosen answer, by its name or else its kind; their number for none."""
    if chosen is None:
        return 0
    name, earlier = chosen
    if name == ALONE:
        return len(others)
    named = (index for index, other in enumerate(others) if other.name == name)
    like = (index for index, other in enumerate(others) if other.earlier is earlier)
    return next(named, next(like, 0))


def _others(review: ReviewSession, entry: Entry) -> Iterator[_Counterpart]:
    results, earlier = review.results, review.earlier
    among = [results.entries[index] for index in review.cases.get(entry.case, ())]
    targets = [*dict.fromkeys(other.target for other in among if other.target and other.target != entry.target)]
    first = [name for name in results.baselines if name in targets]
    for target in dict.fromkeys((*first, *targets)):
        found = _like(entry, [other for other in among if other.target == target])
        yield _Counterpart(target, False, partial(results.record, found.index))
    if earlier is not None:
        same = [
            other
            for other in earlier.counted
            if other.sample_id == entry.sample_id and other.target == entry.target
        ]
        if same:
            yield _Counterpart(earlier.path.name, True, partial(earlier.record, _like(entry, same).index))


def _like(entry: Entry, others: Sequence[Entry]) -> Entry:
    """Return the record of the same attempt, or else the first."""
    return next((other for other in others if other.attempt == entry.attempt), others[0])
