"""The author screen: samples, the conversation of one of them, its preview, and the problems below."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Any, ClassVar

from sampleui.deck.history import Focus
from sampleui.formats.data import DataPath
from sampleui.sample.model import Sample
from sampleui.settings.options import Settings
from sampleui.text.visible import one_line
from sampleui.tui.author.comparing import Comparing
from sampleui.tui.author.editing import Editing
from sampleui.tui.author.file_watch import FileWatch
from sampleui.tui.author.filtering import Narrowing
from sampleui.tui.author.marks import Marks
from sampleui.tui.author.panes import AuthorRoom
from sampleui.tui.author.preview.rows import Subject
from sampleui.tui.author.problem_marks import ProblemMarks
from sampleui.tui.author.recovering import offer_recovery
from sampleui.tui.author.repeating import Repeating
from sampleui.tui.author.search import Places, Seeking
from sampleui.tui.author.session import Session
from sampleui.tui.author.showing import flags_of, hint_for, known_of
from sampleui.tui.author.widgets.sample_list import SampleList
from sampleui.tui.captions import caption
from sampleui.tui.commands import TYPING, Command, ScreenKind
from sampleui.tui.drawing.cards import Flags
from sampleui.tui.drawing.items import Item, find, items_of
from sampleui.tui.input.settled import COMMANDS
from sampleui.workspace.deck import Deck
from sampleui.workspace.reading import PromptOptions


class AuthorScreen(AuthorRoom):
    """Writes the samples of one deck."""

    kind = ScreenKind.AUTHOR
    kept_as = "author"
    home = "turns"
    # Not CSS_PATH, which Textual reads for screens that are pushed and not for the first one.
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS: ClassVar[str | None] = "#turns"

    def __init__(
        self, deck: Deck, settings: Settings, focus: Focus | None = None, session: Session | None = None
    ) -> None:
        super().__init__(settings)
        self.session = session or Session(deck)
        self.index = 0
        self._focus = focus or Focus(0)
        self._seen: tuple[int, str] | None = None
        self.folds: dict[DataPath, bool] = {}
        self.comparing = Comparing(lambda: self.session.deck.files)
        self.narrowing = Narrowing(self)
        self.marks = Marks(self, self.narrowing)
        self.problem_marks = ProblemMarks(self, self.narrowing)
        self.places = Places()
        self.repeating = Repeating(self)
        self._dialect = ""
        self.seeking = Seeking(self, self.narrowing, self.places)
        self.editing = Editing(self, self.repeating, self.problem_marks)
        self.file_watch = FileWatch(self)

    def on_mount(self) -> None:
        """Name the panes and show the first sample."""
        self.name_panes()
        self._begin(self._focus)
        self.file_watch.begin()
        self.run_worker(offer_recovery(self), group=COMMANDS)

    def start(self, deck: Deck, focus: Focus | None = None) -> None:
        """Show a deck from the beginning, with no history."""
        self.session = Session(deck)
        self._dialect = ""
        self.marks.rearranged()
        self._begin(focus or Focus(self.index))

    def _begin(self, focus: Focus) -> None:
        self.filter.shut()
        self.narrowing.find()
        self.refresh_all(focus)
        self.wanted = self.samples.wanted()
        self.fit()
        self.problem_marks.watch()

    # What is where

    @property
    def sample(self) -> Sample | None:
        """The current sample, as edited, or what is beside the samples; None if there is none to show."""
        deck = self.session.deck
        return deck.at(self.index) if self.narrowing.shown and self.index < len(deck.samples) else None

    @property
    def here(self) -> Focus:
        """Where the cursor is."""
        item = self.conversation.current
        return Focus(self.index, item.path if item else ())

    # Showing

    def refresh_all(self, focus: Focus | None = None) -> None:
        """Show the deck as it is now, and, where it is given, another place in it, which no filter hides then."""
        if focus is not None:
            count = len(self.session.deck.samples)
            self.index = min(focus.sample, max(count - 1, 0))
            self.narrowing.reveal(self.index)
        self.narrowing.renew()
        self._tell_dialect()
        self.show_samples()
        self.show_sample(focus.path if focus else None)
        self.problem_marks.watch()

    def _tell_dialect(self) -> None:
        """Say when an edit has made the deck one of another dialect, as which it is read from then on."""
        deck = self.session.deck
        before, self._dialect = self._dialect, deck.dialect
        if before not in ("", deck.dialect):
            self.call_after_refresh(self.say, f"read as {deck.kind.title} from now on: {deck.reason}")

    def show_sample(self, path: DataPath | None = None) -> None:
        """Show the current sample. The cursor goes to a path in it, or stays."""
        sample = self.sample
        self.marks.went(self.index)
        items = items_of(sample, self.folds) if sample else ()
        self.conversation.empty_hint = hint_for(sample, self.filter.words, self.session.deck.notes)
        place = find(items, path) if path is not None else None
        seen, self._seen = self._seen, (self.index, sample.id if sample else "")
        self.conversation.show(items, self._flags(items), place, same=self._seen == seen)
        self._count_marks()
        self.show_preview(keep=path is None)
        if path is not None:
            self.editing.typed()
        self.problem_marks.show()
        self.show_keys()

    def _flags(self, items: tuple[Item, ...]) -> dict[int, Flags]:
        sample = self.sample
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

    def known(self) -> tuple[str, str]:
        """Return what is known of where the cursor is, and the name of its style."""
        conversation, unkept = self.conversation, self.session.journal.failure
        found = known_of(self.session, self.sample, conversation.items, conversation.cursor[0])
        return found if found[0] or not unkept else (f"▲ {one_line(unkept)}", "warning")

    def show_preview(self, keep: bool = True) -> None:
        """Show what the current sample becomes."""
        sample = self.sample
        self.preview.show(self.subject(sample) if sample is not None and sample.index >= 0 else None, keep)

    def subject(self, sample: Sample) -> Subject:
        """Return a sample as the preview shows it."""
        deck, settings = self.session.deck, self.settings
        rendered, compared = deck.render(sample), self.comparing
        subject = Subject(deck, sample, rendered, settings.provider, settings.system_prompt)
        return subject._replace(against=compared.base, olds=compared.olds, unfinished=self.session.unfinished)

    def use_prompt_settings(self, **chosen: str | None) -> None:
        """Render with another provider or system prompt, in this session."""
        self.settings = dataclasses.replace(self.settings, **chosen)  # type: ignore[arg-type]
        self.session.use(PromptOptions.of(self.settings))
        self.show_preview(keep=False)
        self.problem_marks.watch()
        self.problem_marks.show()

    def show_samples(self) -> None:
        """Show the samples that the filter lets through, with the cursor on the current one."""
        shown = self.narrowing.shown
        row = shown.index(self.index) if self.index in shown else 0
        marked = self.marks.samples
        self.samples.show(
            self.session.deck,
            shown,
            self.session.problems.severity,
            row,
            marked=marked,
            changed=self.comparing.changed,
        )
        told = f"{len(marked)} marked · {self.narrowing.told}" if marked else self.narrowing.told
        caption(self.sample_pane, told)

    def run_command(self, command: Command[Any]) -> None:
        """Run a command. One that does not work in a text first takes the text that is being edited."""
        if not TYPING.isdisjoint(command.scopes) or command.anywhere or self.editing.leave():
            self.repeating.begin(command)
            super().run_command(command)

    # What the panes say

    def on_conversation_moved(self) -> None:
        """Offer what can be done where the cursor went, and show what it is on."""
        self.show_keys()
        self.problem_marks.show_known()
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
        if message.control is self.samples and self.narrowing.shown:
            if not self.editing.leave():
                self.show_samples()
                return
            index = self.narrowing.shown[self.samples.cursor]
            if index != self.index:
                self.places.leave(self.here)
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
        take = self.registry.pasted
        if take is not None and self.scope in ("samples", "turns"):
            self.run_worker(self._guarded(take(self, text)), group=COMMANDS)
        else:
            super().take_pasted(text)

    @property
    def typing(self) -> bool:
        """Whether a text is being edited."""
        return self.editing.active

    def leave_text(self, insist: bool = False) -> bool:
        """Take the text that is being edited; tell whether none is left. `insist` leaves one that is refused."""
        return self.editing.leave(insist)

    def keep_typed(self) -> None:
        """Write the text that is being edited into the journal."""
        self.editing.keep()

    def go(self, focus: Focus) -> None:
        """Go to a value of a sample."""
        if self.editing.leave():
            if focus.sample != self.index:
                self.places.leave(self.here)
            self.refresh_all(focus)
            self.set_focus(self.conversation)

    def unfold(self, path: DataPath) -> None:
        """Open every field around a path."""
        self.folds.update(dict.fromkeys((path[:depth] for depth in range(1, len(path))), False))

    def go_to(self, path: DataPath) -> None:
        """Go to a value of the current sample."""
        self.go(Focus(self.index, path))

    def on_filter_input_narrowed(self) -> None:
        """Show the samples that hold the words."""
        self.narrowing.follow()

    def on_filter_input_done(self) -> None:
        """Go back to the samples."""
        if not self.filter.words:
            self.filter.shut()
        self.set_focus(self.samples)

    def turn_pane(self, by: int) -> None:
        """Give the focus to another pane; a text being edited is taken."""
        if self.editing.leave():
            super().turn_pane(by)
