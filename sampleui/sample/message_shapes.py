"""Lists of messages as providers and their kits write them, each read as messages of the usual form.

The usual form is that of OpenAI's chats: a role, a content, and calls. Beside it there are contents that are lists
of blocks with calls and results among them (`tool_use`, `toolUse`, `functionCall`), messages whose content stands
in `parts`, with a call and its result in one part, items without a role of which each call is one
(`function_call`, `reasoning`), messages named by a type (`human`, `ai`), messages with what is known of them
under `info`, and what a `speaker` said, as transcripts of calls have it. A provider's whole response is the
messages in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in

_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("human", "user"), "user"),
    **dict.fromkeys(("ai", "gpt", "assistant", "model", "bot"), "assistant"),
    **dict.fromkeys(("tool", "function", "observation"), "tool"),
    **dict.fromkeys(("system", "developer"), "system"),
}
_USES = ("tool_use", "server_tool_use", "mcp_tool_use")
_GIVEN = ("arguments", "input", "action", "queries", "code")
"""Keys under which items have what a call was given."""

_SAID = ("content", "text", "utterance", "message")
"""Keys under which what a speaker said may stand."""

_SILENT = frozenset({"step-start", "step-finish", "snapshot"})
"""Types of parts that say nothing: where a step of a model began and ended."""

_MOVED = frozenset("role type info from value parts content tool_calls toolInvocations kwargs lc data".split())  # noqa: SIM905


def is_message(value: Plain) -> bool:
    """Tell whether a value is a message, or an item of a list of messages, in a shape that is known."""
    return isinstance(value, dict) and (role_of(value) is not None or _is_item(value))


def is_chat(value: Plain) -> bool:
    """Tell whether a value is a list of messages, all in shapes that are known."""
    return isinstance(value, list) and bool(value) and all(map(is_message, value))


def usual_messages(entry: Plain) -> tuple[Table, ...]:
    """Return the messages that an entry of a list stands for, in the usual form; none where its shape is not known.

    An entry of several parts becomes a message for each call and each result, in their order. A message that is in
    the usual form already is returned as it is.
    """
    if not isinstance(entry, dict):
        return ()
    table = _unwrapped(entry)
    role = role_of(entry)
    if role is None:
        return tuple(_item(table)) if _is_item(table) else ()
    if (said := _said_by_speaker(entry)) is not None:
        beside = {key: value for key, value in entry.items() if key not in ("speaker", said)}
        return ({"role": role, "content": entry[said], **beside},)
    parts = table.get("parts", table.get("content"))
    calls = [*map(_flat_call, as_list(table.get("tool_calls")))]
    invoked = [call for part in tables_in(table.get("toolInvocations")) if (call := _invocation(part))]
    in_parts = isinstance(parts, list) and ("parts" in table or any(map(_acts, parts)))
    if role == entry.get("role") and not (in_parts or invoked) and calls == as_list(table.get("tool_calls")):
        return (entry,)
    if not isinstance(parts, list) or not in_parts:
        content: Table = {"content": table["value"]} if "from" in table and "value" in table else {}
        content |= {"content": table["content"]} if "content" in table else {}
        called: Table = {"tool_calls": [*calls, *invoked]} if calls or invoked else {}
        return ({**_beside(table), "role": role, **content, **called},)
    messages = [*_of_parts(role, parts)]
    messages += [{"role": role, "tool_calls": [*calls, *invoked]}] if calls or invoked else []
    first, *rest = messages or [{"role": role, "content": ""}]
    return {**_beside(table), **first}, *rest


def is_item(entry: Plain) -> bool:
    """Tell whether a value is an item of a list in which calls stand beside messages and not in them."""
    if not isinstance(entry, dict):
        return False
    return _is_item(entry) or (entry.get("type") == "message" and "role" in entry and "content" in entry)


def chat(value: Plain) -> tuple[Table, ...]:
    """Return the messages of a list, or of a provider's response, in the usual form.

    Entries whose shape is not known are left out.
    """
    entries = value if isinstance(value, list) else responded(value)
    return tuple(message for entry in entries for message in usual_messages(entry))


def responded(value: Plain) -> list[Plain]:
    """Return the messages and items of a provider's whole response, as it has them; none of any other value.

    A response is a message itself (Anthropic's), has one as its choice (OpenAI's chats) or candidate (Gemini's), or
    is an object with its items as output (OpenAI's responses). Of several choices the first counts.
    """
    if not isinstance(value, dict):
        return []
    if value.get("object") == "response":
        return as_list(value.get("output"))
    for several, inner in (("choices", "message"), ("candidates", "content")):
        messages = [item.get(inner) for item in tables_in(value.get(several))]
        if messages and is_message(messages[0]):
            return messages[:1]
    return [value] if "role" in value and is_message(value) else []


def _unwrapped(entry: Table) -> Table:
    """Return a message with what LangChain's dumps keep of it in a table of its own."""
    if "lc" in entry:
        return {**entry, **as_table(entry.get("kwargs"))}
    return {**entry, **as_table(entry["data"])} if entry.keys() == {"type", "data"} else entry


def role_of(entry: Table) -> str | None:
    """Return who speaks in a message; None if it does not say, as a message does."""
    info = entry.get("info")
    role = entry.get("role") or (info.get("role") if isinstance(info, dict) else None)
    if isinstance(role, str) and role:
        return "assistant" if role == "model" else role
    if _said_by_speaker(entry) is not None:
        return _ROLES.get(str(entry["speaker"]).lower(), str(entry["speaker"]))
    kind = as_list(entry.get("id"))[-1:] if "lc" in entry else [entry.get("from") or entry.get("type")]
    said = "value" in entry if "from" in entry else "content" in _unwrapped(entry) or "lc" in entry
    named = next((str(word).lower().removesuffix("chunk").removesuffix("message") for word in kind), "")
    return _ROLES.get(named) if said else None


def _said_by_speaker(entry: Table) -> str | None:
    """Return the key under which a table has what its `speaker` said; None if it is no such table."""
    speaker = entry.get("speaker")
    if not isinstance(speaker, str) or not speaker or "role" in entry:
        return None
    return next((key for key in _SAID if isinstance(entry.get(key), str)), None)


def _beside(table: Table) -> Table:
    return {key: value for key, value in table.items() if key not in _MOVED}


def _is_item(entry: Table) -> bool:
    kind = entry.get("type")
    if not isinstance(kind, str) or kind == "tool_call":  # which is an event of a trace
        return False
    return kind == "reasoning" or kind.endswith(("_call", "_call_output"))


def _item(entry: Table) -> Iterator[Table]:
    """Yield the message of an item without a role: a call, what it returned, or what a model thought."""
    kind = str(entry["type"])
    if kind == "reasoning":
        texts = [*tables_in(entry.get("summary")), *tables_in(entry.get("content"))]
        yield {"role": "assistant", "content": [{"type": "reasoning", "text": part.get("text")} for part in texts]}
    elif kind.endswith("_output"):
        yield {"role": "tool", "tool_call_id": entry.get("call_id"), "content": entry.get("output")}
    else:
        value = next((entry[key] for key in _GIVEN if key in entry), None)
        name = entry.get("name") or kind.removesuffix("_call")
        called: Table = {"id": entry.get("call_id", entry.get("id")), "name": name}
        called |= _as_call(value) if value is not None else {}
        returned = {key: entry[key] for key in ("output", "error", "status") if entry.get(key) is not None}
        yield {"role": "assistant", "tool_calls": [{**called, **returned}]}


def _of_parts(role: str, parts: Sequence[Plain]) -> Iterator[Table]:
    said: list[Plain] = []
    for part in parts:
        call, result = (_call(part), _result(part)) if isinstance(part, dict) else (None, None)
        acted: Table | None = {"role": "assistant", "tool_calls": [call]} if call else result
        if acted is not None:
            if said:
                yield {"role": role, "content": said}
                said = []
            yield acted
        elif not (isinstance(part, dict) and part.get("type") in _SILENT):
            said.append(_spoken(part))
    if said:
        yield {"role": role, "content": said}


def _acts(part: Plain) -> bool:
    return isinstance(part, dict) and (_call(part) is not None or _result(part) is not None)


def _spoken(part: Plain) -> Plain:
    """Return a part that says something with its text under `text`."""
    if not isinstance(part, dict):
        return part
    text = part.get("text", part.get("content"))
    if not isinstance(text, str) or part.get("type", "text") not in ("text", "reasoning"):
        return part
    return {"type": "text", **{key: value for key, value in part.items() if key != "content"}, "text": text}


def _call(part: Table) -> Table | None:
    """Return the call that a part is, None if it is none."""
    kind = str(part.get("type", ""))
    if kind in _USES:
        return {"id": part.get("id"), "name": part.get("name"), "input": part.get("input")}
    if kind == "tool_call":
        return {"id": part.get("id"), "name": part.get("name"), **_as_call(part.get("arguments"))}
    if kind == "tool" and isinstance(state := part.get("state"), dict):
        said = {key: state[key] for key in ("input", "output", "error", "status") if state.get(key) is not None}
        return {"id": part.get("callID"), "name": part.get("tool"), **said}
    if kind == "tool-invocation":
        return _invocation(as_table(part.get("toolInvocation")))
    if "toolCallId" in part and kind != "tool-result":
        return _invocation({"toolName": kind.removeprefix("tool-"), **part})
    for key, id_key in (("functionCall", "id"), ("function_call", "id"), ("toolUse", "toolUseId")):
        if isinstance(used := part.get(key), dict):
            return {"id": used.get(id_key), "name": used.get("name"), "input": used.get("args", used.get("input"))}
    return None


def _invocation(used: Table) -> Table | None:
    """Return the call that a kit keeps together with what it returned."""
    if not isinstance(used.get("toolName"), str):
        return None
    arguments = next((used[key] for key in ("input", "args", "rawInput") if key in used), None)
    returned = next(({"output": used[key]} for key in ("output", "result") if key in used), {})
    failed: Table = {"error": used["errorText"]} if used.get("errorText") else {}
    return {"id": used.get("toolCallId"), "name": used["toolName"], **_as_call(arguments), **returned, **failed}


def _result(part: Table) -> Table | None:
    """Return the message of what a call returned that a part is, None if it is none."""
    kind = str(part.get("type", ""))
    if kind.endswith("tool_result"):
        return _returned(part.get("tool_use_id"), None, part.get("content"), part.get("is_error"))
    if kind == "tool-result":
        output = part.get("output", part.get("result"))
        value = output.get("value", output) if isinstance(output, dict) and "type" in output else output
        failed = part.get("isError") or (isinstance(output, dict) and str(output.get("type")).startswith("error"))
        return _returned(part.get("toolCallId"), part.get("toolName"), value, failed)
    if kind == "tool_call_response":
        return _returned(part.get("id"), None, part.get("response", part.get("result")), None)
    for key, id_key, said in (
        ("functionResponse", "id", "response"),
        ("function_response", "id", "response"),
        ("toolResult", "toolUseId", "content"),
    ):
        if isinstance(inner := part.get(key), dict):
            return _returned(inner.get(id_key), inner.get("name"), inner.get(said), inner.get("status") == "error")
    return None


def _returned(call: Plain, name: Plain, content: Plain, failed: Plain) -> Table:
    named: Table = {"name": name} if name is not None else {}
    wrong: Table = {"is_error": True} if failed else {}
    return {"role": "tool", "tool_call_id": call, **named, "content": content, **wrong}


def _as_call(value: Plain) -> Table:
    """Return what a call was given: a text under the key under which it may be JSON."""
    return {"arguments": value} if isinstance(value, str) else {"input": value}


def _flat_call(call: Plain) -> Plain:
    """Return a call with its arguments where they are looked for; some kits have them under `args`."""
    is_other = isinstance(call, dict) and "args" in call and "input" not in call
    return {**as_table(call), "input": as_table(call)["args"]} if is_other else call
