"""What edits of YAML decks write: the style a value had, the layout of its neighbours, and why some are refused."""

import datetime as dt
import json

import pytest
import yaml

from sampleui.errors import EditRefusedError
from sampleui.formats.operations import Insert, Rename, Set
from sampleui.formats.yaml import YamlDocument
from sampleui.text.position import TextEdit

from .by_name import splice_of

TURN = {"role": "user", "content": "hi"}
LINES = {"role": "user", "content": "one:\n\n  two"}


def edited(text, deed, *arguments):
    """Return a deck's text after an edit of its first sample."""
    document = YamlDocument.parse(text)
    if not deed.endswith("_sample"):
        arguments = (0, *arguments)
    after = document.apply(splice_of(document, deed, *arguments))
    again = YamlDocument.parse(after.text)
    assert [again.read(index) for index in range(len(again))] == [after.read(index) for index in range(len(after))]
    return after.text


def content(written, value):
    """Return how a content is written after it was set, a key behind it left as it was."""
    text = edited(f"tests:\n  - content: {written}\n    z: 1  # kept\n", "set", ("content",), value)
    assert text.startswith("tests:\n  - content:")
    assert text.endswith("\n    z: 1  # kept\n")
    return text.removeprefix("tests:\n  - content:").removesuffix("\n    z: 1  # kept\n").removeprefix(" ")


@pytest.mark.parametrize(
    ("written", "value", "after"),
    [
        ("old  # why", "new text", "new text  # why"),
        ("old", "yes", '"yes"'), ("old", "on", '"on"'), ("old", "1e3", '"1e3"'), ("old", "0o14", '"0o14"'),
        ("old", "~", '"~"'), ("old", "", '""'), ("old", "2001-01-01", '"2001-01-01"'), ("old", "1:30", '"1:30"'),
        ("old", "a: b", '"a: b"'), ("old", "a #b", '"a #b"'), ("old", "- a", '"- a"'), ("old", " a", '" a"'),
        ("old", "a\tb", '"a\\tb"'), ("old", "it's 5 o'clock", "it's 5 o'clock"), ("old", "[x", '"[x"'),
        ("old", "a\nb", "|-\n      a\n      b"), ("old", "a\nb\n", "|\n      a\n      b"),
        ("old", "a\n\n", "|+\n      a\n"), ("old", "  a\nb", "|2-\n        a\n      b"),
        ("old  # why", "a\nb", '"a\\nb"  # why'),
        ("old", "a\rb", '"a\\rb"'), ("old", "a\u2028\x00\x1b\ufeff", '"a\\u2028\\u0000\\u001b\\ufeff"'),
        ("'old'", "it's", "'it''s'"), ("'old'", "yes", "'yes'"), ("'old'", "a\nb", "|-\n      a\n      b"),
        ('"old"', "new", '"new"'), ('"old"', "a\nb", '"a\\nb"'), ('"old"', "é 🙂", '"é 🙂"'),
        ("5", "five", "five"), ("5", 6, "6"), ("5", 1e22, "1.0e+22"), ("old", True, "true"), ("old", None, "null"),
        ("old", ["a", {"b": 1}], '\n      - a\n      - b: 1'), ("[a, b]", ["c"], "[c]"),
        ("{}", {"a": 1}, "\n      a: 1"),
        ("old", [], "[]"), ("\n      - a", "flat", "flat"), ("  # why\n      - a", "flat", "flat   # why"),
    ],
)  # fmt: skip
def test_a_value_keeps_its_style_or_takes_the_next_richer_one(written, value, after):
    assert content(written, value) == after


