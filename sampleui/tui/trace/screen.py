"""The trace screen: the records of a results file, and the trace of one of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal

from sampleui.runs.records import Run, Subject
from sampleui.settings.options import Settings
from sampleui.text.visible import one_line
from sampleui.tui.commands import Command, ScreenKind
from sampleui.tui.screens.paned import Column, Pane, PanedScreen
from sampleui.tui.trace.rows import outcome_words
from sampleui.tui.trace.widgets.records import TraceRecords
from sampleui.tui.trace.widgets.trace_view import TraceView
from sampleui.tui.widgets.bars import Title
from sampleui.tui.widgets.virtual_list import VirtualList

_OF_DETAIL = frozenset(
    f"trace.{name}" for name in ("mode", "fold", "tab", "tab-before", "golden", "scroll-down", "scroll-up")
)
"""Commands whose effect is to be seen in the detail alone."""

_TARGET = 20
"""Cells that a target has in the title."""


class TraceScreen(PanedScreen):
    """Shows what the runs of one results file did."""

    kind = ScreenKind.TRACE
    kept_as = "trace"
    home = "timeline"
    # Not CSS_PATH, which Textual reads for screens that are pushed and not for the first one.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS: ClassVar[str | None] = "#timeline"

    def __init__(self, run: Run, settings: Settings, index: int = 0) -> None:
        super().__init__(settings)
        self.run = run
        self.index = index
        self.records = TraceRecords(run, id="records")
        self.trace_view = TraceView(id="trace")

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        yield self.title_bar
        yield self.tabs
        with Horizontal(id="panes"):
            yield self.records
            yield self.trace_view
        yield self.message_line
        yield self.key_bar

    def on_mount(self) -> None:
        """Name the panes and show the first record."""
        self.name_panes()
        self.records.reload(self.index)
        self.show_record(self.index)
        if self.run.broken:
            self.complain(self.run.broken[0])

    @property
    def subject(self) -> Subject:
        """The record shown."""
        assert self.trace_view.subject is not None
        return self.trace_view.subject

    def show_record(self, index: int) -> None:
        """Show another record."""
        self.index = index
        subject = self.run.subject(index)
        self.trace_view.show(subject)
        self.records.know(index, subject.trace)
        self.title_bar.show(self._title(subject))
        self.show_keys()

    def _title(self, subject: Subject) -> Title:
        target = self.records.target_words(subject.entry, _TARGET) if self.records.several_targets else ""
        facts = f" · {target}" if target else ""
        decks = self.run.decks
        more = f" and {len(decks) - 1} more" if len(decks) > 1 else ""
        deck = f"trace · {decks[0].path.name}{more}" if decks else "trace"
        return Title(
            self.run.path.name,
            deck,
            f"{self.index + 1}/{len(self.run.records)}",
            problems=outcome_words(subject),
            subject=one_line(subject.record.id, 80),
            facts=facts,
        )

    def run_command(self, command: Command[Any]) -> None:
        """Run a command; one of the detail goes there where the timeline has the whole screen."""
        done = not command.needs(self)
        super().run_command(command)
        if done and command.id in _OF_DETAIL and self.has_class("narrow") and self.scope == "timeline":
            self.go_to_pane("detail")

    # Panes

    def panes(self) -> list[Pane]:
        """Return the records, the timeline and the detail."""
        return [Pane("records", "Records", self.records, self.records), *self.trace_view.panes()]

    def columns(self) -> list[Column]:
        """Return the records; the trace takes what is left."""
        return [Column("records", self.records, 24)]

    def shown_panes(self) -> list[Pane]:
        """Return the panes, without the records if there is only one."""
        return self.panes() if len(self.run.records) > 1 else self.panes()[1:]

    def fit(self) -> None:
        """Fit the panes; the trace goes with its panes."""
        super().fit()
        self.trace_view.set_class(self.has_class("narrow") and self.scope == "records", "away")

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        """Show the record that the cursor went to."""
        if message.control is self.records and self.records.cursor != self.index:
            self.show_record(self.records.cursor)

    def on_virtual_list_chosen(self, message: VirtualList.Chosen) -> None:
        """Go to the timeline of a record."""
        if message.control is self.records:
            self.trace_view.timeline.focus()
