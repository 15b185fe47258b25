"""How the author screen edits: each edit is one step of undo, after which it shows where the edit was made."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from sampleui.deck.history import Focus, Step
from sampleui.deck.merging import Outside
from sampleui.formats.data import DataPath
from sampleui.tui.author.filtering import Narrowing
from sampleui.tui.author.host import AuthorHost
from sampleui.tui.author.marks import Marks
from sampleui.tui.author.repeating import Repeating
from sampleui.tui.author.session import Edit


class AuthorSteps(AuthorHost):
    """What commands of the author screen make edits by."""

    stays_open: ClassVar[bool] = False
    """Whether the deck stays open when the screen is left, and so nothing has to be asked."""

    narrowing: Narrowing
    marks: Marks
    repeating: Repeating

    def perform(
        self, label: str, *edits: Edit, after: DataPath | None = None, marked: Iterable[DataPath] = ()
    ) -> None:
        """Make edits of the current sample as one step of undo, and go to a path in it; what is marked then."""
        here = self.here
        there = here if after is None else Focus(self.index, after)
        self.session.perform(label, *edits, before=here, after=there)
        self.marks.moved(marked)
        self.refresh_all(there)

    def change_samples(self, label: str, *edits: Edit, at: Focus | None = None) -> None:
        """Make edits inside samples as one step of undo, which leaves them where they are, and go to a place."""
        there = at or self.here
        self.session.perform(label, *edits, before=self.here, after=there)
        self.narrowing.find(also=there.sample)
        self.refresh_all(there)

    def restructure(
        self,
        label: str,
        *changes: Edit,
        before: Focus,
        after: Focus | None,
        marked: Iterable[int] = (),
        moved: Iterable[int] = (),
    ) -> None:
        """Make edits of the deck's samples as one step of undo, and go to a sample, to none if all are hidden.

        `marked` and `moved` are the samples that are marked then, and those that have another place by it.
        """
        self.session.perform(label, *changes, before=before, after=after or before)
        self.comparing.moved(moved)
        self.marks.rearranged(marked)
        self.narrowing.find(also=after.sample if after is not None else None)
        self.refresh_all(after)

    def take_outside(self, found: Outside) -> None:
        """Take what the disk alone has changed, and show it at the current place."""
        self.repeating.interrupted()
        here, deck = self.here, self.session.deck
        name = deck.own_id(deck.samples[here.sample]) if 0 <= here.sample < len(deck.samples) else None
        self.marks.turned(self.session.take_outside(found))
        deck = self.session.deck
        same = (at for at, sample in enumerate(deck.samples) if deck.own_id(sample) == name)
        there = next(same, here.sample) if name is not None else here.sample
        self.narrowing.find(also=there)
        self.refresh_all(Focus(there, here.path))
        self.say(f"{deck.path.name} changed on disk and is read again; u takes it back")

    def show_step(self, did: str, step: Step) -> None:
        """Show the deck after a step back or forth, where the step was made, and say which it was."""
        self.marks.turned(step)
        self.narrowing.find(also=step.after.sample if step.after is not None else None)
        self.refresh_all(step.after)
        self.say(f"{did}: {step.label}")
