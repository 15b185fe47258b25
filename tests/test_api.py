"""The public API on every form of deck: what a deck tells, every edit of it, saving, rendering, and every error."""

from __future__ import annotations

import copy
import dataclasses
import json
from pathlib import Path

import pytest

import sampleui

TOML_INLINE = """\
# the arithmetic deck
[[samples]]
id = "sum"
tags = ["math"]
messages = [
  { role = "system", content = "Be short." },
  { role = "user", content = "2+2?" }, # keep me
]
expected = "4"

[[samples]]
id = "sky"
messages = [{ role = "user", content = "Colour of the sky?" }]
expected = "blue"
"""
TOML_BLOCKS = """\
# the arithmetic deck
[[samples]]
id = "sum"
tags = ["math"]
expected = "4"

[[samples.messages]]
role = "system"
content = "Be short."

[[samples.messages]]
role = "user"
content = "2+2?" # keep me

[[samples]]
id = "sky"
expected = "blue"

[[samples.messages]]
role = "user"
content = "Colour of the sky?"
"""
TOML_KEYED = """\
# the arithmetic deck
[samples.sum]
tags = ["math"]
expected = "4"

[[samples.sum.messages]]
role = "system"
content = "Be short."

[[samples.sum.messages]]
role = "user"
content = "2+2?" # keep me

[samples.sky]
expected = "blue"

[[samples.sky.messages]]
role = "user"
content = "Colour of the sky?"
"""
YAML = """\
# the arithmetic deck
samples:
  - id: sum
    tags: [math]
    messages:
      - role: system
        content: Be short.
      - role: user
        content: 2+2? # keep me
    expected: '4'
  - id: sky
    messages:
      - {role: user, content: Colour of the sky?}
    expected: blue
"""
ROWS: list[dict[str, object]] = [
    {
        "id": "sum",
        "tags": ["math"],
        "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "2+2?"}],
        "expected": "4",
    },
    {"id": "sky", "messages": [{"role": "user", "content": "Colour of the sky?"}], "expected": "blue"},
]
FORMS = {
    "inline.toml": TOML_INLINE,
    "blocks.toml": TOML_BLOCKS,
    "keyed.toml": TOML_KEYED,
    "deck.yaml": YAML,
    "list.json": json.dumps(ROWS, indent=2) + "\n",
    "named.json": json.dumps({"samples": ROWS}) + "\n",
    "lines.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
}
TURN = {"role": "user", "content": 'a "new" turn\nof two lines'}


def opened(folder: Path, name: str) -> sampleui.Deck:
    (folder / name).write_text(FORMS[name])
    return sampleui.open_deck(folder / name, dialect="calibrate")


@pytest.fixture(params=FORMS)
def deck(request, tmp_path):
    return opened(tmp_path, request.param)


@pytest.fixture(params=[*FORMS, "all.deck.md"])
def any_deck(request, tmp_path):
    if request.param in FORMS:
        return opened(tmp_path, request.param)
    (tmp_path / "inline.toml").write_text(TOML_INLINE)
    (tmp_path / "all.deck.md").write_text("# All\n\n![the sums](./inline.toml)\n")
    return sampleui.open_deck(tmp_path / "all.deck.md", dialect="calibrate")


def contents(deck: sampleui.Deck, index: int = 0) -> list[object]:
    return [message["content"] for message in deck.samples[index].messages]


def saved(deck: sampleui.Deck) -> sampleui.Deck:
    deck.save()
    return sampleui.open_deck(deck.path, deck.dialect)


def test_what_a_deck_tells(any_deck):
    deck = any_deck
    text = deck.path.read_text()
    assert deck.text == text
    assert deck.format == {".md": "markdown"}.get(deck.path.suffix, deck.path.suffix[1:])
    assert deck.dialect == "calibrate"
    assert [sample.id for sample in deck.samples] == ["sum", "sky"]
    assert len(deck.samples) == 2
    first, last = deck.samples[0], deck.samples[-1]
    assert (first.index, last.index) == (0, 1)
    assert type(first.data) is dict
    assert first.data["tags"] == ["math"]
    assert first.messages == ROWS[0]["messages"]
    assert first.messages_path == ("messages",)
    lines = first.path.read_text().splitlines()
    assert "sum" in "".join(lines[first.line - 1 : first.line + 1])
    assert deck.diagnostics == ()
    with pytest.raises(IndexError):
        deck.samples[2]


