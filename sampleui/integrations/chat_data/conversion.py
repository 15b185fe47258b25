"""ShareGPT's samples, as LLaMA-Factory reads them: calls are turns, tools a JSON text, answers the last turn."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sampleui.formats.data import Plain, Table, as_list, json_or_text, without_value_at
from sampleui.integrations.integration import Converting
from sampleui.sample.convert.tabled import Case
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.message import iso, loaded
from sampleui.sample.tool_calls import answered_call

_CALLS = "function_call"
"""The role of a turn whose text is the JSON of the tools it calls."""

_CALL = {"name", "arguments"}


def turns(messages: Sequence[Plain], notes: dict[str, None]) -> list[Plain]:
    """Return messages with their calls as turns of their own, each of which is the JSON of what it calls.

    Args:
        messages: the messages, as OpenAI spells them.
        notes: where a line is put for what changes.
    """
    turned: list[Plain] = []
    written: set[Plain] = set()
    for message in messages:
        calls = message.get("tool_calls") if isinstance(message, dict) else None
        listed = as_list(calls)
        functions: list[Plain] = [function for call in listed if (function := _called(call)) is not None]
        if not isinstance(message, dict) or not functions or len(functions) < len(listed):
            if isinstance(message, dict) and answered_call(message) in written:
                notes["tool_call_id is left out, for the calls have no ids"] = None
                message = without_value_at(message, ("tool_call_id",))
            turned.append(message)
            continue
        written.update(call["id"] for call in listed if isinstance(call, dict) and isinstance(call.get("id"), str))
        rest = {key: value for key, value in message.items() if key != "tool_calls"}
        turned += [rest] if rest.get("content") or rest.keys() - {"role", "content"} else []
        turned.append({"role": _CALLS, "content": _as_json(functions[0] if len(functions) == 1 else functions)})
        notes[f"tool_calls are written as turns of {_CALLS}, without their id and type"] = None
    return turned


def understood(messages: Sequence[Plain], items: Sequence[Plain]) -> tuple[list[Plain], str]:
    """Return messages with those that are the JSON of calls as messages that call, and a line where some are.

    The calls are given ids, which the tools' answers name.

    Args:
        messages: the messages, as OpenAI spells them.
        items: the same as authored.
    """
    turned: list[Plain] = []
    open_calls: list[str] = []
    count = 0
    for message, item in zip(messages, items, strict=True):
        is_call = isinstance(item, dict) and item.get("from") == _CALLS
        functions = _calls_in(message.get("content")) if is_call and isinstance(message, dict) else []
        if functions and isinstance(message, dict):
            open_calls = [f"call_{count + index + 1}" for index in range(len(functions))]
            count += len(functions)
            called: list[Plain] = [
                {"id": name, "type": "function", "function": function}
                for name, function in zip(open_calls, functions, strict=True)
            ]
            message = {**message, "content": None, "tool_calls": called}
        elif isinstance(message, dict) and message.get("role") == "tool" and open_calls:
            message = {"tool_call_id": open_calls.pop(0), **message}
        turned.append(message)
    return turned, f"messages: the value of {_CALLS} is read as tool_calls" if count else ""


def finished(data: Table, _: Case) -> tuple[Table, Sequence[str]]:
    """Return a written sample with its id where its kind has it, and a line where a conversation is left out."""
    if "turns" in data and "id" in data:
        return {"question_id": data["id"], **{key: value for key, value in data.items() if key != "id"}}, ()
    left_out = "messages: LLaMA-Factory leaves a conversation out in which a turn is not answered"
    return data, () if _alternates(data.get("conversations")) else (left_out,)


def _called(call: Plain) -> Table | None:
    """Return the name and the arguments of a call that is nothing else."""
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(call, dict) or not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return None
    if call.keys() - {"id", "type", "function"} or function.keys() - _CALL:
        return None
    return {"name": function["name"], "arguments": loaded(function.get("arguments"))}


def _calls_in(text: Plain) -> list[Table]:
    """Return the functions that the JSON of a text calls; none if it is anything else."""
    parsed = json_or_text(text) if isinstance(text, str) else None
    items: list[Plain] = parsed if isinstance(parsed, list) else [parsed]
    calls = [
        item for item in items if isinstance(item, dict) and item.keys() == _CALL and isinstance(item["name"], str)
    ]
    if len(calls) < len(items):
        return []
    return [{"name": call["name"], "arguments": _as_json(call["arguments"])} for call in calls]


def _as_json(value: Plain) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=iso)


def _alternates(turns: Plain) -> bool:
    """Tell whether after a system message each turn of the user, or of a tool, has one that follows on it."""
    if not isinstance(turns, list):
        return True
    asking = {"human", "user", "observation", "tool"}
    named = (turn.get("from", turn.get("role")) if isinstance(turn, dict) else None for turn in turns)
    roles = [name if isinstance(name, str) else None for name in named]
    turns_of = roles[1:] if roles[:1] == ["system"] else roles
    asked = all(role in asking for role in turns_of[::2])
    return bool(turns_of) and not len(turns_of) % 2 and asked and not {*asking, "system", None} & {*turns_of[1::2]}


KEY = "tools"


def fields(rest: Table, target: Dialect) -> tuple[Table, list[str]]:
    """Return fields with the tools among them as OpenAI spells them, and a line where that cannot be done.

    Args:
        rest: the fields of a sample that are neither messages nor what is expected.
        target: the dialect that they are for.
    """
    if KEY not in rest or KEY not in target.known:
        return rest, []
    read = rest[KEY]
    read = json_or_text(read.strip()) if isinstance(read, str) else read
    if read in ("", []):
        return {key: value for key, value in rest.items() if key != KEY}, [f"{KEY}: left out, for it names none"]
    listed = read if isinstance(read, list) else [read]
    tools = [tool for item in listed if (tool := _tool(item)) is not None]
    if len(tools) < len(listed):
        readable = "a JSON list of functions that have names"
        return rest, [f"{KEY}: kept as it is, which {target.title} does not read: it is not {readable}"]
    return {**rest, KEY: [*tools]}, []


def _tool(value: Plain) -> Table | None:
    """Return a function as a tool, and a tool as it is; None for what is neither."""
    if not isinstance(value, dict):
        return None
    function = value.get("function")
    if isinstance(function, dict):
        return {"type": "function", **value} if isinstance(function.get("name"), str) else None
    inner = {key: item for key, item in value.items() if key != "type"}
    return {"type": "function", "function": inner} if isinstance(inner.get("name"), str) else None


CONVERSION = Converting(
    convert_fields=fields,
    to_openai=understood,
    write_turns=turns,
    finish_sample=finished,
    is_for=lambda dialect: not dialect.turns.spelling.usual,  # a sample of OpenAI's needs nothing of it
)
