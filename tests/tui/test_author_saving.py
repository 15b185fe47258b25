"""Saving and leaving: what is written, what is asked first, what another session finds again."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.deck.journal import journal_path
from sampleui.tui.author import disk
from sampleui.tui.drawing.rows import row_text

from .driver import Driver, changed_lines, drawn_lines, opened, unwrapped

EDITED = "What is 2+2? Now"


@pytest.fixture(autouse=True)
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a save be what notices a file that others changed, however long a test takes."""
    monkeypatch.setattr(disk, "POLL_S", 3600.0)


async def edit(app: Driver) -> None:
    await app.press("enter")
    await app.type(" Now")
    await app.press("escape")


async def left(app: Driver) -> None:
    await app.until(lambda: app.app._exit)


async def test_one_changed_word_is_one_changed_line(repository):
    async with opened(repository) as app:
        await edit(app)
        await app.press("ctrl+s")
        await app.until(lambda: "saved hello.toml" in app.bar)
        assert "unsaved" not in app.title
    diff = subprocess.run(["git", "diff", "-U0"], cwd=repository.parent, capture_output=True, check=True).stdout
    body = [line for line in diff.split(b"\n") if line[:1] in (b"+", b"-") and line[:3] not in (b"+++", b"---")]
    assert body == [
        b'-  { role = "user", content = "What is 2+2?" },',
        b'+  { role = "user", content = "What is 2+2? Now" },',
    ]


async def test_nothing_is_written_where_nothing_changed(hello):
    stamp = hello.stat().st_mtime_ns
    async with opened(hello) as app:
        await app.press("ctrl+s")
        await app.until(lambda: "nothing to save" in app.bar)
    assert hello.stat().st_mtime_ns == stamp


async def test_the_diff_tab_shows_what_would_be_written(hello):
    async with opened(hello) as app:
        await app.press("P")
        await edit(app)
        rows = app.screen.preview.view.rows
        removed = [row_text(row) for row in rows if row[0][0] == "removed"]
        added = [row_text(row) for row in rows if row[0][0] == "added"]
        assert "".join("".join(removed).split()) == '-{role="user",content="Whatis2+2?"},'
        assert "".join("".join(added).split()) == '+{role="user",content="Whatis2+2?Now"},'
        await app.press("ctrl+s")
        await app.until(lambda: "Nothing has changed" in app.preview)


