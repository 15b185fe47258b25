"""The one text editor: it moves to whatever turn or field is edited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from sampleui.text.visible import stand_ins, unsafe_in
from sampleui.tui.commands import EDITOR

_UNDO_STEPS = 10_000


class TurnEditor(TextArea):
    """A text area that gives back exactly the text it was given, but for what was typed.

    What a text area cannot hold is shown as a stand-in and put back when the text is read.
    """

    scope: ClassVar[str] = EDITOR

    DEFAULT_CSS = """
    TurnEditor {
        height: auto; min-height: 1; border: none; padding: 0 0 0 1; scrollbar-size: 1 1;
        border-left: outer $accent; background: $surface;
        &:focus { border: none; border-left: outer $accent; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            "",
            soft_wrap=True,
            tab_behavior="focus",
            highlight_cursor_line=False,
            id=id,
            max_checkpoints=_UNDO_STEPS,
        )
        self._stand_ins: Mapping[str, str] = {}

    def take(self, text: str) -> None:
        """Hold a text to edit, the cursor at its end."""
        self._stand_ins = stand_ins(text, unsafe_in(text))
        self.load_text(_exchanged(text, self._stand_ins))
        self.move_cursor(self.document.end)

    def edit(self, edit: Edit) -> EditResult:
        """Put a text in, which may be pasted from anywhere. Terminals paste line ends as carriage returns."""
        text = edit.text.replace("\r\n", "\n").replace("\r", "\n")
        if not (text.isascii() and text.isprintable() and not self._stand_ins):
            known = self._stand_ins
            # A character that stands for another one here cannot stand for itself too.
            new = [one for one in unsafe_in(text) if one not in known]
            new += [one for one in dict.fromkeys(text) if one in known.values() and one not in known]
            self._stand_ins = {**known, **stand_ins(self.text + text, "".join(new))}
            text = _exchanged(text, self._stand_ins)
        edit.text = text
        return super().edit(edit)

    @property
    def value(self) -> str:
        """The text as edited."""
        return _exchanged(self.text, self._back)

    @property
    def split_at_cursor(self) -> tuple[str, str]:
        """The text before the cursor and the text after it."""
        row, column = self.cursor_location
        lines = self.text.split("\n")
        at = sum(len(line) + 1 for line in lines[:row]) + column
        return _exchanged(self.text[:at], self._back), _exchanged(self.text[at:], self._back)

    @property
    def _back(self) -> Mapping[str, str]:
        return {symbol: character for character, symbol in self._stand_ins.items()}


def _exchanged(text: str, characters: Mapping[str, str]) -> str:
    return text.translate({ord(one): other for one, other in characters.items()})
