"""What is shown for a deck that does not exist yet."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from sampleui.deck.load import create
from sampleui.errors import SampleUIError
from sampleui.settings import Settings
from sampleui.text.visible import visible
from sampleui.tui.screens.dialogs import Confirm
from sampleui.workspace import PromptOptions, deck_of


class MissingScreen(Screen[int]):
    """Offers to begin the deck. Nothing is written before the first save."""

    def __init__(self, path: Path, settings: Settings, dialect: str | None) -> None:
        super().__init__()
        self._path = path
        self._settings = settings
        self._dialect = dialect

    def on_mount(self) -> None:
        """Ask."""
        self.app.push_screen(
            Confirm(f"{self._path} does not exist.", {"c": "Create it: begin a new deck"}), self._answered
        )

    def _answered(self, answer: str | None) -> None:
        if answer != "c":
            self.app.exit(0)
            return
        from sampleui.tui.screens.author import AuthorScreen

        prompts = PromptOptions(self._settings.system_prompt, self._settings.guideline_patterns)
        try:
            deck = deck_of(create(self._path), self._dialect, prompts)
        except SampleUIError as error:
            self.app.exit(2, message=visible(f"sampleui: {error}"))
            return
        self.app.push_screen(AuthorScreen(deck, self._settings))
