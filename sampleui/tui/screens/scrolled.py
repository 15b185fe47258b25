"""A box over the screen with rows to scroll."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row
from sampleui.tui.screens.closing import Answer
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import READING, TextView


class Scrolled(Overlay[Answer]):
    """Rows under a title. Some keys answer and leave, the others scroll."""

    DEFAULT_CSS = """
    Scrolled > .box {
        width: 110; max-width: 96%; height: 90%; max-height: 100%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    """
    hints: ClassVar[Sequence[Hint]] = (*READING, Hint("escape", "Close"))

    def __init__(
        self,
        title: str,
        rows: Callable[[int], Sequence[Row]],
        answers: Mapping[str, Answer],
        hints: Sequence[Hint] = (),
    ) -> None:
        super().__init__(hints)
        self.frame = Vertical(classes="box")
        self.frame.border_title = Content(title)
        self.view = TextView()
        self.rows = rows
        self._answers = answers

    def compose(self) -> ComposeResult:
        """Yield the rows."""
        with self.frame:
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show the rows."""
        self.view.focus()
        self.view.show(self.rows)

    def take_key(self, event: events.Key) -> bool:
        """Answer, or scroll."""
        if event.key in self._answers:
            self.dismiss(self._answers[event.key])
            return True
        return self.view.take_key(event.key)
