"""What a save does when the file has changed: the question it asks, and each of the answers."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.deck.load import load, read_text
from sampleui.deck.merging import outside, rebase
from sampleui.deck.model import Source
from sampleui.deck.save import write_copy
from sampleui.errors import EditRefusedError, StaleFileError
from sampleui.formats.registry import form_named
from sampleui.tui.author.actions.needs import AUTHOR
from sampleui.tui.commands import key_named

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen


async def settle(screen: AuthorScreen, error: StaleFileError) -> bool:
    """Ask what to do with edits of a file that has changed meanwhile; tell whether they are to be saved now."""
    files = screen.session.deck.files
    if any(item.disk.stamp is not None and not item.path.exists() for item in files.sources):
        return await _written_again(screen, error)
    answers = {
        "d": "Show how the file and my edits differ",
        "m": "Merge: theirs where only they changed, mine elsewhere",
        "o": "Overwrite the file with mine",
        "a": "Save mine as another file, and go on there",
        "c": "Save mine as a copy beside it",
        "r": "Reload it and drop my edits",
    }
    while True:
        answer = await screen.confirm(f"{error}", answers, "Keep editing")
        if answer != "d":
            break
        await screen.show_difference()
    if answer == "r":
        _reload(screen)
    elif answer == "a":
        return await save_as(screen)
    elif answer == "c":
        for source in files.sources:
            if source.changed:
                screen.say(f"wrote {_copy_beside(source).name}")
    elif answer in ("m", "o"):
        return await _rebase_on_disk(screen, merge=answer == "m")
    return False


async def _written_again(screen: AuthorScreen, error: StaleFileError) -> bool:
    answers = {
        "w": "Write it again",
        "a": "Save mine as another file, and go on there",
        "c": "Save mine as a copy beside it",
    }
    answer = await screen.confirm(f"{error}", answers, "Keep editing")
    if answer == "a":
        return await save_as(screen)
    for source in screen.session.deck.files.sources:
        if answer == "w" and not source.path.exists():
            source.disk.stamp = None
        elif answer == "c" and source.changed:
            screen.say(f"wrote {_copy_beside(source).name}")
    return answer == "w"


async def _rebase_on_disk(screen: AuthorScreen, *, merge: bool) -> bool:
    """Make the file on disk the base of the edits; with `merge`, take over what only the file has changed."""
    files = screen.session.deck.files
    disk = await asyncio.to_thread(load, files.path)
    on_disk = outside(files, disk)
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


def _copy_beside(source: Source) -> Path:
    """Write the text of an edited file beside it, under a name that is free, and return where."""
    path = source.path
    for number in count(1):
        copy = path.with_name(f"{path.stem}.mine{number if number > 1 else ''}{path.suffix}")
        if write_copy(source, copy):
            break
    return copy


@AUTHOR.command("deck.save-as", "A", "Save as", group="Deck")
async def save_under_another_name(screen: AuthorScreen) -> None:
    """Write the deck to another file and go on there with its history; this file stays as it was."""
    await save_as(screen)


async def save_as(screen: AuthorScreen) -> bool:
    """Ask for another file and let the deck be that one; tell whether it is."""
    session = screen.session
    source = session.deck.files.sources[0]
    if len(session.deck.files.sources) > 1:
        raise EditRefusedError(f"this deck is in several files; {key_named('deck.save-copy', 'C')} copies its own")
    name = await screen.ask("Save as", source.path.name)
    path = source.path.parent / Path(name).expanduser()
    if not name or path == source.path:
        return False
    if form_named(path).name != source.document.format:
        raise EditRefusedError(
            f"{path.name} is named as another format; {key_named('sample.export', 'X')} exports samples to it"
        )
    if not write_copy(source, path):
        raise EditRefusedError(f"there is a {path.name} already; it stays as it is")
    session.become(path, read_text(path)[1])
    screen.moved_to(path)
    screen.refresh_all()
    screen.say(f"wrote {path.name}, which is open from now on; {source.path.name} stays as it was")
    return True


@AUTHOR.command("deck.save-copy", "C", "Save a copy", group="Deck")
async def save_copy(screen: AuthorScreen) -> None:
    """Write the deck as it is now to another file, which is not opened; this one stays as it is."""
    source = screen.session.deck.files.sources[0]
    name = await screen.ask("Save a copy as", f"{source.path.stem}-2{source.path.suffix}")
    if not name:
        return
    path = source.path.parent / Path(name).expanduser()
    if not write_copy(source, path):
        raise EditRefusedError(f"there is a {path.name} already; it stays as it is")
    more = len(screen.session.deck.files.sources) - 1
    screen.say(f"wrote {path.name}" + (f"; the {more} other files of the deck are not copied" if more else ""))
