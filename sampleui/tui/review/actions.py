"""Every command of the review screen, and what each needs; importing this fills its registry."""

from __future__ import annotations

import os
import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sampleui.errors import EditRefusedError
from sampleui.review.handing_back import hand_back
from sampleui.review.queue import ReviewOptions
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.review.results.run_paths import run_name, run_of
from sampleui.review.verdict import Decision, Verdict
from sampleui.settings.writing import remember, settings_file
from sampleui.text.confined import real_path, typed_path
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.actions import APP, FIELDS, PARTS, marking, moving
from sampleui.tui.commands import Command, Registry
from sampleui.tui.outside import open_file
from sampleui.tui.review.boxes import PickVerdict, draw_sample
from sampleui.tui.review.coding import begin_pass, pick_code
from sampleui.tui.review.commenting import COMMENTS
from sampleui.tui.review.comments import own_codes
from sampleui.tui.review.counterparts import next_beside
from sampleui.tui.review.deciding import NONE_ALIKE
from sampleui.tui.review.figure_actions import FIGURES, all_records
from sampleui.tui.review.rows.answer import FILES, WITH_TALK
from sampleui.tui.review.rows.queue import all_decided
from sampleui.tui.review.session_verdicts import disagreement, label_by_hand, settle
from sampleui.tui.review.viewing import view_edited
from sampleui.tui.screens import asking
from sampleui.tui.trace.actions import EVENT_PANES, EVENTS, event_as_json, events
from sampleui.tui.trace.promote import promote_from

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

REVIEW: Registry[ReviewScreen] = Registry()

PANES = "queue turns answer scores timeline detail"
"""The scopes of the panes of a review."""


a_record = REVIEW.need(lambda screen: isinstance(screen.review.current, int), "there is no record here")


def a_readable_record(screen: ReviewScreen) -> str:
    """Need a record that can be read."""
    return a_record(screen) or ("what cannot be read cannot be decided" if screen.shown.problem else "")


def a_listed_record(screen: ReviewScreen) -> str:
    """Need a record in the filter, to mark it."""
    return a_record(screen) or ("this record is not in the filter" if screen.review.state.is_outside else "")


def to_decide(screen: ReviewScreen) -> str:
    """Need marked records, or one that can be read."""
    return "" if screen.review.state.marked else a_readable_record(screen)


def several_records(screen: ReviewScreen) -> str:
    """Need another record in the filter."""
    visible = screen.review.queue.visible
    alone = len(visible) == 1 and visible[0] == screen.review.current
    return "" if visible and not alone else "there is no other record in the filter"


def undecided(screen: ReviewScreen) -> str:
    """Need a record in the filter that is not decided."""
    progress = screen.review.progress
    if not progress.total:
        return "there is no record in the filter"
    return "" if progress.waiting else all_decided(progress)


def a_decision(screen: ReviewScreen) -> str:
    """Need a decision or a note of one's own, or a fix."""
    review = screen.review
    fixing, reviewer = screen.fixing, review.options.reviewer
    done = fixing.last or fixing.last_refused or review.log.can_undo(reviewer)
    return "" if done else "nothing to undo"


several_views = REVIEW.need(lambda screen: len(screen.answer.tabs) > 1, "there is one view here")


def a_deck(screen: ReviewScreen) -> str:
    """Need a deck that could have the sample of the record."""
    return screen.fixing.without_deck


def a_record_in_the_run(screen: ReviewScreen) -> str:
    """Need a record whose sample could be run again, or a rerun to watch."""
    if screen.running is not None and screen.running.job is not None:
        return ""
    return "" if screen.review.state.marked else a_readable_record(screen)


def an_answer(screen: ReviewScreen) -> str:
    """Need a deck that could have the sample of the record, and an answer that could be taken into it."""
    return a_deck(screen) or screen.fixing.nothing_to_take


_QUEUE, _VERDICTS = "Queue", "Verdicts"


@REVIEW.command("review.sample", "S", "Random sample", group=_QUEUE, bar=16, needs=all_records)
async def sample(screen: ReviewScreen) -> None:
    """Draw records at random, with known chances, so that weighted figures hold for all records."""
    await draw_sample(screen)


