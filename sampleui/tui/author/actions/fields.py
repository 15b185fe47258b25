"""Commands on the fields of the current sample, and on the values inside them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.errors import EditRefusedError, PathError
from sampleui.formats.data import DataPath, Plain, Table, with_set
from sampleui.sample.kinds import CHOICES, SIGNS, Kind, as_kind, blank, kind_of
from sampleui.sample.parse import dialect_of, value_at
from sampleui.sample.tool_calls import arguments_of, new_call, new_id, results_of, tools_of, unanswered, unpaired
from sampleui.tui.author.actions.needs import (
    AUTHOR,
    a_sample,
    a_turn,
    a_value,
    an_edited_turn,
    an_item,
    the_item,
    the_sample,
)
from sampleui.tui.author.nodes import first_text, like_neighbour, renamed
from sampleui.tui.drawing.items import ARGUMENT, CALL, OPEN_CALL

if TYPE_CHECKING:
    from sampleui.sample.model import Sample
    from sampleui.sample.starts import Start
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.author.session import Edit

_GROUP = "Fields"
_SAMPLES_LOOKED_AT = 50


@AUTHOR.command("field.add", "+", "Field", group=_GROUP, scopes="turns", bar=5, needs=a_sample)
async def add_field(screen: AuthorScreen) -> None:
    """Add a field the dialect knows, or any other: expected.score, options[2]; to an empty list an item."""
    from sampleui.sample.names import nested, path_of
    from sampleui.tui.author.offers import offers, table_around

    sample = the_sample(screen)
    if (vacant := empty_list(screen)) is not None:
        await add_item(screen, (*vacant, 0))
        return
    here = screen.here.path
    name = await screen.pick_field(offers(sample, here), table_around(sample, here))
    if not name:
        return
    path = path_of(name)
    if path[-1] == "tool_calls" and isinstance(value_at(sample.data, path[:-1]), dict):
        await add_call(screen, path[:-1])
        return
    present = value_at(sample.data, path)
    if present is not None:
        screen.unfold(path)
        screen.go_to(path)
        raise PathError(f"there is a {name} already: this is it")
    new = await _new_value(screen, path)
    if new is None:
        return
    (value,) = new
    around = value_at(sample.data, path[:-1])
    is_null = isinstance(around, dict) and path[-1] in around
    where, whole, item = (path, value, False) if is_null else nested(sample.data, path, value)
    operation = edit.insert_value if item else edit.set_value
    change = partial(operation, index=screen.index, path=where, value=whole)
    await write_new(screen, f"add {name}", path, value, change)


async def _new_value(screen: AuthorScreen, path: DataPath) -> tuple[Plain] | None:
    """Return what a new field starts as; None if its kind or its type was to be chosen and was not."""
    from sampleui.sample.starts import start_of, starts_at

    sample, dialect = the_sample(screen), screen.session.deck.kind
    if screen.index >= 0 and (kinds := starts_at(dialect, path)):
        first = await _start_of_kind(screen, kinds, (*path, 0))
        return ([first],) if first else None
    if path[-2:-1] == ("properties",) and isinstance(value_at(sample.data, path[:-1]), dict):
        return ({"type": "string"},)  # an argument of a tool, by a JSON Schema
    start = start_of(dialect, sample.data, path[:-1]) if screen.index >= 0 else None
    known = {} if start is None else start.value | start.more
    if path[-1] in known:
        return (copy.deepcopy(known[str(path[-1])]),)
    kind = await _kind_for(screen, path)
    return None if kind is None else (_new(screen, path, kind),)


async def add_item(screen: AuthorScreen, path: DataPath) -> None:
    """Put a new item into a list and write it: of the shape of its neighbour, or else as the dialect has it."""
    sample = the_sample(screen)
    items = value_at(sample.data, path[:-1])
    if items is not None and not isinstance(items, list):
        raise EditRefusedError("the messages of this sample are not a list; turns cannot be added to it")
    index = path[-1]
    assert isinstance(index, int)
    new = await _new_item(screen, path, items or [])
    if new is None:
        return
    (value,) = new
    change = (
        partial(edit.insert_value, index=screen.index, path=path, value=value)
        if items is not None
        else partial(edit.set_value, index=screen.index, path=path[:-1], value=[value])
    )
    turn = path[:-1] == sample.messages_path
    label = f"add turn {index + 1}" if turn else f"add item {index + 1}"
    await write_new(screen, label, path, value, change)


async def _new_item(screen: AuthorScreen, path: DataPath, items: list[Plain]) -> tuple[Plain] | None:
    """Return what a new item of a list starts as; None if its kind or its type was to be chosen and was not."""
    from sampleui.sample.starts import starts_at

    dialect = dialect_of(the_sample(screen))
    if kinds := starts_at(dialect, path[:-1]) if screen.index >= 0 else {}:
        start = await _start_of_kind(screen, kinds, path)
        return (start,) if start else None
    index = path[-1]
    assert isinstance(index, int)
    try:
        return (like_neighbour(items, index, dialect.turns.spelling),)
    except LookupError:
        kind = await _kind_for(screen, path)
        if kind is None:
            return None
        first = _first_item(screen, path[:-1])
        return (first if kind_of(first) is kind else _new(screen, path, kind),)


async def _start_of_kind(screen: AuthorScreen, kinds: Mapping[str, Start], path: DataPath) -> Table:
    """Return what a table of the kind that is picked starts as; of another kind, its name alone; empty for none."""
    name = await screen.pick(f"Kind of the new item of {path[-2]}", [*kinds], free=True)
    if not name:
        return {}
    return copy.deepcopy(dict(kinds[name].value)) if name in kinds else {"type": name}


@AUTHOR.command("turn.call", "i", "Tool call", group="Turns", scopes="turns", bar=9, needs=a_turn)
async def call_tool(screen: AuthorScreen) -> None:
    """Add a call of one of the sample's tools, or any other, and write its arguments; o adds its result."""
    await add_call(screen, the_item(screen).path)


