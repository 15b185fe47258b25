"""Every way in which the API says no: an error of its own, with the place where there is one, and no harm done."""

from __future__ import annotations

from pathlib import Path

import pytest

import sampleui

from .forms import TURN, opened, saved

MISSES = {
    "no such sample": lambda deck: deck.set(9, ("id",), "x"),
    "a negative sample": lambda deck: deck.set(-1, ("id",), "x"),
    "no such turn": lambda deck: deck.set(0, ("messages", 9, "content"), "x"),
    "a negative turn": lambda deck: deck.set(0, ("messages", -1, "content"), "x"),
    "no such key on the way": lambda deck: deck.set(0, ("nope", "deeper"), "x"),
    "a key of a text": lambda deck: deck.set(0, ("expected", "deeper"), "x"),
    "an index of a table": lambda deck: deck.set(0, ("messages", 0, 0), "x"),
    "a key of a list": lambda deck: deck.set(0, ("messages", "first"), "x"),
    "insert past the end": lambda deck: deck.insert(0, ("messages", 3), TURN),
    "insert before the start": lambda deck: deck.insert(0, ("messages", -1), TURN),
    "insert into a text": lambda deck: deck.insert(0, ("expected", 0), TURN),
    "insert at a key": lambda deck: deck.insert(0, ("expected",), TURN),
    "insert nowhere": lambda deck: deck.insert(0, (), TURN),
    "delete what is not there": lambda deck: deck.delete(0, ("nope",)),
    "delete no such turn": lambda deck: deck.delete(0, ("messages", 2)),
    "delete all": lambda deck: deck.delete(0, ()),
    "move no such turn": lambda deck: deck.move(0, ("messages", 2), 0),
    "move past the end": lambda deck: deck.move(0, ("messages", 0), 2),
    "move before the start": lambda deck: deck.move(0, ("messages", 0), -1),
    "move a key": lambda deck: deck.move(0, ("expected",), 0),
    "insert a sample past the end": lambda deck: deck.insert_sample(3, {"id": "x", "messages": []}),
    "insert a sample before the start": lambda deck: deck.insert_sample(-1, {"id": "x", "messages": []}),
    "delete no such sample": lambda deck: deck.delete_sample(2),
    "delete a negative sample": lambda deck: deck.delete_sample(-1),
    "move no such sample": lambda deck: deck.move_sample(2, 0),
    "move a sample past the end": lambda deck: deck.move_sample(0, 2),
    "move a sample before the start": lambda deck: deck.move_sample(0, -1),
}


@pytest.mark.parametrize("miss", MISSES)
def test_an_edit_of_what_is_not_there_is_a_path_error(deck, miss):
    with pytest.raises(sampleui.PathError):
        MISSES[miss](deck)


def deep(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


UNWRITABLE = {
    "too deep": deep(300),
    "far too deep": deep(5_000),
    "an object": object(),
    "a set": {"a": {1, 2}},
    "a number as key": {1: "a"},
    "bytes": b"bytes",
}


@pytest.mark.parametrize("value", UNWRITABLE)
def test_a_value_that_cannot_be_written_is_an_edit_error(deck, value):
    for edit in (
        lambda: deck.set(0, ("expected",), UNWRITABLE[value]),
        lambda: deck.set(0, ("new",), UNWRITABLE[value]),
        lambda: deck.insert(0, ("messages", 0), UNWRITABLE[value]),
        lambda: deck.insert_sample(1, {"id": "x", "new": UNWRITABLE[value]}),
    ):
        with pytest.raises(sampleui.EditError):
            edit()


def test_half_a_character_is_refused_where_the_form_has_no_escape_for_it(deck):
    before = deck.path.read_bytes()
    if "json" in deck.format:
        assert saved(deck.set(0, ("expected",), "half \ud800")).samples[0].data["expected"] == "half \ud800"
        return
    with pytest.raises((sampleui.EditError, sampleui.SaveRefusedError)):
        deck.set(0, ("expected",), "half \ud800").save()
    assert deck.path.read_bytes() == before


def test_a_file_changed_by_others_is_not_overwritten(deck):
    edited = deck.set(0, ("messages", 0, "content"), "mine")
    theirs = deck.text.replace("Be short.", "Be long.")
    deck.path.write_text(theirs)
    with pytest.raises(sampleui.StaleFileError):
        edited.save()
    assert deck.path.read_text() == theirs


@pytest.mark.parametrize(
    ("name", "data", "line", "column"),
    [
        ("a.toml", b'[[samples]]\nid = "a\n', 2, 6),
        ("a.yaml", b"samples:\n  - id: [\n", 2, 9),
        ("a.json", b'[\n  {"id": }\n]', 2, 10),
        ("a.jsonl", b"nothing\n", 1, 1),
        ("a.toml", b"[[samples]]\n# \xff\n", 2, 3),
        ("a.yaml", b"samples:\n  - \xc3", 2, 5),
    ],
)
def test_a_deck_that_cannot_be_read_says_where(tmp_path, name, data, line, column):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(sampleui.DeckError) as caught:
        sampleui.open_deck(tmp_path / name)
    assert (caught.value.path, caught.value.line, caught.value.column) == (tmp_path / name, line, column)
    assert str(caught.value).startswith(f"{tmp_path / name}:{line}:{column}: ")


def test_what_is_no_deck_is_a_deck_error(tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\0")
    for path in (tmp_path, tmp_path / "gone.toml", tmp_path / "binary.toml", "/dev/null", "a\0b.toml"):
        with pytest.raises(sampleui.DeckError) as caught:
            sampleui.open_deck(path)
        assert caught.value.path == Path(path)


def test_every_error_has_one_root(tmp_path):
    for name in sampleui.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(sampleui, name), sampleui.SampleUIError)
    with pytest.raises(sampleui.SampleUIError):
        sampleui.open_deck(opened(tmp_path, "inline.toml").path, dialect="nope")
    with pytest.raises(sampleui.SampleUIError):
        sampleui.provider_messages({"question": "hi"}, provider="nope")
