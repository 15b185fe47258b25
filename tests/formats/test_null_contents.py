"""In a format without null, a turn that calls has no content where other formats write `content: null`."""

from __future__ import annotations

import pytest

from sampleui.errors import EditRefusedError
from sampleui.formats.operations import Insert, Set
from sampleui.formats.registry import BY_NAME

CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}}
TURN = {"role": "assistant", "content": None, "tool_calls": [CALL]}
SAID = {"role": "assistant", "tool_calls": [CALL]}


def test_toml_writes_a_turn_that_calls_without_its_null_content():
    document = BY_NAME["toml"].parse('[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "x" }]\n')
    inserted = document.apply(document.edit(0, Insert(("messages", 1), TURN)))
    assert inserted.read(0)["messages"][1] == SAID
    replaced = document.apply(document.edit(0, Set(("messages",), [TURN])))
    assert replaced.read(0)["messages"] == [SAID]
    added = document.apply(document.insert_sample(1, {"id": "b", "messages": [TURN]}))
    assert added.read(1)["messages"] == [SAID]
    assert document.fitting({"messages": [TURN]}) == ({"messages": [SAID]}, ())


@pytest.mark.parametrize("name", ["json", "yaml"])
def test_formats_with_null_keep_it(name):
    document = BY_NAME[name].parse('[{"id": "a", "messages": []}]')
    assert document.apply(document.edit(0, Insert(("messages", 0), TURN))).read(0)["messages"] == [TURN]


def test_any_other_null_is_refused_at_its_place():
    document = BY_NAME["toml"].parse('[[samples]]\nid = "a"\n')
    with pytest.raises(EditRefusedError, match=r"messages\[0\]\.name"):
        document.fitting({"messages": [{**TURN, "name": None}]})
