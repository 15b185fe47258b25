"""Samples written to another deck: existing or new, in its dialect, with what is lost shown first."""

from __future__ import annotations

import json

import pytest

from sampleui.workspace.deck import open_deck

from .decks import TOML, YAML
from .driver import opened, said
from .test_workspace import listed


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.toml").write_text(TOML)
    (tmp_path / "b.yaml").write_text(YAML)
    return tmp_path


async def test_marked_samples_go_to_a_deck_of_another_dialect_and_losses_are_shown(folder):
    async with opened(folder / "a.toml") as app:
        await app.press("1", "*", "X", *"b.yaml", "enter")
        assert "score: " in app.dialog_text and "Export 2 samples to b.yaml" in app.dialog_text
        assert (folder / "b.yaml").read_text() == YAML
        await app.press("enter")
        assert "wrote 2 samples to b.yaml" in said(app.screen) and app.steps == 0
    deck = open_deck(folder / "b.yaml")
    assert [one.id for one in deck.samples] == ["one", "two", "one-2", "two-2"]
    assert deck.text.startswith(YAML) and not deck.diagnostics


async def test_a_new_deck_asks_for_its_dialect_and_escape_writes_nothing(folder):
    async with opened(folder / "a.toml") as app:
        await app.press("1", "X", *"new.jsonl", "enter", "escape")
        await app.press("X", *"new.jsonl", "enter", *"openai", "enter", "escape")
        assert not (folder / "new.jsonl").exists()
        await app.press("X", *"new.jsonl", "enter", *"calib", "enter", "enter")
        assert "wrote 1 sample to new.jsonl" in said(app.screen)
    made = [json.loads(line) for line in (folder / "new.jsonl").read_text().splitlines()]
    assert [one["messages"][0]["content"] for one in made] == ["First"]


async def test_in_a_workspace_it_is_a_step_of_undo_of_the_other_deck(folder):
    async with listed(folder) as app:
        await app.press("enter", "1", "j", "X", *"b.yaml", "enter", "enter")
        assert "not saved yet" in said(app.screen) and (folder / "b.yaml").read_text() == YAML
        await app.press("ctrl+q")
        assert app.rows[1].startswith("● ")
        await app.press("j", "enter")
        assert app.ids == ["one", "two", "two-2"]
        await app.press("u")
        assert app.text == YAML


async def test_samples_that_go_to_an_open_deck_get_ids_that_are_free_there(folder):
    async with listed(folder) as app:
        await app.press("j", "enter", "1", "j", "D", "ctrl+q")
        await app.press("k", "enter", "1", "j", "X", *"b.yaml", "enter", "enter", "ctrl+q")
        await app.press("j", "enter")
        assert app.ids == ["one", "two", "two-2", "two-3"]