@AUTHOR.command("edit.call", "ctrl+n", "Tool call", group="Turns", scopes="editor", needs=an_edited_turn)
async def call_from_text(screen: AuthorScreen) -> None:
    """Keep the turn being written, even if it is empty, and add a tool call to it."""
    path = the_item(screen).path
    if screen.editing.leave(keep_turn=True):
        await add_call(screen, path)


async def add_call(screen: AuthorScreen, turn: DataPath) -> None:
    """Add a call to a turn and open its first argument; the tool is picked where the sample has several."""
    sample = the_sample(screen)
    tools = {**tools_of(sample.context), **tools_of(sample.data)}
    if len(tools) == 1:
        name = next(iter(tools))
    elif tools:
        name = await screen.pick("Tool", [*tools], free=True)
    else:
        name = await screen.ask("Name of the tool")
    if not name:
        return
    messages, calls = value_at(sample.data, turn[:-1]), value_at(sample.data, (*turn, "tool_calls"))
    listed = messages if isinstance(messages, list) else []
    new = new_call(_call_like(screen, turn, calls), name, tools.get(name, {}), new_id(listed))
    path = (*turn, "tool_calls", len(calls) if isinstance(calls, list) else 0)
    change = (
        partial(edit.insert_value, index=screen.index, path=path, value=new)
        if isinstance(calls, list)
        else partial(edit.set_value, index=screen.index, path=path[:-1], value=[new])
    )
    arguments = arguments_of(new)
    if arguments is None:
        screen.perform(f"call {name}", change, after=path)
        return
    screen.folds[path] = False
    first = next(iter(arguments.table))
    await screen.editing.begin(f"call {name}", (*path, *arguments.path, first), change, fresh=True)


