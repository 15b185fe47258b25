"""A new sample from the first turns of a transcript: shown before it is written."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.errors import SampleUIError
from sampleui.formats.data import Table
from sampleui.runs.transcript_to_sample import Promotion, promote
from sampleui.text.visible import one_line, visible
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.message_rows import diff_rows, message_rows
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import READING, TextView
from sampleui.workspace.deck import Deck


class Promote(Overlay[Promotion | None]):
    """The sample as messages and as the change of its deck. Answers with it on Enter, with nothing on Escape."""

    DEFAULT_CSS = """
    Promote > .box {
        width: 110; max-width: 96%; height: 90%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    Promote TextView { scrollbar-background: $surface; scrollbar-color: $text-edge; }
    """
    hints = (
        Hint("enter", "Write it"),
        Hint("+", "More turns"),
        Hint("-", "Fewer turns"),
        *READING,
        Hint("escape", "Cancel"),
    )

    def __init__(self, turns: Sequence[Table], count: int, stem: str, deck: Deck) -> None:
        super().__init__()
        self._turns = turns
        self._count = count
        self._stem = stem
        self._deck = deck
        self._made: Promotion | None = None
        self.view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the preview."""
        with Vertical(classes="box"):
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show the sample."""
        self.view.focus()
        self._show()

    def _show(self) -> None:
        try:
            self._made, refused = promote(self._turns, self._count, self._stem, self._deck), ""
        except SampleUIError as error:
            self._made, refused = None, str(error)
        title = f"New sample from turns 1 to {self._count} of {len(self._turns)}"
        self.query_one(".box", Vertical).border_title = Content(title)
        promotion = self._made
        self.view.show(lambda width: self._rows(promotion, refused, width), keep=False)

    def _rows(self, promotion: Promotion | None, refused: str, width: int) -> list[Row]:
        if promotion is None:
            return text_rows(refused, "error", width)
        head: Row = (
            ("muted", "sample "),
            ("accent-bold", one_line(promotion.sample_id, 60)),
            ("muted", f" into {visible(self._deck.path.name)}, as {self._deck.kind.title}"),
        )
        blank: Row = (("text", ""),)
        rule: Row = (("edge", "── "), ("muted-bold", "what is written "), ("edge", "─" * max(width - 19, 0)))
        shown = message_rows(list(self._turns[: self._count]), width)
        return [head, blank, *shown, blank, rule, *diff_rows(promotion.diff, width)]

    def take_key(self, event: events.Key) -> bool:
        """Take more or fewer turns, scroll, or answer."""
        more = {"plus": 1, "equals_sign": 1, "right": 1, "l": 1, "minus": -1, "left": -1, "h": -1}
        if event.key in more:
            self._count = max(1, min(self._count + more[event.key], len(self._turns)))
            self._show()
        elif event.key == "enter" and self._made is not None:
            self.dismiss(self._made)
        elif event.key == "escape":
            self.dismiss(None)
        else:
            return self.view.take_key(event.key)
        return True
