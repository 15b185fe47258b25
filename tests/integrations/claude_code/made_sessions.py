"""Random sessions as Claude Code writes them, each with what is true of it by the way it was made.

`python -m tests.integrations.claude_code.made_sessions 2000` makes as many and compares each with what is read.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from sampleui.review.results.file import open_results
from sampleui.trace.reading.extract import RecordTrace, read_trace

WAYS = ("meta", "result", "prompt", "inline", "beside", "nothing")
"""How the lines of a sub-agent are found, and by what they are linked to the call that began it."""

TEXTS = ("done", "Ünïcode \u202e and \x1b[31mred\x1b[0m", "a\nb\n\n", '{"a": [1]}', "<b>markup</b> [x]", "~" * 300)


@dataclass
class Agent:
    """A sub-agent as it was made: its lines, and what happened in it."""

    id: str
    kind: str
    way: str
    call: str
    prompt: str
    depth: int
    lines: list[dict[str, Any]] = field(default_factory=list)
    happened: list[tuple[Any, ...]] = field(default_factory=list)


@dataclass
class Made:
    """A session as it was made.

    Attributes:
        happened: for each agent, the root's under "", what happened in order: kind, depth, and what was said,
            called or returned.
        tokens: read and written, by all.
        unlinked: how many sub-agents no call began.
    """

    path: Path
    happened: dict[str, list[tuple[Any, ...]]]
    tokens: tuple[int, int]
    unlinked: int
    rewound: int


class Maker:
    """Makes one session."""

    def __init__(self, random: Random, folder: Path) -> None:
        self.random, self.folder = random, folder
        self.session = f"{random.getrandbits(128):032x}"
        self.count = self.clock = 0
        self.read = self.written = 0
        self.rewound = 0
        self.agents: list[Agent] = []
        self.main = Agent("", "", "", "", "", 0)
        self.last: dict[str, str | None] = {"": None}

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}_{self.session[:6]}{self.count}"

    def text(self) -> str:
        return f"{self.random.choice(TEXTS)} {self.count}"

    def line(self, agent: Agent, kind: str, **values: Any) -> dict[str, Any]:
        self.clock += self.random.randint(1, 5000)
        own = self.name("u")
        line = {
            "parentUuid": self.last[agent.id],
            "isSidechain": agent is not self.main,
            "sessionId": self.session,
            "userType": "external",
            "version": "2.1.172",
            "cwd": "/home/dev/demo",
            "type": kind,
            "uuid": own,
            "timestamp": f"2026-01-01T{self.clock // 3600000 % 24:02}:{self.clock // 60000 % 60:02}"
            f":{self.clock // 1000 % 60:02}.{self.clock % 1000:03}Z",
            **values,
        }
        if agent is not self.main:
            line["agentId"] = agent.id
        agent.lines.append(line)
        self.last[agent.id] = own
        return line

    def asks(self, agent: Agent, text: str) -> None:
        content: Any = text if self.random.random() < 0.7 else [{"type": "text", "text": text}]
        self.line(agent, "user", message={"role": "user", "content": content})
        agent.happened.append(("message", "user", text))

    def turn(self, agent: Agent, *, counted: bool = True, agents: bool = True) -> None:
        """Make a message of a model, its blocks in lines of their own, and what its calls return."""
        random, of = self.random, self.name("msg")
        happened: list[tuple[Any, ...]] = []
        blocks: list[dict[str, Any]] = []
        if random.random() < 0.3:
            thought = random.choice(["", f"hm {self.count}"])
            blocks.append({"type": "thinking", "thinking": thought, "signature": "c2ln"})
            happened += [("message", "thought", thought)] if thought else []
        if random.random() < 0.7:
            text = self.text()
            blocks.append({"type": "text", "text": text})
            happened.append(("message", "assistant", text))
        calls = []
        for _ in range(random.choice([0, 1, 1, 1, 2, 3])):
            begins = agents and agent.depth < 4 and len(self.agents) < 12 and random.random() < 0.25
            call = self.name("toolu")
            tools = ["Task", "Agent", "Workflow"] if begins else ["Bash", "Read", "mcp__x__y"]
            tool = random.choice(tools)
            given = {"prompt": f"do {call}", "subagent_type": "Explore"} if begins else {"command": self.text()}
            blocks.append({"type": "tool_use", "id": call, "name": tool, "input": given})
            happened.append(("tool_call", call, tool, given))
            calls.append((call, tool, given, begins))
        if not blocks:
            blocks, happened = [{"type": "text", "text": "ok"}], [("message", "assistant", "ok")]
        usage = {
            "input_tokens": random.randint(1, 9),
            "cache_read_input_tokens": random.randint(0, 900),
            "cache_creation_input_tokens": random.randint(0, 90),
            "output_tokens": random.randint(1, 900),
        }
        begun = []
        for number, block in enumerate(blocks):
            partial = {**usage, "output_tokens": usage["output_tokens"] if number == len(blocks) - 1 else 1}
            message = {
                "id": of,
                "type": "message",
                "role": "assistant",
                "model": "m-1",
                "content": [block],
                "usage": partial,
            }
            line = self.line(agent, "assistant", message=message, requestId=of)
            if block["type"] == "tool_use":
                begun.append(line["uuid"])
        if counted:
            self.read += sum(usage[key] for key in usage if key != "output_tokens")
            self.written += usage["output_tokens"]
        agent.happened += happened
        end = self.last[agent.id]
        order = [*enumerate(calls)]
        random.shuffle(order)
        for number, (call, tool, given, begins) in order:
            inner = self.agent(agent, call, tool, given) if begins else None
            self.returns(agent, call, tool, begun[number], inner)
        if not calls:
            self.last[agent.id] = end
        if counted and random.random() < 0.2:
            self.line(agent, "progress", data={"type": "hook_progress"}, toolUseID="x", parentToolUseID="x")
        if counted and random.random() < 0.1:
            self.line(agent, "system", subtype="turn_duration", durationMs=5)

    def returns(self, agent: Agent, call: str, tool: str, parent: str, begun: Agent | None) -> None:
        failed, text = self.random.random() < 0.2, self.text()
        content: Any = text if self.random.random() < 0.7 else [{"type": "text", "text": text}]
        result = {"type": "tool_result", "tool_use_id": call, "content": content}
        if failed:
            result["is_error"] = True
        raw: Any = {"stdout": text}
        if begun is not None and begun.way in ("result", "beside"):
            raw = {"agentId": begun.id, "totalDurationMs": 7}
        if begun is not None and begun.way == "workflow":
            text = result["content"] = f"{text} run wf-{begun.id}"
        self.last[agent.id] = parent
        self.line(agent, "user", message={"role": "user", "content": [result]}, toolUseResult=raw)
        agent.happened.append(("tool_result", call, tool, text, failed))

    def agent(self, above: Agent, call: str, tool: str, given: dict[str, Any]) -> Agent:
        way = "workflow" if tool == "Workflow" else self.random.choice(WAYS)
        depth = above.depth + 1 if way != "nothing" else 2
        made = Agent(f"a{self.session[:4]}{self.count}", "Explore", way, call, given["prompt"], depth)
        self.agents.append(made)
        self.last[made.id] = None
        self.asks(made, "another thing" if way == "nothing" else made.prompt)
        for _ in range(self.random.randint(1, 3)):
            self.turn(made)
        return made

    def rewinds(self) -> None:
        """Make a branch that is taken back."""
        branch = Agent("", "", "", "", "", 9)
        branch.lines = self.main.lines
        before, end = len(self.main.lines), self.last[""]
        kept = self.main.happened
        self.main.happened = []
        self.asks(self.main, "taken back")
        for _ in range(self.random.randint(1, 3)):
            self.turn(self.main, counted=False, agents=False)
        self.main.happened = kept
        self.rewound += sum(line["type"] in ("user", "assistant") for line in self.main.lines[before:])
        self.last[""] = end

    def compacts(self) -> None:
        end = self.last[""]
        self.last[""] = None
        text = "Conversation compacted"
        self.line(self.main, "system", subtype="compact_boundary", content=text, logicalParentUuid=end)
        self.line(self.main, "user", message={"role": "user", "content": "so far"}, isCompactSummary=True)
        self.main.happened += [("message", "system", text), ("message", "system", "so far")]

    def made(self) -> Made:
        random = self.random
        for turn in range(random.randint(1, 4)):
            if turn and random.random() < 0.3:
                self.rewinds()
            self.asks(self.main, self.text())
            for _ in range(random.randint(1, 4)):
                self.turn(self.main)
            if random.random() < 0.15:
                self.compacts()
            if random.random() < 0.1:
                self.line(self.main, "attachment", attachment={"type": "queued_command", "prompt": "wait"})
                self.main.happened.append(("message", "user", "wait"))
            if random.random() < 0.1:
                error = [{"type": "text", "text": "API Error: 500"}]
                message = {
                    "role": "assistant",
                    "type": "message",
                    "id": self.name("msg"),
                    "model": "<synthetic>",
                    "content": error,
                }
                self.line(self.main, "assistant", message=message, isApiErrorMessage=True)
                self.main.happened.append(("error", "API Error: 500"))
        path = self.folder / f"{self.session}.jsonl"
        happened = {"": self.main.happened}
        lines = [{"type": "summary", "summary": "x", "leafUuid": "x"}, *self.main.lines]
        for agent in self.agents:
            happened[agent.id] = agent.happened
            if agent.way == "inline":
                lines += agent.lines
                continue
            home = path.parent if agent.way == "beside" else path.with_suffix("") / "subagents"
            home = home / "workflows" / f"wf-{agent.id}" if agent.way == "workflow" else home
            home.mkdir(parents=True, exist_ok=True)
            file = home / f"agent-{agent.id}.jsonl"
            file.write_text("".join(json.dumps(line) + "\n" for line in agent.lines))
            meta = {"agentType": agent.kind} | ({"toolUseId": agent.call} if agent.way == "meta" else {})
            file.with_suffix(".meta.json").write_text(json.dumps(meta))
        if random.random() < 0.3:
            lines.append(lines[-1])
        path.write_text("".join(json.dumps(line, ensure_ascii=random.random() < 0.5) + "\n" for line in lines))
        unlinked = sum(agent.way == "nothing" for agent in self.agents)
        return Made(path, happened, (self.read, self.written), unlinked, self.rewound)

    def depth_of(self, agent_id: str) -> int:
        return next((agent.depth for agent in self.agents if agent.id == agent_id), 0)


def trace_of(path: Path) -> RecordTrace:
    results = open_results(path).indexed()
    assert not results.diagnostics, results.diagnostics
    assert len(results.entries) == 1
    return read_trace(results.record(0).data, results.base_dir)


def differences(made: Made, maker: Maker) -> list[str]:
    """Return what is read otherwise than it was made, in words."""
    trace, told = trace_of(made.path), []
    row = open_results(made.path).indexed().row(0)
    summary = trace.summary
    counted = {
        "calls": sum(summary.tool_calls_by_name.values()),
        "failures": summary.error_count + summary.failed_calls,
        "duration_ms": summary.duration_ms,
    }
    told += [
        f"{key} {row.get(key)} in the queue, not {count}" for key, count in counted.items() if row.get(key) != count
    ]
    depths: dict[str, int] = {}
    by_call: dict[str, str] = {agent.call: agent.id for agent in maker.agents}
    read: dict[str, list[tuple[Any, ...]]] = {name: [] for name in made.happened}
    for event in trace.events:
        data: Any = {**event.extra}
        parent = data.get("parent")
        whose = "" if parent is None else by_call.get(parent, str(parent).removeprefix("agent-"))
        depth = 0 if parent is None else depths[str(parent)] + 1
        if event.id is not None and event.type in ("tool_call", "model_step"):
            depths[str(event.id)] = depth
        if event.extra.get("span"):
            continue
        if depth != maker.depth_of(whose) or (whose and data.get("agent") not in ("Explore", f"agent-{whose}")):
            told.append(f"{whose} at depth {depth}, and not {maker.depth_of(whose)}: {data.get('agent')}")
        if event.type == "message":
            read[whose].append(("message", (event.metadata or {})["role"], event.text))
        elif event.type == "tool_call":
            read[whose].append(("tool_call", event.id, event.name, event.input))
        elif event.type == "tool_result":
            read[whose].append(("tool_result", event.id, event.name, event.output, bool(data.get("is_error"))))
        elif event.type == "error":
            read[whose].append(("error", event.text))
    for whose, happened in made.happened.items():
        if read[whose] != happened:
            told.append(f"{whose or 'the session'}: {read[whose]}\n  instead of {happened}")
    tokens = trace.summary.tokens
    if tokens is None or (tokens.input, tokens.output) != made.tokens:
        told.append(f"tokens {tokens} instead of {made.tokens}")
    return told


def main(number: int) -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(number):
            home = Path(folder, str(seed))
            home.mkdir()
            maker = Maker(Random(seed), home)
            if told := differences(maker.made(), maker):
                wrong += 1
                print(seed, *told[:3], sep="\n  ")
    print(f"{number} sessions, {wrong} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
