"""Every change of a replacement as a diff, each of which can be taken out before they are made."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.formats.data import shown
from sampleui.text.position import shared_end, shared_start
from sampleui.text.visible import one_line, visible
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.virtual_list import VirtualList
from sampleui.workspace.text_search import Replacement

_LINES = 3
_BEFORE = 24
"""Characters that are shown before the first one that changes."""


class Changes(VirtualList):
    """Three lines a change: where it is, the old text, the new one."""

    def __init__(self, changes: Sequence[Replacement], names: Sequence[str]) -> None:
        super().__init__()
        self.changes = changes
        self.names = names
        self.out: set[int] = set()

    def count(self) -> int:
        """Return the number of lines."""
        return _LINES * len(self.changes)

    def row(self, index: int, width: int) -> Row:
        """Return a line of a change."""
        change, line = divmod(index, _LINES)
        item, gone = self.changes[change], change in self.out
        if not line:
            sign = ("muted", "[ ] ") if gone else ("accent-bold", "[x] ")
            return (
                sign,
                ("muted" if gone else "text-bold", fitted(f"{self.names[change]} › {shown(item.path)}", width - 4)),
            )
        old, new = _around(item)
        if line == 1:
            return (("muted" if gone else "removed", fitted(f"    - {old}", width)),)
        return (("muted" if gone else "added", fitted(f"    + {new}", width)),)

    def toggle(self) -> None:
        """Take the change with the cursor out, or in again, and go to the next one."""
        self.out ^= {self.cursor // _LINES}
        self.refresh()
        self.step_change(1)

    def step_change(self, by: int) -> None:
        """Go to another change."""
        self.cursor = max(0, min(self.cursor // _LINES + by, len(self.changes) - 1)) * _LINES


class ReplaceList(Overlay[bool]):
    """Answers with whether the changes are to be made; `chosen` are those that were not taken out."""

    DEFAULT_CSS = """
    ReplaceList > .box {
        width: 110; max-width: 96%; height: 80%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    """
    hints = (
        Hint("enter", "Replace"),
        Hint("space", "In or out"),
        Hint("*", "All or none"),
        Hint("j", "Down"),
        Hint("k", "Up"),
        Hint("escape", "Cancel"),
    )

    def __init__(self, title: str, changes: Sequence[Replacement], names: Sequence[str]) -> None:
        super().__init__()
        self._title = title
        self._list = Changes(changes, [one_line(name, 60) for name in names])

    def compose(self) -> ComposeResult:
        """Yield the list."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content(visible(self._title))
            yield self._list
        yield self.footer

    def on_mount(self) -> None:
        """Give the keys to the list."""
        self._list.focus()
        self._count()

    @property
    def chosen(self) -> list[Replacement]:
        """The changes that are to be made."""
        return [change for index, change in enumerate(self._list.changes) if index not in self._list.out]

    def take_key(self, event: events.Key) -> bool:
        """Take changes out and in, move, or answer."""
        moves = {"j": 1, "down": 1, "k": -1, "up": -1, "pagedown": 8, "pageup": -8}
        if event.key in moves:
            self._list.step_change(moves[event.key])
        elif event.key in ("home", "end"):
            self._list.step_change(len(self._list.changes) * (1 if event.key == "end" else -1))
        elif event.key == "space":
            self._list.toggle()
        elif event.character == "*":
            every = {*range(len(self._list.changes))}
            self._list.out = set() if self._list.out else every
            self._list.refresh()
        elif event.key == "enter" and self.chosen:
            self.dismiss(True)
        elif event.key == "escape":
            self.dismiss(False)
        else:
            return False
        self._count()
        return True

    def _count(self) -> None:
        told = f"{len(self.chosen):,} of {len(self._list.changes):,} values"
        caption(self.query_one(".box", Vertical), told)


def _around(replacement: Replacement) -> tuple[str, str]:
    """Return what differs between the two texts, with a little of what is before it."""
    head = shared_start(replacement.old, replacement.new)
    tail = shared_end(replacement.old[head:], replacement.new[head:])
    start = max(head - _BEFORE, 0)
    after = min(tail, 4 * _BEFORE)
    dots = "…" if start else ""
    old, new = (text[start : len(text) - tail + after] for text in (replacement.old, replacement.new))
    return dots + visible(old.replace("\n", "⏎")), dots + visible(new.replace("\n", "⏎"))
