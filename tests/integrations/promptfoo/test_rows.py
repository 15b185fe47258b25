"""The tests of promptfoo in a table: its cells as promptfoo reads them, and what none of them says."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui import Deck, open_deck
from sampleui.errors import EditRefusedError
from sampleui.formats.data import Table
from sampleui.sample.convert import convert
from sampleui.sample.convert.rows import as_row, by_columns, from_row
from sampleui.sample.dialects.shipped import DIALECTS

INSPECT, PROMPTFOO = DIALECTS["inspect"], DIALECTS["promptfoo"]

TEST: Table = {
    "description": "sum",
    "vars": {"question": "2 + 2?", "tone": "dry"},
    "assert": [
        {"type": "equals", "value": "4"},
        {"type": "not-contains", "value": "five"},
        {"type": "contains-any", "value": ["4", "four"]},
        {"type": "is-json"},
    ],
    "options": {"prefix": "Hm. "},
    "threshold": 0.5,
    "metadata": {"topic": "math", "tags": ["a", "b"]},
}
ROW: Table = {
    "__description": "sum",
    "question": "2 + 2?",
    "tone": "dry",
    "__expected": "equals: 4",
    "__expected2": "not-contains: five",
    "__expected3": "contains-any: 4,four",
    "__expected4": "is-json",
    "__prefix": "Hm. ",
    "__threshold": "0.5",
    "__metadata:topic": "math",
    "__metadata:tags[]": "a,b",
}


def test_a_test_of_promptfoo_is_a_row_of_variables_and_assertions_and_back() -> None:
    assert as_row(TEST, PROMPTFOO, ()) == (ROW, [])
    assert from_row(ROW, PROMPTFOO) == TEST
    assert from_row(TEST, PROMPTFOO) == TEST
    assert from_row({"question": "x", "__expected": "Paris: the capital"}, PROMPTFOO)["assert"] == [
        {"type": "equals", "value": "Paris: the capital"}
    ]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("similar(0.9): four", {"type": "similar", "value": "four", "threshold": 0.9}),
        ("not-similar: five", {"type": "not-similar", "value": "five", "threshold": 0.8}),
        ("latency(500)", {"type": "latency", "threshold": 500}),
        ("cost:", {"type": "cost", "value": "", "threshold": 0.75}),
        ("rouge-n(2)(3): x", {"type": "equals", "value": "rouge-n(2)(3): x"}),
        ("g-eval(0.9): is kind", {"type": "g-eval", "value": "is kind"}),
        ("fn: output > 3", {"type": "javascript", "value": "output > 3"}),
        ("file://check.TS", {"type": "javascript", "value": "file://check.TS"}),
        ("file://check.py:last", {"type": "python", "value": "check.py:last"}),
        ("file://answer.txt", {"type": "equals", "value": "file://answer.txt"}),
        ('contains-any: "a,b", c,,"d\\"e"', {"type": "contains-any", "value": ["a,b", "c", 'd"e']}),
        ('contains-any: "a', {"type": "contains-any", "value": '"a'}),
        ('is-json: {"a": 1}', {"type": "is-json", "value": ' {"a": 1}'}),
    ],
)
def test_an_assertion_in_a_cell_is_the_one_that_promptfoo_reads(cell: str, said: Table) -> None:
    row: Table = {"question": "2 + 2?", "__expected": f" {cell}\n"}
    assert from_row(row, PROMPTFOO) == {"vars": {"question": "2 + 2?"}, "assert": [said]}


def test_columns_for_all_assertions_and_for_one_of_them_are_read() -> None:
    row: Table = {
        "q": "x",
        "__metric": "fit",
        "__expected": "javascript: output",
        "__expected2": "",
        "__expected3": "equals: a",
        "__config:__expected2:threshold": "0.25",
        "__config:__expected9:threshold": "9",
        "__config:more": "",
        "__threshold": " 1 ",
        "__metadata:none": " ",
    }
    test = from_row(row, PROMPTFOO)
    assert test == {
        "vars": {"q": "x"},
        "threshold": 1,
        "assert": [
            {"type": "javascript", "value": "output", "metric": "fit"},
            {"type": "equals", "value": "a", "metric": "fit", "threshold": 0.25},
        ],
        "metadata": {"threshold": 0.25},
    }
    for wrong in ({"__config:__expected:threshold": "x"}, {"__config:__expected:weight": "1"}):
        refused: Table = {"q": "x", "__expected": "a", **wrong}
        assert from_row(refused, PROMPTFOO) is refused


def test_a_line_about_a_row_names_its_columns() -> None:
    test = from_row(ROW, PROMPTFOO)
    report = convert(test, PROMPTFOO, DIALECTS["calibrate"]).report
    assert [line.partition(": dropped")[0] for line in by_columns(report, ROW, test, PROMPTFOO)] == [
        "question: read as what the user says, without the prompts around it",
        "__threshold",
        "tone",
        "__expected",
        "__expected2",
        "__expected3",
        "__expected4",
        "__prefix",
        "__metadata:topic",
    ]
    lines = ("assert[1].metric: x", "assert[12]: x", "metadata.tags: x", "vars: x", "variables: x", "the test")
    assert by_columns(lines, ROW, test, PROMPTFOO) == (
        "__expected2.metric: x",
        "assert[12]: x",
        "__metadata:tags[]: x",
        "question, tone: x",
        "variables: x",
        "the test",
    )
    kept = convert(test, PROMPTFOO, INSPECT).report
    assert "__expected, __expected2, __expected3, __expected4: kept as metadata.assert" in by_columns(
        kept, ROW, test, PROMPTFOO
    )
    assert by_columns(lines, TEST, TEST, PROMPTFOO) == lines
    assert by_columns(lines, {"input": "a"}, {"input": "a"}, INSPECT) == lines


def test_what_no_column_of_promptfoo_says_is_told() -> None:
    test: Table = {
        "vars": {"q": {"a": 1}},
        "assert": [
            {"type": "similar", "value": "x", "threshold": 0.8, "metric": "m"},
            {"type": "similar:dot", "value": "x", "threshold": 0.8},
            {"type": "equals", "value": {"b": 2}, "weight": 3, "metric": "n"},
            {"type": "contains", "value": " c"},
            {"type": "javascript", "value": "output", "threshold": 0.5},
            {"type": "levenshtein", "value": "d"},
            {"type": "cost", "threshold": -1},
            {"type": "contains-any", "value": ["e", 5]},
            "a text",
        ],
        "options": {"provider": "p"},
        "provider": "echo",
        "metadata": {"tags": ["a,b", " c"]},
    }
    row, notes = as_row(test, PROMPTFOO, ())
    assert row == {
        "q": '{"a": 1}',
        "__expected": "similar(0.8): x",
        "__expected2": 'equals: {"b": 2}',
        "__expected3": "contains: c",
        "__expected4": "javascript: output",
        "__expected5": "levenshtein: d",
        "__metadata:tags": '["a,b", " c"]',
    }
    assert notes == [
        "vars.q: written as JSON text, for a cell is a text",
        "assert[2]: written as JSON text, for a cell is a text",
        "assert[3]: written without the blanks around it",
        "assert[5]: written without a threshold, it has one of 0.75 in a cell",
        "assert[1]: dropped, no cell says this assertion",
        "assert[6]: dropped, no cell says this assertion",
        "assert[7]: dropped, no cell says this assertion",
        "assert[8]: dropped, no cell says this assertion",
        "assert[0].metric: dropped, a cell has no place for it",
        "assert[2].weight: dropped, a cell has no place for it",
        "assert[2].metric: dropped, a cell has no place for it",
        "assert[4].threshold: dropped, a cell has no place for it",
        "options.provider: dropped, a table has no column for it",
        "provider: dropped, a table has no column for it",
        "metadata.tags: written as JSON text, for a cell is a text",
    ]


def test_lists_and_one_metric_of_all_assertions_go_into_columns_and_come_back() -> None:
    test: Table = {
        "vars": {"q": "x"},
        "assert": [
            {"type": "contains-any", "value": ["a,b", ' "c" ', "", "d\\"], "metric": "m"},
            {"type": "is-json", "value": '{"type": "object"}', "metric": "m"},
        ],
        "metadata": {"tags": ["a,b", "c"]},
    }
    row, notes = as_row(test, PROMPTFOO, ())
    assert (row["__metric"], row["__metadata:tags[]"], notes) == ("m", "a\\,b,c", [])
    assert from_row(row, PROMPTFOO) == test


def test_in_a_table_no_column_without_underscores_is_anything_but_a_variable() -> None:
    row: Table = {"q": "x", "description": "long", "threshold": "high", "__description": "one"}
    columns = [*row]
    assert from_row(row, PROMPTFOO, columns) == {
        "description": "one",
        "vars": {"q": "x", "description": "long", "threshold": "high"},
    }
    listed: Table = {"vars": {"q": "x"}, "description": "long"}
    assert from_row(listed, PROMPTFOO, [*listed]) is listed


MIXED = """prompts: ['Answer: {{question}}']
providers: [echo]
tests:
  - description: rome
    vars: {question: "Capital of Italy?"}
    assert: [{type: icontains, value: italy}]
  - file://more.csv