def test_every_edit(any_deck):
    deck = any_deck
    before = [copy.deepcopy(sample.data) for sample in deck.samples]
    steps = [
        deck.set(0, ("messages", 1, "content"), "3+3?\n\n\tTabs & \u00e9\U0001f642"),
        deck.set(0, ("score",), 0.5),
        deck.insert(0, ("messages", 1), TURN),
        deck.delete(0, ("messages", 0)),
        deck.delete(0, ("expected",)),
        deck.move(0, ("messages", 0), 1),
        deck.insert_sample(1, {"id": "new", "messages": [TURN], "expected": "x"}),
        deck.delete_sample(0),
        deck.move_sample(0, 1),
    ]
    wanted = [copy.deepcopy(before) for _ in steps]
    wanted[0][0]["messages"][1]["content"] = "3+3?\n\n\tTabs & \u00e9\U0001f642"
    wanted[1][0]["score"] = 0.5
    wanted[2][0]["messages"].insert(1, TURN)
    del wanted[3][0]["messages"][0]
    del wanted[4][0]["expected"]
    wanted[5][0]["messages"].reverse()
    keyed = "id" not in before[0]
    wanted[6].insert(1, {**({} if keyed else {"id": "new"}), "messages": [TURN], "expected": "x"})
    del wanted[7][0]
    wanted[8].reverse()
    for edited, data in zip(steps, wanted, strict=True):
        assert [sample.data for sample in edited.samples] == data
        assert edited.changed
    assert [sample.data for sample in deck.samples] == before, "an edit changed the deck that it was asked of"
    assert not deck.changed


def test_edits_are_saved_and_read_back(any_deck):
    comments = any_deck.samples[0].path.read_text().count("#")
    deck = any_deck.set(0, ("messages", 0, "content"), "Be kind.").insert(1, ("messages", 0), TURN)
    deck = deck.insert_sample(2, {"id": "third", "messages": [TURN]}).move_sample(2, 0).delete_sample(2)
    again = saved(deck)
    assert [sample.id for sample in again.samples] == ["third", "sum"]
    assert [sample.data for sample in again.samples] == [sample.data for sample in deck.samples]
    assert contents(again, 1) == ["Be kind.", "2+2?"]
    assert not deck.changed
    assert again.samples[0].path.read_text().count("#") == comments


def test_a_save_without_an_edit_leaves_the_file_alone(any_deck):
    held = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in any_deck.path.parent.iterdir()}
    any_deck.save()
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in held} == held


