"""What every screen of the app shares: commands by key, panes, the footer, questions, the clipboard."""

from __future__ import annotations

import asyncio
import inspect
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeAlias, TypeVar, cast

from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget

from sampleui.errors import EditRefusedError, SampleUIError, SettingsError
from sampleui.garbage import collector_off
from sampleui.settings.options import Settings
from sampleui.text.limits import MAX_REASON
from sampleui.text.visible import one_line
from sampleui.tui.commands import STEADY, TYPING, UNBOUND_S, Command, Hint, Keymap, Registry, ScreenKind, key_label
from sampleui.tui.screens.panes import Pane, PaneColumn, put_away, remember_widths, resize, widths_of
from sampleui.tui.terminal import stop
from sampleui.tui.textual_internals import COMMANDS, StackedScreen, is_there, once
from sampleui.tui.widgets.bars import PLAIN, Backdrop, KeyBar, MessageLine, TabStrip, TitleBar
from sampleui.tui.widgets.text_view import Movable

if TYPE_CHECKING:  # the first frame has no field
    from sampleui.tui.app import SampleUI

ScreenMaker: TypeAlias = Callable[[], Screen[int]]
"""Makes a screen when the app runs: widgets need one that does."""

_MESSAGE_SECONDS = 5.0
_QUIT, _SAVE = "app.quit", "deck.save"
_STAYING = STEADY | {_SAVE}
"""The commands that the footer has room for in every width."""

NARROW = 100
"""Columns below which one pane is shown at a time."""

REFUSED_S = 1.0
"""Seconds without a key after which what is typed no longer goes on with a text that was to open and did not."""

_NARROWEST = 12
"""Percent of the screen that a pane keeps."""


_LISTS = ("app.help", "app.palette")
"""The commands that list the commands; the second one works in a text too."""


_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

_TURN = sys.getswitchinterval()
_SHORT_TURN_S = 0.0005
"""Seconds that work beside the screen has before the screen goes on; a key takes several such turns."""


async def in_background(
    work: Callable[_Arguments, _Result], *args: _Arguments.args, **named: _Arguments.kwargs
) -> _Result:
    """Return the result of work of seconds, done in a thread that never holds up keys for long, nor the app's end.

    The garbage collector would: a look at all that a large run is made of takes a tenth of a second.
    """
    future = Future[_Result]()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work(*args, **named))
        except BaseException as error:  # noqa: BLE001 - whoever waits is told
            future.set_exception(error)

    sys.setswitchinterval(_SHORT_TURN_S)
    try:
        with collector_off():
            threading.Thread(target=run, daemon=True).start()
            return await asyncio.wrap_future(future)
    finally:
        sys.setswitchinterval(_TURN)


