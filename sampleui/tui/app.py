"""The app around its screens: its first screen, its input and its colours, and its end, whatever ends it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.driver import Driver
from textual.filter import LineFilter
from textual.geometry import Offset
from textual.screen import Screen
from textual.timer import Timer, TimerCallback

from sampleui.integrations import index
from sampleui.integrations.foreign_code import leave
from sampleui.settings.options import Settings, user_file
from sampleui.text.visible import visible
from sampleui.tui.clipboard import Taker, pasted, taken_by
from sampleui.tui.commands import ScreenKind, use_keys
from sampleui.tui.input.driver import TerminalDriver
from sampleui.tui.input.input_queue import InputQueue, Typed
from sampleui.tui.screens.base import CommandScreen, ScreenMaker
from sampleui.tui.terminal import INTERRUPTED, handled, put_back, usual_modes
from sampleui.tui.textual_internals import (
    LinewiseApp,
    add_filter,
    certain,
    keep_copied,
    show_cursor,
)
from sampleui.tui.themes import DEFAULT, shipped, theme_files, use_theme, variable_defaults
from sampleui.tui.widgets.bars import PLAIN, MessageLine

if TYPE_CHECKING:
    from textual.app import App

    from sampleui.text.diagnostic import Diagnostic


class ControlFilter(LineFilter):
    """Replaces what `visible` would. Widgets make their text visible themselves; this catches those that do not."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments with their control characters replaced, one cell for each."""
        if all(text.isprintable() for text, _, control in segments if not control):
            return segments
        return [
            segment
            if segment.control or segment.text.isprintable()
            else Segment(visible(segment.text, _one_cell), segment.style)
            for segment in segments
        ]


_OF_EMOJI = "\u200d\ufe0e\ufe0f"  # a widget may have drawn the emoji in two pieces


def _one_cell(character: str) -> str:
    symbol = character if character in _OF_EMOJI else visible(character)
    return symbol if len(symbol) == 1 else "�"


class SampleUI(LinewiseApp[int], inherit_bindings=False):
    """The app around a first screen, which is made when the app runs.

    Attributes:
        told: what was told of the settings of projects.
    """

    TITLE = "sampleui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Screen { background: $background; color: $foreground; }
    ModalScreen { background: $background 60%; }
    Input > .input--placeholder, Input > .input--suggestion { color: $text-muted; }
    Toast { background: $panel; padding: 0 1; border-left: outer $accent; }
    """

    def __init__(self, first: ScreenMaker, settings: Settings) -> None:
        super().__init__(css_path="plain.tcss" if settings.plain else None)
        self._first = first
        self.input = InputQueue(self, self._bound)
        self.settings = settings
        self.told: set[Diagnostic] = set()
        use_keys(settings.keys)
        add_filter(self, ControlFilter())
        self.theme_files = theme_files(shipped(), user_file().parent / "themes")
        use_theme(self, settings.theme or DEFAULT)
        self.stylesheet = Stylesheet(variables=self.get_css_variables())  # of this theme, before it is parsed
        self.set_class(settings.plain, PLAIN)
        self.by_line = settings.plain
        self._is_up = False
        index.warn_by(partial(self.call_later, self._warn))  # a deck may be read by a thread

    def _warn(self, line: str) -> None:
        for screen in self.screen_stack[-1:]:
            if isinstance(screen, CommandScreen):
                screen.warn(line)

    def _come_back(self, _: App[Any]) -> None:
        show_cursor(self)
        self.write_all()

    def announced_rows(self) -> tuple[int | None, int | None]:
        """Return the row above the keys, if it tells something of the last one, and the row of the title."""
        line = next(iter(self.screen.query(MessageLine)), None)
        return (
            line.region.y if line is not None and line.message is not None else None,
            0 if isinstance(self.screen, CommandScreen) else None,
        )

    def default_spot(self) -> Offset | None:
        """Return where the answer that is chosen is, or else where what has the focus begins."""
        chosen = next(iter(self.screen.query(".chosen")), self.focused)
        return chosen.content_region.offset if chosen is not None else None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return sampleui's own variables for themes that lack them."""
        return dict(variable_defaults(self.current_theme))

    def copy_to_clipboard(self, text: str) -> None:
        """Copy a text, to wherever there is a clipboard."""
        self.hand_over(text)

    def hand_over(self, text: str) -> Taker:
        """Copy a text and tell who took it; what no one else takes goes to the terminal, which may allow it."""
        # Half of a character is what none of them can hold.
        whole = text.encode("utf-8", "replace").decode()
        taker = taken_by(whole)
        if taker is Taker.TERMINAL:
            super().copy_to_clipboard(whole)
        else:
            keep_copied(self, whole)
        return taker

    @property
    def clipboard(self) -> str:
        """What the system's clipboard holds, or else what was copied in the app."""
        system_text = pasted()
        return super().clipboard if system_text is None else system_text

    def get_default_screen(self) -> Screen[int]:
        """Return the first screen; Textual would else draw a blank one below it."""
        return self._first()

    def get_driver_class(self) -> type[Driver]:
        """Return the driver that reads keys as they were typed; Textual's own if there is none of ours."""
        usual = super().get_driver_class()
        if usual.__module__ != "textual.drivers.linux_driver":
            return usual
        return TerminalDriver

    async def on_event(self, event: events.Event) -> None:
        """Handle an event; a key, a click or a pasted text when it is its turn."""
        if isinstance(event, Typed) and not event.is_forwarded and not self.input.admit(event):
            return
        await super().on_event(event)

    def set_timer(
        self,
        delay: float,
        callback: TimerCallback | None = None,
        *,
        name: str | None = None,
        pause: bool = False,
    ) -> Timer:
        """Call back once after a delay, for certain.

        Textual takes over a new size of the terminal by such a timer of the app. If it never came, neither would
        any later size.
        """
        return certain(super().set_timer(delay, callback, name=name, pause=pause))

    def _bound(self, key: str) -> bool:
        screen = self.screen
        if isinstance(screen, CommandScreen) and screen.keymap.find(screen.scope, key, None) is not None:
            return True
        return key in screen.active_bindings

    def on_ready(self) -> None:
        """Take what is typed, and collect garbage again, now that the start is over."""
        self._is_up = True
        if self.settings.plain:
            show_cursor(self)
            self.app_resume_signal.subscribe(self, self._come_back)
        self.input.open()
        self.screen.call_next(_collect_garbage)  # after what the first screen does once it is drawn

    def refresh_css(self, animate: bool = True) -> None:
        """Apply the style sheets again, unless nothing was drawn by them yet."""
        if self._is_up:
            super().refresh_css(animate)


