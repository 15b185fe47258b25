"""Commands that mark rows to be acted on together, by the same keys and names on every screen that has marks."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, Protocol

from sampleui.tui.commands import Command, Registry


class Marks(Protocol):
    """What is marked on a screen."""

    def toggle(self) -> None:
        """Mark what the cursor is on, or remove its mark, and go on to the next one."""

    def extend(self) -> None:
        """Mark all from the one that was marked last to the one with the cursor."""

    def toggle_all(self) -> None:
        """Mark all that is shown; if all are marked, none."""


class MarkHost(Protocol):
    """A screen with marks."""

    @property
    def marks(self) -> Marks:
        """Its marks."""


_MARKING: Registry[MarkHost] = Registry()
_GROUP = "Marks"


def marking(panes: str, needs: Callable[[Any], str], beside: str = "") -> Iterator[Command[MarkHost]]:
    """Yield the commands that mark in panes, where `needs` has nothing to say.

    In the panes `beside` them, where `space` scrolls, the others mark as well.
    """
    for command in _MARKING:
        scopes = panes if command.run is toggle else f"{panes} {beside}"
        yield dataclasses.replace(command, scopes=frozenset(scopes.split()), needs=needs)


@_MARKING.command("mark.toggle", "space", "Mark", group=_GROUP, bar=16)
def toggle(screen: MarkHost) -> None:
    """Mark what has the cursor and go to the next, or unmark it; edits and verdicts go for all marked."""
    screen.marks.toggle()


@_MARKING.command("mark.range", "V", "Mark to here", group=_GROUP)
def extend(screen: MarkHost) -> None:
    """Mark everything from the last mark to the cursor."""
    screen.marks.extend()


@_MARKING.command("mark.all", "*", "Mark all", group=_GROUP)
def toggle_all(screen: MarkHost) -> None:
    """Mark all that is shown; again removes the marks."""
    screen.marks.toggle_all()
