"""The last edit, repeated where the cursor is: its command, the answers to its questions, and what was typed."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from sampleui.deck.history import UndoStep
from sampleui.errors import EditRefusedError
from sampleui.tui.commands import Command

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_NEVER = frozenset({"deck.undo", "deck.redo", "diff.take-back", "edit.repeat", "turn.external", "sample.source"})
"""Steps of the history are not edits, a change is taken back once, and what another program wrote is not known."""


@dataclass(slots=True)
class _Done:
    command: Command[Any]
    after: UndoStep | None
    answers: list[Any] = field(default_factory=list)
    typed: str | None = None


class Repeating:
    """What an author screen did last."""

    def __init__(self, screen: AuthorScreen) -> None:
        self._screen = screen
        self._begun: _Done | None = None
        self._last: _Done | None = None
        self._replay: Iterator[Any] | None = None

    @property
    def can_repeat(self) -> bool:
        """Whether there is an edit to repeat."""
        self._keep_if_done()
        return self._last is not None

    def begin(self, command: Command[Any]) -> None:
        """Note a command that is about to run; one that works in a text belongs to what opened the text."""
        if self._screen.typing or self._replay is not None:
            return
        self._keep_if_done()
        never = command.id in _NEVER
        self._begun = None if never else _Done(command, self._screen.session.history.last)

    def typed(self, text: str) -> None:
        """Note the text that an edit in place ended with."""
        if self._begun is not None and self._replay is None:
            self._begun.typed = text

    def interrupted(self) -> None:
        """Note that something else than a command changes the deck next: that is no edit to repeat."""
        self._keep_if_done()
        self._begun = None

    async def answer(self, dialog: Screen[Any]) -> Any:
        """Return the answer to a question: while an edit is repeated the one that was given to it."""
        if self._replay is not None:
            return next(self._replay, None)
        answer = await self._screen.app.push_screen_wait(dialog)
        if self._begun is not None:
            self._begun.answers.append(answer)
        return answer

    async def repeat(self) -> None:
        """Make the last edit again."""
        self._keep_if_done()
        done, screen = self._last, self._screen
        assert done is not None
        command = done.command
        if not command.works_in(screen.scope):
            raise EditRefusedError(f"the last edit, {command.title}, is one of {' and '.join(command.scopes)}")
        why = command.needs(screen)
        if why:
            raise EditRefusedError(why)
        self._replay = iter(done.answers)
        try:
            outcome = command.run(screen)
            if inspect.iscoroutine(outcome):
                await outcome
            if screen.typing:
                editor = screen.conversation.editor
                editor.select_all()
                editor.put(done.typed or "")
                screen.editing.leave(insist=True)
        finally:
            self._replay = None

    def _keep_if_done(self) -> None:
        begun = self._begun
        if begun is not None and self._screen.session.history.last not in (None, begun.after):
            self._last, self._begun = begun, None
