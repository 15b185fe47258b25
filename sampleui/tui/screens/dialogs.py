"""Boxes over a screen: what they share, and small questions: answers by keys, lists to pick from, lines."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Container, Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from sampleui.errors import SampleUIError
from sampleui.text.confined import below, is_file, is_inside, is_link, project_root, real_path
from sampleui.text.limits import MAX_PROJECT_FILES
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import apart
from sampleui.tui.commands import UNBOUND_S, Hint, key_label
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.terminal import stop
from sampleui.tui.textual_internals import Answer, StackedScreen
from sampleui.tui.themes import use_theme
from sampleui.tui.widgets.bars import PLAIN, KeyBar, MessageLine
from sampleui.tui.widgets.line_input import LineInput
from sampleui.tui.widgets.text_view import READING, TextView, move_by_key
from sampleui.tui.widgets.virtual_list import CURSOR_MARK, RowList, VirtualList


class Footer(Container):
    """The last two lines of a box: its message, and its keys."""

    DEFAULT_CSS = """
    Footer { dock: bottom; height: auto; width: 1fr; background: $surface; }
    """

    def __init__(self, hints: Sequence[Hint]) -> None:
        super().__init__()
        self.message_line = MessageLine()
        self.key_bar = KeyBar()
        self.more: Sequence[Hint] = ()
        self.show(hints)

    def compose(self) -> ComposeResult:
        """Yield the lines."""
        yield self.message_line
        yield self.key_bar

    def show(self, hints: Sequence[Hint]) -> None:
        """Show other keys; the one that gets out always fits."""
        out = [hint for hint in hints if hint.key == "escape"]
        self.key_bar.show([*(hint for hint in hints if hint not in out), *self.more], out)

    def refuse(self, key: str, why: str) -> None:
        """Say that a key does nothing."""
        self.message_line.say(f"– {one_line(key_label(key))} {why}", "muted")

    def on_key_bar_pressed(self, message: KeyBar.Pressed) -> None:
        """Take a click on a key for the key."""
        message.stop()
        key = message.hint.key
        self.app.post_message(events.Key(key, key if len(key) == 1 else None))


class Overlay(ModalScreen[Answer], StackedScreen[Answer]):
    """A box over the screen. A subclass says what is in it by `body`, and takes the keys it knows in `take_key`.

    Attributes:
        frame: the box, with a title in its border where it has one.
    """

    hints: ClassVar[Sequence[Hint]] = ()
    """The keys that work in it."""

    answers: ClassVar[Mapping[str, Any]] = {"escape": None}
    """The keys that close it, with what they answer."""

    DEFAULT_CSS = """
    Overlay {
        align: center middle; background: $background 60%;
        & > .box {
            width: 64; max-width: 90%; height: auto; max-height: 100%; padding: 1 2; background: $surface;
            border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
        }
        &.wide > .box { width: 110; max-width: 96%; }
        Input { border: none; height: 1; padding: 0 1; background: $panel; }
        Input:focus { border: none; }
    }
    """

    def __init__(
        self, title: str = "", hints: Sequence[Hint] = (), answers: Mapping[str, Answer | None] | None = None
    ) -> None:
        super().__init__()
        self.frame = Vertical(classes="box")
        if title:
            self.frame.border_title = Content(visible(title))
        self.footer = Footer(hints or self.hints)
        self._answers = self.answers if answers is None else answers
        self._in_vain_until = 0.0

    def body(self) -> ComposeResult:
        """Yield what is in the box."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        """Yield the box and its keys."""
        with self.frame:
            yield from self.body()
        yield self.footer

    def answer_too(self, answers: Mapping[str, Answer], *hints: Hint) -> None:
        """Let more keys answer, and say so by hints."""
        self._answers = {**self._answers, **answers}
        self.footer.more = hints
        self.footer.show(self.hints)

    def take_key(self, event: events.Key) -> bool:
        """Do what any other key says; tell whether it is one that is known here."""
        return False

    def on_key(self, event: events.Key) -> None:
        """Do what a key says, or else say that it does nothing; so does a letter that goes on with such a key."""
        self.footer.message_line.hush()
        typed = event.character if event.is_printable and event.character else ""
        goes_on = bool(typed) and event.time < self._in_vain_until
        if not goes_on and event.key in self._answers:
            event.stop()
            self.dismiss(self._answers[event.key])
        elif not goes_on and self.take_key(event):
            event.stop()
        elif event.key == "ctrl+z":
            event.stop()
            with suppress(SuspendNotSupported):
                stop(self.app)
        elif event.key not in self.active_bindings:
            event.stop()
            self._in_vain_until = event.time + UNBOUND_S if typed else 0.0
            why = "does nothing right after a key that did nothing" if goes_on else "does nothing here"
            self.footer.refuse(typed or event.key, why)


class Scrolled(Overlay[Answer]):
    """Rows under a title. Some keys answer and leave, the others scroll."""

    DEFAULT_CSS = """
    Scrolled > .box { width: 110; max-width: 96%; height: 90%; padding: 0 1; }
    """
    hints: ClassVar[Sequence[Hint]] = (*READING, Hint("escape", "Close"))

    def __init__(
        self,
        title: str,
        rows: Callable[[int], Sequence[Row]],
        answers: Mapping[str, Answer],
        hints: Sequence[Hint] = (),
    ) -> None:
        super().__init__(title, hints, answers)
        self.view = TextView()
        self.rows = rows

    def body(self) -> ComposeResult:
        """Yield the rows."""
        yield self.view

    def on_mount(self) -> None:
        """Show the rows."""
        self.view.focus()
        self.view.show(self.rows)

    def take_key(self, event: events.Key) -> bool:
        """Scroll."""
        return move_by_key(self.view, event.key)


WIDE = 100
"""Columns from which two panes have room beside each other."""


class TwoPanes(Overlay[Answer]):
    """Something to change and what it shows, over the whole screen: side by side where there is room."""

    DEFAULT_CSS = """
    TwoPanes {
        & > .box {
            width: 100%; max-width: 100%; height: 1fr; padding: 0; border: none;
            background: $background; layout: vertical;
        }
        & > .box > * {
            height: 1fr; width: 1fr; border: round $text-edge; border-title-color: $text-muted;
            border-subtitle-color: $text-faint; background: $background;
            &:focus { border: round $accent; border-title-color: $accent; border-title-style: bold; }
        }
        TextView { padding: 0 1; scrollbar-background: $background; scrollbar-color: $text-edge; }
        &.-wide > .box { layout: horizontal; }
    }
    """

    def on_resize(self) -> None:
        """Stand side by side if there is room."""
        self.set_class(self.size.width >= WIDE, "-wide")


STEPS = {"down": 1, "up": -1, "j": 1, "k": -1}
"""Keys that move from one answer to another."""


class Confirm(Overlay[str]):
    """A question with a few answers, each a key. Escape answers nothing.

    The cursor is on the first answer, which `Enter` gives; on what leaves all as it is, `cancel`, if that is `safe`
    while an answer loses something. The keys of `again` do what `Enter` does.
    """

    DEFAULT_CSS = """
    Confirm .answer { height: auto; }
    Confirm .chosen { background: $text-cursor; }
    """

    hints = (Hint("enter", "Choose"), Hint("j", "Next"), Hint("k", "Previous"), Hint("escape", "Cancel"))

    def __init__(
        self,
        question: str,
        answers: Mapping[str, str],
        cancel: str = "Cancel",
        *,
        safe: bool = False,
        again: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._again = again
        self._keys = ["", *answers] if safe else [*answers, ""]
        self._texts = {**answers, "": cancel}
        self._question = question
        self._cursor = 0

    def body(self) -> ComposeResult:
        """Yield the question and its answers."""
        yield Static(Content(visible(self._question) + "\n"))
        yield from (Static(classes="answer") for _ in self._keys)

    def on_mount(self) -> None:
        """Show which answer has the cursor."""
        self._show_cursor()

    def _show_cursor(self) -> None:
        """Mark the answer with the cursor; for a screen reader show it alone, with its place among the others."""
        is_plain = self.app.has_class(PLAIN)
        for row, (key, answer) in enumerate(zip(self._keys, self.query(".answer").results(Static), strict=True)):
            chosen = row == self._cursor
            mark = CURSOR_MARK if chosen and not is_plain else " " * len(CURSOR_MARK)
            position = f"  {row + 1} of {len(self._keys)}" if is_plain else ""
            answer.set_class(chosen, "chosen")
            answer.display = chosen or not is_plain
            text = f"  {self._texts[key]}{position}"
            answer.update(Content.assemble((f"{mark}{key or 'esc':>3}", "bold $accent"), text))

    def take_key(self, event: events.Key) -> bool:
        """Answer by a key, or move the cursor."""
        if event.key == "enter":
            self.dismiss(self._keys[self._cursor])
        elif event.character and event.character in self._texts:
            self.dismiss(event.character)
        elif event.key in self._again or event.character in self._again:
            self.dismiss(self._keys[self._cursor])
        elif event.key in STEPS:
            self._cursor = (self._cursor + STEPS[event.key]) % len(self._keys)
            self._show_cursor()
        else:
            return False
        return True

    def on_click(self, event: events.Click) -> None:
        """Give the answer that was clicked."""
        rows = [*self.query(".answer")]
        if event.widget in rows:
            self.dismiss(self._keys[rows.index(event.widget)])


_AROUND_ROWS, _WIDEST, _MEASURED = 10, 150, 500
"""Cells of a list's box beside its names, the most that it has by itself, and how many names are measured."""

