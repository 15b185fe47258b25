"""Every command of the list of notes, and what each needs; importing this fills its registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.review.handing_back import words_of
from sampleui.tui.actions import APP, FIELDS, marking, moving
from sampleui.tui.commands import Registry
from sampleui.tui.review.coding import define_code_of, pick_code, pick_known, rename_code_of

if TYPE_CHECKING:
    from sampleui.tui.review.notes import NotesScreen

NOTES: Registry[NotesScreen] = Registry()
_NOTES = "Notes"
_PANE = "notes"


a_note = NOTES.need(lambda screen: screen.item is not None, "there is no note here")


def notes_to_code(screen: NotesScreen) -> str:
    """Need a note, marked or under the cursor, and not only what programs propose."""
    return "" if screen.notes else a_note(screen) or "what a program proposes is taken first"


def proposed(screen: NotesScreen) -> str:
    """Need something that a program proposes."""
    return "" if screen.proposed else "no program proposes anything here that waits for you"


a_change = NOTES.need(lambda screen: screen.review.log.can_undo(screen.review.options.reviewer), "nothing to undo")


@NOTES.command("review.open", "enter", "Go there", group=_NOTES, scopes=_PANE, bar=1, needs=a_note)
def go_there(screen: NotesScreen) -> None:
    """Go to what the note is about: the words of an answer or a turn, an event of the trace, or the record."""
    screen.go_to()


@NOTES.command("verdict.code", "#", "Put under a code", group=_NOTES, bar=2, needs=notes_to_code)
async def put_under_code(screen: NotesScreen) -> None:
    """Put the note, or all marked, under a code; again takes them away; a new name asks for its sentence."""
    if code := await pick_code(screen, screen.review, "Put under which code"):
        screen.put_under(code)


@NOTES.command("code.rename", "r", "Rename a code", group=_NOTES, bar=6)
async def rename(screen: NotesScreen) -> None:
    """Give a code another name, by which what was said of it goes on to count; that of another one merges both."""
    if code := await pick_known(screen, screen.review, "Rename which code", screen.codes):
        await rename_code_of(screen, screen.review, code)
        screen.refresh_notes()


@NOTES.command("code.define", "e", "Edit definition", group=_NOTES, bar=6)
async def define(screen: NotesScreen) -> None:
    """Give a code another definition; labels of the one before are counted apart, and asked for first in a pass."""
    if code := await pick_known(screen, screen.review, "Change the definition of which code", screen.codes):
        await define_code_of(screen, screen.review, code)


@NOTES.command("proposal.take", "A", "Take proposal", group=_NOTES, bar=3, needs=proposed, decides=True)
async def take(screen: NotesScreen) -> None:
    """Take what programs propose, here or marked, once it stood on the screen; letters there refuse some of it."""
    await screen.take_proposals()


@NOTES.command("proposal.refuse", "R", "Refuse it", group=_NOTES, bar=4, needs=proposed, decides=True)
async def refuse(screen: NotesScreen) -> None:
    """Refuse what programs propose, here or for all marked; it stays in the log and counts for nothing."""
    await screen.refuse_proposals()


@NOTES.command("verdict.undo", "u", "Undo", group=_NOTES, bar=7, needs=a_change)
def undo(screen: NotesScreen) -> None:
    """Take back what you did last: a note that you put under a code, an answer to a proposal, a note."""
    screen.undo()


@NOTES.command("record.unfold", "Z", "Fold settled", group=_NOTES, bar=8)
def turn_fold(screen: NotesScreen) -> None:
    """Show the notes that are under a code and the proposals that are answered, too, or fold them again."""
    screen.turn_fold()


@NOTES.command("review.search", "/", "Search", group=_NOTES, bar=5)
def search(screen: NotesScreen) -> None:
    """Show only the notes that hold words, are of a record or a code, or by somebody."""
    screen.filter.open()


@NOTES.command("review.copy", "y ctrl+c", "Copy", group=_NOTES, bar=19, needs=a_note)
def copy(screen: NotesScreen) -> None:
    """Copy the note."""
    assert screen.item is not None  # what the command needs
    screen.copy(words_of(screen.item.said) or screen.item.text, "the note")


NOTES.include(marking(_PANE, a_note))
NOTES.include(FIELDS)
NOTES.include(item for item in moving(_PANE) if item.id.startswith("cursor."))


@NOTES.command("review.search-end", "escape", "Back", group=_NOTES, scopes=_PANE, bar=9)
def go_back(screen: NotesScreen) -> None:
    """Remove the marks; if there are none, end the search; without one go back to the review."""
    screen.go_back()


NOTES.include(APP)


@NOTES.command("app.quit", "ctrl+q", "Back", group="App", bar=32, anywhere=True)
def leave(screen: NotesScreen) -> None:
    """Go back to the review."""
    screen.leave()
