"""The parts of the review screen that its first frame does without, except for the panes that it mounts later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.review.boxes import CommentInput, RecordSearch
from sampleui.tui.review.deciding import Deciding
from sampleui.tui.review.feed import Feed
from sampleui.tui.review.fixing import Fixing
from sampleui.tui.review.growth import RunWatch
from sampleui.tui.review.narrowing import Narrowing

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen


class ReviewParts:
    """The parts of a review screen that are made when the first of them is asked for.

    Attributes:
        fixing: the deck, as it is edited from the review.
        feed: what is read and looked for in the background.
        deciding: the verdicts, comments and proposals.
        run_watch: follows the run as it grows.
        narrowing: filters, order, random samples and the search.
        search_input: what records are searched for.
        comment_input: a comment.
    """

    def __init__(self, screen: ReviewScreen) -> None:
        self.fixing = Fixing(screen)
        self.feed = Feed(screen)
        self.deciding = Deciding(screen)
        self.run_watch = RunWatch(screen)
        self.narrowing = Narrowing(screen)
        self.search_input = RecordSearch()
        self.comment_input = CommentInput()

    def fix_another_run(self, screen: ReviewScreen) -> None:
        """Begin to edit the deck of another run."""
        self.fixing = Fixing(screen)