def alike(screen: ReviewScreen) -> str:
    """Need other open records with the same answer as the record decided just now, or else as the current one."""
    lacking = a_record(screen)
    if lacking or screen.feed.comparing:
        return lacking
    return "" if screen.review.state.alike_to(screen.deciding.about) else NONE_ALIKE


@REVIEW.command("verdict.same", "=", "Same answers", group=_VERDICTS, needs=alike, decides=True)
async def decide_same(screen: ReviewScreen) -> None:
    """Give your verdict on the record just decided, or else on this one, to all open ones with the same answer."""
    await screen.deciding.decide_alike()


REVIEW.include(marking("queue", a_listed_record, beside="turns answer scores", taken={"answer": "V"}))


_LOOKING = "queue turns answer scores"


@REVIEW.command("review.next", "]", "Next", group=_QUEUE, bar=1, needs=several_records)
def following(screen: ReviewScreen) -> None:
    """Go to the next record in the filter."""
    screen.step(1)


@REVIEW.command("review.previous", "[", "Previous", group=_QUEUE, bar=8, needs=several_records)
def previous(screen: ReviewScreen) -> None:
    """Go to the previous record in the filter."""
    screen.step(-1)


@REVIEW.command("review.unreviewed", "N", "Next unreviewed", group=_QUEUE, bar=11, needs=undecided)
def unreviewed(screen: ReviewScreen) -> None:
    """Go to the next record that is not decided; after the last one comes the first."""
    if (state := screen.review.state.at_open()) is not None:
        screen.go(state)


@REVIEW.command("review.open", "enter", "Read", group=_QUEUE, scopes="queue", bar=5, needs=a_record)
def open_record(screen: ReviewScreen) -> None:
    """Go to the answer of the record under the cursor, or to what was searched for in it."""
    screen.set_focus(screen.place_to_read)


def like_errors(screen: ReviewScreen) -> str:
    """Need a record of which there are several of one sample with the same error."""
    return (
        ""
        if screen.review.state.group is not None
        else "no other record in the filter is of this sample with the same error"
    )


@REVIEW.command("review.like-errors", "+", "Open or close", group=_QUEUE, bar=6, needs=like_errors)
def turn_group(screen: ReviewScreen) -> None:
    """Show each record of one sample with the same error, or all as one row, which is decided as one."""
    screen.turn_group()


@REVIEW.command("review.search", "/", "Search", group=_QUEUE, bar=14)
def search(screen: ReviewScreen) -> None:
    """Show only records that hold a text anywhere, or verdict:none, score<0.5, role:tool; Escape ends it."""
    screen.narrowing.open_search()


def a_search(screen: ReviewScreen) -> str:
    """Need records that were searched for, marks, or figures that are not there yet."""
    chosen = screen.feed.figuring or screen.review.queue.filters.text or screen.review.state.marks.places
    return "" if chosen else "nothing is searched for and nothing is marked"


@REVIEW.command("review.search-end", "escape", "Show all", group=_QUEUE, scopes=_LOOKING, needs=a_search)
def end_search(screen: ReviewScreen) -> None:
    """Remove the marks; if there are none, end the search and show the records again that it left out.

    Figures that are being worked out are not waited for any longer, before all else.
    """
    if screen.feed.figuring:
        screen.feed.drop_figures()
    elif screen.review.state.marks.places:
        screen.marks.clear()
    else:
        screen.narrowing.end_search()


@REVIEW.command("review.filter", "f", "Filter", group=_QUEUE, bar=13)
async def choose_filter(screen: ReviewScreen) -> None:
    """Filter by outcome, verdict, kind of failure, evaluator, target, changes or baseline; filters add up."""
    await screen.narrowing.choose_filter()


@REVIEW.command("review.order", "o", "Order", group=_QUEUE)
def turn_order(screen: ReviewScreen) -> None:
    """Sort by score, the worst first, as in the file, or by target if there are several."""
    screen.narrowing.turn_order()


def _decide(verdict: Verdict) -> Callable[[ReviewScreen], Awaitable[None] | None]:
    def decide(screen: ReviewScreen) -> Awaitable[None] | None:
        return screen.deciding.decide(verdict)

    decide.__doc__ = f"Record {verdict}: {verdict.meaning}; {verdict.route}."
    return decide


