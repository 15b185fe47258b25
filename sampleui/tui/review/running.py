"""Programs run from a review: samples again, agreed to once, compared with before; commands of the user's own."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from textual.content import Content

from sampleui.errors import SampleUIError
from sampleui.review.record import SIGNS, Entry, Record, measures, outcome_of, why_failed
from sampleui.review.verdict import Verdict
from sampleui.runs.decks import decks_of_run
from sampleui.runs.rerun.engine import Prepared, RanAgain, Rerun, prepared, run_again
from sampleui.runs.rerun.own import filled
from sampleui.runs.rerun.process import KEPT_LINES, End, Ended, run
from sampleui.runs.rerun.trust import TRUSTED, ShownCall, question
from sampleui.settings.options import OwnCommand
from sampleui.text.limits import MAX_RERUNS_AT_ONCE
from sampleui.text.temporary import temporary_folder
from sampleui.text.visible import one_line
from sampleui.tui.commands import Command, Hint, Registry, key_named
from sampleui.tui.drawing.rows import OUTCOME_STYLES, Room, Row, named_text, text_rows
from sampleui.tui.review.deciding import to_decide
from sampleui.tui.review.feed import open_run
from sampleui.tui.review.narrowing import a_record
from sampleui.tui.review.rows.compared import compared
from sampleui.tui.review.rows.queue import USUAL_KEYS, VerdictKeys
from sampleui.tui.screens import asking
from sampleui.tui.screens.dialogs import Scrolled
from sampleui.tui.themes import has_colours
from sampleui.tui.widgets.text_view import READING

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

REFRESH_S = 0.25
"""Seconds between two looks at what a rerun has come to."""

_EMPTY: Row = (("text", ""),)
_GRADES = 0
_Result = TypeVar("_Result")


class BackgroundWork(Generic[_Result]):
    """Work beside the screen, whose output a box shows. What it comes to is noted by the thread that does it.

    Attributes:
        lines: the last lines of output.
        is_running: whether it has not ended yet.
        result: what it came to, once it has ended.
        problem: why it came to nothing, where that is so.
    """

    def __init__(self, work: Callable[..., _Result]) -> None:
        """Take what does it, with `tell` for each line of output and `is_stopped`, which is asked often."""
        self._work = work
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        self.is_running = True
        self.result: _Result | None = None
        self.problem: SampleUIError | None = None
        self._began, self._took = monotonic(), 0.0
        self._stopped = threading.Event()

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return monotonic() - self._began if self.is_running else self._took

    @property
    def words(self) -> str:
        """How long it has taken, and whether it has ended."""
        return f"{self.seconds:.0f} s" if self.is_running else f"ended after {self.seconds:.0f} s"

    def cancel(self) -> None:
        """Have all that it started ended."""
        self._stopped.set()

    async def follow(self, stack: ExitStack, look: Callable[[], None] = lambda: None) -> None:
        """Do it in a thread and wait for that, beside the commands of the screen; a wait that is ended ends it.

        Args:
            stack: what is closed in the end.
            look: is called now and then while it goes on.
        """
        with stack:
            doing = asyncio.get_running_loop().run_in_executor(None, self._do)
            try:
                while not doing.done():
                    look()
                    await asyncio.wait({doing}, timeout=REFRESH_S)
            finally:
                self.cancel()
                await asyncio.shield(doing)

    def _do(self) -> None:
        try:
            self.result = self._work(tell=self.lines.append, is_stopped=self._stopped.is_set)
        except SampleUIError as error:
            self.problem = error
        finally:
            self._took, self.is_running = self.seconds, False


class Job(BackgroundWork[RanAgain]):
    """One rerun.

    Attributes:
        plan: what runs.
        done: how many answers there are, as the output says it.
        is_watched: whether its output is on the screen.
        seen: whether a person has seen how it ended.
        ended: set when it has ended, and all that it started.
    """

    def __init__(self, plan: Prepared, fail_under: float | None) -> None:
        super().__init__(partial(run_again, plan, fail_under, finished=self._count))
        self.plan = plan
        self.done = 0
        self.is_watched = self.seen = False
        self.ended = asyncio.Event()

    @property
    def words(self) -> str:
        """How far it is, or how long it took."""
        if not self.is_running:
            return super().words
        ending = " · being cancelled" if self._stopped.is_set() else ""
        return f"{min(self.done, self.plan.answers):,} of {self.plan.answers:,} · {super().words}{ending}"

    def _count(self, done: int) -> None:
        self.done = done


RERUN: Registry[ReviewScreen] = Registry()


def a_record_in_the_run(screen: ReviewScreen) -> str:
    """Need a record whose sample could be run again, or a rerun to watch."""
    return "" if screen.job is not None else to_decide(screen)


@RERUN.command("rerun.run", "ctrl+r", "Run again", group="Fix", bar=7, needs=a_record_in_the_run)
async def rerun(screen: ReviewScreen) -> None:
    """Run the sample of the record again, or those of the marked ones, with the tool of the run; or watch that."""
    job = screen.job
    if job is not None and (job.is_running or not job.seen):
        await _watch(screen, job)
    elif (asked := await _asked(screen)) is not None and (job := await _planned(screen, *asked)) is not None:
        screen.job = job
        for deck in screen.review.decks:
            if deck.session.unsaved:
                screen.warn(f"{deck.deck.path.name} is run as it is saved, without what is not")
        await _watch(screen, job)


async def _watch(screen: ReviewScreen, job: Job) -> None:
    """Show the output of the rerun, and how it ended; do what its keys ask for."""
    box = RunBox(job, screen.review.options.fail_under, screen.verdict_bar.keys)
    job.is_watched = True
    try:
        answer = await screen.answer_to(box)
    finally:
        job.is_watched = False
    job.seen = box.shows_end
    if not job.is_running and not job.seen:  # it ended as the box was closed
        _tell_end(screen, job)
    if answer == "cancel":
        job.cancel()
    elif answer == "open" and job.result is not None:
        await _open(screen, job.result)
    elif answer:
        _go_to(screen, job)
        screen.run_command(screen.registry[answer])


async def _open(screen: ReviewScreen, ran: RanAgain) -> None:
    """Open the new answers as a run; where they are in several folders, one is chosen."""
    names = {
        f"{number} · {_answered(ran, folder, screen.review.options.fail_under)}": folder
        for number, folder in enumerate(ran.kept, 1)
    }
    picked = await asking.pick(screen, "Open which answers", [*names]) if len(names) > 1 else next(iter(names), "")
    if picked:
        first = next(_answers_in(ran, names[picked]), None)
        open_run(screen, names[picked], "" if first is None else first[1].id)


def _go_to(screen: ReviewScreen, job: Job) -> None:
    """Move the cursor, or the marks, to what was run again: who watched may have gone on meanwhile."""
    review = screen.review
    found = [review.results.find(item.record.id) for item in job.plan.asked]
    indexes = [entry.index for entry in found if entry is not None]
    state = review.state.marking(indexes if len(indexes) > 1 else ())
    goes = indexes and state.record not in indexes
    screen.go(state.at(indexes[0]) if goes else state)


async def may_leave(screen: ReviewScreen) -> bool:
    """Ask about a rerun that goes on before the screen is left; tell whether it may be."""
    job = screen.job
    if job is None or not job.is_running:
        return True
    asked = f"Samples are being run again: {job.words}."
    if await asking.confirm(screen, asked, {"c": "Cancel that, and leave"}, "Stay", safe=True) != "c":
        return False
    job.cancel()
    await job.ended.wait()
    return True


async def _asked(screen: ReviewScreen) -> tuple[int, str] | None:
    """Ask how often, and with runners of the user's own by which (`3 NAME`); None for not at all.

    Where recorded answers are to be graded again, nothing is run: that is no time.
    """
    chosen = len({(entry.case, entry.target) for entry in _chosen(screen)})
    runners = [*screen.settings.runners]
    what = "this sample" if chosen == 1 else f"{chosen:,} samples"
    also = f" Behind that a runner: {one_line(', '.join(runners), 40)}" if runners else ""
    how_often = f"Run {what} again: how often? g grades the recorded answers.{also}"
    written = (await asking.ask(screen, how_often, "1")).strip()
    if not written:
        return None
    if written == "g":
        return _GRADES, ""
    times, _, runner = ("1", "", written) if written in runners else written.partition(" ")
    if not (times.isascii() and times.isdecimal() and 1 <= int(times[:9]) <= MAX_RERUNS_AT_ONCE):
        screen.refuse(f"how often is a number from 1 to {MAX_RERUNS_AT_ONCE:,}")
        return None
    return int(times), runner.strip()


def _chosen(screen: ReviewScreen) -> list[Entry]:
    """Return the marked records, or the current one."""
    queue, state = screen.review.queue, screen.review.state
    indexes = state.marked or ([] if state.record is None else [state.record])
    return [queue.items[index].entry for index in indexes]


async def _planned(screen: ReviewScreen, times: int, runner: str) -> Job | None:
    """Plan a rerun, have it agreed to and start it; None if it is not, with the reason said."""
    review, settings, records = screen.review, screen.settings, _chosen(screen)

    def plan_of(out: Path) -> Prepared:
        decks = decks_of_run(review.results, [known.deck.path for known in review.decks], settings)
        grades = times == _GRADES
        return prepared(
            review.results, records, decks, out, settings, times=max(times, 1), runner=runner, grades=grades
        )

    try:
        with ExitStack() as stack:
            plan = await asyncio.to_thread(plan_of, stack.enter_context(temporary_folder("sampleui-rerun-")))
            for record_id, why in plan.refused:
                screen.warn(f"{one_line(record_id, 40)} cannot be run again: {why}")
            if plan.calls and (plan.project in TRUSTED or await _is_agreed_to(screen, plan)):
                job = Job(plan, review.options.fail_under)
                screen.run_worker(_follow(screen, job, stack.pop_all()), group="rerun")
                return job
    except (SampleUIError, OSError) as error:
        problem = error if isinstance(error, SampleUIError) else SampleUIError(error.strerror or str(error))
        screen.complain(problem)
    return None


async def _is_agreed_to(screen: ReviewScreen, plan: Prepared) -> bool:
    box = Scrolled[str](
        "Run this?",
        lambda width: [*_shown_rows(plan.calls, width)],
        {"y": "y", "a": "a", "escape": ""},
        (Hint("y", "Until you leave"), Hint("a", "Always"), *READING, Hint("escape", "Do not")),
    )
    answer = await screen.answer_to(box)
    if answer:
        TRUSTED.add(plan.project, always=answer == "a")
    return bool(answer)


async def _follow(screen: ReviewScreen, job: Job, stack: ExitStack) -> None:
    """Wait for a rerun, and show in the title how far it is."""
    try:
        await job.follow(stack, screen.show_state)
    finally:
        job.ended.set()
    screen.show_state()
    if not job.is_watched:
        _tell_end(screen, job)


def _tell_end(screen: ReviewScreen, job: Job) -> None:
    """Say how a rerun ended that nobody watched to its end."""
    fail_under = screen.review.options.fail_under
    if job.problem is not None:
        screen.complain(job.problem)
    elif job.result is not None:
        shows = "answered" if job.result.kept else "printed"
        message = f"{job.result.words(fail_under)}; {screen.key_of('rerun.run')} shows what was {shows}"
        all_pass = all(item.passes(fail_under) for item in job.result.reruns)
        (screen.say if all_pass else screen.warn)(message)


class OutputBox(Scrolled[str]):
    """The output of some work while it goes on, and after.

    Attributes:
        shows_end: whether it shows how the work ended.
    """

    hints: ClassVar[Sequence[Hint]] = (Hint("escape", "Go on reviewing"), Hint("c", "Cancel it"), *READING)
    answers: ClassVar[Mapping[str, str]] = {"escape": "", "c": "cancel", "ctrl+r": "cancel"}

    def __init__(self, title: str, work: BackgroundWork[Any]) -> None:
        super().__init__(title, self._output, self.answers)
        self._title, self._work = title, work
        self.shows_end = False

    def on_mount(self) -> None:
        """Show what there is, and go on to do so."""
        self.set_interval(REFRESH_S, self._look)
        self._look()

    def _output(self, width: int) -> Sequence[Row]:
        return [row for line in [*self._work.lines] for row in text_rows(line, "text", width)] or [_EMPTY]

    def show_outcome(self) -> None:
        """Show that the work has ended: its keys, and what else there is to show."""
        self._answers = {"escape": "", "enter": ""}
        self.footer.show([Hint("escape", "Close"), *READING])

    def _look(self) -> None:
        if self.shows_end:
            return
        work = self._work
        self.shows_end = not work.is_running
        self.frame.border_title = Content(f"{self._title} · {work.words}")
        at_end = self.view.scroll_y >= self.view.max_scroll_y - 1
        self.view.show(self._output)
        if at_end:
            self.view.jump(last=True)
        if self.shows_end:
            self.show_outcome()


class RunBox(OutputBox):
    """The output of a rerun while it goes on, then its answers beside the old ones."""

    def __init__(self, job: Job, fail_under: float | None, keys: VerdictKeys) -> None:
        super().__init__("Run again", job)
        self._job, self._fail_under = job, fail_under
        self._keys = {key: verdict for verdict, key in keys.items() if key.isalnum()}

    def show_outcome(self) -> None:
        """Show the answers, and let a key decide the record or go on."""
        job = self._job
        hints = [Hint("escape", "Close"), Hint("]", "Next record")]
        verdicts = {key: f"verdict.{verdict}" for key, verdict in self._keys.items()}
        self._answers = {"escape": "", "right_square_bracket": "review.next", **verdicts}
        if job.result is not None and job.result.kept:
            self._answers = {**self._answers, "o": "open"}
            hints.append(Hint("o", "Open as a run"))
        records, samples = len(job.plan.asked), job.plan.samples
        which = "" if records == 1 else f" all {records:,}" if records == samples else f" all {records:,} records"
        usual = [*self._keys] == [*USUAL_KEYS.values()]
        keys = f"1-{len(Verdict)}" if usual else " ".join(self._keys)
        self.footer.show([Hint(keys, f"Decide{which}"), *hints, *READING])
        brackets = not has_colours(self.app)
        self.rows = lambda width: [*_end_rows(job, self._fail_under, Room(width, brackets=brackets))]
        self.view.show(self.rows, keep=False)


_HOLDS = (
    "Agreed to, this holds for that folder until you leave sampleui, or always, also when what it holds changes "
    "(another branch)."
)


def _shown_rows(calls: Sequence[ShownCall], width: int) -> Iterator[Row]:
    """Yield what is asked before calls are made."""
    warning, *known = question(calls)
    for line in (warning, _HOLDS):
        yield from text_rows(line, "warning", width)
    for line in known:
        name, colon, rest = line.partition(": ")
        yield from (
            named_text(f"{name[0].upper()}{name[1:]}", rest, width, "")
            if colon
            else text_rows(line, "warning", width)
        )


def _answers_in(ran: RanAgain, folder: Path) -> Iterator[tuple[Record, Record]]:
    """Yield the records of which a folder has new answers, each with such an answer."""
    for rerun in ran.reruns:
        yield from ((rerun.asked.record, answer.record) for answer in rerun.answers if answer.kept == folder)


def _answered(ran: RanAgain, folder: Path, fail_under: float | None) -> str:
    """Return what the answers in a folder are, in a line."""
    outcomes = (f"{one_line(old.id, 40)} {outcome_of(new, fail_under)}" for old, new in _answers_in(ran, folder))
    return ", ".join(outcomes) or "matched to no record"


def _end_rows(job: Job, fail_under: float | None, room: Room) -> Iterator[Row]:
    if job.problem is not None:
        yield from text_rows(str(job.problem), "error", room.width)
    if job.result is None:
        return
    if len(job.result.reruns) > 1:
        yield from text_rows(job.result.words(fail_under), "text", room.width)
        yield _EMPTY
    for rerun in job.result.reruns:
        yield from _rerun_rows(rerun, fail_under, room, alone=len(job.result.reruns) == 1)
        yield _EMPTY
    for folder in job.result.kept:
        yield from text_rows(f"kept in {folder}", "faint", room.width)
    if any(rerun.why for rerun in job.result.reruns):
        for end in job.result.ends:
            yield from text_rows(f"the program: {end.words}", "muted", room.width)
            for line in end.lines:
                yield from text_rows(line, "muted", room.width, "  ")


def _rerun_rows(rerun: Rerun, fail_under: float | None, room: Room, *, alone: bool) -> Iterator[Row]:
    """Yield what became of one record: how many pass, what changed, and each answer beside the old one."""
    old = rerun.asked.record
    passing = rerun.passed(fail_under)
    style = "warning-bold" if rerun.why else "added" if passing == len(rerun.answers) else "error-bold"
    words = f"{one_line(old.id, 60)}: {rerun.words(fail_under)}"
    yield from text_rows(f"{words}; before: {rerun.before_words(fail_under)}", style, room.width)
    for change in rerun.changes:
        yield from text_rows(f"~ {change}", "warning", room.width)
    if 0 < passing < len(rerun.answers):
        decides = (
            f": {key_named('verdict.flaky', Verdict.FLAKY.key)} decides {Verdict.FLAKY}" if alone else ""
        )  # where there are others, it would decide them too
        yield from text_rows(f"the attempts differ{decides}", "warning", room.width)
    for number, answer in enumerate(rerun.answers, 1):
        yield _EMPTY
        yield from _answer_rows(f"{number}", old, answer.record, fail_under, room)


def _answer_rows(name: str, old: Record, new: Record, fail_under: float | None, room: Room) -> Iterator[Row]:
    outcome = outcome_of(new, fail_under)
    score = "" if new.score is None else f" · score {new.score:g}"
    took = f" · {measured}" if (measured := measures(new)) else ""
    before = "" if old.score is None else f" (before: {old.score:g})"
    yield ((OUTCOME_STYLES[outcome], f"{SIGNS[outcome]} {name} {outcome}"), ("muted", f"{score}{before}{took}"))
    for why in why_failed(new, fail_under):
        yield from text_rows(why, "error", room.width, "  ")
    if new.unanswered or old.unanswered:
        yield from named_text("Before", old.actual, room.width, old.unanswered)
        yield from named_text("Now", new.actual, room.width, new.unanswered)
    else:
        yield from compared("Before", old.actual, new.actual, room)


# Commands of the user's own


if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

TIMEOUT_S = 3600.0
"""Seconds after which a command is ended that does not end by itself."""


class OwnWork(BackgroundWork[Ended]):
    """A command of the user's own as it runs."""

    @property
    def words(self) -> str:
        """How long it has taken, or how it ended."""
        ended = self.result
        if ended is None:
            return super().words
        if ended.end is End.ENDED:
            return f"ended with exit code {ended.status} after {ended.seconds:.0f} s"
        return ended.why or str(ended.end)

    @property
    def succeeded(self) -> bool:
        """Tell whether it has ended by itself, and says that all went well."""
        return self.result is not None and self.result.end is End.ENDED and self.result.status == 0


