"""What adding, moving and deleting TOML samples leaves of the file."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Table, same
from sampleui.formats.document import Splice
from sampleui.formats.operations import Set
from sampleui.formats.toml import TomlDocument

NEW: Table = {"id": "new", "messages": [{"role": "user", "content": "hi"}], "expected": {"score": 1}}

DECK = """\
# A deck.

# first
[[samples]]
id = "a"
# score = 9


# ---- part two ----

[[samples]]
id = "b"

[other]
x = 1

[[samples]]
id = "c"
"""


def edited(text: str, edit: Callable[[TomlDocument], Splice]) -> str:
    document = TomlDocument.parse(text)
    return document.apply(edit(document)).text


def test_samples_move_and_banners_and_other_tables_stay() -> None:
    moved = edited(DECK, lambda deck: deck.move_sample(0, 1))
    a, b = '# first\n[[samples]]\nid = "a"\n# score = 9', '[[samples]]\nid = "b"'
    assert moved == DECK.replace(f"{a}\n\n\n", "").replace(b, f"{b}\n\n\n{a}")
    gone = edited(DECK, lambda deck: deck.delete_sample(0))
    assert gone == DECK.replace(f"{a}\n\n\n", "")
    gone = edited(DECK, lambda deck: deck.delete_sample(1))
    assert gone == DECK.replace(f"{b}\n\n", "")
    gone = edited(DECK, lambda deck: deck.delete_sample(2))
    assert gone == DECK.replace('\n[[samples]]\nid = "c"\n', "")


@pytest.mark.parametrize("variant", ["LF", "CRLF", "no final newline"])
def test_the_end_of_the_file_is_kept(variant: str) -> None:
    def shaped(text: str) -> str:
        return {"LF": text, "CRLF": text.replace("\n", "\r\n"), "no final newline": text.rstrip("\n")}[variant]

    two = '[[samples]]\nid = "a"\n\n[[samples]]\nid = "b"\n'
    one, new = '[[samples]]\nid = "a"\n', '[[samples]]\nid = "new"\n'
    assert edited(shaped(two), lambda deck: deck.delete_sample(1)) == shaped(one)
    assert edited(shaped(one), lambda deck: deck.insert_sample(1, {"id": "new"})) == shaped(f"{one}\n{new}")
    assert edited(shaped(one), lambda deck: deck.insert_sample(0, {"id": "new"})) == shaped(f"{new}\n{one}")
    assert edited(shaped(two), lambda deck: deck.move_sample(0, 1)) == shaped(
        '[[samples]]\nid = "b"\n\n[[samples]]\nid = "a"\n'
    )


@pytest.mark.parametrize(
    ("neighbour", "new"),
    [
        (
            '[[samples]]\nid = "a"\nmessages = [\n  { role = "u" },\n]\n',
            '[[samples]]\nid = "new"\nmessages = [\n  { role = "user", content = "hi" },\n]\n'
            "expected = { score = 1 }\n",
        ),
        (
            '[[samples]]\nid = "a"\nmessages = [{ role = "u" }]\n',
            '[[samples]]\nid = "new"\nmessages = [{ role = "user", content = "hi" }]\nexpected = { score = 1 }\n',
        ),
        (
            '[[samples]]\nid = "a"\n\n[[samples.messages]]\nrole = "u"\n\n[samples.expected]\nscore = 0\n',
            '[[samples]]\nid = "new"\n\n[[samples.messages]]\nrole = "user"\ncontent = "hi"\n\n'
            "[samples.expected]\nscore = 1\n",
        ),
        (
            '[samples.a]\nx = 1\n\n[[samples.a.messages]]\nrole = "u"\n',
            '[samples.new]\nexpected = { score = 1 }\n\n[[samples.new.messages]]\nrole = "user"\ncontent = "hi"\n',
        ),
        (
            '[[samples.a.messages]]\nrole = "u"\n\n[samples.a]\nx = 1\n',
            '[[samples.new.messages]]\nrole = "user"\ncontent = "hi"\n\n[samples.new]\nexpected = { score = 1 }\n',
        ),
    ],
)
def test_a_new_sample_takes_the_form_of_its_neighbour(neighbour: str, new: str) -> None:
    assert edited(neighbour, lambda deck: deck.insert_sample(1, NEW)) == f"{neighbour}\n{new}"
    assert edited(neighbour, lambda deck: deck.insert_sample(0, NEW)) == f"{new}\n{neighbour}"


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("", '[[samples]]\nid = "new"\n'),
        ("\ufeff", '\ufeff[[samples]]\nid = "new"\n'),
        ("# a deck\n", '# a deck\n\n[[samples]]\nid = "new"\n'),
        ("[meta]\r\nx = 1\r\n", '[meta]\r\nx = 1\r\n\r\n[[samples]]\r\nid = "new"\r\n'),
        ("[meta]\nx = 1", '[meta]\nx = 1\n\n[[samples]]\nid = "new"'),
        ("[samples]\n", "[samples]\n\n[samples.new]\n"),
        ("samples = { } # none\n", "samples = {new = {}} # none\n"),
        ("samples = []\n", 'samples = [\n  { id = "new" },\n]\n'),
        ("[[tests]]\nid = 'a'\n", "[[tests]]\nid = 'a'\n\n[[tests]]\nid = 'new'\n"),
    ],
)
def test_a_deck_without_samples_takes_one(text: str, new: str) -> None:
    count = len(TomlDocument.parse(text))
    assert edited(text, lambda deck: deck.insert_sample(count, {"id": "new"})) == new


def test_a_keyed_deck_takes_the_name_from_the_id() -> None:
    keyed = "[samples.a]\nx = 1\n"
    assert edited(keyed, lambda deck: deck.insert_sample(1, {"id": "two words", "x": 2})).endswith(
        '\n\n[samples."two words"]\nx = 2\n'
    )
    document = TomlDocument.parse(keyed)
    refused: list[Table] = [{"x": 1}, {"id": 3}, {"id": "a"}]
    for data in refused:
        with pytest.raises(EditRefusedError):
            document.insert_sample(0, data)
    with pytest.raises(EditRefusedError, match="already"):
        TomlDocument.parse('[samples."\\u0061"]\nx = 1\n').insert_sample(0, {"id": "a"})


INTERLEAVED = """\
[samples.first]
x = 0

