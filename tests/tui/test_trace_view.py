"""The trace screen as it is used."""

from __future__ import annotations

import json

import pyperclip
import pytest

from sampleui.runs.records import open_run
from sampleui.settings.options import Settings
from sampleui.tui.commands import UNBOUND_S
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.drawing.screen_reader import plain_row
from sampleui.workspace.deck import open_deck

from .driver import DECKS
from .trace_driver import TRACES, results, shown


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_failing_call_and_its_input_are_found_within_five_keys(size):
    async with shown(open_run(TRACES), size) as app:
        assert len(app.screen.subject.trace.events) == 40
        keys = ["!"] if size[0] >= 100 else ["!", "enter"]
        await app.press(*keys)
        drawn = app.drawn()
        assert len(keys) <= 5
        assert "call run_tests" in drawn
        assert "FAILED" in drawn
        assert '"RATES_URL": "https://rates.internal.example/v1"' in drawn
        assert "TimeoutError" in drawn


async def test_a_filter_narrows_the_timeline_and_escape_ends_it():
    async with shown(open_run(TRACES)) as app:
        await app.press("f")
        await app.until_drawn("Show events")
        await app.press(*"tool: read_file", "enter")
        await app.until_drawn("6 of 40")
        state = app.screen.trace_view.state
        assert {state.row(place).tool for place in range(len(state.lines))} == {"read_file"}
        await app.press("escape")
        assert app.screen.trace_view.state.row(0).number == 1
        assert app.screen.trace_view.state.scope == range(40)


async def test_steps_go_to_calls_and_from_record_to_record():
    async with shown(open_run(TRACES)) as app:
        await app.press("t")
        assert app.detail[0] == "→ call list_dir"
        await app.press("right_square_bracket")
        assert app.screen.subject.record.id == "paris-weather"
        assert app.at == 1
        await app.press("!")
        assert "nothing failed here" in app.bar
        await app.press("left_square_bracket")
        assert app.screen.subject.record.id == "fix-nightly-build"


async def test_the_list_of_records_counts_events_and_failures():
    async with shown(open_run(TRACES)) as app:
        await app.until(lambda: row_text(app.screen.records.row(7, 30)).endswith("-"))
        rows = [row_text(app.screen.records.row(at, 30)) for at in range(8)]
        assert rows[0].startswith("✓ fix-nightly")
        assert "…large ✖1" in rows[0]
        assert rows[1].split() == ["✓", "paris-weather", "…small", "3"]
        assert rows[2].startswith("✖ laptop")
        assert rows[4].startswith("! book-a-table")
        assert rows[7].split()[-2:] == ["…small", "-"]
        read = [row_text(plain_row(app.screen.records.row(at, 30))).split()[0] for at in (0, 2, 4)]
        assert read == ["passed", "failed", "error"]


async def test_nothing_failed_is_said_of_a_record_that_passed_alone(tmp_path):
    trace = [{"type": "message", "text": "x", "metadata": {"role": "assistant"}}]
    run = results(
        tmp_path,
        {"test_id": "a", "score": 1, "trace": trace},
        {"test_id": "b", "score": 0.2, "trace": trace},
        {"test_id": "c", "error": "boom", "trace": trace},
        {"test_id": "d", "trace": trace},
        {"test_id": "e", "score": 1},
        {"test_id": "f", "score": 0, "trace": [{"type": "error", "text": "x"}]},
    )
    async with shown(run) as app:
        titles, refused = [], []
        for _ in range(6):
            titles.append(app.drawn().splitlines()[0].split("  ")[-1].strip())
            await app.press("!")
            refused.append("nothing failed" in app.bar)
            await app.press("right_square_bracket")
        assert titles == [
            "✓ nothing failed", "✖ failed", "! error", "– ungraded", "✓ passed, no trace", "✖ failed, ✖ 1 failed",
        ]  # fmt: skip
        assert refused == [True, False, False, False, False, False]


async def test_a_row_that_is_no_result_is_called_that(tmp_path):
    run = results(tmp_path, {"test_id": "a", "score": 1}, {"id": "b", "foo": 1})
    async with shown(run) as app:
        await app.until(lambda: "…" not in row_text(app.screen.records.row(1, 30)))
        assert "not a result" in row_text(app.screen.records.row(1, 30))
        assert "not a result" not in row_text(app.screen.records.row(0, 30))
        await app.press("right_square_bracket")
        assert app.drawn().splitlines()[0].rstrip().endswith("– not a result")


async def test_checks_and_golden_trajectories_of_the_deck():
    run = open_run(TRACES, open_deck(DECKS / "agents.yaml"))
    async with shown(run) as app:
        await app.press("p", "p")
        assert "✖ FAILED asks-nobody  any_order 0.50" in app.detail
        await app.press("g")
        assert "no golden trajectories" in app.bar
    run = open_run(TRACES, open_deck(DECKS / "agents.jsonl"))
    async with shown(run) as app:
        app.screen.records.cursor = run.find("book-a-table")
        await app.press("g")
        assert app.detail[0].startswith("golden 2 of 2, the closest · distance 0.5")
        await app.press("g")
        assert app.detail[0].startswith("golden 1 of 2 · ")


async def test_values_are_folded_and_shown_raw_or_as_markdown(tmp_path):
    record = {"id": "a", "trace": [{"type": "tool_call", "name": "x", "input": {"list": list(range(50))}}]}
    async with shown(results(tmp_path, record)) as app:
        assert app.screen.shown_panes()[0].scope == "timeline"
        assert any("… 42 more lines" in line for line in app.detail)
        await app.press("Z")
        assert not any("more" in line for line in app.detail)
        await app.press("Z")
        assert any("… 42 more lines" in line for line in app.detail)
        await app.press("Z")
        await app.press("v", "v")
        assert any(line.startswith('{"list": [0, 1, 2') for line in app.detail)


async def test_an_event_is_copied_and_opened_in_the_editor(tmp_path, monkeypatch):
    copied = []
    monkeypatch.setattr("pyperclip.copy", copied.append)
    async with shown(open_run(TRACES)) as app:
        await app.press("!", "y", "enter")
        call, result = json.loads(copied[0])
        assert (call["name"], result["is_error"]) == ("run_tests", True)
        given = []
        monkeypatch.setattr("sampleui.tui.trace.actions.edit_outside", lambda *args: given.append(args[2:]))
        await app.press("E")
        assert given == [(copied[0], "event.json")]


async def test_without_a_clipboard_an_event_is_copied_through_the_terminal(monkeypatch):
    def refuse(text: str) -> None:
        raise pyperclip.PyperclipException

    monkeypatch.setattr("pyperclip.copy", refuse)
    async with shown(open_run(TRACES)) as app:
        await app.press("t", "y", "enter")
        assert [event["type"] for event in json.loads(app.pilot.app.clipboard)] == ["tool_call", "tool_result"]
        assert "handed the event as JSON to the terminal, which does not say whether it took it" in app.bar


async def test_rebound_keys_and_unknown_ones():
    from sampleui.errors import SettingsError
    from sampleui.tui.app import check_bound_keys

    async with shown(open_run(TRACES), settings=Settings(keys={"trace.error": ("w",)})) as app:
        await app.press("!")
        assert app.at == 1
        app.screen.last_key -= UNBOUND_S  # as after a pause
        await app.press("w")
        assert app.at == 28
    with pytest.raises(SettingsError, match=r"trace\.error"):
        check_bound_keys(Settings(keys={"trace.eror": ("w",)}))
