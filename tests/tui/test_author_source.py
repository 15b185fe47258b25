"""The sample's own text in the user's editor: proved, one step of undo, offered again, never lost."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from .driver import DECKS, opened


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return what makes an editor that leaves one text after the other, and notes what it was given."""

    def made(*texts: str) -> Path:
        for at, text in enumerate(texts):
            (tmp_path / f"text{at}").write_text(text)
        script = tmp_path / "editor"
        script.write_text(
            f"#!/bin/sh\ncd {tmp_path}\nn=$(ls given* 2>/dev/null | wc -l)\n"
            'for last; do :; done\ncat "$last" > "given$n"\necho "$@" > args\ncat "text$n" > "$last"\n'
        )
        script.chmod(0o755)
        monkeypatch.setenv("EDITOR", str(script))
        return tmp_path

    return made


@pytest.fixture
def hello(tmp_path: Path) -> Path:
    path = tmp_path / "hello.toml"
    path.write_bytes((DECKS / "hello.toml").read_bytes())
    return path


async def test_the_source_is_edited_as_one_step(hello, editor):
    at = editor('[[samples]]\nid = "other"\nmessages = [{ role = "user", content = "Hi" }]\n')
    async with opened(hello) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("]", "E")
        await app.until(lambda: app.steps)
        assert "algebra-tutor" in (at / "given0").read_text()
        assert (app.ids[1], app.turns, app.steps) == ("other", ["Hi"], 1)
        await app.press("u")
        assert app.text.encode() == hello.read_bytes()


async def test_a_refused_source_is_offered_again_and_not_lost(hello, editor):
    at = editor('[[samples]]\nid = = "x"\n', '[[samples]]\nid = "y"\n')
    async with opened(hello) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("E")
        await app.dialog()
        assert "line 2, column 6" in app.dialog_text
        await app.press("e")
        await app.until(lambda: app.steps)
        assert (at / "given1").read_text() == '[[samples]]\nid = = "x"\n'
        assert app.ids[0] == "y"


async def test_a_refused_source_is_kept_in_its_file(hello, editor):
    editor("nothing at all = [")
    async with opened(hello) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("E")
        await app.dialog("escape")
        await app.until(lambda: "✖" in app.bar)
        assert app.text.encode() == hello.read_bytes()
        assert app.steps == 0


async def test_a_deck_that_cannot_be_read_is_opened_at_its_place(tmp_path, editor):
    path = tmp_path / "deck.toml"
    path.write_text("[[samples]]\nid = \n")
    at = editor('[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "Hi" }]\n')
    async with opened(path) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("E")
        await app.until(lambda: any(type(one).__name__ == "AuthorScreen" for one in app.app.screen_stack))
        assert (at / "given0").read_text() == "[[samples]]\nid = \n"
        assert app.ids == ["a"]


async def test_an_editor_that_fails_is_told_and_not_offered_again(hello, monkeypatch):
    monkeypatch.setenv("EDITOR", "no-such-editor")
    async with opened(hello) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("E")
        assert app.app.screen is app.screen and "no-such-editor" in app.bar


async def test_a_refused_source_that_is_left_as_it_is_is_offered_again(hello, editor):
    editor("nothing = [", "nothing = [")
    async with opened(hello) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("E", "e")
        assert "The text is refused" in app.dialog_text
        await app.press("escape")
        assert "✖" in app.bar and app.text.encode() == hello.read_bytes()


@pytest.fixture
def window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file that says what an editor was given which comes back at once, its window open still."""
    script = tmp_path / "window"
    script.write_text(f'#!/bin/sh\nfor last; do :; done\nprintf %s "$last" > {tmp_path}/opened\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    monkeypatch.setattr("sampleui.tui.external_editor._POLL_S", 0.02)
    return tmp_path / "opened"


async def test_what_an_editor_saves_that_came_back_at_once_is_taken_in(hello, window):
    async with opened(hello) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("ctrl+e")
        assert "the editor returned at once" in app.bar
        given = Path(window.read_text())
        await app.press("]")
        given.write_text("Saved later\n")
        await app.until(lambda: app.steps == 1)
        given.write_text("And again\n")
        await app.until(lambda: app.steps == 2)
        await app.press("[")
        assert app.turns[0] == "And again"
        await app.press("E")
        source = Path(window.read_text())
        source.write_text(source.read_text().replace("And again", "As source"))
        await app.until(lambda: app.turns[0] == "As source")
        await app.press("u", "u", "u")
        assert app.text.encode() == hello.read_bytes()


async def test_what_an_editor_saves_for_a_place_that_has_changed_is_kept_in_its_file(hello, window):
    async with opened(hello) as app:
        app.app.suspend = nullcontext  # type: ignore[method-assign]
        await app.press("ctrl+e")
        given = Path(window.read_text())
        await app.press("enter", "x", "escape")
        given.write_text("Saved later\n")
        await app.until(lambda: "is not taken in" in app.bar)
        assert app.turns[0] == "What is 2+2?x"
        assert given.read_text() == "Saved later\n"
        await app.press("E")
        source = Path(window.read_text())
        source.write_text("nothing at all = [")
        await app.until(lambda: "is not taken in" in app.bar)
        assert app.steps == 1
