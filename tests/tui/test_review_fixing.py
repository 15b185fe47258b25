"""A sample that is fixed with the recorded answer beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sampleui.review.queue import Order
from sampleui.tui.review.boxes.diff import ShowDiff

from .driver import ROOT, drawn_lines
from .review_driver import ReviewDriver, reviewing, write_results

REFERRED = ROOT / "tests/review/written/promptfoo/referred"

DECK = """\
tests:
  - id: role
    input: Who are you?
    expected_output: I am an assistant.
    assertions:
      - type: contains
        value: assistant
      - type: llm-grader
        name: tone
"""
FEW = DECK.replace("      - type: llm-grader\n        name: tone\n", "")


def files(folder: Path, deck: str = DECK) -> tuple[Path, Path]:
    path = folder / "role.eval.yaml"
    path.write_text(deck)
    row = {
        "test_id": "role",
        "score": 0,
        "output": "I am a helper.",
        "assertions": [{"text": "contains assistant", "passed": False}],
    }
    return write_results(folder / "r.jsonl", [row]), path


def drawn(app: ReviewDriver) -> str:
    return "\n".join(drawn_lines(app.app.screen))


async def edit(app: ReviewDriver, path: tuple[str | int, ...]) -> None:
    await app.press("e")
    await app.until(lambda: app.app.screen is not app.screen)
    app.author.go_to(path)
    await app.press("enter")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_assertions_are_evaluated_on_the_answer_as_one_types(tmp_path, size):
    results, deck = files(tmp_path, FEW)
    async with reviewing(results, deck, size) as app:
        await edit(app, ("assertions", 0, "value"))
        assert "still fails: contains 'assistant'" in drawn(app)
        if size[0] > 100:
            assert "✖ in the run: contains assistant" in drawn(app)
            assert "helper" in drawn(app), "the answer is beside it"
        await app.press(*["backspace"] * 9, *"helper")
        await app.until(lambda: "would pass now" in drawn(app))
        await app.press("escape", "ctrl+s", "ctrl+q")
        await app.back()
        assert "would pass now" in app.said


async def test_what_needs_a_grader_stays_open(tmp_path):
    results, deck = files(tmp_path)
    async with reviewing(results, deck) as app:
        await edit(app, ("assertions", 0, "value"))
        await app.press(*["backspace"] * 9, *"helper")
        await app.until(lambda: "would pass now; open: llm-grader" in drawn(app))


async def test_taking_the_answer_says_what_the_assertions_make_of_it(tmp_path):
    results, deck = files(tmp_path)
    async with reviewing(results, deck) as app:
        await app.press("x")
        await app.until(lambda: app.app.screen is not app.screen)
        await app.press("enter")
        await app.back()
        assert "I am a helper." in deck.read_text()
        assert "still fails: contains 'assistant'" in app.said


async def test_another_sample_has_no_answer_beside_it(tmp_path):
    results, deck = files(tmp_path, DECK + "  - id: other\n    input: Hi\n")
    async with reviewing(results, deck) as app:
        await edit(app, ("expected_output",))
        await app.press("escape", "]")
        assert app.author.sample.id == "other"
        assert "still fails" not in drawn(app)
        await app.press("[")
        assert "still fails" in drawn(app)


@pytest.mark.parametrize("key", ["d", "n"])
async def test_undoing_a_verdict_offers_to_undo_what_it_took_into_the_deck(tmp_path, key):
    results, deck = files(tmp_path)
    async with reviewing(results, deck) as app:
        await app.press("2", "x")
        await app.until(lambda: isinstance(app.app.screen, ShowDiff))
        await app.press("enter")
        await app.back()
        taken = deck.read_bytes()
        assert taken != DECK.encode()
        await app.press("u")
        assert "Undo the deck's edit too" in drawn(app)
        await app.press(key)
        await app.back()
        assert deck.read_bytes() == (DECK.encode() if key == "d" else taken)
        assert "took back expected-wrong of role" in app.said
        assert app.screen.shown.changed == (key == "n")
        await app.press("5", "u")
        assert ("Undo the deck's edit too" in drawn(app)) == (key == "n"), (
            "what was given back is not offered again"
        )


CONFIG = """prompts: ['{{q}}']
providers: [echo]
tests:
  - vars: {q: word}
    assert: [{type: is-json}]
