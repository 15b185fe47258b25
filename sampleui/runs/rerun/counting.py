"""The answers of reruns that are kept beside a run, counted as further attempts at its samples."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.record import Entry
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.rerun_files import rerun_in
from sampleui.runs.rerun.joining import changes, kept_below
from sampleui.settings.options import Settings
from sampleui.text.confined import listed
from sampleui.text.wording import counted


class _Answer(NamedTuple):
    """An answer of a rerun: the record it repeats, whether the sample differed by then, its run, and its place."""

    repeats: Entry
    differed: bool
    run: Results
    entry: Entry


def count_reruns(results: Results, settings: Settings) -> str:
    """Count the answers of kept reruns as attempts at the samples of a run; return what is left out, in words.

    That is an answer to a sample that asks or expects something else than in the run: no attempt at the same.

    Raises:
        ResultsError: when the run can no longer be read.
    """
    results.indexed()
    left_out = 0
    for answer in _kept(results, settings):
        if answer.differed or changes(answer.repeats, answer.entry):
            left_out += 1
        else:
            results.count_attempt(answer.repeats, answer.run, answer.entry)
    if not left_out:
        return ""
    answers = counted(left_out, "answer")
    return f"{answers} left out of reruns whose sample asks or expects something else than in the run"


def _kept(results: Results, settings: Settings) -> Iterator[_Answer]:
    """Yield the answers that are beside a record of a run, the oldest rerun first."""
    by_name = {(entry.id, entry.digest): entry for entry in results.counted}
    for folder in listed(kept_below(results, settings)).paths:
        rerun = rerun_in(folder)
        if rerun is None or rerun.problem:
            continue
        wanted = {
            name: (entry, bool(repeated.changes))
            for repeated in rerun.records
            if (entry := by_name.get((repeated.id, repeated.digest))) is not None
            for name in repeated.answers
        }
        for name in rerun.answers if wanted else ():
            with suppress(ResultsError):
                run = open_results(folder / name, scorer=results.scorer).indexed()
                yield from (_Answer(*wanted[entry.id], run, entry) for entry in run.counted if entry.id in wanted)
