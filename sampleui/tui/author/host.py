"""The author screen, as its parts know it."""

from __future__ import annotations

from sampleui.deck.history import Focus
from sampleui.formats.data import DataPath
from sampleui.sample.model import Sample
from sampleui.tui.author.comparing import Comparing
from sampleui.tui.author.session import Session
from sampleui.tui.author.widgets.find_bar import FindBar
from sampleui.tui.author.widgets.preview import Preview
from sampleui.tui.author.widgets.problem_list import ProblemList
from sampleui.tui.author.widgets.sample_list import SampleList
from sampleui.tui.screens.paned import PanedScreen
from sampleui.tui.widgets.conversation import Conversation
from sampleui.tui.widgets.filter_input import FilterInput


class AuthorHost(PanedScreen):
    """What the parts of the author screen share: its panes, the current place in the deck, and how that is shown.

    Attributes:
        session: the deck and its history.
        index: the current sample, by its place in the deck; below 0 for what is beside the samples.
        comparing: what of the deck differs from the file on disk, or from what git has.
    """

    session: Session
    index: int
    comparing: Comparing
    samples: SampleList
    filter: FilterInput
    conversation: Conversation
    preview: Preview
    problem_list: ProblemList
    find_bar: FindBar

    @property
    def sample(self) -> Sample | None:
        """The current sample, as edited, or what is beside the samples; None if there is none to show."""
        raise NotImplementedError

    @property
    def here(self) -> Focus:
        """Where the cursor is."""
        raise NotImplementedError

    @property
    def typing(self) -> bool:
        """Whether a text is being edited."""
        raise NotImplementedError

    def leave_text(self, insist: bool = False) -> bool:
        """Take the text that is being edited; tell whether none is left. `insist` leaves one that is refused."""
        raise NotImplementedError

    def go(self, focus: Focus) -> None:
        """Go to a value of a sample."""
        raise NotImplementedError

    def unfold(self, path: DataPath) -> None:
        """Open every field around a path."""
        raise NotImplementedError

    def refresh_all(self, focus: Focus | None = None) -> None:
        """Show the deck as it is now, and, where it is given, another place in it, which no filter hides then."""
        raise NotImplementedError

    def show_samples(self) -> None:
        """Show the samples that the filter lets through, with the cursor on the current one."""
        raise NotImplementedError

    def show_sample(self, path: DataPath | None = None) -> None:
        """Show the current sample. The cursor goes to a path in it, or stays."""
        raise NotImplementedError

    def show_flags(self) -> None:
        """Show the notes beside the turns and fields."""
        raise NotImplementedError

    def show_preview(self, keep: bool = True) -> None:
        """Show what the current sample becomes."""
        raise NotImplementedError

    def known(self) -> tuple[str, str]:
        """Return what is known of where the cursor is, and the name of its style."""
        raise NotImplementedError
