"""The commands by which a reviewer decides: verdicts, comments, codes, proposals, and what takes them back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.review.handing_back import hand_back
from sampleui.review.verdict import Decision, LogAction, Verdict
from sampleui.text.confined import typed_path
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import Registry, key_named
from sampleui.tui.review import feed, fixing
from sampleui.tui.review.boxes import PickVerdict, ShowProposals
from sampleui.tui.review.coding import pick_code
from sampleui.tui.review.narrowing import a_record
from sampleui.tui.review.rows.queue import all_decided
from sampleui.tui.review.session_verdicts import (
    answer,
    decide_all,
    disagreement,
    label_by_hand,
    own_codes,
    own_comment,
    settle,
    takeable,
    taken_words,
    undo_verdicts,
    undo_words,
    waiting,
    write_down,
)
from sampleui.tui.screens import asking

if TYPE_CHECKING:
    from sampleui.tui.review.notes import NotesScreen
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.workspace.proposed_edits import ProposedEdit

VERDICTS: Registry[ReviewScreen] = Registry()
_GROUP = "Verdicts"
_NONE_ALIKE = "no other open record in the filter has this answer"

a_decision = VERDICTS.need(
    lambda screen: screen.review.state.done or screen.review.log.can_undo(screen.review.options.reviewer),
    "nothing to undo",
)
a_disagreement = VERDICTS.need(
    lambda screen: disagreement(screen.review), "reviewers do not disagree about this record"
)
a_tool_to_tell = VERDICTS.need(
    lambda screen: screen.review.results.complete and screen.review.results.hands_back is not None,
    "the tool of this run keeps no verdicts, or not all of the run is read yet",
)
proposed = VERDICTS.need(
    lambda screen: any(_proposed_to(screen)), "no program proposes anything here that waits for you"
)


def to_decide(screen: ReviewScreen) -> str:
    """Need marked records, or one that can be read."""
    if screen.review.state.marked:
        return ""
    return a_record(screen) or ("what cannot be read cannot be decided" if screen.shown.problem else "")


def alike(screen: ReviewScreen) -> str:
    """Need other open records with the same answer as the record decided just now, or else as the current one."""
    lacking = a_record(screen)
    if lacking or feed.at_work(screen, feed.ANSWERS):
        return lacking
    return "" if screen.review.state.alike_to(_about(screen)) else _NONE_ALIKE


def _about(screen: ReviewScreen) -> int:
    """Return the record decided just now, or else the current one."""
    about = screen.review.state.about
    assert about is not None, "what the command needs"
    return about


def _go_on(screen: ReviewScreen, line: str, decided: int | None) -> None:
    """Go to the next open record, after one was decided that what follows is about, or several were."""
    state = screen.review.state
    same = 0 if decided is None else len(state.alike_to(decided))
    more = state.at_open()
    screen.go(replace(more or state, just_decided=decided))
    if same:
        screen.say(f"{line}; = decides all {same + 1:,} with this same answer")
    else:
        screen.say(line if more else f"{line}; {all_decided(screen.review.progress)}")


@VERDICTS.command("verdict.same", "=", "Same answers", group=_GROUP, needs=alike, decides=True)
async def decide_same(screen: ReviewScreen) -> None:
    """Give your verdict on the record just decided, or else on this one, to all open ones with the same answer."""
    review, about = screen.review, _about(screen)
    await feed.done(screen, feed.ANSWERS)
    entry, others = review.queue.items[about].entry, review.state.alike_to(about)
    mine = review.own_decision(entry.digest)
    if mine is None or mine.verdict is None or not others:
        screen.refuse(_NONE_ALIKE if mine is not None else f"{entry.id} has no verdict of yours yet")
        return
    same_case = [index for index in others if review.queue.items[index].entry.case == entry.case]
    if len(same_case) < len(others):
        answers = {"a": f"All {len(others) + 1:,}, whatever they were asked"}
        if same_case:
            answers["s"] = f"The {len(same_case) + 1:,} that answer this sample"
        picked = await asking.confirm(screen, f"Decide all with the answer of {entry.id}: {mine.verdict}?", answers)
        if not picked:
            return
        others = same_case if picked == "s" else others
    decisions = await decide_all(review, mine.verdict, others, mine.step or mine.id)
    _go_on(screen, f"recorded {mine.verdict} for {len(decisions):,} more with this same answer", None)


def _decide(verdict: Verdict) -> Callable[[ReviewScreen], Awaitable[None] | None]:
    def decide(screen: ReviewScreen) -> Awaitable[None] | None:
        state = screen.review.state
        return _decide_several(screen, verdict) if state.marked or state.folded else _decide_one(screen, verdict)

    decide.__doc__ = f"Record {verdict}: {verdict.meaning}; {verdict.route}."
    return decide


for _verdict in Verdict:
    _title = str(_verdict).replace("-", " ").capitalize()
    _declare = VERDICTS.command(
        f"verdict.{_verdict}", _verdict.key, _title, group=_GROUP, needs=to_decide, decides=True
    )
    _declare(_decide(_verdict))


async def _decide_several(screen: ReviewScreen, verdict: Verdict) -> None:
    """Record a verdict about the marked records, or about errors that are one row: the open ones, or else all."""
    review, marked = screen.review, screen.review.state.marked
    undecided = [index for index in review.state.folded if review.queue.items[index].verdict is None]
    made = await decide_all(review, verdict, marked or undecided or review.state.folded)
    line = f"recorded {verdict} for {counted(len(made), 'record')}"
    if marked:
        review.state = review.state.marking()
        _go_on(screen, line, marked[0] if len(marked) == 1 else None)
    else:
        _go_on(screen, f"{line} with this same error", None)


def _decide_one(screen: ReviewScreen, verdict: Verdict) -> Awaitable[None] | None:
    """Record a verdict about the current record. A sample that expects the wrong thing is offered to be fixed."""
    review = screen.review
    entry = review.item.entry
    decided, decision = entry.index, write_down(review, entry, verdict, own_comment(review, entry.index))
    stays = "; your comment stays" if decision.comment else ""
    line = f"recorded {verdict} for {decision.record_id}{stays}"
    if verdict is Verdict.EXPECTED_WRONG and review.sample is not None and not screen.shown.changed:
        screen.show_all()
        return _offer_fix(screen, line, decided)
    _go_on(screen, line, decided)
    return None


async def _offer_fix(screen: ReviewScreen, line: str, decided: int) -> None:
    answers = {"e": "Edit what the sample expects"}
    if screen.shown.answer_to_take and not fixing.an_answer(screen):
        answers["x"] = "Take the actual answer as expected"
    answers["n"] = "Go on to the next record"
    picked = await asking.confirm(screen, f"{line[0].upper()}{line[1:]}.", answers)
    if picked == "e":
        await fixing.edit_sample(screen)
    elif picked == "x" and await fixing.take(screen):
        _go_on(screen, f"{line} and took the answer into the deck", decided)
    elif picked == "n":
        _go_on(screen, line, decided)


@VERDICTS.command("verdict.comment", "c", "Comment", group=_GROUP, bar=3, needs=a_record)
def comment(screen: ReviewScreen) -> None:
    """Comment on the record just decided, or else on this one: in its trace, on the event under the cursor.

    A line that begins with `>` quotes the answer or what was asked, and the next is what you say of it.
    """
    review, about = screen.review, _about(screen)
    just = review.state.just_decided
    review.state = replace(review.state, just_decided=None)
    screen.comment_input.open(about, in_trace=just is None)
    if just is not None:
        item = review.queue.items[about]
        screen.say(f"the comment is on {item.entry.id}, decided just now: {item.verdict}")


@VERDICTS.command("verdict.hand-back", "W", "Hand back", group=_GROUP, needs=a_tool_to_tell)
async def hand_verdicts_back(screen: ReviewScreen) -> None:
    """Write all verdicts and comments into the file that the tool of the run has for them, or a copy of the run."""
    review = screen.review
    tool = review.results.hands_back
    assert tool is not None, "what the command needs"
    copy = None
    if tool.path is None:
        path = review.results.path
        named = await asking.ask(
            screen, "Write a copy of the run with the verdicts", f"{path.stem}.reviewed{path.suffix}"
        )
        if not named:
            return
        copy = typed_path(named, path.parent)
    written = hand_back(review.results, review.log, tool, review.options.fail_under, copy)
    told = (*written.left_out, *written.notes)
    if not written.decided and not told:
        raise EditRefusedError("there are no verdicts yet")
    screen.say("; ".join((f"{written.path.name}: {written.words}", *told)))


@VERDICTS.command("verdict.undo", "u", "Undo", group=_GROUP, bar=12, needs=a_decision)
async def undo(screen: ReviewScreen) -> None:
    """Take back what you did last, a fix too, and go to its record; verdicts of earlier sessions as well."""
    review = screen.review
    review.state = replace(review.state, just_decided=None)
    review.log.refresh()
    decision, done = review.log.last(review.options.reviewer), review.state.done
    if done and (decision is None or done[-1].time >= decision.time):
        line = await fixing.take_back(screen, done[-1])
    elif undone := undo_verdicts(review):
        line = undo_words(review, undone)
    else:
        screen.refuse("nothing to undo")
        return
    if line:
        screen.show_all()
        screen.say(line)


@VERDICTS.command("verdict.code", "#", "Code", group=_GROUP, bar=14, needs=a_record)
async def put_under_code(screen: ReviewScreen) -> None:
    """Say that the record decided just now, or this one, or all marked fail as a code says; again takes it back."""
    review, about = screen.review, screen.review.state.marked or [_about(screen)]
    name = one_line(review.queue.items[about[0]].entry.id, 80)
    what = name if len(about) == 1 else counted(len(about), "record")
    if code := await pick_code(screen, review, f"{what}: fails in the way of", own_codes(review, about)):
        made = label_by_hand(review, about, code)
        screen.show_all()
        screen.say(f"recorded {code} for {what}" if made else f"took {code} back from {what}")


def _proposed_to(screen: ReviewScreen) -> tuple[Sequence[int], Sequence[ProposedEdit]]:
    """Return the records that are marked, or of the current row, with open proposals, and the edits of these."""
    review = screen.review
    among = review.state.chosen
    edits = {item.id: item for index in among for item in review.state.edits.get(index, ())}
    if not among:
        edits = {item.id: item for item in review.state.proposed}
    return [index for index in among if waiting(review, index)], [*edits.values()]


@VERDICTS.command("proposal.take", "A", "Take proposal", group=_GROUP, bar=2, needs=proposed, decides=True)
async def take_proposals(screen: ReviewScreen) -> None:
    """Take what a program proposes, here or for all marked: a verdict as yours, an edit after its diff.

    What does not stand on the screen, whole, is shown first, where some of it may be refused.
    """
    review = screen.review
    indexes, edits = _proposed_to(screen)
    offered = [(index, item) for index in indexes for item in takeable(review, index)]
    seen = screen.proposal_bar.shows([item for _, item in offered])
    for edit in edits:
        if not await fixing.take_proposed(screen, edit):
            return
    made = await take_seen(screen, offered, seen=seen)
    if made is None:
        return
    screen.go(review.state.marking())
    if made:
        _go_on(screen, answered_words(made), indexes[0] if indexes and len(made) == 1 else None)


@VERDICTS.command("proposal.refuse", "R", "Refuse it", group=_GROUP, bar=3, needs=proposed, decides=True)
async def refuse_proposals(screen: ReviewScreen) -> None:
    """Refuse what a program proposes, here or for all marked; it stays in the log and counts for nothing."""
    review = screen.review
    indexes, edits = _proposed_to(screen)
    for edit in edits:
        fixing.refuse_proposed(review, edit)
    refused = await answer(review, (), [item for index in indexes for item in waiting(review, index)])
    screen.go(review.state.marking())
    again = key_named("verdict.undo", "u")
    screen.say(f"refused {counted(len(edits) + len(refused), 'proposal')}; {again} takes it back")


@VERDICTS.command("verdict.adjudicate", "A", "Adjudicate", group=_GROUP, bar=15, needs=a_disagreement, decides=True)
async def adjudicate(screen: ReviewScreen) -> None:
    """Settle what reviewers disagree on: a verdict of its own, which counts for all of them."""
    review = screen.review
    names = {}
    for verdict in Verdict:
        who = ", ".join(_said(item) for item in disagreement(review) if item.verdict is verdict)
        names[f"{verdict.key} {verdict}" + (f"  ({who})" if who else "")] = verdict
    picked = await screen.answer_to(PickVerdict("Adjudicate", list(names)))
    if picked:
        decision = settle(review, names[picked])
        screen.show_all()
        screen.say(f"adjudicated {decision.verdict} for {decision.record_id}")


def _said(decision: Decision) -> str:
    """Return who decided, and the comment on it."""
    said = f": {decision.comment}" if decision.comment else ""
    return one_line(f"{decision.reviewer}{said}", 60)


async def take_seen(
    screen: ReviewScreen | NotesScreen, proposed: Sequence[tuple[int, Decision]], *, seen: bool
) -> tuple[Decision, ...] | None:
    """Take what is proposed about records once it has stood on the screen, and refuse what is refused there.

    Returns:
        what was written into the log; None where one has thought better of it.
    """
    refused: frozenset[int] = frozenset()
    if proposed and not seen:
        items = [item for _, item in proposed]
        answered = await screen.answer_to(ShowProposals(items, taken_words(screen.review.log, items)))
        if answered is None:
            return None
        refused = answered
    taken = [item for number, item in enumerate(proposed) if number not in refused]
    return await answer(screen.review, taken, [proposed[number][1] for number in sorted(refused)])


def answered_words(made: Sequence[Decision]) -> str:
    """Say what was taken of what programs propose, and what was refused."""
    if not made:
        return "what was proposed waits no longer"
    taken = [item for item in made if item.kind is not LogAction.REFUSE]
    by = ", ".join(sorted({one_line(item.proposed_by or item.reviewer, 40) for item in made}))
    refused = len(made) - len(taken)
    no = f"refused {refused:,}" if refused else ""
    if len(taken) == 1:
        (item,) = taken
        what = f"{item.code} {item.label}" if item.label else "a comment"
        about = f"{item.verdict or what} for {item.record_id}" if item.record else f"the code {item.code}"
        return " and ".join(filter(None, (f"took {about}", no))) + f", proposed by {by}"
    kinds = {("verdict" if item.verdict else "label" if item.label else "proposal") for item in taken}
    kind = kinds.pop() if len(kinds) == 1 else "proposal"
    yes = f"took {counted(len(taken), kind)}" if taken else ""
    return " and ".join(filter(None, (yes, no))) + f", proposed by {by}"
