"""Sub-agents and stretches of calls on the screen: folded, gone through, and alone."""

from __future__ import annotations

import json

import pytest

from tests.trace.test_nesting import call, said
from tests.trace.test_tree import by, research

from .review_driver import reviewing, write_results
from .test_review_trace_keys import at as to_pane
from .trace_driver import Shown, results, shown

SIZES = [(80, 24), (120, 40)]
EVENTS = [by("user", "begin"), *research(1), *research(2), by("assistant", "both are found")]


def timeline_of(app: Shown) -> list[str]:
    """Return the lines of the timeline as they are drawn, without what is beside it."""
    view = app.screen.trace_view.timeline
    return ["".join(text for _, text in view.row(at, 78)).rstrip() for at in range(view.count())]


@pytest.mark.parametrize("size", SIZES)
async def test_a_sub_agent_is_one_row_with_its_name_task_calls_failures_last_words_and_time(tmp_path, size):
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS}), size) as app:
        row = timeline_of(app)[2]
        for words in ("▸ ◆ researcher", "4 calls", "✖1", "find 1", "→ it is 1", "250ms"):
            assert words in row, words
        assert len(timeline_of(app)) == 8
        assert row[:40].rstrip() in app.drawn()


async def test_l_unfolds_h_folds_and_goes_to_the_parent_and_minus_folds_a_level(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS})) as app:
        await app.press("j", "j", "l")
        assert any("▾ ◆ researcher" in line for line in timeline_of(app)) and len(timeline_of(app)) == 12
        assert any("│▸ → 3 calls went well: search 3" in line for line in timeline_of(app))
        await app.press("l")
        assert app.at == 3 and "researcher user" in timeline_of(app)[3]
        await app.press("h")
        assert app.screen.trace_view.part is not None and app.screen.trace_view.part.is_open
        await app.press("h", "h")
        assert len(timeline_of(app)) == 8 and app.at == 2
        await app.press("h")
        assert "this is the outermost level" in app.bar
        await app.press("l")
        assert "nothing is folded here" in app.bar
        await app.press("!", "t", "minus")
        assert len(timeline_of(app)) == 8
        await app.press("minus")
        assert "every level is folded" in app.bar


async def test_what_failed_what_was_called_and_what_is_found_is_unfolded(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS})) as app:
        await app.press("!")
        assert app.at == 7 and "index is down" in app.drawn()
        await app.press("!")
        assert app.at == 15
        await app.press("minus", "home", "t", "t")
        assert app.at == 4
        await app.press("minus", "minus", "slash", *"find 2", "enter")
        assert app.at == 10
        await app.press("semicolon")
        assert app.at == 11


async def test_the_fold_is_kept_while_one_goes_to_another_record_and_back(tmp_path):
    run = results(tmp_path, {"id": "a", "trace": EVENTS}, {"id": "b", "trace": EVENTS})
    async with shown(run) as app:
        await app.press("j", "j", "l")
        await app.press("right_square_bracket")
        assert len(timeline_of(app)) == 8
        await app.press("left_square_bracket")
        assert len(timeline_of(app)) == 12


async def test_a_trace_that_grows_stays_where_it_was_folded_zoomed_and_read(tmp_path):
    run = results(tmp_path, {"id": "a", "trace": EVENTS})
    late = [call("search", id="late", parent="r1", agent="helper"), *research(3), by("assistant", "and more")]
    async with shown(run) as app:
        view = app.screen.trace_view
        await app.press("j", "j", "j", "j", "j", "l", "j")
        assert app.at == 11
        view.show(results(tmp_path, {"id": "a", "trace": [*EVENTS, *late]}).subject(0), tmp_path)
        assert app.at == 11 and len(timeline_of(app)) > 12
        opened = [line for line in timeline_of(app) if "▾" in line]
        assert len(opened) == 1 and "find 2" in opened[0]
        await app.press("h", "h", "enter")
        assert "researcher · 6 of" in app.drawn()
        view.show(results(tmp_path, {"id": "a", "trace": [*EVENTS, *late, *research(4)]}).subject(0), tmp_path)
        assert app.at == 11 and view.state.row(0).number == 11
        await app.press("escape")
        assert "and more" in "\n".join(timeline_of(app))


