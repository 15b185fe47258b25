"""The parts of the author screen that its first frame does without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.author.comparing import Comparing
from sampleui.tui.author.disk import FileWatch
from sampleui.tui.author.editing import Editing
from sampleui.tui.author.problem_marks import ProblemMarks
from sampleui.tui.author.repeating import Repeating
from sampleui.tui.author.search import FormerPlaces, Seeking
from sampleui.tui.widgets.filter_input import FilterInput

if TYPE_CHECKING:
    from sampleui.tui.author.filtering import SampleFilter
    from sampleui.tui.author.screen import AuthorScreen


class AuthorParts:
    """The parts of an author screen that are made when the first of them is asked for.

    Attributes:
        filter: the field that narrows the samples.
        comparing: the base that the deck is compared with.
        problem_marks: the problems, as the screen shows them.
        places: the places that one can go back to.
        repeating: the last edit, which can be repeated.
        seeking: the search through the deck.
        editing: the editor of the value under the cursor.
        file_watch: watches the files of the deck on the disk.
    """

    def __init__(self, screen: AuthorScreen, narrowing: SampleFilter) -> None:
        self.filter = FilterInput("words, role:tool, tag:x, score<0, problem", id="filter")
        self.comparing = Comparing(lambda: screen.session.deck.files)
        self.problem_marks = ProblemMarks(screen, narrowing)
        self.places = FormerPlaces()
        self.repeating = Repeating(screen)
        self.seeking = Seeking(screen, narrowing, self.places)
        self.editing = Editing(screen, self.repeating, self.problem_marks)
        self.file_watch = FileWatch(screen)