@pytest.mark.parametrize(
    ("written", "value", "after"),
    [
        ("|-\n      a\n      b", "a\nc", "|-\n      a\n      c"),
        ("|  # note\n      a", "b\n", "|  # note\n      b"),
        ("|  # note\n      a", "b", "|-  # note\n      b"),
        ("|-  # note\n      a", "b\n\n", "|+  # note\n      b\n"),
        ("|+\n      a\n", "b\n", "|+\n      b"),
        ("|2-\n        a", "  b", "|2-\n        b"),
        ("|-\n          far\n          in", "far\nout", "|-\n          far\n          out"),
        ("|-\n      a\n  \n\n      b", "a\n\n\nc", "|-\n      a\n  \n\n      c"),
        ("|-\n      a", "b\rc", '"b\\rc"'),
        ("|-  # note\n      a", 5, "5  # note"),
        (">-\n      some words\n      more words\n\n      next", "some words or words\nnext",
         ">-\n      some words\n      or words\n\n      next"),
        (">\n      some words\n      more words", "some words\n  in\nmore\n",
         ">\n      some words\n        in\n      more"),
        ("some words\n      more words", "some words no words", "some words\n      no words"),
        ("'some\n      it''s'", "some it isn't", "'some\n      it isn''t'"),
    ],
)  # fmt: skip
def test_lines_that_did_not_change_stay_as_they_were_written(written, value, after):
    assert content(written, value) == after


def test_line_ends_and_the_mark_of_a_file_are_kept():
    text = "\ufefftests:\r\n  - content: old\r\n    m: []\r\n"
    after = edited(text, "set", ("content",), "a\nb")
    assert after == "\ufefftests:\r\n  - content: |-\r\n      a\r\n      b\r\n    m: []\r\n"
    assert edited(text, "insert", ("m", 0), TURN).endswith(
        "    m:\r\n      - role: user\r\n        content: hi\r\n"
    )


def test_the_end_of_a_file_without_a_break():
    text = "- id: a\n  c: |\n    x"
    assert edited(text, "set", ("c",), "y") == "- id: a\n  c: |-\n    y"
    assert edited(text, "set", ("c",), "y\n") == "- id: a\n  c: |\n    y\n"
    assert edited(text, "set", ("id",), "b") == "- id: b\n  c: |\n    x"
    assert edited(text, "set", ("new",), 1) == "- id: a\n  c: |-\n    x\n  new: 1"
    assert edited(text, "insert_sample", 1, {"id": "b"}) == "- id: a\n  c: |-\n    x\n\n- id: b"
    assert edited("- id: a\n  c: |\n    x\n- id: b", "delete_sample", 1) == "- id: a\n  c: |\n    x\n"


def test_a_block_that_keeps_breaks_does_not_take_those_of_its_new_place():
    text = "- m:\n  - |+\n    a\n  - b\n\n# next\n- m: []\n"
    assert edited(text, "delete", ("m", 1)) == "- m:\n  - |\n    a\n\n# next\n- m: []\n"
    assert edited(text, "delete", ("m", 0)) == "- m:\n  - b\n\n# next\n- m: []\n"


TURNS = """\
- id: a
  messages:
    # the first
    - role: user  # u
      content: one

    # apart

    # the second
    - role: assistant
      content: two
      # still the second
  z: 1
"""


def test_comments_go_with_the_turn_they_belong_to():
    assert edited(TURNS, "move", ("messages", 0), 1) == (
        "- id: a\n  messages:\n"
        "    # the second\n    - role: assistant\n      content: two\n      # still the second\n"
        "\n    # apart\n\n"
        "    # the first\n    - role: user  # u\n      content: one\n  z: 1\n"
    )
    assert edited(TURNS, "delete", ("messages", 0)) == (
        "- id: a\n  messages:\n    # apart\n\n"
        "    # the second\n    - role: assistant\n      content: two\n      # still the second\n  z: 1\n"
    )
    assert edited(TURNS, "delete", ("messages", 1)) == (
        "- id: a\n  messages:\n    # the first\n    - role: user  # u\n      content: one\n\n    # apart\n  z: 1\n"
    )
    assert edited(TURNS, "insert", ("messages", 1), LINES) == TURNS.replace(
        "one\n", "one\n\n    - role: user\n      content: |-\n        one:\n\n          two\n", 1
    )


