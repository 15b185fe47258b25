"""The field for one line: a key moves over, and takes, what one sees as one character."""

from __future__ import annotations

import re

from textual import events
from textual.widgets import Input
from textual.widgets.input import Selection

from sampleui.text.graphemes import JOINERS, as_letters, end_after, start_before

_WORD_BEGINS = re.compile(r"(?<=\W)\w")


class LineInput(Input):
    """Textual's field, which by itself moves by code points: of an emoji a Backspace takes its last part alone."""

    def on_key(self, event: events.Key) -> None:
        """Put joiners in, which Textual leaves out since they are not seen."""
        if event.character in JOINERS:
            self.insert_text_at_cursor(event.character)
            event.prevent_default()

    def action_cursor_left(self, select: bool = False) -> None:
        """Go to the left by one character."""
        start, end = self.selection
        if not select and start != end:
            super().action_cursor_left()
        else:
            self._go(start_before(self.value, end), select=select)

    def action_cursor_right(self, select: bool = False) -> None:
        """Go to the right by one character, or take what is suggested there."""
        start, end = self.selection
        if not select and (start != end or end == len(self.value)):
            super().action_cursor_right()
        else:
            self._go(end_after(self.value, end), select=select)

    def action_cursor_left_word(self, select: bool = False) -> None:
        """Go to the left to the beginning of a word."""
        self._go(self._word_before(), select=select)

    def action_cursor_right_word(self, select: bool = False) -> None:
        """Go to the right to the beginning of a word."""
        self._go(self._word_after(), select=select)

    def action_delete_left(self) -> None:
        """Delete the character before the cursor, or what is selected."""
        self._delete_to(start_before(self.value, self.cursor_position))

    def action_delete_right(self) -> None:
        """Delete the character behind the cursor, or what is selected."""
        self._delete_to(end_after(self.value, self.cursor_position))

    def action_delete_left_word(self) -> None:
        """Delete to the beginning of a word before the cursor, or what is selected."""
        self._delete_to(self._word_before())

    def action_delete_right_word(self) -> None:
        """Delete to the beginning of the next word, or what is selected."""
        self._delete_to(self._word_after())

    def _delete_to(self, position: int) -> None:
        if self.selection.is_empty:
            self.delete(*sorted((self.cursor_position, position)))
        else:
            self.delete_selection()

    def _go(self, position: int, *, select: bool) -> None:
        if select:
            self.selection = Selection(self.selection.start, position)
        else:
            self.cursor_position = position

    def _word_before(self) -> int:
        starts = [found.start() for found in _WORD_BEGINS.finditer(as_letters(self.value)[: self.cursor_position])]
        return starts[-1] if starts else 0

    def _word_after(self) -> int:
        found = _WORD_BEGINS.search(as_letters(self.value), self.cursor_position + 1)
        return found.start() if found else len(self.value)
