"""Values that samples of YAML share: it is asked, before one types, whether they change for all or for this one."""

from __future__ import annotations

import pytest
import yaml

from .driver import opened

DECK = """\
x-policy: &policy Refunds need a supervisor.
tests:
  - id: a   # small
    criteria: Offers the refund.
    input:
      - {role: system, content: *policy}
      - {role: user, content: "Refund, please."}
    assertions: &base
      - type: contains   # why
        value: supervisor
  - id: b
    criteria: Says no.
    input:
      - {role: system, content: *policy}
      - {role: user, content: "And now?"}
    assertions: *base
"""


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "anchors.eval.yaml"
    path.write_text(DECK)
    return path


def _policies(app):
    return [test["input"][0]["content"] for test in yaml.safe_load(app.text)["tests"]]


async def test_a_shared_text_changes_for_all_who_have_it(deck):
    async with opened(deck) as app:
        await app.press("g", "enter")
        assert "shared by 2 samples" in app.dialog_text and "Change it for all 2" in app.dialog_text
        await app.press("a", "end", *" Now", "escape")
        assert app.text == DECK.replace("a supervisor.", "a supervisor. Now")
        await app.press("u")
        assert app.text == DECK


async def test_a_sample_gets_a_copy_of_its_own(deck):
    async with opened(deck) as app:
        await app.press("g", "enter", "o", "end", *" Mine", "escape")
        assert _policies(app) == ["Refunds need a supervisor. Mine", "Refunds need a supervisor."]


async def test_shared_values_are_marked_with_the_number_of_samples_that_have_them(deck):
    async with opened(deck) as app:
        assert any("system" in row and "⧉2" in row for row in app.cards)
        assert any("assertions" in row and "⧉2" in row for row in app.cards)
        assert not any("criteria" in row and "⧉" in row for row in app.cards)
        await app.press("j", "k")
        assert "shared by 2 samples: &policy" in app.dialog_text


async def test_a_question_that_is_not_answered_changes_nothing(deck):
    async with opened(deck) as app:
        await app.press("g", "enter", "escape")
        assert app.text == DECK and not app.screen.editing.active


async def test_the_anchor_of_a_deleted_sample_goes_to_the_next(deck):
    async with opened(deck) as app:
        await app.press("shift+tab", "d")
        assert "1 other sample shares" in app.dialog_text
        await app.press("m")
        tests = yaml.safe_load(app.text)["tests"]
        assert [test["id"] for test in tests] == ["b"] and tests[0]["assertions"][0]["value"] == "supervisor"
        await app.press("u")
        assert app.text == DECK


async def test_replace_lists_what_it_cannot_do_with_the_reason_and_does_the_rest(deck):
    deck.write_text(DECK.replace("Says no.", "Says supervisor."))
    async with opened(deck) as app:
        await app.press("ctrl+f", *"supervisor", "enter", "r", *"boss", "enter")
        assert "1 of 6 values; 1 cannot be" in app.dialog_text
        assert "its anchor &policy is used elsewhere" in app.dialog_text
        await app.press("enter")
        assert app.text == deck.read_text().replace("Says supervisor.", "Says boss.") and app.steps == 1


@pytest.mark.parametrize("keys", [("space",), ("*",)], ids=["one who has it", "all"])
async def test_replace_changes_what_samples_share_for_all_of_them_once_that_is_taken_in(deck, keys):
    deck.write_text(DECK.replace("value: supervisor", "value: clerk"))
    async with opened(deck) as app:
        await app.press("ctrl+f", *"supervisor", "enter", "r", *"boss", "enter")
        assert "for all 2 that share it" in app.dialog_text and "0 of 3 values" in app.dialog_text
        await app.press(*keys, "enter")
        assert app.text == deck.read_text().replace("supervisor", "boss") and app.steps == 1
        await app.press("escape", "u")
        assert app.text == deck.read_text()


async def test_what_was_merged_in_can_be_edited_both_ways_after_its_sample_was_deleted(deck):
    merging = "".join(f"  - <<: *base\n    id: {name}\n" for name in ("two", "three"))
    deck.write_text(f"tests:\n  - &base\n    id: one\n    criteria: Be kind\n    input: Hi\n{merging}")
    async with opened(deck) as app:
        await app.press("1", "d", "m", "end", "2", "G", "e")
        assert "criteria is shared by 2 samples" in app.dialog_text
        await app.press("a", "end", *"!", "escape")
        assert [test["criteria"] for test in yaml.safe_load(app.text)["tests"]] == ["Be kind!"] * 2
        await app.press("e", "o", "end", *"?", "escape")
        assert [test["criteria"] for test in yaml.safe_load(app.text)["tests"]] == ["Be kind!", "Be kind!?"]
        await app.press("1", "home", "d", "escape")
        assert app.ids == ["two", "three"]