async def test_a_sub_agent_alone_is_a_trace_of_its_own_and_escape_leaves_it(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS})) as app:
        await app.press("j", "j", "enter")
        drawn = app.drawn()
        assert "6 events · 4 tool calls" in drawn and "tools: search 4" in drawn and "researcher · 6 of 18" in drawn
        assert app.at == 3 and len(timeline_of(app)) == 4
        assert not any("researcher" in line for line in timeline_of(app))
        await app.press("!")
        assert app.at == 7
        await app.press("!")
        assert app.at == 7, "the failures of others are not here"
        await app.press("escape")
        assert len(timeline_of(app)) == 8 and "18 events" in app.drawn()


async def test_an_agent_is_filtered_by_and_named_on_its_rows(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS})) as app:
        await app.press("f", *"agent: researcher", "enter")
        await app.until_drawn("researcher · 12 of 18")
        assert all("researcher" in line for line in timeline_of(app))
        await app.press("escape", "f", *"agent: (the run", "enter")
        await app.until_drawn("(the run's own) · 6 of 18")


async def test_depth_is_seen_at_80_columns_without_a_staircase(tmp_path):
    entries = [call(id="0")]
    entries += [call(id=str(n), parent=str(n - 1), agent=f"agent-{n}") for n in range(1, 80)]
    async with shown(
        results(tmp_path, {"id": "a", "trace": [*entries, said("deep", parent="79")]}), (80, 24)
    ) as app:
        await app.press("slash", *"deep", "enter")
        assert "deep" in app.drawn(), "what was unfolded below the screen is gone to"
        lines = timeline_of(app)
        assert "79│" in next(line for line in lines if line.lstrip("✖ ").startswith("80 "))
        assert "││  ▾ ◆ agent-2" in "\n".join(lines)
        assert all(len(line) <= 78 for line in lines)


@pytest.mark.parametrize("size", SIZES)
async def test_the_keys_of_folding_are_those_of_the_trace_in_a_review_too(tmp_path, size):
    row = {"test_id": "a", "score": 0, "output": "x", "expected_output": "y", "trace": EVENTS}
    async with reviewing(write_results(tmp_path / "r.jsonl", [row]), size=size) as app:
        view = app.screen.trace_view
        await to_pane(app, "timeline")
        await app.press("j", "j", "l")
        assert len(view.state.lines) == 12
        await app.press("minus")
        assert len(view.state.lines) == 8
        await app.press("n")
        await app.until(lambda: len(app.pilot.app.screen_stack) > 1)


async def test_a_note_goes_to_its_event_whatever_hides_it(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS})) as app:
        view = app.screen.trace_view
        assert view.go_event(5) and app.at == 6
        await app.press("minus", "minus", "G", "k", "k", "k", "enter")
        assert app.at == 10, "the other sub-agent alone"
        assert view.go_event(3) and app.at == 4
        assert not view.go_event(99)


async def test_a_new_sample_is_made_of_what_a_sub_agent_did_up_to_the_event(tmp_path):
    deck = tmp_path / "deck.yaml"
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS})) as app:
        await app.press("j", "j", "enter", "!", "n")
        await app.until_drawn("into which deck")
        await app.press(*str(deck), "enter")
        await app.until_drawn("New sample from turns")
        await app.press("enter")
        await app.until(deck.exists)
    text = deck.read_text()
    assert "find 1" in text and "begin" not in text and "find 2" not in text and "it is 1" not in text


async def test_golden_trajectories_are_held_against_what_a_sub_agent_did(tmp_path):
    golden = [[{"role": "assistant", "tool_calls": [{"tool": "search", "input": {}}] * 4}]]
    record = {"id": "a", "trace": EVENTS, "golden_trajectories": golden}
    async with shown(results(tmp_path, record)) as app:
        await app.press("j", "j", "enter", "g")
        await app.until_drawn("distance 0 ")
        assert json.dumps(golden) and "golden 1 of 1" in app.drawn()


async def test_notes_stand_at_their_events_and_at_what_they_are_folded_in(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "trace": EVENTS})) as app:
        view = app.screen.trace_view
        view.annotate({6: ["✎ ann: why does it go on?"]})
        assert ["✎" in line for line in timeline_of(app)[:5]] == [False, False, True, False, False]
        assert view.go_event(6)
        await app.until_drawn("✎ ann: why does it go on?")
        assert [
            app.screen.trace_view.state.row(at).number for at, line in enumerate(timeline_of(app)) if "✎" in line
        ] == [7]
