"""Samples run again: planned, shown, started once that is agreed to, and their answers joined with the records.

Nothing is started by `prepared`. `run_again` starts what was prepared, in the thread that calls it, and only if all
that was shown of it is still so. What counts is what was written: exactly as many answers of each record as were
asked for, and nothing else, or none of them is joined. Exit codes decide nothing.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError, SampleUIError, results_errors
from sampleui.integrations.index import NOBODYS, entries, integration
from sampleui.integrations.integration import Reruns
from sampleui.review.attempts import Attempts, attempts_of
from sampleui.review.record import Entry, Record, outcome_of, passed
from sampleui.review.results.adapters import owner_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.rerun_files import RERUN, KeptRerun, Repeated
from sampleui.review.results.run_paths import own_index
from sampleui.review.verdict import now
from sampleui.runs.decks import FoundDecks
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.joining import changes_of, kept_below
from sampleui.runs.rerun.own import own_reruns
from sampleui.runs.rerun.process import End, Ended, run
from sampleui.runs.rerun.program import NotFound, is_supported
from sampleui.runs.rerun.trust import ShownCall, project_of, shown
from sampleui.settings.options import Settings
from sampleui.text.confined import below, is_file, is_folder, is_link
from sampleui.text.limits import MAX_RERUN_BYTES
from sampleui.text.replacing import make_own_folder, write_folder, write_new
from sampleui.text.wording import counted

CANCELLED = "cancelled"


class Prepared(NamedTuple):
    """What would be run.

    Attributes:
        results: the run.
        asked: the records, those of one key behind each other.
        calls: the calls as they are shown, in their order.
        refused: the records that cannot be run again, by their ids, each with the reason in words.
        project: the folder that has to be trusted.
        reruns: how the tool reads what is written.
        times: how often each record is run.
        keeps: the folder in which the answers will be kept; None where recorded answers are graded.
    """

    results: Results
    asked: tuple[RerunRequest, ...]
    calls: tuple[ShownCall, ...]
    refused: tuple[tuple[str, str], ...]
    project: Path
    reruns: Reruns
    times: int
    keeps: Path | None

    @property
    def samples(self) -> int:
        """How many samples are run, each once for a target."""
        return len({item.key for item in self.asked})

    @property
    def answers(self) -> int:
        """How many answers there will be."""
        return sum(shown.call.times * len(shown.call.keys) for shown in self.calls)


class NewAnswer(NamedTuple):
    """An answer of a rerun, and the folder in which it is kept; None for a recorded one that was graded."""

    record: Record
    kept: Path | None


class Rerun(NamedTuple):
    """A target's sample, and what its rerun answered, however often the run had asked it.

    Attributes:
        asked: the record, the first of those that were chosen.
        before: how the target's attempts at it came out in the run, if there were several.
        answers: the new answers, as many as were asked for, or none.
        why: why there are none, in words.
        changes: how the sample differs from the one of the record, in words, as far as is known.
    """

    asked: RerunRequest
    before: Attempts | None
    answers: tuple[NewAnswer, ...]
    why: str = ""
    changes: tuple[str, ...] = ()

    def passed(self, fail_under: float | None = None) -> int:
        """Return how many of the new answers passed. One of which nothing says it did not."""
        return sum(1 for answer in self.answers if passed(answer.record, fail_under))

    def passes(self, fail_under: float | None = None) -> bool:
        """Tell whether all of the new answers passed."""
        return 0 < len(self.answers) == self.passed(fail_under)

    def words(self, fail_under: float | None = None) -> str:
        """Return how many of the new answers pass, or why there are none, in words."""
        if self.why:
            return f"not known: {self.why}"
        count = len(self.answers)
        return f"{self.passed(fail_under):,} of {count:,} {'passes' if count == 1 else 'pass'} now"

    def before_words(self, fail_under: float | None = None) -> str:
        """Return how it came out in the run, in words."""
        return str(self.before or outcome_of(self.asked.record, fail_under))


class RanAgain(NamedTuple):
    """The outcome of a rerun.

    Attributes:
        reruns: what became of each target's sample, in the order in which they were asked for.
        kept: the folders in which answers are kept.
        ends: how each call ended.
    """

    reruns: tuple[Rerun, ...]
    kept: tuple[Path, ...]
    ends: tuple[Ended, ...]

    def words(self, fail_under: float | None = None) -> str:
        """Return the outcome in one line."""
        if len(self.reruns) == 1:
            return self.reruns[0].words(fail_under)
        whole = [rerun for rerun in self.reruns if not rerun.why]
        passing = sum(rerun.passes(fail_under) for rerun in whole)
        unknown = f", {len(self.reruns) - len(whole):,} not known" if len(whole) < len(self.reruns) else ""
        ended = "cancelled: " if any(rerun.why == CANCELLED for rerun in self.reruns) else ""
        return f"{ended}{passing:,} of {counted(len(self.reruns), 'sample')} pass now{unknown}"


class RerunError(SampleUIError):
    """A rerun cannot be planned at all."""


def runner_names(settings: Settings) -> tuple[str, ...]:
    """Return the names of the user's own runners, and of the tools whose runs can be run again."""
    tools = (entry.name for entry in entries() if integration(entry.name).reruns().plan is not None)
    return tuple(dict.fromkeys((*settings.runners, *tools)))


