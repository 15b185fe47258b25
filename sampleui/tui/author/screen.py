"""The author screen: samples, the conversation of one of them, its preview, and the problems below."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.screen import Screen

from sampleui.deck.history import Focus, UndoStep
from sampleui.formats.data import DataPath
from sampleui.formats.operations import Operation
from sampleui.formats.registry import BY_SUFFIX
from sampleui.sample.model import Sample
from sampleui.settings.options import Settings
from sampleui.text.confined import listed, packaged_text
from sampleui.text.diagnostic import Diagnostic
from sampleui.text.visible import one_line
from sampleui.tui.author.filtering import Marks, SampleFilter
from sampleui.tui.author.repeating import Repeating
from sampleui.tui.author.session import Edit, Session, edits_of
from sampleui.tui.author.showing import flags_of, hint_for, status_of, title_of
from sampleui.tui.author.widgets import Preview, SampleList
from sampleui.tui.commands import TYPING, Command, ScreenKind, key_named
from sampleui.tui.drawing.cards import Flags
from sampleui.tui.drawing.items import Item, find, items_of
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.panes import Pane, PaneColumn, PaneFrame, PaneRow, resize
from sampleui.tui.textual_internals import COMMANDS
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.conversation import Conversation
from sampleui.tui.widgets.virtual_list import MarkStep, RowList
from sampleui.workspace.deck import Deck
from sampleui.workspace.reading import PromptOptions

if TYPE_CHECKING:
    from sampleui.deck.merging import DiskChanges
    from sampleui.tui.author.comparing import Comparing
    from sampleui.tui.author.disk import FileWatch
    from sampleui.tui.author.editing import Editing
    from sampleui.tui.author.preview import Subject
    from sampleui.tui.author.problems import ProblemMarks
    from sampleui.tui.author.search import Seeking
    from sampleui.tui.widgets.filter_input import FilterInput
    from sampleui.tui.widgets.turn_editor import TurnEditor
    from sampleui.workspace.text_search import Query

_MIN_SAMPLES_WIDTH = 24
"""Cells that the list of samples has at least."""
DECK_SUFFIXES = frozenset(BY_SUFFIX) - {".md", ".markdown"}


class AuthorScreen(CommandScreen):
    """Writes the samples of one deck, in four panes: samples, conversation, preview, and problems below them.

    Attributes:
        session: the deck and its history.
        index: the current sample, by its place in the deck; below 0 for what is beside the samples.
        wanted: how many cells the ids of the samples need.
    """

    kind = ScreenKind.AUTHOR
    kept_as = "author"
    home = "turns"
    # Not CSS_PATH, which Textual reads for screens that are pushed and not for the first one.
    DEFAULT_CSS = packaged_text(Path(__file__).with_suffix(".tcss"))
    AUTO_FOCUS: ClassVar[str | None] = "#turns"
    stays_open: ClassVar[bool] = False
    """Whether the deck stays open when the screen is left, and so nothing has to be asked."""
    of_record: ClassVar[bool] = False
    """Whether it was opened from the record of a run, whose sample can be run again."""
    wanted: int = 0

    def __init__(
        self, deck: Deck, settings: Settings, focus: Focus | None = None, session: Session | None = None
    ) -> None:
        super().__init__(settings)
        self.sample_pane = PaneFrame(id="sample-pane")
        self.samples = SampleList(deck, id="samples")
        self.conversation = Conversation(id="turns")
        self.preview = Preview(id="preview")
        self.preview.whole = settings.whole_preview
        self.preview.is_beside = lambda: not self.conversation.has_class("away")
        self.problem_list = RowList[Diagnostic]("problems")
        self.session: Session = session or Session(deck)
        self.index = 0
        self.runs_again = False
        self._focus = focus or Focus(0)
        self._seen: tuple[int, str] | None = None
        self._shown: tuple[Deck, int, Sample] | None = None
        self.folds: dict[DataPath, bool] = {}
        self._entered: set[DataPath] = set()
        self.sample_filter = SampleFilter(self)
        self.marks: Marks = Marks(self)
        self.repeating = Repeating(self)
        self._dialect = ""

    def mark(self, step: MarkStep) -> None:
        """Mark samples, or turns and fields, by a step."""
        self.marks.mark(step)

    # The parts that the first frame does without are made, and their modules loaded, when they are first asked for.

    @cached_property
    def filter(self) -> FilterInput:
        """The field that narrows the samples."""
        from sampleui.tui.widgets.filter_input import FilterInput

        return FilterInput("words, role:tool, tag:x, score<0, problem", id="filter")

    @cached_property
    def comparing(self) -> Comparing:
        """The base that the deck is compared with."""
        from sampleui.tui.author.comparing import Comparing

        return Comparing(lambda: self.session.deck.files)

    @cached_property
    def problem_marks(self) -> ProblemMarks:
        """The problems, as the screen shows them."""
        from sampleui.tui.author.problems import ProblemMarks

        return ProblemMarks(self)

    @cached_property
    def seeking(self) -> Seeking:
        """The search through the deck."""
        from sampleui.tui.author.search import Seeking

        return Seeking(self)

    @cached_property
    def editing(self) -> Editing:
        """The editor of the value under the cursor."""
        from sampleui.tui.author.editing import Editing

        return Editing(self)

    @cached_property
    def file_watch(self) -> FileWatch:
        """Watches the files of the deck on the disk."""
        from sampleui.tui.author.disk import FileWatch

        return FileWatch(self)

    def body(self) -> ComposeResult:
        """Yield the panes."""
        yield self.tabs
        with PaneRow(id="panes", classes="pane-row"):
            with self.sample_pane:
                yield self.samples
            yield self.conversation
            yield self.preview
        yield self.problem_list

    def panes(self) -> list[Pane]:
        """Return the four panes."""
        return [
            Pane("samples", "Samples", self.sample_pane, self.samples),
            Pane("turns", "Conversation", self.conversation, self.conversation),
            Pane("preview", "Preview", self.preview, self.preview.view),
            Pane("problems", "Problems", self.problem_list, self.problem_list),
        ]

    def columns(self) -> list[PaneColumn]:
        """Return the samples and the preview; the conversation takes what is left."""
        return [PaneColumn("samples", self.sample_pane, 22), PaneColumn("preview", self.preview, 39)]

    def fit(self) -> None:
        """Fit the panes; the list of samples is as wide as its ids, within limits, unless a width was chosen."""
        super().fit()
        free = self.has_class("narrow") or "samples" in self.widths
        least = None if free else max(_MIN_SAMPLES_WIDTH, min(self.wanted, self.app.size.width * 35 // 100))
        resize(self.sample_pane, "min_width", least)

    def shown_panes(self) -> list[Pane]:
        """Return the panes, without the problems if there are none."""
        return self.panes() if self.is_drawn and self.problem_marks.in_pane else self.panes()[:-1]

    def on_mount(self) -> None:
        """Name the panes and show the first sample."""
        self.name_panes()
        self._begin(self._focus)

    def on_first_drawn(self) -> None:
        """Show what is known beside the sample, and offer what earlier sessions left unsaved."""
        self.sample_pane.mount(self.filter, before=self.samples)
        self.mount(self.seeking.bar, before=self.message_line)
        self.refresh_all()
        self.editing.typed()
        self.file_watch.begin()
        if unknown := self.told_of_settings(self.session.deck.path.parent):
            self.warn(unknown)

    def start(self, deck: Deck, focus: Focus | None = None) -> None:
        """Show a deck from the beginning, with no history."""
        self.session = Session(deck)
        self._dialect = ""
        self.marks.place_samples()
        self._begin(focus or Focus(self.index))

    def _begin(self, focus: Focus) -> None:
        if self.is_drawn:
            self.filter.shut()
        self.sample_filter.find()
        self.refresh_all(focus)
        self.wanted = self.samples.wanted()
        self.fit()

    @property
    def sample(self) -> Sample | None:
        """The current sample, as edited, or what is beside the samples; None if there is none to show."""
        deck, index = self.session.deck, self.index
        if not self.sample_filter.shown or index >= len(deck.samples):
            return None
        if self._shown is None or self._shown[0] is not deck or self._shown[1] != index:
            self._shown = (deck, index, deck.sample_at(index))  # what a key can do is asked thirty times
        return self._shown[2]

    @property
    def here(self) -> Focus:
        """Where the cursor is."""
        item = self.conversation.current
        return Focus(self.index, item.path if item else ())

    @property
    def place(self) -> DataPath:
        """The path of the value with the cursor, or of the item if that has none."""
        item, part = self.conversation.current, self.conversation.part
        return part.full_path if part is not None and part.path else item.path if item is not None else ()

    def refresh_all(self, focus: Focus | None = None) -> None:
        """Show the deck as it is now, and, where it is given, another place in it, which no filter hides then."""
        if focus is not None:
            count = len(self.session.deck.samples)
            self.index = min(focus.sample, max(count - 1, 0))
            self.sample_filter.reveal(self.index)
        self.sample_filter.renew()
        deck = self.session.deck
        before, self._dialect = self._dialect, deck.dialect
        if before not in ("", deck.dialect):  # an edit has made it one of another
            self.call_after_refresh(self.say, f"read as {deck.kind.title} from now on: {deck.reason}")
        self.show_samples()
        self.show_sample(focus.path if focus else None)
        if self.is_drawn:
            self.problem_marks.watch()

    def show_sample(self, path: DataPath | None = None) -> None:
        """Show the current sample. The cursor goes to a path in it, or stays."""
        sample = self.sample
        self.marks.follow_sample(self.index)
        here = self.place if path is None else path
        if self.fold_left(here):
            path = here
        items = items_of(sample, self.folds) if sample else ()
        notes = self.session.deck.notes if sample is None else ()
        self.conversation.empty_hint = hint_for(sample, self.sample_filter.words, notes)
        self.conversation.places = ((self.session.deck.path.parent, None),)
        indexes = find(items, path) if path is not None else None
        seen, self._seen = self._seen, (self.index, sample.id if sample else "")
        self.conversation.show(items, self._flags(items), indexes, same=self._seen == seen)
        self._count_marks()
        if not self.is_drawn:
            self.title_bar.show(title_of(self.session, sample, checked=False))
            return
        self.show_preview(keep=path is None)
        if path is not None:
            self.editing.typed()
        self.problem_marks.show()
        self.show_keys()

    def _flags(self, items: tuple[Item, ...]) -> dict[int, Flags]:
        sample = self.sample
        if not self.is_drawn:
            return {}
        changed = self.comparing.changed_items(sample.index, sample.data, items) if sample else frozenset()
        return flags_of(self.session, sample, items, self.marks.turns, changed)

    def show_flags(self) -> None:
        """Show the notes beside the turns and fields."""
        items = self.conversation.items
        self.conversation.show(items, self._flags(items))
        self._count_marks()

    def _count_marks(self) -> None:
        marked = len(self.marks.turns)
        caption(self.conversation, f"{marked} marked" if marked else "")

    def status(self) -> tuple[str, str]:
        """Return what is known of where the cursor is, and the name of its style."""
        conversation, unkept = self.conversation, self.session.journal.failure
        finding = status_of(self.session, self.sample, conversation.items, conversation.cursor[0])
        return finding if finding[0] or not unkept else (f"▲ {one_line(unkept)}", "warning")

    def show_preview(self, keep: bool = True) -> None:
        """Show what the current sample becomes."""
        sample = self.sample
        self.preview.show(self.subject(sample) if sample is not None and sample.index >= 0 else None, keep)

    shows_environment = False
    """Whether the preview fills in variables of the environment; else their names stand as they are written."""

    def subject(self, sample: Sample) -> Subject:
        """Return a sample as the preview shows it."""
        from sampleui.tui.author.preview import Subject

        deck, settings = self.session.deck, self.settings
        rendered, compared = deck.render(sample, environment=self.shows_environment), self.comparing
        view = settings.view.get(sample.dialect)
        subject = Subject(deck, sample, rendered, settings.provider, settings.system_prompt, view=view)
        return subject._replace(against=compared.base, olds=compared.olds, unfinished=self.session.unfinished)

    def use_prompt_settings(self, **chosen: str | None) -> None:
        """Render with another provider or system prompt, in this session."""
        self.settings = self.settings._replace(**chosen)  # type: ignore[arg-type]
        self.session.use(PromptOptions.of(self.settings))
        self.show_preview(keep=False)
        self.problem_marks.watch()
        self.problem_marks.show()

    def show_samples(self) -> None:
        """Show the samples that the filter lets through, with the cursor on the current one."""
        shown = self.sample_filter.shown
        row = shown.index(self.index) if self.index in shown else 0
        marked = self.marks.samples
        self.samples.show(
            self.session.deck,
            shown,
            self.session.problems.severity if self.is_drawn else lambda _: "",
            row,
            marked=marked,
            changed=self.comparing.changed if self.is_drawn else frozenset(),
        )
        caption_words = (
            f"{len(marked)} marked · {self.sample_filter.count_words}" if marked else self.sample_filter.count_words
        )
        caption(self.sample_pane, caption_words)

    def run_command(self, command: Command[Any]) -> None:
        """Run a command. One that does not work in a text first takes the text that is being edited."""
        if not TYPING.isdisjoint(command.scopes) or command.anywhere or self.editing.leave():
            self.repeating.begin(command)
            super().run_command(command)

    def on_conversation_moved(self) -> None:
        """Offer what can be done where the cursor went, and show what it is on; what it left folds again."""
        if not self.editing.active and self._has_left(self.place):
            self.show_sample(self.place)
            return
        self.show_keys()
        self.problem_marks.show_status()
        self.editing.typed()

    def on_conversation_typed(self) -> None:
        """Let the preview follow what is typed."""
        self.last_key = time.monotonic()
        self.hush()
        self.editing.typed()

    def on_conversation_left(self) -> None:
        """Take what was typed when the focus goes elsewhere; another window is not elsewhere."""
        if self.app.app_focus:
            self.editing.leave()

    def on_conversation_opened(self) -> None:
        """Edit the card that was clicked twice."""
        self.run_command(self.registry["turn.edit"])

    def on_virtual_list_moved(self, message: SampleList.Moved) -> None:
        """Show the sample that the cursor went to."""
        if message.control is self.samples and self.sample_filter.shown:
            if not self.editing.leave():
                self.show_samples()
                return
            index = self.sample_filter.shown[self.samples.cursor]
            if index != self.index:
                self.seeking.places.leave(self.here)
                self.index = index
                self.show_sample(())

    def on_virtual_list_chosen(self, message: SampleList.Chosen) -> None:
        """Go to the turns of a sample, or to the value of a problem."""
        if message.control is self.samples:
            self.conversation.focus()
        else:
            self.problem_marks.go_chosen()

    def take_pasted(self, text: str) -> None:
        """Paste samples or turns that came through the terminal."""
        if self.scope in ("samples", "turns"):
            self._paste(text)
        else:
            super().take_pasted(text)

    def _paste(self, text: str) -> None:
        paste = self.registry.pasted
        assert paste is not None
        self.run_worker(self._guarded(paste(self, text)), group=COMMANDS)

    def on_turn_editor_pasted_whole(self, message: TurnEditor.PastedWhole) -> None:
        """Offer to make turns of a chat that is pasted into an empty one; any other text is put in."""
        self._paste(message.text)

    @property
    def typing(self) -> bool:
        """Whether a text is being edited."""
        return self.editing.active

    @property
    def in_code(self) -> bool:
        """Whether a text is being edited in a block of code, where tab indents."""
        return self.editing.active and self.conversation.editor.in_code

    def footer_title(self, command: Command[Any]) -> str:
        """Return what the footer calls a command; `tab` by what it does in a block of code."""
        return "Indent" if command.id == "edit.next-value" and self.in_code else super().footer_title(command)

    def keep_typed(self) -> None:
        """Write the text that is being edited into the journal."""
        self.editing.keep()

    def go(self, focus: Focus) -> None:
        """Go to a value of a sample."""
        if self.editing.leave():
            if focus.sample != self.index:
                self.seeking.places.leave(self.here)
            self.unfold(focus.path)
            self.refresh_all(focus)
            self.set_focus(self.conversation)

    def unfold(self, path: DataPath) -> None:
        """Open every field around a path."""
        for depth in range(1, len(path)):
            self.enter(path[:depth])

    def enter(self, path: DataPath) -> None:
        """Open a field or a call; an item of a list folds again when the cursor leaves it."""
        if self.folds.get(path) is not False and isinstance(path[-1], int):
            self._entered.add(path)
        self.folds[path] = False

    def turn_fold(self, path: DataPath, folded: bool) -> None:
        """Fold or open what the author says should be so, wherever the cursor goes."""
        self._entered.discard(path)
        self.folds[path] = folded

    def fold_left(self, here: DataPath) -> bool:
        """Fold what was entered and is not around a place; tell whether there was any."""
        left = self._has_left(here)
        for path in left:
            self._entered.discard(path)
            self.folds.pop(path, None)
        return bool(left)

    def _has_left(self, here: DataPath) -> list[DataPath]:
        """Return what was entered and is not around a place; what has a mark inside stays open."""
        left = (path for path in self._entered if here[: len(path)] != path)
        marks = self.marks.turns
        return [path for path in left if not any(mark != path and mark[: len(path)] == path for mark in marks)]

    def go_to(self, path: DataPath) -> None:
        """Go to a value of the current sample."""
        self.go(Focus(self.index, path))

    def on_filter_input_narrowed(self) -> None:
        """Show the samples that hold the words."""
        self.sample_filter.follow()

    def on_filter_input_done(self) -> None:
        """Go to the samples shown, or back to where the filter was opened."""
        self.sample_filter.note_left()

    def turn_pane(self, by: int) -> None:
        """Give the focus to another pane; a text being edited is taken."""
        if self.editing.leave():
            super().turn_pane(by)

    # Edits: each is one step of undo, after which the screen shows where it was made

    def perform(
        self,
        label: str,
        *changes: Edit | Operation,
        after: DataPath | None = None,
        marked: Iterable[DataPath] = (),
    ) -> None:
        """Change the current sample as one step of undo, and go to a path in it; what is marked then."""
        here = self.here
        there = here if after is None else Focus(self.index, after)
        self.session.perform(label, *edits_of(self.index, changes), before=here, after=there)
        self.marks.place_turns(marked)
        self.refresh_all(there)

    def change_sample(self, index: int, label: str, change: Edit, after: DataPath = ()) -> None:
        """Change one sample as one step of undo; where the cursor is elsewhere, it stays."""
        if index == self.index:
            self.perform(label, change, after=after or None)
        else:
            self.change_samples(label, change)

    def change_samples(self, label: str, *edits: Edit, focus: Focus | None = None) -> None:
        """Make edits inside samples as one step of undo, which leaves them where they are, and go to a place."""
        there = focus or self.here
        self.session.perform(label, *edits, before=self.here, after=there)
        self.sample_filter.find(also=there.sample)
        self.refresh_all(there)

    def restructure(
        self,
        label: str,
        *changes: Edit,
        after: Focus | None,
        marked: Iterable[int] = (),
        moved: Iterable[int] = (),
    ) -> None:
        """Make edits of the deck's samples as one step of undo, and go to a sample, to none if all are hidden.

        `marked` and `moved` are the samples that are marked then, and those that have another place by it.
        """
        self.session.perform(label, *changes, before=self.here, after=after or self.here)
        self.comparing.moved(moved)
        self.marks.place_samples(marked)
        self.sample_filter.find(also=after.sample if after is not None else None)
        self.refresh_all(after)

    def take_outside(self, outside: DiskChanges) -> None:
        """Take what the disk alone has changed, and show it at the current place."""
        self.repeating.interrupted()
        here, deck = self.here, self.session.deck
        name = deck.own_id(deck.samples[here.sample]) if 0 <= here.sample < len(deck.samples) else None
        self.marks.follow_step(self.session.take_outside(outside))
        deck = self.session.deck
        same = (index for index, sample in enumerate(deck.samples) if deck.own_id(sample) == name)
        there = next(same, here.sample) if name is not None else here.sample
        self.sample_filter.find(also=there)
        self.refresh_all(Focus(there, here.path))
        self.say(f"{deck.path.name} changed on disk and is read again; {key_named('deck.undo', 'u')} takes it back")

    def show_step(self, did: str, step: UndoStep) -> None:
        """Show the deck after a step back or forth, where the step was made, and say which it was."""
        self.marks.follow_step(step)
        self.sample_filter.find(also=step.after.sample if step.after is not None else None)
        self.refresh_all(step.after)
        self.say(f"{did}: {step.label}")

    async def answer_to(self, box: Screen[Any]) -> Any:
        """Ask a question; while an edit is repeated it is answered as before."""
        return await self.repeating.answer(box)

    # What depends on where the deck was opened from

    def other_decks(self) -> Mapping[str, Path]:
        """Return the decks that samples may go to, by their names: those of the folder."""
        path = self.session.deck.path
        siblings = listed(path.parent).paths
        return {item.name: item for item in siblings if item.suffix.lower() in DECK_SUFFIXES and item != path}

    def moved_to(self, path: Path) -> None:
        """Note that the deck is another file from now on."""

    def session_of(self, path: Path, deck: Deck | None) -> Session | None:
        """Return the session that edits of another deck go to; None if it is written at once."""
        return None

    async def open_other(self) -> None:
        """Ask for another deck and go there; there is none if the deck was opened by itself."""

    def hits_counted(self, query: Query, options: frozenset[str]) -> AsyncIterator[int]:
        """Yield how many hits there are so far of what would be looked for by some options of a search."""
        from sampleui.tui.screens.finding import HERE

        return self.seeking.counted(query, self.index if HERE in options else None)

    def find_everywhere(self, query: Query) -> None:
        """Look for something in all decks; there are no others where the deck was opened by itself."""