def an_unpaired_call(screen: AuthorScreen) -> str:
    """Need a turn with a call or a result whose id has no partner."""
    if told := a_turn(screen):
        return told
    *around, turn = the_item(screen).path
    messages = value_at(the_sample(screen).data, tuple(around))
    found = unpaired(messages) if isinstance(messages, list) else ()
    return "" if any(item.turn == turn for item in found) else "no fix is known for what is here"


@AUTHOR.command("turn.pair-up", "F", "Fix", group="Turns", scopes="turns", bar=8, needs=an_unpaired_call)
async def pair_up(screen: AuthorScreen) -> None:
    """Give a result the id of a call above it that has none, or a call the result that it lacks."""
    path = the_item(screen).path
    *around, turn = path
    messages = value_at(the_sample(screen).data, tuple(around))
    assert isinstance(messages, list)
    assert isinstance(turn, int)
    missing = next(item for item in unpaired(messages) if item.turn == turn)
    if missing.call is not None:
        below = max([turn, *results_of(messages, turn)]) + 1
        value: Table = {"role": "tool", "tool_call_id": missing.id, "content": ""}
        place: DataPath = (*around, below)
        change = partial(edit.insert_value, index=screen.index, path=place, value=value)
        await write_new(screen, f"add the result of {missing.id}", (*place, "content"), "", change)
        return
    calls = unanswered(messages, turn)
    if not calls:
        raise EditRefusedError("no call above is without a result; i on a turn adds one, and d deletes the result")
    change = partial(edit.set_value, index=screen.index, path=(*path, "tool_call_id"), value=calls[0].id)
    screen.perform(f"answer {calls[0].id}", change, after=path)
    screen.say(f"this is the result of {calls[0].name}, {calls[0].id}")


def _call_like(screen: AuthorScreen, turn: DataPath, calls: Plain) -> Plain:
    """Return a call as they are spelled here: in the turn, the conversation, other samples, or by the dialect.

    Where messages may have OpenAI's `function_call` they are those of its API, which has arguments as JSON text.
    """
    sample, deck = the_sample(screen), screen.session.deck
    others = (other for other in islice(deck.samples, _SAMPLES_LOOKED_AT) if other.index != sample.index)
    lists = [value_at(sample.data, turn[:-1]), *(value_at(other.data, other.messages_path) for other in others)]
    messages = [message for listed in lists for message in reversed(listed if isinstance(listed, list) else [])]
    found = (message.get("tool_calls") for message in messages if isinstance(message, dict))
    own = next((listed for listed in (calls, *found) if isinstance(listed, list) and listed), None)
    if own is not None:
        return own[-1]
    like = _first_item(screen, (*turn, "tool_calls"))
    if "function_call" in dialect_of(sample).contents.call_keys:
        return with_set(like, ("function", "arguments"), "{}")
    return like


@AUTHOR.command("field.type", "t", "Type", group=_GROUP, scopes="turns", bar=16, needs=a_value)
async def change_type(screen: AuthorScreen) -> None:
    """Give the value another type: text, number, true/false, nothing, list, table."""
    part = screen.conversation.part
    assert part is not None
    sample = the_sample(screen)
    value = value_at(sample.data, part.path)
    is_now = kind_of(value)
    offered = {f"{SIGNS[kind]:<3} {kind}": kind for kind in CHOICES if kind is not is_now}
    picked = await screen.pick(f"{is_now} becomes", list(offered))
    if not picked:
        return
    if picked not in offered:  # an answer that is repeated here
        raise EditRefusedError(f"this is {is_now} already")
    wanted = offered[picked]
    change = partial(
        edit.set_value, index=screen.index, path=part.path, value=_as(sample, part.path, value, wanted)
    )
    screen.perform(f"make it {wanted}", change, after=part.path)