def test_a_deck_is_a_value(deck):
    for name in ("path", "text", "samples", "files"):
        with pytest.raises((dataclasses.FrozenInstanceError, AttributeError)):
            setattr(deck, name, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        deck.samples[0].id = "other"  # type: ignore[misc]


def test_the_data_of_a_sample_is_the_callers_own(deck):
    data = deck.samples[0].data
    data["id"] = "copy"
    data["messages"][0]["content"] = "changed"
    assert contents(deck) == ["Be short.", "2+2?"]
    assert deck.samples[0].id == "sum"
    more = deck.insert_sample(1, data)
    assert [sample.id for sample in more.samples] == ["sum", "copy", "sky"]
    assert contents(more, 1) == ["changed", "2+2?"]


MISSES = {
    "no such sample": lambda deck: deck.set(9, ("id",), "x"),
    "a negative sample": lambda deck: deck.set(-1, ("id",), "x"),
    "no such turn": lambda deck: deck.set(0, ("messages", 9, "content"), "x"),
    "a negative turn": lambda deck: deck.set(0, ("messages", -1, "content"), "x"),
    "no such key on the way": lambda deck: deck.set(0, ("nope", "deeper"), "x"),
    "a key of a text": lambda deck: deck.set(0, ("expected", "deeper"), "x"),
    "an index of a table": lambda deck: deck.set(0, ("messages", 0, 0), "x"),
    "a key of a list": lambda deck: deck.set(0, ("messages", "first"), "x"),
    "insert past the end": lambda deck: deck.insert(0, ("messages", 3), TURN),
    "insert before the start": lambda deck: deck.insert(0, ("messages", -1), TURN),
    "insert into a text": lambda deck: deck.insert(0, ("expected", 0), TURN),
    "insert at a key": lambda deck: deck.insert(0, ("expected",), TURN),
    "insert nowhere": lambda deck: deck.insert(0, (), TURN),
    "delete what is not there": lambda deck: deck.delete(0, ("nope",)),
    "delete no such turn": lambda deck: deck.delete(0, ("messages", 2)),
    "delete all": lambda deck: deck.delete(0, ()),
    "move no such turn": lambda deck: deck.move(0, ("messages", 2), 0),
    "move past the end": lambda deck: deck.move(0, ("messages", 0), 2),
    "move before the start": lambda deck: deck.move(0, ("messages", 0), -1),
    "move a key": lambda deck: deck.move(0, ("expected",), 0),
    "insert a sample past the end": lambda deck: deck.insert_sample(3, {"id": "x", "messages": []}),
    "insert a sample before the start": lambda deck: deck.insert_sample(-1, {"id": "x", "messages": []}),
    "delete no such sample": lambda deck: deck.delete_sample(2),
    "delete a negative sample": lambda deck: deck.delete_sample(-1),
    "move no such sample": lambda deck: deck.move_sample(2, 0),
    "move a sample past the end": lambda deck: deck.move_sample(0, 2),
    "move a sample before the start": lambda deck: deck.move_sample(0, -1),
}


@pytest.mark.parametrize("miss", MISSES)
def test_an_edit_of_what_is_not_there_is_a_path_error(deck, miss):
    with pytest.raises(sampleui.PathError):
        MISSES[miss](deck)


def deep(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


UNWRITABLE = {
    "too deep": deep(300),
    "far too deep": deep(5_000),
    "an object": object(),
    "a set": {"a": {1, 2}},
    "a number as key": {1: "a"},
    "bytes": b"bytes",
}


@pytest.mark.parametrize("value", UNWRITABLE)
def test_a_value_that_cannot_be_written_is_an_edit_error(deck, value):
    for edit in (
        lambda: deck.set(0, ("expected",), UNWRITABLE[value]),
        lambda: deck.set(0, ("new",), UNWRITABLE[value]),
        lambda: deck.insert(0, ("messages", 0), UNWRITABLE[value]),
        lambda: deck.insert_sample(1, {"id": "x", "new": UNWRITABLE[value]}),
    ):
        with pytest.raises(sampleui.EditError):
            edit()


def test_half_a_character_is_refused_where_the_form_has_no_escape_for_it(deck):
    before = deck.path.read_bytes()
    if "json" in deck.format:
        assert saved(deck.set(0, ("expected",), "half \ud800")).samples[0].data["expected"] == "half \ud800"
        return
    with pytest.raises((sampleui.EditError, sampleui.SaveRefusedError)):
        deck.set(0, ("expected",), "half \ud800").save()
    assert deck.path.read_bytes() == before


def test_a_file_changed_by_others_is_not_overwritten(deck):
    edited = deck.set(0, ("messages", 0, "content"), "mine")
    theirs = deck.text.replace("Be short.", "Be long.")
    deck.path.write_text(theirs)
    with pytest.raises(sampleui.StaleFileError):
        edited.save()
    assert deck.path.read_text() == theirs


@pytest.mark.parametrize(
    ("name", "data", "line", "column"),
    [
        ("a.toml", b'[[samples]]\nid = "a\n', 2, 8),
        ("a.yaml", b"samples:\n  - id: [\n", 3, 1),
        ("a.json", b'[\n  {"id": }\n]', 2, 10),
        ("a.jsonl", b"nothing\n", 1, 1),
        ("a.toml", b"[[samples]]\n# \xff\n", 2, 3),
        ("a.yaml", b"samples:\n  - \xc3", 2, 5),
    ],
)
def test_a_deck_that_cannot_be_read_says_where(tmp_path, name, data, line, column):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(sampleui.DeckError) as caught:
        sampleui.open_deck(tmp_path / name)
    assert (caught.value.path, caught.value.line, caught.value.column) == (tmp_path / name, line, column)
    assert str(caught.value).startswith(f"{tmp_path / name}:{line}:{column}: ")


def test_what_is_no_deck_is_a_deck_error(tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\0")
    for path in (tmp_path, tmp_path / "gone.toml", tmp_path / "binary.toml", "/dev/null", "a\0b.toml"):
        with pytest.raises(sampleui.DeckError) as caught:
            sampleui.open_deck(path)
        assert caught.value.path == Path(path)


def test_every_error_has_one_root():
    for name in sampleui.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(sampleui, name), sampleui.SampleUIError)
    with pytest.raises(sampleui.SampleUIError):
        sampleui.open_deck("examples/decks/hello.toml", dialect="nope")
    with pytest.raises(sampleui.SampleUIError):
        sampleui.provider_messages({"question": "hi"}, provider="nope")


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
