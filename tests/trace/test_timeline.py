import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.text.wording import shown_ms
from sampleui.trace.events import parse_event
from sampleui.trace.preview import preview, shown_size, size_of
from sampleui.trace.timeline import (
    calls_of,
    matches,
    next_of,
    pairs,
    search_index,
    timeline,
)
from tests.quick import within
from tests.trace.strategies import events as some_events
from tests.trace.strategies import plain


def parsed(*entries):
    return tuple(parse_event(entry) for entry in entries)


def call(name=None, **more):
    return {"type": "tool_call", **({"name": name} if name else {}), **more}


def result(name=None, **more):
    return {"type": "tool_result", **({"name": name} if name else {}), **more}


def test_parallel_calls_find_their_results_by_id():
    events = parsed(call("a", id=1), call("a", id=2), result(id=2, output="two"), result(id=1, output="one"))
    rows = timeline(events)
    assert [(row.number, row.depth, row.output) for row in rows] == [
        (1, 0, "one"), (4, 1, "one"), (2, 0, "two"), (3, 1, "two")
    ]  # fmt: skip
    assert [row.tool for row in rows] == ["a"] * 4


def test_without_ids_the_name_and_then_the_order_decide():
    assert pairs(parsed(call("a"), call("b"), call("a"), result("b"), result("a"), result("a"))) == {
        1: 3,
        0: 4,
        2: 5,
    }
    assert pairs(parsed(call("a"), call("b"), result(), result())) == {0: 2, 1: 3}


def test_what_never_pairs():
    assert pairs(parsed(result("a"), call("a"))) == {}, "a result before its call"
    assert pairs(parsed(call("a", id=1), result("a", id=2))) == {}, "ids that differ"
    assert pairs(parsed(call("a", output=1), result("a"))) == {}, "a call that has its output"
    assert pairs(parsed(call("a"), {"type": "error", "name": "b"})) == {}, "an error of something else"
    assert pairs(parsed(call("a"), {"type": "message"}, {"type": "error"})) == {}, "an error that comes later"


def test_an_id_that_comes_again_pairs_again():
    assert pairs(parsed(call("a", id=1), result(id=1), call("b", id=1), result(id=1))) == {0: 1, 2: 3}


def test_a_result_with_an_id_may_answer_a_call_that_has_none():
    assert pairs(parsed(call("a"), result("a", id="x"))) == {0: 1}


def test_an_error_with_the_id_of_a_call_is_its_result():
    first, second = timeline(parsed(call("pay", id=1, input=5), {"type": "error", "id": 1, "text": "refused"}))
    assert first.failed and first.output == "refused"
    assert (second.depth, second.line()) == (1, "refused")


def test_an_error_without_an_id_answers_the_call_before_it_if_nothing_else_does():
    assert pairs(parsed(call("a"), {"type": "error"})) == {0: 1}
    assert pairs(parsed(call("a"), {"type": "error", "name": "a"}, result("a"))) == {0: 2}


@pytest.mark.parametrize(
    ("event", "fails"),
    [
        ({"type": "error"}, True),
        (result(is_error=True), True),
        (result(isError=True), True),
        (result(error="no"), True),
        (result(error=None, status="ok"), False),
        (result(status="FAILED"), True),
        (result(metadata={"status": "timeout"}), True),
        (result(output={"error": {"code": 5}}), True),
        (result(output={"isError": True, "content": []}), True),
        (result(output={"error": None, "status": "failed"}), False),
        (result(output="error"), False),
        ({"type": "message", "text": "an error"}, False),
    ],
)
def test_what_says_of_itself_that_it_failed(event, fails):
    assert timeline(parsed(event))[0].failed is fails


def test_times_come_from_the_source_or_not_at_all():
    at = "2026-01-01T00:00:0{}Z".format
    rows = timeline(
        parsed(
            {"type": "message"},
            call("a", id=1, timestamp=at(1)),
            result(id=1, timestamp=at(3)),
            call("b", id=2, timestamp=at(4)),
            result(id=2, duration_ms=70),
            call("c", duration_ms=9),
        )
    )
    assert [row.offset_ms for row in rows] == [None, 0, 2000, 3000, None, None]
    assert [row.duration_ms for row in rows] == [None, 2000, None, 70, 70, 9]


