"""Types keys into the app and reads what it shows."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widget import Widget

from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.opening import first_screen
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.command_boxes import CommandList

from .pressing import press, rested

ROOT = Path(__file__).parents[2]
DECKS = ROOT / "examples" / "decks"
_LONGEST = 60.0

_KEYS = {" ": "space", "\n": "enter"}


async def wait_until(pilot: Pilot[int], condition: Callable[[], Any]) -> None:
    """Wait until something is so, or until the app has ended, which raises what ended it."""
    end = time.monotonic() + _LONGEST
    while not condition():
        assert pilot.app.is_running, "the app has ended"
        assert time.monotonic() < end, "waited in vain"
        await asyncio.sleep(0.01)
        await rested(pilot.app)


def said(screen: CommandScreen) -> str:
    """Return what the line above the keys says of the last one."""
    return screen.message_line.message[1] if screen.message_line.message else ""


def keys_of(text: str) -> list[str]:
    """Return the keys that type a text."""
    return [_KEYS.get(character, character) for character in text]


class Driver:
    """A running app and the deck that it was given."""

    def __init__(self, pilot: Pilot[int], path: Path) -> None:
        self.pilot = pilot
        self.app = pilot.app
        self.path = path

    @property
    def screen(self) -> AuthorScreen:
        """The author screen, whatever lies over it."""
        return next(one for one in reversed(self.app.screen_stack) if isinstance(one, AuthorScreen))

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until all that they cause has happened."""
        await press(self.app, *keys)

    async def type(self, text: str) -> None:
        """Type a text, and wait until the preview has followed."""
        await press(self.app, *keys_of(text))
        await self.settled()

    async def write(self, text: str) -> None:
        """Replace all of the text being edited, as if it was pasted."""
        editor = self.screen.conversation.editor
        editor.select_all()
        editor.replace(text, *editor.selection)
        await self.settled()

    async def settled(self) -> None:
        """Wait for the preview, which follows when the keys come to rest."""
        await self.rested()
        await self.until(lambda: not self.screen.editing.is_behind)
        await self.rested()

    async def rested(self) -> None:
        """Wait until nothing is under way."""
        await rested(self.app)

    async def until(self, condition: Callable[[], Any]) -> None:
        """Wait until something is so."""
        await wait_until(self.pilot, condition)

    async def dialog(self, *keys: str) -> None:
        """Wait for a question over the screen, then press keys."""
        await self.until(lambda: self.app.screen is not self.screen and self.app.screen.is_mounted)
        await self.until(lambda: self.dialog_text.strip() != "")
        await self.press(*keys)

    async def answer(self, text: str) -> None:
        """Wait for a question over the screen, then type the answer."""
        await self.dialog()
        await self.type(text)
        await self.press("enter")

    async def command(self, words: str) -> None:
        """Run the command that the palette finds first."""
        await self.press("ctrl+p")
        await self.press(*(_KEYS.get(character, character) for character in words), "enter")
        await self.until(lambda: not isinstance(self.app.screen, CommandList))
        await self.rested()

    @property
    def dialog_text(self) -> str:
        """What the question over the screen shows."""
        return "\n".join(drawn_lines(self.app.screen))

    # What is shown

    @property
    def cards(self) -> list[str]:
        """The conversation, line by line."""
        return self.screen.conversation.lines()

    @property
    def preview(self) -> str:
        """All of the preview's tab."""
        return "\n".join(map(row_text, self.screen.preview.view.rows))

    @property
    def title(self) -> str:
        """The first line."""
        return row_text(self.screen.title_bar.row(self.screen.size.width))

    @property
    def bar(self) -> str:
        """What is said, and below it the keys."""
        return said(self.screen) + "\n" + self.keys

    @property
    def keys(self) -> str:
        """The last line."""
        return row_text(self.screen.key_bar.row(self.screen.size.width))

    @property
    def at(self) -> str:
        """The item with the cursor: `user 1` for a turn, `score` for a field."""
        item = self.screen.conversation.current
        assert item is not None
        return item.label if item.turn is None else f"{item.label} {item.turn + 1}"

    @property
    def roles(self) -> list[str]:
        """The roles of the turns."""
        return [item.label for item in self.screen.conversation.items if item.turn is not None]

    @property
    def turns(self) -> list[Any]:
        """The contents of the turns, as the deck holds them now."""
        sample = self.screen.sample
        return [message.get("content") for message in sample.messages] if sample else []

    @property
    def ids(self) -> list[str]:
        """The ids of the samples."""
        return [sample.id for sample in self.screen.session.deck.samples]

    @property
    def text(self) -> str:
        """The deck's own file as it would be saved."""
        return self.screen.session.deck.text

    @property
    def disk(self) -> bytes:
        """The deck's own file as it is."""
        return self.path.read_bytes()

    @property
    def steps(self) -> int:
        """How many steps can be undone."""
        return len(self.screen.session.history.done)


