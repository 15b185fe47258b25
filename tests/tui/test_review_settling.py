"""Kinds of failure, adjudication, searches and filters of a review."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import ReviewOptions
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.review.verdict import LabelValue, LogAction, Verdict
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.review.decks import reworded
from sampleui.tui.review.first_screen import review_screen
from sampleui.tui.review.joined import DecksOfRun
from tests.review.build import decision

from .pressing import key_event
from .review_driver import ReviewDriver, reviewing, write_results


@pytest.fixture
def results(tmp_path: Path) -> Path:
    rows: list[dict[str, Any]] = [
        {"test_id": f"case-{at}", "score": at / 10, "expected_output": "4", "output": f"answer {at}",
         "scores": [{"name": "polite", "score": at / 10, "verdict": "fail"}]}
        for at in range(4)
    ]  # fmt: skip
    return write_results(tmp_path / "run.jsonl", rows)


def dispute(results: Path) -> None:
    """Let two others disagree about the first record."""
    from sampleui.review.results.file import open_results

    log = open_log(log_path(results))
    digest = open_results(results).indexed().entries[0].digest
    log.append(decision(digest, Verdict.MODEL_WRONG, "bob"))
    log.append(decision(digest, Verdict.OK, "cy", comment="fine to me, in 3 of 3"))


async def picked(app: ReviewDriver, *keys: str) -> None:
    await app.until(lambda: app.app.screen is not app.screen)
    await app.press(*keys)
    await app.until(lambda: app.app.screen is app.screen)


CODES = "## hallucination\n\nIt says what is not so.\n\n## wrong format\n\nIt is no JSON.\n"


def labels_of(app: ReviewDriver) -> list[tuple[str, str | None, LabelValue | None]]:
    log = open_log(log_path(app.results))
    return [(item.record_id, item.code, item.label) for record in log.labelled for item in log.labels(record)]


async def test_a_record_is_put_under_a_code_right_after_it_was_decided_or_without_a_verdict(results: Path) -> None:
    results.with_name("failures.md").write_text(CODES)
    async with reviewing(results) as app:
        await app.press("1", "#")
        assert "case-0: fails in the way of" in app.drawn
        await picked(app, "enter")
        assert "recorded hallucination for case-0" in app.said
        assert labels_of(app) == [("case-0", "hallucination", LabelValue.YES)]
        await app.press("]", "[", "#")
        await picked(app, *"wrong", "enter")
        assert ("case-1", "wrong format", LabelValue.YES) in labels_of(app), "no verdict is needed"
        await app.press("[")
        assert "yes for hallucination" in app.scores
        await app.press("#")
        await app.until(lambda: "✓ hallucination" in app.drawn)
        await picked(app, "enter")
        assert "took hallucination back from case-0" in app.said
        assert labels_of(app) == [("case-1", "wrong format", LabelValue.YES)]
        await app.press("f")
        await picked(app, *"code: wrong", "enter")
        assert app.queue == ["case-1"]


async def test_a_code_is_made_by_its_name_and_a_sentence_and_marks_are_put_under_it_at_once(results: Path) -> None:
    async with reviewing(results) as app:
        await app.press("shift+tab", "shift+tab", "space", "space", "#")
        await app.until(lambda: "2 records: fails in the way of" in app.drawn)
        await app.press(*"tone", "enter")
        await app.until(lambda: "tone: a sentence" in app.drawn)
        await picked(app, *"It is rude.", "enter")
        assert "recorded tone for 2 records" in app.said
        assert results.with_name("failures.md").read_text() == "## tone\n\nIt is rude.\n"
        assert {item[0] for item in labels_of(app)} == {"case-0", "case-1"}
        await app.press("u")
        assert labels_of(app) == [], "they are one step"
        assert "took back 2 labels of 2 records" in app.said


async def test_what_a_code_needs_is_asked_in_whole_and_one_without_a_definition_is_said_not_to_be_made(
    results: Path,
) -> None:
    async with reviewing(results, size=(80, 24)) as app:
        await app.press("#")
        await app.until(lambda: "case-0: fails in the way of: the name of a new code" in app.drawn)
        await app.press(*"wrong tone", "enter")
        title = "wrong tone: a sentence that says what is one and what is none"
        await app.until(lambda: title in app.drawn)
        await picked(app, "enter")
        assert "wrong tone was not added: a code has a definition" in app.said
        assert not results.with_name("failures.md").exists()


async def test_a_search_finds_comments_that_may_be_seen(results: Path) -> None:
    dispute(results)
    async with reviewing(results) as app:
        await app.press("]", "3", "[", "c")
        await app.type("Graded by its LENGTH")
        await app.press("enter", "/")
        await app.type("by its length")
        await app.press("enter")
        assert app.queue == ["case-1"]
        await app.press("/", "ctrl+u")
        await app.type("comment:length verdict:grader-wrong")
        await app.press("enter")
        assert app.queue == ["case-1"]
        await app.press("/", "ctrl+u")
        await app.type("fine to me")
        await app.press("enter")
        assert app.queue == [], "another's comment is not seen before one's own verdict"


async def test_a_comment_of_who_settled_a_disagreement_goes_with_the_ruling(results: Path) -> None:
    dispute(results)
    async with reviewing(results) as app:
        await app.press("A")
        await picked(app, "3", "enter")
        await app.press("c", *"both", "enter")
        last = app.log[-1]
        assert (last.kind, last.verdict, last.comment) == (LogAction.ADJUDICATE, Verdict.GRADER_WRONG, "both")
        await app.press("u")
        assert "took back the comment on case-0, which stays grader-wrong" in app.said


async def test_a_disagreement_is_settled_for_all(results: Path) -> None:
    dispute(results)
    async with reviewing(results) as app:
        await app.press("f")
        await picked(app, *"reviewers disagree", "enter")
        assert app.queue == ["case-0"]
        await app.press("A")
        await app.until(lambda: "model-wrong  (bob)" in app.drawn)
        assert "ok  (cy: fine to me, in 3 of 3)" in app.drawn
        await picked(app, "3", "enter")
        assert "adjudicated grader-wrong for case-0" in app.said, "the key of a verdict, wherever else it stands"
        assert (app.log[-1].kind, app.log[-1].verdict) == (LogAction.ADJUDICATE, Verdict.GRADER_WRONG)
        assert "= adjudicated grader-wrong" in app.scores
        assert not open_log(log_path(results)).disputed(app.log[-1].record)
    async with reviewing(results, reviewer="bob") as app:
        item = app.screen.review.queue.items[0]
        assert (item.verdict, item.adjudicated) == (Verdict.GRADER_WRONG, True)
        await app.press("u")
        assert "took back model-wrong" in app.said, "of one's own decisions alone"
    async with reviewing(results) as app:
        await app.press("u")
        assert "took back grader-wrong" in app.said
        assert not open_log(log_path(results)).disputed(app.log[-1].record), "bob has taken his back"


async def test_a_disputed_record_counts_under_no_verdict_until_it_is_settled(results: Path) -> None:
    dispute(results)
    async with reviewing(results, reviewer="bob") as app:
        assert "0/4 reviewed · 1 disputed" in app.drawn
        assert "(1)" not in app.verdicts
        assert "1≠" in app.drawn
        await app.press("f")
        assert "verdict: model-wrong" not in app.drawn
        await picked(app, "escape")
        await app.press("/")
        await app.type("verdict:disputed")
        await app.until(lambda: app.queue == ["case-0"])
        await app.press("escape", "[", "A", *"ok", "enter")
        assert "1/4 reviewed" in app.drawn and "disputed" not in app.verdicts


async def test_a_third_reviewer_finds_what_two_others_disagree_about(results: Path) -> None:
    dispute(results)
    async with reviewing(results, reviewer="dan") as app:
        assert "·≠" in app.drawn
        assert "0/4 reviewed · 1 disputed" in app.drawn
        await app.press("N")
        assert "decided" not in app.said, "it waits for a verdict of one's own"
        await app.press("/")
        await app.type("verdict:disputed")
        await app.press("enter")
        assert app.queue == ["case-0"]
        assert "fine to me" not in app.scores, "what others decided is seen after one's own verdict"


async def test_what_a_program_proposed_is_shown_as_its_own_and_leaves_the_record_open(results: Path) -> None:
    from sampleui.review.results.file import open_results

    digest = open_results(results).indexed().entries[0].digest
    open_log(log_path(results)).append(decision(digest, Verdict.OK, "agent:bot", comment="looks fine"))
    async with reviewing(results) as app:
        assert "5?" in app.drawn
        assert "0/4 reviewed" in app.drawn
        assert "? proposed ok" in app.scores and "agent:bot" in app.scores and "looks fine" in app.scores
        await app.press("/")
        await app.type("proposed:ok")
        await app.press("enter")
        assert app.queue == ["case-0"]
        await app.press("escape", "f")
        await picked(app, *"proposed by", "enter")
        assert app.queue == ["case-0"]
        await app.press("1", "[")
        assert "1 " in app.drawn and "5?" not in app.drawn


async def test_disputes_are_counted_in_the_title_where_the_bar_has_no_room(results: Path) -> None:
    dispute(results)
    async with reviewing(results, reviewer="bob", size=(80, 24)) as app:
        assert "0 decided · 1 disputed" in app.title


async def test_to_skip_is_not_to_disagree(results: Path) -> None:
    async with reviewing(results, reviewer="bob") as app:
        await app.press("6")
    async with reviewing(results, reviewer="cy") as app:
        await app.press("1", "[", "A")
        assert "do not disagree" in app.said
        assert "1/4 reviewed" in app.verdicts and "disputed" not in app.verdicts


async def all_shown(app: ReviewDriver) -> None:
    """Wait until a search is over, and go to the first record."""
    await app.until(lambda: len(app.queue) == 4 and not app.screen.search_input.display)
    await app.press(*"[[[[")
    assert app.at == "case-0"


async def test_a_search_says_what_it_found_and_ends_with_escape(results: Path) -> None:
    async with reviewing(results) as app:
        for ends in ("escape", "enter"):
            await app.press("/")
            await app.type("answer 2")
            await app.until(lambda: app.queue == ["case-2"])
            assert "1 of 4: answer 2" in app.said, ends
            await app.press(ends)
            if ends == "enter":
                assert app.queue == ["case-2"]
                await app.press("escape")
            await app.until(lambda: len(app.queue) == 4)
            assert not app.screen.search_input.display, ends
            assert "4 records again" in app.said, ends
            await all_shown(app)

        for quickly in (True, False):
            for ends, said in (("enter", "1 of 4: answer 2"), ("escape", "4 records again")):
                keys = ["/", *"answer", "space", "2"]
                if quickly:
                    await app.press(*keys, ends)
                else:
                    await app.press(*keys)
                    await app.until(lambda: app.queue == ["case-2"])
                    await app.press(ends)
                assert said in app.said, (quickly, ends)
                await app.press("escape")
                await all_shown(app)

        await app.press("1", "[", "A")
        assert "do not disagree" in app.said, "where nobody disagrees there is nothing to settle"


async def test_a_search_goes_on_from_the_record_at_which_it_began(results: Path) -> None:
    async def typed(text: str, quickly: bool) -> None:
        for letter in text:
            await app.type(letter)
            if not quickly:
                await app.until(lambda: app.screen.review.queue.filters.text == app.screen.search_input.value)

    async with reviewing(results) as app:
        first = app.screen.focused
        for quickly in (True, False):
            before = len(app.log)
            await app.press("]", "tab")
            began, pane = app.at, app.screen.scope
            await app.press("/")
            await typed("zz", quickly)
            await app.press("escape")
            assert app.at == began != app.queue[0] and app.screen.scope == pane != "queue", quickly
            await app.press("/")
            await typed("zz", quickly)
            await app.press(*["backspace"] * 2)
            await typed("case", quickly)
            await app.press("enter")
            assert app.at == began, quickly
            await app.press("/")
            await typed("-2", quickly)
            await app.press("enter")
            await app.press("escape")  # one that comes while the search goes on would end it
            assert app.at == "case-2", quickly
            await app.press("1")
            assert [one.record_id for one in app.log[before:]] == ["case-2"], quickly
            await app.press("u")
            app.screen.set_focus(first)
            await all_shown(app)


async def test_one_who_goes_on_while_a_search_is_open_stays_there_and_one_that_is_emptied_stays_open(
    results: Path,
) -> None:
    async with reviewing(results) as app:
        await app.press("/")
        await app.type("case")
        await app.until(lambda: app.screen.review.queue.filters.text == "case")
        app.screen.queue.cursor = 2
        await app.rested()
        there = app.at
        await app.type("-")
        await app.until(lambda: app.screen.review.queue.filters.text == "case-")
        assert app.at == there == app.queue[2]
        await app.press("escape")
        await all_shown(app)

        await app.press("/")
        await app.type("zz")
        await app.until(lambda: app.queue == [])
        await app.press("backspace", "backspace")
        await app.until(lambda: len(app.queue) == 4)
        await app.type("answer 2")
        await app.until(lambda: app.queue == ["case-2"])
        assert not app.log


async def test_the_baseline_compares_each_grader(results: Path, tmp_path: Path) -> None:
    old = write_results(
        tmp_path / "old.jsonl",
        [
            {
                "test_id": "case-0",
                "score": 0,
                "scores": [{"name": "polite", "score": 0.5}, {"name": "gone", "score": 1}],
            },
            {"test_id": "case-1", "score": 0.1, "scores": [{"name": "polite", "score": 0.1}]},
        ],
    )
    async with reviewing(results, baseline=old) as app:
        await app.press("f")
        await picked(app, *"polite: worse", "enter")
        assert app.queue[:1] == ["case-0"]
        assert "polite 0.5 → 0" in app.scores
        assert "not compared: gone 1, only in the" in app.scores


async def test_records_whose_expectation_changed_can_be_filtered(results: Path, tmp_path: Path) -> None:
    deck = tmp_path / "run.eval.yaml"
    deck.write_text("".join(["tests:\n", *(
        f"  - id: case-{at}\n    input: '2+2'\n    expected_output: '{4 + (at == 3)}'\n" for at in range(4)
    )]))  # fmt: skip
    async with reviewing(results, deck) as app:
        await app.until(lambda: app.screen.review.state.reworded)
        await app.press("f")
        await picked(app, *"expectation changed", "enter")
        assert app.queue == ["case-3"]


async def test_a_sample_fixed_from_the_review_joins_those_whose_expectation_changed(
    results: Path, tmp_path: Path
) -> None:
    deck = tmp_path / "run.eval.yaml"
    deck.write_text("".join(["tests:\n", *(
        f"  - id: case-{at}\n    input: '2+2'\n    expected_output: '4'\n" for at in range(4)
    )]))  # fmt: skip
    async with reviewing(results, deck) as app:
        assert not app.screen.review.state.reworded
        await app.press("x", "enter")
        await app.until(lambda: app.screen.review.state.reworded)
        await app.press("f")
        await picked(app, *"expectation changed", "enter")
        assert app.queue == ["case-0"]


async def test_keys_act_while_expectations_are_compared_and_only_the_choice_of_records_waits_for_that(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = tmp_path / "run.eval.yaml"
    deck.write_text("".join(["tests:\n", *(
        f"  - id: case-{at}\n    input: '2+2'\n    expected_output: '{4 + (at == 3)}'\n" for at in range(4)
    )]))  # fmt: skip
    go_on, in_time = Event(), []

    def look(results: Results, decks: DecksOfRun, entries: Iterable[Entry]) -> frozenset[int]:
        found = reworded(results, decks, entries)
        if 3 in found:  # the look through all, not at the sample that is changed below
            in_time.append(go_on.wait(20))
        return found

    monkeypatch.setattr("sampleui.tui.review.feed.reworded", look)
    app = SampleUI(review_screen(ReviewOptions(results, reviewer="ada", decks=(deck,)), Settings()), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        driver = ReviewDriver(pilot, results)
        await driver.press("]", "]")
        assert driver.at == "case-2"
        await driver.press("[", "[", "x", "enter")
        assert "expected_output: 'answer 0'" in deck.read_text()
        assert not in_time, "the look has not ended yet"
        app.post_message(key_event("f"))
        await pilot.pause()
        assert app.screen is driver.screen and "looking for expectations" in driver.said
        go_on.set()
        await picked(driver, *"expectation changed", "enter")
        assert in_time == [True]
        assert driver.queue == ["case-0", "case-3"], "what was changed meanwhile is among them"
