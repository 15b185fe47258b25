"""Commands on tool calls and on the results that answer them."""

from __future__ import annotations

from itertools import islice

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, shown, with_set
from sampleui.formats.operations import Insert, Move, Operation, Set
from sampleui.formats.timestamps import read_typed
from sampleui.sample.argument_types import argument_values, missing, type_of
from sampleui.sample.convert.contents import conversation_for
from sampleui.sample.fields import first_item
from sampleui.sample.kinds import named_value
from sampleui.sample.parse import dialect_of, value_at
from sampleui.sample.tool_calls import (
    arguments_in,
    kept_together,
    name_of,
    new_call,
    new_call_id,
    results_of,
    unanswered,
    unpaired,
    with_argument,
)
from sampleui.tui.author.actions.needs import AUTHOR, a_turn, an_edited_turn, the_item, the_sample
from sampleui.tui.author.nodes import call_around, place_in_list, tools_known
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.items import ARGUMENT, CALL, OPEN_CALL
from sampleui.tui.screens import asking

_GROUP = "Turns"
_SAMPLES_LOOKED_AT = 50
_NEVER_CALL = {"system", "developer", "user", "tool", "function"}
"""Roles whose turns call no tools: below one of them the assistant does."""


@AUTHOR.command("turn.call", "i ctrl+n", "Tool call", group=_GROUP, scopes="turns", bar=9, needs=a_turn)
async def call_tool(screen: AuthorScreen) -> None:
    """Add a call of one of the sample's tools, or any other, and write its arguments; Add adds its result."""
    await add_call(screen, the_item(screen).path)


@AUTHOR.command("edit.call", "ctrl+n", "Tool call", group=_GROUP, scopes="editor", needs=an_edited_turn)
async def call_from_text(screen: AuthorScreen) -> None:
    """Keep the turn being written, even if it is empty, and add a tool call to it."""
    path = the_item(screen).path
    if screen.editing.leave(keep_turn=True):
        await add_call(screen, path)


async def add_call(screen: AuthorScreen, turn: DataPath) -> None:
    """Add a call to a turn, or to a new one below a turn that calls nothing, and open its first argument.

    The tool is picked where the sample has several. Where calls are turns themselves, the new turn is opened.
    """
    sample = the_sample(screen)
    tools = tools_known(sample)
    if len(tools) == 1:
        name = next(iter(tools))
    elif tools:
        name = await asking.pick(screen, "Tool", [*tools], free=True)
    else:
        name = await asking.ask(screen, "Name of the tool")
    if not name:
        return
    calls, listed = value_at(sample.data, (*turn, "tool_calls")), as_list(value_at(sample.data, turn[:-1]))
    begun = type_of(tools[name]).start() if name in tools else {}
    arguments = begun if isinstance(begun, dict) else {}
    near = _caller_near(screen, turn)
    new = new_call(_call_like(screen, turn, near), name, arguments, new_call_id(listed))
    path = (*turn, "tool_calls", len(as_list(calls)))
    spelling, message = dialect_of(sample).turns.spelling, value_at(sample.data, turn)
    caller = _caller_like(near, new)
    below = (*turn[:-1], next((unit.stop for unit in kept_together(listed) if turn[-1] in unit), 0))
    *_, calling = conversation_for([caller], dialect_of(sample)).messages or [caller]
    change: Operation
    if isinstance(calls, list):
        change = Insert(path, new)
    elif listed and "tool_calls" not in as_table(calling):
        change = Insert(below, spelling.written(as_table(calling)))
        await screen.editing.begin(f"call {name}", (*below, spelling.content), change)
        return
    elif listed and isinstance(message, dict) and spelling.read(message).get("role") in _NEVER_CALL:
        change = Insert(below, spelling.written(caller))
        path = (*below, "tool_calls", 0)
    else:
        change = Set(path[:-1], [new])
    call_arguments = arguments_in(new)
    if call_arguments is None:
        screen.perform(f"call {name}", change, after=path)
        return
    screen.enter(path)
    first, _ = next(argument_values(call_arguments.table))
    await screen.editing.begin(f"call {name}", (*path, *call_arguments.path, *first), change, fresh=True)


