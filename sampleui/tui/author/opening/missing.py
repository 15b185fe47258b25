"""The screen shown for a deck that does not exist yet."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from sampleui.reading import PromptOptions, usual_dialects
from sampleui.sample.dialects import Dialect
from sampleui.settings.options import Settings
from sampleui.tui.screens.dialogs import Confirm
from sampleui.workspace import new_deck

_KEYS = "c23"


class MissingScreen(Screen[int]):
    """Offers to begin the deck. Nothing is written before the first save."""

    def __init__(self, path: Path, settings: Settings, dialect: str | None) -> None:
        super().__init__()
        self._path = path
        self._settings = settings
        self._dialect = dialect
        self._answers: dict[str, Dialect] = {}

    def on_mount(self) -> None:
        """Ask."""
        self._answers = dict(zip(_KEYS, self._offered(), strict=False))
        usual = f", usual for {self._path.suffix}"
        told = {
            key: f"Create it as a deck for {one.title}" + (usual if key == _KEYS[0] else "")
            for key, one in self._answers.items()
        }
        if self._dialect:
            told = {_KEYS[0]: "Create it: begin a new deck"}
        self.app.push_screen(Confirm(f"{self._path} does not exist.", told), self._answered)

    def _offered(self) -> list[Dialect]:
        """Return the dialects to choose from, the usual one of the format first."""
        offered = [*usual_dialects(self._path), *PromptOptions.of(self._settings).dialects]
        return [one for one in offered if self._dialect in (None, one.name)]

    def _answered(self, answer: str | None) -> None:
        if not answer:
            self.app.exit(0)
            return
        from sampleui.tui.author.screen import AuthorScreen

        prompts = PromptOptions.of(self._settings)
        deck = new_deck(self._path, self._answers[answer].name, prompts)
        self.app.push_screen(AuthorScreen(deck, self._settings))
