"""The boxes of a search: what to look for and how, what replaces it, and each change, which can be taken out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from sampleui.errors import EditRefusedError, SampleUIError
from sampleui.formats.data import shown
from sampleui.text.limits import TookTooLongError
from sampleui.text.position import shared_end, shared_start
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import counted
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.screens.dialogs import Ask, Overlay
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.line_input import LineInput
from sampleui.tui.widgets.virtual_list import VirtualList
from sampleui.workspace.text_search import TOO_LONG, Hindrances, Proposed, Query, Replacement, hindrances

if TYPE_CHECKING:
    from sampleui.tui.author.search import Seeking
    from sampleui.tui.screens.base import CommandScreen
    from sampleui.tui.workspace.search import DeckSearch

CASE, WORD, REGEX, HERE, EVERYWHERE = "f2", "f3", "f4", "f5", "f6"
USUAL = {CASE: "match case", WORD: "whole word", REGEX: "regular expression"}
"""How a text may be looked for anywhere."""

IN_DECK = {**USUAL, HERE: "this sample only"}
"""The same in a deck that is opened by itself."""

IN_MEMBER = {**IN_DECK, EVERYWHERE: "all decks"}
"""The same in a deck of a workspace."""


CountedHits = Callable[[Query, frozenset[str]], AsyncIterator[int]]
"""Yields how many hits there are so far of what would be looked for by some options, until all are counted."""

_PAUSE_S = 0.15
"""Seconds without a key until hits are counted."""


class FindBox(Overlay[str]):
    """A text to look for, whose hits are counted while it is typed. Answers with it; `query_of` says how."""

    DEFAULT_CSS = """
    FindBox Input { margin-bottom: 1; }
    """

    def __init__(
        self, text: str, options: frozenset[str], count: CountedHits, offered: Mapping[str, str] = IN_DECK
    ) -> None:
        hints = [Hint("enter", "Find"), *(Hint(key, option.capitalize()) for key, option in offered.items())]
        super().__init__("Find in turns and fields", [*hints, Hint("escape", "Cancel")])
        self._text = text
        self._count = count
        self._offered = offered
        self.options = options & offered.keys()
        self._shown = Static()

    def body(self) -> ComposeResult:
        """Yield the field and the options."""
        yield LineInput(value=self._text, select_on_focus=True)
        yield self._shown

    def on_mount(self) -> None:
        """Show the options."""
        self._show()

    def query_of(self, text: str) -> Query:
        """Return what is to be looked for."""
        return Query(text, REGEX in self.options, CASE not in self.options, WORD in self.options)

    def on_input_changed(self) -> None:
        """Count the hits of what was typed, as soon as the keys pause."""
        self.run_worker(self._tell_count(), group="counting", exclusive=True)

    async def _tell_count(self) -> None:
        box, query = self.frame, self.query_of(self.query_one(Input).value)
        caption(box, "")
        if not query.text:
            return
        await asyncio.sleep(_PAUSE_S)
        count = 0
        try:
            async for count in self._count(query, self.options):
                caption(box, f"{counted(count, 'hit')} …")
            caption(box, counted(count, "hit"))
        except TookTooLongError:
            caption(box, TOO_LONG)
        except SampleUIError as error:
            caption(box, one_line(str(error)))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer, unless it is nothing to look for."""
        try:
            _ = self.query_of(event.value).pattern
        except SampleUIError as error:
            self.footer.message_line.say(f"✖ {error}", "warning-bold")
            return
        self.dismiss(event.value)

    def take_key(self, event: events.Key) -> bool:
        """Turn an option on or off, or leave."""
        if event.key in self._offered:
            apart = {HERE, EVERYWHERE} - {event.key} if event.key in (HERE, EVERYWHERE) else set()
            self.options = (self.options ^ {event.key}) - apart
            self._show()
        else:
            return False
        return True

    def _show(self) -> None:
        lines = [
            Content.assemble((f"  {key}", "bold $accent"), f"  [{'x' if key in self.options else ' '}] {option}")
            for key, option in self._offered.items()
        ]
        self._shown.update(Content("\n").join(lines))
        self.on_input_changed()


_LINES = 3
_BEFORE = 24
"""Characters that are shown before the first one that changes."""


