"""The list of samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial
from typing import ClassVar

from rich.cells import cell_len

from sampleui.sample.model import Sample
from sampleui.sample.parse import title
from sampleui.text.visible import one_line
from sampleui.tui.drawing.cards import CHANGED, mark_sign, severity_mark
from sampleui.tui.drawing.rows import Row, fitted, spread
from sampleui.tui.widgets.virtual_list import VirtualList
from sampleui.workspace.deck import Deck

_MOST = 44
"""Cells that its ids can make the list have."""

_LOOKED_AT = 40
_AROUND, _FILE = 8, 14
"""Cells of a row that are not id: the border, the scrollbar, the cursor, signs, the gap; and the name of a file."""

BESIDE = "beside the samples"


class SampleList(VirtualList):
    """Samples by id and first words, those that a filter lets through. Only the ones in view are read."""

    scope: ClassVar[str] = "samples"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._samples: Sequence[Sample] = ()
        self._shown: Sequence[int] = ()
        self._severity: Callable[[int], str] = lambda _: ""
        self._beside: Callable[[int], str] = lambda _: ""
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
        marked: Set[int] = frozenset(),
        changed: Set[int] = frozenset(),
    ) -> None:
        """Show what has the given indexes: samples, and below 0 what files hold beside them.

        `severity` says the worst that was found in a sample, `changed` which differ from what is compared with.
        """
        self._changed = changed
        self._grouped = sum(bool(len(one.document)) for one in deck.files.sources) > 1
        self._marked = marked
        self._samples, self._shown, self._severity = deck.samples, shown, severity
        self._beside = partial(_beside, deck)
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
        ids = (one_line(self._samples[at].id, 80) for at in self._shown[:_LOOKED_AT] if at >= 0)
        around = _AROUND + _FILE * self._grouped
        return min(max(map(cell_len, ids), default=0) + around, _MOST)

    def row(self, index: int, width: int) -> Row:
        """Return a sample's mark, id and first words."""
        number = self._shown[index]
        if number < 0:
            return (("accent", "◇ "), ("muted", fitted(self._beside(number), max(width - 3, 4))))
        sample = self._samples[number]
        severity = self._severity(number)
        mark = severity_mark(severity) if severity in ("error", "warning") else " "
        sign = mark_sign(number in self._marked)
        wide = width - 3 - 2 * len(sign)
        name = fitted(one_line(sample.id, 80), max(wide, 4))
        room = wide - cell_len(name) - 2
        changed = number in self._changed
        signs = (
            ((severity or "text", mark), ("warning", CHANGED)) if changed else ((severity or "text", f"{mark} "),)
        )
        if self._grouped:
            return spread((*sign, *signs, ("text", f"{name}  ")), self._group(index, sample, wide // 2), width)
        words = fitted(one_line(title(sample)), room) if room > 6 else ""
        return (*sign, *signs, ("text", f"{name}  "), ("muted", words))

    def _group(self, row: int, sample: Sample, width: int) -> Row:
        """Return the end of a row of a deck of several files: where one begins its name, else that it goes on."""
        before = self._shown[row - 1] if row else -1
        if before >= 0 and self._samples[before].path == sample.path:
            return (("faint", "│"),)
        return (("accent", fitted(one_line(sample.path.name, 80), max(width, 4))), ("faint", " ╮"))


def _beside(deck: Deck, index: int) -> str:
    """Return the row of what a file holds beside its samples: its keys, and which file if there are more."""
    held = deck.sample_at(index)
    name = held.id if len(deck.files.sources) > 1 else "deck"
    return one_line(f"{name}: {', '.join(held.data) or 'nothing yet'}")
