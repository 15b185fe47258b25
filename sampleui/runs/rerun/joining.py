"""A record beside the answers that repeat it: where these are kept, how its sample changed, and what they count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.review.log.store import SUFFIX as REVIEWS
from sampleui.review.log.store import log_path
from sampleui.review.record import Entry, Record
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.rerun_files import SUFFIX, rerun_in
from sampleui.runs.rerun.calls import RerunRequest
from sampleui.runs.sample_as_run import expects_otherwise
from sampleui.settings.options import Settings
from sampleui.text.confined import listed
from sampleui.text.replacing import own_path
from sampleui.text.wording import counted

_ASKS, _EXPECTS = "the sample asks something else than it did", "the sample expects something else than it did"


def changes(before: Entry | Record, after: Entry | Record) -> tuple[str, ...]:
    """Return how the sample of a record differs from that of its rerun, in words, as far as the two say it."""
    compared = (
        (before.asked_digest, after.asked_digest, _ASKS),
        (before.expected_digest, after.expected_digest, _EXPECTS),
    )
    return tuple(words for one, other, words in compared if None not in (one, other) and one != other)


def changes_of(asked: RerunRequest, answers: Sequence[Record], base_dir: Path) -> tuple[str, ...]:
    """Return how the sample that was run again differs from the one of its record, in words, as far as is known.

    Args:
        asked: the record, with the sample of its deck.
        answers: what the sample answered now.
        base_dir: the folder of the run of the record.
    """
    changed = changes(asked.record, answers[0]) if answers else ()
    digests = [record.expected_digest for record in (asked.record, *answers[:1])]
    if not answers or asked.sample is None or None not in digests:
        return changed
    return (*changed, _EXPECTS) if expects_otherwise(asked.record, base_dir, asked.sample) else changed


def kept_below(results: Results, settings: Settings) -> Path:
    """Return the folder in which the reruns of a run are kept: beside it, or in the user's state if asked for."""
    log = log_path(results.path)
    name = log.name.removesuffix(REVIEWS) + SUFFIX
    if settings.keep_reruns == "beside":
        return log.with_name(name)
    return own_path("reruns", log.absolute(), name.removesuffix(SUFFIX), SUFFIX)


def count_reruns(results: Results, settings: Settings) -> str:
    """Count the answers of kept reruns as attempts at the samples of a run; return what is left out, in words.

    That is an answer to a sample that asks or expects something else than in the run: no attempt at the same.

    Raises:
        ResultsError: when the run can no longer be read.
    """
    results.indexed()
    left_out = 0
    for repeats, differed, run, entry in _kept(results, settings):
        if differed or changes(repeats, entry):
            left_out += 1
        else:
            results.count_attempt(repeats, run, entry)
    if not left_out:
        return ""
    answers = counted(left_out, "answer")
    return f"{answers} left out of reruns whose sample asks or expects something else than in the run"


def _kept(results: Results, settings: Settings) -> Iterator[tuple[Entry, bool, Results, Entry]]:
    """Yield a record that was run again, whether its sample differed by then, and an answer's run and entry."""
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
                yield from ((*wanted[entry.id], run, entry) for entry in run.counted if entry.id in wanted)
