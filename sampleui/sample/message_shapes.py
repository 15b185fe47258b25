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
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, tables_in
from sampleui.sample.media import medium_in
from sampleui.sample.message import TEXT_TYPES, is_thinking
from sampleui.sample.open_table import OpenTable

_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("human", "user"), "user"),
    **dict.fromkeys(("ai", "gpt", "assistant", "model", "bot"), "assistant"),
    **dict.fromkeys(("tool", "function", "observation"), "tool"),
    **dict.fromkeys(("system", "developer"), "system"),
}
_USES = ("tool_use", "server_tool_use", "mcp_tool_use")
_WRAPPED_USES = (("functionCall", "id"), ("function_call", "id"), ("toolUse", "toolUseId"))
_WRAPPED_RESULTS = (
    ("functionResponse", "id", "response"),
    ("function_response", "id", "response"),
    ("toolResult", "toolUseId", "content"),
)
_GIVEN = ("arguments", "input", "action", "queries", "code", "operation")
"""Keys under which items have what a call was given."""

_RETURNED = ("output", "outputs", "results", "result")
"""Keys under which items have what a call returned in themselves."""

_TOLD = ("output", "error", "status")
"""Keys of what became of a call."""

_SAID = ("content", "text", "utterance", "message")
"""Keys under which what a speaker said may stand."""

_SILENT = frozenset({"step-start", "step-finish", "snapshot"})
"""Types of parts that say nothing: where a step of a model began and ended."""

