"""The scores pane."""

from __future__ import annotations

from typing import ClassVar

from sampleui.tui.widgets.text_view import TextView


class ScoreView(TextView):
    """How an answer was graded, and what reviewers said of it."""

    scope: ClassVar[str] = "scores"