_WHILE_TYPING = {"j": "down", "k": "up"}
"""The keys that move in a list where letters narrow it."""


class NarrowingInput(LineInput):
    """The field that narrows a list. While it is empty, `j` and `k` move in the list, as they do in every other.

    The letter after a single one of them makes a word of both: `js` narrows by `js`, if that matches a thing. After
    `/` all letters are letters; where any text may be typed, a `/` is typed as it is.
    """

    def __init__(self, choices: VirtualList, placeholder: str, *, texts: bool) -> None:
        super().__init__(placeholder=placeholder)
        self._choices = choices
        self._texts = texts
        self._moves = ""
        self._narrows = False
        self._begun = ""

    def on_key(self, event: events.Key) -> None:
        """Move by a letter as long as no word is begun."""
        moves, self._moves = self._moves, ""
        if self.value or self._narrows:
            self._narrows = False
        elif event.character in ("j", "k"):
            self._moves = moves + event.character
            self._choices.step(STEPS[event.character])
            event.stop()
            event.prevent_default()
        elif event.character == "/" and not self._texts and not moves:
            self._narrows = True
            event.stop()
            event.prevent_default()
        elif event.is_printable:
            self._begun = moves if len(moves) == 1 else ""
            self.insert_text_at_cursor(self._begun)

    def without_move(self) -> bool:
        """Take a letter that moved out of the word again, which nothing matches; tell whether there was one."""
        begun, self._begun = self._begun, ""
        if not begun or not self.value.startswith(begun):
            return False
        self.value = self.value.removeprefix(begun)
        return True