def test_search_looks_through_inputs_outputs_and_texts():
    rows = timeline(
        parsed(
            call("fetch", input={"Url": "HTTPS://x", "n": 1}),
            result(output=["Straße"]),
            {"type": "message", "text": "over"},
            {"type": "tool_call", "error": "Refused"},
        )
    )
    index = search_index(rows)
    found = {
        needle: matches(index, needle)
        for needle in ("fetch", '"url": "https', "STRASSE", "OVER", "refused", "zz", "")
    }
    assert found == {
        "fetch": (0,),
        '"url": "https': (0,),
        "STRASSE": (1,),
        "OVER": (2,),
        "refused": (3,),
        "zz": (),
        "": (),
    }


def test_steps_go_around():
    assert [next_of((2, 5), after) for after in (1, 2, 5)] == [2, 5, 2]
    assert [next_of((2, 5), after, -1) for after in (1, 5)] == [5, 2]
    assert next_of((), 3) is None


@given(st.lists(some_events, max_size=12))
def test_every_event_has_one_row_and_order_is_kept(entries):
    rows = timeline(parsed(*entries))
    assert Counter(row.number for row in rows) == Counter(range(1, len(entries) + 1))
    outer = [row.number for row in rows if row.depth == 0]
    assert outer == sorted(outer)
    for row, below in pairwise(rows):
        assert below.depth == 0 or (row.depth == 0 and row.result is below.event and below.number > row.number)
    assert [row.event for row in calls_of(parsed(*entries))] == [
        event for event in parsed(*entries) if event.type == "tool_call"
    ]


@given(plain, st.integers(1, 40))
def test_a_preview_is_one_safe_line_of_the_wanted_length(value, limit):
    line = preview(value, limit)
    assert len(line) <= max(limit, 1) or "⟨" in line
    assert line.isprintable()


def test_a_preview_of_megabytes_is_cheap():
    huge = {"a": "x" * 5_000_000, "b": [list(range(1000))] * 1000, "c": {"d": "y" * 5_000_000}}
    with within(0.5):
        for _ in range(100):
            assert preview(huge, 40).startswith('a: "xxx')
            preview(list(huge.values()), 40)


def test_a_preview_shows_pairs_and_says_that_there_is_more():
    assert preview({"a": [1, None, {"b": "x"}], "c": True}) == 'a: [1, null, {b: "x"}], c: true'
    assert preview({"query": "lightweight laptop", "num": 5}, 28).endswith("…")


def test_sizes_and_durations_are_readable():
    assert [shown_size(size) for size in (None, 0, 999, 1000, 999_949, 999_950, 5_000_000)] == [
        "-", "0", "999", "1.0k", "999.9k", "1.0M", "5.0M"
    ]  # fmt: skip
    assert [shown_ms(ms) for ms in (None, 0.4, 999, 999.6, 59_990, 59_996, 185_000, -90_000)] == [
        "-", "0ms", "999ms", "1.00s", "59.99s", "1m00s", "3m05s", "-1m30s"
    ]  # fmt: skip
    assert size_of({"a": 1}) == len(json.dumps({"a": 1}))


def test_a_hundred_thousand_events_are_laid_out_in_time():
    entries = [call("a", id=n, timestamp="2026-01-01T00:00:00Z") for n in range(50_000)]
    events = parsed(*entries, *(result(id=n) for n in range(50_000)))
    with within(0.5):
        rows = timeline(events)
    assert sum(row.depth for row in rows) == 50_000


def test_data_as_deep_as_json_can_be_read_is_shown():
    deep = json.loads("[" * 900 + "]" * 900)

    def from_far_down(frames):
        if frames:
            return from_far_down(frames - 1)
        rows = timeline(parsed(call("a", input=deep, output=deep)))
        return search_index(rows), rows[0].size, rows[0].line(40)

    index, size, line = from_far_down(300)
    assert index and size and line.startswith("[[[")


def test_a_preview_that_leaves_something_out_says_so():
    assert preview({"a": "x" + " " * 90 + "y", "b": 1}, 40) == 'a: "x "…'
    assert preview([" " * 500, "there is more"], 40).endswith("…")
    assert preview({"a": 1}, 40) == "a: 1"
