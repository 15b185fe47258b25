"""New samples from the turns of a run, as they are made in the trace screen."""

from __future__ import annotations

import json

from sampleui.formats.data import Table
from sampleui.runs.records import open_run
from sampleui.runs.transcript_to_sample import promote, target_deck
from sampleui.trace.transcript import Transcript
from sampleui.workspace.deck import open_deck

from .driver import DECKS, drawn_lines, unwrapped
from .review_driver import reviewing
from .trace_driver import TRACES, results, shown


async def test_turns_become_a_sample_that_is_shown_before_it_is_written(tmp_path):
    deck = tmp_path / "new.toml"
    deck.write_text('# kept\n[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "hi" }]\n')
    before = deck.read_text()
    question = {"role": "user", "content": "What is up?"}
    answers = [{"role": "assistant", "content": text} for text in ("This.", "And that.")]
    run = results(tmp_path, {"id": "a", "input": [question], "output_messages": answers})
    async with shown(run) as app:
        await app.press("n")
        await app.until_drawn("into which deck")
        await app.press(*"new.toml", "enter")
        await app.until_drawn("New sample from turns 1 to 2 of 3")
        drawn = app.drawn()
        assert "What is up?" in drawn
        assert '+id = "a-2"' in drawn
        assert deck.read_text() == before
        await app.press("plus")
        assert "turns 1 to 3 of 3" in app.drawn()
        await app.press("minus", "enter")
        await app.until_drawn("a-2 is written to new.toml")
    written = open_deck(deck)
    assert deck.read_text().startswith(before)
    assert written.samples[1].messages == [question, answers[0]]


async def test_leaving_the_preview_writes_nothing(tmp_path):
    run = results(tmp_path, {"id": "a", "output_messages": [{"role": "assistant", "content": "x"}]})
    async with shown(run) as app:
        await app.press("n")
        await app.until_drawn("into which deck")
        await app.press(*"other.toml", "enter")
        await app.until_drawn("New sample")
        await app.press("escape")
        assert not (tmp_path / "other.toml").exists()
        await app.press("q")
        assert app.pilot.app.return_code == 0


async def test_a_record_that_says_nothing_makes_no_sample(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "score": 1})) as app:
        await app.press("n")
        await app.until_drawn("says nothing that a sample could be made of")


def test_the_turns_that_lead_up_to_an_event():
    run = open_run(TRACES, open_deck(DECKS / "agents.yaml"))
    paris = run.subject(run.find("paris-weather"))
    assert len(paris.transcript().messages) == 5
    assert [paris.transcript().until(event) for event in range(3)] == [3, 4, 5]
    table = run.subject(run.find("book-a-table"))
    assert [table.transcript().until(event) for event in range(6)] == [1, 2, 3, 4, 5, 6]


def test_a_new_deck_is_made_in_the_form_its_name_says(tmp_path):
    turns = [{"role": "user", "content": "hi"}]
    tool = {"type": "function", "function": {"name": "look", "parameters": {}}}
    said = Transcript((*turns,), (-1,), (), (tool,))
    for name in ("new.toml", "new.jsonl", "new.yaml"):
        made = promote(said, 1, "fresh", target_deck(tmp_path / name))
        assert made.diff.startswith("--- /dev/null")
        made.save()
        assert promote(said, 1, "#3", target_deck(tmp_path / name)).sample_id == "hi"  # the record has no id
        deck = open_deck(tmp_path / name)
        assert deck.samples[0].messages == turns
        assert (deck.samples[0].data.get("tools") == [tool]) == (deck.dialect == "gage")
        assert [line.startswith("tools: ") for line in made.lost if "tools" in line] == [True] * (
            deck.dialect != "gage"
        )


async def test_of_a_run_decks_around_it_are_offered_and_nothing_is_written_into_it(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals" / "a.toml").write_text('[[samples]]\nid = "a"\nmessages = []\n')
    (tmp_path / "evals" / "out.jsonl").write_text('{"test_id": "a", "score": 1, "output": "x"}\n')
    home = tmp_path / "runs" / "one"
    (home / "task").mkdir(parents=True)
    (home / "task" / "EVAL.yaml").write_text("tests: []\n")
    row = {"test_id": "a", "output_messages": [{"role": "assistant", "content": "x"}]}
    (home / "index.jsonl").write_text(json.dumps(row) + "\n")
    async with shown(open_run(home)) as app:
        await app.press("n")
        await app.until_drawn("evals/a.toml")
        assert "EVAL.yaml" not in app.drawn() and "out.jsonl" not in app.drawn()
        await app.press(*"runs/one/task/EVAL.yaml", "enter")
        await app.until(lambda: "where nothing is written" in unwrapped(app.drawn()))


async def test_calls_are_spelled_as_the_deck_spells_them_from_a_trace_and_from_a_review(tmp_path):
    deck, chat = tmp_path / "own.toml", tmp_path / "chat.json"
    deck.write_text('[[samples]]\nid = "b"\nmessages = [{ role = "user", content = "hi" }]\n')
    chat.write_text('[{"conversations": [{"from": "human", "value": "1?"}, {"from": "gpt", "value": "2"}]}]')
    calls = [{"tool": name, "input": {"q": 1}, "output": f"{name} said"} for name in ("read", "grep")]
    done = [{"role": "assistant", "content": "", "tool_calls": calls}, {"role": "assistant", "content": "Done."}]
    tools = [{"type": "function", "function": {"name": name}} for name in ("read", "grep")]
    row = {"test_id": "a", "score": 0, "input": "Look", "output": done, "request": {"tools": tools}}
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(row))
    async with reviewing(path, deck) as review:
        await review.press("n")
        await review.type("chat.json")
        await review.press("enter")
        await review.until(lambda: "New sample from turns 1 to 5 of 5" in "\n".join(drawn_lines(review.app)))
        drawn = "\n".join(drawn_lines(review.app))
        assert "tool_calls are written as turns of function_call, without their id and type" in unwrapped(drawn)
        assert "→ read(q=1)" in unwrapped(drawn)
        await review.press("enter")
    spoken = open_deck(chat).samples[1].data["conversations"]
    assert [turn["from"] for turn in spoken] == ["human", "function_call", "observation", "observation", "gpt"]
    assert "tool_call_id" not in spoken[2] and open_deck(chat).samples[1].data["tools"] == tools
    async with shown(open_run(path, open_deck(deck))) as app:
        await app.press("n", "enter")
        await app.until_drawn("New sample from turns 1 to 4 of 5")
        await app.press("enter")
        await app.until_drawn("a is written to own.toml")
    written = open_deck(deck)
    assert not written.diagnostics
    said = written.samples[1].messages
    assert [call["function"]["name"] for call in said[1]["tool_calls"]] == ["read", "grep"]
    assert [turn["content"] for turn in said[2:]] == ["read said", "grep said"]
    assert [turn["tool_call_id"] for turn in said[2:]] == [call["id"] for call in said[1]["tool_calls"]]


def test_what_the_run_does_not_have_is_said(tmp_path):
    asking: Table = {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "read"}}]}
    said = Transcript(
        ({"role": "user", "content": "hi"}, asking, {"role": "assistant", "content": "x"}), (-1, 0, 1)
    )
    made = promote(said, 3, "fresh", target_deck(tmp_path / "new.toml"))
    assert "messages: what read returned is not in the run" in made.lost
    assert not promote(said, 2, "fresh", target_deck(tmp_path / "new.toml")).lost
