"""The box for a file of no known dialect: the table that was guessed for it, and what the table reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import TextArea

from sampleui.errors import SampleUIError, SettingsError
from sampleui.review.record import Outcome
from sampleui.settings.options import PROJECT_FILE, Settings
from sampleui.settings.writing import DIALECTS, RESULTS, VIEW, NamedTable, take_table
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import counted
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.screens.dialogs import TwoPanes
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.text_view import READING, TextView, move_by_key
from sampleui.tui.widgets.turn_editor import TurnEditor
from sampleui.workspace.unknown_files import KINDS, LOOKED_AT, FieldsRead, Trial, Unknown

_NAMES = 9
_LONGEST = 400


def trial_rows(unknown: Unknown, trial: Trial | SettingsError, width: int) -> list[Row]:
    """Return the rows for a table that was tried: what is wrong with it, or how much it reads and what."""
    if isinstance(trial, SettingsError):
        return text_rows(f"✖ {place_of(trial)}{trial.message}", "error-bold", width)
    rows = text_rows(_count(unknown, trial), "added" if trial.read == trial.looked else "warning", width)
    rows += text_rows(f"▲ {trial.why}", "warning-bold", width) if trial.why else []
    for read in trial.first:
        rows += [(("text", ""),), *_read_rows(read, width)]
    return rows


def place_of(error: SettingsError) -> str:
    """Return the line and the column of an error in the text, in words; empty where they are not known."""
    if error.line is None:
        return ""
    return f"line {error.line}, column {error.column}: " if error.column else f"line {error.line}: "


def _count(unknown: Unknown, trial: Trial) -> str:
    what = "row" if unknown.setting == RESULTS else "sample"
    first = "the first " if trial.looked == LOOKED_AT else ""
    all_looked = f"{first}{counted(trial.looked, what)}"
    sentence = f"{trial.read:,} of {all_looked} {'is' if trial.read == 1 else 'are'} read with it"
    parts = [
        counted(number, "error") if outcome is Outcome.ERROR else f"{number:,} {outcome}"
        for outcome, number in trial.outcomes
    ]
    sentence += f": {', '.join(parts)}" if parts else ""
    return f"{'✓' if trial.read == trial.looked else '▲'} {sentence}"


def _read_rows(read: FieldsRead, width: int) -> Iterator[Row]:
    outcome = (("text", f"  {read.outcome}"),) if read.outcome else ()
    yield (("accent-bold", fitted(one_line(read.id), max(width - 24, 8))), *outcome)
    parts = (("turns", ", ".join(read.roles)), ("asked", read.asked), ("expected", read.expected))
    for name, text in (*parts, ("answered", read.answered)):
        if text:
            yield ("muted", f"{name:<{_NAMES}}"), ("text", fitted(one_line(text, _LONGEST), max(width - _NAMES, 8)))


_OTHER = {RESULTS: DIALECTS, DIALECTS: RESULTS}
_THIS_TIME = "this session"


@dataclass(frozen=True, slots=True)
class Taken:
    """A table that was agreed to.

    Attributes:
        named: the table.
        settings: the settings with it.
        path: the file it was written into, None if it holds for this session only.
    """

    named: NamedTable
    settings: Settings
    path: Path | None

    @property
    def asked_for(self) -> str | None:
        """The dialect to open a deck in: the table's, where the settings do not say it themselves."""
        return None if self.path is not None else self.named.name


class Without(Enum):
    """What happens to a file whose table was declined: it is opened without the table, or left alone."""

    OPENED = auto()
    LEFT = auto()


