"""The screen shown for a deck that does not exist yet."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from sampleui.reading import PromptOptions, authored_dialects, usual_dialects
from sampleui.sample.dialects.shipped import Dialect
from sampleui.settings.options import Settings
from sampleui.tui.screens.dialogs import Confirm, Pick
from sampleui.workspace import new_deck

_KEYS = "c23"
_MORE = "m"


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
        if len(self._offered()) > len(_KEYS):
            told[_MORE] = "Create it for another tool"
        self.app.push_screen(Confirm(f"{self._path} does not exist.", told), self._answered)

    def _offered(self) -> list[Dialect]:
        """Return the dialects to choose from, the usual one of the format first."""
        own = PromptOptions.of(self._settings).dialects
        if self._dialect is None:
            return [*authored_dialects(self._path), *own]
        return [one for one in (*usual_dialects(self._path), *own) if one.name == self._dialect]

    def _answered(self, answer: str | None) -> None:
        if answer == _MORE:
            titles = [one.title for one in self._offered()[len(_KEYS) :]]
            self.app.push_screen(Pick(f"{self._path.name} is new: its dialect", titles), self._picked)
        elif not answer:
            self.app.exit(0)
        else:
            self._begin(self._answers[answer])

    def _picked(self, title: str | None) -> None:
        found = next((one for one in self._offered() if one.title == title), None)
        if found is None:
            self.on_mount()
        else:
            self._begin(found)

    def _begin(self, dialect: Dialect) -> None:
        from sampleui.tui.author.screen import AuthorScreen

        deck = new_deck(self._path, dialect.name, PromptOptions.of(self._settings))
        self.app.push_screen(AuthorScreen(deck, self._settings))