@pytest.mark.parametrize(
    ("text", "deed", "arguments", "after"),
    [
        ("- m: [{role: user, content: a}]\n", "insert", (("m", 1), TURN),
         "- m: [{role: user, content: a}, {role: user, content: hi}]\n"),
        ('- {"m": [{"role": "user"}]}\n', "insert", (("m", 0), {"role": "x\ny"}),
         '- {"m": [{"role": "x\\ny"}, {"role": "user"}]}\n'),
        ("- m: [\n    a,  # x\n    b\n  ]\n", "insert", (("m", 2), "c"),
         "- m: [\n    a,  # x\n    b,\n    c\n  ]\n"),
        ("- m: [\n    a,  # x\n    b\n  ]\n", "move", (("m", 0), 1), "- m: [\n    b,\n    a  # x\n  ]\n"),
        ("- m: [a, b, c]\n", "delete", (("m", 2),), "- m: [a, b]\n"),
        ("- m: [a, b, ]\n", "delete", (("m", 1),), "- m: [a, ]\n"),
        ("- m: [a]\n", "delete", (("m", 0),), "- m: []\n"),
        ("- m:\n  - a\n", "delete", (("m", 0),), "- m: []\n"),
        ("- m: []  # none\n", "insert", (("m", 0), "a"), "- m:\n    - a  # none\n"),
        ("- m:\n  - {role: user}\n", "insert", (("m", 1), TURN),
         "- m:\n  - {role: user}\n  - {role: user, content: hi}\n"),
        ("- - a\n  - b\n", "set", ((), {"id": 1}), None),
        ("- role: a\n  x: b\n", "delete", (("role",),), "- x: b\n"),
        ("- a: {b: 1}\n", "set", (("a", "c"), "x, y"), '- a: {b: 1, c: "x, y"}\n'),
        ("- a:\n    b: 1\n", "set", (("a", "c"), [1, [2]]), "- a:\n    b: 1\n    c:\n      - 1\n      - - 2\n"),
        ("- a: 1\n", "set", (("yes",), ""), '- a: 1\n  "yes": ""\n'),
        ("-   id: a\n    m:\n    -   role: x\n", "insert", (("m", 1), LINES),
         "-   id: a\n    m:\n    -   role: x\n    -   role: user\n        content: |-\n"
         "          one:\n\n            two\n"),
    ],
)  # fmt: skip
def test_items_and_keys_in_the_layout_of_their_neighbours(text, deed, arguments, after):
    if after is None:
        assert len(YamlDocument.parse(text)) == 0
    else:
        assert edited(text, deed, *arguments) == after


DECK = "tests:\n  # one\n  - id: a\n    m:\n    - role: x\n\n  # two\n  - id: b\nz: 1\n"


@pytest.mark.parametrize(
    ("empty", "filled"),
    [
        ("[  # kept\n      ]", "[  # kept\n      x\n      ]"),
        ("\n      # kept\n      []", "\n      # kept\n      [x]"),
        ("{  # kept\n      }", "{  # kept\n      k: x\n      }"),
        ("\n      # kept\n      {}", "\n      # kept\n      {k: x}"),
    ],
)
def test_the_first_entry_of_empty_brackets_keeps_their_comments(empty, filled):
    text = "samples:\n  - id: a\n    some: {}\n    score: 1\n"
    document = YamlDocument.parse(text.replace(" {}", f" {empty}".replace(" \n", "\n")))
    edit = document.edit(0, Set(("some", "k"), "x")) if "{" in empty else document.edit(0, Insert(("some", 0), "x"))
    assert document.apply(edit).text == text.replace(" {}", f" {filled}".replace(" \n", "\n"))


