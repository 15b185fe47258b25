"""What YAML decks read as: pieces, values, places and findings."""

import math
import subprocess
import sys

import pytest

from sampleui.errors import FormatError, PathError
from sampleui.formats.operations import Set
from sampleui.formats.timestamps import Moment
from sampleui.formats.yaml import YamlDocument
from sampleui.text.position import Position, Span

DECK = """\
# a deck
name: demo
evalcases:
  # the first
  - id: one  # really
    input_messages:
      - role: user
        content: |-
          Hello,
          world
  - id: two
    input_messages: [{role: user, content: "hi"}]
execution: {target: x}
"""


def read(text):
    document = YamlDocument.parse(text)
    return [document.read(index) for index in range(len(document))]


def test_a_deck_falls_into_head_chunks_and_tail():
    document = YamlDocument.parse(DECK)
    assert document.pieces == (
        "# a deck\nname: demo\nevalcases:\n",
        "  # the first\n  - id: one  # really\n    input_messages:\n      - role: user\n"
        "        content: |-\n          Hello,\n          world\n",
        '  - id: two\n    input_messages: [{role: user, content: "hi"}]\n',
        "execution: {target: x}\n",
    )
    assert document.container == ("evalcases",)
    assert document.context == {"name": "demo", "execution": {"target": "x"}}
    assert document.read(0)["input_messages"] == [{"role": "user", "content": "Hello,\nworld"}]
    assert document.read(1) == {"id": "two", "input_messages": [{"role": "user", "content": "hi"}]}
    assert not document.keyed


@pytest.mark.parametrize(
    "text",
    [
        "tests:\n- id: a\n- id: b\n",
        "tests:\n    - id: a\n    -\n        id: b\n",
        "- id: a\n- id: b\n",
        "--- # c\n- id: a\n\n\n# b\n- id: b\n...\n",
        "tests: [{id: a}, {id: b}]",
        'tests: [\n  {"id": "a"},  # a\n  # b\n  {"id": "b"},\n]\nz: 1\n',
        '{"name": "x", "cases": [{"id": "a"}, {"id": "b"}], "z": 1}\n',
        "[{id: a}, {id: b}]\n",
        "%YAML 1.2\n---\nsamples:\n  - {id: a}\n  - {id: b}\n",
        "\ufefftests:\r\n  - id: a\r\n  - id: b",
        "tests: !!seq\n- id: a\n- &x\n  id: b\n",
        "- id:\ta\n-   id: \tb\t\n",
    ],
)
def test_lists_of_samples_in_every_layout(text):
    document = YamlDocument.parse(text)
    assert document.text == text
    assert [document.read(index)["id"] for index in range(len(document))] == ["a", "b"]


def test_samples_under_keys_have_them_as_names():
    document = YamlDocument.parse('samples:\n  one:\n    x: 1\n  "two: 2":\n    x: 2\nz: 3\n')
    assert document.keyed
    assert [document.name(0), document.name(1)] == ["one", "two: 2"]
    assert document.read(1) == {"x": 2}
    assert document.context == {"z": 3}


@pytest.mark.parametrize(
    "text",
    ["", "# nothing\n", "a: 1\n", "tests:\n", "tests: null\n", "tests: []\n", "tests: ./x.yaml\n", "text", "- a\n"],
)
def test_files_without_samples(text):
    document = YamlDocument.parse(text)
    assert len(document) == 0
    assert document.text == text


def test_the_first_key_that_holds_samples_wins():
    document = YamlDocument.parse("samples:\n- id: s\ntests:\n- id: t\nevalcases: 7\n")
    assert document.container == ("tests",)
    assert document.context == {"samples": [{"id": "s"}], "evalcases": 7}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", "yes"), ("no", "no"), ("on", "on"), ("Off", "Off"), ("y", "y"), ("True", True), ("false", False),
        ("1e3", 1000.0), ("0o14", 12), ("012", 12), ("0x1F", 31), ("+7", 7), ("0b1", "0b1"), ("1_000", "1_000"),
        ("~", None), ("null", None), ("", None), (".5", 0.5), ("1.", 1.0), ("-.inf", -math.inf), ("1:30", "1:30"),
        ("2001-01-01", "2001-01-01"), ("=", "="), ("!!str 5", "5"), ("!!float 3", 3.0), ('!!int "5"', 5),
        ("!mine 5", "5"), ("! 5", "5"), ("'5'", "5"), ('"\\u00e9\\t"', "é\t"),
    ],
)  # fmt: skip
def test_scalars_mean_what_the_core_schema_says(written, value):
    found = read(f"- id: {written}\n")[0]["id"]
    assert found == value
    assert type(found) is (Moment if written == "2001-01-01" else type(value))


def test_a_number_too_long_to_be_one_is_text():
    assert read("- id: " + "9" * 5000 + "\n") == [{"id": "9" * 5000}]


