"""The screen shown while a large deck is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Center, Middle
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from sampleui.errors import SampleUIError
from sampleui.text.visible import visible
from sampleui.tui.input.settled import COMMANDS


class LoadingScreen(Screen[int]):
    """Says what is read, and gives way to the deck, which is given the keys that were typed meanwhile.

    `read` reads it and returns what makes its screen.
    """

    at_once: ClassVar[frozenset[str]] = frozenset({"ctrl+q"})

    def __init__(self, path: Path, read: Callable[[], Callable[[], Screen[int]]]) -> None:
        super().__init__()
        self._path = path
        self._made_by = read
        self._left = False

    def compose(self) -> ComposeResult:
        """Yield one line."""
        size = self._path.stat().st_size / 1_000_000
        with Middle(), Center():
            yield Static(Content(f"reading {visible(self._path.name)}, {size:,.0f} MB …"), expand=False)

    def on_mount(self) -> None:
        """Read off the thread that draws."""
        self.run_worker(self._read, thread=True, group=COMMANDS)

    def on_key(self, event: events.Key) -> None:
        """Leave without waiting."""
        if event.key == "ctrl+q":
            self._left = True
            self.app.exit(0)

    def _read(self) -> None:
        try:
            made = self._made_by()
        except SampleUIError as error:
            self.app.call_from_thread(self._end, f"sampleui: {error}")
        else:
            self.app.call_from_thread(self._show, made)

    def _show(self, made: Callable[[], Screen[int]]) -> None:
        if not self._left:
            self.app.push_screen(made())

    def _end(self, said: str) -> None:
        if not self._left:
            self.app.exit(2, message=visible(said))
