"""Errors of one sample that are alike, and are one row of the queue until that is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sampleui.review.queue import ErrorKey, LikeErrors, Order, Queue, like_errors

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


class FoldedErrors:
    """Which records of a queue have no row of their own."""

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self._groups: tuple[Sequence[int], Order, Mapping[int, LikeErrors]] | None = None
        self._folded: tuple[Queue, frozenset[int]] | None = None
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

    def row_of(self, index: int) -> int:
        """Return the record whose row stands for one: of a group that is one row, the first that is not decided."""
        group = self.group(index)
        return index if group is None or self.is_open(group) else self._first_of(group)

    def _first_of(self, group: LikeErrors) -> int:
        items = self._review.queue.items
        return next((index for index in group.members if items[index].verdict is None), group.members[0])

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
        queue = self._review.queue
        if self._folded is None or self._folded[0] is not queue:
            closed = [group for group in {*self._like_errors.values()} if not self.is_open(group)]
            hidden = ({*group.members} - {self._first_of(group)} for group in closed)
            self._folded = queue, frozenset().union(*hidden)
        return self._folded[1]
