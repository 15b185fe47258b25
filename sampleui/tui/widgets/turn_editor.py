"""The one text editor: it moves to whatever turn or field is edited."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult, Selection

from sampleui.text.graphemes import JOINERS, as_letters, end_after, start_before
from sampleui.text.limits import MAX_UNDO_STEPS
from sampleui.text.visible import EMOJI, stand_ins, unsafe_in
from sampleui.tui.commands import EDITOR, LINE

_EMPTY = ("[]", "{}", '""')
_WORD_ENDS = re.compile(r"(?<=\W)(?=\w)|(?<=\w)(?=\W)")
_IN_EMOJI = re.compile(rf"(?:{EMOJI}|[0-9#*](?=\ufe0f))\ufe0f?[\u200d\ufe0e\ufe0f]\Z")
"""An emoji or the digit of a keycap, and behind it one that is not seen: typed, it comes before what it joins."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)$")
"""A line that begins a block of code, or ends it: section 4.5 of CommonMark 0.31.2."""
_INDENTATION = "    "


class TurnEditor(TextArea):
    """A text area that returns exactly the text it was given, except for what was typed.

    What a text area cannot hold is shown as a stand-in and put back when the text is read.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+home", "go(False)", show=False),
        Binding("ctrl+end", "go(True)", show=False),
        Binding("ctrl+shift+home", "go(False, True)", show=False),
        Binding("ctrl+shift+end", "go(True, True)", show=False),
    ]

    DEFAULT_CSS = """
    TurnEditor {
        height: auto; min-height: 1; border: none; padding: 0 0 0 1; scrollbar-size: 1 1;
        border-left: outer $accent; background: $surface;
        &:focus { border: none; border-left: outer $accent; }
    }
    """

    class PastedWhole(Message):
        """A text was pasted where there was none. Whoever takes this puts it in."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            "",
            soft_wrap=True,
            tab_behavior="focus",
            highlight_cursor_line=False,
            id=id,
            max_checkpoints=MAX_UNDO_STEPS,
        )
        self._stand_ins: Mapping[str, str] = {}
        self.one_line = False

    @property
    def scope(self) -> str:
        """What kind of text is edited, for the keys."""
        return LINE if self.one_line else EDITOR

    def take(self, text: str, *, one_line: bool = False) -> None:
        """Hold a text to edit, the cursor at its end, or inside an empty list or table. Enter ends one line."""
        self.one_line = one_line
        self._stand_ins = stand_ins(text, unsafe_in(text))
        self.load_text(exchanged(text, self._stand_ins))
        self.move_cursor((0, 1) if text in _EMPTY else self.document.end)

    def on_key(self, event: events.Key) -> None:
        """Let Enter pass where it ends the text: the screen has a command for it. Put unseen joiners in."""
        if event.key == "enter" and self.one_line:
            event.prevent_default()
        elif event.character in JOINERS:
            self.put(event.character)
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """Tell of a text that is pasted where there is none; any other is put in at once."""
        if self._pasted_whole(event.text):
            event.prevent_default()
        event.stop()

    def action_paste(self) -> None:
        """Put in what is on the clipboard, or tell of it where there is no text yet."""
        if not self._pasted_whole(self.app.clipboard):
            super().action_paste()

    def _pasted_whole(self, text: str) -> bool:
        whole = not self.one_line and not self.value.strip() and bool(text.strip())
        if whole:
            self.post_message(self.PastedWhole(text))
        return whole

    def put(self, text: str) -> None:
        """Type a text in place of what is selected."""
        start, end = self.selection
        self.replace(text, start, end, maintain_selection_offset=False)

    @property
    def in_code(self) -> bool:
        """Whether the cursor is inside a fenced block of code, where a line may begin with blanks."""
        fence = ""
        for line in self.document.lines[: self.cursor_location[0]]:
            found = _FENCE.match(line)
            if found is not None and not fence:
                fence = found[1]
            elif found is not None and found[1].startswith(fence) and not found[2].strip():
                fence = ""
        return bool(fence)

    def indent(self, *, out: bool = False) -> None:
        """Indent the lines that are selected, or what is behind the cursor, as the text does; or move lines out."""
        (first, _), (last, _) = sorted(self.selection)
        lines = self.document.lines
        step = "\t" if any(line.startswith("\t") for line in lines) else _INDENTATION
        if first == last and not out:
            self.put(step)
            return
        for row in range(first, last + 1):
            line = lines[row]
            if not out:
                self.insert(step, (row, 0))
            elif leading := len(line) - len(line.removeprefix(step) if line.startswith(step) else line.lstrip(" ")):
                self.delete((row, 0), (row, leading))

    def select_between(self, start: int, end: int) -> None:
        """Select the text from one character to another."""
        before = (self.text[:offset].split("\n") for offset in (start, end))
        self.selection = Selection(*((len(lines) - 1, len(lines[-1])) for lines in before))

    def action_go(self, end: bool, select: bool = False) -> None:
        """Go to the beginning or the end of the text."""
        self.move_cursor(self.document.end if end else (0, 0), select=select)

    def action_cursor_page_up(self) -> None:
        """Move the cursor up by what is in view."""
        self._page(-1)

    def action_cursor_page_down(self) -> None:
        """Move the cursor down by what is in view."""
        self._page(1)

    def get_cursor_left_location(self) -> tuple[int, int]:
        """Return the place before the character that one sees to the left of the cursor."""
        row, column = self.cursor_location
        return (row, start_before(self.document[row], column)) if column else super().get_cursor_left_location()

    def get_cursor_right_location(self) -> tuple[int, int]:
        """Return the place behind the character that one sees to the right of the cursor."""
        row, column = self.cursor_location
        line = self.document[row]
        return (row, end_after(line, column)) if column < len(line) else super().get_cursor_right_location()

    def get_cursor_word_left_location(self) -> tuple[int, int]:
        """Return where a word begins or ends to the left of the cursor."""
        row, column = self.cursor_location
        if not column:
            return super().get_cursor_word_left_location()
        ends = [*_WORD_ENDS.finditer(as_letters(self.document[row])[:column].rstrip())]
        return row, ends[-1].start() if ends else 0

    def get_cursor_word_right_location(self) -> tuple[int, int]:
        """Return where a word begins or ends to the right of the cursor."""
        row, column = self.selection.end
        line = as_letters(self.document[row])
        if column == len(line):
            return super().get_cursor_word_right_location()
        begin = len(line) - len(line[column:].lstrip())
        found = _WORD_ENDS.search(line, begin + 1)
        return row, found.start() if found else len(line)

    def _page(self, pages: int) -> None:
        # The text area is as high as its text; what is in view is its parent's.
        around = self.parent
        rows = max(around.content_size.height - 1, 1) if isinstance(around, Widget) else 1
        self.move_cursor(self.navigator.get_location_at_y_offset(self.cursor_location, rows * pages))

    @property
    def cursor_row(self) -> int:
        """The line of the text area that the cursor is on, wrapped ones counted."""
        return self.wrapped_document.location_to_offset(self.cursor_location).y

    @property
    def cursor_offset(self) -> int:
        """How many characters of the value are before the cursor."""
        return len(self.split_at_cursor[0])

    def edit(self, edit: Edit) -> EditResult:
        """Put a text in, which may be pasted from anywhere. Terminals paste line ends as carriage returns."""
        text = edit.text.replace("\r\n", "\n").replace("\r", "\n")
        in_emoji = len(text) == 1 and text not in self._stand_ins and self._goes_on(text, edit.from_location)
        if not (in_emoji or (text.isascii() and text.isprintable() and not self._stand_ins)):
            known = self._stand_ins
            # A character that stands for another one here cannot stand for itself too.
            new = [item for item in unsafe_in(text) if item not in known]
            new += [item for item in dict.fromkeys(text) if item in known.values() and item not in known]
            self._stand_ins = {**known, **stand_ins(self.text + text, "".join(new))}
            text = exchanged(text, self._stand_ins)
        edit.text = text
        result = super().edit(edit)
        # What is cut goes to the clipboard as it is.
        return EditResult(result.end_location, exchanged(result.replaced_text, self._back))

    def _goes_on(self, character: str, location: tuple[int, int]) -> bool:
        """Tell whether a character that is typed goes on with an emoji before it."""
        row, column = location
        return _IN_EMOJI.search(self.document[row][max(column - 2, 0) : column] + character) is not None

    @property
    def selected_text(self) -> str:
        """The selected part of the text as edited, to be copied."""
        return exchanged(super().selected_text, self._back)

    @property
    def value(self) -> str:
        """The text as edited."""
        return exchanged(self.text, self._back)

    @property
    def split_at_cursor(self) -> tuple[str, str]:
        """The text before the cursor and the text after it."""
        row, column = self.cursor_location
        lines = self.text.split("\n")
        offset = sum(len(line) + 1 for line in lines[:row]) + column
        return exchanged(self.text[:offset], self._back), exchanged(self.text[offset:], self._back)

    @property
    def _back(self) -> Mapping[str, str]:
        return {symbol: character for character, symbol in self._stand_ins.items()}


def exchanged(text: str, characters: Mapping[str, str]) -> str:
    """Return a text with other characters in place of some."""
    return text.translate({ord(item): other for item, other in characters.items()})