@AUTHOR.command("field.rename", "N", "Rename", group=_GROUP, scopes="turns", bar=17, needs=an_item)
async def rename(screen: AuthorScreen) -> None:
    """Give the key under the cursor another name; on a turn, the sample."""
    part, path = screen.conversation.part, the_item(screen).path
    if the_item(screen).turn is not None and not (part is not None and part.key):
        from sampleui.tui.author.actions.samples import rename as rename_sample  # its commands come before these

        await rename_sample(screen)
        return
    if part is not None and part.key:  # a tool call goes by the key of them all
        path = part.path[:-1] if isinstance(part.path[-1], int) else part.path
    old = renamed(path)
    name = await screen.ask(f"Rename {old} to", old)
    if not name or name == old:
        return
    change = partial(edit.rename_key, index=screen.index, path=path, name=name)
    screen.perform(f"rename {old}", change, after=(*path[:-1], name))


@AUTHOR.command("field.fold", "Z", "Fold", group=_GROUP, scopes="turns", bar=18, needs=a_sample)
def fold(screen: AuthorScreen) -> None:
    """Fold the field under the cursor, or open it; inside an open one, fold that."""
    items, (cursor, _) = screen.conversation.items, screen.conversation.cursor
    if not items:
        return
    if (part := screen.conversation.part) is not None and part.tag in (CALL, OPEN_CALL, ARGUMENT):
        call = part.path[: len(screen.conversation.current.path) + 2] if screen.conversation.current else part.path
        screen.folds[call] = screen.folds.get(call) is False
        screen.show_sample(call)
        return
    here = items[cursor]
    around = (
        item
        for item in reversed(items[:cursor])
        if item.folded is False and here.path[: len(item.path)] == item.path
    )
    target = here if here.folded is not None else next(around, None)
    if target is None:
        raise EditRefusedError("there is nothing here to fold")
    screen.folds[target.path] = not target.folded
    screen.show_sample(target.path)


async def write_new(screen: AuthorScreen, label: str, path: DataPath, value: Plain, change: Edit) -> None:
    """Make a new value and open what is to be written of it first, as one step."""
    target = first_text(value, path)
    screen.unfold(target)
    if value is None or (isinstance(value, dict) and target == path and value):
        screen.perform(label, change, after=path)
        return
    await screen.editing.begin(label, target, change, fresh=True)


async def _kind_for(screen: AuthorScreen, path: DataPath) -> Kind | None:
    """Return the type of a new value: the dialect's, or else that of the other samples, or else the one picked."""
    from sampleui.sample.fields import kinds_at

    deck = screen.session.deck
    kinds = kinds_at(deck.kind, path, (sample.data for sample in deck.samples)) if screen.index >= 0 else ()
    if len(kinds) == 1:
        return kinds[0]
    offered = {f"{SIGNS[kind]:<3} {kind}": kind for kind in kinds or CHOICES}
    picked = await screen.pick("Type of the new value", list(offered))
    return offered[picked] if picked else None


def empty_list(screen: AuthorScreen) -> DataPath | None:
    """Return the path of the empty list that the cursor is on, None if it is on none."""
    part = screen.conversation.part
    return part.path if part is not None and part.path and part.value == [] else None


def _new(screen: AuthorScreen, path: DataPath, kind: Kind) -> Plain:
    from sampleui.sample.fields import new_value

    value = new_value(screen.session.deck.kind, path, kind) if screen.index >= 0 else blank(kind)
    return [_first_item(screen, path)] if value == [] else value


def _first_item(screen: AuthorScreen, path: DataPath) -> Plain:
    """Return what the first item of a list starts as."""
    from sampleui.sample.fields import first_item

    deck = screen.session.deck
    if screen.index < 0:
        return ""
    return first_item(deck.kind, path, (sample.data for sample in deck.samples))


def _as(sample: Sample, path: DataPath, value: Plain, kind: Kind) -> Plain:
    """Return a value as another type; the text of a message's content is kept as a segment."""
    content = (dialect_of(sample).turns.spelling.content,)
    if path[-1:] == content and isinstance(value, str) and kind is Kind.LIST:
        from sampleui.sample.dialects.segments import text_segment

        return [text_segment(value, dialect_of(sample))] if value else []
    return as_kind(value, kind)