async def test_undo_goes_on_after_a_save(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await edit(app)
        await app.press("ctrl+s")
        await app.until(lambda: app.disk != before)
        await app.press("u")
        assert "unsaved" in app.title
        await app.press("ctrl+s")
        await app.until(lambda: app.disk == before)


async def test_undoing_back_to_the_disk_leaves_nothing_to_ask(hello):
    async with opened(hello) as app:
        await edit(app)
        await app.press("u", "ctrl+q")
        await left(app)


async def test_leaving_with_nothing_unsaved_asks_nothing(hello):
    async with opened(hello) as app:
        await app.press("ctrl+q")
        await left(app)
        assert app.app.return_value == 0


async def test_leaving_with_unsaved_edits_asks_and_saves(hello):
    async with opened(hello) as app:
        await app.press("enter")
        await app.press(*" Now")
        await app.press("ctrl+q")
        await app.dialog()
        assert "unsaved edits" in app.dialog_text
        await app.press("s")
        await left(app)
    assert open_deck(hello).samples[0].messages[0]["content"] == EDITED


async def test_leaving_with_unsaved_edits_asks_and_drops_them(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await edit(app)
        await app.press("ctrl+q")
        await app.dialog("d")
        await left(app)
    assert hello.read_bytes() == before
    async with opened(hello) as app:
        assert app.app.screen is app.screen


async def test_leaving_with_unsaved_edits_asks_and_goes_on(hello):
    async with opened(hello) as app:
        await edit(app)
        await app.press("ctrl+q")
        await app.dialog("escape")
        assert app.app.screen is app.screen and app.app.is_running
        assert app.turns[0] == EDITED
        assert app.screen.conversation.has_focus


async def test_other_keys_answer_no_question(hello):
    async with opened(hello) as app:
        await edit(app)
        await app.press("ctrl+q")
        await app.dialog("x", "l", "space", "ctrl+q", "ctrl+s", "q")
        assert app.app.screen is not app.screen and app.app.is_running


# The file changed on disk

OTHER = b'[[samples]]\nid = "other"\nmessages = [{ role = "user", content = "Theirs" }]\n'


async def stale(app: Driver) -> None:
    await edit(app)
    app.path.write_bytes(OTHER)
    await app.press("ctrl+s")
    await app.dialog()


@pytest.mark.parametrize("key", ["k", "escape"])
async def test_a_file_that_changed_on_disk_is_not_written_over(hello, key):
    async with opened(hello) as app:
        await stale(app)
        assert "the file changed on disk" in unwrapped(app.dialog_text)
        assert "hello.toml" in unwrapped(app.dialog_text).replace(" ", "")
        await app.press(key)
        assert app.disk == OTHER
        assert app.turns[0] == EDITED and "unsaved" in app.title


async def test_a_copy_is_written_beside_a_file_that_changed_on_disk(hello):
    async with opened(hello) as app:
        await stale(app)
        await app.press("c")
        await app.until(lambda: "wrote hello.mine.toml" in app.bar)
        assert open_deck(hello.with_name("hello.mine.toml")).samples[0].messages[0]["content"] == EDITED
        await app.press("ctrl+s")
        await app.dialog("c")
        await app.until(lambda: "wrote hello.mine2.toml" in app.bar)
        assert app.disk == OTHER


async def test_a_copy_that_cannot_be_written_is_no_crash(hello, monkeypatch):
    async with opened(hello) as app:
        await stale(app)
        hello.parent.chmod(0o500)
        try:
            writable = _writable(hello.parent / "probe")
            await app.press("c")
            await app.until(lambda: ("wrote" if writable else "not saved") in app.bar)
        finally:
            hello.parent.chmod(0o700)


def _writable(path) -> bool:
    try:
        path.touch()
    except OSError:
        return False
    return True


async def test_a_file_that_changed_on_disk_is_read_again(hello):
    async with opened(hello) as app:
        await stale(app)
        await app.press("r")
        await app.until(lambda: app.ids == ["other"])
        assert app.turns == ["Theirs"] and "unsaved" not in app.title
        await app.press("u")
        assert "nothing to undo" in app.bar
        assert journal_path(hello).read_bytes() == b""
        await edit(app)
        await app.press("ctrl+s")
        await app.until(lambda: b"Theirs Now" in app.disk)


async def test_a_file_that_is_no_deck_any_more_is_not_read_again(hello):
    async with opened(hello) as app:
        await edit(app)
        hello.write_bytes(b"= nonsense")
        await app.press("ctrl+s")
        await app.dialog("r")
        await app.until(lambda: "✖" in app.bar)
        assert app.turns[0] == EDITED


async def test_a_file_that_is_gone_is_not_written_anew_without_a_word(hello):
    async with opened(hello) as app:
        await edit(app)
        hello.unlink()
        await app.press("ctrl+s")
        await app.until(lambda: "✖" in app.bar or app.app.screen is not app.screen)
        assert not hello.exists()


async def test_quitting_does_not_leave_while_the_file_is_stale(hello):
    async with opened(hello) as app:
        await edit(app)
        hello.write_bytes(OTHER)
        await app.press("ctrl+q")
        await app.dialog("s")
        await app.until(lambda: "Reload" in app.dialog_text)
        await app.press("escape")
        assert app.app.screen is app.screen and not app.app._exit and app.turns[0] == EDITED and app.disk == OTHER


async def test_a_save_that_fails_says_why_and_loses_nothing(hello, monkeypatch):
    async with opened(hello) as app:
        await edit(app)
        hello.parent.chmod(0o500)
        try:
            if not _writable(hello.parent / "probe"):
                await app.press("ctrl+s")
                await app.until(lambda: "✖" in app.bar)
                assert app.turns[0] == EDITED and "unsaved" in app.title
        finally:
            hello.parent.chmod(0o700)


# The session before ended without leave


async def crashed(path, *, steps: Callable[[Driver], object] | None = None) -> None:
    async with opened(path) as app:
        await edit(app)
        await app.press("D")
        journal = app.screen.session.journal.path
        assert journal is not None
        left = journal.read_bytes()
    journal.unlink(missing_ok=True)  # another file: the app above still holds its own
    journal.write_bytes(left)


async def test_the_edits_of_a_session_that_died_are_offered_and_restored(hello):
    before = hello.read_bytes()
    await crashed(hello)
    async with opened(hello) as app:
        await app.dialog()
        assert "with 2 unsaved" in app.dialog_text
        await app.press("r")
        await app.until(lambda: app.turns == [EDITED, EDITED, "2 + 2 = 4."])
        assert "unsaved" in app.title and app.disk == before
        await app.press("u", "u")
        assert app.text.encode() == before
        await app.press("ctrl+r", "ctrl+r", "ctrl+s")
        await app.until(lambda: app.disk != before)
    async with opened(hello) as app:
        assert app.app.screen is app.screen
        assert app.turns[0] == EDITED


async def test_who_restores_is_told_of_another_session_too(hello):
    async with opened(hello):
        await crashed(hello)
        async with opened(hello) as app:
            await app.dialog("r")
            await app.until(lambda: app.turns[0] == EDITED)
            assert "restored: duplicate turn 1" in app.bar and "open in another session" in app.bar


async def test_of_another_session_one_is_told_at_the_start(hello):
    async with opened(hello), opened(hello) as app:
        assert "open in another session" in app.bar


async def test_a_text_being_typed_when_the_session_died_is_restored_as_one_step(hello):
    before = hello.read_bytes()
    async with opened(hello) as app:
        await app.press("o", *"Why", "question_mark")
        await app.until(lambda: "Why?" in app.text)
        await app.press("exclamation_mark")
        await app.until(lambda: "Why?!" in app.text)
        journal = app.screen.session.journal
        written = journal.path.read_bytes()
    journal.file.close()
    journal.path.write_bytes(written)  # as if it had been killed
    async with opened(hello) as app:
        await app.dialog()
        assert "with 1 unsaved" in app.dialog_text
        await app.press("r")
        await app.until(lambda: "Why?!" in app.text)
        assert app.disk == before
        await app.press("u")
        assert app.text.encode() == before


async def test_the_edits_of_a_session_that_died_can_be_dropped(hello):
    await crashed(hello)
    async with opened(hello) as app:
        await app.dialog("d")
        assert app.turns[0] == "What is 2+2?"
    async with opened(hello) as app:
        assert app.app.screen is app.screen


async def test_the_edits_of_a_session_that_died_are_not_put_on_another_text(hello):
    await crashed(hello)
    hello.write_bytes(OTHER)
    async with opened(hello) as app:
        await app.dialog("escape")
        assert app.turns == ["Theirs"]
    async with opened(hello) as app:  # asked about until they are discarded
        await app.dialog()
        assert "changed since" in app.dialog_text
        await app.press("d")
    async with opened(hello) as app:
        assert app.app.screen is app.screen and app.turns == ["Theirs"]


async def test_it_is_said_as_long_as_edits_are_not_kept_for_recovery(hello, monkeypatch):
    async with opened(hello) as app:
        with Path("/dev/full").open("ab", buffering=0) as full:
            monkeypatch.setattr(app.screen.session.journal, "file", full)
            for key in "Djk":
                await app.press(key)
                assert "unsaved edits are not kept for recovery" in drawn_lines(app.screen)[-2]
            monkeypatch.undo()
        await app.press("D")
        assert "unsaved edits" not in drawn_lines(app.screen)[-2]


async def test_looking_at_a_deck_leaves_no_journal(hello):
    async with opened(hello) as app:
        await app.press("j", "]", "enter", "escape")
        assert journal_path(hello).read_bytes() == b""
        await app.press("ctrl+q")
    assert not journal_path(hello).exists()


# What the file keeps


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
async def test_line_ends_and_byte_order_mark_are_kept(hello, mark, end):
    before = mark + hello.read_text().replace("\n", end).encode()
    hello.write_bytes(before)
    async with opened(hello) as app:
        await app.press("]", "enter", "end")
        await app.type("!")
        await app.press("ctrl+s")
        await app.until(lambda: app.disk != before)
    removed, added = changed_lines(before, hello.read_bytes())
    assert (len(removed), len(added)) == (1, 1)
    assert added[0].startswith(removed[0].rstrip(b'"\r')) or b"!" in added[0]
    assert added[0].endswith(b"\r") == (end == "\r\n")
