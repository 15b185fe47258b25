"""What a rollout of Codex tells, by random ones of which it is known, and what is special in them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sampleui.review.results.file import open_results
from sampleui.trace.reading.extract import RecordTrace, read_trace

WRITTEN = Path(__file__).parent / "written"
OUTPUTS = ("text", "json", "list")


def trace_of(path: Path) -> RecordTrace:
    results = open_results(path).indexed()
    return read_trace(results.record(0).data, results.base_dir)


def item(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload}


def message(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return item("response_item", type="message", role=role, content=[{"type": kind, "text": text}])


def typed(text: str) -> list[dict[str, Any]]:
    return [message("user", text), item("event_msg", type="user_message", message=text)]


def counted(read: int, written: int) -> dict[str, Any]:
    total = {"input_tokens": read, "cached_input_tokens": 1, "output_tokens": written}
    return item("event_msg", type="token_count", info={"total_token_usage": total, "last_token_usage": total})


META = item("session_meta", id="t-1", cwd="/home/dev/shop", cli_version="0.98.0")


def wrote(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


def made(random: Random) -> tuple[list[dict[str, Any]], list[tuple[Any, ...]], tuple[int, int]]:
    """Return the lines of a rollout, what happened in it, and what was read and written."""
    lines, read, written = [META, message("user", "<environment_context/>")], 0, 0
    happened: list[tuple[Any, ...]] = []
    happened.append(("message", "system", "<environment_context/>"))
    for turn in range(random.randint(1, 4)):
        lines += typed(f"ask {turn}")
        happened.append(("message", "user", f"ask {turn}"))
        for step in range(random.randint(1, 4)):
            name = f"{turn}-{step}"
            if random.random() < 0.4:
                lines.append(
                    item("response_item", type="reasoning", summary=[{"type": "summary_text", "text": name}])
                )
                happened.append(("message", "thought", name))
            calls = []
            for number in range(random.randint(0, 3)):
                own, code = f"call_{name}-{number}", random.choice([0, 0, 1])
                if random.random() < 0.7:
                    given: Any = {"command": f"echo {own}"}
                    called = {
                        "type": "function_call",
                        "name": "shell",
                        "arguments": json.dumps(given),
                        "call_id": own,
                    }
                else:
                    given = f"*** patch {own}"
                    called = {"type": "custom_tool_call", "name": "apply_patch", "input": given, "call_id": own}
                lines.append(item("response_item", **called))
                happened.append(("tool_call", own, called["name"], given))
                calls.append((own, called["type"], called["name"], code))
            random.shuffle(calls)
            read, written = read + random.randint(1, 99), written + random.randint(1, 99)
            lines += [counted(read, written)] * random.randint(1, 2)
            for own, kind, tool, code in calls:
                shape, text = random.choice(OUTPUTS), f"out {own}"
                if shape == "json":
                    output: Any = json.dumps(
                        {"output": text, "metadata": {"exit_code": code, "duration_seconds": 1}}
                    )
                else:
                    text = f"Exit code: {code}\nWall time: 1 seconds\nOutput:\n{text}\nExit code: 7"
                    output = text if shape == "text" else [{"type": "input_text", "text": text}]
                lines.append(item("response_item", type=f"{kind}_output", call_id=own, output=output))
                happened.append(("tool_result", own, tool, text, code != 0))
        lines += [
            message("assistant", f"done {turn}"),
            item("event_msg", type="agent_message", message=f"done {turn}"),
        ]
        happened.append(("message", "assistant", f"done {turn}"))
    return lines, happened, (read, written)


def read_events(trace: RecordTrace) -> list[tuple[Any, ...]]:
    told: list[tuple[Any, ...]] = []
    for event in trace.events:
        if event.type == "message":
            told.append(("message", (event.metadata or {})["role"], event.text))
        elif event.type == "tool_call":
            told.append(("tool_call", event.id, event.name, event.input))
        elif event.type == "tool_result":
            told.append(("tool_result", event.id, event.name, event.output, bool(event.extra.get("is_error"))))
    return told


@pytest.mark.parametrize("seed", range(30))
def test_a_rollout_is_read_as_it_was_made(seed: int, tmp_path: Path) -> None:
    lines, happened, tokens = made(Random(seed))
    trace = trace_of(wrote(tmp_path / "rollout-1.jsonl", *lines))
    assert read_events(trace) == happened
    assert trace.summary.tokens is not None
    assert (trace.summary.tokens.input, trace.summary.tokens.output) == tokens


def test_turns_that_were_taken_back_are_left_out_and_said_to_be(tmp_path: Path) -> None:
    back = item("event_msg", type="thread_rolled_back", num_turns=1)
    first, second = [*typed("one"), message("assistant", "1")], [*typed("two"), message("assistant", "2")]
    path = wrote(tmp_path / "rollout-1.jsonl", META, *first, *second, back, *typed("three"))
    assert [event.text for event in trace_of(path).events] == ["one", "1", "three"]
    note = open_results(path).indexed().record(0).notes[0].message
    assert note == "1 turn taken back, which are left out"


def test_what_a_program_put_in_is_not_what_was_typed() -> None:
    path = next(WRITTEN.glob("rollout*"))
    assert [(event.metadata or {})["role"] for event in trace_of(path).events[:2]] == ["system", "user"]


def test_a_failure_that_was_shown_alone_is_one(tmp_path: Path) -> None:
    called = item("response_item", type="function_call", name="shell", arguments="{}", call_id="c")
    ended = item("event_msg", type="exec_command_end", call_id="c", exit_code=2)
    path = wrote(tmp_path / "rollout-1.jsonl", META, called, ended)
    assert trace_of(path).summary.failed_calls == 1


def test_what_is_printed_again_counts_once() -> None:
    trace = trace_of(WRITTEN / "exec.jsonl")
    assert trace.summary.tool_calls_by_name == {"command_execution": 1, "docs.search": 1}
    assert trace.summary.failed_calls == 1
    assert trace.summary.tokens is not None and trace.summary.tokens.input == 1000


def test_each_thread_that_was_printed_into_a_file_is_a_record(tmp_path: Path) -> None:
    printed = (WRITTEN / "exec.jsonl").read_text()
    (tmp_path / "out.jsonl").write_text(printed * 3)
    assert len(open_results(tmp_path / "out.jsonl").indexed()) == 3


def test_a_folder_of_rollouts_by_days_is_a_run(tmp_path: Path) -> None:
    for day in ("02", "01"):
        home = tmp_path / "sessions" / "2026" / "01" / day
        home.mkdir(parents=True)
        lines = [{**one, "timestamp": f"2026-01-{day}T00:00:00.000Z"} for one in (META, *typed(f"day {day}"))]
        wrote(home / f"rollout-2026-01-{day}.jsonl", *lines)
    results = open_results(tmp_path / "sessions").indexed()
    assert [entry.sample_id for entry in results.entries] == ["day-01-t1", "day-02-t1"]


def whose(path: Path) -> list[tuple[str | None, str | None, str | None]]:
    """Return the name of each call in a session, its agent, and the message of the call that this stands under."""
    calls = [event for event in trace_of(path).events if event.type == "tool_call"]
    asked: dict[Any, Any] = {call.id: call.input for call in calls}
    parents: list[Any] = [call.extra.get("parent") for call in calls]
    agents: list[Any] = [call.extra.get("agent") for call in calls]
    return [
        (call.name, agent, asked[parent]["message"] if parent else None)
        for call, agent, parent in zip(calls, agents, parents, strict=True)
    ]


def test_the_thread_of_a_sub_agent_stands_under_the_call_that_began_it_at_every_depth() -> None:
    assert whose(WRITTEN / "0.171") == [
        ("exec_command", None, None),
        ("exec_command", None, None),
        ("exec_command", None, None),
        ("spawn_agent", None, None),
        ("exec_command", "Aristotle", "Count the lines. [plan:sub1]"),
        ("spawn_agent", "Aristotle", "Count the lines. [plan:sub1]"),
        ("exec_command", "Lorentz", "Go deeper. [plan:sub3]"),
        ("wait_agent", "Aristotle", "Count the lines. [plan:sub1]"),
        ("spawn_agent", None, None),
        ("exec_command", "Meitner", "Find the words. [plan:sub2]"),
        ("exec_command", "Meitner", "Find the words. [plan:sub2]"),
        ("wait_agent", None, None),
        ("close_agent", None, None),
        ("apply_patch", None, None),
        ("update_plan", None, None),
    ]


def test_agents_of_a_team_are_called_by_their_tasks() -> None:
    agents = [agent for _, agent, _ in whose(WRITTEN / "0.171-team")]
    assert agents == [None, None, "count_lines", None, None, None]


def test_what_a_call_was_refused_with_is_its_failure() -> None:
    calls = [event for event in trace_of(WRITTEN / "0.171").events if event.extra.get("is_error")]
    told = [(event.name, str(event.output)[:18]) for event in calls if event.type == "tool_result"]
    assert told == [
        ("exec_command", "Chunk ID: 992f87\nW"),
        ("exec_command", "Chunk ID: 909550\nW"),
        ("apply_patch", "unsupported custom"),
        ("update_plan", "unsupported call: "),
    ]


def test_what_a_sub_agent_was_given_of_its_parent_is_told_and_counted_there_alone() -> None:
    path = WRITTEN / "0.136-forked"
    results = open_results(path).indexed()
    assert len(results) == 1 and results.record(0).notes == ()
    texts = [event.text for event in trace_of(path).events if event.type == "message"]
    assert texts.count("Fork. [plan:forks]") == 1
    tokens = trace_of(path).summary.tokens
    assert tokens is not None and (tokens.input, tokens.output) == (6021, 141)


def thread(own: str, parent: str = "", *lines: dict[str, Any]) -> list[dict[str, Any]]:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "agent_nickname": f"Agent {own}"}}}
    return [item("session_meta", id=own, **({"source": source} if parent else {})), *lines]


def spawn(own: str, begun: str) -> list[dict[str, Any]]:
    given = json.dumps({"message": f"to {begun}"})
    called = item("response_item", type="function_call", name="spawn_agent", arguments=given, call_id=own)
    output = json.dumps({"agent_id": begun})
    return [called, item("response_item", type="function_call_output", call_id=own, output=output)]


@pytest.mark.parametrize("seed", range(20))
def test_threads_of_sub_agents_are_the_tree_that_was_made(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    parents = {number: random.randrange(number) for number in range(1, random.randint(2, 30))}
    for number in (0, *parents):
        inner = [child for child, parent in parents.items() if parent == number]
        lines = [line for child in inner for line in spawn(f"call-{child}", f"t-{child}")]
        own = f"t-{parents[number]}" if number else ""
        wrote(tmp_path / f"rollout-{random.random()}.jsonl", *thread(f"t-{number}", own, *typed("go"), *lines))
    results = open_results(tmp_path).indexed()
    assert len(results) == 1 and results.record(0).notes == ()
    made_by = {event.id: event.extra.get("parent") for event in trace_of(tmp_path).events if event.name}
    assert made_by == {f"call-{child}": f"call-{parent}" if parent else None for child, parent in parents.items()}


def test_threads_that_began_each_other_are_read_once(tmp_path: Path) -> None:
    for own, parent in (("a", "b"), ("b", "a"), ("c", "c"), ("d", "gone")):
        wrote(tmp_path / f"rollout-{own}.jsonl", *thread(own, parent, *typed(f"ask {own}")))
    results = open_results(tmp_path).indexed()
    traces = [read_trace(results.record(index).data, results.base_dir) for index in range(len(results))]
    asked = [[event.text for event in trace.events if event.type == "message"] for trace in traces]
    assert asked == [["ask a", "ask b"], ["ask c"], ["ask d"]]
    assert "it was begun by the thread gone" in [note.message for note in results.record(2).notes]


def test_a_sub_agent_whose_thread_is_not_here_is_told_of(tmp_path: Path) -> None:
    path = wrote(tmp_path / "rollout-a.jsonl", *thread("a", "", *typed("go"), *spawn("c", "elsewhere")))
    assert [note.message for note in open_results(path).indexed().record(0).notes] == [
        "what 1 sub-agent did is in no rollout here"
    ]


def test_a_thread_that_no_call_began_stands_last(tmp_path: Path) -> None:
    wrote(tmp_path / "rollout-a.jsonl", *thread("a", "", *typed("go")))
    wrote(tmp_path / "rollout-b.jsonl", *thread("b", "a", *typed("behind")))
    results = open_results(tmp_path).indexed()
    assert [note.message for note in results.record(0).notes] == [
        "1 sub-agent was begun by no call that is here; what it did stands at the end"
    ]
    assert [event.text for event in trace_of(tmp_path).events if event.type == "message"] == ["go", "behind"]


def test_a_fork_in_the_same_folder_counts_what_it_began_with_there(tmp_path: Path) -> None:
    turn = item("turn_context", turn_id="turn-1", model="m")
    first = thread("a", "", turn, *typed("go"), message("assistant", "ok"), counted(10, 1))
    later = [item("turn_context", turn_id="turn-2", model="m"), *typed("on"), message("assistant", "yes")]
    wrote(tmp_path / "rollout-1.jsonl", *first)
    copied = [item("session_meta", id="b", forked_from_id="a"), *first, *later, counted(14, 3)]
    wrote(tmp_path / "rollout-2.jsonl", *copied)
    tokens = [entry.tokens for entry in (open_results(tmp_path).indexed().record(n) for n in (0, 1))]
    assert [(count.input, count.output) for count in tokens if count is not None] == [(10, 1), (4, 2)]
