"""All that depends on how Textual works inside, and may have to change with it.

Whether all that a key caused has happened, timers that are sure to call back, screens that lie over each other,
the parts of Textual's driver that ours uses, and what is written to the terminal.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import textual.keys
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._context import visible_screen_stack
from textual._keyboard_protocol import FUNCTIONAL_KEYS, MODIFIER_FUNCTIONAL_KEYS
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.dom import DOMNode
from textual.events import Resize, ScreenResume
from textual.filter import LineFilter
from textual.geometry import Offset, Size
from textual.keys import Keys
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.timer import Timer
from textual.walk import walk_depth_first
from textual.worker import WorkerState

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.drivers.linux_driver import LinuxDriver

    from sampleui.tui.drawing.screen_reader import TerminalFrame

_Arguments = ParamSpec("_Arguments")


def certain(timer: Timer) -> Timer:
    """Return a timer that calls back once, made certain to do so however late its task begins.

    A timer of Textual's leaves out ticks that it is late for. One whose task is held up for all of its time as it
    begins leaves its only tick out, and never comes.
    """
    timer._skip = False
    return timer


def is_there(node: DOMNode) -> bool:
    """Tell whether a node is part of an app that goes on, and is not being taken away."""
    return node.is_attached and not node._pruning


def tell(
    node: DOMNode, hear: Callable[_Arguments, object], *args: _Arguments.args, **named: _Arguments.kwargs
) -> None:
    """Call in the thread that draws, from another one, unless a node has gone meanwhile."""

    def call() -> None:
        if is_there(node):
            hear(*args, **named)

    node.app.call_from_thread(call)


def once(pump: MessagePump, seconds: float, callback: Callable[[], Any]) -> Timer:
    """Call back once, some seconds from now."""
    return certain(pump.set_timer(seconds, callback))


COMMANDS = "commands"
"""The group of workers that run commands: one on the screen in front is at work, one below a dialog waits."""

_EAGER = 200
"""Looks without a pause, after which something is waited for that takes its time: a frame, a file, a thread."""

_PAUSE = 0.002

_TURN, _TURNS = 0.001, 50
"""Seconds that Textual's thread gets to write the first frame of a screen, before more is done, and how often it
gets them at the most: on a busy machine it may wait for its turn, and a terminal may take no output."""


async def wait_until_idle(app: App[Any]) -> None:
    """Wait until no message is pending, nothing is to be laid out, and no command is at work.

    Two looks in a row must find nothing, since a task that was just made has no message yet. A frame that only its
    time holds back is drawn at once. An app that has ended has settled.
    """
    quiet = looks = 0
    while quiet < 2 and app.is_running and app.screen_stack:
        silent = _waits_for_message(app) and _is_silent(app)
        quiet = quiet + 1 if silent and not _is_frame_due(app) and not at_work(app) else 0
        if silent and _is_frame_due(app) and not app._batch_count:
            app.screen.call_next(app.screen._on_timer_update)
        looks += 1
        await asyncio.sleep(0 if looks < _EAGER else _PAUSE)


def is_idle(app: App[Any]) -> bool:
    """Tell the same of an app that is handling one message, the one that asks."""
    return _is_silent(app) and not _is_frame_due(app) and not at_work(app)


def _is_silent(app: App[Any]) -> bool:
    inside: Any = app
    return (
        inside._message_queue.empty() and not inside._next_callbacks and all(map(_waits_for_message, _pumps(app)))
    )


def _is_frame_due(app: App[Any]) -> bool:
    screen: Any = app.screen
    return bool(screen._layout_required or screen._scroll_required or screen._callbacks)


def _waits_for_message(pump: Any) -> bool:
    """Tell whether a pump waits for a message; one that handles a message waits for something else."""
    queue = pump._message_queue
    return queue.empty() and bool(queue.ready_event._waiters)


def _pumps(app: App[Any]) -> Iterator[MessagePump]:
    for screen in app.screen_stack:
        for node in walk_depth_first(screen):
            if not (node._closing or node._closed or node._pruning):
                yield node


def at_work(app: App[Any]) -> bool:
    """Tell whether a command is at work, whose screen is in front."""
    return any(
        worker.group == COMMANDS and not worker.is_finished and worker.node in (app, app.screen)
        for worker in app.workers
    )


def _end_work(app: App[Any], node: DOMNode | None = None) -> None:
    """Cancel what goes on in an app, or for one of its screens; what has not begun is never waited for."""
    for worker in [worker for worker in app.workers if node in (None, worker.node)]:
        worker.cancel()
        if worker.state is WorkerState.PENDING and asyncio.iscoroutine(worker._work):
            worker._work.close()


Answer = TypeVar("Answer")


class StackedScreen(Screen[Answer]):
    """A screen that others may lie over, or that lies over others. Only the one in front closes.

    Keys and clicks that were on their way when it closed still reach it, and a second answer would be that of the
    screen below.
    """

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close with an answer; a screen that is not in front, any more or for now, stays as it is.

        What goes on for it is cancelled first: Textual does so only when its widgets are gone.
        """
        if not self.is_active:
            return AwaitComplete()
        _end_work(self.app, self)
        return super().dismiss(result)

    is_drawn = False
    """Whether it has been drawn once."""

    def on_first_drawn(self) -> None:
        """Note that it was drawn for the first time."""

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Skip the second pass over the styles of a screen that is about to be drawn for the first time.

        They were applied as its widgets were mounted, and again to what has had the focus or a class since.
        """
        if not self.is_drawn:
            event.refresh_styles = False

    def _screen_resized(self, size: Size) -> None:
        """Lay out for another size. Each layout of a new size reports it, and Textual would do it once more."""
        if size != self._compositor.size:
            super()._screen_resized(size)

    def _compositor_refresh(self) -> None:
        """Draw what has changed. Below a box, Textual would draw all of both screens at each later message."""
        super()._compositor_refresh()
        if self is not self.app.screen:
            self._repaint_required = False
        if not self.is_drawn and not self.app._batch_count:
            self.is_drawn = True
            _let_write(self.app)
            self.call_next(self._go_on)

    def _go_on(self) -> None:
        if self.is_attached:  # of an app that ended with its first frame nothing can be mounted any more
            self.on_first_drawn()


def _let_write(app: App[Any]) -> None:
    """Wait a little until what an app has drawn so far is written to its terminal."""
    thread: Any = getattr(app._driver, "_writer_thread", None)
    for _ in range(_TURNS):
        time.sleep(_TURN)
        if thread is None or thread._queue.empty():
            break
    time.sleep(_TURN)


_FRAME_DELAY_S = 0.03
"""Seconds after something was drawn, in which more of what a key did may be drawn too."""

_MAX_FRAME_DELAYS = 10
"""Such delays after which a frame is written although more is pending."""

_NOWHERE = Offset(-1, -1)


class LinewiseApp(App[Answer], inherit_bindings=False):
    """An app that can write to the terminal only the lines whose text changed, once for each key.

    Textual writes whatever was drawn again, as often as it is, and a screen reader reads all of that.

    Attributes:
        by_line: whether it does so. What it writes has no colours, since these can change where no text does.
    """

    by_line = False
    _frame: TerminalFrame | None = None
    _resting: Timer | None = None

    def exit(
        self, result: Answer | None = None, return_code: int = 0, message: RenderableType | None = None
    ) -> None:
        """End the app, and first what goes on in it: Textual cancels that when its widgets are gone."""
        _end_work(self)
        super().exit(result, return_code, message)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if not self.by_line:
            super()._display(screen, renderable)
            return
        if renderable is not None and self._resting is None:
            self._write_later(1)
        self.post_display_hook()

    def _write_later(self, count: int) -> None:
        self._resting = once(self, _FRAME_DELAY_S, lambda: self._write_frame(count))

    @property
    def is_written(self) -> bool:
        """Whether all that was drawn has been written."""
        return self._resting is None

    def write_all(self) -> None:
        """Have the next frame written as a whole: the terminal shows something else."""
        self._frame = None
        self.refresh(layout=True)

    item_height = 1
    """The lines of the item that a widget last put the cursor on."""

    def announced_rows(self) -> tuple[int | None, int | None]:
        """Return the rows of what tells what a key did and of the title; None where nothing is told."""
        return (None, None)

    def default_spot(self) -> Offset | None:
        """Return where the cursor is that no widget places; None for nowhere."""
        return None

    def _write_frame(self, count: int) -> None:
        self._resting = None
        driver = self._driver
        if driver is None or not self.screen_stack or not self.is_running:
            return
        if self._batch_count or (not is_idle(self) and count < _MAX_FRAME_DELAYS):
            self._write_later(count + 1)
            return
        from textual.widgets import Input, TextArea

        from sampleui.tui.drawing.screen_reader import TerminalFrame, updates

        screen = self.screen
        self.cursor_position = _NOWHERE
        for widget in screen._compositor.visible_widgets:
            widget._styles_cache.clear()  # drawn anew, a widget says where its cursor is
        visible_screen_stack.set(self._background_screens)
        lines = tuple(strip.text.rstrip() for strip in screen._compositor.render_strips(self.size))
        pointed = self.cursor_position
        field = self.focused if isinstance(self.focused, Input | TextArea) else None
        if pointed == _NOWHERE:
            spot = field.cursor_screen_offset if field is not None else self.default_spot()
            self.cursor_position = spot or Offset(0, 0)
        frame = TerminalFrame(
            lines,
            screen.outer_size.clamp_offset(self.cursor_position),
            range(0) if pointed == _NOWHERE else range(pointed.y, min(pointed.y + self.item_height, len(lines))),
            *self.announced_rows(),
            range(field.region.y, field.region.bottom) if field is not None else range(0),
        )
        for text in updates(self._frame, frame):
            driver.write(text)
        driver.flush()
        self._frame = frame


def add_filter(app: App[Any], line_filter: LineFilter) -> None:
    """Have an app draw every line through a filter, after Textual's own."""
    app._filters.append(line_filter)


