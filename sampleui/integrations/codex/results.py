"""Codex: the rollouts that it keeps of its sessions, and what `codex exec --json` prints.

Source: openai/codex, `codex-rs/protocol/src/models.rs` and `codex-rs/exec/src/exec_events.rs`; `docs/traces.md` has
the table. A rollout has each message twice, as it was sent and as it was shown: what was sent counts, and what was
shown tells which of it a person typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.integrations.codex import MARK, SIGNS
from sampleui.integrations.sessions import AgentSession, SessionFiles, lines_of
from sampleui.review.results import fields
from sampleui.text.wording import counted
from sampleui.trace.events import THOUGHT
from sampleui.trace.reading.messages import is_text, text_of

_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d{1,10})$", re.MULTILINE)
_HEAD_OF_OUTPUT = 500
"""Characters in which Codex says how a command ended, before what that printed."""

_COUNTS = {"input": "input_tokens", "output": "output_tokens"}


def read_file(path: Path) -> Sequence[AgentSession]:
    """Return the session of a rollout, or each thread that was printed into a file. Raises as `lines_of` does."""
    notes: list[str] = []
    lines = lines_of(path, notes)
    if any(str(line.get("type")).startswith(("thread.", "turn.", "item.")) for line in lines[:20]):
        return [*_threads(lines, path, notes)]
    return [_Rollout(lines, notes).session(path)]


def _message(role: str, content: Plain, **about: Plain) -> Table:
    event: Table = {"type": "message", "metadata": {"role": role, **about}}
    if (text := text_of(content)) is not None:
        event["text"] = text
    return event if is_text(content) else {**event, "output": content}


def _tokens(usage: Table) -> Table:
    return {kind: count for kind, key in _COUNTS.items() if (count := fields.whole(usage.get(key))) is not None}


class _Rollout:
    """The reading of one rollout."""

    def __init__(self, lines: Sequence[Table], notes: list[str]) -> None:
        self._notes = notes
        self._items = [(str(line.get("type")), _payload(line), line.get("timestamp")) for line in lines]
        self._events: list[Table] = []
        self._calls: dict[str, Table] = {}
        self._turns: list[int] = []
        self._total: Table = {}
        self._counted = 0
        self._model = ""
        self._typed = [
            words
            for kind, payload, _ in self._items
            if kind == "event_msg" and payload.get("type") == "user_message"
            if isinstance(words := payload.get("message"), str)
        ]
        self._shown_alone = not any(
            kind != "event_msg" and payload.get("type") == "message" for kind, payload, _ in self._items
        )

    def session(self, path: Path) -> AgentSession:
        """Return what the rollout says. It may repeat another session, whose line about itself comes second."""
        heads = [payload for kind, payload, _ in self._items if kind == "session_meta"] or self._old_heads()
        own: Table = heads[0] if heads else {}
        models: list[str] = []
        for kind, payload, time in self._items:
            if kind == "turn_context" and isinstance(payload.get("model"), str):
                self._model = str(payload["model"])
                models.append(self._model)
            before = len(self._events)
            self._add(kind, payload)
            for event in self._events[before:]:
                if isinstance(time, str):
                    event["timestamp"] = time
        parents = [name for key in ("forked_from_id", "parent_thread_id") if (name := fields.text(own.get(key)))]
        if parents or len(heads) > 1:
            self._notes.append(f"it goes on from another session{': ' if parents else ''}{', '.join(parents)}")
        facts: Table = {
            "cwd": own.get("cwd"),
            "git_branch": as_table(own.get("git")).get("branch"),
            "version": own.get("cli_version"),
            "model": ", ".join(dict.fromkeys(models)) or None,
            "asked": next((str(event["text"]) for event in self._events if _is_asked(event)), None),
        }
        named = fields.text(own.get("id")) or fields.text(own.get("session_id")) or ""
        return AgentSession(named, self._events, facts, self._notes, (path,))

    def _old_heads(self) -> list[Table]:
        """Return the first line of a rollout from before lines had a type, which is about the session."""
        return [payload for kind, payload, _ in self._items[:1] if kind == "None" and "id" in payload]

    def _add(self, kind: str, payload: Table) -> None:
        if kind == "event_msg":
            self._add_shown(payload)
        elif kind == "compacted":
            self._events.append(_message("system", payload.get("message") or "the conversation was compacted"))
        elif payload.get("type") == "message":
            self._add_message(payload)
        elif payload.get("type") == "reasoning":
            listed = [*as_list(payload.get("summary")), *as_list(payload.get("content"))]
            thoughts = [text for part in tables_in(listed) if isinstance(text := part.get("text"), str)]
            if thoughts:
                self._events.append(_message(THOUGHT, "\n".join(thoughts), **self._by_model()))
        elif str(payload.get("type")).endswith("_call"):
            self._add_call(payload)
        elif str(payload.get("type")).endswith("_output"):
            self._add_output(payload)

    def _by_model(self) -> Table:
        return {"model": self._model} if self._model else {}

    def _add_message(self, payload: Table) -> None:
        role, content = str(payload.get("role")), payload.get("content")
        if role == "user":
            text = text_of(content) or ""
            typed = text in self._typed if self._typed else not text.startswith(("<", "# AGENTS.md"))
            if typed:
                self._turns.append(len(self._events))
            self._events.append(_message("user" if typed else "system", content))
        else:
            about = self._by_model() if role == "assistant" else {}
            self._events.append(_message("assistant" if role == "assistant" else "system", content, **about))

    def _add_call(self, payload: Table) -> None:
        written = next((payload[key] for key in ("arguments", "input", "action", "query") if key in payload), None)
        name = fields.text(payload.get("name")) or str(payload.get("type")).removesuffix("_call")
        given = _decoded(written) if "arguments" in payload else written
        event: Table = {"type": "tool_call", "id": payload.get("call_id", payload.get("id")), "name": name}
        self._events.append({**event, "input": given})
        self._calls[str(event["id"])] = self._events[-1]

    def _add_output(self, payload: Table) -> None:
        called = self._calls.get(str(payload.get("call_id")), {})
        output, failed, took = _ended(payload.get("output", payload.get("result")))
        event: Table = {"type": "tool_result", "id": payload.get("call_id"), "name": called.get("name")}
        event["output"] = output
        if failed or payload.get("status") == "failed":
            event["is_error"] = True
        if took is not None and called:
            called["duration_ms"] = round(took * 1000, 3)
        self._events.append(event)

    def _add_shown(self, payload: Table) -> None:
        """Take what was shown alone: failures, tokens, and messages where nothing else has them."""
        kind, words = payload.get("type"), payload.get("message")
        if kind == "token_count":
            self._add_tokens(as_table(payload.get("info")))
        elif kind in ("error", "stream_error"):
            self._events.append({"type": "error", "text": words if isinstance(words, str) else "an error"})
        elif kind == "turn_aborted":
            self._events.append(_message("system", f"the turn was aborted: {payload.get('reason') or 'no reason'}"))
        elif kind == "thread_rolled_back":
            self._roll_back(fields.whole(payload.get("num_turns")) or 0)
        elif kind in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            failed = payload.get("success") is False or payload.get("exit_code") not in (0, None)
            called = self._calls.get(str(payload.get("call_id")))
            if called is not None and (failed or "Err" in as_table(payload.get("result"))):
                called["is_error"] = True
        elif self._shown_alone and kind in ("user_message", "agent_message") and words:
            role = "user" if kind == "user_message" else "assistant"
            if role == "user":
                self._turns.append(len(self._events))
            self._events.append(_message(role, words))

    def _add_tokens(self, info: Table) -> None:
        """Add what was read and written since the count before; a count is of all so far, and may be repeated."""
        total, last = (
            _tokens(as_table(info.get("total_token_usage"))),
            _tokens(as_table(info.get("last_token_usage"))),
        )
        since = {kind: int(str(count)) - int(str(self._total.get(kind, 0))) for kind, count in total.items()}
        spent: Table = last if not total or any(count < 0 for count in since.values()) else {**since}
        self._total = total or self._total
        if not any(spent.values()):
            return
        _spend(self._events, self._counted, spent, self._by_model())
        self._counted = len(self._events)

    def _roll_back(self, turns: int) -> None:
        if turns > 0 and self._turns:
            start = self._turns[-min(turns, len(self._turns))]
            del self._events[start:], self._turns[-min(turns, len(self._turns)) :]
            self._notes.append(f"{counted(turns, 'turn')} taken back, which are left out")


def _spend(events: list[Table], since: int, spent: Table, about: Table) -> None:
    """Add tokens to what a model said, thought or called last; where it did nothing, as a step of its own."""
    done = ("assistant", THOUGHT)
    said = (event for event in reversed(events[since:]) if _role(event) in done or event["type"] == "tool_call")
    if (event := next(said, None)) is not None:
        event["token_usage"] = spent
    else:
        events.append({"type": "model_step", "metadata": about, "token_usage": spent})


def _payload(line: Table) -> Table:
    return as_table(line["payload"]) if isinstance(line.get("payload"), dict) else line


def _role(event: Table) -> Plain:
    return as_table(event.get("metadata")).get("role")


def _is_asked(event: Table) -> bool:
    return _role(event) == "user" and bool(event.get("text"))


def _decoded(written: Plain) -> Plain:
    """Return the arguments that a text is as JSON; the text itself if it is none."""
    if not isinstance(written, str):
        return written
    try:
        value: Plain = json.loads(written)
    except (ValueError, RecursionError):
        return written
    return value


def _ended(output: Plain) -> tuple[Plain, bool, float | None]:
    """Return what a call returned, whether it failed, and the seconds it took, None if it does not say.

    What a command printed stands below how it ended, or in JSON beside that.
    """
    value = _decoded(output) if isinstance(output, str) and output.startswith("{") else output
    table = as_table(value)
    if "output" in table and isinstance(table.get("metadata"), dict):
        about = as_table(table["metadata"])
        return (
            table["output"],
            about.get("exit_code") not in (0, None),
            fields.number(about.get("duration_seconds")),
        )
    if isinstance(value, dict) and "content" in value and "success" in value:
        return _text(value["content"]), value["success"] is False, None
    said = _text(output)
    head = said[:_HEAD_OF_OUTPUT].partition("\nOutput:")[0] if isinstance(said, str) else ""
    code = _EXIT.search(head)
    return said, code is not None and int(code[1]) != 0, None


def _text(content: Plain) -> Plain:
    return text_of(content) or "" if isinstance(content, list) and is_text(content) else content


def _threads(lines: Sequence[Table], path: Path, notes: Sequence[str]) -> Iterator[AgentSession]:
    """Yield the threads that were printed into a file. An item that is printed again has changed."""
    starts = [number for number, line in enumerate(lines) if line.get("type") == "thread.started"]
    starts = starts if starts[:1] == [0] else [0, *starts]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        items: dict[str, Table] = {}
        events: list[Table] = []
        counted_until = 0
        for line in lines[start:end]:
            kind, item = str(line.get("type")), as_table(line.get("item"))
            if kind.startswith("item.") and (event := _printed(item)) is not None:
                known = items.get(str(item.get("id")))
                if known is None:
                    items[str(item.get("id"))] = event
                    events.append(event)
                else:
                    known.clear()
                    known.update(event)
            elif kind == "turn.completed" and (usage := _tokens(as_table(line.get("usage")))):
                _spend(events, counted_until, usage, {})
                counted_until = len(events)
            elif kind in ("turn.failed", "error"):
                error = as_table(line.get("error")).get("message") or line.get("message")
                events.append({"type": "error", "text": error if isinstance(error, str) else "the turn failed"})
        yield AgentSession(str(lines[start].get("thread_id") or path.stem), events, {}, notes, (path,))


_PRINTED = {
    "command_execution": ("command", "aggregated_output"),
    "mcp_tool_call": ("arguments", "result"),
    "file_change": ("changes", "status"),
    "web_search": ("query", "results"),
    "todo_list": ("items", "status"),
}
"""Of what is printed as a call, where its arguments and what it returned stand."""


def _printed(item: Table) -> Table | None:
    kind = str(item.get("type"))
    if kind in ("agent_message", "reasoning"):
        return _message("assistant" if kind == "agent_message" else THOUGHT, item.get("text"))
    if kind == "error":
        return {"type": "error", "text": item.get("message")}
    if kind not in _PRINTED and not kind.endswith("_call"):
        return None
    given, returned = _PRINTED.get(kind, ("arguments", "result"))
    server = fields.text(item.get("server"))
    name = ".".join(filter(None, (server, fields.text(item.get("tool")) or kind)))
    event: Table = {"type": "tool_call", "id": item.get("id"), "name": name, "input": item.get(given)}
    if item.get(returned) is not None:
        event["output"] = item[returned]
    if error := item.get("error"):
        event["error"] = error
    if item.get("status") in ("failed", "declined") or item.get("exit_code") not in (0, None):
        event["is_error"] = True
    return event


FILES = SessionFiles("codex", "Codex", MARK, SIGNS, lambda: read_file)


RESULTS = FILES.results()
RUN_FILES = FILES.run_files()
