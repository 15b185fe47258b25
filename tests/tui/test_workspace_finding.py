"""Finding text in all decks of a workspace, and replacing it: listed, stepped through, undone deck by deck."""

from __future__ import annotations

import json

import pytest

from sampleui.deck import edit
from sampleui.deck.history import UndoStep
from sampleui.deck.journal import Journal
from sampleui.formats.operations import Set
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.workspace.found import FoundScreen
from sampleui.workspace.deck import open_deck

from .decks import JSONL, TOML, YAML
from .driver import said
from .test_workspace import Listed, listed


@pytest.fixture
def folder(tmp_path):
    """Return a folder of three decks that hold "First", and one that does not."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.toml").write_text(TOML)
    (tmp_path / "b.yaml").write_text(YAML)
    (tmp_path / "c.jsonl").write_text(JSONL)
    (tmp_path / "d.jsonl").write_text(json.dumps({"id": "x", "messages": [{"role": "user", "content": "no"}]}))
    return tmp_path


def found(app: Listed) -> FoundScreen:
    return next(one for one in app.app.screen_stack if isinstance(one, FoundScreen))


def hits(app: Listed) -> list[str]:
    shown = found(app).list
    return [" ".join(row_text(shown.row(at, 110)).split()) for at in range(shown.count())]


async def test_every_hit_is_listed_and_opened_and_stepped_from(folder):
    async with listed(folder) as app:
        await app.press("ctrl+f", *"first", "enter")
        await app.until(lambda: found(app).search.complete)
        assert [row.split(" › ")[0] for row in hits(app)] == ["a.toml", "b.yaml", "c.jsonl"]
        assert hits(app)[0] == "a.toml › one › messages[0].content First"
        await app.press("semicolon", "enter")
        assert isinstance(app.app.screen, AuthorScreen) and app.screen.session.deck.path.name == "b.yaml"
        assert app.at == "user 1" and app.screen.scope == "found"
        await app.press("escape", "enter", *"Then", "escape", "ctrl+q")
        assert isinstance(app.app.screen, FoundScreen)
        await app.until(lambda: "Then" in hits(app)[1])
        await app.press("comma", "comma", "enter", "ctrl+q", "escape")
        assert app.app.screen is app.list and app.rows[1].startswith("● ")


async def test_keys_sent_at_once_replace_in_all_decks_one_step_each(folder):
    async with listed(folder) as app:
        await app.press("ctrl+f", *"first", "enter", "r", *"1st", "enter", "j", "space", "enter")
        assert app.app.screen is app.list
        assert "2 values replaced in 2 decks; ^s" in said(app.list).replace("ctrl+", "^")
        assert [row[0] for row in app.rows] == ["●", " ", "●", " "]
        assert [(folder / name).read_text() for name in ("a.toml", "c.jsonl")] == [TOML, JSONL]
        await app.press("enter", "u")
        assert app.text == TOML and app.steps == 0
        await app.press("ctrl+q", "ctrl+s")
        assert (folder / "a.toml").read_text() == TOML
        assert (folder / "c.jsonl").read_text() == JSONL.replace("First", "1st")


async def test_hits_in_all_decks_are_counted_while_the_text_is_typed(folder):
    async with listed(folder) as app:
        await app.press("ctrl+f", *"first")
        await app.until(lambda: "3 hits ─" in app.dialog_text)
        await app.press("escape", "enter", "ctrl+f", *"first")
        await app.until(lambda: "1 hit ─" in app.dialog_text)
        await app.press("f6")
        await app.until(lambda: "3 hits ─" in app.dialog_text)


async def test_what_was_replaced_in_all_decks_is_taken_back_and_made_again_in_all_at_once(folder):
    async with listed(folder) as app:
        texts = [path.read_text() for path in sorted(folder.iterdir()) if path.is_file()]
        await app.press("u")
        assert "nothing to undo that was done to several decks" in said(app.list)
        await app.press("ctrl+f", *"first", "enter", "r", *"1st", "enter", "enter")
        assert [row[0] for row in app.rows] == ["●", "●", "●", " "] and "u takes it back" in said(app.list)
        await app.press("u")
        assert "undid in 3 decks: replace first" in said(app.list)
        assert not app.list.workspace.unsaved
        await app.press("ctrl+r", "ctrl+s")
        assert [(folder / name).read_text() for name in ("a.toml", "c.jsonl")] == [
            text.replace("First", "1st") for text in (TOML, JSONL)
        ]
        await app.press("enter", "enter", *"!", "escape", "ctrl+q", "u")
        assert "undid in 2 decks: replace first; not in a.toml" in said(app.list)
        await app.press("enter", "u", "u", "ctrl+q", "ctrl+s")
        assert [path.read_text() for path in sorted(folder.iterdir()) if path.is_file()] == texts


async def test_from_a_deck_all_decks_are_searched_with_the_edits_of_open_ones(folder):
    async with listed(folder) as app:
        await app.press("enter", "enter", *"Edited ", "escape", "ctrl+f", "f6", *"edited", "enter")
        await app.until(lambda: isinstance(app.app.screen, FoundScreen) and found(app).search.complete)
        assert len(hits(app)) == 1 and hits(app)[0].startswith("a.toml")
        await app.press("ctrl+f", *"second", "enter")
        await app.until(lambda: len(hits(app)) == 3)


async def test_a_pattern_without_end_is_stopped_and_nothing_replaced(folder):
    (folder / "a.jsonl").write_text('{"id": "a", "messages": [{"role": "user", "content": "%s!"}]}\n' % ("a" * 60))
    async with listed(folder) as app:
        await app.press("ctrl+f", "f4", *"(a+)+$", "enter")
        await app.until(lambda: found(app).search.complete)
        assert "too long" in app.dialog_text
        await app.press("escape")
        assert app.app.screen is app.list


async def test_what_an_earlier_session_left_is_asked_about_first(folder):
    deck = open_deck(folder / "a.toml")
    left = Journal(deck.files)
    left.record(UndoStep("edit", (edit.apply(deck.files, 0, Set(("score",), 4)),)))
    assert left.file is not None
    left.file.close()
    async with listed(folder) as app:
        await app.press("ctrl+f", *"first", "enter", "r", *"1st", "enter", "enter")
        assert "open it first" in said(app.list) and "2 values replaced in 2 decks" in said(app.list)
        assert [row[0] for row in app.rows] == [" ", "●", "●", " "]
