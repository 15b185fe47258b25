"""Claude Code: the files of its sessions, with those of their sub-agents, and its `--output-format stream-json`.

Source: sessions of 2.0.45 to 2.1.205 as they are published, what 1.0.60, 2.0.77, 2.1.90, 2.1.141, 2.1.172 and
2.1.332 write, and what harbor 0.25, claude-code-log and Inspect Scout read of them. A line is a part of a message
(`events.py`); lines are a tree by `parentUuid`, of which the branch that ends last is the conversation.

A sub-agent has a file of its own (`SESSION/subagents/agent-ID.jsonl`, those of a workflow in a folder below;
`agent-ID.jsonl` beside the session before 2.1), or lines in its session's. It was begun by the call that
`agent-ID.meta.json` names (`toolUseId`, from 2.1.172 on), else by the one whose result names it, else by the first
one that asked for what it was asked. What no call began stands last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from sampleui.formats.data import Table, as_table, tables_in
from sampleui.integrations.claude_code import MARK, SIGNS
from sampleui.integrations.claude_code.conversation import conversation, is_typed, message_id
from sampleui.integrations.claude_code.events import events_of, last_lines, spent_in
from sampleui.integrations.named_files import table_in
from sampleui.integrations.sessions import (
    AgentSession,
    SessionFiles,
    SubAgent,
    lines_of,
    lines_of_agents,
    sidecars,
    with_sub_agents,
)
from sampleui.review.results import fields
from sampleui.text.confined import is_file, is_folder, is_link, listed, size_of, start_of
from sampleui.text.limits import MAX_SIDECAR_BYTES, MAX_WORKFLOW_RESULT
from sampleui.text.wording import counted
from sampleui.trace.reading.messages import text_of

_SESSION_ID = re.compile(rb'"sessionId"\s*:\s*"([^"\\]{1,200})"')
_AGENTS = "subagents"


@dataclass
class _Agent:
    """A sub-agent: its id, its lines, and what is known of who began it.

    Attributes:
        name: what kind of agent it is, as people call it.
        call: the id of the call that began it, as a file beside its own says it.
        workflow: the id of the workflow that it is a part of.
    """

    id: str
    lines: list[Table] = field(default_factory=list)
    name: str = ""
    call: str = ""
    workflow: str = ""

    @property
    def prompt(self) -> str:
        """What it was asked first."""
        first = next((line for line in self.lines if line.get("type") == "user"), {})
        return text_of(as_table(first.get("message")).get("content")) or ""


class TranscriptReader:
    """Reads sessions of Claude Code; of several files it knows which of them go on from another."""

    def __init__(self) -> None:
        self._first: dict[str, Path] = {}
        self._beside: dict[Path, dict[str, list[Path]]] = {}

    def __call__(self, path: Path) -> Sequence[AgentSession]:
        """Return the sessions in a file. Raises as `lines_of` does."""
        notes: list[str] = []
        lines = lines_of(path, notes)
        if not any("parentUuid" in line for line in lines):
            return [*_streams(lines, path, notes)]
        return [self._session(path, lines, notes)]

    def is_part(self, path: Path) -> bool:
        """Tell whether a file is that of a sub-agent whose session lies where it belongs."""
        for folder in path.parents:
            if folder.name == _AGENTS:
                return is_file(folder.parent.with_name(f"{folder.parent.name}.jsonl"))
        return path.name.startswith("agent-") and is_file(path.with_name(f"{session_in(path)}.jsonl"))

    def _session(self, path: Path, lines: Sequence[Table], notes: list[str]) -> AgentSession:
        named = _by_uuid(lines)
        unnamed = [line for line in lines if "uuid" not in line]
        main = [line for line in named if line.get("isSidechain") is not True] or named
        told = dict.fromkeys(_texts(main, "sessionId"))
        own = path.stem if path.stem in told or not told else [*told][-1]
        agents = {agent.id: agent for agent in _inside(named, main)}
        files = self._agent_files(path, own, agents, {str(line["uuid"]) for line in named}, notes)
        talk, left_out = conversation(main)
        if left_out:
            notes.append(f"{counted(left_out, 'message')} of another branch, which was rewound, are left out")
        repeated = self._repeated(path, main, notes)
        every = [line for group in (main, *(agent.lines for agent in agents.values())) for line in group]
        for agent in agents.values():
            agent.lines = [*conversation(agent.lines)[0]]
        events = [*_told(talk, agents, last_lines(every, repeated), _links(every), notes)]
        costs = (fields.number(line["totalCostUSD"]) for line in reversed(unnamed) if "totalCostUSD" in line)
        facts: Table = {
            "cwd": next(_texts(main, "cwd"), None),
            "git_branch": next(_texts(main, "gitBranch"), None),
            "version": next(_texts(reversed(main), "version"), None),
            "model": _model(talk),
            "asked": _asked(talk),
            "cost_usd": next(costs, None),
            "title": next((text for key in _TITLES for text in _texts(reversed(unnamed), key)), None),
        }
        return AgentSession(own, events, facts, notes, (path, *files))

    def _agent_files(
        self, path: Path, own: str, agents: dict[str, _Agent], seen: set[str], notes: list[str]
    ) -> list[Path]:
        """Read the files of sub-agents into `agents` but for lines of the session's own, and return the files."""
        files: list[Path] = []
        for file, lines in lines_of_agents(self._found(path, own, notes), notes):
            files.append(file)
            meta = table_in(f"{file.stem}.meta.json", file.parent, MAX_SIDECAR_BYTES) or {}
            agent = agents.setdefault(file.stem.removeprefix("agent-"), _Agent(file.stem.removeprefix("agent-")))
            agent.lines += (line for line in _by_uuid(lines) if line["uuid"] not in seen)
            agent.name = fields.text(meta.get("agentType")) or fields.text(meta.get("name")) or ""
            agent.call = fields.text(meta.get("toolUseId")) or ""
            agent.workflow = file.parent.name if file.parent.parent.name == "workflows" else ""
        return files

    def _found(self, path: Path, own: str, notes: list[str]) -> Iterator[Path]:
        folder = path.with_suffix("") / _AGENTS
        if not any(map(is_link, (folder, folder.parent))) and is_folder(folder):
            yield from sidecars(folder, "agent-", ".jsonl", notes)
            workflows = folder / "workflows"
            for run in listed(workflows).paths if not is_link(workflows) else ():
                if is_folder(run) and not is_link(run):
                    yield from sidecars(run, "agent-", ".jsonl", notes)
        if path.parent not in self._beside:
            index: dict[str, list[Path]] = {}
            for file in sidecars(path.parent, "agent-", ".jsonl", notes):
                index.setdefault(session_in(file), []).append(file)
            self._beside[path.parent] = index
        yield from (file for file in self._beside[path.parent].get(own, ()) if file != path)

    def _repeated(self, path: Path, main: Sequence[Table], notes: list[str]) -> frozenset[str]:
        """Return the ids of messages that another session has as well, from which this one goes on.

        A line that is repeated has its id, or before 2.0 that of its message alone.
        """
        ids = (next((key for line in main if (key := of(line)) is not None), "") for of in (_uuid, message_id))
        known = [self._first.setdefault(key, path) for key in ids if key]
        other = next((file for file in known if file != path), path)
        if other == path:
            return frozenset()
        theirs = _ids_of(other, size_of(other))
        same = [line for line in main if _uuid(line) in theirs or message_id(line) in theirs]
        same_lines = counted(len(same), "line")
        notes.append(f"it goes on from {other.stem}: {same_lines} are the same, and their tokens counted there")
        return frozenset(key for line in same for key in (_uuid(line), message_id(line)) if key is not None)


