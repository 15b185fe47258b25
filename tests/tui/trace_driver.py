"""Runs the trace screen and reads what it shows."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from sampleui.runs.records import RunRecords, open_run
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.trace.screen import TraceScreen

from .driver import ROOT, drawn_lines, said, wait_until
from .pressing import press, rested

TRACES = ROOT / "examples" / "results" / "traces.jsonl"


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
        return said(self.screen) + "\n" + row_text(self.screen.key_bar.row(self.screen.size.width))

    def drawn(self) -> str:
        return "\n".join(drawn_lines(self.pilot.app.screen))

    async def press(self, *keys: str) -> None:
        await press(self.pilot.app, *keys)

    async def rested(self) -> None:
        await rested(self.pilot.app)

    async def until(self, condition: Callable[[], bool]) -> None:
        await wait_until(self.pilot, condition)

    async def until_drawn(self, text: str) -> None:
        await self.until(lambda: text in self.drawn())


@asynccontextmanager
async def shown(
    run: RunRecords, size: tuple[int, int] = (120, 40), settings: Settings | None = None
) -> AsyncIterator[Shown]:
    chosen = settings or Settings()
    app = SampleUI(lambda: TraceScreen(run, chosen), chosen)
    async with app.run_test(size=size) as pilot:
        await rested(app)
        yield Shown(pilot)


def results(folder: Path, *records: object) -> RunRecords:
    path = folder / "results.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return open_run(path)
