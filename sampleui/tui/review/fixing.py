"""Fixing the sample of a record: in the author screen with the answer beside it, or by taking the actual answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from sampleui.deck.diff import diff
from sampleui.deck.history import Focus
from sampleui.deck.model import DeckFiles
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, same
from sampleui.review.record import Record, passed
from sampleui.review.results.file import Results
from sampleui.review.samples.comparing import expected_of
from sampleui.review.samples.expectation import no_place_for_answer
from sampleui.review.verdict import now
from sampleui.runs.regrading import regraded
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of
from sampleui.settings.options import Settings
from sampleui.text.aligning import changed_regions
from sampleui.text.visible import one_line
from sampleui.tui.author.preview import Subject
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.author.session import Session
from sampleui.tui.drawing.cards import ASSERTION_SIGNS, Flags
from sampleui.tui.drawing.items import Item
from sampleui.tui.drawing.rows import Room, Row, text_rows
from sampleui.tui.review.boxes import ShowDiff
from sampleui.tui.review.decks import ReviewDeck
from sampleui.tui.review.record_context import unfolded
from sampleui.tui.review.rows.answer import diff_view
from sampleui.tui.review.shown import Shown
from sampleui.tui.screens import asking
from sampleui.tui.themes import has_colours
from sampleui.workspace.proposed_edits import ProposalAnswer, ProposedEdit, answer

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen


class FixScreen(AuthorScreen):
    """Edits a sample beside a recorded answer, which its assertions are evaluated on again as one types."""

    of_record = True

    def __init__(self, session: Session, settings: Settings, focus: Focus, answered: EditedAnswer | None) -> None:
        super().__init__(session.deck, settings, focus, session)
        self._answered = answered
        sample = session.deck.samples[focus.sample]
        self._fixed, self._judged = sample.id, sample.data
        self.folds.update(unfolded(self._assertion_outcomes(sample)))

    def subject(self, sample: Sample) -> Subject:
        """Return what the preview shows, the answer with the sample that it is an answer to."""
        subject, brackets = super().subject(sample), not has_colours(self.app)
        return subject._replace(answered=self._answered_for(sample), brackets=brackets)

    def status(self) -> tuple[str, str]:
        """Return what is known where the cursor is, after what the assertions say of the answer."""
        text, style = super().status()
        answered = self._answered_for(self.sample)
        if answered is None or self.sample is None:
            return text, style
        line, line_style = answered.outcome_line(self.sample)
        return (f"{line} · {text}", style) if text else (line, line_style)

    def _flags(self, items: tuple[Item, ...]) -> dict[int, Flags]:
        flags = super()._flags(items)
        outcomes = self._assertion_outcomes(self.sample) if self.is_drawn else {}
        for index, item in enumerate(items):
            if item.path in outcomes:
                flags[index] = flags.get(index, Flags())._replace(outcome=ASSERTION_SIGNS[outcomes[item.path]])
        return flags

    def _assertion_outcomes(self, sample: Sample | None) -> Mapping[DataPath, bool | None]:
        """Return which assertions held in the run, by their paths; of an edited sample what is still known."""
        answered = self._answered_for(sample)
        if answered is None or sample is None:
            return {}
        changed = answered.changed or not same(sample.data, self._judged)
        return integration_of(sample).grading().recorded_outcomes(answered.record, sample, changed)

    def _answered_for(self, sample: Sample | None) -> EditedAnswer | None:
        return self._answered if sample is not None and sample.id == self._fixed else None


_DOUBTFUL = "its answer may be that of another record"


class Fix(NamedTuple):
    """A change of a deck that was saved in a review.

    Attributes:
        deck: the deck.
        before: its files before.
        after: its files as they were saved.
        names: the samples that were changed.
        record: the id of the record from which that was done, empty if there was none.
        time: when, as decisions note it.
        mixed: whether what others changed on disk meanwhile is a part of it.
        proposed: the proposal of a program that was taken so; None for none.
    """

    deck: ReviewDeck
    before: DeckFiles
    after: DeckFiles
    names: tuple[str, ...]
    record: str
    time: str
    mixed: bool
    proposed: ProposedEdit | None = None


class RefusedEdit(NamedTuple):
    """A proposed edit that was refused in this review, of which deck, and when, as decisions note it."""

    deck: ReviewDeck
    proposed: ProposedEdit
    time: str


class Fixing:
    """The deck of a review screen, as it is edited from there."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._fixes: list[Fix] = []
        self._refused: list[RefusedEdit] = []

    async def edit(self, path: DataPath | None = None) -> None:
        """Open the author screen at a path of the sample, or at what failed or is expected, and come back after.

        Raises:
            EditRefusedError: if there is no deck, or no sample in it.
            SampleUIError: when the deck can no longer be read.
        """
        deck, sample = self._subject()
        focus = Focus(sample.index, path) if path else deck.focus(sample, self._screen.shown.first_failed)
        before, session = deck.deck.files, deck.session
        session.took_outside = False
        author = FixScreen(session, self._screen.settings, focus, self._answered)
        await self._screen.app.push_screen_wait(author)
        deck.take_over(author.session)
        if deck.session.unsaved:  # left by discarding them
            deck.reload()
        names = [deck.names[index] for index in _changed_samples(before, deck)]
        if any(_saved(before, deck.deck.files)):
            self._keep(deck, names, before, mixed=session is not deck.session or session.took_outside)
        self._changed(deck, names, before)
        if author.runs_again:
            self._screen.run_command(self._screen.registry["rerun.run"])

    async def take(self) -> bool:
        """Show what taking the actual answer would change in the deck, and save it if that is wanted.

        Returns:
            Whether it was saved.

        Raises:
            EditRefusedError: if there is no deck, no sample in it or no answer, or the sample expects it already.
            SaveError: when it was not written.
        """
        deck, sample = self._subject()
        answer = self._screen.answer_text
        if untaken := self.nothing_to_take:
            raise EditRefusedError(untaken)
        diff, shared = deck.diff_of_taking(sample, answer), deck.shared(sample, answer)
        if (long := deck.overlong(sample, answer)) and not await asking.confirm(
            self._screen, f"{long}. Take all of it?", {"t": "Take all of it"}
        ):
            return False
        box = ShowDiff(f"Take the answer of {sample.id}", diff, shared)
        if not await self._screen.app.push_screen_wait(box):
            return False
        before = deck.deck.files
        lost = deck.take(sample, answer)
        name = deck.names[sample.index]
        self._keep(deck, [name], before)
        self._changed(deck, [name], before)
        if lost:
            self._screen.warn("; ".join(lost))
        return True

    async def take_proposed(self, proposed: ProposedEdit) -> bool:
        """Show what a proposed edit would change in the deck, and save it if that is wanted.

        Returns:
            Whether it was saved.

        Raises:
            EditError: when it cannot be made of the deck as it is now.
            SaveError: when it was not written.
        """
        deck = self._deck_of(proposed)
        deck.reread()
        changed = diff(proposed.made_of(deck.deck).files)
        about = ", ".join(proposed.samples) or "what is beside the samples"
        box = ShowDiff(f"{proposed.agent} proposes for {about}", changed, one_line(proposed.comment, 500))
        if not await self._screen.app.push_screen_wait(box):
            return False
        before = deck.deck.files
        lost = deck.make(proposed)
        names = [deck.names[index] for index in _changed_samples(before, deck)]
        self._keep(deck, names, before, proposed=proposed)
        self._answer(deck, proposed, ProposalAnswer.TAKE)
        self._changed(deck, names, before)
        if lost:
            self._screen.warn("; ".join(lost))
        return True

    def refuse_proposed(self, proposed: Sequence[ProposedEdit]) -> None:
        """Refuse proposed edits.

        Raises:
            SaveError: when that cannot be written down.
        """
        for item in proposed:
            deck = self._deck_of(item)
            self._answer(deck, item, ProposalAnswer.REFUSE)
            self._refused.append(RefusedEdit(deck, item, now()))

    @property
    def last_refused(self) -> RefusedEdit | None:
        """The proposed edit that was refused last in this review."""
        return self._refused[-1] if self._refused else None

    def unrefuse(self) -> str:
        """Have the proposed edit that was refused last wait again, and say so.

        Raises:
            SaveError: when that cannot be written down.
        """
        refused = self._refused[-1]
        self._answer(refused.deck, refused.proposed, ProposalAnswer.REOPEN)
        self._refused.pop()
        return f"took back the refusal of the edit by {one_line(refused.proposed.agent, 40)}"

    def _deck_of(self, proposed: ProposedEdit) -> ReviewDeck:
        decks = self._screen.review.decks
        kept = [item.deck for item in self._refused if item.proposed.id == proposed.id]
        return next(iter([*kept, *(deck for deck in decks if proposed in deck.proposals)]))

    def _answer(self, deck: ReviewDeck, proposed: ProposedEdit, said: ProposalAnswer) -> None:
        review = self._screen.review
        answer(deck.deck.path, proposed, review.options.reviewer, said)
        deck.read_proposals()
        review.know_edits()

    @property
    def last(self) -> Fix | None:
        """The fix saved last in this review and not taken back."""
        return self._fixes[-1] if self._fixes else None

    async def take_back(self) -> str:
        """Show what taking back the last fix would change in the deck, and save it if that is wanted.

        Returns:
            What was done, in words; empty if it was not wanted.

        Raises:
            EditRefusedError: when the deck was changed otherwise since: then the fix stays for good.
            SaveError: when it was not written; then the deck is as it was.
        """
        fix, review = self._fixes[-1], self._screen.review
        deck, named = fix.deck, ", ".join(fix.names[:3]) or fix.deck.deck.path.name
        if fix.mixed or not deck.holds(fix.after):
            self._fixes.pop()
            when = "as it was edited" if fix.mixed else "since"
            warning = f"{deck.deck.path.name} was changed elsewhere {when}: the fix of {named} stays"
            raise EditRefusedError(f"{warning}; u again takes back what was done before it")
        box = ShowDiff(f"Take back the fix of {named}", deck.diff_of_going_back(fix.before))
        if not await self._screen.app.push_screen_wait(box):
            return ""
        deck.go_back(fix.before)
        self._fixes.pop()
        if fix.proposed is not None:
            self._answer(deck, fix.proposed, ProposalAnswer.REOPEN)
        deck.changed.difference_update(fix.names)
        deck.changed.update(name for item in self._fixes if item.deck is deck for name in item.names)
        for name in fix.names:
            review.note_edit(deck, name)
        entry = review.results.find(fix.record)
        if entry is not None and entry.index < len(review.queue.items):
            review.current = entry.index
        self._screen.show_all()
        return f"took back the fix of {named}: {', '.join(_saved(fix.after, fix.before))} is as it was"

    @property
    def nothing_to_take(self) -> str:
        """Why the answer of the current record cannot be taken; empty if it can, or if there is no record."""
        shown, sample = self._screen.shown.record, self._screen.review.sample
        if shown is None:
            return ""
        if sample is not None and (described := no_place_for_answer(sample)):
            return f"no answer is taken: {described}"
        return "" if self._screen.answer_text else f"there is nothing to take: {shown.unanswered or _DOUBTFUL}"

    @property
    def without_deck(self) -> str:
        """Why there is no deck to fix a sample in; empty if there is one."""
        review = self._screen.review
        if review.deck is None:
            return review.options.hint or "no deck is known; pass it with --deck to fix samples"
        return "" if review.current is not None else "there is no record here to fix"

    @property
    def possible(self) -> bool:
        """Whether the sample of the current record can be fixed from here."""
        return self._screen.review.sample is not None

    def _subject(self) -> tuple[ReviewDeck, Sample]:
        review = self._screen.review
        deck = review.deck
        if deck is None:
            raise EditRefusedError(self.without_deck)
        if deck.reread():
            self._screen.say(f"{deck.deck.path.name} was changed elsewhere and is read again")
        sample = review.sample
        if sample is None:
            waiting = "" if deck.ready else "; its samples are still being read"
            raise EditRefusedError(f"{deck.deck.path.name} has no sample of this id{waiting}")
        return deck, sample

    @property
    def _answered(self) -> EditedAnswer | None:
        """The answer of the current record, None if there is none."""
        record, review = self._screen.shown.record, self._screen.review
        if record is None:
            return None
        return EditedAnswer(review.results, record, review.options.fail_under, self._screen.shown.changed)

    def _keep(
        self,
        deck: ReviewDeck,
        names: Sequence[str],
        before: DeckFiles,
        *,
        mixed: bool = False,
        proposed: ProposedEdit | None = None,
    ) -> None:
        """Note a fix that was saved just now."""
        current = self._screen.review.current
        record = self._screen.review.item.entry.id if isinstance(current, int) else ""
        self._fixes.append(Fix(deck, before, deck.deck.files, tuple(names), record, now(), mixed, proposed))

    def _changed(self, deck: ReviewDeck, ids: list[str], before: DeckFiles) -> None:
        for sample_id in ids:
            deck.changed.add(sample_id)
            self._screen.review.note_edit(deck, sample_id)
        self._screen.show_all()
        if not ids:
            return
        answered, sample = self._answered, self._screen.review.sample
        now = f"; {answered.outcome_line(sample)[0]}" if answered is not None and sample is not None else ""
        saved = ", ".join(_saved(before, deck.deck.files))
        self._screen.say(f"saved {saved}: {', '.join(ids[:3])} changed since this run{now}")


