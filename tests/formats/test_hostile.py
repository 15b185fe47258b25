"""Files made to break their reader end in an error or a finding, soon and without filling the memory."""

from pathlib import Path

import pytest

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.markdown import references
from sampleui.formats.operations import Set
from sampleui.formats.registry import parse_document
from sampleui.text.limits import MAX_JSON_DEPTH as MAX_DEPTH
from tests.quick import within


@pytest.fixture(autouse=True)
def soon():
    with within(5):
        yield


def nested(depth):
    return "[" * depth + "]" * depth


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 10_000, 1_000_000])
@pytest.mark.parametrize(
    "text",
    ["{}", '{{"a": {}}}', '{{"samples": {}}}', '[{{"messages": {}}}]', '{{"messages": [], "deep": {}}}'],
)
def test_json_nested_too_deep(text, depth):
    with pytest.raises(FormatError, match="levels deep") as caught:
        parse_document(text.format(nested(depth)), Path("a.json"))
    assert caught.value.line == 1


def test_json_nested_as_deep_as_allowed_is_read_and_edited():
    document = parse_document(f'[{{"id": "a", "deep": {nested(MAX_DEPTH - 1)}}}]', Path("a.json"))
    assert document.findings(0) == ()
    assert document.apply(document.edit(0, Set(("id",), "b"))).read(0)["id"] == "b"


def test_brackets_in_strings_nest_nothing():
    document = parse_document(f'[{{"a": "{"[" * 10_000}"}}]', Path("a.json"))
    assert document.findings(0) == ()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, '[{"a":[' * 100_000])
def test_json_that_only_opens(text):
    with pytest.raises(FormatError):
        parse_document(text, Path("a.json"))


def test_a_deep_line_is_one_broken_sample():
    deep = f'{{"id": "a", "deep": {nested(10_000)}}}'
    document = parse_document(f'{{"id": "b"}}\n{deep}\n', Path("a.jsonl"))
    assert [len(document.findings(at)) for at in range(2)] == [0, 1]
    with pytest.raises(EditRefusedError, match="levels deep"):
        document.edit(1, Set(("id",), "x"))
    assert document.apply(document.edit(0, Set(("id",), "x"))).text == f'{{"id": "x"}}\n{deep}\n'


@pytest.mark.parametrize("size", [5_000_000])
def test_one_long_line_is_read_and_broken_ones_are_told(size):
    text = '{"messages": [{"role": "user", "content": "' + "x" * size + '"}]}'
    for name, content in (("a.jsonl", text), ("a.json", f"[{text}]"), ("a.json", text)):
        document = parse_document(content, Path(name))
        assert len(document.read(0)["messages"][0]["content"]) == size
    broken = parse_document(text[:-5], Path("a.jsonl"))
    assert [finding.rule for finding in broken.findings(0)] == ["parse-error"]
    with pytest.raises(FormatError):
        parse_document(text[:-5], Path("a.json"))


@pytest.mark.parametrize("filler", ["{},", "[],", "1,", '"",'])
@pytest.mark.parametrize("around", ["[{}{{}}]", '{{"messages": [{}{{}}]}}', '[{{"a": [{}{{}}]}}]'])
def test_more_values_than_can_be_held(filler, around):
    text = around.format(filler * 5_100_000)
    with pytest.raises(FormatError, match="more than"):
        parse_document(text, Path("a.json"))


def test_more_lines_than_can_be_held():
    with pytest.raises(FormatError, match="more than 1,000,000 lines"):
        parse_document("{}\n" * 1_000_001, Path("a.jsonl"))


@pytest.mark.parametrize("text", ['{"a": "\x00"}', '{"a": 1}\x00', "\x00", "[\x00]"])
def test_nul_characters_are_refused_with_their_line(text):
    with pytest.raises(FormatError) as caught:
        parse_document(text, Path("a.json"))
    assert caught.value.line == 1
    document = parse_document('{"id": "ok"}\n' + text, Path("a.jsonl"))
    assert [finding.rule for finding in document.findings(1)] == ["parse-error"]


def test_a_json_file_cut_anywhere_is_an_error_and_never_a_crash():
    text = '{"samples": [{"id": "\\u00e9", "n": -1.5e3, "ok": true, "none": null, "l": [[], {}]}, {"id": "b"}]}'
    for end in range(len(text)):
        with pytest.raises(FormatError):
            parse_document(text[:end], Path("a.json"))


def test_a_file_of_lines_cut_anywhere_has_one_broken_line_at_most():
    text = '{"id": "\\u00e9", "n": -1.5e3}\n{"ok": true, "l": [[], {}]}\n'
    for end in range(2, len(text)):
        document = parse_document(text[:end], Path("a.jsonl"))
        assert sum(len(document.findings(at)) for at in range(len(document))) <= 1


@pytest.mark.parametrize(
    "unit",
    ["`", "` ", "!", "![", "![](a", "![a](b ", "[", "(", "```\n", "> ```\n", "<!--", "\\", "- ", "> ", "\n", '"'],
)
def test_markdown_of_openings_only(unit):
    assert references(unit * 50_000) == ()
    assert references("![" + unit * 50_000 + "](" + unit * 50_000) == ()
