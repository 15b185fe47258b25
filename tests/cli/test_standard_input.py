"""A deck from standard input: checked and rendered as one in a file is."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

TOML = '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "Hi" }]\n'


def _ran(text: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sampleui", *args]
    return subprocess.run(command, check=False, input=text, capture_output=True, text=True)


def test_a_deck_from_standard_input_is_checked_in_whatever_format_it_is():
    assert _ran(TOML, "check", "-").returncode == 0
    told = _ran('tests:\n  - id: a\n    input: ""\n', "check", "-", "--dialect", "agentv")
    assert told.returncode == 1 and told.stdout.startswith("-:")


TESTS = {
    "a line of promptfoo": ('{"vars": {"q": "a"}, "assert": [{"type": "equals", "value": "b"}]}\n', "promptfoo"),
    "rows of promptfoo": ("question,__expected\na,b\n", "promptfoo"),
    "a line of Inspect": ('{"id": "a", "input": "Hi", "target": "b"}', "inspect"),
    "tabs": ("input\ttarget\na\tb\n", "inspect"),
}


@pytest.mark.parametrize(("text", "dialect"), TESTS.values(), ids=[*TESTS])
def test_a_line_or_a_table_on_standard_input_is_a_sample_with_and_without_its_dialect(text, dialect):
    for options in ((), ("--dialect", dialect)):
        told = json.loads(_ran(text, "check", "-", "--format", "json", *options).stdout)
        (deck,) = told["decks"]
        assert (deck["samples"], deck["dialect"], deck["error"]) == (1, dialect, None)


@pytest.mark.parametrize("text", ['{"prompts": ["a"], "providers": ["echo"]}', '{"defaultTest": {}}', '{"x": 1}'])
def test_a_table_on_standard_input_that_asks_nothing_is_no_sample(text):
    assert _ran(text, "check", "-").stdout.splitlines()[-1].startswith("0 samples in 1 deck")


def test_a_deck_from_standard_input_is_rendered():
    told = _ran(TOML, "render", "-", "--sample", "a", "--as", "question")
    assert (told.returncode, told.stdout.strip()) == (0, "Hi")


def test_what_is_no_deck_is_refused_with_its_place():
    told = _ran("[[samples]]\nid = \n", "check", "-", "--dialect", "calibrate")
    assert told.returncode == 2 and "-:2" in told.stdout + told.stderr