for _verdict in Verdict:
    _title = str(_verdict).replace("-", " ").capitalize()
    _declare = REVIEW.command(
        f"verdict.{_verdict}", _verdict.key, _title, group=_VERDICTS, needs=to_decide, decides=True
    )
    _declare(_decide(_verdict))


@REVIEW.command("verdict.comment", "c", "Comment", group=_VERDICTS, bar=3, needs=a_record)
def comment(screen: ReviewScreen) -> None:
    """Comment on the record just decided, or else on this one: in its trace, on the event under the cursor.

    A line that begins with `>` quotes the answer or what was asked, and the next is what you say of it.
    """
    screen.deciding.open_comment()


@REVIEW.command("review.notes", "m", "Notes", group="Looking", needs=a_record)
async def notes(screen: ReviewScreen) -> None:
    """List the notes of the run and what programs propose: go to one, put them under codes, take or refuse them."""
    await screen.list_notes()


def a_whole_run(screen: ReviewScreen) -> str:
    """Need a run that is read."""
    return a_record(screen) or ("" if screen.review.results.complete else "not all of the run is read yet")


@REVIEW.command("pass.begin", "L", "Label", group="Looking", needs=a_whole_run)
async def begin(screen: ReviewScreen) -> None:
    """Label records for one code, or several in one reading: blind, in an order by chance, on its own screen."""
    await begin_pass(screen)


REVIEW.include(COMMENTS)


def a_tool_to_tell(screen: ReviewScreen) -> str:
    """Need a run whose tool keeps what people say of it."""
    keeps = screen.review.results.complete and screen.review.results.hands_back is not None
    return "" if keeps else "the tool of this run keeps no verdicts, or not all of the run is read yet"


@REVIEW.command("verdict.hand-back", "W", "Hand back", group=_VERDICTS, needs=a_tool_to_tell)
async def hand_verdicts_back(screen: ReviewScreen) -> None:
    """Write all verdicts and comments into the file that the tool of the run has for them, or a copy of the run."""
    review = screen.review
    tool = review.results.hands_back
    assert tool is not None
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


@REVIEW.command("verdict.undo", "u", "Undo", group=_VERDICTS, bar=12, needs=a_decision)
async def undo(screen: ReviewScreen) -> None:
    """Take back what you did last, a fix too, and go to its record; verdicts of earlier sessions as well."""
    await screen.deciding.undo()


@REVIEW.command("verdict.code", "#", "Code", group=_VERDICTS, bar=14, needs=a_record)
async def put_under_code(screen: ReviewScreen) -> None:
    """Say that the record decided just now, or this one, or all marked fail as a code says; again takes it back."""
    review, about = screen.review, screen.review.state.marked or [screen.deciding.about]
    name = one_line(review.queue.items[about[0]].entry.id, 80)
    what = name if len(about) == 1 else counted(len(about), "record")
    if code := await pick_code(screen, review, f"{what}: fails in the way of", own_codes(review, about)):
        made = label_by_hand(review, about, code)
        screen.show_all()
        screen.say(f"recorded {code} for {what}" if made else f"took {code} back from {what}")


def proposed(screen: ReviewScreen) -> str:
    """Need something that a program proposes and that waits."""
    return "" if any(screen.deciding.proposed_to) else "no program proposes anything here that waits for you"


@REVIEW.command("proposal.take", "A", "Take proposal", group=_VERDICTS, bar=2, needs=proposed, decides=True)
async def take_proposals(screen: ReviewScreen) -> None:
    """Take what a program proposes, here or for all marked: a verdict as yours, an edit after its diff."""
    await screen.deciding.take_proposals()


@REVIEW.command("proposal.refuse", "R", "Refuse it", group=_VERDICTS, bar=3, needs=proposed, decides=True)
async def refuse_proposals(screen: ReviewScreen) -> None:
    """Refuse what a program proposes, here or for all marked; it stays in the log and counts for nothing."""
    await screen.deciding.refuse_proposals()


def a_disagreement(screen: ReviewScreen) -> str:
    """Need a record that reviewers disagree about."""
    return "" if disagreement(screen.review) else "reviewers do not disagree about this record"


@REVIEW.command(
    "verdict.adjudicate", "A", "Adjudicate", group=_VERDICTS, bar=15, needs=a_disagreement, decides=True
)
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
    comment = f": {decision.comment}" if decision.comment else ""
    return one_line(f"{decision.reviewer}{comment}", 60)


