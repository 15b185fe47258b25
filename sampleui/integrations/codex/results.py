"""Codex: the rollouts that it keeps of its sessions, and what `codex exec --json` prints.

Source: openai/codex, `codex-rs/protocol/src/models.rs` and `codex-rs/exec/src/exec_events.rs`, and what 0.80,
0.136 and 0.171 write; `docs/traces.md` has the table. A rollout has each message twice, as it was sent and shown:
what was sent counts, and what was shown tells which of it a person typed. The thread of a sub-agent is a rollout
beside that of the thread which began it, and names that; it may begin with a copy of what was said there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, as_table, json_or_text, tables_in
from sampleui.integrations.codex import MARK, SIGNS
from sampleui.integrations.sessions import (
    AgentSession,
    SessionFiles,
    SubAgent,
    lines_of,
    lines_of_agents,
    returned_text,
    said,
    sidecars,
    with_sub_agents,
)
from sampleui.review.results import fields
from sampleui.text.confined import start_of
from sampleui.text.wording import counted
from sampleui.trace.events import THOUGHT
from sampleui.trace.nesting import circles
from sampleui.trace.reading.messages import text_of

_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d{1,10})$", re.MULTILINE)
_HEAD_OF_OUTPUT = 500
"""Characters in which Codex says how a command ended, before what that printed."""

_REFUSED = re.compile(
    r"(?:unsupported (?:custom tool )?call|failed to parse function arguments|apply_patch verification failed"
    r"|write_stdin failed|execution error|tool call error): "
    r"|exec_command failed for `|unable to (?:locate|read|process) image at `|Agent depth limit reached"
    r"|aborted by user|(?:exec command|patch) rejected by user"
)
"""How Codex begins what it returns of a call that it did not make: nothing else in a rollout tells of that."""

_COUNTS = {"input": "input_tokens", "output": "output_tokens"}


class RolloutReader:
    """Reads rollouts of Codex, each with those of the sub-agents that lie beside it."""

    def __init__(self) -> None:
        self._folders: dict[Path, _Folder] = {}
        self._turns: dict[str, frozenset[str]] = {}

    def __call__(self, path: Path) -> Sequence[AgentSession]:
        """Return the session of a rollout, or the threads that were printed into a file.

        Raises as `lines_of` does.
        """
        notes: list[str] = []
        lines = lines_of(path, notes)
        if any(str(line.get("type")).startswith(("thread.", "turn.", "item.")) for line in lines[:20]):
            return [*_threads(lines, path, notes)]
        own = _Rollout(lines, self._turns)
        self._turns[own.id] = own.turns
        notes += own.notes
        agents, files = self._sub_agents(path, own, notes)
        events = [*with_sub_agents(own.events, agents, notes)]
        return [AgentSession(own.id, events, own.facts(), notes, (path, *files))]

    def is_part(self, path: Path) -> bool:
        """Tell whether a file is that of a sub-agent whose thread lies beside it."""
        folder = self._folder(path.parent)
        return folder.parents.get(folder.threads.get(path, ""), "") in folder.parents

    def _folder(self, path: Path) -> _Folder:
        if path not in self._folders:
            self._folders[path] = _folder_of(path)
        return self._folders[path]

    def _sub_agents(self, path: Path, own: _Rollout, notes: list[str]) -> tuple[list[SubAgent], list[Path]]:
        """Return the sub-agents of a rollout and theirs, and the files that they were read from."""
        folder = self._folder(path.parent)
        agents, files, waiting, seen = list[SubAgent](), list[Path](), [own.id], {own.id}
        rollouts = {own.id: own}

        def found() -> Iterator[Path]:
            while waiting:
                for file in folder.inner.get(waiting.pop(), ()):
                    if (thread := folder.threads[file]) not in seen:
                        seen.add(thread)
                        yield file

        for file, lines in lines_of_agents(found(), notes):
            thread = folder.threads[file]
            above = rollouts[folder.parents[thread]]
            rollouts[thread] = rollout = _Rollout(lines, {above.id: above.turns}, is_sub_agent=True)
            waiting.append(thread)
            files.append(file)
            asked = rollout.asked or ""
            agents.append(SubAgent(thread, rollout.name, rollout.events, asked, above.begun.get(thread, "")))
        if missing := sum(len(rollout.begun.keys() - rollouts.keys()) for rollout in rollouts.values()):
            notes.append(f"what {counted(missing, 'sub-agent')} did is in no rollout here")
        return agents, files


class _Folder(NamedTuple):
    """Whose the rollouts of a folder are.

    Attributes:
        threads: by file the thread that it is of.
        parents: by thread that which began it, "" for none.
        inner: by thread the files of those that it began.
    """

    threads: dict[Path, str]
    parents: dict[str, str]
    inner: dict[str, list[Path]]


def _folder_of(path: Path) -> _Folder:
    folder = _Folder({}, {}, {})
    for file in sidecars(path, "rollout-", ".jsonl", []):
        line = (start_of(file) or b"").partition(b"\n")[0].decode("utf-8", "replace")
        head = as_table(as_table(json_or_text(line)).get("payload"))
        if (thread := _thread_in(head)) and thread not in folder.parents:
            folder.threads[file] = thread
            folder.parents[thread] = _parent_in(head)
    folder.parents.update(dict.fromkeys(circles(folder.parents), ""))  # threads that began each other
    for file, thread in folder.threads.items():
        folder.inner.setdefault(folder.parents[thread], []).append(file)
    return folder


def _thread_in(head: Table) -> str:
    return fields.text(head.get("id")) or fields.text(head.get("session_id")) or ""


def _parent_in(head: Table) -> str:
    """Return the thread that began one as a sub-agent, as its rollout says it; "" for none."""
    return fields.text(head.get("parent_thread_id")) or fields.text(_spawned(head).get("parent_thread_id")) or ""


def _spawned(head: Table) -> Table:
    return as_table(as_table(as_table(head.get("source")).get("subagent")).get("thread_spawn"))


def _tokens(usage: Table) -> Table:
    return {kind: count for kind, key in _COUNTS.items() if (count := fields.whole(usage.get(key))) is not None}


class _Rollout:
    """The reading of one rollout.

    Attributes:
        id: its thread.
        turns: the ids of its turns.
        begun: by the threads that it began the calls which did.
        events: what was done in it.
        notes: what it goes on from, and what was taken back.
    """

    def __init__(
        self, lines: Sequence[Table], turns: dict[str, frozenset[str]], *, is_sub_agent: bool = False
    ) -> None:
        """Read the lines of a rollout.

        Args:
            lines: they may begin with a copy of another rollout, whose line about itself then comes second.
            turns: by their threads the turns of rollouts that it may be a copy of, and where these are counted.
            is_sub_agent: whether it is read with that which began it, so that what was copied is left out.
        """
        self.events: list[Table] = []
        self.begun: dict[str, str] = {}
        self.notes: list[str] = []
        self._is_sub_agent = is_sub_agent
        self._items = [
            (str(line.get("type")), as_table(line.get("payload")) or line, line.get("timestamp")) for line in lines
        ]
        heads = [payload for kind, payload, _ in self._items if kind == "session_meta"]
        if not heads:  # from before lines had a type
            heads = [payload for kind, payload, _ in self._items[:1] if kind == "None" and "id" in payload]
        self._head: Table = heads[0] if heads else {}
        self.id = _thread_in(self._head)
        self._calls: dict[str, Table] = {}
        self._turns: list[int] = []
        self._total: Table = {}
        self._counted = 0
        self._models: list[str] = []
        self._typed = {words for kind, payload, _ in self._items if (words := _typed_in(kind, payload))}
        self._shown_alone = not any(
            kind != "event_msg" and payload.get("type") == "message" for kind, payload, _ in self._items
        )
        from_thread = next((of for head in heads[1:] if (of := _thread_in(head))), "")
        self._tell(turns.get(from_thread, frozenset()))
        of_lines = (fields.text(payload.get("turn_id")) for _, payload, _ in self._items)
        self.turns = frozenset(filter(None, of_lines))
        before = fields.text(self._head.get("forked_from_id")) or from_thread
        if not is_sub_agent and (parent := _parent_in(self._head)):
            self.notes.append(f"it was begun by the thread {parent}")
        elif not is_sub_agent and (before or len(heads) > 1):
            self.notes.append(f"it goes on from another session{before and ': '}{before}")

    @property
    def asked(self) -> str | None:
        """What was typed first, or another agent asked."""
        texts = (fields.text(event.get("text")) for event in self.events if _role(event) == "user")
        return next(filter(None, texts), None)

    @property
    def name(self) -> str:
        """What a sub-agent is called: by its task, or the name that Codex gave it."""
        spawned = _spawned(self._head)
        path, nickname, role = (fields.text(spawned.get(f"agent_{key}")) for key in ("path", "nickname", "role"))
        named = f"{nickname} [{role}]" if nickname and role else nickname or role
        return (path or "").rpartition("/")[2] or named or f"agent-{self.id}"

    def facts(self) -> Table:
        """Return the keys of its row."""
        return {
            "cwd": self._head.get("cwd"),
            "git_branch": as_table(self._head.get("git")).get("branch"),
            "version": self._head.get("cli_version"),
            "model": ", ".join(dict.fromkeys(self._models)) or None,
            "asked": self.asked,
        }

    def _tell(self, copied: frozenset[str]) -> None:
        """Take all lines in turn, those of turns that were copied without their tokens, or not at all."""
        turns = [fields.text(payload.get("turn_id")) for _, payload, _ in self._items]
        own = next((number for number, turn in enumerate(turns) if turn and turn not in copied), 0) if copied else 0
        for number, (kind, payload, time) in enumerate(self._items):
            if number == own and self._is_sub_agent:
                self.events, self._turns = [], []
            self._is_copied = number < own
            if kind == "turn_context" and (model := fields.text(payload.get("model"))):
                self._models.append(model)
            before = len(self.events)
            self._add(kind, payload)
            for event in self.events[before:]:
                if isinstance(time, str):
                    event["timestamp"] = time

    def _add(self, kind: str, payload: Table) -> None:
        of = str(payload.get("type"))
        if kind == "event_msg":
            self._add_shown(payload)
        elif kind == "compacted":
            self.events.append(said("system", payload.get("message") or "the conversation was compacted"))
        elif of == "message":
            self._add_message(payload)
        elif of == "agent_message":  # of another agent: of the one that began it, or of one that it began
            self.events.append(said("user" if self._is_sub_agent else "system", payload.get("content")))
        elif of == "reasoning":
            listed = [*as_list(payload.get("summary")), *as_list(payload.get("content"))]
            thoughts = [text for part in tables_in(listed) if isinstance(text := part.get("text"), str)]
            if thoughts:
                self.events.append(said(THOUGHT, "\n".join(thoughts), **self._by_model()))
        elif of.endswith("_call"):
            self._add_call(payload)
        elif of.endswith("_output"):
            self._add_output(payload)

    def _by_model(self) -> Table:
        return {"model": self._models[-1]} if self._models else {}

    def _add_message(self, payload: Table) -> None:
        role, content = str(payload.get("role")), payload.get("content")
        if role == "user":
            text = text_of(content) or ""
            typed = text in self._typed if self._typed else not text.startswith(("<", "# AGENTS.md"))
            if typed:
                self._turns.append(len(self.events))
            self.events.append(said("user" if typed else "system", content))
        else:
            about = self._by_model() if role == "assistant" else {}
            self.events.append(said("assistant" if role == "assistant" else "system", content, **about))

    def _add_call(self, payload: Table) -> None:
        written = next((payload[key] for key in ("arguments", "input", "action", "query") if key in payload), None)
        name = fields.text(payload.get("name")) or str(payload.get("type")).removesuffix("_call")
        given = json_or_text(written) if "arguments" in payload and isinstance(written, str) else written
        event: Table = {"type": "tool_call", "id": payload.get("call_id", payload.get("id")), "name": name}
        self.events.append({**event, "input": given})
        self._calls[str(event["id"])] = self.events[-1]

    def _add_output(self, payload: Table) -> None:
        called = self._calls.get(str(payload.get("call_id")), {})
        output, failed, took = _ended(payload.get("output", payload.get("result")))
        if called.get("name") == "spawn_agent":
            self._note_begun(as_table(json_or_text(str(output))).get("agent_id"), called["id"])
        event: Table = {"type": "tool_result", "id": payload.get("call_id"), "name": called.get("name")}
        event["output"] = output
        if failed or payload.get("status") == "failed":
            event["is_error"] = True
        if took is not None and called:
            called["duration_ms"] = round(took * 1000, 3)
        self.events.append(event)

    def _add_shown(self, payload: Table) -> None:
        """Take what was shown alone: failures, tokens, and messages where nothing else has them."""
        kind, words = payload.get("type"), payload.get("message")
        if kind == "token_count":
            self._add_tokens(as_table(payload.get("info")))
        elif kind in ("error", "stream_error"):
            self.events.append({"type": "error", "text": words if isinstance(words, str) else "an error"})
        elif kind == "turn_aborted":
            self.events.append(said("system", f"the turn was aborted: {payload.get('reason') or 'no reason'}"))
        elif kind == "thread_rolled_back":
            self._roll_back(fields.whole(payload.get("num_turns")) or 0)
        elif kind in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            self._add_ended(payload.get("call_id"), payload)
        elif kind == "item_completed":
            item = as_table(payload.get("item"))
            self._add_ended(item.get("id"), item)
            for thread in (item.get("agent_thread_id"), *as_list(item.get("receiver_thread_ids"))):
                self._note_begun(thread, item.get("id"))
        elif kind == "collab_agent_spawn_end":
            self._note_begun(payload.get("new_thread_id"), payload.get("call_id"))
        elif self._shown_alone and kind in ("user_message", "agent_message") and words:
            role = "user" if kind == "user_message" else "assistant"
            if role == "user":
                self._turns.append(len(self.events))
            self.events.append(said(role, words))

    def _add_ended(self, call: Plain, ended: Table) -> None:
        failed = ended.get("success") is False or ended.get("exit_code") not in (0, None)
        failed = failed or ended.get("status") in ("failed", "declined") or "Err" in as_table(ended.get("result"))
        if failed and (called := self._calls.get(str(call))) is not None:
            called["is_error"] = True

    def _note_begun(self, thread: Plain, call: Plain) -> None:
        if isinstance(thread, str) and self._calls.get(str(call), {}).get("name") == "spawn_agent":
            self.begun.setdefault(thread, str(call))

    def _add_tokens(self, info: Table) -> None:
        """Add what was read and written since the count before; a count is of all so far, and may be repeated."""
        total, last = (
            _tokens(as_table(info.get("total_token_usage"))),
            _tokens(as_table(info.get("last_token_usage"))),
        )
        since = {kind: int(str(count)) - int(str(self._total.get(kind, 0))) for kind, count in total.items()}
        spent: Table = last if not total or any(count < 0 for count in since.values()) else {**since}
        self._total = total or self._total
        if self._is_copied or not any(spent.values()):
            return
        _spend(self.events, self._counted, spent, self._by_model())
        self._counted = len(self.events)

    def _roll_back(self, turns: int) -> None:
        if turns > 0 and self._turns:
            start = self._turns[-min(turns, len(self._turns))]
            del self.events[start:], self._turns[-min(turns, len(self._turns)) :]
            self.notes.append(f"{counted(turns, 'turn')} taken back, which are left out")


def _spend(events: list[Table], since: int, spent: Table, about: Table) -> None:
    """Add tokens to what a model said, thought or called last; where it did nothing, as a step of its own."""
    done = ("assistant", THOUGHT)
    said = (event for event in reversed(events[since:]) if _role(event) in done or event["type"] == "tool_call")
    if (event := next(said, None)) is not None:
        event["token_usage"] = spent
    else:
        events.append({"type": "model_step", "metadata": about, "token_usage": spent})


def _typed_in(kind: str, payload: Table) -> str | None:
    """Return what a person typed, or a sub-agent was asked, as it was shown."""
    if kind != "event_msg":
        return None
    if payload.get("type") == "user_message":
        return fields.text(payload.get("message"))
    item = as_table(payload.get("item"))
    return text_of(item.get("content")) if item.get("type") == "UserMessage" else None


def _role(event: Table) -> Plain:
    return as_table(event.get("metadata")).get("role")


def _ended(output: Plain) -> tuple[Plain, bool, float | None]:
    """Return what a call returned, whether it failed, and the seconds it took, None if it does not say.

    What a command printed stands below how it ended, or in JSON beside that.
    """
    value = json_or_text(output) if isinstance(output, str) and output.startswith("{") else output
    table = as_table(value)
    if "output" in table and isinstance(table.get("metadata"), dict):
        about = as_table(table["metadata"])
        return (
            table["output"],
            about.get("exit_code") not in (0, None),
            fields.number(about.get("duration_seconds")),
        )
    if isinstance(value, dict) and "content" in value and "success" in value:
        return returned_text(value["content"]), value["success"] is False, None
    words = returned_text(output)
    if isinstance(words, str) and _REFUSED.match(words):
        return words, True, None
    head = words[:_HEAD_OF_OUTPUT].partition("\nOutput:")[0] if isinstance(words, str) else ""
    code = _EXIT.search(head)
    return words, code is not None and int(code[1]) != 0, None


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
    "collab_tool_call": ("prompt", "agents_states"),
}
"""Of what is printed as a call, where its arguments and what it returned stand."""


def _printed(item: Table) -> Table | None:
    kind = str(item.get("type"))
    if kind in ("agent_message", "reasoning"):
        return said("assistant" if kind == "agent_message" else THOUGHT, item.get("text"))
    if kind == "error":
        return {"type": "error", "text": item.get("message")}
    if kind not in _PRINTED and not kind.endswith("_call"):
        return None
    given, returned = _PRINTED.get(kind, ("arguments", "result"))
    server = fields.text(item.get("server"))
    name = ".".join(filter(None, (server, fields.text(item.get("tool")) or kind)))
    event: Table = {"type": "tool_call", "id": item.get("id"), "name": name, "input": item.get(given)}
    if kind == "collab_tool_call" and event["input"] is None:
        event["input"] = item.get("receiver_thread_ids")
    if item.get(returned) is not None:
        event["output"] = item[returned]
    if error := item.get("error"):
        event["error"] = error
    if item.get("status") in ("failed", "declined") or item.get("exit_code") not in (0, None):
        event["is_error"] = True
    return event


FILES = SessionFiles("codex", "Codex", MARK, SIGNS, RolloutReader)


RESULTS = FILES.results()
