"""Plain values: when two are the same, and what no deck can hold."""

from __future__ import annotations

import datetime as dt
import math
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.errors import EditRefusedError
from sampleui.formats.data import copied, refuse_unplain, same

NAN = math.nan
DECKS = {
    "deck.toml": '[[samples]]\nid = "a"\nmessages = [{role = "user", content = "x"}]\n',
    "deck.yaml": "tests:\n- id: a\n  messages:\n  - role: user\n    content: x\n",
    "deck.json": '[{"id": "a", "messages": [{"role": "user", "content": "x"}]}]',
    "deck.jsonl": '{"id": "a", "messages": [{"role": "user", "content": "x"}]}\n',
}


def nested(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value", [NAN, math.inf, 0, 0.0, "", None, True, [NAN], {"a": [NAN, {}]}, dt.date(2020, 1, 1)]
)
def test_a_value_is_the_same_as_itself(value):
    assert same(value, value)
    assert same([value, {"k": value}], [value, {"k": value}])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *[(1, 1.0), (1, True), (0, False), (0.0, NAN), (NAN, math.inf), (None, ""), ("1", 1), ([1.0], [1])],
        *[([], {}), ([1], [1, 1]), ([1, 2], [2, 1]), ({"a": 1}, {"a": 1, "b": 1}), ({"a": 1}, {"b": 1})],
        *[({"a": 1}, {"a": True}), (dt.datetime(2020, 1, 1), dt.date(2020, 1, 1))],
    ],
)
def test_values_that_differ_in_type_or_place_are_not_the_same(one, other):
    assert not same(one, other) and not same(other, one)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (object(), "a value of type object"),
        ([{"a": (1, 2)}], "a value of type tuple"),
        ({1: "x"}, "keys of a table must be texts"),
        ([{"a": {None: 1}}], "keys of a table must be texts"),
        (nested(150), "nested more than 150 levels deep"),
        ([1 << 14_000], "too many digits"),
        (b"bytes", "a value of type bytes"),
    ],
)
@pytest.mark.parametrize("name", DECKS)
def test_what_no_deck_can_hold_is_refused_by_every_edit_that_writes(tmp_path: Path, name, value, reason):
    path = tmp_path / name
    path.write_text(DECKS[name])
    deck = open_deck(path)
    with pytest.raises(EditRefusedError, match=reason):
        refuse_unplain(value)
    with pytest.raises(EditRefusedError, match=reason):
        deck.set(0, ("note",), value)
    with pytest.raises(EditRefusedError, match=reason):
        deck.insert(0, ("messages", 0), value)
    with pytest.raises(EditRefusedError, match=reason):
        deck.insert_sample(0, {"id": "b", "note": value})


def test_what_is_just_shallow_enough_is_no_reason_to_refuse():
    refuse_unplain(nested(149))
    refuse_unplain({"a": [None, True, 1, 1.5, "x", dt.date(2020, 1, 1), dt.time(1), 1 << 13_999]})


def test_a_copy_shares_no_table_and_no_list():
    value = {"a": [{"b": 1}], "c": "x"}
    made = copied(value)
    assert made == value
    assert made is not value and made["a"] is not value["a"] and made["a"][0] is not value["a"][0]
