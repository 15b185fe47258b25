"""Commands on the fields of the current sample, and on the values inside them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.errors import EditError, EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, Table, shown
from sampleui.formats.operations import Insert, Rename, Set
from sampleui.formats.timestamps import read_typed
from sampleui.sample.dialects.segments import text_segment
from sampleui.sample.fields import Start, first_item, kinds_at, lacking, new_value, start_of, starts_at
from sampleui.sample.kinds import CHOICES, SIGNS, ValueKind, as_kind, blank, blank_like, kind_of, named_value
from sampleui.sample.parse import dialect_of, value_at
from sampleui.sample.value_names import path_of, placing
from sampleui.tui.author.actions.calls import add_argument, add_call
from sampleui.tui.author.actions.needs import (
    AUTHOR,
    a_sample,
    a_value,
    an_item,
    an_own_sample,
    feasible,
    the_item,
    the_sample,
)
from sampleui.tui.author.boxes import FieldPick, KindPick, offers, table_around
from sampleui.tui.author.nodes import call_around, like_neighbour, place_in_list, renamed, set_or_place
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.items import ARGUMENT, CALL, OPEN_CALL
from sampleui.tui.screens import asking
from sampleui.workspace.samples import misplaced

_GROUP = "Fields"


@AUTHOR.command("field.add", "+", "Field", group=_GROUP, scopes="turns", bar=5, needs=a_sample)
async def add_field(screen: AuthorScreen) -> None:
    """Add a field the dialect knows, or any other: expected.score, options[2]; to an empty list an item."""
    sample = the_sample(screen)
    if (vacant := empty_list(screen)) is not None:
        await add_item(screen, (*vacant, 0))
        return
    if await add_argument(screen):
        return
    here = screen.here.path
    around = table_around(sample, here)
    inside = around not in ("", shown(here))
    offered = [item for item in offers(sample, here) if not _misplaced(screen, path_of(item.name))]
    name = await screen.answer_to(FieldPick(offered, around, inside=inside))
    if not name:
        return
    name, said = named_value(name) or (name, "")
    path = path_of(name)
    if path[-1] == "tool_calls" and isinstance(value_at(sample.data, path[:-1]), dict):
        await add_call(screen, path[:-1])
        return
    if why := _misplaced(screen, path):
        raise EditRefusedError(why)
    present = value_at(sample.data, path)
    if present is not None:
        screen.unfold(path)
        screen.go_to(path)
        raise PathError(f"{name} is there already: this is it")
    has_dates = screen.session.has_dates
    new = New(read_typed(said, has_dates=has_dates), whole=True) if said else await _new_value(screen, path)
    if new is None:
        return
    table = value_at(sample.data, path[:-1])
    is_null = isinstance(table, dict) and path[-1] in table
    change = Set(path, new.value) if is_null else placing(sample.data, path, new.value)
    await screen.editing.write_new(f"add {name}", path, new.value, change, whole=new.whole)


def _misplaced(screen: AuthorScreen, path: DataPath) -> str:
    """Return why a field has no place in the file of the sample; empty where it has one."""
    deck = screen.session.deck
    return misplaced(deck.files, deck.kind, screen.index, path) if screen.index >= 0 else ""


_LOOKED_AT = 40
"""How many samples show what all of them have."""


def _others(screen: AuthorScreen) -> list[Table]:
    samples = screen.session.deck.samples
    return [samples[index].data for index in range(min(len(samples), _LOOKED_AT)) if index != screen.index]


def _lacking(screen: AuthorScreen) -> list[str]:
    """Return the keys that the sample is still to have, behind the one that was gone on from."""
    sample, passed = screen.editing.gone_on_from
    names = lacking(screen.session.deck.kind, the_sample(screen).data, _others(screen))
    behind = sample == screen.index and passed and passed[0] in names
    return names[names.index(str(passed[0])) + 1 :] if behind else names


def a_lacking_value(screen: AuthorScreen) -> str:
    """Need a value that the sample is still to have."""
    has_all = "it has all that is required, and that all others have"
    return an_own_sample(screen) or ("" if _lacking(screen) else has_all)


@AUTHOR.command("field.fill", "", "Fill in what is missing", group=_GROUP, needs=a_lacking_value)
async def fill_in(screen: AuthorScreen) -> None:
    """Add what is required and what all other samples have, one by one; tab behind the last value does."""
    while names := _lacking(screen):
        path: DataPath = (names[0],)
        screen.editing.gone_on_from = Focus(screen.index, path)
        new = await _new_value(screen, path)
        if new is None:
            return
        near = next((other.get(names[0]) for other in _others(screen)), None)
        if isinstance(near, dict) and isinstance(new.value, dict):
            new = new._replace(value=blank_like(near))
        change, writing = Set(path, new.value), screen.editing.write_new
        if not await writing(f"add {names[0]}", path, new.value, change, whole=new.whole) and not new.whole:
            return
    screen.say("this is the last value of the sample")


class New(NamedTuple):
    """What a new value starts as; `whole` if it was typed, so that nothing of it is still to be written."""

    value: Plain
    whole: bool = False


async def _new_value(screen: AuthorScreen, path: DataPath) -> New | None:
    """Return what a new field starts as; None if its kind or its type was to be chosen and was not."""
    sample, dialect = the_sample(screen), screen.session.deck.kind
    if screen.index >= 0 and (kinds := starts_at(dialect, path)):
        first = await _start_of_kind(screen, kinds, (*path, 0))
        return New([first]) if first else None
    if path[-2:-1] == ("properties",) and isinstance(value_at(sample.data, path[:-1]), dict):
        return New({"type": "string"})  # an argument of a tool, by a JSON Schema
    start = start_of(dialect, sample.data, path[:-1]) if screen.index >= 0 else None
    known = {} if start is None else start.value | start.more
    if path[-1] in known:
        return New(copy.deepcopy(known[str(path[-1])]))
    kind = await _kind_for(screen, path)
    return New(_new(screen, path, kind)) if isinstance(kind, ValueKind) else kind


async def add_item(screen: AuthorScreen, path: DataPath) -> None:
    """Put a new item into a list and write it: of the shape of its neighbour, or else as the dialect has it."""
    sample = the_sample(screen)
    items = value_at(sample.data, path[:-1])
    if items is not None and not isinstance(items, list):
        raise EditRefusedError("the messages of this sample are not a list; turns cannot be added to it")
    new = await _new_item(screen, path, items or [])
    if new is None:
        return
    change = Insert(path, new.value) if items is not None else Set(path[:-1], [new.value])
    label = f"add {'turn' if path[:-1] == sample.messages_path else 'item'} {place_in_list(path)[1] + 1}"
    await screen.editing.write_new(label, path, new.value, change, whole=new.whole)


async def _new_item(screen: AuthorScreen, path: DataPath, items: list[Plain]) -> New | None:
    """Return what a new item of a list starts as; None if its kind or its type was to be chosen and was not."""
    dialect = dialect_of(the_sample(screen))
    if kinds := starts_at(dialect, path[:-1]) if screen.index >= 0 else {}:
        start = await _start_of_kind(screen, kinds, path)
        return New(start) if start else None
    try:
        return New(like_neighbour(items, place_in_list(path)[1], dialect.turns.spelling))
    except LookupError:
        kind = await _kind_for(screen, path)
        if not isinstance(kind, ValueKind):
            return kind
        first = _first_item(screen, path[:-1])
        return New(first if kind_of(first) is kind else _new(screen, path, kind))


async def _start_of_kind(screen: AuthorScreen, kinds: Mapping[str, Start], path: DataPath) -> Table:
    """Return what a table of the kind that is picked starts as; of another kind, its name alone; empty for none."""
    purposes = {kind: start.purpose for kind, start in kinds.items()}
    name = await asking.pick(screen, f"Kind of the new item of {path[-2]}", purposes, free=True)
    if not name:
        return {}
    if name in kinds:
        return copy.deepcopy(dict(kinds[name].value))
    typed = any("type" in kind.value for kind in kinds.values())
    return {"type": name} if typed else {name: {}}


@AUTHOR.command("field.type", "t", "Type", group=_GROUP, scopes="turns", bar=16, needs=a_value)
async def change_type(screen: AuthorScreen) -> None:
    """Give the value another type: text, number, true/false, nothing, list, table."""
    part = screen.conversation.part
    assert part is not None
    sample = the_sample(screen)
    value = value_at(sample.data, part.path)
    is_now = kind_of(value)
    offered = {f"{SIGNS[kind]:<3} {kind}": kind for kind in _types(screen, part.path) if kind is not is_now}
    if not offered:
        raise EditRefusedError(f"the file can hold nothing but {is_now} here")
    picked = await asking.pick(screen, f"{is_now} becomes", list(offered))
    if not picked:
        return
    if picked not in offered:  # an answer that is repeated here
        raise EditRefusedError(f"this is {is_now} already")
    wanted = offered[picked]
    is_content = part.path[-1:] == (dialect_of(sample).turns.spelling.content,)
    if is_content and isinstance(value, str) and value and wanted is ValueKind.LIST:
        changed: Plain = [text_segment(value, dialect_of(sample))]
    else:
        changed = as_kind(value, wanted)
    screen.perform(f"make it {wanted}", Set(part.path, changed), after=part.path)


def _renamable(screen: AuthorScreen) -> DataPath | None:
    """Return the path of the key under the cursor; None on a turn, where the sample has the name."""
    part, path = screen.conversation.part, the_item(screen).path
    if part is not None and part.key:  # a tool call goes by the key of them all
        path = part.path[:-1] if isinstance(part.path[-1], int) else part.path
    elif the_item(screen).turn is not None:
        return None
    renamed(path)
    return path


@AUTHOR.command(
    "field.rename", "N", "Rename", group=_GROUP, scopes="turns", bar=17, needs=feasible(an_item, _renamable)
)
async def rename(screen: AuthorScreen) -> None:
    """Give the key under the cursor another name; on a turn, the sample."""
    path = _renamable(screen)
    if path is None:
        from sampleui.tui.author.actions.samples import rename as rename_sample  # its commands come before these

        await rename_sample(screen)
        return
    old = renamed(path)
    name = await asking.ask(screen, f"Rename {old} to", old)
    if not name or name == old:
        return
    screen.perform(f"rename {old}", Rename(path, name), after=(*path[:-1], name))


def _folded(screen: AuthorScreen) -> tuple[DataPath, bool]:
    """Return the path of what folds where the cursor is, and whether it is folded."""
    items, (cursor, _) = screen.conversation.items, screen.conversation.cursor
    here = screen.conversation.current
    if (part := screen.conversation.part) is not None and part.tag in (CALL, OPEN_CALL, ARGUMENT):
        call = call_around(here, part) if here else part.path
        return call, screen.folds.get(call) is not False
    around = (
        item
        for item in reversed(items[: cursor + 1])
        if item is here or (item.folded is False and here is not None and here.path[: len(item.path)] == item.path)
    )
    target = next((item for item in around if item.folded is not None), None)
    if target is None:
        raise EditRefusedError("there is nothing here to fold")
    return target.path, bool(target.folded)


@AUTHOR.command("field.fold", "Z", "Fold", group=_GROUP, scopes="turns", bar=18, needs=feasible(a_sample, _folded))
def fold(screen: AuthorScreen) -> None:
    """Fold the field under the cursor, or open it; inside an open one, fold that."""
    path, folded = _folded(screen)
    screen.turn_fold(path, not folded)
    screen.show_sample(path)


async def _kind_for(screen: AuthorScreen, path: DataPath) -> ValueKind | New | None:
    """Return the type of a new value: the dialect's, or that of the other samples, or the one picked.

    What is typed there and names no type is the value; it is a text where nothing else may stand that it says.
    """
    deck = screen.session.deck
    kinds = kinds_at(deck.kind, path, (sample.data for sample in deck.samples)) if screen.index >= 0 else ()
    if len(kinds) == 1 and kinds != (ValueKind.NOTHING,):
        return kinds[0]
    writable = _types(screen, path)
    kinds = tuple(kind for kind in kinds if kind in writable)
    named = {f"{SIGNS[kind]:<3} {kind}": kind for kind in (*kinds, *writable)}
    offered = [*named][: len(kinds) or None]
    if len(offered) == 1:
        return named[offered[0]]
    picked = await screen.answer_to(KindPick(offered))
    if not picked or picked in named:
        return named.get(picked)
    value = read_typed(picked, has_dates=screen.session.has_dates)
    return New(picked if kinds and kind_of(value) not in kinds and ValueKind.TEXT in kinds else value, whole=True)


def _types(screen: AuthorScreen, path: DataPath) -> list[ValueKind]:
    """Return the types that a value at a path may be given, as far as its file can hold them there."""
    data, files = the_sample(screen).data, screen.session.deck.files
    writable = []
    for kind in CHOICES:
        with suppress(EditError):
            edit.apply(files, screen.index, set_or_place(data, path, blank(kind)))
            writable.append(kind)
    return writable


def empty_list(screen: AuthorScreen) -> DataPath | None:
    """Return the path of the empty list that the cursor is on, None if it is on none."""
    part = screen.conversation.part
    is_vacant = part is not None and part.path and part.value == [] and part.tag != ARGUMENT
    return part.path if part is not None and is_vacant else None


def _new(screen: AuthorScreen, path: DataPath, kind: ValueKind) -> Plain:
    value = new_value(screen.session.deck.kind, path, kind) if screen.index >= 0 else blank(kind)
    return [_first_item(screen, path)] if value == [] else value


def _first_item(screen: AuthorScreen, path: DataPath) -> Plain:
    """Return what the first item of a list starts as."""
    deck = screen.session.deck
    if screen.index < 0:
        return ""
    return first_item(deck.kind, path, (sample.data for sample in deck.samples))