class Pick(Overlay[str]):
    """A list to pick from by typing a part of a name.

    With `free`, what was typed may be the answer, with `texts` whatever it begins with: a path, a value.
    """

    DEFAULT_CSS = """
    Pick RowList { max-height: 14; margin-top: 1; }
    """
    hints: ClassVar[Sequence[Hint]] = (
        Hint("enter", "Choose"),
        Hint("j", "Next"),
        Hint("k", "Previous"),
        Hint("escape", "Cancel"),
    )
    placeholder: ClassVar[str] = ""
    """What the empty field asks for."""

    def __init__(
        self,
        title: str,
        names: Sequence[str] | Mapping[str, str],
        *,
        first: int = 0,
        free: bool = False,
        texts: bool = False,
        wide: bool = False,
    ) -> None:
        """Offer names, each with what it is for if that is known, the cursor on the `first` row at first."""
        super().__init__(title)
        self.set_class(wide, "wide")
        self._names: Sequence[str] = [*names]
        self._first = first
        self._free = free or texts
        self._texts = texts
        self._most = 0
        self._list = RowList[str]("choices", tells_place=True)
        self._purposes: Mapping[str, str] = names if isinstance(names, Mapping) else {}
        self._typed = ""
        self._shortened: tuple[int, Mapping[str, str]] = 0, {}

    def body(self) -> ComposeResult:
        """Yield the field and the list."""
        other = "write another" if self._texts else "a new one"
        usual = f"type to narrow, or {other}" if self._free else "type to narrow"
        yield NarrowingInput(self._list, self.placeholder or usual, texts=self._texts)
        yield self._list

    def on_mount(self) -> None:
        """Show every name, in a box as wide as they are where there is room."""
        wide = max((cell_len(visible(name)) for name in self._names[:_MEASURED]), default=0)
        wide += max(map(cell_len, self._purposes.values()), default=0) + 2
        self.frame.styles.min_width = min(wide + _AROUND_ROWS, _WIDEST)
        self._most = len(self._names) + 2 * self._free  # with what is typed
        self.show(self._names)
        self._list.reload(self._first)

    def fits(self, name: str, typed: str) -> bool:
        """Tell whether a name holds what was typed."""
        return typed.casefold() in name.casefold()

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the names that hold what was typed, and last what was typed if that may be the answer."""
        found = [name for name in self._names if self.fits(name, typed)]
        text = typed.strip()
        self._typed = text if self._free and text not in found else ""
        return [*found, self._typed] if self._typed else found

    def row(self, name: str, width: int) -> Row:
        """Return the row of a name, shortened where there is no room so that it differs from the others."""
        if self._shortened[0] != width:
            self._shortened = width, apart(map(visible, self._list.items), max(width - 1, 1))
        shown = f" {self._shortened[1][visible(name)]}"
        if purpose := self._purposes.get(name):
            wide = max(map(cell_len, self._purposes))
            return (("text", f"{shown:<{wide + 1}}"), ("muted", fitted(f"  {purpose}", max(width - wide - 1, 0))))
        return (("text", shown), ("muted", "  as typed" if name == self._typed else ""))

    def rows_for(self, count: int) -> int:
        """Return how many lines the list gets for some names: for a screen reader the one with the cursor."""
        return 1 if self.app.has_class(PLAIN) else max(min(count, 14), 1)

    def show(self, names: Sequence[str]) -> None:
        """Show other names. The list keeps its lines as it gets fewer, so that the field stands still."""
        self._most = max(self._most, len(names))
        self._list.styles.height = self.rows_for(self._most)
        self._shortened = 0, {}
        self._list.show(names, self.row, 0)
        narrowed = bool(self.query_one(NarrowingInput).value)
        hints = [
            hint._replace(key=_WHILE_TYPING.get(hint.key, hint.key)) if narrowed else hint for hint in self.hints
        ]
        self.footer.show(hints if names else [hint for hint in hints if hint.key == "escape"])
        self.footer.message_line.show_status("" if names else "– nothing matches", "muted")

    @property
    def picked(self) -> str:
        """The name with the cursor, empty for none."""
        return self._list.items[self._list.cursor] if self._list.items else ""

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the names that match what was typed."""
        names = self.narrowed(event.value)
        if names or not self.query_one(NarrowingInput).without_move():
            self.show(names)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the row that has the cursor, or with what was typed."""
        typed = event.value.strip()
        if self._list.items:
            self.answer(self.picked)
        elif self._free and typed:
            self.dismiss(typed)

    def on_virtual_list_chosen(self) -> None:
        """Answer with the row that was clicked."""
        self.answer(self.picked)

    def answer(self, name: str) -> None:
        """Answer with a name of the list."""
        self.dismiss(name)

    def take_key(self, event: events.Key) -> bool:
        """Move in the list while the field keeps the focus."""
        key = {"ctrl+n": "down", "ctrl+p": "up"}.get(event.key, event.key)
        return key in ("down", "up", "pagedown", "pageup") and move_by_key(self._list, key)


_TITLE = 57
"""Cells that a title may have in the border of a box that is not wide."""


class Ask(Overlay[str]):
    """One line to write. Escape answers nothing."""

    def __init__(self, title: str, text: str = "", verb: str = "Take it") -> None:
        super().__init__(title, (Hint("enter", verb), Hint("escape", "Cancel")))
        self.set_class(cell_len(title) > _TITLE, "wide")
        self._text = text

    def body(self) -> ComposeResult:
        """Yield the field."""
        yield LineInput(value=self._text, select_on_focus=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with what was written, blanks around it included."""
        self.dismiss(event.value)


