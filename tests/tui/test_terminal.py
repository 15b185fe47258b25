"""The app and the terminal it runs in: handed to an editor, stopped, ended, and found again as it was."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import termios
import time
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.torture.program import Program

from .driver import ROOT

LONGEST = 20.0
OWN_SCREEN, USUAL_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"


class Terminal(Program):
    """The app on a deck, or another command of it on a file, in a terminal of 100 columns and 30 lines.

    What is `early` is typed before it has begun.
    """

    def __init__(
        self, path: Path, first: bytes = b"Quit", words: tuple[str, ...] = (), early: str = "", **environment: str
    ) -> None:
        home = str(path.parent / "home")
        usual = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT), "TERM": "xterm-256color",
            "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home,
        }  # fmt: skip
        command = [sys.executable, "-m", "sampleui", *words, path.name]
        super().__init__(command, path.parent, usual | environment, (100, 30))
        self.modes = termios.tcgetattr(self._fd)
        self.press(early)
        self.wait(first)

    def wait(self, sign: bytes) -> None:
        """Wait until the app writes something that it had not written before the last look."""
        assert self.answered(sign, len(sign), LONGEST) is not None, self.output[-3000:]
        self.output = b""

    def press(self, keys: str) -> None:
        """Send keys."""
        assert self.write(keys.encode(), LONGEST)

    def ended(self) -> int:
        """Wait for the end of the app and return its status."""
        end = time.monotonic() + LONGEST
        while self.runs():
            assert time.monotonic() < end
            self._read(0.01)
        assert self.status is not None
        return self.status

    def wait_stopped(self) -> None:
        """Wait until the app has stopped."""
        end = time.monotonic() + LONGEST
        while not (waited := os.waitpid(self.pid, os.WUNTRACED | os.WNOHANG))[0]:
            assert time.monotonic() < end
            self._read(0.01)
        assert os.WIFSTOPPED(waited[1])
        while self._read(0.1):
            pass

    def is_as_before(self) -> bool:
        """Tell whether the terminal shows the usual screen in the modes it had."""
        usual = self.output.rfind(USUAL_SCREEN) > self.output.rfind(OWN_SCREEN)
        return usual and termios.tcgetattr(self._fd) == self.modes


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        one.end()


EDITORS = [
    ("", b"there is no editor"),
    ("false", b"failed with exit code 1"),
    ("sh -c 'kill -9 $$'", b"was ended by SIGKILL"),
    ("sh -c 'stty raw -echo; printf \"\\033[?25l\"; kill $$'", b"was ended by SIGTERM"),
    ('sh -c \'printf "\\377" > "$0"\'', b"is not UTF-8"),
    ("sh -c 'rm \"$0\"'", b"cannot be read"),
]


def test_whatever_the_editor_does_the_app_comes_back_and_says_so(hello, terminals):
    before = hello.read_bytes()
    editor = hello.parent / "editor"
    app = Terminal(hello, EDITOR="./editor")
    terminals.append(app)
    for command, told in EDITORS:
        editor.unlink(missing_ok=True)
        if command:
            editor.write_text(f'#!/bin/sh\nexec {command} "$1"\n')
            editor.chmod(0o755)
        app.press("\x05")
        app.wait(told)
        app.press("?")
        app.wait(b"Keys")
        app.press("\x1b")
        app.wait(b"Quit")
    app.press("\x11")
    assert app.ended() == 0
    assert app.is_as_before()
    assert hello.read_bytes() == before


def test_keys_typed_early_or_not_read_by_the_editor_are_for_the_app(hello, terminals):
    editor = "sh -c 'echo ON; while [ ! -e typed ]; do sleep 0.05; done'"
    app = Terminal(hello, b"EARLY", early="\rEARLY\x1b", EDITOR=editor)
    terminals.append(app)
    app.press("\x05")
    app.wait(b"ON")
    app.press("j\rZZ\x1b")
    (hello.parent / "typed").touch()
    app.wait(b"Done")  # not ZZ, which the terminal itself shows while the editor has it
    app.press("\x13")
    app.wait(b"saved")
    app.press("\x11")
    assert app.ended() == 0
    assert b"ZZ" in hello.read_bytes() and b"EARLY" in hello.read_bytes()


def type_unsaved(app: Terminal) -> None:
    app.press("\r")
    app.wait(b"Done")
    app.press("\x1b[200~UNSAVED\x1b[201~")
    app.wait(b"UNSAVED")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_leaves_the_terminal_as_it_was_and_keeps_what_was_typed(hello, terminals, number):
    app = Terminal(hello)
    terminals.append(app)
    type_unsaved(app)
    os.kill(app.pid, number)
    assert app.ended() == 128 + number
    assert app.is_as_before()
    [journal] = (hello.parent / "home").rglob("hello-*.jsonl")
    assert b"UNSAVED" in journal.read_bytes()
    if number == signal.SIGTERM:
        again = Terminal(hello, b"ended with")
        terminals.append(again)
        again.press("r")
        again.wait(b"restored")
        again.press("\x13")
        again.wait(b"saved hello.toml")
        assert b"UNSAVED" in hello.read_bytes()


def kill(app: Terminal) -> None:
    """End an app so that it can do nothing about it."""
    os.kill(app.pid, signal.SIGKILL)
    assert app.ended() == -signal.SIGKILL


def commit(app: Terminal, text: str) -> None:
    """Put something into the first turn."""
    app.press("\r")
    app.wait(b"Done")
    app.press(f"\x1b[200~{text}\x1b[201~")
    app.wait(text.encode())
    app.press("\x1b")
    app.wait(b"Quit")


def test_two_killed_sessions_of_a_deck_are_both_offered_until_discarded(hello, terminals):
    first = Terminal(hello)
    terminals.append(first)
    second = Terminal(hello, b"another session")
    terminals.append(second)
    for app, text in ((first, "FIRST"), (second, "SECOND")):
        commit(app, text)
    kill(first)
    kill(second)

    third = Terminal(hello, b"ended with")
    terminals.append(third)
    third.press("\x1b")  # which keeps both, whatever is edited and given up here
    third.wait(b"Quit")
    commit(third, "THIRD")
    third.press("\x11d")
    assert third.ended() == 0

    fourth = Terminal(hello, b"ended with")
    terminals.append(fourth)
    fourth.press("d")
    fourth.wait(b"ended with")
    fourth.press("r")
    fourth.wait(b"restored")
    fourth.press("\x13")
    fourth.wait(b"saved hello.toml")
    assert b"FIRST" in hello.read_bytes() and b"SECOND" not in hello.read_bytes()
    fourth.press("\x11")
    assert fourth.ended() == 0
    assert not list((hello.parent / "home").rglob("hello-*.jsonl"))


def test_a_closed_terminal_ends_the_app_and_leaves_what_was_typed_for_the_next_start(hello, terminals):
    app = Terminal(hello)
    type_unsaved(app)
    os.close(app._fd)
    end = time.monotonic() + LONGEST
    while not os.waitpid(app.pid, os.WNOHANG)[0]:
        assert time.monotonic() < end
        time.sleep(0.01)
    again = Terminal(hello, b"ended with")
    terminals.append(again)
    again.press("r")
    again.wait(b"restored")


def test_ctrl_z_stops_the_app_for_a_shell_that_brings_it_back(hello, terminals):
    app = Terminal(hello)
    terminals.append(app)
    for before, after in (("", ""), ("?", "\x1b"), ("R", "\x1b"), ("\x10", "\x1b")):
        app.press(f"{before}\x1a")
        app.wait_stopped()
        assert app.is_as_before(), before
        app.output = b""
        os.kill(app.pid, signal.SIGCONT)
        app.wait(b"Quit" if not before else b"esc")
        app.press(after)
        if after:
            app.wait(b"Quit")
    app.press("\x11")
    assert app.ended() == 0
    assert app.is_as_before()


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_an_app_that_is_stopped_from_outside_draws_its_whole_screen_again(hello, terminals, number):
    app = Terminal(hello)
    terminals.append(app)
    for _ in range(2):
        os.kill(app.pid, number)
        app.wait_stopped()
        app.output = b""
        os.kill(app.pid, signal.SIGCONT)
        app.wait(b"Quit")
    app.press("?")
    app.wait(b"Keys")
    app.press("\x1b")
    app.wait(b"Quit")
    app.press("\x11")
    assert app.ended() == 0
    assert app.is_as_before()


_INTERRUPTED_AT_AN_IMPORT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == os.environ["AT"]:
            os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
from sampleui.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "module", ["sampleui.cli.app", "sampleui.errors", "textual.app", "sampleui.tui.author.screen"]
)
def test_an_interrupt_while_the_app_starts_is_one_line(hello, module):
    program = Program(
        [sys.executable, "-c", _INTERRUPTED_AT_AN_IMPORT, hello.name],
        hello.parent,
        {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm",
            "HOME": str(hello.parent),
            "AT": module,
        },
        (80, 24),
    )
    try:
        modes = termios.tcgetattr(program._fd)
        assert program.answered(b"sampleui: interrupted\r\n", 0, LONGEST) is not None, program.output
        while program.runs():
            time.sleep(0.01)
        assert (program.status, program.output) == (130, b"sampleui: interrupted\r\n")
        assert termios.tcgetattr(program._fd) == modes
    finally:
        program.end()


def test_without_a_clipboard_the_terminal_is_given_what_is_copied(hello, terminals):
    app = Terminal(hello)
    terminals.append(app)
    app.press("y\r")
    app.wait(b"\x1b]52;c;" + b64encode(b"What is 2+2?"))


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")
def test_in_tmux_its_buffer_has_what_is_copied(hello, tmp_path, monkeypatch):
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path))

    def tmux(*words: str) -> str:
        command = ["tmux", "-f", os.devnull, *words]
        return subprocess.run(command, capture_output=True, check=False, text=True).stdout

    def seen(wanted: str, *words: str) -> bool:
        end = time.monotonic() + 20
        while wanted not in tmux(*words):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    command = f"cd {ROOT} && {sys.executable} -m sampleui {hello}"
    tmux("new-session", "-d", "-x", "120", "-y", "30", command)
    try:
        assert seen("Quit", "capture-pane", "-p")
        tmux("send-keys", "y", "Enter")
        assert seen("What is 2+2?", "show-buffer")
        assert seen("copied the text under the cursor to tmux", "capture-pane", "-p")
    finally:
        tmux("kill-server")


TYPED = [
    *["〽\ufe0f", "👍🏽", "👩🏽\u200d💻", "❤\ufe0f\u200d🔥", "🇩🇪"],
    *["1\ufe0f\u20e3", "e\u0301", "각", "\u1100\u1161\u11a8"],
]


def test_a_backspace_takes_what_one_sees_in_a_text_that_is_edited(hello, terminals):
    app = Terminal(hello)
    terminals.append(app)
    left, right, delete = "\x1b[D", "\x1b[C", "\x1b[3~"
    app.press("\r " + "".join(f"{letter}\x7f{letter}x{left}{left}{delete}{right}" for letter in TYPED) + "\x1b")
    app.press("\x13\x11")
    assert app.ended() == 0
    assert f'"What is 2+2? {"x" * len(TYPED)}"' in hello.read_text()


def test_a_comment_without_a_verdict_outlives_a_kill_and_stays_with_its_record(tmp_path, terminals):
    run = tmp_path / "run.jsonl"
    rows = [{"id": name, "output": "x", "score": 0.0} for name in ("r-one", "r-two")]
    run.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def review(first: bytes) -> Terminal:
        app = Terminal(run, first, ("review", "--reviewer", "ada"))
        terminals.append(app)
        return app

    app = review(b"Help")
    app.press("]")
    app.wait(b"r-two")
    app.press("cWAITING\r")
    app.wait(b"recorded the comment on r-two")
    kill(app)

    again = review(b"1 read")
    again.press("1")
    again.wait(b"recorded model-wrong for r-one")
    made = [json.loads(line) for line in (tmp_path / "run.reviews.jsonl").read_text().splitlines()]
    told = [(one["kind"], one["record_id"], one.get("comment", "")) for one in made]
    assert told == [("note", "r-two", "WAITING"), ("decide", "r-one", "")]
    again.press("\x11")
    assert again.ended() == 0