def show_cursor(app: App[Any]) -> None:
    """Show the terminal's cursor, which Textual moves to where one types but hides."""
    if app._driver is not None:
        app._driver.write("\x1b[?25h")


def keep_copied(app: App[Any], text: str) -> None:
    """Have an app's own clipboard hold a text that went to the system's."""
    app._clipboard = text


def key_name(character: str) -> str:
    """Return the name that Textual gives the key of a character: `question_mark` for `?`."""
    return textual.keys._character_to_key(character)


_KEY = re.compile(r"\[(\d*)(?::[\d:]*)?(?:;(\d{0,3})(?::(\d))?(?:;([\d:]*))?)?([u~A-FHPQRS])")
"""A key in Kitty's protocol, or in the older form that it extends: code, modifiers, kind of event, text, end."""

_SS3_KEY = re.compile(r"O[A-DFHP-Sa-d]")
"""A key of cursors and functions; those of a keypad come in a mode that is never set."""

_MOUSE = re.compile(r"\[<\d{1,5};-?\d{1,5};-?\d{1,5}[mM]")
_ANSWER = re.compile(r"\[(?:\?\d{1,5};\d\$y|48(?:;\d{1,5}){4}t)")
"""Whether the terminal has a mode that Textual asks for, and its size."""

_RELEASED = "3"
_SURROGATES = range(0xD800, 0xE000)
_NO_KEYS = MODIFIER_FUNCTIONAL_KEYS | {"caps_lock", "scroll_lock", "num_lock", Keys.Ignore}


