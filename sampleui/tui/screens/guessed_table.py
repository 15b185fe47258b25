"""The box for a file of no known dialect: the table that was guessed for it, and what the table reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widgets import TextArea

from sampleui.errors import SampleUIError, SettingsError
from sampleui.formats.data import Table
from sampleui.review.record import Outcome
from sampleui.settings.options import PROJECT_FILE, Settings
from sampleui.settings.vocabulary import UserTable
from sampleui.settings.writing import DIALECTS, RESULTS, VIEW, NamedTable, take_table
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import counted
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.screens.dialogs import TwoPanes
from sampleui.tui.screens.panes import resize
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.text_view import READING, TextView, move_by_key
from sampleui.tui.widgets.turn_editor import TurnEditor
from sampleui.tui.widgets.virtual_list import VirtualList
from sampleui.workspace.file_questions import NO_CHOICE, Choice, FileQuestion, choices, questions_of
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


_QUESTION, _PATH = 25, 22


class QuestionList(VirtualList):
    """What is asked of a file, each question with the place that answers it, and below one the other places."""

    scope: ClassVar[str] = "questions"

    def __init__(self) -> None:
        super().__init__()
        self._questions: Sequence[FileQuestion] = ()
        self._paths: Sequence[str] = ()
        self._rows: Sequence[Table] = ()
        self._open: int | None = None
        self._choices: Sequence[Choice] = ()

    def show(self, questions: Sequence[FileQuestion], table: UserTable, rows: Sequence[Table]) -> None:
        """Show where a table says that rows have the answers to questions, with no list of places open."""
        self._questions, self._rows = questions, rows
        self._paths = [question.path(table) for question in questions]
        opened, self._open, self._choices = self._open, None, ()
        resize(self, "height", self.count() + 2)
        self.reload(opened)

    def turn(self) -> tuple[FileQuestion, str] | None:
        """Open or close the list of places of the question under the cursor; return a place that was chosen."""
        number, choice = self._at(self.cursor)
        if choice is not None:
            return self._questions[number], choice.path
        self._open = None if self._open == number else number
        self._choices = () if self._open is None else choices(self._questions[number], self._rows)
        resize(self, "height", self.count() + 2)
        paths = [item.path for item in self._choices]
        chosen = paths.index(self._paths[number]) if self._paths[number] in paths else 0
        self.reload(number if self._open is None else number + 1 + chosen)
        return None

    def _at(self, index: int) -> tuple[int, Choice | None]:
        """Return the number of the question of a row, and the place that it offers; None in the question's own."""
        if self._open is None or index <= self._open:
            return index, None
        below = index - self._open - 1
        if below < len(self._choices):
            return self._open, self._choices[below]
        return index - len(self._choices), None

    def count(self) -> int:
        """Return how many questions there are, and places that are listed."""
        return len(self._questions) + len(self._choices)

    def row(self, index: int, width: int) -> Row:
        """Return a question with the place that answers it and what is there, or a place."""
        number, choice = self._at(index)
        question, path = self._questions[number], self._paths[number]
        if choice is None:
            title, style = f"{question.title:<{_QUESTION}}", "text-bold"
            choice = next((item for item in choices(question, self._rows) if item.path == path), NO_CHOICE)
        else:
            title, style = "  ● " if choice.path == path else "  ○ ", "accent"
        room = _QUESTION + _PATH - len(title)
        named = fitted(one_line(choice.path or "–"), room).ljust(room)
        value = fitted(one_line(choice.value[: 4 * width]), max(width - _QUESTION - _PATH - 1, 0))
        return (style, title), ("accent", f"{named} "), ("muted", value)


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


_CHOOSING = (Hint("enter", "Places"),)


class Without(Enum):
    """What happens to a file whose table was declined: it is opened without the table, or left alone."""

    OPENED = auto()
    LEFT = auto()


