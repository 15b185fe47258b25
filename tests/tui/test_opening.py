"""What a path opens: a deck, the text of one that does not parse, the offer of a new one, or exit 2."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.errors import DeckError, SettingsError
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.settings.options import Settings
from sampleui.text.limits import LARGE_DECK_BYTES
from sampleui.tui import opening, textual_internals
from sampleui.tui.app import SampleUI, check_bound_keys
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.author.without_deck import BrokenScreen, LoadingScreen
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.opening import first_screen
from sampleui.tui.review.screen import ReviewScreen
from sampleui.tui.screens.dialogs import Confirm, Pick
from sampleui.tui.widgets.text_view import TextView
from sampleui.workspace.reading import USUAL, dialects_of_new

from .driver import drawn_lines, opened, unwrapped, wait_until
from .pressing import key_event

BROKEN = "# fine\n[[samples]]\nid = \x1b[31m oops\nmessages = []\n"


async def test_a_deck_that_does_not_parse_is_shown_with_the_error_at_its_line(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(BROKEN)
    async with opened(path) as app:
        assert isinstance(app.app.screen, BrokenScreen)
        shown = drawn_lines(app.app.screen)
        assert "read-only" in shown[0] and "deck.toml" in shown[0]
        assert "line 3" in shown[1]
        assert [line[2:].rstrip(" │") for line in shown[2:5]] == [
            "1   # fine",
            "2   [[samples]]",
            "3 ▶ id = ␛[31m oops",
        ]
        await app.press("enter", "x", "d", "ctrl+s", "j", "k", "end", "home")
        assert app.disk == BROKEN.encode()
        await app.press("?")
        assert "? does nothing here" in app.dialog_text and "E Edit here  r Read again" in app.dialog_text
        await app.press("q")
        assert app.app._exit
    assert app.app.return_value == 0


async def test_a_deck_that_was_put_right_opens_when_it_is_read_again(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(BROKEN)
    async with opened(path) as app:
        await app.press("r")
        await app.rested()
        assert isinstance(app.app.screen, BrokenScreen)
        path.write_text(BROKEN.replace("\x1b[31m oops", '"a"'))
        await app.press("r")
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))
        assert app.ids == ["a"]
        await app.press("ctrl+q")
        await app.until(lambda: app.app._exit)


async def test_a_broken_deck_is_watched_and_opens_when_it_is_put_right(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(BROKEN)
    async with opened(path) as app:
        path.write_text(f"# one more line\n{BROKEN}")
        await app.until(lambda: "line 4" in drawn_lines(app.app.screen)[1])
        path.write_text(BROKEN.replace("\x1b[31m oops", '"a"'))
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))
        assert app.ids == ["a"]


async def test_a_broken_deck_that_vanishes_is_no_crash(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(BROKEN)
    async with opened(path) as app:
        path.unlink()
        await app.press("r")
        await app.pilot.resize_terminal(70, 20)
        await app.rested()
        assert app.app.is_running and app.app._exception is None


async def test_the_error_is_in_view_in_a_long_deck(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("# line\n" * 500 + "nonsense\n" + "# line\n" * 500)
    async with opened(path, size=(80, 24)) as app:
        await app.rested()
        shown = drawn_lines(app.app.screen)
        assert shown[2][2:].startswith(" 496   # line") and shown[7][2:].startswith(" 501 ▶ nonsense")


async def test_a_long_line_of_a_broken_deck_goes_on_below_its_beginning(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("x" * 60 + "\n")
    async with opened(path, size=(60, 20)) as app:
        view = app.app.screen.query_one(TextView)
        width = view.scrollable_content_region.width
        assert [*map(row_text, view.rows)][:2] == ["1 ▶ " + "x" * (width - 4), "    " + "x" * (64 - width)]


@pytest.mark.parametrize("name", ["new.toml", "new.yaml", "new.jsonl", "new.json"])
async def test_a_missing_deck_is_offered_and_written_by_the_first_save_alone(tmp_path, name):
    path = tmp_path / name
    async with opened(path) as app:
        await app.until(lambda: "does not exist" in unwrapped(app.dialog_text))
        await app.press("c")
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))
        assert not path.exists()
        await app.press("n")
        await app.type("Hello?")
        await app.press("escape")
        assert not path.exists()
        await app.press("ctrl+s")
        await app.until(path.exists)
    sample = open_deck(path).samples[0]
    assert sample.messages == [{"role": "user", "content": "Hello?"}]


@pytest.mark.parametrize(
    ("dialect", "form"), [("promptfoo", "yaml"), ("openai", "jsonl"), ("gage", "yaml"), ("deepeval", "csv")]
)
async def test_a_missing_deck_may_be_one_of_any_tool_whose_files_have_its_form(tmp_path, dialect, form):
    path = tmp_path / f"new.{form}"
    first = [one.name for one in dialects_of_new(path, USUAL).values()][:3]
    async with opened(path, size=(80, 24)) as app:
        await app.until(lambda: isinstance(app.app.screen, Confirm))
        if dialect in first:
            await app.press("c23"[first.index(dialect)])
        else:
            await app.press("m")
            await app.until(lambda: isinstance(app.app.screen, Pick))
            await app.press(*DIALECTS[dialect].title.lower().partition("-")[0], "enter")
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))
        await app.press("n")
        await app.type("Hello?")
        await app.press("escape", "ctrl+s")
        await app.until(path.exists)
    deck = open_deck(path)
    assert deck.dialect == dialect, path.read_text()
    assert "Hello?" in str(deck.samples[0].data)


async def test_no_choice_of_another_tool_leads_back_to_the_question(tmp_path):
    async with opened(tmp_path / "new.yaml", size=(80, 24)) as app:
        await app.until(lambda: isinstance(app.app.screen, Confirm))
        await app.press("m")
        await app.until(lambda: isinstance(app.app.screen, Pick))
        await app.press("escape")
        await app.until(lambda: isinstance(app.app.screen, Confirm))
        await app.press("c")
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))


async def test_a_missing_deck_that_is_not_wanted_is_not_made(tmp_path):
    path = tmp_path / "new.toml"
    async with opened(path) as app:
        await app.until(lambda: "does not exist" in unwrapped(app.dialog_text))
        await app.press("escape")
        await app.until(lambda: app.app._exit)
        assert app.app.return_value == 0
    assert not path.exists()


async def test_a_new_deck_that_appeared_meanwhile_is_not_written_over(tmp_path):
    path = tmp_path / "new.toml"
    async with opened(path) as app:
        await app.until(lambda: "does not exist" in unwrapped(app.dialog_text))
        await app.press("c")
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))
        await app.press("n")
        await app.type("Mine")
        path.write_text("# theirs\n")
        await app.press("escape", "ctrl+s")
        await app.dialog("escape")
        assert app.app.screen is app.screen and app.screen.session.unsaved
    assert path.read_text() == "# theirs\n"


@pytest.mark.parametrize("name", ["my.txt", "deck.docx", "deck"])
def test_a_new_deck_of_an_unknown_form_is_refused_before_anything_is_asked(tmp_path, name):
    with pytest.raises(DeckError, match=r"the name of a new deck ends in one of \.json"):
        first_screen(tmp_path / name, Settings(), None)


@pytest.mark.parametrize(("name", "ends"), [("deck.json", ("[", ",", "]")), ("deck.jsonl", ("", "\n", ""))])
async def test_a_large_deck_is_read_behind_a_line_that_says_so(tmp_path, monkeypatch, name, ends):
    monkeypatch.setattr(opening, "LARGE_LINES_BYTES", LARGE_DECK_BYTES)
    path = tmp_path / name
    line = '{"id": "s%d", "messages": [{"role": "user", "content": "' + "x" * 1000 + '"}]}'
    lines = (line % number for number in range(LARGE_DECK_BYTES // 1000))
    path.write_text(ends[0] + ends[1].join(lines) + ends[2])
    async with opened(path) as app:
        await app.until(lambda: isinstance(app.app.screen, AuthorScreen))
        assert len(app.screen.session.deck.samples) == LARGE_DECK_BYTES // 1000
        await app.press("]")
        assert app.screen.index == 1


async def test_one_need_not_wait_for_a_deck_that_is_read(hello):
    read = threading.Event()

    def reading() -> Callable[[], AuthorScreen]:
        read.wait(30)
        raise DeckError("too late")

    app = SampleUI(lambda: LoadingScreen(hello, reading), Settings())
    async with app.run_test() as pilot:
        await pilot.pause()
        app.screen.post_message(key_event("x"))
        await pilot.pause()
        assert not app._exit
        app.screen.post_message(key_event("ctrl+q"))
        await pilot.pause()
        assert app._exit
        read.set()
        await wait_until(pilot, lambda: all(worker.is_finished for worker in app.workers))
    assert app.return_value == 0


async def test_a_deck_that_cannot_be_read_after_all_ends_with_exit_2(hello):
    def reading() -> Callable[[], AuthorScreen]:
        raise DeckError("no deck")

    app = SampleUI(lambda: LoadingScreen(hello, reading), Settings())
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: app._exit)
    assert app.return_value == 2


async def test_an_unknown_theme_names_the_known_ones(hello):
    settings = Settings(theme="nope")
    with pytest.raises(SettingsError, match="sampleui-dark"):
        SampleUI(first_screen(hello, settings, None), settings)


def test_keys_of_an_unknown_command_name_the_nearest():
    with pytest.raises(SettingsError, match=r"did you mean 'turn\.delete'"):
        check_bound_keys(Settings(keys={"turn.delet": ("d",)}))


async def test_the_dialect_can_be_forced(hello):
    async with opened(hello, dialect="agentv") as app:
        assert "agentv" in app.title.lower()


def run_in_terminal(path: Path, shown: str = "", keys: bytes = b"") -> tuple[int, str]:
    """Run the command in a terminal of its own, type keys when it shows a text; return its code and its output."""
    main, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "sampleui", str(path)],
        stdin=other,
        stdout=other,
        stderr=other,
        env={**os.environ, "TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(other)
    written = b""
    end = time.monotonic() + 20
    while time.monotonic() < end and select.select([main], [], [], end - time.monotonic())[0]:
        try:
            read = os.read(main, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not read:
            break
        written += read
        if keys and shown.encode() in written:
            os.write(main, keys)
            keys = b""
    os.close(main)
    process.terminate() if time.monotonic() >= end else None
    return process.wait(10), written.decode("utf-8", "replace")


def binary(path):
    path.write_bytes(b"\x7fELF\x00\xff\xfe" * 100)


def pipe(path):
    os.mkfifo(path)


def dangling(path):
    path.symlink_to(path.parent / "nowhere")


@pytest.mark.parametrize("make", [binary, pipe, dangling])
def test_what_is_no_text_gets_one_line_and_exit_2(tmp_path, make):
    path = tmp_path / "deck.toml"
    make(path)
    code, written = run_in_terminal(path)
    assert code == 2
    assert written.startswith("sampleui: ") and written.count("\n") == 1
    assert "Traceback" not in written and "deck.toml" in written


def test_an_unreadable_file_gets_one_line_and_exit_2(hello):
    hello.chmod(0)
    if os.access(hello, os.R_OK):
        pytest.skip("this user reads everything")
    code, written = run_in_terminal(hello)
    assert (code, written.count("\n")) == (2, 1)


def test_a_session_in_a_terminal_ends_with_exit_0(hello):
    code, written = run_in_terminal(hello, "What is 2+2?", b"\x11")
    assert code == 0
    assert "What is 2+2?" in written
    assert "\x1b[?1049l" in written


async def test_the_broken_view_wraps_to_the_terminal(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("x" * 5000 + "\n")
    async with opened(path, size=(60, 20)) as app:
        view = app.app.screen.query_one(TextView)
        assert max(len(row_text(row)) for row in view.rows) <= view.scrollable_content_region.width


async def test_results_that_are_opened_by_their_name_are_reviewed(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"test_id": "a", "score": 0.5, "output": "an answer"}\n')
    async with opened(path) as app:
        await app.until(lambda: isinstance(app.app.screen, ReviewScreen))
        assert "an answer" in unwrapped(app.dialog_text)


async def test_an_app_that_is_left_with_its_first_frame_ends_in_peace(tmp_path, monkeypatch):
    path = tmp_path / "deck.toml"
    path.write_text(BROKEN.replace("\x1b[31m oops", '"a"'))
    monkeypatch.setattr(textual_internals, "_let_write", lambda app: app.exit())
    app = SampleUI(first_screen(path, Settings(), None), Settings())
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
    assert app._exception is None
