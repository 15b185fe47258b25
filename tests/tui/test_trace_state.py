"""What is shown of a trace: filters, search, steps."""

from __future__ import annotations

from sampleui.trace.events import EventType
from sampleui.trace.reading.extract import read_trace
from sampleui.tui.trace.trace_view import Filter, TraceState

RECORD = {
    "trace": [
        {"type": "message", "text": "look at the Log", "metadata": {"role": "user"}},
        {"type": "tool_call", "id": "1", "name": "read", "input": {"path": "log.txt"}},
        {"type": "tool_result", "id": "1", "output": "fine"},
        {"type": "tool_call", "id": "2", "name": "run", "input": {"cmd": "test"}},
        {"type": "error", "id": "2", "text": "exit 1"},
        {"type": "tool_call", "id": "3", "name": "read", "input": {"path": "other"}},
    ]
}


def state(record=RECORD) -> TraceState:
    return TraceState(read_trace(record, "."))


def pick(shown: TraceState, label: str) -> None:
    shown.narrow(next(one for name, one in shown.choices().items() if name.startswith(label)))


def numbers(shown: TraceState) -> list[int]:
    return [shown.row(place).number for place in range(len(shown.lines))]


def test_filters_are_offered_with_their_counts():
    assert list(state().choices()) == [
        "everything (6)",
        "failed (2)",
        "kind: tool_call (3)",
        "kind: tool_result (1)",
        "kind: message (1)",
        "kind: error (1)",
        "tool: read (2)",
        "tool: run (1)",
    ]


def test_a_filter_shows_a_kind_a_tool_or_failures():
    shown = state()
    shown.narrow(Filter(kind=EventType.TOOL_CALL))
    assert numbers(shown) == [2, 4, 6]
    shown.narrow(Filter(tool="read"))
    assert numbers(shown) == [2, 3, 6]
    shown.narrow(Filter(failed=True))
    assert numbers(shown) == [4, 5]
    assert str(shown.filter) == "failed"
    shown.narrow(Filter())
    assert numbers(shown) == [1, 2, 3, 4, 5, 6]


def test_the_search_looks_in_texts_and_inputs_whatever_their_case_and_goes_around():
    shown = state()
    shown.search("LOG")
    assert shown.found == (0, 1)
    steps = ((0, 1), (1, 1), (0, -1))
    assert [shown.next_in(shown.found, after, step) for after, step in steps] == [1, 0, 1]
    shown.narrow(Filter(kind=EventType.TOOL_CALL))
    assert [*shown.found] == [1]
    shown.search("")
    assert shown.next_in(shown.found, 0) is None


def test_steps_to_failures_and_calls():
    shown = state()
    assert shown.next_in(shown.failures, 0) == 3
    assert shown.next_in(shown.failures, 3) == 3
    assert [shown.next_in(shown.calls, 0), shown.next_in(shown.calls, 5)] == [1, 1]
    shown.narrow(Filter(kind=EventType.MESSAGE))
    assert shown.next_in(shown.failures, 0) is None
    assert state({}).calls == []


def test_of_a_call_that_failed_and_its_result_the_call_is_gone_to_and_what_says_failed_counts():
    events = [
        {"type": "tool_call", "id": 1, "name": "a"},
        {"type": "tool_result", "id": 1, "status": "Failed"},
        {"type": "tool_call", "id": 2, "name": "b"},
        {"type": "error"},
        {"type": "message", "metadata": {"status": "error"}},
    ]
    shown = state({"trace": events})
    assert [shown.next_in(shown.failures, after) for after in range(-1, 5)] == [0, 2, 2, 4, 4, 0]


def test_the_cursor_finds_its_event_after_a_filter():
    shown = state()
    shown.narrow(Filter(kind=EventType.TOOL_CALL))
    assert [shown.place(row) for row in (3, 2, 0)] == [1, 0, 0]


def test_a_kind_and_a_tool_and_a_failure_are_filtered_together():
    shown = state()
    pick(shown, "tool: read")
    assert numbers(shown) == [2, 3, 6]
    pick(shown, "kind: tool_call")
    assert numbers(shown) == [2, 6] and str(shown.filter) == "tool_call, read"
    pick(shown, "failed")
    assert numbers(shown) == []
    pick(shown, "everything")
    assert numbers(shown) == [1, 2, 3, 4, 5, 6]
