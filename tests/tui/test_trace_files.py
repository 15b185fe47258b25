"""Files of all kinds in the trace screen: those of the corpus, and broken and hostile ones."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sampleui.runs.records import open_run

from .driver import ROOT
from .trace_driver import TRACES, results, shown

CORPUS = Path(os.environ.get("SAMPLEUI_CORPUS") or ROOT.parent / "shared" / "corpus")


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
            assert "nothing failed" not in app.drawn()
            rules.append(app.detail[0].split()[1])
            await app.press("right_square_bracket")
        assert rules == [f"trace-ref-{why}" for why in ("not-found", "cyclic", "invalid", "outside-root")]


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


async def test_a_record_without_a_trace_shows_its_response():
    run = open_run(TRACES)
    async with shown(run) as app:
        app.screen.records.cursor = run.find("capital-of-france")
        await app.rested()
        assert app.screen.trace_view.detail.tab == "Response"
        assert "A fact, no tool is needed." in app.detail
        assert app.drawn().splitlines()[0].rstrip().endswith("no trace")


def counted_calls(record) -> int:
    """Count the tool calls of a record, wherever in it they are listed."""
    if isinstance(record, list):
        return sum(map(counted_calls, record))
    if not isinstance(record, dict):
        return 0
    listed = record.get("tool_calls", record.get("toolCalls", [])) if "role" in record else []
    events = [record] if record.get("type") == "tool_call" else []
    keys = ("output_messages", "outputMessages", "output", "messages", "events", "trace")
    return len(listed or []) + len(events) + next((n for key in keys if (n := counted_calls(record.get(key)))), 0)


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
        assert path.name[:24] in app.drawn(), "the name of the file gives way to the id"