class Changes(VirtualList):
    """Three lines a change: where it is, the old text, the new one.

    What cannot be made says why and stays out. What samples share says how many, and is out until it is taken in.
    """

    def __init__(self, changes: Sequence[Proposed], hindrances: Hindrances) -> None:
        super().__init__()
        self.changes = changes
        self.refused, self._shared = hindrances
        self.out: set[int] = {*self.refused, *self._shared}

    def count(self) -> int:
        """Return the number of lines."""
        return _LINES * len(self.changes)

    def row(self, index: int, width: int) -> Row:
        """Return a line of a change."""
        change, line = divmod(index, _LINES)
        (_, name, item), gone = self.changes[change], change in self.out
        if not line:
            sign = ("muted", "[ ] ") if gone else ("accent-bold", "[x] ")
            return (
                sign,
                ("muted" if gone else "text-bold", fitted(f"{one_line(name, 60)} › {shown(item.path)}", width - 4)),
            )
        old, new = _around(item)
        if line == 2 and change in self.refused:
            return (("warning", fitted(f"    ✖ {one_line(self.refused[change])}", width)),)
        if line == 1:
            return (("muted" if gone else "removed", fitted(f"    - {old}", width)),)
        style, users = "muted" if gone else "added", self._shared.get(change)
        if users is None:
            return ((style, fitted(f"    + {new}", width)),)
        remark = f"  for all {users} that share it"
        return ((style, fitted(f"    + {new}", width - len(remark))), ("warning", remark))

    def toggle(self) -> None:
        """Take the change with the cursor out, or in again, and go to the next one."""
        self.out ^= {self.cursor // _LINES} - self.refused.keys()
        self.refresh()
        self.step_change(1)

    def step_change(self, by: int) -> None:
        """Go to another change."""
        self.cursor = max(0, min(self.cursor // _LINES + by, len(self.changes) - 1)) * _LINES


class ReplaceList(Overlay[bool]):
    """Answers with whether the changes are to be made; `chosen` are those that were not taken out."""

    DEFAULT_CSS = """
    ReplaceList > .box { width: 110; max-width: 96%; height: 80%; padding: 0 1; }
    """
    hints = (
        Hint("enter", "Replace"),
        Hint("space", "In or out"),
        Hint("*", "All or none"),
        Hint("j", "Down"),
        Hint("k", "Up"),
        Hint("escape", "Cancel"),
    )

    def __init__(self, title: str, changes: Sequence[Proposed], hindrances: Hindrances) -> None:
        super().__init__(title)
        self._list = Changes(changes, hindrances)

    def body(self) -> ComposeResult:
        """Yield the list."""
        yield self._list

    def on_mount(self) -> None:
        """Give the keys to the list."""
        self._list.focus()
        self._count()

    @property
    def chosen(self) -> list[Proposed]:
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
            self._list.out = {*self._list.refused} if self._list.out > {*self._list.refused} else every
            self._list.refresh()
        elif event.key == "enter" and self.chosen:
            self.dismiss(True)
        else:
            return False
        self._count()
        return True

    def _count(self) -> None:
        refused = f"; {len(self._list.refused):,} cannot be" if self._list.refused else ""
        words = f"{len(self.chosen):,} of {len(self._list.changes):,} values{refused}"
        caption(self.frame, words)


def _around(replacement: Replacement) -> tuple[str, str]:
    """Return what differs between the two texts, with a little of what is before it."""
    head = shared_start(replacement.old, replacement.new)
    tail = shared_end(replacement.old[head:], replacement.new[head:])
    start = max(head - _BEFORE, 0)
    after = min(tail, 4 * _BEFORE)
    dots = "…" if start else ""
    old, new = (text[start : len(text) - tail + after] for text in (replacement.old, replacement.new))
    return dots + visible(old.replace("\n", "⏎")), dots + visible(new.replace("\n", "⏎"))


_PAUSE_FOR_MORE_S = 0.01
"""Seconds between two looks whether a search has ended."""


async def replacements_agreed(
    screen: CommandScreen, search: Seeking | DeckSearch, where: str = ""
) -> Sequence[Proposed]:
    """Ask what replaces all hits of a search, show every change, and return those that are agreed to.

    Raises:
        EditRefusedError: when nothing would change, or the pattern takes too long.
    """
    query = search.query
    assert query is not None
    hits = f"{counted(len(search.hits), 'hit')}{'' if search.complete else ' so far'}"
    box = Ask(f"Replace {query.text}{where} by; {hits}", verb="Show the changes")
    new: str | None = await screen.answer_to(box)
    if new is None:
        return ()
    query.check(new)
    while not search.complete:
        await asyncio.sleep(_PAUSE_FOR_MORE_S)
    if search.query is not query:
        return ()
    try:
        changes = search.replacements(new) if search.failure != TOO_LONG else None
    except TookTooLongError:
        changes = None
    if changes is None:
        raise EditRefusedError(f"{TOO_LONG}; nothing is replaced")
    if not changes:
        raise EditRefusedError("nothing would change")
    listed = ReplaceList(f"Replace {query.text} by {new}", changes, await asyncio.to_thread(hindrances, changes))
    return listed.chosen if await screen.answer_to(listed) else ()
