"""The box in which a view is edited: its fields, and beside them what it shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.content import Content

from sampleui.errors import SettingsError
from sampleui.sample.sections import Section
from sampleui.settings.options import PROJECT_FILE, Settings
from sampleui.settings.views import Shape, View, ViewField
from sampleui.settings.writing import keep_view
from sampleui.text.limits import MAX_VIEW_FIELDS
from sampleui.text.visible import one_line, visible
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.drawing.sections import Area, section_rows
from sampleui.tui.screens.dialogs import Ask, TwoPanes
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.text_view import TextView, move_by_key
from sampleui.tui.widgets.virtual_list import RowList

if TYPE_CHECKING:
    from sampleui.tui.screens.base import CommandScreen

_THIS_SESSION = "this session"
_KIND = len("markdown") + 1
_KINDS = (None, *Shape)


class EditedView(NamedTuple):
    """A view that was agreed to, and the file that it was written into; None if it holds for this session only."""

    view: View
    path: Path | None

    def settings(self, before: Settings, name: str) -> Settings:
        """Return settings with the view under its name."""
        return before.under({"view": {name: self.view}}, str(self.path or _THIS_SESSION))

    def words(self, name: str) -> str:
        """Say what became of it."""
        return f"view.{name} is kept in {self.path}" if self.path else f"view.{name} holds for {_THIS_SESSION}"


def _field_row(field: ViewField, width: int) -> Row:
    """Return a field: whether it is shown, its path, how it is shown, and its heading."""
    sign, style = ("  ", "muted") if field.hidden else ("✓ ", "text")
    kind = "by value" if field.kind is None else str(field.kind)
    room = max(width - len(sign) - _KIND - 1, 8)
    name = fitted(one_line(field.path, 200), room)
    heading = f"  {one_line(field.heading, 100)}" if field.heading else ""
    rest = fitted(heading, max(room - len(name), 0))
    return (
        ("added", sign),
        ("muted" if field.kind is None else "accent", kind.ljust(_KIND)),
        ("text", " "),
        (style, name),
        ("muted", rest),
    )


class ViewEditor(TwoPanes[EditedView]):
    """The fields of a view to move, hide and name, and beside them what they show.

    Args:
        name: what the view is called.
        view: its fields, and after them the others; at least one in all.
        others: fields that it does not name, hidden; those that stay so are not put into it.
        shown: returns what a view shows.
        keep: writes a view into the project's file, and returns that.
    """

    DEFAULT_CSS = """
    ViewEditor {
        &.-wide RowList { width: 2fr; }
        &.-wide TextView { width: 3fr; }
    }
    """

    hints: ClassVar[Sequence[Hint]] = (
        Hint("ctrl+s", "Keep"),
        Hint("space", "In or out"),
        Hint("t", "Kind"),
        Hint("J", "Down"),
        Hint("K", "Up"),
        Hint("N", "Heading"),
        Hint("f2", "For now only"),
        Hint("pagedown", "Scroll"),
        Hint("escape", "Cancel"),
    )

    def __init__(
        self,
        name: str,
        view: View,
        others: View,
        shown: Callable[[View], Sequence[Section]],
        keep: Callable[[View], Path],
    ) -> None:
        super().__init__()
        self._called = name
        self._shown = shown
        self._keep = keep
        self.fields = RowList[ViewField]("fields")
        self.fields.items = view
        self._others = others
        self.view = TextView()
        self.view.can_focus = False

    def body(self) -> ComposeResult:
        """Yield the fields and what they show."""
        yield self.fields
        yield self.view

    def on_mount(self) -> None:
        """Show the view as it is."""
        self.fields.border_title = Content(f"view.{visible(self._called)}")
        caption(self.fields, f"kept in {PROJECT_FILE}")
        self.view.border_title = Content("As it shows this record")
        self.fields.focus()
        self._show()

    def take_key(self, event: events.Key) -> bool:
        """Change the field that has the cursor, move, scroll, or keep the view."""
        index, fields = self.fields.cursor, self.fields.items
        field = fields[index]
        match event.character or event.key:
            case "J" | "K":
                self._move(1 if event.character == "J" else -1)
            case "t" | "T":
                step = 1 if event.character == "t" else -1
                kind = _KINDS[(_KINDS.index(field.kind) + step) % len(_KINDS)]
                self._change(field._replace(kind=kind))
            case " ":
                self._change(field._replace(hidden=not field.hidden))
            case "N":
                self.app.push_screen(Ask(f"Heading of {field.path}", field.heading), self._headed)
            case _ if event.key in ("ctrl+s", "f2"):
                self._take(lasting=event.key == "ctrl+s")
            case _ if event.key in ("pagedown", "pageup"):
                return move_by_key(self.view, event.key)
            case _:
                return move_by_key(self.fields, event.key)
        return True

    def _headed(self, heading: str | None) -> None:
        if heading is not None:
            self._change(self.fields.items[self.fields.cursor]._replace(heading=heading.strip()))

    def _move(self, by: int) -> None:
        index, fields = self.fields.cursor, [*self.fields.items]
        if 0 <= index + by < len(fields):
            fields.insert(index + by, fields.pop(index))
            self._show(fields, index + by)
        else:
            self.footer.message_line.say(f"– this is the {'last' if by > 0 else 'first'} field", "muted")

    def _change(self, field: ViewField) -> None:
        fields = [*self.fields.items]
        fields[self.fields.cursor] = field
        self._show(fields, self.fields.cursor)

    def _show(self, fields: Sequence[ViewField] | None = None, cursor: int = 0) -> None:
        self.fields.show(self.fields.items if fields is None else fields, _field_row, cursor)
        self.view.show(self._rows)

    def _rows(self, width: int) -> list[Row]:
        rows = section_rows([item for item in self._shown(self._edited) if not item.hidden], Area(width))
        return rows or [(("muted", fitted("Nothing is shown: space shows a field.", width)),)]

    @property
    def _edited(self) -> View:
        return tuple(field for field in self.fields.items if field not in self._others)

    def _take(self, *, lasting: bool) -> None:
        view, path = self._edited, None
        if not view:
            self.footer.message_line.say("– a view has one field at least; space shows one", "muted")
            return
        if lasting:
            try:
                path = self._keep(view)
            except SettingsError as error:
                self.footer.message_line.say(f"✖ {visible(str(error))}", "warning-bold")
                return
        self.dismiss(EditedView(view, path))


async def view_edited(
    screen: CommandScreen,
    folder: Path,
    name: str,
    fields: tuple[View, View],
    shown: Callable[[View], Sequence[Section]],
) -> str:
    """Let a view of a folder's project be edited, which the screen has from then on.

    Args:
        screen: what it is asked over.
        folder: the folder, for whose project it is kept.
        name: what the view is called.
        fields: those of the view, and others that may come into it.
        shown: returns what a view shows.

    Returns:
        What became of it, in words; empty for nothing.
    """
    view, others = fields
    others = others[: max(MAX_VIEW_FIELDS - len(view), 0)]
    if not (*view, *others):
        screen.refuse("there is no field here that a view could name")
        return ""
    editor = ViewEditor(name, (*view, *others), others, shown, partial(keep_view, folder, name))
    edited: EditedView | None = await screen.app.push_screen_wait(editor)
    if edited is None:
        return ""
    screen.settings = edited.settings(screen.settings, name)
    return edited.words(name)
