"""A file that is not a deck: its text, read-only, and the error at its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen

from sampleui.deck.load import MAX_BYTES
from sampleui.errors import DeckError, SampleUIError
from sampleui.settings.options import Settings
from sampleui.text.confined import read_whole
from sampleui.text.visible import visible
from sampleui.tui.captions import caption
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.widgets.text_view import TextView
from sampleui.tui.widgets.title_bar import Title, TitleBar

_MOST_LINES = 20_000


class BrokenScreen(Screen[int]):
    """Shows what cannot be edited, and where it went wrong.

    `E` opens the file there in $EDITOR, `r` reads it again, `ctrl+q` or `q` leaves. `again` reads it and returns
    what makes its screen.
    """

    DEFAULT_CSS = """
    BrokenScreen TitleBar { background: $surface; }
    BrokenScreen TextView {
        height: 1fr; border: round $error; border-title-color: $error; border-subtitle-color: $text-muted;
        padding: 0 1;
    }
    """

    def __init__(
        self, path: Path, error: DeckError, settings: Settings, again: Callable[[], Callable[[], Screen[int]]]
    ) -> None:
        super().__init__()
        assert error.line is not None
        self._file = error.path or path
        self._line = error.line
        self._error = error
        self._settings = settings
        self._again = again
        self._lines = _lines(self._file)
        self._view = TextView()
        self._title_bar = TitleBar()

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield self._title_bar
        yield self._view

    def on_mount(self) -> None:
        """Show the text from a little above the error."""
        error = self._error
        at = f"line {self._line}" + (f", column {error.column}" if error.column else "")
        self._view.border_title = Content(visible(f"✖ {at}: {error.message}"))
        caption(self._view, "j/k scroll · E edit here · r read again · q quit")
        self._title_bar.show(Title(self._file.name, state="read-only", problems=("error-bold", "✖ not a deck")))
        self._view.show(self._rows)
        self.call_after_refresh(self._show_error)

    def _show_error(self) -> None:
        marked = next((at for at, row in enumerate(self._view.rows) if row[0][0] == "error-bold"), 0)
        self._view.scroll_to(y=max(marked - 5, 0), animate=False)

    def _rows(self, width: int) -> list[Row]:
        wide = len(str(len(self._lines)))
        first = max(self._line - _MOST_LINES // 2, 1)
        rows: list[Row] = []
        for number, line in enumerate(self._lines[first - 1 : first - 1 + _MOST_LINES], first):
            wrong = number == self._line
            made = text_rows(line.removesuffix("\r"), "text" if wrong else "muted", width - wide - 3)
            head = ("error-bold", f"{number:>{wide}} ▶ ") if wrong else ("faint", f"{number:>{wide}}   ")
            rows += [(head if at == 0 else ("faint", " " * (wide + 3)), *row) for at, row in enumerate(made)]
        return rows

    def on_key(self, event: events.Key) -> None:
        """Scroll, read again or leave."""
        event.stop()
        if self._view.take_key(event.key):
            return
        if event.key == "r":
            self._read_again()
        elif event.key == "E":
            self._edit()
        elif event.key in ("q", "ctrl+q", "escape"):
            from sampleui.tui.screens.base import CommandScreen

            below = any(isinstance(one, CommandScreen) for one in self.app.screen_stack[:-1])
            self.dismiss() if below else self.app.exit(0)

    def _edit(self) -> None:
        from sampleui.tui.outside import edit_place

        try:
            edit_place(self.app, self._settings.editor, self._file, self._line)
        except SampleUIError as error:
            self._view.border_title = Content(visible(f"✖ {error}"))
            return
        self._read_again()

    def _read_again(self) -> None:
        try:
            made = self._again()
        except SampleUIError as error:
            self._view.border_title = Content(visible(f"✖ {error}"))
            return
        self.app.push_screen(made())


def _lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it is gone by now."""
    try:
        return read_whole(path, MAX_BYTES).decode("utf-8", "replace").split("\n")
    except OSError:
        return []