async def add_argument(screen: AuthorScreen) -> bool:
    """Add an argument to the call under the cursor by the schema of its tool; tell whether that has any more."""
    part = screen.conversation.part
    if part is None or part.tag not in (CALL, OPEN_CALL, ARGUMENT):
        return False
    sample, item = the_sample(screen), the_item(screen)
    path = call_around(item, part)
    call = value_at(sample.data, path)
    arguments = arguments_in(call)
    wanted = type_of(tools_known(sample).get(name_of(call), {}))
    if arguments is None:
        return False
    offered: dict[str, DataPath] = {
        shown(argument_path): argument_path for argument_path in missing(wanted, arguments.table)
    }
    if not offered and wanted.known:
        return False
    if offered:
        name, said = await asking.pick(screen, "Argument", [*offered]), ""
    else:
        name, said = await _named_argument(screen, arguments.table)
    if not name:
        return True
    argument_path, around = offered.get(name, (name,)), (*path, *arguments.path)
    value = read_typed(said, has_dates=False) if said else wanted.type_at(argument_path).start()
    listed = value_at(arguments.table, argument_path[:-1])
    if not arguments.text:
        into = Insert if isinstance(listed, list) else Set
        change = into((*around, *argument_path), value)
    elif isinstance(listed, list):
        change = Set(around, with_argument(arguments.text, argument_path[:-1], [*listed, value]))
    else:
        change = Set(around, with_argument(arguments.text, argument_path, value))
    screen.enter(path)
    if said:
        screen.perform(f"add {name}", change, after=(*around, *argument_path))
        return True
    first, _ = next(argument_values(value, argument_path))
    await screen.editing.begin(f"add {name}", (*around, *first), change, fresh=True)
    return True


async def _named_argument(screen: AuthorScreen, table: Table) -> tuple[str, str]:
    """Return the name of an argument of a tool without schema, and its value as it was typed if it was."""
    answer = await asking.ask(screen, "Argument, as in city: Paris")
    name, said = named_value(answer) or (answer.strip(), "")
    if name in table:
        raise EditRefusedError(f"{name} is there already")
    return name, said


def an_unpaired_call(screen: AuthorScreen) -> str:
    """Need a turn with a call or a result whose id has no partner."""
    if missing_need := a_turn(screen):
        return missing_need
    around, turn = place_in_list(the_item(screen).path)
    found = unpaired(as_list(value_at(the_sample(screen).data, around)))
    return "" if any(item.turn == turn for item in found) else "no fix is known for what is here"


@AUTHOR.command("turn.pair-up", "F", "Fix", group=_GROUP, scopes="turns", bar=8, needs=an_unpaired_call)
async def pair_up(screen: AuthorScreen) -> None:
    """Pair a result with a call that has none, move it below its call, or add the result a call lacks."""
    path = the_item(screen).path
    around, turn = place_in_list(path)
    messages = as_list(value_at(the_sample(screen).data, around))
    missing = next(item for item in unpaired(messages) if item.turn == turn)
    if missing.caller is not None:
        below = next(unit.stop for unit in kept_together(messages) if unit.start == missing.caller)
        screen.perform(f"move the result of {missing.id}", Move(path, below), after=(*around, below))
        return
    if missing.call is not None:
        below = max([turn, *results_of(messages, turn)]) + 1
        value: Table = {"role": "tool", "tool_call_id": missing.id, "content": ""}
        answer_path: DataPath = (*around, below)
        content = (*answer_path, "content")
        await screen.editing.write_new(f"add the result of {missing.id}", content, "", Insert(answer_path, value))
        return
    calls = unanswered(messages, turn)
    if not calls:
        raise EditRefusedError("no call above is without a result; i on a turn adds one, and d deletes the result")
    screen.perform(f"answer {calls[0].id}", Set((*path, "tool_call_id"), calls[0].id), after=path)
    screen.say(f"this is the result of {calls[0].name}, {calls[0].id}")


def _caller_near(screen: AuthorScreen, turn: DataPath) -> Table:
    """Return a message with calls: the turn, or one of the conversation or of other samples; empty for none."""
    sample, deck = the_sample(screen), screen.session.deck
    others = (other for other in islice(deck.samples, _SAMPLES_LOOKED_AT) if other.index != sample.index)
    lists = (value_at(sample.data, turn[:-1]), *(value_at(other.data, other.messages_path) for other in others))
    messages = (message for listed in lists for message in reversed(as_list(listed)))
    found = (as_table(message) for message in (value_at(sample.data, turn), *messages))
    return next((message for message in found if as_list(message.get("tool_calls"))), {})


def _call_like(screen: AuthorScreen, turn: DataPath, near: Table) -> Plain:
    """Return a call as a message has them, or where none has as the dialect spells them.

    Where messages may have OpenAI's `function_call` they are those of its API, which has arguments as JSON text.
    """
    if calls := as_list(near.get("tool_calls")):
        return calls[-1]
    deck = screen.session.deck
    like = first_item(deck.kind, (*turn, "tool_calls"), (other.data for other in deck.samples))
    if "function_call" in dialect_of(the_sample(screen)).contents.call_keys:
        return with_set(like, ("function", "arguments"), "{}")
    return like


def _caller_like(near: Table, call: Plain) -> Table:
    """Return a message that makes a call, with no content where another that calls has none, or none but null."""
    content = "" if near.get("content", "") is not None else None
    caller: Table = {"role": "assistant", "content": content, "tool_calls": [call]}
    if not near:
        return caller
    order = [key for key in near if key in caller]
    return {key: caller[key] for key in dict.fromkeys(("role", *order))}