class SequenceDecoder:
    """Textual's parser, given whole sequences that it knows, and characters; nothing is left over in it."""

    def __init__(self) -> None:
        self._parser: Any = XTermParser()

    def typed(self, text: str) -> Iterator[Message]:
        """Yield the keys of characters."""
        return iter(self._parser.feed(text) if text else ())

    def decoded(self, sequence: str) -> Iterator[Message]:
        """Yield what a sequence, given without its ESC, means; nothing for one that Textual does not know.

        A modifier alone, a key that is let go, and what is no character are no keys.
        """
        if _MOUSE.fullmatch(sequence):
            if (event := self._parser.parse_mouse_code(f"\x1b{sequence}")) is not None:
                yield event
        elif _ANSWER.fullmatch(sequence):
            yield from self._parser.feed(f"\x1b{sequence}")
        elif (key := _known_key(sequence)) is not None:
            for event in self._parser._sequence_to_key_events(key):
                if event.key.rpartition("+")[2] not in _NO_KEYS:
                    yield event


def _known_key(sequence: str) -> str | None:
    """Return a sequence of a key as Textual reads it; None if it is none, or none that Textual knows."""
    match = _KEY.fullmatch(sequence)
    if match is None or f"\x1b{sequence}" in ANSI_SEQUENCES_KEYS:
        is_known = _SS3_KEY.fullmatch(sequence) or (sequence[0] != "O" and f"\x1b{sequence}" in ANSI_SEQUENCES_KEYS)
        return f"\x1b{sequence}" if is_known else None
    code, modifiers, kind, text, end = match.groups(default="")
    if (code, end) == ("27", "~"):  # as xterm and tmux have keys that had no sequence
        code, text, end = text, "", "u"
    numbers = [int(digits) for digits in (code, *text.split(":")) if digits]
    is_text = all(number <= sys.maxunicode and number not in _SURROGATES for number in numbers)
    if kind == _RELEASED or not is_text or (end != "u" and f"{code or 1}{end}" not in FUNCTIONAL_KEYS):
        return None
    return "\x1b[" + ";".join((code, modifiers, text)).rstrip(";") + end


