"""The screens for a file that is no deck yet: large and being read, missing, or broken."""

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

from sampleui.errors import DeckError, SampleUIError
from sampleui.sample.dialects.shipped import Dialect
from sampleui.settings.options import Settings
from sampleui.text.confined import read_whole, size_and_time, size_of
from sampleui.text.limits import MAX_DECK_BYTES, MAX_LINES_AROUND_ERROR
from sampleui.text.visible import visible
from sampleui.tui.author.disk import POLL_S
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.external_editor import edit_place
from sampleui.tui.screens.base import is_above_another
from sampleui.tui.screens.dialogs import Confirm, Footer, Pick
from sampleui.tui.textual_internals import COMMANDS, tell
from sampleui.tui.widgets.bars import Title, TitleBar
from sampleui.tui.widgets.text_view import READING, TextView, move_by_key
from sampleui.workspace.deck import new_deck
from sampleui.workspace.reading import PromptOptions, dialects_of_new, usual_dialects


class LoadingScreen(Screen[int]):
    """Says what is read, and gives way to the deck, which is given the keys that were typed meanwhile.

    `read` reads it and returns what makes its screen.
    """

    at_once: ClassVar[frozenset[str]] = frozenset({"ctrl+q"})

    def __init__(self, path: Path, read: Callable[[], Callable[[], Screen[int]]]) -> None:
        super().__init__()
        self._path = path
        self._made_by = read

    def compose(self) -> ComposeResult:
        """Yield one line."""
        size = size_of(self._path) / 1_000_000
        with Middle(), Center():
            yield Static(Content(f"reading {visible(self._path.name)}, {size:,.0f} MB …"), expand=False)

    def on_mount(self) -> None:
        """Read off the thread that draws."""
        self.run_worker(self._read, thread=True, group=COMMANDS)

    def on_key(self, event: events.Key) -> None:
        """Leave without waiting."""
        if event.key == "ctrl+q":
            self.app.exit(0)

    def _read(self) -> None:
        try:
            make_screen = self._made_by()
        except SampleUIError as error:
            tell(self, self.app.exit, 2, message=visible(f"sampleui: {error}"))
        else:
            tell(self, lambda: self.app.push_screen(make_screen()))


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
        offered = [*self._offered().values()]
        self._answers = dict(zip(_KEYS, offered, strict=False))
        usual = {_KEYS[0]: f", usual for {self._path.suffix}"}
        answers = {
            key: f"Create it as a deck for {item.title}{usual.get(key, '')}\n       {item.purpose}".rstrip()
            for key, item in self._answers.items()
        }
        if self._dialect:
            answers = {_KEYS[0]: "Create it: begin a new deck"}
        if len(offered) > len(_KEYS):
            answers[_MORE] = "Create it for another tool"
        self.app.push_screen(Confirm(f"{self._path} does not exist.", answers), self._answered)

    def _offered(self) -> dict[str, Dialect]:
        """Return the dialects to choose from by their titles, the usual one of the format first."""
        prompts = PromptOptions.of(self._settings)
        if self._dialect is None:
            return dialects_of_new(self._path, prompts)
        every = (*usual_dialects(self._path), *prompts.dialects)
        return {item.title: item for item in every if item.name == self._dialect}

    def _answered(self, answer: str | None) -> None:
        if answer == _MORE:
            purposes = {title: item.purpose for title, item in [*self._offered().items()][len(_KEYS) :]}
            self.app.push_screen(Pick(f"{self._path.name} is new: its dialect", purposes), self._picked)
        elif not answer:
            self.app.exit(0)
        else:
            self._begin(self._answers[answer])

    def _picked(self, title: str | None) -> None:
        if title:
            self._begin(self._offered()[title])
        else:
            self.on_mount()

    def _begin(self, dialect: Dialect) -> None:
        deck = new_deck(self._path, dialect.name, PromptOptions.of(self._settings))
        self.app.push_screen(AuthorScreen(deck, self._settings))


