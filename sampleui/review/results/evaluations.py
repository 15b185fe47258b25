"""Which files are of one evaluation, and which of two runs came first.

A copy, an export and a log that was graded again keep the id that their tool gave to the evaluation: they are one
run. Where a tool gives none, nothing is known of that, and two files are two runs.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import TypeVar

from sampleui.errors import ResultsError
from sampleui.integrations.index import run_number
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import originality, time_named
from sampleui.text.confined import time_of_change

_T = TypeVar("_T")


class Relation(Enum):
    """What another run is to a run: of the same evaluation, an earlier one, a later one, or nobody knows."""

    SAME = auto()
    EARLIER = auto()
    LATER = auto()
    UNKNOWN = auto()


def relation(path: Path | None, results: Results) -> Relation:
    """Return what the run at a path is to a run; None is for a run that is no longer there.

    They go by their numbers, or else by when they say that they were made, or else by the times of their files.
    """
    other = None
    if path is not None:
        with contextlib.suppress(ResultsError, OSError):
            other = open_results(path, asked=True)
    if other is None:
        return Relation.UNKNOWN
    if is_of_same_evaluation(other, results):
        return Relation.SAME
    numbers = run_number(other.path.name), run_number(results.path.name)
    if None not in numbers and numbers[0] != numbers[1]:
        return Relation.EARLIER if (numbers[0] or 0) < (numbers[1] or 0) else Relation.LATER
    made = own_time(other), own_time(results)
    times = (moment.timestamp() for moment in made if moment is not None) if None not in made else ()
    before, now = (*times,) or (time_of_change(other.path), time_of_change(results.path))
    return Relation.EARLIER if before <= now else Relation.LATER


def is_of_same_evaluation(first: Results, second: Results) -> bool:
    """Tell whether two files are known to be of one evaluation."""
    return bool(first.evaluation) and first.evaluation == second.evaluation


def same_evaluation_words(baseline: Results, results: Results) -> str:
    """Say that a baseline is no other run than that which is compared with it; empty where it is one."""
    if not is_of_same_evaluation(baseline, results):
        return ""
    return f"{baseline.name} is of the same evaluation as {results.name}: copied or graded again, and no other run"


def made_before(moment: str, results: Results) -> bool:
    """Tell whether a time (ISO 8601) is before a run was made, as far as that says so, or its file was written."""
    time = _moment(moment)
    return time is not None and time.timestamp() <= made_at(results).timestamp()


def made_at(results: Results) -> dt.datetime:
    """Return when a run was made, in UTC, as it says, or else when its file was written. Raises as `own_time`."""
    return own_time(results) or dt.datetime.fromtimestamp(time_of_change(results.path), dt.UTC)


def own_time(results: Results) -> dt.datetime | None:
    """Return when a run was made, in UTC, as its first record, its file or its name says; None if none does.

    When the file was written says nothing of it: that is the time of a copy or of a checkout as well.

    Raises:
        ResultsError: when the first record can no longer be read.
    """
    if not results.complete:  # an excerpt stays what it is
        next(results.index(1), None)
    noted = (results.record(0).timestamp if results.entries else None, results.source.time)
    moment = next((found for text in noted if (found := _moment(text)) is not None), None)
    return moment or time_named(results.path)


def _moment(text: str | None) -> dt.datetime | None:
    """Return an ISO 8601 time in UTC; without a zone it is taken to be UTC. None for other texts."""
    try:
        moment = dt.datetime.fromisoformat(text) if text else None
        return moment and (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return None


def without_copies(
    runs: Sequence[_T], place: Callable[[_T], tuple[Path, str]], current: Path | None = None
) -> tuple[list[_T], list[_T]]:
    """Return runs with one of each evaluation, in their order, and the others.

    Args:
        runs: the runs.
        place: returns where a run is, and the id of its evaluation, empty for none.
        current: the run that stays, whatever it is a copy of; of the others the original does.
    """
    originals: dict[str, Path] = {}
    for run in runs:
        path, evaluation = place(run)
        if evaluation:
            kept = originals.setdefault(evaluation, path)
            originals[evaluation] = min(kept, path, key=lambda item: (item != current, *originality(item)))
    copies = [run for run in runs if originals.get((at := place(run))[1], at[0]) != at[0]]
    return [run for run in runs if run not in copies], copies
