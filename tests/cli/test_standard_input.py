"""A deck from standard input: checked and rendered as one in a file is."""

from __future__ import annotations

import subprocess
import sys

TOML = '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "Hi" }]\n'


def _ran(text: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sampleui", *args]
    return subprocess.run(command, check=False, input=text, capture_output=True, text=True)


def test_a_deck_from_standard_input_is_checked_in_whatever_format_it_is():
    assert _ran(TOML, "check", "-").returncode == 0
    told = _ran('tests:\n  - id: a\n    input: ""\n', "check", "-", "--dialect", "agentv")
    assert told.returncode == 1 and told.stdout.startswith("-:")


def test_a_deck_from_standard_input_is_rendered():
    told = _ran(TOML, "render", "-", "--sample", "a", "--as", "question")
    assert (told.returncode, told.stdout.strip()) == (0, "Hi")


def test_what_is_no_deck_is_refused_with_its_place():
    told = _ran("[[samples]]\nid = \n", "check", "-", "--dialect", "calibrate")
    assert told.returncode == 2 and "-:2" in told.stdout + told.stderr
