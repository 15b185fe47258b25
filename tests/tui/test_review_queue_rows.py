"""The queue of a review, cell by cell: a column more or a mark less is another row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sampleui.review.baseline import Compared, Trend
from sampleui.review.filters import QueueItem
from sampleui.review.queue import items_of
from sampleui.review.results.file import open_results
from sampleui.review.verdict import Decision, LogAction, RecordView, Verdict
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.rows.queue import queue_row, verdict_mark

from .driver import drawn_lines
from .review_driver import reviewing, write_results

TOOK = {
    "cost_usd": 0.5,
    "duration_ms": 900,
    "token_usage": {"input": 7, "output": 3},
    "timestamp": "2026-01-02T03:04:05Z",
}
FAILED = {"test_id": "a", "score": 0.25, "output": "x", "target": "gpt", "tags": ["t"], "suite": "s", **TOOK}
"""A record that says all that a list may tell, so that a column more is seen here."""
PROPOSED = Decision(
    reviewer="agent:bot", record="", record_id="a", sample="a", kind=LogAction.PROPOSE, verdict=Verdict.FLAKY
)


def item_of(folder: Path, row: dict[str, Any]) -> QueueItem:
    [item] = items_of(open_results(write_results(folder / "r.jsonl", [row])).indexed().entries, lambda _: None)
    return item


def compared(trend: Trend) -> Compared:
    return Compared(trend, None, None, None)


@pytest.mark.parametrize(
    ("row", "options", "drawn"),
    [
        (FAILED, {}, "✖ · a gpt                        0.25 "),
        ({**FAILED, "score": 1.0}, {}, "✓ · a gpt                           1 "),
        ({"test_id": "a", "output": "x"}, {}, "– · a                               – "),
        ({"test_id": "a", "error": "too late"}, {}, "! · a  too late                 error "),
        (FAILED, {"marked": True}, "* ✖ · a gpt                      0.25 "),
        (FAILED, {"compared": compared(Trend.WORSE)}, "✖ · ▼ a gpt                      0.25 "),
        (FAILED, {"compared": compared(Trend.BETTER)}, "✖ · ▲ a gpt                      0.25 "),
        (FAILED, {"compared": compared(Trend.SAME)}, "✖ · = a gpt                      0.25 "),
        (FAILED, {"unjoined": True}, "✖ · a no sample gpt              0.25 "),
        (FAILED, {"outside": True}, "✖ · a not in the filter gpt      0.25 "),
        (FAILED, {"target": "prompt 2"}, "✖ · a prompt 2                   0.25 "),
        (FAILED, {"group": "gpt"}, "gpt         ✖ · a                0.25 "),
    ],
)
def test_a_record_has_these_signs_and_no_others(tmp_path, row, options, drawn):
    assert row_text(queue_row(item_of(tmp_path, row), 38, targets=True, **options)) == drawn


def test_records_alike_stand_under_one_that_is_opened(tmp_path):
    item = item_of(tmp_path, FAILED)
    alike = [item._replace(entry=replace(item.entry, index=index)) for index in range(2)]
    rows = [(alike[0], False), (alike[0], True), (alike[1], True)]
    assert [row_text(queue_row(item, 28, like=alike, is_open=is_open)) for item, is_open in rows] == [
        "✖ · ▸2 a               0.25 ",
        "✖ · ▾2 a               0.25 ",
        "✖ · ╎ a                0.25 ",
    ]


@pytest.mark.parametrize(
    ("changes", "mark"),
    [
        ({}, "· "),
        ({"verdict": Verdict.OK}, "5 "),
        ({"verdict": Verdict.OK, "stale": True}, "5~"),
        ({"verdict": Verdict.OK, "carried": True}, "5↩"),
        ({"verdict": Verdict.OK, "adjudicated": True}, "5="),
        ({"verdict": Verdict.OK, "view": RecordView(disputed=True)}, "5≠"),
        ({"view": RecordView(disputed=True)}, "·≠"),
        ({"view": RecordView(waiting=(PROPOSED, replace(PROPOSED, verdict=None)))}, "4?"),
        ({"view": RecordView(waiting=(replace(PROPOSED, verdict=None),))}, "·?"),
    ],
)
def test_what_was_decided_of_a_record_has_its_mark(tmp_path, changes, mark):
    item = item_of(tmp_path, FAILED)._replace(**changes)
    assert verdict_mark(item)[1] == mark
    assert row_text(queue_row(item, 38)) == f"✖ {mark}a                            0.25 "


async def test_the_queue_on_the_screen_has_these_cells_and_no_others(tmp_path):
    rows = [{**FAILED, "test_id": name, "score": score} for name, score in (("a", 0.25), ("b", 0.5), ("c", 1.0))]
    async with reviewing(write_results(tmp_path / "r.jsonl", rows), everything=True) as app:
        await app.press("1")
        assert [line[:31] for line in drawn_lines(app.screen)[2:6]] == [
            "│  ✖ 1 a                0.25  │",
            "│ ›✖ · b                 0.5  │",
            "│  ✓ · c                   1  │",
            "│                             │",
        ]
