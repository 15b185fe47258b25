"""A run and its review in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean

from sampleui.formats.data import Plain, Table
from sampleui.review.log.store import Log
from sampleui.review.record import FAIL_UNDER, Entry, failed, failing_evaluators, ungraded
from sampleui.review.reports.calibration import (
    Agreement,
    ReviewerAgreement,
    VerdictTable,
    against_truth,
    against_verdicts,
    between_reviewers,
)
from sampleui.review.results.file import Results
from sampleui.review.results.scoring import Figure
from sampleui.review.targets import Attempts, TargetSummary, attempts_of, targets_of
from sampleui.review.verdict import Decision, Verdict


@dataclass(frozen=True, slots=True)
class EvaluatorSummary:
    """One evaluator over all records. `mean` is None when it gave no scores."""

    name: str
    records: int
    failed: int
    mean: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """The figures.

    Attributes:
        fail_under: the threshold asked for, None if each record passes or fails as its runner says.
        scorer: the scorer that decides what passed, None if it is the runner that says so.
        untold: why that scorer cannot say what passed; empty where it can.
        figures: the metrics that the run itself has of its scores.
        skipped: rows of the file that could not be read.
        replaced: rows that a later one of the same sample, target and attempt replaced; they no longer count.
        ungraded: records of which nothing says whether they passed: no outcome, verdict or score.
        reviewed: failed records with a verdict that stands.
        carried: of these, those decided by what was decided about the same answer in an earlier run.
        verdicts: how often each verdict stands, over all records.
        targets: each target by itself, if there are several.
        attempts: how many attempts passed, of each target and sample that has several.
        orphans: verdicts about records that no longer exist.
        disputed: the ids of records that reviewers disagree about, and nobody has settled it. They count as
            decided nowhere.
        adjudicated: how many records somebody has.
        kinds: how many records are tagged with each kind of failure, most first.
    """

    file: str
    fail_under: float | None
    scorer: str | None
    untold: str
    figures: tuple[Figure, ...]
    records: int
    skipped: int
    replaced: int
    failed: int
    ungraded: int
    errors: int
    mean: float | None
    evaluators: tuple[EvaluatorSummary, ...]
    reviewed: int
    verdicts: tuple[tuple[Verdict, int], ...]
    truth: Agreement | None
    outcomes: VerdictTable | None
    reviewers: tuple[ReviewerAgreement, ...]
    targets: tuple[TargetSummary, ...]
    attempts: tuple[Attempts, ...]
    carried: int
    orphans: tuple[Decision, ...]
    disputed: tuple[str, ...]
    adjudicated: int
    kinds: tuple[tuple[str, int], ...]


def report_of(results: Results, log: Log, fail_under: float | None = None) -> Report:
    """Return the figures of results that are indexed, and of the decisions about them."""
    entries = results.counted
    failures = [entry for entry in entries if failed(entry, fail_under)]
    scores = [entry.score for entry in entries if entry.score is not None]
    outcomes = against_verdicts(entries, log, fail_under)
    return Report(
        file=results.name,
        fail_under=_threshold(entries, fail_under),
        scorer=results.decider,
        untold=results.untold,
        figures=results.figures,
        records=len(entries),
        skipped=results.skipped,
        replaced=len(results.superseded),
        failed=len(failures),
        ungraded=sum(ungraded(entry, fail_under) for entry in entries),
        errors=sum(entry.error is not None for entry in entries),
        mean=fmean(scores) if scores else None,
        evaluators=tuple(_evaluators(entries, fail_under)),
        reviewed=sum(log.current(entry.digest) is not None for entry in failures),
        verdicts=_verdicts(entries, log),
        truth=against_truth(entries),
        outcomes=outcomes,
        reviewers=between_reviewers(entries, log),
        targets=targets_of(entries, fail_under),
        attempts=tuple(dict.fromkeys(attempts_of(entries, fail_under).values())),
        carried=sum(_carried(entry, log) for entry in failures),
        orphans=log.orphans,
        disputed=tuple(entry.id for entry in entries if log.disputed(entry.digest)),
        adjudicated=sum(log.ruling(entry.digest) is not None for entry in entries),
        kinds=_kinds(entries, log),
    )


def as_data(report: Report) -> Table:
    """Return a report as data for JSON. Keys are stable; figures that do not exist are null."""
    return {
        "file": report.file,
        "fail_under": report.fail_under,
        "scorer": report.scorer,
        "metrics": [figure.as_data() for figure in report.figures],
        "records": report.records,
        "skipped": report.skipped,
        "replaced": report.replaced,
        "failed": report.failed,
        "ungraded": report.ungraded,
        "errors": report.errors,
        "mean_score": report.mean,
        "evaluators": [
            {
                "name": evaluator.name,
                "records": evaluator.records,
                "failed": evaluator.failed,
                "mean_score": evaluator.mean,
            }
            for evaluator in report.evaluators
        ],
        "targets": [
            {
                "name": target.name,
                "records": target.records,
                "failed": target.failed,
                "ungraded": target.ungraded,
                "errors": target.errors,
                "mean_score": target.mean,
                "evaluators": dict(target.means),
            }
            for target in report.targets
        ],
        "attempts": [
            {
                "sample": attempt.sample,
                "target": attempt.target,
                "passed": attempt.passed,
                "total": attempt.total,
                "ungraded": attempt.ungraded,
            }
            for attempt in report.attempts
        ],
        "review": {"reviewed": report.reviewed, "verdicts": _counts(report.verdicts)},
        "carried": report.carried,
        "orphans": [{"id": orphan.record_id, "verdict": str(orphan.verdict)} for orphan in report.orphans],
        "disputed": len(report.disputed),
        "disputed_records": [*report.disputed],
        "adjudicated": report.adjudicated,
        "failure_tags": dict(report.kinds),
        "truth": _truth_data(report.truth),
        "verdicts_by_outcome": _outcome_data(report.outcomes),
        "reviewers": [
            {
                "one": pair.first,
                "other": pair.other,
                "records": pair.records,
                "agreed": pair.agreed,
                "kappa": pair.kappa,
            }
            for pair in report.reviewers
        ],
    }


def _kinds(entries: Iterable[Entry], log: Log) -> tuple[tuple[str, int], ...]:
    decisions = (log.current(entry.digest) for entry in entries)
    return tuple(
        Counter(tag for decision in decisions if decision is not None for tag in decision.tags).most_common()
    )


def _carried(entry: Entry, log: Log) -> bool:
    decision = log.current(entry.digest)
    return decision is not None and decision.carried


def _threshold(entries: Iterable[Entry], fail_under: float | None) -> float | None:
    """Return the threshold below which records failed; None if runners say otherwise and none was asked for."""
    graded = [entry for entry in entries if not ungraded(entry)]
    usual = fail_under is None and all(failed(entry) == failed(entry, FAIL_UNDER) for entry in graded)
    scored = [entry.score is not None and entry.bounded for entry in graded if entry.error is None]
    return FAIL_UNDER if usual and all(scored) and (scored or not entries) else fail_under


def _evaluators(entries: Iterable[Entry], fail_under: float | None) -> Iterator[EvaluatorSummary]:
    scores: dict[str, list[float | None]] = {}
    failures: dict[str, int] = {}
    for entry in entries:
        for mark in entry.marks:
            scores.setdefault(mark.name, []).append(mark.score)
        for name in failing_evaluators(entry, fail_under):
            failures[name] = failures.get(name, 0) + 1
    for name, given in scores.items():
        known = [score for score in given if score is not None]
        yield EvaluatorSummary(name, len(given), failures.get(name, 0), fmean(known) if known else None)


def _verdicts(entries: Iterable[Entry], log: Log) -> tuple[tuple[Verdict, int], ...]:
    decisions = (log.current(entry.digest) for entry in entries)
    counted = Counter(decision.verdict for decision in decisions if decision is not None)
    return tuple((verdict, counted[verdict]) for verdict in Verdict)


def _counts(counted: Iterable[tuple[Verdict, int]]) -> Table:
    return {str(verdict): times for verdict, times in counted}


def _truth_data(truth: Agreement | None) -> Plain:
    if truth is None:
        return None
    labels: list[Plain] = [*truth.confusion.labels]
    return {
        "records": truth.count,
        "agreed": truth.agreed,
        "average_distance": truth.average_distance,
        "labels": labels,
        "confusion": [[*counts] for counts in truth.confusion.counts],
    }


def _outcome_data(outcomes: VerdictTable | None) -> Plain:
    if outcomes is None:
        return None
    return {
        "settled": outcomes.settled,
        "agreed": outcomes.agreed,
        "passed": _counts(outcomes.passed),
        "failed": _counts(outcomes.failed),
    }
