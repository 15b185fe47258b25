"""A record beside the answers that repeat it: where these are kept, and how its sample has changed meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sampleui.review.log.store import SUFFIX as REVIEWS
from sampleui.review.log.store import log_path
from sampleui.review.record import Entry, Record
from sampleui.review.results.file import Results
from sampleui.review.results.rerun_files import SUFFIX
from sampleui.runs.rerun.calls import RerunRequest
from sampleui.runs.sample_as_run import expects_otherwise
from sampleui.settings.options import Settings
from sampleui.text.replacing import own_path

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
