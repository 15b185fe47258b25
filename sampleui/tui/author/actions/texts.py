"""Commands on the text that is being edited."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.parse import dialect_of, value_at
from sampleui.sample.tool_calls import calls_in
from sampleui.tui.author.actions.needs import (
    AUTHOR,
    a_value,
    an_edit,
    the_item,
    the_sample,
    the_turn,
)
from sampleui.tui.commands import EDITOR, LINE
from sampleui.tui.drawing.items import PartKind

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_GROUP = "Turns"


@AUTHOR.command("turn.edit", "enter e", "Edit", group=_GROUP, scopes="turns", bar=1, needs=a_value)
async def open_turn(screen: AuthorScreen) -> None:
    """Edit the turn or field under the cursor in place."""
    await screen.editing.open()


@AUTHOR.command("edit.leave", "escape", "Done", group=_GROUP, scopes="editor", bar=1, needs=an_edit)
def leave(screen: AuthorScreen) -> None:
    """Leave the text being edited and keep what was typed; pressed again, leave out what cannot be kept."""
    screen.editing.leave(insist=True)


@AUTHOR.command("edit.commit", "enter", "Done", group=_GROUP, scopes=LINE, bar=1, needs=an_edit)
def commit(screen: AuthorScreen) -> None:
    """Leave a text of one line, such as an id, a number or a path, and keep what was typed."""
    screen.editing.leave()


@AUTHOR.command("edit.next-value", "tab", "Next value", group=_GROUP, scopes=EDITOR, bar=2, needs=an_edit)
async def next_value(screen: AuthorScreen) -> None:
    """Keep what was typed and edit the next value: the keys of a table are filled in like a form."""
    await screen.editing.go_on(1)


@AUTHOR.command("edit.value-before", "shift+tab", "Value before", group=_GROUP, scopes=EDITOR, needs=an_edit)
async def value_before(screen: AuthorScreen) -> None:
    """Keep what was typed and edit the value before."""
    await screen.editing.go_on(-1)


@AUTHOR.command("edit.discard", "ctrl+g", "Discard", group=_GROUP, scopes=EDITOR, bar=2, needs=an_edit)
def discard(screen: AuthorScreen) -> None:
    """Leave the text being edited and drop what was typed; redo brings it back."""
    screen.editing.discard()


@AUTHOR.command("edit.newline", "ctrl+j", "New line", group=_GROUP, scopes=EDITOR, needs=an_edit)
def newline(screen: AuthorScreen) -> None:
    """Start a new line in the text, even where Enter would end it."""
    screen.conversation.editor.put("\n")


@AUTHOR.command("edit.tab", "ctrl+b", "Tab character", group=_GROUP, scopes=EDITOR, needs=an_edit)
def tab(screen: AuthorScreen) -> None:
    """Type a tab character: the tab key goes to the next value."""
    screen.conversation.editor.put("\t")


@AUTHOR.command("edit.split", "ctrl+t", "Add", group=_GROUP, scopes=EDITOR, bar=3, needs=an_edit)
async def split(screen: AuthorScreen) -> None:
    """Keep what was typed and add the next turn or item; inside the text of a turn, split the turn there."""
    from sampleui.tui.author.actions.turns import add_below  # its commands come after these in the help

    before, after = screen.conversation.editor.split_at_cursor
    if not after.strip():
        if screen.editing.leave():
            await add_below(screen)
        return
    item = the_item(screen)
    part = item.parts[screen.conversation.cursor[1]]
    if item.turn is None or part.kind is not PartKind.TEXT:
        raise EditRefusedError("only the text of a turn can be split")
    path, turn = the_turn(screen)
    if not screen.editing.leave():
        return
    message, spelling = value_at(the_sample(screen).data, path), dialect_of(the_sample(screen)).turns.spelling
    content = message.get(spelling.content) if isinstance(message, dict) else None
    if not isinstance(message, dict):
        raise EditRefusedError("only the text of a turn can be split")
    kept: Plain = before.rstrip("\n")
    rest: Plain = after.lstrip("\n")
    if isinstance(content, list):
        split_segment = part.path[len(path) + 1]
        assert isinstance(split_segment, int)
        segment, key = content[split_segment], part.path[-1]
        assert isinstance(segment, dict)
        assert isinstance(key, str)
        rest = [{**segment, key: rest}, *content[split_segment + 1 :]]
        kept = [*content[:split_segment], {**segment, key: kept}]
    below: DataPath = (*path[:-1], turn + 1)
    named: Table = {"name": message["name"]} if "name" in message else {}
    calls = bool(calls_in(message))  # they stay in the turn that comes last, above their results
    new: Table = {spelling.role: message.get(spelling.role), **named, spelling.content: kept if calls else rest}
    stays = (*(below if calls else path), spelling.content)
    screen.perform(
        f"split turn {turn + 1}",
        partial(edit.insert_value, index=screen.index, path=path if calls else below, value=new),
        partial(edit.set_value, index=screen.index, path=stays, value=rest if calls else kept),
        after=below,
    )


@AUTHOR.command("turn.external", "ctrl+e", "Editor", group=_GROUP, scopes="turns", bar=15, needs=a_value)
async def external(screen: AuthorScreen) -> None:
    """Edit the text under the cursor in $EDITOR."""
    await screen.editing.outside()
