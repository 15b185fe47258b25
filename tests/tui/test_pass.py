"""A pass over codes: records labelled on a screen of its own, blind, in an order by chance."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sampleui.errors import ResultsError
from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.results.file import open_results
from sampleui.review.verdict import LabelValue, Verdict
from sampleui.settings.options import load_settings
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.passing.screen import PASS, PassScreen
from tests.review.build import comment_on, decide, drawn_labels

from .driver import said
from .pass_runs import RUNS, SECRETS, write_run
from .review_driver import ReviewDriver, reviewing

YES, NO, UNSURE = LabelValue.YES, LabelValue.NO, LabelValue.UNSURE


@asynccontextmanager
async def passing(
    path: Path, *, several: bool = False, size: tuple[int, int] = (120, 40), going_on: bool = False
) -> AsyncIterator[ReviewDriver]:
    """Run a review and begin a pass, over the first code or over all of them."""
    settings = load_settings(path.parent)
    async with reviewing(path, size=size, everything=True, settings=settings) as app:
        await app.press("L")
        await app.until(lambda: "A pass over" in app.drawn)
        assert ("go on:" in app.drawn) is going_on
        await app.press(*(["*"] if several else []), "enter")
        await app.over(PassScreen)
        yield app


def screen_of(app: ReviewDriver) -> PassScreen:
    screen = app.app.screen
    assert isinstance(screen, PassScreen)
    return screen


def id_of(app: ReviewDriver) -> str:
    screen = screen_of(app)
    return screen.review.results.entries[screen.state.index].id


def labels_in(path: Path) -> dict[tuple[str, str], LabelValue | None]:
    log = open_log(log_path(path))
    return {
        (item.record_id, str(item.code)): item.label
        for record in log.labelled
        for item in drawn_labels(log, record)
    }


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_pass_over_one_code_takes_a_key_a_record_and_ends_when_all_are_labelled(tmp_path, size):
    path = write_run(tmp_path, codes=1)
    async with passing(path, size=size) as app:
        given = {}
        for key, value in zip("156156", (YES, NO, UNSURE) * 2, strict=True):
            given[id_of(app), "fault 1"] = value
            await app.press(key)
        assert labels_in(path) == given
        assert "every record of the pass is labelled" in said(screen_of(app))
        await app.press("escape")
        await app.back()
        assert "6 read" in app.title
        await app.press("L")
        await app.until(lambda: "A pass over" in app.drawn)
        assert "go on" not in app.drawn and "ada 6" in app.drawn


async def test_several_codes_are_turned_by_their_numbers_and_taken_in_one_reading(tmp_path):
    path = write_run(tmp_path)
    async with passing(path, several=True) as app:
        first = id_of(app)
        await app.press("1", "3", "3", "enter")
        assert {code: value for (name, code), value in labels_in(path).items() if name == first} == {
            "fault 1": YES,
            "fault 2": NO,
            "fault 3": UNSURE,
        }
        await app.press("4")
        assert "over 3 codes" in said(screen_of(app))
        await app.press("u")
        assert labels_in(path) == {}, "what is said of a record is one step"
        assert id_of(app) == first
        await app.press("3", "enter")
        taken = {code: value for (name, code), value in labels_in(path).items() if name == first}
        assert taken == {"fault 1": YES, "fault 2": NO, "fault 3": NO}, "what was taken back stands to be mended"
        (drawn,) = open_log(log_path(path)).passes
        assert drawn.codes == ("fault 1", "fault 2", "fault 3") and drawn.design.seed
        assert len(drawn.records) == 6


async def test_what_was_turned_stays_where_one_goes_to_another_record_and_is_asked_about_at_the_end(tmp_path):
    path = write_run(tmp_path)
    async with passing(path, several=True) as app:
        await app.press("2", "]", "[")
        assert screen_of(app).state.shown["fault 2"] is YES and not labels_in(path)
        await app.press("]", "escape")
        await app.until(lambda: "not taken yet" in app.drawn)
        await app.press("t")
        await app.back()
        assert list(labels_in(path).values()).count(YES) == 1


async def test_a_pass_that_is_opened_again_goes_on_where_it_stopped_in_its_order(tmp_path):
    path = write_run(tmp_path, codes=1)
    async with passing(path) as app:
        order = [screen_of(app).review.results.entries[index].id for index in screen_of(app).state.order]
        await app.press("1", "5", "escape")
    async with passing(path, going_on=True) as app:
        assert id_of(app) == order[2] and "3/6 · 2 labelled" in app.drawn
        await app.press("6")
    assert [name for name, _ in labels_in(path)] and {name for name, _ in labels_in(path)} == set(order[:3])
    assert len(open_log(log_path(path)).passes) == 1


async def test_labels_of_an_old_definition_are_asked_for_first_and_those_of_the_present_stay(tmp_path):
    path = write_run(tmp_path, codes=1)
    async with passing(path) as app:
        order = list(screen_of(app).state.order)
        await app.press("]", "]", "1", "escape")
    (tmp_path / "failures.md").write_text("## fault 1\n\nThe answer has fault 1, or nearly.\n")
    async with passing(path, going_on=True) as app:
        state = screen_of(app).state
        assert state.index == order[2] and set(state.order) == set(order)
        assert not state.shown, "an old label is no answer"
        await app.press("5")
        assert state.order[1] == screen_of(app).state.index
    assert list(labels_in(path).values()).count(NO) == 1


async def test_codes_are_defined_anew_and_renamed_where_a_pass_asks_for_them(tmp_path):
    path = write_run(tmp_path, codes=2)
    async with passing(path) as app:
        await app.press("1", "5", "escape")
        await app.back()
        await app.press("L")
        await app.until(lambda: "ada 2" in app.drawn)
        await app.press("j", "e", "ctrl+u", *"Another.", "enter")
        await app.until(lambda: "2 by an older definition" in app.drawn)
        await app.press("r", "ctrl+u", *"first", "enter")
        await app.until(lambda: "first" in app.drawn and "A pass over" in app.drawn)
        assert "Formerly: fault 1" in (tmp_path / "failures.md").read_text()
        await app.press("enter")
        await app.over(PassScreen)
        assert screen_of(app).state.codes == ("first",) and "Another." in app.drawn
        await app.press("escape")
        await app.back()
        await app.press("L", "escape")
        await app.back()
        assert len(open_log(log_path(path)).passes) == 2, "a box that is left begins nothing"


async def test_a_pass_goes_through_the_records_of_a_random_sample_that_is_shown(tmp_path):
    path = write_run(tmp_path, count=20, codes=1)
    async with reviewing(path, everything=True) as app:
        await app.press("S", "ctrl+u", *"5", "tab", "ctrl+u", *"all", "enter")
        await app.until(lambda: "drew 5 of 20" in app.said)
        await app.press("L")
        await app.until(lambda: "the 5 drawn records" in app.drawn)
        await app.press("enter")
        await app.over(PassScreen)
        assert len(screen_of(app).state.order) == 5
    log = open_log(log_path(path))
    assert list(log.passes[0].records) == list(log.draws[0].records)


async def test_notes_are_written_in_a_pass_without_a_word_of_verdicts(tmp_path):
    path = write_run(tmp_path, codes=1)
    log = open_log(log_path(path))
    results = open_results(path).indexed()
    for entry in results.entries:
        decide(results, log, entry.id, Verdict.MODEL_WRONG, "ada", comment="said with a verdict")
    async with passing(path) as app:
        await app.press("c")
        assert screen_of(app).comment_input.value == "", "what went with a verdict is not shown"
        await app.press(*"> refund of", "right", "enter", *"too much", "enter")
        assert "too much" in app.drawn, "it is drawn where it was made"
        await app.press("u")
        assert "took back the note" in said(screen_of(app))
        await app.press("u")
        assert "nothing of this pass" in said(screen_of(app)), "a verdict is not taken back unseen"
    assert open_log(log_path(path)).standing_notes == ()


async def test_a_log_that_cannot_be_written_costs_no_label_and_keeps_the_record(tmp_path, monkeypatch):
    path = write_run(tmp_path)

    def refused(_log: Log, _lines: object) -> None:
        raise ResultsError("the decision was not recorded: no space left on device", path)

    async with passing(path, several=True) as app:
        first = id_of(app)
        await app.press("1")
        with monkeypatch.context() as broken:
            broken.setattr(Log, "append_all", refused)
            await app.press("enter")
        assert "not recorded" in said(screen_of(app)) and id_of(app) == first
        assert screen_of(app).state.shown["fault 1"] is YES
        await app.press("enter")
        assert labels_in(path)[first, "fault 1"] is YES


async def test_a_record_that_cannot_be_read_is_passed_over(tmp_path):
    path = write_run(tmp_path, codes=1)
    async with passing(path) as app:
        screen = screen_of(app)
        path.write_text("{}\n")
        await app.press("]", "1")
        assert "cannot be read" in app.drawn and not labels_in(path)
        assert "cannot be labelled" in said(screen)


# Blind

_KEYS = (
    *("1", "2", "3", "5", "6", "enter", "u", "]", "[", "z", "Z", "tab", "shift+tab", "j", "k", "G", "home"),
    *("pagedown", "l", "h", "y", "c", "/", "?", "escape", "A", "R", "f", "o", "m", "v", "p", "g", "T", "L", "#"),
    *(
        "N",
        "=",
        "W",
        "B",
        "I",
        "s",
        "M",
        "H",
        "D",
        "E",
        "V",
        "*",
        "space",
        "x",
        "e",
        "n",
        "t",
        "!",
        "ctrl+p",
        "ctrl+r",
    ),
)


def told(path: Path) -> None:
    """Let others say what may not be seen: a verdict, a note, a label, a proposal."""
    results, log = open_results(path).indexed(), open_log(log_path(path))
    for entry in results.entries:
        decide(results, log, entry.id, Verdict.GRADER_WRONG, "SEEN-PERSON", comment="SEEN-REASON")
        comment_on(results, log, entry.id, "SEEN-REASON", "SEEN-PERSON")
        comment_on(results, log, entry.id, "SEEN-REASON", "agent:SEEN-JUDGE")


def leaks(app: ReviewDriver) -> list[str]:
    """Return what the screen shows, and all that its panes hold, of what it may not."""
    screen = app.app.screen
    shown = app.drawn
    if isinstance(screen, PassScreen):
        views = (screen.answer.view, screen.codes, screen.trace_view.detail.view)
        shown += "\n".join(row_text(row) for view in views for row in view.rows)
        shown += repr(screen.shown.record)
    return [word for word in (*SECRETS, "0.123", "✖ failed", "✓ passed", "grader-wrong") if word in shown]


@pytest.mark.parametrize("kind", list(RUNS))
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_pass_is_blind_in_any_state_of_any_pane_after_any_key(tmp_path, kind, size):
    path = write_run(tmp_path, kind, 8)
    told(path)
    chance = random.Random(f"{kind}{size}")
    async with passing(path, several=True, size=size) as app:
        for _ in range(15):
            keys = chance.choices(_KEYS, k=4)
            for key in keys:
                if isinstance(app.app.screen, PassScreen):
                    if key == "escape" and screen_of(app).scope not in ("filter", "comment"):
                        continue
                    await app.press(key)
                    assert leaks(app) == [], (key, keys)
                else:
                    await app.press("escape")
                    await app.rested()


async def test_failures_of_calls_stay_and_expected_text_is_plain(tmp_path):
    path = write_run(tmp_path, "agentv", 3)
    async with passing(path, several=True) as app:
        assert "arrives on Tuesday" in app.drawn and "FAILED CALL" in app.drawn + "".join(
            row_text(row) for row in screen_of(app).trace_view.detail.view.rows
        )
        styles = {style for row in screen_of(app).answer.view.rows for style, _ in row}
        assert not styles & {"added", "removed", "gone", "come", "error", "error-bold", "added-bold"}


async def test_what_stands_among_judgements_is_shown_without_them(tmp_path):
    path = write_run(tmp_path, "nested", 3)
    async with passing(path) as app:
        await app.press("Z")
        assert "No refund after 14 days." in app.drawn and "Can I return" in app.drawn
        assert leaks(app) == []


async def test_a_quote_is_completed_from_what_is_shown_alone(tmp_path):
    path = write_run(tmp_path, "agentv", 4, codes=1)
    async with passing(path) as app:
        while id_of(app) != "case-3":
            await app.press("]")
        await app.press("c", *"> Order 3 is")
        assert not screen_of(app).comment_input._suggestion, "its answer is hidden, where there was an error"
        await app.press("enter")
        assert "does not say" in said(screen_of(app))
        await app.press("c", "ctrl+u", *"> Where", "right", "enter", *"there", "enter")
        assert "“Where is order 3?”" in said(screen_of(app))


def test_a_pass_has_no_other_keys() -> None:
    keys = {key for command in PASS for key in command.keys}
    asked_for = {*"123456789cu][/zZy", "enter", "escape"}
    moving = {*"jkhlG", "down", "up", "left", "right", "home", "end", "pagedown", "pageup", "ctrl+d", "ctrl+u"}
    assert keys - moving == {*asked_for, "tab", "shift+tab", "f6", "shift+f6", "?", "ctrl+c", "ctrl+z", "ctrl+q"}
    assert not [command.id for command in PASS if command.id.startswith(("proposal", "review.filter", "own."))]
