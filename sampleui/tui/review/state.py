"""What a review is about now, as a value: the list, the title, the panes and the next verdict follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from sampleui.review.filters import Filters
from sampleui.review.queue import LikeErrors, Queue
from sampleui.tui.review.joined import QueueRow, Unmatched
from sampleui.tui.widgets.virtual_list import Marked, MarkStep

if TYPE_CHECKING:
    from sampleui.review.sampling import Draw
    from sampleui.tui.review.fixing import Fix, RefusedEdit
    from sampleui.workspace.proposed_edits import ProposedEdit


@dataclass(frozen=True)
class ReviewState:
    """Which records are listed and how, the cursor, the marks, and what was found out about records.

    Each step of a reviewer returns another state. Where the cursor is follows from where one went, so that it is
    on a row of the list whatever became of the queue since.

    Attributes:
        queue: the records taken in so far.
        place: where one went; None at the beginning.
        begun_at: where the review began by itself.
        missing: what has no record, known once everything is indexed.
        edits: by index of a record, the edits that programs propose for its sample.
        edits_elsewhere: those for a sample without a record, and for what is beside the samples.
        marks: the marked records, by index, shown or not.
        sought: the text that was searched for last; empty for none.
        unknown: the fields that it names and no record or sample has.
        sought_from: where a search that is being typed stays if it can, and where it has led to; None without one.
        alike: by index of a record, the records that have the same answer.
        reworded: the records whose sample expects something else now than when it was run.
        edited: those whose sample was changed in this review.
        draw: the random sample that was drawn last in this session; None before that.
        beside: the name of the answer that one made of files is shown beside; None where none was chosen yet.
        cluster: the field whose values cluster samples in figures; None for none.
        just_decided: the record decided just now, which what follows is about; None once something else was done.
        done: what was done to decks in this review and not taken back, the last at the end.
    """

    queue: Queue = field(default_factory=Queue)
    place: QueueRow | None = None
    begun_at: QueueRow | None = None
    missing: tuple[Unmatched, ...] = ()
    edits: Mapping[int, Sequence[ProposedEdit]] = field(default_factory=dict)
    edits_elsewhere: tuple[Unmatched, ...] = ()
    marks: Marked[int] = field(default_factory=Marked)
    sought: str = ""
    unknown: tuple[str, ...] = ()
    sought_from: tuple[QueueRow | None, QueueRow | None] | None = None
    alike: Mapping[int, Sequence[int]] = field(default_factory=dict)
    reworded: frozenset[int] = frozenset()
    edited: frozenset[int] = frozenset()
    draw: Draw | None = None
    beside: str | None = None
    cluster: str | None = None
    just_decided: int | None = None
    done: tuple[Fix | RefusedEdit, ...] = ()

    # What follows from it

    @cached_property
    def current(self) -> QueueRow | None:
        """The row that has the cursor; None in an empty list."""
        if isinstance(self.place, int):
            return self.queue.row_of(self.place)
        return self.place if self.place is not None and self.place in self._others else self._first

    @property
    def record(self) -> int | None:
        """The current record by its index; None where there is none."""
        return self.current if isinstance(self.current, int) else None

    @property
    def about(self) -> int | None:
        """The record that is spoken of: the one decided just now, or else the current one."""
        return self.record if self.just_decided is None else self.just_decided

    @property
    def is_outside(self) -> bool:
        """Whether the filter leaves the current record out."""
        return self.record is not None and not self.queue.shows(self.record)

    @property
    def rows(self) -> tuple[QueueRow, ...]:
        """What is listed: the visible records, then, if nothing is sought, what has none.

        Errors that are one row are there once. The current record is among them even where the filter leaves it
        out, as after a step back to it: what is shown, and judged next, is where the cursor is.
        """
        rows = self.queue.rows if self.record is None else self.queue.rows_with(self.record)
        return (*rows, *self._others)

    @cached_property
    def _others(self) -> tuple[Unmatched, ...]:
        filters = self.queue.filters
        sought = filters._replace(failed=False, unreviewed=False) != Filters()
        shown = (item for item in self.missing if not sought or (item.old and filters.only is not None))
        return (*self.edits_elsewhere, *shown)

    @property
    def _first(self) -> QueueRow | None:
        rows: tuple[QueueRow, ...] = (*self.queue.rows[:1], *self._others[:1])
        return next(iter(rows), None)

    @property
    def group(self) -> LikeErrors | None:
        """The visible records of one sample with the same error, if the current one is one of several."""
        return None if self.record is None else self.queue.groups.get(self.record)

    @property
    def folded(self) -> tuple[int, ...]:
        """The records that the current row stands for; none if it stands for one alone."""
        return () if self.group is None or self.queue.is_open(self.group) else self.group.members

    @property
    def marked(self) -> Sequence[int]:
        """The marked records that the filter shows, in the order of the queue."""
        places = self.marks.places
        return [index for index in self.queue.visible if index in places] if places else []

    @property
    def chosen(self) -> Sequence[int]:
        """The records that a verdict is about: the marked ones, or else those of the current row."""
        return self.marked or self.folded or ([] if self.record is None else [self.record])

    @property
    def proposed(self) -> Sequence[ProposedEdit]:
        """The edits that are proposed for the sample of the current row."""
        if self.record is not None:
            return self.edits.get(self.record, ())
        return [self.current.edit] if isinstance(self.current, Unmatched) and self.current.edit is not None else []

    def alike_to(self, index: int) -> list[int]:
        """Return the other visible records that have the same answer as one and are not decided."""
        queue = self.queue
        return [
            other
            for other in self.alike.get(index, ())
            if other != index and queue.items[other].verdict is None and queue.shows(other)
        ]

    # Steps

    def begun(self) -> ReviewState:
        """Go to the first visible record that is not read, or to the first where all are."""
        noted = frozenset(index for index in self.queue.visible if self.queue.items[index].view.noted)
        first = self.queue.next_unreviewed(None, noted)
        place = next(iter(self.queue.visible), None) if first is None else first
        return replace(self, place=place, begun_at=place)

    def at(self, place: QueueRow | None) -> ReviewState:
        """Go to a record, or to what has none."""
        return replace(self, place=place)

    def stepped(self, by: int) -> ReviewState | None:
        """Go to the record of the next or previous row; None where there is none."""
        index = self.queue.step(self.record, by)
        return None if index is None else self.at(index)

    def at_open(self) -> ReviewState | None:
        """Go to the next visible record that is not decided, in another row first; None where all are."""
        index = self.queue.next_unreviewed(self.record, self.folded)
        if index is None:
            index = self.queue.next_unreviewed(self.record)
        return None if index is None else self.at(index)

    def narrowed(self, filters: Filters) -> ReviewState:
        """Show the records that pass other filters, and stay at the current one if it is among them.

        While a search is typed, that is the one at which it began, unless one has gone elsewhere since. What is
        found at the first letters depends on how quickly the others follow.
        """
        begun, left_at = self.sought_from or (self.current, self.current)
        stays = begun if self.current == left_at else self.current
        now = replace(self, queue=self.queue.shown(filters))
        now = now.at(stays if isinstance(stays, int) and now.queue.shows(stays) else now._first)
        return now if self.sought_from is None else replace(now, sought_from=(stays, now.current))

    def turned(self) -> ReviewState:
        """Give each of several like errors a row, or all of them one."""
        return self if self.group is None else replace(self, queue=self.queue.turned(self.group))

    def marked_by(self, step: MarkStep) -> ReviewState:
        """Mark visible records by a step from the current one; one that stands for several by marking all of them.

        Marks are places in the file, so that they stay however the queue is sorted.
        """
        assert self.record is not None, "what the command needs"
        rows = self.queue.visible
        if step is Marked.toggled and self.folded:
            step, rows = Marked.all_toggled, self.folded
        return replace(self, marks=step(self.marks, rows.index(self.record), rows))

    def marking(self, indexes: Iterable[int] = ()) -> ReviewState:
        """Mark these records and no others."""
        return replace(self, marks=Marked(frozenset(indexes)))