@asynccontextmanager
async def opened(
    path: Path,
    size: tuple[int, int] = (120, 40),
    settings: Settings | None = None,
    dialect: str | None = None,
) -> AsyncIterator[Driver]:
    """Run the app on a path."""
    chosen = settings or Settings()
    app = SampleUI(first_screen(path, chosen, dialect), chosen)
    async with app.run_test(size=size) as pilot:
        await rested(app)
        yield Driver(pilot, path)


def changed_lines(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return the lines that were taken out and those that were put in."""
    old, new = before.split(b"\n"), after.split(b"\n")
    opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    changes = [code for code in opcodes if code[0] != "equal"]
    return (
        [line for _, start, end, _, _ in changes for line in old[start:end]],
        [line for _, _, _, start, end in changes for line in new[start:end]],
    )


def shown_widgets(screen: Widget) -> list[Widget]:
    """Return the widgets that have a place on the screen."""
    return [one for one in screen.walk_children(Widget) if one.is_on_screen and one.region.area]


def widget_lines(widget: Widget) -> list[str]:
    """Return the lines that a widget draws on the screen, border included, each in its whole width."""
    return _drawn(widget)[1]


def marked_texts(widget: Widget) -> list[str]:
    """Return the texts that a widget and those in it mark as what is searched for."""
    segments = (part for one in (widget, *shown_widgets(widget)) for strip in _strips(one)[1] for part in strip)
    return [segment.text for segment in segments if segment.style is not None and segment.style.reverse]


def drawn_pieces(widget: Widget) -> list[list[str]]:
    """Return the lines that a widget draws on the screen, border included, each in pieces of one style."""
    return [[segment.text for segment in strip if not segment.control] for strip in _strips(widget)[1]]


def _strips(widget: Widget) -> tuple[int, list[Strip]]:
    region = widget.region
    seen = region.intersection(widget.screen.region)
    first = seen.y - region.y
    return first, widget.render_lines(Region(0, first, region.width, seen.height))


def _drawn(widget: Widget) -> tuple[int, list[str]]:
    first, strips = _strips(widget)
    return first, ["".join(segment.text for segment in strip if not segment.control) for strip in strips]


def unwrapped(text: str) -> str:
    """Return what the lines of a box or a pane say as one line, wherever they are broken."""
    return " ".join(text.replace("│", " ").split())


def drawn_lines(screen: Widget) -> list[str]:
    """Return the lines of the terminal, put together from what each widget draws, its parents first."""
    width, height = screen.size
    cells = [[" "] * width for _ in range(height)]
    for widget in [one for one in screen.walk_children(Widget, with_self=True) if one.region.area]:
        seen = widget.region
        for parent in widget.ancestors:
            if isinstance(parent, Widget):
                inner = parent.region.shrink(parent.styles.gutter) if parent is not screen else parent.region
                seen = seen.intersection(inner)
        if not widget.is_on_screen and widget is not screen:
            continue
        first, lines = _drawn(widget)
        for at, line in enumerate(lines, first):
            y = widget.region.y + at
            if not seen.y <= y < seen.bottom or not 0 <= y < height:
                continue
            x = widget.region.x
            if all(cell_len(character) == 1 for character in set(line)):
                left, right = max(seen.x, x), min(seen.right, width, x + len(line))
                cells[y][left:right] = line[left - x : right - x] if left < right else cells[y][left:right]
                continue
            for character in line:
                size = cell_len(character)
                if seen.x <= x and x + size <= min(seen.right, width):
                    if size:
                        cells[y][x] = character
                        cells[y][x + 1 : x + size] = [""] * (size - 1)
                    elif x > seen.x:
                        cells[y][x - 1] += character
                x += size
    return ["".join(line) for line in cells]
