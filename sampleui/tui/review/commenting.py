"""The field in which comments are written: what one is about, what it quotes, and where it is kept."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

from textual.suggester import Suggester
from textual.widget import Widget

from sampleui.errors import ResultsError
from sampleui.review.record import Record
from sampleui.review.session import place_of, texts_said
from sampleui.review.verdict import NotePlace
from sampleui.text.visible import one_line
from sampleui.tui.commands import COMMENT, Registry, key_named
from sampleui.tui.review.session_verdicts import own_comment, own_note, write_comment
from sampleui.tui.trace.actions import EVENT_PANES
from sampleui.tui.widgets.line_input import LineInput

if TYPE_CHECKING:
    from sampleui.tui.review.passing.screen import PassScreen
    from sampleui.tui.review.screen import ReviewScreen

    CommentHost: TypeAlias = ReviewScreen | PassScreen


class QuoteSuggester(Suggester):
    """Completes a line that begins with `>` from what a record says, to the end of the sentence."""

    def __init__(self, texts: Sequence[str]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._texts = texts

    async def get_suggestion(self, value: str) -> str | None:
        """Return the line as it may go on; None for any other."""
        words = value.removeprefix(">").lstrip()
        if not value.startswith(">") or not words:
            return None
        for text in self._texts:
            if (start := text.find(words)) >= 0:
                rest = _SENTENCE.match(text, start + len(words))
                return value + rest[0].rstrip() if rest is not None else None
        return None


_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？]?")


class CommentInput(LineInput):
    """The field for a comment on a record that its screen shows, hidden until it is opened.

    Args:
        blind: whether nothing is said of verdicts, so that what is written is a note in any case.
    """

    scope: ClassVar[str] = COMMENT

    DEFAULT_CSS = """
    CommentInput { display: none; border: none; height: 1; padding: 0 1; background: $panel; }
    CommentInput:focus { border: none; }
    """

    def __init__(self, *, blind: bool = False) -> None:
        super().__init__(id="comment", select_on_focus=False)
        self._blind = blind
        self._about = 0
        self._place: NotePlace | None = None
        self._before: Widget | None = None

    @property
    def _host(self) -> CommentHost:
        return cast("CommentHost", self.screen)

    @property
    def is_open(self) -> bool:
        """Whether a comment is being typed."""
        return self._host.focused is self

    @property
    def _event(self) -> NotePlace | None:
        """The event of the trace that the cursor is on, where one is in it."""
        event = self._host.trace_view.event if self._host.scope in EVENT_PANES.split() else None
        return None if event is None else NotePlace("event", event.number - 1)

    @property
    def _record(self) -> Record:
        """The record as far as it may be seen."""
        shown = self._host.shown.record if self._blind else None
        return shown or self._host.review.record(self._about)

    def open(self, about: int, *, in_trace: bool = True) -> None:
        """Take a comment on a record, by its index, or on the event of its trace that the cursor is on."""
        self._open(about, self._event if in_trace else None)

    def quote_selected(self, about: int) -> None:
        """Ask what is said of the words that were selected with the mouse; nothing where none are."""
        words = (self._host.get_selected_text() or "").strip()
        if not words or self.is_open:
            return
        event = self._event if self._host.trace_view.detail.view in self._host.selections else None
        if event is not None:
            self._open(about, event._replace(quote=one_line(words, _LONGEST)))
        else:
            self._about = about
            self._quote(words)

    def _open(self, about: int, place: NotePlace | None) -> None:
        """Show the field with what was written there before, and complete quotes from what the record says."""
        if not self.is_open:
            self._before = self._host.focused
        self._about, self._place = about, place
        review = self._host.review
        quotable: Sequence[str] = ()
        with contextlib.suppress(ResultsError):  # a note can be written of a record that cannot be read
            quotable = texts_said(self._record) if place is None else ()
        name = review.queue.items[about].entry.id
        named = one_line(name if place is None else f"{name}, {place}")
        self.suggester = QuoteSuggester(quotable)
        self.placeholder = f"why {named}? > quotes, Enter keeps it, Escape drops it"
        note = own_note(review, about, place)
        with_verdict = "" if self._blind or place is not None else own_comment(review, about)
        self.value = with_verdict if note is None else note.comment
        self.cursor_position = len(self.value)
        self.display = True
        self._host.set_focus(self)

    def drop(self) -> None:
        """Leave the field; an earlier comment stays."""
        self.display = False
        self._host.set_focus(self._before or self._host.answer.view)
        self._host.clear_selection()

    def keep(self) -> None:
        """Leave the field and write its text down; one that is a quote alone is what the next line is about."""
        text = self.value.strip()
        self.drop()
        if text.startswith(">"):
            self._quote(text[1:].strip())
        else:
            self._write(text)

    def keep_typed(self) -> None:
        """Write down what is being typed; nothing if nothing is."""
        if self.is_open and (text := self.value.strip()):
            self._write(text)

    def _write(self, text: str) -> None:
        """Write down a comment, and say where it is."""
        review, about = self._host.review, self._about
        among = review.state.folded if about == review.current and self._place is None else ()
        indexes = (about,) if self._blind else among or (about,)
        try:
            written = write_comment(review, text, indexes, self._place, notes_alone=self._blind)
        except ResultsError as error:
            self._host.show_all()
            self._host.complain(error)
            return
        self._host.show_all()
        first = next(iter(written), None)
        where = "" if first is None or first.place is None else f", {first.place}"
        more = f" and {len(written) - 1:,} more" if len(written) > 1 else ""
        done = "no comment now" if first is None else f"recorded the comment on {first.record_id}{more}{where}"
        self._host.say(done)

    def _quote(self, words: str) -> None:
        """Ask what is said of words of a record."""
        try:
            place = place_of(words, self._record)
        except ResultsError as error:
            self._host.complain(error)
            return
        if place is None:
            self._host.warn(f"the record does not say “{one_line(words, 60)}”; nothing was written")
            return
        self._open(self._about, place)


_LONGEST = 2_000
"""Characters of what is quoted of an event."""


COMMENTS: Registry[CommentHost] = Registry()
"""The commands of the field."""


def a_comment(screen: CommentHost) -> str:
    """Need a comment that is being typed."""
    key = key_named("verdict.comment", "c")
    return "" if screen.scope == COMMENT else f"no comment is being typed; {key} writes one"


@COMMENTS.command("comment.keep", "enter", "Keep", group="Comments", scopes=COMMENT, bar=1, needs=a_comment)
def keep(screen: CommentHost) -> None:
    """Keep the comment."""
    screen.comment_input.keep()


@COMMENTS.command("comment.drop", "escape", "Drop", group="Comments", scopes=COMMENT, bar=2, needs=a_comment)
def drop(screen: CommentHost) -> None:
    """Drop what was typed; an earlier comment stays."""
    screen.comment_input.drop()
