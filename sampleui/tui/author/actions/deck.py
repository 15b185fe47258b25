"""Commands on the deck as a whole: what it is compared with, its history, saving and leaving it."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.deck import edit
from sampleui.deck.history import Focus
from sampleui.deck.load import load, read_text
from sampleui.deck.merging import changes_on_disk, rebase
from sampleui.deck.model import Base, DeckFile
from sampleui.deck.save import write_copy
from sampleui.errors import EditRefusedError, StaleFileError
from sampleui.formats.registry import form_named, has_room
from sampleui.text.confined import exists, typed_path
from sampleui.text.position import shared_start
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.actions import APP
from sampleui.tui.author.actions.needs import AUTHOR, a_step, a_step_back, feasible
from sampleui.tui.author.boxes import DifferenceBox
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.author.session import as_edit
from sampleui.tui.commands import key_named
from sampleui.tui.screens import asking
from sampleui.tui.screens.dialogs import Pick

if TYPE_CHECKING:
    from sampleui.deck.git_changes import Hunk


_SHOWN, _BEFORE = 26, 8
"""Characters that are shown of a side of a change, and of what is before the first one that differs."""


@AUTHOR.command("diff.against", "c", "Compare with", group="Changes")
async def against(screen: AuthorScreen) -> None:
    """Compare the deck with the file on disk, git's index or the last commit: marks ~ and the diff follow."""
    bases = {str(base): base for base in Base}
    picked = await asking.pick(screen, "Compare with", [*bases])
    if picked:
        await screen.comparing.choose(bases[picked])
        screen.refresh_all()
        count = len(screen.comparing.changed)
        screen.say(f"{counted(count, 'sample')} changed since {picked}")


def _changes(screen: AuthorScreen) -> list[Hunk]:
    """Return the changes since what the deck is compared with."""
    from sampleui.deck.git_changes import hunks  # the start must not wait for it

    changes = hunks(screen.session.deck.files, screen.comparing.olds)
    if not changes:
        raise EditRefusedError(f"nothing differs from {screen.comparing.base}")
    return changes


@AUTHOR.command("diff.take-back", "U", "Take back", group="Changes", needs=feasible(lambda _: "", _changes))
async def take_back(screen: AuthorScreen) -> None:
    """Take back one change since what the deck is compared with; those of this sample come first."""
    files, changes = screen.session.deck.files, _changes(screen)
    changes.sort(key=lambda item: screen.index not in item.samples)
    named = {f"{number}  {_hunk_label(screen, item)}": item for number, item in enumerate(changes, 1)}
    title = f"Take back a change since {screen.comparing.base}"
    picked = await screen.answer_to(Pick(title, [*named], wide=True))
    if not picked:
        return
    hunk = named[picked]
    change = hunk.taken_back(files)
    count = len(screen.session.deck.samples)
    there = Focus(hunk.samples[0] if hunk.samples else min(screen.index, count - 1))
    screen.restructure("take a change back", as_edit(change), after=there)


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
async def save_deck(screen: AuthorScreen) -> bool:
    """Write the deck, changing nothing but what was edited; a text being edited is taken along.

    Returns:
        Whether nothing is left unsaved.
    """
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
        return await resolve_conflict(screen, error) and (not session.unsaved or await save_deck(screen))
    screen.refresh_all()
    (screen.warn if lost else screen.say)("; ".join((f"saved {', '.join(changed)}", *lost)))
    return True


a_record = AUTHOR.need(
    lambda screen: screen.of_record,
    "samples are run again from a review: sampleui review RESULTS, then e at a record",
)


@AUTHOR.command(
    "deck.run-again", "f5", "Run again", group=_GROUP, bar=6, first="editor line", anywhere=True, needs=a_record
)
async def run_again(screen: AuthorScreen) -> None:
    """Save, go back to the record that the sample was opened from, and run it again."""
    if await save_deck(screen):
        screen.runs_again = True
        screen.leave()


@AUTHOR.command("deck.save-as", "A", "Save as", group=_GROUP)
async def save_as(screen: AuthorScreen) -> bool:
    """Write the deck to another file and go on there with its history; this file stays as it was.

    Returns:
        Whether the deck is another file now.
    """
    session = screen.session
    source = session.deck.files.sources[0]
    if len(session.deck.files.sources) > 1:
        raise EditRefusedError(f"this deck is in several files; {key_named('deck.save-copy', 'C')} copies its own")
    name = await asking.ask(screen, "Save as", source.path.name)
    path = typed_path(name, source.path.parent)
    if not name or path == source.path:
        return False
    if form_named(path).name != source.document.format:
        raise EditRefusedError(
            f"{path.name} is named as another format; {key_named('sample.export', 'X')} exports samples to it"
        )
    if not write_copy(source, path):
        raise EditRefusedError(f"{path.name} is there already; it stays as it is")
    session.move_to(path, read_text(path)[1])
    screen.moved_to(path)
    screen.refresh_all()
    screen.say(f"wrote {path.name}, which is open from now on; {source.path.name} stays as it was")
    return True


