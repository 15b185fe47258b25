"""Commands: every action declared once, with its keys, title and help, for footer, help, palette and keymap.

A command's help is the first line of its function's docstring.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from enum import Enum
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

ScreenType = TypeVar("ScreenType")

EDITOR = "editor"
"""The scope of a text being edited: printable keys are text there, so few commands are offered."""

LINE = "line"
"""The scope of a text of one line being edited: all that works in a text, and what names it."""

FILTER = "filter"
"""The scope of a field that narrows a list."""

COMMENT = "comment"
"""The scope of the field for a comment."""

TYPING = frozenset({EDITOR, LINE, FILTER, COMMENT})
"""The scopes in which printable keys are text."""

STEADY = frozenset({"deck.undo", "verdict.undo"})
"""Commands that keep their place in lists and footers, in grey, where they cannot act."""


UNBOUND_S = 0.5
"""Seconds in which a key goes on with a word of which the one before did nothing; who has read that is slower."""

MOVEMENT = "Moving"
"""The group of the commands that go to panes and move in them."""

_STEPS = frozenset(
    {
        *(
            "review.next",
            "review.previous",
            "review.unreviewed",
            "mark.toggle",
            "trace.match",
            "trace.match-before",
        ),
        *("answer.next-difference", "answer.difference-before", "trace.scroll-down", "trace.scroll-up"),
    }
)
"""Other commands that go elsewhere."""


_WRITES = frozenset(
    {
        *("turn.edit", "turn.add-below", "turn.add-above", "turn.call", "field.add", "field.rename", "sample.new"),
        *("sample.rename", "sample.set", "sample.tag", "sample.filter", "review.search", "verdict.comment"),
    }
)
"""The commands that open a text, or a field, to be typed at once."""


class Command(NamedTuple, Generic[ScreenType]):
    """One action.

    Attributes:
        id: its name in settings, such as `turn.delete`.
        keys: its default keys, in Textual's spelling or as the character typed; two that are pressed one after the
            other as both characters, `]c`.
        title: what footer and palette call it.
        help: one sentence.
        group: its heading in the help.
        scopes: the panes in which its keys work; empty for all of them.
        bar: its place in the footer, 0 for none; the least come first.
        first: the panes in which that place is 1.
        anywhere: whether its keys work while a text is edited too.
        run: what does it.
        decides: whether it says in a person's name what is found of a record.
        needs: says why it cannot act where a screen's cursor is, empty when it can. It is not offered then.
    """

    id: str
    keys: tuple[str, ...]
    title: str
    help: str
    group: str
    scopes: frozenset[str]
    bar: int
    anywhere: bool
    run: Callable[[ScreenType], Awaitable[None] | None]
    needs: Callable[[ScreenType], str] = lambda _: ""
    first: frozenset[str] = frozenset()
    decides: bool = False

    @property
    def writes(self) -> bool:
        """Whether what is typed after its key goes into a text."""
        return self.id in _WRITES

    @property
    def moves(self) -> bool:
        """Whether it only goes elsewhere. Its keys never decide, in whichever pane."""
        return self.group == MOVEMENT or self.id in _STEPS

    def is_of(self, scope: str) -> bool:
        """Tell whether it names a pane; a line being edited has what a text has."""
        return scope in self.scopes or (scope == LINE and EDITOR in self.scopes)

    def works_in(self, scope: str) -> bool:
        """Tell whether its keys work in a pane."""
        if self.is_of(scope):
            return True
        return self.anywhere if scope in TYPING else not self.scopes


class Registry(Generic[ScreenType]):
    """The commands of one screen, in the order they were declared.

    Attributes:
        pasted: what takes a text that is pasted through the terminal; None if nothing does.
    """

    def __init__(self) -> None:
        self._commands: dict[str, Command[ScreenType]] = {}
        self.pasted: Callable[[ScreenType, str], Awaitable[None]] | None = None

    def command(
        self,
        name: str,
        keys: str,
        title: str,
        *,
        group: str,
        scopes: str = "",
        bar: int = 0,
        first: str = "",
        anywhere: bool = False,
        needs: Callable[[ScreenType], str] = lambda _: "",
        decides: bool = False,
    ) -> Callable[[Callable[[ScreenType], Any]], Callable[[ScreenType], Any]]:
        """Declare the function below as a command. `keys`, `scopes` and `first` are lists separated by spaces."""

        def declare(run: Callable[[ScreenType], Any]) -> Callable[[ScreenType], Any]:
            help_line = (run.__doc__ or "").strip().split("\n")[0]
            self._commands[name] = Command(
                name,
                tuple(keys.split()),
                title,
                help_line,
                group,
                frozenset(scopes.split()),
                bar,
                anywhere,
                run,
                needs,
                frozenset(first.split()),
                decides,
            )
            return run

        return declare

    def need(self, met: Callable[[ScreenType], object], why: str) -> Callable[[ScreenType], str]:
        """Return what a command may need: where it is not met, `why` says why the command cannot act."""
        return lambda screen: "" if met(screen) else why

    def __iter__(self) -> Iterator[Command[ScreenType]]:
        """Yield the commands."""
        return iter(self._commands.values())

    def __getitem__(self, name: str) -> Command[ScreenType]:
        """Return a command by its id."""
        return self._commands[name]

    def include(self, commands: Iterable[Command[Any]]) -> None:
        """Add commands that another registry declared."""
        self._commands.update((command.id, command) for command in commands)


class ScreenKind(Enum):
    """A kind of screen that has commands of its own: the module that declares them, and their name there."""

    AUTHOR = "author.actions", "AUTHOR"
    TRACE = "trace.actions", "TRACE"
    REVIEW = "review.actions", "REVIEW"
    NOTES = "review.notes", "NOTES"
    PASS = "review.passing.screen", "PASS"
    WORKSPACE = "workspace.actions", "WORKSPACE"
    FOUND = "workspace.actions", "FOUND"

    @property
    def registry(self) -> Registry[Any]:
        """Its commands, whose module is imported when they are first asked for."""
        module, name = self.value
        commands: Registry[Any] = getattr(import_module(f"sampleui.tui.{module}"), name)
        return commands


_FORMER_IDS = {
    "preview.copy": "turn.copy",
    "preview.copy-here": "turn.copy",
    "clip.copy": "turn.copy",
    "verdict.tag": "verdict.code",
}
"""Ids that commands had, by which the settings of users may still name them."""


def keys_by_present_id(keys: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    """Return the keys of the settings by the ids that commands have now; those of several former ones add up."""
    present: dict[str, tuple[str, ...]] = {}
    for name, user_keys in keys.items():
        now = _FORMER_IDS.get(name, name)
        present[now] = tuple(dict.fromkeys((*present.get(now, ()), *user_keys)))
    return present


_given: dict[str, tuple[str, ...]] = {}


def use_keys(keys: Mapping[str, tuple[str, ...]]) -> None:
    """Let texts name the keys that a user gave commands, until others are used."""
    _given.clear()
    _given.update(keys_by_present_id(keys) if keys else keys)


def key_named(name: str, usual: str) -> str:
    """Return what a text calls the key of a command: the user's first, else the usual; without any, the palette."""
    keys = _given.get(name, (usual,))
    return key_label(keys[0]) if keys else "the palette"


