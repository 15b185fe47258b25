"""Searching in a trace."""

from __future__ import annotations

from sampleui.runs.records import open_run

from .trace_driver import TRACES, results, shown


async def test_a_search_finds_steps_and_marks():
    async with shown(open_run(TRACES)) as app:
        await app.press("slash", *"rates.py", "enter")
        await app.until_drawn("found")
        first = app.at
        assert any(("match", "rates.py") in row for row in app.screen.trace_view.detail.view.rows)
        assert "; Next match  / Search" in app.bar
        await app.press("semicolon")
        assert app.at > first
        await app.press("comma")
        assert app.at == first
        await app.press("tab", "slash", *"zz", "escape")
        assert (app.screen.scope, app.at) == ("detail", first)
        await app.press("shift+tab", "slash", *"rates.py", "enter", "escape")
        assert "found" not in app.drawn()
        await app.press("semicolon")
        assert "nothing is searched for" in app.bar


async def test_in_a_narrow_terminal_a_match_deep_in_an_output_is_in_view(tmp_path):
    output = "\n".join(f"line {number}" for number in range(5000)) + "\nthe needle"
    record = {"id": "a", "trace": [{"type": "tool_call", "name": "x", "output": output}]}
    async with shown(results(tmp_path, record), (80, 24)) as app:
        await app.press("slash", *"needle", "enter", "enter")
        await app.until_drawn("the needle")
        await app.press("slash", "q")
        assert app.pilot.app.is_running and "needleq" in app.drawn()
        await app.press("ctrl+q")
        assert app.pilot.app._exit


async def test_a_step_to_a_match_deep_in_an_output_brings_it_into_view(tmp_path):
    output = "\n".join(f"line {number}" for number in range(300))
    events = [{"type": "tool_call", "name": "x", "output": f"{output}\nneedle {number}"} for number in range(3)]
    async with shown(results(tmp_path, {"id": "a", "trace": events})) as app:
        await app.press("slash", *"needle", "enter")
        for number in (0, 1, 2, 0):
            await app.until_drawn(f"needle {number}")
            await app.press("semicolon")


async def test_a_narrow_terminal_says_what_the_search_found_and_what_is_filtered():
    async with shown(open_run(TRACES), (80, 24)) as app:
        await app.press("v")
        assert app.screen.scope == "detail", "where it is to be seen"
        await app.press("escape", "slash", *"zzz", "enter")
        await app.until_drawn("0 found · 40")
        assert "; Next match" not in app.bar
        await app.press("escape", "f")
        await app.until_drawn("Show events")
        await app.press(*"tool: read_file", "enter")
        await app.until_drawn("read_file · 6 of 40")
        await app.press("escape")
        assert "of 40" not in app.drawn()
        await app.press("shift+tab")
        assert app.screen.scope == "records"
        await app.press("!")
        assert (app.screen.scope, app.at) == ("timeline", 28), "keys of the trace work from the records too"
