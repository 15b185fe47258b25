"""The runs of a folder by their time, as figures take them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.review.reports.series import TimedRun
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import run_name, runs_around, time_written

MOST_RUNS = 50
"""The newest runs that a series shows."""


def timed_runs(results: Results) -> list[TimedRun]:
    """Return the runs that results lie among, oldest first, 50 at most; what cannot be read is left out.

    A run's time is the one that its first record has, or else that of its name or its file.
    """
    runs = [*_opened(runs_around(results.path)[-MOST_RUNS:], results)]
    return sorted(runs, key=lambda run: run.time)


def _opened(paths: tuple[Path, ...], results: Results) -> Iterator[TimedRun]:
    for path in paths:
        try:
            opened = open_results(path, scorer=results.scorer)
            yield TimedRun(run_name(path, path.parent), path.absolute(), _time(opened), opened)
        except (ResultsError, OSError):
            continue


def _time(results: Results) -> str:
    """Return when a run was made, in UTC."""
    next(results.index(1), None)
    noted = results.record(0).timestamp if results.entries else None
    try:
        moment = dt.datetime.fromisoformat(noted) if noted else None
    except ValueError:
        moment = None
    moment = moment or dt.datetime.fromtimestamp(time_written(results.path), dt.UTC)
    return (
        (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC))
        .astimezone(dt.UTC)
        .isoformat(timespec="seconds")
    )