def own_commands(commands: Mapping[str, OwnCommand]) -> Iterator[Command[ReviewScreen]]:
    """Yield the commands of the settings as those of a review."""
    for key, command in commands.items():
        help_line = f"Run {' '.join(command.arguments)}"
        yield Command(
            f"own.{key}",
            (key,),
            command.title,
            help_line,
            "Own",
            frozenset(),
            30,
            False,
            partial(_run, command),
            a_record,
        )


async def _run(command: OwnCommand, screen: ReviewScreen) -> None:
    """Start a command on the current record, and show its output until it is cancelled or has ended."""
    with ExitStack() as stack:
        out = stack.enter_context(temporary_folder("sampleui-own-"))
        values = _values(screen, out)
        arguments = [filled(argument, values) for argument in command.arguments]
        folder = screen.review.results.base_dir
        job = OwnWork(partial(run, arguments, folder, os.environ, out, seconds=TIMEOUT_S))
        screen.run_worker(_followed(command, screen, job, stack.pop_all()))
    if command.show and await screen.answer_to(OwnBox(command.title, job)) == "cancel":
        job.cancel()


async def _followed(command: OwnCommand, screen: ReviewScreen, job: OwnWork, stack: ExitStack) -> None:
    """Wait for a command, and say how it ended."""
    await job.follow(stack)
    tell = screen.say if job.succeeded else screen.warn
    tell(f"{command.title}: {job.words}")


class OwnBox(OutputBox):
    """The output of a command of the user's own, which ends when it is left."""

    hints: ClassVar[Sequence[Hint]] = (Hint("escape", "Cancel it"), *READING)
    answers: ClassVar[Mapping[str, str]] = {"escape": "cancel", "c": "cancel"}


def _values(screen: ReviewScreen, out: Path) -> dict[str, str]:
    """Return the values to fill in; those that are not known of the record are missing."""
    review = screen.review
    entry = review.item.entry
    deck = review.deck
    known = {"id": entry.sample_id, "results": str(review.results.path.absolute()), "out": str(out), "n": "1"}
    known |= {"target": entry.target} if entry.target is not None else {}
    return known | ({"deck": str(deck.deck.path.absolute())} if deck is not None else {})