def reruns_of(results: Results, settings: Settings, runner: str = "") -> Reruns:
    """Return how the tool of a run, or a runner that is named, runs samples again.

    A runner of the user's own that has the name of a tool takes its place.

    Raises:
        RerunError: when none is known for it.
    """
    if runner and runner not in (names := runner_names(settings)):
        raise RerunError(f"there is no runner {runner}; known are {', '.join(names)}")
    row = next(iter(results.first_rows), None)
    name = runner or (None if row is None else owner_of(row)) or NOBODYS
    if name in settings.runners:
        return own_reruns(settings.runners[name])
    reruns = integration(name).reruns()
    if reruns.plan is None:
        hint = (
            f"name one of {', '.join(settings.runners)}"
            if settings.runners
            else "[runners.NAME] of your settings can"
        )
        raise RerunError(f"{results.name}: it is not known how its samples are run again; {hint}")
    return reruns


def prepared(
    results: Results,
    records: Sequence[Entry],
    decks: FoundDecks,
    out: Path,
    settings: Settings,
    *,
    times: int = 1,
    runner: str = "",
    grades: bool = False,
) -> Prepared:
    """Plan a rerun of the samples of records. Nothing is started.

    Args:
        results: the run, indexed.
        records: the records.
        decks: the decks that were run, as they are now.
        out: a new folder of the program's own, which is there until all is read.
        settings: those of the person.
        times: how often each is run.
        runner: the name of the tool that runs them; empty for that of the run.
        grades: whether the recorded answers are graded again, and no model of the deck is asked.

    Raises:
        RerunError: when nothing can be planned at all.
        NoFolderError: where there is no folder that a person could trust.
        ResultsError: when a record cannot be read.
    """
    if not is_supported():
        raise RerunError("samples are run again only where there are groups of processes")
    reruns = reruns_of(results, settings, runner)
    reruns = _for_grading(reruns, results) if grades else reruns
    assert reruns.plan is not None
    asked = tuple(
        RerunRequest(record, reruns.key(record), decks.deck_of(record), decks.sample(record))
        for record in (results.record(entry.index) for entry in records)
    )
    deck = next((item.deck for item in asked if item.deck is not None), None)
    project = project_of(results.base_dir if deck is None else deck.path.parent)
    request = Request((*_first_of_each(asked),), results.path, times, out, project)
    calls: list[ShownCall] = []
    refused: dict[str, str] = {}
    for planned in planned_calls(reruns.plan, request):
        call = planned if isinstance(planned, RerunRefused) else shown(planned, project, settings.rerun_environment)
        if isinstance(call, RerunRefused):
            refused |= dict.fromkeys(call.keys, call.why)
        elif isinstance(call, NotFound):
            refused |= dict.fromkeys(planned.keys, call.why)
        else:
            calls.append(call)
    refusals = tuple((item.record.id, refused[item.key]) for item in _first_of_each(asked) if item.key in refused)
    going = tuple(item for item in asked if item.key not in refused)
    still = {item.key for item in going}
    wanted = tuple(call for call in calls if not still.isdisjoint(call.call.keys))
    keeps = None if grades else kept_below(results, settings)
    return Prepared(results, going, wanted, refusals, project, reruns, times, keeps)


def _for_grading(reruns: Reruns, results: Results) -> Reruns:
    """Return how a tool grades recorded answers, in the place of how it runs samples."""
    if reruns.grade is None:
        raise RerunError(f"{results.name}: its tool has no way to grade recorded answers, so it is not known")
    key = reruns.graded_key or (lambda record: f"{reruns.key(record)} {record.attempt}")
    return reruns._replace(plan=reruns.grade, key=key)