_QUIET = frozenset({"mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "compaction"})
"""Types of items that are neither said nor called nor returned."""

_USUAL = frozenset({"text", "refusal", "image_url", "audio_url", "video_url", "file_url", "input_audio"})
"""Types of parts that are in the usual form as they are."""

_FILES = "experimental_attachments"
_SPELLED_OTHERWISE = frozenset({"parts", "toolInvocations", _FILES, "lc", "info", "speaker"})
"""Keys of messages that are not in the usual form."""

_MOVED = frozenset(f"role type info from value parts content tool_calls toolInvocations {_FILES} lc".split())


class UsualMessage(NamedTuple):
    """A message in the usual form, and where in its entry there is what it has.

    Attributes:
        message: the message.
        parts: where the parts of its content are, if that is a list.
        calls: where its calls are.
    """

    message: Table
    parts: tuple[DataPath, ...] = ()
    calls: tuple[DataPath, ...] = ()


class EntryReading(NamedTuple):
    """What an entry of a list of messages stands for, and where there is what has no place in the usual form."""

    messages: tuple[UsualMessage, ...] = ()
    left: tuple[DataPath, ...] = ()


class _Spoken(NamedTuple):
    """A part that says or shows something, and where it is."""

    part: Plain
    path: DataPath


class _Called(NamedTuple):
    """A call, and where it is."""

    call: Plain
    path: DataPath


def is_message(value: Plain) -> bool:
    """Tell whether a value is a message, or an item of a list of messages, in a shape that is known."""
    return isinstance(value, dict) and (role_of(value) is not None or _is_item(value))


def is_chat(value: Plain) -> bool:
    """Tell whether a value is a list of messages, all in shapes that are known."""
    return isinstance(value, list) and bool(value) and all(map(is_message, value))


def is_talk(tables: Sequence[Plain]) -> bool:
    """Tell whether tables that were taken for samples are the messages of one conversation."""
    return is_chat([*tables]) and any(not {"content", "parts"}.isdisjoint(as_table(table)) for table in tables)


def as_row(value: Plain) -> Plain:
    """Return a value of a file of rows: a conversation as the row that has it as messages, any other as it is."""
    return {"messages": value} if is_chat(value) else value


def usual_messages(entry: Plain) -> tuple[Table, ...]:
    """Return the messages that an entry of a list stands for, in the usual form; none where its shape is not known.

    An entry with calls among its parts becomes a message for each turn in it, and one for each result, in their
    order. A message that is in the usual form already is returned as it is.
    """
    return tuple(usual.message for usual in read_entry(entry).messages)


def read_entry(entry: Plain) -> EntryReading:
    """Read an entry of a list of messages, as `usual_messages` does."""
    if not isinstance(entry, dict):
        return EntryReading()
    role = role_of(entry)
    if role is not None and role == entry.get("role") and _is_usual(entry):  # most are: nothing is taken apart
        parts = tuple(("content", index) for index, _ in enumerate(as_list(entry.get("content"))))
        calls = tuple(("tool_calls", index) for index, _ in enumerate(as_list(entry.get("tool_calls"))))
        return EntryReading((UsualMessage(entry, parts, calls),))
    table = OpenTable(entry)
    left: list[DataPath] = []
    if role is None:
        messages = [*_item(table, left)] if _is_item(entry) else []
        return EntryReading(tuple(messages), (*table.left(), *left)) if messages else EntryReading()
    if (spoken_key := _said_by_speaker(entry)) is not None:
        beside = {key: value for key, value in entry.items() if key not in ("speaker", spoken_key)}
        return EntryReading((UsualMessage({"role": role, "content": entry[spoken_key], **beside}),))
    inner = _inner(entry)
    body = table.inner(inner) if inner else table
    beside = {key: value for key, value in {**entry, **body.table}.items() if key not in (*_MOVED, inner)}
    first, *rest = _of_message(role, body, left)
    first = first._replace(message={**beside, **first.message})
    if not rest and first.message == entry:
        return EntryReading((first._replace(message=entry),))
    for opened in (table, body):
        opened.take_all(("role", "type", "from", "lc", *beside))
    table.inner("info").take("role")
    return EntryReading((first, *rest), (*table.left(), *left))


def _is_usual(entry: Table) -> bool:
    """Tell whether a message with a role is in the usual form already."""
    if not _SPELLED_OTHERWISE.isdisjoint(entry) or not ("content" in entry or "value" not in entry):
        return False
    content, calls = entry.get("content"), entry.get("tool_calls")
    if isinstance(content, list) and not all(map(_is_usual_part, content)):
        return False
    return not isinstance(calls, list) or not any(isinstance(call, dict) and "args" in call for call in calls)


def _is_usual_part(part: Plain) -> bool:
    return isinstance(part, dict) and _type_of(part) in _USUAL and part.get("thought") is not True


def _type_of(part: Table) -> str:
    kind = part.get("type")
    return kind if isinstance(kind, str) else ""


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


def _inner(entry: Table) -> str:
    """Return the key of the table in which LangChain's dumps keep the rest of a message; empty for others."""
    if "lc" in entry:
        return "kwargs"
    return "data" if entry.keys() == {"type", "data"} and isinstance(entry["data"], dict) else ""


def role_of(entry: Table) -> str | None:
    """Return who speaks in a message; None if it does not say, as a message does."""
    info = entry.get("info")
    role = entry.get("role") or (info.get("role") if isinstance(info, dict) else None)
    if isinstance(role, str) and role:
        return "assistant" if role == "model" else role
    if _said_by_speaker(entry) is not None:
        return _ROLES.get(str(entry["speaker"]).lower(), str(entry["speaker"]))
    kind = as_list(entry.get("id"))[-1:] if "lc" in entry else [entry.get("from") or entry.get("type")]
    inner = as_table(entry.get(_inner(entry)))
    speaks = "value" in entry if "from" in entry else "lc" in entry or "content" in entry or "content" in inner
    named = next((str(word).lower().removesuffix("chunk").removesuffix("message") for word in kind), "")
    return _ROLES.get(named) if speaks else None


def _said_by_speaker(entry: Table) -> str | None:
    """Return the key under which a table has what its `speaker` said; None if it is no such table."""
    speaker = entry.get("speaker")
    if not isinstance(speaker, str) or not speaker or "role" in entry:
        return None
    return next((key for key in _SAID if isinstance(entry.get(key), str)), None)


def _is_item(entry: Table) -> bool:
    kind = entry.get("type")
    if not isinstance(kind, str) or kind == "tool_call":  # which is an event of a trace
        return False
    return kind == "reasoning" or kind in _QUIET or kind.endswith(("_call", "_call_output"))


def _item(table: OpenTable, left: list[DataPath]) -> Iterator[UsualMessage]:
    """Yield the message of an item without a role: a call, what it returned, or what a model thought."""
    kind = str(table.take("type"))
    if kind in _QUIET or kind == "reasoning":
        thoughts = [
            _Spoken({"type": "reasoning", "text": part.get("text")}, (key, index))
            for key in ("summary", "content")
            for index, part in enumerate(tables_in(table.take(key) if kind == "reasoning" else None))
        ]
        yield _turn("assistant", thoughts, [])
    elif kind.endswith("_output"):
        content, parts = _content(table.take("output"), ("output",), left)
        result: Table = {"tool_call_id": table.take("call_id"), "content": content}
        result |= {key: table.take(key) for key in ("error", "status") if table.table.get(key) is not None}
        yield UsualMessage({"role": "tool", **result}, parts)
    else:
        given = next((key for key in _GIVEN if key in table.table), None)
        name = table.take("name") or kind.removesuffix("_call")
        called: Table = {"id": table.take("call_id", "id"), "name": name}
        called |= {} if given is None else _as_call(table.take(given))
        returned = table.take(*_RETURNED)
        medium = medium_in(OpenTable({"type": "image", "data": returned})) if kind.startswith("image") else None
        called |= {} if returned is None else {"output": [medium.segment] if medium else returned}
        called |= {key: table.take(key) for key in ("error", "status") if table.table.get(key) is not None}
        yield _turn("assistant", [], [_Called(called, ())])


def _of_message(role: str, table: OpenTable, left: list[DataPath]) -> Iterator[UsualMessage]:
    """Yield what a message stands for: itself, or a message for each turn in it where calls are among its parts."""
    key = next((key for key in ("parts", "content", "value") if key in table.table), "content")
    content, files = table.take(key), [*tables_in(table.take(_FILES))]
    calls = [*_calls_beside(table)]
    if not isinstance(content, list) and not files:
        with_content: Table = {"content": content} if key in table.table else {}
        listed = isinstance(table.table.get("tool_calls", []), list)
        called: Table = {"tool_calls": table.table.get("tool_calls")} if "tool_calls" in table.table else {}
        called |= {"tool_calls": [item.call for item in calls]} if calls and listed else {}
        yield UsualMessage({"role": role, **with_content, **called}, (), tuple(item.path for item in calls))
        return
    parts: list[Plain] = content if isinstance(content, list) else [{"type": "text", "text": content}]
    attached: list[Plain] = [{"type": "file", **file} for file in files]
    acts = [*_acts(parts, (key,), left, whole=key == "parts"), *_acts(attached, (_FILES,), left, whole=True)]
    if all(isinstance(act, _Spoken) for act in acts) and key != "parts":
        spoken = [act for act in acts if isinstance(act, _Spoken)]
        turn = _turn(role, spoken, calls)
        yield turn._replace(message={**turn.message, "role": role, "content": [act.part for act in spoken]})
        return
    yield from _turns(role, [*acts, *calls])


def _turns(role: str, acts: Sequence[_Spoken | _Called | UsualMessage]) -> Iterator[UsualMessage]:
    """Yield a message for what is said and then called, up to a result or to what is said again; at least one."""
    spoken: list[_Spoken] = []
    calls: list[_Called] = []
    before = True
    for act in acts:
        ends = (calls and isinstance(act, _Spoken)) or isinstance(act, UsualMessage)
        if (ends and (spoken or calls)) or (spoken and role != "assistant" and isinstance(act, _Called)):
            yield _turn(role, spoken, calls)
            spoken, calls, before = [], [], False
        if isinstance(act, _Spoken):
            spoken.append(act)
        elif isinstance(act, _Called):
            calls.append(act)
        else:
            yield act
            before = False
    if spoken or calls or before:
        yield _turn(role, spoken, calls)


def _turn(role: str, spoken: Sequence[_Spoken], calls: Sequence[_Called]) -> UsualMessage:
    content: Table = {"content": [item.part for item in spoken] if spoken else ""} if spoken or not calls else {}
    called: Table = {"tool_calls": [item.call for item in calls]} if calls else {}
    speaker = role if spoken or not calls else "assistant"
    paths = tuple(item.path for item in spoken), tuple(item.path for item in calls)
    return UsualMessage({"role": speaker, **content, **called}, *paths)


def _acts(
    parts: Sequence[Plain], path: DataPath, left: list[DataPath], *, whole: bool
) -> Iterator[_Spoken | _Called | UsualMessage]:
    """Yield what parts are, and put where there is what has no place in the usual form into a list.

    Args:
        parts: the parts.
        path: where their list is.
        left: the list of places.
        whole: whether of a text only its words count, and not what is known of it.
    """
    for index, part in enumerate(parts):
        place = (*path, index)
        if not isinstance(part, dict):
            yield _Spoken(part, place)
            continue
        if not whole and _is_usual_part(part):
            yield _Spoken(part, place)
            continue
        table = OpenTable(part, place)
        table.take("type")
        if (call := _call(table)) is not None:
            yield _Called(call, place)
        elif (result := _result(table, left)) is not None:
            yield result
        elif _type_of(part) not in _SILENT:
            spoken = _said(table, whole=whole)
            if spoken is part:
                yield _Spoken(part, place)
                continue
            if spoken is not None:
                yield _Spoken(spoken, place)
        elif len(part) > 1:
            left.append(place)
            continue
        left += table.left()


def _said(table: OpenTable, *, whole: bool) -> Plain:
    """Return what a part says or shows, in the usual form; the part itself where that is not known, or it is."""
    part = table.table
    kind = _type_of(part)
    if is_thinking(part):
        return _thought(table)
    if kind in _USUAL and not (whole and kind == "text"):
        return part
    source = table.inner("source") if isinstance(part.get("source"), dict) else None
    if source is not None and source.table.get("type") in ("text", "content"):
        words = source.take("data", "content")
        source.take_all(("type", "media_type"))
        texts = (text for part in tables_in(words) if isinstance(text := part.get("text"), str))
        return {"type": "text", "text": words if isinstance(words, str) else "\n".join(texts)}
    text = part.get("text", part.get("content")) if not kind or kind in TEXT_TYPES else None
    if isinstance(text, str):
        table.take("text", "content")
        return {"type": "text", "text": text}
    medium = medium_in(table)
    if medium is None or not medium.url:
        return part
    if source is not None:
        source.take("type")
    detail: Table = {"detail": value} if (value := table.take("detail")) is not None else {}
    return {**medium.segment, medium.kind: {**as_table(medium.segment[medium.kind]), **detail}}


def _thought(table: OpenTable) -> Plain:
    """Return what a model thought in the usual form; nothing where it is not to be read."""
    if table.table.get("type") == "reasoning" and isinstance(table.table.get("value"), str):
        return table.table
    keys = ("reasoningContent", "reasoning_content")
    holder = next((table.inner(key) for key in keys if isinstance(table.table.get(key), dict)), table)
    inner = holder.inner("reasoningText") if "reasoningText" in holder.table else holder
    text = inner.take("thinking", "text", "reasoning", "reasoning_text", "content", "summary")
    table.take("thought")
    return {"type": "reasoning", "text": text} if isinstance(text, str) and text else None


def _content(value: Plain, path: DataPath, left: list[DataPath]) -> tuple[Plain, tuple[DataPath, ...]]:
    """Return what a call returned with its parts in the usual form, and where these are."""
    if not isinstance(value, list):
        return value, ()
    parts: list[Plain] = []
    for index, part in enumerate(value):
        table = OpenTable(as_table(part), (*path, index))
        table.take("type")
        parts.append((_said(table, whole=False) if isinstance(part, dict) else None) or part)
        left += table.left() if parts[-1] is not part else ()
    return parts, tuple((*path, index) for index in range(len(parts)))


def _calls_beside(table: OpenTable) -> Iterator[_Called]:
    """Yield the calls that stand beside the content of a message."""
    for index, call in enumerate(as_list(table.take("tool_calls"))):
        yield _Called(_flat_call(call), ("tool_calls", index))
    for index, used in enumerate(as_list(table.take("toolInvocations"))):
        if isinstance(used, dict) and (invoked := _invocation(OpenTable(used))):
            yield _Called(invoked, ("toolInvocations", index))


def _call(table: OpenTable) -> Table | None:
    """Return the call that a part is, None if it is none."""
    part = table.table
    kind = str(part.get("type", ""))
    if kind in _USES:
        return {key: table.take(key) for key in ("id", "name", "input")}
    if kind == "tool_call":
        return {"id": table.take("id"), "name": table.take("name"), **_as_call(table.take("arguments", "args"))}
    if kind == "tool" and isinstance(part.get("state"), dict):
        state = table.inner("state")
        called = {key: state.take(key) for key in ("input", *_TOLD) if state.table.get(key) is not None}
        return {"id": table.take("callID"), "name": table.take("tool"), **called}
    if kind == "tool-invocation":
        return _invocation(table.inner("toolInvocation"))
    if "toolCallId" in part and kind != "tool-result":
        return _invocation(table, kind.removeprefix("tool-"))
    for key, id_key in _WRAPPED_USES:
        if isinstance(part.get(key), dict):
            used = table.inner(key)
            return {"id": used.take(id_key), "name": used.take("name"), "input": used.take("args", "input")}
    return None


def _invocation(used: OpenTable, name: str = "") -> Table | None:
    """Return the call that a kit keeps together with what it returned."""
    named = used.take("toolName") or name
    if not isinstance(named, str) or not named:
        return None
    arguments, returned = used.take("input", "args", "rawInput"), used.take("output", "result")
    error = used.take("errorText")
    used.take("state")
    told: Table = {"output": returned} if returned is not None else {}
    told |= {"error": error} if error else {}
    return {"id": used.take("toolCallId"), "name": named, **_as_call(arguments), **told}


def _result(table: OpenTable, left: list[DataPath]) -> UsualMessage | None:
    """Return the message of what a call returned that a part is, None if it is none."""
    part = table.table
    kind = str(part.get("type", ""))
    if kind.endswith("tool_result"):
        return _returned(table, "tool_use_id", ("content",), left, failed=bool(table.take("is_error")))
    if kind == "tool-result":
        output = part.get("output", part.get("result"))
        is_typed = {"type", "value"} <= as_table(output).keys()
        typed = table.inner("output" if "output" in part else "result") if is_typed else None
        failed = bool(table.take("isError")) or (typed and str(typed.take("type")).startswith("error"))
        if typed is not None:
            return _returned(table, "toolCallId", ("value",), left, failed=bool(failed), holder=typed)
        return _returned(table, "toolCallId", ("output", "result"), left, failed=bool(failed))
    if kind == "tool_call_response":
        return _returned(table, "id", ("response", "result"), left)
    for key, id_key, content_key in _WRAPPED_RESULTS:
        if isinstance(part.get(key), dict):
            inner = table.inner(key)
            return _returned(inner, id_key, (content_key,), left, failed=inner.take("status") == "error")
    return None


def _returned(
    table: OpenTable,
    id_key: str,
    keys: tuple[str, ...],
    left: list[DataPath],
    *,
    failed: bool = False,
    holder: OpenTable | None = None,
) -> UsualMessage:
    holder = holder or table
    key = next((key for key in keys if key in holder.table), keys[0])
    content, parts = _content(holder.take(key), (*holder.path, key), left)
    name = table.take("name", "toolName")
    named: Table = {"name": name} if name is not None else {}
    wrong: Table = {"is_error": True} if failed else {}
    message: Table = {"role": "tool", "tool_call_id": table.take(id_key), **named, "content": content, **wrong}
    return UsualMessage(message, parts)


def _as_call(value: Plain) -> Table:
    """Return what a call was given: a text under the key under which it may be JSON."""
    return {"arguments": value} if isinstance(value, str) else {"input": value}


def _flat_call(call: Plain) -> Plain:
    """Return a call with its arguments where they are looked for; some kits have them under `args`."""
    is_other = isinstance(call, dict) and "args" in call and "input" not in call
    return {**as_table(call), "input": as_table(call)["args"]} if is_other else call
