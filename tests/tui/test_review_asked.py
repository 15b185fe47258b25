"""What was sent, beside what the deck renders today, in the review screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sampleui.review.results.file import open_results
from sampleui.runs.requests import prompt_sent
from sampleui.workspace.deck import open_deck

from .review_driver import reviewing, write_results

DECK = """\
input:
  - role: system
    content: You are a support agent.
tests:
  - id: refund
    input:
      - role: user
        content: I opened the box. Can I get my money back?
    expected_output: Store credit.
"""
SENT = "@[system]:\nYou are a support agent.\n\n\n@[user]:\nI opened the box. {}"


def a_run(folder: Path, asked: str = "", deck: str = DECK, **more: Any) -> tuple[Path, Path]:
    (folder / "refund.eval.yaml").write_text(deck)
    (folder / "run").mkdir()
    row = {
        "test_id": "refund",
        "score": 0.2,
        "output": "Money back.",
        "execution_status": "quality_failure",
        **more,
    }
    row |= more
    if asked:
        (folder / "run" / "input.md").write_text(asked)
        row["input_path"] = "input.md"
    return write_results(folder / "run" / "index.jsonl", [row]), folder / "refund.eval.yaml"


async def test_what_was_sent_is_what_the_deck_renders_suite_level_messages_included(tmp_path):
    results, deck = a_run(tmp_path, SENT.format("Can I get my money back?"))
    async with reviewing(results, deck) as app:
        assert "sent ✓ as the deck renders today" in app.cards
        assert app.cards.count("I opened the box.") == 1
        assert "system  of the whole file" in app.cards
        await app.press("v", "v", "v")
        assert "✓ sent as the deck renders it today" in app.answer
        assert "You are a support agent." in app.answer, "what stands above all tests was sent too"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_deck_that_changed_since_stands_beside_what_was_sent(tmp_path, size):
    results, deck = a_run(tmp_path, SENT.format("Give me my money back!"))
    async with reviewing(results, deck, size) as app:
        app.screen.set_focus(app.screen.conversation)
        await app.press("home")
        assert "─ as it was sent ─" in app.cards
        assert "─ the deck today ─" in app.cards
        assert app.cards.count("≠ the deck today") == 1, "the system message is the same"
        assert "Give me my money back!" in " ".join(app.cards.split())
        assert "Can I get my money back?" in " ".join(app.cards.split())
        app.screen.set_focus(app.screen.answer.view)
        await app.press("v", "v", "v")
        said = " ".join(app.answer.split())
        assert "Can I getGive me my money back?!" in said


async def test_a_turn_that_was_sent_cannot_be_edited_but_the_sample_can(tmp_path):
    results, deck = a_run(tmp_path, SENT.format("Give me my money back!"))
    async with reviewing(results, deck) as app:
        app.screen.set_focus(app.screen.conversation)
        await app.press("down", "e")
        await app.until(lambda: app.app.screen is not app.screen)
        assert app.author.here.path == ("expected_output",), "what was sent has no place in the deck"


ASKED = "What do you charge for an opened box?"
ROWS: dict[str, dict[str, Any]] = {
    "a request with a question": {"raw_request": {"question": ASKED, "system_prompt": "Be brief."}},
    "a request with messages": {
        "raw_request": {
            "chat_prompt": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": ASKED}]
        }
    },
    "a request to a model": {"requests": {"lm": {"question": ASKED, "systemPrompt": "Be brief."}}},
    "messages of segments": {
        "input": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": ASKED}]},
        ]
    },
    "a transcript": {
        "transcript": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": ASKED},
            {"role": "assistant", "content": "15%"},
        ]
    },
    "the first step of a trace": {
        "trace": [
            {
                "type": "model_step",
                "input": {"system": "Be brief.", "messages": [{"role": "user", "content": ASKED}]},
                "text": "15%",
            }
        ]
    },
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
async def test_a_record_that_says_what_was_asked_is_whole_without_a_deck(tmp_path, row):
    results, _ = a_run(tmp_path, **row)
    async with reviewing(results) as app:
        assert ASKED in " ".join(app.answer.split())
        assert "Be brief." in app.answer


async def test_a_gage_run_shows_the_sample_as_it_was_sent(tmp_path):
    sample = {"id": "cat", "messages": [{"role": "user", "content": [{"type": "text", "text": "My cat is Tom."}]}]}
    rows = [{"sample_id": "task:cat", "sample": sample, "model_output": {"answer": "Nice."}, "metrics": {}}]
    async with reviewing(write_results(tmp_path / "r.jsonl", rows), everything=True) as app:
        assert "My cat is Tom." in app.answer


JUDGED = {
    "name": "judge",
    "type": "llm-grader",
    "score": 0.4,
    "input": {
        "userPrompt": "Grade: Money back.\nCriteria: store credit",
        "systemPrompt": "You are an expert grader.",
    },
    "details": {"weight_of_fee": 3, "fee": [15, 20]},
}


async def test_what_a_grader_was_given_and_answered_is_shown(tmp_path):
    results, _ = a_run(tmp_path, scores=[JUDGED, {"name": "exact", "score": 0}])
    async with reviewing(results) as app:
        said = app.scores
        assert said.index("judge: was given") < said.index("You are an expert grader.")
        assert said.index("You are an expert grader.") < said.index("Criteria: store credit")
        assert said.index("judge: answered") < said.index('"weight_of_fee": 3')
        assert "exact: was given" not in said


@pytest.mark.parametrize("row", [
    {"evaluator_raw_request": {"userPrompt": "Grade this answer."}},
    {"requests": {"evaluator": {"userPrompt": "Grade this answer."}}},
    {"scores": [{"name": "judge", "score": 0, "raw_request": "Grade this answer."}]},
    {"scores": [{"name": "all", "scores": [{"name": "one", "score": 0, "input": "Grade this answer."}]}]},
])  # fmt: skip
async def test_a_grader_s_prompt_is_found_where_a_runner_keeps_it(tmp_path, row):
    results, _ = a_run(tmp_path, **row)
    async with reviewing(results) as app:
        assert "was given" in app.scores
        assert "Grade this answer." in app.scores


ATTACHED = """\
tests:
  - id: refund
    criteria: It knows the fees.
    input:
      - role: user
        content: [{ type: file, value: one/n.md }, { type: text, value: "Read it. " }]
"""


@pytest.mark.parametrize(
    ("sent", "differs"),
    [
        ("/elsewhere/evals/one/n.md", False),
        ("C:\\run\\evals\\one\\n.md", False),
        ("/elsewhere/evals/two/n.md", True),
    ],
)
def test_files_of_one_name_in_two_folders_are_told_apart(tmp_path, sent, differs):
    request = {"chat_prompt": [{"role": "user", "content": f'<file: path="{sent}">\n\nRead it.'}]}
    results, path = a_run(tmp_path, deck=ATTACHED, raw_request=request)
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "n.md").write_text("Fees.\n")
    deck = open_deck(path)
    told = prompt_sent(open_results(results).indexed().record(0), results.parent, deck.samples[0], deck)
    assert told.differs is differs
