"""The conversation pane: turns and fields as cards that stay in sight, one of them open for editing at a time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Size
from textual.message import Message

from sampleui.sample.media import Places
from sampleui.text.limits import MAX_STRETCH
from sampleui.tui.drawing.cards import Flags, role_style
from sampleui.tui.drawing.items import Item, ItemPart
from sampleui.tui.drawing.matches import ranges
from sampleui.tui.drawing.rows import text_rows
from sampleui.tui.widgets.bars import PLAIN, Backdrop
from sampleui.tui.widgets.text_view import NOMINAL
from sampleui.tui.widgets.turn_stack import StackBlock, TurnStack, blocks_of

if TYPE_CHECKING:
    from sampleui.tui.app import SampleUI
    from sampleui.tui.widgets.turn_editor import TurnEditor


class Revealing(VerticalScroll, Backdrop, inherit_bindings=False):
    """A view that scrolls as little as needed, from where it stood when the last key came.

    What a key causes may be laid out in one frame or in several. If each of them scrolled from where the one before
    it left the view, the view would end in another place for each number of frames.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._handed = -1
        self._from = 0.0
        self.arrived = False
        """Whether the last key led to what is to be in sight, so that its beginning is to be seen before all."""

    def window(self, height: int) -> tuple[int, int]:
        """Return the first and the last line at which a view of a height may begin."""
        raise NotImplementedError

    def reveal(self, *, arrived: bool = False) -> None:
        """Scroll to what is to be in sight as soon as it has its place; `arrived` tells whether a key led there."""
        self._begin()
        self.arrived = self.arrived or arrived
        self.call_after_refresh(self._reach)

    def scroll_rows(self, rows: int) -> bool:
        """Scroll by some rows, whatever is in sight then; tell whether that was possible."""
        self._begin()
        before = self.scroll_y
        self.scroll_to(y=before + rows, animate=False, immediate=True)
        self._from = self.scroll_y
        return self.scroll_y != before

    def stand(self, y: float) -> None:
        """Scroll from another place than where the view stood when the last key came."""
        self._begin()
        self._from = y

    def on_resize(self) -> None:
        """Keep it in sight in the new size."""
        self.reveal()

    def watch_virtual_size(self, _old: Size, _new: Size) -> None:
        """Go on scrolling, since before the layout there was no room for that."""
        self.reveal()

    def _begin(self) -> None:
        handed = cast("SampleUI", self.app).input.handed
        if handed != self._handed:
            self._handed, self._from, self.arrived = handed, self.scroll_y, False

    def _reach(self) -> None:
        height = self.scrollable_content_region.height
        if height > 0:
            first, last = self.window(height)
            # Forced, because the scroll bar may still be on its way.
            self.scroll_to(y=max(first, min(self._from, last)), animate=False, immediate=True, force=True)


def around(line: int, height: int) -> tuple[int, int]:
    """Return where a view of a height may begin to have a line in sight, and one more at each side of it."""
    margin = 1 if height > 2 else 0
    return line + margin - height + 1, line - margin


NO_FLAGS: Mapping[int, Flags] = {}