def test_whole_samples_take_their_comments_along():
    assert edited(DECK, "move_sample", 0, 1) == (
        "tests:\n  # two\n  - id: b\n\n  # one\n  - id: a\n    m:\n    - role: x\nz: 1\n"
    )
    assert edited(DECK, "delete_sample", 0) == "tests:\n  # two\n  - id: b\nz: 1\n"
    assert edited(DECK, "delete_sample", 1) == "tests:\n  # one\n  - id: a\n    m:\n    - role: x\nz: 1\n"
    assert edited(DECK, "insert_sample", 2, {"id": "c", "m": [TURN]}) == DECK.replace(
        "z: 1", "\n  - id: c\n    m:\n    - role: user\n      content: hi\nz: 1"
    )
    assert edited(DECK, "insert_sample", 0, {"id": "c", "m": [TURN]}) == DECK.replace(
        "  # one", "  - id: c\n    m:\n    - role: user\n      content: hi\n\n  # one"
    )


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("tests: []  # none\nz: 1\n", "tests:  # none\n  - id: q\nz: 1\n"),
        ("tests:\nz: 1\n", "tests:\n  - id: q\nz: 1\n"),
        ("tests: ~", "tests:\n  - id: q"),
        ("z: 1\n---\nb: 2\n", "z: 1\ntests:\n  - id: q\n---\nb: 2\n"),
        ("", "tests:\n  - id: q\n"),
        ("[]\n", "- id: q\n"),
        ('{"tests": []}', '{"tests": [{"id": "q"}]}'),
    ],
)
def test_the_first_sample_of_a_file(text, after):
    assert edited(text, "insert_sample", 0, {"id": "q"}) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("tests:  # all\n- id: q\nz: 1\n", "tests: []  # all\nz: 1\n"),
        ("tests: [{id: q}]\n", "tests: []\n"),
        ("- id: q\n", "[]\n"),
        ("tests:\n- id: q", "tests: []"),
        ("samples:\n  a:\n    x: 1\n", "samples: []\n"),
    ],
)
def test_the_last_sample_of_a_file(text, after):
    assert edited(text, "delete_sample", 0) == after


def test_named_samples_come_and_go_with_their_names():
    text = "samples:\n  a:\n    x: 1\n  b:\n    x: 2\n"
    assert edited(text, "insert_sample", 1, {"id": "c: d", "x": 3}) == text.replace(
        "  b:", '  "c: d":\n    x: 3\n  b:'
    )
    assert edited(text, "move_sample", 1, 0) == "samples:\n  b:\n    x: 2\n  a:\n    x: 1\n"
    with pytest.raises(EditRefusedError, match="'a' already"):
        edited(text, "insert_sample", 0, {"id": "a"})
    with pytest.raises(EditRefusedError, match="needs an id"):
        edited(text, "insert_sample", 0, {"x": 1})


ANCHORED = """\
base: &base {x: 1}
text: &text hello
tests:
  - id: a
    <<: *base
    m: &m
      - role: user
        content: *text
    own: &own [1]
  - id: b
    m: *m
  - &c
    id: c
"""


@pytest.mark.parametrize(
    ("deed", "arguments", "reason"),
    [
        ("set", (0, ("x",), 2), "merged in with <<"),
        ("delete", (0, ("x",)), "merged in with <<"),
        ("set", (0, ("m", 0, "content"), "new"), r"m\[0\].content is an alias of \*text"),
        ("set", (0, ("m", 0, "role"), "new"), "anchor &m is used elsewhere"),
        ("insert", (0, ("m", 0), TURN), "anchor &m is used elsewhere"),
        ("delete", (0, ("m",)), "anchor &m is used elsewhere"),
        ("set", (1, ("m",), []), r"m is an alias of \*m"),
        ("move", (1, ("m", 0), 0), r"m is an alias of \*m"),
        ("delete_sample", (0,), "anchor &m is used elsewhere"),
        ("move_sample", (0, 1), "anchor &m is used elsewhere"),
    ],
)
def test_edits_that_other_text_depends_on_are_refused_with_the_reason(deed, arguments, reason):
    document = YamlDocument.parse(ANCHORED)
    with pytest.raises(EditRefusedError, match=reason):
        splice_of(document, deed, *arguments)


def test_what_an_anchor_does_not_hold_stays_editable():
    assert edited(ANCHORED, "set", ("id",), "new") == ANCHORED.replace("id: a", "id: new")
    assert edited(ANCHORED, "set", ("own", 0), 2) == ANCHORED.replace("&own [1]", "&own [2]")
    assert edited(ANCHORED, "set", ("own",), "x") == ANCHORED.replace("&own [1]", "&own x")
    assert edited(ANCHORED, "set", ("new",), 2) == ANCHORED.replace("&own [1]\n", "&own [1]\n    new: 2\n")
    assert edited(ANCHORED, "delete_sample", 2) == ANCHORED.replace("  - &c\n    id: c\n", "")
    assert edited(ANCHORED, "move_sample", 2, 1).endswith("  - &c\n    id: c\n  - id: b\n    m: *m\n")


