"""What is read, counted and shown of single events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.tokens import Tokens
from sampleui.text.wording import shown_ms
from sampleui.trace.argument_comparison import differences, equal_in_json, holds
from sampleui.trace.events import TraceEvent, failed, parse_event
from sampleui.trace.preview import preview
from sampleui.trace.reading.extract import read_trace, untold
from sampleui.trace.reading.messages import events_of, is_text, parse_messages, text_of
from sampleui.trace.reading.response import as_record, record_of, record_of_line
from sampleui.trace.report import summary_lines, text_lines
from sampleui.trace.summary import Summary, reported_summary, span_ms, summarize
from sampleui.trace.timeline import timeline
from tests.inside import inside
from tests.trace.checks import checks_of, judged

AT = "2026-01-01T00:00:0{}Z".format


def parsed(*entries: Any) -> tuple[TraceEvent, ...]:
    found = tuple(parse_event(entry) for entry in entries)
    assert None not in found
    return tuple(event for event in found if event is not None)


def said(*messages: Any) -> tuple[list[TraceEvent], list[str]]:
    notes: list[object] = []
    found = [*events_of(parse_messages(messages, (), notes))]  # type: ignore[arg-type]
    return found, [f"{note.rule} {note.node}" for note in notes]  # type: ignore[attr-defined]


# Summaries


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"input": 5}, Tokens(5)),
        ({"output_tokens": 7}, Tokens(None, 7)),
        ({"total": 9}, Tokens(None, None, 9)),
        ({"input": 0}, Tokens(0)),
        ({"input": 5, "output": 0}, Tokens(5, 0, 5)),
        ({"prompt": 0, "completion": 0, "total": 0}, None),
        ({"prompt": 0, "completion": 0, "total": 17}, Tokens(None, None, 17)),
        ({"input": "many"}, None),
        ({}, None),
    ],
)
def test_tokens_that_are_not_told_are_none(usage: Table, tokens: Tokens | None) -> None:
    assert summarize((), [{"usage": usage}]).tokens == tokens


def test_tokens_of_events_are_added_and_come_before_those_of_the_record() -> None:
    events = parsed(*({"type": "model_step", "token_usage": {"input": 1, "output": 2}} for _ in range(2)))
    assert summarize(events, [{"usage": {"input": 50}}]).tokens == Tokens(2, 4, 6)


def test_a_total_that_is_not_the_sum_is_told() -> None:
    assert Tokens(1, 2, 3).to_data() == {"input": 1, "output": 2}
    assert Tokens(1, 2, 4).to_data() == {"input": 1, "output": 2, "total": 4}


def test_counts_that_nobody_gave_are_absent_from_data_and_from_sums() -> None:
    assert [Tokens(5).to_data(), Tokens(None, 7).to_data(), Tokens(None, None, 9).to_data()] == [
        {"input": 5}, {"output": 7}, {"total": 9},
    ]  # fmt: skip
    events = parsed(
        *({"type": "model_step", "usage": usage} for usage in ({"total": 9}, {"input": 1, "output": 2}))
    )
    assert summarize(events).tokens == Tokens(1, 2, 12)
    events = parsed(*({"type": "model_step", "usage": usage} for usage in ({"input": 4}, {"input": 1})))
    assert summarize(events).tokens == Tokens(5)


@pytest.mark.parametrize(
    ("entries", "took"),
    [
        ([], None),
        ([{"timestamp": AT(1), "duration_ms": 5}], None),
        ([{"timestamp": AT(1)}, {"timestamp": AT(3)}], 2000),
        ([{"timestamp": AT(1), "duration_ms": 9000}, {}, {"timestamp": AT(3), "duration_ms": 5}], 9000),
        ([{"timestamp": AT(1)}, {"timestamp": AT(3)}, {}], None),
        ([{}, {"timestamp": AT(1)}, {"timestamp": AT(3)}], None),
        ([{"timestamp": "2026-01-01T00:00:01"}, {"timestamp": AT(3)}], 2000),
        ([{"timestamp": "soon"}, {"timestamp": AT(3)}], None),
    ],
)
def test_how_long_a_trace_took(entries: list[Table], took: float | None) -> None:
    assert span_ms(parsed(*({"type": "message", **entry} for entry in entries))) == took


@pytest.mark.parametrize(
    ("entries", "count"),
    [
        ([("tool_call", 1, True), ("tool_result", 1, True)], 1),
        ([("tool_call", 1, False), ("tool_result", 1, True)], 1),
        ([("tool_call", None, True), ("tool_result", None, True)], 2),
        ([("tool_call", 1, True), ("tool_result", 2, True)], 2),
        ([("tool_call", 1, False), ("tool_result", 1, False)], 0),
        ([("message", None, True)], 0),
    ],
)
def test_a_call_and_its_result_fail_once(entries: list[tuple[str, int | None, bool]], count: int) -> None:
    events = parsed(*({"type": kind, "id": one, "is_error": fails} for kind, one, fails in entries))
    assert summarize(events).failed_calls == count


def test_what_a_run_reports_counts_events_and_may_leave_out_the_rest() -> None:
    found = reported_summary({"event_count": 0, "tool_calls_by_name": {"b": 2, "a": "x"}})
    assert found is not None
    assert (found.event_count, found.error_count, dict(found.tool_calls_by_name)) == (0, 0, {"b": 2})
    assert reported_summary({"tool_calls_by_name": {"b": 2}}) is None


@pytest.mark.parametrize(
    ("cost", "shown"),
    [(0, "$0.00"), (1.25, "$1.25"), (0.0123, "$0.0123"), (0.001, "$0.001"), (4e-7, "$0.0000004"), (150, "$150.00")],
)
def test_a_cost_is_shown_with_four_figures_at_least(cost: float, shown: str) -> None:
    assert shown in next(summary_lines(read_trace({"trace": [], "cost_usd": cost}, Path()))).split(", ")


# Events


def test_when_an_event_began_is_a_text() -> None:
    for value, began in (("x", "x"), ("", None), (5, None)):
        (event,) = parsed({"type": "message", "start_time": value})
        assert event.timestamp == began


def test_what_an_event_says_of_the_wrong_type_is_left_beside_it() -> None:
    (event,) = parsed({"type": "tool_call", "id": True, "name": 5, "duration_ms": "long", "timestamp": AT(1)})
    assert (event.id, event.name, event.duration_ms, event.timestamp) == (None, None, None, AT(1))
    assert event.extra == {"id": True, "name": 5, "duration_ms": "long"}


def test_a_status_of_the_output_is_that_of_what_was_asked_about() -> None:
    (event,) = parsed({"type": "tool_result", "output": {"status": "failed"}})
    assert not failed(event)


def test_the_output_of_a_call_is_its_own_or_else_what_its_result_returned_or_said() -> None:
    call: Table = {"type": "tool_call", "name": "a"}
    for result, output in (
        ({"output": 1, "text": "one"}, 1),
        ({"text": "one"}, "one"),
        ({"output": None}, None),
    ):
        rows = timeline(parsed(call, {"type": "tool_result", "name": "a", **result}))
        assert rows[0].output == output
    assert timeline(parsed({**call, "output": 2}))[0].output == 2


def test_the_size_of_an_event_is_that_of_what_came_back_or_was_said() -> None:
    rows = timeline(
        parsed({"type": "message", "text": "four"}, {"type": "tool_call", "output": [1]}, {"type": "error"})
    )
    assert [row.size for row in rows] == [4, 3, None]


def test_a_line_of_an_event_has_two_hundred_characters_at_most() -> None:
    (row,) = timeline(parsed({"type": "message", "text": "x" * 300}))
    assert len(row.line()) == 200
    assert len(row.line(20)) == 20


def test_a_call_whose_result_is_of_the_same_moment_took_no_time() -> None:
    def took(start: str, end: str, **more: Plain) -> float | None:
        call: Table = {"type": "tool_call", "id": 1, "timestamp": start}
        return timeline(parsed(call, {"type": "tool_result", "id": 1, "timestamp": end, **more}))[0].duration_ms

    assert took(AT(1), AT(1)) == 0
    assert took(AT(2), AT(1)) is None
    assert took(AT(1), AT(2), duration_ms=5) == 5


def test_what_fits_a_line_exactly_is_not_cut() -> None:
    assert preview({"a": 1}, 4) == "a: 1"
    assert preview({"a": "xy"}, 7) == 'a: "xy"'
    assert preview(["xyz"], 5) == '["xy…'
    assert len(preview("x" * 300)) == 200


def test_durations_at_the_turn_of_their_units() -> None:
    assert [shown_ms(ms) for ms in (999.4, 999.5, 59_994, 59_995, 1_800_000)] == [
        "999ms", "1.00s", "59.99s", "1m00s", "30m00s",
    ]  # fmt: skip


def test_a_trace_is_shown_in_a_hundred_and_twenty_columns() -> None:
    trace = read_trace({"trace": [{"type": "message", "text": "x" * 300}]}, Path())
    assert [*text_lines(trace, "t")] == [*text_lines(trace, "t", 120)]


def test_what_has_no_events_amounts_to_nothing() -> None:
    assert summarize(()) == Summary()


# Messages


def test_a_call_is_as_long_as_it_says_or_as_its_times_are_apart() -> None:
    def took(**call: Plain) -> float | None:
        (found,), _ = said({"role": "assistant", "tool_calls": [{"tool": "a", **call}]})
        return found.duration_ms

    assert took(start_time=AT(1), end_time=AT(3)) == 2000
    assert took(start_time=AT(1), end_time=AT(3), duration_ms=5) == 5
    assert took(start_time=AT(3), end_time=AT(1)) == 0
    assert took(start_time=AT(1)) is None
    assert took(end_time=AT(1)) is None


def test_a_message_that_only_took_time_or_tokens_is_a_model_step() -> None:
    for more in ({"duration_ms": 0}, {"token_usage": {"input": 1}}):
        (found,), _ = said({"role": "assistant", **more})
        assert found.type == "model_step"
    assert said({"role": "assistant"})[0] == []


def test_a_result_is_of_the_tool_whose_call_it_answers() -> None:
    call: Table = {"role": "assistant", "tool_calls": [{"tool": "a", "id": "1"}, {"tool": "b"}]}
    found, _ = said(call, {"role": "tool", "tool_call_id": "1", "content": "x"}, {"role": "tool", "name": "n"})
    assert [one.name for one in found] == ["a", "b", "a", "n"]


@pytest.mark.parametrize(
    ("arguments", "read", "notes"),
    [
        ('{"q": 1}', {"q": 1}, []),
        ({"q": 1}, {"q": 1}, []),
        (" ", " ", []),
        ("q", "q", ["tool-arguments-not-json (0, 'tool_calls', 0, 'function', 'arguments')"]),
    ],
)
def test_arguments_are_json_where_they_are_a_text(arguments: Plain, read: Plain, notes: list[str]) -> None:
    call: Table = {"id": "1", "function": {"name": "a", "arguments": arguments}}
    (found,), told = said({"role": "assistant", "tool_calls": [call]})
    assert (found.input, told) == (read, notes)


def test_arguments_beside_the_name_are_told_of_there() -> None:
    (found,), told = said({"role": "assistant", "tool_calls": [{"name": "a", "arguments": "q"}]})
    assert (found.input, told) == ("q", ["tool-arguments-not-json (0, 'tool_calls', 0, 'arguments')"])


def test_calls_that_are_no_list_are_told_of() -> None:
    assert said({"role": "assistant", "tool_calls": {}})[1] == ["tool-call-invalid (0, 'tool_calls')"]
    assert said({"role": "assistant", "tool_calls": None})[1] == []


def test_texts_of_a_content() -> None:
    assert text_of("") is None
    assert text_of(["a", {"type": "text", "value": "b"}, {"type": "file", "value": "c"}, {"text": ""}]) == "a\nb"
    assert text_of({"text": "a"}) is None
    assert is_text(["a", {"text": "b"}])
    assert not is_text(["a", 5])
    assert is_text(None)
    assert not is_text({"text": "a"})


@pytest.mark.parametrize(
    ("data", "record"),
    [
        ([{"type": "message"}, 5], {"trace": [{"type": "message"}, 5]}),
        ([{"role": "user"}, 5], {"output_messages": [{"role": "user"}, 5]}),
        ([5], None),
        ({"output": [{"role": "user"}]}, {"output": [{"role": "user"}]}),
        ({"output": "x"}, None),
        ({"traceRef": "x"}, {"trace_ref": "x"}),
        ({"events": []}, {"events": [], "trace": []}),
        ({"messages": [], "events": "x"}, {"messages": [], "events": "x", "output_messages": []}),
        ("x", None),
    ],
)
def test_what_a_whole_file_amounts_to(data: Plain, record: Table | None) -> None:
    assert as_record(data) == record


def test_an_answer_alone_does_not_tell_what_was_done() -> None:
    answer: Plain = [{"role": "assistant", "content": "x"}]
    assert untold(read_trace({"output": answer}, Path()))
    assert not untold(read_trace({"output_messages": answer}, Path()))
    assert not untold(read_trace({"output": [{"role": "assistant", "tool_calls": [{"tool": "a"}]}]}, Path()))
    assert not untold(read_trace({"trace": []}, Path()))
    assert untold(read_trace({}, Path()))


# Transcripts


def test_a_transcript_of_one_line_is_one() -> None:
    line: Table = {"test_id": "a", "target": "m", "message_index": 0, "role": "user", "content": "hi"}
    either: list[Plain] = [line, [line]]
    for data in either:
        found = record_of(data)
        assert found is not None
        assert (found["id"], found["output_messages"]) == ("a", [{"role": "user", "content": "hi"}])
    assert record_of([]) is None
    assert record_of([{"message_index": 0}]) is None
    assert (
        record_of_line(line)
        == record_of_line({**line, "message_index": 1})
        != record_of_line({**line, "target": "n"})
    )
    assert record_of_line({"id": "a", "trace": []}) is None


def span(kind: str | None, start: int | None, end: int | None, **more: Plain) -> Table:
    told = {
        key: value for key, value in more.items() if key not in ("status", "events", "span_id", "parent_span_id")
    }
    named: Table = {"openinference.span.kind": kind} if kind in ("LLM", "TOOL") else {"gen_ai.operation.name": kind}
    return {
        "span_id": more.get("span_id", "s"),
        "parent_span_id": more.get("parent_span_id", "r"),
        "status": more.get("status"),
        "events": more.get("events"),
        "start_time_unix_nano": start,
        "end_time_unix_nano": end,
        "attributes": {**named, **{key.replace("__", "."): value for key, value in told.items()}},
    }


def of_spans(*spans: Table) -> list[Table]:
    found = record_of({"spans": [*spans]})
    assert found is not None
    return found["output_messages"]  # type: ignore[return-value]


def test_spans_of_a_chat_and_of_its_tools_are_a_message() -> None:
    (message,) = of_spans(
        span("TOOL", 3_000_000, 3_000_000, agentv__message__index=0, tool__name="b", status={"code": 2}),
        span("TOOL", 2_000_000, 1_000_000, agentv__message__index=0, tool__name="a", output__value="x"),
        span("LLM", 1_000_000, 4_000_000, agentv__message__index=0, output__value="hi", llm__token_count__prompt=5),
        {"span_id": "r", "parent_span_id": None, "attributes": {}},
    )
    assert (message["content"], message["duration_ms"]) == ("hi", 3.0)
    assert message["token_usage"] == {"input": 5}
    assert [
        (call["tool"], call.get("output"), call.get("duration_ms"), call.get("status"))
        for call in inside(message, "tool_calls")
    ] == [("a", "x", None, None), ("b", None, 0.0, "error")]


def test_tools_without_a_chat_are_a_message_of_their_own() -> None:
    chat, left = of_spans(
        span("chat", 1_000_000, None, span_id="c", gen_ai__output__messages="hi"),
        span("execute_tool", None, None, span_id="t", gen_ai__tool__name="a"),
    )
    assert (chat["content"], "duration_ms" in chat, "token_usage" in chat) == ("hi", False, False)
    assert left["tool_calls"] == [{"tool": "a"}]


def test_why_the_span_of_a_tool_failed() -> None:
    raised: Plain = [
        {"name": "exception", "attributes": {"exception.message": "gone", "exception.type": "KeyError"}}
    ]
    found = of_spans(
        span("execute_tool", 1, 2, status={"code": "ERROR", "message": "no file"}, events=raised),
        span("execute_tool", 1, 2, status={"code": 2}, events=raised),
        span("execute_tool", 1, 2, status={"code": 2}, error__type="timeout"),
        span("execute_tool", 1, 2, status={"code": 1, "message": "fine"}),
    )
    calls = [call for message in found for call in inside(message, "tool_calls")]
    assert [call.get("error") for call in calls] == ["no file", "gone", "timeout", None]


def test_a_moment_that_is_none_is_left_out() -> None:
    (chat,) = of_spans(span("chat", 0, "x", gen_ai__usage__output_tokens=2))  # type: ignore[arg-type]
    assert "start_time" not in chat
    assert chat["token_usage"] == {"output": 2}


def test_thoughts_of_a_turn_are_no_part_of_what_it_says() -> None:
    blocks: Plain = [
        {"type": "thinking", "text": "a"},
        {"type": "text", "text": "b"},
        {"type": "thinking", "text": "c"},
    ]
    found = record_of({"turns": [{"role": "assistant", "content": blocks, "input_tokens": 1}]})
    assert found is not None
    (turn,) = inside(found, "output_messages")
    assert turn == {
        "role": "assistant", "content": [{"type": "text", "text": "b"}], "metadata": {"thinking": "a\n\nc"},
        "token_usage": {"input": 1},
    }  # fmt: skip


# Checks


def test_values_are_held_in_part_and_equal_as_json() -> None:
    assert holds([1], [1])
    assert not holds([1], [1, 2])
    assert not holds({"a": 1}, [1])
    assert equal_in_json([1, {"a": 1.0}], [1.0, {"a": 1}])
    assert not equal_in_json([1], [1, 2])
    assert not equal_in_json({"a": 1}, {"b": 1})
    assert not equal_in_json(1, True)
    assert not equal_in_json([], {})
    found = [str(one) for one in differences({"a": [1, 2], "c": 3}, {"b": 1, "a": [1]})]
    assert found == ["b missing, 1 expected", "a[1] = 2, not expected", "c = 3, not expected"]


def missed(count: int) -> str:
    wanted: Table = {"tool": "a", "args": {f"k{at}": at for at in range(count)}}
    (check,) = checks_of({"assert": [{"type": "tool-trajectory", "mode": "exact", "expected": [wanted]}]}, {})
    return judged(check, parsed({"type": "tool_call", "name": "a", "input": {}})).misses[0]


def test_of_many_differences_the_first_three_are_told() -> None:
    assert missed(3) == "call 1: a: k0 missing, 0 expected; k1 missing, 1 expected; k2 missing, 2 expected"
    assert missed(5).endswith("k2 missing, 2 expected; 2 more")


def test_a_name_with_the_signs_of_a_pattern_is_that_name_too() -> None:
    used: Table = {"mode": "any_order", "minimums": {"read[1]": 1}}
    (check,) = checks_of({"assert": [{"type": "tool-trajectory", **used}]}, {})
    assert judged(check, parsed({"type": "tool_call", "name": "read[1]"})).passed
    assert not judged(check, parsed({"type": "tool_call"})).passed
