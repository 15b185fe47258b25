"""What the recorded cases of this room look at."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from sampleui.errors import ResultsError
from sampleui.review import session
from sampleui.review.attempts import attempts_of, cases_of
from sampleui.review.baseline import compare, counts
from sampleui.review.filters import Filters, choices_of
from sampleui.review.log.store import Log, line_of, log_path, open_log
from sampleui.review.log.verdict_migration import carry_over, values_digest
from sampleui.review.queue import Order, Queue, items_of
from sampleui.review.record import Entry, failed, failing_evaluators, in_short, why_failed
from sampleui.review.reports.data import as_data
from sampleui.review.reports.export import Reviewed, export, score_edits
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.report import Report, report_of
from sampleui.review.reports.text import as_markdown, as_text
from sampleui.review.results import run_paths
from sampleui.review.results.adapter_selection import shipped_for
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.requests import graders_given, sent
from sampleui.review.samples.diffwords import diff_words
from sampleui.review.samples.expectation import expectation, taking
from sampleui.review.verdict import Decision, Kind, Verdict, sample_digest
from sampleui.runs.decks import FoundDecks, given_decks
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.model import Sample
from sampleui.settings.options import PROJECT_FILE, Settings
from sampleui.text.terms import terms_of
from tests.review.build import decided

_MADE_NOW = re.compile(r'"(?:id|time|undoes)": "[^"]*"(?:, )?')


@dataclasses.dataclass(frozen=True)
class Case:
    """The folder of a case, and what is asked of it."""

    folder: Path
    given: dict[str, Any]

    @cached_property
    def results(self) -> Results:
        """The results, indexed."""
        return self.opened(self.given["open"])

    @cached_property
    def log(self) -> Log:
        """The decisions about them, with those of other runs."""
        log = open_log(log_path(self.results.path))
        carry_over(self.results, log)
        return log

    @cached_property
    def decks(self) -> FoundDecks:
        """The deck that was run, if there is one."""
        paths = [self.folder / self.given["deck"]] if "deck" in self.given else []
        return given_decks(paths, Settings(), otherwise=self.results.deck_dialect)

    def opened(self, path: str) -> Results:
        """Return results, read by the dialects of the folder's own settings."""
        return open_results(self.folder / path, self.own).indexed()

    @property
    def own(self) -> tuple[()] | None:
        """The result dialects to go by: none, or those of the folder's settings (None)."""
        return None if PROJECT_FILE in self.given["files"] else ()

    def sample(self, entry: Entry) -> Sample | None:
        """Return the sample of a record."""
        return self.decks.sample(entry)

    def sample_hash(self, entry: Entry) -> str | None:
        """Return what stands for the sample of a record."""
        sample = self.sample(entry)
        return None if sample is None else sample_digest(sample.data)

    @property
    def under(self) -> float | None:
        """The score under which records fail."""
        return self.given.get("under")


def _file(case: Case) -> object:
    """Show what a file is taken for, and its entries, indexed in small batches, and once more."""
    results = open_results(case.folder / case.given["open"], case.own)
    progress = [*results.index(2), *results.index()]
    about = ("tool", "deck_dialect", "by_table", "container", "ended", "chosen", "name", "skipped", "superseded")
    guess = results.guess and [results.guess.remark, results.guess.text]
    notes = [f"{one.line}:{one.column} {one.rule}: {one.message}" for one in results.diagnostics]
    shipped = [shipped_for(row) for row in results.first_rows]
    steps = [[one.done, one.size, one.records] for one in progress]
    return [{key: getattr(results, key) for key in about}, guess, notes, steps, shipped, results.entries]


def _records(case: Case) -> object:
    return [_without_data(case.results.record(entry.index)) for entry in case.results.entries]


def _data(case: Case) -> object:
    return [case.results.record(entry.index).data for entry in case.results.entries]


def _tries(case: Case) -> object:
    return [[_without_data(one) for one in case.results.tries(entry.index)] for entry in case.results.entries]


def _without_data(record: Any) -> object:
    return dataclasses.replace(record, data={})


