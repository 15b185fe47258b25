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
