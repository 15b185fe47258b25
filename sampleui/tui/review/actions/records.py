"""Every command of the review screen: importing this fills its registry, in the order of the help."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from sampleui.review.results.run_paths import run_name
from sampleui.settings.writing import remember, settings_file
from sampleui.text.visible import one_line
from sampleui.tui.actions import APP, FIELDS, PARTS, moving
from sampleui.tui.commands import Command
from sampleui.tui.review.actions import choosing, decide
from sampleui.tui.review.actions.choosing import all_records
from sampleui.tui.review.actions.needs import PANES, REVIEW, a_deck, a_record, an_answer, several_views
from sampleui.tui.review.links import link_to, printing
from sampleui.tui.review.waiting import ask_about_waiting
from sampleui.tui.trace.actions.events import EVENTS, event_as_json
from sampleui.tui.trace.actions.needs import EVENT_PANES

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

__all__ = ["REVIEW", "choosing", "decide"]

_FIX = "Fix"
_TRACE_KEYS = {"trace.external": ("E",)}
"""Keys of a trace that differ here: `o` is the order of the queue."""

_FROM_ANYWHERE = {
    **dict.fromkeys(("trace.error", "trace.call", "trace.match", "trace.match-before"), "timeline"),
    **dict.fromkeys(("trace.tab", "trace.tab-before", "trace.golden", "trace.fold"), "detail"),
    **dict.fromkeys(("trace.scroll-down", "trace.scroll-up"), "detail"),
    "trace.external": "",
}
"""Commands of a trace that work from every pane of a review, and what is to be seen then. The keys of the others
mean something else there."""

_BARS = {
    **{"trace.error": 5, "trace.call": 6, "trace.search": 7, "trace.open": 7, "trace.back": 7, "trace.mode": 8},
    **{"trace.filter": 8, "trace.tab": 16, "trace.golden": 17, "trace.fold": 18},
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


@REVIEW.command("record.promote", "n", "New sample", group=_FIX, bar=20, needs=a_record)
async def promote(screen: ReviewScreen) -> None:
    """Make a new sample of the turns of the record; in its trace, of those up to the event under the cursor."""
    from sampleui.tui.trace.promote import promote_from

    review, trace = screen.review, screen.trace_view
    event = trace.event if screen.scope in EVENT_PANES.split() else None
    assert trace.subject is not None
    decks = [known.deck.path for known in review.decks]
    place = None if event is None else event.number - 1
    written = await promote_from(screen, review.results.path, decks, trace.subject, place)
    for deck in review.decks:
        if written is not None and deck.deck.path.resolve() == written.resolve():
            deck.reload()
            screen.show_record()


@REVIEW.command(
    "answer.view", "v", "View", group="Looking", scopes="queue turns answer scores", bar=13, needs=several_views
)
def turn_view(screen: ReviewScreen) -> None:
    """Show the differences, the expected or the actual answer whole, or the baseline's."""
    screen.answer.turn(1)


def differing(screen: ReviewScreen) -> str:
    """Need more than one difference in the answer pane."""
    return "" if screen.answer.differences > 1 else "there is no other difference to go to"


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
    if place := screen.answer.go_difference(by):
        screen.say(place)
    else:
        screen.refuse(f"this is the {'last' if by > 0 else 'first'} difference")


@REVIEW.command("review.reload", "ctrl+l", "Read again", group="Looking")
def reload(screen: ReviewScreen) -> None:
    """Read the results again, as after a run that has gone on, and stay at the record."""
    screen.reload()


def runs_around(screen: ReviewScreen) -> str:
    """Need other runs beside this one."""
    return "" if screen.review.has_others else "no other run lies beside this one"


@REVIEW.command("review.report", "R", "Report", group="Looking", bar=15)
async def report(screen: ReviewScreen) -> None:
    """Show the figures of the run and of its review, against a baseline first; keys there lead to their records."""
    await screen.open_report()


@REVIEW.command("review.groups", "B", "By group", group="Looking", needs=all_records)
async def groups(screen: ReviewScreen) -> None:
    """Show counts and rates by target, tag or any field, or several crossed; Enter on a count shows its records."""
    await screen.open_groups()