def _sent(case: Case) -> object:
    records = [case.results.record(entry.index) for entry in case.results.entries]
    return [[sent(record.data), graders_given(record.data)] for record in records]


def _failing(case: Case) -> object:
    telling = (failed, failing_evaluators, why_failed, in_short)
    return [[tell(entry, case.under) for tell in telling] for entry in case.results.entries]


def _found(case: Case) -> object:
    return [[*case.results.search(words, 2)] for words in case.given["words"]] + [
        (entry := case.results.find(name)) and entry.index for name in case.given.get("ids", ())
    ]


def _queue(case: Case) -> object:
    """Show which records a queue has, in which order, and where steps lead; after a decision once more."""
    results, log = case.results, case.log
    items = items_of(results.entries, log.current, case.sample_hash, case.under)
    filters = _filters(case)
    queue = Queue(filters=filters, order=Order(case.given.get("order", "score")))
    hidden = frozenset(results.superseded) if case.given.get("hidden") else frozenset()
    queue = queue.with_items(items[:2]).with_items(items[2:], hidden).shown()
    shown = [items, choices_of(items), _steps(queue), filters.by_decision, filters.marked]
    for at, verdict in case.given.get("decide", ()):
        made = Decision(reviewer="ann", record=items[at].entry.digest, record_id="", sample="", sample_hash="x")
        made = dataclasses.replace(made, verdict=verdict and Verdict(verdict), kind=Kind.ADJUDICATE)
        queue = decided(queue, made.record, made if verdict else None, case.given.get("hash"))
        shown += [queue.items[at], _steps(queue)]
        queue = queue.revised(partial(_is_of, at), partial(_made, made if verdict else None), lambda _: "y")
        shown += [queue.items[at], _steps(queue)]
    return shown


def _is_of(at: int, entry: Entry) -> bool:
    return entry.index == at


def _made(decision: Decision | None, _: str) -> Decision | None:
    return decision


def _filters(case: Case) -> Filters:
    given = dict(case.given.get("filters", {}))
    if "verdict" in given:
        given["verdict"] = Verdict(given["verdict"])
    for key in ("only", "found"):
        if key in given:
            given[key] = frozenset(given[key])
    return Filters(**given, terms=terms_of(case.given.get("terms", "")))


def _steps(queue: Queue) -> object:
    ends = [queue.step(None), queue.step(None, -1), queue.next_unreviewed(None)]
    places = range(len(queue.items))
    steps = [[queue.step(at), queue.step(at, -2), queue.next_unreviewed(at)] for at in places]
    return [queue.visible, ends, steps, queue.progress()]


def _report(case: Case) -> object:
    form: Callable[[Report], object] = _FORMS[case.given["form"]]
    return form(report_of(case.results, case.log, Question(fail_under=case.under)))


def _grouped(case: Case) -> object:
    entries = case.results.entries
    return [[*attempts_of(entries, case.under).items()], [*cases_of(entries).items()]]


def _compared(case: Case) -> object:
    compared = compare(case.results.counted, case.opened(case.given["with"]).counted, case.under)
    shown = [[one.id, one.trend, one.delta, [[str(it), it.trend] for it in one.graders]] for one in compared]
    return [shown, [*counts(compared).items()]]


def _exported(case: Case) -> object:
    made = (_decision(case, entry) for entry in case.results.counted)
    reviewed = [
        Reviewed(case.results.record(entry.index), one, case.sample(entry))
        for entry, one in zip(case.results.counted, made, strict=True)
    ]
    return export(reviewed, DIALECTS[case.given["dialect"]], take_actual=case.given.get("take", False))


def _decision(case: Case, entry: Entry) -> Decision:
    record = case.results.record(entry.index)
    return session.decision_about(record, Verdict.OK, "ann", values_digest(record))


def _edits(case: Case) -> object:
    return [*score_edits(case.results, case.log)]


def _joined(case: Case) -> object:
    """Show the sample of each record, what it expects, and the edits that make the answer the expected one."""
    shown: list[object] = []
    for entry in case.results.entries:
        record, sample = case.results.record(entry.index), case.sample(entry)
        answer = case.given.get("answer", record.actual)
        if sample is None:
            shown.append([record.sample_id])
            continue
        wanted = expectation(sample)
        words = wanted and diff_words(wanted.text, answer)
        edits = taking(sample, answer)
        shown.append([record.sample_id, sample.index, case.sample_hash(entry), wanted, edits, words])
    return shown


