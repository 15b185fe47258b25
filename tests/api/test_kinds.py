"""Values and arguments of every kind: an edit writes what it is given, or refuses it in words of its own."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections import OrderedDict
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest

import sampleui
from sampleui.formats.data import Table, same

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


def loop() -> dict[str, object]:
    value: dict[str, object] = {}
    value["again"] = [value]
    return value


def twice_itself() -> list[object]:
    value: list[object] = []
    value += [value, value]
    return value


def far_down() -> object:
    value: object = "x"
    for _ in range(50_000):
        value = [value]
    return value


UNWRITTEN = {
    **VALUES,
    "loop": loop(),
    "list with itself": twice_itself(),
    "without end": far_down(),
    "pair as a key": {(1, 2): "a"},
    "class": int,
    "path": Path("x"),
    "no path": "a\0b",
    "no name of a file": "a\ud800",
}
ASKED: Table = {"id": "a", "messages": [{"role": "user", "content": "x"}]}
GIVEN = {
    "open": sampleui.open_deck,
    "open, dialect": lambda odd: sampleui.open_deck("hello.toml", odd),
    "new": sampleui.new_deck,
    "new, dialect": lambda odd: sampleui.new_deck("new.toml", odd),
    "messages, provider": lambda odd: sampleui.provider_messages(ASKED, provider=odd),
    "messages, system": lambda odd: sampleui.provider_messages(ASKED, system_prompt=odd),
    "render": sampleui.render,
    "render, root": lambda odd: sampleui.render(ASKED, root=odd),
    "render, system": lambda odd: sampleui.render(ASKED, system_prompt=odd),
    "render, guidelines": lambda odd: sampleui.render(ASKED, guideline_patterns=odd),
    "render, a guideline": lambda odd: sampleui.render(ASKED, guideline_patterns=[odd]),
    "render, style": lambda odd: sampleui.render(ASKED, style=odd),
    "trace": lambda odd: sampleui.extract_trace(odd, "."),
    "trace, folder": lambda odd: sampleui.extract_trace({"trace_ref": "x.json"}, odd),
}


@pytest.mark.parametrize("call", GIVEN)
def test_a_call_with_an_argument_of_any_kind_ends_in_an_error_of_the_package_alone(call, tmp_path, monkeypatch):
    (tmp_path / "hello.toml").write_text(FORMS["inline.toml"])
    monkeypatch.chdir(tmp_path)
    for odd in UNWRITTEN.values():
        with contextlib.suppress(sampleui.SampleUIError):
            GIVEN[call](odd)
    for odd in (3, b"a", object(), int):
        with pytest.raises(sampleui.SampleUIError):
            GIVEN[call](odd)


SAMPLES = {
    "field": lambda odd: {**ASKED, "x": odd},
    "id": lambda odd: {**ASKED, "id": odd},
    "messages": lambda odd: {"messages": odd},
    "message": lambda odd: {"messages": [odd]},
    "content": lambda odd: {"messages": [{"role": "user", "content": odd}]},
    "role": lambda odd: {"messages": [{"role": odd, "content": "x"}]},
    "segment": lambda odd: {"messages": [{"role": "user", "content": [{"type": "text", "value": odd}]}]},
    "calls": lambda odd: {"messages": [{"role": "assistant", "tool_calls": [{"function": odd}]}]},
    "expected": lambda odd: {"input": "x", "criteria": "c", "expected_output": odd},
    "variable": lambda odd: {"vars": {"a": odd}, "assert": [{"type": "equals", "value": odd}]},
    "metadata": lambda odd: {**ASKED, "metadata": {"systemPrompt": odd}},
}


@pytest.mark.parametrize("place", SAMPLES)
def test_what_no_file_can_hold_is_left_out_of_a_prompt_and_told(place):
    for name, odd in UNWRITTEN.items():
        data = SAMPLES[place](odd)
        for style in ("sampleui", "agentv-4"):
            rendered = sampleui.render(data, style=style)
            told = [str(one) for one in rendered.diagnostics if one.rule == "not-plain"]
            assert bool(told) == (name in NEVER_IN_FILES), (name, style, told)
            assert isinstance(rendered.question, str) and isinstance(rendered.grading_context, dict)
            sampleui.provider_messages(rendered)
        sampleui.provider_messages({"chat_prompt": [odd], "metadata": odd, "guidelines": odd})


NEVER_IN_FILES = {
    "duration", "huge integer", "bytes", "set", "tuple", "decimal", "object", "number as a key", "null as a key",
    "date as a key", "too deep", "far too deep", "loop", "list with itself", "without end", "pair as a key",
    "class", "path",
}  # fmt: skip

ROWS = {
    "trace": lambda odd: {"trace": odd},
    "event": lambda odd: {"trace": [{"type": "tool_call", "name": odd, "input": odd, "id": odd, "timestamp": odd}]},
    "reference": lambda odd: {"trace_ref": odd},
    "messages": lambda odd: {"output_messages": odd},
    "message": lambda odd: {"output_messages": [{"role": "assistant", "content": odd, "tool_calls": [odd]}]},
    "field": lambda odd: {"foo": odd},
}


@pytest.mark.parametrize("place", ROWS)
def test_what_no_file_can_hold_is_left_out_of_a_trace_and_told(place, tmp_path):
    for name, odd in UNWRITTEN.items():
        trace = sampleui.extract_trace(ROWS[place](odd), tmp_path)
        told = any(one.rule == "not-plain" for one in trace.diagnostics)
        assert told == (name in NEVER_IN_FILES), name
