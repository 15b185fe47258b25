"""What an edit accepts a save writes, and the strictest readers read; what cannot be so is refused at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import yaml

from sampleui.deck.model import DeckFile, Disk
from sampleui.deck.save import prove
from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats import whole_file
from sampleui.formats.data import Plain
from sampleui.formats.document import Document, Splice
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.json.lines import JsonlDocument
from sampleui.formats.operations import Delete, Insert, Move, Rename, Set
from sampleui.formats.registry import BY_NAME
from sampleui.formats.toml import TomlDocument
from sampleui.formats.yaml import YamlDocument
from sampleui.formats.yaml.single_sample import CaseDocument


def edited(before: Document, edit: Callable[[Document], Splice]) -> str:
    """Return the text that an edit leaves, which a save would write."""
    after = before.apply(edit(before))
    prove(DeckFile(Path("deck"), after, Disk(before, None)))
    return after.text


@pytest.mark.parametrize(
    ("written", "value", "now"),
    [
        ("!!int 12", "abc", "abc"),
        ("!!int 12", 13, "!!int 13"),
        ("!!str 12", ["a"], "[a]"),
        ("!!str 12", 13, "13"),
        ("!!str 12", "x", "!!str x"),
        ("!!null", "text", "text"),
        ("&a !!null ~", True, "&a true"),
        ("!!float 1", 2, "2"),
        ("!!seq [1]", [2], "!!seq [2]"),
        ("!!seq [1]", {"b": 2}, "{b: 2}"),
    ],
)
def test_a_tag_stays_only_with_its_kind_of_value(written: str, value: Plain, now: str) -> None:
    text = edited(YamlDocument.parse(f"tests:\n- n: {written}\n"), lambda deck: deck.edit(0, Set(("n",), value)))
    assert text == f"tests:\n- n: {now}\n"
    assert yaml.safe_load(text) == {"tests": [{"n": value}]}


def test_a_comment_never_touches_what_stands_before_it() -> None:
    deck = YamlDocument.parse("tests: [{id: a},\n  # note\n  {id: b}]\n")
    assert edited(deck, lambda deck: deck.delete_sample(0)) == "tests: [ # note\n  {id: b}]\n"
    assert "[#" not in edited(deck, lambda deck: deck.move_sample(1, 0))


@pytest.mark.parametrize(
    ("table", "now"),
    [("{ a: b, ? }", "{ a: b, ? new }"), ("{ !!str : b }", "{ !!str new : b }")],
)
def test_an_empty_key_gets_a_name_apart_from_what_stands_before_it(table: str, now: str) -> None:
    deck = YamlDocument.parse(f"tests:\n- n: {table}\n")
    assert edited(deck, lambda deck: deck.edit(0, Rename(("n", ""), "new"))) == f"tests:\n- n: {now}\n"


def test_a_tag_that_holds_a_place_open_cannot_go() -> None:
    deck = YamlDocument.parse("tests:\n- n: { a: !!str , !!str : b }\n")
    for key in ("a", ""):
        try:
            text = edited(deck, partial(YamlDocument.edit, index=0, operation=Set(("n", key), 1)))
        except EditRefusedError as error:
            assert "its tag" in str(error)
        else:
            assert yaml.safe_load(text)["tests"][0]["n"][key] == 1


@pytest.mark.parametrize("lead", ["tests:\n- n: 1\n  ", "messages: []\n", "tests:\n- n: 1\nmore:\n  "])
def test_an_empty_text_leaves_no_block_to_a_comment_that_is_indented_behind_it(lead: str) -> None:
    inner = " " * (len(lead.rpartition("\n")[2]) + 1)
    text = f"{lead}k: |-\n{inner} # text\n{inner} \n{inner}# comment\n"
    deck = BY_NAME["yaml"].parse(text)
    if lead.startswith("tests") and "more" in lead:
        after = deck.apply(whole_file.edited(deck, Set(("more", "k"), ""))).text
    else:
        after = edited(deck, lambda deck: deck.edit(0, Set(("k",), "")))
    assert after == f'{lead}k: ""\n{inner} \n{inner}# comment\n'


@pytest.mark.parametrize("lead", ["messages: []\n", "tests:\n- n: 1\n"])
def test_no_brackets_come_behind_a_tab_in_a_file_of_one_sample_or_beside_samples(lead: str) -> None:
    deck = BY_NAME["yaml"].parse(f"{lead}k:\t|\n  a\n")
    with pytest.raises(EditRefusedError):
        if lead.startswith("tests"):
            whole_file.edited(deck, Set(("k",), []))
        else:
            deck.edit(0, Set(("k",), []))


@pytest.mark.parametrize("value", ["a: b", [], {"a": 1}])
def test_a_tab_in_brackets_never_comes_to_stand_where_some_readers_refuse_it(value: Plain) -> None:
    with pytest.raises(EditRefusedError, match="by every reader"):
        edited(YamlDocument.parse("tests:\n- n: [x\t]\n"), lambda deck: deck.edit(0, Set(("n", 0), value)))
    lines = YamlDocument.parse("tests:\n- n: [x\t # c\n    ]\n  m: a\tb\n")
    edited(lines, lambda deck: deck.edit(0, Set(("n", 0), value)))


@pytest.mark.parametrize("value", ["a: b", [], {"a": 1}])
def test_a_file_that_is_one_case_is_read_by_strict_readers_after_an_edit_too(value: Plain) -> None:
    with pytest.raises(EditRefusedError, match="by every reader"):
        edited(CaseDocument.parse("id: a\nn: [x\t]\n"), lambda case: case.edit(0, Set(("n", 0), value)))
    lines = CaseDocument.parse("id: a\nn: [x\t # c\n    ]\nm: a\tb\n")
    assert CaseDocument.parse(edited(lines, lambda case: case.edit(0, Set(("n", 0), value)))).read(0)["n"] == [
        value
    ]


@pytest.mark.parametrize(
    ("text", "edit", "now"),
    [
        ("[{id: a},\t# c\n  {id: b}]", lambda deck: deck.delete_sample(1), "[{id: a}\t# c\n ]"),
        ("\t[\n  {id: a}]", lambda deck: deck.delete_sample(0), "\t[\n  ]"),
        ("[ {id: a\n  }, {id: b}, {id: c}\t]", lambda deck: deck.delete_sample(0), None),
        ("[\n {id: a}, # x\n  {id: b},]", lambda deck: deck.move_sample(0, 1), "[\n  {id: b},\n {id: a}, # x\n ]"),
    ],
)
def test_in_brackets_nothing_comes_to_stand_where_strict_readers_miss_an_indentation(
    text: str, edit: Callable[[Document], Splice], now: str | None
) -> None:
    deck = YamlDocument.parse(f"tests:{text}\n" if text[0] == "\t" else f"tests: {text}\n")
    if now is not None:
        assert edited(deck, edit).removeprefix("tests:").lstrip(" ") == f"{now}\n"
        return
    with pytest.raises(EditRefusedError, match="by every reader"):
        edited(deck, edit)


def test_brackets_that_begin_behind_a_tab_hold_nothing_on_their_line() -> None:
    deck = YamlDocument.parse("tests:\n- n:\t[\n   x]\n")
    assert edited(deck, lambda deck: deck.edit(0, Set(("n",), [1]))) == "tests:\n- n: [1]\n"


def test_a_tab_that_begins_a_line_in_brackets_is_read_as_in_the_whole_file() -> None:
    deck = YamlDocument.parse('tests: [{id: a, n: "x"\n\t}]\n')
    with pytest.raises(EditRefusedError):
        edited(deck, lambda deck: deck.edit(0, Set(("n",), 12)))


@pytest.mark.parametrize(
    ("text", "edit", "now"),
    [
        ("[a, b, # c\n    d]", lambda deck: deck.edit(0, Insert(("n", 2), 1)), "[a, b, # c\n    1,\n    d]"),
        ("{x: 1 # c\n    }", lambda deck: deck.edit(0, Set(("n", "z"), 2)), "{x: 1, # c\n      z: 2\n    }"),
        ("[a, b # c\n    ]", lambda deck: deck.edit(0, Move(("n", 1), 0)), "[b, # c\n          a\n    ]"),
        ("[a, b, # c\n    d]", lambda deck: deck.edit(0, Move(("n", 1), 2)), "[a, d,\n         b # c\n         ]"),
    ],
)
def test_nothing_in_brackets_falls_into_the_comment_before_it(
    text: str, edit: Callable[[Document], Splice], now: str
) -> None:
    assert edited(YamlDocument.parse(f"- n: {text}\n"), edit) == f"- n: {now}\n"


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("- {a: [1],\n# c\n\n  b: 2}\n", "- {a: [1],\n# c\n  }\n"),
        ("- {a: x, # d\n# c\n\n  b: 2}\n", "- {a: x, # d\n# c\n  }\n"),
        ("- {a: [1],\n\n# c\n\n  b: 2}\n", "- {a: [1]\n\n# c\n  }\n"),
        ("- {a: [1],\n  # c\n\n  b: 2}\n", "- {a: [1]\n  # c\n  }\n"),
    ],
)
def test_a_comment_that_begins_the_line_below_an_entry_in_braces_has_a_comma_before_it(text: str, now: str) -> None:
    assert edited(YamlDocument.parse(text), lambda deck: deck.edit(0, Delete(("b",)))) == now


def test_a_value_never_comes_to_stand_above_a_comment_that_begins_a_line_in_braces() -> None:
    with pytest.raises(EditRefusedError, match="by every reader"):
        YamlDocument.parse("- x: {a:\n# c\n  }\n").edit(0, Set(("x", "a"), 1))
    deck = YamlDocument.parse("- x: [[1],\n# c\n\n     2]\n")  # in lists all readers take it
    assert edited(deck, lambda deck: deck.edit(0, Delete(("x", 1)))) == "- x: [[1]\n# c\n     ]\n"


def test_a_bracket_behind_the_last_sample_stays_indented() -> None:
    deck = YamlDocument.parse("tests: [ # c\n  {id: a}]\n")
    assert edited(deck, lambda deck: deck.delete_sample(0)) == "tests: [ # c\n  ]\n"


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("tests:\n- n: a\n\n    # deep\n- n: 2\n", lambda deck: deck.edit(0, Set(("n",), "a\nb\n"))),
        ("tests:\n- n: a\n\n    # deep\n", lambda deck: deck.edit(0, Set(("n",), "a\nb\n"))),
        ("tests:\n- n: a\n   ", lambda deck: deck.edit(0, Set(("n",), "a\nb\n\n"))),
        ("tests: [\n  {id: a}, # one\n  {id: b} ]\n", lambda deck: deck.delete_sample(1)),
        ("tests:\n- n: |\n   x\n\n     # deep\n- n: 2\n- n: 3\n", lambda deck: deck.delete_sample(1)),
    ],
)
def test_the_seams_of_pieces_are_proved(text: str, edit: Callable[[Document], Splice]) -> None:
    edited(YamlDocument.parse(text), edit)


def test_what_would_be_no_deck_is_refused() -> None:
    lone = JsonDocument.parse('{"messages": [], "id": "a"}')
    with pytest.raises(EditRefusedError, match="only its messages"):
        lone.edit(0, Delete(("messages",)))
    with pytest.raises(EditRefusedError, match="only its messages"):
        lone.edit(0, Set(("messages",), {}))
    with pytest.raises(EditRefusedError, match="no longer be a deck"):
        JsonlDocument.parse('5\n{"id": 1}\n').delete_sample(1)


@pytest.mark.parametrize("deck", [TomlDocument.parse("[[samples]]\nx = 1\n"), YamlDocument.parse("- x: 1\n")])
@pytest.mark.parametrize("value", ["\ud800", ["a", {"k": "b\udfff"}], {"\ud800": 1}])
def test_half_a_surrogate_pair_is_refused(deck: Document, value: Plain) -> None:
    with pytest.raises(EditRefusedError, match="surrogate"):
        deck.edit(0, Set(("x",), value))
    with pytest.raises(EditRefusedError, match="surrogate"):
        deck.edit(0, Set(("\udabc",), 1))


@pytest.mark.parametrize("value", [1 << 63, -(1 << 63) - 1])
def test_toml_has_integers_of_64_bits(value: int) -> None:
    deck = TomlDocument.parse("[[samples]]\nx = 1\n")
    assert str(value // 2) in edited(deck, lambda deck: deck.edit(0, Set(("x",), value // 2)))
    with pytest.raises(EditRefusedError, match="64 bits"):
        deck.edit(0, Set(("x",), value))


def test_a_sample_goes_from_among_others_and_other_tables_stay() -> None:
    text = "[samples.a]\nx = 1\n[[list]]\ny = 1\n[samples.a.sub]\nz = 1\n\n[samples.b]\nx = 2\n"
    deck = TomlDocument.parse(text)
    assert edited(deck, lambda deck: deck.delete_sample(0)) == "[[list]]\ny = 1\n\n[samples.b]\nx = 2\n"


@pytest.mark.parametrize("value", ["  lead\n  ", "\n a\n \n"])
def test_blanks_at_the_end_of_an_indented_text_are_quoted(value: str) -> None:
    deck = YamlDocument.parse("- x: |\n    a\n")
    assert '"' in edited(deck, lambda deck: deck.edit(0, Set(("x",), value)))


def test_the_last_item_goes_from_behind_a_comment() -> None:
    deck = YamlDocument.parse("tests:\n- n: [x, y,   # c\n     z]\n- n: 1\n")
    assert edited(deck, lambda deck: deck.edit(0, Delete(("n", 2)))) == "tests:\n- n: [x, y   # c\n     ]\n- n: 1\n"


def test_lines_encoded_twice_are_told() -> None:
    with pytest.raises(FormatError, match="encoded twice"):
        JsonlDocument.parse('"{\\"id\\": 1}"\n"{}"\n')


def test_samples_of_dotted_keys_keep_their_order() -> None:
    deck = TomlDocument.parse("samples.a.x = 1\nsamples.b.y = 1\nsamples.c = {}\n")
    assert edited(deck, lambda deck: deck.edit(1, Delete(("y",)))).splitlines()[1] == "samples.b = {}"


@pytest.mark.parametrize(
    ("written", "path"),
    [("!!set {a: null}", ("n", "a")), ("!!omap [{a: 1}]", ("n", 0, "a")), ("!!pairs [{a: 1}]", ("n", 0, "a"))],
)
def test_nothing_is_edited_inside_a_collection_that_its_tag_makes_another_one(
    written: str, path: tuple[str | int, ...]
) -> None:
    with pytest.raises(EditRefusedError, match="inside a value with the tag"):
        YamlDocument.parse(f"- n: {written}\n").edit(0, Set(path, "x"))
