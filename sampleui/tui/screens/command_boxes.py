"""Every command of a screen in one list, which is the help and the palette: type to narrow, Enter runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from textual.app import ComposeResult
from textual.content import Content
from textual.fuzzy import FuzzySearch
from textual.widgets import Static

from sampleui.review.verdict import Verdict
from sampleui.text.visible import one_line
from sampleui.tui.commands import COMMENT, FILTER, LINE, STEADY, TYPING, Command, Hint, Keymap, key_label
from sampleui.tui.drawing.rows import Row, fitted, spread
from sampleui.tui.screens.dialogs import Pick
from sampleui.tui.widgets.bars import PLAIN

SYNONYMS: Mapping[str, str] = {
    "sample.source": "raw yaml json toml text external editor $EDITOR",
    "turn.external": "$EDITOR vim external",
    "turn.edit": "change write text",
    "turn.add-below": "new message insert append turn",
    "turn.delete": "remove erase message",
    "turn.attach": "file image picture upload url",
    "turn.call": "function tool_calls use",
    "turn.merge": "join",
    "turn.duplicate": "copy clone",
    "turn.copy": "yank clipboard prompt request",
    "edit.next-value": "indent code form",
    "field.fill": "required lacking form complete",
    "edit.split": "split divide cut turn next item",
    "edit.discard": "cancel abort revert",
    "sample.new": "create add question case test",
    "sample.delete": "remove erase",
    "sample.duplicate": "copy clone",
    "sample.rename": "id name",
    "sample.filter": "search narrow grep query",
    "sample.convert": "migrate upgrade older dialect rename",
    "sample.set": "change bulk metadata field",
    "sample.tag": "label metadata",
    "sample.export": "write convert move other deck",
    "sample.go": "jump id find",
    "field.add": "new key property metadata option assertion evaluator grader",
    "field.type": "convert number boolean list string",
    "field.rename": "key name",
    "problem.next": "validate check lint error warning finding",
    "problem.previous": "validate check lint error warning finding",
    "go.problems": "validate check lint errors warnings findings",
    "preview.tab-question": "prompt",
    "preview.tab-chat": "prompt messages conversation",
    "preview.tab-request": "api curl body provider json",
    "preview.tab-source": "raw yaml json toml file",
    "preview.tab-grading": "judge grader evaluator",
    "preview.tab-diff": "changes unsaved",
    "preview.provider": "openai anthropic model",
    "deck.save": "write",
    "deck.undo": "back revert",
    "deck.redo": "again",
    "deck.beside": "file top level meta defaults",
    "diff.against": "git compare revision changes",
    "diff.take-back": "revert restore checkout change",
    "find.open": "search grep text all",
    "find.replace": "substitute search and find all",
    "app.quit": "exit close leave end",
    "app.theme": "colour color dark light settings preferences options config",
    "app.help": "keys shortcuts",
    "app.palette": "commands",
    "mark.all": "select everything all",
    "record.view": "settings columns fields",
    "review.graders": "evaluator judge",
    "pane.zoom": "maximize fullscreen full screen",
    "fix.take": "accept expected baseline golden",
    "fix.edit": "sample deck change",
    "review.filter": "narrow failed outcome evaluator",
    "review.search": "find grep",
    "review.report": "figures statistics summary rate",
    "review.copy": "yank link clipboard",
    "review.order": "sort",
    "verdict.ok": "pass accept",
    "verdict.comment": "note",
    "verdict.undo": "back revert",
    "trace.error": "failure failed exception",
    "trace.external": "$EDITOR raw json",
    "trace.mode": "raw json markdown",
    "trace.copy": "yank clipboard",
    "record.promote": "sample from trace",
    "workspace.open": "switch file",
}
"""Other words by which commands are looked for."""


class Essential(NamedTuple):
    """A key that is to be known first.

    Attributes:
        key: the default one.
        commands: the ids of all that it does; a pane has at most one of them.
        in_deck, in_review: what it does there, in Markdown; empty for nothing.
    """

    key: str
    commands: str
    in_deck: str
    in_review: str


_LAST = f"`{[*Verdict][-1].key}`"

TWENTY = (
    Essential("e", "turn.edit sample.open fix.edit", "edit (`Enter` too)", "edit the sample in its deck"),
    Essential("o", "turn.add-below review.order", "add a turn or an item", "sort by score"),
    Essential("r", "turn.next-role", "change the role", ""),
    Essential("a", "turn.attach", "attach a file", ""),
    Essential("+", "field.add", "add a field", ""),
    Essential("i", "turn.call", "add a tool call", ""),
    Essential("d", "turn.delete sample.delete", "delete", ""),
    Essential("u", "deck.undo verdict.undo", "undo", "take back a verdict or a fix"),
    Essential("ctrl+s", "deck.save", "save", ""),
    Essential("x", "turn.delete-part fix.take", "delete a part of a turn", "take the answer as expected"),
    Essential("n", "sample.new record.promote", "add a sample", ""),
    Essential("]", "sample.next review.next", "go to the next sample (`[` back)", "go to the next one (`[` back)"),
    Essential("j", "cursor.down", "go down (`k` up)", "go down (`k` up)"),
    Essential("tab", "pane.next", "go to the next pane", "go to the next pane"),
    Essential("p", "preview.next trace.tab", "next tab of the preview", "next tab of the trace"),
    Essential("!", "problem.next trace.error", "go to the next problem", "go to the next error"),
    Essential("/", "sample.filter review.search", "filter the samples", "search the records"),
    Essential("y", "turn.copy review.copy", "copy", "copy"),
    Essential("1", "go.samples verdict.model-wrong", "go to the samples", f"*model-wrong*, and on (to {_LAST})"),
    Essential("ctrl+q", "app.quit", "leave", "leave"),
)
"""What the list of commands begins with, and the tables of the README and of the page of keys show."""

_RANKS = {name: rank for rank, item in enumerate(TWENTY) for name in item.commands.split()}

_WHERE = {
    "editor": "in a text",
    LINE: "in a line",
    FILTER: "in a filter",
    COMMENT: "in the comment",
    "samples": "in the samples",
    "turns": "in the conversation",
    "found": "in what was found",
    "problems": "in the problems",
    "records": "in the records",
    "timeline": "in the timeline",
    "detail": "in the detail",
    "queue": "in the queue",
}

_MAX_KEYS = 11
_TITLE = 19
"""Cells for the keys and the title of a row."""


class CommandList(Pick):
    """All commands, the twenty first. Answers with the id of the one to run.

    Not Textual's palette, which gathers its rows while one types: Enter would run what was found for fewer letters.
    """

    DEFAULT_CSS = """
    CommandList {
        & > .box { width: 150; max-width: 96%; height: auto; max-height: 100%; padding: 0 1; }
        & RowList { max-height: 100%; margin-top: 0; }
        & .help { height: 2; margin-top: 1; color: $text-muted; }
        &.low {
            align: center top;
            & > .box { border: none; border-top: round $accent; width: 100%; max-width: 100%; }
            & .help { display: none; }
        }
    }
    """
    hints = (Hint("enter", "Run"), *Pick.hints[1:3], Hint("escape", "Close"))

    placeholder = "type a word, or a key; enter runs what the cursor is on"

    _AROUND, _AROUND_LOW = 11, 4
    """Lines of the screen that the list does not get: frame, field, help and footer; in a low terminal no help."""

    def __init__(
        self, commands: Iterable[Command[Any]], keymap: Keymap[Any], scope: str, why: Mapping[str, str]
    ) -> None:
        """Take the commands, and for each id why it cannot act, empty if it can."""
        in_order = sorted(commands, key=lambda command: _need(command, keymap, scope, why))
        self._commands = {command.id: command for command in in_order}
        super().__init__("Keys and commands", [*self._commands])
        self._keymap = keymap
        self._why = why
        self._scope = scope
        self._low = False
        self._told = Static(classes="help")

    def body(self) -> ComposeResult:
        """Yield the field, the list, and the whole help of the command with the cursor."""
        yield from super().body()
        yield self._told

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the commands that match, the best first."""
        if not typed.strip():
            return self._names
        search = FuzzySearch()
        scored = [
            (_score(search, typed.strip(), command, self._keymap), name) for name, command in self._commands.items()
        ]
        least = min(max(score for score, _ in scored), _IN_HELP)
        return [name for score, name in sorted(scored, key=lambda item: -item[0]) if score and score >= least]

    def row(self, name: str, width: int) -> Row:
        """Return a command: keys, title, and what it does or why it cannot act; grey if it cannot."""
        command, why = self._commands[name], self._why[name]
        keys = fitted(" ".join(map(key_label, self._keymap.keys(command))), _MAX_KEYS)
        where = _WHERE.get(min(command.scopes, default=""), "") if len(command.scopes) == 1 else ""
        right = [("faint", where)] if where and self._scope not in command.scopes else []
        left = [
            ("faint" if why else "accent-bold", f"{keys:>{_MAX_KEYS}}  "),
            ("faint" if why else "text", f"{command.title:<{_TITLE}} "),
            ("faint" if why else "muted", f"– {one_line(why)}" if why else command.help),
        ]
        if self.app.has_class(PLAIN):
            return tuple(left[:2])  # the line below tells the rest
        return spread(left, right, width)

    def rows_for(self, count: int) -> int:
        """Return as many lines as the screen has beside the rest of the box: enough for twenty, if it can be."""
        height = self.app.size.height
        self._low = height - self._AROUND < len(TWENTY) or self.app.has_class(PLAIN)
        self.set_class(self._low, "low")
        around = self._AROUND_LOW if self._low else self._AROUND
        return 1 if self.app.has_class(PLAIN) else max(min(count, height - around), 1)

    def on_resize(self) -> None:
        """Take as many lines as there are now."""
        self._list.styles.height = self.rows_for(self._most)
        self._tell()

    def show(self, names: Sequence[str]) -> None:
        """Show other commands."""
        super().show(names)
        self._tell()

    def on_virtual_list_moved(self) -> None:
        """Tell what the command with the cursor does."""
        self._tell()

    def _tell(self) -> None:
        command = self._commands.get(self.picked)
        if command is None:
            self._told.update("")
            return
        why = self._why[command.id]
        help_line = f"{command.help}{f'  – {one_line(why)}' if why else ''}"
        self._told.update(Content(f"{help_line}  [{command.id}]"))
        self.footer.message_line.show_status(help_line if self._low else "", "muted")

    def answer(self, name: str) -> None:
        """Answer with a command; one that cannot act says why."""
        if why := self._why.get(name, ""):
            self.footer.message_line.say(f"– {one_line(why)}", "muted")
        else:
            self.dismiss(name)