def _collect_garbage() -> None:
    gc.enable()
    gc.freeze()


_SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""

_SHUTDOWN_TIMEOUT_S = 1.5
"""Seconds after which an app that was told to end is ended by force: it is at work, or its terminal is gone and
takes no more output."""

_LEFT = "\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
"""What Textual's driver writes when it stops."""


def run(first: ScreenMaker, settings: Settings) -> int:
    """Run the app and return the exit code: the one it was left with, 1 after a crash, 128 + N after signal N.

    A signal that ends it leaves the journal whole, with what is being typed, and the terminal as it was.

    Raises:
        SettingsError: for keys that cannot be used.
    """
    check_bound_keys(settings)
    app = SampleUI(first, settings)
    modes = usual_modes()

    def force(code: int, sequences: str = _LEFT) -> None:
        put_back(modes, sequences)
        os._exit(code)

    def end(number: int, _frame: FrameType | None) -> None:
        code, told = _SIGNALLED + number, INTERRUPTED if number == signal.SIGINT else ""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            force(code, told)
            return
        if not app.input.handed:  # nothing was typed that could be lost, and screens in the making cannot be left
            force(code, _LEFT + told)
            return
        timer = threading.Timer(_SHUTDOWN_TIMEOUT_S, force, (code,))
        timer.daemon = True
        timer.start()
        loop.call_soon_threadsafe(app.call_later, _leave, app, code)

    with handled(("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP"), end), handled(("SIGUSR1",), leave):
        code = app.run()
    return code if code is not None else app.return_code or 0


def _leave(app: App[int], code: int) -> None:
    for screen in app.screen_stack:
        if isinstance(screen, CommandScreen):
            screen.keep_typed()
    app.exit(code)


def check_bound_keys(settings: Settings) -> None:
    """Raise SettingsError for keys of the settings that cannot be used."""
    if settings.keys or settings.commands:
        from sampleui.tui.bound_keys import check_keys, check_own_commands

        if settings.keys:
            check_keys(settings, [kind.registry for kind in ScreenKind])
        if settings.commands:
            check_own_commands(settings, ScreenKind.REVIEW.registry)