[[samples.a.messages]]
role = "user"

[samples.b]
x = 1

[samples.a]
x = 2  # kept

[samples.last]
x = 3
"""


def test_samples_that_interleave_are_edited_and_deleted_but_not_moved() -> None:
    document = TomlDocument.parse(INTERLEAVED)
    assert [document.name(index) for index in range(4)] == ["first", "a", "b", "last"]
    assert document.piece_of(1) == document.piece_of(2)
    assert document.apply(document.edit(1, Set(("x",), 7))).text == INTERLEAVED.replace("2  #", "7  #")
    for edit in (
        lambda: document.move_sample(2, 0),
        lambda: document.move_sample(0, 1),
        lambda: document.insert_sample(2, {"id": "new"}),
    ):
        with pytest.raises(EditRefusedError, match="interleave"):
            edit()
    gone = document.apply(document.delete_sample(1))
    assert [(gone.name(index), gone.read(index)) for index in range(3)] == [
        (document.name(index), document.read(index)) for index in (0, 2, 3)
    ]
    assert same(TomlDocument.parse(gone.text).context, document.context)
    around = document.apply(document.move_sample(0, 3))
    assert [around.name(index) for index in range(4)] == ["a", "b", "last", "first"]
    assert TomlDocument.parse(around.text).read(3) == {"x": 0}


@pytest.mark.parametrize("text", ["[samples]\na.x = 1\nb.x = 2\n", "samples.a.x = 1\nsamples.b.x = 2\n"])
def test_samples_of_dotted_keys_are_edited_but_not_moved(text: str) -> None:
    document = TomlDocument.parse(text)
    assert document.apply(document.edit(1, Set(("x",), 7))).text == text.replace("2", "7")
    for edit in (
        lambda: document.delete_sample(0),
        lambda: document.move_sample(0, 1),
        lambda: document.insert_sample(0, {"id": "new"}),
        lambda: document.insert_sample(2, {"id": "new"}),
    ):
        with pytest.raises(EditRefusedError, match="dotted"):
            edit()


def test_samples_in_one_array_are_edited_and_moved() -> None:
    text = 'samples = [\n  { id = "a" }, # one\n  { id = "b" }\n]\n[meta]\nx = 1\n'
    assert edited(text, lambda deck: deck.move_sample(1, 0)) == (
        'samples = [\n  { id = "b" },\n  { id = "a" } # one\n]\n[meta]\nx = 1\n'
    )
    assert edited(text, lambda deck: deck.delete_sample(0)) == 'samples = [\n  { id = "b" }\n]\n[meta]\nx = 1\n'
    assert '{ id = "b" },\n  { id = "new" }\n]' in edited(text, lambda deck: deck.insert_sample(2, {"id": "new"}))
    assert edited(text, lambda deck: deck.edit(1, Set(("score",), 3))) == text.replace('"b"', '"b", score = 3')


def test_what_is_no_list_of_samples_takes_none() -> None:
    with pytest.raises(EditRefusedError, match="not a list"):
        TomlDocument.parse("samples = 3\n").insert_sample(0, {"id": "new"})


@pytest.mark.parametrize("written", ["a", '"a"', '"\\u0061"'])
def test_a_name_that_is_there_is_refused_however_it_is_spelled(written: str) -> None:
    deck = TomlDocument.parse(f"[samples.{written}]\nx = 1\n\n[samples.b]\nx = 2\n")
    with pytest.raises(EditRefusedError, match="there is already a sample named a"):
        deck.insert_sample(0, {"id": "a"})
    assert [*deck.apply(deck.insert_sample(0, {"id": "c"})).text.split()][:1] == ["[samples.c]"]


@pytest.mark.parametrize("header", ['"é"', '"\\u00e9"'])
def test_a_name_that_is_taken_is_refused(header: str) -> None:
    taken, other = f"[samples.{header}]\nx = 1\n\n", "[samples.b]\nx = 2\n\n"
    for text in (taken + other, other + taken, taken):
        with pytest.raises(EditRefusedError, match="there is already a sample named é"):
            TomlDocument.parse(text).insert_sample(1, {"id": "é", "x": 3})


def test_the_only_sample_goes_from_before_other_tables_and_comes_back() -> None:
    text = '[[samples]]\nid = "a"\n\n[meta]\nx = 1\n'
    deck = TomlDocument.parse(text)
    bare = deck.apply(deck.delete_sample(0))
    assert bare.text == "[meta]\nx = 1\n"
    assert bare.apply(bare.insert_sample(0, {"id": "a"})).text == text


@pytest.mark.parametrize("end", ["", "\n"])
def test_the_only_sample_goes_with_the_blank_lines_above_it_whatever_its_texts_look_like(end: str) -> None:
    text = "[meta]\nx = 1" + end
    bare = TomlDocument.parse(text)
    deck = bare.apply(bare.insert_sample(0, {"id": "a", "said": "\n[other]\n"}))
    assert deck.apply(deck.delete_sample(0)).text == text
