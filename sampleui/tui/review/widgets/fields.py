"""The fields of a review: what records are searched for, and a comment on one."""

from __future__ import annotations

from typing import ClassVar

from textual.message import Message
from textual.widgets import Input

from sampleui.text.visible import one_line
from sampleui.tui.commands import COMMENT
from sampleui.tui.widgets.filter_input import FilterInput


class RecordSearch(FilterInput):
    """The field for what to search in all texts of the records."""

    settle: ClassVar[float] = 0.12

    def __init__(self) -> None:
        super().__init__("words, or verdict:none, target:x, score<0.5, role:tool", id="review-search")


class CommentInput(Input):
    """The field for a comment, hidden until it is opened.

    Attributes:
        about: the index of the record that is commented on.
    """

    scope: ClassVar[str] = COMMENT

    DEFAULT_CSS = """
    CommentInput { display: none; border: none; height: 1; padding: 0 1; background: $panel; }
    CommentInput:focus { border: none; }
    """

    class Written(Message):
        """The field was left; `text` is None when it was dropped."""

        def __init__(self, text: str | None) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__(id="comment", select_on_focus=False)
        self.about = 0

    def open(self, text: str, about: int, name: str) -> None:
        """Show the field with a text to go on from, about a record by its index, which has a name."""
        self.about = about
        self.placeholder = f"why {one_line(name)}? Enter keeps it, Escape drops it"
        self.value = text
        self.cursor_position = len(text)
        self.display = True
        self.screen.set_focus(self)

    def leave(self, *, keep: bool) -> None:
        """Leave the field."""
        self.display = False
        self.post_message(self.Written(self.value.strip() if keep else None))