class Keymap(Generic[ScreenType]):
    """Which key runs which command in which pane. A key that moves in one pane decides in none."""

    def __init__(self, commands: Iterable[Command[ScreenType]], keys: Mapping[str, tuple[str, ...]]) -> None:
        """Take the commands, and by their ids the keys that a user gave some of them, which win."""
        self._commands = tuple(commands)
        user_keys = keys_by_present_id(keys) if keys else keys
        self._user_keys = user_keys.keys()
        self._keys = {command.id: user_keys.get(command.id, command.keys) for command in self._commands}
        moving = {key for command in self._commands if command.moves for key in self._keys[command.id]}
        for command in self._commands:
            if command.decides:
                self._keys[command.id] = tuple(key for key in self._keys[command.id] if key not in moving)
        self._ranks: dict[str, Mapping[str, tuple[bool, bool]]] = {}

    def keys(self, command: Command[ScreenType]) -> tuple[str, ...]:
        """Return the keys of a command, rebound ones included."""
        return self._keys[command.id]

    def _rank(self, scope: str, command: Command[ScreenType]) -> tuple[bool, bool]:
        """Return what commands of one key are sorted by in a pane: a user's choice first, then the pane's own."""
        return command.id not in self._user_keys, not command.is_of(scope)

    def keys_in(self, scope: str, command: Command[ScreenType]) -> list[str]:
        """Return the keys of a command that run it in a pane, and not another one."""
        rank, first = self._rank(scope, command), self._first_ranks(scope)
        return [key for key in self._keys[command.id] if first.get(key, rank) >= rank]

    def _first_ranks(self, scope: str) -> Mapping[str, tuple[bool, bool]]:
        """Return for each key the rank of the command that has the first claim to it in a pane."""
        if scope not in self._ranks:
            ranks: dict[str, tuple[bool, bool]] = {}
            for command in self._commands:
                if command.works_in(scope):
                    rank = self._rank(scope, command)
                    for own in self._keys[command.id]:
                        for key in (own, own[0]) if is_sequence(own) else (own,):
                            ranks[key] = min(rank, ranks.get(key, rank))
            self._ranks[scope] = ranks
        return self._ranks[scope]

    def find(
        self,
        scope: str,
        key: str,
        character: str | None,
        before: str = "",
        lacks: Callable[[Command[ScreenType]], object] = lambda _: None,
    ) -> Command[ScreenType] | None:
        """Return the command for a key in a pane: one that a user gave it to, or one of the pane, or of all panes.

        Of several with the same claim it is the first that can act, or else the last. A default key gives way to a
        user's keys of two characters that begin with it.

        Args:
            scope: the pane.
            key: the name of the key.
            character: what it types.
            before: the character pressed before it, where that is the first of two.
            lacks: says what a command lacks to act; nothing if it can.
        """
        typed = character if character and character.isprintable() else ""
        names = {before + typed} - {before} if before else {key, typed}
        runnable = [
            command for command in self._commands if command.works_in(scope) and names & set(self._keys[command.id])
        ]
        least = min((self._rank(scope, item) for item in runnable), default=None)
        first = [item for item in runnable if self._rank(scope, item) == least]
        found = first[-1] if first else None
        if len(first) > 1:
            found = next((item for item in first if not lacks(item)), found)
        begun = [] if before or not self._user_keys else self.going_on(scope, character)
        if (
            found is not None
            and any(item.id in self._user_keys for _, item in begun)
            and found.id not in self._user_keys
        ):
            return None
        return found

    def going_on(self, scope: str, character: str | None) -> list[tuple[str, Command[ScreenType]]]:
        """Return what may follow a character that is the first of two, with its commands; empty for any other."""
        in_scope = (command for command in self._commands if command.works_in(scope))
        return [
            (key[1:], command)
            for command in in_scope
            for key in self._keys[command.id]
            if character and is_sequence(key) and key[0] == character
        ]

    def offered(self, scope: str) -> list[Command[ScreenType]]:
        """Return the commands to show in the footer for a pane, the most important first.

        Of those with one title the pane's own is shown: in a text of one line Enter and Escape are both "Done".
        """
        shown = [
            command
            for command in self._commands
            if command.bar and command.works_in(scope) and self._keys[command.id]
        ]
        shown.sort(key=lambda item: (1 if scope in item.first else item.bar, scope not in item.scopes))
        by_title: dict[str, Command[ScreenType]] = {}
        for item in shown:
            by_title.setdefault(item.title, item)
        return list(by_title.values())


def is_sequence(key: str) -> bool:
    """Tell whether a spelling is that of two characters pressed one after the other, such as `]c`.

    The first is neither a letter nor a digit, so that no name of a key is taken for one.
    """
    return len(key) == 2 and key.isprintable() and " " not in key and not key[0].isalnum()


class Hint(NamedTuple):
    """A key in a footer and what it does: a command's, or what a question or a field understands.

    Attributes:
        key: in Textual's spelling or as the character typed.
        title: what it does, in a word or two.
        command: the id of the command; empty for none.
        can_act: whether it does something now; grey if not.
        stays: whether it is shown however little room there is.
    """

    key: str
    title: str
    command: str = ""
    can_act: bool = True
    stays: bool = False


_SHOWN = {
    "escape": "esc",
    "enter": "⏎",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "shift+tab": "⇧tab",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "space": "space",
    " ": "space",
}


def key_label(key: str) -> str:
    """Return a key as people read it: `^s` for ctrl+s."""
    if key in _SHOWN:
        return _SHOWN[key]
    return f"^{key[5:]}" if key.startswith("ctrl+") else key
