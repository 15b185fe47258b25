"""Write `docs/keys.md` and the twenty keys of the README from the registries: `python docs/make_keys.py`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sampleui.tui.author.actions import AUTHOR
from sampleui.tui.commands import COMMENT, EDITOR, FILTER, LINE, Command, Registry
from sampleui.tui.review.actions import REVIEW
from sampleui.tui.review.notes import NOTES
from sampleui.tui.review.passing.screen import PASS
from sampleui.tui.screens.command_boxes import TWENTY
from sampleui.tui.trace.actions import TRACE
from sampleui.tui.workspace.actions import FOUND, WORKSPACE

PAGE = Path(__file__).with_name("keys.md")
README = PAGE.parents[1] / "README.md"
_BEGINS, _ENDS = "## Twenty keys\n\n", "\n\n`Escape` "
SCREENS: tuple[tuple[str, str, Registry[Any]], ...] = (
    ("Author", "`sampleui DECK`", AUTHOR),
    ("Workspace", "`sampleui FOLDER`", WORKSPACE),
    ("Found", "`ctrl+f` in the list of a workspace", FOUND),
    ("Review", "`sampleui review RESULTS`", REVIEW),
    ("Notes", "`m` in a review", NOTES),
    ("Pass", "`L` in a review", PASS),
    ("Trace", "`sampleui trace RESULTS`", TRACE),
)

_TYPED = {
    EDITOR: "editing",
    LINE: "editing one line",
    FILTER: "in the field of a filter or search",
    COMMENT: "in the field of the comment",
    "found": "in the line of a search",
}

_INTRO = """\
# Keys

In the app, the last line shows the keys that matter where the cursor is. `?` lists all commands of a screen, the
twenty below first, then those used most where the cursor is: type to narrow the list by a name, another word for
it, or a key, and `enter` runs the one under the cursor. Grey ones cannot act now, and say why. `ctrl+p` does the
same while a text is edited. This page is generated from the same commands by `python docs/make_keys.py`.

