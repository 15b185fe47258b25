"""Broken and hostile YAML ends in an error with a place, soon and in little memory."""

import gc
import subprocess
import sys

import pytest

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.operations import Set
from sampleui.formats.yaml import YamlDocument, nodes
from tests.quick import within

LEVELS = 12
BOMB = "a0: &a0 [x, x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, LEVELS)
)
MERGE_BOMB = "a0: &a0 {k: v}\n" + "".join(
    f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 10)}]}}\n" for level in range(1, LEVELS)
)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("a: [1,\n", "did not find expected node content", (2, 1)),
        ("tests:\n- id: 'abc\n", "unexpected end of stream", (3, 1)),
        ("tests:\n\t- id: 1\n", "cannot start any token", (2, 1)),
        ("\ufefftests:\n - a: b: c\n", "mapping values are not allowed", (2, 8)),
        ("é: x\nb: \0\n", "is not allowed", (2, 4)),
        ("a: \x1b[31m\n", "is not allowed", (1, 4)),
        ("a: \ud800\n", "surrogate", (1, 4)),
        ("tests:\n- id: *nope\n", r"\*nope has no anchor", (2, 7)),
        ("tests:\n- &a [*a]\n", r"\*a has no anchor", (2, 7)),
        ("[" * 100_000, "nested too deeply", None),  # libyaml has a limit of its own since 0.2.6
        ("[" * 900 + "]" * 900, "nested too deeply", (1, 151)),
        ("- " * 100_000, "nested too deeply", (1, 301)),
        ("- id: [" + "\n\t[" * 2_000, "nested too deeply", None),
        (BOMB, "too many values", (6, 40)),
        (BOMB + f"tests:\n- id: *a{LEVELS - 1}\n", "too many values", (6, 40)),
        (MERGE_BOMB, "too many values", None),
        ("\ufeff\ufeff- id: a\n", "byte order mark", (1, 2)),
        ("tests: [\n\ufeff{id: a}]\n", "byte order mark", (2, 1)),
    ],
    ids=range(18),
)
def test_an_error_names_the_place(text, message, place):
    with within(5), pytest.raises(FormatError, match=message) as caught:
        YamlDocument.parse(text)
    if place:
        assert (caught.value.line, caught.value.column) == place


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("tests: [{id: a}]\n%YAML 1.2\n---\nother: 1\n", {}),
        ("- id: a\n%TAG ! tag:x,2000:\n---\nother: 1\n", {}),
        ("tests: [{id: a}]\n\r---\nother: 1\n", {}),
        ("!x \n[{id: a}]\n", {}),
        ("&all   # c\r\n[{id: a}]\r\n", {}),
        ("\n  tests: [{id: a}]\n  after: 1\n", {"after": 1}),
        ("\r  before: 2\r  tests: [{id: a}]\r  after: 1\r", {"before": 2, "after": 1}),
    ],
)
def test_what_stands_around_samples_is_read_by_itself(text, beside):
    document = YamlDocument.parse(text)
    assert document.context == beside
    assert [document.read(at) for at in range(len(document))] == [{"id": "a"}]
    assert not document.keyed
    assert not document.named_files
    assert {finding.rule for finding, _ in document.notes()} <= {"multi-document", "yaml-tag"}
    edited = document.apply(document.edit(0, Set(("id",), "b")))
    assert edited.text == text.replace("id: a", "id: b")


def test_nesting_below_the_limit_is_read_and_edited():
    document = YamlDocument.parse("- id: " + "[" * 140 + "]" * 140 + "\n")
    after = document.apply(document.edit(0, Set(("new",), 1)))
    assert after.read(0)["new"] == 1


def test_an_edit_cannot_bring_in_what_could_not_be_read():
    document = YamlDocument.parse("- id: a\n")
    value = "x"
    for _ in range(200):
        value = [value]
    with pytest.raises(EditRefusedError, match="nested more than 150 levels"):
        document.edit(0, Set(("id",), value))


def test_ten_thousand_samples_and_forty_thousand_lines():
    sample = "  - id: a\n    messages:\n      - role: user\n        content: hi\n"
    document = YamlDocument.parse("tests:\n" + sample * 10_000)
    assert len(document) == 10_000
    after = document.apply(document.edit(9_999, Set(("messages", 0, "content"), "ho")))
    assert after.text == "tests:\n" + sample * 9_999 + sample.replace("hi", "ho")


def test_many_samples_on_one_line_take_time_in_proportion():
    with within(8):
        document = YamlDocument.parse("tests: [" + "{id: a}, " * 50_000 + "]")
    assert len(document) == 50_000


def test_a_long_line_stays_within_memory():
    script = (
        "import re, pathlib\n"
        "from sampleui.formats.yaml import YamlDocument\n"
        "document = YamlDocument.parse('- id: \"' + 'x' * 50_000_000 + '\"\\n')\n"
        "assert len(document.read(0)['id']) == 50_000_000\n"
        "status = pathlib.Path('/proc/self/status').read_text()\n"  # getrusage counts what forked it, too
        "print(int(re.search(r'VmHWM:\\s+(\\d+)', status)[1]) // 1024)\n"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(found.stdout) < 500


def test_more_values_than_can_be_read_soon(monkeypatch):
    monkeypatch.setattr(nodes, "MAX_YAML_FILE_NODES", 10_000)
    with pytest.raises(FormatError, match="more than 10,000 values") as caught:
        YamlDocument.parse("a: [" + "1," * 10_000 + "1]\n")
    assert caught.value.line == 1


def test_one_sample_with_more_values_than_can_be_read_soon(monkeypatch):
    monkeypatch.setattr(nodes, "MAX_YAML_PIECE_NODES", 3_000)
    document = YamlDocument.parse("- id: a\n- id: [" + "1," * 3_100 + "1]\n")
    assert document.read(0) == {"id": "a"}
    with pytest.raises(FormatError, match="more than 3,000 values"):
        document.read(1)


def test_the_garbage_collector_is_left_as_it_was():
    for switch, state in ((gc.disable, False), (gc.enable, True)):
        switch()
        YamlDocument.parse("- id: a\n")
        with pytest.raises(FormatError):
            YamlDocument.parse("[")
        assert gc.isenabled() is state