@AUTHOR.command("deck.save-copy", "C", "Save a copy", group=_GROUP)
async def save_copy(screen: AuthorScreen) -> None:
    """Write the deck as it is now to another file, which is not opened; this one stays as it is."""
    source = screen.session.deck.files.sources[0]
    name = await asking.ask(screen, "Save a copy as", f"{source.path.stem}-2{source.path.suffix}")
    if not name:
        return
    path = typed_path(name, source.path.parent)
    if not write_copy(source, path):
        raise EditRefusedError(f"{path.name} is there already; it stays as it is")
    more = len(screen.session.deck.files.sources) - 1
    screen.say(f"wrote {path.name}" + (f"; the {more} other files of the deck are not copied" if more else ""))


async def resolve_conflict(screen: AuthorScreen, error: StaleFileError) -> bool:
    """Ask what to do with edits of a file that has changed meanwhile; tell whether they are to be saved now."""
    files = screen.session.deck.files
    is_gone = any(item.disk.stamp is not None and not exists(item.path) for item in files.sources)
    answers = {
        "d": "Show how the file and my edits differ",
        "m": "Merge: theirs where only they changed, mine elsewhere",
        "o": "Overwrite the file with mine",
        "w": "Write it again",
        "a": "Save mine as another file, and go on there",
        "c": "Save mine as a copy beside it",
        "r": "Reload it and drop my edits",
    }
    answers = {key: words for key, words in answers.items() if key in ("wac" if is_gone else "dmoacr")}
    while (answer := await asking.confirm(screen, f"{error}", answers, "Keep editing")) == "d":
        await screen.app.push_screen_wait(DifferenceBox(files))
    if answer == "r":
        _reload(screen)
    elif answer == "a":
        return bool(await save_as(screen))
    elif answer in ("m", "o"):
        return await _rebase_on_disk(screen, merge=answer == "m")
    for source in files.sources:
        if answer == "w" and not exists(source.path):
            source.disk.stamp = None
        elif answer == "c" and source.changed:
            screen.say(f"wrote {_copy_beside(source).name}")
    return answer == "w"


async def _rebase_on_disk(screen: AuthorScreen, *, merge: bool) -> bool:
    """Make the file on disk the base of the edits; with `merge`, take over what only the file has changed."""
    files = screen.session.deck.files
    disk = await asyncio.to_thread(load, files.path)
    on_disk = changes_on_disk(files, disk, screen.session.deck.kind.id_paths)
    if on_disk is None and (merge or len(disk.sources) != len(files.sources)):
        raise EditRefusedError("the file changed as a whole and cannot be merged; the other answers are left")
    if merge and on_disk is not None:
        screen.take_outside(on_disk)
    else:
        rebase(files, disk)
    return True


def _reload(screen: AuthorScreen) -> None:
    deck = screen.session.deck
    again = deck.read_again()
    screen.session.journal.discard()
    screen.start(again)
    screen.session.journal.hold()


def _copy_beside(source: DeckFile) -> Path:
    """Write the text of an edited file beside it, under a name that is free, and return where."""
    path = source.path
    for number in count(1):
        copy = path.with_name(f"{path.stem}.mine{number if number > 1 else ''}{path.suffix}")
        if write_copy(source, copy):
            break
    return copy


def _beside(screen: AuthorScreen) -> int:
    """Return the index of the values beside the samples, or from there of the first sample."""
    files, index = screen.session.deck.files, screen.index
    if index < 0:
        return 0
    source = files.locate(index)[0] if screen.sample is not None else 0
    if not has_room(files.sources[source].document):
        raise EditRefusedError(f"{files.sources[source].path.name} has no place for values beside its samples")
    return edit.context_index(source)


@AUTHOR.command("deck.beside", "0", "Beside", group=_GROUP, bar=22, needs=feasible(lambda _: "", _beside))
def beside(screen: AuthorScreen) -> None:
    """Go to the values that the file holds beside its samples, such as `meta`, or back from there."""
    screen.go(Focus(_beside(screen)))


a_workspace = AUTHOR.need(
    lambda screen: screen.stays_open, "this deck was opened by itself; sampleui FOLDER opens all below a folder"
)


@AUTHOR.command("workspace.open", "ctrl+o", "Another deck", group=_GROUP, bar=27, needs=a_workspace)
async def another(screen: AuthorScreen) -> None:
    """Open any deck or sample of the folder by letters of its name; this one stays open."""
    await screen.open_other()


AUTHOR.include(APP)


@AUTHOR.command("app.quit", "ctrl+q", "Quit", group="App", bar=32, anywhere=True)
async def leave(screen: AuthorScreen) -> None:
    """Leave; unsaved edits are asked about first."""
    why = screen.editing.refusal
    if why and await asking.confirm(screen, f"{why}", {"d": "Discard this text"}, "Keep editing", safe=True) != "d":
        return
    if why:
        screen.editing.discard()
    screen.editing.leave()
    if screen.stays_open:
        screen.leave()
        return
    if screen.session.unsaved:
        name = screen.session.deck.path.name
        answer = await asking.confirm(
            screen, f"{name} has unsaved edits.", {"s": "Save and quit", "d": "Discard them"}, "Keep editing"
        )
        if answer == "s" and not await save_deck(screen):
            return
        if answer not in ("s", "d"):
            return
    screen.session.journal.discard()
    screen.leave()
