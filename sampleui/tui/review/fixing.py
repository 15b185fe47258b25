"""Fixing the sample of a record: in the author screen with the answer beside it, or by taking the actual answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
from sampleui.tui.commands import Registry
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
    from sampleui.tui.review.session import ReviewSession


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


FIX: Registry[ReviewScreen] = Registry()
_GROUP = "Fix"


def a_deck(screen: ReviewScreen) -> str:
    """Need a deck that could have the sample of the record."""
    review = screen.review
    if review.deck is None:
        return review.deck_hint or "no deck is known; pass it with --deck to fix samples"
    return "" if review.current is not None else "there is no record here to fix"


def an_answer(screen: ReviewScreen) -> str:
    """Need a deck that could have the sample of the record, and an answer that could be taken into it."""
    return a_deck(screen) or _untaken(screen)


def _untaken(screen: ReviewScreen) -> str:
    """Say why the answer of the current record cannot be taken; nothing if it can, or if there is no record."""
    shown, sample = screen.shown, screen.review.sample
    if shown.record is None:
        return ""
    if sample is not None and (described := no_place_for_answer(sample)):
        return f"no answer is taken: {described}"
    return "" if shown.answer_to_take else f"there is nothing to take: {shown.record.unanswered or _DOUBTFUL}"


@FIX.command("fix.edit", "e", "Edit sample", group=_GROUP, bar=4, needs=a_deck)
async def edit(screen: ReviewScreen) -> None:
    """Edit the sample: what the cursor was put on, else the first failed assertion or what it expects."""
    turns = screen.conversation
    chosen = screen.scope == "turns" or turns.cursor != (0, 0)
    await edit_sample(screen, turns.current.path if chosen and turns.current is not None else None)


async def edit_sample(screen: ReviewScreen, path: DataPath | None = None) -> None:
    """Open the author screen at a path of the sample, or at what failed or is expected, and come back after.

    Raises:
        EditRefusedError: if the deck has no sample of the record.
        SampleUIError: when the deck can no longer be read.
    """
    deck, sample = _subject(screen)
    focus = Focus(sample.index, path) if path else deck.focus(sample, screen.shown.first_failed)
    before, session = deck.deck.files, deck.session
    session.took_outside = False
    author = FixScreen(session, screen.settings, focus, _answered(screen))
    await screen.app.push_screen_wait(author)
    deck.take_over(author.session)
    if deck.session.unsaved:  # left by discarding them
        deck.reload()
    fix = _fix(screen, deck, before, mixed=session is not deck.session or session.took_outside)
    _keep(screen, fix)
    if author.runs_again:
        screen.run_command(screen.registry["rerun.run"])


@FIX.command("fix.take", "x", "Take answer", group=_GROUP, bar=10, needs=an_answer)
async def take(screen: ReviewScreen) -> bool:
    """Make the actual answer the expected one; the change to the deck is shown before it is saved.

    Returns:
        Whether it was saved.

    Raises:
        EditRefusedError: if the deck has no sample of the record, or the sample expects the answer already.
        SaveError: when it was not written.
    """
    deck, sample = _subject(screen)
    answer_text = screen.shown.answer_to_take
    changes, shared = deck.diff_of_taking(sample, answer_text), deck.shared(sample, answer_text)
    if (long := deck.overlong(sample, answer_text)) and not await asking.confirm(
        screen, f"{long}. Take all of it?", {"t": "Take all of it"}
    ):
        return False
    if not await screen.answer_to(ShowDiff(f"Take the answer of {sample.id}", changes, shared)):
        return False
    before = deck.deck.files
    lost = deck.take(sample, answer_text)
    _keep(screen, _fix(screen, deck, before)._replace(names=(deck.names[sample.index],)), lost)
    return True


async def take_proposed(screen: ReviewScreen, proposed: ProposedEdit) -> bool:
    """Show what a proposed edit would change in the deck, and save it if that is wanted; tell whether it was.

    Raises:
        EditError: when it cannot be made of the deck as it is now.
        SaveError: when it was not written.
    """
    review = screen.review
    deck = _deck_of(review, proposed)
    deck.reread()
    changed = diff(proposed.made_of(deck.deck).files)
    about = ", ".join(proposed.samples) or "what is beside the samples"
    box = ShowDiff(f"{proposed.agent} proposes for {about}", changed, one_line(proposed.comment, 500))
    if not await screen.answer_to(box):
        return False
    before = deck.deck.files
    lost = deck.make(proposed)
    _keep(screen, _fix(screen, deck, before)._replace(proposed=proposed), lost)
    return True


def refuse_proposed(review: ReviewSession, proposed: ProposedEdit) -> None:
    """Refuse a proposed edit.

    Raises:
        EditRefusedError: when it waits no longer.
        SaveError: when that cannot be written down.
    """
    deck = _deck_of(review, proposed)
    _answer(review, deck, proposed, ProposalAnswer.REFUSE)
    review.state = replace(review.state, done=(*review.state.done, RefusedEdit(deck, proposed, now())))


def _deck_of(review: ReviewSession, proposed: ProposedEdit) -> ReviewDeck:
    for deck in review.decks:
        if proposed in deck.proposals:
            return deck
    raise EditRefusedError(f"the edit by {one_line(proposed.agent, 40)} waits no longer")


def _answer(review: ReviewSession, deck: ReviewDeck, proposed: ProposedEdit, said: ProposalAnswer) -> None:
    answer(deck.deck.path, proposed, review.options.reviewer, said)
    deck.read_proposals()
    review.know_edits()


async def take_back(screen: ReviewScreen, last: Fix | RefusedEdit) -> str:
    """Take back what was done last to a deck, a fix once its diff was seen; return what was done, in words.

    They are empty if it was not wanted.

    Raises:
        EditRefusedError: when the deck was changed otherwise since: then the fix stays for good.
        SaveError: when it was not written; then all is as it was.
    """
    review = screen.review
    done = review.state.done[:-1]
    if isinstance(last, RefusedEdit):
        _answer(review, last.deck, last.proposed, ProposalAnswer.REOPEN)
        review.state = replace(review.state, done=done)
        return f"took back the refusal of the edit by {one_line(last.proposed.agent, 40)}"
    deck, named = last.deck, ", ".join(last.names[:3]) or last.deck.deck.path.name
    if last.mixed or not deck.holds(last.after):
        review.state = replace(review.state, done=done)
        when = "as it was edited" if last.mixed else "since"
        warning = f"{deck.deck.path.name} was changed elsewhere {when}: the fix of {named} stays"
        raise EditRefusedError(f"{warning}; u again takes back what was done before it")
    if not await screen.answer_to(ShowDiff(f"Take back the fix of {named}", deck.diff_of_going_back(last.before))):
        return ""
    deck.go_back(last.before)
    review.state = replace(review.state, done=done)
    if last.proposed is not None:
        _answer(review, deck, last.proposed, ProposalAnswer.REOPEN)
    deck.changed.difference_update(last.names)
    deck.changed.update(name for item in done if isinstance(item, Fix) and item.deck is deck for name in item.names)
    for name in last.names:
        review.note_edit(deck, name)
    entry = review.results.find(last.record)
    if entry is not None and entry.index < len(review.queue.items):
        review.state = review.state.at(entry.index)
    return f"took back the fix of {named}: {', '.join(_saved(last.after, last.before))} is as it was"


def _subject(screen: ReviewScreen) -> tuple[ReviewDeck, Sample]:
    """Return the deck that the current place is about, as it is on the disk now, and the sample."""
    deck = screen.review.deck
    assert deck is not None, "what the commands need"
    if deck.reread():
        screen.say(f"{deck.deck.path.name} was changed elsewhere and is read again")
    sample = screen.review.sample
    if sample is None:
        waiting = "" if deck.ready else "; its samples are still being read"
        raise EditRefusedError(f"{deck.deck.path.name} has no sample of this id{waiting}")
    return deck, sample


def _answered(screen: ReviewScreen) -> EditedAnswer | None:
    """Return the answer of the current record, None if there is none."""
    record, review = screen.shown.record, screen.review
    if record is None:
        return None
    return EditedAnswer(review.results, record, review.options.fail_under, screen.shown.changed)


def _fix(screen: ReviewScreen, deck: ReviewDeck, before: DeckFiles, *, mixed: bool = False) -> Fix:
    """Return what a deck holds now as a fix of the current record, with the samples whose text it changed."""
    record = "" if screen.review.state.record is None else screen.review.item.entry.id
    names = tuple(deck.names[index] for index in _changed_samples(before, deck))
    return Fix(deck, before, deck.deck.files, names, record, now(), mixed)


def _keep(screen: ReviewScreen, fix: Fix, lost: Sequence[str] = ()) -> None:
    """Note a fix, show what follows from it, and say what was saved, or else what was lost by that."""
    review, deck = screen.review, fix.deck
    if saved := ", ".join(_saved(fix.before, fix.after)):
        review.state = replace(review.state, done=(*review.state.done, fix))
    if fix.proposed is not None:
        _answer(review, deck, fix.proposed, ProposalAnswer.TAKE)
    for name in fix.names:
        deck.changed.add(name)
        review.note_edit(deck, name)
    screen.show_all()
    if lost:
        screen.warn("; ".join(lost))
    elif fix.names:
        answered, sample = _answered(screen), review.sample
        outcome = f"; {answered.outcome_line(sample)[0]}" if answered is not None and sample is not None else ""
        screen.say(f"saved {saved}: {', '.join(fix.names[:3])} changed since this run{outcome}")


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
