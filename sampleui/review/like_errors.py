"""Records of one sample that ended in the same error: many rows of a queue that are one to whoever decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from sampleui.review.filters import QueueItem
from sampleui.review.record import Case

ErrorKey: TypeAlias = tuple[Case, str, str | None]
"""A sample, an error without what differs each time, and who answered where that keeps rows apart."""

_PASSING = re.compile(
    r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|\b(?:[a-z]+_)?(?=\w*\d)(?=\w*[A-Za-z])[0-9A-Za-z]{16,}\b"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*Z?|\d+\.\d+|\d{5,}",
    re.IGNORECASE,
)
"""What an error has of its own each time: ids of requests, times, seconds, long numbers. Short codes stay."""


class LikeErrors(NamedTuple):
    """Records that are one row of a queue until it is opened.

    Attributes:
        key: what they have in common.
        members: their indexes, in the order of the queue.
    """

    key: ErrorKey
    members: tuple[int, ...]


def like_errors(
    items: Sequence[QueueItem], visible: Sequence[int], *, by_target: bool = False
) -> dict[int, LikeErrors]:
    """Return, by the index of a record, the group of those of its sample with the same error, if there are several.

    Args:
        items: the records.
        visible: the indexes of those that are shown, in their order.
        by_target: whether records of different targets stay apart, as in a queue that has a heading for each.
    """
    found: dict[ErrorKey, list[int]] = {}
    for index in visible:
        entry = items[index].entry
        if entry.error is not None:
            key = entry.case, alike(entry.error), entry.target if by_target else None
            found.setdefault(key, []).append(index)
    groups = (LikeErrors(key, tuple(indexes)) for key, indexes in found.items() if len(indexes) > 1)
    return {index: group for group in groups for index in group.members}


def alike(error: str) -> str:
    """Return an error with `…` for what it has of its own each time it occurs."""
    return _PASSING.sub("…", " ".join(error.split()))
