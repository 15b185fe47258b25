"""Values of the environment stay with whoever looks at a prompt: nothing that is passed on has them."""

from __future__ import annotations

import json

import pytest

from sampleui.settings.options import Settings
from sampleui.tui.author.preview import Subject, chat, copied
from sampleui.workspace.deck import open_deck
from sampleui.workspace.reading import PromptOptions

NAMES = [f"SECRET_{number}" for number in range(20)]
PROCESS = {name: f"value-of-the-process-{name}" for name in NAMES[:10]}
FILES = {name: f"value-of-a-file-{name}" for name in NAMES[10:]}
STYLE = 'prompt_style = "agentv-4"\n'


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".sampleui.toml").write_text(STYLE)
    (tmp_path / ".env").write_text("".join(f"{name}={value}\n" for name, value in FILES.items()))
    for name, value in PROCESS.items():
        monkeypatch.setenv(name, value)
    said = " ".join(f"${{{{ {name} }}}}" for name in NAMES)
    (tmp_path / "deck.yaml").write_text(
        f"evalcases:\n- id: t0\n  criteria: c {said}\n  expected_output: say {said}\n  input_messages:\n"
        f"  - role: user\n    content: hi {said}\n- id: t1\n  criteria: c\n  input_messages:\n  - role: user\n"
        f"    content: [{{type: file, value: '${{{{ SECRET_0 }}}}.md'}}]\n"
    )
    rows = [
        {"test_id": f"t{number}", "score": 0.1, "candidate_answer": "x", "timestamp": "2026-01-01T00:00:00Z"}
        for number in range(2)
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def told(text):
    return [value for value in (*PROCESS.values(), *FILES.values()) if value in text]


def test_nothing_that_is_passed_on_has_a_value_of_the_environment(project, sampleui):
    deck, run = project / "deck.yaml", project / "run.jsonl"
    with_deck = [run, "--deck", deck]
    assert (
        sampleui("verdict", *with_deck[:1], "t0", "expected-wrong", "--reviewer", "ada", "--deck", deck).code == 0
    )
    for command in (
        *(["report", *with_deck, "--format", form, "--records", "all"] for form in ("html", "markdown", "json")),
        ["report", *with_deck],
        ["next", *with_deck],
        ["next", *with_deck, "--format", "json"],
        ["regrade", *with_deck],
        ["check", deck],
        ["check", deck, "--format", "json"],
        ["trace", *with_deck, "--format", "json"],
        ["get", deck, "--sample", "t0"],
        ["export", run, "--verdict", "expected-wrong", "--to", project / "new.yaml", "--deck", deck],
        ["promote", *with_deck, "--id", "t0", "--to", project / "promoted.yaml"],
        ["convert", deck, project / "converted.toml"],
        ["convert", deck, project / "converted.jsonl", "--to", "openai"],
    ):
        ran = sampleui(*command)
        assert told(ran.out + ran.err) == [], command
    written = [path.read_text() for path in project.iterdir() if path.is_file() and path.name != ".env"]
    assert told("".join(written)) == []
    assert "${{ SECRET_0 }}" in (project / "converted.toml").read_text()


def test_render_and_a_preview_that_is_asked_show_them(project, sampleui):
    ran = sampleui("render", project / "deck.yaml", "--sample", "t0", "--as", "question")
    assert sorted(told(ran.out)) == sorted([*PROCESS.values(), *FILES.values()])


def test_the_preview_hides_the_values_until_they_are_asked_for_and_marks_them_then(project):
    settings = Settings(prompt_style="agentv-4")
    deck = open_deck(project / "deck.yaml")
    deck = type(deck)(deck.files, deck.kind, PromptOptions.of(settings))
    sample = deck.samples[0]
    hidden, shown = (Subject(deck, sample, deck.render(sample, environment=shows)) for shows in (False, True))
    rows = [part for row in chat(hidden, 500) for part in row]
    assert told("".join(text for _, text in rows)) == []
    assert any("hidden (= shows): SECRET_0" in text for _, text in rows)
    assert told(copied(hidden, "Question")) == []
    from sampleui.tui.author.preview import tab_rows

    marked = "".join(text for row in tab_rows(shown, "Question", 5000) for style, text in row if style == "warning")
    assert sorted(told(marked)) == sorted([*PROCESS.values(), *FILES.values()])
