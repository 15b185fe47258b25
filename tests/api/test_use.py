"""What a deck is opened for: findings, prompts, requests and traces, as plain data."""

from __future__ import annotations

import json

import pytest

import sampleui
from sampleui.formats.operations import Delete
from sampleui.integrations.gage.dialect import GAGE
from sampleui.integrations.gage.older import updated
from sampleui.sample.dialects.older import fix


def test_diagnostics_have_a_place(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('[[samples]]\nid = "a"\nmessages = [\n  { role = "user" },\n]\n')
    (diagnostic,) = sampleui.open_deck(path, dialect="calibrate").diagnostics
    assert diagnostic.rule == "content-missing"
    assert diagnostic.severity is sampleui.Severity.ERROR
    assert diagnostic.message == "Each message must have a content string"
    assert (diagnostic.path, diagnostic.line, diagnostic.column) == (path, 4, 3)
    assert diagnostic.sample == "a"


def test_a_sample_is_rendered_with_what_is_asked(any_deck, tmp_path):
    sample = any_deck.samples[1]
    rendered = sampleui.render(sample, system_prompt="Think.")
    assert rendered.chat_prompt == [{"role": "system", "content": "Think."}, *sample.messages]
    assert all(type(message) is dict for message in rendered.chat_prompt)
    assert rendered.question == "Colour of the sky?"
    assert rendered.guidelines == ""
    assert rendered.grading_context == {"fullConversation": sample.messages, "expected": "blue"}
    assert rendered.diagnostics == ()
    json.dumps(rendered.chat_prompt)


def test_guidelines_are_what_the_patterns_say(deck, tmp_path):
    (tmp_path / "house.rules").write_text("Be nice.\n")
    segments = [{"type": "file", "value": "house.rules"}, {"type": "text", "value": "Hello"}]
    sample = deck.set(0, ("messages", 1, "content"), segments).samples[0]
    embedded = sampleui.render(sample)
    assert embedded.guidelines == ""
    assert "Be nice." in embedded.question
    guided = sampleui.render(sample, guideline_patterns=["*.rules"], root=tmp_path)
    assert guided.guidelines == "=== house.rules ===\nBe nice."
    assert "[[ ## Guidelines ## ]]" in guided.chat_prompt[0]["content"]


def test_what_a_provider_is_sent(deck):
    rendered = sampleui.render(deck.samples[1])
    sent = sampleui.provider_messages(rendered, provider="anthropic")
    assert sent == [{"role": "system", "content": "You are a careful assistant."}, *deck.samples[1].messages]
    assert sampleui.provider_messages(rendered, provider="vscode") == [
        {"role": "user", "content": "Colour of the sky?"}
    ]
    only_question = sampleui.provider_messages({"question": "hi"}, system_prompt="Be.")
    assert only_question == [{"role": "system", "content": "Be."}, {"role": "user", "content": "hi"}]


def test_the_trace_of_a_record(tmp_path):
    calls = [{"tool": "search", "input": {"q": "x"}, "output": "y"}]
    trace = sampleui.extract_trace({"output_messages": [{"role": "assistant", "tool_calls": calls}]}, tmp_path)
    assert trace.source == "output_messages"
    assert "tool_call" in [event["type"] for event in trace.events]
    assert trace.summary["tool_calls_by_name"] == {"search": 1}
    assert trace.diagnostics == ()
    assert sampleui.extract_trace({}, tmp_path).source is None


OLDER = {"id": "old", "question": "2+2?", "choices": ["3", "4"], "answer": "B", "extra": {"k": [1, 2]}}
OLDER_DECKS = {
    "a.jsonl": '{"id": "keep", "question": "?", "answer": "x"}\n' + json.dumps(OLDER) + "\n",
    "a.json": json.dumps([{"id": "keep", "question": "?"}, OLDER], indent=1),
    "a.yaml": "# top\nsamples:\n  - id: keep\n    question: '?' # kept\n  # about old\n  - id: old\n"
    '    question: 2+2?\n    choices: ["3", "4"]\n    answer: B\n    extra: {k: [1, 2]}\n',
    "a.toml": '[[samples]]\nid = "keep"\nquestion = "?" # kept\n\n# about old\n[[samples]]\nid = "old"\n'
    'question = "2+2?"\nchoices = ["3", "4"]\nanswer = "B"\n[samples.extra]\nk = [1, 2]\n',
}


@pytest.mark.parametrize("name", OLDER_DECKS)
def test_an_older_record_is_brought_up_to_date_by_edits(tmp_path, name):
    (tmp_path / name).write_text(OLDER_DECKS[name])
    deck = sampleui.open_deck(tmp_path / name, dialect="gage")
    update = updated(OLDER)
    assert update is not None
    wanted = update.data
    for step in fix(deck.samples[1].data, GAGE):
        deck = deck.delete(1, step.path) if isinstance(step, Delete) else deck.set(1, step.path, step.value)
    deck.save()
    again = sampleui.open_deck(tmp_path / name, dialect="gage")
    assert again.samples[1].data == wanted
    assert [one for one in again.diagnostics if one.sample == "old"] == []
    assert fix(again.samples[1].data, GAGE) == ()
    start = OLDER_DECKS[name].index("keep")
    assert again.text[:start] == OLDER_DECKS[name][:start]
    assert again.text.count("#") == OLDER_DECKS[name].count("#")


@pytest.mark.parametrize(
    ("name", "text", "rules"),
    [
        ("misspelt.toml", '[[sample]]\nid = "x"\n', ["samples-missing"]),
        ("misspelt.yaml", "sampels:\n  - id: x\n", ["samples-missing"]),
        ("empty.toml", "", []),
        ("comment.toml", "# nothing yet\n", []),
        ("empty.yaml", "tests: []\n", []),
    ],
)
def test_a_file_without_samples_that_holds_something_else_is_told_of(tmp_path, name, text, rules):
    path = tmp_path / name
    path.write_text(text)
    assert [found.rule for found in sampleui.open_deck(path).diagnostics] == rules