class OwnTerminal:
    """To be mixed into a driver of Textual's: what it does about its terminal's size and about being stopped."""

    fileno: int
    _app: Any
    _auto_restart: bool

    @property
    def app(self) -> Any:
        """The app that is drawn."""
        return self._app

    def stop(self) -> None:
        """Stop as the app stops by itself."""
        raise NotImplementedError

    def take_over_again(self) -> None:
        """Take the terminal over, whatever was done to it while the app was stopped."""
        raise NotImplementedError

    def _sigtstp_application(self, *_: object) -> None:
        """Stop in a pause of the app's; while another program has the terminal, at once."""
        if self._auto_restart:
            asyncio.get_running_loop().call_soon_threadsafe(self.stop)
        else:
            os.kill(os.getpid(), signal.SIGSTOP)

    def _sigcont_application(self, *_: object) -> None:
        """Come back from a stop that nobody told of: Textual would start again beside what runs."""
        if self._auto_restart:
            asyncio.get_running_loop().call_soon_threadsafe(self.take_over_again)

    def _get_terminal_size(self) -> tuple[int, int]:
        """Return columns and lines as the terminal tells, or else as Textual does.

        Textual believes `COLUMNS` and `LINES` first, which may be of another terminal, and has no setting for it.
        """
        try:
            columns, lines = os.get_terminal_size(self.fileno)
        except OSError:
            columns = lines = 0
        usual: Callable[[], tuple[int, int]] = super()._get_terminal_size  # type: ignore[misc]
        return (columns, lines) if columns and lines else usual()


def post_size(driver: LinuxDriver, loop: asyncio.AbstractEventLoop) -> None:
    """Post the terminal's size as it is now, as Textual posts it at the start, so that it comes after that.

    A terminal that reports its size by itself is not asked.
    """
    if not driver._in_band_window_resize:
        size = Size(*driver._get_terminal_size())
        asyncio.run_coroutine_threadsafe(driver._app._post_message(Resize(size, size)), loop)