class Conversation(Revealing, can_focus=True, inherit_bindings=False):
    """One sample. The cards above and below the editor are static, so that many turns cost what a few do."""

    scope: ClassVar[str] = "turns"

    DEFAULT_CSS = """
    Conversation { scrollbar-size: 0 1; overflow-x: hidden; scrollbar-gutter: stable; }
    """

    class Moved(Message):
        """The cursor went to another item or part."""

    class Opened(Message):
        """An item was clicked twice."""

    class Typed(Message):
        """The text being edited changed, or the cursor in it moved."""

    class Left(Message):
        """The editor lost the focus."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.items: tuple[Item, ...] = ()
        self.empty_hint = ""
        self.places: Places = ()
        self._flags: Mapping[int, Flags] = NO_FLAGS
        self._at = (0, 0)
        self._words = self._sought = ""
        self._seeking = False
        self._match: int | None = None
        self._edited: tuple[float, float] | None = None
        self._lead: int | None = None
        self._editor: TurnEditor | None = None
        self._above = TurnStack(id="above")
        self._below = TurnStack(id="below")

    def compose(self) -> ComposeResult:
        """Yield the cards; the editor joins them when it is first needed."""
        self._below.display = False
        yield self._above
        yield self._below

    @property
    def cursor(self) -> tuple[int, int]:
        """The item and the part with the cursor."""
        return self._at

    @property
    def current(self) -> Item | None:
        """The item with the cursor."""
        return self.items[self._at[0]] if self.items else None

    @property
    def part(self) -> ItemPart | None:
        """The part with the cursor."""
        item = self.current
        return item.parts[self._at[1]] if item is not None and item.parts else None

    @property
    def editing(self) -> bool:
        """Whether a text is open in the editor."""
        return self._editor is not None and self._editor.display

    @property
    def editor(self) -> TurnEditor:
        """The editor. Only to be asked for while editing."""
        assert self._editor is not None
        return self._editor

    def show(
        self,
        items: tuple[Item, ...],
        flags: Mapping[int, Flags],
        cursor: tuple[int, int] | None = None,
        *,
        same: bool = True,
        lead: int | None = None,
    ) -> None:
        """Show a sample, the `same` as before or another. The cursor is kept inside it unless a place is given.

        As long as it has not got the focus and the cursor was put nowhere, the item `lead` is in sight.
        """
        self._lead = lead
        moved = items != self.items or cursor is not None
        changed = items != self.items or flags != self._flags
        self.items, self._flags = items, flags
        item, part = self._at if cursor is None else cursor
        item = max(0, min(item, len(items) - 1))
        parts = len(items[item].parts) if items else 0
        before, self._at = self._at, (item, max(0, min(part, parts - 1)))
        if changed or not items:
            self._fill()
        self._mark()
        if self._edited is not None:
            (share, row), self._edited = self._edited, None
            first, end = self._above.extent(*self._at)
            self.stand(first + round(share * (end - first)) - row)
        if moved:
            self.reveal(arrived=not same or self._at != before)

    def seek(self, words: str, *, keep: bool) -> None:
        """Mark a text wherever the cards show it, and scroll to the first place; empty for none.

        Of the same sample and the same text (`keep`) the place stays.
        """
        if not (keep and words == self._words):
            self._words, self._seeking = words, bool(words)
            if words != self._sought and any(
                len(part.text) > MAX_STRETCH for item in self.items for part in item.parts
            ):
                self._sought = words
                self._fill()
            self._above.seek(words)
            self.reveal()

    def mark_words(self, words: str, number: int = 0) -> None:
        """Mark a text wherever the cards show it, and have a match of it in the part with the cursor in view.

        Args:
            words: the text; empty for none.
            number: which match of the part, from 0.
        """
        self._words, self._seeking, self._match = words, False, number if words else None
        self._above.seek(words)
        self.reveal()

    @property
    def shows_match(self) -> bool:
        """Whether the cards show what is searched for, or will once they have their place."""
        return bool(ranges([row for block in self._blocks() for row in block.make(NOMINAL)], self._words))

    def focus_at(self, item: int, part: int = 0) -> bool:
        """Move the cursor; tell whether it moved."""
        if not self.items:
            return False
        item = max(0, min(item, len(self.items) - 1))
        cursor = (item, max(0, min(part, len(self.items[item].parts) - 1)))
        if cursor == self._at:
            return False
        self._at = cursor
        self._seeking, self._match = False, None
        self._mark()
        self.reveal(arrived=True)
        self.post_message(self.Moved())
        return True

    def step(self, items: int) -> bool:
        """Move the cursor by some items, at the end scroll what is left of a long one; tell whether that went."""
        item, _ = self._at
        if 0 <= item + items < len(self.items):
            return self.focus_at(item + items)
        return self._scroll(3 * items)

    def step_part(self, parts: int) -> bool:
        """Move the cursor among the parts of a turn; tell whether it moved."""
        return self.focus_at(self._at[0], self._at[1] + parts)

    def page(self, pages: int) -> bool:
        """Scroll by some screens; tell whether that was possible."""
        return self._scroll(pages * max(self.size.height - 1, 1))

    def jump(self, last: bool) -> bool:
        """Move the cursor to the first or the last item; tell whether it moved."""
        return self.focus_at(len(self.items) - 1 if last else 0)

    def _scroll(self, rows: int) -> bool:
        self._seeking = False
        return self.scroll_rows(rows)

    async def open_editor(
        self, text: str, *, one_line: bool = False, selected: tuple[int, int] | None = None
    ) -> None:
        """Open a text in the place of the part that has the cursor; Enter ends one line.

        Of what is selected, from one character to another, what is typed takes the place.
        """
        if self._editor is None:
            from sampleui.tui.widgets.turn_editor import TurnEditor

            self._editor = TurnEditor(id="editor")
            self._editor.display = False
            await self.mount(self._editor, after=self._above)
        item = self.items[self._at[0]]
        if not self.app.has_class(PLAIN):
            style = role_style(item.label) if item.turn is not None else "accent"
            self._editor.styles.border_left = ("outer", self.app.theme_variables[style])
        self._editor.take(text, one_line=one_line)
        if selected:
            self._editor.select_between(*selected)
        self._editor.display = True
        self._fill()
        self.screen.set_focus(self._editor, scroll_visible=False)
        self._mark()
        self.reveal()

    def close_editor(self) -> None:
        """Put the editor away. What is shown next has the line of its cursor where that is on the screen now."""
        if self._editor is not None and self._editor.display:
            row, rows = self._editor.cursor_row, self._editor.wrapped_document.height
            self._edited = row / rows, self._above.height + row - self.scroll_y
            self._editor.display = False
            self._fill()
            if self.screen.focused is self._editor:
                self.screen.set_focus(self, scroll_visible=False)
            self._mark()

    def lines(self) -> list[str]:
        """Return what the cards show as text."""
        return [*self._above.lines(), *self._below.lines()]

    def _fill(self) -> None:
        blocks = self._blocks()
        cut = len(blocks)
        if self.editing:
            cut = next(index for index, block in enumerate(blocks) if (block.item, block.part) == self._at)
        self._above.show(tuple(blocks[:cut]))
        self._below.show(tuple(blocks[cut + 1 :]))
        self._below.display = self.editing

    def _blocks(self) -> list[StackBlock]:
        if not self.items:
            return [StackBlock(-1, 0, "", partial(text_rows, self.empty_hint, "muted"))]
        flags = {
            index: flag._replace(brief=flag.brief and not self._is_read) for index, flag in self._flags.items()
        }
        return blocks_of(self.items, flags, self._at if self.editing else None, self._sought, self.places)

    @property
    def _is_read(self) -> bool:
        """Whether somebody looks at the conversation as such."""
        return self.has_focus or self.editing or bool(self._words)

    def _mark(self) -> None:
        active = self.has_focus or self.editing
        self._above.mark(self._at, active)
        self._below.mark(self._at, active)

    def window(self, height: int) -> tuple[int, int]:
        """Return where a view of a height may begin to have the item with the cursor in sight.

        While a text is edited, it is the line of its cursor and one more at each side.
        """
        if self.editing:
            return around(self._above.height + self.editor.cursor_row, height)
        line = self._above.found if self._seeking else None
        if line is None and self._match is not None:
            line = self._above.match(*self._at, self._match)
        if line is not None:
            return around(line, height)
        at = self._at
        if self._lead is not None and at == (0, 0) and not self._is_read:
            at = (self._lead, 0)
        top, bottom = self._above.extent(*at) if at[1] else self._above.extent(at[0])
        if at == (0, 0):
            top = 0
        if at != self._at:
            return (bottom - height, top) if bottom - top <= height else (top, top)
        if bottom - top <= height:
            return bottom - height, top
        return (top, top) if self.arrived else (top, bottom - height)

    def on_focus(self) -> None:
        """Draw the cursor as the active one and what is brief as a whole, or again as an idle one and briefly."""
        if any(flag.brief for flag in self._flags.values()):
            self._fill()
        self._mark()
        if self._lead is not None:
            self.reveal()

    on_blur = on_focus

    def on_turn_stack_clicked(self, message: TurnStack.Clicked) -> None:
        """Move the cursor to the card clicked; a second click opens it."""
        message.stop()
        self.focus()
        self.focus_at(message.item, message.part)
        if message.twice:
            self.post_message(self.Opened())

    def on_text_area_changed(self) -> None:
        """Tell that the text being edited changed, or the cursor in it moved, and keep the cursor in sight."""
        if self.editing:
            self.post_message(self.Typed())
            self.reveal()

    on_text_area_selection_changed = on_text_area_changed

    def on_descendant_blur(self) -> None:
        """Tell that the editor lost the focus."""
        if self.editing and not self.editor.has_focus:
            self.post_message(self.Left())
