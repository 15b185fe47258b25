"""What stricter readers refuse of files that are read here: told at its place, and nothing else.

What JavaScript's readers do was seen by running js-yaml 5.2 and yaml 2.9 over the texts.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from sampleui.formats.document import Document
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.operations import Delete
from sampleui.formats.toml import TomlDocument
from sampleui.formats.yaml import YamlDocument
from tests.command import ran

ALL, BRACKET, NONE = "reader-refuses", "bracket-shallow", ""
PYTHON, DIFFERS = "python-refuses", "reader-differs"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('a: "x"#c', ALL),
        ("a: [1]#c", ALL),
        ("a: [# c\n  1]", ALL),
        ("a: [1,# c\n  2]", ALL),
        ("a: {b: 1}#c", ALL),
        ("a: |#c\n  x", ALL),
        ('a:\n  b: "x\n  y"', ALL),
        ("a: 'x\ny'", ALL),
        ('- a: "x\n  y"', ALL),
        ('a:\n  b: "x\n\ty"', ALL),
        ("a: [1,\n2]", ALL),
        ("- a: [1,\n  2]", ALL),
        ("- a: {\n    b: 1\n }", ALL),
        ("a: [\n  # c\n1]", ALL),
        ('a:\n- b: {x: "p\n  q"}', ALL),
        ("a: [-]", ALL),
        ("a: >\n   \n  # c", ALL),
        ("a: |+\n \n   \n # c\n", ALL),
        ("a:\n  b: |-\n      \n   # c\n  c: 1", ALL),
        ("a:\n  b: |\n      \n  # c\n  c: 1", NONE),
        ("a: |\n  \n  # c", NONE),
        ("a: |1\n   \n # c", NONE),
        ("a: |\n  x\n    \n # c", NONE),
        ("a: x\t", PYTHON),
        ("a: x\ty", PYTHON),
        ("a:\tx", PYTHON),
        ("a: x\t# c", PYTHON),
        ("a: 1\n \t\nb: 2", PYTHON),
        ("a: [x?y, 1]", PYTHON),
        ("a: {b: &c 1, d: *c, e: &c 2}", PYTHON),
        ("a: [?x]", DIFFERS),
        ("a: {?x : y}", DIFFERS),
        ("a: &b:c d\nd: *b", DIFFERS),
        ("a: !<tag:x.org,2000:y> z", "yaml-tag"),
        ("a: !y z", "yaml-tag"),
        ("a: [\n 1\n]", BRACKET),
        ('a: "x\ty" # c\td', NONE),
        ("a: |\n  x\ty\n", NONE),
        ("a: x?y", NONE),
        ("? a\n: x", NONE),
        ("a: [-1, '-', x-]", NONE),
        ("a: [? x : y]", NONE),
        ("a: !!str 1", NONE),
        ("a:\n  b: {\n   c: 1\n  }", BRACKET),
        ('a: "x" # c', NONE),
        ("a: x#c", NONE),
        ('a: "x#c"', NONE),
        ("a: [1, 2] # c", NONE),
        ("a: | # c\n  x#y", NONE),
        ("a:\n- [1,\n 2]", NONE),
        ("a: [\n# c\n  1]", NONE),
        ('- "x\n y"', NONE),
        ('a:\n  b: "x\n\n   y"', NONE),
        ("a: [\n  1\n  ]", NONE),
    ],
)
@pytest.mark.parametrize("where", ["beside", "inside"])
def test_yaml_that_other_readers_refuse_is_told(text: str, rule: str, where: str) -> None:
    if where == "beside":
        deck = ("" if text.startswith("a") else "k:\n") + f"{text}\ntests:\n- id: one\n"
    else:
        deck = "tests:\n- id: one\n  v:\n" + "".join(f"    {line}\n" if line else "\n" for line in text.split("\n"))
    assert rules_of(YamlDocument.parse(deck)) == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (JsonDocument, '[{"id": "a"}]'),
        (JsonDocument, '{"x": 1, "samples": [{"id": "a"}]}'),
        (JsonlDocument, '{"id": "a"}\n'),
        (TomlDocument, "[[samples]]\nid = 'a'\n"),
        (TomlDocument, "at = 1\n[[samples]]\nid = 'a'\n"),
    ],
)
def test_a_byte_order_mark_that_most_readers_refuse_is_told(kind: type[Document], text: str) -> None:
    assert rules_of(kind.parse(text)) == []
    marked = kind.parse("\ufeff" + text)
    assert [(note.rule, place) for note, place in marked.notes()] == [("byte-order-mark", (1, 1))]
    assert len(marked) == 1 and marked.read(0)["id"] == "a"


@pytest.mark.parametrize(
    ("text", "newer"),
    [
        ("at = 07:32", True),
        ("at = 2020-01-01T07:32", True),
        ('t = "\\e"', True),
        ('t = "\\x41"', True),
        ("t = {a = 1,}", True),
        ("t = {\n a = 1 }", True),
        ("t = [{a = 1 # c\n}]", True),
        ("at = 07:32:00", False),
        ("at = 2020-01-01T07:32:00+01:00", False),
        ('t = "\\\\e 07:32 {a = 1,}"', False),
        ("t = '\\e'", False),
        ("t = [\n 1,\n]", False),
        ("t = {a = [\n 1,\n]}", False),
        ('t = """\n07:32 \\u0041"""', False),
        ("# 07:32", False),
    ],
)
@pytest.mark.parametrize("where", ["beside", "inside"])
def test_toml_of_1_1_is_told_as_readers_of_1_0_refuse_it(text: str, newer: bool, where: str) -> None:
    deck = f"{text}\n[[samples]]\nid = 'one'\n" if where == "beside" else f"[[samples]]\nid = 'one'\n{text}\n"
    assert rules_of(TomlDocument.parse(deck)) == ([ALL] if newer else [])
    assert is_toml_1_0(deck) is not newer


def is_toml_1_0(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def test_what_is_no_json_is_told_where_it_stands() -> None:
    lines = JsonlDocument.parse('{"id": "a", "m": {"w": NaN, "v": [1, -Infinity], "t": "NaN"}}\n')
    assert [(finding.rule, finding.node) for finding in lines.findings(0)] == [
        (ALL, ("m", "w")),
        (ALL, ("m", "v", 1)),
    ]
    whole = JsonDocument.parse('{"k": Infinity, "samples": [{"id": "a"}]}')
    assert [(note.rule, place.column) for note, place in whole.notes()] == [(ALL, 7)]


def test_it_is_an_error_where_the_deck_s_own_tool_refuses_it(tmp_path: Path) -> None:
    deck = tmp_path / "promptfooconfig.yaml"
    deck.write_text("prompts: [\n  hi\n]\nproviders: [echo]\ntests:\n  - vars: {a: 'x'}\n")
    said = ran("check", deck)
    assert (said.code, "error: a closing bracket" in said.out) == (1, True)


def test_a_key_that_is_an_alias_is_that_key(tmp_path: Path) -> None:
    deck = tmp_path / "deck.eval.yaml"
    text = "tests:\n  - id: one\n    input: hello\n    metadata:\n      who: &who colour\n      *who : blue\n"
    deck.write_text(text)
    assert ran("set", deck, "--sample", "one", "--path", "metadata.colour", "--value", "red").code == 0
    assert deck.read_text() == text.replace("blue", "red")
    doubled = YamlDocument.parse(text.replace("      *who", "      colour: x\n      *who"))
    assert rules_of(doubled) == ["duplicate-key"]


def test_a_key_is_not_added_beside_an_alias_that_may_be_it(tmp_path: Path) -> None:
    deck = tmp_path / "deck.eval.yaml"
    text = (
        "tests:\n  - id: one\n    input: &who hello\n  - id: two\n    input: x\n    metadata:\n      *who : blue\n"
    )
    deck.write_text(text)
    refused = ran("insert", deck, "--sample", "two", "--path", "metadata.hello", "--value", "red")
    assert (refused.code, "*who" in refused.err + refused.out) == (2, True)
    assert deck.read_text() == text


def rules_of(document: Document) -> list[str]:
    notes = [note.rule for note, _ in document.notes()]
    return notes + [finding.rule for index in range(len(document)) for finding in document.findings(index)]


def test_the_last_item_of_a_list_below_a_comment_is_deleted_and_the_comment_stays() -> None:
    deck = YamlDocument.parse("tests:\n- id: a\n  messages:\n  # the only one\n  - role: user\n    content: hi\n")
    after = deck.apply(deck.edit(0, Delete(("messages", 0))))
    assert after.read(0) == {"id": "a", "messages": []}
    assert "# the only one" in after.text
