"""What would fill the memory or hold up its reader is refused with its place; what is just small enough is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.errors import FormatError
from sampleui.formats import csv as rows
from sampleui.formats import csv_cells as table
from sampleui.formats import markdown
from sampleui.formats.data import Table
from sampleui.formats.json import lines, spans
from sampleui.formats.registry import parse_document
from sampleui.formats.toml import scan as limits


def read(name: str, text: str) -> list[Table]:
    document = parse_document(text, Path(name))
    return [document.read(index) for index in range(len(document))]


def failure(name: str, text: str) -> tuple[str, int | None, int | None]:
    with pytest.raises(FormatError) as error:
        read(name, text)
    return error.value.message, error.value.line, error.value.column


@pytest.mark.parametrize("name", ["deck.json", "deck.jsonl"])
def test_values_of_json_have_so_many_brackets_and_commas(monkeypatch, name):
    monkeypatch.setattr(spans, "MAX_JSON_VALUES", 5)
    text = '{"messages": [1, 2, 3, 4%s]}\n'
    assert read(name, text % "") == [{"messages": [1, 2, 3, 4]}]
    assert failure("deck.json", text % ", 5") == ("more than 5 brackets and commas in one JSON value", 1, 1)
    with pytest.raises(FormatError):
        read(name, text % ", 5")
    assert read(name, '{"messages": "%s"}\n' % ("x" * 20))


def test_a_cell_with_too_many_brackets_and_commas_is_a_text(monkeypatch):
    monkeypatch.setattr(spans, "MAX_JSON_VALUES", 5)
    text = 'messages,input\n"[1, 2, 3, 4%s]",x\n'
    assert read("deck.csv", text % "")[0]["messages"] == [1, 2, 3, 4]
    assert read("deck.csv", text % ", 5, 6")[0]["messages"] == "[1, 2, 3, 4, 5, 6]"


def test_a_file_has_so_many_samples(monkeypatch):
    for module in (spans, lines, table):
        monkeypatch.setattr(module, "MAX_SAMPLES", 2)
    for name, text, row in (
        ("deck.json", "[%s{}]", "{},"),
        ("deck.jsonl", "%s{}\n", "{}\n"),
        ("deck.csv", "%sinput,a\n", "input,a\n"),
    ):
        read(name, text % row)
        assert failure(name, text % (row * 3))[0].startswith("more than 2 ")


def test_a_table_has_so_many_columns(monkeypatch):
    monkeypatch.setattr(rows, "MAX_COLUMNS", 2)
    assert read("deck.csv", "input,a\nx,1\n") == [{"input": "x", "a": "1"}]
    assert failure("deck.csv", "\ninput,a,b\nx,1,2\n")[0] == "more than 2 columns"


def test_a_file_of_toml_has_so_many_marks(monkeypatch):
    monkeypatch.setattr(limits, "MAX_TOML_MARKS", 9)
    text = "[[samples]]\nx = [1, 2, 3, 4%s]\n"
    assert read("deck.toml", text % "") == [{"x": [1, 2, 3, 4]}]
    many = failure("deck.toml", text % ", 5, 6, 7")
    assert many == ("more than 9 brackets, commas, quotes and backslashes", 1, 1)
    assert read("deck.toml", f"[[samples]]\nx = {'1' * 20}\n")


def test_a_sample_of_toml_has_so_many_brackets_and_commas(monkeypatch):
    monkeypatch.setattr(limits, "MAX_TOML_ITEMS", 6)
    text = "[[samples]]\nid = '[[[[[[[' # [,,,,\nlimited = [1, 2, 3, 4%s]\n"
    assert read("deck.toml", text % "")[0]["limited"] == [1, 2, 3, 4]
    assert failure("deck.toml", text % ", 5") == ("more than 6 brackets and commas in one sample", 1, 1)


def test_a_number_of_toml_has_so_many_digits(monkeypatch):
    monkeypatch.setattr(limits, "MAX_TOML_DIGITS", 5)
    assert read("deck.toml", "[[samples]]\nx = 12345\n")
    assert failure("deck.toml", "[[samples]]\nx = 123456789012\n")[0] == "a number with too many digits"


def test_prose_has_so_many_characters(monkeypatch):
    monkeypatch.setattr(markdown, "MAX_MARKDOWN_LENGTH", 5)
    assert read("deck.md", "12345") == []
    assert failure("deck.md", "123456") == ("a Markdown deck has at most 5 characters", 1, 1)


@pytest.mark.parametrize("name", ["deck.json", "deck.toml"])
def test_values_are_nested_so_deep(name):
    text = {"deck.json": '[{"x": %s}]', "deck.toml": "[[samples]]\nx = %s\n"}[name]
    inner = {"deck.json": 199, "deck.toml": 198}[name]
    read(name, text % ("[" * (inner - 1) + "]" * (inner - 1)))
    assert "nested more than 200 levels deep" in failure(name, text % ("[" * (inner + 1) + "]" * (inner + 1)))[0]
