"""A sample as it is read: the tab View of the preview, by the view of its dialect, which is edited beside it."""

from __future__ import annotations

import json

from sampleui.settings.options import load_settings
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.screens.view_editor import ViewEditor

from .driver import opened, said

SAMPLE = {
    "messages": [{"role": "user", "content": "Say **hi**"}, {"role": "assistant", "content": "Hi"}],
    "sources": [{"doc": "a.pdf", "page": 1}, {"doc": "b.md", "page": 2}],
    "topic": "greeting",
}


def deck(tmp_path, settings=""):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / ".sampleui.toml").write_text(settings)
    path = tmp_path / "chats.jsonl"
    path.write_text("".join(json.dumps({**SAMPLE, "n": n}) + "\n" for n in range(3)))
    return path


async def test_a_view_of_a_dialect_is_a_tab_of_the_preview_and_is_edited_there(tmp_path):
    path = deck(tmp_path)
    async with opened(path) as app:
        screen = app.screen
        assert "View" not in screen.preview.tabs
        screen.set_focus(screen.preview.view)
        await app.press("V")
        editor = app.app.screen
        assert isinstance(editor, ViewEditor)
        assert "doc   │ page" in "\n".join(map(row_text, editor.view.rows))
        await app.press("J", "j", "space", "ctrl+s")
        told = "\n".join(map(row_text, screen.preview.view.rows))
        assert screen.preview.tab == "View"
        assert told.index("a.pdf") < told.index("Say hi")
        assert "greeting" not in told
    (view,) = load_settings(tmp_path).view.values()
    assert [(field.path, field.hidden) for field in view] == [
        ("sources", False),
        ("messages", False),
        ("topic", True),
        ("n", False),
    ]


async def test_a_view_of_the_settings_is_there_from_the_start(tmp_path):
    async with opened(deck(tmp_path)) as app:
        name = app.screen.sample.dialect
    path = deck(tmp_path, f'[view.{name}]\nfields = ["topic"]\n')
    async with opened(path, settings=load_settings(tmp_path)) as app:
        app.screen.preview.open("View")
        assert [row_text(row) for row in app.screen.preview.view.rows][:1] == ["topic greeting"]


async def test_a_sample_without_a_field_has_no_view_to_edit(tmp_path):
    path = tmp_path / "deck.csv"
    path.write_text("id,input,target\na,Hi,Hello\n,,\n")
    async with opened(path) as app:
        await app.press("]")
        assert app.screen.sample.data == {}
        app.screen.set_focus(app.screen.preview.view)
        await app.press("V")
        assert "no field" in said(app.screen)
        await app.press("down", "space")
        assert app.app.screen is app.screen