class CommandScreen(StackedScreen[int], Backdrop):
    """A screen whose keys, footer, help and palette come from one registry, that of its kind.

    Keys are looked up here and not in Textual's bindings: one key means different things in different panes, users
    rebind commands by their id, and Textual's footer is not needed then.
    """

    kind: ClassVar[ScreenKind]
    """Whose commands it has."""

    kept_as: ClassVar[str] = ""
    """What the widths of its panes are remembered by, where they can be chosen."""

    quotes: ClassVar[bool] = False
    """Whether what is selected with the mouse is asked about."""

    home: ClassVar[str]
    """The pane that has the focus at first, and that an editor belongs to."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.title_bar = TitleBar()
        self.tabs = TabStrip(id="tabs")
        self.zoomed = False
        self.message_line = MessageLine()
        self.key_bar = KeyBar()
        self.last_key = time.monotonic()
        self._first_key_typed = ""
        self._in_vain_s = 0.0
        self._message_timer: Timer | None = None

    def body(self) -> ComposeResult:
        """Yield what is between the title and the last lines: the panes below each other."""
        yield from (pane.frame for pane in self.panes())

    def compose(self) -> ComposeResult:
        """Yield the title, what is below it, and the last lines."""
        yield self.title_bar
        yield from self.body()
        yield self.message_line
        yield self.key_bar

    @cached_property
    def registry(self) -> Registry[Any]:
        """The commands of the screen."""
        return self.kind.registry

    @cached_property
    def keymap(self) -> Keymap[Any]:
        """Their keys."""
        return Keymap(self.registry, self.settings.keys)

    @cached_property
    def widths(self) -> dict[str, int]:
        """The widths of its columns that were chosen, in percent, by their names."""
        return widths_of(self.kept_as)

    @property
    def scope(self) -> str:
        """The pane that has the focus, by the name its widget declares."""
        widget: Any = self.focused
        while widget is not None and widget is not self:
            scope = getattr(widget, "scope", "")
            if scope:
                return str(scope)
            widget = widget.parent
        return ""

    async def on_key(self, event: events.Key) -> None:
        """Run the command of a key that no widget has taken.

        What goes on with a key that did nothing was meant for a text: it runs nothing but moves. A pause ends that,
        and any key that types nothing.
        """
        goes_on = event.is_printable and event.time < self.last_key + self._in_vain_s and self._in_vain_s > 0
        if not goes_on:
            self._in_vain_s = 0.0
        self.last_key = event.time
        self.hush()
        before, self._first_key_typed = self._first_key_typed, ""
        command = self.keymap.find(self.scope, event.key, event.character, before, lambda item: item.needs(self))
        if command is not None:
            event.stop()
            event.prevent_default()
            if goes_on and not command.moves:
                self.refuse(
                    f"{event.character} runs no command right after a key that did nothing: pause, or escape"
                )
                return
            if event.is_printable and command.writes and command.needs(self):
                self._in_vain_s = REFUSED_S
            self.run_command(command)
        elif before or event.key not in self.active_bindings:
            event.stop()
            self._handle_unbound_key(before, event)

    def _handle_unbound_key(self, before: str, event: events.Key) -> None:
        """Wait for the second of two keys, cancel what was begun, or say that a key does nothing."""
        following = self.keymap.going_on(self.scope, event.character)
        if not before and following:
            self._first_key_typed = event.character or ""
            choices = ", ".join(f"{key} {item.title.lower()}" for key, item in following)
            self._tell(f"{self._first_key_typed} …  {choices}", "text", stays=True)
        elif not (before and event.key == "escape"):
            label = key_label(event.character if event.is_printable and event.character else event.key)
            lists, leaves = (self.key_of(*names) for names in (_LISTS, (_QUIT,)))
            out = f", {leaves} leaves" if label == "q" and leaves else ""
            listed = f"; {lists} lists the keys" if lists else ""
            self.refuse(f"{before}{label} does nothing here{listed}{out}")
            if event.is_printable and not before:
                self._in_vain_s = max(self._in_vain_s, UNBOUND_S)

    def run_command(self, command: Command[Any]) -> None:
        """Run a command; what it refuses is said and changes nothing. One that asks something goes on by itself.

        A key may still be on its way to a screen that is going away.
        """
        if not is_there(self):
            return
        why = command.needs(self)
        if why:
            self.refuse(why)
            return
        try:
            outcome = command.run(self)
        except SampleUIError as error:
            self.complain(error)
            return
        if inspect.iscoroutine(outcome):
            self.run_worker(self._guarded(outcome), group=COMMANDS)

    async def _guarded(self, outcome: Any) -> None:
        try:
            await outcome
        except SampleUIError as error:
            self.complain(error)

    def on_key_bar_pressed(self, message: KeyBar.Pressed) -> None:
        """Run the command that was clicked."""
        self.run_command(self.registry[message.hint.command])

    def on_first_drawn(self) -> None:
        """Load and show what the first frame did without: the commands. What is typed waits for it."""
        self.show_keys()

    def show_keys(self) -> None:
        """Show in the footer what can be done where the cursor is, and only that."""
        if not self.is_drawn:
            return
        hints = {
            item.id: Hint(key, self.footer_title(item), item.id, can_act, item.id in _STAYING)
            for item in self.keymap.offered(self.scope)
            if (key := self._first_key(item)) and ((can_act := not item.needs(self)) or item.id in STEADY)
        }
        shown: dict[str, str] = {}
        for name, hint in hints.items():  # of two commands of one key the footer has the one that the key runs
            if hint.can_act:
                shown.setdefault(hint.key, name)
        hints = {name: hint for name, hint in hints.items() if not hint.can_act or shown[hint.key] == name}
        at_end = (next((name for name in _LISTS if name in hints), ""), _QUIT)
        pinned = [hints.pop(name) for name in at_end if name in hints]
        self.key_bar.show([*hints.values()], pinned, [*hints].index(_SAVE) + 1 if _SAVE in hints else 0)

    def footer_title(self, command: Command[Any]) -> str:
        """Return what the footer calls a command."""
        return "Back" if command.id == _QUIT and is_above_another(self) else command.title

    def _first_key(self, command: Command[Any]) -> str:
        return next(iter(self.keymap.keys_in(self.scope, command)), "")

    def key_of(self, *names: str) -> str:
        """Return, as people read it, the key of the first of some commands that has one here; empty for none."""
        keys = (self._first_key(self.registry[name]) for name in names)
        return next((key_label(key) for key in keys if key), "")

    def say(self, text: str) -> None:
        """Tell something in passing, until the next key is pressed."""
        self._tell(f"✓ {one_line(text)}", "added")

    def warn(self, text: str) -> None:
        """Tell something that is not well."""
        self._tell(f"! {one_line(text)}", "warning-bold")

    def complain(self, error: SampleUIError) -> None:
        """Say why something was not done."""
        self._tell(f"✖ {one_line(str(error), MAX_REASON)}", "warning-bold")

    def refuse(self, why: str) -> None:
        """Say why a key does nothing."""
        self._tell(f"– {one_line(why)}", "muted")

    def hush(self) -> None:
        """Take back what was said."""
        self.message_line.hush()

    def _tell(self, text: str, style: str, *, stays: bool = False) -> None:
        self.message_line.say(text, style)
        if self._message_timer is not None:
            self._message_timer.stop()
        if not stays and not self.app.has_class(PLAIN):  # where it is read aloud, it stays until the next key
            self._message_timer = once(self, _MESSAGE_SECONDS, self.hush)

    def told_of_settings(self, folder: Path, *known: str) -> str:
        """Return what is to be told of the settings of a folder's project and was not yet; empty for nothing.

        The names of tables that are guessed and not kept are known as well.
        """
        if not (self.settings.view or self.settings.left):
            return ""
        from sampleui.settings.project_remarks import remarks

        told = cast("SampleUI", self.app).told
        with suppress(SettingsError):  # the file may have been broken since the settings were read
            new = [item for item in remarks(folder, known) if item not in told]
            told.update(new)
            return "; ".join(f"{item.path.name}:{item.line}:{item.column}: {item.message}" for item in new)
        return ""

    async def answer_to(self, box: Screen[Any]) -> Any:
        """Ask a question by a box over the screen and return its answer; None for none."""
        return await self.app.push_screen_wait(box)

    def copy(self, text: str, what: str, note: str = "") -> None:
        """Copy a text and say who took it, and a note behind that."""
        self.say(cast("SampleUI", self.app).hand_over(text).format(what) + note)

    async def open_commands(self) -> None:
        """List every command, to be found by its name and run."""
        from sampleui.tui.screens.command_boxes import CommandList

        why = {command.id: command.needs(self) for command in self.registry}
        listed = [command for command in self.registry if command.id not in _LISTS]
        picked = await self.app.push_screen_wait(CommandList(listed, self.keymap, self.scope, why))
        if picked:
            self.run_command(self.registry[picked])

    def keep_typed(self) -> None:
        """Write down what is being typed, in a session that ends without leave; nothing if nothing is."""

    def suspend(self) -> None:
        """Stop the app until the shell brings it back."""
        try:
            stop(self.app)
        except SuspendNotSupported:
            raise EditRefusedError("there is no shell to go back to") from None

    def on_paste(self, event: events.Paste) -> None:
        """Take a text that was pasted while none is edited."""
        if self.scope not in TYPING:
            self.take_pasted(event.text)

    def take_pasted(self, _text: str) -> None:
        """Say of a text that was pasted what it would do."""
        self.refuse("a pasted text goes into a text that is edited; enter opens the one under the cursor")

    def leave(self) -> None:
        """Go back to the screen below, or end the app."""
        if is_above_another(self):
            self.dismiss(0)
        else:
            self.app.exit(0)

    # Panes

    def columns(self) -> list[PaneColumn]:
        """Return the parts whose width can be chosen; one part beside them takes what is left."""
        return []

    def widen(self, by: int) -> None:
        """Make the pane with the focus wider by some percent of the screen, or narrower; this is remembered.

        Raises:
            EditRefusedError: if there is no room for that, or only one pane is shown.
        """
        columns = self.columns()
        if not columns or self.has_class("narrow"):
            raise EditRefusedError("the pane has the whole screen")
        around = self._current().frame.ancestors_with_self
        column = next((item for item in columns if item.frame in around), None)
        if column is None:  # the part that takes what is left
            column, by = columns[-1], -by
        widths = {item.name: self.widths.get(item.name, item.usual) for item in columns}
        widths[column.name] += by
        if widths[column.name] < _NARROWEST or 100 - sum(widths.values()) < _NARROWEST:
            raise EditRefusedError("there is no room for that")
        self.widths = widths
        remember_widths(self.kept_as, widths)
        self.fit()

    def panes(self) -> list[Pane]:
        """Return the panes in the order that Tab goes through them."""
        raise NotImplementedError

    def shown_panes(self) -> list[Pane]:
        """Return the panes that have something to show."""
        return self.panes()

    def folded(self, pane: Pane) -> bool:
        """Tell whether a pane is hidden for lack of room, though the terminal is not narrow."""
        return False

    @property
    def pane(self) -> Movable:
        """The pane that has the focus."""
        return cast("Movable", self._current().target)

    def name_panes(self) -> None:
        """Write their titles on the panes and fit them to the terminal."""
        for pane in self.panes():
            pane.frame.border_title = Content(pane.title)
        self.fit()

    def turn_pane(self, by: int) -> None:
        """Give the focus to another pane."""
        panes = self.shown_panes()
        scopes = [pane.scope for pane in panes]
        current = self._current().scope
        index = scopes.index(current) if current in scopes else 0
        # At once and not by `focus`, which waits: keys that are typed ahead must meet the new pane.
        self.set_focus(panes[(index + by) % len(panes)].target)

    def go_to_pane(self, scope: str) -> None:
        """Give the focus to a pane by its name."""
        self.set_focus(next(pane.target for pane in self.panes() if pane.scope == scope))

    def zoom(self) -> None:
        """Show the pane with the focus alone, as in a narrow terminal, or all of them again."""
        self.zoomed = not self.zoomed
        self.fit()

    def cannot_zoom(self) -> str:
        """Say why zooming would change nothing, empty if it would."""
        return "the pane has the whole screen already" if self._is_narrow() else ""

    def _is_narrow(self) -> bool:
        return self.app.size.width < NARROW or self.app.has_class(PLAIN)

    def fit(self) -> None:
        """Show every pane, or zoomed and in a narrow terminal the one with the focus."""
        narrow = self.zoomed or self._is_narrow()
        self.set_class(narrow, "narrow")
        for column in self.columns():
            chosen = None if narrow else self.widths.get(column.name)
            resize(column.frame, "width", None if chosen is None else f"{chosen}%")
            resize(column.frame, "max_width", None if chosen is None else "100%")
        current = self._current()
        shown = self.shown_panes()
        for pane in self.panes():
            put_away(pane.frame, pane not in shown or (pane != current if narrow else self.folded(pane)))
        for row in dict.fromkeys(pane.frame.parent for pane in self.panes()):
            if isinstance(row, Widget) and row.has_class("pane-row"):
                put_away(row, narrow and current.frame not in row.children)
        index = next((number for number, pane in enumerate(shown) if pane.scope == current.scope), 0)
        self.tabs.show(tuple(pane.title for pane in shown), index)

    def _current(self) -> Pane:
        scope = self.scope
        panes = self.panes()
        if scope in TYPING and self.focused is not None:
            around = self.focused.ancestors_with_self
            scope = next((pane.scope for pane in panes if pane.frame in around), "")
        wanted = scope or self.home
        home = next((pane for pane in panes if pane.scope == self.home), panes[0])
        return next((pane for pane in panes if pane.scope == wanted), home)

    def on_descendant_focus(self, _event: events.DescendantFocus) -> None:
        """Show the keys of the pane, and in a narrow terminal the pane itself."""
        self.fit()
        self.show_keys()

    def on_resize(self) -> None:
        """Fit the panes to the terminal."""
        self.fit()

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Go to the pane that was clicked."""
        self.shown_panes()[message.index].target.focus()


def is_above_another(screen: Screen[Any]) -> bool:
    """Tell whether leaving a screen goes back to another one, and does not end the app."""
    stack = screen.app.screen_stack
    below = stack[: stack.index(screen)] if screen in stack else stack
    return any(isinstance(item, CommandScreen) for item in below)