class FormField(NamedTuple):
    """A line of a form.

    Attributes:
        value: what it holds at first.
        hint: what may be written there, shown beside it.
    """

    name: str
    value: str
    hint: str


class Form(Overlay[str]):
    """Some lines to write, each with a name. Answers with the first; `values` has all of them."""

    DEFAULT_CSS = """
    Form > .box { width: 76; }
    Form Horizontal { height: auto; margin-bottom: 1; }
    Form Horizontal > .name { width: 11; }
    Form Horizontal > .hint { width: 1fr; color: $text-muted; padding: 0 0 0 2; }
    Form Input { width: 22; }
    """
    hints: ClassVar[Sequence[Hint]] = (
        Hint("enter", "Take it"),
        Hint("tab", "Next line"),
        Hint("shift+tab", "Line before"),
        Hint("escape", "Cancel"),
    )

    def __init__(self, title: str, fields: Sequence[FormField], check: Callable[[Sequence[str]], object]) -> None:
        """Let lines be written until `check` takes their values; what it refuses with is said."""
        super().__init__(title)
        self._fields = fields
        self._check = check
        self._inputs = [LineInput(value=field.value, select_on_focus=True) for field in fields]

    @property
    def values(self) -> list[str]:
        """What the lines hold."""
        return [field.value.strip() for field in self._inputs]

    def body(self) -> ComposeResult:
        """Yield the lines."""
        for field, line in zip(self._fields, self._inputs, strict=True):
            with Horizontal():
                yield Static(Content(field.name), classes="name")
                yield line
                yield Static(Content(visible(field.hint)), classes="hint")

    def on_input_submitted(self) -> None:
        """Answer, unless the values are refused."""
        try:
            self._check(self.values)
        except SampleUIError as error:
            self.footer.message_line.say(f"– {one_line(str(error))}", "muted")
            return
        self.dismiss(self.values[0])

    def take_key(self, event: events.Key) -> bool:
        """Go to another line, or leave without an answer."""
        moves = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1}
        if event.key in moves and self.focused in self._inputs:
            here = self._inputs.index(self.focused)
            self._inputs[(here + moves[event.key]) % len(self._inputs)].focus()
        else:
            return False
        return True