_TITLES = ("customTitle", "aiTitle", "summary")


@lru_cache(maxsize=4)
def _ids_of(path: Path, _size: int) -> frozenset[str]:
    """Return the ids of the lines of a file and of their messages; its size is given since it may grow."""
    lines = _by_uuid(lines_of(path, []))
    return frozenset(key for line in lines for key in (_uuid(line), message_id(line)) if key is not None)


def _uuid(line: Table) -> str | None:
    return fields.text(line.get("uuid"))


def session_in(path: Path) -> str:
    """Return the id of the session that a file says it is of; empty if it does not."""
    found = _SESSION_ID.search(start_of(path) or b"")
    return "" if found is None else found[1].decode("utf-8", "replace")


def _by_uuid(lines: Sequence[Table]) -> list[Table]:
    """Return the lines that have an id, each once: resumed sessions and sub-agents repeat lines."""
    named: dict[str, Table] = {}
    for line in lines:
        if isinstance(line.get("uuid"), str):
            named.setdefault(str(line["uuid"]), line)
    return [*named.values()]


def _texts(lines: Iterable[Table], key: str) -> Iterator[str]:
    return (text for line in lines if isinstance(text := line.get(key), str) and text)


def _model(lines: Sequence[Table]) -> str | None:
    answers = (as_table(line.get("message")) for line in lines if line.get("type") == "assistant")
    return ", ".join(dict.fromkeys(name for name in _texts(answers, "model") if name != "<synthetic>")) or None


def _asked(lines: Sequence[Table]) -> str | None:
    """Return what was typed first: words before a command, which stands in tags with its arguments."""
    command = None
    for line in lines:
        if line.get("type") != "user" or not is_typed(line):
            continue
        text = text_of(as_table(line.get("message")).get("content")) or ""
        if text.startswith("<command-"):
            command = command or " ".join(filter(None, _COMMAND.findall(text)))
        elif text:
            return text
    return command


_COMMAND = re.compile(r"<command-(?:name|args)>([^<]{0,1000})")


