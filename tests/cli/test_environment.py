"""Values of the environment stay with whoever looks at a prompt: nothing that is passed on has them."""

from __future__ import annotations

import json

import pytest

from sampleui.settings.options import Settings
from sampleui.tui.author.preview import Subject, chat, copied, tabs_of
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
        ["set", deck, "--sample", "t0", "--path", "criteria", "--value", "c", "--dry-run", "--format", "json"],
        ["set", deck, "--sample", "t1", "--path", "criteria", "--value", "d", "--propose", "--as", "agent:eve"],
        ["rename-sample", deck, "--sample", "t0", "--to", "t2", "--dry-run"],
        ["comment", run, "t0", "why", "--reviewer", "ada"],
        ["comments", run, "--format", "json"],
        ["verdicts", run, "--to", "agentv"],
        ["guess", run],
        ["guess", deck],
        ["rerun", *with_deck, "--id", "t0"],
    ):
        ran = sampleui(*command)
        assert told(ran.out + ran.err) == [], command
    written = [path.read_text() for path in project.iterdir() if path.is_file() and path.name != ".env"]
    assert told("".join(written)) == []
    assert "${{ SECRET_0 }}" in (project / "converted.toml").read_text()


ATTACHING = {
    "sampleui": "- id: t0\n  messages: [{role: user, content: [{type: file, value: FILE}]}]\n",
    "agentv-4": "evalcases:\n- id: t0\n  criteria: c\n  input_messages:\n  - role: user\n"
    "    content: [{type: file, value: FILE}]\n",
    "promptfoo": "prompts: ['file://FILE']\ntests:\n- vars: {q: 'file://FILE', r: 'file://FILE'}\n",
}


@pytest.mark.parametrize("name", [".env", "env.md", "more/.env.local"])
@pytest.mark.parametrize("style", ATTACHING)
def test_a_file_of_the_environment_that_a_deck_attaches_is_read_for_whoever_asks_for_it_alone(
    style, name, project, sampleui
):
    (project / "env.md").symlink_to(".env")
    (project / "more").mkdir()
    (project / "more" / ".env.local").write_text((project / ".env").read_text())
    deck = project / ("promptfooconfig.yaml" if style == "promptfoo" else "attaching.yaml")
    deck.write_text(ATTACHING[style].replace("FILE", name))
    settings = Settings(prompt_style="agentv-4" if style == "agentv-4" else "sampleui")
    opened = open_deck(deck)
    opened = type(opened)(opened.files, opened.kind, PromptOptions.of(settings))
    sample = opened.samples[0]
    hidden = opened.render(sample, environment=False)
    subject = Subject(opened, sample, hidden)
    for tab in tabs_of(subject):
        assert told("".join(text for row in subject.rows(tab, 500) for _, text in row)) == [], tab
        assert told(copied(subject, tab)) == [], tab
    assert any("holds values of the environment" in finding.message for finding in hidden.findings)
    assert told(sampleui("check", deck).out) == []
    shown = sampleui("render", deck, "--prompt-style", settings.prompt_style).out
    assert told(shown) == [*FILES.values()] or (style == "promptfoo" and name != "env.md")


def test_a_run_that_names_a_file_of_the_environment_as_its_answer_does_not_tell_it(project, sampleui):
    (project / "link.md").symlink_to(".env")
    row = {"test_id": "t0", "target": "m", "score": 0.1, "execution_status": "quality_failure"}
    for name in (".env", "link.md"):
        named = dict.fromkeys(("answer_path", "output_path", "transcript_path", "grading_path", "trace_ref"), name)
        (project / "index.jsonl").write_text(json.dumps(row | named) + "\n")
        for command in (["next"], ["report", "--format", "html", "--records", "all"], ["trace"]):
            ran = sampleui(command[0], project / "index.jsonl", *command[1:])
            assert ran.code in (0, 1)
            assert told(ran.out + ran.err) == [], command


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
    marked = "".join(text for row in shown.rows("Question", 5000) for style, text in row if style == "warning")
    assert sorted(told(marked)) == sorted([*PROCESS.values(), *FILES.values()])
