"""What a shell is told to complete: the names that there are, and nothing of what cannot be read."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .conftest import DECKS

RESULTS = DECKS.parent / "results" / "hello.results.jsonl"


@pytest.fixture
def completed(sampleui, monkeypatch):
    """Return what is offered for a line whose last word is being typed."""

    def offered(*words):
        monkeypatch.setenv("_SAMPLEUI_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["sampleui", *map(str, words)]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        ran = sampleui()
        assert (ran.code, ran.err) == (0, "")
        return [line.split(",", 1)[1] for line in ran.out.splitlines() if line.startswith("plain,")]

    return offered


def test_commands_options_ids_fields_and_verdicts_are_completed(completed):
    deck = DECKS / "hello.toml"
    assert completed("rena") == ["rename", "rename-sample"]
    assert "--dry-run" in completed("set", deck, "--dr")
    assert completed("set", deck, "--sample", "alg") == ["algebra-tutor"]
    assert completed("render", deck, "--sample", "ha") == ["haiku"]
    assert completed("set", deck, "--sample", "haiku", "--path", "messages[0].") == [
        "'messages[0].role'",
        "'messages[0].content'",
    ]
    assert completed("verdict", RESULTS, "ha") == ["haiku"]
    assert completed("verdict", RESULTS, "haiku", "exp") == ["expected-wrong"]


def test_nothing_is_completed_of_what_cannot_be_read(completed, tmp_path):
    (tmp_path / "broken.toml").write_text("= 1")
    assert completed("set", tmp_path / "broken.toml", "--sample", "") == []
    assert completed("set", tmp_path / "missing.toml", "--sample", "") == []
    assert completed("verdict", tmp_path, "") == []


def test_an_id_that_would_command_a_terminal_is_not_offered(completed, tmp_path):
    deck = tmp_path / "deck.jsonl"
    deck.write_text('{"id": "a\\u001b[2J", "messages": []}\n{"id": "b", "messages": []}\n')
    assert completed("set", deck, "--sample", "") == ["b"]


def test_an_id_that_would_be_an_option_is_not_offered_as_an_argument(completed, tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text('{"test_id": "--adjudicate", "score": 0}\n{"test_id": "b", "score": 0}\n')
    assert completed("verdict", run, "") == ["b"]


def test_runners_of_the_settings_and_the_tools_that_run_samples_again_are_completed(completed, home):
    settings = home / "sampleui" / "config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('[runners.mine]\ncommand = ["model", "{id}", "{out}"]\n')
    assert completed("rerun", RESULTS, "--runner", "mi") == ["mine"]
    assert {"mine", "promptfoo"} <= {*completed("rerun", RESULTS, "--runner", "")}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_script(sampleui, shell):
    ran = sampleui("completion", shell)
    assert ran.code == 0
    assert f"_SAMPLEUI_COMPLETE={shell}_complete" in ran.out


def test_completing_a_sample_imports_neither_textual_nor_pydantic():
    code = (
        "import sys; from sampleui.__main__ import main; main(); "
        "print([name for name in ('textual', 'pydantic') if name in sys.modules])"
    )
    environment = {"_SAMPLEUI_COMPLETE": "bash_complete", "COMP_CWORD": "4"}
    environment["COMP_WORDS"] = f"sampleui\nset\n{DECKS / 'hello.toml'}\n--sample\nhai"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "plain,haiku\n[]\n"
