"""Events, checks and alignments as rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sampleui.runs.records import TracedRecord, subject_of
from sampleui.sample.model import Sample
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.reading.files import FileRecord
from sampleui.trace.timeline import timeline
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.trace.detail import EVENT, GOLDEN, Detail, Look, tab_rows, tabs_of
from sampleui.tui.trace.rows import TraceColumns, event_row, trajectories
from sampleui.tui.trace.trace_view import header_rows

CALL = {
    "type": "tool_call",
    "id": "a",
    "name": "search",
    "input": {"query": "[bold]x\x1b[2J"},
    "timestamp": "2026-01-01T00:00:01Z",
}
RESULT = {
    "type": "tool_result",
    "id": "a",
    "output": "HTTP 500",
    "is_error": True,
    "timestamp": "2026-01-01T00:00:03.500Z",
}
RECORD = {
    "id": "one",
    "text": "done",
    "reasoning": "because",
    "raw": {"model": "m"},
    "usage": {"input_tokens": 5, "output_tokens": 7},
    "trace": [
        {"type": "message", "text": "go", "metadata": {"role": "user"}, "timestamp": "2026-01-01T00:00:00Z"},
        CALL,
        RESULT,
        {"type": "nothing known"},
    ],
}


def call(name, **arguments):
    return {"role": "assistant", "tool_calls": [{"tool": name, "input": arguments}]}


def subject(record=RECORD, data=None) -> TracedRecord:
    sample = None if data is None else Sample("one", 0, data, "gage", ("messages",), Path("deck.jsonl"))
    return subject_of(FileRecord(1, record), read_trace(record, "."), sample)


def lines(width=100, record=RECORD) -> list[str]:
    rows = timeline(read_trace(record, ".").events)
    columns = TraceColumns.of(rows, width)
    return [row_text(event_row(row, columns, width)) for row in rows]


def tab(name, shown: TracedRecord, width=80, place=0, **look) -> list[str]:
    events = timeline(shown.trace.events)
    rows = tab_rows(name, Detail(shown, events[place] if events else None, Look(**look), len(events)), width)
    return [row_text(row) for row in rows]


def test_a_row_says_kind_name_input_size_duration_and_offset():
    message, called, result = lines()
    assert message.split() == ["1", "●", "message", "user", "go", "2", "+0ms"]
    assert called.split() == [
        "✖",
        "2",
        "→",
        "call",
        "search",
        "FAILED",
        "query:",
        '"[bold]x\\u001b[2J"',
        "8",
        "2.50s",
        "+1.00s",
    ]
    assert "└ ← result" in result
    assert "FAILED HTTP 500" in result


def test_the_row_of_an_answer_leaves_its_agent_to_the_call_above():
    inside = {"agent": "searcher", "parent": "b"}
    made = {"trace": [{**CALL, "id": "b"}, {**CALL, **inside}, {**RESULT, **inside}]}
    rows = timeline(read_trace(made, ".").events)
    columns = TraceColumns.of(rows, 120, ["searcher"], 1)
    _, called, result = (row_text(event_row(row, columns, 120)) for row in rows)
    assert "searcher" in called
    assert "← result " in result
    assert "searcher" not in result


def test_a_very_narrow_row_has_the_name_of_the_tool_and_not_that_of_the_agent():
    inside = {"agent": "searcher", "parent": "b"}
    rows = timeline(read_trace({"trace": [{**CALL, "id": "b"}, {**CALL, **inside}]}, ".").events)
    _, called = (row_text(event_row(row, TraceColumns.of(rows, 26, ["searcher"], 1), 26)) for row in rows)
    assert "call    search " in called


def test_a_failure_is_told_by_shape_and_word():
    assert all(("✖" in line) == ("FAILED" in line) for line in lines())


@given(st.integers(40, 220))
def test_rows_have_the_width_asked_for(width):
    assert {cell_len(line) for line in lines(width)} == {width}


def test_narrow_rows_leave_figures_out():
    assert "+1.00s" not in lines(60)[1]
    assert "2.50s" in lines(60)[1]
    assert "2.50s" not in lines(40)[1]


def test_a_call_is_shown_with_its_result():
    shown = tab(EVENT, subject(), place=1)
    assert shown[0] == "→ call search  ✖ FAILED"
    assert shown[1].startswith("2 of 3 · +1.00s · took 2.50s · id a")
    assert '  "query": "[bold]x\\u001b[2J"' in shown
    assert any(line.startswith("── result output ─") for line in shown)
    assert "HTTP 500" in shown


def test_every_field_of_the_response_is_shown():
    shown = "\n".join(tab("Response", subject()))
    for part in ("trace from trace", "done", "because", '"input_tokens": 5', '"model": "m"'):
        assert part in shown
    assert "the record has no trace" in tab("Response", subject({"text": "x"}))[0]


def test_what_was_skipped_is_a_note_with_its_place():
    shown = tab("Notes", subject())
    assert shown[0] == "▲ trace-event-invalid at trace[3]"
    assert shown[1].startswith("  an event must have one of the five types")


def test_a_reference_that_leads_nowhere_is_said_in_the_header():
    rows = header_rows(read_trace({"trace_ref": "../../etc/passwd"}, "."), 100)
    assert any("▲" in row_text(row) and "passwd" in row_text(row) for row in rows)


@pytest.mark.parametrize("width", [30, 60, 120])
def test_the_header_fits_its_width_and_marks_failures(width):
    rows = list(header_rows(subject().trace, width))
    assert all(cell_len(row_text(row)) <= width for row in rows)
    assert any(style == "error-bold" and text.startswith("✖ ") for row in rows for style, text in row)


def test_only_tabs_with_something_to_show_are_offered():
    assert tabs_of(subject()) == (EVENT, "Response", "Notes")
    assert tabs_of(subject({"text": "x"})) == ("Response",)
    assert tabs_of(subject({"trace": []}, {"golden_trajectories": [[call("a")]]})) == ("Response", GOLDEN)


def test_checks_say_hits_and_misses_in_words():
    wanted = {
        "type": "tool_trajectory",
        "name": "order",
        "mode": "in_order",
        "expected": [{"tool": "search"}, {"tool": "buy"}],
    }
    shown = tab("Checks", subject(data={"execution": {"evaluators": [wanted]}}))
    assert shown[:3] == [
        "✖ FAILED order  in_order 0.50",
        "  ✓ hit     search: found as call 1",
        "  ✖ missed  buy: not called",
    ]


def test_the_closest_golden_trajectory_comes_first_and_arguments_are_diffed():
    goldens = [[call("other"), call("else")], [call("search", query="y", num=3), call("buy")]]
    shown = subject(data={"golden_trajectories": goldens})
    first = tab(GOLDEN, shown, width=90)
    assert first[0].startswith("golden 2 of 2, the closest · distance 1.5")
    assert any(line.startswith("~ search(") and "│ search(" in line for line in first)
    assert any('query: "y"' in line and 'query: "[bold]x' in line for line in first)
    assert any("num: 3" in line and "num: none" in line for line in first)
    assert any(line.startswith("- buy(") and line.endswith("not called") for line in first)
    second = tab(GOLDEN, shown, golden=1)
    assert second[0].startswith("golden 1 of 2 · ")
    assert tab(GOLDEN, shown, golden=2) == tab(GOLDEN, shown)


def test_golden_trajectories_alone_are_timelines():
    shown = [row_text(row) for row in trajectories({"golden_trajectories": [[call("a", x=1)], [call("b")]]}, 60)]
    assert shown[0] == "trajectory 1 of 2"
    assert "→ call" in shown[1]
    assert "x: 1" in shown[1]
    assert shown[3] == "trajectory 2 of 2"


def test_long_values_and_thoughts_are_folded_until_asked_for_but_what_was_said_never_is():
    large = {"trace": [{**CALL, "output": [{"n": number} for number in range(20_000)]}]}
    assert any("folded, Z shows all" in line for line in tab(EVENT, subject(large)))
    assert len(tab(EVENT, subject(large), folded=False)) > 20_000
    text = {"trace": [{**CALL, "output": "line\n" * 20_000}]}
    folded = tab(EVENT, subject(text))
    assert len(folded) < 40 and "… 19,989 more lines; Z shows all" in folded
    assert len(tab(EVENT, subject(text), folded=False)) > 20_000
    assert len(tab(EVENT, subject(text), words="LINE")) > 20_000, "what is searched for is shown"
    metadata = {"trace": [{**CALL, "metadata": {str(at): at for at in range(50)}}]}
    assert "… 40 more lines; Z shows all" in tab(EVENT, subject(metadata))
    for role, least in (("thought", 12), ("assistant", 50)):
        said = {"trace": [{"type": "message", "text": "so\n" * 50, "metadata": {"role": role}}]}
        assert (len(tab(EVENT, subject(said))) > 50) is (least == 50)