def _need(command: Command[Any], keymap: Keymap[Any], scope: str, why: Mapping[str, str]) -> tuple[int, ...]:
    """Return what commands are sorted by: the twenty, those of the footer, others that act here, the rest."""
    if command.id in _RANKS and command.works_in(scope) and scope not in TYPING:
        return (-1, _RANKS[command.id])
    here = [item.id for item in keymap.offered(scope)]
    rank = here.index(command.id) if command.id in here else len(here)
    unable = bool(why[command.id]) and command.id not in STEADY
    return unable, not command.works_in(scope), rank


_IN_HELP = 3.0
"""How well a word matches that only the help has. What only looks like it counts where no command does better."""


def _score(search: FuzzySearch, typed: str, command: Command[Any], keymap: Keymap[Any]) -> float:
    """Return how well a command matches all words: by key, name, another word, group or help; 0 for not."""
    keys = keymap.keys(command)
    if typed in keys or typed in map(key_label, keys):
        return 10.0
    words = typed.casefold().split()
    return min(_word_score(search, word, " ".join(words), command) for word in words)


def _word_score(search: FuzzySearch, word: str, typed: str, command: Command[Any]) -> float:
    title = command.title.casefold()
    if title == typed:
        return 9.0
    if title.startswith(typed):
        return 8.0
    if any(part.startswith(word) for part in title.split()):
        return 7.0
    if any(part.startswith(word) for part in SYNONYMS.get(command.id, "").casefold().split()):
        return 6.0
    if word in title:
        return 5.0
    if word in f"{command.group}: {command.id}".casefold():
        return 4.0
    if word in command.help.casefold():
        return _IN_HELP
    return search.match(word, title)[0] and 1.0