class Write(Overlay[str]):
    """A text of several lines to write. Escape answers nothing."""

    DEFAULT_CSS = """
    Write > .box { width: 90%; }
    Write TurnEditor { max-height: 16; background: $panel; }
    """
    hints = (Hint("ctrl+s", "Take it"), Hint("escape", "Cancel"))

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__(title)
        self._text = text
        from sampleui.tui.widgets.turn_editor import TurnEditor  # upon Textual's text area, which is slow to import

        self._editor = TurnEditor()

    def body(self) -> ComposeResult:
        """Yield the text."""
        yield self._editor

    def on_mount(self) -> None:
        """Show the text that is there."""
        self._editor.take(self._text)
        self._editor.focus()

    def take_key(self, event: events.Key) -> bool:
        """Answer with what was written."""
        if event.key != "ctrl+s":
            return False
        self.dismiss(self._editor.value)
        return True


_SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "venv"})


def project_files(folder: Path) -> list[str]:
    """Return the regular files under the project's root, nearest to the folder first, at most 5,000.

    Links that lead out of the root are left out.
    """
    folder, root = real_path(folder), project_root(folder)
    paths: list[str] = []
    for base, folders, files in below(root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        paths += [
            os.path.relpath(base / name, folder)
            for name in sorted(files)
            if not name.startswith(".") and _is_file_in(root, base / name)
        ]
        if len(paths) >= MAX_PROJECT_FILES:
            break
    return sorted(paths[:MAX_PROJECT_FILES], key=lambda name: (name.count(os.sep), name.startswith(".."), name))


def _is_file_in(root: Path, path: Path) -> bool:
    """Tell whether a path below a root is a regular file, and, if it is a link, one below the root too."""
    return is_file(path) and (not is_link(path) or is_inside(path, root))


_LIKELY = frozenset(
    {".md", ".txt", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".wav", ".mp3", ".csv"}
)


def likely_first(names: Sequence[str]) -> list[str]:
    """Return names of files, those first whose kind is often attached to a question; in each part as before."""
    return sorted(names, key=lambda name: Path(name).suffix.lower() not in _LIKELY)


class ThemePicker(Pick):
    """All themes: the shipped ones, the user's own, then Textual's. Escape goes back to the one before."""

    def __init__(self, names: Sequence[str], present: str) -> None:
        super().__init__("Theme", names, first=names.index(present))

    def on_virtual_list_moved(self) -> None:
        """Try the theme on."""
        if self.picked:
            use_theme(self.app, self.picked)
