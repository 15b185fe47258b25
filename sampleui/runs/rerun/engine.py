"""Samples run again: planned, shown, started once that is agreed to, and their answers joined with the records.

Nothing is started by `prepared`. `run_again` starts what was prepared, in the thread that calls it, and only if all
that was shown of it is still so. What counts is what was written: exactly as many answers of each record as were
asked for, and nothing else, or none of them is joined. Exit codes decide nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError, SampleUIError
from sampleui.integrations.index import entries, integration
from sampleui.integrations.integration import Reruns
from sampleui.review.record import Entry, Record, passed
from sampleui.review.results.adapters import owner_of
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.rerun_files import RERUN, KeptRerun, Repeated
from sampleui.review.results.run_paths import own_index
from sampleui.review.verdict import now
from sampleui.runs.decks import FoundDecks
from sampleui.runs.rerun.calls import Asked, Call, Refused, Request
from sampleui.runs.rerun.consent import ShownCall, agreed, is_unchanged, shown
from sampleui.runs.rerun.joining import changes, kept_below
from sampleui.runs.rerun.process import MOST_WRITTEN, End, Ended, run
from sampleui.runs.rerun.program import NotFound, is_supported
from sampleui.settings.options import Settings
from sampleui.text.confined import below, is_file, is_folder, is_link, project_root
from sampleui.text.replacing import make_own_folder, write_folder, write_new
from sampleui.text.wording import counted


class Prepared(NamedTuple):
    """What would be run.

    Attributes:
        results: the run.
        asked: the records, those of one key behind each other.
        calls: the calls as they are shown, in their order.
        refused: the records that cannot be run again, by their ids, each with the reason in words.
        project: the root of the project, for which it is agreed to.
        reruns: how the tool reads what is written.
        times: how often each record is run.
        keeps: the folder in which the answers will be kept.
    """

    results: Results
    asked: tuple[Asked, ...]
    calls: tuple[ShownCall, ...]
    refused: tuple[tuple[str, str], ...]
    project: Path
    reruns: Reruns
    times: int
    keeps: Path

    @property
    def is_agreed(self) -> bool:
        """Whether a person agreed to all of its calls before."""
        known = agreed(self.project)
        return all(call.digest in known for call in self.calls)

    @property
    def answers(self) -> int:
        """How many answers there will be."""
        return sum(shown.call.times * len(shown.call.keys) for shown in self.calls)


class NewAnswer(NamedTuple):
    """An answer of a rerun, and the folder in which it is kept."""

    record: Record
    kept: Path


class Rerun(NamedTuple):
    """A record, and what its rerun answered.

    Attributes:
        asked: the record.
        answers: the new answers, as many as were asked for, or none.
        why: why there are none, in words.
    """

    asked: Asked
    answers: tuple[NewAnswer, ...]
    why: str = ""

    def passed(self, fail_under: float | None = None) -> int:
        """Return how many of the new answers passed. One of which nothing says it did not."""
        return sum(1 for answer in self.answers if passed(answer.record, fail_under))

    @property
    def changes(self) -> tuple[str, ...]:
        """How the sample differs from the one of the record, in words, as far as the two answers say."""
        return changes(self.asked.record, self.answers[0].record) if self.answers else ()


class RanAgain(NamedTuple):
    """What a rerun came to.

    Attributes:
        reruns: what became of each record, in the order in which they were asked for.
        kept: the folders in which answers are kept.
        ends: how each call ended.
    """

    reruns: tuple[Rerun, ...]
    kept: tuple[Path, ...]
    ends: tuple[Ended, ...]


class RerunError(SampleUIError):
    """A rerun cannot be planned at all."""


def runner_names() -> tuple[str, ...]:
    """Return the names of the tools whose runs can be run again."""
    return tuple(entry.name for entry in entries() if integration(entry.name).reruns().plan is not None)


def reruns_of(results: Results, runner: str = "") -> Reruns:
    """Return how the tool of a run, or one that is named, runs samples again.

    Raises:
        RerunError: when no tool is known for it, or that does not run samples again.
    """
    if runner:
        if runner not in runner_names():
            raise RerunError(f"there is no runner {runner}; known are {', '.join(runner_names())}")
        return integration(runner).reruns()
    row = next(iter(results.first_rows), None)
    owner = None if row is None else owner_of(row)
    reruns = Reruns() if owner is None else owner.reruns()
    if reruns.plan is None:
        raise RerunError(f"{results.name}: it is not known how its samples are run again")
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
) -> Prepared:
    """Return what would be run to run the samples of records again. Nothing is started.

    Args:
        results: the run, indexed.
        records: the records.
        decks: the decks that were run, as they are now.
        out: a new folder of the program's own, which is there until all is read.
        settings: those of the person.
        times: how often each is run.
        runner: the name of the tool that runs them; empty for that of the run.

    Raises:
        RerunError: when nothing can be planned at all.
        ResultsError: when a record cannot be read.
    """
    if not is_supported():
        raise RerunError("samples are run again only where there are groups of processes")
    reruns = reruns_of(results, runner)
    assert reruns.plan is not None
    asked = tuple(_asked(results.record(entry.index), decks, reruns) for entry in records)
    by_key = {item.key: item for item in asked}
    deck = next((item.deck for item in asked if item.deck is not None), None)
    project = project_root(results.base_dir if deck is None else deck.path.parent)
    request = Request((*by_key.values(),), results.path, times, out, project)
    calls: list[ShownCall] = []
    refused: dict[str, str] = {}
    for planned in reruns.plan(request):
        call = planned if isinstance(planned, Refused) else shown(planned, project, settings.rerun_environment)
        if isinstance(call, Refused):
            refused |= dict.fromkeys(call.keys, call.why)
        elif isinstance(call, NotFound):
            refused |= dict.fromkeys(planned.keys, call.why)
        else:
            calls.append(call)
    told = tuple((item.record.id, refused[item.key]) for item in asked if item.key in refused)
    going = tuple(item for item in asked if item.key not in refused)
    still = {item.key for item in going}
    wanted = tuple(call for call in calls if not still.isdisjoint(call.call.keys))
    return Prepared(results, going, wanted, told, project, reruns, times, kept_below(results, settings))


def _asked(record: Record, decks: FoundDecks, reruns: Reruns) -> Asked:
    return Asked(record, reruns.key(record), decks.deck_of(record), decks.sample(record))


def run_again(
    plan: Prepared,
    *,
    tell: Callable[[str], None] = lambda _: None,
    finished: Callable[[int], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> RanAgain:
    """Make the calls that were prepared and agreed to, one after another, and join what they answered.

    Args:
        plan: the calls.
        tell: is given each line of output, made visible.
        finished: is given how many answers there are so far, as the output says it.
        is_stopped: is asked often; once it says so all is cancelled, and what was answered is not joined.

    Raises:
        ResultsError: when the answers cannot be kept.
    """
    found: dict[str, list[NewAnswer]] = {}
    problems: dict[str, str] = {}
    kept: list[Path] = []
    ends: list[Ended] = []
    done = 0
    for number, shown_call in enumerate(plan.calls, 1):
        call = shown_call.call
        ended, problem = _called(shown_call, _Heard(plan.reruns.finished, done, tell, finished), is_stopped)
        ends.append(ended)
        if not problem:
            paths = tuple(plan.reruns.answers(call.out))
            answers, problem = _read(paths, call, plan)
            if answers:
                folder = _keep(
                    plan, f"{_file_time(now())}-{number}", paths, _described(plan, shown_call, answers, problem)
                )
                kept.append(folder)
                for record in answers if not problem else ():
                    found.setdefault(plan.reruns.key(record), []).append(NewAnswer(record, folder))
        problems |= {key: problem for key in call.keys if problem and key not in problems}
        done += call.times * len(call.keys)
        if ended.end is End.CANCELLED:
            problems |= {
                item.key: problem for item in plan.asked if item.key not in problems and item.key not in found
            }
            break
    reruns = tuple(
        _joined(item, plan.times, found.get(item.key, ()), problems.get(item.key, "")) for item in plan.asked
    )
    return RanAgain(reruns, tuple(kept), tuple(ends))


def _joined(item: Asked, times: int, answers: Sequence[NewAnswer], problem: str) -> Rerun:
    why = problem or ("" if len(answers) == times else _miscounted(times, len(answers)))
    return Rerun(item, () if why else tuple(answers), why)


def _miscounted(asked: int, found: int) -> str:
    return f"asked for {asked:,}, found {found:,}"


class _Heard:
    """Takes the lines of a call, before which there were some answers already."""

    def __init__(
        self,
        counts: Callable[[str], int | None],
        before: int,
        tell: Callable[[str], None],
        finished: Callable[[int], None],
    ) -> None:
        self._counts, self._before, self._tell, self._finished = counts, before, tell, finished

    def __call__(self, line: str) -> None:
        if (count := self._counts(line)) is not None:
            self._finished(self._before + count)
        self._tell(line)


def _called(before: ShownCall, heard: Callable[[str], None], is_stopped: Callable[[], bool]) -> tuple[Ended, str]:
    """Make a call; return how it ended, and why its answers cannot count; "" if they may."""
    call = before.call
    if not is_unchanged(before):
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
            return ended, "cancelled"
        case End.NOT_STARTED:
            return ended, ended.why
        case End.TOO_LONG:
            return ended, f"it took longer than {call.seconds:g} seconds and was ended"
        case End.TOO_MUCH:
            return ended, f"it wrote more than {MOST_WRITTEN:,} bytes and was ended"


def _read(paths: Iterable[Path], call: Call, plan: Prepared) -> tuple[list[Record], str]:
    """Return the records that a call wrote, and why they cannot be joined; "" if they can."""
    wanted = Counter(dict.fromkeys(call.keys, call.times))
    records: list[Record] = []
    for path in paths:
        try:
            new = open_results(path, scorer=plan.results.scorer).indexed()
            records += [new.record(entry.index) for entry in new.entries]
        except ResultsError as error:
            return [], f"what it wrote cannot be read: {error.message}"
    found = Counter(map(plan.reruns.key, records))
    if found == wanted:
        return records, ""
    right = sum((found & wanted).values())
    others = len(records) - right
    also = f", and {counted(others, 'answer')} to something else" if others else ""
    return records, f"{_miscounted(wanted.total(), right)}{also}"


def _described(plan: Prepared, shown_call: ShownCall, answers: Sequence[Record], problem: str) -> KeptRerun:
    """Return what is kept beside the answers of a call; `answers` of it is empty as yet."""
    by_key: dict[str, list[str]] = {}
    for answer in answers if not problem else ():
        by_key.setdefault(plan.reruns.key(answer), []).append(answer.id)
    records = tuple(
        Repeated(item.record.id, item.record.digest, tuple(by_key.get(item.key, ())))
        for item in plan.asked
        if item.key in shown_call.call.keys
    )
    return KeptRerun(plan.results.name, now(), (), shown_call.arguments, problem, records)


def _keep(plan: Prepared, name: str, paths: Sequence[Path], kept: KeptRerun) -> Path:
    """Write what a call answered into a new folder beside the run, and return that."""
    listed = tuple(found.name for path in paths if (found := _index_of(path)) is not None)
    value = kept._replace(answers=listed).as_data()
    text = json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    target = plan.keeps / name
    try:
        write_folder(target, {RERUN: text}, dict(_files(paths)), trusted=plan.keeps.parent)
    except OSError as error:
        raise ResultsError(f"the answers cannot be kept: {error.strerror or error}", target) from error
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


def _index_of(path: Path) -> Path | None:
    return own_index(path) if is_folder(path) else path
