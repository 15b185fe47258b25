"""What is about to be pasted, shown before it is."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.sample.parse import json_text
from sampleui.sample.pasting import Pasted
from sampleui.text.visible import one_line
from sampleui.tui.code import json_row
from sampleui.tui.commands import Hint
from sampleui.tui.message_rows import message_rows
from sampleui.tui.rows import Row, row_text, text_rows
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import READING, TextView


class PasteView(Overlay[bool]):
    """Turns, samples or fields to be pasted, or written elsewhere. Answers with whether they are."""

    DEFAULT_CSS = """
    PasteView > .box {
        width: 110; max-width: 96%; height: auto; max-height: 90%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    PasteView TextView {
        height: auto; max-height: 100%; scrollbar-background: $surface; scrollbar-color: $text-edge;
    }
    """
    hints = (Hint("enter", "Paste"), *READING, Hint("escape", "Cancel"))

    def __init__(self, title: str, pasted: Pasted, verb: str = "Paste") -> None:
        super().__init__([Hint("enter", verb), *self.hints[1:]])
        self._title = title
        self._pasted = pasted
        self.view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the box."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content(self._title)
            frame.border_subtitle = Content(self._pasted.how)
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show what is pasted."""
        self.view.focus()
        self.view.show(self._rows, keep=False)

    def on_resize(self) -> None:
        """Be as high as the text, as far as there is room."""
        self.view.styles.height = min(len(self._rows(max(self.size.width - 12, 20))), max(self.size.height - 8, 3))

    def take_key(self, event: events.Key) -> bool:
        """Answer, or scroll."""
        if event.key in ("enter", "escape"):
            self.dismiss(event.key == "enter")
            return True
        return self.view.take_key(event.key)

    def _rows(self, width: int) -> list[Row]:
        rows: list[Row] = [row for note in self._pasted.notes for row in text_rows(f"▲ {note}", "warning", width)]
        rows += [(("text", ""),)] if rows else []
        for number, data in enumerate(self._pasted.samples, 1):
            rows.append((("accent-bold", f"{number}  {one_line(str(data.get('id', '')))}"),))
            rows += _json_rows(json_text(data), width)
        if self._pasted.turns:
            rows += message_rows([*self._pasted.turns], width)
        return rows + (_json_rows(json_text(self._pasted.fields), width) if self._pasted.fields else [])


def _json_rows(text: str, width: int) -> list[Row]:
    return [json_row(row_text(row)) for row in text_rows(text, "text", width)]