def test_nan_is_a_float():
    found = read("- id: .nan\n")[0]["id"]
    assert isinstance(found, float)
    assert math.isnan(found)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("|\n    a\n    b\n", "a\nb\n"),
        ("|-\n    a\n\n\n", "a"),
        ("|+  # kept\n    a\n\n\n", "a\n\n\n"),
        ("|2\n      a\n    b\n", "  a\nb\n"),
        (">\n    a\n    b\n\n    c\n", "a b\nc\n"),
        (">-\n    a\n      b\n    c\n", "a\n  b\nc"),
        ("a\n    b\n", "a b"),
        ('"a\\\n    b"\n', "ab"),
    ],
)
def test_scalars_of_several_lines(written, value):
    for text in (f"- id: x\n  c: {written}", f"- c: {written}- id: y\n"):
        assert read(text)[0]["c"] == value
        assert read(text.replace("\n", "\r\n"))[0]["c"] == value


def test_a_block_at_the_end_of_a_file_without_a_break_has_none():
    assert read("- c: |\n    a") == [{"c": "a"}]


def test_keys_that_are_no_strings_read_as_they_are_spelled():
    assert read("- 1: a\n  true: b\n  ~: c\n  [x, y]: d\n  ? e\n  : f\n") == [
        {"1": "a", "true": "b", "~": "c", "[x, y]": "d", "e": "f"}
    ]


ANCHORED = """\
base: &base {x: 1, y: 2}
tests:
  - id: a
    <<: *base
    y: 3
    messages: &turns
      - role: user
        content: &text hello
  - id: b
    <<: [{x: 9}, *base]
    messages: *turns
    note: *text
again: *text
"""


def test_aliases_and_merges_are_resolved():
    document = YamlDocument.parse(ANCHORED)
    turns = [{"role": "user", "content": "hello"}]
    assert document.read(0) == {"id": "a", "x": 1, "y": 3, "messages": turns}
    assert document.read(1) == {"id": "b", "x": 9, "y": 2, "messages": turns, "note": "hello"}
    assert document.context == {"base": {"x": 1, "y": 2}, "again": "hello"}


def test_an_alias_means_the_last_anchor_before_it():
    text = "- a: &x 1\n  b: *x\n- a: &x 2\n  b: *x\n- b: *x\n"
    assert read(text) == [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"b": 2}]


def test_a_sample_that_is_an_alias():
    assert read("first: &one {id: a}\ntests:\n- *one\n- id: b\n") == [{"id": "a"}, {"id": "b"}]


def test_tags_of_a_directive_hold_for_every_chunk():
    text = "%TAG !e! tag:example.com,2000:\n---\ntests:\n- !e!case {id: a}\n- !e!case\n  id: b\n"
    assert read(text) == [{"id": "a"}, {"id": "b"}]


def test_a_sample_that_is_no_table_is_an_error_of_its_own():
    document = YamlDocument.parse("tests:\n- id: a\n- text\n")
    assert document.read(0) == {"id": "a"}
    with pytest.raises(FormatError, match="must be a mapping"):
        document.read(1)


def test_a_key_given_twice_is_found_and_the_last_one_counts():
    document = YamlDocument.parse("tests:\n- id: a\n  m:\n  - k: 1\n    k: 2\nz: 1\nz: 2\n")
    assert document.read(0) == {"id": "a", "m": [{"k": 2}]}
    (finding,) = document.findings(0)
    assert (finding.rule, finding.severity, finding.node) == ("duplicate-key", "error", ("m", 0, "k"))
    ((note, position),) = document.notes()
    assert (note.rule, note.node, position) == ("duplicate-key", ("z",), Position(7, 1))


def test_only_the_first_document_has_samples():
    text = "tests:\n- id: a\n--- # more\ntests:\n- id: b\n...\n"
    document = YamlDocument.parse(text)
    assert [document.read(index) for index in range(len(document))] == [{"id": "a"}]
    assert document.pieces[-1] == "--- # more\ntests:\n- id: b\n...\n"
    ((note, position),) = document.notes()
    assert (note.rule, note.severity, position) == ("multi-document", "info", Position(3, 1))


def test_an_end_marker_is_not_another_document():
    assert YamlDocument.parse("tests:\n- id: a\n...\n# the end\n").notes() == ()


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("- a: |\n   x", 6), ("- a: >+\n   x", 6), ("- a: |\n   x\n    ", 6), ("tests:\n- a: 1\nnote: |\n  x", 7),
        ("\ufeffnote: >\n  x", 8), ("- a: |-\n   x", None), ("- a: |", None), ("- a: |\n   x\n", None),
        ("- a: |\n   x\n# end", None), ("- a: x", None), ("", None), ("tests:\n- a: 1\n---\n- |\n  x", None),
    ],
)  # fmt: skip
def test_a_text_that_readers_end_differently_is_told(text, column):
    document = YamlDocument.parse(text)
    found = [(note.severity, position) for note, position in document.notes() if note.rule == "break-missing"]
    assert found == (
        [("info", Position(document.text[: document.text.rfind(":")].count("\n") + 1, column))] if column else []
    )