def _inside(named: Sequence[Table], main: Sequence[Table]) -> Iterator[_Agent]:
    """Yield the sub-agents whose lines are in their session's file, told by their ids or else their first lines."""
    if main is named or len(main) == len(named):
        return
    heads: dict[str, str] = {}
    agents: dict[str, _Agent] = {}
    for line in named:
        if line.get("isSidechain") is True:
            own, parent = str(line["uuid"]), line.get("parentUuid")
            heads[own] = fields.text(line.get("agentId")) or heads.get(str(parent), own)
            agents.setdefault(heads[own], _Agent(heads[own])).lines.append(line)
    yield from agents.values()


def _links(lines: Sequence[Table]) -> dict[str, str]:
    """Return by which calls sub-agents were begun, by their ids, as results and reports of progress say it."""
    links: dict[str, str] = {}
    for line in lines:
        for table in (as_table(line.get("toolUseResult")), as_table(line.get("data"))):
            agent = table.get("agentId")
            if isinstance(agent, str):
                results = tables_in(as_table(line.get("message")).get("content"))
                calls = (line.get("parentToolUseID"), *(block.get("tool_use_id") for block in results))
                call = next((call for call in calls if isinstance(call, str)), None)
                if call is not None:
                    links.setdefault(agent, call)
    return links


_WORD = re.compile(r"[\w-]+")


def _workflows(events: Sequence[Table]) -> dict[str, str]:
    """Return by which calls workflows were begun, by what the results of these name: their ids, and other words."""
    begun: dict[str, str] = {}
    for event in events:
        if event["type"] == "tool_result" and event.get("name") == "Workflow":
            for word in _WORD.findall(str(event["output"])[:MAX_WORKFLOW_RESULT]):
                begun.setdefault(word, str(event.get("id")))
    return begun


def _told(
    main: Sequence[Table],
    agents: dict[str, _Agent],
    last: dict[str, Table],
    links: dict[str, str],
    notes: list[str],
) -> Iterator[Table]:
    """Yield the events of a session and of its sub-agents, put together."""
    events = {agent.id: events_of(agent.lines, last) for agent in agents.values()}
    own = events_of(main, last)
    every = [event for of_one in (own, *events.values()) for event in of_one] if agents else []
    calls = {str(event["id"]): event for event in every if event["type"] == "tool_call" and event.get("id")}
    asked: dict[str, list[str]] = {}
    for of, event in calls.items():
        if isinstance(prompt := as_table(event.get("input")).get("prompt"), str):
            asked.setdefault(prompt.strip(), []).append(of)
    workflows = _workflows(every)
    taken = {call for agent in agents.values() if (call := agent.call or links.get(agent.id)) is not None}
    begun = []
    for agent in agents.values():
        prompt = agent.prompt
        call = next((of for of in (agent.call, links.get(agent.id, "")) if of in calls), "")
        if not call and agent.workflow:
            call = workflows.get(agent.workflow, "")
        while not call and (same := asked.get(prompt.strip())):
            call = of if (of := same.pop(0)) not in taken else ""
        kind = fields.text(as_table(calls.get(call, {}).get("input")).get("subagent_type"))
        begun.append(SubAgent(agent.id, agent.name or kind or f"agent-{agent.id}", events[agent.id], prompt, call))
    yield from with_sub_agents(own, begun, notes)


def _streams(lines: Sequence[Table], path: Path, notes: list[str]) -> Iterator[AgentSession]:
    """Yield what `--output-format stream-json` wrote: no tree, and sub-agents by the calls that began them.

    A message in it has the tokens that were counted as it began; those of all are in what ends it.
    """
    for own, group in groupby((line for line in lines if "type" in line), lambda line: line.get("session_id")):
        said = [*group]
        agents: dict[str, _Agent] = {}
        for line in said:
            if isinstance(parent := line.get("parent_tool_use_id"), str):
                agents.setdefault(parent, _Agent(parent, call=parent)).lines.append(line)
        main = [line for line in said if not isinstance(line.get("parent_tool_use_id"), str)]
        told = [*notes]
        events = [*_told(main, agents, {}, {}, told)]
        begun = next((line for line in said if line.get("subtype") == "init"), {})
        ends = [line for line in said if line.get("type") == "result"]
        ended: Table = ends[-1] if ends else {}
        if ended.get("is_error") is True or str(ended.get("subtype")).startswith("error"):
            words = fields.text(ended.get("result")) or fields.text(ended.get("subtype"))
            if not (events and events[-1]["type"] == "error" and events[-1].get("text") == words):
                events.append({"type": "error", "text": words, "metadata": {"role": "system"}})
        models = [as_table(usage) for usage in as_table(ended.get("modelUsage")).values()]
        if spent := spent_in(models or [as_table(end.get("usage")) for end in ends]):
            events.append({"type": "model_step", "metadata": {"subtype": "result"}, **spent})
        facts: Table = {
            "cwd": begun.get("cwd"),
            "model": _model(main) or begun.get("model"),
            "asked": _asked(main),
            "cost_usd": fields.number(ended.get("total_cost_usd")),
        }
        yield AgentSession(str(own or path.stem), events, facts, told, (path,))


FILES = SessionFiles("claude_code", "Claude Code", MARK, SIGNS, TranscriptReader)
RESULTS = FILES.results()