Any command can be given other keys by its id, in the table `[keys]` of the [settings](settings.md#keys), on all
screens that have it. "Where" names the panes a key works in; without a name it works in all of them, but not
while a text is edited.

While a text is edited, the keys are those of an ordinary text field: arrows, `home` and `end`, `ctrl+left` and
`ctrl+right` by word, `shift` with these to select, `ctrl+c`, `ctrl+x` and `ctrl+v` for the clipboard, `ctrl+z`
and `ctrl+y` to undo and redo within the text. `escape` keeps what was typed, `ctrl+g` drops it. `enter` starts a
new line, but ends a value that has only one line: an id, a name, a number, a path. `tab` goes to the next value;
`ctrl+b` types a tab character and `ctrl+j` a line break. In a block of code between fences `tab` and `shift+tab`
indent. If you want a tab character everywhere, bind `edit.tab` to `tab`.

What is typed within a second after a key that was to open a text, and was refused, runs no command, as it was
meant for that text; nor does what is typed within half a second after a key that does nothing where you are, as
the rest of a word. You are told, and `escape`, any other key that types nothing, or a pause ends that; keys that
move still do.

In every list of choices, `Enter` takes the one under the cursor, at first the first one, and `j`, `k` and the
arrows move. Any other letter narrows the list; once something is typed, only the arrows move. A word may begin
with `j` or `k` too: `js` looks for `js`, and after `/` all letters are text, for a name that is just `k`, say.
Where a new name can be given, it is the last choice, marked *as typed*; where it may be a path or any other text,
a `/` is typed as it is.
"""

_TERMINAL = """
## What a terminal sends

A terminal sends most keys that are no characters, the mouse, pasted texts and answers as sequences of bytes, the
first of which is the byte of `escape` too. A sequence is a key only when it is whole. Its pieces may come apart,
over ssh or on a busy machine: they are waited for, up to a second from one to the next, and what does not go on is
dropped. A paste lasts until its end mark, whatever is inside. Answers that nobody asked for do nothing.

The app asks the terminal whether it speaks
[Kitty's protocol](https://sw.kovidgoyal.net/kitty/keyboard-protocol/), in which `escape` is a sequence as well.
Kitty, foot, Ghostty, Alacritty and others do; tmux and screen do not. With it, `escape` acts at once, and every key
is the one that was typed. Without it:

- `escape` acts after 50 ms (a [setting](settings.md), `escape_delay`), or as soon as a key follows that begins no
  sequence.
- A key within that time is that key, or `alt` and that key if you gave it to a command. But `[`, `O`, `P`, `X`,
  `^`, `_`, and `]` with a digit, `l` or `L` after it, begin a sequence: they are lost, with what completes it.
- A key after that time is that key. Within a second these seven act only when the next key shows that they are
  keys, or after 0.3 seconds, with digits after them after a second.
- A sequence that is cut after its first byte for longer than that time acts as `escape`. The rest of it is dropped
  if it comes within a second.

So a reply, a click or a paste that comes in pieces decides nothing and edits nothing; at worst, what was typed
right after `escape` is lost.
"""

DEEDS: dict[str, tuple[str, str]] = {
    "e": ("edit what has the cursor", "turn.edit fix.edit code.define"),
    "!": ("go to the next problem, failure or error", "problem.next trace.error"),
    "]": ("go to the next sample or record", "sample.next review.next record.next"),
    "[": ("go to the previous sample or record", "sample.previous review.previous record.previous"),
    "p": ("show the next tab", "preview.next trace.tab"),
    "P": ("show the previous tab", "preview.previous trace.tab-before"),
    "n": ("make a new sample or deck", "sample.new record.promote deck.new"),
    ";": ("go to the next hit of a search", "find.next trace.match"),
    ",": ("go to the previous hit of a search", "find.previous trace.match-before"),
    "v": ("show it in another way", "answer.view trace.mode"),
    "z": ("show the pane alone", "pane.zoom"),
    "Z": ("fold, or show all", "field.fold preview.fold trace.fold record.unfold"),
    "y": ("copy: one more key says what, `y` again the first choice", "turn.copy review.copy trace.copy"),
    "ctrl+c": ("the same; in a text, copy what is selected", "turn.copy review.copy trace.copy"),
    "/": ("type to search or to narrow", "sample.filter review.search trace.search"),
    "f": ("choose what is shown", "review.filter trace.filter"),
    "u": ("undo", "deck.undo verdict.undo"),
    "space": (
        "mark; where nothing can be marked, go down by a screen",
        "mark.toggle cursor.page-down preview.page-down",
    ),
    "?": ("list the commands", "app.help"),
}
"""What keys do on each screen that has them, and the commands that do it; no other command has them by default."""


def page() -> str:
    """Return the page."""
    return (
        f"{_INTRO}{_TERMINAL}\n{_BEGINS}{twenty()}\n" + _deeds() + "".join(_section(*screen) for screen in SCREENS)
    )


def twenty() -> str:
    """Return the table of the twenty keys."""
    rows = [f"| `{item.key}` | {item.in_deck} | {item.in_review} |".replace("|  |", "| |") for item in TWENTY]
    return "\n".join(("| key | in a deck | in a review |", "| --- | --- | --- |", *rows))


def readme() -> str:
    """Return the README with the table as it is now."""
    before, begins, rest = README.read_text(encoding="utf-8").partition(_BEGINS)
    _, ends, after = rest.partition(_ENDS)
    assert begins and ends, "the README lacks the place of the table"
    return f"{before}{begins}{twenty()}{ends}{after}"


def _deeds() -> str:
    rows = [f"| `{key}` | {deed} | {_names(commands)} |\n" for key, (deed, commands) in DEEDS.items()]
    return (
        "\n## The same on every screen\n\nOn a screen that has no such command, the key does nothing.\n\n"
        "| key | what it does | ids |\n| --- | --- | --- |\n" + "".join(rows)
    )


def _names(commands: str) -> str:
    return " ".join(f"`{name}`" for name in commands.split())


def _section(title: str, how: str, registry: Registry[Any]) -> str:
    panes = frozenset().union(*(command.scopes for command in registry)) - _TYPED.keys()
    lines = [f"\n## {title}\n\n{how}\n"]
    for group in dict.fromkeys(command.group for command in registry):
        lines.append(f"\n### {title}: {group.lower()}\n\n| keys | id | where | what it does |\n")
        lines.append("| --- | --- | --- | --- |\n")
        lines += _rows((command for command in registry if command.group == group), panes)
    return "".join(lines)


def _rows(commands: Iterable[Command[Any]], panes: frozenset[str]) -> Iterator[str]:
    for command in commands:
        keys = " ".join(f"`{key}`" for key in command.keys).replace("|", "\\|") or "none"
        yield f"| {keys} | `{command.id}` | {_where(command, panes)} | {command.help} |\n"


def _where(command: Command[Any], panes: frozenset[str]) -> str:
    if command.anywhere:
        return "editing too"
    for scope in _TYPED.keys() & command.scopes:
        return _TYPED[scope]
    return "" if command.scopes >= panes else ", ".join(sorted(command.scopes))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