"""


async def test_the_file_is_named_that_the_test_is_in(tmp_path):
    (tmp_path / "p.yaml").write_text("prompts: ['{{q}}']\nproviders: [echo]\ntests: file://t.yaml\n")
    (tmp_path / "t.yaml").write_text("- vars: {q: word}\n  assert: [{type: equals, value: other}]\n")
    case = {"vars": {"q": "word"}, "assert": [{"type": "equals", "value": "other"}]}
    row = {**case, "testCase": case, "promptIdx": 0, "success": False, "response": {"output": "word"}}
    async with reviewing(write_results(tmp_path / "out.jsonl", [row]), tmp_path / "p.yaml") as app:
        await app.press("x")
        await app.over(ShowDiff)
        await app.press("enter")
        await app.back()
        assert "saved t.yaml: #1 changed since this run" in app.said
        await edit(app, ("assert", 0, "value"))
        await app.press("s", "escape", "ctrl+s", "ctrl+q")
        await app.back()
        assert "saved t.yaml: #1 changed since this run" in app.said


@pytest.mark.parametrize(
    ("down", "warning", "changed"),
    [
        (0, "2 samples have what stands at assertionTemplates.short.value: all are edited by this", "Say one"),
        (1, "", "Say two"),
        (3, "", "Say four"),
        (4, "", "Say five"),
    ],
)
async def test_an_assertion_behind_a_reference_is_fixed_where_it_stands(tmp_path, down, warning, changed):
    shutil.copytree(REFERRED, tmp_path / "p")
    deck = tmp_path / "p/promptfooconfig.yaml"
    before = deck.read_text().splitlines()
    async with reviewing(tmp_path / "p/out.jsonl", deck, order=Order.FILE) as app:
        await app.press(*["n"] * down, "x")
        await app.over(ShowDiff)
        assert "all are edited by this" not in app.drawn or warning
        assert warning in " ".join(app.drawn.split())
        await app.press("enter")
        await app.back()
        assert "saved promptfooconfig.yaml" in app.said
        assert "would pass now" in app.said
    after = deck.read_text().splitlines()
    [at] = [at for at, line in enumerate(before) if line != after[at]]
    assert changed in after[at]
    assert after[at].partition("#")[2] == before[at].partition("#")[2], "the comment stays"


async def test_it_is_said_before_that_several_samples_are_made_of_what_changes(tmp_path):
    (tmp_path / "p.yaml").write_text(
        "prompts: ['{{q}}']\nproviders: [echo]\nscenarios:\n- config: [{vars: {q: a}}, {vars: {q: b}}]\n"
        "  tests: [{assert: [{type: equals, value: other}]}]\n"
    )
    case = {"vars": {"q": "b"}, "assert": [{"type": "equals", "value": "other"}]}
    row = {**case, "testCase": case, "promptIdx": 0, "success": False, "response": {"output": "b"}}
    async with reviewing(write_results(tmp_path / "out.jsonl", [row]), tmp_path / "p.yaml") as app:
        await app.press("x")
        await app.over(ShowDiff)
        assert "2 samples are made of scenarios[0].tests[0], and all are edited by this" in app.drawn


async def test_an_assertion_behind_a_reference_to_another_file_is_not_taken(tmp_path):
    shutil.copytree(REFERRED, tmp_path / "p")
    async with reviewing(tmp_path / "p/out.jsonl", tmp_path / "p/promptfooconfig.yaml", order=Order.FILE) as app:
        await app.press(*["n"] * 5, "x")
        assert "nothing in the sample is compared with the answer as a text" in app.said


async def test_an_answer_that_takes_the_place_of_nothing_is_refused_in_words(tmp_path):
    deck = tmp_path / "promptfooconfig.yaml"
    deck.write_text(CONFIG)
    case = {"vars": {"q": "word"}, "assert": [{"type": "is-json"}]}
    row = {**case, "testCase": case, "promptIdx": 0, "success": False, "response": {"output": "word"}}
    results = write_results(tmp_path / "out.jsonl", [row])
    async with reviewing(results, deck) as app:
        await app.press("x")
        assert app.app.screen is app.screen
        assert "nothing in the sample is compared with the answer as a text" in app.said
    assert deck.read_text() == CONFIG
