"""Merging two messages: both texts, every key of both, or a refusal that says which key stands against it."""

from __future__ import annotations

import pytest

from sampleui.errors import EditRefusedError
from sampleui.integrations.gage.dialect import GAGE
from sampleui.sample.dialects.segments import merged
from sampleui.sample.dialects.shipped import DIALECTS

CALL = {"id": "1", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("one", "other", "whole"),
    [
        ({"content": "a"}, {"content": "b"}, {"content": "a\n\nb"}),
        ({"content": ""}, {"content": "b"}, {"content": "b"}),
        ({"content": "a", "tool_calls": [CALL]}, {"content": "b"}, {"content": "a\n\nb", "tool_calls": [CALL]}),
        ({"content": "a"}, {"tool_calls": [CALL]}, {"content": "a", "tool_calls": [CALL]}),
        ({"tool_calls": [CALL]}, {"content": "b"}, {"tool_calls": [CALL], "content": "b"}),
        ({"tool_calls": [CALL]}, {"tool_calls": [CALL]}, {"tool_calls": [CALL, CALL]}),
        ({"content": "a", "name": "x"}, {"content": "b", "name": "x"}, {"content": "a\n\nb", "name": "x"}),
        ({"content": "a"}, {"content": "b", "name": "x"}, {"content": "a\n\nb", "name": "x"}),
        (
            {"content": [{"type": "text", "text": "a"}]},
            {"content": "b"},
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        ),
    ],
)
def test_every_key_of_both_is_kept(one, other, whole):
    assert merged({"role": "user", **one}, {"role": "user", **other}, GAGE) == {"role": "user", **whole}


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ({"role": "user"}, {"role": "assistant"}, "different roles are not merged"),
        ({"role": "tool", "tool_call_id": "1"}, {"role": "tool", "tool_call_id": "2"}, "differ in tool_call_id"),
        ({"role": "user", "name": "a"}, {"role": "user", "name": "b"}, "differ in name"),
    ],
)
def test_what_would_lose_a_key_is_refused(one, other, why):
    with pytest.raises(EditRefusedError, match=why):
        merged({**one, "content": "a"}, {**other, "content": "b"}, GAGE)


def test_a_key_that_is_not_read_is_not_lost_in_a_merge():
    one, other = {"from": "human", "value": "a"}, {"from": "human", "value": "b", "role": "user"}
    for pair in ((one, other), (other, one)):
        with pytest.raises(EditRefusedError, match="role beside from are not merged"):
            merged(*pair, DIALECTS["sharegpt"])
    with pytest.raises(EditRefusedError, match="content beside value are not merged"):
        merged(one, {**one, "content": "c"}, DIALECTS["sharegpt"])
