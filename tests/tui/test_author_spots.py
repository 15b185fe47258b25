"""Where the preview shows the value with the cursor."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from sampleui import open_deck
from sampleui.deck.model import Base
from sampleui.formats.data import DataPath, Plain
from sampleui.tui.author.editing import Editing, label_of, too_large
from sampleui.tui.author.preview import PreviewAnchor, Subject
from sampleui.tui.drawing.items import Item, ItemPart, ItemPartKind
from sampleui.tui.drawing.rows import row_text
from sampleui.workspace.deck import Deck

TOML = """\
[[samples]]
id = "other"
messages = [{ role = "user", content = "alpha" }]

[[samples]]
id = "one"
score = 3
[[samples.messages]]
role = "user"
content = "What?"
[[samples.messages]]
role = "assistant"
content = '''
alpha is the first of all letters, and of the Greek ones
beta

delta
'''
"""
SAID = "alpha is the first of all letters, and of the Greek ones\nbeta\n\ndelta\n"
ANSWER: DataPath = ("messages", 1, "content")


def subject(deck: Deck, index: int = -1) -> Subject:
    sample = deck.samples[index]
    return Subject(deck, sample, deck.render(sample))


@pytest.fixture
def toml(tmp_path: Path) -> Deck:
    path = tmp_path / "deck.toml"
    path.write_text(TOML)
    return open_deck(path)


def seen(tab: str, about: Subject, path: DataPath, before: int = 0, width: int = 100) -> str | None:
    row = about.row_of(tab, PreviewAnchor(path, before), width)
    return None if row is None else row_text(about.rows(tab, width)[row]).strip()


def after(words: str) -> int:
    return SAID.index(words) + len(words)


def test_the_source_shows_the_line_with_the_cursor(toml: Deck) -> None:
    about = subject(toml)
    assert seen("Source", about, ("score",)) == "7 score = 3"
    assert seen("Source", about, ("messages", 0, "content"), 3) == '10 content = "What?"'
    assert seen("Source", about, ANSWER) == "13 content = '''"
    assert str(seen("Source", about, ANSWER, after("alpha is"))).startswith("14 alpha")
    assert seen("Source", about, ANSWER, after("beta")) == "15 beta"
    assert seen("Source", about, ANSWER, after("beta\n")) == "15 beta", "an empty line is shown by the one above"
    assert seen("Source", about, ANSWER, after("delta")) == "17 delta"


def test_of_a_line_that_is_wrapped_the_source_shows_the_row_with_the_cursor(toml: Deck) -> None:
    about = subject(toml)
    assert seen("Source", about, ANSWER, after("alpha is"), 24) == "14 alpha is the first of"
    assert seen("Source", about, ANSWER, after("first of"), 24) == "14 alpha is the first of"
    assert seen("Source", about, ANSWER, after("all letters"), 24) == "all letters, and of"
    assert seen("Source", about, ANSWER, after("Greek ones"), 24) == "the Greek ones", "not the line below it"
    assert seen("Source", about, ANSWER, after("delta"), 24) == "17 delta"


@pytest.mark.parametrize("said", ['a "quoted" \\ text\nof two lines', "plain"])
@pytest.mark.parametrize("place", [0, 1])
def test_what_is_spelled_on_one_line_is_found_in_it(tmp_path: Path, said: str, place: int) -> None:
    path = tmp_path / "deck.jsonl"
    rows: list[Plain] = [{"id": name, "messages": [{"role": "user", "content": said}]} for name in "ab"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    about = subject(open_deck(path), place)
    shown = [row_text(row) for row in about.rows("Source", 20)]
    row = about.row_of("Source", PreviewAnchor(("messages", 0, "content"), len(said)), 20)
    assert row is not None
    assert said[-3:] in shown[row]
    assert about.row_of("Source", PreviewAnchor(("id",), 1), 20) == 0


@pytest.mark.parametrize("tab", ["Chat", "Question", "Request"])
def test_a_text_is_found_wherever_it_comes_out(toml: Deck, tab: str) -> None:
    about = subject(toml)
    for words in ("alpha", "beta", "delta"):
        assert words in str(seen(tab, about, ANSWER, after(words) - 1))


def test_a_value_that_a_tab_does_not_show_has_no_place_there(toml: Deck) -> None:
    about = subject(toml)
    assert seen("Guidelines", about, ANSWER) is None
    assert seen("Chat", about, ("messages", 7, "content")) is None
    assert seen("Chat", about, ("score",)) is None
    assert seen("Diff", about, ANSWER) is None


def test_the_diff_shows_the_line_that_changed(toml: Deck) -> None:
    changed = toml.set(0, ("messages", 0, "content"), "ALPHA").set(1, ("score",), 4)
    changed = changed.set(1, ANSWER, SAID.replace("beta", "BETA").replace("delta", "DELTA"))
    about = subject(changed)
    assert seen("Diff", subject(changed, 0), ("messages", 0, "content"), 5) == (
        '+messages = [{ role = "user", content = "ALPHA" }]'
    )
    assert seen("Diff", about, ("score",)) == "+score = 4"
    assert seen("Diff", about, ANSWER, after("beta")) == "+BETA"
    assert seen("Diff", about, ANSWER, after("delta")) == "+DELTA"
    assert seen("Diff", about, ANSWER, after("delta"), 20) == "+DELTA", "however many rows are wrapped above"
    last = toml.set(1, ANSWER, SAID.replace("delta", "DELTA"))
    assert seen("Diff", subject(last), ANSWER, after("delta")) == "+DELTA", (
        "as the head of its hunk counts the lines"
    )
    olds = tuple(source.disk.saved for source in changed.files.sources)
    based = about._replace(against=Base.HEAD, olds=olds)
    assert seen("Diff", based, ("score",)) == "+score = 4", "below the line that tells the base"


def test_the_diff_of_another_file_is_passed_over(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.toml").write_text(TOML)
    (tmp_path / "deck.md").write_text("# Decks\n\n![a](a.toml)\n![b](b.toml)\n")
    deck = open_deck(tmp_path / "deck.md")
    assert [sample.path.name for sample in deck.samples] == ["a.toml", "a.toml", "b.toml", "b.toml"]
    changed = deck.set(0, ("id",), "new").set(1, ("score",), 4).set(3, ("score",), 5)
    assert seen("Diff", subject(changed, 3), ("score",)) == "+score = 5"
    assert seen("Diff", subject(changed, 1), ("score",)) == "+score = 4"


def followed(item: Item | None) -> PreviewAnchor | None:
    """Return what the preview is to show while the cursor is on an item."""
    shown: list[PreviewAnchor | None] = []
    conversation = SimpleNamespace(current=item, cursor=(0, 0), editor=SimpleNamespace(cursor_offset=3))
    screen = SimpleNamespace(conversation=conversation, preview=SimpleNamespace(follow=shown.append))
    Editing(screen).follow()  # type: ignore[arg-type]
    return shown[0]


def test_the_preview_follows_a_value_that_the_file_has() -> None:
    part = ItemPart(ItemPartKind.TEXT, ("id",), "a")
    assert followed(Item("id", ("id",), (part,))) == PreviewAnchor(("id",), 0)
    assert followed(Item("id", (), (ItemPart(ItemPartKind.TEXT, (), "a"),))) is None
    assert followed(Item("user", ("messages", 0), ())) is None, "a turn without content has nothing to show"
    assert followed(None) is None


def test_texts_that_are_too_large_for_a_text_area() -> None:
    lines = "x" * 20_000
    assert not too_large("\n".join([lines] * 9 + ["x" * 19_991]))
    assert too_large("\n".join([lines] * 9 + ["x" * 19_992]))
    assert not too_large(lines)
    assert too_large(lines + "x")


def test_what_an_edit_is_called() -> None:
    assert label_of(Item("user", ("messages", 1), (), turn=1)) == "edit turn 2"
    assert label_of(Item("id", ("id",), ())) == "edit id"
