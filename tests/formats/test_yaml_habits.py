"""New values are written as most of those around them are."""

from __future__ import annotations

import pytest
import yaml

from sampleui.formats.data import Table
from sampleui.formats.operations import Set
from sampleui.formats.yaml import YamlDocument

NEW: Table = {"id": "new", "note": "it: is", "tags": ["a", "1"], "text": "two\nlines\n"}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "tests:\n  - id: 'a'\n    tags: ['x']\n",
            "  - id: 'new'\n    note: 'it: is'\n    tags: ['a', '1']\n    text: |\n      two\n      lines\n",
        ),
        (
            'tests:\n- id: "a"\n  tags:\n  - "x"\n',
            '- id: "new"\n  note: "it: is"\n  tags:\n  - "a"\n  - "1"\n  text: |\n    two\n    lines\n',
        ),
        (
            "tests:\n  - id: a\n    note: 'b: c'\n    tags: [x, y]\n",
            "  - id: new\n    note: 'it: is'\n    tags: [a, '1']\n    text: |\n      two\n      lines\n",
        ),
        (
            "tests:\n  - id: a\n    other: b\n",
            '  - id: new\n    note: "it: is"\n    tags:\n      - a\n      - "1"\n'
            "    text: |\n      two\n      lines\n",
        ),
    ],
)
def test_a_new_sample_is_written_as_the_others_are(text: str, wanted: str) -> None:
    document = YamlDocument.parse(text)
    after = document.apply(document.insert_sample(1, NEW)).text
    assert after == f"{text}\n{wanted}"
    assert yaml.safe_load(after)["tests"][1] == NEW


def test_a_new_key_is_quoted_as_the_texts_around_it() -> None:
    document = YamlDocument.parse("tests:\n  - id: 'a'\n    b: 'c'\n")
    after = document.apply(document.edit(0, Set(("d",), "plain"))).text
    assert after == "tests:\n  - id: 'a'\n    b: 'c'\n    d: 'plain'\n"


@pytest.mark.parametrize(
    ("others", "value", "wanted"),
    [
        ("content: hello", "typed text", "typed text"),
        ("content: 'hello'", "typed", "'typed'"),
        ('content: "hello"', "typed", '"typed"'),
        ("content: hello", "it: is", '"it: is"'),
        ("content: hello", "two\nlines", "|-\n      two\n      lines"),
        ("content: >\n      a b\n      c", "two\nlines\n", ">\n      two\n\n      lines"),
    ],
)
def test_a_text_in_the_place_of_an_empty_one_is_written_as_the_others_are(
    others: str, value: str, wanted: str
) -> None:
    text = f"tests:\n  - id: a\n    {others}\n  - id: b\n    content: ''\n  - id: c\n    content: \"\"\n"
    document = YamlDocument.parse(text)
    for index in (1, 2):
        after = document.apply(document.edit(index, Set(("content",), value))).text
        assert f"    content: {wanted}\n" in after
        assert yaml.safe_load(after)["tests"][index]["content"] == value


def test_an_empty_text_in_braces_becomes_one_like_those_in_braces() -> None:
    document = YamlDocument.parse("tests:\n  - {id: 'a', b: 'c'}\n  - {id: 'd', b: \"\"}\n")
    assert document.apply(document.edit(1, Set(("b",), "x"))).text.endswith("- {id: 'd', b: 'x'}\n")


LONG = "word " * 30 + "end"


@pytest.mark.parametrize(
    ("value", "style"),
    [
        (f"{LONG}\n{LONG}\n", ">"),
        ("a\n\n\nb\n\nc", ">-"),
        ("a  b\nc\n\n", ">+"),
        ("a\n  indented\n", "|"),
        ("a \nb\n", "|"),
        ("\na\n", "|2"),
    ],
)
def test_texts_are_folded_where_most_are_and_folding_cannot_change_them(value: str, style: str) -> None:
    text = "tests:\n  - id: a\n    x: >\n      one\n      two\n    y: |\n      1\n    z: >-\n      three\n"
    document = YamlDocument.parse(text)
    after = document.apply(document.edit(0, Set(("new",), value))).text
    assert f"    new: {style}\n" in after
    assert max(len(line) for line in after.splitlines()) <= 80
    assert yaml.safe_load(after)["tests"][0]["new"] == value


def test_most_texts_under_the_key_tell_whether_one_is_folded() -> None:
    text = "tests:\n  - id: a\n    x: >\n      one\n    y: |\n      1\n    z: |-\n      2\n  - id: b\n"
    document = YamlDocument.parse(text)
    after = document.apply(document.edit(1, Set(("x",), "p\nq\n"))).text
    assert after.endswith("    x: >\n      p\n\n      q\n")
    after = document.apply(document.edit(1, Set(("w",), "p\nq\n"))).text
    assert after.endswith("    w: |\n      p\n      q\n")
