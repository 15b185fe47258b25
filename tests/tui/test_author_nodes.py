"""Where edits of the author screen go, what new values start as, and what they are called. No app is started."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.deck.history import Focus
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialects.dialect import USUAL, Spelling
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from sampleui.tui.author.actions.samples import Naming
from sampleui.tui.author.boxes import Offer, narrowed, offers, table_around
from sampleui.tui.author.editing import is_on_one_line
from sampleui.tui.author.nodes import (
    content_like,
    first_text,
    left_by,
    like_neighbour,
    part_node,
    place_for_new,
    renamed,
    waits,
)
from sampleui.tui.author.search import FormerPlaces
from sampleui.tui.drawing.items import Item, ItemPart, ItemPartKind, items_of
from sampleui.workspace.deck import Deck

DATA: Table = {
    "id": "a",
    "messages": [{"role": "user", "content": "1"}, {"role": "assistant", "content": "2"}],
    "tags": ["x", "y"],
    "expected": {"score": 3, "why": "so"},
    "none": [],
    "options": [{"a": {"b": 1}, "c": 2}],
    "note": "last",
}
ITEMS = items_of(Sample("a", 0, DATA, "calibrate", ("messages",), Path("deck")), {("tags",): False})
PATHS = [item.path for item in ITEMS]


def item(*path: str | int) -> Item:
    return ITEMS[PATHS.index(path)]


@pytest.mark.parametrize(
    ("path", "above", "below"),
    [
        (("messages", 0), ("messages", 0), ("messages", 1)),
        (("messages", 1), ("messages", 1), ("messages", 2)),
        (("tags",), ("tags", 0), ("tags", 2)),
        (("tags", 1), ("tags", 1), ("tags", 2)),
        (("none",), ("none", 0), ("none", 0)),
        (("options", 0, "c"), ("options", 0), ("options", 1)),
        (("options", 0, "a", "b"), ("options", 0), ("options", 1)),
        (("expected", "why"), ("messages", 2), ("messages", 2)),
        (("id",), ("messages", 2), ("messages", 2)),
    ],
)
def test_where_a_new_item_goes(path: DataPath, above: DataPath, below: DataPath) -> None:
    assert place_for_new(DATA, ("messages",), item(*path), below=False) == above
    assert place_for_new(DATA, ("messages",), item(*path), below=True) == below


def test_where_the_first_item_goes() -> None:
    assert place_for_new({}, ("messages",), None, below=True) == ("messages", 0)
    assert place_for_new(DATA, ("messages",), None, below=True) == ("messages", 2)
    assert place_for_new(DATA, ("messages",), None, below=False) == ("messages", 0)


@pytest.mark.parametrize(
    ("path", "then"),
    [
        (("messages", 0), ("messages", 0)),
        (("messages", 1), ("messages", 0)),
        (("tags", 0), ("tags", 0)),
        (("tags", 1), ("tags", 0)),
        (("expected", "score"), ("expected", "why")),
        (("expected", "why"), ("expected", "score")),
        (("expected",), ("none",)),
        (("note",), ("options",)),
        (("options", 0, "c"), ("options", 0, "a")),
        (("options", 0, "a", "b"), ("options", 0, "a")),
        (("id",), ("tags",)),
    ],
)
def test_where_the_cursor_goes_when_an_item_is_deleted(path: DataPath, then: DataPath) -> None:
    assert left_by(ITEMS, PATHS.index(path)) == then


def test_where_the_only_item_of_a_list_was_the_list_is_next() -> None:
    data: Table = {"tags": ["x"], "note": "n"}
    items = items_of(Sample("a", 0, data, "calibrate", ("messages",), Path("deck")), {("tags",): False})
    assert [one.path for one in items] == [("tags",), ("tags", 0), ("note",)]
    assert left_by(items, 1) == ("tags",)


TURN = Item("user", ("messages", 0), (), turn=0)


@pytest.mark.parametrize(
    ("part", "node"),
    [
        (ItemPart(ItemPartKind.TEXT, ("messages", 0, "content"), "x"), ()),
        (ItemPart(ItemPartKind.TEXT, ("messages", 0, "content", 1, "value"), "x"), ("messages", 0, "content", 1)),
        (ItemPart(ItemPartKind.JSON, ("messages", 0, "content", 1), {}), ("messages", 0, "content", 1)),
        (ItemPart(ItemPartKind.TEXT, ("messages", 0, "name"), "x", key="name"), ("messages", 0, "name")),
        (ItemPart(ItemPartKind.TEXT, (), "x", key="name"), ()),
        (None, ()),
    ],
)
def test_which_part_of_a_turn_is_acted_on(part: ItemPart | None, node: DataPath) -> None:
    assert part_node(TURN, part) == node


def test_a_field_has_no_parts_to_act_on() -> None:
    assert part_node(item("note"), item("note").parts[0]) == ()


SEGMENTS: Plain = [{"type": "text", "value": "x"}]
OTHER = Spelling(role="from", content="value", roles={"human": "user", "gpt": "assistant"})


@pytest.mark.parametrize(
    ("items", "index", "spelling", "new"),
    [
        ([{"role": "user", "content": "x"}], 1, USUAL, {"role": "assistant", "content": ""}),
        ([{"role": "user", "content": "x"}], 0, USUAL, {"role": "system", "content": ""}),
        ([{"role": "system", "content": "x"}], 1, USUAL, {"role": "user", "content": ""}),
        (
            [{"role": "user", "content": "x"}, {"role": "tool", "content": "x"}],
            1,
            USUAL,
            {"role": "assistant", "content": ""},
        ),
        ([{"from": "human", "value": "x"}], 1, OTHER, {"from": "gpt", "value": ""}),
        ([{"from": "gpt", "value": "x"}], 1, OTHER, {"from": "human", "value": ""}),
        (["x", "y"], 2, USUAL, ""),
        ([{"a": 1, "type": "t"}], 0, USUAL, {"a": 0, "type": "t"}),
        ([{"role": "user"}, "x"], 1, USUAL, {"role": "user"}),
        (["x", {"role": "user"}], 2, USUAL, {"role": "user"}),
    ],
)
def test_a_new_item_is_like_the_one_before_it(
    items: list[Plain], index: int, spelling: Spelling, new: Plain
) -> None:
    assert like_neighbour(items, index, spelling) == new


def test_nothing_is_like_nothing() -> None:
    with pytest.raises(LookupError):
        like_neighbour([], 0, USUAL)


@pytest.mark.parametrize(
    ("contents", "new"),
    [
        ([SEGMENTS, SEGMENTS, "x"], [{"type": "text", "value": ""}]),
        ([SEGMENTS, [{"type": "text", "text": "y"}]], [{"type": "text", "text": ""}]),
        ([SEGMENTS, "x"], ""),
        ([[*SEGMENTS, *SEGMENTS], [*SEGMENTS, *SEGMENTS]], ""),  # type: ignore[misc]
        ([[{"type": "file", "value": "x"}]], ""),
        ([["x"]], ""),
        ([], ""),
    ],
)
def test_a_new_text_is_a_segment_where_most_are(contents: list[Plain], new: Plain) -> None:
    assert content_like([{"content": content} for content in contents]) == new


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("", ()),
        ({"role": "", "content": ""}, ("content",)),
        ({"name": "n", "content": [{"type": "text", "value": ""}]}, ("content", 0, "value")),
        ({"n": 0, "content": "x"}, ("content",)),
        ({"n": 0, "m": 1}, ("n",)),
        ({"n": [5], "m": 1}, ("n", 0)),
        ([0, ""], (1,)),
        ({"role": "user"}, ()),
        ([], ()),
    ],
)
def test_what_is_written_first_of_a_new_value(value: Plain, path: DataPath) -> None:
    assert first_text(value, ("at",)) == ("at", *path)


def test_only_fields_have_names() -> None:
    assert renamed(("expected", "score")) == "score"
    with pytest.raises(EditRefusedError, match=r"^tags\[1\] is an item of a list"):
        renamed(("tags", 1))
    with pytest.raises(EditRefusedError, match=r"^this is an item"):
        renamed(())


def test_what_is_said_of_an_unfinished_value_and_of_its_message_waits() -> None:
    unfinished = ("messages", 0, "content")
    assert waits(unfinished, unfinished)
    assert waits(("messages", 0), unfinished)
    assert not waits(("messages",), unfinished)
    assert not waits(("messages", 1), unfinished)
    assert not waits((), ())


def deck_of(path: Path, *lines: str) -> Deck:
    path.write_text("".join(line + "\n" for line in lines))
    return open_deck(path)


SAID = '"messages": [{"role": "user", "content": "hi"}]'


def test_new_samples_have_ids_of_their_own_where_samples_have_ids(tmp_path: Path) -> None:
    naming = Naming(deck_of(tmp_path / "deck.jsonl", f'{{"id": "a", {SAID}}}', f'{{"id": "a-2", {SAID}}}'))
    assert naming.with_free_id({"id": "a", "x": 1}, "a") == {"id": "a-3", "x": 1}
    assert naming.with_free_id({"x": 1}, "a-3") == {"id": "a-4", "x": 1}
    assert naming.with_free_id({}, "#7") == {"id": "7-2"}
    assert naming.with_id_of_words({}) == {"id": "sample"}
    assert naming.with_id_of_words({}) == {"id": "sample-2"}
    assert naming.with_id_of_words({}, "What's *2+2*, dear Größe of ours?") == {"id": "what-s-2-2-dear-größe"}
    assert naming.with_id_of_words({}, "… 42") == {"id": "sample-3"}
    assert naming.with_id_of_words({}, "x" * 100) == {"id": "x" * 32}
    assert naming.with_own_id({"id": "b"}) == {"id": "b"}
    assert naming.with_own_id({"id": "b"}) == {"id": "b-2"}
    assert naming.with_own_id({"id": ""}) == {"id": "sample-4"}
    assert naming.with_own_id({"id": 5}) == {"id": "sample-5"}


def test_new_samples_have_no_ids_where_no_sample_has_one(tmp_path: Path) -> None:
    naming = Naming(deck_of(tmp_path / "deck.jsonl", f"{{{SAID}}}"))
    assert naming.with_free_id({"x": 1}, "a") == {"x": 1}
    assert naming.with_own_id({"id": "b"}) == {"id": "b"}


def test_the_last_places_are_named_without_those_that_are_gone(tmp_path: Path) -> None:
    deck = deck_of(tmp_path / "deck.jsonl", *(f'{{"id": "{name}", {SAID}}}' for name in "abc"))
    places = FormerPlaces()
    for sample in (0, 1, 2, 5, -1, -2):
        places.leave(Focus(sample, ("id",) if sample == 1 else ()))
    places.leave(Focus(0, ("messages",)))
    found = places.by_name(deck, 2)
    assert [(name, focus.sample) for name, focus in found.items()] == [
        ("a › messages", 0),
        (deck.sample_at(-1).id, -1),
        ("b › id", 1),
    ]


def test_no_more_than_fifty_places_are_remembered(tmp_path: Path) -> None:
    deck = deck_of(tmp_path / "deck.jsonl", *(f'{{"id": "{number}", {SAID}}}' for number in range(60)))
    places = FormerPlaces()
    for sample in range(60):
        places.leave(Focus(sample))
    assert [focus.sample for focus in places.by_name(deck, 59).values()] == [*range(58, 9, -1)]


OFFERED = [
    Offer("tags", "", ""),
    Offer("score", "", ""),
    Offer("expected.score", "", "", inner=True),
    Offer("messages[0].tool_calls", "", "", inner=True),
]


@pytest.mark.parametrize(
    ("typed", "around", "names"),
    [
        ("", "expected", ["tags", "score", "expected.score", "messages[0].tool_calls"]),
        ("SCORE", "", ["score", "expected.score"]),
        ("sco", "", ["score", "expected.score", "sco"]),
        ("t", "", ["tags", "messages[0].tool_calls", "t", "expected.score"]),
        ("exp", "", ["expected.score", "exp"]),
        ("new", "expected", ["new", "expected.new"]),
        ("expected.new", "expected", ["expected.new"]),
        ("expected[0]", "expected", ["expected[0]"]),
        ("ags", "", ["ags", "tags"]),
    ],
)
def test_names_that_fit_are_offered_the_likeliest_first(typed: str, around: str, names: list[str]) -> None:
    assert [one.name for one in narrowed(OFFERED, typed, around)] == names


def test_inside_a_table_a_key_of_it_comes_first_unless_a_known_name_is_begun():
    known = [Offer("score", "number", ""), Offer("expected", "any", "")]

    def first(typed: str) -> str:
        return narrowed(known, typed, "metadata", inside=True)[0].name

    assert [first(typed) for typed in ("score", "owner", "exp")] == ["metadata.score", "metadata.owner", "expected"]
    assert narrowed(known, "score", "metadata")[0].name == "score"


def test_what_may_be_added_is_what_is_not_there(tmp_path: Path) -> None:
    line = f'{{"id": "a", "expected": {{"score": 1}}, {SAID}}}'
    sample = deck_of(tmp_path / "deck.jsonl", line).samples[0]
    names = [one.name for one in offers(sample, ("expected", "score"))]
    assert not {"id", "expected", "messages", "expected.score"} & {*names}
    inner = [one.name for one in offers(sample, ("messages", 0)) if one.inner]
    assert "messages[0].tool_calls" in inner
    assert "messages[0].role" not in inner
    assert not any(one.inner for one in offers(sample, ("id",)))
    assert not any(one.inner for one in offers(sample, ("nobody", "knows", "this")))
    assert table_around(sample, ("messages", 0, "content")) == "messages[0]"
    assert table_around(sample, ("expected",)) == "expected"
    assert table_around(sample, ("id",)) == ""


def test_what_may_be_added_to_a_table_of_the_sample(tmp_path: Path) -> None:
    line = f'{{"schema_version": "v1", "id": "a", "references": [], "sandbox": {{"image": "x"}}, {SAID}}}'
    sample = deck_of(tmp_path / "deck.jsonl", line).samples[0]
    for here in (("sandbox",), ("sandbox", "image")):
        names = {one.name for one in offers(sample, here) if one.inner}
        assert "sandbox.files" in names
        assert "sandbox.image" not in names


def test_what_may_be_added_beside_the_samples(tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text("description: x\ntests:\n- id: a\n  input: hi\n  criteria: says hi\n")
    deck = open_deck(path)
    names = [one.name for one in offers(deck.sample_at(-1), ())]
    assert names == sorted(names)
    assert names
    assert not {"description", "id", "input"} & {*names}


@pytest.mark.parametrize(
    ("part", "single"),
    [
        (ItemPart(ItemPartKind.TEXT, ("id",), "a"), True),
        (ItemPart(ItemPartKind.TEXT, ("id",), "a\nb"), False),
        (ItemPart(ItemPartKind.TEXT, ("tags", 0), "a"), True),
        (ItemPart(ItemPartKind.TEXT, ("messages", 0, "content"), "a"), False),
        (ItemPart(ItemPartKind.JSON, ("score",), 5), True),
        (ItemPart(ItemPartKind.JSON, ("list",), []), False),
        (ItemPart(ItemPartKind.FILE, ("messages", 0, "content", 0, "value"), "a.md"), True),
        (ItemPart(ItemPartKind.FILE, ("messages", 0, "content", 0, "value"), "a\nb"), False),
    ],
)
def test_which_values_are_a_single_line(part: ItemPart, single: bool) -> None:
    assert is_on_one_line(part, DIALECTS["calibrate"]) is single


def test_a_dialect_says_which_texts_are_names() -> None:
    dialect = replace(DIALECTS["calibrate"], names=frozenset({"flavour"}))
    assert is_on_one_line(ItemPart(ItemPartKind.TEXT, ("flavour",), "sweet"), dialect)
    assert not is_on_one_line(ItemPart(ItemPartKind.TEXT, ("id",), "a"), dialect)