class GuessedTable(TwoPanes[Taken | Without]):
    """A table to correct, and beside it what it reads."""

    DEFAULT_CSS = """
    GuessedTable {
        TurnEditor { height: 3fr; padding: 0 1; }
        TextView { height: 2fr; }
        &.-wide TurnEditor, &.-wide TextView { height: 1fr; }
    }
    """

    answers: ClassVar[Mapping[str, Any]] = {"escape": Without.OPENED, "ctrl+q": Without.LEFT}

    def __init__(self, unknown: Unknown, settings: Settings) -> None:
        super().__init__()
        self._unknown = unknown
        self._settings = settings
        self._trial: Trial | SettingsError = self._tried(unknown.text)
        self.editor = TurnEditor()
        self.view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the table and what it reads."""
        with Container(classes="box"):
            yield self.editor
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show the table as it was guessed."""
        self._show_guess()

    def _show_guess(self) -> None:
        name = visible(self._unknown.path.name)
        self.editor.border_title = Content(f"Guessed for {name}, which no dialect knows")
        caption(self.editor, f"taken, it is written into {PROJECT_FILE}")
        self.view.border_title = Content(f"{name} read with it, as {KINDS[self._unknown.setting]}")
        self.editor.take(self._unknown.text)
        self.editor.move_cursor((0, 0))
        self.editor.focus()
        self.view.show(self._rows, keep=False)

    def on_text_area_changed(self, _message: TextArea.Changed) -> None:
        """Try the table as it is now."""
        self._trial = self._tried(self.editor.value)
        self.view.show(self._rows)

    def on_descendant_focus(self) -> None:
        """Show the keys of what has the focus."""
        table = Hint("ctrl+s", "Take it"), Hint("f2", "For now only")
        reading = self.focused is self.view
        moving = (Hint("tab", "Correct it"), *READING) if reading else (Hint("tab", "What it reads"),)
        other = Hint("f3", f"It is {KINDS[_OTHER[self._unknown.setting]]}")
        out = Hint("escape", "As guessed" if self._unknown.setting == RESULTS else "Without it")
        self.footer.show([*table, other, *moving, Hint("ctrl+q", "Leave it"), out])

    def take_key(self, event: events.Key) -> bool:
        """Take the table, or leave without it; scroll what it reads."""
        if event.key in ("ctrl+s", "f2"):
            self._take(lasting=event.key == "ctrl+s")
        elif event.key == "f3":
            self._take_for_other()
        else:
            return self.focused is self.view and move_by_key(self.view, event.key)
        return True

    def _take(self, *, lasting: bool) -> None:
        text = self.editor.value
        trial = self._tried(text)
        if isinstance(trial, SettingsError):
            self._refuse(f"{place_of(trial)}{trial.message}")
            self._go_to(trial)
            return
        if not trial.read or (lasting and trial.why):
            self._refuse(trial.why)
            return
        path = None
        if lasting:
            try:
                path = take_table(self._unknown.path.parent, text)
            except SettingsError as error:
                self._refuse(str(error))
                return
        named = trial.named
        origin = str(path or _THIS_TIME)
        settings = self._settings.under({named.setting: {named.name: named.table}}, origin)  # type: ignore[dict-item]
        if named.view is not None:
            settings = settings.under({VIEW: {named.name: named.view}}, origin)
        self.dismiss(Taken(named, settings, path))

    def _take_for_other(self) -> None:
        """Take the file for results if it was for a deck, or the other way round, with what is guessed for that."""
        other = self._unknown.guess_other()
        if other is None:
            kind = KINDS[_OTHER[self._unknown.setting]]
            self._refuse(f"nothing in it is to be read as {kind}")
            return
        self._unknown = other
        self._trial = self._tried(other.text)
        self._show_guess()
        self.on_descendant_focus()

    def _tried(self, text: str) -> Trial | SettingsError:
        try:
            return self._unknown.tried(text)
        except SettingsError as error:
            return error

    def _rows(self, width: int) -> list[Row]:
        return trial_rows(self._unknown, self._trial, width)

    def _refuse(self, why: str) -> None:
        self.footer.message_line.say(f"✖ {visible(why)}", "warning-bold")

    def _go_to(self, error: SettingsError) -> None:
        if error.line is not None:
            self.editor.focus()
            column = error.column or 1
            self.editor.move_cursor((error.line - 1, column - 1))


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
            screen = self._taken(answer) if isinstance(answer, Taken) else self._usual()
        except SampleUIError as error:  # the file is another one by now
            self.app.exit(2, message=visible(f"sampleui: {error}"))
            return
        self.app.push_screen(screen)
