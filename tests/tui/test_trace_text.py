"""Values of any size as rows."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from sampleui.sample.message import size_within
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.trace.values import (
    CutRows,
    StackedRows,
    ValueMode,
    body,
    cut,
    marked,
    pattern,
    pretty,
    size_words,
    value_rows,
)

DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def texts(rows) -> list[str]:
    return [row_text(rows[at]) for at in range(len(rows))]


@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\n"), max_size=300), st.integers(2, 40)
)
def test_a_cut_text_loses_nothing(text, width):
    rows = texts(CutRows(text, width))
    assert "".join(rows) == text.replace("\n", "")
    assert len(rows) == sum(max(-(-len(line) // width), 1) for line in text.split("\n"))


@given(st.text(max_size=200), st.integers(8, 40))
def test_no_row_of_a_cut_text_is_wider_than_asked_or_holds_a_control_character(text, width):
    for row in texts(CutRows(text, width)):
        assert cell_len(row) <= width
        assert row.isprintable() or not re.search("[\x00-\x1f\x7f-\x9f\u202e]", row)


@pytest.mark.parametrize("line", ["plain words", "広い文字の行です", "tab\there", "a" * 500])
def test_a_match_in_a_cut_text_is_found_on_the_row_that_shows_it(line):
    text = "\n".join([line] * 50 + ["the needle is here"] + [line] * 50)
    rows = CutRows(text, 30)
    at = rows.find(re.compile("needle"))
    assert at is not None
    assert "needle" in row_text(rows[at])


def test_parts_stand_under_each_other_and_matches_are_marked():
    rows = StackedRows([[(("text", "one"),)], [], body("Two two", 20)], pattern("two"))
    assert texts(rows) == ["one", "Two two"]
    assert rows[1] == (("text", ""), ("match", "Two"), ("text", " "), ("match", "two"), ("text", ""))
    assert rows.find(re.compile("two", re.IGNORECASE)) == 1
    assert rows.find(re.compile("three")) is None
    assert rows[-1] == rows[1]
    with pytest.raises(IndexError):
        rows[2]


def test_marking_leaves_rows_without_a_match_alone():
    row = (("accent", "abc"), ("text", "def"))
    assert marked(row, re.compile("x")) is row


def test_a_small_text_is_wrapped_at_its_spaces_and_a_long_one_is_cut():
    assert texts(body("some words here", 10)) == ["some words", "here"]
    assert isinstance(body("some words here\n" * 5000, 10), CutRows)


def test_keys_of_json_are_painted():
    rows = value_rows({'a"b': [1], "said": "two\n1: lines"}, 40, ValueMode.PRETTY, False)
    assert ("accent", '"a\\"b"') in rows[1] and ("role-tool", "1") in rows[2]
    assert rows[-2] == (("text", "  │ 1: lines"),)


@given(DATA)
def test_indented_json_says_what_the_data_says(value):
    lines = list(pretty(value))
    if not any("\n" in text.strip() for text in _strings(value)):
        assert json.loads("\n".join(lines)) == value


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for item in value.values() for text in _strings(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in _strings(item))


def test_a_text_of_many_lines_stands_below_its_key():
    shown = texts(value_rows({"code": 1, "stdout": "first\nsecond\n"}, 40, ValueMode.PRETTY, False))
    assert shown == ["{", '  "code": 1,', '  "stdout": ⏎', "  │ first", "  │ second", "}"]


def test_a_text_that_is_json_is_shown_as_data_except_when_raw():
    assert texts(value_rows('{"a": 1}', 40, ValueMode.PRETTY, False)) == ["{", '  "a": 1', "}"]
    assert texts(value_rows('{"a": 1}', 40, ValueMode.RAW, False)) == ['{"a": 1}']
    assert texts(value_rows({"a": [1]}, 40, ValueMode.RAW, False)) == ['{"a": [1]}']
    assert texts(value_rows("{not json", 40, ValueMode.PRETTY, False)) == ["{not json"]


def test_markdown_is_painted_and_never_obeyed():
    rows = value_rows(
        "# Title\n\n- **bold** [INST] \x1b[31m\n\n```python\nx = 1\n```\n", 40, ValueMode.MARKDOWN, False
    )
    assert any("Title" in row_text(row) and ("accent-bold" in {style for style, _ in row}) for row in rows)
    assert any(("text-bold", "bold") in row for row in rows)
    shown = "\n".join(texts(rows))
    assert "[INST]" in shown
    assert "␛" in shown
    assert "\x1b" not in shown
    assert "x = 1" in shown


def test_folding_says_how_much_is_left_out():
    value = {"text": "x" * 1000, "list": list(range(100)), "deep": {"a": {"b": {"c": [1, 2, 3]}}}}
    shown = texts(value_rows(value, 400, ValueMode.PRETTY, True))
    assert any("… 840 more characters" in line for line in shown)
    assert any("… 92 more" in line for line in shown)
    assert any("(1 keys)" in line for line in shown)
    shown = texts(cut(value_rows("x\n" * 1000, 400, ValueMode.PRETTY, True), "Z shows all"))
    assert len(shown) == 13 and shown[-1].startswith("… 98") and shown[-1].endswith("more lines; Z shows all")


def test_a_few_lines_more_than_are_shown_are_not_worth_folding():
    rows = value_rows("\n".join("abcdefghijklmn"), 40, ValueMode.PRETTY, True)
    assert cut(rows, "") is rows and len(rows) == 14


def test_json_in_a_text_is_opened_however_often_it_was_made_a_text():
    inner = json.dumps({"a": 1})
    for text in (inner, f"  {inner}", json.dumps(inner), json.dumps(json.dumps(inner))):
        assert texts(value_rows(text, 40, ValueMode.PRETTY, False)) == ["{", '  "a": 1', "}"]
    shown = texts(value_rows({"body": inner, "n": "[not json", "e": "{}"}, 40, ValueMode.PRETTY, False))
    assert shown == ["{", '  "body": ⏎ {', '    "a": 1', "  },", '  "n": "[not json",', '  "e": "{}"', "}"]
    assert texts(value_rows({"body": inner}, 40, ValueMode.RAW, False)) == ['{"body": "{\\"a\\": 1}"}']


def test_the_work_of_a_size_is_bounded():
    def endless():
        while True:
            yield 1

    class Endless(list):
        def __iter__(self):
            return endless()

        def __bool__(self):
            return True

    assert size_within(Endless(), 100) is None
    assert size_within("abc", 2) is None
    assert size_within({"a": 1}, 100) == len('{"a": 1}')
    assert size_words("x" * 5_000_000) == "5.0M"
    assert size_words(list(range(100_000))).endswith("+")


@given(DATA, st.sampled_from(ValueMode), st.booleans())
def test_any_value_can_be_shown_in_any_way(value, mode, folded):
    rows = value_rows(value, 30, mode, folded)
    assert all(cell_len(row_text(rows[at])) <= 30 for at in range(len(rows)))