@REVIEW.command("review.graders", "I", "Graders", group="Looking", needs=all_records)
async def graders(screen: ReviewScreen) -> None:
    """Show graders against people, with rates and what is not known; Enter on a count shows its records."""
    await screen.open_graders()


@REVIEW.command("review.series", "s", "Over time", group="Looking", needs=runs_around)
async def series(screen: ReviewScreen) -> None:
    """Show the runs of the folder over time, and the samples that flipped; Enter opens the record at that run."""
    await screen.open_series()


@REVIEW.command("review.cluster", "C", "Cluster", group="Looking", needs=all_records)
async def cluster(screen: ReviewScreen) -> None:
    """Choose the field by which samples belong together in figures, such as their document, and show the report."""
    await screen.choose_cluster()


@REVIEW.command("review.matrix", "M", "Matrix", group="Looking", needs=all_records)
async def matrix(screen: ReviewScreen) -> None:
    """Show a grid of samples by models, prompts or runs side by side; Enter opens the record of a cell."""
    await screen.open_matrix()


@REVIEW.command("review.plots", "H", "Plots", group="Looking", needs=all_records)
async def plots(screen: ReviewScreen) -> None:
    """Draw how scores, latency, cost and tokens are spread, rates, graders against people, runs over time."""
    await screen.open_plots()


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
    await screen.copy_one_of("review.copy", f"Copy of {one_line(entry.id, 40)}", texts)


def _in_review(command: Command[Any]) -> Command[Any]:
    """Return a command of a trace with the keys it has here; those that mean nothing else work from every pane."""
    command = dataclasses.replace(
        command,
        keys=_TRACE_KEYS.get(command.id, command.keys),
        title=_TITLES.get(command.id, command.title),
        bar=_BARS.get(command.id, 0),
    )
    seen = _FROM_ANYWHERE.get(command.id)
    if seen is None:
        return command

    def run(screen: ReviewScreen) -> None:
        command.run(screen)
        screen.reveal_trace(seen)

    anywhere = dataclasses.replace(command, scopes=frozenset(), run=run)
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
        screen.answer.go_to_error()
        screen.set_focus(screen.answer.view)
        screen.say(f"the record ended in an error: {record.error}")

    return dataclasses.replace(command, run=run, needs=needs)


REVIEW.include(_in_review(item) for item in EVENTS if item.id != "trace.copy")
REVIEW.include(FIELDS)
REVIEW.include(item for item in moving(PANES) if item.id.startswith("pane."))
REVIEW.include(PARTS)
REVIEW.include(item for item in moving(PANES) if item.id.startswith("cursor."))
REVIEW.include(APP)


@REVIEW.command("app.quit", "ctrl+q", "Quit", group="App", bar=32, anywhere=True)
async def leave(screen: ReviewScreen) -> None:
    """Leave. Every verdict is on the disk already; comments without one are asked about."""
    if await ask_about_waiting(screen):
        screen.leave()


def several_runs(screen: ReviewScreen) -> str:
    """Need other runs beside the one that is open."""
    return "" if len(screen.review.runs) > 1 else "there are no other runs beside this one"


@REVIEW.command("review.runs", "O", "Other runs", group="Looking", bar=13, needs=several_runs)
async def other_runs(screen: ReviewScreen) -> None:
    """Open another run of the folder; the latest is listed first."""
    review = screen.review
    names = {}
    for position, index in enumerate(review.runs):
        latest = " · latest" if position == 0 else ""
        here = " · open" if index.absolute() == review.results.path.absolute() else ""
        names[f"{run_name(index, review.among)}{latest}{here}"] = index
    picked = await screen.pick("Runs", list(names))
    if picked and names[picked] != review.results.path and await ask_about_waiting(screen):
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
    picked = await screen.pick("Which scorer decides what passed", list(names))
    if picked and names[picked] != results.decider:
        path = settings_file(results.path.parent)
        remember("scorer", names[picked], path)
        screen.settings = screen.settings.under({"scorer": names[picked]}, str(path))
        screen.reload(names[picked])