class GuessedTable(TwoPanes[Taken | Without]):
    """What is asked of a file, by its places, and below it what these read; by a key, the table as text."""

    DEFAULT_CSS = """
    GuessedTable {
        &.-wide > .box { layout: vertical; }
        TurnEditor { display: none; height: 3fr; padding: 0 1; }
        QuestionList { max-height: 60%; scrollbar-background: $background; }
        TextView { height: 1fr; }
        &.-text TurnEditor { display: block; }
        &.-text QuestionList { display: none; }
        &.-text TextView { height: 2fr; }
    }
    """

    answers: ClassVar[Mapping[str, Any]] = {"escape": Without.OPENED, "ctrl+q": Without.LEFT}

    def __init__(self, unknown: Unknown, settings: Settings) -> None:
        super().__init__()
        self._unknown = unknown
        self._settings = settings
        self._trial: Trial | SettingsError = self._tried(unknown.text)
        self.questions = QuestionList()
        self.editor = TurnEditor()
        self.view = TextView()

    def body(self) -> ComposeResult:
        """Yield the questions, the table as text, and what it reads."""
        yield self.questions
        yield self.editor
        yield self.view

    def on_mount(self) -> None:
        """Show the table as it was guessed."""
        self._show_guess()

    def _show_guess(self) -> None:
        name = visible(self._unknown.path.name)
        for pane in (self.questions, self.editor):
            pane.border_title = Content(f"Guessed for {name}, which no dialect knows")
            caption(pane, f"taken, it is written into {PROJECT_FILE}")
        self.view.border_title = Content(f"{name} read with it, as {KINDS[self._unknown.setting]}")
        self.editor.take(self._unknown.text)
        self.editor.move_cursor((0, 0))
        self._show_questions()
        self.set_focus(self.editor if self.has_class("-text") else self.questions)
        self.view.show(self._rows, keep=False)

    def _show_questions(self) -> None:
        if isinstance(self._trial, Trial):
            named = self._trial.named
            self.questions.show(questions_of(named.setting), named.table, self._unknown.rows)

    def on_text_area_changed(self, _message: TextArea.Changed) -> None:
        """Try the table as it is now."""
        self._try()

    def _try(self) -> None:
        self._trial = self._tried(self.editor.value)
        self._show_questions()
        self.view.show(self._rows)

    def on_virtual_list_chosen(self) -> None:
        """Show the places that may answer a question, or take the one that was chosen."""
        chosen = self.questions.turn()
        if chosen is not None:
            self.editor.take(self._unknown.answered(*chosen, self.editor.value))
            self._try()

    def on_descendant_focus(self) -> None:
        """Show the keys of what has the focus."""
        table = Hint("ctrl+s", "Take it"), Hint("f2", "For now only")
        reading = self.focused is self.view
        moving = [Hint("tab", "Correct it"), *READING] if reading else [Hint("tab", "What it reads")]
        turned = Hint("f4", "Questions" if self.has_class("-text") else "TOML")
        moving = [*(_CHOOSING if self.focused is self.questions else ()), turned, *moving]
        other = Hint("f3", f"It is {KINDS[_OTHER[self._unknown.setting]]}")
        out = Hint("escape", "As guessed" if self._unknown.setting == RESULTS else "Without it")
        self.footer.show([*table, other, *moving, Hint("ctrl+q", "Leave it"), out])

    def take_key(self, event: events.Key) -> bool:
        """Take the table, or leave without it; scroll what it reads."""
        if event.key in ("ctrl+s", "f2"):
            self._take(lasting=event.key == "ctrl+s")
        elif event.key == "f3":
            self._take_for_other()
        elif event.key == "f4":
            self._turn_text()
        elif event.key == "enter" and self.focused is self.questions:
            self.on_virtual_list_chosen()
        else:
            pane = next((pane for pane in (self.questions, self.view) if pane is self.focused), None)
            return pane is not None and move_by_key(pane, event.key)
        return True

    def _turn_text(self, *, to_text: bool | None = None) -> None:
        self.set_class(not self.has_class("-text") if to_text is None else to_text, "-text")
        self.set_focus(self.editor if self.has_class("-text") else self.questions)

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
        settings = self._settings.under({named.setting: {named.name: named.table}}, origin)
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
            self._turn_text(to_text=True)
            column = error.column or 1
            self.editor.move_cursor((error.line - 1, column - 1))


class UnknownScreen(Screen[int]):
    """Offers the table that is guessed for a file, and gives way to the file.

    Args:
        unknown: the file.
        settings: the settings, without the table.
        opened: makes the screen of the file with the table that was taken, or without one.
    """

    def __init__(self, unknown: Unknown, settings: Settings, opened: Callable[[Taken | None], Screen[int]]) -> None:
        super().__init__()
        self._unknown = unknown
        self._settings = settings
        self._opened = opened

    def on_mount(self) -> None:
        """Show the table."""
        self.app.push_screen(GuessedTable(self._unknown, self._settings), self._answered)

    def _answered(self, answer: Taken | Without | None) -> None:
        if answer is Without.LEFT:
            self.app.exit(0)
            return
        try:
            screen = self._opened(answer if isinstance(answer, Taken) else None)
        except SampleUIError as error:  # the file is another one by now
            self.app.exit(2, message=visible(f"sampleui: {error}"))
            return
        self.app.push_screen(screen)
