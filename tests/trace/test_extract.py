import json
import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sampleui.trace.events import EventType, is_event, to_data
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.report import trace_data
from sampleui.trace.timeline import timeline
from tests.trace.strategies import events as some_events
from tests.trace.strategies import junk_records, texts

VECTORS = yaml.safe_load((Path(__file__).parent / "vectors" / "extraction.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", VECTORS)
def test_a_trace_is_read_as_its_vector_says(name, tmp_path):
    given_, expect = VECTORS[name]["given"], VECTORS[name]["expect"]
    for path, text in given_.get("files", {}).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir()

    trace = read_trace(given_["record"], tmp_path)

    assert trace.source == expect["source"]
    assert [to_data(event) for event in trace.events] == expect["events"]
    assert [note.rule for note in trace.diagnostics] == expect["rules"]
    if "summary" in expect:
        assert trace.summary.to_data() == expect["summary"]


def test_the_summary_that_a_run_reports_is_kept_beside_the_counts():
    data = {"event_count": 3, "tool_calls_by_name": {"b": 1, "a": 2}, "error_count": 1, "cost_usd": 0.2}
    trace = read_trace({"trace": data}, Path())
    assert trace.summary.event_count == 0
    assert (trace.reported.event_count, trace.reported.error_count, trace.reported.cost_usd) == (3, 1, 0.2)
    assert list(trace.reported.tool_calls_by_name.items()) == [("a", 2), ("b", 1)]


def test_every_field_of_the_response_can_be_read():
    record = {
        "text": "done",
        "reasoning": "because",
        "raw": {"x": 1},
        "usage": {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 12},
        "traceRef": "nowhere.json",
        "outputMessages": [{"role": "assistant", "name": "agent", "content": "done"}],
    }
    trace = read_trace(record, Path())
    response = trace.response
    assert (response.text, response.reasoning, response.raw) == ("done", "because", {"x": 1})
    assert response.trace_ref == "nowhere.json"
    assert response.output_messages[0].name == "agent"
    assert trace.summary.to_data()["token_usage"] == {"input": 5, "output": 6, "total": 12}


def test_a_response_in_a_table_of_its_own_gives_what_the_record_does_not():
    filled = {"prompt": 0, "completion": 0, "total": 0, "numRequests": 1}
    record = {"tokenUsage": filled, "response": {"output": "x", "raw": {"id": 1}, "tokenUsage": {"total": 17}}}
    data = trace_data(read_trace(record, Path()), "r")
    assert (data["raw"], data["usage"], data["summary"]["token_usage"]) == ({"id": 1}, {"total": 17}, {"total": 17})
    data = trace_data(read_trace({"tokenUsage": filled, "raw": 5}, Path()), "r")
    assert (data["raw"], data["usage"], "token_usage" in data["summary"]) == (5, None, False)


def test_a_call_that_failed_and_its_failed_result_are_one_failure():
    call = {"type": "tool_call", "name": "a", "id": "1", "status": "error"}
    result = {"type": "tool_result", "id": "1", "is_error": True}
    retried = [call | {"id": "2"}, {"type": "tool_result", "id": "3", "is_error": True}]
    assert read_trace({"trace": [call, result]}, Path()).summary.failed_calls == 1
    assert read_trace({"trace": [call, result, *retried]}, Path()).summary.failed_calls == 3


def test_a_numeric_answer_is_not_taken_for_tokens():
    assert read_trace({"input": 5, "output": 42}, Path()).summary.tokens is None


def test_a_duration_is_only_told_when_the_whole_trace_has_times():
    first = {"type": "message", "timestamp": "2026-01-01T00:00:00Z"}
    last = {"type": "tool_call", "timestamp": "2026-01-01T00:00:02", "duration_ms": 500}
    assert read_trace({"trace": [first, last]}, Path()).summary.duration_ms == 2500
    assert read_trace({"trace": [first, last, {"type": "message"}]}, Path()).summary.duration_ms is None


class TestTraceRef:
    """Files that a record names: what lies outside the project, or is no regular file, is never read."""

    def rules(self, written, base):
        trace = read_trace({"trace_ref": written}, base)
        assert trace.events == ()
        return [note.rule for note in trace.diagnostics]

    @pytest.fixture
    def project(self, tmp_path):
        inside = tmp_path / "project"
        (inside / "runs").mkdir(parents=True)
        (inside / "pyproject.toml").touch()
        (tmp_path / "secret.json").write_text('[{"type": "message", "text": "secret"}]')
        return inside

    def test_a_trace_outside_the_root_is_not_read(self, project):
        assert self.rules("../../secret.json", project / "runs") == ["trace-ref-outside-root"]
        assert self.rules(str(project.parent / "secret.json"), project) == ["trace-ref-outside-root"]

    def test_a_trace_outside_the_root_is_not_read_through_a_symlink(self, project):
        (project / "link.json").symlink_to(project.parent / "secret.json")
        assert self.rules("link.json", project) == ["trace-ref-outside-root"]

    def test_outside_from_a_file_inside(self, project):
        (project / "a.json").write_text('{"trace_ref": "../secret.json"}')
        assert self.rules("a.json", project) == ["trace-ref-outside-root"]

    def test_a_symlink_to_itself(self, project):
        (project / "loop.json").symlink_to("loop.json")
        assert self.rules("loop.json", project) == ["trace-ref-unreadable"]

    def test_a_folder_and_a_pipe(self, project):
        os.mkfifo(project / "pipe.json")
        assert self.rules("runs", project) == ["trace-ref-not-regular"]
        assert self.rules("pipe.json", project) == ["trace-ref-not-regular"]

    def test_a_trace_that_is_too_large_is_not_read(self, project, monkeypatch):
        monkeypatch.setattr("sampleui.trace.reading.extract.MAX_TRACE_BYTES", 10)
        (project / "big.json").write_text(" " * 10 + "[]")
        assert self.rules("big.json", project) == ["trace-ref-too-large"]

    @pytest.mark.parametrize("data", [b"\xff\xfe", b"17", b'{"a": 1}', b"[" * 200_000, b"9" * 5000])
    def test_a_file_that_holds_no_events_is_no_trace(self, project, data):
        (project / "bad.json").write_bytes(data)
        assert self.rules("bad.json", project) == ["trace-ref-invalid"]

    @pytest.mark.parametrize("written", ["a\0b", "", 17, ["x"]])
    def test_a_trace_ref_that_is_no_path_leads_nowhere(self, project, written):
        assert self.rules(written, project)[0] in {"trace-ref-not-found", "trace-ref-invalid"}

    def test_a_bom_and_the_root_as_second_place(self, project):
        (project / "t.json").write_bytes(b'\xef\xbb\xbf[{"type": "error", "text": "x"}]')
        trace = read_trace({"trace_ref": "t.json"}, project / "runs")
        assert [event.text for event in trace.events] == ["x"]


@given(junk_records)
def test_no_record_is_too_strange(record):
    trace = read_trace(record, Path("/nowhere"))
    timeline(trace.events)
    assert trace.summary.event_count == len(trace.events)
    assert (trace.source is None) <= (trace.events == ())


@given(st.lists(some_events))
def test_an_explicit_trace_comes_back_as_it_was_in_its_order(entries):
    trace = read_trace({"trace": entries}, Path())
    kept = [to_data(event) for event in trace.events]
    assert json.dumps(kept, sort_keys=True) == json.dumps(entries, sort_keys=True)
    calls = [entry for entry in entries if entry["type"] == "tool_call" and entry.get("name") is not None]
    assert sum(trace.summary.tool_calls_by_name.values()) == len(calls)
    assert trace.summary.error_count == sum(entry["type"] == "error" for entry in entries)


@given(st.lists(st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "tool"])}, optional={
    "content": texts,
    "timestamp": st.sampled_from(["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"]),
    "tool_calls": st.lists(st.fixed_dictionaries({"tool": st.sampled_from("ab")}), max_size=2),
}), max_size=6))  # fmt: skip
def test_times_and_calls_of_messages_are_those_of_the_source(messages):
    events = read_trace({"output_messages": messages}, Path()).events
    given_times = {message.get("timestamp") for message in messages}
    assert {event.timestamp for event in events} <= given_times | {None}
    made = [
        call["tool"] for message in messages if message["role"] != "tool" for call in message.get("tool_calls", ())
    ]
    assert [event.name for event in events if event.type == "tool_call"] == made


def test_what_is_an_event():
    assert all(is_event({"type": name}) for name in EventType)
    assert not any(map(is_event, [{}, {"type": "span"}, {"type": ["message"]}, [], None, "message"]))
