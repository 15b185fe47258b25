"""Transcripts that runners write: lines, spans, turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.formats.data import Plain, Table
from sampleui.review.results.file import open_results
from sampleui.runs.records import open_run
from sampleui.trace.reading.extract import TraceSource, read_trace, untold
from sampleui.trace.reading.response import record_of
from sampleui.trace.timeline import role_of
from sampleui.trace.transcript import transcript
from tests.trace.test_tree import research

LINES: list[Table] = [
    {"test_id": "fix", "target": "m", "message_index": 0, "role": "user", "content": "Fix it.",
     "transcript_token_usage": {"input": 9, "output": 4}, "transcript_duration_ms": 70, "transcript_cost_usd": 0.5},
    {"test_id": "fix", "target": "m", "message_index": 1, "role": "assistant", "content": "Looking.",
     "start_time": "2026-01-01T00:00:00Z", "tool_calls": [
         {"tool": "read", "input": {"path": "a"}, "output": "x", "id": "1", "status": "ok",
          "start_time": "2026-01-01T00:00:01Z", "end_time": "2026-01-01T00:00:01.200Z"},
         {"tool": "test", "id": "2", "status": "error", "start_time": "2026-01-01T00:00:02Z", "duration_ms": 5}]},
    {"test_id": "other", "target": "m", "message_index": 0, "role": "assistant", "content": "Hello."},
]  # fmt: skip


def spans(*, carried: bool) -> dict[str, object]:
    def at(second: float) -> str:
        return str(1_767_225_600 * 10**9 + int(second * 1e9))

    message = {"role": "assistant", "content": "Looking.", "tool_calls": [{"tool": "read", "id": "1"}]}
    events = [{"name": "agentv.transcript.message", "attributes": {"agentv.transcript.message": message}}]
    chat = {"gen_ai.operation.name": "chat", "agentv.message.index": 0, "gen_ai.output.messages": "Looking.",
            "gen_ai.usage.input_tokens": 9, "gen_ai.usage.output_tokens": 4}  # fmt: skip
    tool = {"gen_ai.operation.name": "execute_tool", "agentv.message.index": 0, "gen_ai.tool.name": "read",
            "gen_ai.tool.call.arguments": {"path": "a"}, "gen_ai.tool.call.result": "x"}  # fmt: skip
    root = {"agentv.test_id": "fix", "agentv.trace.cost_usd": 0.5, "gen_ai.usage.input_tokens": 9}
    listed = [
        {"span_id": "t", "parent_span_id": "c", "attributes": tool, "status": {"code": "ERROR"},
         "start_time_unix_nano": at(1), "end_time_unix_nano": at(1.25)},
        {"span_id": "c", "parent_span_id": "r", "attributes": chat,
         "start_time_unix_nano": at(0), "end_time_unix_nano": at(2)},
        {"span_id": "r", "parent_span_id": None, "attributes": root, "events": events if carried else [],
         "start_time_unix_nano": at(0), "end_time_unix_nano": at(3)},
    ]  # fmt: skip
    return {"schema_version": "agentv.trace.v1", "trace": {"spans": listed}}


def test_lines_are_the_traces_of_their_records(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    run = open_run(path)
    assert [record.id for record in run.records] == ["fix", "other"]
    trace = run.trace(0)
    assert [(event.type, event.name) for event in trace.events] == [
        ("message", None), ("message", None), ("tool_call", "read"), ("tool_call", "test"),
    ]  # fmt: skip
    assert [event.timestamp for event in trace.events][1:3] == ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]
    assert [event.duration_ms for event in trace.events][2:] == [200.0, 5.0]
    assert (trace.summary.failed_calls, trace.summary.cost_usd, trace.summary.duration_ms) == (1, 0.5, 70)
    assert trace.summary.tokens is not None
    assert (trace.summary.tokens.input, trace.summary.tokens.output) == (9, 4)


def test_times_that_stand_in_for_unknown_ones_are_left_out() -> None:
    """AgentV writes the time of the whole run where a provider gives none of a call, and 0 where nothing ran."""
    whole: Table = {"start_time": "2026-01-01T00:00:00Z", "end_time": "2026-01-01T00:00:00.070Z", "duration_ms": 70}
    calls: list[Plain] = [{"tool": "read", **whole}, {"tool": "read", **whole, "duration_ms": 20}]
    trace = read_trace({"transcript": [LINES[0], {**LINES[1], "tool_calls": calls}]}, Path())  # type: ignore[dict-item]
    guessed, known = trace.events[-2:]
    assert (guessed.duration_ms, guessed.timestamp) == (None, LINES[1]["start_time"])
    assert (known.duration_ms, known.timestamp) == (20, "2026-01-01T00:00:00Z")
    crashed: Table = {**LINES[0], "transcript_duration_ms": 0, "transcript_token_usage": {"input": 0, "output": 0}}
    summary = read_trace({"transcript": [crashed]}, Path()).summary
    assert (summary.duration_ms, summary.tokens) == (None, None)


def test_a_transcript_beside_a_record_is_its_trace() -> None:
    trace = read_trace({"test_id": "fix", "output": "Done.", "transcript": LINES[:2]}, Path())  # type: ignore[dict-item]
    assert trace.source is TraceSource.TRANSCRIPT
    assert trace.response.text == "Done."
    assert trace.summary.cost_usd == 0.5


@pytest.mark.parametrize("carried", [True, False])
def test_spans_give_times_tokens_and_tools(tmp_path: Path, carried: bool) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(spans(carried=carried)))
    run = open_run(path)
    trace = run.trace(0)
    said, called = trace.events
    assert (run.records[0].id, said.text, called.name) == ("fix", "Looking.", "read")
    assert (said.timestamp, said.duration_ms) == ("2026-01-01T00:00:00.000+00:00", 2000.0)
    if not carried:
        assert (called.input, called.output, called.duration_ms) == ({"path": "a"}, "x", 250.0)
        assert trace.summary.failed_calls == 1
    assert trace.summary.cost_usd == 0.5


def test_turns_of_content_blocks() -> None:
    use = {"type": "tool_use", "id": "1", "name": "Read", "tool_name": "file_read", "input": {"path": "a"},
           "result": {"status": "error", "output": "gone", "duration_ms": 7}}  # fmt: skip
    blocks = [{"type": "thinking", "text": "Hm."}, {"type": "text", "text": "Looking."}, use]
    turns = [
        {"v": 1, "type": "user", "content": [{"type": "text", "text": "Fix it."}], "ts": "2026-01-01T00:00:00Z"},
        {"v": 1, "type": "assistant", "content": blocks, "input_tokens": 3, "output_tokens": 2},
    ]
    held = {"schema_version": "agentv.normalized_transcript.v1", "target": "m", "turns": turns}
    trace = read_trace({"transcript": held}, Path())  # type: ignore[dict-item]
    asked, thought, said, called = trace.events
    assert (thought.text, thought.metadata) == ("Hm.", {"role": "thought"})
    assert (asked.text, asked.timestamp) == ("Fix it.", "2026-01-01T00:00:00Z")
    assert (said.text, called.name, called.output, called.duration_ms) == ("Looking.", "Read", "gone", 7)
    assert trace.summary.failed_calls == 1
    assert trace.summary.tokens is not None


def test_a_status_that_is_no_text_is_no_failure() -> None:
    use = {"type": "tool_use", "name": "Read", "result": {"status": ["error"]}}
    held = {"schema_version": "agentv.normalized_transcript.v1", "turns": [{"type": "assistant", "content": [use]}]}
    trace = read_trace({"transcript": held}, Path())  # type: ignore[dict-item]
    assert (trace.events[-1].name, trace.summary.failed_calls) == ("Read", 0)


def test_events_may_say_when_they_began() -> None:
    trace = read_trace(
        {"trace": [{"type": "tool_call", "name": "a", "start_time": "2026-01-01T00:00:00Z"}]}, Path()
    )
    assert trace.events[0].timestamp == "2026-01-01T00:00:00Z"


KEYS = """
    trace spans turns role message_index attributes events content type result parent_span_id
