"""What is shown for a file that no dialect knows, before it is opened."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from sampleui.errors import SampleUIError
from sampleui.guessing.unknown import Unknown
from sampleui.settings.options import Settings
from sampleui.text.visible import visible
from sampleui.tui.screens.guessed_table import GuessedTable, Taken, Without


class UnknownScreen(Screen[int]):
    """Offers the table that is guessed for a file, and gives way to the file.

    Args:
        unknown: the file.
        settings: the settings, without the table.
        usual: makes the screen of the file without the table.
        taken: makes its screen with a table.
    """

    def __init__(
        self,
        unknown: Unknown,
        settings: Settings,
        usual: Callable[[], Screen[int]],
        taken: Callable[[Taken], Screen[int]],
    ) -> None:
        super().__init__()
        self._unknown = unknown
        self._settings = settings
        self._usual = usual
        self._taken = taken

    def on_mount(self) -> None:
        """Show the table."""
        self.app.push_screen(GuessedTable(self._unknown, self._settings), self._answered)

    def _answered(self, answer: Taken | Without | None) -> None:
        if answer is Without.LEFT:
            self.app.exit(0)
            return
        try:
            made = self._taken(answer) if isinstance(answer, Taken) else self._usual()
        except SampleUIError as error:  # the file is another one by now
            self.app.exit(2, message=visible(f"sampleui: {error}"))
            return
        self.app.push_screen(made)
