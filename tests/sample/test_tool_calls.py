"""Calls and their results, told apart from those without a partner."""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.tool_calls import unanswered, unpaired

from ..quick import within


def calling(*ids: str) -> Table:
    return {"role": "assistant", "tool_calls": [{"id": name, "function": {"name": "f"}} for name in ids]}


def result(name: str) -> Table:
    return {"role": "tool", "tool_call_id": name}


def test_who_calls_by_an_id_again_waits_no_longer_for_what_was_called_with_it() -> None:
    messages = [calling("a", "b"), result("a"), calling("a"), result("b"), result("x"), calling("z")]
    assert [(item.turn, item.id) for item in unpaired(messages)] == [(0, "b"), (2, "a"), (4, "x")]


def test_thousands_of_calls_are_looked_through_once() -> None:
    messages = [message for number in range(3000) for message in (calling(f"c{number}"), result(f"c{number}"))]
    with within(0.5):
        assert not unpaired(messages)


def test_a_call_that_has_its_output_waits_for_no_result() -> None:
    called: Table = {"role": "assistant", "tool_calls": [{"id": "a", "tool": "look", "input": {}, "output": None}]}
    assert not unpaired([called, {"role": "assistant", "content": "Done."}])
    assert not unanswered([called], 1)