"""
TABLE_OF_TESTS = "question,__expected1,__description\nCapital of Peru?,icontains: peru,lima\n"
OSLO: Table = {
    "description": "oslo",
    "vars": {"question": "Capital of Norway?"},
    "assert": [{"type": "icontains", "value": "oslo"}],
}


def mixed(folder: Path) -> Deck:
    (folder / "promptfooconfig.yaml").write_text(MIXED)
    (folder / "more.csv").write_text(TABLE_OF_TESTS)
    return open_deck(folder / "promptfooconfig.yaml")


def test_a_test_that_goes_into_a_table_is_spelled_as_the_table_is(tmp_path: Path) -> None:
    """promptfoo 0.123.1 runs the new row as the test that it is."""
    deck = mixed(tmp_path).insert_sample(2, OSLO)
    assert deck.files.sources[1].document.text == TABLE_OF_TESTS + "Capital of Norway?,icontains: oslo,oslo\n"
    assert [found.rule for found in deck.diagnostics] == []


def test_a_test_that_no_row_can_say_is_refused_with_where_it_can_go(tmp_path: Path) -> None:
    deck = mixed(tmp_path)
    heavy: Table = {**OSLO, "assert": [{"type": "icontains", "value": "oslo", "weight": 2}]}
    with pytest.raises(EditRefusedError) as refused:
        deck.insert_sample(2, heavy)
    assert str(refused.value) == (
        "it does not go into more.csv, a table: assert[0].weight: dropped, a cell has no place for it; "
        "as sample 1 it joins promptfooconfig.yaml"
    )
    assert deck.insert_sample(0, heavy).files.sources[0].document.read(0)["assert"] == heavy["assert"]


def test_columns_that_hold_what_a_config_has_are_told(tmp_path: Path) -> None:
    """promptfoo 0.123.1 passed such a row, whose prompt was empty."""
    (tmp_path / "more.csv").write_text(
        'question,__expected,vars,assert\na,b,,\n,,"{""question"": ""c""}","[{""type"": ""is-json""}]"\n'
    )
    found = [item for item in open_deck(tmp_path / "more.csv").diagnostics if item.rule == "table-misread"]
    assert [item.message.split(" for")[0] for item in found] == [
        "promptfoo takes the column vars",
        "promptfoo takes the column assert",
    ]


def test_a_column_of_such_a_name_that_is_a_variable_is_not_told(tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("question,metadata,__expected\na,plain,b\n")
    assert not [item for item in open_deck(tmp_path / "more.csv").diagnostics if item.rule == "table-misread"]
