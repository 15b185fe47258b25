"""Which other answer an answer made of files is shown beside: another target's, or the previous run's."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.record import Entry, Record
from sampleui.review.results.dialect import ResultDialect
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import runs_around
from sampleui.text.limits import MAX_EARLIER_RECORDS
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.review.session import ReviewSession

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
    """Return the answer that one is shown beside, the chosen or else the first; None where there is no other."""
    others = _others(review, entry)
    if not others:
        return None
    names, chosen = (*others, ALONE), review.state.beside
    index = names.index(chosen) if chosen in names else 0
    record = None
    with contextlib.suppress(ResultsError):
        record = others[names[index]]() if index < len(others) else None
    return Beside(names[index], record, names[(index + 1) % len(names)])


def _others(review: ReviewSession, entry: Entry) -> dict[str, Callable[[], Record]]:
    """Return how each other answer to the sample is read, by whose it is: those of targets, then the run before."""
    results, earlier, others = review.results, review.earlier, dict[str, Callable[[], Record]]()
    among = [results.entries[index] for index in review.cases.get(entry.case, ())]
    targets = [*dict.fromkeys(other.target for other in among if other.target and other.target != entry.target)]
    first = [name for name in results.baselines if name in targets]
    for target in dict.fromkeys((*first, *targets)):
        found = _like(entry, [other for other in among if other.target == target])
        others[target] = partial(results.record, found.index)
    if earlier is not None:
        same = [
            other
            for other in earlier.counted
            if other.sample_id == entry.sample_id and other.target == entry.target
        ]
        if same:
            others.setdefault(earlier.path.name, partial(earlier.record, _like(entry, same).index))
    return others


def _like(entry: Entry, others: Sequence[Entry]) -> Entry:
    """Return the record of the same attempt, or else the first."""
    return next((other for other in others if other.attempt == entry.attempt), others[0])
