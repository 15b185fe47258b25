"""The answer that a sample is fixed for: what it failed, and what the sample says about it while it is edited."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sampleui.review.record import Record, passed
from sampleui.review.results.file import Results
from sampleui.runs.regrading import regraded
from sampleui.sample.model import Sample
from sampleui.tui.drawing.room import Room
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.answer import diff_view
from sampleui.tui.review.shown import Shown, wanted


class Answered(NamedTuple):
    """A recorded answer, beside a sample that is being edited."""

    results: Results
    record: Record
    fail_under: float | None = None

    def said(self, sample: Sample) -> tuple[str, str]:
        """Return what the sample's assertions say of the answer now, in one line, and the name of its style."""
        now = regraded(self.results, self.record, sample, self.fail_under)
        certain = now.passes is False or not now.open
        style = {True: "added", False: "error", None: "muted"}[now.passes if certain else None]
        return now.words(passed(self.record, self.fail_under)), style

    def rows(self, sample: Sample, room: Room) -> list[Row]:
        """Return that, the checks that failed in the run, and the answer against what the sample expects now."""
        line, style = self.said(sample)
        sign = {"error": "✖ ", "added": "✓ "}.get(style, "· ")
        rows = [*text_rows(sign + line, f"{style}-bold", room.width), (("text", ""),)]
        for missed in dict.fromkeys(self._missed()):
            rows += text_rows(f"✖ in the run: {missed}", "error", room.width)
        expected, criteria, any_of = wanted(sample, self.record)
        shown = Shown(
            record=self.record,
            sample=sample,
            expected=expected,
            any_of=any_of,
            criteria=criteria,
            fail_under=self.fail_under,
        )
        return [*rows, *diff_view(shown, room)]

    def _missed(self) -> Iterator[str]:
        yield from self.record.misses
        for evaluator in self.record.evaluators:
            yield from (item.text for item in evaluator.assertions if item.passed is False)
