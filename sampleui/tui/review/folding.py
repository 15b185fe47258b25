"""Errors of one sample that are alike, and are one row of the queue until that is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.review.queue import ErrorKey, LikeErrors, Order, like_errors
from sampleui.tui.review.joined import QueueRow

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


class FoldedErrors:
    """Which records of a queue have no row of their own."""

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self._groups: tuple[Sequence[int], Order, Mapping[int, LikeErrors]] | None = None
        self._folded: tuple[Mapping[int, LikeErrors], frozenset[int]] | None = None
        self._known: dict[str, str] = {}
        self._open_groups: frozenset[ErrorKey] = frozenset()

    def group(self, index: int) -> LikeErrors | None:
        """Return the records in the filter of one sample with the same error, if a record is one of several."""
        return self._like_errors.get(index)

    def is_open(self, group: LikeErrors) -> bool:
        """Tell whether each of a group has a row of its own."""
        return group.key in self._open_groups

    @property
    def folded(self) -> tuple[int, ...]:
        """The records that the row of the current one stands for; none if it stands for itself alone."""
        group = self.group(self._review.current) if isinstance(self._review.current, int) else None
        return () if group is None or self.is_open(group) else group.members

    @property
    def row_spot(self) -> QueueRow | None:
        """The row of the list that shows the current record."""
        return self.folded[0] if self.folded else self._review.current

    def turn(self) -> LikeErrors | None:
        """Give each of the group of the current record a row, or all of them one; None if it is in no group."""
        group = self.group(self._review.current) if isinstance(self._review.current, int) else None
        if group is not None:
            self._open_groups ^= {group.key}
            self._folded = None
        return group

    @property
    def _like_errors(self) -> Mapping[int, LikeErrors]:
        visible, order = self._review.queue.visible, self._review.queue.order
        if self._groups is None or self._groups[0] is not visible or self._groups[1] is not order:
            items = self._review.queue.items
            groups = like_errors(items, visible, by_target=order is Order.TARGET, known=self._known)
            self._groups = (visible, order, groups)
        return self._groups[2]

    @property
    def hidden(self) -> frozenset[int]:
        """The records that have no row, since that of another one stands for them."""
        groups = self._like_errors
        if self._folded is None or self._folded[0] is not groups:
            folded = (index for index, group in groups.items() if not self.is_open(group))
            self._folded = groups, frozenset(index for index in folded if index != groups[index].members[0])
        return self._folded[1]
