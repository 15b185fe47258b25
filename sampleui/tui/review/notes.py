"""The notes of a run as a list, with what programs propose, and its commands: to go to, code, take and refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from textual.app import ComposeResult

from sampleui.review.handing_back import words_of
from sampleui.review.verdict import Decision, LabelValue, LogAction
from sampleui.settings.options import Settings
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.actions import APP, FIELDS, marking, moving
from sampleui.tui.commands import Registry, ScreenKind, key_named
from sampleui.tui.drawing.rows import Row, fitted, mark_sign, spread, text_rows
from sampleui.tui.review.coding import define_code_of, pick_code, pick_known, rename_code_of
from sampleui.tui.review.deciding import answered_words, take_seen
from sampleui.tui.review.rows.scores import proposal_words
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.session_verdicts import answer, put_under, taken_words, undo_verdicts, undo_words
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.panes import ListPane, Pane
from sampleui.tui.widgets.bars import Title
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.text_view import TextView
from sampleui.tui.widgets.virtual_list import Marked, MarkStep, RowList


class ListedNote(NamedTuple):
    """What somebody said of a record, or what a program proposes.

    Attributes:
        record: the index of the record; -1 for a code, which is about none.
        said: it.
        codes: the codes under which the reviewer has put it.
        is_settled: whether it is under a code, or a proposal that was taken or refused.
    """

    record: int
    said: Decision
    codes: tuple[str, ...] = ()
    is_settled: bool = False

    @property
    def is_proposed(self) -> bool:
        """Whether a program proposes it and waits for the reviewer."""
        return self.said.kind is LogAction.PROPOSE and not self.is_settled

    @property
    def text(self) -> str:
        """What it says, on a line."""
        if self.said.kind is LogAction.PROPOSE:
            return one_line(proposal_words(self.said), 400)
        place = self.said.place
        where = "" if place is None else f"  “{one_line(place.quote, 200)}”" if place.quote else f"  {place}"
        return f"{one_line(self.said.comment, 300)}{where}"


def notes_in(review: ReviewSession) -> Iterator[ListedNote]:
    """Yield what the reviewer may see that was said of records and proposed, in file order, then proposed codes."""
    reviewer, told = review.options.reviewer, set[str]()
    for item in review.queue.items:
        said, digest = item.view.said, item.entry.digest
        if not said or digest in told:
            continue
        told.add(digest)
        codes = _codes_of_notes(said, reviewer) if item.view.codes else {}
        for line in said:
            if line.kind is LogAction.PROPOSE:
                yield ListedNote(item.entry.index, line, (), line not in item.view.waiting)
            elif line.comment and line.label is None:
                under = codes.get(line.id, ())
                yield ListedNote(item.entry.index, line, under, bool(under))
    yield from (ListedNote(-1, line) for line in review.log.open_proposals("", reviewer))


def _codes_of_notes(said: Iterable[Decision], reviewer: str) -> dict[str, tuple[str, ...]]:
    """Return the codes under which the reviewer put notes of a record, by the ids of these."""
    codes: dict[str, tuple[str, ...]] = {}
    for label in said:
        if label.note is not None and label.reviewer == reviewer and label.label is LabelValue.YES:
            codes[label.note] = (*codes.get(label.note, ()), str(label.code))
    return codes


@dataclass(frozen=True)
class NotesState:
    """Which notes are shown, and which are marked.

    Attributes:
        listed: all notes.
        words: what the shown ones hold; empty for all.
        opened: whether those that are settled are shown too.
        marks: the marked ones, by the ids of their lines.
    """

    listed: tuple[ListedNote, ...] = ()
    words: str = ""
    opened: bool = False
    marks: Marked[str] = field(default_factory=Marked)

    @cached_property
    def rows(self) -> tuple[ListedNote, ...]:
        """The notes that are shown."""
        words = self.words.casefold().split()
        shown = self.listed if self.opened else tuple(item for item in self.listed if not item.is_settled)
        return tuple(item for item in shown if all(map(_searched(item).__contains__, words))) if words else shown

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of the lines of what is shown."""
        return tuple(item.said.id for item in self.rows)

    @cached_property
    def folded(self) -> int:
        """How many are settled and not shown."""
        return 0 if self.opened else sum(item.is_settled for item in self.listed)

    @cached_property
    def waiting(self) -> int:
        """How many are proposals that wait."""
        return sum(item.is_proposed for item in self.listed)


