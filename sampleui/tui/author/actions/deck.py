"""Commands on the deck as a whole: what it is compared with, its history, saving it, leaving it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.deck.model import Base
from sampleui.errors import EditRefusedError, StaleFileError
from sampleui.formats.single_sample import has_room
from sampleui.text.position import shared_start
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.actions import APP
from sampleui.tui.author.actions.conflicts import settle
from sampleui.tui.author.actions.needs import AUTHOR, a_step, a_step_back

if TYPE_CHECKING:
    from sampleui.deck.comparing import Hunk
    from sampleui.tui.author.screen import AuthorScreen


_SHOWN, _BEFORE = 26, 8
"""Characters that are shown of a side of a change, and of what is before the first one that differs."""


@AUTHOR.command("diff.against", "c", "Compare with", group="Changes")
async def against(screen: AuthorScreen) -> None:
    """Compare the deck with the file on disk, git's index or the last commit: marks ~ and the diff follow."""
    bases = {str(base): base for base in Base}
    picked = await screen.pick("Compare with", [*bases])
    if picked:
        await screen.comparing.choose(bases[picked])
        screen.refresh_all()
        count = len(screen.comparing.changed)
        screen.say(f"{counted(count, 'sample')} changed since {picked}")


@AUTHOR.command("diff.take-back", "U", "Take back", group="Changes")
async def take_back(screen: AuthorScreen) -> None:
    """Take back one change since what the deck is compared with; those of this sample come first."""
    from sampleui.deck.comparing import hunks, taken_back  # the start must not wait for it
    from sampleui.tui.author.boxes import HunkPick

    files = screen.session.deck.files
    changes = hunks(files, screen.comparing.olds)
    if not changes:
        raise EditRefusedError(f"nothing differs from {screen.comparing.base}")
    changes.sort(key=lambda item: screen.index not in item.samples)
    named = {f"{number}  {_hunk_label(screen, item)}": item for number, item in enumerate(changes, 1)}
    picked = await screen.asked(HunkPick(f"Take back a change since {screen.comparing.base}", [*named]))
    if not picked:
        return
    hunk = named[picked]
    change = taken_back(files, hunk)
    count = len(screen.session.deck.samples)
    there = Focus(hunk.samples[0] if hunk.samples else min(screen.index, count - 1))
    screen.restructure("take a change back", lambda _: change, before=screen.here, after=there)


def _hunk_label(screen: AuthorScreen, hunk: Hunk) -> str:
    """Return a change as a line: where it is, what was there and what is."""
    source = screen.session.deck.files.sources[hunk.back.source]
    start = max(shared_start(hunk.old, hunk.new) - _BEFORE, 0)
    dots = "…" if start else ""
    old, new = (f"{dots}{one_line(text[start:], _SHOWN)}" if text else "" for text in (hunk.old, hunk.new))
    lines = " ".join((*([f"- {old}"] if old else []), *([f"+ {new}"] if new else [])))
    return f"{source.path.name}:{hunk.line}  {lines or 'blank lines'}"


_GROUP = "Deck"


@AUTHOR.command("deck.undo", "u", "Undo", group=_GROUP, bar=7, needs=a_step)
def undo(screen: AuthorScreen) -> None:
    """Undo the last edit; there is no limit."""
    step = screen.session.undo()
    assert step is not None
    screen.show_step("undid", step)


@AUTHOR.command("deck.redo", "ctrl+r", "Redo", group=_GROUP, needs=a_step_back)
def redo(screen: AuthorScreen) -> None:
    """Redo the edit that was undone last."""
    step = screen.session.redo()
    assert step is not None
    screen.show_step("redid", step)


@AUTHOR.command("deck.save", "ctrl+s", "Save", group=_GROUP, bar=8, anywhere=True)
async def save(screen: AuthorScreen) -> None:
    """Write the deck, changing nothing but what was edited; a text being edited is taken along."""
    await save_deck(screen)


async def save_deck(screen: AuthorScreen) -> bool:
    """Save and say so; tell whether nothing is left unsaved."""
    why = screen.editing.refusal
    if why:
        raise EditRefusedError(f"not saved: {why}")
    screen.editing.leave()
    session = screen.session
    if not session.unsaved:
        screen.say("nothing to save")
        return True
    changed = [source.path.name for source in session.deck.files.sources if source.changed]
    try:
        lost = session.save()
    except StaleFileError as error:
        return await settle(screen, error) and (not session.unsaved or await save_deck(screen))
    screen.refresh_all()
    (screen.warn if lost else screen.say)("; ".join((f"saved {', '.join(changed)}", *lost)))
    return True


@AUTHOR.command("deck.beside", "0", "Beside", group=_GROUP, bar=22)
def beside(screen: AuthorScreen) -> None:
    """Go to the values that the file holds beside its samples, such as `meta`, or back from there."""
    files, index = screen.session.deck.files, screen.index
    if index < 0:
        screen.go(Focus(0))
        return
    source = files.locate(index)[0] if screen.sample is not None else 0
    if not has_room(files.sources[source].document):
        raise EditRefusedError(f"{files.sources[source].path.name} has no place for values beside its samples")
    screen.go(Focus(edit.beside(source)))


def a_workspace(screen: AuthorScreen) -> str:
    """Need a workspace that the deck was opened from."""
    return "" if screen.stays_open else "this deck was opened by itself; sampleui FOLDER opens all below a folder"


@AUTHOR.command("workspace.open", "ctrl+o", "Another deck", group=_GROUP, bar=27, needs=a_workspace)
async def another(screen: AuthorScreen) -> None:
    """Open any deck or sample of the folder by letters of its name; this one stays open."""
    await screen.open_other()


AUTHOR.include(APP)


@AUTHOR.command("app.quit", "ctrl+q", "Quit", group="App", bar=32, anywhere=True)
async def leave(screen: AuthorScreen) -> None:
    """Leave; unsaved edits are asked about first."""
    why = screen.editing.refusal
    if why and await screen.confirm(f"{why}", {"d": "Discard this text"}, "Keep editing", safe=True) != "d":
        return
    if why:
        screen.editing.discard()
    screen.editing.leave()
    if screen.stays_open:
        screen.leave()
        return
    if screen.session.unsaved:
        name = screen.session.deck.path.name
        answer = await screen.confirm(
            f"{name} has unsaved edits.", {"s": "Save and quit", "d": "Discard them"}, "Keep editing"
        )
        if answer == "s" and not await save_deck(screen):
            return
        if answer not in ("s", "d"):
            return
    screen.session.journal.discard()
    screen.leave()
