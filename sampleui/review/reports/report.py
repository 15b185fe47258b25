"""A run and its review: the figures, and what reviewers decided."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.record import Entry, failed, in_short, outcome_of, ungraded, why_failed
from sampleui.review.reports.against_baselines import AgainstTarget, against_baselines
from sampleui.review.reports.figures import BaselineFigures, Figures, VerdictTable
from sampleui.review.reports.graders import outcomes_by_verdict
from sampleui.review.reports.matrix import Matrix
from sampleui.review.reports.plot_values import Plot
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.run_figures import Reviews, figures_of
from sampleui.review.results.file import Results
from sampleui.review.verdict import Decision, Verdict
from sampleui.statistics import Interval
from sampleui.statistics.comparison import compare as compare_scores
from sampleui.statistics.means import UNIT_SCALE, summarize
from sampleui.statistics.units import Score, sums_of


class ByPeople(NamedTuple):
    """What people say of records of which the run does not say how they came out.

    Attributes:
        records: how many those are.
        decided: how many of them somebody decided about; a skip or a dispute is no decision.
        passed, failed: those found `ok`, and `model-wrong`; the other verdicts say neither.
        interval: the 95% interval of the share that passed; None where people picked what they judged.
        comparison: the same records against those of an earlier run that people judged; None without such. Nothing
            in it says what is more than chance where people picked what they judged, in either run.
    """

    records: int
    decided: int
    passed: int
    failed: int
    interval: Interval | None
    comparison: BaselineFigures | None = None


class ReviewState(NamedTuple):
    """What was decided about the records of a run.

    Attributes:
        reviewed: failed records with a verdict that stands; to skip one decides nothing.
        carried: of these, those decided by what was decided about the same answer in an earlier run.
        verdicts: how often each verdict stands, over all records.
        orphans: verdicts about records that no longer exist.
        disputed: the ids of records that reviewers disagree about, and nobody has settled it. They count as
            decided nowhere.
        adjudicated: how many records somebody has.
        kinds: how many records are tagged with each kind of failure, most first.
        outcomes: how records came out against the verdicts about them; None if nothing was decided.
        decisions: all that stands, by the ids of the records, those of programs among them.
        by_people: how those records came out, as people say, of which the run does not say it; None without such.
    """

    reviewed: int
    carried: int
    verdicts: tuple[tuple[Verdict, int], ...]
    orphans: tuple[Decision, ...]
    disputed: tuple[str, ...]
    adjudicated: int
    kinds: tuple[tuple[str, int], ...]
    outcomes: VerdictTable | None
    decisions: tuple[tuple[str, Decision], ...] = ()
    by_people: ByPeople | None = None


class RecordLine(NamedTuple):
    """A record as a report lists it.

    Attributes:
        target: who answered, empty if nobody says.
        outcome: `passed`, `failed`, `error` or `ungraded`.
        why: why it failed, in words.
        verdict: the verdict that stands, empty for none.
    """

    id: str
    target: str
    outcome: str
    score: float | None
    why: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a run and the state of its review.

    Attributes:
        review: None where nobody looked at what was decided about its records, here or on earlier runs.
        records: those that were asked to be listed.
        against: its targets against the one that is their baseline, where its tool has such.
        matrix: its samples by targets, where that was asked for.
        plots: what is plotted of it, where that was asked for.
        filter: the words by which matrix and list of records were narrowed; the figures are of the whole run.
        redacted: how many places were replaced, for they are not to be passed on; None if nothing was to be.
    """

    figures: Figures
    review: ReviewState | None
    records: tuple[RecordLine, ...] = ()
    against: tuple[AgainstTarget, ...] = ()
    matrix: Matrix | None = None
    plots: tuple[Plot, ...] = ()
    filter: str = ""
    redacted: int | None = None


def report_of(
    results: Results,
    log: Log,
    question: Question = Question(),  # noqa: B008 (it is a value)
    figures: Figures | None = None,
    *,
    listed: Iterable[Entry] = (),
    reviews: Reviews | None = None,
    baseline: Results | None = None,
) -> Report:
    """Return the figures of results, and the state of their review.

    Args:
        results: the run.
        log: what was decided about it, where it is indexed.
        question: what is asked of it.
        figures: the answer; None to ask it here. Raises then as `figures_of` does.
        listed: the records to list.
        reviews: what was decided about it where it is not indexed; None if nobody is to look at that.
        baseline: an earlier run, with which what people say is compared; it is indexed if they judged both.
    """
    figures = figures or figures_of(results, question, log=log, reviews=reviews)
    excerpt = None if results.complete or reviews is None else results.excerpt
    reviewed = results if excerpt is None else excerpt.results
    review = None
    if reviewed.complete:
        review = _state(reviewed.counted, log, question.fail_under, figures.run.counts.ungraded)
    if review is not None and review.by_people is not None and baseline is not None:
        by_people = _compared(review.by_people, reviewed.counted, log, baseline, question.fail_under)
        review = review._replace(by_people=by_people)
    return Report(
        figures=figures,
        review=review,
        records=tuple(_line(entry, log, question.fail_under) for entry in listed),
        against=against_baselines(reviewed, question.fail_under) if reviewed.complete else (),
    )


