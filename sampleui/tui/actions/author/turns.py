"""Commands on the turns and fields of the current sample."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath
from sampleui.sample.merging import merged
from sampleui.sample.parse import dialect_of, value_at
from sampleui.tui.actions.author.needs import (
    a_sample,
    a_turn,
    an_item,
    an_item_after,
    an_item_before,
)
from sampleui.tui.actions.author.registry import AUTHOR
from sampleui.tui.actions.author.under_cursor import the_item, the_sample, the_turn
from sampleui.tui.author.nodes import item_around, left_by, place_for_new

if TYPE_CHECKING:
    from sampleui.tui.screens.author import AuthorScreen

ROLES = ("system", "user", "assistant", "tool")
_GROUP = "Turns"


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
    item, at = the_item(screen), screen.conversation.cursor[0]
    made = partial(edit.delete_value, index=screen.index, path=item.path)
    screen.perform(f"delete {_called(screen)}", made, after=left_by(screen.conversation.items, at))


@AUTHOR.command("turn.duplicate", "D", "Duplicate", group=_GROUP, scopes="turns", bar=12, needs=an_item)
async def duplicate(screen: AuthorScreen) -> None:
    """Put a copy of the turn or item below it; of a field, under another name."""
    await duplicate_at(screen, the_item(screen).path, _called(screen))


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
    the_turn(screen)
    role = the_item(screen).label
    _set_role(screen, ROLES[(ROLES.index(role) + 1) % len(ROLES)] if role in ROLES else ROLES[0])


@AUTHOR.command("turn.choose-role", "R", "Choose role", group=_GROUP, scopes="turns", needs=a_turn)
async def choose_role(screen: AuthorScreen) -> None:
    """Choose the turn's role from a list, or write any other."""
    the_turn(screen)
    used = dict.fromkeys((*ROLES, "developer", *(item.label for item in screen.conversation.items if item.path)))
    names = [name for name in used if name in ROLES or name == "developer" or _is_role(screen, name)]
    role = await screen.pick("Role", names, free=True)
    if role:
        _set_role(screen, role)


@AUTHOR.command("turn.merge", "m", "Merge", group=_GROUP, scopes="turns", bar=14, needs=a_turn)
def merge(screen: AuthorScreen) -> None:
    """Join the next turn's text to this one's, with a blank line between."""
    path, turn = the_turn(screen)
    below: DataPath = (*path[:-1], turn + 1)
    data = the_sample(screen).data
    one, other = value_at(data, path), value_at(data, below)
    if other is None:
        raise EditRefusedError("there is no next turn to merge with")
    if not isinstance(one, dict) or not isinstance(other, dict):
        raise EditRefusedError("one of these turns is not a message")
    whole = merged(one, other, dialect_of(the_sample(screen)))
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


@AUTHOR.command("turn.copy", "y", "Copy", group=_GROUP, scopes="turns", needs=an_item)
def copy(screen: AuthorScreen) -> None:
    """Copy the text under the cursor to the clipboard."""
    item = the_item(screen)
    if item.parts:
        screen.copy(item.parts[screen.conversation.cursor[1]].text)


def _is_role(screen: AuthorScreen, name: str) -> bool:
    return any(item.label == name and item.turn is not None for item in screen.conversation.items)


async def duplicate_at(screen: AuthorScreen, path: DataPath, called: str) -> None:
    """Put a copy of the value at a path after it; of the value of a key, under another name that is asked for."""
    data = the_sample(screen).data
    value, last = value_at(data, path), path[-1]
    target: DataPath
    if isinstance(last, int):
        target = (*path[:-1], last + 1)
        made = partial(edit.insert_value, index=screen.index, path=target, value=value)
    else:
        name = await screen.ask(f"Name of the copy of {last}", f"{last}_2")
        if not name:
            return
        target = (*path[:-1], name)
        if value_at(data, target) is not None:
            raise EditRefusedError(f"there is a {name} already")
        made = partial(edit.set_value, index=screen.index, path=target, value=value)
    screen.perform(f"duplicate {called}", made, after=target)


async def _add(screen: AuthorScreen, *, below: bool) -> None:
    from sampleui.tui.actions.author.fields import add_item  # its commands come after these in the help

    sample, item = the_sample(screen), screen.conversation.current
    await add_item(screen, place_for_new(sample.data, sample.messages_path, item, below=below))


def _move(screen: AuthorScreen, by: int) -> None:
    path = the_item(screen).path
    found = item_around(path)
    if found is None:
        raise EditRefusedError("the keys of a table have no order; what moves are turns and items of lists")
    at = found[-1]
    items = value_at(the_sample(screen).data, found[:-1])
    assert isinstance(at, int)
    if not isinstance(items, list) or not 0 <= at + by < len(items):
        return
    moved: DataPath = (*found[:-1], at + by)
    label = f"move {_called(screen)}" if found == path else f"move item {at + 1}"
    made = partial(edit.move_value, index=screen.index, path=found, to=at + by)
    screen.perform(label, made, after=(*moved, *path[len(found) :]))


def _called(screen: AuthorScreen) -> str:
    item = the_item(screen)
    return item.label if item.turn is None else f"turn {item.turn + 1}"


def _set_role(screen: AuthorScreen, role: str) -> None:
    path, turn = the_turn(screen)
    sample = the_sample(screen)
    if isinstance(value_at(sample.data, path), str):
        raise EditRefusedError("this turn is a text by itself; whose turn it is follows from its place")
    spelling = dialect_of(sample).spelling
    target: DataPath = (*path, spelling.role)
    made = partial(edit.set_value, index=screen.index, path=target, value=spelling.role_named(role))
    screen.perform(f"role of turn {turn + 1}", made, after=path)
