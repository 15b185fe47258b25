"""Editing one value in place: opening it, taking what is typed, and closing it again, all as one step of undo."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual.timer import Timer

from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.errors import EditError, EditRefusedError
from sampleui.formats.data import DataPath, Plain, shown
from sampleui.formats.operations import Delete, Insert, Operation, Set
from sampleui.sample.argument_types import ArgumentType, argument_values, type_of
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.fields import choices_at, shape_at
from sampleui.sample.kinds import ValueKind
from sampleui.sample.parse import dialect_of, json_text, value_at
from sampleui.sample.tool_calls import arguments_in, name_of
from sampleui.text.limits import MAX_EDITED_LINE, MAX_EDITED_TEXT
from sampleui.text.wording import counted
from sampleui.tui.author.nodes import call_around, first_text, tools_known
from sampleui.tui.author.preview import PreviewAnchor
from sampleui.tui.author.session import Edit, OpenEdit, edits_of
from sampleui.tui.author.showing import shared_in_words
from sampleui.tui.commands import Hint, key_named
from sampleui.tui.drawing.items import (
    ARGUMENT,
    CALL,
    Item,
    ItemPart,
    ItemPartKind,
    NotYetError,
    find,
    values_in,
)
from sampleui.tui.external_editor import Later, edit_outside
from sampleui.tui.screens import asking
from sampleui.tui.screens.dialogs import Confirm, Pick
from sampleui.tui.textual_internals import once

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen


def is_on_one_line(part: ItemPart, dialect: Dialect) -> bool:
    """Tell whether a value is edited as one line: a number, a path, a name, as long as it has no second one yet."""
    if part.kind is ItemPartKind.TEXT:
        return dialect.is_one_line(part.path) and "\n" not in part.text
    if part.kind is ItemPartKind.JSON:
        return not isinstance(part.value, dict | list)
    return part.kind is not ItemPartKind.LINES and "\n" not in part.text


_ON, _BACK = "\t", "\v"
_STEPS = {_ON: 1, _BACK: -1}
"""Answers of the keys that pass a choice over, with the direction in which they go on."""

_ADDING = {"edit.split": "turn.add-below", "edit.call": "turn.call"}
"""What the commands that end a text and add something do where a value is chosen, which is left as it is."""

DEBOUNCE_S = 0.04
"""Seconds of quiet after a key before the preview follows."""


class NewName(NamedTuple):
    """What a new sample is called by what was typed, and the edit that calls it so."""

    text: str
    edit: Edit


class Editing:
    """The open value of an author screen.

    Attributes:
        gone_on_from: the last value of a sample, when it was gone on from there.
    """

    def __init__(self, screen: AuthorScreen) -> None:
        self._screen = screen
        self._part: ItemPart | None = None
        self._naming: Callable[[str], NewName | None] | None = None
        self._timer: Timer | None = None
        self._refused = ""
        self._warned = False
        self._left: tuple[Focus, str] | None = None
        self.gone_on_from = Focus(0)

    @property
    def active(self) -> bool:
        """Whether a value is open."""
        return self._part is not None

    @property
    def is_behind(self) -> bool:
        """Whether the preview has yet to follow what was typed."""
        return self._timer is not None

    async def enter(self) -> None:
        """Open the part under the cursor, or let its value be chosen or passed over."""
        _, part = self._target()
        if by := _STEPS.get(await self.open()):
            await self._go_on_from(part.full_path, by)

    async def open(self, *, fresh: bool = False, last: bool = False) -> str:
        """Open the part under the cursor, or let its value be chosen.

        What is typed replaces a value of one line if it is to be `fresh`. Of a call, or a table on one line, it is
        the first value, or the `last`.

        Returns:
            What was chosen, or one of `_STEPS`; empty if a value is open, or none was chosen.
        """
        item, part = self._target()
        arguments = arguments_in(part.value) if part.tag == CALL else None
        if arguments is not None and self._screen.folds.get(part.path) is not False:
            self._screen.enter(part.path)
            self._screen.show_sample(
                (*part.path, *arguments.path, *[*argument_values(arguments.table)][-1 if last else 0][0])
            )
            item, part = self._target()
        elif item.line:
            self._unfold(item, last=last)
            item, part = self._target()
        of_all = await self._of_all(part)
        if of_all is None:
            return ""
        item, part = self._target()
        if too_large(part.text):
            size = f"{counted(len(part.text), 'character')} are too many to be edited here"
            if await asking.confirm(self._screen, size, {"e": "Open the text in $EDITOR"}, "Leave it"):
                await self._outside(of_all=of_all)
            return ""
        choices = self._choices(part)
        if choices == [part.value]:
            self._screen.say(f"{part.key or item.name} can be nothing else")
            return part.text
        wanted = self._argument_type(part)
        if part.value == [] and (self._is_of_texts(part.path) if wanted is None else wanted.is_of_texts):
            part = part._replace(kind=ItemPartKind.LINES)
        here, back = (Focus(self._screen.index, path) for path in (part.path, part.full_path))
        self._screen.session.begin(label_of(item), here, back=back, of_all=of_all)
        if choices:
            return await self._choose(part, choices)
        replaced = part.value == {} or (fresh and is_on_one_line(part, self._screen.session.deck.kind))
        await self._show(part, part.full_path if replaced else None)
        return ""

    async def _of_all(self, part: ItemPart) -> bool | None:
        """Ask about a value that samples share whether it changes for all, or this sample gets a copy of its own.

        Returns:
            Whether it changes for all; False for a value that is the sample's own, or is now; None for no answer.
        """
        screen = self._screen
        shared = edit.shared_at(screen.session.deck.files, screen.index, part.path)
        if shared is None:
            return False
        answers = {"a": f"Change it for all {len(shared.users)}", "o": "Give this sample a copy of its own"}
        answer = await asking.confirm(
            screen, shared_in_words(screen.session.deck, shared), answers, "Leave it as it is"
        )
        if answer == "o":
            copied = partial(edit.own_copy, index=screen.index, path=shared.path)
            screen.perform(
                f"copy {shown(shared.path)} into sample {screen.index + 1}", copied, after=part.full_path
            )
        return answer == "a" if answer else None

    def _unfold(self, item: Item, *, last: bool) -> None:
        """Show the keys of a table that is told on one line, the cursor on the first after its kind or the last."""
        screen = self._screen
        screen.enter(item.path)
        screen.show_sample(item.path)
        items = screen.conversation.items
        header = find(items, item.path)
        inner = [indexes for indexes in values_in(items) if items[indexes[0]].path[: len(item.path)] == item.path]
        naming = screen.session.deck.kind.naming
        said = [indexes for indexes in inner if items[indexes[0]].path[-1] not in naming]
        screen.conversation.focus_at(*(said or inner or [header])[-1 if last else 0])

    def _argument_type(self, part: ItemPart) -> ArgumentType | None:
        """Return the type of an argument by the schema of its tool; None where that says nothing of it."""
        sample, item = self._screen.sample, self._screen.conversation.current
        if part.tag != ARGUMENT or sample is None or item is None:
            return None
        path = call_around(item, part)
        call = value_at(sample.data, path)
        schema = tools_known(sample).get(name_of(call), {})
        arguments = arguments_in(call)
        found = (
            type_of(schema).type_at(part.full_path[len(path) + len(arguments.path) :])
            if arguments is not None
            else None
        )
        return found if found is not None and found.shapes else None

    def _choices(self, part: ItemPart) -> list[Plain]:
        """Return the values to choose from where none is written: the other truth first, or those of its key."""
        if isinstance(part.value, bool):
            return [not part.value, part.value]
        if (wanted := self._argument_type(part)) is not None:
            return [*wanted.choices]
        if not isinstance(part.value, str) or part.kind is not ItemPartKind.TEXT:
            return []
        screen = self._screen
        if screen.sample is None or screen.index < 0:
            return []
        return [*choices_at(screen.session.deck.kind, screen.sample.data, part.path)]

    def _is_of_texts(self, path: DataPath) -> bool:
        screen = self._screen
        shape = shape_at(screen.session.deck.kind, (*path, 0)) if screen.index >= 0 else None
        return shape is not None and shape.kinds == (ValueKind.TEXT,)

    async def _choose(self, part: ItemPart, choices: list[Plain], *, begun: bool = False) -> str:
        """Let the value that is open be chosen, and close it. Returns what `open` does.

        A new value that was `begun` is taken back where none is chosen; an argument that is passed over is kept as
        it began.
        """
        screen, session, item = self._screen, self._screen.session, self._screen.conversation.current
        assert item is not None
        answer, picked = await self._chosen(item, part, choices)
        passed = answer in (*_STEPS, *_ADDING.values())
        if not answer or (passed and part.tag != ARGUMENT):
            screen.refresh_all(session.take_back())
        else:
            if not passed and (picked != part.value or picked is None):
                session.draft(part.whole(picked))
            session.finish()
            screen.refresh_all(Focus(screen.index, part.full_path))
        if answer in _ADDING.values():
            screen.call_later(screen.run_command, screen.registry[answer])
            return ""
        if begun and answer and part.tag == ARGUMENT:
            form = None if passed else _form_around(item, part)
            await self._go_on_from(part.full_path, _STEPS.get(answer, 1), form)
            return ""
        return answer

    async def _chosen(self, item: Item, part: ItemPart, choices: list[Plain]) -> tuple[str, Plain]:
        """Let a value be chosen, truths by their first letters, others from a list, and return it behind its name.

        The name is empty, one of `_STEPS`, or the command to run then, where none is chosen.
        """
        screen, name = self._screen, part.key or item.name
        named = {choice if isinstance(choice, str) else json_text(choice): choice for choice in choices}
        letters = {text[:1]: text for text in named} if all(isinstance(c, bool | None) for c in choices) else {}
        question = Confirm(name, letters) if letters else Pick(name, [*named], texts=part.tag != ARGUMENT)
        keys = {
            key: adds for leaves, adds in _ADDING.items() for key in screen.keymap.keys(screen.registry[leaves])
        }
        question.answer_too({"tab": _ON, "shift+tab": _BACK, **keys}, Hint("tab", "Leave it"))
        answer = await screen.answer_to(question) or ""
        answer = letters.get(answer, answer)
        return answer, named.get(answer, answer)

    async def begin(
        self,
        label: str,
        path: DataPath,
        *changes: Edit | Operation,
        sample: int | None = None,
        fresh: bool = False,
        naming: Callable[[str], NewName | None] | None = None,
    ) -> str:
        """Make edits and open the value at a path, all as one step: of the current sample, or of one they add.

        What is typed replaces the value if it is `fresh`, and names the sample by `naming`.

        Returns:
            What `open` does.
        """
        screen = self._screen
        there = Focus(screen.index if sample is None else sample, path)
        screen.session.begin(label, there, *edits_of(screen.index, changes), back=screen.here)
        screen.marks.place_samples(screen.marks.samples if sample is None else ())
        screen.refresh_all(there)
        _, part = self._target()
        if any(
            item != other for item, other in zip(part.path, path, strict=False)
        ):  # what is typed must go to the new value and to no other
            screen.session.finish()
            screen.refresh_all(there)
            return ""
        screen.session.widen(part.path)
        if choices := self._choices(part):
            first_begun = sorted(choices, key=lambda choice: choice != part.value)
            return await self._choose(part, first_begun, begun=True)
        self._naming = naming
        await self._show(part, path if fresh else None)
        return ""

    async def write_new(
        self, label: str, path: DataPath, value: Plain, change: Edit | Operation, *, whole: bool = False
    ) -> str:
        """Make a new value, and unless it is `whole` open what is to be written of it first, as one step.

        Returns:
            What `open` does.
        """
        target = first_text(value, path)
        if not whole:
            self._screen.unfold(target)
        if whole or value is None or (isinstance(value, dict) and target == path and value):
            self._screen.perform(label, change, after=path)
            return ""
        return await self.begin(label, target, change, fresh=True)

    def typed(self) -> None:
        """Note a key; the preview follows when the keys come to rest."""
        if self._timer is None:
            self._timer = once(self._screen, DEBOUNCE_S, self._after_debounce)
        else:
            self._timer.reset()

    def keep(self) -> None:
        """Take over what was typed at once, without waiting for a pause in typing, if it is valid."""
        with contextlib.suppress(EditError, ValueError):
            self._draft()

    def follow(self) -> None:
        """Let the preview show the value with the cursor, at the cursor of its text while it is edited."""
        screen = self._screen
        item = screen.conversation.current
        part = item.parts[screen.conversation.cursor[1]] if item is not None and item.parts else None
        if part is None or not part.path:
            screen.preview.follow(None)
            return
        before = screen.conversation.editor.cursor_offset if self.active and isinstance(part.value, str) else 0
        screen.preview.follow(PreviewAnchor(part.path, before))

    async def go_on(self, by: int) -> None:
        """Take what was typed and open the next value of the sample, or with -1 the one before it.

        A new table whose values are filled in one after another is kept, whatever of it stays empty.
        """
        assert self._part is not None
        path, screen = self._part.full_path, self._screen
        if not self.leave(keep=True):
            return
        screen.set_focus(screen.conversation)
        await self._go_on_from(path, by)

    async def _go_on_from(self, path: DataPath, by: int, table: DataPath | None = None) -> None:
        """Open the value behind a path or before it; only one of a table where that is given, as after a choice."""
        screen = self._screen
        items = screen.conversation.items
        indexes, values = find(items, path), values_in(items)
        before = sum(each < indexes for each in values)
        count = sum(items[item].parts[part].full_path[: len(path)] == path for item, part in values)
        index = before + count if by > 0 else before - 1  # what was typed may be a table with values now
        if by > 0 and screen.sample is not None and path[0] not in screen.sample.data:
            index = len(values)  # a new one at the end, which was left empty
        while 0 <= index < len(values := values_in(screen.conversation.items)):
            item, part = values[index]
            shown = screen.conversation.items[item]
            around = _form_around(shown, shown.parts[part])
            if table not in (None, around):
                return  # what follows a value that was chosen is filled in as long as it is in the same form
            if screen.fold_left(shown.parts[part].full_path):
                screen.show_sample(shown.parts[part].full_path)
                item, part = find(screen.conversation.items, shown.parts[part].full_path)
                index = values_in(screen.conversation.items).index((item, part))
            screen.conversation.focus_at(item, part)
            if not (answer := await self.open(fresh=True, last=by < 0)):
                return
            by = _STEPS.get(answer, by)
            index, table = index + by, None if answer in _STEPS else around
        self.gone_on_from = Focus(screen.index, path)
        if by > 0 and not screen.registry["field.fill"].needs(screen):
            screen.run_command(screen.registry["field.fill"])
        else:
            screen.say(f"this is the {'last' if by > 0 else 'first'} value of the sample")

    def leave(self, insist: bool = False, *, keep: bool = False, keep_turn: bool = False) -> bool:
        """Close the open value and keep what was typed; tell whether nothing is open any longer.

        A new value that is still empty is undone completely, unless it is one of a table and to be kept, or a turn
        that is. What cannot be kept stays open, and is said; one who insists after that leaves the value as it was,
        and finds the text again where it is opened next.
        """
        part, screen = self._part, self._screen
        if part is None:
            return True
        open_edit = screen.session.open_edit
        empty = open_edit is not None and open_edit.prior and not screen.conversation.editor.value.strip()
        kept = keep_turn or (keep and open_edit is not None and self._begins_table(open_edit, part))
        if open_edit is not None and empty and not kept:
            self._close()
            screen.refresh_all(screen.session.take_back())
            return True
        why = self.refusal
        if why and not (insist and self._warned):
            self._warned = True
            screen.complain(EditRefusedError(f"{why}; escape again leaves the value as it was"))
            screen.set_focus(screen.conversation.editor)
            return False
        if why:
            self._left_out(why)
            return True
        text = screen.conversation.editor.value
        screen.repeating.typed(text)
        self._end(Focus(screen.index, part.full_path), text)
        return True

    def _begins_table(self, open_edit: OpenEdit, part: ItemPart) -> bool:
        """Tell whether the open value is part of a table that was created with it, and that is no message."""
        item, around = self._screen.conversation.current, part.path[:-1]
        deck, index = self._screen.session.deck, open_edit.focus.sample
        table, is_new = (
            value_at(deck.sample_at(index).data, around),
            len(deck.samples) > len(open_edit.before.samples),
        )
        before = None if is_new else value_at(open_edit.before.sample_at(index).data, around)
        in_table = isinstance(table, dict) and len(table) > 1 and item is not None and item.turn is None
        return part.tag == ARGUMENT or (in_table and before is None)

    @property
    def empty_turn(self) -> DataPath | None:
        """The turn whose text is open, if it has nothing but a role; None if it has more, or no turn is open."""
        part, screen = self._part, self._screen
        item = screen.conversation.current
        if part is None or item is None or item.turn is None or len(item.parts) > 1:
            return None
        turn = value_at(screen.sample.data, item.path) if screen.sample is not None else None
        if not isinstance(turn, dict) or screen.conversation.editor.value.strip():
            return None
        rest = [key for key in turn if (*item.path, key) != part.path[: len(item.path) + 1]]
        return item.path if len(rest) <= 1 and isinstance(item.path[-1], int) else None

    def become_turns(self, label: str, path: DataPath, turns: Sequence[Plain]) -> None:
        """Put turns in the place of the empty one that is open, in the step that it began."""
        screen, (*around, index) = self._screen, path
        assert isinstance(index, int)
        below = enumerate(turns, index + 1)
        added = [Insert((*around, position), turn) for position, turn in below]
        screen.session.extend(label, Focus(screen.index, path), *edits_of(screen.index, (*added, Delete(path))))
        spelling = dialect_of(screen.session.deck.sample_at(screen.index)).turns.spelling
        read = [spelling.read(turn) for turn in turns if isinstance(turn, dict)]
        text = next((turn.get("content") for turn in sorted(read, key=lambda turn: turn.get("role") != "user")), "")
        self._end(Focus(screen.index, path), text if isinstance(text, str) else "")

    def _end(self, focus: Focus, text: str) -> None:
        """Close the open value, which was taken, and go to a place; a new sample is named by its text."""
        screen, open_edit = self._screen, self._screen.session.open_edit
        name, self._naming = self._naming(text) if self._naming is not None else None, None
        if name is not None and open_edit is not None:
            screen.session.extend(open_edit.label, open_edit.focus, name.edit)
        self._close()
        screen.session.finish()
        screen.refresh_all(focus)
        if name is not None:
            screen.say(f"named {name.text}; {key_named('sample.rename', 'N')} renames it")

    def _left_out(self, why: str) -> None:
        screen, open_edit = self._screen, self._screen.session.open_edit
        text = screen.conversation.editor.value
        self.discard()
        if open_edit is not None and not open_edit.prior:
            self._left = (open_edit.focus, text)
            why = f"{why}; the value is as it was, enter goes on with the text"
        elif open_edit is not None:
            why = f"{why}; nothing was added"
        screen.complain(EditRefusedError(why))

    @property
    def refusal(self) -> str:
        """Why what was typed cannot be kept; empty when it can, or nothing is open."""
        try:
            self._draft()
        except (EditError, ValueError) as error:
            return _why(error)
        return ""

    def discard(self) -> None:
        """Close the open value and drop what was typed."""
        part, screen = self._part, self._screen
        assert part is not None
        self._close()
        step = screen.session.discard()
        screen.refresh_all(step.after if step is not None else Focus(screen.index, part.full_path))
        screen.say("discarded; redo brings it back" if step is not None else "left as it was")

    def _close(self) -> None:
        self._part, self._naming = None, None
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._screen.conversation.close_editor()

    async def outside(self) -> None:
        """Edit the part under the cursor in the user's editor."""
        of_all = await self._of_all(self._target()[1])
        if of_all is not None:
            await self._outside(of_all=of_all)

    async def _outside(self, *, of_all: bool) -> None:
        screen, make = self._screen, edit.apply_to_all if of_all else edit.apply
        item, part = self._target()
        text = await asyncio.to_thread(lambda: part.text)
        name = {ItemPartKind.JSON: "value.json", ItemPartKind.LINES: "list.txt"}.get(part.kind, "turn.md")
        index = screen.index

        def take(edited: str) -> None:
            change = partial(make, index=index, operation=Set(part.path, self._value(part, edited)))
            screen.change_sample(index, label_of(item), change, after=part.path)

        def cursor_position() -> object:
            deck = screen.session.deck
            sample = deck.sample_at(index) if index < len(deck.samples) else None
            return None if sample is None else (sample.id, value_at(sample.data, part.path))

        edit_outside(screen.app, screen.settings.editor, text, name, take, later=Later(screen, cursor_position))

    def _target(self) -> tuple[Item, ItemPart]:
        conversation = self._screen.conversation
        item = conversation.current
        assert item is not None
        part = item.parts[conversation.cursor[1]] if item.parts else None
        if part is None or not part.path:
            raise EditRefusedError("this is shown as it would be read; the file has no such value to edit")
        return item, part

    async def _show(self, part: ItemPart, fresh: DataPath | None = None) -> None:
        self._refused, self._warned = "", False
        left, self._left = self._left, None
        selected = None if fresh is None else part.span(part.path if fresh == part.full_path else fresh)
        text = left[1] if left is not None and left[0] == Focus(self._screen.index, part.path) else part.text
        single = is_on_one_line(part, self._screen.session.deck.kind)
        await self._screen.conversation.open_editor(text, one_line=single, selected=selected)
        self._part = part  # not before the editor has the text: what it holds is taken from here on
        self._screen.show_flags()
        self._screen.problem_marks.show()
        self._screen.show_keys()
        self.typed()

    def _after_debounce(self) -> None:
        self._timer = None
        if self._part is None:
            self.follow()
            return
        try:
            self._draft()
        except EditError as error:
            if str(error) != self._refused:
                self._refused = str(error)
                self._screen.complain(error)
        except ValueError:
            return
        self._screen.show_preview()
        self._screen.show_flags()
        self._screen.problem_marks.show()
        self._screen.show_keys()
        self.follow()

    def _draft(self) -> None:
        part = self._part
        if part is None:
            return
        text = self._screen.conversation.editor.value
        open_edit = self._screen.session.open_edit
        if text != part.text or (open_edit is not None and open_edit.change is not None):
            self._screen.session.draft(self._value(part, text))

    def _value(self, part: ItemPart, text: str) -> Plain:
        """Return the value that a text stands for, an argument's by the schema of its tool."""
        if (wanted := self._argument_type(part)) is None or part.value == {}:
            return part.parsed(text, has_dates=self._screen.session.has_dates)
        if (read := wanted.read(text)) is None:
            raise NotYetError(f"{wanted.wanted} is expected here")
        return part.whole(read[0])


def too_large(text: str) -> bool:
    """Tell whether a text is too large for a text area."""
    return len(text) > MAX_EDITED_TEXT or any(len(line) > MAX_EDITED_LINE for line in text.split("\n"))


def _form_around(item: Item, part: ItemPart) -> DataPath:
    """Return what a value is filled in with: the call of an argument, and else the table that it is in."""
    return call_around(item, part) if part.tag == ARGUMENT else part.full_path[:-1]


def label_of(item: Item) -> str:
    """Return what an edit of an item is called in the history."""
    return f"edit {item.label}" if item.turn is None else f"edit turn {item.turn + 1}"


def _why(error: Exception) -> str:
    if isinstance(error, NotYetError):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        where = f"at line {error.lineno} column {error.colno}"
        bare = error.doc[error.pos : error.pos + 1].isalpha()
        quotes = '; a text stands in "quotes"' if bare and error.msg == "Expecting value" else ""
        return f"not valid JSON yet: {error.msg[0].lower()}{error.msg[1:]} {where}{quotes}"
    return f"not valid JSON yet: {error}" if isinstance(error, ValueError) else str(error)
