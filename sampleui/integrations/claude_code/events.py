"""The lines of a session as events, a block of a message each; `docs/traces.md` has the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.integrations.claude_code.conversation import is_put_in, message_id
from sampleui.integrations.sessions import returned_text, said
from sampleui.review.results import fields
from sampleui.trace.events import THOUGHT

_INPUT = (
    *("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"),
    *("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens"),
)
_OUTPUT = ("output_tokens", "outputTokens")
"""Keys of what was read and written: of a message, and of all that a model did."""


def last_lines(lines: Sequence[Table], elsewhere: frozenset[str] = frozenset()) -> dict[str, Table]:
    """Return the last line of each message by what the message is called, which says the tokens of all of it.

    A message is written in several lines, a block each, and each repeats what was counted until then.

    Args:
        lines: all lines of a session.
        elsewhere: the ids of messages that are counted elsewhere.
    """
    named = ((name, line) for line in lines if (name := _counted_as(line)) is not None)
    return {name: line for name, line in named if name not in elsewhere}


def spent_in(usages: Sequence[Table]) -> Table:
    """Return the tokens that were counted in all of some usages; nothing where none were."""
    spent: Table = {}
    for name, keys in (("input", _INPUT), ("output", _OUTPUT)):
        counts = [fields.whole(usage[key]) for usage in usages for key in keys if key in usage]
        if known := [count for count in counts if count is not None]:
            spent[name] = sum(known)
    return {"token_usage": spent} if any(spent.values()) else {}


def _counted_as(line: Table) -> str | None:
    if (of := message_id(line)) is not None:
        return of
    own = line.get("uuid")
    return own if isinstance(own, str) and line.get("type") == "assistant" else None


def events_of(lines: Sequence[Table], last: dict[str, Table]) -> list[Table]:
    """Return the events of the lines of one agent, which are in the order of what happened."""
    calls: dict[str, Table] = {}
    events: list[Table] = []
    for line in lines:
        time = line.get("timestamp")
        for event in _events(line, last, calls):
            if isinstance(time, str):
                event["timestamp"] = time
            events.append(event)
            if event["type"] == "tool_call":
                calls[str(event.get("id"))] = event
    return events


def _events(line: Table, last: dict[str, Table], calls: Mapping[str, Table]) -> Sequence[Table]:
    kind, message = line.get("type"), as_table(line.get("message"))
    if kind == "assistant":
        return _answered(line, message, last)
    if kind == "user":
        return [*_given(line, message, calls)]
    if kind == "system":
        return [*_system(line)]
    attached = as_table(line.get("attachment")) if kind == "attachment" else {}
    if attached.get("type") == "queued_command" and attached.get("prompt"):
        return [said("user", attached["prompt"], queued=True)]
    return ()


def _answered(line: Table, message: Table, last: dict[str, Table]) -> list[Table]:
    """Return what a model thought, said and called, the first of it with the tokens of the message."""
    content = message.get("content")
    failed = line.get("isApiErrorMessage") is True or isinstance(line.get("error"), str)
    blocks: list[Table] = [{"type": "text", "text": content}] if isinstance(content, str) else tables_in(content)
    about: Table = {"model": message["model"]} if message.get("model") else {}
    events = [event for block in blocks if (event := _answer_block(block, about, failed=failed)) is not None]
    # A message has its tokens once; a line of which nothing is shown has them only where it is the last.
    name = _counted_as(line) or ""
    is_counted = name in last and (bool(events) or last[name] is line)
    ending = as_table(last.pop(name).get("message")) if is_counted else {}
    if spent := spent_in([as_table(ending.get("usage"))]):
        if events and events[0]["type"] in ("message", "tool_call"):
            events[0] |= spent
        else:
            events.insert(0, {"type": "model_step", "metadata": {"role": "assistant", **about}, **spent})
    return events


def _answer_block(block: Table, about: Table, *, failed: bool) -> Table | None:
    kind = str(block.get("type"))
    if kind == "text" and isinstance(text := block.get("text"), str):
        event = said("assistant", text, **about)
        return {**event, "type": "error"} if failed else event
    if kind == "thinking":
        thought = block.get("thinking")
        return said(THOUGHT, thought, **about) if isinstance(thought, str) and thought else None
    if kind == "redacted_thinking":
        return None
    if kind.endswith("tool_use"):
        return {"type": "tool_call", "id": block.get("id"), "name": block.get("name"), "input": block.get("input")}
    if kind.endswith("tool_result"):  # of a tool that the model's provider runs
        return _returned(block)
    return said("assistant", [block], **about)


def _given(line: Table, message: Table, calls: Mapping[str, Table]) -> Iterator[Table]:
    content = message.get("content")
    spoken = [block for block in as_list(content) if not _is_result(block)]
    for block in tables_in(content):
        if _is_result(block):
            returned = _returned(block)
            raw = as_table(line.get("toolUseResult"))
            called = calls.get(str(returned["id"]))
            took = fields.number(raw.get("totalDurationMs", raw.get("durationMs")))
            if called is not None:
                returned["name"] = called.get("name")
                if took is not None:
                    called["duration_ms"] = took
            yield returned
    if isinstance(content, str) or spoken:
        words = content if isinstance(content, str) else spoken
        yield said("system", words, put_in="by the program") if is_put_in(line) else said("user", words)


def _is_result(block: Plain) -> bool:
    return str(as_table(block).get("type")).endswith("tool_result")


def _returned(block: Table) -> Table:
    content = block.get("content")
    event: Table = {"type": "tool_result", "id": block.get("tool_use_id"), "output": returned_text(content)}
    if block.get("is_error") is True or str(as_table(content).get("type")).endswith("_error"):
        event["is_error"] = True
    return event


def _system(line: Table) -> Iterator[Table]:
    """Yield what the program told of: that it compacted, or that something failed; of what it measured nothing."""
    content, subtype = line.get("content"), line.get("subtype")
    about: Table = {"role": "system", "subtype": subtype}
    if subtype == "api_error" or line.get("level") == "error":
        error = as_table(line.get("error"))
        words = (
            content or error.get("message") or as_table(as_table(error.get("error")).get("error")).get("message")
        )
        yield {
            "type": "error",
            "text": words if isinstance(words, str) else "an error of the API",
            "metadata": about,
        }
    elif isinstance(content, str) and content:
        if isinstance(compacted := line.get("compactMetadata"), dict):
            about |= {"compacted": compacted}
        yield {"type": "message", "text": content, "metadata": about}
