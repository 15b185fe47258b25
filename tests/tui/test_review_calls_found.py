"""Calls that are searched for in all records: which records are shown, and what is gone to in their traces."""

from __future__ import annotations

import pytest

from sampleui.review.results.file import open_results
from sampleui.trace.call_search import calls_with
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.timeline import timeline
from sampleui.workspace.record_search import filters_of, search_terms, unknown_in
from tests.command import ran
from tests.trace.test_nesting import call
from tests.trace.test_tree import research

from .review_driver import reviewing, write_results


class NoDecks:
    def sample(self, entry):
        return None

    def holding(self, words, entries):
        return frozenset()


TRACES = {
    "a": [call("search", input={"q": "flights"}, output="Paris, 3 hits"), call("book", error="full")],
    "b": [call("search", output="Rome"), call("book", output="Paris is booked")],
    "c": research(1),
    "d": [call("search", error="Paris is down")],
}


def a_run(tmp_path):
    rows = [
        {
            "test_id": name,
            "score": 0,
            "output": "x",
            "expected_output": "y",
            "trace": trace,
            "result": f"field {name}",
        }
        for name, trace in TRACES.items()
    ]
    return write_results(tmp_path / "r.jsonl", rows)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("call:search", "abcd"),
        ("call:search result:paris", "a"),
        ("call:search call-failed:", "cd"),
        ("call-failed:book", "a"),
        ("call-failed:", "acd"),
        ("-call-failed:", "b"),
        ("call:book -call-failed:book", "b"),
        ("arguments:flights", "a"),
        ("agent:researcher call-failed:search", "c"),
        ("agent:researcher call:book", ""),
        ("call:search id:d", "d"),
        ('result:"field b"', "b"),
        ("call:none", ""),
        ("-call:none", "abcd"),
        ("agent:none", "abd"),
    ],
)
def test_terms_that_ask_for_a_call_hold_for_one_and_the_same(tmp_path, words, found):
    results = open_results(a_run(tmp_path)).indexed()
    filters = filters_of(words, results, NoDecks())
    if words == "call:search id:d":
        assert filters.found == {0, 1, 2, 3}, "what the queue knows of a record is left to it"
        return
    assert "".join("abcd"[index] for index in sorted(filters.found)) == found
    assert unknown_in(filters.terms, results, NoDecks()) == ()


def test_a_report_narrows_its_records_by_calls(tmp_path):
    done = ran(
        "report", a_run(tmp_path), "--filter", "call:search result:paris", "--records", "all", folder=tmp_path
    )
    assert done.code == 0 and "\n  a " in done.out and "\n  b " not in done.out


def test_calls_are_found_in_sub_agents(tmp_path):
    rows = timeline(read_trace({"trace": research(1)}, ".").events)
    assert [rows[at].number for at in calls_with(rows, search_terms("call:search call-failed:"))] == [6]


async def test_records_with_such_a_call_are_the_queue_and_the_cursor_goes_to_it_in_each(tmp_path):
    async with reviewing(a_run(tmp_path), size=(120, 40)) as app:
        await app.press("/", *"call:search call-failed:", "enter")
        await app.until(lambda: len(app.screen.review.queue.visible) == 2)
        view = app.screen.trace_view
        await app.until(lambda: view.event is not None and view.event.number == 6)
        assert view.state.found and view.event.failed and view.event.agent == "researcher"
        await app.press("]")
        assert app.screen.review.item.entry.id == "d" and view.event.number == 1
