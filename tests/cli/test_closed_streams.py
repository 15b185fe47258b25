"""Standard streams that are closed or full: no traceback, and an exit code that is neither 0 nor 1."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import DECKS

DECK = DECKS / "hello.toml"
COMMANDS = {
    "help, which click prints": ["--help"],
    "lines": ["check", DECK],
    "JSON": ["check", "--format", "json", DECK],
    "a text": ["render", DECK],
    "a value": ["get", DECK],
    "a script": ["completion", "bash"],
    "a diff": ["set", DECK, "--sample", "#1", "--path", "note", "--value", "x", "--dry-run"],
}
"""A command for each way to print."""


def ran(redirected: str, *args: object) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'exec "$@" {redirected}', "sh", sys.executable, "-m", "sampleui", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("redirected", [">&-", ">/dev/full"])
@pytest.mark.parametrize("name", COMMANDS)
def test_an_output_that_cannot_be_written_is_one_line_and_no_success(name, redirected):
    done = ran(redirected, *COMMANDS[name])
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "closed" in done.stderr or "No space left" in done.stderr


def test_the_help_of_a_command_that_cannot_be_written_is_one_line_and_no_success():
    done = ran(">/dev/full", "check", "--help")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


@pytest.mark.parametrize("redirected", [">&- 2>&-", ">/dev/full 2>/dev/full", "<&- >&- 2>&-"])
def test_with_nobody_to_tell_the_exit_code_tells(redirected):
    assert ran(redirected, "check", DECK).returncode == 2


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
def test_a_complaint_that_nobody_hears_is_no_success(redirected):
    assert ran(redirected, "check", "nothing.toml").returncode == 2
    assert ran(redirected, "check", DECKS / "problems.jsonl", "nothing.toml").returncode == 2


def test_a_closed_input_is_told(tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_bytes(DECK.read_bytes())
    done = ran("<&-", "edit", deck, "-")
    assert (done.returncode, "standard input is closed" in done.stderr) == (2, True)
