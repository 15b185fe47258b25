"""The notes of a run as a list, with what programs propose: one goes to them and puts them under codes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.app import ComposeResult

from sampleui.review.verdict import Decision, LabelValue, LogAction
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import ScreenKind, key_named
from sampleui.tui.drawing.rows import Row, fitted, mark_sign, spread, text_rows
from sampleui.tui.review.deciding import answered_words, take_seen
from sampleui.tui.review.proposals import answer, taken_words
from sampleui.tui.review.rows.scores import proposal_words
from sampleui.tui.review.session_verdicts import put_under, undo_verdicts, undo_words
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.panes import ListPane, Pane
from sampleui.tui.widgets.bars import Title
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.text_view import TextView
from sampleui.tui.widgets.virtual_list import Marked, VirtualList

if TYPE_CHECKING:
    from sampleui.settings.options import Settings
    from sampleui.tui.review.session import ReviewSession


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
        place = self.said.place
        where = "" if place is None else f"“{one_line(place.quote, 200)}” " if place.quote else f"{place}: "
        if self.said.kind is LogAction.PROPOSE:
            return one_line(proposal_words(self.said), 400)
        return f"{where}{one_line(self.said.comment, 300)}"


def notes_in(review: ReviewSession, about: Set[str] | None = None) -> Iterator[ListedNote]:
    """Yield what the reviewer may see that was said of records and proposed, in file order, then proposed codes.

    `about` are the digests of the records that are asked about, an empty one for codes; None for all.
    """
    reviewer, told = review.options.reviewer, set[str]()
    for item in review.queue.items:
        said, digest = item.view.said, item.entry.digest
        if not said or digest in told or (about is not None and digest not in about):
            continue
        told.add(digest)
        codes = _codes_of_notes(said, reviewer) if item.view.codes else {}
        for line in said:
            if line.kind is LogAction.PROPOSE:
                yield ListedNote(item.entry.index, line, (), line not in item.view.waiting)
            elif line.comment and line.label is None:
                under = codes.get(line.id, ())
                yield ListedNote(item.entry.index, line, under, bool(under))
    if about is None or "" in about:
        yield from (ListedNote(-1, line) for line in review.log.open_proposals("", reviewer))


def _codes_of_notes(said: Iterable[Decision], reviewer: str) -> dict[str, tuple[str, ...]]:
    """Return the codes under which the reviewer put notes of a record, by the ids of these."""
    codes: dict[str, tuple[str, ...]] = {}
    for label in said:
        if label.note is not None and label.reviewer == reviewer and label.label is LabelValue.YES:
            codes[label.note] = (*codes.get(label.note, ()), str(label.code))
    return codes


@dataclass(frozen=True)
class ShownNotes:
    """Which notes are shown.

    Attributes:
        listed: all notes.
        words: what the shown ones hold; empty for all.
        opened: whether those that are settled are shown too.
    """

    listed: tuple[ListedNote, ...] = ()
    words: str = ""
    opened: bool = False

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


class NotesState(NamedTuple):
    """What the list of notes shows, and which are marked, by the ids of their lines."""

    listing: ShownNotes = ShownNotes()
    marks: Marked[str] = Marked()

    def chosen(self, cursor: int) -> Sequence[ListedNote]:
        """Return what a command is about: the marked ones that are shown, or else the one with the cursor."""
        rows, marked = self.listing.rows, self.marks.places
        return [item for item in rows if item.said.id in marked] if marked else rows[cursor : cursor + 1]


def _searched(item: ListedNote) -> str:
    said = item.said
    texts = said.record_id, said.reviewer, said.comment, said.code or "", said.label or "", str(said.place or "")
    return "\n".join((*texts, *item.codes)).casefold()


class NoteList(VirtualList):
    """A row for each note: its record, its words, and at the right its codes or who proposes it."""

    scope: ClassVar[str] = "notes"

    def __init__(self, review: ReviewSession, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._review = review
        self.state = NotesState()

    def count(self) -> int:
        """Return how many are shown."""
        return len(self.state.listing.rows)

    def row(self, index: int, width: int) -> Row:
        """Return a note."""
        item = self.state.listing.rows[index]
        name = fitted(one_line(item.said.record_id, 60) or "codes", max(width // 4, 8))
        own = item.said.reviewer == self._review.options.reviewer
        whose = "" if own else one_line(item.said.reviewer, 24)
        codes = f"# {', '.join(item.codes)}" if item.codes else ""
        right = [("accent", f"  {one_line(codes, 60)}")] if codes else [("muted", f"  {whose}")] if whose else []
        sign = "? " if item.is_proposed else "  "
        left = [*mark_sign(item.said.id in self.state.marks.places), ("accent", sign), ("muted", f"{name}  ")]
        return spread([*left, ("faint" if item.is_settled else "text", item.text)], right, width)


class NotesScreen(CommandScreen):
    """Lists notes and proposals. Answers with the one to go to; None for none."""

    kind = ScreenKind.NOTES
    home = "notes"
    AUTO_FOCUS = "#notes"
    DEFAULT_CSS = """
    NotesScreen #note { height: 30%; min-height: 6; padding: 0 1; border-top: solid $text-edge; }
    """

    def __init__(self, review: ReviewSession, settings: Settings) -> None:
        super().__init__(settings)
        self.review: ReviewSession = review
        self.list = NoteList(review, id="notes")
        self.list_pane = ListPane(self.list)
        self.filter = FilterInput("words of a note, a record, a code or who wrote it", id="note-filter")
        self.whole = TextView(id="note")
        self.whole.can_focus = False
        self.picked: ListedNote | None = None

    def compose(self) -> ComposeResult:
        """Yield the list, and below it the note with the cursor."""
        yield self.title_bar
        yield self.list_pane
        yield self.whole
        yield self.message_line
        yield self.key_bar

    def panes(self) -> list[Pane]:
        """Return the list."""
        return [Pane("notes", "Notes", self.list_pane, self.list)]

    def on_mount(self) -> None:
        """List the notes."""
        self.name_panes()
        self.refresh_notes()

    def on_first_drawn(self) -> None:
        """Make room for the words of a search, and show the keys."""
        self.list_pane.mount(self.filter, before=self.list)
        super().on_first_drawn()

    @property
    def state(self) -> NotesState:
        """What is shown."""
        return self.list.state

    @property
    def listing(self) -> ShownNotes:
        """Which notes that are."""
        return self.state.listing

    @property
    def item(self) -> ListedNote | None:
        """The note with the cursor."""
        return self.listing.rows[self.list.cursor] if self.listing.rows else None

    @property
    def chosen(self) -> Sequence[ListedNote]:
        """What a command is about."""
        return self.state.chosen(self.list.cursor)

    @property
    def codes(self) -> Sequence[str]:
        """The codes of the note with the cursor."""
        return () if self.item is None else self.item.codes

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
        return taken_words(self.review.log, [item.said for item in self.listing.listed if item.is_proposed])

    def refresh_notes(self) -> None:
        """List the notes as they are now."""
        self.list_other(listed=tuple(notes_in(self.review)))

    def _done(self, about: Set[str]) -> None:
        """List notes of records, by their digests, as they are now, and none as marked."""
        self.__dict__.pop("_taken", None)
        self.list.state = self.state._replace(marks=Marked())
        kept = (item for item in self.listing.listed if item.said.record not in about)
        again = (*kept, *notes_in(self.review, about))
        self.list_other(
            listed=tuple(sorted(again, key=lambda item: item.record % max(len(self.review.queue.items), 1)))
        )

    def list_other(self, **changes: Any) -> None:
        """List other notes."""
        self.show(self.state._replace(listing=replace(self.listing, **changes)))

    def show(self, state: NotesState) -> None:
        """Show another state; the cursor stays on its note, or where it was."""
        before = self.item
        self.list.state = state
        listing, ids = state.listing, state.listing.ids
        known = before is not None and before.said.id in ids
        settled = f"every note is settled; {key_named('record.unfold', 'Z')} shows them" if listing.folded else ""
        self.list.empty_hint = "no note holds these words" if listing.words else settled or "there are no notes"
        self.list.reload(ids.index(before.said.id) if before is not None and known else None)
        self._show_whole()

    def _show_whole(self) -> None:
        listing, marked = self.listing, len(self.state.marks.places)
        facts = [f"{marked:,} marked"] if marked else []
        facts += [f"{listing.waiting:,} proposed"] if listing.waiting else []
        facts += [f"{counted(listing.folded, 'settled one')} folded"] if listing.folded else []
        position = f"{self.list.cursor + 1 if listing.rows else 0:,}/{len(listing.rows):,}"
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
        rows += text_rows(str(said.place), "accent", width) if said.place is not None else []
        rows += text_rows(said.verdict_words, "muted", width) if said.verdict is not None else []
        rows += text_rows(said.comment, "text", width)
        return [*rows, *(text_rows(f"# {', '.join(item.codes)}", "accent", width) if item.codes else [])]

    # Marks

    @property
    def marks(self) -> NotesScreen:
        """Itself, which marks notes."""
        return self

    def toggle(self) -> None:
        """Mark the note with the cursor, or unmark it, and go to the next."""
        self.mark(self.state.marks.toggled(self.list.cursor, self.listing.ids))
        self.list.step(1)

    def extend(self) -> None:
        """Mark all from the one that was marked last to the one with the cursor."""
        self.mark(self.state.marks.extended(self.list.cursor, self.listing.ids))

    def toggle_all(self) -> None:
        """Mark all that are shown; if all are marked, none."""
        self.mark(self.state.marks.all_toggled({*self.listing.ids}))

    def mark(self, marks: Marked[str]) -> None:
        """Show which are marked."""
        self.show(self.state._replace(marks=marks))

    # What keys do

    def go_to(self) -> None:
        """Go to the note with the cursor."""
        self.picked = self.item if self.item is not None and self.item.record >= 0 else None
        self.leave()

    def go_back(self) -> None:
        """Remove the marks; if there are none, end the search; without one go back to the review."""
        if self.state.marks.places:
            self.mark(Marked())
        elif self.listing.words:
            self.filter.shut()
            self.list_other(words="")
        else:
            self.leave()

    def turn_fold(self) -> None:
        """Show the settled ones too, or fold them again."""
        self.list_other(opened=not self.listing.opened)

    def put_under(self, code: str) -> None:
        """Put what is chosen under a code; where all of it is, take it away from there."""
        made = put_under(self.review, self.notes, code)
        self._done({item.record for item in made})
        what = counted(len(made), "note")
        away = made[0].kind is LogAction.UNDO
        self.say(f"took {what} away from {code}" if away else f"put {what} under {code}")

    async def take_proposals(self) -> None:
        """Take what programs propose, once it has stood on the screen."""
        alone = len(self.chosen) == 1 and len(self.whole.rows) <= self.whole.scrollable_content_region.height
        made = await take_seen(self, self.proposed, seen=alone)
        if made is not None:
            self._done({item.record for item in made})
            self.say(answered_words(made) if made else "what was proposed waits no longer")

    async def refuse_proposals(self) -> None:
        """Refuse what programs propose."""
        refused = await answer(self.review, (), [said for _, said in self.proposed])
        self._done({item.record for item in refused})
        self.say(f"{answered_words(refused)}; {key_named('verdict.undo', 'u')} takes it back")

    def undo(self) -> None:
        """Take back what was done last."""
        undone = undo_verdicts(self.review)
        self._done({item.record for item in undone})
        if undone:
            self.say(undo_words(self.review, undone))
        else:
            self.refuse("nothing to undo")

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Show the notes that hold the words."""
        if message.words != self.listing.words:
            self.list_other(words=message.words)

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
        self.go_to()
