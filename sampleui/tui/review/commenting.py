"""What a screen does as comments are written: the field for one, what it is about, and what it quotes."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from textual.widget import Widget

from sampleui.errors import ResultsError
from sampleui.review.session import place_of, texts_said
from sampleui.review.verdict import NotePlace
from sampleui.text.visible import one_line
from sampleui.tui.commands import COMMENT
from sampleui.tui.review.comments import own_note, own_words
from sampleui.tui.review.session_verdicts import write_comment
from sampleui.tui.trace.actions import EVENT_PANES

if TYPE_CHECKING:
    from sampleui.tui.review.boxes import CommentInput
    from sampleui.tui.review.passing.screen import PassScreen
    from sampleui.tui.review.screen import ReviewScreen

    CommentHost: TypeAlias = ReviewScreen | PassScreen


class Commenting:
    """The comments of a screen that shows records.

    Args:
        screen: the screen.
        notes_alone: whether nothing is said of verdicts, so that what is written is a note in any case.
    """

    def __init__(self, screen: CommentHost, *, notes_alone: bool = False) -> None:
        self._screen = screen
        self._notes_alone = notes_alone
        self._before: Widget | None = None
        self._place: NotePlace | None = None

    @property
    def is_open(self) -> bool:
        """Whether a comment is being typed."""
        return self._screen.scope == COMMENT

    def open(self, about: int, *, in_trace: bool = True) -> None:
        """Open the field for a comment on a record, or on the event of its trace that the cursor is on."""
        self._open(about, self._event if in_trace else None)

    def quote_selected(self, about: int) -> None:
        """Ask what is said of the words that were selected with the mouse; nothing where none are."""
        words = (self._screen.get_selected_text() or "").strip()
        if not words or self.is_open:
            return
        event = self._event if self._screen.trace_view.detail.view in self._screen.selections else None
        if event is not None:
            self._open(about, event._replace(quote=one_line(words, _LONGEST)))
        else:
            self._quote(words, about)

    def _open(self, about: int, place: NotePlace | None) -> None:
        if not self.is_open:
            self._before = self._screen.focused
        self._place = place
        review = self._screen.review
        name = review.queue.items[about].entry.id
        quotable: Sequence[str] = ()
        with contextlib.suppress(ResultsError):  # a note can be written of a record that cannot be read
            quotable = texts_said(review.reader.record(about)) if place is None else ()
        note = own_note(review, about, place)
        text = (note.comment if note is not None else "") if self._notes_alone else own_words(review, about, place)
        named = name if place is None else f"{name}, {place}"
        self._screen.comment_input.open(text, about, named, quotable)

    @property
    def _event(self) -> NotePlace | None:
        """The event of the trace that the cursor is on, where one is in it."""
        event = self._screen.trace_view.event if self._screen.scope in EVENT_PANES.split() else None
        return None if event is None else NotePlace("event", event.number - 1)

    def keep(self, message: CommentInput.Written) -> None:
        """Keep a comment; one that is a quote alone is what the next line is about."""
        text = message.text
        self._screen.set_focus(self._before or self._screen.answer.view)
        self._screen.clear_selection()
        if text is not None and text.startswith(">") and "\n" not in text:
            self._quote(text[1:].strip(), self._screen.comment_input.about)
        elif text is not None:
            self.write(text)

    def write(self, text: str) -> None:
        """Write down a comment that was typed, and say where it is."""
        review, about = self._screen.review, self._screen.comment_input.about
        among = review.state.folded if about == review.current and self._place is None else ()
        indexes = (about,) if self._notes_alone else among or (about,)
        try:
            written = write_comment(review, text, indexes, self._place, notes_alone=self._notes_alone)
        except ResultsError as error:
            self._screen.show_all()
            self._screen.complain(error)
            return
        self._screen.show_all()
        first = next(iter(written), None)
        where = "" if first is None or first.place is None else f", {first.place}"
        more = f" and {len(written) - 1:,} more" if len(written) > 1 else ""
        done = "no comment now" if first is None else f"recorded the comment on {first.record_id}{more}{where}"
        self._screen.say(done)

    def _quote(self, words: str, about: int) -> None:
        """Ask what is said of words of a record."""
        try:
            place = place_of(words, self._screen.review.reader.record(about))
        except ResultsError as error:
            self._screen.complain(error)
            return
        if place is None:
            self._screen.warn(f"the record does not say “{one_line(words, 60)}”; nothing was written")
            return
        self._open(about, place)


_LONGEST = 2_000
"""Characters of what is quoted of an event."""
