"""Every command of the review screen, and what each needs; importing this fills its registry."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sampleui.review.queue import ReviewOptions
from sampleui.review.record import Entry
from sampleui.review.record_sections import asked_section, record_sections
from sampleui.review.results.file import Results
from sampleui.review.results.run_paths import run_name, run_of
from sampleui.review.results.usual_view import usual_view
from sampleui.review.verdict import NotePlace
from sampleui.sample.sections import Section, sections_beside
from sampleui.settings.views import View, ViewField
from sampleui.settings.vocabulary import PATH, steps
from sampleui.settings.writing import remember, settings_file
from sampleui.text.confined import real_path
from sampleui.text.visible import one_line
from sampleui.tui.actions import APP, FIELDS, PARTS, marking, moving
from sampleui.tui.commands import Command, Registry
from sampleui.tui.outside import open_file
from sampleui.tui.review.coding import begin_pass
from sampleui.tui.review.commenting import COMMENTS
from sampleui.tui.review.deciding import VERDICTS
from sampleui.tui.review.feed import open_run, read_again
from sampleui.tui.review.figure_actions import FIGURES
from sampleui.tui.review.fixing import FIX
from sampleui.tui.review.narrowing import QUEUE, a_record
from sampleui.tui.review.notes import NotesScreen
from sampleui.tui.review.rows.answer import FILES, RECORD, WITH_TALK
from sampleui.tui.review.rows.read import asked_of
from sampleui.tui.review.running import RERUN, may_leave
from sampleui.tui.review.screen import ReviewScreen
from sampleui.tui.screens import asking
from sampleui.tui.screens.view_editor import view_edited
from sampleui.tui.trace.actions import EVENT_PANES, EVENTS, event_as_json, events
from sampleui.tui.trace.promote import promote_from

REVIEW: Registry[ReviewScreen] = Registry()

PANES = "queue turns answer scores timeline detail"
"""The scopes of the panes of a review."""


REVIEW.include(QUEUE)
REVIEW.include(VERDICTS)
REVIEW.include(COMMENTS)


def a_listed_record(screen: ReviewScreen) -> str:
    """Need a record in the filter, to mark it."""
    return a_record(screen) or ("this record is not in the filter" if screen.review.state.is_outside else "")


REVIEW.include(marking("queue", a_listed_record, beside="turns answer scores", taken={"answer": "V"}))
several_views = REVIEW.need(lambda screen: len(screen.answer.tabs) > 1, "there is one view here")


@REVIEW.command("review.notes", "m", "Notes", group="Looking", needs=a_record)
async def notes(screen: ReviewScreen) -> None:
    """List the notes of the run and what programs propose: go to one, put them under codes, take or refuse them."""
    screen.review.log.refresh()  # others may have written
    screen.review.revise()
    listed = NotesScreen(screen.review, screen.settings)
    await screen.answer_to(listed)
    if listed.picked is not None:
        screen.review.state = screen.review.state.at(listed.picked.record)
    screen.show_all()
    if listed.picked is not None and (place := listed.picked.said.place) is not None:
        screen.call_after_refresh(_go_to_place, screen, place)


def _go_to_place(screen: ReviewScreen, place: NotePlace) -> None:
    """Go to where a note was made: its event, or the words that it quotes."""
    if place.part == "event" and place.number is not None:
        screen.trace_view.go_event(place.number)
        screen.set_focus(screen.trace_view.timeline)
    else:
        screen.set_focus(screen.answer.view)
        screen.answer.reveal_note(place)


def a_whole_run(screen: ReviewScreen) -> str:
    """Need a run that is read."""
    return a_record(screen) or ("" if screen.review.results.complete else "not all of the run is read yet")


@REVIEW.command("pass.begin", "L", "Label", group="Looking", needs=a_whole_run)
async def begin(screen: ReviewScreen) -> None:
    """Label records for one code, or several in one reading: blind, in an order by chance, on its own screen."""
    await begin_pass(screen)


def link_to(entry: Entry, results: Results, options: ReviewOptions) -> str:
    """Return the command that opens the review at a record, with what decides about it and where its deck is."""
    decks = [word for deck in options.decks for word in ("--deck", _path(deck))]
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


REVIEW.include(FIX)
REVIEW.include(RERUN)


@REVIEW.command("record.promote", "n", "New sample", group="Fix", bar=20, needs=a_record)
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
    assert screen.shown.beside is not None, "what the command needs"
    screen.review.state = replace(screen.review.state, beside=screen.shown.beside.following)
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
    shown, folder = screen.shown, screen.review.results.base_dir
    record, adapter = shown.record, shown.adapter
    assert record is not None and adapter is not None, "what the command needs"
    name, view = adapter.name, shown.view

    def sections(view: View) -> Sequence[Section]:
        return record_sections(record, asked_section(asked_of(shown)), adapter, view, in_full=False)

    if view is None:
        view = () if adapter.dialect is None else usual_view([record.data], adapter.dialect)
    beside = sections_beside(record.data, [steps(field.path) for field in view], hidden=True)
    paths = (section.heading for section in beside)
    others = tuple(ViewField(path, hidden=True) for path in paths if PATH.fullmatch(path))
    if said := await view_edited(screen, folder, name, (view, others), sections):
        screen.review.views = screen.settings.view
        screen.show_record()
        screen.answer.open(RECORD)
        screen.say(said)


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
    read_again(screen)


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
    """Return a command of a trace as it is here; one whose keys mean nothing else works from every pane.

    That which goes to the next failure goes to the record's own error where there is none in the trace.
    """
    command = command._replace(title=_TITLES.get(command.id, command.title), bar=_BARS.get(command.id, 0))
    seen = _FROM_ANYWHERE.get(command.id)
    if seen is None:
        return command

    def error(screen: ReviewScreen) -> str | None:
        record = screen.shown.record
        fails = command.id == "trace.error" and record is not None and command.needs(screen) != ""
        return record.error if fails and record is not None else None

    def needs(screen: ReviewScreen) -> str:
        if error(screen) is not None:
            return ""
        return command.needs(screen) or (events(screen) if seen == "detail" else "")

    def run(screen: ReviewScreen) -> None:
        if (ended := error(screen)) is None:
            command.run(screen)
            _reveal_trace(screen, seen)
            return
        screen.answer.open(screen.answer.tabs[0])  # its first lines are the error
        screen.set_focus(screen.answer.view)
        screen.say(f"the record ended in an error: {ended}")

    keys = tuple(key for key in command.keys if key not in _SCROLLING)
    return command._replace(scopes=frozenset(), needs=needs, run=run, keys=keys)


def _reveal_trace(screen: ReviewScreen, pane: str) -> None:
    """Show a pane of the trace where it is hidden; empty for none."""
    target = {"timeline": screen.trace_view.timeline, "detail": screen.trace_view.detail.view}.get(pane)
    if target is None:
        return
    if screen.has_class("narrow"):
        if pane == "detail" or screen.scope != "detail":
            screen.set_focus(target)
    elif pane == "detail" and screen.trace_view.detail.has_class("away"):
        screen.set_focus(screen.trace_view.timeline)


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
    if await may_leave(screen):
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
        open_run(screen, names[picked])


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
        read_again(screen, names[picked])
