"""The last line: the keys that matter where the focus is, or what there is to say about the last one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message

from sampleui.tui.commands import Command, key_label
from sampleui.tui.rows import Row, fitted
from sampleui.tui.widgets.line_bar import LineBar


class KeyBar(LineBar):
    """As many commands as fit, the most important first; the ones pinned to the end always fit."""

    class Pressed(Message):
        """A command was clicked."""

        def __init__(self, command: str) -> None:
            super().__init__()
            self.command = command

    said: tuple[str, str] | None = None
    offered: Sequence[tuple[Command[object], str]] = ()
    pinned: Sequence[tuple[Command[object], str]] = ()

    def show(
        self, offered: Sequence[tuple[Command[object], str]], pinned: Sequence[tuple[Command[object], str]]
    ) -> None:
        """Show other commands, each with the key that runs it."""
        self.offered, self.pinned = offered, pinned
        self.update()

    def say(self, text: str, style: str) -> None:
        """Show a message instead of the keys."""
        self.said = (style, text)
        self.update()

    def hush(self) -> None:
        """Show the keys again."""
        if self.said is not None:
            self.said = None
            self.update()

    def placed(self, width: int) -> list[tuple[int, int, Command[object], str]]:
        """Return what fits: (first cell, end cell, command, key label)."""
        room = width - sum(_cells(command, key) for command, key in self.pinned) - 1
        at, found = 1, []
        for command, key in self.offered:
            size = _cells(command, key)
            if at + size <= room:
                found.append((at, at + size, command, key_label(key)))
                at += size
        at = width - sum(_cells(command, key) for command, key in self.pinned)
        for command, key in self.pinned:
            size = _cells(command, key)
            found.append((at, at + size, command, key_label(key)))
            at += size
        return found

    def row(self, width: int) -> Row:
        """Return the keys and what they do, or the message."""
        if self.said is not None:
            style, text = self.said
            return (("text", " "), (style, fitted(text, width - 2)))
        parts: list[tuple[str, str]] = []
        at = 0
        for start, end, command, key in self.placed(width):
            if start > at:
                parts.append(("text", " " * (start - at)))
            parts += [("accent-bold", key), ("muted", f" {command.title}  ")]
            at = end
        return tuple(parts)

    def on_click(self, event: events.Click) -> None:
        """Run the command under the mouse."""
        for start, end, command, _ in () if self.said else self.placed(self.size.width):
            if start <= event.x < end - 2:
                self.post_message(self.Pressed(command.id))


def _cells(command: Command[object], key: str) -> int:
    return cell_len(key_label(key)) + 1 + cell_len(command.title) + 2