def _searched(item: ListedNote) -> str:
    said = item.said
    texts = said.record_id, said.reviewer, said.comment, said.code or "", said.label or "", str(said.place or "")
    return "\n".join((*texts, *item.codes)).casefold()


class NotesScreen(CommandScreen):
    """Lists notes and proposals, of which one may be picked to go to."""

    kind = ScreenKind.NOTES
    home = "notes"
    AUTO_FOCUS = "#notes"
    DEFAULT_CSS = """
    NotesScreen #note { height: 30%; min-height: 6; padding: 0 1; border-top: solid $text-edge; }
    """

    def __init__(self, review: ReviewSession, settings: Settings) -> None:
        super().__init__(settings)
        self.review: ReviewSession = review
        self.state = NotesState()
        self.list: RowList[ListedNote] = RowList("notes")
        self.list_pane = ListPane(self.list)
        self.filter = FilterInput("words of a note, a record, a code or who wrote it", id="note-filter")
        self.whole = TextView(id="note")
        self.whole.can_focus = False
        self.picked: ListedNote | None = None

    def body(self) -> ComposeResult:
        """Yield the list, and below it the note with the cursor."""
        yield self.list_pane
        yield self.whole

    def panes(self) -> list[Pane]:
        """Return the list."""
        return [Pane("notes", "Notes", self.list_pane, self.list)]

    def on_mount(self) -> None:
        """List the notes."""
        self.name_panes()
        self.list_again()

    def on_first_drawn(self) -> None:
        """Make room for the words of a search, and show the keys."""
        self.list_pane.mount(self.filter, before=self.list)
        super().on_first_drawn()

    @property
    def item(self) -> ListedNote | None:
        """The note with the cursor."""
        return self.state.rows[self.list.cursor] if self.state.rows else None

    @property
    def chosen(self) -> Sequence[ListedNote]:
        """What a command is about: the marked notes that are shown, or else the one with the cursor."""
        marked, rows, cursor = self.state.marks.places, self.state.rows, self.list.cursor
        return [item for item in rows if item.said.id in marked] if marked else rows[cursor : cursor + 1]

    @property
    def notes(self) -> list[Decision]:
        """What of that people said."""
        return [item.said for item in self.chosen if item.said.kind is not LogAction.PROPOSE]

    @property
    def proposed(self) -> list[tuple[int, Decision]]:
        """What of that programs propose, codes first, each with the index of its record."""
        waiting = [(item.record, item.said) for item in self.chosen if item.is_proposed]
        return sorted(waiting, key=lambda item: item[0] >= 0)

    @cached_property
    def _taken(self) -> Mapping[str, str]:
        """How often what programs propose was taken so far, in words, by the ids of proposals."""
        return taken_words(self.review.log, [item.said for item in self.state.listed if item.is_proposed])

    @property
    def shows_whole(self) -> bool:
        """Whether what a command is about stands on the screen, to its end."""
        return len(self.chosen) == 1 and len(self.whole.rows) <= self.whole.scrollable_content_region.height

    def list_again(self) -> None:
        """List the notes as they are now, none of them marked."""
        self.__dict__.pop("_taken", None)
        self.show(listed=tuple(notes_in(self.review)), marks=Marked())

    def show(self, **changes: Any) -> None:
        """Show another state; the cursor stays on its note, or where it was."""
        before = self.item
        self.state = state = replace(self.state, **changes)
        known = before is not None and before.said.id in state.ids
        settled = f"every note is settled; {key_named('record.unfold', 'Z')} shows them" if state.folded else ""
        self.list.empty_hint = "no note holds these words" if state.words else settled or "there are no notes"
        self.list.show(
            state.rows, self._row, state.ids.index(before.said.id) if before is not None and known else None
        )
        self._show_whole()

    def _row(self, item: ListedNote, width: int) -> Row:
        """Return a note: its record, its words, and at the right its codes or who proposes it."""
        name = fitted(one_line(item.said.record_id, 60) or "codes", max(width // 4, 8))
        own = item.said.reviewer == self.review.options.reviewer
        whose = "" if own else one_line(item.said.reviewer, 24)
        codes = f"# {', '.join(item.codes)}" if item.codes else ""
        right = [("accent", f"  {one_line(codes, 60)}")] if codes else [("muted", f"  {whose}")] if whose else []
        sign = "? " if item.is_proposed else "  "
        left = [*mark_sign(item.said.id in self.state.marks.places), ("accent", sign), ("muted", f"{name}  ")]
        return spread([*left, ("faint" if item.is_settled else "text", item.text)], right, width)

    def _show_whole(self) -> None:
        state, marked = self.state, len(self.state.marks.places)
        facts = [f"{marked:,} marked"] if marked else []
        facts += [f"{state.waiting:,} proposed"] if state.waiting else []
        facts += [f"{counted(state.folded, 'settled one')} folded"] if state.folded else []
        position = f"{self.list.cursor + 1 if state.rows else 0:,}/{len(state.rows):,}"
        self.title_bar.show(Title(self.review.results.name, "Notes", " · ".join((position, *facts))))
        self.whole.show(self._whole_rows, keep=False)
        self.show_keys()

    def _whole_rows(self, width: int) -> list[Row]:
        item = self.item
        if item is None:
            return []
        said = item.said
        when = said.time[:16].replace("T", " ")
        by = f", {one_line(said.reviewer, 40)}, {when}"
        head = f"{one_line(said.record_id, 200)}{by}" if item.record >= 0 else f"the codes{by}"
        rows = text_rows(head, "text-bold", width)
        if said.kind is LogAction.PROPOSE:
            rows += text_rows(self._taken.get(said.id, ""), "muted", width) if said.id in self._taken else []
            return [*rows, *text_rows(proposal_words(said), "text", width)]
        rows += text_rows(said.verdict_words, "muted", width) if said.verdict is not None else []
        rows += text_rows(said.comment, "text", width)
        rows += text_rows(f"# {', '.join(item.codes)}", "accent", width) if item.codes else []
        return [*rows, *(text_rows(str(said.place), "muted", width) if said.place is not None else [])]

    def mark(self, step: MarkStep) -> None:
        """Mark notes by a step; one alone goes on to the next."""
        self.show(marks=step(self.state.marks, self.list.cursor, self.state.ids))
        if step is Marked.toggled:
            self.list.step(1)

    # What else happens

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Show the notes that hold the words."""
        if message.words != self.state.words:
            self.show(words=message.words)

    def on_filter_input_done(self) -> None:
        """Go to the list; the field stays while it has words."""
        self.set_focus(self.list)
        if not self.filter.value:
            self.filter.shut()

    def on_virtual_list_moved(self) -> None:
        """Show the note that the cursor went to."""
        self._show_whole()

    def on_virtual_list_chosen(self) -> None:
        """Go to the note that was clicked."""
        go_there(self)


NOTES: Registry[NotesScreen] = Registry()
"""The commands of the list."""

_NOTES = "Notes"
_PANE = "notes"


a_note = NOTES.need(lambda screen: screen.item is not None, "there is no note here")
something_proposed = NOTES.need(
    lambda screen: screen.proposed, "no program proposes anything here that waits for you"
)
a_change = NOTES.need(lambda screen: screen.review.log.can_undo(screen.review.options.reviewer), "nothing to undo")


def notes_to_code(screen: NotesScreen) -> str:
    """Need a note, marked or under the cursor, and not only what programs propose."""
    return "" if screen.notes else a_note(screen) or "what a program proposes is taken first"


@NOTES.command("review.open", "enter", "Go there", group=_NOTES, scopes=_PANE, bar=1, needs=a_note)
def go_there(screen: NotesScreen) -> None:
    """Go to what the note is about: the words of an answer or a turn, an event of the trace, or the record."""
    screen.picked = screen.item if screen.item is not None and screen.item.record >= 0 else None
    screen.leave()


@NOTES.command("verdict.code", "#", "Put under a code", group=_NOTES, bar=2, needs=notes_to_code)
async def put_under_code(screen: NotesScreen) -> None:
    """Put the note, or all marked, under a code; again takes them away; a new name asks for its sentence."""
    if code := await pick_code(screen, screen.review, "Put under which code"):
        made = put_under(screen.review, screen.notes, code)
        screen.list_again()
        what, away = counted(len(made), "note"), made[0].kind is LogAction.UNDO
        screen.say(f"took {what} away from {code}" if away else f"put {what} under {code}")


@NOTES.command("code.rename", "r", "Rename a code", group=_NOTES, bar=6)
async def rename(screen: NotesScreen) -> None:
    """Give a code another name, by which what was said of it goes on to count; that of another one merges both."""
    if code := await pick_known(screen, screen.review, "Rename which code", screen.item and screen.item.codes):
        await rename_code_of(screen, screen.review, code)
        screen.list_again()


@NOTES.command("code.define", "e", "Edit definition", group=_NOTES, bar=6)
async def define(screen: NotesScreen) -> None:
    """Give a code another definition; labels of the one before are counted apart, and asked for first in a pass."""
    asked = "Change the definition of which code"
    if code := await pick_known(screen, screen.review, asked, screen.item and screen.item.codes):
        await define_code_of(screen, screen.review, code)


@NOTES.command("proposal.take", "A", "Take proposal", group=_NOTES, bar=3, needs=something_proposed, decides=True)
async def take(screen: NotesScreen) -> None:
    """Take what programs propose, here or marked, once it stood on the screen; letters there refuse some of it."""
    made = await take_seen(screen, screen.proposed, seen=screen.shows_whole)
    if made is not None:
        screen.list_again()
        screen.say(answered_words(made))


@NOTES.command("proposal.refuse", "R", "Refuse it", group=_NOTES, bar=4, needs=something_proposed, decides=True)
async def refuse(screen: NotesScreen) -> None:
    """Refuse what programs propose, here or for all marked; it stays in the log and counts for nothing."""
    refused = await answer(screen.review, (), [said for _, said in screen.proposed])
    screen.list_again()
    back = f"; {key_named('verdict.undo', 'u')} takes it back" if refused else ""
    screen.say(f"{answered_words(refused)}{back}")


@NOTES.command("verdict.undo", "u", "Undo", group=_NOTES, bar=7, needs=a_change)
def undo(screen: NotesScreen) -> None:
    """Take back what you did last: a note that you put under a code, an answer to a proposal, a note."""
    undone = undo_verdicts(screen.review)
    screen.list_again()
    if undone:
        screen.say(undo_words(screen.review, undone))
    else:
        screen.refuse("nothing to undo")


@NOTES.command("record.unfold", "Z", "Fold settled", group=_NOTES, bar=8)
def turn_fold(screen: NotesScreen) -> None:
    """Show the notes that are under a code and the proposals that are answered, too, or fold them again."""
    screen.show(opened=not screen.state.opened)


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


@NOTES.command("review.search-end", "escape", "Back", group=_NOTES, scopes=_PANE)
def go_back(screen: NotesScreen) -> None:
    """Remove the marks; if there are none, end the search; without one go back to the review."""
    if screen.state.marks.places:
        screen.show(marks=Marked())
    elif screen.state.words:
        screen.filter.shut()
        screen.show(words="")
    else:
        screen.leave()


NOTES.include(APP)


@NOTES.command("app.quit", "ctrl+q", "Back", group="App", bar=32, anywhere=True)
def leave(screen: NotesScreen) -> None:
    """Go back to the review."""
    screen.leave()