def test_edits_under_a_key_given_twice_are_refused_and_others_are_not():
    text = "- id: a\n  k: {x: 1}\n  k: {x: 2}\n"
    for deed, arguments in (("set", (("k",), 3)), ("set", (("k", "x"), 3)), ("delete", (("k",),))):
        with pytest.raises(EditRefusedError, match="'k' is given more than once"):
            edited(text, deed, *arguments)
    assert edited(text, "set", ("id",), "b") == text.replace("id: a", "id: b")


def test_values_with_tags_of_their_own_are_refused_and_core_tags_kept():
    text = "- !case\n  v: !mine 5\n  s: !!str 5\n"
    with pytest.raises(EditRefusedError, match="it has the tag !mine"):
        edited(text, "set", ("v",), "6")
    assert edited(text, "set", ("s",), "6") == '- !case\n  v: !mine 5\n  s: !!str "6"\n'
    assert edited(text, "set", ("new",), 1) == text + "  new: 1\n"


def test_documents_after_the_first_are_left_alone():
    text = "tests:\n- id: a\n---\ntests:\n- id: b\n"
    assert edited(text, "insert_sample", 1, {"id": "c"}) == text.replace("a\n", "a\n\n- id: c\n")
    assert edited(text, "delete_sample", 0) == "tests: []\n---\ntests:\n- id: b\n"


def test_dates_are_refused():
    with pytest.raises(EditRefusedError, match="YAML has no date"):
        edited("- id: a\n", "set", ("id",), dt.date(2024, 1, 1))


def test_a_file_with_no_room_for_samples():
    for text, reason in (("tests: ./x.yaml\n", "'tests' holds something other"), ("text\n", "neither a list nor")):
        with pytest.raises(EditRefusedError, match=reason):
            edited(text, "insert_sample", 0, {"id": "q"})


@pytest.mark.parametrize("text", ["A?", "why? because", "a?b", "?", "? x"])
def test_a_question_in_brackets_is_quoted(text):
    document = YamlDocument.parse("- {id: a, tags: [x]}\n")
    for splice in (
        document.edit(0, Set(("id",), text)),
        document.edit(0, Set((text,), 1)),
        document.edit(0, Insert(("tags", 1), text)),
        document.edit(0, Rename(("id",), text)),
    ):
        after = document.apply(splice)
        assert yaml.load(after.text, yaml.SafeLoader) == [after.read(0)]
        assert json.dumps(text) in after.text


def test_no_edit_brings_in_a_plain_question_in_brackets():
    document = YamlDocument.parse("- {id: a, old: b?}\n")
    assert document.apply(document.edit(0, Set(("id",), "c"))).text == "- {id: c, old: b?}\n"


@pytest.mark.parametrize("blank", ["", "\n", "\n\n", "  \n"])
@pytest.mark.parametrize("behind", ["", "- id: b\n", "# tail\n", "---\nother: 1\n"])
def test_a_sample_is_put_behind_a_block_that_keeps_its_breaks(blank, behind):
    text = f"- id: a\n  note: |+\n    x\n{blank}"
    written = edited(text + behind, "insert_sample", 1, {"id": "new"})
    assert written == f"{text}- id: new\n{behind}"


@pytest.mark.parametrize("blank", ["", "\n", "\n\n"])
def test_a_key_is_put_behind_a_block_that_keeps_its_breaks(blank):
    text = f"- id: a\n\n  score: 1\n\n  note: |+\n    x\n{blank}"
    assert edited(text + "- id: b\n", "set", ("new",), 2) == f"{text}  new: 2\n- id: b\n"


def test_a_refusal_says_what_the_plainest_text_would_read_as():
    wrong = ["- {id: b}\n", "- {id: [}\n"]
    for texts, why in (
        (wrong, "sample 1 would read as something else"),
        (wrong[1:], "did not find"),
        ([], "no way"),
    ):

        class Offers(YamlDocument):
            offered = texts

            def _set(self, index, path, value):
                return iter([TextEdit(0, len(self.chunk(index)), text) for text in self.offered])

        with pytest.raises(EditRefusedError, match=f"^cannot set id: .*{why}"):
            Offers.parse("- {id: a}\n").edit(0, Set(("id",), "c"))