class BrokenScreen(Screen[int]):
    """Shows what cannot be edited, and where it went wrong.

    The file is watched and read again when it changes. `E` opens it at the error in $EDITOR, `r` reads it again,
    `ctrl+q`, `q` or `escape` leaves. `again` reads it and returns what makes its screen.
    """

    DEFAULT_CSS = """
    BrokenScreen TextView {
        height: 1fr; border: round $error; border-title-color: $error; border-subtitle-color: $text-muted;
        padding: 0 1;
    }
    """

    def __init__(
        self, path: Path, error: DeckError, settings: Settings, again: Callable[[], Callable[[], Screen[int]]]
    ) -> None:
        super().__init__()
        self._path = path
        self._settings = settings
        self._again = again
        self._view = TextView()
        self._take(error)
        self._title_bar = TitleBar()
        self._footer = Footer((Hint("E", "Edit here"), Hint("r", "Read again"), *READING, Hint("escape", "Quit")))

    def _take(self, error: DeckError) -> None:
        """Show an error; the text is read again."""
        assert error.line is not None
        self._file = error.path or self._path
        self._line = error.line
        self.error = error
        self._read = self._seen = self._stamps()
        self._lines = _lines(self._file)

    def _stamps(self) -> tuple[tuple[int, int] | None, ...]:
        """Return by what it is seen that a file changed: of the deck, and of the file of it that has the error."""
        return tuple(map(size_and_time, dict.fromkeys((self._path, self._file))))

    def compose(self) -> ComposeResult:
        """Yield the text."""
        yield self._title_bar
        yield self._view
        yield self._footer

    def on_mount(self) -> None:
        """Show the text from a little above the error, and watch the file."""
        self._show_text()
        self.set_interval(POLL_S / 2, self._look)

    def _look(self) -> None:
        """Read the file again once it has changed, and has stayed as it is since the last look."""
        before, self._seen = self._seen, self._stamps()
        if self.is_current and self._seen == before != self._read and all(self._seen):
            self._read = self._seen
            self._read_again()

    def _show_text(self) -> None:
        error = self.error
        position = f"line {self._line}" + (f", column {error.column}" if error.column else "")
        self._view.border_title = Content(visible(f"✖ {position}: {error.message}"))
        self._title_bar.show(Title(self._file.name, state="read-only", problems=("error-bold", "✖ not a deck")))
        self._view.show(self._rows)
        self.call_after_refresh(self._show_error)

    def _show_error(self) -> None:
        marked = next((index for index, row in enumerate(self._view.rows) if row[0][0] == "error-bold"), 0)
        self._view.scroll_to(y=max(marked - 5, 0), animate=False)

    def _rows(self, width: int) -> list[Row]:
        wide = len(str(len(self._lines)))
        first = max(self._line - MAX_LINES_AROUND_ERROR // 2, 1)
        rows: list[Row] = []
        for number, line in enumerate(self._lines[first - 1 : first - 1 + MAX_LINES_AROUND_ERROR], first):
            wrong = number == self._line
            wrapped = text_rows(line.removesuffix("\r"), "text" if wrong else "muted", width - wide - 3)
            head = ("error-bold", f"{number:>{wide}} ▶ ") if wrong else ("faint", f"{number:>{wide}}   ")
            rows += [
                (head if index == 0 else ("faint", " " * (wide + 3)), *row) for index, row in enumerate(wrapped)
            ]
        return rows

    def on_key(self, event: events.Key) -> None:
        """Scroll, read again or leave."""
        event.stop()
        self._footer.message_line.hush()
        if move_by_key(self._view, event.key):
            return
        if event.key in ("r", "ctrl+l"):
            self._read_again()
        elif event.key == "E":
            self._edit()
        elif event.key in ("q", "ctrl+q", "escape"):
            self.dismiss() if is_above_another(self) else self.app.exit(0)
        else:
            key = event.character if event.is_printable and event.character else event.key
            self._footer.refuse(key, "does nothing here")

    def _edit(self) -> None:
        try:
            edit_place(self.app, self._settings.editor, self._file, self._line)
        except SampleUIError as error:
            self._view.border_title = Content(visible(f"✖ {error}"))
            return
        self._read_again()

    def _read_again(self) -> None:
        if not self.is_current:
            return  # it was read just now, and is open
        try:
            screen = self._again()()
        except SampleUIError as error:
            self._view.border_title = Content(visible(f"✖ {error}"))
            return
        if isinstance(screen, BrokenScreen):
            self._take(screen.error)
            self._show_text()
        else:
            self.app.push_screen(screen, lambda _: self.dismiss())


def _lines(path: Path) -> list[str]:
    """Return the lines of a file, none if it is gone by now."""
    try:
        return read_whole(path, MAX_DECK_BYTES).decode("utf-8", "replace").split("\n")
    except OSError:
        return []
