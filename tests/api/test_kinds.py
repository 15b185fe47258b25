"""Values and arguments of every kind: an edit writes what it is given, or refuses it in words of its own."""

from __future__ import annotations

import datetime as dt
from collections import OrderedDict
from decimal import Decimal
from itertools import product

import pytest

import sampleui
from sampleui.formats.data import same

from .forms import FORMS

TABLE = 'id,messages,expected,tags\nsum,"[{""role"": ""user"", ""content"": ""2+2?""}]",4,"[""math""]"\n'
ALL_FORMS = {**FORMS, "table.csv": TABLE, "table.tsv": TABLE.replace(",", "\t").replace('""\t ""', '"", ""')}
EAST = dt.timezone(dt.timedelta(hours=2, minutes=30))


def deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = {"a": [value]}
    return value


VALUES = {
    "date": dt.date(2024, 1, 2),
    "first date": dt.date(1, 1, 1),
    "time": dt.time(10, 0, 0, 5),
    "time with an offset": dt.time(10, 0, tzinfo=EAST),
    "datetime": dt.datetime(2024, 1, 2, 3, 4, 5),
    "datetime in UTC": dt.datetime(2024, 1, 2, tzinfo=dt.UTC),
    "datetime with an offset": dt.datetime(2024, 1, 2, tzinfo=EAST),
    "dates in a list": [{"when": [dt.date(2024, 1, 2)]}],
    "duration": dt.timedelta(1),
    "nan": float("nan"),
    "infinity": float("-inf"),
    "nan in a table": {"a": [float("nan")]},
    "big float": 1e308,
    "small float": 5e-324,
    "minus zero": -0.0,
    "big integer": 10**30,
    "huge integer": 10**5000,
    "null": None,
    "nulls": [None, {"a": None}],
    "true": True,
    "bytes": b"a",
    "set": {1},
    "tuple": (1, 2),
    "decimal": Decimal("1.5"),
    "object": object(),
    "number as a key": {1: "a"},
    "null as a key": {None: "a"},
    "date as a key": {dt.date(2024, 1, 2): "a"},
    "no text as a key": {"": 1},
    "ordered table": OrderedDict(b=1, a=2),
    "half a character": "a\ud800",
    "half a character as a key": {"\udfff": 1},
    "control characters": "\x00\x01\x1b\x7f\x85\u2028\ufeff\ufffe\uffff\r\n\r",
    "nothing": "",
    "empty list": [],
    "empty tables": [{}, [], {"a": {}}],
    "deep": deep(60),
    "too deep": deep(100),
    "far too deep": deep(1_000),
    "long": "x" * 5_000,
    "what looks like a date": "2024-01-02",
    "what looks like null": "~",
}
EDITS = {
    "set": lambda deck, value: deck.set(0, ("expected",), value),
    "add": lambda deck, value: deck.set(0, ("new",), value),
    "set inside": lambda deck, value: deck.set(0, ("messages", 0, "content"), value),
    "insert": lambda deck, value: deck.insert(0, ("tags", 0), value),
    "insert a sample": lambda deck, value: deck.insert_sample(1, {"id": "x", "messages": [], "new": value}),
    "set beside": lambda deck, value: deck.set_beside(("meta",), value),
}
READS = {
    "set": lambda deck: deck.samples[0].data["expected"],
    "add": lambda deck: deck.samples[0].data["new"],
    "set inside": lambda deck: deck.samples[0].data["messages"][0]["content"],
    "insert": lambda deck: deck.samples[0].data["tags"][0],
    "insert a sample": lambda deck: deck.samples[1].data["new"],
    "set beside": lambda deck: deck.around["meta"],
}


@pytest.fixture(params=ALL_FORMS)
def deck(request, tmp_path):
    path = tmp_path / request.param
    path.write_text(ALL_FORMS[request.param])
    return sampleui.open_deck(path, "calibrate")


def test_a_value_of_any_kind_reads_back_as_it_was_or_is_refused(deck):
    for (name, value), (edit, make) in product(VALUES.items(), EDITS.items()):
        try:
            edited = make(deck, value)
        except sampleui.EditError:
            continue
        wanted = dict(value) if isinstance(value, dict) else value
        assert same(READS[edit](edited), wanted), (name, edit)
        if edit == "add":
            assert isinstance(edited.diagnostics, tuple) and [sample.messages for sample in edited.samples], name
            copy = deck.path.with_stem("copy")
            copy.write_bytes(edited.text.encode())
            assert same(sampleui.open_deck(copy, "calibrate").samples[0].data["new"], wanted), name


ODD = [None, "x", "", 1.5, -1, 10**5000, b"a", (), [], {}, [[1]], {"a": 1}, {1}, dt.date(2024, 1, 2), object()]
CALLS = {
    "sample": lambda deck, odd: deck.set(odd, ("id",), "x"),
    "path": lambda deck, odd: deck.set(0, odd, 1),
    "first step": lambda deck, odd: deck.set(0, (odd, "a"), 1),
    "last step": lambda deck, odd: deck.insert(0, ("messages", odd), {}),
    "delete": lambda deck, odd: deck.delete(0, odd),
    "move": lambda deck, odd: deck.move(0, ("messages", 0), odd),
    "name": lambda deck, odd: deck.rename(0, ("expected",), odd if odd != "x" else None),
    "name of a sample": lambda deck, odd: deck.rename_sample(0, odd if odd != "x" else None),
    "place of a sample": lambda deck, odd: deck.insert_sample(odd, {"id": "x", "messages": []}),
    "data of a sample": lambda deck, odd: deck.insert_sample(1, odd if not isinstance(odd, dict) else None),
    "sample to delete": lambda deck, odd: deck.delete_sample(odd),
    "sample to move": lambda deck, odd: deck.move_sample(odd, 0),
    "place to move to": lambda deck, odd: deck.move_sample(0, odd),
    "file": lambda deck, odd: deck.set_beside(("meta",), 1, odd),
}


@pytest.mark.parametrize("call", CALLS)
def test_an_argument_of_another_kind_is_an_edit_error(deck, call):
    for odd in ODD:
        if (call == "path" and odd in ((), [])) or ("name" in call and odd == ""):
            continue  # an empty path is the whole sample, and an empty name is a name
        with pytest.raises(sampleui.EditError):
            CALLS[call](deck, odd)