def test_what_is_put_behind_such_a_text_makes_all_readers_end_it_alike():
    document = YamlDocument.parse("- a: |\n   x")
    for splice in (document.insert_sample(1, {"b": 1}), document.edit(0, Set(("b",), 1))):
        after = document.apply(splice)
        assert after.text.startswith("- a: |-\n   x\n")
        assert not after.notes()


def spanned(document, index, path):
    span = document.span(index, path)
    return document.chunk(index)[span.start : span.end]


def test_spans_lead_to_the_text_of_values_and_keys():
    document = YamlDocument.parse(DECK)
    assert spanned(document, 0, ("id",)) == "one"
    assert spanned(document, 0, ("input_messages", 0, "role")) == "user"
    assert spanned(document, 0, ("input_messages", 0, "content")).startswith("|-\n")
    assert spanned(document, 1, ("input_messages", 0)) == '{role: user, content: "hi"}'
    assert spanned(document, 1, ()).startswith("- id: two")
    key = document.key_span(0, ("input_messages", 0, "content"))
    assert document.chunk(0)[key.start : key.end] == "content"
    assert document.position(0, document.span(0, ("input_messages", 0, "role")).start) == Position(7, 15)
    assert document.position(1, document.span(1, ()).start) == Position(11, 3)
    with pytest.raises(PathError, match=r"there is no input_messages\[3\]"):
        document.span(0, ("input_messages", 3, "role"))


def test_spans_of_values_that_stand_elsewhere_are_those_of_the_reference():
    document = YamlDocument.parse(ANCHORED)
    assert spanned(document, 1, ("messages", 0, "role")) == "*turns"
    assert spanned(document, 0, ("x",)) == "*base"


def test_spans_in_brackets():
    document = YamlDocument.parse('{"cases": [{"id": "a"}, {"id": "b"}]}')
    assert spanned(document, 1, ("id",)) == '"b"'
    assert document.position(1, document.span(1, ("id",)).start) == Position(1, 32)


def test_a_key_in_brackets_without_a_colon_has_its_empty_value_behind_it() -> None:
    document = YamlDocument.parse("samples:\n- {id: a, role}\n- {? id , v: 1}\n")
    assert [document.read(index) for index in (0, 1)] == [{"id": "a", "role": None}, {"id": None, "v": 1}]
    assert document.span(0, ("role",)) == Span(14, 14)
    assert document.key_span(0, ("role",)) == Span(10, 14)
    assert document.span(1, ("id",)) == Span(7, 7)


def test_an_alias_below_its_key_stands_where_it_is_written() -> None:
    deck = YamlDocument.parse("- id: &a x\n- id:\n    *a\n")
    span = deck.span(1, ("id",))
    assert deck.chunk(1)[span.start : span.end] == "*a"


def test_decks_are_read_and_edited_the_same_without_libyaml() -> None:
    code = (
        "import sys; sys.modules['yaml.cyaml'] = sys.modules['yaml._yaml'] = None\n"
        "from sampleui.formats.operations import Set\n"
        "from sampleui.formats.yaml import YamlDocument\n"
        "deck = YamlDocument.parse('- id: &a x # c\\n  l: [1, *a]\\n')\n"
        "print(deck.apply(deck.edit(0, Set(('l', 0), 'two: 2'))).text)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (told.stdout, told.stderr) == ('- id: &a x # c\n  l: ["two: 2", *a]\n\n', "")


def test_samples_change_places_where_the_last_one_has_no_line_end() -> None:
    deck = YamlDocument.parse("- id: a\r\n- id: b")
    assert deck.apply(deck.move_sample(1, 0)).text == "- id: b\r\n- id: a"


@pytest.mark.parametrize("digits", [4000, 4001])
def test_a_text_of_digits_is_quoted_however_many(digits: int) -> None:
    deck = YamlDocument.parse("- id: x\n")
    assert deck.apply(deck.edit(0, Set(("id",), "1" * digits))).text == f'- id: "{"1" * digits}"\n'


@pytest.mark.parametrize("text", ["other: 1\n", "null\n", "&a x: 1\n", "# nothing\n"])
def test_a_table_without_samples_and_nothing_are_no_values_in_place_of_a_deck(text: str) -> None:
    assert not YamlDocument.parse(text).notes()
    assert YamlDocument.parse("5\n").notes()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- a:\n    - x\n  b: 1\n", "\n    - x"), ("- a:\n  b: 1\n", ""), ("- a:  1\n", "1"), ("- {a: }\n", ""),
        ("- a: # c\n    x: 1\n", " # c\n    x: 1"), ("- a: &x\n    - 1\n", "\n    - 1"), ("- a: &x [1]\n", "[1]"),
    ],
)  # fmt: skip
def test_a_value_on_lines_of_its_own_begins_behind_its_key(text, value):
    assert spanned(YamlDocument.parse(text), 0, ("a",)) == value
