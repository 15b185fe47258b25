"""Commands on the turns and fields of the current sample."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.merging import merged
from sampleui.sample.parse import value_at
from sampleui.tui.actions.author.needs import (
    a_sample,
    a_turn,
    a_value,
    an_edit,
    an_edited_turn,
    an_item,
    an_item_after,
    an_item_before,
)
from sampleui.tui.actions.author.registry import AUTHOR
from sampleui.tui.author.nodes import item_around, place_for_new
from sampleui.tui.commands import EDITOR, LINE
from sampleui.tui.items import Item, PartKind

if TYPE_CHECKING:
    from sampleui.sample.model import Sample
    from sampleui.tui.screens.author import AuthorScreen

ROLES = ("system", "user", "assistant", "tool")
_GROUP = "Turns"


@AUTHOR.command("turn.edit", "enter", "Edit", group=_GROUP, scopes="turns", bar=1, needs=a_value)
async def open_turn(screen: AuthorScreen) -> None:
    """Edit the turn or field under the cursor in place."""
    await screen.editing.open()


@AUTHOR.command("edit.leave", "escape", "Done", group=_GROUP, scopes="editor", bar=1, needs=an_edit)
def leave(screen: AuthorScreen) -> None:
    """Leave the text being edited and keep what was typed, as one step of undo."""
    screen.editing.leave()


@AUTHOR.command("edit.commit", "enter", "Done", group=_GROUP, scopes=LINE, bar=1, needs=an_edit)
def commit(screen: AuthorScreen) -> None:
    """Leave a text of one line, such as an id, a number or a path, and keep what was typed."""
    screen.editing.leave()


@AUTHOR.command("edit.discard", "ctrl+g", "Discard", group=_GROUP, scopes=EDITOR, bar=2, needs=an_edit)
def discard(screen: AuthorScreen) -> None:
    """Leave the text being edited and drop what was typed; redo brings it back."""
    screen.editing.discard()


@AUTHOR.command("edit.newline", "ctrl+j", "New line", group=_GROUP, scopes=EDITOR, needs=an_edit)
def newline(screen: AuthorScreen) -> None:
    """Begin a new line in the text, also where Enter would end it."""
    screen.conversation.editor.put("\n")


@AUTHOR.command("edit.tab", "ctrl+b", "Tab character", group=_GROUP, scopes=EDITOR, needs=an_edit)
def tab(screen: AuthorScreen) -> None:
    """Type a tab character: the tab key goes to the next pane."""
    screen.conversation.editor.put("\t")


@AUTHOR.command("turn.add-below", "o", "Add", group=_GROUP, scopes="turns", bar=2, needs=a_sample)
async def add_below(screen: AuthorScreen) -> None:
    """Add a turn below this one and write it; in a list, add an item below the cursor."""
    await _add(screen, below=True)


@AUTHOR.command("turn.add-above", "O", "Add above", group=_GROUP, scopes="turns", needs=a_sample)
async def add_above(screen: AuthorScreen) -> None:
    """Add a turn above this one and write it; in a list, add an item above the cursor."""
    await _add(screen, below=False)


@AUTHOR.command("turn.delete", "d", "Delete", group=_GROUP, scopes="turns", bar=6, needs=an_item)
def delete(screen: AuthorScreen) -> None:
    """Delete the turn or field; undo brings it back."""
    item = _item(screen)
    screen.perform(
        f"delete {_called(screen)}", partial(edit.delete_value, index=screen.index, path=item.path), after=item.path
    )


@AUTHOR.command("turn.duplicate", "D", "Duplicate", group=_GROUP, scopes="turns", bar=12, needs=an_item)
async def duplicate(screen: AuthorScreen) -> None:
    """Put a copy of the turn or item below it; of a field, under another name."""
    path = _item(screen).path
    value = value_at(_sample(screen).data, path)
    last = path[-1]
    if isinstance(last, str):
        name = await screen.ask(f"Name of the copy of {last}", f"{last}_2")
        if not name:
            return
        target: DataPath = (*path[:-1], name)
        if value_at(_sample(screen).data, target) is not None:
            raise EditRefusedError(f"there is a {name} already")
        made = partial(edit.set_value, index=screen.index, path=target, value=value)
    else:
        target = (*path[:-1], last + 1)
        made = partial(edit.insert_value, index=screen.index, path=target, value=value)
    screen.perform(f"duplicate {_called(screen)}", made, after=target)


@AUTHOR.command("turn.move-down", "J", "Move down", group=_GROUP, scopes="turns", bar=13, needs=an_item_after)
def move_down(screen: AuthorScreen) -> None:
    """Move the turn, or the item of a list, one place down."""
    _move(screen, 1)


@AUTHOR.command("turn.move-up", "K", "Move up", group=_GROUP, scopes="turns", needs=an_item_before)
def move_up(screen: AuthorScreen) -> None:
    """Move the turn, or the item of a list, one place up."""
    _move(screen, -1)


@AUTHOR.command("turn.next-role", "r", "Role", group=_GROUP, scopes="turns", bar=3, needs=a_turn)
def next_role(screen: AuthorScreen) -> None:
    """Give the turn the next role: system, user, assistant, tool."""
    _turn(screen)
    role = _item(screen).label
    _set_role(screen, ROLES[(ROLES.index(role) + 1) % len(ROLES)] if role in ROLES else ROLES[0])


@AUTHOR.command("turn.choose-role", "R", "Choose role", group=_GROUP, scopes="turns", needs=a_turn)
async def choose_role(screen: AuthorScreen) -> None:
    """Choose the turn's role from a list, or write any other."""
    _turn(screen)
    used = dict.fromkeys((*ROLES, "developer", *(item.label for item in screen.conversation.items if item.path)))
    names = [name for name in used if name in ROLES or name == "developer" or _is_role(screen, name)]
    role = await screen.pick("Role", names, free=True)
    if role:
        _set_role(screen, role)