def link_to(entry: Entry, results: Results, options: ReviewOptions) -> str:
    """Return the command that opens the review at a record, with what decides about it and where its deck is."""
    decks = [word for deck in options.asked_decks for word in ("--deck", _path(deck))]
    limit = [] if options.fail_under is None else ["--fail-under", f"{options.fail_under:g}"]
    return shlex.join(["sampleui", "review", _run(results), "--id", entry.id, *decks, *_scorer(results), *limit])


def printing(entry: Entry, results: Results) -> str:
    """Return the command that prints a record and its trace without the app."""
    record_id = entry.id if entry.id == entry.sample_id else f"#{entry.index + 1}"
    words = ["sampleui", "trace", _run(results), "--id", record_id, "--format", "text"]
    return shlex.join([*words, *_scorer(results)])


def _scorer(results: Results) -> list[str]:
    return [] if results.scorer is None else ["--scorer", results.scorer]


def _run(results: Results) -> str:
    return _path(run_of(results.path) or results.path)


def _path(path: Path) -> str:
    """Return a path as it is written in the working folder; one outside of it from the root."""
    whole = path.absolute()
    inside = whole.is_relative_to(Path.cwd())
    return os.path.relpath(whole) if inside else str(whole)


_FIX = "Fix"
_FROM_ANYWHERE = {
    **dict.fromkeys(("trace.error", "trace.call", "trace.match", "trace.match-before"), "timeline"),
    **dict.fromkeys(("trace.tab", "trace.tab-before", "trace.golden", "trace.fold"), "detail"),
    **dict.fromkeys(("trace.scroll-down", "trace.scroll-up"), "detail"),
    "trace.external": "",
}
"""Commands of a trace that work from every pane of a review, and what is to be seen then. The keys of the others
mean something else there."""

_SCROLLING = ("ctrl+d", "ctrl+u")
"""Keys that scroll the pane with the focus, whichever it is."""

_BARS = {
    **{"trace.error": 5, "trace.call": 6, "trace.search": 6, "trace.open": 6, "trace.back": 7, "trace.mode": 8},
    **{"trace.filter": 8, "trace.unfold": 6, "trace.tab": 16, "trace.golden": 17, "trace.fold": 18},
}
"""Places of the commands of a trace in the footer of a review."""

_TITLES = {"trace.error": "Error", "trace.call": "Call"}


@REVIEW.command("fix.edit", "e", "Edit sample", group=_FIX, bar=4, needs=a_deck)
async def edit(screen: ReviewScreen) -> None:
    """Edit the sample: what the cursor was put on, else the first failed assertion or what it expects."""
    await screen.fixing.edit(screen.edited_path)


@REVIEW.command("fix.take", "x", "Take answer", group=_FIX, bar=10, needs=an_answer)
async def take(screen: ReviewScreen) -> None:
    """Make the actual answer the expected one; the change to the deck is shown before it is saved."""
    await screen.fixing.take()


@REVIEW.command("rerun.run", "ctrl+r", "Run again", group=_FIX, bar=7, needs=a_record_in_the_run)
async def run_again(screen: ReviewScreen) -> None:
    """Run the sample of the record again, or those of the marked ones, with the tool of the run; or watch that."""
    if screen.running is None:
        from sampleui.tui.review.running import Running  # with all of what starts a program

        screen.running = Running(screen)
    await screen.running.turn()


@REVIEW.command("record.promote", "n", "New sample", group=_FIX, bar=20, needs=a_record)
async def promote(screen: ReviewScreen) -> None:
    """Make a new sample of the turns of the record; in its trace, of those up to the event under the cursor."""
    review, trace = screen.review, screen.trace_view
    in_trace = screen.scope in EVENT_PANES.split()
    subject, event = (trace.subject, trace.place_in_subject) if in_trace else (trace.whole, None)
    assert subject is not None
    decks = [known.deck.path for known in review.decks]
    written = await promote_from(screen, review.results.path, decks, subject, event)
    for deck in review.decks:
        if written is not None and real_path(deck.deck.path) == real_path(written):
            deck.reload()
            screen.show_record()


@REVIEW.command(
    "answer.view", "v", "View", group="Looking", scopes="queue turns answer scores", bar=13, needs=several_views
)
def turn_view(screen: ReviewScreen) -> None:
    """Show the differences, the expected or the actual answer whole, or the baseline's."""
    screen.answer.turn(1)