"""
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=4),
    max_leaves=10,
)


@given(json_values)
def test_no_transcript_crashes(value: object) -> None:
    read_trace({"transcript": value}, Path())  # type: ignore[dict-item]
    record_of(value)  # type: ignore[arg-type]


THOUGHTS: list[Table] = [
    {"role": "assistant", "content": "hello", "reasoning_content": "hm"},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hello"}]},
    {"role": "assistant", "content": "<think>hm</think>hello"},
    {"role": "assistant", "content": "hm</think>\n\nhello"},
    {"role": "assistant", "content": [{"type": "text", "text": "<think>hm</think>hello"}]},
    {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "hello"}]},
    {"type": "ai", "content": "hello", "reasoning": "hm"},
]


@pytest.mark.parametrize("message", THOUGHTS, ids=str)
def test_what_a_model_thought_is_an_event_of_its_own_and_no_part_of_what_it_said(message: Table) -> None:
    record: Table = {"output_messages": [{"role": "user", "content": "hi"}, message]}
    trace = read_trace(record, Path())
    assert [(role_of(event), event.text) for event in trace.events] == [
        ("user", "hi"),
        ("thought", "hm"),
        ("assistant", "hello"),
    ]
    assert [*transcript(record, trace).messages] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
    ]


ROWS: list[Table] = [
    {"output": "hello", "reasoning_content": "hm"},
    {"output": "hello", "reasoningContent": "hm", "score": 1},
    {"output": "hello", "thinking": "hm"},
    {"output": "hello", "thoughts": ["hm"]},
    {"output": "hello", "thought": "hm", "reasoning": "It is right.", "score": 1},
    {"output": "hello", "reasoning": "hm"},
    {"output": "<think>hm</think>hello"},
    {"candidate_answer": "hm</think>hello"},
    {"output": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hello"}]},
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_what_was_thought_before_an_answer_is_an_event_of_a_record_without_a_trace(row: Table) -> None:
    record: Table = {"id": "a", "input": "hi", **row}
    trace = read_trace(record, Path())
    assert trace.source is TraceSource.ANSWER
    assert [(role_of(event), event.text) for event in trace.events] == [("thought", "hm"), ("assistant", "hello")]
    talk = transcript(record, trace)
    assert [*talk.messages] == [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    assert talk.left_out == ("thinking",)
    assert untold(trace) == "the record keeps its answer, and not what was called"


@pytest.mark.parametrize(
    "row",
    [{}, {"reasoning": "Right.", "score": 1}, {"thinking": ""}, {"thinking": 3}, {"thoughts": {}}],
    ids=str,
)
def test_an_answer_before_which_nothing_was_thought_is_no_trace(row: Table) -> None:
    assert read_trace({"output": "hello", **row}, Path()).source is None


def test_what_is_known_of_an_event_may_say_what_was_thought_before_it() -> None:
    said: Table = {"type": "message", "text": "hello", "metadata": {"role": "assistant", "thinking": "hm"}}
    trace = read_trace({"trace": [said]}, Path())
    assert [(event.text, event.metadata) for event in trace.events] == [
        ("hm", {"role": "thought"}),
        ("hello", {"role": "assistant"}),
    ]
    assert [message["content"] for message in transcript({"trace": [said]}, trace).messages] == ["hello"]


def test_a_message_that_is_nothing_but_a_thought_says_nothing_beside_it() -> None:
    thought: Table = {
        "role": "assistant",
        "content": [{"type": "reasoning", "text": "hm"}],
        "tool_calls": [{"tool": "a"}],
    }
    trace = read_trace({"output_messages": [thought]}, Path())
    assert [(event.type, event.text, event.name) for event in trace.events] == [
        ("message", "hm", None),
        ("tool_call", None, "a"),
    ]


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json", "rows.csv"])
@pytest.mark.parametrize(
    "columns",
    [{"answer": "<think>hm</think>hello"}, {"answer": "hello", "thinking": "hm"}],
    ids=["in the answer", "beside the answer"],
)
def test_rows_that_no_tool_is_known_for_show_what_was_thought_before_their_answers(
    tmp_path: Path, name: str, columns: dict[str, str]
) -> None:
    rows = [{"id": key, "question": f"hi {key}", **columns, "correct": key == "a"} for key in "abc"]
    path = tmp_path / name
    if name.endswith("csv"):
        lines = (",".join(map(str, row.values())) for row in rows)
        path.write_text("\n".join((",".join(rows[0]), *lines)))
    else:
        path.write_text(json.dumps(rows) if name.endswith("json") else "\n".join(map(json.dumps, rows)))
    run = open_run(path)
    for index in range(3):
        events = run.subject(index).trace.events
        assert [(role_of(event), event.text) for event in events] == [("thought", "hm"), ("assistant", "hello")]
    assert open_results(path, asked=True).indexed().record(0).actual == "hello"


def test_reasoning_beside_an_answer_is_a_thought_where_nobody_judged_it_and_else_a_reason(tmp_path: Path) -> None:
    row = {"test_id": "a", "input": "hi", "output": "hello", "reasoning": "hm"}
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, (row, {**row, "test_id": "b", "score": 1.0}))))
    results = open_results(path, asked=True).indexed()
    first, second = results.record(0), results.record(1)
    assert (first.reasoning, first.thinking_answer["thinking"]) == (None, "hm")
    assert (second.reasoning, second.thinking_answer) == ("hm", {})


def test_what_a_sub_agent_did_is_no_part_of_the_conversation_of_the_run():
    said = {"type": "message", "metadata": {"role": "user"}, "text": "begin"}
    end = {"type": "message", "metadata": {"role": "assistant"}, "text": "so it is"}
    trace = read_trace({"trace": [said, *research(1), end]}, ".")
    talk = transcript({}, trace)
    assert [message["role"] for message in talk.messages] == ["user", "assistant", "tool", "assistant"]
    assert talk.messages[1]["tool_calls"][0]["function"]["name"] == "research"
    assert talk.messages[2]["content"] == "it is 1"
    assert talk.until(5) == 2, "within the sub-agent up to the call that began it"
    wire = [
        {"role": "user", "content": "begin"},
        {"role": "assistant", "tool_calls": [{"id": "1", "tool": "ask", "input": {}, "output": "42"}]},
        {"role": "user", "content": "find", "depth": 1, "agent": "a", "parent": "1"},
        {"role": "assistant", "tool_calls": [{"tool": "look", "depth": 1, "parent": "1"}]},
        {"role": "assistant", "content": "42"},
    ]
    messages = transcript({}, read_trace({"output_messages": wire}, ".")).messages
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "assistant"]


def test_a_root_span_around_all_there_is_hides_nothing_of_the_conversation():
    root = {"type": "model_step", "span": "agent", "id": "r", "name": "boss"}
    inner = {"type": "message", "metadata": {"role": "assistant"}, "text": "hi", "parent": "r"}
    assert [m["content"] for m in transcript({}, read_trace({"trace": [root, inner]}, ".")).messages] == ["hi"]