@AUTHOR.command("turn.merge", "m", "Merge", group=_GROUP, scopes="turns", bar=14, needs=a_turn)
def merge(screen: AuthorScreen) -> None:
    """Join the next turn's text to this one's, with a blank line between."""
    path, turn = _turn(screen)
    below: DataPath = (*path[:-1], turn + 1)
    data = _sample(screen).data
    one, other = value_at(data, path), value_at(data, below)
    if other is None:
        raise EditRefusedError("there is no next turn to merge with")
    if not isinstance(one, dict) or not isinstance(other, dict):
        raise EditRefusedError("one of these turns is not a message")
    whole = merged(one, other, _sample(screen).dialect)
    screen.perform(
        f"merge turns {turn + 1} and {turn + 2}",
        *(
            partial(edit.set_value, index=screen.index, path=(*path, key), value=value)
            for key, value in whole.items()
            if key not in one or one[key] != value
        ),
        partial(edit.delete_value, index=screen.index, path=below),
        after=path,
    )


@AUTHOR.command("edit.split", "ctrl+t", "Split", group=_GROUP, scopes="editor", bar=3, needs=an_edited_turn)
def split(screen: AuthorScreen) -> None:
    """Split the turn at the cursor into two turns of the same role."""
    path, turn = _turn(screen)
    if not screen.editing.active:
        raise EditRefusedError("a turn is split where the cursor is while it is edited; enter edits it")
    before, after = screen.conversation.editor.split_at_cursor
    item = _item(screen)
    part = item.parts[screen.conversation.cursor[1]]
    if not screen.editing.leave():
        return
    message = value_at(_sample(screen).data, path)
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or part.kind is not PartKind.TEXT:
        raise EditRefusedError("only the text of a turn can be split")
    kept: Plain = before.rstrip("\n")
    rest: Plain = after.lstrip("\n")
    if isinstance(content, list):
        at = part.path[len(path) + 1]
        assert isinstance(at, int)
        segment, key = content[at], part.path[-1]
        assert isinstance(segment, dict) and isinstance(key, str)
        rest = [{**segment, key: rest}, *content[at + 1 :]]
        kept = [*content[:at], {**segment, key: kept}]
    below: DataPath = (*path[:-1], turn + 1)
    named: Table = {"name": message["name"]} if "name" in message else {}
    new: Table = {"role": message.get("role"), **named, "content": rest}
    screen.perform(
        f"split turn {turn + 1}",
        partial(edit.set_value, index=screen.index, path=(*path, "content"), value=kept),
        partial(edit.insert_value, index=screen.index, path=below, value=new),
        after=below,
    )


@AUTHOR.command("turn.copy", "y", "Copy", group=_GROUP, scopes="turns", needs=an_item)
def copy(screen: AuthorScreen) -> None:
    """Copy the text under the cursor to the clipboard."""
    item = _item(screen)
    if item.parts:
        screen.copy(item.parts[screen.conversation.cursor[1]].text)


@AUTHOR.command("turn.external", "e", "Editor", group=_GROUP, scopes="turns", bar=15, needs=a_value)
async def external(screen: AuthorScreen) -> None:
    """Edit the text under the cursor in $EDITOR."""
    await screen.editing.outside()


def _sample(screen: AuthorScreen) -> Sample:
    if screen.sample is None:
        raise EditRefusedError("there is no sample; n adds one")
    return screen.sample


def _item(screen: AuthorScreen) -> Item:
    item = screen.conversation.current
    if item is None or not item.path:
        raise EditRefusedError("there is nothing here to act on")
    return item


def _turn(screen: AuthorScreen) -> tuple[DataPath, int]:
    item = _item(screen)
    if item.turn is None or not isinstance(item.path[-1], int):
        raise EditRefusedError("this acts on turns; the cursor is on a field")
    return item.path, item.turn


def _is_role(screen: AuthorScreen, name: str) -> bool:
    return any(item.label == name and item.turn is not None for item in screen.conversation.items)


async def _add(screen: AuthorScreen, *, below: bool) -> None:
    from sampleui.tui.actions.author.fields import add_item  # its commands come after these in the help

    sample, item = _sample(screen), screen.conversation.current
    await add_item(screen, place_for_new(sample.data, sample.messages_path, item, below=below))


def _move(screen: AuthorScreen, by: int) -> None:
    path = _item(screen).path
    found = item_around(path)
    if found is None:
        raise EditRefusedError("the keys of a table have no order; what moves are turns and items of lists")
    at = found[-1]
    items = value_at(_sample(screen).data, found[:-1])
    assert isinstance(at, int)
    if not isinstance(items, list) or not 0 <= at + by < len(items):
        return
    moved: DataPath = (*found[:-1], at + by)
    label = f"move {_called(screen)}" if found == path else f"move item {at + 1}"
    made = partial(edit.move_value, index=screen.index, path=found, to=at + by)
    screen.perform(label, made, after=(*moved, *path[len(found) :]))


def _called(screen: AuthorScreen) -> str:
    item = _item(screen)
    return item.label if item.turn is None else f"turn {item.turn + 1}"


def _set_role(screen: AuthorScreen, role: str) -> None:
    path, turn = _turn(screen)
    target: DataPath = (*path, "role")
    made = partial(edit.set_value, index=screen.index, path=target, value=role)
    screen.perform(f"role of turn {turn + 1}", made, after=path)
