"""A tool's event without a model's keeps its failure and its time, whether a message has the call or not."""

from __future__ import annotations

from sampleui.integrations.inspect_ai.events import EventTranscript
from sampleui.integrations.inspect_ai.parts import SampleParts

EVENT = {
    "event": "tool",
    "id": "c1",
    "function": "bash",
    "arguments": {"cmd": "ls"},
    "result": "",
    "error": {"type": "timeout", "message": "timed out"},
    "timestamp": "2026-01-01T00:00:00+00:00",
    "working_time": 1.5,
}
ASKED = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c1", "function": "bash", "arguments": {"cmd": "ls"}}],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "function": "bash", "content": "nothing"}


def calls(messages):
    sample = {"id": "s", "epoch": 1, "messages": messages, "events": [EVENT]}
    told = EventTranscript(SampleParts.of(sample)).trace()
    return [event for event in told if event["type"] == "tool_call"]


def test_a_call_that_a_message_has_keeps_the_failure_and_the_time_of_its_event():
    (call,) = calls([{"role": "user", "content": "q"}, ASKED, RESULT])
    assert (call["error"], call["timestamp"]) == ("timed out", EVENT["timestamp"])
    assert call["duration_ms"] == 1500


def test_a_call_that_no_message_has_is_told_all_the_same():
    (call,) = calls([{"role": "user", "content": "q"}])
    assert (call["name"], call["error"], call["duration_ms"]) == ("bash", "timed out", 1500)


def spans(*begun):
    return [
        {"event": "span_begin", "id": name, "parent_id": parent, "type": kind, "name": name}
        for name, parent, kind in begun
    ]


def test_a_call_in_a_sub_agent_says_in_whose_and_how_deep():
    events = [
        *spans(("solvers", None, "solvers"), ("main", "solvers", "agent"), ("hand", "main", "tool")),
        *spans(
            ("sub", "hand", "agent"), ("ask", "sub", "tool"), ("deep", "ask", "agent"), ("ran", "main", "agent")
        ),
        *({**EVENT, "id": span, "span_id": span} for span in ("solvers", "main", "hand", "sub", "deep", "ran")),
    ]
    told = EventTranscript(SampleParts.of({"id": "s", "epoch": 1, "messages": [], "events": events})).trace()
    assert [(event["id"], event.get("depth"), event.get("agent")) for event in told] == [
        ("solvers", None, None),
        ("main", None, None),
        ("hand", None, None),
        ("sub", 1, "sub"),
        ("deep", 2, "deep"),
        ("ran", 1, "ran"),
    ]
