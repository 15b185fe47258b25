"""The command as a whole: what it imports, how it fails, and which deck or command is meant."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from sampleui import __main__
from sampleui.cli import output
from sampleui.cli.commands import COMMANDS

from .conftest import DECKS, drawn_on

HEAVY = ("textual", "rich", "pydantic", "yaml", "tomlkit", "asyncio")


@pytest.mark.parametrize(
    ("args", "unwanted"),
    [
        (["--help"], (*HEAVY, "sampleui.workspace.deck")),
        (["--version"], (*HEAVY, "sampleui.workspace.deck")),
        (["check", str(DECKS / "hello.toml")], ("textual", "rich", "pydantic", "yaml", "asyncio")),
        (["render", str(DECKS / "hello.toml")], ("textual", "rich", "pydantic", "asyncio")),
        ([str(DECKS / "hello.toml")], ("textual", "click", "pydantic", "yaml", "sampleui.workspace.deck")),
    ],
)
def test_a_command_imports_only_what_it_needs(args, unwanted):
    code = (
        "import sys; from sampleui.__main__ import main; main(); "
        f"print('IMPORTED', [name for name in {unwanted!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True
    )
    assert done.stdout.rstrip().endswith("IMPORTED []")


def test_the_help_of_no_command_imports_textual_or_pydantic():
    code = (
        "import sys; from sampleui.cli.commands import COMMANDS; from sampleui.cli.main import run; "
        "[run([name, '--help']) for name in COMMANDS]; "
        "print('IMPORTED', [name for name in ('textual', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("Usage: sampleui ") == len(COMMANDS)
    assert done.stdout.rstrip().endswith("IMPORTED []")


def test_help_names_every_command_and_what_exit_codes_mean(sampleui):
    ran = sampleui("--help")
    assert ran.code == 0
    assert all(name in ran.out and entry.help in ran.out for name, entry in COMMANDS.items())
    assert "Exit codes" in ran.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(sampleui, name):
    ran = sampleui(name, "--help")
    assert ran.code == 0
    assert f"Usage: sampleui {name}" in ran.out


def test_version_is_told(sampleui):
    assert sampleui("--version").out.startswith("sampleui 0.")


def test_without_arguments_the_help_is_shown(sampleui):
    ran = sampleui()
    assert ran.code == 2
    assert "Usage: sampleui" in ran.out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["check"], "Missing argument"),
        (["check", "--frob"], "No such option"),
        (["render", "x.toml", "--as", "poem"], "'poem' is not one of"),
        (["export", "x.jsonl", "--to", "y.toml"], "say which records, by --verdict or --code"),
        (["schema", "klingon"], "Invalid value for 'DIALECT': 'klingon'"),
        (["chekc", "x.toml"], "did you mean `sampleui check`?"),
        (["--frob", "x.toml"], "No such option"),
        (["check", "x.toml", "--dialect", "klingon"], "'klingon' is not one of"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_2(sampleui, args, words):
    ran = sampleui(*args)
    assert ran.code == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_without_a_terminal_a_deck_is_not_opened(process):
    ran = process(DECKS / "hello.toml")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert "terminal" in ran.err
    assert "sampleui check" in ran.err
    assert "sampleui render" in ran.err


def test_without_a_terminal_options_change_nothing(sampleui):
    ran = sampleui("--dialect", "agentv", DECKS / "hello.toml")
    assert ran.code == 2
    assert "terminal" in ran.err


def test_a_deck_is_opened_with_its_settings(sampleui, app, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "interactive", lambda: True)
    (tmp_path / ".sampleui.toml").write_text('provider = "gemini"\n')
    ran = sampleui("--theme", "dark", tmp_path / "deck.toml", "--dialect", "agentv")
    assert ran.code == 7
    path, settings, dialect = app.asked
    assert (path, dialect) == (tmp_path / "deck.toml", "agentv")
    assert (settings.theme, settings.provider) == ("dark", "gemini")


def test_the_usual_start_is_the_same(app, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "interactive", lambda: True)
    monkeypatch.setattr(sys, "argv", ["sampleui", str(tmp_path / "deck.toml")])
    assert __main__.main() == 7
    assert app.asked[0] == tmp_path / "deck.toml"


def test_a_deck_named_like_a_command_is_opened_by_its_path(sampleui, app, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "interactive", lambda: True)
    monkeypatch.chdir(tmp_path)
    assert sampleui("./check").code == 7
    assert app.asked[0] == Path("check")
    assert sampleui("check").code == 2


def test_a_mistyped_command_is_not_a_deck_to_create(sampleui, app, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "interactive", lambda: True)
    monkeypatch.chdir(tmp_path)
    ran = sampleui("chekc")
    assert ran.code == 2
    assert ran.err == "sampleui: there is no file chekc; did you mean `sampleui check`?\n"
    assert app.asked is None
    assert sampleui("new.toml").code == 7
    Path("chekc").write_text("")
    assert sampleui("chekc").code == 7


def test_wrong_settings_are_one_line(sampleui, tmp_path, monkeypatch):
    monkeypatch.setattr(output, "interactive", lambda: True)
    (tmp_path / ".sampleui.toml").write_text("themes = 1\n")
    ran = sampleui(tmp_path / "deck.toml")
    assert ran.code == 2
    assert (
        ran.err == f"sampleui: {tmp_path / '.sampleui.toml'}:1:1: there is no setting themes; did you mean theme?\n"
    )


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text('[[samples]]\nmessages = [{ role = "user", content = "hi" }]\n' * 20_000)
    command = f"{sys.executable} -m sampleui render {deck} | head -1"
    done = subprocess.run(
        ["bash", "-c", command + "; echo ${PIPESTATUS[0]}"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == str(output.READER_GONE)


def test_a_full_disk_is_one_line(process):
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    command = f"{sys.executable} -m sampleui check {DECKS / 'hello.toml'} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupt_is_quiet_and_130():
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert output.guarded(interrupted) == 130


def seconds_worked(pid: int) -> float:
    """Return the processor time of a process and its children: how far they are, on a busy machine as well."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12]) if pid in (int(fields[1]), int(path.parent.name)) else 0
    return ticks / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_ctrl_c_in_a_process_is_one_line(tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text('[[samples]]\nmessages = [{ role = "user", content = "hi" }]\n' * 100_000)
    with subprocess.Popen(
        [sys.executable, "-m", "sampleui", "check", str(deck), str(deck)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A job in the background has the signal ignored, and hands that on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as running:
        while running.poll() is None and seconds_worked(running.pid) < 0.7:
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == 130, err
    assert err == b"sampleui: interrupted\n"
    assert out == b""


def test_any_locale_will_do(process):
    ran = process("render", DECKS / "hello.toml", "--as", "question", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert ran.code == 0


def on_terminal(*args: str) -> bytes:
    """Run a command on a terminal and return what it drew."""
    master, slave = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "sampleui", *args], stdin=slave, stdout=slave, stderr=slave):
        os.close(slave)
        return drawn_on(master)


@pytest.mark.parametrize("form", ["question", "chat", "json"])
def test_a_deck_cannot_command_a_terminal(tmp_path, form):
    deck = tmp_path / "deck.toml"
    deck.write_text(
        '[[samples]]\nid = "x\\u001b[2J"\n'
        'messages = [{ role = "user", content = "\\u001b[31mred\\u0007\\u009b2J" }]\n'
    )
    drawn = on_terminal("render", str(deck), "--as", form)
    assert b"red" in drawn
    assert b"\x1b" not in drawn
    assert b"\x07" not in drawn
    assert "\x9b".encode() not in drawn


def test_folders_globs_and_several_files_are_listed(sampleui, listing, monkeypatch, tmp_path):
    monkeypatch.setattr(output, "interactive", lambda: True)
    monkeypatch.chdir(tmp_path)
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text("")
    for args in (["."], ["*.toml"], ["a.toml", "b.toml"], []):
        assert sampleui(*args).code == 6
        assert listing.asked is not None and [*listing.asked[0]] == [Path(one) for one in args or ["."]]


def test_nothing_is_listed_without_a_terminal_or_of_what_is_not_there(sampleui, listing, monkeypatch, tmp_path):
    assert "without a terminal" in sampleui(tmp_path).err
    monkeypatch.setattr(output, "interactive", lambda: True)
    ran = sampleui(tmp_path, tmp_path / "none.toml")
    assert ran.code == 2 and "none.toml" in ran.err and listing.asked is None


def test_on_windows_one_line_says_what_to_use_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert __main__.main() == 2
    assert "WSL" in capsys.readouterr().err
