import json
from pathlib import Path

import pytest
from hypothesis import given
from rich.cells import cell_len

from sampleui.trace.golden import closest, golden_trajectories
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.report import (
    alignment_lines,
    summary_lines,
    text_lines,
    trace_data,
    trajectory_data,
    trajectory_lines,
    tree_lines,
)
from tests.trace.checks import checks_of, judged
from tests.trace.strategies import junk_records
from tests.trace.test_tree import research

RECORD = {
    "trace": [
        {"type": "tool_call", "id": "1", "name": "pay", "input": {"sum": 5}, "timestamp": "2026-01-01T00:00:00Z"},
        {
            "type": "tool_result",
            "id": "1",
            "is_error": True,
            "output": "no\x1b[31mfunds",
            "timestamp": "2026-01-01T00:00:01Z",
        },
        {"type": "error", "text": "gave up", "timestamp": "2026-01-01T00:01:02Z"},
        5,
    ],
    "usage": {"input_tokens": 1200, "output_tokens": 34},
    "cost_usd": 0.00123,
}


def test_calls_that_name_no_tool_are_counted():
    trace = read_trace({"trace": [{"type": "tool_call", "name": "a"}, {"type": "tool_call"}]}, ".")
    assert [*summary_lines(trace)] == ["from trace, 2 events, 2 tool calls", "tools: a 1"]


def test_text_has_a_summary_and_a_line_an_event():
    lines = list(text_lines(read_trace(RECORD, Path()), "r\n1", width=100))
    assert lines[:4] == [
        "r 1",
        "  from trace, 3 events, 1 tool call, 1 error, 1 failed call, 1,200 tokens in, 34 out, $0.00123, 1m02s",
        "  tools: pay 1",
        "  warning: an event must have one of the five types [trace-event-invalid]",
    ]
    cells = [line.split() for line in lines[-3:]]
    assert cells == [
        ["1", "tool_call", "pay", "FAILED", "sum:", "5", "12", "1.00s", "+0ms"],
        ["2", "tool_result", "pay", "FAILED", "no␛[31mfunds", "12", "-", "+1.00s"],
        ["3", "error", "FAILED", "gave", "up", "7", "-", "+1m02s"],
    ]
    assert "  tool_result" in lines[-2], "results are indented below their calls"


@pytest.mark.parametrize("width", [64, 80, 120, 200])
def test_lines_fit_the_width(width):
    record = {
        "trace": [{**event, "input": "wörd 漢字 " * 99, "name": "n" * 40} for event in RECORD["trace"][:3]] * 40
    }
    lines = [
        line for line in text_lines(read_trace(record, Path()), "x", width) if line.startswith((" 1 ", "120 "))
    ]
    assert all(cell_len(line) <= width for line in lines)
    assert ("+1" in lines[-1]) is (width >= 100), "the offset is left out where there is no room"


def test_what_the_run_reports_is_told_when_it_differs():
    counted = {"event_count": 1, "tool_calls_by_name": {"a": 1}, "error_count": 0}
    output = [{"role": "assistant", "tool_calls": [{"tool": "a"}]}]
    same = read_trace({"trace": counted, "output": output}, Path())
    assert list(summary_lines(same)) == ["from output_messages, 1 event, 1 tool call", "tools: a 1"]
    other = read_trace({"trace": counted | {"cost_usd": 1.5}}, Path())
    assert list(summary_lines(other)) == [
        "no trace, $1.50",
        "the run reports 1 event, 1 tool call, $1.50",
        "tools as reported: a 1",
    ]


def test_how_long_a_run_took_as_reported_is_told_beside_the_time_between_its_events():
    events = [{"type": "message", "timestamp": f"2026-01-01T00:00:0{at}Z"} for at in (1, 3)]
    trace = read_trace({"trace": events, "duration_ms": 4500}, Path())
    assert next(summary_lines(trace)).endswith(", 2.00s between events, 4.50s as reported")
    assert trace.summary.to_data()["duration_ms"] == 2000
    assert trace.summary.to_data()["reported_duration_ms"] == 4500
    same = read_trace({"trace": events, "duration_ms": 2000}, Path())
    assert next(summary_lines(same)).endswith(", 2.00s")
    assert "reported_duration_ms" not in same.summary.to_data()


def test_no_errors_are_not_counted_of_a_run_that_may_have_crashed_without_an_event():
    crashed = {"output": [{"role": "user", "content": "?"}], "error": "the target crashed"}
    assert next(summary_lines(read_trace(crashed, Path()))) == "from output_messages, 1 event, 0 tool calls"


