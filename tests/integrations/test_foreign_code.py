"""Code of other packages costs a line at most, whatever it does, and can be left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial

import pytest

from sampleui.errors import DeckError, Interrupted
from sampleui.integrations import foreign_code
from sampleui.integrations.foreign_code import ForeignError, each, leave, leave_if_stuck, run


class _SilentError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


def raising(error):
    def call(*_):
        raise error

    return call


@pytest.mark.parametrize(
    "error",
    [
        SystemExit(0),
        KeyboardInterrupt(),
        BaseException("x"),
        GeneratorExit(),
        MemoryError(),
        RecursionError(),
        _SilentError(),
    ],
)
def test_whatever_is_raised_is_one_clean_line(error):
    with pytest.raises(ForeignError) as raised:
        run(raising(error))
    assert str(raised.value).startswith(type(error).__name__)


def test_a_message_with_control_characters_and_lines_is_one_clean_line():
    with pytest.raises(ForeignError) as raised:
        run(raising(ValueError("a\x1b[2J\nb" * 500)))
    assert "\x1b" not in str(raised.value) and "\n" not in str(raised.value) and len(str(raised.value)) <= 200


@pytest.mark.parametrize("error", [DeckError("no deck"), Interrupted()])
def test_what_is_said_on_purpose_and_the_users_interrupt_go_through(error):
    with pytest.raises(type(error)):
        run(raising(error))


def test_what_is_printed_is_kept_from_the_terminal_and_told(capsys):
    heard = []

    def prints():
        print("\x1b[2Jhello")
        print("x", file=sys.stderr)
        return 5

    assert run(prints, heard=heard.append) == 5
    assert heard == ["it prints ␛[2Jhello x"]
    assert capsys.readouterr() == ("", "")


def test_an_iterator_that_fails_gives_what_it_gave_before():
    def items():
        yield 1
        raise SystemExit

    iterator = each(items())
    assert next(iterator) == 1
    with pytest.raises(ForeignError):
        next(iterator)


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="the system has no such signal")
def test_code_that_comes_to_no_end_can_be_left_from_another_thread(monkeypatch):
    monkeypatch.setattr(foreign_code, "STUCK_S", 0.05)
    before = signal.signal(signal.SIGUSR1, leave)
    try:
        assert not leave_if_stuck()

        def press():
            while not leave_if_stuck():
                time.sleep(0.01)

        threading.Thread(target=press).start()
        with pytest.raises(ForeignError) as raised:
            run(lambda: [None for _ in iter(int, 1)])
        assert raised.value.was_left
        os.kill(os.getpid(), signal.SIGUSR1)  # too late: nothing runs
    finally:
        signal.signal(signal.SIGUSR1, before)


PLUGIN = """
from sampleui.integrations.entry import IndexEntry
import dataclasses
from sampleui.integrations.integration import Checks, Spellings

def endless(sample):
    open("begun", "w").close()
    while True:
        yield from ()

def __getattr__(name):
    if name != "DIALECTS":
        raise AttributeError(name)
    from sampleui.sample.dialects.shipped import DIALECTS
    openai = DIALECTS["openai"]
    return Spellings((dataclasses.replace(openai, name="endless", integration="endless", rules=("endless",)),))

CHECKS = Checks(rules={"endless": endless})
ENTRY = IndexEntry("endless", module=__name__, dialects=("endless",))
"""


def test_a_rule_that_never_ends_is_left_by_ctrl_c_on_the_command_line(tmp_path):
    (tmp_path / "endless.py").write_text(PLUGIN)
    metadata = tmp_path / "endless-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: endless\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[sampleui.integrations]\nendless = endless:ENTRY\n")
    (tmp_path / "deck.jsonl").write_text('{"messages": [{"role": "user", "content": "hi"}]}\n')
    command = [sys.executable, "-m", "sampleui", "check", "--dialect", "endless", "deck.jsonl"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # whoever starts the tests may have it ignored
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears,  # noqa: PLW1509
    ) as process:
        try:
            while process.poll() is None and not (tmp_path / "begun").exists():
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        finally:
            process.kill()
