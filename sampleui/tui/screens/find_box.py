"""The box that asks what to look for and how, and the one that asks what replaces it."""

from __future__ import annotations

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from sampleui.errors import SampleUIError
from sampleui.tui.commands import Hint
from sampleui.tui.screens.dialogs import Ask, Dialog
from sampleui.workspace.text_search import Query

CASE, WORD, REGEX, HERE, EVERYWHERE = "f2", "f3", "f4", "f5", "f6"
USUAL = {CASE: "match case", WORD: "whole word", REGEX: "regular expression"}
"""How a text may be looked for anywhere."""

IN_DECK = {**USUAL, HERE: "this sample only"}
"""The same in a deck that is opened by itself."""

IN_MEMBER = {**IN_DECK, EVERYWHERE: "all decks"}
"""The same in a deck of a workspace."""


class FindBox(Dialog):
    """A text to look for. Answers with it; `query` and `only_here` say how."""

    DEFAULT_CSS = """
    FindBox Input { border: none; height: 1; padding: 0 1; background: $panel; margin-bottom: 1; }
    FindBox Input:focus { border: none; }
    """

    def __init__(self, text: str, ways: frozenset[str], offered: Mapping[str, str] = IN_DECK) -> None:
        hints = [Hint("enter", "Find"), *(Hint(key, way.capitalize()) for key, way in offered.items())]
        super().__init__([*hints, Hint("escape", "Cancel")])
        self._text = text
        self._offered = offered
        self.ways = ways & offered.keys()
        self._shown = Static()

    def compose(self) -> ComposeResult:
        """Yield the field and the ways."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content("Find in turns and fields")
            yield Input(value=self._text, select_on_focus=True)
            yield self._shown
        yield self.footer

    def on_mount(self) -> None:
        """Show the ways."""
        self._show()

    @property
    def only_here(self) -> bool:
        """Whether one sample alone is to be looked through."""
        return HERE in self.ways

    @property
    def everywhere(self) -> bool:
        """Whether all decks of the workspace are to be looked through."""
        return EVERYWHERE in self.ways

    def query_of(self, text: str) -> Query:
        """Return what is to be looked for."""
        return Query(text, REGEX in self.ways, CASE not in self.ways, WORD in self.ways)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer, unless it is nothing to look for."""
        try:
            _ = self.query_of(event.value).pattern
        except SampleUIError as error:
            self.footer.message_line.say(f"✖ {error}", "warning-bold")
            return
        self.dismiss(event.value)

    def take_key(self, event: events.Key) -> bool:
        """Turn a way on or off, or leave."""
        if event.key in self._offered:
            apart = {HERE, EVERYWHERE} - {event.key} if event.key in (HERE, EVERYWHERE) else set()
            self.ways = (self.ways ^ {event.key}) - apart
            self._show()
        elif event.key == "escape":
            self.dismiss("")
        else:
            return False
        return True

    def _show(self) -> None:
        lines = [
            Content.assemble((f"  {key}", "bold $accent"), f"  [{'x' if key in self.ways else ' '}] {way}")
            for key, way in self._offered.items()
        ]
        self._shown.update(Content("\n").join(lines))


class ReplaceBox(Ask):
    """What a text is replaced by, which may be nothing. Escape answers None."""

    hints = (Hint("enter", "Show the changes"), Hint("escape", "Cancel"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was written, blanks included."""
        event.prevent_default()
        self.dismiss(event.value)

    def take_key(self, event: events.Key) -> bool:
        """Leave without an answer."""
        if event.key != "escape":
            return False
        self.dismiss(None)
        return True
