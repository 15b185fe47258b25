"""The small inputs of strangers as the app shows them; they lie beside the checkout, or the tests skip.

What commands say of them is tried in `tests/corpus/test_small_inputs.py`, which says where they are.
"""

from __future__ import annotations

import re
import shutil

import pytest

from sampleui.settings.options import load_settings
from sampleui.tui.input.reader import KeyReader
from tests.corpus.test_small_inputs import FOLDER

from .driver import opened
from .review_driver import reviewing

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the small inputs are not there")


@pytest.fixture
def inputs(tmp_path):
    folder = tmp_path / "inputs"
    shutil.copytree(FOLDER, folder, symlinks=True)
    (folder / ".git").mkdir()
    return folder


async def test_no_record_of_an_assertion_set_is_among_those_whose_expectation_changed(inputs):
    folder = inputs / "two-runs" / "promptfoo-assert-set"
    async with reviewing(folder / "out.json", folder / "promptfooconfig.yaml", everything=True) as app:
        await app.press("f")
        changed = [line for line in app.drawn.split("\n") if "expectation changed" in line]
        assert not changed or re.search(r"\b0\b", changed[0]), changed


async def test_a_record_that_passes_now_is_better_and_a_changed_assertion_stands_beside_its_difference(inputs):
    folder = inputs / "two-runs" / "fixed-deck-baseline"
    async with reviewing(folder / "r2.json", baseline=folder / "r1.json", everything=True) as app:
        told = {}
        for _ in app.queue:
            told[app.at] = app.scores
            await app.press("right_square_bracket")
        assert "better" in told["greeting"]
        assert "1 → 0" in told["named"] and "expects something else" in told["named"]


async def test_errors_are_compared_with_nothing(inputs):
    folder = inputs / "two-runs" / "error-in-baseline"
    async with reviewing(folder / "r2.json", baseline=folder / "r1.json", everything=True) as app:
        for _ in app.queue:
            assert "better" not in app.drawn and "from 0" not in app.drawn
            await app.press("right_square_bracket")


async def test_a_third_reviewer_finds_what_two_dispute(inputs):
    folder = inputs / "two-runs" / "two-reviewers"
    (folder / "dot-sampleui.toml").rename(folder / ".sampleui.toml")
    results = folder / "hello.results.jsonl"
    async with reviewing(results, everything=True, reviewer="cyd", settings=load_settings(folder)) as app:
        await app.press("slash")
        await app.type("verdict:disputed")
        await app.press("enter")
        await app.back()
        assert {one.partition("#")[0] for one in app.queue} == {"haiku", "algebra-tutor"}


async def test_a_thinking_part_is_not_taken_for_the_answer(inputs):
    folder = inputs / "public" / "thinking-answer"
    async with reviewing(folder / "agentv.jsonl", folder / "agentv.eval.yaml", record_id="parts") as app:
        assert "green" in app.answer and "perhaps" not in app.answer
        await app.press("x", "enter")
        await app.rested()
    assert "perhaps" not in (folder / "agentv.eval.yaml").read_text()


@pytest.mark.parametrize("at", range(5))
async def test_what_differs_of_two_texts_that_look_the_same_is_named(inputs, at):
    folder = inputs / "public" / "same-looking"
    async with reviewing(folder / "r.jsonl", folder / "d.json") as app:
        await app.press(*["right_square_bracket"] * at)
        assert re.search(r"U\+[0-9A-F]{4}", app.answer), app.answer


async def test_a_turn_that_is_emptied_is_an_error_while_it_is_typed(inputs):
    async with opened(inputs / "own-readers" / "empty-turn" / "hello.toml") as app:
        await app.until(lambda: app.screen.session.problems.complete)
        await app.press("right_square_bracket", "enter", "f7", "backspace")
        await app.until(lambda: "1 error" in app.title)
        assert app.screen.typing


def test_a_modifier_that_is_pressed_alone_leaves_what_was_said(inputs):
    sequences = re.findall(r"ESC \[ (\d+)(?: ; (\d+))? u", (FOLDER / "public/modifier-key/keys.txt").read_text())
    reader = KeyReader()
    for key, modifier in sequences:
        data = f"\x1b[{key}{f';{modifier}' if modifier else ''}u".encode()
        assert [*reader.feed(data, 0.0)] == []
    assert len(sequences) == 4
