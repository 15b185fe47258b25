"""Values for property tests: well-formed events, and records of anything."""

from hypothesis import strategies as st

from sampleui.trace.events import EventType

# A fixed alphabet: the whole of Unicode takes seconds to set up.
texts = st.text('ab "\n\x1b☃\ud800', max_size=4)
scalars = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, width=16) | texts
plain = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
timestamps = st.datetimes().map(lambda moment: moment.isoformat()) | st.sampled_from(
    ["2026-01-01T00:00:00Z", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "soon"]
)

events = st.fixed_dictionaries(
    {"type": st.sampled_from(EventType)},
    optional={
        "id": st.sampled_from(["1", "2", 3]),
        "name": st.sampled_from("abc") | st.none(),
        "input": plain,
        "output": plain,
        "text": texts,
        "timestamp": timestamps,
        "duration_ms": st.integers(0, 9),
        "metadata": st.dictionaries(texts, plain, max_size=2),
        "is_error": st.booleans(),
    },
)

_KEYS = (
    "trace", "trace_ref", "traceRef", "output_messages", "outputMessages", "output", "predict_result", "usage",
    "text", "type", "role", "content", "tool_calls", "toolCalls", "function", "name", "arguments", "tool", "input",
    "id", "tool_call_id", "timestamp", "duration_ms", "events", "messages", "message", "token_usage", "event_count",
    "tool_calls_by_name", "metadata", "status", "error",
)  # fmt: skip
_values = scalars | timestamps | st.sampled_from([*EventType, "assistant", "tool", "{oops", 10**400, float("nan")])
_junk = st.recursive(
    _values,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=5),
    max_leaves=20,
)
junk_records = st.dictionaries(st.sampled_from(_KEYS), _junk, max_size=6)
