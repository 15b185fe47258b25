"""The widgets of the author screen: the list of samples, the preview, and the problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.content import Content

from sampleui.sample.model import Sample
from sampleui.sample.parse import title
from sampleui.text.diagnostic import Diagnostic
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import without_middle
from sampleui.tui.drawing.cards import CHANGED, severity_mark
from sampleui.tui.drawing.rows import Row, fitted, mark_sign, spread
from sampleui.tui.widgets.text_view import TabbedText, TextView
from sampleui.tui.widgets.virtual_list import VirtualList
from sampleui.workspace.deck import Deck

if TYPE_CHECKING:
    from sampleui.tui.author.preview import PreviewAnchor, Subject

_WIDE = 100
"""Cells from which a row names the rule too."""

_NAME = 24
"""Cells that the name of a file may take from the message."""


def problem_row(several: bool, problem: Diagnostic, width: int) -> Row:
    """Return a finding: how bad, what, and where; in which file, if it is of `several`."""
    left = [
        (str(problem.severity), f"{severity_mark(problem.severity)} "),
        ("text", visible(problem.message)),
        ("muted", f"  {visible(problem.sample)}" if problem.sample else ""),
    ]
    file = f"{fitted(visible(problem.path.name), _NAME)}:" if several else ""
    position = ("muted", f"{file}{problem.line}:{problem.column}")
    return spread(left, [("faint", f"{problem.rule}  "), position] if width >= _WIDE else [position], width)


_MAX_ID_WIDTH = 44
"""Cells that its ids can make the list have."""

_LOOKED_AT = 40
_AROUND, _FILE = 8, 14
"""Cells of a row that are not id: the border, the scrollbar, the cursor, signs, the gap; and the name of a file."""

BESIDE = "beside the samples"


class SampleList(VirtualList):
    """Samples by id and first words, those that a filter lets through. Only the ones in view are read."""

    scope: ClassVar[str] = "samples"

    def __init__(self, deck: Deck, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._deck = deck
        self._shown: Sequence[int] = ()
        self._severity: Callable[[int], str] = lambda _: ""
        self._marked: Set[int] = frozenset()
        self._changed: Set[int] = frozenset()
        self._grouped = False

    def show(
        self,
        deck: Deck,
        shown: Sequence[int],
        severity: Callable[[int], str],
        cursor: int,
        *,
        marked: Set[int],
        changed: Set[int],
    ) -> None:
        """Show what has the given indexes: samples, and below 0 what files hold beside them.

        `severity` says the worst that was found in a sample, `changed` which differ from what is compared with.
        """
        self._grouped = sum(bool(len(source.document)) for source in deck.files.sources) > 1
        self._deck, self._shown, self._severity = deck, shown, severity
        self._marked, self._changed = marked, changed
        self.reload(cursor)

    def count(self) -> int:
        """Return the number of rows."""
        return len(self._shown)

    @property
    def samples(self) -> int:
        """The number of samples shown."""
        return sum(index >= 0 for index in self._shown) if isinstance(self._shown, list) else len(self._shown)

    def wanted(self) -> int:
        """Return how many cells the ids need, with all that is around them; not more than is good."""
        ids = (one_line(self._deck.samples[index].id, 80) for index in self._shown[:_LOOKED_AT] if index >= 0)
        around = _AROUND + _FILE * self._grouped
        return min(max(map(cell_len, ids), default=0) + around, _MAX_ID_WIDTH)

    def row(self, index: int, width: int) -> Row:
        """Return a sample's mark, id and first words."""
        number = self._shown[index]
        if number < 0:
            return (("accent", "◇ "), ("muted", fitted(_beside(self._deck, number), max(width - 3, 4))))
        sample = self._deck.samples[number]
        severity = self._severity(number)
        mark = severity_mark(severity) if severity in ("error", "warning") else " "
        sign = mark_sign(number in self._marked)
        wide = width - 3 - 2 * len(sign)
        name = without_middle(one_line(sample.id, 200), max(wide, 4))
        group = self._group(index, sample, wide // 2) if self._grouped else ()
        room = wide - cell_len(name) - 2 - sum(cell_len(text) for _, text in group)
        changed = number in self._changed
        signs = (
            ((severity or "text", mark), ("warning", CHANGED)) if changed else ((severity or "text", f"{mark} "),)
        )
        words = fitted(one_line(title(sample)), room) if room > 6 else ""
        left = (*sign, *signs, ("text", f"{name}  "), ("muted", words))
        return spread(left, group, width) if group else left

    def _group(self, row: int, sample: Sample, width: int) -> Row:
        """Return the end of a row of a deck of several files: where one begins its name, else that it goes on."""
        before = self._shown[row - 1] if row else -1
        if before >= 0 and self._deck.samples[before].path == sample.path:
            return (("faint", "│"),)
        return (("accent", fitted(one_line(sample.path.name, 80), max(width, 4))), ("faint", " ╮"))


def _beside(deck: Deck, index: int) -> str:
    """Return the row of what a file holds beside its samples: its keys, and which file if there are more."""
    sample = deck.sample_at(index)
    name = sample.id if len(deck.files.sources) > 1 else "deck"
    return one_line(f"{name}: {', '.join(sample.data) or 'nothing yet'}")


_TALL = 40
_BESIDE = "Question"


class Preview(TabbedText):
    """What the current sample becomes. Only what is shown is made, and of it only the lines in view are drawn.

    A tall terminal shows the question below the chosen tab.
    """

    scope: ClassVar[str] = "preview"

    DEFAULT_CSS = """
    Preview TabStrip { margin-bottom: 1; }
    Preview #second { display: none; border-top: solid $text-edge; border-title-color: $text-muted; }
    Preview.-tall #second { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, view_id="preview-text")
        self.subject: Subject | None = None
        self._spot: PreviewAnchor | None = None
        self._is_shown = False
        self._second = TextView(id="second")
        self._second.can_focus = False
        self.whole = False
        """Whether messages that are sent as they are written are shown whole where the conversation is beside."""
        self.is_beside: Callable[[], bool] = bool

    def compose(self) -> ComposeResult:
        """Yield the tabs and the text."""
        yield from super().compose()
        yield self._second

    def show(self, subject: Subject | None, keep: bool = True) -> None:
        """Show another sample, or the same one edited, which keeps the place."""
        from sampleui.tui.author.preview import tabs_of

        self.subject, self._is_shown, self.tabs = subject, True, tabs_of(subject)
        self._update(keep)

    def follow(self, spot: PreviewAnchor | None) -> None:
        """Bring a place of the sample into view, in each tab that shows it."""
        self._spot = spot
        self._reveal()

    def fold(self) -> bool:
        """Show messages whole where there is no room for that too, or fold those; tell whether they are folded."""
        self.whole = not self.whole
        self._update(keep=False)
        return not self.whole

    @property
    def folds(self) -> bool:
        """Whether messages sent as they are written are a line each for want of room: the conversation has them."""
        return not self.whole and self.is_beside()

    def _in_view(self, subject: Subject, view: TextView) -> Subject:
        """Return what a view shows, with how many rows it has for messages that may be folded."""
        room = view.scrollable_content_region.height or None if self.folds else None
        return subject._replace(room=room, opened=self.whole)

    def open(self, tab: str) -> None:
        """Go to a tab by its name."""
        super().open(tab)
        self._reveal()

    def on_resize(self, event: events.Resize) -> None:
        """Use the room of a tall terminal for a second tab."""
        self.set_class(event.size.height >= _TALL, "-tall")
        if self._is_shown:
            self._update(keep=True)

    def _update(self, keep: bool) -> None:
        self.show_tabs()
        self._show(self.view, self.tab, keep)
        if self.has_class("-tall"):
            other = self._beside
            self._second.border_title = Content(other)
            self._show(self._second, other, keep)

    def _reveal(self) -> None:
        if self._spot is None or self.subject is None:
            return
        shown = [(self.view, self.tab)]
        if self.has_class("-tall"):
            shown.append((self._second, self._beside))
        for view, tab in shown:
            width = view.scrollable_content_region.width
            row = self._in_view(self.subject, view).row_of(tab, self._spot, width) if width > 0 else None
            if row is not None:
                view.reveal(row)

    @property
    def _beside(self) -> str:
        return _BESIDE if self.tab != _BESIDE else self.tabs[0]

    def _show(self, view: TextView, tab: str, keep: bool) -> None:
        subject = self.subject
        if subject is None:
            view.show(lambda _: [(("muted", "No sample."),)], keep)
        else:
            view.show(lambda width: self._in_view(subject, view).rows(tab, width), keep)
