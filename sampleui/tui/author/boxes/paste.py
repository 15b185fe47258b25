"""What is about to be pasted, shown before it is."""

from __future__ import annotations

from sampleui.sample.parse import json_text
from sampleui.sample.pasting import Pasted
from sampleui.text.visible import one_line
from sampleui.tui.captions import caption
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.code import json_row
from sampleui.tui.drawing.message_rows import message_rows
from sampleui.tui.drawing.rows import Row, row_text, text_rows
from sampleui.tui.screens.scrolled import Scrolled
from sampleui.tui.widgets.text_view import READING


class PasteView(Scrolled[bool]):
    """Turns, samples or fields to be pasted, or written elsewhere. Answers with whether they are."""

    DEFAULT_CSS = """
    PasteView > .box { height: auto; max-height: 90%; }
    PasteView TextView {
        height: auto; max-height: 100%; scrollbar-background: $surface; scrollbar-color: $text-edge;
    }
    """

    def __init__(self, title: str, pasted: Pasted, verb: str = "Paste") -> None:
        hints = (Hint("enter", verb), *READING, Hint("escape", "Cancel"))
        super().__init__(title, self._pasted_rows, {"enter": True, "escape": False}, hints)
        caption(self.frame, pasted.how)
        self._pasted = pasted

    def on_resize(self) -> None:
        """Be as high as the text, as far as there is room."""
        self.view.styles.height = min(len(self.rows(max(self.size.width - 12, 20))), max(self.size.height - 8, 3))

    def _pasted_rows(self, width: int) -> list[Row]:
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
