"""Calls and their results, told apart from those without a partner."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Table
from sampleui.sample.tool_calls import kept_together, moved_turns, unanswered, unpaired

from ..quick import within


def calling(*ids: str) -> Table:
    return {"role": "assistant", "tool_calls": [{"id": name, "function": {"name": "f"}} for name in ids]}


def result(name: str) -> Table:
    return {"role": "tool", "tool_call_id": name}


def test_who_calls_by_an_id_again_waits_no_longer_for_what_was_called_with_it() -> None:
    messages = [calling("a", "b"), result("a"), calling("a"), result("b"), result("x"), calling("z")]
    assert [(item.turn, item.id) for item in unpaired(messages)] == [(0, "b"), (2, "a"), (4, "x")]


@pytest.mark.parametrize(
    ("chosen", "by", "order"),
    [
        ([0], 1, "abcUx"),
        ([4], -1, "Uxabc"),
        ([1], 1, "Uxabc"),
        ([2], 1, "Uacbx"),
        ([3], -1, "Uacbx"),
        ([2], -1, "abcUx"),
        ([3], 1, "Uxabc"),
        ([0, 2], 1, "xUabc"),
        ([4], 1, None),
        ([1, 0], -1, None),
    ],
)
def test_turns_move_past_calls_with_all_their_results(chosen: list[int], by: int, order: str | None) -> None:
    other: Table = {"role": "user", "content": "x"}
    messages = [other, calling("b", "c"), result("b"), result("c"), other]
    places = moved_turns(messages, chosen, by)
    assert (None if places is None else "".join("Uabcx"[place] for place in places)) == order


def test_a_call_has_one_result_which_comes_at_once() -> None:
    other: Table = {"role": "user", "content": "x"}
    apart = [calling("a"), calling("b"), result("b"), other, result("a"), other]
    assert [(item.turn, item.caller) for item in unpaired(apart)] == [(4, 0)]
    assert not unpaired([calling("a"), calling("b"), result("a"), result("b"), other])
    assert [
        item.turn for item in unpaired([calling("a"), result("a"), result("a"), calling("a"), result("a")])
    ] == [2]


def test_thousands_of_calls_are_looked_through_once() -> None:
    messages = [message for number in range(3000) for message in (calling(f"c{number}"), result(f"c{number}"))]
    with within(0.5):
        assert not unpaired(messages)
        assert len(kept_together(messages)) == 3000


def test_a_call_that_has_its_output_waits_for_no_result() -> None:
    called: Table = {"role": "assistant", "tool_calls": [{"id": "a", "tool": "look", "input": {}, "output": None}]}
    assert not unpaired([called, {"role": "assistant", "content": "Done."}])
    assert not unanswered([called], 1)