def files_beside(screen: ReviewScreen) -> str:
    """Need an answer made of files, and another to show it beside."""
    return "" if screen.shown.beside is not None else "there is no answer to show the files of this one beside"


@REVIEW.command(
    "answer.beside", "b", "Beside", group="Looking", scopes="queue turns answer scores", bar=8, needs=files_beside
)
def turn_beside(screen: ReviewScreen) -> None:
    """Show the files of the answer beside those of another target, of the run before, or alone."""
    screen.review.state = next_beside(screen.review, screen.review.item.entry)
    screen.answer.open(FILES)
    screen.show_record()


def files_of_answer(screen: ReviewScreen) -> str:
    """Need an answer that consists of files."""
    record = screen.shown.record
    return "" if record is not None and record.files else "the answer has no files of its own"


@REVIEW.command(
    "answer.open-file", "E", "Open file", group="Looking", scopes="queue turns answer scores", needs=files_of_answer
)
async def open_answer_file(screen: ReviewScreen) -> None:
    """Open a file of the answer with the system's program for it; what is run is shown first."""
    await open_file(screen)


a_read_record = REVIEW.need(
    lambda screen: screen.answer.is_read, f"only the views {', '.join(WITH_TALK)} fold what is long"
)


@REVIEW.command("record.unfold", "Z", "Show all", group="Looking", scopes="answer", bar=8, needs=a_read_record)
def unfold(screen: ReviewScreen) -> None:
    """Show what is hidden or folded of the record, or hide it again."""
    screen.say("all of the record is shown" if screen.answer.unfold() else "long and hidden fields are folded")


def a_viewed_record(screen: ReviewScreen) -> str:
    """Need a record of which is known what reads it."""
    shown = screen.shown
    return a_record(screen) or (
        "" if shown.record and shown.adapter else "nothing is known that reads such records"
    )


@REVIEW.command("record.view", "V", "Edit view", group="Looking", scopes="answer", bar=14, needs=a_viewed_record)
async def edit_view(screen: ReviewScreen) -> None:
    """Say which fields of such records are shown, in which order and how, with the record beside; it is kept."""
    await view_edited(screen)


differing = REVIEW.need(lambda screen: screen.answer.differences > 1, "there is no other difference to go to")


@REVIEW.command("answer.next-difference", "}", "Difference", group="Looking", bar=7, needs=differing)
def next_difference(screen: ReviewScreen) -> None:
    """Go to the next difference between what was expected and what was answered, from any pane."""
    _go_difference(screen, 1)


@REVIEW.command("answer.difference-before", "{", "Difference before", group="Looking", needs=differing)
def difference_before(screen: ReviewScreen) -> None:
    """Go to the previous difference, from any pane."""
    _go_difference(screen, -1)


def _go_difference(screen: ReviewScreen, by: int) -> None:
    """Go to another difference; where another pane has the whole screen, the answer is shown."""
    if screen.has_class("narrow"):
        screen.set_focus(screen.answer.view)
    if where := screen.answer.go_difference(by):
        screen.say(where)
    else:
        screen.refuse(f"this is the {'last' if by > 0 else 'first'} difference")


@REVIEW.command("review.reload", "ctrl+l", "Read again", group="Looking")
def reload(screen: ReviewScreen) -> None:
    """Read the results again, as after a run that has gone on, and stay at the record."""
    screen.reload()


REVIEW.include(FIGURES)


@REVIEW.command("review.copy", "y ctrl+c", "Copy", group="Looking", bar=19, needs=a_record)
async def copy(screen: ReviewScreen) -> None:
    """Copy the answer, the id, a link to the record, the command that prints it, or the event of its trace."""
    review, entry = screen.review, screen.review.item.entry
    record, trace = screen.shown.record, screen.trace_view
    link, command = link_to(entry, review.results, review.options), printing(entry, review.results)
    texts = {"i": ("the id", entry.id), "l": ("a link", link), "c": ("the command that prints it", command)}
    if record is not None and not record.unanswered:
        texts = {"a": ("the answer", record.actual), **texts}
    if trace.event is not None:
        event = {"e": ("the event of the trace", event_as_json(trace.event))}
        texts = event | texts if screen.scope in EVENT_PANES.split() else texts | event
    await asking.copy_one_of(screen, "review.copy", f"Copy from {one_line(entry.id, 40)}", texts)


