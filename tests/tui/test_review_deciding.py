"""Deciding: the verdict keys, comments, undo, and where a decision leads."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.review.verdict import LogAction, Verdict
from sampleui.settings.options import Settings
from sampleui.tui.screens.dialogs import Pick

from .review_driver import RESULTS, ReviewDriver, reviewing


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "hello.results.jsonl"
    path.write_bytes((RESULTS / "hello.results.jsonl").read_bytes())
    return path


FAILED = ["unit-conversion", "refund-policy", "algebra-tutor", "capital-of-france", "haiku", "arithmetic#2"]


async def take_back(app: ReviewDriver) -> None:
    """Take back what is decided, and go to the first record."""
    decided = [item for item in app.screen.review.queue.items if item.verdict is not None]
    await app.press(*"u" * len(decided), *"[" * len(app.queue))
    assert (app.screen.review.progress.reviewed, app.at) == (0, app.queue[0])


async def test_each_key_records_its_verdict_and_goes_on(results):
    async with reviewing(results) as app:
        for count, verdict in enumerate(Verdict):
            await app.press(verdict.key)
            assert app.said.strip() == f"✓ recorded {verdict} for unit-conversion"
            assert app.at == "refund-policy", verdict
            (one,) = app.log[2 * count :]
            assert (one.verdict, one.record_id, one.reviewer) == (verdict, "unit-conversion", "ada")
            assert f"{verdict.key} {verdict} (1)" in app.verdicts
            await take_back(app)


async def test_the_bar_names_the_keys_that_a_person_gave_and_each_records_what_it_says(results):
    settings = Settings(keys={"verdict.ok": ("1",), "verdict.model-wrong": ("5",), "verdict.skip": ("f9",)})
    async with reviewing(results, settings=settings) as app:
        assert all(text in app.verdicts for text in ("1 ok", "5 model-wrong", "f9 skip", "4 flaky"))
        await app.press("1")
        assert app.log[-1].verdict is Verdict.OK
        assert "1 unit-conversion" in app.drawn, "the mark in the queue is the key of the bar"


async def test_a_verdict_without_a_key_has_none_in_the_bar(results):
    async with reviewing(results, settings=Settings(keys={"verdict.ok": ("1",)})) as app:
        assert "1 ok" in app.verdicts and "1 model-wrong" not in app.verdicts and "5" not in app.verdicts
        await app.press("5")
        assert app.log == ()


async def test_stepping_goes_through_the_failures_the_worst_first_whatever_is_decided(results):
    async with reviewing(results) as app:
        assert app.queue == FAILED
        seen = [app.at]
        for _ in range(5):
            await app.press("]")
            seen.append(app.at)
        assert seen == FAILED
        await app.press("]")
        assert (app.at, "last record" in app.said) == ("arithmetic#2", True)
        await app.press("[", "[")
        assert app.at == "capital-of-france"
        await take_back(app)

        await app.press("]", "1", "N")
        assert app.at == "capital-of-france", "the next unreviewed one skips what is decided"
        await app.press("N", "N", "N", "N")
        assert app.at == "algebra-tutor", "and begins anew"
        await take_back(app)

        for _ in FAILED:
            await app.press("3")
        assert "every record in the filter is decided" in app.said
        assert app.queue == FAILED
        assert "6/6 reviewed" in app.verdicts
        await take_back(app)

        before = len(app.log)
        await app.press("1", "[", "5")
        assert "recorded ok for unit-conversion" in app.said
        await app.press("[")
        assert "[5 ok (1)]" in app.verdicts, "a verdict can be changed"
        assert [one.verdict for one in app.log[before:]] == [Verdict.MODEL_WRONG, Verdict.OK]


async def test_undo_takes_the_last_verdict_back_also_after_a_restart(results):
    async with reviewing(results) as app:
        await app.press("1", "4")
    async with reviewing(results) as app:
        assert app.screen.review.progress.reviewed == 2
        await app.press("u")
        assert "took back flaky of refund-policy" in app.said
        assert (app.at, app.screen.review.item.verdict) == ("refund-policy", None)
        assert "u Undo" in app.keys
        await app.press("u", "u")
        assert "nothing to undo" in app.said and "nothing to undo" in app.said
        assert [one.kind for one in app.log] == [LogAction.DECIDE, LogAction.DECIDE, LogAction.UNDO, LogAction.UNDO]


async def test_undo_leaves_the_verdicts_of_others(results):
    async with reviewing(results, reviewer="bob") as app:
        await app.press("1")
    async with reviewing(results, reviewer="ada") as app:
        assert app.screen.review.progress.reviewed == 0  # a second opinion is not influenced by the first
        assert "bob" not in app.scores
        await app.press("u")
        assert "nothing to undo" in app.said
        await app.press("5", "[")
        assert "bob" in app.scores


async def test_keys_are_text_in_a_field_and_a_comment_needs_no_verdict(results):
    async with reviewing(results) as app:
        for opening in ("slash", "c"):
            await app.press(opening, "1", "2", "u")
            await app.rested()
            assert app.log == (), "keys typed ahead meet the field that was opened"
            await app.press("escape")

        await app.press("slash")
        await app.type("123456cu")
        assert app.screen.search_input.value == "123456cu"
        assert app.log == ()
        await app.press("escape")

        await app.press("c")
        await app.type("123456 nNpux?q")
        assert app.screen.comment_input.value == "123456 nNpux?q"
        assert app.log == ()
        assert app.at == "unit-conversion"
        await app.press("escape")
        await app.press("5")
        assert [one.comment for one in app.log] == [""]
        await take_back(app)

        before = app.log
        await app.press("c")
        await app.type("provider down again")
        await app.press("enter")
        assert "recorded the comment on unit-conversion" in app.said
        assert "provider down again" in app.scores
        await app.press("4")
        note, one = app.log[len(before) :]
        assert (note.verdict, note.comment) == (None, "provider down again")
        assert (one.verdict, one.comment) == (Verdict.FLAKY, "")


async def test_what_is_typed_when_one_leaves_is_kept_as_a_note(results):
    async with reviewing(results) as app:
        await app.press("c")
        await app.type("one")
        await app.press("enter", "]", "c")
        await app.type("unfinished")
        await app.press("ctrl+q")
        assert not app.app.is_running
    async with reviewing(results, reviewer="bob") as app:
        assert "one" not in app.scores, "what another reviewer wrote is not shown before one's own"
    async with reviewing(results) as app:
        assert "2 read" in app.drawn
        assert [note.comment for note in app.screen.review.log.standing_notes] == ["one", "unfinished"]


async def test_reopening_goes_on_after_the_records_that_are_read(results):
    async with reviewing(results) as app:
        first = app.at
        await app.press("c", *"seen", "enter")
        assert "1 read" in app.drawn and "0 decided" in app.drawn
    async with reviewing(results) as app:
        assert app.at != first


async def test_a_quote_is_the_place_of_a_note_and_edits_take_its_place(results):
    async with reviewing(results) as app:
        await app.press("]")
        record = app.screen.review.record(app.screen.review.item.entry.index)
        quote = record.actual[:12].strip()
        await app.press("c")
        await app.type(f"> {quote}")
        await app.until(lambda: app.screen.comment_input._suggestion.startswith(f"> {quote}"))
        await app.press("enter")
        await app.type("too friendly")
        await app.press("enter")
        (note,) = app.screen.review.log.standing_notes
        assert note.place is not None and note.place.quote == quote and note.comment == "too friendly"
        assert record.actual[note.place.start : note.place.end] == quote
        await app.press("c")
        await app.type("> never said")
        await app.press("enter")
        assert "does not say" in app.said and len(app.screen.review.log.standing_notes) == 1
        await app.press("u")
        assert "took back the note" in app.said and not app.screen.review.log.standing_notes


async def test_notes_are_listed_and_lead_to_their_records(results):
    async with reviewing(results) as app:
        first = app.at
        await app.press("c", *"look at this", "enter", "]")
        assert app.at != first
        await app.press("m")
        assert "look at this" in app.drawn
        await app.press("enter")
        assert app.at == first


async def test_a_comment_right_after_a_verdict_is_on_the_record_just_decided(results):
    async with reviewing(results) as app:
        await app.press("4")
        after = app.at
        assert after != "unit-conversion"
        await app.press("c")
        assert "on unit-conversion, decided just now" in app.said
        assert "unit-conversion" in app.screen.comment_input.placeholder
        await app.type("late")
        await app.press("enter")
        assert [(one.record_id, one.comment) for one in app.log] == [
            ("unit-conversion", ""),
            ("unit-conversion", "late"),
        ]
        assert app.at == after
        await app.press("c")
        await app.type("thisone")
        await app.press("enter")
        assert "recorded the comment" in app.said and "thisone" in app.scores


async def test_a_comment_later_on_is_on_the_current_record(results):
    async with reviewing(results) as app:
        for keys in (("]", "["), ("tab",), ("u", "]")):
            await app.press("4", *keys)
            here = app.at
            await app.press("c")
            assert here in app.screen.comment_input.placeholder and "just now" not in app.said, keys
            await app.press("escape")
            await take_back(app)


async def test_a_comment_on_a_decided_record_is_recorded_at_once(results):
    async with reviewing(results) as app:
        await app.press("4", "[", "c")
        await app.type("twice")
        await app.press("enter")
        assert "recorded the comment on unit-conversion" in app.said
        assert (app.log[-1].verdict, app.log[-1].comment) == (Verdict.FLAKY, "twice")
        assert app.at == "unit-conversion"
        await app.press("1", "[", "u")
        assert "took back model-wrong of unit-conversion, which is flaky again" in app.said
        await app.press("u")
        assert "took back the comment on unit-conversion, which stays flaky" in app.said
        await app.press("u")
        assert "took back flaky of unit-conversion" in app.said and "which" not in app.said


async def test_another_verdict_keeps_the_comment_and_says_so(results):
    async with reviewing(results) as app:
        await app.press("1", "[", "c")
        await app.type("cut short")
        await app.press("enter", "4")
        assert "recorded flaky for unit-conversion; your comment stays" in app.said
        assert (app.log[-1].verdict, app.log[-1].comment) == (Verdict.FLAKY, "cut short")


async def test_a_verdict_is_given_by_a_click_and_not_when_the_log_cannot_be_written(results):
    async with reviewing(results) as app:
        at = app.verdicts.index("6 skip") + 1
        await app.pilot.click(app.screen.verdict_bar, offset=(at, 0))
        await app.rested()
        assert app.log[-1].verdict is Verdict.SKIP
        await take_back(app)

        await app.press("f")
        await app.over(Pick)
        await app.type("unreviewed")
        await app.press("enter")
        await app.back()
        await app.press("1")
        assert app.queue == FAILED[1:], "the filter of unreviewed records is worked through"
        assert app.at == "refund-policy"

        app.screen.review.log._real_path = results.parent / "nowhere" / "x.reviews.jsonl"
        await app.press("1")
        assert "No such file or directory" in app.said
        assert app.at == "refund-policy"
        assert app.screen.review.item.verdict is None


async def test_keys_typed_ahead_of_a_question_decide_nothing(results, hello):
    async with reviewing(results, hello) as app:
        await app.press("2", "1", "3")
        await app.rested()
        assert [one.verdict for one in app.log] == [Verdict.EXPECTED_WRONG]
