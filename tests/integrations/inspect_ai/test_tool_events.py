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


def call(name, span):
    return {**EVENT, "id": f"call-{name}", "function": name, "span_id": span}


def traced(events):
    return EventTranscript(SampleParts.of({"id": "s", "epoch": 1, "messages": [], "events": events})).trace()


def test_a_sub_agent_stands_in_the_call_that_began_it_also_where_that_was_a_handoff():
    told = traced(
        [
            *spans(("solvers", None, "solvers"), ("main", "solvers", "agent"), ("ask", "main", "tool")),
            call("ask", "main"),
            *spans(("sub", "ask", "agent"), ("more", "sub", "tool")),
            call("more", "sub"),
            *spans(("deep", "more", "agent"), ("pass", "main", "handoff"), ("give", "pass", "tool")),
            call("give", "main"),
            *spans(("other", "give", "agent")),
            *(call("ls", span) for span in ("main", "sub", "deep", "other")),
        ]
    )
    assert [(event["id"], event.get("parent"), event.get("agent")) for event in told] == [
        ("call-ask", None, None),
        ("call-more", "call-ask", "sub"),
        ("call-give", None, None),
        ("call-ls", None, None),
        ("call-ls", "call-ask", "sub"),
        ("call-ls", "call-more", "deep"),
        ("call-ls", "call-give", "other"),
    ]


def test_an_agent_that_no_call_began_has_an_event_of_its_own_also_beside_others():
    told = traced(
        [
            *spans(
                ("solver", None, "solver"), ("a", "solver", "agent"), ("b", "solver", "agent"), ("in", "a", "agent")
            ),
            *(call("ls", span) for span in ("b", "in", "a", "solver")),
        ]
    )
    assert [(event.get("span"), event["id"], event.get("parent"), event.get("agent")) for event in told] == [
        ("agent", "a", None, None),
        ("agent", "b", None, None),
        ("agent", "in", "a", "a"),
        (None, "call-ls", "b", "b"),
        (None, "call-ls", "in", "in"),
        (None, "call-ls", "a", "a"),
        (None, "call-ls", None, None),
    ]


def test_the_only_outermost_agent_is_the_run_itself():
    told = traced([*spans(("solver", None, "solver"), ("main", "solver", "agent")), call("ls", "main")])
    assert [(event["type"], event.get("parent"), event.get("agent")) for event in told] == [
        ("tool_call", None, None)
    ]