def _state(entries: Sequence[Entry], log: Log, fail_under: float | None, n_ungraded: int) -> ReviewState:
    decisions = tuple((entry.id, decision) for entry in entries for decision in log.everything(entry.digest))
    entries = [entry for entry in entries if log.is_about(entry.digest)]
    failures = [entry for entry in entries if failed(entry, fail_under)]
    current = [decision for entry in entries if (decision := log.current(entry.digest)) is not None]
    verdicts = Counter(decision.verdict for decision in current)
    of_failures = [
        decision
        for entry in failures
        if (decision := log.current(entry.digest)) is not None and decision.verdict is not Verdict.SKIP
    ]
    return ReviewState(
        reviewed=len(of_failures),
        carried=sum(decision.carried for decision in of_failures),
        verdicts=tuple((verdict, verdicts[verdict]) for verdict in Verdict),
        orphans=log.orphans,
        disputed=tuple(entry.id for entry in entries if log.disputed(entry.digest)),
        adjudicated=sum(log.ruling(entry.digest) is not None for entry in entries),
        kinds=tuple(Counter(tag for entry in entries for tag in log.kinds(entry.digest)).most_common()),
        outcomes=outcomes_by_verdict(entries, log, fail_under),
        decisions=decisions,
        by_people=_by_people([entry for entry in entries if ungraded(entry, fail_under)], log, n_ungraded),
    )


def _by_people(entries: Sequence[Entry], log: Log, records: int) -> ByPeople | None:
    """Return how records came out that nobody graded, as people say; `entries` are those of them with decisions."""
    if not records:
        return None
    verdicts = _verdicts(entries, log)
    judged = _judged(verdicts)
    passes = [score.score for score in judged.values() if score.score is not None]
    units = sums_of(passes, (score.sample for score in judged.values()))
    passed = int(sum(passes))
    return ByPeople(
        records=records,
        decided=sum(verdict is not Verdict.SKIP for _, verdict in verdicts.values()),
        passed=passed,
        failed=len(judged) - passed,
        interval=summarize(units, UNIT_SCALE).interval if _is_fair(judged, records, log) else None,
    )


def _verdicts(entries: Iterable[Entry], log: Log) -> dict[str, tuple[Entry, Verdict | None]]:
    """Return the verdicts that stand and nobody disputes, by the digests of their records."""
    return {
        entry.digest: (entry, decision.verdict)
        for entry in entries
        if not log.disputed(entry.digest) and (decision := log.current(entry.digest)) is not None
    }


def _judged(verdicts: Mapping[str, tuple[Entry, Verdict | None]]) -> dict[str, Score]:
    """Return records that people found to have passed, as 1, or failed, as 0, by their digests."""
    return {
        digest: Score(str(entry.case), entry.target or "", float(verdict is Verdict.OK))
        for digest, (entry, verdict) in verdicts.items()
        if verdict in (Verdict.OK, Verdict.MODEL_WRONG)
    }


def failed_by_people(entries: Iterable[Entry], log: Log, fail_under: float | None) -> frozenset[str]:
    """Return the digests of the records that nobody graded and that people found to have failed."""
    judged = _judged_of(entries, log, fail_under)
    return frozenset(digest for digest, score in judged.items() if not score.score)


def _judged_of(entries: Iterable[Entry], log: Log, fail_under: float | None) -> dict[str, Score]:
    return _judged(_verdicts((entry for entry in entries if ungraded(entry, fail_under)), log))


def _compared(
    people: ByPeople, entries: Iterable[Entry], log: Log, baseline: Results, fail_under: float | None
) -> ByPeople:
    """Return what people say of records that nobody graded against what they say of those of an earlier run."""
    earlier_log = open_log(log_path(baseline.path))
    now = _judged_of(entries, log, fail_under)
    earlier = baseline.indexed().counted if now and earlier_log.decisions else ()
    before = _judged_of(earlier, earlier_log, fail_under)
    if not before:
        return people
    comparison = compare_scores(before.values(), now.values())
    n_before = sum(ungraded(entry, fail_under) for entry in earlier)
    if people.interval is None or not _is_fair(before, n_before, earlier_log):
        comparison = dataclasses.replace(
            comparison,
            standard_error=None,
            interval=None,
            interval_method=None,
            smallest_detectable=None,
            p_value=None,
            p_method=None,
        )
    figures = BaselineFigures(
        baseline=baseline.name,
        measure="passed",
        bounded=True,
        several_targets=any(len({score.target for score in side.values()}) > 1 for side in (before, now)),
        comparison=comparison,
        at_worst=None,
        evaluators=(),
        only_run=(),
        only_baseline=(),
    )
    return people._replace(comparison=figures)


def _is_fair(judged: Collection[str], records: int, log: Log) -> bool:
    """Tell whether records were not picked by hand: all of them are judged, or the first ones of a plain draw."""
    plain = (draw for draw in log.draws if len(draw.strata) == 1)
    drawn = any({*islice(draw.records, len(judged))} == {*judged} for draw in plain)
    return len(judged) == records or (bool(judged) and drawn)


def _line(entry: Entry, log: Log, fail_under: float | None) -> RecordLine:
    decision = log.current(entry.digest)
    return RecordLine(
        entry.id,
        entry.target or "",
        str(outcome_of(entry, fail_under)),
        entry.score,
        in_short(entry, fail_under) or "; ".join(why_failed(entry, fail_under)),
        str(decision.verdict) if decision is not None and decision.verdict is not None else "",
    )
