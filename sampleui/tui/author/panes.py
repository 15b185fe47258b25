"""The panes of the author screen, and the space that each has."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from sampleui.settings.options import Settings
from sampleui.tui.author.problem_marks import ProblemMarks
from sampleui.tui.author.questions import AuthorQuestions
from sampleui.tui.author.widgets.find_bar import FindBar
from sampleui.tui.author.widgets.preview import Preview
from sampleui.tui.author.widgets.problem_list import ProblemList
from sampleui.tui.author.widgets.sample_list import SampleList
from sampleui.tui.pane_widths import resize
from sampleui.tui.screens.paned import Column, Pane
from sampleui.tui.widgets.conversation import Conversation
from sampleui.tui.widgets.filter_input import FilterInput

_LEAST = 24
"""Cells that the list of samples has at least."""


class AuthorRoom(AuthorQuestions):
    """Four panes: samples, conversation, preview, and problems below them.

    Attributes:
        wanted: how many cells the ids of the samples need.
    """

    problem_marks: ProblemMarks
    wanted: int = 0

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.sample_pane = Vertical(id="sample-pane")
        self.samples = SampleList(id="samples")
        self.filter = FilterInput("words, role:tool, tag:x, score<0, problem", id="filter")
        self.conversation = Conversation(id="turns")
        self.preview = Preview(id="preview")
        self.problem_list = ProblemList(id="problems")
        self.find_bar = FindBar(self.told_search, id="find")

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        yield self.title_bar
        yield self.tabs
        with Horizontal(id="panes", classes="pane-row"):
            with self.sample_pane:
                yield self.filter
                yield self.samples
            yield self.conversation
            yield self.preview
        yield self.problem_list
        yield self.find_bar
        yield self.message_line
        yield self.key_bar

    def panes(self) -> list[Pane]:
        """Return the four panes."""
        return [
            Pane("samples", "Samples", self.sample_pane, self.samples),
            Pane("turns", "Conversation", self.conversation, self.conversation),
            Pane("preview", "Preview", self.preview, self.preview.view),
            Pane("problems", "Problems", self.problem_list, self.problem_list),
        ]

    def columns(self) -> list[Column]:
        """Return the samples and the preview; the conversation takes what is left."""
        return [Column("samples", self.sample_pane, 22), Column("preview", self.preview, 39)]

    def fit(self) -> None:
        """Fit the panes; the list of samples is as wide as its ids, within limits, unless a width was chosen."""
        super().fit()
        free = self.has_class("narrow") or "samples" in self.widths
        least = None if free else max(_LEAST, min(self.wanted, self.app.size.width * 35 // 100))
        resize(self.sample_pane, "min_width", least)

    def shown_panes(self) -> list[Pane]:
        """Return the panes, without the problems if there are none."""
        return self.panes() if self.problem_marks.in_pane else self.panes()[:-1]