@pytest.mark.parametrize(
    "text",
    ["a\nb\n", "one\n x\ny\n", "a\n\n b c\n\nd\n", "w " * 60 + "end\n x\nlast one\n", "\tt\na\n"],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_folded_text_takes_short_lines_and_lines_that_stand_in(text: str, newline: str) -> None:
    written = "- t: >\n    first paragraph\n    goes on\n\n    second\n  z: 1\n".replace("\n", newline)
    document = YamlDocument.parse(written)
    after = document.apply(document.edit(0, Set(("t",), text)))
    assert yaml.safe_load(after.text) == [{"t": text, "z": 1}]
    assert after.apply(after.edit(0, Set(("t",), document.read(0)["t"]))).read(0) == document.read(0)


def test_a_text_that_needs_a_last_break_brings_one_where_the_file_ends_without():
    for old in ("1", '""', "[1]"):
        assert edited(f"- a: {old}", "set", ("a",), "x\ny\n") == "- a: |\n    x\n    y\n"
        assert edited(f"- a: {old}", "set", ("a",), "x\ny") == "- a: |-\n    x\n    y"


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("ONE two three four five", ["ONE two", "three", "four five"]),
        ("one two three four FIVE", ["one two", "three", "four FIVE"]),
        ("one two 3 four five", ["one two", "3", "four five"]),
        ("one two four five", ["one two", "four five"]),
        ("one two three four five six", ["one two", "three", "four five", "six"]),
        ("one two three", ["one two", "three"]),
        ("one two three four five " * 2 + "six", ["one two", "three", "four five", "one two three four five six"]),
        ("one two three and four five", ["one two", "three", "and", "four five"]),
    ],
)
def test_a_folded_text_keeps_its_lines_on_both_sides_of_a_change(value, lines):
    text = edited("- t: >-\n    one two\n    three\n    four five\n", "set", ("t",), value)
    assert text == "- t: >-\n" + "".join(f"    {line}\n" for line in lines)


def test_a_folded_text_is_as_wide_as_it_was():
    words = "word " * 30 + "end"
    assert edited("- t: >-\n    one\n", "set", ("t",), words) == f"- t: >-\n    {words}\n"
    lines = edited("- t: >-\n    one\n    two\n", "set", ("t",), words).splitlines()[1:]
    assert len(lines) > 3 and max(map(len, lines)) <= 44


def test_a_paragraph_between_others_that_change_stays_as_it_is():
    text = edited("- t: >-\n    one\n\n    a\tb\n    c\n\n    two\n", "set", ("t",), "1\na\tb c\n2")
    assert text == "- t: >-\n    1\n\n    a\tb\n    c\n\n    2\n"
    text = edited("- t: >-\n    one\n\n    a\tb\n\n    two\n", "set", ("t",), "1\na\tb\n2")
    assert text == "- t: >-\n    1\n\n    a\tb\n\n    2\n"


def test_blank_lines_between_paragraphs_are_as_many_as_are_meant():
    text = edited("- t: >-\n    one\n\n    two\n", "set", ("t",), "1\n\n\n2\n  in\n\nout")
    assert text == "- t: >-\n    1\n\n\n\n    2\n      in\n\n    out\n"


def test_a_block_in_a_list_stands_in_from_its_dash_by_two():
    text = "- t:\n  - one\n  - 2\n"
    assert edited(text, "set", ("t", 0), "a\nb") == "- t:\n  - |-\n    a\n    b\n  - 2\n"
    assert edited(text, "set", ("t", 1), "a\nb") == "- t:\n  - one\n  - |-\n    a\n    b\n"


def test_a_comment_that_moves_inside_brackets_ends_as_the_lines_of_the_file_do():
    document = YamlDocument.parse("[{id: a}, {id: b}  # c\r\n]")
    after = document.apply(document.move_sample(0, 1)).text
    assert after.replace("\r\n", "").count("\n") == 0
    assert [one["id"] for one in yaml.safe_load(after)] == ["b", "a"]