def planned_calls(
    plan: Callable[[Request], Iterable[ProgramCall | RerunRefused]], request: Request
) -> Iterator[ProgramCall | RerunRefused]:
    """Yield what is planned of a request; where nothing of it can be run again, why."""
    try:
        yield from plan(request)
    except ResultsError as error:
        yield RerunRefused([item.key for item in request.asked], error.message)


def _first_of_each(asked: Iterable[RerunRequest]) -> Iterable[RerunRequest]:
    """Return the first request of each key."""
    first: dict[str, RerunRequest] = {}
    for item in asked:
        first.setdefault(item.key, item)
    return first.values()


def run_again(
    plan: Prepared,
    fail_under: float | None = None,
    *,
    tell: Callable[[str], None] = lambda _: None,
    finished: Callable[[int], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    keeping: Callable[[], None] = lambda: None,
) -> RanAgain:
    """Make the calls that were prepared and agreed to, one after another, and join what they answered.

    Args:
        plan: the calls.
        fail_under: the score from which an answer passes.
        tell: is given each line of output, made visible.
        finished: is given how many answers there are so far, as the output says it.
        is_stopped: is asked often; once it says so all is cancelled, and what was answered is not joined.
        keeping: is called once nothing runs any more, before the first answer is kept.

    Raises:
        ResultsError: when the answers cannot be kept.
    """
    made = [*_made(plan, tell, finished, is_stopped)]
    # What is wrong with one call of several is so for all answers to its samples: all of them count, or none.
    problems = {key: CANCELLED for before in plan.calls[len(made) :] for key in before.call.keys}
    problems |= {key: call.problem for call in made if call.problem for key in call.shown.call.keys}
    problems |= {} if plan.keeps is not None else _ungraded(plan, made)
    answers = defaultdict[str, list[_Answer]](list)
    for call in made:
        for record in call.answers:
            if (key := plan.reruns.key(record)) not in problems:
                answers[key].append(_Answer(record, call.number))
    changes = {
        item.record.id: changes_of(item, [answer.record for answer in answers[item.key]], plan.results.base_dir)
        for item in plan.asked
    }
    keeping()
    kept = dict[int, Path]()
    if plan.keeps is not None:
        worth = [call for call in made if call.is_kept(problems)]
        kept = {call.number: _keep(plan, call, answers, problems, changes) for call in worth}
    attempts = {} if plan.keeps is None else attempts_of(plan.results.counted, fail_under)
    reruns = tuple(
        Rerun(
            item,
            None if (entry := plan.results.find(item.record.id)) is None else attempts.get(entry.index),
            tuple(NewAnswer(answer.record, kept.get(answer.call)) for answer in answers[item.key]),
            problems.get(item.key, ""),
            changes[item.record.id],
        )
        for item in _first_of_each(plan.asked)
    )
    return RanAgain(reruns, tuple(kept.values()), tuple(call.ended for call in made))


class _Answer(NamedTuple):
    """An answer that counts, and the number of the call that gave it."""

    record: Record
    call: int


def _made(
    plan: Prepared, tell: Callable[[str], None], finished: Callable[[int], None], is_stopped: Callable[[], bool]
) -> Iterator[_FinishedCall]:
    """Make the calls until one is cancelled, and yield each with what it wrote."""
    done = 0

    def heard(line: str) -> None:
        if (count := plan.reruns.finished(line)) is not None:
            finished(done + count)
        tell(line)

    for number, before in enumerate(plan.calls, 1):
        if is_stopped():
            return
        ended, problem = called(before, heard, is_stopped)
        paths = () if problem else tuple(plan.reruns.answers(before.call.out))
        answers, problem = ((), problem) if problem else _read(paths, before.call, plan)
        yield _FinishedCall(number, before, ended, paths, tuple(answers), problem)
        done += before.call.times * len(before.call.keys)
        finished(done)
        if ended.end is End.CANCELLED:
            return


def _ungraded(plan: Prepared, made: Iterable[_FinishedCall]) -> dict[str, str]:
    """Return why recorded answers are not known to be graded: they failed, or came to their graders as others."""
    given = {item.key: item.record for item in plan.asked}
    found: dict[str, str] = {}
    for record in (record for call in made for record in call.answers):
        key = plan.reruns.key(record)
        if record.error is not None:
            found[key] = record.error.partition("\n")[0]
        elif record.actual != given[key].actual:
            found[key] = "the answer was changed before it was graded, as by a transform"
    return found


class _FinishedCall(NamedTuple):
    """A call that was made: the records in the files of results that it wrote, and why they cannot be joined."""

    number: int
    shown: ShownCall
    ended: Ended
    paths: tuple[Path, ...]
    answers: tuple[Record, ...]
    problem: str

    def is_kept(self, problems: Mapping[str, str]) -> bool:
        """Tell whether it answered anything that was not cancelled."""
        return bool(self.answers) and any(problems.get(key) != CANCELLED for key in self.shown.call.keys)


def called(
    before: ShownCall,
    heard: Callable[[str], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> tuple[Ended, str]:
    """Make a call if all that was shown of it is still so.

    Args:
        before: the call, as it was shown and agreed to.
        heard: is given each line of output, made visible.
        is_stopped: is asked often; once it says so the call is cancelled.

    Returns:
        How it ended, and in words why what it wrote cannot count; "" if it may.
    """
    call = before.call
    if not before.is_unchanged:
        why = "what was shown has changed; nothing was started"
        return Ended(End.NOT_STARTED, None, (), 0.0, why), why
    make_own_folder(call.out)
    for name, data in call.files.items():
        write_new(call.out / name, data)
    ended = run(
        before.arguments,
        call.folder,
        before.environment,
        call.out,
        seconds=call.seconds,
        tell=heard,
        is_stopped=is_stopped,
    )
    match ended.end:
        case End.ENDED:
            return ended, ""
        case End.CANCELLED:
            return ended, CANCELLED
        case End.NOT_STARTED:
            return ended, ended.why
        case End.TOO_LONG:
            return ended, f"it took longer than {call.seconds:g} seconds and was ended"
        case End.TOO_MUCH:
            return ended, f"it wrote more than {MAX_RERUN_BYTES:,} bytes and was ended"


def _read(paths: Iterable[Path], call: ProgramCall, plan: Prepared) -> tuple[list[Record], str]:
    """Return the records that a call wrote, and why they cannot be joined; "" if they can."""
    wanted = Counter(dict.fromkeys(call.keys, call.times))
    records: list[Record] = []
    for path in paths:
        try:
            new = open_results(path, scorer=plan.results.scorer).indexed()
            records += [new.record(entry.index) for entry in new.entries]
        except ResultsError as error:
            return [], f"what it wrote cannot be read: {error.message}"
    if plan.keeps is None:  # a tool may grade the whole run
        records = [record for record in records if plan.reruns.key(record) in wanted]
    found = Counter(map(plan.reruns.key, records))
    for key in call.also:
        found[key] = max(0, found[key] - call.times)
    if +found == wanted:
        return records, ""
    right = sum(found[key] for key in wanted)
    others = found.total() - right
    also = f", and {counted(others, 'answer')} to something else" if others else ""
    uneven = ", but not as many of each" if right == wanted.total() and not others else ""
    return records, f"asked for {wanted.total():,}, found {right:,}{also}{uneven}"


def _keep(
    plan: Prepared,
    made: _FinishedCall,
    answers: Mapping[str, Sequence[_Answer]],
    problems: Mapping[str, str],
    changes: Mapping[str, tuple[str, ...]],
) -> Path:
    """Write what a call answered into a new folder beside the run, and return that."""
    assert plan.keeps is not None
    keys = made.shown.call.keys
    kept = KeptRerun(
        run=plan.results.name,
        time=now(),
        answers=tuple(
            found.name for path in made.paths if (found := own_index(path) if is_folder(path) else path) is not None
        ),
        arguments=made.shown.arguments,
        problem=next((problems[key] for key in keys if key in problems), ""),
        records=tuple(
            Repeated(
                item.record.id,
                item.record.digest,
                tuple(answer.record.id for answer in answers[item.key] if answer.call == made.number),
                changes[item.record.id],
            )
            for item in plan.asked
            if item.key in keys
        ),
    )
    text = json.dumps(asdict(kept), indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    target = plan.keeps / f"{_file_time(kept.time)}-{made.number}"
    with results_errors(target, "the answers cannot be kept: "):
        files = dict(_files((*made.paths, *plan.reruns.along(made.shown.call.out))))
        write_folder(target, {RERUN: text}, files, trusted=plan.keeps.parent)
    return target


def _file_time(time: str) -> str:
    """Return a time as names of files have it: `20261127T112233-123Z`."""
    seconds, _, fraction = time.removesuffix("Z").partition(".")
    return f"{seconds.replace('-', '').replace(':', '')}-{fraction[:3]}Z"


def _files(paths: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Yield the files of results, each with its path in the folder that they are kept in; links are left out."""
    for path in paths:
        if not is_folder(path):
            yield path.name, path
            continue
        for base, _, names in below(path):
            files = (base / name for name in sorted(names))
            yield from (
                (str(file.relative_to(path)), file) for file in files if is_file(file) and not is_link(file)
            )