def _in_review(command: Command[Any]) -> Command[Any]:
    """Return a command of a trace as it is here; one whose keys mean nothing else works from every pane."""
    command = command._replace(
        title=_TITLES.get(command.id, command.title),
        bar=_BARS.get(command.id, 0),
    )
    seen = _FROM_ANYWHERE.get(command.id)
    if seen is None:
        return command

    def needs(screen: ReviewScreen) -> str:
        return command.needs(screen) or (events(screen) if seen == "detail" else "")

    def run(screen: ReviewScreen) -> None:
        command.run(screen)
        screen.reveal_trace(seen)

    keys = tuple(key for key in command.keys if key not in _SCROLLING)
    anywhere = command._replace(scopes=frozenset(), needs=needs, run=run, keys=keys)
    return _or_to_the_error(anywhere) if command.id == "trace.error" else anywhere


def _or_to_the_error(command: Command[Any]) -> Command[Any]:
    """Return the command that goes to the next failure; without one in the trace it goes to the record's error."""

    def needs(screen: ReviewScreen) -> str:
        record = screen.shown.record
        return command.needs(screen) if record is None or record.error is None else ""

    def run(screen: ReviewScreen) -> None:
        record = screen.shown.record
        if record is None or record.error is None or not command.needs(screen):
            command.run(screen)
            return
        screen.answer.open(screen.answer.tabs[0])  # its first lines are the error
        screen.set_focus(screen.answer.view)
        screen.say(f"the record ended in an error: {record.error}")

    return command._replace(run=run, needs=needs)


REVIEW.include(_in_review(item) for item in EVENTS if item.id != "trace.copy")
REVIEW.include(FIELDS)
REVIEW.include(item for item in moving(PANES) if item.id.startswith("pane."))
REVIEW.include(PARTS)
REVIEW.include(item for item in moving(PANES) if item.id.startswith("cursor."))
REVIEW.include(APP)


@REVIEW.command("app.quit", "ctrl+q", "Quit", group="App", bar=32, anywhere=True)
async def leave(screen: ReviewScreen) -> None:
    """Leave. Every verdict and note is on the disk already."""
    screen.keep_typed()
    if await screen.may_leave():
        screen.leave()


def other_runs_there(screen: ReviewScreen) -> str:
    """Need a run beside this one, or the run that this one was opened from."""
    opened = screen.review.results.path.absolute()
    is_there = any(index.absolute() != opened for index in screen.review.runs)
    return "" if is_there else "there are no other runs beside this one"


@REVIEW.command("review.runs", "O", "Other runs", group="Looking", bar=13, needs=other_runs_there)
async def other_runs(screen: ReviewScreen) -> None:
    """Open another run of the folder; the latest is listed first."""
    review = screen.review
    names = {}
    for position, index in enumerate(review.runs):
        latest = " · latest" if position == 0 and len(review.runs) > 1 else ""
        here = " · open" if index.absolute() == review.results.path.absolute() else ""
        names[f"{run_name(index, review.runs_path)}{latest}{here}"] = index
    picked = await asking.pick(screen, "Runs", list(names))
    if picked and names[picked] != review.results.path:
        screen.open_run(names[picked])


def several_scorers(screen: ReviewScreen) -> str:
    """Need several scorers of which one decides."""
    results = screen.review.results
    if results.decider is None:
        return "the run says itself which records passed"
    return "" if len(results.scorers) > 1 else "the run has no other scorer"


@REVIEW.command("review.scorer", "D", "Deciding scorer", group="Looking", bar=15, needs=several_scorers)
async def scorer(screen: ReviewScreen) -> None:
    """Choose the scorer that decides what passed; the choice is kept in the project's settings."""
    results = screen.review.results
    names = {f"{name} · decides" if name == results.decider else name: name for name in results.scorers}
    picked = await asking.pick(screen, "Which scorer decides what passed", list(names))
    if picked and names[picked] != results.decider:
        path = settings_file(results.path.parent)
        remember("scorer", names[picked], path)
        screen.settings = screen.settings.under({"scorer": names[picked]}, str(path))
        screen.reload(names[picked])
