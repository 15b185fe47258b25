"""The tools of a sample, the calls of them in its turns, and the results that answer the calls by their ids."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from itertools import count
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, json_or_text, with_set
from sampleui.sample.message import flat
from sampleui.sample.parse import value_at


class Call(NamedTuple):
    """A call in a turn: its place in the list of calls, its id (empty if it has none), and the tool's name.

    `has_result` tells of one that has what it returned in itself, under `output`.
    """

    position: int
    id: str
    name: str
    has_result: bool = False


class Unpaired(NamedTuple):
    """A call that no result answers, or a result that answers none, or not in its place.

    Attributes:
        turn: the place of its turn.
        call: the call; None for a result.
        id: the id that has no partner.
        problem: what is wrong, in a sentence without its end.
        caller: the place of the turn that calls, for a result that does not follow it.
    """

    turn: int
    call: Call | None
    id: str
    problem: str
    caller: int | None = None


def tools_of(data: Table) -> dict[str, Table]:
    """Return the tools that a sample defines, as OpenAI or Anthropic do: by name, the schema of the arguments.

    They may be a JSON text, as in ShareGPT's samples.
    """
    tools: dict[str, Table] = {}
    defined = data.get("tools")
    for tool in as_list(json_or_text(defined) if isinstance(defined, str) else defined):
        function = tool.get("function", tool) if isinstance(tool, dict) else None
        if isinstance(function, dict) and isinstance(name := function.get("name"), str):
            schema = function.get("parameters", function.get("input_schema"))
            tools[name] = as_table(schema)
    return tools


def calls_in(message: Plain) -> list[Call]:
    """Return the calls of a turn, as OpenAI spells them or flat."""
    calls = message.get("tool_calls") if isinstance(message, dict) else None
    found = []
    for index, call in enumerate(as_list(calls)):
        table = flat(call)
        if isinstance(table, dict):
            found.append(Call(index, str(table.get("id") or ""), name_of(call), "output" in table))
    return found


def answered_call(message: Plain) -> str:
    """Return the id of the call that a turn is the result of; empty if it is none."""
    call_id = message.get("tool_call_id") if isinstance(message, dict) else None
    return call_id if isinstance(call_id, str) else ""


def results_of(messages: Sequence[Plain], turn: int) -> list[int]:
    """Return the places of the turns that answer the calls of a turn."""
    wanted = {call.id for call in calls_in(messages[turn]) if call.id}
    found = []
    for index in range(turn + 1, len(messages) if wanted else 0):
        if wanted & {call.id for call in calls_in(messages[index])}:
            break
        if answered_call(messages[index]) in wanted:
            found.append(index)
    return found


def kept_together(messages: Sequence[Plain]) -> list[range]:
    """Return the places of turns that stay together: one that calls with the results below it, any other alone."""
    found: list[range] = []
    turn = 0
    while turn < len(messages):
        ids = {call.id for call in calls_in(messages[turn]) if call.id}
        end = turn + 1
        while end < len(messages) and answered_call(messages[end]) in ids:
            end += 1
        found.append(range(turn, end))
        turn = end
    return found


def moved_turns(messages: Sequence[Plain], chosen: Collection[int], by: int) -> list[int] | None:
    """Return the places of turns, or items, in the order that they have after a move; None if there is no room.

    Calls and their results stay together. Results of a call change places among each other.

    Args:
        messages: the list.
        chosen: the places of those to move.
        by: 1 for one place down, -1 for one place up.
    """
    row, wanted = kept_together(messages), {*chosen}
    for unit in row:
        if all(unit.start < turn + min(by, 0) and turn in unit and turn + by in unit for turn in chosen):
            row = [range(turn, turn + 1) for turn in range(len(messages))]
            break
    row = row[::-by]
    for index in range(len(row)):
        if not wanted.isdisjoint(row[index]):
            if not index:
                return None
            row[index - 1], row[index] = row[index], row[index - 1]
    return [turn for unit in row[::-by] for turn in unit]


def unanswered(messages: Sequence[Plain], turn: int) -> list[Call]:
    """Return the calls that a turn put at a place may answer: those without result of the turn that calls above."""
    index = turn - 1
    while index >= 0 and answered_call(messages[index]):
        index -= 1
    if index < 0:
        return []
    done = {answered_call(messages[result]) for result in results_of(messages, index)}
    return [call for call in calls_in(messages[index]) if call.id not in done and not call.has_result]


def unpaired(messages: Sequence[Plain]) -> list[Unpaired]:
    """Return calls without a result and results without a call, in order. The last turn's calls may go without.

    Between a call and its result there may be other calls and results, but no other turn, and it has one result.
    """
    caller: dict[str, int] = {}
    waiting: dict[int, list[Unpaired]] = {}
    found: list[Unpaired] = []
    done: set[tuple[int, str]] = set()
    last_other = -1
    for turn, message in enumerate(messages):
        result, calls = answered_call(message), [call for call in calls_in(message) if call.id]
        if result and result not in caller:
            found.append(Unpaired(turn, None, result, f'No call above has the id "{result}"'))
        elif result and caller[result] < last_other:
            problem = f'Other turns are between the call "{result}" and its result'
            found.append(Unpaired(turn, None, result, problem, caller[result]))
        elif result and (caller[result], result) in done:
            found.append(Unpaired(turn, None, result, f'The call "{result}" has a result already'))
        elif not result and not calls_in(message) and as_table(message).get("role") != "tool":
            last_other = turn
        for call in calls:  # who calls by an id again waits for no result of the turn that called by it before
            found += waiting.pop(caller.get(call.id, -1), [])
        before = caller.get(result, -1)
        done.add((before, result))
        if before in waiting:
            waiting[before] = [item for item in waiting[before] if item.id != result]
        caller |= {call.id: turn for call in calls}
        waiting[turn] = [
            Unpaired(turn, call, call.id, f'The call "{call.id}" of {call.name} has no result')
            for call in calls
            if not call.has_result
        ]
    waiting.pop(len(messages) - 1, None)
    found += (item for items in waiting.values() for item in items)
    return sorted(found, key=lambda item: (item.turn, -1 if item.call is None else item.call.position))


def new_call_id(messages: Sequence[Plain]) -> str:
    """Return an id that no call of a conversation has."""
    used_ids = {call.id for message in messages for call in calls_in(message)}
    return next(name for number in count(1) if (name := f"call_{number}") not in used_ids)


def with_fresh_ids(added: Sequence[Plain], messages: Sequence[Plain]) -> list[Plain]:
    """Return turns that are put into a conversation, with new ids for their calls where it has calls by these.

    The results among them answer to the new ids where they follow their call.
    """
    taken = {call.id for message in messages for call in calls_in(message)}
    renamed: dict[str, str] = {}
    fresh: list[Plain] = []
    for message in added:
        named = message
        for call in calls_in(message):
            if call.id in taken - {""}:
                renamed[call.id] = new_call_id([*messages, *added, *fresh, named])
                named = with_set(named, ("tool_calls", call.position, "id"), renamed[call.id])
        if (name := answered_call(message)) in renamed:
            named = with_set(named, ("tool_call_id",), renamed[name])
        fresh.append(named)
    return fresh


def new_call(like: Plain, name: str, arguments: Table, call_id: str) -> Plain:
    """Return a new call of a tool.

    Args:
        like: a call as the dialect spells one: OpenAI's, with arguments as a table or as JSON text, or a flat one.
        name: the tool.
        arguments: what it begins with.
        call_id: its id.
    """
    call = dict(like) if isinstance(like, dict) else {}
    function = call.get("function")
    if isinstance(function, dict):
        as_text = isinstance(function.get("arguments"), str)
        written: Plain = json.dumps(arguments, ensure_ascii=False) if as_text else arguments
        return {**call, "id": call_id, "function": {**function, "name": name, "arguments": written}}
    key = next((key for key in ("function", "tool", "name") if key in call), "function")
    given_in = "input" if "input" in call else "arguments"
    return {**call, "id": call_id, key: name, given_in: arguments}


class Arguments(NamedTuple):
    """The arguments of a call: where it has them, what they are, and the JSON text if they are written as one."""

    path: DataPath
    table: Table
    text: str = ""


def arguments_in(call: Plain) -> Arguments | None:
    """Return the table of arguments of a call, which may be empty; None if it has something else in its place."""
    found: Arguments | None = None
    for path in (("function", "arguments"), ("arguments",), ("input",), ("args",)):
        value = value_at(call, path)
        table = json_or_text(value) if isinstance(value, str) else value
        if isinstance(table, dict) and (table or found is None):
            found = Arguments(path, table, value if isinstance(value, str) else "")
            if table:
                break
    return found


def with_argument(text: str, path: DataPath, value: Plain) -> str:
    """Return a JSON text with the value at a path, or the whole, replaced; it stays as compact as it was."""
    compact = ": " not in text and ", " not in text
    changed = with_set(json.loads(text), path, value)
    return json.dumps(changed, ensure_ascii=False, separators=(",", ":") if compact else None)


def name_of(call: Plain) -> str:
    """Return the name of the tool that is called; `call` if it has none."""
    table = flat(call)
    name = (table.get("function") or table.get("tool") or table.get("name")) if isinstance(table, dict) else None
    return name if isinstance(name, str) else "call"


def call_line(call: Plain) -> str:
    """Return a call on a line as code writes it: `get_weather(city="Paris", days=2)`."""
    name, arguments = name_of(call), arguments_in(call)
    if arguments is not None and arguments.table:
        return f"{name}({', '.join(f'{key}={_json(value)}' for key, value in arguments.table.items())})"
    table = flat(call)
    other = table.get("arguments", table.get("input")) if isinstance(table, dict) else call
    return f"{name}()" if other in (None, {}, "") else f"{name}({_json(other)})"


def _json(value: Plain) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