def _reviewed(case: Case) -> object:
    """Show what is decided about each record, of what is done to the log one by one."""
    results = case.results
    log = open_log(log_path(results.path))
    shown: list[object] = [carry_over(results, log), _log(log, results)]
    for deed, *more in case.given.get("deeds", ()):
        try:
            shown.append(_done(deed, more, case, log))
        except ResultsError as error:
            shown.append({"error": str(error)})
        shown.append(_log(log, results))
    torn = log.path.with_name(f"{log.path.name}.torn")
    texts = (one.read_bytes().decode("utf-8", "backslashreplace") for one in (log.path, torn) if one.exists())
    return [*shown, *(_MADE_NOW.sub("", text) for text in texts)]


def _done(deed: str, more: list[Any], case: Case, log: Log) -> object:
    if deed == "decide":
        name, verdict, who, further = more
        return _without_time(session.decide(case.results, log, name, Verdict(verdict), who, **further))
    if deed == "undo":
        undone = log.undo(more[0])
        return _without_time(undone[0]) if undone else None
    if deed == "next":
        found = session.next_record(case.results, log, more[0], case.under, Order(more[1]))
        return found and found.id
    with log.path.open("ab") as file:
        file.write(more[0].encode("utf-8", "surrogateescape"))
    log.refresh()
    return None


def _without_time(decision: Decision) -> Decision:
    return dataclasses.replace(decision, id="", time="")


def _log(log: Log, results: Results) -> object:
    records = {entry.digest: None for entry in results.entries} | {one.record: None for one in log.decisions}
    return {
        "decisions": [_MADE_NOW.sub("", line_of(one).decode()) for one in log.decisions],
        "standing": sorted((one.record, one.reviewer, str(one.verdict)) for one in log.standing),
        "log": [log.reviewers, log.unreadable, log.flaky, [log.can_undo(who) for who in log.reviewers]],
        "orphans": [one.record for one in log.orphans],
        "records": [[record, *_decided(log, record)] for record in records],
    }


def _decided(log: Log, record: str) -> Iterator[object]:
    for who in (None, *log.reviewers):
        yield _said(log.current(record, who))
        yield [] if who is None else [_said(one) for one in log.seen_by(who, record)]
    yield [_said(one) for one in log.by_reviewer(record).values()]
    yield _said(log.ruling(record))
    yield log.disputed(record)


def _said(one: Decision | None) -> object:
    return one and [one.reviewer, one.verdict, one.kind, one.carried, one.comment]


def _runs(case: Case) -> object:
    """Show what runs there are in a folder, beside it, and below it, and what they are called."""
    path = case.folder / case.given["open"]
    found = run_paths.runs_in(case.folder), run_paths.runs_beside(path), run_paths.latest_of(path)
    names = [[run_paths.run_name(one, case.folder), run_paths.run_name(one, one.parent)] for one in found[0]]
    files = [case.folder / one for one in case.given["files"]]
    about = [[one.name, run_paths.run_of(one), run_paths.base_of(one), log_path(one)] for one in files]
    return [found, names, about, run_paths.own_index(path), _index(path)]


def _index(folder: Path) -> object:
    try:
        return run_paths.index_of(folder)
    except ResultsError as error:
        return str(error)


_FORMS: dict[str, Callable[[Report], object]] = {"data": as_data, "text": as_text, "markdown": as_markdown}
VIEWS: dict[str, Callable[[Case], object]] = {
    "file": _file,
    "records": _records,
    "data": _data,
    "tries": _tries,
    "sent": _sent,
    "failing": _failing,
    "found": _found,
    "queue": _queue,
    "report": _report,
    "grouped": _grouped,
    "compared": _compared,
    "exported": _exported,
    "edits": _edits,
    "joined": _joined,
    "reviewed": _reviewed,
    "runs": _runs,
}
