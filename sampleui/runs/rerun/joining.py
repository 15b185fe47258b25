"""A record beside the answers that repeat it: where these are kept, and how its sample has changed meanwhile."""

from __future__ import annotations

from pathlib import Path

from sampleui.review.log.store import SUFFIX as REVIEWS
from sampleui.review.log.store import log_path
from sampleui.review.record import Entry, Record
from sampleui.review.results.file import Results
from sampleui.review.results.rerun_files import SUFFIX
from sampleui.settings.options import Settings
from sampleui.text.replacing import own_path


def changes(before: Entry | Record, after: Entry | Record) -> tuple[str, ...]:
    """Return how the sample of a record differs from that of its rerun, in words, as far as the two say it."""
    told = (
        (before.asked_digest, after.asked_digest, "the sample asks something else than it did"),
        (before.expected_digest, after.expected_digest, "the sample expects something else than it did"),
    )
    return tuple(words for one, other, words in told if None not in (one, other) and one != other)


def kept_below(results: Results, settings: Settings) -> Path:
    """Return the folder in which the reruns of a run are kept: beside it, or in the user's state if asked for."""
    beside = log_path(results.path)
    name = beside.name.removesuffix(REVIEWS) + SUFFIX
    if settings.keep_reruns == "beside":
        return beside.with_name(name)
    return own_path("reruns", beside.absolute(), name.removesuffix(SUFFIX), SUFFIX)
