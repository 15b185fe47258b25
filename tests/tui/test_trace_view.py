"""The trace screen as it is used."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from sampleui.promoting import promote, target_deck, turns_until
from sampleui.runs import Run, open_run
from sampleui.settings import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.rows import row_text
from sampleui.tui.screens.trace import TraceScreen
from sampleui.workspace import open_deck

from .driver import DECKS, ROOT, drawn_lines

TRACES = ROOT / "examples" / "results" / "traces.jsonl"
CORPUS = Path(os.environ.get("SAMPLEUI_CORPUS") or ROOT.parent / "shared" / "corpus")


class Shown:
    """A running trace screen."""

    def __init__(self, pilot: Pilot[int]) -> None:
        self.pilot = pilot

    @property
    def screen(self) -> TraceScreen:
        found = self.pilot.app.screen_stack[0]
        assert isinstance(found, TraceScreen)
        return found

    @property
    def detail(self) -> list[str]:
        rows = self.screen.trace_view.detail.view.rows
        return [row_text(rows[at]) for at in range(min(len(rows), 200))]

    @property
    def at(self) -> int:
        event = self.screen.trace_view.event
        assert event is not None
        return event.number

    @property
    def bar(self) -> str:
        return row_text(self.screen.key_bar.row(self.screen.size.width))

    def drawn(self) -> str:
        return "\n".join(drawn_lines(self.pilot.app.screen))

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.pilot.pause()

    async def until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + 4
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            await asyncio.sleep(0.02)
            await self.pilot.pause()

    async def until_drawn(self, text: str) -> None:
        await self.until(lambda: text in self.drawn())


@asynccontextmanager
async def shown(
    run: Run, size: tuple[int, int] = (120, 40), settings: Settings | None = None
) -> AsyncIterator[Shown]:
    chosen = settings or Settings()
    app = SampleUI(lambda: TraceScreen(run, chosen), chosen)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Shown(pilot)


def results(folder: Path, *records: object) -> Run:
    path = folder / "results.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return open_run(path)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_failing_call_and_its_input_are_found_within_five_keys(size):
    async with shown(open_run(TRACES), size) as app:
        assert len(app.screen.subject.trace.events) == 40
        keys = ["e"] if size[0] >= 100 else ["e", "enter"]
        await app.press(*keys)
        drawn = app.drawn()
        assert len(keys) <= 5
        assert "call run_tests" in drawn
        assert "FAILED" in drawn
        assert '"RATES_URL": "https://rates.internal.example/v1"' in drawn
        assert "TimeoutError" in drawn


async def test_a_search_finds_steps_and_marks():
    async with shown(open_run(TRACES)) as app:
        await app.press("slash", *"rates.py", "enter")
        await app.until_drawn("found")
        first = app.at
        assert any(("match", "rates.py") in row for row in app.screen.trace_view.detail.view.rows)
        await app.press("n")
        assert app.at > first
        await app.press("N")
        assert app.at == first
        await app.press("escape")
        assert "found" not in app.drawn()
        await app.press("n")
        assert "nothing is searched for" in app.bar


async def test_a_filter_narrows_the_timeline_and_escape_ends_it():
    async with shown(open_run(TRACES)) as app:
        await app.press("f")
        await app.until_drawn("Show events")
        await app.press(*"tool: read_file", "enter")
        await app.until_drawn("6 of 40")
        assert {row.tool for row in app.screen.trace_view.timeline.events} == {"read_file"}
        await app.press("escape")
        assert len(app.screen.trace_view.timeline.events) == 40


async def test_steps_go_to_calls_and_from_record_to_record():
    async with shown(open_run(TRACES)) as app:
        await app.press("t")
        assert app.detail[0] == "→ call list_dir"
        await app.press("right_square_bracket")
        assert app.screen.subject.record.id == "paris-weather"
        assert app.at == 1
        await app.press("e")
        assert "nothing failed here" in app.bar
        await app.press("left_square_bracket")
        assert app.screen.subject.record.id == "fix-nightly-build"


async def test_the_list_of_records_counts_events_and_failures():
    async with shown(open_run(TRACES)) as app:
        await app.until(lambda: "…" not in row_text(app.screen.records.row(7, 30)))
        rows = [row_text(app.screen.records.row(at, 30)) for at in range(8)]
        assert rows[0].startswith("✖ fix-nightly-build")
        assert rows[1].split() == ["paris-weather", "3"]
        assert rows[7].split() == ["capital-of-france", "-"]


async def test_a_record_without_a_trace_shows_its_response():
    run = open_run(TRACES)
    async with shown(run) as app:
        app.screen.records.cursor = run.find("capital-of-france")
        await app.pilot.pause()
        assert app.screen.trace_view.detail.tab == "Response"
        assert "A fact, no tool is needed." in app.detail


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
        await app.press("z")
        assert any("… 42 more" in line for line in app.detail)
        await app.press("z")
        assert not any("more" in line for line in app.detail)
        await app.press("v", "v")
        assert any(line.startswith('{"list": [0, 1, 2') for line in app.detail)


async def test_an_event_is_copied_and_opened_in_the_editor(tmp_path, monkeypatch):
    copied = []
    monkeypatch.setattr("pyperclip.copy", copied.append)
    async with shown(open_run(TRACES)) as app:
        await app.press("e", "y")
        call, result = json.loads(copied[0])
        assert (call["name"], result["is_error"]) == ("run_tests", True)
        given = []
        monkeypatch.setattr("sampleui.tui.outside.edit_outside", lambda *args: given.append(args[2:]))
        await app.press("E")
        assert given == [(copied[0], "event.json")]


async def test_problems_of_a_trace_ref_are_shown_in_the_view(tmp_path):
    (tmp_path / "cycle.json").write_text('{"trace_ref": "cycle.json"}')
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / ".git").mkdir()
    refs = ["missing.json", "cycle.json", "bad.json", "../../../etc/hostname"]
    run = results(tmp_path, *({"id": ref, "trace_ref": ref} for ref in refs))
    async with shown(run) as app:
        rules = []
        await app.press("p")
        for _ in refs:
            assert app.screen.trace_view.detail.tab == "Notes"
            assert "▲" in app.drawn().splitlines()[2]
            rules.append(app.detail[1].split()[0])
            await app.press("right_square_bracket")
        assert rules[:3] == ["trace-ref-not-found", "trace-ref-cyclic", "trace-ref-invalid"]
        assert rules[3] in ("trace-ref-outside-root", "trace-ref-not-found")


async def test_outputs_of_megabytes_open_at_once_and_only_what_is_in_view_is_drawn(tmp_path):
    output = "a line of output with some words\n" * 150_000
    events = [
        event
        for number in range(4)
        for event in (
            {"type": "tool_call", "id": number, "name": "read", "input": {"n": number}},
            {"type": "tool_result", "id": number, "output": f"{output}needle {number}"},
        )
    ]
    run = results(tmp_path, {"id": "large", "trace": events})
    started = time.perf_counter()
    async with shown(run) as app:
        await app.press("t")
        assert time.perf_counter() - started < 2
        view = app.screen.trace_view.detail.view
        assert len(view.rows) > 150_000
        drawn = []
        before = view.render_line
        view.render_line = lambda y: drawn.append(y) or before(y)
        await app.press("tab", "j")
        assert 0 < len(drawn) <= 4 * view.size.height
        await app.press("shift+tab", "slash", *"needle 2")
        await app.until_drawn("needle 2")


async def test_rebound_keys_and_unknown_ones():
    from sampleui.errors import SettingsError
    from sampleui.tui.opening import check_bound_keys

    async with shown(open_run(TRACES), settings=Settings(keys={"trace.error": ("w",)})) as app:
        await app.press("e")
        assert app.at == 1
        await app.press("w")
        assert app.at == 28
    with pytest.raises(SettingsError, match=r"trace\.error"):
        check_bound_keys(Settings(keys={"trace.eror": ("w",)}))


async def test_turns_become_a_sample_that_is_shown_before_it_is_written(tmp_path):
    deck = tmp_path / "new.toml"
    deck.write_text('# kept\n[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "hi" }]\n')
    before = deck.read_text()
    question = {"role": "user", "content": "What is up?"}
    answers = [{"role": "assistant", "content": text} for text in ("This.", "And that.")]
    run = results(tmp_path, {"id": "a", "input": [question], "output_messages": answers})
    async with shown(run) as app:
        await app.press("P")
        await app.until_drawn("into which deck")
        await app.press(*"new.toml", "enter")
        await app.until_drawn("New sample from turns 1 to 2 of 3")
        drawn = app.drawn()
        assert "What is up?" in drawn
        assert '+id = "a-2"' in drawn
        assert deck.read_text() == before
        await app.press("plus")
        assert "turns 1 to 3 of 3" in app.drawn()
        await app.press("minus", "enter")
        await app.until_drawn("a-2 is written to new.toml")
    written = open_deck(deck)
    assert deck.read_text().startswith(before)
    assert written.samples[1].messages == [question, answers[0]]


async def test_leaving_the_preview_writes_nothing(tmp_path):
    run = results(tmp_path, {"id": "a", "output_messages": [{"role": "assistant", "content": "x"}]})
    async with shown(run) as app:
        await app.press("P")
        await app.until_drawn("into which deck")
        await app.press(*"other.toml", "enter")
        await app.until_drawn("New sample")
        await app.press("escape")
        assert not (tmp_path / "other.toml").exists()
        await app.press("q")
        assert app.pilot.app.return_code == 0


def test_the_turns_that_lead_up_to_an_event():
    run = open_run(TRACES, open_deck(DECKS / "agents.yaml"))
    paris = run.subject(run.find("paris-weather"))
    assert len(paris.turns()) == 5
    assert [turns_until(paris, event) for event in range(3)] == [3, 4, 5]
    table = run.subject(run.find("book-a-table"))
    assert [turns_until(table, event) for event in range(6)] == [1, 2, 3, 4, 4, 5]


def test_a_new_deck_is_made_in_the_form_its_name_says(tmp_path):
    turns = [{"role": "user", "content": "hi"}]
    for name in ("new.toml", "new.jsonl", "new.yaml"):
        made = promote(turns, 1, "fresh", target_deck(tmp_path / name))
        assert made.diff.startswith("--- /dev/null")
        made.save()
        assert open_deck(tmp_path / name).samples[0].messages == turns


def counted_calls(record) -> int:
    """Count the tool calls of a record, wherever in it they are listed."""
    if isinstance(record, list):
        return sum(map(counted_calls, record))
    if not isinstance(record, dict):
        return 0
    listed = record.get("tool_calls", record.get("toolCalls", [])) if "role" in record else []
    events = [record] if record.get("type") == "tool_call" else []
    keys = ("output_messages", "outputMessages", "output", "messages", "events", "trace")
    return len(listed) + len(events) + next((n for key in keys if (n := counted_calls(record.get(key)))), 0)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus beside the checkout")
@pytest.mark.parametrize(
    "path",
    [*sorted((CORPUS / "results").glob("*")), *CORPUS.rglob("static-trace.json")],
    ids=lambda path: path.name,
)
async def test_every_file_of_the_corpus_opens_with_the_totals_of_an_independent_count(path):
    text = path.read_text()
    records = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
    async with shown(open_run(path), (80, 24)) as app:
        run = app.screen.run
        traces = [run.trace(index) for index in range(len(run.records))]
        assert [sum(trace.summary.tool_calls_by_name.values()) for trace in traces] == [
            counted_calls(record) for record in records
        ]
        await app.press("tab", "shift+tab")
        assert path.name in app.drawn()


async def test_in_a_narrow_terminal_a_match_deep_in_an_output_is_in_view(tmp_path):
    output = "\n".join(f"line {number}" for number in range(5000)) + "\nthe needle"
    record = {"id": "a", "trace": [{"type": "tool_call", "name": "x", "output": output}]}
    async with shown(results(tmp_path, record), (80, 24)) as app:
        await app.press("slash", *"needle", "enter", "enter")
        await app.until_drawn("the needle")


async def test_a_step_to_a_match_deep_in_an_output_brings_it_into_view(tmp_path):
    output = "\n".join(f"line {number}" for number in range(300))
    events = [{"type": "tool_call", "name": "x", "output": f"{output}\nneedle {number}"} for number in range(3)]
    async with shown(results(tmp_path, {"id": "a", "trace": events})) as app:
        await app.press("slash", *"needle", "enter")
        for number in (0, 1, 2, 0):
            await app.until_drawn(f"needle {number}")
            await app.press("n")


async def test_a_record_that_says_nothing_makes_no_sample(tmp_path):
    async with shown(results(tmp_path, {"id": "a", "score": 1})) as app:
        await app.press("P")
        await app.until_drawn("says nothing that a sample could be made of")


async def test_hostile_data_is_shown_literally(tmp_path):
    record = {
        "id": "[b]\x1b]0;x\x07",
        "trace": [{"type": "tool_call", "name": "\x1b[2J[/]", "input": {"[@click=app.quit]": "\x1b[31m"}}],
        "text": "[INST] \x9b",
    }
    async with shown(results(tmp_path, record, record)) as app:
        drawn = app.drawn()
        assert "[/]" in drawn
        assert "[@click=app.quit]" in drawn
        assert "\x1b" not in drawn
        await app.press("p")
        assert any("[INST]" in line for line in app.detail)


async def test_of_many_events_only_those_in_view_are_made_to_rows(tmp_path, monkeypatch):
    from sampleui.tui.widgets import timeline

    made = []
    before = timeline.event_row
    monkeypatch.setattr(timeline, "event_row", lambda row, *rest: made.append(row.number) or before(row, *rest))
    events = [
        {"type": "tool_call", "name": "x", "input": {"n": number}, "output": number} for number in range(20_000)
    ]
    async with shown(results(tmp_path, {"id": "a", "trace": events})) as app:
        await app.press("G", "k", "pageup", "home")
        assert app.at == 1
        assert len(set(made)) < 100
        assert {1, 20_000} <= set(made)