def _saved(before: DeckFiles, after: DeckFiles) -> Iterator[str]:
    """Yield the names of the files whose text differs from what it was."""
    for old, new in zip(before.sources, after.sources, strict=False):
        if old.document.pieces != new.document.pieces:
            yield new.path.name


def _changed_samples(before: DeckFiles, deck: ReviewDeck) -> Iterator[int]:
    """Yield the places of the samples whose text differs from what it was."""
    after = deck.deck.files
    offset = 0
    for old, new in zip(before.sources, after.sources, strict=False):
        for region in changed_regions(old.document.pieces, new.document.pieces):
            for piece in region.after:
                yield from (offset + inner for inner in new.document.samples_in(piece))
        offset += len(new.document)


class EditedAnswer(NamedTuple):
    """A recorded answer, beside a sample that is being edited.

    Attributes:
        results: the results.
        record: the record with the answer.
        fail_under: the score under which a record fails.
        changed: whether the sample may have changed since the run.
    """

    results: Results
    record: Record
    fail_under: float | None = None
    changed: bool = True

    def outcome_line(self, sample: Sample) -> tuple[str, str]:
        """Return what the sample's assertions say of the answer now, in one line, and the name of its style."""
        now = regraded(self.results, self.record, sample, self.fail_under)
        certain = now.passes is False or not now.open
        style = {True: "added", False: "error", None: "muted"}[now.passes if certain else None]
        return now.words(passed(self.record, self.fail_under)), style

    def rows(self, sample: Sample, room: Room) -> list[Row]:
        """Return that, the checks that failed in the run, and the answer against what the sample expects now."""
        line, style = self.outcome_line(sample)
        sign = {"error": "✖ ", "added": "✓ "}.get(style, "· ")
        rows = [*text_rows(sign + line, f"{style}-bold", room.width), (("text", ""),)]
        checks = [item for evaluator in self.record.evaluators for item in evaluator.assertions]
        failed = [item.text for item in checks if item.passed is False]
        for missed in dict.fromkeys((*self.record.misses, *failed)):
            rows += text_rows(f"✖ in the run: {missed}", "error", room.width)
        expected, criteria, any_of = expected_of(sample, self.record)
        shown = Shown(
            record=self.record,
            sample=sample,
            expected=expected,
            any_of=any_of,
            criteria=criteria,
            fail_under=self.fail_under,
        )
        return [*rows, *diff_view(shown, room)]
