"""A sample that is fixed with the recorded answer beside it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from textual.pilot import Pilot
from textual.worker import get_current_worker

from sampleui.review.log.verdict_migration import carry_over
from sampleui.review.queue import Order
from sampleui.review.verdict import Verdict
from sampleui.tui.review.boxes import ShowDiff

from .driver import ROOT, drawn_lines
from .review_driver import ReviewDriver, reviewing, write_results

REFERRED = ROOT / "tests/integrations/promptfoo/written/referred"
ASSERTIONS = ROOT / "tests/integrations/promptfoo/written/assertions"

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


async def take(app: ReviewDriver) -> None:
    await app.press("x")
    await app.over(ShowDiff)
    await app.press("enter")
    await app.back()


async def take_back(app: ReviewDriver) -> None:
    await app.press("u")
    await app.over(ShowDiff)
    await app.press("enter")
    await app.back()


async def edit(app: ReviewDriver, path: tuple[str | int, ...]) -> None:
    await app.press("e")
    await app.until(lambda: app.app.screen is not app.screen)
    app.author.go_to(path)
    await app.press("enter")


async def test_assertions_are_evaluated_on_the_answer_as_one_types(tmp_path):
    results, deck = files(tmp_path, FEW)
    async with reviewing(results, deck, (80, 24)) as app:
        for size in ((80, 24), (120, 40)):
            await app.pilot.resize_terminal(*size)
            await edit(app, ("assertions", 0, "value"))
            assert "still fails: contains 'assistant'" in drawn(app), size
            if size[0] > 100:
                assert "✖ in the run: contains assistant" in drawn(app)
                assert "helper" in drawn(app), "the answer is beside it"
            await app.press(*["backspace"] * 9, *"helper")
            await app.until(lambda: "would pass now" in drawn(app))
            await app.press("escape", "ctrl+s", "ctrl+q")
            await app.back()
            assert "would pass now" in app.said, size
            await take_back(app)
            assert deck.read_text() == FEW


async def test_another_sample_has_no_answer_beside_it(tmp_path):
    results, deck = files(tmp_path, DECK + "  - id: other\n    input: Hi\n")
    async with reviewing(results, deck) as app:
        await edit(app, ("expected_output",))
        await app.press("escape", "]")
        assert app.author.sample.id == "other"
        assert "still fails" not in drawn(app)
        await app.press("[")
        assert "still fails" in drawn(app)


async def test_taking_the_answer_says_what_comes_of_it_and_u_takes_back_that_and_then_the_verdict(tmp_path):
    results, deck = files(tmp_path)
    async with reviewing(results, deck) as app:
        await edit(app, ("assertions", 0, "value"))
        await app.press(*["backspace"] * 9, *"helper")
        await app.until(lambda: "would pass now; open: llm-grader" in drawn(app))  # what needs a grader stays open
        await app.press("escape", "u", "ctrl+q")
        await app.back()

        await take(app)
        assert "I am a helper." in deck.read_text()
        assert "still fails: contains 'assistant'" in app.said
        await take_back(app)
        assert deck.read_text() == DECK

        await app.press("2")
        await take(app)
        taken = deck.read_text()
        await app.press("u")
        await app.over(ShowDiff)
        assert "-    expected_output: I am a helper." in drawn(app)
        assert "+    expected_output: I am an assistant." in drawn(app)
        await app.press("escape")
        await app.back()
        assert deck.read_text() == taken, "nothing is taken back that was not wanted"
        await take_back(app)
        assert "took back the fix of role: role.eval.yaml is as it was" in app.said
        assert deck.read_text() == DECK
        assert not app.screen.shown.changed
        assert app.screen.review.item.verdict is Verdict.EXPECTED_WRONG
        await app.press("u")
        assert "took back expected-wrong of role" in app.said
        await app.press("u")
        assert "nothing to undo" in app.said


async def test_u_takes_back_what_was_edited_and_saved_as_one(tmp_path):
    results, deck = files(tmp_path, FEW)
    async with reviewing(results, deck) as app:
        await edit(app, ("assertions", 0, "value"))
        await app.press(*["backspace"] * 9, *"helper", "escape", "ctrl+s")
        app.author.go_to(("input",))
        await app.press("enter", *" Now?", "escape", "ctrl+s", "ctrl+q")
        await app.back()
        assert "Now?" in deck.read_text()
        await take_back(app)
        assert deck.read_text() == FEW
        await app.press("u")
        assert "nothing to undo" in app.said


TWO = FEW + FEW.removeprefix("tests:\n").replace("id: role", "id: other")


async def test_u_goes_back_in_the_order_in_which_things_were_done_and_to_their_record(tmp_path):
    results, deck = files(tmp_path, TWO)
    row = {"test_id": "role", "score": 0, "output": "I am a helper."}
    write_results(results, [row, {**row, "test_id": "other"}])
    async with reviewing(results, deck, order=Order.FILE) as app:
        await app.press("1")
        await take(app)
        await app.press("[")
        await take(app)
        await app.press("]", "c")
        await app.type("why")
        await app.press("enter", "[")
        await app.press("u")
        assert "took back the note on other" in app.said and app.at == "other"
        for name in ("role", "other"):
            await take_back(app)
            assert app.at == name
        assert deck.read_text() == TWO
        await app.press("u")
        assert "took back model-wrong of role" in app.said


async def test_a_fix_is_not_taken_back_from_a_file_that_was_changed_since(tmp_path):
    results, deck = files(tmp_path)
    async with reviewing(results, deck) as app:
        await app.press("1", "[")
        await take(app)
        deck.write_text(deck.read_text() + "  # by another hand\n")
        after = deck.read_text()
        await app.press("u")
        assert "role.eval.yaml was changed elsewhere since: the fix of role stays" in app.said
        assert deck.read_text() == after
        assert app.screen.review.item.verdict is Verdict.MODEL_WRONG
        await app.press("u")
        assert "took back model-wrong of role" in app.said


async def test_a_verdict_of_an_earlier_run_counts_no_longer_once_the_sample_is_another(tmp_path):
    first, deck = files(tmp_path)
    async with reviewing(first, deck) as app:
        await app.press("1")
    later = write_results(tmp_path / "later.jsonl", [{**json.loads(first.read_text()), "duration_ms": 7}])
    async with reviewing(later, deck) as app:
        assert "1↩" in app.drawn and "1/1 reviewed" in app.verdicts
        await take(app)
        assert "1↩" not in app.drawn and "0/1 reviewed" in app.verdicts
        await take_back(app)
        assert "1/1 reviewed" in app.verdicts


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
        await take(app)
        assert "saved t.yaml: #1 changed since this run" in app.said
        await edit(app, ("assert", 0, "value"))
        await app.press("s", "escape", "ctrl+s", "ctrl+q")
        await app.back()
        assert "saved t.yaml: #1 changed since this run" in app.said


async def test_an_assertion_behind_a_reference_is_fixed_where_it_stands_unless_in_another_file(tmp_path):
    shutil.copytree(REFERRED, tmp_path / "p")
    deck = tmp_path / "p/promptfooconfig.yaml"
    warning = "2 samples have what stands at assertionTemplates.short.value: all are edited by this"
    async with reviewing(tmp_path / "p/out.jsonl", deck, order=Order.FILE) as app:
        for number, changed in enumerate(("Say one", "Say two", "", "Say four", "Say five")):
            before = deck.read_text().splitlines()
            if changed:
                await app.press("x")
                await app.over(ShowDiff)
                assert (warning in " ".join(app.drawn.split())) == (number == 0), changed
                assert ("all are edited by this" in app.drawn) == (number == 0), changed
                await app.press("enter")
                await app.back()
                assert "saved promptfooconfig.yaml" in app.said, changed
                assert "would pass now" in app.said, changed
                after = deck.read_text().splitlines()
                [at] = [at for at, line in enumerate(before) if line != after[at]]
                assert changed in after[at]
                assert after[at].partition("#")[2] == before[at].partition("#")[2], "the comment stays"
            await app.press("]")
        after = deck.read_text()
        await app.press("x")
        assert "nothing in the sample is compared with the answer as a text" in app.said
        assert deck.read_text() == after


async def test_taking_an_answer_over_is_refused_for_a_sample_that_scenarios_make(tmp_path):
    (tmp_path / "p.yaml").write_text(
        "prompts: ['{{q}}']\nproviders: [echo]\nscenarios:\n- config: [{vars: {q: a}}, {vars: {q: b}}]\n"
        "  tests: [{assert: [{type: equals, value: other}]}]\n"
    )
    case = {"vars": {"q": "b"}, "assert": [{"type": "equals", "value": "other"}]}
    row = {**case, "testCase": case, "promptIdx": 0, "success": False, "response": {"output": "b"}}
    async with reviewing(write_results(tmp_path / "out.jsonl", [row]), tmp_path / "p.yaml") as app:
        await app.press("x")
        assert "made of scenarios[0].config[1] and scenarios[0].tests[0]: press E" in app.said


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


async def test_a_long_answer_is_not_made_what_another_has_to_contain_without_asking(tmp_path):
    deck = tmp_path / "promptfooconfig.yaml"
    deck.write_text(
        "prompts: [x]\nproviders: [echo]\ntests:\n"
        "  - description: a\n    vars: {q: one}\n    assert: [{type: contains, value: Paris}]\n"
    )
    row = {
        "promptIdx": 0, "testIdx": 0, "success": False, "score": 0, "failureReason": 1, "vars": {"q": "one"},
        "provider": {"id": "p"}, "testCase": {"description": "a", "vars": {"q": "one"}},
        "response": {"output": "long " * 2000}, "gradingResult": {"pass": False, "score": 0},
    }  # fmt: skip
    before = deck.read_text()
    async with reviewing(write_results(tmp_path / "out.jsonl", [row]), deck) as app:
        await app.press("x")
        await app.until(lambda: app.app.screen is not app.screen)
        assert "10,000 characters would be the value of a contains of 5" in " ".join(drawn(app).split())
        await app.press("escape")
        assert (app.app.screen is app.screen, deck.read_text()) == (True, before)
        await app.press("x", "t")
        await app.until(lambda: isinstance(app.app.screen, ShowDiff))


async def test_each_assertion_has_its_outcome_beside_it_until_it_is_edited_and_the_first_that_failed_is(tmp_path):
    deck = Path(shutil.copytree(ASSERTIONS, tmp_path / "run")) / "promptfooconfig.yaml"
    before = deck.read_text()
    async with reviewing(deck.parent / "out.json", deck) as app:
        await app.press("e")
        await app.until(lambda: app.app.screen is not app.screen and '✖ assert[1]  contains "nope"' in drawn(app))
        assert '✓ assert[0]  contains "hello"' in drawn(app)
        app.author.go_to(("assert", 4))
        await app.press("enter", "x", "escape", "up", "up", "up", "up", "up")
        assert "✓ assert[0]" in drawn(app) and "✖ assert[4]" not in drawn(app)
        await app.press("u")
        assert "✖ assert[4]" in drawn(app)
        await app.press("ctrl+q")
        await app.back()

        for size in ((80, 24), (120, 40)):
            await app.pilot.resize_terminal(*size)
            app.screen.set_focus(app.screen.conversation)
            await app.until(lambda: "✖ assert[1]" in drawn(app))
            lines = drawn(app)
            assert "✓ assert[0]  contains" in lines, size
            assert "✖ assert[2]" in lines, size
            app.screen.set_focus(app.screen.queue)
            await app.press("e")
            await app.until(lambda: app.app.screen is not app.screen)
            assert app.author.here.path == ("assert", 1), size
            app.author.go_to(("assert", 1, "value"))
            await app.press("enter", *["backspace"] * 4, *"Say", "escape", "ctrl+s", "ctrl+q")
            await app.back()
            app.screen.set_focus(app.screen.conversation)
            await app.until(lambda: "· assert[1]" in drawn(app))
            assert "not known" in drawn(app), "the run had another assertion in its place"
            assert "✓ assert[0]" in drawn(app), "the others are as they were run"
            app.screen.set_focus(app.screen.queue)
            await take_back(app)
            assert deck.read_text() == before


async def test_how_many_are_decided_is_left_open_until_those_of_earlier_runs_are_known(tmp_path, monkeypatch):
    first, deck = files(tmp_path)
    async with reviewing(first, deck) as app:
        await app.press("1")
    row = json.loads(first.read_text())
    rows = [{**row, "duration_ms": 7}, {"test_id": "other", "score": 0, "output": "no"}]
    later = write_results(tmp_path / "later.jsonl", rows)
    before: list[tuple[str, str]] = []

    def look(results, log, samples):
        screen = get_current_worker().node
        review = ReviewDriver(Pilot(screen.app), later)
        before.append(screen.app.call_from_thread(lambda: (review.title, review.verdicts)))
        return carry_over(results, log, samples)

    monkeypatch.setattr("sampleui.tui.review.feed.carry_over", look)
    async with reviewing(later, deck) as app:
        ((title, verdicts),) = before
        assert "1/2 · … decided" in title and "…/2 reviewed" in verdicts and "(" not in verdicts
        assert "· 1 decided" in app.title and "1/2 reviewed" in app.verdicts and "model-wrong (1)" in app.verdicts
        await app.press("2")
        assert "2/2 reviewed" in app.verdicts and "every record in the filter is decided" in app.said