def test_the_tools_called_most_come_first():
    trace = read_trace({"trace": [{"type": "tool_call", "name": name} for name in "cabcb"]}, Path())
    assert list(summary_lines(trace))[1] == "tools: b 2, c 2, a 1"


def test_data_is_json_with_the_events_in_wire_form():
    data = json.loads(json.dumps(trace_data(read_trace(RECORD, Path()), "r1")))
    call, result, error = RECORD["trace"][:3]
    told = {"error": "no\x1b[31mfunds"}
    assert data["events"] == [{**call, **told}, {**result, **told}, error]
    assert (data["id"], data["source"]) == ("r1", "trace")
    assert data["diagnostics"] == [
        {
            "rule": "trace-event-invalid",
            "severity": "warning",
            "message": "an event must have one of the five types",
            "path": ["trace", 3],
        }
    ]
    assert data["summary"]["failed_calls"] == 1


def test_checks_and_alignments_as_text():
    asked = {
        "assert": [{"type": "tool-trajectory", "name": "t", "mode": "any_order", "minimums": {"pay": 1, "x": 1}}]
    }
    events = read_trace(RECORD, Path()).events
    outcomes = [judged(check, events) for check in checks_of(asked, {})]
    assert list(trajectory_lines(outcomes)) == [
        "FAILED t (any_order) 0.50",
        "  hit: pay: called once, at least 1 wanted",
        "  miss: x: not called, at least 1 wanted",
    ]
    assert trajectory_data(outcomes)[0]["passed"] is False

    golden = {
        "golden_trajectories": [
            [{"role": "assistant", "tool_calls": [{"tool": "pay", "input": {"sum": 6}}, {"tool": "x"}]}]
        ]
    }
    assert list(alignment_lines(closest(events, golden_trajectories(golden))[0])) == [
        "golden trajectory 1: distance 1.5",
        "~ pay(sum: 5)",
        "    sum = 5, 6 expected",
        "- x()",
    ]


@given(junk_records)
def test_no_trace_breaks_the_report(record):
    trace = read_trace(record, Path("/nowhere"))
    assert all(line.isprintable() for line in text_lines(trace, "x"))
    json.dumps(trace_data(trace, "x"), default=str)


@pytest.mark.parametrize(
    ("usage", "said"),
    [
        ({"input_tokens": 1200, "output_tokens": 34}, "1,200 tokens in, 34 out"),
        ({"input_tokens": 5}, "5 tokens in"),
        ({"input_tokens": 5, "output_tokens": 0}, "5 tokens in, 0 out"),
        ({"output_tokens": 7}, "7 tokens out"),
        ({"input_tokens": 5, "total_tokens": 9}, "5 tokens in, 9 in all"),
        ({"total_tokens": 1234}, "1,234 tokens"),
    ],
)
def test_tokens_are_said_apart_where_a_run_says_them_apart(usage, said):
    lines = list(summary_lines(read_trace({**RECORD, "usage": usage}, Path())))
    assert f", {said}, $0.0012" in lines[0]


def test_text_shows_the_tree_with_who_did_what_and_a_line_for_each_sub_agent():
    trace = read_trace({"trace": [*research(1), {"type": "message", "text": "done"}]}, Path())
    lines = [*text_lines(trace, "x", 100)][4:]
    assert lines[2].endswith("│ researcher, 4 calls, 1 failed, 250ms: find 1 → it is 1")
    assert [line.split()[0] for line in lines[1:]] == ["1", "│", "2", "3", "4", "5", "6", "7", "8", "9"]
    assert all("│" in line and "researcher" in line for line in lines[3:9])
    assert "│" not in lines[9] and "  tool_result" in lines[9]
    assert all(cell_len(line) <= 100 for line in lines)


def test_folded_text_has_a_line_for_a_sub_agent_and_for_calls_that_went_well():
    call = {"type": "tool_call", "name": "look", "output": 1}
    trace = read_trace({"trace": [*research(1), *[call] * 4]}, Path())
    lines = [*tree_lines(trace.events, 100, folded=True)]
    assert len(lines) == 5
    assert lines[2].endswith("│ researcher, 4 calls, 1 failed, 250ms: find 1 → it is 1")
    assert lines[4].endswith("4 calls went well: look 4")


def test_a_chain_of_500_agents_is_text_of_lines_that_fit():
    entries = [{"type": "tool_call", "id": 0}]
    entries += [{"type": "tool_call", "id": at, "parent": at - 1, "agent": f"a{at}"} for at in range(1, 500)]
    lines = [*text_lines(read_trace({"trace": entries}, Path()), "x", 80)]
    assert "499│ tool_call" in lines[-1] and all(cell_len(line) <= 80 for line in lines)
